//! Characters made from a list of positions, and comparison of a detected biped with a ground truth.

use std::path::Path;

use glam::Vec3;
use kinescope_ik::rig::{Detection, Mapping, Model, ReferenceChoice, Role, detect, import};
use serde_json::{Value, json};

pub fn import_bytes(name: &str, bytes: &[u8], folder: &Path) -> Result<Model, String> {
    let mut read = |uri: &str| std::fs::read(folder.join(uri)).map_err(|error| error.to_string());
    import(name, bytes, &mut read).map_err(|error| {
        let line = error.to_string();
        assert!(!line.contains('\n') && line.starts_with(name), "{line}");
        line
    })
}

/// Returns the name that Mixamo gives a bone of [`Figure::new`]. `side` is `l`, `r` or empty. Other parts, such as
/// fingers, keep their name after the prefix and the side.
pub fn mixamo(part: &str, side: &str) -> String {
    let side = match side {
        "l" => "Left",
        "r" => "Right",
        _ => "",
    };
    let part = match part {
        "hips" => "Hips",
        "spine1" => "Spine",
        "spine2" => "Spine1",
        "chest" => "Spine2",
        "neck" => "Neck",
        "head" => "Head",
        "thigh" => "UpLeg",
        "calf" => "Leg",
        "foot" => "Foot",
        "toe" => "ToeBase",
        "clavicle" => "Shoulder",
        "upperarm" => "Arm",
        "forearm" => "ForeArm",
        "hand" => "Hand",
        other => other,
    };
    format!("mixamorig:{side}{part}")
}

pub fn doctor(model: &Model) -> Detection {
    detect(model, &Mapping::default(), ReferenceChoice::Auto)
}

pub fn bone_names(model: &Model, detection: &Detection, role: Role) -> Vec<String> {
    let finding = detection.roles.iter().find(|finding| finding.role == role).unwrap();
    finding.bones.iter().map(|&bone| model.skeleton.bones()[bone].name.clone()).collect()
}

/// Returns every list of bone names that the ground truth accepts for a role.
pub fn expected(truth: &Value, role: Role) -> Vec<Vec<String>> {
    let key = role.key();
    let value = match key.split_once('_') {
        Some((side @ ("left" | "right"), part)) => &truth[side][part],
        _ => &truth[key],
    };
    let list = |value: &Value| -> Vec<String> {
        match value {
            Value::Array(list) => list.iter().map(|name| name.as_str().unwrap().to_owned()).collect(),
            Value::String(name) => vec![name.clone()],
            _ => Vec::new(),
        }
    };
    let mut all = vec![list(value)];
    let nested = key.replacen('_', "/", 1);
    for also in [key, &nested] {
        let also = truth.pointer(&format!("/accept/{also}")).and_then(Value::as_array);
        all.extend(also.into_iter().flatten().map(list));
    }
    all
}

/// Returns a message for each role whose bones differ from the ground truth, and for a missing biped.
pub fn misses(model: &Model, detection: &Detection, truth: &Value) -> Vec<String> {
    let mut misses = Vec::new();
    for role in Role::ALL {
        let (got, want) = (bone_names(model, detection, role), expected(truth, role));
        if !want.contains(&got) {
            misses.push(format!("{}: {got:?}, not {want:?}", role.key()));
        }
    }
    if detection.biped.is_none() {
        misses.push(format!("no biped: {:?}", detection.problems));
    }
    misses
}

pub fn glb(json: &Value, binary: &[u8]) -> Vec<u8> {
    let mut text = serde_json::to_vec(json).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut out = b"glTF".to_vec();
    let chunk = if binary.is_empty() { 0 } else { 8 + binary.len() };
    out.extend(2u32.to_le_bytes());
    out.extend(((20 + text.len() + chunk) as u32).to_le_bytes());
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(b"JSON");
    out.extend(&text);
    if !binary.is_empty() {
        out.extend((binary.len() as u32).to_le_bytes());
        out.extend(b"BIN\0");
        out.extend(binary);
    }
    out
}

pub fn strip_names(json: &mut Value) {
    for node in json["nodes"].as_array_mut().unwrap() {
        node.as_object_mut().unwrap().remove("name");
    }
}

/// A skeleton given by model-space positions. The test chooses the naming convention.
#[derive(Clone)]
pub struct Figure {
    pub bones: Vec<(String, Option<usize>, Vec3)>,
}

impl Figure {
    pub fn new() -> Self {
        let mut figure = Self { bones: Vec::new() };
        figure.add("root", "", [0.0, 0.0, 0.0]);
        figure.add("hips", "root", [0.0, 1.0, 0.0]);
        figure.add("spine1", "hips", [0.0, 1.1, -0.01]);
        figure.add("spine2", "spine1", [0.0, 1.22, -0.02]);
        figure.add("chest", "spine2", [0.0, 1.34, -0.01]);
        figure.add("neck", "chest", [0.0, 1.5, 0.0]);
        figure.add("head", "neck", [0.0, 1.6, 0.02]);
        for (side, x) in [("l", 1.0f32), ("r", -1.0)] {
            let mut add = |name: &str, parent: &str, [px, y, z]: [f32; 3]| {
                let parent =
                    if ["hips", "chest"].contains(&parent) { parent.to_owned() } else { format!("{parent}_{side}") };
                figure.add(&format!("{name}_{side}"), &parent, [px * x, y, z]);
            };
            add("thigh", "hips", [0.1, 0.95, 0.0]);
            add("calf", "thigh", [0.1, 0.52, 0.03]);
            add("foot", "calf", [0.1, 0.09, -0.02]);
            add("toe", "foot", [0.1, 0.02, 0.12]);
            add("clavicle", "chest", [0.03, 1.44, 0.0]);
            add("upperarm", "clavicle", [0.18, 1.45, 0.0]);
            add("forearm", "upperarm", [0.46, 1.44, -0.03]);
            add("hand", "forearm", [0.71, 1.44, 0.0]);
            for (finger, z) in [("thumb", 0.04), ("index", 0.02), ("middle", 0.0), ("ring", -0.02)] {
                add(finger, "hand", [0.79, 1.43, z]);
                add(&format!("{finger}_end"), finger, [0.83, 1.42, z]);
            }
        }
        figure
    }

    pub fn index(&self, name: &str) -> usize {
        self.bones.iter().position(|bone| bone.0 == name).unwrap_or_else(|| panic!("{name}"))
    }

    pub fn add(&mut self, name: &str, parent: &str, position: [f32; 3]) {
        let parent = (!parent.is_empty()).then(|| self.index(parent));
        self.bones.push((name.to_owned(), parent, position.into()));
    }

    pub fn extent(&self) -> f32 {
        let places = || self.bones.iter().map(|bone| bone.2);
        let (low, high) = (places().reduce(Vec3::min), places().reduce(Vec3::max));
        high.zip(low).map_or(0.0, |(high, low)| (high - low).max_element())
    }

    pub fn hang(mut self, bone: &str, parent: &str) -> Self {
        let (bone, parent) = (self.index(bone), self.index(parent));
        self.bones[bone].1 = Some(parent);
        self
    }

    /// Inserts a bone between `bone` and its parent, at the fraction `t` from the parent.
    pub fn between(mut self, name: &str, bone: &str, t: f32) -> Self {
        let bone = self.index(bone);
        let parent = self.bones[bone].1.unwrap();
        let position = self.bones[parent].2.lerp(self.bones[bone].2, t);
        self.bones.push((name.to_owned(), Some(parent), position));
        self.bones[bone].1 = Some(self.bones.len() - 1);
        self
    }

    pub fn remove(mut self, names: &[&str]) -> Self {
        for name in names {
            let at = self.index(name);
            let parent = self.bones[at].1;
            self.bones.iter_mut().filter(|bone| bone.1 == Some(at)).for_each(|bone| bone.1 = parent);
            self.bones.remove(at);
            let fix = |parent: &mut usize| *parent -= usize::from(*parent > at);
            self.bones.iter_mut().for_each(|bone| bone.1.iter_mut().for_each(fix));
        }
        self
    }

    /// Returns a figure in mid-step: one knee up and bent, arms swung.
    pub fn step() -> Self {
        Self::new()
            .place("calf_l", [0.1, 0.6, 0.25])
            .place("foot_l", [0.1, 0.3, -0.05])
            .place("toe_l", [0.1, 0.2, 0.05])
            .place("forearm_l", [0.2, 1.2, 0.15])
            .place("hand_l", [0.2, 1.1, 0.35])
            .place("forearm_r", [-0.2, 1.2, -0.15])
            .place("hand_r", [-0.2, 0.98, -0.05])
    }

    pub fn place(mut self, bone: &str, position: [f32; 3]) -> Self {
        let bone = self.index(bone);
        self.bones[bone].2 = position.into();
        self
    }

    pub fn mapped(mut self, map: impl Fn(&str) -> String) -> Self {
        self.bones.iter_mut().for_each(|bone| bone.0 = map(&bone.0));
        self
    }

    pub fn json(&self) -> Value {
        let nodes: Vec<Value> = (0..self.bones.len())
            .map(|index| {
                let (name, parent, position) = &self.bones[index];
                let offset = *position - parent.map_or(Vec3::ZERO, |parent| self.bones[parent].2);
                let children: Vec<usize> =
                    (0..self.bones.len()).filter(|&child| self.bones[child].1 == Some(index)).collect();
                let mut node = json!({"name": name, "translation": offset.to_array()});
                if !children.is_empty() {
                    node["children"] = json!(children);
                }
                node
            })
            .collect();
        let roots: Vec<usize> = (0..self.bones.len()).filter(|&bone| self.bones[bone].1.is_none()).collect();
        json!({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": roots}], "nodes": nodes})
    }

    pub fn model(&self) -> Model {
        import_json(&self.json()).unwrap()
    }

    /// Returns [`Self::model`] with a skin whose bind pose is `bind`.
    pub fn bound(&self, bind: &Figure) -> Model {
        let mut json = self.json();
        let joints: Vec<usize> = (0..self.bones.len()).collect();
        let mut binary = Vec::new();
        for bone in &bind.bones {
            let matrix = glam::Mat4::from_translation(-bone.2);
            binary.extend(matrix.to_cols_array().iter().flat_map(|value| value.to_le_bytes()));
        }
        json["skins"] = json!([{"joints": joints, "inverseBindMatrices": 0}]);
        json["buffers"] = json!([{"byteLength": binary.len()}]);
        json["bufferViews"] = json!([{"buffer": 0, "byteLength": binary.len()}]);
        json["accessors"] = json!([{"bufferView": 0, "count": joints.len(), "componentType": 5126, "type": "MAT4"}]);
        import_bytes("bound.glb", &glb(&json, &binary), Path::new("/nowhere")).unwrap()
    }
}

pub fn import_json(json: &Value) -> Result<Model, String> {
    import_bytes("made.gltf", &serde_json::to_vec(json).unwrap(), Path::new("/nowhere"))
}

pub fn figure_truth() -> Value {
    let side = |s: &str| {
        json!({"clavicle": format!("clavicle_{s}"), "upper_arm": format!("upperarm_{s}"), "forearm": format!("forearm_{s}"),
               "hand": format!("hand_{s}"), "thigh": format!("thigh_{s}"), "calf": format!("calf_{s}"), "foot": format!("foot_{s}")})
    };
    json!({"pelvis": "hips", "spine": ["spine1", "spine2", "chest"], "head": "head", "left": side("l"), "right": side("r")})
}

/// Returns false for the two sample models, known by name, that are toy figures with short limbs and large heads.
pub fn has_human_proportions(model: &Model) -> bool {
    !["KayKit_Barbarian.glb", "RobotExpressive.glb"].contains(&model.name.as_str())
}

/// Returns whether a character is detected as `ground_truth.json` in its folder says. If not, prints the differences.
pub fn is_as_in_ground_truth(folder: &Path, model: &Model, detection: &Detection) -> bool {
    let truth = std::fs::read_to_string(folder.join("ground_truth.json")).unwrap();
    let truth: Value = serde_json::from_str(&truth).unwrap();
    let misses = misses(model, detection, &truth[&model.name]);
    if !misses.is_empty() {
        println!("skipped: {}: {}", model.name, misses.join("; "));
    }
    misses.is_empty()
}
