//! Attachments: a target follows a bone, or the target of an effector, instead of staying at a point.
//!
//! ```text
//! target   = p + R · offset             p, R: place and rotation of what it is attached to
//! rotation = R · rotation_offset        of hands, feet and what reaches; left as it is without a rotation offset
//! ```
//!
//! `p` and `R` are known before the solve, so nothing feeds back: those of a bone in the animated pose that the full body is
//! handed, before modifiers turn bones of it, even where the solve then moves that bone. An effector is where its target is
//! while it has position weight, turned as its target rotation is while it has rotation weight, and else where its own bone
//! is in that pose. A chain of attachments is resolved from its anchor outwards; a cycle is an error that names two fields.
//!
//! Section `attachments` of a preset holds those of effectors, by their names. Look-at and reach-for carry their own, in the
//! field `attached`:
//!
//! ```json
//! "attachments": { "left_hand": { "to": { "bone": "Door handle" }, "offset": [0, 0, 0.1], "rotation_offset": [0, 0, 0, 1] },
//!                  "right_hand": { "to": { "effector": "left_hand" }, "offset": [0.2, 0, 0] } },
//! "modifiers": [ { "look_at": { "attached": { "to": { "effector": "left_hand" } } } } ]
//! ```
//!
//! `offset` is in the space of the anchor, `[0, 0, 0]` by default. While a target is attached, the place that the effector or
//! modifier itself holds does not count; it is where the target goes back to if the bone is not there.
//!
//! [`stack::solve`](crate::stack::solve) resolves all of them. A game that calls a solver itself calls [`resolve`] and
//! [`Modifier::attach`](crate::modifiers::Modifier::attach) before.

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
    /// As a person reads it: the bone's name, or `left hand`.
    pub fn label(&self) -> String {
        match self {
            Self::Bone(name) => name.clone(),
            Self::Effector(effector) => label(effector.key()),
        }
    }
}

/// Where a target is, seen from its anchor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attachment {
    /// What the target follows.
    pub to: Anchor,
    /// From the anchor to the target, in the anchor's space; model units.
    #[serde(default)]
    pub offset: Vec3,
    /// The target's rotation in the anchor's space; without one the rotation is not attached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation_offset: Option<Quat>,
}

impl Attachment {
    /// An attachment that leaves a target where it is now: `anchor` is where its anchor is, `rotation` the target's.
    pub fn keeping(to: Anchor, anchor: &RigidTransform, place: Vec3, rotation: Option<Quat>) -> Self {
        let mut new = Self { to, offset: Vec3::ZERO, rotation_offset: None };
        new.move_to(anchor, place);
        new.rotation_offset = rotation.map(|rotation| rotation_in(anchor, rotation));
        new
    }

    /// Where the target is.
    pub fn place(&self, anchor: &RigidTransform) -> Vec3 {
        anchor.transform_point(self.offset)
    }

    /// How the target is turned; `None` where its rotation is not attached.
    pub fn rotation(&self, anchor: &RigidTransform) -> Option<Quat> {
        self.rotation_offset.map(|offset| (anchor.rotation * offset).normalize())
    }

    /// Changes the offset so that the target is at `place`.
    pub fn move_to(&mut self, anchor: &RigidTransform, place: Vec3) {
        self.offset = anchor.rotation.conjugate() * (place - anchor.position);
    }

    /// Changes the rotation offset so that the target is turned as `rotation`.
    pub fn turn_to(&mut self, anchor: &RigidTransform, rotation: Quat) {
        self.rotation_offset = Some(rotation_in(anchor, rotation));
    }

    /// # Errors
    /// [`Fault`] for an offset that is no place, or a rotation offset that is no rotation.
    pub fn check(&self) -> Result<(), Fault> {
        BadValue::check_place(self.offset).map_err(|bad| bad.at("offset"))?;
        self.rotation_offset.map_or(Ok(()), BadValue::check_rotation).map_err(|bad| bad.at("rotation_offset"))
    }
}

/// A rotation, seen from an anchor.
fn rotation_in(anchor: &RigidTransform, rotation: Quat) -> Quat {
    (anchor.rotation.conjugate() * rotation).normalize()
}

/// Section `attachments` of a preset: what the targets of effectors are attached to.
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

/// Effectors in the order in which their targets are resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    effectors: [Option<Effector>; Effector::COUNT],
}

impl Order {
    /// From those that depend on nothing else.
    pub fn iter(&self) -> impl Iterator<Item = Effector> + use<> {
        self.effectors.into_iter().flatten()
    }
}

impl Attachments {
    /// What an effector's target is attached to.
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

    /// The same, to be changed, set or taken away.
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

    /// All of them, in the order of [`Effector::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Effector, &Attachment)> {
        Effector::ALL.into_iter().filter_map(|effector| Some((effector, self.get(effector)?)))
    }

    /// Whether no target is attached.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The effector that an effector's target is attached to.
    fn above(&self, effector: Effector) -> Option<Effector> {
        match self.get(effector)?.to {
            Anchor::Effector(on) => Some(on),
            Anchor::Bone(_) => None,
        }
    }

    /// The attached effectors, each after the one that it is attached to. Allocates nothing.
    ///
    /// # Errors
    /// [`Fault`] for attachments that lead back to where they begin, with the two fields that close the cycle.
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

    /// The fault of a cycle that there is.
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

    /// # Errors
    /// [`Fault`] for an offset that is none, and for a cycle; its place begins with the effector.
    pub fn validate(&self) -> Result<(), Fault> {
        for (effector, own) in self.iter() {
            own.check().map_err(|fault| fault.within(effector.key()))?;
        }
        self.order().map(|_| ())
    }
}

/// The pose that anchors are looked up in.
#[derive(Clone, Copy, Debug)]
pub struct Posed<'a> {
    /// The character's bones.
    pub skeleton: &'a Skeleton,
    /// The bone behind each effector, in the order of [`Effector::ALL`].
    pub effectors: [BoneIndex; Effector::COUNT],
    /// The animated pose; model space.
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
            Fault::new("", format!("bone {name:?} has numbers in this pose that no bone can have"))
        })
    }

    /// Where an effector is before the solve: at its target, as far as it has weight, else at its bone.
    ///
    /// # Errors
    /// [`Fault`] for a bone with numbers that no bone can have.
    pub fn effector(&self, settings: &Settings, effector: Effector) -> Result<RigidTransform, Fault> {
        let own = settings.effector(effector);
        let bone = self.bone(self.effectors[effector as usize])?;
        let position = own.position.filter(|_| own.position_weight > 0.0).unwrap_or(bone.position);
        // Body, shoulders and thighs take no rotation.
        let turns = effector.limb().is_some() && own.rotation_weight > 0.0;
        let rotation = own.rotation.filter(|_| turns).and_then(read_rotation).unwrap_or(bone.rotation);
        Ok(RigidTransform { position, rotation })
    }

    /// Where an anchor is before the solve; `settings` are those with attached targets resolved that it depends on.
    ///
    /// # Errors
    /// [`Fault`] for a bone that the skeleton does not have: its place is that of the anchor within the attachment.
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

/// The fault of an anchor that names a bone which the model does not have.
fn missing_bone(name: &str) -> Fault {
    Fault::new("to.bone", format!("the model has no bone {name:?}; name one that it has"))
}

/// Puts attached targets of effectors where their anchors have them, each after the one that it depends on. `each` is
/// called with every effector before its target is set, and where its anchor is. Allocates nothing.
///
/// ```
/// use kinescope_ik::attach::{Anchor, Attachment, Attachments, Posed, resolve};
/// # use kinescope_ik::{Effector, Settings};
/// # use glam::Vec3;
/// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
/// # let kinescope_ik::trace::Rig { skeleton, biped, reference, animated } = kinescope_ik::Trace::from_json(&text)?.rig;
/// let figure = kinescope_ik::modifiers::Figure::new(&skeleton, &biped, &reference)?;
///
/// // The left hand holds on to something that hangs 10 cm below the head.
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
/// [`Fault`] for a cycle, or a bone that there is not; settings stay as they were.
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

/// Puts the target of an effector where its anchor has it.
pub(crate) fn put(own: &Attachment, anchor: &RigidTransform, effector: Effector, settings: &mut Settings) {
    let target = settings.effector_mut(effector);
    target.position = Some(own.place(anchor));
    if effector.limb().is_some() {
        target.rotation = own.rotation(anchor).or(target.rotation);
    }
}

/// A target that goes through a chain of edits: whoever moved it meant the place, not the offset.
///
/// `before` is what was shown, `stored` what the settings held that are not [resolved](resolve), `after` the settings that
/// were edited. An attached target that was moved or turned gets the offset for where it is put; one that was let go is
/// detached; all others keep what was stored.
///
/// # Errors
/// As [`resolve`].
pub fn follow_edit(
    attachments: &mut Attachments,
    posed: &Posed,
    [before, stored]: [&Settings; 2],
    after: &mut Settings,
) -> Result<(), Fault> {
    let order = attachments.order()?;
    // With targets where they will be, for those that are attached to them.
    let mut resolved = *after;
    for effector in order.iter() {
        let slot = attachments.get_mut(effector);
        let Some(own) = slot else { continue };
        let (shown, kept, edited) =
            (before.effector(effector), stored.effector(effector), after.effector_mut(effector));
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
        // This one leads into the cycle without being of it.
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
