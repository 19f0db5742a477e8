//! Lessons on the stages of the full body.

use kinescope_ik::full_body::{Effector, Node, Stage};
use kinescope_ik::stack::LayerId;

use super::NEXT;
use crate::session::Selection;
use crate::session::commands::Command;
use crate::tools::learn::condition::Comparison::{Above, Below};
use crate::tools::learn::condition::Condition::{All, At, Gap, Measure, Moved, Parameter, Raised, Selected};
use crate::tools::learn::condition::{Place, When};
use crate::tools::learn::control::Control;
use crate::tools::learn::reference::ReferenceAction;
use crate::tools::learn::{Lesson, Step};

const BODY: LayerId = LayerId::FullBody;
const SHOULDERS: &str = "left_upper_arm_right_upper_arm_strain";
const DIAGONAL: &str = "right_upper_arm_left_thigh_strain";

const fn first(stage: Stage) -> Place {
    Place::stage(stage, 0)
}

pub(super) const BODY_LESSON: Lesson = Lesson {
    key: "body",
    title: "Nodes, effectors, constraints",
    about: "13 nodes, nine effectors and four child constraints make the full body.",
    scene: "stand",
    page: "algorithm/index.md",
    steps: &[
        Step::new(
            "The chain body has one node, in the middle of the spine. Each limb has three nodes: shoulder, elbow, \
             hand, or hip, knee, foot. That makes 13.",
        )
        .live()
        .marks(&Node::ALL),
        Step::new(
            "Nine [effectors|effector] draw nodes to [targets|target]: body, shoulders, thighs, hands and feet. \
             Elbows and knees have no effectors; bend goals turn them.",
        )
        .live()
        .marks(&[
            Node::Body,
            Node::LeftUpperArm,
            Node::RightUpperArm,
            Node::LeftThigh,
            Node::RightThigh,
            Node::LeftHand,
            Node::RightHand,
            Node::LeftFoot,
            Node::RightFoot,
        ])
        .highlights(&[Control::Row(Effector::Body)])
        .task(
            "Select the body's effector.",
            "Click the ring in the middle of the spine, or body in the outliner.",
            Selected(Selection::Effector(Effector::Body)),
            &[ReferenceAction::Select(Selection::Effector(Effector::Body))],
        ),
        Step::new(
            "The [position weight] sets how far an effector draws its node to the target: 0 does not move the \
             node, 1 moves it all the way. Here only the feet have a weight. A target starts at its node, so \
             the hand moves once you drag its ring.",
        )
        .live()
        .controls(&["effectors.left_hand.position_weight"])
        .task(
            "Give the left hand the full position weight.",
            "Drag the slider below to 1.",
            Parameter("effectors.left_hand.position_weight", Above(0.99)),
            &[ReferenceAction::Set("effectors.left_hand.position_weight", 1.0)],
        ),
        Step::new(
            "The body's effector takes both thighs along. Effectors of shoulders, thighs and body start from the \
             current nodes, so each iteration gets closer; those of hands and feet start from the animated \
             pose.",
        )
        .scene("crouch")
        .at(first(Stage::Reach))
        .marks(&[Node::Body, Node::LeftThigh, Node::RightThigh])
        .highlights(&[NEXT])
        .task(
            "Find the stage that lowers the left thigh by more than 10 cm.",
            "Press . until the caption says body effectors.",
            All(&[At(first(Stage::BodyEffectors)), Raised(BODY, "left_thigh", When::Cursor, Below(-0.1))]),
            &[ReferenceAction::Run(Command::NextStage)],
        ),
        Step::new(
            "Four [child constraints|child constraint] keep the torso in shape. The red bars between shoulders and \
             between hips are rigid; the green dashed diagonals only push. The percentage at a bar is its [strain].",
        )
        .scene("two hands at odds")
        .at(first(Stage::EndEffectors))
        .marks(&[Node::LeftUpperArm, Node::RightUpperArm, Node::LeftThigh, Node::RightThigh])
        .highlights(&[NEXT])
        .task(
            "Find the stage that strains the bar between the shoulders by more than 5 %.",
            "Press . twice: reach draws both shoulders outward. Read the number on the upper red bar.",
            Measure(BODY, SHOULDERS, When::Cursor, Above(0.05)),
            &[ReferenceAction::Seek(first(Stage::Reach))],
        ),
        Step::new(
            "The [master weight] scales effector weights, offsets and bend weights. At 0 the pose stays as animated, \
             bit for bit.",
        )
        .live()
        .controls(&["solver.weight"])
        .task(
            "Switch the solver off by its master weight.",
            "Drag weight to 0. The strip of steps disappears.",
            Parameter("solver.weight", Below(1e-3)),
            &[ReferenceAction::Set("solver.weight", 0.0)],
        ),
    ],
};

pub(super) const PUSH: Lesson = Lesson {
    key: "push",
    title: "Push",
    about: "Compressed limbs push shoulders and body away.",
    scene: "push against a wall",
    page: "algorithm/push.md",
    steps: &[
        Step::new(
            "Both hands are held close in front of the shoulders, as if against a wall. They are nearer to the shoulders than \
             animated: the arms are compressed.",
        )
        .at(first(Stage::EndEffectors)),
        Step::new(
            "The stage push moves each limb's first node away from its end. Without it, arms would only fold and the torso \
             would stay.",
        )
        .at(first(Stage::EndEffectors))
        .formula_after_task()
        .marks(&[Node::LeftUpperArm, Node::RightUpperArm])
        .highlights(&[NEXT]).task(
            "Go to stage push in iteration 0.",
            "Press . once.",
            At(first(Stage::Push)),
            &[ReferenceAction::Run(Command::NextStage)],
        ),
        Step::new(
            "The force f is (1 − |v| / distance)²: 0 at the animated distance between shoulder and hand, and larger \
             the more the arm is compressed. By default [push] is 0, and the stage moves nothing.",
        )
        .at(first(Stage::Push).within(0))
        .formula()
        .controls(&["chains.left_arm.push", "chains.right_arm.push"])
        .task(
            "Make the stage move neither shoulder.",
            "Set push of both arms to 0.",
            All(&[
                Moved(BODY, "left_upper_arm", When::After(first(Stage::Push)), Below(1e-4)),
                Moved(BODY, "right_upper_arm", When::After(first(Stage::Push)), Below(1e-4)),
            ]),
            &[ReferenceAction::Set("chains.left_arm.push", 0.0), ReferenceAction::Set("chains.right_arm.push", 0.0)],
        ),
        Step::new(
            "Each limb passes a share of its push on to the body: [push parent]. The body moves by the sum of these \
             shares.",
        )
        .scene("push against a wall")
        .at(first(Stage::Push))
        .formula()
        .marks(&[Node::Body])
        .controls(&["chains.left_arm.push_parent", "chains.right_arm.push_parent"])
        .task(
            "Keep the body in place while the shoulders still give way.",
            "Set push parent of both arms to 0. The arrow beside a number restores its default, 0.",
            All(&[
                // Small moves count as none, because a slider dragged by mouse may stop near 0.
                Moved(BODY, "body", When::After(first(Stage::Push)), Below(0.01)),
                Moved(BODY, "left_upper_arm", When::After(first(Stage::Push)), Above(0.01)),
            ]),
            &[ReferenceAction::Set("chains.left_arm.push_parent", 0.0), ReferenceAction::Set("chains.right_arm.push_parent", 0.0)],
        ),
        Step::new("A push parent below 0 moves the body the other way: it leans into the push.")
            .scene("push against a wall")
            .live()
            .controls(&["chains.left_arm.push_parent", "chains.right_arm.push_parent"])
            .task(
                "Make the body lean into the wall.",
                "Set push parent of both arms to −1.",
                All(&[
                    Parameter("chains.left_arm.push_parent", Below(-0.5)),
                    Parameter("chains.right_arm.push_parent", Below(-0.5)),
                ]),
                &[ReferenceAction::Set("chains.left_arm.push_parent", -1.0), ReferenceAction::Set("chains.right_arm.push_parent", -1.0)],
            ),
        Step::new(
            "Push comes before the triangle and stage 1, so that these restore the bone lengths within the same \
             iteration. The push is a share of v: a limb that is folded almost completely pushes little, so the loop \
             stays stable.",
        )
        .scene("push against a wall")
        .at(first(Stage::Push).within(0))
        .formula(),
    ],
};

pub(super) const REACH: Lesson = Lesson {
    key: "reach",
    title: "Reach",
    about: "Nearly straight limbs draw shoulder or hip along.",
    scene: "reach up and far",
    page: "algorithm/reach.md",
    steps: &[
        Step::new(
            "An arm that follows its target until it is straight snaps: the elbow moves fast, then stops. [Reach] \
             lets the shoulder follow before the arm is straight.",
        )
        .live(),
        Step::new(
            "The stage compares the distance from first to last node with the limb's length. Above 1 − r of this \
             length, it moves both nodes outward.",
        )
        .at(first(Stage::Push))
        .formula_after_task()
        .marks(&[Node::LeftUpperArm, Node::LeftHand])
        .highlights(&[NEXT])
        .task(
            "Go to stage reach in iteration 0.",
            "Press . once.",
            At(first(Stage::Reach)),
            &[ReferenceAction::Run(Command::NextStage)],
        ),
        Step::new(
            "r is the chain's reach times the position weight of its end and the master weight. At 0 the stage skips \
             the limb.",
        )
        .at(first(Stage::Reach).within(0))
        .formula()
        .controls(&["chains.left_arm.reach"])
        .task(
            "Switch the reach of the left arm off.",
            "Drag the slider to 0: the stage no longer moves the shoulder.",
            Parameter("chains.left_arm.reach", Below(1e-3)),
            &[ReferenceAction::Set("chains.left_arm.reach", 0.0)],
        ),
        Step::new("Reach acts once in each iteration, so its moves add up: more iterations draw the torso further.")
            .scene("reach up and far")
            .at(first(Stage::Reach))
            .highlights(&[Control::Button(Command::NextIteration), NEXT])
            .task(
                "Show the stage reach of iteration 2, the third.",
                "Press Shift+. twice, then . until the caption says reach.",
                At(Place::stage(Stage::Reach, 2)),
                &[ReferenceAction::Seek(Place::stage(Stage::Reach, 2))],
            ),
        Step::new("Here the target circles out of reach and back. Watch the elbow where the arm becomes straight.")
            .scene("target circles")
            .live()
            .controls(&["chains.left_arm.reach"])
            .task(
                "Make the arm straighten softly: raise reach to 0.4 or more.",
                "Drag the slider, and compare with 0. The plots (P) show the stretch over frames.",
                Parameter("chains.left_arm.reach", Above(0.39)),
                &[ReferenceAction::Set("chains.left_arm.reach", 0.5)],
            ),
    ],
};

pub(super) const PULL: Lesson = Lesson {
    key: "pull",
    title: "Pull",
    about: "How limbs share the torso when several of them pull it.",
    scene: "two hands at odds",
    page: "algorithm/iterations.md",
    steps: &[
        Step::new(
            "Both hands pull the torso, in opposite directions, and neither reaches its target. [Pull] sets how \
             strongly each limb draws the torso.",
        )
        .live(),
        Step::new("With equal pulls both hands miss by about the same. A limb without pull gives way.")
            .live()
            .controls(&["chains.left_arm.pull", "chains.right_arm.pull"])
            .task(
                "Bring the right hand to within 15 cm of its target.",
                "Lower the left arm's pull to 0.",
                Gap("right_hand", Below(0.15)),
                &[ReferenceAction::Set("chains.left_arm.pull", 0.0)],
            ),
        Step::new(
            "In stage 1 each limb requires a displacement of the body, to root length from the limb's first node. The \
             body moves by the sum of these, each times the limb's pull over P. P is the sum of all pulls, at least 1.",
        )
        .scene("two hands at odds")
        .at(first(Stage::Trigonometric))
        .formula_after_task()
        .marks(&[Node::Body])
        .highlights(&[NEXT, Control::Move(first(Stage::Stage1).after_last_move())])
        .task(
            "Step to stage 1, show its last move, that of the body, and look for P in the formula.",
            "Press . once. Then click the last bar in the row Moves, below the picture.",
            At(first(Stage::Stage1).after_last_move()),
            &[ReferenceAction::Seek(first(Stage::Stage1).after_last_move())],
        ),
        Step::new(
            "P is at least 1: if one limb has a pull of 0.5 and the others have 0, the body moves by half the \
             displacement that this limb requires. Four limbs with a pull of 1 have equal shares.",
        )
        .at(first(Stage::Stage1).after_last_move())
        .formula()
        .controls(&[
            "chains.left_arm.pull",
            "chains.right_arm.pull",
            "chains.left_leg.pull",
            "chains.right_leg.pull",
        ]),
        Step::new(
            "Before the loop, hand targets out of reach also move the whole body: pull body vertical lowers or lifts \
             it, pull body horizontal shifts it.",
        )
        .scene("one hand on the ground")
        .live()
        .controls(&["solver.pull_body_vertical", "solver.pull_body_horizontal"])
        .task(
            "Make the character bow instead of crouching.",
            "Set pull body vertical to 0: the hips stay up, the torso bends down.",
            Parameter("solver.pull_body_vertical", Below(0.01)),
            &[ReferenceAction::Set("solver.pull_body_vertical", 0.0)],
        ),
    ],
};

pub(super) const STAGE1: Lesson = Lesson {
    key: "stage1",
    title: "Stage 1",
    about: "From the ends to the body: FABRIK's forward reach.",
    scene: "reach and brace",
    page: "algorithm/stage1.md",
    steps: &[
        Step::new(
            "Stage 1 is the [forward reach] of every limb: the end stays, elbow or knee and then shoulder or hip move \
             until the bones have their lengths. A limb whose bones already have their lengths does not move.",
        )
        .at(first(Stage::Trigonometric))
        .formula_after_task()
        .highlights(&[NEXT])
        .task(
            "Go to stage 1 in iteration 0, the first.",
            "Press . once.",
            At(first(Stage::Stage1)),
            &[ReferenceAction::Run(Command::NextStage)],
        ),
        Step::new(
            "As in a single chain, the first node leaves its place: the left shoulder has moved toward its hand. This \
             deforms the torso, which all limbs share.",
        )
        .at(first(Stage::Stage1))
        .marks(&[Node::LeftUpperArm, Node::RightUpperArm]),
        Step::new(
            "At its end the stage solves the child constraints once and moves the body toward the mean of the positions \
             that the limbs require, weighted by pull. FABRIK has the same rule for joints where branches meet.",
        )
        .at(first(Stage::Stage1))
        .marks(&[Node::Body])
        .highlights(&[Control::Button(Command::NextIteration), NEXT])
        .task(
            "Find the stage of iteration 1, the second, in which the limbs draw the body again.",
            "Press Shift+. and then . until the caption says stage 1.",
            At(Place::stage(Stage::Stage1, 1)),
            &[ReferenceAction::Seek(Place::stage(Stage::Stage1, 1))],
        ),
        Step::new(
            "[Pin] holds the body against the pull of its limbs: 1 keeps it where it is. Here the feet stand too wide.",
        )
        .scene("pin the body")
        .live()
        .marks(&[Node::Body])
        .controls(&["chains.body.pin"])
        .task(
            "Bring both feet to within 2 cm of their targets.",
            "Lower pin to 0: the body sinks.",
            All(&[Gap("left_foot", Below(0.02)), Gap("right_foot", Below(0.02))]),
            &[ReferenceAction::Set("chains.body.pin", 0.0)],
        ),
        Step::new("Without the pull of the legs the body stays up too, but for another reason: no leg draws it.")
            .scene("crouch by feet")
            .live()
            .controls(&["chains.left_leg.pull", "chains.right_leg.pull"])
            .task(
                "Keep the body up without a pin.",
                "Set pull of both legs to 0.",
                All(&[
                    Parameter("chains.left_leg.pull", Below(0.01)),
                    Parameter("chains.right_leg.pull", Below(0.01)),
                    Moved(BODY, "body", When::Settled, Below(0.02)),
                ]),
                &[
                    ReferenceAction::Set("chains.left_leg.pull", 0.0),
                    ReferenceAction::Set("chains.right_leg.pull", 0.0),
                ],
            ),
    ],
};

pub(super) const STAGE2: Lesson = Lesson {
    key: "stage2",
    title: "Stage 2",
    about: "From the body to the ends: FABRIK's backward reach.",
    scene: "iterations 4",
    page: "algorithm/stage2.md",
    steps: &[
        Step::new(
            "Stage 1 has placed each limb from its end and deformed the torso: the diagonal from the right shoulder \
             to the left hip is too short, by 4 % on the built-in mannequin. Stage 2 repairs the torso first.",
        )
        .at(first(Stage::Stage1))
        .marks(&[Node::RightUpperArm, Node::LeftThigh]),
        Step::new(
            "Stage 2 solves the child constraints in 2 to 4 rounds: each constraint moves its two nodes toward their \
             animated distance. At a rigid constraint, the node of the limb with more [pull] moves less.",
        )
        .at(first(Stage::BodyEffectorsAgain))
        .marks(&[Node::RightUpperArm, Node::LeftThigh])
        .highlights(&[NEXT])
        .task(
            "Step to stage 2: the diagonal is short by less than 1 %.",
            "Press . once and read the numbers on the green dashed lines.",
            All(&[At(first(Stage::Stage2)), Measure(BODY, DIAGONAL, When::Cursor, Above(-0.01))]),
            &[ReferenceAction::Run(Command::NextStage)],
        ),
        Step::new(
            "Then the [backward reach] places each limb from the torso to its end. All limb bones have their lengths \
             again, and hands that cannot reach are off their targets.",
        )
        .at(first(Stage::Stage2))
        .formula()
        .marks(&[Node::LeftHand, Node::RightHand])
        .highlights(&[Control::Step(Place::stage(Stage::Stage2, 3))])
        .task(
            "Show stage 2 of iteration 3, the last, and compare how far the hands are off target.",
            "Click the last cell st 2 in the strip, or press Shift+. three times and then . until stage 2.",
            At(Place::stage(Stage::Stage2, 3)),
            &[ReferenceAction::Seek(Place::stage(Stage::Stage2, 3))],
        ),
        Step::new(
            "The diagonals only push: they keep the torso from caving in, by the [spine stiffness]. Here the \
             stiffness is 0, and both arms pull the shoulders down.",
        )
        .scene("spine stiffness")
        .at(Place::stage(Stage::Stage2, 3))
        .marks(&[Node::LeftUpperArm, Node::RightUpperArm, Node::LeftThigh, Node::RightThigh])
        .controls(&["solver.spine_stiffness"])
        .task(
            "Make the torso stiff: the diagonals are short by less than 20 %.",
            "Raise spine stiffness to 1 and watch the numbers on the green diagonals.",
            Measure(BODY, DIAGONAL, When::Settled, Above(-0.2)),
            &[ReferenceAction::Set("solver.spine_stiffness", 1.0)],
        ),
        Step::new(
            "Why both stages: stage 1 keeps hands on their targets and deforms the torso, stage 2 restores the torso \
             and moves hands off their targets. With each repetition, stage 1 deforms the torso less and stage 2 \
             leaves the hands nearer to their targets.",
        )
        .scene("iterations 4")
        .at(first(Stage::Stage2)),
    ],
};
