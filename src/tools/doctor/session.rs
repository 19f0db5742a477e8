use crate::session::{Dialog, Notice, Selection, Session};
use crate::tools::doctor;
use crate::tools::doctor::Doctor;
use crate::tools::doctor::shown::ShownRig;
use crate::tools::doctor::words as text;
use crate::ui::words::counted;
use kinescope_ik::key::label;
use kinescope_ik::stack::LayerId;

pub(crate) fn set(session: &mut Session, doctor: Doctor) {
    let before = std::mem::replace(&mut session.window.doctor, doctor);
    if before.shows_motion == doctor.shows_motion {
        return;
    }
    session.window.doctor = Doctor { shows_motion: doctor.shows_motion, ..Doctor::default() };
    session.frame_shown();
}

pub(crate) fn show_motion(session: &mut Session) {
    if !session.in_doctor() {
        session.toggle_doctor();
    }
    set(session, Doctor { shows_motion: true, ..Doctor::default() });
}

impl Session {
    pub(crate) fn toggle_doctor(&mut self) {
        self.toggle(Dialog::RigDoctor);
        let shows_motion = self.interaction.selection == Selection::Layer(LayerId::Retarget)
            && self.in_doctor()
            && self.world.character.motion.is_some();
        self.window.doctor = Doctor::default();
        set(self, Doctor { shows_motion, ..Doctor::default() });
        // The notice may be about the problems that the doctor lists.
        self.window.notice = self.window.notice.take().filter(|_| !self.in_doctor());
    }

    pub(crate) fn in_doctor(&self) -> bool {
        self.window.dialog == Some(Dialog::RigDoctor)
    }

    pub fn point_at_bone(&mut self, pointer: glam::Vec2) -> bool {
        let rig = ShownRig::of(self);
        let bone = doctor::bone_at(&rig, &rig.pose(self), &self.projector(), pointer);
        std::mem::replace(&mut self.window.doctor.bone, bone) != bone
    }

    pub(crate) fn press_bone(&mut self, pointer: glam::Vec2) {
        self.point_at_bone(pointer);
        let Some(bone) = self.window.doctor.bone else { return self.window.doctor.role = None };
        let rig = ShownRig::of(self);
        match self.window.doctor.role {
            Some(_) if !rig.is_editable(self) => {}
            Some(role) => {
                let mut document = self.world.history.document().clone();
                doctor::assign(&mut document, &rig, role, bone);
                let name = rig.edit_label(&label(role.key()));
                self.edit(&name, None, document);
            }
            None => self.window.doctor.role = doctor::role_of(rig.detection, bone).map(|finding| finding.role),
        }
    }

    pub fn report_character(&mut self) {
        let character = &self.world.character;
        let name = &character.model.name;
        let unsure = doctor::count_unsure(&character.detection);
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
