//! The panes without a window: what is clicked comes out as an action.
#![cfg(feature = "app")]

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::accesskit::Role;
use egui_macroquad::egui::{Key, Vec2};

use kinescope::app::character::Character;
use kinescope::app::commands::Command;
use kinescope::app::debugger::CompareStyle;
use kinescope::app::layout::Pane;
use kinescope::app::panels::{self, Panes};
use kinescope::app::scenes::Scene;
use kinescope::app::session::{Action, Dialog, MeshStyle, Selection, Session};
use kinescope::app::theme::{self, Theme};
use kinescope::app::timeline::Cursor;
use kinescope::debugger::formula::formula;
use kinescope::full_body::Effector;
use kinescope::rig::LimbName;

struct Window {
    session: Session,
    panes: Panes,
    ready: bool,
}

fn window(size: Vec2) -> Harness<'static, Window> {
    let session = Session::new(Character::built_in().unwrap());
    let state = Window { session, panes: Panes::default(), ready: false };
    let mut harness = Harness::builder().with_size(size).build_state(
        |ctx, window: &mut Window| {
            if !std::mem::replace(&mut window.ready, true) {
                // Fonts are there from the next frame on.
                ctx.set_fonts(theme::fonts());
                Theme::of(false).apply(ctx);
                return;
            }
            let mut actions = Vec::new();
            panels::show(ctx, &window.session, &mut window.panes, &mut actions);
            for action in actions {
                window.session.apply(action);
            }
            for request in std::mem::take(&mut window.session.requests) {
                window.panes.handle(request);
            }
            window.session.update(0.0);
        },
        state,
    );
    harness.run();
    harness
}

fn desktop() -> Harness<'static, Window> {
    window(Vec2::new(1440.0, 1100.0))
}

#[test]
fn a_row_of_the_outliner_selects() {
    let mut harness = desktop();
    harness.get_by_role_and_label(Role::Button, "left hand").click();
    harness.run();
    assert_eq!(harness.state().session.selection, Selection::Effector(Effector::LeftHand));
    harness.get_by_role_and_label(Role::Button, "right leg").click();
    harness.run();
    assert_eq!(harness.state().session.selection.limb(), Some(LimbName::RightLeg));
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
    let pull = harness.state().session.settings().chain(LimbName::LeftArm).pull;
    assert!((pull - 0.95).abs() < 1e-4, "{pull}");
    assert!(harness.state().session.history.is_unsaved());
    harness.state_mut().session.apply(Action::Command(Command::Undo));
    assert!(harness.state().session.settings().chain(LimbName::LeftArm).pull > pull);
}

#[test]
fn every_parameter_has_a_slider() {
    use kinescope::full_body::settings::{CHAIN_PARAMETERS, EFFECTOR_PARAMETERS, SOLVER_PARAMETERS};
    let mut harness = window(Vec2::new(1440.0, 1500.0));
    harness.get_by_role_and_label(Role::Button, "left hand").click();
    harness.run();
    let keys = SOLVER_PARAMETERS.iter().map(|parameter| parameter.key);
    let keys = keys.chain(CHAIN_PARAMETERS.iter().map(|parameter| parameter.key));
    for key in keys.chain(EFFECTOR_PARAMETERS.iter().map(|parameter| parameter.key)) {
        harness.get_by_role_and_label(Role::Slider, &key.replace('_', " "));
    }
}

#[test]
fn the_timeline_seeks() {
    let mut harness = desktop();
    harness.state_mut().session.apply(Action::Command(Command::NextStage));
    harness.run();
    harness.get_by_label("step 6 stage1").click();
    harness.run();
    let session = &harness.state().session;
    assert!(session.paused);
    assert_eq!(session.cursor.step, 6);
    harness.get_by_label("move 2").click();
    harness.run();
    assert_eq!(harness.state().session.cursor.within, Some(2));
}

#[test]
fn transport_buttons_are_the_commands() {
    let mut harness = desktop();
    harness.get_by_label("Play or pause").click();
    harness.run();
    assert!(harness.state().session.paused);
    harness.get_by_label("First step").click();
    harness.run();
    harness.get_by_label("Next stage").click();
    harness.run();
    assert_eq!(harness.state().session.cursor.step, 1);
    harness.get_by_label("Live").click();
    harness.run();
    assert!(harness.state().session.is_live());
}

/// Paused in the middle of a solve with something to see.
fn paused() -> Harness<'static, Window> {
    let mut harness = window(Vec2::new(1600.0, 1700.0));
    let session = &mut harness.state_mut().session;
    session.start_scene(Scene::find("reach and brace").unwrap());
    session.update(1.0 / 60.0);
    session.apply(Action::Select(Selection::Effector(Effector::LeftShoulder)));
    session.apply(Action::Seek(Cursor { step: 8, within: None }));
    harness.run();
    harness
}

#[test]
fn a_row_of_the_attribution_goes_to_its_move() {
    let mut harness = paused();
    let row = harness.state().session.debugger.attribution.table.rows[0];
    harness.get_by_label(&format!("attribution {}", row.group.label())).click();
    harness.run();
    let session = &harness.state().session;
    let (step, index) = row.largest.unwrap();
    assert_eq!(session.cursor, Cursor { step, within: Some(index) });
    // The formula is of that move now.
    let title = formula(&session.recording, step, index).unwrap().title;
    harness.get_by_label(&title);
}

#[test]
fn every_pane_opens_closes_and_says_something() {
    let mut harness = paused();
    let panes = [
        (Command::Plots, Pane::Plots, "effector error"),
        (Command::ShowCompare, Pane::Compare, "Keep settings as B"),
        (Command::ShowSweep, Pane::Sweep, "Run sweep"),
        (Command::ShowFinder, Pane::Finder, "Find pops"),
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
    let mut settings = *harness.state().session.settings();
    settings.chain_mut(LimbName::LeftArm).pull = 0.5;
    let edit = Action::Edit { label: "pull".into(), gesture: None, settings: Box::new(settings) };
    harness.state_mut().session.apply(Action::Command(Command::Live));
    harness.state_mut().session.apply(edit);
    harness.run();
    harness.run();
    harness.get_by_label("Take B's value for A. chains.left_arm.pull").click();
    harness.run();
    assert_eq!(harness.state().session.settings().chain(LimbName::LeftArm).pull, 1.0);
    harness.get_by_label("side by side").click();
    harness.run();
    let style = harness.state().session.debugger.compare.as_ref().unwrap().style;
    assert_eq!(style, CompareStyle::SideBySide);
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
    harness.get_by_label("knee or elbow flips").click();
    harness.run();
    assert!(harness.state().session.debugger.breaks.flip);
    harness.get_by_role_and_label(Role::Button, "Find pops").click();
    harness.run();
    harness.run();
    let pop = harness.state().session.debugger.pops.as_ref().unwrap()[0];
    let row = format!("{} {:.1}° frame {}", pop.joint.label(), pop.size, pop.number);
    harness.get_by_label(&row).click();
    harness.run();
    let session = &harness.state().session;
    assert!(session.paused && session.frame == pop.number);
}

#[test]
fn the_keyboard_reaches_every_pane() {
    let mut harness = paused();
    let mut reached = std::collections::HashSet::new();
    for _ in 0..3 {
        harness.state_mut().session.apply(Action::Command(Command::NextPane));
        harness.run();
        harness.run();
        // From the pane's edge Tab goes from control to control.
        for _ in 0..4 {
            harness.press_key(Key::Tab);
            harness.run();
            reached.extend(harness.ctx.memory(|memory| memory.focused()));
        }
    }
    assert!(reached.len() >= 10, "only {} controls were reached", reached.len());
}

#[test]
fn styles_and_layers_switch() {
    let mut harness = desktop();
    harness.get_by_label("x-ray").click();
    harness.run();
    assert_eq!(harness.state().session.view.mesh, MeshStyle::Xray);
    harness.get_by_label("torso planes").click();
    harness.run();
    assert!(!harness.state().session.view.torso_planes);
}

#[test]
fn dialogs_open_and_unsaved_changes_ask() {
    let mut harness = desktop();
    for dialog in [Command::Keys, Command::Palette, Command::RigDoctor] {
        harness.state_mut().session.apply(Action::Command(dialog));
        harness.run();
        harness.press_key(Key::Escape);
        harness.run();
        assert_eq!(harness.state().session.dialog, None, "{dialog:?}");
    }
    harness.get_by_role_and_label(Role::Button, "left arm").click();
    harness.run();
    harness.get_by_role_and_label(Role::Slider, "push").focus();
    harness.run();
    harness.press_key(Key::ArrowRight);
    harness.run();
    harness.state_mut().session.apply(Action::Command(Command::Quit));
    harness.run();
    assert!(matches!(harness.state().session.dialog, Some(Dialog::Unsaved(_))));
    harness.get_by_label("Cancel").click();
    harness.run();
    assert!(!harness.state().session.quit);
    harness.state_mut().session.apply(Action::Command(Command::Quit));
    harness.run();
    harness.get_by_label("Discard").click();
    harness.run();
    assert!(harness.state().session.quit);
}

#[test]
fn a_small_window_still_shows_its_panes() {
    let mut harness = window(Vec2::new(900.0, 600.0));
    harness.state_mut().session.apply(Action::Command(Command::FirstStep));
    harness.run();
    harness.get_by_label("Next stage").click();
    harness.run();
    assert_eq!(harness.state().session.cursor.step, 1);
}

#[test]
fn the_lab_is_opened_its_lanes_chosen_and_their_solver_changed() {
    let mut harness = desktop();
    harness.state_mut().session.apply(Action::Command(Command::Lab));
    harness.run();
    assert!(harness.state().panes.layout.is_shown(Pane::Lab));
    harness.get_by_label("lane FABRIK").click();
    harness.run();
    assert_eq!(harness.state().session.chains.lane, 1);
    // Its steps are in the strip, by their names.
    assert!(harness.query_by_label("step 1 forward_reach").is_some());
    harness.state_mut().panes.layout.show(Pane::Inspector);
    harness.run();
    harness.get_by_role_and_label(Role::Button, "CCD growing").click();
    harness.run();
    let lab = harness.state().session.lab().unwrap();
    assert_eq!(lab.lanes[1].solver, kinescope::chain_ik::Solver::CcdGrowing);
    assert!(harness.query_by_label("step 1 ccd_pass").is_some());
    harness.get_by_role_and_label(Role::Button, "hinge").click();
    harness.run();
    let limits = &harness.state().session.lab().unwrap().limits;
    assert!(matches!(limits[0], kinescope::chain_ik::Limit::Hinge { .. }), "{limits:?}");
    harness.state_mut().session.apply(Action::Command(Command::Undo));
    harness.run();
    assert!(harness.state().session.lab().unwrap().limits.is_empty());
}

#[test]
fn the_order_of_solving_is_in_the_outliner() {
    let mut harness = desktop();
    harness.state_mut().session.start_scene(Scene::find("chain on top").unwrap());
    harness.run();
    harness.get_by_label("solve 1 full body").click();
    harness.run();
    assert_eq!(harness.state().session.chain_focus(), None);
    assert!(harness.query_by_label("step 1 end_effectors").is_some());
    harness.get_by_label("solve 2 spine").click();
    harness.run();
    assert!(harness.state().session.chain_focus().is_some());
    assert!(harness.query_by_label("step 1 end_effectors").is_none());
}
