"""The solver of one character: solves, steps and traces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._fields import Numbers, Vec3
from ._files import save_clip
from ._native import FLOAT32, Array, Handle, check, check_out, dtype_of, ffi, last_error, lib, number_of, read_pose, room, text
from ._rig import Rig
from ._settings import Settings, settings_pointer
from ._tables import NODES, STAGES

STEP: np.dtype[Any] = dtype_of("KinescopeStepNodes")
"""NumPy's type of a step and the nodes after it."""

_from_buffer = ffi.from_buffer
_copyto = np.copyto


class Move(NamedTuple):
    """A single move of one node."""

    node: str
    """One of NODES."""
    start: Vec3
    end: Vec3
    cause: str
    """The cause, as in traces: `reach`, `child_constraint`."""


@dataclass(frozen=True)
class Step:
    """A step of a solve."""

    stage: str
    """One of STAGES."""
    iteration: int | None
    """The iteration of the main loop, from 0; None outside of it."""

    def __str__(self) -> str:
        return self.stage if self.iteration is None else f"{self.iteration + 1} {self.stage}"


@dataclass(frozen=True)
class Trace:
    """Every step of a solve and the nodes after it."""

    records: npt.NDArray[Any]
    """The steps as records of the type `STEP`, in the layout of the C library."""
    moves: Sequence[Sequence[Move]] = field(default=())
    """The moves of each step, if they were asked for."""

    def __len__(self) -> int:
        return len(self.records)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps in order."""
        return tuple(_step(int(own["stage"]), int(own["iteration"])) for own in self.records["step"])

    @property
    def nodes(self) -> Array:
        """The nodes' positions after each step: `(steps, 13, 3)`, float32, in the order of NODES; a view."""
        nodes: Array = self.records["nodes"]
        return nodes

    def node(self, name: str) -> Array:
        """Returns the positions of one node after each step: `(steps, 3)`, a view."""
        return self.nodes[:, number_of(NODES, name, "node")]


def _step(stage: int, iteration: int) -> Step:
    return Step(STAGES[stage], None if iteration < 0 else iteration)


class PosePointer:
    """The C structure of a pose, which points to the memory of arrays of one shape."""

    __slots__ = ("c", "kept")

    def __init__(self, bones: int) -> None:
        self.c: Any = ffi.new("KinescopePose *")
        self.c.position_stride = self.c.rotation_stride = 28
        self.c.count = bones
        self.kept: object = None

    def point(self, pose: Array) -> Any:
        """Points to the memory of a pose and returns the structure. Rows may have any distance."""
        c = self.c
        stride = pose.strides[0]
        if stride == 28:
            floats = _from_buffer("float[]", pose)
            # Keeps the buffer while the structure points to it.
            self.kept = floats
        else:
            floats = ffi.cast("float *", pose.ctypes.data)
            self.kept = pose
        if c.position_stride != stride:
            c.position_stride = c.rotation_stride = stride
        c.positions, c.rotations = floats, floats + 3
        return c


class Solver:
    """The full-body solver of one character.

        solver = Solver(Rig(names, parents, reference))
        settings = Settings()
        settings.effector("left_hand").aim((0.5, 1.3, 0.45))
        solved = solver.solve(pose, settings)

    Poses are arrays of shape `(bones, 7)` and type float32: position x, y, z and rotation x, y, z, w of every bone in model space,
    right-handed, +Y up. Arrays of another type or memory order are copied; float32 is used in place. A quaternion whose length is
    from 0.99 to 1.01 is normalized; any other raises `PoseError` with the bone's name.

    Threads may share a solver: solves of one solver wait for each other, and those of different solvers run side by side, because
    the library runs without the GIL. Raises `RigError` if the bones do not form a biped.
    """

    def __init__(self, rig: Rig) -> None:
        skeleton, biped, _kept = rig._c()
        self.rig = rig
        """The character's bones."""
        self._handle = Handle("solver", skeleton, biped)
        self._workspace = Handle("workspace", self._handle.pointer)
        self._pose = PosePointer(len(rig))
        self._shape = (len(rig), 7)
        self._lock = self._workspace.lock
        # `solve` runs in every frame and must not look these up.
        self._solve = lib.kinescope_solve
        self._c = self._handle.pointer
        self._memory = self._workspace.pointer

    def solve(self, pose: npt.ArrayLike, settings: Settings, out: Array | None = None) -> Array:
        """Solves one frame.

        Parameters:
            pose: The animated pose, `(bones, 7)`. It is not changed unless it is also `out`.
            settings: The parameters: targets, weights and limbs.
            out: Receives the solved pose: C-contiguous, float32, `(bones, 7)`. `out=pose` solves in place, without a copy. If
                it is None, a new array is returned.

        Returns the solved pose. Raises `PoseError` for a pose that is not finite or has no valid rotations, `SettingsError` for a
        setting that cannot be used, ValueError and TypeError for arrays of another shape or type. After a `PoseError` or
        `SettingsError`, `out` has the animated pose.
        """
        shape = self._shape
        if out is None or out is not pose:
            own = read_pose(pose, shape[0], "pose")
            if out is None:
                out = np.empty(shape, FLOAT32)
            else:
                check_out(out, shape, "out")
            _copyto(out, own)
        else:
            check_out(out, shape, "out")
        if type(settings) is not Settings:
            settings_pointer(settings)
        with self._lock:
            status = self._solve(self._c, self._memory, settings._c, self._pose.point(out))
            if status < 0:
                raise last_error(status)
        return out

    def trace(self, pose: npt.ArrayLike, settings: Settings, out: Array | None = None, moves: bool = False) -> Trace:
        """Solves one frame like `solve` and returns every step with the nodes after it.

        `out` receives the solved pose. With `moves`, the trace also has every single move of a node and its cause.
        """
        own, target = self._input(pose, out)
        records: list[bytes] = []
        seen: list[list[Move]] = [[]]

        def on_stage(_: Any, step: Any, nodes: Any) -> None:
            records.append(bytes(ffi.buffer(ffi.addressof(step))) + bytes(ffi.buffer(nodes, 12 * len(NODES))))
            seen.append([])

        def on_move(_: Any, __: Any, move: Any) -> None:
            start, end = getattr(move, "from"), move.to
            cause = ffi.string(move.cause).decode()
            seen[-1].append(Move(NODES[move.node], (start.x, start.y, start.z), (end.x, end.y, end.z), cause))

        observer = ffi.new("KinescopeObserver *")
        kept = [ffi.callback("void(void *, KinescopeStep, const KinescopeVec3 *)", on_stage)]
        observer.stage = kept[0]
        if moves:
            kept.append(ffi.callback("void(void *, KinescopeStep, const KinescopeMove *)", on_move))
            observer.moved = kept[1]
        _copyto(target, own)
        with self._lock:
            pointer = self._pose.point(target)
            check(lib.kinescope_solve_observed(self._c, self._memory, settings_pointer(settings), pointer, observer))
        return Trace(np.frombuffer(b"".join(records), STEP), tuple(map(tuple, seen[:-1])) if moves else ())

    def begin(self, pose: npt.ArrayLike, settings: Settings) -> Stepping:
        """Starts a solve in steps, between which nodes can be read and moved."""
        return Stepping(self, pose, settings)

    def bone_of(self, role: str) -> int | None:
        """Returns the bone of a role, by the role's name in presets (`pelvis`, `left_hand`); None if there is none."""
        bone = int(lib.kinescope_solver_bone_of(self._c, text(role, "role")))
        return None if bone < 0 else bone

    def written_bones(self) -> npt.NDArray[np.int32]:
        """Returns the bones that a solve writes, by index. All others follow their parents."""
        bones = np.empty(len(self.rig), np.int32)
        floats = ffi.cast("int32_t *", bones.ctypes.data)
        return bones[: int(lib.kinescope_solver_written_bones(self._c, floats, len(bones)))]

    def _input(self, pose: npt.ArrayLike, out: Array | None) -> tuple[Array, Array]:
        own = read_pose(pose, self._shape[0], "pose")
        if out is None:
            return own, np.empty(self._shape, FLOAT32)
        check_out(out, self._shape, "out")
        return own, out

    def save_clip(self, path: str | Path, poses: npt.ArrayLike, dt: float, name: str = "clip") -> str:
        """Saves poses of a character that has no model's file, as `Model.save_clip` does: the bones with the clip as .glb, or .bvh."""
        label = text(name, "name")

        def glb(times: Any, clip: Any, count: int, out: Any) -> int:
            return int(lib.kinescope_solver_write_clip(self._c, label, times, clip, count, out))

        def bvh(clip: Any, count: int, out: Any) -> int:
            return int(lib.kinescope_solver_write_bvh(self._c, clip, count, dt, 0, out))

        return save_clip(path, poses, len(self.rig), dt, glb, bvh)



class Stepping:
    """A solve in steps. If no node is moved, its result is that of `Solver.solve`.

        stepping = solver.begin(pose, settings)
        for step in stepping:
            print(step, stepping.node("left_hand"))
        solved = stepping.end()
    """

    def __init__(self, solver: Solver, pose: npt.ArrayLike, settings: Settings) -> None:
        self._solver = solver
        self._workspace = Handle("workspace", solver._c)
        self._pose = PosePointer(len(solver.rig))
        own = read_pose(pose, len(solver.rig), "pose")
        pointer = self._pose.point(own if own.flags.c_contiguous else np.ascontiguousarray(own))
        check(lib.kinescope_begin(solver._c, self._workspace.pointer, settings_pointer(settings), pointer))

    def __iter__(self) -> Iterator[Step]:
        while (step := self.step()) is not None:
            yield step

    def step(self) -> Step | None:
        """Runs the next step and returns it; None after the last one."""
        done = ffi.new("KinescopeStep *")
        with self._workspace.lock:
            status = check(lib.kinescope_step(self._workspace.pointer, done))
        return None if status else _step(done.stage, done.iteration)

    @property
    def nodes(self) -> Array:
        """The nodes' positions now: a new array `(13, 3)`, in the order of NODES."""
        nodes = np.empty((len(NODES), 3), np.float32)
        with self._workspace.lock:
            check(lib.kinescope_nodes(self._workspace.pointer, ffi.cast("KinescopeVec3 *", nodes.ctypes.data)))
        return nodes

    def node(self, name: str) -> Array:
        """Returns the position of one node now."""
        place: Array = self.nodes[number_of(NODES, name, "node")]
        return place

    def set_node(self, name: str, position: Numbers) -> None:
        """Moves a node; the next step starts from there."""
        x, y, z = position
        with self._workspace.lock:
            check(lib.kinescope_set_node(self._workspace.pointer, number_of(NODES, name, "node"), (x, y, z)))

    def end(self, out: Array | None = None) -> Array:
        """Ends the solve: returns the solved pose, in `out` if that is given."""
        shape = self._solver._shape
        out = room(out, shape)
        with self._workspace.lock:
            check(lib.kinescope_end(self._solver._c, self._workspace.pointer, self._pose.point(out)))
        return out
