//! Recorded solves behind one trait, so that timelines, plots, break conditions and attribution work with every solver.

use std::hash::{DefaultHasher, Hash, Hasher};

use glam::Vec3;

use crate::debug_draw::DebugDraw;
use crate::names::Node;
use crate::notation::Sheet;
use crate::rig::{BoneIndex, RigidTransform};

/// An instant of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cursor {
    /// The index of a step.
    pub step: usize,
    /// The index of an event within the step; the cursor is just after that event. `None` is the end of the step.
    pub within: Option<usize>,
}

/// The category of an event, cause, measure, point, goal or line of numbers. It selects colour and mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tint {
    /// No category of its own: shown in the colour of the layer.
    #[default]
    Own,
    /// A node of the full-body solver. It has the colour of its limb or of the body.
    Node(Node),
    /// A constraint that pushes and pulls.
    Rigid,
    /// A constraint that only pushes.
    PushOnly,
    /// A limit that restricts a joint.
    Limit,
}

/// The names and the description of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepView {
    /// The iteration, from 0; `None` outside the iterations.
    pub iteration: Option<u32>,
    /// The key in traces and files.
    pub key: &'static str,
    /// The label: `stage 1`, `cast left`.
    pub name: String,
    /// A short label for narrow cells.
    pub short: String,
    /// What the step does, in a sentence or two for new readers.
    pub sentence: &'static str,
    /// True if convergence is measured after this step, usually the last of an iteration or of the run.
    pub is_end: bool,
}

/// An event within a step.
#[derive(Clone, Debug, PartialEq)]
pub struct EventView {
    /// The category that selects the colour.
    pub tint: Tint,
    /// The length of the move or cast, or another distance that the event reports, in model units. A bone's rotation
    /// counts as 0.5 times its angle in radians, a target rotation that a modifier sets as 0.5 times its weight.
    pub size: f32,
    /// A text on what happened, with numbers.
    pub text: String,
}

/// The cause of an event. Attribution groups events by it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CauseView {
    /// The label of the cause, without the iteration.
    pub label: String,
    /// The group of the cause: a chain, limb or part of the character, or another group such as `modifiers`.
    pub chain: String,
    /// The category that selects the colour.
    pub tint: Tint,
}

/// The unit of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// A length in model units.
    Length,
    /// A fraction, 1 is the whole.
    Fraction,
    /// A number without a unit, such as a sum of squared residuals.
    Number,
    /// A relative excess: 0 is nominal, 0.1 is 10 % too long.
    Excess,
    /// An angle in radians, shown in degrees.
    Angle,
}

/// A number that a run has at every instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureView {
    /// The key, as in exported columns: `left_hand_node_error`.
    pub key: String,
    /// The label on screen.
    pub label: String,
    /// The unit of the number.
    pub unit: Unit,
    /// The family, such as `constraint strain`. Measures of one family share a plot; an empty family is not plotted.
    pub family: &'static str,
    /// The category that selects the colour.
    pub tint: Tint,
    /// True if the measure is an error, which should be 0.
    pub is_error: bool,
}

/// A point that a run moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointView {
    /// The key in files: `left_hand`.
    pub key: String,
    /// The label on screen.
    pub label: String,
    /// The category that selects the colour.
    pub tint: Tint,
    /// The bone whose position the point is, if any.
    pub bone: Option<BoneIndex>,
}

/// A joint between two bones, given by three points. The debugger measures the joint's bend angle, its bend direction,
/// and the direction of the first bone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hinge {
    /// The label: `left elbow`.
    pub label: String,
    /// The label of the joint at the start of the first bone: `left shoulder`.
    pub root: String,
    /// Indices into the run's points: first end, joint, second end.
    pub points: [usize; 3],
}

/// Three points whose plane carries a part of the body, such as both shoulders and the body. The debugger measures the
/// plane's rotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane {
    /// The label on screen.
    pub label: String,
    /// Indices into the run's points. The last point stands for the plane in the debugger.
    pub points: [usize; 3],
}

/// Two points that a bone connects.
#[derive(Clone, Debug, PartialEq)]
pub struct Rod {
    /// The label on screen.
    pub label: String,
    /// Indices into the run's points.
    pub points: [usize; 2],
    /// The length of the bone in model units. Within a solve, the points may be at another distance.
    pub length: f32,
}

/// The target of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalView {
    /// The key in files: `left_hand`.
    pub key: String,
    /// The label on screen.
    pub label: String,
    /// The category that selects the colour.
    pub tint: Tint,
    /// The weight, 0 to 1.
    pub weight: f32,
    /// The index of the point that should reach the target.
    pub point: usize,
    /// The index of the point from which the reach is measured, such as the root of the limb or chain.
    pub root: usize,
    /// The bone that should reach the target, if any.
    pub bone: Option<BoneIndex>,
    /// The position of the target in model space.
    pub place: Vec3,
    /// How far limb or chain can reach from the root, or an upper bound of it, in model units; infinite if the reach is
    /// not limited or not known.
    pub reach: f32,
    /// The label of the measure that is, or includes, the distance from the point to the target.
    pub error: String,
}

/// The numbers of a [`GoalView`], without its texts.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    pub weight: f32,
    pub bone: Option<BoneIndex>,
    pub place: Vec3,
}

/// A line of numbers that a step used.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// The category that selects the colour.
    pub tint: Tint,
    /// What the numbers describe.
    pub what: String,
    /// The numbers as text.
    pub numbers: String,
}

/// Formats a vector for [`Numbers`]: `[12.0 mm, 0.0 mm, −3.1 mm]`. `length` formats a coordinate.
pub(crate) fn coordinates(vector: Vec3, length: &dyn Fn(f32) -> String) -> String {
    let [x, y, z] = vector.to_array().map(length);
    format!("[{x}, {y}, {z}]")
}

/// What to draw of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// The parts of the full-body solver to draw.
    pub layers: crate::debug_draw::Layers,
    /// The state before the step or event at the cursor, as ghosts.
    pub before: bool,
    /// The displacements of the step or event at the cursor.
    pub moved: bool,
    /// The ranges of joint limits.
    pub limits: bool,
    /// Rays and other casts.
    pub casts: bool,
    /// The goals that the run sets for other layers.
    pub goals: bool,
    /// The height of the character or the length of the chain, in model units. Marks are sized by it.
    pub size: f32,
}

/// A recorded solve with all its instants. Where this module says model space, a run of a [`stack`](crate::stack) uses
/// the space of the poses.
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
/// // The pose at an instant, computed from the input pose of the layer.
/// let mut pose = input.animated.bones.clone();
/// run.pose(at, &mut pose);
/// assert_eq!(pose, frame.pose);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Run {
    /// Returns the number of steps.
    fn steps(&self) -> usize;

    /// Returns names and description of a step. `step` must be less than [`Self::steps`].
    fn step(&self, step: usize) -> StepView;

    /// Returns the number of events in a step; 0 if there is no such step.
    fn events(&self, step: usize) -> usize;

    /// Returns an event; `length` formats lengths, which are in model units.
    fn event(&self, step: usize, event: usize, length: &dyn Fn(f32) -> String) -> EventView;

    /// Returns the noun for the events of a step: `moves`, `casts`.
    fn events_name(&self, _step: usize) -> &'static str {
        "moves"
    }

    /// Returns true if points move once per step. The events of such a run are findings, such as hits, instead of
    /// moves.
    fn moves_by_steps(&self) -> bool {
        false
    }

    /// Returns the cause of an event. If the run [moves by steps](Self::moves_by_steps), the cause is that of the step.
    fn cause(&self, step: usize, event: usize) -> CauseView;

    /// Returns the formula of an event with its numbers; `None` if it has none. If the run [moves by
    /// steps](Self::moves_by_steps), the formula may be that of the whole step.
    fn formula(&self, _step: usize, _event: usize) -> Option<Sheet> {
        None
    }

    /// Returns the cause of the moves that a step made outside its events, or of the whole step if it has no events.
    fn cause_of_step(&self, step: usize) -> CauseView {
        let name = self.step(step).name;
        CauseView { label: name.clone(), chain: name, tint: Tint::Own }
    }

    /// Returns the numbers that a step used; `length` formats lengths, which are in model units.
    fn numbers(&self, _step: usize, _length: &dyn Fn(f32) -> String) -> Vec<Numbers> {
        Vec::new()
    }

    /// Returns the measures. The list is the same for every run of the same problem.
    fn measures(&self) -> Vec<MeasureView>;

    /// Returns the value of a measure at an instant, in the measure's [unit](MeasureView::unit). NaN if it has no value,
    /// such as the unevenness of ground that is missing. `measure` is an index into [`Self::measures`].
    fn measure(&self, measure: usize, at: Cursor) -> f32;

    /// Returns the index of the measure, a length, that [`Frame::remaining`](crate::stack::Frame::remaining) returns
    /// for this run. With `None`, `remaining` returns the largest distance from a bone to its target.
    fn main_measure(&self) -> Option<usize> {
        None
    }

    /// Returns the instant at which errors are measured: before a final step that moves points to their targets
    /// regardless of reach; the end for solvers without such a step.
    fn settled(&self) -> Cursor {
        Cursor { step: self.steps().saturating_sub(1), within: None }
    }

    /// Returns the points. The list is the same for every run of the same problem.
    fn points(&self) -> Vec<PointView>;

    /// Returns the index of the first point that is the position of a bone; `None` if there is none.
    #[doc(hidden)]
    fn point_of(&self, bone: BoneIndex) -> Option<usize> {
        self.points().iter().position(|point| point.bone == Some(bone))
    }

    /// Returns a hash of everything that texts depend on: see `hash_of_texts`. Runs with the same hash have the same
    /// steps, points, hinges, planes and measures, and their [`Self::goals`] differ only in numbers. `None` if the run
    /// has no such hash; callers then compare the texts. Making the texts takes longer than most steps.
    #[doc(hidden)]
    fn texts(&self) -> Option<u64> {
        None
    }

    /// Returns the positions of all points at an instant, in model space.
    fn places(&self, at: Cursor) -> Vec<Vec3>;

    /// Returns false if a step certainly left all points where the step before it had them, so that the points need not
    /// be computed again. Returns true for the first step.
    fn may_move(&self, _step: usize) -> bool {
        true
    }

    /// Returns the position of one point at an instant, in model space; zero if there is no such point.
    fn place_of(&self, point: usize, at: Cursor) -> Vec3 {
        self.places(at).get(point).copied().unwrap_or_default()
    }

    /// Returns the positions of all points before the first step, in model space.
    fn start(&self) -> Vec<Vec3>;

    /// Returns the joints that bend.
    fn hinges(&self) -> Vec<Hinge> {
        Vec::new()
    }

    /// Returns the planes that carry parts of the body.
    fn planes(&self) -> Vec<Plane> {
        Vec::new()
    }

    /// Returns the pairs of points that a bone connects.
    fn rods(&self) -> Vec<Rod> {
        Vec::new()
    }

    /// Returns the targets of points.
    fn goals(&self) -> Vec<GoalView> {
        Vec::new()
    }

    /// Returns the numbers of [`Self::goals`], in the same order.
    #[doc(hidden)]
    fn aims(&self) -> Vec<Aim> {
        self.goals().iter().map(|&GoalView { weight, bone, place, .. }| Aim { weight, bone, place }).collect()
    }

    /// Sets the bones to the pose at an instant; `pose` must hold the run's input pose.
    fn pose(&self, at: Cursor, pose: &mut [RigidTransform]);

    /// Returns true if the run poses bones, false if it only sets goals for other layers.
    fn moves_bones(&self) -> bool {
        true
    }

    /// Visits every event with the bone's position after it, in an order in which the displacements add up. The default
    /// also visits the end of every step. `before` is the run's input pose.
    fn bone_path(&self, bone: BoneIndex, before: &[RigidTransform], visit: BoneVisitor) {
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

    /// Draws an instant in model space.
    fn draw(&self, at: Cursor, shown: &Shown, out: &mut dyn DebugDraw);
}

/// Returns the hash for [`Run::texts`] of a kind of run, and of what its texts depend on.
pub(crate) fn hash_of_texts(kind: &str, depend_on: impl Hash) -> Option<u64> {
    let mut hash = DefaultHasher::new();
    (kind, depend_on).hash(&mut hash);
    Some(hash.finish())
}

/// A callback that receives a step, the cause of a move, its instant, and the position of the bone after it.
pub type BoneVisitor<'a> = &'a mut dyn FnMut(&StepView, &CauseView, Cursor, Vec3);

/// The distance that a [`Cursor`] moves at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// One event.
    Event,
    /// One step; forwards from within a step, only to the end of that step.
    Step,
    /// One iteration.
    Iteration,
}

impl Cursor {
    /// Returns the last instant.
    pub fn end(run: &dyn Run) -> Self {
        Self { step: run.steps().saturating_sub(1), within: None }
    }

    /// Returns this instant, or the nearest instant that the run has.
    pub fn clamped(self, run: &dyn Run) -> Self {
        let step = self.step.min(run.steps().saturating_sub(1));
        let count = run.events(step);
        Self { step, within: self.within.filter(|_| count > 0).map(|within| within.min(count - 1)) }
    }

    /// Returns the instant before the event of this cursor, or before its step if `within` is `None`; `None` if only
    /// the start of the run is before.
    pub fn before(self) -> Option<Self> {
        match self.within {
            Some(0) | None => Some(Self { step: self.step.checked_sub(1)?, within: None }),
            Some(within) => Some(Self { within: Some(within - 1), ..self }),
        }
    }

    /// Returns the same instant in another run, [clamped](Self::clamped) to its instants: in the step with the same
    /// iteration, key and name, or else the same index.
    pub fn carried_over(self, from: &dyn Run, to: &dyn Run) -> Self {
        let name = |run: &dyn Run, step: usize| {
            let StepView { iteration, key, name, .. } = run.step(step);
            (iteration, key, name)
        };
        let known = (self.step < from.steps()).then(|| name(from, self.step));
        let same = known.and_then(|known| (0..to.steps()).find(|&step| name(to, step) == known));
        Self { step: same.unwrap_or(self.step), ..self }.clamped(to)
    }

    /// Returns the next instant; at the end, this one.
    pub fn next(self, stride: Stride, run: &dyn Run) -> Self {
        let last = run.steps().saturating_sub(1);
        match stride {
            Stride::Event => match self.within {
                Some(within) if within + 1 < run.events(self.step) => Self { within: Some(within + 1), ..self },
                // The end of a step is the same instant as its last event, so continue in the next step with events.
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

    /// Returns the previous instant; at the start, this one.
    pub fn previous(self, stride: Stride, run: &dyn Run) -> Self {
        match stride {
            Stride::Event => {
                let at = self.within.unwrap_or(run.events(self.step).saturating_sub(1));
                if at > 0 {
                    return Self { within: Some(at - 1), ..self };
                }
                let before = (0..self.step).rev().find(|&step| run.events(step) > 0);
                match before {
                    Some(step) => Self { step, within: Some(run.events(step) - 1) },
                    None if self.step == 0 => self,
                    None => Self::default(),
                }
            }
            // The end of step 0 is later than an event within it.
            Stride::Step if self.step == 0 => self,
            Stride::Step => Self { step: self.step - 1, within: None },
            Stride::Iteration => {
                let first_of = |step: usize| {
                    let here = iteration(run, step);
                    (0..step).rev().find(|&other| iteration(run, other) != here).map_or(0, |other| other + 1)
                };
                let first = first_of(self.step);
                let step = if first < self.step { first } else { first_of(self.step.saturating_sub(1)) };
                if step < self.step { Self { step, within: None } } else { self }
            }
        }
    }
}

/// Returns the index of the point that a step moved furthest, and the distance in model units; `None` if it moved none.
pub fn largest_move(run: &dyn Run, step: usize) -> Option<(usize, f32)> {
    let at = Cursor { step, within: None };
    let before = at.before().map_or_else(|| run.start(), |before| run.places(before));
    let distances = run.places(at).into_iter().zip(before).map(|(now, before)| now.distance(before)).enumerate();
    distances.filter(|(_, distance)| *distance > 0.0).max_by(|a, b| a.1.total_cmp(&b.1))
}

/// Returns the iteration of a step, from 0; `None` outside the iterations or if there is no such step.
pub fn iteration(run: &dyn Run, step: usize) -> Option<u32> {
    (step < run.steps()).then(|| run.step(step).iteration).flatten()
}

/// Returns all instants of a run in order: after each event, or at the end of a step without events.
pub fn instants(run: &dyn Run) -> impl Iterator<Item = Cursor> + '_ {
    (0..run.steps()).flat_map(|step| {
        let count = run.events(step);
        let within = (0..count).map(Some).chain((count == 0).then_some(None));
        within.map(move |within| Cursor { step, within })
    })
}
