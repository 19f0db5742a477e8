//! Tests of `src/ui`.

mod fonts {
    use kinescope::ui::fonts::Script;

    #[test]
    fn scripts_are_recognized_by_their_characters() {
        let of = |text: &str| text.chars().map(Script::of).collect::<Vec<_>>();
        assert_eq!(of("头骨"), [Some(Script::Han); 2]);
        assert_eq!(of("あア"), [Some(Script::Kana); 2]);
        assert_eq!(of("머리"), [Some(Script::Hangul); 2]);
        assert_eq!(of("aß→∞"), [None; 4]);
        for script in Script::ALL {
            assert!(script.sample().iter().all(|&character| Script::of(character) == Some(script)));
        }
    }
}

mod number {
    use proptest::prelude::*;

    use kinescope::ui::number::{Shown, read};

    #[test]
    fn sums_units_and_continued_values_are_read() {
        for (text, unit, value) in [
            ("0.2+0.15", "m", 0.35),
            (" 2 * (3 - 1) / 4 ", "m", 1.0),
            ("*2", "m", 1.0),
            ("/ 4", "m", 0.125),
            ("*=2", "m", 1.0),
            ("/= 4", "m", 0.125),
            ("*2+1", "m", 2.0),
            ("+=0.1", "m", 0.6),
            ("-=0.1 m", "m", 0.4),
            ("-0.1", "m", -0.1),
            ("+0.1", "m", 0.1),
            ("2--3", "m", 5.0),
            ("35cm", "m", 0.35),
            ("35 mm + 1m", "m", 1.035),
            ("1 m", "mm", 1000.0),
            ("90°", "°", 90.0),
            ("1.5707963267948966 rad", "°", 90.0),
            ("45 deg", "°", 45.0),
            ("50%", "", 0.5),
            ("50 %", "%", 50.0),
            ("250ms", "s", 0.25),
            ("1e-3", "m", 1e-3),
            ("2e1m", "m", 20.0),
            ("0,25", "m", 0.25),
            ("−3", "m", -3.0),
        ] {
            let read = read(text, 0.5, unit);
            assert!(read.is_some_and(|read| (read - value).abs() < 1e-9), "{text:?} in {unit:?} is {read:?}");
        }
        for text in [
            "", " ", "a", "2..5", "1 2", "(1", "1)", "2+", "*", "3 s", "3 °", "1/0", "nan", "inf", "1e999", "2xm",
            "2*=3",
        ] {
            assert_eq!(read(text, 0.5, "m"), None, "{text:?}");
        }
    }

    #[test]
    fn numbers_are_written_with_as_many_decimals_as_they_need() {
        assert_eq!(Shown::Decimals(0, 3).text(0.25), "0.25");
        assert_eq!(Shown::Decimals(3, 3).text(0.25), "0.250");
        assert_eq!(Shown::Decimals(0, 1).text(100.0), "100");
        assert_eq!(Shown::Decimals(0, 0).text(100.0), "100");
        assert_eq!(Shown::Decimals(1, 3).text(2.0), "2.0");
        assert_eq!(Shown::Decimals(3, 3).text(-0.0002), "0.000");
        assert_eq!(Shown::Decimals(0, 3).text(-0.0002), "0");
        assert_eq!(Shown::Decimals(3, 3).text(-0.002), "-0.002");
    }

    proptest! {
        #[test]
        fn typed_text_is_a_finite_number_or_rejected(text in "[-+*/().,0-9em% °]{0,40}", before in -1e9..1e9f64) {
            prop_assert!(read(&text, before, "m").is_none_or(f64::is_finite));
        }
    }
}

mod theme {
    use std::path::Path;

    use egui_macroquad::egui::FontDefinitions;

    use kinescope::ui::theme::{fonts, fonts_for};

    fn glyph(font: &[u8], character: char) -> Option<(ttf_parser::Rect, Option<u16>)> {
        let face = ttf_parser::Face::parse(font, 0).ok()?;
        let glyph = face.glyph_index(character)?;
        Some((face.glyph_bounding_box(glyph)?, face.glyph_hor_advance(glyph)))
    }

    fn sources(folder: &Path, text: &mut String) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => sources(&path, text),
                false => text.push_str(&std::fs::read_to_string(&path).unwrap()),
            }
        }
    }

    #[test]
    fn icons_of_the_sources_are_in_the_font() {
        let mut text = String::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut text);
        let whole = egui_phosphor::Variant::Regular.font_bytes();
        let own = &fonts().font_data["phosphor"].font;
        let mut count = 0;
        for rest in text.split("icon::").skip(1) {
            let is_of_name = |character: char| character == '_' || character.is_ascii_uppercase();
            let name = rest.split(|character| !is_of_name(character)).next().unwrap();
            let Some((_, icon)) = egui_phosphor::regular::ICONS.iter().find(|(other, _)| *other == name) else {
                continue;
            };
            let character = icon.chars().next().unwrap();
            let expected = glyph(whole, character);
            assert!(expected.is_some() && glyph(own, character) == expected, "{name}: run assets/fonts/subset");
            count += 1;
        }
        assert!(count > 60, "{count}");
    }

    #[test]
    fn arrows_of_menus_and_tabs_are_the_same_in_a_page() {
        let [program, page] = [false, true].map(fonts_for);
        let arrows = |fonts: &FontDefinitions| {
            let font = &fonts.font_data["emoji-icon-font"];
            (['⏴', '⏵'].map(|arrow| glyph(&font.font, arrow).unwrap()), font.tweak)
        };
        assert_eq!(arrows(&program), arrows(&page));
        for (family, list) in &page.families {
            assert!(list.iter().all(|name| page.font_data.contains_key(name)), "{family:?}: {list:?}");
        }
        assert!(page.font_data.values().map(|font| font.font.len()).sum::<usize>() < 1_000_000);
    }
}

mod words {
    use kinescope::character::Character;
    use kinescope::ui::words::measured;
    use kinescope_ik::stepped::run::Unit;

    #[test]
    fn sums_of_squares_have_no_percent() {
        let character = Character::built_in().unwrap();
        assert_eq!((character.factor(Unit::Number), character.unit_name(Unit::Number)), (1.0, ""));
        let text = |unit: Unit, value: f32| measured(unit, value, |length| character.length(length));
        for (value, plain) in [(0.0, "0"), (0.25, "0.2500"), (-0.25, "−0.2500"), (1.5e-6, "1.5e−6"), (2.5e4, "2.5e4")]
        {
            assert_eq!(text(Unit::Number, value), plain);
        }
        assert_eq!([Unit::Fraction, Unit::Excess].map(|unit| text(unit, 0.25)), ["25.0 %", "+25.0 %"]);
        assert_eq!([-0.25, -1e-5].map(|value| text(Unit::Excess, value)), ["−25.0 %", "0.0 %"]);
    }
}
