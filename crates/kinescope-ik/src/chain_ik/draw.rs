//! Draws a chain with its targets, moves and limits through [`DebugDraw`](crate::debug_draw), and drags limits.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec3};

use super::bend_rule::Circle;
use super::chain::{Chain, State};
use super::limits::{LIMIT_TOLERANCE, Limit, swing_twist};
use super::moves::{Cause, Move};
use super::problem::Workspace;
use super::program::{Program, Stage};
use super::recording::Recording;
use crate::debug_draw::{DebugDraw, Subject};
use crate::math::{any_orthogonal, ortho_normalize, swing_angle, unit};

const SEGMENTS: usize = 48;

/// Draws bones and joints; with `ghost`, only the bones, in the style of an earlier state.
pub fn draw_chain(chain: &Chain, state: &State, ghost: bool, out: &mut dyn DebugDraw) {
    for (index, bone) in chain.bones().iter().enumerate() {
        let subject = if ghost { Subject::GhostChain } else { Subject::ChainBone(index) };
        out.line(state.positions[bone.from], state.positions[index + 1], subject);
    }
    if !ghost {
        for (joint, &position) in state.positions.iter().enumerate() {
            out.point(position, chain.length() * 0.02, Subject::ChainJoint(joint));
        }
    }
}

/// Draws each target, and a line from its joint to the target.
pub fn draw_targets(state: &State, targets: &[(usize, Vec3)], out: &mut dyn DebugDraw) {
    for &(joint, target) in targets {
        if let Some(&end) = state.positions.get(joint) {
            out.line(end, target, Subject::ChainError);
        }
        out.point(target, 0.0, Subject::ChainTarget);
    }
}

/// Draws a move as an arrow. For a CCD turn, adds the lines from the joint to the end before and after. Marks the new
/// position if a limit corrected the bone.
pub fn draw_move(state: &State, moved: &Move, out: &mut dyn DebugDraw) {
    if moved.cause == Cause::Turn
        && let Some(&joint) = state.positions.get(moved.joint)
    {
        out.line(joint, moved.from, Subject::GhostChain);
        out.line(joint, moved.to, Subject::ChainMove);
    }
    out.arrow(moved.from, moved.to, Subject::ChainMove);
    if moved.excess > 0.0 {
        out.point(moved.to, 0.0, Subject::LimitViolation);
    }
}

/// Draws the construction of a bend rule's step: the line from root to target at which the chain is mirrored, or the
/// circle on which it is laid; of a circle too flat to draw, the line from root to target. Draws nothing for other
/// steps.
pub fn draw_bend_rule(recording: &Recording, step: usize, out: &mut dyn DebugDraw) {
    let stage = recording.solve.steps.get(step).map(|step| step.step.stage);
    if !matches!(stage, Some(Stage::Mirror | Stage::Arc)) {
        return;
    }
    let (problem, start) = (recording.problem(), &recording.solve.start);
    let mut workspace = Workspace::default();
    if problem.check().is_err() || !recording.chain.fits(start) {
        return;
    }
    Program::new(&problem, start, &mut workspace);
    let (root, target, length) = (workspace.root, workspace.target(), recording.chain.length());
    if stage == Some(Stage::Mirror) {
        let beyond = unit(target - root).unwrap_or(Vec3::ZERO) * (0.15 * length);
        out.line(root - beyond, target + beyond, Subject::MirrorLine);
        return out.text(root.midpoint(target), "mirror line: root to target", Subject::MirrorLine);
    }
    let circle = Circle::new(&recording.chain, recording.solve.state_before(step), &workspace);
    let Some((center, radius)) = circle.center(root) else {
        out.line(root, target, Subject::BendCircle);
        return out.text(root, "circle through root and target, nearly straight", Subject::BendCircle);
    };
    let (start, axis) = (root - center, circle.along.cross(circle.across));
    // Of a circle much larger than the chain, draws only the part near the chain.
    let is_whole = circle.span() > TAU / 8.0;
    let (from, to) = if is_whole { (0.0, TAU) } else { (-0.5 * circle.span(), 1.5 * circle.span()) };
    let at = |segment: usize| {
        let angle = from + (to - from) * segment as f32 / SEGMENTS as f32;
        center + Quat::from_axis_angle(axis, angle) * start
    };
    for segment in 0..SEGMENTS {
        out.line(at(segment), at(segment + 1), Subject::BendCircle);
    }
    // On a whole circle, the label is in the middle of the arc that has no joints.
    let text = format!("circle through root and target, radius {radius:.3} model units");
    let free = if is_whole { (0.5 + 0.5 * circle.span() / TAU) * SEGMENTS as f32 } else { 0.0 };
    out.text(at(free as usize), &text, Subject::BendCircle);
}

/// Draggable part of a limit's range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitPart {
    /// The smallest angle of a hinge.
    Min,
    /// The largest angle of a hinge.
    Max,
    /// The rim of the cone of a ball and socket, or of an angle.
    Swing,
    /// The smallest twist of a ball and socket.
    TwistMin,
    /// The largest twist of a ball and socket.
    TwistMax,
}

/// Frame in which a limit is drawn: at the bone's start joint, rotated with the parent bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitFrame {
    /// Position of the joint; model space.
    pub joint: Vec3,
    /// Rotation of the bone at rest; model space.
    pub rest: Quat,
    /// Direction of the bone at rest; unit, model space.
    pub along: Vec3,
    /// Direction orthogonal to `along`, to the side to which the bone has turned; arbitrary for a bone that points
    /// along or against `along`. The handle of a cone lies on this side. Unit, model space.
    pub side: Vec3,
    /// Radius at which the limit is drawn; model units.
    pub size: f32,
}

impl LimitFrame {
    /// Creates the frame of a bone, counted from 0, for a state of the chain.
    pub fn new(chain: &Chain, state: &State, bone: usize) -> Self {
        let own = &chain.bones()[bone];
        let rest = chain.rotation_before(state, bone) * own.rest;
        let along = rest * own.axis;
        let now = state.rotations[bone] * own.axis;
        let side = match unit(now - along * along.dot(now)) {
            Some(side) if now.cross(along).length() > 1e-3 => side,
            _ => rest * any_orthogonal(own.axis),
        };
        // Limits of many short bones would otherwise be too small to see.
        let size = (0.8 * own.length).max(0.1 * chain.length());
        Self { joint: state.positions[own.from], rest, along, side, size }
    }

    /// Returns the direction that shows an angle of a hinge; unit, model space.
    fn hinge(&self, axis: Vec3, angle: f32) -> Vec3 {
        let axis = self.rest * unit(axis).unwrap_or(Vec3::X);
        // A hinge along the bone twists it, so a direction across the bone shows the angle.
        let from = if axis.cross(self.along).length() > 0.1 { self.along } else { ortho_normalize(axis, self.side) };
        Quat::from_axis_angle(axis, angle) * from
    }

    /// Returns the position of a part's handle; model space. `None` if the limit has no such part.
    pub fn handle(&self, limit: &Limit, part: LimitPart) -> Option<Vec3> {
        let twist = |angle: f32| self.twisted(angle) * (0.45 * self.size) + self.along * (0.8 * self.size);
        Some(
            self.joint
                + match (*limit, part) {
                    (Limit::Hinge { axis, min, .. }, LimitPart::Min) => self.hinge(axis, min) * self.size,
                    (Limit::Hinge { axis, max, .. }, LimitPart::Max) => self.hinge(axis, max) * self.size,
                    (Limit::BallAndSocket { swing, .. }, LimitPart::Swing) => self.swung(swing, 0.0) * self.size,
                    (Limit::Angle { max }, LimitPart::Swing) => self.swung(max, 0.0) * self.size,
                    (Limit::BallAndSocket { twist_min, .. }, LimitPart::TwistMin) => twist(twist_min),
                    (Limit::BallAndSocket { twist_max, .. }, LimitPart::TwistMax) => twist(twist_max),
                    _ => return None,
                },
        )
    }

    /// Returns the limit with one part moved to the angle of `place` (model space); unchanged if the limit has no such
    /// part. Angles of hinges and twists continue from their current value, so a hinge can be dragged over several
    /// turns. A minimum stops at its maximum, a maximum at its minimum, and a twist at ±π.
    pub fn dragged(&self, limit: &Limit, part: LimitPart, place: Vec3) -> Limit {
        let to = place - self.joint;
        let about = |axis: Vec3, from: Vec3, now: f32| {
            let flat = to - axis * axis.dot(to);
            let angle = from.cross(flat).dot(axis).atan2(from.dot(flat));
            now + super::limits::wrap(angle - now)
        };
        let mut dragged = *limit;
        match (&mut dragged, part) {
            (Limit::Hinge { axis, min, max }, LimitPart::Min | LimitPart::Max) => {
                let turned = self.rest * unit(*axis).unwrap_or(Vec3::X);
                let from = self.hinge(*axis, 0.0);
                match part {
                    LimitPart::Min => *min = about(turned, from, *min).min(*max),
                    _ => *max = about(turned, from, *max).max(*min),
                }
            }
            (Limit::BallAndSocket { swing: angle, .. } | Limit::Angle { max: angle }, LimitPart::Swing) => {
                *angle = crate::math::angle(self.along, to).clamp(0.0, PI);
            }
            (Limit::BallAndSocket { twist_min, twist_max, .. }, LimitPart::TwistMin | LimitPart::TwistMax) => {
                let from = self.twisted(0.0);
                match part {
                    LimitPart::TwistMin => *twist_min = about(self.along, from, *twist_min).min(*twist_max).max(-PI),
                    _ => *twist_max = about(self.along, from, *twist_max).max(*twist_min).min(PI),
                }
            }
            _ => {}
        }
        dragged
    }

    /// Returns the rest direction tilted by the angle `swing`, toward `side` rotated about the rest direction by
    /// `around`; radians. Unit.
    fn swung(&self, swing: f32, around: f32) -> Vec3 {
        let out = Quat::from_axis_angle(self.along, around) * self.side;
        self.along * swing.cos() + out * swing.sin()
    }

    fn twisted(&self, angle: f32) -> Vec3 {
        let from = self.rest * any_orthogonal(self.rest.conjugate() * self.along);
        Quat::from_axis_angle(self.along, angle) * from
    }
}

/// Draws a bone's limit at its start joint: a fan for a hinge, a cone with an arc of twist for ball and socket, a cone
/// for an angle; nothing for a free bone. Adds the axis and the current angle of a hinge, the bone's current direction
/// in a cone, and its current twist for ball and socket. If `excess` (radians) is above 0, also draws an arc of this
/// angle, at most half a turn, past a hinge's current turn, past the current swing, or past the twist of a ball and
/// socket whose swing is not at its limit. If the excess is a tilt of a hinge's axis, the arc shows only its size.
pub fn draw_limit(chain: &Chain, state: &State, bone: usize, excess: f32, out: &mut dyn DebugDraw) {
    let Some(own) = chain.bones().get(bone) else { return };
    let frame = LimitFrame::new(chain, state, bone);
    let turned = chain.turned(state, bone);
    let range = Subject::LimitRange(bone);
    match own.limit {
        Limit::Free => {}
        Limit::Hinge { axis, min, max } => {
            // Each further turn is drawn slightly smaller than the one before.
            let shrink = |angle: f32| frame.size * (1.0 - 0.06 * (angle / TAU).abs());
            arc(frame.joint, &|angle| frame.hinge(axis, angle) * shrink(angle), min, max, range, out);
            let turn = state.turns[bone];
            for angle in [min, max] {
                out.line(frame.joint, frame.joint + frame.hinge(axis, angle) * shrink(angle), range);
            }
            let hinge = frame.rest * unit(axis).unwrap_or(Vec3::X) * (0.35 * frame.size);
            out.line(frame.joint - hinge, frame.joint + hinge, Subject::LimitAxis(bone));
            out.line(frame.joint, frame.joint + frame.hinge(axis, turn) * shrink(turn), Subject::LimitNow(bone));
            if excess > 0.0 {
                let beyond = beyond([min, max], turn, excess);
                draw_beyond(&|share| frame.joint + frame.hinge(axis, turn + beyond * share) * shrink(turn), out);
            }
        }
        Limit::BallAndSocket { swing, .. } | Limit::Angle { max: swing } => {
            arc(frame.joint, &|around| frame.swung(swing, around) * frame.size, 0.0, TAU, range, out);
            for index in 0..8 {
                let rim = frame.swung(swing, TAU * index as f32 / 8.0) * frame.size;
                out.line(frame.joint, frame.joint + rim, range);
            }
            let now = state.rotations[bone] * own.axis;
            out.line(frame.joint, frame.joint + now * frame.size, Subject::LimitNow(bone));
            let (swung, twist) = swing_twist(turned, own.axis);
            let angle = swing_angle(swung);
            let mut is_swing = true;
            if let Limit::BallAndSocket { twist_min, twist_max, .. } = own.limit {
                is_swing = angle >= swing - LIMIT_TOLERANCE;
                let center = frame.joint + frame.along * (0.8 * frame.size);
                let at = |angle: f32| frame.twisted(angle) * (0.45 * frame.size);
                arc(center, &at, twist_min, twist_max, range, out);
                for angle in [twist_min, twist_max] {
                    out.line(center, center + at(angle), range);
                }
                out.line(center, center + at(twist), Subject::LimitNow(bone));
                if excess > 0.0 && !is_swing {
                    let beyond = beyond([twist_min, twist_max], twist, excess);
                    draw_beyond(&|share| center + at(twist + beyond * share), out);
                }
            }
            if excess > 0.0 && is_swing {
                draw_beyond(&|share| frame.joint + frame.swung(angle + excess.min(PI) * share, 0.0) * frame.size, out);
            }
        }
    }
}

/// Draws the curve of `center + point(angle)` over a range of angles, and the surface between curve and `center`.
fn arc(center: Vec3, point: &dyn Fn(f32) -> Vec3, from: f32, to: f32, subject: Subject, out: &mut dyn DebugDraw) {
    let count = ((to - from).abs() / TAU * SEGMENTS as f32).ceil().clamp(1.0, 4.0 * SEGMENTS as f32) as usize;
    for index in 0..count {
        let at = |index: usize| center + point(from + (to - from) * index as f32 / count as f32);
        out.triangle([center, at(index), at(index + 1)], subject);
        out.line(at(index), at(index + 1), subject);
    }
}

/// Returns `excess`, at most half a turn: positive if `angle` is nearer to `max`, else negative; radians.
fn beyond([min, max]: [f32; 2], angle: f32, excess: f32) -> f32 {
    let excess = excess.min(PI);
    if (angle - max).abs() < (angle - min).abs() { excess } else { -excess }
}

fn draw_beyond(at: &dyn Fn(f32) -> Vec3, out: &mut dyn DebugDraw) {
    const PARTS: usize = 8;
    for part in 0..PARTS {
        let [from, to] = [part, part + 1].map(|part| at(part as f32 / PARTS as f32));
        out.line(from, to, Subject::LimitViolation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Lines(Vec<(Vec3, Vec3, Subject)>);

    impl DebugDraw for Lines {
        fn line(&mut self, from: Vec3, to: Vec3, subject: Subject) {
            self.0.push((from, to, subject));
        }
    }

    #[test]
    fn a_part_is_where_it_was_dragged_to() {
        let mut chain = Chain::from_lengths(&[1.0, 1.0]).unwrap();
        let state = chain.rest().clone();
        let hinge = Limit::Hinge { axis: Vec3::X, min: -0.5, max: 1.0 };
        let ball = Limit::BallAndSocket { swing: 0.7, twist_min: -0.4, twist_max: 0.9 };
        let parts = [
            (hinge, LimitPart::Min),
            (hinge, LimitPart::Max),
            (ball, LimitPart::Swing),
            (ball, LimitPart::TwistMin),
            (ball, LimitPart::TwistMax),
            (Limit::Angle { max: 0.3 }, LimitPart::Swing),
        ];
        for (limit, part) in parts {
            chain.set_limit(1, limit).unwrap();
            let frame = LimitFrame::new(&chain, &state, 1);
            let place = frame.handle(&limit, part).unwrap();
            let same = frame.dragged(&limit, part, place);
            let close = |a: Vec3, b: Vec3| a.distance(b) < 1e-5;
            assert!(close(frame.handle(&same, part).unwrap(), place), "{limit:?} {part:?} {same:?}");
            let mut lines = Lines(Vec::new());
            draw_limit(&chain, &state, 1, 0.2, &mut lines);
            assert!(lines.0.iter().all(|(from, to, _)| from.is_finite() && to.is_finite()));
            assert!(lines.0.iter().any(|(_, to, _)| to.distance(place) < 0.05), "{limit:?} {part:?}");
        }
        assert_eq!(LimitFrame::new(&chain, &state, 1).handle(&Limit::Free, LimitPart::Min), None);
    }

    #[test]
    fn an_excess_of_twist_is_drawn_beside_the_twist() {
        let mut chain = Chain::from_lengths(&[1.0, 1.0]).unwrap();
        chain.set_limit(1, Limit::BallAndSocket { swing: 0.7, twist_min: -0.4, twist_max: 0.9 }).unwrap();
        let axis = chain.bones()[1].axis;
        let tilt = Quat::from_axis_angle(any_orthogonal(axis), 0.7);
        for (rotation, is_swing) in [(Quat::from_axis_angle(axis, 0.9), false), (tilt, true)] {
            let mut state = chain.rest().clone();
            state.rotations[1] = chain.rotation_before(&state, 1) * chain.bones()[1].rest * rotation;
            let frame = LimitFrame::new(&chain, &state, 1);
            let mut lines = Lines(Vec::new());
            draw_limit(&chain, &state, 1, 0.2, &mut lines);
            let center = frame.joint + frame.along * (0.8 * frame.size);
            let arc = lines.0.iter().filter(|(.., subject)| *subject == Subject::LimitViolation);
            let is_on_cone = |point: Vec3| (point.distance(frame.joint) - frame.size).abs() < 1e-4;
            let is_on_twist = |point: Vec3| (point.distance(center) - 0.45 * frame.size).abs() < 1e-4;
            let places: Vec<Vec3> = arc.flat_map(|&(from, to, _)| [from, to]).collect();
            assert!(!places.is_empty());
            assert!(places.iter().all(|&point| if is_swing { is_on_cone(point) } else { is_on_twist(point) }));
        }
    }

    #[test]
    fn a_hinge_is_dragged_beyond_half_a_turn() {
        let mut chain = Chain::from_lengths(&[1.0, 1.0]).unwrap();
        let mut limit = Limit::Hinge { axis: Vec3::X, min: 0.0, max: 3.0 };
        chain.set_limit(1, limit).unwrap();
        let frame = LimitFrame::new(&chain, chain.rest(), 1);
        for step in 0..20 {
            let place = frame.joint + frame.hinge(Vec3::X, 3.0 + 0.2 * step as f32);
            limit = frame.dragged(&limit, LimitPart::Max, place);
        }
        let Limit::Hinge { max, .. } = limit else { panic!("{limit:?}") };
        assert!((max - 6.8).abs() < 1e-3, "{max}");
    }
}
