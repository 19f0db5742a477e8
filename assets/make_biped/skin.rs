//! Weights of bones for each vertex.
//!
//! Along a chain of bones, weights change from one bone to the next around the plane through their joint. The weights
//! are then smoothed over the mesh, which matters where chains meet (shoulder, hip). Hands and feet are not smoothed.

use glam::Vec3;
use kinescope_ik::rig::{BoneIndex, ModelPose, Skeleton};

use super::SkinnedMesh;
use super::bones::{self, HandFrame};
use super::shape::{Shape, smooth_step};
use super::surface::Mesh;

/// Rounds of smoothing.
const SPREAD: usize = 5;
/// A weight below this is dropped.
const LEAST: f32 = 0.004;

/// Binds a whole mesh from [`Mesh::mirrored`] to the skeleton.
pub fn skin(mesh: Mesh, shape: &Shape, skeleton: &Skeleton, rest: &ModelPose) -> SkinnedMesh {
    let left = Left::new(shape, skeleton, rest);
    let mirror = mirror_bones(skeleton);
    let twin = mirror_vertices(&mesh);
    let mut weights: Vec<Vec<f32>> = mesh.positions.iter().map(|_| Vec::new()).collect();
    for (vertex, &point) in mesh.positions.iter().enumerate().filter(|(_, point)| point.x >= 0.0) {
        let ours = left.weights(point);
        let theirs = mirrored(&ours, &mirror);
        if point.x == 0.0 {
            weights[vertex] = ours.iter().zip(&theirs).map(|(a, b)| (a + b) * 0.5).collect();
        } else {
            weights[vertex] = ours;
            weights[twin[vertex]] = theirs;
        }
    }
    let neighbours = neighbours(&mesh);
    for _ in 0..SPREAD {
        let spread = mesh.positions.iter().enumerate().map(|(vertex, &point)| {
            let amount = 0.6 * left.spreading(Vec3::new(point.x.abs(), point.y, point.z));
            let mut own = weights[vertex].clone();
            if amount > 0.0 {
                let share = amount / neighbours[vertex].len() as f32;
                for (bone, weight) in own.iter_mut().enumerate() {
                    let others: f32 = neighbours[vertex].iter().map(|&other| weights[other as usize][bone]).sum();
                    *weight = *weight * (1.0 - amount) + others * share;
                }
            }
            own
        });
        weights = spread.collect();
    }
    let mut joints = vec![[0; 4]; weights.len()];
    let mut kept = vec![[0.0; 4]; weights.len()];
    for (vertex, point) in mesh.positions.iter().enumerate() {
        if point.x >= 0.0 {
            (joints[vertex], kept[vertex]) = four_largest(&weights[vertex]);
            let other = twin[vertex];
            if other != vertex {
                joints[other] = std::array::from_fn(|at| mirror[joints[vertex][at] as usize] as u8);
                kept[other] = kept[vertex];
            }
        }
    }
    let normals = normals(&mesh, shape);
    SkinnedMesh { positions: mesh.positions, normals, joints, weights: kept, triangles: mesh.triangles }
}

/// Returns the shape's normals, blended toward the triangles' normals where the two differ: in a crease the shape
/// curves more than its triangles.
fn normals(mesh: &Mesh, shape: &Shape) -> Vec<Vec3> {
    let mut coarse = vec![Vec3::ZERO; mesh.positions.len()];
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|vertex| mesh.positions[vertex as usize]);
        for &vertex in triangle {
            coarse[vertex as usize] += (b - a).cross(c - a);
        }
    }
    let both = mesh.positions.iter().zip(coarse);
    both.map(|(&point, coarse)| {
        let (coarse, fine) = (coarse.normalize_or(Vec3::Y), shape.normal(point));
        coarse.lerp(fine, smooth_step(0.3, 0.9, coarse.dot(fine))).normalize_or(Vec3::Y)
    })
    .collect()
}

/// Returns for each bone the bone of the other side, or the bone itself.
pub fn mirror_bones(skeleton: &Skeleton) -> Vec<BoneIndex> {
    let other = |name: &str| match (name.strip_prefix("left_"), name.strip_prefix("right_")) {
        (Some(name), _) => format!("right_{name}"),
        (_, Some(name)) => format!("left_{name}"),
        _ => name.to_owned(),
    };
    let bones = skeleton.bones().iter();
    bones.map(|bone| skeleton.find(&other(&bone.name)).expect("every bone has its twin")).collect()
}

fn mirrored(weights: &[f32], mirror: &[BoneIndex]) -> Vec<f32> {
    mirror.iter().map(|&bone| weights[bone]).collect()
}

/// Returns for each vertex its mirror image: the mirrored half has the same order as the first.
fn mirror_vertices(mesh: &Mesh) -> Vec<usize> {
    let half = mesh.positions.iter().position(|point| point.x < 0.0).unwrap_or(mesh.positions.len());
    let mut twin: Vec<usize> = (0..mesh.positions.len()).collect();
    let mut next = half;
    for vertex in 0..half {
        if mesh.positions[vertex].x != 0.0 {
            (twin[vertex], twin[next]) = (next, vertex);
            next += 1;
        }
    }
    twin
}

fn neighbours(mesh: &Mesh) -> Vec<Vec<u32>> {
    let mut neighbours = vec![Vec::new(); mesh.positions.len()];
    for &[a, b, c] in &mesh.triangles {
        // Each edge belongs to two triangles, once in each direction.
        for (from, to) in [(a, b), (b, c), (c, a)] {
            neighbours[from as usize].push(to);
        }
    }
    neighbours
}

fn four_largest(weights: &[f32]) -> ([u8; 4], [f32; 4]) {
    let mut order: Vec<usize> = (0..weights.len()).filter(|&bone| weights[bone] > LEAST).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
    order.truncate(4);
    let sum: f32 = order.iter().map(|&bone| weights[bone]).sum();
    let (mut joints, mut kept) = ([0; 4], [0.0; 4]);
    for (place, bone) in order.into_iter().enumerate() {
        (joints[place], kept[place]) = (bone as u8, weights[bone] / sum);
    }
    (joints, kept)
}

/// Shape and skeleton, from which weights of the left half are computed.
struct Left<'a> {
    shape: &'a Shape,
    skeleton: &'a Skeleton,
    rest: &'a ModelPose,
    hand: HandFrame,
}

impl<'a> Left<'a> {
    fn new(shape: &'a Shape, skeleton: &'a Skeleton, rest: &'a ModelPose) -> Self {
        Self { shape, skeleton, rest, hand: HandFrame::left() }
    }

    fn bone(&self, name: &str) -> BoneIndex {
        self.skeleton.find(name).expect("the skeleton has this bone")
    }

    fn joint(&self, name: &str) -> Vec3 {
        self.rest.position(self.bone(name))
    }

    /// Returns the weight of the bones beyond a joint: 0 from `reach` before the plane through the joint, 1 from
    /// `reach` past this plane.
    fn beyond(p: Vec3, joint: Vec3, normal: Vec3, reach: f32) -> f32 {
        smooth_step(-reach, reach, (p - joint).dot(normal.normalize()))
    }

    /// Returns how much the weights at `p` are smoothed, 0 to 1: 0 in hands and feet.
    fn spreading(&self, p: Vec3) -> f32 {
        let along = (p - self.hand.origin).dot(self.hand.along);
        let hand = smooth_step(-0.06, -0.01, along) * smooth_step(0.35, 0.45, p.x);
        (1.0 - hand) * smooth_step(0.06, 0.14, p.y)
    }

    fn weights(&self, p: Vec3) -> Vec<f32> {
        let mut weights = vec![0.0; self.skeleton.len()];
        let mut rest = 1.0;
        let mut take = |weights: &mut Vec<f32>, bone: &str, share: f32| {
            weights[self.bone(bone)] += rest * share;
            rest *= 1.0 - share;
        };
        let parts = self.shape.parts(p);
        let trunk = parts.torso.min(parts.head);
        let nearest_digit = (0..5).min_by(|&a, &b| parts.digits[a].total_cmp(&parts.digits[b])).unwrap_or(0);
        let hand_distance = parts.palm.min(parts.digits[nearest_digit]);

        // The arm, from its end to the shoulder: each bone takes a share of the remaining weight.
        let arm_distance = parts.arm.min(hand_distance);
        let arm_like = smooth_step(-0.022, 0.022, trunk - arm_distance);
        let on_arm = (p - bones::SHOULDER).dot(bones::upper_arm_direction());
        if on_arm > -0.08 && arm_like > 0.0 && arm_distance < 0.05 {
            let digit = &bones::digits()[nearest_digit];
            let name = |index: usize| format!("left_{}_{index}", digit.name);
            let normals: [Vec3; 3] = std::array::from_fn(|index| {
                let along = (digit.points[index + 1] - digit.points[index]).normalize();
                let before = match (index, nearest_digit) {
                    (0, 0) => along,
                    (0, _) => self.hand.along,
                    _ => (digit.points[index] - digit.points[index - 1]).normalize(),
                };
                along + before
            });
            // Vertices follow a digit if they are nearer to it than to the palm, or past a finger's knuckle.
            let of_digit = if nearest_digit == 0 {
                smooth_step(-0.007, 0.004, parts.palm - parts.digits[0])
            } else {
                let nearer = smooth_step(-0.006, 0.003, parts.palm - parts.digits[nearest_digit]);
                let along = (p - digit.points[0]).dot(self.hand.along);
                // The web between two fingers stays with the hand.
                let others = (1..5).filter(|&other| other != nearest_digit).map(|other| parts.digits[other]);
                let second = others.fold(f32::MAX, f32::min);
                nearer.max(smooth_step(0.008, 0.028, along))
                    * smooth_step(0.0, 0.0035, second - parts.digits[nearest_digit])
            };
            let reach = digit.radii[0];
            let first = [0.026, 0.016, 0.016, 0.016, 0.015][nearest_digit];
            take(&mut weights, &name(3), of_digit * Self::beyond(p, digit.points[2], normals[2], reach * 0.7));
            take(&mut weights, &name(2), of_digit * Self::beyond(p, digit.points[1], normals[1], reach * 0.8));
            take(&mut weights, &name(1), of_digit * Self::beyond(p, digit.points[0], normals[0], first));
            let (upper, fore) = (bones::upper_arm_direction(), bones::forearm_direction());
            take(&mut weights, "left_hand", Self::beyond(p, self.joint("left_hand"), fore, 0.028));
            take(&mut weights, "left_forearm", Self::beyond(p, self.joint("left_forearm"), upper + fore, 0.042));
            let shoulder = Self::beyond(p, bones::SHOULDER, Vec3::new(0.80, -0.60, 0.0), 0.065);
            take(&mut weights, "left_upper_arm", arm_like * shoulder);
        }

        let toe = bones::TOE_TIP - bones::BALL;
        let foot = Vec3::new(0.0, -0.85, 0.30);
        if p.y < 1.05 && p.x < 0.3 {
            let low = smooth_step(0.30, 0.20, p.y);
            take(&mut weights, "left_toes", low * Self::beyond(p, bones::BALL + Vec3::Z * 0.004, toe, 0.022));
            take(&mut weights, "left_foot", low * Self::beyond(p, bones::ANKLE - Vec3::Y * 0.002, foot, 0.034));
            let (thigh, calf) = (bones::KNEE - bones::HIP, bones::ANKLE - bones::KNEE);
            let knee = Self::beyond(p, bones::KNEE, thigh.normalize() + calf.normalize(), 0.055);
            take(&mut weights, "left_calf", knee);
            // The border of thigh and pelvis runs from the crotch up and out. Near the crotch a
            // thigh's weight fades toward x = 0.
            let side = smooth_step(-0.012, 0.045, p.x).max(smooth_step(0.84, 0.78, p.y));
            let back = smooth_step(0.0, -0.08, p.z);
            let normal = Vec3::new(0.50 - 0.25 * back, -0.85, 0.0);
            take(&mut weights, "left_thigh", side * Self::beyond(p, bones::HIP, normal, 0.075));
        }

        // The trunk, from the top.
        let up = |name: &str| if name == "head" { Vec3::new(0.0, 0.95, 0.28) } else { Vec3::Y };
        let clavicle = smooth_step(0.155, 0.055, (p - bones::SHOULDER).length());
        take(&mut weights, "left_clavicle", 0.9 * clavicle * smooth_step(0.02, 0.07, p.x));
        take(&mut weights, "head", Self::beyond(p, bones::HEAD + Vec3::Y * 0.005, up("head"), 0.035));
        take(&mut weights, "neck", Self::beyond(p, bones::NECK, up("neck"), 0.045));
        take(&mut weights, "spine_3", Self::beyond(p, bones::SPINE_3, up("spine_3"), 0.075));
        take(&mut weights, "spine_2", Self::beyond(p, bones::SPINE_2, up("spine_2"), 0.065));
        take(&mut weights, "spine_1", Self::beyond(p, bones::SPINE_1, up("spine_1"), 0.06));
        take(&mut weights, "pelvis", 1.0);
        weights
    }
}
