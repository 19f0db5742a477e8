"""Solves a lane with Momentum: damped Gauss–Newton on the Euler angles of all joints, in C++. Its package for PyPI,
pymomentum-core, needs Python 3.12 or later."""

from __future__ import annotations

import lane
import numpy as np
import pymomentum.geometry as geometry
import pymomentum.solver2 as solver2

ITERATIONS = 20
"""Gauss–Newton iterations."""
STEPPED = True
"""Whether every iteration is a call of its own, so that the lane can be stepped. One call is faster."""
POSTURE = 1e-3
"""Weight of the animated pose against the targets."""
CENTIMETRES = 100.0
"""Momentum's weights are made for lengths in centimetres."""
PARAMETERS = 7
"""Numbers of a joint in Momentum: translation, Euler angles about x, y and z, and scale."""


def character_of(rig: lane.Rig) -> geometry.Character:
    """Returns the rig as a character: a pelvis that moves freely, and three angles per joint."""
    joints = []
    for joint in rig.joints:
        # The parameters of the root are its whole place.
        offset = np.zeros(3) if joint.parent < 0 else joint.offset * CENTIMETRES
        joints.append(geometry.Joint(joint.name, joint.parent, joint.rest.astype(np.float32), offset.astype(np.float32)))
    skeleton = geometry.Skeleton(joints)
    names, rows = [f"root {axis}" for axis in lane.AXES], [0, 1, 2]
    for index, joint in enumerate(rig.joints):
        names += [f"{joint.name} {axis}" for axis in lane.AXES]
        rows += [index * PARAMETERS + 3 + axis for axis in range(3)]
    transform = np.zeros((PARAMETERS * len(joints), len(names)), dtype=np.float32)
    transform[rows, range(len(names))] = 1.0
    return geometry.Character(rig.name, skeleton, geometry.ParameterTransform(names, skeleton, transform))


class MomentumLane:
    def __init__(self, rig: lane.Rig) -> None:
        self.rig = rig
        self.character = character_of(rig)
        self.position = solver2.PositionErrorFunction(self.character)
        self.orientation = solver2.OrientationErrorFunction(self.character)
        self.posture = solver2.ModelParametersErrorFunction(self.character, weight=POSTURE)
        functions = [self.position, self.orientation, self.posture]
        self.function = solver2.SkeletonSolverFunction(self.character, functions)

    def solve(self, frame: lane.Frame) -> list[lane.State]:
        parameters = self._parameters(frame.start)
        self.posture.set_target_parameters(parameters)
        self.position.clear_constraints()
        self.orientation.clear_constraints()
        for target in frame.targets:
            if target.position_weight > 0.0:
                place = (target.position * CENTIMETRES).astype(np.float32)
                self.position.add_constraint(parent=target.joint, target=place, weight=target.position_weight**2)
            if target.rotation_weight > 0.0:
                turn = target.rotation.astype(np.float32)
                self.orientation.add_constraint(parent=target.joint, target=turn, weight=target.rotation_weight**2)
        calls = [1] * ITERATIONS if STEPPED else [ITERATIONS]
        states = []
        for iterations in calls:
            options = solver2.GaussNewtonSolverOptions()
            options.min_iterations = options.max_iterations = iterations
            # Without the line search, far targets make full steps overshoot.
            options.do_line_search = True
            solver = solver2.GaussNewtonSolver(self.function, options)
            with lane.clock:
                parameters = solver.solve(parameters)
            states.append(self._state(parameters))
        return states

    def _parameters(self, state: lane.State) -> lane.Array:
        angles = [
            lane.roll_pitch_yaw(lane.multiply(lane.inverse(joint.rest), turned))
            for joint, turned in zip(self.rig.joints, state.rotations, strict=True)
        ]
        parameters: lane.Array = np.concatenate([state.root * CENTIMETRES, *angles]).astype(np.float32)
        return parameters

    def _state(self, parameters: lane.Array) -> lane.State:
        rotations = []
        for joint, (x, y, z) in zip(self.rig.joints, parameters[3:].reshape(-1, 3), strict=True):
            turned = lane.multiply(lane.turn(2, z), lane.multiply(lane.turn(1, y), lane.turn(0, x)))
            rotations.append(lane.multiply(joint.rest, turned))
        return lane.State(parameters[:3].astype(float) / CENTIMETRES, np.array(rotations))


if __name__ == "__main__":
    lane.run("momentum", MomentumLane)
