"""Modifiers, with their state and targets."""

import math
from typing import Any

import numpy as np
import pytest
from person import RIG, STANDING

import kinescope_ik as ik

DT = 1 / 60


@pytest.fixture
def modifiers(solver: ik.Solver) -> ik.Modifiers:
    return ik.Modifiers(solver)


def test_without_modifiers_the_solve_is_the_same(
    solver: ik.Solver, modifiers: ik.Modifiers, standing: ik.Array, reaching: ik.Settings
) -> None:
    expected = solver.solve(standing, reaching)
    assert (modifiers.solve(standing, reaching, DT) == expected).all()
    assert modifiers.solve(standing, reaching, DT, out=standing) is standing
    assert (standing == expected).all()


def test_a_recoil_throws_the_hand_back_and_ends(modifiers: ik.Modifiers, standing: ik.Array) -> None:
    recoil, settings = modifiers.add(ik.Recoil), ik.Settings()
    settings.effector("right_hand").position_weight = 1
    rest = modifiers.solve(standing, settings, DT)
    assert recoil.trigger()
    moved = [float(np.abs(modifiers.solve(standing, settings, DT)[9] - rest[9]).max()) for _ in range(60)]
    assert max(moved) > 0.02
    assert moved[-1] < 1e-3
    recoil.trigger()
    modifiers.solve(standing, settings, DT)
    modifiers.reset()
    np.testing.assert_allclose(modifiers.solve(standing, settings, DT), rest, atol=1e-5)
    assert not modifiers.add(ik.Breathing).trigger()


def test_a_look_at_turns_the_head_and_may_be_attached(modifiers: ik.Modifiers, standing: ik.Array) -> None:
    look, settings = modifiers.add(ik.LookAt), ik.Settings()
    rest = modifiers.solve(standing, settings, DT)
    look.target = (2, 1.6, 2)
    assert look.target == pytest.approx((2, 1.6, 2))
    turned = modifiers.solve(standing, settings, DT)
    assert abs(turned[3, 4]) > 0.2 > abs(rest[3, 4])
    # Now the target follows the right hand.
    modifiers.attach(look, to="right_hand")
    other = modifiers.solve(standing, settings, DT)
    assert turned[3, 4] * other[3, 4] < 0
    modifiers.attach(look, to=9, offset=(0, 0.1, 0))
    modifiers.detach(look)
    modifiers.attach("left_hand", to="right_hand", offset=(0.2, 0, 0))
    settings.effector("left_hand").position_weight = 1
    assert modifiers.solve(standing, settings, DT)[6, 0] < 0.1
    modifiers.detach("left_hand")


def test_keys_move_an_effector(modifiers: ik.Modifiers, standing: ik.Array) -> None:
    keyed, settings = modifiers.add(ik.Keyed), ik.Settings()
    keyed.in_world = True
    keyed.set_keys("left_hand", [0, 1], [(0.5, 1.3, 0.3), (0.5, 1.1, 0.4)])
    for time, height in [(0, 1.3), (1, 1.1)]:
        assert modifiers.solve(standing, settings, DT, time)[6, 1] == pytest.approx(height, abs=0.01)
    keyed.set_keys("left_hand", [], np.empty((0, 3)))
    np.testing.assert_allclose(modifiers.solve(standing, settings, DT, 1), standing, atol=1e-5)
    with pytest.raises(ValueError, match=r"positions: has the shape \(2, 2\), expected \(1, 3\)"):
        keyed.set_keys("left_hand", [0], [(1, 2), (3, 4)])
    with pytest.raises(ik.SettingsError):
        keyed.set_keys("left_hand", [0], [(math.nan, 0, 0)])


def test_every_kind_can_be_added_and_solved(modifiers: ik.Modifiers, standing: ik.Array, reaching: ik.Settings) -> None:
    for kind in ik.KINDS:
        made = modifiers.add(kind)
        assert type(made) is kind
        assert "off=False" in repr(made)
    assert [type(own) for own in modifiers] == list(ik.KINDS)
    modifiers.strike(standing[1, :3], (0, 0, -1), 0.1)
    for _ in range(3):
        assert np.isfinite(modifiers.solve(standing, reaching, DT)).all()
    other = ik.Modifiers(ik.Solver(RIG))
    text = modifiers.to_preset()
    assert other.load_preset(text)
    assert [type(own) for own in other] == list(ik.KINDS)
    assert other.to_preset() == text
    assert not other.load_preset(ik.Settings().to_preset())


def test_grounding_goes_between_the_parts_of_a_solve(
    solver: ik.Solver, modifiers: ik.Modifiers, standing: ik.Array, reaching: ik.Settings
) -> None:
    modifiers.add(ik.Breathing)
    expected = modifiers.solve(standing, reaching, DT)
    modifiers.reset()
    pose, driven = modifiers.before(standing, reaching, DT)
    assert (modifiers.after(pose, driven, DT) == expected).all()
    grounder = ik.Grounder(solver)
    raised = None
    for _ in range(120):
        pose, driven = modifiers.before(standing, reaching, DT)
        driven = grounder.ground(ik.Level(0.2), pose, driven, DT)
        raised = modifiers.after(pose, driven, DT)
    assert raised is not None
    assert raised[12, 1] == pytest.approx(STANDING[12, 1] + 0.2, abs=0.02)


def test_mistakes_are_errors(modifiers: ik.Modifiers, standing: ik.Array) -> None:
    recoil, settings = modifiers.add(ik.Recoil), ik.Settings()
    with pytest.raises(ik.SettingsError, match="kick"):
        recoil.kick = 7
    assert recoil.kick == pytest.approx(0.055)
    with pytest.raises(ValueError, match="hand: is 'third'.*known are left, right"):
        recoil.hand = "third"
    wrong: Any
    for wrong in (None, ik.Settings, int):
        with pytest.raises(TypeError, match="expected a class of modifiers"):
            modifiers.add(wrong)
    with pytest.raises(ik.Error, match="no attached target"):
        modifiers.attach(recoil, to="left_hand")
    look = modifiers.add(ik.LookAt)
    for wrong, kind in [(99, ik.Error), (-1, ValueError), ("tail", ValueError)]:
        with pytest.raises(kind):
            modifiers.attach(look, to=wrong)
    modifiers.remove(recoil)
    assert (len(modifiers), modifiers[0]) == (1, look)
    look.weight = 0.5
    with pytest.raises(ValueError, match="no longer, in this list"):
        recoil.weight = 0.5
    with pytest.raises(ik.Error, match="dt: is"):
        modifiers.solve(standing, settings, math.nan)
    standing[4, 1] = math.nan
    with pytest.raises(ik.PoseError, match="left upper arm"):
        modifiers.solve(standing, settings, DT)
    with pytest.raises(ik.FileError):
        modifiers.load_preset("nonsense")
    with pytest.raises(ValueError, match="direction: has 2 numbers"):
        modifiers.strike((0, 0, 0), (1, 0), 1)
    assert not modifiers.strike((0, 1, 0), (1, 0, 0), 1)
