"""Variants of one frame, and the reachable volume."""

import numpy as np
import pytest

import kinescope_ik as ik

HAND = ik.EFFECTORS.index("left_hand")


def test_variants_give_the_gaps_of_single_solves(solver: ik.Solver, standing: ik.Array) -> None:
    hand = solver.bone_of("left_hand")
    assert hand is not None
    targets = np.stack([(0.4 + 0.03 * index, 1.4, 0.2) for index in range(50)]).astype(np.float32)
    many = ik.settings_array(50)
    own = many["effectors"][:, HAND]
    own["position"], own["has_position"], own["position_weight"] = targets, 1, 1
    before = standing.copy()
    gaps = ik.solve_variants(solver, standing, many)
    np.testing.assert_array_equal(standing, before)
    assert gaps.shape == (50, len(ik.EFFECTORS)) and gaps[0, HAND] < 0.02 and gaps[-1, HAND] > 0.5
    listed = []
    for target in targets[::10]:
        one = ik.Settings()
        one.effector("left_hand").aim(target)
        listed.append(one)
        solved = solver.solve(standing, one)
        assert gaps[np.all(targets == target, axis=1), HAND] == pytest.approx(np.linalg.norm(solved[hand, :3] - target), abs=1e-4)
    np.testing.assert_array_equal(ik.solve_variants(solver, standing, listed), gaps[::10])
    many["chains"][3, 0]["push_smoothing"] = 9
    with pytest.raises(ik.SettingsError, match=r"settings\[3\]"):
        ik.solve_variants(solver, standing, many)
    with pytest.raises(TypeError, match=r"settings\[0\]: is int"):
        ik.solve_variants(solver, standing, [1])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="settings_array"):
        ik.solve_variants(solver, standing, np.zeros(3))


def test_the_volume_of_an_arm(solver: ik.Solver, standing: ik.Array) -> None:
    done: list[float] = []
    reach = ik.Reach(solver, standing, ik.Settings(), "left_arm", 16, progress=done.append)
    # An arm of 0.5 m reaches less than a ball of 1 m, and more than one of 0.3 m.
    assert 0.11 < reach.volume < 4.2 and done == sorted(done) and done[0] == 0
    assert reach.points.shape == reach.normals.shape and len(reach.points) > 20
    assert reach.triangles.shape[1] == 3 and reach.triangles.max() < len(reach.points)
    np.testing.assert_allclose(np.linalg.norm(reach.normals, axis=1), 1, atol=1e-3)
    assert reach.gap((0.4, 1.4, 0.2)) < 0.05 and np.isinf(reach.gap((9, 9, 9)))
    with pytest.raises(ik.Cancelled):
        ik.Reach(solver, standing, ik.Settings(), "left_arm", 16, progress=lambda _: False)
    with pytest.raises(ik.Error, match="count: is 97"):
        ik.Reach(solver, standing, ik.Settings(), "left_arm", 97)
    with pytest.raises(ValueError, match="'tail' is not a known limb"):
        ik.Reach(solver, standing, ik.Settings(), "tail")
