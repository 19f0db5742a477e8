"""Attribution, bug capsules, sweeps and sensitivities."""

import numpy as np
import pytest
from person import RIG

import kinescope_ik as ik

HAND = list(RIG.names).index("left hand")


@pytest.fixture
def stack(solver: ik.Solver, standing: ik.Array, reaching: ik.Settings) -> ik.Stack:
    """A stack that has solved a frame of a character that stands elsewhere."""
    stack = ik.Stack(solver)
    stack.settings = reaching
    stack.solve(standing, 1 / 60, root=(3, 0, 1, 0, 0.6, 0, 0.8))
    return stack


def test_a_displacement_is_divided_among_its_causes(solver: ik.Solver, standing: ik.Array, reaching: ik.Settings, stack: ik.Stack) -> None:
    solved = solver.solve(standing, reaching)
    for by in ik.GROUPINGS:
        table = stack.attribute(HAND, by)
        np.testing.assert_allclose(table.before, standing[HAND, :3], atol=1e-5)
        np.testing.assert_allclose(table.after, solved[HAND, :3], atol=1e-5)
        np.testing.assert_allclose(np.sum([row.sum for row in table.rows], axis=0), solved[HAND, :3] - standing[HAND, :3], atol=1e-5)
        assert abs(sum(row.along for row in table.rows) - np.linalg.norm(solved[HAND, :3] - standing[HAND, :3])) < 1e-5
        assert all(row.label and row.moves > 0 for row in table.rows)
    gap = stack.measures()["left_hand_gap"]
    target = reaching.effector("left_hand").position
    assert abs(gap - np.linalg.norm(solved[HAND, :3] - np.asarray(target))) < 1e-5
    with pytest.raises(ValueError, match="'luck' is not a known grouping"):
        stack.attribute(HAND, "luck")
    with pytest.raises(ik.Error, match="bone: is 99"):
        stack.attribute(99)
    with pytest.raises(ik.Error, match="must come first"):
        ik.Stack(solver).attribute(0)


def test_capsules_are_replayed_and_checked(solver: ik.Solver, standing: ik.Array, reaching: ik.Settings, stack: ik.Stack) -> None:
    made = ik.Capsule.of(stack, "the hand falls short", 0.5)
    made.add(stack, 0.75)
    capsule = ik.Capsule.from_json(made.to_json())
    assert capsule.name == "the hand falls short" and len(capsule) == 2
    np.testing.assert_allclose(capsule.animated(1), standing, atol=1e-5)
    np.testing.assert_allclose(capsule.replay(1), solver.solve(standing, reaching), atol=1e-4)
    assert capsule.check() == []
    [first, second] = ik.Capsule.from_json(made.to_json().replace('"iterations": 4', '"iterations": 1')).check()
    assert (first.frame, second.frame) == (0, 1) and 1e-4 < first.distance < 1 and first.point.startswith("full body, ")
    with pytest.raises(ik.Error, match="frame: is 2; the capsule has 2 frames"):
        capsule.replay(2)
    with pytest.raises(ik.FileError, match="format"):
        ik.Capsule.from_json("{}")


def test_capsules_with_grounding_need_their_ground(solver: ik.Solver, standing: ik.Array) -> None:
    preset = '{ "format": "kinescope-preset", "version": 1, "grounding": { "method": "predictive" } }'
    stack, ground = ik.Stack(solver, preset), ik.Level(0.1)
    for _ in range(30):
        solved = stack.solve(standing, 1 / 60, ground)
    capsule = ik.Capsule.of(stack, "on a step")
    assert capsule.check(ground) == []
    np.testing.assert_array_equal(capsule.replay(0, ground), solved)
    assert len(capsule.check()) == 1
    values = capsule.sweep("worst_gap", ik.Axis("grounding.predictive.max_step", values=3), ground=ground)
    assert values.shape == (3,) and np.isfinite(values).all()

    class Broken:
        def ray(self, origin: ik.Vec3, direction: ik.Vec3, distance: float) -> ik.Hit | None:
            raise KeyError("no physics")

    with pytest.raises(KeyError, match="no physics"):
        capsule.replay(0, Broken())


def test_parameters_are_swept(stack: ik.Stack) -> None:
    capsule = ik.Capsule.of(stack, "a reach")
    weight = "effectors.left_hand.position_weight"
    assert ik.parameter_range(weight) == (0, 1)
    curve = capsule.sweep("left_hand_gap", ik.Axis(weight, 0.25, values=4))
    assert curve.shape == (4,) and (np.diff(curve) < 0).all() and abs(curve[3] - stack.measures()["left_hand_gap"]) < 1e-5
    table = capsule.sweep("left_hand_gap", ik.Axis(weight, 0.25, 1, 4), ik.Axis("chains.left_arm.pull", values=3))
    assert table.shape == (3, 4) and (np.diff(table, axis=1) < 0).all()
    effects = {own.parameter: own for own in capsule.sensitivities("left_hand_gap")}
    assert effects[weight].value == 1 and effects[weight].down > 0 and effects[weight].up == 0
    with pytest.raises(ik.Error, match="measure: is \"tail_gap\"; the capsule has .*left_hand_gap"):
        capsule.sweep("tail_gap", ik.Axis(weight))
    with pytest.raises(ik.Error, match="chains.tail.pull"):
        ik.parameter_range("chains.tail.pull")
