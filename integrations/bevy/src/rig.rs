//! A character's rig, and the search for the entities that are its bones.

use bevy_ecs::name::Name;
use bevy_ecs::prelude::*;
use bevy_transform::components::GlobalTransform;
use bevy_transform::components::Transform;
use kinescope_ik::full_body::{Frame, State};
use kinescope_ik::game_recording::GameCharacter;
use kinescope_ik::grounding::Legs;
use kinescope_ik::modifiers::Figure;
use kinescope_ik::{
    Biped, Bone, Effector, Fault, FullBody, InputError, LocalPose, LocalTransform, ModelPose, RigidTransform, Settings,
    Skeleton, Status, Workspace,
};

use crate::FindRig;
#[cfg(feature = "skins")]
use crate::skins::Skins;

/// A bone of a character. In lists, parents come before their children.
#[derive(Clone, Debug)]
pub struct RigBone {
    /// The entity with the bone's transform.
    pub entity: Entity,
    /// The bone's name, evidence for detection; may be empty.
    pub name: String,
    /// The parent bone's index; `None` for a child of the root entity.
    pub parent: Option<usize>,
    /// The local transform in the reference pose.
    pub transform: Transform,
}

/// A character's solver and its bones; on the character's root entity.
#[derive(Debug, Component)]
pub struct Rig {
    pub(crate) character: GameCharacter,
    pub(crate) solver: FullBody,
    /// The bones as modifiers read them.
    pub(crate) figure: Figure,
    pub(crate) workspace: Workspace,
    pub(crate) entities: Vec<Entity>,
    /// The settings of this frame's solve, with targets and bend goals of entities.
    pub(crate) settings: Settings,
    /// The settings after modifiers and grounding, which the solver reads.
    pub(crate) used: Settings,
    /// The animated pose after modifiers, which the solver reads. Empty without modifiers and for an invalid pose.
    pub(crate) input: Vec<RigidTransform>,
    /// The solver's result, before modifiers turn bones. Empty without modifiers, and if the solve failed.
    pub(crate) output: Vec<RigidTransform>,
    /// The transform from model to world in this frame.
    pub(crate) root: GlobalTransform,
    /// The legs as grounding measures them, and the scale of the root that they were measured with.
    pub(crate) legs: Option<(f32, Legs)>,
    /// The pose in world space that grounding reads.
    pub(crate) world: Vec<RigidTransform>,
    /// Which effectors and which limbs' bend goals are driven by entities.
    pub(crate) driven: ([bool; Effector::COUNT], [bool; 4]),
    pub(crate) local: LocalPose,
    pub(crate) animated: ModelPose,
    pub(crate) solved: ModelPose,
    /// For each bone, its transform as last read or written, and the animated transform of that frame; `None` before
    /// the first frame.
    pub(crate) memory: Vec<Option<[Transform; 2]>>,
    pub(crate) done: Option<Result<Status, InputError>>,
    /// Whether a modifier acts between the stages in this frame.
    pub(crate) acts_between: bool,
    /// Whether the character is not solved together with others in this frame.
    pub(crate) is_alone: bool,
    /// Whether modifiers acted on the solved pose of the last frame, so that all bones were written.
    pub(crate) was_modified: bool,
    /// Whether the log has the error of the last solve.
    pub(crate) is_reported: bool,
    /// Frame and state of the last solve, if it is drawn. The frame has the bend directions that modifiers set.
    pub(crate) seen: Option<(Frame, State)>,
}

/// Stands in for [`Rig`] while no biped is found. The plugin searches again when the number of bones below the root
/// changes.
#[derive(Clone, Debug, Component)]
pub struct RigProblem {
    /// Why the bones form no rig, as a message.
    pub why: String,
    entities: usize,
}

impl Rig {
    /// Returns the rig of these bones. If no biped is given, it is detected from their names and positions.
    ///
    /// # Errors
    /// A [`Fault`] that says why the bones form no valid skeleton, no biped, or a biped that cannot be solved.
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
            figure: Figure::new(&character.skeleton, &character.biped, &character.reference)?,
            workspace: solver.workspace(),
            solver,
            entities: bones.iter().map(|bone| bone.entity).collect(),
            settings: Settings::default(),
            used: Settings::default(),
            input: Vec::new(),
            output: Vec::new(),
            root: GlobalTransform::IDENTITY,
            legs: None,
            world: Vec::new(),
            driven: Default::default(),
            local: skeleton.rest_pose(),
            animated: ModelPose::default(),
            solved: ModelPose::default(),
            memory: vec![None; bones.len()],
            done: None,
            acts_between: false,
            is_alone: false,
            was_modified: false,
            is_reported: false,
            seen: None,
            character,
        })
    }

    /// Returns the bones of each role, as indices into [`Self::bones`].
    pub const fn biped(&self) -> &Biped {
        &self.character.biped
    }

    /// Returns the reference pose in model space, which gives lengths and bend directions.
    pub fn reference(&self) -> &[RigidTransform] {
        &self.character.reference
    }

    /// Returns the entities of the bones.
    pub fn bones(&self) -> &[Entity] {
        &self.entities
    }

    /// Returns the solver.
    pub const fn solver(&self) -> &FullBody {
        &self.solver
    }

    /// Returns the settings of the last frame: [`Ik`](crate::Ik) with targets and bend goals of entities.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the settings of the last solve: [`Self::settings`] after modifiers and grounding.
    pub const fn used_settings(&self) -> &Settings {
        &self.used
    }

    /// Returns the input and the result of the last solve, in model space. They differ from [`Self::poses`] if
    /// modifiers turn bones before or after the solve.
    pub fn solver_poses(&self) -> [&[RigidTransform]; 2] {
        let [animated, solved] = self.poses();
        let input = if self.input.is_empty() { animated } else { &self.input };
        [input, if self.output.is_empty() { solved } else { &self.output }]
    }

    /// Returns the result of the last solve; `None` before the first. After an error the character keeps its animated
    /// pose.
    pub const fn status(&self) -> Option<Result<Status, InputError>> {
        self.done
    }

    /// Returns the animated and the final pose of the last frame, in model space. Both are empty before the first
    /// frame.
    pub fn poses(&self) -> [&[RigidTransform]; 2] {
        [&self.animated.bones, &self.solved.bones]
    }
}

pub(crate) const fn local(transform: &Transform) -> LocalTransform {
    LocalTransform { translation: transform.translation, rotation: transform.rotation, scale: transform.scale }
}

pub(crate) fn find_rigs(
    mut commands: Commands,
    wanted: Query<(Entity, Option<&RigProblem>), With<FindRig>>,
    children: Query<&Children>,
    parents: Query<&ChildOf>,
    bones: Query<(Option<&Name>, &Transform)>,
    #[cfg(feature = "skins")] skins: Skins,
) {
    for (root, problem) in &wanted {
        // Transforms do not propagate through an entity that has none, so bones below such an entity are not the
        // character's.
        let mut found: Vec<RigBone> = Vec::new();
        for entity in children.iter_descendants(root) {
            let Ok((name, transform)) = bones.get(entity) else { continue };
            let owner = parents.get(entity).map_or(root, ChildOf::parent);
            let parent = found.iter().position(|bone| bone.entity == owner);
            if parent.is_some() || owner == root {
                let name = name.map_or_else(String::new, |name| name.as_str().to_owned());
                found.push(RigBone { entity, name, parent, transform: *transform });
            }
        }
        if found.is_empty() || problem.is_some_and(|problem| problem.entities == found.len()) {
            continue;
        }
        #[cfg(feature = "skins")]
        let rig = match skins.bind_pose(root, &found) {
            // The skin is still being loaded.
            Err(()) => continue,
            // A bind pose in which no biped is found may be that of an accessory.
            Ok(Some(bound)) => Rig::new(&bound, None).or_else(|_| Rig::new(&found, None)),
            Ok(None) => Rig::new(&found, None),
        };
        #[cfg(not(feature = "skins"))]
        let rig = Rig::new(&found, None);
        let mut root = commands.entity(root);
        match rig {
            Ok(rig) => root.insert(rig).remove::<(FindRig, RigProblem)>(),
            Err(fault) => {
                let why = fault.to_string();
                tracing::warn!("Kinescope found no rig below entity {}: {why}", root.id());
                root.insert(RigProblem { why, entities: found.len() })
            }
        };
    }
}
