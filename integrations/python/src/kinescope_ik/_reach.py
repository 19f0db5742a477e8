"""Many variants of one frame, and the volume that a hand or foot can reach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._fields import Numbers
from ._native import Array, Handle, check, ffi, lib, number_of, read_pose
from ._progress import Progress, reports
from ._settings import SETTINGS, Settings, settings_array, settings_pointer
from ._solver import PosePointer, Solver
from ._tables import EFFECTORS, LIMBS


def solve_variants(solver: Solver, pose: npt.ArrayLike, settings: Sequence[Settings] | npt.NDArray[Any]) -> Array:
    """Solves one pose with many settings, on all processors and several in one register: to choose among targets, for example.

    Parameters:
        solver: The character's solver.
        pose: The animated pose, `(bones, 7)`.
        settings: The settings of each variant, or an array of the type `SETTINGS`, see `settings_array`.

    Returns the distance of each effector's bone from its target, `(variants, effectors)` in the order of EFFECTORS; 0 without weight.
    """
    if not isinstance(settings, np.ndarray):
        own = settings_array(len(settings))
        for index, one in enumerate(settings):
            if not isinstance(one, Settings):
                raise TypeError(f"settings[{index}]: is {type(one).__name__}, expected kinescope_ik.Settings")
            own[index] = one.record[0]
        settings = own
    if settings.dtype != SETTINGS or settings.ndim != 1:
        raise TypeError(f"settings: has the type {settings.dtype} and the shape {settings.shape}, expected settings_array(…)")
    settings = np.ascontiguousarray(settings)
    gaps = np.empty((len(settings), len(EFFECTORS)), np.float32)
    pointer = PosePointer(len(solver.rig))
    animated = pointer.point(read_pose(pose, len(solver.rig), "pose"))
    first = ffi.cast("KinescopeSettings *", settings.ctypes.data)
    check(lib.kinescope_solve_variants(solver._c, first, len(settings), animated, ffi.cast("float *", gaps.ctypes.data)))
    return gaps


class Reach:
    """The volume that a limb can reach from a pose, with the movement of the body.

        reach = Reach(solver, standing, settings, "left_arm")
        print(reach.volume, reach.gap((0.4, 1.2, 0.3)))

    Tries targets on a grid and solves each, on all processors.

    Parameters:
        solver: The character's solver.
        pose: The animated pose, `(bones, 7)`.
        settings: The parameters of the solve.
        limb: One of LIMBS.
        count: Number of targets along each axis, from 4 to 96.
        progress: Receives the progress from 0 to 1; returns False to cancel the work, which then raises `Cancelled`.
    """

    def __init__(
        self, solver: Solver, pose: npt.ArrayLike, settings: Settings, limb: str, count: int = 32, progress: Progress | None = None
    ) -> None:
        pointer = PosePointer(len(solver.rig))
        animated = pointer.point(read_pose(pose, len(solver.rig), "pose"))
        number = number_of(LIMBS, limb, "limb")
        with reports(progress) as report:
            self._handle = Handle("reach", solver._c, settings_pointer(settings), animated, number, count, report)
        own, needed = self._handle.pointer, ffi.new("size_t *")
        self.volume = float(lib.kinescope_reach_volume(own))
        """The volume in cubic model units."""
        check(lib.kinescope_reach_points(own, ffi.NULL, 0, needed))
        surface = np.empty((needed[0], 6), np.float32)
        check(lib.kinescope_reach_points(own, ffi.cast("KinescopeSurfacePoint *", surface.ctypes.data), len(surface), ffi.NULL))
        self.points: Array = surface[:, :3]
        """The points of the surface, `(points, 3)`, in model space."""
        self.normals: Array = surface[:, 3:]
        """The unit normal of each point, out of the volume."""
        check(lib.kinescope_reach_indices(own, ffi.NULL, 0, needed))
        triangles = np.empty((needed[0] // 3, 3), np.uint32)
        check(lib.kinescope_reach_indices(own, ffi.cast("uint32_t *", triangles.ctypes.data), triangles.size, ffi.NULL))
        self.triangles = triangles
        """The triangles of the surface as indices of points, `(triangles, 3)`, counter-clockwise from outside."""

    def gap(self, target: Numbers) -> float:
        """Returns the distance by which the limb misses a target in model space, in model units.

        Interpolates between the eight targets around it on the grid; infinite if one of them was not tried, and outside the grid.
        """
        with self._handle.lock:
            return float(lib.kinescope_reach_gap(self._handle.pointer, tuple(map(float, target))))
