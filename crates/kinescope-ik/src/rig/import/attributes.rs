//! The attributes and indices of a primitive: from accessors, or unpacked from Draco data.

use std::collections::HashMap;

use draco_core::{DecodeLimits, DecoderBuffer, MeshDecoder};
use serde_json::Value;

use super::accessor::{Numbers, Store};
use super::notes::Outcome;

const MOST_VERTICES: u64 = 10_000_000;

pub(super) struct Attributes<'p> {
    primitive: &'p Value,
    packed: Option<Unpacked>,
}

struct Unpacked {
    indices: Vec<u32>,
    attributes: HashMap<String, Vec<f32>>,
}

impl<'p> Attributes<'p> {
    /// Returns the attributes of a primitive, and unpacks data that is compressed with Draco or meshopt.
    ///
    /// # Errors
    /// The reason why compressed data cannot be read.
    pub fn new(primitive: &'p Value, store: &mut Store) -> Result<Self, String> {
        let mut new = Self { primitive, packed: None };
        if let Some(settings) = primitive.pointer("/extensions/KHR_draco_mesh_compression") {
            let unpacked = new.unpack(settings, store);
            new.packed = Some(unpacked.map_err(|problem| format!("it is compressed with Draco, and {problem}"))?);
        }
        let named = primitive.get("attributes").and_then(Value::as_object);
        let own = named.into_iter().flat_map(|own| own.values()).chain(primitive.get("indices"));
        for accessor in own.filter_map(index) {
            store.unpack(accessor)?;
        }
        Ok(new)
    }

    fn unpack(&self, settings: &Value, store: &mut Store) -> Result<Unpacked, String> {
        let view = settings.get("bufferView").and_then(index).ok_or("names no buffer view")?;
        let bytes = store.view(view).map_err(|fault| fault.to_string())?;
        let limits = DecodeLimits::default()
            .with_max_points(MOST_VERTICES)
            .with_max_faces(MOST_VERTICES)
            .with_max_decoded_bytes(MOST_VERTICES * 64);
        let mut mesh = draco_core::Mesh::new();
        let decoded = MeshDecoder::new().decode(&mut DecoderBuffer::new(bytes).with_limits(limits), &mut mesh);
        decoded.map_err(|error| format!("cannot be decoded: {error}"))?;
        let points = mesh.num_points();
        let indices: Vec<u32> = mesh.faces().iter().flatten().map(|corner| corner.0).collect();
        store.spend(indices.len(), "Draco data").map_err(|fault| fault.problem.to_string())?;
        let mut attributes = HashMap::new();
        for (name, id) in settings.get("attributes").and_then(Value::as_object).into_iter().flatten() {
            let id = id.as_u64().and_then(|id| u32::try_from(id).ok());
            let attribute = id.and_then(|id| mesh.attribute_by_unique_id(id));
            let width = self.accessor(name).and_then(|accessor| store.width(accessor));
            let (Some(attribute), Some(width)) = (attribute, width) else {
                return Err(format!("has no usable attribute {name:?}"));
            };
            store.spend(points.saturating_mul(width), "Draco data").map_err(|fault| fault.problem.to_string())?;
            attributes.insert(name.clone(), attribute.read_f32s(points, width));
        }
        Ok(Unpacked { indices, attributes })
    }

    pub fn accessor(&self, name: &str) -> Option<usize> {
        self.primitive.get("attributes")?.get(name).and_then(index)
    }

    pub fn read(&self, name: &str, what: &str, widths: &[usize], store: &mut Store) -> Outcome<Option<Numbers>> {
        let Some(accessor) = self.accessor(name) else { return Ok(None) };
        match self.packed.as_ref().and_then(|packed| packed.attributes.get(name)) {
            Some(values) => store.unpacked(accessor, what, widths, values.clone()).map(Some),
            None => store.read(accessor, what, widths).map(Some),
        }
    }

    /// Returns the vertex indices, and the name of their source for messages; `None` if there are none.
    pub fn indices(&self, store: &mut Store) -> Outcome<Option<(Vec<u32>, String)>> {
        if let Some(packed) = &self.packed {
            return Ok(Some((packed.indices.clone(), "Draco data".to_owned())));
        }
        let Some(accessor) = self.primitive.get("indices").and_then(index) else { return Ok(None) };
        Ok(Some((store.read_indices(accessor)?, format!("accessor {accessor}"))))
    }
}

fn index(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|index| usize::try_from(index).ok())
}
