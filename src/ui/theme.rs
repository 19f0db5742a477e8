//! Colours, fonts and spacing. Panes and controls are grey, so that the solver's colours stand out.

use std::borrow::Cow;
use std::sync::Arc;

use egui_macroquad::egui::{
    self, Color32, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Margin, Pos2, Rect, Shape, Stroke,
    TextStyle, Visuals, vec2,
};

use kinescope_ik::full_body::Node;
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::{LayerId, Topic};
use kinescope_ik::stepped::run::Tint;
use kinescope_ik::timing::Work;

use crate::system::IS_PAGE;

/// Each colour has the same meaning in both themes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theme {
    pub is_light: bool,
    pub left: Color32,
    pub right: Color32,
    pub body: Color32,
    pub target: Color32,
    pub(crate) bend: Color32,
    pub rigid: Color32,
    pub(crate) push_only: Color32,
    pub previous: Color32,
    pub warning: Color32,
    /// Colours of values, of labels and of hints.
    pub text: [Color32; 3],
    pub(crate) well: Color32,
    pub(crate) panel: Color32,
    pub header: Color32,
    pub(crate) widget: Color32,
    pub(crate) track: Color32,
    pub fill: Color32,
    pub(crate) selected_row: Color32,
    pub(crate) separator: Color32,
    pub(crate) accent: Color32,
    pub(crate) on_accent: Color32,
    pub picture_top: Color32,
    pub(crate) picture_bottom: Color32,
    pub(crate) grid: Color32,
    /// Outline behind marks and lines in the picture.
    pub(crate) halo: Color32,
    pub solid_body: Color32,
    pub(crate) xray_body: Color32,
    pub(crate) xray_rim: Color32,
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

pub const DARK: Theme = Theme {
    is_light: false,
    left: rgb(0x3199ff),
    right: rgb(0xfe9406),
    body: rgb(0xfff54b),
    target: rgb(0xff32c4),
    bend: rgb(0x7cfefd),
    rigid: rgb(0xff2e4e),
    push_only: rgb(0x91d584),
    previous: rgb(0xa2a2a2),
    warning: rgb(0xffc53d),
    text: [rgb(0xe6e8ec), rgb(0xaab0bb), rgb(0x959dab)],
    well: rgb(0x16181c),
    panel: rgb(0x1b1e24),
    header: rgb(0x23272e),
    widget: rgb(0x2c313a),
    track: rgb(0x3b424d),
    fill: rgb(0x8f97a5),
    selected_row: rgb(0x343c48),
    separator: rgb(0x2f343d),
    accent: rgb(0xe6e8ec),
    on_accent: rgb(0x16181c),
    picture_top: rgb(0x262a31),
    picture_bottom: rgb(0x17191d),
    grid: rgb(0x6a7282),
    halo: rgb(0x0e0f12),
    solid_body: rgb(0xc3c8d0),
    xray_body: rgb(0x98a1b1),
    xray_rim: rgb(0xe8eef8),
};

pub const LIGHT: Theme = Theme {
    is_light: true,
    left: rgb(0x0771f8),
    right: rgb(0x975400),
    body: rgb(0xaa7b00),
    target: rgb(0xd724b1),
    bend: rgb(0x027084),
    rigid: rgb(0x920021),
    push_only: rgb(0x0e965f),
    previous: rgb(0x636363),
    warning: rgb(0x8a5a00),
    text: [rgb(0x1d2128), rgb(0x4a525e), rgb(0x5d6673)],
    well: rgb(0xe4e7eb),
    panel: rgb(0xf6f7f9),
    header: rgb(0xe9ebef),
    widget: rgb(0xe0e4e9),
    track: rgb(0xc9cfd8),
    fill: rgb(0x6b7482),
    selected_row: rgb(0xe2e6ec),
    separator: rgb(0xd9dde3),
    accent: rgb(0x262b33),
    on_accent: rgb(0xffffff),
    picture_top: rgb(0xf3f5f8),
    picture_bottom: rgb(0xe2e6ec),
    grid: rgb(0x7d8795),
    halo: rgb(0xffffff),
    solid_body: rgb(0xc3c8d0),
    xray_body: rgb(0x9aa4b3),
    xray_rim: rgb(0x39414d),
};

/// Maps a gap, as a fraction of the height, to a warmth on a logarithmic scale. The warmth is 0 for gaps up to 0.05 % of the
/// height, and 1 from a quarter of the height on.
pub(crate) fn warmth(gap: f32) -> f32 {
    const LOW: f32 = 0.0005;
    const HIGH: f32 = 0.25;
    ((gap.max(LOW) / LOW).ln() / (HIGH / LOW).ln()).clamp(0.0, 1.0)
}

impl Theme {
    pub fn level(&self, rule: Option<usize>) -> Color32 {
        /// From far to near in the usual order of rules: grey, violet, blue, green, yellow, orange.
        const LEVELS: [Color32; 6] =
            [rgb(0x848892), rgb(0x9c70ce), rgb(0x4684de), rgb(0x2eac9e), rgb(0xe2be46), rgb(0xe27646)];
        rule.map_or(self.text[0], |rule| LEVELS[rule % LEVELS.len()])
    }

    /// Related kinds of work share a hue.
    pub(crate) const fn work(&self, work: Work) -> Color32 {
        match work {
            Work::Sample => rgb(0x8a8f9a),
            Work::Modifiers => rgb(0xc06a9e),
            Work::Grounding => rgb(0x2eac9e),
            Work::Casts => rgb(0x1f7d72),
            Work::Read => rgb(0x4684de),
            Work::Stages => rgb(0x2f68bd),
            Work::Write => rgb(0x6ba0ea),
            Work::Swing => rgb(0x4f9fc0),
            Work::Twist => rgb(0x86bcd6),
            Work::Chains => rgb(0x9c70ce),
            Work::Blend => rgb(0xc79a3a),
            Work::Panes => rgb(0x7c8290),
            Work::Picture => rgb(0x6a7080),
            Work::Crowd => rgb(0x9aa0ae),
            Work::Screen => rgb(0x545a68),
        }
    }

    /// Returns the colour of a lane. A lab has at most six lanes, so each has its own colour.
    pub fn lane(&self, lane: usize) -> Color32 {
        [self.left, self.right, self.bend, self.body, self.push_only, self.xray_rim][lane % 6]
    }

    pub const fn of(is_light: bool) -> &'static Self {
        if is_light { &LIGHT } else { &DARK }
    }

    pub const fn limb(&self, limb: LimbName) -> Color32 {
        if limb.is_left() { self.left } else { self.right }
    }

    pub const fn node(&self, node: Node) -> Color32 {
        match node.limb() {
            Some(limb) => self.limb(limb),
            None => self.body,
        }
    }

    pub(crate) const fn tint(&self, tint: Tint) -> Option<Color32> {
        match tint {
            Tint::Own => None,
            Tint::Node(node) => Some(self.node(node)),
            Tint::Rigid | Tint::Limit => Some(self.rigid),
            Tint::PushOnly => Some(self.push_only),
        }
    }

    /// Returns the colour of a tint. [`Tint::Own`] is the colour of the layer.
    pub(crate) fn tone(&self, layer: LayerId, tint: Tint) -> Color32 {
        self.tint(tint).unwrap_or_else(|| match layer.topic() {
            Topic::Lab | Topic::BodyLab => self.lane(layer.index().unwrap_or_default()),
            Topic::Chain => self.bend,
            Topic::Motion
            | Topic::Attachments
            | Topic::Trackers
            | Topic::Modifiers
            | Topic::Grounding
            | Topic::Posing => self.body,
        })
    }

    /// Returns a colour for a quantity from 0 to 1. In both themes, small values recede into the pane.
    pub(crate) fn warmth(&self, t: f32) -> Color32 {
        let t = t.clamp(0.0, 1.0);
        heat(if self.is_light { 0.96 - 0.80 * t } else { 0.12 + 0.86 * t })
    }

    pub fn apply(&self, ctx: &egui::Context) {
        let mut visuals = if self.is_light { Visuals::light() } else { Visuals::dark() };
        visuals.override_text_color = Some(self.text[0]);
        visuals.panel_fill = self.panel;
        visuals.window_fill = self.panel;
        visuals.window_stroke = Stroke::new(1.0, self.track);
        visuals.extreme_bg_color = self.widget;
        visuals.faint_bg_color = self.header;
        visuals.selection.bg_fill = self.fill;
        visuals.selection.stroke = Stroke::new(1.0, self.on_accent);
        visuals.hyperlink_color = self.text[1];
        visuals.slider_trailing_fill = true;
        visuals.handle_shape = egui::style::HandleShape::Circle;
        let radius = CornerRadius::same(4);
        let widgets = &mut visuals.widgets;
        for (state, fill, text) in [
            (&mut widgets.noninteractive, self.panel, self.text[1]),
            (&mut widgets.inactive, self.widget, self.text[0]),
            (&mut widgets.hovered, self.track, self.text[0]),
            (&mut widgets.active, self.fill, self.text[0]),
            (&mut widgets.open, self.track, self.text[0]),
        ] {
            state.bg_fill = fill;
            state.weak_bg_fill = fill;
            state.bg_stroke = Stroke::NONE;
            state.fg_stroke = Stroke::new(1.0, text);
            state.corner_radius = radius;
            state.expansion = 0.0;
        }
        widgets.noninteractive.bg_stroke = Stroke::new(1.0, self.separator);
        ctx.set_visuals(visuals);

        ctx.style_mut(|style| {
            style.text_styles = [
                (TextStyle::Body, FontId::proportional(12.5)),
                (TextStyle::Button, FontId::proportional(12.5)),
                (TextStyle::Small, FontId::proportional(11.0)),
                (TextStyle::Heading, FontId::new(17.0, semibold())),
                (TextStyle::Monospace, FontId::monospace(11.5)),
            ]
            .into();
            style.spacing.item_spacing = egui::vec2(8.0, 3.0);
            style.spacing.button_padding = egui::vec2(8.0, 3.0);
            style.spacing.interact_size = egui::vec2(24.0, 20.0);
            style.spacing.slider_width = 100.0;
            style.drag_value_text_style = TextStyle::Monospace;
            style.spacing.slider_rail_height = 4.0;
            style.spacing.window_margin = Margin::same(12);
            style.spacing.menu_margin = Margin::same(6);
            style.interaction.tooltip_delay = 0.35;
            style.wrap_mode = Some(egui::TextWrapMode::Truncate);
        });
    }
}

/// Returns the mark of a node: a disc for the left limbs, a square for the right ones, and a hexagon for the body.
pub(crate) fn node_mark(theme: &Theme, node: Node, at: Pos2, radius: f32, outline: Stroke) -> Shape {
    let color = theme.node(node);
    match node.limb() {
        Some(limb) if limb.is_left() => {
            egui::epaint::CircleShape { center: at, radius, fill: color, stroke: outline }.into()
        }
        Some(_) => {
            let square = Rect::from_center_size(at, egui::Vec2::splat(radius * 1.76));
            egui::epaint::RectShape::new(square, 0.0, color, outline, egui::StrokeKind::Middle).into()
        }
        None => {
            let corner = |index: usize| {
                let angle = std::f32::consts::FRAC_PI_6 + index as f32 * std::f32::consts::FRAC_PI_3;
                at + vec2(angle.cos(), angle.sin()) * radius * 1.12
            };
            Shape::convex_polygon((0..6).map(corner).collect(), color, outline)
        }
    }
}

pub fn semibold() -> FontFamily {
    FontFamily::Name("semibold".into())
}

/// Returns the fonts: Inter for words, Hack for numbers, Phosphor for icons, Ubuntu for letters that Inter lacks, such
/// as Cyrillic ones, and emoji.
pub fn fonts() -> FontDefinitions {
    fonts_for(IS_PAGE)
}

/// Returns the fonts of a page or of the installed program. A page has no emoji, which would take 420 kB of it
/// compressed: `web/build` replaces the two emoji fonts by zeros.
pub fn fonts_for(is_page: bool) -> FontDefinitions {
    const EMOJI: &str = "NotoEmoji-Regular";
    const MORE_EMOJI: &str = "emoji-icon-font";
    // `Phosphor.ttf` and `Arrows.ttf` have only the glyphs that the program shows, see `assets/fonts/subset`.
    const PHOSPHOR: &str = "phosphor";
    let arrows = &include_bytes!("../../assets/fonts/Arrows.ttf")[..];
    let mut fonts = FontDefinitions::default();
    if is_page {
        fonts.font_data.remove(EMOJI);
        fonts.families.values_mut().for_each(|list| list.retain(|name| name != EMOJI));
        // egui draws the arrows of submenus and tabs with this font, so a font of arrows replaces it.
        if let Some(font) = fonts.font_data.get_mut(MORE_EMOJI) {
            Arc::make_mut(font).font = Cow::Borrowed(arrows);
        }
    }
    for (name, bytes) in [
        ("Inter", &include_bytes!("../../assets/fonts/Inter-Regular.otf")[..]),
        ("Inter SemiBold", &include_bytes!("../../assets/fonts/Inter-SemiBold.otf")[..]),
        (PHOSPHOR, &include_bytes!("../../assets/fonts/Phosphor.ttf")[..]),
    ] {
        fonts.font_data.insert(name.to_owned(), FontData::from_static(bytes).into());
    }
    let mut rest = fonts.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    rest.insert(1.min(rest.len()), PHOSPHOR.to_owned());
    for (family, first) in [(FontFamily::Proportional, "Inter"), (semibold(), "Inter SemiBold")] {
        let list = std::iter::once(first.to_owned()).chain(rest.iter().cloned()).collect();
        fonts.families.insert(family, list);
    }
    fonts
}

/// Returns the magma colour for `t` from 0 to 1, black to yellow with increasing lightness.
fn heat(t: f32) -> Color32 {
    const STOPS: [[f32; 3]; 9] = [
        [0.001, 0.000, 0.014],
        [0.110, 0.065, 0.276],
        [0.317, 0.072, 0.485],
        [0.513, 0.148, 0.508],
        [0.716, 0.215, 0.475],
        [0.904, 0.319, 0.388],
        [0.987, 0.536, 0.382],
        [0.997, 0.769, 0.534],
        [0.987, 0.991, 0.750],
    ];
    let at = t.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32;
    let low = (at as usize).min(STOPS.len() - 2);
    let mix = at - low as f32;
    let [r, g, b] = std::array::from_fn(|channel| {
        let value = STOPS[low][channel] + (STOPS[low + 1][channel] - STOPS[low][channel]) * mix;
        (value * 255.0).round() as u8
    });
    Color32::from_rgb(r, g, b)
}

pub(crate) fn fade(color: Color32, alpha: f32) -> Color32 {
    color.gamma_multiply(alpha)
}
