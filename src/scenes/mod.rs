//! Scenes: small setups that each show one behaviour, with a file per topic.

mod chains;
mod clips;
pub mod experiments;
mod ground;
mod hard;
mod iterations;
mod modifiers;
mod moving;
mod reaching;
mod rest;
mod solvers;
mod targets;
mod torso;

pub use rest::RestPose;

use std::sync::Arc;

use crate::character::BuiltIn;
use crate::world::document::Document;
use kinescope_ik::full_body::Settings;
use kinescope_ik::modifiers::{FourBones, Modifier};

/// Words that scenes search for in clip names.
const CLIP_WORDS: [&str; 5] = ["idle", "walk", "run", "reach", "lean"];

#[derive(Clone, Copy, Debug)]
pub struct Scene {
    pub name: &'static str,
    pub purpose: &'static str,
    pub hint: &'static str,
    setup: fn(&mut Document, &RestPose),
    /// Sets the targets to their positions at a time in seconds after the start, whatever their positions were. At 0,
    /// the script changes nothing.
    pub script: Option<Script>,
}

pub type Script = fn(&mut Settings, &RestPose, f32);

impl Scene {
    pub fn document(&self, rest: &RestPose) -> Document {
        let mut document = Document::default();
        (self.setup)(&mut document, rest);
        if rest.has_hocks {
            // Without the modifier, the hocks of digitigrade legs would be rigid.
            Arc::make_mut(&mut document.stack.modifiers).push(Modifier::FourBones(FourBones::default()));
        }
        document
    }

    /// Returns the clip words that the scene plays and the character lacks, such as `walk`.
    pub fn missing_clips(&self, rest: &RestPose) -> Vec<String> {
        let all = RestPose { clips: CLIP_WORDS.map(str::to_owned).to_vec(), ..rest.clone() };
        let document = self.document(&all);
        let motion = &document.motion;
        let own = document.clip.name.iter().filter(|name| !document.is_of_motion_file(name));
        let wanted = own.chain(&motion.gaits);
        let wanted = wanted.chain(motion.layers.iter().map(|layer| &layer.clip));
        let wanted = wanted.chain(motion.planned.iter().map(|fade| &fade.clip));
        let mut missing: Vec<String> = wanted.filter(|word| rest.clip(word).is_none()).cloned().collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    pub fn built_in(&self) -> Option<BuiltIn> {
        (self.name == modifiers::DIGITIGRADE.name).then_some(BuiltIn::Faun)
    }

    pub fn topic(&self) -> &'static str {
        let own = TOPICS.iter().find(|(_, scenes)| scenes.iter().any(|scene| scene.name == self.name));
        own.map_or("", |(title, _)| title)
    }

    /// Finds a scene by its name, in capital or small letters.
    pub fn find(name: &str) -> Option<&'static Self> {
        SCENES.iter().find(|scene| scene.name.eq_ignore_ascii_case(name))
    }
}

pub const TOPICS: &[(&str, &[Scene])] = &[
    ("Reaching", reaching::SCENES),
    ("Torso and joints", torso::SCENES),
    ("Moving targets", moving::SCENES),
    ("Iterations", iterations::SCENES),
    ("Hard targets", hard::SCENES),
    ("Chains", chains::SCENES),
    ("Ground", ground::SCENES),
    ("Clips and layers", clips::SCENES),
    ("Modifiers", modifiers::SCENES),
    ("Other full-body solvers", solvers::SCENES),
    ("Bugs of the sources", experiments::SCENES),
];

pub const SCENES: &[Scene] = &all();

const fn count() -> usize {
    let (mut count, mut topic) = (0, 0);
    while topic < TOPICS.len() {
        count += TOPICS[topic].1.len();
        topic += 1;
    }
    count
}

const fn all() -> [Scene; count()] {
    let mut all = [TOPICS[0].1[0]; count()];
    let (mut at, mut topic) = (0, 0);
    while topic < TOPICS.len() {
        let (own, mut scene) = (TOPICS[topic].1, 0);
        while scene < own.len() {
            all[at] = own[scene];
            scene += 1;
            at += 1;
        }
        topic += 1;
    }
    all
}
