//! The full-body solver: an animated pose and the targets of nine effectors in, a pose of the whole character out.
//!
//! [`FullBody`] is made once for a character, [`Settings`] say what is asked of it, [`FullBody::solve`] does it. The
//! limbs come to terms with each other through the torso: each pulls it towards its own target, by its own weights.
//!
//! ```text
//! pose, settings ─► read ─► Frame (constant) + State (13 nodes) ─► program of steps ─► write ─► solved pose
//! ```
//!
//! [`FullBody::solve`] runs it all. A debugger does the same in pieces: [`FullBody::read`], then every [`Step`] of
//! [`Program::new`] with [`run_stage`], keeping each [`State`], then [`FullBody::write`], a program of steps of its own
//! ([`Writing`]). There is no other code path. [`Recording`] keeps all of it.
//!
//! Everything is in model space and model units. Rotations are unit quaternions: those of poses, of the reference and of
//! effectors are taken bit for bit where they are unit to 1e-5, normalized where their length is within
//! [`UNIT_LENGTH`](crate::math::UNIT_LENGTH), and refused beyond it; the same holds in C, in Python and in files. Source: the
//! notes on the full-body algorithm.

pub(crate) mod asked;
pub mod bend_constraint;
mod check;
pub mod child_constraint;
pub mod constants;
#[cfg(all(test, feature = "json"))]
mod coverage;
mod default_local_state;
pub mod draw;
pub mod effector;
pub mod explain;
pub mod explain_writing;
mod hierarchy;
pub mod hooks;
pub mod input;
pub(crate) mod mapping;
pub mod moves;
pub mod program;
pub mod push;
pub mod reach;
pub(crate) mod read;
pub mod recording;
pub mod rotations_only;
mod run;
pub mod settings;
pub mod stage1;
pub mod stage2;
mod stage_numbers;
pub mod state;
pub mod trigonometric;
pub mod writing;

use glam::Vec3;

use crate::error::{BadValue, Fault, Problem};
use crate::lanes::decide;
use crate::math::{read_rotation, unit_or_zero};
use crate::rig::{Biped, BoneIndex, LimbName, RigidTransform, Skeleton};
use crate::stepped;
use crate::timing::{Laps, Work};
use bend_constraint::BendConstraint;
use hierarchy::{Hierarchy, Key};
use input::Rotations;
use read::Read;

pub use crate::names::{BendSource, Chain, Effector, Node, Nodes};
pub use check::check;
pub use default_local_state::DefaultLocalState;
pub use hierarchy::Bones;
pub use hooks::{Author, HookedSolve, Hooks, OffsetShare, Pushing};
pub use input::{InputError, Status};
pub use moves::{Cause, Move};
pub use program::{Program, Solve, Stage, Step, run_stage};
pub use recording::Recording;
pub use run::BodyRun;
pub use settings::{ChainSettings, EffectorSettings, Settings, Smoothing, SolverSettings};
pub use state::{Frame, State};
pub use writing::{BoneMove, Moved, Part, WriteCause, Writing, Written};

/// The solver for one character: what it knows from the reference pose. Solving does not change it, so that threads
/// can share it, each with a [`Workspace`] of its own.
///
/// ```
/// use kinescope::{Effector, FullBody, LimbName, Settings};
/// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
/// # let kinescope::trace::Rig { skeleton, biped, reference, animated } = kinescope::Trace::from_json(&text)?.rig;
///
/// // A skeleton, its biped and a reference pose: see the example of the whole crate.
/// let solver = FullBody::new(&skeleton, &biped, &reference)?;
/// let mut workspace = solver.workspace();
///
/// // Feet stay where the animation has them, while the body is lowered for this frame.
/// let mut settings = Settings::default();
/// settings.effector_mut(Effector::LeftFoot).position_weight = 1.0;
/// settings.effector_mut(Effector::RightFoot).position_weight = 1.0;
/// settings.effector_mut(Effector::Body).position_offset.y = -0.1;
/// let mut pose = animated.clone();
/// solver.solve(&mut workspace, &settings, &mut pose)?;
/// settings.clear_offsets();
///
/// let moved = |bone: usize| pose[bone].position - animated[bone].position;
/// assert!(moved(biped.limb(LimbName::LeftLeg).bones[2]).length() < 1e-3);
/// assert!(moved(biped.pelvis).y < -0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FullBody {
    pub(crate) hierarchy: Hierarchy,
    /// Same numbers, same shape of skeleton and roles: a workspace fits every solver that has the number of its own.
    pub(crate) shape: u64,
    /// The key bone of each node.
    node_keys: [Key; Node::COUNT],
    /// Index of the root-node bone among pelvis and spine.
    root_node: usize,
    bend_constraints: [BendConstraint; 4],
    facing: Vec3,
    /// The bones with a role, and what each hangs on in the skeleton.
    written: Box<[(BoneIndex, Option<BoneIndex>)]>,
}

/// What reading hands to writing, in buffers that are allocated once.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// Of the solver it was made for.
    pub(crate) shape: u64,
    /// A frame was read that has not been written.
    is_read: bool,
    read: Read,
}

impl FullBody {
    /// Initialises the solver in a reference pose (model space, one transform per bone of the skeleton).
    ///
    /// # Errors
    /// [`Fault`] if the biped's bones do not make one, the pose does not fit the skeleton, or a bone with a role has a
    /// rotation that is none.
    pub fn new(skeleton: &Skeleton, biped: &Biped, reference: &[RigidTransform]) -> Result<Self, Fault> {
        if reference.len() != skeleton.len() {
            let (found, expected) = (reference.len(), skeleton.len());
            return Err(Fault::new("reference", Problem::Length { what: "bones", found, expected }));
        }
        if biped.spine.is_empty() {
            let cure = "map at least one bone between pelvis and arms to `spine`";
            return Err(Fault::new("biped.spine", Problem::Empty(cure)));
        }
        let root_node = match decide(biped.root_node == biped.pelvis) {
            true => Some(0),
            false => biped.spine.iter().position(|&bone| bone == biped.root_node).map(|index| index + 1),
        };
        let root_node = root_node.ok_or_else(|| {
            Fault::new("biped.root_node", "is neither the pelvis nor among the spine bones; choose one that is")
        })?;
        let hierarchy = Hierarchy::new(skeleton, biped, root_node)?;
        for key in 0..hierarchy.key_count() {
            let bone = hierarchy.bone(key);
            if !reference[bone].is_finite() {
                let place = format!("reference of bone {:?}", skeleton.bones()[bone].name);
                return Err(Fault::new(place, Problem::NotFinite("a bone is somewhere")));
            }
            BadValue::check_rotation(reference[bone].rotation)
                .map_err(|bad| bad.at(format!("reference of bone {:?}", skeleton.bones()[bone].name)))?;
        }
        let mut node_keys = [root_node; Node::COUNT];
        for limb in LimbName::ALL {
            for (node, key) in Node::of_limb(limb).into_iter().zip(hierarchy.limbs[limb.index()].bones) {
                node_keys[node as usize] = key;
            }
        }
        let reference = |node: Node| {
            let bone = reference[hierarchy.bone(node_keys[node as usize])];
            RigidTransform { rotation: read_rotation(bone.rotation).unwrap_or_default(), ..bone }
        };
        let facing = facing(|node| reference(node).position);
        let bend_constraints =
            LimbName::ALL.map(|limb| BendConstraint::new(limb, Node::of_limb(limb).map(reference), facing));
        let shape = hierarchy.shape(root_node);
        let bones = (0..hierarchy.key_count()).map(|key| hierarchy.bone(key));
        let written = bones.map(|bone| (bone, skeleton.parent(bone))).collect();
        Ok(Self { shape, node_keys, root_node, bend_constraints, facing, written, hierarchy })
    }

    /// Buffers for reading and writing.
    pub fn workspace(&self) -> Workspace {
        Workspace { shape: self.shape, is_read: false, read: Read::new(()) }
    }

    /// Where the character looked in the reference pose; unit, model space.
    pub fn facing(&self) -> Vec3 {
        self.facing
    }

    /// What is known of a limb's bending.
    pub fn bend_constraint(&self, limb: LimbName) -> &BendConstraint {
        &self.bend_constraints[limb.index()]
    }

    /// The skeleton's bone behind a node.
    pub fn bone_of(&self, node: Node) -> BoneIndex {
        self.hierarchy.bone(self.node_keys[node as usize])
    }

    /// The bones that a solve turns or moves itself: those with a role, in no order that matters. All others hang on them as
    /// in the animated pose, so that an engine with local transforms has these alone to write.
    pub fn written_bones(&self) -> impl ExactSizeIterator<Item = BoneIndex> {
        self.written.iter().map(|&(bone, _)| bone)
    }

    /// The [written bones](Self::written_bones) of a solved pose, each relative to its parent in the skeleton, or to the model
    /// where it has none; without the scale of what is above. Allocates nothing; a pose that is too short has fewer.
    ///
    /// ```
    /// # use kinescope::FullBody;
    /// # fn engine(solver: &FullBody, pose: &[kinescope::RigidTransform], set: impl Fn(usize, glam::Vec3, glam::Quat)) {
    /// for (bone, local) in solver.locals(pose) {
    ///     set(bone, local.position, local.rotation);
    /// }
    /// # }
    /// ```
    pub fn locals(&self, pose: &[RigidTransform]) -> impl Iterator<Item = (BoneIndex, RigidTransform)> {
        self.written.iter().filter_map(|&(bone, parent)| {
            let own = pose.get(bone)?;
            let local = match parent {
                Some(parent) => pose.get(parent)?.to_local(own),
                None => *own,
            };
            Some((bone, local))
        })
    }

    /// Writes a state to the bones: spine, head, limbs, and all that hangs on them.
    ///
    /// `pose` holds the animated pose that the frame was read from; `workspace` is the one it was read with, and is
    /// used up: read again before the next write.
    ///
    /// # Errors
    /// [`InputError`] if the workspace is not the one that the frame was read with, the pose is too short, or the state
    /// has numbers that no bone can have. The pose stays as it was.
    pub fn write(
        &self,
        workspace: &mut Workspace,
        frame: &Frame,
        state: &State,
        pose: &mut [RigidTransform],
    ) -> Result<Status, InputError> {
        if frame.weight <= 0.0 {
            return Ok(Status::NothingToDo);
        }
        if !std::mem::take(&mut workspace.is_read) {
            return Err(InputError::NotRead);
        }
        self.check_fit(workspace, pose)?;
        let Read { mappings, written, .. } = &mut workspace.read;
        Writing::new(self, mappings, frame, &state.points).all(written, &mut Laps::default());
        self.finish(workspace, pose, Bones::All)
    }

    /// The end of writing: all bones go where their key bones are.
    fn finish(
        &self,
        workspace: &mut Workspace,
        pose: &mut [RigidTransform],
        bones: Bones,
    ) -> Result<Status, InputError> {
        workspace.read.written.keys.write(&self.hierarchy, pose, bones)?;
        Ok(Status::Solved)
    }

    /// The bones with a role, and where an instant of writing has them.
    pub fn key_bones<'a>(&'a self, written: &'a Written) -> impl Iterator<Item = (BoneIndex, RigidTransform)> + 'a {
        let world = |key: Key| written.keys.world(key, *written.keys.settled(key));
        (0..self.hierarchy.key_count()).map(move |key| (self.hierarchy.bone(key), world(key)))
    }

    /// Puts all bones where an instant of writing has them. `pose` holds the animated pose that the frame was read
    /// from.
    ///
    /// # Errors
    /// [`InputError`] if the pose is too short, or a bone came out as none; the pose stays as it was.
    pub fn pose_of(&self, written: &Written, pose: &mut [RigidTransform]) -> Result<(), InputError> {
        let expected = self.hierarchy.bone_count();
        if pose.len() < expected {
            return Err(InputError::PoseLength { found: pose.len(), expected });
        }
        written.keys.clone().write(&self.hierarchy, pose, Bones::All)
    }

    /// One whole solve: read, every step, write. `pose` is the animated pose and becomes the solved one. At master weight 0 the pose stays as it is, bit for bit.
    ///
    /// Allocates nothing and never panics, whatever it is given. The result is finite; with
    /// [valid](Settings::validate) settings, and a pose none of whose coordinates is beyond
    /// [`FARTHEST`](crate::math::FARTHEST), there always is one.
    ///
    /// # Errors
    /// [`InputError`] says which input cannot be solved with: the pose stays as it was, bit for bit.
    pub fn solve(
        &self,
        workspace: &mut Workspace,
        settings: &Settings,
        pose: &mut [RigidTransform],
    ) -> Result<Status, InputError> {
        if settings.solver.weight <= 0.0 {
            return Ok(Status::NothingToDo);
        }
        let rotations = self.check_input(workspace, settings, pose)?;
        self.solve_usable(workspace, settings, (pose, rotations), Bones::All, &mut Laps::default())
    }

    /// A solve of what was checked, of a master weight above 0.
    #[inline(always)]
    pub(crate) fn solve_usable(
        &self,
        workspace: &mut Workspace,
        settings: &Settings,
        (pose, rotations): (&mut [RigidTransform], Rotations),
        bones: Bones,
        laps: &mut Laps,
    ) -> Result<Status, InputError> {
        let mut state = self.read_usable(workspace, settings, pose, rotations);
        workspace.is_read = false;
        laps.end(Work::Read);
        let Read { frame, mappings, written, .. } = &mut workspace.read;
        stepped::solve(&mut Solve::new(frame), &mut state);
        laps.end(Work::Stages);
        Writing::new(self, mappings, frame, &state.points).all(written, laps);
        let done = self.finish(workspace, pose, bones).map_err(|error| error.because_of(settings));
        laps.end(Work::Write);
        done
    }
}

/// The way a character faces, from the positions of its limbs' first bones. Unit; zero if they say nothing.
pub fn facing(position: impl Fn(Node) -> Vec3) -> Vec3 {
    let left_from_right = position(Node::LeftThigh) - position(Node::RightThigh);
    let arms = (position(Node::LeftUpperArm) + position(Node::RightUpperArm)) / 2.0;
    let thighs = (position(Node::LeftThigh) + position(Node::RightThigh)) / 2.0;
    unit_or_zero(left_from_right.cross(arms - thighs))
}
