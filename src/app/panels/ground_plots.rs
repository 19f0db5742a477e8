//! Plots of grounding over the frames of the tape: what feet and pelvis were moved by, and when feet were planted.

use egui_macroquad::egui::{Ui, vec2};

use super::chain_plots::{Series, plot};
use crate::app::session::{Action, Session};
use crate::app::theme::{Theme, fade};
use crate::debugger::tape::{GroundFrame, TapeFrame};

/// More points than this a plot does not show apart.
const MOST_POINTS: usize = 900;

/// Draws them in the room there is.
pub fn show(ui: &mut Ui, theme: &Theme, session: &Session, actions: &mut Vec<Action>) {
    let (factor, unit) = session.character.length_unit();
    let tape = &session.debugger.tape;
    let every = tape.len().div_ceil(MOST_POINTS).max(1);
    let frames: Vec<(&TapeFrame, &GroundFrame)> = tape
        .frames()
        .filter(|frame| frame.number.is_multiple_of(every as u64))
        .filter_map(|frame| Some((frame, frame.ground.as_deref()?)))
        .collect();
    let series = |name: &str, color, dashed, value: &dyn Fn(&GroundFrame) -> f32| Series {
        name: name.to_owned(),
        points: frames.iter().map(|(frame, ground)| [frame.number as f64, f64::from(value(ground))]).collect(),
        color,
        dashed,
        width: 2.0,
    };
    let offset = |leg: usize| move |ground: &GroundFrame| ground.recording.output.legs[leg].offset * factor;
    let offsets = [
        series("left foot", theme.left, false, &offset(0)),
        series("right foot", theme.right, true, &offset(1)),
        series("pelvis", theme.body, false, &|ground| ground.recording.output.pelvis_height * factor),
    ];
    let planted = |leg: usize| move |ground: &GroundFrame| ground.contacts[leg].planted;
    let weight = |leg: usize| move |ground: &GroundFrame| ground.recording.output.legs[leg].weight;
    let weights = [
        series("left planted", fade(theme.left, 0.6), false, &planted(0)),
        series("right planted", fade(theme.right, 0.6), true, &planted(1)),
        series("left weight", theme.left, false, &weight(0)),
        series("right weight", theme.right, true, &weight(1)),
    ];
    let size = vec2(ui.available_width() / 2.0 - 8.0, ui.available_height() - 4.0);
    let mut seek = |at: f64| actions.push(Action::SeekFrame(at.round().max(0.0) as u64));
    let at = session.frame as f64;
    // A hundredth of a step is flat.
    let bounds = [-0.005, 0.005].map(|length: f32| f64::from(length * session.character.height * factor));
    ui.horizontal(|ui| {
        plot(ui, theme, size, &format!("foot and pelvis offset over frames, {unit}"), &offsets, at, &bounds, &mut seek);
        plot(ui, theme, size, "feet planted and weights over frames", &weights, at, &[0.0, 1.0], &mut seek);
    });
}
