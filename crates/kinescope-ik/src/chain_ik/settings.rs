//! What a user can set on a chain's solver.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::error::{BadValue, Fault};
use crate::key::named;
use crate::math::unit;
use crate::parameter::{Parameter, Parameters, Source, SourceName, Unit, settings};

named! {
    /// How FABRIK's last step turns the bones to the joints that it has solved, in world space: one way is right, the others
    /// are readings of a source. They act on chains without limits that are solved by FABRIK.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum MapTurn {
        /// Returns the label on screen.
        label: &'static str,
    }
    /// All of them.
    ALL {
        /// By the shortest swing in model space: what the book's lines come to in its own library.
        #[default]
        Model: "right";
        /// The book's lines by a library that multiplies right to left.
        BookMisread: "misread";
        /// The notes' correction of the book's lines, which turns no bone.
        NotesCorrection: "the notes'";
    }
}

impl MapTurn {
    /// Whether the bones come to point at their joints.
    pub fn is_right(&self) -> bool {
        *self == Self::Model
    }
}

named! {
    /// How a chain is solved.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Solver {
        /// Returns the key in files.
        key,
        /// Returns the label on screen.
        label: &'static str,
        /// Returns one sentence on what it does, for tooltips.
        sentence: &'static str,
    }
    /// Every solver.
    ALL {
        /// Cyclic coordinate descent: whole passes from the last bone to the first.
        Ccd: "CCD", "Turns one bone after the other, from the last to the first, so that the end points at the target.";
        /// Its growing variant: the last two bones first, then one more each time.
        CcdGrowing:
            "CCD growing",
            "As CCD, on the last two bones first and on one more each time: the bones near the end do most.";
        /// Forward and backward reaching, on positions.
        #[default]
        Fabrik: "FABRIK", "Lays the bones along a string from the target back, then from the root on, until both ends fit.";
        /// The closed form for two bones: a limb.
        TwoBone: "two-bone", "The law of cosines: two bones and a target make a triangle. Exact, in one step.";
    }
}

impl Solver {
    /// Whether it goes on until it is near enough.
    pub const fn iterates(self) -> bool {
        !matches!(self, Self::TwoBone)
    }
}

named! {
    /// How CCD applies the turn that it finds: one way is right, the others are those of a source, to be looked at.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum CcdTurn {
        /// Returns the label on screen.
        label: &'static str,
    }
    /// All of them.
    ALL {
        /// In model space, from the left: what the book's code does, whose library multiplies left to right.
        #[default]
        Model: "right";
        /// The lines of *Animation programming notes*: the turn in model space is put on the local rotation, by the same
        /// library. Its key in files is older than its name.
        #[serde(rename = "seed_local")]
        NotesLocal: "the source's";
        /// The book's lines by a library that multiplies right to left.
        BookMisread: "misread";
    }
}

impl CcdTurn {
    /// Whether it is what CCD means.
    pub fn is_right(&self) -> bool {
        *self == Self::Model
    }
}

named! {
    /// How FABRIK applies its bend rule: one way reaches what can be reached, the other is that of the source, to be looked at.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum BendRule {
        /// Returns the label on screen.
        label: &'static str,
    }
    /// All of them.
    ALL {
        /// A bone that bends against the normal is reflected; so is the whole chain where it is on the wrong side.
        #[default]
        Mirror: "mirror";
        /// The lines of the article on FABRIK with a bend rule: unless all components of the cross product are positive, the
        /// bone is turned by two degrees about x. The normal does not count.
        Literal: "the source's";
    }
}

impl BendRule {
    /// Whether it is the default.
    pub fn is_mirror(&self) -> bool {
        *self == Self::Mirror
    }
}

named! {
    /// Where a weight below 1 acts in a solve that iterates.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Weighting {
        /// Returns the label on screen.
        label: &'static str,
    }
    /// All of them.
    ALL {
        /// On the target, once: the solve goes to the place between the end and the target.
        #[default]
        Target: "on the target";
        /// In each pass, as in the notes on *Hands-on C++ Game Animation Programming*, chapter 13: FABRIK's forward reach takes
        /// the end as far towards the target as the weight says, and CCD gives each bone that share of its turn. The end
        /// still gets to the target, in more iterations. The closed form has no passes and weighs its target.
        Passes: "in each pass";
    }
}

impl Weighting {
    /// Whether it is the default.
    pub fn is_target(&self) -> bool {
        *self == Self::Target
    }
}

settings! {
    /// Parameters of one chain's solve.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Settings {
        /// How the chain is solved.
        solver: Solver = Solver::Fabrik;
        /// How far the end goes towards the target.
        weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "0 leaves the chain as it is.",
            too much: "1 goes all the way.",
            source: Book "IKPositionWeight";
        /// Where a weight below 1 acts: on the target, or in each pass.
        #[serde(skip_serializing_if = "Weighting::is_target")]
        weighting: Weighting = Weighting::Target;
        /// The end has arrived when it is this near to the target.
        tolerance: f32 = 1e-5, from 0 to 1000 usually 0.1 in ModelUnits,
            too little: "Iterations that nobody sees.",
            too much: "The end stops short, and jumps between frames as it stops here and there.",
            source: Book "mThreshold",
            source: Book "tolerance",
            source: Book "solveAccuracy",
            source: Book "sqrDistError";
        /// The solver gives up when an iteration moves the end by less than this; 0 never stops for that.
        change_tolerance: f32 = 1e-7, from 0 to 1000 usually 0.1 in ModelUnits,
            too little: "A target out of reach costs all iterations.",
            too much: "It gives up while it still gets nearer.";
        /// The most iterations of one solve.
        max_iterations: u32 = 15, from 0 to 1000 in Count,
            too little: "The target is missed.",
            too much: "Hard targets cost their time.",
            source: Book "mNumSteps",
            source: Book "maxIterations",
            source: Book "maxSolverIterations",
            source: Book "maxIterationCount";
        /// Whether the bones' limits count.
        limits: bool = true,
            source: Book "useRotationLimits";
        /// Whether an iteration ends by solving for the two numbers that passes are slow at: see
        /// [`straighten`](super::straighten).
        accelerate: bool = true;
        /// The 2D mode: normal of the plane through the root in which the chain stays; model space. `None` is 3D.
        plane: Option<Vec3> = None,
            source: Book "XY";
        /// How CCD applies its turns.
        #[serde(skip_serializing_if = "CcdTurn::is_right")]
        ccd_turn: CcdTurn = CcdTurn::Model;
        /// How FABRIK turns the bones to the joints that it has solved.
        #[serde(skip_serializing_if = "MapTurn::is_right")]
        map_turn: MapTurn = MapTurn::Model;
        /// FABRIK's bend rule and the side to which two bones bend: the cross product of neighbouring bones is to point
        /// along this; model space. A chain with limits keeps them and ignores the rule. Source of the rule: article on FABRIK
        /// with a bend rule.
        bend_normal: Option<Vec3> = None;
        /// How FABRIK applies the bend rule.
        #[serde(skip_serializing_if = "BendRule::is_mirror")]
        bend_rule: BendRule = BendRule::Mirror;
        /// A point that the middle joint of two bones turns to (others call it a pole vector or pole target); model
        /// space. It wins over the normal.
        bend_goal: Option<Vec3> = None;
        /// How far two bones may reach, as a fraction of their length.
        /// Above 1 they stretch; below 1 they never get quite straight.
        maximum_stretch: f32 = 1.0, from 0.5 to 2 in Share,
            too little: "The limb never gets straight.",
            too much: "The limb stretches like rubber.";
        /// The last part of the reach, in which two bones slow down.
        /// As a fraction of it, so that the joint does not snap straight. 0 is off.
        soft_zone: f32 = 0.0, from 0 to 0.5 in Share,
            too little: "The joint snaps when the limb gets straight.",
            too much: "The end lags behind the target long before the limb is straight.";
        /// Whether the bones' rotations follow the solved positions. Off for ropes, which have none; CCD and limits
        /// work on rotations and have them anyway.
        rotations: bool = true;
    }
}

/// The weight of one bone in a chain.
pub const BONE_WEIGHT: Parameter = Parameter {
    key: "weight",
    min: 0.0,
    max: 1.0,
    usual_max: 1.0,
    default: 1.0,
    unit: Unit::Share,
    help: "How much of its turn CCD gives this bone. Less near the end spreads the bend over the chain.",
    too_little: "The bone keeps its direction to the one before it.",
    too_much: "It has all of its turn.",
    sources: &[SourceName { source: Source::Book, name: "bones[i].weight" }],
};

impl Settings {
    /// The share of its way that each pass goes: 1 unless the weight acts in the passes.
    pub fn pass_share(&self) -> f32 {
        match self.weighting {
            Weighting::Passes if self.solver.iterates() => self.weight,
            Weighting::Passes | Weighting::Target => 1.0,
        }
    }

    /// The unit normal that the bend rule goes by: in the 2D mode that of the plane, one way or the other.
    pub(crate) fn bend(&self) -> Option<Vec3> {
        match (self.bend_normal.and_then(unit), self.plane.and_then(unit)) {
            (Some(bend), Some(plane)) => Some(if bend.dot(plane) < 0.0 { -plane } else { plane }),
            (bend, _) => bend,
        }
    }

    /// # Errors
    /// [`Fault`] that names the field, the value and the range.
    pub fn validate(&self) -> Result<(), Fault> {
        self.check_numbers()?;
        for (key, direction) in [("plane", self.plane), ("bend_normal", self.bend_normal)] {
            direction.map_or(Ok(()), BadValue::check_direction).map_err(|bad| bad.at(key))?;
        }
        self.bend_goal.map_or(Ok(()), BadValue::check_place).map_err(|bad| bad.at("bend_goal"))?;
        Ok(())
    }
}
