//! The glTF document into which an FBX file is converted: JSON, and one buffer with a view for all numbers and a view
//! for each image.

use glam::{DMat4, DQuat, DVec3, Vec3};
use serde_json::{Value, json};
use ufbx::{Matrix, Quat};

use crate::error::Fault;
use crate::rig::import::notes::{Notes, Outcome};
use crate::rig::import::writing::{glb, push};

/// The largest size of the buffer in bytes, without images. A small file with many instances of a mesh could need more
/// memory than there is.
const MOST_BYTES: usize = 1 << 30;

pub(super) const FLOAT: u32 = 5126;
pub(super) const UNSIGNED_SHORT: u32 = 5123;
pub(super) const UNSIGNED_INT: u32 = 5125;

pub(super) struct Writer {
    pub root: Value,
    /// The numbers: the first buffer view.
    bytes: Vec<u8>,
    /// The images: one buffer view each, behind the numbers.
    images: Vec<Vec<u8>>,
    pub notes: Notes,
}

impl Writer {
    pub fn new() -> Self {
        let root = json!({ "asset": { "version": "2.0", "generator": "kinescope" } });
        Self { root, bytes: Vec::new(), images: Vec::new(), notes: Notes::default() }
    }

    pub fn push(&mut self, list: &str, value: Value) -> usize {
        push(&mut self.root, list, value)
    }

    pub fn floats(&mut self, kind: &str, count: usize, values: impl Iterator<Item = f32>) -> Outcome<usize> {
        self.accessor(FLOAT, kind, count, values.flat_map(f32::to_le_bytes))
    }

    pub fn accessor(
        &mut self,
        component: u32,
        kind: &str,
        count: usize,
        mut bytes: impl Iterator<Item = u8>,
    ) -> Outcome<usize> {
        let offset = self.append(&mut bytes)?;
        let accessor = json!({
            "bufferView": 0, "byteOffset": offset, "componentType": component, "count": count, "type": kind,
        });
        Ok(self.push("accessors", accessor))
    }

    /// Appends vectors for some of `count` elements, with increasing indices, and returns their accessor. The other
    /// elements are 0. An error beyond [`MOST_BYTES`].
    pub fn sparse(&mut self, count: usize, vectors: &[(u32, Vec3)]) -> Outcome<usize> {
        let mut accessor = json!({ "componentType": FLOAT, "count": count, "type": "VEC3" });
        if !vectors.is_empty() {
            let indices = self.append(&mut vectors.iter().flat_map(|one| one.0.to_le_bytes()))?;
            let indices = json!({ "bufferView": 0, "byteOffset": indices, "componentType": UNSIGNED_INT });
            let values = &mut vectors.iter().flat_map(|one| one.1.to_array()).flat_map(f32::to_le_bytes);
            let values = json!({ "bufferView": 0, "byteOffset": self.append(values)? });
            accessor["sparse"] = json!({ "count": vectors.len(), "indices": indices, "values": values });
        }
        Ok(self.push("accessors", accessor))
    }

    fn append(&mut self, bytes: &mut dyn Iterator<Item = u8>) -> Outcome<usize> {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        if self.bytes.len() > MOST_BYTES {
            let problem =
                format!("the converted model needs more than {} MiB; export fewer meshes or clips", MOST_BYTES >> 20);
            return Err(Fault::new("", problem));
        }
        Ok(offset)
    }

    /// Sets the bounds of an accessor, which glTF requires of positions and times.
    pub fn bounds(&mut self, accessor: usize, min: &[f32], max: &[f32]) {
        self.root["accessors"][accessor]["min"] = json!(min);
        self.root["accessors"][accessor]["max"] = json!(max);
    }

    pub fn image(&mut self, name: &str, media_type: &str, bytes: Vec<u8>) -> usize {
        self.images.push(bytes);
        let view = self.images.len();
        self.push("images", json!({ "name": name, "mimeType": media_type, "bufferView": view }))
    }

    pub fn finish(mut self) -> Outcome<(Vec<u8>, Vec<String>)> {
        if self.bytes.is_empty() {
            self.bytes.resize(4, 0);
        }
        let mut views = vec![json!({ "buffer": 0, "byteOffset": 0, "byteLength": self.bytes.len() })];
        for image in std::mem::take(&mut self.images) {
            self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
            views.push(json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": image.len() }));
            self.bytes.extend(image);
        }
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.root["bufferViews"] = views.into();
        self.root["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
        let json = serde_json::to_vec(&self.root).map_err(|error| Fault::new("", error.to_string()))?;
        Ok((glb(json, self.bytes).map_err(|problem| Fault::new("", problem))?, self.notes.finish()))
    }
}

/// Returns the vector as floats; `None` if a number is not finite.
pub(super) fn vector(v: ufbx::Vec3) -> Option<[f32; 3]> {
    let v = [v.x as f32, v.y as f32, v.z as f32];
    v.iter().all(|number| number.is_finite()).then_some(v)
}

/// Returns the unit quaternion; `None` if its numbers are not finite or all zero.
pub(super) fn rotation(q: Quat) -> Option<[f32; 4]> {
    let q = DQuat::from_xyzw(q.x, q.y, q.z, q.w).normalize();
    q.is_finite().then(|| q.as_quat().normalize().to_array())
}

pub(super) fn matrix(m: &Matrix) -> DMat4 {
    DMat4::from_cols(
        DVec3::new(m.m00, m.m10, m.m20).extend(0.0),
        DVec3::new(m.m01, m.m11, m.m21).extend(0.0),
        DVec3::new(m.m02, m.m12, m.m22).extend(0.0),
        DVec3::new(m.m03, m.m13, m.m23).extend(1.0),
    )
}
