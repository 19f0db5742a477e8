//! Triangulates the left half of the shape by marching tetrahedra.
//!
//! Tetrahedra have no ambiguous case, so the surface is always a manifold. The grid starts in the plane x = 0, so that
//! the border of the half lies exactly in that plane. Grid lines are closer at the hand.

use std::collections::HashMap;

use glam::Vec3;

use super::shape::Shape;

/// A mesh of the left half of a body, or of the whole body.
#[derive(Default)]
pub struct Mesh {
    pub positions: Vec<Vec3>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// Returns this half joined with its mirror image at the plane x = 0. The left half's vertices come first.
    pub fn mirrored(mut self) -> Self {
        let half = self.positions.len();
        let mut twin = Vec::with_capacity(half);
        for index in 0..half {
            let point = self.positions[index];
            if point.x == 0.0 {
                twin.push(index as u32);
            } else {
                twin.push(self.positions.len() as u32);
                self.positions.push(Vec3::new(-point.x, point.y, point.z));
            }
        }
        for index in 0..self.triangles.len() {
            let [a, b, c] = self.triangles[index].map(|vertex| twin[vertex as usize]);
            self.triangles.push([a, c, b]);
        }
        self
    }
}

/// Returns grid lines from `from` to the first line at or beyond `to`. The line after one inside `dense` is `fine`
/// away, the line after any other `coarse`.
fn lines(from: f32, to: f32, dense: std::ops::Range<f32>, fine: f32, coarse: f32) -> Vec<f32> {
    let mut lines = vec![from];
    let mut at = from;
    while at < to {
        at += if dense.contains(&at) { fine } else { coarse };
        lines.push(at);
    }
    lines
}

/// The six tetrahedra around a cube's long diagonal. Corners are bits: x 1, y 2, z 4.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];

/// Cells per side of a block. Blocks far from the surface are skipped.
const BLOCK: usize = 8;

/// Triangulates the half x ≥ 0 of the shape.
pub fn extract(shape: &Shape) -> Mesh {
    let axes = [
        lines(0.0, 0.80, 0.53..0.80, 0.0035, 0.006),
        lines(-0.02, 1.83, 0.80..1.08, 0.0045, 0.006),
        lines(-0.20, 0.24, -0.06..0.11, 0.0032, 0.006),
    ];
    let size = axes.each_ref().map(Vec::len);
    let point = |at: [usize; 3]| Vec3::new(axes[0][at[0]], axes[1][at[1]], axes[2][at[2]]);
    let index = |at: [usize; 3]| (at[2] * size[1] + at[1]) * size[0] + at[0];
    let mut values = vec![f32::NAN; size[0] * size[1] * size[2]];
    let mut cutter = Cutter::default();
    for z in (0..size[2] - 1).step_by(BLOCK) {
        for y in (0..size[1] - 1).step_by(BLOCK) {
            for x in (0..size[0] - 1).step_by(BLOCK) {
                let first = [x, y, z];
                let last = std::array::from_fn(|axis| (first[axis] + BLOCK).min(size[axis] - 1));
                let (low, high) = (point(first), point(last));
                // The margin allows for the inexact distance.
                if shape.distance((low + high) * 0.5).abs() > 0.75 * (high - low).length() + 0.02 {
                    continue;
                }
                for cell_z in z..last[2] {
                    for cell_y in y..last[1] {
                        for cell_x in x..last[0] {
                            let corners: [[usize; 3]; 8] = std::array::from_fn(|corner| {
                                [cell_x + (corner & 1), cell_y + (corner >> 1 & 1), cell_z + (corner >> 2)]
                            });
                            let corners = corners.map(|at| {
                                let key = index(at);
                                if values[key].is_nan() {
                                    let value = shape.distance(point(at));
                                    values[key] = if value == 0.0 { 1e-7 } else { value };
                                }
                                (key, point(at), values[key])
                            });
                            cutter.cube(&corners);
                        }
                    }
                }
            }
        }
    }
    cutter.mesh
}

/// A corner of the grid: its index, its position and the distance there.
type Corner = (usize, Vec3, f32);

#[derive(Default)]
struct Cutter {
    mesh: Mesh,
    /// The vertex on a grid edge, by the edge's corners. Never iterated, so its order does not matter.
    on_edge: HashMap<(usize, usize), u32>,
}

impl Cutter {
    fn cube(&mut self, corners: &[Corner; 8]) {
        let inside = corners.iter().filter(|corner| corner.2 < 0.0).count();
        if inside == 0 || inside == 8 {
            return;
        }
        for tetrahedron in TETRAHEDRA {
            self.tetrahedron(tetrahedron.map(|corner| corners[corner]));
        }
    }

    fn tetrahedron(&mut self, corners: [Corner; 4]) {
        let (inside, outside): (Vec<Corner>, Vec<Corner>) = corners.into_iter().partition(|corner| corner.2 < 0.0);
        let middle = |corners: &[Corner]| corners.iter().map(|corner| corner.1).sum::<Vec3>() / corners.len() as f32;
        if inside.is_empty() || outside.is_empty() {
            return;
        }
        let outward = middle(&outside) - middle(&inside);
        match (&inside[..], &outside[..]) {
            (&[a], &[b, c, d]) | (&[b, c, d], &[a]) => {
                let triangle = [self.cross(a, b), self.cross(a, c), self.cross(a, d)];
                self.push(triangle, outward);
            }
            (&[a, b], &[c, d]) => {
                let ring = [self.cross(a, c), self.cross(a, d), self.cross(b, d), self.cross(b, c)];
                self.push([ring[0], ring[1], ring[2]], outward);
                self.push([ring[0], ring[2], ring[3]], outward);
            }
            _ => unreachable!("four corners are on one of two sides"),
        }
    }

    /// Returns the vertex between a corner inside and a corner outside.
    fn cross(&mut self, a: Corner, b: Corner) -> u32 {
        let (a, b) = if a.0 < b.0 { (a, b) } else { (b, a) };
        let positions = &mut self.mesh.positions;
        *self.on_edge.entry((a.0, b.0)).or_insert_with(|| {
            // Kept away from corners, so that no two vertices coincide.
            let t = (a.2 / (a.2 - b.2)).clamp(0.02, 0.98);
            positions.push(a.1 + (b.1 - a.1) * t);
            positions.len() as u32 - 1
        })
    }

    fn push(&mut self, [a, b, c]: [u32; 3], outward: Vec3) {
        let [p, q, r] = [a, b, c].map(|vertex| self.mesh.positions[vertex as usize]);
        let faces_out = (q - p).cross(r - p).dot(outward) > 0.0;
        self.mesh.triangles.push(if faces_out { [a, b, c] } else { [a, c, b] });
    }
}
