"""All layers in one call, and retargeting."""

import numpy as np
import pytest
from person import BONES, RIG

import kinescope_ik as ik

PRESET = """{ "format": "kinescope-preset", "version": 1,
    "grounding": { "method": "predictive", "predictive": { "foot_radius": 0.075 } },
    "modifiers": [ { "recoil": { "kick": 0.1 } } ], "stack": { "retarget": { "on": true } } }"""


def smaller() -> ik.Solver:
    """A character of half the size, whose bones have other names."""
    names = [own[0].replace("left ", "L_").replace("right ", "R_") for own in BONES]
    parents = [own[1] for own in BONES]
    return ik.Solver(ik.Rig(names, parents, ik.make_pose([np.asarray(own[2]) / 2 for own in BONES])))


def test_a_stack_solves_as_its_parts(solver: ik.Solver, standing: ik.Array, reaching: ik.Settings) -> None:
    stack = ik.Stack(solver)
    stack.settings = reaching
    assert stack.settings == reaching
    solved = stack.solve(standing, 1 / 60)
    np.testing.assert_allclose(solved, solver.solve(standing, reaching), atol=1e-5)
    assert stack.output is None
    # In place, without a copy.
    pose = standing.copy()
    assert stack.solve(pose, 1 / 60, out=pose) is pose
    np.testing.assert_array_equal(pose, solved)


def test_layers_of_a_preset_act(solver: ik.Solver, standing: ik.Array) -> None:
    stack = ik.Stack(solver, PRESET)
    assert '"recoil"' in stack.to_preset()
    for _ in range(60):
        solved = stack.solve(standing, 1 / 60, ik.Level(0.1), root=(3, 0.1, 0, 0, 0, 0, 1))
    np.testing.assert_allclose(solved, standing, atol=2e-3)
    output = stack.output
    assert output is not None and output["legs"].shape == (1, 2)
    assert stack.trigger(0)
    for _ in range(3):
        shot = stack.solve(standing, 1 / 60, ik.Level(0.1), root=(3, 0.1, 0, 0, 0, 0, 1))
    assert np.abs(shot - solved).max() > 0.01
    assert not stack.strike((0, 1.3, 0), (0, 0, 1), 1)
    stack.reset()
    assert stack.output is None
    with pytest.raises(ik.Error, match="index: is 7"):
        stack.trigger(7)
    with pytest.raises(ik.FileError, match="gro"):
        stack.load_preset(PRESET.replace("method", "methods"))


def test_exceptions_of_the_ground_are_raised(solver: ik.Solver, standing: ik.Array) -> None:
    class Broken:
        def ray(self, origin: ik.Vec3, direction: ik.Vec3, distance: float) -> ik.Hit | None:
            raise KeyError("no physics")

    with pytest.raises(KeyError, match="no physics"):
        ik.Stack(solver, PRESET).solve(standing, 1 / 60, Broken())


def test_a_character_moves_by_the_poses_of_another(solver: ik.Solver, standing: ik.Array) -> None:
    source = smaller()
    retargeter = ik.Retargeter(source, solver)
    assert retargeter.scale == pytest.approx(2, abs=1e-3)
    pose = source.rig.reference.copy()
    pose[:, 2] += 0.25
    moved = retargeter.retarget(pose)
    np.testing.assert_allclose(moved[0, :3], standing[0, :3] + (0, 0, 0.5), atol=1e-3)
    out = np.empty_like(moved)
    assert retargeter.retarget(pose, path=0, out=out) is out
    np.testing.assert_allclose(out, standing, atol=1e-3)
    with pytest.raises(ValueError, match="pose: has the shape"):
        retargeter.retarget(pose[:3])

    stack = ik.Stack(solver, PRESET.replace("predictive", "foot_ik", 1).replace('"predictive": { "foot_radius": 0.075 }', '"foot_ik": {}'))
    stack.set_source(retargeter, pose)
    np.testing.assert_allclose(stack.solve(standing, 1 / 60)[0, :3], moved[0, :3], atol=1e-3)
    stack.set_source(None)
    np.testing.assert_allclose(stack.solve(standing, 1 / 60)[0, :3], standing[0, :3], atol=1e-3)
    assert len(RIG) == len(source.rig)


def test_parameters_are_set_by_their_paths(solver: ik.Solver) -> None:
    stack = ik.Stack(solver, '{ "format": "kinescope-preset", "version": 1, "modifiers": [ { "recoil": {} } ] }')
    before = stack.parameters()
    assert len(before) > 50 and "modifiers[0].recoil.weight" in before
    stack.set_parameter("chains.left_arm.pull", 0.25)
    assert {path for path, value in stack.parameters().items() if value != before[path]} == {"chains.left_arm.pull"}
    assert stack.settings.chain("left_arm").pull == 0.25
    with pytest.raises(ik.SettingsError, match="it must be from 0 to 1"):
        stack.set_parameter("chains.left_arm.pull", 2)
    with pytest.raises(ik.Error, match="the stack has no such part"):
        stack.set_parameter("modifiers[1].recoil.weight", 1)
