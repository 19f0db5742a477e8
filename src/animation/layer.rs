//! Clips on top of the one that plays: part of a preset, and how they are laid on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Additive, Clip, Mask, blend};
use crate::error::{BadValue, Fault};
use crate::parameter::{Parameter, Parameters, Unit, settings};
use crate::rig::{LocalPose, Skeleton};

/// What a pose layer does with its clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayerKind {
    /// Goes towards the clip's pose.
    #[default]
    Blend,
    /// Lays on what the clip does since its first frame.
    Additive,
}

settings! {
    /// Another clip on top of the one that plays.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct PoseLayer {
        /// What it does with its clip.
        kind: LayerKind = LayerKind::Blend;
        /// A clip of the model; one that the model does not have does nothing.
        clip: String = String::new();
        /// Seconds into the clip; null lets it run, and loop.
        time: Option<f32> = None;
        /// How much of it is laid on: see [`Self::weight_parameter`].
        weight: f32 = 0.0;
        /// Only bones from this one down; null is the whole body.
        under: Option<String> = None;
        /// Over how many bones from there on the weight comes in.
        feather: u32 = 0, from 0 to 100 usually 10 in Count,
            too little: "What moves and what does not meet in a kink.",
            too much: "Little of the clip is left.";
        /// How much single bones take, and all below them that is not named itself: names and 0 to 1.
        mask: BTreeMap<String, f32> = BTreeMap::new();
        /// It does nothing.
        off: bool = false;
    }
}

impl PoseLayer {
    /// # Errors
    /// [`Fault`] for a number out of its range.
    pub fn validate(&self) -> Result<(), Fault> {
        self.check_numbers()?;
        self.weight_parameter().check(self.weight).map_err(|bad| bad.at("weight"))?;
        for (bone, &weight) in &self.mask {
            let checked = BadValue::check_range(weight, &(0.0..=1.0), Unit::Share);
            checked.map_err(|bad| bad.at(bone).within("mask"))?;
        }
        let time = self.time.map_or(Ok(()), |time| BadValue::check_range(time, &(0.0..=1e5), Unit::Seconds));
        time.map_err(|bad| bad.at("time"))
    }

    /// How much each bone takes of it; `None` if all take all. A bone that there is not changes nothing.
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

    /// What the weight of a bone in the mask may be.
    pub const MASK: &Parameter = &Parameter {
        key: "mask",
        min: 0.0,
        max: 1.0,
        usual_max: 1.0,
        default: 1.0,
        unit: Unit::Share,
        help: "How much the bone, and what is below it, takes of the layer.",
        too_little: "0 leaves it as it is.",
        too_much: "What the layer moves and what it does not meet in a kink.",
    };

    /// What its weight may be.
    pub const fn weight_parameter(&self) -> &'static Parameter {
        const BLEND: Parameter = Parameter {
            key: "weight",
            min: 0.0,
            max: 1.0,
            usual_max: 1.0,
            default: 1.0,
            unit: Unit::Share,
            help: "How much of it is laid on.",
            too_little: "0 leaves the pose as it is.",
            too_much: "Nothing of the pose below is left.",
        };
        const ADDITIVE: Parameter = Parameter {
            min: -2.0,
            max: 2.0,
            usual_max: 2.0,
            too_little: "0 leaves the pose as it is; below 0 it goes the other way.",
            too_much: "More is laid on than the clip has.",
            ..BLEND
        };
        match self.kind {
            LayerKind::Blend => &BLEND,
            LayerKind::Additive => &ADDITIVE,
        }
    }

    /// Lays it on `pose`. `rest` is the pose that clips keep where they move nothing; `running` the seconds that layers
    /// which run have run. `scratch` is room to work in: its content does not matter. A layer that is off or has no
    /// weight leaves the pose as it is, as does one whose clip there is not; a bone that there is not is the whole body.
    pub fn apply(
        &self,
        clips: &[Clip],
        skeleton: &Skeleton,
        rest: &LocalPose,
        running: f32,
        scratch: &mut LocalPose,
        pose: &mut LocalPose,
    ) {
        if self.off || self.weight == 0.0 {
            return;
        }
        let Some(clip) = clips.iter().find(|clip| clip.name == self.clip) else { return };
        let time = self.time.unwrap_or_else(|| clip.wrap(running));
        let mask = self.bone_mask(skeleton);
        match self.kind {
            LayerKind::Blend => {
                scratch.bones.clone_from(&rest.bones);
                clip.sample(time, scratch);
                blend(pose, scratch, self.weight, mask.as_ref());
            }
            LayerKind::Additive => {
                let difference = Additive::from_clip(clip, time, 0.0, rest);
                difference.apply(pose, self.weight, mask.as_ref());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::animation::{Interpolation, Track, TrackValues};
    use crate::rig::{Bone, LocalTransform};

    /// One bone that goes from x = 1 to x = 3 in a second.
    fn clips() -> Vec<Clip> {
        let values = TrackValues::Translation(vec![Vec3::X, Vec3::X * 3.0]);
        let track = Track { bone: 0, interpolation: Interpolation::Linear, times: vec![0.0, 1.0], values };
        vec![Clip { name: "go".to_owned(), duration: 1.0, tracks: vec![track], ..Clip::default() }]
    }

    fn laid_on(layer: &PoseLayer, running: f32) -> f32 {
        let bone = Bone { name: "bone".to_owned(), parent: None, rest: LocalTransform::IDENTITY };
        let skeleton = Skeleton::new(vec![bone]).unwrap();
        let (rest, mut pose) = (skeleton.rest_pose(), skeleton.rest_pose());
        layer.apply(&clips(), &skeleton, &rest, running, &mut LocalPose::default(), &mut pose);
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
}
