"""Solves a lane with mink: differential inverse kinematics as a quadratic program, on MuJoCo."""

from __future__ import annotations

import lane
import mink
import mujoco
import numpy as np

ITERATIONS = 20
"""Steps of the quadratic program."""
POSTURE = 1e-2
"""Cost of leaving the animated pose. The solver's posture task has only the joints, so the root has a task of its own."""
LENGTH = 0.3
"""Metres of position error that cost as much as 1 rad of rotation error at the same weight."""


def model_of(rig: lane.Rig) -> mujoco.MjModel:
    """Returns the rig as a robot: a free pelvis, and a ball joint per bone."""
    spec = mujoco.MjSpec()
    spec.option.gravity = [0.0, 0.0, 0.0]
    bodies = [spec.worldbody]
    for joint in rig.joints:
        body = bodies[joint.parent + 1].add_body(name=joint.name, pos=joint.offset)
        kind = mujoco.mjtJoint.mjJNT_FREE if joint.parent < 0 else mujoco.mjtJoint.mjJNT_BALL
        body.add_joint(type=kind)
        body.mass, body.inertia, body.explicitinertial = 1.0, [0.01, 0.01, 0.01], True
        bodies.append(body)
    return spec.compile()


class MinkLane:
    def __init__(self, rig: lane.Rig) -> None:
        self.configuration = mink.Configuration(model_of(rig))
        self.posture = mink.PostureTask(self.configuration.model, cost=POSTURE)

    def solve(self, frame: lane.Frame) -> list[lane.State]:
        w_first = np.roll(frame.start.rotations, 1, axis=1)
        self.configuration.update(np.concatenate([frame.start.root, w_first.ravel()]))
        self.posture.set_target_from_configuration(self.configuration)
        root = mink.FrameTask("joint0", "body", position_cost=POSTURE, orientation_cost=POSTURE)
        root.set_target_from_configuration(self.configuration)
        tasks: list[mink.Task] = [self.posture, root]
        for target in frame.targets:
            costs = {"position_cost": target.position_weight, "orientation_cost": target.rotation_weight * LENGTH}
            task = mink.FrameTask(f"joint{target.joint}", "body", **costs)
            wxyz = np.roll(target.rotation, 1)
            task.set_target(mink.SE3(wxyz_xyz=np.concatenate([wxyz, target.position])))
            tasks.append(task)
        states = []
        for _ in range(ITERATIONS):
            with lane.clock:
                velocity = mink.solve_ik(self.configuration, tasks, 1.0, "daqp", damping=1e-6, limits=[])
                self.configuration.integrate_inplace(velocity, 1.0)
            q = self.configuration.q
            states.append(lane.State(q[:3].copy(), np.roll(q[3:].reshape(-1, 4), -1, axis=1).copy()))
        return states


if __name__ == "__main__":
    lane.run("mink", MinkLane)
