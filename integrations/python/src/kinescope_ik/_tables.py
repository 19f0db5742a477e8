"""Names and settings of the library. Generated from kinescope.h by generate.py; do not edit."""

from __future__ import annotations

from ._fields import ChainMethods, Choice, EffectorMethods, Fields, Flag, Group, Groups, Number, OptionalRotation
from ._fields import LiveFields, ModifierFields, OptionalVector, Vector, Whole

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
    # Places the nodes at the animated bones, after the bend limit and with one-frame offsets.
    "read",
    # Moves hands and feet to their targets.
    "end_effectors",
    # Lets compressed limbs push their first node and the body away.
    "push",
    # Moves the first and last node of nearly straight limbs in the direction from first to last.
    "reach",
    # Moves body, shoulders and thighs toward their targets.
    "body_effectors",
    # Places elbows and knees by the lengths of their bones.
    "trigonometric",
    # Forward reach of FABRIK: every limb from its end, then the child constraints once, then the body.
    "stage1",
    # Moves body, shoulders and thighs toward their targets once more.
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
GROUNDINGS = (
    # Foot IK: one ray down at each foot.
    "foot_ik",
    # Predictive grounding: casts where each foot will be, by its velocity.
    "predictive",
)
"""How feet find the ground."""
GROUPINGS = (
    # By constraint, effector or pass of a limb, over all iterations.
    "cause",
    # By the name of the step, over all iterations.
    "stage",
    # By the chain, limb or part of the character that the cause belongs to.
    "chain",
    # By iteration, with the steps before and after the iterations as one group.
    "iteration",
)
"""How the moves of a solve are grouped."""
QUALITIES = (
    # One ray per foot at its predicted position; a ray for the root.
    "fastest",
    # Three rays per foot, and a ray for the root; the ground is the plane through the hits.
    "simple",
    # A ray, a capsule along the predicted path and three rays under each foot; a sphere for the root.
    "best",
)
"""How closely the predictive grounder looks at the ground."""
SIDES = (
    # The character's left.
    "left",
    # The character's right.
    "right",
)
"""A side of the character."""
AIMS = (
    # The eyes.
    "eyes",
    # The left hand.
    "left_hand",
    # The right hand.
    "right_hand",
)
"""The eyes or the hand that points at the target of a look-at."""
MODIFIERS = (
    # A shot throws hands, shoulders and body back, and turns the weapon up.
    "recoil",
    # One hand holds on to the object that the other carries, as far as its arm reaches.
    "two_handed_grip",
    # A blow moves nearby effectors, and turns spine and head.
    "hit_reaction",
    # Effectors lag behind their animated motion, and overshoot its end.
    "inertia",
    # The chest rises and falls, the body sways.
    "breathing",
    # Spine, neck and head turn the eyes to a target, or the spine points a hand at it.
    "look_at",
    # An effector moves to a point, holds it while the point moves, and lets go.
    "reach_for",
    # Effectors follow keys over time.
    "keyed",
    # Moves the head to a target; body, thighs and hands follow, spine and neck bend.
    "head",
    # A hock, or a second elbow, shares the bend of its limb.
    "four_bones",
    # Turns elbows by the hands' positions and rotations; spreads the hands' twist over the forearms.
    "arm_bending",
)
"""The kinds of modifiers."""
CHAIN_SOLVERS = (
    # Rotates one bone after another, from the last to the first; each rotation turns the end toward the target.
    "ccd",
    # As CCD, but starts with the last two bones and adds one more each time: the bones near the end bend most.
    "ccd_growing",
    # Places the joints from the target back, then from the root on, and repeats both.
    "fabrik",
    # Solves the triangle of two bones and target in one step, by the law of cosines.
    "two_bone",
)
"""Algorithms that solve a single chain."""
WEIGHTINGS = (
    # On the target: the solver aims at a point between end and target.
    "target",
    # In each pass: the end reaches the target in more iterations. The two-bone solver has no passes and weights its target.
    "passes",
)
"""Where a weight below 1 acts in a solver of chains that iterates."""
CCD_TURNS = (
    # In model space, from the left; correct.
    "model",
    # In local space, by the model-space rotation, as in the code of *Animation programming notes*.
    "notes_local",
    # From the right: code for a library that multiplies left to right, read with the other order.
    "book_misread",
)
"""How CCD applies its rotations. All except the first reproduce misreadings of a source, for comparison."""
MAP_TURNS = (
    # By the shortest swing in model space; correct.
    "model",
    # About the parent's axes, not the bone's: code for a library that multiplies left to right, read right to left.
    "book_misread",
    # As *Animation programming notes* correct that code, which rotates no bone.
    "notes_correction",
)
"""How FABRIK rotates the bones. All except the first reproduce misreadings of a source, for comparison."""
BEND_RULES = (
    # Reflects a bone that bends against the normal; reaches every target within reach.
    "mirror",
    # Rotates a bone by two degrees about x, as in that source; the normal's direction has no effect.
    "literal",
)
"""How FABRIK applies its bend rule. The second is the rule of *FABRIK with a bend rule*, for comparison."""
STOPPED_BY = (
    # Reached: within the tolerance.
    "tolerance",
    # No change: the last iteration hardly moved the joint with the target.
    "no_change",
    # Out of reach: the chain is stretched or folded toward the target.
    "unreachable",
    # All iterations used.
    "max_iterations",
    # Closed form, off the target because of soft zone, maximum stretch, limits or rounding.
    "closed_form",
    # Weight 0: not solved.
    "no_weight",
    # The joints reached the target; the rotations miss it.
    "lost_in_map",
)
"""Why the solve of a chain stopped."""
BONES = (
    # All bones that the solver moves or carries.
    "all",
    # Only the bones of kinescope_solver_written_bones. The caller carries the other bones along, for example by computing local poses or skinning matrices. A character with modifiers gets all bones.
    "key",
)
"""The bones that a solve of many characters writes."""
ENGINE_AXES = (
    # Right-handed, +Y up: this library, glTF, Bevy, Godot, Maya.
    "right_handed_y_up",
    # Left-handed, +Y up, facing +Z: Unity.
    "left_handed_y_up",
    # Left-handed, +Z up, facing +X with +Y to the right: Unreal.
    "left_handed_z_up",
    # Right-handed, +Z up, facing -Y: Blender.
    "right_handed_z_up",
)
"""The axes of some engines."""
CONDITIONS = (
    # An elbow, knee or chain joint turns to the other side of its limb: by more than 90 degrees in one frame.
    "flip",
    # An elbow, knee or chain joint turns about its limb by more than `bend_turn_degrees` in one frame.
    "bend_turn",
    # A bone's ends are closer or farther apart than the bone is long, by more than `bone_length_fraction`.
    "bone_length",
    # An iteration increases an error by more than `error_rise_fraction`.
    "error_rises",
    # A target that was in reach in the previous frame is out of reach.
    "leaves_reach",
    # A coordinate is infinite or NaN.
    "not_finite",
    # The rotation of a joint per frame changes by more than `jerk_degrees`.
    "jerk",
    # A planted foot has slid by more than `slide_metres` since it landed.
    "foot_slide",
)
"""A break condition."""
MISSES = (
    # The bone ends short of the target.
    "short",
    # The bone ends beyond the target.
    "past",
    # The bone ends to the side of the target.
    "aside",
)
"""How a bone misses its target."""
REASONS = (
    # The target is further from the limb's first bone than the limb is long.
    "too_far",
    # The target is nearer than the limb can fold, because its bones differ in length.
    "too_near",
    # The effector's position weight times the master weight is below 1.
    "weight",
    # The mapping weight of the limb is below 1.
    "mapping",
    # None of the other reasons holds, so the constraints of the rest of the body keep the bone off.
    "body",
)
"""Why a bone misses its target."""
MOTION_MEASURES = (
    # The largest rotation of an elbow, knee or chain joint about its limb from one frame to the next; radians.
    "bend_turn",
    # The largest second difference of a joint's angle over three frames, as in KinescopePop; radians.
    "jerk",
    # The largest distance that a planted foot slides from landing to lifting, or to the end of the recording; model units.
    "foot_slide",
)
"""A measure of a whole recording."""


class SolverSettings(Fields):
    """Parameters of the whole solver."""

    __slots__ = ()

    weight = Number("Master weight of the solve: scales effector weights, offsets, bend weights, bend limit and maintained rotations. From 0 to 1, by default 1.")
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
    reach = Number("How far a nearly straight limb draws its shoulder or hip toward hand or foot. From 0 to 1, by default 0.1.")
    reach_smoothing = Choice(SMOOTHINGS, "Smoothing of the reach.")
    scale_free_reach = Flag("Whether reach is the same in every unit of length: limited by the limb's stretch, not by the distance of its ends.")
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
    position_offset = Vector("Offset added to the animated position, in model space; usually set anew for each frame.")
    maintain_relative_position = Number("How much hand or foot follows the torso, as far as its position weight is below 1. From 0 to 1, by default 0.")


class SettingsFields(Fields):
    """All parameters of one solve."""

    __slots__ = ()

    solver = Group(SolverSettings, "Settings of the whole solver.")
    pin = Number("How much the body node resists the limbs' pull in stage 1. From 0 to 1, by default 0.")
    chains = Groups(ChainSettings, LIMBS, "Indexed by LIMBS.")
    effectors = Groups(EffectorSettings, EFFECTORS, "Indexed by EFFECTORS.")


class FootIkSettings(LiveFields):
    """Settings of foot IK: one ray down at each foot."""

    __slots__ = ()

    enable_feet_ik = Flag("Whether the foot IK runs.")
    height_from_ground_raycast = Number("Height over the root's level at which rays begin. From 0 to 2 metres, by default 1.2.")
    raycast_down_distance = Number("Length of the rays below the root's level. From 0 to 2 metres, by default 1.5.")
    pelvis_offset = Number("Offset of feet and pelvis above the ground. From -1 to 1 metres, by default 0.")
    pelvis_up_and_down_speed = Number("Share of its remaining distance that the pelvis moves per 1/60 s. From 0 to 1, by default 0.28.")
    feet_to_ik_position_speed = Number("Share of its remaining distance that a foot moves per 1/60 s. From 0 to 1, by default 0.5.")
    left_foot_angle_offset = Number("Rotation of the left foot about the up axis, if feet turn with the ground. From 0 to 100 degrees, by default 0.")
    right_foot_angle_offset = Number("Rotation of the right foot about the up axis, if feet turn with the ground. From 0 to 100 degrees, by default 0.")
    rotate_feet = Flag("Whether feet turn with the ground.")


class PredictiveSettings(LiveFields):
    """Settings of the predictive grounder."""

    __slots__ = ()

    max_step = Number("Largest step up or down. 0 leaves the feet as animated. From 0 to 2 metres, by default 0.5.")
    foot_speed = Number("A foot moves to the height of its ground at this speed plus, per second, this many times the remaining distance. From 0 to 50 metres per second, by default 2.5.")
    foot_radius = Number("Half the foot's width, and distance of its middle ahead of the ankle. From 0 to 2 metres, by default 0.15.")
    prediction = Number("Time ahead for which the foot's position is predicted. From 0 to 1 seconds, by default 0.05.")
    foot_center_offset = Number("Offset of the middle of the foot, forward. From -1 to 1 metres, by default 0.")
    invert_foot_center = Flag("Whether the middle of the foot and the ray under it are behind the foot bone: for legs that bend backward.")
    height_offset = Number("Offset of both feet above the ground. From -1 to 1 metres, by default 0.")
    foot_rotation_weight = Number("How much feet turn to the ground. From 0 to 1, by default 1.")
    foot_rotation_speed = Number("How fast feet turn to the ground: fraction of the remaining rotation per second. From 0 to 50 times a second, by default 7.")
    max_foot_rotation_angle = Number("Largest angle by which a foot turns to the ground. From 0 to 90 degrees, by default 45.")
    pelvis_speed = Number("How fast the pelvis follows the feet: fraction of the remaining distance per second. From 0 to 50 times a second, by default 5.")
    pelvis_damper = Number("Fraction of the root's rise and fall that the pelvis does not follow at first. From 0 to 1, by default 0.5.")
    root_sphere_cast_radius = Number("Radius of the sphere that checks for ground below the character at quality best; the other qualities cast a ray. From 0 to 1 metres, by default 0.1.")
    lower_pelvis_weight = Number("How much the pelvis follows the lower foot down. From 0 to 1, by default 1.")
    lift_pelvis_weight = Number("How much the pelvis follows the higher foot up. From 0 to 1, by default 0.")
    overstep_falls_down = Flag("Whether a foot over an edge goes down a full step; otherwise it stays at the root's level.")
    quality = Choice(QUALITIES, "Number and shape of the casts at the ground.")


class LockSettings(LiveFields):
    """Settings of the foot lock."""

    __slots__ = ()

    on = Flag("Whether planted feet are held.")
    weight = Number("Fraction of a foot's sliding that is cancelled. From 0 to 1, by default 1.")
    distance = Number("Distance from the grounder's goal at which a held foot is let go. From 0 to 10 metres, by default 0.25.")
    angle = Number("Rotation about up since landing at which a foot is let go. From 0 to 180 degrees, by default 60.")
    time = Number("Time of standing after which a foot is let go; 0 disables the limit. From 0 to 600 seconds, by default 0.")
    ease = Number("Time in which a foot that was let go returns to the grounder's goal; after it, 2 % of the offset remains. From 0 to 10 seconds, by default 0.25.")


class FootprintSettings(LiveFields):
    """Settings that control how steps are shifted to even ground."""

    __slots__ = ()

    shift = Number("Largest shift of a step, forward or back. From 0 to 1 metres, by default 0.14.")
    even = Number("Largest height difference under the sole at which ground counts as even. From 0 to 1 metres, by default 0.03.")
    overhang = Number("Fraction of the sole that may stick out over an edge. From 0 to 1, by default 0.35.")
    step = Number("How far above the landing foot and below the root's level casts look for ground. From 0 to 5 metres, by default 0.5.")


class DriveWeights(LiveFields):
    """Weights of a grounding's effect on the bones."""

    __slots__ = ()

    pelvis = Number("Share of the pelvis's offset that the whole body takes. From 0 to 1, by default 1.")
    left_foot_position = Number("How much the left foot moves to its ground; multiplied by the leg's weight. From 0 to 1, by default 1.")
    right_foot_position = Number("How much the right foot moves to its ground; multiplied by the leg's weight. From 0 to 1, by default 1.")
    left_foot_rotation = Number("How much the left foot turns to its ground; multiplied by the leg's weight. From 0 to 1, by default 1.")
    right_foot_rotation = Number("How much the right foot turns to its ground; multiplied by the leg's weight. From 0 to 1, by default 1.")


class SpeedSettings(LiveFields):
    """Thresholds from the speed of a foot bone to its weight."""

    __slots__ = ()

    planted_speed = Number("Speed of the bone up to which a foot stands: weight 1. From 0 to 50 metres per second, by default 0.3.")
    swing_speed = Number("Speed from which a foot swings: weight 0. From 0 to 50 metres per second, by default 1.")
    smoothing = Number("Time constant of the filter that smooths the bone's velocity. From 0 to 1 seconds, by default 0.05.")


class ChainIkFields(Fields):
    """Settings of a single chain's solve."""

    __slots__ = ()

    solver = Choice(CHAIN_SOLVERS, "Solver of the chain.")
    weight = Number("How far the end moves toward the target. From 0 to 1, by default 1.")
    weighting = Choice(WEIGHTINGS, "Where a weight below 1 acts: on the target, or in each pass.")
    tolerance = Number("Distance from the target within which the end has arrived. From 0 to 1000 model units, by default 0.00001.")
    change_tolerance = Number("Movement of the end at or below which an iteration made no progress and may end the solve. From 0 to 1000 model units, by default 0.0000001.")
    max_iterations = Whole("Largest number of iterations of a solve. From 0 to 1000, by default 15.")
    limits = Flag("Whether the bones' limits apply.")
    accelerate = Flag("Whether iterations may end with a direct solve of the bend's amplitude or one joint's angle, which saves iterations.")
    plane = OptionalVector("Normal of the plane through the root in which the chain stays as far as limits allow (2D mode); model space. Without one, the chain is solved in 3D.")
    ccd_turn = Choice(CCD_TURNS, "How CCD applies its rotations.")
    map_turn = Choice(MAP_TURNS, "How FABRIK rotates the bones to the solved joints.")
    bend_normal = OptionalVector("Direction along which the cross product of neighbouring bones should point; model space.")
    bend_rule = Choice(BEND_RULES, "How FABRIK applies the bend rule.")
    bend_goal = OptionalVector("Point that the middle joint of two bones turns to (pole vector or pole target); model space.")
    maximum_stretch = Number("Largest reach of two bones, as a fraction of their length. From 0.5 to 2, by default 1.")
    soft_zone = Number("Last fraction of a two-bone chain's reach, in which the end slows down. From 0 to 0.5, by default 0.")
    rotations = Flag("Whether the bones' rotations follow the solved positions.")


class Recoil(ModifierFields):
    """A shot throws hands, shoulders and body back, and turns the weapon up."""

    __slots__ = ()

    off = Flag("Whether the modifier is off.")
    weight = Number("Weight of the whole effect. From 0 to 1, by default 1.")
    hand = Choice(SIDES, "The hand that fires.")
    both_hands = Flag("Whether the other hand is also on the weapon and follows it.")
    kick = Number("How far a shot throws the hand back, as a fraction of the character's height from foot to head. From 0 to 1, by default 0.055.")
    rise = Number("How far a shot turns the weapon up. From -90 to 90 degrees, by default 8.")
    shoulders = Number("How much of the kick the shoulders take. From 0 to 1, by default 0.5.")
    body = Number("How much of the kick the body takes. From 0 to 1, by default 0.15.")
    attack = Number("Time from the shot to the peak. From 0 to 2 seconds, by default 0.04.")
    release = Number("Time from the peak back to the aim. From 0 to 10 seconds, by default 0.35.")
    interval = Number("Time between automatic shots; 0 disables them. From 0 to 60 seconds, by default 0.")


class TwoHandedGrip(ModifierFields):
    """One hand holds on to the object that the other carries, as far as its arm reaches."""

    __slots__ = ()

    off = Flag("Whether the modifier is off.")
    weight = Number("How much the other hand holds on. From 0 to 1, by default 1.")
    hand = Choice(SIDES, "The leading hand; the other one holds on.")
    position = OptionalVector("Position of the grip in the space of the leading hand.")
    rotation = OptionalRotation("Rotation of the other hand in the space of the leading hand.")
    rotation_weight = Number("How much the other hand takes the grip's rotation. From 0 to 1, by default 1.")
    turns = Number("How much the grip turns with the leading hand, if its written rotation differs from the requested one. From 0 to 1, by default 1.")


class HitReaction(ModifierFields):
    """A blow moves nearby effectors, and turns spine and head."""

    __slots__ = ()

    off = Flag("Whether the modifier is off.")
    weight = Number("Weight of the whole reaction. From 0 to 1, by default 1.")
    force = Number("How far an automatic blow or a click throws the struck place, as a fraction of the character's height. From 0 to 1, by default 0.08.")
    radius = Number("Distance over which a blow fades, as a fraction of the character's height. From 0.01 to 10, by default 0.3.")
    hands = Number("How much a hand follows its shoulder. From 0 to 1, by default 0.7.")
    spine = Number("How far a blow of force 0.07 or more bends the spine. From 0 to 90 degrees, by default 14.")
    twist = Number("Largest twist of the spine, by a blow of force 0.07 or more to its side. From 0 to 90 degrees, by default 12.")
    head = Number("How far a blow of force 0.07 or more bends neck and head relative to the spine. From 0 to 90 degrees, by default 16.")
    lag = Number("Delay of the head after the body. From 0 to 1 seconds, by default 0.05.")
    attack = Number("Time from the blow to the peak. From 0 to 2 seconds, by default 0.07.")
    release = Number("Time from the peak back to the animation. From 0 to 10 seconds, by default 0.55.")
    interval = Number("Time between automatic blows, from different sides in turn. 0 disables them. From 0 to 60 seconds, by default 0.")


class Inertia(ModifierFields):
    """Effectors lag behind their animated motion, and overshoot its end."""

    __slots__ = ()

    off = Flag("Whether the modifier is off.")
    weight = Number("Weight of the whole effect. From 0 to 1, by default 1.")
    frequency = Number("Oscillations of the spring per second: how tightly it follows. From 0.1 to 30 times a second, by default 2.5.")
    damping = Number("Damping ratio: how soon oscillation ends; from 1 on, effectors overshoot once without oscillating. From 0 to 4, by default 0.5.")
    body = Number("How much of the lag the body takes. From 0 to 1, by default 0.5.")
    shoulders = Number("How much of the lag the shoulders take. From 0 to 1, by default 0.5.")
    hands = Number("How much of the lag the hands take. From 0 to 1, by default 1.")
    farthest = Number("Largest displacement, as a fraction of the character's height from foot to head. From 0 to 10, by default 0.15.")


class Breathing(ModifierFields):
    """The chest rises and falls, the body sways."""

    __slots__ = ()

    off = Flag("Whether the modifier is off.")
    weight = Number("Weight of breathing and sway. From 0 to 1, by default 1.")
    rate = Number("Breaths per second. From 0 to 5 times a second, by default 0.25.")
    depth = Number("Depth of a breath, as a fraction of the height from foot to head: shoulders rise by 0.7 of it and move forward by 0.5. From 0 to 1, by default 0.008.")
    lean = Number("How far the spine straightens with a breath. From 0 to 45 degrees, by default 1.5.")
    sway = Number("How far the body sways over its feet, as a fraction of the character's height. From 0 to 1, by default 0.006.")
    sway_rate = Number("How often the body sways per second. From 0 to 5 times a second, by default 0.2.")


class LookAt(ModifierFields):
    """Spine, neck and head turn the eyes to a target, or the spine points a hand at it."""

    __slots__ = ()

    off = Flag("Whether the modifier is off.")
    weight = Number("Weight of the whole rotation. From 0 to 1, by default 1.")
    target = OptionalVector("Target in the space of the poses. Without one, nothing turns.")
    aims = Choice(AIMS, "The eyes or the hand that points at the target.")
    spine = Number("How much of the rotation the spine takes. From 0 to 1, by default 0.35.")
    head = Number("How much of the remaining rotation neck and head take. From 0 to 1, by default 1.")
    neck = Number("How much of the rotation of neck and head the neck takes. From 0 to 1, by default 0.5.")
    spine_limit = Number("Largest angle, from the direction that the character faces, to which the spine follows the target. From 0 to 180 degrees, by default 45.")
    neck_limit = Number("Largest angle, from the direction that the chest faces, to which the neck follows the target. From 0 to 180 degrees, by default 60.")
    head_limit = Number("Largest angle of the eyes from the direction that the chest faces. From 0 to 180 degrees, by default 75.")


class ReachFor(ModifierFields):
    """An effector moves to a point, holds it while the point moves, and lets go."""

    __slots__ = ()

    off = Flag("Whether the modifier is off.")
    weight = Number("Weight of the whole reach. From 0 to 1, by default 1.")
    effector = Choice(EFFECTORS, "The effector that reaches.")
    position = OptionalVector("The point, in the space of the poses. Without one, no effector moves.")
    to = OptionalVector("Position of the point when the effector lets go, in the space of the poses. Without one, the point stays.")
    rotation = OptionalRotation("Rotation of hand or foot at the point, in the space of the poses.")
    position_weight = Number("Position weight while holding. From 0 to 1, by default 1.")
    rotation_weight = Number("Rotation weight while holding. From 0 to 1, by default 0.")
    approach = Number("Time that the effector takes to the point. From 0 to 60 seconds, by default 0.5.")
    hold = Number("Time that the effector stays at the point. From 0 to 600 seconds, by default 0.8.")
    release = Number("Time of the way back to the animation after letting go. From 0 to 60 seconds, by default 0.6.")
    interval = Number("Time between automatic reaches; 0 disables them. From 0 to 600 seconds, by default 0.")


class KeyedFields(ModifierFields):
    """Effectors follow keys over time."""

    __slots__ = ()

    off = Flag("Whether the modifier is off.")
    weight = Number("Weight of all keys. From 0 to 1, by default 1.")
    in_world = Flag("Whether keys are in world space; otherwise they are relative to the character.")


class HeadFields(ModifierFields):
    """Moves the head to a target; body, thighs and hands follow, spine and neck bend."""

    __slots__ = ()

    off = Flag("Whether the modifier is off.")
    position = OptionalVector("Target in the space of the poses; without it the head's position in the animated pose.")
    rotation = OptionalRotation("Target rotation in the space of the poses; without it the head's rotation in the animated pose.")
    position_weight = Number("How strongly the head moves to the target. From 0 to 1, by default 1.")
    rotation_weight = Number("How much the head takes the target rotation. From 0 to 1, by default 0.")
    body = Number("How much the body follows the head's displacement. From 0 to 1, by default 0.8.")
    thighs = Number("How much the thighs follow the body. From 0 to 1, by default 1.")
    hands = Number("How much hands without a target follow the head's displacement. From 0 to 1, by default 0.5.")
    bend = Number("How much of the head's rotation is spread over spine and neck. From 0 to 1, by default 0.6.")
    spine_weight = Number("How much spine and neck bend toward the target, except bones with their own weight. From 0 to 1, by default 0.6.")
    damper = Number("How much a bone's rotation is damped in each round of CCD, except bones with their own damper. From 0 to 1, by default 0.3.")
    stretch = Number("How far the neck may stretch, as a fraction of the character's height from foot to head. From 0 to 1, by default 0.")
    settle = Number("Share of the head's remaining distance to its target that the pelvis covers. From 0 to 1, by default 1.")
    chest_direction = OptionalVector("Direction that the chest faces, in the space of the poses; of any length but 0.")
    chest_weight = Number("How much the chest turns to the chest direction. From 0 to 1, by default 1.")


class FourBones(ModifierFields):
    """A hock, or a second elbow, shares the bend of its limb."""

    __slots__ = ()

    off = Flag("Whether the modifier is off.")
    legs = Number("How much of a leg's bend the hock takes; the knee takes the rest. From 0 to 1, by default 0.5.")
    arms = Number("How much of an arm's bend the inner joint takes; the elbow takes the rest. From 0 to 1, by default 0.5.")


class ArmBending(ModifierFields):
    """Turns elbows by the hands' positions and rotations; spreads the hands' twist over the forearms."""

    __slots__ = ()

    off = Flag("Whether the modifier is off.")
    left = Number("Weight of the left arm. From 0 to 1, by default 1.")
    right = Number("Weight of the right arm. From 0 to 1, by default 1.")
    hand = Number("How much the hand's rotation affects the elbow. From 0 to 1, by default 0.5.")
    twist = Number("How much of the hand's twist is spread over the forearm. From 0 to 1, by default 1.")
