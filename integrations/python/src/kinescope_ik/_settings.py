"""The parameters of one solve, and arrays of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._native import check, dtype_of, ffi, lib, number_of, sized_text, text
from ._tables import EFFECTORS, LIMBS, ChainSettings, EffectorSettings, SettingsFields

SETTINGS: np.dtype[Any] = dtype_of("KinescopeSettings")
"""NumPy's type of one character's parameters, with the layout of the C structure `KinescopeSettings`.

Vectors are fields of three numbers, limbs and effectors are indexed in the order of `LIMBS` and `EFFECTORS`, and optional fields
have a field `has_…`. See `settings_array`.
"""


class Settings(SettingsFields):
    """All parameters of one solve: of the solver, of the four limbs and of the nine effectors.

    A new object has the defaults, at which no effector has a weight:

        settings = Settings()
        settings.effector("left_hand").aim((0.5, 1.3, 0.45))
        settings.chain("left_arm").pull = 0.5
        settings.solver.iterations = 6

    Objects returned by `effector` and `chain` are views: what is assigned to them is part of the settings.
    """

    __slots__ = ()

    def __init__(self) -> None:
        memory = ffi.new("KinescopeSettings *")
        super().__init__(memory, memory)
        lib.kinescope_settings_default(memory)

    @classmethod
    def from_preset(cls, json: str) -> Settings:
        """Returns the settings of a preset, given as JSON text. Raises `FileError` with line and field."""
        settings = cls()
        check(lib.kinescope_settings_from_preset(text(json, "json"), settings._c))
        return settings

    def to_preset(self) -> str:
        """Returns a preset as JSON text, which the window opens."""
        return sized_text(lambda *buffer: lib.kinescope_settings_to_preset(self._c, *buffer))

    def copy(self) -> Settings:
        """Returns independent settings with the same values."""
        other = type(self)()
        other._c[0] = self._c[0]
        return other

    def effector(self, name: str) -> EffectorSettings:
        """Returns the parameters of an effector, by its name in `EFFECTORS`."""
        return EffectorSettings(self._c.effectors[number_of(EFFECTORS, name, "effector")], self._owner)

    def chain(self, name: str) -> ChainSettings:
        """Returns the parameters of a limb, by its name in `LIMBS`."""
        return ChainSettings(self._c.chains[number_of(LIMBS, name, "limb")], self._owner)

    def validate(self) -> None:
        """Raises `SettingsError` for the first number that is out of its range.

        A solve accepts some numbers outside of it, a preset does not.
        """
        check(lib.kinescope_settings_validate(self._c))

    def clear_offsets(self) -> None:
        """Clears the offsets, which apply to one frame."""
        check(lib.kinescope_settings_clear_offsets(self._c))

    @property
    def record(self) -> npt.NDArray[Any]:
        """The parameters as one record of the type `SETTINGS`, in the same memory."""
        return np.frombuffer(ffi.buffer(self._c), SETTINGS)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Settings):
            return NotImplemented
        return bytes(ffi.buffer(self._c)) == bytes(ffi.buffer(other._c))

    __hash__ = None  # type: ignore[assignment]


def settings_array(count: int) -> npt.NDArray[Any]:
    """Returns a structured array of the parameters of many characters, of shape `(count,)` and type `SETTINGS`, at the defaults.

    Columns are set at once:

        many = settings_array(100)
        hand = many["effectors"][:, EFFECTORS.index("left_hand")]
        hand["position"], hand["has_position"], hand["position_weight"] = targets, 1, 1
    """
    made = np.empty(count, SETTINGS)
    made[:] = Settings().record[0]
    return made


def settings_pointer(settings: object) -> Any:
    """Returns the C structure of settings; other types are a TypeError."""
    if not isinstance(settings, Settings):
        raise TypeError(f"settings: is {type(settings).__name__}, expected kinescope_ik.Settings")
    return settings._c
