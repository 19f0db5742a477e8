//! The terrain mesh: grey facets with a grid, and platforms as boxes.
//!
//! Each facet has one shade, baked into vertex colours, so that steps and slopes are visible. The height field is cut
//! into tiles of one draw call each. Tiles near the focus show every point, the others every eighth.

use std::ops::Range;
use std::sync::Arc;

use glam::Vec3;
use macroquad::prelude as mq;

use crate::picture::vertex;
use crate::ui::theme::Theme;
use kinescope_ik::terrain::{MOST_PLATFORMS, Terrain};

/// Number of cells along a side of a tile.
pub const TILE: usize = 64;
/// Point stride of distant tiles.
pub const COARSE: usize = 8;
/// Number of tiles at full resolution.
const NEAR: usize = 16;
/// Spacing of grid lines, metres.
pub const SPACING: f32 = 0.5;
/// Largest number of points for a tile's grid lines along one axis. With more, the spacing doubles.
const MOST_LINE_POINTS: usize = 4096;
/// Half the width of a grid line, which is also its height above the ground, metres.
pub const LINE: f32 = 0.004;
/// Depth of the terrain's rim, metres.
const SKIRT: f32 = 0.15;
/// Largest width of a platform's edge lines, metres. Small platforms have narrower lines.
const EDGE: f32 = 0.012;
/// Fraction of the distance by which platforms are drawn closer to the eye. Otherwise a platform level with the ground would
/// flicker with it.
const NEARER: f32 = 0.001;
/// Direction to the light. No two sides of a box get the same shade.
const LIGHT: Vec3 = Vec3::new(-0.31, 0.77, 0.56);
/// Number of shades. Facets of the same shade share vertices, so few shades need few vertices.
const SHADES: f32 = 96.0;

#[derive(Clone, Copy)]
pub struct Look {
    pub ground: [f32; 3],
    platform: [f32; 3],
    line: [u8; 4],
    lowest: f32,
    /// Height of the highest point above the lowest, metres.
    pub height: f32,
}

impl Look {
    pub fn new(terrain: &Terrain, theme: &Theme) -> Self {
        // The colours are between those of grid and character, so that the character stands out.
        let mixed = |share: f32| {
            let (grid, body) = (theme.grid.to_array(), theme.solid_body.to_array());
            std::array::from_fn(|channel| {
                let [from, to] = [grid, body].map(|color| f32::from(color[channel]));
                from + (to - from) * share
            })
        };
        let [r, g, b, _] = theme.halo.to_array();
        let range = |(low, high): (f32, f32), &height: &f32| (low.min(height), high.max(height));
        let (low, high) = terrain.heights.iter().fold((f32::MAX, f32::MIN), range);
        let [ground, platform] = if theme.is_light { [0.5, 0.2] } else { [0.0, 0.3] }.map(mixed);
        Self { ground, platform, line: [r, g, b, 80], lowest: low, height: (high - low).max(0.0) }
    }

    /// Returns the shade of a facet from the light and, weakly, from the height.
    pub fn shade(&self, normal: Vec3, height: f32) -> u8 {
        let lit = 0.45 + 0.6 * (0.5 + 0.5 * normal.dot(LIGHT));
        let up = if self.height > 1e-3 { ((height - self.lowest) / self.height).clamp(0.0, 1.0) } else { 0.5 };
        (SHADES * lit * (0.94 + 0.12 * up)).round() as u8
    }
}

pub fn shaded(color: [f32; 3], shade: u8) -> [u8; 4] {
    let [r, g, b] = color.map(|channel| (channel * f32::from(shade) / SHADES).round() as u8);
    [r, g, b, 255]
}

#[derive(Default)]
pub struct TerrainMesh {
    pub built: Option<Built>,
}

pub struct Built {
    terrain: Arc<Terrain>,
    theme: Theme,
    pub look: Look,
    pub tiles: Vec<Tile>,
}

pub struct Tile {
    pub columns: Range<usize>,
    pub rows: Range<usize>,
    /// Point stride of the mesh, or 0 before the mesh is built.
    pub stride: usize,
    pub mesh: mq::Mesh,
}

impl TerrainMesh {
    pub fn new() -> Self {
        Self::default()
    }

    /// Builds all meshes for another terrain (another `Arc`) or theme, else only the tiles whose resolution changes.
    /// The [`NEAR`] tiles nearest to `focus`, the point looked at in world space, have full resolution.
    pub fn update(&mut self, terrain: &Arc<Terrain>, theme: &Theme, focus: Vec3) {
        let is_same = |built: &Built| Arc::ptr_eq(&built.terrain, terrain) && built.theme == *theme;
        if !self.built.as_ref().is_some_and(is_same) {
            let tiles = if terrain.validate().is_ok() { tiles(terrain) } else { Vec::new() };
            let look = Look::new(terrain, theme);
            self.built = Some(Built { terrain: terrain.clone(), theme: *theme, look, tiles });
        }
        let Some(built) = &mut self.built else { return };
        let corner = |column: usize, row: usize| terrain.point(row * terrain.columns + column).unwrap_or_default();
        built.tiles.sort_by_cached_key(|tile| {
            let [low, high] = [corner(tile.columns.start, tile.rows.start), corner(tile.columns.end, tile.rows.end)];
            let away = (focus - focus.max(low).min(high)).with_y(0.0).length();
            // The bits of non-negative floats sort in the same order as their values.
            (away.to_bits(), tile.rows.start, tile.columns.start)
        });
        for (index, tile) in built.tiles.iter_mut().enumerate() {
            let stride = if index < NEAR { 1 } else { COARSE };
            if tile.stride != stride {
                tile.stride = stride;
                tile.mesh = tile_mesh(terrain, &built.look, &tile.columns, &tile.rows, stride);
            }
        }
    }

    /// Draws ground and platforms as seen from `eye`. `boxes` have centre and half extents in world space. Needs an
    /// active material that uses vertex colours with blending.
    pub(crate) fn draw(&self, boxes: &[(Vec3, Vec3)], eye: Vec3) {
        let Some(built) = &self.built else { return };
        for tile in &built.tiles {
            mq::draw_mesh(&tile.mesh);
        }
        for boxes in boxes.chunks(MOST_PLATFORMS) {
            let mut mesh = boxes_mesh(boxes, &built.look);
            for vertex in &mut mesh.vertices {
                let place = Vec3::from_array(vertex.position.to_array());
                vertex.position = place.lerp(eye, NEARER).to_array().into();
            }
            mq::draw_mesh(&mesh);
        }
    }
}

fn empty() -> mq::Mesh {
    mq::Mesh { vertices: Vec::new(), indices: Vec::new(), texture: None }
}

fn tiles(terrain: &Terrain) -> Vec<Tile> {
    let cut = |points: usize| (0..points - 1).step_by(TILE).map(move |start| start..(start + TILE).min(points - 1));
    let pairs = cut(terrain.rows).flat_map(|rows| cut(terrain.columns).map(move |columns| (columns, rows.clone())));
    pairs.map(|(columns, rows)| Tile { columns, rows, stride: 0, mesh: empty() }).collect()
}

/// Builds a tile from every `stride`-th point: facets, skirts and, at stride 1, grid lines.
fn tile_mesh(terrain: &Terrain, look: &Look, columns: &Range<usize>, rows: &Range<usize>, stride: usize) -> mq::Mesh {
    let mut mesh = empty();
    let points = |cells: &Range<usize>| -> Vec<usize> {
        cells.clone().step_by(stride).chain(std::iter::once(cells.end)).collect()
    };
    let (across, along) = (points(columns), points(rows));
    let at = |column: usize, row: usize| terrain.point(row * terrain.columns + column).unwrap_or_default();
    let grid: Vec<Vec3> = along.iter().flat_map(|&row| across.iter().map(move |&column| at(column, row))).collect();

    // The last vertex of each grid point, with its shade. The next facet reuses the vertex if its shade is the same.
    let mut last: Vec<Option<(u8, u16)>> = vec![None; grid.len()];
    for row in 0..along.len() - 1 {
        for column in 0..across.len() - 1 {
            let first = row * across.len() + column;
            let [p00, p10, p01, p11] = [first, first + 1, first + across.len(), first + across.len() + 1];
            for corners in [[p00, p01, p10], [p01, p11, p10]] {
                let [a, b, c] = corners.map(|corner| grid[corner]);
                let normal = (b - a).cross(c - a).normalize_or(Vec3::Y);
                let shade = look.shade(normal, (a.y + b.y + c.y) / 3.0);
                for corner in corners {
                    let place = match last[corner] {
                        Some((of, place)) if of == shade => place,
                        _ => {
                            let place = mesh.vertices.len() as u16;
                            mesh.vertices.push(vertex(grid[corner].to_array(), shaded(look.ground, shade)));
                            last[corner] = Some((shade, place));
                            place
                        }
                    };
                    mesh.indices.push(place);
                }
            }
        }
    }

    let (width, height) = (across.len(), along.len());
    let is_rim =
        [rows.start == 0, rows.end == terrain.rows - 1, columns.start == 0, columns.end == terrain.columns - 1];
    let near: Vec<Vec3> = grid[..width].to_vec();
    let far: Vec<Vec3> = grid[(height - 1) * width..].to_vec();
    let left: Vec<Vec3> = grid.iter().step_by(width).copied().collect();
    let right: Vec<Vec3> = grid.iter().skip(width - 1).step_by(width).copied().collect();
    let outward = [Vec3::NEG_Z, Vec3::Z, Vec3::NEG_X, Vec3::X];
    for ((border, outward), is_rim) in [near, far, left, right].iter().zip(outward).zip(is_rim) {
        skirt(look, border, outward, is_rim, &mut mesh);
    }
    if stride == 1 {
        grid_lines(terrain, look, &grid, width, [is_rim[3], is_rim[1]], &mut mesh);
    }
    mesh
}

/// Adds a skirt below a tile's border. At the terrain's rim, it is the side wall. Between tiles, it is as deep as a
/// coarser neighbour can deviate, which hides gaps.
fn skirt(look: &Look, border: &[Vec3], outward: Vec3, is_rim: bool, mesh: &mut mq::Mesh) {
    let range = |(low, high): (f32, f32), point: &Vec3| (low.min(point.y), high.max(point.y));
    let (low, high) = border.iter().fold((f32::MAX, f32::MIN), range);
    let depth = if is_rim { SKIRT } else { high - low };
    if depth <= 0.0 {
        return;
    }
    for (index, &point) in border.iter().enumerate() {
        let first = mesh.vertices.len() as u16;
        let color = shaded(look.ground, look.shade(outward, point.y));
        mesh.vertices.push(vertex(point.to_array(), color));
        mesh.vertices.push(vertex((point - Vec3::Y * depth).to_array(), color));
        if index + 1 < border.len() {
            mesh.indices.extend([first, first + 1, first + 2, first + 1, first + 3, first + 2]);
        }
    }
}

/// Adds the grid lines of a tile that is `width` points wide. `is_rim` says for x and z whether the tile's greatest
/// coordinate is the terrain's.
fn grid_lines(terrain: &Terrain, look: &Look, grid: &[Vec3], width: usize, is_rim: [bool; 2], mesh: &mut mq::Mesh) {
    let spacing = spacing(terrain);
    let xs: Vec<f32> = grid[..width].iter().map(|point| point.x).collect();
    let zs: Vec<f32> = grid.iter().step_by(width).map(|point| point.z).collect();
    let over = |x: f32, z: f32| {
        // Sample points are slightly inside the rim, because a point on the rim may be outside by rounding.
        let [x, z] = [(x, terrain.center.x, terrain.size.x), (z, terrain.center.y, terrain.size.y)]
            .map(|(at, center, size)| center + (at - center).clamp(1e-3 - 0.5 * size, 0.5 * size - 1e-3));
        Some(Vec3::new(x, terrain.height_at(x, z)? + LINE, z))
    };
    for x in lines(&xs, spacing, is_rim[0]) {
        ribbon(&zs, crossing(&xs, x), |side, z| over(x + side, z), look.line, mesh);
    }
    for z in lines(&zs, spacing, is_rim[1]) {
        ribbon(&xs, crossing(&zs, z), |side, x| over(x, z + side), look.line, mesh);
    }
}

fn spacing(terrain: &Terrain) -> f32 {
    let (x, z) = ((terrain.size.x, terrain.columns - 1), (terrain.size.y, terrain.rows - 1));
    let mut spacing = SPACING;
    for ((side, cells), (_, along)) in [(x, z), (z, x)] {
        let tile = side * cells.min(TILE) as f32 / cells as f32;
        let points = (2 * along.min(TILE) + 1) as f32;
        while (tile / spacing + 1.0) * points > MOST_LINE_POINTS as f32 {
            spacing *= 2.0;
        }
    }
    spacing
}

/// Returns the positions at which grid lines cross a side of a tile. A line at the end of the side belongs to the next tile,
/// except at the terrain's rim.
fn lines(points: &[f32], spacing: f32, is_rim: bool) -> impl Iterator<Item = f32> {
    let (start, end) = (points[0], points[points.len() - 1]);
    let all = (0..).map(move |index| ((start / spacing).ceil() + index as f32) * spacing);
    all.take_while(move |&at| at < end || is_rim && at == end)
}

/// Returns the position at which the grid line at `at` crosses the diagonals of its cells, from 0 to 1 along each cell.
fn crossing(points: &[f32], at: f32) -> f32 {
    let cell = points.partition_point(|&point| point <= at).clamp(1, points.len() - 1);
    let (start, end) = (points[cell - 1], points[cell]);
    1.0 - ((at - start) / (end - start)).clamp(0.0, 1.0)
}

/// Adds a strip over cells with borders at `ends`. `point` returns an edge point for a lateral offset and a position
/// along the strip. `crossing` is the result of [`crossing`].
fn ribbon(ends: &[f32], crossing: f32, point: impl Fn(f32, f32) -> Option<Vec3>, color: [u8; 4], mesh: &mut mq::Mesh) {
    let mut edges: Vec<[Vec3; 2]> = Vec::with_capacity(2 * ends.len());
    let mut add = |along: f32| {
        let (Some(a), Some(b)) = (point(-LINE, along), point(LINE, along)) else { return };
        // If both ends of the previous edge are on straight lines between the neighbouring edges, the edge is dropped. On
        // flat ground, the first and the last edge suffice.
        if let [.., from, middle] = edges[..]
            && [a, b].into_iter().zip(from).zip(middle).all(|((to, from), middle)| {
                let share = middle.distance(from) / to.distance(from).max(1e-6);
                middle.distance(from.lerp(to, share)) < 1e-5
            })
        {
            edges.pop();
        }
        edges.push([a, b]);
    };
    for pair in ends.windows(2) {
        add(pair[0]);
        if crossing > 0.0 && crossing < 1.0 {
            add(pair[0] + (pair[1] - pair[0]) * crossing);
        }
    }
    add(ends[ends.len() - 1]);
    for (index, edge) in edges.iter().enumerate() {
        let first = mesh.vertices.len() as u16;
        mesh.vertices.extend(edge.map(|point| vertex(point.to_array(), color)));
        if index + 1 < edges.len() {
            mesh.indices.extend([first, first + 1, first + 2, first + 1, first + 3, first + 2]);
        }
    }
}

pub fn boxes_mesh(boxes: &[(Vec3, Vec3)], look: &Look) -> mq::Mesh {
    let mut mesh = empty();
    for &(center, half) in boxes {
        for axis in 0..3 {
            let [normal, u, v] = [0, 1, 2].map(|next| Vec3::AXES[(axis + next) % 3]);
            let size = |axis: Vec3| half.dot(axis);
            let width = EDGE.min(0.5 * size(u)).min(0.5 * size(v));
            for normal in [normal, -normal] {
                let middle = center + normal * half;
                let corners = |inset: f32, lift: f32| {
                    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(along_u, along_v)| {
                        let across = u * (along_u * (size(u) - inset)) + v * (along_v * (size(v) - inset));
                        middle + across + normal * lift
                    })
                };
                let mut push = |points: [Vec3; 4], color: [u8; 4]| {
                    let first = mesh.vertices.len() as u16;
                    mesh.vertices.extend(points.map(|point| vertex(point.to_array(), color)));
                    first
                };
                let side = push(corners(0.0, 0.0), shaded(look.platform, look.shade(normal, middle.y)));
                let lift = 0.25 * LINE;
                let (outer, inner) = (push(corners(0.0, lift), look.line), push(corners(width, lift), look.line));
                mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| side + corner));
                for corner in 0..4 {
                    let next = (corner + 1) % 4;
                    let [a, b] = [corner, next].map(|corner| outer + corner);
                    let [c, d] = [corner, next].map(|corner| inner + corner);
                    mesh.indices.extend([a, b, d, a, d, c]);
                }
            }
        }
    }
    mesh
}
