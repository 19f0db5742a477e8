//! Files that are read, given other clips, and written.

use glam::{Quat, Vec3};
use kinescope_ik::rig::import::Source;
use kinescope_ik::rig::{Bone, LocalTransform, Skeleton, import};

#[test]
fn baked_poses_are_read_back_as_a_clip() {
    let bone = |name: &str, parent, at: Vec3| {
        let rest = LocalTransform { translation: at, ..LocalTransform::IDENTITY };
        Bone { name: name.into(), parent, rest }
    };
    let skeleton = Skeleton::new(vec![bone("a", None, Vec3::ZERO), bone("b", Some(0), Vec3::X)]).unwrap();
    let (rest, mut moved) = (skeleton.rest_pose(), skeleton.rest_pose());
    moved.bones[1].translation = Vec3::Y;
    moved.bones[0].rotation = Quat::from_rotation_z(0.5);
    let mut source = Source::of_bones(&skeleton);
    source.bake(0, "wave", &rest, &[0.0, 0.5], &[rest.clone(), moved.clone()]);
    source.bake(0, "again", &rest, &[0.0, 0.25], &[moved.clone(), rest.clone()]);
    source.bake(1, "still", &rest, &[0.0, 1.0], &[rest.clone(), rest.clone()]);
    let (bytes, _) = source.to_glb().unwrap();
    let model = import("wave.glb", &bytes, &mut |uri| Err(uri.to_owned())).unwrap();
    let clips: Vec<_> = model.clips.iter().map(|clip| (&*clip.name, clip.duration)).collect();
    assert_eq!(clips, [("wave", 0.25), ("still", 1.0)]);
    let mut pose = model.skeleton.rest_pose();
    model.clips[0].sample(0.0, &mut pose);
    assert_eq!(pose.bones[1].translation, Vec3::Y);
    assert!(pose.bones[0].rotation.abs_diff_eq(moved.bones[0].rotation, 1e-6));
    model.clips[0].sample(0.25, &mut pose);
    assert_eq!(pose.bones[1].translation, Vec3::X);
}
