# Generated from the tables of kinescope-ik; do not edit. To generate again: KINESCOPE_WRITE_MIRRORS=1 cargo test -p kinescope-ik --test library mirrors
"""Names and settings of the library."""

from __future__ import annotations

from ._fields import ChainMethods, Choice, EffectorMethods, Fields, Flag, Number, OptionalRotation, OptionalVector
from ._fields import Group, Groups, Vector, Whole

NODES = (
    # The middle of the torso: the bone of Biped.root_node.
    "body",
    # The left shoulder joint.
    "left_upper_arm",
    # The left elbow.
    "left_forearm",
    # The left wrist.
    "left_hand",
    # The right shoulder joint.
    "right_upper_arm",
    # The right elbow.
    "right_forearm",
    # The right wrist.
    "right_hand",
    # The left hip joint.
    "left_thigh",
    # The left knee.
    "left_calf",
    # The left ankle.
    "left_foot",
    # The right hip joint.
    "right_thigh",
    # The right knee.
    "right_calf",
    # The right ankle.
    "right_foot",
)
"""The 13 points that a solve moves: one of the body, and three of each limb."""
EFFECTORS = (
    # On the node `body`; moves both thighs too.
    "body",
    # On the left upper arm's node.
    "left_shoulder",
    # On the right upper arm's node.
    "right_shoulder",
    # On the left thigh's node.
    "left_thigh",
    # On the right thigh's node.
    "right_thigh",
    # An end effector: on the left hand.
    "left_hand",
    # An end effector: on the right hand.
    "right_hand",
    # An end effector: on the left foot.
    "left_foot",
    # An end effector: on the right foot.
    "right_foot",
)
"""The effectors (IK goals), in the order of the settings."""
LIMBS = (
    # From the left upper arm to the hand.
    "left_arm",
    # From the right upper arm to the hand.
    "right_arm",
    # From the left thigh to the foot.
    "left_leg",
    # From the right thigh to the foot.
    "right_leg",
)
"""The limbs, in the order of the settings."""
STAGES = (
    # Reads the animated pose into the nodes.
    "read",
    # Moves hands and feet to their targets.
    "end_effectors",
    # Lets compressed limbs push their first node and the body away.
    "push",
    # Lets nearly straight limbs draw their first node towards the target.
    "reach",
    # Moves body, shoulders and thighs towards their targets.
    "body_effectors",
    # Places elbows and knees by the lengths of their bones.
    "trigonometric",
    # Forward reach of FABRIK: every limb from its end, then the body.
    "stage1",
    # Moves body, shoulders and thighs towards their targets once more.
    "body_effectors_again",
    # Backward reach of FABRIK: the torso's constraints, then every limb from its root.
    "stage2",
    # Moves hands and feet to their targets a last time.
    "final_effectors",
    # Turns elbows and knees to their bend direction.
    "bend",
)
"""The stages of a solve, named as in traces."""
PARTS = (
    # Pelvis, spine and chest.
    "spine",
    # The head.
    "head",
    # The left clavicle and arm.
    "left_arm",
    # The right clavicle and arm.
    "right_arm",
    # The left leg.
    "left_leg",
    # The right leg.
    "right_leg",
)
"""The parts of the body, in the order in which a solve writes them to the bones; named as in traces."""
SMOOTHINGS = (
    # Linear: the force is unchanged.
    "none",
    # Squared, the default; called exponential in the source.
    "exponential",
    # Cubed.
    "cubic",
)
"""The functions by which push and reach weaken a small force."""


class SolverSettings(Fields):
    """Parameters of the whole solver."""

    __slots__ = ()

    weight = Number("Master weight of the solve: scales all weights and offsets of effectors, and the bend weights. From 0 to 1, by default 1.")
    iterations = Whole("Iterations of the main loop: push, reach, trigonometric, stage 1, stage 2. From 0 to 16, by default 4.")
    fabrik_pass = Flag("Whether limbs and torso pull each other.")
    spine_stiffness = Number("How much the torso's two diagonals resist shortening. From 0 to 1, by default 0.5.")
    pull_body_vertical = Number("How much hands that reach too far move the body up and down. From -1 to 1, by default 0.5.")
    pull_body_horizontal = Number("How much hands that reach too far move the body over the ground. From -1 to 1, by default 0.")
    spine_iterations = Whole("FABRIK iterations of the spine when the pose is written. From 1 to 65535, by default 3.")
    spine_twist_weight = Number("How much of the shoulders' twist is spread along the spine. From 0 to 1, by default 1.")
    head_maintain_rotation = Number("How much the head keeps the rotation it has in the animation. From 0 to 1, by default 0.")


class ChainSettings(ChainMethods):
    """Parameters of one limb."""

    __slots__ = ()

    pull = Number("How strongly this limb pulls the torso, relative to the other limbs. From 0 to 1, by default 1.")
    push = Number("How strongly the limb, when compressed, pushes its shoulder or hip away. From 0 to 1, by default 0.")
    push_parent = Number("How much of the push moves the body. From -1 to 1, by default 0.")
    push_smoothing = Choice(SMOOTHINGS, "Smoothing of the push.")
    reach = Number("How far a nearly straight limb draws its shoulder or hip towards the target. From 0 to 1, by default 0.1.")
    reach_smoothing = Choice(SMOOTHINGS, "Smoothing of the reach.")
    scale_free_reach = Flag("Whether reach is the same in every unit of length: limited by the limb's stretch, not its length.")
    bend_weight = Number("Weight of the bend goal (pole vector) or bend direction against the natural bend direction. From 0 to 1, by default 0.")
    bend_goal = OptionalVector("Point in model space that elbow or knee turns to, also called pole vector or pole target.")
    bend_direction = OptionalVector("Direction in model space that elbow or knee points in, of any length but 0. A bend goal takes precedence.")
    clamp_smoothing = Whole("Number of sine iterations that smooth the bend limit (clampSmoothing in the source). From 0 to 2, by default 0.")
    mapping_weight = Number("How much of the solved limb is written to its bones. From 0 to 1, by default 1.")
    maintain_rotation = Number("How much hand or foot keeps its animated rotation. From 0 to 1, by default 0.")


class EffectorSettings(EffectorMethods):
    """Parameters of one effector. A position weight without a position pins hand or foot to its animated position."""

    __slots__ = ()

    position = OptionalVector("Target in model space; None means the position of the effector's bone in the input pose.")
    rotation = OptionalRotation("Target rotation in model space; None means the rotation of the effector's bone in the input pose.")
    position_weight = Number("How strongly the effector moves its node to the target. From 0 to 1, by default 0.")
    rotation_weight = Number("How much hand or foot takes the target rotation; elbow or knee turns accordingly. From 0 to 1, by default 0.")
    position_offset = Vector("Offset added to the animated position for one frame, in model space.")
    maintain_relative_position = Number("How much hand or foot, at position weight 0, follows the torso. From 0 to 1, by default 0.")


class SettingsFields(Fields):
    """All parameters of one solve."""

    __slots__ = ()

    solver = Group(SolverSettings, "Settings of the whole solver.")
    pin = Number("How much the body node resists the limbs' pull in stage 1. From 0 to 1, by default 0.")
    chains = Groups(ChainSettings, LIMBS, "Indexed by LIMBS.")
    effectors = Groups(EffectorSettings, EFFECTORS, "Indexed by EFFECTORS.")
