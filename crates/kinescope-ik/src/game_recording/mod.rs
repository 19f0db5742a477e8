//! Recordings of games: frames of any program that runs this solver or a port of it (`kinescope-recording`, version 2).
//!
//! The format is JSON Lines in UTF-8. A running game sends the same text over a socket. The first line is the header;
//! every other line is empty or has one frame of one character, a mark, or a character that joins or leaves:
//!
//! ```json
//! {"format":"kinescope-recording","version":2,"producer":"my game 0.3","characters":[{"name":"player","rig":{"bones":[{"name":"Hips","parent":-1,"reference":[0,0.9,0,0,0,0,1]}],"biped":{"pelvis":0,"...":"as in a trace"}}}]}
//! {"character":"player","frame":812,"time":13.5333,"parameters":{"solver":{}},"animated":[[0,0.9,0,0,0,0,1]],"steps":[{"iteration":0,"stage":"push","nodes":{"body":[0,1,0]}}],"writes":[{"stage":"spine","bones":{"0":[0,0.9,0,0,0,0,1]}}],"result":[[0,0.9,0,0,0,0,1]]}
//! {"mark":"jump","time":13.6}
//! {"join":{"name":"enemy 3","rig":{"bones":[{"name":"Hips","parent":-1,"reference":[0,0.9,0,0,0,0,1]}]},"biped":{"pelvis":0,"...":"as in a trace"}}}
//! {"leave":"enemy 3"}
//! ```
//!
//! | field | content | if omitted |
//! |---|---|---|
//! | `producer` | the program that made the recording, for people | empty |
//! | `characters` | up to 256 characters that are present from the start, with different names | none |
//! | `rig.bones` | 1 to 4,096, parents first, −1 for a root; `reference` is the pose that initializes the solver | error |
//! | `biped`, beside `rig` or within it | the roles, by index into the bones, as in a [trace](crate::trace) | detected from the reference pose and the names |
//! | `frame` | the game's frame number | one more than in the character's previous frame; 0 in its first |
//! | `time` | seconds; never decreases within a character | error |
//! | `parameters` | `solver`, `chains`, `effectors` as in a preset | those of the character's previous frame; the defaults in its first frame |
//! | `animated` | the input pose of the game's solver | error |
//! | `steps`, `writes` | stages as in a trace, each optional, with any of their nodes and bones | none |
//! | `result` | the result of the game's solver | none |
//! | `join` | a character as in `characters`; at most 256 are present at a time | |
//! | `leave` | the name of a present character; a character may join with that name again, also with another rig | |
//!
//! A bone's transform is seven numbers: position, then rotation `[x, y, z, w]`, in model space and model units. A line
//! has at most 16 MiB. Unknown fields are errors. So are ambiguous lines: a repeated field, a repeated stage in `steps`
//! or `writes`, a field that does not belong to the line's kind, such as `animated` beside `mark`.
//!
//! Version 1 has no `join` and `leave`, and at least one character in the header. It is still read.

mod data;
mod file;
mod reader;
mod refusal;
mod solver;
mod writer;

pub use data::{
    EMPTY, FORMAT, GameCharacter, GameFrame, Header, Line, MOST_BONES, MOST_CHARACTERS, MOST_LINE, Mark, Outline,
    Skimmed, VERSION,
};
#[cfg(feature = "link")]
pub(crate) use data::{check_joining, check_nodes, has_as_many};
#[cfg(feature = "link")]
pub(crate) use file::seconds;
pub use reader::{Reader, parameters_of};
pub use refusal::Refusal;
pub use solver::GameSolver;
pub use writer::Writer;
