"""Many characters at once."""

import threading

import numpy as np
import pytest
from person import RIG

import kinescope_ik as ik

COUNT = 37


@pytest.fixture
def many(standing: ik.Array) -> tuple[ik.Batch, ik.Array, list[ik.Settings]]:
    solver, settings = ik.Solver(RIG), [ik.Settings() for _ in range(COUNT)]
    for index, own in enumerate(settings):
        own.effector("left_hand").aim((0.3 + 0.01 * index, 1.3, 0.45))
    return ik.Batch([solver] * COUNT), np.repeat(standing[None], COUNT, axis=0), settings


def test_a_batch_gives_the_results_of_single_solves(many: tuple[ik.Batch, ik.Array, list[ik.Settings]]) -> None:
    batch, poses, settings = many
    solver = batch.solvers[0]
    expected = np.stack([solver.solve(pose, own) for pose, own in zip(poses, settings)])
    out = np.empty_like(poses)
    assert batch.solve(poses, settings, out=out) is out
    np.testing.assert_allclose(out, expected, atol=1e-5)
    rows = ik.settings_array(COUNT)
    for index, own in enumerate(settings):
        rows[index] = own.record[0]
    assert (batch.solve(poses.astype(np.float64), rows) == out).all()
    assert batch.solve(poses, settings, out=poses) is poses
    assert (poses == out).all()
    one = ik.Batch([solver, ik.Solver(RIG)]).solve(np.stack([RIG.reference] * 2), settings[3])
    np.testing.assert_allclose(one, np.stack([expected[3]] * 2), atol=1e-5)
    assert ik.Batch([]).solve(np.empty((0, 0, 7), np.float32), []).shape == (0, 0, 7)


def test_refused_characters_do_not_stop_the_others(many: tuple[ik.Batch, ik.Array, list[ik.Settings]]) -> None:
    batch, poses, settings = many
    expected = batch.solve(poses, settings)
    poses[5, 4, 1] = np.nan
    out = np.empty_like(poses)
    with pytest.raises(ik.BatchError, match='character 5 refused; the last: .*"left upper arm"') as caught:
        batch.solve(poses, settings, out=out)
    assert np.flatnonzero(caught.value.statuses).tolist() == [5]
    assert out[5].tobytes() == poses[5].tobytes()
    others = np.arange(COUNT) != 5
    np.testing.assert_allclose(out[others], expected[others], atol=1e-5)


def test_wrong_arrays_are_errors(many: tuple[ik.Batch, ik.Array, list[ik.Settings]]) -> None:
    batch, poses, settings = many
    with pytest.raises(ValueError, match=r"poses: has the shape \(36, 16, 7\), expected \(37, 16, 7\)"):
        batch.solve(poses[1:], settings)
    with pytest.raises(ValueError, match="out: is not C-contiguous"):
        batch.solve(poses, settings, out=np.asfortranarray(poses))
    with pytest.raises(TypeError, match="out: has the type float64"):
        batch.solve(poses, settings, out=poses.astype(np.float64))
    with pytest.raises(TypeError, match="expected numbers"):
        batch.solve(poses.astype(str), settings)
    with pytest.raises(ValueError, match="settings: has 36 entries, expected 37"):
        batch.solve(poses, settings[1:])
    with pytest.raises(ValueError, match=r"settings: has the shape \(36,\)"):
        batch.solve(poses, ik.settings_array(36))
    with pytest.raises(TypeError, match=r"expected kinescope_ik\.Settings"):
        batch.solve(poses, [None] * COUNT)  # type: ignore[list-item]
    with pytest.raises(TypeError, match="expected numbers"):
        batch.solve(None, settings)  # type: ignore[arg-type]


def test_other_threads_run_during_a_batch(standing: ik.Array) -> None:
    count = 3000
    batch, settings = ik.Batch([ik.Solver(RIG)] * count), ik.Settings()
    settings.effector("left_hand").aim((0.5, 1.3, 0.45))
    poses, begun, done, ticks = np.repeat(standing[None], count, axis=0), threading.Event(), threading.Event(), [0]

    def count_up() -> None:
        begun.set()
        while not done.is_set():
            ticks[0] += 1

    # If the library held the GIL, the other thread would stand still from the first to the last line of the batch.
    thread = threading.Thread(target=count_up)
    thread.start()
    begun.wait()
    batch.solve(poses, settings, out=poses)
    within = ticks[0]
    done.set()
    thread.join()
    assert within > 1000


def test_every_character_may_have_modifiers(many: tuple[ik.Batch, ik.Array, list[ik.Settings]]) -> None:
    batch, poses, settings = many
    solver = batch.solvers[0]
    lists: list[ik.Modifiers | None] = [ik.Modifiers(solver) if index % 2 else None for index in range(COUNT)]
    alone = [ik.Modifiers(solver) for _ in range(COUNT)]
    for own, other in zip(lists, alone):
        if own is not None:
            for each in (own, other):
                each.add(ik.LookAt).target = (1, 1.5, 2)
    for _ in range(3):
        found = batch.solve(poses, settings, modifiers=lists, dt=1 / 60)
        expected = [own.solve(pose, one, 1 / 60) for own, pose, one in zip(alone, poses, settings)]
    np.testing.assert_allclose(found, np.stack(expected), atol=1e-5)
    plain = batch.solve(poses, settings)
    assert not np.allclose(plain[1], found[1], atol=1e-3)
    np.testing.assert_allclose(plain[0], found[0], atol=1e-5)
    key = batch.solve(poses, settings, bones="key")
    np.testing.assert_allclose(key[:, 6], plain[:, 6], atol=1e-5)
    with pytest.raises(ValueError, match="bones: is 'some', expected all or key"):
        batch.solve(poses, settings, bones="some")
    with pytest.raises(ValueError, match="modifiers: has 1 entries"):
        batch.solve(poses, settings, modifiers=[None])
    with pytest.raises(ValueError, match="modifiers: has a list twice"):
        batch.solve(poses, settings, modifiers=[lists[1]] * COUNT)
