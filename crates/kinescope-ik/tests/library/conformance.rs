//! The conformance kit against a simulated port: a copy of the solver with a switch for each bug.

use glam::{Vec3, Vec4};
use kinescope_ik::LimbName;
use kinescope_ik::conformance::{Case, ROWS, cases};
use kinescope_ik::full_body::constants::constants;
use kinescope_ik::full_body::constraint_pass::solve_child_constraints;
use kinescope_ik::full_body::{
    ChainSettings, Effector, EffectorSettings, Frame, FullBody, Move, Node, Program, Settings, Smoothing,
    SolverSettings, Stage, State, run_stage,
};
use kinescope_ik::parameter::{Parameter, Parameters};
use kinescope_ik::trace::{More, Trace, TraceMove};
use kinescope_ik::trace_diff::Place;

#[derive(Clone, Copy)]
enum Bug {
    None,
    /// Changes the settings.
    Settings(fn(&mut Settings)),
    /// Changes the frame that was read.
    Frame(fn(&mut Frame, &Case, &FullBody)),
    /// Skips the bend limit, so that a limb that the animation bends the wrong way stays so.
    NoBendLimit,
    /// Changes the frame for one stage.
    FrameOf(Stage, fn(&mut Frame)),
    /// Skips a stage.
    Without(Stage),
    /// Changes the nodes after a stage.
    After(Stage, fn(&Frame, &mut State)),
    /// Runs stage 2's inner loop as often as `iterations` says, without the clamp.
    RoundsNotClamped,
    /// Repeats iterations although the FABRIK pass is off; a correct port runs one.
    IterationsNotOne,
    /// Writes hands and feet at their nodes.
    EndsFromTheNode,
    /// Leaves bones that the solver does not write in their animated place; a correct port moves them with their parents.
    NothingRides,
}

/// Returns the answer of a port with this bug to a case.
fn port(case: &Case, bug: Bug) -> Trace {
    let rig = case.trace.rig.clone();
    let solver = rig.solver().unwrap();
    let mut settings = case.trace.parameters;
    if let Bug::Settings(change) = bug {
        change(&mut settings);
    }
    let parameters = case.trace.parameters;
    if matches!(bug, Bug::None | Bug::Settings(_) | Bug::EndsFromTheNode | Bug::NothingRides) {
        let mut trace = Trace::whole("a port", rig, settings).unwrap();
        trace.parameters = parameters;
        if let (Bug::EndsFromTheNode, Some((_, nodes))) = (bug, trace.steps.last()) {
            for node in Effector::END.map(Effector::node) {
                let bone = solver.bone_of(node);
                trace.result[bone].position = nodes[node];
                let wrote = |(_, bones): &mut (_, std::collections::BTreeMap<usize, kinescope_ik::RigidTransform>)| {
                    bones.entry(bone).and_modify(|own| own.position = nodes[node]);
                };
                // The last four parts of the writing are the limbs': the trace must have the bug there too.
                trace.writes.iter_mut().rev().take(4).for_each(wrote);
            }
        }
        if let Bug::NothingRides = bug {
            let written: Vec<usize> = solver.written_bones().collect();
            for bone in (0..trace.result.len()).filter(|bone| !written.contains(bone)) {
                trace.result[bone] = trace.rig.animated[bone];
            }
        }
        return trace;
    }
    let mut pose = rig.animated.clone();
    let mut workspace = solver.workspace();
    let (mut frame, mut state) = solver.read(&mut workspace, &settings, &pose).unwrap();
    if let Bug::Frame(change) = bug {
        change(&mut frame, case, &solver);
    }
    if let Bug::NoBendLimit = bug {
        no_bend_limit(&mut frame, case, &solver);
        // The call above changed the frame's bones, and the nodes start at them.
        state = State::of_nodes(&kinescope_ik::full_body::Nodes(Node::ALL.map(|node| frame.bone(node))));
    }
    let mut program: Vec<_> = Program::new(&frame).collect();
    if let Bug::IterationsNotOne = bug
        && !frame.fabrik_pass
    {
        let again: Vec<_> = (1..frame.iterations)
            .flat_map(|own| {
                [Stage::EndEffectors, Stage::Trigonometric]
                    .map(|stage| kinescope_ik::full_body::Step { iteration: Some(own), stage })
            })
            .collect();
        let at = program.len().saturating_sub(2);
        program.splice(at..at, again);
    }
    let (mut steps, mut moves) = (Vec::new(), Vec::new());
    for step in program {
        let mut seen: Vec<Move> = Vec::new();
        let own = &mut frame.clone();
        match bug {
            Bug::Without(stage) if stage == step.stage => continue,
            Bug::FrameOf(stage, change) if stage == step.stage => change(own),
            _ => {}
        }
        match bug {
            Bug::RoundsNotClamped if step.stage == Stage::Stage2 => {
                stage2_of(own.iterations, own, &mut state, &mut seen);
            }
            _ => drop(run_stage(own, &mut state, step.stage, &mut seen)),
        }
        if let Bug::After(stage, change) = bug
            && stage == step.stage
        {
            change(&frame, &mut state);
        }
        steps.push((step, state.nodes()));
        let event =
            |own: &Move| TraceMove { node: own.node, from: own.from, to: own.to, cause: own.cause.key().to_owned() };
        moves.push(seen.iter().map(event).collect());
    }
    solver.write(&mut workspace, &frame, &state, &mut pose).unwrap();
    let constants = match frame.weight > 0.0 {
        true => constants(&frame).into_iter().map(|own| (own.name, own.values)).collect(),
        false => Default::default(),
    };
    let more = More { constants, moves };
    Trace { model: "a port".to_owned(), parameters, rig, steps, writes: Vec::new(), result: pose, more }
}

/// Runs a copy of stage 2 whose inner loop has `rounds` rounds, at least one.
fn stage2_of(rounds: u32, frame: &Frame, state: &mut State, seen: &mut Vec<Move>) {
    for round in 0..rounds.max(1) {
        let _ = solve_child_constraints(frame, state, Some(round as u8), seen);
        for limb in LimbName::ALL {
            let (own, first) = (frame.limb(limb), Node::of_limb(limb)[0]);
            let (body, at) = (state.node(Node::Body), state.node(first));
            let distance = body.distance(at);
            if distance > 1e-9 {
                let offset = (at - body) * (1.0 - own.root_length / distance);
                state.set_node(Node::Body, body + offset * own.cross_fade);
                state.set_node(first, at - offset * (1.0 - own.cross_fade));
            }
        }
    }
    let joint = |from: Vec3, to: Vec3, length: f32| to + (from - to).normalize_or_zero() * length;
    for limb in LimbName::ALL {
        let (own, [first, second, last]) = (frame.limb(limb), Node::of_limb(limb));
        state.set_node(first, joint(state.node(first), state.node(Node::Body), own.root_length));
        state.set_node(second, joint(state.node(second), state.node(first), own.lengths[0]));
        state.set_node(last, joint(state.node(last), state.node(second), own.lengths[1]));
    }
}

fn no_bend_limit(frame: &mut Frame, case: &Case, solver: &FullBody) {
    for limb in LimbName::ALL {
        let raw = Node::of_limb(limb).map(|node| case.trace.rig.animated[solver.bone_of(node)].position);
        for (node, at) in Node::of_limb(limb).into_iter().zip(raw) {
            frame.bones.set(node, at);
        }
        frame.limbs[0].distance[limb.index()] = raw[0].distance(raw[2]);
    }
}

fn lengths_of_the_reference(frame: &mut Frame, case: &Case, solver: &FullBody) {
    let at = |node: Node| case.trace.rig.reference[solver.bone_of(node)].position;
    let of_limbs = |length: fn([Vec3; 4]) -> f32| {
        Vec4::from_array(LimbName::ALL.map(|limb| {
            let [first, second, last] = Node::of_limb(limb).map(at);
            length([at(Node::Body), first, second, last])
        }))
    };
    let limbs = &mut frame.limbs[0];
    limbs.lengths = [of_limbs(|[_, a, b, _]| a.distance(b)), of_limbs(|[_, _, a, b]| a.distance(b))];
    limbs.length = limbs.lengths[0] + limbs.lengths[1];
    limbs.root_length = of_limbs(|[a, b, ..]| a.distance(b));
    limbs.distance = of_limbs(|[_, a, _, b]| a.distance(b));
    let diagonal = |limb: LimbName| LimbName::ALL[3 - limb.index()];
    let first = |limb: LimbName| at(Node::of_limb(limb)[0]);
    for (constraints, other) in frame.constraints.iter_mut().zip([diagonal, LimbName::opposite]) {
        constraints[0].nominal_distance =
            Vec4::from_array(LimbName::ALL.map(|limb| first(limb).distance(first(other(limb)))));
    }
}

/// Divides the master weight out of weights, which then are at most 1.
fn without_master_weight(weights: &mut Vec4, frame_weight: f32) {
    *weights = (*weights / frame_weight.max(1e-6)).min(Vec4::ONE);
}

/// Bugs, each with the row of the book's table on ports that must name it. A second row is for ports that report stages and
/// writing, but neither constants nor moves.
const BUGS: &[(&str, &[&str], Bug)] = &[
    ("no bend limit", &["`read`, arms and legs below shoulders and thighs"], Bug::NoBendLimit),
    (
        "the bend limit is not smoothed",
        &["`read`, arms and legs below shoulders and thighs"],
        Bug::Settings(|settings| settings.chains.iter_mut().for_each(|chain| chain.clamp_smoothing = 0)),
    ),
    ("ends are written at their nodes", &["`write left arm` and other limbs"], Bug::EndsFromTheNode),
    ("rounds not clamped", &["`stage2`"], Bug::RoundsNotClamped),
    ("iterates without the FABRIK pass", &["a stage that only one of the two traces has"], Bug::IterationsNotOne),
    (
        "smoothing is linear",
        &["`push`, `reach`"],
        Bug::Settings(|settings| {
            for chain in &mut settings.chains {
                (chain.push_smoothing, chain.reach_smoothing) = (Smoothing::None, Smoothing::None);
            }
        }),
    ),
    (
        "push by the limb's whole length",
        &["`push`, `reach`"],
        Bug::FrameOf(Stage::Push, |frame| frame.limbs[0].distance = frame.limbs[0].length),
    ),
    (
        "push is not passed on",
        &["`push`, `reach`"],
        Bug::Settings(|settings| settings.chains.iter_mut().for_each(|chain| chain.push_parent = 0.0)),
    ),
    (
        "the sum of pulls may be below 1",
        &["constant `pull_parent_sum`, `cross_fade`", "`stage1`"],
        Bug::Frame(|frame, case, _| {
            frame.pull_parent_sum = case.trace.parameters.chains.iter().map(|chain| chain.pull).sum();
        }),
    ),
    (
        "rigid constraints share by half",
        &["constant `pull_parent_sum`, `cross_fade`", "`stage1`"],
        Bug::Frame(|frame, _, _| frame.constraints[1][0].cross_fade = Vec4::splat(0.5)),
    ),
    (
        "diagonals are rigid",
        &["constant `nominal_distance`, `elasticity`", "`stage2`"],
        Bug::Settings(|settings| settings.solver.spine_stiffness = 1.0),
    ),
    ("pin has no effect", &["`stage1`"], Bug::Settings(|settings| settings.pin = 0.0)),
    (
        "the body leaves the thighs behind",
        &["`body_effectors`, `body_effectors_again`"],
        Bug::FrameOf(Stage::BodyEffectors, |frame| frame.follows_body[0] = Vec4::ZERO),
    ),
    (
        "weights of ends without the master weight",
        &["`end_effectors`"],
        Bug::FrameOf(Stage::EndEffectors, |frame| {
            without_master_weight(&mut frame.end_effectors[0].position_weight, frame.weight)
        }),
    ),
    (
        "an end's rotation does not bend its limb",
        &["`bend`"],
        Bug::FrameOf(Stage::Bend, |frame| frame.end_effectors[0].rotation_weight = Vec4::ZERO),
    ),
    (
        "the direction wins over the goal",
        &["`bend`"],
        Bug::Settings(|settings| {
            for chain in &mut settings.chains {
                chain.bend_goal = chain.bend_goal.filter(|_| chain.bend_direction.is_none());
            }
        }),
    ),
    (
        "nothing follows the torso",
        &["`end_effectors`"],
        Bug::FrameOf(Stage::EndEffectors, |frame| {
            frame.end_effectors[0].maintain_relative_position = Vec4::ZERO;
        }),
    ),
    ("no last pass of the ends", &["a stage that only one of the two traces has"], Bug::Without(Stage::FinalEffectors)),
    (
        "body effectors once a round",
        &["a stage that only one of the two traces has"],
        Bug::Without(Stage::BodyEffectorsAgain),
    ),
    (
        "the elbow on the other side",
        &["`trigonometric`, elbow or knee only"],
        Bug::After(Stage::Trigonometric, |_, state| {
            for limb in LimbName::ALL {
                let [first, second, last] = Node::of_limb(limb).map(|node| state.node(node));
                let along = (last - first).normalize_or_zero();
                let on = first + along * (second - first).dot(along);
                state.set_node(Node::of_limb(limb)[1], on * 2.0 - second);
            }
        }),
    ),
    (
        "offsets without the master weight",
        &["`read`, `body`, shoulders and thighs"],
        Bug::FrameOf(Stage::Read, |frame| frame.offsets.body /= frame.weight),
    ),
    (
        "hands out of reach do not pull the body up",
        &["`read`, `body`, shoulders and thighs"],
        Bug::Settings(|settings| {
            (settings.solver.pull_body_vertical, settings.solver.pull_body_horizontal) = (0.0, 0.0);
        }),
    ),
    (
        "three rounds of the spine, regardless of the setting",
        &["`write spine`"],
        Bug::Settings(|settings| settings.solver.spine_iterations = 3),
    ),
    ("all the twist is spread", &["`write spine`"], Bug::Settings(|settings| settings.solver.spine_twist_weight = 1.0)),
    (
        "the head follows the chest",
        &["`write head`"],
        Bug::Settings(|settings| settings.solver.head_maintain_rotation = 0.0),
    ),
    (
        "limbs are written with full weight",
        &["`write left arm` and other limbs"],
        Bug::Settings(|settings| settings.chains.iter_mut().for_each(|chain| chain.mapping_weight = 1.0)),
    ),
    (
        "straight limbs are not detected",
        &["constant `straight`, `default_direction`", "`bend`"],
        Bug::Frame(|frame, _, _| frame.limbs[0].straight = Vec4::ZERO),
    ),
    (
        "lengths are those of the reference",
        &["constant `lengths`, `root_length`, `distance`, `body_child`", "`stage1`"],
        Bug::Frame(lengths_of_the_reference),
    ),
    (
        "shoulders and thighs do not share the body",
        &["constant `pull_parent_sum`, `cross_fade`", "`stage2`"],
        Bug::Frame(|frame, _, _| frame.limbs[0].cross_fade = Vec4::ZERO),
    ),
    (
        "reach in model units, regardless of the setting",
        &["`push`, `reach`"],
        Bug::Settings(|settings| settings.chains.iter_mut().for_each(|chain| chain.scale_free_reach = false)),
    ),
    (
        "the body's offset does not move the thighs",
        &["`read`, `body`, shoulders and thighs"],
        Bug::After(Stage::Read, |frame, state| {
            for node in [Node::LeftThigh, Node::RightThigh] {
                state.set_node(node, state.node(node) - frame.offsets.body);
            }
        }),
    ),
    (
        "weights of rotations without the master weight",
        &["`bend`"],
        Bug::Frame(|frame, _, _| without_master_weight(&mut frame.end_effectors[0].rotation_weight, frame.weight)),
    ),
    (
        "hands and feet keep their rotation without the master weight",
        &["the result, without `writes`"],
        Bug::Frame(|frame, _, _| frame.limbs[0].maintain_rotation /= frame.weight.max(1e-6)),
    ),
    (
        "the head keeps its rotation without the master weight",
        &["the result, without `writes`"],
        Bug::Frame(|frame, _, _| frame.head_maintain_rotation /= frame.weight.max(1e-6)),
    ),
    (
        "bend goals without the master weight",
        &["`bend`"],
        Bug::Frame(|frame, _, _| without_master_weight(&mut frame.limbs[0].bend_weight, frame.weight)),
    ),
    (
        "the body's target without the master weight",
        &["`body_effectors`, `body_effectors_again`"],
        Bug::FrameOf(Stage::BodyEffectors, |frame| frame.body_effector.position_weight /= frame.weight),
    ),
    (
        "a spine of few bones makes no rounds",
        &["the result, without `writes`"],
        Bug::Frame(|frame, case, _| {
            if case.trace.rig.biped.spine.len() < 3 {
                frame.spine_iterations = 0;
            }
        }),
    ),
    (
        "a spine whose first bone is the body makes no rounds",
        &["the result, without `writes`"],
        Bug::Frame(|frame, case, _| {
            let biped = &case.trace.rig.biped;
            if biped.root_node == biped.spine[0] {
                frame.spine_iterations = 0;
            }
        }),
    ),
    (
        "hands and feet do not keep their rotation",
        &["`write left arm` and other limbs"],
        Bug::Settings(|settings| settings.chains.iter_mut().for_each(|chain| chain.maintain_rotation = 0.0)),
    ),
    (
        "hands and feet keep their rotation completely",
        &["`write left arm` and other limbs"],
        Bug::Settings(|settings| {
            settings.chains.iter_mut().for_each(|chain| chain.maintain_rotation = chain.maintain_rotation.ceil())
        }),
    ),
    ("bones without a role stay behind", &["only the result"], Bug::NothingRides),
];

/// How much a port reports, from everything to the result alone.
const REPORTED: [fn(Trace) -> Trace; 4] = [
    |all| all,
    |all| Trace { more: More::default(), ..all },
    |all| Trace { more: More::default(), writes: Vec::new(), ..all },
    |all| Trace { more: More::default(), writes: Vec::new(), steps: Vec::new(), ..all },
];

/// Returns the table's rows that fit the answer's first difference; `None` if there is no difference.
fn rows_of(case: &Case, answer: &Trace) -> Option<Vec<&'static str>> {
    let found = case.check(answer).unwrap();
    let place = found.first_place()?;
    assert!(!matches!(place, Place::Rig(_) | Place::Parameter(_)), "{}: {place:?}", case.name);
    Some(ROWS.iter().filter(|row| row.fits(&found)).map(|row| row.first).collect())
}

#[test]
fn a_port_without_a_bug_agrees_with_every_case() {
    for case in cases().unwrap() {
        let found = case.check(&port(&case, Bug::None)).unwrap();
        assert!(found.is_same(), "{}: {:?}", case.name, found.first_place());
        // A correct port passes, however much it reports.
        for reduce in REPORTED {
            assert!(case.check(&reduce(case.trace.clone())).unwrap().is_same());
        }
        let stepped = case.check(&port(&case, Bug::FrameOf(Stage::Read, |_| {}))).unwrap();
        assert!(stepped.is_same(), "{}: {:?}", case.name, stepped.first_place());
        let read = Trace::from_json(&case.trace.to_json()).unwrap();
        assert_eq!(read, case.trace, "{}", case.name);
    }
}

#[test]
fn every_planted_bug_is_caught_and_named() {
    let cases = cases().unwrap();
    let mut failed = Vec::new();
    for (name, rows, bug) in BUGS {
        assert!(rows.iter().all(|row| ROWS.iter().any(|own| own.first == *row)), "{rows:?}");
        let answers: Vec<Trace> = cases.iter().map(|case| port(case, *bug)).collect();
        for (reduce, row) in REPORTED.into_iter().zip([rows.first(), rows.last()].map(Option::unwrap)) {
            let found = cases.iter().zip(&answers).filter_map(|(case, own)| rows_of(case, &reduce(own.clone())));
            let found: Vec<_> = found.collect();
            if !found.iter().any(|rows| rows.contains(row)) {
                failed.push(format!("{name}: not {row}, but {found:?}"));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(BUGS.len() >= 20);
}

/// A port that reports little is caught as well, and no row points to a wrong place.
#[test]
fn a_planted_bug_is_caught_in_the_result_alone() {
    // This bug only repeats hands, feet and trigonometry, which leaves the pose the same.
    const UNSEEN: &str = "iterates without the FABRIK pass";
    let [_, _, no_writes, result_alone] = REPORTED;
    let (cases, last) = (cases().unwrap(), "only the result");
    for (name, rows, bug) in BUGS.iter().filter(|own| own.0 != UNSEEN) {
        let answers: Vec<Trace> = cases.iter().map(|case| port(case, *bug)).collect();
        let found = |reduce: fn(Trace) -> Trace| -> Vec<_> {
            cases.iter().zip(&answers).filter_map(|(case, own)| rows_of(case, &reduce(own.clone()))).collect()
        };
        let (without_writes, result) = (found(no_writes), found(result_alone));
        assert!(!result.is_empty() && result.iter().all(|rows| *rows == ["the result, without `steps`"]));
        assert!(!without_writes.is_empty(), "{name}");
        for named in without_writes {
            match rows[0].starts_with("`write") || rows[0] == last {
                true => assert_eq!(named, ["the result, without `writes`"], "{name}"),
                false => assert!(!named.contains(&last), "{name}: {named:?}"),
            }
        }
    }
}

/// A port that ignores a parameter, or rounds it to 0 or 1, is caught from the result alone.
#[test]
fn every_parameter_decides_something() {
    let cases = cases().unwrap();
    let mut undetected = Vec::new();
    let mut expect_detected = |what: String, change: &dyn Fn(&mut Settings)| {
        let is_detected = cases.iter().any(|case| {
            let mut settings = case.trace.parameters;
            change(&mut settings);
            let own = case.trace.rig.clone();
            let answer = Trace { parameters: case.trace.parameters, ..Trace::whole("a port", own, settings).unwrap() };
            settings != case.trace.parameters && rows_of(case, &REPORTED[3](answer)).is_some()
        });
        if !is_detected {
            undetected.push(what);
        }
    };
    type Way = (&'static str, fn(&Parameter, f32) -> f32);
    const WAYS: [Way; 3] = [
        ("has its default", |parameter, _| parameter.default),
        ("is rounded away from zero", |_, value| if value > 0.0 { value.ceil() } else { value.floor() }),
        ("is rounded towards zero", |_, value| value.trunc()),
    ];
    for (way, of) in WAYS {
        let changed = |own: &mut dyn Parameters, parameter: &Parameter| {
            let value = own.number(parameter.key).unwrap();
            own.set_number(parameter.key, of(parameter, value));
        };
        let partly = |own: &&Parameter| way == "has its default" || !own.is_whole();
        for parameter in SolverSettings::PARAMETERS.iter().filter(partly) {
            expect_detected(format!("{} {way}", parameter.key), &|settings| changed(&mut settings.solver, parameter));
        }
        for parameter in Settings::PARAMETERS {
            expect_detected(format!("{} {way}", parameter.key), &|settings| changed(settings, parameter));
        }
        for parameter in ChainSettings::PARAMETERS.iter().filter(partly) {
            for limbs in [[0, 1], [2, 3]] {
                expect_detected(
                    format!("{} {way}, {}", parameter.key, if limbs[0] == 0 { "arms" } else { "legs" }),
                    &|settings| {
                        limbs.into_iter().for_each(|limb| changed(&mut settings.chains[limb], parameter));
                    },
                );
            }
        }
        for parameter in EffectorSettings::PARAMETERS {
            expect_detected(format!("{} {way}", parameter.key), &|settings| {
                settings.effectors.iter_mut().for_each(|own| changed(own, parameter));
            });
        }
    }
    expect_detected("fabrik_pass".into(), &|settings| settings.solver.fabrik_pass = true);
    type Change = (&'static str, fn(&mut ChainSettings));
    let chains: [Change; 5] = [
        ("push_smoothing", |own| own.push_smoothing = Smoothing::Exponential),
        ("reach_smoothing", |own| own.reach_smoothing = Smoothing::Exponential),
        ("scale_free_reach", |own| own.scale_free_reach = false),
        ("bend_goal", |own| own.bend_goal = None),
        ("bend_direction", |own| own.bend_direction = None),
    ];
    for (name, change) in chains {
        expect_detected(name.into(), &|settings| settings.chains.iter_mut().for_each(change));
    }
    for effector in Effector::ALL {
        let key = effector.key();
        expect_detected(format!("{key} position"), &|settings| settings.effector_mut(effector).position = None);
        expect_detected(format!("{key} offset"), &|settings| {
            settings.effector_mut(effector).position_offset = Vec3::ZERO
        });
    }
    expect_detected("rotation".into(), &|settings| settings.effectors.iter_mut().for_each(|own| own.rotation = None));
    assert!(undetected.is_empty(), "{}", undetected.join("\n"));
}

/// A port that stores local transforms gives the same poses, except for the last bits.
#[test]
fn differences_by_rounding_are_ignored() {
    for case in cases().unwrap() {
        let mut rig = case.trace.rig.clone();
        let bones = rig.skeleton.bones().to_vec();
        for pose in [&mut rig.reference, &mut rig.animated] {
            let as_was = pose.clone();
            for bone in 0..bones.len() {
                let Some(parent) = bones[bone].parent else { continue };
                pose[bone] = pose[parent].transform(&as_was[parent].to_local(&as_was[bone]));
                pose[bone].rotation = pose[bone].rotation.normalize();
            }
        }
        let found = Trace::whole("a port", rig, case.trace.parameters).unwrap();
        let found = case.check(&Trace { rig: case.trace.rig.clone(), ..found }).unwrap();
        assert!(found.is_same(), "{}: {:?}", case.name, found.first_place());
    }
}

#[test]
fn a_different_input_is_reported_first() {
    let cases = cases().unwrap();
    let case = cases.iter().find(|case| case.name == "07-reach").unwrap();
    let asked = |rig: &Trace, change: fn(&mut Settings)| {
        let mut settings = case.trace.parameters;
        change(&mut settings);
        let answer = Trace::whole("a port", rig.rig.clone(), settings).unwrap();
        ROWS.iter().filter(|row| row.fits(&case.check(&answer).unwrap())).map(|row| row.first).collect::<Vec<_>>()
    };
    for rows in [
        asked(&case.trace, |settings| settings.solver.iterations = 3),
        asked(&case.trace, |settings| settings.chains[0].reach = 0.1),
        asked(&cases[20].trace, |_| {}),
    ] {
        assert_eq!(rows, ["the rig, or a parameter"]);
    }
}

#[test]
fn reported_stages_come_before_missing_ones() {
    let case = &cases().unwrap()[6];
    let place = |answer: &Trace| case.check(answer).unwrap().first_place().map(|place| format!("{place:?}"));
    let mut answer = REPORTED[1](case.trace.clone());
    answer.steps.retain(|(step, _)| step.stage != Stage::Push);
    // A missing stage alone is a difference.
    assert!(place(&answer).unwrap().contains("Push }, None"), "{:?}", place(&answer));
    let reach = answer.steps.iter_mut().find(|(step, _)| step.stage == Stage::Reach).unwrap();
    reach.1[Node::Body].y += 1.0;
    assert!(place(&answer).unwrap().contains("Reach }, Some"), "{:?}", place(&answer));
}

#[test]
fn cases_have_numbers_and_descriptions() {
    for (index, case) in cases().unwrap().iter().enumerate() {
        assert!(case.name.starts_with(&format!("{:02}-", index + 1)), "{}", case.name);
        assert!(case.about.ends_with('.') && case.about.len() > 30, "{}", case.about);
    }
}

#[test]
fn empty_and_incomplete_answers_are_rejected() {
    let cases = cases().unwrap();
    let refused = |case: usize, change: &dyn Fn(&mut Trace)| {
        let mut answer = cases[case].trace.clone();
        change(&mut answer);
        cases[case].check(&answer).unwrap_err().to_string()
    };
    let nothing = |answer: &mut Trace| *answer = Trace { result: Vec::new(), ..REPORTED[3](answer.clone()) };
    assert!(refused(2, &nothing).contains("at least one of them is needed"));
    // With a master weight of 0 there are no stages: the answer is the pose alone.
    assert!(refused(1, &nothing).contains("result: is missing"));
    assert!(
        refused(2, &|answer| answer.writes[1] = answer.writes[0].clone()).contains("writes[1].stage: is spine again")
    );
    let lacks = refused(2, &|answer| _ = answer.writes[0].1.pop_first());
    assert!(lacks.contains("writes[0].bones: lacks bone 0 (\"pelvis\")"), "{lacks}");
    // Writes are a difference in a case that writes nothing.
    let answer = Trace { writes: cases[2].trace.writes.clone(), ..cases[1].trace.clone() };
    assert!(!cases[1].check(&answer).unwrap().is_same());
}
