//! Reasons why a command cannot run now. Each is one sentence, which menus and the palette show.

use crate::session::Session;
use crate::system::IS_PAGE;

const NO_FULL_BODY: &str = "No full body is solved, as the model has no biped. See the rig doctor.";
const NO_FRAMES: &str = "Nothing is recorded yet.";
const NO_GAME: &str = "No game is shown. Attach to one, or open its recording.";
const NO_CLIP: &str = "No clip plays. Choose one in the outliner.";
pub const NO_B: &str = "There is no B to compare. Keep settings as B first.";

pub type Why = Option<&'static str>;

pub fn unless(can: bool, why: &'static str) -> Why {
    (!can).then_some(why)
}

pub fn cannot_pose(session: &Session) -> Why {
    let has_body = unless(session.world.character.rig.full_body.is_ok(), NO_FULL_BODY);
    has_body.or(unless(session.world.lab().is_none(), "The chain lab is open and has no character to pose."))
}

pub fn cannot_mirror(session: &Session) -> Why {
    cannot_pose(session).or(unless(session.world.mirror().is_some(), NO_FULL_BODY))
}

pub fn no_target(session: &Session) -> Why {
    let why = "Select an effector, or a look-at or reach-for modifier first.";
    cannot_pose(session).or(unless(session.selected_target().is_some(), why))
}

pub fn not_attached(session: &Session) -> Why {
    let own = session.selected_target().and_then(|target| session.world.stack().attachment(target));
    cannot_pose(session).or(unless(own.is_some(), "The selected target is not attached."))
}

pub fn no_trace(session: &Session) -> Why {
    let has_body = unless(session.world.character.rig.full_body.is_ok(), NO_FULL_BODY);
    has_body.or(unless(!session.world.drives_limbs(), "Grounding drives four limbs, so no full body is solved."))
}

pub fn no_clip(session: &Session) -> Why {
    unless(session.world.clip.clip().is_some(), NO_CLIP)
}

pub fn no_biped(session: &Session) -> Why {
    unless(session.world.character.detection.biped.is_some(), NO_FULL_BODY)
}

pub fn no_motion_file(session: &Session) -> Why {
    unless(session.world.character.motion.is_some(), "No motion of another file was added.")
}

pub fn nothing_plays(session: &Session) -> Why {
    let is_scripted = session.started_scene.scene.is_some_and(|scene| scene.script.is_some());
    let moves =
        session.world.clip.clip().is_some() || is_scripted || session.lab_moves() || session.world.motion_moves();
    unless(moves, NO_CLIP)
}

/// Returns why a page in a browser cannot run the command. Returns `None` in the installed program.
pub fn in_page(_: &Session) -> Why {
    unless(!IS_PAGE, "A page in a browser cannot do this. The installed program can.")
}

pub fn not_listening(session: &Session) -> Why {
    unless(session.tools.games.connection.listening().is_some(), "Kinescope is not listening.")
}

pub fn not_connected(session: &Session) -> Why {
    unless(session.tools.games.is_connected(), "No game is connected.")
}

pub fn no_game(session: &Session) -> Why {
    unless(session.tools.games.is_shown(), NO_GAME)
}

pub fn no_recording(session: &Session) -> Why {
    unless(session.tools.games.to_save().is_some(), NO_GAME)
}

pub fn has_mesh(session: &Session) -> Why {
    let why = "The character has its own mesh. Open a game's recording or a bug capsule.";
    unless(session.world.character.is_of_bones(), why)
}

pub fn no_body_mesh(session: &Session) -> Why {
    unless(session.world.character.body().is_some(), "No body mesh was chosen.")
}

pub fn no_frames(session: &Session) -> Why {
    unless(session.frames().is_some(), NO_FRAMES)
}

pub fn empty_tape(session: &Session) -> Why {
    unless(session.tools.debugger.tape.range().is_some(), NO_FRAMES)
}

pub fn keeps_tape(session: &Session) -> Why {
    let own =
        unless(!session.tools.games.is_shown(), "The frames belong to the game. Open another character to drop them.");
    own.or(empty_tape(session))
}

pub fn no_steps(session: &Session) -> Why {
    unless(session.shown_run().is_some(), "Nothing is solved, so there are no steps.")
}

pub fn no_marker(session: &Session) -> Why {
    unless(!session.marked_frames().is_empty(), "No frame has a marker. Press M to set one.")
}

pub fn no_what_if(session: &Session) -> Why {
    unless(session.tools.debugger.what_if.is_some(), "Nothing has changed since the recorded frame.")
}

pub fn compares_nothing(session: &Session) -> Why {
    let compares = session.tools.debugger.compare.is_some() || session.tools.debugger.port.is_some();
    unless(compares || (session.tools.games.is_shown() && session.tools.games.shows_result()), NO_B)
}

pub fn no_limb(session: &Session) -> Why {
    unless(session.interaction.selection.limb().is_some(), "Select a hand, a foot or a limb first.")
}

pub fn no_volume(session: &Session) -> Why {
    unless(session.tools.debugger.reach.volume.is_some(), "No reachable volume is shown.")
}

pub fn no_jobs(session: &Session) -> Why {
    let opens = session.files.opening.is_some() || session.tools.games.opening.is_some();
    unless(session.tools.debugger.has_jobs() || opens || session.files.baking.is_some(), "No work is running.")
}
