//! One whole frame of the built-in biped: read, solve with defaults and both hands and feet pinned, write; untraced
//! and traced. Beside it, in the same run, rebirth-ik solving the same skeleton for five targets with 20 sweeps.
//!
//! `cargo bench --bench frame` prints the table that the README quotes.

use divan::{Bencher, black_box};
use glam::Vec3;
use kinescope::full_body::Recording;
use kinescope::full_body::{Effector, FullBody, Settings, Workspace};
use kinescope::rig::detect::{Mapping, ReferenceChoice, detect};
use kinescope::rig::import::import;
use kinescope::rig::{Biped, Model, ModelPose, RigidTransform};
use rebirth_ik as peer;

fn main() {
    divan::main();
}

/// The built-in biped at rest, with targets 10 to 25 cm off for both hands and on the spot for both feet.
struct Setup {
    model: Model,
    biped: Biped,
    solver: FullBody,
    workspace: Workspace,
    settings: Settings,
    animated: Vec<RigidTransform>,
}

fn setup() -> Setup {
    let bytes = include_bytes!("../assets/biped.glb");
    let model = import("biped.glb", bytes, &mut |uri| Err(uri.to_owned())).expect("the asset reads");
    let found = detect(&model, &Mapping::default(), ReferenceChoice::Auto);
    let biped = found.biped.expect("the asset is a biped");
    let solver = FullBody::new(&model.skeleton, &biped, &found.reference.bones).expect("the asset solves");
    let animated = ModelPose::from_local(&model.skeleton, &model.skeleton.rest_pose()).bones;
    let mut settings = Settings::default();
    for (effector, position) in targets(&solver, &animated) {
        let own = settings.effector_mut(effector);
        own.position = Some(position);
        own.position_weight = 1.0;
    }
    Setup { workspace: solver.workspace(), model, biped, solver, settings, animated }
}

fn targets(solver: &FullBody, animated: &[RigidTransform]) -> [(Effector, Vec3); 4] {
    let at = |effector: Effector| animated[solver.bone_of(effector.node())].position;
    [
        (Effector::LeftHand, at(Effector::LeftHand) + Vec3::new(0.02, 0.12, 0.2)),
        (Effector::RightHand, at(Effector::RightHand) + Vec3::new(0.05, 0.05, 0.15)),
        (Effector::LeftFoot, at(Effector::LeftFoot)),
        (Effector::RightFoot, at(Effector::RightFoot)),
    ]
}

#[divan::bench]
fn kinescope_untraced(bencher: Bencher) {
    let Setup { solver, mut workspace, settings, animated, .. } = setup();
    let mut pose = animated.clone();
    bencher.bench_local(|| {
        pose.copy_from_slice(&animated);
        let mut settings = settings;
        solver.solve(&mut workspace, black_box(&mut settings), &mut pose).unwrap();
        black_box(&pose);
    });
}

#[divan::bench]
fn kinescope_traced(bencher: Bencher) {
    let Setup { solver, mut workspace, settings, animated, .. } = setup();
    let mut pose = animated.clone();
    let mut recording = Recording::default();
    bencher.bench_local(|| {
        pose.copy_from_slice(&animated);
        recording.record(&solver, &mut workspace, black_box(&settings), &mut pose).unwrap();
        black_box((&pose, &recording));
    });
}

/// The five targets of rebirth-ik are the four above and the head where it is, which keeps the trunk upright.
#[divan::bench]
fn rebirth_ik_20_sweeps(bencher: Bencher) {
    let Setup { model, biped, solver, animated, .. } = setup();
    let vector = |v: Vec3| peer::Vec3::new(v.x, v.y, v.z);
    let mut skeleton = peer::Skeleton::new();
    let mut ids: Vec<peer::NodeId> = Vec::new();
    for (index, bone) in model.skeleton.bones().iter().enumerate() {
        let at = animated[index].position;
        ids.push(match bone.parent {
            None => skeleton.add_root(vector(at)),
            // Its nodes have rotations of their own; with none, offsets are in model space.
            Some(parent) => skeleton.add_child(ids[parent], vector(at - animated[parent].position)),
        });
    }
    for (effector, position) in targets(&solver, &animated) {
        skeleton.set_effector(ids[solver.bone_of(effector.node())], peer::Effector::new(vector(position)));
    }
    if let Some(head) = biped.head {
        skeleton.set_effector(ids[head], peer::Effector::new(vector(animated[head].position)));
    }
    let config = peer::Config { max_iterations: 20, early_exit: false, ..peer::Config::default() };
    let mut peer_solver = peer::Fabrik::new(&skeleton, config);
    bencher.with_inputs(|| skeleton.clone()).bench_local_refs(|skeleton| {
        black_box(peer_solver.solve(skeleton));
    });
}
