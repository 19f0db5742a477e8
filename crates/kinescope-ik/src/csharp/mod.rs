//! Settings as C# assignments, for users of the component that the solver follows: one assignment for each value that
//! is not at its default, with the component's public names. The declarations of the settings contain the names
//! ([`Declaration::csharp`](crate::parameter::Declaration::csharp)).
//!
//! ```csharp
//! // Kinescope: values not listed here have their defaults.
//! solver.iterations = 3;
//! solver.chain[1].pull = 0.5f; // left arm
//! solver.leftHandEffector.positionWeight = 1f;
//! solver.leftHandEffector.position = new Vector3(-0.4f, 1.2f, 0.5f);
//! ```
//!
//! [`from_csharp`] reads such lines, and finds them in the code of a game.
//!
//! The component's engine is left-handed, so positions and rotations are [mirrored](crate::rig::Axes::LEFT_HANDED_Y_UP)
//! in both directions. The component uses world space, this crate model space. The two spaces coincide for a character
//! at the world's origin without rotation; a comment in the text states this if there are positions, offsets,
//! directions or rotations. `solver.chain` lists the body's chain, then the limbs in the order of
//! [`LimbName::ALL`](crate::rig::LimbName::ALL).

mod expression;
mod read;
mod slots;
mod statements;
mod write;

#[cfg(test)]
mod tests;

pub use read::{from_csharp, is_csharp};
pub use write::to_csharp;
