//! Jumps from the palette and from lessons to a control: its pane opens, the control scrolls into view and gets the
//! focus.
//!
//! The palette or a lesson [requests](request) a control. The control [fulfils](land) the request when it is drawn.

use egui_macroquad::egui::{self, Align, Context, Id, Response};

use crate::ui::help::Help;
use crate::ui::highlight;
use crate::ui::words as text;
use kinescope_ik::parameter::{Field, SourceName};

/// Number of passes within which the control must appear. A pane opens only in the next frame.
const PASSES: u8 = 8;

#[derive(Clone, Copy)]
struct JumpRequest {
    control: Id,
    passes: u8,
}

pub(crate) fn of_field(field: &Field) -> Id {
    Id::new(("setting", field.key, field.help))
}

fn id() -> Id {
    Id::new("requested control")
}

pub(crate) fn request(ctx: &Context, control: Id) {
    ctx.data_mut(|data| data.insert_temp(id(), JumpRequest { control, passes: PASSES }));
    ctx.request_repaint();
}

pub fn is_pending(ctx: &Context) -> bool {
    ctx.data(|data| data.get_temp::<JumpRequest>(id())).is_some()
}

pub(crate) fn age(ctx: &Context) {
    let Some(request) = ctx.data(|data| data.get_temp::<JumpRequest>(id())) else { return };
    match request.passes.checked_sub(1) {
        Some(passes) => {
            ctx.data_mut(|data| data.insert_temp(id(), JumpRequest { passes, ..request }));
            ctx.request_repaint();
        }
        None => ctx.data_mut(|data| data.remove::<JumpRequest>(id())),
    }
}

pub(crate) fn land(response: &Response, field: &Field) {
    land_on(response, of_field(field));
}

/// If a control is the requested one, scrolls to it and gives it the focus. Records where the control is drawn, for its
/// [highlight].
pub(crate) fn land_on(response: &Response, control: Id) {
    highlight::offer(response, control);
    let ctx = &response.ctx;
    let request = ctx.data(|data| data.get_temp::<JumpRequest>(id()));
    if request.is_some_and(|request| request.control == control) {
        response.scroll_to_me(Some(Align::Center));
        // A row of buttons cannot have the focus itself.
        if response.sense.is_focusable() {
            response.request_focus();
        }
        ctx.data_mut(|data| data.remove::<JumpRequest>(id()));
    }
}

/// Returns the names of a setting in its sources, one per line. The text is empty for Kinescope's own settings.
pub(crate) fn source_lines(sources: &[SourceName]) -> String {
    sources.iter().map(|own| text::source_line(&own.source.title(), &own.name)).collect()
}

pub(crate) trait Target {
    /// Adds a tooltip with the setting's names in the sources, and makes the control a target of jumps.
    fn setting(self, field: &Field, help: &str) -> Self;
}

impl Target for Response {
    fn setting(self, field: &Field, help: &str) -> Self {
        land(&self, field);
        self.help(egui::RichText::new(format!("{help}{}", source_lines(field.sources))))
    }
}
