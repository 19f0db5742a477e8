use std::sync::OnceLock;
use std::time::{Duration, Instant};

use glam::Vec2;

use kinescope::character::Character;
use kinescope::picture::camera::Viewport;
use kinescope::scenes::Scene;
use kinescope::session::commands::Command;
use kinescope::session::{Action, Selection, Session};
use kinescope_ik::stack::LayerId;

use super::PATIENCE;

/// Returns the built-in biped. It is read once for all tests, because reading takes longer than many of them.
pub fn biped() -> Character {
    static BIPED: OnceLock<Character> = OnceLock::new();
    BIPED.get_or_init(|| Character::built_in().unwrap()).copy()
}

/// Returns a session with the built-in biped, whose picture has the place that it has in a window of 1440×900.
pub fn session() -> Session {
    let mut session = Session::new(biped());
    session.look.viewport = Viewport { min: Vec2::new(232.0, 66.0), size: Vec2::new(852.0, 794.0) };
    session.frame_all();
    session.update(0.0);
    session
}

/// Updates the session until `is` returns true. Panics with the text `what` if this takes longer than [`PATIENCE`].
pub fn until(session: &mut Session, what: &str, is: impl Fn(&Session) -> bool) {
    let start = Instant::now();
    while !is(session) {
        assert!(start.elapsed() < PATIENCE, "{what}: {:?}", session.window.notice);
        std::thread::sleep(Duration::from_millis(2));
        session.update(1.0 / 60.0);
    }
}

pub fn run(session: &mut Session, command: Command) {
    session.apply(Action::Command(command));
    session.update(1.0 / 60.0);
}

pub fn started(character: Character, scene: &str) -> Session {
    let mut session = Session::new(character);
    session.look.viewport = Viewport { min: Vec2::ZERO, size: Vec2::new(960.0, 600.0) };
    session.start_scene(Scene::find(scene).unwrap());
    session.update(0.0);
    session
}

pub fn in_scene(scene: &str) -> Session {
    started(biped(), scene)
}

/// Lets the tape store only the last step of each frame. Storing every step takes longer than solving.
pub fn record_no_steps(session: &mut Session) {
    session.tools.debugger.tape = std::mem::take(&mut session.tools.debugger.tape).without_steps();
}

/// Returns the session with nothing selected and a tape without steps, for tests of many frames that look at no steps.
pub fn without_steps(mut session: Session) -> Session {
    record_no_steps(&mut session);
    // While grounding is selected, every frame is grounded once more at each quality, for the inspector.
    session.apply(Action::Select(Selection::Nothing));
    session
}

pub fn body(session: &Session) -> &kinescope_ik::full_body::Recording {
    &session.world.solved.full_body().unwrap().recording
}

pub fn finish_baking(session: &mut Session) {
    while session.files.baking.is_some() {
        session.update(0.0);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

pub fn switch_on(session: &mut Session, layer: LayerId) {
    let mut stack = session.world.stack().clone();
    if let Some(on) = layer.switch(&mut stack) {
        *on = true;
        session.edit_stack("a layer", None, stack);
    }
}

/// Adds the faun's clips to the character, sets *Hands* of the retarget layer to 1, and plays the faun's walk for a
/// second.
pub fn with_motion(session: &mut Session) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/faun.glb");
    session.apply(Action::File(Command::AddMotion, path.into()));
    session.wait_for_model(std::time::Duration::from_secs(60)).unwrap();
    let walk = session.world.character.find_clip("faun.glb: walk").unwrap();
    session.apply(Action::Clip(Some(walk)));
    let mut stack = session.world.stack().clone();
    stack.order.retarget.hands = 1.0;
    session.edit_stack("hands", None, stack);
    for _ in 0..60 {
        session.update(1.0 / 60.0);
    }
}
