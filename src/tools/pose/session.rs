//! The session's part of posing: what is selected together, the mirror, poses on the clipboard.

use glam::{Quat, Vec3};
use kinescope_ik::attach::Anchor;
use kinescope_ik::stack::Attached;

use crate::picture::grid_spacing;
use crate::session::{Action, GizmoStyle, Request, Selection, Session};
use crate::system::files;
use crate::tools::pose::handles::{self, Grip, HandleId};
use crate::tools::pose::{self, EffectorSet, Mirror};
use kinescope_ik::csharp;
use kinescope_ik::full_body::{Effector, Settings};
use kinescope_ik::modifiers::Modifier;
use kinescope_ik::stack::Stack;

/// How handles and gizmo are used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Posing {
    pub gizmo: GizmoStyle,
    /// The gizmo's axes are those of the effector's bone, not of the world.
    pub local_axes: bool,
    /// Moves go by steps of the grid, turns by [`SNAP_ANGLE`]; Ctrl held while dragging turns this over.
    pub snaps: bool,
    /// What is done to one side is done to the other.
    pub mirrors: bool,
    /// Effectors that are selected together with the one in [`Session::selection`], it among them; empty where it is
    /// alone.
    pub together: EffectorSet,
    /// Ctrl is held: see `snaps`.
    pub ctrl: bool,
    /// Shift is held: a press on an effector's ring adds it to what is selected, or takes it away.
    pub shift: bool,
}

/// Degrees that turns snap to.
pub const SNAP_ANGLE: f32 = 15.0;

impl Posing {
    /// Whether this drag snaps.
    pub const fn snaps_now(&self) -> bool {
        self.snaps != self.ctrl
    }
}

/// What posing asks for.
#[derive(Clone, Debug)]
pub enum PoseAction {
    Settings(Posing),
    /// What the clipboard held when a pose was to be pasted.
    Paste(String),
    /// Adds an effector to what is selected, or takes it away.
    SelectAlso(Effector),
    /// Attaches a target where it stands, or detaches it.
    Attach(Attached, Option<Anchor>),
}

impl Session {
    /// Does what posing asks for.
    pub(crate) fn apply_pose(&mut self, action: PoseAction) {
        match action {
            PoseAction::Settings(posing) => self.hands.posing = posing,
            PoseAction::Paste(text) => self.paste_pose(&text),
            PoseAction::SelectAlso(effector) => self.select_also(effector),
            PoseAction::Attach(target, to) => self.attach(target, to),
        }
    }

    /// Model units that moves snap to: a fifth of the distance of the grid's lines.
    pub fn snap_distance(&self) -> f32 {
        grid_spacing(self) / 5.0
    }

    /// Effectors that are selected.
    pub fn selected_effectors(&self) -> EffectorSet {
        match self.hands.selection {
            Selection::Effector(effector) => self.hands.posing.together.with(effector),
            _ => EffectorSet::default(),
        }
    }

    /// Adds an effector to what is selected, or takes it away.
    pub(crate) fn select_also(&mut self, effector: Effector) {
        let selected = self.selected_effectors();
        match (self.hands.selection, selected.contains(effector)) {
            (Selection::Effector(lead), true) => {
                let left = selected.without(effector);
                match (lead == effector, left.iter().next()) {
                    (true, Some(next)) => self.select_together(next, left),
                    (true, None) => self.apply(Action::Select(Selection::Nothing)),
                    (false, _) => self.select_together(lead, left),
                }
            }
            _ => self.select_together(effector, selected.with(effector)),
        }
    }

    pub(crate) fn select_together(&mut self, lead: Effector, all: EffectorSet) {
        self.apply(Action::Select(Selection::Effector(lead)));
        self.hands.posing.together = if all.len() > 1 { all } else { EffectorSet::default() };
    }

    /// The plane between left and right of the character as it stands now; `None` without a solver.
    pub fn mirror(&self) -> Option<Mirror> {
        let solver = self.character.rig.full_body.as_ref().ok()?;
        let (detection, root) = (&self.character.detection, self.motion.root);
        let reference = |effector: Effector| detection.reference.bones.get(solver.bone_of(effector.node())).copied();
        let [a, b] = [Effector::LeftThigh, Effector::RightThigh].map(reference);
        let between = (a?.position + b?.position) / 2.0;
        Some(Mirror {
            point: root.transform_point(between),
            left: (root.rotation * detection.left).try_normalize()?,
            reference: Effector::ALL
                .map(|effector| reference(effector).map_or(root.rotation, |bone| root.rotation * bone.rotation)),
        })
    }

    /// Settings as a user edits them: what was done to one effector goes on to those selected with it and, with the
    /// mirror on, to the other side.
    pub(crate) fn spread(&self, mut settings: Settings) -> Settings {
        let (before, given) = (*self.settings(), settings);
        let state = self.state().unwrap_or_default();
        let stands = |effector: Effector| (state.node(effector.node()), self.shown_rotation(effector));
        pose::spread_to(self.selected_effectors(), &before, &mut settings, stands);
        if let Some(mirror) = self.mirror().filter(|_| self.hands.posing.mirrors) {
            mirror.spread(&before, &mut settings);
        }
        // What was taken along stays within the room; what was asked for out of it is refused.
        let room = self.room();
        for (effector, given) in settings.effectors.iter_mut().zip(&given.effectors) {
            if effector.position != given.position {
                effector.position = effector.position.map(|position| room.clamp(position));
            }
        }
        for (chain, given) in settings.chains.iter_mut().zip(&given.chains) {
            if chain.bend_goal != given.bend_goal {
                chain.bend_goal = chain.bend_goal.map(|goal| room.clamp(goal));
            }
        }
        settings
    }

    /// A place that a handle is dragged to, on the grid's steps if it is to snap.
    pub(crate) fn snapped(&self, place: Vec3) -> Vec3 {
        match self.hands.posing.snaps_now() {
            true => pose::snapped(place, self.snap_distance()),
            false => place,
        }
    }

    /// Where a handle of the full body has been put.
    pub fn handle_position(&self, id: HandleId) -> Option<Vec3> {
        match id {
            HandleId::Effector(effector) => self.settings().effector(effector).position,
            HandleId::BendGoal(limb) => self.settings().chain(limb).bend_goal,
            HandleId::Modifier(index, grip) => {
                let modifier = self.stack().modifiers.get(index)?;
                self.modifier_place(index, modifier, grip).map(|(place, _)| place)
            }
            HandleId::Chain(..) | HandleId::PathPoint(_) => None,
        }
    }

    /// What of the selection the gizmo drags: its handle, place and rotation.
    pub fn gizmo_target(&self) -> Option<(HandleId, Vec3, Quat)> {
        if self.in_doctor() {
            return None;
        }
        match self.hands.selection {
            Selection::Effector(effector) => {
                let state = self.state()?;
                let own = self.settings().effector(effector);
                let position = own.position.unwrap_or(state.node(effector.node()));
                let rotation = own.rotation.unwrap_or_else(|| self.shown_rotation(effector));
                Some((HandleId::Effector(effector), position, rotation))
            }
            Selection::Modifier(index, _) => {
                let modifier = self.stack().modifiers.get(index).filter(|own| own.is_on())?;
                let (position, _) = self.modifier_place(index, modifier, Grip::Target)?;
                Some((HandleId::Modifier(index, Grip::Target), position, self.modifier_rotation(modifier)))
            }
            _ => None,
        }
    }

    /// Whether what a handle stands for can be turned: body, shoulders and thighs, and places alone, cannot.
    pub fn takes_rotation(&self, id: HandleId) -> bool {
        match id {
            HandleId::Effector(effector) => effector.limb().is_some(),
            HandleId::Modifier(index, Grip::Target) => match self.stack().modifiers.get(index) {
                Some(Modifier::Head(_)) => true,
                Some(Modifier::Keyed(_)) => self.hands.keyed.limb().is_some(),
                Some(Modifier::ReachFor(own)) => own.effector.limb().is_some(),
                _ => false,
            },
            _ => false,
        }
    }

    /// The stack with what a handle stands for turned.
    pub fn turned(&self, id: HandleId, to: Quat) -> Option<Stack> {
        match id {
            HandleId::Effector(effector) => {
                let mut stack = self.stack().clone();
                handles::turn(&mut stack.full_body, effector, to);
                Some(stack)
            }
            HandleId::Modifier(index, _) => self.turned_modifier(index, to),
            _ => None,
        }
    }

    /// The stack with what a handle stands for moved.
    pub fn moved(&self, id: HandleId, to: Vec3) -> Option<Stack> {
        match id {
            HandleId::Effector(_) | HandleId::BendGoal(_) => {
                let mut stack = self.stack().clone();
                handles::place(&mut stack.full_body, id, to);
                Some(stack)
            }
            HandleId::Modifier(index, grip) => self.moved_modifier(index, grip, to),
            _ => None,
        }
    }

    pub(crate) fn paste_pose(&mut self, text: &str) {
        let mut settings = *self.settings();
        let done = match text.len() as u64 > files::Most::PRESET.bytes() {
            true => Err("it is too long".to_owned()),
            false if csharp::is_csharp(text) => {
                return match csharp::from_csharp(text, &mut settings) {
                    Ok(()) => self.edit_settings_and_say(
                        "paste C# assignments",
                        settings,
                        "pasted C# assignments",
                        "the C# assignments change nothing",
                    ),
                    Err(error) => self.fail(format!("the clipboard's C# assignments: {error}")),
                };
            }
            false => pose::paste(&mut settings, text).map_err(|error| error.to_string()),
        };
        match done {
            Ok(model) => {
                // A whole preset may have been copied.
                let other = model.filter(|model| !model.has_skeleton_of(&self.character));
                let done = match other {
                    Some(model) => {
                        format!("pasted a pose of {}; {} has other bones", model.name, self.character.model.name)
                    }
                    None => "pasted a pose".to_owned(),
                };
                self.edit_settings_and_say("paste pose", settings, &done, "the pose is the same already");
            }
            Err(error) => {
                self.fail(format!("the clipboard holds no pose (Ctrl+C copies one), nor a preset: {error}"));
            }
        }
    }

    pub(crate) fn pin_hands_and_feet(&mut self) {
        let Some(state) = self.state() else { return };
        let mut settings = *self.settings();
        for effector in Effector::END {
            let own = settings.effector_mut(effector);
            own.position.get_or_insert(state.node(effector.node()));
            own.position_weight = 1.0;
        }
        self.edit_settings_and_say(
            "pin hands and feet",
            settings,
            "hands and feet are held where they are",
            "hands and feet are held already",
        );
    }

    /// Releases every effector: no targets, no weights, no bends.
    pub(crate) fn release_effectors(&mut self) {
        let mut stack = self.stack().clone();
        stack.attachments = Default::default();
        stack.full_body.effectors = Default::default();
        for chain in &mut stack.full_body.chains {
            (chain.bend_goal, chain.bend_direction, chain.bend_weight) = (None, None, 0.0);
        }
        self.edit_and_say(
            "release effectors",
            stack,
            "released all effectors: targets, weights and bend goals are gone",
            "no effector has a target or a weight",
        );
    }

    /// Sets solver and chains to their defaults; effectors stay.
    pub(crate) fn reset_parameters(&mut self) {
        let effectors = self.settings().effectors;
        self.edit_settings_and_say(
            "reset parameters",
            Settings { effectors, ..Settings::default() },
            "solver and chains are at their defaults",
            "solver and chains are at their defaults already",
        );
    }

    pub(crate) fn toggle_mirroring(&mut self) {
        self.hands.posing.mirrors ^= true;
        let text = match self.hands.posing.mirrors {
            true => "mirror editing is on",
            false => "mirror editing is off",
        };
        self.notify(text);
    }

    pub(crate) fn copy_pose(&mut self) {
        self.desk.requests.push(Request::Copy(pose::copy(self.settings())));
        self.notify("copied targets, weights and bends; Ctrl+V pastes them, here or in another window");
    }

    pub(crate) fn mirror_pose(&mut self) {
        match self.mirror() {
            Some(mirror) => {
                let settings = mirror.pose(self.settings());
                let done = "left and right are exchanged";
                self.edit_settings_and_say("mirror pose", settings, done, "left and right are alike");
            }
            None => self.fail("there is no left and right to mirror: the model has no biped (press D)"),
        }
    }
}
