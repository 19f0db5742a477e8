"""The wheel: the guard of the binary interface, the tables, the types."""

import importlib.metadata
import re
from pathlib import Path

import pytest

import kinescope_ik as ik
from kinescope_ik import _native


class Library:
    """The library with another version, with another size of one structure, or without one."""

    def __init__(self, version: int = 0, larger: str = "", without: str = "") -> None:
        self.version, self.larger, self.without = version, larger, without

    def kinescope_abi_version(self) -> int:
        return int(_native.lib.kinescope_abi_version()) + self.version

    def kinescope_struct_size(self, name: bytes) -> int:
        if name.decode() == self.without:
            return 0
        return int(_native.lib.kinescope_struct_size(name)) + (8 if name.decode() == self.larger else 0)


def test_another_interface_is_refused_at_import() -> None:
    _native.check_interface(Library(), _native.ffi)
    with pytest.raises(ImportError, match=r"has version 3 of the binary interface; kinescope_ik was built for version 1"):
        _native.check_interface(Library(version=2), _native.ffi)
    with pytest.raises(ImportError, match="the structure KinescopeTask has .* bytes; kinescope_ik was built for"):
        _native.check_interface(Library(larger="KinescopeTask"), _native.ffi)
    for old in (Library(without="KinescopeTask"), object()):
        with pytest.raises(ImportError, match="is too old"):
            _native.check_interface(old, _native.ffi)


def test_names_are_those_of_the_library() -> None:
    for kind, names in {"node": ik.NODES, "effector": ik.EFFECTORS, "limb": ik.LIMBS, "stage": ik.STAGES}.items():
        found = [_native.lib.kinescope_name_of(kind.encode(), number) for number in range(len(names) + 1)]
        assert found.pop() == _native.ffi.NULL
        assert tuple(_native.ffi.string(name).decode() for name in found) == names


def test_the_wheel_says_what_it_is() -> None:
    assert importlib.metadata.version("kinescope-ik") == ik.__version__ == ik.VERSION
    assert set(ik.__all__) <= set(dir(ik))
    folder = Path(ik.__file__).parent
    assert (folder / "py.typed").exists()
    assert "site-packages" in str(folder), "the tests are for the installed wheel"


def test_public_objects_are_documented() -> None:
    bare = []
    for name in ik.__all__:
        own = getattr(ik, name)
        if isinstance(own, type) and own.__module__.startswith("kinescope_ik"):
            members = {key: member for key, member in vars(own).items() if not key.startswith("_") and callable(member)}
            bare += [f"{name}.{key}" for key, member in members.items() if not member.__doc__]
            bare += [name] if not own.__doc__ or re.match(rf"{name}\(.*\)$", own.__doc__) else []
    assert not bare
