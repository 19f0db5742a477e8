//! Chains: their handles, measures of the lab's lanes, and suggestions of chains to add.

pub mod lab;
pub mod pane;
pub mod picture;
pub mod session;
pub mod words;

use glam::Vec3;

use crate::character::Character;
use crate::tools::chains::words as text;
use kinescope_ik::chain_ik::draw::LimitPart;
use kinescope_ik::chain_ik::{self, Chain};
use kinescope_ik::rig::{BoneIndex, ModelPose};
use kinescope_ik::stack::{ChainSolve, LayerId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChainHandle {
    Target(usize),
    BendGoal,
    Limit { bone: usize, part: LimitPart },
}

impl ChainHandle {
    /// Returns the handle's key in logs: `lane_0_target`, `chain_0_limit_2_max`.
    pub fn key(self, chain: LayerId) -> String {
        let chain = chain.prefix();
        let chain = chain.trim_end_matches('_');
        match self {
            Self::Target(0) => format!("{chain}_target"),
            Self::Target(index) => format!("{chain}_target_{index}"),
            Self::BendGoal => format!("{chain}_bend_goal"),
            Self::Limit { bone, part } => {
                let part = match part {
                    LimitPart::Min => "min",
                    LimitPart::Max => "max",
                    LimitPart::Swing => "swing",
                    LimitPart::TwistMin => "twist_min",
                    LimitPart::TwistMax => "twist_max",
                };
                format!("{chain}_limit_{bone}_{part}")
            }
        }
    }
}

/// Class of a target's distance, relative to a chain's reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    TooNear,
    MidRange,
    NearlyStraight,
    OutOfReach,
}

impl Zone {
    /// Distance of the target, as a fraction of the chain's length, from which a chain counts as nearly straight.
    pub const NEARLY: f32 = 0.95;

    pub fn of(chain: &Chain, target: Vec3, root: Vec3) -> Self {
        let distance = target.distance(root);
        match distance / chain.length() {
            share if share > 1.0 => Self::OutOfReach,
            _ if distance < chain.least_reach() => Self::TooNear,
            share if share >= Self::NEARLY => Self::NearlyStraight,
            _ => Self::MidRange,
        }
    }

    pub const fn label(self) -> &'static str {
        [text::TOO_NEAR, "mid-range", text::NEARLY_STRAIGHT, text::OUT_OF_REACH][self as usize]
    }
}

/// Smoothness of a lane's joints while the target moves, measured since the lab's settings last changed.
#[derive(Clone, Debug, Default)]
pub struct Smoothness {
    /// Joint positions of the last two frames in which the target moved, newest first.
    before: [Vec<Vec3>; 2],
    target: Option<Vec3>,
    squared: f64,
    /// Largest movement of a joint in one frame, relative to the target's movement.
    pub largest_jump: f32,
    pub frames: u32,
}

impl Smoothness {
    pub fn add(&mut self, positions: &[Vec3], target: Vec3) {
        let moved = self.target.replace(target).map_or(0.0, |before| before.distance(target));
        if moved <= 0.0 {
            return;
        }
        let [last, older] = &self.before;
        if older.len() == positions.len() && last.len() == positions.len() {
            let jerk = |joint: usize| positions[joint] - 2.0 * last[joint] + older[joint];
            let sum: f32 = (0..positions.len()).map(|joint| jerk(joint).length_squared()).sum();
            self.squared += f64::from(sum / positions.len() as f32);
            self.frames += 1;
            let step = positions.iter().zip(last).map(|(now, before)| now.distance(*before)).fold(0.0, f32::max);
            self.largest_jump = self.largest_jump.max(step / moved);
        }
        self.before.swap(0, 1);
        self.before[0].clear();
        self.before[0].extend_from_slice(positions);
    }

    /// Returns the jitter: the root mean square change of a joint's step from frame to frame, model units.
    pub fn shaking(&self) -> f32 {
        if self.frames == 0 { 0.0 } else { (self.squared / f64::from(self.frames)).sqrt() as f32 }
    }
}

#[derive(Clone, Debug, Default)]
pub struct ChainView {
    /// The lane whose steps are shown.
    pub lane: usize,
    /// The bone whose limit is shown and edited.
    pub bone: usize,
    /// Root and end bone of the chain to add.
    pub ends: [Option<BoneIndex>; 2],
    /// Time since the lab's target started to move, seconds.
    pub time: f32,
    /// Whether the next solve starts from the same state as the last one, so that a changed setting solves the same
    /// problem.
    pub again: bool,
    pub smoothness: Vec<Smoothness>,
}

/// Returns the names of the bones from the root bone down to the end bone (`ends`), without bones of zero length.
///
/// # Errors
/// A message: an end is not chosen, the end bone is not below the root bone, or all bones between are at one place.
pub fn between(character: &Character, ends: [Option<BoneIndex>; 2]) -> Result<Vec<String>, String> {
    let skeleton = &character.model.skeleton;
    let name = |bone: BoneIndex| skeleton.bones().get(bone).map_or("?", |bone| bone.name.as_str());
    let is_bone = |bone: &BoneIndex| *bone < skeleton.len();
    let [Some(root), Some(end)] = ends.map(|bone| bone.filter(is_bone)) else {
        return Err(text::CHOOSE_BONES.to_owned());
    };
    if !skeleton.is_ancestor(root, end) {
        let (root, end) = (name(root), name(end));
        return Err(text::not_a_descendant(&root, &end));
    }
    let reference = &character.detection.reference.bones;
    match chain_ik::character::solvable_between(skeleton, reference, root, end) {
        Some(bones) => Ok(bones.into_iter().map(|bone| name(bone).to_owned()).collect()),
        None => {
            let (root, end) = (name(root), name(end));
            Err(text::same_place(&root, &end))
        }
    }
}

pub fn new_chain(character: &Character, pose: &ModelPose, name: String, bones: Vec<String>) -> ChainSolve {
    let settings = chain_ik::Settings { tolerance: character.height * 1e-4, ..chain_ik::Settings::default() };
    let end = bones.last().and_then(|end| character.model.skeleton.find(end));
    let target = end.map(|end| pose.position(end));
    ChainSolve { name, bones, settings, target, ..ChainSolve::default() }
}

/// Suggests chains of a character: spine, arms, legs, and any other unbranched run of three or more bones, such as
/// tails, hair and fingers. Returns names and bones.
pub fn suggestions(character: &Character) -> Vec<(String, Vec<String>)> {
    let skeleton = &character.model.skeleton;
    let reference = &character.detection.reference.bones;
    let mut found: Vec<(String, Vec<BoneIndex>)> = Vec::new();
    let mut taken = vec![false; skeleton.len()];
    let mut add = |name: String, first: BoneIndex, end: BoneIndex, taken: &mut Vec<bool>| {
        let Some(bones) = chain_ik::character::solvable_between(skeleton, reference, first, end) else { return };
        for &bone in &bones {
            taken[bone] = true;
        }
        found.push((name, bones));
    };
    if let Some(biped) = &character.detection.biped {
        let end = biped.head.or(biped.spine.last().copied());
        if let (Some(&first), Some(end)) = (biped.spine.first(), end) {
            add("spine".to_owned(), first, end, &mut taken);
        }
        for limb in kinescope_ik::rig::LimbName::ALL {
            let [first, _, end] = biped.limbs[limb.index()].bones;
            add(limb.label().to_owned(), first, end, &mut taken);
        }
    }
    for first in 0..skeleton.len() {
        if taken[first] {
            continue;
        }
        let mut end = first;
        let mut count = 1;
        while let Some(child) = {
            let mut children = skeleton.children(end);
            children.next().filter(|_| children.next().is_none())
        } {
            taken[end] = true;
            end = child;
            count += 1;
        }
        taken[end] = true;
        if count >= 3 {
            add(skeleton.bones()[first].name.clone(), first, end, &mut taken);
        }
    }
    let name = |bone: &BoneIndex| skeleton.bones()[*bone].name.clone();
    found.into_iter().map(|(label, bones)| (label, bones.iter().map(name).collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_biped_has_chains_to_try() {
        let character = Character::built_in().unwrap();
        let names: Vec<String> = suggestions(&character).into_iter().map(|(name, _)| name).collect();
        for expected in ["spine", "left arm", "right leg"] {
            assert!(names.iter().any(|name| name == expected), "{names:?}");
        }
    }
}
