//! Reads and builds .glb files, checks their structure, and runs Khronos' validator.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

pub struct Glb {
    pub root: Value,
    pub bytes: Vec<u8>,
}

impl Glb {
    pub fn read(file: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&file[..4], word(4), word(8)), (&b"glTF"[..], 2, file.len()));
        assert_eq!((word(12) % 4, word(16)), (0, 0x4E4F_534A), "the first chunk is JSON");
        let begin = 20 + word(12);
        let root = serde_json::from_slice(&file[20..begin]).unwrap();
        let bytes = file.get(begin + 8..).unwrap_or(&[]);
        assert!(begin == file.len() || (word(begin), word(begin + 4)) == (bytes.len(), 0x004E_4942), "then BIN, whole");
        Self { root, bytes: bytes.to_vec() }
    }

    pub fn write(&self) -> Vec<u8> {
        let mut root = self.root.clone();
        root["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
        let mut text = root.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut bytes = self.bytes.clone();
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let mut file = b"glTF".to_vec();
        for number in [2, 28 + text.len() + bytes.len(), text.len(), 0x4E4F_534A] {
            file.extend((number as u32).to_le_bytes());
        }
        file.extend(text);
        for number in [bytes.len(), 0x004E_4942] {
            file.extend((number as u32).to_le_bytes());
        }
        file.extend(bytes);
        file
    }

    /// Returns the offset of an accessor's first value in the buffer. Panics if the accessor has no buffer view.
    pub fn place(&self, accessor: &Value) -> usize {
        let accessor = &self.root["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &self.root["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let offset = |value: &Value| value["byteOffset"].as_u64().unwrap_or(0) as usize;
        offset(accessor) + offset(view)
    }

    /// Returns the numbers of a float accessor of type SCALAR, VEC3, VEC4 or MAT4 with a buffer view, which must be
    /// tightly packed; empty for any other accessor.
    pub fn floats(&self, accessor: &Value) -> Vec<f32> {
        let own = &self.root["accessors"][accessor.as_u64().unwrap() as usize];
        let width = match own["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            _ => return Vec::new(),
        };
        if own["componentType"] != 5126 || own["bufferView"].is_null() {
            return Vec::new();
        }
        let (at, count) = (self.place(accessor), own["count"].as_u64().unwrap() as usize);
        let bytes = &self.bytes[at..at + count * width * 4];
        bytes.chunks(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect()
    }

    pub fn view(&mut self, bytes: impl IntoIterator<Item = u8>) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        let view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": self.bytes.len() - offset });
        self.push("/bufferViews", view)
    }

    pub fn accessor(&mut self, kind: &str, count: usize, values: &[f32]) -> usize {
        let view = self.view(values.iter().flat_map(|value| value.to_le_bytes()));
        self.push("/accessors", json!({ "bufferView": view, "componentType": 5126, "count": count, "type": kind }))
    }

    pub fn push(&mut self, list: &str, value: Value) -> usize {
        let list = self.root.pointer_mut(list).unwrap().as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    }

    pub fn list(&self, name: &str) -> &[Value] {
        self.root[name].as_array().map_or(&[], Vec::as_slice)
    }
}

/// Asserts that rounding caused no fault that strict readers refuse: rotations of nodes, and of keys other than those
/// of cubic splines, that are not unit or have a component beyond ±1, and inverse bind matrices that are not affine.
pub fn is_sound(file: &[u8]) {
    let glb = Glb::read(file);
    let is_unit = |rotation: &[f32], place: &str| {
        assert!(rotation.iter().all(|part| part.abs() <= 1.0), "{place}: {rotation:?}");
        let length = rotation.iter().map(|part| part * part).sum::<f32>().sqrt();
        assert!((length - 1.0).abs() < 2e-4, "{place}: {rotation:?}");
    };
    for (at, node) in glb.list("nodes").iter().enumerate().filter(|(_, node)| !node["rotation"].is_null()) {
        let parts: Vec<f64> = node["rotation"].as_array().unwrap().iter().map(|part| part.as_f64().unwrap()).collect();
        assert!(parts.iter().all(|part| part.abs() <= 1.0), "node {at}: {parts:?}");
        is_unit(&parts.iter().map(|&part| part as f32).collect::<Vec<_>>(), &format!("node {at}"));
    }
    for skin in glb.list("skins") {
        for matrix in glb.floats(&skin["inverseBindMatrices"]).chunks(16) {
            assert_eq!([3, 7, 11, 15].map(|at| matrix[at]), [0.0, 0.0, 0.0, 1.0]);
        }
    }
    for animation in glb.list("animations") {
        for channel in animation["channels"].as_array().unwrap() {
            let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
            if channel["target"]["path"] == "rotation" && sampler["interpolation"] != "CUBICSPLINE" {
                glb.floats(&sampler["output"]).chunks(4).for_each(|rotation| is_unit(rotation, "a key"));
            }
        }
    }
}

/// Asserts that files are sound ([`is_sound`]) and have no errors in Khronos' validator. A validator that is not
/// installed is skipped with a message; with `KINESCOPE_CI` set, that is a failure.
pub fn is_valid(files: &[impl AsRef<Path>]) {
    files.iter().for_each(|file| is_sound(&std::fs::read(file).unwrap()));
    let folder = super::places::root().join("tests/gltf");
    let output = folder
        .join("node_modules/gltf-validator")
        .is_dir()
        .then(|| Command::new("node").arg(folder.join("validate.mjs")).args(files.iter().map(AsRef::as_ref)).output());
    let Some(Ok(output)) = output else {
        assert!(std::env::var_os("KINESCOPE_CI").is_none(), "no glTF validator: npm ci --prefix tests/gltf");
        println!("skipped: no glTF validator, `npm ci --prefix tests/gltf` installs it");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let reports: Value = serde_json::from_slice(&output.stdout).unwrap();
    let reports = reports.as_array().unwrap();
    assert_eq!(reports.len(), files.len());
    for report in reports {
        println!("{}: {} errors, {} warnings", report["file"], report["errors"], report["warnings"]);
    }
    let wrong: Vec<&Value> = reports.iter().filter(|report| report["errors"] != 0).collect();
    assert!(wrong.is_empty(), "{}", serde_json::to_string_pretty(&wrong).unwrap());
}
