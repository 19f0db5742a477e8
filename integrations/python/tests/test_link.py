"""Recordings, and the link to a window."""

import json
import os
import re
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from person import STANDING

import kinescope_ik as ik

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


@pytest.fixture
def game(solver: ik.Solver) -> ik.Game:
    return ik.Game("a test", {"player": solver})


def test_a_recording_has_what_was_recorded(
    game: ik.Game, solver: ik.Solver, standing: ik.Array, reaching: ik.Settings, tmp_path: Path
) -> None:
    solved = np.empty_like(standing)
    trace = solver.trace(standing, reaching, out=solved)
    path = tmp_path / "session.jsonl"
    with ik.Recorder(game, path) as recorder:
        for index in range(3):
            recorder.frame("player", index / 60, standing, reaching, solved, trace)
        recorder.mark("jump", 0.05)
        arm = ik.Write("left_arm", [4, 5, 6], solved[4:7])
        recorder.frame("player", 0.1, standing.astype(np.float64)[::-1][::-1], frame=9, writes=[arm])
        with pytest.raises(ValueError, match="'tail' is not a known part"):
            recorder.frame("player", 0.2, standing, writes=[arm._replace(part="tail")])
        with pytest.raises(ValueError, match="writes: has bones and transforms of shapes"):
            recorder.frame("player", 0.2, standing, writes=[arm._replace(bones=[4])])
        with pytest.raises(ik.Error, match=r"writes\[0\]"):
            recorder.frame("player", 0.2, standing, writes=[arm._replace(bones=[4, 5, 99])])
        standing[4, 1] = np.nan
        with pytest.raises(ik.PoseError, match=r"animated\[4\]"):
            recorder.frame("player", 1, standing)
        with pytest.raises(ValueError, match="'guard' is not a known character"):
            recorder.frame("guard", 1, standing)
        with pytest.raises(ValueError, match=r"result: has the shape \(3, 7\)"):
            recorder.frame("player", 1, STANDING, result=STANDING[:3])
        with pytest.raises(ik.Error, match="time: is 0.01"):
            recorder.frame("player", 0.01, STANDING)
        with pytest.raises(ValueError, match="frame: is -1"):
            recorder.frame("player", 1, STANDING, frame=-1)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert lines[0]["format"] == "kinescope-recording"
    assert [line.get("frame") for line in lines[1:]] == [0, 1, 2, None, 9]
    assert len(lines[1]["steps"]) == 35
    assert lines[1]["result"] == lines[3]["result"]
    assert set(lines[5]["writes"][0]["bones"]) == {"4", "5", "6"}
    with pytest.raises(ik.Error, match="nowhere"):
        ik.Recorder(game, "/nowhere/at all.jsonl")
    with pytest.raises(ik.Error):
        recorder.frame("player", 2, STANDING)


def test_a_window_hears_and_tunes(game: ik.Game, standing: ik.Array, reaching: ik.Settings) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    received: list[dict[str, Any]] = []

    def window() -> None:
        connection, _ = listener.accept()
        with connection, connection.makefile("rw", encoding="utf-8") as stream:
            parameters = {"solver": {}, "chains": {"left_arm": {"pull": 0.25}}, "effectors": {}}
            stream.write('{"kinescope":1}\n' + json.dumps({"character": "player", "parameters": parameters}) + "\n")
            stream.flush()
            received.extend(json.loads(line) for line in stream)

    thread = threading.Thread(target=window)
    thread.start()
    with ik.Sender(game, f"127.0.0.1:{listener.getsockname()[1]}") as sender:
        while not sender.send("player", 0.5, standing, reaching, frame=7):
            pass
        tuned = None
        while tuned is None:
            tuned = sender.tuned()
        assert (tuned[0], tuned[1].chain("left_arm").pull) == ("player", 0.25)
        assert sender.is_connected
        sender.mark("jump", 0.6)
    thread.join()
    listener.close()
    assert [line.get("frame") for line in received] == [None, 7, None]
    assert sender.dropped == 0
    with pytest.raises(ik.Error, match="address"):
        ik.Sender(game, "no address")


def test_characters_join_and_leave(game: ik.Game, solver: ik.Solver, standing: ik.Array, tmp_path: Path) -> None:
    path = tmp_path / "joins.jsonl"
    with ik.Recorder(game, path) as recorder:
        recorder.frame("player", 0, standing)
        recorder.join("guard", solver)
        recorder.frame("guard", 0.1, standing)
        with pytest.raises(ik.Error, match="guard"):
            recorder.join("guard", solver)
        recorder.leave("player")
        with pytest.raises(ValueError, match="'player' is not a known character of the game; known are guard"):
            recorder.frame("player", 0.2, standing)
        with pytest.raises(ValueError, match="'player' is not a known character"):
            recorder.leave("player")
        recorder.join("player", solver)
        recorder.frame("player", 0.3, standing)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [own["character"] for own in lines if "animated" in own] == ["player", "guard", "player"]


def test_a_window_refuses_a_line_with_a_reason(game: ik.Game, solver: ik.Solver, standing: ik.Array) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    received: list[dict[str, Any]] = []

    def window() -> None:
        connection, _ = listener.accept()
        with connection, connection.makefile("rw", encoding="utf-8") as stream:
            stream.write('{"kinescope":1}\n{"error":{"line":3,"field":"time","message":"is no number"}}\n')
            stream.flush()
            received.extend(json.loads(line) for line in stream)

    thread = threading.Thread(target=window)
    thread.start()
    with ik.Sender(game, f"127.0.0.1:{listener.getsockname()[1]}") as sender:
        sender.join("guard", solver)
        while not sender.send("guard", 0.5, standing, frame=7):
            pass
        why = None
        while why is None:
            why = sender.refused()
        assert why == "line 3: time: is no number"
        assert sender.refused() is None
        sender.leave("guard")
    thread.join()
    listener.close()
    assert [own["frame"] for own in received if "animated" in own] == [7]


def compare(path: Path) -> str:
    program = os.environ.get("KINESCOPE_PROGRAM")
    if program is None:
        pytest.skip("KINESCOPE_PROGRAM is not set to the program kinescope")
    done = subprocess.run([program, "diff", str(path)], capture_output=True, text=True)
    return done.stdout + done.stderr


def walk(path: Path, *arguments: str) -> None:
    command = [sys.executable, str(EXAMPLES / "walk.py"), "--record", str(path), "--frames", "110", *arguments]
    subprocess.run(command, check=True, cwd=EXAMPLES)


def test_kinescope_agrees_with_a_walk_and_finds_a_planted_bug(tmp_path: Path) -> None:
    walk(tmp_path / "good.jsonl")
    assert "110 frames compared, none differs" in compare(tmp_path / "good.jsonl")
    walk(tmp_path / "bad.jsonl", "--bug")
    found = compare(tmp_path / "bad.jsonl")
    assert "the first is player frame 100 at 1.667 s; first differing stages: iteration 0, reach (10)" in found
    # The node is the left arm's: its shoulder, or the hand that reach moves with it.
    assert re.search(r"frame 100 at 1\.667 s: iteration 0, reach, left_(upper_arm|hand): ", found), found
