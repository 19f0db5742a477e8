//! A way over the ground: where one is after so many metres of it.

use super::path::Path;
use super::profile::Profile;
use super::stance::Stance;

/// A path and the ground under it.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// Seen from above.
    pub path: Path,
    /// `None` on level ground at height 0.
    pub profile: Option<Profile>,
}

impl Way {
    /// Where one is after `distance` metres, on what ground, and looking along the path. Everything of it is continuous
    /// but where an open path begins again; a distance that is not finite counts as 0.
    pub fn at(&self, distance: f32) -> Stance {
        let (place, direction) = self.path.at(distance);
        let height = self.profile.as_ref().map_or(0.0, |profile| profile.at(distance));
        Stance { place, height, direction: Some(direction) }
    }
}

/// The distance `dt` seconds later, at `speed` metres per second: the mean over that time. Of a fade between clips the
/// mean of both ends is exact. Metres; what is not finite moves nothing, a distance that is not finite counts as 0.
pub fn advance(distance: f32, speed: f32, dt: f32) -> f32 {
    let distance = if distance.is_finite() { distance } else { 0.0 };
    let after = distance + speed * dt;
    if after.is_finite() { after } else { distance }
}
