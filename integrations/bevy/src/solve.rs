//! Prepares each character's settings, and solves.

use bevy_ecs::prelude::*;
use bevy_transform::components::{GlobalTransform, Transform};
use bevy_transform::helper::TransformHelper;
use kinescope_ik::full_body::Solve;
use kinescope_ik::glam::Vec3;
use kinescope_ik::{InputError, LocalTransform, Status};

use crate::rig::local;
use crate::{BendGoal, EffectorTarget, Ik, Rig};

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
    for (_, mut rig, ik) in &mut rigs {
        rig.settings = ik.copied().unwrap_or_default().0;
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

/// Reads every character's pose, solves it, and writes the bones that the solver moves.
pub(crate) fn solve(mut rigs: Query<(&mut Rig, Option<&mut Ik>, Shown)>, mut bones: Query<&mut Transform>) {
    for (mut rig, ik, shown) in &mut rigs {
        let rig = &mut *rig;
        rig.read(&bones);
        rig.run(is_shown(shown));
        rig.write(&mut bones);
        if let Some(mut ik) = ik {
            ik.bypass_change_detection().0.clear_offsets();
        }
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
    /// Reads the animated pose. A part of a transform that still has the value last written was not animated in this frame (clips
    /// may set rotations only), and keeps its animated value: a solved value is never the input of the next solve.
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

    fn run(&mut self, is_shown: bool) {
        self.seen = None;
        let pose = &mut self.solved.bones;
        self.done = Some(match is_shown {
            false => self.solver.solve(&mut self.workspace, &self.settings, pose),
            true => (|| -> Result<Status, InputError> {
                let (frame, mut state) = self.solver.read(&mut self.workspace, &self.settings, pose)?;
                kinescope_ik::stepped::solve(&mut Solve::new(&frame), &mut state);
                let done = self.solver.write(&mut self.workspace, &frame, &state, pose)?;
                self.seen = Some((frame, state));
                Ok(done)
            })(),
        });
    }

    /// Writes the solver's bones: the solved pose, or the animated one if the solve failed or had nothing to do.
    fn write(&mut self, bones: &mut Query<&mut Transform>) {
        let is_solved = self.done == Some(Ok(Status::Solved));
        let is_scaled = self.local.bones.iter().any(|bone| bone.scale != Vec3::ONE);
        let scaled = (is_solved && is_scaled).then(|| self.solved.to_local(&self.character.skeleton, &self.local));
        for bone in self.solver.written_bones() {
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
