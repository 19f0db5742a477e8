use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use egui_kittest::Harness;
use egui_kittest::kittest::{By, Node, Queryable};
use egui_macroquad::egui::accesskit::Role;
use egui_macroquad::egui::{self, FontId, Id, Key, Rect, Vec2, pos2};
use kinescope_ik::stack::{Drive, LayerId, Method};

use kinescope::character::Character;
use kinescope::picture::places;
use kinescope::scenes::{SCENES, Scene};
use kinescope::session::commands::Command;
use kinescope::session::{Action, Dialog, MeshStyle, Notice, Pane, Request, Selection, Tool};
use kinescope::shell::picture::paint;
use kinescope::system::fonts::Installed;
use kinescope::tools::chains::session::ChainAction;
use kinescope::tools::export::session::BakeAction;
use kinescope::tools::pose::handles::HandleId;
use kinescope::tools::steps::CompareStyle;
use kinescope::tools::steps::session::StepAction;
use kinescope::ui::fonts::SystemFonts;
use kinescope::ui::theme;
use kinescope::world::document::Document;
use kinescope::world::motion::Travel;
use kinescope_ik::animation::{Base, Binding, Clip, LayerInput, LayerKind};
use kinescope_ik::chain_ik::Solver;
use kinescope_ik::crowd::{Movement, Rule};
use kinescope_ik::full_body::Effector;
use kinescope_ik::grounding::{PredictiveSettings, Quality};
use kinescope_ik::rig::{LimbName, Role as RigRole};
use kinescope_ik::stepped::run::Cursor;
use kinescope_ik::terrain::Terrain;
use kinescope_ik::timing::{Times, Work};
use kinescope_ik::trace::Trace;

use crate::common::PATIENCE;
use crate::common::built_in::BYTES;
use crate::common::files::{Folder, temporary};
use crate::common::game::{played, recording};
use crate::common::gltf::Glb;
use crate::harness::{Window, run, select, texts as drawn_texts, window, window_of};

pub(crate) fn desktop() -> Harness<'static, Window> {
    window(Vec2::new(1440.0, 1100.0))
}

#[test]
fn a_row_of_the_outliner_selects() {
    let mut harness = desktop();
    harness.get_by_role_and_label(Role::Button, "left hand").click();
    harness.run();
    assert_eq!(harness.state().session.interaction.selection, Selection::Effector(Effector::LeftHand));
    harness.get_by_role_and_label(Role::Button, "right leg").click();
    harness.run();
    assert_eq!(harness.state().session.interaction.selection.limb(), Some(LimbName::RightLeg));
}

#[test]
fn a_slider_moves_by_arrow_keys_and_is_undone() {
    let mut harness = desktop();
    harness.get_by_role_and_label(Role::Button, "left arm").click();
    harness.run();
    harness.get_by_role_and_label(Role::Slider, "pull").focus();
    harness.run();
    for _ in 0..5 {
        harness.press_key(Key::ArrowLeft);
        harness.run();
    }
    let pull = harness.state().session.world.settings().chain(LimbName::LeftArm).pull;
    assert!((pull - 0.95).abs() < 1e-4, "{pull}");
    assert!(harness.state().session.world.history.is_unsaved());
    harness.state_mut().session.apply(Action::Command(Command::Undo));
    assert!(harness.state().session.world.settings().chain(LimbName::LeftArm).pull > pull);
}

#[test]
fn every_parameter_has_a_slider() {
    use kinescope_ik::full_body::{ChainSettings, EffectorSettings, SolverSettings};
    let mut harness = window(Vec2::new(1440.0, 1500.0));
    harness.get_by_role_and_label(Role::Button, "left hand").click();
    harness.run();
    let keys = SolverSettings::PARAMETERS.iter().map(|parameter| parameter.key);
    let keys = keys.chain(ChainSettings::PARAMETERS.iter().map(|parameter| parameter.key));
    for key in keys.chain(EffectorSettings::PARAMETERS.iter().map(|parameter| parameter.key)) {
        harness.get_by_role_and_label(Role::Slider, &key.replace('_', " "));
    }
}

#[test]
fn the_timeline_seeks() {
    let mut harness = desktop();
    harness.state_mut().session.apply(Action::Command(Command::NextStage));
    harness.run();
    harness.get_by_label("step 7 stage1").click();
    harness.run();
    let session = &harness.state().session;
    assert!(session.world.time.is_paused());
    assert_eq!(session.world.time.cursor.step, 6);
    harness.get_by_label("move 3").click();
    harness.run();
    assert_eq!(harness.state().session.world.time.cursor.within, Some(2));
}

#[test]
fn transport_buttons_are_the_commands() {
    let mut harness = desktop();
    harness.get_by_label("Play or pause").click();
    harness.run();
    assert!(harness.state().session.world.time.is_paused());
    harness.get_by_label("First step").click();
    harness.run();
    harness.get_by_label("Next stage").click();
    harness.run();
    assert_eq!(harness.state().session.world.time.cursor.step, 1);
    // The tool bar's switch comes first, and the timeline's button last.
    harness.get_all_by_label("Live").last().unwrap().click();
    harness.run();
    assert!(harness.state().session.world.is_live());
}

/// Returns a window paused in the middle of a solve that moves several nodes.
fn paused() -> Harness<'static, Window> {
    let mut harness = window(Vec2::new(1600.0, 1700.0));
    let session = &mut harness.state_mut().session;
    session.start_scene(Scene::find("reach and brace").unwrap());
    session.update(1.0 / 60.0);
    session.apply(Action::Select(Selection::Effector(Effector::LeftShoulder)));
    session.apply(Action::Steps(StepAction::Seek(Cursor { step: 8, within: None })));
    harness.run();
    harness
}

#[test]
fn a_row_of_the_attribution_goes_to_its_move() {
    let mut harness = paused();
    let row = harness.state().session.tools.debugger.attribution.table.rows[0].clone();
    harness.get_by_label(&format!("attribution {}", row.label)).click();
    harness.run();
    let session = &harness.state().session;
    let (layer, at) = row.largest.unwrap();
    assert_eq!((session.focus(), session.world.time.cursor), (layer, at));
    let title = session.shown_run().unwrap().formula(at.step, at.within.unwrap()).unwrap().title;
    harness.get_by_label(&title);
}

#[test]
fn every_pane_opens_closes_and_shows_a_text() {
    let mut harness = paused();
    let panes = [
        (Command::Plots, Pane::Plots, "limb stretch"),
        (Command::ShowCompare, Pane::Compare, "Keep settings as B"),
        (Command::ShowSweep, Pane::Sweep, "Run sweep"),
        (Command::ShowFinder, Pane::Finder, "Find pops"),
        (Command::ShowCrowd, Pane::Crowd, "Members"),
        (Command::ShowGame, Pane::Game, "Connection"),
        (Command::Profiler, Pane::Profiler, "This frame was not measured"),
    ];
    for (command, pane, text) in panes {
        harness.state_mut().session.apply(Action::Command(command));
        harness.run();
        harness.run();
        assert!(harness.state().panes.layout.is_shown(pane), "{pane:?}");
        harness.get_by_label(text);
        harness.state_mut().session.apply(Action::Command(command));
        harness.run();
        harness.run();
        assert!(!harness.state().panes.layout.is_shown(pane), "{pane:?}");
    }
    harness.get_by_label("close Outliner").click();
    harness.run();
    assert!(!harness.state().panes.layout.is_shown(Pane::Outliner));
    harness.state_mut().session.apply(Action::Command(Command::ResetLayout));
    harness.run();
    harness.run();
    assert!(harness.state().panes.layout.is_shown(Pane::Outliner));
}

#[test]
fn b_is_kept_compared_and_copied_by_mouse() {
    let mut harness = paused();
    harness.state_mut().session.apply(Action::Command(Command::ShowCompare));
    harness.run();
    harness.run();
    harness.get_by_label("Keep settings as B").click();
    harness.run();
    harness.run();
    let mut settings = *harness.state().session.world.settings();
    settings.chain_mut(LimbName::LeftArm).pull = 0.5;
    let document = Box::new(harness.state().session.world.history.document().with_settings(settings));
    let edit = Action::Edit { label: "pull".into(), gesture: None, document };
    harness.state_mut().session.apply(Action::Command(Command::Live));
    harness.state_mut().session.apply(edit);
    harness.run();
    harness.run();
    harness.get_by_label("Copies B's value to A. chains.left_arm.pull").click();
    harness.run();
    assert_eq!(harness.state().session.world.settings().chain(LimbName::LeftArm).pull, 1.0);
    harness.get_by_label("Side by side").click();
    harness.run();
    let style = harness.state().session.tools.debugger.compare.as_ref().unwrap().style;
    assert_eq!(style, CompareStyle::SideBySide);
}

/// A position is too long for the place beside the setting's name. The first of two compared values used to be cut to
/// `…`.
#[test]
fn long_values_of_a_and_b_and_of_a_what_if_are_shown_whole() {
    let mut harness = window(Vec2::new(1440.0, 900.0));
    run(&mut harness, Command::PinHandsAndFeet);
    run(&mut harness, Command::KeepAsB);
    let move_hand = |harness: &mut Harness<Window>, at: glam::Vec3| {
        let session = &mut harness.state_mut().session;
        let mut settings = *session.world.settings();
        settings.effector_mut(Effector::LeftHand).position = Some(at);
        session.edit_settings("test", None, settings);
        session.update(1.0 / 60.0);
        harness.run();
        harness.run();
    };
    let vectors = |harness: &Harness<Window>| -> Vec<String> {
        drawn_texts(harness).into_iter().map(|own| own.text).filter(|text| text.starts_with('[')).collect()
    };
    move_hand(&mut harness, glam::Vec3::new(0.674, 1.954, -0.196));
    let shown = vectors(&harness);
    assert!(shown.iter().any(|text| text == "[0.674, 1.954, −0.196]"), "{shown:?}");
    assert!(shown.len() >= 2 && shown.iter().all(|text| text.ends_with(']')), "{shown:?}");
    run(&mut harness, Command::EndCompare);
    run(&mut harness, Command::PlayPause);
    move_hand(&mut harness, glam::Vec3::new(-0.674, 1.954, -0.196));
    let shown = vectors(&harness);
    assert!(shown.iter().any(|text| text == "[−0.674, 1.954, −0.196]"), "{shown:?}");
    assert!(shown.iter().any(|text| text == "[0.674, 1.954, −0.196]"), "{shown:?}");
}

#[test]
fn breaks_are_set_and_pops_are_jumped_to() {
    let mut harness = paused();
    let session = &mut harness.state_mut().session;
    session.start_scene(Scene::find("walk with hands pinned").unwrap());
    session.apply(Action::Command(Command::Live));
    for _ in 0..40 {
        session.update(1.0 / 60.0);
    }
    session.apply(Action::Command(Command::ShowFinder));
    harness.run();
    harness.run();
    harness.get_by_label("Knee, elbow or joint flips").click();
    harness.run();
    assert!(harness.state().session.tools.debugger.breaks.flip);
    harness.get_by_role_and_label(Role::Button, "Find pops").click();
    harness.run();
    harness.run();
    let pop = harness.state().session.tools.debugger.pops.as_ref().unwrap()[0].clone();
    let row = format!("{} {:.1}° frame {}", pop.joint.label, pop.size, pop.number);
    harness.get_by_label(&row).click();
    harness.run();
    let session = &harness.state().session;
    assert!(session.world.time.is_paused() && session.world.time.frame == pop.number);
}

#[test]
fn the_keyboard_reaches_every_pane() {
    let mut harness = paused();
    let mut reached = std::collections::HashSet::new();
    for _ in 0..3 {
        harness.state_mut().session.apply(Action::Command(Command::NextPane));
        harness.run();
        harness.run();
        for _ in 0..4 {
            harness.press_key(Key::Tab);
            harness.run();
            reached.extend(harness.ctx.memory(|memory| memory.focused()).map(|id| id.value()));
        }
    }
    assert!(reached.len() >= 10, "only {} controls were reached", reached.len());
}

#[test]
fn styles_and_layers_switch() {
    let mut harness = desktop();
    harness.get_by_label("X-ray").click();
    harness.run();
    assert_eq!(harness.state().session.look.view.mesh, MeshStyle::Xray);
    harness.get_by_label("torso planes").click();
    harness.run();
    assert!(!harness.state().session.look.view.torso_planes);
}

#[test]
fn dialogs_open_and_unsaved_changes_ask() {
    let mut harness = desktop();
    for dialog in [Command::Keys, Command::Palette, Command::RigDoctor] {
        harness.state_mut().session.apply(Action::Command(dialog));
        harness.run();
        harness.press_key(Key::Escape);
        harness.run();
        assert_eq!(harness.state().session.window.dialog, None, "{dialog:?}");
    }
    change_push(&mut harness);
    harness.state_mut().session.apply(Action::Command(Command::Quit));
    harness.run();
    assert!(matches!(harness.state().session.window.dialog, Some(Dialog::Unsaved(_))));
    harness.get_by_label("Cancel").click();
    harness.run();
    assert!(!harness.state().session.window.quit);
    harness.state_mut().session.apply(Action::Command(Command::Quit));
    harness.run();
    harness.get_by_label("Discard").click();
    harness.run();
    assert!(harness.state().session.window.quit);
}

#[test]
fn a_small_window_still_shows_its_panes() {
    let mut harness = window(Vec2::new(900.0, 600.0));
    harness.state_mut().session.apply(Action::Command(Command::FirstStep));
    harness.run();
    harness.get_by_label("Next stage").click();
    harness.run();
    assert_eq!(harness.state().session.world.time.cursor.step, 1);
}

#[test]
fn a_message_covers_neither_feet_nor_caption_and_moves_nothing() {
    for (width, height, without_panes) in [(1440.0, 900.0, false), (1024.0, 640.0, false), (1440.0, 900.0, true)] {
        for text in ["Saved walk.json".to_owned(), "what is wrong with it ".repeat(60)] {
            let mut harness = window(Vec2::new(width, height));
            if without_panes {
                harness.state_mut().session.apply(Action::Command(Command::TogglePanes));
            }
            harness.state_mut().session.window.notice = Some(Notice { text: text.clone(), is_error: true, age: 0.0 });
            harness.run();
            harness.state_mut().session.apply(Action::Command(Command::FrameSelection));
            harness.run();
            let place =
                |harness: &Harness<Window>| harness.ctx.memory(|memory| memory.area_rect(Id::new("notice"))).unwrap();
            let notice = place(&harness);
            // A longer message keeps its lower left corner, and the picture stays in place.
            let before = (harness.state().picture, harness.state().session.look.camera);
            let longer = Notice { text: format!("{text} and more ").repeat(3), is_error: true, age: 0.0 };
            harness.state_mut().session.window.notice = Some(longer);
            harness.run();
            assert_eq!(before, (harness.state().picture, harness.state().session.look.camera));
            assert_eq!(place(&harness).left_bottom(), notice.left_bottom());
            let notice = notice.union(place(&harness));
            let Window { session, picture, .. } = harness.state();
            let picture = *picture;
            let name = format!("{width} by {height}, {} letters, {notice} in {picture}", text.len());
            assert!(picture.contains_rect(notice) && notice.width() >= 100.0 && notice.height() >= 20.0, "{name}");
            assert!(places::notice(picture, false).expand(1.0).contains_rect(notice), "{name}");
            for place in [places::caption(picture, false), places::axes(picture)] {
                assert!(!place.intersects(notice), "{name} covers {place}");
            }
            let handles = session.handles();
            for foot in [Effector::LeftFoot, Effector::RightFoot] {
                let foot = handles.iter().find(|handle| handle.id == HandleId::Effector(foot)).unwrap().screen;
                let foot = Rect::from_center_size(pos2(foot.x, foot.y), Vec2::splat(0.12 * picture.height()));
                assert!(!foot.intersects(notice), "{name} covers the foot at {foot}");
            }
        }
    }
}

#[test]
fn the_lab_is_opened_its_lanes_chosen_and_their_solver_changed() {
    let mut harness = desktop();
    harness.state_mut().session.apply(Action::Command(Command::Lab));
    harness.run();
    assert!(harness.state().panes.layout.is_shown(Pane::Lab));
    harness.get_by_label("lane FABRIK").click();
    harness.run();
    assert_eq!(harness.state().session.tools.chains.lane, 2);
    assert!(harness.query_by_label("step 2 forward_reach").is_some());
    harness.state_mut().panes.layout.show(Pane::Inspector);
    harness.run();
    harness.get_by_role_and_label(Role::Button, "CCD growing").click();
    harness.run();
    let lab = harness.state().session.world.lab().unwrap();
    assert_eq!(lab.lanes[2].solver, kinescope_ik::chain_ik::Solver::CcdGrowing);
    assert!(harness.query_by_label("step 2 ccd_pass").is_some());
    harness.get_by_role_and_label(Role::Button, "Hinge").click();
    harness.run();
    let limits = &harness.state().session.world.lab().unwrap().limits;
    assert!(matches!(limits[0], kinescope_ik::chain_ik::Limit::Hinge { .. }), "{limits:?}");
    harness.state_mut().session.apply(Action::Command(Command::Undo));
    harness.run();
    assert!(harness.state().session.world.lab().unwrap().limits.is_empty());
}

#[test]
fn the_order_of_solving_is_in_the_outliner() {
    let mut harness = desktop();
    harness.state_mut().session.start_scene(Scene::find("chain on top").unwrap());
    harness.run();
    harness.get_by_label("layer 1 full body").click();
    harness.run();
    assert_eq!(harness.state().session.chain_focus(), None);
    assert!(harness.query_by_label("step 2 end_effectors").is_some());
    harness.get_by_label("layer 2 spine").click();
    harness.run();
    assert!(harness.state().session.chain_focus().is_some());
    assert!(harness.query_by_label("step 2 end_effectors").is_none());
}

/// Returns a window in which a scene has run for a second, with the pane Motion open.
fn on_ground(scene: &str) -> Harness<'static, Window> {
    let mut harness = window(Vec2::new(1600.0, 1800.0));
    let session = &mut harness.state_mut().session;
    session.start_scene(Scene::find(scene).unwrap());
    for _ in 0..60 {
        session.update(1.0 / 60.0);
    }
    harness.run();
    // Some scenes open the pane themselves.
    if !harness.state().panes.layout.is_shown(Pane::Motion) {
        harness.state_mut().session.apply(Action::Command(Command::ShowMotion));
        harness.run();
    }
    harness.run();
    assert!(harness.state().panes.layout.is_shown(Pane::Motion));
    harness
}

#[test]
fn rules_of_detail_are_edited_in_the_pane_crowd() {
    let mut harness = window(Vec2::new(1600.0, 1400.0));
    harness.state_mut().session.start_scene(Scene::find("crowd").unwrap());
    harness.run();
    harness.run();
    let rules = |harness: &Harness<Window>| document(harness).crowd.rules;
    let before = rules(&harness);
    click(&mut harness, "Rule 3: > 10 m");
    click(&mut harness, "Best");
    assert_eq!(rules(&harness)[2], Rule { grounding: Some(Quality::Best), ..before[2].clone() });
    click(&mut harness, "Run");
    choose(&mut harness, "clip of the rule", "Any clip", "lean");
    let edited = &rules(&harness)[2];
    assert_eq!((edited.movement, edited.clip.as_deref()), (Some(Movement::Run), Some("lean")));
    click(&mut harness, "Move this rule up");
    assert_eq!(rules(&harness)[1].clip.as_deref(), Some("lean"));
    click(&mut harness, "Remove this rule");
    assert_eq!(rules(&harness), [&before[..2], &before[3..]].concat());
    click(&mut harness, "Add a rule");
    assert_eq!(rules(&harness).len(), before.len());
    for _ in 0..6 {
        undo(&mut harness);
    }
    assert_eq!(rules(&harness), before);
    harness.get_by_label("Compare with full detail").click();
    harness.run();
    assert!(harness.state().session.tools.crowd.compares);
}

#[test]
fn the_profiler_shows_each_part_of_frame_crowd_and_drawing() {
    fn clock() -> f64 {
        static TIME: AtomicU64 = AtomicU64::new(0);
        TIME.fetch_add(1, Ordering::Relaxed) as f64
    }
    let mut harness = window(Vec2::new(1600.0, 1400.0));
    let session = &mut harness.state_mut().session;
    session.start_scene(Scene::find("crowd").unwrap());
    session.world.measure(Some(clock));
    let mut drawn = Times::default();
    drawn[Work::Panes] = 2500.0;
    for _ in 0..60 {
        session.update(1.0 / 60.0);
        session.drew(&drawn);
    }
    session.apply(Action::Command(Command::Profiler));
    harness.run();
    harness.run();
    let newest = harness.state().session.tools.debugger.tape.last().unwrap();
    let (number, times) = (newest.number, newest.times);
    harness.get_by_label("Drawing: Panes 2.50 ms");
    assert!(harness.query_by_label(&format!("Mean frame: Read {:.1} µs", times[Work::Read])).is_some());
    assert!(harness.query_all(By::new().label_contains("Crowd: Stages")).count() == 1);
    harness.state_mut().session.apply(Action::Command(Command::PlayPause));
    harness.run();
    harness.get_by_label(&format!("Frame {number}: Write {:.1} µs", times[Work::Write]));
    for part in [Work::Swing, Work::Twist] {
        assert!(times[part] > 0.0, "{}", part.label());
        harness.get_by_label(&format!(
            "Writing: {} {:.1} µs",
            kinescope::ui::words::capital(part.label()),
            times[part]
        ));
    }
    harness.get_by_label("Times of frames").focus();
    harness.run();
    harness.press_key(Key::ArrowLeft);
    harness.run();
    assert_eq!(harness.state().session.world.time.frame, number - 1);
}

fn change_push(harness: &mut Harness<Window>) {
    harness.get_by_role_and_label(Role::Button, "left arm").click();
    harness.run();
    harness.get_by_role_and_label(Role::Slider, "push").focus();
    harness.run();
    harness.press_key(Key::ArrowRight);
    harness.run();
}

fn inspect(harness: &mut Harness<Window>) {
    harness.state_mut().panes.layout.show(Pane::Inspector);
    harness.run();
    harness.run();
}

fn click(harness: &mut Harness<Window>, label: &str) {
    harness.get_by_role_and_label(Role::Button, label).click();
    harness.run();
}

fn undo(harness: &mut Harness<Window>) {
    harness.state_mut().session.apply(Action::Command(Command::Undo));
    harness.run();
}

fn choose(harness: &mut Harness<Window>, name: &str, now: &str, option: &str) {
    let list = harness.get_by_role_and_label(Role::ComboBox, name);
    assert_eq!(list.value().as_deref(), Some(now));
    list.click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, option).click();
    harness.run();
    harness.run();
}

fn document(harness: &Harness<Window>) -> Document {
    harness.state().session.world.history.document().clone()
}

#[test]
fn ground_and_path_are_chosen_in_the_pane_motion() {
    let mut harness = on_ground("hills");
    let begin = document(&harness);
    choose(&mut harness, "terrain", "hills", "stairs");
    assert_eq!(document(&harness).terrain.as_deref(), Some(&Terrain::stairs(0.17, 0.3)));
    click(&mut harness, "Foot IK");
    assert_eq!(document(&harness).stack.grounding.method, Method::FootIk);
    click(&mut harness, "Four limbs");
    assert_eq!(document(&harness).stack.grounding.drive, Drive::Limbs);
    assert!(harness.state().session.world.drives_limbs());
    click(&mut harness, "In place");
    assert_eq!(document(&harness).motion.travel, Travel::InPlace);
    click(&mut harness, "240");
    assert_eq!(document(&harness).motion.frame_rate, Some(240.0));
    click(&mut harness, "Raise");
    assert_eq!(harness.state().session.interaction.brush.tool, Some(Tool::Raise));
    harness.get_by_role_and_label(Role::Slider, "brush radius").focus();
    harness.run();
    harness.press_key(Key::ArrowRight);
    harness.run();
    assert!(harness.state().session.interaction.brush.radius > 0.4);
    for _ in 0..5 {
        undo(&mut harness);
    }
    assert!(document(&harness) == begin && !harness.state().session.world.history.is_unsaved());
    click(&mut harness, "Off");
    assert!(harness.state().session.world.ground_recording().is_none());
}

#[test]
fn a_clip_among_many_is_found_by_typing() {
    let mut character = Character::built_in().unwrap();
    let first = character.model.clips[0].clone();
    let long = |index: usize| format!("Armature|locomotion_walk_forward_variation_{index:02}");
    Arc::make_mut(&mut character.model).clips =
        (0..76).map(|index| Clip { name: long(index), ..first.clone() }).collect();
    let mut harness = window_of(Vec2::new(1440.0, 1100.0), character, SystemFonts::default());
    harness.state_mut().session.start_scene(Scene::find("hills").unwrap());
    harness.state_mut().session.window.requests.push(Request::ShowPane(Pane::Motion));
    harness.run();
    let at = harness.get_by_role_and_label(Role::ComboBox, "fade to").raw_bounds().unwrap();
    assert!(at.x1 <= 1440.0, "{at:?}");
    // The mouse clicks here, because an accessible click moves no pointer.
    let pos = egui::pos2((at.x0 + at.x1) as f32 / 2.0, (at.y0 + at.y1) as f32 / 2.0);
    harness.input_mut().events.push(egui::Event::PointerMoved(pos));
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
        harness.input_mut().events.push(egui::Event::PointerButton { pos, button, pressed, modifiers });
        harness.run();
    }
    // The search field has the focus, and typing narrows the list.
    let shown =
        |harness: &Harness<Window>, index: usize| harness.query_by_role_and_label(Role::Button, &long(index)).is_some();
    assert!(shown(&harness, 3));
    harness.input_mut().events.push(egui::Event::Text("VARIATION 41".to_owned()));
    harness.run();
    assert!(shown(&harness, 41) && !shown(&harness, 3));
    harness.press_key(Key::Enter);
    harness.run();
    assert_eq!(harness.state().session.world.clip.clip(), Some(41));
}

#[test]
fn a_pose_layer_is_added_weighed_and_undone() {
    let mut harness = on_ground("hills");
    let begin = document(&harness);
    harness.get_by_role_and_label(Role::Button, "Add a layer").click();
    harness.run();
    let first = harness.state().session.world.character.model.clips[0].name.clone();
    let layer = |harness: &Harness<Window>| document(harness).motion.layers.first().cloned();
    assert_eq!(layer(&harness).map(|layer| (layer.clip, layer.weight)), Some((first, 1.0)));
    harness.get_by_role_and_label(Role::Slider, "weight").focus();
    harness.run();
    let before = harness.state().session.world.picture.animated.clone();
    for _ in 0..40 {
        harness.press_key(Key::ArrowLeft);
        harness.run();
    }
    let weight = layer(&harness).unwrap().weight;
    assert!((weight - 0.6).abs() < 1e-3, "{weight}");
    assert!(harness.state().session.world.picture.animated != before, "the pose differs");
    click(&mut harness, "Add");
    assert_eq!(layer(&harness).unwrap().kind, LayerKind::Additive);
    click(&mut harness, "Rest pose");
    assert_eq!(layer(&harness).unwrap().base, Base::Rest);
    choose(&mut harness, "input of layer 1's time", "Nothing", "Pace");
    assert_eq!(layer(&harness).unwrap().time_by.map(|binding| binding.input), Some(LayerInput::Pace));
    choose(&mut harness, "input of layer 1's weight", "Nothing", "Keys − and +");
    assert_eq!(layer(&harness).unwrap().weight_by, Some(Binding::of(LayerInput::Keys, -1.0, 1.0)));
    harness.get_by_role_and_label(Role::CheckBox, "layer 1").click();
    harness.run();
    assert!(layer(&harness).unwrap().off);
    harness.get_by_role_and_label(Role::Button, "remove layer 1").click();
    harness.run();
    assert_eq!(layer(&harness), None);
    while document(&harness) != begin {
        assert!(harness.state().session.world.history.labels().0.is_some(), "undo does not restore everything");
        undo(&mut harness);
    }
}

/// A pose layer bound to keys leans the body while a key is held, and the body returns on release.
#[test]
fn held_keys_drive_a_pose_layer() {
    let mut harness = on_ground("additive lean");
    let mut edited = document(&harness);
    edited.motion.layers[0].weight_by = Some(Binding::of(LayerInput::Keys, -1.0, 1.0));
    edited.clip.name = None;
    let session = &mut harness.state_mut().session;
    session.apply(Action::Edit { label: "test".into(), gesture: None, document: Box::new(edited) });
    session.apply(Action::Clip(None));
    let settle = |harness: &mut Harness<Window>| {
        for _ in 0..60 {
            harness.state_mut().session.update(1.0 / 60.0);
        }
        let session = &harness.state().session;
        session.world.picture.animated.position(session.world.character.model.skeleton.find("head").unwrap())
    };
    let hold = |harness: &mut Harness<Window>, key: Key, pressed: bool| {
        let (physical_key, repeat, modifiers) = (None, false, egui::Modifiers::NONE);
        harness.input_mut().events.push(egui::Event::Key { key, physical_key, pressed, repeat, modifiers });
    };
    let upright = settle(&mut harness);
    let mut leans = [0.0; 2];
    for (lean, key) in leans.iter_mut().zip([Key::Minus, Key::Equals]) {
        hold(&mut harness, key, true);
        harness.run();
        *lean = (settle(&mut harness) - upright).x;
        hold(&mut harness, key, false);
        harness.run();
        assert!(settle(&mut harness).distance(upright) < 1e-5);
    }
    assert!(leans[0] * leans[1] < 0.0 && leans.iter().all(|lean| lean.abs() > 0.02), "{leans:?}");
}

#[test]
fn the_inspector_shows_world_and_local_rotation_of_the_selected_bone() {
    let mut harness = desktop();
    harness.state_mut().session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
    harness.run();
    let session = &harness.state().session;
    let (skeleton, pose) = (&session.world.character.model.skeleton, &session.world.picture.pose.bones);
    let hand = skeleton.find("left_hand").unwrap();
    let parent = pose[skeleton.parent(hand).unwrap()].rotation;
    let world = pose[hand].rotation;
    let found = [("World", world), ("Local", parent.conjugate() * world)].map(|(space, rotation)| {
        let numbers = rotation.to_array().map(|number| format!("{number:.4}")).join(" ");
        (harness.query_by_label(&format!("{space} xyzw {numbers}")).is_some(), numbers)
    });
    assert!(found.iter().all(|(is_there, _)| *is_there), "{found:?}");
    assert!(found[0].1 != found[1].1);
}

#[test]
fn quality_and_parameters_of_grounding_are_in_the_inspector() {
    let mut harness = on_ground("hills");
    inspect(&mut harness);
    harness.get_by_label("Grounding");
    // Qualities are compared only while grounding is selected, so the comparison exists after one more frame.
    harness.state_mut().session.update(1.0 / 60.0);
    harness.run();
    assert!(!texts(&harness).iter().any(|text| text.starts_with("Compared only while live")));
    for parameter in PredictiveSettings::PARAMETERS {
        harness.get_by_role_and_label(Role::Slider, &parameter.key.replace('_', " "));
    }
    click(&mut harness, "Simple");
    assert_eq!(document(&harness).stack.grounding.predictive.quality, Quality::ALL[1]);
    harness.get_by_role_and_label(Role::Slider, "max step").focus();
    harness.run();
    harness.press_key(Key::ArrowLeft);
    harness.run();
    let step = document(&harness).stack.grounding.predictive.max_step;
    assert!(step < 0.5, "{step}");
    undo(&mut harness);
    undo(&mut harness);
    assert!(!harness.state().session.world.history.is_unsaved());
}

#[test]
fn weight_curves_are_edited_and_derived_again() {
    let mut harness = on_ground("ray and curve");
    inspect(&mut harness);
    let key = harness.get_by(|node| {
        node.role() == Role::Slider && node.label().is_some_and(|label| label.starts_with("left foot, key 1 at "))
    });
    key.focus();
    harness.run();
    let planted = harness.state().session.world.contacts().unwrap()[0].planted;
    for _ in 0..20 {
        harness.press_key(Key::ArrowDown);
        harness.run();
    }
    let clip = document(&harness).clip.name.unwrap();
    let edited = document(&harness).stack.grounding.curves.get(&clip).cloned().expect("the curve is edited");
    let session = &harness.state().session;
    let derived = session.world.motion.derived(session.world.clip.clip().unwrap()).unwrap().unwrap().clone();
    assert!((derived[0].keys()[0].value - edited[0].keys()[0].value - 0.2).abs() < 1e-3, "{edited:?}");
    assert_eq!(derived[1], edited[1]);
    assert!(session.world.contacts().unwrap()[0].planted < planted - 0.05, "the foot has less weight");
    click(&mut harness, "Derive again");
    assert!(document(&harness).stack.grounding.curves.is_empty());
    undo(&mut harness);
    assert_eq!(document(&harness).stack.grounding.curves.get(&clip), Some(&edited));
}

#[test]
fn grounding_is_first_in_the_order_and_is_stepped() {
    let mut harness = on_ground("stairs");
    harness.get_by_label("layer 2 full body").click();
    harness.run();
    assert!(!harness.state().session.ground_focus());
    assert!(harness.query_by_label("step 2 end_effectors").is_some());
    harness.get_by_label("layer 1 grounding").click();
    harness.run();
    assert!(harness.state().session.ground_focus());
    assert!(harness.query_by_label("step 2 end_effectors").is_none());
    let keys: Vec<&str> = harness
        .state()
        .session
        .world
        .ground_recording()
        .unwrap()
        .solve
        .steps
        .iter()
        .map(|step| step.step.key())
        .collect();
    for (index, key) in keys.iter().enumerate() {
        harness.get_by_label(&format!("step {} {key}", index + 1));
    }
    inspect(&mut harness);
    let end = harness.state().session.world.picture.pose.clone();
    let mut moved = false;
    for (index, key) in keys.iter().enumerate() {
        harness.state_mut().session.apply(Action::Command(Command::NextStage));
        harness.run();
        let session = &harness.state().session;
        assert!(session.world.time.is_paused() && session.world.time.cursor.step == index);
        moved |= session.world.picture.pose != end;
        let sentence = session.world.ground_recording().unwrap().solve.steps[index].step.sentence();
        assert!(harness.query_by_label(sentence).is_some(), "{key}: {sentence}");
    }
    assert!(moved && harness.state().session.world.picture.pose == end);
    harness.state_mut().session.apply(Action::Command(Command::PreviousStage));
    harness.run();
    assert_eq!(harness.state().session.world.time.cursor.step, keys.len() - 2);
}

#[test]
fn missing_preconditions_of_grounding_are_shown() {
    let shows = |harness: &Harness<Window>, text: &str| {
        let has = |node: &Node| node.label().or(node.value()).is_some_and(|own| own.contains(text));
        assert!(harness.query_all(By::new().predicate(has)).next().is_some(), "{text} is not shown");
    };
    let mut harness = on_ground("hills");
    choose(&mut harness, "terrain", "hills", "None");
    shows(&harness, "There is no ground. Choose a terrain");
    inspect(&mut harness);
    shows(&harness, "There is no ground. Choose a terrain");
    let mut harness = on_ground("hills");
    let mut edited = document(&harness);
    edited.motion.path.truncate(1);
    let edit = |document| Action::Edit { label: "test".into(), gesture: None, document: Box::new(document) };
    harness.state_mut().session.apply(edit(edited));
    harness.run();
    harness.run();
    shows(&harness, "Needs two separate points");
    let mut edited = document(&harness);
    let one = Terrain { columns: 1, rows: 1, heights: vec![0.0], ..Terrain::default() };
    edited.terrain = Some(std::sync::Arc::new(one));
    harness.state_mut().session.apply(edit(edited));
    harness.run();
    let notice = harness.state().session.window.notice.clone().unwrap();
    assert!(
        notice.is_error && (notice.text.contains("columns is 1") || notice.text.contains("columns: is 1")),
        "{notice:?}"
    );
    let mut harness = on_ground("hills");
    let session = &mut harness.state_mut().session;
    let mut character = Character::built_in().unwrap();
    character.detection.biped = None;
    (character.rig.full_body, character.rig.legs) = (Err("no biped".to_owned()), None);
    session.take(character);
    session.update(1.0 / 60.0);
    harness.run();
    shows(&harness, "No legs were found");
    harness.state_mut().session.apply(Action::Select(Selection::Layer(LayerId::Grounding)));
    inspect(&mut harness);
    shows(&harness, "No legs were found");
    let mut harness = on_ground("ray and curve");
    let session = &mut harness.state_mut().session;
    let mut character = Character::built_in().unwrap();
    Arc::make_mut(&mut character.model).clips.iter_mut().for_each(|clip| clip.duration = 0.0);
    session.take(character);
    session.update(1.0 / 60.0);
    harness.run();
    inspect(&mut harness);
    shows(&harness, "has no length: only the start of its curves applies");
}

#[test]
fn controls_of_motion_and_grounding_have_names() {
    for scene in ["idle, walk, run", "masked upper body", "ray and curve", "rubble"] {
        for inspects in [false, true] {
            let mut harness = on_ground(scene);
            if inspects {
                harness.state_mut().session.apply(Action::Select(Selection::Layer(LayerId::Grounding)));
                inspect(&mut harness);
            }
            let roles = [Role::Button, Role::CheckBox, Role::Slider, Role::ComboBox, Role::SpinButton];
            let is_beside = |node: &Node| node.raw_bounds().is_some_and(|bounds| bounds.x0 > 1200.0);
            let is_nameless = |node: &Node| {
                let name = node.label().or(node.value()).unwrap_or_default();
                is_beside(node) && roles.contains(&node.role()) && !name.chars().any(char::is_alphanumeric)
            };
            let found = harness.query_all(By::new().predicate(is_nameless));
            let found: Vec<String> = found.map(|node| format!("{:?} {:?}", node.role(), node.raw_bounds())).collect();
            assert!(found.is_empty(), "{scene}: {found:#?}");
        }
    }
}

#[test]
fn focusing_a_number_does_not_change_it() {
    let mut harness = on_ground("masked upper body");
    let mut edited = document(&harness);
    edited.motion.fade = 7.0;
    edited.motion.gaits = vec!["idle".to_owned(), "walk".to_owned()];
    edited.motion.pace = 7.9;
    edited.motion.start = glam::Vec2::new(5000.0, -9000.0);
    edited.motion.layers[0].time = Some(90.0);
    edited.motion.layers[0].feather = 90;
    edited.motion.travel = Travel::InPlace;
    edited.terrain = Some(std::sync::Arc::new(Terrain::flat()));
    edited.stack.grounding.method = Method::Predictive;
    let session = &mut harness.state_mut().session;
    session.apply(Action::Edit { label: "test".into(), gesture: None, document: Box::new(edited.clone()) });
    for inspects in [false, true] {
        if inspects {
            harness.state_mut().session.apply(Action::Select(Selection::Layer(LayerId::Grounding)));
            inspect(&mut harness);
        }
        for _ in 0..30 {
            harness.press_key(Key::Tab);
            harness.run();
        }
        assert!(document(&harness) == edited, "the document was changed, inspector {inspects}");
        assert_eq!(harness.state().session.world.history.labels().0, Some("test"));
    }
}

fn click_into(harness: &mut Harness<Window>, number: f32) {
    let shows = move |node: &Node| {
        node.role() == Role::SpinButton
            && node.numeric_value().is_some_and(|value| (value - f64::from(number)).abs() < 1e-5)
    };
    harness.get(By::new().predicate(shows)).click();
    harness.run();
}

fn type_into(harness: &mut Harness<Window>, number: f32, text: &str) {
    click_into(harness, number);
    harness.input_mut().events.push(egui_macroquad::egui::Event::Text(text.to_owned()));
    harness.run();
    harness.press_key(Key::Enter);
    harness.run();
}

#[test]
fn a_field_takes_sums_and_units_and_rejects_invalid_text() {
    let mut harness = desktop();
    let session = &mut harness.state_mut().session;
    session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
    let mut settings = *session.world.settings();
    settings.effector_mut(Effector::LeftHand).position = Some(glam::Vec3::new(0.345_678_9, 1.234_567_9, 0.123_456_7));
    session.apply(Action::Edit {
        label: "test".into(),
        gesture: None,
        document: Box::new(session.world.history.document().with_settings(settings)),
    });
    harness.run();
    let position = |harness: &Harness<Window>| {
        harness.state().session.world.settings().effector(Effector::LeftHand).position.unwrap()
    };
    let start = position(&harness);

    // Moving through all fields by Tab changes no value, although the fields show three decimals.
    for _ in 0..60 {
        harness.press_key(Key::Tab);
        harness.run();
    }
    assert_eq!(position(&harness), start);
    assert_eq!(harness.state().session.world.history.labels().0, Some("test"));

    // A click selects the whole number, so typing replaces it.
    type_into(&mut harness, start.x, "0.2+0.15");
    assert!((position(&harness).x - 0.35).abs() < 1e-6, "{}", position(&harness));
    type_into(&mut harness, 0.35, "*2");
    assert!((position(&harness).x - 0.7).abs() < 1e-6, "{}", position(&harness));
    type_into(&mut harness, 0.7, "35 cm");
    assert!((position(&harness).x - 0.35).abs() < 1e-6, "{}", position(&harness));
    assert_eq!((position(&harness).y, position(&harness).z), (start.y, start.z));
    type_into(&mut harness, 0.35, "2..5");
    assert!((position(&harness).x - 0.35).abs() < 1e-6, "{}", position(&harness));
    let notice = harness.state().session.window.notice.as_ref().expect("a notice is shown");
    assert!(
        notice.is_error && notice.text.contains("\"2..5\" is not a number. The value stays 0.350 m"),
        "{}",
        notice.text
    );
    click_into(&mut harness, 0.35);
    harness.press_key(Key::Tab);
    harness.run();
    harness.input_mut().events.push(egui_macroquad::egui::Event::Text("1.5".to_owned()));
    harness.run();
    harness.press_key(Key::Tab);
    harness.run();
    assert!((position(&harness).y - 1.5).abs() < 1e-6, "{}", position(&harness));
    harness.state_mut().session.apply(Action::Command(Command::Undo));
    harness.run();
    for x in [0.7, 0.35, start.x] {
        harness.state_mut().session.apply(Action::Command(Command::Undo));
        assert!((position(&harness).x - x).abs() < 1e-6, "{} instead of {x}", position(&harness).x);
    }
}

/// Typing a position, a rotation or a bend goal raises its weight from 0 to 1 in the same edit.
#[test]
fn a_typed_target_has_the_weight_that_a_dragged_one_has() {
    let mut harness = desktop();
    harness.state_mut().session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
    harness.run();
    let hand = |harness: &Harness<Window>| *harness.state().session.world.settings().effector(Effector::LeftHand);
    let before = hand(&harness);
    assert_eq!((before.position, before.position_weight), (None, 0.0));
    let session = &harness.state().session;
    let at = session.state().unwrap().nodes()[kinescope_ik::full_body::Node::LeftHand];
    type_into(&mut harness, at.y, "1.4");
    let typed = hand(&harness);
    assert_eq!((typed.position, typed.position_weight), (Some(glam::Vec3::new(at.x, 1.4, at.z)), 1.0));
    assert_eq!(
        harness.state().session.world.history.labels().0,
        Some("move left hand"),
        "the edit has the name of a drag"
    );
    let mut settings = *harness.state().session.world.settings();
    settings.effector_mut(Effector::LeftHand).position_weight = 0.5;
    harness.state_mut().session.edit_settings("weight", None, settings);
    harness.run();
    type_into(&mut harness, 1.4, "1.3");
    assert_eq!(hand(&harness).position_weight, 0.5);
    for _ in 0..3 {
        harness.state_mut().session.apply(Action::Command(Command::Undo));
    }
    assert_eq!(hand(&harness), before, "position and weight are one edit");

    harness.run();
    let (x, ..) = harness.state().session.world.shown_rotation(Effector::LeftHand).to_euler(glam::EulerRot::XYZ);
    type_into(&mut harness, x.to_degrees(), "20");
    let turned = hand(&harness);
    assert!(turned.rotation.is_some() && turned.rotation_weight == 1.0 && turned.position.is_none(), "{turned:?}");
    assert_eq!(harness.state().session.world.history.labels().0, Some("turn left hand"));
    harness.state_mut().session.apply(Action::Command(Command::Undo));
    assert_eq!(hand(&harness), before);

    let arm = |harness: &Harness<Window>| *harness.state().session.world.settings().chain(LimbName::LeftArm);
    let mut settings = *harness.state().session.world.settings();
    settings.chain_mut(LimbName::LeftArm).bend_goal = Some(glam::Vec3::new(0.123, 1.234, -0.345));
    harness.state_mut().session.edit_settings("goal", None, settings);
    harness.run();
    assert_eq!(arm(&harness).bend_weight, 0.0);
    type_into(&mut harness, 1.234, "1.5");
    assert_eq!((arm(&harness).bend_goal.unwrap().y, arm(&harness).bend_weight), (1.5, 1.0));
    harness.state_mut().session.apply(Action::Command(Command::Undo));
    assert_eq!((arm(&harness).bend_goal.unwrap().y, arm(&harness).bend_weight), (1.234, 0.0));
}

#[test]
fn an_open_question_takes_the_keyboard() {
    let mut harness = desktop();
    change_push(&mut harness);
    let push = harness.state().session.world.settings().chain(LimbName::LeftArm).push;
    harness.state_mut().session.apply(Action::Command(Command::Quit));
    harness.run();
    // Tab goes from the last button of the dialog back to the first.
    for answer in ["Save", "Discard", "Cancel", "Save"] {
        let node = harness.get_by_role_and_label(Role::Button, answer);
        assert!(node.is_focused(), "{answer}");
        harness.press_key(Key::Tab);
        harness.run();
    }
    harness.press_key(Key::ArrowRight);
    harness.run();
    assert_eq!(harness.state().session.world.settings().chain(LimbName::LeftArm).push, push);
    assert!(harness.state().session.window.dialog.is_some());
}

const CONTROLS: [Role; 6] =
    [Role::Button, Role::Slider, Role::SpinButton, Role::CheckBox, Role::ComboBox, Role::TextInput];

fn controls<'a>(harness: &'a Harness<Window>) -> Vec<Node<'a>> {
    harness.query_all(By::new().predicate(|node: &Node| CONTROLS.contains(&node.role()))).collect()
}

#[test]
fn the_keyboard_alone_reaches_every_control() {
    for scene in ["walk with hands pinned", "stairs", "chain lab"] {
        let mut harness = desktop();
        harness.state_mut().session.start_scene(Scene::find(scene).unwrap());
        harness.state_mut().session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
        harness.run();
        // Tab is a command until a pane has the keyboard.
        harness.state_mut().session.apply(Action::Command(Command::NextPane));
        // The second run shows what the first run requested.
        harness.run();
        harness.run();
        let controls: Vec<(u64, String)> = controls(&harness)
            .into_iter()
            .filter(|node| !node.is_disabled())
            .map(|node| (node.id().0, format!("{:?} {:?} at {:?}", node.role(), node.label(), node.raw_bounds())))
            .collect();
        assert!(controls.len() > 60, "{scene}: {}", controls.len());
        let mut reached = std::collections::HashSet::new();
        for _ in 0..controls.len() * 2 {
            harness.press_key(Key::Tab);
            harness.run_steps(1);
            reached.extend(harness.ctx.memory(|memory| memory.focused()).map(|id| id.value()));
        }
        let missed: Vec<&String> =
            controls.iter().filter(|(id, _)| !reached.contains(id)).map(|(_, text)| text).collect();
        assert!(missed.is_empty(), "{scene}: {} of {} are not reached: {missed:#?}", missed.len(), controls.len());
    }
}

#[test]
fn nothing_is_cut_off_in_a_small_window_and_a_large_one_is_used() {
    let mut sliders = Vec::new();
    for (width, height) in [(1024.0, 640.0), (1440.0, 900.0), (1920.0, 1080.0)] {
        let mut harness = window(Vec2::new(width, height));
        harness.state_mut().session.apply(Action::Clip(Some(0)));
        harness.state_mut().session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
        harness.run();
        let window = Rect::from_min_size(pos2(0.0, 0.0), Vec2::new(width, height));
        for node in controls(&harness) {
            let Some(bounds) = node.raw_bounds() else { continue };
            let name = format!("{width} by {height}: {:?} {:?} at {bounds:?}", node.role(), node.label());
            // Users can scroll to controls below a pane's edge and to steps at the side. Any other control beyond a
            // side would be out of reach.
            if node.label().is_some_and(|label| label.starts_with("step ")) {
                continue;
            }
            assert!(bounds.x0 >= -1.0 && bounds.x1 <= f64::from(window.right()) + 1.0, "{name}");
        }
        for word in ["Live", "Paused"] {
            let found = harness.get_by_label(word).raw_bounds().unwrap();
            assert!(found.x1 - found.x0 > 20.0 && found.x1 < f64::from(width), "{width}: {word} at {found:?}");
        }
        let bar: Vec<_> = controls(&harness)
            .into_iter()
            .filter(|node| node.role() == Role::Button)
            .filter_map(|node| node.raw_bounds().map(|bounds| (bounds, format!("{:?}", node.label()))))
            .filter(|(bounds, _)| bounds.y0 > 30.0 && bounds.y1 < 66.0)
            .collect();
        for (index, (a, name)) in bar.iter().enumerate() {
            for (b, other) in &bar[index + 1..] {
                let over = (a.x1.min(b.x1) - a.x0.max(b.x0)).min(a.y1.min(b.y1) - a.y0.max(b.y0));
                assert!(over < 1.0, "{width}: {name} at {a:?} over {other} at {b:?}");
            }
        }
        let pull = harness.get_by_role_and_label(Role::Slider, "pull").raw_bounds().unwrap();
        sliders.push(pull.x1 - pull.x0);
    }
    assert!(sliders[0] >= 30.0 && sliders[2] > 1.5 * sliders[1], "{sliders:?}");
}

#[test]
fn no_pane_is_cut_off_at_its_side_in_a_small_window() {
    let mut cut = Vec::new();
    for (scene, command, pane) in [
        ("stairs", None, Pane::Motion),
        ("idle, walk, run", None, Pane::Motion),
        ("masked upper body", None, Pane::Motion),
        ("rubble", None, Pane::Inspector),
        ("ray and curve", None, Pane::Inspector),
        ("chain lab", None, Pane::Lab),
        ("limits", None, Pane::Inspector),
        ("chain on top", None, Pane::Inspector),
        ("walk with hands pinned", Some(Command::KeepAsB), Pane::Compare),
        ("walk with hands pinned", None, Pane::Sweep),
        ("walk with hands pinned", None, Pane::Finder),
        ("walk with hands pinned", Some(Command::PlayPause), Pane::Inspector),
    ] {
        let mut harness = window(Vec2::new(1024.0, 640.0));
        harness.state_mut().session.start_scene(Scene::find(scene).unwrap());
        harness.run();
        if let Some(command) = command {
            harness.state_mut().session.apply(Action::Command(command));
            harness.run();
        }
        harness.state_mut().panes.layout.show(pane);
        harness.run();
        assert!(harness.state().panes.layout.is_shown(pane));
        for node in controls(&harness) {
            let Some(bounds) = node.raw_bounds() else { continue };
            let scrolls = node.label().is_some_and(|label| label.starts_with("step "));
            if (bounds.x1 > 1025.0 || bounds.x0 < -1.0) && !scrolls {
                cut.push(format!("{scene} {pane:?}: {:?} {:?} to {:.0}", node.role(), node.label(), bounds.x1));
            }
        }
    }
    assert!(cut.is_empty(), "{} controls are out of reach: {cut:#?}", cut.len());
}

#[test]
fn the_rig_doctor_takes_typing_clicks_and_escape() {
    let mut harness = desktop();
    harness.state_mut().session.apply(Action::Command(Command::RigDoctor));
    harness.run();
    let picture = harness.state().picture;
    assert!(picture.width() > 700.0 && picture.right() < 1000.0, "{picture}");
    harness.get_by_label("left hand bone").click();
    harness.run();
    for letter in "index_1".chars() {
        harness.input_mut().events.push(egui_macroquad::egui::Event::Text(letter.to_string()));
        harness.run();
    }
    let listed: Vec<String> = controls(&harness)
        .into_iter()
        .filter_map(|node| node.label())
        .filter(|label| label.ends_with("index_1"))
        .collect();
    assert!(listed.len() >= 2, "typing narrows the list: {listed:?}");
    harness.press_key(Key::Enter);
    harness.run();
    let mapped = |harness: &Harness<Window>| harness.state().session.world.history.document().mapping.roles.clone();
    let roles = mapped(&harness);
    let hand = roles.get(&RigRole::LeftHand).expect("the first match was taken");
    assert_eq!(hand.0, ["left_index_1"]);
    harness.get_by_label("left hand bone").click();
    harness.run();
    harness.press_key(Key::Escape);
    harness.run();
    assert_eq!(harness.state().session.window.dialog, Some(Dialog::RigDoctor));
    harness.state_mut().session.apply(Action::Command(Command::Undo));
    harness.run();
    assert!(mapped(&harness).is_empty());
    harness.get_by_label("right foot").click();
    harness.run();
    assert_eq!(harness.state().session.window.doctor.role, Some(RigRole::RightFoot));
    let session = &mut harness.state_mut().session;
    let calf = session.world.character.model.skeleton.find("right_calf").unwrap();
    let [from, to] = [calf, session.world.character.model.skeleton.find("right_foot").unwrap()]
        .map(|bone| session.projector().to_screen(session.world.picture.pose.position(bone)).unwrap());
    let middle = from.lerp(to, 0.5);
    session.point_at_bone(middle);
    assert_eq!(session.window.doctor.bone, Some(calf), "the bone under the pointer is highlighted");
    session.press(middle);
    session.wait_for_roles(std::time::Duration::from_secs(600));
    harness.run();
    let roles = mapped(&harness);
    assert_eq!(roles.get(&RigRole::RightFoot).map(|bones| bones.0.clone()), Some(vec!["right_calf".to_owned()]));
    let problems = harness.state().session.world.character.detection.problems.clone();
    assert!(!problems.is_empty());
    harness.get_by_label(&problems[0]);
    harness.get_by_label_contains("To check");
    harness.state_mut().session.report_character();
    let notice = harness.state().session.window.notice.clone().unwrap();
    assert!(notice.is_error && notice.text.contains("rig doctor"), "{}", notice.text);
    harness.state_mut().session.apply(Action::Command(Command::Undo));
    harness.run();
    harness.press_key(Key::Escape);
    harness.run();
    assert_eq!(harness.state().session.window.dialog, None);
}

#[test]
fn file_dialogs_have_titles_and_close_with_escape() {
    for (command, title) in [
        (Command::SavePresetAs, "Save preset as"),
        (Command::OpenModel, "Open model"),
        (Command::ExportPose, "Export pose"),
        (Command::CompareWith, "Compare with preset"),
    ] {
        let mut harness = desktop();
        harness.state_mut().session.apply(Action::Command(command));
        harness.run_steps(4);
        harness.get_by_label(title);
        harness.press_key(Key::Escape);
        harness.run_steps(4);
        assert_eq!(harness.state().session.window.dialog, None, "{title}");
    }
}

/// A range of 8 s of a clip of 1.1 s used to be clamped to 1.1 s.
#[test]
fn the_range_of_a_bake_is_chosen_before_its_file() {
    let mut harness = on_ground("stairs");
    harness.state_mut().session.apply(Action::Command(Command::BakeClip));
    harness.run();
    harness.get_by_label("What to bake");
    let duration = harness.state().session.world.bake_range().to;
    let range = |harness: &Harness<Window>| harness.state().session.world.bake_range();
    let field = move |node: &Node| {
        node.role() == Role::SpinButton
            && node.numeric_value().is_some_and(|value| (value - f64::from(duration)).abs() < 1e-4)
    };
    // The track has the first such field, and the dialog has the last.
    harness.get_all(By::new().predicate(field)).last().unwrap().click();
    harness.run();
    harness.input_mut().events.push(egui::Event::Text("8".to_owned()));
    harness.run();
    harness.press_key(Key::Enter);
    harness.run();
    assert_eq!((range(&harness).from, range(&harness).to), (0.0, 8.0));
    harness.get_by_label("241 key times");
    harness.get_by_label("Whole path").click();
    harness.run();
    let path = harness.state().session.world.motion.path().unwrap().length();
    assert!((range(&harness).to / path - 1.0).abs() < 0.1, "{:?} for {path} m at about 1 m/s", range(&harness));
    harness.get_by_label("Choose file…").click();
    harness.run_steps(4);
    harness.get_by_label("Bake clip");
    harness.press_key(Key::Escape);
    harness.run_steps(4);
    assert_eq!(harness.state().session.window.dialog, None);

    // During a bake, the button that cancels takes the place of the button *Bake…*.
    let at = |harness: &Harness<Window>, name: &str| harness.get_by_label(name).raw_bounds().unwrap();
    let before = at(&harness, "Bake…");
    let out = Folder::new("bake button");
    let long = kinescope::world::motion::clip_player::BakeRange { to: 900.0, ..range(&harness) };
    harness.state_mut().session.apply(Action::Bake(BakeAction::Range(long)));
    harness.state_mut().session.apply(Action::File(Command::BakeClip, out.path("walk.glb").into()));
    harness.run_steps(2);
    assert_eq!(at(&harness, "cancel baking"), before);
    harness.get_by_label("cancel baking").click();
    harness.run_steps(2);
    assert!(harness.state().session.files.baking.is_none());
    assert_eq!(at(&harness, "Bake…"), before);
}

/// Types a path letter by letter, as a user does, and presses Enter.
fn type_path(harness: &mut Harness<Window>, text: &str) {
    for letter in text.chars() {
        harness.input_mut().events.push(egui::Event::Text(letter.to_string()));
        harness.run_steps(2);
    }
    harness.run_steps(2);
    harness.press_key(Key::Enter);
    harness.run_steps(4);
    harness.state_mut().session.wait_for_opening(PATIENCE);
}

/// Waits until the file dialog has listed its folder in its own thread.
fn wait_for_rows(harness: &mut Harness<Window>) {
    for _ in 0..60_000 {
        if harness.query_by_label_contains("other.glb").is_some() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
        harness.run_steps(1);
    }
    panic!("the dialog did not list its folder");
}

fn with_dialog(command: Command) -> Harness<'static, Window> {
    let mut harness = desktop();
    harness.state_mut().session.apply(Action::Command(command));
    harness.run_steps(6);
    harness
}

#[test]
fn a_path_typed_into_a_file_dialog_is_opened_by_enter() {
    let folder = Folder::new("typed");
    let biped = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/biped.glb")).unwrap();
    let hero = folder.write("characters/hero.glb", &biped);
    folder.write("characters/other.glb", &biped);
    let name = |harness: &Harness<Window>| harness.state().session.world.character.model.name.clone();

    let mut harness = with_dialog(Command::OpenModel);
    type_path(&mut harness, &hero);
    assert_eq!((name(&harness).as_str(), &harness.state().session.window.dialog), ("hero.glb", &None));

    // On a slow machine, one frame receives everything that was typed.
    let mut harness = with_dialog(Command::OpenModel);
    let mut events: Vec<egui::Event> = hero.chars().map(|letter| egui::Event::Text(letter.to_string())).collect();
    for pressed in [true, false] {
        let (physical_key, repeat, modifiers) = (None, false, egui::Modifiers::NONE);
        events.push(egui::Event::Key { key: Key::Enter, physical_key, pressed, repeat, modifiers });
    }
    harness.input_mut().events.extend(events);
    harness.run_steps(6);
    harness.state_mut().session.wait_for_opening(PATIENCE);
    assert_eq!((name(&harness).as_str(), &harness.state().session.window.dialog), ("hero.glb", &None));

    // The dialog enters a typed folder. There, a name or its beginning is enough, and the first match is opened.
    for typed in ["hero.glb", "her"] {
        let mut harness = with_dialog(Command::OpenModel);
        type_path(&mut harness, &folder.path("characters"));
        assert_eq!(harness.state().session.window.dialog, Some(Dialog::File(Command::OpenModel)));
        harness.get_by_label("characters");
        wait_for_rows(&mut harness);
        type_path(&mut harness, typed);
        assert_eq!((name(&harness).as_str(), &harness.state().session.window.dialog), ("hero.glb", &None), "{typed}");
    }

    let mut harness = with_dialog(Command::OpenModel);
    let missing = folder.path("missing.glb");
    type_path(&mut harness, &missing);
    harness.get_by_label_contains(&format!("{missing}: there is no such file"));
    assert_eq!(
        (name(&harness).as_str(), harness.state().session.window.dialog.clone()),
        ("mannequin", Some(Dialog::File(Command::OpenModel)))
    );
    harness.get_by_role(Role::TextInput).focus();
    harness.run_steps(2);
    harness.input_mut().events.push(egui::Event::Text("x".to_owned()));
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("there is no such file").is_none());
}

#[test]
fn a_path_typed_into_a_dialog_that_saves_gets_its_ending_and_asks_before_it_overwrites() {
    let folder = Folder::new("typed to save");
    let select_all = |harness: &mut Harness<Window>| {
        harness.press_key_modifiers(egui::Modifiers::COMMAND, Key::A);
        harness.run_steps(2);
    };
    let mut harness = with_dialog(Command::SavePresetAs);
    select_all(&mut harness);
    type_path(&mut harness, &folder.path("pose"));
    let saved = std::path::PathBuf::from(folder.path("pose.json"));
    assert_eq!((harness.state().session.files.preset.as_ref(), saved.exists()), (Some(&saved), true));

    let mut harness = with_dialog(Command::SavePresetAs);
    select_all(&mut harness);
    type_path(&mut harness, &folder.path("pose.json"));
    assert_eq!(harness.state().session.window.dialog, Some(Dialog::Exists(saved)));

    let mut harness = with_dialog(Command::SavePresetAs);
    select_all(&mut harness);
    type_path(&mut harness, &folder.path("no/pose.json"));
    harness.get_by_label_contains("there is no such file or folder");
}

#[test]
fn modifiers_are_added_ordered_switched_and_removed() {
    let mut harness = desktop();
    for name in ["Recoil", "Head effector"] {
        // A simulated click has no pointer position and leaves the list open, where a second click would close it.
        if harness.query_by_label(name).is_none() {
            harness.get_by_label("add a modifier").click();
            harness.run();
        }
        harness.get_by_label(name).click();
        harness.run();
    }
    let names = |harness: &Harness<Window>| -> Vec<&str> {
        harness.state().session.world.stack().modifiers.iter().map(|own| own.name()).collect()
    };
    assert_eq!(names(&harness), ["recoil", "head effector"]);
    assert!(matches!(harness.state().session.interaction.selection, Selection::Modifier(1, _)));
    harness.get_by_label("Head effector 2");
    harness.get_by_role_and_label(Role::Button, "modifier 1 recoil").click();
    harness.run();
    assert!(matches!(harness.state().session.interaction.selection, Selection::Modifier(0, _)));
    harness.get_by_label_contains("fire").click();
    harness.run();
    assert!(harness.state().session.is_moving(), "the shot is still running");
    harness.get_by_label("modifier 1 on").click();
    harness.run();
    assert!(!harness.state().session.world.stack().modifiers[0].is_on());
    harness.get_by_label(egui_phosphor::regular::ARROW_DOWN).click();
    harness.run();
    assert_eq!(names(&harness), ["head effector", "recoil"]);
    harness.get_by_label(egui_phosphor::regular::TRASH).click();
    harness.run();
    assert_eq!(names(&harness), ["head effector"]);
    for undone in [2, 2, 2, 1] {
        harness.state_mut().session.apply(Action::Command(Command::Undo));
        assert_eq!(harness.state().session.world.stack().modifiers.len(), undone);
    }
}

#[test]
fn every_modifier_has_an_inspector_and_its_steps() {
    for scene in [
        "recoil",
        "two-handed grip",
        "hit reaction",
        "inertia",
        "breathing",
        "look at",
        "reach for",
        "keyed effectors",
        "head and two hands",
        "arm bending",
        "digitigrade",
    ] {
        let mut harness = desktop();
        harness.state_mut().session.start_scene(Scene::find(scene).unwrap());
        for _ in 0..3 {
            harness.state_mut().session.update(1.0 / 30.0);
        }
        harness.state_mut().session.apply(Action::Command(Command::PlayPause));
        harness.run();
        let name = harness.state().session.world.stack().modifiers[0].name().to_owned();
        let title = format!("{} 1", kinescope::ui::words::capital(&name));
        assert!(harness.query_all_by_label(&title).count() > 0, "{title}");
        for phase in ["Before IK", "During IK", "After IK"] {
            harness.get_by_label(phase).click();
            harness.run();
        }
    }
}

#[test]
fn a_pose_layer_is_masked_bone_by_bone() {
    let mut harness = on_ground("masked upper body");
    harness.get_by_label("Mask").click();
    harness.run();
    harness.get_by_label("left_forearm").click();
    harness.run();
    let mask = |harness: &Harness<Window>| harness.state().session.world.plan().motion.layers[0].mask.clone();
    assert_eq!(mask(&harness).into_iter().collect::<Vec<_>>(), [("left_forearm".to_owned(), 0.0)]);
    harness.get_by_label("remove left_forearm from the mask of layer 1").click();
    harness.run();
    assert!(mask(&harness).is_empty());
}

#[test]
fn characters_not_in_metres_get_a_warning_about_reach() {
    let mut harness = desktop();
    const WARNING: &str = "Reach depends on the unit";
    let warns = |harness: &Harness<Window>| harness.query_by_label_contains(WARNING).is_some();
    harness.state_mut().session.apply(Action::Select(Selection::Chain(kinescope_ik::full_body::Chain::LeftArm)));
    harness.run();
    assert!(!warns(&harness), "in metres");
    harness.state_mut().session.world.character.height = 170.0;
    harness.run();
    assert!(!warns(&harness), "reach has its default value");
    let put = |harness: &mut Harness<Window>, settings: &kinescope_ik::Settings| {
        let session = &mut harness.state_mut().session;
        let stack = kinescope_ik::stack::Stack { full_body: *settings, ..session.world.stack().clone() };
        session.edit_stack("reach", None, stack);
        harness.run();
    };
    let mut settings = *harness.state().session.world.settings();
    settings.chain_mut(kinescope_ik::rig::LimbName::LeftArm).reach = 0.3;
    put(&mut harness, &settings);
    harness.run();
    assert!(warns(&harness));
    settings.chain_mut(kinescope_ik::rig::LimbName::LeftArm).scale_free_reach = true;
    put(&mut harness, &settings);
    harness.run();
    assert!(!warns(&harness), "the setting is off");
}

fn with_hand_named(name: &str) -> Character {
    let mut file = Glb::read(&std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/biped.glb")).unwrap());
    let nodes = file.root["nodes"].as_array_mut().unwrap();
    let hand = nodes.iter_mut().find(|node| node["name"] == "left_hand").unwrap();
    hand["name"] = name.into();
    let folder = Folder::new("names");
    Character::load(folder.write("rig.glb", file.write()).as_ref()).unwrap()
}

/// Either a system font has the characters of a bone's name, or a notice says that no font has them.
#[test]
fn names_in_chinese_japanese_and_korean_are_drawn_or_a_notice_explains() {
    for (name, language) in [("左手", "Chinese"), ("ひだりて", "Japanese"), ("왼손", "Korean")] {
        for is_installed in [true, false] {
            let fonts = if is_installed { SystemFonts::default() } else { SystemFonts::with(Installed::none()) };
            let mut harness = window_of(Vec2::new(1440.0, 1100.0), with_hand_named(name), fonts);
            let has_glyphs = |harness: &Harness<Window>| {
                let families =
                    [FontId::proportional(12.5), FontId::monospace(11.5), FontId::new(12.0, theme::semibold())];
                families.map(|font| harness.ctx.fonts(|fonts| fonts.has_glyphs(&font, name)))
            };
            assert_eq!(has_glyphs(&harness), [false; 3], "no such character was shown, so no font is loaded");
            harness.state_mut().session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
            harness.run();
            harness.run();
            let notice = harness.state().session.window.notice.as_ref().map(|notice| notice.text.clone());
            // A machine without such a font shows the notice, which is not a failure. `tests/setup` installs such a
            // font.
            if is_installed && (std::env::var_os("KINESCOPE_CI").is_some() || notice.is_none()) {
                assert_eq!((has_glyphs(&harness), notice), ([true; 3], None), "{name}");
            } else {
                let notice = notice.unwrap();
                assert!(notice.contains(&format!("No installed font has {language} characters")), "{notice}");
            }
        }
    }
}

fn texts(harness: &Harness<Window>) -> Vec<String> {
    fn add(shape: &egui::Shape, found: &mut Vec<String>) {
        match shape {
            egui::Shape::Text(text) => found.push(text.galley.text().to_owned()),
            egui::Shape::Vec(shapes) => shapes.iter().for_each(|own| add(own, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    harness.output().shapes.iter().for_each(|clipped| add(&clipped.shape, &mut found));
    found
}

/// Outliner and inspector show the error of a lane at the drawn step, not at its last step.
#[test]
fn numbers_of_lanes_are_those_of_the_step_that_is_drawn() {
    let mut harness = desktop();
    harness.state_mut().session.apply(Action::Command(Command::Lab));
    harness.run();
    // The pane Lab would show the same numbers, so it is hidden.
    harness.state_mut().panes.layout.hide(Pane::Lab);
    let lanes = harness.state().session.world.lab().unwrap().lanes.len();
    for step in [1, 3] {
        for lane in 0..lanes {
            harness.state_mut().session.apply(Action::Chains(ChainAction::ShowLane(lane)));
            harness.state_mut().session.apply(Action::Steps(StepAction::Seek(Cursor { step, within: None })));
            harness.run();
            let session = &harness.state().session;
            let shown = texts(&harness);
            let length = |own: usize| session.world.character.length(session.chain_error(LayerId::Lane(own)).unwrap());
            for own in 0..lanes {
                assert!(shown.contains(&length(own)), "lane {own} with {lane} at {step}: no {}", length(own));
            }
            let recording = &session.world.solved.chain(LayerId::Lane(lane)).unwrap().recording;
            let end = session.world.character.length(recording.outcome.error);
            let is_other = (0..lanes).all(|own| length(own) != end);
            assert!(!is_other || !shown.contains(&end), "lane {lane} at {step}: {end} belongs to the last step");
            let count = shown.iter().filter(|text| **text == length(lane)).count();
            assert!(count >= 2, "lane {lane} at {step}: {count} × {}", length(lane));
            let share = session.chain_error(LayerId::Lane(lane)).unwrap() / recording.chain.length();
            assert!(shown.contains(&format!("{:.3} %", share * 100.0)), "lane {lane} at {step}");
        }
    }
}

/// At a step of grounding, before limbs are solved, the window shows the limbs' error at that step.
#[test]
fn errors_of_limbs_are_those_of_the_step_that_is_drawn() {
    let mut harness = window(Vec2::new(1440.0, 1600.0));
    harness.state_mut().session.start_scene(Scene::find("stairs").unwrap());
    let mut stack = harness.state().session.world.history.document().stack.clone();
    (stack.grounding.drive, stack.grounding.limbs.solver) = (Drive::Limbs, Solver::Ccd);
    harness.state_mut().session.edit_stack("grounding", None, stack);
    for _ in 0..90 {
        harness.state_mut().session.update(1.0 / 60.0);
    }
    harness.state_mut().session.apply(Action::Select(Selection::Layer(LayerId::Grounding)));
    harness.state_mut().session.apply(Action::Steps(StepAction::Seek(Cursor::default())));
    harness.run();
    let session = &harness.state().session;
    let run = session.world.solved.limbs().unwrap();
    let errors = LimbName::ALL.map(|limb| session.world.limb_error(limb).unwrap());
    let ends = LimbName::ALL.map(|limb| run.outcome(limb).unwrap().error);
    for (limb, error) in LimbName::ALL.into_iter().zip(errors) {
        let goal = &run.frame.limbs[limb.index()];
        let end = session.world.picture.pose.position(goal.bones[2]);
        assert_eq!(error, end.distance(goal.target), "{limb:?}");
        assert!(texts(&harness).contains(&session.world.character.length(error)), "{limb:?}");
    }
    let moved = errors.iter().zip(ends).map(|(error, end)| error - end).fold(0.0, f32::max);
    assert!(moved > 1e-3 * session.world.character.height, "{errors:?} and {ends:?}");
}

/// At a weight below 1, the lane solves for a point nearer than the target.
#[test]
fn the_distance_in_the_lab_is_that_of_the_target_at_any_weight() {
    let mut harness = desktop();
    harness.state_mut().session.apply(Action::Command(Command::Lab));
    let mut document = document(&harness);
    document.stack.chain_ik.lab.as_mut().unwrap().lanes[0].weight = 0.0;
    harness.state_mut().session.edit("weight", None, document);
    harness.run();
    harness.run();
    let share = |harness: &Harness<Window>| {
        let world = &harness.state().session.world;
        let chain = &world.solved.chain(LayerId::Lane(0)).unwrap().recording;
        let root = chain.solve.start.positions[0];
        assert!(chain.targets[0].distance(chain.goals[0].position) > 0.1 * chain.chain.length());
        (world.lab().unwrap().targets[0] - root) / chain.chain.length()
    };
    let before = share(&harness);
    let shown = format!("{:.3}", before.length());
    assert!(texts(&harness).contains(&shown), "no {shown}");
    click(&mut harness, "Set distance");
    click(&mut harness, "0.5");
    let after = share(&harness);
    assert!((after - before.normalize() * 0.5).length() < 1e-4, "{before} {after}");
}

/// The reason of a stop often has a colon, so no label with a colon precedes it.
#[test]
fn the_tooltip_of_a_lane_states_why_its_solve_stopped() {
    let mut harness = desktop();
    harness.state_mut().session.apply(Action::Command(Command::Lab));
    harness.run();
    harness.get_by_label("lane FABRIK").hover();
    (0..60).for_each(|_| {
        harness.run();
    });
    let lab = &harness.state().session.world.solved;
    let reason = lab.chain(LayerId::Lane(2)).unwrap().recording.outcome.stopped_by.sentence();
    let reason = kinescope::ui::words::capital(reason);
    let help = texts(&harness).into_iter().find(|text| text.contains(&reason)).expect(&reason);
    assert!(help.lines().any(|line| line == reason), "{help}");
}

#[test]
fn limbs_solved_by_the_closed_form_show_their_errors() {
    let mut harness = window(Vec2::new(1440.0, 1600.0));
    harness.state_mut().session.start_scene(Scene::find("stairs").unwrap());
    let mut stack = harness.state().session.world.history.document().stack.clone();
    (stack.grounding.drive, stack.grounding.limbs.solver) = (Drive::Limbs, Solver::TwoBone);
    harness.state_mut().session.edit_stack("grounding", None, stack);
    harness.state_mut().session.apply(Action::Select(Selection::Layer(LayerId::Grounding)));
    (0..30).for_each(|_| {
        harness.state_mut().session.update(1.0 / 60.0);
    });
    harness.run();
    let shown = texts(&harness);
    let session = &harness.state().session;
    for limb in LimbName::ALL {
        let name = kinescope::ui::words::capital(limb.label());
        let error = session.world.character.length(session.world.limb_error(limb).unwrap());
        assert!(shown.contains(&name) && shown.contains(&error), "{name}, {error}");
    }
}

/// A trace's constants, moves and writing differ, but none of its nodes.
#[test]
fn constants_moves_and_writing_of_a_port_are_listed_and_the_first_is_named() {
    let mut harness = window(Vec2::new(1440.0, 2600.0));
    let session = &mut harness.state_mut().session;
    session.start_scene(Scene::find("reach and brace").unwrap());
    session.update(1.0 / 60.0);
    let rig = kinescope::session::rig_of(&session.world.character, &session.world.picture.animated.bones).unwrap();
    let mut trace = Trace::whole("mannequin", rig, *session.world.settings()).unwrap();
    let name = trace.more.constants.keys().next().unwrap().clone();
    trace.more.constants.get_mut(&name).unwrap()[0] += 1.0;
    let stage = trace.more.moves.iter().position(|moves| !moves.is_empty()).unwrap();
    trace.more.moves[stage][0].to.y += 0.5;
    let (part, bones) = trace.writes.iter_mut().find(|(_, bones)| !bones.is_empty()).unwrap();
    let part = kinescope_ik::key::label(part.key());
    bones.values_mut().next().unwrap().position.y += 0.5;
    let path = temporary("port-constants.json");
    std::fs::write(&path, trace.to_json()).unwrap();
    session.apply(Action::OpenAny(path));
    let notice = session.window.notice.clone().unwrap().text;
    assert!(notice.ends_with(&format!(": Constant {name} differs")), "{notice}");
    harness.state_mut().panes.layout.show(Pane::Compare);
    harness.run();
    harness.run();
    let shown = texts(&harness);
    let has = |start: &str| shown.iter().any(|text| text.starts_with(start));
    assert!(has(&format!("First difference: Constant {name} differs")), "{shown:?}");
    assert!(has("Differing constants") && has(&format!("{name}: ")));
    assert!(has("Differing moves") && shown.iter().any(|text| text.contains(": move 1, ")), "{shown:?}");
    assert!(has("Writing") && has(&format!("Write {part}")), "{shown:?}");
}

/// The bones of a trace have given roles, so nothing in the rig doctor offers to change them.
#[test]
fn the_rig_doctor_offers_no_change_of_given_roles() {
    let mut harness = desktop();
    let session = &mut harness.state_mut().session;
    let rig = kinescope::session::rig_of(&session.world.character, &session.world.picture.animated.bones).unwrap();
    let trace = Trace::solve("mannequin", rig, *session.world.settings()).unwrap();
    let path = temporary("port-roles.json");
    std::fs::write(&path, trace.to_json()).unwrap();
    session.apply(Action::OpenAny(path));
    session.apply(Action::Command(Command::RigDoctor));
    harness.run();
    harness.run();
    assert!(harness.query_by_label("left hand bone").is_none());
    assert!(texts(&harness).contains(&"left_hand".to_owned()), "the bone is still named");
    harness.get_by_label("right foot").click();
    harness.run();
    let session = &mut harness.state_mut().session;
    session.window.doctor.bone = session.world.character.model.skeleton.find("right_calf");
    let mut labels = Vec::new();
    let area = session.look.viewport;
    let rect = Rect::from_min_size(pos2(area.min.x, area.min.y), egui::vec2(area.size.x, area.size.y));
    let context = egui::Context::default();
    context.set_fonts(theme::fonts());
    (0..2).for_each(|_| {
        let input = egui::RawInput { screen_rect: Some(rect), ..Default::default() };
        let _ = context.run(input, |context| labels = paint::paint(context, session, rect));
    });
    let label = labels.iter().find(|label| label.text.contains("right_calf")).expect("the bone has a label");
    assert!(!label.text.contains("lick"), "{}", label.text);
}

/// The label before joined buttons used to be four pixels higher than the buttons' texts.
#[test]
fn a_label_is_as_high_as_the_buttons_beside_it() {
    let middles = |harness: &Harness<Window>, text: &str| -> Vec<f32> {
        let found = drawn_texts(harness).into_iter().filter(|drawn| drawn.text.eq_ignore_ascii_case(text));
        found.map(|drawn| drawn.rect.center().y).collect()
    };
    type Row<'a> = (&'a str, &'a [Command], &'a [[&'a str; 2]]);
    let rows: [Row; 3] = [
        ("recoil", &[], &[["steps", "during IK"]]),
        ("stairs", &[Command::ShowMotion], &[["movement", "along a path"]]),
        (
            "stand",
            &[Command::Plots, Command::KeepAsB],
            &[["constraint strain", "over frames"], ["Swap A and B", "side by side"]],
        ),
    ];
    for (scene, commands, pairs) in rows {
        let mut harness = window(Vec2::new(1440.0, 900.0));
        harness.state_mut().session.start_scene(Scene::find(scene).unwrap());
        harness.state_mut().session.update(1.0 / 60.0);
        commands.iter().for_each(|&command| run(&mut harness, command));
        harness.run();
        for [label, button] in pairs {
            let [labels, buttons] = [label, button].map(|text| middles(&harness, text));
            let is_as_high = labels.iter().any(|label| buttons.iter().any(|button| (label - button).abs() <= 1.0));
            assert!(is_as_high, "{scene}: {label} at {labels:?}, {button} at {buttons:?}");
        }
    }
}

#[test]
fn no_pane_uses_words_that_the_style_guide_replaces() {
    const REPLACED: [&str; 6] = ["to go", "came to", "mm over", "beside", "before read", "after write"];
    for scene in SCENES {
        let mut harness = window(Vec2::new(1440.0, 1200.0));
        let session = &mut harness.state_mut().session;
        session.start_scene(scene);
        for _ in 0..3 {
            session.update(1.0 / 60.0);
        }
        session.apply(Action::Command(Command::Plots));
        session.apply(Action::Command(Command::PlayPause));
        harness.run();
        harness.run();
        for layer in harness.state().session.world.stack().layers() {
            select(&mut harness, Selection::of_layer(layer));
            for drawn in drawn_texts(&harness) {
                let ends = |rest: &str| !rest.starts_with(|next: char| next.is_alphabetic());
                let has = |words: &str| drawn.text.split(words).skip(1).any(ends);
                let replaced = REPLACED.iter().find(|words| has(words));
                assert_eq!(replaced, None, "{}, {layer:?}: {:?}", scene.name, drawn.text);
            }
        }
    }
}

/// The menu bar used to show one frame for a recording of many.
#[test]
fn the_menu_bar_counts_the_frames_of_a_game() {
    let folder = Folder::new("frames of a game");
    let path = folder.write("game.jsonl", recording(&played(33, 33)));
    let mut harness = window(Vec2::new(1440.0, 900.0));
    harness.state_mut().session.update(1.0 / 60.0);
    harness.run();
    let counter = |harness: &Harness<Window>| {
        let all: Vec<String> = drawn_texts(harness).into_iter().map(|drawn| drawn.text).collect();
        let at = all.iter().position(|text| text == "frames" || text == "frame").unwrap();
        [all[at + 2].clone(), all[at + 1].clone(), all[at].clone()].join(" ")
    };
    let own = harness.state().session.tools.debugger.tape.len();
    assert_eq!(counter(&harness), format!("Recorded {own} frame{}", if own == 1 { "" } else { "s" }));
    let session = &mut harness.state_mut().session;
    session.apply(Action::OpenAny(path.into()));
    session.wait_for_opening(PATIENCE);
    harness.run();
    harness.run();
    assert_eq!(counter(&harness), "Game sent 33 frames");
}

#[test]
fn the_question_about_missing_clips_is_answered_by_mouse() {
    let mut file = Glb::read(BYTES);
    file.root.as_object_mut().unwrap().remove("animations");
    let folder = Folder::new("no clips to click on");
    let path = folder.write("still.glb", file.write());
    for (answer, model, scene) in [
        ("Use the mannequin", "mannequin", "stairs"),
        ("Start without", "still.glb", "stairs"),
        ("Cancel", "still.glb", "stand"),
    ] {
        let character = Character::load(path.as_ref()).unwrap();
        let mut harness = window_of(Vec2::new(1280.0, 800.0), character, SystemFonts::default());
        harness.state_mut().session.apply(Action::Scene("stairs"));
        harness.run();
        harness.run();
        let text = "The scene «stairs» plays the clip \"walk\". still.glb has no clips.";
        assert!(
            harness.query_by_label(text).is_some(),
            "{:?}",
            drawn_texts(&harness).last().map(|last| last.text.clone())
        );
        harness.get_by_label(answer).click();
        harness.run();
        harness.run();
        let session = &harness.state().session;
        let found = (session.world.character.model.name.as_str(), session.started_scene.scene.map(|scene| scene.name));
        assert_eq!(found, (model, Some(scene)), "{answer}");
        assert_eq!(session.window.dialog, None, "{answer}");
    }
}
