//! Tooltips.
//!
//! egui's own tooltips wait until the pointer has moved in many small steps after a click. A pointer that jumps, for
//! example in a slow window, would get no tooltip after its first click.

use egui_macroquad::egui::{self, Id, LayerId, Pos2, Rect, Response, TextWrapMode, WidgetInfo, WidgetText};

/// Seconds that the pointer rests before a tooltip appears.
const DELAY: f64 = 0.35;
/// Largest movement of a resting pointer, logical pixels.
const STILL: f32 = 2.0;
const WIDTH: f32 = 380.0;

#[derive(Clone, Copy, Default)]
struct Rest {
    at: Pos2,
    /// Time of the pointer's last movement, seconds. `None` before the first movement, and from a press or scrolling
    /// until the next movement.
    since: Option<f64>,
    pass: u64,
}

fn rest_id() -> Id {
    Id::new("pointer at rest")
}

/// Tracks the pointer once per pass. Returns [`Rest::since`].
fn resting_since(ctx: &egui::Context) -> Option<f64> {
    let mut rest = ctx.data(|data| data.get_temp::<Rest>(rest_id())).unwrap_or_default();
    if rest.pass == ctx.cumulative_pass_nr() {
        return rest.since;
    }
    rest.pass = ctx.cumulative_pass_nr();
    let (at, time, pressed) = ctx.input(|input| {
        (input.pointer.latest_pos(), input.time, input.pointer.any_pressed() || input.pointer.any_down())
    });
    if let Some(at) = at.filter(|at| at.distance(rest.at) > STILL) {
        (rest.at, rest.since) = (at, Some(time));
    }
    if pressed || ctx.input(|input| input.smooth_scroll_delta != egui::Vec2::ZERO) {
        rest.since = None;
    }
    ctx.data_mut(|data| data.insert_temp(rest_id(), rest));
    rest.since
}

pub(crate) trait Help {
    fn help(self, text: impl Into<WidgetText>) -> Self;
    fn help_at_pointer(self, text: impl Into<WidgetText>) -> Self;
    /// Describes the widget for screen readers, like `widget_info`, which is compiled again for each type of closure.
    fn describe(&self, info: &dyn Fn() -> WidgetInfo);
}

impl Help for Response {
    fn help(self, text: impl Into<WidgetText>) -> Self {
        if is_due(&self) {
            egui::show_tooltip_for(&self.ctx, self.layer_id, self.id, &self.rect, |ui| show(ui, text));
        }
        self
    }

    fn help_at_pointer(self, text: impl Into<WidgetText>) -> Self {
        if is_due(&self) {
            egui::show_tooltip_at_pointer(&self.ctx, self.layer_id, self.id, |ui| show(ui, text));
        }
        self
    }

    fn describe(&self, info: &dyn Fn() -> WidgetInfo) {
        self.widget_info(info);
    }
}

pub(crate) fn help_over(ctx: &egui::Context, layer: LayerId, id: Id, rect: Rect, text: impl Into<WidgetText>) {
    let since = resting_since(ctx);
    if ctx.rect_contains_pointer(layer, rect) && has_rested(ctx, since) {
        egui::show_tooltip_for(ctx, layer, id, &rect, |ui| show(ui, text));
    }
}

fn is_due(response: &Response) -> bool {
    let ctx = &response.ctx;
    // This runs in every pass, whatever is under the pointer, so that a drag does not count as rest.
    let since = resting_since(ctx);
    // Disabled widgets also have tooltips, which say why they are disabled.
    let is_under = if response.enabled() {
        response.hovered()
    } else {
        ctx.rect_contains_pointer(response.layer_id, response.rect)
    };
    is_under && !response.dragged() && has_rested(ctx, since)
}

fn has_rested(ctx: &egui::Context, since: Option<f64>) -> bool {
    let Some(since) = since else { return false };
    let remaining = since + DELAY - ctx.input(|input| input.time);
    if remaining > 0.0 {
        ctx.request_repaint_after_secs(remaining as f32);
    }
    remaining <= 0.0
}

fn show(ui: &mut egui::Ui, text: impl Into<WidgetText>) {
    ui.style_mut().wrap_mode = Some(TextWrapMode::Wrap);
    ui.set_max_width(WIDTH);
    ui.label(text.into());
}
