"""Measures what a call from Python costs over the solve itself: the time of `Solver.solve` minus that of the same call in C. Also
measures the time per character of a batch.

    python3 benchmark.py            # prints the times
    python3 benchmark.py --write    # also puts the numbers into the pages that claim them

The loop in C is compiled with `cc`. Every time is the best of 40 short series, in turn from Python and from C, so that other
programs on the machine change little.
"""

import argparse
import ctypes
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "examples"))

from person import RIG, STANDING

import kinescope_ik as ik
from kinescope_ik._native import FILE, ffi

PAGES = [HERE / "README.md", HERE.parent.parent / "docs" / "embed" / "python.md"]
CALLS, SERIES, CHARACTERS = 1000, 40, 1000

LOOP = """
#include "kinescope.h"
#include <string.h>

/* Solves `calls` times, from the same animated pose. */
int loop(const KinescopeSolver *solver, KinescopeWorkspace *workspace, const KinescopeSettings *settings, const float *animated,
         float *out, size_t bones, size_t calls)
{
    const KinescopePose pose = { out, out + 3, 28, 28, bones };
    for (size_t call = 0; call < calls; ++call) {
        memcpy(out, animated, 28 * bones);
        if (kinescope_solve(solver, workspace, settings, &pose) < 0) {
            return 1;
        }
    }
    return 0;
}
"""


def best(calls: int, *works: Callable[[], object]) -> list[float]:
    """Returns the time of one call in microseconds for each of several loops; each runs `calls` calls."""
    times = [[float("inf")] for _ in works]
    for _ in range(SERIES):
        for own, work in zip(times, works):
            start = time.perf_counter()
            work()
            own.append(1e6 * (time.perf_counter() - start) / calls)
    return [min(own) for own in times]


def loop_in_c(folder: Path) -> Any:
    library = Path(ik.__file__).with_name(FILE)
    (folder / "loop.c").write_text(LOOP)
    compile = ["cc", "-O2", "-shared", "-fPIC", "-I", str(HERE.parent / "c" / "include"), "-o", "loop.so", "loop.c"]
    subprocess.run([*compile, str(library), f"-Wl,-rpath,{library.parent}"], check=True, cwd=folder)
    loop = ctypes.CDLL(str(folder / "loop.so")).loop
    loop.argtypes = [ctypes.c_void_p] * 5 + [ctypes.c_size_t] * 2
    return loop


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--write", action="store_true", help="put the numbers into the pages that claim them")
    write = options.parse_args().write

    solver, settings = ik.Solver(RIG), ik.Settings()
    settings.effector("left_hand").aim((0.5, 1.3, 0.45))
    pose, out = STANDING.copy(), np.empty_like(STANDING)

    def calls() -> None:
        for _ in range(CALLS):
            solver.solve(pose, settings, out=out)

    with tempfile.TemporaryDirectory() as folder:
        loop = loop_in_c(Path(folder))
        pointers = [int(ffi.cast("uintptr_t", own)) for own in (solver._c, solver._memory, settings._c)]
        pointers += [pose.ctypes.data, out.ctypes.data]
        in_python, in_c = best(CALLS, calls, lambda: loop(*pointers, len(RIG), CALLS))
        assert (out == solver.solve(pose, settings)).all()
    overhead = in_python - in_c

    batch, poses = ik.Batch([solver] * CHARACTERS), np.repeat(pose[None], CHARACTERS, axis=0)
    solved = np.empty_like(poses)
    (of_batch,) = best(CHARACTERS, lambda: batch.solve(poses, settings, out=solved))

    print(f"one character: {in_python:.2f} µs from Python, {in_c:.2f} µs from C, so {overhead:.2f} µs over the solve")
    print(f"{CHARACTERS} characters together: {of_batch:.2f} µs each")
    if write:
        # Rounded up to tenths.
        claims = {
            r"takes [0-9.]+ µs longer than the same call in C": f"takes {np.ceil(10 * overhead) / 10:.1f} µs longer than the same call in C",
            r"1000 characters take [0-9.]+ µs each": f"1000 characters take {np.ceil(10 * of_batch) / 10:.1f} µs each",
        }
        for page in PAGES:
            text = page.read_text(encoding="utf-8")
            for pattern, claim in claims.items():
                text, count = re.subn(pattern, claim, text)
                assert count == 1, f"{page} claims no number of the form {pattern}"
            page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
