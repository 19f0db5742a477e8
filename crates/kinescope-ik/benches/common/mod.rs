//! Shared by benchmarks: the built-in biped with targets for hands and feet, rebirth-ik's solver of the same skeleton,
//! time measurements, and the header of a game.

#![allow(dead_code, reason = "no benchmark uses all items")]

use std::time::Instant;

use glam::Vec3;
use kinescope_ik::full_body::{Effector, FullBody, Settings};
use kinescope_ik::game_recording::{GameCharacter, Header};
use kinescope_ik::rig::detect::{Mapping, ReferenceChoice, detect};
use kinescope_ik::rig::import::import;
use kinescope_ik::rig::{Biped, Bone, LocalTransform, Model, ModelPose, RigidTransform, Skeleton};
use rebirth_ik as peer;

/// A biped at rest, with targets 23 and 17 cm from the left and the right hand, and both feet pinned in place.
pub struct Setup {
    pub model: Model,
    pub biped: Biped,
    pub solver: FullBody,
    pub settings: Settings,
    pub animated: Vec<RigidTransform>,
    pub reference: Vec<RigidTransform>,
}

impl Setup {
    pub fn new() -> Self {
        let bytes = include_bytes!("../../../../assets/biped.glb");
        Self::of(import("biped.glb", bytes, &mut |uri| Err(uri.to_owned())).expect("the asset reads"))
    }

    pub fn of(model: Model) -> Self {
        let found = detect(&model, &Mapping::default(), ReferenceChoice::Auto);
        let biped = found.biped.expect("the model is a biped");
        let solver = FullBody::new(&model.skeleton, &biped, &found.reference.bones).expect("the model solves");
        let animated = ModelPose::from_local(&model.skeleton, &model.skeleton.rest_pose()).bones;
        let reference = found.reference.bones;
        let mut setup = Self { model, biped, solver, settings: Settings::default(), animated, reference };
        for (effector, position) in setup.targets() {
            let own = setup.settings.effector_mut(effector);
            (own.position, own.position_weight) = (Some(position), 1.0);
        }
        setup
    }

    fn targets(&self) -> [(Effector, Vec3); 4] {
        let at = |effector: Effector| self.animated[self.solver.bone_of(effector.node())].position;
        [
            (Effector::LeftHand, at(Effector::LeftHand) + Vec3::new(0.02, 0.12, 0.2)),
            (Effector::RightHand, at(Effector::RightHand) + Vec3::new(0.05, 0.05, 0.15)),
            (Effector::LeftFoot, at(Effector::LeftFoot)),
            (Effector::RightFoot, at(Effector::RightFoot)),
        ]
    }

    /// Returns rebirth-ik's skeleton and solver with 20 sweeps. Its five targets are the four of [`Setup`], and the
    /// head in place, which keeps the trunk upright.
    pub fn peer(&self) -> (peer::Skeleton, peer::Fabrik) {
        let vector = |v: Vec3| peer::Vec3::new(v.x, v.y, v.z);
        let mut skeleton = peer::Skeleton::new();
        let mut ids: Vec<peer::NodeId> = Vec::new();
        for (index, bone) in self.model.skeleton.bones().iter().enumerate() {
            let at = self.animated[index].position;
            ids.push(match bone.parent {
                None => skeleton.add_root(vector(at)),
                // rebirth-ik's nodes have rotations. Here they are all the identity, so that offsets are in model
                // space.
                Some(parent) => skeleton.add_child(ids[parent], vector(at - self.animated[parent].position)),
            });
        }
        for (effector, position) in self.targets() {
            skeleton.set_effector(ids[self.solver.bone_of(effector.node())], peer::Effector::new(vector(position)));
        }
        if let Some(head) = self.biped.head {
            skeleton.set_effector(ids[head], peer::Effector::new(vector(self.animated[head].position)));
        }
        let config = peer::Config { max_iterations: 20, early_exit: false, ..peer::Config::default() };
        let solver = peer::Fabrik::new(&skeleton, config);
        (skeleton, solver)
    }
}

/// The duration of work in microseconds: median and minimum over its rounds.
#[derive(Clone, Copy)]
pub struct Taken {
    pub median: f64,
    pub minimum: f64,
}

/// Times several functions in turns, round by round, so that other load on the machine affects all alike. Each function
/// measures its own work and returns microseconds.
pub fn in_turns<const WAYS: usize>(rounds: usize, ways: &mut [&mut dyn FnMut() -> f64; WAYS]) -> [Taken; WAYS] {
    let mut taken = [const { Vec::new() }; WAYS];
    for _ in 0..rounds {
        for (taken, way) in taken.iter_mut().zip(ways.iter_mut()) {
            taken.push(way());
        }
    }
    taken.map(|mut taken| {
        taken.sort_by(f64::total_cmp);
        Taken { median: taken[taken.len() / 2], minimum: taken[0] }
    })
}

/// Runs `work` `count` times and returns microseconds per run.
pub fn micros(count: usize, mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..count).for_each(|_| work());
    start.elapsed().as_secs_f64() * 1e6 / count as f64
}

/// Returns the header of a game with one character: the built-in biped plus helper bones, 53 bones in all.
pub fn game_header() -> Header {
    let Setup { model, biped, animated: mut reference, .. } = Setup::new();
    let mut bones = model.skeleton.bones().to_vec();
    while bones.len() < 53 {
        let name = format!("helper {}", bones.len());
        bones.push(Bone { name, parent: Some(0), rest: LocalTransform::IDENTITY });
        reference.push(RigidTransform::IDENTITY);
    }
    let skeleton = Skeleton::new(bones).expect("parents come first");
    let character = GameCharacter { name: "player".to_owned(), skeleton, biped, reference };
    Header { producer: "benchmark".to_owned(), characters: vec![character] }
}
