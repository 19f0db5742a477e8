//! FABRIK's bend rule: neighbouring bones bend so that their cross product points along one normal.
//!
//! The passes apply the rule bone by bone, which alone can get stuck: a joint on the wrong side of the line from root
//! to target stays there, and the bone after it turns back in every iteration. Two steps prevent that. [`mirror`]
//! reflects the whole chain at the plane through that line and the normal, which flips every bend and changes no
//! distance to root or target. [`arc`] lays the chain on a circle through root and target. For every target within
//! reach there is such a circle; the joints on it form a convex polygon, so the chain both reaches the target and keeps
//! the rule.
//!
//! Source: *FABRIK with a bend rule*. [`BendRule::Literal`] applies the source's rule unchanged.

use std::f64::consts::PI;

use glam::{Quat, Vec3};

use super::chain::{Chain, State};
use super::moves::{Cause, Move, move_joint};
use super::problem::{Problem, Workspace};
use super::settings::{BendRule, Solver};
use crate::math::{any_orthogonal, unit};
use crate::stepped::{Flow, GO_ON, Watch};

const LITERAL_TURN: f32 = 2.0 * std::f32::consts::PI / 180.0;

/// Returns whether the solve enforces the rule with [`mirror`] and [`arc`]: FABRIK with a bend normal and
/// [`BendRule::Mirror`], on at least two bones without branches or limits, whose end is the only goal.
pub(super) fn applies(problem: &Problem, workspace: &Workspace) -> bool {
    workspace.bend.is_some()
        && problem.settings.solver == Solver::Fabrik
        && problem.settings.bend_rule == BendRule::Mirror
        && problem.chain.bones().len() > 1
        && problem.is_plain()
        && !problem.uses_limits()
}

/// Returns `bone`, reflected at the plane of the neighbouring bone and the rule's normal if `bone` is on the wrong side
/// of that plane. `side` is the unit normal of the plane, pointing to the side that the rule allows. The angle between
/// the two bones stays.
pub(super) fn mirrored_to_side(bone: Vec3, side: Vec3) -> Vec3 {
    let off = bone.dot(side);
    if off >= 0.0 { bone } else { bone - side * (2.0 * off) }
}

/// Returns `along` by the source's rule: rotated by two degrees about x unless all three components of `along × before`
/// are positive. `along` points from the next joint to this one, `before` from the previous joint to this one; both
/// unit.
pub(super) fn literal(along: Vec3, before: Vec3) -> Vec3 {
    let is_kept = along.cross(before).cmpgt(Vec3::ZERO).all();
    if is_kept { along } else { Quat::from_rotation_x(LITERAL_TURN) * along }
}

/// Returns the unit normal of the mirror plane: orthogonal to the line from root to target and to the rule's normal, on
/// the side where the rule wants the joints. `None` without a bend rule, if line and normal are parallel, or if the
/// target lies on the root.
pub(super) fn mirror_normal(workspace: &Workspace) -> Option<Vec3> {
    unit((workspace.target - workspace.root).cross(workspace.bend?))
}

/// Returns whether the chain as a whole, with its end moved to the target, bends against the rule: the signed area
/// between chain and line is negative about the normal by more than rounding. False without a [`mirror_normal`].
pub(super) fn is_on_wrong_side(problem: &Problem, state: &State, workspace: &Workspace) -> bool {
    /// Twice the area, as a fraction of the chain's squared length, below which its sign is rounding.
    const FLAT: f32 = 1e-6;
    let Some(normal) = workspace.bend.filter(|_| mirror_normal(workspace).is_some()) else { return false };
    let last = problem.chain.bones().len();
    let place = |joint: usize| if joint == last { workspace.target } else { state.positions[joint] } - workspace.root;
    let area: f32 = (1..last).map(|joint| place(joint).cross(place(joint + 1)).dot(normal)).sum();
    area < -FLAT * problem.chain.length().powi(2)
}

/// Returns whether every joint bends as the rule wants, up to rounding; true without a bend normal.
pub(super) fn is_kept(problem: &Problem, state: &State, workspace: &Workspace) -> bool {
    /// Sine of the largest wrong bend that counts as straight.
    const STRAIGHT: f32 = 1e-4;
    let Some(normal) = workspace.bend else { return true };
    let bones = problem.chain.lengths();
    (1..bones.len()).all(|joint| {
        let [before, at, after] = [joint - 1, joint, joint + 1].map(|joint| state.positions[joint]);
        (at - before).cross(after - at).dot(normal) >= -STRAIGHT * bones[joint - 1] * bones[joint]
    })
}

/// Reflects every joint except the root at the plane through the line from root to target and the rule's normal. Does
/// nothing without a [`mirror_normal`].
#[inline(never)]
pub(super) fn mirror(
    problem: &Problem,
    state: &mut State,
    workspace: &Workspace,
    watch: &mut impl Watch<Move>,
) -> Flow {
    let Some(normal) = mirror_normal(workspace) else { return GO_ON };
    for joint in 1..problem.chain.joints() {
        let place = state.positions[joint];
        let to = place - normal * (2.0 * normal.dot(place - workspace.root));
        move_joint(&mut state.positions, joint, to, Cause::Mirror, watch)?;
    }
    GO_ON
}

/// Circle through root and target on which the chain is inscribed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circle {
    /// One over the radius, per model unit; almost 0 for a chain that only just reaches the target.
    curvature: f64,
    /// The longest side of the polygon, if it spans more than half the circle: `Some(Some(bone))`, or `Some(None)` for
    /// the side from target to root.
    major: Option<Option<usize>>,
    /// Angle at the centre that the chain spans, radians.
    span: f64,
    /// From root to target, unit.
    pub along: Vec3,
    /// In the plane of the circle, orthogonal to the line, unit. Positive angles turn from `along` toward it.
    pub across: Vec3,
}

/// Returns the angle at the centre of a circle over a chord, radians; π for a chord of the diameter or longer.
fn central(length: f64, curvature: f64) -> f64 {
    2.0 * (0.5 * length * curvature).min(1.0).asin()
}

impl Circle {
    /// Finds the circle for a target within reach. The bones and the line from target to root form a closed polygon on
    /// exactly one circle; bisection finds its curvature.
    pub(super) fn new(chain: &Chain, state: &State, workspace: &Workspace) -> Self {
        /// Number of bisections; each settles one binary digit of the curvature.
        const HALVINGS: u32 = 60;
        let line = workspace.target - workspace.root;
        let along = unit(line).unwrap_or_else(|| workspace.direction(workspace.root, state.positions[1]));
        let normal = workspace.bend.unwrap_or(Vec3::Z);
        let normal = unit(normal - along * normal.dot(along)).unwrap_or_else(|| any_orthogonal(along));
        let distance = f64::from(line.length());
        let lengths = chain.lengths();
        let longest = (0..lengths.len()).max_by(|&a, &b| lengths[a].total_cmp(&lengths[b])).unwrap_or(0);
        let is_chord = distance >= f64::from(lengths[longest]);
        let (side, most) = if is_chord { (None, distance) } else { (Some(longest), f64::from(lengths[longest])) };
        // Sum of the angles at the centre that all sides except the longest span, radians.
        let others = |curvature: f64| {
            let bones = lengths.iter().enumerate().filter(|&(bone, _)| side != Some(bone));
            let bones: f64 = bones.map(|(_, &length)| central(f64::from(length), curvature)).sum();
            bones + if is_chord { 0.0 } else { central(distance, curvature) }
        };
        let sharpest = 2.0 / most;
        // If, with the longest side as diameter, the other sides span less than half the circle, the longest side spans
        // the larger arc.
        let is_major = others(sharpest) < PI;
        let (mut low, mut high) = (0.0, sharpest);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            let (others, own) = (others(middle), central(most, middle));
            let is_too_sharp = if is_major { others < own } else { others + own > 2.0 * PI };
            *(if is_too_sharp { &mut high } else { &mut low }) = middle;
        }
        let curvature = 0.5 * (low + high);
        let mut circle =
            Self { curvature, major: is_major.then_some(side), span: 0.0, along, across: normal.cross(along) };
        circle.span = lengths.iter().enumerate().map(|(bone, &length)| circle.angle(bone, length)).sum();
        circle
    }

    /// Returns centre and radius of the circle through `root`, in model space and model units; `None` if the arc is so
    /// flat that rounding at the far centre would move the arc by more than its height.
    pub(super) fn center(&self, root: Vec3) -> Option<(Vec3, f32)> {
        /// The angle at the centre below which an arc counts as straight, radians: the arc is then 4000 times as long
        /// as high.
        const STRAIGHT: f64 = 2e-3;
        if self.span < STRAIGHT {
            return None;
        }
        let radius = (1.0 / self.curvature) as f32;
        let (sin, cos) = (0.5 * self.span).sin_cos();
        let center = root + (self.along * sin as f32 + self.across * cos as f32) * radius;
        center.is_finite().then_some((center, radius))
    }

    pub(super) fn span(&self) -> f32 {
        self.span as f32
    }

    fn angle(&self, bone: usize, length: f32) -> f64 {
        let angle = central(f64::from(length), self.curvature);
        if self.major == Some(Some(bone)) { 2.0 * PI - angle } else { angle }
    }

    /// Returns the angle of each bone to the line from root to target, radians; negative in the first part of the
    /// chain.
    pub(super) fn directions<'a>(&'a self, lengths: &'a [f32]) -> impl Iterator<Item = f64> + 'a {
        let mut passed = -0.5 * self.span;
        lengths.iter().enumerate().map(move |(bone, &length)| {
            let angle = self.angle(bone, length);
            passed += angle;
            passed - 0.5 * angle
        })
    }
}

/// Lays the chain on the circle through root and target on which every bend follows the rule.
#[inline(never)]
pub(super) fn arc(problem: &Problem, state: &mut State, workspace: &Workspace, watch: &mut impl Watch<Move>) -> Flow {
    let circle = Circle::new(problem.chain, state, workspace);
    let lengths = problem.chain.lengths();
    let mut place = workspace.root;
    for (bone, angle) in circle.directions(lengths).enumerate() {
        let (sin, cos) = angle.sin_cos();
        place += (circle.along * cos as f32 + circle.across * sin as f32) * lengths[bone];
        move_joint(&mut state.positions, bone + 1, place, Cause::Arc, watch)?;
    }
    GO_ON
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nearly_straight_chain_has_no_circle_to_draw() {
        let chain = Chain::from_lengths(&[0.5; 3]).unwrap();
        let circle = |reach: f32| {
            let workspace = Workspace { target: Vec3::Y * reach, bend: Some(Vec3::Z), ..Workspace::default() };
            Circle::new(&chain, chain.rest(), &workspace).center(Vec3::ZERO)
        };
        let (center, radius) = circle(1.2).unwrap();
        assert!((center.length() - radius).abs() < 1e-6 && (center.distance(Vec3::Y * 1.2) - radius).abs() < 1e-5);
        assert_eq!(circle(chain.length()), None);
    }
}
