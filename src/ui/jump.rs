//! From the palette to the control of a setting: the pane that shows it opens, the control comes into view and takes the
//! keyboard.
//!
//! The palette [asks](ask) for it. The control, wherever it is drawn next, [takes](Target::setting) it.

use egui_macroquad::egui::{self, Align, Context, Id, Response};

use crate::ui::help::Help;
use kinescope_ik::parameter::{Field, SourceName};

/// Passes that the control has to appear in: a pane opens in the next frame.
const PASSES: u8 = 8;

#[derive(Clone, Copy)]
struct Asked {
    field: Field,
    passes: u8,
}

fn id() -> Id {
    Id::new("the setting that the palette jumps to")
}

/// Asks for the control of a field.
pub fn ask(ctx: &Context, field: Field) {
    ctx.data_mut(|data| data.insert_temp(id(), Asked { field, passes: PASSES }));
    ctx.request_repaint();
}

/// Whether a control is asked for that was not drawn yet.
pub fn is_asked(ctx: &Context) -> bool {
    ctx.data(|data| data.get_temp::<Asked>(id())).is_some()
}

/// Once a pass: a control that does not appear is given up.
pub fn age(ctx: &Context) {
    let Some(asked) = ctx.data(|data| data.get_temp::<Asked>(id())) else { return };
    match asked.passes.checked_sub(1) {
        Some(passes) => {
            ctx.data_mut(|data| data.insert_temp(id(), Asked { passes, ..asked }));
            ctx.request_repaint();
        }
        None => ctx.data_mut(|data| data.remove::<Asked>(id())),
    }
}

/// Brings a control into view and gives it the keyboard, if it is the one that is asked for.
pub fn land(response: &Response, field: &Field) {
    let ctx = &response.ctx;
    let asked = ctx.data(|data| data.get_temp::<Asked>(id()));
    if asked.is_some_and(|asked| asked.field == *field) {
        response.scroll_to_me(Some(Align::Center));
        // A row of buttons has none of its own.
        if response.sense.is_focusable() {
            response.request_focus();
        }
        ctx.data_mut(|data| data.remove::<Asked>(id()));
    }
}

/// What sources call a setting, a line each; empty for one that is the project's own.
pub fn source_lines(sources: &[SourceName]) -> String {
    sources.iter().map(|own| format!("\nIn the {}: `{}`", own.source.title(), own.name)).collect()
}

/// A control of a setting.
pub trait Target {
    /// Shows the text and what sources call the setting where the pointer rests, and is where the palette jumps to.
    fn setting(self, field: &Field, help: &str) -> Self;
}

impl Target for Response {
    fn setting(self, field: &Field, help: &str) -> Self {
        land(&self, field);
        self.help(egui::RichText::new(format!("{help}{}", source_lines(field.sources))))
    }
}
