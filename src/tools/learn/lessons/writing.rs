//! Lessons on iterations, and on writing nodes to bones.

use kinescope_ik::full_body::{Node, Stage};
use kinescope_ik::stack::LayerId;

use crate::session::commands::Command;
use crate::tools::learn::condition::Condition::{All, At, Chosen, Compares, Focus, Gap, Parameter};
use crate::tools::learn::condition::Is::{Above, Below};
use crate::tools::learn::condition::{Choice, Place};
use crate::tools::learn::deed::Deed;
use crate::tools::learn::{Lesson, Step};
use crate::world::document::Document;

const SPINE: Place = Place::of(LayerId::FullBody, "write_spine", None);
const LEFT_ARM: Place = Place::of(LayerId::FullBody, "write_left_arm", None);

pub(super) const MAPPING: Lesson = Lesson {
    key: "mapping",
    title: "Mapping back to bones",
    about: "Plane, swing and twist turn 13 points into rotations.",
    scene: "reach with twist",
    page: "algorithm/writing.md",
    steps: &[
        Step::new(
            "The solve ends with 13 points; a skeleton needs rotations. [Writing] uses three tools: a bone lies in the [plane] of \
             three points as animated, a [swing] turns it to point at the next joint, a [twist] turns it about itself.",
        )
        .at(Place::once(Stage::Bend))
        .marks(&Node::ALL),
        Step::new(
            "Pelvis and chest lie in planes: body with both thighs, and body with both upper arms. The spine bones between \
             swing from joint to joint.",
        )
        .at(Place::once(Stage::Bend))
        .formula()
        .marks(&[Node::Body, Node::LeftUpperArm, Node::RightUpperArm, Node::LeftThigh, Node::RightThigh])
        .task(
            "Step on to the writing of the spine.",
            "Press . once.",
            At(SPINE),
            &[Deed::Run(Command::NextStage)],
        ),
        Step::new(
            "Here the shoulders are turned against the hips. Each spine bone takes a share of that twist, growing toward the \
             chest.",
        )
        .live()
        .controls(&["solver.spine_twist_weight"])
        .task(
            "Take the twist out of the spine bones.",
            "Set spine twist weight to 0: the whole twist is between the chest and the bone below it.",
            Parameter("solver.spine_twist_weight", Below(0.01)),
            &[Deed::Set("solver.spine_twist_weight", 0.0)],
        ),
        Step::new(
            "A limb begins with its clavicle, which swings to the shoulder's node. Then bone 1 is placed on that node, and both \
             bones turn with the plane of the limb's three nodes.",
        )
        .at(Place::of(LayerId::FullBody, "write_head", None))
        .formula()
        .task(
            "Step to the writing of the left arm.",
            "Press . once.",
            At(LEFT_ARM),
            &[Deed::Run(Command::NextStage)],
        ),
        Step::new("The head hangs below the chest and bows with it, unless it keeps its animated rotation.")
            .scene("head keeps level")
            .live()
            .controls(&["solver.head_maintain_rotation"])
            .task(
                "Let the head bow with the chest.",
                "Set head maintain rotation to 0.",
                Parameter("solver.head_maintain_rotation", Below(0.01)),
                &[Deed::Set("solver.head_maintain_rotation", 0.0)],
            ),
        Step::new("The mapping weight says how much of a solved limb gets to its bones. The nodes do not change.")
            .scene("reach up and far")
            .live()
            .controls(&["chains.left_arm.mapping_weight"])
            .task(
                "Keep the left arm as animated, although its nodes are solved.",
                "Set the left arm's mapping weight to 0: nodes and bones of the arm part.",
                Gap("left_hand", Above(0.3)),
                &[Deed::Set("chains.left_arm.mapping_weight", 0.0)],
            ),
    ],
};

fn fabrik_pass(document: &mut Document) {
    document.stack.full_body.solver.fabrik_pass = true;
}

pub(super) const ITERATIONS: Lesson = Lesson {
    key: "iterations",
    title: "Iterations",
    about: "Why the stages repeat, and what goes wrong without.",
    scene: "iterations 4",
    page: "algorithm/iterations.md",
    steps: &[
        Step::new(
            "Each stage satisfies one demand and breaks another. Stage 1 keeps hands on targets and bends the torso out of \
             shape; stage 2 mends the torso and takes hands off their targets.",
        )
        .at(Place::stage(Stage::Stage2, 0)),
        Step::new("Each [iteration] leaves smaller errors than the one before. The plots show both: errors and strain.")
            .at(Place::stage(Stage::Stage2, 0))
            .task(
                "Go to stage 2 of iteration 3, the fourth.",
                "Press Shift+. and . or click the cell in the strip. P opens the plots.",
                At(Place::stage(Stage::Stage2, 3)),
                &[Deed::Seek(Place::stage(Stage::Stage2, 3))],
            ),
        Step::new(
            "Without iterations the torso does not move at all: four limbs are solved alone, and the hands stop 54 and 135 mm \
             short.",
        )
        .scene("iterations 0")
        .live()
        .controls(&["solver.iterations"])
        .task(
            "Bring the left hand to within 30 mm of its target.",
            "Raise iterations. One is not enough, four are.",
            Gap("left_hand", Below(0.03)),
            &[Deed::Set("solver.iterations", 4.0)],
        ),
        Step::new(
            "After the last iteration, final effectors puts hands and feet on their targets once more, whatever the bones say. \
             So measure errors before it; the [gap] of the written bones says what remains.",
        )
        .scene("iterations 4")
        .at(Place::stage(Stage::Stage2, 3))
        .marks(&[Node::LeftHand, Node::RightHand])
        .task(
            "Step to final effectors and watch the left hand's node.",
            "Press . once.",
            At(Place::once(Stage::FinalEffectors)),
            &[Deed::Run(Command::NextStage)],
        ),
        Step::new(
            "Without the FABRIK pass there is one iteration with end effectors and trigonometric alone. Here an offset has \
             moved the shoulder, and nothing brings it back to the torso.",
        )
        .scene("flying arm")
        .live()
        .marks(&[Node::LeftUpperArm])
        .task(
            "Bring the arm back to the torso.",
            "Turn on FABRIK pass in the inspector, under solver.",
            Chosen(Choice::FabrikPass(true)),
            &[Deed::Edit(fabrik_pass)],
        ),
    ],
};

/// The lane in the scene `CCD of the sources` that runs CCD as a source has it.
const SOURCE_LANE: LayerId = LayerId::Lane(1);

pub(super) const PORT: Lesson = Lesson {
    key: "port",
    title: "Port it",
    about: "Compare your own solver stage by stage.",
    scene: "reach and brace",
    page: "port/index.md",
    steps: &[
        Step::new(
            "You have this solver in another engine and a hand is off. Comparing final poses says little, as every error has \
             gone through many stages. Compare the states between stages: the first that differs is where the bug is.",
        )
        .at(Place::once(Stage::Read)),
        Step::new(
            "A [trace] is that list: rig, parameters, and all 13 nodes after each stage. Write one from your engine and open it \
             with File, Open a port's trace; the first difference is shown as iteration, stage and node.",
        )
        .at(Place::once(Stage::Read))
        .task(
            "Suppose it says iteration 1, stage 1. Show that instant of Kinescope's solve.",
            "Press Shift+. and then . until the caption says stage 1, or click the cell.",
            At(Place::stage(Stage::Stage1, 1)),
            &[Deed::Seek(Place::stage(Stage::Stage1, 1))],
        ),
        Step::new(
            "A misread source is a usual cause. The scenes under Bugs of the sources show such readings beside the right one: \
             here three readings of CCD.",
        )
        .scene("CCD of the sources")
        .live()
        .task(
            "Show the first pass of the second lane, CCD as in the source.",
            "Click the second row under Lanes in the outliner, press Home and then . once.",
            All(&[Focus(SOURCE_LANE), At(Place::of(SOURCE_LANE, "ccd_pass", Some(0)))]),
            &[Deed::Seek(Place::of(SOURCE_LANE, "ccd_pass", Some(0)))],
        ),
        Step::new(
            "The [conformance kit] has cases for every branch of the solver, with the expected traces. Some inputs do not belong \
             in tests: a target opposite to the arm leaves the elbow to rounding.",
        )
        .scene("antiparallel")
        .live(),
        Step::new(
            "A [capsule] holds bones, frames, settings and the instant shown in one file: attach it to a bug report. Two \
             settings of one solve are compared as A and B.",
        )
        .scene("reach and brace")
        .live()
        .task(
            "Keep the current settings as B.",
            "Press B, or choose Analyse, Keep settings as B.",
            Compares,
            &[Deed::Run(Command::KeepAsB)],
        ),
    ],
};
