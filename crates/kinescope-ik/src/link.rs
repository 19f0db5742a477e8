//! Streaming frames from a running game to a listening window (feature `link`), with the standard library's sockets.
//!
//! [`Sender::send`] copies a frame into an existing slot. It does not wait or open a socket.
//! A thread writes the copies over TCP as lines of a [recording](crate::game_recording). It connects by itself,
//! again after the window closes. If frames come faster than they can be sent, the oldest are dropped and counted.
//!
//! ```no_run
//! use kinescope_ik::game_recording::{GameCharacter, Header};
//! use kinescope_ik::link::{Frame, Sender};
//! use kinescope_ik::{RigidTransform, Settings};
//! # fn the_rig() -> GameCharacter { unimplemented!() }
//! # let (animated, solved): (Vec<RigidTransform>, Vec<RigidTransform>) = (Vec::new(), Vec::new());
//!
//! // Once: the characters. `kinescope --listen` may be started before or after.
//! let header = Header { producer: "my game 0.3".to_owned(), characters: vec![the_rig()] };
//! let mut sender = Sender::new("127.0.0.1:7468", &header)?;
//! let mut settings = Settings::default();
//!
//! // Every frame, after the solve.
//! let frame = Frame { parameters: settings, result: Some(&solved), ..Frame::new(0, 13.5, &animated) };
//! sender.send(&frame);
//! // Settings that the user changed in the window while it tunes the game.
//! while let Some((_, tuned)) = sender.tuned() {
//!     settings = tuned;
//! }
//!
//! // Characters may join and leave at any time.
//! # let an_enemy = || the_rig();
//! let enemy = sender.join(&an_enemy())?;
//! sender.send(&Frame::new(enemy, 13.5, &animated));
//! sender.leave(enemy);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::error::Fault;
use crate::full_body::{Node, Nodes, Part, Settings, Step};
use crate::game_recording::{
    GameCharacter, GameFrame, Header, MOST_CHARACTERS, Mark, Refusal, Writer, check_joining, check_nodes, has_as_many,
    seconds,
};
use crate::json::read_json;
use crate::rig::{BoneIndex, RigidTransform, Skeleton};
use crate::trace::{check_stages, check_write_stages, checked_at, named_nodes, read_write};

/// The default address of a listening window.
pub const ADDRESS: &str = "127.0.0.1:7468";

/// The largest number of waiting frames: a second at 128 Hz.
const SLOTS: usize = 128;
/// The largest number of waiting marks, and of each kind of waiting answers of the window.
const MOST_WAITING: usize = 64;
/// The largest number of waiting joins and leaves. Beyond it, the sender connects again with a new header.
const MOST_CHANGES: usize = 1024;
/// The number of stages that a slot has room for without allocating.
const STEPS: usize = 64;
/// The interval at which the thread looks for work.
const LOOKS: Duration = Duration::from_millis(2);
/// The longest wait for a connection to one address, or for the window to accept a part of a line. All waits of a
/// dropped sender together take about this long at most.
pub const PATIENCE: Duration = Duration::from_secs(2);
/// The pause between two attempts to connect.
const AGAIN: Duration = Duration::from_millis(300);
/// The largest number of received bytes that wait to be split into lines.
const MOST_ANSWER: usize = 1 << 20;
/// The line with which a window refuses a second game before it closes the connection.
pub const BUSY: &str = "{\"busy\":\"another game is connected\"}\n";

/// A part of the body, and bones after the game wrote that part, by index; model space.
pub type PartWrite = (Part, BTreeMap<BoneIndex, RigidTransform>);

/// A frame to send. [`Sender::send`] copies the borrowed data.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The index into [`Header::characters`], or the number that [`Sender::join`] returned.
    pub character: usize,
    /// The game's frame number; `None` is one more than in the character's previous frame, and 0 in its first.
    pub frame: Option<u64>,
    /// The time in seconds; never decreases within a character.
    pub time: f64,
    /// The parameters of the solve.
    pub parameters: Settings,
    /// The input pose of the solver in model space, one transform per bone.
    pub animated: &'a [RigidTransform],
    /// Stages with the nodes after them; may be empty.
    pub steps: &'a [(Step, Nodes)],
    /// Parts of the body with the bones after each was written; may be empty.
    pub writes: &'a [PartWrite],
    /// The result of the game's solver in model space, one transform per bone; `None` if there is none.
    pub result: Option<&'a [RigidTransform]>,
}

impl<'a> Frame<'a> {
    /// Creates a frame with an input pose, default parameters and nothing else.
    pub fn new(character: usize, time: f64, animated: &'a [RigidTransform]) -> Self {
        let (parameters, steps, writes) = (Settings::default(), &[], &[]);
        Self { character, frame: None, time, parameters, animated, steps, writes, result: None }
    }

    /// Checks the frame as readers check its line: poses have as many bones as the character's skeleton; poses, time,
    /// parameters, nodes and written bones are valid; and no stage is repeated. Does not check that times increase.
    /// [`Sender::send`] checks only the character and the numbers of bones; the window reports malformed lines.
    ///
    /// # Errors
    /// [`Fault`] with the field, and the bone if one is at fault.
    pub fn check(&self, skeleton: &Skeleton) -> Result<(), Fault> {
        for (place, pose) in [("animated", Some(self.animated)), ("result", self.result)] {
            let Some(pose) = pose else { continue };
            has_as_many(pose.len(), skeleton.len(), place)?;
            for (index, bone) in pose.iter().enumerate() {
                checked_at(*bone, skeleton, index).map_err(|fault| fault.within(format!("{place}[{index}]")))?;
            }
        }
        seconds(Some(self.time))?;
        self.parameters.validate().map_err(|fault| fault.within("parameters"))?;
        check_stages(self.steps.iter().map(|(step, _)| *step))?;
        check_write_stages(self.writes.iter().map(|(part, _)| *part))?;
        for (index, (_, bones)) in self.writes.iter().enumerate() {
            read_write(bones.iter().map(|(bone, at)| (*bone, *at)), index, skeleton)?;
        }
        let mut steps = self.steps.iter().enumerate();
        steps.try_for_each(|(step, (_, nodes))| check_nodes(step, Node::ALL.map(|node| (node, nodes[node]))))
    }

    /// Converts to a frame of a recording. `frame` is the number that the frame gets.
    pub fn to_game_frame(&self, frame: u64) -> GameFrame {
        GameFrame {
            character: self.character,
            frame,
            time: self.time,
            parameters: self.parameters,
            animated: self.animated.to_vec(),
            steps: self.steps.iter().map(|(step, nodes)| (*step, named_nodes(nodes))).collect(),
            writes: self.writes.to_vec(),
            result: self.result.map(<[_]>::to_vec),
        }
    }
}

/// A waiting frame. Its buffers are reused.
#[derive(Debug)]
struct Slot {
    /// The [number](number_of) of the character.
    character: usize,
    /// The number of changes before this frame: [`Waiting::changed`].
    after: u64,
    frame: u64,
    time: f64,
    parameters: Settings,
    animated: Vec<RigidTransform>,
    steps: Vec<(Step, Nodes)>,
    writes: Vec<PartWrite>,
    result: Vec<RigidTransform>,
    has_result: bool,
}

impl Slot {
    /// Returns the frame as a line. `character` is the character's index in the writer.
    fn line(&self, character: usize, writer: &mut Writer) -> Option<String> {
        let frame = Frame {
            parameters: self.parameters,
            steps: &self.steps,
            writes: &self.writes,
            result: self.has_result.then_some(&self.result),
            ..Frame::new(character, self.time, &self.animated)
        };
        writer.frame(&frame.to_game_frame(self.frame))
    }
}

/// A character that joins or leaves, by its [number](number_of).
#[derive(Debug)]
enum Change {
    Join(usize, Arc<GameCharacter>),
    Leave(usize),
}

/// The waiting items of both directions. The lock around them is not held while data is sent or received.
#[derive(Debug, Default)]
struct Waiting {
    frames: VecDeque<Slot>,
    free: Vec<Slot>,
    marks: VecDeque<Mark>,
    /// Changes that the connected window does not know yet.
    changes: VecDeque<Change>,
    /// The number of all changes so far.
    changed: u64,
    /// True if changes were dropped, so that only the header of a new connection can give the window all characters.
    is_stale: bool,
    /// The characters that are present, by their [place](number_of), each with its number.
    here: Vec<Option<(usize, Arc<GameCharacter>)>>,
    tuned: VecDeque<(usize, Settings)>,
    refused: VecDeque<Refusal>,
}

impl Waiting {
    fn change(&mut self, change: Change) {
        self.changed += 1;
        if self.changes.len() >= MOST_CHANGES {
            self.changes.clear();
            self.is_stale = true;
        }
        self.changes.push_back(change);
    }

    /// Returns the oldest change, unless a waiting frame was queued before it; otherwise the oldest frame.
    fn next(&mut self) -> Next {
        let first = self.changed - self.changes.len() as u64 + 1;
        let is_next = self.frames.front().is_none_or(|frame| frame.after >= first);
        match if is_next { self.changes.pop_front() } else { None } {
            Some(change) => Next::Change(change),
            None => self.frames.pop_front().map_or(Next::Nothing, Next::Frame),
        }
    }
}

#[expect(clippy::large_enum_variant, reason = "a boxed slot would allocate for each frame")]
enum Next {
    Change(Change),
    Frame(Slot),
    Nothing,
}

#[derive(Debug, Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    /// The time at which the sender was dropped.
    ended: OnceLock<Instant>,
    connected: AtomicBool,
    sent: AtomicU64,
    dropped: AtomicU64,
}

impl Shared {
    fn has_ended(&self) -> bool {
        self.ended.get().is_some()
    }

    /// Returns how long to wait for the window at most. Once the sender is dropped, this time counts down to 0.
    fn patience(&self) -> Duration {
        self.ended.get().map_or(PATIENCE, |ended| PATIENCE.saturating_sub(ended.elapsed()))
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // A poisoned lock is safe to use: at most a slot was being moved.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the lock if it is available within 200 spins, because the game's thread must not sleep in a lock.
    fn try_lock(&self) -> Option<MutexGuard<'_, Waiting>> {
        for _ in 0..200 {
            match self.waiting.try_lock() {
                Ok(waiting) => return Some(waiting),
                Err(std::sync::TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(std::sync::TryLockError::WouldBlock) => std::hint::spin_loop(),
            }
        }
        None
    }
}

/// The sender's own data of a character, to check and number frames without the lock.
#[derive(Debug)]
struct Own {
    /// The name; `None` once the character has left.
    name: Option<String>,
    bones: usize,
    /// The number of the next frame.
    next: u64,
    /// The number of characters that had this place before.
    before: usize,
}

/// Returns the number of a character: its place among the characters present, plus [`MOST_CHARACTERS`] for each earlier
/// character with the same place. So the number of a character that has left never means another character.
const fn number_of(place: usize, before: usize) -> usize {
    before * MOST_CHARACTERS + place
}

/// Sends a game's frames to a listening window, or to any other reader of recordings.
#[derive(Debug)]
pub struct Sender {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    /// The characters, by their [place](number_of).
    own: Vec<Own>,
    /// A slot that could not be queued because the lock was taken; the next frame uses it.
    spare: Option<Slot>,
}

impl Sender {
    /// Starts to look for a listener at `address`, as `host:port`. Until there is one, the newest 128 frames wait.
    ///
    /// # Errors
    /// An error for an invalid address, an [invalid header](Header::check), or if no thread can be started.
    pub fn new(address: &str, header: &Header) -> io::Result<Self> {
        header.check().map_err(|fault| io::Error::new(ErrorKind::InvalidInput, fault.to_string()))?;
        let addresses: Vec<SocketAddr> = address.to_socket_addrs()?.collect();
        let most = header.characters.iter().map(|own| own.skeleton.len()).max().unwrap_or(0);
        let slot = || Slot {
            character: 0,
            after: 0,
            frame: 0,
            time: 0.0,
            parameters: Settings::default(),
            animated: Vec::with_capacity(most),
            steps: Vec::with_capacity(STEPS),
            writes: Vec::new(),
            result: Vec::with_capacity(most),
            has_result: false,
        };
        let waiting = Waiting {
            frames: VecDeque::with_capacity(SLOTS + 1),
            free: (0..SLOTS).map(|_| slot()).collect(),
            marks: VecDeque::with_capacity(MOST_WAITING),
            tuned: VecDeque::with_capacity(MOST_WAITING),
            here: header.characters.iter().cloned().map(Arc::new).enumerate().map(Some).collect(),
            ..Waiting::default()
        };
        let own =
            |own: &GameCharacter| Own { name: Some(own.name.clone()), bones: own.skeleton.len(), next: 0, before: 0 };
        let own = header.characters.iter().map(own).collect();
        let shared = Arc::new(Shared { waiting: Mutex::new(waiting), ..Shared::default() });
        let (thread_shared, producer) = (shared.clone(), header.producer.clone());
        let thread = std::thread::Builder::new()
            .name("kinescope link".to_owned())
            .spawn(move || run(&thread_shared, &addresses, &producer))?;
        Ok(Self { shared, thread: Some(thread), own, spare: None })
    }

    /// Adds a character, and returns its number for [`Frame::character`]. Allocates.
    ///
    /// # Errors
    /// [`Fault`] if a character of this name is present, for more than [`MOST_CHARACTERS`] at a time, or for more than
    /// [`MOST_BONES`](crate::game_recording::MOST_BONES).
    pub fn join(&mut self, character: &GameCharacter) -> Result<usize, Fault> {
        let names = self.own.iter().filter_map(|own| own.name.as_deref());
        check_joining(&character.name, character.skeleton.len(), names)?;
        let free = self.own.iter().position(|own| own.name.is_none());
        let place = free.unwrap_or(self.own.len());
        let before = self.own.get(place).map_or(0, |own| own.before + 1);
        let name = Some(character.name.clone());
        let own = Own { name, bones: character.skeleton.len(), next: 0, before };
        let (number, character) = (number_of(place, before), Arc::new(character.clone()));
        let mut waiting = self.shared.lock();
        let here = Some((number, character.clone()));
        match self.own.get_mut(place) {
            Some(free) => (*free, waiting.here[place]) = (own, here),
            None => {
                self.own.push(own);
                waiting.here.push(here);
            }
        }
        waiting.change(Change::Join(number, character));
        Ok(number)
    }

    /// Removes a character, and returns false if none has this number. Frames that were queued before are still sent if
    /// a window is connected now, and dropped if it connects only later.
    pub fn leave(&mut self, character: usize) -> bool {
        let Some(own) = self.find(character) else { return false };
        own.name = None;
        let mut waiting = self.shared.lock();
        waiting.here[character % MOST_CHARACTERS] = None;
        waiting.change(Change::Leave(character));
        true
    }

    fn find(&mut self, character: usize) -> Option<&mut Own> {
        let own = self.own.get_mut(character % MOST_CHARACTERS)?;
        (own.before == character / MOST_CHARACTERS && own.name.is_some()).then_some(own)
    }

    /// Queues a frame and returns true if it was accepted. Never waits. Allocates only for writes, for more than 64
    /// stages, and for a joined character with more bones than those before. A full queue drops its oldest frame. A
    /// frame of an unknown character or with the wrong number of bones is rejected. So is a frame while the sending
    /// thread holds the queue; this frame counts as dropped.
    pub fn send(&mut self, frame: &Frame) -> bool {
        let Some(own) = self.find(frame.character) else { return false };
        let fits = |pose: &[RigidTransform]| pose.len() == own.bones;
        if !fits(frame.animated) || !frame.result.is_none_or(fits) {
            return false;
        }
        let number = frame.frame.unwrap_or(own.next);
        own.next = number.saturating_add(1);
        let spare = self.spare.take().map(|slot| (slot, false));
        let slot = spare.or_else(|| {
            let mut waiting = self.shared.try_lock()?;
            match waiting.free.pop() {
                Some(slot) => Some((slot, false)),
                None => Some((waiting.frames.pop_front()?, true)),
            }
        });
        let Some((mut slot, is_dropped)) = slot else {
            self.shared.dropped.fetch_add(1, Ordering::Relaxed);
            return false;
        };
        self.shared.dropped.fetch_add(u64::from(is_dropped), Ordering::Relaxed);
        (slot.character, slot.frame, slot.time) = (frame.character, number, frame.time);
        slot.parameters = frame.parameters;
        slot.animated.clear();
        slot.animated.extend_from_slice(frame.animated);
        slot.steps.clear();
        slot.steps.extend_from_slice(frame.steps);
        slot.writes.clear();
        slot.writes.extend_from_slice(frame.writes);
        slot.result.clear();
        slot.result.extend_from_slice(frame.result.unwrap_or_default());
        slot.has_result = frame.result.is_some();
        let Some(mut waiting) = self.shared.try_lock() else {
            self.shared.dropped.fetch_add(1, Ordering::Relaxed);
            self.spare = Some(slot);
            return false;
        };
        slot.after = waiting.changed;
        waiting.frames.push_back(slot);
        true
    }

    /// Queues a text for the window's timeline at `time`, in seconds. Allocates. If 64 texts wait, drops the oldest.
    pub fn mark(&self, mark: &str, time: f64) {
        let mut waiting = self.shared.lock();
        if waiting.marks.len() >= MOST_WAITING {
            waiting.marks.pop_front();
        }
        waiting.marks.push_back(Mark { mark: mark.to_owned(), time });
    }

    /// Returns the next change from the window while it tunes the game: the number of a character and all its
    /// parameters. `None` if there is no change, or if reading one would have to wait for the sending thread.
    pub fn tuned(&self) -> Option<(usize, Settings)> {
        self.shared.try_lock()?.tuned.pop_front()
    }

    /// Returns the next line that the window refused. `None` if it refused no further line, or if reading it would have
    /// to wait for the sending thread. If nobody calls this function, only the newest refusals are kept.
    pub fn refused(&self) -> Option<Refusal> {
        self.shared.try_lock()?.refused.pop_front()
    }

    /// Returns true if a listener is connected.
    pub fn is_connected(&self) -> bool {
        self.shared.connected.load(Ordering::Relaxed)
    }

    /// Returns the number of frames that were sent.
    pub fn sent(&self) -> u64 {
        self.shared.sent.load(Ordering::Relaxed)
    }

    /// Returns the number of frames that were dropped, because the queue was full or locked, the connection broke, or
    /// their character left before the window connected.
    pub fn dropped(&self) -> u64 {
        self.shared.dropped.load(Ordering::Relaxed)
    }
}

/// First sends the waiting frames, as far as a listener accepts them. Takes about two seconds at most.
impl Drop for Sender {
    fn drop(&mut self) {
        let _ = self.shared.ended.set(Instant::now());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Connects, sends, and connects again, on the sender's thread. Tries to connect even if the sender is dropped before
/// the first attempt, so that the frames of a short game are sent.
fn run(shared: &Shared, addresses: &[SocketAddr], producer: &str) {
    loop {
        let call = |address| match shared.patience() {
            Duration::ZERO => None,
            patience => TcpStream::connect_timeout(address, patience).ok(),
        };
        if let Some(stream) = addresses.iter().find_map(call) {
            shared.connected.store(true, Ordering::Relaxed);
            // The loop connects again whatever ended the connection, so the result is ignored.
            let _ = talk(shared, stream, producer);
            shared.connected.store(false, Ordering::Relaxed);
        }
        let since = Instant::now();
        while since.elapsed() < AGAIN && !shared.has_ended() {
            std::thread::sleep(LOOKS);
        }
        if shared.has_ended() {
            return;
        }
    }
}

/// Writes all of the text. Fails if the window accepts no part of it for as long as [`Shared::patience`].
fn write(shared: &Shared, stream: &mut TcpStream, text: &str) -> io::Result<()> {
    let (mut bytes, mut since) = (text.as_bytes(), Instant::now());
    while !bytes.is_empty() {
        match stream.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => (bytes, since) = (&bytes[count..], Instant::now()),
            Err(error) if !is_for_later(&error) => return Err(error),
            Err(_) if since.elapsed() >= shared.patience() => return Err(ErrorKind::TimedOut.into()),
            Err(_) => std::thread::sleep(LOOKS),
        }
    }
    Ok(())
}

fn is_for_later(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

/// The characters that the window knows, by their index in the writer, each with its [number](number_of).
type Known = Vec<Option<(usize, Arc<GameCharacter>)>>;

/// Returns the line of a change and updates `known`. `None` if a join is rejected, or a leaving character is not known.
fn line_of_change(change: Change, known: &mut Known, writer: &mut Writer) -> Option<String> {
    match change {
        Change::Join(number, character) => {
            let (index, line) = writer.join(&character).ok()?;
            known.resize(known.len().max(index + 1), None);
            known[index] = Some((number, character));
            Some(line)
        }
        Change::Leave(number) => {
            let index = index_of(number, known)?;
            known[index] = None;
            writer.leave(index)
        }
    }
}

fn index_of(number: usize, known: &Known) -> Option<usize> {
    known.iter().position(|own| own.as_ref().is_some_and(|(own, _)| *own == number))
}

fn talk(shared: &Shared, mut stream: TcpStream, producer: &str) -> io::Result<()> {
    stream.set_nodelay(true)?;
    // With a blocking socket and a timeout, some systems do not report how much was sent before the timeout.
    stream.set_nonblocking(true)?;
    // The header has all characters that are present now, so no change is left.
    let mut known: Known = {
        let mut waiting = shared.lock();
        waiting.changes.clear();
        waiting.is_stale = false;
        waiting.here.iter().flatten().cloned().map(Some).collect()
    };
    let characters = known.iter().flatten().map(|(_, own)| GameCharacter::clone(own)).collect();
    let (mut writer, first) = Writer::new(&Header { producer: producer.to_owned(), characters });
    write(shared, &mut stream, &first)?;
    let mut answers = Answers::default();
    loop {
        let (next, mark, is_stale) = {
            let mut waiting = shared.lock();
            (waiting.next(), waiting.marks.pop_front(), waiting.is_stale)
        };
        if is_stale {
            if let Next::Frame(slot) = next {
                shared.lock().frames.push_front(slot);
            }
            return hang_up(stream, shared.patience());
        }
        if let Some(mark) = &mark {
            write(shared, &mut stream, &Writer::mark(mark))?;
        }
        match next {
            Next::Change(change) => {
                if let Some(line) = line_of_change(change, &mut known, &mut writer) {
                    write(shared, &mut stream, &line)?;
                }
            }
            Next::Frame(slot) => {
                // The character of a frame from before this connection may have left.
                let line = index_of(slot.character, &known).and_then(|index| slot.line(index, &mut writer));
                shared.lock().free.push(slot);
                let written = line.as_deref().map(|line| write(shared, &mut stream, line));
                // A line that was sent only in part counts as dropped.
                let count = if matches!(written, Some(Ok(()))) { &shared.sent } else { &shared.dropped };
                count.fetch_add(1, Ordering::Relaxed);
                written.unwrap_or(Ok(()))?;
            }
            Next::Nothing if mark.is_none() && shared.has_ended() => return hang_up(stream, shared.patience()),
            Next::Nothing => std::thread::sleep(LOOKS),
        }
        answers.read(&mut stream, |answer| {
            let mut waiting = shared.lock();
            match answer {
                Answer::Tuned(tuned) => {
                    let number =
                        known.iter().flatten().find(|(_, own)| own.name == tuned.character).map(|(number, _)| *number);
                    let Some(number) = number.filter(|_| tuned.parameters.validate().is_ok()) else { return };
                    if waiting.tuned.len() >= MOST_WAITING {
                        waiting.tuned.pop_front();
                    }
                    waiting.tuned.push_back((number, tuned.parameters));
                }
                Answer::Refused(refusal) => {
                    if waiting.refused.len() >= MOST_WAITING {
                        waiting.refused.pop_front();
                    }
                    waiting.refused.push_back(refusal);
                }
            }
        })?;
    }
}

/// Closes a connection so that all sent data arrives. If unread data of the window were left, some systems would
/// discard sent data that is still in transit. Waits at most `patience` for the window to close its side.
///
/// # Errors
/// An error of the system; [`ErrorKind::ConnectionRefused`] if another game is connected and the sent data is lost; or
/// [`ErrorKind::InvalidData`] with the first line that the window refused, or if more than 1 MiB waits to be read.
pub fn hang_up(mut stream: TcpStream, patience: Duration) -> io::Result<()> {
    // Reads even if the shutdown fails, because the window may have sent the reason before it closed the connection.
    let ended = stream.shutdown(Shutdown::Write);
    stream.set_nonblocking(true)?;
    let (since, mut answers, mut refused) = (Instant::now(), Answers::default(), None);
    while since.elapsed() < patience {
        let read = answers.read(&mut stream, |answer| match answer {
            Answer::Refused(refusal) => drop(refused.get_or_insert(refusal)),
            Answer::Tuned(_) => {}
        });
        match read {
            Ok(()) => std::thread::sleep(LOOKS),
            Err(error) if error.kind() == ErrorKind::ConnectionAborted || refused.is_some() => break,
            Err(error) => return Err(error),
        }
    }
    match refused {
        Some(refusal) => Err(io::Error::new(ErrorKind::InvalidData, format!("the window refused {refusal}"))),
        None => ended,
    }
}

fn busy() -> io::Error {
    io::Error::new(
        ErrorKind::ConnectionRefused,
        "another game is connected there; disconnect it, or wait until it has closed its connection",
    )
}

/// A line from the window. Other lines, such as the greeting, are ignored.
enum Answer {
    Tuned(Box<Tuned>),
    Refused(Refusal),
}

#[derive(Deserialize)]
struct Tuned {
    character: String,
    parameters: Settings,
}

impl Answer {
    fn of_line(line: &str) -> Option<Self> {
        Refusal::of_line(line).map(Self::Refused).or_else(|| read_json(line).ok().map(Box::new).map(Self::Tuned))
    }
}

#[derive(Default)]
struct Answers {
    text: Vec<u8>,
}

impl Answers {
    /// Passes on the complete answers of a non-blocking stream. Ignores invalid lines. Fails with `ConnectionAborted`
    /// at the end of the stream, `ConnectionRefused` for [`BUSY`], and `InvalidData` for more than [`MOST_ANSWER`]
    /// waiting bytes.
    fn read(&mut self, stream: &mut TcpStream, mut receive: impl FnMut(Answer)) -> io::Result<()> {
        let mut piece = [0; 4096];
        let read = loop {
            match stream.read(&mut piece) {
                Ok(0) => break Err(ErrorKind::ConnectionAborted.into()),
                Ok(count) => self.text.extend_from_slice(&piece[..count]),
                Err(error) if is_for_later(&error) => break Ok(()),
                Err(error) => break Err(error),
            }
            if self.text.len() > MOST_ANSWER {
                break Err(ErrorKind::InvalidData.into());
            }
        };
        while let Some(end) = self.text.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.text.drain(..=end).collect();
            if line == BUSY.as_bytes() {
                return Err(busy());
            }
            let answer = std::str::from_utf8(&line).ok().and_then(Answer::of_line);
            answer.into_iter().for_each(&mut receive);
        }
        read
    }
}
