//! What a user can set on a chain's solver.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::full_body::settings::FARTHEST;
use crate::math::unit;
use crate::parameter::{Parameter, parameter};
use crate::preset::FormatError;

/// How a chain is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Solver {
    /// Cyclic coordinate descent: whole passes from the last bone to the first.
    Ccd,
    /// Its growing variant: the last two bones first, then one more each time.
    CcdGrowing,
    /// Forward and backward reaching, on positions.
    #[default]
    Fabrik,
    /// The closed form for two bones: a limb.
    TwoBone,
}

impl Solver {
    pub const ALL: [Self; 4] = [Self::Ccd, Self::CcdGrowing, Self::Fabrik, Self::TwoBone];

    /// As in files.
    pub const fn key(self) -> &'static str {
        ["ccd", "ccd_growing", "fabrik", "two_bone"][self as usize]
    }

    /// As a person reads it.
    pub const fn label(self) -> &'static str {
        ["CCD", "CCD growing", "FABRIK", "two-bone"][self as usize]
    }

    /// Whether it goes on until it is near enough.
    pub const fn iterates(self) -> bool {
        !matches!(self, Self::TwoBone)
    }

    /// What it does, for a reader who sees it for the first time.
    pub const fn sentence(self) -> &'static str {
        [
            "Turns one bone after the other, from the last to the first, so that the end points at the target.",
            "As CCD, on the last two bones first and on one more each time: the bones near the end do most.",
            "Lays the bones along a string from the target back, then from the root on, until both ends fit.",
            "The law of cosines: two bones and a target make a triangle. Exact, in one step.",
        ][self as usize]
    }
}

/// Parameters of one chain's solve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    pub solver: Solver,
    /// How far the end goes from where it is towards the target. 0 to 1.
    pub weight: f32,
    /// The end is there when it is this near to the target; model units.
    pub tolerance: f32,
    /// Nothing happens any more when an iteration moves the end by less; model units. 0 never stops for that.
    pub change_tolerance: f32,
    pub max_iterations: u32,
    /// Whether the bones' limits count.
    pub limits: bool,
    /// Whether an iteration ends by solving for the two numbers that passes are slow at: see
    /// [`straighten`](super::straighten).
    pub accelerate: bool,
    /// The 2D mode: normal of the plane through the root in which the chain stays; model space. `None` is 3D.
    pub plane: Option<Vec3>,
    /// FABRIK's bend rule (seed 002) and the side to which two bones bend: the cross product of neighbouring bones is
    /// to point along this; model space.
    pub bend_normal: Option<Vec3>,
    /// A point that the middle joint of two bones turns to; model space. It wins over the normal.
    pub bend_goal: Option<Vec3>,
    /// Two bones: how far they may reach, as a fraction of their length. Above 1 they stretch; below 1 they never get
    /// quite straight.
    pub maximum_stretch: f32,
    /// Two bones: the last part of their reach, as a fraction of it, that slows down so that the joint does not snap
    /// straight. 0 is off.
    pub soft_zone: f32,
    /// Whether the bones' rotations follow the solved positions. Off for ropes, which have none; CCD and limits work
    /// on rotations and have them anyway.
    pub rotations: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            solver: Solver::Fabrik,
            weight: 1.0,
            tolerance: 1e-5,
            change_tolerance: 1e-7,
            max_iterations: 15,
            limits: true,
            accelerate: true,
            plane: None,
            bend_normal: None,
            bend_goal: None,
            maximum_stretch: 1.0,
            soft_zone: 0.0,
            rotations: true,
        }
    }
}

/// The numbers of [`Settings`], in the order in which panels show them.
pub const PARAMETERS: &[Parameter<Settings>] = &[
    parameter!(
        Settings,
        weight,
        0..=1,
        1.0,
        "How far the end goes towards the target.",
        "0 leaves the chain as it is.",
        "1 goes all the way."
    ),
    parameter!(
        Settings,
        tolerance,
        0..=1000,
        1e-5,
        "The end has arrived when it is this near to the target.",
        "Iterations that nobody sees.",
        "The end stops short, and jumps between frames as it stops here and there."
    ),
    parameter!(
        Settings,
        change_tolerance,
        0..=1000,
        1e-7,
        "The solver gives up when an iteration moves the end by less than this.",
        "A target out of reach costs all iterations.",
        "It gives up while it still gets nearer."
    ),
    parameter!(whole
        Settings, max_iterations, 0 ..= 1000, 15,
        "The most iterations of one solve.",
        "The target is missed.",
        "Hard targets cost their time."
    ),
    parameter!(
        Settings,
        maximum_stretch,
        0.5..=2,
        1.0,
        "How far two bones may reach, as a fraction of their length.",
        "The limb never gets straight.",
        "The limb stretches like rubber."
    ),
    parameter!(
        Settings,
        soft_zone,
        0..=0.5,
        0.0,
        "The last part of the reach, in which two bones slow down.",
        "The joint snaps when the limb gets straight.",
        "The end lags behind the target long before the limb is straight."
    ),
];

impl Settings {
    /// The unit normal that the bend rule goes by: in the 2D mode that of the plane, one way or the other.
    pub(crate) fn bend(&self) -> Option<Vec3> {
        match (self.bend_normal.and_then(unit), self.plane.and_then(unit)) {
            (Some(bend), Some(plane)) => Some(if bend.dot(plane) < 0.0 { -plane } else { plane }),
            (bend, _) => bend,
        }
    }

    /// # Errors
    /// [`FormatError`] that names the field, the value and the range.
    pub fn validate(&self) -> Result<(), FormatError> {
        for parameter in PARAMETERS {
            let value = (parameter.get)(self);
            if !(parameter.min..=parameter.max).contains(&value) {
                let message = format!("is {value}; it goes from {} to {}", parameter.min, parameter.max);
                return Err(FormatError::new(parameter.key, message));
            }
        }
        for (key, direction) in [("plane", self.plane), ("bend_normal", self.bend_normal)] {
            if let Some(v) = direction.filter(|&v| !v.is_finite() || unit(v).is_none()) {
                return Err(FormatError::new(key, format!("is [{}, {}, {}]; it is a direction", v.x, v.y, v.z)));
            }
        }
        if let Some(v) = self.bend_goal.filter(|v| !v.is_finite() || v.abs().max_element() > FARTHEST) {
            let message = format!("is [{}, {}, {}]; its numbers are within ±{FARTHEST:e}", v.x, v.y, v.z);
            return Err(FormatError::new("bend_goal", message));
        }
        Ok(())
    }
}
