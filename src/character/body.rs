//! Capsules along the bones, for characters without a mesh such as recordings and bug capsules.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use kinescope_ik::math::unit;
use kinescope_ik::rig::{Biped, BoneIndex, Joint, Mesh, ModelPose, Role, Skeleton};

const CORNERS: u32 = 12;
const RINGS: u32 = 4;
/// Length of the shortest bone with a capsule, as a fraction of the height. Directions of shorter bones are rounding
/// errors.
const SHORTEST: f32 = 1e-3;
/// Capsule radii of torso and head, and the smallest radius of any capsule, as fractions of the character's height.
const TORSO: f32 = 0.05;
const HEAD: f32 = 0.055;
const THINNEST: f32 = 0.006;
/// Length of the head's capsule without its caps, as a fraction of the height. The capsule begins half this length
/// beyond the head's bone.
const HEAD_LENGTH: f32 = 0.055;
/// Radius of the capsules of all bones but torso, head, thighs and calves, as a fraction of their length. The radius is
/// clamped to [`THINNEST`] and [`LIMB`] times the height.
const SLENDER: f32 = 0.2;
/// Largest radius of the capsules that [`SLENDER`] sizes, as a fraction of the character's height.
const LIMB: f32 = 0.024;

/// Returns one mesh of capsules along the bones in the pose `rest` (model space). Bones that lead from a root to the
/// body get none, because a root at the origin is not part of the body.
pub fn capsules(skeleton: &Skeleton, rest: &ModelPose, biped: Option<&Biped>, height: f32) -> Option<Mesh> {
    let mut mesh = Mesh { name: "body".to_owned(), ..Mesh::default() };
    for (bone, data) in skeleton.bones().iter().enumerate() {
        let Some(parent) = data.parent else { continue };
        // In some rigs the spine is a sibling of the pelvis.
        let is_at_or_below = |top: BoneIndex| top == parent || skeleton.is_ancestor(top, parent);
        let is_body = match biped {
            Some(biped) => {
                [Some(&biped.pelvis), biped.spine.first()].into_iter().flatten().any(|&top| is_at_or_below(top))
            }
            None => skeleton.parent(parent).is_some(),
        };
        if !is_body {
            continue;
        }
        let (from, to) = (rest.position(parent), rest.position(bone));
        let radius = radius(biped, parent, bone, from.distance(to), height);
        add_capsule(&mut mesh, rest, parent, [from, to], radius, height);
    }
    if let Some(head) = biped.and_then(|biped| biped.head) {
        let neck = skeleton.parent(head).map_or(rest.position(head) - Vec3::Y, |parent| rest.position(parent));
        let at = rest.position(head);
        let along = unit(at - neck).unwrap_or(Vec3::Y) * HEAD_LENGTH * height;
        add_capsule(&mut mesh, rest, head, [at + 0.5 * along, at + 1.5 * along], HEAD * height, height);
    }
    (!mesh.indices.is_empty()).then_some(mesh)
}

fn radius(biped: Option<&Biped>, parent: BoneIndex, bone: BoneIndex, length: f32, height: f32) -> f32 {
    let slender = (SLENDER * length).clamp(THINNEST * height, LIMB * height);
    let role = |bone: BoneIndex| biped.and_then(|biped| biped.role_of(bone));
    let share = match (role(parent), role(bone)) {
        (Some(Role::Pelvis | Role::Spine), Some(Role::Spine)) => TORSO,
        (Some(Role::LeftThigh | Role::RightThigh), _) => 0.036,
        (Some(Role::LeftCalf | Role::RightCalf), _) => 0.028,
        _ => return slender,
    };
    share * height
}

fn add_capsule(mesh: &mut Mesh, rest: &ModelPose, bone: BoneIndex, [from, to]: [Vec3; 2], radius: f32, height: f32) {
    let too_short = from.distance(to) <= SHORTEST * height;
    let Some(along) = unit(to - from).filter(|_| !too_short && radius.is_finite()) else { return };
    let Ok(joint) = u16::try_from(mesh.joints.len()) else { return };
    mesh.joints.push(Joint { bone: Some(bone), bone_from_mesh: rest.model_from_bone(bone).inverse() });
    let side = along.any_orthonormal_vector();
    let other = along.cross(side);
    let first = mesh.positions.len() as u32;
    // The rings go from pole to pole. The last ring of one cap and the first of the other are the ends of the cylinder.
    for ring in 0..=2 * RINGS + 1 {
        let (center, angle) = match ring {
            ring if ring <= RINGS => (from, PI / 2.0 * (ring as f32 / RINGS as f32 - 1.0)),
            ring => (to, PI / 2.0 * ((ring - RINGS - 1) as f32 / RINGS as f32)),
        };
        for corner in 0..CORNERS {
            let turn = TAU * corner as f32 / CORNERS as f32;
            let normal = along * angle.sin() + (side * turn.cos() + other * turn.sin()) * angle.cos();
            mesh.positions.push(center + normal * radius);
            mesh.normals.push(normal);
            mesh.uvs.push(Vec2::ZERO);
            mesh.vertex_joints.push([joint, 0, 0, 0]);
            mesh.vertex_weights.push([1.0, 0.0, 0.0, 0.0]);
        }
    }
    for ring in 0..2 * RINGS + 1 {
        for corner in 0..CORNERS {
            let at = |ring: u32, corner: u32| first + ring * CORNERS + corner % CORNERS;
            let [a, b] = [at(ring, corner), at(ring, corner + 1)];
            let [c, d] = [at(ring + 1, corner), at(ring + 1, corner + 1)];
            mesh.indices.extend([a, b, d, a, d, c]);
        }
    }
}
