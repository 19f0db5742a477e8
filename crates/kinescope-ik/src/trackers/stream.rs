//! Readings of the trackers in a frame.

use serde::{Deserialize, Serialize};

use super::noise::{is_dropped, noise};
use super::settings::{DropOut, TrackerSettings};
use super::tracker::Tracker;
use super::wearer::{Body, Wearer};
use crate::rig::RigidTransform;

/// The reading that each tracker repeats while it is frozen: its last one outside of drop-outs, or else its first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrackerState {
    /// In the order of [`Tracker::ALL`]; `None` until the tracker reports a transform.
    pub held: [Option<RigidTransform>; Tracker::COUNT],
}

/// The reading of a tracker in a frame, in the space of the character's root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The tracker that was read.
    pub tracker: Tracker,
    /// The transform that the tracker reports; `None` if it reports nothing, or a transform that is not finite.
    pub reported: Option<RigidTransform>,
    /// The transform without noise and drop-outs.
    pub exact: RigidTransform,
    /// Whether the tracker is in a drop-out.
    pub dropped: bool,
}

/// Returns the reading of a tracker on the body of the user without noise, then with noise; neither has drop-outs.
pub(super) fn worn(
    wearer: &Wearer,
    settings: &TrackerSettings,
    user: &Body,
    tracker: Tracker,
    time: f32,
) -> [RigidTransform; 2] {
    let exact = user.bone(tracker).transform(&wearer.mount(&settings.mounts, tracker));
    let noisy = exact.transform(&noise(settings, tracker, time));
    [exact, noisy].map(|own| RigidTransform { rotation: own.rotation.normalize(), ..own })
}

/// Returns the readings of all trackers that the user wears while moving as `body` does. `time` is the time in the clip,
/// in seconds.
pub fn readings(
    wearer: &Wearer,
    settings: &TrackerSettings,
    body: &Body,
    time: f32,
    state: &mut TrackerState,
) -> Vec<Reading> {
    let user = wearer.user(settings, body);
    let trackers = settings.points.trackers().iter().filter(|&&tracker| wearer.wears(tracker));
    let reading = |&tracker: &Tracker| {
        let [exact, noisy] = worn(wearer, settings, &user, tracker, time);
        let held = &mut state.held[tracker as usize];
        let dropped = is_dropped(settings, tracker, time);
        let reported = match (dropped, settings.drop_out) {
            (false, _) => {
                *held = Some(noisy);
                Some(noisy)
            }
            (true, DropOut::Freeze) => Some(*held.get_or_insert(noisy)),
            (true, DropOut::Vanish) => None,
        };
        Reading { tracker, reported: reported.filter(RigidTransform::is_finite), exact, dropped }
    };
    trackers.map(reading).collect()
}
