//! Which entities are a character's bones.

use bevy_ecs::name::Name;
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use kinescope_ik::full_body::{Frame, State};
use kinescope_ik::game_recording::GameCharacter;
use kinescope_ik::{
    Biped, Bone, Effector, Fault, FullBody, InputError, LocalPose, LocalTransform, ModelPose, Settings, Skeleton,
    Status, Workspace,
};

use crate::FindRig;

/// A bone of a character as it is found: parents come before their children.
#[derive(Clone, Debug)]
pub struct RigBone {
    /// The entity with the bone's transform.
    pub entity: Entity,
    /// Bipeds are found by it; may be empty.
    pub name: String,
    /// The bone above, by its index; `None` for one below the root entity.
    pub parent: Option<usize>,
    /// In the reference pose.
    pub transform: Transform,
}

/// A character's solver and its bones; on the character's root entity.
#[derive(Debug, Component)]
pub struct Rig {
    pub(crate) character: GameCharacter,
    pub(crate) solver: FullBody,
    pub(crate) workspace: Workspace,
    pub(crate) entities: Vec<Entity>,
    /// What is asked of it in this frame, targets put in.
    pub(crate) asked: Settings,
    /// Which effectors and which limbs' bends entities drive.
    pub(crate) driven: ([bool; Effector::COUNT], [bool; 4]),
    pub(crate) local: LocalPose,
    pub(crate) animated: ModelPose,
    pub(crate) solved: ModelPose,
    /// What was written to a bone last, and what was animated there.
    pub(crate) memory: Vec<Option<[Transform; 2]>>,
    pub(crate) done: Option<Result<Status, InputError>>,
    /// Of a solve that is drawn.
    pub(crate) seen: Option<(Frame, State)>,
}

/// In place of a [`Rig`]: why none was found. It is looked for again when entities come or go below the root.
#[derive(Clone, Debug, Component)]
pub struct RigProblem {
    /// What is missing, and what would help.
    pub why: String,
    entities: usize,
}

impl Rig {
    /// The rig of these bones. Where no biped is given, it is found from their names and places.
    ///
    /// # Errors
    /// [`Fault`] that says why they make no biped.
    pub fn new(bones: &[RigBone], biped: Option<Biped>) -> Result<Self, Fault> {
        let own = bones.iter().map(|bone| Bone {
            name: bone.name.clone(),
            parent: bone.parent,
            rest: local(&bone.transform),
        });
        let skeleton = Skeleton::new(own.collect())?;
        let reference = ModelPose::from_local(&skeleton, &skeleton.rest_pose());
        let character = GameCharacter::new("character", &skeleton, biped, reference.bones)?;
        let solver = FullBody::new(&character.skeleton, &character.biped, &character.reference)?;
        Ok(Self {
            workspace: solver.workspace(),
            solver,
            entities: bones.iter().map(|bone| bone.entity).collect(),
            asked: Settings::default(),
            driven: Default::default(),
            local: skeleton.rest_pose(),
            animated: ModelPose::default(),
            solved: ModelPose::default(),
            memory: vec![None; bones.len()],
            done: None,
            seen: None,
            character,
        })
    }

    /// Which bone plays which role: indices into [`Self::bones`].
    pub const fn biped(&self) -> &Biped {
        &self.character.biped
    }

    /// The entities of the bones.
    pub fn bones(&self) -> &[Entity] {
        &self.entities
    }

    /// The solver.
    pub const fn solver(&self) -> &FullBody {
        &self.solver
    }

    /// What the last solve was asked for: [`Ik`](crate::Ik) with targets and bend goals put in.
    pub const fn asked(&self) -> &Settings {
        &self.asked
    }

    /// What the last solve came to; `None` before the first. An input that cannot be solved with leaves the animated pose.
    pub const fn status(&self) -> Option<Result<Status, InputError>> {
        self.done
    }

    /// The animated pose of the last solve, and the solved one, in the space of the root entity: a bone each.
    pub fn poses(&self) -> [&[kinescope_ik::RigidTransform]; 2] {
        [&self.animated.bones, &self.solved.bones]
    }
}

/// As Kinescope has it.
pub(crate) const fn local(transform: &Transform) -> LocalTransform {
    LocalTransform { translation: transform.translation, rotation: transform.rotation, scale: transform.scale }
}

/// Looks for the rigs that are still to be found.
pub(crate) fn find_rigs(
    mut commands: Commands,
    wanted: Query<(Entity, Option<&RigProblem>), With<FindRig>>,
    children: Query<&Children>,
    parents: Query<&ChildOf>,
    bones: Query<(Option<&Name>, &Transform)>,
) {
    for (root, problem) in &wanted {
        // A root with entities between it and a bone that have no transform carries nothing down to that bone.
        let mut found: Vec<RigBone> = Vec::new();
        for entity in children.iter_descendants(root) {
            let Ok((name, transform)) = bones.get(entity) else { continue };
            let above = parents.get(entity).map_or(root, ChildOf::parent);
            let parent = found.iter().position(|bone| bone.entity == above);
            if parent.is_some() || above == root {
                let name = name.map_or_else(String::new, |name| name.as_str().to_owned());
                found.push(RigBone { entity, name, parent, transform: *transform });
            }
        }
        if found.is_empty() || problem.is_some_and(|problem| problem.entities == found.len()) {
            continue;
        }
        let mut root = commands.entity(root);
        match Rig::new(&found, None) {
            Ok(rig) => root.insert(rig).remove::<(FindRig, RigProblem)>(),
            Err(fault) => root.insert(RigProblem { why: fault.to_string(), entities: found.len() }),
        };
    }
}
