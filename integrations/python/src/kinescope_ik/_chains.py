"""Single chains: CCD, FABRIK and two bones, with limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._fields import Numbers
from ._native import Array, Handle, check, ffi, lib, read_pose, room, text
from ._solver import PosePointer, Solver
from ._tables import STOPPED_BY, ChainIkFields

LIMITS = ("free", "hinge", "ball_and_socket", "angle")
"""The kinds of limits of a bone."""


class ChainIkSettings(ChainIkFields):
    """Settings of a single chain's solve. A new object has the defaults."""

    __slots__ = ()

    def __init__(self) -> None:
        memory = ffi.new("KinescopeChainIkSettings *")
        super().__init__(memory, memory)
        lib.kinescope_chain_settings_default(memory)


@dataclass(frozen=True)
class Goal:
    """The target of one joint."""

    position: Numbers
    joint: int = 0
    """The joint, from 1; joint b + 1 is the end of bone b. 0 stands for the last joint."""
    pull: float = 1.0
    """Weight where branches meet, above 0."""


@dataclass(frozen=True)
class Outcome:
    """The result of a chain's solve."""

    error: float
    """Distance from the end to its target in model units; with several goals, the largest."""
    iterations: int
    stopped_by: str
    """One of STOPPED_BY."""
    is_reached: bool
    """Whether all ends with a goal are within the tolerance; always False at weight 0."""


def _outcome(own: Any) -> Outcome:
    return Outcome(float(own.error), int(own.iterations), STOPPED_BY[own.stopped_by], bool(own.is_reached))


class Chain:
    """A single chain with its state from frame to frame.

        chain = Chain.of_lengths([0.3, 0.3, 0.2])
        outcome = chain.solve((0.4, 0.3, 0.1))
        print(outcome.error, chain.positions)

    Make one with `of_lengths`, `of_positions`, `of_bones` or `of_file`.
    """

    def __init__(self, handle: Handle, solver: Solver | None = None) -> None:
        self._handle = handle
        self._solver = solver
        self._pose = None if solver is None else PosePointer(len(solver.rig))

    @classmethod
    def of_lengths(cls, lengths: npt.ArrayLike) -> Chain:
        """Returns a chain of bones with these lengths, straight up from the origin."""
        own = np.ascontiguousarray(lengths, np.float32)
        if own.ndim != 1:
            raise ValueError(f"lengths: has the shape {own.shape}, expected (bones,)")
        return cls(Handle("chain", ffi.cast("float *", own.ctypes.data), len(own), of="_of_lengths"))

    @classmethod
    def of_positions(cls, positions: npt.ArrayLike, starts: Sequence[int] | None = None) -> Chain:
        """Returns a chain through these points, `(joints, 3)`.

        `starts` has the joint at which each bone begins, for chains with branches; None for a chain without branches.
        """
        own = np.ascontiguousarray(positions, np.float32)
        if own.ndim != 2 or own.shape[1] != 3:
            raise ValueError(f"positions: has the shape {own.shape}, expected (joints, 3)")
        if starts is not None and len(starts) != len(own) - 1:
            raise ValueError(f"starts: has {len(starts)} joints, expected {len(own) - 1}, one for each bone")
        begins = ffi.NULL if starts is None else ffi.new("uint32_t[]", list(starts))
        points = ffi.cast("KinescopeVec3 *", own.ctypes.data)
        return cls(Handle("chain", points, begins, len(own), of="_of_positions"))

    @classmethod
    def of_bones(cls, solver: Solver, first: int, end: int) -> Chain:
        """Returns a chain of a character's bones from `first` to its descendant `end`, the end effector. See `solve_pose`."""
        return cls(Handle("chain", solver._c, first, end, of="_of_bones"), solver)

    @classmethod
    def of_file(cls, json: str) -> tuple[Chain, ChainIkSettings]:
        """Returns a chain with limits and weights, and the settings, from the text of a chain file."""
        settings = ChainIkSettings()
        return cls(Handle("chain", text(json, "json"), settings._c, of="_of_file")), settings

    def __len__(self) -> int:
        return int(lib.kinescope_chain_joints(self._handle.pointer)) - 1

    def set_limit(
        self, bone: int, kind: str, axis: Numbers = (1.0, 0.0, 0.0), min: float = 0.0, max: float = 0.0, swing: float = 0.0
    ) -> None:
        """Limits how far a bone may rotate from its rest rotation; radians.

        Parameters:
            bone: From 0.
            kind: One of LIMITS.
            axis: The axis of a hinge in the bone's space at rest.
            min: The smallest angle of a hinge, or twist of a ball and socket.
            max: The largest angle or twist.
            swing: Half the opening of the cone of a ball and socket.
        """
        if kind not in LIMITS:
            raise ValueError(f"kind: is {kind!r}, expected {', '.join(LIMITS)}")
        limit = ffi.new("KinescopeLimit *", (LIMITS.index(kind), tuple(map(float, axis)), min, max, swing))
        with self._handle.lock:
            check(lib.kinescope_chain_set_limit(self._handle.pointer, bone, limit))

    def set_weight(self, bone: int, weight: float) -> None:
        """Sets how much CCD rotates a bone, 0 to 1."""
        with self._handle.lock:
            check(lib.kinescope_chain_set_weight(self._handle.pointer, bone, weight))

    def solve(self, target: Numbers | Sequence[Goal], settings: ChainIkSettings | None = None) -> Outcome:
        """Solves a free chain, from the result of the last solve.

        `target` is a position in model space for the last joint, or goals of several joints, which only FABRIK takes. After an
        error, the chain is unchanged.
        """
        outcome, goals = ffi.new("KinescopeOutcome *"), _goals(target)
        with self._handle.lock:
            check(lib.kinescope_chain_solve(self._handle.pointer, _pointer(settings), goals, len(goals), outcome))
        return _outcome(outcome)

    def solve_pose(
        self,
        pose: npt.ArrayLike,
        target: Numbers | Sequence[Goal],
        settings: ChainIkSettings | None = None,
        out: Array | None = None,
    ) -> tuple[Array, Outcome]:
        """Solves a chain of a character from its animated pose `(bones, 7)`; bones below the chain follow.

        Returns the solved pose, in `out` if that is given, and the outcome.
        """
        if self._solver is None or self._pose is None:
            raise ValueError("the chain is free; solve solves it, and Chain.of_bones makes a chain of a character")
        shape, goals = self._solver._shape, _goals(target)
        own = read_pose(pose, shape[0], "pose")
        out = room(out, shape)
        np.copyto(out, own)
        outcome = ffi.new("KinescopeOutcome *")
        with self._handle.lock:
            parts = (self._handle.pointer, _pointer(settings), goals, len(goals), self._pose.point(out), outcome)
            check(lib.kinescope_chain_solve_pose(*parts))
        return out, _outcome(outcome)

    def steps(
        self, target: Numbers | Sequence[Goal], settings: ChainIkSettings | None = None
    ) -> Iterator[tuple[str, Outcome]]:
        """Solves a free chain in steps: yields the name of each step and the outcome so far. `positions` can be read in between."""
        goals = _goals(target)
        with self._handle.lock:
            check(lib.kinescope_chain_begin(self._handle.pointer, _pointer(settings), goals, len(goals)))
        stage, outcome = ffi.new("char **"), ffi.new("KinescopeOutcome *")
        while True:
            with self._handle.lock:
                if check(lib.kinescope_chain_step(self._handle.pointer, stage, outcome)):
                    return
            yield ffi.string(stage[0]).decode(), _outcome(outcome)

    @property
    def positions(self) -> Array:
        """The joints' positions: a new array `(bones + 1, 3)`."""
        made = np.empty((len(self) + 1, 3), np.float32)
        with self._handle.lock:
            lib.kinescope_chain_positions(self._handle.pointer, ffi.cast("KinescopeVec3 *", made.ctypes.data), len(made))
        return made

    @property
    def rotations(self) -> Array:
        """The bones' rotations x, y, z, w in model space: a new array `(bones, 4)`."""
        made = np.empty((len(self), 4), np.float32)
        with self._handle.lock:
            lib.kinescope_chain_rotations(self._handle.pointer, ffi.cast("KinescopeQuat *", made.ctypes.data), len(made))
        return made

    def carry(self, root: Numbers, base: Numbers = (0.0, 0.0, 0.0, 1.0)) -> None:
        """Moves and rotates a free chain as a whole, to the root position `root` and the base rotation `base`; model space."""
        with self._handle.lock:
            check(lib.kinescope_chain_carry(self._handle.pointer, tuple(map(float, root)), tuple(map(float, base))))

    def reset(self) -> None:
        """Resets the chain to its rest shape."""
        with self._handle.lock:
            check(lib.kinescope_chain_reset(self._handle.pointer))


def _goals(target: Numbers | Sequence[Goal]) -> Any:
    goals: list[Any] = list(target)
    if not goals or not isinstance(goals[0], Goal):
        goals = [Goal(target)]  # type: ignore[arg-type]
    made = []
    for goal in goals:
        if not isinstance(goal, Goal):
            raise TypeError(f"target: has {goal!r}, expected a position or objects of the class Goal")
        position = tuple(map(float, goal.position))
        if len(position) != 3:
            raise ValueError(f"target: has {len(position)} numbers, expected 3")
        made.append((goal.joint, position, goal.pull))
    return ffi.new("KinescopeGoal[]", made)


def _pointer(settings: ChainIkSettings | None) -> Any:
    settings = ChainIkSettings() if settings is None else settings
    if not isinstance(settings, ChainIkSettings):
        raise TypeError(f"settings: is {type(settings).__name__}, expected kinescope_ik.ChainIkSettings")
    return settings._c
