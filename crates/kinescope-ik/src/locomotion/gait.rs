//! Which clip walks at a pace, and how much each foot stands in what is shown.

use crate::animation::{Clip, Crossfade, Phase};
use crate::grounding::WeightCurve;
use crate::grounding::lock::PLANTED;

/// A clip that gets ahead faster than this walks; one that is slower stands. Metres per second.
pub const WALKS: f32 = 0.1;
/// How much nearer to the pace another clip has to be for it to take over: without that, gaits flutter at the border.
const NEARER: f32 = 0.9;
/// How much slower and faster than authored a clip runs for the pace, as factors.
const RATES: (f32, f32) = (0.5, 2.0);
/// How often the time in which a foot lands is halved.
const HALVINGS: u32 = 16;

/// What goes at a pace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gait {
    /// Index into the model's clips.
    pub clip: usize,
    /// How much faster than authored it has to run: 0.5 to 2; 1 for a clip that stands.
    pub rate: f32,
}

impl Gait {
    /// That of `gaits` (clips and how fast they walk, metres per second) which walks most nearly at `pace`. The one that
    /// plays, `current`, is left only for one that is clearly nearer. The first of equals; `None` if there are none. A
    /// pace that is not finite counts as 0, as does such a speed.
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

/// How one clip takes over from another, by their speeds in metres per second: from walk to walk with the same foot
/// down, from and to standing from its beginning.
pub fn phase_between(from: f32, to: f32) -> Phase {
    if from.abs() > WALKS && to.abs() > WALKS { Phase::Keep } else { Phase::Restart }
}

/// How much the left and the right foot are planted in one clip of that duration at a time of it, seconds, by its curves;
/// both without any.
pub fn planted_in(curves: Option<&[WeightCurve; 2]>, time: f32, duration: f32) -> [f32; 2] {
    let phase = if duration > 0.0 { time / duration } else { 0.0 };
    [0, 1].map(|side| curves.map_or(1.0, |curves| curves[side].evaluate(phase)))
}

/// How much the left and the right foot are planted in what is shown, 0 to 1: the weights of `curves`, which tells each
/// clip's, mixed as the clips are. A clip without curves plants both; so does the rest pose.
pub fn planted<'a>(
    shown: &Crossfade,
    clips: &[Clip],
    curves: impl Fn(usize) -> Option<&'a [WeightCurve; 2]>,
) -> [f32; 2] {
    planted_ago(shown, clips, curves, 0.0)
}

/// The same so many seconds of the clips ago.
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

/// When the left and the right foot landed or lifted within the last `passed` seconds of the clips: the part of that time
/// that came before, 0 to 1. `None` for a foot that did not.
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
