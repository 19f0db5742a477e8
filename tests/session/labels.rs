use egui_macroquad::egui::{self, Rect, pos2, vec2};
use glam::{Vec2, Vec3};
use kinescope_ik::full_body::{Effector, Settings, Stage};
use kinescope_ik::modifiers::Modifier;
use kinescope_ik::rig::LimbName;
use kinescope_ik::stepped::run::Cursor;

use crate::common::figure::is_as_in_ground_truth;
use crate::common::files::temporary;
use crate::common::game::{played, recording};
use crate::common::session::{body, in_scene, run, session};
use kinescope::character::{BuiltIn, Character};
use kinescope::picture::camera::Viewport;
use kinescope::picture::labels::{Density, Rank};
use kinescope::picture::overlay::Painted;
use kinescope::picture::places;
use kinescope::scenes::Scene;
use kinescope::session::commands::Command;
use kinescope::session::{Action, Selection, Session, View};
use kinescope::shell::panes::layout::Layout;
use kinescope::shell::picture::paint;
use kinescope::tools::body_lab;
use kinescope::tools::body_lab::session::BodyLabAction;
use kinescope::tools::compare::session::CompareAction;
use kinescope::tools::steps::CompareStyle;
use kinescope::tools::steps::session::StepAction;

/// Areas for the picture, about those in windows of 1440×900 and 1024×640.
const PICTURES: [Viewport; 2] = [
    Viewport { min: Vec2::new(232.0, 66.0), size: Vec2::new(852.0, 604.0) },
    Viewport { min: Vec2::new(172.0, 66.0), size: Vec2::new(500.0, 346.0) },
];

/// Paints frames in one context, because label positions depend on earlier frames.
struct Screen {
    context: egui::Context,
}

struct Seen {
    labels: Vec<Painted>,
    caption: Rect,
}

impl Screen {
    fn new() -> Self {
        let context = egui::Context::default();
        context.set_fonts(kinescope::ui::theme::fonts());
        let _ = context.run(Self::input(), |_| {});
        Self { context }
    }

    fn input() -> egui::RawInput {
        let screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, vec2(1440.0, 900.0)));
        egui::RawInput { screen_rect, ..Default::default() }
    }

    fn show(&self, session: &Session) -> Seen {
        let picture = rect(session.look.viewport);
        let mut labels = Vec::new();
        let output = self.context.run(Self::input(), |ctx| labels = paint::paint(ctx, session, picture));
        // Caption and labels are texts. The caption is at the top left.
        let corner = picture.min + vec2(60.0, 40.0);
        let texts = output.shapes.iter().filter_map(|clipped| match &clipped.shape {
            egui::Shape::Text(text) if !labels.iter().any(|label| label.text == text.galley.text()) => {
                Some(text.visual_bounding_rect())
            }
            _ => None,
        });
        let at_corner =
            texts.filter(|text| (text.left() - picture.left()).abs() < 20.0 && text.top() < corner.y + 80.0);
        let caption = at_corner.fold(Rect::NOTHING, |all, text| all.union(text));
        Seen { labels, caption }
    }
}

fn rect(viewport: Viewport) -> Rect {
    Rect::from_min_size(pos2(viewport.min.x, viewport.min.y), vec2(viewport.size.x, viewport.size.y))
}

fn apply(session: &mut Session, action: Action) {
    session.apply(action);
    session.update(1.0 / 60.0);
}

fn edit(session: &mut Session, change: impl Fn(&mut Settings)) {
    let mut settings = *session.world.settings();
    change(&mut settings);
    session.edit_settings("", None, settings);
    session.update(1.0 / 60.0);
}

fn assert_clear(seen: &Seen, session: &Session, what: &str) {
    let picture = rect(session.look.viewport);
    assert!(seen.caption.is_positive(), "{what}: no caption");
    for (index, own) in seen.labels.iter().enumerate() {
        let text = &own.text;
        assert!(picture.contains_rect(own.rect), "{what}: {text} leaves the picture");
        assert!(!own.rect.intersects(seen.caption), "{what}: {text} is under the caption {:?}", seen.caption);
        for other in [places::axes(picture), places::hint(picture)] {
            assert!(!own.rect.intersects(other), "{what}: {text}");
        }
        for other in &seen.labels[index + 1..] {
            assert!(!own.rect.intersects(other.rect), "{what}: {text} overlaps {}", other.text);
        }
        for other in &seen.labels {
            assert!(!own.rect.contains(other.anchor), "{what}: {text} covers the subject of {}", other.text);
        }
        for handle in session.handles() {
            let at = pos2(handle.screen.x, handle.screen.y);
            assert!(own.rect.distance_to_pos(at) > 4.0, "{what}: {text} covers {:?}", handle.id);
        }
    }
}

fn out_of_reach(viewport: Viewport) -> Session {
    let mut session = session();
    session.look.viewport = viewport;
    edit(&mut session, |settings| {
        for (effector, at) in [
            (Effector::LeftHand, Vec3::new(1.1, 1.9, 0.3)),
            (Effector::RightHand, Vec3::new(-1.1, 1.9, 0.3)),
            (Effector::LeftFoot, Vec3::new(0.6, 0.5, 1.0)),
            (Effector::RightFoot, Vec3::new(-0.7, -0.4, 0.4)),
        ] {
            let own = settings.effector_mut(effector);
            (own.position, own.position_weight) = (Some(at), 1.0);
        }
    });
    session.update(1.0 / 60.0);
    run(&mut session, Command::FrameSelection);
    session
}

#[test]
fn callouts_keep_off_the_caption_and_the_targets_of_each_other() {
    for viewport in PICTURES {
        for density in [Density::Selected, Density::All] {
            let mut session = out_of_reach(viewport);
            session.look.view.labels = density;
            let callouts = |seen: &Seen| seen.labels.iter().filter(|own| own.rank == Rank::Callout).count();
            let live = Screen::new().show(&session);
            assert_clear(&live, &session, "live");
            assert!(callouts(&live) > 0, "{viewport:?}: {:?}", live.labels);
            run(&mut session, Command::PlayPause);
            for selection in
                [Selection::Nothing, Selection::Effector(Effector::LeftHand), Selection::Effector(Effector::RightFoot)]
            {
                apply(&mut session, Action::Select(selection));
                let seen = Screen::new().show(&session);
                assert_clear(&seen, &session, &format!("{selection:?}"));
            }
        }
    }
}

#[test]
fn labels_keep_clear_at_every_step_and_stay_where_they_are() {
    for viewport in PICTURES {
        let mut session = session();
        session.look.viewport = viewport;
        session.start_scene(Scene::find("reach and brace").unwrap());
        session.update(0.0);
        session.look.view.labels = Density::All;
        session.look.view.bend_defaults = true;
        run(&mut session, Command::PlayPause);
        let screen = Screen::new();
        let mut shown = 0;
        for step in 0..session.shown_run().unwrap().steps() {
            for within in [None, Some(0), Some(3)] {
                let has_event = within.is_none_or(|event| event < session.shown_run().unwrap().events(step));
                if !has_event {
                    continue;
                }
                apply(&mut session, Action::Steps(StepAction::Seek(Cursor { step, within })));
                let seen = screen.show(&session);
                assert_clear(&seen, &session, &format!("step {step} {within:?}"));
                assert_eq!(screen.show(&session).labels, seen.labels, "a still picture");
                shown += seen.labels.len();
            }
        }
        assert!(shown > 100, "{shown} labels in {viewport:?}");
    }
}

#[test]
fn lengths_of_a_two_bone_solve_stay_clear_of_the_limb() {
    let mut session = session();
    session.look.viewport = PICTURES[0];
    session.start_scene(Scene::find("reach and brace").unwrap());
    session.update(0.0);
    run(&mut session, Command::PlayPause);
    let step = body(&session).solve.steps.iter().position(|step| step.step.stage == Stage::Trigonometric).unwrap();
    let mut seen_lengths = 0;
    for event in 0..session.shown_run().unwrap().events(step) {
        apply(&mut session, Action::Steps(StepAction::Seek(Cursor { step, within: Some(event) })));
        let seen = Screen::new().show(&session);
        let lengths: Vec<&Painted> = seen.labels.iter().filter(|own| own.rank == Rank::Study).collect();
        seen_lengths += lengths.len();
        // Every label is off its line, so that there is room for a leader line.
        assert!(lengths.iter().all(|own| own.rect.distance_to_pos(own.anchor) > 2.0));
    }
    assert!(seen_lengths >= 10, "{seen_lengths}");
}

#[test]
fn the_density_of_labels_is_a_command_and_is_saved_with_the_view() {
    let mut session = out_of_reach(PICTURES[0]);
    session.look.view.bend_defaults = true;
    run(&mut session, Command::PlayPause);
    let count = |session: &Session| Screen::new().show(session).labels.len();
    let layout = Layout::default();
    let is_on = |session: &Session| {
        [Command::NoLabels, Command::SelectedLabels, Command::AllLabels]
            .map(|own| session.is_on(own, |pane| layout.is_shown(pane)).unwrap())
    };
    assert_eq!(is_on(&session), [false, true, false]);
    apply(&mut session, Action::Select(Selection::Effector(Effector::LeftHand)));
    let selected = count(&session);
    run(&mut session, Command::AllLabels);
    assert_eq!(is_on(&session), [false, false, true]);
    let all = count(&session);
    run(&mut session, Command::NoLabels);
    assert_eq!(is_on(&session), [true, false, false]);
    assert_eq!(count(&session), 0);
    assert!(selected > 0 && all > selected, "{selected} of {all}");
    // The item under the pointer has its label at any density.
    apply(&mut session, Action::Select(Selection::Nothing));
    session.interaction.hovered = session.handles().last().map(|handle| handle.id);
    assert_eq!(count(&session), 1);

    let mut session = out_of_reach(PICTURES[0]);
    run(&mut session, Command::PlayPause);
    apply(&mut session, Action::Select(Selection::Effector(Effector::RightFoot)));
    let of_callouts = |session: &Session| -> Vec<String> {
        let labels = Screen::new().show(session).labels;
        labels.into_iter().filter(|own| own.rank == Rank::Callout).map(|own| own.text).collect()
    };
    let shown = of_callouts(&session);
    let gap = session.world.gap(Effector::RightFoot);
    assert!(shown.len() == 1 && shown[0].starts_with("right foot"), "{shown:?}, {gap} off");

    // The density is in the preset's section `view`. A section without it is read, and the default is not written.
    let path = temporary("labels.json");
    session.look.view.labels = Density::Off;
    apply(&mut session, Action::File(Command::SavePresetAs, path.clone()));
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("\"labels\": \"off\""), "{text}");
    let old: View = serde_json::from_str("{\"bones\": false}").unwrap();
    assert_eq!((old.labels, old.bones), (Density::Selected, false));
    assert!(!serde_json::to_string(&old).unwrap().contains("labels"));
    assert!(serde_json::from_str::<View>("{\"labels\": \"some\"}").is_err());
}

#[test]
fn the_first_picture_has_no_labels() {
    for viewport in PICTURES {
        let mut session = session();
        session.look.viewport = viewport;
        session.frame_all();
        assert_eq!(Screen::new().show(&session).labels, []);
    }
}

#[test]
fn side_by_side_is_tagged_a_and_b_above_the_heads() {
    for viewport in PICTURES {
        let mut session = session();
        session.look.viewport = viewport;
        run(&mut session, Command::KeepAsB);
        edit(&mut session, |settings| {
            let own = settings.effector_mut(Effector::LeftHand);
            (own.position, own.position_weight) = (Some(Vec3::new(0.5, 1.2, 0.4)), 1.0);
        });
        session.update(1.0 / 60.0);
        let tags = |session: &Session| -> Vec<Painted> {
            let labels = Screen::new().show(session).labels;
            labels.into_iter().filter(|own| own.rank == Rank::Tag).collect()
        };
        assert_eq!(tags(&session), [], "overlaid, the ghost shows which is which");
        apply(&mut session, Action::Compare(CompareAction::Style(CompareStyle::SideBySide)));
        for density in [Density::Off, Density::Selected, Density::All] {
            session.look.view.labels = density;
            let tags = tags(&session);
            assert_eq!(tags.iter().map(|own| own.text.as_str()).collect::<Vec<_>>(), ["A", "B"]);
            let head = session.world.character.rig.figure.as_ref().unwrap().head.unwrap();
            let head = session.world.picture.pose.position(head);
            for (tag, aside) in tags.iter().zip([Vec3::ZERO, session.other_offset()]) {
                let at = session.projector().to_screen(head + aside).unwrap();
                assert!(tag.rect.bottom() < at.y, "{tag:?} is above {at}");
                assert!((tag.rect.center().x - at.x).abs() < 60.0, "{tag:?} is above {at}");
            }
        }
    }
}

/// The label used to point at the target of B's hand, where nothing is drawn.
#[test]
fn the_largest_distance_to_b_is_between_what_is_drawn() {
    let mut session = in_scene("two hands at odds");
    session.look.viewport = PICTURES[0];
    session.frame_all();
    run(&mut session, Command::KeepAsB);
    edit(&mut session, |settings| {
        settings.effector_mut(Effector::LeftHand).position = Some(Vec3::new(0.674, 1.954, 0.196));
    });
    session.update(1.0 / 60.0);
    apply(&mut session, Action::Compare(CompareAction::Style(CompareStyle::SideBySide)));
    session.look.view.labels = Density::All;
    let labels = Screen::new().show(&session).labels;
    let label = labels.iter().find(|own| own.text.ends_with("apart")).expect("A and B differ");
    assert!(label.text.starts_with("left hand bone "), "{label:?}");
    let hand = session.world.character.detection.biped.as_ref().unwrap().limbs[LimbName::LeftArm.index()].bones[2];
    let theirs = session.tools.debugger.other().unwrap().shown.bones[hand].position + session.other_offset();
    let at = session.projector().to_screen(theirs).unwrap();
    assert!(label.anchor.distance(pos2(at.x, at.y)) < 1.0, "{label:?} is at {at}");
}

/// Fails if a vertex of the character, or the ring of a look-at target or of a target or bend goal with weight, is
/// outside the picture above the hint.
fn assert_framed(session: &Session, what: &str) {
    let (picture, projector) = (rect(session.look.viewport), session.projector());
    let mut points: Vec<(Vec3, &str)> =
        session.world.character.surface(&session.world.picture.pose).into_iter().map(|at| (at, "a vertex")).collect();
    assert!(!points.is_empty(), "{what} has a surface");
    for effector in Effector::ALL {
        let own = session.world.settings().effector(effector);
        points.extend(own.position.filter(|_| own.position_weight > 0.0).map(|at| (at, effector.key())));
    }
    for limb in LimbName::ALL {
        let own = session.world.settings().chain(limb);
        points.extend(own.bend_goal.filter(|_| own.bend_weight > 0.0).map(|at| (at, "a bend goal")));
    }
    for modifier in session.world.stack().modifiers.iter() {
        if let Modifier::LookAt(own) = modifier {
            points.extend(own.target.map(|at| (at, "the subject of the view")));
        }
    }
    // The line at the bottom, where the hint lists mouse and keys, is left out.
    let picture = Rect::from_min_max(picture.min, picture.max - vec2(0.0, 26.0));
    for (at, kind) in points {
        let screen = projector.to_screen(at).unwrap_or(Vec2::INFINITY);
        let ring = if kind == "a vertex" { 0.0 } else { 15.0 };
        let picture = Rect::from_min_max(picture.min + vec2(ring, ring), picture.max - vec2(ring, 0.0));
        assert!(
            picture.contains(pos2(screen.x, screen.y)),
            "{what}: {kind} at {at} is at {screen}, out of {picture:?}"
        );
    }
}

#[test]
fn framing_takes_in_the_surface_and_the_targets() {
    for viewport in PICTURES {
        for built_in in [BuiltIn::Mannequin, BuiltIn::Faun] {
            let mut session = Session::new(Character::from_built_in(built_in).unwrap());
            session.set_viewport(viewport);
            assert_framed(&session, "at the start");
            edit(&mut session, |settings| {
                let hand = settings.effector_mut(Effector::LeftHand);
                (hand.position, hand.position_weight) = (Some(Vec3::new(1.2, 2.6, 0.4)), 1.0);
                let foot = settings.effector_mut(Effector::RightFoot);
                (foot.position, foot.position_weight) = (Some(Vec3::new(-0.5, -0.8, 0.4)), 0.5);
                let chain = settings.chain_mut(LimbName::RightArm);
                (chain.bend_goal, chain.bend_weight) = (Some(Vec3::new(-2.4, 1.4, -0.4)), 1.0);
            });
            session.update(1.0 / 60.0);
            apply(&mut session, Action::Select(Selection::Nothing));
            run(&mut session, Command::FrameSelection);
            assert_framed(&session, "with targets");
        }
        let mut session = session();
        session.set_viewport(viewport);
        session.start_scene(Scene::find("look at").unwrap());
        for _ in 0..3 {
            session.update(1.0 / 60.0);
        }
        assert!(
            session
                .world
                .stack()
                .modifiers
                .iter()
                .any(|own| matches!(own, Modifier::LookAt(own) if own.target.is_some()))
        );
        assert_framed(&session, "look at");
    }
}

#[test]
fn a_selected_effector_is_framed_with_its_target() {
    for viewport in PICTURES {
        let mut session = out_of_reach(viewport);
        apply(&mut session, Action::Select(Selection::Effector(Effector::RightHand)));
        run(&mut session, Command::FrameSelection);
        let target = session.world.settings().effector(Effector::RightHand).position.unwrap();
        for at in [target, session.world.bone_position(Effector::RightHand)] {
            let screen = session.projector().to_screen(at).unwrap();
            assert!(rect(viewport).contains(pos2(screen.x, screen.y)), "{screen}");
        }
    }
}

#[test]
fn models_open_with_head_hands_and_feet_in_the_picture() {
    let folder = std::path::Path::new("/work/shared/models");
    if !folder.exists() {
        println!("skipped: no models");
        return;
    }
    let mut found = 0;
    for name in [
        "KayKit_Barbarian.glb",
        "RobotExpressive.glb",
        "Superhero_Male_FullBody.glb",
        "mannequiny.glb",
        "mpfb_mixamo.glb",
    ] {
        let character = Character::load(&folder.join(name)).unwrap();
        if !is_as_in_ground_truth(folder, &character.model, &character.detection) {
            continue;
        }
        found += 1;
        for viewport in PICTURES {
            let mut session = session();
            session.look.viewport = viewport;
            session.take(character.copy());
            session.update(1.0 / 60.0);
            assert_framed(&session, name);
            run(&mut session, Command::FrameSelection);
            assert_framed(&session, name);
        }
    }
    println!("{found} models");
}

#[test]
fn a_recording_opens_with_head_and_feet_in_the_picture() {
    let path = temporary("framed.jsonl");
    std::fs::write(&path, recording(&played(20, 100))).unwrap();
    for viewport in PICTURES {
        let mut session = session();
        session.look.viewport = viewport;
        session.open_recording(path.clone());
        for _ in 0..2000 {
            if session.tools.games.is_shown() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
            session.update(1.0 / 60.0);
        }
        assert!(session.tools.games.is_shown(), "{:?}", session.window.notice);
        session.update(1.0 / 60.0);
        assert_framed(&session, "a recording");
    }
}

#[test]
fn lanes_and_the_character_beside_them_are_labelled_and_no_label_covers_a_head() {
    for viewport in PICTURES {
        let mut session = in_scene("solvers on one clip");
        session.look.viewport = viewport;
        // Both changes frame the lanes again.
        for over in [true, false] {
            apply(&mut session, Action::BodyLab(BodyLabAction::Over(over)));
        }
        let screen = Screen::new();
        let seen = (0..3).map(|_| screen.show(&session)).next_back().unwrap();
        let lanes = body_lab::picture::shown(&session);
        assert!(lanes.len() > 1);
        let tags = seen.labels.iter().filter(|label| label.rank == Rank::Tag).count();
        let names: Vec<&str> = seen.labels.iter().map(|label| label.text.as_str()).collect();
        assert_eq!(tags, lanes.len() + 1, "{names:?}");
        assert!(names.contains(&"Character"), "{names:?}");
        let head = session.world.character.rig.figure.as_ref().unwrap().head.unwrap();
        let own = (&session.world.picture.pose, Vec3::ZERO);
        for (pose, offset) in lanes.iter().map(|lane| (lane.pose, lane.offset)).chain([own]) {
            let middle = pose.bones[head].position + Vec3::Y * 0.05 * session.world.character.height + offset;
            let at = session.projector().to_screen(middle).unwrap();
            for label in &seen.labels {
                assert!(!label.rect.expand(3.0).contains(pos2(at.x, at.y)), "{} covers a head", label.text);
            }
        }
    }
}
