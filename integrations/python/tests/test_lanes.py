"""The adapters of outside solvers: the code that they share, and each adapter whose package is installed, also against a window
that the test plays."""

import importlib
import json
import socket
import threading
from pathlib import Path
from typing import Any

import lane
import numpy as np
import pytest
from person import STANDING

import kinescope_ik as ik

ADAPTERS = {"mink": "MinkLane", "pink": "PinkLane", "placo": "PlacoLane", "ikpy": "IkpyLane", "momentum": "MomentumLane"}
PACKAGES = {"momentum": "pymomentum"}
"""Packages that are not named as their adapters."""
HAND, FOOT = 6, 12


@pytest.fixture
def character(solver: ik.Solver, tmp_path: Path) -> dict[str, Any]:
    """The person, as the window sends it, with a finger that is no joint."""
    path = tmp_path / "person.jsonl"
    with ik.Recorder(ik.Game("a test", {"person": solver}), path):
        pass
    own: dict[str, Any] = json.loads(path.read_text("utf-8").splitlines()[0])["characters"][0]
    own["rig"]["bones"].append({"name": "finger", "parent": HAND, "reference": [0.75, 1.41, 0.05, 0, 0, 0, 1]})
    return own


def frame(bones: int, scale: float = 1.0) -> dict[str, Any]:
    """A frame in which the left hand has a target in front of the chest, and the left foot stays."""
    pose = np.zeros((bones, 7))
    pose[:, 6] = 1.0
    pose[: len(STANDING), :3] = STANDING[:, :3]
    pose[bones - 1, :3] = [0.75, 1.41, 0.05]
    pose[:, :3] *= scale
    weights = {"position_weight": 1.0, "rotation_weight": 0.0, "bend_weight": 0.0}
    places = {HAND: np.array([0.3, 1.4, 0.4]) * scale, FOOT: pose[FOOT, :3]}
    targets = [
        {"effector": "hand", "bone": bone, "position": list(place), "rotation": [0, 0, 0, 1], **weights}
        for bone, place in places.items()
    ]
    return {"frame": 7, "pose": pose.tolist(), "targets": targets}


def test_a_pose_becomes_the_same_pose(character: dict[str, Any]) -> None:
    rig = lane.Rig(character)
    line = frame(17)
    rng = np.random.default_rng(1)
    for bone in line["pose"]:
        q = rng.normal(size=4)
        bone[3:] = list(q / np.linalg.norm(q))
    own = rig.frame(line)
    assert len(rig.joints) == 16 and rig.joints[0].parent == -1
    # The same rotation may have the opposite sign.
    again = np.array(rig.pose(line, own.start))
    given = np.array(line["pose"])
    np.testing.assert_allclose(again[:, :3], given[:, :3], atol=1e-9)
    np.testing.assert_allclose(np.abs(np.sum(again[:, 3:] * given[:, 3:], axis=1)), 1.0, atol=1e-9)


def test_a_bone_between_two_joints_changes_the_offset(character: dict[str, Any]) -> None:
    toes = len(character["rig"]["bones"])
    character["rig"]["bones"].append({"name": "toes", "parent": FOOT, "reference": [0.11, 0.02, 0.1, 0, 0, 0, 1]})
    (character.get("biped") or character["rig"]["biped"])["left_foot"] = toes
    rig = lane.Rig(character)
    line = frame(18)
    line["pose"][toes - 1][:3] = [0.75, 1.41, 0.05]
    line["pose"][toes][:3] = [0.11, 0.03, -0.14]
    assert rig.fit(line) and not rig.fit(line)
    positions, _ = rig.places(rig.frame(line).start)
    for joint, place in zip(rig.joints, positions, strict=True):
        np.testing.assert_allclose(place, line["pose"][joint.bone][:3], atol=1e-6)


def test_a_bend_goal_becomes_a_place_of_the_elbow(character: dict[str, Any]) -> None:
    rig = lane.Rig(character)
    line = frame(17)
    goal = [0.3, 3.0, 0.2]
    line["targets"][0] |= {"bend_goal": goal, "bend_weight": 0.5}
    own = rig.frame(line)
    assert len(own.targets) == 3 and own.targets[2].is_bend
    elbow, hand = own.targets[2], own.targets[0]
    positions, _ = rig.places(own.start)
    shoulder = positions[rig.joints[elbow.joint].parent]
    assert elbow.position_weight == pytest.approx(0.5 * lane.BEND)
    for joint, ends in ((elbow.joint, (shoulder, elbow.position)), (hand.joint, (elbow.position, hand.position))):
        assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(np.linalg.norm(rig.joints[joint].offset))
    # The elbow is on the goal's side of the line from the shoulder to the hand.
    along = (hand.position - shoulder) / np.linalg.norm(hand.position - shoulder)
    sides = [place - shoulder - along * ((place - shoulder) @ along) for place in (elbow.position, np.array(goal))]
    assert sides[0] @ sides[1] == pytest.approx(np.linalg.norm(sides[0]) * np.linalg.norm(sides[1]))


@pytest.mark.parametrize("name", ["mink", "pink", "placo", "momentum"])
def test_a_bend_goal_turns_the_elbow(name: str, character: dict[str, Any]) -> None:
    pytest.importorskip(PACKAGES.get(name, name), reason=f"the package of {name}_lane.py is not installed")
    rig = lane.Rig(character)
    solver: lane.Solver = getattr(importlib.import_module(f"{name}_lane"), ADAPTERS[name])(rig)
    heights = []
    for height in (3.0, -1.0):
        line = frame(17)
        line["targets"][0] |= {"bend_goal": [0.3, height, 0.2], "bend_weight": 1.0}
        answer = lane.answer(rig, solver, line)
        assert "error" not in answer, answer
        heights.append(answer["pose"][rig.parents[HAND]][1])
        assert np.linalg.norm(np.array(answer["pose"][HAND][:3]) - line["targets"][0]["position"]) < 0.01
    assert heights[0] > heights[1] + 0.1, heights


def test_rotations_convert_there_and_back() -> None:
    rng = np.random.default_rng(2)
    for q in rng.normal(size=(100, 4)):
        q /= np.linalg.norm(q)
        assert abs(lane.quaternion(lane.matrix(q)) @ q) == pytest.approx(1.0)
        x, y, z = (lane.turn(axis, angle) for axis, angle in enumerate(lane.angles_of(q)))
        assert abs(lane.multiply(lane.multiply(x, y), z) @ q) == pytest.approx(1.0)


class Shift:
    """A solver that moves the root, and fails once."""

    def __init__(self, rig: lane.Rig) -> None:
        self.fails = True

    def solve(self, own: lane.Frame) -> list[lane.State]:
        if self.fails:
            self.fails = False
            raise ValueError("no solution")
        with lane.clock:
            return [lane.State(own.start.root + [0.0, 0.1 * step, 0.0], own.start.rotations) for step in (1, 2)]


class Lost:
    """A solver whose result is not finite."""

    def solve(self, own: lane.Frame) -> list[lane.State]:
        return [lane.State(own.start.root * np.nan, own.start.rotations)]


def test_a_result_that_is_not_finite_is_an_error(character: dict[str, Any]) -> None:
    answer = lane.answer(lane.Rig(character), Lost(), frame(17))
    assert answer == {"frame": 7, "error": "the result is not finite"}


def test_the_connection_answers_every_frame(character: dict[str, Any]) -> None:
    ours, theirs = socket.socketpair()
    thread = threading.Thread(target=lane.serve, args=("shift", Shift, theirs))
    thread.start()
    with ours, ours.makefile(encoding="utf-8") as lines:
        assert json.loads(lines.readline()) == {"format": "kinescope-solver", "version": 1, "name": "shift"}
        own = frame(17)
        sent = [{"kinescope": 1}, {"character": character}, own, {**own, "frame": 8}]
        ours.sendall("".join(json.dumps(line) + "\n" for line in sent).encode())
        assert json.loads(lines.readline()) == {"frame": 7, "error": "no solution"}
        answer = json.loads(lines.readline())
        ours.shutdown(socket.SHUT_RDWR)
    thread.join()
    assert answer["frame"] == 8 and answer["us"] >= 0.0
    pose, first = np.array(answer["pose"]), np.array(answer["iterations"][0])
    # All bones move with the root, the finger too.
    np.testing.assert_allclose(pose[:, 1] - np.array(own["pose"])[:, 1], 0.2, atol=1e-9)
    np.testing.assert_allclose(first[:, 1] - np.array(own["pose"])[:, 1], 0.1, atol=1e-9)
    assert answer["iterations"][1] == answer["pose"]


@pytest.mark.parametrize("name", ADAPTERS)
@pytest.mark.parametrize("metres", [1.0, 0.01])
def test_an_adapter_reaches_the_target(name: str, metres: float, character: dict[str, Any]) -> None:
    pytest.importorskip(PACKAGES.get(name, name), reason=f"the package of {name}_lane.py is not installed")
    adapter = importlib.import_module(f"{name}_lane")
    scale = 1.0 / metres
    line = frame(17, scale)
    # Every bone has axes of its own.
    rng = np.random.default_rng(3)
    for bone, posed in zip(character["rig"]["bones"], line["pose"], strict=True):
        q = rng.normal(size=4)
        posed[3:] = list(q / np.linalg.norm(q))
        bone["reference"] = [*(value * scale for value in bone["reference"][:3]), *posed[3:]]
    rig = lane.Rig({**character, "metres_per_unit": metres})
    solver: lane.Solver = getattr(adapter, ADAPTERS[name])(rig)
    for _ in range(2):
        answer = lane.answer(rig, solver, line)
        assert "error" not in answer, answer
    pose, given = np.array(answer["pose"]) * metres, np.array(line["pose"]) * metres
    for target in line["targets"]:
        gap = np.linalg.norm(pose[target["bone"], :3] - np.array(target["position"]) * metres)
        assert gap < 0.002, (target["bone"], gap)
    # Bones keep their lengths, and the finger follows the hand.
    for bone, parent in enumerate(rig.parents):
        if parent >= 0:
            lengths = [np.linalg.norm(own[bone, :3] - own[parent, :3]) for own in (pose, given)]
            assert lengths[0] == pytest.approx(lengths[1], abs=1e-6)
    assert np.linalg.norm(pose[:, 3:] / metres, axis=1) == pytest.approx(1.0)
    assert answer["us"] > 0.0 and answer["iterations"][-1] == answer["pose"]
    assert "iterations" not in lane.answer(rig, solver, line, has_iterations=False)
