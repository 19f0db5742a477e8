//! Chooses the clip for a walking speed, and evaluates how much each foot is planted.

use crate::animation::{Clip, Crossfade, Phase};
use crate::grounding::WeightCurve;
use crate::grounding::lock::PLANTED;

/// Clips faster than this, forward or backward, walk; slower ones stand; metres per second.
pub const WALKS: f32 = 0.1;
/// Factor on the difference between the current clip's speed and the pace: it favours the current clip, so that the
/// choice does not alternate between two clips.
const NEARER: f32 = 0.9;
const RATES: (f32, f32) = (0.5, 2.0);
/// Bisection steps that find when a foot landed or lifted within a frame.
const HALVINGS: u32 = 16;

/// A clip and its playback rate for a walking speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gait {
    /// Index into the model's clips.
    pub clip: usize,
    /// Playback rate, 0.5 to 2; 1 for a clip that stands or moves backward.
    pub rate: f32,
}

impl Gait {
    /// Chooses the clip whose speed is nearest to `pace`. `gaits` are clips with their speeds; all speeds are in metres
    /// per second. The clip `current`, which is playing, is replaced only by one that is clearly nearer. Of several
    /// equally near clips the first is chosen; `None` if `gaits` is empty. Speeds that are not finite count as 0.
    pub fn choose(gaits: impl IntoIterator<Item = (usize, f32)>, pace: f32, current: Option<usize>) -> Option<Self> {
        let finite = |number: f32| if number.is_finite() { number } else { 0.0 };
        let pace = finite(pace);
        let away = |&(clip, speed): &(usize, f32)| {
            let away = (speed - pace).abs();
            if current == Some(clip) { away * NEARER } else { away }
        };
        let gaits = gaits.into_iter().map(|(clip, speed)| (clip, finite(speed)));
        let (clip, speed) = gaits.min_by(|a, b| away(a).total_cmp(&away(b)))?;
        Some(Self { clip, rate: if speed > WALKS { (pace / speed).clamp(RATES.0, RATES.1) } else { 1.0 } })
    }
}

/// Returns the phase at which a clip begins when it replaces another, by their speeds in metres per second: between two
/// walks the phase is kept, so that the same foot is down; otherwise the clip restarts.
pub fn phase_between(from: f32, to: f32) -> Phase {
    if from.abs() > WALKS && to.abs() > WALKS { Phase::Keep } else { Phase::Restart }
}

/// Returns how much the left and the right foot are planted, 0 to 1, at `time` in a clip of length `duration`; both in
/// seconds. Without curves both feet are planted.
pub fn planted_in(curves: Option<&[WeightCurve; 2]>, time: f32, duration: f32) -> [f32; 2] {
    let phase = if duration > 0.0 { time / duration } else { 0.0 };
    [0, 1].map(|side| curves.map_or(1.0, |curves| curves[side].evaluate(phase)))
}

/// Returns how much the left and the right foot are planted in a crossfade, 0 to 1: the values of each clip's `curves`,
/// mixed by the weights of the clips. A clip without curves plants both feet; so does the rest pose.
pub fn planted<'a>(
    shown: &Crossfade,
    clips: &[Clip],
    curves: impl Fn(usize) -> Option<&'a [WeightCurve; 2]>,
) -> [f32; 2] {
    planted_ago(shown, clips, curves, 0.0)
}

/// Returns the result of [`planted`] for the clips `ago` seconds earlier.
fn planted_ago<'a>(
    shown: &Crossfade,
    clips: &[Clip],
    curves: impl Fn(usize) -> Option<&'a [WeightCurve; 2]>,
    ago: f32,
) -> [f32; 2] {
    if shown.target().is_none() {
        return [1.0; 2];
    }
    let mut weights = [0.0; 2];
    for (clip, time, weight) in shown.shown() {
        let duration = clips.get(clip).map_or(0.0, |clip| clip.duration);
        let time = if ago > 0.0 && duration > 0.0 { (time - ago).rem_euclid(duration) } else { time };
        let own = planted_in(curves(clip), time, duration);
        for side in 0..2 {
            weights[side] += weight * own[side];
        }
    }
    weights.map(|weight: f32| if weight.is_nan() { 1.0 } else { weight.clamp(0.0, 1.0) })
}

/// Returns when the left and the right foot landed or lifted within the last `passed` seconds of the clips, as a
/// fraction of that time: 0 is its beginning. `None` for a foot that stands, or swings, both at the beginning and at
/// the end, and if `passed` is not above 0.
pub fn crossed<'a>(
    shown: &Crossfade,
    clips: &[Clip],
    curves: impl Fn(usize) -> Option<&'a [WeightCurve; 2]>,
    passed: f32,
) -> [Option<f32>; 2] {
    let stands = |side: usize, ago: f32| planted_ago(shown, clips, &curves, ago)[side] > PLANTED;
    [0, 1].map(|side| {
        let now = stands(side, 0.0);
        if passed.is_nan() || passed <= 0.0 || stands(side, passed) == now {
            return None;
        }
        let (mut since, mut before) = (0.0, passed);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (since + before);
            *(if stands(side, middle) == now { &mut since } else { &mut before }) = middle;
        }
        Some(1.0 - since / passed)
    })
}
