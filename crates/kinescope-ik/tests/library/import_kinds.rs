//! Characters with the peculiarities of real files, built from numbers: other units and axes in the bind pose, feet and
//! hands on helpers, joints of zero length, thumbs that look like hands, a third bone in the leg.

use glam::{DQuat, Quat, Vec3};
use kinescope_ik::full_body::{Effector, FullBody, Settings};
use kinescope_ik::rig::{
    Bone, Detection, LimbName, LocalTransform, Mapping, Model, ModelPose, ReferenceChoice, ReferenceKind, Role,
    Skeleton, detect,
};
use serde_json::{Value, json};

use crate::common::figure::*;
use crate::common::skinned::{Made, Skinned, space, turned, walking};
use crate::common::{processor_time, quickest};

/// Runs all checks of a character and adds the failures to `wrong`.
struct Check<'a> {
    label: String,
    wrong: &'a mut Vec<String>,
}

impl Check<'_> {
    fn say(&mut self, what: impl std::fmt::Display) {
        self.wrong.push(format!("{}: {what}", self.label));
    }

    fn run(&mut self, skinned: &Skinned, truth: &Value) -> (Model, Detection) {
        let Made { model, heights, .. } = skinned.make();
        let detection = doctor(&model);
        println!("{}: {:?} {:?}", self.label, detection.problems, model.notes);
        for miss in misses(&model, &detection, &skinned.truth(truth)) {
            self.say(miss);
        }
        if detection.biped.is_none() {
            return (model, detection);
        }
        let is_bind = detection.reference_kind == ReferenceKind::Bind;
        let (height, figure) = if is_bind { (heights[1], &skinned.bind) } else { (heights[0], &skinned.rest) };
        if (detection.height / height - 1.0).abs() > 0.02 {
            self.say(format!("height {} not {height}", detection.height));
        }
        if detection.facing.dot(Vec3::Z) < 0.95 || detection.up != Vec3::Y {
            self.say(format!("facing {} up {}", detection.facing, detection.up));
        }
        for (role, bone) in detection.roles.iter().flat_map(|found| found.bones.iter().map(|&bone| (found.role, bone)))
        {
            let name = &model.skeleton.bones()[bone].name;
            let index = match name.strip_prefix("node ").filter(|_| skinned.nameless) {
                Some(index) => skinned.sorted().rest.bones[index.parse::<usize>().unwrap()].0.clone(),
                None => name.clone(),
            };
            let expected = figure.bones[figure.index(&index)].2;
            let off = detection.reference.position(bone).distance(expected);
            if off > height * 0.01 {
                self.say(format!("{} of the reference pose is {} of the height off", role.key(), off / height));
            }
        }
        self.solve(&model, &detection, height);
        (model, detection)
    }

    fn solve(&mut self, model: &Model, detection: &Detection, height: f32) {
        let biped = detection.biped.as_ref().unwrap();
        let skeleton = &model.skeleton;
        let solver = match FullBody::new(skeleton, biped, &detection.reference.bones) {
            Ok(solver) => solver,
            Err(error) => return self.say(error),
        };
        let mut workspace = solver.workspace();
        let local = skeleton.rest_pose();
        let animated = ModelPose::from_local(skeleton, &local);
        let mut solved = animated.clone();
        solver.solve(&mut workspace, &Settings::default(), &mut solved.bones).unwrap();
        self.same("solved without targets", skeleton, &animated, &solved, height);
        let back = ModelPose::from_local(skeleton, &solved.to_local(skeleton, &local));
        self.same("written and read again", skeleton, &solved, &back, height);

        for limb in LimbName::ALL {
            let bones = biped.limb(limb).bones;
            let places = bones.map(|bone| animated.position(bone));
            let length = places[0].distance(places[1]) + places[1].distance(places[2]);
            let target = places[0].lerp(places[2], 0.8) + Vec3::new(0.05, 0.03, 0.12) * length;
            let mut settings = Settings::default();
            let effector = settings.effector_mut(Effector::END[limb.index()]);
            effector.position = Some(target);
            effector.position_weight = 1.0;
            let mut solved = animated.clone();
            solver.solve(&mut workspace, &settings, &mut solved.bones).unwrap();
            let off = solved.position(bones[2]).distance(target) / length;
            if off > 0.01 {
                self.say(format!("the {} misses its target by {off} of its length", limb.label()));
            }
            let again = ModelPose::from_local(skeleton, &solved.to_local(skeleton, &local));
            self.same(&format!("{} written and read again", limb.label()), skeleton, &solved, &again, height);
            for (a, b) in [(0, 1), (1, 2)] {
                let (before, after) =
                    (places[a].distance(places[b]), solved.position(bones[a]).distance(solved.position(bones[b])));
                if (before - after).abs() > length * 1e-3 {
                    self.say(format!("a bone of the {} changed from {before} to {after}", limb.label()));
                }
            }
        }
    }

    fn same(&mut self, what: &str, skeleton: &Skeleton, a: &ModelPose, b: &ModelPose, height: f32) {
        let worst = (0..skeleton.len())
            .map(|bone| {
                let turn = a.bones[bone].rotation.as_dquat().conjugate() * b.bones[bone].rotation.as_dquat();
                let degrees = 2.0 * turn.xyz().length().min(1.0).asin().to_degrees();
                (bone, a.position(bone).distance(b.position(bone)) / height, degrees)
            })
            .max_by(|x, y| (f64::from(x.1) * 100.0 + x.2).total_cmp(&(f64::from(y.1) * 100.0 + y.2)));
        if let Some((bone, off, degrees)) = worst.filter(|&(_, off, degrees)| off > 2e-4 || degrees > 0.05) {
            self.say(format!(
                "{what}: {:?} is {off} of the height off and turned by {degrees}°",
                skeleton.bones()[bone].name
            ));
        }
    }
}

fn check(label: impl Into<String>, skinned: &Skinned, truth: &Value, wrong: &mut Vec<String>) -> (Model, Detection) {
    Check { label: label.into(), wrong }.run(skinned, truth)
}

#[test]
fn bound_in_other_units_and_axes() {
    let mut wrong = Vec::new();
    let truth = figure_truth();
    let spaces = [
        ("as they are", space(1.0, DQuat::IDENTITY)),
        ("×100, Z up", space(100.0, turned(90.0, 0.0, 0.0))),
        ("×100, Y up", space(100.0, DQuat::IDENTITY)),
        ("×0.01, Z up", space(0.01, turned(90.0, 0.0, 0.0))),
        ("Z up, facing X", space(1.0, turned(90.0, 0.0, 90.0))),
        ("×100, X up", space(100.0, turned(0.0, 0.0, -90.0))),
    ];
    let wraps = [
        ("no node above", None),
        ("a node above ×100, −90°", Some(space(100.0, turned(-90.0, 0.0, 0.0)))),
        ("a node above ×0.01", Some(space(0.01, DQuat::IDENTITY))),
    ];
    for (space_label, space) in spaces {
        for (wrap_label, wrap) in wraps {
            for (uneven, rigid_bind) in [(false, false), (true, false), (true, true)] {
                for (blank, nameless) in [(false, false), (true, false), (false, true), (true, true)] {
                    for (pose, rest, bind) in [
                        ("one pose", Figure::new(), Figure::new()),
                        ("a step at rest", walking(), Figure::new()),
                        ("bound in a step", Figure::new(), walking()),
                    ] {
                        let mut skinned = Skinned::new(rest);
                        skinned.bind = bind;
                        (skinned.space, skinned.wrap) = (space, wrap);
                        (skinned.uneven, skinned.rigid_bind) = (uneven, rigid_bind);
                        (skinned.blank, skinned.nameless) = (blank, nameless);
                        if blank {
                            skinned.weightless = vec!["root".to_owned()];
                            skinned.unskinned.clear();
                        }
                        let label = format!(
                            "{space_label}, {wrap_label}, uneven {uneven}, rigid {rigid_bind}, blank {blank}, nameless {nameless}, {pose}"
                        );
                        check(label, &skinned, &truth, &mut wrong);
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} faults\n{}", wrong.len(), wrong.join("\n"));
}

/// If stored pose and bind pose differ in position or heading, the file does not say where the bind pose stands. The
/// reference pose must have the height of the bind pose and be upright.
#[test]
fn bound_elsewhere_than_the_stored_pose_stands() {
    let mut wrong = Vec::new();
    for (label, space) in
        [("×100, Z up", space(100.0, turned(90.0, 0.0, 0.0))), ("×0.01, X up", space(0.01, turned(0.0, 0.0, -90.0)))]
    {
        for degrees in [0.0f32, 25.0, -40.0] {
            let mut rest = walking();
            let turn = Quat::from_rotation_y(degrees.to_radians()) * Quat::from_rotation_x(0.1);
            rest.bones.iter_mut().skip(1).for_each(|bone| bone.2 = turn * bone.2 + Vec3::new(2.0, 0.0, 3.0));
            let mut skinned = Skinned::new(rest);
            skinned.bind = Figure::new();
            (skinned.space, skinned.uneven) = (space, true);
            let Made { model, heights, .. } = skinned.make();
            let detection = doctor(&model);
            let found = misses(&model, &detection, &figure_truth());
            wrong.extend(found.into_iter().map(|miss| format!("{label}, {degrees}°: {miss}")));
            if detection.reference_kind != ReferenceKind::Bind || (detection.height / heights[1] - 1.0).abs() > 0.03 {
                wrong.push(format!("{label}, {degrees}°: {} high, {}", detection.height, detection.reference_reason));
            }
            let bone = |name: &str| detection.reference.position(model.skeleton.find(name).unwrap());
            let up = (bone("head") - bone("hips")).normalize();
            if up.y < 0.97 || detection.up != Vec3::Y {
                wrong.push(format!("{label}, {degrees}°: up {up}"));
            }
            if !model.notes.iter().any(|note| note.contains("units or axes")) {
                wrong.push(format!("{label}, {degrees}°: {:?}", model.notes));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns a low-poly character as artists build it: hips and two spine bones, and palms for hands, without ring
/// fingers.
fn low_poly() -> Figure {
    Figure::new().remove(&["spine2", "ring_end_l", "ring_end_r", "ring_l", "ring_r"]).mapped(|name| {
        let (part, side) = name.rsplit_once('_').unwrap_or((name, ""));
        let (part, end) = match part.strip_suffix("_end") {
            Some(part) => (part, "_end"),
            None => (part, ""),
        };
        let part = match part {
            "root" => "Root",
            "hips" => "Hips",
            "spine1" => "Abdomen",
            "chest" => "Torso",
            "neck" => "Neck",
            "head" => "Head",
            "thigh" => "UpperLeg",
            "calf" => "LowerLeg",
            "foot" => "Foot",
            "toe" => "Foot_end",
            "clavicle" => "Shoulder",
            "upperarm" => "UpperArm",
            "forearm" => "LowerArm",
            "hand" => "Palm",
            "thumb" => "Thumb1",
            "index" => "Index1",
            "middle" => "Middle1",
            other => other,
        };
        match side {
            "l" => format!("{part}.L{end}"),
            "r" => format!("{part}.R{end}"),
            _ => part.to_owned(),
        }
    })
}

fn low_poly_truth() -> Value {
    let side = |s: &str| {
        let name = |part: &str| format!("{part}.{s}");
        json!({"clavicle": name("Shoulder"), "upper_arm": name("UpperArm"), "forearm": name("LowerArm"),
               "hand": name("Palm"), "thigh": name("UpperLeg"), "calf": name("LowerLeg"), "foot": name("Foot")})
    };
    json!({"pelvis": "Hips", "spine": ["Abdomen", "Torso"], "head": "Head", "left": side("L"), "right": side("R")})
}

/// Attaches a bone and its mirror image each to a new helper under the root; the helper is placed at `off` from its
/// bone.
fn on_helper(mut figure: Figure, bone: &str, helper: &str, off: [f32; 3]) -> Figure {
    for (side, x) in [("L", 1.0), ("R", -1.0)] {
        let bone = format!("{bone}.{side}");
        let place = figure.bones[figure.index(&bone)].2 + Vec3::from(off) * Vec3::new(x, 1.0, 1.0);
        let helper = format!("{helper}.{side}");
        figure.add(&helper, "Root", place.to_array());
        figure = figure.hang(&bone, &helper);
    }
    figure
}

#[test]
fn feet_and_hands_on_helpers() {
    let mut wrong = Vec::new();
    let pairs = |figure: Figure, bone: &str, parent: &str| {
        figure.hang(&format!("{bone}.L"), parent).hang(&format!("{bone}.R"), parent)
    };
    type Change<'a> = (&'static str, Box<dyn Fn(Figure) -> Figure + 'a>);
    let shift = |mut figure: Figure, bone: &str, off: [f32; 3]| {
        for (side, x) in [("L", 1.0), ("R", -1.0)] {
            let at = figure.index(&format!("{bone}.{side}"));
            figure.bones[at].2 += Vec3::from(off) * Vec3::new(x, 1.0, 1.0);
        }
        figure
    };
    let feet: Vec<Change> = vec![
        ("feet on calves", Box::new(|figure| figure)),
        ("feet under the root", Box::new(|figure| pairs(figure, "Foot", "Root"))),
        ("feet on IK", Box::new(|figure| on_helper(figure, "Foot", "IK", [0.0; 3]))),
        ("feet on IK at the heel", Box::new(|figure| on_helper(figure, "Foot", "IK", [0.0, -0.08, -0.06]))),
        (
            "feet under the root, off",
            Box::new(|figure| shift(pairs(figure, "Foot", "Root"), "Foot", [0.01, -0.03, 0.02])),
        ),
    ];
    let hands: Vec<Change> = vec![
        ("hands on forearms", Box::new(|figure| figure)),
        ("hands under the root", Box::new(|figure| pairs(figure, "Palm", "Root"))),
        ("hands on IK", Box::new(|figure| on_helper(figure, "Palm", "IKHand", [0.0; 3]))),
        ("hands on IK beside", Box::new(|figure| on_helper(figure, "Palm", "IKHand", [0.02, 0.0, 0.04]))),
    ];
    for (feet_label, feet) in &feet {
        for (hands_label, hands) in &hands {
            for (ends, deep, nameless, skinned) in [
                (true, false, false, true),
                (false, false, false, true),
                (true, true, false, true),
                (false, true, true, true),
                (true, false, true, true),
                (false, false, true, true),
                (false, false, true, false),
                (true, true, false, false),
            ] {
                let mut figure = hands(feet(low_poly()));
                for (side, x) in [("L", 1.0), ("R", -1.0)] {
                    figure.add(&format!("PoleTarget.{side}"), "Root", [0.1 * x, 0.5, 0.6]);
                    if ends {
                        figure.add(
                            &format!("LowerLeg.{side}_end"),
                            &format!("LowerLeg.{side}"),
                            [0.1 * x, 0.09, -0.02],
                        );
                        if *hands_label != "hands on forearms" {
                            let place = [0.71 * x, 1.44, 0.0];
                            figure.add(&format!("LowerArm.{side}_end"), &format!("LowerArm.{side}"), place);
                        }
                    }
                }
                if deep {
                    for (name, below) in [("Object_2", "Root"), ("RootNode", "Object_2"), ("scene.fbx", "RootNode")] {
                        figure.add(name, "", [0.0; 3]);
                        figure = figure.hang(below, name);
                    }
                }
                let mut made = Skinned::new(figure);
                made.wrap = Some(space(100.0, turned(-90.0, 0.0, 0.0)));
                made.nameless = nameless;
                made.unskinned = ["Root", "scene.fbx", "RootNode", "Object_2"].map(str::to_owned).to_vec();
                made.unskinned.extend(
                    made.rest.bones.iter().map(|bone| bone.0.clone()).filter(|name| {
                        !skinned || ["_end", "IK", "Pole"].iter().any(|mark| name.contains(mark)) && deep
                    }),
                );
                let label = format!(
                    "{feet_label}, {hands_label}, ends {ends}, deep {deep}, nameless {nameless}, skinned {skinned}"
                );
                if !skinned {
                    // Without skins the height comes from the bones alone, so only the roles are checked.
                    let Made { model, .. } = made.make();
                    let found = misses(&model, &doctor(&model), &made.truth(&low_poly_truth()));
                    wrong.extend(found.into_iter().map(|miss| format!("{label}: {miss}")));
                    continue;
                }
                let (_, detection) = check(&label, &made, &low_poly_truth(), &mut wrong);
                if feet_label.contains("root") && !detection.problems.iter().any(|p| p.contains("Foot.L") || nameless) {
                    wrong.push(format!("{label}: {:?}", detection.problems));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} faults\n{}", wrong.len(), wrong.join("\n"));
}

/// Whole limbs and their lower halves on helpers, as rigs made for posing have them.
#[test]
fn limbs_on_helpers() {
    let mut wrong = Vec::new();
    for (label, bones) in [
        ("legs", &["UpperLeg"][..]),
        ("arms", &["UpperArm"]),
        ("legs and arms", &["UpperLeg", "UpperArm"]),
        ("calves", &["LowerLeg"]),
        ("forearms", &["LowerArm"]),
        ("calves and forearms", &["LowerLeg", "LowerArm"]),
        ("legs and feet", &["UpperLeg", "Foot"]),
        ("arms and hands", &["UpperArm", "Palm"]),
        ("calves and feet", &["LowerLeg", "Foot"]),
        ("forearms and hands", &["LowerArm", "Palm"]),
    ] {
        // With its two lower bones on helpers of their own, a limb is recognized only by its names.
        let is_in_pieces = matches!(*bones, ["LowerLeg", "Foot"] | ["LowerArm", "Palm"]);
        for nameless in [false, true].into_iter().filter(|nameless| !(is_in_pieces && *nameless)) {
            for off in [[0.0; 3], [0.02, -0.03, 0.02]] {
                let mut figure = low_poly();
                for bone in bones {
                    figure = on_helper(figure, bone, &format!("Ctrl{bone}"), off);
                }
                let mut made = Skinned::new(figure);
                made.nameless = nameless;
                made.unskinned = vec!["Root".to_owned()];
                made.unskinned.extend(made.rest.bones.iter().map(|bone| bone.0.clone()).filter(|n| n.contains("Ctrl")));
                let label = format!("{label}, nameless {nameless}, {off:?}");
                check(label, &made, &low_poly_truth(), &mut wrong);
            }
        }
    }
    assert!(wrong.is_empty(), "{} faults\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn hands_that_are_meshes_on_the_forearm() {
    let mut wrong = Vec::new();
    for nameless in [false, true] {
        for feet in [false, true] {
            let fingers: Vec<String> = ["L", "R"]
                .iter()
                .flat_map(|s| ["Thumb1", "Index1", "Middle1"].map(|finger| (finger, s)))
                .flat_map(|(finger, s)| [format!("{finger}.{s}_end"), format!("{finger}.{s}")])
                .collect();
            let fingers: Vec<&str> = fingers.iter().map(String::as_str).collect();
            let mut figure = low_poly().remove(&fingers);
            if feet {
                figure = on_helper(figure, "Foot", "IK", [0.0; 3]);
            }
            figure.add("Sword", "Palm.R", [-0.75, 1.44, 0.05]);
            let mut made = Skinned::new(figure);
            made.meshes = ["Palm.L", "Palm.R", "Sword"].map(str::to_owned).to_vec();
            made.unskinned = vec!["Root".to_owned(), "Sword".to_owned()];
            made.nameless = nameless;
            check(format!("feet on IK {feet}, nameless {nameless}"), &made, &low_poly_truth(), &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{} faults\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_thumb_is_not_a_hand() {
    let mut wrong = Vec::new();
    let rename = |figure: &Figure, names: &[(&str, &str)]| {
        let mut figure = figure.clone();
        for (from, to) in names {
            let at = figure.index(from);
            figure.bones[at].0 = (*to).to_owned();
        }
        figure
    };
    let base = low_poly();
    let truth = low_poly_truth();
    let with = |left: &str, right: &str| {
        let mut truth = truth.clone();
        truth["left"]["hand"] = json!(left);
        truth["right"]["hand"] = json!(right);
        truth
    };
    for (label, names, truth) in [
        ("the left thumb called a right hand", vec![("Thumb1.L", "Hand.R")], with("Palm.L", "Palm.R")),
        (
            "the right hand without a name",
            vec![("Thumb1.L", "Hand.R.001"), ("Palm.R", "Bone.017"), ("Palm.L", "Hand.L")],
            with("Hand.L", "Bone.017"),
        ),
        (
            "fingers called hands",
            vec![("Thumb1.L", "Hand1.L"), ("Thumb1.R", "Hand1.R"), ("Index1.L", "Hand2.L"), ("Index1.R", "Hand2.R")],
            with("Palm.L", "Palm.R"),
        ),
        (
            "fingers called hands, palms nothing",
            vec![("Thumb1.R", "Hand.R"), ("Palm.R", "Bone.017"), ("Thumb1.L", "Hand.L"), ("Palm.L", "Bone.018")],
            with("Bone.018", "Bone.017"),
        ),
        (
            "a thumb on the other side's name",
            vec![("Thumb1.R", "Thumb1.x"), ("Thumb1.L", "HandThumb.R"), ("Palm.R", "wrist.R")],
            with("Palm.L", "wrist.R"),
        ),
    ] {
        for (nameless, helpers) in [(false, false), (false, true), (true, false)] {
            let mut figure = base.clone();
            if helpers {
                figure = on_helper(figure, "Palm", "IKHand", [0.0; 3]);
            }
            let mut made = Skinned::new(rename(&figure, &names));
            made.nameless = nameless;
            check(format!("{label}, nameless {nameless}, helpers {helpers}"), &made, &truth, &mut wrong);
        }
    }
    // A thumb as long as a finger.
    let mut long = low_poly();
    for (side, x) in [("L", 1.0), ("R", -1.0)] {
        long = long.place(&format!("Thumb1.{side}_end"), [0.95 * x, 1.4, 0.2]);
    }
    for nameless in [false, true] {
        let mut made = Skinned::new(long.clone());
        made.nameless = nameless;
        check(format!("a long thumb, nameless {nameless}"), &made, &truth, &mut wrong);
    }
    assert!(wrong.is_empty(), "{} faults\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn joints_of_no_length() {
    let mut wrong = Vec::new();
    // Adds a joint at the position of the bone, between the bone and its parent.
    let doubled = |figure: Figure, bone: &str, name: &str| {
        figure.between(&format!("{name}_l"), &format!("{bone}_l"), 1.0).between(
            &format!("{name}_r"),
            &format!("{bone}_r"),
            1.0,
        )
    };
    let renamed = |figure: Figure, from: &str, to: &str| {
        let (from, to) = (from.to_owned(), to.to_owned());
        figure
            .mapped(move |name| name.strip_prefix(from.as_str()).map_or(name.to_owned(), |rest| format!("{to}{rest}")))
    };
    let truth = figure_truth();
    let cases: Vec<(&str, Figure, Vec<&str>)> = vec![
        ("a hip on the thigh", doubled(Figure::new(), "thigh", "hip"), vec!["hip_l", "hip_r"]),
        ("an upper leg on the thigh", doubled(Figure::new(), "thigh", "upleg"), vec!["upleg_l", "upleg_r"]),
        ("a hip and another", doubled(doubled(Figure::new(), "thigh", "hip"), "thigh", "leg"), vec!["hip_l", "leg_r"]),
        (
            "a hip on the thigh, an arm on the arm",
            doubled(doubled(Figure::new(), "thigh", "hip"), "upperarm", "arm"),
            vec![],
        ),
        ("a shin on the calf", doubled(Figure::new(), "calf", "knee"), vec!["knee_l", "knee_r"]),
    ];
    for (label, figure, weightless) in &cases {
        for (some_move_nothing, nameless, twice) in [
            (false, false, false),
            (true, false, false),
            (false, true, false),
            (true, true, false),
            (true, false, true),
        ] {
            let mut made = Skinned::new(figure.clone());
            made.nameless = nameless;
            if some_move_nothing {
                made.weightless = weightless.iter().map(|name| (*name).to_owned()).collect();
            }
            if twice {
                made.wrap = Some(space(0.01, turned(-90.0, 0.0, 0.0)));
                made.uneven = true;
            }
            check(format!("{label}, weightless {some_move_nothing}, nameless {nameless}"), &made, &truth, &mut wrong);
        }
    }
    // A collar bone at the position of the arm moves nothing: detection may choose it or none.
    let mut collars = Figure::new().place("clavicle_l", [0.18, 1.45, 0.0]).place("clavicle_r", [-0.18, 1.45, 0.0]);
    let mut either = truth.clone();
    either["accept"] = json!({"left_clavicle": [null], "right_clavicle": [null]});
    for nameless in [false, true] {
        let mut made = Skinned::new(collars.clone());
        made.nameless = nameless;
        check(format!("collar bones of no length, nameless {nameless}"), &made, &either, &mut wrong);
    }
    // A hip bone with a length, with a name that a thigh may have.
    collars = Figure::new().between("hip_l", "thigh_l", 0.0).between("hip_r", "thigh_r", 0.0);
    collars = collars.place("hip_l", [0.04, 1.02, 0.0]).place("hip_r", [-0.04, 1.02, 0.0]);
    for nameless in [false, true] {
        let mut made = Skinned::new(collars.clone());
        made.nameless = nameless;
        check(format!("hips of some length, nameless {nameless}"), &made, &truth, &mut wrong);
    }
    let limbs = renamed(doubled(Figure::new(), "thigh", "hip"), "thigh_", "leg_");
    let mut leg_truth = truth.clone();
    for (side, s) in [("left", "l"), ("right", "r")] {
        leg_truth[side]["thigh"] = json!(format!("leg_{s}"));
    }
    check("hip and leg", &Skinned::new(limbs), &leg_truth, &mut wrong);
    assert!(wrong.is_empty(), "{} faults\n{}", wrong.len(), wrong.join("\n"));
}

/// Returns a figure with legs of three bones: its feet are hocks, and it stands on its toes.
fn hoofed() -> Figure {
    let mut figure = Figure::new();
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        figure = figure
            .place(&format!("calf_{side}"), [0.1 * x, 0.62, 0.14])
            .place(&format!("foot_{side}"), [0.1 * x, 0.33, -0.14])
            .place(&format!("toe_{side}"), [0.1 * x, 0.06, -0.02]);
        figure.add(&format!("toe_end_{side}"), &format!("toe_{side}"), [0.1 * x, 0.0, 0.1]);
    }
    figure
}

#[test]
fn a_third_bone_in_the_leg_is_reported() {
    let mut wrong = Vec::new();
    for nameless in [false, true] {
        let mut made = Skinned::new(hoofed());
        made.nameless = nameless;
        let mut truth = figure_truth();
        for (side, letter) in [("left", "l"), ("right", "r")] {
            truth[side]["foot"] = json!(format!("toe_{letter}"));
        }
        let (_, detection) = check(format!("nameless {nameless}"), &made, &truth, &mut wrong);
        let is_reported =
            |side: &str| detection.problems.iter().any(|p| p.contains(&format!("{side} leg has a third bone")));
        if !is_reported("left") || !is_reported("right") {
            wrong.push(format!("{:?}", detection.problems));
        }
    }
    assert!(wrong.is_empty(), "{} faults\n{}", wrong.len(), wrong.join("\n"));
}

/// A leg of three bones whose last bone is named the foot.
#[test]
fn a_bone_within_the_calf_is_reported() {
    let mut figure = hoofed().mapped(|name| match name.split_once('_') {
        Some(("foot", side)) => format!("hock_{side}"),
        Some(("toe", side)) if side.len() == 1 => format!("foot_{side}"),
        _ => name.to_owned(),
    });
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        figure.add(&format!("claw_{side}"), &format!("foot_{side}"), [0.12 * x, 0.0, 0.1]);
    }
    let detection = doctor(&Skinned::new(figure).make().model);
    assert!(detection.biped.is_some(), "{:?}", detection.problems);
    for side in ["left", "right"] {
        let words = format!("{side} leg has a third bone");
        assert!(detection.problems.iter().any(|problem| problem.contains(&words)), "{:?}", detection.problems);
    }
}

/// Nearly the largest number of bones that detection searches, in the slowest shape: a long comb of which each tooth
/// may be the end of a limb.
#[test]
fn a_comb_of_bones_is_fast() {
    let mut nodes = Vec::new();
    for tooth in 0..1600usize {
        let mut children = vec![tooth * 3 + 1];
        children.extend((tooth < 1599).then_some(tooth * 3 + 3));
        nodes.push(json!({"translation": [0.0, 0.001, 0.0], "children": children}));
        nodes.push(json!({"translation": [0.1, -0.1, 0.0], "children": [tooth * 3 + 2]}));
        nodes.push(json!({"translation": [0.1, -0.1, 0.001 * (tooth % 7) as f32]}));
    }
    let model = import_json(&json!({"asset": {"version": "2.0"}, "nodes": nodes})).unwrap();
    let taken = quickest(3, || {
        let start = processor_time();
        doctor(&model);
        processor_time() - start
    });
    assert!(taken.as_secs_f32() < 2.0, "{taken:?}");
}

#[test]
fn differences_between_left_and_right_are_reported() {
    let reports = |figure: Figure, words: &[&str]| {
        let model = Skinned::new(figure).make().model;
        let problems = doctor(&model).problems;
        let is_told = problems.iter().any(|problem| words.iter().all(|word| problem.contains(word)));
        assert!(is_told, "{words:?}: {problems:?}");
    };
    let problems = doctor(&Skinned::new(Figure::new()).make().model).problems;
    assert!(problems.is_empty(), "{problems:?}");
    reports(
        Figure::new().place("forearm_r", [-0.4, 1.44, -0.03]),
        &["upper arm", "upperarm_l", "upperarm_r", "times as long"],
    );
    reports(Figure::new().between("calf_twist_l", "foot_l", 0.5), &["foot_l", "foot_r", "attached differently"]);
    reports(Figure::new().hang("hand_r", "root"), &["hand_l", "hand_r", "attached differently"]);
    let short = Skinned::new(Figure::new().place("forearm_r", [-0.4, 1.44, -0.03])).make().model;
    let forearm = doctor(&short).roles.into_iter().find(|found| found.role == Role::RightForearm).unwrap();
    assert!(forearm.confidence <= 0.5 && forearm.reason.contains("contradict"), "{forearm:?}");
    // The confidence is no higher if the file states the role.
    let mut stated = short.clone();
    let bone = |name: &str| short.skeleton.find(name).unwrap();
    let parts = ["UpperArm upperarm", "LowerArm forearm", "Hand hand", "UpperLeg thigh", "LowerLeg calf", "Foot foot"];
    stated.humanoid = [("left", "_l"), ("right", "_r")]
        .into_iter()
        .flat_map(|(side, ending)| parts.map(|part| (side, ending, part.split_once(' ').unwrap())))
        .map(|(side, ending, (key, name))| (format!("{side}{key}"), bone(&format!("{name}{ending}"))))
        .collect();
    let forearm = doctor(&stated).roles.into_iter().find(|found| found.role == Role::RightForearm).unwrap();
    assert!(forearm.confidence <= 0.5 && forearm.reason.contains("humanoid map"), "{forearm:?}");
    // A spine bone that the map leaves out is not stated by the file, nor is one if the map has no bone of the spine.
    for (keys, says, is_certain) in [
        (&["spine1 spine", "spine2 chest", "chest upperChest"][..], "stated by the file's humanoid map", true),
        (&["spine1 spine", "chest chest"], "states some of them", false),
        (&[], "they lie between pelvis and arms", false),
    ] {
        let own = |name: &str| name.replace("spine", "n").replace("chest", "n3");
        let mut stated = Skinned::new(Figure::new().mapped(own)).make().model;
        let bone = |name: &str| stated.skeleton.find(&own(name)).unwrap();
        let spine = keys.iter().map(|key| key.split_once(' ').unwrap());
        let limbs = parts.map(|part| part.split_once(' ').unwrap()).into_iter();
        let limbs = limbs.flat_map(|(key, name)| {
            [("left", "_l"), ("right", "_r")].map(|(side, end)| (format!("{side}{key}"), bone(&format!("{name}{end}"))))
        });
        let hips = [("hips".to_owned(), bone("hips"))];
        stated.humanoid = spine.map(|(name, key)| (key.to_owned(), bone(name))).chain(limbs).chain(hips).collect();
        let spine = doctor(&stated).roles.into_iter().find(|found| found.role == Role::Spine).unwrap();
        assert_eq!(spine.bones.len(), 3, "{spine:?}");
        assert!(spine.reason.contains(says) && (spine.confidence == 1.0) == is_certain, "{keys:?}: {spine:?}");
    }
    let named = |name: &str| if name == "calf_l" { "calf.001_r".to_owned() } else { name.to_owned() };
    reports(Figure::new().mapped(named), &["calf.001_r", "left calf", "different sides"]);
    // As many names of the left side as of the right.
    let tied = |name: &str| if name == "foot_l" { "foot".to_owned() } else { named(name) };
    reports(Figure::new().mapped(tied), &["calf.001_r", "left calf", "different sides"]);
}

/// A pose that moves the helpers also moves feet that have no other parent.
#[test]
fn feet_that_a_pose_moves_by_their_helpers() {
    let figure = on_helper(on_helper(low_poly(), "Foot", "IK", [0.0, -0.08, -0.06]), "Palm", "IKHand", [0.0; 3]);
    let mut made = Skinned::new(figure);
    (made.uneven, made.wrap) = (true, Some(space(100.0, turned(-90.0, 0.0, 0.0))));
    let Made { model, heights, .. } = made.make();
    let detection = doctor(&model);
    let skeleton = &model.skeleton;
    let biped = detection.biped.as_ref().unwrap();
    let mut local = skeleton.rest_pose();
    for name in ["IK.L", "IKHand.R"] {
        let helper = skeleton.find(name).unwrap();
        local.bones[helper].translation *= 1.02;
        local.bones[helper].rotation *= Quat::from_rotation_x(0.2);
    }
    let calf = biped.limb(LimbName::LeftLeg).bones[1];
    local.bones[calf].rotation *= Quat::from_rotation_y(0.1);
    let animated = ModelPose::from_local(skeleton, &local);
    let solver = FullBody::new(skeleton, biped, &detection.reference.bones).unwrap();
    let mut workspace = solver.workspace();
    let mut wrong = Vec::new();
    let mut check = Check { label: "moved helpers".to_owned(), wrong: &mut wrong };
    let mut solved = animated.clone();
    solver.solve(&mut workspace, &Settings::default(), &mut solved.bones).unwrap();
    check.same("solved without targets", skeleton, &animated, &solved, heights[0]);
    let foot = biped.limb(LimbName::LeftLeg).bones[2];
    let mut settings = Settings::default();
    let target = animated.position(foot) + Vec3::new(0.05, 0.12, 0.1);
    settings.effector_mut(Effector::LeftFoot).position = Some(target);
    settings.effector_mut(Effector::LeftFoot).position_weight = 1.0;
    solver.solve(&mut workspace, &settings, &mut solved.bones).unwrap();
    let back = ModelPose::from_local(skeleton, &solved.to_local(skeleton, &local));
    check.same("written and read again", skeleton, &solved, &back, heights[0]);
    let (off, toe) =
        (back.position(foot).distance(target), skeleton.find("Foot.L_end").or(skeleton.find("Foot_end.L")));
    if off > 0.005 {
        wrong.push(format!("the foot is {off} from its target"));
    }
    let toe = toe.unwrap_or_else(|| panic!("{:?}", skeleton.bones().iter().map(|bone| &bone.name).collect::<Vec<_>>()));
    let reach = |pose: &ModelPose| pose.position(toe).distance(pose.position(foot));
    if (reach(&solved) - reach(&animated)).abs() > 1e-4 {
        wrong.push("the toe came off its foot".to_owned());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A spine of 580 bones, each with a limb of three bones 0.5 to its left and to its right. Detection of this valid file
/// used to take minutes.
#[test]
fn detection_of_a_comb_is_fast() {
    let mut bones = vec![Bone { name: "root".to_owned(), parent: None, rest: LocalTransform::default() }];
    let mut add = |parent: usize, at: [f32; 3]| {
        let rest = LocalTransform { translation: Vec3::from(at), ..LocalTransform::default() };
        bones.push(Bone { name: format!("node {}", bones.len()), parent: Some(parent), rest });
        bones.len() - 1
    };
    const VERTEBRAE: usize = 580;
    let mut at = 0;
    for _ in 0..VERTEBRAE {
        at = add(at, [0.0, 1.0 / VERTEBRAE as f32, 0.0]);
        for side in [1.0, -1.0] {
            let upper = add(at, [0.5 * side, 0.0, 0.0]);
            let lower = add(upper, [0.1 * side, -0.2, 0.0]);
            add(lower, [0.02 * side, -0.2, 0.02]);
        }
    }
    let model = Model { skeleton: Skeleton::new(bones).unwrap().into(), ..Model::default() };
    let start = std::time::Instant::now();
    let detection = doctor(&model);
    assert!(start.elapsed() < std::time::Duration::from_secs(60), "{:?}", start.elapsed());
    assert!(detection.biped.is_none() && !detection.problems.is_empty(), "{:?}", detection.problems);
}

#[test]
fn the_root_node_has_a_reason_and_can_be_chosen() {
    let model = Figure::new().model();
    let detection = doctor(&model);
    let root = |detection: &Detection| model.skeleton.bones()[detection.biped.as_ref().unwrap().root_node].name.clone();
    assert!(detection.root_node_reason.contains("lower half"), "{}", detection.root_node_reason);
    let before = root(&detection);
    let choose = |name: &str| -> Mapping { serde_json::from_value(json!({"root_node": name})).unwrap() };
    let chosen = detect(&model, &choose("chest"), ReferenceChoice::Auto);
    assert_eq!((root(&chosen).as_str(), chosen.root_node_reason.as_str()), ("chest", "you chose it"));
    let pelvis = &model.skeleton.bones()[detection.biped.as_ref().unwrap().pelvis].name;
    let chosen = detect(&model, &choose(pelvis), ReferenceChoice::Auto);
    assert_eq!(root(&chosen), *pelvis, "the pelvis can be the root node");
    let refused = detect(&model, &choose("hand_l"), ReferenceChoice::Auto);
    assert_eq!(root(&refused), before);
    assert!(refused.problems.iter().any(|p| p.contains("hand_l") && p.contains("spine2")), "{:?}", refused.problems);
    let written = serde_json::to_value(choose("chest")).unwrap();
    assert_eq!(written, json!({"root_node": "chest"}));
    assert!(serde_json::from_value::<Mapping>(json!({"root_nod": "chest"})).is_err());
}

#[test]
fn helpers_under_other_names() {
    let mut wrong = Vec::new();
    let base = on_helper(low_poly(), "Foot", "IK", [0.0; 3]);
    let mut body = base.clone().hang("Hips", "Root");
    body.add("Body", "Root", [0.0, 1.0, 0.0]);
    let under_body = body.clone().hang("Hips", "Body");
    let beside = under_body.clone().hang("Abdomen", "Body");
    type Names = fn(&str) -> String;
    let plain: Names = |name| name.to_owned();
    let glued: Names = |name| name.replace('.', "");
    let numbered: Names = |name| format!("{name}_0{}", name.len());
    let fist: Names = |name| name.replace("Palm", "Fist");
    let wrist: Names = |name| name.replace("Palm", "Wrist").replace("Torso", "Chest");
    let none: Names =
        |name| format!("x{}", name.bytes().fold(7u32, |sum, byte| sum.wrapping_mul(31) + u32::from(byte)));
    for (label, figure) in
        [("plain", &base), ("a body above the hips", &under_body), ("hips beside the spine", &beside)]
    {
        for (names_label, names) in [
            ("plain", plain),
            ("glued", glued),
            ("numbered", numbered),
            ("fist", fist),
            ("wrist", wrist),
            ("none", none),
        ] {
            for swapped in [false, true] {
                let swap = |name: &str| match swapped {
                    true => name.replace(".L", ".?").replace(".R", ".L").replace(".?", ".R"),
                    false => name.to_owned(),
                };
                // With `swapped`, the names change sides; the bones stay.
                let mut truth = low_poly_truth();
                fn rename(value: &mut Value, map: &dyn Fn(&str) -> String) {
                    match value {
                        Value::String(name) => *name = map(name),
                        Value::Array(list) => list.iter_mut().for_each(|value| rename(value, map)),
                        Value::Object(object) => object.values_mut().for_each(|value| rename(value, map)),
                        _ => {}
                    }
                }
                rename(&mut truth, &|name| names(&swap(name)));
                let mut made = Skinned::new(figure.clone().mapped(|name| names(&swap(name))));
                made.wrap = Some(space(100.0, turned(-90.0, 0.0, 0.0)));
                made.unskinned = vec![names("Root")];
                made.weightless = ["IK.L", "IK.R", "Body"].iter().map(|name| names(&swap(name))).collect();
                made.weightless.extend(["Body"].map(names));
                check(format!("{label}, names {names_label}, swapped {swapped}"), &made, &truth, &mut wrong);
            }
        }
    }
    assert!(wrong.is_empty(), "{} faults\n{}", wrong.len(), wrong.join("\n"));
}
