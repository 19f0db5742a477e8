//! Tests of `src/shell`.

mod capture {
    use image::RgbaImage;

    use kinescope::shell::capture::{gif, part};

    #[test]
    fn parts_stay_inside_and_animations_have_every_frame() {
        let image = RgbaImage::from_fn(20, 10, |x, y| image::Rgba([x as u8 * 10, y as u8 * 20, 0, 255]));
        let cut = part(&image, [5.0, 2.0, 100.0, 3.0]);
        assert_eq!(cut.dimensions(), (15, 3));
        assert_eq!(cut.get_pixel(0, 0), image.get_pixel(5, 2));
        assert_eq!(part(&image, [50.0, -2.0, 0.0, 0.0]).dimensions(), (1, 1));

        let bytes = gif(vec![image.clone(), image.clone(), image], 0.1).unwrap();
        let decoder = image::codecs::gif::GifDecoder::new(std::io::Cursor::new(bytes)).unwrap();
        let frames = image::AnimationDecoder::into_frames(decoder).collect_frames().unwrap();
        assert_eq!(frames.len(), 3);
    }
}

mod layout {
    use serde_json::{Value, json};

    use kinescope::session::Pane;
    use kinescope::shell::panes::layout::Layout;

    #[test]
    fn panes_open_close_and_come_back_from_text() {
        let mut layout = Layout::default();
        assert!(Layout::from_json(&serde_json::to_string(&layout).unwrap()).is_ok());
        assert!(layout.is_shown(Pane::Inspector) && !layout.is_shown(Pane::Plots));
        layout.show(Pane::Compare);
        assert!(layout.is_shown(Pane::Compare) && !layout.is_shown(Pane::Inspector));
        layout.hide(Pane::Compare);
        assert!(layout.is_shown(Pane::Inspector));
        layout.hide(Pane::Inspector);
        layout.hide(Pane::Picture);
        assert!(layout.is_shown(Pane::Picture));
        layout.show(Pane::Inspector);
        assert!(layout.is_shown(Pane::Inspector));
        layout.show(Pane::Plots);
        let text = serde_json::to_string(&layout).unwrap();
        assert!(Layout::from_json(&text).unwrap().is_shown(Pane::Plots));
    }

    #[test]
    fn what_is_no_layout_is_refused() {
        let all: Vec<usize> = (1..=Pane::ALL.len()).collect();
        let tabs =
            |children: &[usize]| json!({ "Container": { "Tabs": { "children": children, "active": children[0] } } });
        let root = Pane::ALL.len() + 1;
        let read = |root: usize, change: &dyn Fn(&mut Value)| {
            let panes = Pane::ALL.iter().zip(&all).map(|(pane, id)| (id.to_string(), json!({ "Pane": pane })));
            let mut tiles: serde_json::Map<String, Value> = panes.collect();
            tiles.insert((Pane::ALL.len() + 1).to_string(), tabs(&all));
            let tiles = json!({ "next_tile_id": 1_000_000, "tiles": tiles, "invisible": [] });
            let mut tree = json!({ "id": 7, "root": root, "tiles": tiles, "height": 800.0, "width": 1400.0 });
            change(&mut tree);
            Layout::from_json(&json!({ "tree": tree }).to_string())
        };
        assert!(read(root, &|_| {}).is_ok());
        let odd = read(root, &|tree| (tree["height"], tree["width"]) = (json!(-1e30), json!(1e30))).unwrap();
        let odd = &serde_json::to_value(&odd).unwrap()["tree"];
        assert!(odd["width"] != 1e30 && odd["height"] != -1e30, "{odd}");
        let cycle = |tree: &mut Value| {
            tree["tiles"]["tiles"][root.to_string()]["Container"]["Tabs"]["children"][9] = json!(root)
        };
        let orphans = |tree: &mut Value| tree["tiles"]["tiles"][(root + 1).to_string()] = tabs(&[root + 1, 1]);
        let hidden = |tree: &mut Value| tree["tiles"]["invisible"] = json!([1, root]);
        let deep = |tree: &mut Value| {
            (14..20_014).for_each(|id| tree["tiles"]["tiles"][id.to_string()] = tabs(&[id - 1]));
        };
        let grid = |tree: &mut Value| {
            let layout = json!({ "Columns": 4_000_000_000u32 });
            let grid = json!({ "children": all, "layout": layout, "col_shares": [1.0], "row_shares": [1.0] });
            tree["tiles"]["tiles"][root.to_string()] = json!({ "Container": { "Grid": grid } });
        };
        for (root, change) in
            [(13, &cycle as &dyn Fn(&mut Value)), (13, &orphans), (13, &hidden), (20_013, &deep), (13, &grid)]
        {
            assert_eq!(read(root, change).err().as_deref(), Some("the arrangement of the panes is not valid"));
        }
    }
}

mod palette {
    use kinescope::scenes::SCENES;
    use kinescope::session::commands::{COMMANDS, Command};
    use kinescope::shell::panes::palette::{Entry, cost, letters, matching};

    fn commands(query: &str) -> Vec<Command> {
        let found = matching(query, &[]).into_iter().filter_map(|found| match found.entry {
            Entry::Command(info) => Some(info.command),
            Entry::Scene(_) | Entry::Setting(_) => None,
        });
        found.collect()
    }

    #[test]
    fn the_palette_finds_by_letters() {
        assert_eq!(commands("nstg")[0], Command::NextStage);
        assert_eq!(commands("undo")[0], Command::Undo);
        assert_eq!(commands("").len(), COMMANDS.len());
        assert_eq!(matching("  ", &[]).len(), COMMANDS.len() + SCENES.len());
        assert!(matching("zzzz", &[]).is_empty());
        assert!(matching("?!", &[]).is_empty());
    }

    #[test]
    fn letters_scattered_over_a_text_are_no_match() {
        let cost = |query: &str, text: &str| cost(&letters(query), &letters(text));
        assert_eq!(cost("stairs", "Stop listening"), None);
        assert_eq!(cost("stairs", "stairs"), Some(0));
        assert_eq!(cost("push parent", "push_parent"), Some(0));
        assert_eq!(cost("PUSHparent", "pushParent"), Some(0));
        assert_eq!(cost("feature", "useIkFeature"), Some(0));
        assert_eq!(cost("uif", "useIkFeature"), Some(2));
        assert_eq!(cost("nstg", "Next stage"), Some(3));
        assert_eq!(cost("tage", "stage"), Some(2));
        assert_eq!(cost("", "stage"), None);
    }

    #[test]
    fn stairs_is_the_scene() {
        let found = matching("stairs", &[]);
        assert!(matches!(found[0].entry, Entry::Scene(scene) if scene.name == "stairs"));
        assert!(!commands("stairs").contains(&Command::StopListening));
    }
}
