//! Game recordings, and the link to a listening window.

use std::collections::BTreeMap;
use std::ffi::c_char;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::net::ToSocketAddrs;

use kinescope_library::RigidTransform;
use kinescope_library::Settings;
use kinescope_library::Skeleton;
use kinescope_library::full_body::{Nodes, Part, Step};
use kinescope_library::game_recording::{GameCharacter, Header, Mark, Writer};
use kinescope_library::link::{Frame, PartWrite, Sender};

use crate::objects::take;
use crate::pose::{KinescopePose, KinescopeTransform, KinescopeVec3};
use crate::settings::KinescopeSettings;
use crate::solver::KinescopeSolver;
use crate::steps::KinescopeStep;
use crate::{
    Done, KINESCOPE_NODES, KinescopeStatus, Refused, exclusive, free, guard, hand_over, list, look, object, object_mut,
    objects, optional, shared, text, write_text_or_none,
};

/// The producer of a recording and its characters. Recorders and senders are created from a game.
pub struct KinescopeGame {
    header: Header,
}

/// A stage and the nodes after it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeStepNodes {
    pub step: KinescopeStep,
    pub nodes: [KinescopeVec3; KINESCOPE_NODES],
}

/// A part of the body, and bones after the game wrote that part.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeWrite {
    /// A KinescopePart.
    pub part: u32,
    /// The bones by index.
    pub bones: *const i32,
    /// Each bone's transform, in model space.
    pub transforms: *const KinescopeTransform,
    /// Number of bones.
    pub count: usize,
}

impl KinescopeWrite {
    /// # Safety
    /// The pointers follow the rules of [`KinescopeStatus`].
    unsafe fn read(&self) -> Result<PartWrite, Refused> {
        let part = usize::try_from(self.part).ok().and_then(|index| Part::ALL.get(index));
        let part = part.ok_or_else(|| Refused::argument(format!("part: is {}; no part has that number", self.part)))?;
        let bones = unsafe { list(self.bones, self.count, "writes.bones") }?;
        let transforms = unsafe { list(self.transforms, self.count, "writes.transforms") }?;
        let bone = |(&bone, &at): (&i32, &KinescopeTransform)| {
            let own = usize::try_from(bone).map_err(|_| Refused::argument(format!("writes.bones: has {bone}")))?;
            Ok((own, at.into()))
        };
        Ok((*part, bones.iter().zip(transforms).map(bone).collect::<Result<_, Refused>>()?))
    }
}

/// One frame of one character.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct KinescopeFrame {
    /// The character's number, from kinescope_game_add, kinescope_recorder_join or kinescope_sender_join.
    pub character: u32,
    /// The game's frame number; a negative number continues from the previous frame.
    pub frame: i64,
    /// Seconds. Must not decrease within one character.
    pub time: f64,
    /// The parameters of the solve; NULL for the defaults.
    pub settings: *const KinescopeSettings,
    /// The animated pose, the solver's input.
    pub animated: KinescopePose,
    /// The game's own solved pose; a count of 0 if it is not recorded.
    pub result: KinescopePose,
    /// Stages and the nodes after each; may be NULL if `step_count` is 0.
    pub steps: *const KinescopeStepNodes,
    /// Number of stages.
    pub step_count: usize,
    /// Parts of the body with the bones after each was written, each part at most once; may be NULL if `write_count` is
    /// 0.
    pub writes: *const KinescopeWrite,
    /// Number of parts.
    pub write_count: usize,
}

/// Writes a recording to a file.
pub struct KinescopeRecorder {
    file: BufWriter<File>,
    writer: Writer,
    buffers: Buffers,
    /// The next frame number of each character.
    next: BTreeMap<usize, u64>,
    /// The error that may have cut a line off. No line is written after it: a reader would fail there.
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
    /// A refusal that did not fit into the caller's buffer.
    refused: Option<String>,
}

objects!(KinescopeGame KinescopeRecorder KinescopeSender);

#[derive(Default)]
struct Buffers {
    /// Skeleton and time of the last frame of each character, by its number.
    characters: BTreeMap<usize, (Skeleton, Option<f64>)>,
    animated: Vec<RigidTransform>,
    result: Vec<RigidTransform>,
    steps: Vec<(Step, Nodes)>,
    writes: Vec<PartWrite>,
}

impl Buffers {
    fn new(header: &Header) -> Self {
        let characters = header.characters.iter().map(|own| (own.skeleton.clone(), None)).enumerate().collect();
        Self { characters, ..Self::default() }
    }

    unsafe fn read(&mut self, frame: &KinescopeFrame) -> Result<Frame<'_>, Refused> {
        let character = frame.character as usize;
        let count = self.characters.len();
        let Some((skeleton, last)) = self.characters.get_mut(&character) else {
            let why = format!("character: is {character}; none of the {count} characters has this number");
            return Err(Refused::argument(why));
        };
        unsafe { frame.animated.read("animated", &mut self.animated) }?;
        unsafe { frame.result.read("result", &mut self.result) }?;
        if let Some(last) = last.filter(|last| frame.time < *last) {
            let why = format!("time: is {}; the previous frame of this character is at {last}", frame.time);
            return Err(Refused::argument(why));
        }
        let parameters = match unsafe { optional(frame.settings.cast_mut(), "settings") }? {
            Some(settings) => settings.read()?,
            None => Settings::default(),
        };
        self.steps.clear();
        for own in unsafe { list(frame.steps, frame.step_count, "steps") }? {
            self.steps.push((own.step.read()?, Nodes(own.nodes.map(Into::into))));
        }
        self.writes.clear();
        for own in unsafe { list(frame.writes, frame.write_count, "writes") }? {
            self.writes.push(unsafe { own.read() }?);
        }
        let frame = Frame {
            frame: u64::try_from(frame.frame).ok(),
            parameters,
            steps: &self.steps,
            writes: &self.writes,
            result: (!self.result.is_empty()).then_some(&self.result),
            ..Frame::new(character, frame.time, &self.animated)
        };
        // A solve ignores some invalid numbers; a file must not contain them.
        frame.check(skeleton).map_err(|fault| {
            let status = match fault.place.split(['[', '.']).next() {
                Some("animated" | "result") => KinescopeStatus::BadPose,
                Some("parameters") => KinescopeStatus::BadSettings,
                _ => KinescopeStatus::BadArgument,
            };
            Refused(status, fault.to_string())
        })?;
        *last = Some(frame.time);
        Ok(frame)
    }
}

/// Creates a game without characters; `producer` is the name that the window shows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_game_new(producer: *const c_char, out: *mut *mut KinescopeGame) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let producer = text(producer, "producer")?.to_owned();
            Ok(KinescopeGame { header: Header { producer, characters: Vec::new() } })
        })
    })
}

/// Adds a character under a unique name. `index`, which may be NULL, receives its number for frames.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_game_add(
    game: *mut KinescopeGame,
    name: *const c_char,
    solver: *const KinescopeSolver,
    index: *mut u32,
) -> KinescopeStatus {
    guard(|| {
        let header = &mut unsafe { object_mut(game, "game") }?.header;
        let (name, solver) = unsafe { (text(name, "name")?, object(solver, "solver")?) };
        let index = unsafe { optional(index, "index") }?;
        header.characters.push(GameCharacter { name: name.to_owned(), ..solver.character.clone() });
        if let Err(fault) = header.check() {
            header.characters.pop();
            return Err(Refused::argument(fault.to_string()));
        }
        if let Some(index) = index {
            *index = header.characters.len() as u32 - 1;
        }
        Ok(KinescopeStatus::Done)
    })
}

/// Frees a game; NULL is allowed. Recorders and senders created from it stay valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_game_free(game: *mut KinescopeGame) {
    unsafe { free(game) };
}

fn check_seconds(time: f64) -> Result<(), Refused> {
    match time.is_finite() {
        true => Ok(()),
        false => Err(Refused::argument("time: is not finite; expected a number of seconds")),
    }
}

/// Starts a recording in the file `path` (UTF-8), which is overwritten. Kinescope opens files that end in `.jsonl` as
/// recordings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_recorder_new(
    game: *const KinescopeGame,
    path: *const c_char,
    out: *mut *mut KinescopeRecorder,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let header = &object(game, "game")?.header;
            let path = text(path, "path")?;
            let system = |error: std::io::Error| Refused(KinescopeStatus::System, format!("{path}: {error}"));
            let mut file = BufWriter::new(File::create(path).map_err(system)?);
            let (writer, first) = Writer::new(header);
            file.write_all(first.as_bytes()).map_err(system)?;
            let next = (0..header.characters.len()).map(|index| (index, 0)).collect();
            Ok(KinescopeRecorder { file, writer, buffers: Buffers::new(header), next, failed: None })
        })
    })
}

unsafe fn record(recorder: *mut KinescopeRecorder, frame: *const KinescopeFrame) -> Done {
    let own = unsafe { object_mut(recorder, "recorder") }?;
    let frame = unsafe { own.buffers.read(shared(frame, "frame")?) }?;
    let next = own.next.entry(frame.character).or_default();
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

/// Adds a character while the recording runs, under a name that no present character has. `index`, which may be NULL, receives its
/// number for frames.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_recorder_join(
    recorder: *mut KinescopeRecorder,
    name: *const c_char,
    solver: *const KinescopeSolver,
    index: *mut u32,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(recorder, "recorder") }?;
        let (character, index) = unsafe { (joining(name, solver)?, optional(index, "index")?) };
        let (number, line) = own.writer.join(&character).map_err(|fault| Refused::argument(fault.to_string()))?;
        own.write(&line)?;
        own.buffers.characters.insert(number, (character.skeleton, None));
        own.next.insert(number, 0);
        if let Some(index) = index {
            *index = number as u32;
        }
        Ok(KinescopeStatus::Done)
    })
}

/// Removes a character; its number is free for the next one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_recorder_leave(recorder: *mut KinescopeRecorder, character: u32) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(recorder, "recorder") }?;
        let number = character as usize;
        let line = own.writer.leave(number).ok_or_else(|| unknown(character))?;
        own.buffers.characters.remove(&number);
        own.write(&line)
    })
}

fn unknown(character: u32) -> Refused {
    Refused::argument(format!("character: is {character}; no present character has this number"))
}

unsafe fn joining(name: *const c_char, solver: *const KinescopeSolver) -> Result<GameCharacter, Refused> {
    let (name, solver) = unsafe { (text(name, "name")?, object(solver, "solver")?) };
    Ok(GameCharacter { name: name.to_owned(), ..solver.character.clone() })
}

/// Writes a mark: a text at a time in seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_recorder_mark(
    recorder: *mut KinescopeRecorder,
    mark: *const c_char,
    time: f64,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(recorder, "recorder") }?;
        let mark = Mark { mark: unsafe { text(mark, "mark") }?.to_owned(), time };
        check_seconds(time)?;
        own.write(&Writer::mark(&mark))
    })
}

/// Ends a recording and frees the recorder, also if writing fails. Returns KINESCOPE_STATUS_NOTHING_TO_DO for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_recorder_free(recorder: *mut KinescopeRecorder) -> KinescopeStatus {
    guard(|| {
        if recorder.is_null() {
            return Ok(KinescopeStatus::NothingToDo);
        }
        let mut own = unsafe { take(recorder, "recorder") }?;
        own.file.flush().map_err(Refused::system)?;
        Ok(KinescopeStatus::Done)
    })
}

/// Creates a sender to the listening window (`kinescope --listen`) at `address`, host:port; NULL is the window's
/// default address. The window may start before or after the sender, and may be restarted: the sender reconnects by
/// itself. Returns KINESCOPE_STATUS_SYSTEM if no thread can be started.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_new(
    game: *const KinescopeGame,
    address: *const c_char,
    out: *mut *mut KinescopeSender,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let header = &object(game, "game")?.header;
            let address = if address.is_null() { kinescope_library::link::ADDRESS } else { text(address, "address")? };
            let say = |error: std::io::Error| Refused::argument(format!("address: {address}: {error}"));
            // With a valid address, the error of `Sender::new` is that no thread can be started.
            drop(address.to_socket_addrs().map_err(say)?);
            let sender = Sender::new(address, header).map_err(Refused::system)?;
            Ok(KinescopeSender { sender, buffers: Buffers::new(header), refused: None })
        })
    })
}

/// Queues a frame. Never waits, and allocates nothing once its buffers have grown, except for a frame with writes or
/// with more than 64 stages. If the queue is full, its oldest frame is dropped and counted. Returns
/// KINESCOPE_STATUS_NOTHING_TO_DO if the sending thread uses the queue at that moment: then this frame is dropped and
/// counted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_send(
    sender: *mut KinescopeSender,
    frame: *const KinescopeFrame,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(sender, "sender") }?;
        let frame = unsafe { own.buffers.read(shared(frame, "frame")?) }?;
        match own.sender.send(&frame) {
            true => Ok(KinescopeStatus::Done),
            false => Ok(KinescopeStatus::NothingToDo),
        }
    })
}

/// Adds a character while the game runs, for example when it spawns, under a name that no present character has. `index`, which may be
/// NULL, receives its number for frames. Allocates.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_join(
    sender: *mut KinescopeSender,
    name: *const c_char,
    solver: *const KinescopeSolver,
    index: *mut u32,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(sender, "sender") }?;
        let (character, index) = unsafe { (joining(name, solver)?, optional(index, "index")?) };
        let number = own.sender.join(&character).map_err(|fault| Refused::argument(fault.to_string()))?;
        own.buffers.characters.insert(number, (character.skeleton, None));
        if let Some(index) = index {
            *index = number as u32;
        }
        Ok(KinescopeStatus::Done)
    })
}

/// Removes a character. Frames of it that are in the queue are still sent if a window is connected now, and dropped if
/// it connects only later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_leave(sender: *mut KinescopeSender, character: u32) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(sender, "sender") }?;
        own.buffers.characters.remove(&(character as usize));
        match own.sender.leave(character as usize) {
            true => Ok(KinescopeStatus::Done),
            false => Err(unknown(character)),
        }
    })
}

/// Writes why the window refused a line, with the line's number and field, into a buffer as
/// kinescope_settings_to_preset does. Call it until `needed` is 0: then no further line was refused, or the sending
/// thread uses the queue at that moment. If nobody calls it, only the newest refusals are kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_refused(
    sender: *mut KinescopeSender,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(sender, "sender") }?;
        let next = || {
            own.sender.refused().map(|refusal| {
                let at = if refusal.field.is_empty() { String::new() } else { format!("{}: ", refusal.field) };
                format!("line {}: {at}{}", refusal.line, refusal.message)
            })
        };
        let why = own.refused.take().or_else(next);
        let written = unsafe { write_text_or_none(why.as_deref(), buffer, capacity, needed) }?;
        own.refused = why.filter(|_| written == KinescopeStatus::NothingToDo);
        Ok(written)
    })
}

/// Sends a mark: a text at a time in seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_mark(
    sender: *mut KinescopeSender,
    mark: *const c_char,
    time: f64,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(sender, "sender") }?;
        check_seconds(time)?;
        own.sender.mark(unsafe { text(mark, "mark") }?, time);
        Ok(KinescopeStatus::Done)
    })
}

/// Receives the next change that the window makes while it tunes the game: the number of a character, and all its
/// parameters. Call it until it returns KINESCOPE_STATUS_NOTHING_TO_DO: then there is no further change, or the sending
/// thread uses the queue at that moment.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_tuned(
    sender: *mut KinescopeSender,
    character: *mut u32,
    settings: *mut KinescopeSettings,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(sender, "sender") }?;
        let (character, settings) = unsafe { (exclusive(character, "character")?, exclusive(settings, "settings")?) };
        let Some((index, tuned)) = own.sender.tuned() else { return Ok(KinescopeStatus::NothingToDo) };
        (*character, *settings) = (index as u32, (&tuned).into());
        Ok(KinescopeStatus::Done)
    })
}

/// Returns 1 if a window is connected, else 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_is_connected(sender: *const KinescopeSender) -> i32 {
    look(0, || Ok(unsafe { object(sender, "sender") }?.sender.is_connected().into()))
}

/// Returns the number of frames sent; 0 for an invalid sender.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_sent(sender: *const KinescopeSender) -> u64 {
    look(0, || Ok(unsafe { object(sender, "sender") }?.sender.sent()))
}

/// Returns the number of frames dropped, because the queue was full or in use, the connection broke, or their character
/// left before the window connected; 0 for an invalid sender.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_dropped(sender: *const KinescopeSender) -> u64 {
    look(0, || Ok(unsafe { object(sender, "sender") }?.sender.dropped()))
}

/// Frees a sender; NULL is allowed. Queued frames are sent first if a window is connected, or if a sender that has not
/// tried to connect yet reaches one; this may take seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_sender_free(sender: *mut KinescopeSender) {
    unsafe { free(sender) };
}
