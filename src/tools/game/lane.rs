//! The timeline's lane of a game's frames.

use egui_macroquad::egui::{Pos2, Ui};

use crate::session::{Action, Session};
use crate::tools::game::pane::verdict_text;
use crate::tools::game::words as text;
use crate::tools::game::{Game, Lane, Verdict};
use crate::tools::steps::frame_strip::{Flag, FrameStrip, seek};
use crate::ui::help::Help;
use crate::ui::theme::{Theme, fade, warmth};

pub(crate) fn show(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    (game, lane): (&Game, &Lane),
    height: f32,
    actions: &mut Vec<Action>,
) {
    if lane.is_empty() {
        return;
    }
    // The strip spans the whole game, so that it shows when the character was present.
    let Some(range) = game.time_range() else { return };
    let strip = FrameStrip::new(ui, theme, height, text::LANE_NAME, range);
    strip.name(text::LANE_FRAMES);
    strip.name_curve(text::LANE_APART);

    let height = session.world.character.height;
    let mut columns = vec![Column::default(); strip.columns()];
    for (_, entry) in lane.entries() {
        columns[strip.column_of(entry.outline.time)].add(entry.verdict, height);
    }
    let spans: Vec<_> = lane.spans().filter_map(|span| Some((span, lane.ends(span)?))).collect();
    let mut is_end = vec![false; columns.len()];
    for (_, [_, last]) in spans.iter().filter(|(span, _)| span.left.is_some()) {
        is_end[strip.column_of(last.outline.time)] = true;
    }
    // Frames may be sparser than columns, so a frame also fills the columns up to the next frame, within a limit.
    let lasts = (LATE * columns.len() / lane.len()).max(LEAST_LASTS);
    let mut before = None;
    for (index, column) in columns.iter_mut().enumerate() {
        if column.frames > 0 {
            before = Some((index, *column)).filter(|_| !is_end[index]);
        } else if let Some((_, known)) = before.filter(|(since, _)| index - since <= lasts) {
            *column = known;
        }
    }
    strip.draw(columns.iter().map(|column| {
        let color = match column {
            Column { frames: 0, .. } => return None,
            Column { broken: true, .. } => theme.warning,
            Column { apart: Some(share), .. } => theme.warmth(warmth(*share).max(0.25)),
            Column { same: true, .. } => fade(theme.accent, 0.35),
            _ => theme.track,
        };
        let is_known = column.same || column.apart.is_some();
        Some((color, is_known.then(|| warmth(column.apart.unwrap_or(0.0)))))
    }));
    let mut flags = Vec::new();
    for (_, entry) in lane.beginnings() {
        let text = game.place(entry.verdict).unwrap_or_default();
        flags.push(Flag { time: entry.outline.time, text, is_warning: true });
    }
    for mark in game.marks.iter() {
        flags.push(Flag { time: mark.time, text: &mark.mark, is_warning: false });
    }
    for (span, [first, last]) in &spans {
        if span.joined > 0 {
            flags.push(Flag { time: first.outline.time, text: text::JOINED, is_warning: false });
        }
        if span.left.is_some() {
            flags.push(Flag { time: last.outline.time, text: text::LEFT, is_warning: false });
        }
    }
    let flagged = strip.flags(flags);
    if let Some(entry) = lane.get(session.world.time.frame) {
        strip.playhead(entry.outline.time);
    }
    let number_at = |pointer: Pos2| lane.at_time(strip.time_at(pointer));
    seek(ui, &strip.response, number_at, actions);
    let entry = strip.response.hover_pos().and_then(number_at).and_then(|number| lane.get(number));
    let verdict = entry.map_or_else(String::new, |entry| {
        let text = verdict_text(session, game, entry.verdict);
        let flagged = if flagged.is_empty() { flagged } else { text::flagged(&flagged) };
        text::frame_at(&flagged, &entry.outline.frame, &entry.outline.time, &text)
    });
    strip.response.help(text::lane_help(&verdict));
}

/// Largest number of columns that a frame fills toward the next frame, unless [`LATE`] allows more.
const LEAST_LASTS: usize = 8;
/// Largest gap that a frame fills toward the next frame, in average distances between frames. The rest of a longer gap
/// stays empty.
const LATE: usize = 3;

#[derive(Clone, Copy, Default)]
struct Column {
    frames: u32,
    /// Largest difference of the column's frames: [`share`](crate::tools::compare::report::ResultDistance::share).
    apart: Option<f32>,
    same: bool,
    broken: bool,
}

impl Column {
    fn add(&mut self, verdict: Verdict, height: f32) {
        self.frames += 1;
        match verdict {
            Verdict::Unknown | Verdict::NoResult => {}
            Verdict::Same => self.same = true,
            Verdict::Broken => self.broken = true,
            Verdict::Differs { apart, .. } => self.apart = Some(self.apart.unwrap_or(0.0).max(apart.share(height))),
        }
    }
}
