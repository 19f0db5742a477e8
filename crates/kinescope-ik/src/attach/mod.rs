//! Attachments: a target follows a bone, or the target of an effector, instead of staying at a point.
//!
//! ```text
//! target   = p + R · offset             p, R: position and rotation of the anchor
//! rotation = R · rotation_offset        for hands, feet and reach-for; unchanged without a rotation offset
//! ```
//!
//! Targets are resolved before the solve, so there is no feedback. A bone anchor is the bone in the pose that the full
//! body is given, before modifiers turn it and before the solve moves it. An effector anchor has the position of
//! the effector's target if that has position weight and, for hands and feet, the rotation of the target if that has
//! rotation weight; otherwise position and rotation of the effector's bone in the same pose. An attachment to an
//! attached effector is resolved after the attachment of that effector; a cycle is an error that names the fields that
//! close it.
//!
//! In a preset, section `attachments` has the attachments of effectors. Look-at and reach-for have a field `attached`:
//!
//! ```json
//! "attachments": { "left_hand": { "to": { "bone": "Door handle" }, "offset": [0, 0, 0.1], "rotation_offset": [0, 0, 0, 1] },
//!                  "right_hand": { "to": { "effector": "left_hand" }, "offset": [0.2, 0, 0] } },
//! "modifiers": [ { "look_at": { "attached": { "to": { "effector": "left_hand" } } } } ]
//! ```
//!
//! `offset` is in the space of the anchor, `[0, 0, 0]` by default. An attachment replaces the own target of the
//! effector or modifier. If the stack cannot resolve one attachment, for example because the model lacks the bone, all
//! own targets apply.
//!
//! [`stack::solve`](crate::stack::solve) resolves the attachments of effectors and of modifiers that are on. Before a
//! direct call of a solver, call [`resolve`] and [`Modifier::attach`](crate::modifiers::Modifier::attach).

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::error::{BadValue, Fault};
use crate::full_body::{Effector, Settings};
use crate::key::label;
use crate::math::read_rotation;
use crate::rig::{BoneIndex, RigidTransform, Skeleton};

/// What a target is attached to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Anchor {
    /// A bone, by its name.
    Bone(String),
    /// An effector of the same character.
    Effector(Effector),
}

impl Anchor {
    /// Returns the label on screen: the bone's name, or the effector's label such as `left hand`.
    pub fn label(&self) -> String {
        match self {
            Self::Bone(name) => name.clone(),
            Self::Effector(effector) => label(effector.key()),
        }
    }
}

/// The anchor of a target, and the target in the anchor's space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attachment {
    /// The anchor.
    pub to: Anchor,
    /// From the anchor to the target, in the anchor's space; model units.
    #[serde(default)]
    pub offset: Vec3,
    /// The target's rotation in the anchor's space; `None` keeps the rotation of the target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation_offset: Option<Quat>,
}

impl Attachment {
    /// Returns an attachment that keeps the target at `place` and, if given, with `rotation`; `anchor` is the current
    /// transform of the anchor `to`.
    pub fn keeping(to: Anchor, anchor: &RigidTransform, place: Vec3, rotation: Option<Quat>) -> Self {
        let mut new = Self { to, offset: Vec3::ZERO, rotation_offset: None };
        new.move_to(anchor, place);
        new.rotation_offset = rotation.map(|rotation| rotation_in(anchor, rotation));
        new
    }

    /// Returns the position of the target; `anchor` is the transform of its anchor, and both are in the same space.
    pub fn place(&self, anchor: &RigidTransform) -> Vec3 {
        anchor.transform_point(self.offset)
    }

    /// Returns the rotation of the target; `None` without a rotation offset.
    pub fn rotation(&self, anchor: &RigidTransform) -> Option<Quat> {
        self.rotation_offset.map(|offset| (anchor.rotation * offset).normalize())
    }

    /// Changes the offset so that the target is at `place`.
    pub fn move_to(&mut self, anchor: &RigidTransform, place: Vec3) {
        self.offset = anchor.rotation.conjugate() * (place - anchor.position);
    }

    /// Changes the rotation offset so that the target has `rotation`.
    pub fn turn_to(&mut self, anchor: &RigidTransform, rotation: Quat) {
        self.rotation_offset = Some(rotation_in(anchor, rotation));
    }

    /// Checks the numbers of the attachment.
    ///
    /// # Errors
    /// [`Fault`] for an offset or a rotation offset with invalid numbers.
    pub fn check(&self) -> Result<(), Fault> {
        BadValue::check_place(self.offset).map_err(|bad| bad.at("offset"))?;
        self.rotation_offset.map_or(Ok(()), BadValue::check_rotation).map_err(|bad| bad.at("rotation_offset"))
    }
}

fn rotation_in(anchor: &RigidTransform, rotation: Quat) -> Quat {
    (anchor.rotation.conjugate() * rotation).normalize()
}

/// Section `attachments` of a preset: the attachments of effectors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Attachments {
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<Attachment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_shoulder: Option<Attachment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right_shoulder: Option<Attachment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_thigh: Option<Attachment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right_thigh: Option<Attachment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_hand: Option<Attachment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right_hand: Option<Attachment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_foot: Option<Attachment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right_foot: Option<Attachment>,
}

/// Attached effectors in the order in which their targets are resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    effectors: [Option<Effector>; Effector::COUNT],
}

impl Order {
    /// Returns the attached effectors, each after the effector that it is attached to.
    pub fn iter(&self) -> impl Iterator<Item = Effector> + use<> {
        self.effectors.into_iter().flatten()
    }
}

impl Attachments {
    /// Returns the attachment of an effector's target; `None` if it is not attached.
    pub const fn get(&self, effector: Effector) -> Option<&Attachment> {
        match effector {
            Effector::Body => self.body.as_ref(),
            Effector::LeftShoulder => self.left_shoulder.as_ref(),
            Effector::RightShoulder => self.right_shoulder.as_ref(),
            Effector::LeftThigh => self.left_thigh.as_ref(),
            Effector::RightThigh => self.right_thigh.as_ref(),
            Effector::LeftHand => self.left_hand.as_ref(),
            Effector::RightHand => self.right_hand.as_ref(),
            Effector::LeftFoot => self.left_foot.as_ref(),
            Effector::RightFoot => self.right_foot.as_ref(),
        }
    }

    /// Returns the slot of the attachment, to change, set or clear.
    pub const fn get_mut(&mut self, effector: Effector) -> &mut Option<Attachment> {
        match effector {
            Effector::Body => &mut self.body,
            Effector::LeftShoulder => &mut self.left_shoulder,
            Effector::RightShoulder => &mut self.right_shoulder,
            Effector::LeftThigh => &mut self.left_thigh,
            Effector::RightThigh => &mut self.right_thigh,
            Effector::LeftHand => &mut self.left_hand,
            Effector::RightHand => &mut self.right_hand,
            Effector::LeftFoot => &mut self.left_foot,
            Effector::RightFoot => &mut self.right_foot,
        }
    }

    /// Returns all attachments, in the order of [`Effector::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Effector, &Attachment)> {
        Effector::ALL.into_iter().filter_map(|effector| Some((effector, self.get(effector)?)))
    }

    /// Returns whether no target is attached.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    fn above(&self, effector: Effector) -> Option<Effector> {
        match self.get(effector)?.to {
            Anchor::Effector(on) => Some(on),
            Anchor::Bone(_) => None,
        }
    }

    /// Returns the attached effectors, each after the one that it is attached to. Allocates nothing.
    ///
    /// # Errors
    /// [`Fault`] for a cycle, with the fields that close it.
    pub fn order(&self) -> Result<Order, Fault> {
        let mut order = Order::default();
        let mut is_placed = Effector::ALL.map(|effector| self.get(effector).is_none());
        for slot in &mut order.effectors {
            let is_next = |effector: &Effector| {
                !is_placed[*effector as usize] && self.above(*effector).is_none_or(|on| is_placed[on as usize])
            };
            let Some(next) = Effector::ALL.into_iter().find(is_next) else { break };
            is_placed[next as usize] = true;
            *slot = Some(next);
        }
        match Effector::ALL.into_iter().find(|&effector| !is_placed[effector as usize]) {
            None => Ok(order),
            Some(_) => Err(self.cycle()),
        }
    }

    fn cycle(&self) -> Fault {
        let above = |from: Effector| std::iter::successors(self.above(from), |&at| self.above(at));
        let is_within = |own: &Effector| above(*own).take(Effector::COUNT).any(|at| at == *own);
        let within = Effector::ALL.into_iter().find(is_within).unwrap_or(Effector::Body);
        let on = self.above(within).unwrap_or(within);
        let place = format!("{}.to.effector", within.key());
        if on == within {
            return Fault::new(place, "is the effector itself: attach it to another effector, or to a bone");
        }
        let mut last = on;
        for _ in 0..Effector::COUNT {
            match self.above(last) {
                Some(next) if next != within => last = next,
                Some(_) | None => break,
            }
        }
        let message = format!(
            "is {}, and attachments.{}.to.effector leads back to {}: detach one of them",
            on.key(),
            last.key(),
            within.key()
        );
        Fault::new(place, message)
    }

    /// Checks all attachments.
    ///
    /// # Errors
    /// [`Fault`] for an offset or rotation offset with invalid numbers, and for a cycle; its place begins with the
    /// effector.
    pub fn validate(&self) -> Result<(), Fault> {
        for (effector, own) in self.iter() {
            own.check().map_err(|fault| fault.within(effector.key()))?;
        }
        self.order().map(|_| ())
    }
}

/// A pose with the skeleton and the effectors' bones, to find anchors in the pose.
#[derive(Clone, Copy, Debug)]
pub struct Posed<'a> {
    /// The skeleton.
    pub skeleton: &'a Skeleton,
    /// The bone of each effector, in the order of [`Effector::ALL`].
    pub effectors: [BoneIndex; Effector::COUNT],
    /// The pose that the full body is given, before modifiers; targets are in the same space.
    pub pose: &'a [RigidTransform],
}

impl Posed<'_> {
    fn bone(&self, bone: BoneIndex) -> Result<RigidTransform, Fault> {
        let found = self.pose.get(bone).and_then(|own| {
            BadValue::check_place(own.position).ok()?;
            Some(RigidTransform { rotation: read_rotation(own.rotation)?, ..*own })
        });
        found.ok_or_else(|| {
            let name = self.skeleton.bones().get(bone).map_or("", |bone| bone.name.as_str());
            Fault::new("", format!("bone {name:?} has an invalid position or rotation in this pose; correct the pose"))
        })
    }

    /// Returns the transform of an effector before the solve: the position of its target if that has weight and, for
    /// hands and feet, the rotation of its target if that has weight; otherwise position and rotation of its bone.
    ///
    /// # Errors
    /// [`Fault`] for a bone with invalid numbers.
    pub fn effector(&self, settings: &Settings, effector: Effector) -> Result<RigidTransform, Fault> {
        let own = settings.effector(effector);
        let bone = self.bone(self.effectors[effector as usize])?;
        let position = own.position.filter(|_| own.position_weight > 0.0).unwrap_or(bone.position);
        // Body, shoulders and thighs take no rotation.
        let turns = effector.limb().is_some() && own.rotation_weight > 0.0;
        let rotation = own.rotation.filter(|_| turns).and_then(read_rotation).unwrap_or(bone.rotation);
        Ok(RigidTransform { position, rotation })
    }

    /// Returns the transform of an anchor before the solve. In `settings`, the attachments that the anchor depends on
    /// must be resolved already.
    ///
    /// # Errors
    /// [`Fault`] for a bone that the skeleton lacks or that has invalid numbers; its place is `to.bone` or
    /// `to.effector`.
    pub fn anchor(&self, settings: &Settings, anchor: &Anchor) -> Result<RigidTransform, Fault> {
        match anchor {
            Anchor::Effector(effector) => {
                self.effector(settings, *effector).map_err(|fault| fault.within("to.effector"))
            }
            Anchor::Bone(name) => {
                let bone = self.skeleton.find(name).ok_or_else(|| missing_bone(name))?;
                self.bone(bone).map_err(|fault| fault.within("to.bone"))
            }
        }
    }
}

fn missing_bone(name: &str) -> Fault {
    Fault::new("to.bone", format!("the model has no bone {name:?}; choose one of its bones"))
}

/// Resolves the attached targets of effectors in `settings`, dependencies first. Before it sets a target, it calls
/// `each` with the effector and the transform of its anchor. Allocates nothing.
///
/// ```
/// use kinescope_ik::attach::{Anchor, Attachment, Attachments, Posed, resolve};
/// # use kinescope_ik::{Effector, Settings};
/// # use glam::Vec3;
/// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
/// # let kinescope_ik::trace::Rig { skeleton, biped, reference, animated } = kinescope_ik::Trace::from_json(&text)?.rig;
/// let figure = kinescope_ik::modifiers::Figure::new(&skeleton, &biped, &reference)?;
///
/// // The left hand reaches for a point 0.1 along the head's −Y axis.
/// let mut attachments = Attachments::default();
/// let head = Anchor::Bone(skeleton.bones()[biped.head.unwrap()].name.clone());
/// *attachments.get_mut(Effector::LeftHand) =
///     Some(Attachment { to: head, offset: Vec3::new(0.0, -0.1, 0.0), rotation_offset: None });
///
/// let mut settings = Settings::default();
/// settings.effector_mut(Effector::LeftHand).position_weight = 1.0;
/// let posed = Posed { skeleton: &skeleton, effectors: figure.effector_bones(), pose: &animated };
/// resolve(&attachments, &posed, &mut settings, |_, _| {})?;
/// let head = animated[biped.head.unwrap()];
/// let target = settings.effector(Effector::LeftHand).position.unwrap();
/// assert!(target.distance(head.position + head.rotation * Vec3::new(0.0, -0.1, 0.0)) < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Fault`] for a cycle, or a bone that is missing or has invalid numbers; then `settings` are unchanged.
pub fn resolve(
    attachments: &Attachments,
    posed: &Posed,
    settings: &mut Settings,
    mut each: impl FnMut(Effector, RigidTransform),
) -> Result<(), Fault> {
    let mut resolved = *settings;
    for effector in attachments.order()?.iter() {
        let Some(own) = attachments.get(effector) else { continue };
        let anchor = posed.anchor(&resolved, &own.to).map_err(|fault| fault.within(effector.key()))?;
        each(effector, anchor);
        put(own, &anchor, effector, &mut resolved);
    }
    *settings = resolved;
    Ok(())
}

pub(crate) fn put(own: &Attachment, anchor: &RigidTransform, effector: Effector, settings: &mut Settings) {
    let target = settings.effector_mut(effector);
    target.position = Some(own.place(anchor));
    if effector.limb().is_some() {
        target.rotation = own.rotation(anchor).or(target.rotation);
    }
}

/// Turns edits of attached targets into edits of their offsets.
///
/// `before` are the [resolved](resolve) settings, `stored` the unresolved ones, `after` the resolved settings with the
/// edit. A target that was moved gets a new offset, one that was turned a new rotation offset. A target whose position
/// was cleared is detached. Positions and rotations of attached targets that were not edited get their stored values in
/// `after`.
///
/// # Errors
/// As [`resolve`]; then `attachments` and `after` are unchanged.
pub fn follow_edit(
    attachments: &mut Attachments,
    posed: &Posed,
    [before, stored]: [&Settings; 2],
    after: &mut Settings,
) -> Result<(), Fault> {
    let order = attachments.order()?;
    // An anchor can fail after others were followed, so the changes are made to copies.
    let (mut followed, mut result) = (attachments.clone(), *after);
    // A target that is attached to an edited target follows it.
    let mut resolved = *after;
    for effector in order.iter() {
        let slot = followed.get_mut(effector);
        let Some(own) = slot else { continue };
        let (shown, kept, edited) =
            (before.effector(effector), stored.effector(effector), result.effector_mut(effector));
        if edited.position.is_none() && shown.position.is_some() {
            *slot = None;
            continue;
        }
        let anchor = posed.anchor(&resolved, &own.to).map_err(|fault| fault.within(effector.key()))?;
        match edited.position.filter(|_| edited.position != shown.position && edited.position != kept.position) {
            Some(place) => own.move_to(&anchor, place),
            None => edited.position = kept.position,
        }
        match edited.rotation.filter(|_| edited.rotation != shown.rotation && edited.rotation != kept.rotation) {
            Some(rotation) => own.turn_to(&anchor, rotation),
            None => edited.rotation = kept.rotation,
        }
        put(own, &anchor, effector, &mut resolved);
    }
    (*attachments, *after) = (followed, result);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(effector: Effector) -> Option<Attachment> {
        Some(Attachment { to: Anchor::Effector(effector), offset: Vec3::X, rotation_offset: None })
    }

    #[test]
    fn chains_are_resolved_from_their_anchor_outwards() {
        let mut attachments = Attachments::default();
        *attachments.get_mut(Effector::Body) = on(Effector::LeftHand);
        *attachments.get_mut(Effector::LeftHand) = on(Effector::RightFoot);
        *attachments.get_mut(Effector::RightFoot) = on(Effector::LeftFoot);
        let order: Vec<Effector> = attachments.order().unwrap().iter().collect();
        assert_eq!(order, [Effector::RightFoot, Effector::LeftHand, Effector::Body]);
    }

    #[test]
    fn a_cycle_is_refused_with_both_fields() {
        let mut attachments = Attachments::default();
        *attachments.get_mut(Effector::LeftHand) = on(Effector::RightHand);
        *attachments.get_mut(Effector::RightHand) = on(Effector::LeftHand);
        // `body` leads into the cycle but is not part of it.
        *attachments.get_mut(Effector::Body) = on(Effector::LeftHand);
        let message = attachments.validate().unwrap_err().within("attachments").to_string();
        for field in ["attachments.left_hand.to.effector", "attachments.right_hand.to.effector"] {
            assert!(message.contains(field), "{message}");
        }
        *attachments.get_mut(Effector::RightHand) = on(Effector::RightHand);
        let message = attachments.validate().unwrap_err().to_string();
        assert!(message.starts_with("right_hand.to.effector: is the effector itself"), "{message}");
    }
}
