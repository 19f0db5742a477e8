use glam::{Quat, Vec3};
use kinescope_ik::attach::Anchor;
use kinescope_ik::stack::Attached;

use crate::session::{Action, GizmoStyle, Request, Selection, Session};
use crate::system::files;
use crate::tools::ground::picture::grid_spacing;
use crate::tools::pose::handles::{self, Grip, HandleId};
use crate::tools::pose::words as text;
use crate::tools::pose::{self, EffectorSet, Mirror};
use crate::world::World;
use kinescope_ik::csharp;
use kinescope_ik::full_body::{Effector, Settings};
use kinescope_ik::modifiers::Modifier;
use kinescope_ik::share::is_link;
use kinescope_ik::stack::Stack;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Posing {
    pub gizmo: GizmoStyle,
    /// Whether the gizmo's axes turn with the target. Otherwise they are those of the world.
    pub local_axes: bool,
    /// Whether moves snap to the grid and turns to [`SNAP_ANGLE`]. Holding Ctrl while dragging inverts the setting.
    pub snaps: bool,
    /// Whether mirror editing is on: an edit of one side is repeated on the other.
    pub mirrors: bool,
    /// All selected effectors, including the one in [`Interaction::selection`](crate::session::Interaction::selection). The
    /// set is empty if only one effector is selected.
    pub together: EffectorSet,
    pub ctrl: bool,
    /// Whether Shift is held. A press on an effector's ring then adds the effector to the selection or removes it.
    pub shift: bool,
}

/// Step of snapped turns, degrees.
pub(crate) const SNAP_ANGLE: f32 = 15.0;

impl Posing {
    pub(crate) const fn snaps_now(&self) -> bool {
        self.snaps != self.ctrl
    }
}

#[derive(Clone, Debug)]
pub enum PoseAction {
    Settings(Posing),
    Paste(String),
    SelectAlso(Effector),
    Attach(Attached, Option<Anchor>),
}

impl Session {
    pub(crate) fn apply_pose(&mut self, action: PoseAction) {
        match action {
            PoseAction::Settings(posing) => self.interaction.posing = posing,
            PoseAction::Paste(text) => self.paste_pose(&text),
            PoseAction::SelectAlso(effector) => self.select_also(effector),
            PoseAction::Attach(target, to) => self.attach(target, to),
        }
    }

    /// Returns the step of snapped moves, model units: a fifth of the grid spacing.
    pub fn snap_distance(&self) -> f32 {
        grid_spacing(self) / 5.0
    }

    pub fn selected_effectors(&self) -> EffectorSet {
        match self.interaction.selection {
            Selection::Effector(effector) => self.interaction.posing.together.with(effector),
            _ => EffectorSet::default(),
        }
    }

    pub(crate) fn select_also(&mut self, effector: Effector) {
        let selected = self.selected_effectors();
        match (self.interaction.selection, selected.contains(effector)) {
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
        self.interaction.posing.together = if all.len() > 1 { all } else { EffectorSet::default() };
    }

    /// Repeats an edit on the other selected effectors and, with mirror editing, on the other side.
    pub(crate) fn spread(&self, mut settings: Settings) -> Settings {
        let (before, given) = (*self.world.settings(), settings);
        let state = self.state().unwrap_or_default();
        let stands = |effector: Effector| (state.node(effector.node()), self.world.shown_rotation(effector));
        pose::spread_to(self.selected_effectors(), &before, &mut settings, stands);
        if let Some(mirror) = self.world.mirror().filter(|_| self.interaction.posing.mirrors) {
            mirror.spread(&before, &mut settings);
        }
        // The room clamps values that mirroring and spreading have set. A position that the user entered is refused
        // elsewhere if it is outside.
        let room = self.world.room();
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

    pub(crate) fn snapped(&self, place: Vec3) -> Vec3 {
        match self.interaction.posing.snaps_now() {
            true => pose::snapped(place, self.snap_distance()),
            false => place,
        }
    }

    pub(crate) fn handle_position(&self, id: HandleId) -> Option<Vec3> {
        match id {
            HandleId::Effector(effector) => self.world.settings().effector(effector).position,
            HandleId::BendGoal(limb) => self.world.settings().chain(limb).bend_goal,
            HandleId::Modifier(index, grip) => {
                let modifier = self.world.stack().modifiers.get(index)?;
                self.modifier_place(index, modifier, grip).map(|(place, _)| place)
            }
            HandleId::Chain(..) | HandleId::PathPoint(_) => None,
        }
    }

    pub fn gizmo_target(&self) -> Option<(HandleId, Vec3, Quat)> {
        if self.in_doctor() {
            return None;
        }
        match self.interaction.selection {
            Selection::Effector(effector) => {
                let state = self.state()?;
                let own = self.world.settings().effector(effector);
                let position = own.position.unwrap_or(state.node(effector.node()));
                let rotation = own.rotation.unwrap_or_else(|| self.world.shown_rotation(effector));
                Some((HandleId::Effector(effector), position, rotation))
            }
            Selection::Modifier(index, _) => {
                let modifier = self.world.stack().modifiers.get(index).filter(|own| own.is_on())?;
                let (position, _) = self.modifier_place(index, modifier, Grip::Target)?;
                Some((HandleId::Modifier(index, Grip::Target), position, self.modifier_rotation(modifier)))
            }
            _ => None,
        }
    }

    /// Returns whether a handle can be rotated: hands, feet, the head's target, and targets that a modifier gives to a
    /// hand or foot.
    pub fn takes_rotation(&self, id: HandleId) -> bool {
        match id {
            HandleId::Effector(effector) => effector.limb().is_some(),
            HandleId::Modifier(index, Grip::Target) => match self.world.stack().modifiers.get(index) {
                Some(Modifier::Head(_)) => true,
                Some(Modifier::Keyed(_)) => self.interaction.keyed.limb().is_some(),
                Some(Modifier::ReachFor(own)) => own.effector.limb().is_some(),
                _ => false,
            },
            _ => false,
        }
    }

    pub fn turned(&self, id: HandleId, to: Quat) -> Option<Stack> {
        match id {
            HandleId::Effector(effector) => {
                let mut stack = self.world.stack().clone();
                handles::turn(&mut stack.full_body, effector, to);
                Some(stack)
            }
            HandleId::Modifier(index, _) => self.turned_modifier(index, to),
            _ => None,
        }
    }

    pub fn moved(&self, id: HandleId, to: Vec3) -> Option<Stack> {
        match id {
            HandleId::Effector(_) | HandleId::BendGoal(_) => {
                let mut stack = self.world.stack().clone();
                handles::place(&mut stack.full_body, id, to);
                Some(stack)
            }
            HandleId::Modifier(index, grip) => self.moved_modifier(index, grip, to),
            _ => None,
        }
    }

    pub(crate) fn paste_pose(&mut self, text: &str) {
        if is_link(text) {
            return self.apply(Action::OpenLink(text.to_owned()));
        }
        let mut settings = *self.world.settings();
        let done = match text.len() as u64 > files::SizeLimit::PRESET.bytes() {
            true => Err(text::TEXT_TOO_LONG.to_owned()),
            false if csharp::is_csharp(text) => {
                return match csharp::from_csharp(text, &mut settings) {
                    Ok(skipped) => {
                        let done = text::pasted_csharp(&skipped);
                        self.edit_settings_and_report(text::EDIT_PASTE_CSHARP, settings, &done, text::CSHARP_SAME);
                    }
                    Err(error) => self.fail(text::csharp_failed(&error)),
                };
            }
            false => pose::paste(&mut settings, text).map_err(|error| error.to_string()),
        };
        match done {
            Ok(model) => {
                // The clipboard may contain the pose of another model.
                let other = model.filter(|model| !model.has_skeleton_of(&self.world.character));
                let done = match other {
                    Some(model) => text::pasted_pose_of(&model.name, &self.world.character.model.name),
                    None => text::PASTED_POSE.to_owned(),
                };
                self.edit_settings_and_report(text::EDIT_PASTE_POSE, settings, &done, text::SAME_POSE);
            }
            Err(error) => {
                self.fail(text::no_pose(&error));
            }
        }
    }

    pub(crate) fn pin_hands_and_feet(&mut self) {
        let Some(state) = self.state() else { return };
        let mut settings = *self.world.settings();
        for effector in Effector::END {
            let own = settings.effector_mut(effector);
            own.position.get_or_insert(state.node(effector.node()));
            own.position_weight = 1.0;
        }
        self.edit_settings_and_report(text::EDIT_PIN, settings, text::PINNED, text::PINNED_ALREADY);
    }

    pub(crate) fn release_effectors(&mut self) {
        let mut stack = self.world.stack().clone();
        stack.attachments = Default::default();
        stack.full_body.effectors = Default::default();
        for chain in &mut stack.full_body.chains {
            (chain.bend_goal, chain.bend_direction, chain.bend_weight) = (None, None, 0.0);
        }
        self.edit_and_report(text::EDIT_RELEASE, stack, text::RELEASED, text::NONE_TO_RELEASE);
    }

    /// Resets the full body's solver and chains, including bend goals, to their defaults. Effectors keep their settings.
    pub(crate) fn reset_parameters(&mut self) {
        let effectors = self.world.settings().effectors;
        self.edit_settings_and_report(
            text::EDIT_RESET,
            Settings { effectors, ..Settings::default() },
            text::RESET,
            text::RESET_ALREADY,
        );
    }

    pub(crate) fn toggle_mirroring(&mut self) {
        self.interaction.posing.mirrors ^= true;
        let text = match self.interaction.posing.mirrors {
            true => text::MIRROR_ON,
            false => text::MIRROR_OFF,
        };
        self.notify(text);
    }

    pub(crate) fn copy_pose(&mut self) {
        self.window.requests.push(Request::Copy(pose::copy(self.world.settings())));
        self.notify(text::COPIED);
    }

    pub(crate) fn mirror_pose(&mut self) {
        match self.world.mirror() {
            Some(mirror) => {
                let settings = mirror.pose(self.world.settings());
                let done = text::MIRRORED;
                self.edit_settings_and_report(text::EDIT_MIRROR, settings, done, text::SYMMETRIC);
            }
            None => self.fail(text::NO_SIDES),
        }
    }
}

impl World {
    /// Returns the sagittal plane of the reference pose, moved by the character's root transform.
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
}
