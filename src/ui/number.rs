//! Number fields, dragged or typed.
//!
//! Typed text may be a sum (`0.2+0.15`), continue from the current value (`*2`, `/3`, `+=0.1`, `-=5`), and have units
//! (`35cm`, `1.57 rad`). Invalid text leaves the number unchanged and is reported. A field that was only focused
//! changes nothing, however few decimals it shows.

use std::ops::RangeInclusive;

use egui_macroquad::egui::text::{CCursor, CCursorRange};
use egui_macroquad::egui::{self, DragValue, Event, Id, Key, Response, TextEdit, Ui, Widget, emath::Numeric};

use crate::ui::words as text;
use crate::ui::words::unsigned_zero;
use kinescope_ik::parameter::Unit;

#[must_use = "add it to a Ui"]
pub(crate) struct Number<'a> {
    drag: DragValue<'a>,
    before: f64,
    unit: &'static str,
    shown: Shown,
}

#[derive(Clone, Copy)]
pub enum Shown {
    /// Smallest and largest number of decimals.
    Decimals(usize, usize),
    By(fn(f64) -> String),
}

impl Shown {
    pub fn text(self, value: f64) -> String {
        let (least, most) = match self {
            Self::By(text) => return unsigned_zero(text(value)),
            Self::Decimals(least, most) => (least, most),
        };
        let mut text = format!("{value:.most$}");
        while text.contains('.') && text.ends_with('0') && text.len() - text.find('.').unwrap_or(0) > least + 1 {
            text.pop();
        }
        unsigned_zero(text.trim_end_matches('.').to_owned())
    }
}

impl<'a> Number<'a> {
    pub(crate) fn new<N: Numeric>(value: &'a mut N) -> Self {
        let before = value.to_f64();
        let shown = Shown::Decimals(0, if N::INTEGRAL { 0 } else { 3 });
        // Values beyond the range are shown unchanged.
        let drag = DragValue::new(value).clamp_existing_to_range(false);
        Self { drag, before, unit: "", shown }
    }

    pub(crate) fn range<N: Numeric>(self, range: RangeInclusive<N>) -> Self {
        Self { drag: self.drag.range(range), ..self }
    }

    /// Sets the change per pixel of dragging. With Shift, it is a tenth of that.
    pub(crate) fn speed(self, speed: impl Into<f64>) -> Self {
        Self { drag: self.drag.speed(speed), ..self }
    }

    pub(crate) fn decimals(self, least: usize, most: usize) -> Self {
        Self { drag: self.drag.min_decimals(least).max_decimals(most), shown: Shown::Decimals(least, most), ..self }
    }

    pub(crate) fn written_by(self, text: fn(f64) -> String) -> Self {
        Self { shown: Shown::By(text), ..self }
    }

    pub(crate) fn prefix(self, prefix: impl ToString) -> Self {
        Self { drag: self.drag.prefix(prefix), ..self }
    }

    /// Sets the unit of typed numbers. The field does not show the unit.
    pub(crate) fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    pub(crate) fn of(self, unit: Unit) -> Self {
        self.in_unit(unit.symbol())
    }

    pub(crate) fn in_unit(self, symbol: &'static str) -> Self {
        let space = if symbol.is_empty() || symbol == "°" { "" } else { " " };
        Self { drag: self.drag.suffix(format!("{space}{symbol}")), unit: symbol, ..self }
    }

    /// Sets the text behind the number. The text begins with the unit.
    pub(crate) fn suffix(self, suffix: &'static str) -> Self {
        Self { drag: self.drag.suffix(suffix), unit: suffix.split_whitespace().next().unwrap_or(""), ..self }
    }
}

impl Widget for Number<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        let Self { drag, before, unit, shown } = self;
        let (id, ctx) = (ui.next_auto_id(), ui.ctx().clone());
        let parser = move |text: &str| {
            // A value that was not edited keeps all its decimals.
            if text == shown.text(before) {
                return Some(before);
            }
            let read = read(text, before, unit);
            if read.is_none() {
                let message = text::not_a_number(&text, &shown.text(before), &unit);
                ctx.data_mut(|data| data.insert_temp(invalid(), message.trim_end().to_owned()));
            }
            read
        };
        let drag = drag.update_while_editing(false).custom_formatter(move |value, _| shown.text(value));
        take_text_before_tab(ui.ctx(), id, &shown.text(before));
        let layer = ui.layer_id();
        let gains_focus = ui.memory_mut(|memory| {
            memory.interested_in_focus(id, layer);
            memory.has_focus(id) && !memory.had_focus_last_frame(id)
        });
        if gains_focus {
            // The whole text is selected, as by a click, so that typing replaces it. The field already reads text in this
            // frame, so the selection comes first.
            let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
            let all = CCursorRange::two(CCursor::default(), CCursor::new(shown.text(before).chars().count()));
            state.cursor.set_char_range(Some(all));
            state.store(ui.ctx(), id);
        }
        let response = ui.add(drag.custom_parser(parser));
        if response.lost_focus() {
            // The typed text is removed, so that it is evaluated only once. A second `*2` would multiply again.
            ui.data_mut(|data| data.remove::<String>(id));
        }
        response
    }
}

/// Adds text that was typed before Tab in the same frame to the field that has the focus. egui moves the focus first,
/// and would type the text into the next field.
fn take_text_before_tab(ctx: &egui::Context, id: Id, shown: &str) {
    if !ctx.memory(|memory| memory.has_focus(id)) {
        return;
    }
    let mut typed = String::new();
    ctx.input_mut(|input| {
        let is_tab = |event: &Event| matches!(event, Event::Key { key: Key::Tab, pressed: true, .. });
        let Some(mut before) = input.events.iter().position(is_tab) else { return };
        input.events.retain(|event| {
            let is_before = before > 0;
            before = before.saturating_sub(1);
            match event {
                Event::Text(text) if is_before => {
                    typed.push_str(text);
                    false
                }
                _ => true,
            }
        });
    });
    if typed.is_empty() {
        return;
    }
    let text = ctx.data(|data| data.get_temp::<String>(id)).unwrap_or_else(|| shown.to_owned());
    let state = TextEdit::load_state(ctx, id).unwrap_or_default();
    let end = text.chars().count();
    let [start, end] = state.cursor.char_range().map_or([end, end], |range| {
        let [a, b] = [range.primary.index, range.secondary.index];
        [a.min(b), a.max(b)]
    });
    let text: String = text.chars().take(start).chain(typed.chars()).chain(text.chars().skip(end)).collect();
    ctx.data_mut(|data| data.insert_temp(id, text));
}

fn invalid() -> Id {
    Id::new("invalid number")
}

pub(crate) fn take_invalid(ctx: &egui::Context) -> Option<String> {
    ctx.data_mut(|data| data.remove_temp(invalid()))
}

/// Names, kinds and sizes of units. Sizes are in metres, degrees, seconds, or a fraction of 1.
const UNITS: [(&str, Kind, f64); 13] = [
    ("mm", Kind::Length, 1e-3),
    ("cm", Kind::Length, 1e-2),
    ("m", Kind::Length, 1.0),
    ("km", Kind::Length, 1e3),
    ("in", Kind::Length, 0.0254),
    ("ft", Kind::Length, 0.3048),
    ("°", Kind::Angle, 1.0),
    ("deg", Kind::Angle, 1.0),
    ("rad", Kind::Angle, 180.0 / std::f64::consts::PI),
    ("s", Kind::Time, 1.0),
    ("ms", Kind::Time, 1e-3),
    ("%", Kind::Share, 1e-2),
    ("×", Kind::Share, 1.0),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Length,
    Angle,
    Time,
    Share,
}

fn factor(name: &str, unit: &str) -> Option<f64> {
    let find = |name: &str| UNITS.iter().find(|(known, ..)| *known == name).map(|&(_, kind, scale)| (kind, scale));
    if name == unit {
        return Some(1.0);
    }
    let (kind, scale) = find(name)?;
    // A field without a unit holds a fraction, so 50 % is 0.5.
    let (wanted, one) = if unit.is_empty() { (Kind::Share, 1.0) } else { find(unit)? };
    (kind == wanted).then_some(scale / one)
}

pub fn read(text: &str, before: f64, unit: &str) -> Option<f64> {
    // Typographic minus signs and decimal commas are accepted.
    let text = text.trim().replace('−', "-").replace(',', ".");
    let whole = |text: &str| {
        let mut reader = Reader { rest: text.trim_start(), unit, depth: 0 };
        reader.sum().filter(|_| reader.rest.is_empty())
    };
    // `*=2` means the same as `*2`.
    let sign = ["*=", "/="].into_iter().find(|sign| text.starts_with(sign));
    let text = sign.map_or(text.clone(), |sign| text.replacen(sign, &sign[..1], 1));
    let value = if let Some(text) = text.strip_prefix("+=") {
        before + whole(text)?
    } else if let Some(text) = text.strip_prefix("-=") {
        before - whole(text)?
    } else if text.starts_with(['*', '/']) {
        // A sum may follow the factor: `*2+1`.
        let mut reader = Reader { rest: &text, unit, depth: 0 };
        let value = reader.product_from(before).and_then(|first| reader.sum_from(first));
        value.filter(|_| reader.rest.is_empty())?
    } else {
        whole(&text)?
    };
    value.is_finite().then_some(value)
}

/// Parses sums, products, brackets, signs, numbers and units from left to right.
struct Reader<'a> {
    rest: &'a str,
    unit: &'a str,
    depth: u32,
}

impl Reader<'_> {
    fn take(&mut self, sign: char) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.map_or(self.rest, str::trim_start);
        rest.is_some()
    }

    fn sum(&mut self) -> Option<f64> {
        let first = self.product()?;
        self.sum_from(first)
    }

    fn sum_from(&mut self, mut value: f64) -> Option<f64> {
        loop {
            if self.take('+') {
                value += self.product()?;
            } else if self.take('-') {
                value -= self.product()?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let first = self.factor()?;
        self.product_from(first)
    }

    fn product_from(&mut self, mut value: f64) -> Option<f64> {
        loop {
            if self.take('*') {
                value *= self.factor()?;
            } else if self.take('/') {
                value /= self.factor()?;
            } else {
                return Some(value);
            }
        }
    }

    fn factor(&mut self) -> Option<f64> {
        const DEEPEST: u32 = 50;
        self.depth += 1;
        let value = if self.depth > DEEPEST {
            None
        } else if self.take('-') {
            self.factor().map(|value| -value)
        } else if self.take('+') {
            self.factor()
        } else if self.take('(') {
            self.sum().filter(|_| self.take(')'))
        } else {
            self.number()
        };
        self.depth -= 1;
        value
    }

    fn number(&mut self) -> Option<f64> {
        let is_digit = |c: char| c.is_ascii_digit() || c == '.';
        let mut end = self.rest.find(|c| !is_digit(c)).unwrap_or(self.rest.len());
        // An exponent belongs to the number, unless its letter starts a unit.
        if let Some(after) = self.rest[end..].strip_prefix(['e', 'E']) {
            let digits = after.strip_prefix(['+', '-']).unwrap_or(after);
            let count = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            if count > 0 {
                end = self.rest.len() - digits.len() + count;
            }
        }
        let value: f64 = self.rest[..end].parse().ok()?;
        self.rest = self.rest[end..].trim_start();
        let is_sign = |c: char| "+-*/() ".contains(c) || c.is_ascii_digit();
        let name = &self.rest[..self.rest.find(is_sign).unwrap_or(self.rest.len())];
        self.rest = self.rest[name.len()..].trim_start();
        if name.is_empty() { Some(value) } else { Some(value * factor(name, self.unit)?) }
    }
}
