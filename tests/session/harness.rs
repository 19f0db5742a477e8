//! Panes and shortcuts without a window. Clicks and keys go to the program's own panes and shortcuts.

use egui_kittest::Harness;
use egui_macroquad::egui::{self, Rect, Shape, Vec2};

use kinescope::character::Character;
use kinescope::picture::camera::Viewport;
use kinescope::session::commands::Command;
use kinescope::session::{Action, Selection, Session};
use kinescope::shell::panes::shortcuts::Shortcuts;
use kinescope::shell::panes::{self, Panes};
use kinescope::ui::fonts::SystemFonts;
use kinescope::ui::theme::{self, Theme};

use crate::common::session::biped;

pub struct Window {
    pub session: Session,
    pub panes: Panes,
    pub shortcuts: Shortcuts,
    pub fonts: SystemFonts,
    pub picture: Rect,
    ready: bool,
}

pub fn window(size: Vec2) -> Harness<'static, Window> {
    window_of(size, biped(), SystemFonts::default())
}

pub fn window_of(size: Vec2, character: Character, fonts: SystemFonts) -> Harness<'static, Window> {
    let (session, panes, shortcuts) = (Session::new(character), Panes::default(), Shortcuts::default());
    let state = Window { session, panes, shortcuts, fonts, picture: Rect::NOTHING, ready: false };
    let mut harness = Harness::builder().with_size(size).build_state(frame, state);
    harness.run();
    harness
}

fn frame(ctx: &egui::Context, window: &mut Window) {
    if !std::mem::replace(&mut window.ready, true) {
        // Fonts are available from the next frame on.
        ctx.set_fonts(theme::fonts());
        Theme::of(window.session.look.view.light_theme).apply(ctx);
        return;
    }
    let mut actions = Vec::new();
    window.shortcuts.before(ctx, &window.session, &mut actions);
    let picture = panes::show(ctx, &window.session, &mut window.panes, &mut actions);
    window.shortcuts.after(&mut actions);
    let size = glam::vec2(picture.width(), picture.height());
    window.session.set_viewport(Viewport { min: glam::vec2(picture.left(), picture.top()), size });
    window.picture = picture;
    panes::dialogs::notice(ctx, &window.session, picture, &mut actions);
    if let Some(missing) = window.fonts.update(ctx) {
        window.session.fail(missing);
    }
    for action in actions {
        window.session.apply(action);
    }
    for request in std::mem::take(&mut window.session.window.requests) {
        window.panes.handle(request);
    }
    window.session.update(0.0);
}

pub fn run(harness: &mut Harness<Window>, command: Command) {
    harness.state_mut().session.apply(Action::Command(command));
    harness.run();
    harness.run();
}

pub fn select(harness: &mut Harness<Window>, selection: Selection) {
    harness.state_mut().session.apply(Action::Select(selection));
    harness.run();
}

pub struct Drawn {
    pub text: String,
    pub rect: Rect,
    /// The clip rectangle in which the text was drawn.
    pub clip: Rect,
}

pub fn texts(harness: &Harness<Window>) -> Vec<Drawn> {
    fn collect(shape: &Shape, clip: Rect, found: &mut Vec<Drawn>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, clip, found)),
            Shape::Text(text) => {
                let rect = text.galley.rect.translate(text.pos.to_vec2());
                let seen = rect.intersect(clip);
                if seen.width() > 1.0 && seen.height() > 3.0 && !text.galley.text().trim().is_empty() {
                    found.push(Drawn { text: text.galley.text().to_owned(), rect, clip });
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    for clipped in &harness.output().shapes {
        collect(&clipped.shape, clipped.clip_rect, &mut found);
    }
    found
}
