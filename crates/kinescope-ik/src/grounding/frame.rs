//! Reads the input and makes the output of both grounders.

use glam::Vec3;

use super::input::{FootGeometry, Input, LONGEST_FRAME, Reach, Root};
use super::output::{LegOutput, Output};
use super::reach::limit;
use crate::ground::Layers;
use crate::rig::RigidTransform;

/// How time passes in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passing {
    /// No time passes; the state stays.
    #[default]
    Still,
    /// Everything jumps to where it would come to rest.
    Settle,
    /// Time passes by the frame's duration.
    Run,
}

/// One leg of a frame: the input, checked and clamped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegFrame {
    /// The animated foot; `None` if it is not finite.
    pub foot: Option<RigidTransform>,
    /// Geometry of the sole.
    pub geometry: FootGeometry,
    /// Reach of the leg; `None` if the input has none, or one that is not finite or has no length.
    pub reach: Option<Reach>,
    /// Weight of the leg, 0 to 1.
    pub weight: f32,
    /// Layers of the ground that the foot may stand on.
    pub layers: Layers,
}

/// Reads root, legs and passing of time. `last` is the root's position in the last frame, `None` in the first. If the
/// root's position is not finite, the root is at `last`, or else at the origin, with the axes of [`Root::ORIGIN`], and
/// no time passes.
pub(super) fn read(input: &Input, last: Option<Vec3>) -> (Root, [LegFrame; 2], Passing) {
    let root = input.root.sane();
    let jumped = |root: &Root, last: Vec3| input.dt > LONGEST_FRAME || root.teleported_from(last, input.dt);
    let passing = match (&root, last) {
        (None, _) => Passing::Still,
        _ if input.dt.is_nan() || input.dt <= 0.0 => Passing::Still,
        (Some(root), Some(last)) if !jumped(root, last) => Passing::Run,
        _ => Passing::Settle,
    };
    let root = root.unwrap_or(Root { position: last.unwrap_or(Vec3::ZERO), ..Root::ORIGIN });
    let legs = input.feet.map(|foot| LegFrame {
        foot: foot.sane(),
        geometry: foot.geometry.sane(),
        reach: foot.sane_reach(),
        weight: foot.sane_weight(),
        layers: foot.layers,
    });
    (root, legs, passing)
}

/// Returns the output, with the pelvis lowered from `height` by [`limit`]. The reach of a foot that is not finite does
/// not count.
pub(super) fn output(legs: [LegOutput; 2], frames: &[LegFrame; 2], height: f32, up: Vec3) -> Output {
    let reaches = [0, 1].map(|index| {
        let frame = &frames[index];
        (frame.reach.filter(|_| frame.foot.is_some()), legs[index].ik_position, frame.weight)
    });
    let pelvis_height = limit(height, reaches, up);
    Output { legs, pelvis: up * pelvis_height, pelvis_height, pelvis_limited: pelvis_height < height }
}
