//! Rigs whose geometry is ambiguous about limbs or sides: Chinese, Japanese and Korean names decide as English ones do.

use kinescope_ik::rig::Role;
use serde_json::Value;

use crate::common::figure::*;

/// Names in one language: sides, parts of [`Figure`], and bones that are not limbs.
struct Words {
    language: &'static str,
    sides: [&'static str; 2],
    parts: &'static [(&'static str, &'static str)],
    /// Wing, skirt, tail of hair, weapon, sleeve, IK, twist.
    decoys: [&'static str; 7],
}

const WORDS: [Words; 5] = [
    Words {
        language: "english",
        sides: ["Left", "Right"],
        parts: &[
            ("hips", "Hips"),
            ("spine1", "Spine1"),
            ("spine2", "Spine2"),
            ("chest", "Chest"),
            ("neck", "Neck"),
            ("head", "Head"),
            ("thigh", "Thigh"),
            ("calf", "Calf"),
            ("foot", "Foot"),
            ("clavicle", "Clavicle"),
            ("upperarm", "UpperArm"),
            ("forearm", "Forearm"),
            ("hand", "Hand"),
        ],
        decoys: ["Wing", "Skirt", "Hair", "HandWeapon", "Sleeve", "FootIK", "UpperArmTwist"],
    },
    Words {
        language: "chinese, simplified",
        sides: ["左", "右"],
        parts: &[
            ("hips", "骨盆"),
            ("spine1", "脊柱1"),
            ("spine2", "脊柱2"),
            ("chest", "胸"),
            ("neck", "颈"),
            ("head", "头"),
            ("thigh", "大腿"),
            ("calf", "小腿"),
            ("foot", "脚"),
            ("clavicle", "锁骨"),
            ("upperarm", "上臂"),
            ("forearm", "前臂"),
            ("hand", "手"),
        ],
        decoys: ["翅膀", "裙子", "头发", "手武器", "袖子", "脚IK", "上臂扭转"],
    },
    Words {
        language: "chinese, traditional",
        sides: ["左", "右"],
        parts: &[
            ("hips", "骨盆"),
            ("spine1", "脊椎1"),
            ("spine2", "脊椎2"),
            ("chest", "胸"),
            ("neck", "頸"),
            ("head", "頭"),
            ("thigh", "大腿"),
            ("calf", "小腿"),
            ("foot", "腳"),
            ("clavicle", "鎖骨"),
            ("upperarm", "上臂"),
            ("forearm", "前臂"),
            ("hand", "手腕"),
        ],
        decoys: ["翅膀", "裙襬", "頭髮", "手腕武器", "袖", "腳IK", "上臂扭轉"],
    },
    Words {
        language: "japanese",
        sides: ["左", "右"],
        parts: &[
            ("hips", "センター"),
            ("spine1", "上半身"),
            ("spine2", "上半身2"),
            ("chest", "上半身3"),
            ("neck", "首"),
            ("head", "頭"),
            ("thigh", "足"),
            ("calf", "ひざ"),
            ("foot", "足首"),
            ("clavicle", "肩"),
            ("upperarm", "腕"),
            ("forearm", "ひじ"),
            ("hand", "手首"),
        ],
        decoys: ["羽腕", "スカート足", "髪", "手首武器", "腕袖", "足ＩＫ", "腕捩"],
    },
    Words {
        language: "korean",
        sides: ["왼쪽", "오른쪽"],
        parts: &[
            ("hips", "골반"),
            ("spine1", "척추1"),
            ("spine2", "척추2"),
            ("chest", "가슴"),
            ("neck", "목"),
            ("head", "머리"),
            ("thigh", "허벅지"),
            ("calf", "종아리"),
            ("foot", "발"),
            ("clavicle", "쇄골"),
            ("upperarm", "위팔"),
            ("forearm", "아래팔"),
            ("hand", "손"),
        ],
        decoys: ["날개", "치마", "머리카락", "손무기", "소매", "발IK", "위팔트위스트"],
    },
];
/// Keys of [`Words::decoys`], in order.
const DECOYS: [&str; 7] = ["wing", "skirt", "hair", "weapon", "sleeve", "ik", "twist"];

impl Words {
    fn name(&self, own: &str, swapped: bool) -> String {
        let (part, side) = match own.rsplit_once('_') {
            Some((part, "l")) => (part, self.sides[usize::from(swapped)]),
            Some((part, "r")) => (part, self.sides[usize::from(!swapped)]),
            _ => (own, ""),
        };
        let known = self.parts.iter().find(|(key, _)| *key == part).map(|(_, word)| (*word).to_owned());
        let decoy = || {
            let digits = part.trim_start_matches(char::is_alphabetic);
            let at = DECOYS.iter().position(|decoy| *decoy == &part[..part.len() - digits.len()])?;
            Some(format!("{}{digits}", self.decoys[at]))
        };
        format!("{side}{}", known.or_else(decoy).unwrap_or_else(|| part.to_owned()))
    }
}

/// Returns a figure with straight limbs that looks the same from the front and from behind.
fn without_front() -> Figure {
    let mut figure = Figure::new();
    let ends: Vec<String> = figure
        .bones
        .iter()
        .map(|bone| bone.0.clone())
        .filter(|name| ["toe", "thumb", "index", "middle", "ring"].iter().any(|part| name.starts_with(part)))
        .collect();
    figure = figure.remove(&ends.iter().rev().map(String::as_str).collect::<Vec<_>>());
    figure.bones.iter_mut().for_each(|bone| bone.2.z = 0.0);
    figure
}

/// Adds a chain of bones and its mirror image: `name1_l`, `name2_l`, …, `name1_r`, ….
fn chains(mut figure: Figure, name: &str, parent: &str, places: &[[f32; 3]]) -> Figure {
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        let mut above = match ["hips", "chest", "head", "root"].contains(&parent) {
            true => parent.to_owned(),
            false => format!("{parent}_{side}"),
        };
        for (index, place) in places.iter().enumerate() {
            let own = format!("{name}{}_{side}", index + 1);
            figure.add(&own, &above, [place[0] * x, place[1], place[2]]);
            above = own;
        }
    }
    figure
}

/// Returns figures whose geometry alone cannot tell front from back; most also have chains that look like limbs.
fn ambiguous() -> Vec<(&'static str, Figure)> {
    let arm = |up: f32| [[0.03, 1.4 + up, 0.0], [0.19, 1.42 + up, 0.0], [0.47, 1.42 + up, 0.0], [0.72, 1.42 + up, 0.0]];
    let leg = |out: f32| [[out, 0.96, 0.0], [out, 0.53, 0.0], [out, 0.08, 0.0]];
    vec![
        ("no front", without_front()),
        ("wings above the arms", chains(without_front(), "wing", "chest", &arm(0.06))),
        ("wings below the arms", chains(without_front(), "wing", "chest", &arm(-0.12))),
        ("a skirt outside the legs", chains(without_front(), "skirt", "hips", &leg(0.16))),
        ("a skirt inside the legs", chains(without_front(), "skirt", "hips", &leg(0.05))),
        (
            "tails of hair",
            chains(
                without_front(),
                "hair",
                "head",
                &[[0.1, 1.66, 0.0], [0.2, 1.4, 0.0], [0.24, 1.0, 0.0], [0.26, 0.6, 0.0]],
            ),
        ),
        ("weapons beyond the hands", chains(without_front(), "weapon", "hand", &[[0.97, 1.44, 0.0], [1.2, 1.44, 0.0]])),
        ("sleeves over the arms", chains(without_front(), "sleeve", "clavicle", &arm(0.03)[1..])),
        ("legs for IK", chains(without_front(), "ik", "root", &[[0.1, 0.9, 0.0], [0.1, 0.5, 0.0], [0.1, 0.09, 0.0]])),
        (
            "twist bones off the arm",
            chains(without_front(), "twist", "upperarm", &[[0.3, 1.4, 0.0], [0.45, 1.38, 0.0], [0.6, 1.36, 0.0]]),
        ),
    ]
}

fn renamed(truth: &mut Value, map: &dyn Fn(&str) -> String) {
    match truth {
        Value::String(name) => *name = map(name),
        Value::Array(list) => list.iter_mut().for_each(|value| renamed(value, map)),
        Value::Object(object) => object.values_mut().for_each(|value| renamed(value, map)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[test]
fn names_decide_where_the_shape_does_not() {
    let mut wrong = Vec::new();
    for words in &WORDS {
        for (label, figure) in ambiguous() {
            for swapped in [false, true] {
                let name = |own: &str| words.name(own, swapped);
                let model = figure.clone().mapped(name).model();
                let mut truth = figure_truth();
                // The bones named left count as left, also if the names are swapped.
                renamed(&mut truth, &name);
                if swapped {
                    let truth = truth.as_object_mut().unwrap();
                    let (left, right) = (truth["left"].clone(), truth["right"].clone());
                    truth.insert("left".to_owned(), right);
                    truth.insert("right".to_owned(), left);
                }
                let detection = doctor(&model);
                let found = misses(&model, &detection, &truth);
                let label = format!("{}, {label}, swapped {swapped}", words.language);
                wrong.extend(found.into_iter().map(|miss| format!("{label}: {miss}")));
                let against = detection.problems.iter().filter(|problem| problem.contains("names contradict the body"));
                wrong.extend(against.map(|problem| format!("{label}: {problem}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{} faults\n{}", wrong.len(), wrong.join("\n"));
}

/// Every figure without names is detected wrongly, or its front is a guess.
#[test]
fn without_names_the_shape_leaves_it_open() {
    let guessed = ambiguous().into_iter().filter(|(_, figure)| {
        let mut json = figure.json();
        strip_names(&mut json);
        let model = import_json(&json).unwrap();
        let mut truth = figure_truth();
        renamed(&mut truth, &|name| format!("node {}", figure.index(name)));
        let detection = doctor(&model);
        let is_guess = detection.problems.iter().any(|problem| problem.contains("front and back look the same"));
        is_guess || !misses(&model, &detection, &truth).is_empty()
    });
    assert_eq!(guessed.count(), ambiguous().len());
}

#[test]
fn attachments_of_a_limb_are_not_its_joints() {
    for words in &WORDS {
        let mut figure = without_front();
        for (side, x) in [("l", 1.0), ("r", -1.0)] {
            // A sleeve at the elbow, as its sibling, and a weapon at the hand, as its child.
            figure.add(&format!("sleeve1_{side}"), &format!("upperarm_{side}"), [0.46 * x, 1.44, 0.0]);
            figure.add(&format!("weapon1_{side}"), &format!("hand_{side}"), [0.71 * x, 1.44, 0.0]);
        }
        let figure = figure.mapped(|own| words.name(own, false));
        let model = figure.model();
        let mut truth = figure_truth();
        renamed(&mut truth, &|own| words.name(own, false));
        let detection = doctor(&model);
        assert!(
            misses(&model, &detection, &truth).is_empty(),
            "{}: {:?}",
            words.language,
            misses(&model, &detection, &truth)
        );
        assert_eq!(bone_names(&model, &detection, Role::LeftHand), [words.name("hand_l", false)]);
    }
}
