"""Recordings of a stack: break conditions, pops, foot slide and measures of the motion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._capsule import Axis, Sensitivity, find_sensitivities, run_sweep
from ._grounding import Ground, GroundCall
from ._native import Array, Handle, check, ffi, lib, number_of, sized_text, text
from ._progress import Progress, reports
from ._solver import Solver
from ._stack import Stack
from ._tables import CONDITIONS, MOTION_MEASURES, SIDES


@dataclass
class Breaks:
    """Break conditions: those that are on, and their thresholds."""

    conditions: tuple[str, ...] = CONDITIONS
    """The conditions that are on; some of CONDITIONS."""
    bend_turn_degrees: float = 20.0
    """`bend_turn`: the largest turn of an elbow, knee or chain joint about its limb, in degrees per frame."""
    bone_length_fraction: float = 0.01
    """`bone_length`: the largest deviation, as a fraction of the bone's length."""
    error_rise_fraction: float = 0.02
    """`error_rises`: the largest increase of an error by an iteration, as a fraction of the limb's length."""
    jerk_degrees: float = 10.0
    """`jerk`: the largest second difference of a joint's angle over three frames, in degrees."""
    slide_metres: float = 0.01
    """`foot_slide`: the largest distance that a planted foot slides since it landed, in metres."""

    def _c(self) -> Any:
        own = ffi.new("KinescopeBreaks *")
        for name in self.conditions:
            own.is_on[number_of(CONDITIONS, name, "condition")] = 1
        own.bend_turn_degrees, own.bone_length_fraction = self.bend_turn_degrees, self.bone_length_fraction
        own.error_rise_fraction, own.jerk_degrees = self.error_rise_fraction, self.jerk_degrees
        own.slide_metres = self.slide_metres
        return own


class BreakHit(NamedTuple):
    """A break condition that holds."""

    condition: str
    """One of CONDITIONS."""
    text: str
    """A sentence, such as `left elbow flips: 143° in one frame`."""
    layer: int
    """The layer, by its number among the layers that were solved."""
    step: int
    """The step of the layer."""
    point: int | None
    """The point of the layer; None if the layer has none for a sliding foot."""


class Pop(NamedTuple):
    """The largest jerk of a joint."""

    joint: str
    """Layer and joint, such as `full body, left elbow, flexion`."""
    degrees: float
    """The second difference of the joint's angle over three frames."""
    frame: int
    """The number of the earlier of the two frames between which the joint jumps."""
    step: int | None
    """The first step at which the solves of both frames differ by at least the mean of their differences after the first step and at the end."""
    step_name: str
    """The name of that step; empty if there is none."""


class Slide(NamedTuple):
    """A stance of a foot, from landing to lifting."""

    side: str
    """One of SIDES."""
    first: int
    """The number of the first frame."""
    last: int
    """The number of the last frame."""
    animated: float
    """The distance that the foot slides in the animated pose, in model units along the ground."""
    solved: float
    """The distance that the foot slides in the solved pose, in model units along the ground."""
    has_landed: bool
    """Whether the foot landed within the recording."""


class Recording:
    """The frames that a stack solved, with everything that is needed to solve them again.

        recording = Recording(stack)
        for pose in motion:
            stack.solve(pose, dt=1 / 60)
            recording.record()
        print(recording.pops()[0])

    It holds 64 MiB of frames, more than a minute of Kinescope's built-in biped at 60 Hz; then new frames replace the oldest ones. Frames
    have consecutive numbers.

    Parameters:
        stack: The stack whose frames are recorded.
    """

    def __init__(self, stack: Stack) -> None:
        self._stack: Stack | None = stack
        with stack._handle.lock:
            self._own(stack._solver, Handle("tape", stack._handle.pointer))

    def _own(self, solver: Solver, handle: Handle) -> None:
        self._solver = solver
        self._handle = handle
        self._call = GroundCall()

    def record(self) -> None:
        """Records the last frame that the stack solved, its `dt`, at most 0.1 s, after the previous one; with a `dt` of 0, in its place."""
        if self._stack is None:
            raise ValueError("a recording that was solved again has no stack to record")
        with self._handle.lock, self._stack._handle.lock:
            check(lib.kinescope_tape_record(self._handle.pointer, self._stack._handle.pointer))

    def __len__(self) -> int:
        """The number of frames."""
        with self._handle.lock:
            return int(lib.kinescope_tape_frames(self._handle.pointer))

    @property
    def numbers(self) -> range:
        """The numbers of the frames."""
        first, last = ffi.new("uint64_t *"), ffi.new("uint64_t *")
        with self._handle.lock:
            if check(lib.kinescope_tape_range(self._handle.pointer, first, last)):
                return range(0)
        return range(int(first[0]), int(last[0]) + 1)

    def time(self, number: int) -> float:
        """Returns the time of a frame in seconds since the first one that was recorded; NaN if there is no such frame."""
        with self._handle.lock:
            return float(lib.kinescope_tape_time(self._handle.pointer, number))

    def values(self, measure: str) -> Array:
        """Returns a measure (a key of `Stack.measures`) of every frame; NaN for a frame that lacks it."""
        key = text(measure, "measure")
        with self._handle.lock:
            pointer = self._handle.pointer
            values = np.empty(int(lib.kinescope_tape_frames(pointer)), np.float32)
            check(lib.kinescope_tape_values(pointer, key, ffi.cast("float *", values.ctypes.data), values.size, ffi.NULL))
        return values

    def measure(self, measure: str) -> float | None:
        """Returns a measure of the whole recording, one of MOTION_MEASURES: an angle in radians, or a length in model units.

        Returns None if the recording is too short, or lacks the joints or stances that are measured.
        """
        value, number = ffi.new("float *"), number_of(MOTION_MEASURES, measure, "measure")
        with self._handle.lock:
            if check(lib.kinescope_tape_measure(self._handle.pointer, number, value)):
                return None
        return float(value[0])

    def slides(self) -> list[Slide]:
        """Returns the stances of both feet, oldest first; the last ones may still be in progress."""
        count = ffi.new("size_t *")
        with self._handle.lock:
            slides, pointer = lib.kinescope_tape_slides, self._handle.pointer
            check(slides(pointer, ffi.NULL, 0, count))
            own = ffi.new("KinescopeSlide[]", max(1, count[0]))
            check(slides(pointer, own, count[0], ffi.NULL))
        found = list(own)[: count[0]]
        return [Slide(SIDES[s.side], int(s.first), int(s.last), float(s.animated), float(s.solved), bool(s.has_landed)) for s in found]

    def pops(self) -> list[Pop]:
        """Returns the largest jerk of every joint whose jerk exceeds 1e-4 radians, the largest first. A recording needs at least four frames."""
        count, pop, found = ffi.new("size_t *"), ffi.new("KinescopePop *"), []
        with self._handle.lock:
            pointer = self._handle.pointer
            check(lib.kinescope_tape_find_pops(pointer, count))
            for index in range(count[0]):
                check(lib.kinescope_tape_pop(pointer, index, pop))
                joint = sized_text(lambda *buffer: lib.kinescope_tape_pop_joint(pointer, index, *buffer))
                name = sized_text(lambda *buffer: lib.kinescope_tape_pop_step(pointer, index, *buffer))
                step = None if pop.step < 0 else int(pop.step)
                found.append(Pop(joint, float(pop.degrees), int(pop.frame), step, name))
        return found

    def check(self, breaks: Breaks) -> BreakHit | None:
        """Checks the frame that was recorded last. Returns the first condition that holds, in the order of CONDITIONS."""
        own, hit = breaks._c(), ffi.new("KinescopeBreakHit *")
        with self._handle.lock:
            pointer = self._handle.pointer
            if check(lib.kinescope_tape_check(pointer, own, hit)):
                return None
            text_ = sized_text(lambda *buffer: lib.kinescope_tape_hit_text(pointer, *buffer))
        return BreakHit(CONDITIONS[hit.condition], text_, int(hit.layer), int(hit.step), None if hit.point < 0 else int(hit.point))

    def replay(self, number: int, ground: Ground | None = None) -> Stack:
        """Solves a frame again. Returns a stack with this frame as its last one, for `Stack.attribute`, `Stack.why` and `Capsule.of`."""
        stack = ffi.new("KinescopeStack **")
        with self._handle.lock:
            replay, pointer = lib.kinescope_tape_replay, self._handle.pointer
            self._call.cast(lambda casts: int(replay(pointer, number, casts, stack)), ground)
        return Stack._of(self._solver, Handle.of("stack", stack[0]))

    def solve_again(self, preset: str | None = None, ground: Ground | None = None, progress: Progress | None = None) -> Recording:
        """Solves all frames again, each with the state of the frame before it. Returns a recording of the results.

        Parameters:
            preset: The settings of all frames, as JSON text; None for the recorded settings.
            ground: The ground, as in `Stack.solve`.
            progress: Receives the progress from 0 to 1; returns False to cancel the work, which then raises `Cancelled`.
        """
        json = ffi.NULL if preset is None else text(preset, "preset")
        tape = ffi.new("KinescopeTape **")
        with self._handle.lock, reports(progress) as report:
            again, pointer = lib.kinescope_tape_solve_again, self._handle.pointer
            self._call.cast(lambda casts: int(again(pointer, casts, json, report, tape)), ground)
        own = Recording.__new__(Recording)
        own._stack = None
        own._own(self._solver, Handle.of("tape", tape[0]))
        return own

    def sweep(
        self, measure: str, x: Axis, y: Axis | None = None, ground: Ground | None = None, progress: Progress | None = None
    ) -> npt.NDArray[np.float32]:
        """Solves the recording again for every value of a parameter, or for every pair of values of two, on all processors.

        Returns the measure, one of MOTION_MEASURES, for each: `(x.values,)`, or `(y.values, x.values)`.
        """
        number = number_of(MOTION_MEASURES, measure, "measure")
        with self._handle.lock:
            of = (self._handle.pointer, number)
            return run_sweep(lib.kinescope_sweep_new_of_tape, of, (x, y), (self._call, ground), progress)

    def sensitivities(self, measure: str, ground: Ground | None = None, progress: Progress | None = None) -> list[Sensitivity]:
        """Returns all parameters that affect a measure, one of MOTION_MEASURES, the strongest first."""
        number = number_of(MOTION_MEASURES, measure, "measure")
        with self._handle.lock:
            of = (self._handle.pointer, number)
            return find_sensitivities(lib.kinescope_sensitivities_new_of_tape, of, (self._call, ground), progress)

    def clear(self) -> None:
        """Drops all frames. Numbers continue, and the time begins again at 0."""
        with self._handle.lock:
            check(lib.kinescope_tape_clear(self._handle.pointer))
