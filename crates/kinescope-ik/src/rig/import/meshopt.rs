//! Unpacking of buffer views that are compressed with EXT_meshopt_compression, or with KHR_meshopt_compression in version 0
//! of its vertex format.
//!
//! Sources: the extension's specification, appendices A and B, and meshoptimizer's decoders. Every byte is read with a
//! check. The unpacked size is at most 64 times the packed size, which is the most that valid data can reach.

use serde_json::Value;

/// The largest ratio of unpacked to packed size: a block of 64 values that are all the same takes one byte.
const MOST_RATIO: usize = 64;
/// The sentinel that no vertex or edge is known yet.
const UNKNOWN: u32 = u32::MAX;

/// Returns the bytes of a view. `settings` is the extension's object, `packed` the bytes that it refers to.
pub(super) fn unpack(settings: &Value, packed: &[u8]) -> Result<Vec<u8>, String> {
    let number = |key: &str| settings.get(key).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
    let (Some(count), Some(stride)) = (number("count"), number("byteStride")) else {
        return Err("its count or stride is missing".to_owned());
    };
    let size = count.checked_mul(stride).filter(|&size| size <= packed.len().saturating_mul(MOST_RATIO));
    let size = size.ok_or("it states more data than it can have")?;
    let mode = settings.get("mode").and_then(Value::as_str).unwrap_or("");
    // KHR_meshopt_compression allows a second version of the format of vertices, EXT_meshopt_compression only the first.
    if mode == "ATTRIBUTES" && packed.first() == Some(&0xa1) {
        return Err("version 1 of its vertex format is not read; compress with EXT_meshopt_compression".to_owned());
    }
    let mut bytes = match (mode, stride) {
        ("ATTRIBUTES", 4..=256) if stride.is_multiple_of(4) => vertices(packed, stride, size),
        ("TRIANGLES", 2 | 4) if count.is_multiple_of(3) => triangles(packed, count).map(|all| narrow(&all, stride)),
        ("INDICES", 2 | 4) => indices(packed, count).map(|all| narrow(&all, stride)),
        _ => return Err(format!("its mode {mode:?} with stride {stride} is unknown")),
    }
    .ok_or("it is damaged")?;
    match (settings.get("filter").and_then(Value::as_str).unwrap_or("NONE"), stride) {
        ("NONE", _) => {}
        ("OCTAHEDRAL", 4) => bytes.chunks_exact_mut(4).for_each(octahedral_8),
        ("OCTAHEDRAL", 8) => bytes.chunks_exact_mut(8).for_each(octahedral_16),
        ("QUATERNION", 8) => bytes.chunks_exact_mut(8).for_each(quaternion),
        ("EXPONENTIAL", _) if stride.is_multiple_of(4) => bytes.chunks_exact_mut(4).for_each(exponential),
        (filter, _) => return Err(format!("its filter {filter:?} with stride {stride} is unknown")),
    }
    Ok(bytes)
}

/// Reads bytes from the front.
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

    /// Reads a number of up to five bytes, seven bits each.
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

    /// Reads an index as difference to `last`.
    fn index(&mut self, last: u32) -> Option<u32> {
        let number = self.number()?;
        Some(last.wrapping_add((number >> 1) ^ (number & 1).wrapping_neg()))
    }
}

fn vertices(packed: &[u8], stride: usize, size: usize) -> Option<Vec<u8>> {
    let (body, last) = packed.split_at_checked(packed.len().checked_sub(stride)?)?;
    let mut body = Bytes(body);
    if body.byte()? != 0xa0 {
        return None;
    }
    let mut last = last.to_vec();
    let mut out = vec![0u8; size];
    let most = ((8192 / stride) & !15).clamp(16, 256);
    for block in out.chunks_mut(most * stride) {
        let vertices = block.len() / stride;
        let mut deltas = [0u8; 256];
        for at in 0..stride {
            let deltas = &mut deltas[..vertices.next_multiple_of(16)];
            channel(&mut body, deltas)?;
            let mut value = last[at];
            for (vertex, &delta) in block.chunks_exact_mut(stride).zip(deltas.iter()) {
                value = value.wrapping_add((delta >> 1) ^ (delta & 1).wrapping_neg());
                vertex[at] = value;
            }
            last[at] = value;
        }
    }
    Some(out)
}

/// Reads one byte of every vertex of a block, in groups of 16.
fn channel(body: &mut Bytes, out: &mut [u8]) -> Option<()> {
    let headers = body.take((out.len() / 16).div_ceil(4))?;
    for (group, out) in out.chunks_exact_mut(16).enumerate() {
        let bits = [0, 2, 4, 8][usize::from(headers[group / 4] >> (group % 4 * 2) & 3)];
        match bits {
            0 => out.fill(0),
            8 => out.copy_from_slice(body.take(16)?),
            bits => {
                let short = body.take(bits * 2)?;
                let escape = (1u8 << bits) - 1;
                for (at, out) in out.iter_mut().enumerate() {
                    let shift = 8 - bits - at * bits % 8;
                    let value = short[at * bits / 8] >> shift & escape;
                    // The largest value stands for a whole byte, which follows the short ones.
                    *out = if value == escape { body.byte()? } else { value };
                }
            }
        }
    }
    Some(())
}

/// The last 16 entries of a list, the newest first.
struct Recent<T>([T; 16], usize);

impl<T: Copy> Recent<T> {
    fn push(&mut self, value: T) {
        self.0[self.1 & 15] = value;
        self.1 = self.1.wrapping_add(1);
    }

    /// Returns an entry; 1 is the newest.
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
        // The corners that the list of known vertices gets.
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

/// Returns indices as integers of `size` bytes.
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

fn exponential(row: &mut [u8]) {
    let bits = i32::from_le_bytes([row[0], row[1], row[2], row[3]]);
    let value = f64::from(bits << 8 >> 8) * 2f64.powi(bits >> 24);
    row.copy_from_slice(&(value as f32).to_le_bytes());
}

#[cfg(test)]
#[path = "meshopt_tests.rs"]
mod tests;
