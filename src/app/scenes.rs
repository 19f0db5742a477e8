//! Scenes: experiments, each of which teaches one thing.

use glam::{Quat, Vec3};

use super::document::{ClipSection, Document};
use crate::full_body::{Effector, Settings};
use crate::rig::LimbName;

/// One experiment.
#[derive(Clone, Copy)]
pub struct Scene {
    /// As in `--scene`.
    pub name: &'static str,
    /// One line: what it is for.
    pub purpose: &'static str,
    /// What to look for, or to try.
    pub hint: &'static str,
    /// Sets the document up; knows where the character's effectors are at rest and how tall it is.
    setup: fn(&mut Document, &Stand),
}

/// The character as it stands before a scene.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stand {
    /// Where each effector's bone is, model space.
    pub effectors: [Vec3; Effector::COUNT],
    pub rotations: [Quat; Effector::COUNT],
    /// Model units.
    pub height: f32,
    /// Unit vectors: where it looks, and to its left.
    pub facing: Vec3,
    pub left: Vec3,
}

impl Stand {
    fn at(&self, effector: Effector) -> Vec3 {
        self.effectors[effector as usize]
    }

    /// `effector`'s place moved by fractions of the height: to the left, up, forward.
    fn moved(&self, effector: Effector, left: f32, up: f32, forward: f32) -> Vec3 {
        self.at(effector) + (self.left * left + Vec3::Y * up + self.facing * forward) * self.height
    }
}

impl Scene {
    /// The scene's document for a character.
    pub fn document(&self, stand: &Stand) -> Document {
        let mut document = Document::default();
        (self.setup)(&mut document, stand);
        document
    }

    /// The scene of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        SCENES.iter().find(|scene| scene.name == name)
    }
}

fn pin(settings: &mut Settings, effector: Effector, position: Vec3) {
    let own = settings.effector_mut(effector);
    own.position = Some(position);
    own.position_weight = 1.0;
}

fn plant_feet(settings: &mut Settings, stand: &Stand) {
    for foot in [Effector::LeftFoot, Effector::RightFoot] {
        pin(settings, foot, stand.at(foot));
        let own = settings.effector_mut(foot);
        own.rotation = Some(stand.rotations[foot as usize]);
        own.rotation_weight = 1.0;
    }
}

/// All scenes, in the order of the menu.
pub const SCENES: &[Scene] = &[
    Scene {
        name: "stand",
        purpose: "The character as it is, feet planted.",
        hint: "Drag any ring. The body follows the hands, the feet stay.",
        setup: |document, stand| plant_feet(&mut document.settings, stand),
    },
    Scene {
        name: "reach and brace",
        purpose: "One hand reaches far, the other holds on: who pulls the body?",
        hint: "Pause and step through stage 1 and stage 2. Then lower the right arm's pull.",
        setup: |document, stand| {
            let settings = &mut document.settings;
            plant_feet(settings, stand);
            pin(settings, Effector::LeftHand, stand.moved(Effector::LeftShoulder, 0.32, -0.06, 0.30));
            pin(settings, Effector::RightHand, stand.moved(Effector::RightShoulder, -0.26, 0.02, 0.10));
            settings.chain_mut(LimbName::RightArm).pull = 0.6;
            settings.chain_mut(LimbName::LeftArm).reach = 0.2;
            settings.chain_mut(LimbName::RightArm).bend_goal =
                Some(stand.moved(Effector::RightShoulder, -0.18, -0.30, -0.15));
            settings.chain_mut(LimbName::RightArm).bend_weight = 0.6;
        },
    },
    Scene {
        name: "two hands at odds",
        purpose: "Both hands want the body, in opposite directions.",
        hint: "Change one arm's pull and watch the red bar between the shoulders.",
        setup: |document, stand| {
            let settings = &mut document.settings;
            plant_feet(settings, stand);
            pin(settings, Effector::LeftHand, stand.moved(Effector::LeftShoulder, 0.45, 0.05, 0.05));
            pin(settings, Effector::RightHand, stand.moved(Effector::RightShoulder, -0.45, 0.05, 0.05));
        },
    },
    Scene {
        name: "push against a wall",
        purpose: "Hands that come too close push the shoulders, and the body, back.",
        hint: "Set push parent to 0: only the shoulders give way.",
        setup: |document, stand| {
            let settings = &mut document.settings;
            plant_feet(settings, stand);
            for (hand, shoulder, limb) in [
                (Effector::LeftHand, Effector::LeftShoulder, LimbName::LeftArm),
                (Effector::RightHand, Effector::RightShoulder, LimbName::RightArm),
            ] {
                pin(settings, hand, stand.moved(shoulder, 0.0, -0.02, 0.12));
                let chain = settings.chain_mut(limb);
                chain.push = 0.7;
                chain.push_parent = 0.6;
            }
        },
    },
    Scene {
        name: "crouch",
        purpose: "The body effector goes down, the feet stay: the knees bend.",
        hint: "Drag the body's ring. Look at the bend directions of the knees.",
        setup: |document, stand| {
            let settings = &mut document.settings;
            plant_feet(settings, stand);
            pin(settings, Effector::Body, stand.moved(Effector::Body, 0.0, -0.18, 0.02));
            for hand in [Effector::LeftHand, Effector::RightHand] {
                settings.effector_mut(hand).maintain_relative_position = 1.0;
            }
        },
    },
    Scene {
        name: "unreachable",
        purpose: "A target far beyond the arm.",
        hint: "The magenta line is what the hand lacks. Raise pull body horizontal.",
        setup: |document, stand| {
            let settings = &mut document.settings;
            plant_feet(settings, stand);
            pin(settings, Effector::LeftHand, stand.moved(Effector::LeftShoulder, 0.5, 0.35, 0.6));
        },
    },
    Scene {
        name: "walk with hands pinned",
        purpose: "A walking clip with both hands held in place.",
        hint: "Pause anywhere and step: the animated pose is where every solve starts.",
        setup: |document, stand| {
            document.clip = ClipSection { name: Some("walk".to_owned()), time: 0.0 };
            let settings = &mut document.settings;
            pin(settings, Effector::LeftHand, stand.moved(Effector::LeftShoulder, 0.02, -0.12, 0.24));
            pin(settings, Effector::RightHand, stand.moved(Effector::RightShoulder, -0.02, -0.12, 0.24));
        },
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_are_valid_and_told_apart() {
        let stand = Stand { height: 1.8, facing: Vec3::Z, left: Vec3::X, ..Stand::default() };
        for (index, scene) in SCENES.iter().enumerate() {
            assert!(scene.document(&stand).settings.validate().is_ok(), "{}", scene.name);
            assert!(scene.purpose.ends_with(['.', '?']) && scene.hint.ends_with('.'), "{}", scene.name);
            assert!(SCENES[..index].iter().all(|other| other.name != scene.name));
            assert_eq!(Scene::find(scene.name).unwrap().name, scene.name);
        }
    }
}
