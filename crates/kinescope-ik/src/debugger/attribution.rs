//! Attribution: the displacement of a point in a solve, divided among its causes.
//!
//! Points move only by events and steps, one after another, so a displacement is the sum of their effects. Sums are
//! kept in fixed point, so they equal the whole exactly in any order of addition.

use glam::{DVec3, Vec3};

use crate::key::named;
use crate::rig::BoneIndex;
use crate::stack::{Frame, LayerId};
use crate::stepped::run::{CauseView, Cursor, Run, StepView, Tint};

/// A displacement in units of 2⁻⁸⁰ model units. Coordinates up to 1e12 fit, and sums are exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exact([i128; 3]);

impl Exact {
    const UNIT: f64 = (1u128 << 80) as f64;

    /// Returns the displacement from one point to another.
    pub fn between(from: Vec3, to: Vec3) -> Self {
        let fixed = |x: f32| (f64::from(x) * Self::UNIT) as i128;
        let (from, to) = (from.to_array(), to.to_array());
        Self(std::array::from_fn(|axis| fixed(to[axis]).wrapping_sub(fixed(from[axis]))))
    }

    /// Returns the displacement rounded to f64, in model units.
    pub fn to_dvec3(self) -> DVec3 {
        DVec3::from_array(self.0.map(|x| x as f64 / Self::UNIT))
    }

    /// Returns the displacement rounded to f32, in model units.
    pub fn to_vec3(self) -> Vec3 {
        self.to_dvec3().as_vec3()
    }
}

impl std::ops::AddAssign for Exact {
    fn add_assign(&mut self, other: Self) {
        for (sum, part) in self.0.iter_mut().zip(other.0) {
            *sum = sum.wrapping_add(part);
        }
    }
}

named! {
    /// The property of moves by which [`attribute`] groups them into rows.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Grouping {
        /// Returns the label on screen.
        label,
    }
    /// All groupings.
    ALL {
        /// By constraint, effector or pass of a limb, over all iterations.
        #[default]
        Cause;
        /// By the name of the step, over all iterations.
        Stage;
        /// By the chain, limb or part of the character that the cause belongs to.
        Chain;
        /// By iteration, with the steps before and after the iterations as one group.
        Iteration;
    }
}

/// A row of the attribution table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The label of the group.
    pub label: String,
    /// The category that selects the colour.
    pub tint: Tint,
    /// The number of moves that displace the point, and of steps that displace it outside their moves, in the group.
    pub count: u32,
    /// The sum of the displacements by these moves and steps.
    pub sum: Exact,
    /// The component of [`Self::sum`] along the total displacement of the table; the length of the sum if the total is
    /// zero. Model units.
    pub along: f64,
    /// The instant of the longest displacement in the group, whatever its direction.
    pub largest: Option<(LayerId, Cursor)>,
}

/// The attribution table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attribution {
    /// The position of the point before its layer, or of the bone before all layers, in the space of the poses (see
    /// [`stack`](crate::stack)); zero for a point or bone that does not exist.
    pub from: Vec3,
    /// The position of the point after its layer, or of the bone after all layers, in the same space.
    pub to: Vec3,
    /// The total displacement, exactly the sum of all rows.
    pub total: Exact,
    /// The rows, sorted by the size of [`Row::along`], largest first.
    pub rows: Vec<Row>,
}

impl Attribution {
    /// Returns the length of the total displacement in model units.
    pub fn distance(&self) -> f64 {
        self.total.to_dvec3().length()
    }
}

/// The point or bone whose displacement [`attribute`] divides among its causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A point of a layer by its index in [`Run::points`], through the steps of that layer.
    Point(LayerId, usize),
    /// A bone, from the animated pose through all layers.
    Bone(BoneIndex),
}

/// Divides the displacement of a point or bone in a frame among its causes. The table has no rows if the point or bone
/// does not move, does not exist, or belongs to a layer that was not solved.
///
/// ```
/// use kinescope_ik::debugger::attribution::{Grouping, Target, attribute};
/// use kinescope_ik::stack::{Tools, solve};
/// # use kinescope_ik::stack::{Input, Rig, Stack};
/// # use kinescope_ik::{Effector, ModelPose};
/// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
/// # let kinescope_ik::trace::Rig { skeleton, biped, reference, animated } = kinescope_ik::Trace::from_json(&text)?.rig;
/// # let elbow = biped.limbs[0].bones[1];
/// # let rig = Rig::biped("mannequin", skeleton, &biped, reference)?;
/// # let mut stack = Stack::default();
/// # let hand = stack.full_body.effector_mut(Effector::LeftHand);
/// # (hand.position, hand.position_weight) = (Some(glam::Vec3::new(0.4, 1.2, 0.5)), 1.0);
/// # let input = Input::new(stack, ModelPose::rigid(animated));
///
/// let frame = solve(&rig, Tools::default(), &input);
/// let table = attribute(&frame, Target::Bone(elbow), Grouping::Cause);
/// println!("the elbow moved by {}:", table.distance());
/// for row in &table.rows {
///     println!("{:+} in {} moves of {}", row.along, row.count, row.label);
/// }
/// let sum: f64 = table.rows.iter().map(|row| row.along).sum();
/// assert!((sum - table.distance()).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn attribute(frame: &Frame, target: Target, grouping: Grouping) -> Attribution {
    let mut table = Table { grouping, rows: Vec::new(), largest: Vec::new() };
    let [from, to] = match target {
        Target::Point(id, point) => frame.run(id).map_or([Vec3::ZERO; 2], |run| table.follow_point(id, run, point)),
        Target::Bone(bone) => table.follow_bone(frame, bone),
    };
    table.finish(from, to)
}

struct Table {
    grouping: Grouping,
    rows: Vec<Row>,
    /// The length of the displacement at each row's [`Row::largest`], model units.
    largest: Vec<f64>,
}

impl Table {
    fn put(&mut self, step: &StepView, cause: &CauseView, sum: Exact, at: (LayerId, Cursor)) {
        if sum == Exact::default() {
            return;
        }
        let (label, tint) = match self.grouping {
            Grouping::Cause => (cause.label.clone(), cause.tint),
            Grouping::Stage => (step.name.clone(), Tint::Own),
            Grouping::Chain => (cause.chain.clone(), cause.tint),
            Grouping::Iteration => match step.iteration {
                Some(iteration) => (format!("iteration {iteration}"), Tint::Own),
                None => ("outside the iterations".to_owned(), Tint::Own),
            },
        };
        let size = sum.to_dvec3().length();
        match self.rows.iter().position(|row| row.label == label) {
            Some(index) => {
                let row = &mut self.rows[index];
                row.count += 1;
                row.sum += sum;
                if size > self.largest[index] {
                    (row.largest, self.largest[index]) = (Some(at), size);
                }
            }
            None => {
                self.rows.push(Row { label, tint, count: 1, sum, along: 0.0, largest: Some(at) });
                self.largest.push(size);
            }
        }
    }

    /// Returns the positions of the point before and after the run.
    fn follow_point(&mut self, id: LayerId, run: &dyn Run, point: usize) -> [Vec3; 2] {
        let from = run.start().get(point).copied().unwrap_or_default();
        let mut here = from;
        for step in 0..run.steps() {
            let view = run.step(step);
            let count = if run.moves_by_steps() { 0 } else { run.events(step) };
            for event in 0..count {
                let at = Cursor { step, within: Some(event) };
                let to = run.place_of(point, at);
                self.put(&view, &run.cause(step, event), Exact::between(here, to), (id, at));
                here = to;
            }
            // Displacement outside the events belongs to the step itself.
            let at = Cursor { step, within: None };
            let to = run.place_of(point, at);
            let cause = match count {
                0 if run.moves_by_steps() => run.cause(step, 0),
                _ => run.cause_of_step(step),
            };
            self.put(&view, &cause, Exact::between(here, to), (id, at));
            here = to;
        }
        [from, here]
    }

    /// Returns the positions of the bone in the animated pose and after all layers.
    fn follow_bone(&mut self, frame: &Frame, bone: BoneIndex) -> [Vec3; 2] {
        let position = |pose: &[crate::rig::RigidTransform]| pose.get(bone).map_or(Vec3::ZERO, |bone| bone.position);
        let from = position(&frame.input.animated.bones);
        let mut here = from;
        for layer in &frame.layers {
            let Some(run) = layer.run().filter(|run| run.moves_bones()) else { continue };
            run.bone_path(bone, &layer.before, &mut |step, cause, at, to| {
                self.put(step, cause, Exact::between(here, to), (layer.id, at));
                here = to;
            });
        }
        [from, here]
    }

    fn finish(self, from: Vec3, to: Vec3) -> Attribution {
        let total = Exact::between(from, to);
        let whole = total.to_dvec3();
        let direction = whole.try_normalize();
        let along = |row: Row| {
            let sum = row.sum.to_dvec3();
            Row { along: direction.map_or(sum.length(), |direction| sum.dot(direction)), ..row }
        };
        let mut rows: Vec<Row> = self.rows.into_iter().map(along).collect();
        rows.sort_by(|a, b| b.along.abs().total_cmp(&a.along.abs()));
        Attribution { from, to, total, rows }
    }
}
