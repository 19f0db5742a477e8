//! Characters of the kinds that real files have, written as tables of bones.

use glam::Quat;
use serde_json::{Value, json};

use crate::common::figure::*;
use crate::common::skinned::Skinned;

/// A character, and the bone that a person would name for each role.
#[derive(Clone)]
pub struct Kind {
    pub label: String,
    pub skinned: Skinned,
    pub truth: Value,
    /// The names of each left bone and its right counterpart.
    pairs: Vec<(String, String)>,
}

/// The names of a character's bones: its own, none, or its own with left and right swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    Own,
    Stripped,
    Swapped,
}

/// The names of clavicle, upper arm, forearm, hand, thigh, calf and foot. `*` is the side, `-` a missing bone.
type Sides = [&'static str; 7];

impl Kind {
    /// Reads a table with one bone per line: name, parent, x, y, z. `*` in a name is the side: such a line is a left
    /// bone, and the right one is its mirror image. `-` is no parent. `~` behind a line: the bone moves no vertex; `!`:
    /// it is not in the skin.
    pub fn new(
        label: &str,
        sides: [&str; 2],
        table: &str,
        (pelvis, spine, head): (&str, &[&str], &str),
        parts: Sides,
    ) -> Self {
        let mut figure = Figure { bones: Vec::new() };
        let (mut weightless, mut unskinned, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
        for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let number = |at: usize| words[at].parse::<f32>().unwrap_or_else(|_| panic!("{line}"));
            let place = [number(2), number(3), number(4)];
            let parent = if words[1] == "-" { "" } else { words[1] };
            let is_paired = words[0].contains('*');
            for (side, sign) in sides.into_iter().zip([1.0, -1.0]).take(if is_paired { 2 } else { 1 }) {
                let name = words[0].replace('*', side);
                figure.add(&name, &parent.replace('*', side), [place[0] * sign, place[1], place[2]]);
                match words.get(5) {
                    Some(&"~") => weightless.push(name),
                    Some(&"!") => unskinned.push(name),
                    Some(other) => panic!("{other} in {line}"),
                    None => {}
                }
            }
            if is_paired {
                pairs.push((words[0].replace('*', sides[0]), words[0].replace('*', sides[1])));
            }
        }
        let side = |side: &str| {
            let names = ["clavicle", "upper_arm", "forearm", "hand", "thigh", "calf", "foot"].into_iter().zip(parts);
            let part = |(key, name): (&str, &str)| {
                (key.to_owned(), if name == "-" { Value::Null } else { json!(name.replace('*', side)) })
            };
            Value::Object(names.map(part).collect())
        };
        let truth =
            json!({"pelvis": pelvis, "spine": spine, "head": head, "left": side(sides[0]), "right": side(sides[1])});
        let mut skinned = Skinned::new(figure);
        (skinned.weightless, skinned.unskinned) = (weightless, unskinned);
        Self { label: label.to_owned(), skinned, truth, pairs }
    }

    /// Sets bones that also count as correct, by the roles' keys in `inspect --json`.
    pub fn accept(mut self, accept: Value) -> Self {
        self.truth["accept"] = accept;
        self
    }

    pub fn called(mut self, label: &str) -> Self {
        self.label = format!("{}, {label}", self.label);
        self
    }

    fn each(mut self, change: impl Fn(&mut Figure)) -> Self {
        change(&mut self.skinned.rest);
        change(&mut self.skinned.bind);
        self
    }

    pub fn scaled(self, scale: f32) -> Self {
        let made = self.each(|figure| figure.bones.iter_mut().for_each(|bone| bone.2 *= scale));
        made.called(&format!("{scale} times as large"))
    }

    /// Lowers the arms by an angle in degrees.
    pub fn a_pose(self, degrees: f32) -> Self {
        let arms = ["left", "right"].map(|side| self.truth[side]["upper_arm"].as_str().unwrap().to_owned());
        let made = self.each(|figure| {
            for (arm, sign) in arms.iter().zip([-1.0, 1.0]) {
                let arm = figure.index(arm);
                let centre = figure.bones[arm].2;
                let turn = Quat::from_rotation_z((degrees * sign).to_radians());
                for bone in 0..figure.bones.len() {
                    if std::iter::successors(Some(bone), |&bone| figure.bones[bone].1).any(|above| above == arm) {
                        figure.bones[bone].2 = centre + turn * (figure.bones[bone].2 - centre);
                    }
                }
            }
        });
        made.called(&format!("arms {degrees}° down"))
    }

    pub fn renamed(mut self, label: &str, map: impl Fn(&str) -> String) -> Self {
        rename(&mut self.truth, &map);
        for (a, b) in &mut self.pairs {
            (*a, *b) = (map(a), map(b));
        }
        for name in self.skinned.weightless.iter_mut().chain(&mut self.skinned.unskinned) {
            *name = map(name);
        }
        self.each(|figure| figure.bones.iter_mut().for_each(|bone| bone.0 = map(&bone.0))).called(label)
    }

    /// Returns the character with other names, and its truth under these names.
    pub fn with(&self, names: Names) -> (Skinned, Value) {
        let mut made = self.clone();
        if names == Names::Swapped {
            let pairs = made.pairs.clone();
            made = made.renamed("", |name| {
                let other = pairs.iter().find_map(|(a, b)| match () {
                    () if a == name => Some(b),
                    () if b == name => Some(a),
                    () => None,
                });
                other.map_or(name, |other| other).to_owned()
            });
        }
        made.skinned.nameless = names == Names::Stripped;
        let truth = made.skinned.truth(&made.truth);
        (made.skinned, truth)
    }

    pub fn variants(self) -> Vec<Self> {
        let numbered = |name: &str| {
            let number: u32 = name.bytes().map(u32::from).sum();
            format!("{name}_{:03}", number % 200)
        };
        vec![
            self.clone().a_pose(45.0),
            self.clone().scaled(100.0).renamed("prefixed", |name| format!("hero:{name}")),
            self.clone().scaled(0.01).a_pose(20.0).renamed("numbered", numbered),
            self,
        ]
    }
}

/// Replaces every string value in JSON by its image under `map`; names of fields stay.
pub fn rename(value: &mut Value, map: &impl Fn(&str) -> String) {
    match value {
        Value::String(name) => *name = map(name),
        Value::Array(list) => list.iter_mut().for_each(|value| rename(value, map)),
        Value::Object(map_of) => map_of.values_mut().for_each(|value| rename(value, map)),
        _ => {}
    }
}

/// Returns the character of [`Figure::new`] with bones renamed by `map`, which takes the part and the side: `l`, `r` or
/// empty.
pub fn human(label: &str, map: impl Fn(&str, &str) -> String) -> Kind {
    let figure = Figure::new();
    let split = |name: &str| -> (String, String) {
        match name.rsplit_once('_') {
            Some((part, side @ ("l" | "r"))) => (part.to_owned(), side.to_owned()),
            _ => (name.to_owned(), String::new()),
        }
    };
    let pairs = figure
        .bones
        .iter()
        .filter_map(|bone| bone.0.strip_suffix("_l").map(|part| (bone.0.clone(), format!("{part}_r"))));
    let pairs = pairs.collect();
    let kind = Kind { label: label.to_owned(), skinned: Skinned::new(figure), truth: figure_truth(), pairs };
    let mut kind = kind.renamed("", |name| {
        let (part, side) = split(name);
        map(&part, &side)
    });
    kind.label = label.to_owned();
    kind
}
