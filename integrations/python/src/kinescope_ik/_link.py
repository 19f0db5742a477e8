"""Recordings, and the link to a listening window."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._native import Handle, check, ffi, lib, number_of, read_pose, sized_text, text
from ._settings import Settings, settings_pointer
from ._solver import PosePointer, Solver, Trace
from ._tables import PARTS


class Game:
    """A program and its characters. Recorders and senders are created from a game.

    Parameters:
        producer: The program's name, which the window shows.
        characters: The solver of each character, by a unique name.
    """

    def __init__(self, producer: str, characters: Mapping[str, Solver]) -> None:
        self._handle = Handle("game", text(producer, "producer"))
        self.characters = tuple(characters)
        """The names of the characters that are present from the start."""
        self._bones = [len(solver.rig) for solver in characters.values()]
        for name, solver in characters.items():
            check(lib.kinescope_game_add(self._handle.pointer, text(name, "name"), solver._c, ffi.NULL))


class Write(NamedTuple):
    """A part of the body, and bones after the program wrote that part."""

    part: str
    """One of PARTS."""
    bones: npt.ArrayLike
    """The bones by index, `(count,)`."""
    transforms: npt.ArrayLike
    """Position x, y, z and rotation x, y, z, w of each bone in model space, `(count, 7)`."""


class _Frames:
    """Makes frames for the C library."""

    def __init__(self, game: Game) -> None:
        self._frame = ffi.new("KinescopeFrame *")
        self.present: dict[str, tuple[int, int, PosePointer, PosePointer]] = {}
        """Number, bones and structures for poses of each character that is present, by name."""
        for number, (name, bones) in enumerate(zip(game.characters, game._bones)):
            self.add(name, number, bones)

    def add(self, name: str, number: int, bones: int) -> None:
        """Adds a character."""
        self.present[name] = (number, bones, PosePointer(bones), PosePointer(bones))

    def find(self, character: str) -> tuple[int, int, PosePointer, PosePointer]:
        """Returns a character that is present."""
        try:
            return self.present[character]
        except KeyError:
            known = ", ".join(self.present)
            raise ValueError(f"{character!r} is not a known character of the game; known are {known}") from None

    def join(self, kind: str, handle: Handle, name: str, solver: Solver) -> None:
        """Adds a character to a recorder or a sender, whose lock the caller holds."""
        number = ffi.new("uint32_t *")
        check(getattr(lib, f"kinescope_{kind}_join")(handle.pointer, text(name, "name"), solver._c, number))
        self.add(name, number[0], len(solver.rig))

    def leave(self, kind: str, handle: Handle, name: str) -> None:
        """Removes a character from a recorder or a sender, whose lock the caller holds."""
        check(getattr(lib, f"kinescope_{kind}_leave")(handle.pointer, self.find(name)[0]))
        del self.present[name]

    def make(
        self,
        character: str,
        time: float,
        animated: npt.ArrayLike,
        settings: Settings | None,
        result: npt.ArrayLike | None,
        trace: Trace | None,
        frame: int | None,
        writes: Sequence[Write],
    ) -> tuple[Any, object]:
        """Returns a frame, and the memory that it points to."""
        (index, bones, first, second), made = self.find(character), self._frame
        if frame is not None and not 0 <= frame < 1 << 63:
            raise ValueError(f"frame: is {frame}, the allowed range is 0 to 2⁶³ - 1")
        made.character, made.time, made.frame = index, time, -1 if frame is None else frame
        made.settings = ffi.NULL if settings is None else settings_pointer(settings)
        own = read_pose(animated, bones, "animated")
        made.animated = first.point(own)[0]
        solved = None if result is None else read_pose(result, bones, "result")
        if solved is None:
            made.result.count = 0
        else:
            made.result = second.point(solved)[0]
        records = None if trace is None else np.ascontiguousarray(trace.records)
        made.step_count = 0 if records is None else len(records)
        made.steps = ffi.NULL if records is None else ffi.cast("KinescopeStepNodes *", records.ctypes.data)
        parts, kept = ffi.new("KinescopeWrite[]", len(writes)), []
        for part, write in zip(parts, writes):
            indices = np.ascontiguousarray(write.bones, np.int32)
            transforms = np.ascontiguousarray(write.transforms, np.float32)
            if indices.ndim != 1 or transforms.shape != (len(indices), 7):
                raise ValueError(f"writes: has bones and transforms of shapes {indices.shape} and {transforms.shape}")
            part.part, part.count = number_of(PARTS, write.part, "part"), len(indices)
            part.bones = ffi.cast("int32_t *", indices.ctypes.data)
            part.transforms = ffi.cast("KinescopeTransform *", transforms.ctypes.data)
            kept.append((indices, transforms))
        made.writes, made.write_count = parts, len(writes)
        return made, (own, solved, records, parts, kept)


class Recorder:
    """Writes a recording, which the window opens and `kinescope diff` compares. Use it in a `with`, or call `close`.

    Parameters:
        game: The program and its characters.
        path: The file, which is overwritten. Kinescope opens files that end in `.jsonl` as recordings.
    """

    def __init__(self, game: Game, path: str | os.PathLike[str]) -> None:
        self._frames = _Frames(game)
        self._handle = Handle("recorder", game._handle.pointer, text(os.fspath(path), "path"))

    def frame(
        self,
        character: str,
        time: float,
        animated: npt.ArrayLike,
        settings: Settings | None = None,
        result: npt.ArrayLike | None = None,
        trace: Trace | None = None,
        frame: int | None = None,
        writes: Sequence[Write] = (),
    ) -> None:
        """Records a frame.

        Parameters:
            character: The name in the game.
            time: Seconds; does not decrease within one character.
            animated: The solver's input, `(bones, 7)`.
            settings: The parameters of the solve; None for the defaults.
            result: The program's own solved pose, if there is one.
            trace: The steps of the program's own solve, if there are any.
            frame: The program's frame number; None continues from the previous frame.
            writes: Parts of the body with the bones after the program wrote each, each part at most once.
        """
        with self._handle.lock:
            made, _kept = self._frames.make(character, time, animated, settings, result, trace, frame, writes)
            check(lib.kinescope_recorder_frame(self._handle.pointer, made))

    def join(self, name: str, solver: Solver) -> None:
        """Adds a character while the recording runs, under a name that no present character has."""
        with self._handle.lock:
            self._frames.join("recorder", self._handle, name, solver)

    def leave(self, name: str) -> None:
        """Removes a character."""
        with self._handle.lock:
            self._frames.leave("recorder", self._handle, name)

    def mark(self, mark: str, time: float) -> None:
        """Marks a moment, in seconds, with a text."""
        with self._handle.lock:
            check(lib.kinescope_recorder_mark(self._handle.pointer, text(mark, "mark"), time))

    def close(self) -> None:
        """Ends the recording. Raises `Error` if the file cannot be written."""
        with self._handle.lock:
            check(self._handle.free())

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class Sender:
    """Sends frames to a listening window (`kinescope --listen`), which may start before or after the sender, and may
    restart.

    Parameters:
        game: The program and its characters.
        address: The window's host and port, `"127.0.0.1:7468"`; None for the default.
    """

    def __init__(self, game: Game, address: str | None = None) -> None:
        self._frames = _Frames(game)
        where = ffi.NULL if address is None else text(address, "address")
        self._handle = Handle("sender", game._handle.pointer, where)

    def send(
        self,
        character: str,
        time: float,
        animated: npt.ArrayLike,
        settings: Settings | None = None,
        result: npt.ArrayLike | None = None,
        trace: Trace | None = None,
        frame: int | None = None,
        writes: Sequence[Write] = (),
    ) -> bool:
        """Queues a frame, with the parameters of `Recorder.frame`. Never waits. A full queue drops its oldest frame.

        Returns False if the frame itself was dropped, because the sending thread held the queue.
        """
        with self._handle.lock:
            made, _kept = self._frames.make(character, time, animated, settings, result, trace, frame, writes)
            return check(lib.kinescope_sender_send(self._handle.pointer, made)) == 0

    def join(self, name: str, solver: Solver) -> None:
        """Adds a character while the program runs, for example when it spawns, under a name that no present character has."""
        with self._handle.lock:
            self._frames.join("sender", self._handle, name, solver)

    def leave(self, name: str) -> None:
        """Removes a character. Frames of it that are in the queue are still sent."""
        with self._handle.lock:
            self._frames.leave("sender", self._handle, name)

    def refused(self) -> str | None:
        """Returns why the window refused a line, with the line's number and field.

        Returns None if the window refused no further line, or if the sending thread holds the queue at that moment.
        """
        with self._handle.lock:
            return sized_text(lambda *buffer: lib.kinescope_sender_refused(self._handle.pointer, *buffer)) or None

    def mark(self, mark: str, time: float) -> None:
        """Marks a moment, in seconds, with a text."""
        with self._handle.lock:
            check(lib.kinescope_sender_mark(self._handle.pointer, text(mark, "mark"), time))

    def tuned(self) -> tuple[str, Settings] | None:
        """Returns a character's name and its new settings while the window tunes the program.

        Returns None if nothing has arrived, or if the sending thread holds the queue at that moment.
        """
        character, settings = ffi.new("uint32_t *"), Settings()
        with self._handle.lock:
            if check(lib.kinescope_sender_tuned(self._handle.pointer, character, settings._c)):
                return None
            names = [name for name, own in self._frames.present.items() if own[0] == character[0]]
        # A character that left meanwhile is not tuned.
        return (names[0], settings) if names else self.tuned()

    @property
    def is_connected(self) -> bool:
        """Whether a window is connected."""
        with self._handle.lock:
            return bool(lib.kinescope_sender_is_connected(self._handle.pointer))

    @property
    def sent(self) -> int:
        """The number of frames sent."""
        with self._handle.lock:
            return int(lib.kinescope_sender_sent(self._handle.pointer))

    @property
    def dropped(self) -> int:
        """The number of frames dropped: the queue was full or held by the sending thread, or the connection broke."""
        with self._handle.lock:
            return int(lib.kinescope_sender_dropped(self._handle.pointer))

    def close(self) -> None:
        """Sends the queued frames if a window is connected, for at most two seconds, and disconnects."""
        with self._handle.lock:
            self._handle.free()

    def __enter__(self) -> Sender:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
