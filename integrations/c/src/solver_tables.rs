// Generated from the tables of kinescope-ik; do not edit. To generate again: KINESCOPE_WRITE_MIRRORS=1 cargo test -p kinescope-ik --all-features --test library mirrors

//! Settings of grounders, chains and bodies in C.

use kinescope_library::chain_ik::{
    BendRule, CcdTurn, MapTurn, Settings as ChainIkSettings, Solver as ChainSolver, Weighting,
};
use kinescope_library::grounding::{
    DriveWeights, FootIkSettings, FootprintSettings, LockSettings, PredictiveSettings, Quality, SpeedSettings,
};
use kinescope_library::least_squares::LeastSquaresSettings;
use kinescope_library::position_based::PositionBasedSettings;

use crate::Refused;
use crate::pose::KinescopeVec3;
use crate::settings::choice;

/// How closely the predictive grounder looks at the ground.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeQuality {
    /// One ray per foot at its predicted position; a ray for the root.
    Fastest,
    /// Three rays per foot, and a ray for the root; the ground is the plane through the hits.
    Simple,
    /// A ray, a capsule along the predicted path and three rays under each foot; a sphere for the root.
    Best,
}

/// Algorithms that solve a single chain.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeChainSolver {
    /// Rotates one bone after another, from the last to the first; each rotation turns the end toward the target.
    Ccd,
    /// As CCD, but starts with the last two bones and adds one more each time: the bones near the end bend most.
    CcdGrowing,
    /// Places the joints from the target back, then from the root on, and repeats both.
    Fabrik,
    /// Solves the triangle of two bones and target in one step, by the law of cosines.
    TwoBone,
}

/// Where a weight below 1 acts in a solver of chains that iterates.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeWeighting {
    /// On the target: the solver aims at a point between end and target.
    Target,
    /// In each pass: the end reaches the target in more iterations. The two-bone solver has no passes and weights its target.
    Passes,
}

/// How CCD applies its rotations. All except the first reproduce misreadings of a source, for comparison.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeCcdTurn {
    /// In model space, from the left; correct.
    Model,
    /// In local space, by the model-space rotation, as in the code of *Animation programming notes*.
    NotesLocal,
    /// From the right: code for a library that multiplies left to right, read with the other order.
    BookMisread,
}

/// How FABRIK rotates the bones. All except the first reproduce misreadings of a source, for comparison.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeMapTurn {
    /// By the shortest swing in model space; correct.
    Model,
    /// About the parent's axes, not the bone's: code for a library that multiplies left to right, read right to left.
    BookMisread,
    /// As *Animation programming notes* correct that code, which rotates no bone.
    NotesCorrection,
}

/// How FABRIK applies its bend rule. The second is the rule of *FABRIK with a bend rule*, for comparison.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeBendRule {
    /// Reflects a bone that bends against the normal; reaches every target within reach.
    Mirror,
    /// Rotates a bone by two degrees about x, as in that source; the normal's direction has no effect.
    Literal,
}

/// Why the solve of a chain stopped.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeStoppedBy {
    /// Reached: within the tolerance.
    Tolerance,
    /// No change: the last iteration hardly moved the joint with the target.
    NoChange,
    /// Out of reach: the chain is stretched or folded toward the target.
    Unreachable,
    /// All iterations used.
    MaxIterations,
    /// Closed form, off the target because of soft zone, maximum stretch, limits or rounding.
    ClosedForm,
    /// Weight 0: not solved.
    NoWeight,
    /// The joints reached the target; the rotations miss it.
    LostInMap,
}

/// Settings of foot IK: one ray down at each foot.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeFootIkSettings {
    /// Whether the foot IK runs. 0 means no.
    pub enable_feet_ik: u32,
    /// Height over the root's level at which rays begin. From 0 to 2 metres, by default 1.2.
    pub height_from_ground_raycast: f32,
    /// Length of the rays below the root's level. From 0 to 2 metres, by default 1.5.
    pub raycast_down_distance: f32,
    /// Offset of feet and pelvis above the ground. From -1 to 1 metres, by default 0.
    pub pelvis_offset: f32,
    /// Share of its remaining distance that the pelvis moves per 1/60 s. From 0 to 1, by default 0.28.
    pub pelvis_up_and_down_speed: f32,
    /// Share of its remaining distance that a foot moves per 1/60 s. From 0 to 1, by default 0.5.
    pub feet_to_ik_position_speed: f32,
    /// Rotation of the left foot about the up axis, if feet turn with the ground. From 0 to 100 degrees, by default 0.
    pub left_foot_angle_offset: f32,
    /// Rotation of the right foot about the up axis, if feet turn with the ground. From 0 to 100 degrees, by default 0.
    pub right_foot_angle_offset: f32,
    /// Whether feet turn with the ground. 0 means no.
    pub rotate_feet: u32,
}

impl From<&FootIkSettings> for KinescopeFootIkSettings {
    fn from(own: &FootIkSettings) -> Self {
        Self {
            enable_feet_ik: own.enable_feet_ik.into(),
            height_from_ground_raycast: own.height_from_ground_raycast,
            raycast_down_distance: own.raycast_down_distance,
            pelvis_offset: own.pelvis_offset,
            pelvis_up_and_down_speed: own.pelvis_up_and_down_speed,
            feet_to_ik_position_speed: own.feet_to_ik_position_speed,
            left_foot_angle_offset: own.left_foot_angle_offset,
            right_foot_angle_offset: own.right_foot_angle_offset,
            rotate_feet: own.rotate_feet.into(),
        }
    }
}

impl KinescopeFootIkSettings {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &FootIkSettings) -> Result<FootIkSettings, Refused> {
        Ok(FootIkSettings {
            enable_feet_ik: self.enable_feet_ik != 0,
            height_from_ground_raycast: self.height_from_ground_raycast,
            raycast_down_distance: self.raycast_down_distance,
            pelvis_offset: self.pelvis_offset,
            pelvis_up_and_down_speed: self.pelvis_up_and_down_speed,
            feet_to_ik_position_speed: self.feet_to_ik_position_speed,
            left_foot_angle_offset: self.left_foot_angle_offset,
            right_foot_angle_offset: self.right_foot_angle_offset,
            rotate_feet: self.rotate_feet != 0,
            ..own.clone()
        })
    }
}

/// Settings of the predictive grounder.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopePredictiveSettings {
    /// Largest step up or down. 0 leaves the feet as animated. From 0 to 2 metres, by default 0.5.
    pub max_step: f32,
    /// A foot moves to the height of its ground at this speed plus, per second, this many times the remaining distance. From 0 to 50 metres per second, by default 2.5.
    pub foot_speed: f32,
    /// Half the foot's width, and distance of its middle ahead of the ankle. From 0 to 2 metres, by default 0.15.
    pub foot_radius: f32,
    /// Time ahead for which the foot's position is predicted. From 0 to 1 seconds, by default 0.05.
    pub prediction: f32,
    /// Offset of the middle of the foot, forward. From -1 to 1 metres, by default 0.
    pub foot_center_offset: f32,
    /// Whether the middle of the foot and the ray under it are behind the foot bone: for legs that bend backward. 0 means no.
    pub invert_foot_center: u32,
    /// Offset of both feet above the ground. From -1 to 1 metres, by default 0.
    pub height_offset: f32,
    /// How much feet turn to the ground. From 0 to 1, by default 1.
    pub foot_rotation_weight: f32,
    /// How fast feet turn to the ground: fraction of the remaining rotation per second. From 0 to 50 times a second, by default 7.
    pub foot_rotation_speed: f32,
    /// Largest angle by which a foot turns to the ground. From 0 to 90 degrees, by default 45.
    pub max_foot_rotation_angle: f32,
    /// How fast the pelvis follows the feet: fraction of the remaining distance per second. From 0 to 50 times a second, by default 5.
    pub pelvis_speed: f32,
    /// Fraction of the root's rise and fall that the pelvis does not follow at first. From 0 to 1, by default 0.5.
    pub pelvis_damper: f32,
    /// Radius of the sphere that checks for ground below the character at quality best; the other qualities cast a ray. From 0 to 1 metres, by default 0.1.
    pub root_sphere_cast_radius: f32,
    /// How much the pelvis follows the lower foot down. From 0 to 1, by default 1.
    pub lower_pelvis_weight: f32,
    /// How much the pelvis follows the higher foot up. From 0 to 1, by default 0.
    pub lift_pelvis_weight: f32,
    /// Whether a foot over an edge goes down a full step; otherwise it stays at the root's level. 0 means no.
    pub overstep_falls_down: u32,
    /// Number and shape of the casts at the ground. A number of KinescopeQuality.
    pub quality: u32,
}

impl From<&PredictiveSettings> for KinescopePredictiveSettings {
    fn from(own: &PredictiveSettings) -> Self {
        Self {
            max_step: own.max_step,
            foot_speed: own.foot_speed,
            foot_radius: own.foot_radius,
            prediction: own.prediction,
            foot_center_offset: own.foot_center_offset,
            invert_foot_center: own.invert_foot_center.into(),
            height_offset: own.height_offset,
            foot_rotation_weight: own.foot_rotation_weight,
            foot_rotation_speed: own.foot_rotation_speed,
            max_foot_rotation_angle: own.max_foot_rotation_angle,
            pelvis_speed: own.pelvis_speed,
            pelvis_damper: own.pelvis_damper,
            root_sphere_cast_radius: own.root_sphere_cast_radius,
            lower_pelvis_weight: own.lower_pelvis_weight,
            lift_pelvis_weight: own.lift_pelvis_weight,
            overstep_falls_down: own.overstep_falls_down.into(),
            quality: own.quality as u32,
        }
    }
}

impl KinescopePredictiveSettings {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &PredictiveSettings) -> Result<PredictiveSettings, Refused> {
        Ok(PredictiveSettings {
            max_step: self.max_step,
            foot_speed: self.foot_speed,
            foot_radius: self.foot_radius,
            prediction: self.prediction,
            foot_center_offset: self.foot_center_offset,
            invert_foot_center: self.invert_foot_center != 0,
            height_offset: self.height_offset,
            foot_rotation_weight: self.foot_rotation_weight,
            foot_rotation_speed: self.foot_rotation_speed,
            max_foot_rotation_angle: self.max_foot_rotation_angle,
            pelvis_speed: self.pelvis_speed,
            pelvis_damper: self.pelvis_damper,
            root_sphere_cast_radius: self.root_sphere_cast_radius,
            lower_pelvis_weight: self.lower_pelvis_weight,
            lift_pelvis_weight: self.lift_pelvis_weight,
            overstep_falls_down: self.overstep_falls_down != 0,
            quality: choice(self.quality, &Quality::ALL, || "quality".to_owned())?,
            ..own.clone()
        })
    }
}

/// Settings that control how steps are shifted to even ground.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeFootprintSettings {
    /// Largest shift of a step, forward or back. From 0 to 1 metres, by default 0.14.
    pub shift: f32,
    /// Largest height difference under the sole at which ground counts as even. From 0 to 1 metres, by default 0.03.
    pub even: f32,
    /// Fraction of the sole that may stick out over an edge. From 0 to 1, by default 0.35.
    pub overhang: f32,
    /// How far above the landing foot and below the root's level casts look for ground. From 0 to 5 metres, by default 0.5.
    pub step: f32,
}

impl From<&FootprintSettings> for KinescopeFootprintSettings {
    fn from(own: &FootprintSettings) -> Self {
        Self {
            shift: own.shift,
            even: own.even,
            overhang: own.overhang,
            step: own.step,
        }
    }
}

impl KinescopeFootprintSettings {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &FootprintSettings) -> Result<FootprintSettings, Refused> {
        Ok(FootprintSettings {
            shift: self.shift,
            even: self.even,
            overhang: self.overhang,
            step: self.step,
            ..own.clone()
        })
    }
}

/// Settings of the foot lock.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeLockSettings {
    /// Whether planted feet are held. 0 means no.
    pub on: u32,
    /// Fraction of a foot's sliding that is cancelled. From 0 to 1, by default 1.
    pub weight: f32,
    /// Distance from the grounder's goal at which a held foot is let go. From 0 to 10 metres, by default 0.25.
    pub distance: f32,
    /// Rotation about up since landing at which a foot is let go. From 0 to 180 degrees, by default 60.
    pub angle: f32,
    /// Time of standing after which a foot is let go; 0 disables the limit. From 0 to 600 seconds, by default 0.
    pub time: f32,
    /// Time in which a foot that was let go returns to the grounder's goal; after it, 2 % of the offset remains. From 0 to 10 seconds, by default 0.25.
    pub ease: f32,
}

impl From<&LockSettings> for KinescopeLockSettings {
    fn from(own: &LockSettings) -> Self {
        Self {
            on: own.on.into(),
            weight: own.weight,
            distance: own.distance,
            angle: own.angle,
            time: own.time,
            ease: own.ease,
        }
    }
}

impl KinescopeLockSettings {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &LockSettings) -> Result<LockSettings, Refused> {
        Ok(LockSettings {
            on: self.on != 0,
            weight: self.weight,
            distance: self.distance,
            angle: self.angle,
            time: self.time,
            ease: self.ease,
            ..own.clone()
        })
    }
}

/// Thresholds from the speed of a foot bone to its weight.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeSpeedSettings {
    /// Speed of the bone up to which a foot stands: weight 1. From 0 to 50 metres per second, by default 0.3.
    pub planted_speed: f32,
    /// Speed from which a foot swings: weight 0. From 0 to 50 metres per second, by default 1.
    pub swing_speed: f32,
    /// Time constant of the filter that smooths the bone's velocity. From 0 to 1 seconds, by default 0.05.
    pub smoothing: f32,
}

impl From<&SpeedSettings> for KinescopeSpeedSettings {
    fn from(own: &SpeedSettings) -> Self {
        Self {
            planted_speed: own.planted_speed,
            swing_speed: own.swing_speed,
            smoothing: own.smoothing,
        }
    }
}

impl KinescopeSpeedSettings {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &SpeedSettings) -> Result<SpeedSettings, Refused> {
        Ok(SpeedSettings {
            planted_speed: self.planted_speed,
            swing_speed: self.swing_speed,
            smoothing: self.smoothing,
            ..own.clone()
        })
    }
}

/// Weights of a grounding's effect on the bones.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeDriveWeights {
    /// Share of the pelvis's offset that the whole body takes. From 0 to 1, by default 1.
    pub pelvis: f32,
    /// How much the left foot moves to its ground; multiplied by the leg's weight. From 0 to 1, by default 1.
    pub left_foot_position: f32,
    /// How much the right foot moves to its ground; multiplied by the leg's weight. From 0 to 1, by default 1.
    pub right_foot_position: f32,
    /// How much the left foot turns to its ground; multiplied by the leg's weight. From 0 to 1, by default 1.
    pub left_foot_rotation: f32,
    /// How much the right foot turns to its ground; multiplied by the leg's weight. From 0 to 1, by default 1.
    pub right_foot_rotation: f32,
}

impl From<&DriveWeights> for KinescopeDriveWeights {
    fn from(own: &DriveWeights) -> Self {
        Self {
            pelvis: own.pelvis,
            left_foot_position: own.left_foot_position,
            right_foot_position: own.right_foot_position,
            left_foot_rotation: own.left_foot_rotation,
            right_foot_rotation: own.right_foot_rotation,
        }
    }
}

impl KinescopeDriveWeights {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &DriveWeights) -> Result<DriveWeights, Refused> {
        Ok(DriveWeights {
            pelvis: self.pelvis,
            left_foot_position: self.left_foot_position,
            right_foot_position: self.right_foot_position,
            left_foot_rotation: self.left_foot_rotation,
            right_foot_rotation: self.right_foot_rotation,
            ..own.clone()
        })
    }
}

/// Settings of a single chain's solve.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeChainIkSettings {
    /// Solver of the chain. A number of KinescopeChainSolver.
    pub solver: u32,
    /// How far the end moves toward the target. From 0 to 1, by default 1.
    pub weight: f32,
    /// Where a weight below 1 acts: on the target, or in each pass. A number of KinescopeWeighting.
    pub weighting: u32,
    /// Distance from the target within which the end has arrived. From 0 to 1000 model units, by default 0.00001.
    pub tolerance: f32,
    /// Movement of the end at or below which an iteration made no progress and may end the solve. From 0 to 1000 model units, by default 0.0000001.
    pub change_tolerance: f32,
    /// Largest number of iterations of a solve. From 0 to 1000, by default 15.
    pub max_iterations: u32,
    /// Whether the bones' limits apply. 0 means no.
    pub limits: u32,
    /// Whether iterations may end with a direct solve of the bend's amplitude or one joint's angle, which saves iterations. 0 means no.
    pub accelerate: u32,
    /// Whether `plane` is set. 0 means no.
    pub has_plane: u32,
    /// Normal of the plane through the root in which the chain stays as far as limits allow (2D mode); model space. Without one, the chain is solved in 3D.
    pub plane: KinescopeVec3,
    /// How CCD applies its rotations. A number of KinescopeCcdTurn.
    pub ccd_turn: u32,
    /// How FABRIK rotates the bones to the solved joints. A number of KinescopeMapTurn.
    pub map_turn: u32,
    /// Whether `bend_normal` is set. 0 means no.
    pub has_bend_normal: u32,
    /// Direction along which the cross product of neighbouring bones should point; model space.
    pub bend_normal: KinescopeVec3,
    /// How FABRIK applies the bend rule. A number of KinescopeBendRule.
    pub bend_rule: u32,
    /// Whether `bend_goal` is set. 0 means no.
    pub has_bend_goal: u32,
    /// Point that the middle joint of two bones turns to (pole vector or pole target); model space.
    pub bend_goal: KinescopeVec3,
    /// Largest reach of two bones, as a fraction of their length. From 0.5 to 2, by default 1.
    pub maximum_stretch: f32,
    /// Last fraction of a two-bone chain's reach, in which the end slows down. From 0 to 0.5, by default 0.
    pub soft_zone: f32,
    /// Whether the bones' rotations follow the solved positions. 0 means no.
    pub rotations: u32,
}

impl From<&ChainIkSettings> for KinescopeChainIkSettings {
    fn from(own: &ChainIkSettings) -> Self {
        Self {
            solver: own.solver as u32,
            weight: own.weight,
            weighting: own.weighting as u32,
            tolerance: own.tolerance,
            change_tolerance: own.change_tolerance,
            max_iterations: own.max_iterations,
            limits: own.limits.into(),
            accelerate: own.accelerate.into(),
            has_plane: own.plane.is_some().into(),
            plane: own.plane.unwrap_or_default().into(),
            ccd_turn: own.ccd_turn as u32,
            map_turn: own.map_turn as u32,
            has_bend_normal: own.bend_normal.is_some().into(),
            bend_normal: own.bend_normal.unwrap_or_default().into(),
            bend_rule: own.bend_rule as u32,
            has_bend_goal: own.bend_goal.is_some().into(),
            bend_goal: own.bend_goal.unwrap_or_default().into(),
            maximum_stretch: own.maximum_stretch,
            soft_zone: own.soft_zone,
            rotations: own.rotations.into(),
        }
    }
}

impl KinescopeChainIkSettings {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &ChainIkSettings) -> Result<ChainIkSettings, Refused> {
        Ok(ChainIkSettings {
            solver: choice(self.solver, &ChainSolver::ALL, || "solver".to_owned())?,
            weight: self.weight,
            weighting: choice(self.weighting, &Weighting::ALL, || "weighting".to_owned())?,
            tolerance: self.tolerance,
            change_tolerance: self.change_tolerance,
            max_iterations: self.max_iterations,
            limits: self.limits != 0,
            accelerate: self.accelerate != 0,
            plane: (self.has_plane != 0).then(|| self.plane.into()),
            ccd_turn: choice(self.ccd_turn, &CcdTurn::ALL, || "ccd_turn".to_owned())?,
            map_turn: choice(self.map_turn, &MapTurn::ALL, || "map_turn".to_owned())?,
            bend_normal: (self.has_bend_normal != 0).then(|| self.bend_normal.into()),
            bend_rule: choice(self.bend_rule, &BendRule::ALL, || "bend_rule".to_owned())?,
            bend_goal: (self.has_bend_goal != 0).then(|| self.bend_goal.into()),
            maximum_stretch: self.maximum_stretch,
            soft_zone: self.soft_zone,
            rotations: self.rotations != 0,
            ..own.clone()
        })
    }
}

/// Settings of the least-squares body. Weights multiply residuals: positions relative to the character's height, rotations in radians.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeLeastSquaresSettings {
    /// Largest number of iterations. After 16, or once joints hardly turn, a missed target weakens the pull to the animated pose. From 0 to 1000, by default 256.
    pub iterations: u32,
    /// The solve stops when no joint turns by more than this in an iteration, or a full step reduces the sum of squares by at most twice this, as a fraction of the sum. If a target is missed then, the pull to the animated pose weakens, and the solve goes on with a tenth of the tolerance. From 0 to 1 radians, by default 0.0005.
    pub tolerance: f32,
    /// Weight of the effectors' positions. From 0 to 10, by default 1.
    pub position: f32,
    /// Weight of the effectors' rotations. From 0 to 10, by default 0.3.
    pub rotation: f32,
    /// Weight of bend goals and bend directions. From 0 to 10, by default 0.1.
    pub bend: f32,
    /// Weight of joint limits. From 0 to 10, by default 0.3.
    pub limits: f32,
    /// Whether joint limits are those of the character's clips instead of the anatomical ones. Without clips, the anatomical limits apply. 0 means no.
    pub clip_limits: u32,
    /// Angle by which limits from clips are wider than the range that the clips use. From 0 to 3 radians, by default 0.1.
    pub clip_margin: f32,
    /// Weight of the animated pose, for each joint. From 0 to 10, by default 0.003.
    pub rest: f32,
    /// Factor of the weight of the animated pose for pelvis, spine and clavicles. From 0 to 100, by default 3.
    pub trunk: f32,
    /// Weight of the pelvis's animated position. From 0 to 10, by default 0.01.
    pub root: f32,
    /// Weight of the last solved pose, relative to the animation. From 0 to 10, by default 0.
    pub smoothness: f32,
    /// Weight of the distance of the centre of mass outside the support polygon. From 0 to 10, by default 0.
    pub balance: f32,
    /// Weight of overlaps of forearms and hands with the body and each other, and of lower legs and feet with each other. From 0 to 10, by default 0.
    pub separation: f32,
    /// Damping of the first iteration; each iteration adapts it. From 0 to 10, by default 0.0001.
    pub damping: f32,
    /// Whether a solve starts from the last solved pose, relative to the animation. 0 means no.
    pub warm_start: u32,
}

impl From<&LeastSquaresSettings> for KinescopeLeastSquaresSettings {
    fn from(own: &LeastSquaresSettings) -> Self {
        Self {
            iterations: own.iterations,
            tolerance: own.tolerance,
            position: own.position,
            rotation: own.rotation,
            bend: own.bend,
            limits: own.limits,
            clip_limits: own.clip_limits.into(),
            clip_margin: own.clip_margin,
            rest: own.rest,
            trunk: own.trunk,
            root: own.root,
            smoothness: own.smoothness,
            balance: own.balance,
            separation: own.separation,
            damping: own.damping,
            warm_start: own.warm_start.into(),
        }
    }
}

impl KinescopeLeastSquaresSettings {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &LeastSquaresSettings) -> Result<LeastSquaresSettings, Refused> {
        Ok(LeastSquaresSettings {
            iterations: self.iterations,
            tolerance: self.tolerance,
            position: self.position,
            rotation: self.rotation,
            bend: self.bend,
            limits: self.limits,
            clip_limits: self.clip_limits != 0,
            clip_margin: self.clip_margin,
            rest: self.rest,
            trunk: self.trunk,
            root: self.root,
            smoothness: self.smoothness,
            balance: self.balance,
            separation: self.separation,
            damping: self.damping,
            warm_start: self.warm_start != 0,
            ..own.clone()
        })
    }
}

/// Settings of the position-based body.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopePositionBasedSettings {
    /// Largest number of sub-steps. Each runs the constraints in turn: lengths only in the first, rest and limits from the second on. Up to 4 more follow if a target is missed and a joint exceeds its limit by over 2.9° more than in the animated pose. From 1 to 1024, by default 16.
    pub substeps: u32,
    /// Distance to the target at which the solve stops, as a fraction of the height from ankles to head. From 0 to 0.1, by default 0.0003.
    pub tolerance: f32,
    /// Factor of each correction of a position. From 0.1 to 1.9, by default 1.1.
    pub over_relaxation: f32,
    /// Compliance of target positions, relative to the mobility of the bones. From 0 to 10, by default 0.
    pub position_compliance: f32,
    /// Compliance of target rotations, relative to the mobility of the bones. From 0 to 10, by default 0.
    pub rotation_compliance: f32,
    /// Compliance of bend goals, relative to the mobility of the limb. From 0 to 10, by default 0.
    pub bend_compliance: f32,
    /// Compliance that a target gets with a weight below 1: this much at weight 0.5, more at smaller weights. From 0 to 10, by default 0.05.
    pub softness: f32,
    /// How much each joint returns to its animated rotation. From 0 to 0.9, by default 0.1.
    pub rest_stiffness: f32,
    /// Mobility of the pelvis's position, relative to 1 / mass. From 0 to 10, by default 0.3.
    pub root_mobility: f32,
    /// Mobility of pelvis, spine, neck, head and clavicles, relative to 1 / moment of inertia. From 0 to 10, by default 1.
    pub trunk_mobility: f32,
    /// Whether joints keep within their limits. 0 means no.
    pub limits: u32,
    /// Whether joint limits are those of the character's clips instead of the anatomical ones. Without clips, the anatomical limits apply. 0 means no.
    pub clip_limits: u32,
    /// Angle by which limits from clips are wider than the range that the clips use. From 0 to 3 radians, by default 0.1.
    pub clip_margin: f32,
}

impl From<&PositionBasedSettings> for KinescopePositionBasedSettings {
    fn from(own: &PositionBasedSettings) -> Self {
        Self {
            substeps: own.substeps,
            tolerance: own.tolerance,
            over_relaxation: own.over_relaxation,
            position_compliance: own.position_compliance,
            rotation_compliance: own.rotation_compliance,
            bend_compliance: own.bend_compliance,
            softness: own.softness,
            rest_stiffness: own.rest_stiffness,
            root_mobility: own.root_mobility,
            trunk_mobility: own.trunk_mobility,
            limits: own.limits.into(),
            clip_limits: own.clip_limits.into(),
            clip_margin: own.clip_margin,
        }
    }
}

impl KinescopePositionBasedSettings {
    /// Returns the library's settings. Fields that the structure lacks are those of `own`.
    #[allow(clippy::needless_update, reason = "some structures lack no field")]
    pub(crate) fn read(&self, own: &PositionBasedSettings) -> Result<PositionBasedSettings, Refused> {
        Ok(PositionBasedSettings {
            substeps: self.substeps,
            tolerance: self.tolerance,
            over_relaxation: self.over_relaxation,
            position_compliance: self.position_compliance,
            rotation_compliance: self.rotation_compliance,
            bend_compliance: self.bend_compliance,
            softness: self.softness,
            rest_stiffness: self.rest_stiffness,
            root_mobility: self.root_mobility,
            trunk_mobility: self.trunk_mobility,
            limits: self.limits != 0,
            clip_limits: self.clip_limits != 0,
            clip_margin: self.clip_margin,
            ..own.clone()
        })
    }
}
