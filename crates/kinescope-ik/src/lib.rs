//! A full-body inverse kinematics solver for two-legged characters, every step of which can be seen.
//!
//! Give it an animated pose and targets for hands, feet, shoulders, thighs or the body, and it gives back the pose in
//! which the whole character goes along. It is one call a frame that allocates nothing, takes some 3 µs and does not
//! panic; or a program of small steps to stop at, record, explain and draw, for a debugger. With it come solvers for
//! single chains (CCD, FABRIK, two bones), feet on uneven ground, and blending of clips.
//!
//! The library knows nothing of windows, files or time. Without features it is the solvers
//! alone, over glam, serde and fearless_simd. Features:
//!
//! - `json`: presets, traces, capsules, chain files and recordings, [`Preset`], [`Trace`], [`Capsule`];
//! - `import`: reading glTF and VRM from memory, [`rig::import`](mod@rig);
//! - `link`: frames of a running game, sent to a listening window, `kinescope_ik::link`;
//! - `share`: presets and capsules as text in a link, `kinescope_ik::share`;
//! - `terrain`: a height field to walk on, `kinescope_ik::terrain`;
//! - `mint`: vectors and quaternions from and to those of other mathematics libraries;
//! - `rayon`: many characters, and the variants that the debugger solves, on all processors: `kinescope_ik::many::solve_many`,
//!   `kinescope_ik::debugger::variants`;
//!
//! The program `kinescope` is an interactive debugger around it.
//!
//! # Example
//!
//! ```
//! use glam::Vec3;
//! use kinescope_ik::{Biped, Bone, Effector, FullBody, Limb, LocalTransform, RigidTransform, Settings, Skeleton};
//!
//! // The bones as your engine has them: name, parent, position. Parents come first; model space is relative to the
//! // character, right-handed, +Y up. Rotations are whatever your rig has; here there are none.
//! let bones = [
//!     ("pelvis", None, [0.0, 1.0, 0.0]),
//!     ("spine", Some(0), [0.0, 1.15, 0.0]),
//!     ("chest", Some(1), [0.0, 1.35, -0.01]),
//!     ("left upper arm", Some(2), [0.18, 1.46, 0.0]),
//!     ("left forearm", Some(3), [0.44, 1.42, -0.03]),
//!     ("left hand", Some(4), [0.68, 1.41, 0.04]),
//!     ("right upper arm", Some(2), [-0.18, 1.46, 0.0]),
//!     ("right forearm", Some(6), [-0.44, 1.42, -0.03]),
//!     ("right hand", Some(7), [-0.68, 1.41, 0.04]),
//!     ("left thigh", Some(0), [0.1, 0.95, 0.0]),
//!     ("left calf", Some(9), [0.11, 0.52, 0.05]),
//!     ("left foot", Some(10), [0.11, 0.09, -0.02]),
//!     ("right thigh", Some(0), [-0.1, 0.95, 0.0]),
//!     ("right calf", Some(12), [-0.11, 0.52, 0.05]),
//!     ("right foot", Some(13), [-0.11, 0.09, -0.02]),
//! ];
//! let skeleton = bones.map(|(name, parent, _)| Bone { name: name.into(), parent, rest: LocalTransform::IDENTITY });
//! let reference = bones.map(|(_, _, at)| RigidTransform { position: at.into(), ..RigidTransform::IDENTITY });
//! // Which bone plays which role. `kinescope_ik::rig::detect` finds it out.
//! let limb = |first| Limb { clavicle: None, bones: [first, first + 1, first + 2] };
//! let limbs = [limb(3), limb(6), limb(9), limb(12)];
//! let biped = Biped { pelvis: 0, spine: vec![1, 2], head: None, root_node: 1, limbs };
//!
//! // Once for each character.
//! let solver = FullBody::new(&Skeleton::new(skeleton.into())?, &biped, &reference)?;
//! let mut workspace = solver.workspace();
//!
//! // Every frame: the animated pose in, the solved pose out.
//! let mut pose = reference;
//! let target = Vec3::new(0.5, 1.3, 0.45);
//! let mut settings = Settings::default();
//! let hand = settings.effector_mut(Effector::LeftHand);
//! (hand.position, hand.position_weight) = (Some(target), 1.0);
//! solver.solve(&mut workspace, &settings, &mut pose)?;
//!
//! // The hand is out of the arm's reach, so the body has gone along.
//! assert!(reference[3].position.distance(target) > 0.51);
//! assert!(pose[5].position.distance(target) < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to begin
//!
//! | I want to … | |
//! |---|---|
//! | solve a character | [`FullBody`], [`Settings`] |
//! | find out which bone is which | [`rig::detect`](mod@rig::detect) |
//! | read a glTF or VRM file | `rig::import` (feature `import`) |
//! | solve a tail, a rope, one arm | [`chain_ik`] |
//! | put feet on the ground, and keep them there | [`grounding`], [`grounding::lock`], [`ground::Ground`] |
//! | add recoil, a look, a head target, or my own | [`modifiers`] |
//! | attach a target to a bone or an effector | [`attach`] |
//! | solve legs that have a hock | [`modifiers::FourBones`] |
//! | blend, fade and add clips | [`animation`] |
//! | solve all of these in one order | [`stack::solve`] |
//! | stop within a solve, or record it | [`full_body::Recording`], [`stepped`] |
//! | draw a solve in my engine | [`debug_draw`] |
//! | know what moved a bone | [`debugger::attribution`] |
//! | find a good value for a setting | [`debugger::sweep`] |
//! | see equations with their numbers | [`notation`] |
//! | keep settings in a file | [`Preset`] |
//! | take settings over from C#, or to it | [`csharp`] |
//! | work in an engine of other axes | [`rig::Axes`] |
//! | make a biped by hand | [`Biped::new`], [`full_body::check`](fn@full_body::check) |
//! | compare a port with this solver | [`Trace`], [`trace_diff`] |
//! | hold a port against every branch | `conformance` (feature `json`) |
//! | keep a bug as a test | [`Capsule`] |
//! | send a pose or a bug as a link | `share` (feature `share`) |
//! | record a game, and compare its solver with this one | [`game_recording`] |
//!
//! At the root stand the types of the full body, its [`Settings`] and [`Workspace`] among them; other solvers have
//! their own in their modules.
//!
//! # Words
//!
//! | here | elsewhere |
//! |---|---|
//! | effector | IK goal, IK target, IK handle: a node, the target it goes to, and by which weights |
//! | bend goal | pole vector, pole target, hint: the point that an elbow or a knee turns to |
//! | bend direction | the same as a direction, not a point |
//! | node | joint or particle of the solver: 13 stand for the body and three bones of each limb |
//! | pull | priority or stiffness of a limb: how strongly it draws the torso after its target |
//! | reach | how far a nearly straight limb draws its shoulder or hip along |
//! | pin | how much the body resists the limbs' pull; *pinning* a hand or foot is giving it a target where it is |
//! | reference pose | bind pose, T-pose or A-pose: what the solver takes lengths and bend directions from |
//!
//! Documentation cites the sources that the solvers follow by their titles, such as *Full-body notes*; names in «» are
//! sections or names of that source. `docs/sources.md` in the repository lists the sources, and where the solvers differ.

#![warn(missing_docs)]

pub mod animation;
pub mod attach;
#[cfg(feature = "json")]
pub mod capsule;
pub mod chain_ik;
#[cfg(feature = "json")]
pub mod conformance;
pub mod crowd;
pub mod csharp;
pub mod debug_draw;
pub mod debugger;
pub mod error;
pub mod fnv1a;
pub mod full_body;
#[cfg(feature = "json")]
pub mod game_recording;
pub mod ground;
pub mod grounding;
#[cfg(feature = "json")]
pub mod json;
pub mod key;
pub mod lanes;
#[cfg(feature = "link")]
pub mod link;
pub mod locomotion;
pub mod many;
pub mod math;
pub mod modifiers;
mod names;
pub mod notation;
pub mod parameter;
#[cfg(feature = "json")]
pub mod preset;
pub mod rig;
#[cfg(feature = "share")]
pub mod share;
pub mod stack;
pub mod stepped;
#[cfg(feature = "terrain")]
pub mod terrain;
pub mod timing;
#[cfg(feature = "json")]
pub mod trace;
#[cfg(feature = "json")]
pub mod trace_diff;
mod unit;

/// The vectors and quaternions of every interface here, so that a game can name the version; with the feature `mint` they turn
/// into those of other mathematics libraries, and back.
pub use glam;

#[cfg(feature = "json")]
#[doc(inline)]
pub use capsule::Capsule;
#[doc(inline)]
pub use error::Fault;
#[doc(inline)]
pub use full_body::{
    ChainSettings, Effector, EffectorSettings, FullBody, InputError, Node, Settings, SolverSettings, Status, Workspace,
};
#[cfg(feature = "json")]
#[doc(inline)]
pub use preset::Preset;
#[doc(inline)]
pub use rig::{
    Biped, Bone, BoneIndex, Limb, LimbName, LocalPose, LocalTransform, Model, ModelPose, RigidTransform, Role, Skeleton,
};
#[cfg(feature = "terrain")]
#[doc(inline)]
pub use terrain::Terrain;
#[cfg(feature = "json")]
#[doc(inline)]
pub use trace::Trace;

/// The examples of both READMEs and of the book are tests.
#[cfg(all(doctest, feature = "import", feature = "link", feature = "terrain"))]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../../../docs/attach.md")]
#[doc = include_str!("../../../docs/embed/rust.md")]
struct Readme;
