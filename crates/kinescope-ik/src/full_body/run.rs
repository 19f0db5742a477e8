//! A recorded full-body solve as a [`Run`]: the steps of the nodes, then the steps of writing.

use std::sync::{Arc, OnceLock};

use glam::Vec3;

use super::body::FullBody;
use super::child_constraint::constraint_label;
use super::draw::{
    draw_bone_move, draw_bones, draw_construction, draw_move, draw_state, draw_step, draw_virtual_spine,
};
use super::hierarchy::Key;
use super::moves::{Cause, Move};
use super::outcome::{Measured, measures, node_error_label};
use super::program::Step;
use super::recording::Recording;
use super::settings::Settings;
use super::state::State;
use super::written::{BoneMove, Moved, Part, WriteCause, Written};
use super::{explain, explain_writing, stage_numbers};
use crate::debug_draw::{DebugDraw, Layers};
use crate::key::label;
use crate::names::{Chain, Effector, Node};
use crate::notation::Sheet;
use crate::rig::{BoneIndex, LimbName, RigidTransform};
use crate::stepped::run::{
    Aim, BoneVisitor, CauseView, Cursor, EventView, GoalView, Hinge, MeasureView, Numbers, Plane, PointView, Rod, Run,
    Shown, StepView, Tint, hash_of_texts,
};

/// Run of the full-body solver in one frame.
#[derive(Clone, Debug)]
pub struct BodyRun {
    /// The character's solver.
    pub solver: Arc<FullBody>,
    /// Recording of the solve.
    pub recording: Recording,
    /// The input pose of the solve.
    pub animated: Arc<Vec<RigidTransform>>,
    /// Settings of the solve.
    pub settings: Settings,
    /// Positions of the key bones as written from the nodes after every step of the nodes, computed on first use.
    bones: OnceLock<Box<[Vec3]>>,
    /// The recording with every move, computed on first use.
    recalled: OnceLock<Box<Recording>>,
}

/// Index of a step in one of the recording's two parts.
enum Place {
    Solve(usize),
    Write(usize),
}

impl BodyRun {
    /// Creates the run of a solve of `animated`.
    pub fn new(
        solver: Arc<FullBody>,
        recording: Recording,
        animated: Arc<Vec<RigidTransform>>,
        settings: Settings,
    ) -> Self {
        Self { solver, recording, animated, settings, bones: OnceLock::new(), recalled: OnceLock::new() }
    }

    /// Returns whether an instant is after all steps of the nodes, in the writing of the bones. At such an instant,
    /// bones that are not written yet are as read after the bend limit, or carried by bones that are written.
    pub fn is_writing(&self, at: Cursor) -> bool {
        at.step >= self.recording.solve.steps.len()
    }

    /// Returns the positions of the key bones written from the nodes after a step of the nodes; empty if there is
    /// no such step or no solve was recorded.
    fn bones_after(&self, step: usize) -> &[Vec3] {
        let count = self.solver.hierarchy.key_count();
        let all = self.bones.get_or_init(|| {
            let mut bones = Vec::with_capacity(self.recording.solve.steps.len() * count);
            self.recording.for_each_written(&self.solver, |written| {
                bones.extend(self.solver.key_bones(written).map(|(_, bone)| bone.position));
            });
            bones.into()
        });
        all.get(step * count..(step + 1) * count).unwrap_or_default()
    }

    /// Returns the recording with every move.
    pub fn recalled(&self) -> &Recording {
        self.recalled.get_or_init(|| {
            let mut recording = Box::new(self.recording.clone());
            recording.recall(&self.solver);
            recording
        })
    }

    fn recording_at(&self, at: Cursor) -> &Recording {
        if at.within.is_some() { self.recalled() } else { &self.recording }
    }

    fn place(&self, step: usize) -> Option<Place> {
        let solve = self.recording.solve.steps.len();
        match step.checked_sub(solve) {
            None => Some(Place::Solve(step)),
            Some(step) => (step < self.recording.writing.steps.len()).then_some(Place::Write(step)),
        }
    }

    /// Returns the cursor at the end of a step of the nodes; `None` if there is no such step.
    pub fn cursor_of(&self, step: Step) -> Option<Cursor> {
        let step = self.recording.solve.steps.iter().position(|recorded| recorded.step == step)?;
        Some(Cursor { step, within: None })
    }

    /// Returns the cursor at the end of a step of writing; `None` if there is no such step.
    pub fn cursor_of_part(&self, part: Part) -> Option<Cursor> {
        let step = self.recording.writing.steps.iter().position(|recorded| recorded.step == part)?;
        Some(Cursor { step: self.recording.solve.steps.len() + step, within: None })
    }

    /// Returns the state of the nodes at an instant; during writing, the final state.
    pub fn state(&self, at: Cursor) -> State {
        let count = at.within.map_or(usize::MAX, |within| within + 1);
        let state = match self.place(at.step) {
            Some(Place::Solve(step)) => self.recording_at(at).state_within(step, count),
            _ => None,
        };
        state.unwrap_or(*self.recording.solve.end())
    }

    fn animated_bones(&self) -> impl Iterator<Item = Vec3> + '_ {
        let hierarchy = &self.solver.hierarchy;
        (0..hierarchy.key_count()).map(|key| self.animated[hierarchy.bone(key)].position)
    }

    fn solve_move(&self, step: usize, event: usize) -> Option<&Move> {
        self.recalled().solve.events_of(step).get(event)
    }

    fn bone_move(&self, step: usize, event: usize) -> Option<&BoneMove> {
        self.recalled().writing.events_of(step).get(event)
    }

    fn moved_label(&self, moved: Moved) -> String {
        match moved {
            Moved::Bone(bone) => {
                let hierarchy = &self.solver.hierarchy;
                let key = (0..hierarchy.key_count()).find(|&key| hierarchy.bone(key) == bone);
                key.map_or_else(String::new, |key| hierarchy.label(key))
            }
            Moved::SpineJoint(0) => "virtual pelvis".to_owned(),
            Moved::SpineJoint(joint) => format!("virtual spine joint {joint}"),
        }
    }
}

impl Run for BodyRun {
    fn steps(&self) -> usize {
        self.recording.solve.steps.len() + self.recording.writing.steps.len()
    }

    fn step(&self, step: usize) -> StepView {
        match self.place(step) {
            Some(Place::Solve(step)) => {
                let steps = &self.recording.solve.steps;
                let recorded = steps[step].step;
                let (stage, iteration) = (recorded.stage, recorded.iteration);
                let next = steps.get(step + 1).map(|next| next.step.iteration);
                StepView {
                    iteration,
                    key: stage.key(),
                    name: stage.label(),
                    short: stage.short().to_owned(),
                    sentence: stage.sentence(),
                    is_end: iteration.is_some() && next != Some(iteration),
                }
            }
            Some(Place::Write(step)) => {
                let part = self.recording.writing.steps[step].step;
                StepView {
                    iteration: None,
                    key: part.step_key(),
                    name: format!("write {}", label(part.key())),
                    short: part.short().to_owned(),
                    sentence: part.sentence(),
                    is_end: step + 1 == self.recording.writing.steps.len(),
                }
            }
            None => StepView {
                iteration: None,
                key: "",
                name: String::new(),
                short: String::new(),
                sentence: "",
                is_end: false,
            },
        }
    }

    fn events(&self, step: usize) -> usize {
        match self.place(step) {
            Some(Place::Solve(step)) => self.recalled().solve.events_of(step).len(),
            Some(Place::Write(step)) => self.recalled().writing.events_of(step).len(),
            None => 0,
        }
    }

    fn event(&self, step: usize, event: usize, length: &dyn Fn(f32) -> String) -> EventView {
        let nothing = EventView { tint: Tint::Own, size: 0.0, text: String::new() };
        match self.place(step) {
            Some(Place::Solve(step)) => self.solve_move(step, event).map_or(nothing, |moved| {
                let distance = moved.distance();
                let text =
                    format!("{} {}: {}", label(moved.node.key()), length(distance), self.cause_in_full(moved.cause));
                EventView { tint: Tint::Node(moved.node), size: distance, text }
            }),
            Some(Place::Write(step)) => self.bone_move(step, event).map_or(nothing, |moved| {
                let mut parts = Vec::new();
                if moved.distance() > 0.0 {
                    parts.push(length(moved.distance()));
                }
                if let Some((axis, angle)) = moved.turn() {
                    let [x, y, z] = axis.to_array();
                    parts.push(format!("turns {:.2}° about [{x:.2}, {y:.2}, {z:.2}]", angle.to_degrees()));
                }
                let text = format!(
                    "{} {}: {}",
                    self.moved_label(moved.moved),
                    parts.join(" and "),
                    write_cause_in_full(moved.cause)
                );
                // A rotation counts as the distance that it moves a point 0.5 model units away; in metres, that is
                // about the length of a bone.
                let size = moved.distance() + 0.5 * moved.turn().map_or(0.0, |(_, angle)| angle);
                EventView { tint: write_tint(moved.cause), size, text }
            }),
            None => nothing,
        }
    }

    fn cause(&self, step: usize, event: usize) -> CauseView {
        match self.place(step) {
            Some(Place::Solve(step)) => {
                self.solve_move(step, event).map_or_else(CauseView::default, |moved| self.cause_of(moved.cause))
            }
            Some(Place::Write(step)) => {
                self.bone_move(step, event).map_or_else(CauseView::default, |moved| write_cause(moved.cause))
            }
            None => CauseView::default(),
        }
    }

    fn formula(&self, step: usize, event: usize) -> Option<Sheet> {
        match self.place(step)? {
            Place::Solve(step) => explain::formula(self.recalled(), step, event),
            Place::Write(step) => explain_writing::formula(self.recalled(), &self.solver, step, event),
        }
    }

    fn numbers(&self, step: usize, length: &dyn Fn(f32) -> String) -> Vec<Numbers> {
        let Some(Place::Solve(step)) = self.place(step) else { return Vec::new() };
        let Some(recorded) = self.recording.solve.steps.get(step) else { return Vec::new() };
        let before = self.recording.solve.state_before(step);
        let states = [before, &recorded.state];
        stage_numbers::stage_numbers(&self.recording.frame_at(step), recorded.step.stage, states, length)
    }

    fn measures(&self) -> Vec<MeasureView> {
        measures()
    }

    fn measure(&self, measure: usize, at: Cursor) -> f32 {
        self.recording.frame.measure(measure, &self.state(at).nodes())
    }

    fn settled(&self) -> Cursor {
        Cursor { step: self.recording.settled(), within: None }
    }

    fn points(&self) -> Vec<PointView> {
        let node = |node: Node| PointView {
            key: node.key().to_owned(),
            label: label(node.key()),
            tint: Tint::Node(node),
            bone: None,
        };
        let hierarchy = &self.solver.hierarchy;
        let bone = |key: Key| {
            let name = hierarchy.label(key);
            let limb = LimbName::ALL.into_iter().find(|limb| hierarchy.limbs[limb.index()].bones.contains(&key));
            PointView {
                key: format!("{}_bone", name.replace(' ', "_")),
                label: format!("{name} bone"),
                tint: Tint::Node(limb.map_or(Node::Body, |limb| Node::of_limb(limb)[0])),
                bone: Some(hierarchy.bone(key)),
            }
        };
        Node::ALL.into_iter().map(node).chain((0..hierarchy.key_count()).map(bone)).collect()
    }

    fn point_of(&self, bone: BoneIndex) -> Option<usize> {
        let hierarchy = &self.solver.hierarchy;
        (0..hierarchy.key_count()).find(|&key| hierarchy.bone(key) == bone).map(|key| Node::COUNT + key)
    }

    fn texts(&self) -> Option<u64> {
        let Recording { solve, writing, .. } = &self.recording;
        let steps: Vec<Step> = solve.steps.iter().map(|recorded| recorded.step).collect();
        let parts: Vec<Part> = writing.steps.iter().map(|recorded| recorded.step).collect();
        hash_of_texts("full body", (self.solver.shape, steps, parts))
    }

    /// Returns the positions of the nodes, then of the key bones: during writing as written so far, before writing
    /// where writing these nodes would place them, and as animated if the recording has no such instant.
    fn places(&self, at: Cursor) -> Vec<Vec3> {
        let state = self.state(at);
        let nodes = Node::ALL.into_iter().map(|node| state.node(node));
        if let (Some(Place::Solve(step)), None) = (self.place(at.step), at.within)
            && let bones @ [_, ..] = self.bones_after(step)
        {
            return nodes.chain(bones.iter().copied()).collect();
        }
        match self.recording_at(at).written(&self.solver, at) {
            Some(written) => nodes.chain(self.solver.key_bones(&written).map(|(_, bone)| bone.position)).collect(),
            None => nodes.chain(self.animated_bones()).collect(),
        }
    }

    fn may_move(&self, step: usize) -> bool {
        let points = |step: usize| Some(self.recording.solve.steps.get(step)?.state.points);
        // True for the steps of writing, also for the first one: before it the points show all bones as written from
        // the nodes, after it only the bones written so far.
        match (step.checked_sub(1).and_then(points), points(step)) {
            (Some(before), Some(now)) => before != now,
            _ => true,
        }
    }

    fn place_of(&self, point: usize, at: Cursor) -> Vec3 {
        match point < Node::COUNT {
            true => self.state(at).nodes().0[point],
            false => self.places(at).get(point).copied().unwrap_or_default(),
        }
    }

    fn start(&self) -> Vec<Vec3> {
        self.recording.solve.start.nodes().0.into_iter().chain(self.animated_bones()).collect()
    }

    fn hinges(&self) -> Vec<Hinge> {
        let nodes = LimbName::ALL.map(|limb| Hinge {
            label: limb.joint_label().to_owned(),
            root: limb.root_label().to_owned(),
            points: Node::of_limb(limb).map(|node| node as usize),
        });
        let bones = LimbName::ALL.map(|limb| Hinge {
            label: format!("{} (bones)", limb.joint_label()),
            root: format!("{} (bones)", limb.root_label()),
            points: self.solver.hierarchy.limbs[limb.index()].bones.map(|key| Node::COUNT + key),
        });
        nodes.into_iter().chain(bones).collect()
    }

    fn planes(&self) -> Vec<Plane> {
        let plane = |name: &str, sides: [Node; 2]| Plane {
            label: name.to_owned(),
            points: [sides[0], sides[1], Node::Body].map(|node| node as usize),
        };
        vec![
            plane("chest", [Node::LeftUpperArm, Node::RightUpperArm]),
            plane("pelvis", [Node::LeftThigh, Node::RightThigh]),
        ]
    }

    fn rods(&self) -> Vec<Rod> {
        let rods = LimbName::ALL.into_iter().flat_map(|limb| {
            let nodes = Node::of_limb(limb);
            let lengths = self.recording.frame.limb(limb).lengths;
            [0, 1].map(|index| Rod {
                label: label(nodes[index].key()),
                points: [nodes[index] as usize, nodes[index + 1] as usize],
                length: lengths[index],
            })
        });
        rods.collect()
    }

    fn goals(&self) -> Vec<GoalView> {
        let frame = &self.recording.frame;
        let goal = |(effector, Aim { weight, bone, place }): (Effector, Aim)| {
            let (root, reach) = match effector.limb() {
                Some(limb) => (Node::of_limb(limb)[0], frame.limb(limb).length),
                None => (effector.node(), f32::INFINITY),
            };
            GoalView {
                key: effector.key().to_owned(),
                label: label(effector.key()),
                tint: Tint::Node(effector.node()),
                weight,
                point: effector.node() as usize,
                root: root as usize,
                bone,
                place,
                reach,
                error: node_error_label(effector),
            }
        };
        Effector::ALL.into_iter().zip(self.aims()).map(goal).collect()
    }

    fn aims(&self) -> Vec<Aim> {
        let aim = |effector: Effector| {
            let own = self.recording.frame.effector(effector);
            let bone = Some(self.solver.bone_of(effector.node()));
            Aim { weight: own.position_weight, bone, place: own.position }
        };
        Effector::ALL.map(aim).into()
    }

    fn pose(&self, at: Cursor, pose: &mut [RigidTransform]) {
        if let Some(written) = self.recording_at(at).written(&self.solver, at) {
            // Fails for invalid numbers, such as in states of another implementation; `pose` then stays unchanged.
            let _ = self.solver.pose_of(&written, pose);
        }
    }

    /// First visits the moves of writing the nodes as they were before the solve, then each move of the nodes, with all
    /// bones as written from the nodes after that move. The first part of the path is the effect of writing alone, the
    /// second part that of the solve.
    fn bone_path(&self, bone: BoneIndex, before: &[RigidTransform], visit: BoneVisitor) {
        let recording = self.recalled();
        let Some((start, of_start)) = recording.writing_of_start(&self.solver) else { return };
        let mut pose = before.to_vec();
        let mut place = |written: &Written| {
            pose.copy_from_slice(before);
            let _ = self.solver.pose_of(written, &mut pose);
            pose.get(bone).map_or(Vec3::ZERO, |bone| bone.position)
        };
        let solve = recording.solve.steps.len();
        for step in 0..of_start.steps.len() {
            let view = self.step(solve + step);
            for (event, moved) in of_start.events_of(step).iter().enumerate() {
                let Some(written) = recording.written_from(&self.solver, &start, &of_start, step, event + 1) else {
                    continue;
                };
                // The cursor points at the same move of the recorded writing or, if there is none, at the step's end.
                let moves = recording.writing.events_of(step);
                let within = moves.iter().position(|own| (own.moved, own.cause) == (moved.moved, moved.cause));
                visit(&view, &write_cause(moved.cause), Cursor { step: solve + step, within }, place(&written));
            }
        }
        for step in 0..solve {
            let view = self.step(step);
            for event in 0..recording.solve.events_of(step).len() {
                let at = Cursor { step, within: Some(event) };
                let Some(written) = recording.written(&self.solver, at) else { continue };
                visit(&view, &self.cause(step, event), at, place(&written));
            }
        }
    }

    fn draw(&self, at: Cursor, shown: &Shown, out: &mut dyn DebugDraw) {
        let (frame, state) = (&self.recording.frame, self.state(at));
        let smallest = shown.size * 1e-4;
        let mark = shown.size * 0.11;
        if shown.layers.bones {
            let mut pose = self.animated.to_vec();
            self.pose(at, &mut pose);
            draw_bones(&self.solver, &pose, &state.nodes(), shown.size * 2e-3, out);
        }
        // Limbs are drawn from bone to bone: nodes may be further apart than a bone is long.
        let layers = match self.place(at.step) {
            // Writing uses only the nodes of the state. `draw_bone_move` draws the planes of writing with the bones that
            // they carry.
            Some(Place::Write(_)) => Layers { nodes: shown.layers.nodes, ..Layers::NONE },
            _ => Layers { bones: false, ..shown.layers },
        };
        draw_state(frame, &state, layers, mark, out);
        let before = at.before();
        match self.place(at.step) {
            Some(Place::Solve(step)) => {
                let found = before.map_or(self.recording.solve.start, |before| self.state(before));
                match at.within.and_then(|within| self.solve_move(step, within)) {
                    Some(moved) if shown.moved => {
                        draw_move(moved, out);
                        draw_construction(frame, &found, &state, moved, out);
                    }
                    None if shown.before => draw_step(&found.nodes(), &state.nodes(), smallest, shown.moved, out),
                    _ => {}
                }
            }
            Some(Place::Write(step)) => {
                let Some(written) = self.recording_at(at).written(&self.solver, at) else { return };
                if self.recording.writing.steps[step].step == Part::Spine {
                    draw_virtual_spine(written.spine_joints(), out);
                }
                let moves = self.recalled().writing.events_of(step);
                let current = match at.within {
                    Some(within) => moves.get(within..within + 1).unwrap_or_default(),
                    // The whole step: draws the bones that it turned, not the rounds of the spine.
                    None => moves,
                };
                let is_whole = at.within.is_none();
                for moved in current.iter().filter(|_| shown.moved) {
                    if !is_whole || matches!(moved.moved, Moved::Bone(_)) {
                        draw_bone_move((&self.solver, &self.recording), &written, moved, is_whole, mark, out);
                    }
                }
            }
            None => {}
        }
    }
}

fn of_chain(chain: impl Into<Chain>, label_text: String) -> CauseView {
    let chain = chain.into();
    let node = chain.limb().map_or(Node::Body, |limb| Node::of_limb(limb)[0]);
    CauseView { label: label_text, chain: label(chain.key()), tint: Tint::Node(node) }
}

/// Describes a cause, without the round of stage 2.
fn cause(cause: Cause) -> CauseView {
    let limb = |limb: LimbName, what: &str| of_chain(limb, format!("{what}, {}", limb.label()));
    let effector = |effector: Effector, what: &str| {
        let chain = effector.node().limb().map_or(Chain::Body, Chain::from);
        of_chain(chain, format!("{what} {}", label(effector.key())))
    };
    let body = |what: &str| of_chain(Chain::Body, what.to_owned());
    match cause {
        Cause::BendLimit(of) => limb(of, "bend limit"),
        Cause::Offset(of) => effector(of, "offset,"),
        Cause::SharedOffset(author, of) => effector(of, &format!("{}, offset,", author.label())),
        Cause::Pushed(author) => CauseView { label: author.label(), chain: "modifiers".to_owned(), tint: Tint::Own },
        Cause::Effector(of) => effector(of, "effector"),
        Cause::EffectorChild(of) => body(&format!("child of effector {}", label(of.key()))),
        Cause::Push(of) => limb(of, "push"),
        Cause::PushParent => body("push parent"),
        Cause::Reach(of) => limb(of, "reach"),
        Cause::Trigonometric(of) => limb(of, "trigonometric"),
        Cause::ForwardReach(of) => limb(of, "stage 1"),
        Cause::Centroid => body("stage 1, centroid of limb pull"),
        Cause::ChildConstraint { constraint, .. } => CauseView {
            label: constraint_label(usize::from(constraint)).to_owned(),
            chain: "child constraints".to_owned(),
            tint: if constraint < 2 { Tint::PushOnly } else { Tint::Rigid },
        },
        Cause::LinearConstraint { limb: of, .. } => {
            of_chain(of, format!("body – {}", label(Node::of_limb(of)[0].key())))
        }
        Cause::BackwardReach(of) => limb(of, "stage 2"),
        Cause::Bend(of) => limb(of, "bend constraint"),
    }
}

impl BodyRun {
    fn cause_of(&self, of: Cause) -> CauseView {
        let view = cause(of);
        match self.recording.author_of(of) {
            Some(author) => CauseView { label: format!("{}, {}", author.label(), view.label), ..view },
            None => view,
        }
    }

    fn cause_in_full(&self, of: Cause) -> String {
        let when = match of {
            Cause::ChildConstraint { round: None, .. } => ", stage 1".to_owned(),
            Cause::ChildConstraint { round: Some(round), .. } | Cause::LinearConstraint { round, .. } => {
                format!(", round {} of stage 2", u32::from(round) + 1)
            }
            _ => String::new(),
        };
        format!("{}{when}", self.cause_of(of).label)
    }
}

fn write_tint(cause: WriteCause) -> Tint {
    Tint::Node(cause.limb().map_or(Node::Body, |limb| Node::of_limb(limb)[0]))
}

/// Describes a cause of writing, without the spine's round.
pub(super) fn write_cause(cause: WriteCause) -> CauseView {
    let what = match cause {
        WriteCause::SpineOffset => "virtual spine, offset with the body",
        WriteCause::SpineForward { .. } => "virtual spine, forward reach",
        WriteCause::SpineBackward { .. } => "virtual spine, backward reach",
        WriteCause::RootPutBack { .. } => "virtual spine, root returns to body",
        WriteCause::SpineEnd => "virtual spine, joint placed",
        WriteCause::PelvisPlane => "pelvis, carried by its plane",
        WriteCause::Swing => "spine swing",
        WriteCause::Twist => "spine twist",
        WriteCause::ChestPlane => "chest, carried by its plane",
        WriteCause::HeadRotation => "head keeps its rotation",
        WriteCause::Clavicle(_) => "clavicle swing",
        WriteCause::Placed(_) => "bone 1 placed",
        WriteCause::UpperPlane(_) => "bone 1 by its plane",
        WriteCause::LowerPlane(_) => "bone 2 by its plane",
        WriteCause::MaintainRotation(_) => "maintain rotation",
        WriteCause::EffectorRotation(_) => "effector rotation",
    };
    match cause.limb() {
        Some(limb) => of_chain(limb, format!("{what}, {}", limb.label())),
        None => of_chain(Chain::Body, what.to_owned()),
    }
}

fn write_cause_in_full(cause: WriteCause) -> String {
    let CauseView { label, .. } = write_cause(cause);
    match cause {
        WriteCause::SpineForward { round }
        | WriteCause::SpineBackward { round }
        | WriteCause::RootPutBack { round } => format!("{label}, round {}", round + 1),
        _ => label,
    }
}
