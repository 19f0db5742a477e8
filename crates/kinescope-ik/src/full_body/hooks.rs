//! Between the stages: whoever acts there, on nodes and bend directions. Source: *Full-body notes*, «OnPreSolve» to
//! «OnPostSolve».
//!
//! A solve with [`Hooks`] has the steps of [`Program`], and between them a step for each place at which someone acts. What
//! acts goes by the frame and the state alone, so that any step can be made again from the state before it.
//!
//! What comes of pushing a node depends on when it is pushed:
//!
//! | node | pushed before or after an iteration | pushed before the bend pass, or before writing |
//! |---|---|---|
//! | hand, foot | nothing: every pass of the end effectors aims from the *animated* position | before the bend pass nothing, as the last pass of the end effectors is still to come; before writing the limb is written there, longer than its bones |
//! | shoulder, thigh, body | the torso follows, as far as effectors, pull and constraints let it | it is written there |
//! | elbow, knee | the bend of the iterations, which the bend pass replaces | before the bend pass nothing; before writing it is written there |
//!
//! To move a hand for a frame, add to its effector's offset before the frame is read.

use std::fmt::Debug;
use std::sync::Arc;

use glam::Vec3;

use super::moves::{Author, Cause, Move, OffsetShare};
use super::program::{Program, Solve, Stage, Step};
use super::state::{Frame, State};
use crate::math::{FARTHEST, is_within};
use crate::names::Node;
use crate::notation::{Sheet, Term};
use crate::rig::LimbName;
use crate::stepped::{Flow, GO_ON, Stepped, Watch};

/// Whoever acts between the stages of one solve.
pub trait Hooks {
    /// Whether anyone acts there: one of [`Stage::HOOKS`].
    fn acts_at(&self, stage: Stage) -> bool;

    /// Pushes nodes, at one of the stages for which [`Self::acts_at`] is true.
    fn act(&self, at: Step, frame: &Frame, nodes: &mut Pushing);

    /// The last word on bend directions: `frame` is what the bend pass goes by, and nothing else. `state` is what it
    /// finds.
    fn bend(&self, _state: &State, _frame: &mut Frame) {}

    /// The equation behind a push: `state` is what it found; `None` where it has none but the push itself.
    fn formula(&self, _at: Step, _frame: &Frame, _state: &State, _author: Author, _node: Node) -> Option<Sheet> {
        None
    }

    /// The equation behind a bend direction that [`Self::bend`] gave, on the sheet of the bend: `state` is what it found,
    /// `frame` what the solve goes by. `None` where it gave none.
    fn bend_formula(&self, _limb: LimbName, _state: &State, _frame: &Frame, _sheet: &mut Sheet) -> Option<Term<Vec3>> {
        None
    }

    /// Whose something is that the solver does by itself: an effector's pull to a target that someone brought, a bend
    /// that someone gave. `None` where the settings say it.
    fn author_of(&self, _cause: Cause, _frame: &Frame) -> Option<Author> {
        None
    }

    /// What the settings' offsets were added up from, so that each part is told by itself. The rest is the settings' own.
    fn shares(&self) -> &[OffsetShare] {
        &[]
    }
}

/// The nodes, for whoever may push them.
pub struct Pushing<'a> {
    state: &'a mut State,
    tell: &'a mut dyn FnMut(Move) -> Flow,
    flow: Flow,
}

impl Pushing<'_> {
    /// Where a node is; model space.
    pub fn node(&self, node: Node) -> Vec3 {
        self.state.node(node)
    }

    /// Pushes a node. Nowhere is no place: what is not finite, or beyond [`FARTHEST`], does
    /// nothing.
    pub fn push(&mut self, author: Author, node: Node, by: Vec3) {
        let from = self.state.node(node);
        let to = from + by;
        if self.flow.is_break() || from == to || !is_within(to, FARTHEST) {
            return;
        }
        self.state.set_node(node, to);
        self.flow = (self.tell)(Move { node, from, to, cause: Cause::Pushed(author) });
    }
}

/// The hooks of a recording: part of how it is made again, not of what it came to.
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

/// A solve in which others act between the stages.
#[derive(Clone, Copy)]
pub struct HookedSolve<'a> {
    frame: &'a Frame,
    hooks: Option<&'a dyn Hooks>,
    program: Program,
    last: Option<Step>,
    /// The program's next step, once those before it are known.
    ahead: Option<Step>,
    /// Steps of hooks before it, and how many of them are done.
    between: [Option<Step>; 3],
    done: usize,
}

impl<'a> HookedSolve<'a> {
    /// From the first step on; without hooks the same as [`Solve`].
    pub fn new(frame: &'a Frame, hooks: Option<&'a dyn Hooks>) -> Self {
        let mut program = Program::new(frame);
        let ahead = program.next();
        Self { frame, hooks, program, last: None, ahead, between: [None; 3], done: 3 }
    }

    /// What the bend pass goes by.
    pub fn bend_frame(frame: &Frame, hooks: Option<&dyn Hooks>, state: &State) -> Frame {
        let mut frame = *frame;
        if let Some(hooks) = hooks {
            hooks.bend(state, &mut frame);
        }
        frame
    }
}

/// The places between two steps of the program, in order.
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
        (self.last, self.ahead) = (Some(step), self.program.next());
        (self.between, self.done) = (between(step, self.ahead), 0);
        Some(step)
    }

    fn run(&mut self, state: &mut State, step: Step, watch: &mut impl Watch<Move>) -> Flow {
        let Some(hooks) = self.hooks else { return Solve::new(self.frame).run(state, step, watch) };
        match step.stage {
            stage if Stage::HOOKS.contains(&stage) => {
                let mut tell = |moved| watch.saw(moved);
                let mut nodes = Pushing { state, tell: &mut tell, flow: GO_ON };
                hooks.act(step, self.frame, &mut nodes);
                nodes.flow
            }
            Stage::Bend => {
                let frame = Self::bend_frame(self.frame, Some(hooks), state);
                Solve::new(&frame).run(state, step, watch)
            }
            Stage::Read => {
                let mut shared = Sharing { shares: hooks.shares(), weight: self.frame.weight, watch, left: None };
                let flow = Solve::new(self.frame).run(state, step, &mut shared);
                if let Some((node, place)) = shared.left {
                    state.set_node(node, place);
                }
                flow
            }
            _ => Solve::new(self.frame).run(state, step, watch),
        }
    }
}

/// Tells the part that each had in an offset.
struct Sharing<'a, W> {
    shares: &'a [OffsetShare],
    weight: f32,
    watch: &'a mut W,
    /// Told to break within an offset: where it left the node.
    left: Option<(Node, Vec3)>,
}

impl<W: Watch<Move>> Watch<Move> for Sharing<'_, W> {
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
            // The last of them ends where the whole does: nothing is lost to rounding.
            let to = if left == 0 { moved.to } else { from + by };
            if from != to && self.watch.saw(Move { from, to, cause, ..moved }).is_break() {
                self.left = Some((moved.node, to));
                return Flow::Break(());
            }
            from = to;
        }
        if from == moved.to { GO_ON } else { self.watch.saw(Move { from, ..moved }) }
    }
}
