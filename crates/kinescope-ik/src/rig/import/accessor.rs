//! Reading numbers from buffers, with every bound checked before a byte is read.

use gltf_json as json;
use gltf_json::accessor::{ComponentType, Type};
use gltf_json::validation::Checked;
use serde_json::Value;

use super::container::{Document, data_uri, percent_decode};
use super::notes::Outcome;
use crate::error::Fault;

/// The largest count of numbers that one file may decode to. A small file can refer to the same bytes a million times.
const MOST_NUMBERS: usize = 100_000_000;
/// The largest count of numbers that all accessors together may have without any bytes.
const MOST_ZEROS: usize = 10_000_000;

/// The buffers of a file, loaded on demand, and access to their numbers.
pub(super) struct Store<'a> {
    document: &'a Document,
    blob: Option<&'a [u8]>,
    read_buffer: &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    buffers: Vec<Option<Vec<u8>>>,
    numbers_left: usize,
    zeros_left: usize,
}

/// Decoded numbers, `width` per value.
pub(super) struct Numbers {
    pub width: usize,
    pub values: Vec<f32>,
}

impl Numbers {
    pub fn len(&self) -> usize {
        self.values.len() / self.width
    }

    pub fn rows(&self) -> std::slice::ChunksExact<'_, f32> {
        self.values.chunks_exact(self.width)
    }
}

/// The count and type of an accessor's values.
struct Layout {
    count: usize,
    width: usize,
    component: ComponentType,
    normalized: bool,
}

impl<'a> Store<'a> {
    pub fn new(
        document: &'a Document,
        blob: Option<&'a [u8]>,
        read_buffer: &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Self {
        let buffers = vec![None; document.array("buffers").len()];
        Self { document, blob, read_buffer, buffers, numbers_left: MOST_NUMBERS, zeros_left: MOST_ZEROS }
    }

    /// Reserves `count` numbers that are about to be made, decoded or copied.
    pub fn spend(&mut self, count: usize, place: &str) -> Outcome<()> {
        match self.numbers_left.checked_sub(count) {
            Some(left) => self.numbers_left = left,
            None => {
                let problem = format!("the file holds more than {MOST_NUMBERS} numbers; simplify the model");
                return Err(Fault::new(place, problem));
            }
        }
        Ok(())
    }

    /// Returns the bytes of a relative or data URI.
    pub fn fetch(&mut self, uri: &str) -> Result<Vec<u8>, String> {
        if let Some(data) = data_uri(uri) {
            return data;
        }
        let path = String::from_utf8_lossy(&percent_decode(uri)).into_owned();
        (self.read_buffer)(&path).map_err(|error| format!("{path:?} cannot be read: {error}"))
    }

    /// Returns the bytes of a buffer.
    pub fn buffer(&mut self, index: usize) -> Outcome<&[u8]> {
        let place = || format!("buffer {index}");
        let Some(buffer) = self.document.array("buffers").get(index) else {
            return Err(Fault::new(place(), "there is no such buffer; export the file again"));
        };
        match buffer.get("uri").and_then(Value::as_str) {
            None => match self.blob {
                Some(blob) if index == 0 => Ok(blob),
                _ => Err(Fault::new(place(), "it has neither a URI nor a binary chunk; export the file again")),
            },
            Some(uri) => {
                if self.buffers[index].is_none() {
                    let bytes = self.fetch(uri).map_err(|error| {
                        let cure = match data_uri(uri) {
                            Some(_) => "export the file again",
                            None => "put that file into the model's folder",
                        };
                        Fault::new(place(), format!("{error}; {cure}"))
                    })?;
                    self.buffers[index] = Some(bytes);
                }
                Ok(self.buffers[index].as_deref().unwrap_or(&[]))
            }
        }
    }

    /// Returns the bytes of a buffer view.
    pub fn view(&mut self, index: usize) -> Outcome<&[u8]> {
        let place = format!("buffer view {index}");
        let Some(view) = self.document.views.get(index) else {
            return Err(Fault::new(place, "there is no such buffer view; export the file again"));
        };
        let start = view.byte_offset.map_or(0, |offset| offset.0);
        let end = start.checked_add(view.byte_length.0);
        let buffer = view.buffer.value();
        let bytes = self.buffer(buffer)?;
        let range = end.and_then(|end| Some(usize::try_from(start).ok()?..usize::try_from(end).ok()?));
        range.and_then(|range| bytes.get(range)).ok_or_else(|| {
            let (length, wanted) = (bytes.len(), view.byte_length.0);
            let problem = format!(
                "it needs {wanted} bytes from byte {start} of buffer {buffer}, which has {length}; \
                 the file is cut off or damaged, export it again"
            );
            Fault::new(place, problem)
        })
    }

    /// Returns true if the accessor's bytes are compressed in a way that is not supported.
    pub fn is_compressed(&self, accessor: usize) -> bool {
        let view = self.document.accessors.get(accessor).and_then(|accessor| accessor.buffer_view);
        let extensions = view.and_then(|view| self.document.array("bufferViews").get(view.value())?.get("extensions"));
        extensions.is_some_and(|extensions| {
            ["EXT_meshopt_compression", "KHR_meshopt_compression", "MESHOPT_compression"]
                .iter()
                .any(|name| extensions.get(name).is_some())
        })
    }

    fn layout(&self, index: usize) -> Outcome<(&'a json::Accessor, Layout)> {
        let place = || format!("accessor {index}");
        let accessor = self.document.accessors.get(index);
        let accessor =
            accessor.ok_or_else(|| Fault::new(place(), "there is no such accessor; export the file again"))?;
        let (Checked::Valid(component), Checked::Valid(kind)) = (accessor.component_type, accessor.type_) else {
            return Err(Fault::new(place(), "its type or component type is unknown; export the file again"));
        };
        let width = match kind {
            Type::Scalar => 1,
            Type::Vec2 => 2,
            Type::Vec3 => 3,
            Type::Vec4 | Type::Mat2 => 4,
            Type::Mat3 => 9,
            Type::Mat4 => 16,
        };
        let count = usize::try_from(accessor.count.0).unwrap_or(usize::MAX);
        if matches!(kind, Type::Mat2 | Type::Mat3) {
            return Err(Fault::new(place(), "2×2 and 3×3 matrices have no use in a model; export the file again"));
        }
        Ok((accessor, Layout { count, width, component: component.0, normalized: accessor.normalized }))
    }

    /// Returns all values of an accessor, which must have one of `widths` numbers each. Normalized integers become −1
    /// to 1.
    pub fn read(&mut self, index: usize, what: &str, widths: &[usize]) -> Outcome<Numbers> {
        let place = || format!("accessor {index}");
        let (accessor, layout) = self.layout(index)?;
        if !widths.contains(&layout.width) {
            let problem = format!("{what} cannot have {} numbers each; export the file again", layout.width);
            return Err(Fault::new(place(), problem));
        }
        let numbers = layout.count.saturating_mul(layout.width);
        self.spend(numbers, &place())?;
        let mut values = Vec::new();
        match accessor.buffer_view {
            Some(view) => {
                let offset = accessor.byte_offset.map_or(0, |offset| offset.0);
                let stride = self.document.views.get(view.value()).and_then(|view| view.byte_stride);
                let stride = stride.map(|stride| stride.0).filter(|&stride| stride > 0);
                let bytes = self.view(view.value())?;
                decode(bytes, offset, stride, &layout, &place(), &mut values)?;
            }
            None => {
                let Some(left) = self.zeros_left.checked_sub(numbers) else {
                    let problem = format!(
                        "together with earlier accessors it has more than {MOST_ZEROS} numbers without a buffer view; \
                         export the file again"
                    );
                    return Err(Fault::new(place(), problem));
                };
                self.zeros_left = left;
                values.resize(numbers, 0.0);
            }
        }
        if let Some(sparse) = &accessor.sparse {
            let count = usize::try_from(sparse.count.0).unwrap_or(usize::MAX);
            let place = format!("accessor {index}, sparse");
            self.spend(count.saturating_mul(layout.width + 1), &place)?;
            let Checked::Valid(component) = sparse.indices.component_type else {
                return Err(Fault::new(place, "its indices have an unknown type; export the file again"));
            };
            let indices = Layout { count, width: 1, component: component.0, normalized: false };
            let mut at = Vec::new();
            let bytes = self.view(sparse.indices.buffer_view.value())?;
            decode_integers(bytes, sparse.indices.byte_offset.0, None, &indices, &place, &mut at)?;
            let (mut with, layout) = (Vec::new(), Layout { count, ..layout });
            let bytes = self.view(sparse.values.buffer_view.value())?;
            decode(bytes, sparse.values.byte_offset.0, None, &layout, &place, &mut with)?;
            for (&at, with) in at.iter().zip(with.chunks_exact(layout.width)) {
                let start = (at as usize).saturating_mul(layout.width);
                let Some(target) = values.get_mut(start..start.saturating_add(layout.width)) else {
                    let problem = format!("index {at} is beyond the last value; export the file again");
                    return Err(Fault::new(place, problem));
                };
                target.copy_from_slice(with);
            }
        }
        Ok(Numbers { width: layout.width, values })
    }

    /// Returns all values of a scalar integer accessor (vertex indices), exactly.
    pub fn read_indices(&mut self, index: usize) -> Outcome<Vec<u32>> {
        let place = format!("accessor {index}");
        let (accessor, layout) = self.layout(index)?;
        let integer = matches!(layout.component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32);
        if layout.width != 1 || !integer || accessor.sparse.is_some() {
            return Err(Fault::new(place, "vertex indices must be unsigned integers; export the file again"));
        }
        let Some(view) = accessor.buffer_view else {
            return Err(Fault::new(place, "vertex indices need a buffer view; export the file again"));
        };
        self.spend(layout.count, &place)?;
        let stride = self.document.views.get(view.value()).and_then(|view| view.byte_stride);
        let stride = stride.map(|stride| stride.0).filter(|&stride| stride > 0);
        let offset = accessor.byte_offset.map_or(0, |offset| offset.0);
        let mut values = Vec::new();
        let bytes = self.view(view.value())?;
        decode_integers(bytes, offset, stride, &layout, &place, &mut values)?;
        Ok(values)
    }
}

fn component_size(component: ComponentType) -> usize {
    match component {
        ComponentType::I8 | ComponentType::U8 => 1,
        ComponentType::I16 | ComponentType::U16 => 2,
        ComponentType::U32 | ComponentType::F32 => 4,
    }
}

/// Returns the first byte and the stride of the values, if all of them lie within `bytes`.
fn bounds(bytes: &[u8], offset: u64, stride: Option<usize>, layout: &Layout, place: &str) -> Outcome<(usize, usize)> {
    let size = component_size(layout.component) * layout.width;
    let stride = stride.unwrap_or(size);
    let span = match layout.count {
        0 => Some(0),
        count => (count - 1).checked_mul(stride).and_then(|span| span.checked_add(size)),
    };
    let offset = usize::try_from(offset).ok();
    let end = offset.zip(span).and_then(|(offset, span)| offset.checked_add(span));
    match (offset, end) {
        (Some(offset), Some(end)) if end <= bytes.len() => Ok((offset, stride)),
        _ => {
            let problem = format!(
                "{} values of {size} bytes, {stride} apart, do not fit into the {} bytes of its buffer view; \
                 the file is cut off or damaged, export it again",
                layout.count,
                bytes.len()
            );
            Err(Fault::new(place, problem))
        }
    }
}

fn decode(
    bytes: &[u8],
    offset: u64,
    stride: Option<usize>,
    layout: &Layout,
    place: &str,
    values: &mut Vec<f32>,
) -> Outcome<()> {
    let (offset, stride) = bounds(bytes, offset, stride, layout, place)?;
    let size = component_size(layout.component);
    values.reserve_exact(layout.count * layout.width);
    for value in 0..layout.count {
        let start = offset + value * stride;
        for part in bytes[start..start + size * layout.width].chunks_exact(size) {
            let (number, largest) = match (layout.component, part) {
                (ComponentType::I8, &[a]) => (f32::from(a as i8), 127.0),
                (ComponentType::U8, &[a]) => (f32::from(a), 255.0),
                (ComponentType::I16, &[a, b]) => (f32::from(i16::from_le_bytes([a, b])), 32767.0),
                (ComponentType::U16, &[a, b]) => (f32::from(u16::from_le_bytes([a, b])), 65535.0),
                (ComponentType::U32, &[a, b, c, d]) => (u32::from_le_bytes([a, b, c, d]) as f32, 4_294_967_295.0),
                (_, &[a, b, c, d]) => (f32::from_le_bytes([a, b, c, d]), 0.0),
                _ => (0.0, 0.0),
            };
            values.push(if layout.normalized && largest > 0.0 { (number / largest).max(-1.0) } else { number });
        }
    }
    Ok(())
}

fn decode_integers(
    bytes: &[u8],
    offset: u64,
    stride: Option<usize>,
    layout: &Layout,
    place: &str,
    values: &mut Vec<u32>,
) -> Outcome<()> {
    let (offset, stride) = bounds(bytes, offset, stride, layout, place)?;
    let size = component_size(layout.component);
    values.reserve_exact(layout.count);
    for value in 0..layout.count {
        let start = offset + value * stride;
        values.push(match bytes[start..start + size] {
            [a] => u32::from(a),
            [a, b] => u32::from(u16::from_le_bytes([a, b])),
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
            _ => 0,
        });
    }
    Ok(())
}
