"""Solves: arrays in and out, errors, threads."""

import gc
import threading
import weakref
from typing import Any

import numpy as np
import pytest
from person import BONES, RIG, STANDING

import kinescope_ik as ik

TARGET = (0.5, 1.3, 0.45)


def away(pose: ik.Array, bone: int = 6) -> float:
    return float(np.linalg.norm(pose[bone, :3] - np.array(TARGET, np.float32)))


def test_a_hand_out_of_reach_takes_the_body_along(solver: ik.Solver, standing: ik.Array, reaching: ik.Settings) -> None:
    solved = solver.solve(standing, reaching)
    assert away(solved) < 0.01 < away(standing)
    assert (standing == STANDING).all()
    assert solver.bone_of("left_hand") == 6
    assert solver.bone_of("left_clavicle") is None
    assert sorted(solver.written_bones().tolist()) == list(range(16))


def test_out_receives_the_pose_without_a_copy(solver: ik.Solver, standing: ik.Array, reaching: ik.Settings) -> None:
    expected = solver.solve(standing, reaching)
    out = np.empty_like(standing)
    assert solver.solve(standing, reaching, out=out) is out
    assert (out == expected).all()
    assert solver.solve(standing, reaching, out=standing) is standing
    assert (standing == expected).all()


def test_every_input_of_the_same_numbers_gives_the_same_pose(solver: ik.Solver, reaching: ik.Settings) -> None:
    expected = solver.solve(STANDING, reaching)
    wide = np.zeros((16, 12), np.float32)
    wide[:, 3:10] = STANDING
    swapped = STANDING[::-1].copy()[::-1]
    read_only = STANDING.copy()
    read_only.flags.writeable = False
    unaligned = np.frombuffer(b"\0" + STANDING.tobytes(), np.float32, offset=1).reshape(16, 7)
    inputs = [wide[:, 3:10], swapped, np.asfortranarray(STANDING), STANDING.astype(np.float64), STANDING.tolist(), read_only]
    inputs += [unaligned, STANDING.astype(">f4")]
    for own in inputs:
        assert (solver.solve(own, reaching) == expected).all()


def test_wrong_arrays_are_errors_that_name_the_shape(solver: ik.Solver, standing: ik.Array, reaching: ik.Settings) -> None:
    wrong: Any
    for wrong, says in [
        (standing[:3], r"pose: has the shape \(3, 7\), expected \(16, 7\)"),
        (standing[:, :3], r"has the shape \(16, 3\)"),
        (standing[None], r"has the shape \(1, 16, 7\)"),
        (np.zeros(0, np.float32), r"has the shape \(0,\)"),
        (1.0, r"has the shape \(\)"),
    ]:
        with pytest.raises(ValueError, match=says):
            solver.solve(wrong, reaching)
    nonsense: Any
    for nonsense in (None, [["a"] * 7] * 16, standing.astype(complex)):
        with pytest.raises(TypeError, match="expected numbers"):
            solver.solve(nonsense, reaching)
    with pytest.raises(ValueError):
        solver.solve([[0.0], [0.0, 1.0]], reaching)
    read_only = standing.copy()
    read_only.flags.writeable = False
    out: Any
    for out, kind, says in [
        (standing.astype(np.float64), TypeError, "out: has the type float64"),
        (standing[:3].copy(), ValueError, r"out: has the shape \(3, 7\)"),
        (np.asfortranarray(standing), ValueError, "out: is not C-contiguous"),
        (read_only, ValueError, "out: is read-only"),
        (standing.tolist(), TypeError, "out: is list"),
    ]:
        for pose in (standing, out):
            with pytest.raises(kind, match=says):
                solver.solve(pose, reaching, out=out)
    settings: Any
    for settings in (None, {}, standing):
        with pytest.raises(TypeError, match=r"expected kinescope_ik\.Settings"):
            solver.solve(standing, settings)


def test_poses_that_are_not_poses_are_refused_with_the_bone(
    solver: ik.Solver, standing: ik.Array, reaching: ik.Settings
) -> None:
    for value in (np.nan, np.inf, -np.inf, 1e30):
        broken = standing.copy()
        broken[4, 1] = value
        before = broken.tobytes()
        with pytest.raises(ik.PoseError, match=r'bone "left upper arm"|pose\[4\]') as caught:
            solver.solve(broken, reaching, out=broken)
        assert caught.value.status == -3
        assert broken.tobytes() == before
    standing[4, 3:] *= 0.9
    with pytest.raises(ik.PoseError, match='bone "left upper arm": has length 0.9'):
        solver.solve(standing, reaching)
    reaching.effector("left_hand").position = (np.nan, 0, 0)
    with pytest.raises(ik.Error, match="left_hand"):
        solver.solve(STANDING, reaching)


def test_rigs_that_are_none_are_refused() -> None:
    names, parents = [name for name, _, _ in BONES], [parent for _, parent, _ in BONES]
    with pytest.raises(ik.RigError):
        ik.Solver(ik.Rig(names[:5], parents[:5], STANDING[:5]))
    with pytest.raises(ValueError, match=r"parents\[1\]: is 4294967296"):
        ik.Rig(names, [-1, 1 << 32, *parents[2:]], STANDING)
    with pytest.raises(ValueError, match="contains a zero"):
        ik.Solver(ik.Rig(["pel\0vis", *names[1:]], parents, STANDING))
    with pytest.raises(TypeError, match=r"names\[0\]"):
        ik.Solver(ik.Rig([None, *names[1:]], parents, STANDING))  # type: ignore[list-item]
    with pytest.raises(ValueError, match="names: has 15 bones"):
        ik.Rig(names[1:], parents, STANDING)
    with pytest.raises(ValueError, match=r"reference: has the shape \(15, 7\)"):
        ik.Rig(names, parents, STANDING[1:])
    limbs: dict[str, Any] = {
        "left_arm": [4, 5, 6], "right_arm": [7, 8, 9], "left_leg": [10, 11, 12], "right_leg": [13, 14, 15]
    }
    ik.Solver(ik.Rig(names, parents, STANDING, ik.Biped(pelvis=0, spine=[1, 2], head=3, **limbs)))
    for wrong, says in [
        (ik.Biped(pelvis=0, spine=[1, 99], **limbs), "biped.spine: is 99"),
        (ik.Biped(pelvis=0, spine=[1, 2], **{**limbs, "left_arm": [4, 5]}), "biped.left_arm: has 2 bones"),
        (ik.Biped(pelvis=-7, spine=[1, 2], **limbs), "biped.pelvis: is -7"),
    ]:
        with pytest.raises(ValueError, match=says):
            ik.Solver(ik.Rig(names, parents, STANDING, wrong))
    with pytest.raises(ik.RigError):
        ik.Solver(ik.Rig(names, parents, STANDING, ik.Biped(pelvis=0, spine=[], **limbs)))


def test_threads_may_share_a_solver(solver: ik.Solver, standing: ik.Array, reaching: ik.Settings) -> None:
    expected = solver.solve(standing, reaching)
    wrong: list[int] = []

    def work() -> None:
        for _ in range(200):
            if not (solver.solve(standing, reaching) == expected).all():
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_objects_are_freed_with_their_last_reference() -> None:
    solver = ik.Solver(RIG)
    grounder = ik.Grounder(solver)
    game = ik.Game("a test", {"player": solver})
    handles = [weakref.ref(own) for own in (solver, grounder, game)]
    del solver, grounder, game
    gc.collect()
    assert [handle() for handle in handles] == [None] * 3


def test_random_bytes_are_refused_or_solved(solver: ik.Solver) -> None:
    random = np.random.default_rng(7)
    strange = np.array([np.nan, np.inf, -np.inf, 0, 1e-40, 1e38, -1, 0.5], np.float32)
    solved = 0
    for _ in range(1500):
        settings, pose = ik.Settings(), STANDING.copy()
        memory = settings.record.view(np.uint8)
        places = random.integers(0, len(memory) // 4, 4) * 4
        for place in places:
            new = random.bytes(4) if random.random() < 0.5 else random.choice(strange).tobytes()
            memory[place : place + 4] = np.frombuffer(new, np.uint8)
        if random.random() < 0.3:
            pose[random.integers(16), random.integers(7)] = random.choice(strange)
        try:
            found = solver.solve(pose, settings)
        except ik.Error as error:
            assert str(error)
        else:
            # At master weight 0 the pose is returned as it is.
            assert np.isfinite(found).all() or found.tobytes() == pose.tobytes()
            solved += 1
    assert 50 < solved < 1450
