"""Writing model files: a clip or a pose."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ._native import Array, check, ffi, lib, sized_text


def read_clip(poses: npt.ArrayLike, bones: int) -> Array:
    """Returns poses as a C-contiguous array of float32, `(frames, bones, 7)`."""
    own = np.asarray(poses)
    if own.dtype.kind not in "fiu":
        raise TypeError(f"poses: has elements of type {own.dtype}, expected numbers")
    if own.ndim != 3 or own.shape[0] == 0 or own.shape[1:] != (bones, 7):
        raise ValueError(f"poses: has the shape {own.shape}, expected (frames, {bones}, 7)")
    return np.ascontiguousarray(own, np.float32)


def pose_pointers(poses: Array) -> Any:
    """Returns the structures of poses in C, which point to their memory."""
    own = ffi.new("KinescopePose[]", len(poses))
    for index, pose in enumerate(poses):
        floats = ffi.cast("float *", pose.ctypes.data)
        own[index] = (floats, floats + 3, 28, 28, poses.shape[1])
    return own


def save(path: str | Path, write: Callable[[Any], int]) -> str:
    """Saves a file that a function of the library writes: `write(out)`. Returns its notes."""
    out, count = ffi.new("KinescopeFile **"), ffi.new("size_t *")
    try:
        check(write(out))
        lib.kinescope_file_bytes(out[0], ffi.NULL, 0, count)
        own = bytearray(int(count[0]))
        check(lib.kinescope_file_bytes(out[0], ffi.from_buffer("uint8_t[]", own), len(own), ffi.NULL))
        notes = sized_text(lambda *buffer: lib.kinescope_file_notes(out[0], *buffer))
    finally:
        lib.kinescope_file_free(out[0])
    Path(path).write_bytes(own)
    return notes


def save_clip(
    path: str | Path,
    poses: npt.ArrayLike,
    bones: int,
    dt: float,
    glb: Callable[[Any, Any, int, Any], int],
    bvh: Callable[[Any, int, Any], int],
) -> str:
    """Saves a clip by the extension of its path: `glb(times, poses, count, out)` or `bvh(poses, count, out)` writes it."""
    own = read_clip(poses, bones)
    pointers, count = pose_pointers(own), len(own)
    extension = Path(path).suffix.lower()
    if extension == ".bvh":
        return save(path, lambda out: bvh(pointers, count, out))
    if extension != ".glb":
        raise ValueError(f"path: ends in {extension!r}, expected .glb or .bvh")
    times = ffi.new("float[]", [index * dt for index in range(count)])
    return save(path, lambda out: glb(times, pointers, count, out))
