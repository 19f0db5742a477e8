use glam::DQuat;
use kinescope_ik::rig::ModelPose;

use crate::common::figure::Figure;
use crate::common::skinned::{Made, Skinned, space, turned, walking};
use kinescope::character::Character;

/// The bounding sphere fits the character, in several units and axes of the bind pose and at several scales of the root
/// bone.
#[test]
fn the_camera_frames_the_character() {
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for (label, space) in [
        ("as it is", space(1.0, DQuat::IDENTITY)),
        ("×100, Z up", space(100.0, turned(90.0, 0.0, 0.0))),
        ("×0.01, X up", space(0.01, turned(0.0, 0.0, -90.0))),
    ] {
        for rest in [Figure::new(), walking()] {
            let mut made = Skinned::new(rest);
            (made.bind, made.space, made.blank, made.uneven) = (Figure::new(), space, true, true);
            made.unskinned.clear();
            made.weightless = vec!["root".to_owned()];
            let Made { file, heights, .. } = made.make();
            let path = folder.path().join("made.glb");
            std::fs::write(&path, file).unwrap();
            let character = Character::load(&path).unwrap();
            for scale in [1.0, 100.0, 0.01] {
                let mut local = character.rest.clone();
                local.bones[0].scale *= scale;
                let pose = ModelPose::from_local(&character.model.skeleton, &local);
                let (center, radius) = character.bounds(&pose);
                let (center, radius) = (center / scale, radius / scale / heights[0]);
                if !(0.5..0.8).contains(&radius) || !(0.6..1.1).contains(&center.y) {
                    wrong.push(format!("{label}, scaled by {scale}: {radius} of its height about {center}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
