"""Foot placement on the caller's ground."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from ._fields import LiveFields, Numbers, Vec3
from ._native import Array, Error, Handle, check, dtype_of, ffi, lib, read_pose, room, text
from ._settings import Settings, settings_pointer
from ._solver import PosePointer, Solver
from ._tables import GROUNDINGS, DriveWeights, FootIkSettings, FootprintSettings, LockSettings, PredictiveSettings
from ._tables import SpeedSettings

OUTPUT: np.dtype[Any] = dtype_of("KinescopeGroundOutput")
"""NumPy's type of the result of a frame of grounding."""

SHAPES = ("ray", "sphere", "capsule")
"""The shapes of casts."""

L = TypeVar("L", bound=LiveFields)

class Hit(NamedTuple):
    """Where a ray or another cast shape meets the ground, in world space."""

    point: Vec3
    normal: Vec3
    """Unit normal, pointing out of the ground."""
    distance: float
    """How far the ray or shape moved until it met the ground, in metres."""


class Ground(Protocol):
    """The ground of a game: anything with this method.

    Spheres and capsules are made of rays: up to 184 rays in a frame at the best quality without footprints. An object that also has a method
    `cast(own: Cast) -> Hit | None` casts them itself, and learns the ground layers. It returns NotImplemented for shapes that it
    does not cast. The distance of its hit is how far the shape moved.
    """

    def ray(self, origin: Vec3, direction: Vec3, distance: float) -> Hit | None:
        """Casts a ray along a unit direction, up to a distance, in world space, metres. Returns None if it meets nothing."""


class Cast(NamedTuple):
    """A cast of any shape against the ground, in world space."""

    shape: str
    """`ray`, `sphere` or `capsule`."""
    layers: int
    """The ground layers that count: bit i is layer i, of eight layers."""
    origin: Vec3
    """The point, the centre of the sphere, or the first end of the capsule's segment."""
    direction: Vec3
    """The unit direction in which the shape moves."""
    distance: float
    """The largest distance that the shape moves."""
    radius: float
    """The radius of a sphere or capsule."""
    along: Vec3
    """The vector of a capsule's segment."""


class Footprint(NamedTuple):
    """Where a foot will land as animated."""

    foot: Sequence[float]
    """The animated foot bone at landing, in world space: position x, y, z and rotation x, y, z, w."""
    time: float
    """Seconds until landing."""


class Level:
    """Level ground at one height in metres. Rays meet it from above only."""

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

    Rays meet the ground from above only. Vertical rays, which foot placement mostly casts, are exact. Other rays are followed in
    steps of half the spacing along the ground.
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
        """The distance between two neighbours in metres."""
        self.origin = float(origin[0]), float(origin[1])
        """World x and z of the first height."""
        # Lists are read faster than arrays, number by number.
        self._rows: list[list[float]] = found.tolist()

    def height(self, x: float, z: float) -> float | None:
        """Returns the height at a place in world space, in metres; None outside the height field."""
        found = self._at(x, z)
        return None if found is None else found[0]

    def _at(self, x: float, z: float) -> tuple[float, float, float] | None:
        """Returns the height and its slopes along x and z; None outside the height field."""
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
        """The callback for rays: fills in `hit` and returns 1, or returns 0 if the ray meets nothing or the ground failed."""
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

    def cast(self, _: Any, own: Any, hit: Any) -> int:
        """The callback for any shape: returns 1 or 0 as `ray` does, or -1 for a shape that the ground does not cast."""
        cast: Callable[[Cast], Any] | None = getattr(self.ground, "cast", None)
        if cast is None or self.failed is not None:
            return -1
        try:
            start, way, along = ((v.x, v.y, v.z) for v in (getattr(own, "from"), own.direction, own.along))
            found = cast(Cast(SHAPES[own.shape], own.layers, start, way, own.distance, own.radius, along))
            if found is NotImplemented:
                return -1
            if found is None:
                return 0
            hit.point, hit.normal, hit.distance = found
            return 1
        except BaseException as error:
            self.failed = error
            return 0


class GroundCall:
    """Calls functions of the library with the caller's ground, and with the frame of grounding where they take one."""

    def __init__(self) -> None:
        self._frame = ffi.new("KinescopeGroundFrame *")
        self._ground = ffi.new("KinescopeGround *")
        self._cast = _Cast()
        self._callbacks = [
            ffi.callback(ffi.typeof(self._ground.ray), self._cast.ray),
            ffi.callback(ffi.typeof(self._ground.cast), self._cast.cast),
        ]
        self._ground.ray = self._callbacks[0]

    def run(
        self,
        call: Callable[[Any, Any], int],
        ground: Ground | None,
        dt: float,
        root: Numbers,
        planted: Numbers,
        crossed: Sequence[float | None],
        carried: Sequence[Numbers],
        footprints: Sequence[Footprint | None],
        layers: Sequence[int],
        keeps_world_up: bool,
    ) -> None:
        """Calls a function of the library with the ground and the frame. Exceptions of the ground are raised here."""
        frame = self._frame
        lib.kinescope_ground_frame_default(frame)
        frame.root, frame.dt = transform(root, "root"), dt
        frame.planted, frame.layers, frame.keeps_world_up = tuple(planted), tuple(layers), int(keeps_world_up)
        frame.carried = [tuple(map(float, own)) for own in carried]
        for side in range(2):
            moment, footprint = crossed[side], footprints[side]
            if moment is not None:
                frame.has_crossed[side], frame.crossed[side] = 1, moment
            if footprint is not None:
                frame.has_footprint[side] = 1
                frame.footprint[side].foot = transform(footprint.foot, f"footprints[{side}]")
                frame.footprint[side].time = footprint.time
        self.cast(lambda casts: call(casts, frame), ground)

    def cast(self, call: Callable[[Any], int], ground: Ground | None) -> None:
        """Calls a function of the library with the ground alone. Exceptions of the ground are raised here."""
        cast = self._cast
        cast.ground, cast.failed = ground, None
        self._ground.cast = self._callbacks[1] if hasattr(ground, "cast") else ffi.NULL
        try:
            status = call(ffi.NULL if ground is None else self._ground)
            if cast.failed is not None:
                raise cast.failed
            check(status)
        finally:
            cast.ground = cast.failed = None


class Grounder:
    """Keeps a character's feet on the ground, frame by frame, before the solve.

        grounder = Grounder(solver, "predictive")
        driven = grounder.ground(terrain, pose, settings, dt=1 / 60, root=root)
        solved = solver.solve(pose, driven)

    Parameters:
        solver: The character's solver.
        method: One of GROUNDINGS.

    A change of the settings applies at once; a value out of its range raises `SettingsError` and changes nothing.
    """

    def __init__(self, solver: Solver, method: str = "predictive") -> None:
        if method not in GROUNDINGS:
            raise ValueError(f"method: is {method!r}, expected {' or '.join(GROUNDINGS)}")
        self._solver = solver
        self._handle = Handle("grounder", solver._c, GROUNDINGS.index(method))
        self._pose = PosePointer(len(solver.rig))
        self._call = GroundCall()

    def load_preset(self, json: str) -> bool:
        """Reads method, settings and weights from the section `grounding` of a preset. Returns False if the preset has no such section."""
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
        crossed: Sequence[float | None] = (None, None),
        carried: Sequence[Numbers] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        footprints: Sequence[Footprint | None] = (None, None),
        layers: Sequence[int] = (255, 255),
        keeps_world_up: bool = False,
        out: Settings | None = None,
    ) -> Settings:
        """Runs one frame.

        Parameters:
            ground: Casts rays: `Terrain`, `Level`, or an object with the method of `Ground`. Its exceptions are raised here.
            pose: The animated pose, `(bones, 7)`, in model space.
            settings: The parameters of the solve, which are not changed.
            dt: Seconds since the last frame.
            root: The character's place in the world: position x, y, z and rotation x, y, z, w.
            planted: How much the animation plants the left and the right foot, 0 to 1.
            crossed: The fraction of the frame at which a foot landed or lifted; None if it did neither.
            carried: How far a platform moved the ground under each foot since the last frame, in world space.
            footprints: Where each foot will land; None for a foot that stands, or whose landing is not known.
            layers: The ground layers that each foot may stand on: bit i is layer i.
            keeps_world_up: Whether up is the world's +Y instead of the root's.
            out: Receives the result; None makes new settings.

        Returns the settings with the offsets and rotations that put the feet on the ground.
        """
        own = read_pose(pose, len(self._solver.rig), "pose")
        out = Settings() if out is None else out
        with self._handle.lock:
            pointers = (self._pose.point(own), settings_pointer(settings), settings_pointer(out))

            def call(casts: Any, frame: Any) -> int:
                return int(lib.kinescope_ground_frame(self._handle.pointer, casts, frame, *pointers))

            self._call.run(call, ground, dt, root, planted, crossed, carried, footprints, layers, keeps_world_up)
        return out

    def drive_limbs(self, pose: npt.ArrayLike, settings: Settings, out: Array | None = None) -> Array:
        """Applies the goals of the last frame without the full body, limb by limb; the torso does not react.

        Returns the pose, in `out` if that is given.
        """
        shape = self._solver._shape
        own = read_pose(pose, shape[0], "pose")
        out = room(out, shape)
        np.copyto(out, own)
        with self._handle.lock:
            parts = (settings_pointer(settings), self._pose.point(out))
            check(lib.kinescope_grounder_drive_limbs(self._handle.pointer, *parts))
        return out

    def reset(self) -> None:
        """Forgets the last frame, for example after a cut."""
        with self._handle.lock:
            check(lib.kinescope_grounder_reset(self._handle.pointer))

    @property
    def output(self) -> npt.NDArray[Any] | None:
        """The goals of the last frame as one record: `legs` (two), `pelvis`, `planted` and others; None before the first frame."""
        own = ffi.new("KinescopeGroundOutput *")
        with self._handle.lock:
            if check(lib.kinescope_grounder_output(self._handle.pointer, own)):
                return None
        return np.frombuffer(ffi.buffer(own), OUTPUT)

    @property
    def foot_ik(self) -> FootIkSettings | None:
        """The settings of foot IK; None for the predictive grounder."""
        return self._live(FootIkSettings, "foot_ik")

    @property
    def predictive(self) -> PredictiveSettings | None:
        """The settings of the predictive grounder; None for foot IK."""
        return self._live(PredictiveSettings, "predictive")

    @property
    def lock(self) -> LockSettings:
        """The settings of the foot lock, which is off at first."""
        return self._some(LockSettings, "lock")

    @property
    def footprints(self) -> FootprintSettings:
        """The settings by which footprints shift steps."""
        return self._some(FootprintSettings, "footprints")

    @property
    def weights(self) -> DriveWeights:
        """The weights by which a solve follows the goals."""
        return self._some(DriveWeights, "weights")

    @property
    def speed(self) -> SpeedSettings | None:
        """The thresholds by which the speed of a foot becomes its weight; None if the frame gives the weights."""
        return self._live(SpeedSettings, "speed")

    def use_speed(self, use: bool = True) -> None:
        """Derives the weights of the feet from the speed of the foot bones, with the default thresholds.

        With `use` False, the frame gives the weights again.
        """
        own = ffi.new("KinescopeSpeedSettings *", (0.3, 1.0, 0.05)) if use else ffi.NULL
        with self._handle.lock:
            check(lib.kinescope_grounder_set_speed(self._handle.pointer, own))

    def _some(self, kind: type[L], name: str) -> L:
        found = self._live(kind, name)
        assert found is not None
        return found

    def _live(self, kind: type[L], name: str) -> L | None:
        """Returns settings that hand every change to the library; None if the grounder has none of this kind."""
        get, put = getattr(lib, f"kinescope_grounder_get_{name}"), getattr(lib, f"kinescope_grounder_set_{name}")
        memory, handle = ffi.new(f"Kinescope{kind.__name__} *"), self._handle
        with handle.lock:
            if check(get(handle.pointer, memory)):
                return None

        def push() -> None:
            with handle.lock:
                try:
                    check(put(handle.pointer, memory))
                except Error:
                    get(handle.pointer, memory)
                    raise

        made = kind(memory, memory)
        made._push = push
        return made


def transform(value: Numbers, what: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Returns seven numbers as position and rotation of a transform; another count is a ValueError."""
    numbers = tuple(map(float, value))
    if len(numbers) != 7:
        raise ValueError(f"{what}: has {len(numbers)} numbers, expected position x y z and rotation x y z w")
    return numbers[:3], numbers[3:]
