use super::Scene;
use super::ground::walk_over;
use crate::character::BuiltIn;
use crate::character::motion_file::MotionReference;
use kinescope_ik::animation::{LayerKind, PoseLayer};
use kinescope_ik::terrain::Terrain;

pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "idle, walk, run",
        purpose: "The clip whose speed is nearest to the pace fades in. Between walk and run the phase stays the same.",
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
        hint: "Drag the layer's weight in Motion from 2 to −2. Turn on «Runs». Limit the layer to the spine.",
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
    Scene {
        name: "VR trackers",
        purpose: "A taller user wears six trackers and walks as the clip does; nothing is calibrated yet.",
        hint: "Open Trackers and calibrate: the thin skeleton is the clip. Then measure errors, and try 3 and 11 points.",
        setup: |document, rest| {
            document.clip.name = rest.clip("walk");
            let trackers = &mut document.stack.order.trackers;
            (trackers.on, trackers.height, trackers.slouch) = (true, 1.12, 3.0);
        },
        script: None,
    },
    Scene {
        name: "retargeting",
        purpose: "The walk of a character with other proportions moves this one. The source's skeleton stands next to it.",
        hint: "Set feet to 0: the feet leave the source's steps. Pause, and step through align rest, turn bones and move pelvis.",
        setup: |document, rest| {
            // The built-in character that differs from the one shown.
            let source = if rest.has_hocks { BuiltIn::Mannequin } else { BuiltIn::Faun };
            document.motion_file = MotionReference::to_built_in(source);
            document.clip.name = Some(document.motion_file.clip("walk"));
            let retarget = &mut document.stack.order.retarget;
            (retarget.on, retarget.feet) = (true, 1.0);
        },
        script: None,
    },
];
