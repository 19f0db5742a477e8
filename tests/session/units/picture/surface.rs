use std::sync::Arc;

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use macroquad::math;

use kinescope::character::{BuiltIn, Character};
use kinescope::picture::LARGEST_CALL;
use kinescope::picture::surface::{Surface, UNLIT, split};
use kinescope::ui::theme::Theme;
use kinescope_ik::rig::{Bone, Joint, LocalTransform, Material, Mesh, Model, ModelPose, Morph, MorphOffset, Skeleton};

fn vertices(surface: &Surface) -> Vec<Vec3> {
    let all = surface.parts.iter().flat_map(|part| part.mesh.vertices.iter());
    all.map(|vertex| Vec3::from_array(vertex.position.to_array())).collect()
}

#[test]
fn a_mesh_beside_another_is_the_same_mesh() {
    for built_in in [BuiltIn::Mannequin, BuiltIn::Faun] {
        let character = Character::from_built_in(built_in).unwrap();
        let mut model = Model { images: Vec::new(), ..(*character.model).clone() };
        let mut plate = model.meshes[0].clone();
        plate.joints.iter_mut().for_each(|joint| joint.bone = None);
        model.meshes.push(plate);
        let mut pose = ModelPose::from_local(&model.skeleton, &character.rest);
        for (index, bone) in pose.bones.iter_mut().enumerate() {
            bone.position += Vec3::new(20.0, 0.0, -30.0) * (index % 2) as f32;
            bone.rotation = Quat::from_rotation_y(0.1 * index as f32) * bone.rotation;
        }
        let mut surface = Surface::new(&model, &character.rest);
        surface.pose(&pose, Vec3::ZERO);
        let own = vertices(&surface);
        let aside = Vec3::new(3.0, -1.0, 0.5);
        surface.pose(&pose, aside);
        let beside = vertices(&surface);
        assert!(
            own.len() > 100 && own.iter().zip(&beside).all(|(own, beside)| (*own + aside).distance(*beside) < 1e-4)
        );
        surface.pose(&pose, Vec3::ZERO);
        assert_eq!(vertices(&surface), own);
    }
}

#[test]
fn mixed_colours_differ_on_every_part_and_the_own_ones_come_back() {
    let theme = Theme::of(false);
    for built_in in [BuiltIn::Mannequin, BuiltIn::Faun] {
        let character = Character::from_built_in(built_in).unwrap();
        let model = Model { images: Vec::new(), ..(*character.model).clone() };
        let mut surface = Surface::new(&model, &character.rest);
        let colors = |surface: &mut Surface, with: Option<[u8; 4]>| -> Vec<[u8; 4]> {
            surface.set_colors(theme, with);
            surface.parts.iter().flat_map(|part| part.mesh.vertices.iter().map(|vertex| vertex.color)).collect()
        };
        let own = colors(&mut surface, None);
        let mixed = colors(&mut surface, Some([255, 0, 255, 255]));
        assert!(own.len() > 100 && own.iter().zip(&mixed).all(|(own, mixed)| own != mixed && own[3] == mixed[3]));
        assert_eq!(colors(&mut surface, None), own);
    }
}

fn quad() -> Model {
    let bones = vec![Bone { name: "a".to_owned(), parent: None, rest: LocalTransform::IDENTITY }];
    let mesh = Mesh {
        material: Some(0),
        joints: vec![Joint { bone: Some(0), bone_from_mesh: Mat4::IDENTITY }],
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y],
        normals: vec![Vec3::Z; 4],
        vertex_joints: vec![[0; 4]; 4],
        vertex_weights: vec![[1.0, 0.0, 0.0, 0.0]; 4],
        indices: vec![0, 1, 2, 0, 2, 3],
        ..Mesh::default()
    };
    Model {
        skeleton: Arc::new(Skeleton::new(bones).unwrap()),
        meshes: vec![mesh],
        materials: vec![Material { base_color: Vec4::new(1.0, 0.5, 0.25, 1.0), ..Material::default() }],
        ..Model::default()
    }
}

#[test]
fn vertex_colours_multiply_the_material_and_mix() {
    let mut model = quad();
    model.meshes[0].colors = vec![Vec4::ONE, Vec4::new(0.5, 1.0, 1.0, 0.5), Vec4::ZERO, Vec4::ONE];
    for is_light in [false, true] {
        let mut surface = Surface::new(&model, &model.skeleton.rest_pose());
        let mut colors = |with| {
            surface.set_colors(Theme::of(is_light), with);
            surface.parts[0].mesh.vertices.iter().map(|vertex| vertex.color).collect::<Vec<_>>()
        };
        let own = colors(None);
        // Linear 0.5 and 0.25 are 186 and 136 on the screen.
        assert_eq!(own, [[255, 186, 136, 255], [186, 186, 136, 128], [0, 0, 0, 0], [255, 186, 136, 255]]);
        let mixed = colors(Some([0, 0, 255, 255]));
        assert!(mixed.iter().zip(&own).all(|(mixed, own)| mixed != own && mixed[3] == own[3]), "{mixed:?}");
        assert_eq!(colors(None), own);
    }
    model.meshes[0].material = None;
    let mut surface = Surface::new(&model, &model.skeleton.rest_pose());
    surface.set_colors(Theme::of(false), None);
    assert_eq!(surface.parts[0].mesh.vertices[1].color, [186, 255, 255, 128]);
}

#[test]
fn emitted_light_and_unlit_materials() {
    let mut model = quad();
    let rest = model.skeleton.rest_pose();
    assert!(Surface::new(&model, &rest).parts[0].glow.is_none());
    model.materials[0] =
        Material { emissive: Vec3::new(3.0, 0.5, 0.0), unlit: true, alpha_cutoff: 0.25, ..Material::default() };
    model.meshes[0].uvs = vec![Vec2::X; 4];
    model.meshes[0].emissive_uvs = vec![Vec2::Y; 4];
    let surface = Surface::new(&model, &rest);
    let glow = surface.parts[0].glow.as_ref().unwrap();
    assert_eq!((glow.vertices[0].color, glow.vertices[0].uv), ([255, 186, 0, 255], math::vec2(0.0, 1.0)));
    assert_eq!(surface.parts[0].mesh.vertices[0].normal.w, 0.25 - UNLIT);
    model.materials[0].base_color = Vec4::new(0.0, 0.0, 0.0, 1.0);
    assert!(!Surface::new(&model, &rest).parts[0].plain);
    model.materials[0].emissive = Vec3::ZERO;
    assert!(Surface::new(&model, &rest).parts[0].plain);
}

#[test]
fn morph_targets_move_vertices_and_normals_and_return() {
    let mut model = quad();
    model.meshes[0].morph = Some(0);
    let offset = MorphOffset { vertex: 2, position: Vec3::new(0.0, 2.0, 0.0), normal: Vec3::X };
    model.meshes[0].targets = vec![vec![offset], Vec::new()];
    let weights = vec![0.5, 1.0];
    model.morphs = vec![Morph { weights, ..Default::default() }];
    let rest = model.skeleton.rest_pose();
    let pose = ModelPose::from_local(&model.skeleton, &rest);
    let mut surface = Surface::new(&model, &rest);
    let shown = |surface: &Surface| (vertices(surface)[2], surface.parts[0].mesh.vertices[2].normal.x);
    assert_eq!(shown(&surface).0, Vec3::new(1.0, 2.0, 0.0));
    assert!((shown(&surface).1 - 0.2f32.sqrt()).abs() < 1e-6);
    for (weight, expected) in [(1.0, 3.0), (0.0, 1.0), (-0.5, 0.0)] {
        surface.morph(&[vec![weight, 0.0]]);
        surface.pose(&pose, Vec3::ZERO);
        assert_eq!(shown(&surface).0.y, expected);
    }
    surface.morph(&[]);
    surface.pose(&pose, Vec3::ZERO);
    assert_eq!(vertices(&surface), model.meshes[0].positions);
}

#[test]
fn a_large_mesh_is_split_and_nothing_is_lost() {
    let count = 70_000usize;
    let mesh =
        Mesh { positions: vec![Vec3::ZERO; count * 3], indices: (0..count as u32 * 3).collect(), ..Mesh::default() };
    let mut triangles = 0;
    split(&mesh, |vertices, indices| {
        assert!(vertices.len() <= LARGEST_CALL);
        assert!(indices.iter().all(|&index| usize::from(index) < vertices.len()));
        triangles += indices.len() / 3;
    });
    assert_eq!(triangles, count);
}
