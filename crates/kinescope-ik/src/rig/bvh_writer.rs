//! Writing of BVH, the text format of motion capture.
//!
//! BVH has no rotations in the rest pose. In the file every bone therefore has the axes of the model in the reference
//! pose, and in each frame the rotation `R_frame · R_reference⁻¹` in model space. The channels hold the rotation
//! relative to the parent, as angles in the order Z X Y.
//!
//! The rest pose that other programs show is the reference pose with the root at the origin. The root always has
//! position channels. Other bones have them if their position relative to the parent leaves the reference pose in a
//! frame. If in the first frame the position of such a bone, measured along its offset in the reference pose, is less
//! than 0.7 of that offset, the rest pose has the position of the first frame.

use std::fmt::Write;

use glam::{DMat3, DQuat, DVec3};

use super::model_pose::ModelPose;
use super::pose::LocalPose;
use super::skeleton::Skeleton;

/// The largest distance in centimetres from the position in the reference pose, relative to the parent, at which a bone
/// counts as fixed to its parent. The errors of 20 bones in a chain then add up to at most 0.1 mm.
const FIXED: f64 = 5e-4;

/// A motion that [`Self::write`] turns into the text of a BVH file.
#[derive(Clone, Copy, Debug)]
pub struct BvhMotion<'a> {
    /// The skeleton that moves.
    pub skeleton: &'a Skeleton,
    /// The pose that becomes the rest pose of the file; see the module's documentation for the exceptions.
    pub reference: &'a ModelPose,
    /// The poses, at equal intervals. Bones that a pose lacks are at rest.
    pub frames: &'a [LocalPose],
    /// Seconds from frame to frame.
    pub frame_time: f64,
    /// Centimetres per model unit; the file is in centimetres.
    pub centimetres: f64,
}

#[derive(Clone, Copy)]
struct Placed {
    position: DVec3,
    rotation: DQuat,
}

/// A bone, or the root that is added above several roots.
struct Joint {
    name: String,
    bone: Option<usize>,
    parent: Option<usize>,
    children: Vec<usize>,
    offset: DVec3,
    moves: bool,
    /// Whether the joint is written as the end site of its parent.
    is_end: bool,
}

impl BvhMotion<'_> {
    /// Returns the text of the file, and notes on what the file lacks of the motion or adds to it, one sentence each.
    pub fn write(&self) -> (String, Vec<String>) {
        let mut notes = vec!["BVH holds bones and motion only, in centimetres".to_owned()];
        let frames: Vec<Vec<Placed>> = self.frames.iter().map(|pose| self.placed(pose)).collect();
        let scaled = (0..self.skeleton.len()).filter(|&bone| {
            let scales = || self.frames.iter().filter_map(|pose| Some(pose.bones.get(bone)?.scale));
            scales().any(|scale| scales().next().is_some_and(|first| !scale.abs_diff_eq(first, 1e-5)))
        });
        match scaled.count() {
            0 => {}
            count => notes
                .push(format!("changing scales are left out, as BVH cannot hold them; bones that have one: {count}")),
        }
        let joints = self.joints(&frames, &mut notes);
        let mut text = "HIERARCHY\n".to_owned();
        let order = hierarchy(&joints, &mut text);
        let seconds = rounded(self.frame_time, 1e9);
        let _ = write!(text, "MOTION\nFrames: {}\nFrame Time: {seconds}\n", frames.len());
        let mut before: Vec<DVec3> = vec![DVec3::ZERO; joints.len()];
        for placed in &frames {
            let mut values = Vec::with_capacity(joints.len() * 3);
            for &joint in &order {
                let (position, rotation) = self.local(&joints, joint, placed);
                if joints[joint].moves {
                    values.extend((position * self.centimetres).to_array());
                }
                before[joint] = angles(DMat3::from_quat(rotation), before[joint]);
                let DVec3 { x, y, z } = before[joint];
                values.extend([z, x, y]);
            }
            let values: Vec<String> = values.into_iter().map(|value| rounded(value, 1e6).to_string()).collect();
            text.push_str(&values.join(" "));
            text.push('\n');
        }
        (text, notes)
    }

    fn placed(&self, pose: &LocalPose) -> Vec<Placed> {
        let mut placed: Vec<Placed> = Vec::with_capacity(self.skeleton.len());
        let mut stretches: Vec<DMat3> = Vec::with_capacity(self.skeleton.len());
        for (bone, own) in self.skeleton.bones().iter().enumerate() {
            let local = pose.bones.get(bone).copied().unwrap_or(own.rest);
            let (translation, turn) = (local.translation.as_dvec3(), local.rotation.as_dquat().normalize());
            let root = Placed { position: DVec3::ZERO, rotation: DQuat::IDENTITY };
            let above = own.parent.map_or(root, |parent| placed[parent]);
            let stretch = own.parent.map_or(DMat3::IDENTITY, |parent| stretches[parent]);
            let inverse = DMat3::from_quat(turn.conjugate());
            let scale = DMat3::from_diagonal(local.scale.as_dvec3());
            stretches.push(inverse * stretch * DMat3::from_quat(turn) * scale);
            placed.push(Placed {
                position: above.position + above.rotation * (stretch * translation),
                rotation: (above.rotation * turn).normalize(),
            });
        }
        placed
    }

    fn reference(&self, bone: usize) -> (DVec3, DQuat) {
        let pose = self.reference.bones.get(bone).copied().unwrap_or_default();
        (pose.position.as_dvec3(), pose.rotation.as_dquat().normalize())
    }

    /// Returns position and rotation of a joint relative to its parent, in model units. The axes of both are those of
    /// the model in the reference pose.
    fn local(&self, joints: &[Joint], joint: usize, placed: &[Placed]) -> (DVec3, DQuat) {
        let aligned = |joint: Option<usize>| match joint.and_then(|joint| joints[joint].bone) {
            Some(bone) => (placed[bone].position, placed[bone].rotation * self.reference(bone).1.conjugate()),
            None => (DVec3::ZERO, DQuat::IDENTITY),
        };
        let ((above, turn), (position, rotation)) = (aligned(joints[joint].parent), aligned(Some(joint)));
        (turn.conjugate() * (position - above), (turn.conjugate() * rotation).normalize())
    }

    fn joints(&self, frames: &[Vec<Placed>], notes: &mut Vec<String>) -> Vec<Joint> {
        let bones = self.skeleton.bones();
        let mut joints: Vec<Joint> = Vec::with_capacity(bones.len() + 1);
        let added = usize::from(bones.iter().filter(|bone| bone.parent.is_none()).count() > 1);
        if added == 1 {
            let names = (0..).map(|number| if number == 0 { "root".to_owned() } else { format!("root {number}") });
            let name = names.into_iter().find(|name| self.skeleton.find(name).is_none()).unwrap_or_default();
            notes.push(format!("the bone {name:?} is added above the model's roots, as BVH has one root"));
            let offset = DVec3::ZERO;
            joints.push(Joint {
                name,
                bone: None,
                parent: None,
                children: Vec::new(),
                offset,
                moves: true,
                is_end: false,
            });
        }
        for (index, bone) in bones.iter().enumerate() {
            let parent = bone.parent.map(|parent| parent + added).or((added == 1).then_some(0));
            let above = bone.parent.map_or(DVec3::ZERO, |parent| self.reference(parent).0);
            // The root has no offset, because programs differ in whether positions of the root add to it.
            let offset = if parent.is_none() { DVec3::ZERO } else { self.reference(index).0 - above };
            let name = bone.name.chars().map(|c| if c.is_control() || "{}".contains(c) { '_' } else { c }).collect();
            let own = joints.len();
            parent.into_iter().for_each(|parent| joints[parent].children.push(own));
            let (moves, is_end) = (parent.is_none(), false);
            joints.push(Joint { name, bone: Some(index), parent, children: Vec::new(), offset, moves, is_end });
        }
        for joint in 0..joints.len() {
            let Some(parent) = joints[joint].parent else { continue };
            let locals = || frames.iter().map(|placed| self.local(&joints, joint, placed));
            let off = locals().map(|(position, _)| (position - joints[joint].offset).length() * self.centimetres);
            let moves = off.fold(0.0, f64::max) > FIXED;
            let turns = locals().any(|(_, rotation)| rotation.xyz().length() > 1e-6);
            // Readers such as the import of this library compare the first frame with the offset to decide whether
            // positions replace offsets, so the two must be near.
            if moves && let Some((first, _)) = locals().next() {
                let offset = joints[joint].offset;
                joints[joint].offset = if first.dot(offset) < 0.7 * offset.length_squared() { first } else { offset };
            }
            let is_named_end = joints[joint].name == format!("{}_end", joints[parent].name);
            let is_only = joints[parent].children.len() == 1 && joints[joint].children.is_empty();
            joints[joint].is_end = is_named_end && is_only && !moves && !turns;
            joints[joint].moves = moves;
        }
        for joint in &mut joints {
            joint.offset *= self.centimetres;
        }
        joints
    }
}

/// Writes the hierarchy. Returns the joints with channels, in the order of their values.
fn hierarchy(joints: &[Joint], text: &mut String) -> Vec<usize> {
    enum Step {
        Open(usize, usize),
        Close(usize),
    }
    let vector = |vector: DVec3| vector.to_array().map(|value| rounded(value, 1e6).to_string()).join(" ");
    let mut order = Vec::with_capacity(joints.len());
    let mut steps: Vec<Step> = (0..joints.len())
        .rev()
        .filter(|&joint| joints[joint].parent.is_none())
        .map(|root| Step::Open(root, 0))
        .collect();
    while let Some(step) = steps.pop() {
        let (index, depth) = match step {
            Step::Open(index, depth) => (index, depth),
            Step::Close(depth) => {
                let _ = writeln!(text, "{}}}", "\t".repeat(depth));
                continue;
            }
        };
        let (joint, tabs) = (&joints[index], "\t".repeat(depth));
        let head = match (joint.is_end, joint.parent) {
            (true, _) => "End Site".to_owned(),
            (false, None) => format!("ROOT {}", joint.name),
            (false, Some(_)) => format!("JOINT {}", joint.name),
        };
        let _ = write!(text, "{tabs}{head}\n{tabs}{{\n{tabs}\tOFFSET {}\n", vector(joint.offset));
        steps.push(Step::Close(depth));
        if joint.is_end {
            continue;
        }
        order.push(index);
        let channels = if joint.moves { "6 Xposition Yposition Zposition" } else { "3" };
        let _ = writeln!(text, "{tabs}\tCHANNELS {channels} Zrotation Xrotation Yrotation");
        if joint.children.is_empty() {
            let (end, inner) = (vector(joint.offset * 0.5), "\t".repeat(depth + 1));
            let _ = write!(text, "{inner}End Site\n{inner}{{\n{inner}\tOFFSET {end}\n{inner}}}\n");
        }
        steps.extend(joint.children.iter().rev().map(|&child| Step::Open(child, depth + 1)));
    }
    order
}

/// Returns a number rounded to a multiple of 1 / `parts`, so that files are short; never −0.
fn rounded(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts + 0.0
}

/// Returns the angles in degrees around x, y and z of a rotation `Z · X · Y`. Of the two possible triples, shifted by
/// whole turns, returns the one nearer to `before`, so that curves do not jump.
fn angles(matrix: DMat3, before: DVec3) -> DVec3 {
    let (x_axis, y_axis, z_axis) = (matrix.x_axis, matrix.y_axis, matrix.z_axis);
    let cosine = x_axis.z.hypot(z_axis.z);
    let x = y_axis.z.atan2(cosine);
    let (y, z) = match cosine > 1e-9 {
        true => ((-x_axis.z).atan2(z_axis.z), (-y_axis.x).atan2(y_axis.y)),
        // At x = ±90° only the sum or the difference of y and z is defined, so y keeps its previous value.
        false => {
            let (both, y) = (x_axis.y.atan2(x_axis.x), before.y.to_radians());
            (y, if x > 0.0 { both - y } else { both + y })
        }
    };
    let near = |angles: DVec3| {
        let angles = angles.map(f64::to_degrees);
        angles + ((before - angles) / 360.0).round() * 360.0
    };
    let half = std::f64::consts::PI;
    let triples = [near(DVec3::new(x, y, z)), near(DVec3::new(half - x, y + half, z + half))];
    let off = |angles: &DVec3| (*angles - before).abs().element_sum();
    if off(&triples[1]) < off(&triples[0]) { triples[1] } else { triples[0] }
}
