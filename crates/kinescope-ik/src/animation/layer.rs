//! Pose layers: clips that are blended over the one that plays, or added to it. They are part of a preset.

use std::collections::BTreeMap;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::additive::{Additive, Base, Formula};
use super::blend;
use super::blend::Mask;
use crate::error::{BadValue, Fault};
use crate::parameter::{Parameter, Parameters, Unit, settings};
use crate::rig::{Clip, LocalPose, Skeleton};

/// The effect of a pose layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayerKind {
    /// Blends the pose toward the clip's pose.
    #[default]
    Blend,
    /// Adds the difference of the clip from its base; see [`PoseLayer::base`].
    Additive,
}

/// An input that can drive a number of a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayerInput {
    /// The character's speed in metres per second.
    #[default]
    Pace,
    /// Two keys or a stick, −1 to 1; 0 when released.
    Keys,
}

/// A map from an input to a number of a layer: `low` at `from`, `high` at `to`, linear between, constant beyond.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Binding {
    /// The input.
    pub input: LayerInput,
    /// The value of the input that gives `low`, −10 to 10.
    pub from: f32,
    /// The value of the input that gives `high`, −10 to 10.
    pub to: f32,
    /// The number of the layer at `from`: a weight, or a time in seconds.
    pub low: f32,
    /// The number of the layer at `to`: a weight, or a time in seconds.
    pub high: f32,
}

impl Default for Binding {
    fn default() -> Self {
        Self { input: LayerInput::Pace, from: 0.0, to: 2.0, low: 0.0, high: 1.0 }
    }
}

impl Binding {
    /// The allowed range of `from` and `to`.
    pub const INPUTS: std::ops::RangeInclusive<f32> = -10.0..=10.0;

    /// Returns a binding that maps the usual range of an input, 0 to 2 m/s or −1 to 1, to `low`–`high`.
    pub fn of(input: LayerInput, low: f32, high: f32) -> Self {
        let (from, to) = match input {
            LayerInput::Pace => (0.0, 2.0),
            LayerInput::Keys => (-1.0, 1.0),
        };
        Self { input, from, to, low, high }
    }

    /// Returns the number for the inputs. If `from` equals `to`, it steps from `low` to `high` there.
    pub fn value(&self, inputs: &Inputs) -> f32 {
        let input = match self.input {
            LayerInput::Pace => inputs.pace,
            LayerInput::Keys => inputs.keys,
        };
        let share = match self.to == self.from {
            true => f32::from(u8::from(input >= self.to)),
            false => ((input - self.from) / (self.to - self.from)).clamp(0.0, 1.0),
        };
        // A NaN input counts as the low end.
        let share = if share.is_nan() { 0.0 } else { share };
        self.low + (self.high - self.low) * share
    }

    fn check(&self, range: &std::ops::RangeInclusive<f32>, unit: Unit) -> Result<(), Fault> {
        for (key, input) in [("from", self.from), ("to", self.to)] {
            BadValue::check_range(input, &Self::INPUTS, Unit::Share).map_err(|bad| bad.at(key))?;
        }
        for (key, value) in [("low", self.low), ("high", self.high)] {
            BadValue::check_range(value, range, unit).map_err(|bad| bad.at(key))?;
        }
        Ok(())
    }
}

/// The inputs of layers in one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Inputs {
    /// The time in the clips of layers that run by themselves, in seconds; each clip loops.
    pub running: f32,
    /// The character's speed in metres per second.
    pub pace: f32,
    /// The value of [`LayerInput::Keys`]: two keys or a stick, −1 to 1; 0 at rest.
    pub keys: f32,
}

settings! {
    /// A pose layer: another clip on top of the one that plays.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct PoseLayer {
        /// Whether the layer blends to its clip or adds to the pose.
        kind: LayerKind = LayerKind::Blend;
        /// The name of a clip; the layer has no effect if the model lacks it.
        clip: String = String::new();
        /// The time in the clip, in seconds; null lets the clip run in a loop.
        time: Option<f32> = None;
        /// An input that drives the time, in seconds; null uses `time`.
        time_by: Option<Binding> = None;
        /// How strongly the layer is applied, 0 to 1; for an additive layer −2 to 2.
        weight: f32 = 0.0;
        /// An input that drives the weight; null uses `weight`.
        weight_by: Option<Binding> = None;
        /// The pose that an additive layer subtracts from its clip, `{"time": 0.0}` or `"rest"`.
        base: Base = Base::Time(0.0),
            source: Book "additiveBasePose";
        /// The layer affects this bone and everything below it; null is the whole body.
        under: Option<String> = None,
            source: Book "blendroot";
        /// The number of bones, from `under` down, over which the weight fades in.
        feather: u32 = 0, from 0 to 100 usually 10 in Count,
            too little: "The body has a kink at the border of the layer.",
            too much: "Little of the clip remains visible.";
        /// Weights of single bones, 0 to 1 by name; bones below them inherit the weight unless they have their own.
        mask: BTreeMap<String, f32> = BTreeMap::new();
        /// Scales of single bones in the clip's pose, 0.01 to 10 by name; they replace the clip's own.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        scale: BTreeMap<String, f32> = BTreeMap::new();
        /// Disables the layer.
        off: bool = false;
    }
}

impl PoseLayer {
    /// Checks that every number is within its allowed range.
    ///
    /// # Errors
    /// [`Fault`] for the first number out of range.
    pub fn validate(&self) -> Result<(), Fault> {
        self.check_numbers()?;
        self.weight_parameter().check(self.weight).map_err(|bad| bad.at("weight"))?;
        for (bone, &weight) in &self.mask {
            let checked = BadValue::check_range(weight, &(0.0..=1.0), Unit::Share);
            checked.map_err(|bad| bad.at(bone).within("mask"))?;
        }
        for (bone, &scale) in &self.scale {
            Self::SCALE.check(scale).map_err(|bad| bad.at(bone).within("scale"))?;
        }
        let times = 0.0..=1e5;
        if let Some(binding) = &self.weight_by {
            let parameter = self.weight_parameter();
            binding.check(&(parameter.min..=parameter.max), parameter.unit).map_err(|bad| bad.within("weight_by"))?;
        }
        if let Some(binding) = &self.time_by {
            binding.check(&times, Unit::Seconds).map_err(|bad| bad.within("time_by"))?;
        }
        if let Base::Time(time) = self.base {
            let checked = BadValue::check_range(time, &times, Unit::Seconds);
            checked.map_err(|bad| bad.at("time").within("base"))?;
        }
        let time = self.time.map_or(Ok(()), |time| BadValue::check_range(time, &times, Unit::Seconds));
        time.map_err(|bad| bad.at("time"))
    }

    /// Returns the weights of bones; `None` if `mask` is empty and `under` is null or unknown. Unknown names in `mask`
    /// are ignored.
    pub fn bone_mask(&self, skeleton: &Skeleton) -> Option<Mask> {
        let bone = self.under.as_deref().and_then(|name| skeleton.find(name));
        let mask = bone.map(|bone| Mask::feathered(skeleton, bone, self.feather as usize));
        if self.mask.is_empty() {
            return mask;
        }
        let mut own = Mask::whole(skeleton.len());
        for (index, bone) in skeleton.bones().iter().enumerate() {
            let above = skeleton.parent(index).map_or(1.0, |parent| own.weight(parent));
            own.set(index, self.mask.get(&bone.name).copied().unwrap_or(above));
        }
        let under = |bone| mask.as_ref().map_or(1.0, |mask| mask.weight(bone));
        Some(Mask::from_weights((0..skeleton.len()).map(|bone| own.weight(bone) * under(bone))))
    }

    /// The range and help of a bone's weight in the mask.
    pub const MASK: &Parameter = &Parameter {
        key: "mask",
        min: 0.0,
        max: 1.0,
        usual_max: 1.0,
        default: 1.0,
        unit: Unit::Share,
        help: "How strongly the layer affects the bone and its descendants, except those with a weight of their own.",
        too_little: "At 0 the layer has no effect on the bone.",
        too_much: "The body has a kink if the parent bone's weight is much lower.",
        sources: &[],
    };

    /// The range and help of a bone's scale.
    pub const SCALE: &Parameter = &Parameter {
        key: "scale",
        min: 0.01,
        max: 10.0,
        usual_max: 2.0,
        default: 1.0,
        unit: Unit::Share,
        help: "The scale of the bone in the clip's pose, equal along all three axes.",
        too_little: "The bone and everything below it almost shrink to a point.",
        too_much: "The bone and everything below it are out of proportion.",
        sources: &[],
    };

    /// Returns the range and help of the weight, which depend on the kind.
    pub const fn weight_parameter(&self) -> &'static Parameter {
        const BLEND: Parameter = Parameter {
            key: "weight",
            min: 0.0,
            max: 1.0,
            usual_max: 1.0,
            default: 1.0,
            unit: Unit::Share,
            help: "How strongly the layer is applied.",
            too_little: "At 0 the layer has no effect.",
            too_much: "At 1 the layer hides the pose that it is blended over, except in bones with a lower weight.",
            sources: &[],
        };
        const ADDITIVE: Parameter = Parameter {
            min: -2.0,
            max: 2.0,
            usual_max: 2.0,
            too_little: "At 0 the layer has no effect; below 0 it acts in the opposite direction.",
            too_much: "The motion is larger than in the clip.",
            ..BLEND
        };
        match self.kind {
            LayerKind::Blend => &BLEND,
            LayerKind::Additive => &ADDITIVE,
        }
    }

    /// Returns the weight for these inputs.
    pub fn weight_at(&self, inputs: &Inputs) -> f32 {
        self.weight_by.map_or(self.weight, |binding| binding.value(inputs))
    }

    /// Returns true if the layer's clip runs by itself: the layer is on, and has neither a time nor an input that
    /// drives the time.
    pub fn runs(&self) -> bool {
        !self.off && self.time.is_none() && self.time_by.is_none()
    }

    /// Returns the layer's weight, its clip and the time in the clip; `None` if the layer has no effect.
    fn shown<'c>(&self, clips: &'c [Clip], inputs: &Inputs) -> Option<(f32, &'c Clip, f32)> {
        let weight = self.weight_at(inputs);
        if self.off || weight == 0.0 {
            return None;
        }
        let clip = clips.iter().find(|clip| clip.name == self.clip)?;
        let time = match self.time_by {
            Some(binding) => binding.value(inputs),
            None => self.time.unwrap_or_else(|| clip.wrap(inputs.running)),
        };
        Some((weight, clip, time))
    }

    /// Applies the layer to the weights of the morph targets that its clip moves, by the indices of
    /// [`Model::morphs`](crate::rig::Model::morphs). `rest` has the weights of the file. The mask does not matter,
    /// since morph targets belong to no bone.
    pub fn apply_morphs(&self, clips: &[Clip], rest: &[Vec<f32>], inputs: &Inputs, weights: &mut [Vec<f32>]) {
        let Some((weight, clip, time)) = self.shown(clips, inputs).filter(|(_, clip, _)| !clip.morphs.is_empty())
        else {
            return;
        };
        let at = |time: Option<f32>| {
            let mut weights = rest.to_vec();
            if let Some(time) = time {
                clip.sample_morphs(time, &mut weights);
            }
            weights
        };
        let base = match self.base {
            Base::Time(time) => at(Some(time)),
            Base::Rest => at(None),
        };
        let above = at(Some(time));
        for track in &clip.morphs {
            let (Some(below), Some(above), Some(base)) =
                (weights.get_mut(track.morph), above.get(track.morph), base.get(track.morph))
            else {
                continue;
            };
            for ((below, above), base) in below.iter_mut().zip(above).zip(base) {
                *below += weight
                    * match self.kind {
                        LayerKind::Blend => above - *below,
                        LayerKind::Additive => above - base,
                    };
            }
        }
    }

    /// Applies the layer to `pose`. `rest` is the pose of bones without tracks, `formula` the formula of additive
    /// layers, `scratch` a buffer with any content.
    ///
    /// The pose is unchanged if the layer is off, has weight 0, or names an unknown clip. An unknown bone in `under`
    /// counts as null.
    pub fn apply(
        &self,
        (clips, skeleton, rest): (&[Clip], &Skeleton, &LocalPose),
        inputs: &Inputs,
        formula: Formula,
        scratch: &mut LocalPose,
        pose: &mut LocalPose,
    ) {
        let Some((weight, clip, time)) = self.shown(clips, inputs) else { return };
        let mask = self.bone_mask(skeleton);
        scratch.bones.clone_from(&rest.bones);
        clip.sample(time, scratch);
        for (bone, &scale) in &self.scale {
            let bone = skeleton.find(bone).and_then(|bone| scratch.bones.get_mut(bone));
            if let Some(bone) = bone {
                bone.scale = Vec3::splat(scale);
            }
        }
        match self.kind {
            LayerKind::Blend => blend(pose, scratch, weight, mask.as_ref()),
            LayerKind::Additive => {
                let mut base = rest.clone();
                if let Base::Time(time) = self.base {
                    clip.sample(time, &mut base);
                }
                Additive::between_by(formula, &base, scratch).apply(pose, weight, mask.as_ref());
            }
        }
    }
}
