//! A crowd: level changes without pops, grounded feet, rules, and solves on one thread and on several.

use std::sync::{Arc, OnceLock};

use glam::{Vec2, Vec3};
use kinescope_ik::crowd::{Crowd, Kind, Movement, Rule, Scene, Threads, default_rules, ways_over};
use kinescope_ik::debugger::pops::Joint;
use kinescope_ik::full_body::{BodyRun, Node, Recording, Settings};
use kinescope_ik::grounding::{Legs, PredictiveSettings, Quality};
use kinescope_ik::locomotion::{Walker, Way};
use kinescope_ik::rig::{LimbName, RigidTransform};
use kinescope_ik::stack::LayerId;
use kinescope_ik::stepped::Run;
use kinescope_ik::terrain::{Surface, Terrain};
use kinescope_ik::timing::Work;
use proptest::prelude::*;

use crate::common::built_in::built_in;
use crate::common::property::property;
use crate::common::strategies::cases;

const DT: f32 = 1.0 / 60.0;

fn kind() -> Arc<Kind> {
    static KIND: OnceLock<Arc<Kind>> = OnceLock::new();
    KIND.get_or_init(|| {
        let built_in = built_in();
        let (model, found) = (&built_in.model, &built_in.found);
        let legs = Legs::new(model, built_in.biped(), &found.reference, found.facing).unwrap();
        let rest = model.skeleton.rest_pose();
        let walker = Walker::new(&model.skeleton, built_in.reference(), &rest, &model.clips, legs);
        Arc::new(Kind {
            skeleton: model.skeleton.clone(),
            clips: model.clips.clone(),
            rest,
            walker,
            solver: Arc::new(built_in.solver.clone()),
            settings: Settings::default(),
            grounding: PredictiveSettings::default(),
        })
    })
    .clone()
}

fn ways(terrain: &Terrain) -> Vec<Way> {
    ways_over(terrain.center, terrain.size, 12, |at| terrain.height_at(at.x, at.y))
}

#[test]
fn a_rectangle_that_is_not_finite_has_no_ways() {
    let ways = |center: Vec2, size: Vec2| ways_over(center, size, 4, |_| Some(0.0)).len();
    assert_eq!(ways(Vec2::ONE, Vec2::splat(20.0)), 4);
    for bad in [f32::NAN, f32::INFINITY] {
        for bad in [Vec2::new(bad, 20.0), Vec2::new(20.0, bad)] {
            assert_eq!([ways(Vec2::ONE, bad), ways(bad, Vec2::splat(20.0))], [0, 0], "{bad}");
        }
    }
}

fn joints() -> &'static [Joint] {
    static JOINTS: OnceLock<Vec<Joint>> = OnceLock::new();
    JOINTS.get_or_init(|| {
        let built_in = built_in();
        let (solver, settings) = (Arc::new(built_in.solver.clone()), Settings::default());
        let mut recording = Recording::default();
        let mut pose = built_in.reference().to_vec();
        recording.record(&solver, &mut solver.workspace(), &settings, &mut pose).unwrap();
        let run = BodyRun::new(solver, recording, Arc::new(pose), settings);
        Joint::all(LayerId::FullBody, &run.hinges(), &run.planes())
    })
}

fn points(pose: &[RigidTransform]) -> Vec<Vec3> {
    Node::ALL.map(|node| pose[built_in().solver.bone_of(node)].position).to_vec()
}

/// Returns the largest jerk of any joint in degrees, over every three successive frames of which at least one is
/// marked.
fn jerk(frames: &[(Vec<Vec3>, bool)]) -> f32 {
    let counted = frames.windows(3).filter(|window| window.iter().any(|(_, counts)| *counts));
    let jerks = counted.flat_map(|window| {
        let [(first, _), (second, _), (third, _)] = window else { return Vec::new() };
        joints().iter().filter_map(|joint| joint.jerk([first, second, third])).collect()
    });
    jerks.fold(0.0, f32::max)
}

/// Returns smooth hills, so that the ground itself causes no jerk.
fn soft_hills() -> Terrain {
    let mut terrain = Terrain::park();
    for index in 0..terrain.heights.len() {
        let at = terrain.point(index).unwrap();
        terrain.heights[index] = 0.25 * ((0.6 * at.x).sin() + (0.5 * at.z + 0.2 * at.x).sin());
    }
    terrain
}

/// Returns the largest jerk of each member in degrees, and the number of level changes. `rules` and `eye` give the
/// rules and the camera of each frame. With `of_changes` only frames count in which the member fades from one level to
/// another.
fn worst_jerks<'a>(
    rules: impl Fn(usize) -> &'a [Rule],
    frames: usize,
    eye: impl Fn(usize) -> Vec3,
    of_changes: bool,
) -> (Vec<f32>, usize) {
    let terrain = Arc::new(soft_hills());
    let surface = Surface::new(terrain.clone(), 0.0).unwrap();
    let mut crowd = Crowd::new(kind(), ways(&terrain), 24);
    let mut seen = vec![Vec::new(); crowd.members().len()];
    let mut changes = 0;
    let mut before: Vec<_> = Vec::new();
    for frame in 0..frames {
        crowd.advance(DT, &Scene { ground: &surface, eye: eye(frame), rules: rules(frame), clock: None });
        for (seen, member) in seen.iter_mut().zip(crowd.members()) {
            assert!(member.pose().iter().all(|bone| bone.is_finite()));
            seen.push((points(member.pose()), !of_changes || member.is_fading()));
        }
        let now: Vec<_> = crowd.members().iter().map(|member| member.rule()).collect();
        changes += before.iter().zip(&now).filter(|(before, now)| before != now).count();
        before = now;
    }
    (seen.iter().map(|frames| jerk(&frames[2..])).collect(), changes)
}

property! {
    #![proptest_config(cases(6))]

    #[test]
    fn level_changes_make_no_pop(
        speed in 4.0f32..20.0,
        levels in prop::collection::vec((0..4usize, 0..5u32, 1..5u32), 1..5),
    ) {
        let mut rules: Vec<Rule> = levels
            .iter()
            .enumerate()
            .map(|(index, &(grounding, iterations, every))| Rule {
                beyond: 6.0 + 6.0 * index as f32,
                grounding: Quality::ALL.get(grounding).copied(),
                iterations,
                every,
                ..Rule::default()
            })
            .collect();
        rules.reverse();
        rules.push(Rule::default());
        let eye = |frame: usize| Vec3::new(0.0, 2.0, speed * DT * frame as f32);
        let frames = (50.0 / speed / DT) as usize;
        let (found, changes) = worst_jerks(|_| &rules, frames, eye, true);
        prop_assert!(changes > 0 && joints().len() > 10);
        // The jerk that each level has by itself.
        let mut own = vec![0.0f32; found.len()];
        for rule in &rules {
            let alone = [Rule { beyond: 0.0, ..rule.clone() }];
            let always = [Rule { every: 1, ..alone[0].clone() }];
            // Between two solves a member moves evenly: its jerk depends on the frames in which it is solved.
            for later in 0..rule.every as usize {
                let rules = |frame| if frame < later { &always[..] } else { &alone };
                let (alone, changes) = worst_jerks(rules, frames, eye, false);
                prop_assert_eq!(changes, 0);
                own.iter_mut().zip(alone).for_each(|(own, alone)| *own = own.max(alone));
            }
        }
        for (member, (own, found)) in own.into_iter().zip(found).enumerate() {
            prop_assert!(found < own * 1.1 + 1.0, "member {member}: {found}° instead of {own}° in {frames} frames");
        }
    }
}

#[test]
fn without_rules_all_members_are_fully_solved() {
    let terrain = Arc::new(Terrain::park());
    let surface = Surface::new(terrain.clone(), 0.0).unwrap();
    let mut crowd = Crowd::new(kind(), ways(&terrain), 40);
    for _ in 0..60 {
        crowd.advance(DT, &Scene { ground: &surface, eye: Vec3::ZERO, rules: &[], clock: None });
    }
    let feet = [LimbName::LeftLeg, LimbName::RightLeg].map(|limb| built_in().biped().limb(limb).bones[2]);
    let mut lowest = Vec::new();
    for member in crowd.members() {
        assert_eq!(member.rule(), None);
        let above = feet.map(|foot| {
            let at = member.pose()[foot].position;
            at.y - terrain.height_at(at.x, at.z).unwrap()
        });
        lowest.push(above[0].min(above[1]));
    }
    // Ankles are a few centimetres above the sole.
    assert!(lowest.iter().all(|above| (0.0..0.3).contains(above)), "{lowest:?}");
    let moving = crowd.members().iter().filter(|member| member.speed(&kind()) > 0.1).count();
    assert!(moving > 20 && moving < 40, "{moving}");
}

#[test]
fn changing_the_count_keeps_the_other_members() {
    let terrain = Arc::new(Terrain::park());
    let surface = Surface::new(terrain.clone(), 0.0).unwrap();
    let scene = Scene { ground: &surface, eye: Vec3::ZERO, rules: &default_rules(), clock: None };
    let [mut few, mut many] = [3, 70].map(|count| Crowd::new(kind(), ways(&terrain), count));
    for frame in 0..20 {
        if frame == 10 {
            few.set_count(50);
            many.set_count(5);
        }
        few.advance(DT, &scene);
        many.advance(DT, &scene);
    }
    for (few, many) in few.members().iter().zip(many.members()).take(3) {
        assert_eq!(few.pose(), many.pose());
    }
    assert_eq!((few.members().len(), many.members().len()), (50, 5));
}

#[test]
fn the_first_matching_rule_applies() {
    let rules = default_rules();
    let chosen = |movement, distance| rules.iter().position(|rule| rule.fits(movement, "", distance, false));
    assert_eq!(chosen(Movement::Walk, 100.0), Some(0));
    assert_eq!(chosen(Movement::Walk, 30.0), Some(1));
    assert_eq!(chosen(Movement::Idle, 12.0), Some(2));
    assert_eq!(chosen(Movement::Idle, 2.0), Some(3));
    assert_eq!(chosen(Movement::Run, 2.0), Some(4));
    // A member keeps its level at distances slightly below `beyond`, but does not get the level there (hysteresis).
    assert!(rules[2].fits(Movement::Walk, "", 9.7, true) && !rules[2].fits(Movement::Walk, "", 9.7, false));
    assert!(rules.iter().all(|rule| rule.check().is_ok()));
    let wrong = [
        Rule { beyond: -1.0, ..Rule::default() },
        Rule { beyond: f32::NAN, ..Rule::default() },
        Rule { every: 0, ..Rule::default() },
        Rule { iterations: 17, ..Rule::default() },
    ];
    assert!(wrong.iter().all(|rule| rule.check().is_err()));
}

#[test]
fn times_add_up() {
    fn clock() -> f64 {
        static START: OnceLock<std::time::Instant> = OnceLock::new();
        START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64() * 1e6
    }
    let terrain = Arc::new(Terrain::park());
    let surface = Surface::new(terrain.clone(), 0.0).unwrap();
    let mut crowd = Crowd::new(kind(), ways(&terrain), 30);
    crowd.advance(DT, &Scene { ground: &surface, eye: Vec3::ZERO, rules: &[], clock: None });
    assert_eq!(crowd.times().total(), 0.0);
    crowd.advance(DT, &Scene { ground: &surface, eye: Vec3::ZERO, rules: &[], clock: Some(clock) });
    let (times, casts) = (crowd.times(), crowd.casts());
    assert!(casts >= 30 * 2, "{casts}");
    let parts = [
        Work::Sample,
        Work::Grounding,
        Work::Casts,
        Work::Read,
        Work::Stages,
        Work::Write,
        Work::Swing,
        Work::Twist,
        Work::Blend,
    ];
    assert!(parts.iter().all(|&part| times[part] > 0.0), "{times:?}");
    assert_eq!(times.total(), parts.iter().map(|&part| times[part]).sum::<f32>());
}

/// `Parallel` uses several threads even for small crowds, `Auto` only for large crowds. The poses are equal in every
/// mode.
#[test]
fn members_are_solved_on_one_thread_or_on_all() {
    fn clock() -> f64 {
        static START: OnceLock<std::time::Instant> = OnceLock::new();
        START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64() * 1e6
    }
    let terrain = Terrain::hills();
    let surface = Surface::new(Arc::new(terrain.clone()), 0.0).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    for (count, auto) in [(3, 1), (5, 1), (10, 1), (40, 3)] {
        let run = |threads: Threads| {
            let mut crowd = Crowd::new(kind(), ways(&terrain), count);
            crowd.threads = threads;
            let scene = Scene { ground: &surface, eye: Vec3::ZERO, rules: &[], clock: Some(clock) };
            pool.install(|| (0..5).for_each(|_| crowd.advance(DT, &scene)));
            let busy = crowd.thread_times().filter(|times| times.total() > 0.0).count();
            (busy, crowd.members().iter().map(|member| member.pose().to_vec()).collect::<Vec<_>>())
        };
        let [(one, serial), (all, parallel), (some, by_count)] =
            [Threads::Serial, Threads::Parallel, Threads::Auto].map(run);
        assert_eq!([one, all, some], [1, count.min(4), auto], "{count}");
        assert!(serial == parallel && serial == by_count, "{count}");
    }
}
