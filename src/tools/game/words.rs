use std::fmt::Display;

pub(crate) const TITLE: &str = "Game";
pub(crate) const WHAT: &str = "Show the connected game, its frames and differences.";

pub(crate) const CONNECTION: &str = "Connection";
pub(crate) const NOT_LISTENING: &str = "Not listening";
pub(crate) const LISTENING_HINT: &str = "One game at a time";
pub(crate) const ADDRESS: &str = "Address";
pub(crate) const ADDRESS_HELP: &str = "Address and port of this machine where Kinescope listens for games.";
pub(crate) const LISTEN: &str = "Listen for games";
pub(crate) fn open_to_others(icon: &dyn Display) -> String {
    format!("{icon}  Other machines can connect")
}
pub(crate) const OPEN_TO_OTHERS_HELP: &str = "Unless a firewall blocks them, other machines can reach this address and send frames. Only this machine can reach 127.0.0.1.";
pub(crate) const CONNECTED: &str = "Connected";
pub(crate) const UNNAMED_GAME: &str = "Unnamed game";
pub(crate) fn connected_without_header(from: &dyn Display) -> String {
    format!("{from} connected, no header yet")
}
pub(crate) const NOT_CONNECTED: &str = "No game. A game may connect at any time";
pub(crate) const BEHIND_DIALOG: &str = "The game is received, and its frames are kept. The picture shows it once the question about unsaved work is answered. If you recover the work, press L to show the game.";
pub(crate) const ONCE_CONNECTED: &str = "Waiting for a game";
pub(crate) const FRAMES_PER_SECOND: &str = "Frames per second";
pub(crate) const RATE_HELP: &str = "Average over the last two seconds.";
pub(crate) const BYTES_PER_SECOND: &str = "Bytes per second";
pub(crate) const RECEIVED: &str = "Received";
pub(crate) const RECEIVED_HELP: &str =
    "Since listening started: frames of games, and bytes of games and outside solvers.";
pub(crate) const DROPPED: &str = "Dropped";
pub(crate) const DROPPED_HELP: &str = "Dropped frames and marks of all games. Kinescope drops the oldest when memory is full or the window is busy, and the smallest games when there are too many.";
pub(crate) const REFUSED: &str = "Refused games";
pub(crate) const REFUSED_HELP: &str = "Connections refused because another game was connected, too many waited, or no WebSocket could be opened, for example for a web page that this machine does not serve.";
pub(crate) const MALFORMED: &str = "Malformed lines";
pub(crate) const MALFORMED_HELP: &str = "Malformed lines of all games and outside solvers since listening started.";
pub(crate) const NOT_IN_PAGE: &str =
    "A page in a browser cannot receive frames from a game. Use the installed program, or open a recording.";
pub(crate) const HOW: &str = "A game sends its frames as lines of text, with Kinescope's library or its own code: the skeleton first, then the animated pose, the parameters and its solver's result. See «Attach to a game» in the book (docs/attach.md).";

pub(crate) const GAMES: &str = "Games";
pub(crate) const GAMES_HINT: &str = "Click one to inspect it";
pub(crate) const CHARACTERS: &str = "Characters";
pub(crate) const CHARACTERS_HINT: &str = "Each has its own frames";
pub(crate) const RUNNING: &str = "running";
pub(crate) const SAVED: &str = "saved";
pub(crate) const NOT_SAVED: &str = "not saved";
pub(crate) const RECORDING: &str = "recording";
pub(crate) fn drawn_as(name: &dyn Display) -> String {
    format!("Drawn as {name}")
}
pub(crate) const DRAWN_AS_CAPSULES: &str = "Drawn as capsules";
pub(crate) const NO_MESH: &str = "No mesh is chosen for this character.";
pub(crate) fn count_differ(count: &dyn Display, frames: &dyn Display) -> String {
    format!("{count} of {frames} differ or failed")
}

pub(crate) const COMPARED: &str = "Compared with Kinescope";
pub(crate) const COMPARED_HINT: &str = "Solve of the same input";
pub(crate) const NO_RESULT_HELP: &str =
    "No frame of this character has a result of the game (`result`), so only Kinescope's solve is shown.";
pub(crate) fn compared_of(compared: &dyn Display, all: &dyn Display) -> String {
    format!("{compared} of {all}")
}
pub(crate) const FRAMES_COMPARED: &str = "Frames compared";
pub(crate) const FRAMES_DIFFERING: &str = "Frames that differ or failed";
pub(crate) const SHOW_RESULT: &str = "Show the game's result, hollow";
pub(crate) fn bone_verdict(bone: &dyn Display, verdict: &dyn Display) -> String {
    format!("{verdict}; worst bone: {bone}")
}
pub(crate) fn frame_verdict(frame: &dyn Display, verdict: &dyn Display) -> String {
    format!("Frame {frame}: {verdict}")
}
pub(crate) fn frames_missing(icon: &dyn Display, frames: &dyn Display) -> String {
    format!("{icon}  {frames} missing")
}
pub(crate) const FRAMES_MISSING_HELP: &str =
    "The game's frame numbers have gaps: the game, its sender or Kinescope dropped these frames.";
pub(crate) fn marks_dropped(icon: &dyn Display, marks: &dyn Display) -> String {
    format!("{icon}  {marks} dropped, oldest first")
}
pub(crate) fn marks_dropped_help(most_marks: &dyn Display) -> String {
    format!("The newest {most_marks} marks of a game are kept.")
}
pub(crate) const VERDICT_UNKNOWN: &str = "not compared yet";
pub(crate) const VERDICT_NO_RESULT: &str = "the game sent no result";
pub(crate) const VERDICT_SAME: &str = "same result as Kinescope";
pub(crate) const VERDICT_BROKEN: &str = "could not be compared";
pub(crate) fn verdict_differs(length: &dyn Display, degrees: &dyn Display, place: &dyn Display) -> String {
    format!("results up to {length} and {degrees:.1}° apart, first difference at {place}")
}

pub(crate) const OPENING: &str = "Opening";
pub(crate) const SAVING: &str = "Saving";

pub(crate) const LANE_NAME: &str = "frames of the game";
pub(crate) const LANE_FRAMES: &str = "Frames";
pub(crate) const LANE_APART: &str = "Apart";
pub(crate) fn flagged(flagged: &dyn Display) -> String {
    format!("{flagged}. ")
}
pub(crate) fn frame_at(flagged: &dyn Display, frame: &dyn Display, time: &dyn Display, text: &dyn Display) -> String {
    format!("{flagged}Frame {frame} at {time:.3} s: {text}. ")
}
pub(crate) fn lane_help(verdict: &dyn Display) -> String {
    format!(
        "{verdict}Shows the distance between the game's result and Kinescope's per frame; a rotation counts as the displacement of a point at a tenth of the character's height from the joint. Drag to seek a frame; J goes to the next difference."
    )
}

pub(crate) fn listening_at(at: &dyn Display) -> String {
    format!("Listening for games at {at}")
}
pub(crate) fn line_ignored(from: &dyn Display, fault: &dyn Display) -> String {
    format!("{from}: {fault}. The line is ignored. The Game pane counts further malformed lines")
}
pub(crate) fn connection_closed(why: &dyn Display) -> String {
    format!("{why}. The connection was closed")
}
pub(crate) fn cut_off(from: &dyn Display, count: &dyn Display, stay: &dyn Display) -> String {
    format!("The connection to {from} was cut off; {count} {stay}. Data in transit is lost")
}
pub(crate) fn disconnected(from: &dyn Display, count: &dyn Display, stay: &dyn Display) -> String {
    format!("{from} disconnected; its {count} {stay}")
}
pub(crate) fn game_dropped(game: &dyn Display, count: &dyn Display) -> String {
    format!("{game}: dropped {count} to make room for another game. Save a game's recording to keep its frames")
}
pub(crate) const ASKS_FIRST: &str = ", and asks about unsaved changes";
pub(crate) fn connected(name: &dyn Display, asks: &dyn Display) -> String {
    format!("{name} has connected. L shows it{asks}")
}
pub(crate) fn following(name: &dyn Display) -> String {
    format!("Following {name}")
}
pub(crate) fn no_frame_of(character: &dyn Display) -> String {
    format!("{character} has no frames: the game has sent none yet, or they were dropped because memory was full")
}
pub(crate) const EDIT_IS_WHAT_IF: &str =
    "Paused: the edit is a what-if of this frame. «Game tuning» sends edits to the running game";
pub(crate) const EDIT_NOT_ADOPTED: &str = "The game has not adopted the edit. The game's own parameters are shown";

pub(crate) fn result_of_frame(game: &dyn Display, frame: &dyn Display) -> String {
    format!("{game}, frame {frame}")
}
pub(crate) fn frame_ignored(frame: &dyn Display, game: &dyn Display, why: &dyn Display) -> String {
    format!("Could not compare frame {frame} of {game}: {why}")
}
pub(crate) const NO_GAME_TO_COMPARE: &str = "No game to compare with. Attach to a game, or open its recording";
pub(crate) const SO_FAR: &str = " so far; frames are still being compared";
pub(crate) const DIRECTION_BACK: &str = "back";
pub(crate) const DIRECTION_ON: &str = "on";
pub(crate) fn other_difference(shortcut: &dyn Display, direction: &dyn Display, frame: &dyn Display) -> String {
    format!("; {shortcut} goes {direction} to the difference at frame {frame}")
}
pub(crate) fn no_further_difference(so_far: &dyn Display, other: &dyn Display) -> String {
    format!("No further difference{so_far}{other}")
}

pub(crate) fn opening_cancelled(path: &dyn Display) -> String {
    format!("Cancelled opening {path}")
}
pub(crate) fn still_saving(path: &dyn Display) -> String {
    format!("{path} is still being written. Save again when it is done")
}
pub(crate) const NO_GAME_TO_SAVE: &str = "No game to save. Attach to a game, or open a recording";
pub(crate) fn saved_to(frames: &dyn Display, path: &dyn Display) -> String {
    format!("Saved {frames} to {path}")
}
pub(crate) fn not_written(path: &dyn Display) -> String {
    format!("{path} was not written. Save again")
}
pub(crate) fn of_characters(count: &dyn Display) -> String {
    format!(" of {count} characters")
}
pub(crate) fn summary(
    game: &dyn Display,
    frames: &dyn Display,
    characters: &dyn Display,
    seconds: &dyn Display,
) -> String {
    format!("{game}: {frames}{characters}, {seconds:.1} s")
}
pub(crate) fn mark_of_frame(frame: &dyn Display) -> String {
    format!("frame {frame}")
}
pub(crate) const FRAME_DROPPED: &str =
    "the frame was dropped, because memory was full; the oldest remaining frame is shown";

pub(crate) fn uses_parameters(fault: &dyn Display, line: &dyn Display) -> String {
    format!("{fault}. Line {line} uses the parameters of that line")
}
pub(crate) fn line_fault(line: &dyn Display, fault: &dyn Display) -> String {
    format!("line {line}: {fault}")
}
pub(crate) fn line_error(line: &dyn Display, error: &dyn Display) -> String {
    format!("line {line}: {error}")
}
pub(crate) const NOT_TEXT: &str = "is not text (UTF-8): the file has changed since it was opened. Open it again";
pub(crate) const LINE_GREW: &str = "is longer than it was: the file has changed since it was opened. Open it again";
pub(crate) fn file_error(file: &dyn Display, error: &dyn Display) -> String {
    format!("{file}: {error}")
}
pub(crate) const HAS_NO_FRAMES: &str = "has no frames; record the game again";
pub(crate) const CANNOT_SOLVE: &str = "Kinescope's solver failed; other frames are still compared";
pub(crate) const OTHER_PLACES: &str = "one of many other places";
pub(crate) const WAS_CANCELLED: &str = "was cancelled";

pub(crate) fn peer_error(peer: &dyn Display, error: &dyn Display) -> String {
    format!("{peer}: {error}")
}
pub(crate) fn not_an_address(address: &dyn Display, example: &dyn Display) -> String {
    format!("{address} is not an address to listen on, or its name could not be resolved. An example is {example}")
}
pub(crate) fn unknown_address(address: &dyn Display) -> String {
    format!("{address}: no machine has this address. Check the name")
}
pub(crate) fn address_in_use(address: &dyn Display) -> String {
    format!("{address}: another program listens there, perhaps another Kinescope. Close it or choose another port")
}
pub(crate) fn not_own_address(address: &dyn Display) -> String {
    format!(
        "{address} is not an address of this machine. Choose 127.0.0.1 for this machine alone, or 0.0.0.0 for other machines too"
    )
}
pub(crate) const NO_HEADER: &str = "the first line must be the header of a recording or of an outside solver";
pub(crate) fn cannot_read_lines(from: &dyn Display) -> String {
    format!("{from}: reading its lines failed; connect the game again")
}
pub(crate) fn header_timeout(from: &dyn Display, seconds: &dyn Display, no_header: &dyn Display) -> String {
    format!("{from}: sent no header within {seconds} s; {no_header}")
}
pub(crate) fn line_too_long(from: &dyn Display, number: &dyn Display, mib: &dyn Display) -> String {
    format!(
        "{from}: line {number} is longer than {mib} MiB, or its WebSocket message is; send shorter lines and messages"
    )
}
pub(crate) fn not_a_header(from: &dyn Display, fault: &dyn Display, no_header: &dyn Display) -> String {
    format!("{from}: {fault}; {no_header}")
}
pub(crate) fn line(line: &dyn Display) -> String {
    format!("line {line}")
}
pub(crate) const LINE_NOT_TEXT: &str = "is not text (UTF-8)";
pub(crate) fn is_long_line(mib: &dyn Display) -> String {
    format!("is longer than {mib} MiB, or its WebSocket message is; send shorter lines and messages")
}
pub(crate) fn is_too_long(mib: &dyn Display) -> String {
    format!("is longer than {mib} MiB; send shorter lines")
}
pub(crate) fn solver_refused(from: &dyn Display, fault: &dyn Display) -> String {
    format!("{from}: the solver was refused; {fault}")
}
pub(crate) fn solver_format(found: &dyn Display, wanted: &dyn Display) -> String {
    format!("is {found}; the format of solvers is {wanted}")
}
pub(crate) fn solver_version(found: &dyn Display, wanted: &dyn Display) -> String {
    format!("is {found}; this Kinescope reads version {wanted}")
}
pub(crate) fn solver_name(most: &dyn Display) -> String {
    format!("must have 1 to {most} characters, none of them a control character such as a line feed")
}
pub(crate) fn solver_name_taken(name: &dyn Display) -> String {
    format!("is {name}, the name of a connected solver; choose another")
}
pub(crate) fn too_many_solvers(most: &dyn Display) -> String {
    format!("at most {most} solvers can be connected; end one of them")
}
pub(crate) const POSE_MISSING: &str = "is missing; send a transform for each bone, or the field error with a reason";
pub(crate) fn too_many_iterations(found: &dyn Display, most: &dyn Display) -> String {
    format!("has {found} poses; at most {most} are allowed")
}
pub(crate) fn wrong_time(found: &dyn Display) -> String {
    format!("is {found}; it must be a duration in microseconds, 0 or more")
}
pub(crate) fn wrong_bones(found: &dyn Display, wanted: &dyn Display) -> String {
    format!("has {found} bones; the character has {wanted}")
}
pub(crate) const WRONG_POSITION: &str = "has a position that is not finite or too far away";
pub(crate) fn wrong_rotation(length: &dyn Display) -> String {
    format!("has a rotation of length {length}; a rotation is a unit quaternion [x, y, z, w]")
}
pub(crate) fn wrong_frame(found: &dyn Display, wanted: &dyn Display) -> String {
    format!("is {found}; the frame to solve is {wanted}")
}
pub(crate) fn no_frame_asked(found: &dyn Display) -> String {
    format!("is {found}, but no frame waits for an answer; send one answer for each frame")
}
pub(crate) fn no_header_in_time(seconds: &dyn Display) -> String {
    format!("no header within {seconds} s")
}
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn no_web_socket(from: &dyn Display, why: &dyn Display) -> String {
    format!("{from}: sent an HTTP request that opened no WebSocket: {why}")
}
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn origin_refused(from: &dyn Display, origin: &dyn Display) -> String {
    format!("{from}: pages of {origin} may not connect. Serve the game's page from localhost")
}
/// Returns the answer to an HTTP request that opens no WebSocket.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn not_a_page() -> String {
    let page =
        "Kinescope listens here for games. Open a WebSocket at this address, and send the lines of a recording.\n";
    format!(
        "HTTP/1.1 426 Upgrade Required\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\nContent-Type: text/plain\r\n\
         Content-Length: {}\r\n\r\n{page}",
        page.len()
    )
}
#[cfg(not(target_arch = "wasm32"))]
pub(crate) const SERVE_LOCALLY: &str = "Serve the game's page from localhost.";
pub(crate) fn too_many_malformed(from: &dyn Display, fault: &dyn Display, most_refused: &dyn Display) -> String {
    format!("{from}: {fault}; {most_refused} malformed lines came before it without a frame or an answer between them")
}
pub(crate) fn too_many_joins(from: &dyn Display) -> String {
    format!("{from}: too many characters joined or left while the window was busy. The game may connect again")
}
pub(crate) const JOINED: &str = "joined";
pub(crate) const LEFT: &str = "left";
pub(crate) fn left_with(frames: &dyn Display) -> String {
    format!("left  {frames}")
}
pub(crate) fn has_left(name: &dyn Display) -> String {
    format!("{name} has left the game")
}
pub(crate) const UNSAVED_FRAME: &str = "unsaved frame";
