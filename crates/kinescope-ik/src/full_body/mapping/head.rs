//! Head mapping: the head follows the spine or keeps its rotation. Source: *Full-body notes*, «IKMappingBone».

use glam::Quat;

use crate::full_body::hierarchy::Hierarchy;
use crate::full_body::state::Frame;
use crate::full_body::written::{BoneMove, WriteCause, Written};
use crate::lanes::{Layout, Mask, Number, Rotation, RotationOf, nlerp};
use crate::stepped::{Flow, GO_ON, Watch};

/// Turns the head back toward its animated rotation, by [`Frame::head_maintain_rotation`] times the master weight.
#[inline(always)]
pub fn write_head<L: Layout>(
    hierarchy: &Hierarchy,
    written: &mut Written<L::One>,
    frame: &Frame<L>,
    watch: &mut impl Watch<BoneMove>,
) -> Flow {
    let weight = frame.head_maintain_rotation * frame.weight;
    let keeps = weight.gt(weight.like(0.0)).any();
    let Some(head) = hierarchy.head.filter(|_| keeps) else { return GO_ON };
    let mut bone = written.keys.get(hierarchy, head);
    bone.turn = nlerp::<L::One>(bone.turn, RotationOf::<L::One>::splat(weight.token(), Quat::IDENTITY), weight);
    written.move_bone(hierarchy, head, bone, WriteCause::HeadRotation, watch)
}
