//! Targets that many scenes set.

use glam::{Quat, Vec3};

use super::stand::{ARMS, LEGS, Stand};
use kinescope_ik::full_body::{Effector, Settings};

pub(super) fn pin(settings: &mut Settings, effector: Effector, position: Vec3) {
    let own = settings.effector_mut(effector);
    own.position = Some(position);
    own.position_weight = 1.0;
}

pub(super) fn plant_feet(settings: &mut Settings, stand: &Stand) {
    for foot in [Effector::LeftFoot, Effector::RightFoot] {
        plant(settings, stand, foot);
    }
}

/// Holds a hand or foot at its rest position and rotation.
pub(super) fn plant(settings: &mut Settings, stand: &Stand, effector: Effector) {
    pin(settings, effector, stand.at(effector));
    let own = settings.effector_mut(effector);
    own.rotation = Some(stand.rotation(effector));
    own.rotation_weight = 1.0;
}

/// Makes the hands follow the torso.
pub(super) fn carry_hands(settings: &mut Settings) {
    for (hand, ..) in ARMS {
        settings.effector_mut(hand).maintain_relative_position = 1.0;
    }
}

/// Bows the torso by an angle in degrees: rotates both shoulders about the line between the thighs and moves them by
/// `by`.
pub(super) fn bow(settings: &mut Settings, stand: &Stand, degrees: f32, by: Vec3) {
    let hips = (stand.at(Effector::LeftThigh) + stand.at(Effector::RightThigh)) / 2.0;
    let turn = Quat::from_axis_angle(stand.left, degrees.to_radians());
    for shoulder in [Effector::LeftShoulder, Effector::RightShoulder] {
        pin(settings, shoulder, hips + by + turn * (stand.at(shoulder) - hips));
    }
}

/// Moves both feet apart, out of reach unless the hips sink. The hands follow.
pub(super) fn feet_apart(settings: &mut Settings, stand: &Stand) {
    for (foot, limb, side) in LEGS {
        let aside = stand.left * side * stand.limb_length(limb) * 0.55;
        pin(settings, foot, stand.at(foot) + aside);
    }
    carry_hands(settings);
}
