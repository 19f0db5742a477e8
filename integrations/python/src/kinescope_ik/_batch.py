"""Solves of many characters at once."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
import numpy.typing as npt

from ._native import FLOAT32, Array, Handle, check, check_out, ffi, last_error, lib
from ._modifiers import Modifiers
from ._settings import SETTINGS, Settings, settings_pointer
from ._solver import Solver
from ._tables import BONES


class BatchError(ValueError):
    """Some characters of a batch were refused; the others are solved."""

    statuses: npt.NDArray[np.int32]
    """The C library's status of each character, below 0 for the refused ones."""

    def __init__(self, why: str, statuses: npt.NDArray[np.int32]) -> None:
        super().__init__(why)
        self.statuses = statuses


class Batch:
    """Solves many characters together on all processors, without the GIL. Three or more whose solves take the same steps share a register.

    Parameters:
        solvers: The solver of each character, all with the same number of bones. To solve one rig many times, pass
            `[solver] * count`.
    """

    def __init__(self, solvers: Sequence[Solver]) -> None:
        self.solvers = tuple(solvers)
        """The solver of each character."""
        counts = {len(solver.rig) for solver in self.solvers}
        if len(counts) > 1:
            raise ValueError(f"solvers: have rigs of {' and '.join(map(str, sorted(counts)))} bones; make one batch for each")
        self._shape = (len(self.solvers), counts.pop() if counts else 0, 7)
        self._many = Handle("many")
        self._is_modified = False
        self._tasks = ffi.new("KinescopeModifiedTask[]", len(self.solvers))
        for modified, solver in zip(self._tasks, self.solvers):
            modified.moment.root.rotation.w = 1
            task = modified.task
            task.solver = solver._c
            task.pose.count = self._shape[1]
            task.pose.position_stride = task.pose.rotation_stride = 28
        # The structures of all tasks as columns: pointers are set by NumPy, not one by one.
        # A modified task begins with its task.
        at = {name: own.offset for name, own in ffi.typeof("KinescopeTask").fields}
        pose = {name: own.offset for name, own in ffi.typeof("KinescopePose").fields}
        columns = np.dtype({
            "names": ["settings", "positions", "rotations", "status"],
            "formats": [np.uintp, np.uintp, np.uintp, np.int32],
            "offsets": [at["settings"], at["pose"] + pose["positions"], at["pose"] + pose["rotations"], at["status"]],
            "itemsize": ffi.sizeof("KinescopeModifiedTask"),
        })
        memory = ffi.buffer(self._tasks)
        self._columns: npt.NDArray[Any] = np.frombuffer(memory, columns) if self.solvers else np.empty(0, columns)

    def __len__(self) -> int:
        return len(self.solvers)

    def solve(
        self,
        poses: npt.ArrayLike,
        settings: Settings | Sequence[Settings] | npt.NDArray[Any],
        out: Array | None = None,
        bones: str = "all",
        modifiers: Sequence[Modifiers | None] | None = None,
        dt: float = 0.0,
        time: float = 0.0,
    ) -> Array:
        """Solves one frame of every character.

        Parameters:
            poses: The animated poses, `(characters, bones, 7)`.
            settings: The parameters: of all characters, a sequence with those of each, or an array of the type `SETTINGS`.
            out: Receives the solved poses: C-contiguous, float32. `out=poses` solves in place.
            bones: One of BONES: which bones are written.
            modifiers: The modifiers of each character, a list of its own, or None.
            dt: Seconds since the last frame, for modifiers.
            time: Time in the clip that plays, for modifiers.

        Returns the solved poses. Raises `BatchError` if characters are refused: their rows of `out` have the animated poses, and
        all other characters are solved.
        """
        if out is None or out is not poses:
            own = np.asarray(poses)
            if own.dtype.kind not in "fiu":
                raise TypeError(f"poses: has elements of type {own.dtype}, expected numbers")
            if own.shape != self._shape:
                raise ValueError(f"poses: has the shape {own.shape}, expected {self._shape}")
            if out is None:
                out = np.empty(self._shape, FLOAT32)
            else:
                check_out(out, self._shape, "out")
            np.copyto(out, own, casting="same_kind" if own.dtype.kind == "f" else "unsafe")
        else:
            check_out(out, self._shape, "out")
        if bones not in BONES:
            raise ValueError(f"bones: is {bones!r}, expected {' or '.join(BONES)}")
        with ExitStack() as locks:
            locks.enter_context(self._many.lock)
            self._modify(modifiers, dt, time, locks)
            columns, kept = self._columns, self._point_to(settings)
            first = np.uintp(out.ctypes.data)
            columns["positions"] = first + np.arange(len(self), dtype=np.uintp) * np.uintp(28 * self._shape[1])
            columns["rotations"] = columns["positions"] + np.uintp(12)
            check(lib.kinescope_solve_many_modified(self._many.pointer, self._tasks, len(self), BONES.index(bones)))
            del kept
            statuses = columns["status"]
            if len(self) and statuses.min() < 0:
                refused = np.flatnonzero(statuses < 0)
                last = last_error(int(statuses[refused[-1]]))
                why = f"character {', '.join(map(str, refused[:8]))}{', …' if len(refused) > 8 else ''} refused; the last: {last}"
                raise BatchError(why, statuses.copy())
        return out

    def _modify(self, modifiers: Sequence[Modifiers | None] | None, dt: float, time: float, locks: ExitStack) -> None:
        """Sets the modifiers of all tasks, which no other thread may use meanwhile."""
        if modifiers is None:
            if self._is_modified:
                for task in self._tasks:
                    task.modifiers = ffi.NULL
                self._is_modified = False
            return
        own = [one for one in modifiers if one is not None]
        if len(modifiers) != len(self):
            raise ValueError(f"modifiers: has {len(modifiers)} entries, expected {len(self)}")
        if len({id(one) for one in own}) != len(own):
            raise ValueError("modifiers: has a list twice; every character needs its own")
        # In the same order in every batch, so that no two batches wait for locks of each other.
        for one in sorted(own, key=id):
            locks.enter_context(one._handle.lock)
        self._is_modified = True
        for task, mine in zip(self._tasks, modifiers):
            task.modifiers = ffi.NULL if mine is None else mine._handle.pointer
            task.moment.dt, task.moment.time = dt, time

    def _point_to(self, settings: Settings | Sequence[Settings] | npt.NDArray[Any]) -> object:
        """Sets the pointers to the settings and returns the memory that they point to."""
        address = self._columns["settings"]
        if isinstance(settings, np.ndarray):
            if settings.dtype != SETTINGS or settings.shape != (len(self),):
                expected = f"({len(self)},) and the type kinescope_ik.SETTINGS"
                raise ValueError(f"settings: has the shape {settings.shape} and the type {settings.dtype}, expected {expected}")
            own = np.ascontiguousarray(settings)
            address[:] = np.uintp(own.ctypes.data) + np.arange(len(self), dtype=np.uintp) * np.uintp(SETTINGS.itemsize)
            return own
        if isinstance(settings, Settings):
            address[:] = int(ffi.cast("uintptr_t", settings._c))
            return settings
        all_of_them = list(settings)
        if len(all_of_them) != len(self):
            raise ValueError(f"settings: has {len(all_of_them)} entries, expected {len(self)}")
        address[:] = [int(ffi.cast("uintptr_t", settings_pointer(one))) for one in all_of_them]
        return all_of_them
