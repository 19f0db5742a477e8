//! In every scene and at common window sizes, caption, axes and messages cover no target and no lane, and the camera
//! frames all targets.

use egui_kittest::Harness;
use egui_macroquad::egui::{self, Pos2, Rect, Vec2, pos2};
use glam::Vec3;
use kinescope_ik::full_body::Effector;
use kinescope_ik::rig::LimbName;
use kinescope_ik::stepped::run::Cursor;

use crate::harness::{Window, window};
use kinescope::picture::labels::Rank;
use kinescope::picture::overlay::Painted;
use kinescope::picture::places;
use kinescope::scenes::SCENES;
use kinescope::session::commands::Command;
use kinescope::session::{Action, Session};
use kinescope::shell::picture::paint;
use kinescope::tools::pose::handles::Grip;
use kinescope::tools::steps::session::StepAction;

const SIZES: [Vec2; 3] = [Vec2::new(1440.0, 900.0), Vec2::new(1280.0, 800.0), Vec2::new(1024.0, 640.0)];

/// Paints the picture without a window.
struct Picture {
    context: egui::Context,
    size: Vec2,
}

/// The caption's area and the labels of a painted picture.
struct Seen {
    caption: Rect,
    labels: Vec<Painted>,
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
        let mut labels = Vec::new();
        let _ = self.context.run(self.input(), |ctx| labels = paint::paint(ctx, session, picture));
        Seen { caption: places::painted_caption(&self.context).unwrap(), labels }
    }
}

/// A mark that must be visible: its name, its position in model space, and its radius in pixels.
type Mark = (String, Vec3, f32);

/// Returns targets and bend goals with weight, keys of effectors and targets of modifiers; in the lab, targets and joints.
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

/// Returns marks outside the picture, covered marks and lane names, and missing lane names.
fn faults(session: &Session, picture: Rect, seen: &Seen) -> Vec<String> {
    let mut faults = Vec::new();
    let covers = [
        ("the caption", seen.caption),
        ("the axes", places::axes(picture)),
        ("a message", places::notice(picture, false)),
        ("a file that opens", places::opening(picture)),
    ];
    if !places::caption(picture).contains_rect(seen.caption) {
        faults.push(format!("the caption {:?} leaves its place {:?}", seen.caption, places::caption(picture)));
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
    // A small window omits names that do not fit.
    let lanes = session.world.lab().map_or(0, |lab| lab.lanes.len());
    if picture.width() > 700.0 && tags.count() < lanes {
        let shown: Vec<&str> = seen.labels.iter().map(|label| label.text.as_str()).collect();
        faults.push(format!("{lanes} lanes, with the names {shown:?}"));
    }
    faults
}

/// Starts a scene as the window does.
fn open(harness: &mut Harness<Window>, name: &str) {
    let scene = kinescope::scenes::Scene::find(name).unwrap();
    let session = &mut harness.state_mut().session;
    session.start_scene(scene);
    session.window.notice = None;
    session.update(1.0 / 60.0);
    // Panes that the scene opens change the size of the picture.
    harness.run_steps(3);
}

#[test]
fn in_every_scene_caption_axes_and_messages_cover_no_target_and_no_lane() {
    let mut faulty = Vec::new();
    for size in SIZES {
        let painted = Picture::new(size);
        let mut harness = window(size);
        for scene in SCENES {
            open(&mut harness, scene.name);
            let Window { session, picture, .. } = harness.state_mut();
            let picture = *picture;
            let mut check = |session: &Session, when: String| {
                let found = faults(session, picture, &painted.show(session, picture));
                faulty.extend(found.first().map(|fault| format!("{size:?} {} {when}: {fault}", scene.name)));
            };
            check(session, "at the start".to_owned());
            // The camera frames the start of a walk only.
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

/// A caption that fills its area is not painted beyond it.
#[test]
fn a_caption_stays_in_its_place_while_plots_are_open() {
    for size in SIZES {
        let painted = Picture::new(size);
        let mut harness = window(size);
        open(&mut harness, "sphere cast that hits nothing");
        crate::harness::run(&mut harness, Command::Plots);
        let Window { session, picture, .. } = harness.state();
        let seen = painted.show(session, *picture);
        let place = places::caption(*picture);
        assert!(place.contains_rect(seen.caption), "{size}: {:?} in {place:?}", seen.caption);
        assert!(seen.caption.height() > 30.0 && place.height() <= 0.51 * picture.height(), "{size}: {place:?}");
    }
}
