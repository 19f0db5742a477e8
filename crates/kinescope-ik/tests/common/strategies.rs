use glam::{Quat, Vec3};
use kinescope_ik::full_body::{ChainSettings, Effector, EffectorSettings, Settings, Smoothing, SolverSettings};
use kinescope_ik::parameter::Parameters;
use proptest::prelude::*;

/// Returns a configuration with `PROPTEST_CASES` cases, or `otherwise` if that is not set.
pub fn cases(otherwise: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().map(|cases| cases.parse().expect("PROPTEST_CASES is a number"));
    ProptestConfig::with_cases(cases.unwrap_or(otherwise))
}

/// Returns numbers from 0 to 1, often exactly 0 or 1.
pub fn fraction() -> BoxedStrategy<f32> {
    prop_oneof![1 => Just(0.0f32), 1 => Just(1.0f32), 3 => 0.0f32..=1.0].boxed()
}

pub fn vector(size: f32) -> BoxedStrategy<Vec3> {
    (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| Vec3::new(x, y, z)).boxed()
}

pub fn direction() -> BoxedStrategy<Vec3> {
    (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0)
        .prop_filter_map("a direction", |(x, y, z)| Vec3::new(x, y, z).try_normalize())
        .boxed()
}

pub fn turn(most: f32) -> BoxedStrategy<Quat> {
    (vector(1.0), -most..most)
        .prop_map(|(axis, angle)| {
            Quat::from_axis_angle(if axis.length() > 1e-3 { axis.normalize() } else { Vec3::Y }, angle)
        })
        .boxed()
}

fn set(of: &mut dyn Parameters, values: &mut impl Iterator<Item = f32>) {
    for parameter in of.parameters() {
        let (min, max) = (parameter.min, parameter.usual_max);
        of.set_number(parameter.key, min + (max - min) * values.next().unwrap());
    }
}

/// Returns valid settings: numbers up to their usual maxima, targets and bend goals with coordinates within ±3 m.
pub fn settings() -> impl Strategy<Value = Settings> {
    let (solver, chain) = (SolverSettings::PARAMETERS.len(), ChainSettings::PARAMETERS.len());
    let numbers = solver + Settings::PARAMETERS.len() + 4 * chain + 9 * EffectorSettings::PARAMETERS.len();
    let numbers = prop::collection::vec(fraction(), numbers);
    let chain = (prop::option::of(vector(3.0)), prop::option::of(vector(1.0)), 0..3usize, 0..3usize);
    let chains = prop::collection::vec(chain, 4);
    let effector = (prop::option::of(vector(3.0)), prop::option::of(turn(3.0)), vector(0.3));
    let effectors = prop::collection::vec(effector, Effector::COUNT);
    (numbers, chains, effectors, any::<bool>()).prop_map(|(numbers, chains, effectors, fabrik_pass)| {
        let mut settings = Settings::default();
        let mut numbers = numbers.into_iter();
        set(&mut settings.solver, &mut numbers);
        settings.solver.fabrik_pass = fabrik_pass;
        set(&mut settings, &mut numbers);
        for (chain, (goal, direction, push, reach)) in settings.chains.iter_mut().zip(chains) {
            set(chain, &mut numbers);
            (chain.bend_goal, chain.bend_direction) = (goal, direction);
            (chain.push_smoothing, chain.reach_smoothing) = (Smoothing::ALL[push], Smoothing::ALL[reach]);
        }
        for (effector, (position, rotation, offset)) in settings.effectors.iter_mut().zip(effectors) {
            set(effector, &mut numbers);
            (effector.position, effector.rotation, effector.position_offset) = (position, rotation, offset);
        }
        assert_eq!(settings.validate(), Ok(()));
        settings
    })
}
