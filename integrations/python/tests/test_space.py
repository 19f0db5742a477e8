"""The coordinates of engines."""

import numpy as np
import pytest

import kinescope_ik as ik


@pytest.mark.parametrize("axes", ik.ENGINE_AXES)
def test_conversions_go_both_ways(axes: str, standing: ik.Array, reaching: ik.Settings) -> None:
    space = ik.Space.of(axes, 0.01)
    outside = space.pose_out(standing)
    np.testing.assert_allclose(space.pose_in(outside), standing, atol=1e-5)
    np.testing.assert_allclose(space.positions_out(standing[:, :3]), outside[:, :3], atol=1e-3)
    np.testing.assert_allclose(space.positions_in(outside[None, :, :3])[0], standing[:, :3], atol=1e-5)
    inside = space.settings_in(space.settings_out(reaching))
    assert inside.effector("left_hand").position == pytest.approx((0.5, 1.3, 0.45), abs=1e-5)


def test_axes_are_those_of_the_engines() -> None:
    # Blender: right is +X, up is +Z, and a character faces -Y.
    up = ik.Space.of("right_handed_z_up").positions_out((0, 1, 0))
    assert up.tolist() == [0, 0, 1]
    forward = ik.Space.of("right_handed_z_up").positions_out((0, 0, 1))
    assert forward.tolist() == [0, -1, 0]
    assert ik.Space.of("left_handed_z_up", 0.01).positions_out((0, 1, 0)).tolist() == pytest.approx([0, 0, 100])
    by_hand = ik.Space(left=(1, 0, 0), up=(0, 0, 1), forward=(0, -1, 0))
    assert by_hand.positions_out((1, 2, 3)).tolist() == ik.Space.of("right_handed_z_up").positions_out((1, 2, 3)).tolist()


def test_mistakes_are_errors(standing: ik.Array) -> None:
    with pytest.raises(ValueError, match="'sideways' is not a known name of axes"):
        ik.Space.of("sideways")
    with pytest.raises(ik.Error):
        ik.Space((1, 0, 0), (1, 0, 0), (0, 0, 1))
    with pytest.raises(ik.Error):
        ik.Space.of("left_handed_y_up", float("nan"))
    with pytest.raises(ValueError, match=r"positions: has the shape \(2,\)"):
        ik.Space.of("left_handed_y_up").positions_in((1, 2))
    with pytest.raises(ValueError, match=r"pose: has the shape"):
        ik.Space.of("left_handed_y_up").pose_in(standing[:, :3])
