"""Solves a lane with PlaCo: weighted tasks as a quadratic program. Its robots have no ball joints, so each bone has three
hinges. Their angles count from the reference pose, where they are far from gimbal lock."""

from __future__ import annotations

import tempfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

import lane
import numpy as np
import placo

ITERATIONS = 20
"""Steps of the quadratic program."""
POSTURE = 1e-4
"""Weight of the animated pose against the targets: of the joints' angles, and of the root."""


def urdf_of(rig: lane.Rig) -> str:
    """Returns the rig as a robot in URDF. Three links per bone hinge on x, y and z."""
    inertial = '<inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>'
    parts = ['<robot name="character">', f'<link name="joint0">{inertial}</link>']
    for index, joint in enumerate(rig.joints[1:], start=1):
        above = f"joint{joint.parent}"
        for number, axis in enumerate(lane.AXES):
            name = joint.name if axis == "z" else f"{joint.name}{axis}"
            offset = joint.offset if number == 0 else np.zeros(3)
            rest = lane.roll_pitch_yaw(joint.rest) if number == 0 else np.zeros(3)
            origin, turned = (" ".join(repr(float(value)) for value in values) for values in (offset, rest))
            direction = " ".join("1" if other == axis else "0" for other in lane.AXES)
            parts.append(
                f"<link name={quoteattr(name)}>{inertial}</link>"
                f'<joint name="hinge{index}{axis}" type="continuous"><parent link="{above}"/><child link="{name}"/>'
                f'<origin xyz="{origin}" rpy="{turned}"/><axis xyz="{direction}"/></joint>'
            )
            above = name
    return "".join([*parts, "</robot>"])


class PlacoLane:
    def __init__(self, rig: lane.Rig) -> None:
        self.rig = rig
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "robot.urdf"
            path.write_text(urdf_of(rig), encoding="utf-8")
            self.robot = placo.RobotWrapper(str(path), placo.Flags.ignore_collisions)

    def solve(self, frame: lane.Frame) -> list[lane.State]:
        root = np.eye(4)
        root[:3, :3], root[:3, 3] = lane.matrix(frame.start.rotations[0]), frame.start.root
        self.robot.set_T_world_fbase(root)
        start = {}
        for index, joint in enumerate(self.rig.joints[1:], start=1):
            turned = lane.multiply(lane.inverse(joint.rest), frame.start.rotations[index])
            for axis, angle in zip(lane.AXES, lane.angles_of(turned), strict=True):
                start[f"hinge{index}{axis}"] = angle
        for name, angle in start.items():
            self.robot.set_joint(name, angle)
        self.robot.update_kinematics()
        solver = placo.KinematicsSolver(self.robot)
        solver.enable_joint_limits(False)
        solver.enable_velocity_limits(False)
        solver.dt = 1.0
        paths = []
        for number, target in enumerate(frame.targets):
            place = np.array(self.robot.get_T_world_frame(f"joint{target.joint}"))
            task = solver.add_frame_task(f"joint{target.joint}", place)
            task.configure(f"target{number}", "soft", target.position_weight, target.rotation_weight)
            paths.append((task, place.copy(), target))
        stay = solver.add_frame_task("joint0", root)
        stay.configure("root", "soft", POSTURE, POSTURE)
        posture = solver.add_joints_task()
        posture.set_joints(start)
        posture.configure("posture", "soft", POSTURE)
        solver.add_regularization_task(1e-6)
        states = []
        for iteration in range(ITERATIONS):
            # One step to a far target would turn joints too far for the linearization.
            share = min(2.0 * (iteration + 1) / ITERATIONS, 1.0)
            for task, place, target in paths:
                goal = np.eye(4)
                goal[:3, 3] = place[:3, 3] + share * (target.position - place[:3, 3])
                goal[:3, :3] = lane.matrix(lane.blend(lane.quaternion(place[:3, :3]), target.rotation, share))
                task.T_world_frame = goal
            with lane.clock:
                solver.solve(True)
                self.robot.update_kinematics()
            states.append(self._state())
        return states

    def _state(self) -> lane.State:
        root = np.asarray(self.robot.get_T_world_fbase())
        rotations = [lane.quaternion(root[:3, :3])]
        for index, joint in enumerate(self.rig.joints[1:], start=1):
            x, y, z = (lane.turn(axis, self.robot.get_joint(f"hinge{index}{name}")) for axis, name in enumerate(lane.AXES))
            rotations.append(lane.multiply(joint.rest, lane.multiply(lane.multiply(x, y), z)))
        return lane.State(root[:3, 3].copy(), np.array(rotations))


if __name__ == "__main__":
    lane.run("placo", PlacoLane)
