"""Solves a reach and plots it: the character before and after, and the error after each stage.

    python3 plot.py reach.png
"""

import math
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import kinescope
from person import BONES

TARGET = (0.45, 1.15, 0.75)


def main(path):
    names = [name for name, _, _ in BONES]
    parents = [parent for _, parent, _ in BONES]
    standing = [(*place, 0, 0, 0, 1) for _, _, place in BONES]
    solver = kinescope.Solver(names, parents, standing)

    settings = kinescope.Settings()
    settings.effector("left_hand").aim(TARGET)
    settings.effector("left_foot").position_weight = 1
    settings.effector("right_foot").position_weight = 1
    pose, steps = solver.solve_and_steps(standing, settings)

    figure, (side, errors) = plt.subplots(1, 2, figsize=(12, 5.5), width_ratios=(1, 1.6), layout="constrained")
    for bones, style, label in ((standing, dict(color="0.75"), "animated"), (pose, dict(color="tab:blue"), "solved")):
        for index, parent in enumerate(parents):
            if parent >= 0:
                (_, y0, z0), (_, y1, z1) = bones[parent][:3], bones[index][:3]
                side.plot((z0, z1), (y0, y1), lw=3, solid_capstyle="round", label=label if index == 1 else None, **style)
    side.plot(TARGET[2], TARGET[1], "x", color="tab:red", ms=10, mew=2, label="target of the left hand")
    side.set(title="from its left side", xlabel="ahead, m", ylabel="up, m", aspect="equal", xlim=(-0.4, 0.95), ylim=(0, 2))
    side.legend(loc="upper left", fontsize=9)

    # Without the first stage, which only reads the pose: the node is still at the hand's animated position.
    shown = steps[1:]
    away = [1000 * math.dist(step.nodes["left_hand"], TARGET) for step in shown]
    bone = 1000 * math.dist(pose[solver.bone_of("left_hand")][:3], TARGET)
    errors.plot(away, marker="o", ms=4, color="tab:blue", label="the solver's node, after each stage")
    errors.axhline(bone, color="tab:orange", label="the bone, once the nodes are written to it")
    labels = [step.stage if step.iteration is None else f"{step.iteration + 1} {step.stage}" for step in shown]
    errors.set_xticks(range(len(shown)), labels, rotation=90, fontsize=7)
    errors.set(title="distance of the left hand from its target", ylabel="mm", ylim=(0, None))
    errors.legend(fontsize=9)
    errors.grid(alpha=0.3)
    figure.savefig(path, dpi=110)
    print(f"{path}: {len(steps)} stages; the hand's node is {away[-1]:.1f} mm from its target, its bone {bone:.1f} mm")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "reach.png")
