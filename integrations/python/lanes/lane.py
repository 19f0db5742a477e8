"""What all adapters share: the connection, the rig as a tree of ball joints, and the targets of a frame.

An adapter has a class with two methods. ``__init__(rig)`` makes the solver's robot from the rig. ``solve(frame)`` returns joint
states, one per iteration or the result alone; the last is the result. :func:`run` connects it to a window that listens.
"""

from __future__ import annotations

import argparse
import json
import socket
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

PORT = 7468
"""The port on which a window listens."""

BEND = 0.1
"""Position weight of elbows and knees that have a bend goal, per weight of the goal. It is small, so that the end still reaches."""

LEAST_CHANGE = 1e-5
"""Smaller changes of a joint's offset are rounding; metres."""

AXES = "xyz"
"""The axes of hinges, for solvers without ball joints."""

ROLES = [
    "pelvis", "head", "left_clavicle", "left_upper_arm", "left_forearm", "left_hand", "right_clavicle", "right_upper_arm",
    "right_forearm", "right_hand", "left_thigh", "left_calf", "left_foot", "right_thigh", "right_calf", "right_foot",
]  # fmt: skip
"""The roles, beside the spine, whose bones become joints."""


def cross(u: Array, v: Array) -> Array:
    """Returns the cross product of two vectors. `numpy.cross` takes ten times as long for two vectors alone."""
    (a, b, c), (x, y, z) = u.tolist(), v.tolist()
    return np.array([b * z - c * y, c * x - a * z, a * y - b * x])


def multiply(a: Array, b: Array) -> Array:
    """Returns the product of two quaternions ``[x, y, z, w]``."""
    u, v = a[:3], b[:3]
    return np.append(a[3] * v + b[3] * u + cross(u, v), a[3] * b[3] - u @ v)


def blend(a: Array, b: Array, share: float) -> Array:
    """Returns the rotation on the way from ``a`` to ``b``, normalized from the linear blend."""
    q = (1.0 - share) * a + share * b * (1.0 if a @ b >= 0.0 else -1.0)
    return np.asarray(q / np.linalg.norm(q))


def inverse(a: Array) -> Array:
    return np.asarray(a * np.array([-1.0, -1.0, -1.0, 1.0]))


def rotate(a: Array, v: Array) -> Array:
    t = 2.0 * cross(a[:3], v)
    return np.asarray(v + a[3] * t + cross(a[:3], t))


def matrix(a: Array) -> Array:
    """Returns the rotation matrix of a quaternion."""
    return np.stack([rotate(a, axis) for axis in np.eye(3)], axis=1)


def quaternion(m: Array) -> Array:
    """Returns the quaternion of a rotation matrix."""
    # The largest of the four squares keeps the division away from zero.
    squares = np.array([m[0, 0] - m[1, 1] - m[2, 2], m[1, 1] - m[0, 0] - m[2, 2], m[2, 2] - m[0, 0] - m[1, 1], np.trace(m)])
    largest = int(np.argmax(squares))
    if largest == 3:
        q = np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], 1.0 + squares[3]])
    else:
        i, j, k = largest, (largest + 1) % 3, (largest + 2) % 3
        q = np.empty(4)
        q[i], q[j], q[k], q[3] = 1.0 + squares[i], m[j, i] + m[i, j], m[k, i] + m[i, k], m[k, j] - m[j, k]
    return np.asarray(q / np.linalg.norm(q))


def turn(axis: int, angle: float) -> Array:
    """Returns the rotation about the axis x, y or z with this number."""
    q = np.zeros(4)
    q[axis], q[3] = np.sin(angle / 2), np.cos(angle / 2)
    return q


def angles_of(q: Array) -> list[float]:
    """Returns the angles about x, y and z, in this order, that together are the rotation."""
    m = matrix(q)
    middle = np.arcsin(np.clip(m[0, 2], -1.0, 1.0))
    return [float(np.arctan2(-m[1, 2], m[2, 2])), float(middle), float(np.arctan2(-m[0, 1], m[0, 0]))]


def roll_pitch_yaw(q: Array) -> Array:
    """Returns the angles of a rotation as URDF has them: about the fixed axes x, y and z, in this order."""
    m = matrix(q)
    pitch = np.arcsin(np.clip(-m[2, 0], -1.0, 1.0))
    if abs(m[2, 0]) > 1.0 - 1e-9:
        # The first and the last axis coincide.
        return np.array([0.0, pitch, np.arctan2(-m[0, 1], m[1, 1])])
    return np.array([np.arctan2(m[2, 1], m[2, 2]), pitch, np.arctan2(m[1, 0], m[0, 0])])


@dataclass
class Joint:
    """A joint of the tree: a bone and its place relative to the parent joint in the reference pose."""

    name: str
    bone: int
    parent: int
    """The index of the parent joint; -1 for the root, which moves freely."""
    offset: Array
    """Metres, in the parent joint's axes; for the root in model space."""
    rest: Array
    """The rotation in the reference pose, relative to the parent joint; for the root in model space."""


@dataclass
class Target:
    """A target; metres, model space."""

    joint: int
    position: Array
    rotation: Array
    position_weight: float
    rotation_weight: float
    bend_goal: Array | None
    bend_weight: float
    is_bend: bool = False
    """Whether this is the place of an elbow or knee that turns to a bend goal; see :meth:`Rig.bend`."""


@dataclass
class State:
    """The pose of the tree: the root's position in metres, and the rotation of each joint relative to its parent joint."""

    root: Array
    rotations: Array


@dataclass
class Frame:
    start: State
    """The animated pose."""
    targets: list[Target]


class Rig:
    """The character as a tree of ball joints. Bones that are no joints, such as fingers, follow their parents."""

    def __init__(self, character: dict[str, Any]) -> None:
        bones = character["rig"]["bones"]
        roles = character.get("biped") or character["rig"]["biped"]
        self.name: str = character["name"]
        self.parents: list[int] = [bone["parent"] for bone in bones]
        self.metres: float = character.get("metres_per_unit", 1.0)
        self.reference: Array = np.array([bone["reference"] for bone in bones], dtype=float)
        pelvis: int = roles["pelvis"]
        wanted = {roles.get(role) for role in ROLES} | set(roles["spine"])
        self.joints: list[Joint] = []
        self.of_bone: dict[int, int] = {}
        # Parents come before their children.
        for bone in sorted(bone for bone in wanted if bone is not None):
            if bone != pelvis and not self._is_below(bone, pelvis):
                continue
            parent = -1 if bone == pelvis else self._parent_joint(bone)
            offset, rest = self.reference[bone, :3] * self.metres, self.reference[bone, 3:]
            if parent >= 0:
                above = self.reference[self.joints[parent].bone]
                offset = rotate(inverse(above[3:]), offset - above[:3] * self.metres)
                rest = multiply(inverse(above[3:]), rest)
            self.of_bone[bone] = len(self.joints)
            self.joints.append(Joint(f"joint{len(self.joints)}", bone, parent, offset, rest))

    def _is_below(self, bone: int, above: int) -> bool:
        while bone >= 0 and bone != above:
            bone = self.parents[bone]
        return bone == above

    def _parent_joint(self, bone: int) -> int:
        while (bone := self.parents[bone]) not in self.of_bone:
            pass
        return self.of_bone[bone]

    def places(self, state: State) -> tuple[Array, Array]:
        """Returns positions (metres) and rotations of all joints in model space."""
        positions, rotations = np.empty((len(self.joints), 3)), np.empty((len(self.joints), 4))
        for index, joint in enumerate(self.joints):
            if joint.parent < 0:
                positions[index], rotations[index] = state.root, state.rotations[index]
            else:
                above = rotations[joint.parent]
                positions[index] = positions[joint.parent] + rotate(above, joint.offset)
                rotations[index] = multiply(above, state.rotations[index])
        return positions, rotations

    def fit(self, line: dict[str, Any]) -> bool:
        """Takes the joints' offsets from the pose of a frame's line. Returns whether one changed: then the solver's robot has
        to be made again. Offsets change if an animated bone is between two joints, as in a leg of four bones."""
        pose, is_changed = np.array(line["pose"], dtype=float), False
        for joint in self.joints[1:]:
            above = pose[self.joints[joint.parent].bone]
            offset = rotate(inverse(above[3:]), (pose[joint.bone, :3] - above[:3]) * self.metres)
            if np.abs(offset - joint.offset).max() > LEAST_CHANGE:
                joint.offset, is_changed = offset, True
        return is_changed

    def frame(self, line: dict[str, Any]) -> Frame:
        """Reads the line of a frame."""
        pose = np.array(line["pose"], dtype=float)
        rotations = np.empty((len(self.joints), 4))
        for index, joint in enumerate(self.joints):
            own = pose[joint.bone, 3:]
            above = np.array([0.0, 0.0, 0.0, 1.0]) if joint.parent < 0 else pose[self.joints[joint.parent].bone, 3:]
            rotations[index] = multiply(inverse(above), own)
        targets = []
        for own in line["targets"]:
            if own["bone"] not in self.of_bone:
                continue
            goal = own.get("bend_goal")
            targets.append(
                Target(
                    self.of_bone[own["bone"]],
                    np.array(own["position"]) * self.metres,
                    np.array(own["rotation"]),
                    own["position_weight"],
                    own["rotation_weight"],
                    None if goal is None else np.array(goal) * self.metres,
                    own["bend_weight"],
                )
            )
        start = State(pose[self.joints[0].bone, :3] * self.metres, rotations)
        bends = [self.bend(start, target) for target in targets]
        return Frame(start, targets + [bend for bend in bends if bend is not None])

    def bend(self, start: State, target: Target) -> Target | None:
        """Returns a weak target for the elbow or knee of a limb with a bend goal: where it is when the end is at its target and
        the limb turns to the goal. For solvers that have no bend goals."""
        middle = self.joints[target.joint].parent
        first = self.joints[middle].parent if middle > 0 else -1
        if first <= 0 or target.bend_goal is None or target.bend_weight <= 0.0:
            return None
        positions, rotations = self.places(start)
        end = positions[target.joint] + target.position_weight * (target.position - positions[target.joint])
        upper, lower = (float(np.linalg.norm(self.joints[joint].offset)) for joint in (middle, target.joint))
        along = end - positions[first]
        distance = float(np.linalg.norm(along))
        if distance < 1e-6:
            return None
        along /= distance
        side = target.bend_goal - positions[first]
        side -= along * (side @ along)
        length = float(np.linalg.norm(side))
        if length < 1e-6:
            return None
        reached = min(distance, upper + lower)
        share = np.clip((upper**2 + reached**2 - lower**2) / (2.0 * reached), -upper, upper)
        place = positions[first] + along * share + side / length * np.sqrt(upper**2 - share**2)
        weight = BEND * target.bend_weight
        return Target(middle, place, rotations[middle], weight, 0.0, None, 0.0, is_bend=True)

    def pose(self, line: dict[str, Any], state: State) -> list[list[float]]:
        """Returns the pose of all bones. Bones keep the offsets that they have in the line's pose."""
        animated = np.array(line["pose"], dtype=float)
        turned = self.places(state)[1]
        pose = animated.copy()
        for bone, parent in enumerate(self.parents):
            joint = self.of_bone.get(bone)
            if joint == 0:
                pose[bone, :3] = state.root / self.metres
            elif parent >= 0:
                to_parent = inverse(animated[parent, 3:])
                offset = rotate(to_parent, animated[bone, :3] - animated[parent, :3])
                pose[bone, :3] = pose[parent, :3] + rotate(pose[parent, 3:], offset)
                pose[bone, 3:] = multiply(pose[parent, 3:], multiply(to_parent, animated[bone, 3:]))
            if joint is not None:
                pose[bone, 3:] = turned[joint]
        pose[:, 3:] /= np.linalg.norm(pose[:, 3:], axis=1, keepdims=True)
        return [[float(number) for number in bone] for bone in pose]


class Clock:
    """Adds up the time that a solver takes, without the conversion of poses. Adapters call their solver in ``with clock``."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __enter__(self) -> None:
        self.start = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.perf_counter() - self.start


clock = Clock()


class Solver(Protocol):
    def solve(self, frame: Frame) -> list[State]:
        """Returns the state after each iteration, the last one being the result; at least one."""


def answer(rig: Rig, solver: Solver, line: dict[str, Any], has_iterations: bool = True) -> dict[str, Any]:
    """Solves the line of a frame, and returns the answer, with the poses after each iteration or with the result alone."""
    frame = rig.frame(line)
    clock.seconds = 0.0
    try:
        states = solver.solve(frame)
    except (ArithmeticError, RuntimeError, ValueError, np.linalg.LinAlgError) as error:
        return {"frame": line["frame"], "error": str(error) or type(error).__name__}
    # JSON has no numbers that are not finite.
    if not all(np.isfinite(state.root).all() and np.isfinite(state.rotations).all() for state in states):
        return {"frame": line["frame"], "error": "the result is not finite"}
    if not has_iterations:
        return {"frame": line["frame"], "pose": rig.pose(line, states[-1]), "us": clock.seconds * 1e6}
    poses = [rig.pose(line, state) for state in states]
    return {"frame": line["frame"], "pose": poses[-1], "iterations": poses, "us": clock.seconds * 1e6}


def serve(name: str, make: Callable[[Rig], Solver], connection: socket.socket) -> None:
    """Answers the frames of a window until it closes the connection."""
    # A file for both directions would drop lines that it has read ahead when it writes.
    with connection, connection.makefile(encoding="utf-8") as lines:

        def send(line: dict[str, Any]) -> None:
            connection.sendall((json.dumps(line) + "\n").encode())

        send({"format": "kinescope-solver", "version": 1, "name": name})
        known: tuple[Rig, Solver] | None = None
        for line in map(json.loads, lines):
            if "error" in line:
                print(f"{name}: refused: {line['error']}", file=sys.stderr)
            elif "character" in line:
                rig = Rig(line["character"])
                known = rig, make(rig)
                print(f"{name}: solving {rig.name}, {len(rig.joints)} joints", file=sys.stderr)
            elif "targets" in line and known is not None:
                rig = known[0]
                if rig.fit(line):
                    known = rig, make(rig)
                send(answer(*known, line))


def run(name: str, make: Callable[[Rig], Solver], arguments: Iterable[str] | None = None) -> None:
    """Connects to the window at the address on the command line, by default on this machine."""
    parser = argparse.ArgumentParser(description=f"Solves a lane of Kinescope's full-body lab with {name}.")
    parser.add_argument("address", nargs="?", default=f"127.0.0.1:{PORT}", help="host and port of the window")
    parser.add_argument("--name", default=name, help="name of the lane")
    options = parser.parse_args(None if arguments is None else list(arguments))
    host, _, port = options.address.rpartition(":")
    try:
        connection = socket.create_connection((host, int(port)))
    except (OSError, ValueError) as error:
        sys.exit(f"{options.address}: {error}. Start the window first: kinescope --listen")
    try:
        serve(options.name, make, connection)
    except ConnectionError as error:
        sys.exit(f"{options.address}: {error}")
