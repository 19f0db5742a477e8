#!/usr/bin/env python3
"""Writes src/kinescope_ik/_tables.py: names and settings, from the enums and structures of kinescope.h.

    python3 generate.py            # writes the file
    python3 generate.py --check    # fails if the file is out of date
"""

import re
import sys
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
HEADER = HERE.parent / "c" / "include" / "kinescope.h"
TABLES = HERE / "src" / "kinescope_ik" / "_tables.py"

# The enums by their names in C without the prefix, and the tuples in Python.
TUPLES = {
    "Node": "NODES",
    "Effector": "EFFECTORS",
    "Limb": "LIMBS",
    "Stage": "STAGES",
    "Part": "PARTS",
    "Smoothing": "SMOOTHINGS",
    "Grounding": "GROUNDINGS",
    "Grouping": "GROUPINGS",
    "Quality": "QUALITIES",
    "Side": "SIDES",
    "Aims": "AIMS",
    "ModifierKind": "MODIFIERS",
    "ChainSolver": "CHAIN_SOLVERS",
    "Weighting": "WEIGHTINGS",
    "CcdTurn": "CCD_TURNS",
    "MapTurn": "MAP_TURNS",
    "BendRule": "BEND_RULES",
    "StoppedBy": "STOPPED_BY",
    "Bones": "BONES",
    "EngineAxes": "ENGINE_AXES",
    "Condition": "CONDITIONS",
    "Miss": "MISSES",
    "Reason": "REASONS",
    "MotionMeasure": "MOTION_MEASURES",
}
# The structures of settings, each after those that it contains, and the base classes in Python.
CLASSES = {
    "SolverSettings": "Fields",
    "ChainSettings": "ChainMethods",
    "EffectorSettings": "EffectorMethods",
    "Settings": "Fields",
    "FootIkSettings": "LiveFields",
    "PredictiveSettings": "LiveFields",
    "LockSettings": "LiveFields",
    "FootprintSettings": "LiveFields",
    "DriveWeights": "LiveFields",
    "SpeedSettings": "LiveFields",
    "ChainIkSettings": "Fields",
}
# Classes with methods that need the other classes: a class of the other name is derived from them by hand.
DERIVED = {"Settings": "SettingsFields", "ChainIkSettings": "ChainIkFields", "Keyed": "KeyedFields", "Head": "HeadFields"}

HEAD = '''"""Names and settings of the library. Generated from kinescope.h by generate.py; do not edit."""

from __future__ import annotations

from ._fields import ChainMethods, Choice, EffectorMethods, Fields, Flag, Group, Groups, Number, OptionalRotation
from ._fields import LiveFields, ModifierFields, OptionalVector, Vector, Whole

'''


class Field(NamedTuple):
    """A field of a structure."""

    kind: str
    name: str
    array: str
    """The constant in brackets after the name, without its prefix; empty if the field is no array."""
    help: str


def comment(lines: str) -> str:
    return " ".join(line.strip().removeprefix("//").strip() for line in lines.strip().splitlines())


def enums(header: str) -> dict[str, tuple[str, list[tuple[str, str]]]]:
    """Returns the documentation and the values of each enum: key and documentation."""
    found = {}
    for about, name, body in re.findall(r"((?:^//[^\n]*\n)+)^enum Kinescope(\w+)\b.*?\{\n(.*?)^\};", header, re.S | re.M):
        prefix = "KINESCOPE_" + re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper() + "_"
        values = re.findall(r"((?:^ +//[^\n]*\n)*)^ +(KINESCOPE_\w+)", body, re.M)
        found[name] = comment(about), [(value.removeprefix(prefix).lower(), comment(own)) for own, value in values]
    return found


def structures(header: str) -> dict[str, tuple[str, list[Field]]]:
    """Returns the documentation and the fields of each structure."""
    found = {}
    text = r"((?:^//[^\n]*\n)*)^typedef struct Kinescope(\w+) \{\n(.*?)^\} Kinescope"
    for about, name, body in re.findall(text, header, re.S | re.M):
        rows = re.findall(r"((?:^ +//[^\n]*\n)*)^ +(?:const )?(?:struct )?(\w+) \*?(\w+)(?:\[KINESCOPE_(\w+)\])?;", body, re.M)
        found[name] = comment(about), [Field(kind, own, array, comment(help)) for help, kind, own, array in rows]
    return found


def field(own: Field, without: str | None) -> str:
    """Returns the constructor of a field's descriptor. `without` is what an optional field means if it is not set."""
    kind, help = own.kind.removeprefix("Kinescope"), re.sub(r"Kinescope(\w+)", lambda of: TUPLES.get(of[1], of[1]), own.help)
    choice = re.search(r" A number of (\w+)\.", help)
    if own.array:
        return f"Groups({kind}, {own.array}, {help!r})"
    if without is not None:
        kind = {"Vec3": "OptionalVector", "Quat": "OptionalRotation"}[kind]
        return f"{kind}({help.removesuffix('.') + '; None means ' + without if without else help!r})"
    if choice:
        return f"Choice({choice[1]}, {help.replace(choice[0], '')!r})"
    if help.endswith(" 0 means no."):
        return f"Flag({help.removesuffix(' 0 means no.')!r})"
    classes = {"float": "Number", "uint32_t": "Whole", "Vec3": "Vector"}
    return f"{classes[kind]}({help!r})" if kind in classes else f"Group({kind}, {help!r})"


def quoted(source: str) -> str:
    """Returns a constructor's source with its last argument, a text, in double quotes."""
    return re.sub(r"'((?:[^'\\]|\\.)*)'\)$", lambda of: '"' + of[1].replace("\\'", "'").replace('"', '\\"') + '")', source)


def generate(header: str) -> str:
    """Returns the source of the module."""
    names, tables = enums(header), structures(header)
    out = HEAD
    for name, constant in TUPLES.items():
        about, values = names[name]
        rows = "".join(f"    # {help}\n    {key!r},\n".replace("'" + key + "'", f'"{key}"') for key, help in values)
        out += f'{constant} = (\n{rows})\n"""{about}"""\n'
    modifiers = {key.title().replace("_", ""): "ModifierFields" for key, _ in names["ModifierKind"][1]}
    for name, base in (CLASSES | modifiers).items():
        about, fields = tables[name]
        about = about.removeprefix("Settings of a modifier. ") if name in modifiers else about
        out += f'\n\nclass {DERIVED.get(name, name)}({base}):\n    """{about}"""\n\n    __slots__ = ()\n\n'
        without: dict[str, str] = {}
        for own in fields:
            if own.name.startswith("has_"):
                means = own.help.split(" 0 means ")[1]
                without[own.name.removeprefix("has_")] = "" if means == "no." else means
            else:
                out += f"    {own.name} = {quoted(field(own, without.get(own.name)))}\n"
    return out


def main() -> None:
    made = generate(HEADER.read_text(encoding="utf-8"))
    if "--check" not in sys.argv:
        TABLES.write_text(made, encoding="utf-8")
    elif TABLES.read_text(encoding="utf-8") != made:
        sys.exit(f"{TABLES} is out of date. To write it: python3 {Path(__file__).name}")


if __name__ == "__main__":
    main()
