"""Steps, moves and nodes of a solve."""

import numpy as np
import pytest

import kinescope_ik as ik


def test_a_trace_is_the_solve(solver: ik.Solver, standing: ik.Array, reaching: ik.Settings) -> None:
    out = np.empty_like(standing)
    trace = solver.trace(standing, reaching, out=out, moves=True)
    assert (out == solver.solve(standing, reaching)).all()
    assert (len(trace), trace.nodes.shape) == (35, (35, 13, 3))
    assert [str(step) for step in trace.steps[:3]] == ["read", "1 end_effectors", "1 push"]
    assert (trace.steps[-1], trace.steps[1].iteration) == (ik.Step("bend", None), 0)
    # The moves of a step lead from the nodes before it to the nodes after it.
    for before, after, moves in zip(trace.nodes, trace.nodes[1:], trace.moves[1:]):
        nodes = before.copy()
        for move in moves:
            index = ik.NODES.index(move.node)
            assert tuple(nodes[index]) == move.start
            nodes[index] = move.end
        assert (nodes == after).all()
    causes = {move.cause for moves in trace.moves for move in moves}
    assert "child_constraint" in causes
    assert solver.trace(standing, reaching).moves == ()


def test_steps_can_be_read_and_changed(solver: ik.Solver, standing: ik.Array, reaching: ik.Settings) -> None:
    trace = solver.trace(standing, reaching)
    stepping = solver.begin(standing, reaching)
    for index, step in enumerate(stepping):
        assert step == trace.steps[index]
        assert (stepping.nodes == trace.nodes[index]).all()
    assert (stepping.end() == solver.solve(standing, reaching)).all()

    stepping = solver.begin(standing, reaching)
    for step in stepping:
        if step.stage == "bend":
            stepping.set_node("left_hand", (0.6, 1.2, 0.3))
    out = np.empty_like(standing)
    assert stepping.end(out) is out
    assert not (out == solver.solve(standing, reaching)).all()


def test_mistakes_are_errors(solver: ik.Solver, standing: ik.Array, reaching: ik.Settings) -> None:
    stepping = solver.begin(standing, reaching)
    with pytest.raises(ValueError, match="'tail' is not a known node"):
        stepping.set_node("tail", (0, 0, 0))
    with pytest.raises(ik.Error, match="position"):
        stepping.set_node("left_hand", (0, float("nan"), 0))
    stepping.end()
    with pytest.raises(ik.Error, match="no solve in progress"):
        stepping.step()
    standing[4, 1] = np.nan
    with pytest.raises(ik.PoseError, match="left upper arm"):
        solver.begin(standing, reaching)
    with pytest.raises(ik.PoseError, match="left upper arm"):
        solver.trace(standing, reaching)
    with pytest.raises(ValueError, match="'tail' is not a known node"):
        solver.trace(solver.rig.reference, reaching).node("tail")
