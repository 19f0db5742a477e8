//! One recorded solve as tools see it: the same for every solver, so that a timeline, a plot, a break condition or an
//! attribution works on all of them and knows none.

use glam::Vec3;

use crate::debug_draw::DebugDraw;
use crate::names::Node;
use crate::notation::Sheet;
use crate::rig::{BoneIndex, RigidTransform};

/// An instant of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cursor {
    /// Index of a step.
    pub step: usize,
    /// Index of an event within the step: the instant just after it. `None` is the end of the step.
    pub within: Option<usize>,
}

/// What something belongs to: its colour and mark go by that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tint {
    /// The run's own.
    #[default]
    Own,
    /// A limb's or the body's.
    Node(Node),
    /// A constraint that holds both ways.
    Rigid,
    /// One that only pushes.
    PushOnly,
    /// Held back by a limit.
    Limit,
}

/// What a step is called, and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepView {
    /// From 0; `None` outside the iterations.
    pub iteration: Option<u32>,
    /// As in traces and files.
    pub key: &'static str,
    /// As a person reads it: `stage 1`, `cast, left foot`.
    pub name: String,
    /// For a narrow cell.
    pub short: String,
    /// What it does, for a reader who sees it for the first time.
    pub sentence: &'static str,
    /// Whether what it leaves is what the iteration, or the whole solve, came to: where convergence is read.
    pub is_end: bool,
}

/// One thing that happened within a step.
#[derive(Clone, Debug, PartialEq)]
pub struct EventView {
    /// What it is coloured by.
    pub tint: Tint,
    /// How far something went, or was cast; model units.
    pub size: f32,
    /// What happened, with its numbers.
    pub text: String,
}

/// Why an event happened: what attribution puts together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CauseView {
    /// The cause alone, in whichever round it acted.
    pub label: String,
    /// The chain, limb or part of the character that it belongs to.
    pub chain: String,
    /// What it is coloured by.
    pub tint: Tint,
}

/// What a measure counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Model units.
    Length,
    /// 1 is the whole.
    Fraction,
    /// A share of the whole by which it is too much; 0 is as it should be.
    Excess,
    /// Radians, shown in degrees.
    Angle,
}

/// One number of every instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureView {
    /// As in exported columns: `left_hand_node_error`.
    pub key: String,
    /// As a person reads it.
    pub label: String,
    /// What it counts in.
    pub unit: Unit,
    /// Measures of a family share a plot: `constraint strain`.
    pub family: &'static str,
    /// What it is coloured by.
    pub tint: Tint,
    /// It is to be 0, and a solver that goes on makes it smaller.
    pub is_error: bool,
}

/// A point that a run moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointView {
    /// As in files: `left_hand`.
    pub key: String,
    /// As a person reads it.
    pub label: String,
    /// What it is coloured by.
    pub tint: Tint,
    /// The bone that it is, once written.
    pub bone: Option<BoneIndex>,
}

/// Two bones that meet, by the points at their ends: how far they are bent, and to which side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hinge {
    /// `left elbow`.
    pub label: String,
    /// The joint that the first bone turns about: `left shoulder`.
    pub root: String,
    /// The ends and, between them, the joint: by their place among the run's points.
    pub points: [usize; 3],
}

/// Three points that turn together: a torso's shoulders and its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane {
    /// As a person reads it.
    pub label: String,
    /// By their place among the run's points.
    pub points: [usize; 3],
}

/// Two points that a bone keeps apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Rod {
    /// As a person reads it.
    pub label: String,
    /// By their place among the run's points.
    pub points: [usize; 2],
    /// Model units.
    pub length: f32,
}

/// A place that a point is to get to.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalView {
    /// As in files: `left_hand`.
    pub key: String,
    /// As a person reads it.
    pub label: String,
    /// What it is coloured by.
    pub tint: Tint,
    /// How much it counts, 0 to 1.
    pub weight: f32,
    /// What is to get there, and what it hangs on.
    pub point: usize,
    /// The point that it hangs on.
    pub root: usize,
    /// The bone that is the point once all is written.
    pub bone: Option<BoneIndex>,
    /// Where the point is to get; model space.
    pub place: Vec3,
    /// How far from the root the point can get, model units.
    pub reach: f32,
    /// What the distance from the point to its place is called: the label of the measure that it is, or is part of.
    pub error: String,
}

/// One line of numbers that a step worked with.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// What it is coloured by.
    pub tint: Tint,
    /// What the numbers are of.
    pub what: String,
    /// The numbers, with units.
    pub numbers: String,
}

/// What of a run is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// What the full-body solver has to show.
    pub layers: crate::debug_draw::Layers,
    /// What was before the step or event at the cursor, as ghosts.
    pub before: bool,
    /// What the step or event at the cursor moved.
    pub moved: bool,
    /// Ranges that joints are held in.
    pub limits: bool,
    /// What was looked for: rays and the like.
    pub casts: bool,
    /// What others are asked for.
    pub goals: bool,
    /// Height of the character, or length of the chain: what marks are sized by; model units.
    pub size: f32,
}

/// One solve, with every instant of it.
///
/// ```
/// use kinescope_ik::stack::{LayerId, Tools, solve};
/// use kinescope_ik::stepped::Cursor;
/// use kinescope_ik::stepped::run::Stride;
/// # use kinescope_ik::stack::{Input, Rig, Stack};
/// # use kinescope_ik::{Effector, ModelPose};
/// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
/// # let kinescope_ik::trace::Rig { skeleton, biped, reference, animated } = kinescope_ik::Trace::from_json(&text)?.rig;
/// # let rig = Rig::biped("mannequin", skeleton, &biped, reference)?;
/// # let mut stack = Stack::default();
/// # let hand = stack.full_body.effector_mut(Effector::LeftHand);
/// # (hand.position, hand.position_weight) = (Some(glam::Vec3::new(0.4, 1.2, 0.5)), 1.0);
/// # let input = Input::new(stack, ModelPose::rigid(animated));
///
/// let frame = solve(&rig, Tools::default(), &input);
/// let run = frame.run(LayerId::FullBody).unwrap();
///
/// // Event by event, as a debugger steps.
/// let mut at = Cursor::default().next(Stride::Event, run);
/// println!("{}: {}", run.step(at.step).name, run.step(at.step).sentence);
/// println!("{}", run.event(at.step, at.within.unwrap(), &|length| format!("{length} m")).text);
/// if let Some(sheet) = run.formula(at.step, at.within.unwrap()) {
///     for line in &sheet.lines {
///         println!("{} {}", line.symbolic, line.numeric);
///     }
/// }
/// while at != Cursor::end(run) {
///     at = at.next(Stride::Event, run);
/// }
/// // The pose at an instant, from the one that the layer was given.
/// let mut pose = input.animated.bones.clone();
/// run.pose(at, &mut pose);
/// assert_eq!(pose, frame.pose);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Run {
    /// How many steps there are.
    fn steps(&self) -> usize;

    /// `step` is one that there is.
    fn step(&self, step: usize) -> StepView;

    /// How many events a step has; 0 if there is no such step.
    fn events(&self, step: usize) -> usize;

    /// One of them; `length` writes lengths.
    fn event(&self, step: usize, event: usize, length: &dyn Fn(f32) -> String) -> EventView;

    /// What the events of a step are called: `moves`, `casts`.
    fn events_name(&self, _step: usize) -> &'static str {
        "moves"
    }

    /// Its points go by whole steps: its events tell what was found, not what was moved.
    fn moves_by_steps(&self) -> bool {
        false
    }

    /// Why an event happened; of a run that moves by steps, what the step did.
    fn cause(&self, step: usize, event: usize) -> CauseView;

    /// The equation behind an event, with its numbers; of a run that [moves by steps](Self::moves_by_steps), behind the
    /// step.
    fn formula(&self, _step: usize, _event: usize) -> Option<Sheet> {
        None
    }

    /// What a step did beside its events; all that it did, if it has none.
    fn cause_of_step(&self, step: usize) -> CauseView {
        let name = self.step(step).name;
        CauseView { label: name.clone(), chain: name, tint: Tint::Own }
    }

    /// What a step worked with, in numbers.
    fn numbers(&self, _step: usize) -> Vec<Numbers> {
        Vec::new()
    }

    /// The same list for every run of the same problem.
    fn measures(&self) -> Vec<MeasureView>;

    /// One of them at an instant.
    fn measure(&self, measure: usize, at: Cursor) -> f32;

    /// The measure that says how far a step is from the end: what heat shows. `None` where that is the gap of the
    /// written bones.
    fn main_measure(&self) -> Option<usize> {
        None
    }

    /// Where a solver that ends by putting things on their targets, whether they reach or not, is to be measured: before
    /// that. Else the end.
    fn settled(&self) -> Cursor {
        Cursor { step: self.steps().saturating_sub(1), within: None }
    }

    /// The same list for every run of the same problem.
    fn points(&self) -> Vec<PointView>;

    /// Where they are at an instant; model space.
    fn places(&self, at: Cursor) -> Vec<Vec3>;

    /// Where one of them is.
    fn place_of(&self, point: usize, at: Cursor) -> Vec3 {
        self.places(at).get(point).copied().unwrap_or_default()
    }

    /// Where they are before the first step.
    fn start(&self) -> Vec<Vec3>;

    /// Where its points make joints that bend.
    fn hinges(&self) -> Vec<Hinge> {
        Vec::new()
    }

    /// Where three of its points turn together.
    fn planes(&self) -> Vec<Plane> {
        Vec::new()
    }

    /// Which of its points bones keep apart.
    fn rods(&self) -> Vec<Rod> {
        Vec::new()
    }

    /// Where its points are to get.
    fn goals(&self) -> Vec<GoalView> {
        Vec::new()
    }

    /// Puts the bones where an instant has them; `pose` is the one that the run was given.
    fn pose(&self, at: Cursor, pose: &mut [RigidTransform]);

    /// Whether it poses bones itself; else it asks another to.
    fn moves_bones(&self) -> bool {
        true
    }

    /// Tells of every event where it takes a bone, in such an order that the way adds up; `before` is the pose that the
    /// run was given.
    fn way_of_bone(&self, bone: BoneIndex, before: &[RigidTransform], visit: Way) {
        let mut pose = before.to_vec();
        let mut position = |at: Cursor| {
            pose.copy_from_slice(before);
            self.pose(at, &mut pose);
            pose.get(bone).map_or(Vec3::ZERO, |bone| bone.position)
        };
        for step in 0..self.steps() {
            let view = self.step(step);
            for event in 0..self.events(step) {
                let at = Cursor { step, within: Some(event) };
                visit(&view, &self.cause(step, event), at, position(at));
            }
            let at = Cursor { step, within: None };
            visit(&view, &self.cause_of_step(step), at, position(at));
        }
    }

    /// Draws an instant; model space.
    fn draw(&self, at: Cursor, shown: &Shown, out: &mut dyn DebugDraw);
}

/// Hears of a step, what moved a bone in it, when, and where to.
pub type Way<'a> = &'a mut dyn FnMut(&StepView, &CauseView, Cursor, Vec3);

/// How far one step of a [`Cursor`] goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// To the next event.
    Event,
    /// To the next step.
    Step,
    /// To the next iteration.
    Iteration,
}

impl Cursor {
    /// The last instant.
    pub fn end(run: &dyn Run) -> Self {
        Self { step: run.steps().saturating_sub(1), within: None }
    }

    /// This instant, or the last that there is.
    pub fn clamped(self, run: &dyn Run) -> Self {
        let step = self.step.min(run.steps().saturating_sub(1));
        let count = run.events(step);
        Self { step, within: self.within.filter(|_| count > 0).map(|within| within.min(count - 1)) }
    }

    /// What is shown as current begins here: the instant before the event, or before the step. `None` before the first.
    pub fn before(self) -> Option<Self> {
        match self.within {
            Some(0) | None => Some(Self { step: self.step.checked_sub(1)?, within: None }),
            Some(within) => Some(Self { within: Some(within - 1), ..self }),
        }
    }

    /// The same instant of another run: same iteration and key if it still has them.
    pub fn carried_over(self, from: &dyn Run, to: &dyn Run) -> Self {
        let name = |run: &dyn Run, step: usize| {
            let StepView { iteration, key, name, .. } = run.step(step);
            (iteration, key, name)
        };
        let known = (self.step < from.steps()).then(|| name(from, self.step));
        let same = known.and_then(|known| (0..to.steps()).find(|&step| name(to, step) == known));
        Self { step: same.unwrap_or(self.step), ..self }.clamped(to)
    }

    /// The next instant; stays at the end.
    pub fn next(self, stride: Stride, run: &dyn Run) -> Self {
        let last = run.steps().saturating_sub(1);
        match stride {
            Stride::Event => match self.within {
                Some(within) if within + 1 < run.events(self.step) => Self { within: Some(within + 1), ..self },
                // The end of a step is the same instant as its last event: go on in the next that has any.
                _ => (self.step + 1..=last)
                    .find(|&step| run.events(step) > 0)
                    .map_or(Self::end(run), |step| Self { step, within: Some(0) }),
            },
            Stride::Step if self.within.is_some() => Self { within: None, ..self },
            Stride::Step => Self { step: (self.step + 1).min(last), within: None },
            Stride::Iteration => {
                let here = iteration(run, self.step);
                let step = (self.step + 1..=last).find(|&step| iteration(run, step) != here);
                Self { step: step.unwrap_or(last), within: None }
            }
        }
    }

    /// The instant before; stays at the start.
    pub fn previous(self, stride: Stride, run: &dyn Run) -> Self {
        match stride {
            Stride::Event => {
                let at = self.within.unwrap_or(run.events(self.step).saturating_sub(1));
                if at > 0 {
                    return Self { within: Some(at - 1), ..self };
                }
                (0..self.step)
                    .rev()
                    .find(|&step| run.events(step) > 0)
                    .map_or(Self::default(), |step| Self { step, within: Some(run.events(step) - 1) })
            }
            Stride::Step => Self { step: self.step.saturating_sub(1), within: None },
            Stride::Iteration => {
                let first_of = |step: usize| {
                    let here = iteration(run, step);
                    (0..step).rev().find(|&other| iteration(run, other) != here).map_or(0, |other| other + 1)
                };
                let first = first_of(self.step);
                let step = if first < self.step { first } else { first_of(self.step.saturating_sub(1)) };
                Self { step, within: None }
            }
        }
    }
}

/// Which of a run's points a step took furthest, and how far; `None` if it moved none.
pub fn furthest_moved(run: &dyn Run, step: usize) -> Option<(usize, f32)> {
    let at = Cursor { step, within: None };
    let before = at.before().map_or_else(|| run.start(), |before| run.places(before));
    let ways = run.places(at).into_iter().zip(before).map(|(now, before)| now.distance(before)).enumerate();
    ways.filter(|(_, way)| *way > 0.0).max_by(|a, b| a.1.total_cmp(&b.1))
}

/// The iteration of a step, from 0; `None` outside the iterations, and where there is no such step.
pub fn iteration(run: &dyn Run, step: usize) -> Option<u32> {
    (step < run.steps()).then(|| run.step(step).iteration).flatten()
}

/// Every instant of a run in order, each just after an event, or, of a step without events, at its end.
pub fn instants(run: &dyn Run) -> impl Iterator<Item = Cursor> + '_ {
    (0..run.steps()).flat_map(|step| {
        let count = run.events(step);
        let within = (0..count).map(Some).chain((count == 0).then_some(None));
        within.map(move |within| Cursor { step, within })
    })
}
