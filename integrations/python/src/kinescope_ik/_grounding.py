"""Foot placement on the caller's ground."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ._fields import Numbers, Vec3
from ._native import Handle, check, ffi, lib, read_pose, text
from ._settings import Settings, settings_pointer
from ._solver import PosePointer, Solver

METHODS = ("foot_ik", "predictive")
"""How feet find the ground: by one ray at each foot, or by casts where each foot will be."""


class Hit(NamedTuple):
    """Where a ray meets the ground, in world space."""

    point: Vec3
    normal: Vec3
    """Unit normal, pointing out of the ground."""
    distance: float
    """Distance from the ray's origin."""


class Ground(Protocol):
    """The ground of a game: anything with this method."""

    def ray(self, origin: Vec3, direction: Vec3, distance: float) -> Hit | None:
        """Casts a ray along a unit direction, up to a distance, in world space, metres. Returns None if it meets nothing."""


class Level:
    """Level ground at one height."""

    def __init__(self, height: float = 0.0) -> None:
        self.height = float(height)

    def ray(self, origin: Vec3, direction: Vec3, distance: float) -> Hit | None:
        """See `Ground.ray`."""
        x, y, z = origin
        dx, dy, dz = direction
        if dy >= 0 or y < self.height:
            return None
        way = (self.height - y) / dy
        return Hit((x + way * dx, self.height, z + way * dz), (0.0, 1.0, 0.0), way) if way <= distance else None


class Terrain:
    """A height field.

    Parameters:
        heights: The heights in metres, `(rows, columns)`: the height at `heights[i, j]` is at x = origin[0] + j · spacing and
            z = origin[1] + i · spacing. Heights in between are bilinear, and there is no ground outside.
        spacing: The distance between two neighbours in metres.
        origin: World x and z of `heights[0, 0]`.

    Vertical rays, which foot placement mostly casts, are exact. Other rays are followed in steps of half the spacing.
    """

    def __init__(self, heights: npt.ArrayLike, spacing: float, origin: Sequence[float] = (0.0, 0.0)) -> None:
        found = np.asarray(heights, np.float64)
        if found.ndim != 2 or min(found.shape) < 2 or not np.isfinite(found).all():
            raise ValueError(f"heights: has the shape {found.shape}; expected are finite heights, at least (2, 2)")
        if not (spacing > 0 and math.isfinite(spacing)):
            raise ValueError(f"spacing: is {spacing}, expected a distance above 0")
        self.heights = found
        """The heights, `(rows, columns)`."""
        self.spacing = float(spacing)
        """The distance between two neighbours."""
        self.origin = float(origin[0]), float(origin[1])
        """World x and z of the first height."""
        # Lists are read faster than arrays, number by number.
        self._rows: list[list[float]] = found.tolist()

    def height(self, x: float, z: float) -> float | None:
        """Returns the height at a place in world space; None outside."""
        found = self._at(x, z)
        return None if found is None else found[0]

    def _at(self, x: float, z: float) -> tuple[float, float, float] | None:
        """Returns the height and its slopes along x and z."""
        u, v = (x - self.origin[0]) / self.spacing, (z - self.origin[1]) / self.spacing
        rows, columns = self.heights.shape
        if not (0 <= u <= columns - 1 and 0 <= v <= rows - 1):
            return None
        i, j = min(int(v), rows - 2), min(int(u), columns - 2)
        u, v = u - j, v - i
        (a, b), (c, d) = self._rows[i][j : j + 2], self._rows[i + 1][j : j + 2]
        height = (a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v
        along_x, along_z = (b - a) * (1 - v) + (d - c) * v, (c - a) * (1 - u) + (d - b) * u
        return height, along_x / self.spacing, along_z / self.spacing

    def ray(self, origin: Vec3, direction: Vec3, distance: float) -> Hit | None:
        """See `Ground.ray`."""
        x, y, z = origin
        dx, dy, dz = direction
        across = math.hypot(dx, dz)
        if across < 1e-6:
            found = self._at(x, z)
            if found is None or dy >= 0 or not 0 <= y - found[0] <= distance:
                return None
            return self._hit(origin, direction, y - found[0])

        def above(way: float) -> float | None:
            found = self._at(x + way * dx, z + way * dz)
            return None if found is None else y + way * dy - found[0]

        step = 0.5 * self.spacing / across
        steps = max(1, math.ceil(distance / step))
        start, before = 0.0, above(0.0)
        for index in range(1, steps + 1):
            end = min(index * step, distance)
            after = above(end)
            if before is not None and after is not None and before >= 0 > after:
                for _ in range(24):
                    middle = 0.5 * (start + end)
                    height = above(middle)
                    start, end = (middle, end) if height is not None and height >= 0 else (start, middle)
                return self._hit(origin, direction, start)
            start, before = end, after
        return None

    def _hit(self, origin: Vec3, direction: Vec3, way: float) -> Hit | None:
        x, z = origin[0] + way * direction[0], origin[2] + way * direction[2]
        found = self._at(x, z)
        if found is None:
            return None
        height, along_x, along_z = found
        length = math.sqrt(1 + along_x * along_x + along_z * along_z)
        return Hit((x, height, z), (-along_x / length, 1 / length, -along_z / length), way)


class _Cast:
    """Casts the rays of the frame in progress, and keeps an exception, which C cannot pass on."""

    def __init__(self) -> None:
        self.ground: Ground | None = None
        self.failed: BaseException | None = None

    def ray(self, _: Any, origin: Any, direction: Any, distance: float, hit: Any) -> int:
        """The callback of the C library."""
        if self.ground is None or self.failed is not None:
            return 0
        try:
            start, way = (origin.x, origin.y, origin.z), (direction.x, direction.y, direction.z)
            found = self.ground.ray(start, way, distance)
            if found is None:
                return 0
            hit.point, hit.normal, hit.distance = found
            return 1
        except BaseException as error:
            self.failed = error
            return 0


class Grounder:
    """Keeps a character's feet on the ground, frame by frame, before the solve.

        grounder = Grounder(solver, "predictive")
        driven = grounder.ground(terrain, pose, settings, dt=1 / 60, root=root)
        solved = solver.solve(pose, driven)

    Parameters:
        solver: The character's solver.
        method: One of METHODS.
    """

    def __init__(self, solver: Solver, method: str = "predictive") -> None:
        if method not in METHODS:
            raise ValueError(f"method: is {method!r}, expected {' or '.join(METHODS)}")
        self._solver = solver
        self._handle = Handle("grounder", solver._c, METHODS.index(method))
        self._pose = PosePointer(len(solver.rig))
        self._ground = ffi.new("KinescopeGround *")
        self._cast = _Cast()
        self._callback = ffi.callback(ffi.typeof(self._ground.ray), self._cast.ray)
        self._ground.ray = self._callback

    def load_preset(self, json: str) -> bool:
        """Reads method, settings and weights from the section `grounding` of a preset. Returns False if it has none."""
        with self._handle.lock:
            return check(lib.kinescope_grounder_preset(self._handle.pointer, text(json, "json"))) == 0

    def ground(
        self,
        ground: Ground,
        pose: npt.ArrayLike,
        settings: Settings,
        dt: float,
        root: Numbers = (0, 0, 0, 0, 0, 0, 1),
        planted: Numbers = (1.0, 1.0),
        out: Settings | None = None,
    ) -> Settings:
        """Runs one frame.

        Parameters:
            ground: Casts rays: `Terrain`, `Level`, or an object with the method of `Ground`. Its exceptions are raised here.
            pose: The animated pose, `(bones, 7)`, in model space.
            settings: The parameters of the solve, which are not changed.
            dt: Seconds since the last frame.
            root: The character's place in the world: position x, y, z and rotation x, y, z, w.
            planted: The weights of the left and the right foot, 0 to 1, by which foot IK plants them.
            out: Receives the result; None makes new settings.

        Returns the settings with the offsets and rotations that put the feet on the ground.
        """
        own = read_pose(pose, len(self._solver.rig), "pose")
        numbers = [float(number) for number in root]
        if len(numbers) != 7:
            raise ValueError(f"root: has {len(numbers)} numbers, expected position x y z and rotation x y z w")
        left, right = planted
        out = Settings() if out is None else out
        with self._handle.lock:
            cast = self._cast
            cast.ground, cast.failed = ground, None
            try:
                transform = ffi.new("KinescopeTransform *", (tuple(numbers[:3]), tuple(numbers[3:])))
                weights = ffi.new("float[2]", (left, right))
                status = lib.kinescope_ground(
                    self._handle.pointer,
                    self._ground,
                    transform[0],
                    self._pose.point(own),
                    weights,
                    dt,
                    settings_pointer(settings),
                    settings_pointer(out),
                )
                if cast.failed is not None:
                    raise cast.failed
                check(status)
            finally:
                cast.ground = cast.failed = None
        return out
