"""Feet on the ground."""

import math
from typing import Any

import numpy as np
import pytest

import kinescope_ik as ik


def slope(x: float, z: float) -> float:
    return 0.2 * x + 0.1 * z


SLOPE = ik.Terrain([[slope(-2 + 0.5 * j, -2 + 0.5 * i) for j in range(9)] for i in range(9)], 0.5, (-2, -2))


def test_rays_meet_the_terrain() -> None:
    hit = SLOPE.ray((0.3, 2, 0.7), (0, -1, 0), 5)
    assert hit is not None
    assert hit.point == pytest.approx((0.3, slope(0.3, 0.7), 0.7))
    assert hit.distance == pytest.approx(2 - slope(0.3, 0.7))
    normal = np.array((-0.2, 1, -0.1)) / math.sqrt(1.05)
    assert hit.normal == pytest.approx(tuple(normal))
    down = np.array((0.6, -1, -0.2)) / math.sqrt(1.4)
    slanted = SLOPE.ray((-0.5, 1, 0.2), tuple(down), 5)
    assert slanted is not None
    assert np.array((-0.5, 1, 0.2)) + slanted.distance * down == pytest.approx(np.array(slanted.point), abs=1e-5)
    assert slanted.point[1] == pytest.approx(slope(slanted.point[0], slanted.point[2]), abs=1e-9)
    for start, direction, far in [
        ((0, 2, 0), (0, -1, 0), 1), ((0, 2, 0), (0, 1, 0), 9), ((9, 2, 0), (0, -1, 0), 9), ((0, -2, 0), (0, -1, 0), 9)
    ]:
        assert SLOPE.ray(start, direction, far) is None
    assert SLOPE.height(5, 0) is None
    assert SLOPE.height(2, 2) == pytest.approx(slope(2, 2))
    wrong: list[Any] = [[[1.0]], [1.0, 2.0], [[0, math.nan], [0, 0]]]
    for heights in wrong:
        with pytest.raises(ValueError, match="heights"):
            ik.Terrain(heights, 1)
    with pytest.raises(ValueError, match="spacing"):
        ik.Terrain([[0, 0], [0, 0]], 0)


@pytest.mark.parametrize("method", ik.GROUNDINGS)
def test_feet_stand_on_the_slope(method: str, solver: ik.Solver, standing: ik.Array) -> None:
    grounder, settings, driven = ik.Grounder(solver, method), ik.Settings(), ik.Settings()
    # The root stands lower than the ground under the left foot and higher than that under the right foot.
    for _ in range(120):
        assert grounder.ground(SLOPE, standing, settings, 1 / 60, out=driven) is driven
    assert settings == ik.Settings()
    solved = solver.solve(standing, driven)
    for foot in (12, 15):
        x, y, z = solved[foot, :3].tolist()
        assert y == pytest.approx(standing[foot, 1] + slope(x, z), abs=0.02)
    assert solved[12, 1] - solved[15, 1] > 0.03
    # Elsewhere in the world the result is the same in model space.
    level = ik.Grounder(solver, method).ground(ik.Level(5), standing, settings, 1 / 60, root=(30, 5, 2, 0, 0, 0, 1))
    np.testing.assert_allclose(solver.solve(standing, level), standing, atol=1e-3)


def test_mistakes_are_errors(solver: ik.Solver, standing: ik.Array) -> None:
    class Broken:
        def ray(self, origin: ik.Vec3, direction: ik.Vec3, distance: float) -> ik.Hit | None:
            raise KeyError("no map is loaded")

    grounder, settings = ik.Grounder(solver), ik.Settings()
    with pytest.raises(KeyError, match="no map is loaded"):
        grounder.ground(Broken(), standing, settings, 1 / 60)
    grounder.ground(ik.Level(), standing, settings, 1 / 60)
    with pytest.raises(ValueError, match="method: is 'rays', expected foot_ik or predictive"):
        ik.Grounder(solver, "rays")
    with pytest.raises(ValueError, match="root: has 3 numbers"):
        grounder.ground(ik.Level(), standing, settings, 1 / 60, root=(0, 0, 0))
    with pytest.raises(ik.Error, match="root"):
        grounder.ground(ik.Level(), standing, settings, 1 / 60, root=(math.nan, 0, 0, 0, 0, 0, 1))
    with pytest.raises(ik.FileError):
        grounder.load_preset("nonsense")
    assert not grounder.load_preset(settings.to_preset())
    standing[4, 1] = math.nan
    with pytest.raises(ik.PoseError, match="left upper arm"):
        grounder.ground(ik.Level(), standing, settings, 1 / 60)


def test_a_ground_that_is_not_a_number_is_no_ground(solver: ik.Solver, standing: ik.Array) -> None:
    class Nowhere:
        def ray(self, origin: ik.Vec3, direction: ik.Vec3, distance: float) -> ik.Hit | None:
            return ik.Hit((math.nan, 0, 0), (0, 1, 0), math.nan)

    driven = ik.Grounder(solver).ground(Nowhere(), standing, ik.Settings(), 1 / 60)
    assert np.isfinite(solver.solve(standing, driven)).all()


def test_settings_of_a_grounder_apply_at_once(solver: ik.Solver, standing: ik.Array) -> None:
    grounder, settings = ik.Grounder(solver, "predictive"), ik.Settings()
    predictive = grounder.predictive
    assert predictive is not None
    assert (grounder.foot_ik, grounder.speed, grounder.output) == (None, None, None)
    predictive.max_step = 0.25
    predictive.quality = "simple"
    with pytest.raises(ik.SettingsError, match="max_step"):
        predictive.max_step = 50
    again = grounder.predictive
    assert again is not None
    assert (again.max_step, again.quality) == (0.25, "simple")
    grounder.lock.on = True
    grounder.weights.left_foot_position = 0.0
    grounder.footprints.shift = 0.1
    grounder.use_speed()
    assert grounder.speed is not None
    assert grounder.lock.on
    for _ in range(60):
        driven = grounder.ground(ik.Level(0.1), standing, settings, 1 / 60)
    output = grounder.output
    assert output is not None
    assert output["legs"]["is_grounded"].tolist() == [[1, 1]]
    assert output["legs"]["position"][0, 1, 1] == pytest.approx(standing[15, 1] + 0.1, abs=0.02)
    kept, moved = driven.effector("left_foot").position, driven.effector("right_foot").position
    assert kept is not None
    assert moved is not None
    assert kept[1] == pytest.approx(standing[12, 1])
    assert moved[1] == pytest.approx(standing[15, 1] + 0.1, abs=0.02)
    limbs = grounder.drive_limbs(standing, settings)
    assert limbs[15, 1] == pytest.approx(standing[15, 1] + 0.1, abs=0.02)
    grounder.use_speed(False)
    grounder.reset()
    ended = [grounder.speed, grounder.output]
    assert ended == [None, None]


def test_a_ground_may_cast_shapes_itself(solver: ik.Solver, standing: ik.Array) -> None:
    class Shapes(ik.Level):
        seen: list[tuple[str, int]]

        def cast(self, own: ik.Cast) -> Any:
            self.seen.append((own.shape, own.layers))
            if own.shape == "capsule":
                return NotImplemented
            drop = own.origin[1] - own.radius - self.height
            point = (own.origin[0], self.height, own.origin[2])
            return ik.Hit(point, (0, 1, 0), drop) if 0 <= drop <= own.distance else None

    shapes, rays = Shapes(0.1), ik.Level(0.1)
    shapes.seen = []
    first, second = ik.Grounder(solver), ik.Grounder(solver)
    for own in (first, second):
        assert own.predictive is not None
        own.predictive.quality = "best"
    frame = {"footprints": (ik.Footprint(standing[12].tolist(), 0.2), None), "layers": (3, 3), "crossed": (0.5, None)}
    for _ in range(30):
        cast = first.ground(shapes, standing, ik.Settings(), 1 / 60, carried=np.zeros((2, 3)), **frame)  # type: ignore
        rayed = second.ground(rays, standing, ik.Settings(), 1 / 60, carried=np.zeros((2, 3)), **frame)  # type: ignore
    assert {shape for shape, _ in shapes.seen} == {"ray", "sphere", "capsule"}
    assert (shapes.seen[-1][1] & 3) != 0
    np.testing.assert_allclose(solver.solve(standing, cast), solver.solve(standing, rayed), atol=1e-3)
    with pytest.raises(ValueError, match=r"footprints\[0\]: has 3 numbers"):
        first.ground(rays, standing, ik.Settings(), 1 / 60, footprints=(ik.Footprint((1, 2, 3), 0.1), None))
