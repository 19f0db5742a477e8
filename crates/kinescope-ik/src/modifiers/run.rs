//! The modifiers of a frame as two [`Run`]s, before read and after write.

use std::sync::Arc;

use glam::Vec3;

use super::act::{Act, Change};
use super::draw::draw_act;
use super::explain;
use super::figure::Figure;
use super::kinds::{Memory, Modifier};
use super::program::{After, Before, InputRecording, ModifiedInput, Moment, WrittenRecording, author_of};
use crate::debug_draw::DebugDraw;
use crate::full_body::{Effector, Node};
use crate::key::label;
use crate::notation::Sheet;
use crate::rig::{BoneIndex, LimbName, RigidTransform};
use crate::stepped::run::{
    CauseView, Cursor, EventView, GoalView, MeasureView, Numbers, PointView, Run, Shown, StepView, Tint, Unit,
    coordinates,
};

/// Run of a frame's modifiers, before read or after write.
#[derive(Clone, Debug)]
pub struct ModifierRun {
    /// The stack's modifiers, in order.
    pub modifiers: Arc<Vec<Modifier>>,
    /// The frame as the modifiers saw it.
    pub moment: Moment,
    part: Part,
}

#[derive(Clone, Debug)]
enum Part {
    Before(Box<InputRecording>),
    After { recording: WrittenRecording, input: Arc<ModifiedInput> },
}

/// Index of the first measure of both parts, the remaining distance to the run's result. Before read, the offsets of
/// nine effectors follow; after write, the rotations of head and chest.
const REMAINING: usize = 0;

impl ModifierRun {
    /// Runs and records the modifiers before read. `input` has the settings, the animated pose and the memories that
    /// they start from.
    pub fn before(modifiers: Arc<Vec<Modifier>>, moment: Moment, mut input: ModifiedInput) -> Self {
        input.memory.resize(modifiers.len(), Memory::Nothing);
        let mut recording = InputRecording { start: input.clone(), steps: Vec::new(), events: Vec::new() };
        recording.record(&mut Before::new(&modifiers, moment.seen()), &mut input);
        Self { modifiers, moment, part: Part::Before(Box::new(recording)) }
    }

    /// Runs and records the modifiers after write. `input` is the result of the run before read; `pose` is the written
    /// pose and receives the result.
    pub fn after(
        modifiers: Arc<Vec<Modifier>>,
        moment: Moment,
        input: Arc<ModifiedInput>,
        pose: &mut Vec<RigidTransform>,
    ) -> Self {
        let mut recording = WrittenRecording { start: Vec::new(), steps: Vec::new(), events: Vec::new() };
        recording.record(&mut After::new(&modifiers, &input, moment.seen()), pose);
        Self { modifiers, moment, part: Part::After { recording, input } }
    }

    /// Returns the recording before read; `None` after write.
    pub fn input_recording(&self) -> Option<&InputRecording> {
        match &self.part {
            Part::Before(recording) => Some(recording),
            Part::After { .. } => None,
        }
    }

    /// Returns the input of the solve at an instant of the run before read; `None` after write.
    pub fn input_at(&self, at: Cursor) -> Option<ModifiedInput> {
        let recording = self.input_recording()?;
        let count = at.within.map_or(usize::MAX, |within| within + 1);
        let mut solver = Before::new(&self.modifiers, self.moment.seen());
        Some(recording.state_within(&mut solver, at.step, count).unwrap_or_else(|| recording.end().clone()))
    }

    fn figure(&self) -> &Figure {
        &self.moment.figure
    }

    /// Returns the index of a step's modifier; `None` if there is no such step.
    pub fn modifier_of(&self, step: usize) -> Option<usize> {
        match &self.part {
            Part::Before(recording) => recording.steps.get(step).map(|recorded| recorded.step),
            Part::After { recording, .. } => recording.steps.get(step).map(|recorded| recorded.step),
        }
    }

    /// Returns the acts of a step; empty if there is no such step.
    pub fn acts(&self, step: usize) -> &[Act] {
        match &self.part {
            Part::Before(recording) => recording.events_of(step),
            Part::After { recording, .. } => recording.events_of(step),
        }
    }

    fn pose_at(&self, at: Cursor) -> Vec<RigidTransform> {
        let count = at.within.map_or(usize::MAX, |within| within + 1);
        match &self.part {
            Part::Before(_) => self.input_at(at).map_or_else(Vec::new, |input| input.pose),
            Part::After { recording, input } => {
                let mut solver = After::new(&self.modifiers, input, self.moment.seen());
                let pose = recording.state_within(&mut solver, at.step, count);
                pose.unwrap_or_else(|| recording.end().clone())
            }
        }
    }

    fn start_pose(&self) -> &[RigidTransform] {
        match &self.part {
            Part::Before(recording) => &recording.start.pose,
            Part::After { recording, .. } => &recording.start,
        }
    }

    fn requested_places(&self, input: &ModifiedInput) -> Vec<Vec3> {
        Effector::ALL.map(|effector| place_of(self.figure(), input, effector)).into()
    }

    /// Returns key, label and index of the run's bones: spine, neck, head, hands, feet, and the shoulders of gripping arms.
    fn bones(&self) -> impl Iterator<Item = (String, String, BoneIndex)> + '_ {
        let numbered = |what: &'static str, bones: &[BoneIndex]| {
            let name = move |(index, &bone): (usize, &BoneIndex)| {
                (format!("{what}_{}", index + 1), format!("{what} {}", index + 1), bone)
            };
            bones.iter().enumerate().map(name).collect::<Vec<_>>()
        };
        let figure = self.figure();
        let head = figure.head.map(|head| ("head".to_owned(), "head".to_owned(), head));
        let ends = LimbName::ALL.map(|limb| {
            let key = Effector::END[limb.index()].key();
            (key.to_owned(), label(key), figure.limbs[limb.index()][2])
        });
        // The reach of a grip is measured from the shoulder.
        let shoulders = [LimbName::LeftArm, LimbName::RightArm].into_iter().filter(|&arm| self.grips_with(arm));
        let shoulders = shoulders.map(|arm| {
            let key = arm.roles()[0].key();
            (key.to_owned(), label(key), figure.limbs[arm.index()][0])
        });
        let spine = numbered("spine", &figure.spine).into_iter();
        spine.chain(numbered("neck", &figure.neck)).chain(head).chain(ends).chain(shoulders)
    }

    fn grips_with(&self, arm: LimbName) -> bool {
        self.modifiers.iter().any(|own| own.is_on() && matches!(own, Modifier::TwoHandedGrip(own) if own.arm() == arm))
    }

    fn bone_label(&self, bone: BoneIndex) -> String {
        let known = self.bones().find(|(.., own)| *own == bone).map(|(_, label, _)| label);
        let limb = || {
            let part = |limb: LimbName| self.figure().limbs[limb.index()].iter().position(|&own| own == bone);
            LimbName::ALL.into_iter().find_map(|limb| Some(label(limb.roles()[part(limb)?].key())))
        };
        let pelvis = || (bone == self.figure().pelvis).then(|| "pelvis".to_owned());
        let inner = || {
            let own = LimbName::ALL.into_iter().find(|limb| self.figure().inner[limb.index()] == Some(bone));
            own.map(|limb| format!("inner joint of the {}", limb.label()))
        };
        known.or_else(limb).or_else(pelvis).or_else(inner).unwrap_or_else(|| "twist bone".to_owned())
    }
}

/// Returns the requested place of an effector: its bone with offset, blended to its target by its weight.
fn place_of(figure: &Figure, input: &ModifiedInput, effector: Effector) -> Vec3 {
    let own = input.settings.effector(effector);
    let bone = input.pose.get(figure.bone_of(effector)).map_or(Vec3::ZERO, |bone| bone.position);
    (bone + own.position_offset).lerp(own.position.unwrap_or(bone), own.position_weight)
}

impl Change {
    /// Returns the effector that changed; `None` for a bone.
    pub const fn effector(&self) -> Option<Effector> {
        match self {
            Self::Offset { effector, .. } | Self::Target { effector, .. } | Self::TargetRotation { effector, .. } => {
                Some(*effector)
            }
            Self::Bone { .. } => None,
        }
    }

    fn tint(&self) -> Tint {
        self.effector().map_or(Tint::Own, |effector| Tint::Node(effector.node()))
    }
}

fn angle_between(from: RigidTransform, to: RigidTransform) -> f32 {
    let turn = to.rotation * from.rotation.conjugate();
    2.0 * turn.xyz().length().atan2(turn.w.abs())
}

impl Run for ModifierRun {
    fn steps(&self) -> usize {
        match &self.part {
            Part::Before(recording) => recording.steps.len(),
            Part::After { recording, .. } => recording.steps.len(),
        }
    }

    fn step(&self, step: usize) -> StepView {
        let own = self.modifier_of(step).and_then(|index| Some((index, self.modifiers.get(index)?)));
        let (name, key, sentence) = own.map_or((String::new(), "", ""), |(index, modifier)| {
            (author_of(&self.modifiers, index).label(), modifier.key(), modifier.sentence())
        });
        let short = name.clone();
        StepView { iteration: None, key, name, short, sentence, is_end: step + 1 == self.steps() }
    }

    fn events(&self, step: usize) -> usize {
        self.acts(step).len()
    }

    fn event(&self, step: usize, event: usize, length: &dyn Fn(f32) -> String) -> EventView {
        let Some(act) = self.acts(step).get(event) else {
            return EventView { tint: Tint::Own, size: 0.0, text: String::new() };
        };
        let who = act.change.effector().map_or_else(String::new, |effector| label(effector.key()));
        let (size, text) = match act.change {
            Change::Offset { by, .. } => (by.length(), format!("{who}: offset by {}", length(by.length()))),
            Change::Target { from, to, weight, .. } => {
                let distance = from.distance(to);
                (distance, format!("{who}: target moved {}, weight {weight:.2}", length(distance)))
            }
            Change::TargetRotation { weight, .. } => (0.5 * weight, format!("{who}: rotation, weight {weight:.2}")),
            Change::Bone { bone, from, to } => {
                let (distance, turned) = (from.position.distance(to.position), angle_between(from, to));
                let moved = if distance > 0.0 { format!(" moves {} and", length(distance)) } else { String::new() };
                let text = format!("{}{moved} turns {:.2}°", self.bone_label(bone), turned.to_degrees());
                (distance + 0.5 * turned, text)
            }
        };
        EventView { tint: act.change.tint(), size, text }
    }

    fn events_name(&self, _step: usize) -> &'static str {
        "changes"
    }

    fn cause(&self, step: usize, event: usize) -> CauseView {
        let tint = self.acts(step).get(event).map_or(Tint::Own, |act| act.change.tint());
        CauseView { label: self.step(step).name, chain: "modifiers".to_owned(), tint }
    }

    fn formula(&self, step: usize, event: usize) -> Option<Sheet> {
        let act = self.acts(step).get(event)?;
        let index = self.modifier_of(step)?;
        let modifier = self.modifiers.get(index)?;
        let memory = match &self.part {
            Part::Before(recording) => recording.steps.get(step)?.state.memory.get(index).copied()?,
            Part::After { input, .. } => input.memory.get(index).copied()?,
        };
        let before = match event.checked_sub(1) {
            Some(within) => self.pose_at(Cursor { step, within: Some(within) }),
            None => Cursor { step, within: Some(0) }
                .before()
                .map_or_else(|| self.start_pose().to_vec(), |at| self.pose_at(at)),
        };
        let found = match step.checked_sub(1) {
            Some(step) => self.pose_at(Cursor { step, within: None }),
            None => self.start_pose().to_vec(),
        };
        let title = format!(
            "{}, {}",
            self.step(step).name,
            match act.change {
                Change::Bone { bone, .. } => self.bone_label(bone),
                change => change.effector().map_or_else(String::new, |effector| label(effector.key())),
            }
        );
        let master = match &self.part {
            Part::Before(recording) => recording.start.settings.solver.weight,
            Part::After { input, .. } => input.settings.solver.weight,
        };
        let at = explain::At { seen: self.moment.seen(), found: &found, before: &before, act: *act, master };
        Some(explain::formula(modifier, &memory, &at, title))
    }

    fn numbers(&self, step: usize, length: &dyn Fn(f32) -> String) -> Vec<Numbers> {
        let Some(input) = self.input_at(Cursor { step, within: None }) else { return Vec::new() };
        let line = |effector: Effector| {
            let own = input.settings.effector(effector);
            let is_set = own.position_offset != Vec3::ZERO || own.position_weight > 0.0;
            is_set.then(|| {
                let offset = coordinates(own.position_offset, length);
                let numbers = format!("offset {offset}, weight {:.2}", own.position_weight);
                Numbers { tint: Tint::Node(effector.node()), what: label(effector.key()), numbers }
            })
        };
        Effector::ALL.into_iter().filter_map(line).collect()
    }

    fn measures(&self) -> Vec<MeasureView> {
        let measure = |key: &str, what: String, unit, family, tint, is_error| MeasureView {
            key: key.to_owned(),
            label: what,
            unit,
            family,
            tint,
            is_error,
        };
        let phase = if matches!(self.part, Part::Before(_)) { "before IK" } else { "after IK" };
        let to_go = measure("to_go", format!("remaining, {phase}"), Unit::Length, "remaining", Tint::Own, true);
        let mut found = vec![to_go];
        match &self.part {
            Part::Before(_) => found.extend(Effector::ALL.map(|effector| {
                let (key, tint) = (format!("{}_offset", effector.key()), Tint::Node(effector.node()));
                measure(
                    &key,
                    format!("{} offset", label(effector.key())),
                    Unit::Length,
                    "requested offset",
                    tint,
                    false,
                )
            })),
            Part::After { .. } => {
                found.extend([("head_turn", "head turn"), ("chest_turn", "chest turn")].map(|(key, what)| {
                    measure(key, what.to_owned(), Unit::Angle, "turn after IK", Tint::Node(Node::Body), false)
                }))
            }
        }
        found
    }

    fn measure(&self, measure: usize, at: Cursor) -> f32 {
        if measure == REMAINING {
            let (here, end) = (self.places(at), self.places(Cursor::end(self)));
            return here.into_iter().zip(end).map(|(here, end)| here.distance(end)).sum();
        }
        let index = measure - 1;
        match self.input_at(at) {
            Some(input) => {
                Effector::ALL.get(index).map_or(0.0, |&own| input.settings.effector(own).position_offset.length())
            }
            None => {
                let bone = [self.figure().head, Some(self.figure().chest())].get(index).copied().flatten();
                let pose = self.pose_at(at);
                let both = bone.and_then(|bone| Some([self.start_pose().get(bone)?, pose.get(bone)?]));
                both.map_or(0.0, |[from, to]| angle_between(*from, *to))
            }
        }
    }

    fn main_measure(&self) -> Option<usize> {
        Some(REMAINING)
    }

    fn points(&self) -> Vec<PointView> {
        match &self.part {
            Part::Before(_) => {
                let point = |effector: Effector| PointView {
                    key: effector.key().to_owned(),
                    label: format!("{}, requested", label(effector.key())),
                    tint: Tint::Node(effector.node()),
                    bone: None,
                };
                Effector::ALL.map(point).into()
            }
            Part::After { .. } => {
                let point =
                    |(key, label, bone)| PointView { key, label, tint: Tint::Node(Node::Body), bone: Some(bone) };
                self.bones().map(point).collect()
            }
        }
    }

    fn places(&self, at: Cursor) -> Vec<Vec3> {
        match self.input_at(at) {
            Some(input) => self.requested_places(&input),
            None => {
                let pose = self.pose_at(at);
                self.bones().map(|(.., bone)| pose.get(bone).map_or(Vec3::ZERO, |bone| bone.position)).collect()
            }
        }
    }

    fn start(&self) -> Vec<Vec3> {
        match &self.part {
            Part::Before(recording) => self.requested_places(&recording.start),
            Part::After { recording, .. } => {
                let place = |bone: BoneIndex| recording.start.get(bone).map_or(Vec3::ZERO, |bone| bone.position);
                self.bones().map(|(.., bone)| place(bone)).collect()
            }
        }
    }

    fn goals(&self) -> Vec<GoalView> {
        let Part::After { input, .. } = &self.part else { return Vec::new() };
        let points = self.points();
        let index = |key: &str| points.iter().position(|point| point.key == key);
        let goal = |(modifier, memory): (&Modifier, &Memory)| {
            let (place, weight) = modifier.head_goal(memory)?;
            let (point, root) = (index("head")?, index("spine_1")?);
            Some(GoalView {
                key: "head".to_owned(),
                label: "head".to_owned(),
                tint: Tint::Node(Node::Body),
                weight,
                point,
                root,
                bone: self.figure().head,
                place,
                reach: self.figure().height,
                error: "remaining".to_owned(),
            })
        };
        let grip = |(modifier, memory): (&Modifier, &Memory)| {
            let Part::After { recording, input } = &self.part else { return None };
            let hold = modifier.hold(memory, self.figure(), recording.end(), input.settings.solver.weight)?;
            let limb = hold.hand.limb()?;
            let (point, root) = (index(hold.hand.key())?, index(limb.roles()[0].key())?);
            Some(GoalView {
                key: hold.hand.key().to_owned(),
                label: format!("{} on its grip", label(hold.hand.key())),
                tint: Tint::Node(hold.hand.node()),
                weight: hold.weight,
                point,
                root,
                bone: Some(self.figure().bone_of(hold.hand)),
                place: hold.place,
                reach: hold.reach[1],
                error: "remaining".to_owned(),
            })
        };
        let on = || self.modifiers.iter().zip(&input.memory).filter(|(modifier, _)| modifier.is_on());
        on().find_map(goal).into_iter().chain(on().filter_map(grip)).collect()
    }

    fn pose(&self, at: Cursor, pose: &mut [RigidTransform]) {
        let own = self.pose_at(at);
        if own.len() == pose.len() {
            pose.copy_from_slice(&own);
        }
    }

    fn draw(&self, at: Cursor, shown: &Shown, out: &mut dyn DebugDraw) {
        if !shown.moved {
            return;
        }
        let acts = self.acts(at.step);
        let range = at.within.map_or(0..acts.len(), |within| within.min(acts.len())..(within + 1).min(acts.len()));
        let before = match at.before() {
            Some(before) => self.input_at(before),
            None => self.input_recording().map(|recording| recording.start.clone()),
        };
        let mut places = before.map_or_else(Vec::new, |input| self.requested_places(&input));
        let (pose, is_single) = (self.pose_at(at), at.within.is_some());
        for act in &acts[range] {
            let own = act.change.effector().and_then(|effector| places.get_mut(effector as usize));
            let place = own.as_ref().map_or(Vec3::ZERO, |place| **place);
            if let (Some(own), Change::Offset { by, .. }) = (own, act.change) {
                *own += by;
            }
            draw_act(act, self.figure(), place, is_single, &pose, out);
        }
    }
}
