use serde::{Deserialize, Serialize};

use crate::picture::labels::Density;
use kinescope_ik::debug_draw::Layers;
use kinescope_ik::full_body::{Chain, Effector};
use kinescope_ik::modifiers::Modifier;
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::{LayerId, Topic};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    #[default]
    Nothing,
    Effector(Effector),
    Chain(Chain),
    BendGoal(LimbName),
    Layer(LayerId),
    /// A modifier by its index, and the layer whose steps are shown.
    Modifier(usize, LayerId),
}

impl Selection {
    pub fn of_layer(layer: LayerId) -> Self {
        if layer == LayerId::FullBody {
            return Self::Nothing;
        }
        if layer.topic() == Topic::Modifiers { Self::Modifier(0, layer) } else { Self::Layer(layer) }
    }

    pub fn of_modifier(index: usize, modifier: &Modifier) -> Self {
        let layer = match modifier {
            Modifier::ArmBending(_) => LayerId::FullBody,
            Modifier::FourBones(_) | Modifier::TwoHandedGrip(_) => LayerId::AfterWrite,
            _ => LayerId::Modifiers,
        };
        Self::Modifier(index, layer)
    }

    pub fn key(self) -> Option<String> {
        match self {
            Self::Nothing => None,
            Self::Effector(effector) => Some(effector.key().to_owned()),
            Self::Chain(chain) => Some(format!("{}_chain", chain.key())),
            Self::BendGoal(limb) => Some(bend_goal_key(limb)),
            Self::Layer(LayerId::Chain(index)) => Some(format!("chain_ik_{index}")),
            Self::Layer(layer) => Some(layer.key()),
            Self::Modifier(index, _) => Some(format!("modifier_{index}")),
        }
    }

    pub fn topic(self) -> Option<Topic> {
        match self {
            Self::Layer(layer) | Self::Modifier(_, layer) => Some(layer.topic()),
            Self::Nothing | Self::Effector(_) | Self::Chain(_) | Self::BendGoal(_) => None,
        }
    }

    pub fn limb(self) -> Option<LimbName> {
        match self {
            Self::Nothing | Self::Layer(_) | Self::Modifier(..) => None,
            Self::Effector(effector) => effector.node().limb(),
            Self::Chain(chain) => chain.limb(),
            Self::BendGoal(limb) => Some(limb),
        }
    }
}

pub(crate) fn bend_goal_key(limb: LimbName) -> String {
    format!("{}_bend_goal", Chain::from(limb).key())
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MeshStyle {
    #[default]
    Solid,
    Xray,
    Hidden,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GizmoStyle {
    Move,
    Rotate,
    #[default]
    Both,
}

/// Settings of the view: section `view` of a preset.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct View {
    /// How the character's surface is drawn.
    pub mesh: MeshStyle,
    /// Whether the picture draws the bones.
    pub bones: bool,
    /// Whether the picture draws the solver's 13 nodes.
    pub nodes: bool,
    /// Whether the picture draws the planes of the torso.
    pub torso_planes: bool,
    /// Whether the picture draws the planes of the limbs.
    pub(crate) limb_planes: bool,
    /// Whether the picture draws the rigid child constraints with their strain.
    pub(crate) rigid_constraints: bool,
    /// Whether the picture draws the push-only diagonals with their strain.
    pub(crate) push_only_constraints: bool,
    /// Whether the picture draws the bend directions of elbows and knees.
    pub(crate) bend_directions: bool,
    /// Whether the picture draws the default bend direction and child normal of the selected limb, or of all limbs.
    pub bend_defaults: bool,
    /// Whether the picture draws the bend goals.
    pub(crate) bend_goals: bool,
    /// Whether the picture draws the effectors' targets.
    pub targets: bool,
    /// Whether the picture draws the previous step as a grey ghost.
    pub(crate) previous_step: bool,
    /// Whether the picture draws arrows for the moves of the step shown.
    pub(crate) displacements: bool,
    /// Whether the picture draws joint limits.
    pub limits: bool,
    /// Whether the picture draws the casts of grounding with their hits.
    pub casts: bool,
    /// Whether the picture draws the goals of grounding for the feet.
    pub(crate) foot_goals: bool,
    /// Whether the picture draws the ground.
    pub ground: bool,
    /// Whether the paused picture shows which stages moved the selected node, and how far.
    pub attribution: bool,
    /// Whether the picture draws the second result: the recorded one during a what-if, else that of a game or a port,
    /// else B of a comparison.
    pub other: bool,
    /// Whether the picture draws the reachable volume.
    pub reach: bool,
    /// Whether the picture draws a slice through the reachable volume, coloured by gap.
    pub(crate) reach_slice: bool,
    /// Whether the reachable volume is coloured by the direction of elbow or knee.
    pub(crate) reach_turns: bool,
    /// Whether the window uses the light theme.
    pub light_theme: bool,
    /// How many labels the picture has.
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
            ("bend directions in the volume", &mut self.reach_turns),
            ("limits", &mut self.limits),
            ("casts", &mut self.casts),
            ("foot goals", &mut self.foot_goals),
            ("ground", &mut self.ground),
        ]
    }

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
            // The window draws goals and targets as handles.
            bend_goals: false,
            targets: false,
        }
    }
}
