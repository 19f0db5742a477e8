//! In the panes no text is cut off or overlaps another, at common window sizes.

use std::sync::Arc;

use egui_kittest::Harness;
use egui_kittest::kittest::{By, Node, Queryable};
use egui_macroquad::egui::accesskit::Role;
use egui_macroquad::egui::{Event, Modifiers, MouseWheelUnit, Rect, Shape, Vec2, pos2};

use kinescope::character::Character;
use kinescope::scenes::Scene;
use kinescope::session::commands::Command;
use kinescope::session::{Action, Pane, Selection};
use kinescope::tools::chains::session::ChainAction;
use kinescope::tools::chains::{new_chain, suggestions};
use kinescope::tools::learn::lessons::LESSONS;
use kinescope::tools::learn::session::LearnAction;
use kinescope::tools::steps::session::StepAction;
use kinescope::ui::fonts::SystemFonts;
use kinescope_ik::full_body::Effector;
use kinescope_ik::modifiers::Modifier;
use kinescope_ik::stack::{LayerId, Stack};
use kinescope_ik::stepped::run::Cursor;

use crate::common::files::Folder;
use crate::common::gltf::Glb;
use crate::harness::{Drawn, Window, run, select, texts, window, window_of};

const SIZES: [Vec2; 3] = [Vec2::new(1440.0, 900.0), Vec2::new(1280.0, 800.0), Vec2::new(1024.0, 640.0)];
const LONG: &str = "right_hand_end_effector_of_the_imported_character";

fn rect(node: &Node<'_>) -> Rect {
    let bounds = node.raw_bounds().unwrap();
    Rect::from_min_max(pos2(bounds.x0 as f32, bounds.y0 as f32), pos2(bounds.x1 as f32, bounds.y1 as f32))
}

/// Returns texts that are cut at their left or right, texts that overlap, and texts in the outliner's right margin.
/// Tabs and the strip of steps may be cut, because they scroll.
fn faults(harness: &Harness<Window>) -> Vec<String> {
    let drawn = texts(harness);
    let below = harness.state().picture.bottom();
    let scrolls = |one: &Drawn| {
        let is_tab = Pane::ALL.iter().any(|pane| pane.title() == one.text);
        let is_in_strip = one.text.chars().count() <= 5 || one.text.starts_with("Iteration ");
        is_tab || (one.rect.top() > below && is_in_strip)
    };
    let mut faults = Vec::new();
    for one in drawn.iter().filter(|one| !scrolls(one)) {
        let Drawn { text, rect, clip } = one;
        if rect.right() > clip.right() + 1.0 || rect.left() < clip.left() - 1.0 {
            faults.push(format!("«{text}» from {} to {} is cut at {:?}", rect.left(), rect.right(), clip.x_range()));
        }
    }
    for (index, one) in drawn.iter().enumerate() {
        for other in &drawn[index + 1..] {
            let both = one.rect.intersect(other.rect).intersect(one.clip).intersect(other.clip);
            // The boxes of adjacent lines touch although their letters do not.
            if both.width() > 1.0 && both.height() > 6.0 {
                faults.push(format!("«{}» lies on «{}» at {both:?}", one.text, other.text));
            }
        }
    }
    let outliner = harness.state().picture.left();
    for Drawn { text, rect, .. } in &drawn {
        if rect.left() < outliner && rect.top() < below && rect.top() > 95.0 && rect.right() > outliner - 8.0 {
            faults.push(format!("«{text}» ends at {} in an outliner that ends at {outliner}", rect.right()));
        }
    }
    faults
}

fn with_long_names() -> Character {
    let mut file = Glb::read(&std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/biped.glb")).unwrap());
    for node in file.root["nodes"].as_array_mut().unwrap() {
        if node["name"] == "right_hand" {
            node["name"] = LONG.into();
        }
    }
    let folder = Folder::new("long names");
    Character::load(folder.write("rig.glb", file.write()).as_ref()).unwrap()
}

fn edit(harness: &mut Harness<Window>, change: impl FnOnce(&mut Stack)) {
    let session = &mut harness.state_mut().session;
    let mut stack = session.world.stack().clone();
    change(&mut stack);
    session.edit_stack("test", None, stack);
    session.update(1.0 / 60.0);
}

fn check(what: &str, harness: &Harness<Window>) {
    let faults = faults(harness);
    assert!(faults.is_empty(), "{what}:\n{}", faults.join("\n"));
}

/// With a long bone name, the row of a chain's ends used to be wider than the pane, and so was everything below the
/// row: steps, eyes and values were cut.
#[test]
fn the_outliner_cuts_no_value_and_no_eye() {
    for size in SIZES {
        let mut harness = window_of(size, with_long_names(), SystemFonts::default());
        let bones = harness.state().session.world.character.model.skeleton.clone();
        let end = bones.find(LONG).unwrap();
        let root = bones.parent(bones.parent(end).unwrap()).unwrap();
        harness.state_mut().session.apply(Action::Chains(ChainAction::ChooseEnd(0, Some(root))));
        harness.state_mut().session.apply(Action::Chains(ChainAction::ChooseEnd(1, Some(end))));
        harness.run();
        check(&format!("{size} ends"), &harness);
        let list = harness.get_by_role_and_label(Role::ComboBox, "end bone");
        assert!(rect(&list).right() < harness.state().picture.left() - 30.0, "the list leaves room for the button");
        harness.state_mut().session.apply(Action::Chains(ChainAction::AddChain));
        harness.run();
        select(&mut harness, Selection::Layer(LayerId::Chain(0)));
        harness.run();
        check(&format!("{size} chain"), &harness);
        for (index, kind) in Modifier::all().into_iter().enumerate() {
            let selection = Selection::of_modifier(index, &kind);
            let modifier = harness.state().session.world.new_modifier(kind);
            edit(&mut harness, |stack| Arc::make_mut(&mut stack.modifiers).push(modifier));
            select(&mut harness, selection);
            check(&format!("{size} modifier {index}"), &harness);
        }
    }
}

/// Rests the pointer at a place and returns all visible texts of the window, including the tooltip's.
fn hover(harness: &mut Harness<Window>, at: egui_macroquad::egui::Pos2) -> Vec<String> {
    harness.input_mut().events.push(Event::PointerMoved(at));
    harness.run_steps(8);
    texts(harness).into_iter().map(|drawn| drawn.text).collect()
}

#[test]
fn a_long_name_of_a_lane_leaves_its_value_free_and_is_whole_in_the_tooltip() {
    let mut harness = window(SIZES[2]);
    harness.state_mut().session.start_scene(Scene::find("nearly straight").unwrap());
    harness.state_mut().session.update(1.0 / 60.0);
    harness.run();
    edit(&mut harness, |stack| {
        if let Some(lab) = &mut stack.chain_ik.lab {
            for lane in &mut lab.lanes {
                (lane.accelerate, lane.limits) = (false, false);
            }
        }
    });
    harness.run_steps(4);
    let session = &harness.state().session;
    let name = kinescope::ui::words::lane_name(&session.world.lab().unwrap().lanes[0]);
    assert!(name.len() > 20, "{name}");
    check("lanes", &harness);
    let row = rect(&harness.get_by_label(&format!("lane 1 {name}")));
    let drawn =
        texts(&harness).into_iter().find(|drawn| drawn.text == name && drawn.rect.left() < row.right()).unwrap();
    assert!(drawn.rect.right() < row.right() - 40.0, "the value is shown");
    let shown = hover(&mut harness, row.center());
    assert!(shown.iter().any(|text| text.starts_with(&name) && text.contains("the steps")), "{shown:?}");
}

/// The rows *pull*, *push* and *reach* used to lie just below the border of the inspector's upper part.
#[test]
fn pull_push_and_reach_of_a_hand_are_seen_without_scrolling() {
    for is_paused in [false, true] {
        let mut harness = window(SIZES[0]);
        harness.state_mut().session.start_scene(Scene::find("reach and brace").unwrap());
        harness.state_mut().session.update(1.0 / 60.0);
        if is_paused {
            harness.state_mut().session.apply(Action::Steps(StepAction::Seek(Cursor { step: 8, within: Some(0) })));
        }
        select(&mut harness, Selection::Effector(Effector::LeftHand));
        harness.run_steps(4);
        let what = if is_paused { "Paused, as recorded" } else { "Live. Pause to see the formula" };
        let border = rect(&harness.get_by_label_contains(what)).top();
        for label in ["pull", "push", "reach"] {
            let slider = rect(&harness.get_by_role_and_label(Role::Slider, label));
            assert!(slider.bottom() < border - 2.0, "{label} ends at {}, the border is at {border}", slider.bottom());
        }
        let line = rect(&harness.get_by_label_contains(what));
        assert!(line.width() < 300.0, "the line of the state is cut at its end: {line:?}");
        // The lower part stays useful: distances while live, the formula while paused.
        let bottom = harness.state().picture.bottom();
        let lowest = if is_paused { "Formula" } else { "Off target" };
        assert!(rect(&harness.get_by_label(lowest)).bottom() < bottom - 60.0);
    }
}

#[test]
fn the_number_of_a_weight_keeps_off_the_next_slider() {
    for size in SIZES {
        let harness = window(size);
        let slider = rect(&harness.get_by_role_and_label(Role::Slider, "left hand rotation weight"));
        let numbers = harness.get_all_by_label("0.00").map(|node| rect(&node));
        let own = numbers.filter(|at| at.center().x < slider.left() && (at.center().y - slider.center().y).abs() < 4.0);
        let right = own.map(|at| at.right()).fold(0.0, f32::max);
        assert!(right > 0.0 && slider.left() - right >= 10.0, "{size}: {right} to {}", slider.left());
    }
}

#[test]
fn nothing_in_the_inspector_is_cut_or_overlapped() {
    for size in SIZES {
        let mut harness = window(size);
        harness.state_mut().session.start_scene(Scene::find("reach and brace").unwrap());
        harness.state_mut().session.update(1.0 / 60.0);
        for is_paused in [false, true] {
            if is_paused {
                harness.state_mut().session.apply(Action::Steps(StepAction::Seek(Cursor { step: 8, within: Some(0) })));
            }
            for effector in [Effector::Body, Effector::LeftHand, Effector::RightShoulder] {
                select(&mut harness, Selection::Effector(effector));
                check(&format!("{size} {effector:?}, paused: {is_paused}"), &harness);
            }
        }
        let found = suggestions(&harness.state().session.world.character);
        for (name, bones) in found.into_iter().take(2) {
            let session = &harness.state().session;
            let chain = new_chain(&session.world.character, &session.world.picture.pose, name, bones);
            let last = session.world.stack().chain_ik.chains.len();
            edit(&mut harness, |stack| stack.chain_ik.chains.push(chain));
            select(&mut harness, Selection::Layer(LayerId::Chain(last)));
            check(&format!("{size} chain {last}"), &harness);
        }
        for layer in LayerId::single() {
            select(&mut harness, Selection::of_layer(layer));
            check(&format!("{size} {layer:?}"), &harness);
        }
    }
}

#[test]
fn nothing_in_the_lessons_is_cut_or_overlapped_and_their_buttons_stay() {
    let button = |harness: &Harness<Window>, label: &str| rect(&harness.get_by_role_and_label(Role::Button, label));
    for size in [SIZES[0], SIZES[2]] {
        let mut harness = window(size);
        run(&mut harness, Command::Learn);
        check(&format!("{size} list"), &harness);
        let mut places = Vec::new();
        for lesson in 0..LESSONS.len() {
            harness.state_mut().session.apply(Action::Learn(LearnAction::Open(lesson)));
            harness.run_steps(6);
            check(&format!("{size} lesson {}", lesson + 1), &harness);
            assert!(harness.state().panes.layout.is_shown(Pane::Learn), "lesson {}", lesson + 1);
            places.push(button(&harness, "Next"));
            harness.state_mut().session.apply(Action::Learn(LearnAction::Step(1)));
            harness.state_mut().session.apply(Action::Learn(LearnAction::Hint));
            harness.run_steps(6);
            check(&format!("{size} lesson {} step 2", lesson + 1), &harness);
            places.push(button(&harness, "Next"));
        }
        assert!(places.iter().all(|place| *place == places[0]), "{size}: {places:?}");
    }
}

#[test]
fn nothing_in_other_panes_is_cut_or_overlapped() {
    for size in SIZES {
        for command in [
            Command::ShowCompare,
            Command::ShowSweep,
            Command::ShowFinder,
            Command::ShowCrowd,
            Command::ShowGame,
            Command::ShowMotion,
        ] {
            let mut harness = window(size);
            harness.state_mut().session.start_scene(Scene::find("reach and brace").unwrap());
            harness.state_mut().session.update(1.0 / 60.0);
            harness.state_mut().session.apply(Action::Command(Command::KeepAsB));
            run(&mut harness, command);
            check(&format!("{size} {command:?}"), &harness);
        }
    }
}

const WITH_SMALL: [Vec2; 4] = [SIZES[0], SIZES[1], SIZES[2], Vec2::new(960.0, 600.0)];

/// Returns the whole texts that are drawn cut, with "…" at their end, in the last frame.
fn cut(harness: &Harness<Window>) -> Vec<String> {
    fn collect(shape: &Shape, found: &mut Vec<String>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, found)),
            Shape::Text(text) if text.galley.elided => found.push(text.galley.text().to_owned()),
            _ => {}
        }
    }
    let mut found = Vec::new();
    harness.output().shapes.iter().for_each(|clipped| collect(&clipped.shape, &mut found));
    found
}

/// Rows of 24 pixels used to cut most reasons.
#[test]
fn the_rig_doctor_shows_every_reason_whole_and_in_its_row() {
    const LONGEST: &str =
        "it continues limb or body though the file attaches it elsewhere; but a warning contradicts it";
    for size in WITH_SMALL {
        let mut harness = window(size);
        let roles = &mut harness.state_mut().session.world.character.detection.roles;
        for (index, finding) in roles.iter_mut().enumerate() {
            if index % 2 == 0 {
                (finding.reason, finding.confidence) = (LONGEST.to_owned(), 0.3);
            }
        }
        let reasons: Vec<String> = roles.iter().map(|finding| finding.reason.clone()).collect();
        run(&mut harness, Command::RigDoctor);
        let cut = cut(&harness);
        let faulty: Vec<&String> = cut.iter().filter(|text| reasons.iter().any(|own| text.contains(own))).collect();
        assert!(faulty.is_empty(), "{size}: {faulty:?}");
        let drawn = texts(&harness);
        let rows = ["pelvis", "spine", "head", "left forearm"].map(|role| rect(&harness.get_by_label(role)));
        for row in rows.iter().filter(|row| row.bottom() < size.y) {
            let own =
                drawn.iter().find(|own| row.y_range().contains(own.rect.center().y) && reasons.contains(&own.text));
            let own = own.expect("a reason in its row");
            assert!(row.expand(1.0).contains_rect(own.rect), "{size}: {:?} {} in {row}", own.text, own.rect);
        }
        let doubt = drawn.iter().find(|own| own.text.contains("30 % confidence")).expect("a doubtful role is listed");
        assert!(doubt.text.ends_with(LONGEST) && doubt.rect.right() <= doubt.clip.right(), "{size}: {}", doubt.rect);
    }
}

/// The menus used to have a fixed width, and their names were cut beside an empty part of the tool bar.
#[test]
fn the_tool_bar_cuts_names_only_where_it_is_full() {
    let sizes = WITH_SMALL.into_iter().chain([1150.0, 1176.0, 1210.0].map(|width| Vec2::new(width, 800.0)));
    for size in sizes {
        let mut harness = window(size);
        for scene in ["stand", "world rotation to chain space"] {
            harness.state_mut().session.start_scene(Scene::find(scene).unwrap());
            harness.state_mut().session.update(1.0 / 60.0);
            harness.run_steps(3);
            let bar = |own: &&Drawn| (28.0..66.0).contains(&own.rect.center().y);
            let drawn = texts(&harness);
            let mut bar: Vec<&Drawn> = drawn.iter().filter(bar).collect();
            bar.sort_by(|a, b| a.rect.left().total_cmp(&b.rect.left()));
            for pair in bar.windows(2) {
                let [left, right] = [pair[0].rect.right(), pair[1].rect.left()];
                assert!(left <= right + 1.0, "{size}: «{}» lies on «{}»", pair[1].text, pair[0].text);
            }
            let gap = bar.windows(2).map(|pair| pair[1].rect.left() - pair[0].rect.right()).fold(0.0, f32::max);
            let cut = cut(&harness);
            let is_cut = |name: &str| cut.iter().any(|text| text.ends_with(name));
            assert!(!is_cut("mannequin") && !is_cut("Unnamed"), "{size}: {cut:?}");
            let is_cut = is_cut(&kinescope::ui::words::capital(scene));
            assert!(!is_cut || (size.x < 1440.0 && gap < 90.0), "{size}: {scene} is cut beside {gap}");
            assert!(!is_cut || scene != "stand", "{size}");
        }
    }
}

/// In a low window, the legend of the constraints used to lose its last name.
#[test]
fn legends_of_plots_are_whole_at_every_size() {
    for size in WITH_SMALL {
        let mut harness = window(size);
        harness.state_mut().session.start_scene(Scene::find("reach and brace").unwrap());
        harness.state_mut().session.update(1.0 / 60.0);
        run(&mut harness, Command::PreviousStage);
        run(&mut harness, Command::Plots);
        let legends: Vec<Rect> = harness
            .query_all(By::new().predicate(|node: &Node| {
                node.role() == Role::Label
                    && node
                        .value()
                        .or(node.label())
                        .is_some_and(|text| text.contains(", %: ") || text.contains(", mm: "))
            }))
            .map(|node| rect(&node))
            .collect();
        assert!(legends.len() > 12, "{size}: {}", legends.len());
        // Each entry of a legend must lie within the clip rectangle in which it is drawn.
        let drawn = texts(&harness);
        let clips: Vec<(Rect, Rect)> = drawn.iter().map(|own| (own.rect, own.clip)).collect();
        for legend in legends {
            let own = clips.iter().find(|(text, _)| legend.contains(text.center()) && text.height() < 20.0);
            // Plots that are scrolled away sideways draw nothing.
            let Some((text, clip)) = own else {
                assert!(legend.left() > size.x - 40.0, "{size}: the entry at {legend} is not drawn");
                continue;
            };
            assert!(
                clip.y_range().contains(text.top()) && clip.bottom() >= text.bottom() - 1.0,
                "{size}: {text} {clip}"
            );
        }
    }
}

/// The inspector used to keep an effector's scroll position and so to cut the title of the grounding selected next.
#[test]
fn other_contents_of_the_inspector_begin_at_their_title() {
    let mut harness = window(SIZES[2]);
    harness.state_mut().session.start_scene(Scene::find("stairs").unwrap());
    harness.state_mut().session.update(1.0 / 60.0);
    select(&mut harness, Selection::Effector(Effector::LeftHand));
    let top = |harness: &Harness<Window>, title: &str| {
        let clip = harness.state().picture.top() + 20.0;
        let inspector = harness.state().picture.right();
        let title = texts(harness).into_iter().find(|own| own.text == title && own.rect.left() > inspector);
        title.is_some_and(|own| own.rect.top() > clip && own.clip.top() <= own.rect.top())
    };
    assert!(top(&harness, "Left hand"));
    let at = pos2(harness.state().picture.right() + 60.0, 180.0);
    harness.input_mut().events.push(Event::PointerMoved(at));
    let (unit, delta) = (MouseWheelUnit::Point, Vec2::new(0.0, -40.0));
    harness.input_mut().events.push(Event::MouseWheel { unit, delta, modifiers: Modifiers::NONE });
    harness.run_steps(12);
    assert!(!top(&harness, "Left hand"), "scrolled");
    // Another hand keeps the scroll position, so that the same rows stay in view.
    select(&mut harness, Selection::Effector(Effector::RightHand));
    assert!(!top(&harness, "Right hand"));
    select(&mut harness, Selection::Layer(LayerId::Grounding));
    harness.run_steps(3);
    assert!(top(&harness, "Grounding"));
}

/// Titles of formulas used to be cut beside the buttons of the moves.
#[test]
fn titles_of_formulas_are_whole_and_leave_the_buttons_of_the_moves_in_place() {
    let mut harness = window(SIZES[2]);
    harness.state_mut().session.start_scene(Scene::find("reach and brace").unwrap());
    harness.state_mut().session.update(1.0 / 60.0);
    select(&mut harness, Selection::Effector(Effector::LeftHand));
    let steps = harness.state().session.shown_run().unwrap().steps();
    let mut places = Vec::new();
    for step in 0..steps {
        let events = harness.state().session.shown_run().unwrap().events(step);
        for event in [0, events.saturating_sub(1)].into_iter().filter(|&event| event < events) {
            let cursor = Cursor { step, within: Some(event) };
            harness.state_mut().session.apply(Action::Steps(StepAction::Seek(cursor)));
            harness.run_steps(2);
            let Some(sheet) = harness.state().session.shown_run().unwrap().formula(step, event) else { continue };
            let cut = cut(&harness);
            assert!(!cut.contains(&sheet.title), "step {step}, move {event}: «{}» is cut", sheet.title);
            let right = harness.state().picture.right();
            let drawn = texts(&harness);
            let is_drawn = drawn.iter().any(|own| own.text == sheet.title && own.rect.left() > right);
            assert!(is_drawn, "{} is not drawn", sheet.title);
            let buttons = [egui_phosphor::regular::CARET_LEFT, egui_phosphor::regular::CARET_RIGHT].map(|glyph| {
                let own = drawn.iter().find(|own| own.text == glyph && own.rect.left() > right);
                own.expect("the button is drawn").rect
            });
            places.push(buttons);
        }
    }
    assert!(places.iter().all(|place| *place == places[0]), "{places:?}");
}

/// The status bar used to show 589.6 mm where the explanation of the same gap showed 589.5 mm.
#[test]
fn the_status_bar_and_the_explanation_show_the_same_gap() {
    let mut harness = window(SIZES[0]);
    harness.state_mut().session.update(1.0 / 60.0);
    let mut compared = 0;
    for place in 0..20 {
        edit(&mut harness, |stack| {
            for (hand, side) in [(Effector::LeftHand, 1.0), (Effector::RightHand, -1.0)] {
                let at = glam::Vec3::new(side * (1.1 + 0.0137 * place as f32), 1.4, 0.2);
                let hand = stack.full_body.effector_mut(hand);
                (hand.position, hand.position_weight) = (Some(at), 1.0);
            }
        });
        harness.run_steps(3);
        let drawn: Vec<String> = texts(&harness).into_iter().map(|drawn| drawn.text).collect();
        let gap = |hand: &str| {
            let (status, why) = (format!(" mm {hand}"), kinescope::ui::words::capital(hand) + " ");
            let bar = drawn.iter().find_map(|text| text.strip_suffix(&status))?;
            let row = drawn.iter().find_map(|text| text.strip_prefix(&why)?.strip_suffix(" mm short"))?;
            Some([bar.to_owned(), row.to_owned()])
        };
        let Some([bar, row]) = ["left hand", "right hand"].into_iter().find_map(gap) else { continue };
        assert_eq!(bar, row, "place {place}");
        compared += 1;
    }
    assert!(compared >= 15, "{compared}");
}

/// The tooltip used to state the range of files, which is wider than that of the slider.
#[test]
fn the_tooltip_of_a_slider_states_the_range_that_it_takes() {
    let mut harness = window(SIZES[0]);
    edit(&mut harness, |stack| *LayerId::LeastSquares.switch(stack).unwrap() = true);
    select(&mut harness, Selection::Layer(LayerId::LeastSquares));
    harness.run_steps(3);
    let slider = rect(&harness.get_by_role_and_label(Role::Slider, "tolerance"));
    let shown = hover(&mut harness, slider.center());
    let help = shown.iter().find(|text| text.contains("Too little: ")).expect("a tooltip");
    assert!(help.contains("range 0 to 0.01 rad. Presets may have values up to 1."), "{help}");
}

/// The coordinates of the direction used to be labelled *Position*, in metres.
#[test]
fn the_direction_of_the_chest_is_labelled_as_a_direction() {
    let mut harness = window(SIZES[0]);
    let head = Modifier::all().into_iter().find(|own| own.key() == "head").unwrap();
    let selection = Selection::of_modifier(0, &head);
    edit(&mut harness, |stack| Arc::make_mut(&mut stack.modifiers).push(head));
    select(&mut harness, selection);
    harness.run_steps(3);
    let labels = |harness: &Harness<Window>, begin: &str| {
        let right = harness.state().picture.right();
        let drawn = texts(harness).into_iter();
        drawn.filter(|own| own.rect.left() > right && own.text.starts_with(begin)).map(|own| own.text).collect()
    };
    harness.get_by_role_and_label(Role::Button, "Set chest").click();
    harness.run_steps(3);
    let [positions, directions]: [Vec<String>; 2] = ["Position", "Direction"].map(|begin| labels(&harness, begin));
    assert_eq!(directions, ["Direction"]);
    assert!(!positions.iter().any(|label| label.starts_with("Position,") || label == "Position"), "{positions:?}");
}
