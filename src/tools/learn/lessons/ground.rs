//! Lessons on feet on the ground, and on clips.

use kinescope_ik::animation::PoseLayer;
use kinescope_ik::full_body::{Node, Stage};
use kinescope_ik::grounding::LockSettings;
use kinescope_ik::parameter::{Field, find_field};
use kinescope_ik::stack::LayerId;

use super::NEXT;
use crate::session::commands::Command;
use crate::session::{Pane, Selection};
use crate::tools::ground::words as ground_pane;
use crate::tools::learn::condition::Comparison::{Above, Below};
use crate::tools::learn::condition::Condition::{All, At, Chosen, Focus, LayerWeight, Measure, Parameter};
use crate::tools::learn::condition::{Choice, Place, When};
use crate::tools::learn::control::{Control, SettingControl};
use crate::tools::learn::reference::ReferenceAction;
use crate::tools::learn::words as text;
use crate::tools::learn::{Lesson, Step};
use crate::world::document::Document;
use crate::world::motion::MotionSection;

const GROUND: LayerId = LayerId::Grounding;

const fn ground(key: &'static str) -> Place {
    Place::of(GROUND, key, None)
}

pub(super) const FOOT_IK: Lesson = Lesson {
    key: "foot_ik",
    title: "Foot IK by ray and curve",
    about: "A ray finds the ground under each foot, a curve defines when the foot stands.",
    scene: "ray and curve",
    page: "algorithm/foot-ik.md",
    steps: &[
        Step::new(
            "The clip was made for flat ground, but here the left foot is over a step. At each foot the grounder \
             casts a [ray] down from a fixed height above the root, and the ray hits the ground.",
        )
        .at(ground("cast")),
        Step::new(
            "The grounder adds the height of the ground to the foot's animated height. The pelvis follows the lower \
             foot; otherwise that foot could not reach the ground.",
        )
        .at(ground("cast"))
        .formula_after_task()
        .highlights(&[NEXT]).task(
            "Go to the stage pelvis.",
            "Press . until the caption says pelvis.",
            At(ground("pelvis")),
            &[ReferenceAction::Seek(ground("pelvis"))],
        ),
        Step::new(
            "[Grounding] moves no bone. It gives the full body targets for the feet and an offset for the pelvis, and \
             the full body bends the knees.",
        )
        .at(ground("pelvis"))
        .marks(&[Node::LeftFoot, Node::RightFoot])
        .highlights(&[Control::Layer(LayerId::FullBody), NEXT]).task(
            "Show the stage end effectors of the full body, in which the feet go to these targets.",
            "Click full body under solve order in the outliner. Then press Home and . once.",
            At(Place::stage(Stage::EndEffectors, 0)),
            &[ReferenceAction::Seek(Place::stage(Stage::EndEffectors, 0))],
        ),
        Step::new(
            "Feet and pelvis follow their goals with a lag: in 1/60 s they cover a fixed share of the remaining distance. The \
             lag is computed for the actual frame time, so feet move alike at every frame rate.",
        )
        .live()
        .controls(&["grounding.foot_ik.feet_to_ik_position_speed", "grounding.foot_ik.pelvis_up_and_down_speed"])
        .task(
            "Let the feet follow the ground at once.",
            "Drag the first slider to 1.",
            Parameter("grounding.foot_ik.feet_to_ik_position_speed", Above(0.95)),
            &[ReferenceAction::Set("grounding.foot_ik.feet_to_ik_position_speed", 1.0)],
        ),
        Step::new(
            "A walking foot must leave the ground. A weight curve over the clip defines when a foot is planted: 1 on \
             the ground, 0 in the air. Kinescope derives the curves from the clip, or you draw them.",
        )
        .scene("ray and curve")
        .live()
        .highlights(&[Control::Clips]).task(
            "Play a clip that walks.",
            "Choose walk under clip in the outliner.",
            Chosen(Choice::Clip("walk")),
            &[ReferenceAction::Clip("walk")],
        ),
    ],
};

pub(super) const PREDICTION: Lesson = Lesson {
    key: "prediction",
    title: "Prediction",
    about: "The velocity of a foot predicts where the foot will be.",
    scene: "stairs",
    page: "algorithm/foot-ik.md",
    steps: &[
        Step::new(
            "A ray under the foot finds a step only when the foot is over it: too late. The predictive grounder also \
             casts where the foot will be, by the foot's velocity.",
        )
        .live(),
        Step::new(
            "First the grounder smooths the velocity of the foot. From the velocity's part orthogonal to up, it \
             predicts a point ahead.",
        )
        .live()
        .formula()
        .highlights(&[Control::Button(Command::FirstStep), NEXT])
        .task(
            "Pause, and show the stage predict.",
            "Press Home for the first step of the layer grounding. Then press . until the caption says predict.",
            At(ground("predict")),
            &[ReferenceAction::Seek(ground("predict"))],
        ),
        Step::new(
            "Prediction is the time that the grounder looks ahead. With too little, feet rise late; with too \
             much, too early.",
        )
        .live()
        .controls(&["grounding.predictive.prediction"])
        .task(
            "Let the grounder look 0.15 s ahead or more.",
            "Drag the slider and watch the casts while the character walks.",
            Parameter("grounding.predictive.prediction", Above(0.149)),
            &[ReferenceAction::Set("grounding.predictive.prediction", 0.2)],
        ),
        Step::new("The foot turns toward the plane of the ground with a lag, by at most the max foot rotation angle.")
            .scene("slope")
            .live()
            .controls(&["grounding.predictive.max_foot_rotation_angle", "grounding.predictive.foot_rotation_speed"])
            .task(
                "Keep the feet level on the slope.",
                "Set max foot rotation angle to 0.",
                Parameter("grounding.predictive.max_foot_rotation_angle", Below(0.5)),
                &[ReferenceAction::Set("grounding.predictive.max_foot_rotation_angle", 0.0)],
            ),
        Step::new(
            "The pelvis goes down with the lower foot. Foot and pelvis go no further than max step, so that a foot \
             over a hole does not drag the body down.",
        )
        .scene("two heights")
        .live()
        .controls(&["grounding.predictive.max_step", "grounding.predictive.lower_pelvis_weight"])
        .task(
            "Let the pelvis sink by less than 6 cm.",
            "Lower max step to 0.05 m and wait a moment.",
            Measure(GROUND, "pelvis_offset", When::Settled, Above(-0.06)),
            &[ReferenceAction::Set("grounding.predictive.max_step", 0.05), ReferenceAction::Wait(1.0)],
        ),
    ],
};

const HOLD: Control = Control::Setting(SettingControl {
    pane: Pane::Inspector,
    selection: Some(Selection::Layer(LayerId::FootLock)),
    field: find_field(LockSettings::FIELDS, "on"),
    name: ground_pane::PLANTED_FEET,
});

const HOLD_LEFT: Place = Place::of(LayerId::FootLock, "hold_left", None);

fn lock_off(document: &mut Document) {
    document.stack.grounding.lock.on = false;
}

pub(super) const LOCK: Lesson = Lesson {
    key: "lock",
    title: "Foot lock",
    about: "Planted feet stay where they have landed.",
    scene: "feet that stay",
    page: "algorithm/foot-ik.md",
    steps: &[
        Step::new(
            "A character rarely moves exactly as fast as its clip steps, so planted feet slide. The [foot lock] \
             cancels the sliding of the point of the sole that moves least. The foot may still roll and turn.",
        )
        .live(),
        Step::new("The lock is a layer of its own, after grounding and before the full body.")
            .live()
            .highlights(&[Control::Layer(LayerId::FootLock)])
            .task(
                "Show the steps of the foot lock.",
                "Click foot lock under solve order in the outliner.",
                Focus(LayerId::FootLock),
                &[ReferenceAction::Select(Selection::Layer(LayerId::FootLock))],
            ),
        Step::new(
            "Hold is the foot's offset from the grounder's goal. The offset grows while the foot stands, and eases \
             back to 0 once the lock lets go.",
        )
        .scene("feet that stay")
        .live()
        .highlights(&[
            Control::Layer(LayerId::FootLock),
            Control::Button(Command::PlayPause),
            Control::Button(Command::FirstStep),
        ])
        .task(
            "Pause while the left foot is held by more than 1 mm, and show the step hold left.",
            "Select foot lock, and press Space as the left foot stands. Then press Home, for the first step.",
            All(&[At(HOLD_LEFT), Measure(LayerId::FootLock, "left_foot_held", When::Cursor, Above(0.001))]),
            &[ReferenceAction::Wait(0.05), ReferenceAction::Seek(HOLD_LEFT)],
        ),
        Step::new(
            "Beyond a distance, an angle or a time, the lock lets go of the foot until the foot lands again. A time of 0 \
             sets no limit.",
        )
        .live()
        .controls(&["grounding.lock.distance", "grounding.lock.angle", "grounding.lock.time"])
        .task(
            "Let the lock let go early, at 2 cm or less.",
            "Lower distance.",
            Parameter("grounding.lock.distance", Below(0.021)),
            &[ReferenceAction::Set("grounding.lock.distance", 0.01)],
        ),
        Step::new(
            "Without the lock, planted feet slide. Select grounding: the inspector lists the sliding of each \
             stance.",
        )
        .scene("feet that stay")
        .live()
        .highlights(&[HOLD])
        .task(
            "Turn the foot lock off.",
            "Click foot lock under solve order in the outliner, and turn planted feet off in the inspector, under \
             foot lock.",
            Chosen(Choice::FootLock(false)),
            &[ReferenceAction::Edit(lock_off)],
        ),
        Step::new(
            "On a known path, Kinescope can plan the steps: the layer footprints moves each landing to even ground, \
             so that no foot stands on an edge.",
        )
        .scene("feet that stay")
        .live()
        .highlights(&[Control::Layer(LayerId::Footprints), Control::Button(Command::FirstStep)])
        .task(
            "Pause at the step that plans the left foot's landing.",
            "Click footprints under solve order in the outliner, press Home, and look at the footprints ahead.",
            At(Place::of(LayerId::Footprints, "footprint_left", None)),
            &[ReferenceAction::Seek(Place::of(LayerId::Footprints, "footprint_left", None))],
        ),
    ],
};

const fn in_motion(field: &'static Field, name: &'static str) -> Control {
    Control::Setting(SettingControl { pane: Pane::Motion, selection: None, field, name })
}

const PACE: Control = in_motion(find_field(MotionSection::FIELDS, "pace"), text::PACE);
const LAYER_WEIGHT: Control = in_motion(find_field(PoseLayer::FIELDS, "weight"), text::LAYER_WEIGHT);
const LAYER_SWITCH: Control = in_motion(find_field(PoseLayer::FIELDS, "off"), text::LAYER_SWITCH);

fn run_pace(document: &mut Document) {
    document.motion.pace = 4.0;
}

fn lean_back(document: &mut Document) {
    if let Some(layer) = document.motion.layers.first_mut() {
        layer.weight = -1.0;
    }
}

fn layer_off(document: &mut Document) {
    if let Some(layer) = document.motion.layers.first_mut() {
        layer.off = true;
    }
}

pub(super) const BLENDING: Lesson = Lesson {
    key: "blending",
    title: "Blending and additive poses",
    about: "How clips make the animated pose that the solver reads.",
    scene: "idle, walk, run",
    page: "algorithm/blending.md",
    steps: &[
        Step::new(
            "Before anything is solved, clips make the [animated pose]. Poses are blended bone by bone in local space, relative to \
             the parent: blending in model space would tear limbs off where parents differ.",
        )
        .live(),
        Step::new(
            "In a [cross-fade] the new clip's weight grows from 0 to 1 over the pose shown before, so that an \
             interrupted fade cannot jump.",
        )
        .live()
        .highlights(&[PACE]).task(
            "Fade from walking to running.",
            "Raise pace in the pane Motion, a tab beside this one.",
            Chosen(Choice::Clip("run")),
            &[ReferenceAction::Edit(run_pace), ReferenceAction::Wait(1.0)],
        ),
        Step::new(
            "An [additive] layer adds the difference between a clip and its base, here its first frame, to any pose. \
             A weight of 2 doubles the difference, −1 reverses it.",
        )
        .scene("additive lean")
        .live()
        .highlights(&[LAYER_WEIGHT]).task(
            "Lean the other way: a weight below −0.5.",
            "In the pane Motion, a tab beside this one, drag the layer's weight in the section Pose layers.",
            LayerWeight(Below(-0.5)),
            &[ReferenceAction::Edit(lean_back)],
        ),
        Step::new(
            "A layer can be limited to one bone and its descendants. With feather, the layer's weight rises over \
             several bones, so that the body bends instead of creasing.",
        )
        .scene("masked upper body")
        .live()
        .highlights(&[LAYER_SWITCH]).task(
            "Switch the layer off: the arms walk again.",
            "In the pane Motion, a tab beside this one, switch it off in the section Pose layers.",
            Chosen(Choice::HasLayers(false)),
            &[ReferenceAction::Edit(layer_off)],
        ),
        Step::new(
            "«Animation programming notes» drop a fade when the fade has ended, but keep the older fades: the pose jumps \
             back. A, solid, is correct and stands; B, the ghost, jumps as in these notes.",
        )
        .scene("dropped fades")
        .live(),
    ],
};
