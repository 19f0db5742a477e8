use serde_json::json;

use super::kinds::{Kind, human};
use crate::common::figure::mixamo;

pub fn bipeds() -> Vec<Kind> {
    let kinds = [
        conventions(),
        plantigrade(),
        hocks(),
        outside_the_skin(),
        palms(),
        rigify(),
        two_part_thighs(),
        numbered(),
        tee_poses(),
        vec![feet_on_the_root()],
        bodies(),
    ];
    kinds.into_iter().flatten().flat_map(Kind::variants).collect()
}

fn conventions() -> Vec<Kind> {
    let biped = |part: &str, side: &str| {
        let part = match part {
            "root" => "",
            "hips" => " Pelvis",
            "spine1" => " Spine",
            "spine2" => " Spine1",
            "chest" => " Spine2",
            "neck" => " Neck",
            "head" => " Head",
            "thigh" => "Thigh",
            "calf" => "Calf",
            "foot" => "Foot",
            "toe" => "Toe0",
            "clavicle" => "Clavicle",
            "upperarm" => "UpperArm",
            "forearm" => "Forearm",
            "hand" => "Hand",
            other => other,
        };
        match side {
            "" => format!("Bip01{part}"),
            side => format!("Bip01 {} {part}", side.to_uppercase()),
        }
    };
    vec![
        human("Unreal names", |part, side| if side.is_empty() { part.to_owned() } else { format!("{part}_{side}") }),
        human("Mixamo names", mixamo),
        human("Biped names", biped),
    ]
}

/// Returns a character whose feet are parented to the root, so that they stay in place while the body moves.
fn feet_on_the_root() -> Kind {
    let named = |part: &str, side: &str| if side.is_empty() { part.to_owned() } else { format!("{part}_{side}") };
    let mut kind = human("feet on the root", named);
    for figure in [&mut kind.skinned.rest, &mut kind.skinned.bind] {
        *figure = figure.clone().hang("foot_l", "root").hang("foot_r", "root");
    }
    kind
}

/// Returns characters with short legs and a steep foot between ankle and toes, which stands on its whole sole.
fn plantigrade() -> Vec<Kind> {
    let table = |foot: &str, toes: &str| {
        format!(
            "root - 0 0 0 ~
            hips root 0 .406 0
            spine hips 0 .598 0
            chest spine 0 .973 0
            upperarm.* chest .212 1.107 0
            lowerarm.* upperarm.* .454 1.107 -.014
            wrist.* lowerarm.* .713 1.107 0
            hand.* wrist.* .787 1.107 0
            handslot.* hand.* .883 1.049 0 ~
            head chest 0 1.241 0
            upperleg.* hips .171 .519 0
            lowerleg.* upperleg.* .171 .292 .008
            {foot}.* lowerleg.* .171 .145 -.019
            {toes}.* {foot}.* .171 .026 .096
            kneeIK.* root .171 .292 .576
            control-toe-roll.* root .171 .026 .246 ~
            control-heel-roll.* control-toe-roll.* .171 .026 -.117 ~
            control-foot-roll.* control-heel-roll.* .171 .026 .096 ~
            IK-foot.* control-foot-roll.* .171 .145 -.019 ~
            elbowIK.* root .454 1.107 -.589 ~
            handIK.* root .713 1.107 0 ~"
        )
    };
    let kind = |label, foot: &str, toes: &str, parts| {
        let trunk: (&str, &[&str], &str) = ("hips", &["spine", "chest"], "head");
        Kind::new(label, ["l", "r"], &table(foot, toes), trunk, parts)
            .accept(json!({"left_hand": ["hand.l"], "right_hand": ["hand.r"]}))
    };
    let parts = |foot| ["-", "upperarm.*", "lowerarm.*", "wrist.*", "upperleg.*", "lowerleg.*", foot];
    vec![
        kind("a steep foot", "foot", "toes", parts("foot.*")),
        kind("a steep foot named ankle", "ankle", "ball", parts("ankle.*")),
    ]
}

/// Returns characters that stand on their toes, with different names for thigh, knee, hock and foot.
fn hocks() -> Vec<Kind> {
    let table = |[thigh, knee, hock, foot]: [&str; 4]| {
        format!(
            "Root - 0 0 0 ~
            Hips Root 0 1 0
            Abdomen Hips 0 1.15 0
            Torso Abdomen 0 1.35 0
            Neck Torso 0 1.5 0
            Head Neck 0 1.6 .02
            Shoulder* Torso .04 1.44 0
            UpperArm* Shoulder* .18 1.45 0
            LowerArm* UpperArm* .46 1.44 -.03
            Hand* LowerArm* .71 1.44 0
            Finger* Hand* .79 1.44 0
            {thigh}* Hips .1 .95 0
            {knee}* {thigh}* .1 .62 .16
            {hock}* {knee}* .1 .33 -.1
            {foot}* {hock}* .1 .05 0
            Toes* {foot}* .1 .01 .1"
        )
    };
    let kind = |label, names: [&'static str; 4]| {
        let part = |at: usize| -> &'static str { Box::leak(format!("{}*", names[at]).into_boxed_str()) };
        let parts = ["Shoulder*", "UpperArm*", "LowerArm*", "Hand*", part(0), part(1), part(3)];
        let trunk: (&str, &[&str], &str) = ("Hips", &["Abdomen", "Torso"], "Head");
        Kind::new(label, ["L", "R"], &table(names), trunk, parts)
    };
    vec![
        kind("a hock named LowerLeg", ["UpperLeg", "MidLeg", "LowerLeg", "Foot"]),
        kind("a hock named Hock", ["Thigh", "Shin", "Hock", "Foot"]),
        kind("a hock named Foot", ["Thigh", "Calf", "Foot", "Ball"]),
    ]
}

/// Returns characters of which only the joints of the head move vertices.
fn outside_the_skin() -> Vec<Kind> {
    let face: String = ["Jaw", "Brow", "Nose", "Lip", "Chin", "Cheek", "Lid", "Temple", "Tongue"]
        .iter()
        .enumerate()
        .map(|(at, name)| format!("{name} Head {} {} .1\n", at as f32 * 0.01 - 0.04, 1.6 + at as f32 * 0.01))
        .collect();
    let body = |mark: &str| {
        format!(
            "Root - 0 0 0 {mark}
            Pelvis Root 0 1 0 {mark}
            Spine1 Pelvis 0 1.1 -.01 {mark}
            Spine2 Spine1 0 1.3 -.01 {mark}
            Neck Spine2 0 1.5 0 {mark}
            Head Neck 0 1.6 .02
            Clavicle_* Spine2 .03 1.44 0 {mark}
            UpperArm_* Clavicle_* .18 1.45 0 {mark}
            Forearm_* UpperArm_* .46 1.44 -.03 {mark}
            Hand_* Forearm_* .71 1.44 0 {mark}
            Finger_* Hand_* .8 1.44 0 {mark}
            Thigh_* Pelvis .1 .95 0 {mark}
            Calf_* Thigh_* .1 .52 .03 {mark}
            Foot_* Calf_* .1 .09 -.02 {mark}
            Toe_* Foot_* .1 .02 .12 {mark}
            {face}"
        )
    };
    let kind = |label, mark| {
        let parts = ["Clavicle_*", "UpperArm_*", "Forearm_*", "Hand_*", "Thigh_*", "Calf_*", "Foot_*"];
        let trunk: (&str, &[&str], &str) = ("Pelvis", &["Spine1", "Spine2"], "Head");
        Kind::new(label, ["L", "R"], &body(mark), trunk, parts)
    };
    vec![kind("a skin whose vertices are on the head", "~")]
}

/// Returns two characters with several palms at one position instead of a hand. The second has forearms longer than its
/// upper arms.
pub fn palms() -> Vec<Kind> {
    let table = |elbow: f32, wrist: f32| {
        format!(
            "Root - 0 0 0 ~
            Body Root 0 1 0
            Abdomen Body 0 1.15 -.01
            Torso Abdomen 0 1.35 -.01
            Neck Torso 0 1.5 0
            Head Neck 0 1.6 .02
            Shoulder* Torso .05 1.44 0
            UpperArm* Shoulder* .18 1.44 0
            LowerArm* UpperArm* {elbow} 1.43 -.02
            Palm1* LowerArm* {wrist} 1.43 0
            Index1* Palm1* {} 1.43 .03
            Index2* Index1* {} 1.43 .03
            Thumb1* LowerArm* {} 1.41 .03
            Thumb2* Thumb1* {} 1.41 .05
            Palm2* LowerArm* {wrist} 1.43 0
            Middle1* Palm2* {} 1.43 0
            Middle2* Middle1* {} 1.43 0
            Palm3* LowerArm* {wrist} 1.43 0
            Ring1* Palm3* {} 1.43 -.03
            Ring2* Ring1* {} 1.43 -.03
            UpperLeg* Body .1 .95 0
            LowerLeg* UpperLeg* .1 .52 .03
            Foot* LowerLeg* .1 .09 -.02
            Toe* Foot* .1 .02 .12",
            wrist + 0.08,
            wrist + 0.11,
            wrist + 0.02,
            wrist + 0.05,
            wrist + 0.08,
            wrist + 0.11,
            wrist + 0.08,
            wrist + 0.11
        )
    };
    let kind = |label, elbow, wrist| {
        let parts = ["Shoulder*", "UpperArm*", "LowerArm*", "Palm2*", "UpperLeg*", "LowerLeg*", "Foot*"];
        let trunk: (&str, &[&str], &str) = ("Body", &["Abdomen", "Torso"], "Head");
        Kind::new(label, ["L", "R"], &table(elbow, wrist), trunk, parts)
            .accept(json!({"left_hand": ["Palm1L", "Palm3L"], "right_hand": ["Palm1R", "Palm3R"]}))
    };
    vec![kind("three palms", 0.46, 0.71), kind("long forearms", 0.38, 0.78)]
}

/// Returns Rigify rigs: deform bones alone, and deform bones with controls and a second spine of `ORG-` bones.
fn rigify() -> Vec<Kind> {
    let limbs = "DEF-shoulder.* {clavicle} .03 1.44 0
        DEF-upper_arm.* {arm} .18 1.45 0
        DEF-upper_arm.*.001 DEF-upper_arm.* .32 1.445 -.015
        DEF-forearm.* DEF-upper_arm.*.001 .46 1.44 -.03
        DEF-forearm.*.001 DEF-forearm.* .585 1.44 -.015
        DEF-hand.* DEF-forearm.*.001 .71 1.44 0
        DEF-f_index.01.* DEF-hand.* .79 1.43 .02
        DEF-f_index.02.* DEF-f_index.01.* .82 1.42 .02
        DEF-f_middle.01.* DEF-hand.* .79 1.43 0
        DEF-f_middle.02.* DEF-f_middle.01.* .82 1.42 0
        DEF-thumb.01.* DEF-hand.* .73 1.43 .04
        DEF-thigh.* {leg} .1 .95 0
        DEF-thigh.*.001 DEF-thigh.* .1 .735 .015
        DEF-shin.* DEF-thigh.*.001 .1 .52 .03
        DEF-shin.*.001 DEF-shin.* .1 .3 0
        DEF-foot.* DEF-shin.*.001 .1 .09 -.02
        DEF-toe.* DEF-foot.* .1 .02 .12
        DEF-pelvis.* {leg} .01 1.02 .03
        DEF-breast.* {clavicle} .1 1.3 .12";
    let spine = |prefix: &str, root: &str, mark: &str| {
        format!(
            "{prefix}spine {root} 0 1 0 {mark}
            {prefix}spine.001 {prefix}spine 0 1.12 -.01 {mark}
            {prefix}spine.002 {prefix}spine.001 0 1.25 -.02 {mark}
            {prefix}spine.003 {prefix}spine.002 0 1.38 -.01 {mark}
            {prefix}spine.004 {prefix}spine.003 0 1.5 0 {mark}
            {prefix}spine.005 {prefix}spine.004 0 1.55 .01 {mark}
            {prefix}spine.006 {prefix}spine.005 0 1.62 .02 {mark}\n"
        )
    };
    let limbs_on = |clavicle: &str, arm: &str, leg: &str| {
        limbs.replace("{clavicle}", clavicle).replace("{arm}", arm).replace("{leg}", leg)
    };
    let parts =
        ["DEF-shoulder.*", "DEF-upper_arm.*", "DEF-forearm.*", "DEF-hand.*", "DEF-thigh.*", "DEF-shin.*", "DEF-foot.*"];
    let trunk: (&str, &[&str], &str) =
        ("DEF-spine", &["DEF-spine.001", "DEF-spine.002", "DEF-spine.003"], "DEF-spine.006");
    let kind = |label, table: String| Kind::new(label, ["L", "R"], &table, trunk, parts);
    let armature = "rig - 0 0 0 !\n";
    let deform = format!("{armature}{}{}", spine("DEF-", "rig", ""), limbs_on("rig", "rig", "rig"));
    let deform_roots = format!(
        "{armature}root rig 0 0 0 ~\n{}{}",
        spine("DEF-", "root", ""),
        limbs_on("DEF-spine.003", "DEF-shoulder.*", "root")
    );
    // The ORG bones have the tree of the body. The deform bones are attached to them, or to the root.
    let controls = "torso root 0 1.05 0 ~
        hips torso 0 1.1 -.01 ~
        chest torso 0 1.25 -.02 ~
        MCH-spine torso 0 1 0 ~";
    let org_limbs = "ORG-shoulder.* ORG-spine.003 .03 1.44 0 ~
        ORG-upper_arm.* ORG-shoulder.* .18 1.45 0 ~
        ORG-forearm.* ORG-upper_arm.* .46 1.44 -.03 ~
        ORG-hand.* ORG-forearm.* .71 1.44 0 ~
        ORG-thigh.* ORG-spine .1 .95 0 ~
        ORG-shin.* ORG-thigh.* .1 .52 .03 ~
        ORG-foot.* ORG-shin.* .1 .09 -.02 ~
        upper_arm_ik.* root .18 1.45 0 ~
        hand_ik.* root .71 1.44 0 ~
        foot_ik.* root .1 .09 -.02 ~
        thigh_fk.* torso .1 .95 0 ~
        shin_fk.* thigh_fk.* .1 .52 .03 ~
        foot_fk.* shin_fk.* .1 .09 -.02 ~\n";
    let full = |on_org: bool| {
        let org = |of: &str| if on_org { of.replace("DEF", "ORG") } else { "root".to_owned() };
        format!(
            "{armature}root rig 0 0 0 ~\n{controls}\n{}{org_limbs}{}{}",
            spine("ORG-", "MCH-spine", "~"),
            spine("DEF-", &org("DEF-spine"), ""),
            limbs_on(&org("DEF-spine.003"), &org("DEF-shoulder.*"), &org("DEF-spine"))
        )
    };
    vec![
        kind("Rigify, deform bones on the armature", deform),
        kind("Rigify, limbs on the root", deform_roots),
        kind("Rigify, all bones, deform bones on the others", full(true)),
        kind("Rigify, all bones, deform bones on the root", full(false)),
    ]
}

/// Returns two characters with MakeHuman's default rig, which has two bones in each part of a limb. In the second
/// character the two bones of each thigh are at an angle.
fn two_part_thighs() -> Vec<Kind> {
    let table = |kink: f32| {
        format!(
            "root - 0 .98 0
            pelvis.* root .02 .98 .01
            upperleg01.* pelvis.* .1 .93 0
            upperleg02.* upperleg01.* {} .78 {}
            lowerleg01.* upperleg02.* .11 .5 .03
            lowerleg02.* lowerleg01.* .11 .3 .005
            foot.* lowerleg02.* .11 .08 -.03
            toe1-1.* foot.* .1 .02 .1
            toe2-1.* foot.* .12 .02 .1
            spine05 root 0 1.02 0
            spine04 spine05 0 1.1 -.01
            spine03 spine04 0 1.18 -.02
            spine02 spine03 0 1.27 -.02
            spine01 spine02 0 1.36 -.01
            neck01 spine01 0 1.46 0
            neck02 neck01 0 1.5 .01
            neck03 neck02 0 1.53 .02
            head neck03 0 1.58 .02
            clavicle.* spine01 .03 1.42 0
            shoulder01.* clavicle.* .13 1.45 -.01
            upperarm01.* shoulder01.* .18 1.45 -.01
            upperarm02.* upperarm01.* .27 1.45 -.02
            lowerarm01.* upperarm02.* .45 1.44 -.03
            lowerarm02.* lowerarm01.* .57 1.44 -.015
            wrist.* lowerarm02.* .7 1.44 0
            metacarpal1.* wrist.* .73 1.44 .02
            finger2-1.* metacarpal1.* .79 1.44 .02
            metacarpal2.* wrist.* .73 1.44 0
            finger3-1.* metacarpal2.* .79 1.44 0
            finger1-1.* wrist.* .72 1.43 .03",
            0.1 + kink * 0.15,
            kink * 0.1
        )
    };
    let kind = |label, kink| {
        let parts = ["clavicle.*", "upperarm01.*", "lowerarm01.*", "wrist.*", "upperleg01.*", "lowerleg01.*", "foot.*"];
        let trunk: (&str, &[&str], &str) = ("root", &["spine05", "spine04", "spine03", "spine02", "spine01"], "head");
        Kind::new(label, ["L", "R"], &table(kink), trunk, parts)
            .accept(json!({"left_clavicle": ["shoulder01.L"], "right_clavicle": ["shoulder01.R"]}))
    };
    vec![kind("a two-part thigh", 0.0), kind("a two-part thigh with a kink", 0.25)]
}

/// Returns characters with mGear's numbered limbs, and with twist joints of the same name.
fn numbered() -> Vec<Kind> {
    let twisted = "global_C0_ctl - 0 0 0 ~
        spine_C0_pelvis_jnt global_C0_ctl 0 1 0
        spine_C0_0_jnt spine_C0_pelvis_jnt 0 1.08 -.01
        spine_C0_1_jnt spine_C0_0_jnt 0 1.2 -.02
        spine_C0_2_jnt spine_C0_1_jnt 0 1.34 -.01
        neck_C0_0_jnt spine_C0_2_jnt 0 1.5 0
        neck_C0_head_jnt neck_C0_0_jnt 0 1.6 .02
        shoulder_*0_shoulder_jnt spine_C0_2_jnt .03 1.44 0
        arm_*0_0_jnt shoulder_*0_shoulder_jnt .18 1.45 0
        arm_*0_1_jnt arm_*0_0_jnt .273 1.447 -.01
        arm_*0_2_jnt arm_*0_1_jnt .367 1.443 -.02
        arm_*0_3_jnt arm_*0_2_jnt .46 1.44 -.03
        arm_*0_4_jnt arm_*0_3_jnt .543 1.44 -.02
        arm_*0_5_jnt arm_*0_4_jnt .627 1.44 -.01
        arm_*0_end_jnt arm_*0_5_jnt .71 1.44 0
        finger_*0_0_jnt arm_*0_end_jnt .79 1.44 .02
        finger_*0_1_jnt finger_*0_0_jnt .82 1.44 .02
        finger_*1_0_jnt arm_*0_end_jnt .79 1.44 0
        finger_*1_1_jnt finger_*1_0_jnt .82 1.44 0
        thumb_*0_0_jnt arm_*0_end_jnt .73 1.43 .04
        leg_*0_0_jnt spine_C0_pelvis_jnt .1 .95 0
        leg_*0_1_jnt leg_*0_0_jnt .1 .807 .01
        leg_*0_2_jnt leg_*0_1_jnt .1 .663 .02
        leg_*0_3_jnt leg_*0_2_jnt .1 .52 .03
        leg_*0_4_jnt leg_*0_3_jnt .1 .377 .013
        leg_*0_5_jnt leg_*0_4_jnt .1 .233 -.003
        leg_*0_end_jnt leg_*0_5_jnt .1 .09 -.02
        foot_*0_0_jnt leg_*0_end_jnt .1 .02 .1
        foot_*0_1_jnt foot_*0_0_jnt .1 .01 .16";
    let short = "root_jnt - 0 0 0 ~
        pelvis_jnt root_jnt 0 1 0
        spine_01_jnt pelvis_jnt 0 1.1 -.01
        spine_02_jnt spine_01_jnt 0 1.3 -.01
        neck_01_jnt spine_02_jnt 0 1.5 0
        head_jnt neck_01_jnt 0 1.6 .02
        arm_*_00_jnt spine_02_jnt .03 1.44 0
        arm_*_01_jnt arm_*_00_jnt .18 1.45 0
        arm_*_02_jnt arm_*_01_jnt .46 1.44 -.03
        arm_*_03_jnt arm_*_02_jnt .71 1.44 0
        finger_*_01_jnt arm_*_03_jnt .79 1.44 .02
        finger_*_11_jnt arm_*_03_jnt .79 1.44 0
        leg_*_01_jnt pelvis_jnt .1 .95 0
        leg_*_02_jnt leg_*_01_jnt .1 .52 .03
        leg_*_03_jnt leg_*_02_jnt .1 .09 -.02
        leg_*_04_jnt leg_*_03_jnt .1 .02 .1";
    let trunk: (&str, &[&str], &str) =
        ("spine_C0_pelvis_jnt", &["spine_C0_0_jnt", "spine_C0_1_jnt", "spine_C0_2_jnt"], "neck_C0_head_jnt");
    let parts = [
        "shoulder_*0_shoulder_jnt",
        "arm_*0_0_jnt",
        "arm_*0_3_jnt",
        "arm_*0_end_jnt",
        "leg_*0_0_jnt",
        "leg_*0_3_jnt",
        "leg_*0_end_jnt",
    ];
    let short_parts = [
        "arm_*_00_jnt",
        "arm_*_01_jnt",
        "arm_*_02_jnt",
        "arm_*_03_jnt",
        "leg_*_01_jnt",
        "leg_*_02_jnt",
        "leg_*_03_jnt",
    ];
    let short_trunk: (&str, &[&str], &str) = ("pelvis_jnt", &["spine_01_jnt", "spine_02_jnt"], "head_jnt");
    vec![
        Kind::new("numbered limbs with twist joints", ["L", "R"], twisted, trunk, parts),
        Kind::new("numbered limbs with a collar bone", ["l", "r"], short, short_trunk, short_parts),
    ]
}

/// Returns characters whose arms are straight and level, in several proportions, some of them without fingers.
fn tee_poses() -> Vec<Kind> {
    let table = |[clavicle, shoulder, elbow, wrist]: [f32; 4], has_fingers: bool| {
        let fingers = match has_fingers {
            true => format!("Index_* Hand_* {} 1.45 .02\nThumb_* Hand_* {} 1.45 .05\n", wrist + 0.09, wrist + 0.04),
            false => String::new(),
        };
        format!(
            "Hips - 0 1 0
            Spine Hips 0 1.12 0
            Chest Spine 0 1.3 0
            Neck Chest 0 1.48 0
            Head Neck 0 1.58 0
            Clavicle_* Chest {clavicle} 1.45 0
            UpperArm_* Clavicle_* {shoulder} 1.45 0
            Forearm_* UpperArm_* {elbow} 1.45 0
            Hand_* Forearm_* {wrist} 1.45 0
            {fingers}
            Thigh_* Hips .1 .95 0
            Calf_* Thigh_* .1 .52 0
            Foot_* Calf_* .1 .09 0
            Toe_* Foot_* .1 .02 .13"
        )
    };
    let kind = |label, places, has_fingers| {
        let parts = ["Clavicle_*", "UpperArm_*", "Forearm_*", "Hand_*", "Thigh_*", "Calf_*", "Foot_*"];
        let trunk: (&str, &[&str], &str) = ("Hips", &["Spine", "Chest"], "Head");
        Kind::new(label, ["Left", "Right"], &table(places, has_fingers), trunk, parts)
    };
    vec![
        kind("straight arms", [0.03, 0.18, 0.46, 0.71], true),
        kind("straight arms without fingers", [0.03, 0.18, 0.46, 0.71], false),
        kind("straight arms with long collar bones", [0.02, 0.22, 0.45, 0.68], false),
        kind("straight arms with long collar bones and fingers", [0.0, 0.24, 0.47, 0.71], true),
        kind("straight arms, short upper arms", [0.05, 0.16, 0.36, 0.66], true),
        kind("straight arms with long hands", [0.03, 0.2, 0.44, 0.66], true),
    ]
}

/// Returns bodies of other proportions, with hair, skirts, tails, wings and weapons.
fn bodies() -> Vec<Kind> {
    let body = |[leg, trunk, arm, head]: [f32; 4], more: &str, fingers: bool| {
        let (hip, chest) = (leg + 0.08, leg + 0.08 + trunk * 0.75);
        let neck = leg + 0.08 + trunk;
        let finger = match fingers {
            true => format!(
                "IndexFinger1* Hand* {} {neck} .02\nMiddleFinger1* Hand* {} {neck} 0\nThumb1* Hand* {} {neck} .04\n",
                0.18 + arm * 1.15,
                0.18 + arm * 1.15,
                0.18 + arm * 1.05
            ),
            false => String::new(),
        };
        format!(
            "Armature - 0 0 0 ~
            Hips Armature 0 {} 0
            Spine Hips 0 {} -.01
            Chest Spine 0 {chest} -.01
            Neck Chest 0 {} 0
            Head Neck 0 {} .02
            Collar* Chest .04 {neck} 0
            UpArm* Collar* .18 {neck} 0
            LowArm* UpArm* {} {neck} -.02
            Hand* LowArm* {} {neck} 0
            {finger}
            UpLeg* Hips .11 {hip} 0
            LowLeg* UpLeg* .11 {} .02
            Foot* LowLeg* .11 .09 -.02
            Toes* Foot* .11 .02 .11
            {}",
            hip + 0.03,
            hip + 0.03 + trunk * 0.3,
            neck + 0.05,
            neck + 0.05 + head * 0.3,
            0.18 + arm * 0.53,
            0.18 + arm,
            0.09 + (hip - 0.09) * 0.5,
            more.replace("{hip}", &hip.to_string()).replace("{neck}", &neck.to_string())
        )
    };
    let hair = "Hair1* Head .06 {neck} -.1
        Hair2* Hair1* .08 1.3 -.14
        Hair3* Hair2* .08 1.1 -.15
        Hair4* Hair3* .08 .9 -.15";
    let skirt = "SkirtFront1* Hips .08 1 .1
        SkirtFront2* SkirtFront1* .1 .7 .14
        SkirtFront3* SkirtFront2* .11 .35 .16
        SkirtFront4* SkirtFront3* .12 .06 .17
        SkirtBack1* Hips .08 1 -.1
        SkirtBack2* SkirtBack1* .1 .7 -.14
        SkirtBack3* SkirtBack2* .11 .35 -.16
        SkirtBack4* SkirtBack3* .12 .06 -.17";
    let tail = "Tail1 Hips 0 .95 -.1
        Tail2 Tail1 0 .8 -.3
        Tail3 Tail2 0 .6 -.5
        Tail4 Tail3 0 .4 -.7";
    let wings = "Wing1* Chest .06 1.4 -.1
        Wing2* Wing1* .4 1.7 -.2
        Wing3* Wing2* .9 1.6 -.3
        Wing4* Wing3* 1.3 1.3 -.35";
    let weapon = "Weapon HandR -.8 1.4 .1
        WeaponTip Weapon -.8 1.4 .9";
    let kind = |label, shape, more: &str, fingers| {
        let parts = ["Collar*", "UpArm*", "LowArm*", "Hand*", "UpLeg*", "LowLeg*", "Foot*"];
        let trunk: (&str, &[&str], &str) = ("Hips", &["Spine", "Chest"], "Head");
        Kind::new(label, ["L", "R"], &body(shape, more, fingers), trunk, parts)
    };
    let human = [0.87, 0.45, 0.53, 0.3];
    vec![
        kind("long hair", human, hair, true),
        kind("a long skirt", human, skirt, true),
        kind("a tail", human, tail, true),
        kind("wings", human, wings, true),
        kind("a weapon", human, weapon, true),
        kind("no fingers", human, "", false),
        kind("a child", [0.45, 0.36, 0.33, 0.35], "", true),
        kind("short legs and a large head", [0.3, 0.4, 0.4, 0.9], "", false),
        kind("long legs", [1.1, 0.4, 0.55, 0.25], "", true),
        kind("long arms", [0.7, 0.5, 0.85, 0.3], "", true),
        kind("skirt, tail, wings, hair", human, &[hair, skirt, tail, wings].join("\n"), true),
    ]
}
