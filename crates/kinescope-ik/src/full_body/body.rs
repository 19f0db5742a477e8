//! [`FullBody`], the solver of one character: its key bones, and its bend constraints from the reference pose.

use glam::Vec3;

use super::bend_constraint::BendConstraint;
use super::error::InputError;
use super::hierarchy::{Hierarchy, Key};
use super::input::Rotations;
use super::settings::Settings;
use crate::error::{BadValue, Fault, Problem};
use crate::lanes::decide;
use crate::math::{read_rotation, unit_or_zero};
use crate::names::Node;
use crate::rig::{Biped, BoneIndex, LimbName, RigidTransform, Skeleton};

/// Full-body solver of one character. Solving does not change it, so threads can share it; each needs its own
/// [`Workspace`](super::Workspace).
///
/// ```
/// use kinescope_ik::{Effector, FullBody, LimbName, Settings};
/// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
/// # let kinescope_ik::trace::Rig { skeleton, biped, reference, animated } = kinescope_ik::Trace::from_json(&text)?.rig;
///
/// // Skeleton, biped and reference pose are made as in the example of the whole crate.
/// let solver = FullBody::new(&skeleton, &biped, &reference)?;
/// let mut workspace = solver.workspace();
///
/// // Keep the feet where the animation has them and lower the body for this frame.
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
    /// Hash of the bones' roles and of the tree of key bones. A workspace fits every solver with the same hash.
    pub(crate) shape: u64,
    pub(super) node_keys: [Key; Node::COUNT],
    /// Index of the root-node bone among pelvis and spine.
    pub(super) root_node: usize,
    pub(super) bend_constraints: [BendConstraint; 4],
    facing: Vec3,
    /// The bones of [`Self::written_bones`] and their parents in the skeleton.
    written: Box<[(BoneIndex, Option<BoneIndex>)]>,
}

impl FullBody {
    /// Creates the solver from a reference pose (model space, one transform per bone of the skeleton).
    ///
    /// # Errors
    /// [`Fault`] if the pose has another number of bones than the skeleton. [`Fault`] if the biped has no spine bone or
    /// more than 64 bones with a role, names a bone that the skeleton lacks, maps a bone to two roles, or has a root
    /// node that is neither pelvis nor spine bone. [`Fault`] for a bone with a role if the skeleton attaches it to a
    /// bone that its role puts below it, or if the pose gives it a value that is not finite or a rotation that is not a
    /// unit quaternion.
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
            Fault::new("biped.root_node", "is neither the pelvis nor a spine bone; choose one of these")
        })?;
        let hierarchy = Hierarchy::new(skeleton, biped, root_node)?;
        for key in 0..hierarchy.key_count() {
            let bone = hierarchy.bone(key);
            if !reference[bone].is_finite() {
                let place = format!("reference of bone {:?}", skeleton.bones()[bone].name);
                return Err(Fault::new(place, Problem::NotFinite("position and rotation must be finite")));
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
        let written = hierarchy.written().map(|bone| (bone, skeleton.parent(bone))).collect();
        Ok(Self { shape, node_keys, root_node, bend_constraints, facing, written, hierarchy })
    }

    /// Returns the direction that the character faces in the reference pose, see [`facing`]. Unit, or zero; model
    /// space.
    pub fn facing(&self) -> Vec3 {
        self.facing
    }

    /// Returns the bend constraint of a limb.
    pub fn bend_constraint(&self, limb: LimbName) -> &BendConstraint {
        &self.bend_constraints[limb.index()]
    }

    /// Returns the index of a node's bone in the skeleton.
    pub fn bone_of(&self, node: Node) -> BoneIndex {
        self.hierarchy.bone(self.node_keys[node as usize])
    }

    /// Returns the bones that a solve turns or moves relative to their parents, in no particular order: those with a
    /// role, and siblings of a hand or foot at its position that have children, such as the palms of some rigs. All
    /// other bones keep their transform relative to their parent, so an engine with local transforms only needs to
    /// write these.
    pub fn written_bones(&self) -> impl ExactSizeIterator<Item = BoneIndex> {
        self.written.iter().map(|&(bone, _)| bone)
    }

    /// Returns the local transform of each [written bone](Self::written_bones) of a solved pose: relative to its parent
    /// in the skeleton or, for a root, to the model. Ignores the scale of parents. Skips bones that `pose` lacks.
    /// Allocates nothing.
    ///
    /// ```
    /// # use kinescope_ik::FullBody;
    /// # fn engine(solver: &FullBody, pose: &[kinescope_ik::RigidTransform], set: impl Fn(usize, glam::Vec3, glam::Quat)) {
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

    pub(crate) fn check_pose_and_settings(
        &self,
        settings: &Settings,
        pose: &[RigidTransform],
    ) -> Result<Rotations, InputError> {
        let expected = self.hierarchy.bone_count();
        if pose.len() < expected {
            return Err(InputError::PoseLength { found: pose.len(), expected });
        }
        settings.check_usable()?;
        self.hierarchy.check(pose)
    }
}

/// Returns the direction that a character faces, from the positions of upper arms and thighs. Unit; zero if these
/// positions give no direction.
pub fn facing(position: impl Fn(Node) -> Vec3) -> Vec3 {
    let left_from_right = position(Node::LeftThigh) - position(Node::RightThigh);
    let arms = (position(Node::LeftUpperArm) + position(Node::RightUpperArm)) / 2.0;
    let thighs = (position(Node::LeftThigh) + position(Node::RightThigh)) / 2.0;
    unit_or_zero(left_from_right.cross(arms - thighs))
}
