//! Session actions of the rig doctor.

use crate::session::{Dialog, Notice, Session};
use crate::tools::doctor;
use crate::tools::doctor::Doctor;
use crate::tools::doctor::words as text;
use crate::ui::words::counted;
use kinescope_ik::key::label;

impl Session {
    pub(crate) fn toggle_doctor(&mut self) {
        self.toggle(Dialog::RigDoctor);
        self.window.doctor = Doctor::default();
        // The notice is removed, because the doctor lists the problems that the notice mentions.
        self.window.notice = self.window.notice.take().filter(|_| !self.in_doctor());
    }

    /// Returns whether the rig doctor is open. While it is open, the picture shows bones instead of handles.
    pub fn in_doctor(&self) -> bool {
        self.window.dialog == Some(Dialog::RigDoctor)
    }

    pub fn point_at_bone(&mut self, pointer: glam::Vec2) -> bool {
        let bone = doctor::bone_at(&self.world.character, &self.world.picture.pose, &self.projector(), pointer);
        std::mem::replace(&mut self.window.doctor.bone, bone) != bone
    }

    /// Assigns the selected role to the clicked bone or, without a selected role, selects the bone's role. A click beside
    /// all bones deselects the role.
    pub(crate) fn press_bone(&mut self, pointer: glam::Vec2) {
        self.point_at_bone(pointer);
        let Some(bone) = self.window.doctor.bone else { return self.window.doctor.role = None };
        match self.window.doctor.role {
            // The bones of a trace, capsule or recording have fixed roles.
            Some(_) if self.world.character.is_of_bones() => {}
            Some(role) => {
                let mut document = self.world.history.document().clone();
                doctor::assign(&mut document, &self.world.character, role, bone);
                let name = label(role.key());
                self.edit(&text::edit_role(&name), None, document);
            }
            None => self.window.doctor.role = doctor::role_of(&self.world.character, bone).map(|finding| finding.role),
        }
    }

    pub fn report_character(&mut self) {
        let character = &self.world.character;
        let name = &character.model.name;
        let unsure = doctor::count_unsure(character);
        let items = counted(unsure, "item");
        let (text, is_error) = match &character.rig.full_body {
            Err(error) => (text::rig_error(&name, &error), true),
            Ok(_) if unsure > 0 => {
                let first = character.detection.problems.first().map_or_else(
                    || {
                        let roles = character.detection.roles.iter();
                        let role = roles.filter(|role| doctor::is_unsure(role)).map(|role| role.role.key()).next();
                        text::role_unsure(&label(role.unwrap_or_default()))
                    },
                    Clone::clone,
                );
                (text::check_roles(&name, &items, &first), true)
            }
            Ok(_) => (text::bones_of(&name, &character.model.skeleton.len()), false),
        };
        self.window.notice = Some(Notice { text, is_error, age: 0.0 });
    }
}
