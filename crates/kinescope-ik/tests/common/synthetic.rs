//! A character built from numbers, without a file, for solver tests and fuzz targets.

use glam::{Quat, Vec3};
use kinescope_ik::math::look_rotation;
use kinescope_ik::rig::{Biped, Bone, Limb, LocalTransform, RigidTransform, Skeleton};

/// Name, parent (−1: none) and position in metres. Every limb bends by more than 5°, so that none needs the anatomical
/// direction.
const BONES: [(&str, i32, [f32; 3]); 22] = [
    ("pelvis", -1, [0.0, 1.0, 0.0]),
    ("spine", 0, [0.0, 1.1, 0.01]),
    ("spine 2", 1, [0.0, 1.22, 0.0]),
    ("chest", 2, [0.0, 1.35, -0.01]),
    ("head", 3, [0.0, 1.6, 0.02]),
    ("left clavicle", 3, [0.03, 1.47, 0.0]),
    ("left upper arm", 5, [0.18, 1.46, 0.0]),
    ("left forearm", 6, [0.44, 1.42, -0.03]),
    ("left hand", 7, [0.68, 1.41, 0.04]),
    ("left finger", 8, [0.76, 1.4, 0.05]),
    ("right clavicle", 3, [-0.03, 1.47, 0.0]),
    ("right upper arm", 10, [-0.18, 1.45, 0.01]),
    ("right forearm", 11, [-0.43, 1.42, -0.03]),
    ("right hand", 12, [-0.68, 1.4, 0.05]),
    ("right finger", 13, [-0.76, 1.39, 0.07]),
    ("left thigh", 0, [0.1, 0.95, 0.0]),
    ("left calf", 15, [0.11, 0.52, 0.05]),
    ("left foot", 16, [0.11, 0.09, -0.02]),
    ("left toe", 17, [0.11, 0.02, 0.12]),
    ("right thigh", 0, [-0.1, 0.95, 0.0]),
    ("right calf", 19, [-0.11, 0.51, 0.06]),
    ("right foot", 20, [-0.11, 0.08, -0.01]),
];

/// A small biped, 1.6 m to its head.
#[derive(Clone)]
pub struct Character {
    pub skeleton: Skeleton,
    pub biped: Biped,
    pub reference: Vec<RigidTransform>,
}

impl Character {
    pub const BONES: usize = BONES.len();
    pub const HEIGHT: f32 = 1.6;

    pub fn new() -> Self {
        let bones = BONES.map(|(name, parent, _)| Bone {
            name: name.to_owned(),
            parent: usize::try_from(parent).ok(),
            rest: LocalTransform::IDENTITY,
        });
        let skeleton = Skeleton::new(bones.into()).expect("parents come before children");
        let biped = Biped {
            pelvis: 0,
            spine: vec![1, 2, 3],
            head: Some(4),
            root_node: 1,
            limbs: [
                Limb { clavicle: Some(5), bones: [6, 7, 8] },
                Limb { clavicle: Some(10), bones: [11, 12, 13] },
                Limb { clavicle: None, bones: [15, 16, 17] },
                Limb { clavicle: None, bones: [19, 20, 21] },
            ],
        };
        // Every bone has a rotation of its own, so that a forgotten rotation shows.
        let reference = BONES.iter().enumerate().map(|(index, (_, _, position))| RigidTransform {
            position: Vec3::from(*position),
            rotation: look_rotation(Vec3::new((index as f32).sin(), 0.3, (index as f32).cos()), Vec3::Y),
        });
        Self { skeleton, biped, reference: reference.collect() }
    }

    /// Returns the pose `from` with every bone turned about itself in model space; its children follow.
    pub fn turned(&self, from: &[RigidTransform], turns: &[Quat]) -> Vec<RigidTransform> {
        let mut pose: Vec<RigidTransform> = from.to_vec();
        for bone in 0..pose.len() {
            if let Some(parent) = self.skeleton.parent(bone) {
                pose[bone] = pose[parent].transform(&from[parent].to_local(&from[bone]));
            }
            if let Some(turn) = turns.get(bone) {
                pose[bone].rotation = (*turn * pose[bone].rotation).normalize();
            }
        }
        pose
    }
}
