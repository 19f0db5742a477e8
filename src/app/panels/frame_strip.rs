//! A strip of frames along their time: how bad each is as a curve and a row of colours, what is to be said of some, and the one
//! that is shown. Clicking and dragging go to a frame.

use egui_macroquad::egui::{self, Color32, FontId, Painter, Pos2, Rect, Response, Sense, Stroke, Ui, vec2};

use super::widgets::{LABELS, arrow_presses, playhead, seconds_step};
use crate::app::commands::Command;
use crate::app::session::Action;
use crate::app::theme::Theme;

/// Logical pixels of a column: it shows the worst of its frames.
const COLUMN: f32 = 2.0;

pub struct FrameStrip<'a> {
    theme: &'a Theme,
    painter: Painter,
    pub response: Response,
    /// Without the names at the left.
    area: Rect,
    /// Where the curve is, top and bottom.
    top: f32,
    base: f32,
    /// Seconds: when the first of its frames is, and for how long they go on.
    from: f64,
    length: f64,
}

impl<'a> FrameStrip<'a> {
    /// An empty strip as wide as there is room, of frames between two times, in seconds; `name` says what it is to those who do
    /// not see it.
    pub fn new(ui: &mut Ui, theme: &'a Theme, height: f32, name: &str, [from, to]: [f64; 2]) -> Self {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        let painter = ui.painter_at(rect.expand2(vec2(8.0, 0.0)));
        let area = Rect::from_min_max(rect.min + vec2(LABELS, 0.0), rect.max);
        let response = ui.interact(area, ui.id().with(name), Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Slider, true, name));
        let (top, base) = (area.top() + 16.0, area.bottom() - 12.0);
        painter.rect_filled(Rect::from_min_max(Pos2::new(area.left(), top - 2.0), area.max), 2.0, theme.panel);
        let strip = Self { theme, painter, response, area, top, base, from, length: (to - from).max(1e-6) };
        strip.seconds(to);
        strip
    }

    pub fn x_of(&self, time: f64) -> f32 {
        self.area.left() + ((time - self.from) / self.length) as f32 * self.area.width()
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        (self.area.width() / COLUMN) as usize + 1
    }

    /// The one in which a frame at `time` is.
    pub fn column_of(&self, time: f64) -> usize {
        (((self.x_of(time) - self.area.left()) / COLUMN) as usize).min(self.columns() - 1)
    }

    /// Names the strip, where its seconds are.
    pub fn name(&self, text: &str) {
        self.label(text, self.area.top() + 6.0);
    }

    /// Names its curve.
    pub fn name_curve(&self, text: &str) {
        self.label(text, (self.top + self.base) / 2.0);
    }

    fn label(&self, text: &str, y: f32) {
        let (at, font) = (Pos2::new(self.area.left() - LABELS, y), FontId::proportional(11.5));
        self.painter.text(at, egui::Align2::LEFT_CENTER, text, font, self.theme.text[1]);
    }

    /// Instead of frames.
    pub fn say(&self, text: &str) {
        let font = FontId::proportional(11.0);
        self.painter.text(self.area.center(), egui::Align2::CENTER_CENTER, text, font, self.theme.text[2]);
    }

    /// Every column's colour, and how high its curve is, from 0 to 1. Nothing where there is no frame.
    pub fn draw(&self, columns: impl Iterator<Item = Option<(Color32, Option<f32>)>>) {
        let mut mesh = egui::Mesh::default();
        let mut curve = Vec::with_capacity(self.columns());
        for (index, (color, height)) in columns.enumerate().filter_map(|(index, column)| Some((index, column?))) {
            let x = self.area.left() + index as f32 * COLUMN;
            let cell = Rect::from_min_size(Pos2::new(x, self.base + 2.0), vec2(COLUMN, 8.0));
            mesh.add_colored_rect(cell.intersect(self.area), color);
            curve.extend(height.map(|height| Pos2::new(x, self.base - height * (self.base - self.top - 4.0))));
        }
        self.painter.add(mesh);
        self.painter.add(egui::Shape::line(curve, Stroke::new(1.2, self.theme.text[1])));
    }

    /// A line over a frame, with what is to be said of it beside its head.
    pub fn flag(&self, time: f64, (glyph, text): (&str, &str), line: Color32) {
        let x = self.x_of(time);
        self.painter.vline(x, self.top..=self.base, Stroke::new(1.0, line));
        let right = x > self.area.right() - 160.0;
        let align = if right { egui::Align2::RIGHT_CENTER } else { egui::Align2::LEFT_CENTER };
        let text = if right { format!("{text} {glyph}") } else { format!("{glyph} {text}") };
        let at = Pos2::new(x, self.top + 4.0);
        self.painter.text(at, align, text, FontId::proportional(11.0), self.theme.text[0]);
    }

    pub fn playhead(&self, time: f64) {
        playhead(&self.painter, self.theme, self.area, self.x_of(time));
    }

    /// When the pointer is, for who looks for the frame at that time or before: the nearest is meant, so that the end of the
    /// strip is the last frame.
    pub fn time_at(&self, pointer: Pos2) -> f64 {
        let width = f64::from(self.area.width());
        self.from + (f64::from(pointer.x - self.area.left()) + 1.0) / width * self.length
    }

    /// Seconds, as many as there is room for.
    fn seconds(&self, to: f64) {
        let (from, area) = (self.from, self.area);
        if to <= from {
            return;
        }
        let step = seconds_step(to - from, area.width());
        for second in ((from / step).ceil() as i64..=(to / step).floor() as i64).map(|tick| tick as f64 * step) {
            let x = self.x_of(second);
            let tick = (area.top() + 12.0)..=(area.top() + 15.0);
            self.painter.vline(x, tick, Stroke::new(1.0, self.theme.track));
            let digits = usize::from(step < 1.0);
            // At the end there is no room to both sides.
            let (x, align) = match x > area.right() - 14.0 {
                true => (area.right() + 4.0, egui::Align2::RIGHT_CENTER),
                false => (x, egui::Align2::CENTER_CENTER),
            };
            let (at, text) = (Pos2::new(x, area.top() + 5.0), format!("{second:.digits$} s"));
            self.painter.text(at, align, text, FontId::proportional(11.0), self.theme.text[2]);
        }
    }
}

/// Goes to the frame that `response`, a strip of frames, is clicked or dragged to, or to the next by the keyboard.
pub fn seek(ui: &Ui, response: &Response, number_at: impl Fn(Pos2) -> Option<u64>, actions: &mut Vec<Action>) {
    match arrow_presses(ui, response) {
        presses if presses < 0.0 => actions.push(Action::Command(Command::PreviousFrame)),
        presses if presses > 0.0 => actions.push(Action::Command(Command::NextFrame)),
        _ => {}
    }
    let is_pointed = response.clicked() || response.dragged() || response.drag_stopped();
    let number = response.interact_pointer_pos().filter(|_| is_pointed).and_then(number_at);
    actions.extend(number.map(Action::SeekFrame));
}
