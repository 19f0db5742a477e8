//! The clips: idle, walk, run, reach, lean.
//!
//! Each clip is a function of the phase, 0 to 1 over one cycle: displacement of the pelvis, rotations of pelvis, chest
//! and head, positions of the feet, and the swing of the arms or the position of a hand. Legs and reaching arms are
//! solved as two-bone limbs with a pole. The result is baked into keys at equal steps of time: the translation of the
//! pelvis, and the rotation of each bone that leaves its rest rotation.
//!
//! A standing foot rolls over its heel or its ball, so it does not sink at any pitch. Walk and run are in place: a
//! standing foot moves back at the constant speed of the ground.

use std::f32::consts::TAU;

use glam::{EulerRot, Mat3, Quat, Vec3};
use kinescope_ik::animation::{Clip, Interpolation, Track, TrackValues};
use kinescope_ik::rig::{BoneIndex, ModelPose, RigidTransform, Skeleton};

use super::bones::{ANKLE, mirror_point, mirror_rotation};
use super::shape::smooth_step;

/// The left foot at rest and the points over which it rolls, in model space, and the scale of its strides.
pub struct Stand {
    /// The origin of the foot bone.
    pub ankle: Vec3,
    /// The pivot while the toes are up. A foot without a heel never lifts its toes.
    pub heel: Option<Vec3>,
    /// The pivot while the heel is up.
    pub ball: Vec3,
    /// Factor for the length of strides and the roll of the feet: 1 for the human.
    pub stride: f32,
}

pub const HUMAN: Stand =
    Stand { ankle: ANKLE, heel: Some(Vec3::new(0.12, 0.0, -0.056)), ball: Vec3::new(0.13, 0.0, 0.136), stride: 1.0 };

pub fn clips(skeleton: &Skeleton, rest: &ModelPose, stand: &Stand) -> Vec<Clip> {
    let rig = Rig::new(skeleton, rest, stand);
    vec![
        rig.bake("idle", 4.0, 60, idle),
        rig.bake("walk", 1.1, 33, walk),
        rig.bake("run", 0.7, 21, run),
        rig.bake("reach", 3.0, 90, reach),
        rig.bake("lean", 2.0, 60, lean),
    ]
}

/// A rotation of a part of the body, in degrees: nod forward, turn left, lean right (the left side rises).
#[derive(Clone, Copy, Default)]
struct Turn {
    nod: f32,
    left: f32,
    lean: f32,
}

impl Turn {
    fn rotation(self) -> Quat {
        let [left, nod, lean] = [self.left, self.nod, self.lean].map(f32::to_radians);
        Quat::from_euler(EulerRot::YXZ, left, nod, lean)
    }
}

/// The pose of a foot, stated for the left side.
#[derive(Clone, Copy, Default)]
struct Foot {
    /// Displacement forward of rest, in metres.
    forward: f32,
    /// Displacement above rest, in metres.
    up: f32,
    /// Pitch in degrees: positive lifts the heel over the ball, negative the toes over the heel.
    pitch: f32,
    /// Share of a lifted heel's pitch that the toes follow: 0 leaves them level.
    toes: f32,
}

/// The pose of an arm, stated for the left side.
#[derive(Clone, Copy)]
enum Arm {
    /// Rotations from the rest pose in degrees: the arm lowered and swung forward, the elbow flexed.
    Hanging { lowered: f32, swing: f32, elbow: f32 },
    /// The wrist is on a quadratic Bézier curve from where the hanging arm has it (`amount` 0) to `wrist` (1), with the
    /// control point `by`, in model space. The direction of the elbow is blended from the hanging arm's to `elbow` by
    /// `amount`.
    Reaching { amount: f32, by: Vec3, wrist: Vec3, elbow: Vec3 },
}

/// The pose at one phase. Feet and arms are stated for the left side.
struct Stance {
    /// Displacement of the pelvis from rest, in metres.
    shift: Vec3,
    pelvis: Turn,
    chest: Turn,
    head: Turn,
    feet: [Foot; 2],
    arms: [Arm; 2],
}

const HANGING: Arm = Arm::Hanging { lowered: 31.0, swing: 1.0, elbow: 8.0 };

/// Stands: the chest breathes, and the weight shifts between the legs.
fn idle(phase: f32) -> Stance {
    let weight = (TAU * phase).sin();
    let breath = (TAU * phase * 2.0 - 0.6).sin();
    let arm = |side: f32| Arm::Hanging {
        lowered: 31.0 - 0.7 * breath,
        swing: 1.0 + 1.2 * side * (TAU * phase - 0.8).sin(),
        elbow: 9.0 + 1.5 * (TAU * phase - 1.2).sin(),
    };
    Stance {
        shift: Vec3::new(0.016 * weight, -0.005 - 0.003 * weight * weight, 0.004 * (TAU * phase - 1.0).sin()),
        pelvis: Turn { nod: 0.0, left: 0.8 * weight, lean: 1.3 * weight },
        chest: Turn { nod: -0.9 * breath, left: -0.6 * (TAU * phase - 0.5).sin(), lean: -0.9 * weight },
        head: Turn { nod: 0.5 * breath, left: 1.8 * (TAU * phase + 0.9).sin(), lean: -0.4 * weight },
        feet: [Foot::default(); 2],
        arms: [arm(1.0), arm(-1.0)],
    }
}

/// The movement of a foot over one period.
struct Stride {
    /// Share of the period in which the foot stands.
    standing: f32,
    /// Position of the landing, forward of rest, in metres.
    ahead: f32,
    /// Displacement of the ground over a whole period, in metres.
    length: f32,
    up: &'static [[f32; 2]],
    pitch: &'static [[f32; 2]],
    toes: &'static [[f32; 2]],
}

impl Stride {
    fn foot(&self, phase: f32) -> Foot {
        let phase = phase.rem_euclid(1.0);
        let forward = if phase < self.standing {
            self.ahead - self.length * phase
        } else {
            // The foot swings forward, leaving and landing at the speed of the ground.
            let span = 1.0 - self.standing;
            let t = (phase - self.standing) / span;
            let from = self.ahead - self.length * self.standing;
            let (t2, t3) = (t * t, t * t * t);
            let speed = -self.length * span;
            from + (self.ahead - from) * (3.0 * t2 - 2.0 * t3) + speed * (t - 3.0 * t2 + 2.0 * t3)
        };
        Foot { forward, up: curve(self.up, phase), pitch: curve(self.pitch, phase), toes: curve(self.toes, phase) }
    }
}

/// Returns a value of the closed curve through `[phase, value]` points. It is monotonic between points.
fn curve(points: &[[f32; 2]], phase: f32) -> f32 {
    let count = points.len() as isize;
    let point = |index: isize| {
        let [at, value] = points[index.rem_euclid(count) as usize];
        [at + index.div_euclid(count) as f32, value]
    };
    let rise = |index: isize| {
        let ([a, from], [b, to]) = (point(index), point(index + 1));
        (to - from) / (b - a)
    };
    let slope = |index: isize| {
        let (before, after) = (rise(index - 1), rise(index));
        if before * after <= 0.0 { 0.0 } else { 2.0 * before * after / (before + after) }
    };
    let from = points.partition_point(|[at, _]| *at <= phase) as isize - 1;
    let ([a, start], [b, end]) = (point(from), point(from + 1));
    let span = b - a;
    let t = (phase - a) / span;
    let (t2, t3) = (t * t, t * t * t);
    start * (1.0 - 3.0 * t2 + 2.0 * t3)
        + end * (3.0 * t2 - 2.0 * t3)
        + slope(from) * span * (t - 2.0 * t2 + t3)
        + slope(from + 1) * span * (t3 - t2)
}

/// Walks at 1 m/s times [`Stand::stride`]; the left foot lands at phase 0.
fn walk(phase: f32) -> Stance {
    const STRIDE: Stride = Stride {
        standing: 0.62,
        ahead: 0.29,
        length: 1.1,
        up: &[[0.0, 0.0], [0.62, 0.0], [0.74, 0.050], [0.86, 0.034], [0.97, 0.004]],
        pitch: &[[0.0, -19.0], [0.11, 0.0], [0.34, 0.0], [0.50, 15.0], [0.63, 44.0], [0.80, 4.0], [0.93, -19.0]],
        toes: &[[0.0, 0.0], [0.60, 0.0], [0.74, 0.55], [0.90, 0.0]],
    };
    let (sine, cosine) = (TAU * phase).sin_cos();
    let arm = |forward: f32| Arm::Hanging { lowered: 31.0, swing: 2.0 + 19.0 * forward, elbow: 14.0 + 9.0 * forward };
    // The arms lag slightly behind the legs.
    let swing = (TAU * (phase - 0.03)).cos();
    Stance {
        shift: Vec3::new(
            0.017 * (TAU * (phase - 0.03)).sin(),
            -0.027 - 0.017 * (2.0 * TAU * (phase - 0.06)).cos(),
            0.008 * (2.0 * TAU * (phase - 0.20)).cos(),
        ),
        pelvis: Turn { nod: 1.5, left: -6.0 * cosine, lean: 3.0 * sine },
        chest: Turn { nod: 2.5, left: 5.5 * cosine, lean: -1.5 * sine },
        head: Turn { nod: 0.5, left: 0.8 * cosine, lean: -0.3 * sine },
        feet: [STRIDE.foot(phase), STRIDE.foot(phase + 0.5)],
        arms: [arm(-swing), arm(swing)],
    }
}

/// Runs; the left foot lands at phase 0.
fn run(phase: f32) -> Stance {
    const STRIDE: Stride = Stride {
        standing: 0.36,
        ahead: 0.21,
        length: 1.72,
        up: &[[0.0, 0.0], [0.36, 0.0], [0.46, 0.12], [0.60, 0.31], [0.74, 0.25], [0.88, 0.08], [0.98, 0.003]],
        pitch: &[
            [0.0, -6.0],
            [0.06, 0.0],
            [0.16, 0.0],
            [0.28, 24.0],
            [0.38, 58.0],
            [0.54, 74.0],
            [0.74, 22.0],
            [0.92, -6.0],
        ],
        toes: &[[0.0, 0.0], [0.35, 0.0], [0.50, 0.75], [0.70, 0.75], [0.90, 0.0]],
    };
    let (sine, cosine) = (TAU * (phase - 0.05)).sin_cos();
    let arm = |forward: f32| Arm::Hanging { lowered: 27.0, swing: 2.0 + 37.0 * forward, elbow: 80.0 + 12.0 * forward };
    Stance {
        shift: Vec3::new(
            0.010 * (TAU * (phase - 0.03)).sin(),
            -0.056 - 0.032 * (2.0 * TAU * (phase - 0.17)).cos(),
            0.0,
        ),
        pelvis: Turn { nod: 6.0, left: -8.0 * cosine, lean: 3.0 * sine },
        chest: Turn { nod: 11.0, left: 11.0 * cosine, lean: -2.0 * sine },
        head: Turn { nod: 3.0, left: 1.5 * cosine, lean: 0.0 },
        feet: [STRIDE.foot(phase), STRIDE.foot(phase + 0.5)],
        arms: [arm(-cosine), arm(cosine)],
    }
}

/// Reaches up and forward with the right hand, and returns.
fn reach(phase: f32) -> Stance {
    let amount = smooth_step(0.04, 0.46, phase) * smooth_step(0.98, 0.56, phase);
    let sway = (TAU * phase).sin();
    Stance {
        shift: Vec3::new(-0.018 * amount, -0.005 + 0.002 * amount, 0.028 * amount),
        pelvis: Turn { nod: 1.0 * amount, left: 4.0 * amount, lean: 0.5 * amount },
        chest: Turn { nod: -2.0 * amount, left: 13.0 * amount, lean: -4.0 * amount },
        head: Turn { nod: -10.0 * amount, left: -5.0 * amount, lean: 0.0 },
        feet: [Foot::default(); 2],
        arms: [
            Arm::Hanging {
                lowered: 31.0 - 3.0 * amount,
                swing: 1.0 - 9.0 * amount + 0.5 * sway,
                elbow: 8.0 + 8.0 * amount,
            },
            // Stated for the left side: +X points away from the body's middle.
            Arm::Reaching {
                amount,
                by: Vec3::new(0.27, 1.12, 0.44),
                wrist: Vec3::new(0.19, 1.69, 0.495),
                elbow: Vec3::new(0.45, -0.90, 0.0),
            },
        ],
    }
}

/// Leans from upright to the left, to the right, and back.
fn lean(phase: f32) -> Stance {
    let amount = (TAU * phase).sin();
    let arm = |side: f32| Arm::Hanging { lowered: 31.0 - 4.0 * side * amount, swing: 1.0, elbow: 9.0 };
    Stance {
        shift: Vec3::new(-0.02 * amount, -0.005, 0.0),
        pelvis: Turn { nod: 0.0, left: 0.0, lean: -3.0 * amount },
        chest: Turn { nod: 0.0, left: 0.0, lean: -13.0 * amount },
        head: Turn { nod: 0.0, left: 0.0, lean: 7.0 * amount },
        feet: [Foot::default(); 2],
        arms: [arm(1.0), arm(-1.0)],
    }
}

struct LimbBones {
    /// Upper arm or thigh, forearm or calf, hand or foot.
    bones: [BoneIndex; 3],
    toes: Option<BoneIndex>,
}

struct Rig<'a> {
    skeleton: &'a Skeleton,
    rest: &'a ModelPose,
    stand: &'a Stand,
    pelvis: BoneIndex,
    spine: [BoneIndex; 3],
    neck: [BoneIndex; 2],
    legs: [LimbBones; 2],
    arms: [LimbBones; 2],
}

impl<'a> Rig<'a> {
    fn new(skeleton: &'a Skeleton, rest: &'a ModelPose, stand: &'a Stand) -> Self {
        let bone = |name: &str| skeleton.find(name).expect("the skeleton has this bone");
        let limb = |side: &str, names: [&str; 3], toes: Option<&str>| LimbBones {
            bones: names.map(|name| bone(&format!("{side}_{name}"))),
            toes: toes.map(|name| bone(&format!("{side}_{name}"))),
        };
        Self {
            skeleton,
            rest,
            stand,
            pelvis: bone("pelvis"),
            spine: ["spine_1", "spine_2", "spine_3"].map(bone),
            neck: ["neck", "head"].map(bone),
            legs: ["left", "right"].map(|side| limb(side, ["thigh", "calf", "foot"], Some("toes"))),
            arms: ["left", "right"].map(|side| limb(side, ["upper_arm", "forearm", "hand"], None)),
        }
    }

    /// Sets a bone's rotation in model space and moves its descendants with it.
    fn turn(&self, pose: &mut ModelPose, bone: BoneIndex, rotation: Quat) {
        let before = pose.bones[bone];
        let after = RigidTransform { position: before.position, rotation: rotation.normalize() };
        for index in bone..self.skeleton.len() {
            if index == bone || self.skeleton.is_ancestor(bone, index) {
                pose.bones[index] = after.transform(&before.to_local(&pose.bones[index]));
            }
        }
    }

    /// Rotates a bone by `turn` from its rest rotation, in model space.
    fn turn_from_rest(&self, pose: &mut ModelPose, bone: BoneIndex, turn: Quat) {
        self.turn(pose, bone, turn * self.rest.bones[bone].rotation);
    }

    /// Solves a limb so that its third bone is at `end`, or as near as the limb reaches, with the middle joint toward
    /// `pole`.
    fn solve(&self, pose: &mut ModelPose, limb: &LimbBones, end: Vec3, pole: Vec3) {
        let [first, middle, last] = limb.bones;
        let rest = limb.bones.map(|bone| self.rest.position(bone));
        let (upper, lower) = (rest[0].distance(rest[1]), rest[1].distance(rest[2]));
        let from = pose.position(first);
        let along = (end - from).normalize();
        let reach = (end - from).length().clamp((upper - lower).abs() + 1e-3, (upper + lower) * 0.9995);
        let pole = (pole - along * pole.dot(along)).normalize();
        let near = (upper * upper - lower * lower + reach * reach) / (2.0 * reach);
        let joint = from + along * near + pole * (upper * upper - near * near).max(0.0).sqrt();
        let end = from + along * reach;
        let frame = |from: Vec3, joint: Vec3, end: Vec3, bone: Vec3| {
            let hinge = (joint - from).cross(end - joint).normalize();
            let bone = bone.normalize();
            Quat::from_mat3(&Mat3::from_cols(bone, hinge, bone.cross(hinge)))
        };
        let [a, b, c] = rest;
        let turn = frame(from, joint, end, joint - from) * frame(a, b, c, b - a).conjugate();
        self.turn_from_rest(pose, first, turn);
        let turn = frame(from, joint, end, end - joint) * frame(a, b, c, c - b).conjugate();
        self.turn_from_rest(pose, middle, turn);
        debug_assert!(pose.position(last).distance(end) < 1e-3);
    }

    fn pose(&self, stance: &Stance) -> ModelPose {
        let mut pose = self.rest.clone();
        for bone in self.pelvis..self.skeleton.len() {
            pose.bones[bone].position += stance.shift;
        }
        let (pelvis, chest) = (stance.pelvis.rotation(), stance.chest.rotation());
        self.turn_from_rest(&mut pose, self.pelvis, pelvis);
        for (bone, share) in self.spine.into_iter().zip([0.33, 0.67, 1.0]) {
            self.turn_from_rest(&mut pose, bone, pelvis.slerp(chest, share));
        }
        let head = stance.head.rotation();
        for (bone, share) in self.neck.into_iter().zip([0.5, 1.0]) {
            self.turn_from_rest(&mut pose, bone, chest.slerp(head, share));
        }
        for side in 0..2 {
            self.pose_leg(&mut pose, side, &stance.feet[side]);
            self.pose_arm(&mut pose, side, &stance.arms[side], chest);
        }
        pose
    }

    fn pose_leg(&self, pose: &mut ModelPose, side: usize, foot: &Foot) {
        let Stand { ankle, heel, ball, stride } = *self.stand;
        let leg = &self.legs[side];
        let least = if heel.is_some() { f32::NEG_INFINITY } else { 0.0 };
        let pitch = (foot.pitch * stride).max(least);
        let turn = Quat::from_rotation_x(pitch.to_radians());
        let pivot = heel.filter(|_| pitch <= 0.0).unwrap_or(ball);
        let ankle = pivot + turn * (ankle - pivot) + Vec3::new(0.0, foot.up, foot.forward * stride);
        // The knees point slightly outward, like the feet.
        let (ankle, pole) = mirrored_pair(side, ankle, Vec3::new(0.07, 0.0, 1.0));
        self.solve(pose, leg, ankle, pole);
        self.turn_from_rest(pose, leg.bones[2], turn);
        let lifted = pitch.max(0.0) * foot.toes + pitch.min(0.0);
        if let Some(toes) = leg.toes {
            self.turn_from_rest(pose, toes, Quat::from_rotation_x(lifted.to_radians()));
        }
    }

    fn pose_arm(&self, pose: &mut ModelPose, side: usize, arm: &Arm, chest: Quat) {
        let bones = &self.arms[side];
        let hang = |pose: &mut ModelPose, lowered: f32, swing: f32, elbow: f32| {
            let lower = Quat::from_rotation_z(-lowered.to_radians());
            let lower = if side == 1 { mirror_rotation(lower) } else { lower };
            let swing = Quat::from_rotation_x(-swing.to_radians());
            self.turn_from_rest(pose, bones.bones[0], chest * swing * lower);
            let forearm = pose.bones[bones.bones[1]].rotation;
            self.turn(pose, bones.bones[1], forearm * Quat::from_rotation_x(elbow.to_radians()));
        };
        match *arm {
            Arm::Hanging { lowered, swing, elbow } => hang(pose, lowered, swing, elbow),
            Arm::Reaching { amount, by, wrist, elbow } => {
                if let Arm::Hanging { lowered, swing, elbow } = HANGING {
                    hang(pose, lowered, swing, elbow);
                }
                let [shoulder, joint, start] = bones.bones.map(|bone| pose.position(bone));
                let (by, wrist) = mirrored_pair(side, by, wrist);
                let (elbow, _) = mirrored_pair(side, elbow, Vec3::ZERO);
                let end = start.lerp(by, amount).lerp(by.lerp(wrist, amount), amount);
                let along = (start - shoulder).normalize();
                let hanging = (joint - shoulder) - along * (joint - shoulder).dot(along);
                self.solve(pose, bones, end, hanging.normalize().lerp(elbow, amount));
                // The wrist bends back by up to 0.35 rad.
                let hand = pose.bones[bones.bones[2]].rotation;
                self.turn(pose, bones.bones[2], hand * Quat::from_rotation_x(-0.35 * amount));
            }
        }
    }

    fn bake(&self, name: &str, duration: f32, steps: usize, stance: fn(f32) -> Stance) -> Clip {
        let like = self.skeleton.rest_pose();
        // The last key is the first one exactly, without rounding errors.
        let poses = (0..=steps).map(|step| {
            let phase = (step % steps) as f32 / steps as f32;
            self.pose(&stance(phase)).to_local(self.skeleton, &like)
        });
        let poses: Vec<_> = poses.collect();
        let times: Vec<f32> = (0..=steps).map(|step| duration * step as f32 / steps as f32).collect();
        let mut tracks = Vec::new();
        let translations: Vec<Vec3> = poses.iter().map(|pose| pose.bones[self.pelvis].translation).collect();
        let track = |bone, values| Track { bone, interpolation: Interpolation::Linear, times: times.clone(), values };
        tracks.push(track(self.pelvis, TrackValues::Translation(translations)));
        for bone in 0..self.skeleton.len() {
            let mut rotations: Vec<Quat> = poses.iter().map(|pose| pose.bones[bone].rotation).collect();
            let rest = like.bones[bone].rotation;
            for index in 0..rotations.len() {
                let before = if index == 0 { rest } else { rotations[index - 1] };
                if rotations[index].dot(before) < 0.0 {
                    rotations[index] = -rotations[index];
                }
            }
            if rotations.iter().any(|rotation| rotation.dot(rest) < 1.0 - 1e-7) {
                tracks.push(track(bone, TrackValues::Rotation(rotations)));
            }
        }
        Clip { name: name.to_owned(), duration, tracks, ..Clip::default() }
    }
}

/// Returns two points of the left side, mirrored if `side` is the right one.
fn mirrored_pair(side: usize, a: Vec3, b: Vec3) -> (Vec3, Vec3) {
    if side == 1 { (mirror_point(a), mirror_point(b)) } else { (a, b) }
}
