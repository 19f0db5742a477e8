use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};

use crate::session::{Selection, Session};
use crate::tools::modifiers::words as text;
use crate::tools::pose::handles::{Grip, Handle, HandleId};
use crate::world::World;
use kinescope_ik::attach::Attachment;
use kinescope_ik::full_body::Effector;
use kinescope_ik::grounding::Side;
use kinescope_ik::modifiers::{Hit, Hold, Key, Keyed, LookAt, Modifier, ReachFor, TwoHandedGrip};
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::stack::{LayerId, Stack};

/// Distance from a bone's line within which a blow hits, in character heights. It accounts for the flesh around bones.
const FLESH: f32 = 0.07;

#[derive(Clone, Debug)]
pub enum ModifierAction {
    Trigger(usize),
    Strikes(bool),
    KeyedTrack(Effector),
    /// Sets a key of the chosen effector at its bone's position in the picture.
    SetKey(usize),
}

impl Session {
    pub(crate) fn modifier_handles(&self) -> Vec<Handle> {
        if !self.look.view.targets || self.world.lab().is_some() {
            return Vec::new();
        }
        let projector = self.projector();
        let mut found = Vec::new();
        for (index, modifier) in self.world.stack().modifiers.iter().enumerate().filter(|(_, own)| own.is_on()) {
            for grip in [Grip::Target, Grip::To] {
                let Some((position, is_set)) = self.modifier_place(index, modifier, grip) else { continue };
                let screen = projector.to_screen(position).filter(|&screen| projector.viewport.contains(screen));
                if let Some(screen) = screen {
                    found.push(Handle { id: HandleId::Modifier(index, grip), position, screen, weight: 1.0, is_set });
                }
            }
        }
        found
    }

    pub fn modifier_place(&self, index: usize, modifier: &Modifier, grip: Grip) -> Option<(Vec3, bool)> {
        match (modifier, grip) {
            (Modifier::LookAt(own), Grip::Target) => own.target.map(|place| (place, true)),
            (Modifier::ReachFor(own), Grip::Target) => own.position.map(|place| (place, true)),
            (Modifier::ReachFor(own), Grip::To) => own.to.map(|place| (place, true)),
            (Modifier::Head(own), Grip::Target) => {
                let head = self.world.character.rig.figure.as_ref()?.head?;
                let bone = self.world.picture.pose.position(head);
                Some((own.position.unwrap_or(bone), own.position.is_some()))
            }
            (Modifier::Keyed(own), Grip::Target)
                if self.interaction.selection == Selection::Modifier(index, LayerId::Modifiers) =>
            {
                let track = own.tracks.iter().find(|track| track.effector == self.interaction.keyed)?;
                let place = track.at(self.world.clip_time())?.position;
                let place =
                    if own.in_world { place } else { self.world.solved.input.place.root.transform_point(place) };
                Some((place, true))
            }
            _ => None,
        }
    }

    /// Returns the rotation of a modifier's target, or of the target's bone if the modifier sets no rotation. Identity
    /// for kinds without a target rotation.
    pub(crate) fn modifier_rotation(&self, modifier: &Modifier) -> Quat {
        match modifier {
            Modifier::Head(own) => {
                let head = self.world.character.rig.figure.as_ref().and_then(|figure| figure.head);
                let bone = head.and_then(|head| self.world.picture.pose.bones.get(head));
                own.rotation.unwrap_or(bone.map_or(Quat::IDENTITY, |bone| bone.rotation))
            }
            Modifier::Keyed(own) => {
                let track = own.tracks.iter().find(|track| track.effector == self.interaction.keyed);
                let key = track.and_then(|track| track.at(self.world.clip_time())).unwrap_or_default();
                let root = if own.in_world { Quat::IDENTITY } else { self.world.solved.input.place.root.rotation };
                if key.rotation_weight > 0.0 {
                    root * key.rotation
                } else {
                    self.world.shown_rotation(self.interaction.keyed)
                }
            }
            Modifier::ReachFor(own) => own.rotation.unwrap_or_else(|| self.world.shown_rotation(own.effector)),
            _ => Quat::IDENTITY,
        }
    }

    fn with_key(&self, own: &mut Keyed, change: impl FnOnce(&mut Key)) {
        let time = self.world.clip_time();
        let track = own.track_mut(self.interaction.keyed);
        let mut key = Key { time, ..track.at(time).unwrap_or_default() };
        change(&mut key);
        track.set(key);
    }

    pub(crate) fn moved_modifier(&self, index: usize, grip: Grip, to: Vec3) -> Option<Stack> {
        let root = self.world.solved.input.place.root;
        self.world.with_modifier(index, |modifier| {
            match (modifier, grip) {
                (Modifier::LookAt(own), _) => {
                    own.target = Some(to);
                    self.world.move_attached(&mut own.attached, to);
                }
                (Modifier::ReachFor(own), Grip::Target) => {
                    own.position = Some(to);
                    self.world.move_attached(&mut own.attached, to);
                }
                (Modifier::ReachFor(own), Grip::To) => own.to = Some(to),
                (Modifier::Head(own), _) => own.position = Some(to),
                (Modifier::Keyed(own), _) => {
                    let in_world = own.in_world;
                    let seen = root.rotation.conjugate() * (to - root.position);
                    self.with_key(own, |key| key.position = if in_world { to } else { seen });
                }
                _ => return false,
            }
            true
        })
    }

    /// Returns the stack with the rotation of a modifier's target set to `to`. A rotation weight of 0 becomes 1.
    pub(crate) fn turned_modifier(&self, index: usize, to: Quat) -> Option<Stack> {
        let to = to.normalize();
        let root = self.world.solved.input.place.root.rotation;
        let place = self.world.bone_place_as_seen(self.interaction.keyed);
        self.world.with_modifier(index, |modifier| {
            match modifier {
                Modifier::Head(own) => {
                    own.rotation = Some(to);
                    own.rotation_weight = if own.rotation_weight > 0.0 { own.rotation_weight } else { 1.0 };
                }
                Modifier::ReachFor(own) => {
                    own.rotation = Some(to);
                    self.world.turn_attached(&mut own.attached, to);
                    own.rotation_weight = if own.rotation_weight > 0.0 { own.rotation_weight } else { 1.0 };
                }
                Modifier::Keyed(own) => {
                    let rotation = if own.in_world { to } else { root.conjugate() * to };
                    let has_key = own.tracks.iter().any(|track| track.effector == self.interaction.keyed);
                    self.with_key(own, |key| {
                        key.rotation = rotation;
                        key.rotation_weight = if key.rotation_weight > 0.0 { key.rotation_weight } else { 1.0 };
                        if !has_key {
                            key.position = place;
                        }
                    });
                }
                _ => return false,
            }
            true
        })
    }

    pub(crate) fn place_modifier(&mut self, index: usize, grip: Grip, to: Vec3, gesture: u64) {
        let what = text::edit_move(&HandleId::Modifier(index, grip).name());
        if let Some(stack) = self.moved_modifier(index, grip, to) {
            self.edit_stack(&what, Some(gesture), stack);
        }
    }

    /// Strikes the body under the pointer if a hit reaction is selected and clicks are blows. While paused, only a
    /// notice appears. Returns whether the click was handled.
    pub(crate) fn strike(&mut self, pointer: Vec2) -> bool {
        let Selection::Modifier(index, _) = self.interaction.selection else { return false };
        let stack = self.world.stack().clone();
        let Some(Modifier::HitReaction(own)) = stack.modifiers.get(index).filter(|_| self.interaction.strikes) else {
            return false;
        };
        if self.world.time.is_paused() {
            self.notify(text::STRIKE_PAUSED);
            return true;
        }
        let Some((point, direction)) = self.body_under(pointer) else { return false };
        let Some(hit) = Hit::new(self.world.motion.root, point, direction, own.force) else { return false };
        self.world.motion.tell(index, |memory| {
            let _ = stack.modifiers[index].strike(memory, hit);
        });
        self.world.time.needs_solve = true;
        true
    }

    /// Returns the point of the body's surface under the pointer, and the direction of the ray through the pointer. The
    /// surface is estimated at `FLESH` from the bones.
    pub fn body_under(&self, pointer: Vec2) -> Option<(Vec3, Vec3)> {
        let (eye, direction) = self.projector().ray(pointer);
        let (pose, flesh) = (&self.world.picture.pose.bones, FLESH * self.world.character.height);
        let skeleton = &self.world.character.model.skeleton;
        let mut best: Option<(f32, Vec3)> = None;
        for (bone, own) in skeleton.bones().iter().enumerate() {
            let Some(parent) = own.parent.filter(|_| bone < pose.len()) else { continue };
            let (a, b) = (pose[parent].position, pose[bone].position);
            let (at, away) = nearest_to_ray(eye, direction, [a, b]);
            let depth = (at - eye).dot(direction);
            if away < flesh && depth > 0.0 && best.is_none_or(|(nearest, _)| depth < nearest) {
                best = Some((depth, at - direction * flesh.min(depth)));
            }
        }
        best.map(|(_, at)| (at, direction))
    }

    pub(crate) fn apply_modifiers(&mut self, action: ModifierAction) {
        match action {
            ModifierAction::Trigger(index) => {
                if self.world.time.is_paused() {
                    return self.notify(text::TRIGGER_PAUSED);
                }
                let stack = self.world.stack().clone();
                if let Some(modifier) = stack.modifiers.get(index) {
                    self.world.motion.tell(index, |memory| modifier.trigger(memory));
                    self.world.time.needs_solve = true;
                }
            }
            ModifierAction::Strikes(strikes) => self.interaction.strikes = strikes,
            ModifierAction::KeyedTrack(effector) => self.interaction.keyed = effector,
            ModifierAction::SetKey(index) => {
                let to = self.world.bone_position(self.interaction.keyed);
                let gesture = self.new_gesture();
                self.place_modifier(index, Grip::Target, to, gesture);
                self.world.history.end_gesture();
            }
        }
    }
}

impl World {
    pub(crate) fn ahead(&self) -> Vec3 {
        self.motion.root.rotation * self.character.detection.facing
    }

    pub(crate) fn in_front(&self) -> Vec3 {
        let head = self.character.rig.figure.as_ref().and_then(|figure| figure.head);
        let from = head.map_or(self.motion.root.position, |head| self.picture.pose.position(head));
        from + self.ahead() * (self.character.height * 0.6)
    }

    /// Returns a modifier ready to be added. Look-at and reach-for modifiers get a target.
    pub fn new_modifier(&self, modifier: Modifier) -> Modifier {
        match modifier {
            Modifier::LookAt(own) => Modifier::LookAt(LookAt { target: Some(self.in_front()), ..own }),
            Modifier::ReachFor(own) => {
                let position = self.bone_position(own.effector) + self.ahead() * (self.character.height * 0.15);
                Modifier::ReachFor(ReachFor { position: Some(position), ..own })
            }
            other => other,
        }
    }

    pub(crate) fn grip_as_shown(&self, own: &TwoHandedGrip) -> RigidTransform {
        let (lead, other) = match own.hand {
            Side::Left => (Effector::LeftHand, Effector::RightHand),
            Side::Right => (Effector::RightHand, Effector::LeftHand),
        };
        let Some(figure) = &self.character.rig.figure else { return RigidTransform::IDENTITY };
        let bone = |hand: Effector| self.picture.pose.bones.get(figure.bone_of(hand)).copied().unwrap_or_default();
        bone(lead).to_local(&bone(other))
    }

    pub fn hold(&self, index: usize) -> Option<Hold> {
        let (figure, memory) = (self.character.rig.figure.as_ref()?, self.solved.memory.modifiers.get(index)?);
        let stack = &self.solved.input.stack;
        let modifier = stack.modifiers.get(index).filter(|own| own.is_on())?;
        modifier.hold(memory, figure, &self.solved.pose, stack.full_body.solver.weight)
    }

    pub(crate) fn move_attached(&self, attached: &mut Option<Attachment>, to: Vec3) {
        if let Some(own) = attached
            && let Ok(anchor) = self.anchor(&own.to)
        {
            own.move_to(&anchor, to);
        }
    }

    pub(crate) fn turn_attached(&self, attached: &mut Option<Attachment>, to: Quat) {
        if let Some(own) = attached
            && let Ok(anchor) = self.anchor(&own.to)
        {
            own.turn_to(&anchor, to);
        }
    }

    fn with_modifier(&self, index: usize, change: impl FnOnce(&mut Modifier) -> bool) -> Option<Stack> {
        let mut stack = self.stack().clone();
        let modifier = Arc::make_mut(&mut stack.modifiers).get_mut(index)?;
        change(modifier).then_some(stack)
    }

    fn bone_place_as_seen(&self, effector: Effector) -> Vec3 {
        let root = self.solved.input.place.root;
        root.rotation.conjugate() * (self.bone_position(effector) - root.position)
    }
}

/// Returns the point of a segment nearest to the line through `eye` along the unit vector `direction`, and its distance
/// from the line.
fn nearest_to_ray(eye: Vec3, direction: Vec3, [a, b]: [Vec3; 2]) -> (Vec3, f32) {
    let (along, from) = (b - a, a - eye);
    // The projection is onto the plane perpendicular to the ray, in which the ray is a point.
    let flat = |v: Vec3| v - direction * v.dot(direction);
    let (along_flat, from_flat) = (flat(along), flat(from));
    let squared = along_flat.length_squared();
    let t = if squared > 0.0 { (-from_flat.dot(along_flat) / squared).clamp(0.0, 1.0) } else { 0.0 };
    (a + along * t, (from_flat + along_flat * t).length())
}
