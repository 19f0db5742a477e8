"""Fields of settings: typed attributes over the memory of the C library's structures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeAlias, TypeVar, overload

import numpy.typing as npt

from ._native import number_of

Vec3 = tuple[float, float, float]
"""Position or direction: x, y, z."""
Quat = tuple[float, float, float, float]
"""Rotation: a unit quaternion x, y, z, w."""

Numbers: TypeAlias = "Sequence[float] | npt.NDArray[Any]"
"""Numbers of a vector or rotation that a caller passes."""

T = TypeVar("T")


class Fields:
    """Base of settings: attributes are the documented fields, and an unknown name is an AttributeError."""

    __slots__ = ("_c", "_owner")

    def __init__(self, c: Any, owner: object) -> None:
        self._c = c
        # Keeps the memory alive.
        self._owner = owner

    def _changed(self) -> None:
        """Is called after a field was assigned. Does nothing here; subclasses hand the settings to the library."""

    def __repr__(self) -> str:
        kind = type(self)
        found = [name for own in kind.__mro__ for name, field in vars(own).items() if isinstance(field, (Field, Group))]
        return f"{kind.__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in found)})"


class Field(Generic[T]):
    """A field of settings."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, of: None, owner: type) -> Field[T]: ...

    @overload
    def __get__(self, of: Fields, owner: type) -> T: ...

    def __get__(self, of: Fields | None, owner: type) -> Field[T] | T:
        return self if of is None else self.read(of._c)

    def __set__(self, of: Fields, value: T) -> None:
        try:
            self.write(of._c, value)
        except (OverflowError, TypeError, ValueError) as error:
            raise type(error)(f"{self.name}: is {value!r}: {error}") from None
        of._changed()

    def read(self, c: Any) -> T:
        """Returns the value in the structure."""
        raise NotImplementedError

    def write(self, c: Any, value: T) -> None:
        """Stores a value in the structure."""
        raise NotImplementedError


class Number(Field[float]):
    """A number."""

    def read(self, c: Any) -> float:
        return float(getattr(c, self.name))

    def write(self, c: Any, value: float) -> None:
        setattr(c, self.name, float(value))


class Whole(Field[int]):
    """A whole number."""

    def read(self, c: Any) -> int:
        return int(getattr(c, self.name))

    def write(self, c: Any, value: int) -> None:
        setattr(c, self.name, value)


class Flag(Field[bool]):
    """Yes or no."""

    def read(self, c: Any) -> bool:
        return bool(getattr(c, self.name))

    def write(self, c: Any, value: bool) -> None:
        setattr(c, self.name, int(bool(value)))


class Choice(Field[str]):
    """One of a few names."""

    def __init__(self, names: tuple[str, ...], doc: str) -> None:
        super().__init__(doc)
        self.names = names

    def read(self, c: Any) -> str:
        return self.names[int(getattr(c, self.name))]

    def write(self, c: Any, value: str) -> None:
        setattr(c, self.name, number_of(self.names, value, "choice"))


def _store(c: Any, value: Numbers, kind: str) -> None:
    numbers = tuple(map(float, value))
    names = "xyzw"[: 3 if kind == "vector" else 4]
    if len(numbers) != len(names):
        raise ValueError(f"expected {len(names)} numbers")
    for name, number in zip(names, numbers):
        setattr(c, name, number)


class Vector(Field[Vec3]):
    """Three numbers. Any sequence of three numbers may be assigned."""

    def read(self, c: Any) -> Vec3:
        own = getattr(c, self.name)
        return own.x, own.y, own.z

    def write(self, c: Any, value: Numbers) -> None:
        _store(getattr(c, self.name), value, "vector")

    def __set__(self, of: Fields, value: Numbers) -> None:
        super().__set__(of, value)  # type: ignore[arg-type]


class OptionalVector(Field["Vec3 | None"]):
    """Three numbers, or None if they are not set."""

    def read(self, c: Any) -> Vec3 | None:
        own = getattr(c, self.name)
        return (own.x, own.y, own.z) if getattr(c, f"has_{self.name}") else None

    def write(self, c: Any, value: Numbers | None) -> None:
        if value is not None:
            _store(getattr(c, self.name), value, "vector")
        setattr(c, f"has_{self.name}", int(value is not None))

    def __set__(self, of: Fields, value: Numbers | None) -> None:
        super().__set__(of, value)  # type: ignore[arg-type]


class OptionalRotation(Field["Quat | None"]):
    """A unit quaternion x, y, z, w, or None if it is not set."""

    def read(self, c: Any) -> Quat | None:
        own = getattr(c, self.name)
        return (own.x, own.y, own.z, own.w) if getattr(c, f"has_{self.name}") else None

    def write(self, c: Any, value: Numbers | None) -> None:
        if value is not None:
            _store(getattr(c, self.name), value, "rotation")
        setattr(c, f"has_{self.name}", int(value is not None))

    def __set__(self, of: Fields, value: Numbers | None) -> None:
        super().__set__(of, value)  # type: ignore[arg-type]


F = TypeVar("F", bound=Fields)


class Group(Generic[F]):
    """Settings within settings."""

    def __init__(self, kind: type[F], doc: str) -> None:
        self.kind = kind
        self.__doc__ = doc
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, of: Fields, owner: type) -> F:
        return self.kind(getattr(of._c, self.name), of._owner)


class Groups(Generic[F]):
    """Settings of every limb or effector."""

    def __init__(self, kind: type[F], names: tuple[str, ...], doc: str) -> None:
        self.kind = kind
        self.names = names
        self.__doc__ = doc
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, of: Fields, owner: type) -> tuple[F, ...]:
        array = getattr(of._c, self.name)
        return tuple(self.kind(array[index], of._owner) for index in range(len(self.names)))


class ChainMethods(Fields):
    """Methods of a limb's settings."""

    __slots__ = ()

    def bend_to(self, goal: Numbers, weight: float = 1.0) -> None:
        """Sets a point in model space toward which elbow or knee bends (a pole vector), and the bend weight."""
        _store(self._c.bend_goal, goal, "vector")
        self._c.has_bend_goal = 1
        self._c.bend_weight = weight


class EffectorMethods(Fields):
    """Methods of an effector's settings."""

    __slots__ = ()

    def aim(self, position: Numbers, weight: float = 1.0) -> None:
        """Sets a target position in model space, and its weight."""
        _store(self._c.position, position, "vector")
        self._c.has_position = 1
        self._c.position_weight = weight

    def turn(self, rotation: Numbers, weight: float = 1.0) -> None:
        """Sets a target rotation in model space, a quaternion x, y, z, w, and its weight."""
        _store(self._c.rotation, rotation, "rotation")
        self._c.has_rotation = 1
        self._c.rotation_weight = weight


class LiveFields(Fields):
    """Base of settings of an object of the library, which takes every change at once."""

    __slots__ = ("_push",)

    _push: Callable[[], None]
    """Hands the settings to the library; if it refuses them, restores the previous values."""

    def _changed(self) -> None:
        self._push()


class ModifierFields(LiveFields):
    """Base of modifiers."""

    __slots__ = ("_list",)

    _list: Any
    """The list that the modifier is in."""

    def trigger(self) -> bool:
        """Starts the action of the modifier: a recoil fires, a reach-for reaches. Returns False for other kinds."""
        return bool(self._list._trigger(self))
