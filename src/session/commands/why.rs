//! Why a command cannot apply now: one sentence that menus and the palette show, or `None`.

use crate::session::Session;

const NO_FULL_BODY: &str = "No full body is solved: the model has no biped (see the rig doctor).";
const NO_FRAMES: &str = "Nothing is recorded yet.";
const NO_GAME: &str = "No game is shown: attach to one, or open its recording.";
const NO_CLIP: &str = "No clip plays: choose one in the outliner.";
pub const NO_B: &str = "Nothing is compared: keep settings as B first.";

pub type Why = Option<&'static str>;

pub fn unless(can: bool, why: &'static str) -> Why {
    (!can).then_some(why)
}

pub fn cannot_pose(session: &Session) -> Why {
    let has_body = unless(session.character.rig.full_body.is_ok(), NO_FULL_BODY);
    has_body.or(unless(session.lab().is_none(), "The chain lab is open: it has no character to pose."))
}

pub fn cannot_mirror(session: &Session) -> Why {
    cannot_pose(session).or(unless(session.mirror().is_some(), NO_FULL_BODY))
}

pub fn no_target(session: &Session) -> Why {
    let why = "Select an effector, look at or reach for first: its target is attached.";
    cannot_pose(session).or(unless(session.selected_target().is_some(), why))
}

pub fn not_attached(session: &Session) -> Why {
    let own = session.selected_target().and_then(|target| session.stack().attachment(target));
    cannot_pose(session).or(unless(own.is_some(), "The selected target is attached to nothing."))
}

pub fn no_trace(session: &Session) -> Why {
    let has_body = unless(session.character.rig.full_body.is_ok(), NO_FULL_BODY);
    has_body.or(unless(!session.drives_limbs(), "Grounding drives four limbs: no full body is solved."))
}

pub fn no_clip(session: &Session) -> Why {
    unless(session.clip.clip().is_some(), NO_CLIP)
}

pub fn nothing_plays(session: &Session) -> Why {
    let is_scripted = session.begun.scene.is_some_and(|scene| scene.script.is_some());
    let moves = session.clip.clip().is_some() || is_scripted || session.lab_moves() || session.motion_moves();
    unless(moves, NO_CLIP)
}

pub fn not_listening(session: &Session) -> Why {
    unless(session.games.connection.listening().is_some(), "Kinescope does not listen.")
}

pub fn not_connected(session: &Session) -> Why {
    unless(session.games.is_connected(), "No game is connected.")
}

pub fn no_game(session: &Session) -> Why {
    unless(session.games.is_shown(), NO_GAME)
}

pub fn no_recording(session: &Session) -> Why {
    unless(session.games.to_save().is_some(), NO_GAME)
}

pub fn has_mesh(session: &Session) -> Why {
    let why = "The character has a mesh of its own: open a game's recording or a bug capsule.";
    unless(session.character.is_of_bones(), why)
}

pub fn no_body_mesh(session: &Session) -> Why {
    unless(session.character.body().is_some(), "No body mesh was chosen.")
}

pub fn no_frames(session: &Session) -> Why {
    unless(session.frames().is_some(), NO_FRAMES)
}

pub fn empty_tape(session: &Session) -> Why {
    unless(session.debugger.tape.range().is_some(), NO_FRAMES)
}

pub fn keeps_tape(session: &Session) -> Why {
    let own = unless(!session.games.is_shown(), "The frames are the game's: open another character.");
    own.or(empty_tape(session))
}

pub fn no_steps(session: &Session) -> Why {
    unless(session.shown_run().is_some(), "Nothing is solved: there are no steps.")
}

pub fn no_marker(session: &Session) -> Why {
    unless(!session.marked_frames().is_empty(), "No frame has a marker: M sets one.")
}

pub fn no_what_if(session: &Session) -> Why {
    unless(session.debugger.what_if.is_some(), "Nothing was changed since the recorded frame.")
}

pub fn compares_nothing(session: &Session) -> Why {
    let compares = session.debugger.compare.is_some() || session.debugger.port.is_some();
    unless(compares || (session.games.is_shown() && session.games.shows_result()), NO_B)
}

pub fn no_limb(session: &Session) -> Why {
    unless(session.hands.selection.limb().is_some(), "Select a hand, a foot or a limb first.")
}

pub fn no_volume(session: &Session) -> Why {
    unless(session.debugger.reach.volume.is_some(), "No reachable volume is shown.")
}

pub fn no_jobs(session: &Session) -> Why {
    let opens = session.files.opening.is_some() || session.games.opening.is_some();
    unless(
        session.debugger.has_jobs() || opens || session.files.baking.is_some(),
        "No work is under way: no sweep, no volume, no solve of a recording, no file.",
    )
}
