"""Blending, crossfades and models."""

from pathlib import Path

import numpy as np
import pytest

import kinescope_ik as ik

BIPED = Path(__file__).resolve().parents[3] / "assets" / "biped.glb"


def test_poses_blend_in_local_space(solver: ik.Solver, standing: ik.Array, reaching: ik.Settings) -> None:
    to = solver.solve(standing, reaching)
    forearm, hand = solver.bone_of("left_forearm"), solver.bone_of("left_hand")
    assert forearm is not None and hand is not None
    half = ik.blend(solver, standing, to, 0.5)
    length = np.linalg.norm(standing[hand, :3] - standing[forearm, :3])
    assert np.linalg.norm(half[hand, :3] - half[forearm, :3]) == pytest.approx(length, abs=1e-4)
    np.testing.assert_array_equal(ik.blend(solver, standing, to, 0), standing)
    np.testing.assert_allclose(ik.blend(solver, standing, to, 1), to, atol=1e-5)
    pose = standing.copy()
    assert ik.blend(solver, pose, to, 0.5, out=pose) is pose
    np.testing.assert_array_equal(pose, half)

    upper_arm = solver.bone_of("right_upper_arm")
    assert upper_arm is not None
    mask = ik.mask_under(solver, upper_arm)
    assert mask[upper_arm] == 1 and mask[hand] == 0
    np.testing.assert_allclose(ik.blend(solver, standing, to, 1, mask)[hand], standing[hand], atol=1e-5)
    with pytest.raises(ValueError, match="mask: has the shape"):
        ik.blend(solver, standing, to, 1, [1.0, 2.0])
    with pytest.raises(ik.Error, match="weight"):
        ik.blend(solver, standing, to, float("nan"))

    leant = ik.add(solver, to, standing, half)
    assert np.abs(leant - to).max() > 0.01
    np.testing.assert_allclose(ik.add(solver, leant, standing, half, -1), to, atol=1e-4)


def test_a_crossfade_keeps_the_phase() -> None:
    crossfade = ik.Crossfade([1, 0.5])
    assert crossfade.shown == []
    assert crossfade.to(0) and not crossfade.to(0)
    crossfade.step(1.25)
    assert crossfade.shown == [(0, 0.25, 1)]
    assert crossfade.to(1, 0.5, keeps_phase=True)
    crossfade.step(0.125)
    assert crossfade.shown == [(0, 0.375, 1), (1, 0.25, 0.25)]
    crossfade.step(0.5)
    assert [own.clip for own in crossfade.shown] == [1]
    with pytest.raises(ik.Error, match="there are 2 clips"):
        crossfade.to(2)


def test_a_model_is_read_and_solves(tmp_path: Path) -> None:
    model = ik.Model(BIPED)
    solver = ik.Solver(model.rig)
    assert model.clips and model.clips[0].duration > 0.1
    pose = model.sample(0, 0.4 * model.clips[0].duration)
    assert np.abs(pose - model.sample(None)).max() > 0.01
    settings, hand = ik.Settings(), solver.bone_of("left_hand")
    settings.effector("left_hand").aim((0.3, 1.2, 0.35))
    solved = solver.solve(pose, settings)
    assert solved[hand, :3] == pytest.approx((0.3, 1.2, 0.35), abs=0.01)
    broken = tmp_path / "broken.glb"
    broken.write_bytes(BIPED.read_bytes()[:100])
    with pytest.raises(ik.FileError):
        ik.Model(broken)
    with pytest.raises(ik.Error, match="clip: is 99"):
        model.sample(99)
