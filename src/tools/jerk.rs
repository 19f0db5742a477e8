//! The jitter of joints while frames are played, which the labs compare between their lanes.

use glam::Vec3;

#[derive(Clone, Debug, Default)]
pub(crate) struct Jerk {
    /// Joint positions of the last two frames, newest first.
    before: [Vec<Vec3>; 2],
    squared: f64,
    /// Number of measured frames: those with as many joints as each of the two frames before.
    pub(crate) samples: u32,
}

impl Jerk {
    /// Adds the joint positions of a frame. Returns the largest movement of a joint since the last frame, if both
    /// previous frames have the same number of joints as this frame.
    pub(crate) fn add(&mut self, positions: &[Vec3]) -> Option<f32> {
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
    pub(crate) fn root_mean_square(&self) -> f32 {
        if self.samples == 0 { 0.0 } else { (self.squared / f64::from(self.samples)).sqrt() as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jerk_is_zero_for_even_motion_and_the_change_of_the_step_otherwise() {
        let mut motion = Jerk::default();
        for x in [0.0, 1.0, 2.0, 3.0] {
            motion.add(&[Vec3::X * x]);
        }
        assert_eq!((motion.root_mean_square(), motion.samples), (0.0, 2));
        motion.add(&[Vec3::X * 4.5]);
        // Two steps without a change and one that is longer by 0.5.
        assert!((motion.root_mean_square() - (0.25f32 / 3.0).sqrt()).abs() < 1e-6, "{}", motion.root_mean_square());
    }
}
