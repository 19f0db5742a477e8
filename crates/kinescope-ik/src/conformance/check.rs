//! Comparison of a port's answer with a case.

use fastrand::Rng;
use glam::{Quat, Vec3};

use super::case::Case;
use crate::error::Fault;
use crate::full_body::{Settings, Step};
use crate::rig::Role;
use crate::trace::{Rig, Trace};
use crate::trace_diff::{StepDiff, TraceDiff, WriteDiff, default_tolerance, diff, height};

const TRIES: u64 = 8;
/// The size of the changes to the input: for positions as a fraction of the character's height, for the numbers of a
/// quaternion absolute. Storing poses as local transforms in f32 causes changes of this size.
const ROUNDING: f32 = 5e-7;

/// Solves a case with [`TRIES`] slightly changed inputs. Returns the differences of each result from the case, at half
/// the tolerance of positions. A port cannot be expected to match the parts that differ.
pub(super) fn undecided(trace: &Trace) -> Result<Vec<TraceDiff>, Fault> {
    let tolerance = default_tolerance(&trace.rig);
    (0..TRIES)
        .map(|number| {
            let mut noise = Noise(Rng::with_seed(number));
            let (mut rig, mut settings) = (trace.rig.clone(), trace.parameters);
            noise.shake_rig(&mut rig);
            noise.shake_settings(&mut settings, height(&trace.rig) * ROUNDING);
            Ok(diff(&Trace::whole("rounded", rig, settings)?, trace, 0.5 * tolerance))
        })
        .collect()
}

struct Noise(Rng);

impl Noise {
    fn number(&mut self) -> f32 {
        self.0.f32() * 2.0 - 1.0
    }

    fn shake(&mut self, place: &mut Vec3, by: f32) {
        *place += Vec3::new(self.number(), self.number(), self.number()) * by;
    }

    fn shake_rig(&mut self, rig: &mut Rig) {
        let by = height(rig) * ROUNDING;
        for bone in rig.reference.iter_mut().chain(&mut rig.animated) {
            self.shake(&mut bone.position, by);
            let turn = Quat::from_xyzw(self.number(), self.number(), self.number(), self.number()) * ROUNDING;
            bone.rotation = (bone.rotation + turn).normalize();
        }
    }

    fn shake_settings(&mut self, settings: &mut Settings, by: f32) {
        let places = settings.effectors.iter_mut().filter_map(|own| own.position.as_mut());
        let goals = settings.chains.iter_mut().flat_map(|own| [own.bend_goal.as_mut(), own.bend_direction.as_mut()]);
        places.chain(goals.flatten()).for_each(|place| self.shake(place, by));
    }
}

impl Case {
    /// Compares a port's answer (the first trace) with this case (the second), as far as the answer goes. Parts that
    /// depend on the rounding of the input (such as the bend side of a limb without direction) count as equal.
    ///
    /// # Errors
    /// [`Fault`] for an answer without anything to compare, or with a stage of writing that is repeated or lacks a bone
    /// with a role.
    pub fn check(&self, answer: &Trace) -> Result<TraceDiff, Fault> {
        self.check_whole(answer)?;
        let mut own = self.trace.clone();
        // Otherwise every stage would count as missing from an answer that has none.
        if answer.steps.is_empty() {
            own.steps.clear();
        }
        let mut found = diff(&self.without_undecided(answer), &own, default_tolerance(&own.rig));
        if own.writes.is_empty() {
            found.writes = answer.writes.iter().map(|(part, _)| WriteDiff::OnlyA(*part)).collect();
        }
        // A missing stage is a difference only if nothing else differs.
        let all = found.steps.clone();
        found.steps.retain(|step| !matches!(step, StepDiff::OnlyB(_)));
        if found.is_same() {
            found.steps = all;
        }
        Ok(found)
    }

    fn check_whole(&self, answer: &Trace) -> Result<(), Fault> {
        if answer.result.is_empty() && (answer.steps.is_empty() || self.trace.steps.is_empty()) {
            let message = match self.trace.steps.is_empty() {
                true => "is missing; the case has no stages, so only the pose can be compared",
                false => "is missing, and so is `steps`; at least one of them is needed",
            };
            return Err(Fault::new("result", message));
        }
        for (index, (part, bones)) in answer.writes.iter().enumerate() {
            if answer.writes[..index].iter().any(|(other, _)| other == part) {
                return Err(Fault::new(
                    format!("writes[{index}].stage"),
                    format!("is {} again; each stage of writing may be there once", part.key()),
                ));
            }
            let roles = Role::ALL.into_iter().flat_map(|role| answer.rig.biped.bones_of(role));
            if let Some(bone) = roles.into_iter().find(|bone| !bones.contains_key(bone)) {
                let name = &answer.rig.skeleton.bones()[bone].name;
                let message = format!("lacks bone {bone} ({name:?}); every bone with a role is required");
                return Err(Fault::new(format!("writes[{index}].bones"), message));
            }
        }
        Ok(())
    }

    /// Returns the answer with the case's own values for everything undecided, and without the moves of stages in which
    /// a node or move is undecided.
    fn without_undecided(&self, answer: &Trace) -> Trace {
        let mut adapted = answer.clone();
        for undecided in &self.undecided {
            let within = |bone: &str| self.trace.rig.skeleton.find(bone);
            for step in &undecided.steps {
                let StepDiff::Both { above, .. } = step else { continue };
                for own in above {
                    let same = adapted.steps.iter_mut().filter(|(step, _)| *step == own.step);
                    same.for_each(|(_, nodes)| nodes[own.node] = own.b);
                    forget_moves(&mut adapted, own.step);
                }
            }
            undecided.moves.iter().for_each(|own| forget_moves(&mut adapted, own.step));
            for own in &undecided.constants {
                adapted.more.constants.entry(own.name.clone()).and_modify(|values| values.clone_from(&own.b));
            }
            for write in &undecided.writes {
                let WriteDiff::Both { part, above, .. } = write else { continue };
                let Some((_, own)) = self.trace.writes.iter().find(|(own, _)| own == part) else { continue };
                for bone in above.iter().filter_map(|bone| within(&bone.bone)) {
                    let same = adapted.writes.iter_mut().filter(|(theirs, _)| theirs == part);
                    same.filter_map(|(_, bones)| bones.get_mut(&bone)).for_each(|theirs| *theirs = own[&bone]);
                }
            }
            let off = undecided.result.iter().filter(|bone| undecided.is_off(bone));
            for bone in off.filter_map(|bone| within(&bone.bone)) {
                if let (Some(theirs), Some(own)) = (adapted.result.get_mut(bone), self.trace.result.get(bone)) {
                    *theirs = *own;
                }
            }
        }
        adapted
    }
}

fn forget_moves(trace: &mut Trace, step: Step) {
    let moves = trace.more.moves.iter_mut().zip(&trace.steps);
    moves.filter(|(_, (own, _))| *own == step).for_each(|(moves, _)| moves.clear());
}
