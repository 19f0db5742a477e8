//! The debugger in a session without a window: tape, what if, comparing, analyses, files.

use std::time::{Duration, Instant};

use glam::{Vec2, Vec3};
use kinescope::character::{BuiltIn, Character};
use kinescope::picture::camera::Viewport;
use kinescope::scenes::{SCENES, Scene};
use kinescope::session::commands::Command;
use kinescope::session::headless::Headless;
use kinescope::session::{Action, Pane, Request, Selection, Session};
use kinescope::tools::chains::session::ChainAction;
use kinescope::tools::compare::session::CompareAction;
use kinescope::tools::export::session::BakeAction;
use kinescope::tools::steps::session::StepAction;
use kinescope::tools::steps::{CompareStyle, Port};
use kinescope::tools::sweep::session::SweepAction;
use kinescope::world::motion::clip_player::BakeRange;
use kinescope_ik::capsule::Capsule;
use kinescope_ik::chain_ik::Solver;
use kinescope_ik::debugger::again::{MotionMeasure, solve_again};
use kinescope_ik::debugger::attribution::{Exact, Grouping, Target};
use kinescope_ik::debugger::breaks::{Breaks, Condition};
use kinescope_ik::debugger::fields;
use kinescope_ik::debugger::pops::{Pop, find_pops};
use kinescope_ik::debugger::sweep::SweepMeasure;
use kinescope_ik::debugger::tape::Tape;
use kinescope_ik::full_body::Recording;
use kinescope_ik::full_body::{Effector, Node, Settings, Stage};
use kinescope_ik::notation::Value;
use kinescope_ik::rig::{LimbName, ModelPose};
use kinescope_ik::stack::parameters::{Owner, ParameterId};
use kinescope_ik::stack::{BodyLane, ChainSolve, Drive, LayerId, MeasureId, Method, Stack, Topic};
use kinescope_ik::stepped::run::{Aim, GoalView};
use kinescope_ik::stepped::{Cursor, Run};
use kinescope_ik::trace::Trace;
use proptest::prelude::*;

use crate::common::files::temporary;
use crate::common::flaws::flaws;
use crate::common::session::{biped, body, in_scene, switch_on, with_motion, without_steps};
use crate::common::{PATIENCE, processor_time, quickest, shared};

const FRAME: f32 = 1.0 / 60.0;

fn session() -> Session {
    Session::new(biped())
}

fn walk(frames: usize) -> Session {
    let mut session = session();
    session.start_scene(Scene::find("walk with hands pinned").unwrap());
    for _ in 0..frames {
        session.update(FRAME);
    }
    session
}

fn run(session: &mut Session, command: Command) {
    session.apply(Action::Command(command));
    session.update(0.0);
}

fn apply(session: &mut Session, action: Action) {
    session.apply(action);
    session.update(0.0);
}

fn edit(session: &mut Session, change: impl FnOnce(&mut Settings)) {
    let mut settings = *session.world.settings();
    change(&mut settings);
    let document = Box::new(session.world.history.document().with_settings(settings));
    apply(session, Action::Edit { label: "test".into(), gesture: None, document });
}

fn fresh(session: &Session) -> (Recording, Vec<kinescope_ik::rig::RigidTransform>) {
    let solver = session.world.character.rig.full_body.as_ref().unwrap();
    let (mut recording, mut pose) = (Recording::default(), session.world.picture.animated.bones.clone());
    recording.record(solver, &mut solver.workspace(), session.world.settings(), &mut pose).unwrap();
    (recording, pose)
}

fn notice(session: &Session) -> &str {
    session.window.notice.as_ref().map_or("", |notice| &notice.text)
}

fn wait_for_jobs(session: &mut Session) {
    let start = Instant::now();
    while session.tools.debugger.has_jobs() {
        assert!(start.elapsed() < PATIENCE, "the background work does not end");
        std::thread::sleep(Duration::from_millis(5));
        // With dt = 0, the recording does not depend on how long the work takes.
        session.update(0.0);
    }
}

#[test]
fn every_frame_is_on_the_tape_and_is_restored_exactly() {
    let mut session = session();
    session.start_scene(Scene::find("walk with hands pinned").unwrap());
    let mut seen = Vec::new();
    for _ in 0..90 {
        session.update(FRAME);
        seen.push((session.world.time.frame, body(&session).clone(), session.world.picture.pose.clone()));
    }
    let numbers: Vec<u64> = session.tools.debugger.tape.frames().map(|frame| frame.number).collect();
    assert!(seen.iter().all(|(number, ..)| numbers.contains(number)));
    run(&mut session, Command::PlayPause);
    for index in [0, 45, 89, 44, 3] {
        let (number, recording, shown) = &seen[index];
        apply(&mut session, Action::Steps(StepAction::SeekFrame(*number)));
        session.apply(Action::Steps(StepAction::Seek(session.end())));
        assert!(body(&session) == recording && session.world.picture.pose == *shown, "frame {number}");
    }
    let before = session.tools.debugger.tape.len();
    session.update(0.5);
    assert_eq!(session.tools.debugger.tape.len(), before);
    run(&mut session, Command::Live);
    assert_eq!(session.tools.debugger.tape.len(), before + 1);
}

/// The tape shares texts between frames by a hash of what the texts depend on. A field that the hash lacks would leave the
/// texts of an earlier frame on the tape.
#[test]
fn the_tape_has_the_texts_and_measures_of_every_frame() {
    let check = |session: &Session, at: &str| {
        let (kept, frame) = (session.tools.debugger.tape.last().unwrap(), &session.world.solved);
        assert_eq!(*kept.measures, frame.measures(), "{at}");
        assert_eq!(bits(&kept.outcomes), bits(&frame.outcomes()), "{at}");
        for kept in &kept.layers {
            let (id, run) = (kept.id, frame.run(kept.id).unwrap());
            assert_eq!(kept.shape.points, run.points(), "{at}, {id:?}");
            let steps: Vec<_> = (0..run.steps()).map(|step| run.step(step)).collect();
            assert_eq!(kept.shape.steps, steps, "{at}, {id:?}");
            assert_eq!((&kept.shape.hinges, &kept.shape.planes), (&run.hinges(), &run.planes()), "{at}, {id:?}");
            for (point, own) in run.points().iter().enumerate() {
                let Some(bone) = own.bone else { continue };
                assert!(run.point_of(bone).is_some_and(|found| found <= point), "{at}, {id:?}, {}", own.key);
            }
            let numbers = |goal: GoalView| Aim { weight: goal.weight, bone: goal.bone, place: goal.place };
            assert_eq!(run.aims(), run.goals().into_iter().map(numbers).collect::<Vec<_>>(), "{at}, {id:?}");
        }
    };
    // Each change makes other texts in layers that it concerns.
    let changes: [fn(&mut Stack); 6] = [
        |stack| stack.full_body.solver.iterations += 1,
        |stack| stack.grounding.cast_rate = 20.0,
        |stack| stack.grounding.method = Method::FootIk,
        |stack| stack.grounding.method = Method::Path,
        |stack| stack.chain_ik.chains.iter_mut().for_each(|own| own.settings.solver = Solver::CcdGrowing),
        |stack| stack.chain_ik.chains.truncate(1),
    ];
    for scene in SCENES {
        let mut session = in_scene(scene.name);
        for change in [None].into_iter().chain(changes.map(Some)) {
            if let Some(change) = change {
                let mut stack = session.world.stack().clone();
                change(&mut stack);
                session.edit_stack("texts", None, stack);
            }
            for frame in 0..3 {
                session.update(FRAME);
                check(&session, &format!("{}, {frame}", scene.name));
            }
        }
    }
}

#[test]
fn a_minute_of_tape_seeks_within_one_frame() {
    let mut session = walk(3600);
    assert!(session.tools.debugger.tape.len() >= 3600, "the budget does not hold a minute");
    assert!(session.tools.debugger.tape.bytes() <= session.tools.debugger.tape.budget());
    run(&mut session, Command::PlayPause);
    let mut slowest = Duration::ZERO;
    for number in [0u64, 3599, 1800, 7, 2500] {
        slowest = slowest.max(quickest(5, || {
            apply(&mut session, Action::Steps(StepAction::SeekFrame((number + 1) % 3600)));
            let start = processor_time();
            apply(&mut session, Action::Steps(StepAction::SeekFrame(number)));
            apply(&mut session, Action::Steps(StepAction::Seek(Cursor { step: 12, within: Some(0) })));
            assert_eq!(session.world.time.frame, number);
            processor_time() - start
        }));
    }
    assert!(slowest < Duration::from_millis(16), "{slowest:?}");
}

#[test]
fn steps_continue_from_frame_to_frame_and_back() {
    let mut session = walk(10);
    run(&mut session, Command::PlayPause);
    let (before, end) = (session.world.time.frame - 1, session.end());
    apply(&mut session, Action::Steps(StepAction::SeekFrame(before)));
    apply(&mut session, Action::Steps(StepAction::Seek(end)));
    let (frame, shown) = (session.world.time.frame, session.world.picture.pose.clone());
    run(&mut session, Command::NextStage);
    assert_eq!((session.world.time.frame, session.world.time.cursor), (frame + 1, Cursor::default()));
    run(&mut session, Command::PreviousStage);
    assert_eq!((session.world.time.frame, session.world.time.cursor), (frame, session.end()));
    assert!(session.world.picture.pose == shown);
}

#[test]
fn recorded_stages_and_frames_play_and_loop() {
    let mut session = walk(10);
    run(&mut session, Command::PlayStages);
    assert!(session.world.time.is_paused() && session.is_moving());
    assert_eq!(session.world.time.cursor, Cursor::default());
    apply(&mut session, Action::Steps(StepAction::PlaybackRate(10.0)));
    for _ in 0..60 {
        session.update(FRAME);
    }
    assert_eq!(session.world.time.cursor.step, 10);
    // There are 35 steps, and playback shows ten a second. After 3.6 s more, it has started over.
    for _ in 0..216 {
        session.update(FRAME);
    }
    assert!(session.world.time.cursor.step < 15, "{}", session.world.time.cursor.step);
    run(&mut session, Command::PlayStages);
    assert!(!session.is_moving() || session.window.notice.is_some());

    apply(&mut session, Action::Steps(StepAction::PlaybackLoops(false)));
    apply(&mut session, Action::Steps(StepAction::SeekFrame(0)));
    run(&mut session, Command::PlayFrames);
    for _ in 0..30 {
        session.update(FRAME);
    }
    assert_eq!(Some(session.world.time.frame), session.tools.debugger.tape.last().map(|frame| frame.number));
    run(&mut session, Command::PlayFrames);
}

#[test]
fn a_break_condition_stops_at_its_frame_and_names_it() {
    let mut session = session();
    let mut breaks = Breaks::default();
    *breaks.enabled_mut(Condition::LeavesReach) = true;
    session.apply(Action::Breaks(breaks));
    session.start_scene(Scene::find("stand").unwrap());
    session.update(FRAME);
    let (hand, shoulder) = {
        let nodes = session.state().unwrap().nodes();
        (nodes[Node::LeftHand], nodes[Node::LeftUpperArm])
    };
    for step in 0..60 {
        edit(&mut session, |settings| {
            settings.solver.pull_body_vertical = 0.0;
            settings.chain_mut(LimbName::LeftArm).pull = 0.0;
            settings.chain_mut(LimbName::LeftArm).reach = 0.0;
            let own = settings.effector_mut(Effector::LeftHand);
            own.position_weight = 1.0;
            own.position = Some(hand + (hand - shoulder) * step as f32 * 0.01);
        });
        session.update(FRAME);
        if session.world.time.is_paused() {
            break;
        }
    }
    assert!(session.world.time.is_paused(), "no break stopped the run");
    let hit = session.tools.debugger.hit.clone().unwrap();
    assert_eq!(
        (hit.condition, hit.layer, hit.point),
        (Condition::LeavesReach, LayerId::FullBody, Some(Node::LeftHand as usize))
    );
    assert_eq!(session.interaction.selection, Selection::Effector(Effector::LeftHand));
    assert_eq!(session.world.time.cursor.step, hit.step);
    let marker = &session.tools.debugger.tape.markers[0];
    assert!(marker.is_warning && marker.number == session.world.time.frame);
    assert!(notice(&session).contains("leaves reach"));
}

#[test]
fn markers_name_frames_and_are_jumped_to() {
    let mut session = walk(20);
    run(&mut session, Command::PlayPause);
    for number in [4, 12] {
        apply(&mut session, Action::Steps(StepAction::SeekFrame(number)));
        run(&mut session, Command::Mark);
    }
    apply(&mut session, Action::Steps(StepAction::SeekFrame(0)));
    run(&mut session, Command::NextMarker);
    assert_eq!(session.world.time.frame, 4);
    run(&mut session, Command::NextMarker);
    assert_eq!(session.world.time.frame, 12);
    run(&mut session, Command::PreviousMarker);
    assert_eq!(session.world.time.frame, 4);
    run(&mut session, Command::Mark);
    assert_eq!(session.tools.debugger.tape.markers.len(), 1);
}

#[test]
fn a_change_while_paused_keeps_what_was_recorded() {
    let mut session = walk(30);
    run(&mut session, Command::PlayPause);
    apply(&mut session, Action::Steps(StepAction::SeekFrame(10)));
    let recorded = (body(&session).clone(), session.world.picture.pose.clone());
    edit(&mut session, |settings| settings.chain_mut(LimbName::LeftArm).pull = 0.2);
    let what_if = session.tools.debugger.what_if.as_ref().unwrap();
    assert_eq!(what_if.changes.len(), 1);
    let kept = &what_if.recorded.frame;
    assert!(kept.full_body().unwrap().recording == recorded.0 && kept.pose == recorded.1.bones);
    assert!(*body(&session) == fresh(&session).0);
    assert_eq!(session.world.settings().chain(LimbName::LeftArm).pull, 0.2);

    // The change, and nothing else, applies to another frame.
    apply(&mut session, Action::Steps(StepAction::SeekFrame(20)));
    let on_tape = session.tools.debugger.tape.get(20).unwrap().input.stack.clone();
    assert_eq!(fields::changes(&on_tape, session.world.stack()).len(), 1);
    assert!(*body(&session) == fresh(&session).0);

    apply(&mut session, Action::Steps(StepAction::SeekFrame(10)));
    run(&mut session, Command::DropWhatIf);
    assert!(session.tools.debugger.what_if.is_none() && *body(&session) == recorded.0);
    run(&mut session, Command::Undo);
    assert_eq!(session.world.settings().chain(LimbName::LeftArm).pull, 0.2);
    assert!(session.tools.debugger.what_if.is_some());
    run(&mut session, Command::Live);
    assert!(session.tools.debugger.what_if.is_none());
    assert_eq!(session.world.settings().chain(LimbName::LeftArm).pull, 0.2);
}

fn with_walk(act: impl FnOnce(&mut Session)) {
    let mut session = walk(40);
    run(&mut session, Command::PlayPause);
    act(&mut session);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_what_if_is_a_fresh_solve_bit_for_bit(
        edits in prop::collection::vec((0u64..40, 0usize..200, 0.0f32..1.0), 1..6),
    ) {
        let parameters: Vec<ParameterId> = ParameterId::all(&Settings::default()).collect();
        with_walk(|session| {
            let tape: Vec<_> = session.tools.debugger.tape.frames().cloned().collect();
            for &(frame, parameter, part) in &edits {
                apply(session, Action::Steps(StepAction::SeekFrame(frame)));
                let parameter = parameters[parameter % parameters.len()];
                let [min, max] = parameter.range();
                edit(session, |settings| parameter.set(settings, min + (max - min) * part));
                let (recording, pose) = fresh(session);
                assert!(*body(session) == recording);
                session.apply(Action::Steps(StepAction::Seek(session.end())));
                assert!(session.world.picture.pose.bones == pose);
                if let Some(what_if) = &session.tools.debugger.what_if {
                    let kept = &tape[session.world.time.frame as usize];
                    assert!(what_if.recorded.stack == *kept.input.stack);
                    let run = what_if.recorded.frame.run(LayerId::FullBody).unwrap();
                    let kept = kept.layer(LayerId::FullBody).unwrap();
                    let at = |step| Cursor { step, within: None };
                    assert!((0..run.steps()).all(|step| run.places(at(step)) == kept.places(step)));
                }
            }
            let after = session.tools.debugger.tape.frames();
            assert!(after.zip(&tape).all(|(now, then)| now.layers == then.layers && now.settings == then.settings));
        });
    }
}

#[test]
fn two_presets_are_compared_swapped_and_mixed() {
    let mut session = session();
    session.start_scene(Scene::find("two hands at odds").unwrap());
    session.update(FRAME);
    let path = temporary("b.json");
    apply(&mut session, Action::File(Command::SavePresetAs, path.clone()));
    edit(&mut session, |settings| {
        settings.chain_mut(LimbName::RightArm).pull = 0.25;
        settings.solver.pull_body_horizontal = 0.9;
    });
    apply(&mut session, Action::File(Command::CompareWith, path));
    assert!(session.window.requests.contains(&Request::ShowPane(Pane::Compare)));
    let differing = session.tools.debugger.differing(session.world.stack());
    let paths: Vec<&str> = differing.iter().map(|change| change.path.as_str()).collect();
    assert_eq!(paths, ["chains.right_arm.pull", "solver.pull_body_horizontal"]);
    let b = &session.tools.debugger.compare.as_ref().unwrap().b;
    assert_eq!(b.name, "b.json");
    assert!(b.frame.full_body().unwrap().recording != *body(&session) && !b.shown.bones.is_empty());

    apply(&mut session, Action::Compare(CompareAction::CopyValue { change: differing[0].clone(), to_b: false }));
    assert_eq!(session.world.settings().chain(LimbName::RightArm).pull, 1.0);
    apply(&mut session, Action::Compare(CompareAction::CopyValue { change: differing[1].clone(), to_b: true }));
    assert!(session.tools.debugger.differing(session.world.stack()).is_empty());
    let b = &session.tools.debugger.compare.as_ref().unwrap().b;
    assert!(b.frame.full_body().unwrap().recording == *body(&session));

    edit(&mut session, |settings| settings.pin = 0.5);
    run(&mut session, Command::SwapAB);
    assert_eq!(session.world.settings().pin, 0.0);
    assert_eq!(session.tools.debugger.compare.as_ref().unwrap().b.stack.full_body.pin, 0.5);
    run(&mut session, Command::Undo);
    assert_eq!(session.world.settings().pin, 0.5);
    run(&mut session, Command::EndCompare);
    assert!(session.tools.debugger.other().is_none());
    let bad = temporary("bad.json");
    std::fs::write(&bad, "{ \"format\": \"kinescope-preset\", \"version\": 1, \"solver\": { \"weight\": 9 } }")
        .unwrap();
    apply(&mut session, Action::File(Command::CompareWith, bad));
    assert!(notice(&session).contains("bad.json: solver.weight") && session.tools.debugger.compare.is_none());
}

#[test]
fn attribution_follows_the_selection_and_any_bone() {
    let mut session = session();
    session.start_scene(Scene::find("reach and brace").unwrap());
    session.update(FRAME);
    apply(&mut session, Action::Select(Selection::Effector(Effector::LeftShoulder)));
    run(&mut session, Command::PlayPause);
    run(&mut session, Command::NextStage);
    let check = |session: &Session| {
        let table = &session.tools.debugger.attribution.table;
        let mut sum = Exact::default();
        table.rows.iter().for_each(|row| sum += row.sum);
        assert_eq!(sum, table.total);
        assert!(table.distance() > 0.005 && !table.rows.is_empty(), "{} {}", table.distance(), table.rows.len());
    };
    check(&session);
    assert_eq!(session.attribution_target(), Target::Point(LayerId::FullBody, Node::LeftUpperArm as usize));
    let bones = session.world.character.model.skeleton.bones();
    let chest = session.world.character.detection.biped.as_ref().unwrap().spine[1];
    assert!(bones.len() > chest);
    for grouping in Grouping::ALL {
        apply(&mut session, Action::Steps(StepAction::Attribution { target: Some(Target::Bone(chest)), grouping }));
        check(&session);
        let solved = fresh(&session).1[chest].position;
        assert_eq!(session.tools.debugger.attribution.table.to, solved);
    }
}

#[test]
fn a_sweep_runs_in_the_background_and_its_best_value_is_applied() {
    let mut session = session();
    session.start_scene(Scene::find("two hands at odds").unwrap());
    session.update(FRAME);
    let x = ParameterId::from_path("chains.right_arm.pull").unwrap();
    let y = ParameterId::from_path("solver.pull_body_horizontal");
    let measure = MeasureId::Gap("left_hand".to_owned()).into();
    apply(&mut session, Action::Sweep(SweepAction::Choose { x, y, measure, whole_tape: false }));
    run(&mut session, Command::Sweep);
    assert!(session.is_moving());
    wait_for_jobs(&mut session);
    let (result, sensitivities) = session.tools.debugger.sweep.result.clone().unwrap();
    assert!(result.solves > 600 && sensitivities.iter().any(|one| one.parameter == x));
    let (column, row, least) = result.least().unwrap();
    let values = vec![(x, result.x.value(column)), (y.unwrap(), result.y.unwrap().value(row))];
    apply(&mut session, Action::Sweep(SweepAction::TakeValues(values)));
    // A sweep solves in batches, which may round differently from the frame. On screen both show the same length.
    assert!((session.world.gap(Effector::LeftHand) - least).abs() <= 1e-6 * session.world.character.height);
    assert_eq!(
        session.world.character.length(session.world.gap(Effector::LeftHand)),
        session.world.character.length(least)
    );
    run(&mut session, Command::Undo);
    assert_eq!(session.world.settings().chain(LimbName::RightArm).pull, 1.0);

    run(&mut session, Command::Sweep);
    run(&mut session, Command::CancelJobs);
    assert!(session.tools.debugger.sweep.job.is_none());
}

#[test]
fn a_sweep_has_one_axis_for_a_parameter() {
    let mut session = session();
    session.update(FRAME);
    let view = &session.tools.debugger.sweep;
    let (x, measure) = (view.x, view.measure.clone());
    apply(&mut session, Action::Sweep(SweepAction::Choose { x, y: Some(x), measure, whole_tape: false }));
    assert_eq!((session.tools.debugger.sweep.x, session.tools.debugger.sweep.y), (x, None));
    assert!(notice(&session).starts_with(&format!("{} is along x", x.label())), "{}", notice(&session));
}

#[test]
fn an_effector_is_explained_if_a_chain_is_farther_off() {
    let mut session = session();
    let skeleton = session.world.character.model.skeleton.clone();
    let hand = session.world.character.rig.full_body.as_ref().unwrap().bone_of(Node::RightHand);
    let arm = std::iter::successors(Some(hand), |&bone| skeleton.bones()[bone].parent).take(3);
    let mut bones: Vec<String> = arm.map(|bone| skeleton.bones()[bone].name.clone()).collect();
    bones.reverse();
    let mut document = session.world.history.document().clone();
    let own = document.stack.full_body.effector_mut(Effector::LeftHand);
    (own.position, own.position_weight) = (Some(Vec3::new(1.5, 1.2, 0.5)), 1.0);
    document.stack.chain_ik.chains =
        vec![ChainSolve { bones, target: Some(Vec3::new(-9.0, 1.0, 0.0)), ..ChainSolve::default() }];
    session.edit("test", None, document);
    session.update(0.0);
    let farthest = session.world.picture.gaps.iter().max_by(|a, b| a.distance.total_cmp(&b.distance)).unwrap();
    assert_eq!(farthest.layer, LayerId::Chain(0));
    assert_eq!(session.world.picture.why.map(|why| why.effector), Some(Effector::LeftHand));
}

#[test]
fn the_reachable_volume_is_computed_in_the_background() {
    let mut session = session();
    session.update(FRAME);
    run(&mut session, Command::ReachableVolume);
    assert!(notice(&session).contains("Select a hand"));
    apply(&mut session, Action::ReachOf(LimbName::LeftArm));
    wait_for_jobs(&mut session);
    let volume = session.tools.debugger.reach.volume.as_ref().unwrap();
    assert!(volume.solves > 5000 && volume.points.len() > 300);
    // The elbow's turn is known at every target that was tried, and varies.
    let (gaps, turns) = (&volume.gaps.gaps, &volume.gaps.turns);
    let tried = gaps.iter().zip(turns).filter(|(gap, _)| gap.is_finite()).map(|(_, turn)| *turn);
    let (least, most) = tried.fold((f32::MAX, 0.0f32), |(least, most), turn| (least.min(turn), most.max(turn)));
    assert!(least >= 0.0 && most <= std::f32::consts::PI && most - least > 1.0, "{least} {most}");
    // Moving the hand's own target keeps the volume valid, because every target was tried. A change of a solver setting
    // makes the volume out of date.
    assert_eq!(session.reach_is_stale(), None);
    edit(&mut session, |settings| settings.effector_mut(Effector::LeftHand).position = Some(Vec3::new(0.4, 1.2, 0.2)));
    assert_eq!(session.reach_is_stale(), None);
    edit(&mut session, |settings| settings.solver.spine_stiffness = 0.1);
    assert_eq!(session.reach_is_stale(), Some("settings have changed"));
    run(&mut session, Command::Undo);
    assert_eq!(session.reach_is_stale(), None);
    apply(&mut session, Action::Clip(Some(0)));
    assert!(session.reach_is_stale().is_some());
    run(&mut session, Command::ForgetVolume);
    assert!(session.tools.debugger.reach.volume.is_none());
}

#[test]
fn side_by_side_has_both_characters_in_the_picture() {
    let mut session = session();
    session.look.viewport = Viewport { min: Vec2::new(232.0, 66.0), size: Vec2::new(852.0, 604.0) };
    session.frame_all();
    run(&mut session, Command::KeepAsB);
    edit(&mut session, |settings| settings.effector_mut(Effector::LeftHand).position = Some(Vec3::new(0.5, 1.5, 0.4)));
    apply(&mut session, Action::Compare(CompareAction::Style(CompareStyle::SideBySide)));
    let beside = session.other_offset();
    assert!(beside.length() > 0.5);
    let is_seen = |session: &Session| {
        let projector = session.projector();
        let bones = session.world.picture.pose.bones.iter().map(|bone| bone.position);
        bones.flat_map(|at| [at, at + beside]).all(|at| projector.in_picture(at).is_some())
    };
    assert!(is_seen(&session));
    run(&mut session, Command::FrameSelection);
    assert!(is_seen(&session), "framing brings both back");
    apply(&mut session, Action::Compare(CompareAction::Style(CompareStyle::Overlay)));
    assert_eq!(session.other_offset(), Vec3::ZERO);
}

/// With targets many metres away, the mesh of B used to look torn.
#[test]
fn b_with_targets_out_of_reach_is_what_the_solver_gives() {
    let mut characters: Vec<Character> =
        [BuiltIn::Mannequin, BuiltIn::Faun].map(Character::from_built_in).map(Result::unwrap).into();
    if let Some(folder) = shared("models") {
        for name in ["KayKit_Barbarian.glb", "RiggedFigure.gltf", "mannequiny.glb"] {
            characters.extend(Character::load(&folder.join(name)).ok());
        }
    }
    for character in characters {
        let (name, height) = (character.model.name.clone(), character.height);
        let mut session = Session::new(character);
        session.start_scene(Scene::find("stand").unwrap());
        session.update(FRAME);
        let near = *session.world.settings();
        for (foot, hand) in [(Vec3::new(7.0, 5.0, 2.0), None), (Vec3::Y * -18.0, Some(Vec3::new(-30.0, 12.0, 4.0)))] {
            edit(&mut session, |settings| {
                for (effector, side) in [(Effector::LeftFoot, 1.0), (Effector::RightFoot, -1.0)] {
                    let own = settings.effector_mut(effector);
                    own.position = Some(Vec3::new(foot.x * side, foot.y, foot.z) * height);
                    own.position_weight = 1.0;
                }
                let own = settings.effector_mut(Effector::LeftHand);
                (own.position, own.position_weight) = (hand.map(|at| at * height), f32::from(u8::from(hand.is_some())));
            });
            session.update(FRAME);
            run(&mut session, Command::LastStep);
            let alone = session.world.picture.pose.clone();
            run(&mut session, Command::Live);
            run(&mut session, Command::KeepAsB);
            edit(&mut session, |settings| *settings = near);
            session.update(FRAME);
            for style in [CompareStyle::Overlay, CompareStyle::SideBySide] {
                apply(&mut session, Action::Compare(CompareAction::Style(style)));
                let b = &session.tools.debugger.other().unwrap().shown;
                assert_eq!(*b, alone, "{name}, {style:?}");
            }
            let moved =
                session.world.picture.pose.bones.iter().zip(&alone.bones).map(|(a, b)| a.position.distance(b.position));
            assert!(moved.fold(0.0, f32::max) > height, "{name}: B has another pose");
            for step in [4, 11, 23] {
                run(&mut session, Command::PlayPause);
                apply(
                    &mut session,
                    Action::Steps(StepAction::SeekIn(LayerId::FullBody, Cursor { step, within: None })),
                );
                let other = session.tools.debugger.other().unwrap();
                let expected =
                    other.frame.pose_at(&session.world.character.rig, LayerId::FullBody, Cursor { step, within: None });
                assert_eq!(other.shown.bones, expected, "{name}, step {step}");
                run(&mut session, Command::Live);
            }
            run(&mut session, Command::EndCompare);
        }
    }
}

/// B used to stay with targets of the previous character, and the new mesh was torn between both characters' feet.
#[test]
fn another_character_ends_comparing() {
    let mut session = session();
    run(&mut session, Command::KeepAsB);
    assert!(session.tools.debugger.compare.is_some());
    run(&mut session, Command::BuiltInFaun);
    session.update(1.0 / 60.0);
    assert!(session.tools.debugger.compare.is_none() && session.tools.debugger.other().is_none());
}

#[test]
fn a_clip_is_scrubbed_while_the_solve_is_paused() {
    let mut session = walk(10);
    run(&mut session, Command::PlayPause);
    let at = body(&session).solve.steps.iter().position(|step| step.step.stage == Stage::Stage1).unwrap();
    apply(&mut session, Action::Steps(StepAction::Seek(Cursor { step: at, within: None })));
    let (before, cursor) = (session.world.picture.animated.clone(), session.world.time.cursor);
    apply(&mut session, Action::ClipTime(0.7));
    assert_eq!((session.world.clip.time(), session.world.time.cursor), (0.7, cursor));
    let apart = |a: &ModelPose, b: &ModelPose| {
        a.bones.iter().zip(&b.bones).map(|(a, b)| a.position.distance(b.position)).fold(0.0, f32::max)
    };
    assert!(apart(&session.world.picture.animated, &before) > 0.02, "the picture shows that instant");
    let curves = session
        .world
        .motion
        .curves(&session.world.plan(), &session.world.character, session.world.clip.clip())
        .unwrap();
    for curve in curves {
        let weights: Vec<f32> = (0..50).map(|sample| curve.evaluate(sample as f32 / 50.0)).collect();
        assert!(weights.iter().any(|&weight| weight > 0.9) && weights.iter().any(|&weight| weight < 0.1));
    }
}

#[test]
fn a_part_of_a_clip_is_baked_at_a_rate() {
    let mut session = walk(2);
    let whole = session.world.bake_range();
    let duration = session.world.character.model.clips[session.world.clip.clip().unwrap()].duration;
    assert_eq!((whole.from, whole.to, whole.rate), (0.0, duration, 30.0));
    let part = BakeRange { from: 0.25, to: 0.75, rate: 20.0, root_motion: true };
    apply(&mut session, Action::Bake(BakeAction::Range(part)));
    assert_eq!(session.world.bake_range(), part);
    let bake = |range: BakeRange| {
        let mut headless =
            Headless::new(Character::built_in().unwrap(), session.world.history.document().clone()).unwrap();
        headless.bake(range)
    };
    let baked = bake(part).unwrap();
    assert_eq!(baked.poses.len(), 11);
    assert!((baked.times[10] - 0.5).abs() < 1e-5 && baked.times[0] == 0.0);
    let all = bake(BakeRange { rate: 20.0, ..whole }).unwrap();
    let near = |part: usize, all_at: usize| {
        let pairs = baked.poses[part].bones.iter().zip(&all.poses[all_at].bones);
        pairs.map(|(a, b)| a.translation.distance(b.translation)).fold(0.0, f32::max)
    };
    assert!(near(0, 5) < 0.02 && near(10, 15) < 0.02, "{} {}", near(0, 5), near(10, 15));
    for wrong in
        [BakeRange { from: 0.5, to: 0.5, ..part }, BakeRange { to: -9.0, ..part }, BakeRange { from: f32::NAN, ..part }]
    {
        assert!(bake(wrong).unwrap_err().contains("nothing to bake"));
    }
    let long = BakeRange { from: 0.0, to: 8.0, ..part };
    let baked = bake(long).unwrap();
    assert_eq!((baked.times.len(), baked.times[160]), (161, 8.0));
    apply(&mut session, Action::Bake(BakeAction::Range(long)));
    assert_eq!(session.world.bake_range(), long, "8 s stay 8 s");
    run(&mut session, Command::FirstStep);
    apply(&mut session, Action::Clip(None));
    assert_eq!(session.world.bake_range().to, 0.0, "another clip is baked whole");
}

#[test]
fn pops_are_found_where_a_target_jumps() {
    let mut session = session();
    session.start_scene(Scene::find("stand").unwrap());
    let hand = session.state().unwrap().nodes()[Node::LeftHand];
    for frame in 0..40 {
        let jump = if frame >= 25 { 0.25 } else { 0.0 };
        edit(&mut session, |settings| {
            let own = settings.effector_mut(Effector::LeftHand);
            own.position_weight = 1.0;
            own.position = Some(hand + Vec3::new(0.0, 0.3 + frame as f32 * 0.001 + jump, 0.1));
        });
        session.update(FRAME);
    }
    run(&mut session, Command::FindPops);
    let worst = session.tools.debugger.pops.as_ref().unwrap()[0].clone();
    assert!(worst.joint.layer == LayerId::FullBody && worst.joint.label.starts_with("left"), "{}", worst.joint.label);
    let jumps =
        session.tools.debugger.tape.get(worst.number + 1).unwrap().settings.effector(Effector::LeftHand).position;
    let before = session.tools.debugger.tape.get(worst.number).unwrap().settings.effector(Effector::LeftHand).position;
    assert!(jumps.unwrap().distance(before.unwrap()) > 0.2, "not the frame of the jump");
    assert!(worst.diverges_at.is_some());
}

#[test]
fn a_ports_trace_opens_at_its_first_difference() {
    let mut session = session();
    session.start_scene(Scene::find("reach and brace").unwrap());
    session.update(FRAME);
    let rig = kinescope::session::rig_of(&session.world.character, &session.world.picture.animated.bones).unwrap();
    let mut trace = Trace::solve("mannequin", rig, *session.world.settings()).unwrap();
    let good = temporary("port-good.json");
    std::fs::write(&good, trace.to_json()).unwrap();
    let at = trace.steps.iter().position(|(step, _)| step.stage == Stage::Stage1).unwrap();
    trace.steps[at].1[Node::RightForearm].y += 0.02;
    let bad = temporary("port-bad.json");
    std::fs::write(&bad, trace.to_json()).unwrap();

    apply(&mut session, Action::OpenAny(good));
    assert!(notice(&session).contains("no difference"), "{}", notice(&session));
    assert!(session.tools.debugger.port.as_ref().unwrap().diff.first.is_none());
    apply(&mut session, Action::OpenAny(bad));
    assert!(notice(&session).contains("right forearm"), "{}", notice(&session));
    let step = body(&session).solve.steps[session.world.time.cursor.step].step;
    assert_eq!((step.stage, step.iteration), (Stage::Stage1, Some(0)));
    assert!(session.world.time.is_paused() && session.tools.debugger.other().is_some());
    let theirs = session.tools.debugger.other().unwrap();
    let theirs = theirs.frame.full_body().unwrap().state(session.world.time.cursor);
    let own = session.state().unwrap();
    assert!((theirs.nodes()[Node::RightForearm].distance(own.nodes()[Node::RightForearm]) - 0.02).abs() < 1e-4);
    assert!(session.window.requests.contains(&Request::ShowPane(Pane::Compare)));

    let broken = temporary("port-broken.json");
    std::fs::write(&broken, "{ \"format\": \"kinescope-trace\", \"version\": 1 }").unwrap();
    apply(&mut session, Action::File(Command::OpenTrace, broken));
    assert!(notice(&session).contains("port-broken.json"), "{}", notice(&session));
    assert!(session.tools.debugger.port.is_some());
}

#[test]
fn a_ports_trace_replaces_the_full_body_and_no_lane() {
    let mut session = session();
    session.start_scene(Scene::find("reach and brace").unwrap());
    let mut document = session.world.history.document().clone();
    let settings = [("solver.iterations".to_owned(), 0.0)].into();
    document.stack.order.body_lab.lanes = vec![BodyLane { settings, ..BodyLane::default() }];
    session.edit("lane", None, document);
    session.update(FRAME);
    let rig = kinescope::session::rig_of(&session.world.character, &session.world.picture.animated.bones).unwrap();
    let trace = Trace::solve("mannequin", rig, *session.world.settings()).unwrap();
    let theirs = &Port::new("port".to_owned(), trace.clone(), &trace, &session.world.solved).other.frame;
    let places = |run: &dyn Run| run.places(Cursor::end(run));
    for layer in [LayerId::BodyLane(0), LayerId::FullBody] {
        let [own, theirs] = [&*session.world.solved, theirs].map(|frame| places(frame.run(layer).unwrap()));
        assert_eq!(own.len(), theirs.len());
        let apart = own.iter().zip(&theirs).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(apart < 1e-5, "{layer:?}: {apart}");
    }
    let [lane, body] = [LayerId::BodyLane(0), LayerId::FullBody].map(|layer| places(theirs.run(layer).unwrap()));
    let apart = lane.iter().zip(&body).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(apart > 0.01, "the lane converges less: {apart}");
}

#[test]
fn a_capsule_opens_at_the_same_instant_and_checks() {
    let mut session = walk(30);
    run(&mut session, Command::PlayPause);
    apply(&mut session, Action::Steps(StepAction::SeekFrame(20)));
    apply(&mut session, Action::Steps(StepAction::Seek(Cursor { step: 8, within: Some(3) })));
    let (nodes, settings) = (session.state().unwrap().nodes(), *session.world.settings());
    let path = temporary("walk.json");
    apply(&mut session, Action::File(Command::SaveCapsule, path.clone()));
    let capsule = Capsule::from_json(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(capsule.frames.len(), 21);
    assert_eq!(capsule.check(|_| None).unwrap(), []);

    let mut other = self::session();
    apply(&mut other, Action::OpenAny(path.clone()));
    assert!(notice(&other).contains("All results equal the recorded ones"), "{}", notice(&other));
    assert!(other.world.time.is_paused() && other.tools.debugger.tape.len() == 21);
    assert_eq!(other.world.time.cursor, Cursor { step: 8, within: Some(3) });
    assert!(other.state().unwrap().nodes() == nodes && *other.world.settings() == settings);
    run(&mut other, Command::PreviousFrame);
    assert!(*body(&other) == fresh(&other).0);

    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("\"hash\": \"", "\"hash\": \"0", 1).replacen("\"0", "\"", 0)).unwrap();
    apply(&mut other, Action::File(Command::OpenCapsule, path));
    assert!(other.window.notice.as_ref().unwrap().is_error);
}

/// Saves a capsule, opens it in a new session, checks that both sessions show the same, and returns the new session.
fn through_a_capsule(session: &mut Session, name: &str) -> Session {
    let path = temporary(name);
    apply(session, Action::File(Command::SaveCapsule, path.clone()));
    let mut other = self::session();
    apply(&mut other, Action::OpenAny(path));
    assert!(notice(&other).contains("All results equal the recorded ones"), "{name}: {}", notice(&other));
    assert!(
        (other.focus(), other.world.time.cursor) == (session.focus(), session.world.time.cursor),
        "{name}: {:?}",
        other.world.time.cursor
    );
    assert!(
        other.world.solved.pose == session.world.solved.pose && *other.world.stack() == *session.world.stack(),
        "{name}"
    );
    assert!(
        other.world.solved.memory == session.world.solved.memory
            && other.world.solved.input.place == session.world.solved.input.place
    );
    other
}

#[test]
fn a_capsule_holds_every_layer_and_what_it_remembers() {
    // Grounding keeps a memory on stairs and on a moving platform.
    for scene in ["stairs", "moving platform"] {
        let mut session = session();
        session.start_scene(Scene::find(scene).unwrap());
        for _ in 0..50 {
            session.update(FRAME);
        }
        apply(&mut session, Action::Select(Selection::Layer(LayerId::Grounding)));
        run(&mut session, Command::PlayPause);
        run(&mut session, Command::PreviousStage);
        let other = through_a_capsule(&mut session, &format!("{scene}.json"));
        assert!(other.world.ground_recording() == session.world.ground_recording(), "{scene}");
    }
    // Each of these scenes has a layer with memory, such as a foot lock or a modifier. In the second round, scenes that
    // compare have A and B swapped.
    let remembers = [
        "feet that stay",
        "grounding by clip",
        "leaning",
        "hit reaction",
        "inertia",
        "recoil",
        "head and two hands",
        "drift",
        "lerp per frame",
        "sphere cast that hits nothing",
    ];
    for scene in remembers {
        let mut session = session();
        session.start_scene(Scene::find(scene).unwrap());
        for swap in [false, true] {
            if swap && session.tools.debugger.compare.is_some() {
                run(&mut session, Command::SwapAB);
            }
            for _ in 0..50 {
                session.update(FRAME);
            }
            run(&mut session, Command::PlayPause);
            through_a_capsule(&mut session, &format!("{scene}.json"));
            run(&mut session, Command::Live);
        }
    }
    // A chain comes before or after the body, and the session is paused within a move of the chain.
    for earlier in [false, true] {
        let mut session = session();
        session.start_scene(Scene::find("chain on top").unwrap());
        session.update(FRAME);
        let mut stack = session.world.stack().clone();
        assert!(!earlier || stack.move_chain(0, true).is_some());
        session.edit_stack("order", None, stack);
        session.update(FRAME);
        apply(&mut session, Action::Select(Selection::Layer(LayerId::Chain(0))));
        run(&mut session, Command::PlayPause);
        (0..3).for_each(|_| run(&mut session, Command::PreviousMove));
        assert!(session.world.time.cursor.within.is_some());
        through_a_capsule(&mut session, "chain.json");
    }
    // The lanes of the lab continue from their last state. The character is once a biped and once not.
    for has_biped in [true, false] {
        let mut character = Character::built_in().unwrap();
        if !has_biped {
            character.rig.full_body = Err("no biped".to_owned());
            character.detection.biped = None;
        }
        let mut session = Session::new(character);
        session.start_scene(Scene::find("chain lab").unwrap());
        let mut section = session.world.chain_section().clone();
        section.lab.as_mut().unwrap().from_rest = false;
        session.edit_chains("go on", None, section);
        for _ in 0..30 {
            session.update(FRAME);
        }
        apply(&mut session, Action::Chains(ChainAction::ShowLane(1)));
        run(&mut session, Command::PlayPause);
        run(&mut session, Command::PreviousStage);
        assert!(session.tools.debugger.tape.len() > 25);
        through_a_capsule(&mut session, "lab.json");
    }
}

#[test]
fn measures_are_written_as_a_table() {
    let mut session = walk(12);
    let path = temporary("measures.csv");
    apply(&mut session, Action::File(Command::ExportCsv, path.clone()));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), session.shown_run().unwrap().steps() + 1);
    assert!(text.starts_with("step,iteration,stage,worst_gap,body_gap"), "{}", text.lines().next().unwrap());
    let mut plots = session.tools.debugger.plots.clone();
    plots.over_frames = true;
    apply(&mut session, Action::Steps(StepAction::Plots(plots)));
    apply(&mut session, Action::File(Command::ExportCsv, path.clone()));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), session.tools.debugger.tape.len() + 1);
}

#[test]
fn another_character_begins_another_tape() {
    let mut session = walk(30);
    run(&mut session, Command::KeepAsB);
    session.take(Character::built_in().unwrap());
    session.update(FRAME);
    assert!(session.tools.debugger.tape.len() <= 2);
    assert!(*body(&session) == fresh(&session).0);
}

#[test]
fn a_script_moves_its_target_and_fills_the_tape() {
    let mut session = session();
    session.start_scene(Scene::find("target circles").unwrap());
    let target = |session: &Session| session.world.settings().effector(Effector::LeftHand).position.unwrap();
    session.update(FRAME);
    let first = target(&session);
    for _ in 0..60 {
        session.update(FRAME);
    }
    assert!(target(&session).distance(first) > 0.1 && session.tools.debugger.tape.len() > 60);
    assert!(!session.world.history.is_unsaved());
    run(&mut session, Command::PlayPause);
    let paused = target(&session);
    session.update(0.5);
    assert_eq!(target(&session), paused);
    apply(&mut session, Action::Steps(StepAction::SeekFrame(1)));
    assert!(target(&session).distance(first) < 0.05);
}

/// Returns a session with a layer in focus and some frames on the tape. It is boxed, because a test holds many at once.
fn in_focus(scene: &str, has_biped: bool, change: impl FnOnce(&mut Session), layer: LayerId) -> Box<Session> {
    let mut character = Character::built_in().unwrap();
    if !has_biped {
        character.rig.full_body = Err("no biped".to_owned());
        character.detection.biped = None;
    }
    let mut session = Box::new(Session::new(character));
    session.start_scene(Scene::find(scene).unwrap());
    change(&mut session);
    for _ in 0..12 {
        session.update(FRAME);
    }
    apply(&mut session, Action::Select(Selection::of_layer(layer)));
    if let LayerId::Lane(lane) = layer {
        apply(&mut session, Action::Chains(ChainAction::ShowLane(lane)));
    }
    assert_eq!(session.focus(), layer, "{scene}");
    session
}

/// Returns the bits of values. NaN, which a measure without a value has, differs from itself.
fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn every_tool_works_on_every_layer() {
    let nothing = |_: &mut Session| {};
    let first = |session: &mut Session| {
        let mut stack = session.world.stack().clone();
        assert!(stack.move_chain(0, true).is_some());
        session.edit_stack("before the body", None, stack);
    };
    let foot_ik = |session: &mut Session| {
        let mut stack = session.world.stack().clone();
        stack.grounding.method = Method::FootIk;
        session.edit_stack("foot IK", None, stack);
    };
    let limbs = |session: &mut Session| {
        let mut stack = session.world.stack().clone();
        stack.grounding.drive = Drive::Limbs;
        session.edit_stack("four limbs", None, stack);
    };
    let by = |session: &mut Session, solver: Solver| {
        let mut stack = session.world.stack().clone();
        (stack.grounding.drive, stack.grounding.limbs.solver) = (Drive::Limbs, solver);
        session.edit_stack("limbs by a solver", None, stack);
    };
    let by_fabrik = |session: &mut Session| by(session, Solver::Fabrik);
    let by_ccd = |session: &mut Session| by(session, Solver::Ccd);
    let rotations = |session: &mut Session| {
        let mut stack = session.world.stack().clone();
        stack.order.rotations_only = true;
        session.edit_stack("rotations only", None, stack);
    };
    let sessions = [
        in_focus("reach with twist", true, nothing, LayerId::FullBody),
        in_focus("reach with twist", true, rotations, LayerId::RotationsOnly),
        in_focus("stairs", true, limbs, LayerId::FullBody),
        in_focus("stairs", true, by_fabrik, LayerId::FullBody),
        in_focus("stairs", true, by_ccd, LayerId::FullBody),
        in_focus("chain follows a foot", true, nothing, LayerId::Chain(0)),
        in_focus("stairs", true, nothing, LayerId::Grounding),
        in_focus("stairs", true, foot_ik, LayerId::Grounding),
        in_focus("chain on top", true, nothing, LayerId::Chain(0)),
        in_focus("chain on top", true, first, LayerId::Chain(0)),
        in_focus("chain lab", true, nothing, LayerId::Lane(1)),
        in_focus("chain lab", false, nothing, LayerId::Lane(0)),
        in_focus("recoil", true, nothing, LayerId::Modifiers),
        in_focus("head and two hands", true, nothing, LayerId::AfterWrite),
    ];
    let with_settings = LayerId::with_settings().map(|layer| {
        let motion = |session: &mut Session| {
            if layer == LayerId::Retarget {
                with_motion(session)
            }
            switch_on(session, layer);
            if matches!(layer, LayerId::LeastSquares | LayerId::PositionBased) {
                // After the full body, which puts the feet on their targets, these solvers have nothing to move.
                let mut stack = session.world.stack().clone();
                stack.order.full_body_off = true;
                session.edit_stack("the full body", None, stack);
            }
        };
        in_focus("feet that stay", true, motion, layer)
    });
    for mut session in sessions.into_iter().chain(with_settings) {
        let layer = session.focus();
        let measures = session.world.solved.measures();
        let keys: Vec<String> = measures.iter().map(|measure| measure.view.key.clone()).collect();
        let mut labels: Vec<&str> = measures.iter().map(|measure| measure.view.label.as_str()).collect();
        labels.sort_unstable();
        let twice: Vec<_> = labels.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{layer:?}: two numbers with the same name: {twice:?}");

        let kept = session.tools.debugger.tape.last().unwrap().layer(layer).unwrap();
        assert_eq!(Some(kept.steps()), session.world.solved.run(layer).map(|run| run.steps()), "{layer:?}");
        // Any value exceeds the negative thresholds.
        let nowhere = Breaks::default();
        let mut hits = 0;
        for condition in Condition::ALL {
            let mut only =
                Breaks { bend_turn_degrees: -1.0, bone_length_fraction: -1.0, error_rise_fraction: -1.0, ..nowhere };
            *only.enabled_mut(condition) = true;
            let frame = session.world.solved.clone();
            let mut alone = (*frame).clone();
            alone.layers.retain(|own| own.id == layer);
            hits += usize::from(
                kinescope_ik::debugger::breaks::check(&only, &Tape::default(), Some(&frame), &alone).is_some(),
            );
        }
        let is_asking = layer != LayerId::FullBody && layer.index().is_none();
        assert!(hits > 0 || is_asking, "{layer:?}: no break fires");

        run(&mut session, Command::PlayPause);
        let steps = session.shown_run().unwrap().steps();
        // For a layer without a main measure, `remaining_at` is the largest gap of the picture.
        let instants = (0..steps).map(|step| Cursor { step, within: None });
        let (rig, worst) = (&session.world.character.rig, [&MeasureId::WorstGap]);
        if session.shown_run().unwrap().main_measure().is_none() {
            let rows = session.world.solved.values(rig, &worst, layer, instants.clone());
            let rows: Vec<f32> = rows.into_iter().map(|row| row[0].unwrap()).collect();
            assert_eq!(session.world.solved.remaining_at(rig, layer, instants), rows, "{layer:?}");
        }
        let mut has_formula = false;
        for step in 0..steps {
            apply(&mut session, Action::Steps(StepAction::Seek(Cursor { step, within: None })));
            let run = session.shown_run().unwrap();
            let unexplained: Vec<usize> =
                (0..run.events(step)).filter(|&event| run.formula(step, event).is_none()).collect();
            assert_eq!(unexplained, Vec::<usize>::new(), "{layer:?}, step {step}: events without a formula");
            for (event, sheet) in
                (0..run.events(step).max(1)).filter_map(|event| Some((event, run.formula(step, event)?)))
            {
                assert_eq!(flaws(&sheet, usize::MAX), Vec::<String>::new(), "{layer:?}: {sheet:#?}");
                has_formula = true;
                if let Value::Bone(bone) = sheet.result
                    && session.world.solved.limbs().is_some()
                {
                    let places = run.places(Cursor { step, within: Some(event) });
                    assert!(places.iter().any(|place| place.distance(bone.position) < 1e-4), "{sheet:#?}");
                }
            }
        }
        assert!(has_formula, "{layer:?}");
        let point = Target::Point(layer, session.shown_run().unwrap().points().len() - 1);
        for grouping in [Grouping::Cause, Grouping::Stage, Grouping::Chain, Grouping::Iteration] {
            apply(&mut session, Action::Steps(StepAction::Attribution { target: Some(point), grouping }));
            let table = &session.tools.debugger.attribution.table;
            let mut sum = Exact::default();
            table.rows.iter().for_each(|row| sum += row.sum);
            assert_eq!(sum, table.total, "{layer:?}");
        }

        for over_frames in [false, true] {
            session.tools.debugger.plots.over_frames = over_frames;
            let text = String::from_utf8(kinescope::tools::steps::csv::table(&session).unwrap()).unwrap();
            let mut lines = text.lines();
            let head: Vec<&str> = lines.next().unwrap().split(',').collect();
            assert!(head.ends_with(&keys.iter().map(String::as_str).collect::<Vec<_>>()), "{layer:?}: {head:?}");
            let own =
                head.iter().position(|&name| name.starts_with(&layer.prefix()) && keys.iter().any(|key| key == name));
            let rows: Vec<&str> = lines.collect();
            assert_eq!(rows.len(), if over_frames { session.tools.debugger.tape.len() } else { steps });
            // Frames recorded before the scene do not have the layer.
            for row in rows.iter().skip(if over_frames { rows.len() - 1 } else { 0 }) {
                let value = row.split(',').nth(own.unwrap()).unwrap();
                assert!(value.parse::<f32>().is_ok_and(f32::is_finite), "{layer:?}: {row}");
            }
        }

        // A sweep varies a parameter of the layer and reads one of the layer's measures.
        let stack = session.world.stack().clone();
        let owns = |parameter: &ParameterId| match layer.topic() {
            Topic::Modifiers => matches!(parameter.owner, Owner::Modifier(..)),
            // Offsets are positions, which a sweep cannot vary.
            Topic::Attachments => false,
            Topic::Grounding if layer == LayerId::Grounding && parameter.owner == Owner::Drive => true,
            Topic::Motion
            | Topic::Trackers
            | Topic::Posing
            | Topic::Chain
            | Topic::Lab
            | Topic::BodyLab
            | Topic::Grounding => parameter.owner == layer.owner(&stack),
        };
        let of_layer: Vec<ParameterId> = ParameterId::all(session.world.stack()).filter(owns).collect();
        let is_own = |measure: &MeasureId| matches!(measure, MeasureId::Of(own, _) if *own == layer);
        let ids = measures.iter().map(|measure| measure.id.clone());
        let of_both = ids.filter(is_own).flat_map(|measure| of_layer.iter().map(move |&x| (x, measure.clone())));
        let has_effect = of_both.collect::<Vec<_>>().into_iter().any(|(x, measure)| {
            apply(
                &mut session,
                Action::Sweep(SweepAction::Choose { x, y: None, measure: measure.into(), whole_tape: false }),
            );
            run(&mut session, Command::Sweep);
            wait_for_jobs(&mut session);
            // At weight 0, limbs are not solved and have no measure.
            let Some((result, sensitivities)) = session.tools.debugger.sweep.result.as_ref() else { return false };
            let [least, most] = result.range();
            most > least && sensitivities.iter().any(|one| one.parameter == x)
        });
        // Limbs of the limb solver reach their targets with any parameters, so that no number changes.
        assert!(has_effect || session.world.solved.limbs().is_some(), "{layer:?}: no parameter changes a number");

        run(&mut session, Command::KeepAsB);
        let other = session.tools.debugger.other().unwrap();
        assert!(other.frame.run(layer).is_some_and(|run| run.steps() == steps), "{layer:?}");
        let [theirs, own] = [&other.frame, &session.world.solved].map(|frame| bits(&frame.outcomes()));
        assert_eq!(theirs, own, "{layer:?}");
    }
}

#[test]
fn bones_not_yet_written_have_no_attribution() {
    let mut session = session();
    edit(&mut session, |settings| {
        let hand = settings.effector_mut(Effector::LeftHand);
        hand.position = Some(Vec3::new(2.5, 1.2, 0.5));
        hand.position_weight = 1.0;
    });
    session.update(0.0);
    session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
    run(&mut session, Command::PlayPause);
    let solver = session.world.solved.full_body().unwrap();
    let first = (0..session.shown_run().unwrap().steps())
        .find(|&step| solver.is_writing(Cursor { step, within: None }))
        .unwrap();
    let at = |session: &mut Session, cursor: Cursor| {
        session.apply(Action::Steps(StepAction::Seek(cursor)));
        session.update(0.0);
        (session.world.picture.unwritten, session.world.picture.why.map(|why| why.effector))
    };
    assert_eq!(at(&mut session, Cursor { step: first, within: None }), (Some(Effector::LeftHand), None));
    // A step before the first written bone shows the pose that would be written then. The last step shows the written
    // pose.
    for cursor in [Cursor { step: first - 1, within: None }, session.end()] {
        assert_eq!(at(&mut session, cursor), (None, Some(Effector::LeftHand)), "{cursor:?}");
    }
}

#[test]
fn a_recording_solved_again_without_a_change_is_the_recording() {
    for scene in ["stairs", "walk with hands pinned", "moving platform"] {
        let mut session = session();
        session.start_scene(Scene::find(scene).unwrap());
        for _ in 0..50 {
            session.update(FRAME);
        }
        let (rig, tape) = (session.world.character.rig.clone(), session.tools.debugger.tape.clone());
        let ground = kinescope::tools::capsule::ground_of(session.world.plan().terrain.cloned());
        let again = solve_again(&rig, &ground, &tape, &|_| {}, &mut |_| true).unwrap();
        assert_eq!((again.len(), again.range()), (tape.len(), tape.range()), "{scene}");
        for (recorded, solved) in tape.frames().zip(again.frames()) {
            assert_eq!(bits(&recorded.outcomes), bits(&solved.outcomes), "{scene}, frame {}", recorded.number);
            assert_eq!(recorded.layers, solved.layers, "{scene}, frame {}", recorded.number);
            assert_eq!(recorded.contacts, solved.contacts, "{scene}, frame {}", recorded.number);
        }
    }
}

#[test]
fn the_recording_is_solved_again_with_changes_made_while_paused() {
    let change = |settings: &mut Settings| settings.chain_mut(LimbName::LeftArm).bend_weight = 0.9;
    let mut session = walk(40);
    run(&mut session, Command::SolveAgain);
    assert!(session.tools.debugger.again.job.is_none() && notice(&session).contains("change a setting first"));
    run(&mut session, Command::PlayPause);
    edit(&mut session, change);
    run(&mut session, Command::SolveAgain);
    wait_for_jobs(&mut session);
    let result = session.tools.debugger.again.result.as_ref().unwrap();
    assert_eq!((result.frames, result.changes.len()), (session.tools.debugger.tape.len(), 1));
    assert!(result.pops.iter().any(|pair| pair[0].is_some()) && !result.motion.is_empty());
    let mut changed = self::session();
    changed.start_scene(Scene::find("walk with hands pinned").unwrap());
    edit(&mut changed, change);
    for _ in 0..40 {
        changed.update(FRAME);
    }
    let sizes = |pops: Vec<kinescope_ik::debugger::pops::Pop>| -> Vec<(String, f32)> {
        pops.into_iter().map(|pop| (pop.joint.label, pop.size)).collect()
    };
    let expected = sizes(find_pops(&changed.tools.debugger.tape));
    let found = sizes(result.pops.iter().filter_map(|pair| pair[1].clone()).collect());
    assert!(expected.len() > 10, "{}", expected.len());
    for (joint, size) in expected {
        let own = found.iter().find(|(label, _)| *label == joint).unwrap_or_else(|| panic!("{joint} is missing"));
        assert!((own.1 - size).abs() < 1e-2, "{joint}: {} and {size}", own.1);
    }
}

#[test]
fn sweeps_measure_bend_turn_jerk_and_foot_slide() {
    let x = ParameterId::from_path("grounding.lock.weight").unwrap();
    for measure in MotionMeasure::ALL {
        let mut session = session();
        session.start_scene(Scene::find("feet that stay").unwrap());
        // Only the slide of a foot needs the frames of a whole step. A sweep solves all frames once for every value.
        for _ in 0..if measure == MotionMeasure::FootSlide { 70 } else { 20 } {
            session.update(FRAME);
        }
        let expected = measure.of(&session.tools.debugger.tape.newest(120)).unwrap();
        apply(
            &mut session,
            Action::Sweep(SweepAction::Choose {
                x,
                y: None,
                measure: SweepMeasure::Motion(measure),
                whole_tape: false,
            }),
        );
        run(&mut session, Command::Sweep);
        wait_for_jobs(&mut session);
        let (result, _) = session.tools.debugger.sweep.result.clone().unwrap();
        let [first, last] = [result.values[0], *result.values.last().unwrap()];
        assert_eq!(x.get(session.world.stack()), 1.0);
        assert!((last - expected).abs() <= 1e-6, "{measure:?}: {last} and {expected}");
        if measure == MotionMeasure::FootSlide {
            assert!(first > 5.0 * last, "without the lock {first}, with it {last}");
        }
    }
}

#[test]
fn a_foot_that_slides_stops_the_recording() {
    let mut session = session();
    session.start_scene(Scene::find("feet that stay").unwrap());
    let mut document = session.world.history.document().clone();
    document.stack.grounding.lock.weight = 0.0;
    session.edit("no lock", None, document);
    let breaks = Breaks { foot_slide: true, slide_metres: 0.005, ..Breaks::default() };
    session.apply(Action::Breaks(breaks));
    for _ in 0..120 {
        session.update(FRAME);
    }
    let hit = session.tools.debugger.hit.as_ref().unwrap();
    assert_eq!((hit.condition, hit.layer), (Condition::FootSlide, LayerId::FullBody));
    assert!(session.world.time.is_paused() && hit.text.contains("foot slides"), "{}", hit.text);
    let point = &session.world.solved.run(LayerId::FullBody).unwrap().points()[hit.point.unwrap()];
    assert!(
        point.key.ends_with("_foot") && hit.text.starts_with(&point.label),
        "{} is not in {}",
        point.label,
        hit.text
    );
}

#[test]
fn the_sweep_opens_on_what_is_selected() {
    let mut session = walk(5);
    apply(&mut session, Action::Select(Selection::Effector(Effector::RightHand)));
    run(&mut session, Command::ShowSweep);
    let view = &session.tools.debugger.sweep;
    assert_eq!(view.x.owner, Owner::Chain(kinescope_ik::full_body::Chain::RightArm));
    assert_eq!(view.measure, SweepMeasure::Frame(MeasureId::Gap("right_hand".to_owned())));
    let x = ParameterId::from_path("chains.right_arm.push").unwrap();
    apply(
        &mut session,
        Action::Sweep(SweepAction::Choose {
            x,
            y: None,
            measure: SweepMeasure::Motion(MotionMeasure::Jerk),
            whole_tape: false,
        }),
    );
    apply(&mut session, Action::Select(Selection::Nothing));
    run(&mut session, Command::ShowSweep);
    assert_eq!(session.tools.debugger.sweep.x, x);
}

/// The tape stores no positions for a step that moves no node. The positions after the previous step apply.
#[test]
fn the_tape_has_nodes_and_bones_after_every_step() {
    let session = walk(30);
    let run = session.world.solved.full_body().unwrap();
    let kept = session.tools.debugger.tape.last().unwrap().layer(LayerId::FullBody).unwrap();
    let (points, mut unmoved) = (run.points(), 0);
    for step in 0..run.steps() {
        let at = Cursor { step, within: None };
        let places = kept.places(step);
        assert_eq!(places, run.places(at), "step {step}");
        let mut pose = run.animated.to_vec();
        run.pose(at, &mut pose);
        for (point, place) in points.iter().zip(&places) {
            let Some(bone) = point.bone else { continue };
            assert!(pose[bone].position.distance(*place) < 1e-5, "step {step}, {}", point.label);
        }
        unmoved += usize::from(!run.may_move(step));
    }
    assert!(unmoved > 0);
}

#[test]
fn a_tape_without_steps_has_the_same_pops() {
    let mut session = without_steps(self::session());
    session.start_scene(Scene::find("walk with hands pinned").unwrap());
    for _ in 0..40 {
        session.update(FRAME);
    }
    let expected = find_pops(&walk(40).tools.debugger.tape);
    let found = find_pops(&session.tools.debugger.tape);
    assert!(expected.len() > 10 && expected.iter().any(|pop| pop.diverges_at.is_some()));
    assert_eq!(found, expected.into_iter().map(|pop| Pop { diverges_at: None, ..pop }).collect::<Vec<_>>());
}
