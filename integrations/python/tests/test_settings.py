"""Settings: attributes, presets, arrays."""

import json

import numpy as np
import pytest

import kinescope_ik as ik


def test_values_are_stored_and_checked(reaching: ik.Settings) -> None:
    hand = reaching.effector("left_hand")
    assert hand.position == pytest.approx((0.5, 1.3, 0.45))
    assert (hand.position_weight, hand.rotation) == (1, None)
    hand.position = np.array([1, 2, 3])
    assert reaching.effectors[ik.EFFECTORS.index("left_hand")].position == (1, 2, 3)
    hand.position = None
    assert hand.position is None
    hand.turn((0, 0, 1, 0), 0.5)
    assert (hand.rotation, hand.rotation_weight) == ((0, 0, 1, 0), 0.5)
    leg = reaching.chain("right_leg")
    leg.bend_to((0, 0.5, 1), 0.75)
    assert (leg.bend_goal, leg.bend_weight) == ((0, 0.5, 1), 0.75)
    leg.push_smoothing = "cubic"
    leg.scale_free_reach = True
    assert (leg.push_smoothing, leg.scale_free_reach) == ("cubic", True)
    reaching.solver.iterations = 7
    assert "iterations=7" in repr(reaching)
    copy = reaching.copy()
    copy.pin = 0.5
    assert (copy.pin, reaching.pin) == (0.5, 0)
    assert copy != reaching


def test_mistakes_are_errors_that_name_the_field(reaching: ik.Settings) -> None:
    hand, leg = reaching.effector("left_hand"), reaching.chain("left_leg")
    with pytest.raises(AttributeError, match="position_wieght"):
        hand.position_wieght = 1  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="iterations"):
        reaching.iterations = 2  # type: ignore[attr-defined]
    with pytest.raises(OverflowError, match="spine_iterations"):
        reaching.solver.spine_iterations = (1 << 32) + 3
    with pytest.raises(ValueError, match="position: is .*expected 3 numbers"):
        hand.position = (1, 2)
    with pytest.raises(ValueError, match="expected 4 numbers"):
        hand.turn((1, 2, 3))
    with pytest.raises(TypeError, match="pull"):
        leg.pull = None  # type: ignore[assignment]
    with pytest.raises(ValueError, match="push_smoothing: is 'square'.*known are none, exponential, cubic"):
        leg.push_smoothing = "square"
    with pytest.raises(ValueError, match="'tail' is not a known effector; known are body, "):
        reaching.effector("tail")
    with pytest.raises(ValueError, match="'tail' is not a known limb"):
        reaching.chain("tail")
    leg.pull = 2
    with pytest.raises(ik.SettingsError, match=r"chains.left_leg.pull: is 2"):
        reaching.validate()


def test_presets_go_both_ways(reaching: ik.Settings) -> None:
    reaching.chain("right_leg").bend_to((0, 0.5, 1), 0.75)
    reaching.chain("left_leg").clamp_smoothing = 2
    text = reaching.to_preset()
    assert json.loads(text)["chains"]["left_leg"]["clamp_smoothing"] == 2
    assert ik.Settings.from_preset(text) == reaching
    with pytest.raises(ik.FileError, match="line 1"):
        ik.Settings.from_preset("nonsense")
    with pytest.raises(TypeError, match="json: is None"):
        ik.Settings.from_preset(None)  # type: ignore[arg-type]


def test_arrays_have_the_layout_of_settings(reaching: ik.Settings) -> None:
    many = ik.settings_array(3)
    assert many.shape == (3,)
    hand = many["effectors"][:, ik.EFFECTORS.index("left_hand")]
    hand["position"], hand["has_position"], hand["position_weight"] = (0.5, 1.3, 0.45), 1, 1
    assert many[2].tobytes() == reaching.record.tobytes()
    reaching.record["pin"] = 0.25
    assert reaching.pin == 0.25


def test_a_view_keeps_its_settings() -> None:
    hand = ik.Settings().effector("left_hand")
    hand.position_weight = 0.5
    record = ik.Settings().record
    assert (hand.position_weight, record["solver"]["iterations"][0]) == (0.5, 4)


def test_fields_are_documented() -> None:
    assert "From 0 to 1, by default 1." in str(ik.ChainSettings.__dict__["pull"].__doc__)
    for kind in (ik.SolverSettings, ik.ChainSettings, ik.EffectorSettings):
        assert kind.__doc__
