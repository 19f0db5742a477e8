mod frame_strip {
    use egui_macroquad::egui::{self, Pos2, Rect, vec2};

    use kinescope::tools::steps::frame_strip::{Flag, FrameStrip};
    use kinescope::ui::theme::Theme;

    fn texts(flags: &[Flag]) -> Vec<String> {
        let context = egui::Context::default();
        let input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(900.0, 200.0))),
            ..egui::RawInput::default()
        };
        let output = context.run(input, |context| {
            egui::CentralPanel::default().show(context, |ui| {
                let strip = FrameStrip::new(ui, Theme::of(false), 90.0, "frames", [0.0, 10.0]);
                strip.flags(flags.to_vec());
            });
        });
        let text = |shape: &egui::epaint::ClippedShape| match &shape.shape {
            egui::Shape::Text(text) => Some(text.galley.text().to_owned()),
            _ => None,
        };
        output.shapes.iter().filter_map(text).collect()
    }

    #[test]
    fn a_mark_on_a_frame_with_a_difference_is_drawn_beside_it() {
        let difference = Flag { time: 5.0, text: "iteration 1, stage2", is_warning: true };
        let mark = Flag { time: 5.0, text: "jump", is_warning: false };
        let other = Flag { time: 7.0, text: "landed", is_warning: false };
        for flags in [[difference, mark, other], [mark, other, difference]] {
            let drawn = texts(&flags);
            assert!(drawn.iter().any(|text| text.contains("stage2") && text.contains("jump")), "{drawn:?}");
            assert!(drawn.iter().any(|text| text.contains("landed")), "{drawn:?}");
        }
    }
}

mod plots {
    use kinescope::tools::steps::plots::{WIDEST_LEGEND, in_rows, pieces, place_at, rows_of, width_for};

    #[test]
    fn steps_count_from_one_and_frames_keep_their_numbers() {
        assert_eq!(place_at(false, 6.0), ("Step", 7.0));
        assert_eq!(place_at(true, 6.0), ("Frame", 6.0));
    }

    #[test]
    fn a_legend_breaks_into_rows_and_leaves_no_entry_out() {
        let widths = [80.0, 60.0, 60.0, 500.0, 20.0];
        let places = in_rows(widths.into_iter(), 150.0);
        assert_eq!(places, [(0, 0.0), (0, 86.0), (1, 0.0), (2, 0.0), (3, 0.0)]);
        for ((row, x), width) in places.iter().zip(widths) {
            assert!(*x == 0.0 || x + width <= 150.0, "{row} {x}");
        }
    }

    #[test]
    fn a_line_has_gaps_where_there_is_no_value() {
        let points = [3.0, 6.0, 15.0, 18.0, 27.0].map(|x| [x, 1.0]).to_vec();
        let ends: Vec<[f64; 2]> =
            pieces(points, 3.0).iter().map(|piece| [piece[0][0], piece[piece.len() - 1][0]]).collect();
        assert_eq!(ends, [[3.0, 6.0], [15.0, 18.0], [27.0, 27.0]]);
        assert!(pieces(Vec::new(), 1.0).is_empty());
    }

    #[test]
    fn a_plot_is_as_wide_as_its_legend_needs_in_few_rows() {
        let widths = [120.0, 90.0, 90.0, 60.0, 60.0];
        assert_eq!(rows_of(&widths, 220.0), 3);
        let width = width_for(&widths, 220.0, 2);
        assert!(width > 220.0 && rows_of(&widths, width) == 2 && rows_of(&widths, width - 8.0) == 3, "{width}");
        assert_eq!(width_for(&widths, 300.0, 3), 300.0);
        assert!(width_for(&[100.0; 400], 220.0, 2) < WIDEST_LEGEND + 9.0);
    }
}

mod profiler {
    use kinescope::tools::steps::profiler::{DRAWN, MADE};
    use kinescope_ik::timing::Work;

    #[test]
    fn all_work_is_shown_once_in_the_order_of_a_frame() {
        let shown = MADE.iter().chain(&DRAWN).flat_map(|(_, works)| works.iter().copied());
        assert!(shown.eq(Work::ALL));
    }
}

mod timeline {
    use kinescope::tools::steps::timeline::cells;

    #[test]
    fn no_more_cells_than_pixels_and_the_current_one_among_them() {
        assert_eq!(cells(5, 300.0, Some(2)), [0, 1, 2, 3, 4]);
        for current in [0, 1, 77_777, 99_999] {
            let shown = cells(100_000, 300.0, Some(current));
            assert_eq!(shown.len(), 150);
            assert!(shown.is_sorted() && shown.contains(&current), "{current}");
        }
        assert!(cells(0, 300.0, None).is_empty());
    }
}
