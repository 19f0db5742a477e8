//! The frames of the arena: clips of the built-in characters, and of BVH files that the library writes.

use glam::{Quat, Vec3};
use kinescope_ik::full_body::{Effector, Settings};
use kinescope_ik::game_recording::{GameCharacter, Writer};
use kinescope_ik::joints::Joints;
use kinescope_ik::rig::import::{import, import_in_unit};
use kinescope_ik::rig::{BvhMotion, Clip, LengthUnit, Model, ModelPose, RigidTransform};

use super::common::Setup;

pub const FRAMES: usize = 60;
/// Number of measured runs of consecutive frames in the played clips of a set, all clips together. The outside solvers
/// would take another ten minutes for all frames.
const RUNS: usize = 20;
pub const RUN: u32 = 4;
/// Offsets of the targets from the animated places, in the order of [`Effector::END`]; metres.
const OFFSETS: [Vec3; 4] =
    [Vec3::new(0.02, 0.12, 0.2), Vec3::new(0.05, 0.05, 0.15), Vec3::new(0.05, 0.1, 0.05), Vec3::ZERO];
/// Angles by which the targets are rotated from the animated rotations, about the x axis of the model; radians.
const TURNS: [f32; 4] = [0.5, -0.4, 0.2, 0.0];
/// Frames per second of the BVH file, and of clips that are played.
pub const RATE: f32 = 60.0;

pub struct Frame {
    pub clip: String,
    pub animated: Vec<RigidTransform>,
    pub targets: Settings,
}

pub struct Set {
    pub name: &'static str,
    pub setup: Setup,
    pub joints: Joints,
    pub frames: Vec<Frame>,
    turns: bool,
}

/// How far a solved pose is from the targets, beyond the joint limits, and off the animated lengths of bones.
pub struct Quality {
    /// The distance of each end effector from its target position, metres.
    pub distances: [f32; 4],
    /// The largest angle of an effector from its target rotation, degrees; `None` without target rotations.
    pub angle: Option<f32>,
    /// The largest angle by which a joint exceeds its limit, degrees.
    pub violation: f32,
    /// The [bone-length error](Joints::length_error).
    pub length: f32,
}

impl Set {
    pub fn all() -> [Self; 5] {
        let mannequin = || read("biped.glb", include_bytes!("../../../../assets/biped.glb"));
        let faun = || read("faun.glb", include_bytes!("../../../../assets/faun.glb"));
        [
            Self::new("mannequin", mannequin(), false),
            Self::new("mannequin, rotations", mannequin(), true),
            Self::new("faun", faun(), false),
            Self::new("BVH, mannequin", written("mannequin.bvh", &mannequin()), false),
            Self::new("BVH, faun", written("faun.bvh", &faun()), false),
        ]
    }

    fn new(name: &'static str, model: Model, turns: bool) -> Self {
        let setup = Setup::of(model);
        let joints = Joints::new(&setup.model.skeleton, &setup.biped, &setup.reference).expect("the asset has joints");
        let mut set = Self { name, setup, joints, frames: Vec::new(), turns };
        let clips = &set.setup.model.clips;
        let frames = (0..FRAMES).map(|index| {
            let clip = &clips[index * clips.len() / FRAMES];
            set.frame(clip, clip.duration * (index as f32 * 0.618).fract())
        });
        set.frames = frames.collect();
        set
    }

    pub fn frame(&self, clip: &Clip, time: f32) -> Frame {
        let skeleton = &self.setup.model.skeleton;
        let mut local = skeleton.rest_pose();
        clip.sample(time, &mut local);
        let animated = ModelPose::from_local(skeleton, &local).bones;
        let mut targets = Settings::default();
        for ((effector, offset), turn) in Effector::END.into_iter().zip(OFFSETS).zip(TURNS) {
            let at = animated[self.setup.solver.bone_of(effector.node())];
            let own = targets.effector_mut(effector);
            (own.position, own.position_weight) = (Some(at.position + offset), 1.0);
            if self.turns {
                let turned = (Quat::from_rotation_x(turn) * at.rotation).normalize();
                (own.rotation, own.rotation_weight) = (Some(turned), 1.0);
            }
        }
        Frame { clip: clip.name.clone(), animated, targets }
    }

    /// Returns the number of the first frame of each measured run of a clip, evenly spaced. Each clip of the set has
    /// the same number of runs.
    pub fn runs(&self, clip: &Clip) -> impl Iterator<Item = u32> {
        let runs = (RUNS / self.setup.model.clips.len()) as u32;
        let last = count_of(clip).saturating_sub(RUN);
        (0..runs).map(move |run| (2 * run + 1) * last / (2 * runs))
    }

    pub fn quality(&self, frame: &Frame, pose: &[RigidTransform]) -> Quality {
        let bone = |effector: Effector| pose[self.setup.solver.bone_of(effector.node())];
        let distances = Effector::END.map(|effector| {
            let target = frame.targets.effector(effector).position.unwrap_or_default();
            bone(effector).position.distance(target)
        });
        let angles = Effector::END.into_iter().filter_map(|effector| {
            let target = frame.targets.effector(effector).rotation?;
            Some(bone(effector).rotation.angle_between(target).to_degrees())
        });
        let violation = self.joints.read(pose).map_or(f32::NAN, |pose| self.joints.limit_violation(&pose).1);
        Quality {
            distances,
            angle: angles.reduce(f32::max),
            violation: violation.to_degrees(),
            length: self.joints.length_error(&frame.animated, pose),
        }
    }

    /// Returns the JSON line that describes the character to outside solvers.
    pub fn character(&self) -> String {
        let Setup { model, biped, reference, .. } = &self.setup;
        let own = GameCharacter {
            name: self.name.to_owned(),
            skeleton: (*model.skeleton).clone(),
            biped: biped.clone(),
            reference: reference.clone(),
        };
        let (_, line) = Writer::default().join(&own).expect("the character can be written");
        let mut line: serde_json::Value = serde_json::from_str(&line).expect("the line is JSON");
        serde_json::json!({ "character": line["join"].take() }).to_string()
    }
}

impl Frame {
    /// Returns the JSON line that asks an outside solver to solve the frame.
    pub fn line(&self, set: &Set, solver: usize, number: usize) -> String {
        let target = |effector: Effector| {
            let own = self.targets.effector(effector);
            let bone = set.setup.solver.bone_of(effector.node());
            serde_json::json!({
                "effector": effector.key(),
                "bone": bone,
                "position": own.position.unwrap_or_default().to_array(),
                "rotation": own.rotation.unwrap_or(self.animated[bone].rotation).to_array(),
                "position_weight": own.position_weight,
                "rotation_weight": own.rotation_weight,
                "bend_weight": 0.0,
            })
        };
        let pose: Vec<[f32; 7]> = self.animated.iter().map(seven).collect();
        let targets = Effector::END.map(target);
        serde_json::json!({ "solver": solver, "frame": number, "pose": pose, "targets": targets }).to_string()
    }
}

/// Returns the number of frames of a played clip.
pub fn count_of(clip: &Clip) -> u32 {
    (clip.duration * RATE) as u32
}

fn seven(bone: &RigidTransform) -> [f32; 7] {
    let (p, r) = (bone.position, bone.rotation);
    [p.x, p.y, p.z, r.x, r.y, r.z, r.w]
}

fn no_buffer(uri: &str) -> Result<Vec<u8>, String> {
    Err(uri.to_owned())
}

fn read(name: &str, bytes: &[u8]) -> Model {
    import(name, bytes, &mut no_buffer).expect("the asset reads")
}

/// Writes a model's clips as a BVH file, and reads it.
fn written(name: &str, model: &Model) -> Model {
    let file = bvh(model);
    let read = import_in_unit(name, file.as_bytes(), Some(LengthUnit::Centimetres), &mut no_buffer);
    read.expect("the file that was written reads")
}

fn bvh(model: &Model) -> String {
    let frames = model.clips.iter().flat_map(|clip| {
        (0..count_of(clip)).map(|index| {
            let mut local = model.skeleton.rest_pose();
            clip.sample(index as f32 / RATE, &mut local);
            local
        })
    });
    let reference = ModelPose::from_local(&model.skeleton, &model.skeleton.rest_pose());
    let motion = BvhMotion {
        skeleton: &model.skeleton,
        reference: &reference,
        frames: &frames.collect::<Vec<_>>(),
        frame_time: f64::from(RATE.recip()),
        centimetres: 100.0,
    };
    motion.write().0
}
