"""Answers the frames of the benchmark `arena` of the library, with every adapter whose packages are installed.

The benchmark starts this script and speaks with it by lines on standard input and output. The lines are those between a window and
an adapter, except that the first line has all solvers, a frame has the number of its solver, and an answer has no iterations.
"""

from __future__ import annotations

import importlib
import json
import sys
from importlib import metadata
from types import ModuleType
from typing import Any

import lane

ADAPTERS: dict[str, tuple[str, list[str], list[int | None]]] = {
    "momentum": ("MomentumLane", ["pymomentum-core"], [2, 4, 8]),
    "mink": ("MinkLane", ["mink", "mujoco", "daqp"], [5, 20]),
    "pink": ("PinkLane", ["pin-pink", "pin", "daqp"], [5, 20]),
    "placo": ("PlacoLane", ["placo"], [5, 20]),
    "ikpy": ("IkpyLane", ["ikpy"], [None]),
}
"""The class of each adapter, the packages whose versions matter, and the numbers of iterations; ikpy ends by itself."""


class Entry:
    """An adapter with a number of iterations."""

    def __init__(self, name: str, module: ModuleType, iterations: int | None) -> None:
        kind, packages, _ = ADAPTERS[name]
        self.name = name if iterations is None else f"{name}, {iterations} iterations"
        self.module, self.iterations = module, iterations
        self.make = getattr(module, kind)
        self.versions = "; ".join(f"{package} {metadata.version(package)}" for package in packages)
        self.solver: lane.Solver | None = None

    def answer(self, rig: lane.Rig, line: dict[str, Any]) -> dict[str, Any]:
        if self.iterations is not None:
            self.module.ITERATIONS = self.iterations  # type: ignore[attr-defined]
        # Momentum's iterations are one call.
        self.module.STEPPED = False  # type: ignore[attr-defined]
        if self.solver is None:
            self.solver = self.make(rig)
        return lane.answer(rig, self.solver, line, has_iterations=False)


def entries() -> tuple[list[Entry], list[str]]:
    """Returns the installed adapters, and the names of the others with the reason."""
    found, skipped = [], []
    for name, (_, _, counts) in ADAPTERS.items():
        try:
            module = importlib.import_module(f"{name}_lane")
            found += [Entry(name, module, count) for count in counts]
        except (ImportError, metadata.PackageNotFoundError) as error:
            skipped.append(f"{name}: {error}")
    return found, skipped


def main() -> None:
    found, skipped = entries()

    def send(line: dict[str, Any]) -> None:
        print(json.dumps(line), flush=True)

    send({"solvers": [{"name": own.name, "versions": own.versions} for own in found], "skipped": skipped})
    rig: lane.Rig | None = None
    for line in map(json.loads, sys.stdin):
        if "character" in line:
            rig = lane.Rig(line["character"])
            for own in found:
                own.solver = None
        elif rig is not None:
            if rig.fit(line):
                for own in found:
                    own.solver = None
            send(found[line["solver"]].answer(rig, line))


if __name__ == "__main__":
    main()
