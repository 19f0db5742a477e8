//! Every parameter that a caller can set, on a small biped. With valid settings and a sane pose, stepping equals
//! solving and the result is finite. With invalid input, the solve is either refused, with the pose unchanged bit for
//! bit, or its result is finite.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none solver`
#![no_main]

#[path = "../../crates/kinescope-ik/tests/common/synthetic.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod synthetic;

use arbitrary::{Result, Unstructured};
use glam::{Quat, Vec3};
use kinescope_ik::math::FARTHEST;
use kinescope_ik::full_body::{
    ChainSettings, EffectorSettings, FullBody, Program, Settings, Smoothing, SolverSettings, Status, run_stage,
};
use kinescope_ik::parameter::Parameters;
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::stepped::Unwatched;
use libfuzzer_sys::fuzz_target;
use synthetic::Character;

fuzz_target!(|data: &[u8]| {
    // Running out of bytes is not an error.
    let _ = run(&mut Unstructured::new(data));
});

fn run(input: &mut Unstructured) -> Result<()> {
    let mut character = Character::new();
    let scale = [1.0, 1.0, 1e-3, 100.0, 1e-12, FARTHEST / 2.0][input.int_in_range(0..=5)?];
    for bone in &mut character.reference {
        bone.position *= scale;
    }
    character.reference = distorted(input, character.reference, scale)?;
    let mut turns = [Quat::IDENTITY; Character::BONES];
    for turn in &mut turns {
        *turn = rotation(input)?;
    }
    let animated = character.turned(&character.reference, &turns);
    let animated = distorted(input, animated, scale)?;
    let settings = settings(input, &animated, scale)?;
    settings.validate().expect("made to be valid");
    let is_broken = input.ratio(1, 2)?;
    let (animated, settings) = if is_broken { broken(input, animated, settings)? } else { (animated, settings) };

    let Ok(solver) = FullBody::new(&character.skeleton, &character.biped, &character.reference) else { return Ok(()) };
    let mut workspace = solver.workspace();
    let mut stepped = animated.clone();
    if settings.solver.weight > 0.0 {
        match solver.read(&mut workspace, &settings, &stepped) {
            Ok((frame, mut state)) => {
                assert!(is_broken || state.nodes().0.iter().all(|node| node.is_finite()), "read");
                for step in Program::new(&frame) {
                    let _ = run_stage(&frame, &mut state, step.stage, &mut Unwatched);
                    let is_finite = state.nodes().0.iter().all(|node| node.is_finite());
                    assert!(is_broken || is_finite, "{step:?} {:?}", state.nodes());
                }
                let done = solver.write(&mut workspace, &frame, &state, &mut stepped);
                assert!(is_broken || done.is_ok(), "{done:?}");
            }
            Err(error) => assert!(is_broken, "{error}"),
        }
    }
    let mut solved = animated.clone();
    // The stepped solve's workspace is used again: it must keep nothing from one frame to the next.
    let done = solver.solve(&mut workspace, &settings, &mut solved);
    let is_solved = done.is_ok_and(|status| status == Status::Solved);
    assert!(is_broken || done.is_ok(), "{done:?}");
    for ((stepped, solved), animated) in stepped.iter().zip(&solved).zip(&animated) {
        if !is_solved {
            assert_eq!((bits(stepped), bits(solved)), (bits(animated), bits(animated)), "{done:?}");
            continue;
        }
        assert!(solved.is_finite(), "{solved:?}");
        assert!(is_broken || (solved.rotation.length() - 1.0).abs() < 0.02, "{solved:?}");
        assert_eq!(bits(stepped), bits(solved));
    }
    Ok(())
}

/// Returns one of eight edge cases (NaN, ±infinity, ±`f32::MAX`, −1, 0, 2) half of the time, otherwise arbitrary bits.
fn anything(input: &mut Unstructured) -> Result<f32> {
    const USUAL: [f32; 8] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, -1.0, 0.0, 2.0];
    Ok(match input.arbitrary::<u8>()? {
        at @ 0..128 => USUAL[usize::from(at % 8)],
        _ => f32::from_bits(input.arbitrary()?),
    })
}

/// Replaces one to three settings, positions or rotations by numbers that are often invalid.
fn broken(
    input: &mut Unstructured,
    mut pose: Vec<RigidTransform>,
    mut settings: Settings,
) -> Result<(Vec<RigidTransform>, Settings)> {
    for _ in 0..input.int_in_range(1..=3)? {
        let value = anything(input)?;
        let vector = Vec3::new(anything(input)?, anything(input)?, 0.5);
        let rotation = Quat::from_xyzw(value, vector.x, vector.y, 0.0);
        let chain = input.choose_index(4)?;
        let effector = input.choose_index(9)?;
        let bone = input.choose_index(pose.len())?;
        match input.arbitrary::<u8>()? % 12 {
            0 => {
                settings.solver.set_number(input.choose(SolverSettings::PARAMETERS)?.key, value);
            }
            1 => settings.pin = value,
            2 | 3 => {
                settings.chains[chain].set_number(input.choose(ChainSettings::PARAMETERS)?.key, value);
            }
            4 => settings.chains[chain].bend_goal = Some(vector),
            5 => settings.chains[chain].bend_direction = Some(vector),
            6 | 7 => {
                settings.effectors[effector].set_number(input.choose(EffectorSettings::PARAMETERS)?.key, value);
            }
            8 => settings.effectors[effector].position = Some(vector),
            9 => settings.effectors[effector].position_offset = vector,
            10 => settings.effectors[effector].rotation = Some(rotation),
            _ if input.arbitrary()? => pose[bone].position = vector,
            _ => pose[bone].rotation = rotation,
        }
    }
    // Many spine iterations are slow, which is not an error.
    let rounds = &mut settings.solver.spine_iterations;
    *rounds = if *rounds <= 65535 { (*rounds).min(16) } else { *rounds };
    Ok((pose, settings))
}

fn bits(bone: &RigidTransform) -> [u32; 7] {
    let (p, r) = (bone.position, bone.rotation);
    [p.x, p.y, p.z, r.x, r.y, r.z, r.w].map(f32::to_bits)
}

/// Returns a number from 0 to 1, often exactly 0 or 1.
fn fraction(input: &mut Unstructured) -> Result<f32> {
    Ok(match input.arbitrary::<u8>()? {
        0..64 => 0.0,
        64..128 => 1.0,
        at => f32::from(at - 128) / 127.0,
    })
}

fn coordinate(input: &mut Unstructured, scale: f32) -> Result<f32> {
    let bits: i16 = input.arbitrary()?;
    let ordinary = f32::from(bits) / 8192.0;
    let value = match input.arbitrary::<u8>()? {
        0..128 => ordinary * scale,
        128..160 => 0.0,
        160..180 => ordinary * scale * 1e-7,
        180..200 => ordinary * 1e-20,
        200..210 => f32::from_bits(u32::from(bits.unsigned_abs())),
        210..240 => ordinary * FARTHEST / 4.0,
        _ => f32::from_bits(input.arbitrary()?),
    };
    Ok(if value.is_finite() { value.clamp(-FARTHEST, FARTHEST) } else { 0.0 })
}

fn vector(input: &mut Unstructured, scale: f32) -> Result<Vec3> {
    Ok(Vec3::new(coordinate(input, scale)?, coordinate(input, scale)?, coordinate(input, scale)?))
}

/// Returns a point, often at a bone or very near one.
fn point(input: &mut Unstructured, pose: &[RigidTransform], scale: f32) -> Result<Vec3> {
    let bone = |input: &mut Unstructured| -> Result<Vec3> { Ok(pose[input.choose_index(pose.len())?].position) };
    Ok(match input.arbitrary::<u8>()? {
        0..80 => bone(input)?,
        80..120 => bone(input)? + vector(input, scale)? * 1e-7,
        _ => vector(input, scale)?,
    }
    .clamp(Vec3::splat(-FARTHEST), Vec3::splat(FARTHEST)))
}

fn rotation(input: &mut Unstructured) -> Result<Quat> {
    Ok(match input.arbitrary::<u8>()? {
        0..128 => Quat::IDENTITY,
        128..140 => Quat::from_rotation_x(std::f32::consts::PI),
        140..150 => Quat::from_rotation_y(std::f32::consts::PI),
        _ => {
            let [x, y, z, w] = input.arbitrary::<[i8; 4]>()?.map(f32::from);
            let given = Quat::from_xyzw(x, y, z, w);
            if given.length() > 0.0 { given.normalize() } else { Quat::IDENTITY }
        }
    })
}

/// Moves some bones of the pose to degenerate places: onto each other, onto one line, far away.
fn distorted(input: &mut Unstructured, mut pose: Vec<RigidTransform>, scale: f32) -> Result<Vec<RigidTransform>> {
    for _ in 0..input.int_in_range(0..=6)? {
        let count = pose.len();
        let bone = input.choose_index(count)?;
        match input.arbitrary::<u8>()? % 4 {
            0 => pose[bone].position = pose[input.choose_index(count)?].position,
            1 => {
                let (a, b) = (pose[input.choose_index(count)?], pose[input.choose_index(count)?]);
                pose[bone].position = a.position.lerp(b.position, 0.5);
            }
            2 => pose[bone].position = point(input, &pose, scale)?,
            _ => {
                // Puts a limb's end on the line of its first bone: straight ahead, or folded back.
                let [first, second, last] = [[6, 7, 8], [11, 12, 13], [15, 16, 17], [19, 20, 21]][bone % 4];
                let lower = (pose[last].position - pose[second].position).length();
                let along = (pose[second].position - pose[first].position).normalize_or_zero();
                pose[last].position = pose[second].position + along * if bone < 11 { lower } else { -lower };
            }
        }
    }
    for bone in &mut pose {
        bone.position = bone.position.clamp(Vec3::splat(-FARTHEST), Vec3::splat(FARTHEST));
    }
    Ok(pose)
}

fn numbers(input: &mut Unstructured, of: &mut dyn Parameters) -> Result<()> {
    for parameter in of.parameters() {
        // Up to the usual maximum only: many spine iterations are slow, which is not an error.
        let (min, max) = (parameter.min, parameter.usual_max);
        of.set_number(parameter.key, min + (max - min) * fraction(input)?);
    }
    Ok(())
}

fn settings(input: &mut Unstructured, pose: &[RigidTransform], scale: f32) -> Result<Settings> {
    let mut settings = Settings::default();
    numbers(input, &mut settings.solver)?;
    settings.solver.fabrik_pass = !input.ratio(1, 4)?;
    numbers(input, &mut settings)?;
    for chain in &mut settings.chains {
        numbers(input, chain)?;
        chain.push_smoothing = *input.choose(&Smoothing::ALL)?;
        chain.reach_smoothing = *input.choose(&Smoothing::ALL)?;
        if input.ratio(1, 3)? {
            chain.bend_goal = Some(point(input, pose, scale)?);
        }
        if input.ratio(1, 3)? {
            chain.bend_direction = Some(vector(input, scale)?);
        }
    }
    for effector in &mut settings.effectors {
        numbers(input, effector)?;
        if input.ratio(2, 3)? {
            effector.position = Some(point(input, pose, scale)?);
        }
        if input.ratio(1, 2)? {
            effector.rotation = Some(rotation(input)?);
        }
        if input.ratio(1, 4)? {
            effector.position_offset = vector(input, scale)?;
        }
    }
    Ok(settings)
}
