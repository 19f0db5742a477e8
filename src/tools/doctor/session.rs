//! The session's part of the rig doctor.

use crate::session::{Dialog, Notice, Session};
use crate::tools::doctor;
use crate::tools::doctor::Doctor;
use kinescope_ik::key::label;

impl Session {
    pub(crate) fn toggle_doctor(&mut self) {
        self.toggle(Dialog::RigDoctor);
        self.desk.doctor = Doctor::default();
        // The doctor shows what the notice says of the character.
        self.desk.notice = self.desk.notice.take().filter(|_| !self.in_doctor());
    }

    /// Whether the rig doctor is open: the picture is of bones, not of handles.
    pub fn in_doctor(&self) -> bool {
        self.desk.dialog == Some(Dialog::RigDoctor)
    }

    /// Lights the bone under the pointer up. Returns whether another one is lit.
    pub fn point_at_bone(&mut self, pointer: glam::Vec2) -> bool {
        let bone = doctor::bone_at(&self.character, &self.picture.pose, &self.projector(), pointer);
        std::mem::replace(&mut self.desk.doctor.bone, bone) != bone
    }

    /// A click on a bone gives it the role that is chosen, or chooses the one that it plays.
    pub(crate) fn press_bone(&mut self, pointer: glam::Vec2) {
        self.point_at_bone(pointer);
        let Some(bone) = self.desk.doctor.bone else { return self.desk.doctor.role = None };
        match self.desk.doctor.role {
            // Those of a trace or a capsule are given.
            Some(_) if self.character.is_of_bones() => {}
            Some(role) => {
                let mut document = self.history.document().clone();
                doctor::assign(&mut document, &self.character, role, bone);
                let name = label(role.key());
                self.edit(&format!("{name} of the rig"), None, document);
            }
            None => self.desk.doctor.role = doctor::role_of(&self.character, bone).map(|finding| finding.role),
        }
    }

    /// Says what was opened, and that there is something to look at where there is.
    pub fn tell_of_character(&mut self) {
        let character = &self.character;
        let name = &character.model.name;
        let unsure = doctor::count_unsure(character);
        let things = if unsure == 1 { "one thing".to_owned() } else { format!("{unsure} things") };
        let (text, is_error) = match &character.rig.full_body {
            Err(error) => (format!("{name}: {error} (press D for the rig doctor)"), true),
            Ok(_) if unsure > 0 => {
                let first = character.detection.problems.first().map_or_else(
                    || {
                        let roles = character.detection.roles.iter();
                        let role = roles.filter(|role| doctor::is_unsure(role)).map(|role| role.role.key()).next();
                        format!("the {} is not sure", label(role.unwrap_or_default()))
                    },
                    Clone::clone,
                );
                (format!("{name}: {things} to look at in the rig doctor (press D). The first: {first}"), true)
            }
            Ok(_) => (format!("{name}: {} bones", character.model.skeleton.len()), false),
        };
        self.desk.notice = Some(Notice { text, is_error, age: 0.0 });
    }
}
