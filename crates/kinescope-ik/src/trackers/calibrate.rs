//! Calibration: finds the places of trackers and the proportions of the user from one reading of each tracker.

use super::calibration::{Calibration, FACTORS};
use super::mounts::Mounts;
use super::settings::TrackerSettings;
use super::stream::worn;
use super::tracker::Tracker;
use super::wearer::{Body, Wearer};

/// Time at which calibration samples the noise, in seconds: before the start of a clip.
const TIME: f32 = -1.0;

/// Returns `of / to`, clamped to [`FACTORS`]; 1 if `to` is about zero or the quotient is not finite.
fn ratio(of: f32, to: f32) -> f32 {
    let ratio = of / to;
    if to.abs() > 1e-6 && ratio.is_finite() { ratio.clamp(FACTORS[0], FACTORS[1]) } else { 1.0 }
}

impl Calibration {
    /// Calibrates a user who stands in `pose`, but with the arms lowered by the [slouch](TrackerSettings::slouch).
    /// `pose` is a pose of the character.
    pub fn new(wearer: &Wearer, settings: &TrackerSettings, pose: &Body) -> Self {
        let own_size = TrackerSettings { height: 1.0, arms: 1.0, legs: 1.0, ..settings.clone() };
        let mut found = Self::proportions(wearer, settings, pose);
        found.mounts = find_mounts(wearer, settings, pose, [found.height, found.arms]);
        found.mounts_of_own_size = find_mounts(wearer, &own_size, pose, [1.0; 2]);
        found
    }

    fn proportions(wearer: &Wearer, settings: &TrackerSettings, pose: &Body) -> Self {
        let user = wearer.user(settings, &pose.slouched(settings.slouch));
        // Subtracting the known place of headset or controller from the reading gives the position of the bone.
        let at = |tracker: Tracker| {
            let [_, reading] = worn(wearer, settings, &user, tracker, TIME);
            let mount = wearer.mount(&settings.mounts, tracker);
            reading.position - reading.rotation * mount.rotation.conjugate() * mount.position
        };
        let has_head = wearer.wears(Tracker::Head);
        let height = if has_head { ratio(at(Tracker::Head).y, pose.bone(Tracker::Head).position.y) } else { 1.0 };
        let [left, right] = [Tracker::LeftHand, Tracker::RightHand].map(|hand| pose.bone(hand).position);
        let span = at(Tracker::LeftHand).distance(at(Tracker::RightHand));
        let between = |upper: Tracker, lower: [Tracker; 2], place: &dyn Fn(Tracker) -> f32| {
            place(upper) - 0.5 * (place(lower[0]) + place(lower[1]))
        };
        let feet = [Tracker::LeftFoot, Tracker::RightFoot];
        let has_straps = settings.points.trackers().contains(&Tracker::Pelvis);
        let leg_length = has_straps.then(|| {
            let strap = |tracker: Tracker| worn(wearer, settings, &user, tracker, TIME)[1].position.y;
            let own = |tracker: Tracker| pose.bone(tracker).position.y;
            ratio(between(Tracker::Pelvis, feet, &strap), between(Tracker::Pelvis, feet, &own))
        });
        Self {
            height,
            arms: arms(pose, span / height),
            arm_span: ratio(span, left.distance(right)),
            leg_length,
            ..Self::default()
        }
    }
}

/// Returns the factor of the arms for which the hands of a pose are `span` apart: the larger root `a` of
/// `|d + a v|² = span²`, clamped to [`FACTORS`]. `d` is the difference of the shoulders' positions, `v` that of the
/// vectors from shoulder to hand. Returns 1 without a root, if `v` is about zero, and for a pose whose hands are nearer
/// to each other than the mean of their distances from the shoulders.
fn arms(pose: &Body, span: f32) -> f32 {
    let [left, right] = [pose.roots[0], pose.roots[1]];
    let of_arm = |tracker: Tracker, root| pose.bone(tracker).position - root;
    let [left_arm, right_arm] = [of_arm(Tracker::LeftHand, left), of_arm(Tracker::RightHand, right)];
    let (d, v) = (left - right, left_arm - right_arm);
    if (d + v).length() < 0.5 * (left_arm.length() + right_arm.length()) {
        return 1.0;
    }
    let (square, middle, rest) = (v.length_squared(), d.dot(v), d.length_squared() - span * span);
    let under = middle * middle - square * rest;
    if under < 0.0 { 1.0 } else { ratio(under.sqrt() - middle, square) }
}

/// Returns the places of the trackers: for straps those computed from their readings, as if the user had the given
/// height and arms and stood exactly in `pose`; for headset and controllers those in `settings`.
fn find_mounts(wearer: &Wearer, settings: &TrackerSettings, pose: &Body, [height, arms]: [f32; 2]) -> Mounts {
    let user = wearer.user(settings, &pose.slouched(settings.slouch));
    let assumed = pose.scaled(height, arms, 1.0);
    let mut mounts = settings.mounts;
    for tracker in Tracker::ALL.into_iter().filter(|tracker| !tracker.is_device()) {
        let [_, reading] = worn(wearer, settings, &user, tracker, TIME);
        *mounts.get_mut(tracker) = wearer.measured(&assumed.bone(tracker).to_local(&reading), tracker);
    }
    mounts
}
