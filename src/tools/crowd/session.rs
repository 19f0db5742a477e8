use glam::Vec2;

use crate::session::Session;
use crate::tools::crowd::FrameInput;
use crate::world::document::Document;
use kinescope_ik::full_body::Node;

#[derive(Clone, Debug)]
pub enum CrowdAction {
    Follow(Option<usize>),
    CompareDetail(bool),
}

impl Session {
    pub(crate) fn apply_crowd(&mut self, action: CrowdAction) {
        match action {
            CrowdAction::Follow(member) => self.follow_in_crowd(member),
            CrowdAction::CompareDetail(compares) => self.tools.crowd.compares = compares,
        }
    }

    /// Advances the crowd, also while the character is paused. Returns whether there is something new to draw.
    pub(crate) fn advance_crowd(&mut self, dt: f32) -> bool {
        let Document { crowd, stack, terrain, .. } = self.world.history.document();
        let input = FrameInput {
            section: crowd,
            settings: &stack.full_body,
            grounding: &stack.grounding.predictive,
            terrain: terrain.as_ref(),
            eye: self.look.camera.eye(),
            clock: self.world.picture.clock,
        };
        let rules = crowd.rules.len();
        let is_new =
            self.tools.crowd.advance((&self.world.character, self.window.characters), &self.world.motion, &input, dt);
        if is_new && self.tools.crowd.saved.is_some() {
            let solver = self.world.character.rig.full_body.as_ref();
            let joints =
                solver.map_or_else(|_| Vec::new(), |solver| Node::ALL.map(|node| solver.bone_of(node)).to_vec());
            self.tools.crowd.measure_error(&self.look.camera.projector(self.look.viewport), &joints, rules);
        }
        is_new
    }

    pub(crate) fn move_with_member(&mut self) -> bool {
        let Some((crowd, followed)) = self.tools.crowd.crowd().zip(self.tools.crowd.followed) else {
            self.world.motion.followed_path = None;
            return false;
        };
        let (member, way) = (&crowd.members()[followed], crowd.way(followed));
        let (clip, time, distance) = (member.clip, member.time, member.distance);
        match (&mut self.world.motion.followed_path, way) {
            (Some((followed, along)), Some(way)) if followed == way => *along = distance,
            (followed, way) => *followed = way.map(|way| (way.clone(), distance)),
        }
        self.world.clip.set(clip, time);
        self.world.time.needs_solve = true;
        true
    }

    pub(crate) fn follow_member(&mut self, pointer: Vec2) -> bool {
        let Some(biped) = &self.world.character.detection.biped else { return false };
        let (pelvis, height) = (biped.pelvis, self.world.character.height);
        let Some(member) = self.tools.crowd.pick(&self.projector(), pelvis, height, pointer) else { return false };
        self.follow_in_crowd(Some(member));
        true
    }

    pub(crate) fn follow_in_crowd(&mut self, member: Option<usize>) {
        self.tools.crowd.followed = member;
        self.world.motion.forget_past();
        self.world.time.resample = true;
        self.world.time.needs_solve = true;
    }
}
