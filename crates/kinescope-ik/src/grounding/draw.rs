//! Draws a grounding through [`DebugDraw`](crate::debug_draw).
//!
//! Everything is in world space, metres. A cast, prediction, animated foot, goal or pelvis offset with a coordinate
//! that is not finite or beyond [`FARTHEST`] is not drawn. A cast whose hit has such a point or a distance that is not
//! finite is drawn as one without a hit.

use std::f32::consts::PI;

use glam::{Quat, Vec3};

use super::event::{Cast, Event, Shape};
use super::input::{FARTHEST, FootGeometry, Input, Root, is_sane};
use super::output::Output;
use crate::debug_draw::{DebugDraw, Subject};
use crate::ground::Hit;
use crate::math::{ortho_normalize, unit};
use crate::names::Side;

/// Number of segments of half a circle.
const SEGMENTS: usize = 12;
/// Size of a mark, metres.
const MARK: f32 = 0.03;
/// Length of the longest arrow along a normal, metres.
const LONGEST_NORMAL: f32 = 0.2;

/// Draws the casts with their hits, and the predicted place of each foot.
///
/// A ray is a line. A sphere or capsule is drawn as its outline across the cast at the start, the paths of its ends,
/// and its outlines across and along the cast at the hit, if any.
pub fn draw_events(events: &[Event], out: &mut dyn DebugDraw) {
    for event in events {
        match *event {
            Event::Cast(cast) => draw_cast(&cast, out),
            Event::Predicted { side, from, to } if is_sane(from) && is_sane(to) => {
                if from != to {
                    out.arrow(from, to, Subject::PredictedFoot(side));
                }
                out.point(to, MARK, Subject::PredictedFoot(side));
            }
            Event::Predicted { .. } => {}
        }
    }
}

fn draw_cast(cast: &Cast, out: &mut dyn DebugDraw) {
    let Cast { side, from, to, .. } = *cast;
    if !is_sane(from) || !is_sane(to) {
        return;
    }
    let hit = cast.hit.filter(|hit| is_sane(hit.point) && hit.distance.is_finite());
    let subject = Subject::Cast { side, hit: hit.is_some() };
    let displacement = to - from;
    let direction = unit(displacement).unwrap_or(Vec3::NEG_Y);
    match cast.shape {
        Shape::Ray => out.line(from, hit.map_or(to, |hit| hit.point), subject),
        Shape::Sphere { radius } => draw_swept(from, (Vec3::ZERO, radius), displacement, direction, hit, subject, out),
        Shape::Capsule { along, radius } => {
            draw_swept(from, (along, radius), displacement, direction, hit, subject, out)
        }
    }
    let Some(hit) = hit else { return };
    out.point(hit.point, MARK, Subject::CastHit(side));
    if let Some(normal) = Some(hit.normal).filter(|normal| normal.is_finite()).and_then(unit) {
        let length = (0.2 * displacement.length()).min(LONGEST_NORMAL);
        out.arrow(hit.point, hit.point + normal * length, Subject::CastHit(side));
    }
}

fn draw_swept(
    from: Vec3,
    (along, radius): (Vec3, f32),
    displacement: Vec3,
    direction: Vec3,
    hit: Option<Hit>,
    subject: Subject,
    out: &mut dyn DebugDraw,
) {
    if !is_sane(from + along) || !(0.0..=FARTHEST).contains(&radius) {
        return;
    }
    let gone = hit.map_or(displacement, |hit| direction * hit.distance.clamp(0.0, displacement.length()));
    let axis = unit(along).unwrap_or_else(|| ortho_normalize(direction, Vec3::X));
    let across = ortho_normalize(axis, direction.cross(axis));
    outline(from, along, [axis, across].map(|axis| axis * radius), subject, out);
    if hit.is_some() {
        for across in [across, axis.cross(across)] {
            outline(from + gone, along, [axis, across].map(|axis| axis * radius), subject, out);
        }
    }
    out.line(from, from + gone, subject);
    if along != Vec3::ZERO {
        out.line(from + along, from + along + gone, subject);
    }
}

/// Draws half a circle at each end of the segment from `from` to `from + along` and, unless `along` is zero, two lines
/// that join them. `axis` is parallel to `along`, `across` orthogonal; both have the length of the radius.
fn outline(from: Vec3, along: Vec3, [axis, across]: [Vec3; 2], subject: Subject, out: &mut dyn DebugDraw) {
    for (center, axis, across, back) in [(from + along, axis, across, -along), (from, -axis, -across, along)] {
        let at = |segment: usize| {
            let (sin, cos) = (PI * segment as f32 / SEGMENTS as f32).sin_cos();
            center + across * cos + axis * sin
        };
        for segment in 0..SEGMENTS {
            out.line(at(segment), at(segment + 1), subject);
        }
        if along != Vec3::ZERO {
            out.line(center - across, center - across + back, subject);
        }
    }
}

/// Draws the feet as animated and their goals, and the pelvis's offset: from the middle of the hips if both are known
/// ([`FootInput::reach`](super::FootInput)), else from the root.
///
/// A sole is a line from heel to toe and a line from the sole up to the ankle. [`FootGeometry`] gives the direction of
/// the toes but no roll about it, so the animated sole is drawn level to the side.
pub fn draw_output(input: &Input, output: &Output, out: &mut dyn DebugDraw) {
    let Some(root) = input.root.sane() else { return };
    for side in Side::ALL {
        let (foot, leg) = (&input.feet[side as usize], &output.legs[side as usize]);
        let Some(animated) = foot.sane() else { continue };
        let sole = sole(&foot.geometry.sane(), animated.rotation, &root);
        draw_sole(animated.position, sole, Subject::GhostFoot(side), out);
        let turn = leg.rotation_offset.normalize();
        if !is_sane(leg.ik_position) || !turn.is_finite() {
            continue;
        }
        let weight = if leg.weight.is_nan() { 0.0 } else { leg.weight.clamp(0.0, 1.0) };
        let goal = Subject::FootGoal { side, weight };
        draw_sole(leg.ik_position, sole.map(|point| turn * point), goal, out);
        out.point(leg.ik_position, MARK, goal);
        if leg.ik_position != animated.position {
            out.line(animated.position, leg.ik_position, Subject::FootOffset(side));
        }
    }
    let from = match input.feet.map(|foot| foot.sane_reach()) {
        [Some(left), Some(right)] => (left.hip + right.hip) * 0.5,
        _ => root.position,
    };
    if is_sane(output.pelvis) && output.pelvis != Vec3::ZERO {
        out.arrow(from, from + output.pelvis, Subject::PelvisOffset);
    }
}

/// Returns heel, toe and the point of the sole below the ankle, relative to the ankle.
fn sole(geometry: &FootGeometry, rotation: Quat, root: &Root) -> [Vec3; 3] {
    let forward = unit(rotation * geometry.forward_in_foot).unwrap_or(root.forward);
    let below = ortho_normalize(forward, root.up) * -geometry.ankle_height;
    [below - forward * geometry.heel_offset, below + forward * geometry.toe_offset, below]
}

fn draw_sole(ankle: Vec3, [heel, toe, below]: [Vec3; 3], subject: Subject, out: &mut dyn DebugDraw) {
    for (from, to) in [(heel, toe), (below, Vec3::ZERO)] {
        if from != to {
            out.line(ankle + from, ankle + to, subject);
        }
    }
}
