//! The jitter of joints while frames are played, which the labs compare between their lanes.

use glam::Vec3;

#[derive(Clone, Debug, Default)]
pub struct Jerk {
    /// Joint positions of the last two frames, newest first.
    before: [Vec<Vec3>; 2],
    squared: f64,
    /// Number of measured frames: those with as many joints as each of the two frames before.
    pub samples: u32,
}

impl Jerk {
    /// Adds the joint positions of a frame. Returns the largest movement of a joint since the last frame, if both
    /// previous frames have the same number of joints as this frame.
    pub fn add(&mut self, positions: &[Vec3]) -> Option<f32> {
        let [last, older] = &self.before;
        let mut largest = None;
        if last.len() == positions.len() && older.len() == positions.len() && !positions.is_empty() {
            let jerk = |joint: usize| positions[joint] - 2.0 * last[joint] + older[joint];
            let sum: f32 = (0..positions.len()).map(|joint| jerk(joint).length_squared()).sum();
            self.squared += f64::from(sum / positions.len() as f32);
            self.samples += 1;
            let moved = positions.iter().zip(last).map(|(now, before)| now.distance(*before));
            largest = Some(moved.fold(0.0, f32::max));
        }
        self.before.swap(0, 1);
        self.before[0].clear();
        self.before[0].extend_from_slice(positions);
        largest
    }

    /// Returns the root mean square of the change of a joint's movement from one frame to the next, over joints and
    /// measured frames, model units.
    pub fn root_mean_square(&self) -> f32 {
        if self.samples == 0 { 0.0 } else { (self.squared / f64::from(self.samples)).sqrt() as f32 }
    }
}
