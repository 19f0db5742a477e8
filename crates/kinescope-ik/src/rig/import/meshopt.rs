//! Unpacking of buffer views that are compressed with EXT_meshopt_compression or KHR_meshopt_compression.
//!
//! Sources: the specifications of both extensions, appendices A and B, and meshoptimizer's decoders. Every byte is read
//! with a check. The unpacked size is limited: see [`MOST_RATIO`] and [`MOST_ZEROS`].

use serde_json::Value;

/// The largest ratio of unpacked to packed size: in version 0 of the vertex format, a byte that is the same in 64
/// vertices takes one byte.
const MOST_RATIO: usize = 64;
/// The unpacked bytes that are allowed beyond [`MOST_RATIO`]: in version 1 of the vertex format, a block of up to 256
/// vertices that are all the same takes a quarter of the bytes of one vertex.
const MOST_ZEROS: usize = 64 << 20;
/// The vertex index with which the lists of recent vertices and edges are filled at the start.
const UNKNOWN: u32 = u32::MAX;

/// Returns the unpacked bytes of a view. `settings` is the extension's object, `packed` the bytes that it refers to.
pub(super) fn unpack(settings: &Value, packed: &[u8]) -> Result<Vec<u8>, String> {
    let number = |key: &str| settings.get(key).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
    let (Some(count), Some(stride)) = (number("count"), number("byteStride")) else {
        return Err("its count or byteStride is missing or not a whole number".to_owned());
    };
    let mode = settings.get("mode").and_then(Value::as_str).unwrap_or("");
    let is_newer = mode == "ATTRIBUTES" && packed.first() == Some(&VERSION_1);
    let zeros = if is_newer { MOST_ZEROS } else { 0 };
    let most = packed.len().saturating_mul(MOST_RATIO).saturating_add(zeros);
    let size = count.checked_mul(stride).filter(|&size| size <= most);
    let size = size.ok_or("it states more data than its bytes can hold")?;
    let mut bytes = match (mode, stride) {
        ("ATTRIBUTES", 4..=256) if stride.is_multiple_of(4) => vertices(packed, stride, size),
        ("TRIANGLES", 2 | 4) if count.is_multiple_of(3) => triangles(packed, count).map(|all| narrow(&all, stride)),
        ("INDICES", 2 | 4) => indices(packed, count).map(|all| narrow(&all, stride)),
        _ => return Err(format!("its mode {mode:?} is unknown, or does not fit its count or its stride {stride}")),
    }
    .ok_or("it is damaged")?;
    match (settings.get("filter").and_then(Value::as_str).unwrap_or("NONE"), stride) {
        ("NONE", _) => {}
        ("OCTAHEDRAL", 4) => bytes.chunks_exact_mut(4).for_each(octahedral_8),
        ("OCTAHEDRAL", 8) => bytes.chunks_exact_mut(8).for_each(octahedral_16),
        ("QUATERNION", 8) => bytes.chunks_exact_mut(8).for_each(quaternion),
        ("COLOR", 4) => bytes.chunks_exact_mut(4).for_each(color_8),
        ("COLOR", 8) => bytes.chunks_exact_mut(8).for_each(color_16),
        ("EXPONENTIAL", _) if stride.is_multiple_of(4) => bytes.chunks_exact_mut(4).for_each(exponential),
        (filter, _) => return Err(format!("its filter {filter:?} with stride {stride} is unknown")),
    }
    Ok(bytes)
}

struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|byte| byte[0])
    }

    /// Reads a number of up to five bytes, seven bits each; `None` at the end of the bytes.
    fn number(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 127).wrapping_shl(shift);
            if byte < 128 {
                break;
            }
        }
        Some(number)
    }

    fn index(&mut self, last: u32) -> Option<u32> {
        let number = self.number()?;
        Some(last.wrapping_add((number >> 1) ^ (number & 1).wrapping_neg()))
    }
}

const VERSION_0: u8 = 0xa0;
const VERSION_1: u8 = 0xa1;

/// The bits of a value in a group, by the two bits of the group's header.
const BITS: [usize; 4] = [0, 2, 4, 8];
/// Like [`BITS`], but in version 1 of the format, for the control modes 0 and 1.
const BITS_OF_CONTROL: [[usize; 4]; 2] = [[0, 1, 2, 4], [1, 2, 4, 8]];

fn vertices(packed: &[u8], stride: usize, size: usize) -> Option<Vec<u8>> {
    let is_newer = match *packed.first()? {
        VERSION_0 => false,
        VERSION_1 => true,
        _ => return None,
    };
    let tail = if is_newer { stride + stride / 4 } else { stride };
    let (body, tail) = packed.split_at_checked(packed.len().checked_sub(tail)?)?;
    let mut body = Bytes(body.get(1..)?);
    let (last, channels) = tail.split_at(stride);
    let mut last = last.to_vec();
    let mut out = vec![0u8; size];
    let most = ((8192 / stride) & !15).clamp(16, 256);
    for block in out.chunks_mut(most * stride) {
        let vertices = block.len() / stride;
        let controls = if is_newer { body.take(stride / 4)? } else { &[] };
        for at in (0..stride).step_by(4) {
            let mut deltas = [[0u8; 256]; 4];
            for (byte, deltas) in deltas.iter_mut().enumerate() {
                let padded = &mut deltas[..vertices.next_multiple_of(16)];
                match controls.get(at / 4).map(|controls| controls >> (2 * byte) & 3) {
                    None => channel(&mut body, padded, BITS)?,
                    Some(control @ (0 | 1)) => channel(&mut body, padded, BITS_OF_CONTROL[usize::from(control)])?,
                    Some(2) => {}
                    Some(_) => deltas[..vertices].copy_from_slice(body.take(vertices)?),
                }
            }
            let kind = channels.get(at / 4).copied().unwrap_or(0);
            let last = last.get_mut(at..at + 4)?;
            for (vertex, row) in block.chunks_exact_mut(stride).enumerate() {
                let delta = deltas.map(|deltas| deltas[vertex]);
                add(kind, delta, last)?;
                row.get_mut(at..at + 4)?.copy_from_slice(last);
            }
        }
    }
    Some(out)
}

/// Applies a difference to the four bytes `last`. `kind` is the mode of the channel: the difference is added to single
/// bytes or to pairs, or is rotated and combined with all four by XOR. `None` for an unknown mode.
fn add(kind: u8, delta: [u8; 4], last: &mut [u8]) -> Option<()> {
    match (kind & 15, kind >> 4) {
        (0, 0) => {
            for (last, delta) in last.iter_mut().zip(delta) {
                *last = last.wrapping_add((delta >> 1) ^ (delta & 1).wrapping_neg());
            }
        }
        (1, 0) => {
            for (last, delta) in last.chunks_exact_mut(2).zip(delta.chunks_exact(2)) {
                let delta = u16::from_le_bytes([delta[0], delta[1]]);
                let sum = u16::from_le_bytes([last[0], last[1]]);
                let sum = sum.wrapping_add((delta >> 1) ^ (delta & 1).wrapping_neg());
                last.copy_from_slice(&sum.to_le_bytes());
            }
        }
        (2, rotation) => {
            let delta = u32::from_le_bytes(delta).rotate_right(u32::from(rotation));
            for (last, delta) in last.iter_mut().zip(delta.to_le_bytes()) {
                *last ^= delta;
            }
        }
        _ => return None,
    }
    Some(())
}

/// Reads one byte of every vertex of a block, in groups of 16; `None` if the data ends early.
fn channel(body: &mut Bytes, out: &mut [u8], bits: [usize; 4]) -> Option<()> {
    let headers = body.take((out.len() / 16).div_ceil(4))?;
    for (group, out) in out.chunks_exact_mut(16).enumerate() {
        match bits[usize::from(headers[group / 4] >> (group % 4 * 2) & 3)] {
            0 => out.fill(0),
            8 => out.copy_from_slice(body.take(16)?),
            bits => {
                let short = body.take(bits * 2)?;
                let escape = (1u8 << bits) - 1;
                for (at, out) in out.iter_mut().enumerate() {
                    // Single bits are stored from the lowest, others from the highest.
                    let shift = if bits == 1 { at % 8 } else { 8 - bits - at * bits % 8 };
                    let value = short[at * bits / 8] >> shift & escape;
                    // The largest value stands for a whole byte, which follows the short ones.
                    *out = if value == escape { body.byte()? } else { value };
                }
            }
        }
    }
    Some(())
}

/// The last 16 entries of a list as a ring, and the number of entries so far.
struct Recent<T>([T; 16], usize);

impl<T: Copy> Recent<T> {
    fn push(&mut self, value: T) {
        self.0[self.1 & 15] = value;
        self.1 = self.1.wrapping_add(1);
    }

    /// Returns the entry that is `back` from the end; 1 is the newest.
    fn get(&self, back: usize) -> T {
        self.0[self.1.wrapping_sub(back) & 15]
    }
}

fn triangles(packed: &[u8], count: usize) -> Option<Vec<u32>> {
    let (body, table) = packed.split_at_checked(packed.len().checked_sub(16)?)?;
    let mut body = Bytes(body);
    if body.byte()? != 0xe1 {
        return None;
    }
    let codes = body.take(count / 3)?;
    let (mut edges, mut known) = (Recent([[UNKNOWN; 2]; 16], 0), Recent([UNKNOWN; 16], 0));
    let (mut next, mut last) = (0u32, 0u32);
    let mut out = Vec::with_capacity(count);
    for &code in codes {
        let [a, b, c];
        let is_new: [bool; 3];
        if code < 0xf0 {
            [a, b] = edges.get(usize::from(code >> 4) + 1);
            let vertex = code & 15;
            let is_listed = (1..13).contains(&vertex);
            c = match vertex {
                0 => count_up(&mut next),
                1..13 => known.get(usize::from(vertex) + 1),
                13 => last.wrapping_sub(1),
                14 => last.wrapping_add(1),
                _ => body.index(last)?,
            };
            if vertex >= 13 {
                last = c;
            }
            is_new = [false, false, !is_listed];
        } else {
            let extra = if code < 0xfe { table[usize::from(code & 15)] } else { body.byte()? };
            let (second, third) = (extra >> 4, extra & 15);
            let is_coded = code >= 0xfe;
            if is_coded && extra == 0 {
                next = 0;
            }
            let mut corners = [0u32; 3];
            let is_free = code == 0xff;
            corners[0] = if is_free { 0 } else { count_up(&mut next) };
            for (corner, from) in [(1, second), (2, third)] {
                corners[corner] = match from {
                    0 => count_up(&mut next),
                    from => known.get(usize::from(from)),
                };
            }
            for (corner, is_free) in [(0, is_free), (1, is_coded && second == 15), (2, is_coded && third == 15)] {
                if is_free {
                    last = body.index(last)?;
                    corners[corner] = last;
                }
            }
            [a, b, c] = corners;
            let is_listed = |from: u8| from != 0 && !(is_coded && from == 15);
            is_new = [true, !is_listed(second), !is_listed(third)];
        }
        out.extend([a, b, c]);
        for (corner, is_new) in [a, b, c].into_iter().zip(is_new) {
            if is_new {
                known.push(corner);
            }
        }
        if code >= 0xf0 {
            edges.push([b, a]);
        }
        edges.push([c, b]);
        edges.push([a, c]);
    }
    Some(out)
}

fn count_up(next: &mut u32) -> u32 {
    *next = next.wrapping_add(1);
    next.wrapping_sub(1)
}

fn indices(packed: &[u8], count: usize) -> Option<Vec<u32>> {
    let mut body = Bytes(packed);
    if body.byte()? != 0xd1 {
        return None;
    }
    let mut last = [0u32; 2];
    let mut out = Vec::with_capacity(count);
    for _ in 0..count {
        let number = body.number()?;
        let which = (number & 1) as usize;
        let number = number >> 1;
        last[which] = last[which].wrapping_add((number >> 1) ^ (number & 1).wrapping_neg());
        out.push(last[which]);
    }
    Some(out)
}

fn narrow(indices: &[u32], size: usize) -> Vec<u8> {
    indices.iter().flat_map(|index| index.to_le_bytes().into_iter().take(size)).collect()
}

/// Returns the unit direction of a point of the octahedron; `one` is the number that stands for 1.
fn direction([x, y]: [f32; 2], one: f32) -> [f32; 3] {
    let (x, y) = (x / one, y / one);
    let z = 1.0 - x.abs() - y.abs();
    let fold = (-z).max(0.0);
    let (x, y) = (x - fold.copysign(x), y - fold.copysign(y));
    let length = (x * x + y * y + z * z).sqrt();
    [x, y, z].map(|part| part / length)
}

fn octahedral_8(row: &mut [u8]) {
    let signed = |byte: u8| f32::from(byte as i8);
    let direction = direction([signed(row[0]), signed(row[1])], signed(row[2]));
    for (out, part) in row.iter_mut().zip(direction) {
        *out = ((part * 127.0).round() as i8) as u8;
    }
}

fn shorts(row: &[u8]) -> [i16; 4] {
    [0, 2, 4, 6].map(|at| i16::from_le_bytes([row[at], row[at + 1]]))
}

fn octahedral_16(row: &mut [u8]) {
    let [x, y, one, _] = shorts(row).map(f32::from);
    for (out, part) in row.chunks_exact_mut(2).zip(direction([x, y], one)) {
        out.copy_from_slice(&((part * 32767.0).round() as i16).to_le_bytes());
    }
}

fn quaternion(row: &mut [u8]) {
    let [x, y, z, code] = shorts(row);
    let scale = std::f32::consts::FRAC_1_SQRT_2 / f32::from(code | 3);
    let [x, y, z] = [x, y, z].map(|part| f32::from(part) * scale);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let largest = usize::from(code as u16 & 3);
    for (at, part) in [w, x, y, z].into_iter().enumerate() {
        let place = (largest + at) % 4 * 2;
        row[place..place + 2].copy_from_slice(&((part * 32767.0).round() as i16).to_le_bytes());
    }
}

/// Returns red, green, blue and alpha of a colour in the YCoCg model, from 0 to 1. The place of the highest set bit of
/// `alpha` states the number of bits of each part.
fn color(luma: i32, [orange, green]: [i32; 2], alpha: u32) -> [f32; 4] {
    let bits = 32 - alpha.leading_zeros();
    let one = (1u32 << bits.clamp(1, 16)) - 1;
    let short = alpha & one >> 1;
    let alpha = short << 1 | short & 1;
    let rest = luma - green;
    [rest + orange, luma + green, rest - orange, alpha as i32].map(|part| (part as f32 / one as f32).clamp(0.0, 1.0))
}

fn color_8(row: &mut [u8]) {
    let signed = |byte: u8| i32::from(byte as i8);
    let color = color(row[0].into(), [signed(row[1]), signed(row[2])], row[3].into());
    for (out, part) in row.iter_mut().zip(color) {
        *out = (part * 255.0).round() as u8;
    }
}

fn color_16(row: &mut [u8]) {
    let [luma, orange, green, alpha] = shorts(row);
    let color = color((luma as u16).into(), [orange.into(), green.into()], u32::from(alpha as u16));
    for (out, part) in row.chunks_exact_mut(2).zip(color) {
        out.copy_from_slice(&((part * 65535.0).round() as u16).to_le_bytes());
    }
}

fn exponential(row: &mut [u8]) {
    let bits = i32::from_le_bytes([row[0], row[1], row[2], row[3]]);
    let value = f64::from(bits << 8 >> 8) * 2f64.powi(bits >> 24);
    row.copy_from_slice(&(value as f32).to_le_bytes());
}

#[cfg(test)]
#[path = "meshopt_tests.rs"]
mod tests;
