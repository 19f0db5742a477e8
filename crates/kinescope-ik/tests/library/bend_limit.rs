//! The bend limit against its source, *Full-body notes*, with 0, 1 and 2 sine iterations: result, formula and drawing.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DVec3, Quat, Vec3};
use kinescope_ik::debug_draw::{DebugDraw, Subject};
use kinescope_ik::full_body::draw::{draw_bend_defaults, draw_construction};
use kinescope_ik::full_body::explain::formula;
use kinescope_ik::full_body::{Cause, Effector, Frame, Node, Recording, Settings, State};
use kinescope_ik::notation::{Sheet, Value};
use kinescope_ik::rig::{LimbName, ModelPose, RigidTransform};

use crate::common::built_in::built_in;
use crate::common::flaws::flaws;

const LIMB: LimbName = LimbName::LeftArm;

/// Returns the rest pose with the left forearm turned by `angle` radians about the world's +Y. A positive angle bends
/// the elbow backward.
fn bent_by(angle: f32) -> Vec<RigidTransform> {
    let character = built_in();
    let skeleton = &character.model.skeleton;
    let rest = ModelPose::from_local(skeleton, &skeleton.rest_pose());
    let mut local = skeleton.rest_pose();
    let [_, second, _] = Node::of_limb(LIMB).map(|node| character.solver.bone_of(node));
    let own = rest.bones[second].rotation;
    let turn = own.conjugate() * Quat::from_rotation_y(angle) * own;
    local.bones[second].rotation *= turn;
    ModelPose::from_local(skeleton, &local).bones
}

fn smoothed(clamp_smoothing: u32) -> Settings {
    let mut settings = Settings::default();
    settings.chain_mut(LIMB).clamp_smoothing = clamp_smoothing;
    settings
}

fn read(settings: &Settings, pose: &[RigidTransform]) -> Frame {
    let solver = &built_in().solver;
    solver.read(&mut solver.workspace(), settings, pose).unwrap().0
}

/// Returns α, γ and the direction of the second bone, by the source's equations in doubles; `None` if nothing is
/// clamped.
fn expected(lower: Vec3, inward: Vec3, weight: f64, smoothing: u32) -> Option<(f64, f64, DVec3)> {
    let (lower, inward) = (lower.as_dvec3().normalize(), inward.as_dvec3().normalize());
    let alpha = inward.angle_between(lower);
    let clamp_weight = 0.505 * weight;
    let dot = 1.0 - alpha / PI;
    if dot > clamp_weight {
        return None;
    }
    let target_clamp = ((1.0 - clamp_weight) / (1.0 - dot)).clamp(0.0, 1.0);
    let mut clamp = (dot / clamp_weight).clamp(0.0, 1.0);
    for _ in 0..smoothing {
        clamp = (FRAC_PI_2 * clamp).sin();
    }
    let gamma = alpha * clamp * target_clamp;
    let side = (lower - inward * inward.dot(lower)).normalize();
    Some((alpha, gamma, inward * gamma.cos() + side * gamma.sin()))
}

#[test]
fn the_bend_limit_is_the_sources_with_every_smoothing() {
    let character = built_in();
    let nodes = Node::of_limb(LIMB).map(|node| character.solver.bone_of(node));
    let mut clamped = 0;
    for weight in [1.0, 0.7] {
        for turn in [0.2, 0.6, 1.0, 1.4, 1.8] {
            let pose = bent_by(turn);
            let [_, second, last] = nodes.map(|bone| pose[bone].position);
            let mut gammas = Vec::new();
            for smoothing in 0..=2 {
                let mut settings = smoothed(smoothing);
                settings.solver.weight = weight;
                let frame = read(&settings, &pose);
                let [_, elbow, hand] = Node::of_limb(LIMB).map(|node| frame.bone(node));
                let inward = -frame.limb(LIMB).default_direction;
                let found = (hand - elbow).as_dvec3().normalize();
                let Some((_, gamma, wanted)) = expected(last - second, inward, f64::from(weight), smoothing) else {
                    continue;
                };
                let off = found.angle_between(wanted);
                assert!(off < 2e-4, "{turn} rad, {weight}, smoothing {smoothing}: off by {off} rad");
                gammas.push(gamma);
                clamped += 1;
            }
            assert!(gammas.is_sorted(), "more iterations stay nearer to the limit: {gammas:?}");
        }
    }
    assert!(clamped >= 18, "{clamped}");
}

#[test]
fn without_smoothing_the_limit_is_unsmoothed() {
    let solver = &built_in().solver;
    let settings = smoothed(0);
    // Files without the setting read as 0, and settings with 0 are written without it.
    let text = serde_json::to_string(&settings).unwrap();
    assert!(!text.contains("clamp_smoothing"), "{text}");
    assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings);
    let with = serde_json::to_string(&smoothed(2)).unwrap();
    assert_eq!(serde_json::from_str::<Settings>(&with).unwrap(), smoothed(2));
    // If nothing is clamped, smoothing changes no bit.
    for (turn, is_clamped) in [(-0.6, false), (0.8, true)] {
        let solved = |clamp_smoothing: u32| {
            let mut pose = bent_by(turn);
            solver.solve(&mut solver.workspace(), &smoothed(clamp_smoothing), &mut pose).unwrap();
            pose
        };
        for smoothing in [1, 2] {
            assert_eq!(solved(smoothing) != solved(0), is_clamped, "{turn} rad, smoothing {smoothing}");
        }
    }
}

/// Returns the formula of the left arm's bend limit, its drawing, and the position to which the limit moves its node.
fn explained(settings: &Settings, pose: &[RigidTransform]) -> (Sheet, Drawn, Vec3) {
    let solver = &built_in().solver;
    let mut recording = Recording::default();
    recording.record(solver, &mut solver.workspace(), settings, &mut pose.to_vec()).unwrap();
    recording.recall(solver);
    let moves = recording.solve.events_of(0);
    let index = moves.iter().position(|moved| moved.cause == Cause::BendLimit(LIMB)).unwrap();
    let mut drawn = Drawn::default();
    let [before, after]: [State; 2] = [index, index + 1].map(|count| recording.state_within(0, count).unwrap());
    draw_construction(&recording.frame, &before, &after, &moves[index], &mut drawn);
    (formula(&recording, 0, index).unwrap(), drawn, moves[index].to)
}

#[derive(Default)]
struct Drawn {
    texts: Vec<String>,
}

impl DebugDraw for Drawn {
    fn line(&mut self, _: Vec3, _: Vec3, _: Subject) {}

    fn text(&mut self, _: Vec3, text: &str, subject: Subject) {
        if matches!(subject, Subject::BendAngle { .. }) {
            self.texts.push(text.to_owned());
        }
    }
}

#[test]
fn the_formula_spells_out_the_factors_and_their_curve() {
    let pose = bent_by(0.8);
    let clamps =
        ["clamp(dot / k, 0, 1)", "sin(90° · clamp(dot / k, 0, 1))", "sin(90° · sin(90° · clamp(dot / k, 0, 1)))"];
    for (smoothing, clamp) in clamps.iter().enumerate() {
        let (sheet, drawn, to) = explained(&smoothed(smoothing as u32), &pose);
        assert_eq!(flaws(&sheet, 46), Vec::<String>::new());
        let lines: Vec<&str> = sheet.lines.iter().map(|line| line.symbolic.as_str()).collect();
        let clamp = format!("m = {clamp}");
        let expected_lines = [
            "α = angle(q, inward)",
            "dot = 1 − α / 180°",
            "t = clamp(1 − (k − dot) / (1 − dot), 0, 1)",
            &clamp,
            "q₁ = turn(q, slerp(inward, q, m · t)) · q",
            "γ = angle(q₁, inward)",
            "p₃ = p₂ + q₁",
        ];
        assert_eq!(lines, expected_lines);
        let Value::Point(end) = sheet.result else { panic!("{:?}", sheet.result) };
        assert!(end.distance(to) < 1e-5, "{end} {to}");

        let curve = sheet.curve.as_ref().unwrap();
        let courses: Vec<&str> = curve.courses.iter().map(|course| course.text.as_str()).collect();
        assert_eq!(courses, ["x", "sin(90° · x)", "sin(90° · sin(90° · x))"]);
        assert_eq!((curve.in_force, curve.input.as_str()), (smoothing, "clamp(dot / k, 0, 1)"));

        // The drawing shows the α and γ of the formula.
        let shown = |name: &str| {
            let line = sheet.lines.iter().find(|line| line.symbolic.starts_with(&format!("{name} ="))).unwrap();
            let Value::Degrees(degrees) = line.value else { panic!("{line:?}") };
            format!("{name} {degrees:.1}°")
        };
        assert_eq!(drawn.texts, [shown("α"), shown("γ")]);
        let frame = read(&smoothed(smoothing as u32), &pose);
        let second = built_in().solver.bone_of(Node::of_limb(LIMB)[1]);
        let last = built_in().solver.bone_of(Node::of_limb(LIMB)[2]);
        let lower = pose[last].position - pose[second].position;
        let (alpha, gamma, _) = expected(lower, -frame.limb(LIMB).default_direction, 1.0, smoothing as u32).unwrap();
        let wanted = [("α", alpha), ("γ", gamma)].map(|(name, angle)| format!("{name} {:.1}°", angle.to_degrees()));
        assert_eq!(drawn.texts, wanted);
    }
}

#[derive(Default)]
struct Arrows(Vec<(Vec3, Vec3, Subject)>, Vec<String>);

impl DebugDraw for Arrows {
    fn line(&mut self, _: Vec3, _: Vec3, _: Subject) {}

    fn arrow(&mut self, from: Vec3, to: Vec3, subject: Subject) {
        self.0.push((from, to, subject));
    }

    fn text(&mut self, _: Vec3, text: &str, _: Subject) {
        self.1.push(text.to_owned());
    }
}

#[test]
fn default_bend_and_child_normal_are_those_of_the_reference_pose() {
    let solver = &built_in().solver;
    let (turn, pose) = (Quat::from_rotation_x(0.4), bent_by(0.0));
    let mut settings = Settings::default();
    settings.effector_mut(Effector::LeftHand).rotation = Some(turn);
    let mut recording = Recording::default();
    recording.record(solver, &mut solver.workspace(), &settings, &mut pose.clone()).unwrap();
    let known = solver.bend_constraint(LIMB);
    let [first, second, last] = Node::of_limb(LIMB);
    for step in &recording.solve.steps {
        let mut arrows = Arrows::default();
        draw_bend_defaults(&recording.frame, &step.state, &[LIMB], 0.2, &mut arrows);
        let expected = [
            (second, pose[solver.bone_of(first)].rotation * known.default_local, Subject::DefaultDirection(LIMB)),
            (last, turn * known.default_child, Subject::DefaultChildNormal(LIMB)),
        ];
        assert_eq!(arrows.0.len(), expected.len());
        for ((from, to, subject), (node, direction, wanted)) in arrows.0.into_iter().zip(expected) {
            assert_eq!((from, subject), (step.state.node(node), wanted));
            assert!((to - from).distance(direction * 0.2) < 1e-5, "{subject:?}: {} {direction}", to - from);
        }
        assert_eq!(arrows.1, ["default bend direction, left arm", "default child normal, left arm"]);
    }
}
