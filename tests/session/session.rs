use glam::{Vec2, Vec3};
use kinescope_ik::full_body::{Effector, Node, Stage};
use kinescope_ik::preset::Preset;
use kinescope_ik::rig::{LimbName, Mapping, Model, ModelPose, ReferenceChoice, detect};
use kinescope_ik::stack::LayerId;
use kinescope_ik::stepped::run::{Cursor, Stride, instants};

use crate::common::figure::is_as_in_ground_truth;
use crate::common::files::temporary;
use crate::common::session::{biped, body, run, session};
use crate::common::{self, PATIENCE};
use kinescope::character::{BuiltIn, Character};
use kinescope::scenes::{SCENES, Scene};
use kinescope::session::answers::Answer;
use kinescope::session::commands::Command;
use kinescope::session::{Action, Dialog, Selection, Session};
use kinescope::tools::pose::handles::HandleId;
use kinescope::tools::steps::session::StepAction;

fn drag(session: &mut Session, id: HandleId, by: Vec2) {
    let handle = session.handles().into_iter().find(|handle| handle.id == id).expect("the handle is in the picture");
    session.press(handle.screen);
    for step in 1..=10 {
        session.drag_to(handle.screen + by * (step as f32 / 10.0));
        session.update(1.0 / 60.0);
    }
    session.release();
    session.update(1.0 / 60.0);
}

#[test]
fn a_dragged_hand_takes_the_body_along_and_is_one_edit() {
    let mut session = session();
    let before = session.state().unwrap();
    drag(&mut session, HandleId::Effector(Effector::LeftHand), Vec2::new(120.0, -160.0));
    let after = session.state().unwrap();
    assert!(before.node(Node::LeftHand).distance(after.node(Node::LeftHand)) > 0.3);
    assert!(before.node(Node::Body).distance(after.node(Node::Body)) > 0.005, "the body did not follow");
    let target = session.world.settings().effector(Effector::LeftHand).position.unwrap();
    assert!(after.node(Node::LeftHand).distance(target) < 0.01);
    assert_eq!(session.interaction.selection, Selection::Effector(Effector::LeftHand));
    assert!(session.world.history.is_unsaved());
    run(&mut session, Command::Undo);
    assert!(!session.world.history.is_unsaved());
    assert_eq!(session.state().unwrap().nodes(), before.nodes());
    run(&mut session, Command::Redo);
    assert_eq!(session.state().unwrap().nodes(), after.nodes());
}

#[test]
fn stepping_back_is_as_exact_as_forward() {
    let mut session = session();
    session.start_scene(Scene::find("reach and brace").unwrap());
    session.update(0.0);
    for stride in [Stride::Event, Stride::Step, Stride::Iteration] {
        let run = session.world.solved.full_body().unwrap();
        let mut seen = vec![(Cursor::default(), run.state(Cursor::default()))];
        loop {
            let cursor = seen.last().unwrap().0.next(stride, run);
            if cursor == seen.last().unwrap().0 {
                break;
            }
            seen.push((cursor, run.state(cursor)));
            assert!(seen.len() < 5000);
        }
        assert!(seen.len() > 4, "{stride:?}");
        if stride != Stride::Event {
            let (mut cursor, _) = seen.pop().unwrap();
            while let Some((expected, state)) = seen.pop() {
                cursor = cursor.previous(stride, run);
                assert_eq!(cursor, expected, "{stride:?}");
                assert_eq!(run.state(cursor), state);
            }
        } else {
            // Each move starts in the state in which the previous move ended, across all steps.
            for pair in seen.windows(2).skip(1).filter(|pair| pair[1].0.within.is_some()) {
                let before = run.state(pair[1].0.before().unwrap());
                assert_eq!(before.nodes(), pair[0].1.nodes(), "{:?}", pair[1].0);
            }
            // Stepping back from the last move passes through each move once, down to the first.
            let moves: Vec<Cursor> = instants(run).filter(|at| at.within.is_some()).collect();
            let mut cursor = *moves.last().unwrap();
            for &expected in moves.iter().rev().skip(1) {
                cursor = cursor.previous(stride, run);
                assert_eq!(cursor, expected);
            }
            cursor = cursor.previous(stride, run);
            assert_eq!(cursor, if moves[0].step == 0 { moves[0] } else { Cursor::default() });
            assert_eq!(cursor.previous(stride, run), cursor);
        }
    }
}

#[test]
fn keys_step_through_the_stages() {
    let mut session = session();
    run(&mut session, Command::NextStage);
    assert!(session.world.time.is_paused());
    let stage = |session: &Session| body(session).solve.steps[session.world.time.cursor.step].step.stage;
    assert_eq!(stage(&session), Stage::Read);
    for expected in [Stage::EndEffectors, Stage::Push, Stage::Reach, Stage::BodyEffectors, Stage::Trigonometric] {
        run(&mut session, Command::NextStage);
        assert_eq!(stage(&session), expected);
    }
    run(&mut session, Command::PreviousStage);
    assert_eq!(stage(&session), Stage::BodyEffectors);
    run(&mut session, Command::Live);
    assert!(session.world.is_live());
    let run = session.shown_run().unwrap();
    assert_eq!(
        (session.world.time.cursor, run.step(session.world.time.cursor.step).key),
        (session.end(), "write_right_leg")
    );
}

#[test]
fn editing_while_paused_solves_again_and_keeps_the_stage() {
    let mut session = session();
    session.start_scene(Scene::find("two hands at odds").unwrap());
    session.update(0.0);
    let step = body(&session).solve.steps.iter().position(|step| step.step.stage == Stage::Stage2).unwrap();
    session.apply(Action::Steps(StepAction::Seek(Cursor { step, within: None })));
    session.update(0.0);
    let before = session.state().unwrap();
    let mut settings = *session.world.settings();
    settings.chains[0].pull = 0.1;
    session.apply(Action::Edit {
        label: "pull".into(),
        gesture: None,
        document: Box::new(session.world.history.document().with_settings(settings)),
    });
    session.update(0.0);
    assert_eq!(body(&session).solve.steps[session.world.time.cursor.step].step.stage, Stage::Stage2);
    assert!(session.world.time.is_paused());
    assert_ne!(session.state().unwrap().nodes(), before.nodes());
}

#[test]
fn live_and_the_last_step_are_the_same_instant() {
    let mut session = session();
    session.start_scene(Scene::find("crouch").unwrap());
    session.update(0.0);
    let live = (session.state(), session.world.picture.pose.clone());
    run(&mut session, Command::FirstStep);
    assert_ne!(session.world.picture.pose, live.1);
    run(&mut session, Command::LastStep);
    assert_eq!((session.state(), session.world.picture.pose.clone()), live);
}

#[test]
fn presets_survive_the_disk_and_nothing_is_lost_silently() {
    let mut session = session();
    drag(&mut session, HandleId::Effector(Effector::RightHand), Vec2::new(-60.0, -90.0));
    run(&mut session, Command::Quit);
    assert!(matches!(session.window.dialog, Some(Dialog::Unsaved(_))));
    assert!(!session.window.quit);
    session.apply(Action::Answer(Answer::CloseDialog));
    let path = temporary("saved.json");
    session.apply(Action::File(Command::SavePresetAs, path.clone()));
    assert!(!session.world.history.is_unsaved());
    let saved = Preset::from_json(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(saved.settings, *session.world.settings());

    let mut other = Session::new(biped());
    other.apply(Action::File(Command::OpenPreset, path.clone()));
    other.update(0.0);
    assert_eq!(other.world.settings(), session.world.settings());
    assert_eq!(other.state().unwrap().nodes(), session.state().unwrap().nodes());

    std::fs::write(&path, r#"{ "format": "kinescope-preset", "version": 1, "solver": { "wieght": 1 } }"#).unwrap();
    let before = *other.world.settings();
    other.apply(Action::File(Command::OpenPreset, path));
    assert_eq!(*other.world.settings(), before);
    let notice = other.window.notice.unwrap();
    assert!(notice.is_error && notice.text.contains("solver.wieght"), "{}", notice.text);
}

#[test]
fn a_preset_saved_while_paused_opens_at_the_same_instant() {
    let path = temporary("paused.json");
    let hand = Selection::Effector(Effector::LeftHand);
    for (scene, selection) in [
        ("reach and brace", hand),
        ("stairs", Selection::Layer(LayerId::Grounding)),
        ("chain on top", Selection::Layer(LayerId::Chain(0))),
        ("chain lab", Selection::Nothing),
    ] {
        let mut session = session();
        session.start_scene(Scene::find(scene).unwrap());
        session.update(0.0);
        session.apply(Action::Select(selection));
        run(&mut session, Command::PlayPause);
        let steps = session.shown_run().unwrap().steps();
        assert!(steps > 2, "{scene}");
        for step in 0..steps {
            let has_moves = session.shown_run().unwrap().events(step) > 0;
            session.apply(Action::Steps(StepAction::Seek(Cursor { step, within: has_moves.then_some(0) })));
            session.apply(Action::File(Command::SavePresetAs, path.clone()));
            let mut other = Session::new(biped());
            other.apply(Action::File(Command::OpenPreset, path.clone()));
            assert!(other.world.time.is_paused(), "{scene} {step}");
            assert_eq!(
                (other.focus(), other.world.time.cursor),
                (session.focus(), session.world.time.cursor),
                "{scene}"
            );
            if selection == hand {
                assert_eq!((other.interaction.selection, other.state()), (hand, session.state()));
            }
        }
    }
    // Older presets name steps of the full body without a layer.
    let mut preset: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    preset["chain_ik"] = serde_json::Value::Null;
    preset.as_object_mut().unwrap().remove("chain_ik");
    preset["view"]["paused_at"] = serde_json::json!({ "iteration": 1, "stage": "stage2" });
    std::fs::write(&path, preset.to_string()).unwrap();
    let mut other = Session::new(biped());
    other.apply(Action::File(Command::OpenPreset, path));
    let step = other.body_step().unwrap();
    assert_eq!((step.iteration, step.stage), (Some(1), Stage::Stage2));
}

#[test]
fn saving_when_asked_on_quit_then_quits() {
    let mut session = session();
    drag(&mut session, HandleId::Effector(Effector::LeftFoot), Vec2::new(0.0, -50.0));
    run(&mut session, Command::Quit);
    session.apply(Action::Answer(Answer::SaveChanges));
    assert_eq!(session.window.dialog, Some(Dialog::File(Command::SavePresetAs)));
    session.apply(Action::File(Command::SavePresetAs, temporary("leaving.json")));
    assert!(session.window.quit);
}

#[test]
fn a_completed_file_name_is_not_overwritten_without_a_question() {
    let mut session = session();
    let path = temporary("completed.json");
    std::fs::write(&path, "theirs").unwrap();
    let ask = || {
        Action::Answer(Answer::AskToOverwrite(
            path.clone(),
            Box::new(Action::File(Command::SavePresetAs, path.clone())),
        ))
    };
    session.apply(ask());
    assert_eq!(session.window.dialog, Some(Dialog::Exists(path.clone())));
    session.apply(Action::Answer(Answer::CloseDialog));
    session.apply(Action::Answer(Answer::Overwrite));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "theirs", "saving was cancelled");
    session.apply(ask());
    session.apply(Action::Answer(Answer::Overwrite));
    assert_eq!(session.window.dialog, None);
    assert!(Preset::from_json(&std::fs::read_to_string(&path).unwrap()).is_ok());
}

#[test]
fn a_model_that_does_not_load_leaves_everything_as_it_was() {
    let mut session = session();
    drag(&mut session, HandleId::Effector(Effector::LeftHand), Vec2::new(30.0, -50.0));
    let path = temporary("text.glb");
    std::fs::write(&path, "not a model").unwrap();
    let before = (*session.world.settings(), session.world.character.model.name.clone());
    session.apply(Action::OpenAny(path));
    session.wait_for_opening(PATIENCE);
    session.update(0.0);
    assert_eq!((*session.world.settings(), session.world.character.model.name.clone()), before);
    assert!(session.window.notice.as_ref().unwrap().is_error);
}

/// Roles that are given with the bones need no search. The up axis and the height equal those that a search finds. The
/// facing direction and the left direction are close to those that a search finds.
#[test]
fn given_roles_yield_the_same_rig_as_searched_roles() {
    for own in [Character::built_in(), Character::from_built_in(BuiltIn::Faun)].map(Result::unwrap) {
        let skeleton = &own.model.skeleton;
        let bones = Model { skeleton: skeleton.clone(), ..Model::default() };
        let searched = detect(&bones, &Mapping::default(), ReferenceChoice::Auto);
        let (biped, rest) = (own.detection.biped.clone(), ModelPose::from_local(skeleton, &own.rest));
        let given =
            Character::from_bones("bones", skeleton, biped.clone(), &own.detection.reference.bones, None, &rest)
                .detection;
        assert_eq!((given.biped.clone(), given.up, given.height), (biped, searched.up, searched.height));
        assert!(given.facing.dot(searched.facing) > 0.99 && given.left.dot(searched.left) > 0.99);
        for (given, own) in given.roles.iter().zip(&own.detection.roles) {
            assert_eq!((given.role, &given.bones), (own.role, &own.bones));
        }
    }
}

#[test]
fn every_scene_solves_on_the_built_in_biped() {
    let mut session = session();
    for scene in SCENES {
        session.start_scene(scene);
        for _ in 0..30 {
            session.update(1.0 / 60.0);
        }
        let run = session.shown_run().unwrap_or_else(|| panic!("{}", scene.name));
        assert!(run.places(session.end()).iter().all(|place| place.is_finite()), "{}", scene.name);
        assert!(session.world.picture.pose.bones.iter().all(|bone| bone.is_finite()), "{}", scene.name);
    }
}

#[test]
fn the_walk_moves_while_hands_stay_pinned() {
    let mut session = session();
    session.start_scene(Scene::find("walk with hands pinned").unwrap());
    session.update(0.0);
    let first = session.world.picture.pose.clone();
    let target = session.world.settings().effector(Effector::LeftHand).position.unwrap();
    for _ in 0..20 {
        session.update(1.0 / 60.0);
        assert!(session.state().unwrap().nodes()[Node::LeftHand].distance(target) < 0.02);
    }
    assert_ne!(session.world.picture.pose, first);
    run(&mut session, Command::PlayPause);
    let paused = session.world.picture.pose.clone();
    session.update(0.5);
    assert_eq!(session.world.picture.pose, paused);
}

#[test]
fn bend_goals_drag() {
    let mut session = session();
    let id = HandleId::BendGoal(kinescope_ik::rig::LimbName::LeftLeg);
    drag(&mut session, id, Vec2::new(90.0, 0.0));
    let chain = session.world.settings().chain(kinescope_ik::rig::LimbName::LeftLeg);
    assert_eq!(chain.bend_weight, 1.0);
    assert!(chain.bend_goal.unwrap().distance(Vec3::ZERO) > 0.1);
}

#[test]
fn shared_characters_can_be_dragged_too() {
    let Some(folder) = common::shared("models") else { return };
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.extension().is_some_and(|extension| ["glb", "gltf", "vrm"].iter().any(|other| extension == *other)) {
            continue;
        }
        let mut session = session();
        session.apply(Action::File(Command::OpenModel, path.clone()));
        session.wait_for_opening(PATIENCE);
        session.update(0.0);
        if !is_as_in_ground_truth(&folder, &session.world.character.model, &session.world.character.detection) {
            continue;
        }
        assert!(
            session.world.character.rig.full_body.is_ok(),
            "{}: {:?}",
            path.display(),
            session.world.character.rig.full_body.err()
        );
        let height = session.world.character.height;
        let before = session.state().unwrap();
        drag(&mut session, HandleId::Effector(Effector::RightHand), Vec2::new(0.0, -120.0));
        let after = session.state().unwrap();
        let moved = before.node(Node::RightHand).distance(after.node(Node::RightHand));
        assert!(moved > height * 0.1 && moved < height, "{}: {moved}", path.display());
    }
}

#[test]
fn the_default_local_state_takes_a_solve_back() {
    let character = Character::built_in().unwrap();
    let solver = character.rig.full_body.as_ref().unwrap();
    let stored = kinescope_ik::full_body::DefaultLocalState::store(solver, &character.rest);
    let mut session = session();
    drag(&mut session, HandleId::Effector(Effector::LeftHand), Vec2::new(80.0, -120.0));
    let mut local = session.world.picture.pose.to_local(&character.model.skeleton, &character.rest);
    let hand = solver.bone_of(Node::LeftForearm);
    assert!(local.bones[hand].rotation.angle_between(character.rest.bones[hand].rotation) > 0.05);
    stored.restore(&mut local);
    for (bone, (restored, rest)) in local.bones.iter().zip(&character.rest.bones).enumerate() {
        let off = restored.translation.distance(rest.translation);
        assert!(off < 1e-5 && restored.rotation.angle_between(rest.rotation) < 1e-2, "bone {bone}");
    }
}

/// Returns the number of shapes painted over the picture, and the largest distance of a shape beyond the picture's
/// edge.
fn overlay(session: &Session) -> (usize, f32) {
    use egui_macroquad::egui::{self, Rect, pos2, vec2};
    let context = egui::Context::default();
    context.set_fonts(kinescope::ui::theme::fonts());
    let size = vec2(1440.0, 900.0);
    let input =
        || egui::RawInput { screen_rect: Some(Rect::from_min_size(egui::Pos2::ZERO, size)), ..Default::default() };
    let viewport = session.look.viewport;
    let picture = Rect::from_min_size(pos2(viewport.min.x, viewport.min.y), vec2(viewport.size.x, viewport.size.y));
    // egui has fonts from the second frame on.
    let _ = context.run(input(), |_| {});
    let output = context.run(input(), |ctx| drop(kinescope::shell::picture::paint::paint(ctx, session, picture)));
    let bounds = output.shapes.iter().map(|clipped| clipped.shape.visual_bounding_rect());
    let beyond = |rect: Rect| {
        let [low, high] = [picture.min - rect.min, rect.max - picture.max];
        low.x.max(low.y).max(high.x).max(high.y)
    };
    // Filled triangles do not count, because `Overlay::fill` does not clip them to the picture.
    let is_fill = |shape: &egui::Shape| matches!(shape, egui::Shape::Mesh(mesh) if mesh.vertices.len() <= 3);
    let lines =
        output.shapes.iter().zip(bounds).filter(|(clipped, rect)| !is_fill(&clipped.shape) && rect.is_positive());
    (output.shapes.len(), lines.map(|(_, rect)| beyond(rect)).fold(0.0, f32::max))
}

fn painted(session: &Session) -> Vec<String> {
    use egui_macroquad::egui::{self, Rect, pos2, vec2};
    let context = egui::Context::default();
    context.set_fonts(kinescope::ui::theme::fonts());
    let input = || egui::RawInput {
        screen_rect: Some(Rect::from_min_size(egui::Pos2::ZERO, vec2(1440.0, 900.0))),
        ..Default::default()
    };
    let viewport = session.look.viewport;
    let picture = Rect::from_min_size(pos2(viewport.min.x, viewport.min.y), vec2(viewport.size.x, viewport.size.y));
    let _ = context.run(input(), |_| {});
    let output = context.run(input(), |ctx| drop(kinescope::shell::picture::paint::paint(ctx, session, picture)));
    let text = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
        egui::Shape::Text(text) => Some(text.galley.text().to_owned()),
        _ => None,
    };
    output.shapes.iter().filter_map(text).collect()
}

#[test]
fn default_bends_and_normals_are_drawn_at_every_step() {
    const NAMES: [&str; 2] = ["default bend direction, ", "default child normal, "];
    let mut session = session();
    let labels = |session: &Session| -> Vec<String> {
        painted(session).into_iter().filter(|text| NAMES.iter().any(|name| text.starts_with(name))).collect()
    };
    session.apply(Action::Select(Selection::Nothing));
    session.apply(Action::Steps(StepAction::Seek(Cursor::default())));
    assert_eq!(labels(&session), Vec::<String>::new());
    session.apply(Action::Command(Command::BendDefaults));
    let steps = session.shown_run().unwrap().steps();
    assert!(steps > body(&session).solve.steps.len(), "the steps of writing are included");
    for step in 0..steps {
        for within in [None, Some(0)] {
            session.apply(Action::Select(Selection::Nothing));
            session.apply(Action::Steps(StepAction::Seek(Cursor { step, within })));
            let mut expected: Vec<String> =
                LimbName::ALL.iter().flat_map(|limb| NAMES.map(|name| format!("{name}{}", limb.label()))).collect();
            let mut found = labels(&session);
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "step {step}");
            session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
            session.apply(Action::Steps(StepAction::Seek(Cursor { step, within })));
            assert_eq!(labels(&session), NAMES.map(|name| format!("{name}left arm")), "step {step}");
        }
    }
    session.apply(Action::Command(Command::Live));
    assert_eq!(labels(&session).len(), 2);
    session.apply(Action::Command(Command::BendDefaults));
    assert_eq!(labels(&session), Vec::<String>::new());
}

#[test]
fn drawing_is_bounded_by_the_picture_for_any_numbers() {
    let mut session = session();
    for (name, far) in [("near", 0.7f32), ("1e3", 1e3), ("1e5", 1e5), ("1e6", 1e6), ("1e12", 1e12)] {
        let text = format!(
            r#"{{ "format": "kinescope-preset", "version": 1,
            "chains": {{ "left_leg": {{ "bend_goal": [0, {far}, {far}], "bend_weight": 1 }} }},
            "effectors": {{ "left_hand": {{ "position": [{far}, {far}, 0.4], "position_weight": 1 }},
                            "body": {{ "position": [0, {far}, 0], "position_weight": 0.5 }} }} }}"#
        );
        let path = temporary(&format!("far {name}.json"));
        std::fs::write(&path, text).unwrap();
        session.apply(Action::File(Command::OpenPreset, path));
        assert!(session.window.notice.as_ref().is_none_or(|notice| !notice.is_error), "{:?}", session.window.notice);
        for (_, layer) in session.look.view.layers_mut() {
            *layer = true;
        }
        session.apply(Action::Select(Selection::Effector(Effector::LeftHand)));
        let steps = body(&session).solve.steps.len();
        let home = session.look.camera;
        for step in (0..steps).step_by(3) {
            session.apply(Action::Steps(StepAction::Seek(Cursor { step, within: Some(0) })));
            for distance in [home.distance, 0.09, 90.0] {
                session.look.camera.distance = distance;
                for look_at in [home.target, session.state().unwrap().nodes()[Node::LeftForearm], Vec3::ZERO] {
                    session.look.camera.target = look_at.clamp(Vec3::splat(-1e7), Vec3::splat(1e7));
                    let (shapes, beyond) = overlay(&session);
                    assert!(shapes < 6000, "{name}, step {step}: {shapes} shapes");
                    assert!(beyond < 700.0, "{name}, step {step}: {beyond} pixels beyond the picture");
                }
            }
            session.look.camera = home;
        }
        session.apply(Action::Command(Command::Live));
    }
}

#[test]
fn handles_have_a_range_in_the_window_and_files_have_the_solvers() {
    let mut session = session();
    let mut settings = *session.world.settings();
    settings.effector_mut(Effector::LeftHand).position = Some(Vec3::new(1e6, 0.0, 0.0));
    session.edit_settings("typed", None, settings);
    let notice = session.window.notice.clone().unwrap();
    assert!(
        notice.is_error && notice.text.starts_with("left hand: x is 1000000, the allowed range in the window is -1")
    );
    assert_ne!(
        session.world.settings().effector(Effector::LeftHand).position,
        settings.effector(Effector::LeftHand).position
    );
    let path = temporary("legal.json");
    let text = r#"{ "format": "kinescope-preset", "version": 1,
        "effectors": { "left_hand": { "position": [1e6, 0, 0], "position_weight": 1 } } }"#;
    std::fs::write(&path, text).unwrap();
    session.apply(Action::File(Command::OpenPreset, path));
    assert_eq!(session.world.settings().effector(Effector::LeftHand).position, Some(Vec3::X * 1e6));
    let mut settings = *session.world.settings();
    settings.solver.iterations = 2;
    session.edit_settings("iterations", None, settings);
    assert_eq!(session.world.settings().solver.iterations, 2);
    session.apply(Action::Scene(SCENES[0].name));
    session.apply(Action::Answer(Answer::DiscardChanges));
    session.update(0.0);
    session.look.camera.distance = 1e5;
    session.look.camera.target = Vec3::ZERO;
    let id = session.handles()[0].id;
    drag(&mut session, id, Vec2::new(300.0, 0.0));
    let range = session.world.room();
    assert!(session.world.settings().effectors.iter().filter_map(|to| to.position).all(|at| range.clamp(at) == at));
}
