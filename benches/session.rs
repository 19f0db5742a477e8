//! The program's own work without drawing: a live frame (clip, solve with its whole trace, tape, break conditions,
//! analyses), a seek, and a changed value. A frame at 60 Hz has 16.7 ms, of which a live frame should take less than
//! 2 ms.
//!
//! `cargo bench --bench session`

use divan::Bencher;
use kinescope::character::Character;
use kinescope::scenes::Scene;
use kinescope::session::commands::Command;
use kinescope::session::{Action, Session};
use kinescope::tools::steps::session::StepAction;
use kinescope_ik::debugger::breaks::{Breaks, Condition};
use kinescope_ik::stepped::Cursor;

fn main() {
    divan::main();
}

const FRAME: f32 = 1.0 / 60.0;

/// Returns a session with a minute of a walk with pinned hands on the tape.
fn walk() -> Session {
    let mut session = Session::new(Character::built_in().expect("the asset reads"));
    session.start_scene(Scene::find("walk with hands pinned").expect("the scene is there"));
    for _ in 0..3600 {
        session.update(FRAME);
    }
    session
}

#[divan::bench]
fn live_frame_with_recording(bencher: Bencher) {
    let mut session = walk();
    let mut breaks = Breaks::default();
    for condition in Condition::ALL {
        // A walk meets these two conditions all the time, so they would pause it at once.
        *breaks.enabled_mut(condition) = !matches!(condition, Condition::BendTurn | Condition::ErrorRises);
    }
    session.apply(Action::Breaks(breaks));
    bencher.bench_local(|| {
        session.world.time.now = kinescope::session::Now::Live;
        session.update(FRAME)
    });
}

#[divan::bench]
fn seek_to_any_instant_of_a_minute(bencher: Bencher) {
    let mut session = walk();
    session.apply(Action::Command(Command::PlayPause));
    let mut number = 0;
    bencher.bench_local(|| {
        number = (number + 1237) % 3600;
        session.apply(Action::Steps(StepAction::SeekFrame(number)));
        session.apply(Action::Steps(StepAction::Seek(Cursor { step: 12, within: Some(0) })));
    });
}

#[divan::bench]
fn change_a_value_while_paused(bencher: Bencher) {
    let mut session = walk();
    session.apply(Action::Command(Command::PlayPause));
    session.apply(Action::Steps(StepAction::SeekFrame(1800)));
    let mut pull = 0.0;
    bencher.bench_local(|| {
        pull = (pull + 0.01) % 1.0;
        let mut settings = *session.world.settings();
        settings.chains[0].pull = pull;
        session.apply(Action::Edit {
            label: "pull".into(),
            gesture: Some(1),
            document: Box::new(session.world.history.document().with_settings(settings)),
        });
        session.update(FRAME)
    });
}
