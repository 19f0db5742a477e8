"""Single chains."""

import math
from typing import Any

import numpy as np
import pytest
from person import RIG

import kinescope_ik as ik

TARGET = (0.4, 0.3, 0.1)


def away(place: ik.Array, target: tuple[float, float, float]) -> float:
    return float(np.linalg.norm(place - np.array(target, np.float32)))


@pytest.mark.parametrize("name", ik.CHAIN_SOLVERS)
def test_a_chain_reaches_its_target(name: str) -> None:
    chain = ik.Chain.of_lengths([0.4, 0.35] if name == "two_bone" else [0.3, 0.3, 0.2])
    settings = ik.ChainIkSettings()
    settings.solver, settings.max_iterations = name, 200
    outcome = chain.solve(TARGET, settings)
    assert outcome.is_reached
    assert away(chain.positions[-1], TARGET) < 1e-3
    assert chain.positions[0].tolist() == [0, 0, 0]
    lengths = np.linalg.norm(np.diff(chain.positions, axis=0), axis=1)
    np.testing.assert_allclose(lengths, [0.4, 0.35] if name == "two_bone" else [0.3, 0.3, 0.2], atol=1e-4)
    assert chain.rotations.shape == (len(chain), 4)
    np.testing.assert_allclose(np.linalg.norm(chain.rotations, axis=1), 1, atol=1e-4)
    chain.reset()
    np.testing.assert_allclose(chain.positions[:, [0, 2]], 0, atol=1e-6)


def test_steps_are_the_solve() -> None:
    whole, steps = ik.Chain.of_lengths([0.3, 0.3, 0.2]), ik.Chain.of_lengths([0.3, 0.3, 0.2])
    outcome, seen = whole.solve(TARGET), list(steps.steps(TARGET))
    assert len(seen) > 1
    assert seen[-1][1] == outcome
    assert (steps.positions == whole.positions).all()


def test_branches_limits_and_weights_are_followed() -> None:
    points = [(0, 0, 0), (0, 0.3, 0), (0.2, 0.5, 0), (-0.2, 0.5, 0)]
    branched = ik.Chain.of_positions(points, starts=[0, 1, 1])
    settings = ik.ChainIkSettings()
    settings.solver = "fabrik"
    goals = [ik.Goal((0.25, 0.45, 0.1), joint=2), ik.Goal((-0.25, 0.45, 0.1), joint=3)]
    assert branched.solve(goals, settings).error < 0.05
    limited = ik.Chain.of_lengths([0.3, 0.3])
    limited.set_limit(0, "hinge", axis=(1, 0, 0), min=-0.1, max=0.1)
    limited.set_limit(1, "angle", max=0.0)
    limited.set_weight(1, 0.5)
    settings.solver = "ccd"
    assert not limited.solve((0.5, 0, 0), settings).is_reached
    assert math.degrees(math.atan2(abs(limited.positions[1, 2]), limited.positions[1, 1])) < 6
    moved = ik.Chain.of_lengths([0.3, 0.3])
    moved.carry((1, 2, 3))
    assert moved.positions[0].tolist() == [1, 2, 3]


def test_a_chain_of_a_character_moves_its_pose(solver: ik.Solver, standing: ik.Array) -> None:
    arm = ik.Chain.of_bones(solver, 4, 6)
    target = (0.4, 1.2, 0.3)
    solved, outcome = arm.solve_pose(standing, target)
    assert outcome.is_reached
    assert away(solved[6, :3], target) < 1e-3
    others = [bone for bone in range(len(RIG)) if bone not in (4, 5, 6)]
    assert (solved[others] == standing[others]).all()
    out = np.empty_like(standing)
    assert arm.solve_pose(standing, target, out=out)[0] is out
    with pytest.raises(ik.RigError, match="not a descendant"):
        ik.Chain.of_bones(solver, 4, 9)
    with pytest.raises(ik.Error, match="first: is -1"):
        ik.Chain.of_bones(solver, -1, 9)


def test_mistakes_are_errors() -> None:
    chain, settings = ik.Chain.of_lengths([0.3, 0.3]), ik.ChainIkSettings()
    wrong: Any
    for wrong in ((1, 2), [], "abc"):
        with pytest.raises((ValueError, TypeError)):
            chain.solve(wrong)
    with pytest.raises(ik.SettingsError):
        chain.solve((math.nan, 0, 0))
    with pytest.raises(ValueError, match="the chain is free"):
        chain.solve_pose(RIG.reference, TARGET)
    with pytest.raises(ik.Error, match="bone: is 7"):
        chain.set_limit(7, "free")
    with pytest.raises(ValueError, match="kind: is 'slide'"):
        chain.set_limit(0, "slide")
    with pytest.raises(ik.SettingsError):
        chain.set_weight(0, 2)
    settings.tolerance = -1
    with pytest.raises(ik.SettingsError, match="tolerance"):
        chain.solve(TARGET, settings)
    for lengths in ([], [math.nan], [-1.0]):
        with pytest.raises(ik.Error):
            ik.Chain.of_lengths(lengths)
    with pytest.raises(ValueError, match="starts: has 1 joints, expected 2"):
        ik.Chain.of_positions(np.zeros((3, 3)), [0])
    with pytest.raises(ik.FileError):
        ik.Chain.of_file("nonsense")
