//! Clips that are blended and laid on each other.

use super::Scene;
use super::ground::walk_over;
use kinescope_ik::animation::{LayerKind, PoseLayer};
use kinescope_ik::terrain::Terrain;

pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "idle, walk, run",
        purpose: "One slider for the pace: the clip that walks most nearly so fast fades in, in step.",
        hint: "Drag pace in Motion to and fro while a fade is under way: nothing jumps.",
        setup: |document, stand| {
            walk_over(document, stand, Terrain::flat());
            document.motion.gaits = ["idle", "walk", "run"].into_iter().filter_map(|word| stand.clip(word)).collect();
            document.motion.pace = 1.4;
            document.motion.fade = 0.4;
        },
        script: None,
    },
    Scene {
        name: "additive lean",
        purpose: "A lean, taken as what a clip does since its first frame, laid on a walk.",
        hint: "Drag its weight in Motion from 2 to −2. Let it run. Put it under the spine alone.",
        setup: |document, stand| {
            document.clip.name = stand.clip("walk");
            let clip = stand.clip("lean").unwrap_or_default();
            let lean =
                PoseLayer { kind: LayerKind::Additive, clip, time: Some(0.5), weight: 1.0, ..PoseLayer::default() };
            document.motion.layers = vec![lean];
        },
        script: None,
    },
    Scene {
        name: "masked upper body",
        purpose: "Another clip from the spine upwards: the legs walk on.",
        hint: "Change the bone that it begins at, its weight, and over how many bones it comes in.",
        setup: |document, stand| {
            document.clip.name = stand.clip("walk");
            let clip = stand.clip("reach").unwrap_or_default();
            let under = stand.spine.first().cloned();
            document.motion.layers = vec![PoseLayer { clip, weight: 1.0, under, feather: 2, ..PoseLayer::default() }];
        },
        script: None,
    },
];
