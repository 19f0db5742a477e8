//! Section `motion` of a preset.

use std::ops::RangeInclusive;

use glam::Vec2;
use serde::{Deserialize, Serialize};

use kinescope_ik::animation::PoseLayer;
use kinescope_ik::error::{BadValue, Fault, Problem};
use kinescope_ik::locomotion::path::MOST_POINTS;
use kinescope_ik::parameter::{Parameters, Unit, settings};
use kinescope_ik::terrain::{FARTHEST, Terrain};

/// How the character gets about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Travel {
    /// It stays where it is: what the clip itself moves the character is taken out.
    #[default]
    InPlace,
    /// As the clip itself moves it.
    Clip,
    /// Along a path, as fast as its clip walks.
    Path,
}

settings! {
    /// A fade that comes by itself.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct PlannedFade {
        /// Seconds after motion began.
        at: f32 = 0.0, from 0 to 600 usually 20 in Seconds,
            too little: "It comes at once.",
            too much: "It does not come.";
        /// To which clip; one that the model does not have does nothing.
        clip: String = String::new();
        /// How long it takes.
        duration: f32 = 0.25, from 0 to 10 usually 2 in Seconds,
            too little: "The pose jumps.",
            too much: "It floats.";
    }
}

settings! {
    /// Section `motion` of a preset.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct MotionSection {
        /// How long another clip takes to come in; 0 is at once.
        fade: f32 = 0.25, from 0 to 10 usually 2 in Seconds,
            too little: "The pose jumps.",
            too much: "It floats.",
            source: Book "fadeTime",
            source: Book "mDuration";
        /// Fades that come by themselves.
        planned: Vec<PlannedFade> = Vec::new();
        /// After how long they come again; 0 is never.
        every: f32 = 0.0, from 0 to 600 usually 20 in Seconds,
            too little: "They come once.",
            too much: "It takes long to see them again.";
        /// Names of clips from standing to running, one of which is chosen by `pace`; empty leaves it to the user.
        gaits: Vec<String> = Vec::new();
        /// How fast to go: the clip that walks most nearly so fast fades in, and runs a little faster or slower.
        pace: f32 = 0.0, from 0 to 8 in MetresPerSecond,
            too little: "It stands.",
            too much: "Its legs are a blur.";
        /// Clips on top of the one that plays.
        layers: Vec<PoseLayer> = Vec::new();
        /// How the character gets about.
        travel: Travel = Travel::InPlace;
        /// Where the character stands, or its clip begins, or its path begins to be counted: x and z, metres.
        start: Vec2 = Vec2::ZERO;
        /// Where it looks while it stays in place, degrees from +Z to +X; null is where its model looks.
        heading: Option<f32> = None;
        /// How far it leans with the slope that it is on: its own up goes from +Y to the ground's normal.
        lean: f32 = 0.0, from 0 to 1 in Share,
            too little: "It stands upright on every slope.",
            too much: "It falls over on a steep one.";
        /// Points of the path, x and z, metres.
        path: Vec<Vec2> = Vec::new();
        /// Whether the path goes on from its last point to its first.
        closed: bool = true;
        /// Frames a second that motion is computed at; null is every drawn frame.
        frame_rate: Option<f32> = None;
    }
}

/// Frame rates to choose from, besides the display's own.
pub const FRAME_RATES: [f32; 4] = [30.0, 60.0, 144.0, 240.0];

impl MotionSection {
    /// # Errors
    /// [`Fault`] that names the field, its value and what it may be.
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

/// Of x and z: whether it is on any ground.
fn check_point(point: Vec2) -> Result<(), Fault> {
    const RANGE: RangeInclusive<f32> = -FARTHEST..=FARTHEST;
    [0, 1].into_iter().try_for_each(|axis| {
        BadValue::check_range(point[axis], &RANGE, Unit::Metres).map_err(|bad| bad.at(format!("[{axis}]")))
    })
}

/// A way there and back over a terrain, along its length.
pub fn path_around(terrain: Option<&Terrain>) -> Vec<Vec2> {
    let (center, size) = terrain.map_or((Vec2::ZERO, Vec2::splat(6.0)), |terrain| (terrain.center, terrain.size));
    let half = size * 0.5;
    let (aside, along) = ((half.x * 0.45).min(1.0), half.y - (half.y * 0.3).min(1.4));
    // Round where it turns: a walk that turns on the spot slides.
    let there = [(1.0, -0.75), (1.0, 0.75), (0.0, 1.0)];
    let back = there.map(|(x, z): (f32, f32)| (-x, -z));
    there.into_iter().chain(back).map(|(x, z)| center + Vec2::new(x * aside, z * along)).collect()
}
