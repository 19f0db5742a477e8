//! The foot IK of seed 003: one ray down at each foot, a pelvis that lets the lower foot reach, and a weight that says
//! when a foot is planted.
//!
//! Where this is not the seed, and why:
//!
//! - **Speeds**: the seed's are factors per rendered frame. Here they are the share made in 1/60 s, whatever the frame
//!   rate ([`filter`](super::filter)).
//! - **No hit**: the foot goes back to the animation at its speed; the seed lets it jump there. So does the pelvis.
//! - **The pelvis** is smoothed by its offset. The seed smooths the pelvis's own height, and so the animation with it.
//! - **Rotation** is put before the animated foot's own; the seed replaces that by the root's.
//! - **A first frame**, a long one or a jump of the root take no time, as in [`predictive`](super::predictive).
//! - **The sole**, if its geometry is given, is kept out of the slope that the foot is turned to.
//! - **Reach**, if it is given, lowers the pelvis as far as a leg needs.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::filter::Lag;
use super::leg::{Plane, lift_over_plane};
use super::observer::{Observer, Purpose, Shape, cast};
use super::pelvis::limit;
use super::{Input, LONGEST_FRAME, LegOutput, Output, Root, Side};
use crate::ground::{Ground, Hit};
use crate::math::from_to_rotation;
use crate::parameter::{Parameter, RangeError, parameter};

/// Parameters of the foot IK.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FootIkSettings {
    /// Whether anything is done at all.
    pub enable_feet_ik: bool,
    /// Height over the root's level at which the rays begin; metres.
    pub height_from_ground_raycast: f32,
    /// How far the rays go below the root's level; metres.
    pub raycast_down_distance: f32,
    /// Lifts feet and pelvis; metres.
    pub pelvis_offset: f32,
    /// The share of its way that the pelvis makes in 1/60 s. 0 to 1.
    pub pelvis_up_and_down_speed: f32,
    /// The share of its way that a foot makes in 1/60 s. 0 to 1.
    pub feet_to_ik_position_speed: f32,
    /// Turns the left foot about up; degrees.
    pub left_foot_angle_offset: f32,
    /// Turns the right foot about up; degrees.
    pub right_foot_angle_offset: f32,
    /// Whether feet turn with the ground (the seed's `useIkFeature`).
    pub rotate_feet: bool,
}

impl Default for FootIkSettings {
    fn default() -> Self {
        Self {
            enable_feet_ik: true,
            height_from_ground_raycast: 1.2,
            raycast_down_distance: 1.5,
            pelvis_offset: 0.0,
            pelvis_up_and_down_speed: 0.28,
            feet_to_ik_position_speed: 0.5,
            left_foot_angle_offset: 0.0,
            right_foot_angle_offset: 0.0,
            rotate_feet: false,
        }
    }
}

impl FootIkSettings {
    /// Finds the first number out of its range.
    ///
    /// # Errors
    /// [`RangeError`] with the path of the field as in a preset: `foot_ik.pelvis_offset`.
    pub fn validate(&self) -> Result<(), RangeError> {
        FOOT_IK_PARAMETERS.iter().try_for_each(|parameter| parameter.check(self, "foot_ik"))
    }

    /// Every number in its range, what is not a number at its default.
    pub fn clamped(mut self) -> Self {
        for parameter in FOOT_IK_PARAMETERS {
            parameter.clamp(&mut self);
        }
        self
    }
}

/// The numbers of [`FootIkSettings`], in the order in which panels show them.
pub const FOOT_IK_PARAMETERS: &[Parameter<FootIkSettings>] = &[
    parameter!(
        FootIkSettings,
        height_from_ground_raycast,
        0..=2,
        1.2,
        "Height over the character's own ground at which the rays begin, in metres.",
        "Steps higher than that are not seen.",
        "Rays begin above ceilings and tables."
    ),
    parameter!(
        FootIkSettings,
        raycast_down_distance,
        0..=2,
        1.5,
        "How far the rays go below the character's own ground, in metres.",
        "Feet do not find lower ground.",
        "Feet reach into pits."
    ),
    parameter!(
        FootIkSettings,
        pelvis_offset,
        -1..=1,
        0.0,
        "Lifts feet and pelvis over the ground, in metres.",
        "Below 0 the feet sink in.",
        "The character hovers."
    ),
    parameter!(
        FootIkSettings,
        pelvis_up_and_down_speed,
        0..=1,
        0.28,
        "The share of its way that the pelvis makes in a sixtieth of a second.",
        "The pelvis is late, the lower foot does not reach; 0 never moves.",
        "The pelvis jumps at every edge."
    ),
    parameter!(
        FootIkSettings,
        feet_to_ik_position_speed,
        0..=1,
        0.5,
        "The share of its way that a foot makes in a sixtieth of a second.",
        "Feet are late: they sink in and hover; 0 never moves.",
        "Feet jump at every edge."
    ),
    parameter!(
        FootIkSettings,
        left_foot_angle_offset,
        0..=100,
        0.0,
        "Turns the left foot about up, in degrees.",
        "As animated.",
        "The foot points inwards or outwards."
    ),
    parameter!(
        FootIkSettings,
        right_foot_angle_offset,
        0..=100,
        0.0,
        "Turns the right foot about up, in degrees.",
        "As animated.",
        "The foot points inwards or outwards."
    ),
];

/// One foot between two frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FootIkLeg {
    /// The animated foot of the last frame that had one.
    pub position: Vec3,
    pub hit: Option<Hit>,
    /// How far the foot is to go up.
    pub target: f32,
    /// On its way there.
    pub offset: f32,
    /// Its turn; it has no way to go.
    pub rotation: Quat,
}

/// What a frame leaves for the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FootIkState {
    /// Whether there was a frame before.
    pub primed: bool,
    /// The root's place.
    pub root: Vec3,
    /// In the order of [`Side::ALL`].
    pub legs: [FootIkLeg; 2],
    /// How far the pelvis is to go up.
    pub pelvis_target: f32,
    /// On its way there.
    pub pelvis: f32,
}

/// The rate of a speed given as the share made in 1/60 s; 1/s, infinite for all of it.
fn rate(share: f32) -> f32 {
    -(-share).ln_1p() * 60.0
}

/// One whole frame. Weights are the input's: evaluate each foot's [`WeightCurve`](super::WeightCurve) at the clip's
/// time and put it there. They do not count for the pelvis, which would bob with every stride.
pub fn solve(
    settings: &FootIkSettings,
    input: &Input,
    state: &mut FootIkState,
    ground: &impl Ground,
    observer: &mut impl Observer,
) -> Output {
    let settings = settings.clamped();
    let root = input.root.sane();
    if let Some(root) = root.filter(|_| input.dt > 0.0) {
        let jumped = input.dt > LONGEST_FRAME || root.teleported_from(state.root, input.dt);
        if !state.primed || jumped {
            let legs = state.legs.map(|leg| FootIkLeg { position: leg.position, ..FootIkLeg::default() });
            *state = FootIkState { legs, ..FootIkState::default() };
        }
        advance(&settings, input, &root, state, ground, observer);
    }
    output(input, &root.unwrap_or(Root { position: state.root, ..Root::ORIGIN }), state)
}

/// Lets the frame's time pass.
fn advance(
    settings: &FootIkSettings,
    input: &Input,
    root: &Root,
    state: &mut FootIkState,
    ground: &impl Ground,
    observer: &mut impl Observer,
) {
    let follow = |speed: f32, value: f32, from: f32, to: f32| match state.primed {
        true => Lag::new(rate(speed), input.dt).apply(value, from, to),
        false => to,
    };
    for side in Side::ALL {
        let (leg, foot) = (&mut state.legs[side as usize], &input.feet[side as usize]);
        let before = leg.target;
        (leg.hit, leg.target, leg.rotation) = (None, 0.0, Quat::IDENTITY);
        if let Some(foot_now) = foot.sane() {
            leg.position = foot_now.position;
            if settings.enable_feet_ik {
                let height = settings.height_from_ground_raycast;
                let from = foot_now.position + root.up * (height - root.height(foot_now.position));
                let way = (-root.up, height + settings.raycast_down_distance);
                leg.hit = cast(ground, (Purpose::Heel, Some(side)), Shape::Ray, from, way, observer).hit();
            }
            if let Some(hit) = leg.hit {
                let plane = Plane { point: hit.point, normal: hit.normal };
                let angle = [settings.left_foot_angle_offset, settings.right_foot_angle_offset][side as usize];
                if settings.rotate_feet && hit.normal.dot(root.up) > 0.0 {
                    let slope = from_to_rotation(root.up, hit.normal);
                    let geometry = foot.geometry.sane();
                    // No slope lifts a foot by more than its own size: beyond, it is a wall.
                    let size = geometry.ankle_height + geometry.heel_offset + geometry.toe_offset;
                    leg.target += lift_over_plane(&plane, &geometry, foot_now, slope, root).min(size);
                    leg.rotation = Quat::from_axis_angle(root.up, angle.to_radians()) * slope;
                }
                leg.target += root.height(hit.point) + settings.pelvis_offset;
            }
        }
        leg.offset = follow(settings.feet_to_ik_position_speed, leg.offset, before, leg.target);
    }
    let target = match state.legs {
        [left, right] if left.hit.is_some() && right.hit.is_some() => left.target.min(right.target),
        _ => 0.0,
    };
    state.pelvis = follow(settings.pelvis_up_and_down_speed, state.pelvis, state.pelvis_target, target);
    state.pelvis_target = target;
    (state.primed, state.root) = (true, root.position);
}

fn output(input: &Input, root: &Root, state: &FootIkState) -> Output {
    let legs = [0, 1].map(|index| {
        let (leg, foot) = (&state.legs[index], &input.feet[index]);
        let position = foot.sane().map_or(leg.position, |foot| foot.position);
        LegOutput {
            ik_position: position + root.up * leg.offset,
            offset: leg.offset,
            rotation_offset: leg.rotation,
            grounded: leg.hit.is_some(),
            velocity: Vec3::ZERO,
            predicted: position,
            weight: foot.sane_weight(),
        }
    });
    let reaches = [0, 1].map(|index| {
        let reach = input.feet[index].sane_reach().filter(|_| input.feet[index].sane().is_some());
        (reach, legs[index].ik_position, legs[index].weight)
    });
    let pelvis_height = limit(state.pelvis, reaches, root.up);
    Output { legs, pelvis: root.up * pelvis_height, pelvis_height, pelvis_limited: pelvis_height < state.pelvis }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_has_the_defaults_and_reaches_every_number() {
        let default = serde_json::to_value(FootIkSettings::default()).unwrap();
        let numbers = default.as_object().unwrap().values().filter(|value| value.is_number()).count();
        assert_eq!(FOOT_IK_PARAMETERS.len(), numbers);
        for parameter in FOOT_IK_PARAMETERS {
            let mut settings = FootIkSettings::default();
            assert_eq!((parameter.get)(&settings), parameter.default, "{}", parameter.key);
            (parameter.set)(&mut settings, parameter.max);
            assert_eq!(serde_json::to_value(settings).unwrap()[parameter.key], parameter.max, "{}", parameter.key);
        }
    }

    #[test]
    fn a_speed_is_the_share_made_in_a_sixtieth() {
        let lag = Lag::new(rate(0.28), 1.0 / 60.0);
        assert!((lag.keep - 0.72).abs() < 1e-5);
        assert_eq!(Lag::new(rate(1.0), 1.0 / 240.0).to, 1.0);
        assert_eq!(Lag::new(rate(0.0), 1.0).keep, 1.0);
    }
}
