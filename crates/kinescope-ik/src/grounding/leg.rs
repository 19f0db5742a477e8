//! One leg of the predictive grounder: predicts the foot, casts, and moves the foot to its ground. Source: *Foot IK
//! with velocity prediction*, «Leg Solver».

use glam::{Quat, Vec3};

use super::event::{Contact, Event, Purpose, Shape, cast};
use super::frame::Passing;
use super::input::{FootGeometry, Root};
use super::settings::Quality;
use super::state::{Frame, LegState, Plane, State, flat};
use crate::ground::{Ground, Hit};
use crate::math::filter::{Lag, Update, approach, chase, lerp, slerp};
use crate::math::{clamp, unit};
use crate::names::Side;
use crate::rig::RigidTransform;
use crate::stepped::Watch;

/// Time constant of the foot's velocity, seconds. A shorter time follows faster and passes on the animation's noise.
pub(super) const VELOCITY_TIME: f32 = 1.0 / 30.0;
/// Largest smoothed velocity of a foot, m/s.
pub(super) const FASTEST_FOOT: f32 = 50.0;

pub(super) fn predict(frame: &Frame, leg: &mut LegState, side: Side, watch: &mut impl Watch<Event>) {
    let Some(foot) = frame.legs[side as usize].foot else {
        *leg = LegState { tracked: false, velocity: Vec3::ZERO, predicted: leg.position, ..*leg };
        return;
    };
    leg.velocity = match leg.tracked && frame.passing == Passing::Run {
        true => {
            let lag = Lag::new(1.0 / VELOCITY_TIME, frame.dt);
            // The velocity is the displacement of the foot from a lagged copy of its position, divided by the lag's
            // time constant. Of the foot's motion in this frame, the share `mean` remains in that displacement.
            let velocity = leg.velocity * lag.keep + (foot.position - leg.position) * (lag.mean() / VELOCITY_TIME);
            velocity.clamp_length_max(FASTEST_FOOT)
        }
        false => Vec3::ZERO,
    };
    leg.tracked = true;
    leg.position = foot.position;
    leg.predicted = foot.position + flat(leg.velocity, frame.root.up) * frame.settings.prediction;
    let _ = watch.saw(Event::Predicted { side, from: leg.position, to: leg.predicted });
}

pub(super) fn cast_at_ground(
    frame: &Frame,
    leg: &mut LegState,
    side: Side,
    ground: &impl Ground,
    watch: &mut impl Watch<Event>,
) {
    (leg.heel, leg.front, leg.beside, leg.buried) = (None, None, None, false);
    let Some(foot) = frame.legs[side as usize].foot else { return };
    let Frame { settings, root, .. } = frame;
    if settings.max_step <= 0.0 {
        return;
    }
    let layers = frame.legs[side as usize].layers;
    let start = sole_under(foot.position, frame, side) + root.up * settings.max_step;
    let way = (-root.up, settings.max_step * 2.0);
    let path = leg.predicted - leg.position;
    let center = root.forward * (settings.foot_radius + settings.foot_center_offset);
    let (start_of_heel, center) = if settings.invert_foot_center { (start - center, -center) } else { (start, center) };
    let mut look = |purpose, shape, from| {
        let contact = cast(ground, (purpose, Some(side), layers), shape, from, way, watch);
        leg.buried |= contact == Contact::Buried;
        contact.hit()
    };
    match settings.quality {
        Quality::Fastest => leg.heel = look(Purpose::Heel, Shape::Ray, start + path),
        Quality::Simple => {
            let outward = match side {
                Side::Left => root.up.cross(root.forward),
                Side::Right => root.forward.cross(root.up),
            };
            leg.heel = look(Purpose::Heel, Shape::Ray, start_of_heel);
            leg.front = look(Purpose::Front, Shape::Ray, start + center + path);
            leg.beside = look(Purpose::Side, Shape::Ray, start + outward * settings.foot_radius);
        }
        Quality::Best => {
            leg.heel = look(Purpose::Heel, Shape::Ray, start_of_heel);
            let capsule = Shape::Capsule { along: path, radius: settings.foot_radius };
            leg.front = look(Purpose::Front, capsule, start + center);
        }
    }
}

pub(super) fn foot_plane(frame: &Frame, leg: &mut LegState) {
    let Frame { settings, root, .. } = frame;
    leg.grounded = leg.heel.is_some() || leg.front.is_some();
    let of_hit = |hit: Hit| Plane { point: hit.point, normal: hit.normal };
    leg.plane = match (settings.quality, leg.heel, leg.front, leg.beside) {
        (Quality::Simple, Some(heel), Some(front), Some(beside)) => {
            let normal = (front.point - heel.point).cross(beside.point - heel.point);
            let normal = unit(normal).unwrap_or(root.up);
            let upright = if normal.dot(root.up) < 0.0 { -normal } else { normal };
            Some(Plane { point: heel.point, normal: upright })
        }
        // Without all three hits, the foot may be half over an edge: the plane is that of the hit under the foot bone.
        (Quality::Simple, Some(heel), ..) => Some(of_hit(heel)),
        (_, heel, front, _) => front.or(heel).map(of_hit),
    };
    let normal = leg.plane.map_or(root.up, |plane| plane.normal);
    leg.last_tilt_target = leg.tilt_target;
    leg.tilt_target = tilt(root.up, normal, settings.max_foot_rotation_angle.to_radians());
}

/// Returns the rotation from `up` to `normal`, limited to `largest` radians, as axis times angle. Zero unless
/// `normal` points upwards.
fn tilt(up: Vec3, normal: Vec3, largest: f32) -> Vec3 {
    let (axis, cosine) = (up.cross(normal), up.dot(normal));
    match unit(axis) {
        Some(unit) if cosine > 0.0 => unit * axis.length().atan2(cosine).min(largest),
        _ => Vec3::ZERO,
    }
}

/// [`Update::Exact`] blends tilts as vectors. A tilt has no twist about up, so the blend is a tilt too, and it stays
/// within the largest angle.
pub(super) fn rotate(frame: &Frame, leg: &mut LegState) {
    let speed = frame.settings.foot_rotation_speed;
    leg.tilt = match (frame.passing, frame.settings.update) {
        (Passing::Run, Update::Exact) => {
            Lag::new(speed, frame.dt).apply(leg.tilt, leg.last_tilt_target, leg.tilt_target)
        }
        (Passing::Run, Update::PerFrame) => slerp(leg.tilt, leg.tilt_target, speed * frame.dt),
        (Passing::Still | Passing::Settle, _) => leg.tilt_target,
    };
    let largest = frame.settings.max_foot_rotation_angle.to_radians();
    leg.tilt = leg.tilt.clamp_length_max(largest);
}

pub(super) fn rotation(frame: &Frame, leg: &LegState) -> Quat {
    Quat::from_scaled_axis(leg.tilt * frame.settings.foot_rotation_weight)
}

pub(super) fn lift(frame: &Frame, state: &mut State, side: Side, ground: &impl Ground, watch: &mut impl Watch<Event>) {
    let settings = &frame.settings;
    let root_grounded = state.root_grounded;
    let leg = &mut state.legs[side as usize];
    let before = leg.offset_target;
    let (target, highest) = match frame.legs[side as usize].foot {
        Some(foot) => {
            let sole = frame.root.height(foot.position) - frame.legs[side as usize].geometry.ankle_height;
            let target = wanted_height(frame, leg, side, foot, sole, ground, watch) + settings.height_offset;
            (target, clamp(settings.max_step - sole, 0.0, settings.max_step))
        }
        None => (0.0, settings.max_step),
    };
    leg.offset_target = match root_grounded {
        true => clamp(target, -settings.max_step, settings.max_step),
        false => 0.0,
    };
    let speed = settings.foot_speed;
    let (was, target) = (leg.free_offset, leg.offset_target);
    leg.free_offset = match (frame.passing, settings.update) {
        (Passing::Run, Update::Exact) => chase(was, before, target, speed, speed, frame.dt),
        (Passing::Run, Update::PerFrame) => {
            let step = speed * frame.dt;
            lerp(approach(was, target, step, step), target, step)
        }
        (Passing::Still | Passing::Settle, _) => target,
    };
    leg.free_offset = clamp(leg.free_offset, -settings.max_step, settings.max_step);
    leg.offset = leg.free_offset.min(highest);
    if settings.update == Update::PerFrame {
        leg.free_offset = leg.offset;
    }
}

/// Returns the wanted offset of the foot along up: the height over the root's level of the ground under the foot,
/// raised until the turned sole is out of the ground; metres. Without ground it is the height of the sole minus the
/// largest step; 0 if `overstep_falls_down` is off or a cast began inside the ground.
fn wanted_height(
    frame: &Frame,
    leg: &LegState,
    side: Side,
    foot: RigidTransform,
    sole: f32,
    ground: &impl Ground,
    watch: &mut impl Watch<Event>,
) -> f32 {
    let Frame { settings, root, .. } = frame;
    let Some(plane) = leg.plane else {
        return if settings.overstep_falls_down && !leg.buried { sole - settings.max_step } else { 0.0 };
    };
    let geometry = &frame.legs[side as usize].geometry;
    let mut height = plane.height(foot.position, root);
    if let Some(heel) = leg.heel.filter(|_| settings.quality != Quality::Fastest) {
        height = height.max(root.height(heel.point));
    }
    let (turn, layers) = (rotation(frame, leg), frame.legs[side as usize].layers);
    for (purpose, point, known) in sole_points(geometry, foot.rotation, root) {
        let turned = turn * point;
        let at = foot.position + flat(turned, root.up);
        let ground_height = match settings.quality == Quality::Best && known {
            true => {
                let from = sole_under(at, frame, side) + root.up * settings.max_step;
                let way = (-root.up, settings.max_step * 2.0);
                let hit = cast(ground, (purpose, Some(side), layers), Shape::Ray, from, way, watch).hit();
                hit.map(|hit| root.height(hit.point))
            }
            false => Some(plane.height(at, root)),
        };
        if let Some(ground_height) = ground_height {
            height = height.max(ground_height - geometry.ankle_height - turned.dot(root.up));
        }
    }
    height
}

/// Returns heel, middle (below the bone) and toe relative to the bone of a flat foot, and whether the geometry's
/// length for each is above 0.
pub(super) fn sole_points(geometry: &FootGeometry, rotation: Quat, root: &Root) -> [(Purpose, Vec3, bool); 3] {
    let (down, forward) = (root.up * -geometry.ankle_height, geometry.forward(rotation, root));
    [
        (Purpose::SoleHeel, down - forward * geometry.heel_offset, geometry.heel_offset > 0.0),
        (Purpose::SoleMiddle, down, geometry.ankle_height > 0.0),
        (Purpose::SoleToe, down + forward * geometry.toe_offset, geometry.toe_offset > 0.0),
    ]
}

/// Returns how far a turned foot that stands on the plane below its bone must be lifted to keep heel, middle and toe
/// out of the plane; metres, 0 or above.
pub(super) fn lift_over_plane(
    plane: &Plane,
    geometry: &FootGeometry,
    foot: RigidTransform,
    turn: Quat,
    root: &Root,
) -> f32 {
    let level = plane.height(foot.position, root);
    let over = sole_points(geometry, foot.rotation, root).map(|(_, point, _)| {
        let turned = turn * point;
        let at = foot.position + flat(turned, root.up);
        plane.height(at, root) - level - geometry.ankle_height - turned.dot(root.up)
    });
    over.into_iter().fold(0.0, f32::max)
}

fn sole_under(at: Vec3, frame: &Frame, side: Side) -> Vec3 {
    at - frame.root.up * frame.legs[side as usize].geometry.ankle_height
}
