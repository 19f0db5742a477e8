//! A character's legs: measures the input of grounding, and applies the output of grounding to the bones. Source: *Foot
//! IK with velocity prediction*, inner and outer IK.
//!
//! ```text
//! pose ─► Legs::input ─► a grounder ─► Output ─► Legs::drive_full_body ─► Settings of the full-body solver
//!                                             └► Legs::drive_limbs ─► pose
//! ```

use glam::{Mat4, Vec3};
use serde::{Deserialize, Serialize};

use super::input::{FootGeometry, FootInput, Input, Reach, Root};
use super::limbs::{self, at};
use super::output::{LegOutput, Output};
use crate::error::{Fault, Problem};
use crate::full_body::bend_constraint::BendConstraint;
use crate::full_body::input::check_pose;
use crate::full_body::settings::ChainSettings;
use crate::full_body::{Effector, InputError, Settings, Status};
use crate::math::{STRAIGHT_SINE, from_to_rotation, nlerp, ortho_normalize, read_rotation, sine, unit};
use crate::names::Side;
use crate::parameter::{Parameters, settings};
use crate::rig::{Biped, BoneIndex, LimbName, Mesh, Model, ModelPose, RigidTransform, Skeleton};

/// A character's legs, measured once. Model space, +Y up; lengths are in the unit of the reference pose, and
/// grounding expects metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Legs {
    /// Thigh bones. All pairs are in the order of [`Side::ALL`].
    pub thighs: [BoneIndex; 2],
    /// Calf bones.
    pub calves: [BoneIndex; 2],
    /// Foot bones (the ankles).
    pub feet: [BoneIndex; 2],
    /// The pelvis bone.
    pub pelvis: BoneIndex,
    /// Geometry of the soles.
    pub geometry: [FootGeometry; 2],
    /// Length of thigh and calf together.
    pub reach: [f32; 2],
    /// Height of the ground on which the character stands in the reference pose.
    pub level: f32,
    /// Direction that the character faces in the reference pose; unit.
    pub facing: Vec3,
    /// First, second and last bone of each limb, in the order of [`LimbName::ALL`].
    limbs: [[BoneIndex; 3]; 4],
    /// Direction in which each limb's elbow or knee bends, in the space of the limb's first bone.
    bends: [Vec3; 4],
}

settings! {
    /// Weights of a grounding's effect on the bones. Source: *Foot IK with velocity prediction*, `BetterInnerIK`.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct DriveWeights {
        /// Share of the pelvis's offset that the whole body takes.
        pelvis: f32 = 1.0, from 0 to 1 in Share,
            too little: "The lower foot's leg is stretched and may not reach the ground.",
            too much: "The body goes as low as its legs need.",
            source: Prediction "pelvisWeight";
        /// How much the left foot moves to its ground; multiplied by the leg's weight.
        left_foot_position: f32 = 1.0, from 0 to 1 in Share,
            too little: "The foot stays with the animation: it sinks in and hovers.",
            too much: "The foot stands on its ground.",
            source: Prediction "leftFootPositionWeight";
        /// How much the right foot moves to its ground; multiplied by the leg's weight.
        right_foot_position: f32 = 1.0, from 0 to 1 in Share,
            too little: "The foot stays with the animation: it sinks in and hovers.",
            too much: "The foot stands on its ground.",
            source: Prediction "rightFootPositionWeight";
        /// How much the left foot turns to its ground; multiplied by the leg's weight.
        left_foot_rotation: f32 = 1.0, from 0 to 1 in Share,
            too little: "The foot turns as animated, on every slope.",
            too much: "The foot lies flat on the slope.",
            source: Prediction "leftFootRotationWeight";
        /// How much the right foot turns to its ground; multiplied by the leg's weight.
        right_foot_rotation: f32 = 1.0, from 0 to 1 in Share,
            too little: "The foot turns as animated, on every slope.",
            too much: "The foot lies flat on the slope.",
            source: Prediction "rightFootRotationWeight";
    }
}

impl DriveWeights {
    /// Clamps every number to its range; NaN is replaced by the default.
    pub fn clamped(mut self) -> Self {
        self.clamp_numbers();
        self
    }
}

/// Largest distance of a sole's vertex from the foot bone, as a fraction of the leg's length. A vertex further away
/// counts as an error in the mesh and is ignored.
const LONGEST_FOOT: f32 = 0.45;
/// Largest distance of a sole below the foot bone, as a fraction of the leg's length. If a foot's lowest vertex is
/// further below, or not below the bone, no vertex of that foot is used.
const HIGHEST_ANKLE: f32 = 0.2;
/// Distance below the lowest bone of the feet, as a fraction of the longer leg, within which the model's height 0 is
/// its ground.
const LOWEST_SOLE: f32 = 0.15;

impl Legs {
    /// Checks bone indices, lengths and directions. Does not check [`Self::geometry`]: grounding and
    /// [`Sole`](crate::locomotion::Sole) clamp it.
    ///
    /// # Errors
    /// [`Fault`] for a bone index not below `bones`, a direction that is not finite, or a length that is not below
    /// 1e6 m.
    pub fn check(&self, bones: usize) -> Result<(), Fault> {
        let named = [("thighs", &self.thighs[..]), ("calves", &self.calves[..]), ("feet", &self.feet[..])];
        let limbs = self.limbs.iter().map(|limb| ("limbs", &limb[..]));
        for (name, own) in named.into_iter().chain([("pelvis", &[self.pelvis][..])]).chain(limbs) {
            if let Some(&index) = own.iter().find(|&&bone| bone >= bones) {
                return Err(Fault::new(name, Problem::Index { what: "bones", index, count: bones }));
            }
        }
        let measures = [self.reach[0], self.reach[1], self.level];
        let directions = self.bends.iter().chain([&self.facing]);
        let is_sane = measures.iter().all(|length| length.abs() < 1e6) && directions.clone().all(|way| way.is_finite());
        if is_sane {
            Ok(())
        } else {
            Err(Fault::new("", "has a direction that is not finite, or a length that is not below 1e6 m"))
        }
    }

    /// Measures a character in its reference pose, in which it stands on level ground and faces `facing`.
    ///
    /// Soles and ground come from the mesh: from vertices whose strongest joint is the foot or a descendant. A foot
    /// without usable vertices is as [`FootGeometry::measure`] estimates it from its foremost descendant. If neither
    /// foot has usable vertices, the ground is at the model's height 0 if that is at most 0.15 leg lengths below the
    /// lowest bone of the feet, else at that bone.
    ///
    /// # Errors
    /// [`Fault`] if `reference` has another number of bones than the skeleton, or if the pelvis, a limb or a mesh
    /// refers to a bone that does not exist.
    pub fn new(model: &Model, biped: &Biped, reference: &ModelPose, facing: Vec3) -> Result<Self, Fault> {
        Self::measure((&model.skeleton, &model.meshes), biped, reference, facing)
    }

    /// Measures a character as [`Self::new`] does without usable vertices.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn of_bones(
        skeleton: &Skeleton,
        biped: &Biped,
        reference: &[RigidTransform],
        facing: Vec3,
    ) -> Result<Self, Fault> {
        Self::measure((skeleton, &[]), biped, &ModelPose::rigid(reference.to_vec()), facing)
    }

    fn measure(
        (skeleton, meshes): (&Skeleton, &[Mesh]),
        biped: &Biped,
        reference: &ModelPose,
        facing: Vec3,
    ) -> Result<Self, Fault> {
        let expected = skeleton.len();
        if reference.bones.len() != expected {
            let problem = Problem::Length { what: "bones", found: reference.bones.len(), expected };
            return Err(Fault::new("reference", problem));
        }
        let named = biped.limbs.iter().flat_map(|limb| limb.bones).chain([biped.pelvis]);
        let moved = meshes.iter().flat_map(|mesh| &mesh.joints).filter_map(|joint| joint.bone);
        if let Some(bone) = named.chain(moved).find(|&bone| bone >= expected) {
            return Err(Fault::new("bone", Problem::Index { what: "bones", index: bone, count: expected }));
        }
        let limbs = LimbName::ALL.map(|limb| biped.limb(limb).bones);
        let bends = LimbName::ALL.map(|limb| {
            let bones = limbs[limb.index()].map(|bone| reference.bones[bone]);
            BendConstraint::new(limb, bones, facing).default_local
        });
        let of = |bone: usize| Side::ALL.map(|side| limbs[side.limb().index()][bone]);
        let [thighs, calves, feet] = [of(0), of(1), of(2)];
        let position = |bone: BoneIndex| reference.position(bone);
        let reach = [0, 1].map(|side| {
            position(thighs[side]).distance(position(calves[side]))
                + position(calves[side]).distance(position(feet[side]))
        });
        let sides = &sides(skeleton, feet);
        let below = |side: usize| (0..skeleton.len()).filter(move |&bone| sides[bone] == Some(side)).map(position);
        let soles = [0, 1].map(|side| {
            let foot = position(feet[side]);
            let mut sole = points_of(meshes, reference, |bone| sides[bone] == Some(side));
            sole.retain(|point| point.distance(foot) <= LONGEST_FOOT * reach[side]);
            let height = foot.y - sole.iter().map(|point| point.y).fold(f32::INFINITY, f32::min);
            if height > 0.0 && height <= HIGHEST_ANKLE * reach[side] { sole } else { Vec::new() }
        });
        let lowest = |points: &mut dyn Iterator<Item = Vec3>| points.map(|point| point.y).fold(f32::INFINITY, f32::min);
        let level = match lowest(&mut soles.iter().flatten().copied()) {
            level if level.is_finite() => level,
            _ => {
                let lowest = lowest(&mut below(0).chain(below(1)));
                let leg = reach[0].max(reach[1]);
                if (0.0..=LOWEST_SOLE * leg).contains(&lowest) { 0.0 } else { lowest }
            }
        };
        let root = Root { position: Vec3::Y * level, up: Vec3::Y, forward: facing };
        let geometry = [0, 1].map(|side| {
            let foot = reference.bones[feet[side]];
            let ahead = |point: &Vec3| (*point - foot.position).dot(facing);
            let toe = below(side).max_by(|a, b| ahead(a).total_cmp(&ahead(b))).filter(|toe| ahead(toe) > 0.0);
            let geometry = FootGeometry::measure(foot, toe, &root);
            let forward = foot.rotation * geometry.forward_in_foot;
            let along = soles[side].iter().map(|&point| (point - foot.position).dot(forward));
            match soles[side].is_empty() {
                true => geometry,
                false => FootGeometry {
                    heel_offset: along.clone().fold(0.0, |heel, along| f32::max(heel, -along)),
                    toe_offset: along.fold(0.0, f32::max),
                    ..geometry
                },
            }
        });
        Ok(Self { thighs, calves, feet, pelvis: biped.pelvis, geometry, reach, level, facing, limbs, bends })
    }

    /// Creates grounding's input. `root` is the character's transform in the world, `pose` has one transform per bone
    /// in world space (the model's pose transformed by `root`). `weights` are the feet's planted weights, 0 to 1, in
    /// the order of [`Side::ALL`]. `dt` is in seconds. Bones that `pose` lacks are at the origin.
    pub fn input(&self, root: RigidTransform, pose: &[RigidTransform], weights: [f32; 2], dt: f32) -> Input {
        let feet = [0, 1].map(|side| FootInput {
            reach: Some(Reach { hip: at(pose, self.thighs[side]).position, length: self.reach[side] }),
            weight: weights[side],
            ..FootInput::new(at(pose, self.feet[side]), self.geometry[side])
        });
        let rotation = read_rotation(root.rotation).unwrap_or(root.rotation);
        let root = RigidTransform { rotation, ..root };
        let root = Root {
            position: root.transform_point(Vec3::Y * self.level),
            up: root.rotation * Vec3::Y,
            forward: root.rotation * self.facing,
        };
        Input { root, feet, dt }
    }

    /// Returns the goals of the foot bones: grounding's goals, blended with the feet of `pose` (world space) as the
    /// pelvis carries them. Each goal's weight and the pelvis's offset are scaled by `weights`. The offset of a foot
    /// lock is added in full.
    pub fn goals(&self, output: &Output, weights: &DriveWeights, pose: &[RigidTransform]) -> [RigidTransform; 2] {
        let weights = weights.clamped();
        let position = [weights.left_foot_position, weights.right_foot_position];
        let rotation = [weights.left_foot_rotation, weights.right_foot_rotation];
        [0, 1].map(|side| {
            let (leg, foot) = (&output.legs[side], at(pose, self.feet[side]));
            let carried = RigidTransform { position: foot.position + output.pelvis * weights.pelvis, ..foot };
            let by = |weight: f32| LegOutput { weight: leg.weight * weight, ..*leg }.blend(carried, foot.rotation);
            RigidTransform { position: by(position[side]).position + leg.held, rotation: by(rotation[side]).rotation }
        })
    }

    /// Returns the [`Self::goals`], blended with the feet's targets in `settings` by the effectors' weights.
    fn targets(
        &self,
        output: &Output,
        weights: &DriveWeights,
        pose: &[RigidTransform],
        settings: &Settings,
    ) -> [RigidTransform; 2] {
        let goals = self.goals(output, weights, pose);
        Side::ALL.map(|side| {
            let (goal, own) = (goals[side as usize], settings.effector(Effector::END[side.limb().index()]));
            RigidTransform {
                position: own
                    .position
                    .map_or(goal.position, |own_goal| goal.position.lerp(own_goal, own.position_weight)),
                rotation: own
                    .rotation
                    .map_or(goal.rotation, |own_goal| nlerp(goal.rotation, own_goal, own.rotation_weight)),
            }
        })
    }

    /// Returns settings of the full-body solver with a grounding added. `pose` (world space) is the pose that will be
    /// solved. Call this every frame with the user's own settings.
    ///
    /// Feet get targets at weight 1: the [`Self::goals`], blended with the user's targets of the feet by the user's
    /// effector weights. The pelvis's offset is added to body (which moves the thighs), shoulders and hands, so that
    /// the torso moves as a whole and its constraints are not strained. A hand that follows the torso
    /// ([`maintain_relative_position`](crate::full_body::EffectorSettings::maintain_relative_position)) gets only the
    /// rest of the offset. The legs' `reach` is set to 0, since grounding decides how low the hips are and a nearly
    /// straight leg would pull them further.
    ///
    /// An effector other than the feet that has a weight but no target aims at its bone in the pose that the solver
    /// gets.
    pub fn drive_full_body(
        &self,
        output: &Output,
        weights: &DriveWeights,
        pose: &[RigidTransform],
        settings: &Settings,
    ) -> Settings {
        const CARRIED: [Effector; 5] =
            [Effector::Body, Effector::LeftShoulder, Effector::RightShoulder, Effector::LeftHand, Effector::RightHand];
        let mut driven = *settings;
        for (side, target) in Side::ALL.into_iter().zip(self.targets(output, weights, pose, settings)) {
            let own = driven.effector_mut(Effector::END[side.limb().index()]);
            (own.position, own.position_weight) = (Some(target.position), 1.0);
            (own.rotation, own.rotation_weight) = (Some(target.rotation), 1.0);
            driven.chain_mut(side.limb()).reach = 0.0;
        }
        let offset = output.pelvis * weights.clamped().pelvis;
        for effector in CARRIED {
            let own = driven.effector_mut(effector);
            own.position_offset += offset * (1.0 - own.maintain_relative_position);
        }
        driven
    }

    /// Applies a grounding without the full-body solver: moves the whole pose (world space) by the pelvis's offset,
    /// scaled by `weights.pelvis` and the master weight, then solves each limb in closed form. Feet have the same
    /// targets as in [`Self::drive_full_body`], hands those of `settings` by the effectors' weights. Descendants of a
    /// limb follow rigidly; the torso does not react.
    ///
    /// Of `settings` it uses the master weight, the end effectors' targets and weights, and the limbs' bend goals, bend
    /// directions, bend weights and maintained rotations. A limb keeps the side to which it bends; one bent the wrong
    /// way is mirrored, a straight one bends as in the reference pose. At master weight 0 the pose stays unchanged, bit
    /// for bit. `before` is a scratch buffer; once it has the pose's size, nothing is allocated.
    ///
    /// # Errors
    /// [`InputError`] names the first unusable input; the pose stays unchanged.
    pub fn drive_limbs(
        &self,
        output: &Output,
        weights: &DriveWeights,
        settings: &Settings,
        skeleton: &Skeleton,
        before: &mut Vec<RigidTransform>,
        pose: &mut Vec<RigidTransform>,
    ) -> Result<Status, InputError> {
        let Some(frame) = self.read_limbs(output, weights, settings, skeleton, pose)? else {
            return Ok(Status::NothingToDo);
        };
        frame.apply(skeleton, before, pose);
        Ok(Status::Solved)
    }

    /// Returns the input for the steps of [`Self::drive_limbs`]; `None` at master weight 0. For other solvers than the
    /// closed form call [`limbs::Frame::solve_by`], then [`limbs::Frame::apply`].
    ///
    /// # Errors
    /// As [`Self::drive_limbs`].
    pub fn read_limbs(
        &self,
        output: &Output,
        weights: &DriveWeights,
        settings: &Settings,
        skeleton: &Skeleton,
        pose: &[RigidTransform],
    ) -> Result<Option<limbs::Frame>, InputError> {
        let master = settings.solver.weight.clamp(0.0, 1.0);
        if master <= 0.0 {
            return Ok(None);
        }
        settings.check_usable()?;
        check_pose(pose, skeleton.len())?;
        let targets = self.targets(output, weights, pose, settings);
        let offset = output.pelvis * (weights.clamped().pelvis * master);
        let moved = |bone: RigidTransform| RigidTransform {
            position: bone.position + offset,
            rotation: read_rotation(bone.rotation).unwrap_or(bone.rotation),
        };
        let limbs = LimbName::ALL.map(|limb| {
            let indices = self.limbs[limb.index()];
            let bones = indices.map(|bone| moved(at(pose, bone)));
            let (chain, own) = (settings.chain(limb), settings.effector(Effector::END[limb.index()]));
            let animated = RigidTransform { position: bones[2].position - offset, ..bones[2] };
            let (target, position_weight, rotation_weight) = match limb {
                LimbName::LeftLeg => (targets[0], master, master),
                LimbName::RightLeg => (targets[1], master, master),
                LimbName::LeftArm | LimbName::RightArm => {
                    let target = RigidTransform {
                        position: own.position.unwrap_or(animated.position),
                        rotation: own.rotation.unwrap_or(animated.rotation),
                    };
                    (target, own.position_weight * master, own.rotation_weight * master)
                }
            };
            let position = bones[2].position.lerp(target.position, position_weight);
            let (along, side, hint) = self.directions(limb, bones, position, chain, master);
            let [p1, p2, p3] = bones.map(|bone| bone.position);
            let mut goal = limbs::LimbGoal {
                bones: indices,
                target: position,
                weight: position_weight,
                lengths: [p1.distance(p2), p2.distance(p3)],
                begin: p1,
                along,
                hint,
                carried: bones,
                side,
                end_rotations: [
                    (animated.rotation, chain.maintain_rotation * master),
                    (target.rotation, rotation_weight),
                ],
                bent: bones,
            };
            goal.close();
            goal
        });
        let frame = limbs::Frame { offset, pelvis: self.pelvis, limbs };
        frame.check()?;
        Ok(Some(frame))
    }

    /// Returns a limb's direction as animated, the side of its middle joint, and the direction in which it bends with
    /// the end at `target`. The first two are unit vectors. All are zero if a bone has no length or the limb's ends
    /// coincide.
    fn directions(
        &self,
        limb: LimbName,
        bones: [RigidTransform; 3],
        target: Vec3,
        chain: &ChainSettings,
        master: f32,
    ) -> (Vec3, Vec3, Vec3) {
        let [p1, p2, p3] = bones.map(|bone| bone.position);
        let has_length = p1.distance(p2) > 0.0 && p2.distance(p3) > 0.0;
        let Some(along) = unit(p3 - p1).filter(|_| has_length) else {
            return (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        };
        let default = ortho_normalize(along, bones[0].rotation * self.bends[limb.index()]);
        let side = match sine(p2 - p1, p3 - p2) < STRAIGHT_SINE {
            true => default,
            false => {
                let side = ortho_normalize(along, p2 - p1);
                side - default * (2.0 * side.dot(default).min(0.0))
            }
        };
        let mut hint = from_to_rotation(along, target - p1) * side;
        let bend = chain.bend_goal.map(|goal| goal - p1).or(chain.bend_direction);
        if let Some(bend) = bend.and_then(unit) {
            hint = hint.lerp(bend, chain.bend_weight * master);
        }
        (along, side, hint)
    }
}

/// Returns for each bone the foot that it is or descends from.
fn sides(skeleton: &Skeleton, feet: [BoneIndex; 2]) -> Vec<Option<usize>> {
    let mut sides: Vec<Option<usize>> = Vec::with_capacity(skeleton.len());
    for bone in 0..skeleton.len() {
        let above = skeleton.parent(bone).and_then(|parent| sides[parent]);
        sides.push(feet.iter().position(|&foot| foot == bone).or(above));
    }
    sides
}

/// Returns the vertices whose strongest joint is a wanted bone; model space. Skips points that are not finite.
fn points_of(meshes: &[Mesh], pose: &ModelPose, is_wanted: impl Fn(BoneIndex) -> bool) -> Vec<Vec3> {
    let mut points = Vec::new();
    for mesh in meshes {
        let wanted = |joint: u16| mesh.joints.get(joint as usize).and_then(|joint| joint.bone).is_some_and(&is_wanted);
        let matrices: Vec<Mat4> = mesh
            .joints
            .iter()
            .map(|joint| joint.bone.map_or(Mat4::IDENTITY, |bone| pose.model_from_bone(bone)) * joint.bone_from_mesh)
            .collect();
        for (&position, (joints, weights)) in
            mesh.positions.iter().zip(mesh.vertex_joints.iter().zip(&mesh.vertex_weights))
        {
            let strongest = (0..4).max_by(|&a, &b| weights[a].total_cmp(&weights[b])).unwrap_or(0);
            if !wanted(joints[strongest]) {
                continue;
            }
            let of = |index: usize| {
                let matrix = matrices.get(joints[index] as usize).filter(|_| weights[index] != 0.0);
                matrix.map_or(Vec3::ZERO, |matrix| matrix.transform_point3(position) * weights[index])
            };
            let point: Vec3 = (0..4).map(of).sum();
            if point.is_finite() {
                points.push(point);
            }
        }
    }
    points
}
