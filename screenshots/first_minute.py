"""Makes first-minute.gif: the left hand is dragged up and forward, then the solve is stepped through.

    python3 screenshots/first_minute.py PROGRAM first-minute.gif

Every frame is a screenshot of a preset. ImageMagick's `convert` joins them.
"""

import json
import os
import subprocess
import sys
import tempfile

SIZE = "1120x700"
REST = (0.563, 1.054, -0.025)
TARGET = (0.56, 1.52, 0.5)
DRAGGED = 12
# How long a frame is shown, in hundredths of a second: during the drag, at a step, and at the end.
DRAG_TIME, STEP_TIME, END_TIME = 9, 60, 250
# The first step and the eight stages after it, then the eight stages before the last step, and the last step.
STEPS = [["First step"] + ["Next stage"] * count for count in range(9)]
STEPS += [["Last step"] + ["Previous stage"] * count for count in range(8, -1, -1)]


def preset(part):
    place = [round(a + (b - a) * part, 4) for a, b in zip(REST, TARGET)]
    foot = lambda x: {"position": [x, 0.085, -0.002], "position_weight": 1.0, "rotation_weight": 1.0}
    effectors = {"left_foot": foot(0.122), "right_foot": foot(-0.122)}
    effectors["left_hand"] = {"position": place, "position_weight": 1.0}
    return {
        "format": "kinescope-preset",
        "version": 1,
        "effectors": effectors,
        "camera": {"target": [0.14, 0.95, 0.1], "yaw": 0.62, "pitch": 0.12, "distance": 4.1},
        "view": {"selected": "left_hand"},
    }


def main(program, out):
    frames = []
    with tempfile.TemporaryDirectory() as folder:

        def picture(part, time, commands):
            path = os.path.join(folder, f"{len(frames):03}.png")
            # The window shows the preset's name, so all presets have the same name.
            reach = os.path.join(folder, "reach.json")
            with open(reach, "w", encoding="utf-8") as file:
                json.dump(preset(part), file)
            run = [word for command in commands for word in ("--run", command)]
            arguments = ["--preset", reach, "--size", SIZE, "--screenshot", path, "--frames", "24", *run]
            subprocess.run([program, *arguments], check=True)
            frames.extend(["-delay", str(time), path])

        for step in range(DRAGGED + 1):
            ease = step / DRAGGED
            last = step == DRAGGED
            picture(ease * ease * (3 - 2 * ease), STEP_TIME if last else DRAG_TIME, [])
        for commands in STEPS:
            last = commands is STEPS[-1]
            picture(1, END_TIME if last else STEP_TIME, ["X-ray character", *commands])
        # One palette for all frames, without dithering, so that pixels that stay the same between frames take no space.
        colours = ["+dither", "-colors", "96", "+map", "-layers", "OptimizeTransparency"]
        subprocess.run(["convert", *frames, "-loop", "0", *colours, out], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
