use std::ops::RangeInclusive;

use glam::Vec2;
use serde::{Deserialize, Serialize};

use kinescope_ik::animation::PoseLayer;
use kinescope_ik::error::{BadValue, Fault, Problem};
use kinescope_ik::locomotion::path::MOST_POINTS;
use kinescope_ik::parameter::{Parameters, Unit, settings};
use kinescope_ik::terrain::{FARTHEST, Terrain};

/// How the character moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Travel {
    /// Stays in place: removes the clip's own movement.
    #[default]
    InPlace,
    /// Moves as the clip does.
    Clip,
    /// Follows a path at the clip's walking speed.
    Path,
}

settings! {
    /// A crossfade that starts by itself.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct PlannedFade {
        /// Start time in seconds after motion began.
        at: f32 = 0.0, from 0 to 600 usually 20 in Seconds,
            too little: "The fade starts at once.",
            too much: "The fade starts too late to be seen.";
        /// Name of the clip to fade to; a clip that the model lacks is ignored.
        clip: String = String::new();
        /// Duration of the fade.
        duration: f32 = 0.25, from 0 to 10 usually 2 in Seconds,
            too little: "The pose jumps.",
            too much: "The movement looks floating.";
    }
}

settings! {
    /// Section `motion` of a preset.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct MotionSection {
        /// Duration of the fade to another clip; 0 switches at once.
        fade: f32 = 0.25, from 0 to 10 usually 2 in Seconds,
            too little: "The pose jumps.",
            too much: "The movement looks floating.",
            source: Book "fadeTime",
            source: Book "mDuration";
        /// Fades that start by themselves.
        planned: Vec<PlannedFade> = Vec::new();
        /// Period after which the planned fades repeat; 0 is never.
        every: f32 = 0.0, from 0 to 600 usually 20 in Seconds,
            too little: "The fades overlap; 0 runs them once.",
            too much: "The fades take long to repeat.";
        /// Names of the clips from standing to running, one of which `pace` chooses. If empty, the user chooses the clip.
        gaits: Vec<String> = Vec::new();
        /// Speed of the character: the clip with the nearest speed fades in, and its rate is adjusted.
        pace: f32 = 0.0, from 0 to 8 in MetresPerSecond,
            too little: "The character stands, or walks at half speed if no clip stands.",
            too much: "The legs move unnaturally fast.";
        /// Clips layered on top of the one that plays.
        layers: Vec<PoseLayer> = Vec::new();
        /// How the character moves.
        travel: Travel = Travel::InPlace;
        /// Position where the character stands, or where the clip's own movement begins: x and z, metres.
        start: Vec2 = Vec2::ZERO;
        /// Facing direction of a character that follows no path, −360° to 360° from +Z to +X; null is the model's own.
        heading: Option<f32> = None;
        /// How much the character leans with the slope, from upright (+Y) to the ground's normal.
        lean: f32 = 0.0, from 0 to 1 in Share,
            too little: "The character stands upright on every slope.",
            too much: "The character seems to fall over on steep slopes.";
        /// Points of the path, x and z, metres.
        path: Vec<Vec2> = Vec::new();
        /// Whether the path continues from its last point to its first.
        closed: bool = true;
        /// Frames per second at which motion is computed, 5 to 1000; null is every drawn frame.
        frame_rate: Option<f32> = None;
    }
}

pub const FRAME_RATES: [f32; 4] = [30.0, 60.0, 144.0, 240.0];

impl MotionSection {
    pub fn validate(&self) -> Result<(), Fault> {
        self.check().map_err(|fault| fault.within("motion"))
    }

    fn check(&self) -> Result<(), Fault> {
        self.check_numbers()?;
        for (index, fade) in self.planned.iter().enumerate() {
            fade.check_numbers().map_err(|fault| fault.within(format!("planned[{index}]")))?;
        }
        for (index, layer) in self.layers.iter().enumerate() {
            layer.validate().map_err(|fault| fault.within(format!("layers[{index}]")))?;
        }
        check_point(self.start).map_err(|fault| fault.within("start"))?;
        let found = self.path.len();
        if found > MOST_POINTS {
            return Err(Fault::new("path", Problem::TooMany { what: "points", found, most: MOST_POINTS }));
        }
        for (index, &point) in self.path.iter().enumerate() {
            check_point(point).map_err(|fault| fault.within(format!("path[{index}]")))?;
        }
        let check = |name: &str, value: Option<f32>, range: RangeInclusive<f32>, unit: Unit| {
            let checked = value.map_or(Ok(()), |value| BadValue::check_range(value, &range, unit));
            checked.map_err(|bad| bad.at(name))
        };
        check("heading", self.heading, -360.0..=360.0, Unit::Degrees)?;
        check("frame_rate", self.frame_rate, 5.0..=1000.0, Unit::PerSecond)
    }
}

fn check_point(point: Vec2) -> Result<(), Fault> {
    const RANGE: RangeInclusive<f32> = -FARTHEST..=FARTHEST;
    [0, 1].into_iter().try_for_each(|axis| {
        BadValue::check_range(point[axis], &RANGE, Unit::Metres).map_err(|bad| bad.at(format!("[{axis}]")))
    })
}

/// Returns the six points of a closed path along the z axis of a terrain or, without one, of a square of 6 m; x and z
/// in metres.
pub(crate) fn path_around(terrain: Option<&Terrain>) -> Vec<Vec2> {
    let (center, size) = terrain.map_or((Vec2::ZERO, Vec2::splat(6.0)), |terrain| (terrain.center, terrain.size));
    let half = size * 0.5;
    let (aside, along) = ((half.x * 0.45).min(1.0), half.y - (half.y * 0.3).min(1.4));
    // The turns are round, because feet slide in a walk that turns on the spot.
    let there = [(1.0, -0.75), (1.0, 0.75), (0.0, 1.0)];
    let back = there.map(|(x, z): (f32, f32)| (-x, -z));
    there.into_iter().chain(back).map(|(x, z)| center + Vec2::new(x * aside, z * along)).collect()
}
