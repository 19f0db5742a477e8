//! Chains in the window: their handles, what the lab shows of its lanes, and chains that are worth a try.

pub mod lab;
pub mod pane;
pub mod picture;
pub mod session;

use glam::Vec3;

use crate::character::Character;
use kinescope_ik::chain_ik::draw::LimitPart;
use kinescope_ik::chain_ik::{self, Chain};
use kinescope_ik::rig::{BoneIndex, ModelPose};
use kinescope_ik::stack::{ChainSolve, LayerId};

/// A handle of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChainHandle {
    /// Which of the targets.
    Target(usize),
    BendGoal,
    Limit {
        bone: usize,
        part: LimitPart,
    },
}

impl ChainHandle {
    /// As in logs: `lane_0_target`, `chain_0_limit_2_max`.
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

/// Where a target is for a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    TooNear,
    MidRange,
    NearlyStraight,
    OutOfReach,
}

impl Zone {
    /// From this share of its length on a chain is nearly straight.
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
        ["too near", "mid-range", "nearly straight", "out of reach"][self as usize]
    }
}

/// How smoothly a lane's joints went, over the frames since its target last jumped.
#[derive(Clone, Debug, Default)]
pub struct Smoothness {
    /// The last two frames.
    before: [Vec<Vec3>; 2],
    target: Option<Vec3>,
    squared: f64,
    /// The farthest that a joint went in a frame over how far the target went.
    pub largest_jump: f32,
    pub frames: u32,
}

impl Smoothness {
    /// Takes a frame: where the joints are and where the target is.
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

    /// Root mean square of what a joint's step differs from the one before it: how much it shakes; model units.
    pub fn shaking(&self) -> f32 {
        if self.frames == 0 { 0.0 } else { (self.squared / f64::from(self.frames)).sqrt() as f32 }
    }
}

/// What the window keeps of chains beside their solves.
#[derive(Clone, Debug, Default)]
pub struct ChainView {
    /// The lane whose steps are shown.
    pub lane: usize,
    /// The bone whose limit is shown and edited.
    pub bone: usize,
    /// Root and end of the chain to be added.
    pub ends: [Option<BoneIndex>; 2],
    /// Seconds that the lab's target has moved.
    pub time: f32,
    /// The next solve of the lanes begins where the last one did: other settings are tried on the same problem.
    pub again: bool,
    /// Of each lane.
    pub smoothness: Vec<Smoothness>,
}

/// The names of the bones from `root` down to `end`, without bones of no length.
///
/// # Errors
/// Why there is no chain between the two; bones go by their names.
pub fn between(character: &Character, ends: [Option<BoneIndex>; 2]) -> Result<Vec<String>, String> {
    let skeleton = &character.model.skeleton;
    let name = |bone: BoneIndex| skeleton.bones().get(bone).map_or("?", |bone| bone.name.as_str());
    let is_bone = |bone: &BoneIndex| *bone < skeleton.len();
    let [Some(root), Some(end)] = ends.map(|bone| bone.filter(is_bone)) else {
        return Err("Could not add a chain: choose a root bone and an end bone".to_owned());
    };
    if !skeleton.is_ancestor(root, end) {
        let (root, end) = (name(root), name(end));
        return Err(format!(
            "Could not add a chain from {root:?} to {end:?}: {end:?} is not a descendant of {root:?}; \
             choose an end bone below the root bone"
        ));
    }
    let reference = &character.detection.reference.bones;
    match chain_ik::character::solvable_between(skeleton, reference, root, end) {
        Some(bones) => Ok(bones.into_iter().map(|bone| name(bone).to_owned()).collect()),
        None => {
            let (root, end) = (name(root), name(end));
            Err(format!("Could not add a chain from {root:?} to {end:?}: both rest at the same place"))
        }
    }
}

/// A chain of these bones of the character as it is posed, to be added: its target is where its end is.
pub fn new_chain(character: &Character, pose: &ModelPose, name: String, bones: Vec<String>) -> ChainSolve {
    let settings = chain_ik::Settings { tolerance: character.height * 1e-4, ..chain_ik::Settings::default() };
    let end = bones.last().and_then(|end| character.model.skeleton.find(end));
    let target = end.map(|end| pose.position(end));
    ChainSolve { name, bones, settings, target, ..ChainSolve::default() }
}

/// Chains of a character that are worth a try: its spine, its arms, its legs, and whatever hangs on it in a row of
/// three or more bones without being one of those (tails, hair, fingers). A name, and the bones.
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
    // Rows without a fork, from the first bone that is not spoken for.
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
