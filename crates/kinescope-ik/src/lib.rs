//! A full-body inverse kinematics solver for two-legged characters that shows every step.
//!
//! The solver takes an animated pose and targets for hands, feet, shoulders, thighs or the body, and moves the whole
//! character toward the targets. A game makes one call per frame, which takes about 3 µs, does not panic, and allocates
//! only while its buffers grow, usually in the first frame. A debugger runs the same solve as a program of small steps,
//! which it can stop, record, explain and draw. The library also has solvers for single chains (CCD, FABRIK, two
//! bones), grounding on uneven terrain, and blending of clips.
//!
//! The library opens no windows and no files. Only the feature `link` opens sockets and reads a clock.
//! Without features the library depends on glam, serde, thiserror and fearless_simd. Features:
//!
//! - `json`: presets, traces, capsules, chain files and recordings, [`Preset`], [`Trace`], [`Capsule`];
//! - `import`: reading glTF, VRM and BVH from memory, [`rig::import`](mod@rig);
//! - `fbx`: reading FBX from memory, through the C library ufbx, which needs a C compiler; has no effect for
//!   WebAssembly;
//! - `link`: frames of a running game, sent to a listening window, `kinescope_ik::link`;
//! - `share`: presets and capsules as text in a link, `kinescope_ik::share`;
//! - `terrain`: a height field to walk on, `kinescope_ik::terrain`;
//! - `mint`: conversion of vectors and quaternions from and to other mathematics libraries;
//! - `rayon`: many characters, and the variants that the debugger solves, on all processors:
//!   `kinescope_ik::many::solve_many`, `kinescope_ik::debugger::variants`.
//!
//! The program `kinescope` is an interactive debugger built on this library.
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
//! // The role of each bone. `kinescope_ik::rig::detect` can find the roles.
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
//! // The target is out of the arm's reach, so the body moved too.
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
//! | read a glTF, VRM, BVH or FBX file | `rig::import` (features `import` and `fbx`) |
//! | pose the whole body by least squares, within joint limits | [`least_squares`] |
//! | solve a tail, a rope, one arm | [`chain_ik`] |
//! | place feet on the ground and keep them from sliding | [`grounding`], [`grounding::lock`], [`ground::Ground`] |
//! | add recoil, look-at, a head target, or a modifier of my own | [`modifiers`] |
//! | attach a target to a bone or an effector | [`attach`] |
//! | solve legs that have a hock | [`modifiers::FourBones`] |
//! | blend, fade and add clips | [`animation`] |
//! | move a character by the clip of another skeleton | [`retarget`] |
//! | pose the whole body with rigid bones and joint limits | [`position_based`] |
//! | pose a character from the trackers of social VR | [`trackers`] |
//! | solve several of these in a defined order | [`stack::solve`] |
//! | stop within a solve, or record a solve | [`full_body::Recording`], [`stepped`] |
//! | draw a solve in my engine | [`debug_draw`] |
//! | find out what moved a bone | [`debugger::attribution`] |
//! | find a good value for a setting | [`debugger::sweep`] |
//! | see equations with their numbers | [`notation`] |
//! | keep settings in a file | [`Preset`] |
//! | convert settings from and to C# | [`csharp`] |
//! | use an engine with other axes | [`rig::Axes`] |
//! | map a biped by hand | [`Biped::new`], [`full_body::check`](fn@full_body::check) |
//! | compare a port with this solver | [`Trace`], [`trace_diff`] |
//! | test a port on every branch of the solver | `conformance` (feature `json`) |
//! | keep a bug as a test | [`Capsule`] |
//! | send a pose or a bug as a link | `share` (feature `share`) |
//! | record a game and compare its solver with this one | [`game_recording`] |
//!
//! The root of the crate exports the types of the full-body solver, such as [`Settings`] and [`Workspace`]. The modules
//! of other solvers have types of the same names.
//!
//! # Words
//!
//! | here | elsewhere |
//! |---|---|
//! | effector | IK goal, IK target, IK handle: a node with a target and weights |
//! | bend goal | pole vector, pole target, hint: the point that an elbow or knee points to |
//! | bend direction | like a bend goal, but a direction instead of a point |
//! | node | joint or particle of the solver: 13 stand for the body and three bones of each limb |
//! | pull | priority or stiffness of a limb: how strongly it pulls the torso toward its target |
//! | reach | how far a nearly straight limb moves its shoulder or hip toward its hand or foot |
//! | pin | how much the body resists the limbs' pull; to *pin* a hand or foot is to hold it in place by a weight |
//! | reference pose | bind pose, T-pose or A-pose: the pose that a solver is created from, which gives default bend directions |
//!
//! Documentation cites the sources that the solvers follow by their titles, such as *Full-body notes*; names in «» are
//! sections or names of that source. `docs/sources.md` in the repository lists the sources and the differences of the
//! solvers from them.

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
pub mod joints;
#[cfg(feature = "json")]
pub mod json;
pub mod key;
pub mod lanes;
pub mod least_squares;
#[cfg(feature = "link")]
pub mod link;
pub mod locomotion;
pub mod many;
pub mod math;
pub mod modifiers;
mod names;
pub mod notation;
pub mod parameter;
mod pieces;
pub mod position_based;
#[cfg(feature = "json")]
pub mod preset;
pub mod retarget;
pub mod rig;
#[cfg(feature = "share")]
pub mod share;
pub mod slices;
pub mod stack;
pub mod stepped;
#[cfg(feature = "terrain")]
pub mod terrain;
pub mod timing;
#[cfg(feature = "json")]
pub mod trace;
#[cfg(feature = "json")]
pub mod trace_diff;
pub mod trackers;
mod unit;

/// The library of all vectors and quaternions in this crate's interfaces, exported so that a game uses the same
/// version. With the feature `mint` these types convert from and to those of other mathematics libraries.
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

/// Runs the examples of both READMEs and of three pages of the book as tests.
#[cfg(all(doctest, repository, feature = "import", feature = "link", feature = "terrain"))]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../../../docs/attach.md")]
#[doc = include_str!("../../../docs/trackers.md")]
#[doc = include_str!("../../../docs/embed/rust.md")]
struct Readme;
