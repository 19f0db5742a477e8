pub(crate) mod lab;
pub(crate) mod pane;
pub(crate) mod picture;
pub mod session;
pub(crate) mod words;

use glam::Vec3;

use crate::character::Character;
use crate::tools::chains::words as text;
use crate::tools::jerk::Jerk;
use kinescope_ik::chain_ik::draw::LimitPart;
use kinescope_ik::chain_ik::{self, Chain};
use kinescope_ik::key::label;
use kinescope_ik::rig::{BoneIndex, ModelPose};
use kinescope_ik::stack::{ChainSolve, LayerId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChainHandle {
    Target(usize),
    BendGoal,
    Limit { bone: usize, part: LimitPart },
}

impl ChainHandle {
    /// Returns the handle's key: `lane_0_target`, `chain_0_limit_2_max`.
    pub fn key(self, chain: LayerId) -> String {
        format!("{}{}", chain.prefix(), self.key_in_chain())
    }

    /// Returns the handle's name on screen, in which chains and lanes count from 1: `lane 1 target`.
    pub fn name(self, chain: LayerId) -> String {
        chain.of_layer(&label(&self.key_in_chain()))
    }

    fn key_in_chain(self) -> String {
        match self {
            Self::Target(0) => "target".to_owned(),
            Self::Target(index) => format!("target_{index}"),
            Self::BendGoal => "bend_goal".to_owned(),
            Self::Limit { bone, part } => {
                let part = match part {
                    LimitPart::Min => "min",
                    LimitPart::Max => "max",
                    LimitPart::Swing => "swing",
                    LimitPart::TwistMin => "twist_min",
                    LimitPart::TwistMax => "twist_max",
                };
                format!("limit_{bone}_{part}")
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zone {
    TooNear,
    MidRange,
    NearlyStraight,
    OutOfReach,
}

impl Zone {
    /// Distance of the target, as a fraction of the chain's length, from which a chain counts as nearly straight.
    pub(crate) const NEARLY: f32 = 0.95;

    pub(crate) fn of(chain: &Chain, target: Vec3, root: Vec3) -> Self {
        let distance = target.distance(root);
        match distance / chain.length() {
            share if share > 1.0 => Self::OutOfReach,
            _ if distance < chain.least_reach() => Self::TooNear,
            share if share >= Self::NEARLY => Self::NearlyStraight,
            _ => Self::MidRange,
        }
    }

    pub(crate) const fn label(self) -> &'static str {
        [text::TOO_NEAR, "mid-range", text::NEARLY_STRAIGHT, text::OUT_OF_REACH][self as usize]
    }
}

/// Smoothness of a lane's joints while the target moves, measured since the lab's chain, lanes, limits or weights last
/// changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Smoothness {
    /// Jitter over the frames in which the target moved.
    pub(crate) jerk: Jerk,
    target: Option<Vec3>,
    /// Largest movement of a joint in one frame, relative to the target's movement.
    pub(crate) largest_jump: f32,
}

impl Smoothness {
    pub(crate) fn add(&mut self, positions: &[Vec3], target: Vec3) {
        let moved = self.target.replace(target).map_or(0.0, |before| before.distance(target));
        if moved <= 0.0 {
            return;
        }
        if let Some(step) = self.jerk.add(positions) {
            self.largest_jump = self.largest_jump.max(step / moved);
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct ChainView {
    pub lane: usize,
    /// The bone whose limit is shown and edited.
    pub bone: usize,
    pub ends: [Option<BoneIndex>; 2],
    /// Time of the lab's target on its path, seconds. It advances only while the target moves.
    pub time: f32,
    /// Whether the next solve of the lanes starts from the same state as the last one, so that a changed setting solves
    /// the same problem.
    pub again: bool,
    pub(crate) smoothness: Vec<Smoothness>,
}

/// Returns the names of the bones from the root bone down to the end bone (`ends`), without bones of zero length.
pub(crate) fn between(character: &Character, ends: [Option<BoneIndex>; 2]) -> Result<Vec<String>, String> {
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
