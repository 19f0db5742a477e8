//! Places of texts over the picture, so that none covers another or the feet.

use egui_macroquad::egui::{Rect, Vec2, pos2, vec2};

/// Margin around the text of [`caption`], logical pixels.
pub(crate) const CAPTION_MARGIN: Vec2 = vec2(14.0, 12.0);
/// Margin around the text of [`hint`], logical pixels.
pub(crate) const HINT_MARGIN: Vec2 = vec2(14.0, 12.0);

/// Returns the place of the stage's title and sentence: top left.
pub fn caption(picture: Rect) -> Rect {
    let width = (picture.width() * 0.4).clamp(120.0, 330.0);
    Rect::from_min_size(picture.min, vec2(width + 2.0 * CAPTION_MARGIN.x, 96.0))
}

/// Returns the place of the axes: top right.
pub fn axes(picture: Rect) -> Rect {
    Rect::from_center_size(picture.right_top() + vec2(-56.0, 56.0), Vec2::splat(80.0))
}

/// Returns the place of the hints and the grid spacing: along the bottom.
pub fn hint(picture: Rect) -> Rect {
    Rect::from_min_max(pos2(picture.left(), picture.bottom() - 38.0), picture.max)
}

/// Returns the place of the file that is being opened: bottom right, above the hint.
pub fn opening(picture: Rect) -> Rect {
    let bottom = hint(picture).top() - 8.0;
    let right = picture.right() - 14.0;
    Rect::from_min_max(pos2(right - width_of_messages(picture), bottom - 36.0), pos2(right, bottom))
}

fn width_of_messages(picture: Rect) -> f32 {
    (picture.width() * 0.36).clamp(180.0, 380.0).min(picture.width() - 28.0).max(60.0)
}

/// Returns the largest place of a message: right, below the axes, clear of head, hands and feet of a framed character.
pub fn notice(picture: Rect) -> Rect {
    let top = axes(picture).bottom() + 8.0;
    let bottom = (picture.top() + picture.height() * 0.7).min(opening(picture).top() - 8.0).max(top + 24.0);
    let right = picture.right() - 14.0;
    Rect::from_min_max(pos2(right - width_of_messages(picture), top), pos2(right, bottom))
}
