//! A height field as ground.

use std::ffi::c_void;

use kinescope_library::glam::Vec2;
use kinescope_library::ground::{Ground, Layers, Shape};
use kinescope_library::terrain::{Surface, Terrain};

use crate::ground::{KinescopeCast, KinescopeGround, KinescopeHit, KinescopeShape};
use crate::{KinescopeStatus, Refused, exclusive, free, guard, hand_over, list, look, object, objects, shared};

/// A height field, for games without a physics engine. World space, metres.
pub struct KinescopeTerrain(Surface);

objects!(KinescopeTerrain);

/// Creates a height field of `columns` × `rows` points, 2 to 1025 each. `heights` has them row by row: the first at `x` and `z`, the next
/// ones `spacing` metres further along +X, the next row further along +Z.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_terrain_new(
    heights: *const f32,
    columns: u32,
    rows: u32,
    spacing: f32,
    x: f32,
    z: f32,
    out: *mut *mut KinescopeTerrain,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            const MOST: u32 = kinescope_library::terrain::MOST_POINTS as u32;
            for (name, count) in [("columns", columns), ("rows", rows)] {
                if !(2..=MOST).contains(&count) {
                    return Err(Refused::argument(format!("{name}: is {count}; it must be from 2 to {MOST}")));
                }
            }
            let size = spacing * Vec2::new((columns - 1) as f32, (rows - 1) as f32);
            let (columns, rows) = (columns as usize, rows as usize);
            let heights = list(heights, columns * rows, "heights")?.to_vec();
            let center = Vec2::new(x, z) + 0.5 * size;
            let terrain = Terrain { center, size, columns, rows, heights, platforms: Vec::new() };
            Ok(KinescopeTerrain(terrain.at(0.0).map_err(Refused::settings)?))
        })
    })
}

/// Frees a terrain; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_terrain_free(terrain: *mut KinescopeTerrain) {
    unsafe { free(terrain) };
}

/// Stores the height of the ground at a place. Returns KINESCOPE_STATUS_NOTHING_TO_DO outside the height field.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_terrain_height(
    terrain: *const KinescopeTerrain,
    x: f32,
    z: f32,
    height: *mut f32,
) -> KinescopeStatus {
    guard(|| {
        let (own, height) = unsafe { (object(terrain, "terrain")?, exclusive(height, "height")?) };
        let Some(found) = own.0.terrain().height_at(x, z) else { return Ok(KinescopeStatus::NothingToDo) };
        *height = found;
        Ok(KinescopeStatus::Done)
    })
}

/// Fills in a ground that casts rays, spheres and capsules at the terrain. It is valid until the terrain is freed; after that its casts
/// meet nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_terrain_ground(
    terrain: *const KinescopeTerrain,
    ground: *mut KinescopeGround,
) -> KinescopeStatus {
    guard(|| {
        let ground = unsafe { object(terrain, "terrain").and(exclusive(ground, "ground")) }?;
        *ground = KinescopeGround { user: terrain.cast_mut().cast(), ray: None, cast: Some(cast) };
        Ok(KinescopeStatus::Done)
    })
}

unsafe extern "C" fn cast(user: *mut c_void, cast: *const KinescopeCast, hit: *mut KinescopeHit) -> i32 {
    look(0, || {
        let (own, cast) = unsafe { (object(user.cast::<KinescopeTerrain>(), "terrain")?, shared(cast, "cast")?) };
        let shape = match cast.shape {
            own if own == KinescopeShape::Ray as u32 => Shape::Ray,
            own if own == KinescopeShape::Sphere as u32 => Shape::Sphere { radius: cast.radius },
            own if own == KinescopeShape::Capsule as u32 => {
                Shape::Capsule { along: cast.along.into(), radius: cast.radius }
            }
            other => return Err(Refused::argument(format!("shape: is {other}; no shape has that number"))),
        };
        let layers = Layers(u8::try_from(cast.layers & 0xff).unwrap_or(u8::MAX));
        let found = own.0.cast_on(layers, shape, cast.from.into(), cast.direction.into(), cast.distance);
        let Some(found) = found else { return Ok(0) };
        let hit = unsafe { exclusive(hit, "hit") }?;
        *hit = KinescopeHit { point: found.point.into(), normal: found.normal.into(), distance: found.distance };
        Ok(1)
    })
}
