//! The text of a BVH file: hierarchy and motion.

use glam::DVec3;

use super::slice::{NUMBERS_IN_A_SLICE, report};
use crate::error::Fault;
use crate::rig::import::notes::{Notes, Outcome};

/// The largest number of joints, including end sites.
const MOST_JOINTS: usize = 4096;
/// The largest number of channels of one joint. Files have up to nine: position, rotation and scale.
const MOST_CHANNELS: usize = 12;
/// The largest number of values of the motion: 200 MB in memory.
const MOST_VALUES: usize = 50_000_000;
/// The number of bytes between two pauses while lines are counted.
const BYTES_IN_A_SLICE: usize = 1 << 20;
/// The largest plausible coordinate of an offset. Larger values are damage.
const MOST_UNITS: f64 = 1e9;
/// The plausible durations of a frame in seconds.
const FRAME_TIMES: std::ops::RangeInclusive<f64> = 1e-4..=10.0;
/// The duration of a frame in seconds, for files without a plausible one.
const DEFAULT_FRAME_TIME: f64 = 1.0 / 30.0;

/// A channel of a joint: a number in every frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Channel {
    /// A coordinate of the position, by axis.
    Position(usize),
    /// An angle in degrees around an axis.
    Rotation(usize),
    Ignored,
}

impl Channel {
    fn of_word(word: &[u8]) -> Option<Self> {
        let axis = match word.first()?.to_ascii_lowercase() {
            axis @ b'x'..=b'z' => usize::from(axis - b'x'),
            _ => return None,
        };
        match word[1..].to_ascii_lowercase().as_slice() {
            b"position" => Some(Self::Position(axis)),
            b"rotation" => Some(Self::Rotation(axis)),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Joint {
    pub name: String,
    pub parent: Option<usize>,
    pub offset: DVec3,
    /// The channels in the order of their values in a frame. The joint's rotation is the product of its rotation
    /// channels in this order.
    pub channels: Vec<Channel>,
    /// The index of the joint's first value in a frame.
    pub first: usize,
}

impl Joint {
    pub fn has_position(&self) -> bool {
        self.channels.iter().any(|channel| matches!(channel, Channel::Position(_)))
    }

    pub fn has_rotation(&self) -> bool {
        self.channels.iter().any(|channel| matches!(channel, Channel::Rotation(_)))
    }
}

#[derive(Default)]
pub(super) struct Bvh {
    /// Joints and end sites, parents before children.
    pub joints: Vec<Joint>,
    /// Seconds from frame to frame.
    pub frame_time: f64,
    /// The number of values of a frame.
    pub width: usize,
    /// The values of all frames, finite.
    pub values: Vec<f32>,
}

impl Bvh {
    pub fn frames(&self) -> std::slice::ChunksExact<'_, f32> {
        self.values.chunks_exact(self.width.max(1))
    }

    /// Returns for every joint the sum of the offsets from its root to it, in the unit of the file.
    pub fn rest_positions(&self) -> Vec<DVec3> {
        let mut places: Vec<DVec3> = Vec::with_capacity(self.joints.len());
        for joint in &self.joints {
            let above = joint.parent.map_or(DVec3::ZERO, |parent| places[parent]);
            places.push(above + joint.offset);
        }
        places
    }
}

pub(super) async fn parse(bytes: &[u8], notes: &mut Notes, progress: &mut dyn FnMut(f32) -> bool) -> Outcome<Bvh> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut text = Text { bytes, at: 0, line: 1 };
    let mut file = Bvh::default();
    let has_motion = hierarchy(&mut text, &mut file, notes)?;
    if file.joints.is_empty() {
        return Err(Fault::new(text.place(), "the hierarchy has no ROOT; export the file again"));
    }
    match has_motion {
        true => motion(&mut text, &mut file, notes, progress).await?,
        false => notes.add("the file has no MOTION: the skeleton has no clip"),
    }
    Ok(file)
}

/// Reads up to the word MOTION. Returns whether it was there.
fn hierarchy(text: &mut Text, file: &mut Bvh, notes: &mut Notes) -> Outcome<bool> {
    // The joints whose braces are open. The last joint is pending until its brace opens.
    let (mut open, mut pending): (Vec<usize>, Option<usize>) = (Vec::new(), None);
    while let Some(word) = text.word() {
        let fault = |problem: String| Fault::new(text.place(), format!("{problem}; export the file again"));
        let shown = String::from_utf8_lossy(word.get(..40).unwrap_or(word)).into_owned();
        let keyword = word.to_ascii_uppercase();
        let is_new = matches!(keyword.as_slice(), b"ROOT" | b"JOINT" | b"END");
        if pending.is_some() && keyword != b"{" {
            return Err(fault(format!("{{ is missing before {shown:?}")));
        }
        if is_new && file.joints.len() == MOST_JOINTS {
            return Err(Fault::new(
                text.place(),
                format!("there are more than {MOST_JOINTS} joints; simplify the skeleton"),
            ));
        }
        match keyword.as_slice() {
            b"HIERARCHY" => {}
            b"ROOT" | b"JOINT" | b"END" => {
                let is_root = keyword == b"ROOT";
                if is_root != open.is_empty() {
                    let place = if is_root { "within a joint" } else { "outside a ROOT" };
                    return Err(fault(format!("{shown} stands {place}")));
                }
                let name = match keyword.as_slice() {
                    b"END" => {
                        text.name();
                        let parent = open.last().map_or("", |&parent| file.joints[parent].name.as_str());
                        if parent.is_empty() { String::new() } else { format!("{parent}_end") }
                    }
                    _ => text.name(),
                };
                pending = Some(file.joints.len());
                file.joints.push(Joint { name, parent: open.last().copied(), ..Joint::default() });
            }
            b"{" => match pending.take() {
                Some(joint) => open.push(joint),
                None => return Err(fault("{ has no ROOT, JOINT or End Site before it".to_owned())),
            },
            b"}" => {
                if open.pop().is_none() {
                    return Err(fault("} closes no joint".to_owned()));
                }
            }
            b"OFFSET" | b"CHANNELS" => {
                let Some(&joint) = open.last() else { return Err(fault(format!("{shown} stands outside a joint"))) };
                match keyword.as_slice() {
                    b"OFFSET" => file.joints[joint].offset = offset(text)?,
                    _ => channels(text, file, joint, notes)?,
                }
            }
            b"MOTION" if open.is_empty() => return Ok(true),
            b"MOTION" => return Err(fault(format!("joints not closed by }} before MOTION: {}", open.len()))),
            _ => return Err(fault(format!("{shown:?} is not a word of a BVH hierarchy"))),
        }
    }
    match open.is_empty() && pending.is_none() {
        true => Ok(false),
        false => Err(Fault::new(text.place(), "the file is cut off in its hierarchy; download or export it again")),
    }
}

fn offset(text: &mut Text) -> Outcome<DVec3> {
    let mut offset = DVec3::ZERO;
    for axis in 0..3 {
        let number = text.word().and_then(number).filter(|number| number.abs() <= MOST_UNITS);
        offset[axis] = number
            .ok_or_else(|| Fault::new(text.place(), "OFFSET needs three numbers within ±1e9; export the file again"))?;
    }
    Ok(offset)
}

fn channels(text: &mut Text, file: &mut Bvh, joint: usize, notes: &mut Notes) -> Outcome<()> {
    let place = text.place();
    let announced = text.word().and_then(number).unwrap_or(f64::NAN);
    let most = MOST_CHANNELS as f64;
    if !(0.0..=most).contains(&announced) || announced.fract() != 0.0 {
        let problem = format!("CHANNELS needs a whole number from 0 to {MOST_CHANNELS}; export the file again");
        return Err(Fault::new(place, problem));
    }
    let Joint { name, channels, first, .. } = &mut file.joints[joint];
    if !channels.is_empty() {
        return Err(Fault::new(place, format!("{name:?} has CHANNELS twice; export the file again")));
    }
    *first = file.width;
    loop {
        let before = *text;
        let Some(word) = text.word() else { break };
        let known = Channel::of_word(word);
        let is_keyword = [&b"{"[..], b"}", b"JOINT", b"END", b"OFFSET", b"CHANNELS", b"MOTION", b"ROOT"]
            .iter()
            .any(|keyword| word.eq_ignore_ascii_case(keyword));
        // More channels than announced count too, as the values of every frame contain them.
        if is_keyword || known.is_none() && channels.len() as f64 >= announced || channels.len() == MOST_CHANNELS {
            *text = before;
            break;
        }
        if known.is_none() {
            let shown = String::from_utf8_lossy(word.get(..40).unwrap_or(word)).into_owned();
            notes.add(format!("the channel {shown:?} is not supported: its values are left out"));
        }
        channels.push(known.unwrap_or(Channel::Ignored));
    }
    if channels.len() as f64 != announced {
        notes.add(format!(
            "{place}: {announced} channels are announced and {} are listed: the listed channels are read",
            channels.len()
        ));
    }
    file.width += channels.len();
    Ok(())
}

async fn motion(
    text: &mut Text<'_>,
    file: &mut Bvh,
    notes: &mut Notes,
    progress: &mut dyn FnMut(f32) -> bool,
) -> Outcome<()> {
    let mut announced = None;
    let mut frame_time = None;
    loop {
        let before = *text;
        let Some(line) = text.line() else { break };
        let line = line.trim_ascii();
        let after = |key: &[u8]| {
            let rest =
                line.get(..key.len()).filter(|start| start.eq_ignore_ascii_case(key)).map(|_| &line[key.len()..])?;
            let start = rest.iter().position(|byte| *byte != b':' && !byte.is_ascii_whitespace());
            Some(&rest[start.unwrap_or(rest.len())..])
        };
        match (after(b"Frames"), after(b"Frame Time").or_else(|| after(b"FrameTime"))) {
            (Some(count), _) => announced = number(count),
            (_, Some(seconds)) => frame_time = Some(number(seconds)),
            _ if line.is_empty() => {}
            _ => {
                *text = before;
                break;
            }
        }
    }
    let given = frame_time.flatten();
    file.frame_time = given.filter(|seconds| FRAME_TIMES.contains(seconds)).unwrap_or(DEFAULT_FRAME_TIME);
    match (given, frame_time) {
        (Some(seconds), _) if seconds == file.frame_time => {}
        (Some(seconds), _) => notes
            .add(format!("the frame time {seconds} s is outside 0.0001 s to 10 s: 30 frames per second are assumed")),
        (None, Some(_)) => notes.add("the frame time is not a number: 30 frames per second are assumed"),
        (None, None) => notes.add("the file has no frame time: 30 frames per second are assumed"),
    }
    values(text, file, announced, notes, progress).await?;
    let frames = file.frames().len();
    if announced != Some(frames as f64) {
        notes.add(match announced {
            Some(announced) => format!("the file announces {announced} frames and has {frames}: it is read to its end"),
            None => format!("the file does not state its number of frames: it has {frames}"),
        });
    }
    Ok(())
}

/// Reads the values of all frames. A number that is not finite is replaced by that of the frame before. In the first
/// frame it is replaced by the offset's coordinate, or by an angle of 0, so that the joint keeps its rest.
async fn values(
    text: &mut Text<'_>,
    file: &mut Bvh,
    announced: Option<f64>,
    notes: &mut Notes,
    progress: &mut dyn FnMut(f32) -> bool,
) -> Outcome<()> {
    let width = file.width;
    if width == 0 {
        return Ok(());
    }
    // Most files have one line per frame. In such a file a line of another length is damage: it would shift all later
    // frames.
    let mut lines = 0usize;
    let mut ahead = *text;
    let mut paused_at = ahead.at;
    while let Some(line) = ahead.line() {
        lines += usize::from(!line.trim_ascii().is_empty());
        if ahead.at - paused_at > BYTES_IN_A_SLICE {
            paused_at = ahead.at;
            report(progress, 0.0).await?;
        }
    }
    let mut has_line_per_frame = (announced == Some(lines as f64)).then_some(true);
    let rests = rest_values(file);
    let mut is_cut = false;
    let mut held = 0usize;
    while let Some(line) = text.line() {
        let place = || Fault::new(format!("line {}", text.line.saturating_sub(1)), "");
        let before = file.values.len();
        for word in line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            let Some(number) = number(word) else {
                let shown = String::from_utf8_lossy(word.get(..40).unwrap_or(word)).into_owned();
                return Err(Fault::new(place().place, format!("{shown:?} is not a number; export the file again")));
            };
            if file.values.len() == MOST_VALUES {
                let problem = format!("the motion has more than {MOST_VALUES} numbers; cut it into several files");
                return Err(Fault::new(place().place, problem));
            }
            let value = number as f32;
            held += usize::from(!value.is_finite());
            let at = file.values.len();
            let last =
                at.checked_sub(width).map_or_else(|| rests.get(at).copied().unwrap_or(0.0), |at| file.values[at]);
            file.values.push(if value.is_finite() { value } else { last });
            if file.values.len().is_multiple_of(NUMBERS_IN_A_SLICE) {
                report(progress, text.at as f32 / text.bytes.len() as f32).await?;
            }
        }
        let count = file.values.len() - before;
        if count == 0 {
            continue;
        }
        if is_cut {
            let problem = format!("the frame before this line does not have {width} numbers; export the file again");
            return Err(Fault::new(place().place, problem));
        }
        if *has_line_per_frame.get_or_insert(count == width) && count != width {
            if count > width {
                let problem = format!("a frame has {width} numbers, this line {count}; export the file again");
                return Err(Fault::new(place().place, problem));
            }
            is_cut = true;
        }
    }
    if held > 0 {
        notes.add(format!("motion values that are not finite are replaced by those of the previous frame, or in the first frame by those of the rest pose; {held} in all"));
    }
    let left_over = file.values.len() % width;
    if left_over > 0 {
        notes.add(format!("the last frame has {left_over} of {width} numbers: it is left out"));
        file.values.truncate(file.values.len() - left_over);
    }
    Ok(())
}

fn rest_values(file: &Bvh) -> Vec<f32> {
    let mut values = vec![0.0; file.width];
    for joint in &file.joints {
        for (channel, value) in joint.channels.iter().zip(&mut values[joint.first..]) {
            if let Channel::Position(axis) = *channel {
                *value = joint.offset[axis] as f32;
            }
        }
    }
    values
}

/// Returns a decimal number; `None` if the word is no number. `1.#INF`, `1.#QNAN` and `-nan(ind)`, as Windows writes
/// infinity and NaN, become NaN.
fn number(word: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(word).ok()?.trim();
    let digits = text.trim_start_matches(['+', '-']);
    if digits.starts_with("1.#") || digits.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("nan")) {
        return Some(f64::NAN);
    }
    text.parse().ok()
}

/// A place in the text. Lines end with line feeds, carriage returns or both.
#[derive(Clone, Copy)]
struct Text<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> Text<'a> {
    fn place(&self) -> String {
        format!("line {}", self.line)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips one byte, and counts the line that ends with it.
    fn skip(&mut self) {
        let is_end = match self.peek() {
            Some(b'\n') => true,
            Some(b'\r') => self.bytes.get(self.at + 1) != Some(&b'\n'),
            _ => false,
        };
        self.line += usize::from(is_end);
        self.at += 1;
    }

    /// Returns the next brace, or the next word up to a space or brace; `None` at the end of the text.
    fn word(&mut self) -> Option<&'a [u8]> {
        while self.peek()?.is_ascii_whitespace() {
            self.skip();
        }
        let start = self.at;
        while self
            .peek()
            .is_some_and(|byte| !byte.is_ascii_whitespace() && (self.at == start || !b"{}".contains(&byte)))
        {
            let is_brace = self.peek().is_some_and(|byte| b"{}".contains(&byte));
            self.at += 1;
            if is_brace {
                break;
            }
        }
        Some(&self.bytes[start..self.at])
    }

    /// Returns the name of a joint: the rest of the line, up to a brace. A name may contain spaces.
    fn name(&mut self) -> String {
        let start = self.at;
        while self.peek().is_some_and(|byte| !b"\r\n{".contains(&byte)) {
            self.at += 1;
        }
        String::from_utf8_lossy(&self.bytes[start..self.at]).trim().to_owned()
    }

    /// Returns the rest of the line and moves to the next line; `None` at the end of the text.
    fn line(&mut self) -> Option<&'a [u8]> {
        self.peek()?;
        let start = self.at;
        while self.peek().is_some_and(|byte| !b"\r\n".contains(&byte)) {
            self.at += 1;
        }
        let line = &self.bytes[start..self.at];
        if self.bytes.get(self.at..self.at + 2) == Some(b"\r\n") {
            self.at += 1;
        }
        if self.at < self.bytes.len() {
            self.skip();
        } else {
            self.line += 1;
        }
        Some(line)
    }
}
