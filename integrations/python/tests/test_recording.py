"""Recordings of a stack: break conditions, pops, foot slide, measures; explanations; and clips that are saved."""

from pathlib import Path

import numpy as np
import pytest
from person import RIG

import kinescope_ik as ik
from kinescope_ik._native import ffi, lib

BIPED = Path(__file__).resolve().parents[3] / "assets" / "biped.glb"


def aim(stack: ik.Stack, at: tuple[float, float, float], weight: float = 1.0) -> None:
    settings = stack.settings
    settings.effector("left_hand").aim(at, weight)
    stack.settings = settings


def circle(frame: int) -> tuple[float, float, float]:
    return (0.35, 1.3 + 0.08 * float(np.sin(0.2 * frame)), 0.4 + 0.08 * float(np.cos(0.2 * frame)))


@pytest.fixture
def jumping(solver: ik.Solver, standing: ik.Array) -> ik.Recording:
    """A hand follows a circle; in frame 20 its target jumps."""
    stack = ik.Stack(solver)
    recording = ik.Recording(stack)
    for frame in range(40):
        x, y, z = circle(frame)
        aim(stack, (x + 0.6 * (frame == 20), y, z))
        stack.solve(standing, 0.02)
        recording.record()
    return recording


def test_the_largest_jerk_is_where_the_target_jumps(jumping: ik.Recording) -> None:
    assert len(jumping) == 40 and jumping.numbers == range(40) and jumping.time(10) == pytest.approx(0.2)
    pops = jumping.pops()
    assert pops[0].frame in (19, 20) and "left" in pops[0].joint and pops[0].degrees > 2 * pops[-1].degrees
    jerk = jumping.measure("jerk")
    assert jerk is not None and np.degrees(jerk) == pytest.approx(pops[0].degrees, rel=1e-4)
    assert all((pop.step is None) == (pop.step_name == "") for pop in pops)
    gaps = jumping.values("left_hand_gap")
    assert gaps.argmax() == 20 and np.isnan(jumping.values("tail_gap")).all()
    with pytest.raises(ValueError, match="'luck' is not a known measure"):
        jumping.measure("luck")


def test_break_conditions_hold_at_the_jump(solver: ik.Solver, standing: ik.Array) -> None:
    defaults, own = ffi.new("KinescopeBreaks *"), ik.Breaks()._c()
    lib.kinescope_breaks_default(defaults)
    for name in ("bend_turn_degrees", "bone_length_fraction", "error_rise_fraction", "jerk_degrees", "slide_metres"):
        assert getattr(own, name) == getattr(defaults, name)
    stack = ik.Stack(solver)
    recording, breaks, hits = ik.Recording(stack), ik.Breaks(("jerk",)), []
    with pytest.raises(ik.Error, match="must come first"):
        recording.check(breaks)
    for frame in range(30):
        x, y, z = circle(frame)
        aim(stack, (x + 0.6 * (frame == 20), y, z))
        stack.solve(standing, 0.02)
        recording.record()
        if (hit := recording.check(breaks)) is not None:
            hits.append((frame, hit))
    assert hits and all(20 <= frame <= 22 and hit.condition == "jerk" and "jerks" in hit.text for frame, hit in hits)
    assert recording.check(ik.Breaks(())) is None
    with pytest.raises(ik.SettingsError, match="breaks.jerk_degrees"):
        recording.check(ik.Breaks(jerk_degrees=-1))
    with pytest.raises(ValueError, match="'luck' is not a known condition"):
        recording.check(ik.Breaks(("luck",)))


def test_slides_of_planted_feet(solver: ik.Solver, standing: ik.Array) -> None:
    stack = ik.Stack(solver)
    recording = ik.Recording(stack)
    assert recording.slides() == [] and recording.numbers == range(0) and recording.measure("foot_slide") is None
    for frame in range(20):
        planted = float(5 <= frame < 15)
        stack.solve(standing, 0.02, root=(0, 0, 0.01 * frame, 0, 0, 0, 1), planted=(planted, planted))
        recording.record()
    [left, right] = recording.slides()
    for side, slide in zip(ik.SIDES, (left, right)):
        assert (slide.side, slide.first, slide.last, slide.has_landed) == (side, 5, 14, True)
        assert slide.solved == pytest.approx(0.09, abs=1e-3) and slide.animated == pytest.approx(0.09, abs=1e-4)
    assert recording.measure("foot_slide") == pytest.approx(max(left.solved, right.solved))
    recording.clear()
    assert len(recording) == 0


def test_recordings_are_replayed_and_solved_again(jumping: ik.Recording) -> None:
    stack = jumping.replay(20)
    why = stack.why("left_hand")
    assert why is not None and why.reason == "too_far" and why.miss == "short" and why.distance > why.limit
    assert stack.why("right_hand") is None
    assert stack.measures()["left_hand_gap"] == pytest.approx(why.gap, abs=1e-5)
    assert jumping.values("left_hand_gap")[20] == pytest.approx(why.gap, abs=1e-5)
    done: list[float] = []
    same = jumping.solve_again(progress=done.append)
    assert len(same) == 40 and done == sorted(done) and len(done) == 40
    assert same.measure("jerk") == jumping.measure("jerk")
    still = jumping.solve_again('{"format":"kinescope-preset","version":1}')
    assert (still.measure("jerk") or 0) < 1e-3
    with pytest.raises(ValueError, match="no stack"):
        same.record()
    with pytest.raises(ik.Cancelled):
        jumping.solve_again(progress=lambda done: done < 0.5)
    with pytest.raises(ik.Error, match="number: is 40; the tape has frames 0 to 39"):
        jumping.replay(40)
    with pytest.raises(ik.FileError):
        jumping.solve_again("{}")

    def broken(_: float) -> None:
        raise KeyError("no window")

    with pytest.raises(KeyError, match="no window"):
        jumping.solve_again(progress=broken)


def test_measures_of_recordings_are_swept(jumping: ik.Recording, solver: ik.Solver, standing: ik.Array) -> None:
    jerks = jumping.sweep("jerk", ik.Axis("effectors.left_hand.position_weight", values=3))
    assert jerks.shape == (3,) and jerks[0] < 1e-3 < jerks[1] and jerks[2] == jumping.measure("jerk")
    with pytest.raises(ik.Cancelled):
        jumping.sensitivities("jerk", progress=lambda _: False)
    stack = ik.Stack(solver)
    aim(stack, (0.35, 1.3, 0.4))
    stack.solve(standing, 0.02)
    capsule = ik.Capsule.of(stack, "a reach")
    with pytest.raises(ik.Cancelled):
        capsule.sweep("left_hand_gap", ik.Axis("chains.left_arm.pull"), progress=lambda _: False)
    short = ik.Recording(stack)
    short.record()
    assert short.measure("jerk") is None
    assert [own.parameter for own in capsule.sensitivities("left_hand_gap", progress=lambda _: True)]


def test_a_cure_brings_the_hand_nearer(solver: ik.Solver, standing: ik.Array) -> None:
    stack = ik.Stack(solver)
    aim(stack, (0.3, 1.3, 1.0))
    settings = stack.settings
    settings.chain("left_arm").pull = 0
    stack.settings = settings
    with pytest.raises(ValueError, match="has solved no frame"):
        stack.pose
    solved = stack.solve(standing, 0.02)
    np.testing.assert_array_equal(stack.pose, solved)
    why, cure = stack.why("left_hand"), stack.cure("left_hand")
    assert why is not None and cure is not None and cure.gap < 0.9 * why.gap and "." in cure.parameter
    assert stack.cure("right_hand") is None
    with pytest.raises(ValueError, match="'tail' is not a known effector"):
        stack.why("tail")


def test_clips_are_saved_and_read_again(solver: ik.Solver, standing: ik.Array, tmp_path: Path) -> None:
    stack, poses = ik.Stack(solver), []
    for frame in range(10):
        aim(stack, circle(frame))
        poses.append(stack.solve(standing, 0.02))
    notes = solver.save_clip(tmp_path / "wave.glb", poses, 0.02, "wave")
    model = ik.Model(tmp_path / "wave.glb")
    assert notes == "" and [clip.name for clip in model.clips] == ["wave"] and model.rig.names == RIG.names
    np.testing.assert_allclose(model.sample(0, 0.14)[:, :3], poses[7][:, :3], atol=1e-4)
    assert "centimetres" in solver.save_clip(tmp_path / "wave.bvh", poses, 0.02)
    assert ik.Model(tmp_path / "wave.bvh").clips[0].duration == pytest.approx(0.18)

    biped = ik.Model(BIPED)
    moved = np.stack([biped.sample(0, 0.1 * frame) for frame in range(4)])
    biped.save_clip(tmp_path / "again.glb", moved, 0.1, "again")
    again = ik.Model(tmp_path / "again.glb")
    assert len(again.clips) == len(biped.clips) + 1 and again.clips[-1].name == "again"
    np.testing.assert_allclose(again.sample(len(biped.clips), 0.2)[:, :3], moved[2, :, :3], atol=1e-4)
    biped.save_pose(tmp_path / "pose.glb", moved[3])
    np.testing.assert_allclose(ik.Model(tmp_path / "pose.glb").sample(None)[:, :3], moved[3, :, :3], atol=1e-4)
    with pytest.raises(ValueError, match="expected .glb or .bvh"):
        solver.save_clip(tmp_path / "wave.fbx", poses, 0.02)
    with pytest.raises(ValueError, match="poses: has the shape"):
        solver.save_clip(tmp_path / "wave.glb", standing, 0.02)
    with pytest.raises(ik.PoseError, match="poses\\[0\\]"):
        solver.save_clip(tmp_path / "nan.glb", np.full_like(np.stack(poses), np.nan), 0.02)
    with pytest.raises(ik.Error, match="times\\[1\\]"):
        solver.save_clip(tmp_path / "wave.glb", poses, 0)
