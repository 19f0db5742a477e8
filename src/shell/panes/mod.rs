pub(crate) mod bars;
pub mod dialogs;
pub mod layout;
pub mod palette;
pub mod shortcuts;
mod words;

use std::collections::HashSet;

use egui_macroquad::egui::{self, RichText, Sense, Stroke, vec2};
use egui_phosphor::regular as icon;
use egui_tiles::{Behavior, Container, SimplificationOptions, Tile, TileId, Tiles, UiResponse};

use crate::session::commands::buttons::set_navigation;
use crate::session::pane::{Body, Show};
use crate::session::{Action, Dialog, Pane, Request, Session};
use crate::shell::panes::layout::{FORM_WIDTH, GUEST_TABS_HEIGHT, Layout};
use crate::shell::panes::shortcuts::typed_field;
use crate::shell::panes::words as text;
use crate::system::order::sort_by_key;
use crate::tools::motion::session::MotionAction;
use crate::tools::{doctor, learn, motion};
use crate::ui::help::Help;
use crate::ui::theme::{Theme, semibold};
use crate::ui::widgets::set_model_unit;
use crate::ui::{highlight, jump, number};

pub(crate) const MENU_HEIGHT: f32 = 28.0;
pub(crate) const TOOLS_HEIGHT: f32 = 38.0;
pub(crate) const TITLE_HEIGHT: f32 = 28.0;

/// State of the interface that is not part of the session.
pub struct Panes {
    pub(crate) dialogs: dialogs::Dialogs,
    pub layout: Layout,
    pub plots: Option<egui::Rect>,
    /// The pane to which the last request for the next pane gave the focus.
    keyboard: Option<Pane>,
    focus: Option<Pane>,
    dialog: Option<Dialog>,
}

impl Default for Panes {
    fn default() -> Self {
        Self::new(Layout::default())
    }
}

impl Panes {
    pub fn new(layout: Layout) -> Self {
        Self { dialogs: dialogs::Dialogs::default(), layout, plots: None, keyboard: None, focus: None, dialog: None }
    }

    pub fn handle(&mut self, request: Request) -> Option<Request> {
        match request {
            Request::TogglePane(pane) if self.layout.is_shown(pane) => self.layout.hide(pane),
            Request::TogglePane(pane) | Request::ShowPane(pane) => self.layout.show(pane),
            Request::ResetLayout => self.layout = Layout::default(),
            Request::NextPane => {
                let mut shown: Vec<Pane> =
                    Pane::ALL.into_iter().filter(|&pane| pane != Pane::Picture && self.layout.is_shown(pane)).collect();
                sort_by_key(&mut shown, |pane| pane.info().place.order());
                let at = shown.iter().position(|&pane| Some(pane) == self.keyboard);
                let next = at.map_or(0, |at| (at + 1) % shown.len().max(1));
                self.keyboard = shown.get(next).copied();
                self.focus = self.keyboard;
            }
            other => return Some(other),
        }
        None
    }
}

pub fn show(ctx: &egui::Context, session: &Session, panes: &mut Panes, actions: &mut Vec<Action>) -> egui::Rect {
    let theme = Theme::of(session.look.view.light_theme);
    set_navigation(ctx, session.look.navigation);
    set_model_unit(ctx, session.world.character.model_unit());
    let bar = |fill| egui::Frame::new().fill(fill).inner_margin(egui::Margin::symmetric(12, 0));
    let mut picture = ctx.screen_rect();
    if panes.dialog != session.window.dialog {
        panes.dialog.clone_from(&session.window.dialog);
        ctx.memory_mut(egui::Memory::close_popup);
        // The dialog takes the focus from the field, so a half-typed number is discarded.
        if let Some(field) = typed_field(ctx) {
            ctx.data_mut(|data| data.remove::<String>(field));
        }
    }
    // Escape closes an open drop-down list first.
    let had_popup = ctx.memory(egui::Memory::any_popup_open);
    panes.plots = None;
    learn::control::highlight(ctx, session, panes.layout.is_open(Pane::Learn));
    if !session.window.hides_panes || session.in_doctor() {
        egui::TopBottomPanel::top("menu")
            .exact_height(MENU_HEIGHT)
            .frame(bar(theme.well))
            .show_separator_line(false)
            .show(ctx, |ui| bars::menu(ui, session, &panes.layout, actions));
        egui::TopBottomPanel::top("tools")
            .exact_height(TOOLS_HEIGHT)
            .frame(bar(theme.header))
            .show_separator_line(false)
            .show(ctx, |ui| bars::tools(ui, session, actions));
        if session.in_doctor() {
            doctor::pane::show(ctx, session, actions);
        }
        egui::CentralPanel::default().frame(egui::Frame::NONE).show(ctx, |ui| {
            if session.in_doctor() {
                picture = ui.max_rect();
                return;
            }
            panes.layout.fit(ui.available_width());
            panes.layout.fit_heights(ui.available_height(), motion::clip_track::is_shown(session));
            let in_tabs = panes.layout.tree.tiles.tiles().filter_map(|tile| match tile {
                Tile::Container(Container::Tabs(tabs)) => Some(tabs.children.iter().copied()),
                _ => None,
            });
            let mut view = View {
                session,
                theme,
                actions,
                in_tabs: in_tabs.flatten().collect(),
                picture: egui::Rect::NOTHING,
                plots: None,
                focus: panes.focus.take(),
                guests: panes.layout.guests(),
                front: panes.layout.front(),
                turned: None,
                close: None,
            };
            panes.layout.without_guests(|tree| tree.ui(&mut view, ui));
            let View { picture: at, plots, close, turned, .. } = view;
            (picture, panes.plots) = (at, plots);
            if let Some(front) = turned {
                panes.layout.turn_to(front);
            }
            if let Some(pane) = close {
                panes.layout.hide(pane);
            }
        });
    }
    panes.dialogs.show(ctx, session, had_popup, actions);
    hold_keys(ctx, session, actions);
    let types = typed_field(ctx).is_some();
    if types != session.interaction.types {
        actions.push(Action::Typing(types));
    }
    // Once the user has released the button, the next edit is a new undo step.
    if ctx.input(|input| input.pointer.any_released()) {
        actions.push(Action::EndGesture);
    }
    actions.extend(number::take_invalid(ctx).map(Action::Refused));
    jump::age(ctx);
    highlight::draw(ctx, theme);
    ring_focus(ctx, theme);
    picture
}

/// Reports a change of the held keys minus and plus, which drive pose layers. They count as released while a control
/// has the focus, or while Ctrl or Alt is held.
fn hold_keys(ctx: &egui::Context, session: &Session, actions: &mut Vec<Action>) {
    let types = ctx.wants_keyboard_input();
    let held = ctx.input(|input| {
        let is_held = |keys: &[egui::Key]| {
            !types && !input.modifiers.command && !input.modifiers.alt && keys.iter().any(|&key| input.key_down(key))
        };
        // On many keyboards, plus is Shift+equals.
        let (less, more) = (is_held(&[egui::Key::Minus]), is_held(&[egui::Key::Plus, egui::Key::Equals]));
        f32::from(u8::from(more)) - f32::from(u8::from(less))
    });
    if held != session.world.motion.keys_held {
        actions.push(Action::Motion(MotionAction::HoldKeys(held)));
    }
}

fn ring_focus(ctx: &egui::Context, theme: &Theme) {
    let focused = ctx.memory(|memory| memory.focused()).and_then(|id| ctx.read_response(id));
    if let Some(response) = focused.filter(|response| response.interact_rect.is_positive()) {
        let painter = ctx.layer_painter(response.layer_id).with_clip_rect(response.interact_rect.expand(2.0));
        let stroke = Stroke::new(1.5, theme.accent);
        painter.rect_stroke(response.rect, 4.0, stroke, egui::StrokeKind::Middle);
    }
}

fn form(ui: &mut egui::Ui, body: impl FnOnce(&mut egui::Ui)) {
    if ui.available_width() >= FORM_WIDTH {
        return body(ui);
    }
    egui::ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
        ui.set_width(FORM_WIDTH);
        body(ui);
    });
}

struct View<'a> {
    session: &'a Session,
    theme: &'a Theme,
    actions: &'a mut Vec<Action>,
    in_tabs: HashSet<TileId>,
    picture: egui::Rect,
    plots: Option<egui::Rect>,
    focus: Option<Pane>,
    guests: Vec<Pane>,
    front: Option<Pane>,
    /// The guest that the user has brought to the front. `Some(None)` stands for the timeline's strips, and `None` for
    /// no change.
    turned: Option<Option<Pane>>,
    close: Option<Pane>,
}

impl Behavior<Pane> for View<'_> {
    fn pane_ui(&mut self, ui: &mut egui::Ui, tile: TileId, pane: &mut Pane) -> UiResponse {
        if *pane == Pane::Picture {
            self.picture = ui.max_rect();
            return UiResponse::None;
        }
        let whole = ui.max_rect();
        let fill = if *pane == Pane::Timeline { self.theme.header } else { self.theme.panel };
        ui.painter().rect_filled(whole, 0.0, fill);
        ui.set_clip_rect(whole.intersect(ui.clip_rect()));
        self.keyboard_entry(ui, *pane);
        let mut response = UiResponse::None;
        // The timeline has its tools in place of a title.
        if !self.in_tabs.contains(&tile) && *pane != Pane::Timeline && self.title(ui, *pane) {
            response = UiResponse::DragStarted;
        }
        self.body(ui, *pane);
        response
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> egui::WidgetText {
        RichText::new(pane.title()).family(semibold()).size(12.5).into()
    }

    fn on_tab_button(&mut self, tiles: &Tiles<Pane>, tile: TileId, button: egui::Response) -> egui::Response {
        if let Some(pane) = tiles.get_pane(&tile) {
            highlight::offer(&button, learn::control::of_tab(*pane));
        }
        button
    }

    fn is_tab_closable(&self, tiles: &Tiles<Pane>, tile: TileId) -> bool {
        tiles.get_pane(&tile).is_some_and(|pane| *pane != Pane::Picture)
    }

    fn on_tab_close(&mut self, tiles: &mut Tiles<Pane>, tile: TileId) -> bool {
        // The closed pane is hidden instead of removed, so that it reopens in the same place.
        self.close = tiles.get_pane(&tile).copied();
        false
    }

    fn tab_bar_height(&self, _: &egui::Style) -> f32 {
        TITLE_HEIGHT
    }

    fn tab_bar_color(&self, _: &egui::Visuals) -> egui::Color32 {
        self.theme.header
    }

    fn tab_bg_color(
        &self,
        _: &egui::Visuals,
        _: &Tiles<Pane>,
        _: TileId,
        state: &egui_tiles::TabState,
    ) -> egui::Color32 {
        if state.active { self.theme.panel } else { self.theme.header }
    }

    fn tab_text_color(
        &self,
        _: &egui::Visuals,
        _: &Tiles<Pane>,
        _: TileId,
        state: &egui_tiles::TabState,
    ) -> egui::Color32 {
        if state.active { self.theme.text[0] } else { self.theme.text[1] }
    }

    fn tab_outline_stroke(&self, _: &egui::Visuals, _: &Tiles<Pane>, _: TileId, _: &egui_tiles::TabState) -> Stroke {
        Stroke::NONE
    }

    fn tab_bar_hline_stroke(&self, _: &egui::Visuals) -> Stroke {
        Stroke::NONE
    }

    fn gap_width(&self, _: &egui::Style) -> f32 {
        1.0
    }

    fn resize_stroke(&self, _: &egui::Style, state: egui_tiles::ResizeState) -> Stroke {
        match state {
            egui_tiles::ResizeState::Idle => Stroke::new(1.0, self.theme.separator),
            egui_tiles::ResizeState::Hovering => Stroke::new(2.0, self.theme.fill),
            egui_tiles::ResizeState::Dragging => Stroke::new(2.0, self.theme.accent),
        }
    }

    fn drag_preview_stroke(&self, _: &egui::Visuals) -> Stroke {
        Stroke::new(1.5, self.theme.accent)
    }

    fn drag_preview_color(&self, _: &egui::Visuals) -> egui::Color32 {
        crate::ui::theme::fade(self.theme.accent, 0.15)
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { prune_single_child_tabs: false, ..Default::default() }
    }
}

impl View<'_> {
    fn body(&mut self, ui: &mut egui::Ui, pane: Pane) {
        match pane.info().body {
            Body::Picture => {}
            Body::Form(show) => form(ui, |ui| show(ui, self.session, self.actions)),
            Body::Fitting(show) => show(ui, self.session, self.actions),
            Body::Plots(show) => self.plots = Some(show(ui, self.session, self.actions)),
            Body::Timeline { tools, strips } => self.timeline(ui, tools, strips),
        }
    }

    /// Adds a widget that takes the keyboard focus for a pane, so that Tab continues with the pane's first control.
    /// While the widget has the focus, the pane is outlined.
    fn keyboard_entry(&mut self, ui: &mut egui::Ui, pane: Pane) {
        let whole = ui.max_rect();
        let entry = egui::Rect::from_min_size(whole.min, vec2(whole.width(), 2.0));
        let entry = ui.interact(entry, ui.id().with("entry"), Sense::focusable_noninteractive());
        if self.focus == Some(pane) {
            entry.request_focus();
        }
        if entry.has_focus() {
            let line = Stroke::new(2.0, self.theme.accent);
            ui.painter().rect_stroke(whole, 0.0, line, egui::StrokeKind::Inside);
        }
    }

    fn timeline(&mut self, ui: &mut egui::Ui, tools: Show, strips: Show) {
        let inner = || egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 0));
        ui.spacing_mut().item_spacing.y = 0.0;
        inner().show(ui, |ui| tools(ui, self.session, self.actions));
        if !self.guests.is_empty() {
            self.guest_tabs(ui);
        }
        let Some(pane) = self.front else {
            inner().show(ui, |ui| strips(ui, self.session, self.actions));
            return;
        };
        ui.painter().rect_filled(ui.available_rect_before_wrap(), 0.0, self.theme.panel);
        let at = ui.available_rect_before_wrap();
        let mut ui = ui.new_child(egui::UiBuilder::new().id_salt(pane.title()).max_rect(at));
        self.keyboard_entry(&mut ui, pane);
        self.body(&mut ui, pane);
    }

    fn guest_tabs(&mut self, ui: &mut egui::Ui) {
        let theme = self.theme;
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), GUEST_TABS_HEIGHT), Sense::hover());
        let row = rect.shrink2(vec2(12.0, 0.0));
        let mut ui =
            ui.new_child(egui::UiBuilder::new().max_rect(row).layout(egui::Layout::left_to_right(egui::Align::Center)));
        ui.spacing_mut().item_spacing.x = 2.0;
        for pane in std::iter::once(None).chain(self.guests.clone().into_iter().map(Some)) {
            let is_front = pane == self.front;
            let (name, help) = match pane {
                None => (text::STEPS_TAB, text::STEPS_TAB_HELP.to_owned()),
                Some(pane) => (pane.title(), text::guest_tab_help(&pane.title())),
            };
            let color = if is_front { theme.text[0] } else { theme.text[1] };
            let fill = if is_front { theme.panel } else { theme.header };
            let text = RichText::new(name).family(semibold()).size(12.5).color(color);
            let tab = egui::Button::new(text).fill(fill).stroke(Stroke::NONE).min_size(vec2(0.0, GUEST_TABS_HEIGHT));
            let tab = ui.add(tab).help(help);
            tab.describe(&|| egui::WidgetInfo::selected(egui::WidgetType::SelectableLabel, true, is_front, name));
            if tab.clicked() {
                self.turned = Some(pane);
            }
            if let Some(pane) = pane
                && close_button(&mut ui, pane).clicked()
            {
                self.close = Some(pane);
            }
        }
    }

    fn title(&mut self, ui: &mut egui::Ui, pane: Pane) -> bool {
        let theme = self.theme;
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), TITLE_HEIGHT), Sense::click_and_drag());
        ui.painter().rect_filled(rect, 0.0, theme.header);
        ui.painter().text(
            rect.left_center() + vec2(12.0, 0.0),
            egui::Align2::LEFT_CENTER,
            pane.title(),
            egui::FontId::new(12.5, semibold()),
            theme.text[0],
        );
        let close = egui::Rect::from_center_size(rect.right_center() - vec2(18.0, 0.0), vec2(22.0, 22.0));
        let mut at = ui.new_child(egui::UiBuilder::new().max_rect(close));
        if close_button(&mut at, pane).clicked() {
            self.close = Some(pane);
        }
        response.help(text::TITLE_HELP).drag_started()
    }
}

fn close_button(ui: &mut egui::Ui, pane: Pane) -> egui::Response {
    let button = egui::Button::new(RichText::new(icon::X).size(12.0)).frame(false).min_size(vec2(22.0, 22.0));
    let button = ui.add(button);
    button
        .describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, text::name_close_pane(&pane.title())));
    button.help(text::CLOSE_PANE_HELP)
}
