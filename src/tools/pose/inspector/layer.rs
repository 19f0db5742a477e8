use egui_macroquad::egui::Ui;

use crate::session::{Action, Session};
use crate::tools::motion::pane::Editor;
use crate::tools::pose::words as text;
use crate::ui::jump::Target;
use crate::ui::theme::Theme;
use crate::ui::widgets::{parameter, section};
use crate::ui::words::capital;
use kinescope_ik::key::label;
use kinescope_ik::stack::LayerId;

pub(crate) fn layer_settings(ui: &mut Ui, theme: &Theme, session: &Session, layer: LayerId, actions: &mut Vec<Action>) {
    let mut editor = Editor::new(session, theme);
    let name = layer.label();
    section(ui, theme, &name, text::RESET_HINT, |ui| {
        let mut is_on = layer.switch(&mut editor.document.stack).is_none_or(|on| *on);
        if let Some(field) = layer.fields().iter().find(|field| field.key == "on")
            && ui.checkbox(&mut is_on, text::ON).setting(field, field.help).changed()
            && let Some(on) = layer.switch(&mut editor.document.stack)
        {
            *on = is_on;
            editor.note_single(&text::edit_on(&name));
        }
        for entry in layer.parameters().iter().filter(|_| is_on) {
            let Some(settings) = editor.document.stack.settings_of_mut(layer) else { continue };
            let changed = parameter(ui, theme, entry, settings);
            editor.note(&text::edit_layer(&name, &label(entry.key)), changed);
        }
        for field in layer.fields().iter().filter(|field| is_on && field.key != "on") {
            let Some(settings) = editor.document.stack.settings_of_mut(layer) else { continue };
            let mut fields = settings.keyed_fields_mut().into_iter();
            let own = fields.find(|(key, _)| *key == field.key).and_then(|(_, own)| own.downcast_mut::<bool>());
            let name_of_field = label(field.key);
            if own.is_some_and(|own| ui.checkbox(own, capital(&name_of_field)).setting(field, field.help).changed()) {
                editor.note_single(&text::edit_layer(&name, &name_of_field));
            }
        }
    });
    editor.finish(actions);
}
