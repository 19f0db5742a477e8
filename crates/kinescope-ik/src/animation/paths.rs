//! Paths of bones during a clip, and the velocity of the ground under feet.

use glam::Vec3;

use crate::error::{Fault, Problem};
use crate::rig::{BoneIndex, Clip, LocalPose, ModelPose, Skeleton};

/// The largest height of a planted foot above its lowest position, in metres, for a human.
pub(crate) const PLANTED_HEIGHT: f32 = 0.02;

/// The samples per second. [`SAMPLES`] is the smallest and largest number of intervals for a whole clip.
const RATE: f32 = 60.0;
const SAMPLES: (f32, f32) = (16.0, 1200.0);

/// A path per bone in model space, as evenly spaced samples, and the seconds between two samples.
pub(crate) type Paths = (Vec<Vec<Vec3>>, f32);

/// Returns the paths of bones; `None` for a clip without a positive, finite duration.
///
/// # Errors
/// [`Fault`] if bones or pose do not fit the skeleton, or the clip moves one of the bones to a position that is not
/// finite.
pub(crate) fn paths(
    clip: &Clip,
    skeleton: &Skeleton,
    rest: &LocalPose,
    bones: &[BoneIndex],
) -> Result<Option<Paths>, Fault> {
    let expected = skeleton.len();
    if rest.bones.len() != expected {
        return Err(Fault::new("rest", Problem::Length { what: "bones", found: rest.bones.len(), expected }));
    }
    if let Some(&bone) = bones.iter().find(|&&bone| bone >= expected) {
        return Err(Fault::new("bone", Problem::Index { what: "bones", index: bone, count: expected }));
    }
    if !clip.duration.is_finite() || clip.duration <= 0.0 {
        return Ok(None);
    }
    let count = (clip.duration * RATE).ceil().clamp(SAMPLES.0, SAMPLES.1) as usize + 1;
    let interval = clip.duration / (count - 1) as f32;
    let (mut local, mut model) = (rest.clone(), ModelPose::default());
    let mut paths = vec![Vec::with_capacity(count); bones.len()];
    for sample in 0..count {
        clip.sample(sample as f32 * interval, &mut local);
        model.set_from_local(skeleton, &local);
        for (path, &bone) in paths.iter_mut().zip(bones) {
            let position = model.position(bone);
            if !position.is_finite() {
                let place = format!("position of bone {:?} in the clip", skeleton.bones()[bone].name);
                return Err(Fault::new(place, Problem::NotFinite("a clip must move its bones to finite positions")));
            }
            path.push(position);
        }
    }
    Ok(Some((paths, interval)))
}

pub(crate) fn velocities(path: &[Vec3], interval: f32) -> Vec<Vec3> {
    let last = path.len() - 1;
    let of = |at: usize| {
        let (before, after) = (at.saturating_sub(1), (at + 1).min(last));
        (path[after] - path[before]) / (interval * (after - before) as f32)
    };
    (0..=last).map(of).collect()
}

pub(crate) fn lowest(path: &[Vec3]) -> f32 {
    path.iter().map(|point| point.y).fold(f32::INFINITY, f32::min)
}

/// Returns the horizontal velocity of the ground under a planted foot: per axis, the median of the foot's velocities.
///
/// Of the samples at most `planted_height` above the lowest one, only the third with the smallest vertical speed
/// counts, because a foot that rolls over heel or ball moves slower than its ground.
pub(crate) fn ground_velocity(path: &[Vec3], interval: f32, planted_height: f32) -> Vec3 {
    let (velocities, lowest) = (velocities(path, interval), lowest(path));
    let low = path.iter().zip(velocities).filter(|(at, _)| at.y - lowest <= planted_height.max(0.0));
    let mut flat: Vec<Vec3> = low.map(|(_, velocity)| velocity).collect();
    flat.sort_by(|a, b| a.y.abs().total_cmp(&b.y.abs()));
    flat.truncate(flat.len().div_ceil(3));
    let median = |axis: fn(&Vec3) -> f32| {
        let mut speeds: Vec<f32> = flat.iter().map(axis).collect();
        speeds.sort_by(f32::total_cmp);
        speeds.get(speeds.len() / 2).copied().unwrap_or(0.0)
    };
    Vec3::new(median(|v| v.x), 0.0, median(|v| v.z))
}
