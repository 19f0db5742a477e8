//! Tests of the lessons. Reference actions meet every condition, doing nothing meets none, and links lead to places
//! that exist.

use std::collections::BTreeSet;

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_macroquad::egui::accesskit::Role;
use egui_macroquad::egui::{Event, Id, Vec2, pos2};

use kinescope::scenes::Scene;
use kinescope::session::commands::Command;
use kinescope::session::{Action, Pane, Selection, Session};
use kinescope::tools::learn::condition::Condition;
use kinescope::tools::learn::control::Control;
use kinescope::tools::learn::glossary::{Term, marked, plain};
use kinescope::tools::learn::lessons::LESSONS;
use kinescope::tools::learn::lessons::glossary::TERMS;
use kinescope::tools::learn::links::{lesson_of_parameter, lesson_of_step, linked};
use kinescope::tools::learn::session::LearnAction;
use kinescope::tools::learn::{Lesson, Look, Step};
use kinescope::tools::steps::session::StepAction;
use kinescope::ui::highlight;
use kinescope_ik::full_body::Stage;
use kinescope_ik::stack::parameters::ParameterId;
use kinescope_ik::stack::{LayerId, Stack};
use kinescope_ik::stepped::run::Cursor;

use crate::book_pages::root;
use crate::common::session::biped;
use crate::harness::{Window, run, texts, window};

const FRAME: f32 = 1.0 / 60.0;

fn act(session: &mut Session, action: LearnAction) {
    session.apply(Action::Learn(action));
    settle(session);
}

/// Advances until the step has shown its instant and every reference action has run.
fn settle(session: &mut Session) {
    for _ in 0..600 {
        session.update(FRAME);
        assert_eq!(session.window.dialog, None, "a lesson asks nothing about its own scene");
        if !session.tools.learn.is_busy() {
            // Two more frames solve and measure the last action.
            session.update(FRAME);
            session.update(FRAME);
            return;
        }
    }
    panic!("the step is still busy");
}

fn describe(session: &Session, condition: &Condition) -> String {
    let (world, time) = (&session.world, &session.world.time);
    let gaps: Vec<String> =
        world.solved.gaps(&world.solved.pose).iter().map(|gap| format!("{} {:.4}", gap.key, gap.distance)).collect();
    let run = session.shown_run();
    let step = run.filter(|run| time.cursor.step < run.steps()).map(|run| run.step(time.cursor.step).key);
    let measures = run.map(|run| {
        let named = run.measures().into_iter().enumerate();
        named.map(|(index, view)| format!("{} {:.4}", view.key, run.measure(index, time.cursor))).collect::<Vec<_>>()
    });
    format!("{condition:?}\n{:?} {:?} {step:?}\ngaps {gaps:?}\n{measures:?}", session.focus(), time.now)
}

fn assert_shown(session: &Session, lesson: &Lesson, step: usize) {
    let name = format!("{} {}", lesson.key, step + 1);
    assert_eq!(session.started_scene.scene.unwrap().name, lesson.scene_of(step), "{name}");
    match lesson.steps[step].look {
        Look::Keep => {}
        Look::Live => assert!(session.world.is_live(), "{name}"),
        Look::At(place) => {
            assert!(Condition::At(place).is_met(session), "{name}: {}", describe(session, &Condition::At(place)));
        }
    }
}

#[test]
fn reference_actions_meet_every_condition_in_order() {
    let mut wrong = Vec::new();
    let mut session = Session::new(biped());
    for (index, lesson) in LESSONS.iter().enumerate() {
        act(&mut session, LearnAction::Open(index));
        for (at, step) in lesson.steps.iter().enumerate() {
            act(&mut session, LearnAction::Step(at));
            assert_shown(&session, lesson, at);
            let Some(task) = step.task else { continue };
            let name = format!("{} {}", lesson.key, at + 1);
            if session.tools.learn.is_met {
                wrong.push(format!("{name} is met before its actions: {}", describe(&session, &task.condition)));
            }
            act(&mut session, LearnAction::ShowMe);
            if !session.tools.learn.is_met {
                wrong.push(format!("{name} is not met: {}", describe(&session, &task.condition)));
            }
        }
        if wrong.is_empty() {
            assert_eq!(session.tools.learn.progress.count(lesson), lesson.tasks(), "{}", lesson.key);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Two seconds without user input meet no condition, even if the reader skips the earlier tasks.
#[test]
fn doing_nothing_meets_no_condition() {
    let mut wrong = Vec::new();
    for (index, lesson) in LESSONS.iter().enumerate() {
        let mut session = Session::new(biped());
        act(&mut session, LearnAction::Open(index));
        for (at, step) in lesson.steps.iter().enumerate() {
            let Some(task) = step.task else { continue };
            act(&mut session, LearnAction::Step(at));
            for _ in 0..30 {
                session.update(4.0 * FRAME);
            }
            if session.tools.learn.is_met || task.condition.is_met(&session) {
                wrong.push(format!("{} {}: {}", lesson.key, at + 1, describe(&session, &task.condition)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn lessons_are_short_and_name_what_exists() {
    let sentences = |text: &str| text.matches(". ").count() + 1;
    let mut keys = BTreeSet::new();
    for lesson in LESSONS {
        assert!(keys.insert(lesson.key), "{}", lesson.key);
        assert!((5..=10).contains(&lesson.steps.len()), "{} has {} steps", lesson.key, lesson.steps.len());
        assert!(lesson.tasks() >= 2, "{}", lesson.key);
        let page = std::fs::read_to_string(root().join("docs").join(lesson.page)).unwrap();
        assert!(page.contains(&format!("[{}](../learn.md#", lesson.title)), "{} links to its lesson", lesson.page);
        assert!(lesson.about.ends_with('.'), "{}", lesson.key);
        for (at, step) in lesson.steps.iter().enumerate() {
            let name = format!("{} {}", lesson.key, at + 1);
            assert!(Scene::find(lesson.scene_of(at)).is_some(), "{name}: {}", lesson.scene_of(at));
            assert!((1..=4).contains(&sentences(step.text)) && step.text.len() < 330, "{name}: {}", step.text);
            for path in step.controls {
                assert!(ParameterId::from_path(path).is_some(), "{name}: {path}");
            }
            if let Some(task) = step.task {
                assert!(!task.actions.is_empty() && task.hint.ends_with('.') && task.text.ends_with('.'), "{name}");
            }
        }
    }
    assert!((14..=20).contains(&LESSONS.len()));
}

#[test]
fn a_lesson_is_found_by_key_or_title_with_or_without_a_step() {
    for (index, lesson) in LESSONS.iter().enumerate() {
        assert_eq!(Lesson::named(lesson.key), Some((index, None)));
        assert_eq!(Lesson::named(&lesson.title.to_uppercase()), Some((index, None)));
        let last = lesson.steps.len();
        assert_eq!(Lesson::named(&format!("{}:{last}", lesson.key)), Some((index, Some(last - 1))));
        assert_eq!(Lesson::named(&format!("{}:{}", lesson.key, last + 1)), None);
    }
    for wrong in ["", ":", ":1", "stage2:", "stage2:0", "stage2:-1", "stage", "nothing:1"] {
        assert_eq!(Lesson::named(wrong), None, "{wrong}");
    }
}

#[test]
fn every_marked_term_has_a_definition_and_every_term_is_used() {
    let mut used = BTreeSet::new();
    for step in LESSONS.iter().flat_map(|lesson| lesson.steps) {
        for name in marked(step.text).into_iter().chain(step.task.iter().flat_map(|task| marked(task.text))) {
            let name = Term::find(name).map(|term| term.name);
            used.insert(name.unwrap_or_else(|| panic!("no term: {}", step.text)));
        }
        assert!(!plain(step.text).contains(['[', ']', '|']) || step.text.contains("|v|"), "{}", plain(step.text));
    }
    let unused: Vec<&str> = TERMS.iter().map(|term| term.name).filter(|name| !used.contains(name)).collect();
    assert!(unused.is_empty(), "{unused:?}");
    let names: Vec<String> = TERMS.iter().map(|term| term.name.to_lowercase()).collect();
    assert!(names.is_sorted(), "{names:?}");
}

#[test]
fn every_stage_and_parameter_leads_to_its_lesson() {
    for lesson in linked() {
        assert!(Lesson::find(lesson).is_some(), "{lesson}");
    }
    for stage in Stage::ALL {
        assert!(lesson_of_step(LayerId::FullBody, stage.key()).is_some(), "{}", stage.key());
    }
    let session = Session::new(biped());
    let run = session.world.solved.run(LayerId::FullBody).unwrap();
    for step in 0..run.steps() {
        let key = run.step(step).key;
        assert!(lesson_of_step(LayerId::FullBody, key).is_some(), "{key}");
    }
    assert_eq!(lesson_of_step(LayerId::Lane(0), "ccd_pass").unwrap().key, "ccd");
    // These layers have no lesson.
    const WITHOUT: [&str; 4] = ["trackers", "least_squares", "position_based", "rotations_only"];
    let has_lesson = |parameter: &ParameterId| {
        let path = parameter.path();
        !WITHOUT.iter().any(|layer| path.starts_with(&format!("stack.{layer}.")))
    };
    for parameter in ParameterId::all(&Stack::default()).filter(has_lesson) {
        assert!(lesson_of_parameter(&parameter.path()).is_some(), "{}", parameter.path());
    }
    assert_eq!(lesson_of_parameter("chains.left_arm.pull").unwrap().key, "pull");
    assert_eq!(lesson_of_parameter("chains.left_arm.push_parent").unwrap().key, "push");
    assert_eq!(lesson_of_parameter("solver.pull_body_vertical").unwrap().key, "pull");
}

#[test]
fn a_term_under_the_pointer_shows_its_definition() {
    let mut harness = window(Vec2::new(1440.0, 900.0));
    run(&mut harness, Command::Learn);
    harness.state_mut().session.apply(Action::Learn(LearnAction::Open(0)));
    harness.run_steps(6);
    let text = plain(LESSONS[0].steps[0].text);
    let place = harness.get_by_label(&text).raw_bounds().unwrap();
    let definition = Term::find("target").unwrap().definition;
    let mut found = Vec::new();
    // The first line has the term.
    for step in 0..24 {
        let at = pos2(place.x0 as f32 + 14.0 * step as f32, place.y0 as f32 + 9.0);
        harness.input_mut().events.push(Event::PointerMoved(at));
        harness.run_steps(8);
        found.push(texts(&harness).iter().any(|drawn| drawn.text.ends_with(definition)));
    }
    assert!(found.contains(&true) && !found[0], "{found:?}");
}

fn open(harness: &mut Harness<Window>, lesson: usize, step: usize) {
    harness.state_mut().session.apply(Action::ShowPane(Pane::Learn));
    harness.state_mut().session.apply(Action::Learn(LearnAction::OpenAt(lesson, step)));
    for _ in 0..60 {
        harness.run_steps(2);
        if !harness.state().session.tools.learn.is_busy() {
            harness.run_steps(4);
            return;
        }
    }
    panic!("step {} of {} is still busy", step + 1, LESSONS[lesson].key);
}

/// Returns the control's id. For a move, shows the move's step first.
fn id_of(harness: &mut Harness<Window>, control: Control, name: &str) -> Id {
    if let Control::Move(place) = control {
        let session = &mut harness.state_mut().session;
        let cursor = place.cursor(session).expect(name);
        session.apply(Action::Steps(StepAction::Seek(Cursor { within: None, ..cursor })));
        harness.run_steps(4);
    }
    control.id(&harness.state().session).expect(name)
}

#[test]
fn every_highlighted_control_is_on_screen_or_one_button_away() {
    let (mut on_screen, mut away) = (0, 0);
    for size in [Vec2::new(1440.0, 900.0), Vec2::new(1280.0, 800.0), Vec2::new(1024.0, 640.0)] {
        let mut harness = window(size);
        run(&mut harness, Command::Learn);
        for (index, lesson) in LESSONS.iter().enumerate() {
            for (at, step) in lesson.steps.iter().enumerate() {
                for (row, &control) in step.highlights.iter().enumerate() {
                    let name = format!("{size} {} {}: {control:?}", lesson.key, at + 1);
                    open(&mut harness, index, at);
                    let id = id_of(&mut harness, control, &name);
                    if control.is_used(&harness.state().session) {
                        continue;
                    }
                    if highlight::is_on_screen(&harness.ctx, id) {
                        on_screen += 1;
                        continue;
                    }
                    away += 1;
                    let buttons: Vec<_> = harness.get_all_by_role_and_label(Role::Button, "Show").collect();
                    buttons[row].click();
                    harness.run_steps(12);
                    assert!(highlight::is_on_screen(&harness.ctx, id), "{name} is not drawn");
                }
            }
        }
    }
    assert!(on_screen > 60 && away > 8, "{on_screen} on screen, {away} shown by a button");
}

/// While a control is in a pane behind another pane, the tab of its pane is highlighted instead of the control.
#[test]
fn a_highlight_leads_through_a_tab_and_ends_with_the_task() {
    let mut harness = window(Vec2::new(1440.0, 900.0));
    run(&mut harness, Command::Learn);
    let (lesson, _) = Lesson::find("iterations").unwrap();
    let step = LESSONS[lesson].steps.len() - 1;
    open(&mut harness, lesson, step);
    let control = LESSONS[lesson].steps[step].highlights[0];
    let id = control.id(&harness.state().session).unwrap();
    let tab = kinescope::tools::learn::control::of_tab(Pane::Inspector);
    let rings = |harness: &Harness<Window>| [id, tab].map(|control| highlight::is_on_screen(&harness.ctx, control));
    assert_eq!(rings(&harness), [false, true]);
    harness.get_by_role_and_label(Role::Button, "Show").click();
    harness.run_steps(12);
    assert_eq!(rings(&harness), [true, false]);
    harness.state_mut().session.apply(Action::Learn(LearnAction::ShowMe));
    harness.run_steps(12);
    let session = &harness.state().session;
    assert!(session.tools.learn.is_met);
    let notice = session.window.notice.as_ref().map(|notice| notice.text.as_str());
    assert_eq!(notice, Some("The task is done. The tab Learn returns to the lesson"));
    assert_eq!(rings(&harness), [false, false]);
    // A scene that the user starts is not the lesson's, so nothing is highlighted in it.
    open(&mut harness, lesson, step);
    assert_eq!(rings(&harness), [false, true]);
    harness.state_mut().session.apply(Action::Scene("stand"));
    harness.run_steps(6);
    assert_eq!(rings(&harness), [false, false]);
}

#[test]
fn the_formula_is_that_of_a_node_that_the_step_marks() {
    let mut harness = window(Vec2::new(1440.0, 900.0));
    run(&mut harness, Command::Learn);
    let (lesson, _) = Lesson::find("reach").unwrap();
    open(&mut harness, lesson, 1);
    run(&mut harness, Command::NextStage);
    harness.run_steps(4);
    // The right foot moves further than the nodes of the left arm.
    let drawn = texts(&harness);
    let titles: Vec<&str> =
        drawn.iter().map(|drawn| drawn.text.as_str()).filter(|text| text.starts_with("reach, ")).collect();
    assert!(matches!(titles[..], ["reach, left arm: left hand" | "reach, left arm: left upper arm"]), "{titles:?}");
}

/// A row or button that has done its part is no longer highlighted, so that the next one stands out.
#[test]
fn highlights_follow_the_parts_of_a_task() {
    let mut harness = window(Vec2::new(1440.0, 900.0));
    run(&mut harness, Command::Learn);
    let rings = |harness: &Harness<Window>, step: &Step| -> Vec<bool> {
        let session = &harness.state().session;
        let ids = step.highlights.iter().map(|control| control.id(session));
        ids.map(|id| id.is_some_and(|id| highlight::is_on_screen(&harness.ctx, id))).collect()
    };
    let (lesson, own) = Lesson::find("pull").unwrap();
    open(&mut harness, lesson, 2);
    assert_eq!(rings(&harness, &own.steps[2]), [true, false], "the button before the step of the move is shown");
    run(&mut harness, Command::NextStage);
    harness.run_steps(4);
    assert_eq!(rings(&harness, &own.steps[2]), [false, true]);
    let (lesson, own) = Lesson::find("foot_ik").unwrap();
    open(&mut harness, lesson, 2);
    assert_eq!(rings(&harness, &own.steps[2]), [true, true]);
    harness.state_mut().session.apply(Action::Select(Selection::Layer(LayerId::FullBody)));
    harness.run_steps(4);
    assert_eq!(rings(&harness, &own.steps[2]), [false, true]);
}
