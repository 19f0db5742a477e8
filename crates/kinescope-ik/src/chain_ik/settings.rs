//! Settings of a chain's solver.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::error::{BadValue, Fault};
use crate::key::named;
use crate::math::unit;
use crate::parameter::{Parameter, Parameters, Source, SourceName, Unit, settings};

named! {
    /// How FABRIK's last step rotates bones to the solved joints. `Model` is correct; the others reproduce misreadings
    /// of a source, for comparison, and have no effect if limits apply.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum MapTurn {
        /// Returns the label on screen.
        label: &'static str,
    }
    /// Every variant.
    ALL {
        /// The shortest swing in model space: the book's code with its own library.
        #[default]
        Model: "correct";
        /// The book's code read with a library that multiplies right to left.
        BookMisread: "misread";
        /// Rotates no bone, as the notes' correction of the book's code.
        NotesCorrection: "as in notes";
    }
}

impl MapTurn {
    /// Returns whether the variant is correct.
    pub fn is_right(&self) -> bool {
        *self == Self::Model
    }
}

named! {
    /// Algorithm that solves a chain.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Solver {
        /// Returns the key in files.
        key,
        /// Returns the label on screen.
        label: &'static str,
        /// Returns a sentence for tooltips.
        sentence: &'static str,
    }
    /// Every solver.
    ALL {
        /// Cyclic coordinate descent: whole passes from the last bone to the first.
        Ccd: "CCD", "Rotates one bone after another, from the last to the first; each rotation turns the end toward the target.";
        /// Growing CCD: the first pass of an iteration covers the last two bones, each further pass one more.
        CcdGrowing:
            "CCD growing",
            "As CCD, but starts with the last two bones and adds one more each time: the bones near the end bend most.";
        /// Forward and backward reaching on positions.
        #[default]
        Fabrik: "FABRIK", "Places the joints from the target back, then from the root on, and repeats both.";
        /// The closed form for two bones.
        TwoBone: "two-bone", "Solves the triangle of two bones and target in one step, by the law of cosines.";
    }
}

impl Solver {
    /// Returns whether the solver repeats passes; false for the closed form.
    pub const fn iterates(self) -> bool {
        !matches!(self, Self::TwoBone)
    }
}

named! {
    /// How CCD applies its rotations. `Model` is correct; the others reproduce misreadings of a source, for comparison.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum CcdTurn {
        /// Returns the label on screen.
        label: &'static str,
    }
    /// Every variant.
    ALL {
        /// Multiplies the bone's model-space rotation from the left, as the book's code does.
        #[default]
        Model: "correct";
        /// Applies the model-space rotation to the bone's local rotation, as the code of the notes on the book does.
        /// The variant's key in files is older than its name.
        #[serde(rename = "seed_local")]
        NotesLocal: "as in notes";
        /// The book's code read with a library that multiplies right to left.
        BookMisread: "misread";
    }
}

impl CcdTurn {
    /// Returns whether the variant is correct.
    pub fn is_right(&self) -> bool {
        *self == Self::Model
    }
}

named! {
    /// How FABRIK applies its bend rule. `Literal` is the source's rule, for comparison.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum BendRule {
        /// Returns the label on screen.
        label: &'static str,
    }
    /// Every variant.
    ALL {
        /// Reflects each bone that bends against the normal, and the whole chain if it lies on the wrong side of the
        /// line to the target. If the passes make no progress, lays the chain on a circle through root and target.
        #[default]
        Mirror: "mirror";
        /// The rule of *FABRIK with a bend rule*: rotates a bone by two degrees about x unless all components of the
        /// cross product are positive. The normal switches the rule on; the rule does not use the normal's direction.
        Literal: "literal";
    }
}

impl BendRule {
    /// Returns whether this is the default.
    pub fn is_mirror(&self) -> bool {
        *self == Self::Mirror
    }
}

named! {
    /// Where a weight below 1 acts in an iterating solver.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Weighting {
        /// Returns the label on screen.
        label: &'static str,
    }
    /// Every variant.
    ALL {
        /// On the target, before the solve: the solver aims at the point that is `weight` of the way from end to
        /// target.
        #[default]
        Target: "on the target";
        /// In each pass, as in *Animation programming notes*, chapter 13: FABRIK's forward reach moves the end by the
        /// fraction `weight` of its distance to the target, and CCD rotates each bone by that fraction of its turn. The
        /// end still approaches the full target, in more iterations. The closed form has no passes: there the weight
        /// acts on the target.
        Passes: "in each pass";
    }
}

impl Weighting {
    /// Returns whether this is the default.
    pub fn is_target(&self) -> bool {
        *self == Self::Target
    }
}

settings! {
    /// Settings of one chain's solve.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Settings {
        /// Solver of the chain.
        solver: Solver = Solver::Fabrik;
        /// How far the end moves toward the target.
        weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "0 leaves the chain unchanged.",
            too much: "1 moves the end all the way.",
            source: Book "IKPositionWeight";
        /// Where a weight below 1 acts: on the target, or in each pass.
        #[serde(skip_serializing_if = "Weighting::is_target")]
        weighting: Weighting = Weighting::Target;
        /// Distance from the target within which the end has arrived.
        tolerance: f32 = 1e-5, from 0 to 1000 usually 0.1 in ModelUnits,
            too little: "Costs iterations without a visible gain.",
            too much: "The end stops short of the target, and jumps between frames.",
            source: Book "mThreshold",
            source: Book "tolerance",
            source: Book "solveAccuracy",
            source: Book "sqrDistError";
        /// Movement of the end at or below which an iteration made no progress and may end the solve.
        change_tolerance: f32 = 1e-7, from 0 to 1000 usually 0.1 in ModelUnits,
            too little: "A solve without progress runs all iterations.",
            too much: "The solver stops before the end is as near as possible.";
        /// Largest number of iterations of a solve.
        max_iterations: u32 = 15, from 0 to 1000 in Count,
            too little: "The target is missed.",
            too much: "Targets that are hard to reach take long.",
            source: Book "mNumSteps",
            source: Book "maxIterations",
            source: Book "maxSolverIterations",
            source: Book "maxIterationCount";
        /// Whether the bones' limits apply.
        limits: bool = true,
            source: Book "useRotationLimits";
        /// Whether iterations may end with a direct solve of the bend's amplitude or one joint's angle, which saves iterations.
        /// FABRIK's passes may then also replace passes of CCD that make little progress.
        accelerate: bool = true;
        /// Normal of the plane through the root in which the chain stays as far as limits allow (2D mode); model space. Null is 3D.
        /// Limits apply within the plane. Only a hinge about another direction, and a cone or an angle limit that allows no
        /// direction in the plane, turn their bones out of it.
        plane: Option<Vec3> = None,
            source: Book "XY";
        /// How CCD applies its rotations.
        #[serde(skip_serializing_if = "CcdTurn::is_right")]
        ccd_turn: CcdTurn = CcdTurn::Model;
        /// How FABRIK rotates the bones to the solved joints.
        #[serde(skip_serializing_if = "MapTurn::is_right")]
        map_turn: MapTurn = MapTurn::Model;
        /// Direction along which the cross product of neighbouring bones should point; model space.
        /// FABRIK applies the direction as its bend rule, unless limits apply. With and without limits, two bones
        /// solved in closed form and a chain that lies on a line with its target bend to that side. Source of the rule:
        /// *FABRIK with a bend rule*.
        bend_normal: Option<Vec3> = None;
        /// How FABRIK applies the bend rule.
        #[serde(skip_serializing_if = "BendRule::is_mirror")]
        bend_rule: BendRule = BendRule::Mirror;
        /// Point that the middle joint of two bones turns to (pole vector or pole target); model space.
        /// In the closed form, the goal takes precedence over the normal, but not over the plane. With the other
        /// solvers, a chain on a line with its target bends toward the goal, unless it has a plane, a normal or a
        /// hinge.
        bend_goal: Option<Vec3> = None;
        /// Largest reach of two bones, as a fraction of their length.
        /// Above 1 they stretch; below 1 they never get fully straight.
        maximum_stretch: f32 = 1.0, from 0.5 to 2 in Share,
            too little: "The limb never gets straight.",
            too much: "The limb becomes visibly longer than its bones.";
        /// Last fraction of a two-bone chain's reach, in which the end slows down.
        /// The joint then does not snap straight; 0 disables it.
        soft_zone: f32 = 0.0, from 0 to 0.5 in Share,
            too little: "The joint snaps when the limb gets straight.",
            too much: "The end lags behind the target long before the limb is straight.";
        /// Whether the bones' rotations follow the solved positions.
        /// Turn it off for ropes. CCD and limits work on rotations and always compute them.
        rotations: bool = true;
    }
}

/// The parameter of one bone's CCD weight.
pub const BONE_WEIGHT: Parameter = Parameter {
    key: "weight",
    min: 0.0,
    max: 1.0,
    usual_max: 1.0,
    default: 1.0,
    unit: Unit::Share,
    help: "How much CCD rotates this bone. Smaller weights near the end spread the bend over the chain.",
    too_little: "The bone keeps its angle to the previous bone.",
    too_much: "CCD rotates the bone fully.",
    sources: &[SourceName { source: Source::Book, name: "bones[i].weight" }],
};

impl Settings {
    /// Returns the fraction of a full move that each pass makes: 1 unless the weight acts in the passes.
    pub fn pass_share(&self) -> f32 {
        match self.weighting {
            Weighting::Passes if self.solver.iterates() => self.weight,
            Weighting::Passes | Weighting::Target => 1.0,
        }
    }

    /// Returns the unit normal of the bend rule, in the 2D mode the plane's normal or its opposite; `None` without a
    /// [`Self::bend_normal`].
    pub(crate) fn bend(&self) -> Option<Vec3> {
        match (self.bend_normal.and_then(unit), self.plane.and_then(unit)) {
            (Some(bend), Some(plane)) => Some(if bend.dot(plane) < 0.0 { -plane } else { plane }),
            (bend, _) => bend,
        }
    }

    /// Checks that every value is valid.
    ///
    /// # Errors
    /// [`Fault`] for the first invalid value, with field, value and range.
    pub fn validate(&self) -> Result<(), Fault> {
        self.check_numbers()?;
        for (key, direction) in [("plane", self.plane), ("bend_normal", self.bend_normal)] {
            direction.map_or(Ok(()), BadValue::check_direction).map_err(|bad| bad.at(key))?;
        }
        self.bend_goal.map_or(Ok(()), BadValue::check_place).map_err(|bad| bad.at("bend_goal"))?;
        Ok(())
    }
}
