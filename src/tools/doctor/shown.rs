//! The skeleton that the rig doctor shows: the character's, or that of the motion file beside it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use glam::{Quat, Vec3};

use crate::character::motion_file::MotionFile;
use crate::session::Session;
use crate::tools::doctor::words as text;
use crate::world::document::Document;
use kinescope_ik::math::{from_to_about_axis, unit};
use kinescope_ik::rig::detect::{Detection, MappedBones};
use kinescope_ik::rig::{Model, ModelPose, RigidTransform, Role};
use kinescope_ik::stack::LayerId;

/// Distance of the motion file's skeleton from the character, in heights of the character.
const BESIDE: f32 = 0.75;

pub struct ShownRig<'a> {
    pub model: &'a Model,
    pub(crate) detection: &'a Detection,
    pub(crate) motion: Option<&'a MotionFile>,
}

impl<'a> ShownRig<'a> {
    pub fn of(session: &'a Session) -> Self {
        let character = &session.world.character;
        match character.motion.as_ref().filter(|_| session.window.doctor.shows_motion) {
            Some(motion) => {
                Self { model: motion.source.model(), detection: &motion.source.detection, motion: Some(motion) }
            }
            None => Self { model: &character.model, detection: &character.detection, motion: None },
        }
    }

    pub(crate) fn chosen<'d>(&self, document: &'d mut Document) -> &'d mut BTreeMap<Role, MappedBones> {
        match self.motion {
            Some(_) => &mut document.motion_file.roles,
            None => &mut document.mapping.roles,
        }
    }

    /// Returns whether the user can change the roles. The bones of a trace, capsule or recording have fixed roles.
    pub(crate) fn is_editable(&self, session: &Session) -> bool {
        self.motion.is_some() || !session.world.character.is_of_bones()
    }

    pub(crate) fn edit_label(&self, role: &str) -> String {
        match self.motion {
            Some(_) => text::edit_motion_role(&role),
            None => text::edit_role(&role),
        }
    }

    pub fn pose(&self, session: &'a Session) -> Cow<'a, ModelPose> {
        match self.motion {
            Some(motion) => Cow::Owned(beside(session, motion)),
            None => Cow::Borrowed(&session.world.picture.pose),
        }
    }
}

fn beside(session: &Session, motion: &MotionFile) -> ModelPose {
    let (world, source) = (&session.world, &motion.source.detection);
    let (character, reference) = (&world.character, &source.reference.bones);
    let playing = world.solved.input.source.as_ref().map(|own| &own.pose);
    let pose = playing.filter(|pose| pose.len() == reference.len()).unwrap_or(reference);
    let scale = motion.scale().unwrap_or(character.height / source.height.max(f32::MIN_POSITIVE));
    let flat = [source.facing, character.detection.facing].map(|facing| unit(facing.with_y(0.0)));
    let turn = match flat {
        [Some(from), Some(to)] => from_to_about_axis(from, to, Vec3::Y),
        _ => Quat::IDENTITY,
    };
    let pelvis = |detection: &Detection| {
        let found = detection.roles.iter().find(|finding| finding.role == Role::Pelvis);
        found.and_then(|finding| finding.bones.first().copied()).unwrap_or(0)
    };
    let at = |pose: &[RigidTransform], bone: usize| {
        pose.get(bone).map(|own| own.position).filter(|at| at.is_finite()).unwrap_or_default()
    };
    let root = world.motion.root;
    let own = at(&world.picture.pose.bones, pelvis(&character.detection));
    let foot = root.position + (own - root.position).with_y(0.0);
    let from = at(pose, pelvis(source)).with_y(0.0);
    let to = foot + offset(session);
    let bone = |own: &RigidTransform| RigidTransform {
        position: to + root.rotation * (turn * (own.position - from) * scale),
        rotation: root.rotation * turn * own.rotation,
    };
    ModelPose::rigid(pose.iter().map(bone).collect())
}

fn offset(session: &Session) -> Vec3 {
    let world = &session.world;
    world.motion.root.rotation * world.character.detection.left * (BESIDE * world.character.height)
}

/// Returns the vector from the character to the motion file's skeleton, and the positions of the skeleton's joints,
/// both in model units. `None` while the skeleton is not shown.
pub(crate) fn motion_beside(session: &Session) -> Option<(Vec3, Vec<Vec3>)> {
    let motion = session.world.character.motion.as_ref()?;
    let is_shown = match session.in_doctor() {
        true => session.window.doctor.shows_motion,
        false => session.focus() == LayerId::Retarget && session.world.solved.input.source.is_some(),
    };
    is_shown.then(|| (offset(session), beside(session, motion).bones.iter().map(|bone| bone.position).collect()))
}
