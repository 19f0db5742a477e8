use glam::{Quat, Vec3};

use super::rest::{ARMS, LEGS, RestPose};
use kinescope_ik::full_body::{Effector, Settings};

pub(super) fn pin(settings: &mut Settings, effector: Effector, position: Vec3) {
    let own = settings.effector_mut(effector);
    own.position = Some(position);
    own.position_weight = 1.0;
}

pub(super) fn plant_feet(settings: &mut Settings, rest: &RestPose) {
    for foot in [Effector::LeftFoot, Effector::RightFoot] {
        plant(settings, rest, foot);
    }
}

pub(super) fn plant(settings: &mut Settings, rest: &RestPose, effector: Effector) {
    pin(settings, effector, rest.at(effector));
    let own = settings.effector_mut(effector);
    own.rotation = Some(rest.rotation(effector));
    own.rotation_weight = 1.0;
}

pub(super) fn carry_hands(settings: &mut Settings) {
    for (hand, ..) in ARMS {
        settings.effector_mut(hand).maintain_relative_position = 1.0;
    }
}

/// Bows the torso by an angle in degrees: rotates the rest positions of both shoulders about the line between the
/// thighs, moves them by `by` (model space), and makes them targets.
pub(super) fn bow(settings: &mut Settings, rest: &RestPose, degrees: f32, by: Vec3) {
    let hips = (rest.at(Effector::LeftThigh) + rest.at(Effector::RightThigh)) / 2.0;
    let turn = Quat::from_axis_angle(rest.left, degrees.to_radians());
    for shoulder in [Effector::LeftShoulder, Effector::RightShoulder] {
        pin(settings, shoulder, hips + by + turn * (rest.at(shoulder) - hips));
    }
}

/// Moves the targets of both feet apart, out of reach unless the hips sink. The hands follow the torso.
pub(super) fn feet_apart(settings: &mut Settings, rest: &RestPose) {
    for (foot, limb, side) in LEGS {
        let aside = rest.left * side * rest.limb_length(limb) * 0.55;
        pin(settings, foot, rest.at(foot) + aside);
    }
    carry_hands(settings);
}
