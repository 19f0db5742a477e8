"""Bug capsules: a character, the inputs of some frames, and their results. Sweeps and sensitivities of the parameters of these frames."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._grounding import Ground, GroundCall
from ._native import Array, Handle, check, ffi, lib, sized_text, text
from ._progress import Progress, reports
from ._solver import PosePointer
from ._stack import Stack


class Axis(NamedTuple):
    """A parameter with the range of a sweep."""

    parameter: str
    """The path of the parameter in presets, such as `chains.left_arm.pull`."""
    first: float | None = None
    """The first value; None for the lower end of the parameter's range."""
    last: float | None = None
    """The last value; None for the upper end of the parameter's range."""
    values: int = 11
    """Number of values including both ends, from 2 to 1024."""


class Change(NamedTuple):
    """A frame whose result differs from the recorded one."""

    frame: int
    """The frame, from 0."""
    point: str
    """The layer and the point that differ most, such as `full body, left_hand`."""
    distance: float
    """The distance between the recorded and the new position of that point, in model units.

    0 if only earlier steps or rotations differ; infinite if the layer is no longer solved, has other points, or has a point that is not finite.
    """


class Sensitivity(NamedTuple):
    """How a parameter affects a measure."""

    parameter: str
    """The path of the parameter in presets."""
    value: float
    """The value of the parameter in the first frame."""
    down: float
    """The change of the measure if the parameter decreases by 5 % of its range, or by 1 if it is a whole number."""
    up: float
    """The change of the measure if the parameter increases by as much."""


def parameter_range(parameter: str) -> tuple[float, float]:
    """Returns the usual range of a parameter by its path in presets, such as `chains.left_arm.pull`."""
    first, last = ffi.new("float *"), ffi.new("float *")
    check(lib.kinescope_parameter_range(text(parameter, "parameter"), first, last))
    return float(first[0]), float(last[0])


def _axis(axis: Axis) -> tuple[Any, Any]:
    """Returns an axis for C, and the text that it points to."""
    first, last = parameter_range(axis.parameter)
    path = ffi.new("char[]", text(axis.parameter, "parameter"))
    first, last = (first if axis.first is None else axis.first), (last if axis.last is None else axis.last)
    return ffi.new("KinescopeAxis *", (path, first, last, axis.values)), path


def run_sweep(
    new: Any, of: tuple[Any, Any], axes: tuple[Axis, Axis | None], ground: tuple[GroundCall, Ground | None], progress: Progress | None
) -> npt.NDArray[np.float32]:
    """Runs a sweep and returns its values. `new` is the library's function that creates it, `of` the object with the frames and the measure."""
    (x, y), (call, casts_on) = axes, ground
    (own_x, _path_x), (own_y, _path_y) = _axis(x), (_axis(y) if y is not None else (ffi.NULL, None))
    shape = (x.values,) if y is None else (y.values, x.values)
    sweep, values = ffi.new("KinescopeSweep **"), np.empty(shape, np.float32)
    try:
        with reports(progress) as report:
            call.cast(lambda casts: int(new(of[0], casts, own_x, own_y, of[1], report, sweep)), casts_on)
        check(lib.kinescope_sweep_values(sweep[0], ffi.cast("float *", values.ctypes.data), values.size, ffi.NULL))
    finally:
        lib.kinescope_sweep_free(sweep[0])
    return values


def find_sensitivities(
    new: Any, of: tuple[Any, Any], ground: tuple[GroundCall, Ground | None], progress: Progress | None
) -> list[Sensitivity]:
    """Finds the parameters that affect a measure. `new` is the library's function for it, `of` the object with the frames and the measure."""
    out, own, found = ffi.new("KinescopeSensitivities **"), ffi.new("KinescopeSensitivity *"), []
    try:
        with reports(progress) as report:
            ground[0].cast(lambda casts: int(new(of[0], casts, of[1], report, out)), ground[1])
        for index in range(lib.kinescope_sensitivities_count(out[0])):
            check(lib.kinescope_sensitivities_get(out[0], index, own))
            path = sized_text(lambda *buffer: lib.kinescope_sensitivities_parameter(out[0], index, *buffer))
            found.append(Sensitivity(path, float(own.value), float(own.down), float(own.up)))
    finally:
        lib.kinescope_sensitivities_free(out[0])
    return found


class Capsule:
    """A character, the inputs of some frames and their results, which the window opens and any machine can solve again.

        capsule = Capsule.of(stack, "the hand falls short")    # after stack.solve
        Path("hand.json").write_text(capsule.to_json())
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._call = GroundCall()
        bones = int(lib.kinescope_capsule_bones(handle.pointer))
        self._shape = (bones, 7)
        self._pose = PosePointer(bones)

    @classmethod
    def of(cls, stack: Stack, name: str, time: float = 0.0) -> Capsule:
        """Makes a capsule of the last frame that a stack solved.

        Parameters:
            stack: The stack, after `Stack.solve`.
            name: What the capsule shows, for people.
            time: The time of the frame in seconds.
        """
        with stack._handle.lock:
            return cls(Handle("capsule", stack._handle.pointer, text(name, "name"), time))

    @classmethod
    def from_json(cls, json: str) -> Capsule:
        """Reads a capsule as saved by the window or by `to_json`. Raises `FileError` with the field."""
        return cls(Handle("capsule", text(json, "json"), of="_of_json"))

    def add(self, stack: Stack, time: float) -> None:
        """Adds the last frame that a stack of the same character solved."""
        with self._handle.lock, stack._handle.lock:
            check(lib.kinescope_capsule_add(self._handle.pointer, stack._handle.pointer, time))

    def to_json(self) -> str:
        """Returns the capsule as JSON text."""
        with self._handle.lock:
            return sized_text(lambda *buffer: lib.kinescope_capsule_to_json(self._handle.pointer, *buffer))

    @property
    def name(self) -> str:
        """What the capsule shows, for people."""
        return sized_text(lambda *buffer: lib.kinescope_capsule_name(self._handle.pointer, *buffer))

    def __len__(self) -> int:
        """The number of frames."""
        return int(lib.kinescope_capsule_frames(self._handle.pointer))

    def animated(self, frame: int = 0) -> Array:
        """Returns the animated pose of a frame, the input of the first layer, `(bones, 7)`, in model space."""
        out = np.empty(self._shape, np.float32)
        with self._handle.lock:
            check(lib.kinescope_capsule_animated(self._handle.pointer, frame, self._pose.point(out)))
        return out

    def replay(self, frame: int = 0, ground: Ground | None = None) -> Array:
        """Solves a frame again, with the settings and the state of the capsule. Returns the solved pose, `(bones, 7)`, in model space."""
        out = np.empty(self._shape, np.float32)
        stack = ffi.new("KinescopeStack **")
        with self._handle.lock:
            try:
                replay = lib.kinescope_capsule_replay
                self._call.cast(lambda casts: int(replay(self._handle.pointer, frame, casts, stack)), ground)
                check(lib.kinescope_stack_pose(stack[0], self._pose.point(out)))
            finally:
                lib.kinescope_stack_free(stack[0])
        return out

    def check(self, ground: Ground | None = None) -> list[Change]:
        """Solves every frame again. Returns the frames whose result differs from the recorded one.

        Results are compared exactly, but sine and cosine differ in the last bit between platforms: on another machine compare
        `distance` with a tolerance.
        """
        changed, change, found = ffi.new("size_t *"), ffi.new("KinescopeCapsuleChange *"), []
        pointer = self._handle.pointer
        with self._handle.lock:
            self._call.cast(lambda casts: int(lib.kinescope_capsule_check(pointer, casts, changed)), ground)
            for index in range(changed[0]):
                check(lib.kinescope_capsule_change(pointer, index, change))
                point = sized_text(lambda *buffer: lib.kinescope_capsule_change_point(pointer, index, *buffer))
                found.append(Change(int(change.frame), point, float(change.distance)))
        return found

    def sweep(
        self, measure: str, x: Axis, y: Axis | None = None, ground: Ground | None = None, progress: Progress | None = None
    ) -> npt.NDArray[np.float32]:
        """Solves all frames for every value of a parameter, or for every pair of values of two, on all processors.

        Parameters:
            measure: A key of `Stack.measures`.
            x: The parameter along rows.
            y: A second parameter, along columns.
            ground: The ground; its methods are called from other threads, one at a time.
            progress: Receives the progress from 0 to 1; returns False to cancel the sweep, which then raises `Cancelled`.

        Returns the mean of the absolute value of the measure over the frames: `(x.values,)`, or `(y.values, x.values)`.
        """
        key = text(measure, "measure")
        with self._handle.lock:
            return run_sweep(lib.kinescope_sweep_new, (self._handle.pointer, key), (x, y), (self._call, ground), progress)

    def sensitivities(self, measure: str, ground: Ground | None = None, progress: Progress | None = None) -> list[Sensitivity]:
        """Returns all parameters that affect a measure (a key of `Stack.measures`), the strongest first."""
        key = text(measure, "measure")
        with self._handle.lock:
            return find_sensitivities(lib.kinescope_sensitivities_new, (self._handle.pointer, key), (self._call, ground), progress)
