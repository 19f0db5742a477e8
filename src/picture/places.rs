//! Places of texts and axes over the picture. Caption, axes and hint do not overlap, except in very small pictures.

use egui_macroquad::egui::{Context, Id, Rect, Vec2, pos2, vec2};

pub(crate) const CAPTION_MARGIN: Vec2 = vec2(14.0, 12.0);
pub(crate) const HINT_MARGIN: Vec2 = vec2(14.0, 12.0);

pub(crate) const HINT_HEIGHT: f32 = 38.0;
/// Number of letters of the longest text of [`caption`].
const LONGEST: f32 = 250.0;
/// Number of letters of the longest text above lanes.
const LONGEST_OF_LANES: f32 = 200.0;
/// Number of letters to allow for in a narrow caption, and the width in logical pixels below which a caption is narrow.
/// There the name of a second result takes lines of its own.
const LONGEST_IF_NARROW: (f32, f32) = (290.0, 250.0);
/// Mean width and height of a letter, logical pixels.
const LETTER: Vec2 = vec2(6.2, 15.5);
const TITLE: f32 = 28.0;

/// Share of a picture's height above which the caption over lanes becomes wide.
const LOW: f32 = 0.4;
/// Largest share of a picture's height that the caption takes.
const HIGHEST: f32 = 0.72;

/// Returns the largest rectangle that title and text of the caption may cover, at the top left. Above lanes side by
/// side (`is_wide`), it reaches to the axes if the picture is low.
pub fn caption(picture: Rect, is_wide: bool) -> Rect {
    let size_at = |width: f32, letters: f32| {
        let lines = (letters * LETTER.x / width).ceil();
        vec2(width, TITLE + lines * LETTER.y) + 2.0 * CAPTION_MARGIN
    };
    let width = (picture.width() * 0.4).clamp(120.0, 330.0);
    let mut size = size_at(width, if width < LONGEST_IF_NARROW.1 { LONGEST_IF_NARROW.0 } else { LONGEST });
    if is_wide && size.y > LOW * picture.height() {
        let to_axes = axes(picture).left() - picture.left() - 2.0 * CAPTION_MARGIN.x;
        size = size_at(to_axes.max(width), LONGEST_OF_LANES);
    }
    size.y = size.y.min(HIGHEST * picture.height()).max(LETTER.y + 2.0 * CAPTION_MARGIN.y);
    Rect::from_min_size(picture.min, size)
}

pub fn axes(picture: Rect) -> Rect {
    Rect::from_center_size(picture.right_top() + vec2(-56.0, 56.0), Vec2::splat(80.0))
}

pub fn hint(picture: Rect) -> Rect {
    Rect::from_min_max(pos2(picture.left(), picture.bottom() - HINT_HEIGHT), picture.max)
}

pub fn opening(picture: Rect) -> Rect {
    let strip = message_strip(picture);
    let width = (picture.width() * 0.36).clamp(180.0, 380.0).min(strip.width());
    Rect::from_min_max(pos2(strip.right() - width, strip.top()), strip.max)
}

/// Returns the largest place of a message: the hint's place or, with `has_opening`, its part left of the progress of
/// opening a file.
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

pub fn painted_caption(ctx: &Context) -> Option<Rect> {
    ctx.data(|data| data.get_temp(caption_id()))
}

pub(crate) fn set_painted_caption(ctx: &Context, covered: Rect) {
    ctx.data_mut(|data| data.insert_temp(caption_id(), covered));
}
