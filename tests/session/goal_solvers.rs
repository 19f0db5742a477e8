//! The method that finds a foot's goal and the solver that moves the leg are chosen independently. The tests cover
//! every solver for limbs, chains that follow a goal, weights by the bone's speed, casts at their own rate, and results
//! of rotations only.

use glam::Vec3;
use kinescope_ik::chain_ik::Solver;
use kinescope_ik::grounding::{DriveWeights, Event, Quality, Side, WeightSource};
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::{Drive, LayerId, Method, Stack, TargetSource};
use kinescope_ik::stepped::{Cursor, Run};

use crate::common::session::in_scene;
use kinescope::session::commands::Command;
use kinescope::session::{Action, Selection, Session};
use kinescope::world::document::Document;

const FRAME: f32 = 1.0 / 60.0;

fn edit(session: &mut Session, change: impl FnOnce(&mut Document)) {
    let mut document = session.world.history.document().clone();
    change(&mut document);
    session.edit("goal solvers", None, document);
    session.update(0.0);
}

fn on_stairs(solver: Solver) -> Session {
    let mut session = in_scene("stairs");
    edit(&mut session, |document| {
        let grounding = &mut document.stack.grounding;
        (grounding.drive, grounding.limbs.solver) = (Drive::Limbs, solver);
    });
    session
}

#[test]
fn each_solver_takes_the_legs_to_their_goals_on_the_stairs() {
    for solver in Solver::ALL {
        let mut session = on_stairs(solver);
        let (mut reached, mut iterations, mut worst) = (0, 0, 0.0f32);
        for frame in 0..240 {
            session.update(FRAME);
            let run = session.world.solved.limbs().expect("limbs are driven");
            let tolerance = session.world.stack().grounding.limbs.tolerance;
            for limb in [LimbName::LeftLeg, LimbName::RightLeg] {
                let goal = &run.frame.limbs[limb.index()];
                let length = goal.lengths.iter().sum::<f32>();
                let end = session.world.solved.pose[goal.bones[2]].position;
                let middle = session.world.solved.pose[goal.bones[1]].position;
                let bones = [(goal.begin, middle), (middle, end)];
                for ((from, to), own) in bones.into_iter().zip(goal.lengths) {
                    assert!((from.distance(to) - own).abs() < 1e-4 * own, "{solver:?}, frame {frame}, {limb:?}");
                }
                assert!((middle - goal.begin).dot(goal.hint) > -1e-4, "{solver:?}, frame {frame}: {limb:?} bends back");
                if goal.target.distance(goal.begin) < 0.9999 * length {
                    worst = worst.max(end.distance(goal.target));
                    reached += 1;
                    assert!(
                        end.distance(goal.target) <= tolerance + 1e-6,
                        "{solver:?}, frame {frame}: {limb:?} stops {} m short",
                        end.distance(goal.target)
                    );
                }
                iterations += run.outcome(limb).map_or(0, |outcome| outcome.iterations);
                assert_eq!(run.outcome(limb).is_some(), solver.iterates());
            }
        }
        println!("{solver:?}: {reached} goals, {iterations} iterations, at most {worst} m off");
        assert!(reached > 350, "{solver:?}: only {reached} goals in reach");
        assert!(!solver.iterates() || iterations > 100);
    }
}

#[test]
fn passes_of_a_limb_are_steps_that_lead_to_the_solve() {
    for solver in [Solver::Fabrik, Solver::Ccd, Solver::CcdGrowing] {
        let mut session = on_stairs(solver);
        for _ in 0..90 {
            session.update(FRAME);
        }
        session.apply(Action::Command(Command::PlayPause));
        session.apply(Action::Select(Selection::Nothing));
        session.update(0.0);
        assert_eq!(session.focus(), LayerId::FullBody);
        let run = session.world.solved.limbs().unwrap();
        let key = if solver == Solver::Fabrik { "backward_reach" } else { "ccd_pass" };
        let passes: Vec<usize> = (0..run.steps()).filter(|&step| run.step(step).key == key).collect();
        assert!(!passes.is_empty(), "{solver:?} makes no passes");
        // Every step except a pass of growing CCD has a unique name in its iteration, so that the cursor finds the step
        // in the next frame.
        let mut names: Vec<_> = (0..run.steps())
            .filter(|&step| solver != Solver::CcdGrowing || run.step(step).key != key)
            .map(|step| (run.step(step).iteration, run.step(step).name))
            .collect();
        names.sort();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        assert!(run.step(passes[0]).name.contains("arm") || run.step(passes[0]).name.contains("leg"));
        for &step in &passes {
            let last = run.events(step) - 1;
            let [within, end] = [Some(last), None].map(|within| run.places(Cursor { step, within }));
            assert!(within.iter().zip(&end).all(|(a, b)| a.distance(*b) < 1e-6), "{solver:?}, step {step}");
        }
        let mut pose = session.world.solved.layer(LayerId::FullBody).unwrap().before.to_vec();
        run.pose(Cursor::end(run), &mut pose);
        assert_eq!(pose, session.world.solved.pose);
        let mut closed = session.world.stack().clone();
        closed.grounding.limbs.solver = Solver::TwoBone;
        session.edit_stack("closed form", None, closed);
        session.update(0.0);
        let off =
            |(a, b): (&kinescope_ik::RigidTransform, &kinescope_ik::RigidTransform)| a.position.distance(b.position);
        let farthest = pose.iter().zip(&session.world.solved.pose).map(off).fold(0.0, f32::max);
        assert!(farthest < 0.02, "{solver:?} is {farthest} m from the closed form");
    }
}

#[test]
fn without_iterations_a_limb_stays_as_the_pelvis_carried_it() {
    let mut session = on_stairs(Solver::Fabrik);
    edit(&mut session, |document| document.stack.grounding.limbs.max_iterations = 0);
    let mut farthest = 0.0f32;
    for _ in 0..120 {
        session.update(FRAME);
        let run = session.world.solved.limbs().unwrap();
        for limb in LimbName::ALL {
            let goal = &run.frame.limbs[limb.index()];
            if goal.target.distance(goal.begin) < 0.99 * goal.lengths.iter().sum::<f32>() {
                assert!(goal.bent[2].position.distance(goal.carried[2].position) < 1e-5);
                farthest = farthest.max(goal.bent[2].position.distance(goal.target));
            }
        }
    }
    assert!(farthest > 0.02, "the goals differ from the animated feet: {farthest}");
}

#[test]
fn a_chain_that_follows_a_foot_has_its_goal_as_target_in_every_frame() {
    for side in Side::ALL {
        let mut session = in_scene("chain follows a foot");
        edit(&mut session, |document| {
            document.stack.chain_ik.chains[0].target_source =
                [TargetSource::LeftFootGoal, TargetSource::RightFootGoal][side as usize];
            document.stack.grounding.lock.on = side == Side::Right;
        });
        let (mut moved, mut last) = (0.0f32, None);
        for frame in 0..240 {
            session.update(FRAME);
            let solved = &session.world.solved;
            let legs = session.world.character.rig.legs.unwrap();
            let before = &solved.layer(LayerId::FullBody).unwrap().before;
            let goal =
                legs.goals(&solved.grounded().unwrap(), &DriveWeights::default(), before)[side as usize].position;
            let run = solved.chain(LayerId::Chain(0)).unwrap();
            assert_eq!(run.recording.goals[0].position, goal, "{side:?}, frame {frame}");
            moved += last.map_or(0.0, |last: Vec3| last.distance(goal));
            last = Some(goal);
            // The chain moves the left leg. If the chain reports success, the foot is at the goal.
            if side == Side::Left && run.recording.outcome.is_reached() {
                let end = solved.pose[legs.feet[0]].position;
                assert!(end.distance(goal) <= run.recording.settings.tolerance + 1e-5, "frame {frame}");
            }
        }
        assert!(moved > 2.0, "the goal moves with the walk: {moved} m");
    }
}

#[test]
fn a_chain_before_the_full_body_cannot_follow_and_one_without_grounding_keeps_its_own_target() {
    let mut session = in_scene("chain follows a foot");
    edit(&mut session, |document| document.stack.order.before_full_body = vec![0]);
    session.update(FRAME);
    let (layer, problem) = session.world.solved.problem().unwrap();
    assert_eq!(layer, LayerId::Chain(0));
    assert!(problem.contains("target_source: follows a foot goal"), "{problem}");
    let own = Vec3::new(0.2, 0.4, 0.3);
    edit(&mut session, |document| {
        document.stack.order.before_full_body.clear();
        document.stack.grounding.method = Method::Off;
        document.stack.chain_ik.chains[0].target = Some(own);
    });
    session.update(FRAME);
    assert_eq!(session.world.solved.chain(LayerId::Chain(0)).unwrap().recording.goals[0].position, own);
}

#[test]
fn new_fields_are_optional_in_presets_and_kept() {
    let text = |fields: &str| format!(r#"{{"format":"kinescope-preset","version":1,{fields}}}"#);
    let read = |fields: &str| {
        let preset = kinescope_ik::Preset::from_json(&text(fields)).map_err(|fault| fault.to_string())?;
        Stack::of_preset(&preset).map_err(|fault| fault.to_string())
    };
    let old = read(r#""grounding":{"method":"predictive","drive":"limbs"},"chain_ik":{"chains":[{"name":"tail"}]}"#);
    let old = old.unwrap();
    assert_eq!(old.grounding.limbs.solver, Solver::TwoBone);
    assert_eq!((old.grounding.cast_rate, old.grounding.weight_source), (0.0, WeightSource::Curve));
    assert_eq!(old.chain_ik.chains[0].target_source, TargetSource::Own);
    let new = read(
        r#""grounding":{"method":"foot_ik","limbs":{"solver":"ccd","tolerance":0.001,"max_iterations":4},"cast_rate":20,
           "weight_source":"speed","speed":{"swing_speed":2}},
           "chain_ik":{"chains":[{"name":"leg","target_source":"right_foot_goal"}]}"#,
    );
    let new = new.unwrap();
    assert_eq!((new.grounding.limbs.solver, new.grounding.limbs.max_iterations), (Solver::Ccd, 4));
    assert_eq!((new.grounding.weight_source, new.grounding.speed.swing_speed), (WeightSource::Speed, 2.0));
    assert_eq!(new.chain_ik.chains[0].target_source, TargetSource::RightFootGoal);
    assert_eq!(Stack::of_preset(&new.to_preset()).unwrap(), new);
    for bad in [
        r#""grounding":{"limbs":{"tolerance":-1}}"#,
        r#""grounding":{"limbs":{"solver":"jacobian"}}"#,
        r#""grounding":{"cast_rate":-1}"#,
        r#""grounding":{"speed":{"smoothing":2}}"#,
    ] {
        let error = read(bad).unwrap_err();
        assert!(error.contains("grounding"), "{bad}: {error}");
    }
}

#[test]
fn between_casts_at_a_fixed_rate_a_frame_holds_what_the_last_ones_hit() {
    for method in [Method::Predictive, Method::FootIk] {
        let mut session = in_scene("stairs");
        edit(&mut session, |document| {
            (document.stack.grounding.method, document.stack.grounding.cast_rate) = (method, 20.0);
        });
        for _ in 0..10 {
            session.update(FRAME);
        }
        let hits = |session: &Session| -> Vec<_> {
            let events = &session.world.solved.grounding().unwrap().recording.solve.events;
            let hit = |event: &Event| if let Event::Cast(cast) = event { Some(cast.hit) } else { None };
            events.iter().filter_map(hit).collect()
        };
        let (mut casting, mut last) = (0, hits(&session));
        for frame in 0..120 {
            session.update(FRAME);
            let run = session.world.solved.grounding().unwrap();
            let now = hits(&session);
            let says = |run: &dyn Run, step: usize| run.step(step).sentence.starts_with("No cast in this frame");
            let steps: Vec<usize> = (0..run.steps()).filter(|&step| run.step(step).key == "cast").collect();
            assert_eq!(steps.len(), 2);
            for step in steps {
                assert_eq!(says(run, step), run.holds_casts, "{method:?}, frame {frame}");
                let text = run.event(step, 0, &|length| format!("{length:.3} m")).text;
                assert_eq!(text.contains("no cast in this frame"), run.holds_casts, "{text}");
                assert_eq!(run.formula(step, 0).is_none(), run.holds_casts);
            }
            match run.holds_casts {
                true => assert_eq!(now, last, "{method:?}, frame {frame}"),
                false => casting += 1,
            }
            last = now;
        }
        assert!((38..=42).contains(&casting), "{method:?}: {casting} of 120 frames cast");
        // Feet still find their ground, because at 20 Hz a cast is at most 1/20 s old.
        assert!(session.world.solved.grounding().unwrap().recording.output.legs.iter().all(|leg| leg.grounded));
    }
    let mut session = in_scene("stairs");
    for _ in 0..30 {
        session.update(FRAME);
        assert!(!session.world.solved.grounding().unwrap().holds_casts);
    }
    assert_eq!(session.world.solved.memory.casts, None);
}

#[test]
fn another_quality_casts_anew() {
    let mut session = in_scene("stairs");
    let choose = |session: &mut Session, quality| {
        edit(session, |document| {
            let grounding = &mut document.stack.grounding;
            (grounding.method, grounding.cast_rate, grounding.predictive.quality) = (Method::Predictive, 1.0, quality);
        });
    };
    choose(&mut session, Quality::Fastest);
    for _ in 0..3 {
        session.update(FRAME);
    }
    assert!(session.world.solved.grounding().unwrap().holds_casts);
    choose(&mut session, Quality::Simple);
    let run = session.world.solved.grounding().unwrap();
    assert!(!run.holds_casts);
    let mut hits = 0;
    for event in &run.recording.solve.events {
        let Event::Cast(cast) = event else { continue };
        let Some(hit) = cast.hit else { continue };
        let way = (cast.to - cast.from).normalize();
        let off = (hit.point - cast.from).reject_from_normalized(way).length();
        assert!(off < 1e-3, "{:?} of {:?} hit {off} m beside its ray", cast.purpose, cast.side);
        hits += 1;
    }
    assert!(hits > 3, "{hits}");
    session.update(FRAME);
    assert!(session.world.solved.grounding().unwrap().holds_casts);
}

#[test]
fn a_frame_that_is_solved_again_holds_or_casts_as_before() {
    let mut session = in_scene("stairs");
    edit(&mut session, |document| document.stack.grounding.cast_rate = 20.0);
    let (mut held, mut cast) = (0, 0);
    for frame in 0..40 {
        session.update(FRAME);
        let holds = session.world.solved.grounding().unwrap().holds_casts;
        let events = session.world.solved.grounding().unwrap().recording.solve.events.clone();
        edit(&mut session, |document| document.stack.full_body.solver.iterations = 3 + frame % 2);
        assert_eq!(session.world.solved.grounding().unwrap().holds_casts, holds, "frame {frame}");
        assert_eq!(session.world.solved.grounding().unwrap().recording.solve.events, events, "frame {frame}");
        (held, cast) = if holds { (held + 1, cast) } else { (held, cast + 1) };
    }
    assert!(held > 20 && cast > 10, "{held} {cast}");
}

#[test]
fn the_speed_of_the_bone_weighs_a_foot_as_the_curve_of_its_clip_does() {
    let mut session = in_scene("stairs");
    let mut curves = Vec::new();
    let mut speeds = Vec::new();
    for source in [WeightSource::Curve, WeightSource::Speed] {
        session = in_scene("stairs");
        edit(&mut session, |document| {
            document.stack.grounding.method = Method::FootIk;
            document.stack.grounding.weight_source = source;
        });
        for _ in 0..240 {
            session.update(FRAME);
            let output = session.world.solved.grounding().unwrap().recording.output;
            let weights = output.legs.map(|leg| leg.weight);
            assert_eq!(weights, session.world.solved.planted, "{source:?}");
            match source {
                WeightSource::Curve => curves.push(weights),
                WeightSource::Speed => speeds.push(weights),
            }
        }
    }
    let both = || curves.iter().flatten().zip(speeds.iter().flatten());
    let agree = both().filter(|(curve, speed)| (**curve > 0.5) == (**speed > 0.5)).count();
    let [stands, swings] =
        [true, false].map(|stands| speeds.iter().flatten().filter(|&&w| (w > 0.5) == stands).count());
    println!("{agree} of {} agree; {stands} stand, {swings} swing by speed", 2 * curves.len());
    assert!(agree as f32 > 0.8 * 2.0 * curves.len() as f32 && stands > 100 && swings > 50);
    assert!(session.world.solved.memory.speeds.is_some());
    edit(&mut session, |document| document.stack.grounding.weight_source = WeightSource::Curve);
    session.update(FRAME);
    assert_eq!(session.world.solved.memory.speeds, None);
}

#[test]
fn with_rotations_only_bones_below_the_pelvis_keep_their_distance_from_their_parents() {
    for scene in ["reach up and far", "reach with twist"] {
        let mut session = in_scene(scene);
        for _ in 0..45 {
            session.update(FRAME);
        }
        session.apply(Action::Command(Command::PlayPause));
        session.update(0.0);
        let whole = session.world.solved.pose.clone();
        let skeleton = session.world.character.model.skeleton.clone();
        let pelvis = session.world.character.rig.figure.as_ref().unwrap().pelvis;
        let given = session.world.solved.layer(LayerId::FullBody).unwrap().before.clone();
        // Returns the largest distance of a bone below the pelvis, in its parent's space, from `given`.
        let farthest = |pose: &[kinescope_ik::RigidTransform]| {
            let below = (0..pose.len()).filter(|&bone| skeleton.is_ancestor(pelvis, bone));
            let off = below.map(|bone| {
                let parent = skeleton.parent(bone).unwrap();
                let [a, b] = [pose, &given].map(|pose| pose[parent].to_local(&pose[bone]).position);
                a.distance(b)
            });
            off.fold(0.0, f32::max)
        };
        assert!(farthest(&whole) > 1e-3, "{scene}: the full body writes positions too: {}", farthest(&whole));
        assert!(session.world.solved.layer(LayerId::RotationsOnly).is_none());

        edit(&mut session, |document| document.stack.order.rotations_only = true);
        let solved = &session.world.solved;
        assert!(farthest(&solved.pose) < 1e-5, "{scene}: {}", farthest(&solved.pose));
        assert_eq!(solved.pose[pelvis], whole[pelvis]);
        for (bone, (own, before)) in solved.pose.iter().zip(&whole).enumerate() {
            assert_eq!(own.rotation, before.rotation, "{scene}: bone {bone} has another rotation");
        }
        // *Rotations only* is a layer with events and equations. The pose at the end of its run is the solved pose.
        let run = solved.run(LayerId::RotationsOnly).unwrap();
        assert!(run.steps() == 1 && run.events(0) > 0);
        for event in 0..run.events(0) {
            let sheet = run.formula(0, event).unwrap();
            assert_eq!(crate::common::flaws::flaws(&sheet, usize::MAX), Vec::<String>::new());
        }
        let mut pose = whole.clone();
        run.pose(Cursor::end(run), &mut pose);
        assert_eq!(pose, solved.pose);
        assert!(run.measure(0, Cursor::end(run)) > 1e-3);
        session.apply(Action::Select(Selection::Layer(LayerId::RotationsOnly)));
        assert_eq!(session.focus(), LayerId::RotationsOnly);
        let stack = session.world.stack();
        assert_eq!(Stack::of_preset(&stack.to_preset()).unwrap(), *stack);
        edit(&mut session, |document| document.stack.order.full_body_off = true);
        assert!(session.world.solved.run(LayerId::RotationsOnly).is_none());
    }
}
