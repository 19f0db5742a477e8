"""The coordinates of engines."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._fields import Numbers
from ._native import Array, check, ffi, lib, number_of, read_pose
from ._settings import Settings, settings_pointer
from ._solver import PosePointer
from ._tables import ENGINE_AXES


class Space:
    """The coordinates of an engine: axes and unit.

        blender = Space.of("right_handed_z_up")
        pose = blender.pose_in(armature)  # (bones, 7), in the coordinates of this package
        armature = blender.pose_out(solver.solve(pose, settings))

    Parameters:
        left: A character's left in the engine's coordinates, a unit vector along an axis.
        up: Up in the engine's coordinates.
        forward: A character's forward in the engine's coordinates.
        unit: Length of the engine's unit in units of the rig: 0.01 for an engine in centimetres and a rig in metres.
    """

    def __init__(self, left: Numbers, up: Numbers, forward: Numbers, unit: float = 1.0) -> None:
        self._c: Any = ffi.new("KinescopeSpace *")
        for name, value in (("left", left), ("up", up), ("forward", forward)):
            setattr(self._c, name, tuple(map(float, value)))
        self._c.unit = unit
        # A conversion raises an error if the axes are invalid.
        check(lib.kinescope_space_positions_in(self._c, ffi.new("KinescopeVec3 *"), 1))

    @classmethod
    def of(cls, axes: str, unit: float = 1.0) -> Space:
        """Returns the space of an engine by its axes, one of ENGINE_AXES."""
        own = ffi.new("KinescopeSpace *")
        check(lib.kinescope_space_of(number_of(ENGINE_AXES, axes, "name of axes"), unit, own))
        left, up, forward = ((v.x, v.y, v.z) for v in (own.left, own.up, own.forward))
        return cls(left, up, forward, own.unit)

    def pose_in(self, pose: npt.ArrayLike) -> Array:
        """Returns a pose of the engine, `(bones, 7)`, in the coordinates of this package."""
        return self._pose(pose, lib.kinescope_space_pose_in)

    def pose_out(self, pose: npt.ArrayLike) -> Array:
        """Returns a pose of this package, `(bones, 7)`, in the engine's coordinates."""
        return self._pose(pose, lib.kinescope_space_pose_out)

    def positions_in(self, positions: npt.ArrayLike) -> Array:
        """Returns positions or offsets of the engine, `(…, 3)`, in the coordinates of this package."""
        return self._vectors(positions, lib.kinescope_space_positions_in)

    def positions_out(self, positions: npt.ArrayLike) -> Array:
        """Returns positions or offsets of this package, `(…, 3)`, in the engine's coordinates."""
        return self._vectors(positions, lib.kinescope_space_positions_out)

    def settings_in(self, settings: Settings) -> Settings:
        """Returns settings with targets, offsets, bend goals and bend directions of the engine in the coordinates of this package."""
        made = settings.copy()
        check(lib.kinescope_space_settings_in(self._c, settings_pointer(made)))
        return made

    def settings_out(self, settings: Settings) -> Settings:
        """Returns settings with targets, offsets, bend goals and bend directions of this package in the engine's coordinates."""
        made = settings.copy()
        check(lib.kinescope_space_settings_out(self._c, settings_pointer(made)))
        return made

    def _pose(self, pose: npt.ArrayLike, convert: Any) -> Array:
        made: Array = np.array(read_pose(pose, None, "pose"), order="C")
        check(convert(self._c, PosePointer(len(made)).point(made)))
        return made

    def _vectors(self, positions: npt.ArrayLike, convert: Any) -> Array:
        made: Array = np.array(positions, np.float32, order="C")
        if made.ndim == 0 or made.shape[-1] != 3:
            raise ValueError(f"positions: has the shape {made.shape}, expected (…, 3)")
        check(convert(self._c, ffi.cast("KinescopeVec3 *", made.ctypes.data), made.size // 3))
        return made
