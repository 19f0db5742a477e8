use glam::{Quat, Vec2, Vec3};

use crate::world::World;
use crate::world::motion::Plan;
use kinescope_ik::debugger::why::{Why, why};
use kinescope_ik::full_body::{self, Effector, Node, Settings, State};
use kinescope_ik::grounding::Recording;
use kinescope_ik::locomotion::Contact;
use kinescope_ik::modifiers::Modifier;
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::stack::{ChainSection, Gap, LabSection, LayerId, Stack};

impl World {
    /// Returns the stack of the frame shown: the document's, or that of a recorded frame, with attached targets at
    /// their anchors. Edits start from it.
    pub fn stack(&self) -> &Stack {
        &self.picture.stack
    }

    pub fn settings(&self) -> &Settings {
        &self.picture.stack.full_body
    }

    /// Returns the settings with which the full body was solved, with the changes by modifiers and the goals of
    /// grounding.
    pub fn solved_settings(&self) -> &Settings {
        self.solved.full_body().map_or(self.settings(), |run| &run.settings)
    }

    /// Returns the full body's input pose, which earlier layers may have changed.
    pub(crate) fn given_pose(&self) -> &[RigidTransform] {
        self.solved.full_body().map_or(&self.picture.animated.bones, |run| &run.animated)
    }

    /// Returns the frame of the full body's solve. If the full body is not solved, reads it from the animated pose.
    pub(crate) fn body_frame(&self) -> full_body::Frame {
        match self.solved.full_body() {
            Some(run) => run.recording.frame,
            None => self.unsolved_frame().unwrap_or_default(),
        }
    }

    fn unsolved_frame(&self) -> Option<full_body::Frame> {
        let solver = self.character.rig.full_body.as_ref().ok()?;
        let read = solver.read(&mut solver.workspace(), self.settings(), &self.picture.animated.bones);
        read.ok().map(|(frame, _)| frame)
    }

    pub fn shown_rotation(&self, effector: Effector) -> Quat {
        let bone = self.character.rig.full_body.as_ref().ok().map(|solver| solver.bone_of(effector.node()));
        bone.and_then(|bone| self.picture.pose.bones.get(bone)).map_or(Quat::IDENTITY, |bone| bone.rotation)
    }

    pub fn plan(&self) -> Plan<'_> {
        self.history.document().plan()
    }

    pub fn chain_section(&self) -> &ChainSection {
        &self.stack().chain_ik
    }

    pub fn lab(&self) -> Option<&LabSection> {
        self.chain_section().lab.as_ref()
    }

    /// Returns the length of the first lane's chain in model units, or 1 if the lane is not solved.
    pub(crate) fn lab_size(&self) -> f32 {
        self.solved.chain(LayerId::Lane(0)).map_or(1.0, |run| run.recording.chain.length())
    }

    pub fn chains_shown(&self) -> Vec<LayerId> {
        let is_chain = |layer: &LayerId| matches!(layer, LayerId::Chain(_) | LayerId::Lane(_));
        self.solved.layers.iter().map(|layer| layer.id).filter(is_chain).collect()
    }

    pub fn ground_recording(&self) -> Option<&Recording> {
        self.solved.grounding().map(|run| &run.recording)
    }

    pub fn contacts(&self) -> Option<[Contact; 2]> {
        self.motion.contacts(&self.solved, self.character.height)
    }

    pub fn drives_limbs(&self) -> bool {
        self.solved.limbs().is_some()
    }

    /// Returns the nodes' positions in the shown pose, for frames in which another solver poses the limbs or the body.
    pub(crate) fn state_of_pose(&self) -> Option<State> {
        let Ok(solver) = &self.character.rig.full_body else { return None };
        let mut state = State::default();
        for node in Node::ALL {
            state.set_node(node, self.picture.pose.bones.get(solver.bone_of(node))?.position);
        }
        Some(state)
    }

    /// Returns the distance of an effector's written bone from its target in the picture, model units.
    pub fn gap(&self, effector: Effector) -> f32 {
        self.picture.gaps.iter().find(|gap| gap.key == effector.key()).map_or(0.0, |gap| gap.distance)
    }

    pub(crate) fn worst_gap(&self) -> Option<&Gap> {
        let worst = self.picture.gaps.iter().max_by(|a, b| a.distance.total_cmp(&b.distance));
        worst.filter(|gap| gap.distance > 0.0)
    }

    pub(crate) fn why_of(&self, effector: Effector) -> Option<Why> {
        match self.picture.why.filter(|why| why.effector == effector) {
            Some(why) => Some(why),
            None => {
                let frame = &self.solved.full_body()?.recording.frame;
                let solver = self.character.rig.full_body.as_ref().ok()?;
                why(frame, solver, &self.picture.pose.bones, effector)
            }
        }
    }

    pub fn bone_position(&self, effector: Effector) -> Vec3 {
        let bone = self.character.rig.full_body.as_ref().map(|solver| solver.bone_of(effector.node()));
        bone.map_or(Vec3::ZERO, |bone| self.picture.pose.position(bone))
    }

    /// Returns the point of the terrain at x and z. Its height is 0 where there is no terrain.
    pub fn on_ground(&self, at: Vec2) -> Vec3 {
        let height = self.plan().terrain.and_then(|terrain| terrain.height_at(at.x, at.y));
        Vec3::new(at.x, height.unwrap_or(0.0), at.y)
    }

    /// Updates the weights of morph targets: those of the file, changed by the clips that play, and then by the pose
    /// layers.
    pub(crate) fn show_morphs(&mut self) {
        let model = &self.character.model;
        if model.morphs.is_empty() {
            return self.picture.morphs.clear();
        }
        let rest: Vec<Vec<f32>> = model.morphs.iter().map(|morph| morph.weights.clone()).collect();
        let (mut weights, crossfade) = (std::mem::take(&mut self.picture.morphs), &self.clip.crossfade);
        match crossfade.current().filter(|_| crossfade.fades().is_empty()).and_then(|clip| model.clips.get(clip)) {
            Some(clip) => {
                weights.clone_from(&rest);
                clip.sample_morphs(self.solved.input.place.clip_time, &mut weights);
            }
            None => crossfade.sample_morphs(&model.clips, &rest, &mut weights),
        }
        let plan = self.plan();
        let inputs = self.motion.inputs(&plan, &self.clip);
        for layer in &plan.motion.layers {
            layer.apply_morphs(&model.clips, &rest, &inputs, &mut weights);
        }
        self.picture.morphs = weights;
    }

    /// Returns the time of modifiers, seconds: the time in the clip or, in the rest pose, the time of moving platforms.
    pub fn clip_time(&self) -> f32 {
        self.solved.input.place.clip_time
    }

    pub fn keyed_places(&self) -> Vec<Vec3> {
        let root = self.solved.input.place.root;
        let mut places = Vec::new();
        for own in self.stack().modifiers.iter().filter(|own| own.is_on()) {
            let Modifier::Keyed(own) = own else { continue };
            let keys = own.tracks.iter().flat_map(|track| &track.keys).filter(|key| key.position_weight > 0.0);
            let place = |at: Vec3| if own.in_world { at } else { root.transform_point(at) };
            places.extend(keys.map(|key| place(key.position)));
        }
        places
    }
}
