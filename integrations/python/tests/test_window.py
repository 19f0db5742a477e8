"""The example game in Python, attached to a real window on a virtual screen."""

import json
import os
import shutil
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
def test_a_window_finds_the_frame_and_the_stage_of_a_planted_bug() -> None:
    address = free_address()
    screen = ["xvfb-run", "-a", "-s", "-screen 0 1440x900x24"]
    command = [*screen, os.environ["KINESCOPE_PROGRAM"], "--listen", address, "--log"]
    game = [sys.executable, "walk.py", "--bug", "--frames", "120", "--address", address]
    found = None
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True) as window:
        late = threading.Timer(PATIENCE, lambda: os.killpg(window.pid, 9))
        late.start()
        try:
            sent = subprocess.run(game, check=True, cwd=EXAMPLES, capture_output=True, text=True).stdout
            assert window.stdout is not None
            for line in window.stdout:
                own = json.loads(line).get("game") or {}
                if own.get("differing", 0) >= 10:
                    found = own
                    break
        finally:
            late.cancel()
            os.killpg(window.pid, 15)
    assert "frames sent" in sent
    assert found is not None, "the window did not show the game's frames"
    assert found["name"] == "a walk in Python"
    # The sender drops a frame if its queue is busy, so the first frame with the bug may be a later one.
    assert 100 <= found["first_difference"]["frame"] < 110
    assert found["first_difference"]["stage"] == "iteration 0, reach"
