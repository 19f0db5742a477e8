//! A full-body solver by extended position-based dynamics (XPBD): each constraint in turn corrects the bones that it
//! depends on, in proportion to their mobility.
//!
//! ```text
//! for each sub-step:
//!     for each constraint C(q) with compliance α:
//!         Δλ = ω (C⁻ − α λ) / (J W Jᵀ + α)         C⁻ = −C, the correction that the constraint asks for
//!                                                  ω: the over-relaxation for target positions, otherwise 1
//!         q  = q + W Jᵀ Δλ,   λ = λ + Δλ
//! ```
//!
//! - **Coordinates.** `q` is the position of the pelvis and the rotation of each [joint](crate::joints) relative to its
//!   parent. XPBD needs only a constraint, its gradient and inverse masses, so it works in any coordinates. In these the
//!   bones are rigid and the joints between them hold by construction. With a position and a rotation for each bone
//!   instead, as in *Detailed Rigid Body Simulation*, each joint is a constraint of its own, and a correction of the hand
//!   needs many sub-steps to reach the pelvis.
//! - **Mobility.** `W` is diagonal. The pelvis moves by 1 / mass of the body. A joint turns by 1 / moment of inertia of
//!   everything that it carries, so the arm moves before the trunk, and the trunk before the pelvis. Settings scale the
//!   mobility of the pelvis's position and of the trunk.
//! - **Quasi-static.** There are no velocities and no gravity. A solve is one implicit step from the animated pose: the
//!   multipliers `λ` add up over the sub-steps, as in *XPBD*, so the result of a soft constraint does not depend on the
//!   number of sub-steps. Each sub-step runs each of its constraints once, as *Small Steps* recommends, except for the
//!   limits in the last sub-steps (see below). Lengths of limbs are only in the first sub-step, the rest pose and
//!   limits in all others.
//! - **Limits.** A joint beyond its limit turns back to it, or to the excess of the animated pose. Until the limits run
//!   again, in the next sub-step, target positions and target rotations do not turn it further out, so that the limits
//!   need not undo their rotations. If the sub-steps end without reaching the targets, and a joint exceeds its limit by
//!   over 2.9° more than in the animated pose, up to four more follow. In these the limits also run after each other
//!   constraint except the rest pose, and leave at most these 2.9°.
//! - **Second start.** If sub-steps come no nearer to the targets while at least half of the sub-steps are left, the
//!   solve starts again once, with the moved joints in the middle of their limits. The second result is kept if it
//!   reaches the targets or more than halves the largest distance; otherwise the solve returns to the first result.
//!
//! A pose stays unchanged, bit for bit, if its target positions are reached within the tolerance, and target rotations and
//! bend goals to within 1e-6 rad.
//!
//! Sources: M. Macklin, M. Müller, N. Chentanez, *XPBD: Position-Based Simulation of Compliant Constrained Dynamics* (2016);
//! M. Müller, M. Macklin, N. Chentanez, S. Jeschke, T.-Y. Kim, *Detailed Rigid Body Simulation with Extended Position Based
//! Dynamics* (2020); M. Macklin and others, *Small Steps in Physics Simulation* (2019). The over-relaxation is that of successive
//! over-relaxation, as in *Unified Particle Physics for Real-Time Applications* (Macklin and others, 2014). The second start is
//! that of P. Beeson, B. Ames, *TRAC-IK: An Open-Source Library for Improved Solving of Generic Inverse Kinematics* (2015),
//! from the middle of the limits instead of a random pose.

mod angular;
mod body;
mod constraint;
mod draw;
mod explain;
mod frame;
mod limit;
mod moves;
mod outcome;
mod position;
mod program;
mod recording;
mod run;
mod settings;
mod solve;
mod start;
mod state;

pub use body::PositionBased;
pub use constraint::Constraint;
pub use frame::Frame;
pub use moves::Move;
pub use outcome::{Outcome, StoppedBy};
pub use program::{Solve, Step};
pub use recording::Recording;
pub use run::PositionBasedRun;
pub use settings::PositionBasedSettings;
pub use state::{FirstResult, State};
