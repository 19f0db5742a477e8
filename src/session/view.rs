//! What is selected, and what is drawn.

use serde::{Deserialize, Serialize};

use crate::picture::labels::Density;
use crate::tools::pose::handles::HandleId;
use kinescope_ik::debug_draw::Layers;
use kinescope_ik::full_body::{Chain, Effector};
use kinescope_ik::modifiers::Modifier;
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::{LayerId, Topic};

/// What is selected: the inspector shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    #[default]
    Nothing,
    Effector(Effector),
    Chain(Chain),
    BendGoal(LimbName),
    /// A layer of the stack; modifiers are selected one by one.
    Layer(LayerId),
    /// A modifier, by its place in the order, and which of its layers' steps are looked at.
    Modifier(usize, LayerId),
}

impl Selection {
    /// What shows a layer's steps.
    pub fn of_layer(layer: LayerId) -> Self {
        if layer == LayerId::FullBody {
            return Self::Nothing;
        }
        if layer.topic() == Topic::Modifiers { Self::Modifier(0, layer) } else { Self::Layer(layer) }
    }

    /// What shows a modifier's steps, where it does most.
    pub fn of_modifier(index: usize, modifier: &Modifier) -> Self {
        let layer = match modifier {
            Modifier::ArmBending(_) => LayerId::FullBody,
            Modifier::FourBones(_) | Modifier::TwoHandedGrip(_) => LayerId::AfterWrite,
            _ => LayerId::Modifiers,
        };
        Self::Modifier(index, layer)
    }

    /// As in logs.
    pub fn key(self) -> Option<String> {
        match self {
            Self::Nothing => None,
            Self::Effector(effector) => Some(effector.key().to_owned()),
            Self::Chain(chain) => Some(format!("{}_chain", chain.key())),
            Self::BendGoal(limb) => Some(HandleId::BendGoal(limb).key()),
            Self::Layer(LayerId::Chain(index)) => Some(format!("chain_ik_{index}")),
            Self::Layer(layer) => Some(layer.key()),
            Self::Modifier(index, _) => Some(format!("modifier_{index}")),
        }
    }

    /// What the selected layer is about; `None` where no layer is selected.
    pub fn topic(self) -> Option<Topic> {
        match self {
            Self::Layer(layer) | Self::Modifier(_, layer) => Some(layer.topic()),
            Self::Nothing | Self::Effector(_) | Self::Chain(_) | Self::BendGoal(_) => None,
        }
    }

    /// The limb it has to do with.
    pub fn limb(self) -> Option<LimbName> {
        match self {
            Self::Nothing | Self::Layer(_) | Self::Modifier(..) => None,
            Self::Effector(effector) => effector.node().limb(),
            Self::Chain(chain) => chain.limb(),
            Self::BendGoal(limb) => Some(limb),
        }
    }
}

/// How the character's surface is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MeshStyle {
    #[default]
    Solid,
    Xray,
    Hidden,
}

/// Which gizmo the selected effector has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GizmoStyle {
    Move,
    Rotate,
    #[default]
    Both,
}

/// What is drawn: section `view` of a preset.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct View {
    pub mesh: MeshStyle,
    pub bones: bool,
    pub nodes: bool,
    pub torso_planes: bool,
    pub limb_planes: bool,
    pub rigid_constraints: bool,
    pub push_only_constraints: bool,
    pub bend_directions: bool,
    /// Default bend direction and default child normal of the selected limb, or of all limbs.
    pub bend_defaults: bool,
    pub bend_goals: bool,
    pub targets: bool,
    pub previous_step: bool,
    pub displacements: bool,
    pub limits: bool,
    /// What grounding cast, and what it hit.
    pub casts: bool,
    /// Where grounding wants the feet.
    pub foot_goals: bool,
    pub ground: bool,
    pub attribution: bool,
    pub other: bool,
    pub reach: bool,
    /// Through the reachable volume, coloured by the gap.
    pub reach_slice: bool,
    /// The reachable volume is coloured by how elbow or knee is turned.
    pub reach_turns: bool,
    pub light_theme: bool,
    /// Which labels the picture has.
    #[serde(skip_serializing_if = "is_default")]
    pub labels: Density,
}

fn is_default(density: &Density) -> bool {
    *density == Density::default()
}

impl Default for View {
    fn default() -> Self {
        Self {
            mesh: MeshStyle::Solid,
            bones: true,
            nodes: true,
            torso_planes: true,
            limb_planes: false,
            rigid_constraints: true,
            push_only_constraints: true,
            bend_directions: true,
            bend_defaults: false,
            bend_goals: true,
            targets: true,
            previous_step: true,
            displacements: true,
            limits: true,
            casts: true,
            foot_goals: true,
            ground: true,
            attribution: false,
            other: true,
            reach: true,
            reach_slice: true,
            reach_turns: false,
            light_theme: false,
            labels: Density::default(),
        }
    }
}

impl View {
    /// The layers by name, for the outliner.
    pub fn layers_mut(&mut self) -> [(&'static str, &mut bool); 21] {
        [
            ("bones", &mut self.bones),
            ("nodes", &mut self.nodes),
            ("torso planes", &mut self.torso_planes),
            ("limb planes", &mut self.limb_planes),
            ("rigid constraints", &mut self.rigid_constraints),
            ("push-only constraints", &mut self.push_only_constraints),
            ("bend directions", &mut self.bend_directions),
            ("default bends and normals", &mut self.bend_defaults),
            ("bend goals", &mut self.bend_goals),
            ("targets", &mut self.targets),
            ("previous step", &mut self.previous_step),
            ("displacement arrows", &mut self.displacements),
            ("attribution arrows", &mut self.attribution),
            ("second result", &mut self.other),
            ("reachable volume", &mut self.reach),
            ("slice of the volume", &mut self.reach_slice),
            ("elbow in the volume", &mut self.reach_turns),
            ("limits", &mut self.limits),
            ("casts", &mut self.casts),
            ("foot goals", &mut self.foot_goals),
            ("ground", &mut self.ground),
        ]
    }

    /// For the solver's own drawing. Behind a body that is all there is to see, while it is posed live; the rest comes back
    /// with pause.
    pub(crate) fn solver_layers(&self, is_behind: bool) -> Layers {
        let shown = |layer: bool| layer && (!is_behind || self.mesh != MeshStyle::Solid);
        Layers {
            bones: shown(self.bones),
            nodes: shown(self.nodes),
            torso_planes: shown(self.torso_planes),
            limb_planes: shown(self.limb_planes),
            rigid_constraints: shown(self.rigid_constraints),
            push_only_constraints: shown(self.push_only_constraints),
            bend_directions: shown(self.bend_directions),
            // Goals and targets are handles: the window draws those.
            bend_goals: false,
            targets: false,
        }
    }
}
