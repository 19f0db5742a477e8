//! Solves a character for a hand target and prints the local transforms of the solved bones.
//!
//! `cargo run -p kinescope-ik --features import --example solve [MODEL.glb]`
//!
//! Without a model the example takes the mannequin of the repository, which the package on crates.io lacks.

use kinescope_ik::rig::{Mapping, ReferenceChoice, detect, import};
use kinescope_ik::{Effector, FullBody, ModelPose, Settings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let built_in = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/biped.glb").to_owned();
    let path = std::env::args().nth(1).unwrap_or(built_in);
    let bytes = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
    let model = import::import(&path, &bytes, &mut |uri| Err(format!("{uri} was not loaded")))?;
    let found = detect(&model, &Mapping::default(), ReferenceChoice::Auto);
    let biped = found.biped.ok_or_else(|| format!("{path}: no biped: {:?}", found.problems))?;

    // Once per character.
    let solver = FullBody::new(&model.skeleton, &biped, &found.reference.bones)?;
    let mut workspace = solver.workspace();

    // Every frame: the animated pose is the input and becomes the output.
    let mut pose = ModelPose::from_local(&model.skeleton, &model.skeleton.rest_pose());
    let hand = solver.bone_of(Effector::LeftHand.node());
    let target = pose.position(hand) + found.facing * 0.3 * found.height;
    let mut settings = Settings::default();
    let effector = settings.effector_mut(Effector::LeftHand);
    (effector.position, effector.position_weight) = (Some(target), 1.0);
    solver.solve(&mut workspace, &settings, &mut pose.bones)?;

    println!("target {target}, hand {}, {} apart", pose.position(hand), pose.position(hand).distance(target));
    for (bone, local) in solver.locals(&pose.bones) {
        println!("{}: {} {}", model.skeleton.bones()[bone].name, local.position, local.rotation);
    }
    Ok(())
}
