//! Hooks between stages: code that pushes nodes and sets bend directions. Source: *Full-body notes*, «OnPreSolve» to
//! «OnPostSolve».
//!
//! A solve with [`Hooks`] has the steps of [`Program`] plus one step for each place at which a hook acts. During a
//! solve, a hook's result may depend only on frame and state, so that any step can be computed again from the state
//! before it.
//!
//! The effect of a push depends on when it happens:
//!
//! | node | pushed before or after an iteration | pushed before the bend pass, or before writing |
//! |---|---|---|
//! | hand, foot | none: every end-effector pass starts from the *animated* position | before the bend pass none, as the last end-effector pass follows; before writing, forearm or calf points at the node and keeps its length |
//! | shoulder, thigh | the torso follows, as far as effectors, pull and constraints allow | the limb's first bone is placed there, and chest or pelvis turns with its plane; neither at 0 iterations |
//! | body | the same | the spine follows the node, except at 0 iterations |
//! | elbow, knee | changes the bend during the iterations, which the bend pass replaces | before the bend pass none; before writing, upper arm or thigh points at the node, forearm or calf from there at hand or foot; both keep their lengths |
//!
//! A push after the last iteration acts as one before the bend pass. Without the FABRIK pass, the torso does not follow
//! a push of shoulder or thigh before the iteration.
//!
//! To move a hand for one frame, add to its effector's offset before the frame is read.

use std::fmt::Debug;
use std::sync::Arc;

use glam::Vec3;

use super::moves::{Author, Cause, Move, OffsetShare};
use super::program::{Program, Solve, Stage, Step};
use super::read::read_nodes;
use super::state::{Frame, State};
use crate::math::{FARTHEST, is_within};
use crate::names::Node;
use crate::notation::{Sheet, Term};
use crate::rig::LimbName;
use crate::stepped::{Flow, GO_ON, Stepped, Watch};

/// Code that runs between the stages of one solve, such as modifiers.
pub trait Hooks {
    /// Returns whether a hook acts at a stage, one of [`Stage::HOOKS`].
    fn acts_at(&self, stage: Stage) -> bool;

    /// Pushes nodes at one of the stages for which [`Self::acts_at`] is true.
    fn act(&self, at: Step, frame: &Frame, nodes: &mut Pushing);

    /// Sets bend directions in `frame`, a copy for the bend pass alone. `state` is the state before the bend pass.
    fn bend(&self, _state: &State, _frame: &mut Frame) {}

    /// Returns the formula of a push that started from `state`; with `None`, the formula shows only the push vector.
    fn formula(&self, _at: Step, _frame: &Frame, _state: &State, _author: Author, _node: Node) -> Option<Sheet> {
        None
    }

    /// Returns the formula of the bend direction that [`Self::bend`] set for a limb, and adds its lines to `sheet`, the
    /// sheet of the bend. `state` is the state before the bend pass, `frame` the solve's frame. `None` without a
    /// formula.
    fn bend_formula(&self, _limb: LimbName, _state: &State, _frame: &Frame, _sheet: &mut Sheet) -> Option<Term<Vec3>> {
        None
    }

    /// Returns the author of the target or bend that a cause follows; `None` if the settings gave that target or bend.
    fn author_of(&self, _cause: Cause, _frame: &Frame) -> Option<Author> {
        None
    }

    /// Returns the parts of the settings' offsets that authors added, so that each is reported separately. The rest
    /// belongs to the settings.
    fn shares(&self) -> &[OffsetShare] {
        &[]
    }
}

/// Access to the nodes for a hook that may push them.
pub struct Pushing<'a> {
    state: &'a mut State,
    report: &'a mut dyn FnMut(Move) -> Flow,
    flow: Flow,
}

impl Pushing<'_> {
    /// Returns a node's position; model space.
    pub fn node(&self, node: Node) -> Vec3 {
        self.state.node(node)
    }

    /// Pushes a node by a vector; model space. Ignores pushes to a position that is not finite or beyond [`FARTHEST`],
    /// and all pushes after one at which the watcher stopped.
    pub fn push(&mut self, author: Author, node: Node, by: Vec3) {
        let from = self.state.node(node);
        let to = from + by;
        if self.flow.is_break() || from == to || !is_within(to, FARTHEST) {
            return;
        }
        self.state.set_node(node, to);
        self.flow = (self.report)(Move { node, from, to, cause: Cause::Pushed(author) });
    }
}

/// Hooks of a recording. Recomputing the recording needs them; comparing recordings ignores them.
#[derive(Clone, Default)]
pub(super) struct Hooked(pub Option<Arc<dyn Hooks + Send + Sync>>);

impl Hooked {
    pub fn get(&self) -> Option<&dyn Hooks> {
        self.0.as_deref().map(|hooks| hooks as &dyn Hooks)
    }
}

impl Debug for Hooked {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Hooked" } else { "Unhooked" })
    }
}

impl PartialEq for Hooked {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A solve with steps for hooks between the stages.
#[derive(Clone, Copy)]
pub struct HookedSolve<'a> {
    frame: &'a Frame,
    hooks: Option<&'a dyn Hooks>,
    program: Program,
    /// The program's next step; the steps of hooks before it come first.
    ahead: Option<Step>,
    /// Steps of hooks before `ahead`, and how many of them are done.
    between: [Option<Step>; 3],
    done: usize,
}

impl<'a> HookedSolve<'a> {
    /// Creates the solve before its first step. Without hooks, its steps are those of [`Solve`].
    pub fn new(frame: &'a Frame, hooks: Option<&'a dyn Hooks>) -> Self {
        let mut program = Program::new(frame);
        let ahead = program.next();
        Self { frame, hooks, program, ahead, between: [None; 3], done: 3 }
    }

    /// Returns the frame that the bend pass uses: `frame` with the bend directions that hooks set.
    pub fn bend_frame(frame: &Frame, hooks: Option<&dyn Hooks>, state: &State) -> Frame {
        let mut frame = *frame;
        if let Some(hooks) = hooks {
            hooks.bend(state, &mut frame);
        }
        frame
    }
}

/// Returns the places for hooks between two steps of the program, in order.
fn between(last: Step, next: Option<Step>) -> [Option<Step>; 3] {
    let step = |iteration, stage| Some(Step { iteration, stage });
    let of_next = next.and_then(|next| next.iteration);
    let mut found = [None; 3];
    if last.stage == Stage::Read {
        found[0] = step(None, Stage::BeforeSolve);
    } else if last.iteration.is_some() && last.iteration != of_next {
        found[0] = step(last.iteration, Stage::AfterIteration);
    }
    if of_next.is_some() && last.iteration != of_next {
        found[1] = step(of_next, Stage::BeforeIteration);
    }
    found[2] = match next.map(|next| next.stage) {
        Some(Stage::FinalEffectors) => step(None, Stage::BeforeBend),
        None => step(None, Stage::BeforeWrite),
        _ => None,
    };
    found
}

impl Stepped for HookedSolve<'_> {
    type Step = Step;
    type State = State;
    type Event = Move;

    fn next(&mut self, _: &State) -> Option<Step> {
        if let Some(hooks) = self.hooks {
            while self.done < self.between.len() {
                self.done += 1;
                if let Some(step) = self.between[self.done - 1].filter(|step| hooks.acts_at(step.stage)) {
                    return Some(step);
                }
            }
        }
        let step = self.ahead?;
        self.ahead = self.program.next();
        (self.between, self.done) = (between(step, self.ahead), 0);
        Some(step)
    }

    fn run(&mut self, state: &mut State, step: Step, watch: &mut impl Watch<Move>) -> Flow {
        let bent;
        let mut frame = self.frame;
        if let Some(hooks) = self.hooks {
            if Stage::HOOKS.contains(&step.stage) {
                let mut report = |moved| watch.saw(moved);
                let mut nodes = Pushing { state, report: &mut report, flow: GO_ON };
                hooks.act(step, frame, &mut nodes);
                return nodes.flow;
            }
            if step.stage == Stage::Read {
                let mut split = SplitOffsets { shares: hooks.shares(), weight: frame.weight, watch, stopped_at: None };
                let flow = read_nodes(frame, state, &mut split);
                if let Some((node, place)) = split.stopped_at {
                    state.set_node(node, place);
                }
                return flow;
            }
            if step.stage == Stage::Bend {
                bent = Self::bend_frame(frame, Some(hooks), state);
                frame = &bent;
            }
        }
        // Calls the stages in one place only: each call inlines them, and every copy takes seconds to compile.
        Solve::new(frame).run(state, step, watch)
    }
}

/// Splits the move of an effector's offset into the share of each author and the rest, which the settings gave.
struct SplitOffsets<'a, W> {
    shares: &'a [OffsetShare],
    weight: f32,
    watch: &'a mut W,
    /// Node and position at which a watcher stopped within an offset.
    stopped_at: Option<(Node, Vec3)>,
}

impl<W: Watch<Move>> Watch<Move> for SplitOffsets<'_, W> {
    const LISTENS: bool = W::LISTENS;

    fn saw(&mut self, moved: Move) -> Flow {
        let Cause::Offset(effector) = moved.cause else { return self.watch.saw(moved) };
        let parts = self.shares.iter().filter(|share| share.effector == effector);
        let parts = parts.map(|share| (Cause::SharedOffset(share.author, effector), share.by * self.weight));
        let shared: Vec3 = parts.clone().map(|(_, by)| by).sum();
        let own = moved.to - moved.from - shared;
        let rounding = 1e-6 * (moved.to.abs() + shared.abs()).max_element();
        let own = (own.abs().max_element() > rounding).then_some((moved.cause, own));
        let all = own.into_iter().chain(parts.filter(|(_, by)| *by != Vec3::ZERO));
        let mut left = all.clone().count();
        let mut from = moved.from;
        for (cause, by) in all {
            left -= 1;
            // The last part ends exactly where the whole offset does, so that rounding loses nothing.
            let to = if left == 0 { moved.to } else { from + by };
            if from != to && self.watch.saw(Move { from, to, cause, ..moved }).is_break() {
                self.stopped_at = Some((moved.node, to));
                return Flow::Break(());
            }
            from = to;
        }
        if from == moved.to { GO_ON } else { self.watch.saw(Move { from, ..moved }) }
    }
}
