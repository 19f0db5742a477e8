//! The same character on a goat's legs: high knees and hocks, a long metatarsus, standing on its toes.
//!
//! The legs and the strides of the clips differ from the human's. Each vertex moves with its bones from the human's
//! pose to the faun's; on the legs it is scaled along and across each bone.

use glam::{Mat4, Vec3};
use kinescope_ik::rig::{Bone, LocalTransform, ModelPose, RigidTransform, Skeleton};

use super::bones::{self, frame, mirror_point, mirror_rotation};
use super::clips::{self, Stand};
use super::{Character, SkinnedMesh};

pub const KNEE: Vec3 = Vec3::new(0.112, 0.600, 0.125);
pub const HOCK: Vec3 = Vec3::new(0.120, 0.330, -0.150);
pub const BALL: Vec3 = Vec3::new(0.126, 0.028, -0.015);
pub const TOE_TIP: Vec3 = Vec3::new(0.130, 0.014, 0.085);

/// Bones of the left leg: name, start and end on the human, start and end on the faun, and a factor for the thickness.
const LEG: [(&str, [Vec3; 2], [Vec3; 2], f32); 4] = [
    ("thigh", [bones::HIP, bones::KNEE], [bones::HIP, KNEE], 1.0),
    ("calf", [bones::KNEE, bones::ANKLE], [KNEE, HOCK], 0.85),
    ("foot", [bones::ANKLE, bones::BALL], [HOCK, BALL], 0.75),
    ("toes", [bones::BALL, bones::TOE_TIP], [BALL, TOE_TIP], 1.0),
];

/// Returns the position and rotation of a leg's bone in model space.
fn place(name: &str, [from, to]: [Vec3; 2], right: bool) -> RigidTransform {
    let front = if matches!(name, "foot" | "toes") && to.y < 0.1 { Vec3::Y } else { Vec3::Z };
    let rotation = frame(to - from, front);
    match right {
        true => RigidTransform { position: mirror_point(from), rotation: mirror_rotation(rotation) },
        false => RigidTransform { position: from, rotation },
    }
}

pub fn character(human: &Character) -> Character {
    let mut placed = human.rest.bones.clone();
    let mut moves = vec![Mat4::IDENTITY; placed.len()];
    for (right, side) in [(false, "left"), (true, "right")] {
        for (name, there, here, thicker) in LEG {
            let bone = human.skeleton.find(&format!("{side}_{name}")).expect("the human has this bone");
            let longer = (here[1] - here[0]).length() / (there[1] - there[0]).length();
            let [there, here] = [human.rest.bones[bone], place(name, here, right)];
            let [from, to] =
                [there, here].map(|at| Mat4::from_rotation_translation(at.rotation.normalize(), at.position));
            moves[bone] = to * Mat4::from_scale(Vec3::new(thicker, longer, thicker)) * from.inverse();
            placed[bone] = here;
        }
    }
    let bones = human.skeleton.bones().iter().enumerate().map(|(index, bone)| {
        let local = bone.parent.map_or(placed[index], |parent| placed[parent].to_local(&placed[index]));
        let rest = LocalTransform { translation: local.position, rotation: local.rotation, scale: Vec3::ONE };
        Bone { rest, ..bone.clone() }
    });
    let skeleton = Skeleton::new(bones.collect()).expect("the same bones in the same order");
    let rest = ModelPose::from_local(&skeleton, &skeleton.rest_pose());
    let mesh = moved(&human.mesh, &moves);
    let clips = clips::clips(&skeleton, &rest, &Stand { ankle: HOCK, heel: None, ball: BALL.with_y(0.0), stride: 0.7 });
    Character { skeleton, rest, mesh, clips }
}

/// Returns the mesh with moved vertices. Their normals are computed from the triangles.
fn moved(mesh: &SkinnedMesh, moves: &[Mat4]) -> SkinnedMesh {
    let positions: Vec<Vec3> = (0..mesh.positions.len())
        .map(|vertex| {
            let point = mesh.positions[vertex];
            let parts = mesh.joints[vertex].iter().zip(mesh.weights[vertex]);
            parts.map(|(&joint, weight)| moves[usize::from(joint)].transform_point3(point) * weight).sum()
        })
        .collect();
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|vertex| positions[vertex as usize]);
        triangle.iter().for_each(|&vertex| normals[vertex as usize] += (b - a).cross(c - a));
    }
    // Vertices that did not move keep the human's normal, which is more exact than the triangles'.
    let is_moved = |vertex: usize| positions[vertex].distance(mesh.positions[vertex]) > 1e-6;
    let normals = (0..positions.len())
        .map(|vertex| if is_moved(vertex) { normals[vertex].normalize_or(Vec3::Y) } else { mesh.normals[vertex] })
        .collect();
    SkinnedMesh {
        positions,
        normals,
        joints: mesh.joints.clone(),
        weights: mesh.weights.clone(),
        triangles: mesh.triangles.clone(),
    }
}
