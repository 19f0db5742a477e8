"""Modifiers: recoil, look-at, reach-for and others, which act before, during and after a solve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ._fields import ModifierFields, Numbers
from ._native import FLOAT32, Array, Error, Handle, check, check_out, ffi, lib, number_of, read_pose, sized_text, text
from ._settings import Settings, settings_pointer
from ._solver import PosePointer, Solver
from ._tables import EFFECTORS, MODIFIERS, ArmBending, Breathing, FourBones, HeadFields, HitReaction, Inertia, KeyedFields
from ._tables import LookAt, ReachFor, Recoil, TwoHandedGrip


class Head(HeadFields):
    __doc__ = HeadFields.__doc__
    __slots__ = ()

    def set_bones(self, bones: Sequence[tuple[float, float]]) -> None:
        """Sets weight and damper of single bones: of each spine bone from the pelvis up, then of each neck bone."""
        own = ffi.new("KinescopeHeadBone[]", [(float(weight), float(damper)) for weight, damper in bones])
        self._list._call("set_head_bones", self, own, len(own))


class Keyed(KeyedFields):
    __doc__ = KeyedFields.__doc__
    __slots__ = ()

    def set_keys(
        self,
        effector: str,
        times: npt.ArrayLike,
        positions: npt.ArrayLike,
        rotations: npt.ArrayLike | None = None,
        position_weights: npt.ArrayLike = 1.0,
        rotation_weights: npt.ArrayLike = 0.0,
    ) -> None:
        """Sets the keys of an effector; an empty list removes them.

        Parameters:
            effector: One of EFFECTORS.
            times: Times in the clip in seconds, `(keys,)`.
            positions: `(keys, 3)`.
            rotations: Quaternions x, y, z, w, `(keys, 4)`; None for no rotation.
            position_weights: From 0 to 1, `(keys,)` or one number.
            rotation_weights: From 0 to 1, `(keys,)` or one number.
        """
        at = np.asarray(times, np.float32)
        count = len(at) if at.ndim == 1 else -1
        if count < 0:
            raise ValueError(f"times: has the shape {at.shape}, expected (keys,)")
        columns = np.zeros((count, 10), np.float32)
        columns[:, 7] = 1
        parts = {"positions": (positions, 1, 3), "position_weights": (position_weights, 8, 0)}
        parts["rotation_weights"] = (rotation_weights, 9, 0)
        if rotations is not None:
            parts["rotations"] = (rotations, 4, 4)
        columns[:, 0] = at
        for name, (value, first, width) in parts.items():
            own = np.asarray(value, np.float32)
            if width and own.shape != (count, width):
                raise ValueError(f"{name}: has the shape {own.shape}, expected ({count}, {width})")
            if not width and own.shape not in ((), (count,)):
                raise ValueError(f"{name}: has the shape {own.shape}, expected ({count},) or one number")
            columns[:, first : first + max(width, 1)] = own.reshape(-1, width) if width else own.reshape(-1, 1)
        keys = ffi.cast("KinescopeKey *", columns.ctypes.data)
        self._list._call("set_keys", self, number_of(EFFECTORS, effector, "effector"), keys, count)


KINDS: tuple[type[ModifierFields], ...] = (
    Recoil,
    TwoHandedGrip,
    HitReaction,
    Inertia,
    Breathing,
    LookAt,
    ReachFor,
    Keyed,
    Head,
    FourBones,
    ArmBending,
)
"""The classes of modifiers, in the order of MODIFIERS."""

M = TypeVar("M", bound=ModifierFields)


class Modifiers:
    """The modifiers of one character, in the order in which they act, with their state from frame to frame.

        modifiers = Modifiers(solver)
        look = modifiers.add(LookAt)
        look.target = (1, 1.6, 3)
        solved = modifiers.solve(pose, settings, dt=1 / 60)

    A change of a modifier's settings applies at once; a value out of its range raises `SettingsError` and changes nothing.
    """

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._handle = Handle("modifiers", solver._c)
        self._own: list[ModifierFields] = []
        self._pose = PosePointer(len(solver.rig))

    def __len__(self) -> int:
        return len(self._own)

    def __iter__(self) -> Iterator[ModifierFields]:
        return iter(tuple(self._own))

    def __getitem__(self, index: int) -> ModifierFields:
        return self._own[index]

    def add(self, kind: type[M]) -> M:
        """Adds a modifier of a class of `KINDS` with default settings at the end, and returns it."""
        if kind not in KINDS:
            raise TypeError(f"kind: is {kind!r}, expected a class of modifiers, such as kinescope_ik.Recoil")
        with self._handle.lock:
            check(lib.kinescope_modifiers_add(self._handle.pointer, KINDS.index(kind), ffi.NULL))
            made = self._view(kind, len(self._own))
            self._own.append(made)
        return made

    def remove(self, modifier: ModifierFields) -> None:
        """Removes a modifier; those after it move up."""
        index = self._index(modifier)
        with self._handle.lock:
            check(lib.kinescope_modifiers_remove(self._handle.pointer, index))
            del self._own[index]

    def load_preset(self, json: str) -> bool:
        """Replaces the list and the attached targets by the sections `modifiers` and `attachments` of a preset.

        Returns False if the preset has neither section.
        """
        with self._handle.lock:
            if check(lib.kinescope_modifiers_from_preset(self._handle.pointer, text(json, "json"))):
                return False
            count = int(lib.kinescope_modifiers_count(self._handle.pointer))
            kinds = [KINDS[lib.kinescope_modifiers_kind(self._handle.pointer, index)] for index in range(count)]
            self._own = [self._view(kind, index) for index, kind in enumerate(kinds)]
        return True

    def to_preset(self) -> str:
        """Returns the modifiers and the attached targets of effectors as a preset."""
        with self._handle.lock:
            return sized_text(lambda *buffer: lib.kinescope_modifiers_to_preset(self._handle.pointer, *buffer))

    def reset(self) -> None:
        """Resets the state of all modifiers, for example after a cut or a teleport."""
        with self._handle.lock:
            check(lib.kinescope_modifiers_reset(self._handle.pointer))

    def strike(self, point: Numbers, direction: Numbers, force: float) -> bool:
        """Strikes the character: every hit reaction reacts. Returns False if there is none.

        Parameters:
            point: Where, in model space.
            direction: Of any length but 0.
            force: How far the blow throws the struck place, as a fraction of the character's height.
        """
        root = ((0, 0, 0), (0, 0, 0, 1))
        with self._handle.lock:
            own = (root, _three(point, "point"), _three(direction, "direction"), force)
            return check(lib.kinescope_modifiers_strike(self._handle.pointer, *own)) == 0

    def attach(
        self,
        target: ModifierFields | str,
        to: int | str,
        offset: Numbers = (0.0, 0.0, 0.0),
        rotation_offset: Numbers | None = None,
    ) -> None:
        """Attaches a target to a bone or an effector, which it follows in every solve.

        Parameters:
            target: A look-at or reach-for of this list, or the name of an effector.
            to: A bone by index, or the name of an effector.
            offset: From the anchor to the target, in the anchor's space.
            rotation_offset: The target's rotation in the anchor's space; None keeps the target's own rotation.
        """
        own = ffi.new("KinescopeAttachment *")
        if isinstance(to, str):
            own.bone, own.effector = -1, number_of(EFFECTORS, to, "effector")
        else:
            own.bone = to
            if own.bone < 0:
                raise ValueError(f"to: is {to}, expected a bone's index or an effector's name")
        own.offset = _three(offset, "offset")
        if rotation_offset is not None:
            own.has_rotation_offset, own.rotation_offset = 1, tuple(map(float, rotation_offset))
        self._attach(target, own)

    def detach(self, target: ModifierFields | str) -> None:
        """Detaches a target."""
        self._attach(target, ffi.NULL)

    def solve(
        self, pose: npt.ArrayLike, settings: Settings, dt: float, time: float = 0.0, out: Array | None = None
    ) -> Array:
        """Solves one frame like `Solver.solve`, with the modifiers before, during and after the solve.

        Parameters:
            pose: The animated pose, `(bones, 7)`.
            settings: The parameters, which are not changed.
            dt: Seconds since the last frame.
            time: Time in the clip that plays, for keyed effectors.
            out: Receives the solved pose, as in `Solver.solve`.

        At master weight 0 nothing is solved, but time passes for the modifiers.
        """
        out, solver = self._input(pose, out), self._solver
        with solver._lock, self._handle.lock:
            moment, own = _moment(dt, time), self._pose.point(out)
            parts = (solver._c, solver._memory, settings_pointer(settings), self._handle.pointer, moment, own)
            check(lib.kinescope_solve_modified(*parts))
        return out

    def before(
        self, pose: npt.ArrayLike, settings: Settings, dt: float, time: float = 0.0, out: Array | None = None
    ) -> tuple[Array, Settings]:
        """Runs the first part of `solve`, for a solve with grounding: returns the pose and the settings as modifiers change them.

            pose, driven = modifiers.before(pose, settings, dt)
            driven = grounder.ground(terrain, pose, driven, dt, root)
            solved = modifiers.after(pose, driven, dt)
        """
        out, solver, driven = self._input(pose, out), self._solver, Settings()
        with solver._lock, self._handle.lock:
            moment, own = _moment(dt, time), self._pose.point(out)
            parts = (solver._c, solver._memory, settings_pointer(settings), self._handle.pointer, moment, own, driven._c)
            check(lib.kinescope_modifiers_before(*parts))
        return out, driven

    def after(
        self, pose: npt.ArrayLike, driven: Settings, dt: float, time: float = 0.0, out: Array | None = None
    ) -> Array:
        """Runs the second part of `solve`: solves the pose of `before`, with the modifiers during and after the solve."""
        out, solver = self._input(pose, out), self._solver
        with solver._lock, self._handle.lock:
            moment, own = _moment(dt, time), self._pose.point(out)
            parts = (solver._c, solver._memory, settings_pointer(driven), self._handle.pointer, moment, own)
            check(lib.kinescope_solve_after(*parts))
        return out

    def _input(self, pose: npt.ArrayLike, out: Array | None) -> Array:
        shape = self._solver._shape
        if out is None or out is not pose:
            own = read_pose(pose, shape[0], "pose")
            if out is None:
                out = np.empty(shape, FLOAT32)
            else:
                check_out(out, shape, "out")
            np.copyto(out, own)
        else:
            check_out(out, shape, "out")
        return out

    def _index(self, modifier: ModifierFields) -> int:
        for index, own in enumerate(self._own):
            if own is modifier:
                return index
        raise ValueError("the modifier is not, or no longer, in this list")

    def _view(self, kind: type[M], index: int) -> M:
        """Returns an object with a copy of a modifier's settings."""
        memory = ffi.new(f"Kinescope{MODIFIERS[KINDS.index(kind)].title().replace('_', '')} *")
        made = kind(memory, memory)
        made._list = self
        made._push = lambda: self._store(made)
        check(self._function("get", made)(self._handle.pointer, index, memory))
        return made

    def _function(self, what: str, modifier: ModifierFields) -> Any:
        return getattr(lib, f"kinescope_modifiers_{what}_{MODIFIERS[KINDS.index(type(modifier))]}")

    def _store(self, modifier: ModifierFields) -> None:
        index = self._index(modifier)
        with self._handle.lock:
            try:
                check(self._function("set", modifier)(self._handle.pointer, index, modifier._c))
            except Error:
                self._function("get", modifier)(self._handle.pointer, index, modifier._c)
                raise

    def _trigger(self, modifier: ModifierFields) -> bool:
        index = self._index(modifier)
        with self._handle.lock:
            return check(lib.kinescope_modifiers_trigger(self._handle.pointer, index)) == 0

    def _call(self, name: str, modifier: ModifierFields, *arguments: Any) -> None:
        index = self._index(modifier)
        with self._handle.lock:
            check(getattr(lib, f"kinescope_modifiers_{name}")(self._handle.pointer, index, *arguments))

    def _attach(self, target: ModifierFields | str, attachment: Any) -> None:
        if isinstance(target, str):
            number = number_of(EFFECTORS, target, "effector")
            with self._handle.lock:
                check(lib.kinescope_modifiers_attach_effector(self._handle.pointer, number, attachment))
        else:
            self._call("attach", target, attachment)


def _three(value: Numbers, what: str) -> tuple[float, ...]:
    numbers = tuple(map(float, value))
    if len(numbers) != 3:
        raise ValueError(f"{what}: has {len(numbers)} numbers, expected 3")
    return numbers


def _moment(dt: float, time: float) -> Any:
    return ffi.new("KinescopeMoment *", (((0, 0, 0), (0, 0, 0, 1)), dt, time))
