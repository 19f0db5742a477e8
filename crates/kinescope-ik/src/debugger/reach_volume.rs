//! The volume that a hand or foot can reach with the current settings, including the movement of the body.

use glam::Vec3;

use super::again::Progress;
use super::variants::{Variant, solve_variants_in_slices, spread};
use crate::full_body::{Effector, FullBody, HookedSolve, Hooks, Node, Settings, Workspace};
use crate::math::{angle, ortho_normalize, unit_or_zero};
use crate::rig::{LimbName, RigidTransform};
use crate::slices::{Boxed, finish};
use crate::stepped;

/// A point of the volume's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// The position in model space.
    pub position: Vec3,
    /// The unit normal, pointing out of the volume; zero where the triangles have no area or cancel.
    pub normal: Vec3,
}

/// The reachable volume of a limb.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReachVolume {
    /// The limb; `None` in the default, which is empty.
    pub limb: Option<LimbName>,
    /// The points of the surface.
    pub points: Vec<SurfacePoint>,
    /// The triangles of the surface, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The number of targets that were tried, each with a complete solve.
    pub solves: usize,
    /// The volume in cubic model units: the number of reached grid points times the cube of their spacing.
    pub volume: f32,
    /// The gap for every target, for drawing slices of the volume.
    pub gaps: GapGrid,
}

/// The distances of the written bone from the targets that were tried.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GapGrid {
    /// The position of the grid's first point, its corner, in model space.
    pub corner: Vec3,
    /// The distance between neighbouring points of the grid, in model units.
    pub spacing: f32,
    /// The number of points along each axis.
    pub count: usize,
    /// The gap with the target at each point in model units, infinite if not tried. The x index varies fastest, then y.
    pub gaps: Vec<f32>,
    /// The angle of elbow or knee for the target at each point, in radians, 0 to π, infinite if not tried: between the
    /// direction in which the elbow points and down, or the direction in which the knee points and
    /// [`FullBody::facing`].
    pub turns: Vec<f32>,
}

impl GapGrid {
    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.count + y) * self.count + x
    }

    fn place(&self, [x, y, z]: [usize; 3]) -> Vec3 {
        self.corner + Vec3::new(x as f32, y as f32, z as f32) * self.spacing
    }

    /// Returns the gap at any position in model units, interpolated from its eight neighbours; `None` outside the
    /// grid, or if one of them was not tried.
    pub fn at(&self, target: Vec3) -> Option<f32> {
        self.between(target, &self.gaps)
    }

    /// Returns the angle of [`Self::turns`] at any position in radians, interpolated as in [`Self::at`].
    pub fn turn_at(&self, target: Vec3) -> Option<f32> {
        self.between(target, &self.turns)
    }

    fn between(&self, target: Vec3, of: &[f32]) -> Option<f32> {
        let within = (target - self.corner) / self.spacing;
        let most = self.count.checked_sub(2)? as f32;
        if !within.is_finite() || within.min_element() < 0.0 || within.floor().max_element() > most {
            return None;
        }
        let (base, t) = (within.floor(), within - within.floor());
        let mut sum = 0.0;
        for corner in CORNERS {
            let index = [0, 1, 2].map(|axis| base[axis] as usize + corner[axis]);
            let weight: f32 = (0..3).map(|axis| if corner[axis] == 1 { t[axis] } else { 1.0 - t[axis] }).product();
            sum += weight * of[self.index(index)];
        }
        sum.is_finite().then_some(sum)
    }
}

/// The corners of a cell. Bits 0, 1 and 2 of the index are the steps along x, y and z.
const CORNERS: [[usize; 3]; 8] =
    [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]];

/// The largest gap at which a target counts as reached, as a fraction of the limb's length.
pub const REACHED: f32 = 0.01;

/// The largest number of targets that a thread tries between two reports of progress, for solves with hooks: 1 to 2 ms
/// of work. In WebAssembly the number is an eighth.
const SHARE: usize = 512;

/// Returns the volume that a hand or foot reaches.
///
/// Tries targets on a grid of `count`³ (clamped to 4 to 96 per axis) within a sphere around the limb's first node, each
/// with full position weight and all other settings unchanged.
///
/// Runs on all processors (feature `rayon`; otherwise on this thread). Without hooks the targets are solved in SIMD
/// registers; [`solve_variants`](super::variants::solve_variants) says how closely they agree with single solves. With
/// hooks, which act between the stages of each solve, targets are solved one by one.
///
/// `None` if `progress` cancelled the work, the limb has no length, the master weight is 0, or the frame cannot be solved.
pub fn reach_volume(
    (solver, hooks): (&FullBody, Option<&(dyn Hooks + Sync)>),
    settings: &Settings,
    animated: &[RigidTransform],
    limb: LimbName,
    count: usize,
    progress: Progress,
) -> Option<ReachVolume> {
    finish(reach_volume_in_slices((solver, hooks), settings, animated, limb, count, progress))
}

/// Does the same as [`reach_volume`], with a [pause](crate::slices) before each round of targets.
pub fn reach_volume_in_slices(
    (solver, hooks): (&FullBody, Option<&(dyn Hooks + Sync)>),
    settings: &Settings,
    animated: &[RigidTransform],
    limb: LimbName,
    count: usize,
    progress: Progress<'_>,
) -> impl Future<Output = Option<ReachVolume>> {
    reach_volume_async((solver, hooks), settings, animated, limb, count, progress)
}

async fn reach_volume_async(
    (solver, hooks): (&FullBody, Option<&(dyn Hooks + Sync)>),
    settings: &Settings,
    animated: &[RigidTransform],
    limb: LimbName,
    count: usize,
    progress: Progress<'_>,
) -> Option<ReachVolume> {
    let count = count.clamp(4, 96);
    let (frame, _) = solver.read(&mut solver.workspace(), settings, animated).ok()?;
    let length = frame.limb(limb).length;
    if length <= 0.0 || frame.weight <= 0.0 {
        return None;
    }
    // The torso moves too, so half the limb's length and half the distance from the body to the limb are added.
    let radius = length * 1.5 + frame.limb(limb).root_length * 0.5;
    let center = frame.bone(Node::of_limb(limb)[0]);
    let spacing = 2.0 * radius / (count - 1) as f32;
    let mut grid =
        GapGrid { corner: center - radius, spacing, count, gaps: vec![f32::INFINITY; count.pow(3)], turns: Vec::new() };
    grid.turns.clone_from(&grid.gaps);
    let places = cells(count).map(|index| grid.place(index)).enumerate();
    let is_near = |&(_, target): &(usize, Vec3)| target.distance(center) <= radius;
    let tried: Vec<(usize, Vec3)> = places.filter(is_near).collect();
    let found = solve_targets((solver, hooks), settings, animated, limb, &tried, progress).await?;
    for (&(index, _), [gap, turn]) in tried.iter().zip(found) {
        (grid.gaps[index], grid.turns[index]) = (gap, turn);
    }
    let limit = REACHED * length;
    let inside = grid.gaps.iter().filter(|&&gap| gap <= limit).count();
    let volume = inside as f32 * spacing.powi(3);
    let (points, triangles) = surface(&grid, limit);
    Some(ReachVolume { limb: Some(limb), points, triangles, solves: tried.len(), volume, gaps: grid })
}

/// Returns the gap and the turn for each target of `tried`, which also has the indices of the targets in the grid.
/// `None` if `progress` cancelled the work or a target cannot be solved.
fn solve_targets<'a>(
    (solver, hooks): (&'a FullBody, Option<&'a (dyn Hooks + Sync)>),
    settings: &Settings,
    animated: &'a [RigidTransform],
    limb: LimbName,
    tried: &'a [(usize, Vec3)],
    progress: Progress<'a>,
) -> Boxed<'a, Option<Vec<[f32; 2]>>> {
    let effector = Effector::END[limb.index()];
    let mut weighted = *settings;
    weighted.effector_mut(effector).position_weight = 1.0;
    let with_target = move |index: usize| {
        let mut settings = weighted;
        settings.effector_mut(effector).position = Some(tried[index].1);
        settings
    };
    Box::pin(async move {
        match hooks {
            None => {
                let variant = |index: usize| (with_target(index), animated);
                let measure = |solved: &Variant| {
                    solved.done.ok()?;
                    Some([solved.gap(effector), turned(solver, limb, solved.pose)])
                };
                solve_variants_in_slices(solver, tried.len(), variant, measure, progress).await?.into_iter().collect()
            }
            Some(hooks) => {
                let solve = |(workspace, pose): &mut (Workspace, Vec<RigidTransform>), index: usize| {
                    let settings = with_target(index);
                    let gap = solve_hooked((solver, hooks), workspace, &settings, animated, (effector, pose))?;
                    Some([gap, turned(solver, limb, pose)])
                };
                let new = || (solver.workspace(), Vec::new());
                let work = |own: &mut _, share: std::ops::Range<usize>| share.map(|index| solve(own, index)).collect();
                spread(tried.len(), (SHARE, 1), new, work, progress).await?.into_iter().collect()
            }
        }
    })
}

/// Solves a frame with hooks into `pose`. Returns the distance of the effector's written bone to its target in model
/// units, 0 without a position weight; `None` if the frame cannot be solved.
fn solve_hooked(
    (solver, hooks): (&FullBody, &dyn Hooks),
    workspace: &mut Workspace,
    settings: &Settings,
    animated: &[RigidTransform],
    (effector, pose): (Effector, &mut Vec<RigidTransform>),
) -> Option<f32> {
    pose.clear();
    pose.extend_from_slice(animated);
    let (frame, mut state) = solver.read(workspace, settings, pose).ok()?;
    stepped::solve(&mut HookedSolve::new(&frame, Some(hooks)), &mut state);
    solver.write(workspace, &frame, &state, pose).ok()?;
    let wanted = frame.effector(effector);
    let bone = pose.get(solver.bone_of(effector.node())).filter(|_| wanted.position_weight > 0.0);
    Some(bone.map_or(0.0, |bone| bone.position.distance(wanted.position)))
}

/// Returns the indices of all points of a grid with `most` points along each axis, in the order of [`GapGrid::gaps`].
fn cells(most: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..most).flat_map(move |z| (0..most).flat_map(move |y| (0..most).map(move |x| [x, y, z])))
}

/// Returns the angle for [`GapGrid::turns`].
fn turned(solver: &FullBody, limb: LimbName, pose: &[RigidTransform]) -> f32 {
    let [first, middle, last] = Node::of_limb(limb).map(|node| pose[solver.bone_of(node)].position);
    let beside = ortho_normalize(last - first, middle - first);
    angle(beside, if limb.is_arm() { Vec3::NEG_Y } else { solver.facing() })
}

/// Returns the surface where the gap equals `limit`, by surface nets (Gibson, «Constrained Elastic Surface Nets»,
/// 1998): one point in each cell that the surface crosses, at the mean of its crossings with the cell's edges.
fn surface(grid: &GapGrid, limit: f32) -> (Vec<SurfacePoint>, Vec<[u32; 3]>) {
    // Untried targets have an infinite gap, which is capped: the surface ends at most half-way to them.
    let beyond: Vec<f32> = grid.gaps.iter().map(|gap| (gap - limit).min(limit)).collect();
    let is_inside: Vec<bool> = beyond.iter().map(|&beyond| beyond <= 0.0).collect();
    let most = grid.count.saturating_sub(1);
    let corners = CORNERS.map(|corner| grid.index(corner));
    let strides = [1, grid.count, grid.count.pow(2)];
    let mut points: Vec<SurfacePoint> = Vec::new();
    let mut point_of = vec![u32::MAX; beyond.len()];
    cells(most).for_each(|cell| {
        let first = grid.index(cell);
        if corners.iter().all(|corner| is_inside[first + corner] == is_inside[first]) {
            return;
        }
        let gaps = corners.map(|corner| beyond[first + corner]);
        let places = CORNERS.map(|corner| grid.place([cell[0] + corner[0], cell[1] + corner[1], cell[2] + corner[2]]));
        let (mut sum, mut crossings) = (Vec3::ZERO, 0.0);
        for from in 0..CORNERS.len() {
            for to in [from | 1, from | 2, from | 4] {
                if (gaps[from] <= 0.0) != (gaps[to] <= 0.0) {
                    sum += places[from].lerp(places[to], gaps[from] / (gaps[from] - gaps[to]));
                    crossings += 1.0;
                }
            }
        }
        point_of[first] = points.len() as u32;
        points.push(SurfacePoint { position: sum / crossings, normal: Vec3::ZERO });
    });
    let mut triangles = Vec::new();
    cells(most).for_each(|from| {
        let first = grid.index(from);
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            if is_inside[first] == is_inside[first + strides[axis]] || from[u] == 0 || from[v] == 0 {
                continue;
            }
            // The four cells around this edge.
            let around = [strides[u] + strides[v], strides[v], 0, strides[u]].map(|back| point_of[first - back]);
            if around.contains(&u32::MAX) {
                continue;
            }
            let [a, b, c, d] = around;
            let quad = if is_inside[first] { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] };
            triangles.extend(quad);
        }
    });
    for triangle in &triangles {
        let [a, b, c] = triangle.map(|index| points[index as usize].position);
        let normal = (b - a).cross(c - a);
        for &index in triangle {
            points[index as usize].normal += normal;
        }
    }
    for point in &mut points {
        point.normal = unit_or_zero(point.normal);
    }
    (points, triangles)
}
