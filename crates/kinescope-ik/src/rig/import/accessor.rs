//! Reading numbers from buffers, with every bound checked before a byte is read.

use std::collections::HashMap;

use gltf_json as json;
use gltf_json::accessor::{ComponentType, Type};
use gltf_json::validation::Checked;
use serde_json::Value;

use super::container::{Document, data_uri, percent_decode};
use super::notes::Outcome;
use crate::error::Fault;

/// The largest count of numbers that one file may decode to. A small file can refer to the same bytes a million times.
const MOST_NUMBERS: usize = 100_000_000;
/// The largest count of numbers that accessors without a buffer view may have together.
const MOST_ZEROS: usize = 10_000_000;

const MESHOPT: [&str; 3] = ["EXT_meshopt_compression", "KHR_meshopt_compression", "MESHOPT_compression"];

/// The buffers of a file, loaded on demand, and access to their numbers.
pub(super) struct Store<'a> {
    document: &'a Document,
    blob: Option<&'a [u8]>,
    read_buffer: &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    buffers: Vec<Option<Vec<u8>>>,
    /// The unpacked bytes of compressed views, or why they cannot be unpacked, by the index of the view.
    unpacked: HashMap<usize, Result<Vec<u8>, String>>,
    numbers_left: usize,
    zeros_left: usize,
}

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
        Self {
            document,
            blob,
            read_buffer,
            buffers,
            unpacked: HashMap::new(),
            numbers_left: MOST_NUMBERS,
            zeros_left: MOST_ZEROS,
        }
    }

    /// Counts numbers that are made, decoded or copied; an error if fewer than `count` are left of [`MOST_NUMBERS`].
    pub fn spend(&mut self, count: usize, place: &str) -> Outcome<()> {
        match self.numbers_left.checked_sub(count) {
            Some(left) => self.numbers_left = left,
            None => {
                let problem = format!("the model would have more than {MOST_NUMBERS} numbers in memory; simplify it");
                return Err(Fault::new(place, problem));
            }
        }
        Ok(())
    }

    /// Returns the bytes of a data URI, or of the file that another URI names; the reason if they cannot be read.
    pub fn fetch(&mut self, uri: &str) -> Result<Vec<u8>, String> {
        if let Some(data) = data_uri(uri) {
            return data;
        }
        let path = String::from_utf8_lossy(&percent_decode(uri)).into_owned();
        (self.read_buffer)(&path).map_err(|error| format!("{path:?} cannot be read: {error}"))
    }

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

    /// Unpacks those buffer views of an accessor and of its sparse part that are compressed with meshopt.
    /// [`Self::view`] then returns the unpacked bytes.
    ///
    /// # Errors
    /// The reason why the compressed bytes cannot be unpacked.
    pub fn unpack(&mut self, accessor: usize) -> Result<(), String> {
        for view in self.views_of(accessor) {
            let Some(settings) = self.packing(view) else { continue };
            if !self.unpacked.contains_key(&view) {
                let unpacked = self.unpack_view(settings);
                self.unpacked.insert(view, unpacked);
            }
            if let Err(problem) = &self.unpacked[&view] {
                return Err(format!("buffer view {view} is compressed with meshopt, and {problem}"));
            }
        }
        Ok(())
    }

    fn views_of(&self, accessor: usize) -> impl Iterator<Item = usize> + use<'a> {
        let accessor = self.document.accessors.get(accessor);
        let own = accessor.and_then(|accessor| accessor.buffer_view);
        let sparse = accessor.and_then(|accessor| accessor.sparse.as_ref());
        let sparse = sparse.map(|sparse| [sparse.indices.buffer_view, sparse.values.buffer_view]);
        own.into_iter().chain(sparse.into_iter().flatten()).map(|view| view.value())
    }

    fn unpack_view(&mut self, settings: &Value) -> Result<Vec<u8>, String> {
        let number = |key: &str| settings.get(key).map_or(Some(0), Value::as_u64);
        let number = |key: &str| number(key).and_then(|number| usize::try_from(number).ok());
        let range = |start: usize, length: usize| Some(start..start.checked_add(length)?);
        let (Some(buffer), Some(start), Some(length)) = (number("buffer"), number("byteOffset"), number("byteLength"))
        else {
            return Err("its buffer, byteOffset or byteLength is not a whole number; export the file again".to_owned());
        };
        let bytes = self.buffer(buffer).map_err(|fault| fault.to_string())?;
        let packed = range(start, length)
            .and_then(|range| bytes.get(range))
            .ok_or("its bytes reach beyond the end of its buffer")?;
        let unpacked = super::meshopt::unpack(settings, packed)?;
        self.spend(unpacked.len() / 4, "buffer view").map_err(|fault| fault.problem.to_string())?;
        Ok(unpacked)
    }

    fn packing(&self, view: usize) -> Option<&'a Value> {
        let extensions = self.document.array("bufferViews").get(view)?.get("extensions")?;
        MESHOPT.iter().find_map(|name| extensions.get(name))
    }

    /// Returns the bytes of a buffer view; the unpacked bytes once [`Self::unpack`] has succeeded for an accessor of a
    /// compressed view. An error if there is no such view, or if its buffer cannot be read or does not contain it.
    pub fn view(&mut self, index: usize) -> Outcome<&[u8]> {
        let place = format!("buffer view {index}");
        let Some(view) = self.document.views.get(index) else {
            return Err(Fault::new(place, "there is no such buffer view; export the file again"));
        };
        if let Some(Ok(_)) = self.unpacked.get(&index) {
            return Ok(self.unpacked[&index].as_deref().unwrap_or_default());
        }
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

    /// Returns true if a buffer view of the accessor, also of its sparse part, is compressed with meshopt.
    pub fn is_compressed(&self, accessor: usize) -> bool {
        self.views_of(accessor).any(|view| self.packing(view).is_some())
    }

    /// Returns `values`, unpacked from Draco data, as the numbers of an accessor: normalized integers become fractions
    /// of their largest value, from −1 to 1 or, if unsigned, from 0 to 1. An error if the accessor does not exist, if
    /// its values do not have one of `widths` numbers each, or beyond [`MOST_NUMBERS`].
    pub fn unpacked(&mut self, index: usize, what: &str, widths: &[usize], mut values: Vec<f32>) -> Outcome<Numbers> {
        let (_, layout) = self.layout(index)?;
        check_width(&layout, what, widths, index)?;
        self.spend(values.len(), &format!("accessor {index}"))?;
        if layout.normalized {
            let largest = largest(layout.component);
            values.iter_mut().for_each(|value| *value = (*value / largest).max(-1.0));
        }
        Ok(Numbers { width: layout.width, values })
    }

    /// Returns how many numbers each value of an accessor has; `None` if it does not exist or its type is not
    /// supported.
    pub fn width(&self, index: usize) -> Option<usize> {
        self.layout(index).ok().map(|(_, layout)| layout.width)
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

    /// Returns all values of an accessor. Normalized integers become fractions of their largest value, from −1 to 1 or,
    /// if unsigned, from 0 to 1. An error if the accessor is missing, damaged or too large, or if its values do not
    /// have one of `widths` numbers each.
    pub fn read(&mut self, index: usize, what: &str, widths: &[usize]) -> Outcome<Numbers> {
        let place = || format!("accessor {index}");
        let (accessor, layout) = self.layout(index)?;
        check_width(&layout, what, widths, index)?;
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
                self.spend_zeros(numbers, &place())?;
                values.resize(numbers, 0.0);
            }
        }
        if let Some(sparse) = &accessor.sparse {
            let (count, places) = self.sparse_places(sparse, layout.width, index)?;
            let (place, layout) = (format!("accessor {index}, sparse"), Layout { count, ..layout });
            let mut with = Vec::new();
            let bytes = self.view(sparse.values.buffer_view.value())?;
            decode(bytes, sparse.values.byte_offset.0, None, &layout, &place, &mut with)?;
            replace(&mut values, &places, &with, layout.width, &place)?;
        }
        Ok(Numbers { width: layout.width, values })
    }

    /// Returns how many values the sparse part of an accessor replaces, and the indices of these values.
    fn sparse_places(
        &mut self,
        sparse: &json::accessor::sparse::Sparse,
        width: usize,
        index: usize,
    ) -> Outcome<(usize, Vec<u32>)> {
        let count = usize::try_from(sparse.count.0).unwrap_or(usize::MAX);
        let place = format!("accessor {index}, sparse");
        self.spend(count.saturating_mul(width + 1), &place)?;
        let Checked::Valid(component) = sparse.indices.component_type else {
            return Err(Fault::new(place, "its indices have an unknown type; export the file again"));
        };
        let indices = Layout { count, width: 1, component: component.0, normalized: false };
        let mut places = Vec::new();
        let bytes = self.view(sparse.indices.buffer_view.value())?;
        decode_integers(bytes, sparse.indices.byte_offset.0, None, &indices, &place, &mut places)?;
        Ok((count, places))
    }

    /// Returns all values of an accessor of vertex indices, exactly. An error if the accessor is missing, damaged or
    /// too large, or if its values are not unsigned integers.
    pub fn read_indices(&mut self, index: usize) -> Outcome<Vec<u32>> {
        let place = format!("accessor {index}");
        let (accessor, layout) = self.layout(index)?;
        let integer = matches!(layout.component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32);
        if layout.width != 1 || !integer {
            return Err(Fault::new(place, "vertex indices must be single unsigned integers; export the file again"));
        }
        self.spend(layout.count, &place)?;
        let mut values = Vec::new();
        match accessor.buffer_view {
            Some(view) => {
                let stride = self.document.views.get(view.value()).and_then(|view| view.byte_stride);
                let stride = stride.map(|stride| stride.0).filter(|&stride| stride > 0);
                let offset = accessor.byte_offset.map_or(0, |offset| offset.0);
                let bytes = self.view(view.value())?;
                decode_integers(bytes, offset, stride, &layout, &place, &mut values)?;
            }
            None if accessor.sparse.is_some() => {
                self.spend_zeros(layout.count, &place)?;
                values.resize(layout.count, 0);
            }
            None => return Err(Fault::new(place, "vertex indices need a buffer view; export the file again")),
        }
        if let Some(sparse) = &accessor.sparse {
            let (count, places) = self.sparse_places(sparse, 1, index)?;
            let (place, layout) = (format!("accessor {index}, sparse"), Layout { count, ..layout });
            let mut with = Vec::new();
            let bytes = self.view(sparse.values.buffer_view.value())?;
            decode_integers(bytes, sparse.values.byte_offset.0, None, &layout, &place, &mut with)?;
            replace(&mut values, &places, &with, 1, &place)?;
        }
        Ok(values)
    }

    /// Counts numbers of an accessor without a buffer view; an error if fewer than `count` are left of [`MOST_ZEROS`].
    fn spend_zeros(&mut self, count: usize, place: &str) -> Outcome<()> {
        let Some(left) = self.zeros_left.checked_sub(count) else {
            let problem = format!(
                "together with earlier accessors it has more than {MOST_ZEROS} numbers without a buffer view; \
                 export the file again"
            );
            return Err(Fault::new(place, problem));
        };
        self.zeros_left = left;
        Ok(())
    }
}

fn replace<T: Copy>(values: &mut [T], places: &[u32], with: &[T], width: usize, place: &str) -> Outcome<()> {
    for (&at, with) in places.iter().zip(with.chunks_exact(width)) {
        let start = (at as usize).saturating_mul(width);
        let Some(target) = values.get_mut(start..start.saturating_add(width)) else {
            return Err(Fault::new(place, format!("index {at} is beyond the last value; export the file again")));
        };
        target.copy_from_slice(with);
    }
    Ok(())
}

fn check_width(layout: &Layout, what: &str, widths: &[usize], index: usize) -> Outcome<()> {
    if widths.contains(&layout.width) {
        return Ok(());
    }
    let problem = format!("{what} cannot have {} numbers each; export the file again", layout.width);
    Err(Fault::new(format!("accessor {index}"), problem))
}

/// Returns the integer that stands for 1 in a normalized accessor; 1 for floats.
fn largest(component: ComponentType) -> f32 {
    match component {
        ComponentType::I8 => 127.0,
        ComponentType::U8 => 255.0,
        ComponentType::I16 => 32767.0,
        ComponentType::U16 => 65535.0,
        ComponentType::U32 => 4_294_967_295.0,
        ComponentType::F32 => 1.0,
    }
}

fn component_size(component: ComponentType) -> usize {
    match component {
        ComponentType::I8 | ComponentType::U8 => 1,
        ComponentType::I16 | ComponentType::U16 => 2,
        ComponentType::U32 | ComponentType::F32 => 4,
    }
}

/// Returns the offset and the stride of the values, in bytes; an error unless all values lie within `bytes`.
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
    let (size, largest) = (component_size(layout.component), largest(layout.component));
    values.reserve_exact(layout.count * layout.width);
    for value in 0..layout.count {
        let start = offset + value * stride;
        for part in bytes[start..start + size * layout.width].chunks_exact(size) {
            let number = match (layout.component, part) {
                (ComponentType::I8, &[a]) => f32::from(a as i8),
                (ComponentType::U8, &[a]) => f32::from(a),
                (ComponentType::I16, &[a, b]) => f32::from(i16::from_le_bytes([a, b])),
                (ComponentType::U16, &[a, b]) => f32::from(u16::from_le_bytes([a, b])),
                (ComponentType::U32, &[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]) as f32,
                (_, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
                _ => 0.0,
            };
            let is_integer = layout.component != ComponentType::F32;
            values.push(if layout.normalized && is_integer { (number / largest).max(-1.0) } else { number });
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
