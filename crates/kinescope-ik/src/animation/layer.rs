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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::animation::{Interpolation, Track, TrackValues};
    use crate::rig::{Bone, LocalTransform, MorphTrack};

    /// Returns one clip, which moves a bone from x = 1 to x = 3 in a second.
    fn clips() -> Vec<Clip> {
        let values = TrackValues::Translation(vec![Vec3::X, Vec3::X * 3.0]);
        let track = Track { bone: 0, interpolation: Interpolation::Linear, times: vec![0.0, 1.0], values };
        vec![Clip { name: "go".to_owned(), duration: 1.0, tracks: vec![track], ..Clip::default() }]
    }

    fn laid_on(layer: &PoseLayer, running: f32) -> f32 {
        laid_on_by(layer, &Inputs { running, ..Inputs::default() })
    }

    fn laid_on_by(layer: &PoseLayer, inputs: &Inputs) -> f32 {
        let bone = Bone { name: "bone".to_owned(), parent: None, rest: LocalTransform::IDENTITY };
        let skeleton = Skeleton::new(vec![bone]).unwrap();
        let (rest, mut pose) = (skeleton.rest_pose(), skeleton.rest_pose());
        let character = (&clips()[..], &skeleton, &rest);
        layer.apply(character, inputs, Formula::default(), &mut LocalPose::default(), &mut pose);
        pose.bones[0].translation.x
    }

    #[test]
    fn a_layer_blends_or_adds_at_its_own_time() {
        let blend = PoseLayer { clip: "go".to_owned(), time: Some(0.5), weight: 0.5, ..PoseLayer::default() };
        assert_eq!(laid_on(&blend, 9.0), 1.0);
        let runs = PoseLayer { time: None, ..blend.clone() };
        assert_eq!(laid_on(&runs, 3.25), 0.75);
        let adds = PoseLayer { kind: LayerKind::Additive, weight: 2.0, ..blend.clone() };
        assert_eq!(laid_on(&adds, 0.0), 2.0);
        let under = PoseLayer { under: Some("bone".to_owned()), ..blend.clone() };
        assert_eq!(laid_on(&under, 0.0), 1.0);
        let nothing = [
            PoseLayer { off: true, ..blend.clone() },
            PoseLayer { weight: 0.0, ..blend.clone() },
            PoseLayer { clip: "swim".to_owned(), ..blend.clone() },
        ];
        assert_eq!(nothing.map(|layer| laid_on(&layer, 0.5)), [0.0; 3]);
        assert_eq!(adds.validate(), Ok(()));
        let masked = |name: &str, weight: f32| PoseLayer { mask: [(name.to_owned(), weight)].into(), ..blend.clone() };
        assert_eq!(
            [("bone", 0.5), ("tail", 0.0)].map(|(name, weight)| laid_on(&masked(name, weight), 9.0)),
            [0.5, 1.0]
        );
        assert!(masked("bone", 2.0).validate().is_err());
        assert!(PoseLayer { weight: 2.0, ..blend }.validate().is_err());
    }

    /// At 0.5 s the clip is at x = 2, at 0.25 s at 1.5, in its first frame at 1; the rest pose is at 0.
    #[test]
    fn the_base_of_an_additive_layer_is_a_time_or_the_rest_pose() {
        let adds = |base: Base| {
            let (kind, clip, time) = (LayerKind::Additive, "go".to_owned(), Some(0.5));
            PoseLayer { kind, clip, time, weight: 1.0, base, ..PoseLayer::default() }
        };
        for (base, x) in [(Base::default(), 1.0), (Base::Time(0.25), 0.5), (Base::Time(1.0), -1.0), (Base::Rest, 2.0)] {
            assert_eq!(laid_on(&adds(base), 0.0), x, "{base:?}");
        }
        let read = |text: &str| serde_json::from_str::<PoseLayer>(text).unwrap().base;
        assert_eq!(
            ["{}", r#"{"base": "rest"}"#, r#"{"base": {"time": 0.5}}"#].map(read),
            [Base::Time(0.0), Base::Rest, Base::Time(0.5)]
        );
        let fault = adds(Base::Time(-1.0)).validate().unwrap_err().to_string();
        assert!(fault.contains("base.time"), "{fault}");
    }

    /// The clip moves the first of two morphs, from 0.2 to 0.6 in a second. The file's weight is 0.1.
    #[test]
    fn layers_change_the_morph_targets_of_their_clip() {
        let mut clips = clips();
        let (times, values) = (vec![0.0, 1.0], vec![0.2, 0.6]);
        clips[0].morphs = vec![MorphTrack { morph: 0, interpolation: Interpolation::Linear, times, values }];
        let rest = vec![vec![0.1], vec![0.1]];
        let laid_on = |layer: &PoseLayer| {
            let mut weights = vec![vec![0.5], vec![0.7]];
            layer.apply_morphs(&clips, &rest, &Inputs { running: 0.5, ..Inputs::default() }, &mut weights);
            assert_eq!(weights[1], [0.7], "no track moves it");
            weights[0][0]
        };
        let blend = PoseLayer { clip: "go".to_owned(), weight: 0.5, ..PoseLayer::default() };
        let adds = PoseLayer { kind: LayerKind::Additive, ..blend.clone() };
        for (layer, expected) in [
            (blend.clone(), 0.45),
            (PoseLayer { time: Some(1.0), weight: 1.0, ..blend.clone() }, 0.6),
            (PoseLayer { off: true, ..blend.clone() }, 0.5),
            (PoseLayer { clip: "swim".to_owned(), ..blend }, 0.5),
            (PoseLayer { base: Base::Time(0.0), ..adds.clone() }, 0.6),
            (PoseLayer { base: Base::Rest, weight: -1.0, ..adds }, 0.2),
        ] {
            let found = laid_on(&layer);
            assert!((found - expected).abs() < 1e-6, "{found} instead of {expected}: {layer:?}");
        }
        // A character with fewer morphs than the clip.
        let mut none = Vec::new();
        PoseLayer { clip: "go".to_owned(), weight: 1.0, ..PoseLayer::default() }.apply_morphs(
            &clips,
            &[],
            &Inputs::default(),
            &mut none,
        );
        assert!(none.is_empty());
    }

    #[test]
    fn a_layer_scales_the_bones_that_it_names() {
        let bone = Bone { name: "bone".to_owned(), parent: None, rest: LocalTransform::IDENTITY };
        let skeleton = Skeleton::new(vec![bone]).unwrap();
        let rest = skeleton.rest_pose();
        let scaled = |kind, by: f32, before: f32, subtract_scale| {
            let scale = [("bone".to_owned(), by), ("tail".to_owned(), 3.0)].into();
            let layer = PoseLayer { kind, clip: "go".to_owned(), weight: 1.0, scale, ..PoseLayer::default() };
            assert_eq!(layer.validate(), Ok(()));
            let mut pose = skeleton.rest_pose();
            pose.bones[0].scale = Vec3::splat(before);
            let formula = Formula { subtract_scale, ..Formula::default() };
            let character = (&clips()[..], &skeleton, &rest);
            layer.apply(character, &Inputs::default(), formula, &mut LocalPose::default(), &mut pose);
            pose.bones[0].scale
        };
        assert_eq!(scaled(LayerKind::Blend, 0.4, 1.0, false), Vec3::splat(0.4));
        assert_eq!(scaled(LayerKind::Additive, 0.5, 0.4, false), Vec3::splat(0.2));
        assert!((scaled(LayerKind::Additive, 0.5, 0.4, true) - Vec3::splat(-0.1)).length() < 1e-6);
        let broken = PoseLayer { scale: [("bone".to_owned(), 0.0)].into(), ..PoseLayer::default() };
        assert!(broken.validate().unwrap_err().to_string().contains("scale.bone"));
    }

    #[test]
    fn weight_and_time_follow_pace_and_keys() {
        let layer = PoseLayer {
            kind: LayerKind::Additive,
            clip: "go".to_owned(),
            time: Some(1.0),
            weight_by: Some(Binding::of(LayerInput::Keys, -1.0, 1.0)),
            ..PoseLayer::default()
        };
        let keys = |keys: f32| laid_on_by(&layer, &Inputs { keys, ..Inputs::default() });
        assert_eq!([-1.0, -0.5, 0.0, 0.5, 1.0, 7.0].map(keys), [-2.0, -1.0, 0.0, 1.0, 2.0, 2.0]);
        assert_eq!(keys(f32::NAN), -2.0);
        let time_by = Some(Binding { input: LayerInput::Pace, from: 1.0, to: 3.0, low: 0.0, high: 1.0 });
        let by_pace = PoseLayer { time_by, weight: 1.0, weight_by: None, time: None, ..layer.clone() };
        let pace = |pace: f32| laid_on_by(&by_pace, &Inputs { pace, running: 0.7, ..Inputs::default() });
        assert_eq!([0.0, 1.0, 2.0, 3.0, 9.0].map(pace), [0.0, 0.0, 1.0, 2.0, 2.0]);
        assert!(!by_pace.runs() && PoseLayer { time_by: None, ..by_pace.clone() }.runs());
        let steps = Binding { from: 1.0, to: 1.0, ..Binding::default() };
        assert_eq!([0.9, 1.0].map(|pace| steps.value(&Inputs { pace, ..Inputs::default() })), [0.0, 1.0]);
        assert_eq!((layer.validate(), by_pace.validate()), (Ok(()), Ok(())));
        let wrong = Binding { high: 3.0, ..Binding::default() };
        let fault = PoseLayer { weight_by: Some(wrong), ..layer }.validate().unwrap_err().to_string();
        assert!(fault.contains("weight_by.high"), "{fault}");
    }
}
