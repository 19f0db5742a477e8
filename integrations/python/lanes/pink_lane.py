"""Solves a lane with Pink: differential inverse kinematics as a quadratic program, on Pinocchio."""

from __future__ import annotations

import lane
import numpy as np
import pinocchio as pin
import pink

ITERATIONS = 20
"""Steps of the quadratic program."""
POSTURE = 1e-2
"""Cost of leaving the animated pose. The solver's posture task has only the joints, so the root has a task of its own."""
LENGTH = 0.3
"""Metres of position error that cost as much as 1 rad of rotation error at the same weight."""


def model_of(rig: lane.Rig) -> pin.Model:
    """Returns the rig as a robot: a free pelvis, and a ball joint per bone."""
    model = pin.Model()
    numbers = [0]
    for joint in rig.joints:
        kind = pin.JointModelFreeFlyer() if joint.parent < 0 else pin.JointModelSpherical()
        # The free joint has the root's position itself.
        offset = np.zeros(3) if joint.parent < 0 else joint.offset
        place = pin.SE3(np.eye(3), offset)
        number = model.addJoint(numbers[joint.parent + 1], kind, place, f"{joint.name} joint")
        model.appendBodyToJoint(number, pin.Inertia(1.0, np.zeros(3), np.eye(3) * 0.01), pin.SE3.Identity())
        model.addBodyFrame(joint.name, number, pin.SE3.Identity(), 0)
        numbers.append(number)
    return model


class PinkLane:
    def __init__(self, rig: lane.Rig) -> None:
        self.model = model_of(rig)
        self.data = self.model.createData()

    def solve(self, frame: lane.Frame) -> list[lane.State]:
        start = np.concatenate([frame.start.root, frame.start.rotations.ravel()])
        configuration = pink.Configuration(self.model, self.data, start)
        posture = pink.tasks.PostureTask(cost=POSTURE)
        posture.set_target(start)
        root = pink.tasks.FrameTask("joint0", position_cost=POSTURE, orientation_cost=POSTURE)
        root.set_target_from_configuration(configuration)
        tasks: list[pink.tasks.Task] = [posture, root]
        for target in frame.targets:
            task = pink.tasks.FrameTask(
                f"joint{target.joint}",
                position_cost=target.position_weight,
                orientation_cost=target.rotation_weight * LENGTH,
            )
            task.set_target(pin.SE3(lane.matrix(target.rotation), target.position))
            tasks.append(task)
        states = []
        for _ in range(ITERATIONS):
            with lane.clock:
                velocity = pink.solve_ik(configuration, tasks, 1.0, "daqp", damping=1e-6, limits=[], safety_break=False)
                configuration.integrate_inplace(velocity, 1.0)
            q = configuration.q
            states.append(lane.State(q[:3].copy(), q[3:].reshape(-1, 4).copy()))
        return states


if __name__ == "__main__":
    lane.run("pink", PinkLane)
