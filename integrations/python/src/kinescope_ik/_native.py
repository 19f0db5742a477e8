"""The C library: loading, checks, calls and memory."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ._header import ffi as ffi

Array = npt.NDArray[np.float32]
"""An array of 32-bit floats."""

FILE = {"win32": "kinescope.dll", "darwin": "libkinescope.dylib"}.get(sys.platform, "libkinescope.so")


class Error(Exception):
    """A call of the library failed. The message says why; most messages begin with the argument, bone, field or line that is refused."""

    status: int
    """The C library's status, below 0: KINESCOPE_STATUS_BAD_ARGUMENT and so on."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class RigError(Error):
    """The bones do not form a biped or a chain, lack a role that retargeting needs, or differ in number from the bones of another argument."""


class PoseError(Error):
    """A pose has the wrong number of bones, or a bone that is not finite, too far away, or without a valid rotation."""


class SettingsError(Error):
    """A setting is out of its range, or a layer of a stack failed."""


class FileError(Error):
    """A preset, a chain file, a capsule or a model could not be read or used."""


class Cancelled(Exception):
    """A progress function cancelled the work."""


_KINDS: dict[int, type[Error]] = {-2: RigError, -3: PoseError, -4: SettingsError, -5: FileError}


def check_interface(library: Any, declared: Any) -> None:
    """Raises ImportError unless the library has the version and the structures of the header that the wheel was built with."""
    expected = int(declared.integer_const("KINESCOPE_ABI_VERSION"))
    try:
        found = int(library.kinescope_abi_version())
    except AttributeError:
        raise ImportError(f"{FILE} is too old: it does not state the version of its binary interface") from None
    if found != expected:
        raise ImportError(f"{FILE} has version {found} of the binary interface; kinescope_ik was built for version {expected}")
    for name in declared.list_types()[0]:
        if declared.typeof(name).kind != "struct":
            continue
        try:
            size = declared.sizeof(name)
        except (ValueError, declared.error):
            # An opaque object.
            continue
        there = int(library.kinescope_struct_size(name.encode()))
        if there == 0:
            raise ImportError(f"{FILE} is too old: it lacks the structure {name}")
        if size != there:
            raise ImportError(f"{FILE}: the structure {name} has {there} bytes; kinescope_ik was built for {size}")


def _load() -> Any:
    path = Path(__file__).with_name(FILE)
    if not path.exists():
        raise ImportError(f"{path} is missing. Install the wheel of kinescope-ik; its source folder has no library")
    library = ffi.dlopen(str(path))
    check_interface(library, ffi)
    return library


lib: Any = _load()

VERSION: str = ffi.string(lib.kinescope_version()).decode()
"""The version of the C library."""


def last_error(status: int) -> Error:
    """Returns the exception of this thread's last failed call."""
    why = ffi.string(lib.kinescope_last_error()).decode()
    return _KINDS.get(status, Error)(status, why)


def check(status: int) -> int:
    """Returns the status of a call; raises the exception of a failed one, and `Cancelled`."""
    if status < 0:
        raise last_error(status)
    if status == 2:
        raise Cancelled("progress: returned False, so the work was cancelled")
    return status


def text(value: object, what: str = "text") -> bytes:
    """Returns a text for C."""
    if not isinstance(value, str):
        raise TypeError(f"{what}: is {value!r}, expected a string")
    if "\0" in value:
        raise ValueError(f"{what}: {value!r} contains a zero, which ends a text in C")
    return value.encode()


def sized_text(write: Any) -> str:
    """Returns a text that a function of the library writes into a buffer: `write(buffer, capacity, needed)`."""
    needed = ffi.new("size_t *")
    check(write(ffi.NULL, 0, needed))
    if not needed[0]:
        return ""
    buffer = ffi.new("char[]", needed[0])
    check(write(buffer, needed[0], ffi.NULL))
    return str(ffi.string(buffer).decode())


def number_of(names: tuple[str, ...], name: object, what: str) -> int:
    """Returns the index of a name in a table; an unknown name is a ValueError."""
    try:
        return names.index(name)
    except ValueError:
        raise ValueError(f"{name!r} is not a known {what}; known are {', '.join(names)}") from None


class Handle:
    """An object of the library, freed with its last reference. `lock` lets one thread at a time use it."""

    __slots__ = ("pointer", "lock", "_free")

    def __init__(self, kind: str, *arguments: Any, of: str = "") -> None:
        self._free: Any = None
        out = ffi.new(f"Kinescope{kind.title()} **")
        check(getattr(lib, f"kinescope_{kind}_new{of}")(*arguments, out))
        self.pointer: Any = out[0]
        self.lock = threading.Lock()
        self._free = getattr(lib, f"kinescope_{kind}_free")

    @classmethod
    def of(cls, kind: str, pointer: Any) -> Handle:
        """Returns the handle of an object that a function other than `_new` has made."""
        own = cls.__new__(cls)
        own.pointer, own.lock = pointer, threading.Lock()
        own._free = getattr(lib, f"kinescope_{kind}_free")
        return own

    def free(self) -> int:
        """Frees the object once. Returns the status of freeing it; 0 if there is none, or if the object is freed already."""
        free, self._free = self._free, None
        if free is None:
            return 0
        pointer, self.pointer = self.pointer, ffi.NULL
        return int(free(pointer) or 0)

    def __del__(self) -> None:
        self.free()


FLOAT32 = np.dtype(np.float32)


def read_pose(value: npt.ArrayLike, bones: int | None, what: str) -> Array:
    """Returns a pose as a `(bones, 7)` array of float32 whose rows have no gaps between numbers.

    An array that already has this form is returned itself; everything else is copied.
    """
    if type(value) is not np.ndarray or value.dtype != FLOAT32:
        value = np.asarray(value)
        if value.dtype.kind not in "fiu":
            raise TypeError(f"{what}: has elements of type {value.dtype}, expected numbers")
        value = value.astype(np.float32)
    check_shape(value, bones, what)
    if value.strides[1] != 4 or value.strides[0] < 28:
        value = np.ascontiguousarray(value)
    return value


def check_shape(value: Array, bones: int | None, what: str) -> None:
    """Raises ValueError unless an array has the shape of a pose."""
    if value.ndim != 2 or value.shape[1] != 7 or (bones is not None and value.shape[0] != bones):
        expected = f"({'bones' if bones is None else bones}, 7)"
        raise ValueError(f"{what}: has the shape {value.shape}, expected {expected}: position x y z, rotation x y z w")


def check_out(value: object, shape: tuple[int, ...], what: str) -> None:
    """Raises TypeError or ValueError unless a value is an array that can receive poses in place."""
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{what}: is {type(value).__name__}, expected a NumPy array")
    if value.dtype != FLOAT32:
        raise TypeError(f"{what}: has the type {value.dtype}, expected float32")
    if value.shape != shape:
        raise ValueError(f"{what}: has the shape {value.shape}, expected {shape}")
    if not value.flags.c_contiguous:
        raise ValueError(f"{what}: is not C-contiguous; pass an array made by numpy.empty, or omit it")
    if not value.flags.writeable:
        raise ValueError(f"{what}: is read-only")


def room(out: Array | None, shape: tuple[int, ...]) -> Array:
    """Returns `out` after a check that it can receive poses, or a new array."""
    if out is None:
        return np.empty(shape, FLOAT32)
    check_out(out, shape, "out")
    return out


_KIND_OF_NUMBER = {"float": "<f4", "double": "<f8", "uint32_t": "<u4", "int32_t": "<i4"}


def dtype_of(name: str) -> np.dtype[Any]:
    """Returns the structured type of NumPy with the layout of a structure of the header."""

    def convert(kind: Any) -> Any:
        if kind.kind == "primitive":
            return np.dtype(_KIND_OF_NUMBER[kind.cname])
        if kind.kind == "array":
            return np.dtype((convert(kind.item), (kind.length,)))
        fields = dict(kind.fields)
        parts = [convert(field.type) for field in fields.values()]
        offsets = [field.offset for field in fields.values()]
        # Vectors and rotations are arrays of numbers, not records.
        if list(fields) in (["x", "y", "z"], ["x", "y", "z", "w"]):
            return np.dtype((np.float32, (len(fields),)))
        return np.dtype({"names": list(fields), "formats": parts, "offsets": offsets, "itemsize": ffi.sizeof(kind)})

    made = convert(ffi.typeof(name))
    assert isinstance(made, np.dtype)
    return made
