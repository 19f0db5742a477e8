use glam::{Quat, Vec3};

use crate::character::Character;
use kinescope_ik::chain_ik::character::solvable_between;
use kinescope_ik::full_body::{Effector, Frame, Node, Settings};
use kinescope_ik::math::{length, unit_or_zero};
use kinescope_ik::rig::{LimbName, ModelPose};

#[derive(Clone, Debug, Default)]
pub struct RestPose {
    /// Position of each effector's bone, model space.
    pub effectors: [Vec3; Effector::COUNT],
    pub rotations: [Quat; Effector::COUNT],
    /// Position of the head's bone, model space.
    pub head: Vec3,
    /// Positions of elbows and knees, in the order of [`LimbName::ALL`], model space.
    pub joints: [Vec3; 4],
    /// Vectors from each limb's first bone to its last, as the solver reads them with full position weight at hands and
    /// feet. They differ from the rest pose if the solver's bend limit turns elbows or knees.
    pub spans: [Vec3; 4],
    pub height: f32,
    /// Names of the bones from the first of the spine to the head. Empty without a head or a full-body solver, and if
    /// no chain can be made of these bones.
    pub spine: Vec<String>,
    /// Names of the left and the right hand's bone. They are empty without a full-body solver.
    pub hands: [String; 2],
    /// Names of the bones for left thigh, calf and foot. Empty without a full-body solver.
    pub(crate) left_leg: Vec<String>,
    /// Whether any limb has a fourth joint.
    pub(crate) has_hocks: bool,
    pub clips: Vec<String>,
    pub facing: Vec3,
    pub left: Vec3,
}

/// First effector of each limb, in the order of [`LimbName::ALL`].
pub(super) const ROOTS: [Effector; 4] =
    [Effector::LeftShoulder, Effector::RightShoulder, Effector::LeftThigh, Effector::RightThigh];

/// End effector, limb and side (1 is left, −1 right) of both arms.
pub(super) const ARMS: [(Effector, LimbName, f32); 2] =
    [(Effector::LeftHand, LimbName::LeftArm, 1.0), (Effector::RightHand, LimbName::RightArm, -1.0)];

pub(super) const LEGS: [(Effector, LimbName, f32); 2] =
    [(Effector::LeftFoot, LimbName::LeftLeg, 1.0), (Effector::RightFoot, LimbName::RightLeg, -1.0)];

impl RestPose {
    pub fn of(character: &Character) -> Self {
        let rest = ModelPose::from_local(&character.model.skeleton, &character.rest);
        let detection = &character.detection;
        let has_hocks = character.rig.figure.as_ref().is_some_and(|figure| figure.inner != [None; 4]);
        let mut measures = Self {
            has_hocks,
            height: character.height,
            facing: detection.facing,
            left: detection.left,
            ..Self::default()
        };
        measures.clips = character.model.clips.iter().map(|clip| clip.name.clone()).collect();
        if let Ok(solver) = &character.rig.full_body {
            for effector in Effector::ALL {
                let bone = rest.bones[solver.bone_of(effector.node())];
                measures.effectors[effector as usize] = bone.position;
                measures.rotations[effector as usize] = bone.rotation;
            }
            let name =
                |effector: Effector| character.model.skeleton.bones()[solver.bone_of(effector.node())].name.clone();
            measures.hands = [Effector::LeftHand, Effector::RightHand].map(name);
            if let Some((biped, head)) = detection.biped.as_ref().and_then(|biped| Some((biped, biped.head?))) {
                let (skeleton, reference) = (&character.model.skeleton, &detection.reference.bones);
                let bones = solvable_between(skeleton, reference, biped.spine[0], head).unwrap_or_default();
                measures.spine = bones.iter().map(|&bone| skeleton.bones()[bone].name.clone()).collect();
                measures.head = rest.position(head);
            }
            if let Some(biped) = &detection.biped {
                let bones = biped.limb(LimbName::LeftLeg).bones;
                measures.left_leg = bones.map(|bone| character.model.skeleton.bones()[bone].name.clone()).into();
            }
            let mut pinned = Settings::default();
            for end in Effector::END {
                pinned.effector_mut(end).position_weight = 1.0;
            }
            let read = solver.read(&mut solver.workspace(), &pinned, &rest.bones);
            let frame = read.map_or_else(|_| Frame::default(), |(frame, _)| frame);
            for limb in LimbName::ALL {
                let [first, second, last] = Node::of_limb(limb);
                measures.joints[limb.index()] = rest.position(solver.bone_of(second));
                measures.spans[limb.index()] = frame.bone(last) - frame.bone(first);
            }
        }
        measures
    }

    pub(super) fn at(&self, effector: Effector) -> Vec3 {
        self.effectors[effector as usize]
    }

    pub(super) fn rotation(&self, effector: Effector) -> Quat {
        self.rotations[effector as usize]
    }

    pub(super) fn along(&self, left: f32, up: f32, forward: f32) -> Vec3 {
        self.left * left + Vec3::Y * up + self.facing * forward
    }

    /// Returns the name of the clip that is called `word`, or else of the first whose name contains `word`, which must
    /// be in lower case. Case does not matter in the clips' names. `None` if there is no such clip.
    pub(super) fn clip(&self, word: &str) -> Option<String> {
        let same = |name: &&String| name.eq_ignore_ascii_case(word);
        let like = |name: &&String| name.to_lowercase().contains(word);
        self.clips.iter().find(same).or(self.clips.iter().find(like)).cloned()
    }

    /// Returns the position of `effector` moved to the left, up and forward by fractions of the height.
    pub(super) fn moved(&self, effector: Effector, left: f32, up: f32, forward: f32) -> Vec3 {
        self.at(effector) + self.along(left, up, forward) * self.height
    }

    pub(super) fn root(&self, limb: LimbName) -> Vec3 {
        self.at(ROOTS[limb.index()])
    }

    pub fn limb_length(&self, limb: LimbName) -> f32 {
        let joint = self.joints[limb.index()];
        length(joint - self.root(limb)) + length(self.at(Effector::END[limb.index()]) - joint)
    }

    /// Returns the point at a distance of `lengths` limb lengths from the limb's root, in a direction to the left, up
    /// and forward. In limb lengths, a target in reach of one character is in reach of characters of any size.
    pub(super) fn reached(&self, limb: LimbName, lengths: f32, left: f32, up: f32, forward: f32) -> Vec3 {
        self.root(limb) + unit_or_zero(self.along(left, up, forward)) * self.limb_length(limb) * lengths
    }
}
