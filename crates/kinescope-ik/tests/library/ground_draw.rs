use crate::common::property::property;
use glam::{Quat, Vec3};
use kinescope_ik::debug_draw::{DebugDraw, Subject};
use kinescope_ik::ground::Hit;
use kinescope_ik::grounding::draw::{draw_events, draw_output};
use kinescope_ik::grounding::predictive::settle;
use kinescope_ik::grounding::{
    Cast, Event, FootGeometry, FootInput, Input, Output, PredictiveSettings, Purpose, Quality, Reach, Root, Shape, Side,
};
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::terrain::Terrain;
use proptest::prelude::*;

#[derive(Default)]
struct Drawn {
    lines: Vec<(Vec3, Vec3, Subject)>,
    points: Vec<(Vec3, f32, Subject)>,
    arrows: Vec<(Vec3, Vec3, Subject)>,
}

impl Drawn {
    fn of(events: &[Event]) -> Self {
        let mut drawn = Self::default();
        draw_events(events, &mut drawn);
        drawn
    }

    fn goal(input: &Input, output: &Output) -> Self {
        let mut drawn = Self::default();
        draw_output(input, output, &mut drawn);
        drawn
    }

    fn is_finite(&self) -> bool {
        let pairs = self.lines.iter().chain(&self.arrows);
        pairs.clone().all(|(from, to, _)| from.is_finite() && to.is_finite())
            && self.points.iter().all(|(at, size, _)| at.is_finite() && size.is_finite())
    }

    fn subjects(&self) -> Vec<Subject> {
        let pairs = self.lines.iter().chain(&self.arrows).map(|&(_, _, subject)| subject);
        pairs.chain(self.points.iter().map(|&(_, _, subject)| subject)).collect()
    }
}

impl DebugDraw for Drawn {
    fn line(&mut self, from: Vec3, to: Vec3, subject: Subject) {
        self.lines.push((from, to, subject));
    }

    fn point(&mut self, at: Vec3, size: f32, subject: Subject) {
        self.points.push((at, size, subject));
    }

    fn arrow(&mut self, from: Vec3, to: Vec3, subject: Subject) {
        self.arrows.push((from, to, subject));
    }
}

fn cast(side: Option<Side>, shape: Shape, hit: bool) -> Cast {
    let (from, to) = (Vec3::new(0.1, 1.0, 0.0), Vec3::new(0.1, -1.0, 0.0));
    let hit = hit.then_some(Hit { point: from.with_y(0.25), normal: Vec3::Y, distance: 0.5 });
    Cast { purpose: Purpose::Heel, side, shape, from, to, hit }
}

const RADIUS: f32 = 0.25;
const SHAPES: [Shape; 4] = [
    Shape::Ray,
    Shape::Sphere { radius: RADIUS },
    Shape::Capsule { along: Vec3::new(0.0, 0.0, 0.6), radius: RADIUS },
    // This capsule is cast along its own axis.
    Shape::Capsule { along: Vec3::new(0.0, 0.6, 0.0), radius: RADIUS },
];

#[test]
fn a_ray_ends_at_its_hit_or_its_full_length() {
    let hit = Drawn::of(&[Event::Cast(cast(Some(Side::Left), Shape::Ray, true))]);
    let subject = Subject::Cast { side: Some(Side::Left), hit: true };
    assert_eq!(hit.lines, [(Vec3::new(0.1, 1.0, 0.0), Vec3::new(0.1, 0.25, 0.0), subject)]);
    let missed = Drawn::of(&[Event::Cast(cast(None, Shape::Ray, false))]);
    let subject = Subject::Cast { side: None, hit: false };
    assert_eq!(missed.lines, [(Vec3::new(0.1, 1.0, 0.0), Vec3::new(0.1, -1.0, 0.0), subject)]);
}

#[test]
fn every_shape_shows_its_hit_and_its_side() {
    for side in [None, Some(Side::Left), Some(Side::Right)] {
        for shape in SHAPES {
            let drawn = Drawn::of(&[Event::Cast(cast(side, shape, true))]);
            assert!(drawn.is_finite());
            let of_cast = |subject: &Subject| *subject == Subject::Cast { side, hit: true };
            assert!(drawn.lines.iter().all(|(_, _, subject)| of_cast(subject)), "{shape:?}");
            let [(at, size, Subject::CastHit(marked))] = drawn.points[..] else { panic!("{:?}", drawn.points) };
            assert!(at == Vec3::new(0.1, 0.25, 0.0) && size > 0.0 && marked == side);
            let [(tail, head, Subject::CastHit(marked))] = drawn.arrows[..] else { panic!("{:?}", drawn.arrows) };
            assert!(tail == at && marked == side);
            assert!((head - tail).normalize().distance(Vec3::Y) < 1e-6 && tail.distance(head) < 0.5);

            let missed = Drawn::of(&[Event::Cast(cast(side, shape, false))]);
            assert!(missed.points.is_empty() && missed.arrows.is_empty());
            assert!(missed.lines.iter().all(|(_, _, subject)| *subject == Subject::Cast { side, hit: false }));
            assert!(missed.is_finite() && !missed.lines.is_empty());
        }
    }
}

#[test]
fn a_swept_shape_is_outlined_at_its_start_and_twice_where_it_touched() {
    for shape in &SHAPES[1..] {
        let along = match *shape {
            Shape::Capsule { along, .. } => along,
            _ => Vec3::ZERO,
        };
        let ways = if along == Vec3::ZERO { 1 } else { 2 };
        let outline = if along == Vec3::ZERO { 24 } else { 26 };
        let hit = Drawn::of(&[Event::Cast(cast(None, *shape, true))]);
        assert_eq!(hit.lines.len(), 3 * outline + ways, "{shape:?}");
        let missed = Drawn::of(&[Event::Cast(cast(None, *shape, false))]);
        assert_eq!(missed.lines.len(), outline + ways, "{shape:?}");

        let start = Vec3::new(0.1, 1.0, 0.0);
        let off = |point: Vec3, from: Vec3| {
            let t = (point - from).dot(along) / along.length_squared().max(1e-9);
            (point.distance(from + along * t.clamp(0.0, 1.0)) - RADIUS).abs()
        };
        for &(from, to, _) in &hit.lines[..outline] {
            assert!(off(from, start) < 1e-5 && off(to, start) < 1e-5, "{shape:?} {from} {to}");
        }
        for &(from, to, _) in &hit.lines[outline..3 * outline] {
            let touched = start - Vec3::Y * 0.5;
            assert!(off(from, touched) < 1e-5 && off(to, touched) < 1e-5, "{shape:?} {from} {to}");
        }
        for (index, &(from, to, _)) in hit.lines[3 * outline..].iter().enumerate() {
            assert_eq!(from, start + along * index as f32);
            assert!(to.distance(from - Vec3::Y * 0.5) < 1e-6);
        }
        // Outlines are closed: each line starts where a line of the same outline ends.
        for outline in hit.lines[..3 * outline].chunks(outline) {
            for &(from, _, _) in outline {
                assert!(outline.iter().any(|&(_, to, _)| to.distance(from) < 1e-5), "{shape:?} {from}");
            }
        }
    }
}

#[test]
fn a_prediction_is_an_arrow_and_a_mark_at_its_head() {
    let (from, to) = (Vec3::ZERO, Vec3::new(0.0, 0.0, 0.4));
    for side in Side::ALL {
        let drawn = Drawn::of(&[Event::Predicted { side, from, to }]);
        assert_eq!(drawn.arrows, [(from, to, Subject::PredictedFoot(side))]);
        assert!(matches!(drawn.points[..], [(at, _, Subject::PredictedFoot(_))] if at == to));
        // A foot that stands still has a point and no arrow.
        let still = Drawn::of(&[Event::Predicted { side, from, to: from }]);
        assert!(still.arrows.is_empty() && still.points.len() == 1);
    }
}

const GEOMETRY: FootGeometry =
    FootGeometry { ankle_height: 0.1, heel_offset: 0.05, toe_offset: 0.2, forward_in_foot: Vec3::Z };

fn standing(reach: bool) -> Input {
    let foot = |x: f32| {
        let position = Vec3::new(x, GEOMETRY.ankle_height, 0.0);
        let reach = reach.then_some(Reach { hip: Vec3::new(x, 0.95, 0.0), length: 0.9 });
        FootInput { reach, ..FootInput::new(RigidTransform { position, rotation: Quat::IDENTITY }, GEOMETRY) }
    };
    Input { root: Root::ORIGIN, feet: [foot(0.5), foot(-0.5)], dt: 1.0 / 60.0 }
}

/// Returns the settled output, and its events, on ground that is 0.2 m lower on the right side.
fn on_a_step(input: &Input) -> (Output, Vec<Event>) {
    let mut terrain = Terrain { columns: 41, rows: 2, ..Terrain::default() };
    terrain.heights = (0..82).map(|index| if index % 41 < 20 { -0.2 } else { 0.0 }).collect();
    let ground = terrain.at(0.0).unwrap();
    let settings = PredictiveSettings { quality: Quality::Best, ..Default::default() };
    let mut events = Vec::new();
    let output = settle(&settings, input, &ground, &mut events);
    (output, events)
}

#[test]
fn soles_are_drawn_as_animated_and_at_their_goals() {
    let input = standing(true);
    let (output, events) = on_a_step(&input);
    let drawn = Drawn::goal(&input, &output);
    assert!(drawn.is_finite());
    for side in Side::ALL {
        let ankle = input.feet[side as usize].position;
        let lines = |subject: Subject| -> Vec<(Vec3, Vec3)> {
            drawn.lines.iter().filter(|line| line.2 == subject).map(|&(from, to, _)| (from, to)).collect()
        };
        let heel_and_toe = [-0.05, 0.2].map(|ahead| ankle + Vec3::new(0.0, -0.1, ahead));
        let ghost = lines(Subject::GhostFoot(side));
        assert_eq!(ghost.len(), 2);
        assert!(ghost[0].0.distance(heel_and_toe[0]) < 1e-6 && ghost[0].1.distance(heel_and_toe[1]) < 1e-6);
        assert!(ghost[1].1 == ankle && ghost[1].0.distance(ankle - Vec3::Y * 0.1) < 1e-6);

        let goal = Subject::FootGoal { side, weight: 1.0 };
        let leg = &output.legs[side as usize];
        assert_eq!(lines(goal).len(), 2);
        assert!(drawn.points.iter().any(|&(at, _, subject)| at == leg.ik_position && subject == goal));
        let offsets = lines(Subject::FootOffset(side));
        match side {
            Side::Left => assert!(offsets.is_empty() && leg.offset == 0.0),
            Side::Right => assert_eq!(offsets, [(ankle, leg.ik_position)]),
        }
    }
    let between_hips = Vec3::new(0.0, 0.95, 0.0);
    let arrow = (between_hips, between_hips + output.pelvis, Subject::PelvisOffset);
    assert!(output.pelvis.y < -0.05);
    assert_eq!(drawn.arrows, [arrow]);
    // The same solve cast for both feet and for the root.
    let cast = Drawn::of(&events).subjects();
    for side in [None, Some(Side::Left), Some(Side::Right)] {
        assert!(cast.contains(&Subject::CastHit(side)), "{side:?}");
    }
}

#[test]
fn without_hips_the_pelvis_offset_starts_at_the_root() {
    let input = standing(false);
    let (output, _) = on_a_step(&input);
    let drawn = Drawn::goal(&input, &output);
    assert_eq!(drawn.arrows, [(Vec3::ZERO, output.pelvis, Subject::PelvisOffset)]);
}

#[test]
fn a_raised_heel_is_drawn_raised_and_a_turned_goal_turned() {
    let mut input = standing(false);
    let (mut output, _) = on_a_step(&input);
    input.feet[0].rotation = Quat::from_rotation_x(0.5);
    output.legs[0].rotation_offset = Quat::from_rotation_z(0.3);
    let drawn = Drawn::goal(&input, &output);
    let sole = |subject: Subject| {
        let line = drawn.lines.iter().find(|line| line.2 == subject).unwrap();
        (line.1 - line.0).normalize()
    };
    let along = Quat::from_rotation_x(0.5) * Vec3::Z;
    assert!(sole(Subject::GhostFoot(Side::Left)).distance(along) < 1e-6);
    let turned = Quat::from_rotation_z(0.3) * along;
    assert!(sole(Subject::FootGoal { side: Side::Left, weight: 1.0 }).distance(turned) < 1e-6);
}

#[test]
fn a_lost_foot_is_not_drawn() {
    let mut input = standing(false);
    let (output, _) = on_a_step(&input);
    input.feet[1].position.x = f32::NAN;
    let right = |subject: &Subject| {
        matches!(
            subject,
            Subject::GhostFoot(Side::Right)
                | Subject::FootGoal { side: Side::Right, .. }
                | Subject::FootOffset(Side::Right)
        )
    };
    let drawn = Drawn::goal(&input, &output);
    assert!(drawn.is_finite() && !drawn.lines.is_empty());
    assert!(!drawn.subjects().iter().any(right));
}

fn hostile() -> BoxedStrategy<f32> {
    prop_oneof![6 => -2.0f32..2.0, 1 => Just(0.0f32), 1 => Just(f32::NAN), 1 => any::<f32>()].boxed()
}

fn hostile_vector() -> BoxedStrategy<Vec3> {
    prop_oneof![
        3 => (-2.0f32..2.0, -2.0f32..2.0, -2.0f32..2.0).prop_map(Vec3::from),
        1 => Just(Vec3::ZERO),
        2 => (hostile(), hostile(), hostile()).prop_map(Vec3::from),
    ]
    .boxed()
}

fn hostile_cast() -> impl Strategy<Value = Cast> {
    let shape = (0..3, hostile_vector(), hostile()).prop_map(|(kind, along, radius)| match kind {
        0 => Shape::Ray,
        1 => Shape::Sphere { radius },
        _ => Shape::Capsule { along, radius },
    });
    let hit = (hostile_vector(), hostile_vector(), hostile());
    let hit = hit.prop_map(|(point, normal, distance)| Hit { point, normal, distance });
    (shape, hostile_vector(), hostile_vector(), prop::option::of(hit)).prop_map(|(shape, from, to, hit)| Cast {
        purpose: Purpose::Root,
        side: None,
        shape,
        from,
        to,
        hit,
    })
}

property! {
    #[test]
    fn any_cast_has_a_finite_drawing(cast in hostile_cast(), from in hostile_vector(), to in hostile_vector()) {
        let drawn = Drawn::of(&[Event::Cast(cast), Event::Predicted { side: Side::Left, from, to }]);
        prop_assert!(drawn.is_finite(), "{:?}", cast);
        // A hit is drawn only if there is one, and a cast from a position that is not finite draws no line.
        let hit = drawn.subjects().contains(&Subject::Cast { side: None, hit: true });
        prop_assert!(!hit || cast.hit.is_some());
        prop_assert!(cast.from.is_finite() || drawn.lines.is_empty());
    }

    #[test]
    fn any_goal_has_a_finite_drawing(
        vectors in prop::collection::vec(hostile_vector(), 7),
        numbers in prop::collection::vec(hostile(), 12),
    ) {
        let mut input = standing(false);
        let (mut output, _) = on_a_step(&input);
        input.root = Root { position: vectors[0], up: vectors[1], forward: vectors[2] };
        let foot = &mut input.feet[0];
        (foot.position, foot.geometry.forward_in_foot) = (vectors[3], vectors[4]);
        foot.rotation = Quat::from_xyzw(numbers[0], numbers[1], numbers[2], numbers[3]);
        foot.geometry.ankle_height = numbers[4];
        foot.geometry.toe_offset = numbers[5];
        foot.reach = Some(Reach { hip: vectors[5], length: numbers[6] });
        input.feet[1].reach = Some(Reach { hip: Vec3::Y, length: 1.0 });
        output.pelvis = vectors[6];
        let leg = &mut output.legs[0];
        (leg.ik_position, leg.weight) = (vectors[4], numbers[7]);
        leg.rotation_offset = Quat::from_xyzw(numbers[8], numbers[9], numbers[10], numbers[11]);
        let drawn = Drawn::goal(&input, &output);
        prop_assert!(drawn.is_finite());
        for subject in drawn.subjects() {
            if let Subject::FootGoal { weight, .. } = subject {
                prop_assert!((0.0..=1.0).contains(&weight));
            }
        }
    }
}
