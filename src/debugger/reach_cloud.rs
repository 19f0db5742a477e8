//! The volume a hand or foot can reach under the current settings, body and all.

use glam::Vec3;

use super::measure::{Measure, outcome};
use super::sweep::Progress;
use crate::full_body::{Effector, FullBody, Node, Settings};
use crate::math::unit_or_zero;
use crate::rig::{LimbName, RigidTransform};

/// A point of the volume's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CloudPoint {
    /// Model space.
    pub position: Vec3,
    /// Unit; out of the volume.
    pub normal: Vec3,
}

/// What a limb reaches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReachCloud {
    pub limb: Option<LimbName>,
    pub points: Vec<CloudPoint>,
    /// Distance of neighbouring points, about. Model units.
    pub spacing: f32,
    /// Targets tried, each a whole solve.
    pub solves: usize,
    /// Of the volume, in model units cubed.
    pub volume: f32,
}

/// A target counts as reached if the written bone is this close, as a fraction of the limb's length.
pub const REACHED: f32 = 0.01;

/// Tries targets on a grid of `count`³ about the limb's first node, each with full weight and everything else as set.
/// `None` if it was ended early, the limb has no length, or the frame cannot be solved.
pub fn reach_cloud(
    solver: &FullBody,
    settings: &Settings,
    animated: &[RigidTransform],
    limb: LimbName,
    count: usize,
    progress: Progress,
) -> Option<ReachCloud> {
    let count = count.clamp(4, 96);
    let mut workspace = solver.workspace();
    let mut pose = Vec::new();
    let frame = outcome(solver, &mut workspace, settings, animated, &mut pose).ok()?.frame;
    let length = frame.limb(limb).length;
    if length <= 0.0 || frame.weight <= 0.0 {
        return None;
    }
    // The torso comes along: half as far again as the arm alone.
    let radius = length * 1.5 + frame.limb(limb).root_length * 0.5;
    let center = frame.bone(Node::of_limb(limb)[0]).position;
    let spacing = 2.0 * radius / (count - 1) as f32;
    let effector = Effector::END[limb.index()];
    let mut settings = *settings;
    settings.effector_mut(effector).position_weight = 1.0;
    let place = |index: [usize; 3]| center + Vec3::from_array(index.map(|i| i as f32 * spacing - radius));
    // How far beyond reached each target is; below 0 it is reached.
    let mut beyond = vec![f32::INFINITY; count * count * count];
    let at = |[x, y, z]: [usize; 3]| (z * count + y) * count + x;
    let mut solves = 0;
    for z in 0..count {
        for y in 0..count {
            if !progress((z * count + y) as f32 / (count * count) as f32) {
                return None;
            }
            for x in 0..count {
                let target = place([x, y, z]);
                if target.distance(center) > radius {
                    continue;
                }
                settings.effector_mut(effector).position = Some(target);
                let outcome = outcome(solver, &mut workspace, &settings, animated, &mut pose).ok()?;
                beyond[at([x, y, z])] = outcome.measure(Measure::Gap(effector)) - REACHED * length;
                solves += 1;
            }
        }
    }
    let mut cloud = ReachCloud { limb: Some(limb), spacing, solves, ..ReachCloud::default() };
    let mut inside = 0;
    for index in 0..beyond.len() {
        let here = beyond[index];
        if here > 0.0 {
            continue;
        }
        inside += 1;
        let cell = [index % count, index / count % count, index / count / count];
        let (mut shift, mut normal, mut open) = (Vec3::ZERO, Vec3::ZERO, 0.0);
        for axis in 0..3 {
            for side in [-1isize, 1] {
                let mut next = cell;
                let there = match cell[axis].checked_add_signed(side).filter(|&next| next < count) {
                    Some(moved) => {
                        next[axis] = moved;
                        beyond[at(next)]
                    }
                    None => f32::INFINITY,
                };
                if there > 0.0 {
                    // Where between the two the error crosses the limit.
                    let t = if there.is_finite() { here / (here - there) } else { 0.5 };
                    let out = Vec3::from_array(std::array::from_fn(|i| if i == axis { side as f32 } else { 0.0 }));
                    shift += out * t;
                    normal += out;
                    open += 1.0;
                }
            }
        }
        if open > 0.0 {
            let position = place(cell) + shift / open * spacing;
            let normal = if normal == Vec3::ZERO { unit_or_zero(position - center) } else { unit_or_zero(normal) };
            cloud.points.push(CloudPoint { position, normal });
        }
    }
    cloud.volume = inside as f32 * spacing.powi(3);
    smooth_normals(&mut cloud);
    Some(cloud)
}

/// Normals of a grid's cells point along few directions: each takes the mean of its neighbours'.
fn smooth_normals(cloud: &mut ReachCloud) {
    let reach = cloud.spacing * 2.2;
    let mut cells: std::collections::HashMap<[i32; 3], Vec<usize>> = std::collections::HashMap::new();
    let cell = |point: Vec3| (point / reach).floor().to_array().map(|x| x as i32);
    for (index, point) in cloud.points.iter().enumerate() {
        cells.entry(cell(point.position)).or_default().push(index);
    }
    let mean = |index: usize| {
        let point = cloud.points[index];
        let [x, y, z] = cell(point.position);
        let mut sum = Vec3::ZERO;
        for near in
            (-1..=1).flat_map(|dx| (-1..=1).flat_map(move |dy| (-1..=1).map(move |dz| [x + dx, y + dy, z + dz])))
        {
            for &other in cells.get(&near).into_iter().flatten() {
                let other = cloud.points[other];
                let weight = 1.0 - other.position.distance(point.position) / reach;
                if weight > 0.0 {
                    sum += other.normal * weight;
                }
            }
        }
        let mean = unit_or_zero(sum);
        if mean == Vec3::ZERO { point.normal } else { mean }
    };
    let normals: Vec<Vec3> = (0..cloud.points.len()).map(mean).collect();
    for (point, normal) in cloud.points.iter_mut().zip(normals) {
        point.normal = normal;
    }
}
