//! The cost of a frame of a walking character: the built-in biped at 60 Hz over hills and up stairs, with its clip
//! sampled, its feet grounded and the pose solved. Compared with a bare full-body frame, as in the bench `frame`.

use std::time::Instant;

use divan::{Bencher, black_box};
use glam::Vec3;
use kinescope_ik::full_body::{Effector, FullBody, Settings, Workspace};
use kinescope_ik::ground::{Ground, Hit};
use kinescope_ik::grounding::{
    DeriveSettings, DriveWeights, Legs, Output, PredictiveSettings, Quality, State, WeightCurve, derive_weights,
    predictive,
};
use kinescope_ik::rig::{LocalPose, Model, ModelPose, RigidTransform, detect, import};
use kinescope_ik::stepped::Unwatched;
use kinescope_ik::terrain::{Surface, Terrain};

const DT: f32 = 1.0 / 60.0;
/// The walk's speed in metres per second.
const SPEED: f32 = 1.0;

fn main() {
    divan::main();
    if std::env::args().any(|argument| argument == "--bench") {
        table();
    }
}

fn grounds() -> [(&'static str, Terrain); 2] {
    [("hills", Terrain::hills()), ("stairs", Terrain::stairs(0.17, 0.3))]
}

struct Plane(f32);

impl Ground for Plane {
    fn ray(&self, from: Vec3, _: Vec3, _: f32) -> Option<Hit> {
        Some(Hit { point: from.with_y(self.0), normal: Vec3::Y, distance: from.y - self.0 })
    }

    fn sphere(&self, from: Vec3, radius: f32, _: Vec3, _: f32) -> Option<Hit> {
        Some(Hit { point: from.with_y(self.0), normal: Vec3::Y, distance: from.y - self.0 - radius })
    }

    fn capsule(&self, a: Vec3, _: Vec3, radius: f32, _: Vec3, _: f32) -> Option<Hit> {
        self.sphere(a, radius, Vec3::NEG_Y, 0.0)
    }
}

/// A character that walks along +Z and starts over at the end of the ground.
struct Walk {
    model: Model,
    clip: usize,
    curves: [WeightCurve; 2],
    legs: Legs,
    solver: FullBody,
    workspace: Workspace,
    user: Settings,
    grounding: PredictiveSettings,
    surface: Surface,
    time: f32,
    root: RigidTransform,
    local: LocalPose,
    animated: ModelPose,
    pose: Vec<RigidTransform>,
    state: State,
    output: Output,
}

impl Walk {
    fn new(terrain: &Terrain) -> Self {
        let bytes = include_bytes!("../../../assets/biped.glb");
        let model = import("biped.glb", bytes, &mut |uri| Err(uri.to_owned())).expect("the asset reads");
        let found = detect(&model, &Default::default(), Default::default());
        let biped = found.biped.expect("the asset is a biped");
        let legs = Legs::new(&model, &biped, &found.reference, found.facing).unwrap();
        let solver = FullBody::new(&model.skeleton, &biped, &found.reference.bones).expect("the asset solves");
        let local = model.skeleton.rest_pose();
        let clip = model.clips.iter().position(|clip| clip.name == "walk").expect("the asset walks");
        let curves = legs.feet.map(|foot| {
            derive_weights(&model.clips[clip], &model.skeleton, &local, foot, None, &DeriveSettings::default())
                .expect("the clip fits")
        });
        let animated = ModelPose::from_local(&model.skeleton, &local);
        let mut walk = Self {
            clip,
            curves,
            legs,
            workspace: solver.workspace(),
            solver,
            user: Settings::default(),
            grounding: PredictiveSettings::default(),
            surface: terrain.at(0.0).expect("the terrain is valid"),
            time: 0.0,
            root: RigidTransform::IDENTITY,
            pose: animated.bones.clone(),
            local,
            animated,
            model,
            state: State::default(),
            output: Output::default(),
        };
        walk.root.position.z = walk.ends().0;
        walk
    }

    /// Returns the z at which the walk starts and the z at which it ends, each 1 m from an edge of the terrain.
    fn ends(&self) -> (f32, f32) {
        let terrain = self.surface.terrain();
        let half = terrain.size.y * 0.5 - 1.0;
        (terrain.center.y - half, terrain.center.y + half)
    }

    fn sample(&mut self) {
        let clip = &self.model.clips[self.clip];
        self.time = clip.wrap(self.time + DT);
        let (first, last) = self.ends();
        let at = &mut self.root.position;
        at.z = if at.z > last { first } else { at.z + SPEED * DT };
        at.y = self.surface.terrain().height_at(at.x, at.z).unwrap_or(0.0);
        clip.sample(self.time, &mut self.local);
        self.animated.set_from_local(&self.model.skeleton, &self.local);
        for (world, bone) in self.pose.iter_mut().zip(&self.animated.bones) {
            *world = self.root.transform(bone);
        }
    }

    /// Grounds the feet on a plane whose casts cost almost nothing, to time the grounder without its casts.
    fn ground_on_plane(&mut self) {
        let phase = self.time / self.model.clips[self.clip].duration;
        let weights = [0, 1].map(|foot| self.curves[foot].evaluate(phase));
        let mut state = self.state;
        let input = self.legs.input(self.root, &self.pose, weights, DT);
        let plane = Plane(self.root.position.y);
        black_box(predictive::solve(&self.grounding, &input, &mut state, &plane, &mut Unwatched));
    }

    fn ground(&mut self) {
        let phase = self.time / self.model.clips[self.clip].duration;
        let weights = [0, 1].map(|foot| self.curves[foot].evaluate(phase));
        let input = self.legs.input(self.root, &self.pose, weights, DT);
        self.output = predictive::solve(&self.grounding, &input, &mut self.state, &self.surface, &mut Unwatched);
    }

    fn solve(&mut self) {
        let weights = DriveWeights::default();
        let settings = self.legs.drive_full_body(&self.output, &weights, &self.pose, &self.user);
        self.solver.solve(&mut self.workspace, &settings, &mut self.pose).unwrap();
    }

    fn frame(&mut self) {
        self.sample();
        self.ground();
        self.solve();
        black_box(&self.pose);
    }

    /// Solves a full-body frame alone: targets 23 and 17 cm from the left and the right hand, both feet pinned.
    fn bare(&mut self) {
        let Self { solver, workspace, animated, pose, user, .. } = self;
        pose.copy_from_slice(&animated.bones);
        let mut settings = *user;
        for (effector, off) in [
            (Effector::LeftHand, Vec3::new(0.02, 0.12, 0.2)),
            (Effector::RightHand, Vec3::new(0.05, 0.05, 0.15)),
            (Effector::LeftFoot, Vec3::ZERO),
            (Effector::RightFoot, Vec3::ZERO),
        ] {
            let own = settings.effector_mut(effector);
            own.position = Some(pose[solver.bone_of(effector.node())].position + off);
            own.position_weight = 1.0;
        }
        solver.solve(workspace, black_box(&settings), pose).unwrap();
        black_box(&self.pose);
    }
}

#[divan::bench]
fn bare_full_body(bencher: Bencher) {
    let mut walk = Walk::new(&Terrain::hills());
    bencher.bench_local(|| walk.bare());
}

#[divan::bench]
fn whole_on_hills(bencher: Bencher) {
    let mut walk = Walk::new(&Terrain::hills());
    bencher.bench_local(|| walk.frame());
}

#[divan::bench]
fn whole_on_stairs(bencher: Bencher) {
    let mut walk = Walk::new(&grounds()[1].1);
    bencher.bench_local(|| walk.frame());
}

/// Prints the median time of each part of a frame on each ground, in µs and as a multiple of a bare frame.
fn table() {
    const FRAMES: usize = 6000;
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let clock = |times: &mut Vec<f64>, walk: &mut Walk, part: fn(&mut Walk)| {
        let start = Instant::now();
        part(walk);
        times.push(start.elapsed().as_secs_f64() * 1e6);
    };
    println!("ground  part                 µs   bare frames");
    for (name, terrain) in grounds() {
        let parts = [Walk::sample, Walk::ground_on_plane, Walk::ground, Walk::solve, Walk::bare];
        let walked = |quality: Quality| {
            let mut walk = Walk::new(&terrain);
            walk.grounding.quality = quality;
            let mut times: [Vec<f64>; 5] = Default::default();
            for _ in 0..FRAMES {
                for (times, part) in times.iter_mut().zip(parts) {
                    clock(times, &mut walk, part);
                }
            }
            times
        };
        let mut times = walked(Quality::Best);
        let mut whole: Vec<f64> =
            (0..FRAMES).map(|frame| [0, 2, 3].iter().map(|&part| times[part][frame]).sum()).collect();
        let bare = median(&mut times[4]);
        let row = |part: &str, time: f64| println!("{name:7} {part:18} {time:6.2} {:8.2}", time / bare);
        row("sample and pose", median(&mut times[0]));
        row("grounding", median(&mut times[2]));
        row("its own, no casts", median(&mut times[1]));
        row("solve and write", median(&mut times[3]));
        row("whole", median(&mut whole));
        row("bare", bare);
        for quality in [Quality::Fastest, Quality::Simple] {
            row(&format!("grounding, {}", quality.key()), median(&mut walked(quality)[2]));
        }
    }
}
