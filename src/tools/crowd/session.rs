//! Session actions of the crowd: advancing it, and inspecting a member.

use glam::Vec2;

use crate::session::Session;
use crate::tools::crowd::Going;
use crate::world::document::Document;
use kinescope_ik::full_body::Node;

/// Actions of the crowd.
#[derive(Clone, Debug)]
pub enum CrowdAction {
    /// Replaces a member by the character, or returns the character to its own path.
    Follow(Option<usize>),
    /// Compares the crowd with full detail.
    CompareDetail(bool),
}

impl Session {
    pub(crate) fn apply_crowd(&mut self, action: CrowdAction) {
        match action {
            CrowdAction::Follow(member) => self.follow_in_crowd(member),
            CrowdAction::CompareDetail(compares) => self.crowd.compares = compares,
        }
    }

    /// Members keep walking while the character is inspected.
    pub(crate) fn advance_crowd(&mut self, dt: f32) -> bool {
        let Document { crowd, stack, terrain, .. } = self.history.document();
        let going = Going {
            section: crowd,
            settings: &stack.full_body,
            grounding: &stack.grounding.predictive,
            terrain: terrain.as_ref(),
            eye: self.look.camera.eye(),
            clock: self.picture.clock,
        };
        let rules = crowd.rules.len();
        let is_new = self.crowd.advance((&self.character, self.window.characters), &self.motion, &going, dt);
        if is_new && self.crowd.saved.is_some() {
            let solver = self.character.rig.full_body.as_ref();
            let joints =
                solver.map_or_else(|_| Vec::new(), |solver| Node::ALL.map(|node| solver.bone_of(node)).to_vec());
            self.crowd.measure_error(&self.look.camera.projector(self.look.viewport), &joints, rules);
        }
        is_new
    }

    /// Moves the character along the followed member's path. Returns whether it follows one.
    pub(crate) fn is_led(&mut self) -> bool {
        let Some((crowd, followed)) = self.crowd.crowd().zip(self.crowd.followed) else {
            self.motion.led = None;
            return false;
        };
        let (member, way) = (&crowd.members()[followed], crowd.way(followed));
        let (clip, time, distance) = (member.clip, member.time, member.distance);
        match (&mut self.motion.led, way) {
            (Some((led, along)), Some(way)) if led == way => *along = distance,
            (led, way) => *led = way.map(|way| (way.clone(), distance)),
        }
        self.clip.set(clip, time);
        self.time.needs_solve = true;
        true
    }

    /// Replaces the member under the pointer by the character. Returns whether there is one.
    pub(crate) fn follow_member(&mut self, pointer: Vec2) -> bool {
        let Some(biped) = &self.character.detection.biped else { return false };
        let (pelvis, height) = (biped.pelvis, self.character.height);
        let Some(member) = self.crowd.pick(&self.projector(), pelvis, height, pointer) else { return false };
        self.follow_in_crowd(Some(member));
        true
    }

    /// Follows a member, or none: the character then returns to its own path.
    pub fn follow_in_crowd(&mut self, member: Option<usize>) {
        self.crowd.followed = member;
        self.motion.forget_past();
        self.time.resample = true;
        self.time.needs_solve = true;
    }
}
