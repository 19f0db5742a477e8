//! Tests of `src/world`.

mod clip_player {
    use kinescope::world::motion::clip_player::ClipPlayer;
    use kinescope_ik::animation::Phase;
    use kinescope_ik::rig::Clip;

    #[test]
    fn it_loops_both_ways_and_survives_no_length() {
        let clips = [Clip { duration: 2.0, ..Clip::default() }, Clip::default()];
        let mut player = ClipPlayer::default();
        player.set(Some(0), 1.5);
        assert!(player.advance(&clips, 1.0, 1.0));
        assert!((player.time() - 0.5).abs() < 1e-6);
        player.speed = -1.0;
        player.advance(&clips, 0.5, 2.0);
        assert!((player.time() - 1.5).abs() < 1e-6);
        player.set(Some(1), 0.0);
        assert!(!player.advance(&clips, 1.0, 1.0));
        player.set(Some(9), 0.0);
        assert!(!player.advance(&clips, 1.0, 1.0));
        player.set(None, 0.0);
        assert!(!player.advance(&clips, 1.0, 1.0));
    }

    #[test]
    fn a_fade_goes_on_while_clips_stand_still() {
        let clips = [Clip { duration: 2.0, ..Clip::default() }, Clip { duration: 1.0, ..Clip::default() }];
        let mut player = ClipPlayer::default();
        player.speed = 0.0;
        player.set(Some(0), 0.5);
        player.fade_to(Some(1), 0.25, Phase::Keep, &clips);
        assert_eq!((player.clip(), player.time()), (Some(1), 0.25));
        assert!(player.advance(&clips, 0.25, 1.0) && player.crossfade.fades().is_empty());
        assert!(!player.advance(&clips, 0.25, 1.0));
    }
}

mod document {
    use std::sync::Arc;

    use proptest::prelude::*;

    use kinescope::world::document::{ClipSection, Document, History, MOST_HEIGHTS};
    use kinescope_ik::preset::Preset;
    use kinescope_ik::stack::parameters::ParameterId;
    use kinescope_ik::stack::{ChainSolve, LabSection, Method};
    use kinescope_ik::terrain::Terrain;

    fn with_pull(pull: f32) -> Document {
        let mut document = Document::default();
        document.stack.full_body.chains[0].pull = pull;
        document
    }

    #[test]
    fn every_number_of_every_solver_is_reached_by_its_path_in_the_preset() {
        let mut document = Document::default();
        document.stack.chain_ik.chains = vec![ChainSolve::default(); 2];
        document.stack.chain_ik.lab = Some(LabSection::default());
        // A method that differs from the default makes the preset contain this section.
        document.stack.grounding.method = Method::FootIk;
        let parameters: Vec<ParameterId> = ParameterId::all(&document.stack).collect();
        let solvers =
            ["solver.", "chains.", "effectors.", "grounding.", "chain_ik.chains[1].", "chain_ik.lab.lanes[1]."];
        for solver in solvers {
            assert!(parameters.iter().any(|parameter| parameter.path().starts_with(solver)), "{solver}");
        }
        for parameter in parameters {
            let path = parameter.path();
            assert_eq!(ParameterId::from_path(&path), Some(parameter));
            let [min, max] = parameter.range();
            let value = if parameter.get(&document.stack) == max { min } else { max };
            let mut changed = document.clone();
            parameter.set(&mut changed.stack, value);
            assert_eq!(parameter.get(&changed.stack), value, "{path}");
            let preset = serde_json::to_value(changed.to_preset()).unwrap();
            let pointer = format!("/{}", path.replace("].", "/").replace(['.', '['], "/"));
            let written =
                preset.pointer(&pointer).and_then(serde_json::Value::as_f64).unwrap_or_else(|| panic!("{path}"));
            assert_eq!(written as f32, value, "{path}");
        }
    }

    #[test]
    fn a_gesture_is_one_edit() {
        let mut history = History::new(Document::default());
        for pull in [0.9, 0.8, 0.7] {
            history.edit("pull", Some(1), with_pull(pull));
        }
        history.end_gesture();
        history.edit("pull", Some(2), with_pull(0.5));
        assert!(history.is_unsaved());
        history.undo();
        assert_eq!(history.document(), &with_pull(0.7));
        history.undo();
        assert_eq!(history.document(), &Document::default());
        assert!(!history.is_unsaved());
        assert_eq!(history.undo(), None);
        history.redo();
        history.redo();
        assert_eq!(history.document(), &with_pull(0.5));
        assert_eq!(history.redo(), None);
    }

    #[test]
    fn strokes_on_a_large_terrain_do_not_fill_the_memory() {
        let mut history = History::new(Document::default());
        for height in 0..60 {
            let terrain =
                Terrain { columns: 1025, rows: 1025, heights: vec![height as f32; 1025 * 1025], ..Terrain::flat() };
            history.edit("raise", None, Document { terrain: Some(Arc::new(terrain)), ..Document::default() });
            assert!(history.heights() <= MOST_HEIGHTS);
        }
        assert!(history.undo().is_some());
    }

    #[test]
    fn a_document_survives_its_preset() {
        let mut document = with_pull(0.25);
        document.clip = ClipSection { name: Some("walk".into()), time: 0.4 };
        let text = document.to_preset().to_json();
        assert_eq!(Document::from_preset(&Preset::from_json(&text).unwrap()).unwrap(), document);
    }

    #[test]
    fn a_bad_section_is_named() {
        let mut preset = Preset::default();
        preset.sections.insert("clip".into(), serde_json::json!({ "nam": "walk" }));
        let error = Document::from_preset(&preset).unwrap_err();
        assert!(error.to_string().starts_with("clip.nam"), "{error}");
        preset.sections.insert("clip".into(), serde_json::json!({ "time": 1e40 }));
        let error = Document::from_preset(&preset).unwrap_err();
        assert!(error.to_string().starts_with("clip.time: is inf"), "{error}");
    }

    proptest! {
        #[test]
        fn undoing_everything_and_redoing_it_comes_back(pulls in prop::collection::vec((0.0f32..1.0, 0..3u64), 1..40)) {
            let mut history = History::new(Document::default());
            for &(pull, gesture) in &pulls {
                history.edit("pull", (gesture > 0).then_some(gesture), with_pull(pull));
            }
            let last = history.document().clone();
            while history.undo().is_some() {}
            prop_assert_eq!(history.document(), &Document::default());
            while history.redo().is_some() {}
            prop_assert_eq!(history.document(), &last);
        }
    }
}
