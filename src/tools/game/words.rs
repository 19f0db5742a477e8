//! Texts of this tool, grouped by control.

use std::fmt::Display;

pub const TITLE: &str = "Game";
pub const WHAT: &str = "Show the connected game, its frames and differences.";

pub const CONNECTION: &str = "Connection";
pub const NOT_LISTENING: &str = "Not listening";
pub const LISTENING_HINT: &str = "One game at a time";
pub const ADDRESS: &str = "Address";
pub const ADDRESS_HELP: &str = "Address and port of this machine where Kinescope listens for games.";
pub const LISTEN: &str = "Listen for games";
pub fn open_to_others(icon: &dyn Display) -> String {
    format!("{icon}  Other machines can connect")
}
pub const OPEN_TO_OTHERS_HELP: &str =
    "Other machines can reach this address and send frames. Only this machine can reach 127.0.0.1.";
pub const CONNECTED: &str = "Connected";
pub const UNNAMED_GAME: &str = "Unnamed game";
pub fn connected_without_header(from: &dyn Display) -> String {
    format!("{from} connected, no header yet")
}
pub const NOT_CONNECTED: &str = "No game yet. A game may connect at any time";
pub const ONCE_CONNECTED: &str = "Waiting for a game";
pub const FRAMES_PER_SECOND: &str = "Frames per second";
pub const RATE_HELP: &str = "Average over the last two seconds.";
pub const BYTES_PER_SECOND: &str = "Bytes per second";
pub const RECEIVED: &str = "Received";
pub const RECEIVED_HELP: &str = "Frames and bytes since listening started.";
pub const DROPPED: &str = "Dropped";
pub const DROPPED_HELP: &str = "Frames and marks of all games, dropped oldest first because memory was full.";
pub const REFUSED: &str = "Refused games";
pub const REFUSED_HELP: &str = "Connections refused because another game was connected, or because a web page is not from this machine. The first may connect again once the other game disconnects.";
pub const MALFORMED: &str = "Malformed lines";
pub const MALFORMED_HELP: &str = "Malformed lines of all games since listening started.";
pub const NOT_IN_PAGE: &str =
    "A page in a browser cannot receive frames from a game. Use the installed program, or open a recording.";
pub const HOW: &str = "A game sends its frames as lines of text, with Kinescope's library or its own code: the skeleton first, then the animated pose, the parameters and its solver's result. See «Attach to a game» in the book (docs/attach.md).";

pub const GAMES: &str = "Games";
pub const GAMES_HINT: &str = "Click one to inspect it";
pub const CHARACTERS: &str = "Characters";
pub const CHARACTERS_HINT: &str = "Each has its own frames";
pub const RUNNING: &str = "running";
pub const SAVED: &str = "saved";
pub const NOT_SAVED: &str = "not saved";
pub const RECORDING: &str = "recording";
pub fn drawn_as(name: &dyn Display) -> String {
    format!("Drawn as {name}")
}
pub const DRAWN_AS_CAPSULES: &str = "Drawn as capsules";
pub const NO_MESH: &str = "No mesh was chosen for this character.";
pub fn count_differ(count: &dyn Display, frames: &dyn Display) -> String {
    format!("{count} of {frames} differ")
}

pub const COMPARED: &str = "Compared with Kinescope";
pub const COMPARED_HINT: &str = "Solve of the same input";
pub const NO_RESULT_HELP: &str = "The game does not send its result (`result`), so only Kinescope's solve is shown.";
pub fn compared_of(compared: &dyn Display, all: &dyn Display) -> String {
    format!("{compared} of {all}")
}
pub const FRAMES_COMPARED: &str = "Frames compared";
pub const FRAMES_DIFFERING: &str = "Frames that differ";
pub const SHOW_RESULT: &str = "Show the game's result, hollow";
pub fn bone_verdict(bone: &dyn Display, verdict: &dyn Display) -> String {
    format!("{bone}, {verdict}")
}
pub fn frame_verdict(frame: &dyn Display, verdict: &dyn Display) -> String {
    format!("Frame {frame}: {verdict}")
}
pub fn frames_missing(icon: &dyn Display, frames: &dyn Display) -> String {
    format!("{icon}  {frames} missing")
}
pub const FRAMES_MISSING_HELP: &str =
    "The game's frame numbers have gaps: the game, its sender or Kinescope dropped these frames.";
pub fn marks_dropped(icon: &dyn Display, marks: &dyn Display) -> String {
    format!("{icon}  {marks} dropped, oldest first")
}
pub fn marks_dropped_help(most_marks: &dyn Display) -> String {
    format!("The newest {most_marks} marks of a game are kept.")
}
pub const VERDICT_UNKNOWN: &str = "not compared yet";
pub const VERDICT_NO_RESULT: &str = "the game does not send its result";
pub const VERDICT_SAME: &str = "same result as Kinescope";
pub const VERDICT_MALFORMED: &str = "malformed";
pub fn verdict_differs(length: &dyn Display, degrees: &dyn Display, place: &dyn Display) -> String {
    format!("results {length} and {degrees:.1}° apart, first difference at {place}")
}

pub const OPENING: &str = "Opening";
pub const SAVING: &str = "Saving";

pub const LANE_NAME: &str = "frames of the game";
pub const LANE_FRAMES: &str = "Frames";
pub const LANE_APART: &str = "Apart";
pub fn flagged(flagged: &dyn Display) -> String {
    format!("{flagged}. ")
}
pub fn frame_at(flagged: &dyn Display, frame: &dyn Display, time: &dyn Display, text: &dyn Display) -> String {
    format!("{flagged}Frame {frame} at {time:.3} s: {text}. ")
}
pub fn lane_help(verdict: &dyn Display) -> String {
    format!(
        "{verdict}Shows the distance between the game's result and Kinescope's per frame; a rotation counts as the displacement of a point a tenth of the character's height away. Drag to seek a frame; J goes to the next difference."
    )
}

pub fn listening_at(at: &dyn Display) -> String {
    format!("Listening for games at {at}")
}
pub fn line_ignored(from: &dyn Display, fault: &dyn Display) -> String {
    format!("{from}: {fault}. The line is ignored. The Game pane counts further malformed lines")
}
pub fn connection_closed(why: &dyn Display) -> String {
    format!("{why}. The connection was closed")
}
pub fn cut_off(from: &dyn Display, count: &dyn Display, stay: &dyn Display) -> String {
    format!("The connection to {from} was cut off; {count} {stay}. Data in transit is lost")
}
pub fn disconnected(from: &dyn Display, count: &dyn Display, stay: &dyn Display) -> String {
    format!("{from} disconnected; its {count} {stay}")
}
pub fn game_dropped(game: &dyn Display, count: &dyn Display) -> String {
    format!("{game}: dropped {count} to make room for another game. Save recordings to keep them")
}
pub const ASKS_FIRST: &str = ", and asks about unsaved changes";
pub fn connected(name: &dyn Display, asks: &dyn Display) -> String {
    format!("{name} has connected. L shows it{asks}")
}
pub fn following(name: &dyn Display) -> String {
    format!("Following {name}")
}
pub fn no_frame_of(character: &dyn Display) -> String {
    format!("{character}: the game has not sent a frame of this character yet")
}
pub const EDIT_IS_WHAT_IF: &str =
    "Paused: the edit is a what-if of this frame. «Tune the game» sends edits to the running game";
pub const EDIT_NOT_ADOPTED: &str = "The game has not adopted the edit. Its own parameters are shown";

pub fn result_of_frame(game: &dyn Display, frame: &dyn Display) -> String {
    format!("{game}, frame {frame}")
}
pub fn frame_ignored(game: &dyn Display, why: &dyn Display) -> String {
    format!("{game}: {why}. The frame is ignored")
}
pub const NO_GAME_TO_COMPARE: &str = "No game to compare with. Attach to a game, or open its recording";
pub const SO_FAR: &str = " so far; frames are still being compared";
pub const DIRECTION_BACK: &str = "back";
pub const DIRECTION_ON: &str = "on";
pub fn other_difference(shortcut: &dyn Display, direction: &dyn Display, frame: &dyn Display) -> String {
    format!("; {shortcut} goes {direction} to the difference at frame {frame}")
}
pub fn no_further_difference(so_far: &dyn Display, other: &dyn Display) -> String {
    format!("No further difference{so_far}{other}")
}

pub fn opening_cancelled(path: &dyn Display) -> String {
    format!("Cancelled opening {path}")
}
pub fn still_saving(path: &dyn Display) -> String {
    format!("{path} is still being written. Save again when it is done")
}
pub const NO_GAME_TO_SAVE: &str = "No game to save. Attach to a game, or open a recording";
pub fn saved_to(frames: &dyn Display, path: &dyn Display) -> String {
    format!("Saved {frames} to {path}")
}
pub fn not_written(path: &dyn Display) -> String {
    format!("{path} was not written")
}
pub fn of_characters(count: &dyn Display) -> String {
    format!(" of {count} characters")
}
pub fn summary(game: &dyn Display, frames: &dyn Display, characters: &dyn Display, seconds: &dyn Display) -> String {
    format!("{game}: {frames}{characters}, {seconds:.1} s")
}
pub fn mark_of_frame(frame: &dyn Display) -> String {
    format!("frame {frame}")
}
pub fn frame_dropped(number: &dyn Display) -> String {
    format!("frame {number} was dropped")
}

pub fn uses_parameters(fault: &dyn Display, line: &dyn Display) -> String {
    format!("{fault}. Line {line} uses its parameters")
}
pub fn line_fault(line: &dyn Display, fault: &dyn Display) -> String {
    format!("line {line}: {fault}")
}
pub fn line_error(line: &dyn Display, error: &dyn Display) -> String {
    format!("line {line}: {error}")
}
pub const NOT_TEXT: &str = "is not text (UTF-8): the file has changed since it was opened. Open it again";
pub const LINE_GREW: &str = "is longer than it was: the file has changed since it was opened. Open it again";
pub fn file_error(file: &dyn Display, error: &dyn Display) -> String {
    format!("{file}: {error}")
}
pub const HAS_NO_FRAMES: &str = "has no frames";
pub const CANNOT_SOLVE: &str = "cannot be solved";
pub const CHARACTER_UNKNOWN: &str = "the frame's character is not in the header";
pub const NOT_COMPARED: &str = "could not be compared";
pub const OTHER_PLACES: &str = "one of many other places";
pub const WAS_CANCELLED: &str = "was cancelled";

pub fn peer_error(peer: &dyn Display, error: &dyn Display) -> String {
    format!("{peer}: {error}")
}
pub fn not_an_address(address: &dyn Display, example: &dyn Display) -> String {
    format!("{address} is not an address to listen on. An example is {example}")
}
pub fn unknown_address(address: &dyn Display) -> String {
    format!("{address}: no machine has this address. Check the name")
}
pub fn address_in_use(address: &dyn Display) -> String {
    format!("{address}: another program listens there, perhaps another Kinescope. Close it or choose another port")
}
pub fn not_own_address(address: &dyn Display) -> String {
    format!("{address} is not an address of this machine")
}
pub const NO_HEADER: &str = "the first line must be the header of a recording";
pub fn cannot_read_lines(from: &dyn Display) -> String {
    format!("{from}: reading its lines failed")
}
pub fn header_timeout(from: &dyn Display, seconds: &dyn Display, no_header: &dyn Display) -> String {
    format!("{from}: sent no header within {seconds} s; {no_header}")
}
pub fn line_too_long(from: &dyn Display, number: &dyn Display, mib: &dyn Display) -> String {
    format!("{from}: line {number} is longer than {mib} MiB")
}
pub fn not_a_header(from: &dyn Display, fault: &dyn Display, no_header: &dyn Display) -> String {
    format!("{from}: {fault}; {no_header}")
}
pub fn line(line: &dyn Display) -> String {
    format!("line {line}")
}
pub const LINE_NOT_TEXT: &str = "is not text (UTF-8)";
pub fn is_too_long(mib: &dyn Display) -> String {
    format!("is longer than {mib} MiB")
}
pub fn no_header_in_time(seconds: &dyn Display) -> String {
    format!("no header within {seconds} s")
}
pub fn no_web_socket(from: &dyn Display, why: &dyn Display) -> String {
    format!("{from}: sent an HTTP request that opened no WebSocket: {why}")
}
pub fn origin_refused(from: &dyn Display, origin: &dyn Display) -> String {
    format!("{from}: pages of {origin} may not connect. Serve the game's page from localhost")
}
/// The answer to an HTTP request that opens no WebSocket.
pub fn not_a_page() -> String {
    let page =
        "Kinescope listens here for games. Open a WebSocket at this address, and send the lines of a recording.\n";
    format!(
        "HTTP/1.1 426 Upgrade Required\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\nContent-Type: text/plain\r\n\
         Content-Length: {}\r\n\r\n{page}",
        page.len()
    )
}
pub const SERVE_LOCALLY: &str = "Serve the game's page from localhost.";
pub fn too_many_malformed(from: &dyn Display, fault: &dyn Display, most_refused: &dyn Display) -> String {
    format!("{from}: {fault}; the {most_refused} lines before it are malformed too")
}
pub fn too_many_joins(from: &dyn Display) -> String {
    format!("{from}: too many characters joined while the window was busy. The game may connect again")
}
pub const JOINED: &str = "joined";
pub const LEFT: &str = "left";
pub fn left_with(frames: &dyn Display) -> String {
    format!("left  {frames}")
}
pub fn has_left(name: &dyn Display) -> String {
    format!("{name} has left the game")
}
pub const UNSAVED_FRAME: &str = "unsaved frame";
