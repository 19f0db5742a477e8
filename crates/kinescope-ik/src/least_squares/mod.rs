//! The least-squares body: damped Gauss–Newton on the rotations of all joints.
//!
//! A body is a tree of joints with a rotation each, on a pelvis that moves freely. The solver looks for the pose with the
//! smallest sum of squared residuals, each multiplied by its weight:
//!
//! | term | residual |
//! |---|---|
//! | position | (target − effector) / height |
//! | rotation | rotation from effector to target by angle φ: its axis times 2 sin(φ / 2) |
//! | bend goal | angle from elbow or knee to its goal or direction about the line through the limb's ends, radians |
//! | joint limits | angle by which a joint exceeds its limit more than the animated pose does, radians; none within |
//! | animated pose | rotation from each joint to its animated rotation, as above; (animated − pelvis) / height |
//! | last pose | the same to the last solved pose, carried by the animation since |
//! | centre of mass | distance outside the support polygon / height |
//! | capsules | (depth of an overlap − its depth in the animated pose) / height, of the eight largest; none below 0 |
//!
//! # Equations
//!
//! With all residuals r and the matrix J of their negative derivatives by the turns of joints and the shift of the
//! pelvis, an iteration solves `(Jᵀ J + λ M) Δ = Jᵀ r`, turns each joint by its part of Δ and shifts the pelvis. If the
//! sum of squares has grown, the damping λ is multiplied by 10 and the update is repeated, up to nine times; otherwise
//! λ is halved, or doubled if Δ was shortened to turns of at most 0.8 radians. A turn ω of a joint at p moves a point x
//! below it by ω × (x − p) to first order, so the row of an effector has entries only for the shift and for the joints
//! from the pelvis to the effector. The terms of single joints make JᵀJ block diagonal except for a few rows, so the
//! system is solved in the space of the rows (the Woodbury identity). M scales the damping of the trunk and of the
//! pelvis's shift until the pull to the animated pose is weakened; elsewhere, and afterwards, it is 1. Δ is linear in
//! r: each term's part of a turn is the solution with the residuals of the other terms set to zero.
//!
//! If a target position is missed by d > ε = 0.0003 heights when the solve has converged, or after 16 iterations, and
//! iterations are left, the squared weights of the animated pose are multiplied once by max((ε / d)², 1/100), and the
//! solve goes on: the animated pose must not hold an effector off a target within reach.
//!
//! If limits have a weight, each limit that Δ crosses is added to the equations, and the update is solved again, at
//! most twice. A joint that would still exceed its limit by more than 0.05 radians more than in the animated pose is
//! turned back to that excess.
//!
//! # Sources
//!
//! K. Levenberg, *A method for the solution of certain non-linear problems in least squares*; D. Marquardt, *An algorithm
//! for least-squares estimation of nonlinear parameters*; S. Buss, *Introduction to inverse kinematics with Jacobian
//! transpose, pseudoinverse and damped least squares methods*; T. Sugihara, *Solvability-unconcerned inverse kinematics by
//! the Levenberg–Marquardt method*; W. Hager, *Updating the inverse of a matrix*, for the Woodbury identity.

mod draw;
mod explain;
mod limits;
mod moves;
mod outcome;
mod program;
mod recording;
mod rows;
mod run;
mod settings;
mod solve;
mod stage;
mod state;
mod terms;

pub use moves::{Cause, Turn};
pub use outcome::Outcome;
pub use program::Solve;
pub use recording::Recording;
pub use run::LeastSquaresRun;
pub use settings::LeastSquaresSettings;
pub use solve::solve;
pub use stage::{Stage, Step};
pub use state::{Frame, LastPose, State, TERMS};
pub use terms::Workspace;
