use std::sync::Arc;

use glam::{Vec2, Vec3};

use crate::session::Session;
use crate::tools::motion::words as text;
use crate::tools::pose::handles::{Handle, HandleId};
use crate::world::World;
use crate::world::document::{ClipSection, Document};
use crate::world::motion::{MotionSection, Travel};
use kinescope_ik::key::named;
use kinescope_ik::parameter::settings;
use kinescope_ik::stack::{LabSection, LayerId};
use kinescope_ik::terrain::Terrain;

named! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Tool {
        label,
        help: &'static str,
    }
    ALL {
        Raise: "Raises the ground while the button is held.";
        Lower: "Lowers the ground while the button is held.";
        Smooth: "Smooths bumps.";
        Flatten: "Levels the ground to the height where the stroke began.";
        Point: "Drags one point up or down.";
    }
}

settings! {
    /// Settings of the sculpting brush.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Brush {
        /// The active tool; `None` leaves drags to the camera.
        tool: Option<Tool> = None;
        /// Radius of the brush.
        radius: f32 = 0.4, from 0.05 to 3 in Metres,
            too little: "Strokes cover little ground.",
            too much: "Small features cannot be shaped.";
        /// Speed of raising and lowering; it also scales smoothing and levelling.
        strength: f32 = 0.4, from 0.02 to 2 in MetresPerSecond,
            too little: "Strokes take long to show.",
            too much: "A short click changes too much.";
    }
}

/// The parts of the document on which motion depends, as they were after the last edit. A comparison shows what an edit has
/// changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MotionInputs {
    motion: MotionSection,
    has_ground: bool,
    clip: ClipSection,
    lab: Option<LabSection>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    tool: Tool,
    /// Last position of the pointer on the ground. For the point tool, the position of the point at the start of the stroke.
    at: Vec3,
    /// Height at the start of the stroke. For the point tool, the vertical offset from the pointer to the point.
    height: f32,
    point: Option<usize>,
    pointer: Vec2,
    gesture: u64,
}

#[derive(Clone, Debug)]
pub enum MotionAction {
    Brush(Brush),
    Follow(bool),
    Restart,
    /// Sets the input that held keys give to pose layers: −1 for minus, 1 for plus, or 0 for none or both.
    HoldKeys(f32),
}

/// Returns the point that the camera follows: the character's position, or its root bone while the character moves as the
/// clip does. The camera does not follow the pelvis, which sways.
pub(crate) fn followed(world: &World) -> Vec3 {
    let moves_itself = world.plan().motion.travel == Travel::Clip;
    let root = world.character.model.skeleton.bones().iter().position(|bone| bone.parent.is_none());
    let pelvis = world.character.detection.biped.as_ref().map(|biped| biped.pelvis);
    let bone = root.filter(|_| moves_itself && root != pelvis).and_then(|root| world.picture.animated.bones.get(root));
    bone.map_or(world.motion.root.position, |bone| bone.position)
}

/// Moves path and platforms back to their start. The character and B forget earlier frames.
pub(crate) fn restart(session: &mut Session) {
    session.world.motion.restart();
    if let Some(compare) = &mut session.tools.debugger.compare {
        compare.b.own = None;
    }
}

impl Session {
    pub fn ground_focus(&self) -> bool {
        self.focus() == LayerId::Grounding
    }

    /// `before` is an earlier result of [`followed`].
    pub(crate) fn follow(&mut self, before: Vec3) {
        let by = followed(&self.world) - before;
        if self.look.follows && self.world.lab().is_none() && by.is_finite() {
            self.look.camera.target += by;
        }
    }

    pub(crate) fn moving_parts_changed(&mut self) {
        let Document { motion, terrain, clip, stack, .. } = self.world.history.document();
        let lab = stack.chain_ik.lab.clone();
        let now = MotionInputs { motion: motion.clone(), has_ground: terrain.is_some(), clip: clip.clone(), lab };
        let before = std::mem::replace(&mut self.tools.motion_inputs, now);
        let now = &self.tools.motion_inputs;
        let restarts = before.motion.travel != now.motion.travel
            || before.motion.start != now.motion.start
            || before.has_ground != now.has_ground;
        let has_other_clip = before.clip != now.clip || before.motion.gaits != now.motion.gaits;
        let problem = |lab: &Option<LabSection>| {
            lab.as_ref().map(|lab| (lab.chain.clone(), lab.lanes.clone(), lab.limits.clone(), lab.weights.clone()))
        };
        let [was, is] = [problem(&before.lab), problem(&now.lab)];
        if restarts {
            restart(self);
        }
        if was != is {
            if was.map(|(chain, ..)| chain) != is.map(|(chain, ..)| chain) {
                self.world.motion.forget_lanes();
            }
            self.tools.chains.again = true;
            // The smoothness was measured with other settings.
            self.tools.chains.smoothness.clear();
        }
        if has_other_clip {
            self.follow_clip();
        }
    }

    pub(crate) fn path_handles(&self) -> Vec<Handle> {
        let motion = self.world.plan().motion;
        if motion.travel != Travel::Path || !self.look.view.targets || self.world.lab().is_some() {
            return Vec::new();
        }
        let projector = self.projector();
        let handle = |(index, &point): (usize, &Vec2)| {
            let position = self.world.on_ground(point);
            let screen = projector.to_screen(position).filter(|&screen| projector.viewport.contains(screen))?;
            Some(Handle { id: HandleId::PathPoint(index), position, screen, weight: 1.0, is_set: true })
        };
        motion.path.iter().enumerate().filter_map(handle).collect()
    }

    pub(crate) fn place_path_point(&mut self, index: usize, pointer: Vec2, gesture: u64) {
        let Some(at) = self.ground_under(pointer) else { return };
        let mut document = self.world.history.document().clone();
        let Some(point) = document.motion.path.get_mut(index) else { return };
        *point = Vec2::new(at.x, at.z);
        self.edit(text::EDIT_MOVE_PATH, Some(gesture), document);
    }

    /// Returns the point under the pointer on the terrain or, where there is none, on the plane at height 0.
    pub(crate) fn ground_under(&self, pointer: Vec2) -> Option<Vec3> {
        let (eye, direction) = self.projector().ray(pointer);
        if let Some(terrain) = self.world.plan().terrain
            && let Some(hit) = terrain.ray(eye, direction, f32::INFINITY)
        {
            return Some(hit.point);
        }
        let distance = -eye.y / direction.y;
        (distance > 0.0 && distance < 1e4).then(|| eye + direction * distance)
    }

    /// Returns the terrain point that [`Tool::Point`] would drag, with its index.
    pub(crate) fn point_under(&self, pointer: Vec2) -> Option<(usize, Vec3)> {
        let terrain = self.world.plan().terrain?;
        let (eye, direction) = self.projector().ray(pointer);
        let index = terrain.nearest_point(eye, direction)?;
        Some((index, terrain.point(index)?))
    }

    pub(crate) fn begin_stroke(&mut self, pointer: Vec2) -> bool {
        let Some(tool) = self.interaction.brush.tool.filter(|_| self.world.lab().is_none()) else { return false };
        let Some(terrain) = self.world.plan().terrain else { return false };
        let (eye, direction) = self.projector().ray(pointer);
        let stroke = match tool {
            Tool::Point => self.point_under(pointer).map(|(index, at)| {
                let under = self.projector().on_camera_plane(pointer, at);
                (at, at.y - under.y, Some(index))
            }),
            _ => terrain.ray(eye, direction, f32::INFINITY).map(|hit| (hit.point, hit.point.y, None)),
        };
        let Some((at, height, point)) = stroke else { return false };
        let gesture = self.new_gesture();
        self.interaction.stroke = Some(Stroke { tool, at, height, point, pointer, gesture });
        true
    }

    pub(crate) fn move_stroke(&mut self, pointer: Vec2) {
        let Some(stroke) = self.interaction.stroke else { return };
        let at = match stroke.tool {
            Tool::Point => self.projector().on_camera_plane(pointer, stroke.at),
            _ => self.ground_under(pointer).unwrap_or(stroke.at),
        };
        let stroke = Stroke { at: if stroke.tool == Tool::Point { stroke.at } else { at }, pointer, ..stroke };
        self.interaction.stroke = Some(stroke);
        if let (Tool::Point, Some(index)) = (stroke.tool, stroke.point) {
            let limit = kinescope_ik::terrain::HIGHEST;
            let height = (at.y + stroke.height).clamp(-limit, limit);
            self.sculpt(text::EDIT_MOVE_POINT, stroke.gesture, |terrain| {
                let _ = terrain.set_point(index, height);
            });
        }
    }

    /// Applies the brush for `dt` seconds. The point tool acts only when the pointer moves: see `move_stroke`.
    pub(crate) fn paint(&mut self, dt: f32) {
        let Some(stroke) = self.interaction.stroke.filter(|stroke| stroke.tool != Tool::Point && dt > 0.0) else {
            return;
        };
        let Brush { radius, strength, .. } = self.interaction.brush;
        let at = Vec2::new(stroke.at.x, stroke.at.z);
        // Smoothing and levelling approach their result exponentially, so that strokes do not depend on the frame rate.
        // The difference falls to 1/e in 0.125/strength seconds.
        let share = 1.0 - (-8.0 * strength * dt).exp();
        self.sculpt(stroke.tool.label(), stroke.gesture, |terrain| {
            let _ = match stroke.tool {
                Tool::Raise => terrain.raise(at, radius, strength * dt),
                Tool::Lower => terrain.raise(at, radius, -strength * dt),
                Tool::Smooth => terrain.smooth(at, radius, share),
                Tool::Flatten => terrain.flatten(at, radius, stroke.height, share),
                Tool::Point => Vec::new(),
            };
        });
    }

    fn sculpt(&mut self, label: &str, gesture: u64, change: impl FnOnce(&mut Terrain)) {
        let mut document = self.world.history.document().clone();
        if let Some(terrain) = &mut document.terrain {
            change(Arc::make_mut(terrain));
            self.edit(&text::edit_sculpt(&label), Some(gesture), document);
        }
    }

    pub(crate) fn apply_motion(&mut self, action: MotionAction) {
        match action {
            MotionAction::Brush(brush) => self.interaction.brush = brush,
            MotionAction::Follow(follows) => self.look.follows = follows,
            MotionAction::Restart => {
                restart(self);
                self.world.clip.set(self.world.clip.clip(), 0.0);
                self.world.time.resample = true;
                self.world.time.needs_solve = true;
                self.update(0.0);
                self.world.time.cursor = self.end();
            }
            MotionAction::HoldKeys(held) => self.world.motion.keys_held = held.clamp(-1.0, 1.0),
        }
    }
}
