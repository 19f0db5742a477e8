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
    pub fn spread(&self, before: &Settings, after: &mut Settings) {
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
pub fn spread_to(
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

pub fn copy(settings: &Settings) -> String {
    let mut pose = Settings::default();
    take_pose(&mut pose, settings);
    Preset { settings: pose, ..Preset::default() }.to_json()
}

pub fn paste(settings: &mut Settings, text: &str) -> Result<Option<PresetModel>, Fault> {
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
