"""Plots of poses and traces with matplotlib, which the extra `kinescope-ik[plot]` installs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._fields import Numbers
from ._native import read_pose
from ._rig import Rig
from ._solver import Trace

if TYPE_CHECKING:
    from matplotlib.axes import Axes

VIEWS = {"left": (2, 1), "front": (0, 1), "top": (0, 2)}
"""The axes of model space that each view shows, across and up: 0 is x, 1 is y, 2 is z."""


def bones(axes: Axes, rig: Rig, pose: npt.ArrayLike, view: str = "left", label: str | None = None, **style: Any) -> None:
    """Draws the bones of a pose as lines from each bone's parent to the bone.

    Parameters:
        axes: Where to draw.
        rig: The character's bones.
        pose: `(bones, 7)`.
        view: One of VIEWS.
        label: The name in the legend.
        style: Keywords of `Axes.plot`, such as `color`.
    """
    if view not in VIEWS:
        raise ValueError(f"view: is {view!r}, expected {', '.join(VIEWS)}")
    places = read_pose(pose, len(rig), "pose")[:, :3]
    across, up = VIEWS[view]
    style = {"lw": 3, "solid_capstyle": "round", "color": "tab:blue", **style}
    for bone, parent in enumerate(rig.parents):
        if parent >= 0:
            ends = places[[parent, bone]]
            axes.plot(ends[:, across], ends[:, up], label=label, **style)
            label = None
    axes.set_aspect("equal")
    axes.set_xlabel("xyz"[across] + ", m")
    axes.set_ylabel("xyz"[up] + ", m")


def distance(axes: Axes, trace: Trace, node: str, target: Numbers, label: str | None = None, **style: Any) -> None:
    """Draws the distance of a node from a target, in millimetres, after each step of a solve.

    The first step is left out: it only reads the animated pose.
    """
    steps = trace.steps[1:]
    away = 1000 * np.linalg.norm(trace.node(node)[1:] - np.asarray(target, np.float32), axis=1)
    style = {"marker": "o", "ms": 4, "color": "tab:blue", **style}
    axes.plot(away, label=label or node, **style)
    axes.set_xticks(range(len(steps)), [str(step) for step in steps], rotation=90, fontsize=7)
    axes.set_ylim(bottom=0)
    axes.set_ylabel(f"distance of {node} from its target, mm")
    axes.grid(alpha=0.3)
