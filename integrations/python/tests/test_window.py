"""The example game in Python, attached to a real window on a virtual screen."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
# The longest wait for a state, long enough for slow machines.
PATIENCE = 180


def free_address() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"127.0.0.1:{listener.getsockname()[1]}"


@pytest.mark.skipif("KINESCOPE_PROGRAM" not in os.environ, reason="KINESCOPE_PROGRAM is not set to the program kinescope")
@pytest.mark.skipif(shutil.which("xvfb-run") is None, reason="xvfb-run is not installed")
def test_a_window_finds_the_frame_and_the_stage_of_a_planted_bug(tmp_path: Path) -> None:
    address = free_address()
    screen = ["xvfb-run", "-a", "-s", "-screen 0 1440x900x24"]
    window = [*screen, os.environ["KINESCOPE_PROGRAM"], "--listen", address, "--log"]
    # Unsaved work of another window would be offered in a dialog, and no game is shown behind it.
    own = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "KINESCOPE_SAMPLES": "1"}
    # The game runs until the bug is found: a slow window may miss any frame.
    game = [sys.executable, "walk.py", "--bug", "--frames", "1000000", "--address", address]
    found, last = None, ""
    with (
        subprocess.Popen(game, cwd=EXAMPLES, start_new_session=True) as walk,
        subprocess.Popen(window, env=own, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True) as shown,
    ):
        late = threading.Timer(PATIENCE, lambda: os.killpg(shown.pid, signal.SIGKILL))
        late.start()
        try:
            assert shown.stdout is not None
            # A pipe that nobody reads would stop the window, so its log is read from the start.
            for last in shown.stdout:
                seen = json.loads(last).get("game") or {}
                if seen.get("differing", 0) >= 10:
                    found = seen
                    break
        finally:
            late.cancel()
            os.killpg(walk.pid, signal.SIGKILL)
            os.killpg(shown.pid, signal.SIGTERM)
    assert found is not None, f"the window did not show the game's frames; its last line: {last}"
    assert found["name"] == "a walk in Python"
    # Frame 100 may be one of those that the sender dropped.
    assert found["first_difference"]["frame"] >= 100
    assert found["first_difference"]["stage"] == "iteration 0, reach"
