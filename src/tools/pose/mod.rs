//! Posing by handles, gizmo, outliner and inspector, also of several effectors at once; mirror editing; copying,
//! pasting and mirroring poses.

pub(crate) mod attach;
pub mod gizmo;
pub mod handles;
pub(crate) mod inspector;
pub(crate) mod outliner;
pub(crate) mod picture;
mod pointer;
pub mod session;
pub(crate) mod words;

use glam::{Quat, Vec3};

use crate::character::preset_model::PresetModel;
use kinescope_ik::error::Fault;
use kinescope_ik::full_body::{ChainSettings, Effector, EffectorSettings, Settings};
use kinescope_ik::preset::Preset;
use kinescope_ik::rig::LimbName;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EffectorSet(u16);

impl EffectorSet {
    pub const ALL: Self = Self((1 << Effector::COUNT) - 1);

    pub const fn contains(self, effector: Effector) -> bool {
        self.0 & (1 << effector as u16) != 0
    }

    pub const fn with(self, effector: Effector) -> Self {
        Self(self.0 | 1 << effector as u16)
    }

    pub(crate) const fn without(self, effector: Effector) -> Self {
        Self(self.0 & !(1 << effector as u16))
    }

    pub fn iter(self) -> impl Iterator<Item = Effector> {
        Effector::ALL.into_iter().filter(move |&effector| self.contains(effector))
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }
}

/// The sagittal plane of a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mirror {
    /// Point on the plane, model space.
    pub point: Vec3,
    /// Unit vector to the left, model space.
    pub left: Vec3,
    /// Rotation of each effector's bone in the reference pose, model space. Left and right bones are seldom mirror
    /// images, so rotations are mirrored relative to this pose.
    pub reference: [Quat; Effector::COUNT],
}

impl Mirror {
    pub fn position(&self, position: Vec3) -> Vec3 {
        self.point + self.direction(position - self.point)
    }

    pub(crate) fn direction(&self, direction: Vec3) -> Vec3 {
        direction - self.left * (2.0 * direction.dot(self.left))
    }

    pub fn rotation(&self, effector: Effector, rotation: Quat) -> Quat {
        let turned = rotation * self.reference[effector as usize].conjugate();
        // A rotation axis is a pseudovector. Its component along the normal stays, and the others change sign.
        let axis = -self.direction(turned.xyz());
        let mirrored = Quat::from_xyzw(axis.x, axis.y, axis.z, turned.w);
        (mirrored * self.reference[effector.opposite() as usize]).normalize()
    }

    fn effector(&self, effector: Effector, own: &EffectorSettings) -> EffectorSettings {
        EffectorSettings {
            position: own.position.map(|position| self.position(position)),
            rotation: own.rotation.map(|rotation| self.rotation(effector, rotation)),
            position_offset: self.direction(own.position_offset),
            ..*own
        }
    }

    fn chain(&self, own: &ChainSettings) -> ChainSettings {
        ChainSettings {
            bend_goal: own.bend_goal.map(|goal| self.position(goal)),
            bend_direction: own.bend_direction.map(|direction| self.direction(direction)),
            ..*own
        }
    }

    /// Returns the pose with left and right exchanged: effectors with targets, offsets and weights, and bends. Other
    /// parameters stay.
    pub fn pose(&self, settings: &Settings) -> Settings {
        let mut mirrored = *settings;
        for effector in Effector::ALL {
            *mirrored.effector_mut(effector.opposite()) = self.effector(effector, settings.effector(effector));
        }
        for limb in LimbName::ALL {
            take_bend(mirrored.chain_mut(limb.opposite()), &self.chain(settings.chain(limb)));
        }
        mirrored
    }

    /// Repeats an edit of one side on the other. If both sides changed, both keep their changes.
    pub(crate) fn spread(&self, before: &Settings, after: &mut Settings) {
        let done = *after;
        for effector in Effector::ALL.into_iter().filter(|effector| effector.opposite() != *effector) {
            let changed = |effector| before.effector(effector) != done.effector(effector);
            if changed(effector) && !changed(effector.opposite()) {
                *after.effector_mut(effector.opposite()) = self.effector(effector, done.effector(effector));
            }
        }
        for limb in LimbName::ALL {
            let changed = |limb| before.chain(limb) != done.chain(limb);
            if changed(limb) && !changed(limb.opposite()) {
                *after.chain_mut(limb.opposite()) = self.chain(done.chain(limb));
            }
        }
    }
}

fn take_bend(to: &mut ChainSettings, from: &ChainSettings) {
    (to.bend_goal, to.bend_direction, to.bend_weight) = (from.bend_goal, from.bend_direction, from.bend_weight);
}

/// Repeats an edit of one selected effector on the others. They get the changed weights, and move and turn by the same
/// amount. `stands` returns position and rotation of an effector without a target.
pub(crate) fn spread_to(
    others: EffectorSet,
    before: &Settings,
    after: &mut Settings,
    stands: impl Fn(Effector) -> (Vec3, Quat),
) {
    let changed = Effector::ALL.into_iter().find(|&effector| before.effector(effector) != after.effector(effector));
    let Some(lead) = changed.filter(|&lead| others.contains(lead)) else { return };
    let (was, is) = (*before.effector(lead), *after.effector(lead));
    let (stood, turned) = stands(lead);
    for other in others.without(lead).iter() {
        let (other_stood, other_turned) = stands(other);
        let own = after.effector_mut(other);
        if was.position != is.position {
            own.position = is.position.map(|to| {
                let by = to - was.position.unwrap_or(stood);
                own.position.unwrap_or(other_stood) + by
            });
        }
        // Body, shoulders and thighs have no rotation targets.
        if was.rotation != is.rotation && other.limb().is_some() {
            own.rotation = is.rotation.map(|to| {
                let by = to * was.rotation.unwrap_or(turned).conjugate();
                (by * own.rotation.unwrap_or(other_turned)).normalize()
            });
        }
        own.position_offset += is.position_offset - was.position_offset;
        let pairs = [
            (was.position_weight, is.position_weight, &mut own.position_weight),
            (was.rotation_weight, is.rotation_weight, &mut own.rotation_weight),
            (was.maintain_relative_position, is.maintain_relative_position, &mut own.maintain_relative_position),
        ];
        for (was, is, own) in pairs {
            if was != is {
                *own = is;
            }
        }
        // A target without weight would have no visible effect, so it gets full weight.
        if was.position != is.position
            && let Some(position) = own.position
        {
            handles::place(after, handles::HandleId::Effector(other), position);
        }
    }
}

pub(crate) fn copy(settings: &Settings) -> String {
    let mut pose = Settings::default();
    take_pose(&mut pose, settings);
    Preset { settings: pose, ..Preset::default() }.to_json()
}

pub(crate) fn paste(settings: &mut Settings, text: &str) -> Result<Option<PresetModel>, Fault> {
    let preset = Preset::from_json(text)?;
    take_pose(settings, &preset.settings);
    PresetModel::of_preset(&preset)
}

fn take_pose(to: &mut Settings, from: &Settings) {
    to.effectors = from.effectors;
    for limb in LimbName::ALL {
        take_bend(to.chain_mut(limb), from.chain(limb));
    }
}

pub(crate) fn snapped(place: Vec3, step: f32) -> Vec3 {
    (place / step).round() * step
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mirror() -> Mirror {
        let mut reference = [Quat::IDENTITY; Effector::COUNT];
        // The reference rotations of left and right are not mirror images of each other, as in exported models.
        reference[Effector::LeftHand as usize] = Quat::from_rotation_z(0.4) * Quat::from_rotation_x(1.0);
        reference[Effector::RightHand as usize] = Quat::from_rotation_y(2.0);
        Mirror { point: Vec3::new(0.3, 1.0, 0.0), left: Vec3::X, reference }
    }

    fn posed() -> Settings {
        let mut settings = Settings::default();
        let hand = settings.effector_mut(Effector::LeftHand);
        (hand.position, hand.position_weight) = (Some(Vec3::new(0.8, 1.4, 0.2)), 0.75);
        hand.rotation = Some(Quat::from_rotation_y(0.6) * Quat::from_rotation_z(0.4) * Quat::from_rotation_x(1.0));
        hand.rotation_weight = 0.5;
        let arm = settings.chain_mut(LimbName::LeftArm);
        (arm.bend_goal, arm.bend_weight, arm.pull) = (Some(Vec3::new(0.5, 1.0, -0.5)), 1.0, 0.25);
        settings
    }

    #[test]
    fn a_mirrored_pose_has_left_and_right_exchanged() {
        let (mirror, settings) = (mirror(), posed());
        let mirrored = mirror.pose(&settings);
        let hand = mirrored.effector(Effector::RightHand);
        assert!(hand.position.unwrap().distance(Vec3::new(-0.2, 1.4, 0.2)) < 1e-6);
        assert_eq!((hand.position_weight, hand.rotation_weight), (0.75, 0.5));
        // The left hand was turned by 0.6 rad about the vertical, so the right hand turns by −0.6 rad.
        let expected = Quat::from_rotation_y(-0.6) * mirror.reference[Effector::RightHand as usize];
        assert!(hand.rotation.unwrap().angle_between(expected) < 1e-3);
        assert_eq!(mirrored.effector(Effector::LeftHand), &EffectorSettings::default());
        let arm = mirrored.chain(LimbName::RightArm);
        assert!(arm.bend_goal.unwrap().distance(Vec3::new(0.1, 1.0, -0.5)) < 1e-6);
        // A pose does not include pull.
        assert_eq!((arm.pull, mirrored.chain(LimbName::LeftArm).pull), (1.0, 0.25));
        let back = mirror.pose(&mirrored);
        assert!(
            back.effector(Effector::LeftHand)
                .rotation
                .unwrap()
                .angle_between(settings.effector(Effector::LeftHand).rotation.unwrap())
                < 1e-3
        );
    }

    #[test]
    fn what_is_done_to_one_of_several_is_done_to_all() {
        let both = EffectorSet::default().with(Effector::LeftHand).with(Effector::RightFoot);
        let before = posed();
        let mut after = before;
        let hand = after.effector_mut(Effector::LeftHand);
        hand.position = Some(hand.position.unwrap() + Vec3::Y * 0.1);
        let stands = |_| (Vec3::new(-0.1, 0.1, 0.0), Quat::IDENTITY);
        spread_to(both, &before, &mut after, stands);
        let foot = after.effector(Effector::RightFoot);
        assert!(foot.position.unwrap().distance(Vec3::new(-0.1, 0.2, 0.0)) < 1e-6);
        assert_eq!(foot.position_weight, 1.0);
        let before = after;
        after.effector_mut(Effector::LeftHand).position_weight = 0.2;
        spread_to(both, &before, &mut after, stands);
        assert_eq!(after.effector(Effector::RightFoot).position_weight, 0.2);
        // Editing an effector outside the selection changes no other effector.
        let before = after;
        after.effector_mut(Effector::Body).position_weight = 0.9;
        spread_to(both, &before, &mut after, stands);
        assert_eq!(after.effector(Effector::RightFoot).position_weight, 0.2);
    }

    #[test]
    fn with_the_mirror_on_the_other_side_follows() {
        let before = Settings::default();
        let mut after = posed();
        mirror().spread(&before, &mut after);
        assert!(after.effector(Effector::RightHand).position.is_some());
        assert_eq!(after.chain(LimbName::RightArm).pull, 0.25);
        assert_eq!(after.effector(Effector::LeftFoot), before.effector(Effector::LeftFoot));
    }

    #[test]
    fn a_pose_survives_being_copied() {
        let settings = posed();
        let mut other = Settings::default();
        other.chain_mut(LimbName::LeftArm).pull = 0.5;
        paste(&mut other, &copy(&settings)).unwrap();
        assert_eq!(other.effectors, settings.effectors);
        assert_eq!(other.chain(LimbName::LeftArm).bend_goal, settings.chain(LimbName::LeftArm).bend_goal);
        assert_eq!(other.chain(LimbName::LeftArm).pull, 0.5);
        assert!(paste(&mut other, "some words").is_err());
    }

    proptest! {
        #[test]
        fn mirroring_twice_changes_nothing(x in -3.0f32..3.0, y in -3.0f32..3.0, angle in -3.0f32..3.0) {
            let mirror = mirror();
            let at = Vec3::new(x, y, 0.5);
            prop_assert!(mirror.position(mirror.position(at)).distance(at) < 1e-5);
            let turn = Quat::from_axis_angle(at.normalize(), angle);
            let there = mirror.rotation(Effector::LeftHand, turn);
            prop_assert!(mirror.rotation(Effector::RightHand, there).angle_between(turn) < 2e-3);
        }
    }
}
