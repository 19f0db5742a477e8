//! The duration of biped detection: for the built-in character, and for the slowest valid rigs. At 4,096 bones
//! detection takes at most 0.2 s.

use divan::Bencher;
use glam::Vec3;
use kinescope_ik::rig::detect::{Mapping, ReferenceChoice, detect};
use kinescope_ik::rig::import::import;
use kinescope_ik::rig::{Bone, LocalTransform, Model, Skeleton};

fn main() {
    divan::main();
}

/// Returns a spine with two limbs of `LIMB` bones at each vertebra.
fn comb<const LIMB: usize>(bone_count: usize) -> Model {
    let mut bones = vec![Bone { name: "root".to_owned(), parent: None, rest: LocalTransform::default() }];
    let mut add = |parent: usize, at: Vec3| {
        let rest = LocalTransform { translation: at, ..LocalTransform::default() };
        bones.push(Bone { name: format!("node {}", bones.len()), parent: Some(parent), rest });
        bones.len() - 1
    };
    let vertebrae = (bone_count - 1) / (1 + 2 * LIMB);
    let mut spine = 0;
    for _ in 0..vertebrae {
        spine = add(spine, Vec3::Y / vertebrae as f32);
        for side in [1.0, -1.0] {
            let mut at = add(spine, Vec3::new(0.5 * side, 0.0, 0.0));
            for _ in 1..LIMB {
                at = add(at, Vec3::new(0.06 * side, -0.2, 0.01));
            }
        }
    }
    Model { skeleton: Skeleton::new(bones).unwrap().into(), ..Model::default() }
}

fn bench(bencher: Bencher, model: &Model) {
    bencher.bench_local(|| detect(model, &Mapping::default(), ReferenceChoice::Auto));
}

#[divan::bench]
fn built_in(bencher: Bencher) {
    let bytes = include_bytes!("../../../assets/biped.glb");
    bench(bencher, &import("biped.glb", bytes, &mut |uri| Err(uri.to_owned())).unwrap());
}

#[divan::bench(args = [701, 1_401, 4_096])]
fn limbs_of_three_bones_at_every_vertebra(bencher: Bencher, bone_count: usize) {
    bench(bencher, &comb::<3>(bone_count));
}

#[divan::bench(args = [701, 1_401, 4_096])]
fn limbs_of_one_bone_at_every_vertebra(bencher: Bencher, bone_count: usize) {
    bench(bencher, &comb::<1>(bone_count));
}

/// Returns a model whose two-bone limbs share a parent and point in nearly the same direction, so that each may
/// continue any other.
fn hub(bone_count: usize) -> Model {
    let bones = (0..bone_count).map(|index| {
        let turn = index as f32;
        let translation = Vec3::new(1.0, 0.1 * turn.sin(), 0.1 * (0.37 * turn).cos());
        let parent = match index {
            0 => None,
            odd if odd % 2 == 1 => Some(0),
            even => Some(even - 1),
        };
        Bone {
            name: format!("node {index}"),
            parent,
            rest: LocalTransform { translation, ..LocalTransform::default() },
        }
    });
    Model { skeleton: Skeleton::new(bones.collect()).unwrap().into(), ..Model::default() }
}

#[divan::bench(args = [701, 1_401, 4_096])]
fn limbs_of_two_bones_at_one(bencher: Bencher, bone_count: usize) {
    bench(bencher, &hub(bone_count));
}
