//! The pop finder: where on a tape a joint jerks, and which step of the solve begins it.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::tape::{Kept, Tape, TapeFrame};
use crate::math::{angle, from_to_rotation, look_rotation, unit_or_zero};
use crate::stack::LayerId;
use crate::stepped::run::{Hinge, Plane, StepView};

/// What is watched: the joints of every layer, by the points that they lie between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joint {
    /// The layer that moves it.
    pub layer: LayerId,
    /// As a person reads it: `left elbow`.
    pub label: String,
    /// The point to look at.
    pub point: usize,
    turn: Turn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// How far two bones are bent.
    Flexion([usize; 3]),
    /// The joint between them about the limb's line.
    Side([usize; 3]),
    /// The first of them.
    Direction([usize; 2]),
    Plane([usize; 3]),
}

impl Joint {
    /// All of a layer, by what its run says of its points.
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

    /// How much the joint jerked over three frames, by where the points of its layer were in each: the second difference of
    /// its angle, degrees. `None` where the points do not say.
    pub fn jerk(&self, [first, second, third]: [&[Vec3]; 3]) -> Option<f32> {
        Some((self.turn(second, third)? - self.turn(first, second)?).length().to_degrees())
    }

    /// How the joint turned between two instants, by where the points were, as a rotation vector, radians.
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

/// The worst jerk of one joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Pop {
    /// The joint that jerked.
    pub joint: Joint,
    /// Second difference of the joint's angle, degrees.
    pub size: f32,
    /// The pop happens from this frame to the next.
    pub number: u64,
    /// The first step in which this frame and the next part: index and step. `None` if they already differ as read.
    pub parts_at: Option<(usize, StepView)>,
}

/// Every joint by its worst jerk, the worst first. A tape of fewer than four frames has none: its first frame is where the
/// motion was not yet, and is left out.
pub fn find_pops(tape: &Tape) -> Vec<Pop> {
    let pairs: Vec<[&TapeFrame; 2]> = tape.pairs().skip(1).collect();
    let Some([first, _]) = pairs.first() else { return Vec::new() };
    // Layers come and go with what is edited.
    let mut shapes: Vec<&Kept> = Vec::new();
    for kept in std::iter::once(*first).chain(pairs.iter().map(|pair| pair[1])).flat_map(|frame| &frame.layers) {
        if !shapes.iter().any(|known| known.id == kept.id && Arc::ptr_eq(&known.shape, &kept.shape)) {
            shapes.push(kept);
        }
    }
    let mut joints: Vec<Joint> = Vec::new();
    let all = |kept: &Kept| Joint::all(kept.id, &kept.shape.hinges, &kept.shape.planes);
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
                // Of the two steps the larger is the pop; the smaller is what motion there was.
                let pair = if now.length() >= turned_before.length() { pair } else { pair_before };
                worst = Some((size, pair));
            }
        }
        before = Some((pair, now));
    }
    let (size, pair) = worst.filter(|(size, _)| *size > 1e-4)?;
    let parts_at = parting(&joint, pair);
    Some(Pop { joint, size: size.to_degrees(), number: pair[0].number, parts_at })
}

/// The first step at which the two frames are half as far apart as at the end, and further than as read.
fn parting(joint: &Joint, [earlier, later]: [&TapeFrame; 2]) -> Option<(usize, StepView)> {
    let (earlier, later) = (earlier.layer(joint.layer)?, later.layer(joint.layer)?);
    // Of a solve that took fewer steps than the other, where it ended.
    let last = earlier.steps().max(later.steps()).checked_sub(1)?;
    let places = |kept: &Kept, step: usize| kept.places(step.min(kept.steps().saturating_sub(1)));
    let apart = |step: usize| joint.turn(&places(earlier, step), &places(later, step)).map_or(0.0, Vec3::length);
    let (read, end) = (apart(0), apart(last));
    let enough = (read + end) / 2.0;
    let found = (1..=last).find(|&step| apart(step) >= enough.max(read + 1e-5))?;
    let steps = if earlier.steps() > found { &earlier.shape.steps } else { &later.shape.steps };
    Some((found, steps.get(found)?.clone()))
}

/// Three of the points.
pub(super) fn of(places: &[Vec3], points: [usize; 3]) -> Option<[Vec3; 3]> {
    let [a, b, c] = points.map(|point| places.get(point).copied());
    Some([a?, b?, c?])
}

/// How far a joint between two bones, by the three points of their ends, turned about its limb's own line, radians, −π to
/// π; what the line itself turned does not count. 0 for a limb that is straight in either: it has no side.
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
