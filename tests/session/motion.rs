//! Motion in the session: scenes on uneven ground, at several frame rates; fades, layers, ground that is edited.

use kinescope_ik::ground::Layers;
use kinescope_ik::stack::{Drive, GroundingSection, Method};
use std::sync::Arc;
use std::time::Duration;

use glam::{Vec2, Vec3};
use kinescope::character::{BuiltIn, Character};
use kinescope::scenes::{RestPose, SCENES, Scene};
use kinescope::session::answers::Answer;
use kinescope::session::commands::Command;
use kinescope::session::headless::Headless;
use kinescope::session::{Action, Brush, Dialog, Session, Start, Tool};
use kinescope::tools::export;
use kinescope::tools::motion::session::MotionAction;
use kinescope::world::document::{ClipSection, Document};
use kinescope::world::motion::Travel;
use kinescope::world::motion::clip_player::BakeRange;
use kinescope_ik::full_body::{Effector, Settings};
use kinescope_ik::grounding::lock::PLANTED;
use kinescope_ik::grounding::{LegOutput, Side};
use kinescope_ik::rig::{Interpolation, ModelPose, Track, TrackValues};
use kinescope_ik::terrain::Terrain;

use crate::common::built_in::BYTES;
use crate::common::files::Folder;
use crate::common::gltf::Glb;
use crate::common::session::{biped, in_scene, run, without_steps};

fn edit(document: Document) -> Action {
    Action::Edit { label: "test".to_owned(), gesture: None, document: Box::new(document) }
}

/// A baked path moves the root bone, and the character used to walk out of the picture.
#[test]
fn the_camera_follows_a_clip_that_moves_the_root_bone() {
    let mut character = Character::built_in().unwrap();
    let clips = &mut Arc::make_mut(&mut character.model).clips;
    let walk = clips.iter().position(|clip| clip.name == "walk").unwrap();
    let clip = &mut clips[walk];
    clip.tracks.retain(|track| track.bone != 0 || !matches!(track.values, TrackValues::Translation(_)));
    clip.tracks.push(Track {
        bone: 0,
        interpolation: Interpolation::Linear,
        times: vec![0.0, clip.duration],
        values: TrackValues::Translation(vec![Vec3::new(0.0, 0.0, 4.0), Vec3::new(0.0, 0.0, 9.0)]),
    });
    let mut session = Session::new(character);
    session.update(0.0);
    let from = session.look.camera.target;
    session.apply(Action::Clip(Some(walk)));
    let play = |session: &mut Session| {
        for _ in 0..20 {
            session.update(1.0 / 60.0);
        }
        session.world.picture.animated.bones[0].position
    };
    let root = play(&mut session);
    assert!(root.z > 4.5, "{root}");
    let target = session.look.camera.target;
    assert!((target - from).distance(root) < 1e-3, "{target} {from} {root}");
    session.apply(Action::Motion(MotionAction::Follow(false)));
    assert!(play(&mut session).z > root.z + 1.0);
    assert_eq!(session.look.camera.target, target);
}

fn grounded() -> impl Iterator<Item = &'static Scene> {
    SCENES.iter().filter(|scene| in_scene(scene.name).world.plan().grounding.method != Method::Off)
}

/// The largest allowed depth of a sole in the ground while the character walks, metres.
const IN_MOTION: f32 = 0.020;
/// The largest allowed depth of a sole in the ground while the character stands, metres.
const AT_REST: f32 = 0.005;

/// Asserts that both feet of a frame are at their goals. A leg of weight below 1 may miss its goal.
fn assert_feet_reach(session: &Session, at: &str) {
    let Some(output) = session.world.solved.grounded() else { panic!("{at} is not grounded") };
    for side in Side::ALL {
        let LegOutput { ik_position, held, weight, .. } = output.legs[side as usize];
        let Ok(solver) = &session.world.character.rig.full_body else { panic!("the mannequin solves") };
        let node = Effector::END[side.limb().index()].node();
        let missed = session.world.picture.pose.position(solver.bone_of(node)).distance(ik_position + held);
        assert!(weight < 1.0 || missed < 0.002, "{at}: {side:?} misses by {missed} m");
    }
}

#[test]
fn in_every_scene_both_feet_reach_their_ground_and_sink_into_none() {
    let mut count = 0;
    for scene in grounded() {
        let mut session = without_steps(in_scene(scene.name));
        // In scenes with chains, feet may sink: a chain that follows a foot goal turns the foot with the shin, after
        // grounding has laid the sole on the ground.
        let may_sink = !session.world.stack().chain_ik.chains.is_empty();
        let stands = session.world.plan().motion.travel == Travel::InPlace;
        let allowed = if stands { AT_REST } else { IN_MOTION };
        let mut animated = 0.0f32;
        // In 25 s a character walks every path once.
        for frame in 0..60 * if may_sink { 12 } else { 25 } {
            session.update(1.0 / 60.0);
            let at = format!("{}, frame {frame}", scene.name);
            assert_feet_reach(&session, &at);
            for contact in session.world.contacts().into_iter().flatten().filter(|_| !may_sink) {
                let depth = session.world.motion.depth(&contact.solved, contact.layers).unwrap_or(0.0);
                assert!(depth < allowed, "{at}: {depth} m");
                animated = animated.max(session.world.motion.depth(&contact.animated, contact.layers).unwrap_or(0.0));
            }
        }
        // On flat ground and over a bridged trench the clip's own feet never sink, so these scenes cannot show the
        // effect.
        let proves = !may_sink && !["gap", "idle, walk, run"].contains(&scene.name);
        assert!(!proves || animated > 2.0 * IN_MOTION, "{}: {animated} m as animated", scene.name);
        count += usize::from(!may_sink);
    }
    assert!(count >= 9);
}

#[test]
fn standing_still_comes_to_rest_on_the_ground() {
    for (_, make) in Terrain::presets() {
        for start in [Vec2::new(0.05, 2.0), Vec2::new(0.4, 3.1), Vec2::new(-0.7, 4.4)] {
            for method in [Method::Predictive, Method::FootIk] {
                let mut session = without_steps(in_scene("two heights"));
                let mut document = session.world.history.document().clone();
                document.terrain = Some(Arc::new(Terrain { platforms: Vec::new(), ..make() }));
                document.stack.grounding = GroundingSection { method, ..GroundingSection::default() };
                document.stack.grounding.foot_ik.rotate_feet = true;
                document.motion.start = start;
                session.apply(edit(document));
                session.world.clip.playing = false;
                for _ in 0..180 {
                    session.update(1.0 / 60.0);
                }
                for contact in session.world.contacts().into_iter().flatten() {
                    // The single ray of foot IK misses an edge beside it, so only the first point of the foot is
                    // checked.
                    let points = if method == Method::FootIk { &contact.solved[..1] } else { &contact.solved[..] };
                    let depth = session.world.motion.depth(points, Layers::ALL).unwrap_or(0.0);
                    let terrain = session.world.plan().terrain.unwrap();
                    let flat = contact.solved.iter().all(|point| {
                        let around = [(-0.1, 0.0), (0.1, 0.0), (0.0, -0.1), (0.0, 0.1)];
                        let heights = around.map(|(x, z)| terrain.height_at(point.x + x, point.z + z).unwrap_or(0.0));
                        heights.iter().all(|height| (height - heights[0]).abs() < 0.1)
                    });
                    assert!(depth < AT_REST || !flat, "{method:?} at {start}: {depth} m");
                }
                assert!(!session.is_moving(), "the character came to rest");
            }
        }
    }
}

/// Returns the positions of hands, feet and pelvis after each of `times`, in seconds and in rising order, of a walk
/// computed at `rate` frames a second.
fn walked(scene: &str, rate: f32, times: &[f32], change: impl Fn(&mut Document)) -> Vec<Vec<Vec3>> {
    let mut session = without_steps(in_scene(scene));
    let mut document = session.world.history.document().clone();
    document.motion.frame_rate = Some(rate);
    change(&mut document);
    session.apply(edit(document));
    let Ok(solver) = &session.world.character.rig.full_body else { panic!("the mannequin solves") };
    let ends = Effector::END.into_iter().chain([Effector::Body]);
    let bones: Vec<_> = ends.map(|effector| solver.bone_of(effector.node())).collect();
    let mut drawn = 0;
    let positions = times.iter().map(|seconds| {
        // The display draws sixty times a second, but the motion is computed `rate` times a second.
        let until = (seconds * 60.0).round() as usize;
        for _ in drawn..until {
            session.update(1.0 / 60.0);
        }
        drawn = until;
        bones.iter().map(|&bone| session.world.picture.pose.position(bone)).collect()
    });
    positions.collect()
}

/// Returns how far walks at lower rates differ from the walk at 240 Hz: the rate, the time in seconds, and the largest
/// distance of a hand, a foot or the pelvis in metres.
fn rates_apart(scene: &str, times: &[f32], change: impl Fn(&mut Document)) -> Vec<(f32, f32, f32)> {
    let like = walked(scene, 240.0, times, &change);
    let mut apart = Vec::new();
    for rate in [30.0, 60.0, 144.0] {
        for ((like, found), &seconds) in like.iter().zip(walked(scene, rate, times, &change)).zip(times) {
            let most = like.iter().zip(found).map(|(a, b)| a.distance(b)).fold(0.0, f32::max);
            apart.push((rate, seconds, most));
        }
    }
    apart
}

#[test]
fn the_same_walk_at_every_frame_rate() {
    const SMOOTH: [f32; 4] = [0.5, 2.0, 5.0, 9.0];
    // An edge takes effect in the first frame that has it under the foot, so rates differ during a step up and agree
    // after it.
    const EDGED: [f32; 3] = [4.0, 10.0, 15.5];
    let mut failures = Vec::new();
    for (scene, times) in [
        ("hills", &SMOOTH[..]),
        ("slope", &SMOOTH),
        ("moving platform", &SMOOTH),
        ("two heights", &SMOOTH),
        ("ray and curve", &SMOOTH),
        ("idle, walk, run", &SMOOTH),
        ("gap", &SMOOTH),
        ("stairs", &EDGED),
        ("rubble", &EDGED),
        ("leaning", &SMOOTH[1..]),
        ("ground layers", &SMOOTH),
    ] {
        for (rate, seconds, most) in rates_apart(scene, times, |_| {}) {
            if most >= 0.001 {
                failures.push(format!("{scene}, {rate} Hz after {seconds} s: {:.2} mm", most * 1e3));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Rates may differ by a few millimetres for three reasons: in each frame the lock cancels the motion of heel, ball or
/// tip, whichever moved least; the method *Path* shifts steps on a grid of 2 cm; and a change of the method takes
/// effect at a frame.
#[test]
fn feet_are_held_in_the_same_places_at_every_frame_rate() {
    for (scene, lock, method, allowed) in [
        ("hills", true, Method::Predictive, 0.003),
        ("stairs", true, Method::Predictive, 0.003),
        ("hills", true, Method::FootIk, 0.003),
        ("stairs", true, Method::Path, 0.003),
        ("stairs", false, Method::Path, 0.01),
        ("grounding by clip", false, Method::Predictive, 0.0015),
    ] {
        let change = |document: &mut Document| {
            (document.stack.grounding.lock.on, document.stack.grounding.method) = (lock, method);
        };
        for (rate, seconds, most) in rates_apart(scene, &[4.0, 7.0, 10.0], change) {
            let text = format!("{scene}, {method:?}, lock {lock}: {rate} Hz after {seconds} s {:.2} mm", most * 1e3);
            println!("{text}");
            assert!(most < allowed, "{text}");
        }
    }
}

#[test]
fn limbs_are_driven_as_well_as_the_full_body() {
    let mut session = in_scene("two heights");
    let mut document = session.world.history.document().clone();
    document.stack.grounding.drive = Drive::Limbs;
    session.apply(edit(document));
    for _ in 0..30 {
        session.update(1.0 / 60.0);
    }
    assert!(session.world.drives_limbs() && session.world.solved.full_body().is_none());
    for contact in session.world.contacts().into_iter().flatten() {
        let depth = session.world.motion.depth(&contact.solved, contact.layers).unwrap();
        assert!(depth.abs() < AT_REST, "{depth}");
    }
    // A hand's target is reached as usual, and the shoulder stays, because only the hand's own arm moves.
    let before = session.world.picture.pose.clone();
    let mut settings = *session.world.settings();
    let hand = session.state().unwrap().nodes()[Effector::LeftHand.node()];
    let target = hand + Vec3::new(0.0, 0.15, 0.1);
    (settings.effector_mut(Effector::LeftHand).position, settings.effector_mut(Effector::LeftHand).position_weight) =
        (Some(target), 1.0);
    session.apply(Action::Edit {
        label: "hand".to_owned(),
        gesture: None,
        document: Box::new(session.world.history.document().with_settings(settings)),
    });
    session.world.clip.playing = false;
    session.update(1.0 / 60.0);
    let Ok(solver) = &session.world.character.rig.full_body else { panic!("the mannequin solves") };
    let at = |effector: Effector| session.world.picture.pose.position(solver.bone_of(effector.node()));
    assert!(at(Effector::LeftHand).distance(target) < 0.002);
    let shoulder = solver.bone_of(Effector::LeftShoulder.node());
    assert!(session.world.picture.pose.position(shoulder).distance(before.position(shoulder)) < 0.01);
}

#[test]
fn the_time_of_a_frame_is_in_the_clip_that_fades_in() {
    let mut session = in_scene("dropped fades");
    let mut differ = 0;
    for _ in 0..240 {
        session.update(1.0 / 60.0);
        let player = &session.world.clip;
        assert_eq!(session.world.clip_time(), player.time());
        differ += usize::from(player.time() != player.crossfade.time());
    }
    assert!(differ > 20, "{differ}");
}

/// Each swinging foot lands where the clip that fades in plants it next, from the time of that clip on.
#[test]
fn landings_during_a_fade_are_those_of_the_clip_that_fades_in() {
    const SAMPLE: f32 = 1.0 / 120.0;
    let mut session = without_steps(in_scene("idle, walk, run"));
    let mut document = session.world.history.document().clone();
    document.stack.grounding.method = Method::Path;
    let (mut landings, mut differ) = (0, 0);
    for frame in 0..60 * 8 {
        if frame % 36 == 0 {
            document.motion.pace = [1.4, 3.0][frame / 36 % 2];
            session.apply(edit(document.clone()));
        }
        session.update(1.0 / 60.0);
        let (world, player) = (&session.world, &session.world.clip);
        if player.crossfade.fades().is_empty() {
            continue;
        }
        let clip = player.clip().unwrap();
        let duration = world.character.model.clips[clip].duration;
        let curves = world.motion.curves(&world.plan(), &world.character, Some(clip)).unwrap();
        for (curve, landing) in curves.iter().zip(world.solved.input.place.footprints) {
            let next = |now: f32| {
                let stands = |ahead: f32| curve.evaluate(((now + ahead) / duration).rem_euclid(1.0)) > PLANTED;
                (0..=240).map(|sample| sample as f32 * SAMPLE).find(|&ahead| stands(ahead)).unwrap()
            };
            let expected = next(player.time());
            let time = landing.map_or(0.0, |landing| landing.time * player.speed * world.motion.rate);
            assert!((time - expected).abs() < 1.5 * SAMPLE, "frame {frame}: {time} s instead of {expected} s");
            landings += usize::from(time > 0.0);
            differ += usize::from((expected - next(player.crossfade.time())).abs() > 3.0 * SAMPLE);
        }
    }
    assert!(landings > 20 && differ > 20, "{landings} {differ}");
}

#[test]
fn no_fade_of_the_pace_makes_a_joint_jump() {
    let mut session = without_steps(in_scene("idle, walk, run"));
    let Ok(solver) = &session.world.character.rig.full_body else { panic!("the mannequin solves") };
    let bones: Vec<usize> = Effector::ALL.map(|effector| solver.bone_of(effector.node())).to_vec();
    let places = |session: &Session| -> Vec<Vec3> {
        let root = session.world.motion.root;
        bones.iter().map(|&bone| root.to_local(&session.world.picture.animated.bones[bone]).position).collect()
    };
    let (mut before, mut fades) = (places(&session), 0);
    for frame in 0..60 * 8 {
        // The pace changes five times a second, mostly in the middle of a fade.
        if frame % 12 == 0 {
            let mut document = session.world.history.document().clone();
            document.motion.pace = [0.0, 2.6, 1.0, 0.1, 3.0, 0.9][frame / 12 % 6];
            session.apply(edit(document));
        }
        session.update(1.0 / 60.0);
        fades = fades.max(session.world.clip.crossfade.fades().len());
        let now = places(&session);
        // No joint moves at more than 9 m/s relative to the root, so a larger step is a jump.
        let moved = before.iter().zip(&now).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(moved < 9.0 / 60.0, "frame {frame}: {moved} m");
        before = now;
    }
    assert!(fades > 1, "fades were interrupted");
}

#[test]
fn a_stroke_raises_the_ground_and_is_one_step_back() {
    let mut session = in_scene("two heights");
    session.apply(Action::Motion(MotionAction::Brush(Brush { tool: Some(Tool::Raise), ..Brush::default() })));
    let before = session.world.plan().terrain.unwrap().clone();
    let at = Vec2::new(-0.6, 2.4);
    let pointer = session.projector().to_screen(session.world.on_ground(at)).unwrap();
    session.press(pointer);
    for _ in 0..20 {
        session.drag_to(pointer);
        session.update(1.0 / 60.0);
    }
    session.release();
    let raised = session.world.plan().terrain.unwrap().height_at(at.x, at.y).unwrap();
    assert!((0.05..0.2).contains(&(raised - before.height_at(at.x, at.y).unwrap())), "{raised}");
    assert_eq!(session.world.history.undo().as_deref(), Some("raise the ground"));
    assert_eq!(session.world.plan().terrain.unwrap(), &before);
}

fn sampled(session: &Session) -> ModelPose {
    let (character, mut local) = (&session.world.character, session.world.character.rest.clone());
    character.model.clips[session.world.clip.clip().unwrap()].sample(session.world.clip.time(), &mut local);
    ModelPose::from_local(&character.model.skeleton, &local)
}

fn off_the_clip(session: &Session) -> f32 {
    let pairs = session.world.picture.pose.bones.iter().zip(sampled(session).bones);
    pairs.map(|(own, like)| own.position.distance(like.position)).fold(0.0, f32::max)
}

/// The first scene pins both feet at rest. Clips that the user chose used to play with these pins.
#[test]
fn a_chosen_clip_plays_without_pins() {
    for name in ["walk", "run"] {
        let mut session = in_scene("stand");
        let pinned = *session.world.settings();
        let clip = session.world.character.find_clip(name).unwrap();
        session.apply(Action::Clip(Some(clip)));
        for _ in 0..50 {
            session.update(1.0 / 60.0);
            let off = off_the_clip(&session);
            assert!(off < 1e-4, "{name} at {} s: a bone is {off} m off", session.world.clip.time());
        }
        assert!(
            session.started_scene.scene.is_none()
                && session.world.settings().effectors == Settings::default().effectors
        );
        run(&mut session, Command::Undo);
        assert_eq!(*session.world.settings(), pinned);
    }
    // Targets that the user set stay. A scene that plays a clip also stays, with its targets.
    let mut session = in_scene("stand");
    let mut settings = *session.world.settings();
    let hand = settings.effector_mut(Effector::LeftHand);
    (hand.position, hand.position_weight) = (Some(glam::Vec3::new(0.4, 1.3, 0.4)), 1.0);
    session.edit_settings("hand", None, settings);
    session.apply(Action::Clip(Some(session.world.character.find_clip("walk").unwrap())));
    let now = session.world.settings();
    assert_eq!(now.effector(Effector::LeftHand), settings.effector(Effector::LeftHand));
    assert_eq!(now.effector(Effector::LeftFoot).position_weight, 0.0);
    let mut session = in_scene("walk with hands pinned");
    let settings = *session.world.settings();
    session.apply(Action::Clip(Some(session.world.character.find_clip("run").unwrap())));
    assert!(*session.world.settings() == settings && session.started_scene.scene.is_some());
}

#[test]
fn a_clip_with_root_motion_moves_the_character() {
    let document = Document { clip: ClipSection { name: Some("walk".to_owned()), time: 0.0 }, ..Document::default() };
    let mut document = document;
    document.motion.travel = Travel::Path;
    document.motion.path = vec![glam::Vec2::new(0.0, 0.0), glam::Vec2::new(0.0, 8.0)];
    document.motion.closed = false;
    let mut headless = Headless::new(Character::built_in().unwrap(), document).unwrap();
    let baked = headless.bake(BakeRange { to: 3.3, ..headless.whole_clip(30.0) }).unwrap();
    let folder = Folder::new("root motion");
    let file = folder.write("walks.glb", export::clip_glb(&headless.character, &baked).unwrap().bytes);
    let mut session = Session::new(Character::load(file.as_ref()).unwrap());
    let walk = session.world.character.find_clip("walk").unwrap();
    session.apply(Action::Clip(Some(walk)));
    let pelvis = session.world.character.detection.biped.as_ref().unwrap().pelvis;
    for _ in 0..150 {
        session.update(1.0 / 60.0);
        assert!(off_the_clip(&session) < 1e-4, "at {} s", session.world.clip.time());
    }
    assert!(session.world.picture.pose.position(pelvis).z > 2.0);
    let mut document = session.world.history.document().clone();
    document.motion.travel = Travel::InPlace;
    session.edit("in place", None, document);
    for _ in 0..20 {
        session.update(1.0 / 60.0);
    }
    assert!(session.world.picture.pose.position(pelvis).z.abs() < 0.3, "on the spot");
}

/// The scene "stairs" with a model without clips used to show a T-pose without a message.
#[test]
fn a_scene_whose_clips_are_missing_offers_the_mannequin() {
    for built_in in [BuiltIn::Mannequin, BuiltIn::Faun] {
        let rest = RestPose::of(&Character::from_built_in(built_in).unwrap());
        for scene in SCENES {
            assert!(scene.missing_clips(&rest).is_empty(), "{}: {:?}", scene.name, scene.missing_clips(&rest));
        }
    }
    let mut file = Glb::read(BYTES);
    file.root.as_object_mut().unwrap().remove("animations");
    let folder = Folder::new("no clips");
    let path = folder.write("still.glb", file.write());
    for answer in [
        Action::Answer(Answer::SceneOnMannequin),
        Action::Answer(Answer::SceneAnyway),
        Action::Answer(Answer::CloseDialog),
    ] {
        let mut session = Session::new(Character::load(path.as_ref()).unwrap());
        session.apply(Action::Scene("stairs"));
        let missing = vec!["walk".to_owned()];
        assert_eq!(session.window.dialog, Some(Dialog::SceneNeedsClips { scene: "stairs", missing }));
        assert_eq!(session.started_scene.scene.map(|scene| scene.name), Some("stand"), "no scene has started");
        session.fail("the pelvis of still.glb is not sure");
        session.apply(answer.clone());
        session.update(1.0 / 60.0);
        let (model, scene) =
            (session.world.character.model.name.as_str(), session.started_scene.scene.map(|scene| scene.name));
        match answer {
            Action::Answer(Answer::SceneOnMannequin) => {
                assert_eq!((model, scene), ("mannequin", Some("stairs")));
                assert!(session.world.clip.clip().is_some() && session.world.plan().terrain.is_some());
                assert!(session.window.notice.is_none(), "the message about the replaced model remains");
            }
            Action::Answer(Answer::SceneAnyway) => assert_eq!((model, scene), ("still.glb", Some("stairs"))),
            _ => assert_eq!((model, scene), ("still.glb", Some("stand"))),
        }
        assert_eq!(session.window.dialog, None);
    }
    // Starting the scene from the command line opens the same dialog, also for a screenshot. A clip given there
    // replaces the scene's clip, so no dialog opens.
    let mut file = Glb::read(BYTES);
    let clips = file.root["animations"].as_array_mut().unwrap();
    clips.iter_mut().enumerate().for_each(|(index, clip)| clip["name"] = format!("dance {index}").into());
    let dances = folder.write("dances.glb", file.write());
    for (is_silent, clip, model) in
        [(true, None, &path), (false, None, &path), (true, None, &dances), (true, Some("dance 1"), &dances)]
    {
        let mut session = Session::new(biped());
        let start =
            Start { scene: Scene::find("stairs"), clip: clip.map(str::to_owned), is_silent, ..Start::default() };
        session.open_model_and_start(model.as_ref(), start);
        session.wait_for_model(Duration::from_secs(600)).unwrap();
        let (asks, scene) = (session.window.dialog.is_some(), session.started_scene.scene.map(|scene| scene.name));
        let expected = if clip.is_some() { (false, Some("stairs")) } else { (true, Some("stand")) };
        assert_eq!((asks, scene), expected, "{:?}", session.window.dialog);
        assert_eq!(session.world.history.document().clip.name.as_deref(), clip);
    }
    let mut session = Session::new(Character::load(path.as_ref()).unwrap());
    session.apply(Action::Scene("crouch"));
    assert_eq!((&session.window.dialog, session.started_scene.scene.map(|scene| scene.name)), (&None, Some("crouch")));
}

#[test]
fn before_the_first_frame_clips_play_at_their_own_rate() {
    let session = Session::new(biped());
    assert_eq!(session.world.motion.rate, 1.0);
}
