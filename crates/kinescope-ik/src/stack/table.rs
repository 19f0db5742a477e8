//! The layers of the stack, one row each. A new layer needs a file or folder in `layers/`, a `mod` line there and a row
//! here.
//!
//! ```text
//! Name(number): kind, "key" "label" "sentence", Topic,
//!     at section.field: Settings,         its settings are this field of the stack
//!     own field: Settings,                or: declares this field in section `stack` of presets
//!     remembers field: State;             declares this field of the memory, cleared while the layer is off
//! ```
//!
//! Layers that a stack can have several of are marked `(number: usize)`. The other rows are in solving order.
//!
//! The rows generate [`LayerId`](super::LayerId) with its names and parameters, [`Memory`](super::Memory), the sections
//! of presets and the dispatch in `layers/mod.rs`. The program uses only these to list, select, plot and edit layers.

/// Calls a macro with all rows. The rows are passed as tokens, because two macros use them: one declares the data, the
/// other dispatches to code that needs that data.
macro_rules! layer_table {
    ($make:ident) => {
        $make! {
            Attachments: crate::stack::layers::attachments::Attachments, "attachments" "attachments"
                "Targets follow the bone or effector that they are attached to.", Attachments;
            Modifiers: crate::stack::layers::modifiers::Modifiers, "modifiers" "modifiers, before IK"
                "Modifiers change the targets and offsets of the solve, and turn bones of its input pose.", Modifiers;
            Footprints: crate::stack::layers::footprints::Footprints, "footprints" "footprints"
                "Predicts where feet land on the path, and moves the landings to even ground.", Grounding,
                at grounding.footprints: crate::grounding::FootprintSettings,
                remembers footprints: crate::grounding::FootprintState;
            Grounding: crate::stack::layers::grounding::Grounding, "grounding" "grounding"
                "Sets the goals of feet and pelvis on the ground.", Grounding;
            FootLock: crate::stack::layers::foot_lock::FootLock, "foot_lock" "foot lock"
                "Keeps planted feet where they landed.", Grounding,
                at grounding.lock: crate::grounding::LockSettings,
                remembers lock: crate::grounding::LockState;
            FullBody: crate::stack::layers::full_body::FullBody, "full_body" "full body"
                "Pelvis, spine, head and limbs follow the effectors.", Posing;
            RotationsOnly: crate::stack::layers::rotations_only::RotationsOnly, "rotations_only" "rotations only"
                "Bones below the pelvis keep their distance from their parents.", Posing;
            AfterWrite: crate::stack::layers::modifiers::AfterWrite, "after_write" "modifiers, after IK"
                "Modifiers turn bones of the solved pose.", Modifiers;
            Chain(index: usize): crate::stack::layers::chain::Chain, "chain" "chain"
                "A chain of the character, by its index in `chain_ik.chains`.", Chain;
            Lane(index: usize): crate::stack::layers::chain::Lane, "lane" "lane"
                "A lane of the chain lab, by its index in `chain_ik.lab.lanes`.", Lab;
        }
    };
}

/// Expands to `Some` of the argument, or `None` without one.
macro_rules! optional {
    () => {
        None
    };
    ($own:expr) => {
        Some($own)
    };
}
