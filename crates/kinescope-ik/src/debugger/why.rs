//! Why a written bone is off its target, and which parameter would bring it nearer.

use super::variants::{Variant, Variants};
use crate::full_body::{Chain, Effector, Frame, FullBody, Node, Settings};
use crate::math::unit;
use crate::rig::RigidTransform;
use crate::stack::parameters::{Owner, ParameterId};

/// Where a bone is relative to its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Miss {
    /// In front of the target.
    Short,
    /// Beyond the target.
    Past,
    /// To the side of the target.
    Aside,
}

impl Miss {
    /// Returns the label on screen: `short` in `238 mm short`.
    pub const fn label(self) -> &'static str {
        ["short", "past target", "off target"][self as usize]
    }

    /// Returns how a bone at `bone` misses `target`: `Short` or `Past` along the line from `from` to `target`, or `Aside`
    /// if the gap is larger across the line than along it, or if `target` is at `from`.
    pub fn of(from: glam::Vec3, bone: glam::Vec3, target: glam::Vec3) -> Self {
        let missed = target - bone;
        let Some(direction) = unit(target - from) else { return Self::Aside };
        let along = missed.dot(direction);
        match along.abs() >= (missed - direction * along).length() {
            true if along >= 0.0 => Self::Short,
            true => Self::Past,
            false => Self::Aside,
        }
    }
}

/// The reason for a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// The target is further from the limb's first bone than the limb is long.
    TooFar {
        /// The distance from the limb's first bone to the target, in model units.
        distance: f32,
        /// The length of the limb in model units.
        length: f32,
    },
    /// The target is nearer than the limb can fold, because its bones differ in length.
    TooNear {
        /// The distance from the limb's first bone to the target, in model units.
        distance: f32,
        /// The shortest distance between the limb's ends, in model units.
        least: f32,
    },
    /// The effector's position weight times the master weight is below 1.
    Weight(f32),
    /// The mapping weight of the limb is below 1.
    Mapping(f32),
    /// None of the other reasons holds, so the constraints of the rest of the body keep the bone off.
    Body,
}

/// An effector whose bone is off its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Why {
    /// The effector whose bone is off its target.
    pub effector: Effector,
    /// The distance of the bone to the target in model units.
    pub gap: f32,
    /// Where the bone is relative to the target.
    pub miss: Miss,
    /// The reason for the gap.
    pub reason: Reason,
    /// The parameter whose change brings the bone nearest, with the value to set and the gap that remains in model
    /// units, see [`cure`]; [`why`] leaves it `None`.
    pub cure: Option<(ParameterId, f32, f32)>,
}

/// A cure must reduce the gap to less than this fraction.
const WORTH: f32 = 0.9;

/// Returns how and why an effector's bone misses its target in a solved pose; `None` if its position weight or the
/// master weight is 0, or if the pose lacks a bone.
pub fn why(frame: &Frame, solver: &FullBody, pose: &[RigidTransform], effector: Effector) -> Option<Why> {
    let wanted = frame.effector(effector);
    let at = |node: Node| pose.get(solver.bone_of(node)).map(|bone| bone.position);
    let (bone, target) = (at(effector.node())?, wanted.position);
    let gap = bone.distance(target);
    if wanted.position_weight <= 0.0 {
        return None;
    }
    let (from, reason) = match effector.limb() {
        Some(limb) => {
            let (first, limb) = (at(Node::of_limb(limb)[0])?, frame.limb(limb));
            let (distance, least) = (first.distance(target), (limb.lengths[0] - limb.lengths[1]).abs());
            let reason = match () {
                () if distance > limb.length => Reason::TooFar { distance, length: limb.length },
                () if distance < least => Reason::TooNear { distance, least },
                () if wanted.position_weight < 1.0 => Reason::Weight(wanted.position_weight),
                () if limb.mapping_weight < 1.0 => Reason::Mapping(limb.mapping_weight),
                () => Reason::Body,
            };
            (first, reason)
        }
        None => {
            let weight = wanted.position_weight;
            (frame.bone(effector.node()), if weight < 1.0 { Reason::Weight(weight) } else { Reason::Body })
        }
    };
    Some(Why { effector, gap, miss: Miss::of(from, bone, target), reason, cure: None })
}

/// Tries the parameters that decide how far the body follows its limbs, each at both ends of its usual range. Returns
/// the parameter and the value that leave the smallest gap of an effector, with this gap in model units. `None` if no
/// value reduces the gap by more than 10 %, or if the frame cannot be solved.
///
/// Weights of effectors are not tried; [`Reason::Weight`] reports them. Values at which the largest gap of the other
/// effectors grows by more than 10 % of this effector's gap are discarded. All values are solved together on this thread,
/// with 16 lanes in half the time of single solves.
pub fn cure(
    solver: &FullBody,
    variants: &mut Variants,
    settings: &Settings,
    animated: &[RigidTransform],
    effector: Effector,
) -> Option<(ParameterId, f32, f32)> {
    let ends = candidates().flat_map(|parameter| parameter.range().map(|value| (parameter, value)));
    let tried: Vec<(ParameterId, f32)> = ends.filter(|(parameter, value)| parameter.get(settings) != *value).collect();
    // Variant 0 has the current settings, the others one candidate each.
    let variant = |index: usize| {
        let mut changed = *settings;
        if let Some((parameter, value)) = index.checked_sub(1).and_then(|index| tried.get(index)) {
            parameter.set(&mut changed, *value);
        }
        (changed, animated)
    };
    let left = |solved: &Variant| {
        solved.done.ok()?;
        let mut gaps = solved.gaps();
        let own = std::mem::take(&mut gaps[effector as usize]);
        Some((own, gaps.into_iter().fold(0.0, f32::max)))
    };
    let left: Vec<Option<(f32, f32)>> = variants.solve(solver, 0..tried.len() + 1, variant, left);
    let (now, others) = (*left.first()?)?;
    let mut best: Option<(ParameterId, f32, f32)> = None;
    for (&(parameter, value), left) in tried.iter().zip(&left[1..]) {
        let (gap, others_then) = (*left)?;
        if others_then <= others + 0.1 * now && gap < best.map_or(now * WORTH, |(_, _, least)| least * 0.999) {
            best = Some((parameter, value, gap));
        }
    }
    best
}

fn candidates() -> impl Iterator<Item = ParameterId> {
    const OF_SOLVER: &[&str] = &["iterations", "spine_stiffness", "pull_body_vertical", "pull_body_horizontal"];
    const OF_BODY: &[&str] = &["pin"];
    const OF_LIMB: &[&str] = &["pull", "push", "push_parent", "reach", "mapping_weight"];
    let chains = Chain::ALL.map(|chain| (Owner::Chain(chain), if chain == Chain::Body { OF_BODY } else { OF_LIMB }));
    let all = [(Owner::Solver, OF_SOLVER)].into_iter().chain(chains);
    all.flat_map(|(owner, keys)| keys.iter().filter_map(move |key| ParameterId::new(owner, key)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn sides_are_relative_to_the_bones_path() {
        let (from, target) = (Vec3::ZERO, Vec3::X);
        for (bone, miss) in [
            (Vec3::new(0.7, 0.1, 0.0), Miss::Short),
            (Vec3::new(1.2, -0.1, 0.0), Miss::Past),
            (Vec3::new(0.95, 0.3, 0.0), Miss::Aside),
        ] {
            assert_eq!(Miss::of(from, bone, target), miss, "{bone}");
        }
        assert_eq!(Miss::of(Vec3::X, Vec3::ZERO, Vec3::X), Miss::Aside);
    }
}
