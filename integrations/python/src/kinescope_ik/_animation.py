"""Blending of poses, crossfades between clips, and models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._files import pose_pointers, save, save_clip
from ._native import Array, Handle, check, ffi, lib, read_pose, room, text
from ._rig import Rig
from ._solver import PosePointer, Solver


def _in_place(solver: Solver, pose: npt.ArrayLike, out: Array | None) -> Array:
    own = read_pose(pose, len(solver.rig), "pose")
    out = room(out, solver._shape)
    if out is not own:
        np.copyto(out, own)
    return out


def _mask(mask: npt.ArrayLike | None, solver: Solver) -> tuple[Any, int, object]:
    """Returns pointer and length of a mask, and what keeps its memory."""
    if mask is None:
        return ffi.NULL, 0, None
    own = np.ascontiguousarray(mask, np.float32)
    if own.shape != (len(solver.rig),):
        raise ValueError(f"mask: has the shape {own.shape}, expected ({len(solver.rig)},): a weight for each bone")
    return ffi.cast("float *", own.ctypes.data), len(own), own


def _pointer(pose: npt.ArrayLike, solver: Solver, what: str) -> Any:
    pointer = PosePointer(len(solver.rig))
    return pointer, pointer.point(read_pose(pose, len(solver.rig), what))


def blend(
    solver: Solver, pose: npt.ArrayLike, to: npt.ArrayLike, weight: float, mask: npt.ArrayLike | None = None, out: Array | None = None
) -> Array:
    """Returns `pose` blended toward `to` in local space, so that limbs keep their lengths.

    Parameters:
        solver: The character's solver.
        pose: The pose at weight 0, `(bones, 7)`.
        to: The pose at weight 1.
        weight: 0 to 1.
        mask: A weight for each bone, by which `weight` is multiplied; None blends all bones. See `mask_under`.
        out: Receives the result; `out=pose` blends in place.
    """
    out = _in_place(solver, pose, out)
    (weights, count, _kept), (_source, source), (_target, target) = _mask(mask, solver), _pointer(to, solver, "to"), _pointer(out, solver, "out")
    check(lib.kinescope_pose_blend(solver._c, source, weight, weights, count, target))
    return out


def add(
    solver: Solver,
    pose: npt.ArrayLike,
    base: npt.ArrayLike,
    added: npt.ArrayLike,
    weight: float = 1.0,
    mask: npt.ArrayLike | None = None,
    out: Array | None = None,
) -> Array:
    """Returns `pose` with the difference of `added` from `base`, such as a lean, a breath or a crouch, added in local space.

    `weight` may be any number: 2 doubles the difference, -1 subtracts it. The other parameters are those of `blend`.
    """
    out = _in_place(solver, pose, out)
    (weights, count, _kept), (_base, start), (_added, end) = _mask(mask, solver), _pointer(base, solver, "base"), _pointer(added, solver, "added")
    _target, target = _pointer(out, solver, "out")
    check(lib.kinescope_pose_add(solver._c, start, end, weight, weights, count, target))
    return out


def mask_under(solver: Solver, bone: int, over: int = 0) -> Array:
    """Returns a mask with weight 1 for a bone and the bones below it, and 0 for all others.

    Over the first `over` generations the weight rises in even steps, so that an upper body bends the whole spine.
    """
    made = np.empty(len(solver.rig), np.float32)
    check(lib.kinescope_pose_mask(solver._c, bone, over, ffi.cast("float *", made.ctypes.data), len(made)))
    return made


class Shown(NamedTuple):
    """A clip that a crossfade shows."""

    clip: int
    time: float
    """The time within the clip, in seconds."""
    weight: float
    """The weight by which the clip is blended over those before it; 1 for the first."""


class Crossfade:
    """Crossfades between looping clips without jumps. The caller samples the clips.

        crossfade = Crossfade([walk.duration, run.duration])
        crossfade.to(0)
        crossfade.to(1, 0.3, keeps_phase=True)
        crossfade.step(1 / 60)
        for shown in crossfade.shown:
            pose = blend(solver, pose, sample(shown.clip, shown.time), shown.weight)

    Parameters:
        durations: The duration of each clip in seconds.
    """

    def __init__(self, durations: Sequence[float]) -> None:
        own = ffi.new("float[]", list(map(float, durations)))
        self._handle = Handle("crossfade", own, len(durations))
        self._room = ffi.new("KinescopeShownClip[]", 65)

    def to(self, clip: int, duration: float = 0.0, keeps_phase: bool = False) -> bool:
        """Fades to a clip over `duration` seconds; 0 plays it at once.

        Returns False if the clip is the target already, or if 64 fades run and `duration` is above 0.

        With `keeps_phase` the clip starts at the same part of its duration as the clip before it, so that a walk that becomes a run
        keeps the same foot on the ground.
        """
        with self._handle.lock:
            return check(lib.kinescope_crossfade_to(self._handle.pointer, clip, duration, int(keeps_phase))) == 0

    def step(self, dt: float, speed: float = 1.0) -> None:
        """Advances fades by `dt` seconds, and clips by `dt` times `speed`."""
        with self._handle.lock:
            check(lib.kinescope_crossfade_step(self._handle.pointer, dt, speed))

    @property
    def shown(self) -> list[Shown]:
        """The clips that show, the lowest first; empty before the first clip."""
        with self._handle.lock:
            count = int(lib.kinescope_crossfade_shown(self._handle.pointer, self._room, len(self._room)))
            return [Shown(int(own.clip), float(own.time), float(own.weight)) for own in self._room[0:count]]


class ModelClip(NamedTuple):
    """A clip of a model."""

    name: str
    duration: float
    """Seconds."""


class Model:
    """A character of a .glb, .gltf, .vrm, .bvh or .fbx file: bones and clips.

        model = Model("hero.glb")
        solver = Solver(model.rig)
        pose = model.sample(0, 0.4)

    Raises `FileError` if the file cannot be read. A .gltf file must not refer to other files, except for textures.
    """

    def __init__(self, path: str | Path) -> None:
        self._bytes = Path(path).read_bytes()
        name = text(Path(path).name, "path")
        self._handle = Handle("model", name, ffi.from_buffer("uint8_t[]", self._bytes), len(self._bytes))
        own = self._handle.pointer
        count = int(lib.kinescope_model_bones(own))
        self._pose = PosePointer(count)
        names = [ffi.string(lib.kinescope_model_bone_name(own, bone)).decode() for bone in range(count)]
        parents = [int(lib.kinescope_model_parent(own, bone)) for bone in range(count)]
        self.clips = tuple(
            ModelClip(ffi.string(lib.kinescope_model_clip_name(own, clip)).decode(), float(lib.kinescope_model_clip_duration(own, clip)))
            for clip in range(int(lib.kinescope_model_clips(own)))
        )
        """The clips of the file."""
        self.rig = Rig(names, parents, self.sample(None))
        """The bones, with the rest pose as reference."""

    def sample(self, clip: int | None, time: float = 0.0, out: Array | None = None) -> Array:
        """Returns the pose of a clip at a time in seconds, which is clamped to the clip's ends; None is the rest pose."""
        shape = (int(self._pose.c.count), 7)
        out = room(out, shape)
        with self._handle.lock:
            number = -1 if clip is None else clip
            check(lib.kinescope_model_sample(self._handle.pointer, number, time, self._pose.point(out)))
        return out

    def save_pose(self, path: str | Path, pose: npt.ArrayLike) -> str:
        """Saves a copy of the file with its bones in a pose, `(bones, 7)`, as .glb. Meshes and materials stay.

        Returns notes on what the file lacks or adds; empty if there are none.
        """
        own = read_pose(pose, len(self.rig), "pose")
        pointers, bytes_ = pose_pointers(np.ascontiguousarray(own)[None]), ffi.from_buffer("uint8_t[]", self._bytes)
        write = lib.kinescope_model_write_pose
        with self._handle.lock:
            return save(path, lambda out: int(write(self._handle.pointer, bytes_, len(bytes_), pointers, out)))

    def save_clip(self, path: str | Path, poses: npt.ArrayLike, dt: float, name: str = "clip") -> str:
        """Saves poses, `(frames, bones, 7)`, each `dt` seconds after the one before it.

        The extension of the path decides: .glb is a copy of the model's file with the clip, which replaces the clip of that name or is
        added; .bvh has bones and motion alone, in centimetres. Returns notes on what the file lacks or adds.
        """
        bytes_, own = ffi.from_buffer("uint8_t[]", self._bytes), self._handle.pointer
        label = text(name, "name")

        def glb(times: Any, clip: Any, count: int, out: Any) -> int:
            return int(lib.kinescope_model_write_clip(own, bytes_, len(bytes_), label, times, clip, count, out))

        def bvh(clip: Any, count: int, out: Any) -> int:
            return int(lib.kinescope_model_write_bvh(own, clip, count, dt, 0, out))

        with self._handle.lock:
            return save_clip(path, poses, len(self.rig), dt, glb, bvh)
