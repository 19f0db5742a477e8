//! A strip of frames over time: a heat map and a curve of each frame's value, labelled flags, and the playhead. Clicking and
//! dragging seek a frame.

use egui_macroquad::egui::{self, Color32, FontId, Painter, Pos2, Rect, Response, Sense, Stroke, Ui, vec2};
use egui_phosphor::regular as icon;

use crate::session::Action;
use crate::session::commands::Command;
use crate::system::order::{sort_by, sort_by_key};
use crate::tools::steps::session::StepAction;
use crate::ui::help::Help;
use crate::ui::theme::Theme;
use crate::ui::widgets::{LABELS, arrow_presses, playhead, seconds_step};

/// Width of a column, logical pixels.
const COLUMN: f32 = 2.0;
const FLAG_ROW: f32 = 13.0;
/// Largest number of rows of flag labels. There is a second row only if the labels then take at most half of the curve's
/// height.
const MOST_FLAG_ROWS: usize = 2;
/// Largest width of a flag label, logical pixels. Longer labels are cut.
const MOST_FLAG: f32 = 190.0;
/// Width below which a flag label is not drawn, logical pixels.
const LEAST_FLAG: f32 = 48.0;
/// Length of the line of a flag without a label, logical pixels.
const TICK: f32 = 5.0;
/// Distance within which the pointer hits a line, logical pixels.
const NEAR: f32 = 4.0;
const MOST_FLAGS: usize = 4;

#[derive(Clone, Copy)]
pub struct Flag<'a> {
    pub time: f64,
    pub text: &'a str,
    pub is_warning: bool,
}

pub struct FrameStrip<'a> {
    theme: &'a Theme,
    painter: Painter,
    pub(crate) response: Response,
    /// The strip without the names at the left.
    area: Rect,
    top: f32,
    /// Bottom of the curve, above the heat map.
    base: f32,
    /// Time of the first frame, seconds.
    from: f64,
    /// Duration of all frames, seconds.
    length: f64,
}

impl<'a> FrameStrip<'a> {
    /// Returns a strip over the available width for frames between two times in seconds. `name` is its accessible name.
    pub fn new(ui: &mut Ui, theme: &'a Theme, height: f32, name: &str, [from, to]: [f64; 2]) -> Self {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        let painter = ui.painter_at(rect.expand2(vec2(8.0, 0.0)));
        let area = Rect::from_min_max(rect.min + vec2(LABELS, 0.0), rect.max);
        let response = ui.interact(area, ui.id().with(name), Sense::click_and_drag());
        response.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Slider, true, name));
        let (top, base) = (area.top() + 16.0, area.bottom() - 12.0);
        painter.rect_filled(Rect::from_min_max(Pos2::new(area.left(), top - 2.0), area.max), 2.0, theme.panel);
        let strip = Self { theme, painter, response, area, top, base, from, length: (to - from).max(1e-6) };
        strip.seconds(to);
        strip
    }

    pub(crate) fn x_of(&self, time: f64) -> f32 {
        self.area.left() + ((time - self.from) / self.length) as f32 * self.area.width()
    }

    pub(crate) fn columns(&self) -> usize {
        (self.area.width() / COLUMN) as usize + 1
    }

    pub(crate) fn column_of(&self, time: f64) -> usize {
        (((self.x_of(time) - self.area.left()) / COLUMN) as usize).min(self.columns() - 1)
    }

    pub(crate) fn name(&self, text: &str) {
        self.label(text, self.area.top() + 6.0);
    }

    pub(crate) fn name_curve(&self, text: &str) {
        self.label(text, (self.top + self.base) / 2.0);
    }

    fn label(&self, text: &str, y: f32) {
        let (at, font) = (Pos2::new(self.area.left() - LABELS, y), FontId::proportional(11.5));
        self.painter.text(at, egui::Align2::LEFT_CENTER, text, font, self.theme.text[1]);
    }

    pub(crate) fn say(&self, text: &str) {
        let font = FontId::proportional(11.0);
        self.painter.text(self.area.center(), egui::Align2::CENTER_CENTER, text, font, self.theme.text[2]);
    }

    /// Draws each column's colour, and the curve through the columns' heights, from 0 to 1. The curve has a gap where the
    /// height is unknown. Columns without frames stay empty.
    pub(crate) fn draw(&self, columns: impl Iterator<Item = Option<(Color32, Option<f32>)>>) {
        let mut mesh = egui::Mesh::default();
        let mut curves = vec![Vec::new()];
        for (index, column) in columns.enumerate() {
            let x = self.area.left() + index as f32 * COLUMN;
            if let Some((color, _)) = column {
                let cell = Rect::from_min_size(Pos2::new(x, self.base + 2.0), vec2(COLUMN, 8.0));
                mesh.add_colored_rect(cell.intersect(self.area), color);
            }
            match column.and_then(|(_, height)| height) {
                Some(height) => {
                    let y = self.base - height * (self.base - self.top - 4.0);
                    curves.last_mut().into_iter().for_each(|curve| curve.push(Pos2::new(x, y)));
                }
                None if curves.last().is_some_and(|curve| !curve.is_empty()) => curves.push(Vec::new()),
                None => {}
            }
        }
        self.painter.add(mesh);
        let stroke = Stroke::new(1.2, self.theme.text[1]);
        self.painter.extend(curves.into_iter().filter(|curve| !curve.is_empty()).map(|mut curve| {
            // A curve of one point is drawn as a dot.
            if let [only] = curve[..] {
                curve.push(only + vec2(COLUMN, 0.0));
            }
            egui::Shape::line(curve, stroke)
        }));
    }

    /// Draws flags as lines. Labels are drawn as far as they fit, those of warnings first. Returns the tooltip for the
    /// pointer's position.
    pub fn flags(&self, mut flags: Vec<Flag>) -> String {
        sort_by(&mut flags, |a, b| a.time.total_cmp(&b.time).then(b.is_warning.cmp(&a.is_warning)));
        let rows = (((self.base - self.top) / (2.0 * FLAG_ROW)) as usize).clamp(1, MOST_FLAG_ROWS);
        // The horizontal spans that labels already cover, per row.
        let mut taken: Vec<Vec<[f32; 2]>> = vec![Vec::new(); rows];
        let pointer = self.response.hover_pos();
        // Flags before or after all frames, such as a mark at a crash, are drawn at the nearer end.
        let x_of = |flag: &Flag| self.x_of(flag.time).clamp(self.area.left(), self.area.right());
        let near = flags.iter().filter(|flag| pointer.is_some_and(|pointer| (pointer.x - x_of(flag)).abs() < NEAR));
        let texts: Vec<&str> = near.map(|flag| flag.text).take(MOST_FLAGS).collect();
        // Flags on the same pixel share a line. A warning determines the line's colour.
        let mut lines: Vec<(f32, &[Flag])> =
            flags.chunk_by(|a, b| x_of(a).round() == x_of(b).round()).map(|line| (x_of(&line[0]), line)).collect();
        sort_by_key(&mut lines, |(_, line)| !line.iter().any(|flag| flag.is_warning));
        for (x, line) in lines {
            let text = line_text(line);
            let stroke = match line.iter().any(|flag| flag.is_warning) {
                true => self.theme.warning,
                false => self.theme.text[1],
            };
            let place = taken.iter().enumerate().find_map(|(row, taken)| Some((row, self.room(taken, x)?)));
            let Some((row, room)) = place else {
                // Lines without labels are short, so that many lines hide neither the curve nor labels.
                if !taken.iter().any(|taken| is_taken(taken, x)) {
                    self.painter.vline(x, self.top..=self.top + TICK, Stroke::new(1.0, stroke));
                }
                continue;
            };
            self.painter.vline(x, self.top..=self.base, Stroke::new(1.0, stroke));
            let (color, font) = (self.theme.text[0], FontId::proportional(11.0));
            let mut job = egui::text::LayoutJob::simple_singleline(text, font, color);
            job.wrap = egui::text::TextWrapping::truncate_at_width(room.abs());
            let galley = self.painter.layout_job(job);
            let left = if room < 0.0 { x - 2.0 - galley.size().x } else { x + 2.0 };
            let at = Pos2::new(left, self.top + FLAG_ROW * row as f32 - 3.0);
            taken[row].push([left, left + galley.size().x]);
            self.painter.rect_filled(Rect::from_min_size(at, galley.size()), 2.0, self.theme.panel);
            self.painter.galley(at, galley, color);
        }
        texts.join("; ")
    }

    /// Returns the width for a label in logical pixels. It is positive for a label to the right of its line, and negative
    /// for a label to the left of a line near the strip's end. Returns `None` if other labels leave too little room.
    fn room(&self, taken: &[[f32; 2]], x: f32) -> Option<f32> {
        if is_taken(taken, x) {
            return None;
        }
        let next = taken.iter().map(|own| own[0]).filter(|&from| from > x).fold(self.area.right() + 8.0, f32::min);
        let last = taken.iter().map(|own| own[1]).filter(|&to| to < x).fold(self.area.left(), f32::max);
        let [left, right] = [x - last, next - x].map(|room| (room - 6.0).min(MOST_FLAG));
        match () {
            () if right >= LEAST_FLAG => Some(right),
            () if next > self.area.right() && left >= LEAST_FLAG => Some(-left),
            () => None,
        }
    }

    pub(crate) fn playhead(&self, time: f64) {
        let below = Rect::from_min_max(Pos2::new(self.area.left(), self.top - 3.0), self.area.max);
        playhead(&self.painter, self.theme, below, self.x_of(time));
    }

    /// Returns the time one pixel to the right of the pointer, so that the strip's end seeks the last frame.
    pub(crate) fn time_at(&self, pointer: Pos2) -> f64 {
        let width = f64::from(self.area.width());
        self.from + (f64::from(pointer.x - self.area.left()) + 1.0) / width * self.length
    }

    fn seconds(&self, to: f64) {
        let (from, area) = (self.from, self.area);
        if to <= from {
            return;
        }
        let step = seconds_step(to - from, area.width());
        let mut free_from = f32::NEG_INFINITY;
        for second in ((from / step).ceil() as i64..=(to / step).floor() as i64).map(|tick| tick as f64 * step) {
            let x = self.x_of(second);
            let digits = usize::from(step < 1.0);
            let (font, color) = (FontId::proportional(11.0), self.theme.text[2]);
            let galley = self.painter.layout_no_wrap(format!("{second:.digits$} s"), font, color);
            // Labels at the ends shift inwards, so that they stay within the strip.
            let left = (x - galley.size().x / 2.0).min(area.right() + 4.0 - galley.size().x).max(area.left() - 10.0);
            // Labels that would overlap are left out. Large numbers of seconds can be wider than the spacing.
            if left < free_from {
                continue;
            }
            free_from = left + galley.size().x + 8.0;
            let tick = (area.top() + 12.0)..=(area.top() + 15.0);
            self.painter.vline(x, tick, Stroke::new(1.0, self.theme.track));
            self.painter.galley(Pos2::new(left, area.top() + 5.0 - galley.size().y / 2.0), galley, color);
        }
    }
}

fn line_text(line: &[Flag]) -> String {
    let first = |is_warning: bool| line.iter().find(|flag| flag.is_warning == is_warning);
    let labels = [(icon::WARNING, first(true)), (icon::FLAG, first(false))].into_iter();
    let labels = labels.filter_map(|(glyph, flag)| Some(format!("{glyph} {}", flag?.text)));
    labels.collect::<Vec<_>>().join("  ")
}

fn is_taken(taken: &[[f32; 2]], x: f32) -> bool {
    taken.iter().any(|&[from, to]| (from..=to).contains(&x))
}

pub(crate) fn seek(ui: &Ui, response: &Response, number_at: impl Fn(Pos2) -> Option<u64>, actions: &mut Vec<Action>) {
    let presses = arrow_presses(ui, response);
    if presses < 0.0 {
        actions.push(Action::Command(Command::PreviousFrame));
    } else if presses > 0.0 {
        actions.push(Action::Command(Command::NextFrame));
    }
    let is_pointed = response.clicked() || response.dragged() || response.drag_stopped();
    let number = response.interact_pointer_pos().filter(|_| is_pointed).and_then(number_at);
    actions.extend(number.map(|number| Action::Steps(StepAction::SeekFrame(number))));
}
