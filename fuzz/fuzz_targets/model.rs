//! Any bytes as a model (glTF, FBX, BVH): import, export, rig doctor and solver never panic, and finite input gives
//! finite output.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none model fuzz/corpus/model fuzz/seeds/model`
#![no_main]

use kinescope_ik::math::FARTHEST;
use kinescope_ik::full_body::{FullBody, Settings};
use kinescope_ik::rig::import::{Source, import};
use kinescope_ik::rig::{Mapping, ModelPose, ReferenceChoice, RigidTransform, detect};
use libfuzzer_sys::fuzz_target;

/// Returns whether a pose is finite and within the solver's limits.
fn is_sane(pose: &[RigidTransform]) -> bool {
    pose.iter().all(|bone| bone.is_finite() && bone.position.abs().max_element() <= FARTHEST)
}

fuzz_target!(|bytes: &[u8]| {
    let mut no_files = |uri: &str| Err(format!("no file {uri}"));
    let model = match import("fuzz.glb", bytes, &mut no_files) {
        Ok(model) => model,
        Err(error) => {
            let line = error.to_string();
            assert!(!line.contains('\n') && line.starts_with("fuzz.glb"), "{line}");
            return;
        }
    };
    // A model that the exporter reads becomes a .glb that imports again.
    if let Ok(source) = Source::read("fuzz.glb", bytes, &mut no_files) {
        let (written, _) = source.to_glb().expect("it is no larger than its format allows");
        assert!(import("fuzz.glb", &written, &mut no_files).is_ok());
    }
    for choice in [ReferenceChoice::Auto, ReferenceChoice::Rest, ReferenceChoice::Bind] {
        let detection = detect(&model, &Mapping::default(), choice);
        let Some(biped) = &detection.biped else { continue };
        let reference = &detection.reference.bones;
        let Ok(solver) = FullBody::new(&model.skeleton, biped, reference) else { continue };
        let rest = ModelPose::from_local(&model.skeleton, &model.skeleton.rest_pose()).bones;
        let mut pinned = Settings::default();
        for (index, effector) in pinned.effectors.iter_mut().enumerate() {
            effector.position_weight = 1.0;
            effector.rotation_weight = (index % 2) as f32;
        }
        for mut settings in [Settings::default(), pinned] {
            let mut pose = rest.clone();
            let done = solver.solve(&mut solver.workspace(), &mut settings, &mut pose);
            assert!(done.is_err() || pose.iter().all(RigidTransform::is_finite));
            assert!(done.is_ok() || !is_sane(reference) || !is_sane(&rest), "{done:?}");
        }
    }
});
