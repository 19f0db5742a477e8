//! Math, limits, chains, grounding, modifiers and animation do not panic on any float: NaN, infinity, denormals,
//! swapped bounds and zero lengths are tried.

use glam::{Quat, Vec3};
use kinescope_ik::animation::{
    Additive, Base, Binding, Clip, Crossfade, Formula, Inputs, Interpolation, LayerInput, LayerKind, Mask, Phase,
    PoseLayer, RootMotion, Track, TrackValues, blend,
};
use kinescope_ik::chain_ik::limits::{swing_twist, wrap};
use kinescope_ik::chain_ik::{self, Chain, Goal, Limit, Problem, Solver, TwoBone, Workspace};
use kinescope_ik::ground::{Hit, Layers};
use kinescope_ik::grounding::{
    self, FootGeometry, FootIkSettings, FootIkState, FootInput, Input, LegOutput, PredictiveSettings, Reach, Root,
    WeightCurve,
};
use kinescope_ik::math::*;
use kinescope_ik::modifiers::{Figure, Fold, Hit as Blow, Modifier, Modify, Running, Seen, elbow};
use kinescope_ik::parameter::Parameters;
use kinescope_ik::rig::{LocalPose, LocalTransform, RigidTransform};
use kinescope_ik::stepped::Unwatched;
use kinescope_ik::{Effector, FullBody, Settings};
use proptest::prelude::*;
use std::hint::black_box;

use crate::common::grounds::{Liar, Plane};
use crate::common::property::property;
use crate::common::strategies::cases;
use crate::common::synthetic::Character;

fn float() -> BoxedStrategy<f32> {
    let special = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        1e-45,
        0.0,
        -0.0,
        1.0,
        -1.0,
        std::f32::consts::PI,
    ];
    prop_oneof![4 => prop::sample::select(special.to_vec()), 4 => -3.0f32..3.0, 2 => prop::num::f32::ANY].boxed()
}

fn vector() -> BoxedStrategy<Vec3> {
    (float(), float(), float()).prop_map(|(x, y, z)| Vec3::new(x, y, z)).boxed()
}

fn rotation() -> BoxedStrategy<Quat> {
    let any = (float(), float(), float(), float()).prop_map(|(x, y, z, w)| Quat::from_xyzw(x, y, z, w));
    prop_oneof![any, Just(Quat::IDENTITY), Just(Quat::from_rotation_x(3.0))].boxed()
}

fn bone() -> impl Strategy<Value = RigidTransform> {
    (vector(), rotation()).prop_map(|(position, rotation)| RigidTransform { position, rotation })
}

fn limit() -> BoxedStrategy<Limit> {
    prop_oneof![
        (vector(), float(), float()).prop_map(|(axis, min, max)| Limit::Hinge { axis, min, max }),
        (float(), float(), float()).prop_map(|(swing, twist_min, twist_max)| Limit::BallAndSocket {
            swing,
            twist_min,
            twist_max
        }),
        float().prop_map(|max| Limit::Angle { max }),
    ]
    .boxed()
}

/// Sets every setting to the next of `numbers`, which may be outside of its range.
fn spoil(of: &mut dyn Parameters, numbers: &mut impl Iterator<Item = f32>) {
    for parameter in of.parameters() {
        of.set_number(parameter.key, numbers.next().unwrap());
    }
}

fn numbers() -> impl Strategy<Value = Vec<f32>> {
    prop::collection::vec(float(), 16..64)
}

#[test]
fn limits_and_two_bones_accept_inputs_on_which_clamp_panics() {
    let hinge = Limit::Hinge { axis: Vec3::X, min: 1.0, max: -1.0 };
    assert_eq!(hinge.apply(Quat::from_rotation_x(0.3), Vec3::Y, 0.0).turn, -1.0);
    let hinge = Limit::Hinge { axis: Vec3::X, min: f32::NAN, max: f32::NAN };
    assert!(hinge.apply(Quat::IDENTITY, Vec3::Y, 0.0).rotation.is_finite());
    assert!(hinge.violation(Quat::IDENTITY, Vec3::Y, 0.0).is_finite());
    let ball = Limit::BallAndSocket { swing: 0.5, twist_min: 0.5, twist_max: f32::NAN };
    assert!(ball.apply(Quat::IDENTITY, Vec3::Y, 0.0).rotation.is_finite());
    let limb = TwoBone { upper: f32::NAN, lower: 1.0, maximum_stretch: 1.0, soft_zone: 0.0 };
    black_box(limb.solve(Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X));
    let limb = TwoBone { upper: -1.0, lower: 3.0, maximum_stretch: 1.0, soft_zone: 0.0 };
    black_box(limb.solve(Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X));
}

property! {
    #![proptest_config(cases(500))]

    #[test]
    fn math_takes_any_float(
        (a, b, c) in (vector(), vector(), vector()),
        (p, q) in (rotation(), rotation()),
        (x, y, z) in (float(), float(), float()),
        smoothing in 0..4u32,
    ) {
        black_box((length(a), unit(a), unit_or_zero(a), exact_unit(p), read_rotation(p), sine(a, b), angle(a, b)));
        black_box((ortho_normalize(a, b), look_rotation(a, b), plane_rotation([a, b, c]), from_to_rotation(a, b)));
        black_box((from_to_about_axis(a, b, c), smoothstep(x), nlerp(p, q, x), slerp_vector(a, b, x)));
        black_box((clamp_direction(a, b, x, smoothing), fabrik_joint(a, b, x), clamp(x, y, z)));
        if y <= z {
            prop_assert_eq!(clamp(x, y, z).to_bits(), x.clamp(y, z).to_bits());
        }
    }

    #[test]
    fn limbs_and_limits_accept_any_float(
        limit in limit(),
        (p, axis, turn) in (rotation(), vector(), float()),
        (upper, lower, maximum_stretch, soft_zone) in (float(), float(), float(), float()),
        (root, target, hint, fallback) in (vector(), vector(), vector(), vector()),
    ) {
        black_box((limit.apply(p, axis, turn), limit.violation(p, axis, turn), limit.turn_of(p)));
        let _ = limit.validate();
        black_box((swing_twist(p, axis), swing_angle(p), wrap(turn)));
        let limb = TwoBone { upper, lower, maximum_stretch, soft_zone };
        black_box((limb.solve(root, target, hint, fallback), limb.reached(turn)));
    }

    #[test]
    fn chains_take_any_float(
        numbers in numbers(),
        joints in prop::collection::vec(vector(), 3..6),
        (target, plane, goal) in (vector(), vector(), vector()),
        which in 0..Solver::ALL.len(),
        (limit, weight) in (limit(), float()),
        start in prop::collection::vec((vector(), rotation(), float()), 6),
    ) {
        let _ = Chain::from_positions(&joints);
        let mut chain = Chain::from_positions(&[Vec3::ZERO, Vec3::Y, Vec3::new(0.1, 2.0, 0.0)]).unwrap();
        let _ = chain.set_limit(1, limit);
        chain.set_weight(0, weight);
        let mut settings = chain_ik::Settings { solver: Solver::ALL[which], ..chain_ik::Settings::default() };
        spoil(&mut settings, &mut numbers.into_iter().cycle());
        (settings.plane, settings.bend_normal, settings.bend_goal) = (Some(plane), Some(goal), Some(goal));
        let mut workspace = Workspace::default();
        let mut state = chain.rest().clone();
        for spoiled in [false, true] {
            if spoiled {
                for (own, given) in state.positions.iter_mut().zip(&start) { *own = given.0; }
                for (own, given) in state.rotations.iter_mut().zip(&start) { *own = given.1; }
                for (own, given) in state.turns.iter_mut().zip(&start) { *own = given.2; }
            }
            for settings in [settings, chain_ik::Settings { solver: Solver::ALL[which], ..Default::default() }] {
                let goals = [Goal::end(&chain, target)];
                let problem = Problem { chain: &chain, settings: &settings, goals: &goals };
                let _ = black_box(chain_ik::solve(&problem, &mut state, &mut workspace));
            }
        }
    }

    #[test]
    fn grounding_accepts_any_float(
        numbers in numbers(),
        feet in [(bone(), vector(), float(), float()), (bone(), vector(), float(), float())],
        (root, up, forward, dt) in (vector(), vector(), vector(), float()),
        (point, normal, distance, lies) in (vector(), vector(), float(), any::<bool>()),
        times in prop::collection::vec(float(), 4),
    ) {
        let feet = feet.map(|(foot, hip, length, weight)| {
            let geometry = FootGeometry {
                ankle_height: length,
                heel_offset: weight,
                toe_offset: length,
                forward_in_foot: hip,
            };
            let reach = Some(Reach { hip, length });
            black_box(FootGeometry::measure(foot, Some(hip), &Root { position: root, up, forward }));
            FootInput { reach, weight, layers: Layers::ALL, ..FootInput::new(foot, geometry) }
        });
        let input = Input { root: Root { position: root, up, forward }, feet, dt };
        let hit = Liar(Some(Hit { point, normal, distance }));
        let mut numbers = numbers.into_iter().cycle();
        let (mut predictive, mut foot_ik) = (PredictiveSettings::default(), FootIkSettings::default());
        spoil(&mut predictive, &mut numbers);
        spoil(&mut foot_ik, &mut numbers);
        let (mut state, mut simple) = (grounding::State::default(), FootIkState::default());
        for dt in [0.0, dt, 0.02] {
            let input = Input { dt, ..input };
            let (frame, mut raw) = grounding::predictive::read(&predictive, &input, &state);
            let frame = grounding::Frame { settings: predictive, ..frame };
            for step in grounding::Program::new(&frame) {
                grounding::run_stage(&frame, &mut raw, step, &hit, &mut Unwatched);
            }
            match lies {
                true => {
                    black_box(grounding::predictive::solve(&predictive, &input, &mut state, &hit, &mut Unwatched));
                    black_box(grounding::foot_ik::solve(&foot_ik, &input, &mut simple, &hit, &mut Unwatched));
                }
                false => {
                    let ground = Plane::level(0.1);
                    black_box(grounding::predictive::solve(&predictive, &input, &mut state, &ground, &mut Unwatched));
                    black_box(grounding::foot_ik::solve(&foot_ik, &input, &mut simple, &ground, &mut Unwatched));
                }
            }
        }
        let [a, b, c, d] = times[..] else { unreachable!() };
        black_box((filter::chase(a, b, c, d, a, b), filter::follow_lower(a, [b, c], [c, d], a, b)));
        black_box(filter::Lag::new(a, b).apply(c, d, a));
        black_box(LegOutput { ik_position: point, weight: a, ..LegOutput::default() }.blend(
            RigidTransform { position: root, rotation: Quat::from_xyzw(a, b, c, d) },
            Quat::from_xyzw(b, c, d, a),
        ));
        let mut curve = WeightCurve::constant(a);
        curve.insert(b, c);
        curve.move_key(0, d, a);
        black_box(curve.evaluate(b));
        let keys = [(a, b), (c, d), (0.2, a), (0.3, b)].map(|(time, value)| grounding::Key { time, value });
        if let Ok(curve) = WeightCurve::from_keys(keys.to_vec()) {
            black_box(curve.evaluate(a));
        }
    }

    #[test]
    fn modifiers_take_any_float(
        numbers in numbers(),
        bones in prop::collection::vec(bone(), 4),
        (root, dt, time) in (bone(), float(), float()),
        (point, direction, force) in (vector(), vector(), float()),
        (a, b, c, d) in (float(), float(), float(), float()),
    ) {
        let character = Character::new();
        let solver = FullBody::new(&character.skeleton, &character.biped, &character.reference).unwrap();
        let figure = Figure::new(&character.skeleton, &character.biped, &character.reference).unwrap();
        let mut numbers = numbers.into_iter().cycle();
        let mut running: Vec<Running> = Modifier::all().into_iter().map(Running::new).collect();
        for own in &mut running {
            spoil(own.modifier.parameters_mut(), &mut numbers);
            own.modifier.switch(true);
            own.trigger();
            own.strike(Blow { point, direction, force });
            match &mut own.modifier {
                Modifier::Head(head) => head.position = Some(point),
                Modifier::LookAt(look) => look.target = Some(point),
                Modifier::ReachFor(reach) => reach.position = Some(point),
                _ => {}
            }
        }
        let mut modifiers: Vec<&mut dyn Modify> = running.iter_mut().map(|own| own as &mut dyn Modify).collect();
        let seen = Seen { figure: &figure, root, dt, time };
        let mut workspace = solver.workspace();
        for spoiled in [false, true] {
            let mut pose = character.reference.clone();
            if spoiled {
                pose[5..9].copy_from_slice(&bones);
            }
            for _ in 0..2 {
                let settings = Settings::default();
                let _ = kinescope_ik::modifiers::solve(&solver, &mut workspace, &settings, &mut modifiers, &seen, &mut pose);
            }
        }
        let fold = Fold { lengths: [a, b, c], knee: d, inner: a, zigzag: b };
        black_box((fold.reach(c, d), fold.opened(a, b), fold.solve(c, d)));
        black_box((elbow(point), curve::impulse(a, b, c), curve::envelope(a, [b, c, d])));
    }

    #[test]
    fn animation_accepts_any_float(
        times in prop::collection::vec(float(), 0..4),
        values in prop::collection::vec((vector(), rotation()), 0..12),
        (duration, time, weight, dt) in (float(), float(), float(), float()),
        spoiled in (vector(), rotation(), vector()),
        interpolation in 0..3usize,
    ) {
        let character = Character::new();
        let rest = character.skeleton.rest_pose();
        let interpolation = [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline][interpolation];
        let vectors: Vec<Vec3> = values.iter().map(|(vector, _)| *vector).collect();
        let track = |bone: usize, values: TrackValues| Track { bone, interpolation, times: times.clone(), values };
        let tracks = vec![
            track(0, TrackValues::Translation(vectors.clone())),
            track(1, TrackValues::Rotation(values.iter().map(|(_, rotation)| *rotation).collect())),
            track(99, TrackValues::Scale(vectors.clone())),
            track(2, TrackValues::Scale(vectors)),
        ];
        let clip = Clip { name: "clip".to_owned(), duration, tracks, ..Clip::default() };
        let clips = [clip.clone(), Clip { duration: 1.0, ..clip.clone() }];
        let mut pose = rest.clone();
        let (translation, rotation, scale) = spoiled;
        pose.bones[3] = LocalTransform { translation, rotation, scale };
        black_box(clip.wrap(time));
        clip.sample(time, &mut pose);
        let mask = Mask::from_weights([weight, time, dt]);
        blend(&mut pose, &rest, weight, Some(&mask));
        for base in [Base::Time(dt), Base::Rest] {
            Additive::from_clip(&clip, time, base, &rest).apply(&mut pose, weight, Some(&mask));
        }
        Additive::between(&rest, &pose).apply(&mut pose, weight, None);
        let (mut fade, mut scratch) = (Crossfade::new(), LocalPose::default());
        fade.play_from(0, time);
        fade.fade_to(1, dt, Phase::Keep, &clips);
        fade.step(dt, weight, &clips);
        fade.step_as_in_the_source(dt, weight, &clips);
        fade.sample(&clips, &rest, &mut scratch, &mut pose);
        for kind in [LayerKind::Blend, LayerKind::Additive] {
            let mut layer = PoseLayer { kind, clip: "clip".to_owned(), weight, ..PoseLayer::default() };
            layer.mask.insert("chest".to_owned(), time);
            let _ = layer.validate();
            let inputs = Inputs { running: dt, pace: weight, keys: time };
            let binding = Binding { input: LayerInput::Pace, from: time, to: dt, low: weight, high: time };
            let bound = PoseLayer { weight_by: Some(binding), time_by: Some(binding), ..layer.clone() };
            let _ = bound.validate();
            for (layer, right_to_left) in [(&layer, false), (&bound, true)] {
                let formula = Formula { right_to_left, subtract_scale: right_to_left };
                let character = (&clips[..], &character.skeleton, &rest);
                layer.apply(character, &inputs, formula, &mut scratch, &mut pose);
            }
        }
        let motion = RootMotion::of(&clip, &character.skeleton, &rest, 0, [17, 21]);
        motion.remove(time, &character.skeleton, &mut pose);
    }
}

#[test]
fn a_figure_reports_missing_bones() {
    let Character { skeleton, biped, reference } = Character::new();
    let fault = |change: &dyn Fn(&mut kinescope_ik::Biped, &mut Vec<RigidTransform>)| {
        let (mut biped, mut reference) = (biped.clone(), reference.clone());
        change(&mut biped, &mut reference);
        Figure::new(&skeleton, &biped, &reference).unwrap_err().to_string()
    };
    assert!(fault(&|biped, _| biped.spine.clear()).starts_with("biped.spine: is empty"));
    assert!(fault(&|biped, _| biped.limbs[1].bones[2] = 99).starts_with("biped.right_hand: "));
    assert!(fault(&|biped, _| biped.head = Some(22)).starts_with("biped.head: "));
    assert!(fault(&|biped, _| biped.limbs[1].clavicle = Some(22)).starts_with("biped.right_clavicle: "));
    assert!(fault(&|_, reference| reference.truncate(9)).starts_with("reference: has 9 bones"));
    let nowhere = fault(&|_, reference| reference[4].position.x = f32::NAN);
    assert!(nowhere.starts_with("reference of bone \"head\": is [NaN"), "{nowhere}");
    let turned = fault(&|_, reference| reference[16].rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.9));
    assert!(turned.starts_with("reference of bone \"left calf\": has length 0.9"), "{turned}");
    assert_eq!(biped.limb(Effector::LeftHand.limb().unwrap()).bones[2], 8);
}
