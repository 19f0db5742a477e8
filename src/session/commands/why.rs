//! Reasons why a command cannot run now: one or two short sentences, which menus and the palette show.

use crate::session::Session;
use crate::system::IS_PAGE;
use crate::tools::body_lab::session::is_open;

const NO_BIPED: &str = "No biped was found, so no full body is solved. Press D to assign its bones in the rig doctor.";
const NOT_SOLVABLE: &str = "The biped's bones cannot be solved. Press D to see why in the rig doctor.";
pub(crate) const NO_FRAMES: &str = "Nothing is recorded yet.";
const NO_GAME: &str = "No game is shown. Attach to one, or open its recording.";
const NO_CLIP: &str = "No clip plays. Choose one in the outliner.";
pub(crate) const NO_B: &str = "There is no B to compare. Keep settings as B first.";

pub(crate) type Why = Option<&'static str>;

pub(crate) fn unless(can: bool, why: &'static str) -> Why {
    (!can).then_some(why)
}

pub(crate) fn no_body(session: &Session) -> Why {
    let has_biped = session.world.character.detection.biped.is_some();
    let why = if has_biped { NOT_SOLVABLE } else { NO_BIPED };
    unless(session.world.character.rig.full_body.is_ok(), why)
}

pub(crate) fn cannot_pose(session: &Session) -> Why {
    let why = "The chain lab is open and has no character to pose. Close the lab first.";
    no_body(session).or(unless(session.world.lab().is_none(), why))
}

pub(crate) fn cannot_mirror(session: &Session) -> Why {
    let why = "The reference pose has no left and right side, so there is no plane to mirror at. Press D to correct the roles in the rig doctor.";
    cannot_pose(session).or(unless(session.world.mirror().is_some(), why))
}

pub(crate) fn no_target(session: &Session) -> Why {
    let why = "Select an effector, or a look-at or reach-for modifier first.";
    cannot_pose(session).or(unless(session.selected_target().is_some(), why))
}

pub(crate) fn not_attached(session: &Session) -> Why {
    let own = session.selected_target().and_then(|target| session.world.stack().attachment(target));
    cannot_pose(session).or(unless(own.is_some(), "No attached target is selected. Select one first."))
}

pub(crate) fn no_trace(session: &Session) -> Why {
    let why = "Grounding drives four limbs, so no full body is solved. Let grounding drive the full body.";
    no_body(session).or(unless(!session.world.drives_limbs(), why))
}

pub(crate) fn no_clip(session: &Session) -> Why {
    unless(session.world.clip.clip().is_some(), NO_CLIP)
}

pub(crate) fn no_body_lab(session: &Session) -> Why {
    cannot_pose(session).or(unless(is_open(session), "The full-body lab is closed. Open it first."))
}

pub(crate) fn no_divergence(session: &Session) -> Why {
    let can = session.world.body_lab().lanes.len() > 1;
    let frames = if session.tools.body_lab.divergence.over_clip { no_clip(session) } else { empty_tape(session) };
    no_body_lab(session).or(unless(can, "The lab has only one lane. Add another.")).or(frames)
}

pub(crate) fn no_biped(session: &Session) -> Why {
    let why = "Clips of another file move a biped, and none was found. Press D to assign its bones in the rig doctor.";
    unless(session.world.character.detection.biped.is_some(), why)
}

pub(crate) fn no_motion_file(session: &Session) -> Why {
    unless(session.world.character.motion.is_some(), "No motion was added from a file.")
}

pub(crate) fn nothing_plays(session: &Session) -> Why {
    let is_scripted = session.started_scene.scene.is_some_and(|scene| scene.script.is_some());
    let moves =
        session.world.clip.clip().is_some() || is_scripted || session.lab_moves() || session.world.motion_moves();
    unless(moves, NO_CLIP)
}

pub(crate) fn in_page(_: &Session) -> Why {
    unless(!IS_PAGE, "A page in a browser cannot do this. The installed program can.")
}

pub(crate) fn not_listening(session: &Session) -> Why {
    unless(session.tools.games.connection.listening().is_some(), "Kinescope is not listening for games.")
}

pub(crate) fn not_connected(session: &Session) -> Why {
    unless(session.tools.games.is_connected(), "No game is connected.")
}

pub(crate) fn no_game(session: &Session) -> Why {
    unless(session.tools.games.is_shown(), NO_GAME)
}

pub(crate) fn no_recording(session: &Session) -> Why {
    unless(session.tools.games.to_save().is_some(), NO_GAME)
}

pub(crate) fn has_mesh(session: &Session) -> Why {
    let why = "Only characters of games, recordings, traces and bug capsules can have another mesh. Open one first.";
    unless(session.world.character.is_of_bones(), why)
}

pub(crate) fn no_body_mesh(session: &Session) -> Why {
    unless(session.world.character.body().is_some(), "No body mesh was chosen.")
}

pub(crate) fn no_frames(session: &Session) -> Why {
    unless(session.frames().is_some(), NO_FRAMES)
}

pub(crate) fn empty_tape(session: &Session) -> Why {
    unless(session.tools.debugger.tape.range().is_some(), NO_FRAMES)
}

pub(crate) fn keeps_tape(session: &Session) -> Why {
    let own = unless(
        !session.tools.games.is_shown(),
        "Frames of a game cannot be forgotten while the game is shown. Open another character to leave the game.",
    );
    own.or(empty_tape(session))
}

pub(crate) fn no_steps(session: &Session) -> Why {
    unless(session.shown_run().is_some(), "The layer shown is not solved, so there are no steps. Select another layer.")
}

pub(crate) fn no_marker(session: &Session) -> Why {
    unless(!session.marked_frames().is_empty(), "No frame has a marker. Press M to set one.")
}

pub(crate) fn no_what_if(session: &Session) -> Why {
    unless(
        session.tools.debugger.what_if.is_some(),
        "Nothing was changed while paused. Pause and change a setting first.",
    )
}

pub(crate) fn compares_nothing(session: &Session) -> Why {
    let compares = session.tools.debugger.compare.is_some() || session.tools.debugger.port.is_some();
    let has_result = session.tools.games.shown().is_some_and(|(game, own)| game.lanes[own].with_result > 0);
    let why = "Nothing is compared. Keep settings as B, open a port's trace, or show a game's result.";
    unless(compares || (has_result && session.tools.games.shows_result()), why)
}

pub(crate) fn no_limb(session: &Session) -> Why {
    unless(session.interaction.selection.limb().is_some(), "Select a hand, a foot or a limb first.")
}

pub(crate) fn no_volume(session: &Session) -> Why {
    unless(session.tools.debugger.reach.volume.is_some(), "No reachable volume is shown.")
}

pub(crate) fn no_trackers(session: &Session) -> Why {
    let is_on = session.world.history.document().stack.order.trackers.on;
    no_body(session).or(unless(is_on, "Turn on «Simulated trackers» first."))
}

pub(crate) fn not_calibrated(session: &Session) -> Why {
    let is_calibrated = session.world.history.document().stack.order.trackers.calibration.is_some();
    unless(is_calibrated, "The trackers are not calibrated.")
}

pub(crate) fn no_jobs(session: &Session) -> Why {
    let opens = session.files.opening.is_some() || session.tools.games.opening.is_some();
    let compares = session.tools.body_lab.divergence.job.is_some();
    unless(
        compares || session.tools.debugger.has_jobs() || opens || session.files.baking.is_some(),
        "No work is running.",
    )
}
