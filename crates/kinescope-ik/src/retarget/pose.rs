//! The stages that pose the target: rest difference, rotations, path of the pelvis.
//!
//! ```text
//! align   A   = for limbs, the rotation that takes the direction of the target's bone in its rest to the source's
//! turn    R′  = F · (R · R₀⁻¹) · F⁻¹ · A · R₀′      source R, its rest R₀, the target's rest R₀′, facing F
//! path    p′  = p₀′ + k · F · (p − p₀)              k = leg length of the target / of the source
//! ```
//! Along the ground, the offset from p₀′ is also multiplied by [`PoseFrame::path`].

use glam::{Quat, Vec3};

use super::map::{Map, Pair};
use crate::grounding::FARTHEST;
use crate::math::{nlerp, read_rotation};
use crate::rig::{BoneIndex, RigidTransform};
use crate::stepped::{self, Flow, GO_ON, Stepped, Watch};

/// A stage of posing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PoseStep {
    /// Removes the rest difference: the target's limbs point as the source's limbs do in the source's rest.
    Align,
    /// Turns each bone from its rest as the source's bone is turned from its rest.
    Turn,
    /// Moves the pelvis by the source's path, scaled by leg length.
    Path,
}

impl PoseStep {
    /// The stages, in order.
    pub const ALL: [Self; 3] = [Self::Align, Self::Turn, Self::Path];
}

/// The progress of posing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoseState {
    /// The number of pairs whose rest difference is removed.
    pub aligned: usize,
    /// The number of pairs that are turned.
    pub turned: usize,
    /// Whether the pelvis is moved.
    pub moved: bool,
}

/// An event of posing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PoseEvent {
    /// The pair with this index was aligned or turned; rotations of the target bone in model space.
    Turned {
        /// Index into [`Map::pairs`].
        pair: usize,
        /// The rotation before.
        from: Quat,
        /// The rotation after.
        to: Quat,
    },
    /// The pelvis was moved; model space.
    Moved {
        /// Position before.
        from: Vec3,
        /// Position after.
        to: Vec3,
    },
}

/// A source pose to be retargeted.
#[derive(Clone, Copy, Debug)]
pub struct PoseFrame<'a> {
    /// The map from the source's bones to the target's.
    pub map: &'a Map,
    /// The source's pose; model space. Bones that it lacks, or whose rotation is invalid, are at their rest.
    pub source: &'a [RigidTransform],
    /// Factor on the movement of the pelvis along the ground.
    pub path: f32,
}

impl PoseFrame<'_> {
    fn source_rotation(&self, bone: BoneIndex) -> Option<Quat> {
        self.source.get(bone).and_then(|own| read_rotation(own.rotation))
    }

    /// Returns the rotation of a pair's source bone from its rest, turned to the target's facing; interpolated by
    /// [`Pair::part`] if the pair has two source bones.
    pub fn delta(&self, pair: &Pair) -> Quat {
        let of = |index: usize| {
            let now = self.source_rotation(pair.source[index]).unwrap_or(pair.source_rest[index]);
            now * pair.source_rest[index].conjugate()
        };
        let delta = if pair.part > 0.0 { nlerp(of(0), of(1), pair.part) } else { of(0) };
        let turn = self.map.turn;
        if turn == Quat::IDENTITY { delta } else { turn * delta * turn.conjugate() }
    }

    fn rotation(&self, index: usize, state: &PoseState) -> Quat {
        let pair = &self.map.pairs[index];
        let aligned = if index < state.aligned { pair.align * pair.target_rest } else { pair.target_rest };
        let rotation = if index < state.turned { self.delta(pair) * aligned } else { aligned };
        rotation.normalize()
    }

    /// Returns the position of the source's pelvis; its rest position if the source lacks the bone, or if the position
    /// is not finite or beyond ±[`FARTHEST`]. Model space of the source.
    pub(super) fn pelvis(&self) -> Vec3 {
        let place = self.source.get(self.map.pelvis[0]).map(|own| own.position);
        place.filter(|own| own.abs().max_element() <= FARTHEST).unwrap_or(self.map.pelvis_rest[0])
    }

    /// Returns the position of the target's pelvis after the stage [`PoseStep::Path`]; its rest position if that
    /// position is not finite or beyond ±`FARTHEST`. Model space.
    pub fn pelvis_place(&self) -> Vec3 {
        let [source, target] = self.map.pelvis_rest;
        let way = self.map.turn * (self.pelvis() - source) * self.map.scale;
        let place = target + Vec3::new(way.x * self.path, way.y, way.z * self.path);
        if place.abs().max_element() <= FARTHEST { place } else { target }
    }

    /// Writes the target's pose in a state, in model space. Bones beyond the map's are left unchanged.
    pub fn write(&self, state: &PoseState, pose: &mut [RigidTransform]) {
        for (index, bone) in self.map.bones.iter().enumerate().take(pose.len()) {
            let mut own = match bone.parent.and_then(|parent| pose.get(parent)) {
                Some(parent) => parent.transform(&bone.local),
                None => bone.local,
            };
            if let Some(pair) = bone.pair {
                own.rotation = self.rotation(pair, state);
            }
            if state.moved && index == self.map.pelvis[1] {
                own.position = self.pelvis_place();
            }
            own.rotation = own.rotation.normalize();
            pose[index] = own;
        }
    }
}

/// Posing of a frame, as a program of steps.
#[derive(Clone, Copy, Debug)]
pub struct PoseSolve<'a> {
    frame: PoseFrame<'a>,
    next: usize,
}

impl<'a> PoseSolve<'a> {
    /// Starts at the first step.
    pub const fn new(frame: PoseFrame<'a>) -> Self {
        Self { frame, next: 0 }
    }
}

impl Stepped for PoseSolve<'_> {
    type Step = PoseStep;
    type State = PoseState;
    type Event = PoseEvent;

    fn next(&mut self, _: &PoseState) -> Option<PoseStep> {
        let step = PoseStep::ALL.get(self.next).copied();
        self.next += 1;
        step
    }

    fn run(&mut self, state: &mut PoseState, step: PoseStep, watch: &mut impl Watch<PoseEvent>) -> Flow {
        let frame = &self.frame;
        match step {
            PoseStep::Align | PoseStep::Turn => {
                for pair in 0..frame.map.pairs.len() {
                    let from = frame.rotation(pair, state);
                    match step {
                        PoseStep::Align => state.aligned = pair + 1,
                        PoseStep::Turn | PoseStep::Path => state.turned = pair + 1,
                    }
                    let to = frame.rotation(pair, state);
                    if to != from {
                        watch.saw(PoseEvent::Turned { pair, from, to })?;
                    }
                }
            }
            PoseStep::Path => {
                state.moved = true;
                let (from, to) = (frame.map.pelvis_rest[1], frame.pelvis_place());
                if from != to {
                    watch.saw(PoseEvent::Moved { from, to })?;
                }
            }
        }
        GO_ON
    }
}

impl Map {
    /// Retargets a pose. `source` and `target` are in model space; `path` is as in
    /// [`RetargetSettings`](super::RetargetSettings), or 1 if it is not finite. Allocates nothing.
    ///
    /// Bones that `source` lacks, and invalid rotations and positions, count as at their rest, so the result is finite.
    pub fn retarget(&self, source: &[RigidTransform], path: f32, target: &mut [RigidTransform]) {
        let frame = PoseFrame { map: self, source, path: if path.is_finite() { path } else { 1.0 } };
        let mut state = PoseState::default();
        stepped::solve(&mut PoseSolve::new(frame), &mut state);
        frame.write(&state, target);
    }
}
