//! Rings around controls that a lesson names.
//!
//! A caller [wants](want) controls before the panes are drawn. A wanted control [records](offer) where it is drawn, and
//! [`draw`] draws the rings over the panes. The rings take no room, so nothing moves when they appear.

use egui_macroquad::egui::{Context, Id, LayerId, Rect, Response, Stroke, StrokeKind};

use crate::ui::theme::{Theme, fade};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wanted {
    pub(crate) control: Id,
    /// The control that leads to the wanted one, such as a tab. It is highlighted while the wanted control is not on
    /// screen.
    pub(crate) way: Option<Id>,
}

#[derive(Clone, Copy)]
struct Place {
    control: Id,
    layer: LayerId,
    rect: Rect,
    /// The part inside the clip rectangle.
    seen: Rect,
}

impl Place {
    fn is_on_screen(&self) -> bool {
        self.seen.is_positive() && self.seen.area() > 0.5 * self.rect.area()
    }
}

#[derive(Clone, Default)]
struct State {
    wanted: Vec<Wanted>,
    drawn: Vec<Place>,
    /// Controls with rings in the last pass: wanted ones, or those that lead to them.
    on_screen: Vec<Id>,
}

/// Distances of the two rings from the control, logical pixels.
const DISTANCES: [f32; 2] = [0.5, 3.5];

fn id() -> Id {
    Id::new("highlighted controls")
}

pub(crate) fn want(ctx: &Context, wanted: Vec<Wanted>) {
    ctx.data_mut(|data| {
        let state = data.get_temp_mut_or_default::<State>(id());
        state.wanted = wanted;
        state.drawn.clear();
    });
}

pub(crate) fn offer(response: &Response, control: Id) {
    let place = Place { control, layer: response.layer_id, rect: response.rect, seen: response.interact_rect };
    response.ctx.data_mut(|data| {
        let state = data.get_temp_mut_or_default::<State>(id());
        if state.wanted.iter().any(|wanted| wanted.control == control || wanted.way == Some(control)) {
            state.drawn.push(place);
        }
    });
}

pub fn is_on_screen(ctx: &Context, control: Id) -> bool {
    ctx.data(|data| data.get_temp::<State>(id())).is_some_and(|state| state.on_screen.contains(&control))
}

pub(crate) fn draw(ctx: &Context, theme: &Theme) {
    let Some(mut state) = ctx.data(|data| data.get_temp::<State>(id())) else { return };
    let find = |control: Id| state.drawn.iter().find(|place| place.control == control && place.is_on_screen());
    let places: Vec<Place> =
        state.wanted.iter().filter_map(|wanted| find(wanted.control).or_else(|| find(wanted.way?))).copied().collect();
    for place in &places {
        let painter = ctx.layer_painter(place.layer).with_clip_rect(place.seen.expand(6.0));
        for distance in DISTANCES {
            let rect = place.rect.expand(distance);
            for stroke in [Stroke::new(2.6, fade(theme.halo, 0.5)), Stroke::new(1.4, theme.text[0])] {
                painter.rect_stroke(rect, 4.0, stroke, StrokeKind::Middle);
            }
        }
    }
    let on_screen: Vec<Id> = places.iter().map(|place| place.control).collect();
    // Readers of [`is_on_screen`] have already used the previous state in this pass.
    if on_screen != state.on_screen {
        ctx.request_repaint();
    }
    state.on_screen = on_screen;
    ctx.data_mut(|data| data.insert_temp(id(), state));
}
