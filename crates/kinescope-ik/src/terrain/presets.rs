//! Terrains to walk on, from flat ground to moving platforms. All are flat at height 0 around the origin, and all but
//! the park extend along +Z. They are deterministic and sized for a walker of 1.7 m.

use std::f32::consts::PI;

use glam::{Vec2, Vec3};

use super::field::{HIGHEST, Platform, Terrain};

/// Distance between points, metres: short enough for several points under a foot, and for steep edges of stairs.
const SPACING: f32 = 0.1;
/// Distance from the near edge to the origin, metres.
const BEHIND: f32 = 2.0;
/// Distance from the middle to each side edge, metres.
const BESIDE: f32 = 2.0;
/// Length of the flat ground from the origin on, metres.
const START: f32 = 1.0;

/// A name for a menu, and the function that makes the terrain.
pub type NamedTerrain = (&'static str, fn() -> Terrain);

impl Terrain {
    /// Returns all presets with their usual numbers, in the order of menus.
    pub fn presets() -> [NamedTerrain; 9] {
        [
            ("flat", Self::flat),
            ("slope", || Self::slope(15f32.to_radians())),
            ("stairs", || Self::stairs(0.17, 0.3)),
            ("hills", Self::hills),
            ("rubble", Self::rubble),
            ("gap", || Self::gap(0.5, 0.6)),
            ("moving platform", Self::moving_platform),
            ("two heights", || Self::two_heights(0.2)),
            ("park", Self::park),
        ]
    }

    /// Makes flat ground: 4 m wide, from 2 m behind the origin to 10 m in front of it.
    pub fn flat() -> Self {
        Self::strip(10.0, |_, _| 0.0)
    }

    /// Makes a slope of `angle` (radians, clamped to ±60°, 0 if not finite) from 1 m to 7 m in front of the origin,
    /// then flat ground.
    pub fn slope(angle: f32) -> Self {
        let rise = defined(angle, 0.0).clamp(-PI / 3.0, PI / 3.0).tan();
        Self::strip(10.0, |_, z| (z - START).clamp(0.0, 6.0) * rise)
    }

    /// Makes five steps up, 2 m of flat ground and five steps down. `height` is clamped to 0 to 0.5 m, `depth` to 0.2
    /// to 1 m and rounded to a multiple of 0.1 m, because the field has edges only at points. Numbers that are not
    /// finite count as 0.17 m and 0.3 m.
    pub fn stairs(height: f32, depth: f32) -> Self {
        const STEPS: f32 = 5.0;
        let height = defined(height, 0.17).clamp(0.0, 0.5);
        let depth = (defined(depth, 0.3).clamp(0.2, 1.0) / SPACING).round() * SPACING;
        let top = START + depth * (STEPS - 1.0) + 2.0;
        Self::strip(top + depth * STEPS + 3.0, |_, z| {
            // Puts the edges half a cell before the points, so that rounding moves no point to the other side of an
            // edge.
            let z = z + 0.5 * SPACING;
            let up = ((z - START) / depth).floor() + 1.0;
            let down = STEPS - ((z - top) / depth).floor() - 1.0;
            up.min(down).clamp(0.0, STEPS) * height
        })
    }

    /// Makes soft hills and hollows up to about 0.4 m high and deep, as a sum of sines.
    pub fn hills() -> Self {
        Self::strip(10.0, |x, z| {
            let waves = (0.9 * z + 0.3 * x).sin() + 0.6 * (1.7 * x - 0.5 * z + 1.3).sin() + 0.5 * (2.3 * z + 0.7).sin();
            0.2 * waves * ease((z - START) / 1.5)
        })
    }

    /// Makes blocks with sides of 0.3 m and pseudo-random heights from 0 to 0.15 m, from 1 m in front of the origin on.
    pub fn rubble() -> Self {
        Self::strip(10.0, |x, z| match z < START {
            true => 0.0,
            false => {
                let [column, row] = [x + BESIDE, z + BEHIND].map(|at| ((at + 0.5 * SPACING) / 0.3) as u32);
                0.15 * hashed(column, row)
            }
        })
    }

    /// Makes a trench across the way, 1.5 m in front of the origin: `width` is clamped to 0.2 to 3 m, `depth` to 0 to 3
    /// m. Numbers that are not finite count as 0.5 m and 0.6 m.
    pub fn gap(width: f32, depth: f32) -> Self {
        let (width, depth) = (defined(width, 0.5).clamp(0.2, 3.0), defined(depth, 0.6).clamp(0.0, 3.0));
        let inside = 1.5 - 0.5 * SPACING..1.5 + width - 0.5 * SPACING;
        Self::strip(10.0, |_, z| if inside.contains(&z) { -depth } else { 0.0 })
    }

    /// Makes a trench of 3 m with a platform that moves across it at the height of its rims, and behind it a second
    /// platform that moves up and down.
    pub fn moving_platform() -> Self {
        let mut terrain = Self::gap(3.0, 1.0);
        let ferry = Platform {
            layer: 0,
            half_extents: Vec3::new(0.6, 0.1, 0.6),
            from: Vec3::new(0.0, -0.1, 2.1),
            to: Vec3::new(0.0, -0.1, 3.9),
            period: 6.0,
            pause: 1.5,
        };
        // At the lowest position of the lift, its top is level with the ground.
        let lift = Platform { from: Vec3::new(0.0, -0.1, 6.5), to: Vec3::new(0.0, 0.3, 6.5), period: 4.0, ..ferry };
        terrain.platforms = vec![ferry, lift];
        terrain
    }

    /// Makes ground that from 1 m in front of the origin on is higher by `step` under the left foot (x > 0). `step` is
    /// clamped to ±0.5 m; it is 0.2 m if not finite.
    pub fn two_heights(step: f32) -> Self {
        let step = defined(step, 0.2).clamp(-0.5, 0.5);
        Self::strip(10.0, |x, z| if x > 0.5 * SPACING && z > START { step } else { 0.0 })
    }

    /// Makes a square of 48 m for crowds: soft hills, and four terraces with steps on all sides.
    pub fn park() -> Self {
        /// Distance between points, metres: wider than in the other presets. Each step rises over one cell.
        const CELL: f32 = 0.375;
        const HALF: f32 = 24.0;
        /// Number of steps of a terrace, each 0.14 m high and two cells deep.
        const STEPS: f32 = 5.0;
        let terrace = |x: f32, z: f32| {
            // Distance inwards from the edge of the nearest terrace.
            let inside = 5.0 - (x.abs() - 12.0).abs().max((z.abs() - 12.0).abs());
            ((inside + 0.5 * CELL) / (2.0 * CELL)).floor().clamp(0.0, STEPS) * 0.14
        };
        let hills = |x: f32, z: f32| {
            let waves = (0.5 * x + 0.2 * z).sin() + 0.7 * (0.6 * z - 0.3 * x + 1.3).sin();
            // Flat at and around the terraces, and around the origin.
            let away = ((x.abs() - 12.0).abs().max((z.abs() - 12.0).abs()) - 6.0) / 3.0;
            0.22 * waves * ease(away) * ease((Vec2::new(x, z).length() - 2.0) / 2.0)
        };
        let side = (2.0 * HALF / CELL) as usize + 1;
        let place = |index: usize| index as f32 * CELL - HALF;
        // Rounded to a millimetre, to shorten presets: they store every height.
        let height = |x: f32, z: f32| ((terrace(x, z) + hills(x, z)) * 1e3).round() / 1e3;
        let heights = (0..side).flat_map(|row| (0..side).map(move |column| height(place(column), place(row))));
        Self {
            center: Vec2::ZERO,
            size: Vec2::splat(2.0 * HALF),
            columns: side,
            rows: side,
            heights: heights.collect(),
            platforms: Vec::new(),
        }
    }

    /// Makes a strip from 2 m behind the origin to `length` metres in front of it; `height` is a function of x and z.
    fn strip(length: f32, height: impl Fn(f32, f32) -> f32) -> Self {
        let [columns, rows] = [2.0 * BESIDE, BEHIND + length].map(|side| (side / SPACING).round() as usize + 1);
        let size = Vec2::new((columns - 1) as f32, (rows - 1) as f32) * SPACING;
        let center = Vec2::new(0.0, size.y * 0.5 - BEHIND);
        let heights = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row))).map(|(column, row)| {
            // Counted from the origin, so that a point is at the origin.
            let [x, z] = [column as f32 * SPACING - BESIDE, row as f32 * SPACING - BEHIND];
            // Rounded to 0.01 mm: finer steps are imperceptible, and the section of a preset is half as long.
            (height(x, z).clamp(-HIGHEST, HIGHEST) * 1e5).round() / 1e5
        });
        Self { center, size, columns, rows, heights: heights.collect(), platforms: Vec::new() }
    }
}

fn defined(value: f32, otherwise: f32) -> f32 {
    if value.is_finite() { value } else { otherwise }
}

/// Eases from 0 at 0 to 1 at 1, with slope 0 at both ends.
fn ease(t: f32) -> f32 {
    0.5 - 0.5 * (t.clamp(0.0, 1.0) * PI).cos()
}

/// Returns a pseudo-random number from 0 to 1 for a place (Murmur's finaliser over both coordinates).
fn hashed(column: u32, row: u32) -> f32 {
    let mut bits = column.wrapping_mul(0x9E37_79B1) ^ row.wrapping_mul(0x85EB_CA77);
    for (shift, factor) in [(16, 0x85EB_CA6B), (13, 0xC2B2_AE35)] {
        bits = (bits ^ (bits >> shift)).wrapping_mul(factor);
    }
    ((bits ^ (bits >> 16)) >> 8) as f32 / (1 << 24) as f32
}
