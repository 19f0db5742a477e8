//! Scenes of blended and layered clips.

use super::Scene;
use super::ground::walk_over;
use kinescope_ik::animation::{LayerKind, PoseLayer};
use kinescope_ik::terrain::Terrain;

pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "idle, walk, run",
        purpose: "One slider sets the pace: the clip with the nearest speed fades in, in step.",
        hint: "Drag pace in Motion to and fro during a fade: nothing jumps.",
        setup: |document, rest| {
            walk_over(document, rest, Terrain::flat());
            document.motion.gaits = ["idle", "walk", "run"].into_iter().filter_map(|word| rest.clip(word)).collect();
            document.motion.pace = 1.4;
            document.motion.fade = 0.4;
        },
        script: None,
    },
    Scene {
        name: "additive lean",
        purpose: "A leaning clip, relative to its first frame, is added to a walk.",
        hint: "Drag the layer's weight in Motion from 2 to −2. Turn on runs. Limit the layer to the spine.",
        setup: |document, rest| {
            document.clip.name = rest.clip("walk");
            let clip = rest.clip("lean").unwrap_or_default();
            let lean =
                PoseLayer { kind: LayerKind::Additive, clip, time: Some(0.5), weight: 1.0, ..PoseLayer::default() };
            document.motion.layers = vec![lean];
        },
        script: None,
    },
    Scene {
        name: "masked upper body",
        purpose: "The upper body plays another clip while the legs keep walking.",
        hint: "In Motion change the layer's weight, its first bone, and feather.",
        setup: |document, rest| {
            document.clip.name = rest.clip("walk");
            let clip = rest.clip("reach").unwrap_or_default();
            let under = rest.spine.first().cloned();
            document.motion.layers = vec![PoseLayer { clip, weight: 1.0, under, feather: 2, ..PoseLayer::default() }];
        },
        script: None,
    },
];
