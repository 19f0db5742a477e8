//! System fonts for Chinese, Japanese and Korean names, which the bundled fonts lack.
//!
//! Such a font takes several megabytes, so it is neither bundled nor loaded at the start: the first frame that shows a
//! character of a script searches for an installed font, and later frames use it.

use kinescope_ik::key::named;
use std::sync::Arc;

use egui_macroquad::egui::{self, FontData, Shape};

use crate::system::fonts::{Font, Installed};
use crate::ui::theme;
use crate::ui::words as text;

named! {
    /// A script that the bundled fonts lack.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Script {
        label: &'static str,
    }
    ALL {
        /// Chinese characters, in Chinese, Japanese and Korean text.
        Han: text::CHINESE;
        Kana: text::JAPANESE;
        Hangul: text::KOREAN;
    }
}

impl Script {
    /// Returns the script of a character, or `None` for all other scripts, for which no system font is read.
    pub const fn of(character: char) -> Option<Self> {
        match character {
            '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}' => Some(Self::Kana),
            '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7af}' => Some(Self::Hangul),
            '\u{2e80}'..='\u{303f}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff00}'..='\u{ff65}'
            | '\u{20000}'..='\u{3ffff}' => Some(Self::Han),
            _ => None,
        }
    }

    pub const fn sample(self) -> &'static [char] {
        match self {
            Self::Han => &['骨', '盆', '左'],
            Self::Kana => &['ひ', 'ア'],
            Self::Hangul => &['한', '글'],
        }
    }
}

#[derive(Default)]
pub struct SystemFonts {
    tried: [bool; Script::ALL.len()],
    installed: Option<Installed>,
    loaded: Vec<Font>,
}

impl SystemFonts {
    pub fn with(installed: Installed) -> Self {
        Self { installed: Some(installed), ..Self::default() }
    }

    /// Finds scripts that the painted shapes show for the first time, and loads a font for each. egui uses these fonts
    /// from the next frame on. Returns a notice if no installed font has one of these scripts.
    pub fn update(&mut self, ctx: &egui::Context) -> Option<String> {
        if self.tried.iter().all(|tried| *tried) {
            return None;
        }
        let mut missing = Vec::new();
        let mut loads = false;
        for script in scripts(ctx) {
            if std::mem::replace(&mut self.tried[script as usize], true) {
                continue;
            }
            let installed = self.installed.get_or_insert_with(Installed::find);
            match best(installed, script) {
                Some(font) => {
                    loads |= !self.loaded.contains(&font);
                    self.loaded.retain(|own| *own != font);
                    self.loaded.push(font);
                }
                None => missing.push(script.label()),
            }
        }
        if loads {
            ctx.set_fonts(self.definitions());
            ctx.request_repaint();
        }
        (!missing.is_empty()).then(|| text::no_font(&missing.join(text::OR)))
    }

    fn definitions(&self) -> egui::FontDefinitions {
        let mut fonts = theme::fonts();
        let Some(installed) = &self.installed else { return fonts };
        for (index, &id) in self.loaded.iter().enumerate() {
            let Some((bytes, face)) = installed.with_data(id, |bytes, face| (bytes.to_vec(), face)) else {
                continue;
            };
            let name = format!("system {index}");
            let data = FontData { index: face, ..FontData::from_owned(bytes) };
            fonts.font_data.insert(name.clone(), Arc::new(data));
            fonts.families.values_mut().for_each(|family| family.push(name.clone()));
        }
        fonts
    }
}

fn scripts(ctx: &egui::Context) -> Vec<Script> {
    let layers: Vec<egui::LayerId> = ctx.memory(|memory| memory.layer_ids().collect());
    let mut found = [false; Script::ALL.len()];
    ctx.graphics(|graphics| {
        for list in layers.iter().filter_map(|&layer| graphics.get(layer)) {
            list.all_entries().for_each(|entry| look_into(&entry.shape, &mut found));
        }
    });
    Script::ALL.into_iter().filter(|script| found[*script as usize]).collect()
}

fn look_into(shape: &Shape, found: &mut [bool; Script::ALL.len()]) {
    match shape {
        Shape::Text(text) => {
            let shown = &text.galley.job.text;
            if !shown.is_ascii() {
                shown.chars().filter_map(Script::of).for_each(|script| found[script as usize] = true);
            }
        }
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| look_into(shape, found)),
        Shape::Noop
        | Shape::Circle(_)
        | Shape::Ellipse(_)
        | Shape::LineSegment { .. }
        | Shape::Path(_)
        | Shape::Rect(_)
        | Shape::Mesh(_)
        | Shape::QuadraticBezier(_)
        | Shape::CubicBezier(_)
        | Shape::Callback(_) => {}
    }
}

/// Returns the best font for a script. Fonts that also cover the other scripts are better. `None` if no font covers the
/// script.
fn best(installed: &Installed, script: Script) -> Option<Font> {
    installed.best(|bytes, index| {
        let parsed = ttf_parser::Face::parse(bytes, index).ok()?;
        // egui draws outlines, which bitmap fonts lack.
        let has = |script: Script| {
            script.sample().iter().all(|&character| {
                let glyph = parsed.glyph_index(character);
                glyph.is_some_and(|glyph| parsed.glyph_bounding_box(glyph).is_some())
            })
        };
        has(script).then(|| Script::ALL.into_iter().filter(|&script| has(script)).count())
    })
}
