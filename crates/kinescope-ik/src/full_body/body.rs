//! The solver of one character: what is known of it from the reference pose.

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

/// The solver for one character: what it knows from the reference pose. Solving does not change it, so that threads
/// can share it, each with a [`Workspace`](super::Workspace) of its own.
///
/// ```
/// use kinescope_ik::{Effector, FullBody, LimbName, Settings};
/// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
/// # let kinescope_ik::trace::Rig { skeleton, biped, reference, animated } = kinescope_ik::Trace::from_json(&text)?.rig;
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
    pub(super) node_keys: [Key; Node::COUNT],
    /// Index of the root-node bone among pelvis and spine.
    pub(super) root_node: usize,
    pub(super) bend_constraints: [BendConstraint; 4],
    facing: Vec3,
    /// The bones with a role, and what each hangs on in the skeleton.
    written: Box<[(BoneIndex, Option<BoneIndex>)]>,
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

    /// Whether a frame can be read from these, into a workspace that fits.
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

/// The way a character faces, from the positions of its limbs' first bones. Unit; zero if they say nothing.
pub fn facing(position: impl Fn(Node) -> Vec3) -> Vec3 {
    let left_from_right = position(Node::LeftThigh) - position(Node::RightThigh);
    let arms = (position(Node::LeftUpperArm) + position(Node::RightUpperArm)) / 2.0;
    let thighs = (position(Node::LeftThigh) + position(Node::RightThigh)) / 2.0;
    unit_or_zero(left_from_right.cross(arms - thighs))
}
