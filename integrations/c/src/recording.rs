//! Recordings, and the link to a listening window.

use std::ffi::c_char;
use std::fs::File;
use std::io::{BufWriter, Write};

use kinescope_library::RigidTransform;
use kinescope_library::Settings;
use kinescope_library::Skeleton;
use kinescope_library::full_body::{Nodes, Step};
use kinescope_library::game_recording::{GameCharacter, Header, Mark, Writer};
use kinescope_library::link::{Frame, Sender};

use crate::pose::{KinescopePose, KinescopeVec3};
use crate::settings::KinescopeSettings;
use crate::solver::KinescopeSolver;
use crate::steps::KinescopeStep;
use crate::{
    Done, KINESCOPE_NODES, KinescopeStatus, Refused, exclusive, guard, hand_over, list, look, shared, take_back, text,
};

/// Who records, and which characters there are: a recorder and a sender are made from it.
pub struct KinescopeGame {
    header: Header,
}

/// The nodes after a step.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeStepNodes {
    pub step: KinescopeStep,
    pub nodes: [KinescopeVec3; KINESCOPE_NODES],
}

/// One frame of one character.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct KinescopeFrame {
    /// Of kinescope_game_add.
    pub character: u32,
    /// The game's own number; negative counts on.
    pub frame: i64,
    /// Seconds; never goes back within a character.
    pub time: f64,
    /// What the solver was asked for; NULL for the defaults.
    pub settings: *const KinescopeSettings,
    /// The pose that was handed to the solver.
    pub animated: KinescopePose,
    /// What the game's own solver came to; a count of 0 where it is not told.
    pub result: KinescopePose,
    /// Stages with the nodes after them; may be NULL.
    pub steps: *const KinescopeStepNodes,
    /// How many.
    pub step_count: usize,
}

/// Writes a recording to a file.
pub struct KinescopeRecorder {
    file: BufWriter<File>,
    writer: Writer,
    buffers: Buffers,
    /// Each character's next number.
    next: Vec<u64>,
    /// A line did not get to the file whole: what follows would be read wrongly.
    failed: Option<String>,
}

impl KinescopeRecorder {
    fn write(&mut self, line: &str) -> Done {
        if let Some(why) = &self.failed {
            return Err(Refused(KinescopeStatus::System, format!("{why}; the recording ends there")));
        }
        match self.file.write_all(line.as_bytes()) {
            Ok(()) => Ok(KinescopeStatus::Done),
            Err(error) => {
                self.failed = Some(error.to_string());
                Err(Refused::system(error))
            }
        }
    }
}

/// Sends frames to a listening window.
pub struct KinescopeSender {
    sender: Sender,
    buffers: Buffers,
}

#[derive(Default)]
struct Buffers {
    /// Each character's bones.
    skeletons: Vec<Skeleton>,
    /// Each character's last time.
    last: Vec<Option<f64>>,
    animated: Vec<RigidTransform>,
    result: Vec<RigidTransform>,
    steps: Vec<(Step, Nodes)>,
}

impl Buffers {
    fn new(header: &Header) -> Self {
        let skeletons: Vec<Skeleton> = header.characters.iter().map(|own| own.skeleton.clone()).collect();
        Self { last: vec![None; skeletons.len()], skeletons, ..Self::default() }
    }

    /// # Safety
    /// As [`KinescopeStatus`] says of pointers.
    unsafe fn read(&mut self, frame: &KinescopeFrame) -> Result<Frame<'_>, Refused> {
        let character = frame.character as usize;
        let Some(skeleton) = self.skeletons.get(character) else {
            let count = self.skeletons.len();
            return Err(Refused::argument(format!("character: is {character}; the game has {count}")));
        };
        unsafe { frame.animated.read("animated", &mut self.animated) }?;
        unsafe { frame.result.read("result", &mut self.result) }?;
        if let Some(last) = self.last[character].filter(|last| frame.time < *last) {
            let why = format!("time: is {}, before {last}, that of this character's frame before", frame.time);
            return Err(Refused::argument(why));
        }
        let parameters = match unsafe { frame.settings.as_ref() } {
            Some(settings) => settings.read()?,
            None => Settings::default(),
        };
        self.steps.clear();
        for own in unsafe { list(frame.steps, frame.step_count, "steps") }? {
            self.steps.push((own.step.read()?, Nodes(own.nodes.map(Into::into))));
        }
        let frame = Frame {
            frame: u64::try_from(frame.frame).ok(),
            parameters,
            steps: &self.steps,
            result: (!self.result.is_empty()).then_some(&self.result),
            ..Frame::new(character, frame.time, &self.animated)
        };
        // What a solve lets pass, a file does not.
        frame.check(skeleton).map_err(|fault| {
            let status = match fault.place.split(['[', '.']).next() {
                Some("animated" | "result") => KinescopeStatus::BadPose,
                Some("parameters") => KinescopeStatus::BadSettings,
                _ => KinescopeStatus::BadArgument,
            };
            Refused(status, fault.to_string())
        })?;
        self.last[character] = Some(frame.time);
        Ok(frame)
    }
}

/// Makes a game without characters; `producer` says who records, for people.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_game_new(producer: *const c_char, out: *mut *mut KinescopeGame) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let producer = text(producer, "producer")?.to_owned();
            Ok(KinescopeGame { header: Header { producer, characters: Vec::new() } })
        })
    })
}

/// Adds a character by a name of its own. `index`, which may be NULL, gets its number for frames.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_game_add(
    game: *mut KinescopeGame,
    name: *const c_char,
    solver: *const KinescopeSolver,
    index: *mut u32,
) -> KinescopeStatus {
    guard(|| {
        let header = &mut unsafe { exclusive(game, "game") }?.header;
        let (name, solver) = unsafe { (text(name, "name")?, shared(solver, "solver")?) };
        header.characters.push(GameCharacter { name: name.to_owned(), ..solver.character.clone() });
        if let Err(fault) = header.check() {
            header.characters.pop();
            return Err(Refused::argument(fault.to_string()));
        }
        if let Some(index) = unsafe { index.as_mut() } {
            *index = header.characters.len() as u32 - 1;
        }
        Ok(KinescopeStatus::Done)
    })
}

/// Frees a game; NULL is none. What was made from it goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_game_free(game: *mut KinescopeGame) {
    unsafe { take_back(game) };
}

fn check_seconds(time: f64) -> Result<(), Refused> {
    match time.is_finite() {
        true => Ok(()),
        false => Err(Refused::argument("time: is not finite; it is a number of seconds")),
    }
}

fn header(game: &KinescopeGame) -> Result<&Header, Refused> {
    match game.header.characters.is_empty() {
        true => Err(Refused::argument("game: has no characters: kinescope_game_add")),
        false => Ok(&game.header),
    }
}

/// Begins a recording in a file, which is written over; `path` is UTF-8. Kinescope opens files
/// that end in `.jsonl` as recordings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_recorder_new(
    game: *const KinescopeGame,
    path: *const c_char,
    out: *mut *mut KinescopeRecorder,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let header = header(shared(game, "game")?)?;
            let path = text(path, "path")?;
            let system = |error: std::io::Error| Refused(KinescopeStatus::System, format!("{path}: {error}"));
            let mut file = BufWriter::new(File::create(path).map_err(system)?);
            let (writer, first) = Writer::new(header);
            file.write_all(first.as_bytes()).map_err(system)?;
            let next = vec![0; header.characters.len()];
            Ok(KinescopeRecorder { file, writer, buffers: Buffers::new(header), next, failed: None })
        })
    })
}

unsafe fn record(recorder: *mut KinescopeRecorder, frame: *const KinescopeFrame) -> Done {
    let own = unsafe { exclusive(recorder, "recorder") }?;
    let frame = unsafe { own.buffers.read(shared(frame, "frame")?) }?;
    let next = &mut own.next[frame.character];
    let number = frame.frame.unwrap_or(*next);
    *next = number.saturating_add(1);
    let line = own.writer.frame(&frame.to_game_frame(number));
    own.write(&line.unwrap_or_default())
}

/// Records a frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_recorder_frame(
    recorder: *mut KinescopeRecorder,
    frame: *const KinescopeFrame,
) -> KinescopeStatus {
    guard(|| unsafe { record(recorder, frame) })
}

/// Says something of a moment; seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_recorder_mark(
    recorder: *mut KinescopeRecorder,
    mark: *const c_char,
    time: f64,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { exclusive(recorder, "recorder") }?;
        let mark = Mark { mark: unsafe { text(mark, "mark") }?.to_owned(), time };
        check_seconds(time)?;
        own.write(&Writer::mark(&mark))
    })
}

/// Ends a recording and frees the recorder, whatever comes of it; NULL is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_recorder_free(recorder: *mut KinescopeRecorder) -> KinescopeStatus {
    guard(|| {
        if recorder.is_null() {
            return Ok(KinescopeStatus::NothingToDo);
        }
        let mut own = unsafe { Box::from_raw(recorder) };
        own.file.flush().map_err(Refused::system)?;
        Ok(KinescopeStatus::Done)
    })
}

/// Begins to look for a listening window (`kinescope --listen`) at `address`, host:port; NULL for the one that a window has
/// that was told none. It may be started before or after, and again: the sender calls by itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_new(
    game: *const KinescopeGame,
    address: *const c_char,
    out: *mut *mut KinescopeSender,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let header = header(shared(game, "game")?)?;
            let address = if address.is_null() { kinescope_library::link::ADDRESS } else { text(address, "address")? };
            let say = |error: std::io::Error| Refused::argument(format!("address: {address}: {error}"));
            let sender = Sender::new(address, header).map_err(say)?;
            Ok(KinescopeSender { sender, buffers: Buffers::new(header) })
        })
    })
}

/// Hands a frame over. Never waits, and allocates nothing once warm. KINESCOPE_STATUS_NOTHING_TO_DO where it was let go, as the
/// thread that sends had no room just then: it is counted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_send(
    sender: *mut KinescopeSender,
    frame: *const KinescopeFrame,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { exclusive(sender, "sender") }?;
        let frame = unsafe { own.buffers.read(shared(frame, "frame")?) }?;
        match own.sender.send(&frame) {
            true => Ok(KinescopeStatus::Done),
            false => Ok(KinescopeStatus::NothingToDo),
        }
    })
}

/// Says something of a moment; seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_mark(
    sender: *mut KinescopeSender,
    mark: *const c_char,
    time: f64,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { exclusive(sender, "sender") }?;
        check_seconds(time)?;
        own.sender.mark(unsafe { text(mark, "mark") }?, time);
        Ok(KinescopeStatus::Done)
    })
}

/// What the window asks for while it tunes the game: a character, and all its parameters. KINESCOPE_STATUS_NOTHING_TO_DO where
/// nothing new has come; call it until then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_tuned(
    sender: *mut KinescopeSender,
    character: *mut u32,
    settings: *mut KinescopeSettings,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { exclusive(sender, "sender") }?;
        let (character, settings) = unsafe { (exclusive(character, "character")?, exclusive(settings, "settings")?) };
        let Some((index, tuned)) = own.sender.tuned() else { return Ok(KinescopeStatus::NothingToDo) };
        (*character, *settings) = (index as u32, (&tuned).into());
        Ok(KinescopeStatus::Done)
    })
}

/// 1 where a window listens, else 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_is_connected(sender: *const KinescopeSender) -> i32 {
    look(0, || Ok(unsafe { shared(sender, "sender") }?.sender.is_connected().into()))
}

/// Frames that went out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_sent(sender: *const KinescopeSender) -> u64 {
    look(0, || Ok(unsafe { shared(sender, "sender") }?.sender.sent()))
}

/// Frames that never will: the oldest of too many, or on their way when the connection broke.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_dropped(sender: *const KinescopeSender) -> u64 {
    look(0, || Ok(unsafe { shared(sender, "sender") }?.sender.dropped()))
}

/// Frees a sender; NULL is none. What still waits is sent first if somebody listens, which may take seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_free(sender: *mut KinescopeSender) {
    unsafe { take_back(sender) };
}
