pub(crate) mod session;
pub(crate) mod words;

use std::sync::Arc;

use crate::character::Character;
use crate::world::document::Document;
use kinescope_ik::capsule::{Capsule, CapsuleFrame, Instant};
use kinescope_ik::ground::Ground;
use kinescope_ik::rig::Biped;
use kinescope_ik::stack::{Input, Rig, Tools};
use kinescope_ik::terrain::{Surface, Terrain};

/// Everything that [`Self::capsule`] needs to solve and build a capsule, so that a background job can do it.
#[derive(Clone, Default)]
pub struct CapsuleSource {
    pub rig: Rig,
    pub biped: Option<Biped>,
    pub document: Document,
    /// Time in seconds and input of each frame.
    pub frames: Vec<(f64, Input)>,
    /// Instant in the last frame, or `None` for its end.
    pub instant: Option<Instant>,
}

impl CapsuleSource {
    pub fn capsule(&self, name: &str) -> Option<Capsule> {
        let last = self.frames.len().checked_sub(1)?;
        let ground = ground_of(self.document.terrain.clone());
        let mut workspace = self.rig.full_body.as_ref().ok().map(|solver| solver.workspace());
        let frames = self.frames.iter().map(|(time, input)| {
            let ground = ground(input);
            let tools = Tools { workspace: workspace.as_mut(), ground: ground.as_deref(), clock: None };
            CapsuleFrame::solve(&self.rig, tools, *time as f32, input)
        });
        let uses_clip_limits = self.frames.iter().any(|(_, input)| input.stack.uses_clip_limits());
        Some(Capsule {
            name: name.to_owned(),
            model: self.rig.name.clone(),
            skeleton: (*self.rig.skeleton).clone(),
            biped: self.biped.clone().filter(|_| self.rig.full_body.is_ok()),
            reference: self.rig.reference.to_vec(),
            legs: self.rig.legs,
            clip_ranges: self.rig.clip_ranges().filter(|_| uses_clip_limits).cloned(),
            preset: self.document.to_preset(),
            frames: frames.collect(),
            instant: self.instant.clone().unwrap_or(Instant { frame: last, ..Instant::default() }),
        })
    }
}

/// Returns a function from a frame's input to its ground: the terrain at the frame's time. The ground is `None` without
/// a terrain, and for a terrain from which no surface can be built.
pub fn ground_of(terrain: Option<Arc<Terrain>>) -> impl Fn(&Input) -> Option<Box<dyn Ground>> + Sync {
    // Making a surface checks every height, which takes a sixth of a sweep if it is done for each frame.
    let surface = terrain.and_then(|terrain| Surface::new(terrain, 0.0).ok());
    move |input: &Input| {
        let mut surface = surface.clone()?;
        surface.set_time(input.place.ground_time);
        Some(Box::new(surface))
    }
}

pub(crate) fn character_of(capsule: &Capsule, name: &str) -> Option<Character> {
    let rest = &capsule.frames.first()?.input.animated;
    let (skeleton, reference) = (&capsule.skeleton, &capsule.reference);
    let mut character = Character::from_bones(name, skeleton, capsule.biped.clone(), reference, capsule.legs, rest);
    character.rig = character.rig.with_clip_ranges(capsule.clip_ranges.clone());
    Some(character)
}
