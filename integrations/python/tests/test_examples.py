"""The examples, and the code of the book's page."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from person import RIG, STANDING

import kinescope_ik as ik

HERE = Path(__file__).resolve().parent.parent
PAGES = {"the book": HERE.parent.parent / "docs" / "embed" / "python.md", "the README": HERE / "README.md"}


@pytest.mark.parametrize("name", PAGES)
def test_the_code_of_a_page_runs(name: str, tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", PAGES[name].read_text(encoding="utf-8"), re.S | re.M)
    assert blocks
    # The blocks of a page are one program.
    code = f"import sys; sys.path.insert(0, {str(HERE / 'examples')!r})\n" + "\n".join(blocks)
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


def test_the_example_plots_a_solve(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "reach.png"
    command = [sys.executable, "plot.py", str(path)]
    printed = subprocess.run(command, check=True, cwd=HERE / "examples", capture_output=True, text=True).stdout
    assert "35 stages; the hand's node is 0.0 mm from its target" in printed
    assert path.stat().st_size > 20_000


def test_mistakes_in_plots_are_errors(solver: ik.Solver) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt

    from kinescope_ik import plot

    _, axes = plt.subplots()
    with pytest.raises(ValueError, match="view: is 'back', expected left, front, top"):
        plot.bones(axes, RIG, STANDING, view="back")
    with pytest.raises(ValueError, match=r"pose: has the shape \(3, 7\)"):
        plot.bones(axes, RIG, STANDING[:3])
    plot.bones(axes, RIG, STANDING, view="top")
    assert len(axes.lines) == len(RIG) - 1
    drawn = np.asarray(axes.lines[0].get_xydata())
    assert (drawn == STANDING[[0, 1]][:, [0, 2]]).all()
