//! Where feet and pelvis should go, so that a character stands on uneven ground.
//!
//! ```text
//! root, animated feet, dt ─► foot_ik or predictive, casting at a Ground ─► goals of the feet, offset of the pelvis
//! ```
//!
//! A grounder moves no bone (it is what the seeds call the «IK goal solver»). Whoever drives IK moves the pelvis by
//! [`Output::pelvis`], then gives each leg its [`LegOutput`] as a target. [`Legs`] does that, for the full-body solver
//! or with four limbs alone, and makes the [`Input`].
//!
//! There are two: [`foot_ik`] casts one ray a foot and is told by a [`curve`] when a foot is planted (seed 003);
//! [`predictive`] looks where each foot will be, by its velocity (seed 004). Both are independent of the frame rate, keep
//! a small state that is `Copy`, allocate nothing, and give finite answers to whatever they are asked. Each is a program
//! of steps; a [`Recording`] keeps all of them.
//!
//! Everything is in world space (the space the ground is in), metres, seconds and radians unless it says otherwise.
//! Up is the root's up: heights are measured along it, from the root's own level.
//!
//! ```
//! use glam::Vec3;
//! use kinescope::RigidTransform;
//! use kinescope::ground::{Ground, Hit};
//! use kinescope::grounding::{FootGeometry, FootIkSettings, FootIkState, FootInput, Input, Root, foot_ik};
//! use kinescope::stepped::Unwatched;
//!
//! /// Flat, but 10 cm higher on the left. A game asks its physics instead.
//! struct Kerb;
//!
//! impl Ground for Kerb {
//!     fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
//!         let height = if from.x > 0.0 { 0.1 } else { 0.0 };
//!         let way = (height - from.y) / direction.y;
//!         let hit = Hit { point: from + direction * way, normal: Vec3::Y, distance: way };
//!         (0.0..=distance).contains(&way).then_some(hit)
//!     }
//!
//!     // Only the predictive grounder casts these.
//!     fn sphere(&self, _: Vec3, _: f32, _: Vec3, _: f32) -> Option<Hit> {
//!         None
//!     }
//!
//!     fn capsule(&self, _: Vec3, _: Vec3, _: f32, _: Vec3, _: f32) -> Option<Hit> {
//!         None
//!     }
//! }
//!
//! let (settings, mut state) = (FootIkSettings::default(), FootIkState::default());
//! let feet = [0.1, -0.1].map(|x| {
//!     let ankle = RigidTransform { position: Vec3::new(x, 0.08, 0.0), ..RigidTransform::IDENTITY };
//!     FootInput::new(ankle, FootGeometry { ankle_height: 0.08, ..FootGeometry::default() })
//! });
//! // Every frame: the feet as animated, the character being where `root` is.
//! let input = Input { root: Root::ORIGIN, feet, dt: 1.0 / 60.0 };
//! let output = foot_ik::solve(&settings, &input, &mut state, &Kerb, &mut Unwatched);
//! assert!((output.legs[0].offset - 0.1).abs() < 1e-3 && output.legs[1].offset.abs() < 1e-3);
//! ```

pub mod curve;
pub mod derive;
pub mod draw;
pub mod event;
pub mod explain;
mod explain_limbs;
pub mod foot_ik;
pub mod footprint;
mod footprint_run;
mod frame;
pub mod handover;
pub mod held;
mod leg;
pub mod legs;
pub mod limbs;
pub mod lock;
mod lock_run;
mod pelvis;
pub mod predictive;
pub mod qualities;
pub mod recording;
mod run;
pub mod settings;
pub mod speed;

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::ground::Layers;
use crate::math::{PARALLEL_SINE, ortho_normalize, sine, unit};
use crate::rig::RigidTransform;

pub use crate::math::filter::Update;
pub use crate::names::Side;
pub use curve::{Key, WeightCurve};
pub use derive::{DeriveSettings, derive_weights};
pub use event::{Cast, Event, Purpose, Shape};
pub use foot_ik::{FootHeight, FootIkSettings, FootIkState};
pub use footprint::{Footprint, FootprintSettings, FootprintState};
pub use footprint_run::FootprintRun;
pub use frame::{LegFrame, Passing};
pub use held::{HeldCasts, HeldGround};
pub use leg::LegState;
pub use legs::{DriveWeights, Legs};
pub use limbs::{LimbSettings, LimbWorkspace, LimbsRun};
pub use lock::{LockSettings, LockState};
pub use lock_run::LockRun;
pub use pelvis::PelvisState;
pub use predictive::{Frame, Program, Stage, State, Step, read, run_stage};
pub use qualities::QualityLane;
pub use recording::{Recording, Solver, SolverState, SolverStep, solve};
pub use run::GroundRun;
pub use settings::{PredictiveSettings, Quality};
pub use speed::{SpeedSettings, SpeedState, WeightSource};

/// How far a leg stretches at most, as part of its length.
pub const FULLEST_REACH: f32 = 0.999;
/// A longer frame is a pause or a jump, not motion; seconds.
pub const LONGEST_FRAME: f32 = 0.5;
/// The length of a frame that nothing was before, seconds: whatever it is, everything settles at once.
pub const FIRST_FRAME: f32 = 1.0 / 60.0;
/// Coordinates beyond this, in metres, count as not finite: an f32 cannot place a foot there.
pub const FARTHEST: f32 = 1e6;
/// A root that moves faster than this was put somewhere else; metres per second, and metres on top for short frames.
const TELEPORT: (f32, f32) = (20.0, 0.5);

/// Where the character is: the point on its own ground, and which way it stands. The default is [`Root::ORIGIN`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Root {
    /// The point on the ground; world space, metres.
    pub position: Vec3,
    /// Need not be unit. Zero or not finite counts as +Y.
    pub up: Vec3,
    /// Where the character looks; its part orthogonal to `up` counts.
    pub forward: Vec3,
}

impl Root {
    /// At the origin, +Y up, looking along +Z, as glTF has it.
    pub const ORIGIN: Self = Self { position: Vec3::ZERO, up: Vec3::Y, forward: Vec3::Z };

    /// A root whose own axes are +Y up and +Z forward.
    pub fn new(transform: RigidTransform) -> Self {
        Self { position: transform.position, up: transform.rotation * Vec3::Y, forward: transform.rotation * Vec3::Z }
    }

    /// With unit axes at right angles; `None` if the position is not finite.
    fn sane(self) -> Option<Self> {
        let up = if self.up.is_finite() { unit(self.up) } else { None }.unwrap_or(Vec3::Y);
        let forward = if self.forward.is_finite() { self.forward } else { Vec3::Z };
        is_sane(self.position).then(|| Self { position: self.position, up, forward: ortho_normalize(up, forward) })
    }

    /// Height of a point over the root's level.
    fn height(&self, point: Vec3) -> f32 {
        (point - self.position).dot(self.up)
    }

    /// True if the root cannot have moved from there in `dt` seconds.
    fn teleported_from(&self, position: Vec3, dt: f32) -> bool {
        self.position.distance(position) > TELEPORT.1 + TELEPORT.0 * dt
    }
}

impl Default for Root {
    fn default() -> Self {
        Self::ORIGIN
    }
}

/// The sole below a foot bone, measured where the character stands on flat ground. All zero (the default): the bone is
/// the sole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FootGeometry {
    /// From the sole up to the foot bone.
    pub ankle_height: f32,
    /// From the foot bone back to the end of the heel.
    pub heel_offset: f32,
    /// From the foot bone ahead to the tip of the toes.
    pub toe_offset: f32,
    /// Where the toes point, in the foot bone's own space; zero: where the root looks.
    pub forward_in_foot: Vec3,
}

impl FootGeometry {
    /// Measures a foot in the reference pose, in which it stands flat on the root's level.
    ///
    /// `toe` is the foremost point that is known: the tip of the toes, or their bone. Without it the foot points where
    /// the root looks and its length is a guess from its height, as is always the heel: human feet stand out behind
    /// the ankle by half its height, and ahead by twice.
    pub fn measure(foot: RigidTransform, toe: Option<Vec3>, root: &Root) -> Self {
        let Some(root) = root.sane() else { return Self::default() };
        if !is_sane(foot.position) || !foot.rotation.is_finite() {
            return Self::default();
        }
        let ankle_height = root.height(foot.position).max(0.0);
        let ahead = toe.filter(|&toe| is_sane(toe)).map(|toe| toe - foot.position);
        let ahead = ahead.map(|ahead| ahead - root.up * ahead.dot(root.up)).filter(|ahead| ahead.length() > 1e-3);
        Self {
            ankle_height,
            heel_offset: ankle_height * 0.5,
            toe_offset: ahead.map_or(ankle_height * 2.0, Vec3::length),
            forward_in_foot: foot.rotation.conjugate() * ahead.and_then(unit).unwrap_or(root.forward),
        }
        .sane()
    }

    /// No length negative, longer than 2 m or not a number.
    fn sane(self) -> Self {
        let length = |length: f32| if length.is_finite() { length.clamp(0.0, 2.0) } else { 0.0 };
        let forward = self.forward_in_foot;
        Self {
            ankle_height: length(self.ankle_height),
            heel_offset: length(self.heel_offset),
            toe_offset: length(self.toe_offset),
            forward_in_foot: if forward.is_finite() { unit(forward).unwrap_or(Vec3::ZERO) } else { Vec3::ZERO },
        }
    }

    /// Where the toes of a foot of that rotation point over the ground; unit, orthogonal to up.
    fn forward(&self, rotation: Quat, root: &Root) -> Vec3 {
        let forward = rotation * self.forward_in_foot;
        // A foot that stands on its tip points nowhere.
        match sine(forward, root.up) > PARALLEL_SINE.max(0.1) {
            true => ortho_normalize(root.up, forward),
            false => root.forward,
        }
    }
}

/// How far a leg can reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// The hip (thigh bone) in the animated pose.
    pub hip: Vec3,
    /// Length of thigh and calf together.
    pub length: f32,
}

/// One foot of the animated pose. The default is at the origin, without weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FootInput {
    /// The foot bone (the ankle). Not finite: the foot counts as lost, not grounded.
    pub position: Vec3,
    /// Rotation of the foot bone.
    pub rotation: Quat,
    /// The sole below the foot bone.
    pub geometry: FootGeometry,
    /// With it, the pelvis is kept low enough for the leg to reach its goal.
    pub reach: Option<Reach>,
    /// How much the leg takes part, 0 to 1; a caller's own weight, handed on to the output.
    pub weight: f32,
    /// What of the ground it may stand on. Either foot's keeps the character from counting as in the air.
    pub layers: Layers,
}

impl FootInput {
    /// A foot with full weight and no known reach.
    pub fn new(foot: RigidTransform, geometry: FootGeometry) -> Self {
        Self {
            position: foot.position,
            rotation: foot.rotation,
            geometry,
            reach: None,
            weight: 1.0,
            layers: Layers::ALL,
        }
    }

    /// The foot with nothing in it that is not finite; `None` if it is lost.
    fn sane(&self) -> Option<RigidTransform> {
        let rotation = if self.rotation.is_finite() { self.rotation } else { Quat::IDENTITY };
        let rotation = if (0.5..2.0).contains(&rotation.length()) { rotation.normalize() } else { Quat::IDENTITY };
        is_sane(self.position).then_some(RigidTransform { position: self.position, rotation })
    }

    fn sane_weight(&self) -> f32 {
        if self.weight.is_nan() { 0.0 } else { self.weight.clamp(0.0, 1.0) }
    }

    fn sane_reach(&self) -> Option<Reach> {
        self.reach.filter(|reach| is_sane(reach.hip) && reach.length > 0.0 && reach.length < FARTHEST)
    }
}

/// What a frame hands in. The default is of no time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Input {
    /// Where the character is.
    pub root: Root,
    /// In the order of [`Side::ALL`].
    pub feet: [FootInput; 2],
    /// Seconds since the last frame. Zero, negative or not a number: no time passes and the state stays as it is.
    pub dt: f32,
}

/// Where one foot should go. The default has no weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LegOutput {
    /// Target of the foot bone.
    pub ik_position: Vec3,
    /// How far that is above the animated foot, along up; negative: below.
    pub offset: f32,
    /// To be put before the animated foot's rotation: `rotation_offset * animated`.
    pub rotation_offset: Quat,
    /// Whether there is ground under the foot or on its way.
    pub grounded: bool,
    /// Velocity of the animated foot, smoothed; metres per second.
    pub velocity: Vec3,
    /// Where the animated foot will be shortly, over the ground.
    pub predicted: Vec3,
    /// How much the goal counts, 0 to 1: the weight of the IK.
    pub weight: f32,
    /// How far a [foot lock](lock) holds the foot from there, whatever the weight; metres.
    pub held: Vec3,
}

impl LegOutput {
    /// The goal mixed by its weight with `carried`, the animated foot after the pelvis took it along. `animated` is the
    /// foot's rotation in the animated pose.
    pub fn blend(&self, carried: RigidTransform, animated: Quat) -> RigidTransform {
        let rotation = (self.rotation_offset * animated).normalize();
        RigidTransform {
            position: carried.position.lerp(self.ik_position, self.weight),
            rotation: crate::math::nlerp(carried.rotation, rotation, self.weight),
        }
    }
}

/// What a frame gives. The default moves nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Output {
    /// In the order of [`Side::ALL`].
    pub legs: [LegOutput; 2],
    /// How far the pelvis, and all that it carries, moves.
    pub pelvis: Vec3,
    /// The same along up; negative: down.
    pub pelvis_height: f32,
    /// Whether the pelvis had to go lower than it wanted, for a foot to reach its goal.
    pub pelvis_limited: bool,
}

/// Nearer than this, feet and pelvis have arrived; metres, and radians of half a turn.
const ARRIVED: f32 = 2e-6;
const TURNED: f32 = 1e-5;

impl Output {
    /// Whether feet or pelvis are elsewhere than in the frame before: while they are not, they have come to rest.
    pub fn has_moved_since(&self, before: &Self) -> bool {
        let moved = |(before, after): (&LegOutput, &LegOutput)| {
            let turned = before.rotation_offset.conjugate() * after.rotation_offset;
            (before.offset - after.offset).abs() > ARRIVED || turned.xyz().length() > TURNED
        };
        before.legs.iter().zip(&self.legs).any(moved) || (before.pelvis_height - self.pelvis_height).abs() > ARRIVED
    }
}

impl LegOutput {
    fn is_finite(&self) -> bool {
        let Self { ik_position, offset, rotation_offset, grounded: _, velocity, predicted, weight, held } = self;
        let vectors = [ik_position, velocity, predicted, held];
        vectors.iter().all(|v| v.is_finite()) && offset.is_finite() && rotation_offset.is_finite() && weight.is_finite()
    }
}

impl Output {
    /// The output without numbers that are not finite: such a foot has no weight, such a pelvis stays.
    pub(crate) fn sane(self) -> Self {
        let legs = self.legs.map(|leg| if leg.is_finite() { leg } else { LegOutput::default() });
        let is_finite = self.pelvis.is_finite() && self.pelvis_height.is_finite();
        let (pelvis, pelvis_height) = if is_finite { (self.pelvis, self.pelvis_height) } else { (Vec3::ZERO, 0.0) };
        Self { legs, pelvis, pelvis_height, ..self }
    }
}

/// True for a point at which a foot can be.
fn is_sane(point: Vec3) -> bool {
    point.is_finite() && point.abs().max_element() <= FARTHEST
}
