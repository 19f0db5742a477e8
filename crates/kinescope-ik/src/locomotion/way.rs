//! A path with ground heights: the stance of a character by the distance that it has walked.

use super::path::Path;
use super::profile::Profile;
use super::stance::Stance;

/// A path and the height of the ground along it.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// The path, seen from above.
    pub path: Path,
    /// Heights along the path; `None` for level ground at height 0.
    pub profile: Option<Profile>,
}

impl Way {
    /// Returns the stance after `distance` metres, looking along the path. It is continuous except where an open path
    /// begins again. A distance that is not finite counts as 0.
    pub fn at(&self, distance: f32) -> Stance {
        let (place, direction) = self.path.at(distance);
        let height = self.profile.as_ref().map_or(0.0, |profile| profile.at(distance));
        Stance { place, height, direction: Some(direction) }
    }
}

/// Returns the distance `dt` seconds later; metres. `speed` is the mean over that time, in metres per second: while a
/// single fade runs, that is the mean of the speeds at both ends of the time. A result that is not finite leaves the
/// distance unchanged; a distance that is not finite counts as 0.
pub fn advance(distance: f32, speed: f32, dt: f32) -> f32 {
    let distance = if distance.is_finite() { distance } else { 0.0 };
    let after = distance + speed * dt;
    if after.is_finite() { after } else { distance }
}
