//! Prepares each character's settings, and solves.

use bevy_ecs::prelude::*;
use bevy_time::Time;
use bevy_transform::components::{GlobalTransform, Transform};
use bevy_transform::helper::TransformHelper;
use kinescope_ik::full_body::{HookedSolve, Hooks};
use kinescope_ik::glam::Vec3;
use kinescope_ik::ground::Ground;
use kinescope_ik::grounding::legs::Legs;
use kinescope_ik::grounding::{self, speed_weights};
use kinescope_ik::many::{Bones, Many, Task};
use kinescope_ik::modifiers::{Between, Running, Seen, after_write, before_read, solve_with_hooks};
use kinescope_ik::{InputError, LocalTransform, RigidTransform, Status};

use crate::rig::local;
use crate::{BendGoal, EffectorTarget, Grounding, Ik, Modifiers, Rig, WorldGround};

/// The least number of characters that are solved together. Fewer do not fill a register.
const TOGETHER: usize = 4;
/// The duration of a frame in an app without [`Time`], in seconds.
const FRAME: f32 = 1.0 / 60.0;

#[cfg(feature = "gizmos")]
type Shown = Has<crate::ShowSolve>;
#[cfg(not(feature = "gizmos"))]
type Shown = ();

/// Combines each character's [`Ik`] with targets and bend goals, which it transforms from the world to model space.
pub(crate) fn prepare(
    mut rigs: Query<(Entity, &mut Rig, Option<&Ik>)>,
    targets: Query<(Entity, &EffectorTarget)>,
    goals: Query<(Entity, &BendGoal)>,
    transforms: TransformHelper,
) {
    for (entity, mut rig, ik) in &mut rigs {
        rig.settings = ik.copied().unwrap_or_default().0;
        rig.root = transforms.compute_global_transform(entity).unwrap_or_default();
        rig.driven = Default::default();
    }
    let place = |entity: Entity, root: Entity| -> Option<(GlobalTransform, GlobalTransform)> {
        let of = |entity: Entity| transforms.compute_global_transform(entity).ok();
        Some((of(entity)?, of(root)?))
    };
    for (entity, target) in &targets {
        let Ok((root, mut rig, _)) = rigs.get_mut(target.character) else { continue };
        let Some((own, root)) = place(entity, root) else { continue };
        rig.driven.0[target.effector as usize] = true;
        let settings = rig.settings.effector_mut(target.effector);
        settings.position = Some(root.affine().inverse().transform_point3(own.translation()));
        settings.rotation = Some((root.rotation().inverse() * own.rotation()).normalize());
        (settings.position_weight, settings.rotation_weight) = (target.position_weight, target.rotation_weight);
    }
    for (entity, goal) in &goals {
        let Ok((root, mut rig, _)) = rigs.get_mut(goal.character) else { continue };
        let Some((own, root)) = place(entity, root) else { continue };
        rig.driven.1[goal.limb.index()] = true;
        let settings = rig.settings.chain_mut(goal.limb);
        settings.bend_goal = Some(root.affine().inverse().transform_point3(own.translation()));
        settings.bend_weight = goal.weight;
    }
}

/// Reads every character's pose, runs modifiers and grounding, solves all characters, writes their bones, and clears
/// the offsets in [`Ik`].
#[allow(clippy::type_complexity, reason = "a query names all its components")]
pub(crate) fn solve(
    mut rigs: Query<(Entity, &mut Rig, Option<&mut Ik>, Option<&mut Modifiers>, Option<&mut Grounding>, Shown)>,
    mut bones: Query<&mut Transform>,
    ground: Option<Res<WorldGround>>,
    time: Option<Res<Time>>,
    mut many: Local<Vec<Many>>,
) {
    let (dt, now) = time.map_or((FRAME, 0.0), |time| (time.delta_secs(), time.elapsed_secs_wrapped()));
    let ground = ground.as_deref().map(|ground| &*ground.0 as &dyn Ground);
    let mut together = 0;
    for (_, mut rig, _, modifiers, grounding, shown) in &mut rigs {
        let (rig, modifiers) = (&mut *rig, modifiers.map(Mut::into_inner));
        rig.read(&bones);
        rig.prepare(modifiers, grounding.map(Mut::into_inner), ground, (dt, now));
        rig.is_alone = is_shown(shown) || rig.acts_between;
        together += usize::from(rig.done.is_none() && !rig.is_alone);
    }
    let mut tasks: Vec<Task> = Vec::with_capacity(together);
    let mut results = Vec::with_capacity(together);
    for (_, rig, _, modifiers, _, shown) in &mut rigs {
        let rig = rig.into_inner();
        if rig.done.is_some() {
            continue;
        }
        if rig.is_alone || together < TOGETHER {
            let modifiers = modifiers.map_or_else(Default::default, |modifiers| &mut modifiers.into_inner().0[..]);
            rig.run(modifiers, is_shown(shown), (dt, now));
        } else {
            tasks.push(Task::new(&rig.solver, &rig.used, &mut rig.solved.bones));
            results.push(&mut rig.done);
        }
    }
    solve_together(&mut many, &mut tasks);
    for (task, result) in tasks.iter().zip(results) {
        *result = Some(task.done);
    }
    for (entity, mut rig, ik, modifiers, ..) in &mut rigs {
        let rig = &mut *rig;
        rig.finish(modifiers.map(Mut::into_inner), (dt, now));
        rig.report(entity);
        rig.write(&mut bones);
        if let Some(mut ik) = ik {
            ik.bypass_change_detection().0.clear_offsets();
        }
    }
}

#[cfg(feature = "parallel")]
fn solve_together(many: &mut Vec<Many>, tasks: &mut [Task]) {
    kinescope_ik::many::solve_many(many, tasks, Bones::All);
}

#[cfg(not(feature = "parallel"))]
fn solve_together(many: &mut Vec<Many>, tasks: &mut [Task]) {
    if !tasks.is_empty() {
        many.resize_with(1, Many::new);
        many[0].solve(tasks, Bones::All);
    }
}

#[cfg(feature = "gizmos")]
fn is_shown(shown: bool) -> bool {
    shown
}

#[cfg(not(feature = "gizmos"))]
fn is_shown((): ()) -> bool {
    false
}

fn kept<T: PartialEq>(own: T, written: T, animated: T) -> T {
    if own == written { animated } else { own }
}

impl Rig {
    /// Reads the animated pose. A part of a transform that still has the value last written was not animated in this
    /// frame (clips may set rotations only), and keeps its animated value: a solved value is never the input of the
    /// next solve.
    fn read(&mut self, bones: &Query<&mut Transform>) {
        for (index, &entity) in self.entities.iter().enumerate() {
            let Ok(own) = bones.get(entity) else { continue };
            let animated = match self.memory[index] {
                Some([written, animated]) => Transform {
                    translation: kept(own.translation, written.translation, animated.translation),
                    rotation: kept(own.rotation, written.rotation, animated.rotation),
                    scale: kept(own.scale, written.scale, animated.scale),
                },
                None => *own,
            };
            self.memory[index] = Some([*own, animated]);
            self.local.bones[index] = local(&animated);
        }
        self.animated.set_from_local(&self.character.skeleton, &self.local);
        self.solved.bones.clone_from(&self.animated.bones);
        self.solved.stretch.clone_from(&self.animated.stretch);
    }

    fn seen(&self, (dt, time): (f32, f32)) -> Seen<'_> {
        Seen { figure: &self.figure, root: RigidTransform::IDENTITY, dt, time }
    }

    /// Runs the modifiers that act before the solve, and grounding. Sets [`Self::done`] if the pose is not finite, and
    /// clears it otherwise.
    fn prepare(
        &mut self,
        modifiers: Option<&mut Modifiers>,
        grounding: Option<&mut Grounding>,
        ground: Option<&dyn Ground>,
        (dt, time): (f32, f32),
    ) {
        (self.used, self.seen, self.done) = (self.settings, None, None);
        self.acts_between = false;
        self.input.clear();
        self.output.clear();
        if !self.animated.bones.iter().all(RigidTransform::is_finite) {
            // The solver's error names the bone. Modifiers and grounding would keep numbers of the pose in their
            // states.
            self.done = Some(self.solver.solve(&mut self.workspace, &self.settings, &mut self.solved.bones));
            return;
        }
        if let Some(modifiers) = modifiers {
            let seen = Seen { figure: &self.figure, root: RigidTransform::IDENTITY, dt, time };
            before_read(&mut modifiers.0, &seen, &mut self.used, &mut self.solved.bones);
            self.acts_between = modifiers.0.iter().any(Running::acts_between);
            self.input.clone_from(&self.solved.bones);
        }
        if let (Some(grounding), Some(ground)) = (grounding, ground) {
            self.ground(grounding, ground, dt);
        }
    }

    /// Adds grounding to the settings. Grounding works in the world and in metres, the solver in model space.
    fn ground(&mut self, grounding: &mut Grounding, ground: &dyn Ground, dt: f32) {
        let (scale, rotation, translation) = self.root.to_scale_rotation_translation();
        let (scale, rotation) = (scale.x.abs(), rotation.normalize());
        if !(scale > 0.0 && scale.is_finite() && rotation.is_finite() && translation.is_finite()) {
            return;
        }
        if self.legs.as_ref().is_none_or(|(own, _)| *own != scale) {
            let scaled = |bone: &RigidTransform| RigidTransform { position: bone.position * scale, ..*bone };
            let reference: Vec<RigidTransform> = self.character.reference.iter().map(scaled).collect();
            let facing = self.solver.facing();
            let legs = Legs::of_bones(&self.character.skeleton, &self.character.biped, &reference, facing);
            self.legs = legs.ok().map(|legs| (scale, legs));
        }
        let Some((_, legs)) = &self.legs else { return };
        let pose = &self.solved.bones;
        self.world.clear();
        self.world.extend(pose.iter().map(|bone| RigidTransform {
            position: translation + rotation * (bone.position * scale),
            rotation: rotation * bone.rotation,
        }));
        let root = RigidTransform { position: translation, rotation };
        let mut input = legs.input(root, &self.world, [1.0; 2], dt);
        let planted = grounding
            .planted
            .unwrap_or_else(|| speed_weights(&grounding.speed, &input, [Vec3::ZERO; 2], &mut grounding.speeds));
        for (foot, weight) in input.feet.iter_mut().zip(planted) {
            foot.weight = weight;
        }
        let mut output = grounding::solve(&grounding.solver, &input, &mut grounding.state, &ground);
        let back = rotation.inverse();
        let vector = |world: Vec3| back * world / scale;
        output.pelvis = vector(output.pelvis);
        for leg in &mut output.legs {
            leg.ik_position = vector(leg.ik_position - translation);
            leg.held = vector(leg.held);
            leg.rotation_offset = back * leg.rotation_offset * rotation;
        }
        self.used = legs.drive_full_body(&output, &grounding.weights, pose, &self.used);
    }

    fn run(&mut self, modifiers: &mut [Running], is_shown: bool, (dt, time): (f32, f32)) {
        let pose = &mut self.solved.bones;
        let seen = Seen { figure: &self.figure, root: RigidTransform::IDENTITY, dt, time };
        self.done = Some(match (self.acts_between, is_shown) {
            (true, false) => solve_with_hooks(&self.solver, &mut self.workspace, &self.used, modifiers, &seen, pose),
            (false, false) => self.solver.solve(&mut self.workspace, &self.used, pose),
            (_, true) => (|| -> Result<Status, InputError> {
                let between = Between { modifiers: &*modifiers, seen };
                let hooks = self.acts_between.then_some(&between as &dyn Hooks);
                let (frame, mut state) = self.solver.read(&mut self.workspace, &self.used, pose)?;
                kinescope_ik::stepped::solve(&mut HookedSolve::new(&frame, hooks), &mut state);
                let done = self.solver.write(&mut self.workspace, &frame, &state, pose)?;
                self.seen = Some((HookedSolve::bend_frame(&frame, hooks, &state), state));
                Ok(done)
            })(),
        });
    }

    /// Runs the modifiers that act after the solve. After a failed solve restores the animated pose instead.
    fn finish(&mut self, modifiers: Option<&mut Modifiers>, times: (f32, f32)) {
        if let Some(Err(_)) = self.done {
            self.solved.bones.clone_from(&self.animated.bones);
        } else if let Some(modifiers) = modifiers {
            self.output.clone_from(&self.solved.bones);
            let mut pose = std::mem::take(&mut self.solved.bones);
            after_write(&modifiers.0, &self.seen(times), &self.used, &mut pose);
            self.solved.bones = pose;
        }
    }

    /// Logs the first of consecutive frames that cannot be solved.
    fn report(&mut self, entity: Entity) {
        let Some(Err(error)) = self.done else {
            self.is_reported = false;
            return;
        };
        if !std::mem::replace(&mut self.is_reported, true) {
            tracing::warn!("Kinescope cannot solve entity {entity}, which keeps its animated pose: {error}");
        }
    }

    /// Writes the solver's bones, and with modifiers all bones: the solved pose, or the animated one if the solve
    /// failed or had nothing to do.
    fn write(&mut self, bones: &mut Query<&mut Transform>) {
        let is_solved = self.done == Some(Ok(Status::Solved));
        // Also in the first frame after the last modifier was removed, to restore the bones that it turned.
        let was_modified = std::mem::replace(&mut self.was_modified, !self.output.is_empty());
        let is_modified = was_modified || self.was_modified;
        let is_scaled = self.local.bones.iter().any(|bone| bone.scale != Vec3::ONE);
        let scaled = (is_solved && is_scaled).then(|| self.solved.to_local(&self.character.skeleton, &self.local));
        let all = if is_modified { 0..self.entities.len() } else { 0..0 };
        let own = self.solver.written_bones().filter(|_| !is_modified);
        for bone in own.chain(all) {
            let Some([_, animated]) = self.memory[bone] else { continue };
            let to = match (&scaled, is_solved) {
                (Some(scaled), _) => scaled.bones[bone],
                (None, false) => local(&animated),
                (None, true) => {
                    let own = self.solved.bones[bone];
                    let parent = self.character.skeleton.parent(bone);
                    let own = parent.map_or(own, |parent| self.solved.bones[parent].to_local(&own));
                    LocalTransform { translation: own.position, rotation: own.rotation, ..local(&animated) }
                }
            };
            let to = Transform { translation: to.translation, rotation: to.rotation, scale: to.scale };
            if let Ok(mut own) = bones.get_mut(self.entities[bone]) {
                own.set_if_neq(to);
            }
            self.memory[bone] = Some([to, animated]);
        }
    }
}
