//! A chain of bones and the state that solvers work on.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::limits::{Limit, Limited};
use super::plane_limits;
use crate::error::{BadValue, Fault, Problem};
use crate::math::FARTHEST;
use crate::math::{ZERO_LENGTH, from_to_rotation, length, unit};
use crate::rig::{BoneIndex, RigidTransform, Skeleton};

/// A bone from its start joint to its end joint. Constant while the chain is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bone {
    /// Index of the start joint. Bone `b` ends at joint `b + 1`; in a chain without branches it starts at joint `b`.
    pub from: usize,
    /// Length, above 0; model units.
    pub length: f32,
    /// Direction of the bone in its own space; unit.
    pub axis: Vec3,
    /// Rest rotation in the space of the parent bone; for a bone at the root, of the base that carries the chain.
    pub rest: Quat,
    /// Weight of the bone in CCD, 0 to 1. CCD rotates bones near the end too much; smaller weights there compensate
    /// (*Animation programming notes*, chapter 13).
    pub weight: f32,
    /// How far the bone may rotate from its rest rotation.
    pub limit: Limit,
}

impl Bone {
    /// Applies the limit to a rotation from rest; with the unit normal of the plane of the 2D mode, within that plane.
    /// Both are in the space that the bone has at rest.
    pub(super) fn limited(&self, rotation: Quat, normal: Option<Vec3>, previous_turn: f32) -> Limited {
        match normal {
            Some(normal) => plane_limits::apply(&self.limit, rotation, self.axis, normal, previous_turn),
            None => self.limit.apply(rotation, self.axis, previous_turn),
        }
    }
}

/// Bones from a root joint to one end or, with branches, to several. Joint 0 is the root; it has the same position
/// before and after a solve.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    bones: Vec<Bone>,
    /// Length of each bone, contiguous for FABRIK's plain passes, which read nothing else of a bone.
    lengths: Vec<f32>,
    rest: State,
    length: f32,
    longest: f32,
    is_branched: bool,
    has_limits: bool,
    has_weights: bool,
}

/// Joints and rotations of a chain, which solvers change. [`Self::copy_from`] reuses the buffers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Rotation of the base that carries the chain; model space.
    pub base: Quat,
    /// Positions of the joints, root first; model space.
    pub positions: Vec<Vec3>,
    /// Rotation of each bone; model space.
    pub rotations: Vec<Quat>,
    /// Angle of each bone's hinge including whole turns, radians; 0 for other limits. A solve without limits leaves it
    /// unchanged.
    pub turns: Vec<f32>,
}

/// Rest transform of one bone of a new chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BonePlace {
    /// Index of the start joint: 0 for the root, `b + 1` for the end of bone `b`.
    pub from: usize,
    /// Rotation of the bone; model space.
    pub rotation: Quat,
    /// Position of the bone's end; model space.
    pub end: Vec3,
}

impl State {
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.positions[..]) + size_of_val(&self.rotations[..]) + size_of_val(&self.turns[..])
    }

    /// Copies `other`; allocates only if a buffer is too small.
    pub fn copy_from(&mut self, other: &Self) {
        self.base = other.base;
        self.positions.clone_from(&other.positions);
        self.rotations.clone_from(&other.rotations);
        self.turns.clone_from(&other.turns);
    }

    /// Returns whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.places_are_finite()
            && self.base.is_finite()
            && self.rotations.iter().all(|rotation| rotation.is_finite())
            && self.turns.iter().all(|turn| turn.is_finite())
    }

    pub(super) fn places_are_finite(&self) -> bool {
        // One non-finite position makes the sum non-finite; so does overflow, hence the second check.
        let sum = self.positions.iter().fold(Vec3::ZERO, |sum, &position| sum + position);
        sum.is_finite() || self.positions.iter().all(|position| position.is_finite())
    }

    /// Returns the position of the last joint, the end of a chain without branches; model space. Zero for an empty
    /// state.
    pub fn end(&self) -> Vec3 {
        self.positions.last().copied().unwrap_or(Vec3::ZERO)
    }
}

const NO_BONE: Problem = Problem::Empty("a chain has at least one bone");

impl Chain {
    /// Creates a free chain of these lengths, straight up (+Y) from the origin.
    ///
    /// # Errors
    /// [`Fault`] for an empty list; with the bone for a length that is not finite, is below 1e-12, takes the end of the
    /// chain beyond [`FARTHEST`], or vanishes in the f32 sum of the lengths before it.
    pub fn from_lengths(lengths: &[f32]) -> Result<Self, Fault> {
        let mut end = Vec3::ZERO;
        let mut places = Vec::with_capacity(lengths.len());
        for (index, &length) in lengths.iter().enumerate() {
            check_length(length).map_err(|fault| fault.within(format!("bones[{index}].length")))?;
            end += Vec3::Y * length;
            places.push(BonePlace { from: index, rotation: Quat::IDENTITY, end });
        }
        let mut chain = Self::new(Quat::IDENTITY, Vec3::ZERO, &places)?;
        // Restores the given lengths: those computed from the summed positions have rounding errors.
        for (bone, &length) in chain.bones.iter_mut().zip(lengths) {
            bone.length = length;
        }
        chain.measure();
        Ok(chain)
    }

    /// Creates a free chain through these points, at rest in this shape. Its bones lie along their own +Y; the shortest
    /// rotation leads from each bone to the next.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn from_positions(positions: &[Vec3]) -> Result<Self, Fault> {
        let Some((&root, ends)) = positions.split_first() else {
            return Err(Fault::new("bones", NO_BONE));
        };
        let parents: Vec<usize> = (0..ends.len()).collect();
        Self::branched(root, ends, &parents)
    }

    /// Creates a free chain that may branch: bone `b` goes from joint `from[b]` to `ends[b]`, which becomes joint
    /// `b + 1`. Ignores surplus entries of the longer list.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn branched(root: Vec3, ends: &[Vec3], from: &[usize]) -> Result<Self, Fault> {
        let mut places: Vec<BonePlace> = Vec::with_capacity(ends.len());
        for (index, (&end, &from)) in ends.iter().zip(from).enumerate() {
            check_from(from, index).map_err(|fault| fault.within(format!("bones[{index}]")))?;
            let (start, along, rotation) = match from.checked_sub(1) {
                Some(parent) => (places[parent].end, places[parent].rotation * Vec3::Y, places[parent].rotation),
                None => (root, Vec3::Y, Quat::IDENTITY),
            };
            let rotation = (from_to_rotation(along, end - start) * rotation).normalize();
            places.push(BonePlace { from, rotation, end });
        }
        Self::new(Quat::IDENTITY, root, &places)
    }

    /// Creates a chain of a character's bones, from first to last. The last bone is the end effector; its rotation is
    /// not solved. Each bone must be a descendant of the previous one; bones between two of them follow the upper one
    /// rigidly. `pose` is the rest pose from which limits are measured; model space.
    ///
    /// # Errors
    /// As [`Self::new`], with the bones' names; also for fewer than two bones, a bone that `skeleton` or `pose` lacks,
    /// or a bone that is not a descendant of the previous one.
    pub fn of_bones(skeleton: &Skeleton, pose: &[RigidTransform], bones: &[BoneIndex]) -> Result<Self, Fault> {
        let name = |bone: BoneIndex| skeleton.bones().get(bone).map_or("?", |bone| bone.name.as_str());
        if let Some(&bone) = bones.iter().find(|&&bone| bone >= skeleton.len() || bone >= pose.len()) {
            return Err(Fault::new(
                "bones",
                format!(
                    "skeleton or pose lacks bone {bone}; the skeleton has {} bones, the pose {}",
                    skeleton.len(),
                    pose.len()
                ),
            ));
        }
        let Some((&first, rest)) = bones.split_first().filter(|(_, rest)| !rest.is_empty()) else {
            return Err(Fault::new("bones", "a chain has at least two bones of a character: a root and an end"));
        };
        for pair in bones.windows(2) {
            if !skeleton.is_ancestor(pair[0], pair[1]) {
                let message = format!(
                    "{:?} is not a descendant of {:?}; list bones of one branch, from the root to the end",
                    name(pair[1]),
                    name(pair[0])
                );
                return Err(Fault::new("bones", message));
            }
        }
        let base = skeleton.parent(first).map_or(Quat::IDENTITY, |parent| pose[parent].rotation);
        let places = rest.iter().enumerate().map(|(index, &bone)| BonePlace {
            from: index,
            rotation: pose[bones[index]].rotation,
            end: pose[bone].position,
        });
        let places: Vec<BonePlace> = places.collect();
        Self::build(base, pose[first].position, &places, |index| format!("bone {:?}", name(bones[index])))
    }

    /// Creates a chain from the rest transforms of its bones; model space. `base` is the rotation of the bone or object
    /// to which the chain is attached.
    ///
    /// # Errors
    /// [`Fault`] for an empty list; with the bone for a start joint that is not the root or the end of an earlier bone,
    /// a position (of `root` or an end) that is not finite or beyond [`FARTHEST`], a bone's rotation whose length is
    /// outside [`UNIT_LENGTH`](crate::math::UNIT_LENGTH), a `base` that is not finite, or a length below 1e-12 or above
    /// twice [`FARTHEST`].
    pub fn new(base: Quat, root: Vec3, places: &[BonePlace]) -> Result<Self, Fault> {
        Self::build(base, root, places, |index| format!("bones[{index}]"))
    }

    fn build(base: Quat, root: Vec3, places: &[BonePlace], name: impl Fn(usize) -> String) -> Result<Self, Fault> {
        if places.is_empty() {
            return Err(Fault::new("bones", NO_BONE));
        }
        if BadValue::check_place(root).is_err() {
            let [x, y, z] = root.to_array();
            let message = format!("starts at [{x}, {y}, {z}]; its numbers must be finite and within ±{FARTHEST:e}");
            return Err(Fault::new(name(0), message));
        }
        if !base.is_finite() {
            let [x, y, z, w] = base.to_array();
            let message = format!("its parent's rotation is [{x}, {y}, {z}, {w}]; its numbers must be finite");
            return Err(Fault::new(name(0), message));
        }
        let mut rest = State {
            base,
            positions: vec![root],
            rotations: Vec::with_capacity(places.len()),
            turns: vec![0.0; places.len()],
        };
        let mut bones = Vec::with_capacity(places.len());
        let mut is_branched = false;
        for (index, place) in places.iter().enumerate() {
            check_from(place.from, index).map_err(|fault| fault.within(name(index)))?;
            BadValue::check_place(place.end).map_err(|bad| bad.at(name(index)))?;
            BadValue::check_rotation(place.rotation).map_err(|bad| bad.at(name(index)))?;
            is_branched |= place.from != index;
            let along = place.end - rest.positions[place.from];
            let length = length(along);
            check_length(length).map_err(|fault| fault.within(name(index)))?;
            let rotation = place.rotation.normalize();
            let before = place.from.checked_sub(1).map_or(base, |parent| rest.rotations[parent]);
            bones.push(Bone {
                from: place.from,
                length,
                axis: unit(rotation.conjugate() * along).unwrap_or(Vec3::Y),
                rest: (before.conjugate() * rotation).normalize(),
                weight: 1.0,
                limit: Limit::Free,
            });
            rest.positions.push(place.end);
            rest.rotations.push(rotation);
        }
        let mut chain = Self {
            lengths: Vec::with_capacity(bones.len()),
            bones,
            rest,
            length: 0.0,
            longest: 0.0,
            is_branched,
            has_limits: false,
            has_weights: false,
        };
        chain.measure();
        Ok(chain)
    }

    /// Makes the chain equal to [`Self::from_positions`] of these points without allocating. Returns false for a chain
    /// with branches, limits or weights, and for another number of points; also for invalid points, which leave the
    /// chain in an undefined shape.
    pub(crate) fn lay_through(&mut self, positions: &[Vec3]) -> bool {
        let is_plain = !self.is_branched && !self.has_limits && !self.has_weights;
        if !is_plain || positions.len() != self.joints() {
            return false;
        }
        let (mut along, mut before, mut placed) = (Vec3::Y, Quat::IDENTITY, Quat::IDENTITY);
        self.rest.base = Quat::IDENTITY;
        self.rest.positions.copy_from_slice(positions);
        for (index, bone) in self.bones.iter_mut().enumerate() {
            let (start, end) = (positions[index], positions[index + 1]);
            let length = length(end - start);
            if BadValue::check_place(start).is_err()
                || BadValue::check_place(end).is_err()
                || check_length(length).is_err()
            {
                return false;
            }
            // Normalizes twice, as a new chain does, so that both chains are equal bit for bit.
            placed = (from_to_rotation(along, end - start) * placed).normalize();
            let rotation = placed.normalize();
            let axis = unit(rotation.conjugate() * (end - start)).unwrap_or(Vec3::Y);
            *bone = Bone { length, axis, rest: (before.conjugate() * rotation).normalize(), ..*bone };
            self.rest.rotations[index] = rotation;
            self.rest.turns[index] = 0.0;
            (along, before) = (placed * Vec3::Y, rotation);
        }
        self.measure();
        true
    }

    fn measure(&mut self) {
        self.lengths.clear();
        self.lengths.extend(self.bones.iter().map(|bone| bone.length));
        self.length = self.lengths.iter().sum();
        self.longest = self.lengths.iter().copied().fold(0.0, f32::max);
    }

    /// Returns all bones. Bone `b` ends at joint `b + 1`.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// Returns the length of each bone; model units.
    pub fn lengths(&self) -> &[f32] {
        &self.lengths
    }

    /// Returns the number of joints, one more than bones.
    pub fn joints(&self) -> usize {
        self.bones.len() + 1
    }

    /// Returns the sum of the bones' lengths; model units.
    pub fn length(&self) -> f32 {
        self.length
    }

    /// Returns the length of the longest bone; model units.
    pub fn longest(&self) -> f32 {
        self.longest
    }

    /// Returns the smallest distance from root to end of a chain without branches: the length by which the longest bone
    /// exceeds all others together, or 0. Model units.
    pub fn least_reach(&self) -> f32 {
        (2.0 * self.longest - self.length).max(0.0)
    }

    /// Returns whether any bone starts at another joint than the end of the previous bone.
    pub fn is_branched(&self) -> bool {
        self.is_branched
    }

    /// Returns whether any bone has a limit other than [`Limit::Free`].
    pub fn has_limits(&self) -> bool {
        self.has_limits
    }

    /// Returns whether any bone has a CCD weight below 1.
    pub fn has_weights(&self) -> bool {
        self.has_weights
    }

    /// Returns the indices of the joints at which no bone starts.
    pub fn ends(&self) -> impl Iterator<Item = usize> + '_ {
        (1..self.joints()).filter(|&joint| self.bones.iter().all(|bone| bone.from != joint))
    }

    /// Returns the rest state.
    pub fn rest(&self) -> &State {
        &self.rest
    }

    /// Sets the limit of a bone.
    ///
    /// # Errors
    /// As [`Limit::validate`], at `limits[bone]`; also if the chain lacks the bone.
    pub fn set_limit(&mut self, bone: usize, limit: Limit) -> Result<(), Fault> {
        limit.validate().map_err(|error| error.within(format!("limits[{bone}]")))?;
        let count = self.bones.len();
        let Some(own) = self.bones.get_mut(bone) else {
            return Err(Fault::new(
                format!("limits[{bone}]"),
                format!("there is no such bone; the chain has {count} bones"),
            ));
        };
        own.limit = limit;
        self.has_limits = self.bones.iter().any(|bone| bone.limit != Limit::Free);
        Ok(())
    }

    /// Sets the CCD weight of a bone, clamped to 0…1; NaN counts as 1. Ignores a bone that the chain does not have.
    pub fn set_weight(&mut self, bone: usize, weight: f32) {
        if let Some(bone) = self.bones.get_mut(bone) {
            bone.weight = if weight.is_nan() { 1.0 } else { weight.clamp(0.0, 1.0) };
        }
        self.has_weights = self.bones.iter().any(|bone| bone.weight < 1.0);
    }

    /// Returns the rotation of the bone's parent, or of the base; model space.
    pub fn rotation_before(&self, state: &State, bone: usize) -> Quat {
        self.bones[bone].from.checked_sub(1).map_or(state.base, |before| state.rotations[before])
    }

    /// Returns the bone's rotation from rest, in the space that the bone has at rest: the rotation that limits apply
    /// to.
    pub fn turned(&self, state: &State, bone: usize) -> Quat {
        let local = self.rotation_before(state, bone).conjugate() * state.rotations[bone];
        (self.bones[bone].rest.conjugate() * local).normalize()
    }

    /// Returns the largest angle by which a bone exceeds its limit, radians; 0 if no bone does.
    pub fn violation(&self, state: &State) -> f32 {
        let of = |bone: usize| {
            self.bones[bone].limit.violation(self.turned(state, bone), self.bones[bone].axis, state.turns[bone])
        };
        (0..self.bones.len()).map(of).fold(0.0, f32::max)
    }

    /// Computes every joint's position from the rotations, from the root on.
    pub fn place(&self, state: &mut State) {
        self.place_from(state, 0);
    }

    pub(super) fn place_from(&self, state: &mut State, first: usize) {
        for (index, bone) in self.bones.iter().enumerate().skip(first) {
            state.positions[index + 1] =
                state.positions[bone.from] + state.rotations[index] * (bone.axis * bone.length);
        }
    }

    /// Moves and rotates the whole chain to a new root position and base rotation, and computes all joints from the
    /// rotations; model space.
    pub fn carry(&self, state: &mut State, root: Vec3, base: Quat) {
        let turn = base * state.base.conjugate();
        state.base = base;
        for rotation in &mut state.rotations {
            *rotation = (turn * *rotation).normalize();
        }
        if let Some(first) = state.positions.first_mut() {
            *first = root;
        }
        self.place(state);
    }

    /// Returns whether a state has as many joints and bones as the chain.
    pub fn fits(&self, state: &State) -> bool {
        state.positions.len() == self.joints()
            && state.rotations.len() == self.bones.len()
            && state.turns.len() == self.bones.len()
    }

    /// Returns the largest error of a bone's length in a state, as a fraction of that length.
    pub fn length_error(&self, state: &State) -> f32 {
        let of = |(index, bone): (usize, &Bone)| {
            let found = length(state.positions[index + 1] - state.positions[bone.from]);
            (found - bone.length).abs() / bone.length
        };
        self.bones.iter().enumerate().map(of).fold(0.0, f32::max)
    }
}

fn check_from(from: usize, index: usize) -> Result<(), Fault> {
    if from <= index {
        return Ok(());
    }
    Err(Fault::new("from", format!("is {from}; bone {index} must start at one of the joints 0 to {index}")))
}

fn check_length(length: f32) -> Result<(), Fault> {
    let cure = match length {
        length if !length.is_finite() || length > 2.0 * FARTHEST => {
            format!("it must be finite and at most {:e}", 2.0 * FARTHEST)
        }
        length if length < ZERO_LENGTH => format!("it must be at least {ZERO_LENGTH:e}; omit shorter bones"),
        _ => return Ok(()),
    };
    Err(Fault::new("", format!("has length {length}; {cure}")))
}

/// Applies a bone's limit to the rotation `wanted` (model space), with the bone's parent as in `state`; within the plane
/// of the 2D mode if `normal` is its unit normal. Returns the allowed rotation and the angle of the correction, radians.
/// Stores a hinge's angle, with its whole turns, in `state`.
pub(super) fn limited(
    chain: &Chain,
    state: &mut State,
    index: usize,
    wanted: Quat,
    normal: Option<Vec3>,
) -> (Quat, f32) {
    let bone = &chain.bones()[index];
    if bone.limit == Limit::Free && normal.is_none() {
        return (wanted, 0.0);
    }
    let rest = chain.rotation_before(state, index) * bone.rest;
    let limited = bone.limited(
        (rest.conjugate() * wanted).normalize(),
        normal.map(|normal| rest.conjugate() * normal),
        state.turns[index],
    );
    state.turns[index] = limited.turn;
    ((rest * limited.rotation).normalize(), limited.excess)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_chains_are_named() {
        let error = Chain::from_lengths(&[]).unwrap_err();
        assert_eq!(error.to_string(), "bones: is empty; a chain has at least one bone");
        let error = Chain::from_lengths(&[1.0, 0.0]).unwrap_err();
        assert!(error.to_string().starts_with("bones[1].length: has length 0"), "{error}");
        let error = Chain::from_lengths(&[f32::NAN]).unwrap_err();
        assert!(error.to_string().starts_with("bones[0].length: has length NaN"), "{error}");
        let error = Chain::from_positions(&[Vec3::ZERO, Vec3::ONE, Vec3::ONE]).unwrap_err();
        assert!(error.to_string().starts_with("bones[1]: has length 0"), "{error}");
        let error = Chain::from_positions(&[Vec3::ZERO, Vec3::splat(f32::INFINITY)]).unwrap_err();
        assert!(error.to_string().starts_with("bones[0]: is [inf"), "{error}");
        let error = Chain::branched(Vec3::ZERO, &[Vec3::X], &[1]).unwrap_err();
        assert!(error.to_string().starts_with("bones[0].from"), "{error}");
    }

    #[test]
    fn a_chain_laid_through_points_equals_a_new_one() {
        let points = |bend: f32| [Vec3::ZERO, Vec3::new(0.1, -0.4, bend), Vec3::new(0.1, -0.9, 0.1 - bend)];
        let mut chain = Chain::from_positions(&points(0.2)).unwrap();
        assert!(chain.lay_through(&points(-0.3)));
        let made = Chain::from_positions(&points(-0.3)).unwrap();
        assert_eq!(chain, made);
        assert!(!chain.lay_through(&[Vec3::ZERO, Vec3::Y, Vec3::Y]));
        assert!(!chain.lay_through(&[Vec3::ZERO, Vec3::Y, Vec3::NAN]));
        assert!(!chain.lay_through(&[Vec3::ZERO, Vec3::Y]));
    }

    #[test]
    fn a_new_chain_is_at_rest() {
        let points = [Vec3::ZERO, Vec3::new(0.1, 1.0, 0.0), Vec3::new(1.0, 1.0, 0.5), Vec3::new(1.0, 0.0, 0.5)];
        let chain = Chain::from_positions(&points).unwrap();
        let mut state = chain.rest().clone();
        chain.place(&mut state);
        for (placed, point) in state.positions.iter().zip(points) {
            assert!(placed.distance(point) < 1e-6);
        }
        assert_eq!(chain.violation(&state), 0.0);
        assert!((0..3).all(|bone| chain.turned(&state, bone).dot(Quat::IDENTITY).abs() > 1.0 - 1e-6));
        let base = Quat::from_rotation_x(1.0);
        chain.carry(&mut state, Vec3::ONE, base);
        let shifted = Vec3::ONE + base * (points[3] - points[0]);
        assert!(state.end().distance(shifted) < 1e-5);
        assert!((chain.least_reach(), chain.length_error(&state) < 1e-5) == (0.0, true));
    }
}
