//! Reading bone names: the part of the body and the side that a name suggests.

/// A part of the body that a name can mean. The meaning of `Leg`, `Arm` and `Shoulder` differs between conventions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Pelvis,
    Spine,
    Neck,
    Head,
    Clavicle,
    /// Clavicle or upper arm.
    Shoulder,
    UpperArm,
    /// Upper arm, or any bone of an arm.
    Arm,
    Forearm,
    Hand,
    /// The hand, or a bone within it.
    Palm,
    Finger,
    Thigh,
    /// Thigh or calf, or any bone of a leg.
    Leg,
    Calf,
    Foot,
    Toe,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Side {
    pub fn other(self) -> Self {
        if self == Self::Left { Self::Right } else { Self::Left }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct NameEvidence {
    pub part: Option<Part>,
    pub side: Option<Side>,
    /// True for controls, twist bones, ends, clothing and the like, which are named after a part but are not its joint.
    pub is_helper: bool,
    /// The number of characters beyond the part's name, at most 255: 0 for `hand`, 4 for `hand grip`; all characters if
    /// no part is known. Words for sides, helpers and fillers do not count.
    pub spare_words: u8,
    /// True if the name marks the end of a chain and no other helper. Detection still treats the bone as a joint if one
    /// of its children is not an end.
    pub is_end: bool,
    /// A hash of the words without numbers, side, helpers and fillers. `upperleg01.L` and `upperleg02.R` have the same.
    pub stem: u64,
    /// The last number in the name; 0 without one.
    pub number: u32,
}

/// Words that mark a [helper](NameEvidence::is_helper).
const HELPERS: [&str; 49] = [
    "ik",
    "fk",
    "pole",
    "target",
    "ctrl",
    "control",
    "controller",
    "twist",
    "roll",
    "end",
    "nub",
    "leaf",
    "helper",
    "socket",
    "attach",
    "weapon",
    "mesh",
    "geo",
    "mch",
    "tip",
    "site",
    "effector",
    "footsteps",
    "jiggle",
    "skirt",
    "hair",
    "ribbon",
    "sleeve",
    "cloth",
    "breast",
    "bust",
    "tweak",
    "prop",
    "dummy",
    "locator",
    "marker",
    "collider",
    "heel",
    "rock",
    "backpack",
    "cape",
    "ear",
    "eye",
    "jaw",
    "tail",
    "wing",
    "aim",
    "scale",
    "parent",
];
/// The [`HELPERS`] that mark the end of a chain.
const ENDS: [&str; 5] = ["end", "nub", "leaf", "tip", "site"];
const FILLERS: [&str; 24] = [
    "mixamorig",
    "bip",
    "bip001",
    "bip01",
    "j",
    "b",
    "c",
    "def",
    "org",
    "bone",
    "joint",
    "jnt",
    "jt",
    "armature",
    "rig",
    "bn",
    "sk",
    "valvebiped",
    "valve",
    "biped",
    "bend",
    "skeleton",
    "x",
    "bind",
];
/// Words and their parts. Longer words come first if one contains another.
const PARTS: [(&str, Part); 70] = [
    ("thumb", Part::Finger),
    ("index", Part::Finger),
    ("middle", Part::Finger),
    ("ring", Part::Finger),
    ("pinky", Part::Finger),
    ("pinkie", Part::Finger),
    ("little", Part::Finger),
    ("finger", Part::Finger),
    ("metacarp", Part::Finger),
    ("carpal", Part::Finger),
    ("palm", Part::Palm),
    ("指", Part::Finger),
    ("toe", Part::Toe),
    ("ball", Part::Toe),
    ("つま先", Part::Toe),
    ("足先", Part::Toe),
    ("足首", Part::Foot),
    ("手首", Part::Hand),
    ("ankle", Part::Foot),
    ("foot", Part::Foot),
    ("feet", Part::Foot),
    ("forearm", Part::Forearm),
    ("lowerarm", Part::Forearm),
    ("lowarm", Part::Forearm),
    ("armlower", Part::Forearm),
    ("armlow", Part::Forearm),
    ("elbow", Part::Forearm),
    ("ひじ", Part::Forearm),
    ("肘", Part::Forearm),
    ("upperarm", Part::UpperArm),
    ("uparm", Part::UpperArm),
    ("armupper", Part::UpperArm),
    ("armup", Part::UpperArm),
    ("bicep", Part::UpperArm),
    ("shldr", Part::UpperArm),
    ("腕", Part::UpperArm),
    ("clavicle", Part::Clavicle),
    ("collar", Part::Clavicle),
    ("clav", Part::Clavicle),
    ("scapula", Part::Clavicle),
    ("肩", Part::Clavicle),
    ("shoulder", Part::Shoulder),
    ("wrist", Part::Hand),
    ("hand", Part::Hand),
    ("fist", Part::Hand),
    ("手", Part::Hand),
    ("thigh", Part::Thigh),
    ("upperleg", Part::Thigh),
    ("upleg", Part::Thigh),
    ("legupper", Part::Thigh),
    ("legup", Part::Thigh),
    ("femur", Part::Thigh),
    ("lowerleg", Part::Calf),
    ("lowleg", Part::Calf),
    ("leglower", Part::Calf),
    ("leglow", Part::Calf),
    ("calf", Part::Calf),
    ("shin", Part::Calf),
    ("knee", Part::Calf),
    ("tibia", Part::Calf),
    ("ひざ", Part::Calf),
    ("膝", Part::Calf),
    ("下半身", Part::Pelvis),
    ("pelvis", Part::Pelvis),
    ("hip", Part::Pelvis),
    ("足", Part::Thigh),
    ("脚", Part::Thigh),
    ("leg", Part::Leg),
    ("neck", Part::Neck),
    ("head", Part::Head),
];
/// Chinese, Japanese and Korean words, searched before the other tables. Longer words come first if one contains
/// another. `腕` alone is the Japanese arm, `手腕` the Chinese wrist.
const EAST_ASIAN: [(&str, Part); 90] = [
    ("趾", Part::Toe),
    ("脚尖", Part::Toe),
    ("腳尖", Part::Toe),
    ("발가락", Part::Toe),
    ("발끝", Part::Toe),
    ("손가락", Part::Finger),
    ("足首", Part::Foot),
    ("脚踝", Part::Foot),
    ("腳踝", Part::Foot),
    ("踝", Part::Foot),
    ("脚掌", Part::Foot),
    ("腳掌", Part::Foot),
    ("脚腕", Part::Foot),
    ("くるぶし", Part::Foot),
    ("발목", Part::Foot),
    ("손바닥", Part::Palm),
    ("手掌", Part::Hand),
    ("手腕", Part::Hand),
    ("手首", Part::Hand),
    ("손목", Part::Hand),
    ("前腕", Part::Forearm),
    ("下腕", Part::Forearm),
    ("前臂", Part::Forearm),
    ("下臂", Part::Forearm),
    ("小臂", Part::Forearm),
    ("手肘", Part::Forearm),
    ("아래팔", Part::Forearm),
    ("팔꿈치", Part::Forearm),
    ("팔뚝", Part::Forearm),
    ("전완", Part::Forearm),
    ("上腕", Part::UpperArm),
    ("二の腕", Part::UpperArm),
    ("上臂", Part::UpperArm),
    ("大臂", Part::UpperArm),
    ("위팔", Part::UpperArm),
    ("윗팔", Part::UpperArm),
    ("상완", Part::UpperArm),
    ("锁骨", Part::Clavicle),
    ("鎖骨", Part::Clavicle),
    ("쇄골", Part::Clavicle),
    ("빗장뼈", Part::Clavicle),
    ("어깨", Part::Shoulder),
    ("手臂", Part::Arm),
    ("胳膊", Part::Arm),
    ("臂", Part::Arm),
    ("大腿", Part::Thigh),
    ("太腿", Part::Thigh),
    ("太もも", Part::Thigh),
    ("ふともも", Part::Thigh),
    ("股関節", Part::Thigh),
    ("허벅지", Part::Thigh),
    ("넓적다리", Part::Thigh),
    ("윗다리", Part::Thigh),
    ("小腿", Part::Calf),
    ("すね", Part::Calf),
    ("脛", Part::Calf),
    ("ふくらはぎ", Part::Calf),
    ("종아리", Part::Calf),
    ("정강이", Part::Calf),
    ("아랫다리", Part::Calf),
    ("무릎", Part::Calf),
    ("骨盆", Part::Pelvis),
    ("骨盤", Part::Pelvis),
    ("盆骨", Part::Pelvis),
    ("髋", Part::Pelvis),
    ("髖", Part::Pelvis),
    ("胯", Part::Pelvis),
    ("センター", Part::Pelvis),
    ("골반", Part::Pelvis),
    ("엉덩이", Part::Pelvis),
    ("腿", Part::Leg),
    ("다리", Part::Leg),
    ("颈", Part::Neck),
    ("頸", Part::Neck),
    ("脖", Part::Neck),
    ("头", Part::Head),
    ("頭", Part::Head),
    ("머리", Part::Head),
    ("脊", Part::Spine),
    ("背骨", Part::Spine),
    ("腰", Part::Spine),
    ("腹", Part::Spine),
    ("척추", Part::Spine),
    ("허리", Part::Spine),
    ("가슴", Part::Spine),
    ("복부", Part::Spine),
    ("팔", Part::Arm),
    ("손", Part::Hand),
    ("발", Part::Foot),
    ("목", Part::Neck),
];
/// Chinese, Japanese and Korean words that mark a helper, like [`HELPERS`].
const EAST_ASIAN_HELPERS: [&str; 57] = [
    "头发",
    "髮",
    "髪",
    "发",
    "머리카락",
    "控制",
    "コントロール",
    "컨트롤",
    "目标",
    "目標",
    "ターゲット",
    "목표",
    "타겟",
    "末端",
    "扭",
    "ねじり",
    "ツイスト",
    "트위스트",
    "비틀",
    "翅",
    "翼",
    "羽",
    "날개",
    "尾",
    "しっぽ",
    "꼬리",
    "裙",
    "スカート",
    "치마",
    "스커트",
    "袖",
    "소매",
    "マント",
    "披风",
    "斗篷",
    "망토",
    "リボン",
    "리본",
    "武器",
    "무기",
    "剑",
    "劍",
    "剣",
    "道具",
    "소품",
    "耳",
    "귀",
    "眼",
    "瞳",
    "눈",
    "顎",
    "颚",
    "下巴",
    "턱",
    "舌",
    "혀",
    "辅助",
];
const CENTRE: [(&str, Part); 17] = [
    ("首", Part::Neck),
    ("頭", Part::Head),
    ("上半身", Part::Spine),
    ("胸", Part::Spine),
    ("spine", Part::Spine),
    ("chest", Part::Spine),
    ("torso", Part::Spine),
    ("tummy", Part::Spine),
    ("abdomen", Part::Spine),
    ("stomach", Part::Spine),
    ("belly", Part::Spine),
    ("thorax", Part::Spine),
    ("waist", Part::Spine),
    ("body", Part::Spine),
    ("back", Part::Spine),
    ("arm", Part::Arm),
    ("trunk", Part::Spine),
];

fn known_words() -> impl Iterator<Item = (&'static str, Part)> {
    EAST_ASIAN.iter().chain(&PARTS).chain(&CENTRE).copied()
}

/// Reads all names of a skeleton. `足` and `脚` mean the whole leg in Japanese, but the foot in a skeleton in which any
/// name has a word for the leg (`腿`) or the thigh (`もも`).
pub(super) fn read_names<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<NameEvidence> {
    let is_leg_named = names.clone().any(|name| ["腿", "もも"].iter().any(|word| name.contains(word)));
    let read = |name: &str| {
        let mut evidence = read_name(name);
        let is_foot = name.contains(['足', '脚']) && evidence.part == Some(Part::Thigh) && !name.contains(['腿', '股']);
        if is_leg_named && is_foot && !name.contains("もも") {
            evidence.part = Some(Part::Foot);
        }
        evidence
    };
    names.map(read).collect()
}

pub(super) fn read_name(name: &str) -> NameEvidence {
    let mut evidence = NameEvidence::default();
    let mut rest = name.to_owned();
    // Longer marks come first if one contains another.
    for (mark, side) in [
        ("左", Side::Left),
        ("右", Side::Right),
        ("왼쪽", Side::Left),
        ("오른쪽", Side::Right),
        ("왼", Side::Left),
        ("오른", Side::Right),
        ("좌측", Side::Left),
        ("우측", Side::Right),
    ] {
        if rest.contains(mark) {
            evidence.side = Some(side);
            rest = rest.replace(mark, " ");
        }
    }
    // Names of hair, clothing, weapons and controls also contain words for the head and the limbs.
    evidence.is_helper |= EAST_ASIAN_HELPERS.iter().any(|mark| rest.contains(mark));
    evidence.is_helper |=
        ["捩", "ＩＫ", "親", "先", "補助", "ダミー", "キャンセル"].iter().any(|mark| rest.contains(mark))
            && !rest.contains("つま先")
            && !rest.contains("親指");
    let mut kept: Vec<String> = Vec::new();
    for word in words(&rest) {
        let side = match word.as_str() {
            "l" | "left" | "lft" | "lf" | "lt" => Some(Side::Left),
            "r" | "right" | "rgt" | "rt" | "rg" => Some(Side::Right),
            _ => None,
        };
        if let Some(side) = side {
            evidence.side = evidence.side.or(Some(side));
        } else if ENDS.contains(&word.as_str()) {
            evidence.is_end = true;
        } else if HELPERS.contains(&word.as_str()) {
            evidence.is_helper = true;
        } else if !FILLERS.contains(&word.as_str()) {
            kept.push(word);
        }
    }
    let mut joined: String = kept.concat();
    evidence.part = part(&joined);
    if evidence.side.is_none() {
        // A side without separator: `leftarm`, `rfoot`, `upperarml`. A single letter counts only if a known part
        // remains.
        for (mark, side) in [("left", Side::Left), ("right", Side::Right)] {
            if let Some(at) = joined.find(mark) {
                joined.replace_range(at..at + mark.len(), "");
                evidence.side = Some(side);
                evidence.part = part(&joined);
                break;
            }
        }
        let whole = |text: &str| known_words().any(|(word, _)| word == text);
        if evidence.side.is_none() && !whole(&joined) {
            for (mark, side) in [('l', Side::Left), ('r', Side::Right)] {
                let glued =
                    [joined.strip_prefix(mark), joined.strip_suffix(mark)].into_iter().flatten().find(|t| whole(t));
                if let Some(glued) = glued {
                    evidence.side = Some(side);
                    joined = glued.to_owned();
                    evidence.part = part(&joined);
                    break;
                }
            }
        }
    }
    if evidence.part == Some(Part::Pelvis) && evidence.side.is_some() {
        // `LeftHip` is the start of the thigh; a pelvis with a side is a helper.
        if ["hip", "髋", "髖", "胯", "엉덩이"].iter().any(|word| joined.contains(word)) {
            evidence.part = Some(Part::Thigh);
        } else {
            evidence.is_helper = true;
        }
    }
    evidence.is_end &= !evidence.is_helper;
    evidence.is_helper |= evidence.is_end;
    evidence.stem = joined.bytes().fold(0, |hash: u64, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    let digits = name.rsplit(|c: char| !c.is_ascii_digit()).find(|digits| !digits.is_empty());
    evidence.number = digits.and_then(|digits| digits.parse().ok()).unwrap_or(0);
    let bulk = joined.chars().count();
    let known = known_words().filter(|(word, _)| joined.contains(word)).map(|(word, _)| word.chars().count());
    evidence.spare_words = bulk.saturating_sub(known.max().unwrap_or(0)).min(255) as u8;
    evidence
}

fn part(joined: &str) -> Option<Part> {
    known_words().find(|(word, _)| joined.contains(word)).map(|(_, part)| part)
}

/// Splits a name into lower-case words: at non-letters, at changes of case, and between Latin and other letters.
fn words(name: &str) -> Vec<String> {
    let characters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (at, &c) in characters.iter().enumerate() {
        if !c.is_alphabetic() {
            words.push(String::new());
            continue;
        }
        let before = at.checked_sub(1).map(|at| characters[at]);
        let after = characters.get(at + 1);
        // Letters of different scripts belong to different words: `脚IK` is two.
        let is_latin = |c: char| c < '\u{250}';
        let changes = before.is_some_and(|before| before.is_alphabetic() && is_latin(before) != is_latin(c));
        let starts = changes
            || c.is_uppercase()
                && (before.is_some_and(char::is_lowercase)
                    || before.is_some_and(char::is_uppercase) && after.is_some_and(|c| c.is_lowercase()));
        if starts {
            words.push(String::new());
        }
        words.last_mut().into_iter().for_each(|word| word.extend(c.to_lowercase()));
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conventions() {
        use Part::*;
        let (left, right) = (Some(Side::Left), Some(Side::Right));
        for (name, part, side) in [
            ("mixamorig:LeftUpLeg", Thigh, left),
            ("mixamorig:LeftLeg", Leg, left),
            ("mixamorig:RightForeArm", Forearm, right),
            ("upperarm_l", UpperArm, left),
            ("lowerarm.r", Forearm, right),
            ("thigh.l_Armature", Thigh, left),
            ("upper_leg.R", Thigh, right),
            ("lower_arm.L", Forearm, left),
            ("Bip01 L Thigh", Thigh, left),
            ("Bip01 R Toe0", Toe, right),
            ("J_Bip_L_UpperArm", UpperArm, left),
            ("J_Bip_R_LowerLeg", Calf, right),
            ("J_Bip_C_Hips", Pelvis, None),
            ("UpperArmL", UpperArm, left),
            ("lShldrBend", UpperArm, left),
            ("rForearmBend", Forearm, right),
            ("l-arm", Arm, left),
            ("leftarm", Arm, left),
            ("Foot.L_043", Foot, left),
            ("Left leg", Leg, left),
            ("LeftHip", Thigh, left),
            ("左腕", UpperArm, left),
            ("右ひじ", Forearm, right),
            ("左足首", Foot, left),
            ("右足", Thigh, right),
            ("左肩", Clavicle, left),
            ("上半身2", Spine, None),
            ("頭", Head, None),
            ("骨盆", Pelvis, None),
            ("头", Head, None),
            ("左腿", Leg, left),
            ("左大腿", Thigh, left),
            ("右小腿", Calf, right),
            ("右手腕", Hand, right),
            ("左前臂", Forearm, left),
            ("右上腕", UpperArm, right),
            ("左前腕", Forearm, left),
            ("左ひじ", Forearm, left),
            ("センター", Pelvis, None),
            ("머리", Head, None),
            ("목", Neck, None),
            ("왼팔", Arm, left),
            ("오른쪽 손목", Hand, right),
            ("왼발목", Foot, left),
            ("오른허벅지", Thigh, right),
            ("leg_joint_L_1", Leg, left),
            ("arm_joint_R_2", Arm, right),
            ("DEF-forearm.L", Forearm, left),
            ("CC_Base_L_Calf", Calf, left),
            ("ValveBiped.Bip01_R_Foot", Foot, right),
            ("spine_01", Spine, None),
            ("Head", Head, None),
        ] {
            let read = read_name(name);
            assert_eq!((read.part, read.side), (Some(part), side), "{name}");
            assert!(!read.is_helper, "{name}");
        }
        for pair in [["upperarml", "upperarmr"], ["lfoot", "rfoot"], ["foot_l", "foot_r"], ["leftarm", "rightarm"]] {
            let [left, right] = pair.map(read_name);
            assert_eq!((left.part, left.stem, left.spare_words), (right.part, right.stem, 0), "{pair:?}");
        }
        for name in [
            "kneeIK.l",
            "ball_leaf_l",
            "pelvis.L",
            "upperarm_twist_01_l",
            "Bip01 Footsteps",
            "左足ＩＫ",
            "头发",
            "머리카락",
            "左脚IK",
            "왼발IK",
            "左手武器",
            "右手武器",
            "오른쪽 손무기",
            "左上臂扭转",
            "左腕ツイスト",
            "왼쪽 위팔트위스트",
            "左翅膀",
            "右袖",
            "左スカート足",
        ] {
            assert!(read_name(name).is_helper, "{name}");
        }
    }
}
