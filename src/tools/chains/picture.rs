//! Adapters that draw a run at an offset or faintly, and the labels of the lab's lanes.

use egui_macroquad::egui::{Color32, Stroke};
use glam::Vec3;

use crate::picture::labels::Rank;
use crate::picture::overlay::{Layer, Note, Overlay, foot_node, hollow};
use crate::session::Session;
use crate::tools::chains::Zone;
use crate::tools::chains::words as text;
use crate::ui::theme::fade;
use crate::ui::words::{self, counted, lane_name};
use kinescope_ik::debug_draw::{DebugDraw, Subject};
use kinescope_ik::full_body::Node;
use kinescope_ik::stack::LayerId;
use kinescope_ik::stepped::Cursor;

/// Draws lines and arrows as faded hairlines, and points as small hollow marks, so that feet and bones stay visible.
struct Faint<'a, 'b> {
    to: &'a mut Overlay<'b>,
}

impl Faint<'_, '_> {
    fn node(subject: Subject) -> Node {
        match subject {
            Subject::Cast { side, .. } | Subject::CastHit(side) => foot_node(side),
            Subject::PredictedFoot(side) => foot_node(Some(side)),
            _ => Node::Body,
        }
    }

    fn color(&self, subject: Subject) -> Color32 {
        let is_miss = matches!(subject, Subject::Cast { hit: false, .. });
        fade(self.to.theme.node(Self::node(subject)), if is_miss { 0.25 } else { 0.45 })
    }
}

impl DebugDraw for Faint<'_, '_> {
    fn line(&mut self, from: Vec3, to: Vec3, subject: Subject) {
        let stroke = Stroke::new(1.0, self.color(subject));
        self.to.plain(Layer::Ghost, from, to, stroke);
    }

    fn point(&mut self, at: Vec3, _size: f32, subject: Subject) {
        let Some(at) = self.to.at(at) else { return };
        let stroke = Stroke::new(1.0, self.color(subject));
        self.to.add(Layer::Ghost, hollow(Self::node(subject), at, 2.5, stroke));
    }

    fn arrow(&mut self, from: Vec3, to: Vec3, subject: Subject) {
        self.line(from, to, subject);
    }
}

/// Draws at the offset `by`. If `is_faint`, draws lines, points and arrows as [`Faint`] does, for a second result or
/// where the drawn run [asks for it](DebugDraw::faint).
pub(crate) struct Aside<'a, 'b> {
    pub(crate) to: &'a mut Overlay<'b>,
    pub(crate) by: Vec3,
    /// Whether the layers for bones, joints and targets are hidden.
    pub(crate) hides: [bool; 3],
    pub(crate) is_faint: bool,
}

impl Aside<'_, '_> {
    fn shows(&self, subject: Subject) -> bool {
        let [bones, nodes, targets] = self.hides;
        !match subject {
            Subject::ChainBone(_) => bones,
            Subject::ChainJoint(_) => nodes,
            Subject::ChainTarget | Subject::ChainError => targets,
            _ => false,
        }
    }
}

impl DebugDraw for Aside<'_, '_> {
    fn line(&mut self, from: Vec3, to: Vec3, subject: Subject) {
        let (from, to) = (from + self.by, to + self.by);
        match self.is_faint {
            true => Faint { to: self.to }.line(from, to, subject),
            false if self.shows(subject) => self.to.line(from, to, subject),
            false => {}
        }
    }

    fn triangle(&mut self, corners: [Vec3; 3], subject: Subject) {
        self.to.triangle(corners.map(|corner| corner + self.by), subject);
    }

    fn point(&mut self, at: Vec3, size: f32, subject: Subject) {
        match self.is_faint {
            true => Faint { to: self.to }.point(at + self.by, size, subject),
            false if self.shows(subject) => self.to.point(at + self.by, size, subject),
            false => {}
        }
    }

    fn arrow(&mut self, from: Vec3, to: Vec3, subject: Subject) {
        let (from, to) = (from + self.by, to + self.by);
        match self.is_faint {
            true => Faint { to: self.to }.line(from, to, subject),
            false => self.to.arrow(from, to, subject),
        }
    }

    fn faint(&mut self, on: bool) {
        self.is_faint = on;
    }

    fn text(&mut self, at: Vec3, text: &str, subject: Subject) {
        self.to.text(at + self.by, text, subject);
    }
}

/// Distance between the roots of two lanes below which their labels become narrow, logical pixels.
const WIDE_NAME: f32 = 190.0;
/// Length of a lane's name above which a narrow label breaks the name at its commas, bytes.
const LONG_NAME: usize = 16;

pub(crate) fn lane_label(session: &Session, layer: LayerId, overlay: &mut Overlay) {
    let (LayerId::Lane(lane), Some(run)) = (layer, session.world.solved.chain(layer)) else { return };
    let (recording, by) = (&run.recording, session.lane_offset(layer));
    let root = recording.solve.start.positions[0] + by;
    let Some(place) = overlay.at(root) else { return };
    let off = session.world.character.length(session.chain_error(layer).unwrap_or_default());
    // Before the end of the solve, the label has the iteration of the step drawn instead of the number of iterations.
    let at = session.chain_cursor(layer).filter(|&at| at != Cursor::end(run));
    let done = match at.and_then(|at| recording.solve.steps.get(at.step)) {
        Some(step) => step.step.iteration.map(|at| text::at_iteration(&at)),
        None => Some(counted(recording.outcome.iterations as usize, "iteration")),
    };
    let color = overlay.theme.lane(lane);
    let zone = Zone::of(&recording.chain, recording.goals[0].position, recording.solve.start.positions[0]);
    let next = overlay.at(root + session.lane_offset(LayerId::Lane(1)) - session.lane_offset(LayerId::Lane(0)));
    let room = next.map_or(f32::INFINITY, |next| next.x - place.x);
    let (name, zone) = (lane_name(&recording.settings), zone.label());
    let is_narrow = session.lane_offset(LayerId::Lane(0)) != Vec3::ZERO && room < WIDE_NAME;
    // Narrow labels omit the zone, because it is the same for all lanes, and the pane shows it.
    let text = match is_narrow {
        true => {
            let name = if name.len() > LONG_NAME { name.replace(", ", ",\n") } else { name };
            [Some(name), done, Some(text::off(&off))].into_iter().flatten().collect::<Vec<_>>().join("\n")
        }
        false => {
            let done = done.unwrap_or(text::OUTSIDE_ITERATIONS.to_owned());
            text::lane_label(&name, &zone, &done, &off)
        }
    };
    let number = lane + 1;
    let named = words::lane_label(lane, Some(&recording.settings));
    let solver = text::lane_short(&number, &recording.settings.solver.label());
    let note = Note::new(Rank::Tag, ("lane", lane), place, text).or(vec![named, solver, number.to_string()]);
    overlay.note(note.mark(color).toward(0.0, 1.0).clear(14.0));
}
