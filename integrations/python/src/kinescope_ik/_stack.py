"""All layers of a preset in one call, and the motion of another character."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._fields import Numbers, Vec3
from ._grounding import OUTPUT, Footprint, Ground, GroundCall, transform
from ._native import Array, Handle, check, ffi, lib, number_of, read_pose, room, sized_text, text
from ._settings import Settings, settings_pointer
from ._solver import PosePointer, Solver
from ._tables import EFFECTORS, GROUPINGS, MISSES, REASONS


class Retargeter:
    """Moves a character by the poses of another one, by their roles; names of bones, their axes and proportions may differ.

        retargeter = Retargeter(actor, hero)
        pose = retargeter.retarget(pose_of_the_actor)

    Parameters:
        source: The solver of the character whose motion is used.
        target: The solver of the character that moves.
    """

    def __init__(self, source: Solver, target: Solver) -> None:
        self.source = source
        """The character whose motion is used."""
        self.target = target
        """The character that moves."""
        self._handle = Handle("retargeter", source._c, target._c)
        self._from = PosePointer(len(source.rig))
        self._to = PosePointer(len(target.rig))

    @property
    def scale(self) -> float:
        """The target's leg length divided by the source's, by which paths are scaled."""
        return float(lib.kinescope_retargeter_scale(self._handle.pointer))

    def retarget(self, pose: npt.ArrayLike, path: float = 1.0, out: Array | None = None) -> Array:
        """Returns a pose of the target, in `out` if that is given.

        Parameters:
            pose: A pose of the source, `(bones, 7)`, in model space.
            path: A factor of the pelvis's path along the ground.
            out: Receives the pose: C-contiguous, float32.
        """
        own = read_pose(pose, len(self.source.rig), "pose")
        out = room(out, self.target._shape)
        with self._handle.lock:
            check(lib.kinescope_retarget(self._handle.pointer, self._from.point(own), path, self._to.point(out)))
        return out


class AttributionRow(NamedTuple):
    """A group of moves, and how far they moved a bone."""

    label: str
    """The name of the group, such as a constraint or a stage."""
    moves: int
    """Number of moves, and of steps that displace the bone outside their moves."""
    along: float
    """The part of the sum along the bone's total displacement. All rows add up to the length of the total."""
    sum: Vec3
    """The sum of the displacements, in model space."""
    layer: int
    """The layer with the longest displacement of the group, by its number among the layers that were solved."""
    step: int
    """The step of that displacement."""
    event: int | None
    """The event of that step; None if the step itself moved the bone."""


class Attribution(NamedTuple):
    """The displacement of a bone in a solve, divided among its causes."""

    before: Vec3
    """The position in the animated pose, in model space."""
    after: Vec3
    """The position in the solved pose, in model space."""
    rows: tuple[AttributionRow, ...]
    """The groups, the one with the largest absolute value of `along` first."""


class Why(NamedTuple):
    """How and why the bone of an effector misses its target."""

    gap: float
    """The distance of the bone from the target, in model units."""
    miss: str
    """One of MISSES: whether the bone is in front of the target (`short`), beyond it (`past`) or to its side (`aside`)."""
    reason: str
    """One of REASONS."""
    distance: float
    """The distance from the limb's first bone to the target, for `too_far` and `too_near`; otherwise 0."""
    limit: float
    """The largest or the smallest distance that the limb allows, for the same reasons; otherwise 0."""
    weight: float
    """The weight, for `weight` and `mapping`; otherwise 1."""


class Cure(NamedTuple):
    """The change of a parameter that brings a bone nearest to its target."""

    parameter: str
    """The path of the parameter in presets."""
    value: float
    gap: float
    """The distance from the target that then remains, in model units."""


def _vec3(own: Any) -> Vec3:
    return (float(own.x), float(own.y), float(own.z))


class Stack:
    """A character with all layers of a preset, among them chains, attached targets, modifiers, grounding, full body and foot lock.

        stack = Stack(solver, preset)
        solved = stack.solve(pose, dt=1 / 60, ground=terrain, root=root)

    Parameters:
        solver: The character's solver.
        json: A preset as JSON text; None for the full body alone.
    """

    def __init__(self, solver: Solver, json: str | None = None) -> None:
        self._own(solver, Handle("stack", solver._c))
        if json is not None:
            self.load_preset(json)

    def _own(self, solver: Solver, handle: Handle) -> None:
        self._solver = solver
        self._handle = handle
        self._pose = PosePointer(len(solver.rig))
        self._source = PosePointer(0)
        self._call = GroundCall()

    @classmethod
    def _of(cls, solver: Solver, handle: Handle) -> Stack:
        own = cls.__new__(cls)
        own._own(solver, handle)
        return own

    def load_preset(self, json: str) -> None:
        """Reads all layers of a preset. The state of layers stays. Raises `FileError` with line and field."""
        with self._handle.lock:
            check(lib.kinescope_stack_from_preset(self._handle.pointer, text(json, "json")))

    def to_preset(self) -> str:
        """Returns all layers as a preset, which the window opens."""
        with self._handle.lock:
            return sized_text(lambda *buffer: lib.kinescope_stack_to_preset(self._handle.pointer, *buffer))

    @property
    def settings(self) -> Settings:
        """The parameters of the full body: a copy. Assign settings to change them."""
        own = Settings()
        with self._handle.lock:
            check(lib.kinescope_stack_get_settings(self._handle.pointer, own._c))
        return own

    @settings.setter
    def settings(self, settings: Settings) -> None:
        with self._handle.lock:
            check(lib.kinescope_stack_set_settings(self._handle.pointer, settings_pointer(settings)))

    def solve(
        self,
        pose: npt.ArrayLike,
        dt: float,
        ground: Ground | None = None,
        root: Numbers = (0, 0, 0, 0, 0, 0, 1),
        time: float = 0.0,
        planted: Numbers = (1.0, 1.0),
        crossed: Sequence[float | None] = (None, None),
        carried: Sequence[Numbers] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        footprints: Sequence[Footprint | None] = (None, None),
        layers: Sequence[int] = (255, 255),
        keeps_world_up: bool = False,
        out: Array | None = None,
    ) -> Array:
        """Solves one frame of all layers that are on.

        Parameters:
            pose: The animated pose, `(bones, 7)`, in model space.
            dt: Seconds since the last frame.
            ground: Casts rays; None without ground. Its exceptions are raised here.
            time: Time in the clip that plays, for keyed effectors.
            out: Receives the solved pose: C-contiguous, float32. `out=pose` solves in place.

        The other parameters are those of `Grounder.ground`. Returns the solved pose. If a layer fails, the exception names it, and
        `out` has the animated pose.
        """
        own = read_pose(pose, len(self._solver.rig), "pose")
        out = room(out, self._solver._shape)
        if out is not own:
            np.copyto(out, own)
        with self._handle.lock:
            pointer = self._pose.point(out)

            def call(casts: Any, frame: Any) -> int:
                return int(lib.kinescope_stack_solve(self._handle.pointer, casts, frame, time, pointer))

            self._call.run(call, ground, dt, root, planted, crossed, carried, footprints, layers, keeps_world_up)
        return out

    def parameters(self) -> dict[str, float]:
        """Returns all numeric settings of all layers by their paths in presets, such as `chains.left_arm.pull`."""
        value, found = ffi.new("float *"), {}
        with self._handle.lock:
            pointer = self._handle.pointer
            for index in range(lib.kinescope_stack_parameters(pointer)):
                path = sized_text(lambda *buffer: lib.kinescope_stack_parameter(pointer, index, *buffer))
                check(lib.kinescope_stack_get_parameter(pointer, path.encode(), value))
                found[path] = float(value[0])
        return found

    def set_parameter(self, parameter: str, value: float) -> None:
        """Changes a numeric setting by its path, within the range of `parameter_range`."""
        with self._handle.lock:
            check(lib.kinescope_stack_set_parameter(self._handle.pointer, text(parameter, "parameter"), value))

    def trigger(self, index: int) -> bool:
        """Starts the action of a modifier, by its place in the preset from 0. Returns False if the modifier has no action."""
        with self._handle.lock:
            return check(lib.kinescope_stack_trigger(self._handle.pointer, index)) == 0

    def strike(self, point: Numbers, direction: Numbers, force: float, root: Numbers = (0, 0, 0, 0, 0, 0, 1)) -> bool:
        """Strikes the character, as `Modifiers.strike` does, at a point and in a direction in world space.

        `root` is the character's place in the world. Returns False if no modifier reacts.
        """
        at, way = (tuple(map(float, own)) for own in (point, direction))
        with self._handle.lock:
            return check(lib.kinescope_stack_strike(self._handle.pointer, transform(root, "root"), at, way, force)) == 0

    def set_source(self, retargeter: Retargeter | None, pose: npt.ArrayLike | None = None, path: float = 1.0) -> None:
        """Sets a pose of another character, which `solve` retargets instead of reading the animated pose. It applies until it is changed.

        With `"stack": {"retarget": {"on": true}}` in the preset, feet and hands keep their places as far as its settings say.

        Parameters:
            retargeter: The map to this character; None ends retargeting.
            pose: A pose of the retargeter's source, `(bones, 7)`; None also ends retargeting.
            path: A factor of the pelvis's path along the ground.
        """
        with self._handle.lock:
            if retargeter is None or pose is None:
                check(lib.kinescope_stack_set_source(self._handle.pointer, ffi.NULL, ffi.NULL, 1.0))
                return
            own = read_pose(pose, len(retargeter.source.rig), "pose")
            self._source.c.count = len(own)
            pointers = (retargeter._handle.pointer, self._source.point(own))
            check(lib.kinescope_stack_set_source(self._handle.pointer, *pointers, path))

    def reset(self) -> None:
        """Clears the state of all layers, for example after a cut."""
        with self._handle.lock:
            check(lib.kinescope_stack_reset(self._handle.pointer))

    @property
    def pose(self) -> Array:
        """The solved pose of the last frame, `(bones, 7)`, in model space: a copy. If a layer failed, the pose that the other layers gave."""
        out = np.empty(self._solver._shape, np.float32)
        with self._handle.lock:
            if check(lib.kinescope_stack_pose(self._handle.pointer, self._pose.point(out))):
                raise ValueError("the stack has solved no frame")
        return out

    @property
    def output(self) -> npt.NDArray[Any] | None:
        """The goals of grounding of the last frame, as `Grounder.output`; None if there were none."""
        own = ffi.new("KinescopeGroundOutput *")
        with self._handle.lock:
            if check(lib.kinescope_stack_output(self._handle.pointer, own)):
                return None
        return np.frombuffer(ffi.buffer(own), OUTPUT)

    def attribute(self, bone: int, by: str = "cause") -> Attribution:
        """Divides the displacement of a bone in the last `solve` among its causes, from the animated pose through all layers.

        Parameters:
            bone: The bone's index.
            by: One of GROUPINGS: by constraint, effector or pass (`cause`), by step (`stage`), by chain, limb or part
                of the character (`chain`), or by `iteration`.
        """
        grouping = number_of(GROUPINGS, by, "grouping")
        with self._handle.lock:
            table = Handle("attribution", self._handle.pointer, bone, grouping)
        before, after, row = ffi.new("KinescopeVec3 *"), ffi.new("KinescopeVec3 *"), ffi.new("KinescopeAttributionRow *")
        check(lib.kinescope_attribution_total(table.pointer, before, after))
        rows = []
        for index in range(lib.kinescope_attribution_rows(table.pointer)):
            check(lib.kinescope_attribution_row(table.pointer, index, row))
            label = sized_text(lambda *buffer: lib.kinescope_attribution_label(table.pointer, index, *buffer))
            event = None if row.event < 0 else int(row.event)
            rows.append(AttributionRow(label, int(row.count), float(row.along), _vec3(row.sum), int(row.layer), int(row.step), event))
        return Attribution(_vec3(before), _vec3(after), tuple(rows))

    def why(self, effector: str) -> Why | None:
        """Explains the distance of an effector's bone from its target in the last `solve`.

        `effector` is one of EFFECTORS. Returns None if its position weight or the master weight is 0, and if the full body
        was not solved.
        """
        own, number = ffi.new("KinescopeWhy *"), number_of(EFFECTORS, effector, "effector")
        with self._handle.lock:
            if check(lib.kinescope_stack_why(self._handle.pointer, number, own)):
                return None
        return Why(float(own.gap), MISSES[own.miss], REASONS[own.reason], float(own.distance), float(own.limit), float(own.weight))

    def cure(self, effector: str) -> Cure | None:
        """Finds the parameter whose change brings an effector's bone nearest to its target.

        Solves the frame with both ends of the range of 25 parameters. Discards values with which the largest distance of the other
        effectors grows by more than 10 % of this effector's. Returns None if no other value reduces the distance by more than 10 %.
        """
        value, gap, number = ffi.new("float *"), ffi.new("float *"), number_of(EFFECTORS, effector, "effector")
        with self._handle.lock:
            cure = lib.kinescope_stack_cure
            parameter = sized_text(lambda *buffer: cure(self._handle.pointer, number, value, gap, *buffer))
        return Cure(parameter, float(value[0]), float(gap[0])) if parameter else None

    def measures(self) -> dict[str, float]:
        """Returns the measures of the last `solve` by their keys, such as `left_hand_gap`: lengths, fractions, and angles in radians."""
        with self._handle.lock:
            pointer = self._handle.pointer
            found = {}
            for index in range(lib.kinescope_stack_measures(pointer)):
                key = sized_text(lambda *buffer: lib.kinescope_stack_measure_key(pointer, index, *buffer))
                found[key] = float(lib.kinescope_stack_measure(pointer, index))
            return found
