//! Locomotion: paths are continuous, the ground is followed without jumps, platforms carry exactly, soles stand on the
//! ground, and any input gives finite output.

use glam::{Quat, Vec2, Vec3};
use kinescope_ik::animation::{Clip, Crossfade, Phase};
use kinescope_ik::ground::Layers;
use kinescope_ik::grounding::{Legs, Side, WeightCurve};
use kinescope_ik::locomotion::{Contact, Gait, Path, Profile, Sole, Stance, Way, gait, profile, sole, way};
use kinescope_ik::rig::RigidTransform;
use proptest::prelude::*;

use crate::common::built_in::built_in;
use crate::common::grounds::{Liar, Plane, Void};
use crate::common::property::property;

const NONSENSE: [f32; 8] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, -1.0, -1e-30, 0.0];

fn points() -> impl Strategy<Value = Vec<Vec2>> {
    prop::collection::vec((-6.0f32..6.0, -6.0f32..6.0).prop_map(|(x, z)| Vec2::new(x, z)), 2..7)
}

/// Returns the height of ground in steps of 0.2 m every 0.3 m; `None` 5 m or more from the origin along an axis.
fn steps(at: Vec2) -> Option<f32> {
    (at.abs().max_element() < 5.0).then(|| (at.y / 0.3).floor() * 0.2)
}

fn over(path: Path, reach: f32, height: impl FnMut(Vec2) -> Option<f32>) -> Way {
    Way { profile: Some(Profile::along(&path, reach, height)), path }
}

property! {
    #[test]
    fn a_way_is_continuous(points in points(), closed in any::<bool>(), from in 0.0f32..1.0) {
        let Some(path) = Path::new(&points, closed) else { return Ok(()) };
        let length = path.length();
        let way = over(path, 0.35, steps);
        let step = 1e-3;
        // At most 4 m of the path; on a closed path, from a random distance.
        let count = ((length / step) as usize).min(4000);
        let begin = if closed { from * length } else { 0.0 };
        let mut before = way.at(begin);
        for index in 1..count {
            let now = way.at(begin + index as f32 * step);
            prop_assert!(now.place.distance(before.place) < 1.1 * step + 1e-5);
            // A step that is not smoothed would climb 0.2 m at once.
            let climbed = (now.height - before.height).abs();
            prop_assert!(climbed < 0.02, "{climbed} m in {step} m");
            prop_assert!((now.direction.unwrap().length() - 1.0).abs() < 1e-4);
            before = now;
        }
    }

    #[test]
    fn a_profile_keeps_within_its_heights(points in points(), reach in 0.0f32..2.0, distance in -100.0f32..100.0) {
        let Some(path) = Path::new(&points, true) else { return Ok(()) };
        let (mut low, mut high) = (0.0f32, 0.0f32);
        let profile = Profile::along(&path, reach, |at| {
            let height = (at.x * 3.0).sin() + at.y;
            (low, high) = (low.min(height), high.max(height));
            Some(height)
        });
        prop_assert!((low - 1e-4..=high + 1e-4).contains(&profile.at(distance)));
        let flat = Profile::along(&path, reach, |_| Some(0.75));
        prop_assert_eq!(flat.at(distance), 0.75);
    }

    #[test]
    fn a_root_faces_its_direction(angle in -7.0f32..7.0, facing in -7.0f32..7.0, level in -1.0f32..1.0) {
        let [to, facing] = [angle, facing].map(|angle| Vec2::from(angle.sin_cos()));
        let facing = Vec3::new(facing.x, 0.0, facing.y);
        let stance = Stance { place: Vec2::new(1.0, 2.0), height: 0.5, direction: Some(to * 3.0) };
        let root = stance.root(facing, level);
        prop_assert!((root.rotation * facing).distance(Vec3::new(to.x, 0.0, to.y)) < 1e-5);
        // The sole below the model's origin is on the ground.
        prop_assert!(root.transform_point(Vec3::Y * level).distance(Vec3::new(1.0, 0.5, 2.0)) < 1e-6);
    }
}

#[test]
fn invalid_paths_are_rejected_and_any_distance_has_a_position() {
    let points = |list: &[(f32, f32)]| list.iter().map(|&(x, z)| Vec2::new(x, z)).collect::<Vec<_>>();
    let none = [
        points(&[]),
        points(&[(1.0, 1.0)]),
        points(&[(1.0, 1.0), (1.0, 1.0 + 1e-5)]),
        points(&[(0.0, 0.0), (f32::NAN, 1.0)]),
        points(&[(0.0, 0.0), (f32::INFINITY, 1.0)]),
        points(&[(-f32::MAX, 0.0), (f32::MAX, 1.0)]),
        points(&[(0.0, 0.0), (1e30, 0.0), (0.0, 1e30)]),
    ];
    for points in none {
        for closed in [false, true] {
            assert_eq!(Path::new(&points, closed), None, "{points:?}");
        }
    }
    let some = [
        points(&[(0.0, 0.0), (0.0, 2e-3)]),
        points(&[(0.0, 0.0), (0.0, 1.0), (0.0, 0.0)]),
        points(&[(1e6, 1e6), (1e6 + 1.0, 1e6), (-1e6, 1e6)]),
        vec![Vec2::ZERO; 3].into_iter().chain([Vec2::X]).collect(),
    ];
    for points in some {
        for (closed, reach) in [false, true].into_iter().flat_map(|closed| NONSENSE.map(|reach| (closed, reach))) {
            let path = Path::new(&points, closed).unwrap();
            let way = over(path, reach, |at| NONSENSE.get((at.x * 100.0).abs() as usize % 9).copied());
            for distance in NONSENSE.into_iter().chain([1e-30, 0.3, way.path.length(), 1e20]) {
                let stance = way.at(distance);
                assert!(stance.place.is_finite() && stance.height.is_finite(), "{points:?}, {reach}, {distance}");
                assert!(stance.direction.unwrap().is_normalized());
            }
            assert_eq!(way.at(f32::NAN), way.at(0.0));
        }
    }
}

#[test]
fn an_open_path_restarts_at_its_end() {
    let path = Path::new(&[Vec2::ZERO, Vec2::Y * 3.0], false).unwrap();
    let way = over(path, 0.0, |at| Some(at.y));
    assert!((way.at(1.5).height - 1.5).abs() < 0.02);
    assert!(way.at(2.999).height > 2.9 && way.at(3.001).height < 0.1);
    let level = Way { profile: None, ..way };
    assert_eq!(level.at(2.0).height, 0.0);
}

#[test]
fn walking_continues_after_values_that_are_not_finite() {
    assert_eq!(way::advance(1.0, 2.0, 0.25), 1.5);
    assert_eq!(way::advance(1.0, -2.0, 0.25), 0.5);
    for number in NONSENSE {
        assert!(way::advance(number, number, number).is_finite());
        assert!(way::advance(1.0, number, 0.1).is_finite() && way::advance(1.0, 1.0, number).is_finite());
    }
    assert_eq!(way::advance(1.0, f32::NAN, 0.1), 1.0);
    assert_eq!(way::advance(f32::INFINITY, 1.0, 0.5), 0.5);
}

#[test]
fn narrow_gaps_are_bridged_and_stairs_become_a_ramp() {
    let path = Path::new(&[Vec2::ZERO, Vec2::Y * 10.0], false).unwrap();
    let reach = profile::reach_for(1.8);
    assert!((reach - 0.35).abs() < 1e-6);
    let trench = |width: f32| move |at: Vec2| Some(if (at.y - 5.0).abs() < width * 0.5 { -1.0 } else { 0.0 });
    assert_eq!(Profile::along(&path, reach, trench(0.6)).at(5.0), 0.0);
    assert!(Profile::along(&path, reach, trench(2.0)).at(5.0) < -0.9);
    let stairs = Profile::along(&path, reach, |at| Some((at.y / 0.3).floor() * 0.17));
    for index in 100..900 {
        let [before, after] = [0.0, 0.01].map(|on| stairs.at(index as f32 * 0.01 + on));
        // At most 1.5 times the mean slope of the stairs: the window may contain one step more than on average.
        assert!((0.0..0.01 * 0.17 / 0.3 * 1.5).contains(&(after - before)), "{}", after - before);
    }
}

#[test]
fn standing_and_walking_give_the_same_ground() {
    let path = Path::new(&[Vec2::ZERO, Vec2::Y * 4.0], false).unwrap();
    let walked = Profile::along(&path, 0.35, steps);
    for index in 10..30 {
        let at = index as f32 * 0.1;
        let stood = profile::height_around(Vec2::Y * at, Vec2::Y, 0.35, steps);
        assert!((stood - walked.at(at)).abs() < 0.02, "{at} m: {stood} and {}", walked.at(at));
    }
    // Beyond the edge the ground continues at the edge's height.
    assert_eq!(profile::height_around(Vec2::ZERO, Vec2::Y, 0.35, |at| (at.y < 0.1).then_some(0.5)), 0.5);
    assert_eq!(profile::height_around(Vec2::ZERO, Vec2::Y, 0.35, |_| None), 0.0);
    for number in NONSENSE {
        let any = Vec2::splat(number);
        assert!(profile::height_around(any, any, number, |_| Some(number)).is_finite());
        assert!(profile::reach_for(number).is_finite());
    }
}

#[test]
fn an_invalid_stance_still_has_a_finite_position() {
    for number in NONSENSE {
        let any = Vec2::new(number, -number);
        let stance = Stance { place: any, height: number, direction: Some(any) };
        let root = stance.root(Vec3::splat(number), -number);
        assert!(root.is_finite() && root.rotation.is_normalized(), "{number}");
        assert!(Stance::direction_of(number).is_normalized());
    }
    for direction in [None, Some(Vec2::ZERO), Some(Vec2::NAN)] {
        assert_eq!(Stance { direction, ..Stance::default() }.rotation(Vec3::X), Quat::IDENTITY);
    }
    assert!(Stance::direction_of(90.0).distance(Vec2::X) < 1e-6);
}

#[test]
fn the_gait_is_the_nearest_and_does_not_flutter() {
    let gaits = [(4, 0.0), (7, 1.0), (2, 2.5)];
    let clip = |pace: f32, current: Option<usize>| Gait::choose(gaits, pace, current).unwrap();
    assert_eq!(clip(0.1, None), Gait { clip: 4, rate: 1.0 });
    assert_eq!(clip(1.2, None), Gait { clip: 7, rate: 1.2 });
    assert_eq!(clip(8.0, None), Gait { clip: 2, rate: 2.0 });
    // Near the middle between the two clips' speeds, the clip that plays continues.
    for pace in [1.74, 1.76] {
        assert_eq!([clip(pace, Some(7)).clip, clip(pace, Some(2)).clip], [7, 2]);
    }
    assert_eq!(Gait::choose([], 1.0, None), None);
    for number in NONSENSE {
        let gait = Gait::choose([(0, number), (1, 1.0)], number, None).unwrap();
        assert!((0.5..=2.0).contains(&gait.rate), "{gait:?}");
    }
    assert_eq!(gait::phase_between(1.0, -2.0), Phase::Keep);
    assert_eq!(gait::phase_between(0.0, 2.0), Phase::Restart);
    assert_eq!(gait::phase_between(f32::NAN, 2.0), Phase::Restart);
}

#[test]
fn feet_are_planted_as_the_clips_are_mixed() {
    let clips = [1.0, 2.0].map(|duration| Clip { duration, ..Clip::default() });
    let curves = [[0.25, 1.0], [0.75, 0.0]].map(|pair| pair.map(WeightCurve::constant));
    let of = |shown: &Crossfade| gait::planted(shown, &clips, |clip| curves.get(clip));
    let mut shown = Crossfade::new();
    assert_eq!(of(&shown), [1.0; 2]);
    shown.play(0);
    assert_eq!(of(&shown), [0.25, 1.0]);
    shown.fade_to(1, 1.0, Phase::Keep, &clips);
    shown.step(0.5, 1.0, &clips);
    assert_eq!(of(&shown), [0.5, 0.5]);
    shown.play(9);
    assert_eq!(of(&shown), [1.0; 2]);
}

#[test]
fn a_foot_moves_with_its_platform() {
    let on = |index: usize, at: Vec3| Contact { platform: Some((index, at)), ..Contact::default() };
    let (from, to) = (Vec3::new(0.1, 0.2, 0.3), Vec3::new(0.4, 0.2, 7.3));
    assert_eq!(on(3, to).carried_since(&on(3, from)), to - from);
    assert_eq!(on(3, to).carried_since(&on(2, from)), Vec3::ZERO);
    assert_eq!(on(3, to).carried_since(&Contact::default()), Vec3::ZERO);
    assert_eq!(on(3, to).carried_since(&on(3, Vec3::NAN)), Vec3::ZERO);
}

#[test]
fn the_depth_of_points_depends_on_the_ground() {
    let ground = Plane::level(0.5);
    let points = [Vec3::new(3.0, 0.4, 1.0), Vec3::new(0.0, 0.7, 0.0), Vec3::NAN];
    assert!((sole::depth(&points, &ground, Layers::ALL, 2.0).unwrap() - 0.1).abs() < 1e-6);
    assert!((sole::depth(&points[1..], &ground, Layers::ALL, 2.0).unwrap() + 0.2).abs() < 1e-6);
    assert_eq!(sole::depth(&[Vec3::Y * 9.0], &ground, Layers::ALL, 2.0), None);
    assert_eq!(sole::depth(&points, &Void, Layers::ALL, 2.0), None);
    assert_eq!(sole::depth(&[], &ground, Layers::ALL, 2.0), None);
    let lie = kinescope_ik::ground::Hit { point: Vec3::NAN, normal: Vec3::NAN, distance: f32::NAN };
    assert_eq!(sole::depth(&points, &Liar(Some(lie)), Layers::ALL, 2.0), None);
    for reach in NONSENSE {
        assert!(sole::depth(&points, &ground, Layers::ALL, reach).is_none_or(f32::is_finite));
    }
    // A sole whose bones are missing is placed as if they were at the origin.
    let lost = Sole { foot: 9, heel: Vec3::NEG_Z, ball: Vec3::Z, tip: Some((10, Vec3::X)) };
    assert_eq!(lost.points(&[]), [Vec3::NEG_Z, Vec3::Z, Vec3::X]);
    let aside = RigidTransform { position: Vec3::X, ..RigidTransform::IDENTITY };
    assert_eq!(Sole { tip: None, foot: 0, ..lost }.points(&[aside])[2], Vec3::X + Vec3::Z);
}

#[cfg(feature = "terrain")]
mod platforms {
    use super::*;
    use kinescope_ik::locomotion::platform;
    use kinescope_ik::terrain::{Platform, Terrain};

    fn ferry() -> Terrain {
        let ferry = Platform {
            half_extents: Vec3::new(0.5, 0.1, 0.5),
            from: Vec3::new(0.3, 0.2, -1.7),
            to: Vec3::new(0.3, 1.2, 2.9),
            ..Platform::default()
        };
        Terrain { platforms: vec![ferry], ..Terrain::default() }
    }

    property! {
        #[test]
        fn carrying_is_exact(time in 0.0f32..40.0, x in -0.5f32..0.5, z in -0.5f32..0.5) {
            let terrain = ferry();
            let own = terrain.platforms[0];
            let start = Vec2::new(own.from.x + x * 0.999, own.from.z + z * 0.999);
            let way = own.place(time) - own.place(0.0);
            prop_assert_eq!(platform::carried(&terrain, start, time, Layers::ALL), Vec2::new(way.x, way.z));
            // The carried point is still on the platform, whose top is the ground there unless the terrain is higher.
            let (surface, at) = (terrain.at(time).unwrap(), start + Vec2::new(way.x, way.z));
            prop_assert_eq!(platform::at(&surface, at, Layers::ALL), Some((0, own.place(time))));
            prop_assert_eq!(platform::top(&surface, at, 0.0, Layers::ALL), own.place(time).y + own.half_extents.y);
            prop_assert_eq!(platform::top(&surface, at, 9.0, Layers::ALL), 9.0);
        }

        #[test]
        fn depth_is_below_ground_or_platform(time in 0.0f32..40.0, x in -4.9f32..4.9, z in -4.9f32..4.9, y in -2.0f32..4.0) {
            let terrain = Terrain { platforms: ferry().platforms, ..Terrain::hills() };
            let surface = terrain.at(time).unwrap();
            let height = terrain.height_at(x, z).map(|ground| platform::top(&surface, Vec2::new(x, z), ground, Layers::ALL));
            if let Some(height) = height {
                let depth = sole::depth(&[Vec3::new(x, y, z)], &surface, Layers::ALL, 100.0).unwrap();
                prop_assert!((depth - (height - y)).abs() < 2e-5, "{depth} for {}", height - y);
            }
        }
    }

    #[test]
    fn points_off_a_platform_are_not_carried() {
        let terrain = ferry();
        let surface = terrain.at(1.0).unwrap();
        for at in [Vec2::splat(4.0), Vec2::NAN, Vec2::INFINITY] {
            assert_eq!(platform::carried(&terrain, at, 3.0, Layers::ALL), Vec2::ZERO);
            assert_eq!(platform::at(&surface, at, Layers::ALL), None);
            assert_eq!(platform::top(&surface, at, f32::NAN, Layers::ALL), 0.0);
        }
        // A platform below the ground carries nothing, nor does one without a finite position.
        let on = Vec2::new(0.3, -1.7);
        let high = Terrain { heights: vec![5.0; 4], ..ferry() };
        assert_eq!(platform::carried(&high, on, 3.0, Layers::ALL), Vec2::ZERO);
        let lost = Platform { to: Vec3::NAN, ..ferry().platforms[0] };
        assert_eq!(platform::carried(&Terrain { platforms: vec![lost], ..ferry() }, on, 3.0, Layers::ALL), Vec2::ZERO);
        for time in NONSENSE {
            assert!(platform::carried(&terrain, on, time, Layers::ALL).is_finite());
        }
    }
}

#[cfg(feature = "import")]
mod biped {
    use super::*;
    use crate::common::built_in::built_in;
    use kinescope_ik::animation::RootMotion;
    use kinescope_ik::grounding::{Legs, Side};
    use kinescope_ik::locomotion::Walker;
    use kinescope_ik::rig::LocalPose;
    use kinescope_ik::slices::finish;

    pub fn walker() -> Walker {
        let own = built_in();
        let legs = Legs::new(&own.model, own.biped(), &own.found.reference, own.found.facing).unwrap();
        let rest = own.model.skeleton.rest_pose();
        Walker::new(&own.model.skeleton, own.reference(), &rest, &own.model.clips, legs)
    }

    pub fn clip(name: &str) -> usize {
        built_in().model.clips.iter().position(|clip| clip.name == name).unwrap()
    }

    #[test]
    fn soles_are_on_the_ground_from_heel_to_tip() {
        let walker = walker();
        let (legs, facing) = (&walker.legs, walker.legs.facing);
        for side in Side::ALL {
            let [heel, ball, tip] = walker.soles[side as usize].points(built_in().reference());
            for point in [heel, ball, tip] {
                assert!((point.y - legs.level).abs() < 1e-4, "{side:?} {point}");
            }
            assert!(heel.dot(facing) < ball.dot(facing) && ball.dot(facing) < tip.dot(facing), "{side:?}");
            assert!(walker.soles[side as usize].tip.is_some());
        }
        let lost = Sole::new(&built_in().model.skeleton, &[], legs, Side::Left);
        assert!(lost.points(&[]).iter().all(|point| point.is_finite()));
    }

    #[test]
    fn clips_walk_as_they_were_made() {
        let walker = walker();
        for (name, speed) in [("idle", 0.0), ("walk", 1.0), ("run", 1.72 / 0.7)] {
            let found = walker.clip_speed(clip(name));
            assert!((found - speed).abs() < 0.03 * speed + 1e-3, "{name}: {found}");
            assert!(walker.strides[clip(name)].planted.is_ok());
            let mut shown = Crossfade::new();
            shown.play_from(clip(name), 0.4);
            assert!((walker.speed(&shown) - found).abs() < 1e-6 && walker.drift(&shown) == Vec3::ZERO);
        }
        // Halfway between two clips, the speed is halfway between theirs.
        let mut shown = Crossfade::new();
        shown.play(clip("walk"));
        shown.fade_to(clip("run"), 1.0, Phase::Keep, &built_in().model.clips);
        shown.step(0.5, 1.0, &built_in().model.clips);
        let mean = (walker.clip_speed(clip("walk")) + walker.clip_speed(clip("run"))) * 0.5;
        assert!((walker.speed(&shown) - mean).abs() < 1e-4);
        assert_eq!(walker.clip_speed(99), 0.0);
        shown.play(99);
        assert_eq!((walker.speed(&shown), walker.drift(&shown)), (0.0, Vec3::ZERO));
    }

    #[test]
    fn clips_are_measured_one_by_one_as_each_alone() {
        let own = built_in();
        let (skeleton, rest, clips) = (&own.model.skeleton, own.model.skeleton.rest_pose(), &own.model.clips);
        let (whole, mut seen) = (walker(), Vec::new());
        let mut progress = |done: f32| seen.push(done);
        let slices = Walker::new_in_slices(skeleton, own.reference(), &rest, clips, whole.legs, &mut progress);
        assert_eq!(finish(slices), whole);
        assert!(seen.len() == clips.len() && seen.is_sorted() && seen.last() == Some(&1.0), "{seen:?}");
        let mut further = Walker::new(skeleton, own.reference(), &rest, &clips[..2], whole.legs);
        clips[2..].iter().for_each(|clip| further.measure(skeleton, &rest, clip));
        assert_eq!(further, whole);
        for (clip, stride) in clips.iter().zip(&whole.strides) {
            let legs = &whole.legs;
            assert_eq!(stride.root, RootMotion::of(clip, skeleton, &rest, legs.pelvis, legs.feet), "{}", clip.name);
        }
    }

    #[test]
    fn a_clip_that_cannot_be_measured_reports_why() {
        let own = built_in();
        let walker = Walker::new(
            &own.model.skeleton,
            own.reference(),
            &LocalPose::default(),
            &own.model.clips[..1],
            walker().legs,
        );
        let fault = walker.strides[0].planted.as_ref().unwrap_err().to_string();
        assert!(fault.contains("rest"), "{fault}");
        assert_eq!(walker.clip_speed(0), 0.0);
    }
}

/// A walking character built with the library alone, as in a game.
#[cfg(all(feature = "import", feature = "terrain"))]
mod game {
    use std::sync::Arc;

    use super::*;
    use crate::common::built_in::built_in;
    use kinescope_ik::locomotion::{Walker, platform};
    use kinescope_ik::rig::{LocalPose, ModelPose};
    use kinescope_ik::stack::{self, Frame, Input, LayerId, Memory, Method, Place, Rig, Stack, Tools};
    use kinescope_ik::terrain::Terrain;

    const DT: f32 = 1.0 / 60.0;

    struct Game {
        terrain: Terrain,
        way: Way,
        walker: Walker,
        rig: Rig,
        stack: Arc<Stack>,
        shown: Crossfade,
        distance: f32,
        time: f32,
        memory: Memory,
    }

    impl Game {
        fn new(terrain: Terrain, points: &[Vec2]) -> Self {
            let (own, walker) = (built_in(), biped::walker());
            let mut stack = Stack::default();
            stack.grounding.method = Method::Predictive;
            let way = over(Path::new(points, true).unwrap(), profile::reach_for(own.found.height), |at| {
                terrain.height_at(at.x, at.y)
            });
            let mut shown = Crossfade::new();
            shown.play(biped::clip("walk"));
            Self {
                way,
                rig: Rig { legs: Some(walker.legs), ..own.rig() },
                walker,
                terrain,
                stack: Arc::new(stack),
                shown,
                distance: 0.0,
                time: 0.0,
                memory: Memory::default(),
            }
        }

        fn frame(&mut self) -> Frame {
            let (own, clips) = (built_in(), &built_in().model.clips);
            self.distance = way::advance(self.distance, self.walker.speed(&self.shown), DT);
            self.time += DT;
            self.shown.step(DT, 1.0, clips);
            let surface = self.terrain.at(self.time).unwrap();
            let stance = self.way.at(self.distance);
            let height = platform::top(&surface, stance.place, stance.height, Layers::ALL);
            let root = Stance { height, ..stance }.root(self.walker.legs.facing, self.walker.legs.level);
            let (mut scratch, mut local) = (LocalPose::default(), LocalPose::default());
            self.shown.sample(clips, &own.model.skeleton.rest_pose(), &mut scratch, &mut local);
            let mut animated = ModelPose::from_local(&own.model.skeleton, &local);
            animated.bones.iter_mut().for_each(|bone| *bone = root.transform(bone));
            let strides = &self.walker.strides;
            let planted = gait::planted(&self.shown, clips, |clip| strides.get(clip)?.planted.as_ref().ok());
            let place = Place { root, dt: DT, planted, ground_time: self.time, ..Place::default() };
            let input = Input {
                stack: self.stack.clone(),
                animated: Arc::new(animated),
                source: None,
                foreign: Arc::default(),
                place,
                memory: self.memory.clone(),
            };
            let frame = stack::solve(&self.rig, Tools { ground: Some(&surface), ..Tools::default() }, &input);
            assert_eq!(frame.problem(), None);
            self.memory = frame.memory.clone();
            frame
        }
    }

    #[test]
    fn grounding_names_what_it_lacks() {
        let mut game = Game::new(Terrain::flat(), &[Vec2::ZERO, Vec2::new(0.0, 2.0), Vec2::new(2.0, 2.0)]);
        let frame = game.frame();
        assert!(frame.run(LayerId::Grounding).is_some());
        let without_ground = stack::solve(&game.rig, Tools::default(), &frame.input);
        assert!(without_ground.run(LayerId::Grounding).is_none());
        assert_eq!(LayerId::Grounding.missing(&game.rig), "no ground");
        game.rig.legs = None;
        assert!(game.frame().run(LayerId::Grounding).is_none());
        assert_eq!(LayerId::Grounding.missing(&game.rig), "no legs");
    }

    #[test]
    fn no_foot_sinks() {
        for terrain in [Terrain::hills(), Terrain::stairs(0.17, 0.3)] {
            let (center, half) = (terrain.center, terrain.size * 0.5);
            let corners = [(0.4, -0.7), (0.4, 0.7), (0.0, 0.9), (-0.4, 0.7), (-0.4, -0.7), (0.0, -0.9)];
            let corners = corners.map(|(x, z)| center + Vec2::new(half.x.min(2.0) * x, half.y * z));
            let mut game = Game::new(terrain, &corners);
            let (mut animated, mut last) = (0.0f32, None::<RigidTransform>);
            for frame in 0..60 * 15 {
                let solved = game.frame();
                let surface = game.terrain.at(game.time).unwrap();
                for sole in game.walker.soles {
                    let points = sole.points(&solved.pose);
                    let depth = sole::depth(&points, &surface, Layers::ALL, 5.0).unwrap_or(0.0);
                    assert!(depth < 0.02, "frame {frame}: {depth} m");
                    animated = animated.max(
                        sole::depth(&sole.points(&solved.input.animated.bones), &surface, Layers::ALL, 5.0)
                            .unwrap_or(0.0),
                    );
                }
                let root = solved.input.place.root;
                let moved = last.map_or(0.0, |last| root.position.distance(last.position));
                assert!(moved < 0.05, "frame {frame}: the root jumps by {moved} m");
                last = Some(root);
            }
            assert!(
                game.distance > 14.0 && animated > 0.04,
                "the animated feet slide, so the test has an effect: {animated} m"
            );
        }
    }
}

/// Ankle height and the offsets of heel and toe are clamped to 2 m, so heel and ball are at most √8 m from the ankle.
#[test]
fn soles_of_nonsense_geometry_are_within_two_metres() {
    let own = built_in();
    let mut legs = Legs::new(&own.model, own.biped(), &own.found.reference, own.found.facing).unwrap();
    for bad in NONSENSE {
        for geometry in &mut legs.geometry {
            (geometry.ankle_height, geometry.heel_offset, geometry.toe_offset) = (bad, bad, bad);
            geometry.forward_in_foot = Vec3::new(bad, 0.0, 1.0);
        }
        for side in Side::ALL {
            let sole = Sole::new(&own.model.skeleton, own.reference(), &legs, side);
            for point in [sole.heel, sole.ball] {
                assert!(point.length() <= 8f32.sqrt() + 1e-4, "{bad}: {sole:?}");
            }
        }
    }
}
