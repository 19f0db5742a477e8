use std::sync::Arc;

use egui_macroquad::egui::Ui;
use glam::{Quat, Vec3};

use crate::session::{Action, Dialog, Selection, Session};
use crate::tools::pose::session::PoseAction;
use crate::tools::pose::words as text;
use crate::ui::help::Help;
use crate::ui::widgets::choose_name;
use crate::ui::words::attachment;
use crate::world::World;
use kinescope_ik::attach::{Anchor, Attachment};
use kinescope_ik::full_body::Effector;
use kinescope_ik::modifiers::Modifier;
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::stack::{Attached, Stack};

impl Session {
    pub(crate) fn selected_target(&self) -> Option<Attached> {
        match self.interaction.selection {
            Selection::Effector(effector) => Some(Attached::Effector(effector)),
            Selection::Modifier(index, _) => {
                let target = Attached::Modifier(index);
                match self.world.stack().modifiers.get(index)? {
                    Modifier::LookAt(_) | Modifier::ReachFor(_) => Some(target),
                    Modifier::Recoil(_)
                    | Modifier::TwoHandedGrip(_)
                    | Modifier::HitReaction(_)
                    | Modifier::Inertia(_)
                    | Modifier::Breathing(_)
                    | Modifier::Keyed(_)
                    | Modifier::Head(_)
                    | Modifier::FourBones(_)
                    | Modifier::ArmBending(_) => None,
                }
            }
            Selection::Nothing | Selection::Chain(_) | Selection::BendGoal(_) | Selection::Layer(_) => None,
        }
    }

    /// Returns the position and rotation that a target has or, where it has none, gets when it is attached.
    fn standing(&self, target: Attached) -> (Vec3, Option<Quat>) {
        let (place, rotation) = self.world.stack().target(target);
        match target {
            Attached::Effector(effector) => {
                let own = self.world.settings().effector(effector);
                let animated =
                    self.world.posed().and_then(|posed| posed.effector(self.world.settings(), effector).ok());
                let shown = RigidTransform {
                    position: self
                        .state()
                        .map_or_else(|| self.world.bone_position(effector), |at| at.node(effector.node())),
                    rotation: self.world.shown_rotation(effector),
                };
                let position = animated.filter(|_| own.position_weight > 0.0).unwrap_or(shown).position;
                let turned = animated.filter(|_| own.rotation_weight > 0.0).unwrap_or(shown).rotation;
                let takes_rotation = effector.limb().is_some();
                (place.unwrap_or(position), takes_rotation.then_some(rotation.unwrap_or(turned)))
            }
            Attached::Modifier(index) => {
                // A modifier without a target gets the target that the buttons of its pane set.
                let suggested = match self.world.stack().modifiers.get(index) {
                    Some(Modifier::ReachFor(own)) => {
                        self.world.bone_position(own.effector)
                            + self.world.ahead() * (self.world.character.height * 0.15)
                    }
                    Some(_) | None => self.world.in_front(),
                };
                (place.unwrap_or(suggested), rotation)
            }
        }
    }

    /// Attaches a target to an anchor without moving the target, or detaches it in place. For a selected effector, does
    /// the same for all selected effectors except the anchor.
    pub(crate) fn attach(&mut self, target: Attached, to: Option<Anchor>) {
        let selected = self.selected_effectors();
        let targets: Vec<Attached> = match target {
            Attached::Effector(effector) if selected.contains(effector) => {
                let is_anchor = |own: &Effector| to != Some(Anchor::Effector(*own));
                selected.iter().filter(is_anchor).map(Attached::Effector).collect()
            }
            Attached::Effector(_) | Attached::Modifier(_) => vec![target],
        };
        let mut stack = self.world.stack().clone();
        let name = self.world.target_name(target);
        for target in targets {
            let attachment = match &to {
                None => None,
                Some(to) => match self.world.anchor(to) {
                    Ok(anchor) => {
                        let (place, rotation) = self.standing(target);
                        put_target(&mut stack, target, place, rotation);
                        Some(Attachment::keeping(to.clone(), &anchor, place, rotation))
                    }
                    Err(fault) => return self.fail(text::attach_failed(&name, &fault)),
                },
            };
            if let Some(slot) = stack.attachment_mut(target) {
                *slot = attachment;
            }
        }
        let (label, done, nothing) = match to.as_ref().map(Anchor::label) {
            Some(anchor) => {
                let [done, nothing] = [text::attached(&name, &anchor), text::attached_already(&name, &anchor)];
                (text::edit_attach(&name), done, nothing)
            }
            None => (text::edit_detach(&name), text::detached(&name), text::not_attached(&name)),
        };
        self.edit_and_report(&label, stack, &done, &nothing);
    }

    pub fn attachment_lines(&self) -> Vec<[Vec3; 2]> {
        let Some(run) =
            self.world.solved.attachments().filter(|_| self.look.view.targets && self.world.lab().is_none())
        else {
            return Vec::new();
        };
        let line = |&(target, anchor): &(Attached, RigidTransform)| {
            Some([self.world.stack().target(target).0?, anchor.position])
        };
        run.anchors().iter().filter_map(line).collect()
    }

    pub(crate) fn ask_what_to_attach_to(&mut self) {
        if let Some(target) = self.selected_target() {
            self.window.dialog = Some(Dialog::AttachTarget(target));
        }
    }

    pub(crate) fn detach_selected(&mut self) {
        if let Some(target) = self.selected_target() {
            self.attach(target, None);
        }
    }
}

impl World {
    pub(crate) fn anchors(&self, target: Attached) -> Vec<(String, Anchor)> {
        let is_itself = |effector: Effector| target == Attached::Effector(effector);
        let effectors = Effector::ALL.into_iter().filter(|&effector| !is_itself(effector));
        let effectors = effectors.map(|effector| {
            let anchor = Anchor::Effector(effector);
            (anchor_name(&anchor), anchor)
        });
        let bones = self.character.model.skeleton.bones().iter().map(|bone| bone.name.clone());
        effectors.chain(bones.map(|name| (name.clone(), Anchor::Bone(name)))).collect()
    }

    pub(crate) fn target_name(&self, target: Attached) -> String {
        match target {
            Attached::Effector(effector) => kinescope_ik::key::label(effector.key()),
            Attached::Modifier(index) => {
                let name = self.stack().modifiers.get(index).map_or("", Modifier::name);
                format!("{name} {}", index + 1)
            }
        }
    }

    pub(crate) fn attached_to(&self, target: Attached) -> String {
        self.stack().attachment(target).map_or_else(|| text::NONE.to_owned(), |own| anchor_name(&own.to))
    }
}

fn anchor_name(anchor: &Anchor) -> String {
    match anchor {
        Anchor::Bone(name) => name.clone(),
        Anchor::Effector(_) => text::anchor_effector(&anchor.label()),
    }
}

/// Sets the target of an effector or a modifier. An effector whose position weight is 0 gets the weight 1, because its
/// target would have no effect otherwise.
fn put_target(stack: &mut Stack, target: Attached, place: Vec3, rotation: Option<Quat>) {
    match target {
        Attached::Effector(effector) => {
            let own = stack.full_body.effector_mut(effector);
            own.position = Some(place);
            own.rotation = rotation.or(own.rotation);
            if own.position_weight == 0.0 {
                own.position_weight = 1.0;
            }
        }
        Attached::Modifier(index) => {
            if let Some(modifier) = Arc::make_mut(&mut stack.modifiers).get_mut(index) {
                modifier.put_target(place, rotation);
            }
        }
    }
}

pub(crate) fn attached_to(ui: &mut Ui, session: &Session, target: Attached, width: f32, actions: &mut Vec<Action>) {
    let anchors = session.world.anchors(target);
    let names: Vec<&str> = std::iter::once(text::NONE).chain(anchors.iter().map(|(name, _)| name.as_str())).collect();
    let own = session.world.stack().attachment(target).map(|own| &own.to);
    let selected = match own {
        None => Some(0),
        Some(to) => anchors.iter().position(|(_, anchor)| anchor == to).map(|index| index + 1),
    };
    let shown = session.world.attached_to(target);
    let list = choose_name(ui, text::NAME_ATTACHED_TO, (&shown, selected), width, &names);
    let help = match session.world.stack().attachment(target) {
        Some(own) => {
            let name = own.to.label();
            text::attached_help(&attachment(own), &name)
        }
        None => text::ATTACH_HELP.to_owned(),
    };
    list.response.help(help);
    if let Some(chosen) = list.inner.filter(|&chosen| Some(chosen) != selected) {
        let anchor = chosen.checked_sub(1).and_then(|index| anchors.get(index)).map(|(_, anchor)| anchor.clone());
        actions.push(Action::Pose(PoseAction::Attach(target, anchor)));
    }
}
