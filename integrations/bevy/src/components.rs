//! The components of characters and of what they follow.

use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectComponent;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_reflect::{Reflect, ReflectDeserialize, ReflectSerialize};
use kinescope_ik::ground::Ground;
use kinescope_ik::grounding::{DriveWeights, Solver, SolverState, SpeedSettings, SpeedState};
use kinescope_ik::modifiers::{Modifier, Running};
use kinescope_ik::{Effector, LimbName, Settings};
use serde::{Deserialize, Serialize};

use crate::reflected::{ReflectedEffector, ReflectedLimb, ReflectedSettings};

/// A component for a character's root entity: the plugin searches its descendants for a biped. If it finds one, it
/// replaces this component by a [`Rig`](crate::Rig). If it finds none among them, it adds a
/// [`RigProblem`](crate::RigProblem).
///
/// The reference pose gives lengths and bend directions. With the feature `skins` it is the bind pose of the
/// character's skins, so that the character may be animated already. Without the feature, without a skin, and if the
/// bind pose has no biped, it is the pose during the search, in which the character must stand with its arms out.
#[derive(Clone, Copy, Debug, Default, Component, Reflect)]
#[reflect(Component, Default, Debug, Clone)]
pub struct FindRig;

/// The settings of a character's solver, in model space. Offsets apply to one frame and are cleared after it.
///
/// Reflection names the fields as presets do, for example `0.chains.left_arm.pull`. Scenes have the format of presets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Component, Reflect)]
#[reflect(Component, Default, Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ik(#[reflect(remote = ReflectedSettings)] pub Settings);

impl Ik {
    /// Returns the parameters of an effector.
    pub fn effector(&mut self, effector: Effector) -> &mut kinescope_ik::EffectorSettings {
        self.0.effector_mut(effector)
    }

    /// Returns the parameters of a limb.
    pub fn chain(&mut self, limb: LimbName) -> &mut kinescope_ik::ChainSettings {
        self.0.chain_mut(limb)
    }
}

/// A component for an entity that an effector of a character follows. It overrides the effector's target and weights in
/// [`Ik`].
#[derive(Clone, Copy, Debug, PartialEq, Component, Reflect)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct EffectorTarget {
    /// The entity with the [`Rig`](crate::Rig).
    #[entities]
    pub character: Entity,
    /// The effector that follows.
    #[reflect(remote = ReflectedEffector)]
    pub effector: Effector,
    /// The effector's position weight, 0 to 1.
    pub position_weight: f32,
    /// How much the hand or foot takes the entity's rotation, 0 to 1.
    pub rotation_weight: f32,
}

impl EffectorTarget {
    /// Returns a target with position weight 1 and rotation weight 0.
    pub const fn new(character: Entity, effector: Effector) -> Self {
        Self { character, effector, position_weight: 1.0, rotation_weight: 0.0 }
    }
}

/// A component for an entity that an elbow or a knee of a character points to (a pole vector).
#[derive(Clone, Copy, Debug, PartialEq, Component, Reflect)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct BendGoal {
    /// The entity with the [`Rig`](crate::Rig).
    #[entities]
    pub character: Entity,
    /// The limb that bends toward the entity.
    #[reflect(remote = ReflectedLimb)]
    pub limb: LimbName,
    /// How much the goal replaces the natural bend direction, 0 to 1.
    pub weight: f32,
}

/// A component for a character's root entity: modifiers such as recoil, look-at and breathing, in their order. Targets
/// of modifiers are in model space. For reflection the component is one value.
///
/// ```
/// use kinescope_bevy::Modifiers;
/// use kinescope_ik::modifiers::{Breathing, Modifier, Recoil};
///
/// let mut modifiers =
///     Modifiers::new([Modifier::Breathing(Breathing::default()), Modifier::Recoil(Recoil::default())]);
/// // A shot.
/// modifiers.0[1].trigger();
/// ```
#[derive(Clone, Debug, Default, PartialEq, Component, Reflect)]
#[reflect(opaque)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct Modifiers(pub Vec<Running>);

impl Modifiers {
    /// Returns these modifiers before their first frame.
    pub fn new(modifiers: impl IntoIterator<Item = Modifier>) -> Self {
        Self(modifiers.into_iter().map(Running::new).collect())
    }
}

/// A component for a character's root entity: the feet follow the [`WorldGround`]. Grounding reads the pose that
/// modifiers have turned, and sets the targets of both feet and the offset of the pelvis.
///
/// Keep the character's root at ground level; one unit of the world is a metre. For reflection the component is one
/// value.
#[derive(Clone, Debug, Default, PartialEq, Component, Reflect)]
#[reflect(opaque)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct Grounding {
    /// The grounder with its settings; by default the predictive one.
    pub solver: Solver,
    /// How much pelvis and feet follow the ground.
    pub weights: DriveWeights,
    /// How much the left and the right foot stand on the ground, 0 to 1, for example by curves of the clip. With
    /// `None`, the default, the weights follow from the speeds of the animated feet by `speed`.
    pub planted: Option<[f32; 2]>,
    /// The thresholds by which the speed of an animated foot gives its weight if `planted` is `None`.
    pub speed: SpeedSettings,
    pub(crate) state: SolverState,
    pub(crate) speeds: SpeedState,
}

impl Grounding {
    /// Returns a grounding with these weights of the left and the right foot in place of weights from their speeds.
    pub fn with_planted(planted: [f32; 2]) -> Self {
        Self { planted: Some(planted), ..Self::default() }
    }
}

/// The ground of all characters with [`Grounding`], in world space. Wrap the ray casts of your physics engine, or use
/// `kinescope_ik::Terrain` (feature `terrain`).
#[derive(Resource)]
pub struct WorldGround(pub Box<dyn Ground + Send + Sync>);

impl WorldGround {
    /// Returns the resource for a ground.
    pub fn new(ground: impl Ground + Send + Sync + 'static) -> Self {
        Self(Box::new(ground))
    }
}
