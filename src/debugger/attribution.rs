//! Attribution: how far a point moved in a solve, and what moved it how far.
//!
//! A point moves only by node moves, one after the other, so its displacement is the sum of what they did to it. Sums
//! are kept in fixed point: they add up to the whole exactly, in whatever order they are added.

use glam::{DVec3, Vec3};

use super::measure::constraint_label;
use crate::full_body::Recording;
use crate::full_body::names::label;
use crate::full_body::{Cause, Chain, Node, Stage, State};

/// A displacement in units of 2⁻⁸⁰: every coordinate that a solver takes fits (up to 1e12), and no sum is rounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exact([i128; 3]);

impl Exact {
    const UNIT: f64 = (1u128 << 80) as f64;

    /// From one point to another.
    pub fn between(from: Vec3, to: Vec3) -> Self {
        let fixed = |x: f32| (f64::from(x) * Self::UNIT) as i128;
        let (from, to) = (from.to_array(), to.to_array());
        Self(std::array::from_fn(|axis| fixed(to[axis]).wrapping_sub(fixed(from[axis]))))
    }

    /// Rounded to what a float holds.
    pub fn to_dvec3(self) -> DVec3 {
        DVec3::from_array(self.0.map(|x| x as f64 / Self::UNIT))
    }

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

/// What moves are put together by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Grouping {
    /// Each constraint, effector and limb's pass, over all iterations.
    #[default]
    Cause,
    Stage,
    Chain,
    Iteration,
}

impl Grouping {
    pub const ALL: [Self; 4] = [Self::Cause, Self::Stage, Self::Chain, Self::Iteration];

    pub const fn label(self) -> &'static str {
        ["cause", "stage", "chain", "iteration"][self as usize]
    }
}

/// What one row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// Rounds of stage 2 count as one.
    Cause(Cause),
    Stage(Stage),
    /// `None`: child constraints, which belong to two limbs at once.
    Chain(Option<Chain>),
    /// `None`: before and after the iterations.
    Iteration(Option<u32>),
    /// From the nodes to a bone that is none: spine, clavicles, what hangs on them.
    Mapping,
}

impl Group {
    fn of(grouping: Grouping, cause: Cause, recording: &Recording, step: usize) -> Self {
        let step = recording.solve.steps[step].step;
        match grouping {
            Grouping::Cause => Self::Cause(without_round(cause)),
            Grouping::Stage => Self::Stage(step.stage),
            Grouping::Chain => Self::Chain(chain_of(cause)),
            Grouping::Iteration => Self::Iteration(step.iteration),
        }
    }

    /// As tables have it.
    pub fn label(self) -> String {
        match self {
            Self::Cause(cause) => cause_label(cause),
            Self::Stage(Stage::Stage1) => "stage 1".to_owned(),
            Self::Stage(Stage::Stage2) => "stage 2".to_owned(),
            Self::Stage(stage) => label(stage.key()),
            Self::Chain(Some(chain)) => label(chain.key()),
            Self::Chain(None) => "child constraints".to_owned(),
            Self::Iteration(Some(iteration)) => format!("iteration {iteration}"),
            Self::Iteration(None) => "read and last passes".to_owned(),
            Self::Mapping => "mapping to bones".to_owned(),
        }
    }

    /// A node of the limb it has to do with, for its mark.
    pub fn node(self) -> Option<Node> {
        let chain = match self {
            Self::Cause(cause) => chain_of(cause)?,
            Self::Chain(chain) => chain?,
            _ => return None,
        };
        Some(chain.limb().map_or(Node::Body, |limb| Node::of_limb(limb)[0]))
    }

    /// The child constraint it is, an index into [`PAIRS`](crate::full_body::child_constraint::PAIRS).
    pub fn constraint(self) -> Option<usize> {
        match self {
            Self::Cause(Cause::ChildConstraint { constraint, .. }) => Some(usize::from(constraint)),
            _ => None,
        }
    }
}

/// The cause, whichever round of stage 2 it acted in.
pub fn without_round(cause: Cause) -> Cause {
    match cause {
        Cause::ChildConstraint { constraint, .. } => Cause::ChildConstraint { constraint, round: None },
        Cause::LinearConstraint { limb, .. } => Cause::LinearConstraint { limb, round: 0 },
        other => other,
    }
}

/// A cause in words, whichever round of stage 2 it acted in.
pub fn cause_label(cause: Cause) -> String {
    match cause {
        Cause::BendLimit(limb) => format!("bend limit, {}", limb.label()),
        Cause::Offset(effector) => format!("offset, {}", label(effector.key())),
        Cause::Effector(effector) => format!("effector {}", label(effector.key())),
        Cause::EffectorChild(effector) => format!("child of effector {}", label(effector.key())),
        Cause::Push(limb) => format!("push, {}", limb.label()),
        Cause::PushParent => "push parent".to_owned(),
        Cause::Reach(limb) => format!("reach, {}", limb.label()),
        Cause::Trigonometric(limb) => format!("trigonometric, {}", limb.label()),
        Cause::ForwardReach(limb) => format!("stage 1, {}", limb.label()),
        Cause::Centroid => "stage 1, centroid of the limbs' pull".to_owned(),
        Cause::ChildConstraint { constraint, .. } => constraint_label(usize::from(constraint)),
        Cause::LinearConstraint { limb, .. } => format!("body – {}", label(Node::of_limb(limb)[0].key())),
        Cause::BackwardReach(limb) => format!("stage 2, {}", limb.label()),
        Cause::Bend(limb) => format!("bend constraint, {}", limb.label()),
    }
}

fn chain_of(cause: Cause) -> Option<Chain> {
    match cause {
        Cause::BendLimit(limb)
        | Cause::Push(limb)
        | Cause::Reach(limb)
        | Cause::Trigonometric(limb)
        | Cause::ForwardReach(limb)
        | Cause::LinearConstraint { limb, .. }
        | Cause::BackwardReach(limb)
        | Cause::Bend(limb) => Some(limb.into()),
        Cause::Offset(effector) | Cause::Effector(effector) => {
            Some(effector.node().limb().map_or(Chain::Body, Chain::from))
        }
        Cause::EffectorChild(_) | Cause::PushParent | Cause::Centroid => Some(Chain::Body),
        Cause::ChildConstraint { .. } => None,
    }
}

/// One line of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    pub group: Group,
    /// Moves that had a part in it.
    pub count: u32,
    pub sum: Exact,
    /// Along the whole displacement, signed; the length where the point ended where it began. Model units.
    pub along: f64,
    /// Step and move of the one that did most; `None` for the mapping.
    pub largest: Option<(usize, usize)>,
}

/// The whole table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attribution {
    pub from: Vec3,
    pub to: Vec3,
    /// Sum of all rows, exactly.
    pub total: Exact,
    /// The largest part first.
    pub rows: Vec<Row>,
}

impl Attribution {
    /// How far the point got. Model units.
    pub fn distance(&self) -> f64 {
        self.total.to_dvec3().length()
    }
}

/// Follows a point through a recorded solve.
///
/// `place` tells where it is in a state: a node's place, or a bone's after writing the state. `animated` is where it
/// was before the solve; for a node that is where the first move finds it.
pub fn attribute(
    recording: &Recording,
    grouping: Grouping,
    animated: Option<Vec3>,
    mut place: impl FnMut(&State) -> Vec3,
) -> Attribution {
    let Some(mut state) = recording.state_within(0, 0) else {
        let at = animated.unwrap_or_default();
        return Attribution { from: at, to: at, ..Attribution::default() };
    };
    let mut rows: Vec<(Row, f64)> = Vec::new();
    let mut put = |group: Group, sum: Exact, at: Option<(usize, usize)>| {
        if sum == Exact::default() {
            return;
        }
        let size = sum.to_dvec3().length();
        match rows.iter_mut().find(|(row, _)| row.group == group) {
            Some((row, largest)) => {
                row.count += 1;
                row.sum += sum;
                if size > *largest {
                    (row.largest, *largest) = (at, size);
                }
            }
            None => rows.push((Row { group, count: 1, sum, along: 0.0, largest: at }, size)),
        }
    };
    let mut at = place(&state);
    let from = animated.unwrap_or(at);
    put(Group::Mapping, Exact::between(from, at), None);
    for (step, recorded) in recording.solve.steps.iter().enumerate() {
        let moves = recording.solve.events_of(step);
        for (index, moved) in moves.iter().enumerate() {
            state.nodes[moved.node] = moved.to;
            if index + 1 == moves.len() {
                state = recorded.state;
            }
            let to = place(&state);
            put(Group::of(grouping, moved.cause, recording, step), Exact::between(at, to), Some((step, index)));
            at = to;
        }
        state = recorded.state;
    }
    // A step without moves can still turn what the mapping reads.
    let to = place(&state);
    put(Group::Mapping, Exact::between(at, to), None);

    let total = Exact::between(from, to);
    let whole = total.to_dvec3();
    let direction = whole.try_normalize();
    let mut rows: Vec<Row> = rows
        .into_iter()
        .map(|(row, _)| {
            let sum = row.sum.to_dvec3();
            Row { along: direction.map_or(sum.length(), |direction| sum.dot(direction)), ..row }
        })
        .collect();
    rows.sort_by(|a, b| b.along.abs().total_cmp(&a.along.abs()));
    Attribution { from, to, total, rows }
}
