//! The pop finder: joints that jerk on a tape, and the step of the solve where each jerk starts.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::tape::{Tape, TapeFrame, TapeLayer};
use crate::math::{angle, from_to_rotation, look_rotation, unit_or_zero};
use crate::stack::LayerId;
use crate::stepped::run::{Hinge, Plane, StepView};

/// A joint that is checked for jerks, given by points of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joint {
    /// The layer that moves the joint.
    pub layer: LayerId,
    /// The label: `left elbow, flexion`.
    pub label: String,
    /// The index of the point to inspect, among the layer's points.
    pub point: usize,
    turn: Turn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Flexion([usize; 3]),
    /// The rotation of the joint between two bones about the line through their ends.
    Side([usize; 3]),
    Direction([usize; 2]),
    Plane([usize; 3]),
}

impl Joint {
    /// Returns all joints of a layer; of several with the same label, the first.
    pub fn all(layer: LayerId, hinges: &[Hinge], planes: &[Plane]) -> Vec<Self> {
        let joint = |label: String, point: usize, turn: Turn| Self { layer, label, point, turn };
        let hinges = hinges.iter().flat_map(|hinge| {
            let points @ [first, second, _] = hinge.points;
            [
                joint(format!("{}, flexion", hinge.label), second, Turn::Flexion(points)),
                joint(format!("{}, bend direction", hinge.label), second, Turn::Side(points)),
                joint(hinge.root.clone(), first, Turn::Direction([first, second])),
            ]
        });
        let planes = planes.iter().map(|plane| joint(plane.label.clone(), plane.points[2], Turn::Plane(plane.points)));
        let mut found: Vec<Self> = Vec::new();
        for joint in hinges.chain(planes) {
            if found.iter().all(|known| known.label != joint.label) {
                found.push(joint);
            }
        }
        found
    }

    /// Returns the jerk over three frames, given the positions of the layer's points in each: the second difference of
    /// the joint's angle in degrees. `None` if a point is missing.
    pub fn jerk(&self, [first, second, third]: [&[Vec3]; 3]) -> Option<f32> {
        Some((self.turn(second, third)? - self.turn(first, second)?).length().to_degrees())
    }

    /// Returns the rotation of the joint between two instants as a rotation vector in radians, given the positions of
    /// the points.
    fn turn(&self, earlier: &[Vec3], later: &[Vec3]) -> Option<Vec3> {
        match self.turn {
            Turn::Flexion(points) => {
                let bent = |[first, second, last]: [Vec3; 3]| angle(second - first, last - second);
                Some(Vec3::X * (bent(of(later, points)?) - bent(of(earlier, points)?)))
            }
            Turn::Side(points) => Some(Vec3::X * bend_turn(of(earlier, points)?, of(later, points)?)),
            Turn::Direction([from, to]) => {
                let along = |places: &[Vec3]| Some(*places.get(to)? - *places.get(from)?);
                Some(from_to_rotation(along(earlier)?, along(later)?).to_scaled_axis())
            }
            Turn::Plane(points) => {
                let plane = |[a, b, c]: [Vec3; 3]| look_rotation(b - a, c - a);
                let between: Quat = plane(of(later, points)?) * plane(of(earlier, points)?).conjugate();
                Some((if between.w < 0.0 { -between } else { between }).to_scaled_axis())
            }
        }
    }
}

/// The largest jerk of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Pop {
    /// The joint that jerks.
    pub joint: Joint,
    /// The second difference of the joint's angle, in degrees.
    pub size: f32,
    /// The number of the earlier of the two frames between which the joint jumps.
    pub number: u64,
    /// The first step, with its index, at which the joint differs between the solves of both frames by at least the
    /// mean of the differences after the first step and at the end. `None` if there is no such step after the first,
    /// and on a tape [without steps](Tape::without_steps).
    pub diverges_at: Option<(usize, StepView)>,
}

/// Returns the largest jerk of each joint whose jerk exceeds 1e-4 radians, the largest first. The first frame of a tape
/// is ignored because nothing moved before it, so a tape needs at least four frames.
pub fn find_pops(tape: &Tape) -> Vec<Pop> {
    let pairs: Vec<[&TapeFrame; 2]> = tape.pairs().skip(1).collect();
    let Some([first, _]) = pairs.first() else { return Vec::new() };
    // Editing changes the set of layers, so joints are collected from every set on the tape.
    let mut shapes: Vec<&TapeLayer> = Vec::new();
    for kept in std::iter::once(*first).chain(pairs.iter().map(|pair| pair[1])).flat_map(|frame| &frame.layers) {
        if !shapes.iter().any(|known| known.id == kept.id && Arc::ptr_eq(&known.shape, &kept.shape)) {
            shapes.push(kept);
        }
    }
    let mut joints: Vec<Joint> = Vec::new();
    let all = |kept: &TapeLayer| Joint::all(kept.id, &kept.shape.hinges, &kept.shape.planes);
    for joint in shapes.into_iter().flat_map(all) {
        if !joints.contains(&joint) {
            joints.push(joint);
        }
    }
    let mut pops: Vec<Pop> = joints.into_iter().filter_map(|joint| worst(joint, &pairs)).collect();
    pops.sort_by(|a, b| b.size.total_cmp(&a.size));
    pops
}

fn worst(joint: Joint, pairs: &[[&TapeFrame; 2]]) -> Option<Pop> {
    let turn = |[earlier, later]: [&TapeFrame; 2]| {
        joint.turn(&earlier.layer(joint.layer)?.end(), &later.layer(joint.layer)?.end())
    };
    let mut worst: Option<(f32, [&TapeFrame; 2])> = None;
    let mut before: Option<([&TapeFrame; 2], Vec3)> = None;
    for &pair in pairs {
        let Some(now) = turn(pair) else {
            before = None;
            continue;
        };
        if let Some((pair_before, turned_before)) = before
            && pair_before[1].number == pair[0].number
        {
            let size = (now - turned_before).length();
            if size.is_finite() && worst.is_none_or(|(largest, _)| size > largest) {
                // The larger of the two rotations is the pop; the smaller one is the regular motion.
                let pair = if now.length() >= turned_before.length() { pair } else { pair_before };
                worst = Some((size, pair));
            }
        }
        before = Some((pair, now));
    }
    let (size, pair) = worst.filter(|(size, _)| *size > 1e-4)?;
    let diverges_at = divergence(&joint, pair);
    Some(Pop { joint, size: size.to_degrees(), number: pair[0].number, diverges_at })
}

/// Returns the first step at which the rotation of the joint between the solves of the two frames is at least the mean
/// of this rotation after the first step and at the end, and more than after the first step by 1e-5 rad; `None` if
/// there is no such step after the first.
fn divergence(joint: &Joint, [earlier, later]: [&TapeFrame; 2]) -> Option<(usize, StepView)> {
    let (earlier, later) = (earlier.layer(joint.layer)?, later.layer(joint.layer)?);
    // A solve with fewer steps is compared by its end.
    let last = earlier.steps().max(later.steps()).checked_sub(1)?;
    let places = |kept: &TapeLayer, step: usize| kept.places(step.min(kept.steps().saturating_sub(1)));
    let apart = |step: usize| joint.turn(&places(earlier, step), &places(later, step)).map(Vec3::length);
    // On a tape without steps only the last step has places, so the search ends here unless there is only one step.
    let (read, end) = (apart(0)?, apart(last)?);
    let enough = (read + end) / 2.0;
    let found = (1..=last).find(|&step| apart(step).is_some_and(|apart| apart >= enough.max(read + 1e-5)))?;
    let steps = if earlier.steps() > found { &earlier.shape.steps } else { &later.shape.steps };
    Some((found, steps.get(found)?.clone()))
}

pub(super) fn of(places: &[Vec3], points: [usize; 3]) -> Option<[Vec3; 3]> {
    let [a, b, c] = points.map(|point| places.get(point).copied());
    Some([a?, b?, c?])
}

/// Returns the rotation of a middle joint about the line between the limb's ends, in radians, −π to π. `earlier` and
/// `later` are the limb's three points at two instants. The rotation of the line itself does not count. 0 if the limb
/// is straight at one of the instants, because a straight limb has no side. A limb counts as straight if its middle joint
/// is off the line by at most 1 % of the first bone's length.
pub fn bend_turn(earlier: [Vec3; 3], later: [Vec3; 3]) -> f32 {
    const STRAIGHT: f32 = 0.01;
    let side = |[first, second, last]: [Vec3; 3]| {
        let line = last - first;
        let along = unit_or_zero(line);
        let out = second - first;
        let across = out - along * along.dot(out);
        (across.length() > STRAIGHT * out.length()).then(|| (along, unit_or_zero(across)))
    };
    let (Some((line_before, before)), Some((line_now, now))) = (side(earlier), side(later)) else { return 0.0 };
    let carried = from_to_rotation(line_before, line_now) * before;
    carried.cross(now).dot(line_now).atan2(carried.dot(now))
}
