//! Chains in the session: the chain lab, chains of the character on top of the full body, limits, steps, chain files.

use glam::{Vec2, Vec3};
use kinescope_ik::chain_ik::draw::LimitPart;
use kinescope_ik::chain_ik::file::ChainFile;
use kinescope_ik::chain_ik::{Limit, Solver};
use kinescope_ik::preset::Preset;
use kinescope_ik::stack::{LabSection, LayerId};
use kinescope_ik::stepped::run::{Cursor, Run, Stride};

use crate::common::files::temporary;
use crate::common::session::{body, in_scene, session};
use kinescope::session::commands::Command;
use kinescope::session::{Action, Selection, Session};
use kinescope::tools::chains::session::ChainAction;
use kinescope::tools::chains::{ChainHandle, suggestions};
use kinescope::tools::pose::handles::HandleId;
use kinescope::tools::steps::session::StepAction;
use kinescope::world::document::Document;

fn lane(session: &Session, index: usize) -> &kinescope_ik::chain_ik::Recording {
    &session.world.solved.chain(LayerId::Lane(index)).unwrap().recording
}

fn chain(session: &Session, index: usize) -> &kinescope_ik::chain_ik::Recording {
    &session.world.solved.chain(LayerId::Chain(index)).unwrap().recording
}

fn problem(session: &Session) -> String {
    session.world.solved.layer(LayerId::Chain(0)).unwrap().problem().unwrap().to_owned()
}

#[test]
fn every_lane_of_every_lab_scene_is_solved() {
    for scene in ["chain lab", "nearly straight", "limits", "two bones", "branches"] {
        let mut session = in_scene(scene);
        for _ in 0..20 {
            session.update(1.0 / 60.0);
        }
        assert_eq!(session.world.solved.problem(), None, "{scene}");
        for (index, own) in session.world.lab().unwrap().lanes.iter().enumerate() {
            let (outcome, is_soft) = (lane(&session, index).outcome, own.soft_zone > 0.0);
            assert!(outcome.is_reached() || is_soft, "{scene}, lane {index}: {outcome:?}");
        }
    }
}

#[test]
fn the_lab_opens_with_plain_lanes_beside_the_others() {
    let scene = in_scene("chain lab");
    let mut opened = session();
    opened.apply(Action::Command(Command::Lab));
    opened.update(1.0 / 60.0);
    for session in [&scene, &opened] {
        let lanes = &session.world.lab().unwrap().lanes;
        let kinds: Vec<(Solver, bool)> = lanes.iter().map(|own| (own.solver, own.accelerate)).collect();
        let both = |solver| [(solver, true), (solver, false)];
        assert_eq!(kinds, [both(Solver::Ccd), both(Solver::Fabrik)].concat());
        let names: Vec<String> = lanes.iter().map(kinescope::ui::words::lane_name).collect();
        assert_eq!(names, ["CCD", "CCD, plain", "FABRIK", "FABRIK, plain"]);
    }
}

#[test]
fn straightening_needs_half_the_iterations_at_most() {
    let session = in_scene("nearly straight");
    let [plain, fast] = [0, 1].map(|index| lane(&session, index).outcome.iterations);
    assert!(2 * fast <= plain && plain > 20, "{fast} of {plain}");
}

#[test]
fn a_lane_is_stepped_like_the_full_body() {
    let mut session = in_scene("limits");
    session.apply(Action::Chains(ChainAction::ShowLane(1)));
    session.apply(Action::Command(Command::NextStage));
    assert!(session.world.time.is_paused());
    assert_eq!(session.world.time.cursor, Cursor::default());
    assert_eq!(session.focus(), LayerId::Lane(1));
    let count = session.shown_run().unwrap().steps();
    let mut seen = 0;
    loop {
        let before = session.world.time.cursor;
        session.apply(Action::Command(Command::NextMove));
        if session.world.time.cursor == before {
            break;
        }
        seen += 1;
        let own = session.chain_focus().unwrap();
        assert!(session.chain_state(own).unwrap().is_finite());
    }
    // The cursor was at the end of the first step, so only the moves of later steps count.
    let moves: usize = (1..count).map(|step| session.shown_run().unwrap().events(step)).sum();
    assert!(seen >= moves, "{seen} of {moves}");
    assert_eq!(session.world.time.cursor.step, count - 1);
    assert_eq!(session.world.time.cursor.previous(Stride::Iteration, session.shown_run().unwrap()).within, None);
    // At the first step, going back by a step or an iteration keeps the cursor, because the end of that step is later
    // than any event within it.
    let first = Cursor { step: 0, within: Some(1) };
    for stride in [Stride::Step, Stride::Iteration] {
        assert_eq!(first.previous(stride, session.shown_run().unwrap()), first);
    }
    session.apply(Action::Chains(ChainAction::ShowLane(0)));
    assert_eq!(session.world.time.cursor, session.end());
}

#[test]
fn frames_of_the_lab_are_restored_bit_for_bit() {
    let mut session = in_scene("chain lab");
    let mut seen = Vec::new();
    for _ in 0..40 {
        session.update(1.0 / 60.0);
        seen.push((session.world.time.frame, lane(&session, 0).clone(), lane(&session, 1).clone()));
    }
    for (frame, first, second) in seen.iter().rev().step_by(7) {
        session.apply(Action::Steps(StepAction::SeekFrame(*frame)));
        session.update(0.0);
        assert_eq!(lane(&session, 0).solve, first.solve);
        assert_eq!(lane(&session, 1).solve, second.solve);
    }
    let mut section = session.world.chain_section().clone();
    section.lab.as_mut().unwrap().lanes[0].max_iterations = 1;
    session.edit_chains("fewer iterations", None, section);
    session.update(0.0);
    assert_eq!(lane(&session, 0).outcome.iterations, 1);
    assert_eq!(
        lane(&session, 0).solve.start,
        seen.iter().find(|(frame, ..)| *frame == session.world.time.frame).unwrap().1.solve.start
    );
    session.apply(Action::Command(Command::Undo));
    session.update(0.0);
    assert!(lane(&session, 0).outcome.iterations >= 1);
}

#[test]
fn the_target_is_dragged_in_the_lane_that_is_selected() {
    let mut session = in_scene("limits");
    for index in [0, 1] {
        session.apply(Action::Chains(ChainAction::ShowLane(index)));
        let handles = session.handles();
        let target =
            handles.iter().find(|h| h.id == HandleId::Chain(LayerId::Lane(index), ChainHandle::Target(0))).unwrap();
        let at = target.screen;
        session.press(at);
        assert_eq!(session.interaction.selection, Selection::Layer(LayerId::Lane(index)));
        session.drag_to(at + Vec2::new(20.0, -30.0));
        session.release();
        session.update(0.0);
        let moved = session
            .handles()
            .into_iter()
            .find(|h| h.id == HandleId::Chain(LayerId::Lane(index), ChainHandle::Target(0)))
            .unwrap();
        assert!(moved.screen.distance(at + Vec2::new(20.0, -30.0)) < 0.5, "{:?} {at}", moved.screen);
    }
    assert_eq!(session.world.history.labels().0, Some("move the chain's target"));
    session.apply(Action::Command(Command::Undo));
    session.apply(Action::Command(Command::Undo));
    assert!(!session.world.history.is_unsaved());
}

#[test]
fn a_limit_is_dragged_by_its_end() {
    let mut session = in_scene("limits");
    session.apply(Action::Chains(ChainAction::ShowBone(1)));
    let id = HandleId::Chain(LayerId::Lane(0), ChainHandle::Limit { bone: 1, part: LimitPart::Max });
    let find = |session: &Session| session.handles().into_iter().find(|handle| handle.id == id).unwrap();
    let before = find(&session);
    session.press(before.screen);
    session.drag_to(before.screen + Vec2::new(-25.0, 0.0));
    session.release();
    session.update(0.0);
    let Limit::Hinge { min, max, .. } = session.world.lab().unwrap().limits[1] else { panic!("the joint is a hinge") };
    assert!((max - 0.2).abs() > 0.05 && min == -1.2, "{min} {max}");
    for index in 0..session.world.lab().unwrap().lanes.len() {
        let recording = lane(&session, index);
        assert!(recording.chain.violation(recording.solve.end()) < 5e-3);
    }
}

#[test]
fn chains_are_solved_on_top_of_the_full_body_in_their_order() {
    let mut session = in_scene("chain on top");
    let (_, spine) = suggestions(&session.world.character).into_iter().find(|(name, _)| name == "spine").unwrap();
    let skeleton = &session.world.character.model.skeleton;
    let head = skeleton.find(spine.last().unwrap()).unwrap();
    let target = session.world.chain_section().chains[0].target.unwrap();
    let outcome = chain(&session, 0).outcome;
    assert!(
        session.world.picture.pose.position(head).distance(target) < session.world.character.height * 2e-3,
        "{outcome:?}"
    );
    // The pelvis does not descend from the spine, so it keeps the full body's pose.
    let solved = session.world.picture.pose.clone();
    let mut section = session.world.chain_section().clone();
    section.chains[0].off = true;
    session.edit_chains("off", None, section.clone());
    session.update(0.0);
    let without = session.world.picture.pose.clone();
    let pelvis = session.world.character.detection.biped.as_ref().unwrap().pelvis;
    assert_eq!(without.bones[pelvis], solved.bones[pelvis]);
    assert!(without.position(head).distance(target) > session.world.character.height * 0.02);

    // A second chain takes the first one's output, so their order matters.
    section.chains[0].off = false;
    let (_, arm) = suggestions(&session.world.character).into_iter().find(|(name, _)| name == "right arm").unwrap();
    let [shoulder, hand] =
        [&arm[0], arm.last().unwrap()].map(|n| session.world.character.model.skeleton.find(n).unwrap());
    let mut second = section.chains[0].clone();
    (second.name, second.bones) = ("right arm".to_owned(), arm);
    let goal = session.world.picture.pose.position(shoulder).lerp(session.world.picture.pose.position(hand), 0.7)
        + Vec3::new(0.0, 0.0, 0.1);
    (second.target, second.limits) = (Some(goal), Vec::new());
    section.chains.push(second);
    session.edit_chains("an arm", None, section.clone());
    session.update(0.0);
    let outcome = chain(&session, 1).outcome;
    assert!(
        session.world.picture.pose.position(hand).distance(goal) < session.world.character.height * 2e-3,
        "{outcome:?}"
    );
    section.chains.swap(0, 1);
    session.edit_chains("the arm is solved first", None, section);
    session.update(0.0);
    // The spine, solved after the arm, moves the hand away from its goal.
    assert!(session.world.picture.pose.position(hand).distance(goal) > session.world.character.height * 5e-3);
    assert!(session.world.picture.pose.position(head).distance(target) < session.world.character.height * 2e-3);

    session.apply(Action::Select(Selection::Layer(LayerId::Chain(1))));
    session.apply(Action::Command(Command::FirstStep));
    assert!(session.world.picture.pose.position(head).distance(target) > session.world.character.height * 0.02);
    session.apply(Action::Command(Command::LastStep));
    assert!(session.world.picture.pose.position(head).distance(target) < session.world.character.height * 2e-3);
}

#[test]
fn a_chain_that_cannot_be_solved_reports_why_and_the_others_are_solved() {
    let mut session = in_scene("chain on top");
    let mut section = session.world.chain_section().clone();
    section.chains[0].bones[0] = "no such bone".to_owned();
    session.edit_chains("a wrong bone", None, section.clone());
    session.update(0.0);
    assert_eq!(problem(&session), "mannequin: has no bone \"no such bone\"; choose one of its bones");
    assert!(!body(&session).solve.steps.is_empty());
    section.chains[0].bones.clear();
    session.edit_chains("no bones", None, section.clone());
    session.update(0.0);
    assert!(problem(&session).contains("at least two bones"));
    section.chains[0].settings.weight = 7.0;
    session.edit_chains("a weight", None, section);
    assert!(session.window.notice.as_ref().unwrap().text.starts_with("chain_ik.chains[0].settings.weight: is 7"));
}

#[test]
fn the_lab_opens_on_any_scene_and_closes_again() {
    let mut session = in_scene("stand");
    session.apply(Action::Command(Command::Lab));
    assert!(session.world.lab().is_some() && session.chain_focus() == Some(LayerId::Lane(0)));
    assert!(session.handles().iter().all(|handle| matches!(handle.id, HandleId::Chain(..))));
    let lanes = session.world.lab().unwrap().lanes.clone();
    for pair in lanes.chunks(2) {
        assert_eq!((pair[0].solver, pair[0].accelerate, pair[1].accelerate), (pair[1].solver, true, false));
    }
    session.apply(Action::Chains(ChainAction::AddLane(LabSection::default().lanes[1])));
    session.update(0.0);
    assert_eq!(session.world.solved.layers.len(), 5);
    session.apply(Action::Chains(ChainAction::ShowLane(4)));
    session.apply(Action::Chains(ChainAction::RemoveLane(4)));
    session.update(0.0);
    assert_eq!((session.world.solved.layers.len(), session.tools.chains.lane), (4, 3));
    assert_eq!(session.world.lab().unwrap().lanes[0].solver, Solver::Ccd);
    session.apply(Action::Command(Command::Lab));
    assert!(session.world.lab().is_none() && session.chain_focus().is_none());
    assert!(session.handles().iter().any(|handle| matches!(handle.id, HandleId::Effector(_))));
    assert_eq!(session.world.time.cursor, session.end());
}

#[test]
fn a_lane_shows_the_error_of_the_step_that_is_drawn() {
    let mut session = in_scene("stand");
    session.apply(Action::Command(Command::Lab));
    session.update(0.0);
    session.apply(Action::Steps(StepAction::Seek(Cursor { step: 1, within: None })));
    session.update(0.0);
    for index in 0..session.world.lab().unwrap().lanes.len() {
        let chain = LayerId::Lane(index);
        let (drawn, recording) = (session.chain_state(chain).unwrap(), lane(&session, index));
        let gap = drawn.positions.last().unwrap().distance(recording.targets[0]);
        assert_eq!(session.chain_error(chain), Some(gap), "lane {index}");
        // At this step a lane without acceleration is farther from its target than at the end, so the two errors
        // differ.
        let end = recording.outcome.error;
        assert!(recording.settings.accelerate || gap > 2.0 * end, "lane {index}: {gap} and {end}");
    }
}

#[test]
fn forward_reach_reports_that_the_root_has_moved() {
    let mut session = in_scene("stand");
    session.apply(Action::Command(Command::Lab));
    session.update(0.0);
    let is_plain_fabrik = |id: &LayerId| {
        let settings = session.world.solved.chain(*id).unwrap().recording.settings;
        settings.solver == Solver::Fabrik && !settings.accelerate
    };
    let chain = (0..4).map(LayerId::Lane).find(is_plain_fabrik);
    let run = session.world.solved.chain(chain.unwrap()).unwrap();
    let step = (0..run.steps()).find(|&step| run.step(step).key == "forward_reach").unwrap();
    assert!(run.step(step).sentence.contains("root may leave its place"));
    let (root, end) = (run.recording.solve.start.positions[0], run.state(Cursor { step, within: None }));
    let off = format!("{:.3}", root.distance(end.positions[0]));
    assert!(root.distance(end.positions[0]) > 0.01);
    let last = run.event(step, run.events(step) - 1, &|length| format!("{length:.3}")).text;
    assert!(last.contains("root") && last.contains(&format!("{off} from its place")), "{last}");
}

fn chain_file(name: &str, text: &str) -> std::path::PathBuf {
    let path = temporary(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_chain_file_opens_in_the_lab_and_is_solved_as_on_the_command_line() {
    let straight = r#"{ "format": "kinescope-chain", "version": 1, "solver": "ccd", "max_iterations": 30,
        "bones": [0.4, 0.35, { "length": 0.2, "weight": 0.5 }], "target": [0.5, 0.4, 0.1],
        "limits": [null, { "hinge": { "axis": [1, 0, 0], "min": -0.3, "max": 1.2 } }] }"#;
    let branched = r#"{ "format": "kinescope-chain", "version": 1,
        "bones": [[0, 0, 0], { "position": [0, 0.5, 0] }, { "position": [-0.3, 0.8, 0] }, { "position": [0.3, 0.8, 0], "from": 1 }],
        "targets": [{ "joint": 2, "position": [-0.4, 0.6, 0.1] }, { "joint": 3, "position": [0.2, 0.9, 0.2] }] }"#;
    for (name, text) in [("straight.json", straight), ("branched.json", branched)] {
        let file = ChainFile::from_json(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = file.solve().unwrap();
        let mut session = in_scene("stand");
        session.apply(Action::OpenAny(chain_file(name, text)));
        session.update(0.0);
        assert!(session.window.notice.as_ref().is_some_and(|notice| !notice.is_error), "{:?}", session.window.notice);
        let recording = lane(&session, 0);
        assert_eq!(recording.outcome.iterations, expected.iterations, "{name}");
        let last = &recording.solve.steps.last().unwrap().state.positions;
        for (own, expected) in last.iter().zip(expected.positions.last().unwrap()) {
            assert!(own.distance(*expected) < 1e-5, "{name}: {own}, not {expected}");
        }
        let text = session.world.history.document().to_preset().to_json();
        let document = Document::from_preset(&Preset::from_json(&text).unwrap()).unwrap();
        assert_eq!(document.stack.chain_ik, *session.world.chain_section(), "{name}");
        session.apply(Action::Command(Command::Undo));
        assert!(session.world.lab().is_none());
    }
    let within = branched.replace("\"joint\": 2", "\"joint\": 1");
    let mut session = in_scene("stand");
    session.apply(Action::OpenAny(chain_file("within.json", &within)));
    let notice = session.window.notice.clone().unwrap();
    assert!(
        notice.is_error && notice.text.contains("within.json: targets: must be one for each of the first ends"),
        "{}",
        notice.text
    );
    assert!(session.world.lab().is_none());
}

#[test]
fn a_chain_between_any_two_bones_is_added_and_two_that_are_not_in_a_row_are_refused() {
    let mut session = in_scene("stand");
    let limbs = session.world.character.detection.biped.as_ref().unwrap().limbs;
    let [left, right] = [limbs[0].bones, limbs[1].bones];
    let before = session.world.chain_section().chains.len();
    let notice = |session: &Session| session.window.notice.as_ref().unwrap().text.clone();
    let add = |session: &mut Session, ends: [Option<usize>; 2]| {
        for (which, bone) in ends.into_iter().enumerate() {
            session.apply(Action::Chains(ChainAction::ChooseEnd(which, bone)));
        }
        session.apply(Action::Chains(ChainAction::AddChain));
        session.update(0.0);
    };
    // The end is not a descendant of the root. It is in another limb, above the root, or the root itself.
    for (root, end) in [(left[0], right[2]), (left[2], left[0]), (left[0], left[0])] {
        add(&mut session, [Some(root), Some(end)]);
        let bones = session.world.character.model.skeleton.bones();
        let (root, end) = (&bones[root].name, &bones[end].name);
        let expected = format!("{end:?} is not a descendant of {root:?}");
        assert!(notice(&session).contains(&expected), "{}", notice(&session));
        assert_eq!(session.world.chain_section().chains.len(), before);
    }
    add(&mut session, [Some(left[0]), None]);
    assert!(notice(&session).contains("choose a root bone and an end bone"), "{}", notice(&session));

    let skeleton = session.world.character.model.skeleton.clone();
    let root = skeleton.parent(left[0]).unwrap();
    let bones = [root, left[2]].map(|bone| skeleton.bones()[bone].name.clone());
    add(&mut session, [Some(root), Some(left[2])]);
    let added = session.world.chain_section().chains.last().unwrap().clone();
    assert_eq!(session.world.chain_section().chains.len(), before + 1);
    assert_eq!((added.bones.first(), added.bones.last()), (Some(&bones[0]), Some(&bones[1])));
    assert_eq!(session.interaction.selection, Selection::Layer(LayerId::Chain(before)));
    let mut section = session.world.chain_section().clone();
    let target = added.target.unwrap() + Vec3::Y * 0.05 * session.world.character.height;
    section.chains[before].target = Some(target);
    session.edit_chains("a target", None, section);
    session.update(0.0);
    assert!(session.world.picture.pose.position(left[2]).distance(target) < session.world.character.height * 2e-3);
    session.apply(Action::Command(Command::Undo));
    session.apply(Action::Command(Command::Undo));
    assert_eq!(session.world.chain_section().chains.len(), before);
}
