"""Solves a reach and plots it: the character before and after, and the error after each stage.

    python3 plot.py reach.png
"""

import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from person import RIG, STANDING

import kinescope_ik as ik
from kinescope_ik import plot

TARGET = (0.45, 1.15, 0.75)


def main(path: str) -> None:
    solver = ik.Solver(RIG)
    settings = ik.Settings()
    settings.effector("left_hand").aim(TARGET)
    settings.effector("left_foot").position_weight = 1
    settings.effector("right_foot").position_weight = 1
    solved = np.empty_like(STANDING)
    trace = solver.trace(STANDING, settings, out=solved)

    figure, (side, errors) = plt.subplots(1, 2, figsize=(12, 5.5), width_ratios=(1, 1.6), layout="constrained")
    plot.bones(side, RIG, STANDING, label="animated", color="0.75")
    plot.bones(side, RIG, solved, label="solved")
    side.plot(TARGET[2], TARGET[1], "x", color="tab:red", ms=10, mew=2, label="target of the left hand")
    side.set(title="from its left side", xlim=(-0.4, 0.95), ylim=(0, 2))
    side.legend(loc="upper left", fontsize=9)

    hand = solver.bone_of("left_hand")
    bone = 1000 * float(np.linalg.norm(solved[hand, :3] - np.asarray(TARGET, np.float32)))
    node = 1000 * float(np.linalg.norm(trace.node("left_hand")[-1] - np.asarray(TARGET, np.float32)))
    plot.distance(errors, trace, "left_hand", TARGET, label="the solver's node, after each stage")
    errors.axhline(bone, color="tab:orange", label="the bone, once the nodes are written to it")
    errors.legend(fontsize=9)
    figure.savefig(path, dpi=110)
    print(f"{path}: {len(trace)} stages; the hand's node is {node:.1f} mm from its target, its bone {bone:.1f} mm")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "reach.png")
