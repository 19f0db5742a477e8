use egui_macroquad::egui::{Shape, Stroke};

use crate::picture::labels::Rank;
use crate::picture::overlay::{Layer, Note, Overlay};
use crate::session::Session;
use crate::tools::doctor::shown::ShownRig;
use crate::tools::doctor::words as text;
use crate::tools::doctor::{bone_lines, is_unsure, limb_of, role_of};
use crate::ui::theme::fade;
use kinescope_ik::key::label;

pub(crate) fn draw(session: &Session, overlay: &mut Overlay) {
    let (rig, doctor) = (ShownRig::of(session), session.window.doctor);
    let lit = |bone: usize| {
        let of = |role| rig.detection.roles.iter().any(|finding| finding.role == role && finding.bones.contains(&bone));
        doctor.bone == Some(bone)
            || doctor.hovered.is_some_and(of)
            || (doctor.hovered.is_none() && doctor.role.is_some_and(of))
    };
    let mut labelled = false;
    for (bone, from, to) in bone_lines(&rig.model.skeleton, &rig.pose(session)) {
        let finding = role_of(rig.detection, bone);
        let theme = overlay.theme;
        let color = match finding {
            Some(finding) => limb_of(finding.role).map_or(theme.body, |limb| theme.limb(limb)),
            None => theme.text[2],
        };
        let lit = lit(bone);
        let (width, color) = match (lit, finding) {
            (true, _) => (4.6, theme.accent),
            (false, Some(_)) => (3.0, color),
            (false, None) => (1.2, fade(color, 0.7)),
        };
        overlay.stroke(Layer::Bones, from, to, width, color);
        let Some(at) = overlay.at(from) else { continue };
        let radius = if finding.is_some() { 4.5 } else { 2.2 };
        overlay.add(Layer::Nodes, Shape::circle_filled(at, radius + 1.5, fade(theme.halo, 0.6)));
        overlay.add(Layer::Nodes, Shape::circle_filled(at, radius, color));
        if finding.is_some_and(is_unsure) {
            overlay.add(Layer::Nodes, Shape::circle_stroke(at, radius + 4.0, Stroke::new(2.0, theme.warning)));
        }
        if doctor.bone == Some(bone) && !labelled {
            labelled = true;
            let name = &rig.model.skeleton.bones()[bone].name;
            let role = finding.map_or(text::NO_ROLE.to_owned(), |finding| label(finding.role.key()));
            let text = match doctor.role.filter(|_| rig.is_editable(session)) {
                Some(wanted) => text::bone_and_click(&name, &role, &label(wanted.key())),
                None => text::bone_and_role(&name, &role),
            };
            overlay.note(Note::new(Rank::Pointer, "doctor", at, text).toward(1.0, -1.0).clear(8.0));
        }
    }
}
