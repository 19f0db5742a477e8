//! Tests of the terrain. Casts are compared with ray casts and surface distances of parry3d.

use glam::{Vec2, Vec3};
use kinescope_ik::ground::{Ground, Hit, Layers};
use kinescope_ik::preset::Preset;
use kinescope_ik::terrain::{HIGHEST, HeightChange, Mesh, Platform, Terrain};
use parry3d::math::Pose;
use parry3d::query::{PointQuery, Ray, RayCast, distance};
use parry3d::shape::{Cuboid, HeightField, Segment, Shape, Triangle};
use parry3d::utils::Array2;
use proptest::prelude::*;

use crate::common::property::property;
use crate::common::strategies::vector;

fn terrain() -> impl Strategy<Value = Terrain> {
    let numbers = (2usize..9, 2usize..9, 1.0f32..4.0, 1.0f32..4.0, -2.0f32..2.0, -2.0f32..2.0, 0.0f32..1.5);
    numbers.prop_flat_map(|(columns, rows, width, depth, x, z, high)| {
        prop::collection::vec(prop_oneof![2 => -1.0f32..=1.0, 1 => Just(0.0f32)], columns * rows).prop_map(
            move |heights| Terrain {
                center: Vec2::new(x, z),
                size: Vec2::new(width, depth),
                columns,
                rows,
                heights: heights.into_iter().map(|height| height * high).collect(),
                platforms: Vec::new(),
            },
        )
    })
}

fn direction() -> BoxedStrategy<Vec3> {
    let any = vector(1.0).prop_map(|v| v.try_normalize().unwrap_or(Vec3::NEG_Y));
    prop_oneof![1 => Just(Vec3::NEG_Y), 1 => Just(Vec3::X), 1 => Just(Vec3::NEG_Z), 5 => any].boxed()
}

/// Returns the point at these fractions of the rectangle's sides from its centre: beyond ±0.5 it is outside.
fn place(terrain: &Terrain, across: f32, along: f32) -> Vec2 {
    terrain.center + terrain.size * Vec2::new(across, along)
}

fn triangles(terrain: &Terrain) -> Vec<Triangle> {
    let mut mesh = Mesh::default();
    terrain.mesh(&mut mesh);
    let corners = mesh.indices.as_chunks::<3>().0.iter().map(|three| three.map(|at| mesh.positions[at as usize]));
    corners.map(|[p, q, r]| Triangle::new(p, q, r)).collect()
}

fn gap(triangles: &[Triangle], shape: &dyn Shape) -> f32 {
    let gaps =
        triangles.iter().map(|triangle| distance(&Pose::IDENTITY, triangle, &Pose::IDENTITY, shape).unwrap().distance);
    gaps.fold(f32::INFINITY, f32::min)
}

/// Returns the distance of a point from the height field, for which parry3d has a closed form.
fn gap_of_point(triangles: &[Triangle], point: Vec3) -> f32 {
    triangles.iter().map(|triangle| triangle.distance_to_local_point(point, true)).fold(f32::INFINITY, f32::min)
}

fn is_up(hit: &Hit) -> bool {
    (hit.normal.length() - 1.0).abs() < 1e-5 && hit.normal.y > -1e-5 && hit.point.is_finite() && hit.distance >= 0.0
}

fn bits(terrain: &Terrain) -> Vec<u32> {
    terrain.heights.iter().map(|height| height.to_bits()).collect()
}

property! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_ray_down_meets_the_height(terrain in terrain(), across in -0.6f32..0.6, along in -0.6f32..0.6) {
        let surface = terrain.at(0.0).unwrap();
        let at = place(&terrain, across, along);
        let hit = surface.ray(Vec3::new(at.x, 3.0, at.y), Vec3::NEG_Y, 10.0);
        prop_assert_eq!(hit.map(|hit| hit.point.y).is_some(), terrain.height_at(at.x, at.y).is_some());
        if let Some(hit) = hit {
            let height = terrain.height_at(at.x, at.y).unwrap();
            prop_assert!((hit.point.y - height).abs() < 1e-5 && (hit.distance - (3.0 - height)).abs() < 1e-5);
            prop_assert_eq!(Some(hit.normal), terrain.normal_at(at.x, at.y));
            prop_assert!(is_up(&hit));
        }
    }

    #[test]
    fn rays_agree_with_parry(terrain in terrain(), from in vector(3.0), direction in direction(), far in 0.5f32..8.0) {
        let surface = terrain.at(0.0).unwrap();
        let heights = (0..terrain.columns).flat_map(|column| (0..terrain.rows).map(move |row| (row, column)));
        let heights = heights.map(|(row, column)| terrain.heights[row * terrain.columns + column]).collect();
        let heights = Array2::new(terrain.rows, terrain.columns, heights);
        let field = HeightField::new(heights, Vec3::new(terrain.size.x, 1.0, terrain.size.y));
        let center = Vec3::new(terrain.center.x, 0.0, terrain.center.y);
        let met = field.cast_local_ray_and_get_normal(&Ray::new(from - center, direction), far, false);
        let is_above = terrain.height_at(from.x, from.z).is_none_or(|height| from.y > height);
        let hit = surface.ray(from, direction, far);
        // Rays from below are excluded: parry3d meets the surface from both sides.
        if let Some(met) = met && is_above && met.normal.dot(Vec3::Y).abs() > 1e-3 {
            let is_front = terrain.ray(from, direction, met.time_of_impact + 1e-3).is_some();
            if is_front {
                prop_assert!((hit.unwrap().distance - met.time_of_impact).abs() < 1e-3, "{hit:?} {met:?}");
            } else {
                // Then the ray came from below.
                let before = from + direction * (met.time_of_impact - 1e-3).max(0.0);
                let height = terrain.height_at(before.x, before.z);
                prop_assert!(height.is_none_or(|height| before.y < height + 1e-4), "{met:?} {before} {height:?}");
            }
        }
        if let Some(hit) = hit {
            prop_assert!(is_up(&hit) && hit.distance <= far);
            prop_assert!((terrain.height_at(hit.point.x, hit.point.z).unwrap_or(hit.point.y) - hit.point.y).abs() < 2e-3);
        }
    }

    #[test]
    fn no_ray_slips_through_an_edge(terrain in terrain(), from in vector(1.0), index in 0usize..64, share in 0.0f32..=1.0, next in 0usize..4) {
        let surface = terrain.at(0.0).unwrap();
        let columns = terrain.columns;
        // An edge of the triangulation: along x, along z, a diagonal, or a single corner.
        let (column, row) = (index % (columns - 1), (index / (columns - 1)) % (terrain.rows - 1));
        let ends = [(0, 0, 1, 0), (0, 0, 0, 1), (1, 0, 0, 1), (0, 0, 0, 0)][next];
        let point = |across: usize, along: usize| terrain.point((row + along) * columns + column + across).unwrap();
        let to = point(ends.0, ends.1).lerp(point(ends.2, ends.3), share);
        // Moved slightly inwards, so that rounding at the edge does not matter.
        let middle = Vec3::new(terrain.center.x, to.y, terrain.center.y);
        let to = to.lerp(middle, 1e-5);
        let to = to.with_y(terrain.height_at(to.x, to.z).unwrap() - 1e-3);
        let from = (middle + from * 0.4).with_y(3.0 + from.y);
        let direction = (to - from).normalize();
        prop_assert!(surface.ray(from, direction, from.distance(to) + 0.5).is_some());
    }

    #[test]
    fn a_sphere_stops_its_radius_off(
        terrain in terrain(), across in -0.7f32..0.7, along in -0.7f32..0.7, up in -1.0f32..2.5,
        radius in 0.02f32..0.5, direction in direction(), far in 0.1f32..5.0,
    ) {
        let at = place(&terrain, across, along);
        let from = Vec3::new(at.x, up, at.y);
        capsule_holds(&terrain, from, from, radius, direction, far)?;
    }

    #[test]
    fn a_capsule_never_reaches_in(
        terrain in terrain(), across in -0.7f32..0.7, along in -0.7f32..0.7, up in -1.0f32..2.5,
        axis in vector(0.6), radius in 0.02f32..0.4, direction in direction(), far in 0.1f32..5.0,
    ) {
        let at = place(&terrain, across, along);
        let from = Vec3::new(at.x, up, at.y);
        capsule_holds(&terrain, from - axis, from + axis, radius, direction, far)?;
    }

    #[test]
    fn a_capsule_stops_at_a_platform(
        from in vector(2.5), axis in vector(0.5), flat in any::<bool>(), radius in 0.02f32..0.4, direction in direction(), far in 0.1f32..5.0,
    ) {
        let platform = Platform { half_extents: Vec3::new(0.6, 0.2, 0.9), ..Platform::default() };
        let terrain = Terrain { heights: vec![-50.0; 4], platforms: vec![platform], ..Terrain::default() };
        let surface = terrain.at(0.0).unwrap();
        let axis = if flat { Vec3::ZERO } else { axis };
        let (a, b) = (from - axis, from + axis);
        let cuboid = Cuboid::new(platform.half_extents);
        let gap_after = |t: f32| {
            let moved = Segment::new(a + direction * t, b + direction * t);
            distance(&Pose::IDENTITY, &cuboid, &Pose::IDENTITY, &moved).unwrap().distance - radius
        };
        let hit = surface.capsule(a, b, radius, direction, far);
        let clear = hit.map_or(far, |hit| hit.distance);
        for step in 0..=20 {
            let gap = gap_after(clear * step as f32 / 20.0);
            prop_assert!(gap > -2e-3 || clear == 0.0, "{gap} on the way to {hit:?}");
        }
        if let Some(hit) = hit {
            prop_assert!((hit.normal.length() - 1.0).abs() < 1e-5);
            prop_assert!(gap_after(hit.distance) < 2e-3);
            prop_assert!(cuboid.project_local_point(hit.point, false).point.distance(hit.point) < 1e-3);
        }
    }

    #[test]
    fn a_brush_stays_within_its_radius_and_can_be_undone(
        terrain in terrain(), across in -0.7f32..0.7, along in -0.7f32..0.7, radius in 0.01f32..3.0,
        amount in -2.0f32..2.0, brush in 0..3,
    ) {
        let (before, mut sculpted) = (terrain.clone(), terrain);
        let at = place(&before, across, along);
        let changes = match brush {
            0 => sculpted.raise(at, radius, amount),
            1 => sculpted.smooth(at, radius, amount),
            _ => sculpted.flatten(at, radius, amount, 0.7),
        };
        for index in 0..before.heights.len() {
            let point = before.point(index).unwrap();
            let is_inside = Vec2::new(point.x, point.z).distance(at) < radius + 1e-4;
            let (old, new) = (before.heights[index], sculpted.heights[index]);
            prop_assert!(is_inside || old == new);
            prop_assert_eq!(old != new, changes.iter().any(|change| change.index == index));
            if brush == 0 {
                prop_assert!((new - old).abs() <= amount.abs() + 1e-5 && (new - old) * amount >= 0.0);
            }
        }
        let mut surface = before.at(0.0).unwrap();
        surface.sculpt(&changes);
        prop_assert_eq!(&**surface.terrain(), &sculpted);
        let back: Vec<HeightChange> = changes.into_iter().rev().map(HeightChange::reversed).collect();
        sculpted.apply(&back);
        prop_assert_eq!(bits(&sculpted), bits(&before));
    }

    #[test]
    fn a_section_reads_back_bit_for_bit(terrain in terrain(), numbers in prop::collection::vec(any::<u32>(), 4), place in vector(9.0)) {
        let mut terrain = terrain;
        for (height, bits) in terrain.heights.iter_mut().zip(numbers) {
            let number = f32::from_bits(bits);
            *height = if number.abs() <= HIGHEST { number } else { -0.0 };
        }
        terrain.platforms.push(Platform { from: place, ..Platform::default() });
        let mut preset = Preset::default();
        preset.sections.insert("terrain".into(), terrain.to_section());
        let preset = Preset::from_json(&preset.to_json()).unwrap();
        let back = Terrain::from_section(&preset.sections["terrain"]).unwrap();
        prop_assert_eq!(bits(&back), bits(&terrain));
        prop_assert_eq!(back, terrain);
    }

    #[test]
    fn no_input_panics(numbers in prop::collection::vec(any::<f32>(), 16), columns in 0usize..5, rows in 0usize..5) {
        let v = |at: usize| Vec3::new(numbers[at], numbers[at + 1], numbers[at + 2]);
        let surface = Terrain { platforms: vec![Platform::default()], ..Terrain::default() }.at(numbers[0]).unwrap();
        for far in [numbers[9], 5.0, f32::INFINITY] {
            let hits = [
                surface.ray(v(0), v(3), far),
                surface.sphere(v(0), numbers[10], v(3), far),
                surface.capsule(v(0), v(6), numbers[10], v(3), far),
            ];
            // No check that normals point up: the sides of a platform may face any direction.
            prop_assert!(hits.iter().flatten().all(|hit| (hit.normal.length() - 1.0).abs() < 1e-5 && hit.distance >= 0.0));
        }
        let mut broken = Terrain { columns, rows, size: Vec2::new(numbers[0], numbers[1]), ..Terrain::default() };
        broken.raise(Vec2::new(numbers[2], numbers[3]), numbers[4], numbers[5]);
        broken.smooth(Vec2::ZERO, numbers[4], numbers[5]);
        broken.flatten(Vec2::ZERO, 3.0, numbers[4], numbers[5]);
        broken.set_point(columns, numbers[6]);
        broken.nearest_point(v(0), v(3));
        broken.nearest_point(Vec3::Y, Vec3::NEG_Y);
        broken.height_at(numbers[0], numbers[1]);
        broken.mesh(&mut Mesh::default());
        prop_assert!(broken.heights.iter().all(|height| height.is_finite()));
    }
}

/// Checks that a capsule is clear of the ground until its cast stops, and that it touches the ground there. Where an
/// end of the capsule passes the terrain's edge, the check stops.
fn capsule_holds(
    terrain: &Terrain,
    a: Vec3,
    b: Vec3,
    radius: f32,
    direction: Vec3,
    far: f32,
) -> Result<(), TestCaseError> {
    let (surface, triangles) = (terrain.at(0.0).unwrap(), triangles(terrain));
    let gap_after = |t: f32| {
        let (a, b) = (a + direction * t, b + direction * t);
        match a == b {
            true => gap_of_point(&triangles, a) - radius,
            false => gap(&triangles, &Segment::new(a, b)) - radius,
        }
    };
    let is_below = |t: f32| {
        [a, b].into_iter().any(|end| {
            let end = end + direction * t;
            terrain.height_at(end.x, end.z).is_some_and(|height| end.y < height)
        })
    };
    let is_over_rim = |t: f32| {
        [a, b].into_iter().any(|end| {
            let end = end + direction * t;
            terrain.height_at(end.x, end.z).is_none()
        })
    };
    let hit = match a == b {
        true => surface.sphere(a, radius, direction, far),
        false => surface.capsule(a, b, radius, direction, far),
    };
    let clear = hit.map_or(far, |hit| hit.distance);
    let is_outside = is_over_rim(0.0) || is_over_rim(clear);
    if let Some(hit) = hit {
        prop_assert!(is_up(&hit) && hit.distance <= far, "{hit:?}");
        let inside = hit.distance == 0.0;
        let gap = gap_after(hit.distance);
        // The touch is not checked if the capsule starts in the ground, or if an end is beyond the edge at the start or
        // hit.
        prop_assert!(inside || is_outside || gap.abs() < 2e-3, "{gap} at {hit:?}");
        prop_assert!(!inside || gap < 2e-3 || is_below(0.0), "{gap} at once");
        let on = terrain.height_at(hit.point.x, hit.point.z).unwrap_or(hit.point.y);
        prop_assert!(inside || is_outside || (on - hit.point.y).abs() < 1e-2, "{on} {hit:?}");
    }
    if clear > 0.0 {
        for step in 0..=12 {
            let t = clear * step as f32 / 12.0;
            if is_over_rim(t) {
                break;
            }
            let gap = gap_after(t);
            prop_assert!(gap > -2e-3 && !is_below(t - 1e-3), "{gap} after {t} on the way to {hit:?}");
        }
    }
    Ok(())
}

#[test]
fn every_preset_is_a_walk_from_the_origin() {
    for (name, make) in Terrain::presets() {
        let terrain = make();
        terrain.validate().unwrap();
        assert_eq!(terrain, make(), "{name} is always the same");
        for (x, z) in [(0.0, 0.0), (0.3, 0.0), (-0.3, 0.5), (0.0, -1.5)] {
            assert_eq!(terrain.height_at(x, z), Some(0.0), "{name} at {x} {z}");
        }
        for step in 0..80 {
            assert!(terrain.height_at(0.0, step as f32 * 0.1).is_some(), "{name} ends at step {step}");
        }
        assert!(terrain.columns <= 129 && terrain.rows <= 129, "{name}");
        let section = serde_json::to_string(&terrain.to_section()).unwrap();
        let most = if name == "park" { 110_000 } else { 60_000 };
        assert!(section.len() < most, "{name} takes {} bytes", section.len());
    }
}

#[test]
fn the_presets_match_their_names() {
    let height = |terrain: &Terrain, x: f32, z: f32| terrain.height_at(x, z).unwrap();
    let slope = Terrain::slope(0.2);
    assert!((height(&slope, 0.0, 3.0) - 2.0 * 0.2f32.tan()).abs() < 1e-4);
    assert!(slope.normal_at(0.0, 3.0).unwrap().angle_between(Vec3::Y) - 0.2 < 1e-3);
    let stairs = Terrain::stairs(0.2, 0.3);
    for (z, steps) in [(0.8, 0.0), (1.15, 1.0), (1.45, 2.0), (2.35, 5.0), (4.0, 5.0), (4.35, 4.0), (6.0, 0.0)] {
        assert!((height(&stairs, 0.5, z) - 0.2 * steps).abs() < 1e-5, "{} at {z}", height(&stairs, 0.5, z));
    }
    let gap = Terrain::gap(0.5, 0.6);
    assert_eq!([1.3, 1.7, 2.2].map(|z| height(&gap, 0.0, z)), [0.0, -0.6, 0.0]);
    let two = Terrain::two_heights(0.2);
    assert_eq!([0.15, -0.15].map(|x| height(&two, x, 3.0)), [0.2, 0.0]);
    let rubble = Terrain::rubble();
    assert!(rubble.heights.iter().all(|height| (0.0..=0.15).contains(height)));
    assert!(rubble.heights.iter().any(|&height| height > 0.1));
    for terrain in [Terrain::slope(f32::NAN), Terrain::stairs(f32::INFINITY, -1.0), Terrain::gap(1e9, 1e9)] {
        terrain.validate().unwrap();
    }
}

#[test]
fn a_platform_carries_its_load() {
    let terrain = Terrain::moving_platform();
    let ferry = terrain.platforms[0];
    for (time, z) in [(0.0, 2.1), (1.0, 2.1), (3.0, 3.0), (5.0, 3.9), (7.5, 3.0), (9.0, 2.1), (90.0, 2.1)] {
        assert!((ferry.place(time).z - z).abs() < 1e-4, "{} at {time}", ferry.place(time).z);
    }
    assert_eq!(ferry.place(f32::NAN), ferry.from);
    let mut surface = terrain.at(0.0).unwrap();
    let foot = |surface: &kinescope_ik::terrain::Surface, z: f32| {
        surface.ray(Vec3::new(0.0, 1.0, z), Vec3::NEG_Y, 3.0).unwrap().point.y
    };
    assert!((foot(&surface, 2.1)).abs() < 1e-6 && (foot(&surface, 3.9) + 1.0).abs() < 1e-6);
    surface.set_time(5.0);
    assert!((foot(&surface, 2.1) + 1.0).abs() < 1e-6 && (foot(&surface, 3.9)).abs() < 1e-6);
}

#[test]
fn casts_that_start_inside_hit_at_once() {
    let terrain = Terrain {
        platforms: vec![Platform { from: Vec3::Y, to: Vec3::Y, half_extents: Vec3::splat(0.5), ..Platform::default() }],
        ..Terrain::default()
    };
    let surface = terrain.at(0.0).unwrap();
    let down = Vec3::new(3.0, -1.0, 0.0);
    let inside = Hit { point: Vec3::new(3.0, 0.0, 0.0), normal: Vec3::Y, distance: 0.0 };
    assert_eq!(surface.ray(down, Vec3::Y, 5.0), Some(inside));
    assert_eq!(surface.sphere(down, 0.1, Vec3::X, 5.0), Some(inside));
    assert_eq!(surface.capsule(down, down + Vec3::Y * 3.0, 0.1, Vec3::X, 5.0), Some(inside));
    assert_eq!(
        surface.sphere(Vec3::new(3.0, 0.05, 0.0), 0.1, Vec3::Y, 5.0),
        Some(inside),
        "the sphere reaches into the ground"
    );
    let right = Hit { point: Vec3::new(0.5, 1.0, 0.0), normal: Vec3::X, distance: 0.0 };
    assert_eq!(surface.ray(Vec3::new(0.4, 1.0, 0.0), Vec3::Y, 5.0), Some(right));
    assert_eq!(surface.sphere(Vec3::new(0.4, 1.0, 0.0), 0.1, Vec3::Y, 5.0), Some(right));
}

#[test]
fn outside_the_rectangle_there_is_no_ground() {
    let surface = Terrain::flat().at(0.0).unwrap();
    assert_eq!(surface.ray(Vec3::new(2.5, 1.0, 0.0), Vec3::NEG_Y, 9.0), None);
    assert_eq!(surface.sphere(Vec3::new(2.5, 1.0, 0.0), 0.3, Vec3::NEG_Y, 9.0), None);
    assert_eq!(surface.ray(Vec3::new(2.5, -1.0, 0.0), Vec3::NEG_X, 9.0), None, "not from below either");
    assert_eq!(surface.terrain().height_at(2.5, 0.0), None);
    // A sphere beyond the edge rests on the edge.
    let rim = surface.sphere(Vec3::new(2.1, 1.0, 0.0), 0.3, Vec3::NEG_Y, 9.0).unwrap();
    assert!((rim.point - Vec3::new(2.0, 0.0, 0.0)).length() < 1e-5);
}

#[test]
fn a_level_sphere_meets_a_far_step() {
    let surface = Terrain::stairs(0.3, 0.4).at(0.0).unwrap();
    let hit = surface.sphere(Vec3::new(0.0, 0.2, -1.0), 0.1, Vec3::Z, 9.0).unwrap();
    assert!(hit.distance > 1.7 && hit.distance < 2.0, "{hit:?}");
}

#[test]
fn the_mesh_lies_on_the_ground() {
    let terrain = Terrain::hills();
    let mut mesh = Mesh::default();
    terrain.mesh(&mut mesh);
    assert_eq!(mesh.positions.len(), mesh.normals.len());
    for three in mesh.indices.as_chunks::<3>().0 {
        let [p, q, r] = three.map(|index| mesh.positions[index as usize]);
        assert!((q - p).cross(r - p).y > 0.0, "counter-clockwise from above");
        let middle = (p + q + r) / 3.0;
        assert!((terrain.height_at(middle.x, middle.z).unwrap() - middle.y).abs() < 1e-4);
    }
    assert!(mesh.normals.iter().all(|normal| (normal.length() - 1.0).abs() < 1e-5 && normal.y > 0.0));
}

#[test]
fn picking_finds_the_visible_point() {
    let mut terrain = Terrain::hills();
    let index = 40 * terrain.columns + 17;
    let point = terrain.point(index).unwrap();
    let eye = Vec3::new(3.0, 4.0, -3.0);
    assert_eq!(terrain.nearest_point(eye, point - eye), Some(index));
    // A ray that misses the ground selects the grid point nearest to the ray.
    let corner = terrain.point(0).unwrap();
    let beside = corner + Vec3::new(-0.5, 0.2, -0.3);
    assert_eq!(terrain.nearest_point(beside + Vec3::new(0.0, 1.0, 0.0), Vec3::NEG_Y), Some(0));
    assert_eq!(terrain.nearest_point(eye, Vec3::NAN), None);
    let change = terrain.set_point(index, 0.75).unwrap();
    assert_eq!((change.index, change.before, change.after), (index, point.y, 0.75));
    assert_eq!(terrain.set_point(index, f32::NAN), None);
    assert_eq!(terrain.set_point(usize::MAX, 0.0), None);
}

#[test]
fn a_hostile_section_is_refused_by_name() {
    let refused = |text: &str| Terrain::from_section(&serde_json::from_str(text).unwrap()).unwrap_err().to_string();
    for (text, error) in [
        (r#"{ "columns": 1 }"#, "terrain.columns: is 1; it must be a whole number from 2 to 1025"),
        (r#"{ "rows": 99999999999 }"#, "terrain.rows: is 99999999999; it must be a whole number from 2 to 1025"),
        (r#"{ "columns": -3 }"#, "terrain.columns: is -3; expected a whole number, 0 or more"),
        (r#"{ "columns": 3 }"#, "terrain.heights: has 4 entries; it must have one per point: 3 columns × 2 rows = 6"),
        (r#"{ "size": [0, 1] }"#, "terrain.size[0]: is 0; it must be a number of metres from 0.1 to 10000"),
        (r#"{ "size": [1, -1] }"#, "terrain.size[1]: is -1; it must be"),
        (r#"{ "size": [1, 1e30] }"#, "terrain.size[1]: is 1000000000000000000000000000000; it must be"),
        (r#"{ "center": [1e39, 0] }"#, "terrain.center[0]: is inf; it must be"),
        (r#"{ "heights": [0, 0, 1e39, 0] }"#, "terrain.heights[2]: is inf; it must be a number of metres"),
        (r#"{ "heights": [0, 0, 0, null] }"#, "terrain.heights[3]: is null; expected a number"),
        (r#"{ "hights": [] }"#, "terrain.hights: unknown field \"hights\""),
        (r#"{ "platforms": [{ "period": 0 }] }"#, "terrain.platforms[0].period: is 0; it must be"),
        (r#"{ "platforms": [{ "pause": -1 }] }"#, "terrain.platforms[0].pause: is -1; it must be"),
        (r#"{ "platforms": [{ "half_extents": [1, 0, 1] }] }"#, "terrain.platforms[0].half_extents[1]: is 0"),
        (r#"{ "platforms": [{ "to": [0, 1e9, 0] }] }"#, "terrain.platforms[0].to[1]: is 1000000000; it must be"),
        ("7", "terrain: is 7; expected an object"),
    ] {
        assert!(refused(text).starts_with(error), "{}", refused(text));
    }
    let broken = Terrain { heights: vec![f32::NAN; 4], ..Terrain::default() };
    assert!(broken.at(0.0).unwrap_err().to_string().starts_with("heights[0]: is NaN"));
    assert_eq!(Terrain::from_section(&serde_json::json!({})).unwrap(), Terrain::default());
}

#[test]
fn a_terrain_of_another_size_is_the_same_ground() {
    let hills = Terrain::hills();
    let finer = hills.resized(hills.center, hills.size, hills.columns * 2 - 1, hills.rows * 2 - 1);
    assert_eq!(finer.validate(), Ok(()));
    for (x, z) in [(0.0, 3.0), (-1.2, 5.0), (1.9, 8.4)] {
        let [old, new] = [&hills, &finer].map(|terrain| terrain.height_at(x, z).unwrap());
        assert!((old - new).abs() < 1e-4, "{old} {new}");
    }
    // Beyond the old edge, the ground continues at the edge's height.
    let wider = hills.resized(hills.center, hills.size + 4.0, 50, 120);
    let rim = hills.height_at(hills.center.x + hills.size.x * 0.5, 5.0).unwrap();
    assert!((wider.height_at(hills.center.x + hills.size.x * 0.5 + 1.5, 5.0).unwrap() - rim).abs() < 0.02);
    for wild in [f32::NAN, f32::INFINITY, -1.0, 0.0] {
        let terrain = hills.resized(glam::Vec2::splat(wild), glam::Vec2::splat(wild), 0, usize::MAX);
        assert_eq!(terrain.validate(), Ok(()));
    }
}

property! {
    #[test]
    fn an_excluded_layer_is_not_hit(
        field in terrain(), at in (-0.6f32..0.6, -0.6f32..0.6), way in direction(), radius in 0.0f32..0.4,
        along in vector(0.5), boxes in prop::collection::vec((vector(1.0), 0u8..3), 0..4), left_out in 0u8..3,
    ) {
        use kinescope_ik::ground::Shape;
        let platforms = boxes.iter().map(|&(from, layer)| Platform { from, to: from, layer, ..Platform::default() });
        let all = Terrain { platforms: platforms.collect(), ..field };
        let layers = Layers::ALL.with(left_out, false);
        let mut few = all.clone();
        few.platforms.retain(|platform| platform.layer != left_out);
        let place = place(&all, at.0, at.1);
        let from = Vec3::new(place.x, 3.0, place.y);
        let (all, few) = (all.at(0.0).unwrap(), few.at(0.0).unwrap());
        for shape in [Shape::Ray, Shape::Sphere { radius }, Shape::Capsule { along, radius }] {
            let masked = all.cast_on(layers, shape, from, way, 8.0);
            if left_out == 0 {
                // The heights are on layer 0; with it masked out, only boxes can be met.
                prop_assert!(masked.is_none() || !few.boxes().is_empty());
            } else {
                prop_assert_eq!(masked, few.cast_on(Layers::ALL, shape, from, way, 8.0));
            }
            prop_assert_eq!(all.cast_on(Layers(0), shape, from, way, 8.0), None);
        }
    }
}
