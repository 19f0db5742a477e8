//! Positions of the joints, and the skeleton.
//!
//! The code states the left side (+X); the right side is its mirror image. Every bone's +Y points along the bone. Its
//! +Z is chosen so that a positive rotation about +X flexes hip, elbow and fingers and lifts the foot. The knee flexes
//! by a negative rotation.

use glam::{Mat3, Quat, Vec3};
use kinescope_ik::rig::{Bone, LocalTransform, RigidTransform, Skeleton};

pub const PELVIS: Vec3 = Vec3::new(0.0, 0.965, -0.005);
pub const SPINE_1: Vec3 = Vec3::new(0.0, 1.065, -0.006);
pub const SPINE_2: Vec3 = Vec3::new(0.0, 1.18, -0.002);
pub const SPINE_3: Vec3 = Vec3::new(0.0, 1.31, -0.014);
pub const NECK: Vec3 = Vec3::new(0.0, 1.495, -0.026);
pub const HEAD: Vec3 = Vec3::new(0.0, 1.595, -0.006);
pub const HEAD_TOP: Vec3 = Vec3::new(0.0, 1.80, 0.0);

pub const CLAVICLE: Vec3 = Vec3::new(0.028, 1.452, 0.012);
pub const SHOULDER: Vec3 = Vec3::new(0.182, 1.435, -0.022);

pub const HIP: Vec3 = Vec3::new(0.092, 0.93, -0.002);
pub const KNEE: Vec3 = Vec3::new(0.111, 0.502, 0.018);
pub const ANKLE: Vec3 = Vec3::new(0.122, 0.085, -0.002);
pub const BALL: Vec3 = Vec3::new(0.133, 0.018, 0.125);
pub const TOE_TIP: Vec3 = Vec3::new(0.137, 0.012, 0.192);

const UPPER_ARM: f32 = 0.288;
const FOREARM: f32 = 0.252;
/// Tilt of upper arm and forearm relative to a diagonal of length √2. The elbow bends by 2 · atan(0.099 / √2) = 8°.
const ELBOW_SLOPE: f32 = 0.099;

/// Returns the direction from the shoulder to the elbow, which is slightly behind the shoulder.
pub fn upper_arm_direction() -> Vec3 {
    Vec3::new(1.0, -1.0, -ELBOW_SLOPE).normalize()
}

/// Returns the direction from the elbow to the wrist, which the hand continues.
pub fn forearm_direction() -> Vec3 {
    Vec3::new(1.0, -1.0, ELBOW_SLOPE).normalize()
}

pub fn elbow() -> Vec3 {
    SHOULDER + upper_arm_direction() * UPPER_ARM
}

pub fn wrist() -> Vec3 {
    elbow() + forearm_direction() * FOREARM
}

/// The axes of the left hand at the wrist.
#[derive(Clone, Copy)]
pub struct HandFrame {
    pub origin: Vec3,
    /// Points toward the fingers.
    pub along: Vec3,
    /// Points toward the thumb's side.
    pub side: Vec3,
    /// Points out of the back of the hand.
    pub back: Vec3,
}

impl HandFrame {
    pub fn left() -> Self {
        let along = forearm_direction();
        let side = (Vec3::Z - along * along.z).normalize();
        Self { origin: wrist(), along, side, back: side.cross(along) }
    }

    /// Returns the position of a point with these coordinates along the axes, in metres.
    pub fn point(&self, along: f32, side: f32, back: f32) -> Vec3 {
        self.origin + self.along * along + self.side * side + self.back * back
    }
}

/// A digit: positions of its three joints and its tip, and its radius at each.
pub struct Digit {
    pub name: &'static str,
    pub points: [Vec3; 4],
    pub radii: [f32; 4],
}

/// Returns the left hand's digits, thumb first.
pub fn digits() -> [Digit; 5] {
    let hand = HandFrame::left();
    let thumb = Digit {
        name: "thumb",
        points: [
            hand.point(0.020, 0.020, -0.007),
            hand.point(0.056, 0.046, -0.018),
            hand.point(0.086, 0.060, -0.026),
            hand.point(0.110, 0.066, -0.031),
        ],
        radii: [0.0150, 0.0122, 0.0108, 0.0085],
    };
    // Parameters: coordinates of the knuckle, slope toward the thumb's side, three bone lengths, four radii.
    let finger = |name, knuckle: [f32; 3], lean: f32, lengths: [f32; 3], radii: [f32; 4]| {
        let mut points = [hand.point(knuckle[0], knuckle[1], knuckle[2]); 4];
        // Relaxed fingers: each joint curls more than the previous one.
        for (index, curl) in [0.10, 0.26, 0.40].into_iter().enumerate() {
            let direction = (hand.along + hand.side * lean - hand.back * curl).normalize();
            points[index + 1] = points[index] + direction * lengths[index];
        }
        Digit { name, points, radii }
    };
    [
        thumb,
        finger("index", [0.088, 0.0320, 0.001], 0.125, [0.042, 0.025, 0.017], [0.0102, 0.0094, 0.0084, 0.0070]),
        finger("middle", [0.092, 0.0103, 0.003], 0.030, [0.046, 0.029, 0.018], [0.0103, 0.0096, 0.0086, 0.0072]),
        finger("ring", [0.088, -0.0110, 0.001], -0.055, [0.042, 0.027, 0.018], [0.0099, 0.0091, 0.0081, 0.0068]),
        finger("pinky", [0.083, -0.0315, -0.003], -0.165, [0.033, 0.020, 0.016], [0.0089, 0.0080, 0.0071, 0.0060]),
    ]
}

/// Returns the rotation whose +Y points along `along` and whose +Z is as close to `front` as possible.
pub fn frame(along: Vec3, front: Vec3) -> Quat {
    let y = along.normalize();
    let x = y.cross(front).normalize();
    Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y))).normalize()
}

/// Mirrors a rotation in the plane x = 0.
pub fn mirror_rotation(rotation: Quat) -> Quat {
    Quat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w)
}

/// Mirrors a point in the plane x = 0.
pub fn mirror_point(point: Vec3) -> Vec3 {
    Vec3::new(-point.x, point.y, point.z)
}

/// A bone in model space: its name, its parent's name, its origin and its rotation.
struct Placed {
    name: String,
    parent: Option<String>,
    at: RigidTransform,
}

fn place(name: &str, parent: &str, from: Vec3, to: Vec3, front: Vec3) -> Placed {
    Placed {
        name: name.to_owned(),
        parent: Some(parent.to_owned()),
        at: RigidTransform { position: from, rotation: frame(to - from, front) },
    }
}

/// Returns the left side's bones. Their names, and the names of parents on the left side, lack the prefix `left_`.
fn left_side() -> Vec<Placed> {
    let hand = HandFrame::left();
    let (elbow, wrist, palm) = (elbow(), wrist(), -hand.back);
    let mut bones = vec![
        place("clavicle", "spine_3", CLAVICLE, SHOULDER, Vec3::Z),
        place("upper_arm", "clavicle", SHOULDER, elbow, Vec3::Z),
        place("forearm", "upper_arm", elbow, wrist, Vec3::Z),
        place("hand", "forearm", wrist, wrist + hand.along, palm),
    ];
    for digit in digits() {
        // The thumb flexes across the palm.
        let front = if digit.name == "thumb" { palm - hand.side * 0.8 } else { palm };
        for index in 0..3 {
            let name = format!("{}_{}", digit.name, index + 1);
            let parent = if index == 0 { "hand".to_owned() } else { format!("{}_{index}", digit.name) };
            bones.push(place(&name, &parent, digit.points[index], digit.points[index + 1], front));
        }
    }
    bones.extend([
        place("thigh", "pelvis", HIP, KNEE, Vec3::Z),
        place("calf", "thigh", KNEE, ANKLE, Vec3::Z),
        place("foot", "calf", ANKLE, BALL, Vec3::Y),
        place("toes", "foot", BALL, TOE_TIP, Vec3::Y),
    ]);
    bones
}

pub fn skeleton() -> Skeleton {
    let root = Placed { name: "root".to_owned(), parent: None, at: RigidTransform::IDENTITY };
    let mut placed = vec![
        root,
        place("pelvis", "root", PELVIS, SPINE_1, Vec3::Z),
        place("spine_1", "pelvis", SPINE_1, SPINE_2, Vec3::Z),
        place("spine_2", "spine_1", SPINE_2, SPINE_3, Vec3::Z),
        place("spine_3", "spine_2", SPINE_3, NECK, Vec3::Z),
        place("neck", "spine_3", NECK, HEAD, Vec3::Z),
        place("head", "neck", HEAD, HEAD_TOP, Vec3::Z),
    ];
    let sided = |side: &str, name: &str| match name {
        "spine_3" | "pelvis" => name.to_owned(),
        _ => format!("{side}_{name}"),
    };
    for side in ["left", "right"] {
        for mut bone in left_side() {
            bone.name = sided(side, &bone.name);
            bone.parent = bone.parent.map(|parent| sided(side, &parent));
            if side == "right" {
                bone.at.position = mirror_point(bone.at.position);
                bone.at.rotation = mirror_rotation(bone.at.rotation);
            }
            placed.push(bone);
        }
    }
    let bones = placed.iter().map(|bone| {
        let parent = bone.parent.as_ref().and_then(|name| placed.iter().position(|other| other.name == *name));
        let local = parent.map_or(bone.at, |parent| placed[parent].at.to_local(&bone.at));
        let rest = LocalTransform { translation: local.position, rotation: local.rotation, scale: Vec3::ONE };
        Bone { name: bone.name.clone(), parent, rest }
    });
    Skeleton::new(bones.collect()).expect("every bone is placed after its parent")
}
