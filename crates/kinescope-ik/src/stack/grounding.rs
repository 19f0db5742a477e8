//! Section `grounding` of a preset: the settings of grounding, footprints and the foot lock.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::{Fault, Problem};
use crate::ground::Layers;
use crate::grounding::{
    DriveWeights, FootIkSettings, LimbSettings, PredictiveSettings, Quality, SpeedSettings, WeightCurve, WeightSource,
};
use crate::parameter::{Parameters, settings};

/// Which grounder runs, if any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// No grounder: grounding, footprints and the foot lock are off.
    #[default]
    Off,
    /// [`foot_ik`](crate::grounding::foot_ik): one ray for each foot; the weight of a foot comes from a curve or
    /// from the foot's speed.
    FootIk,
    /// [`predictive`](crate::grounding::predictive): looks ahead by the feet's velocity.
    Predictive,
    /// The predictive grounder, with steps shifted to even ground where the path is known:
    /// [`footprint`](crate::grounding::footprint).
    Path,
}

/// What the goals of grounding drive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drive {
    /// Effectors of the full body.
    #[default]
    FullBody,
    /// Legs and arms, each solved alone by the solver of [`LimbSettings`] instead of the full body. In a frame without
    /// goals the full body is solved.
    Limbs,
}

/// The largest number of [`GroundingSection::rules`].
pub const MOST_RULES: usize = 32;

settings! {
    /// Settings of grounding for a clip, from a speed on. The first rule whose clip and speed fit applies.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct GroundingRule {
        /// Name of the clip; null is any.
        clip: Option<String> = None;
        /// Only for clips that walk at least this fast.
        from_speed: f32 = 0.0, from 0 to 20 usually 8 in MetresPerSecond,
            too little: "The rule also applies to clips that stand.",
            too much: "No clip is fast enough for the rule.";
        /// The grounder, any but `off`; null keeps the section's grounder.
        method: Option<Method> = None;
        /// Quality of the predictive grounder; null keeps the section's quality.
        quality: Option<Quality> = None;
        /// How strongly grounding changes the bones.
        weight: f32 = 1.0, from 0 to 1 in Share,
            too little: "0 leaves the animated feet unchanged.",
            too much: "Feet and pelvis follow the ground by their own weights.";
    }
}

/// The result of the rules in a frame. The default is the result without rules.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GroundingNow {
    /// Replaces the section's method; `None` keeps it.
    pub method: Option<Method>,
    /// Replaces the section's quality of the predictive grounder; `None` keeps it.
    pub quality: Option<Quality>,
    /// How strongly grounding changes the bones, 0 to 1.
    pub weight: f32,
}

impl Default for GroundingNow {
    fn default() -> Self {
        Self { method: None, quality: None, weight: 1.0 }
    }
}

macro_rules! section {
    ($(
        $name:ident $number:tt $module:ident $texts:tt solver $run:tt
            grounding [$($help:literal $field:ident: $settings:ty)?]
            stack $stack:tt
            remembers $memory:tt;
    )+) => {
        settings! {
            /// Section `grounding` of a preset.
            #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
            #[serde(default, deny_unknown_fields)]
            pub struct GroundingSection {
                /// The grounder.
                method: Method = Method::Off,
                    source: Prediction "EnableIK";
                /// What grounding drives: the full body, or four limbs.
                drive: Drive = Drive::FullBody;
                /// How driven limbs are solved.
                limbs: LimbSettings = LimbSettings::default();
                /// The ground layers that the left and the right foot may stand on, one bit for each layer.
                environment: [Layers; 2] = [Layers::ALL; 2],
                    source: FootIk "environmentLayer",
                    source: Prediction "layerMask";
                /// Whether up is the root's +Y instead of the world's, for characters that lean on slopes.
                rotate_solver: bool = true;
                /// Duration of the blend to another method.
                blend: f32 = 0.2, from 0 to 5 usually 1 in Seconds,
                    too little: "Feet jump where a rule changes the method.",
                    too much: "The feet follow the new method late.";
                /// Casts of the grounder per second; 0 casts in every frame. Between casts it keeps the hits of the last ones.
                /// Footprints cast in every frame.
                cast_rate: f32 = 0.0, from 0 to 1000 usually 60 in PerSecond,
                    too little: "Feet notice steps late: they sink in and hover; 0 casts in every frame.",
                    too much: "The grounder casts in every frame.";
                /// Where the weight of each foot comes from: a curve of the clip, or the foot's speed.
                weight_source: WeightSource = WeightSource::Curve;
                /// How the speed of a foot bone becomes its weight.
                speed: SpeedSettings = SpeedSettings::default();
                /// Exceptions by clip and speed; the first rule that fits applies. Rules have no effect at the method `off`.
                rules: Vec<GroundingRule> = Vec::new();
                /// Settings of the method `foot_ik`.
                foot_ik: FootIkSettings = FootIkSettings::default();
                /// Settings of the methods `predictive` and `path`.
                predictive: PredictiveSettings = PredictiveSettings::default();
                $($(
                    #[doc = $help]
                    $field: $settings = <$settings>::default();
                )?)+
                /// How strongly the driven solver follows the goals.
                weights: DriveWeights = DriveWeights::default();
                /// Edited weight curves of the left and the right foot, by the name of the clip. Kinescope derives those of other clips.
                curves: BTreeMap<String, [WeightCurve; 2]> = BTreeMap::new(),
                    source: FootIk "leftFootAnimCurveName",
                    source: FootIk "rightFootAnimCurveName";
            }
        }

        impl GroundingSection {
            fn sections(&self) -> impl Iterator<Item = (&'static str, &dyn Parameters)> {
                let sections: [(&str, &dyn Parameters); _] = [
                    ("speed", &self.speed),
                    ("limbs", &self.limbs),
                    ("foot_ik", &self.foot_ik),
                    ("predictive", &self.predictive),
                    $($((stringify!($field), &self.$field),)?)+
                    ("weights", &self.weights),
                ];
                sections.into_iter()
            }
        }
    };
}

layer_table!(section);

impl GroundingSection {
    /// Checks the rules, and all numbers except those of `curves`.
    ///
    /// # Errors
    /// [`Fault`] for a number out of its range, more than [`MOST_RULES`] rules, or a rule whose method is off.
    pub fn validate(&self) -> Result<(), Fault> {
        self.check_numbers().map_err(|fault| fault.within("grounding"))?;
        let found = self.rules.len();
        if found > MOST_RULES {
            let problem = Problem::TooMany { what: "rules", found, most: MOST_RULES };
            return Err(Fault::new("grounding.rules", problem));
        }
        for (index, rule) in self.rules.iter().enumerate() {
            let place = || format!("rules[{index}]");
            rule.check_numbers().map_err(|fault| fault.within(place()).within("grounding"))?;
            if rule.method == Some(Method::Off) {
                let fault = Fault::new("method", "cannot be off; set the weight to 0 to leave the clip unchanged");
                return Err(fault.within(place()).within("grounding"));
            }
        }
        self.sections().try_for_each(|(name, settings)| {
            settings.check_numbers().map_err(|fault| fault.within(name).within("grounding"))
        })
    }

    /// Returns the result of the rules for a mix of clips, each with its name, its speed in metres per second and its share.
    /// The weight is the mean over the clips by their shares, with 1 for clips without a rule; method and quality are
    /// from the rule of the clip with the largest share.
    pub fn now<'a>(&self, shown: impl IntoIterator<Item = (&'a str, f32, f32)>) -> GroundingNow {
        let (mut weight, mut total, mut most) = (0.0, 0.0, (0.0, None));
        for (clip, speed, share) in shown {
            let fits = |rule: &&GroundingRule| {
                rule.clip.as_ref().is_none_or(|name| name == clip) && speed.abs() >= rule.from_speed
            };
            let rule = self.rules.iter().find(fits);
            weight += share * rule.map_or(1.0, |rule| rule.weight);
            total += share;
            if share > most.0 {
                most = (share, rule);
            }
        }
        let weight = if total > 0.0 { (weight / total).clamp(0.0, 1.0) } else { 1.0 };
        let (method, quality) = most.1.map_or((None, None), |rule| (rule.method, rule.quality));
        GroundingNow { method, quality, weight }
    }

    /// Returns the ground layers that both feet may stand on.
    pub fn layers(&self) -> Layers {
        self.environment[0].and(self.environment[1])
    }

    /// Returns a warning if a foot has no ground layer, so that all its casts miss. `None` if both feet have one, or
    /// at the method `off`.
    pub fn warning(&self) -> Option<String> {
        let feet = match self.environment.map(|layers| layers == Layers::NONE) {
            [true, true] => "both feet",
            [true, false] => "the left foot",
            [false, true] => "the right foot",
            [false, false] => return None,
        };
        let warning = || format!("no ground layer is chosen for {feet}, so casts find no ground; choose a layer");
        (self.method != Method::Off).then(warning)
    }

    /// Returns whether the section or one of its rules has the given method.
    pub fn may_be(&self, method: Method) -> bool {
        self.method == method || self.rules.iter().any(|rule| rule.method == Some(method))
    }
}
