//! The character that trackers are worn on, and the body of the user.

use std::sync::Arc;

use glam::{Mat3, Quat, Vec3};

use super::mounts::Mounts;
use super::settings::TrackerSettings;
use super::tracker::Tracker;
use crate::error::{BadValue, Fault, Problem};
use crate::math::{from_to_rotation, share, unit};
use crate::modifiers::Figure;
use crate::rig::{LimbName, RigidTransform};

/// The bones that carry trackers, and the first joints of the limbs, in the space of the character's root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// The bone of each tracker, in the order of [`Tracker::ALL`]; the chest for the head of a character without one.
    pub bones: [RigidTransform; Tracker::COUNT],
    /// Shoulder and hip joints, in the order of [`LimbName::ALL`].
    pub roots: [Vec3; 4],
}

/// A character that wears trackers.
#[derive(Clone, Debug, PartialEq)]
pub struct Wearer {
    /// Bones and directions of the character.
    pub figure: Arc<Figure>,
    /// The reference pose.
    pub reference: Body,
    /// The rotation from the character's own axes (x left, y up, z forward) to model space.
    axes: Quat,
}

impl Body {
    /// Returns the transform of a tracker's bone.
    pub const fn bone(&self, tracker: Tracker) -> &RigidTransform {
        &self.bones[tracker as usize]
    }

    fn bone_mut(&mut self, tracker: Tracker) -> &mut RigidTransform {
        &mut self.bones[tracker as usize]
    }

    fn shoulders(&self) -> Vec3 {
        (self.roots[0] + self.roots[1]) * 0.5
    }

    /// Returns the body with arms, legs and height scaled. Before the height is scaled, raises the body by `legs − 1`
    /// times the height of the pelvis, so that feet on the ground stay near the ground.
    #[must_use]
    pub(super) fn scaled(&self, height: f32, arms: f32, legs: f32) -> Self {
        let mut own = *self;
        let lift = Vec3::Y * ((legs - 1.0) * self.bone(Tracker::Pelvis).position.y);
        own.roots = self.roots.map(|root| (root + lift) * height);
        for tracker in Tracker::ALL {
            let place = self.bone(tracker).position;
            let to = match tracker.limb() {
                Some((limb, _)) => {
                    let root = self.roots[limb.index()];
                    let by = if limb.index() < 2 { arms } else { legs };
                    root + (place - root) * by
                }
                None => place,
            };
            own.bone_mut(tracker).position = (to + lift) * height;
        }
        own
    }

    /// Returns the body with both arms rotated about the shoulders toward the ground by an angle in degrees, at most
    /// until they hang straight down.
    #[must_use]
    pub(super) fn slouched(&self, degrees: f32) -> Self {
        let mut own = *self;
        for (limb, parts) in [
            (LimbName::LeftArm, [Tracker::LeftElbow, Tracker::LeftHand]),
            (LimbName::RightArm, [Tracker::RightElbow, Tracker::RightHand]),
        ] {
            let root = self.roots[limb.index()];
            let arm = self.bone(parts[1]).position - root;
            let whole = arm.angle_between(Vec3::NEG_Y);
            let Some(direction) = unit(arm).filter(|_| whole > 1e-4 && degrees > 0.0) else { continue };
            let turn = share(from_to_rotation(direction, Vec3::NEG_Y), (degrees.to_radians() / whole).min(1.0));
            for part in parts {
                let bone = own.bone_mut(part);
                bone.position = root + turn * (bone.position - root);
                bone.rotation = turn * bone.rotation;
            }
        }
        own
    }
}

impl Wearer {
    /// Makes a character that wears trackers. `reference` is its reference pose, in model space.
    ///
    /// # Errors
    /// [`Fault`] for a pose that is too short, or an invalid bone.
    pub fn new(figure: Arc<Figure>, reference: &[RigidTransform]) -> Result<Self, Fault> {
        let body = read(&figure, reference, &RigidTransform::IDENTITY)?;
        let (up, forward) = (unit(figure.up), unit(figure.facing));
        let axes = up.zip(forward).map_or(Quat::IDENTITY, |(up, forward)| {
            Quat::from_mat3(&Mat3::from_cols(up.cross(forward), up, forward)).normalize()
        });
        Ok(Self { figure, reference: body, axes })
    }

    /// Reads the bones of a pose into the space of the character's root.
    ///
    /// # Errors
    /// [`Fault`] for a pose that is too short, or an invalid bone.
    pub fn read(&self, pose: &[RigidTransform], root: &RigidTransform) -> Result<Body, Fault> {
        read(&self.figure, pose, root)
    }

    /// Returns whether the character has the bone of a tracker: false only for the head of a character without one.
    pub fn wears(&self, tracker: Tracker) -> bool {
        tracker != Tracker::Head || self.figure.head.is_some()
    }

    /// Returns the body of the user who moves as `body` does: `body` with height, arms and legs scaled by the settings.
    pub fn user(&self, settings: &TrackerSettings, body: &Body) -> Body {
        body.scaled(settings.height, settings.arms, settings.legs)
    }

    /// Returns the place of a tracker in the space of its bone.
    pub fn mount(&self, mounts: &Mounts, tracker: Tracker) -> RigidTransform {
        let own = mounts.get(tracker);
        let from_axes = self.reference.bone(tracker).rotation.conjugate() * self.axes;
        RigidTransform { position: from_axes * own.position, rotation: from_axes * own.rotation }
    }

    /// Converts a place in the space of a tracker's bone to a place as in [`Mounts`]: the inverse of [`Self::mount`].
    pub(super) fn measured(&self, mount: &RigidTransform, tracker: Tracker) -> RigidTransform {
        let to_axes = self.axes.conjugate() * self.reference.bone(tracker).rotation;
        let rotation = (to_axes * mount.rotation).normalize();
        RigidTransform { position: to_axes * mount.position, rotation }
    }

    /// Returns the middle of the shoulders, which a tracker's bone carries from the reference pose to `bone`.
    pub(super) fn shoulders_on(&self, tracker: Tracker, bone: &RigidTransform) -> Vec3 {
        let own = self.reference.bone(tracker);
        bone.transform_point(own.rotation.conjugate() * (self.reference.shoulders() - own.position))
    }

    /// Returns the first joint of a limb, which a tracker's bone carries from the reference pose to `bone`.
    pub(super) fn root_on(&self, limb: LimbName, tracker: Tracker, bone: &RigidTransform) -> Vec3 {
        let own = self.reference.bone(tracker);
        bone.transform_point(own.rotation.conjugate() * (self.reference.roots[limb.index()] - own.position))
    }

    /// Returns the horizontal direction that a head faces; unit. `None` if there is none.
    pub(super) fn heading(&self, head: &RigidTransform) -> Option<Vec3> {
        let turn = head.rotation * self.reference.bone(Tracker::Head).rotation.conjugate();
        let (forward, up) = (turn * self.figure.facing, turn * Vec3::Y);
        // A head that looks straight down faces where its top points; one that looks straight up, where its bottom points.
        unit((forward - up * forward.y).with_y(0.0))
    }
}

fn read(figure: &Figure, pose: &[RigidTransform], root: &RigidTransform) -> Result<Body, Fault> {
    let expected = figure.bones();
    if pose.len() < expected {
        return Err(Fault::new("animated", Problem::Length { what: "bones", found: pose.len(), expected }));
    }
    let bone = |index: usize| -> Result<RigidTransform, Fault> {
        let own = &pose[index];
        BadValue::check_place(own.position).map_err(|bad| bad.at(format!("animated[{index}].position")))?;
        BadValue::check_rotation(own.rotation).map_err(|bad| bad.at(format!("animated[{index}].rotation")))?;
        let local = root.to_local(own);
        Ok(RigidTransform { rotation: local.rotation.normalize(), ..local })
    };
    let mut body = Body { bones: [RigidTransform::IDENTITY; Tracker::COUNT], roots: [Vec3::ZERO; 4] };
    for tracker in Tracker::ALL {
        let index = match (tracker.limb(), tracker) {
            (Some((limb, joint)), _) => figure.limbs[limb.index()][joint],
            (None, Tracker::Pelvis) => figure.pelvis,
            (None, Tracker::Head) => figure.head.unwrap_or_else(|| figure.chest()),
            (None, _) => figure.chest(),
        };
        *body.bone_mut(tracker) = bone(index)?;
    }
    for limb in LimbName::ALL {
        body.roots[limb.index()] = bone(figure.limbs[limb.index()][0])?.position;
    }
    Ok(body)
}
