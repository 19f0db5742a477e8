"""A small game: a person walks over hills, its feet are put on the ground, and every frame goes to a Kinescope window.

    kinescope --listen &
    python3 walk.py

With `--bug` the game solves without the stage `reach` from frame 100 on, as a faulty port would, and Kinescope shows the frame, the
stage and the node at which the game differs. `--record walk.jsonl` writes a recording instead of sending:
`kinescope diff walk.jsonl` compares it.
"""

import argparse
import contextlib
import math
import time

import numpy as np
from person import RIG, STANDING

import kinescope_ik as ik

RATE = 60
SPEED = 1.1  # metres per second
STRIDE = 1.1  # seconds for two steps

HILLS = ik.Terrain(
    [[0.12 * math.sin(0.9 * (0.25 * row - 4)) + 0.04 * math.sin(1.7 * 0.25 * column) for column in range(33)] for row in range(257)],
    spacing=0.25,
    origin=(-4, -4),
)


def turn(axis: int, angle: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Returns the rotation around an axis (0: x, 1: y, 2: z) by an angle in radians, as a quaternion x, y, z, w."""
    made = np.zeros(4)
    made[axis], made[3] = math.sin(angle / 2), math.cos(angle / 2)
    return made


def rotate(
    q: np.ndarray[tuple[int, ...], np.dtype[np.float64]], v: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Returns the vector `v` rotated by the unit quaternion `q`."""
    across = 2 * np.cross(q[:3], v)
    return np.asarray(v + q[3] * across + np.cross(q[:3], across))


def multiply(
    a: np.ndarray[tuple[int, ...], np.dtype[np.float64]], b: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Returns the rotation `b`, followed by `a`."""
    made = np.empty(4)
    made[:3] = a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3])
    made[3] = a[3] * b[3] - a[:3] @ b[:3]
    return made


def walk(seconds: float, pose: ik.Array) -> None:
    """Writes the pose of the walk cycle at an instant: the animation that a game would sample from a clip."""
    phase = 2 * math.pi * seconds / STRIDE
    local = {}
    for side, sign in (("left", 1), ("right", -1)):
        swing = sign * math.sin(phase)
        local[f"{side} thigh"] = turn(0, -0.1 - 0.42 * swing)
        local[f"{side} calf"] = turn(0, 0.12 + 0.75 * max(0.0, sign * math.cos(phase)))
        local[f"{side} upper arm"] = multiply(turn(0, 0.4 * swing), turn(2, -1.2 * sign))
        local[f"{side} forearm"] = turn(1, -0.35 * sign)
    whole = np.zeros((len(RIG), 4))
    rest = STANDING[:, :3].astype(np.float64)
    places = rest.copy()
    for bone, (name, parent) in enumerate(zip(RIG.names, RIG.parents)):
        own = local.get(name, turn(0, 0))
        whole[bone] = own if parent < 0 else multiply(whole[parent], own)
        if parent >= 0:
            places[bone] = places[parent] + rotate(whole[parent], rest[bone] - rest[parent])
    # The lower foot stands on the ground.
    feet = [RIG.names.index(f"{side} foot") for side in ("left", "right")]
    places[:, 1] -= places[feet, 1].min() - rest[feet[0], 1]
    pose[:, :3], pose[:, 3:] = places, whole


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--frames", type=int, default=1200)
    options.add_argument("--address", help="the window's host:port")
    options.add_argument("--record", help="a file for a recording")
    options.add_argument("--bug", action="store_true", help="forget the stage reach from frame 100 on")
    asked = options.parse_args()

    solver = ik.Solver(RIG)
    grounder = ik.Grounder(solver, "predictive")
    game = ik.Game("a walk in Python", {"player": solver})
    settings, driven = ik.Settings(), ik.Settings()
    pose, solved = STANDING.copy(), STANDING.copy()

    with contextlib.ExitStack() as ended:
        recorder = ended.enter_context(ik.Recorder(game, asked.record)) if asked.record else None
        sender = None if recorder else ended.enter_context(ik.Sender(game, asked.address))
        start, waited = time.perf_counter(), 0
        # The window may take a while to open.
        while sender and not sender.is_connected and waited < 60 * RATE:
            time.sleep(1 / RATE)
            waited += 1
        for frame in range(asked.frames):
            seconds = frame / RATE
            walk(seconds, pose)
            place = (0.0, SPEED * seconds)
            root = (place[0], HILLS.height(*place) or 0.0, place[1], 0, 0, 0, 1)
            # The left hand follows a butterfly, at times out of reach.
            hand = (0.35, 1.2 + 0.2 * math.sin(seconds), 0.75 + 0.25 * math.sin(1.3 * seconds))
            settings.effector("left_hand").aim(hand)
            grounder.ground(HILLS, pose, settings, 1 / RATE, root, out=driven)
            used = driven
            if asked.bug and frame >= 100:
                used = driven.copy()
                for chain in used.chains:
                    chain.reach = 0
            trace = solver.trace(pose, used, out=solved)
            if recorder:
                recorder.frame("player", seconds, pose, driven, solved, trace, frame)
            if sender:
                sender.send("player", seconds, pose, driven, solved, trace, frame)
                while (tuned := sender.tuned()) is not None:
                    settings = tuned[1]
                time.sleep(max(0.0, start + (frame + 1 + waited) / RATE - time.perf_counter()))
        if sender:
            print(f"{sender.sent} frames sent, {sender.dropped} dropped")


if __name__ == "__main__":
    main()
