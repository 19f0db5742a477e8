//! Reads game recordings.

use std::ffi::c_char;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use kinescope_library::full_body::Part;
use kinescope_library::game_recording::{EMPTY, GameFrame, Line, MOST_LINE, Reader};
use kinescope_library::{Node, RigidTransform};

use crate::pose::{KinescopePose, KinescopeTransform, KinescopeVec3};
use crate::recording::KinescopeStepNodes;
use crate::settings::KinescopeSettings;
use crate::solver::KinescopeSolver;
use crate::steps::KinescopeStep;
use crate::{
    Done, KINESCOPE_NODES, KinescopeStatus, Refused, exclusive, free, guard, hand_over, list_mut, object, object_mut,
    objects, optional, shared, text, write_text, write_text_or_none,
};

/// Reads a recording line by line.
pub struct KinescopeReader {
    reader: Reader,
    file: BufReader<File>,
    path: String,
    bytes: Vec<u8>,
    line: Option<Line>,
    /// The name of the last character with each number.
    names: Vec<String>,
}

objects!(KinescopeReader);

/// The kinds of lines of a recording.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeLineKind {
    /// A frame of a character.
    Frame,
    /// A text at a point in time.
    Mark,
    /// A character joins.
    Join,
    /// A character leaves; its number is free for the next one that joins.
    Leave,
}

/// A line of a recording.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct KinescopeLine {
    /// A KinescopeLineKind.
    pub kind: u32,
    /// The number of the character; 0 for a mark. The characters that are present at the start have the first numbers.
    pub character: u32,
    /// The game's number of a frame; 0 for other lines.
    pub frame: u64,
    /// The time of a frame or mark in seconds; 0 for other lines.
    pub time: f64,
    /// Number of bones in the poses of a frame; 0 for other lines.
    pub bones: usize,
    /// Whether a frame has the result of the game's solver.
    pub has_result: u32,
    /// Number of stages of a frame.
    pub steps: usize,
    /// Number of parts of the body of a frame whose bones were recorded after the game wrote them.
    pub writes: usize,
}

impl KinescopeReader {
    /// Reads the next line of the file into `bytes`; of a line that is longer than a recording allows, only the
    /// beginning. Returns false at the end of the file.
    fn next_text(&mut self) -> Result<bool, Refused> {
        let system = |error: std::io::Error| Refused(KinescopeStatus::System, format!("{}: {error}", self.path));
        self.bytes.clear();
        let most = MOST_LINE as u64 + 2;
        let read = self.file.by_ref().take(most).read_until(b'\n', &mut self.bytes).map_err(system)?;
        let mut is_cut = read as u64 == most && !self.bytes.ends_with(b"\n");
        while is_cut {
            let rest = self.file.fill_buf().map_err(system)?;
            let end = rest.iter().position(|byte| *byte == b'\n');
            is_cut = end.is_none() && !rest.is_empty();
            let used = end.map_or(rest.len(), |end| end + 1);
            self.file.consume(used);
        }
        Ok(read > 0)
    }

    fn next_line(&mut self) -> Done {
        self.line = None;
        while self.next_text()? {
            self.line = self.reader.read(&String::from_utf8_lossy(&self.bytes)).map_err(Refused::file)?;
            if self.line.is_some() {
                return Ok(KinescopeStatus::Done);
            }
        }
        Ok(KinescopeStatus::NothingToDo)
    }

    /// Keeps the name of a character, which stays readable after the character leaves.
    fn name(&mut self, index: usize) {
        let name = self.reader.character(index).map(|character| character.name.clone());
        if self.names.len() <= index {
            self.names.resize(index + 1, String::new());
        }
        self.names[index] = name.unwrap_or_default();
    }

    fn frame(&self) -> Result<&GameFrame, Refused> {
        match &self.line {
            Some(Line::Frame(frame)) => Ok(frame),
            Some(Line::Mark(_) | Line::Join(_) | Line::Leave(_)) | None => {
                Err(Refused(KinescopeStatus::BadWorkspace, "reader: the last line read is not a frame".to_owned()))
            }
        }
    }
}

/// Opens the recording in the file `path` (UTF-8), and reads its first line.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_reader_new(path: *const c_char, out: *mut *mut KinescopeReader) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let path = text(path, "path")?.to_owned();
            let system = |error: std::io::Error| Refused(KinescopeStatus::System, format!("{path}: {error}"));
            let file = BufReader::new(File::open(&path).map_err(system)?);
            let (reader, bytes) = (Reader::new(), Vec::new());
            let mut own = KinescopeReader { reader, file, path, bytes, line: None, names: Vec::new() };
            if !own.next_text()? {
                return Err(Refused(KinescopeStatus::BadFile, format!("{}: {EMPTY}", own.path)));
            }
            own.reader.read(&String::from_utf8_lossy(&own.bytes)).map_err(Refused::file)?;
            let count = own.reader.header().map_or(0, |header| header.characters.len());
            (0..count).for_each(|index| own.name(index));
            Ok(own)
        })
    })
}

/// Frees a reader and closes its file; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_reader_free(reader: *mut KinescopeReader) {
    unsafe { free(reader) };
}

/// Reads the next line. Returns KINESCOPE_STATUS_NOTHING_TO_DO at the end of the file, and KINESCOPE_STATUS_BAD_FILE
/// for a malformed line, with its number and field; the next call reads the line after it. kinescope_reader_mark writes
/// the text of a mark; kinescope_reader_settings and the functions after it return the parts of a frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_reader_next(
    reader: *mut KinescopeReader,
    line: *mut KinescopeLine,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(reader, "reader") }?;
        let line = unsafe { exclusive(line, "line") }?;
        let done = own.next_line()?;
        let none = KinescopeLine::default();
        *line = match &own.line {
            None => return Ok(done),
            Some(Line::Frame(frame)) => KinescopeLine {
                kind: KinescopeLineKind::Frame as u32,
                character: frame.character as u32,
                frame: frame.frame,
                time: frame.time,
                bones: frame.animated.len(),
                has_result: frame.result.is_some().into(),
                steps: frame.steps.len(),
                writes: frame.writes.len(),
            },
            Some(Line::Mark(mark)) => KinescopeLine { kind: KinescopeLineKind::Mark as u32, time: mark.time, ..none },
            Some(Line::Join(index)) => {
                KinescopeLine { kind: KinescopeLineKind::Join as u32, character: *index as u32, ..none }
            }
            Some(Line::Leave(index)) => {
                KinescopeLine { kind: KinescopeLineKind::Leave as u32, character: *index as u32, ..none }
            }
        };
        if let Some(Line::Join(index)) = own.line {
            own.name(index);
        }
        Ok(done)
    })
}

/// Writes the name of the program that made the recording, into a buffer as kinescope_settings_to_preset does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_reader_producer(
    reader: *const KinescopeReader,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(reader, "reader") }?;
        let producer = own.reader.header().map_or("", |header| header.producer.as_str());
        unsafe { write_text(producer, buffer, capacity, needed) }
    })
}

/// Writes the name of a character, into a buffer as kinescope_settings_to_preset does. A character that has left keeps its
/// name until another one gets its number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_reader_name(
    reader: *const KinescopeReader,
    character: u32,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(reader, "reader") }?;
        let name = own.names.get(character as usize).ok_or_else(|| unknown(character))?;
        unsafe { write_text(name, buffer, capacity, needed) }
    })
}

fn unknown(character: u32) -> Refused {
    Refused::argument(format!("character: is {character}; no character of the recording has this number"))
}

/// Writes the text of a mark, into a buffer as kinescope_settings_to_preset does. Returns KINESCOPE_STATUS_NOTHING_TO_DO,
/// with a `needed` of 0, if the last line is not a mark.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_reader_mark(
    reader: *const KinescopeReader,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(reader, "reader") }?;
        let mark = if let Some(Line::Mark(mark)) = &own.line { Some(&*mark.mark) } else { None };
        unsafe { write_text_or_none(mark, buffer, capacity, needed) }
    })
}

/// Creates the solver of a character that is present, for example to solve its frames again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_reader_solver(
    reader: *const KinescopeReader,
    character: u32,
    out: *mut *mut KinescopeSolver,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let own = object(reader, "reader")?;
            let found = own.reader.character(character as usize).ok_or_else(|| unknown(character))?;
            KinescopeSolver::of_character((**found).clone())
        })
    })
}

/// Copies the parameters of a frame. Returns KINESCOPE_STATUS_BAD_WORKSPACE if the last line is not a frame, as do the
/// following functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_reader_settings(
    reader: *const KinescopeReader,
    settings: *mut KinescopeSettings,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(reader, "reader") }?;
        let settings = unsafe { exclusive(settings, "settings") }?;
        *settings = (&own.frame()?.parameters).into();
        Ok(KinescopeStatus::Done)
    })
}

unsafe fn write_pose(from: &[RigidTransform], pose: *const KinescopePose) -> Done {
    let to = unsafe { shared(pose, "pose") }?;
    if to.count < from.len() {
        let why = format!("pose: has {} bones; the frame has {}", to.count, from.len());
        return Err(Refused(KinescopeStatus::BadPose, why));
    }
    unsafe { to.write("pose", from) }?;
    Ok(KinescopeStatus::Done)
}

/// Writes the animated pose of a frame, the solver's input, in model space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_reader_animated(
    reader: *const KinescopeReader,
    pose: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(reader, "reader") }?;
        unsafe { write_pose(&own.frame()?.animated, pose) }
    })
}

/// Writes the result of the game's solver in a frame, in model space. Returns KINESCOPE_STATUS_NOTHING_TO_DO if the game
/// recorded none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_reader_result(
    reader: *const KinescopeReader,
    pose: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(reader, "reader") }?;
        unsafe { shared(pose, "pose") }?;
        match &own.frame()?.result {
            Some(result) => unsafe { write_pose(result, pose) },
            None => Ok(KinescopeStatus::NothingToDo),
        }
    })
}

/// Copies a stage of a frame by its index, with the nodes that the game recorded. Bit n of `recorded` is set if node n was
/// recorded; the other nodes are 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_reader_step(
    reader: *const KinescopeReader,
    index: usize,
    step: *mut KinescopeStepNodes,
    recorded: *mut u32,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(reader, "reader") }?;
        let (to, recorded) = unsafe { (exclusive(step, "step")?, exclusive(recorded, "recorded")?) };
        let steps = &own.frame()?.steps;
        let why = || Refused::argument(format!("index: is {index}; the frame has {} stages", steps.len()));
        let (step, nodes) = steps.get(index).ok_or_else(why)?;
        let step = KinescopeStep::of(*step).ok_or_else(why)?;
        let mut all = [KinescopeVec3 { x: 0.0, y: 0.0, z: 0.0 }; KINESCOPE_NODES];
        *recorded = 0;
        for (number, node) in Node::ALL.iter().enumerate() {
            if let Some(place) = nodes.get(node) {
                all[number] = (*place).into();
                *recorded |= 1 << number;
            }
        }
        *to = KinescopeStepNodes { step, nodes: all };
        Ok(KinescopeStatus::Done)
    })
}

/// Copies a part of the body that a frame recorded, by its index: its KinescopePart, and the bones after the game wrote it.
/// `capacity` is the length of `bones` and `transforms`. `needed`, which may be NULL, receives the number of bones. Returns
/// KINESCOPE_STATUS_NOTHING_TO_DO, and copies no bones, if the arrays are too short.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_reader_write(
    reader: *const KinescopeReader,
    index: usize,
    part: *mut u32,
    bones: *mut i32,
    transforms: *mut KinescopeTransform,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(reader, "reader") }?;
        let part = unsafe { exclusive(part, "part") }?;
        let bones = unsafe { list_mut(bones, capacity, "bones") }?;
        let transforms = unsafe { list_mut(transforms, capacity, "transforms") }?;
        let writes = &own.frame()?.writes;
        let why = || Refused::argument(format!("index: is {index}; the frame has {} parts", writes.len()));
        let (written, places) = writes.get(index).ok_or_else(why)?;
        let number = Part::ALL.iter().position(|part| part == written).ok_or_else(why)?;
        if let Some(needed) = unsafe { optional(needed, "needed") }? {
            *needed = places.len();
        }
        *part = number as u32;
        if places.len() > capacity {
            return Ok(KinescopeStatus::NothingToDo);
        }
        for ((bone, place), (to, at)) in places.iter().zip(bones.iter_mut().zip(transforms)) {
            (*to, *at) = (*bone as i32, (*place).into());
        }
        Ok(KinescopeStatus::Done)
    })
}
