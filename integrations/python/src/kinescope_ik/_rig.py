"""Bones, and their roles in a biped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._native import Array, ffi, read_pose, text
from ._tables import LIMBS


def make_pose(positions: npt.ArrayLike, rotations: npt.ArrayLike | None = None) -> Array:
    """Returns a pose of shape `(bones, 7)`, float32, from positions `(bones, 3)` and, if given, rotations `(bones, 4)`.

    Each row has a bone's position x, y, z and rotation x, y, z, w in model space, right-handed, +Y up.
    """
    places = np.asarray(positions, np.float32)
    if places.ndim != 2 or places.shape[1] != 3:
        raise ValueError(f"positions: has the shape {places.shape}, expected (bones, 3)")
    made = np.zeros((len(places), 7), np.float32)
    made[:, :3] = places
    made[:, 6] = 1
    if rotations is not None:
        turns = np.asarray(rotations, np.float32)
        if turns.shape != (len(places), 4):
            raise ValueError(f"rotations: has the shape {turns.shape}, expected ({len(places)}, 4)")
        made[:, 3:] = turns
    return made


@dataclass(frozen=True)
class Biped:
    """The bones of each role, by index.

    A limb has three bones (upper arm, forearm, hand; thigh, calf, foot), or four, of which the first is the clavicle.
    """

    pelvis: int
    spine: Sequence[int]
    """From the bone next to the pelvis upwards."""
    left_arm: Sequence[int]
    right_arm: Sequence[int]
    left_leg: Sequence[int]
    right_leg: Sequence[int]
    head: int | None = None
    root_node: int | None = None
    """The pelvis or spine bone used as the solver's body node; None chooses a spine bone by position."""


class Rig:
    """The bones of a character.

    Parameters:
        names: A name for each bone. Detection of roles uses names and positions.
        parents: Each bone's parent by index; -1 or None for a root. Parents come before their children.
        reference: The pose `(bones, 7)` in which the character stands with its arms out. Lengths and bend directions come from it.
        biped: The bones of each role; None detects them.
    """

    def __init__(
        self, names: Sequence[str], parents: Sequence[int | None], reference: npt.ArrayLike, biped: Biped | None = None
    ) -> None:
        self.names = tuple(names)
        """The bones' names."""
        self.parents = tuple(-1 if parent is None else int(parent) for parent in parents)
        """Each bone's parent by index, -1 for a root."""
        if len(self.names) != len(self.parents):
            raise ValueError(f"names: has {len(self.names)} bones, and parents has {len(self.parents)}")
        count = len(self.parents)
        for index, parent in enumerate(self.parents):
            _bone(parent, index, f"parents[{index}]")
        self.reference: Array = np.array(read_pose(reference, count, "reference"))
        """The reference pose, `(bones, 7)`."""
        self.reference.flags.writeable = False
        self.biped = biped
        """The bones of each role; None if they are detected."""

    def __len__(self) -> int:
        return len(self.names)

    def _c(self) -> tuple[Any, Any, list[Any]]:
        """Returns the C structures of skeleton and biped, and the memory that they point to."""
        count = len(self)
        texts = [ffi.new("char[]", text(name, f"names[{index}]")) for index, name in enumerate(self.names)]
        names, parents = ffi.new("char *[]", texts), ffi.new("int32_t[]", self.parents)
        reference = np.ascontiguousarray(self.reference)
        floats = ffi.cast("float *", reference.ctypes.data)
        skeleton = ffi.new("KinescopeSkeleton *")
        skeleton.count, skeleton.names, skeleton.parents = count, names, parents
        pose = skeleton.reference
        pose.positions, pose.rotations = floats, floats + 3
        pose.position_stride = pose.rotation_stride = 28
        pose.count = count
        kept: list[Any] = [texts, names, parents, reference]
        if self.biped is None:
            return skeleton, ffi.NULL, kept
        own, biped = self.biped, ffi.new("KinescopeBiped *")
        spine = ffi.new("int32_t[]", [_bone(bone, count, "biped.spine") for bone in own.spine])
        biped.pelvis = _bone(own.pelvis, count, "biped.pelvis")
        biped.spine, biped.spine_count = spine, len(own.spine)
        biped.head, biped.root_node = _bone(own.head, count, "biped.head"), _bone(own.root_node, count, "biped.root_node")
        limbs: Mapping[str, Sequence[int]] = {name: getattr(own, name) for name in LIMBS}
        for index, (name, bones) in enumerate(limbs.items()):
            places = [_bone(bone, count, f"biped.{name}") for bone in bones]
            if len(places) not in (3, 4):
                raise ValueError(f"biped.{name}: has {len(places)} bones, expected three, or four of which the first is the clavicle")
            biped.limbs[index].clavicle = places[0] if len(places) == 4 else -1
            biped.limbs[index].bones = places[-3:]
        return skeleton, biped, [*kept, spine]


def _bone(index: int | None, count: int, what: str) -> int:
    if index is None:
        return -1
    if not -1 <= index < count:
        raise ValueError(f"{what}: is {index}, the allowed range is -1 to {count - 1}")
    return index
