//! From a running game to a listening window: frames are handed over and sent by a thread of their own (feature `link`, the
//! standard library alone).
//!
//! [`Sender::send`] copies a frame into a slot that is there already: it allocates nothing, waits for nobody and opens no
//! socket. What is copied is written as lines of a [recording](crate::game_recording) over TCP by the thread behind it, which
//! connects by itself, and again when the window has gone and come back. Where frames come faster than they go out, the
//! oldest that wait are dropped, and counted.
//!
//! ```no_run
//! use kinescope_ik::game_recording::{GameCharacter, Header};
//! use kinescope_ik::link::{Frame, Sender};
//! use kinescope_ik::{RigidTransform, Settings};
//! # fn the_rig() -> GameCharacter { unimplemented!() }
//! # let (animated, solved): (Vec<RigidTransform>, Vec<RigidTransform>) = (Vec::new(), Vec::new());
//!
//! // Once: who there is. `kinescope --listen` may be started before or after.
//! let header = Header { producer: "my game 0.3".to_owned(), characters: vec![the_rig()] };
//! let mut sender = Sender::new("127.0.0.1:7468", &header)?;
//! let mut settings = Settings::default();
//!
//! // Every frame, after the solve.
//! let frame = Frame { parameters: settings, result: Some(&solved), ..Frame::new(0, 13.5, &animated) };
//! sender.send(&frame);
//! // What was dragged in the window while it tunes the game.
//! while let Some((_, tuned)) = sender.tuned() {
//!     settings = tuned;
//! }
//! # Ok::<(), std::io::Error>(())
//! ```

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::error::Fault;
use crate::full_body::{Node, Nodes, Settings, Step};
use crate::game_recording::{GameFrame, Header, Mark, Writer, check_nodes, has_as_many, seconds};
use crate::json::read_json;
use crate::rig::{RigidTransform, Skeleton};
use crate::trace::{check_stages, checked_at, named_nodes};

/// Where a window listens that was told no address.
pub const ADDRESS: &str = "127.0.0.1:7468";

/// Frames that may wait; a second's worth of a fast game.
const SLOTS: usize = 128;
/// Marks, and answers of the window, that may wait.
const MOST_WAITING: usize = 64;
/// Stages of a frame that a slot has room for from the first.
const STEPS: usize = 64;
/// How often the thread looks whether there is something to do.
const LOOKS: Duration = Duration::from_millis(2);
/// How long a window may take to answer a call and to take a piece of a frame, and all that is left to say at the end.
pub const PATIENCE: Duration = Duration::from_secs(2);
/// From one call to the next where nobody answers.
const AGAIN: Duration = Duration::from_millis(300);
/// A line of the window's is no longer; bytes.
const MOST_ANSWER: usize = 1 << 20;
/// What a window says to a game that calls while another is connected, before it ends the call.
pub const BUSY: &str = "{\"busy\":\"another game is connected\"}\n";

/// A frame to be sent; what it refers to is copied.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Index into [`Header::characters`].
    pub character: usize,
    /// The game's own number; `None` counts on.
    pub frame: Option<u64>,
    /// Seconds; never goes back within a character.
    pub time: f64,
    /// What the solver was asked for.
    pub parameters: Settings,
    /// The pose handed to the solver, a bone each; model space.
    pub animated: &'a [RigidTransform],
    /// Stages with the nodes after them; may be none.
    pub steps: &'a [(Step, Nodes)],
    /// What the game's own solver came to, if it has one.
    pub result: Option<&'a [RigidTransform]>,
}

impl<'a> Frame<'a> {
    /// The pose that was handed to the solver, and nothing else.
    pub fn new(character: usize, time: f64, animated: &'a [RigidTransform]) -> Self {
        Self { character, frame: None, time, parameters: Settings::default(), animated, steps: &[], result: None }
    }

    /// Checks that a reader accepts the frame's line: poses have as many bones as the character's skeleton, and poses, time,
    /// parameters and nodes are in range. [`Sender::send`] checks only the number of bones; the window reports lines that are
    /// malformed.
    ///
    /// # Errors
    /// [`Fault`] that names the field, and the bone where one is at fault.
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
        let mut steps = self.steps.iter().enumerate();
        steps.try_for_each(|(step, (_, nodes))| check_nodes(step, Node::ALL.map(|node| (node, nodes[node]))))
    }

    /// The same as a recording has it, under that number.
    pub fn to_game_frame(&self, frame: u64) -> GameFrame {
        GameFrame {
            character: self.character,
            frame,
            time: self.time,
            parameters: self.parameters,
            animated: self.animated.to_vec(),
            steps: self.steps.iter().map(|(step, nodes)| (*step, named_nodes(nodes))).collect(),
            writes: Vec::new(),
            result: self.result.map(<[_]>::to_vec),
        }
    }
}

/// A frame that waits; its lists are used again.
#[derive(Debug)]
struct Slot {
    character: usize,
    frame: u64,
    time: f64,
    parameters: Settings,
    animated: Vec<RigidTransform>,
    steps: Vec<(Step, Nodes)>,
    result: Vec<RigidTransform>,
    has_result: bool,
}

impl Slot {
    fn line(&self, writer: &mut Writer) -> Option<String> {
        let frame = Frame {
            parameters: self.parameters,
            steps: &self.steps,
            result: self.has_result.then_some(&self.result),
            ..Frame::new(self.character, self.time, &self.animated)
        };
        writer.frame(&frame.to_game_frame(self.frame))
    }
}

/// What waits, on either side. Locked for as long as it takes to move a slot.
#[derive(Debug, Default)]
struct Waiting {
    frames: VecDeque<Slot>,
    free: Vec<Slot>,
    marks: VecDeque<Mark>,
    tuned: VecDeque<(usize, Settings)>,
}

#[derive(Debug, Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    /// When the sender was dropped.
    ended: OnceLock<Instant>,
    connected: AtomicBool,
    sent: AtomicU64,
    dropped: AtomicU64,
}

impl Shared {
    fn has_ended(&self) -> bool {
        self.ended.get().is_some()
    }

    /// How long may be waited for the window. Nothing is left once it has been for long enough that the sender has gone.
    fn patience(&self) -> Duration {
        self.ended.get().map_or(PATIENCE, |ended| PATIENCE.saturating_sub(ended.elapsed()))
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Whoever panicked with it held moved a slot at most.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lock, if it is to be had within some hundred turns: on the game's thread nobody is waited for.
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

/// Sends a game's frames to a listening window, or to whoever else reads recordings.
#[derive(Debug)]
pub struct Sender {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    /// Each character's next number.
    next: Vec<u64>,
    /// How many bones each has.
    bones: Vec<usize>,
    /// A slot that could not be handed over.
    spare: Option<Slot>,
}

impl Sender {
    /// Begins to look for a listener at `address`, `host:port`; frames wait for it meanwhile.
    ///
    /// # Errors
    /// An address that is none, a header that [does not read](Header::check), or no room for a thread.
    pub fn new(address: &str, header: &Header) -> io::Result<Self> {
        header.check().map_err(|fault| io::Error::new(ErrorKind::InvalidInput, fault.to_string()))?;
        let addresses: Vec<SocketAddr> = address.to_socket_addrs()?.collect();
        let bones: Vec<usize> = header.characters.iter().map(|own| own.skeleton.len()).collect();
        let most = bones.iter().copied().max().unwrap_or(0);
        let slot = || Slot {
            character: 0,
            frame: 0,
            time: 0.0,
            parameters: Settings::default(),
            animated: Vec::with_capacity(most),
            steps: Vec::with_capacity(STEPS),
            result: Vec::with_capacity(most),
            has_result: false,
        };
        let waiting = Waiting {
            frames: VecDeque::with_capacity(SLOTS + 1),
            free: (0..SLOTS).map(|_| slot()).collect(),
            marks: VecDeque::with_capacity(MOST_WAITING),
            tuned: VecDeque::with_capacity(MOST_WAITING),
        };
        let shared = Arc::new(Shared { waiting: Mutex::new(waiting), ..Shared::default() });
        let (own, header) = (shared.clone(), header.clone());
        let thread = std::thread::Builder::new()
            .name("kinescope link".to_owned())
            .spawn(move || run(&own, &addresses, &header))?;
        Ok(Self { shared, thread: Some(thread), next: vec![0; bones.len()], bones, spare: None })
    }

    /// Hands a frame over. Never waits, and never allocates as long as a frame has no more than 64 stages; returns whether
    /// it was taken. One of a character that the header does not have, or with other bones than that has, is not.
    pub fn send(&mut self, frame: &Frame) -> bool {
        let bones = self.bones.get(frame.character).copied();
        let fits = |pose: &[RigidTransform]| Some(pose.len()) == bones;
        if !fits(frame.animated) || !frame.result.is_none_or(fits) {
            return false;
        }
        let number = frame.frame.unwrap_or(self.next[frame.character]);
        self.next[frame.character] = number.saturating_add(1);
        let spare = self.spare.take().map(|slot| (slot, false));
        let taken = spare.or_else(|| {
            let mut waiting = self.shared.try_lock()?;
            match waiting.free.pop() {
                Some(slot) => Some((slot, false)),
                None => Some((waiting.frames.pop_front()?, true)),
            }
        });
        let Some((mut slot, is_dropped)) = taken else {
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
        slot.result.clear();
        slot.result.extend_from_slice(frame.result.unwrap_or_default());
        slot.has_result = frame.result.is_some();
        let Some(mut waiting) = self.shared.try_lock() else {
            self.shared.dropped.fetch_add(1, Ordering::Relaxed);
            self.spare = Some(slot);
            return false;
        };
        waiting.frames.push_back(slot);
        true
    }

    /// Says something of a moment: it stands on the timeline. Allocates; the oldest of many that wait is dropped.
    pub fn mark(&self, mark: &str, time: f64) {
        let mut waiting = self.shared.lock();
        if waiting.marks.len() >= MOST_WAITING {
            waiting.marks.pop_front();
        }
        waiting.marks.push_back(Mark { mark: mark.to_owned(), time });
    }

    /// What the window asks for while it tunes the game: a character, and all its parameters. `None` where nothing new
    /// has come.
    pub fn tuned(&self) -> Option<(usize, Settings)> {
        self.shared.try_lock()?.tuned.pop_front()
    }

    /// Whether somebody listens.
    pub fn is_connected(&self) -> bool {
        self.shared.connected.load(Ordering::Relaxed)
    }

    /// Frames that went out.
    pub fn sent(&self) -> u64 {
        self.shared.sent.load(Ordering::Relaxed)
    }

    /// Frames that never will: they waited for too long, or were on their way when the connection broke.
    pub fn dropped(&self) -> u64 {
        self.shared.dropped.load(Ordering::Relaxed)
    }
}

/// What still waits is sent first if somebody listens. That takes two seconds at most, and a call that is under way and not
/// answered no more.
impl Drop for Sender {
    fn drop(&mut self) {
        let _ = self.shared.ended.set(Instant::now());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The thread: calls, sends, and calls again. Once at least: a game may be over before the thread has begun.
fn run(shared: &Shared, addresses: &[SocketAddr], header: &Header) {
    loop {
        let call = |address| match shared.patience() {
            Duration::ZERO => None,
            patience => TcpStream::connect_timeout(address, patience).ok(),
        };
        if let Some(stream) = addresses.iter().find_map(call) {
            shared.connected.store(true, Ordering::Relaxed);
            // However it ended, it begins anew.
            let _ = talk(shared, stream, header);
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

/// Writes all of it, as long as the window goes on taking some.
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

/// Whether it is only that it cannot be done at once.
fn is_for_later(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

fn talk(shared: &Shared, mut stream: TcpStream, header: &Header) -> io::Result<()> {
    stream.set_nodelay(true)?;
    // Of one that waits for itself nobody knows, on some systems, what was sent once it has waited in vain.
    stream.set_nonblocking(true)?;
    let (mut writer, first) = Writer::new(header);
    write(shared, &mut stream, &first)?;
    let mut answers = Answers::default();
    loop {
        let (slot, mark) = {
            let mut waiting = shared.lock();
            (waiting.frames.pop_front(), waiting.marks.pop_front())
        };
        if let Some(mark) = &mark {
            write(shared, &mut stream, &Writer::mark(mark))?;
        }
        match slot {
            Some(slot) => {
                let line = slot.line(&mut writer);
                shared.lock().free.push(slot);
                let written = write(shared, &mut stream, &line.unwrap_or_default());
                // One that breaks off has not come.
                let count = if written.is_ok() { &shared.sent } else { &shared.dropped };
                count.fetch_add(1, Ordering::Relaxed);
                written?;
            }
            None if mark.is_none() && shared.has_ended() => return hang_up(stream, shared.patience()),
            None => std::thread::sleep(LOOKS),
        }
        answers.read(&mut stream, |answer| {
            let index = header.characters.iter().position(|own| own.name == answer.character);
            let Some(index) = index.filter(|_| answer.parameters.validate().is_ok()) else { return };
            let mut waiting = shared.lock();
            if waiting.tuned.len() >= MOST_WAITING {
                waiting.tuned.pop_front();
            }
            waiting.tuned.push_back((index, answer.parameters));
        })?;
    }
}

/// Ends a connection so that all that was sent arrives: one that is dropped while the window's words lie there unread takes
/// it what is still on the way. For its last word is waited for no longer than `patience`.
///
/// # Errors
/// What the system says, or that the window hears another game: then what was sent is lost.
pub fn hang_up(mut stream: TcpStream, patience: Duration) -> io::Result<()> {
    // One that was ended from there may have said why.
    let ended = stream.shutdown(Shutdown::Write);
    stream.set_nonblocking(true)?;
    let (since, mut answers) = (Instant::now(), Answers::default());
    while since.elapsed() < patience {
        match answers.read(&mut stream, |_| {}) {
            Ok(()) => std::thread::sleep(LOOKS),
            Err(error) if error.kind() == ErrorKind::ConnectionAborted => break,
            Err(error) => return Err(error),
        }
    }
    ended
}

/// That the window hears another game: one at a time.
fn busy() -> io::Error {
    io::Error::new(
        ErrorKind::ConnectionRefused,
        "another game is connected there; disconnect it, or wait until it has gone",
    )
}

/// A line of the window's that tunes a character; its greeting is none.
#[derive(Deserialize)]
struct Answer {
    character: String,
    parameters: Settings,
}

/// What the window says, as far as it came.
#[derive(Default)]
struct Answers {
    text: Vec<u8>,
}

impl Answers {
    /// Reads what has come from a stream that waits for nothing. What is no answer says nothing. At the other side's end it is
    /// [`ErrorKind::ConnectionAborted`].
    fn read(&mut self, stream: &mut TcpStream, mut hear: impl FnMut(Answer)) -> io::Result<()> {
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
            let answer = std::str::from_utf8(&line).ok().and_then(|line| read_json::<Answer>(line).ok());
            answer.into_iter().for_each(&mut hear);
        }
        read
    }
}
