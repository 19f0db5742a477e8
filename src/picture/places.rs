//! Places of texts over the picture. They do not overlap, and framing keeps the feet clear of them.

use egui_macroquad::egui::{Context, Id, Rect, Vec2, pos2, vec2};

/// Margin around the text of [`caption`], logical pixels.
pub(crate) const CAPTION_MARGIN: Vec2 = vec2(14.0, 12.0);
/// Margin around the text of [`hint`], logical pixels.
pub(crate) const HINT_MARGIN: Vec2 = vec2(14.0, 12.0);

/// Height of [`hint`] and of messages.
pub(crate) const HINT_HEIGHT: f32 = 38.0;
/// Letters of the longest text of [`caption`], and the mean width and height of a letter, logical pixels.
const LONGEST: f32 = 250.0;
const LETTER: Vec2 = vec2(6.2, 15.5);
/// Height of the caption's title, logical pixels.
const TITLE: f32 = 27.0;

/// Returns the largest place of the stage's title and sentence: top left. The text needs more lines in a narrow
/// picture, but the place is never higher than half the picture.
pub fn caption(picture: Rect) -> Rect {
    let width = (picture.width() * 0.4).clamp(120.0, 330.0);
    let lines = (LONGEST * LETTER.x / width).ceil();
    let height = (TITLE + lines * LETTER.y).min(picture.height() / 2.0 - 2.0 * CAPTION_MARGIN.y);
    Rect::from_min_size(picture.min, vec2(width, height.max(LETTER.y)) + 2.0 * CAPTION_MARGIN)
}

/// Returns the place of the axes: top right.
pub fn axes(picture: Rect) -> Rect {
    Rect::from_center_size(picture.right_top() + vec2(-56.0, 56.0), Vec2::splat(80.0))
}

/// Returns the place of the hints and the grid spacing: along the bottom.
pub fn hint(picture: Rect) -> Rect {
    Rect::from_min_max(pos2(picture.left(), picture.bottom() - HINT_HEIGHT), picture.max)
}

/// Returns the place of the progress of opening a file: at the right end of the hint's place.
pub fn opening(picture: Rect) -> Rect {
    let strip = message_strip(picture);
    let width = (picture.width() * 0.36).clamp(180.0, 380.0).min(strip.width());
    Rect::from_min_max(pos2(strip.right() - width, strip.top()), strip.max)
}

/// Returns the largest place of a message: the hint's place, left of the progress of opening a file. Framing keeps
/// targets, lanes and feet above it.
pub fn notice(picture: Rect, has_opening: bool) -> Rect {
    let strip = message_strip(picture);
    let right = if has_opening { opening(picture).left() - 8.0 } else { strip.right() };
    Rect::from_min_max(strip.min, pos2(right.max(strip.left() + 60.0), strip.bottom()))
}

fn message_strip(picture: Rect) -> Rect {
    hint(picture).shrink2(vec2(HINT_MARGIN.x.min(picture.width() / 8.0), 1.0))
}

fn caption_id() -> Id {
    Id::new("caption of the picture")
}

/// Returns the rectangle of the last painted caption; `None` before the first caption.
pub fn painted_caption(ctx: &Context) -> Option<Rect> {
    ctx.data(|data| data.get_temp(caption_id()))
}

pub(crate) fn set_painted_caption(ctx: &Context, covered: Rect) {
    ctx.data_mut(|data| data.insert_temp(caption_id(), covered));
}
