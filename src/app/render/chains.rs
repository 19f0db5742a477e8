//! Chains on top of the picture: those of the lab side by side, or one of the character.

use crate::stack::{LayerId};
use egui_macroquad::egui::{Align2, vec2};
use glam::Vec3;

use super::overlay::Overlay;
use crate::app::chains::Zone;
use crate::app::panels::widgets::counted;
use crate::app::session::Session;
use crate::chain_ik::draw::{draw_chain, draw_limit, draw_move, draw_targets};
use crate::chain_ik::{Recording, State};
use crate::debug_draw::{DebugDraw, Subject};

/// Everything aside by the same way.
struct Aside<'a, 'b> {
    to: &'a mut Overlay<'b>,
    by: Vec3,
    /// Bones, joints, targets: layers that are off.
    hides: [bool; 3],
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
        if self.shows(subject) {
            self.to.line(from + self.by, to + self.by, subject);
        }
    }

    fn triangle(&mut self, corners: [Vec3; 3], subject: Subject) {
        self.to.triangle(corners.map(|corner| corner + self.by), subject);
    }

    fn point(&mut self, at: Vec3, size: f32, subject: Subject) {
        if self.shows(subject) {
            self.to.point(at + self.by, size, subject);
        }
    }

    fn arrow(&mut self, from: Vec3, to: Vec3, subject: Subject) {
        self.to.arrow(from + self.by, to + self.by, subject);
    }
}

/// All lanes of the lab, or the character's chains with the one in focus brought out.
pub(super) fn draw(session: &Session, overlay: &mut Overlay) {
    let focus = session.chain_focus();
    for own in session.chains_shown() {
        let is_focus = focus == Some(own);
        overlay.chain_color = match own {
            LayerId::Lane(lane) => overlay.theme.lane(lane),
            LayerId::Chain(_) if is_focus => overlay.theme.bend,
            LayerId::Chain(_) => overlay.theme.text[2],
        };
        let by = session.lane_offset(own);
        let solve = session.chains.get(own);
        let Some(recording) = solve.and_then(|solve| solve.recording.as_ref()) else { continue };
        let Some(state) = session.chain_state(own) else { continue };
        let view = &session.view;
        let mut out = Aside { to: overlay, by, hides: [!view.bones, !view.nodes, !view.targets] };
        draw_chain(&recording.chain, &state, false, &mut out);
        let goals = recording.goals.iter().zip(&recording.targets);
        let targets: Vec<(usize, Vec3)> = goals.map(|(goal, &target)| (goal.joint, target)).collect();
        draw_targets(&state, &targets, &mut out);
        if is_focus {
            focused(session, recording, &state, &mut out);
        }
        if let LayerId::Lane(lane) = own {
            lane_label(session, lane, recording, by, overlay);
        }
    }
}

/// What is shown of the chain in focus alone: what was before, the move at the cursor, the limit of a bone.
fn focused(session: &Session, recording: &Recording, state: &State, out: &mut Aside) {
    let bone = session.chains.bone;
    let excess = if session.paused {
        let Some(own) = session.chain_focus() else { return };
        if let Some(before) = session.chain_state_before(own).filter(|_| session.view.previous_step) {
            draw_chain(&recording.chain, &before, true, out);
        }
        let moves = recording.solve.events_of(session.cursor.step);
        match session.cursor.within.and_then(|within| moves.get(within)) {
            Some(moved) => {
                if session.view.displacements {
                    draw_move(state, moved, out);
                }
                moved.excess
            }
            None => {
                let of_bone = moves.iter().filter(|moved| bone_of(moved) == Some(bone));
                of_bone.map(|moved| moved.excess).fold(0.0, f32::max)
            }
        }
    } else {
        // What was asked of the bone last.
        let last = recording.solve.events.iter().rfind(|moved| bone_of(moved) == Some(bone));
        last.map_or(0.0, |moved| moved.excess)
    };
    if session.view.limits {
        let chain = &recording.chain;
        for index in 0..chain.bones().len() {
            let excess = if index == bone { excess } else { 0.0 };
            draw_limit(chain, state, index, excess, out);
        }
    }
}

/// The bone that a move turned.
fn bone_of(moved: &crate::chain_ik::Move) -> Option<usize> {
    match moved.cause {
        crate::chain_ik::Cause::Turn => Some(moved.joint),
        _ => moved.joint.checked_sub(1),
    }
}

/// Name, iterations and error under a lane's root.
fn lane_label(session: &Session, lane: usize, recording: &Recording, by: Vec3, overlay: &mut Overlay) {
    let root = recording.solve.start.positions[0] + by;
    let Some(at) = overlay.at(root) else { return };
    // Paused, what is looked at is the step at the cursor.
    let here = recording.solve.steps.get(session.cursor.step);
    let here = here.filter(|_| session.paused && session.chain_focus() == Some(LayerId::Lane(lane)));
    let done = match here {
        Some(step) => {
            let at = step.step.iteration.map_or("outside the iterations".to_owned(), |at| format!("iteration {at}"));
            format!("{at}, {} off", session.character.length(recording.error(&step.state)))
        }
        None => {
            let outcome = recording.outcome;
            let count = counted(outcome.iterations as usize, "iteration");
            format!("{count}, {} off", session.character.length(outcome.error))
        }
    };
    let color = overlay.theme.lane(lane);
    let zone = Zone::of(&recording.chain, recording.targets[0], recording.solve.start.positions[0]);
    let lines = [format!("{} {}", super::super::panels::lab::lane_name(&recording.settings), zone.label()), done];
    for (index, line) in lines.iter().enumerate() {
        let mark = (index == 0).then_some(color);
        overlay.label(at + vec2(0.0, 22.0 + 20.0 * index as f32), Align2::CENTER_TOP, line, mark);
    }
}

/// Name of the step and what it does.
pub fn title(session: &Session) -> (String, String) {
    let Some(solve) = session.focused_chain() else { return ("Chain".to_owned(), String::new()) };
    if let Some(problem) = solve.problem() {
        return ("Not solvable".to_owned(), format!("{problem}."));
    }
    let Some(recording) = &solve.recording else {
        return ("Off".to_owned(), "This chain is switched off: it is not solved.".to_owned());
    };
    if !session.paused {
        let text = match session.scene {
            Some(scene) if session.lab().is_some() => format!("{} {}", scene.purpose, scene.hint),
            _ => "Drag the target. Press . to pause and go through the solve step by step.".to_owned(),
        };
        let title = if session.lab().is_some() { "Chain lab, live" } else { "Chain, live" };
        return (title.to_owned(), text);
    }
    let Some(recorded) = recording.solve.steps.get(session.cursor.step) else {
        return ("Weight 0".to_owned(), recording.outcome.stopped_by.sentence().to_owned());
    };
    let name = crate::full_body::names::label(recorded.step.stage.key());
    let title = match recorded.step.iteration {
        Some(iteration) => format!("Iteration {iteration}, {name}"),
        None => name.clone(),
    };
    let text = format!(
        "{} {} off after it.",
        recorded.step.stage.sentence(),
        session.character.length(recording.error(&recorded.state))
    );
    (title, text)
}
