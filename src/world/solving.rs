use crate::world::World;
use kinescope_ik::ground::Ground;
use kinescope_ik::stack::{Frame, Input, LayerId};
use kinescope_ik::stepped::Cursor;
use kinescope_ik::timing::Clock;

impl World {
    pub fn is_live(&self) -> bool {
        !self.time.is_paused()
    }

    pub(crate) fn compose(&mut self, input: &Input) -> Frame {
        self.picture.stack_solves += 1;
        let ground = self.motion.ground().map(|surface| surface as &dyn Ground);
        self.character.solve(input, ground, self.picture.clock)
    }

    pub fn measure(&mut self, clock: Option<Clock>) {
        self.picture.clock = clock;
        self.time.needs_solve = true;
    }

    pub(crate) fn advance_motion(&mut self, dt: f32) -> bool {
        let plan = self.history.document().plan();
        self.motion.advance(&plan, &self.character, &mut self.clip, dt)
    }

    pub(crate) fn motion_moves(&self) -> bool {
        !self.time.is_paused() && self.lab().is_none() && self.motion.is_moving(&self.plan(), &self.clip)
    }

    pub(crate) fn remember_cursor(&mut self, layer: LayerId, cursor: Cursor) {
        self.time.cursors.retain(|(known, _)| *known != layer);
        self.time.cursors.push((layer, cursor));
    }
}
