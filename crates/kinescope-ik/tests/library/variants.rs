//! Variants solved in a batch give the same results as single solves: sweeps, sensitivities, cures, volumes.

use std::sync::Arc;

use glam::Vec3;
use kinescope_ik::debugger::reach_volume::{ReachVolume, reach_volume};
use kinescope_ik::debugger::sweep::{Axis, Frames, Sensitivity, Sweep, run_sweep, sensitivities};
use kinescope_ik::debugger::variants::{Variants, solve_variants};
use kinescope_ik::debugger::why::cure;
use kinescope_ik::full_body::{Author, Effector, Frame, Hooks, Node, Pushing, Settings, Stage, Status, Step};
use kinescope_ik::modifiers::{LookAt, Modifier};
use kinescope_ik::rig::{LimbName, ModelPose, RigidTransform};
use kinescope_ik::stack::parameters::ParameterId;
use kinescope_ik::stack::{
    ChainSection, ChainSolve, Experiments, Input, LabSection, LayerId, MeasureId, Method, OrderSection, Stack, Tools,
    solve,
};
use kinescope_ik::stepped::Run;
use proptest::prelude::*;

use crate::common::property::property;
use crate::common::strategies::{cases, settings, turn};
use crate::common::synthetic::Character;
use crate::debugger::{character, input, of_body, solver};

/// Returns a stack with a chain after the full body: such a frame cannot be solved in a batch.
fn with_a_chain(settings: &Settings) -> Stack {
    let bones = ["right upper arm", "right forearm", "right hand"].map(str::to_owned).into();
    let chain = ChainSolve { bones, target: Some(Vec3::new(-0.4, 1.6, 0.3)), ..ChainSolve::default() };
    Stack { chain_ik: ChainSection { chains: vec![chain], ..ChainSection::default() }, ..of_body(settings) }
}

fn pinned() -> Settings {
    let character = &character().0;
    let mut settings = Settings::default();
    for effector in Effector::END {
        let own = settings.effector_mut(effector);
        own.position = Some(character.reference[solver().bone_of(effector.node())].position);
        own.position_weight = 1.0;
    }
    let hand = settings.effector_mut(Effector::LeftHand);
    hand.position = hand.position.map(|position| position + Vec3::new(0.3, 0.2, 0.25));
    settings
}

fn gap_of(effector: Effector) -> MeasureId {
    MeasureId::Gap(effector.key().to_owned())
}

/// Returns whether a batch value agrees with that of a single solve: on x86-64, where both round alike, bit for bit;
/// elsewhere within 1e-6 of the character's height times the value, or times 1 for smaller values.
fn is_near(found: f32, wanted: f32) -> bool {
    let is_same = if cfg!(target_arch = "x86_64") { found.to_bits() == wanted.to_bits() } else { true };
    is_same && (found - wanted).abs() <= 1e-6 * Character::HEIGHT * wanted.abs().max(1.0)
}

/// Returns the value of a sweep at one point: the mean of the absolute values of the frames, each solved by itself with
/// all its layers. `None` if no frame has a value.
fn one_by_one(inputs: &[Input], measure: &MeasureId, change: impl Fn(&mut Stack)) -> Option<f32> {
    let values = inputs.iter().filter_map(|input| {
        let mut stack = Stack::clone(&input.stack);
        change(&mut stack);
        solve(&character().1, Tools::default(), &Input { stack: Arc::new(stack), ..input.clone() }).outcome(measure)
    });
    let values: Vec<f64> = values.map(|value| f64::from(value.abs())).collect();
    (!values.is_empty()).then(|| (values.iter().sum::<f64>() / values.len() as f64) as f32)
}

fn frames(inputs: &[Input]) -> Frames<'_> {
    Frames { rig: &character().1, ground: &|_| None, inputs, recording: None }
}

property! {
    #![proptest_config(cases(24))]

    /// If `alike`, all variants have the same stages, so that they share registers.
    #[test]
    fn variants_give_the_results_of_single_solves(
        variants in prop::collection::vec((settings(), prop::collection::vec(turn(0.6), Character::BONES)), 1..60),
        alike in any::<bool>(),
    ) {
        let reference = &character().0.reference;
        let mut variants: Vec<(Settings, Vec<RigidTransform>)> =
            variants.into_iter().map(|(settings, turns)| (settings, character().0.turned(reference, &turns))).collect();
        for (settings, _) in variants.iter_mut().filter(|_| alike) {
            (settings.solver.iterations, settings.solver.spine_iterations) = (3, 2);
            settings.solver.fabrik_pass = true;
            settings.solver.weight = settings.solver.weight.max(0.01);
            settings.chains.iter_mut().for_each(|chain| chain.mapping_weight = chain.mapping_weight.max(0.01));
        }
        let variant = |index: usize| (variants[index].0, &variants[index].1[..]);
        type Found = (usize, Result<Status, String>, [f32; Effector::COUNT], Vec<f32>, Vec<RigidTransform>);
        let measures = solve(&character().1, Tools::default(), &input(of_body(&pinned())));
        let measures = measures.full_body().unwrap().measures();
        let found: Vec<Found> = solve_variants(solver(), variants.len(), variant, |solved| {
            let own = (0..measures.len()).map(|index| solved.outcome.measure(index)).collect();
            let done = solved.done.map_err(|error| format!("{error:?}"));
            (solved.index, done, solved.gaps(), own, solved.pose.to_vec())
        }, &mut |_| true).unwrap();
        prop_assert_eq!(found.len(), variants.len());
        for (index, (own, done, gaps, measured, pose)) in found.into_iter().enumerate() {
            let (settings, animated) = &variants[index];
            let stack = Input::new(of_body(settings), ModelPose::rigid(animated.clone()));
            let frame = solve(&character().1, Tools::default(), &stack);
            prop_assert_eq!(own, index);
            prop_assert_eq!(done, Ok(if settings.solver.weight > 0.0 { Status::Solved } else { Status::NothingToDo }));
            for (effector, gap) in Effector::ALL.into_iter().zip(gaps) {
                let wanted = frame.outcome(&gap_of(effector)).unwrap();
                prop_assert!(is_near(gap, wanted), "{index} {effector:?}: {gap}, not {wanted}");
            }
            for (view, value) in measures.iter().zip(measured) {
                let wanted = frame.outcome(&MeasureId::Of(LayerId::FullBody, view.key.clone())).unwrap();
                prop_assert!(is_near(value, wanted), "{index} {}: {value}, not {wanted}", view.key);
            }
            for bone in solver().written_bones() {
                let off = pose[bone].position.distance(frame.pose[bone].position);
                prop_assert!(off <= 1e-6 * Character::HEIGHT, "{index}, bone {bone}: {off}");
            }
        }
    }

    /// Frames of the full body alone; if `has_chain`, a frame with a chain among them.
    #[test]
    fn a_sweep_of_any_settings_equals_single_solves(
        all in prop::collection::vec(settings(), 1..4),
        x in 0..1000usize,
        y in 0..1000usize,
        measure in 0..4usize,
        has_chain in any::<bool>(),
    ) {
        let mut inputs: Vec<Input> = all.iter().map(|settings| input(of_body(settings))).collect();
        if has_chain {
            inputs.insert(inputs.len() / 2, input(with_a_chain(&all[0])));
        }
        let parameters: Vec<ParameterId> = ParameterId::all(&*inputs[0].stack).collect();
        let [x, y] = [x, y].map(|index| parameters[index % parameters.len()]);
        let measure = match measure {
            0 => MeasureId::WorstGap,
            1 => gap_of(Effector::LeftHand),
            2 => MeasureId::Of(LayerId::FullBody, "largest_strain".to_owned()),
            _ => MeasureId::Of(LayerId::FullBody, "left_arm_stretch".to_owned()),
        };
        let axis = |parameter: ParameterId, count: usize| Axis { count, ..Axis::whole_range(parameter, count) };
        let sweep = Sweep { x: axis(x, 7), y: Some(axis(y, 3)), measure: measure.clone().into() };
        let found = run_sweep(&frames(&inputs), &sweep, &mut |_| true).unwrap();
        prop_assert_eq!(found.solves, 21 * inputs.len());
        for (index, &value) in found.values.iter().enumerate() {
            let wanted = one_by_one(&inputs, &measure, |stack| {
                y.set(stack, sweep.y.unwrap().value(index / 7));
                x.set(stack, sweep.x.value(index % 7));
            });
            let wanted = wanted.unwrap();
            prop_assert!(is_near(value, wanted), "{} {} {index}: {value}, not {wanted}", x.path(), y.path());
        }
    }

    #[test]
    fn sensitivities_of_any_settings_equal_single_solves(settings in settings(), has_chain in any::<bool>()) {
        let inputs = [input(if has_chain { with_a_chain(&settings) } else { of_body(&settings) })];
        let measure = gap_of(Effector::LeftHand);
        let found = sensitivities(&frames(&inputs), &measure.clone().into(), &mut |_| true).unwrap();
        let here = one_by_one(&inputs, &measure, |_| {}).unwrap();
        let mut moving = 0;
        for parameter in ParameterId::all(&*inputs[0].stack) {
            let [min, max] = parameter.range();
            let stride = if parameter.parameter.is_whole() { 1.0 } else { (max - min) / 20.0 };
            let [down, up] = [-stride, stride].map(|by| {
                let change = |stack: &mut Stack| {
                    let value = parameter.get(stack) + by;
                    parameter.set(stack, value);
                };
                one_by_one(&inputs, &measure, change).unwrap() - here
            });
            let own: Option<&Sensitivity> = found.iter().find(|own| own.parameter == parameter);
            // A parameter that is not listed has no effect; off x86-64, none beyond the tolerance of `is_near`.
            prop_assert!(own.is_some() || is_near(down, 0.0) && is_near(up, 0.0), "{} {down} {up}", parameter.path());
            if let Some(own) = own {
                moving += 1;
                prop_assert!(is_near(own.down, down) && is_near(own.up, up), "{own:?}, not {down}, {up}");
                prop_assert_eq!(own.value, parameter.get(&*inputs[0].stack));
            }
        }
        prop_assert_eq!(moving, found.len());
        prop_assert!(found.is_sorted_by(|a, b| a.down.abs().max(a.up.abs()) >= b.down.abs().max(b.up.abs())));
    }
}

/// Every parameter that a cure may change, tried alone at both ends of its range.
#[test]
fn the_cure_is_the_best_of_its_single_solves() {
    let hand = Effector::LeftHand as usize;
    let gaps = |settings: &Settings| {
        let inputs = [input(of_body(settings))];
        let mut gaps = Effector::ALL.map(|effector| one_by_one(&inputs, &gap_of(effector), |_| {}).unwrap());
        let own = std::mem::take(&mut gaps[hand]);
        (own, gaps.into_iter().fold(0.0, f32::max))
    };
    let keys = ["iterations", "spine_stiffness", "pull_body_vertical", "pull_body_horizontal", "pin"];
    let of_limbs = ["pull", "push", "push_parent", "reach", "mapping_weight"];
    let best_of = |settings: &Settings| {
        let (now, others) = gaps(settings);
        let mut best: Option<(ParameterId, f32, f32)> = None;
        for parameter in ParameterId::all(settings) {
            if !keys.contains(&parameter.parameter.key) && !of_limbs.contains(&parameter.parameter.key) {
                continue;
            }
            for value in parameter.range() {
                let mut changed = *settings;
                parameter.set(&mut changed, value);
                let (gap, others_then) = gaps(&changed);
                let is_cure = others_then <= others + 0.1 * now && parameter.get(settings) != value;
                if is_cure && gap < best.map_or(now * 0.9, |(_, _, least)| least * 0.999) {
                    best = Some((parameter, value, gap));
                }
            }
        }
        best
    };
    let mut all = vec![pinned(); 5];
    all[1].solver.iterations = 1;
    all[2].chain_mut(LimbName::LeftArm).pull = 0.0;
    all[3].chain_mut(LimbName::LeftArm).mapping_weight = 0.3;
    all[4].solver.iterations = 0;
    let (mut variants, mut cured) = (Variants::default(), 0);
    for settings in &all {
        let found = cure(solver(), &mut variants, settings, &character().0.reference, Effector::LeftHand);
        let wanted = best_of(settings);
        let change = |cure: &(ParameterId, f32, f32)| (cure.0, cure.1);
        assert_eq!(found.as_ref().map(change), wanted.as_ref().map(change));
        if let (Some((.., gap)), Some((.., wanted))) = (found, wanted) {
            assert!(is_near(gap, wanted), "{gap}, not {wanted}");
            cured += 1;
        }
    }
    assert!(cured >= 2, "{cured}");
}

/// Pushes the left hand by 0.2 before write if true; does nothing otherwise.
struct Pushes(bool);

impl Hooks for Pushes {
    fn acts_at(&self, stage: Stage) -> bool {
        self.0 && stage == Stage::BeforeWrite
    }

    fn act(&self, _: Step, _: &Frame, nodes: &mut Pushing) {
        nodes.push(Author { index: 0, name: "test" }, Node::LeftHand, Vec3::new(0.0, 0.0, 0.2));
    }
}

#[test]
fn the_volume_is_that_of_single_solves_with_hooks_and_without() {
    let reference = &character().0.reference;
    let volume = |hooks: Option<&(dyn Hooks + Sync)>| -> ReachVolume {
        let found = reach_volume((solver(), hooks), &pinned(), reference, LimbName::LeftArm, 14, &mut |_| true);
        found.unwrap()
    };
    let (together, one_by_one, pushed) = (volume(None), volume(Some(&Pushes(false))), volume(Some(&Pushes(true))));
    assert!(together.solves > 1000 && together.solves == one_by_one.solves);
    let mut tried = 0;
    for index in 0..together.gaps.gaps.len() {
        let [found, wanted] = [&together, &one_by_one].map(|volume| volume.gaps.gaps[index]);
        let [turn, wanted_turn] = [&together, &one_by_one].map(|volume| volume.gaps.turns[index]);
        assert_eq!(found.is_finite(), wanted.is_finite());
        if found.is_finite() {
            tried += 1;
            assert!(
                is_near(found, wanted) && is_near(turn, wanted_turn),
                "{index}: {found} {wanted} {turn} {wanted_turn}"
            );
        }
    }
    assert_eq!(tried, together.solves);
    assert!(pushed.gaps.gaps != one_by_one.gaps.gaps, "hooks act in the volume");
    let mut wrong = pinned();
    wrong.chains[0].pull = f32::NAN;
    assert!(reach_volume((solver(), None), &wrong, reference, LimbName::LeftArm, 14, &mut |_| true).is_none());
}

#[test]
fn which_frames_share_registers() {
    let alone = of_body(&pinned());
    assert!(alone.is_full_body_alone());
    let is_alone = |change: &dyn Fn(&mut Stack)| {
        let mut stack = alone.clone();
        change(&mut stack);
        stack.is_full_body_alone()
    };
    let look = |off: bool| {
        move |stack: &mut Stack| {
            stack.modifiers = Arc::new(vec![Modifier::LookAt(LookAt { off, ..LookAt::default() })]);
        }
    };
    let chain = |off: bool| {
        move |stack: &mut Stack| {
            *stack = with_a_chain(&pinned());
            stack.chain_ik.chains[0].off = off;
        }
    };
    assert!(is_alone(&look(true)) && is_alone(&chain(true)));
    assert!(!is_alone(&look(false)) && !is_alone(&chain(false)));
    assert!(!is_alone(&|stack| stack.grounding.method = Method::FootIk));
    assert!(!is_alone(&|stack| stack.order = OrderSection { full_body_off: true, ..OrderSection::default() }));
    assert!(!is_alone(&|stack| stack.order = OrderSection { rotations_only: true, ..OrderSection::default() }));
    assert!(!is_alone(&|stack| {
        stack.order.experiments = Experiments { keep_pose: true, ..Experiments::default() };
    }));
    assert!(!is_alone(&|stack| stack.chain_ik.lab = Some(LabSection::default())));
}

#[test]
fn unsolvable_and_weightless_variants_are_reported() {
    let mut all = vec![pinned(); 40];
    all[3].chains[0].pull = f32::NAN;
    all[4].solver.weight = 0.0;
    let reference = &character().0.reference;
    let found = solve_variants(
        solver(),
        all.len(),
        |index| (all[index], &reference[if index == 5 { 0..9 } else { 0..Character::BONES }]),
        |solved| (solved.done, solved.gap(Effector::LeftHand)),
        &mut |_| true,
    );
    let found = found.unwrap();
    assert!(found[3].0.is_err() && found[5].0.is_err());
    assert_eq!(found[4], (Ok(Status::NothingToDo), 0.0));
    for (index, (done, gap)) in found.iter().enumerate().filter(|(index, _)| ![3, 4, 5].contains(index)) {
        assert!(*done == Ok(Status::Solved) && *gap == found[0].1 && *gap > 0.0, "{index}");
    }
    // A sweep over an invalid frame ends at once; zero variants give an empty list.
    let inputs = [input(of_body(&all[3]))];
    let pull = Axis::whole_range(ParameterId::from_path("chains.left_arm.push").unwrap(), 1000);
    let sweep = Sweep { x: pull, y: None, measure: MeasureId::WorstGap.into() };
    let mut rounds = 0;
    let mut count = |_: f32| {
        rounds += 1;
        true
    };
    assert_eq!(run_sweep(&frames(&inputs), &sweep, &mut count), None);
    assert_eq!(rounds, 0);
    let nothing = |_: usize| -> (Settings, &[RigidTransform]) { unreachable!("there is none") };
    assert_eq!(solve_variants(solver(), 0, nothing, |_| (), &mut |_| false), Some(Vec::new()));
}

/// Runs `work` in a pool of two threads, whatever the number of processors; without rayon, on this thread.
fn on_two_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "rayon")]
    let work = || rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap().install(work);
    work()
}

#[test]
fn progress_rises_and_can_cancel_the_work() {
    let reference = &character().0.reference;
    let mut settings = pinned();
    settings.solver.iterations = 0;
    let variant = |_: usize| (settings, &reference[..]);
    let mut progress = Vec::new();
    let mut hear = |done: f32| {
        progress.push(done);
        done < 0.5
    };
    let ended = on_two_threads(|| solve_variants(solver(), 60_000, variant, |solved| solved.index, &mut hear));
    assert!(ended.is_none());
    assert!(
        progress[0] == 0.0 && progress.is_sorted() && progress.len() > 2 && *progress.last().unwrap() >= 0.5,
        "{progress:?}"
    );
    assert_eq!(progress.iter().filter(|&&done| done >= 0.5).count(), 1, "{progress:?}");
}

#[cfg(feature = "rayon")]
#[test]
fn results_do_not_depend_on_the_threads() {
    let (inputs, measure) = ([input(of_body(&pinned())), input(with_a_chain(&pinned()))], gap_of(Effector::LeftHand));
    let path = |path: &str| ParameterId::from_path(path).unwrap();
    let x = Axis::whole_range(path("chains.left_arm.pull"), 21);
    let sweep = Sweep { x, y: Some(Axis::whole_range(path("solver.iterations"), 0)), measure: measure.into() };
    let found = [1, 2, 5].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let found = run_sweep(&frames(&inputs), &sweep, &mut |_| true).unwrap();
            let strong = sensitivities(&frames(&inputs), &sweep.measure, &mut |_| true).unwrap();
            let volume =
                reach_volume((solver(), None), &pinned(), &character().0.reference, LimbName::RightLeg, 9, &mut |_| {
                    true
                });
            (found, strong, volume.unwrap())
        })
    });
    // Other processors may round differently, depending on the register and its other lanes.
    if cfg!(target_arch = "x86_64") {
        assert!(found[0] == found[1] && found[1] == found[2]);
    }
    for (a, b) in found[0].0.values.iter().zip(&found[2].0.values) {
        assert!((a - b).abs() <= 2e-6 * Character::HEIGHT, "{a} {b}");
    }
}
