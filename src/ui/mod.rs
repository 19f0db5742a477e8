//! Widgets, their texts and colours. They depend on no tool, and not on the session.

pub mod curve_editor;
pub mod fonts;
pub(crate) mod help;
pub mod highlight;
pub mod jump;
pub mod number;
pub mod theme;
pub(crate) mod widgets;
pub mod words;

pub(crate) const CLIP_TRACK_HEIGHT: f32 = 46.0;
