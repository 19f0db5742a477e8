//! The layers of the stack, one row each. A new layer needs a file or folder in `layers/` and a row here; a new solver
//! of the whole body needs its folder and a row.
//!
//! ```text
//! Name(index: usize) module: "label" "sentence", Topic,
//!     solved by Run              a solver of the whole body
//!     at stack                   its settings are a field of section `stack` of presets; or `at grounding`
//!         /// Help
//!         field: Settings,
//!     remembers field: State;    a field of the memory, cleared while the layer is off
//! ```
//!
//! `module` is the layer's key, and the file or folder in `layers/`, with a unit struct `Name` that implements
//! [`Kind`](super::kind::Kind). A row with `solved by` has no such file: its `Run` implements
//! [`BodySolver`](crate::joints::BodySolver), for the settings and the memory of the row. Layers that a stack can have
//! several of are marked `(index: usize)`. The other rows are in solving order.
//!
//! From the rows, macros generate [`LayerId`](super::LayerId) with its names and parameters, the declared fields of
//! [`Memory`](super::Memory) and of the sections `grounding` and `stack` of presets, and the modules and the dispatch
//! in `layers/mod.rs`.

/// Calls a macro with all rows in the form of [`layer_rows`].
macro_rules! layer_table {
    ($make:ident) => {
        layer_rows! { $make:
            Retarget retarget: "retarget"
                "Shows another skeleton's clip on the character; feet and hands can keep the clip's places.", Motion,
                at stack
                    /// Clips of another file.
                    retarget: crate::retarget::RetargetSettings,
                remembers #[serde(skip_serializing_if = "Option::is_none")] retarget: crate::grounding::LockState;
            Attachments attachments: "attachments"
                "Targets follow the bone or effector that they are attached to.", Attachments;
            Trackers trackers: "trackers"
                "Sets the targets from the trackers of a simulated user, who moves as the clip does.", Trackers,
                at stack
                    /// Trackers that a user wears.
                    trackers: crate::trackers::TrackerSettings,
                remembers #[serde(skip_serializing_if = "Option::is_none")] trackers: crate::trackers::TrackerState;
            Modifiers modifiers: "modifiers, before IK"
                "Modifiers change the targets and offsets of the solve, and turn bones of its input pose.", Modifiers;
            Footprints footprints: "footprints"
                "Shifts the landings of feet on a known path to even ground.", Grounding,
                at grounding
                    /// How the method `path` shifts steps.
                    footprints: crate::grounding::FootprintSettings,
                remembers footprints: crate::grounding::FootprintState;
            Grounding grounding: "grounding"
                "Sets the goals of feet and pelvis on the ground.", Grounding;
            FootLock foot_lock: "foot lock"
                "Keeps planted feet where they landed.", Grounding,
                at grounding
                    /// Whether planted feet stay where they landed.
                    lock: crate::grounding::LockSettings,
                remembers lock: crate::grounding::LockState;
            FullBody full_body: "full body"
                "Pelvis, spine, head and limbs follow the effectors.", Posing;
            LeastSquares least_squares: "least squares"
                "All joints turn to minimize a sum of squares: distances to targets and other residuals.", Posing,
                solved by crate::least_squares::LeastSquaresRun,
                at stack
                    /// Damped Gauss–Newton on the rotations of all joints.
                    least_squares: crate::least_squares::LeastSquaresSettings,
                remembers #[serde(skip_serializing_if = "Option::is_none")] least_squares: crate::least_squares::LastPose;
            PositionBased position_based: "position-based body"
                "Rigid bones follow the effectors; joints keep to their limits if these are on.", Posing,
                solved by crate::position_based::PositionBasedRun,
                at stack
                    /// Position-based solver of the whole body.
                    position_based: crate::position_based::PositionBasedSettings;
            RotationsOnly rotations_only: "rotations only"
                "Bones below the pelvis keep their distance from their parents.", Posing;
            AfterWrite after_write: "modifiers, after IK"
                "Modifiers turn and move bones of the solved pose.", Modifiers;
            Chain(index: usize) chain: "chain"
                "A chain of the character, by its index in `chain_ik.chains`.", Chain;
            Lane(index: usize) lane: "lane"
                "A lane of the chain lab, by its index in `chain_ik.lab.lanes`.", Lab;
            BodyLane(index: usize) body_lane: "body lane"
                "A lane of the full-body lab, by its index in `stack.body_lab.lanes`.", BodyLab;
        }
    };
}

/// Puts each part of a row in brackets, so that a macro names only the parts that it uses.
macro_rules! layer_rows {
    ($make:ident: $(
        $name:ident $(($index:ident: $number:ty))? $module:ident: $label:literal $sentence:literal, $topic:ident
            $(, solved by $run:ty)?
            $(, at grounding #[doc = $help:literal] $field:ident: $settings:ty)?
            $(, at stack #[doc = $own_help:literal] $own:ident: $own_settings:ty)?
            $(, remembers $(#[$attribute:meta])* $memory:ident: $state:ty)?;
    )+) => {
        $make! { $(
            $name [$($index: $number)?] $module [$label $sentence $topic] solver [$($run)?]
                grounding [$($help $field: $settings)?]
                stack [$($own_help $own: $own_settings)?]
                remembers [$($(#[$attribute])* $memory: $state)?];
        )+ }
    };
}

macro_rules! optional {
    () => {
        None
    };
    ($own:expr) => {
        Some($own)
    };
}
