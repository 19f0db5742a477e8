//! The identifiers of layers, with names, topics and settings from the table of layers, and the memory that layers
//! keep. Module `layers` implements the layers.

use serde::{Deserialize, Serialize};

use crate::chain_ik;
use crate::grounding::handover::Handover;
use crate::grounding::{HeldCasts, SolverState, SpeedState};
use crate::key::named;
use crate::modifiers;
use crate::parameter::{Field, Parameter};
use crate::rig::RigidTransform;

named! {
    /// The topic of a layer, for colours and captions.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Topic {
        /// Returns the label on screen.
        label: &'static str,
    }
    /// All topics.
    ALL {
        /// Clips of another skeleton.
        Motion: "Motion";
        /// Targets attached to bones and effectors.
        Attachments: "Attached targets";
        /// Trackers that a user wears.
        Trackers: "Trackers";
        /// Modifiers, before and after IK.
        Modifiers: "Modifiers";
        /// Feet and pelvis on the ground.
        Grounding: "Grounding";
        /// The whole body.
        Posing: "Posing";
        /// A chain of the character.
        Chain: "Chain";
        /// The chain lab.
        Lab: "Chain lab";
        /// The full-body lab.
        BodyLab: "Full-body lab";
    }
}

struct Names {
    key: &'static str,
    label: &'static str,
    sentence: &'static str,
    topic: Topic,
}

/// The settings of a layer, from its row in the table of layers.
struct Declared {
    path: &'static str,
    parameters: &'static [Parameter],
    fields: &'static [Field],
}

macro_rules! data {
    ($(
        $name:ident [$($index:ident: $number:ty)?] $module:ident [$label:literal $sentence:literal $topic:ident] solver $run:tt
            grounding [$($help:literal $field:ident: $settings:ty)?]
            stack [$($own_help:literal $own:ident: $own_settings:ty)?]
            remembers [$($(#[$attribute:meta])* $memory:ident: $state:ty)?];
    )+) => {
        /// The identifier of a layer.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum LayerId {
            $(
                #[doc = $sentence]
                $name $(($number))?,
            )+
        }

        impl LayerId {
            /// Returns the layers that a stack has at most one of, in the order of solving.
            pub fn single() -> impl Iterator<Item = Self> {
                [$(single!($name $($index)?)),+].into_iter().flatten()
            }

            /// Returns the index among the layers of this kind, from 0; `None` for a kind that a stack has at most
            /// once.
            pub const fn index(self) -> Option<usize> {
                match self {
                    $(Self::$name $(($index))? => optional!($($index)?),)+
                }
            }

            const fn names(self) -> &'static Names {
                match self {
                    $(Self::$name { .. } => {
                        &Names { key: stringify!($module), label: $label, sentence: $sentence, topic: Topic::$topic }
                    })+
                }
            }

            const fn declared(self) -> Option<&'static Declared> {
                match self {
                    $(Self::$name { .. } => optional!(
                        $(&Declared {
                            path: concat!("grounding.", stringify!($field)),
                            parameters: <$settings>::PARAMETERS,
                            fields: <$settings>::FIELDS,
                        })?
                        $(&Declared {
                            path: concat!("stack.", stringify!($own)),
                            parameters: <$own_settings>::PARAMETERS,
                            fields: <$own_settings>::FIELDS,
                        })?
                    ),)+
                }
            }
        }

        /// The state that layers keep from one frame to the next.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Memory {
            /// State of the grounder; `None` before its first frame and while grounding is off.
            pub ground: Option<SolverState>,
            /// The last output of grounding, and the blend after a change of the grounder; empty while grounding is
            /// off.
            pub handover: Handover,
            /// The hits of the grounder's last casts; `None` before the first, while grounding is off, and if
            /// [`cast_rate`](super::GroundingSection::cast_rate) is 0.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub casts: Option<HeldCasts>,
            /// The speeds of the foot bones, which grounding measures if it takes foot weights from speed; otherwise
            /// `None`.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub speeds: Option<SpeedState>,
            $($(
                #[doc = concat!(
                    "State of the layer ", $label, "; `None` before its first frame, while the layer is off, and after ",
                    "a frame that leaves no state."
                )]
                $(#[$attribute])*
                pub $memory: Option<$state>,
            )?)+
            /// The memory of each modifier, in the order of the stack.
            pub modifiers: Vec<modifiers::Memory>,
            /// The last state of each lane of the chain lab.
            pub lanes: Vec<chain_ik::State>,
            /// The memory of each lane of the full-body lab.
            #[serde(skip_serializing_if = "Vec::is_empty")]
            pub body_lanes: Vec<Self>,
            /// The last solved pose with the experiment [`keep_pose`](super::Experiments::keep_pose), otherwise `None`.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub kept: Option<Vec<RigidTransform>>,
        }

        impl Memory {
            /// Clears the field that a layer's row declares.
            pub(super) fn forget(&mut self, layer: LayerId) {
                match layer {
                    $(LayerId::$name { .. } => {
                        $(self.$memory = None;)?
                    })+
                }
            }
        }
    };
}

/// Expands to `Some` of the layer for a row without an index, otherwise to `None`.
macro_rules! single {
    ($name:ident) => {
        Some(Self::$name)
    };
    ($name:ident $index:ident) => {
        None
    };
}

layer_table!(data);

impl LayerId {
    /// Returns the layers that have settings of their own, in the order of solving.
    pub fn with_settings() -> impl Iterator<Item = Self> {
        Self::single().filter(|layer| layer.declared().is_some())
    }

    /// Returns the label on screen; for chains and lanes with their number, from 1.
    pub fn label(self) -> String {
        let label = self.names().label;
        self.index().map_or_else(|| label.to_owned(), |index| format!("{label} {}", index + 1))
    }

    /// Returns what the layer does, in one sentence.
    pub const fn sentence(self) -> &'static str {
        self.names().sentence
    }

    /// Returns the topic of the layer.
    pub const fn topic(self) -> Topic {
        self.names().topic
    }

    /// Returns the key in columns, measures and messages: `foot_lock`, `chain_0`. JSON files have the serialized form
    /// instead, which is `{"chain": 0}` for a chain.
    pub fn key(self) -> String {
        let key = self.names().key;
        self.index().map_or_else(|| key.to_owned(), |index| format!("{key}_{index}"))
    }

    /// Returns the label of a measure or gap of the layer for lists of all layers: for chains and lanes the layer's
    /// label, then `label`; for other layers `label` alone.
    pub fn of_layer(self, label: &str) -> String {
        self.index().map_or_else(|| label.to_owned(), |_| format!("{} {label}", self.label()))
    }

    /// Returns the prefix of the keys of the layer's measures and gaps; empty for the full body.
    pub fn prefix(self) -> String {
        if self == Self::FullBody { String::new() } else { format!("{}_", self.key()) }
    }

    /// Returns the path in a preset of the settings that the layer's row in the table declares, such as
    /// `grounding.lock`. `None` for layers whose settings are elsewhere, such as the full body and chains, and for
    /// layers without settings.
    pub fn settings_path(self) -> Option<&'static str> {
        self.declared().map(|own| own.path)
    }

    /// Returns whether the layer's own settings are a field of section `stack` of a preset.
    pub fn has_own_section(self) -> bool {
        self.settings_path().is_some_and(|path| path.starts_with("stack."))
    }

    /// Returns the numeric fields of the layer's own settings; empty if the layer has none.
    pub fn parameters(self) -> &'static [Parameter] {
        self.declared().map_or(&[], |own| own.parameters)
    }

    /// Returns all fields of the layer's own settings; empty if the layer has none.
    pub fn fields(self) -> &'static [Field] {
        self.declared().map_or(&[], |own| own.fields)
    }
}
