//! Lessons on nodes, chains of bones, and limbs.

use kinescope_ik::full_body::{Effector, Node, Stage};
use kinescope_ik::stack::{LayerId, TargetMotion};

use super::NEXT;
use crate::session::commands::Command;
use crate::tools::learn::condition::Comparison::{Above, Below};
use crate::tools::learn::condition::Condition::{At, Focus, Gap, Has, Measure, Moved, Parameter};
use crate::tools::learn::condition::{Condition, Place, When};
use crate::tools::learn::control::Control;
use crate::tools::learn::reference::ReferenceAction;
use crate::tools::learn::{END, Lesson, ROOT, Step};
use crate::world::document::Document;

const BODY: LayerId = LayerId::FullBody;
const ENDS: Place = Place::stage(Stage::EndEffectors, 0);

pub(super) const NODE: Lesson = Lesson {
    key: "node",
    title: "What is a node",
    about: "The solver moves 13 points instead of bones.",
    scene: "reach up and far",
    page: "algorithm/index.md",
    steps: &[
        Step::new(
            "The left hand reaches for a [target] far above. Turning bones directly would mean choosing dozens of angles at \
             once. This solver moves 13 points instead, the [nodes|node], and turns the bones only at the end.",
        )
        .live()
        .marks(&Node::ALL),
        Step::new(
            "Each node stands for the start of a bone. The [stage] read puts the nodes on the [animated pose], the pose \
             before any IK. Here body and hips start a little higher: hand targets out of reach lift them.",
        )
        .live()
        .highlights(&[Control::Step(Place::once(Stage::Read)), Control::Button(Command::FirstStep)]).task(
            "Go to the first stage, read.",
            "Press Home, or click the first cell of the strip below the picture.",
            At(Place::once(Stage::Read)),
            &[ReferenceAction::Run(Command::FirstStep)],
        ),
        Step::new(
            "Each further stage can move some of the nodes. The next stage, end effectors, moves the nodes of hands \
             and feet to their targets and ignores the lengths of the bones.",
        )
        .at(Place::once(Stage::Read))
        .highlights(&[NEXT]).task(
            "Step on until the left hand's node is on its target.",
            "Press . once. The caption in the picture names the stage.",
            Condition::All(&[At(ENDS), Measure(BODY, "left_hand_node_error", When::Cursor, Below(1e-3))]),
            &[ReferenceAction::Run(Command::NextStage)],
        ),
        Step::new(
            "The white ghost is the state before the stage, the arrow is the displacement. One displacement of one \
             node is a [move]. The formula below computes this move with its actual numbers.",
        )
        .at(ENDS)
        .formula()
        .highlights(&[Control::Move(ENDS.within(0))]).task(
            "Show the first single move of this stage.",
            "Click the bar in the row Moves, below the picture.",
            At(ENDS.within(0)),
            &[ReferenceAction::Seek(ENDS.within(0))],
        ),
        Step::new(
            "Nodes are points, so a stage may put them where no bones reach. Of the marked nodes of the arm, elbow and \
             hand are now farther apart than the forearm is long; the following stages repair that.",
        )
        .at(ENDS)
        .marks(&[Node::LeftUpperArm, Node::LeftForearm, Node::LeftHand]),
        Step::new(
            "At the end the solver [writes|writing] the bones. They keep their lengths, so a hand may stop short of \
             its target. The remaining distance is the [gap].",
        )
        .live()
        .marks(&[Node::LeftHand])
        .task(
            "Move the left hand's target until the gap is below 5 mm.",
            "Drag the magenta ring down toward the shoulder. The dashed line is the gap.",
            Gap("left_hand", Below(0.005)),
            &[ReferenceAction::Move(Effector::LeftHand, [-0.05, -0.25, -0.15])],
        ),
    ],
};

const PLAIN: LayerId = LayerId::Lane(0);

fn target_out_of_reach(document: &mut Document) {
    if let Some(target) = document.stack.chain_ik.lab.as_mut().and_then(|lab| lab.targets.first_mut()) {
        *target *= 1.4;
    }
}

pub(super) const FABRIK: Lesson = Lesson {
    key: "fabrik",
    title: "Positions instead of angles",
    about: "FABRIK solves a chain by moving its joints back and forth.",
    scene: "nearly straight",
    page: "algorithm/chains.md",
    steps: &[
        Step::new(
            "A [chain] is a row of bones with a target for its end. Turning a bone moves all bones beyond it, so each \
             angle disturbs the others. [FABRIK] works on positions instead: it moves one joint at a time and \
             restores one bone's length.",
        )
        .at(Place::of(PLAIN, "start", None)),
        Step::new(
            "The [forward reach] puts the end on the target. Then it goes from joint to joint toward the root: each \
             joint moves on the line to the joint beyond it until the bone between them has its length.",
        )
        .at(Place::of(PLAIN, "start", None))
        .formula_after_task()
        .joints(&[(PLAIN, ROOT)])
        .highlights(&[NEXT]).task(
            "Step to the first forward reach: the root has left its place.",
            "Press . and watch the lower end of the left chain.",
            Moved(PLAIN, "joint_0", When::Cursor, Above(0.05)),
            &[ReferenceAction::Run(Command::NextStage)],
        ),
        Step::new(
            "The forward reach moved the root too. The [backward reach] puts the root back and goes the other way: \
             now each joint moves on the line to the joint before it.",
        )
        .at(Place::of(PLAIN, "forward_reach", Some(0)))
        .formula_after_task()
        .joints(&[(PLAIN, ROOT), (PLAIN, END)])
        .highlights(&[NEXT]).task(
            "Step on once: the root is back, and the end is off its target.",
            "Press . again.",
            Condition::All(&[
                At(Place::of(PLAIN, "backward_reach", Some(0))),
                Moved(PLAIN, "joint_0", When::Cursor, Below(1e-4)),
                Measure(PLAIN, "error", When::Cursor, Above(1e-3)),
            ]),
            &[ReferenceAction::Run(Command::NextStage)],
        ),
        Step::new(
            "Both reaches together are one [iteration]. After an iteration all bones have their lengths and the root \
             is in place; only the end is off its target, by less each time.",
        )
        .at(Place::of(PLAIN, "backward_reach", Some(0)))
        .joints(&[(PLAIN, END)])
        .highlights(&[Control::Button(Command::NextIteration), NEXT]).task(
            "Find a backward reach, the end of an iteration, with an error below 20 mm.",
            "Shift+. goes to the forward reach of the next iteration, which puts the end on the target; . then goes to the \
             backward reach. Or click further right in the strip. The caption shows the error.",
            Condition::All(&[
                At(Place::of(PLAIN, "backward_reach", None)),
                Measure(PLAIN, "error", When::Cursor, Below(0.02)),
            ]),
            &[ReferenceAction::Seek(Place::of(PLAIN, "backward_reach", Some(80)))],
        ),
        Step::new(
            "This target is at 0.99 of the chain's length. There each iteration gains little, and plain FABRIK needs \
             many iterations. The second lane adds a step that solves for the amplitude of the bend directly.",
        )
        .highlights(&[Control::Layer(LayerId::Lane(1))]).task(
            "Show the steps of the second lane and count its iterations.",
            "Click the second row under Lanes in the outliner.",
            Focus(LayerId::Lane(1)),
            &[ReferenceAction::Lane(1)],
        ),
        Step::new(
            "A target beyond the chain's length needs no iterations: a single step, stretch, straightens the chain \
             toward the target.",
        )
        .live()
        .task(
            "Move the target out of reach of the chain.",
            "Drag the magenta ring away from the root until the strip shows a step stretch.",
            Has(PLAIN, "stretch"),
            &[ReferenceAction::Edit(target_out_of_reach)],
        ),
    ],
};

/// Keeps the target of the chain lab still and solves from rest, so that every solve has passes to step through.
fn still_target(document: &mut Document) {
    if let Some(lab) = &mut document.stack.chain_ik.lab {
        (lab.motion, lab.from_rest) = (TargetMotion::Still, true);
    }
}

const CCD_LANE: LayerId = LayerId::Lane(1);
const FABRIK_LANE: LayerId = LayerId::Lane(3);

pub(super) const CCD: Lesson = Lesson {
    key: "ccd",
    title: "CCD and FABRIK",
    about: "CCD solves the same chain by turning one bone at a time.",
    scene: "chain lab",
    page: "algorithm/chains.md",
    steps: &[
        Step::new(
            "[CCD] works on rotations: from the last bone to the first, it turns one bone at a time, to bring the \
             chain's end onto the line from the bone's joint to the target. Here lanes 1 and 2 are CCD, lanes 3 and 4 \
             solve the same chain by FABRIK.",
        )
        .prepared("chain lab", still_target)
        .at(Place::of(CCD_LANE, "start", None)),
        Step::new(
            "One pass over all bones is a step. The formula shows the turn of one bone: from the direction of the \
             end, seen from the joint, to the direction of the target.",
        )
        .at(Place::of(CCD_LANE, "start", None))
        .formula()
        .joints(&[(CCD_LANE, END)])
        .highlights(&[NEXT]).task(
            "Step to the first pass of CCD.",
            "Press . once.",
            At(Place::of(CCD_LANE, "ccd_pass", Some(0))),
            &[ReferenceAction::Run(Command::NextStage)],
        ),
        Step::new(
            "CCD only turns bones, so their lengths and the root's place never change. FABRIK violates both within an \
             iteration.",
        )
        .at(Place::of(CCD_LANE, "ccd_pass", Some(0)))
        .joints(&[(CCD_LANE, ROOT), (FABRIK_LANE, ROOT)])
        .highlights(&[Control::Layer(FABRIK_LANE), NEXT]).task(
            "Find a step of the fourth lane, plain FABRIK, in which the root has left its place.",
            "Click the fourth row under Lanes in the outliner, then press Home and . until the caption says forward reach.",
            Moved(FABRIK_LANE, "joint_0", When::Cursor, Above(0.01)),
            &[ReferenceAction::Seek(Place::of(FABRIK_LANE, "forward_reach", Some(0)))],
        ),
        Step::new(
            "CCD turns the last bones first, each as far as it brings the end nearer to the target, so the chain curls at \
             its end. FABRIK spreads the bend over the whole chain.",
        )
        .at(Place::of(CCD_LANE, "ccd_pass", Some(0)))
        .highlights(&[NEXT]).task(
            "Step the CCD lane to a pass with an error below 2 mm.",
            "Press . until the caption shows a small error, or click the last pass in the strip.",
            Condition::All(&[
                At(Place::of(CCD_LANE, "ccd_pass", None)),
                Measure(CCD_LANE, "error", When::Cursor, Below(0.002)),
            ]),
            &[ReferenceAction::Run(Command::LastStep)],
        ),
        Step::new(
            "[Limits|limit] suit CCD: it turns each bone only as far as the limit allows. FABRIK moves points: after \
             placing a joint it turns the bone beyond into its limit, then moves the chain from that joint on so the \
             end stays in place.",
        )
        .scene("limits"),
        Step::new(
            "The full-body solver is built on FABRIK: points can be averaged and shared between limbs, rotations cannot. The \
             torso of the next lessons depends on that.",
        )
        .scene("stand")
        .marks(&[Node::Body, Node::LeftUpperArm, Node::RightUpperArm, Node::LeftThigh, Node::RightThigh]),
    ],
};

const CLOSED: LayerId = LayerId::Lane(0);
const SOFT: LayerId = LayerId::Lane(1);
const TRIANGLE_STAGE: Place = Place::stage(Stage::Trigonometric, 0);

fn target_past_reach(document: &mut Document) {
    if let Some(target) = document.stack.chain_ik.lab.as_mut().and_then(|lab| lab.targets.first_mut()) {
        *target *= 1.5;
    }
}

/// Moves the target out of reach, and sets the soft zone of the second lane to 0. The task asks the user to raise this
/// soft zone.
fn without_soft_zone(document: &mut Document) {
    target_past_reach(document);
    if let Some(lane) = document.stack.chain_ik.lab.as_mut().and_then(|lab| lab.lanes.get_mut(1)) {
        lane.soft_zone = 0.0;
    }
}

pub(super) const TRIANGLE: Lesson = Lesson {
    key: "triangle",
    title: "The two-bone triangle",
    about: "Two bones need no iterations: the law of cosines places elbow and knee.",
    scene: "two bones",
    page: "algorithm/trigonometric.md",
    steps: &[
        Step::new(
            "Two bones and the line from root to target form a triangle with three known sides. The law of cosines \
             gives the position of the middle joint at once: this is the [closed form].",
        )
        .at(Place::of(CLOSED, "two_bone", None).within(0))
        .joints(&[(CLOSED, 1)])
        .formula(),
        Step::new("If the target is farther than both bones together, the limb is straight and the end stops short.")
            .live()
            .task(
                "Move the target until the limb is straight.",
                "Drag the magenta ring away from the root.",
                Measure(CLOSED, "stretch", When::Settled, Above(0.999)),
                &[ReferenceAction::Edit(target_past_reach)],
            ),
        Step::new(
            "Just before the limb is straight, a short movement of the end moves the joint far: the joint snaps. In a \
             [soft zone] the end falls behind the target before the limb is straight.",
        )
        .prepared("two bones", without_soft_zone)
        .live()
        .controls(&["chain_ik.lab.lanes[1].soft_zone"])
        .task(
            "Raise the second lane's soft zone until its limb stays below 0.95 of its length.",
            "Drag the slider below to about 0.5. The target is out of reach of both lanes.",
            Measure(SOFT, "stretch", When::Settled, Below(0.95)),
            &[ReferenceAction::Set("chain_ik.lab.lanes[1].soft_zone", 0.5)],
        ),
        Step::new(
            "In the full body the stage trigonometric solves this triangle for all four limbs. First node and last \
             node stay where other stages have put them; only elbows and knees move.",
        )
        .scene("reach up and far")
        .at(Place::stage(Stage::BodyEffectors, 0))
        .formula_after_task()
        .marks(&[Node::LeftForearm, Node::RightForearm, Node::LeftCalf, Node::RightCalf])
        .highlights(&[NEXT])
        .task(
            "Go to stage trigonometric in iteration 0.",
            "Press . once.",
            At(TRIANGLE_STAGE),
            &[ReferenceAction::Run(Command::NextStage)],
        ),
        Step::new(
            "The base s of the triangle is at most 0.9999 of the limb's length, so a limb is never quite straight and \
             never loses its plane. Here the hand is out of reach: the forearm is too long until stage 1 moves the \
             shoulder toward the hand.",
        )
        .at(TRIANGLE_STAGE)
        .formula(),
    ],
};

const BEND: Place = Place::once(Stage::Bend);

pub(super) const BEND_LESSON: Lesson = Lesson {
    key: "bend",
    title: "Bend direction and bend goal",
    about: "Where elbows and knees point.",
    scene: "bend goals",
    page: "algorithm/bend.md",
    steps: &[
        Step::new(
            "The triangle gives the elbow's distance from the line between shoulder and hand, but not the side. The \
             [bend direction], the cyan arrow, gives the side.",
        )
        .at(BEND)
        .marks(&[Node::LeftForearm, Node::RightForearm, Node::LeftCalf, Node::RightCalf]),
        Step::new(
            "During the iterations, elbows and knees stay on their side of the limb. Only the last stage turns them \
             to their final direction.",
        )
        .at(Place::once(Stage::FinalEffectors))
        .highlights(&[NEXT]).task(
            "Find the stage that turns the left elbow up to its goal.",
            "Press . and watch the elbow: bend is the last stage before writing.",
            At(BEND),
            &[ReferenceAction::Run(Command::NextStage)],
        ),
        Step::new(
            "By default the bend direction is the animated direction, turned with the limb. A [bend goal], the cyan \
             diamond, draws elbow or knee to its side, by the bend weight.",
        )
        .live()
        .controls(&["chains.left_arm.bend_weight", "chains.right_arm.bend_weight"])
        .task(
            "Let the left elbow return to its natural direction.",
            "Lower the left arm's bend weight to 0.",
            Parameter("chains.left_arm.bend_weight", Below(0.01)),
            &[ReferenceAction::Set("chains.left_arm.bend_weight", 0.0)],
        ),
        Step::new(
            "A turned hand turns its elbow too, by its rotation weight. Here the left hand is turned by 90° about its \
             arm, the right hand is not.",
        )
        .scene("hand turns elbow")
        .live()
        .controls(&["effectors.left_hand.rotation_weight"])
        .task(
            "Make the left elbow ignore the hand's rotation.",
            "Lower the rotation weight of the left hand to 0.",
            Parameter("effectors.left_hand.rotation_weight", Below(0.01)),
            &[ReferenceAction::Set("effectors.left_hand.rotation_weight", 0.0)],
        ),
        Step::new(
            "A target exactly opposite to the animated arm leaves the natural direction undefined: rounding decides, and a \
             tiny move of the target flips the elbow. Give such limbs a bend goal.",
        )
        .scene("antiparallel")
        .live()
        .marks(&[Node::LeftForearm]),
    ],
};
