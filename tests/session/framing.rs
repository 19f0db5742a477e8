//! Framing of the scenes at common window sizes, and what the caption, axes, messages and the hint show and cover.

use egui_kittest::Harness;
use egui_macroquad::egui::{self, Pos2, Rect, Vec2, pos2};
use glam::Vec3;
use kinescope_ik::full_body::Effector;
use kinescope_ik::rig::LimbName;
use kinescope_ik::stepped::run::{Cursor, largest_move};

use crate::common::session::record_no_steps;
use crate::harness::{Window, window};
use kinescope::picture::labels::Rank;
use kinescope::picture::overlay::Painted;
use kinescope::picture::places;
use kinescope::scenes::SCENES;
use kinescope::session::commands::Command;
use kinescope::session::framing::has_wide_caption;
use kinescope::session::navigation::Navigation;
use kinescope::session::{Action, Session};
use kinescope::shell::picture::paint;
use kinescope::tools::pose::handles::Grip;
use kinescope::tools::steps::session::StepAction;

const SIZES: [Vec2; 4] =
    [Vec2::new(1440.0, 900.0), Vec2::new(1280.0, 800.0), Vec2::new(1024.0, 640.0), Vec2::new(960.0, 600.0)];

struct Picture {
    context: egui::Context,
    size: Vec2,
}

struct Seen {
    caption: Rect,
    labels: Vec<Painted>,
    texts: Vec<(String, Rect)>,
}

impl Picture {
    fn new(size: Vec2) -> Self {
        let context = egui::Context::default();
        context.set_fonts(kinescope::ui::theme::fonts());
        let picture = Self { context, size };
        let _ = picture.context.run(picture.input(), |_| {});
        picture
    }

    fn input(&self) -> egui::RawInput {
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, self.size));
        egui::RawInput { screen_rect, ..Default::default() }
    }

    fn show(&self, session: &Session, picture: Rect) -> Seen {
        self.show_with(session, picture, self.input())
    }

    fn show_with(&self, session: &Session, picture: Rect, input: egui::RawInput) -> Seen {
        let mut labels = Vec::new();
        let output = self.context.run(input, |ctx| labels = paint::paint(ctx, session, picture));
        let text = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
            // The galley of a cut text has the whole text as well, so only the rows that are shown are read.
            egui::Shape::Text(text) => Some((
                text.galley.rows.iter().map(|row| row.text()).collect::<Vec<_>>().join(" "),
                text.visual_bounding_rect(),
            )),
            _ => None,
        };
        let texts = output.shapes.iter().filter_map(text).collect();
        Seen { caption: places::painted_caption(&self.context).unwrap(), labels, texts }
    }
}

/// A mark that must be visible: its name, its position in model space, and its radius in pixels.
type Mark = (String, Vec3, f32);

/// Returns targets and bend goals with weight, keys of effectors, and targets of modifiers that are on. In the chain
/// lab, returns targets and joints instead.
fn marks(session: &Session) -> Vec<Mark> {
    const RING: f32 = 15.0;
    let mut found: Vec<Mark> = Vec::new();
    if session.world.lab().is_some() {
        for chain in session.world.chains_shown() {
            let (recording, by) = (&session.world.solved.chain(chain).unwrap().recording, session.lane_offset(chain));
            let prefix = chain.prefix();
            found.extend(recording.goals.iter().map(|goal| (format!("{prefix}target"), goal.position + by, RING)));
            let joints = session.chain_state(chain).unwrap().positions;
            found.extend(joints.into_iter().map(|at| (format!("{prefix}joint"), at + by, 6.0)));
        }
        return found;
    }
    for effector in Effector::ALL {
        let own = session.world.settings().effector(effector);
        let target = own.position.filter(|_| own.position_weight > 0.0);
        found.extend(target.map(|at| (effector.key().to_owned(), at, RING)));
    }
    for limb in LimbName::ALL {
        let own = session.world.settings().chain(limb);
        let goal = own.bend_goal.filter(|_| own.bend_weight > 0.0);
        found.extend(goal.map(|at| (format!("bend goal of {}", limb.label()), at, 8.5)));
    }
    found.extend(session.world.keyed_places().into_iter().map(|at| ("a key".to_owned(), at, RING)));
    for (index, own) in session.world.stack().modifiers.iter().enumerate().filter(|(_, own)| own.is_on()) {
        let places = [Grip::Target, Grip::To].into_iter().filter_map(|grip| session.modifier_place(index, own, grip));
        found.extend(places.map(|(at, _)| (format!("target of {}", own.key()), at, RING)));
    }
    found
}

fn faults(session: &Session, picture: Rect, seen: &Seen) -> Vec<String> {
    let mut faults = Vec::new();
    let covers = [
        ("the caption", seen.caption),
        ("the axes", places::axes(picture)),
        ("a message", places::notice(picture, false)),
        ("a file that opens", places::opening(picture)),
    ];
    let place = places::caption(picture, has_wide_caption(session));
    if !place.contains_rect(seen.caption) {
        faults.push(format!("the caption {:?} leaves its place {place:?}", seen.caption));
    }
    let projector = session.projector();
    for (name, at, radius) in marks(session) {
        let Some(screen) = projector.to_screen(at).map(|screen| pos2(screen.x, screen.y)) else {
            faults.push(format!("{name} is behind the camera"));
            continue;
        };
        let mark = Rect::from_center_size(screen, Vec2::splat(2.0 * radius));
        if !picture.contains_rect(mark) {
            faults.push(format!("{name} at {screen:?} is out of {picture:?}"));
        }
        for (what, place) in covers {
            if place.distance_to_pos(screen) < radius {
                faults.push(format!("{what}, {place:?}, covers {name} at {screen:?}"));
            }
        }
    }
    let tags = seen.labels.iter().filter(|label| label.rank == Rank::Tag);
    for (what, place) in covers {
        let covered = tags.clone().filter(|label| label.rect.intersects(place));
        faults.extend(covered.map(|label| format!("{what} covers the name {:?}", label.text)));
    }
    let lanes = session.world.lab().map_or(0, |lab| lab.lanes.len());
    if tags.count() < lanes {
        let shown: Vec<&str> = seen.labels.iter().map(|label| label.text.as_str()).collect();
        faults.push(format!("{lanes} lanes, with the names {shown:?}"));
    }
    faults
}

fn open(harness: &mut Harness<Window>, name: &str) {
    let scene = kinescope::scenes::Scene::find(name).unwrap();
    let session = &mut harness.state_mut().session;
    session.start_scene(scene);
    session.window.notice = None;
    session.update(1.0 / 60.0);
    // Panes that the scene opens change the size of the picture.
    harness.run_steps(3);
}

/// A caption limited to half of a low picture's height used to cut the sentences of scenes.
#[test]
fn in_every_scene_the_caption_is_whole_and_caption_axes_and_messages_cover_no_target_and_no_lane() {
    let mut faulty = Vec::new();
    for size in SIZES {
        let painted = Picture::new(size);
        let mut harness = window(size);
        record_no_steps(&mut harness.state_mut().session);
        for scene in SCENES {
            open(&mut harness, scene.name);
            let Window { session, picture, .. } = harness.state_mut();
            let picture = *picture;
            let mut check = |session: &Session, when: String| {
                let seen = painted.show(session, picture);
                let found = faults(session, picture, &seen);
                faulty.extend(found.first().map(|fault| format!("{size:?} {} {when}: {fault}", scene.name)));
                seen
            };
            let seen = check(session, "at the start".to_owned());
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
            let (text, whole) = (caption(&seen).join(" "), format!("{} {}", scene.purpose, scene.hint));
            assert!(words(&text).contains(&words(&whole)), "{size} {}: {text:?}", scene.name);
            // The camera frames only the start of a walk.
            let walks = session.world.history.document().motion != Default::default();
            for tenth in 1..if walks { 1 } else { 41 } {
                for _ in 0..3 {
                    session.update(1.0 / 30.0);
                }
                if tenth % 5 == 0 {
                    check(session, format!("after {tenth} tenths of a second"));
                }
            }
            session.apply(Action::Command(Command::PlayPause));
            session.update(1.0 / 60.0);
            let steps = session.shown_run().map_or(0, |run| run.steps());
            for step in (0..steps).step_by(steps.div_ceil(6).max(1)) {
                session.apply(Action::Steps(StepAction::Seek(Cursor { step, within: None })));
                check(session, format!("at step {step}"));
            }
        }
    }
    assert!(faulty.is_empty(), "{} faults:\n{}", faulty.len(), faulty.join("\n"));
}

#[test]
fn a_caption_stays_in_its_place_while_plots_are_open() {
    for size in SIZES {
        let painted = Picture::new(size);
        let mut harness = window(size);
        open(&mut harness, "sphere cast that hits nothing");
        crate::harness::run(&mut harness, Command::Plots);
        let Window { session, picture, .. } = harness.state();
        let seen = painted.show(session, *picture);
        let place = places::caption(*picture, false);
        assert!(place.contains_rect(seen.caption), "{size}: {:?} in {place:?}", seen.caption);
        assert!(seen.caption.height() > 30.0 && place.height() <= 0.73 * picture.height(), "{size}: {place:?}");
    }
}

fn caption(seen: &Seen) -> Vec<&str> {
    seen.texts.iter().filter(|(_, at)| seen.caption.contains_rect(*at)).map(|(text, _)| text.as_str()).collect()
}

/// With plots open, the sentence of a step has no room at some sizes. Its end is cut, and the numbers stay.
#[test]
fn a_caption_without_room_keeps_its_numbers_and_is_whole_in_the_tooltip() {
    let mut cut = 0;
    for size in SIZES {
        let painted = Picture::new(size);
        let mut harness = window(size);
        open(&mut harness, "flying arm");
        crate::harness::run(&mut harness, Command::PlayPause);
        crate::harness::run(&mut harness, Command::Plots);
        harness.state_mut().session.update(1.0 / 60.0);
        for step in 0..harness.state().session.shown_run().unwrap().steps() {
            harness.state_mut().session.apply(Action::Steps(StepAction::Seek(Cursor { step, within: None })));
            let Window { session, picture, .. } = harness.state();
            let seen = painted.show(session, *picture);
            let texts = caption(&seen);
            if let Some((point, way)) = largest_move(session.shown_run().unwrap(), step) {
                let way = session.world.character.length(way).replace(' ', "\u{a0}");
                let name = session.shown_run().unwrap().points()[point].label.clone();
                assert!(texts.iter().any(|text| text.contains(&way)), "{size}, {name} {way}: {texts:?}");
            }
            if !texts.iter().any(|text| text.contains('…')) {
                continue;
            }
            cut += 1;
            let sentence = session.shown_run().unwrap().step(step).sentence;
            let at = seen.caption.center();
            let rests = |seconds: f64| egui::RawInput {
                events: vec![egui::Event::PointerMoved(at)],
                time: Some(seconds + 10.0 * cut as f64),
                ..painted.input()
            };
            painted.show_with(session, *picture, rests(0.0));
            let mut shown = painted.show_with(session, *picture, rests(1.0));
            for frame in 1..4 {
                shown = painted.show_with(session, *picture, rests(1.0 + 0.1 * f64::from(frame)));
            }
            let has_all = shown.texts.iter().any(|(text, _)| text.replace("  ", " ").contains(sentence));
            assert!(has_all, "{size}, step {step}: {:?}", shown.texts);
            let gone = egui::RawInput { events: vec![egui::Event::PointerGone], ..painted.input() };
            painted.show_with(session, *picture, gone);
        }
    }
    assert!(cut > 0, "nothing was cut");
}

/// The last item used to end in the middle of a word.
#[test]
fn the_hint_leaves_out_whole_items() {
    for size in SIZES {
        let painted = Picture::new(size);
        let mut harness = window(size);
        for navigation in Navigation::ALL {
            harness.state_mut().session.apply(Action::Command(navigation.command()));
            open(&mut harness, "reach for");
            let Window { session, picture, .. } = harness.state();
            let seen = painted.show(session, *picture);
            let (hint, at) = seen.texts.iter().find(|(text, _)| text.ends_with("? keys")).expect("the key of all keys");
            assert!(picture.contains_rect(*at), "{size} {navigation:?}: {at:?} in {picture:?}");
            let all = format!("{} · Tab hide panes · ? keys", navigation.hint());
            let items: Vec<&str> = all.split(" · ").collect();
            assert!(hint.split(" · ").all(|item| items.contains(&item)), "{size} {navigation:?}: {hint:?}");
            let kept = hint.split(" · ").count();
            assert!(kept == items.len() || (size.x < 1100.0 && kept >= 3), "{size} {navigation:?}: {hint:?}");
        }
    }
}
