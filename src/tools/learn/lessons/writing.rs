//! Lessons on iterations, on writing nodes to bones, and on porting the solver.

use kinescope_ik::full_body::{Node, SolverSettings, Stage};
use kinescope_ik::parameter::find_field;
use kinescope_ik::stack::LayerId;

use super::NEXT;
use crate::session::commands::Command;
use crate::session::{Pane, Selection};
use crate::tools::learn::condition::Comparison::{Above, Below};
use crate::tools::learn::condition::Condition::{All, At, Chosen, Compares, Focus, Gap, Parameter};
use crate::tools::learn::condition::{Choice, Place};
use crate::tools::learn::control::{Control, SettingControl};
use crate::tools::learn::reference::ReferenceAction;
use crate::tools::learn::{Lesson, Step};
use crate::tools::pose::words as pose;
use crate::world::document::Document;

const FABRIK_PASS: Control = Control::Setting(SettingControl {
    pane: Pane::Inspector,
    selection: Some(Selection::Nothing),
    field: find_field(SolverSettings::FIELDS, "fabrik_pass"),
    name: pose::FABRIK_PASS,
});

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
            "The solve ends with 13 points; a skeleton needs rotations. [Writing] uses three operations: a bone \
             follows the [plane] of three points as animated, a [swing] points a bone at the next joint, a [twist] \
             turns a bone about its own axis.",
        )
        .at(Place::once(Stage::Bend))
        .marks(&Node::ALL),
        Step::new(
            "Pelvis and chest follow planes: that of body and thighs, and that of body and upper arms. Each spine \
             bone between them swings toward the next joint.",
        )
        .at(Place::once(Stage::Bend))
        .formula_after_task()
        .marks(&[Node::Body, Node::LeftUpperArm, Node::RightUpperArm, Node::LeftThigh, Node::RightThigh])
        .highlights(&[NEXT]).task(
            "Step on to the writing of the spine.",
            "Press . once.",
            At(SPINE),
            &[ReferenceAction::Run(Command::NextStage)],
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
            &[ReferenceAction::Set("solver.spine_twist_weight", 0.0)],
        ),
        Step::new(
            "In an arm, the clavicle swings toward the shoulder's node first. Then bone 1 moves to that node, and \
             bones 1 and 2 turn with the plane of the arm's three nodes.",
        )
        .scene("reach with twist")
        .at(Place::of(LayerId::FullBody, "write_head", None))
        .formula_after_task()
        .highlights(&[NEXT]).task(
            "Step to the writing of the left arm.",
            "Press . once.",
            At(LEFT_ARM),
            &[ReferenceAction::Run(Command::NextStage)],
        ),
        Step::new("The head is attached to the chest and bows with it, unless the head keeps its animated rotation.")
            .scene("head keeps level")
            .live()
            .controls(&["solver.head_maintain_rotation"])
            .task(
                "Let the head bow with the chest.",
                "Set head maintain rotation to 0.",
                Parameter("solver.head_maintain_rotation", Below(0.01)),
                &[ReferenceAction::Set("solver.head_maintain_rotation", 0.0)],
            ),
        Step::new("The mapping weight sets how much of a solved limb is written to its bones. The nodes do not change.")
            .scene("reach up and far")
            .live()
            .controls(&["chains.left_arm.mapping_weight"])
            .task(
                "Keep the left arm as animated, although its nodes are solved.",
                "Set the left arm's mapping weight to 0: the bones leave their nodes.",
                Gap("left_hand", Above(0.3)),
                &[ReferenceAction::Set("chains.left_arm.mapping_weight", 0.0)],
            ),
    ],
};

fn fabrik_pass(document: &mut Document) {
    document.stack.full_body.solver.fabrik_pass = true;
}

pub(super) const ITERATIONS: Lesson = Lesson {
    key: "iterations",
    title: "Iterations",
    about: "Why the stages repeat, and what goes wrong if they do not.",
    scene: "iterations 4",
    page: "algorithm/iterations.md",
    steps: &[
        Step::new(
            "Each stage satisfies one condition and violates another. Stage 1 keeps hands on targets and deforms the \
             torso; stage 2 restores the torso and moves hands off their targets.",
        )
        .at(Place::stage(Stage::Stage2, 0)),
        Step::new(
            "Here each [iteration] leaves the hands nearer to their targets than the previous one. The plots show \
             the errors of the nodes and the strain of the torso.",
        )
        .at(Place::stage(Stage::Stage2, 0))
        .highlights(&[Control::Step(Place::stage(Stage::Stage2, 3))]).task(
            "Go to stage 2 of iteration 3, the fourth.",
            "Press Shift+. three times, then . until the caption says stage 2. Or click the last cell st 2 in the strip. P \
             opens the plots.",
            At(Place::stage(Stage::Stage2, 3)),
            &[ReferenceAction::Seek(Place::stage(Stage::Stage2, 3))],
        ),
        Step::new(
            "Without iterations the torso does not move at all: each limb is solved alone. On the built-in mannequin, \
             the gaps are 135 mm (left hand) and 54 mm (right hand).",
        )
        .scene("iterations 0")
        .live()
        .controls(&["solver.iterations"])
        .task(
            "Bring the left hand to within 30 mm of its target.",
            "Raise iterations. One is not enough, four are.",
            Gap("left_hand", Below(0.03)),
            &[ReferenceAction::Set("solver.iterations", 4.0)],
        ),
        Step::new(
            "After the last iteration, final effectors puts hands and feet on their targets once more, even if the \
             bones are too short. So measure errors of nodes before this stage, or the [gap] of the written bones.",
        )
        .scene("iterations 4")
        .at(Place::stage(Stage::Stage2, 3))
        .marks(&[Node::LeftHand, Node::RightHand])
        .highlights(&[NEXT]).task(
            "Go to final effectors and watch the left hand's node.",
            "Press . once.",
            At(Place::once(Stage::FinalEffectors)),
            &[ReferenceAction::Run(Command::NextStage)],
        ),
        Step::new(
            "Without the FABRIK pass there is one iteration with end effectors and trigonometric alone. Here an \
             offset has moved the shoulder, and no stage returns the shoulder to the torso.",
        )
        .scene("flying arm")
        .live()
        .marks(&[Node::LeftUpperArm])
        .highlights(&[FABRIK_PASS]).task(
            "Bring the arm back to the torso.",
            "Turn on FABRIK pass in the inspector, under solver.",
            Chosen(Choice::FabrikPass(true)),
            &[ReferenceAction::Edit(fabrik_pass)],
        ),
    ],
};

/// The lane in the scene `CCD of the sources` that runs CCD as a source has it.
const SOURCE_LANE: LayerId = LayerId::Lane(1);

pub(super) const PORT: Lesson = Lesson {
    key: "port",
    title: "Port the solver",
    about: "Compare your own solver stage by stage.",
    scene: "reach and brace",
    page: "port/index.md",
    steps: &[
        Step::new(
            "Suppose that your port of this solver puts a hand in the wrong place. Comparing final poses says little, \
             as many stages follow the bug. Compare the nodes after each stage instead: the first stage that differs \
             has the bug.",
        )
        .at(Place::once(Stage::Read)),
        Step::new(
            "A [trace] holds rig, parameters, and all 13 nodes after each stage. Write a trace from your engine and \
             open it with File, Open a port's trace: Kinescope shows iteration, stage and node of the first \
             difference.",
        )
        .at(Place::once(Stage::Read))
        .highlights(&[Control::Step(Place::stage(Stage::Stage1, 1))]).task(
            "Suppose the first difference is at iteration 1, stage 1. Show that instant of Kinescope's solve.",
            "Press Shift+. twice, then . until the caption says stage 1. Or click the second cell st 1 in the strip.",
            At(Place::stage(Stage::Stage1, 1)),
            &[ReferenceAction::Seek(Place::stage(Stage::Stage1, 1))],
        ),
        Step::new(
            "Bugs often come from a source, or from misreading it. The scenes under Bugs of the sources show such \
             bugs beside the correct solve: here CCD, correct in lane 1, as in «Animation programming notes» in lane 2, \
             misread in lane 3.",
        )
        .scene("CCD of the sources")
        .live()
        .highlights(&[Control::Layer(SOURCE_LANE), NEXT]).task(
            "Show the first pass of the second lane, CCD as in these notes.",
            "Click the second row under Lanes in the outliner, press Home and then . once.",
            All(&[Focus(SOURCE_LANE), At(Place::of(SOURCE_LANE, "ccd_pass", Some(0)))]),
            &[ReferenceAction::Seek(Place::of(SOURCE_LANE, "ccd_pass", Some(0)))],
        ),
        Step::new(
            "The [conformance kit] has cases for every branch that a single character can take, with the expected traces. Some inputs do \
             not belong in tests: if the target is opposite to the animated arm, rounding decides where the elbow \
             goes.",
        )
        .scene("antiparallel")
        .live(),
        Step::new(
            "A [capsule] holds bones, frames, settings and the instant shown in one file: attach it to a bug report. \
             To compare two settings on the same input, keep one as B.",
        )
        .scene("reach and brace")
        .live()
        .task(
            "Keep the current settings as B.",
            "Press B, or choose Analyse, Keep settings as B. The pane Compare opens; the tab Learn returns to the lesson.",
            Compares,
            &[ReferenceAction::Run(Command::KeepAsB)],
        ),
    ],
};
