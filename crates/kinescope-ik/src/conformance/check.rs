//! A port's answer, held against a case.

use fastrand::Rng;
use glam::{Quat, Vec3};

use super::case::Case;
use crate::error::Fault;
use crate::full_body::{Settings, Step};
use crate::rig::Role;
use crate::trace::{Rig, Trace};
use crate::trace_diff::{StepDiff, TraceDiff, WriteDiff, default_tolerance, diff, height};

/// How often a case is solved from slightly other numbers.
const TRIES: u64 = 8;
/// What numbers are changed by then, as a share of the character's height and of 1: poses that were stored as local transforms
/// in f32, and made whole again, differ by that.
const ROUNDING: f32 = 5e-7;

/// What the rounding of its input decides in a solve, by what it comes to: no port can be held to that.
///
/// # Errors
/// As [`Trace::whole`].
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

/// Changes numbers by chance, the same way every time.
struct Noise(Rng);

impl Noise {
    /// Within 1.
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
    /// What a port came to, against this case: as much of it as the port tells. Where the rounding of the input decides
    /// (which way a limb bends that goes nowhere), it is right whatever it says.
    ///
    /// # Errors
    /// [`Fault`] for an answer that tells nothing that can be compared, a stage of writing twice or without a bone that has a
    /// role.
    pub fn check(&self, answer: &Trace) -> Result<TraceDiff, Fault> {
        self.check_whole(answer)?;
        let mut own = self.trace.clone();
        // Who does not tell of stages is not held to have none.
        if answer.steps.is_empty() {
            own.steps.clear();
        }
        let mut found = diff(&self.without_undecided(answer), &own, default_tolerance(&own.rig));
        if own.writes.is_empty() {
            found.writes = answer.writes.iter().map(|(part, _)| WriteDiff::OnlyA(*part)).collect();
        }
        // A stage that is not told is a difference only where what is told shows none.
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
                true => "is left out; there are no stages, and the pose is all that there is to tell",
                false => "and `steps` are left out; tell at least one of them",
            };
            return Err(Fault::new("result", message));
        }
        for (index, (part, bones)) in answer.writes.iter().enumerate() {
            if answer.writes[..index].iter().any(|(other, _)| other == part) {
                return Err(Fault::new(format!("writes[{index}].stage"), format!("is {} once more", part.key())));
            }
            let roles = Role::ALL.into_iter().flat_map(|role| answer.rig.biped.bones_of(role));
            if let Some(bone) = roles.into_iter().find(|bone| !bones.contains_key(bone)) {
                let name = &answer.rig.skeleton.bones()[bone].name;
                let message = format!("lacks bone {bone} ({name:?}); every bone with a role is told");
                return Err(Fault::new(format!("writes[{index}].bones"), message));
            }
        }
        Ok(())
    }

    /// The answer, with the case's own words for what is undecided.
    fn without_undecided(&self, answer: &Trace) -> Trace {
        let mut told = answer.clone();
        for undecided in &self.undecided {
            let within = |bone: &str| self.trace.rig.skeleton.find(bone);
            for step in &undecided.steps {
                let StepDiff::Both { above, .. } = step else { continue };
                for own in above {
                    let same = told.steps.iter_mut().filter(|(step, _)| *step == own.step);
                    same.for_each(|(_, nodes)| nodes[own.node] = own.b);
                    forget_moves(&mut told, own.step);
                }
            }
            undecided.moves.iter().for_each(|own| forget_moves(&mut told, own.step));
            for own in &undecided.constants {
                told.more.constants.entry(own.name.clone()).and_modify(|values| values.clone_from(&own.b));
            }
            for write in &undecided.writes {
                let WriteDiff::Both { part, above, .. } = write else { continue };
                let Some((_, own)) = self.trace.writes.iter().find(|(own, _)| own == part) else { continue };
                for bone in above.iter().filter_map(|bone| within(&bone.bone)) {
                    let same = told.writes.iter_mut().filter(|(told, _)| told == part);
                    same.filter_map(|(_, bones)| bones.get_mut(&bone)).for_each(|told| *told = own[&bone]);
                }
            }
            let off = undecided.result.iter().filter(|bone| undecided.is_off(bone));
            for bone in off.filter_map(|bone| within(&bone.bone)) {
                if let (Some(told), Some(own)) = (told.result.get_mut(bone), self.trace.result.get(bone)) {
                    *told = *own;
                }
            }
        }
        told
    }
}

fn forget_moves(trace: &mut Trace, step: Step) {
    let moves = trace.more.moves.iter_mut().zip(&trace.steps);
    moves.filter(|(_, (own, _))| *own == step).for_each(|(moves, _)| moves.clear());
}
