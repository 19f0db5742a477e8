// Generated from integrations/c/include/kinescope.h; do not edit. To generate again: KINESCOPE_WRITE_HEADER=1 cargo test the_header
// in integrations/c.

using System;
using System.Runtime.InteropServices;

namespace Kinescope
{
    /// <summary>The result of a call: 0 or above on success, below 0 on failure. After a failure, `kinescope_last_error` has the reason, and output arguments are unchanged, except that a function that creates an object sets `out` to NULL.  Rules for every function. Pointers may be NULL only where the documentation says so, and for arrays of 0 elements; NULL elsewhere returns KINESCOPE_STATUS_BAD_ARGUMENT. Other pointers must point to as many elements of their declared type as documented, valid for the duration of the call. An object is valid from its `_new` until its `_free`; a call with a freed object, or with an object of another type, returns KINESCOPE_STATUS_BAD_ARGUMENT as long as fewer than 4096 objects were freed later. One thread at a time may use an object, except Solver, which is immutable and may be shared between threads. No function except kinescope_set_allocator keeps a pointer of the caller. No function throws or unwinds, and callbacks must not either.  Coordinates are in model space (relative to the character) unless the documentation names another space; right-handed, +Y up. Rotations are unit quaternions: in the input pose of a solve and in a character's transform, a length from 0.99 to 1.01 is normalized, any other is refused.</summary>
    public enum Status : int
    {
        /// <summary>Success. After a solve, the pose is the solved one.</summary>
        Done = 0,
        /// <summary>Nothing to do or to return. For example the master weight is 0, the last step is done, the buffer is too small, or no new data has arrived.</summary>
        NothingToDo = 1,
        /// <summary>The caller's Progress cancelled the work. There is no result, and `out` is NULL.</summary>
        Cancelled = 2,
        /// <summary>A pointer is NULL, an object was freed or is of another type, an index or number is out of range, a text is not UTF-8, or a name or address is invalid.</summary>
        BadArgument = -1,
        /// <summary>The bones do not form a biped or a chain, lack a role that retargeting needs, or differ in number from the bones of another argument.</summary>
        BadRig = -2,
        /// <summary>The pose has too few bones (in recorded frames also too many), or a bone that is not finite, too far away, or without a valid rotation.</summary>
        BadPose = -3,
        /// <summary>A setting or the number of an enum is out of its range, or a layer of a stack failed.</summary>
        BadSettings = -4,
        /// <summary>A preset, a chain file, a capsule, a line of a recording or a model could not be read or used.</summary>
        BadFile = -5,
        /// <summary>The workspace belongs to another solver or holds no pose, a call that must come first is missing, or the last line of a reader is not a frame.</summary>
        BadWorkspace = -6,
        /// <summary>The operating system reported an error: the file of a recording cannot be read or written, or no thread can be started.</summary>
        System = -7,
        /// <summary>A bug in Kinescope. The objects passed to the call must not be used again, except to free them.</summary>
        Defect = -8,
    }

    /// <summary>The eyes or the hand that points at the target of a look-at.</summary>
    public enum Aims : uint
    {
        /// <summary>The eyes.</summary>
        Eyes,
        /// <summary>The left hand.</summary>
        LeftHand,
        /// <summary>The right hand.</summary>
        RightHand,
    }

    /// <summary>How FABRIK applies its bend rule. The second is the rule of *FABRIK with a bend rule*, for comparison.</summary>
    public enum BendRule : uint
    {
        /// <summary>Reflects a bone that bends against the normal; reaches every target within reach.</summary>
        Mirror,
        /// <summary>Rotates a bone by two degrees about x, as in that source; the normal's direction has no effect.</summary>
        Literal,
    }

    /// <summary>The bones that a solve of many characters writes.</summary>
    public enum Bones : uint
    {
        /// <summary>All bones that the solver moves or carries.</summary>
        All,
        /// <summary>Only the bones of kinescope_solver_written_bones. The caller carries the other bones along, for example by computing local poses or skinning matrices. A character with modifiers gets all bones.</summary>
        Key,
    }

    /// <summary>How CCD applies its rotations. All except the first reproduce misreadings of a source, for comparison.</summary>
    public enum CcdTurn : uint
    {
        /// <summary>In model space, from the left; correct.</summary>
        Model,
        /// <summary>In local space, by the model-space rotation, as in the code of *Animation programming notes*.</summary>
        NotesLocal,
        /// <summary>From the right: code for a library that multiplies left to right, read with the other order.</summary>
        BookMisread,
    }

    /// <summary>Algorithms that solve a single chain.</summary>
    public enum ChainSolver : uint
    {
        /// <summary>Rotates one bone after another, from the last to the first; each rotation turns the end toward the target.</summary>
        Ccd,
        /// <summary>As CCD, but starts with the last two bones and adds one more each time: the bones near the end bend most.</summary>
        CcdGrowing,
        /// <summary>Places the joints from the target back, then from the root on, and repeats both.</summary>
        Fabrik,
        /// <summary>Solves the triangle of two bones and target in one step, by the law of cosines.</summary>
        TwoBone,
    }

    /// <summary>A break condition.</summary>
    public enum Condition : uint
    {
        /// <summary>An elbow, knee or chain joint turns to the other side of its limb: by more than 90 degrees in one frame.</summary>
        Flip,
        /// <summary>An elbow, knee or chain joint turns about its limb by more than `bend_turn_degrees` in one frame.</summary>
        BendTurn,
        /// <summary>A bone's ends are closer or farther apart than the bone is long, by more than `bone_length_fraction`.</summary>
        BoneLength,
        /// <summary>An iteration increases an error by more than `error_rise_fraction`.</summary>
        ErrorRises,
        /// <summary>A target that was in reach in the previous frame is out of reach.</summary>
        LeavesReach,
        /// <summary>A coordinate is infinite or NaN.</summary>
        NotFinite,
        /// <summary>The rotation of a joint per frame changes by more than `jerk_degrees`.</summary>
        Jerk,
        /// <summary>A planted foot has slid by more than `slide_metres` since it landed.</summary>
        FootSlide,
    }

    /// <summary>The effectors (IK goals), in the order of the settings.</summary>
    public enum Effector : uint
    {
        /// <summary>On the node `body`; moves both thighs too.</summary>
        Body,
        /// <summary>On the left upper arm's node.</summary>
        LeftShoulder,
        /// <summary>On the right upper arm's node.</summary>
        RightShoulder,
        /// <summary>On the left thigh's node.</summary>
        LeftThigh,
        /// <summary>On the right thigh's node.</summary>
        RightThigh,
        /// <summary>An end effector: on the left hand.</summary>
        LeftHand,
        /// <summary>An end effector: on the right hand.</summary>
        RightHand,
        /// <summary>An end effector: on the left foot.</summary>
        LeftFoot,
        /// <summary>An end effector: on the right foot.</summary>
        RightFoot,
    }

    /// <summary>The axes of some engines.</summary>
    public enum EngineAxes : uint
    {
        /// <summary>Right-handed, +Y up: this library, glTF, Bevy, Godot, Maya.</summary>
        RightHandedYUp,
        /// <summary>Left-handed, +Y up, facing +Z: Unity.</summary>
        LeftHandedYUp,
        /// <summary>Left-handed, +Z up, facing +X with +Y to the right: Unreal.</summary>
        LeftHandedZUp,
        /// <summary>Right-handed, +Z up, facing -Y: Blender.</summary>
        RightHandedZUp,
    }

    /// <summary>How feet find the ground.</summary>
    public enum Grounding : uint
    {
        /// <summary>Foot IK: one ray down at each foot.</summary>
        FootIk,
        /// <summary>Predictive grounding: casts where each foot will be, by its velocity.</summary>
        Predictive,
    }

    /// <summary>How the moves of a solve are grouped.</summary>
    public enum Grouping : uint
    {
        /// <summary>By constraint, effector or pass of a limb, over all iterations.</summary>
        Cause,
        /// <summary>By the name of the step, over all iterations.</summary>
        Stage,
        /// <summary>By the chain, limb or part of the character that the cause belongs to.</summary>
        Chain,
        /// <summary>By iteration, with the steps before and after the iterations as one group.</summary>
        Iteration,
    }

    /// <summary>The unit of the lengths in a .bvh file.</summary>
    public enum LengthUnit : uint
    {
        /// <summary>Centimetres.</summary>
        Centimetres,
        /// <summary>Metres.</summary>
        Metres,
        /// <summary>Millimetres.</summary>
        Millimetres,
        /// <summary>Inches.</summary>
        Inches,
        /// <summary>The unit of the motion capture library of Carnegie Mellon University, 1/0.45 inches.</summary>
        Cmu,
    }

    /// <summary>The limbs, in the order of the settings.</summary>
    public enum Limb : uint
    {
        /// <summary>From the left upper arm to the hand.</summary>
        LeftArm,
        /// <summary>From the right upper arm to the hand.</summary>
        RightArm,
        /// <summary>From the left thigh to the foot.</summary>
        LeftLeg,
        /// <summary>From the right thigh to the foot.</summary>
        RightLeg,
    }

    /// <summary>The kinds of limits of a bone.</summary>
    public enum LimitKind : uint
    {
        /// <summary>No limit.</summary>
        Free,
        /// <summary>Rotation about `axis` from `min` to `max`, which may exceed pi: whole turns are counted.</summary>
        Hinge,
        /// <summary>Direction within `swing` of the rest direction, twist from `min` to `max`.</summary>
        BallAndSocket,
        /// <summary>The angle of the whole rotation is at most `max`.</summary>
        Angle,
    }

    /// <summary>The kinds of lines of a recording.</summary>
    public enum LineKind : uint
    {
        /// <summary>A frame of a character.</summary>
        Frame,
        /// <summary>A text at a point in time.</summary>
        Mark,
        /// <summary>A character joins.</summary>
        Join,
        /// <summary>A character leaves; its number is free for the next one that joins.</summary>
        Leave,
    }

    /// <summary>How FABRIK rotates the bones. All except the first reproduce misreadings of a source, for comparison.</summary>
    public enum MapTurn : uint
    {
        /// <summary>By the shortest swing in model space; correct.</summary>
        Model,
        /// <summary>About the parent's axes, not the bone's: code for a library that multiplies left to right, read right to left.</summary>
        BookMisread,
        /// <summary>As *Animation programming notes* correct that code, which rotates no bone.</summary>
        NotesCorrection,
    }

    /// <summary>How a bone misses its target.</summary>
    public enum Miss : uint
    {
        /// <summary>The bone ends short of the target.</summary>
        Short,
        /// <summary>The bone ends beyond the target.</summary>
        Past,
        /// <summary>The bone ends to the side of the target.</summary>
        Aside,
    }

    /// <summary>The kinds of modifiers.</summary>
    public enum ModifierKind : uint
    {
        /// <summary>A shot throws hands, shoulders and body back, and turns the weapon up.</summary>
        Recoil,
        /// <summary>One hand holds on to the object that the other carries, as far as its arm reaches.</summary>
        TwoHandedGrip,
        /// <summary>A blow moves nearby effectors, and turns spine and head.</summary>
        HitReaction,
        /// <summary>Effectors lag behind their animated motion, and overshoot its end.</summary>
        Inertia,
        /// <summary>The chest rises and falls, the body sways.</summary>
        Breathing,
        /// <summary>Spine, neck and head turn the eyes to a target, or the spine points a hand at it.</summary>
        LookAt,
        /// <summary>An effector moves to a point, holds it while the point moves, and lets go.</summary>
        ReachFor,
        /// <summary>Effectors follow keys over time.</summary>
        Keyed,
        /// <summary>Moves the head to a target; body, thighs and hands follow, spine and neck bend.</summary>
        Head,
        /// <summary>A hock, or a second elbow, shares the bend of its limb.</summary>
        FourBones,
        /// <summary>Turns elbows by the hands' positions and rotations; spreads the hands' twist over the forearms.</summary>
        ArmBending,
    }

    /// <summary>A measure of a whole recording.</summary>
    public enum MotionMeasure : uint
    {
        /// <summary>The largest rotation of an elbow, knee or chain joint about its limb from one frame to the next; radians.</summary>
        BendTurn,
        /// <summary>The largest second difference of a joint's angle over three frames, as in Pop; radians.</summary>
        Jerk,
        /// <summary>The largest distance that a planted foot slides from landing to lifting, or to the end of the recording; model units.</summary>
        FootSlide,
    }

    /// <summary>How a member of a crowd moves, by its speed.</summary>
    public enum Movement : uint
    {
        /// <summary>The member stands.</summary>
        Idle,
        /// <summary>The member walks.</summary>
        Walk,
        /// <summary>The member runs.</summary>
        Run,
    }

    /// <summary>The 13 points that a solve moves: one of the body, and three of each limb.</summary>
    public enum Node : uint
    {
        /// <summary>The middle of the torso: the bone of Biped.root_node.</summary>
        Body,
        /// <summary>The left shoulder joint.</summary>
        LeftUpperArm,
        /// <summary>The left elbow.</summary>
        LeftForearm,
        /// <summary>The left wrist.</summary>
        LeftHand,
        /// <summary>The right shoulder joint.</summary>
        RightUpperArm,
        /// <summary>The right elbow.</summary>
        RightForearm,
        /// <summary>The right wrist.</summary>
        RightHand,
        /// <summary>The left hip joint.</summary>
        LeftThigh,
        /// <summary>The left knee.</summary>
        LeftCalf,
        /// <summary>The left ankle.</summary>
        LeftFoot,
        /// <summary>The right hip joint.</summary>
        RightThigh,
        /// <summary>The right knee.</summary>
        RightCalf,
        /// <summary>The right ankle.</summary>
        RightFoot,
    }

    /// <summary>The parts of the body, in the order in which a solve writes them to the bones; named as in traces.</summary>
    public enum Part : uint
    {
        /// <summary>Pelvis, spine and chest.</summary>
        Spine,
        /// <summary>The head.</summary>
        Head,
        /// <summary>The left clavicle and arm.</summary>
        LeftArm,
        /// <summary>The right clavicle and arm.</summary>
        RightArm,
        /// <summary>The left leg.</summary>
        LeftLeg,
        /// <summary>The right leg.</summary>
        RightLeg,
    }

    /// <summary>How closely the predictive grounder looks at the ground.</summary>
    public enum Quality : uint
    {
        /// <summary>One ray per foot at its predicted position; a ray for the root.</summary>
        Fastest,
        /// <summary>Three rays per foot, and a ray for the root; the ground is the plane through the hits.</summary>
        Simple,
        /// <summary>A ray, a capsule along the predicted path and three rays under each foot; a sphere for the root.</summary>
        Best,
    }

    /// <summary>Why a bone misses its target.</summary>
    public enum Reason : uint
    {
        /// <summary>The target is further from the limb's first bone than the limb is long.</summary>
        TooFar,
        /// <summary>The target is nearer than the limb can fold, because its bones differ in length.</summary>
        TooNear,
        /// <summary>The effector's position weight times the master weight is below 1.</summary>
        Weight,
        /// <summary>The mapping weight of the limb is below 1.</summary>
        Mapping,
        /// <summary>None of the other reasons holds, so the constraints of the rest of the body keep the bone off.</summary>
        Body,
    }

    /// <summary>The shape that a cast moves.</summary>
    public enum Shape : uint
    {
        /// <summary>A point.</summary>
        Ray,
        /// <summary>A sphere around `from`.</summary>
        Sphere,
        /// <summary>A capsule around the segment from `from` to `from` + `along`.</summary>
        Capsule,
    }

    /// <summary>A side of the character.</summary>
    public enum Side : uint
    {
        /// <summary>The character's left.</summary>
        Left,
        /// <summary>The character's right.</summary>
        Right,
    }

    /// <summary>The functions by which push and reach weaken a small force.</summary>
    public enum Smoothing : uint
    {
        /// <summary>Linear: the force is unchanged.</summary>
        None,
        /// <summary>Squared, the default; called exponential in the source.</summary>
        Exponential,
        /// <summary>Cubed.</summary>
        Cubic,
    }

    /// <summary>The stages of a solve, named as in traces.</summary>
    public enum Stage : uint
    {
        /// <summary>Places the nodes at the animated bones, after the bend limit and with one-frame offsets.</summary>
        Read,
        /// <summary>Moves hands and feet to their targets.</summary>
        EndEffectors,
        /// <summary>Lets compressed limbs push their first node and the body away.</summary>
        Push,
        /// <summary>Moves the first and last node of nearly straight limbs in the direction from first to last.</summary>
        Reach,
        /// <summary>Moves body, shoulders and thighs toward their targets.</summary>
        BodyEffectors,
        /// <summary>Places elbows and knees by the lengths of their bones.</summary>
        Trigonometric,
        /// <summary>Forward reach of FABRIK: every limb from its end, then the child constraints once, then the body.</summary>
        Stage1,
        /// <summary>Moves body, shoulders and thighs toward their targets once more.</summary>
        BodyEffectorsAgain,
        /// <summary>Backward reach of FABRIK: the torso's constraints, then every limb from its root.</summary>
        Stage2,
        /// <summary>Moves hands and feet to their targets a last time.</summary>
        FinalEffectors,
        /// <summary>Turns elbows and knees to their bend direction.</summary>
        Bend,
    }

    /// <summary>Why the solve of a chain stopped.</summary>
    public enum StoppedBy : uint
    {
        /// <summary>Reached: within the tolerance.</summary>
        Tolerance,
        /// <summary>No change: the last iteration hardly moved the joint with the target.</summary>
        NoChange,
        /// <summary>Out of reach: the chain is stretched or folded toward the target.</summary>
        Unreachable,
        /// <summary>All iterations used.</summary>
        MaxIterations,
        /// <summary>Closed form, off the target because of soft zone, maximum stretch, limits or rounding.</summary>
        ClosedForm,
        /// <summary>Weight 0: not solved.</summary>
        NoWeight,
        /// <summary>The joints reached the target; the rotations miss it.</summary>
        LostInMap,
    }

    /// <summary>What a line shows. The documentation of each number says what `index` and `value` of DrawnLine mean; where it says nothing, `index` is -1 and `value` is 0.</summary>
    public enum Subject : uint
    {
        /// <summary>A bone of a limb; `index` is a Limb.</summary>
        LimbBone,
        /// <summary>A line between torso and limb; `index` is a Limb.</summary>
        RootBone,
        /// <summary>A line between two bones that belong to no limb.</summary>
        SpineBone,
        /// <summary>A node of the full-body solver; `index` is a Node.</summary>
        Node,
        /// <summary>The line from a written bone to its node, if they differ; `index` is a Node.</summary>
        NodeOff,
        /// <summary>The triangle of body and shoulders.</summary>
        UpperTorso,
        /// <summary>The triangle of body and thighs.</summary>
        LowerTorso,
        /// <summary>The triangle of a limb's three nodes; `index` is a Limb.</summary>
        LimbPlane,
        /// <summary>A child constraint that pushes and pulls; `value` is the relative deviation from the nominal distance.</summary>
        RigidConstraint,
        /// <summary>A child constraint that only pushes; `value` is the relative deviation from the nominal distance.</summary>
        PushOnlyConstraint,
        /// <summary>The direction in which the full body's bend pass would bend an elbow or knee; `index` is a Limb.</summary>
        BendDirection,
        /// <summary>The point toward which an elbow or knee bends, and the line to it; for the least-squares solver only the line; for the position-based solver a line from elbow or knee in the direction from the limb's root to the goal, or in the bend direction; `index` is a Limb, `value` the weight.</summary>
        BendGoal,
        /// <summary>The target of an effector; `index` is a Effector, `value` the weight.</summary>
        Target,
        /// <summary>The line from an effector's node or joint to its target; `index` is a Effector.</summary>
        TargetError,
        /// <summary>A node before the current step; `index` is a Node.</summary>
        GhostNode,
        /// <summary>A limb's bone before the current step; `index` is a Limb.</summary>
        GhostBone,
        /// <summary>The torso's triangles before the current step.</summary>
        GhostTorso,
        /// <summary>A displacement by the current step, of a node or of its effector's target, or the line from a bone to a target attached to it; `index` is a Node, the body's for a displacement without a node.</summary>
        Displacement,
        /// <summary>The cone within which the bend limit keeps a limb's second bone; `index` is a Limb.</summary>
        BendCone,
        /// <summary>The bend direction of the reference pose, rotated with the limb's first bone; `index` is a Limb.</summary>
        DefaultDirection,
        /// <summary>The default child normal: a direction of hand or foot in the reference pose, rotated by the end effector's target rotation; `index` is a Limb.</summary>
        DefaultChildNormal,
        /// <summary>The angle between a limb's second bone and the opposite of its default bend direction, before or after the bend limit; `index` is a Limb.</summary>
        BendAngle,
        /// <summary>The triangle of a two-bone solve, and its height on the base; `index` is a Limb.</summary>
        Triangle,
        /// <summary>The plane of the solved nodes that carries a bone; `index` is a Limb, -1 for the torso.</summary>
        WritePlane,
        /// <summary>The plane that carries a bone, in the animated pose.</summary>
        GhostPlane,
        /// <summary>The bone that the current step writes or moves.</summary>
        WrittenBone,
        /// <summary>The bone that the current step writes, or a radius across it, before it turned.</summary>
        GhostWritten,
        /// <summary>The virtual spine.</summary>
        VirtualSpine,
        /// <summary>A joint of the virtual spine, or its displacement by the current step.</summary>
        VirtualJoint,
        /// <summary>The direction that a bone swings toward, or the displacement of a bone by a modifier.</summary>
        SwingAxis,
        /// <summary>The twist of a bone about its own axis; `value` is the bone's share of the twist.</summary>
        TwistDial,
        /// <summary>The arc of a bone's rotation.</summary>
        TurnArc,
        /// <summary>The axis of a bone's rotation.</summary>
        TurnAxis,
        /// <summary>A bone of a single chain or of the least-squares solver; `index` is its index.</summary>
        ChainBone,
        /// <summary>A joint of a single chain or of the least-squares solver; `index` is its index.</summary>
        ChainJoint,
        /// <summary>The bones of a single chain, or of the least-squares or position-based solver, before the current step.</summary>
        GhostChain,
        /// <summary>The target of a single chain.</summary>
        ChainTarget,
        /// <summary>The line from a joint of a single chain to its target.</summary>
        ChainError,
        /// <summary>The displacement by the current step of a single chain or of the least-squares or position-based solver; also the support polygon of the least-squares solver, and the line down from the centre of mass.</summary>
        ChainMove,
        /// <summary>The line from root to target about which FABRIK's bend rule mirrors a chain.</summary>
        MirrorLine,
        /// <summary>The circle through root and target on which FABRIK's bend rule places a chain.</summary>
        BendCircle,
        /// <summary>The range of a bone's limit; `index` is the bone's index.</summary>
        LimitRange,
        /// <summary>The axis of a hinge; `index` is the bone's index.</summary>
        LimitAxis,
        /// <summary>The current direction or twist of a bone, to compare with its range; `index` is the bone's index.</summary>
        LimitNow,
        /// <summary>A joint at or beyond its limit: a mark, the axis of the limit, or the path to the direction that the solver requested.</summary>
        LimitViolation,
        /// <summary>A shape cast by a grounder, with its path; `index` is a Side, -1 for the root, `value` 1 for a hit.</summary>
        Cast,
        /// <summary>The point where a cast hit the ground; `index` is a Side, -1 for the root.</summary>
        CastHit,
        /// <summary>The predicted position of a foot; `index` is a Side.</summary>
        PredictedFoot,
        /// <summary>The animated sole; `index` is a Side.</summary>
        GhostFoot,
        /// <summary>The goal of a foot, where grounding, the foot lock or retargeting puts it; `index` is a Side, `value` the weight.</summary>
        FootGoal,
        /// <summary>The displacement of a foot by grounding, the foot lock or retargeting; `index` is a Side.</summary>
        FootOffset,
        /// <summary>A bone of another skeleton, whose motion poses the character.</summary>
        SourceBone,
        /// <summary>The displacement of the pelvis by a grounder.</summary>
        PelvisOffset,
    }

    /// <summary>How the members of a crowd are spread over threads. The spread does not affect the poses, except for rounding.</summary>
    public enum Threads : uint
    {
        /// <summary>Divides the members evenly among threads, one for each 16 members, rounded up, at most all threads.</summary>
        Auto,
        /// <summary>All members on the calling thread.</summary>
        Serial,
        /// <summary>Divides the members evenly among as many threads as possible.</summary>
        Parallel,
    }

    /// <summary>Where a weight below 1 acts in a solver of chains that iterates.</summary>
    public enum Weighting : uint
    {
        /// <summary>On the target: the solver aims at a point between end and target.</summary>
        Target,
        /// <summary>In each pass: the end reaches the target in more iterations. The two-bone solver has no passes and weights its target.</summary>
        Passes,
    }

    /// <summary>How a texture continues beyond its edges.</summary>
    public enum Wrap : uint
    {
        /// <summary>The image repeats.</summary>
        Repeat,
        /// <summary>The image repeats, every second time mirrored.</summary>
        Mirror,
        /// <summary>The pixels at the edge continue.</summary>
        Clamp,
    }

    /// <summary>The caller's allocator. Both functions must be set, must not throw, and may be called from several threads at the same time.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe partial struct NativeAllocator
    {
        /// <summary>Passed to both functions.</summary>
        public IntPtr user;
        /// <summary>Returns memory of `size` bytes, at least 1, with an address that is a multiple of `alignment`, a power of two. NULL ends the program, as Rust's collections cannot go on without memory.</summary>
        public IntPtr allocate;
        /// <summary>Frees memory that `allocate` returned for the same size and alignment.</summary>
        public IntPtr free;
    }

    /// <summary>A pose in the caller's memory. Bone i has its position in the three floats at `positions` + i · `position_stride` bytes, and its rotation in the four floats (x, y, z, w) at `rotations` + i · `rotation_stride` bytes. Arrays of structures and separate arrays both fit.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe partial struct NativePose
    {
        /// <summary>The first bone's position.</summary>
        public float* positions;
        /// <summary>The first bone's rotation.</summary>
        public float* rotations;
        /// <summary>Bytes from one position to the next; 0 if positions are contiguous.</summary>
        public UIntPtr positionStride;
        /// <summary>Bytes from one rotation to the next; 0 if rotations are contiguous.</summary>
        public UIntPtr rotationStride;
        /// <summary>Number of bones, at most 65536. If it is 0, the pointers may be NULL.</summary>
        public UIntPtr count;
    }

    /// <summary>A clip that a crossfade shows.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct ShownClip
    {
        /// <summary>The clip, by its index in the durations of kinescope_crossfade_new.</summary>
        public uint clip;
        /// <summary>The time within the clip, in seconds.</summary>
        public float time;
        /// <summary>The weight with which kinescope_pose_blend blends the clip over those before it in the list; 1 for the first.</summary>
        public float weight;
    }

    /// <summary>A position, an offset, a direction or another vector.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Vec3
    {
        public float x;
        public float y;
        public float z;
    }

    /// <summary>A group of moves.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct AttributionRow
    {
        /// <summary>Number of moves of the group that displace the bone or point, and of steps that displace it outside their moves.</summary>
        public uint count;
        /// <summary>The layer with the longest displacement of the group, by its number in kinescope_stack_layers.</summary>
        public uint layer;
        /// <summary>The step of that displacement.</summary>
        public uint step;
        /// <summary>The event of that step; -1 if the step itself moved the point.</summary>
        public int @event;
        /// <summary>The sum of the displacements, in model space.</summary>
        public Vec3 sum;
        /// <summary>The part of the sum along the total displacement, in model units; these add up to the length of the total. If the total is 0, the length of the sum.</summary>
        public double along;
    }

    /// <summary>The axes and the unit of an engine. A character's left, up and forward are unit vectors along different axes of the engine.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct KinescopeSpace
    {
        /// <summary>A character's left in the engine's coordinates.</summary>
        public Vec3 left;
        /// <summary>Up in the engine's coordinates.</summary>
        public Vec3 up;
        /// <summary>A character's forward in the engine's coordinates.</summary>
        public Vec3 forward;
        /// <summary>Length of the engine's unit in units of this library, from 1e-6 to 1e6: 0.01 for an engine in centimetres and a library in metres.</summary>
        public float unit;
    }

    /// <summary>A rotation: a unit quaternion.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Quat
    {
        public float x;
        public float y;
        public float z;
        public float w;
    }

    /// <summary>A position in the unit of the skeleton, which must be the metre for grounding, and a rotation.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct RigidTransform
    {
        public Vec3 position;
        public Quat rotation;
    }

    /// <summary>Parameters of the whole solver.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct SolverSettings
    {
        /// <summary>Master weight of the solve: scales effector weights, offsets, bend weights, bend limit and maintained rotations. From 0 to 1, by default 1.</summary>
        public float weight;
        /// <summary>Iterations of the main loop: push, reach, trigonometric, stage 1, stage 2. From 0 to 16, by default 4.</summary>
        public uint iterations;
        /// <summary>Whether limbs and torso pull each other. 0 means no.</summary>
        public uint fabrikPass;
        /// <summary>How much the torso's two diagonals resist shortening. From 0 to 1, by default 0.5.</summary>
        public float spineStiffness;
        /// <summary>How much hands that reach too far move the body up and down. From -1 to 1, by default 0.5.</summary>
        public float pullBodyVertical;
        /// <summary>How much hands that reach too far move the body over the ground. From -1 to 1, by default 0.</summary>
        public float pullBodyHorizontal;
        /// <summary>FABRIK iterations of the spine when the pose is written. From 1 to 65535, by default 3.</summary>
        public uint spineIterations;
        /// <summary>How much of the shoulders' twist is spread along the spine. From 0 to 1, by default 1.</summary>
        public float spineTwistWeight;
        /// <summary>How much the head keeps the rotation it has in the animation. From 0 to 1, by default 0.</summary>
        public float headMaintainRotation;
    }

    /// <summary>Parameters of one limb.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct ChainSettings
    {
        /// <summary>How strongly this limb pulls the torso, relative to the other limbs. From 0 to 1, by default 1.</summary>
        public float pull;
        /// <summary>How strongly the limb, when compressed, pushes its shoulder or hip away. From 0 to 1, by default 0.</summary>
        public float push;
        /// <summary>How much of the push moves the body. From -1 to 1, by default 0.</summary>
        public float pushParent;
        /// <summary>Smoothing of the push. A number of Smoothing.</summary>
        public uint pushSmoothing;
        /// <summary>How far a nearly straight limb draws its shoulder or hip toward hand or foot. From 0 to 1, by default 0.1.</summary>
        public float reach;
        /// <summary>Smoothing of the reach. A number of Smoothing.</summary>
        public uint reachSmoothing;
        /// <summary>Whether reach is the same in every unit of length: limited by the limb's stretch, not by the distance of its ends. 0 means no.</summary>
        public uint scaleFreeReach;
        /// <summary>Weight of the bend goal (pole vector) or bend direction against the natural bend direction. From 0 to 1, by default 0.</summary>
        public float bendWeight;
        /// <summary>Whether `bendGoal` is set. 0 means no.</summary>
        public uint hasBendGoal;
        /// <summary>Point in model space that elbow or knee turns to, also called pole vector or pole target.</summary>
        public Vec3 bendGoal;
        /// <summary>Whether `bendDirection` is set. 0 means no.</summary>
        public uint hasBendDirection;
        /// <summary>Direction in model space that elbow or knee points in, of any length but 0. A bend goal takes precedence.</summary>
        public Vec3 bendDirection;
        /// <summary>Number of sine iterations that smooth the bend limit (clampSmoothing in the source). From 0 to 2, by default 0.</summary>
        public uint clampSmoothing;
        /// <summary>How much of the solved limb is written to its bones. From 0 to 1, by default 1.</summary>
        public float mappingWeight;
        /// <summary>How much hand or foot keeps its animated rotation. From 0 to 1, by default 0.</summary>
        public float maintainRotation;
    }

    /// <summary>Parameters of one effector. A position weight without a position pins hand or foot to its animated position.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct EffectorSettings
    {
        /// <summary>Whether `position` is set. 0 means the position of the effector's bone in the input pose.</summary>
        public uint hasPosition;
        /// <summary>Target in model space.</summary>
        public Vec3 position;
        /// <summary>Whether `rotation` is set. 0 means the rotation of the effector's bone in the input pose.</summary>
        public uint hasRotation;
        /// <summary>Target rotation in model space.</summary>
        public Quat rotation;
        /// <summary>How strongly the effector moves its node to the target. From 0 to 1, by default 0.</summary>
        public float positionWeight;
        /// <summary>How much hand or foot takes the target rotation; elbow or knee turns accordingly. From 0 to 1, by default 0.</summary>
        public float rotationWeight;
        /// <summary>Offset added to the animated position, in model space; usually set anew for each frame.</summary>
        public Vec3 positionOffset;
        /// <summary>How much hand or foot follows the torso, as far as its position weight is below 1. From 0 to 1, by default 0.</summary>
        public float maintainRelativePosition;
    }

    /// <summary>All parameters of one solve.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Settings
    {
        /// <summary>Settings of the whole solver.</summary>
        public SolverSettings solver;
        /// <summary>How much the body node resists the limbs' pull in stage 1. From 0 to 1, by default 0.</summary>
        public float pin;
        public ChainSettings leftArmChain;
        public ChainSettings rightArmChain;
        public ChainSettings leftLegChain;
        public ChainSettings rightLegChain;
        public EffectorSettings bodyEffector;
        public EffectorSettings leftShoulderEffector;
        public EffectorSettings rightShoulderEffector;
        public EffectorSettings leftThighEffector;
        public EffectorSettings rightThighEffector;
        public EffectorSettings leftHandEffector;
        public EffectorSettings rightHandEffector;
        public EffectorSettings leftFootEffector;
        public EffectorSettings rightFootEffector;
    }

    /// <summary>Settings of the least-squares body. Weights multiply residuals: positions relative to the character's height, rotations in radians.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct LeastSquaresSettings
    {
        /// <summary>Largest number of iterations. After 16, or once joints hardly turn, a missed target weakens the pull to the animated pose. From 0 to 1000, by default 256.</summary>
        public uint iterations;
        /// <summary>The solve stops when no joint turns by more than this in an iteration, or a full step reduces the sum of squares by at most twice this, as a fraction of the sum. If a target is missed then, the pull to the animated pose weakens, and the solve goes on with a tenth of the tolerance. From 0 to 1 radians, by default 0.0005.</summary>
        public float tolerance;
        /// <summary>Weight of the effectors' positions. From 0 to 10, by default 1.</summary>
        public float position;
        /// <summary>Weight of the effectors' rotations. From 0 to 10, by default 0.3.</summary>
        public float rotation;
        /// <summary>Weight of bend goals and bend directions. From 0 to 10, by default 0.1.</summary>
        public float bend;
        /// <summary>Weight of joint limits. From 0 to 10, by default 0.3.</summary>
        public float limits;
        /// <summary>Whether joint limits are those of the character's clips instead of the anatomical ones. Without clips, the anatomical limits apply. 0 means no.</summary>
        public uint clipLimits;
        /// <summary>Angle by which limits from clips are wider than the range that the clips use. From 0 to 3 radians, by default 0.1.</summary>
        public float clipMargin;
        /// <summary>Weight of the animated pose, for each joint. From 0 to 10, by default 0.003.</summary>
        public float rest;
        /// <summary>Factor of the weight of the animated pose for pelvis, spine and clavicles. From 0 to 100, by default 3.</summary>
        public float trunk;
        /// <summary>Weight of the pelvis's animated position. From 0 to 10, by default 0.01.</summary>
        public float root;
        /// <summary>Weight of the last solved pose, relative to the animation. From 0 to 10, by default 0.</summary>
        public float smoothness;
        /// <summary>Weight of the distance of the centre of mass outside the support polygon. From 0 to 10, by default 0.</summary>
        public float balance;
        /// <summary>Weight of overlaps of forearms and hands with the body and each other, and of lower legs and feet with each other. From 0 to 10, by default 0.</summary>
        public float separation;
        /// <summary>Damping of the first iteration; each iteration adapts it. From 0 to 10, by default 0.0001.</summary>
        public float damping;
        /// <summary>Whether a solve starts from the last solved pose, relative to the animation. 0 means no.</summary>
        public uint warmStart;
    }

    /// <summary>The result of a body's solve.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct BodyOutcome
    {
        /// <summary>Number of iterations or sub-steps.</summary>
        public uint iterations;
        /// <summary>The largest distance from an effector to the position that it should have by its weight; model units. 0 without targets, and if the least-squares body has nothing to solve.</summary>
        public float distance;
    }

    /// <summary>Settings of the position-based body.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct PositionBasedSettings
    {
        /// <summary>Largest number of sub-steps. Each runs the constraints in turn: lengths only in the first, rest and limits from the second on. Up to 4 more follow if a target is missed and a joint exceeds its limit by over 2.9° more than in the animated pose. From 1 to 1024, by default 16.</summary>
        public uint substeps;
        /// <summary>Distance to the target at which the solve stops, as a fraction of the height from ankles to head. From 0 to 0.1, by default 0.0003.</summary>
        public float tolerance;
        /// <summary>Factor of each correction of a position. From 0.1 to 1.9, by default 1.1.</summary>
        public float overRelaxation;
        /// <summary>Compliance of target positions, relative to the mobility of the bones. From 0 to 10, by default 0.</summary>
        public float positionCompliance;
        /// <summary>Compliance of target rotations, relative to the mobility of the bones. From 0 to 10, by default 0.</summary>
        public float rotationCompliance;
        /// <summary>Compliance of bend goals, relative to the mobility of the limb. From 0 to 10, by default 0.</summary>
        public float bendCompliance;
        /// <summary>Compliance that a target gets with a weight below 1: this much at weight 0.5, more at smaller weights. From 0 to 10, by default 0.05.</summary>
        public float softness;
        /// <summary>How much each joint returns to its animated rotation. From 0 to 0.9, by default 0.1.</summary>
        public float restStiffness;
        /// <summary>Mobility of the pelvis's position, relative to 1 / mass. From 0 to 10, by default 0.3.</summary>
        public float rootMobility;
        /// <summary>Mobility of pelvis, spine, neck, head and clavicles, relative to 1 / moment of inertia. From 0 to 10, by default 1.</summary>
        public float trunkMobility;
        /// <summary>Whether joints keep within their limits. 0 means no.</summary>
        public uint limits;
        /// <summary>Whether joint limits are those of the character's clips instead of the anatomical ones. Without clips, the anatomical limits apply. 0 means no.</summary>
        public uint clipLimits;
        /// <summary>Angle by which limits from clips are wider than the range that the clips use. From 0 to 3 radians, by default 0.1.</summary>
        public float clipMargin;
    }

    /// <summary>Where a ray or another cast shape meets the ground, in world space, metres. A hit with a number that is not finite or with a distance below 0 or beyond that of the cast counts as none.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Hit
    {
        public Vec3 point;
        /// <summary>Unit normal, pointing out of the ground.</summary>
        public Vec3 normal;
        /// <summary>How far the ray or shape moved until it met the ground.</summary>
        public float distance;
    }

    /// <summary>A cast against the caller's ground, in world space, metres.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Cast
    {
        /// <summary>A Shape.</summary>
        public uint shape;
        /// <summary>The ground layers that count: bit i is layer i, of eight layers.</summary>
        public uint layers;
        /// <summary>Where the shape starts: the point, the centre of the sphere, or the first end of the capsule's segment.</summary>
        public Vec3 from;
        /// <summary>The unit direction in which the shape moves.</summary>
        public Vec3 direction;
        /// <summary>The largest distance that the shape moves.</summary>
        public float distance;
        /// <summary>The radius of a sphere or capsule; 0 for a ray.</summary>
        public float radius;
        /// <summary>The vector of a capsule's segment; 0 for other shapes.</summary>
        public Vec3 along;
    }

    /// <summary>The caller's ground, in world space, metres. If both functions are NULL, there is no ground.  If only `ray` is set, spheres and capsules are made of rays: a sphere of 13 to 16, a capsule of 65 to 80. They are exact on even ground that rises by less than 88 degrees against the plane at right angles to the cast, and miss edges and obstacles between two rays.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe partial struct NativeGround
    {
        /// <summary>Passed to both functions.</summary>
        public IntPtr user;
        /// <summary>Casts a ray along a unit direction up to a maximal distance, on all ground layers. Returns 0 if it meets nothing, otherwise fills in `hit`. Must not throw. May be NULL if `cast` is set.</summary>
        public IntPtr ray;
        /// <summary>Casts any shape. Returns 0 if it meets nothing, 1 after filling in `hit`, or -1 for a shape that it does not cast: capsules are then made of spheres, spheres of rays, and `ray` casts a ray. The distance of a hit is how far the shape moved; 0 if it started inside the ground. Must not throw. May be NULL.</summary>
        public IntPtr cast;
    }

    /// <summary>A frame of a capsule whose result differs from the recorded one.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct CapsuleChange
    {
        /// <summary>The frame, from 0.</summary>
        public UIntPtr frame;
        /// <summary>The distance in model units between the recorded and the new position of the point that differs most; 0 if only earlier steps or rotations differ, infinite if the layer is no longer solved, has another number of points, or has a point that is not finite.</summary>
        public float distance;
    }

    /// <summary>Settings of a single chain's solve.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct ChainIkSettings
    {
        /// <summary>Solver of the chain. A number of ChainSolver.</summary>
        public uint solver;
        /// <summary>How far the end moves toward the target. From 0 to 1, by default 1.</summary>
        public float weight;
        /// <summary>Where a weight below 1 acts: on the target, or in each pass. A number of Weighting.</summary>
        public uint weighting;
        /// <summary>Distance from the target within which the end has arrived. From 0 to 1000 model units, by default 0.00001.</summary>
        public float tolerance;
        /// <summary>Movement of the end at or below which an iteration made no progress and may end the solve. From 0 to 1000 model units, by default 0.0000001.</summary>
        public float changeTolerance;
        /// <summary>Largest number of iterations of a solve. From 0 to 1000, by default 15.</summary>
        public uint maxIterations;
        /// <summary>Whether the bones' limits apply. 0 means no.</summary>
        public uint limits;
        /// <summary>Whether iterations may end with a direct solve of the bend's amplitude or one joint's angle, which saves iterations. 0 means no.</summary>
        public uint accelerate;
        /// <summary>Whether `plane` is set. 0 means no.</summary>
        public uint hasPlane;
        /// <summary>Normal of the plane through the root in which the chain stays as far as limits allow (2D mode); model space. Without one, the chain is solved in 3D.</summary>
        public Vec3 plane;
        /// <summary>How CCD applies its rotations. A number of CcdTurn.</summary>
        public uint ccdTurn;
        /// <summary>How FABRIK rotates the bones to the solved joints. A number of MapTurn.</summary>
        public uint mapTurn;
        /// <summary>Whether `bendNormal` is set. 0 means no.</summary>
        public uint hasBendNormal;
        /// <summary>Direction along which the cross product of neighbouring bones should point; model space.</summary>
        public Vec3 bendNormal;
        /// <summary>How FABRIK applies the bend rule. A number of BendRule.</summary>
        public uint bendRule;
        /// <summary>Whether `bendGoal` is set. 0 means no.</summary>
        public uint hasBendGoal;
        /// <summary>Point that the middle joint of two bones turns to (pole vector or pole target); model space.</summary>
        public Vec3 bendGoal;
        /// <summary>Largest reach of two bones, as a fraction of their length. From 0.5 to 2, by default 1.</summary>
        public float maximumStretch;
        /// <summary>Last fraction of a two-bone chain's reach, in which the end slows down. From 0 to 0.5, by default 0.</summary>
        public float softZone;
        /// <summary>Whether the bones' rotations follow the solved positions. 0 means no.</summary>
        public uint rotations;
    }

    /// <summary>How far a bone may rotate from its rest rotation; radians.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Limit
    {
        /// <summary>A LimitKind.</summary>
        public uint kind;
        /// <summary>The hinge's axis in the bone's space at rest; any length but 0.</summary>
        public Vec3 axis;
        /// <summary>The smallest angle or twist.</summary>
        public float min;
        /// <summary>The largest angle or twist.</summary>
        public float max;
        /// <summary>Half the opening of the cone of a ball and socket, 0 to pi.</summary>
        public float swing;
    }

    /// <summary>The target of one joint.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Goal
    {
        /// <summary>The joint, from 1; joint b + 1 is the end of bone b. 0 stands for the last joint.</summary>
        public uint joint;
        /// <summary>Target position in model space.</summary>
        public Vec3 position;
        /// <summary>Weight relative to other goals, where branches meet; above 0, at most 1e6, usually 1.</summary>
        public float pull;
    }

    /// <summary>The result of a chain's solve.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Outcome
    {
        /// <summary>The largest distance from a joint with a goal to its target, in the unit of the chain's lengths. At a weight below 1 the target is a point between joint and goal, unless the settings apply the weight in each pass.</summary>
        public float error;
        /// <summary>Number of iterations.</summary>
        public uint iterations;
        /// <summary>A StoppedBy.</summary>
        public uint stoppedBy;
        /// <summary>Whether all joints with a goal are within the tolerance of their targets. 0 means no; at weight 0 it is always 0.</summary>
        public uint isReached;
    }

    /// <summary>A way that members of a crowd walk: a smooth curve through points, seen from above.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe partial struct NativeWay
    {
        /// <summary>x and z of each point, metres.</summary>
        public float* points;
        /// <summary>Number of points, 2 to 256.</summary>
        public UIntPtr count;
        /// <summary>Whether the way continues from its last point to its first. 0 means no: members begin again at its start.</summary>
        public uint isClosed;
    }

    /// <summary>A level of detail, and which members get it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct DetailRule
    {
        /// <summary>Only members that move like this, a Movement; -1 is any.</summary>
        public int movement;
        /// <summary>Only members that play this clip of the model, by its index; -1 is any.</summary>
        public int clip;
        /// <summary>Only members at least this far from the eye; for a member that has the rule, 95 % of that. From 0 to 1000000 metres.</summary>
        public float beyond;
        /// <summary>Quality of grounding, a Quality; -1 leaves members as animated and solves nothing.</summary>
        public int grounding;
        /// <summary>The largest number of iterations of the full body, 0 to 16.</summary>
        public uint iterations;
        /// <summary>Solves every frame (1), every second frame (2), and so on up to 16; poses are blended in between.</summary>
        public uint every;
    }

    /// <summary>A line to draw, in world space.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct DrawnLine
    {
        public Vec3 from;
        public Vec3 to;
        /// <summary>A Subject.</summary>
        public uint subject;
        /// <summary>Which limb, node, effector, foot or bone; -1 if there is none.</summary>
        public int index;
        /// <summary>A weight or another number of the subject.</summary>
        public float value;
        /// <summary>Whether the line is part of an earlier state, to be drawn faintly.</summary>
        public uint isFaint;
    }

    /// <summary>Receives the lines of a drawing.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe partial struct NativeDrawing
    {
        /// <summary>Passed to `line`.</summary>
        public IntPtr user;
        /// <summary>Called for each line. Must not throw.</summary>
        public IntPtr line;
    }

    /// <summary>The break conditions that are on, and their thresholds.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Breaks
    {
        public uint flipIsOn;
        public uint bendTurnIsOn;
        public uint boneLengthIsOn;
        public uint errorRisesIsOn;
        public uint leavesReachIsOn;
        public uint notFiniteIsOn;
        public uint jerkIsOn;
        public uint footSlideIsOn;
        /// <summary>The threshold of KINESCOPE_CONDITION_BEND_TURN, in degrees per frame. Default 20.</summary>
        public float bendTurnDegrees;
        /// <summary>The threshold of KINESCOPE_CONDITION_BONE_LENGTH, as a fraction of the bone's length. Default 0.01.</summary>
        public float boneLengthFraction;
        /// <summary>The threshold of KINESCOPE_CONDITION_ERROR_RISES, as a fraction of the length of the limb or chain. Default 0.02.</summary>
        public float errorRiseFraction;
        /// <summary>The threshold of KINESCOPE_CONDITION_JERK: the second difference of a joint's angle over three frames, in degrees. Default 10.</summary>
        public float jerkDegrees;
        /// <summary>The threshold of KINESCOPE_CONDITION_FOOT_SLIDE, in metres along the ground. A model unit is a centimetre for a character with a height from 40 to below 400 units, a millimetre from 400 to below 4000, otherwise a metre. Default 0.01.</summary>
        public float slideMetres;
    }

    /// <summary>A break condition that holds, with the place to inspect.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct BreakHit
    {
        /// <summary>A Condition.</summary>
        public uint condition;
        /// <summary>The layer, by its number in kinescope_stack_layers.</summary>
        public uint layer;
        /// <summary>The step of the layer.</summary>
        public uint step;
        /// <summary>The point of the layer, by its number in kinescope_stack_layer_point; -1 if the layer has none for a sliding foot.</summary>
        public int point;
    }

    /// <summary>The largest jerk of a joint.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Pop
    {
        /// <summary>The number of the earlier of the two frames between which the joint jumps.</summary>
        public ulong frame;
        /// <summary>The second difference of the joint's angle over three frames; degrees.</summary>
        public float degrees;
        /// <summary>The first step at which the joint differs between the solves of both frames by at least the mean of the differences after the first step and at the end; -1 if there is no such step after the first.</summary>
        public int step;
        /// <summary>The point of the layer, by its number in kinescope_stack_layer_point.</summary>
        public uint point;
    }

    /// <summary>How and why the bone of an effector misses its target.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Why
    {
        /// <summary>The distance of the bone from the target; model units.</summary>
        public float gap;
        /// <summary>A Miss.</summary>
        public uint miss;
        /// <summary>A Reason.</summary>
        public uint reason;
        /// <summary>The distance from the limb's first bone to the target, for KINESCOPE_REASON_TOO_FAR and KINESCOPE_REASON_TOO_NEAR; otherwise 0. Model units.</summary>
        public float distance;
        /// <summary>The limb's length for KINESCOPE_REASON_TOO_FAR, the smallest distance to which the limb can fold for KINESCOPE_REASON_TOO_NEAR; otherwise 0. Model units.</summary>
        public float limit;
        /// <summary>The weight, for KINESCOPE_REASON_WEIGHT and KINESCOPE_REASON_MAPPING; otherwise 1.</summary>
        public float weight;
    }

    /// <summary>Settings of foot IK: one ray down at each foot.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct FootIkSettings
    {
        /// <summary>Whether the foot IK runs. 0 means no.</summary>
        public uint enableFeetIk;
        /// <summary>Height over the root's level at which rays begin. From 0 to 2 metres, by default 1.2.</summary>
        public float heightFromGroundRaycast;
        /// <summary>Length of the rays below the root's level. From 0 to 2 metres, by default 1.5.</summary>
        public float raycastDownDistance;
        /// <summary>Offset of feet and pelvis above the ground. From -1 to 1 metres, by default 0.</summary>
        public float pelvisOffset;
        /// <summary>Share of its remaining distance that the pelvis moves per 1/60 s. From 0 to 1, by default 0.28.</summary>
        public float pelvisUpAndDownSpeed;
        /// <summary>Share of its remaining distance that a foot moves per 1/60 s. From 0 to 1, by default 0.5.</summary>
        public float feetToIkPositionSpeed;
        /// <summary>Rotation of the left foot about the up axis, if feet turn with the ground. From 0 to 100 degrees, by default 0.</summary>
        public float leftFootAngleOffset;
        /// <summary>Rotation of the right foot about the up axis, if feet turn with the ground. From 0 to 100 degrees, by default 0.</summary>
        public float rightFootAngleOffset;
        /// <summary>Whether feet turn with the ground. 0 means no.</summary>
        public uint rotateFeet;
    }

    /// <summary>Settings of the predictive grounder.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct PredictiveSettings
    {
        /// <summary>Largest step up or down. 0 leaves the feet as animated. From 0 to 2 metres, by default 0.5.</summary>
        public float maxStep;
        /// <summary>A foot moves to the height of its ground at this speed plus, per second, this many times the remaining distance. From 0 to 50 metres per second, by default 2.5.</summary>
        public float footSpeed;
        /// <summary>Half the foot's width, and distance of its middle ahead of the ankle. From 0 to 2 metres, by default 0.15.</summary>
        public float footRadius;
        /// <summary>Time ahead for which the foot's position is predicted. From 0 to 1 seconds, by default 0.05.</summary>
        public float prediction;
        /// <summary>Offset of the middle of the foot, forward. From -1 to 1 metres, by default 0.</summary>
        public float footCenterOffset;
        /// <summary>Whether the middle of the foot and the ray under it are behind the foot bone: for legs that bend backward. 0 means no.</summary>
        public uint invertFootCenter;
        /// <summary>Offset of both feet above the ground. From -1 to 1 metres, by default 0.</summary>
        public float heightOffset;
        /// <summary>How much feet turn to the ground. From 0 to 1, by default 1.</summary>
        public float footRotationWeight;
        /// <summary>How fast feet turn to the ground: fraction of the remaining rotation per second. From 0 to 50 times a second, by default 7.</summary>
        public float footRotationSpeed;
        /// <summary>Largest angle by which a foot turns to the ground. From 0 to 90 degrees, by default 45.</summary>
        public float maxFootRotationAngle;
        /// <summary>How fast the pelvis follows the feet: fraction of the remaining distance per second. From 0 to 50 times a second, by default 5.</summary>
        public float pelvisSpeed;
        /// <summary>Fraction of the root's rise and fall that the pelvis does not follow at first. From 0 to 1, by default 0.5.</summary>
        public float pelvisDamper;
        /// <summary>Radius of the sphere that checks for ground below the character at quality best; the other qualities cast a ray. From 0 to 1 metres, by default 0.1.</summary>
        public float rootSphereCastRadius;
        /// <summary>How much the pelvis follows the lower foot down. From 0 to 1, by default 1.</summary>
        public float lowerPelvisWeight;
        /// <summary>How much the pelvis follows the higher foot up. From 0 to 1, by default 0.</summary>
        public float liftPelvisWeight;
        /// <summary>Whether a foot over an edge goes down a full step; otherwise it stays at the root's level. 0 means no.</summary>
        public uint overstepFallsDown;
        /// <summary>Number and shape of the casts at the ground. A number of Quality.</summary>
        public uint quality;
    }

    /// <summary>Settings of the foot lock.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct LockSettings
    {
        /// <summary>Whether planted feet are held. 0 means no.</summary>
        public uint on;
        /// <summary>Fraction of a foot's sliding that is cancelled. From 0 to 1, by default 1.</summary>
        public float weight;
        /// <summary>Distance from the grounder's goal at which a held foot is let go. From 0 to 10 metres, by default 0.25.</summary>
        public float distance;
        /// <summary>Rotation about up since landing at which a foot is let go. From 0 to 180 degrees, by default 60.</summary>
        public float angle;
        /// <summary>Time of standing after which a foot is let go; 0 disables the limit. From 0 to 600 seconds, by default 0.</summary>
        public float time;
        /// <summary>Time in which a foot that was let go returns to the grounder's goal; after it, 2 % of the offset remains. From 0 to 10 seconds, by default 0.25.</summary>
        public float ease;
    }

    /// <summary>Settings that control how steps are shifted to even ground.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct FootprintSettings
    {
        /// <summary>Largest shift of a step, forward or back. From 0 to 1 metres, by default 0.14.</summary>
        public float shift;
        /// <summary>Largest height difference under the sole at which ground counts as even. From 0 to 1 metres, by default 0.03.</summary>
        public float even;
        /// <summary>Fraction of the sole that may stick out over an edge. From 0 to 1, by default 0.35.</summary>
        public float overhang;
        /// <summary>How far above the landing foot and below the root's level casts look for ground. From 0 to 5 metres, by default 0.5.</summary>
        public float step;
    }

    /// <summary>Weights of a grounding's effect on the bones.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct DriveWeights
    {
        /// <summary>Share of the pelvis's offset that the whole body takes. From 0 to 1, by default 1.</summary>
        public float pelvis;
        /// <summary>How much the left foot moves to its ground; multiplied by the leg's weight. From 0 to 1, by default 1.</summary>
        public float leftFootPosition;
        /// <summary>How much the right foot moves to its ground; multiplied by the leg's weight. From 0 to 1, by default 1.</summary>
        public float rightFootPosition;
        /// <summary>How much the left foot turns to its ground; multiplied by the leg's weight. From 0 to 1, by default 1.</summary>
        public float leftFootRotation;
        /// <summary>How much the right foot turns to its ground; multiplied by the leg's weight. From 0 to 1, by default 1.</summary>
        public float rightFootRotation;
    }

    /// <summary>Thresholds from the speed of a foot bone to its weight.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct SpeedSettings
    {
        /// <summary>Speed of the bone up to which a foot stands: weight 1. From 0 to 50 metres per second, by default 0.3.</summary>
        public float plantedSpeed;
        /// <summary>Speed from which a foot swings: weight 0. From 0 to 50 metres per second, by default 1.</summary>
        public float swingSpeed;
        /// <summary>Time constant of the filter that smooths the bone's velocity. From 0 to 1 seconds, by default 0.05.</summary>
        public float smoothing;
    }

    /// <summary>Where a foot will land as animated.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Footprint
    {
        /// <summary>The animated foot bone at landing; world space.</summary>
        public RigidTransform foot;
        /// <summary>Seconds until landing.</summary>
        public float time;
    }

    /// <summary>A frame of grounding. Pairs are the left and the right foot. kinescope_ground_frame_default fills it in.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct GroundFrame
    {
        /// <summary>The character's transform from model to world.</summary>
        public RigidTransform root;
        /// <summary>Seconds since the last frame.</summary>
        public float dt;
        public float planted0;
        public float planted1;
        public uint hasCrossed0;
        public uint hasCrossed1;
        public float crossed0;
        public float crossed1;
        public Vec3 carried0;
        public Vec3 carried1;
        public uint hasFootprint0;
        public uint hasFootprint1;
        public Footprint footprint0;
        public Footprint footprint1;
        public uint layers0;
        public uint layers1;
        /// <summary>Whether up is the world's +Y instead of the root's. 0 means no.</summary>
        public uint keepsWorldUp;
    }

    /// <summary>The goals of a foot, in world space.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct LegOutput
    {
        /// <summary>Target of the foot bone.</summary>
        public Vec3 position;
        /// <summary>Rotation in world space, by which the animated foot's rotation is multiplied from the left.</summary>
        public Quat rotationOffset;
        /// <summary>Height of the target over the animated foot, along up.</summary>
        public float offset;
        /// <summary>Whether there is ground under the foot or on its path. 0 means no.</summary>
        public uint isGrounded;
        /// <summary>Smoothed velocity of the animated foot, metres per second; zero with foot IK.</summary>
        public Vec3 velocity;
        /// <summary>Predicted place of the animated foot; its current place with foot IK.</summary>
        public Vec3 predicted;
        /// <summary>Weight of the goal, 0 to 1.</summary>
        public float weight;
        /// <summary>Offset by which the foot lock holds the foot, not scaled by `weight`; zero without the lock.</summary>
        public Vec3 held;
    }

    /// <summary>The result of the last frame of a grounder.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct GroundOutput
    {
        public LegOutput legs0;
        public LegOutput legs1;
        /// <summary>Offset of the pelvis and everything it carries; world space.</summary>
        public Vec3 pelvis;
        /// <summary>Offset of the pelvis along up.</summary>
        public float pelvisHeight;
        /// <summary>Whether the reach of a leg lowered the pelvis further. 0 means no.</summary>
        public uint isPelvisLimited;
        public float planted0;
        public float planted1;
    }

    /// <summary>One of many characters.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe partial struct NativeTask
    {
        /// <summary>The character's solver; characters may share one.</summary>
        public IntPtr solver;
        /// <summary>The parameters of the solve.</summary>
        public Settings* settings;
        /// <summary>The animated pose; becomes the solved pose.</summary>
        public NativePose pose;
        /// <summary>Receives the result, a Status, as returned by kinescope_solve.</summary>
        public int status;
    }

    /// <summary>The moment of a frame, for modifiers.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Moment
    {
        /// <summary>From model space to the space of the poses: the identity for poses in model space. For poses in world space it is the character's transform; targets of modifiers are in world space then.</summary>
        public RigidTransform root;
        /// <summary>Seconds since the last frame.</summary>
        public float dt;
        /// <summary>Time in the clip that plays, seconds; for keyed effectors.</summary>
        public float time;
    }

    /// <summary>One of many characters, with modifiers.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe partial struct NativeModifiedTask
    {
        /// <summary>Solver, settings, pose and result.</summary>
        public NativeTask task;
        /// <summary>The character's modifiers; NULL for none. Characters cannot share a list.</summary>
        public IntPtr modifiers;
        /// <summary>The moment, for the modifiers.</summary>
        public Moment moment;
    }

    /// <summary>A material.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct KinescopeMaterial
    {
        public float baseColor0;
        public float baseColor1;
        public float baseColor2;
        public float baseColor3;
        public float emissive0;
        public float emissive1;
        public float emissive2;
        /// <summary>The index of the texture that the base colour is multiplied by; -1 without one.</summary>
        public int texture;
        /// <summary>The index of the texture that the emitted light is multiplied by; -1 without one.</summary>
        public int emissiveTexture;
        /// <summary>Whether the base colour is drawn without lights.</summary>
        public uint unlit;
        /// <summary>Whether back faces are drawn.</summary>
        public uint doubleSided;
        /// <summary>Whether the material is blended by its alpha.</summary>
        public uint blend;
        /// <summary>Texels with an alpha below this are not drawn; 0 draws all.</summary>
        public float alphaCutoff;
    }

    /// <summary>A decoded image.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct KinescopeTexture
    {
        /// <summary>Pixels of a row.</summary>
        public uint width;
        /// <summary>Number of rows.</summary>
        public uint height;
        /// <summary>A Wrap beyond the left and the right edge.</summary>
        public uint wrapX;
        /// <summary>A Wrap beyond the top and the bottom edge.</summary>
        public uint wrapY;
        /// <summary>Whether pixels are drawn as squares, without interpolation.</summary>
        public uint nearest;
    }

    /// <summary>What a morph target of weight 1 adds to a vertex, in mesh space.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct MorphOffset
    {
        /// <summary>The vertex, by its index in the mesh.</summary>
        public uint vertex;
        /// <summary>The change of the vertex's position.</summary>
        public Vec3 position;
        /// <summary>The change of the vertex's normal.</summary>
        public Vec3 normal;
    }

    /// <summary>A mesh of a model: triangles with one material.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct KinescopeMesh
    {
        /// <summary>Number of vertices.</summary>
        public UIntPtr vertices;
        /// <summary>Number of indices, three for each triangle.</summary>
        public UIntPtr indices;
        /// <summary>Number of joints that the vertices refer to.</summary>
        public UIntPtr joints;
        public float baseColor0;
        public float baseColor1;
        public float baseColor2;
        public float baseColor3;
    }

    /// <summary>A vertex in mesh space, in the bind pose.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Vertex
    {
        public Vec3 position;
        /// <summary>Unit normal.</summary>
        public Vec3 normal;
        public float uv0;
        public float uv1;
        public uint joints0;
        public uint joints1;
        public uint joints2;
        public uint joints3;
        public float weights0;
        public float weights1;
        public float weights2;
        public float weights3;
    }

    /// <summary>A joint of a mesh.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct KinescopeJoint
    {
        /// <summary>The bone; -1 for a part that is not attached to a bone: the matrix then maps to model space.</summary>
        public int bone;
        public float boneFromMesh0;
        public float boneFromMesh1;
        public float boneFromMesh2;
        public float boneFromMesh3;
        public float boneFromMesh4;
        public float boneFromMesh5;
        public float boneFromMesh6;
        public float boneFromMesh7;
        public float boneFromMesh8;
        public float boneFromMesh9;
        public float boneFromMesh10;
        public float boneFromMesh11;
        public float boneFromMesh12;
        public float boneFromMesh13;
        public float boneFromMesh14;
        public float boneFromMesh15;
    }

    /// <summary>Settings of a modifier. A shot throws hands, shoulders and body back, and turns the weapon up.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Recoil
    {
        /// <summary>Whether the modifier is off. 0 means no.</summary>
        public uint off;
        /// <summary>Weight of the whole effect. From 0 to 1, by default 1.</summary>
        public float weight;
        /// <summary>The hand that fires. A number of Side.</summary>
        public uint hand;
        /// <summary>Whether the other hand is also on the weapon and follows it. 0 means no.</summary>
        public uint bothHands;
        /// <summary>How far a shot throws the hand back, as a fraction of the character's height from foot to head. From 0 to 1, by default 0.055.</summary>
        public float kick;
        /// <summary>How far a shot turns the weapon up. From -90 to 90 degrees, by default 8.</summary>
        public float rise;
        /// <summary>How much of the kick the shoulders take. From 0 to 1, by default 0.5.</summary>
        public float shoulders;
        /// <summary>How much of the kick the body takes. From 0 to 1, by default 0.15.</summary>
        public float body;
        /// <summary>Time from the shot to the peak. From 0 to 2 seconds, by default 0.04.</summary>
        public float attack;
        /// <summary>Time from the peak back to the aim. From 0 to 10 seconds, by default 0.35.</summary>
        public float release;
        /// <summary>Time between automatic shots; 0 disables them. From 0 to 60 seconds, by default 0.</summary>
        public float interval;
    }

    /// <summary>Settings of a modifier. One hand holds on to the object that the other carries, as far as its arm reaches.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct TwoHandedGrip
    {
        /// <summary>Whether the modifier is off. 0 means no.</summary>
        public uint off;
        /// <summary>How much the other hand holds on. From 0 to 1, by default 1.</summary>
        public float weight;
        /// <summary>The leading hand; the other one holds on. A number of Side.</summary>
        public uint hand;
        /// <summary>Whether `position` is set. 0 means no.</summary>
        public uint hasPosition;
        /// <summary>Position of the grip in the space of the leading hand.</summary>
        public Vec3 position;
        /// <summary>Whether `rotation` is set. 0 means no.</summary>
        public uint hasRotation;
        /// <summary>Rotation of the other hand in the space of the leading hand.</summary>
        public Quat rotation;
        /// <summary>How much the other hand takes the grip's rotation. From 0 to 1, by default 1.</summary>
        public float rotationWeight;
        /// <summary>How much the grip turns with the leading hand, if its written rotation differs from the requested one. From 0 to 1, by default 1.</summary>
        public float turns;
    }

    /// <summary>Settings of a modifier. A blow moves nearby effectors, and turns spine and head.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct HitReaction
    {
        /// <summary>Whether the modifier is off. 0 means no.</summary>
        public uint off;
        /// <summary>Weight of the whole reaction. From 0 to 1, by default 1.</summary>
        public float weight;
        /// <summary>How far an automatic blow or a click throws the struck place, as a fraction of the character's height. From 0 to 1, by default 0.08.</summary>
        public float force;
        /// <summary>Distance over which a blow fades, as a fraction of the character's height. From 0.01 to 10, by default 0.3.</summary>
        public float radius;
        /// <summary>How much a hand follows its shoulder. From 0 to 1, by default 0.7.</summary>
        public float hands;
        /// <summary>How far a blow of force 0.07 or more bends the spine. From 0 to 90 degrees, by default 14.</summary>
        public float spine;
        /// <summary>Largest twist of the spine, by a blow of force 0.07 or more to its side. From 0 to 90 degrees, by default 12.</summary>
        public float twist;
        /// <summary>How far a blow of force 0.07 or more bends neck and head relative to the spine. From 0 to 90 degrees, by default 16.</summary>
        public float head;
        /// <summary>Delay of the head after the body. From 0 to 1 seconds, by default 0.05.</summary>
        public float lag;
        /// <summary>Time from the blow to the peak. From 0 to 2 seconds, by default 0.07.</summary>
        public float attack;
        /// <summary>Time from the peak back to the animation. From 0 to 10 seconds, by default 0.55.</summary>
        public float release;
        /// <summary>Time between automatic blows, from different sides in turn. 0 disables them. From 0 to 60 seconds, by default 0.</summary>
        public float interval;
    }

    /// <summary>Settings of a modifier. Effectors lag behind their animated motion, and overshoot its end.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Inertia
    {
        /// <summary>Whether the modifier is off. 0 means no.</summary>
        public uint off;
        /// <summary>Weight of the whole effect. From 0 to 1, by default 1.</summary>
        public float weight;
        /// <summary>Oscillations of the spring per second: how tightly it follows. From 0.1 to 30 times a second, by default 2.5.</summary>
        public float frequency;
        /// <summary>Damping ratio: how soon oscillation ends; from 1 on, effectors overshoot once without oscillating. From 0 to 4, by default 0.5.</summary>
        public float damping;
        /// <summary>How much of the lag the body takes. From 0 to 1, by default 0.5.</summary>
        public float body;
        /// <summary>How much of the lag the shoulders take. From 0 to 1, by default 0.5.</summary>
        public float shoulders;
        /// <summary>How much of the lag the hands take. From 0 to 1, by default 1.</summary>
        public float hands;
        /// <summary>Largest displacement, as a fraction of the character's height from foot to head. From 0 to 10, by default 0.15.</summary>
        public float farthest;
    }

    /// <summary>Settings of a modifier. The chest rises and falls, the body sways.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Breathing
    {
        /// <summary>Whether the modifier is off. 0 means no.</summary>
        public uint off;
        /// <summary>Weight of breathing and sway. From 0 to 1, by default 1.</summary>
        public float weight;
        /// <summary>Breaths per second. From 0 to 5 times a second, by default 0.25.</summary>
        public float rate;
        /// <summary>Depth of a breath, as a fraction of the height from foot to head: shoulders rise by 0.7 of it and move forward by 0.5. From 0 to 1, by default 0.008.</summary>
        public float depth;
        /// <summary>How far the spine straightens with a breath. From 0 to 45 degrees, by default 1.5.</summary>
        public float lean;
        /// <summary>How far the body sways over its feet, as a fraction of the character's height. From 0 to 1, by default 0.006.</summary>
        public float sway;
        /// <summary>How often the body sways per second. From 0 to 5 times a second, by default 0.2.</summary>
        public float swayRate;
    }

    /// <summary>Settings of a modifier. Spine, neck and head turn the eyes to a target, or the spine points a hand at it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct LookAt
    {
        /// <summary>Whether the modifier is off. 0 means no.</summary>
        public uint off;
        /// <summary>Weight of the whole rotation. From 0 to 1, by default 1.</summary>
        public float weight;
        /// <summary>Whether `target` is set. 0 means no.</summary>
        public uint hasTarget;
        /// <summary>Target in the space of the poses. Without one, nothing turns.</summary>
        public Vec3 target;
        /// <summary>The eyes or the hand that points at the target. A number of Aims.</summary>
        public uint aims;
        /// <summary>How much of the rotation the spine takes. From 0 to 1, by default 0.35.</summary>
        public float spine;
        /// <summary>How much of the remaining rotation neck and head take. From 0 to 1, by default 1.</summary>
        public float head;
        /// <summary>How much of the rotation of neck and head the neck takes. From 0 to 1, by default 0.5.</summary>
        public float neck;
        /// <summary>Largest angle, from the direction that the character faces, to which the spine follows the target. From 0 to 180 degrees, by default 45.</summary>
        public float spineLimit;
        /// <summary>Largest angle, from the direction that the chest faces, to which the neck follows the target. From 0 to 180 degrees, by default 60.</summary>
        public float neckLimit;
        /// <summary>Largest angle of the eyes from the direction that the chest faces. From 0 to 180 degrees, by default 75.</summary>
        public float headLimit;
    }

    /// <summary>Settings of a modifier. An effector moves to a point, holds it while the point moves, and lets go.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct ReachFor
    {
        /// <summary>Whether the modifier is off. 0 means no.</summary>
        public uint off;
        /// <summary>Weight of the whole reach. From 0 to 1, by default 1.</summary>
        public float weight;
        /// <summary>The effector that reaches. A number of Effector.</summary>
        public uint effector;
        /// <summary>Whether `position` is set. 0 means no.</summary>
        public uint hasPosition;
        /// <summary>The point, in the space of the poses. Without one, no effector moves.</summary>
        public Vec3 position;
        /// <summary>Whether `to` is set. 0 means no.</summary>
        public uint hasTo;
        /// <summary>Position of the point when the effector lets go, in the space of the poses. Without one, the point stays.</summary>
        public Vec3 to;
        /// <summary>Whether `rotation` is set. 0 means no.</summary>
        public uint hasRotation;
        /// <summary>Rotation of hand or foot at the point, in the space of the poses.</summary>
        public Quat rotation;
        /// <summary>Position weight while holding. From 0 to 1, by default 1.</summary>
        public float positionWeight;
        /// <summary>Rotation weight while holding. From 0 to 1, by default 0.</summary>
        public float rotationWeight;
        /// <summary>Time that the effector takes to the point. From 0 to 60 seconds, by default 0.5.</summary>
        public float approach;
        /// <summary>Time that the effector stays at the point. From 0 to 600 seconds, by default 0.8.</summary>
        public float hold;
        /// <summary>Time of the way back to the animation after letting go. From 0 to 60 seconds, by default 0.6.</summary>
        public float release;
        /// <summary>Time between automatic reaches; 0 disables them. From 0 to 600 seconds, by default 0.</summary>
        public float interval;
    }

    /// <summary>Settings of a modifier. Effectors follow keys over time.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Keyed
    {
        /// <summary>Whether the modifier is off. 0 means no.</summary>
        public uint off;
        /// <summary>Weight of all keys. From 0 to 1, by default 1.</summary>
        public float weight;
        /// <summary>Whether keys are in world space; otherwise they are relative to the character. 0 means no.</summary>
        public uint inWorld;
    }

    /// <summary>Settings of a modifier. Moves the head to a target; body, thighs and hands follow, spine and neck bend.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Head
    {
        /// <summary>Whether the modifier is off. 0 means no.</summary>
        public uint off;
        /// <summary>Whether `position` is set. 0 means no.</summary>
        public uint hasPosition;
        /// <summary>Target in the space of the poses; without it the head's position in the animated pose.</summary>
        public Vec3 position;
        /// <summary>Whether `rotation` is set. 0 means no.</summary>
        public uint hasRotation;
        /// <summary>Target rotation in the space of the poses; without it the head's rotation in the animated pose.</summary>
        public Quat rotation;
        /// <summary>How strongly the head moves to the target. From 0 to 1, by default 1.</summary>
        public float positionWeight;
        /// <summary>How much the head takes the target rotation. From 0 to 1, by default 0.</summary>
        public float rotationWeight;
        /// <summary>How much the body follows the head's displacement. From 0 to 1, by default 0.8.</summary>
        public float body;
        /// <summary>How much the thighs follow the body. From 0 to 1, by default 1.</summary>
        public float thighs;
        /// <summary>How much hands without a target follow the head's displacement. From 0 to 1, by default 0.5.</summary>
        public float hands;
        /// <summary>How much of the head's rotation is spread over spine and neck. From 0 to 1, by default 0.6.</summary>
        public float bend;
        /// <summary>How much spine and neck bend toward the target, except bones with their own weight. From 0 to 1, by default 0.6.</summary>
        public float spineWeight;
        /// <summary>How much a bone's rotation is damped in each round of CCD, except bones with their own damper. From 0 to 1, by default 0.3.</summary>
        public float damper;
        /// <summary>How far the neck may stretch, as a fraction of the character's height from foot to head. From 0 to 1, by default 0.</summary>
        public float stretch;
        /// <summary>Share of the head's remaining distance to its target that the pelvis covers. From 0 to 1, by default 1.</summary>
        public float settle;
        /// <summary>Whether `chestDirection` is set. 0 means no.</summary>
        public uint hasChestDirection;
        /// <summary>Direction that the chest faces, in the space of the poses; of any length but 0.</summary>
        public Vec3 chestDirection;
        /// <summary>How much the chest turns to the chest direction. From 0 to 1, by default 1.</summary>
        public float chestWeight;
    }

    /// <summary>Settings of a modifier. A hock, or a second elbow, shares the bend of its limb.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct FourBones
    {
        /// <summary>Whether the modifier is off. 0 means no.</summary>
        public uint off;
        /// <summary>How much of a leg's bend the hock takes; the knee takes the rest. From 0 to 1, by default 0.5.</summary>
        public float legs;
        /// <summary>How much of an arm's bend the inner joint takes; the elbow takes the rest. From 0 to 1, by default 0.5.</summary>
        public float arms;
    }

    /// <summary>Settings of a modifier. Turns elbows by the hands' positions and rotations; spreads the hands' twist over the forearms.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct ArmBending
    {
        /// <summary>Whether the modifier is off. 0 means no.</summary>
        public uint off;
        /// <summary>Weight of the left arm. From 0 to 1, by default 1.</summary>
        public float left;
        /// <summary>Weight of the right arm. From 0 to 1, by default 1.</summary>
        public float right;
        /// <summary>How much the hand's rotation affects the elbow. From 0 to 1, by default 0.5.</summary>
        public float hand;
        /// <summary>How much of the hand's twist is spread over the forearm. From 0 to 1, by default 1.</summary>
        public float twist;
    }

    /// <summary>What a target is attached to, and where.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Attachment
    {
        /// <summary>The bone that the target follows; -1 to follow an effector.</summary>
        public int bone;
        /// <summary>The Effector that the target follows if `bone` is -1.</summary>
        public uint effector;
        /// <summary>From the anchor to the target, in the anchor's space.</summary>
        public Vec3 offset;
        /// <summary>Whether `rotationOffset` is set. 0 keeps the target's own rotation.</summary>
        public uint hasRotationOffset;
        /// <summary>The target's rotation in the anchor's space. Only hands, feet and reach-for use it.</summary>
        public Quat rotationOffset;
    }

    /// <summary>Place, rotation and weights of a keyed effector at one time.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Key
    {
        /// <summary>Time in the clip, seconds.</summary>
        public float time;
        /// <summary>Position of the effector in model space, or in the space of the poses if `in_world` of the modifier is set.</summary>
        public Vec3 position;
        /// <summary>Rotation of the effector in the same space. Only hands and feet use it.</summary>
        public Quat rotation;
        /// <summary>Position weight, 0 to 1.</summary>
        public float positionWeight;
        /// <summary>Rotation weight, 0 to 1.</summary>
        public float rotationWeight;
    }

    /// <summary>How a spine or neck bone bends for the head effector.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct HeadBone
    {
        /// <summary>How much the bone bends, 0 to 1.</summary>
        public float weight;
        /// <summary>How much the bone's rotation is damped in each round, 0 to 1.</summary>
        public float damper;
    }

    /// <summary>Receives the progress of long work, and may cancel it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe partial struct NativeProgress
    {
        /// <summary>Passed to `report`.</summary>
        public IntPtr user;
        /// <summary>Called on the calling thread before each slice of the work, with the fraction that is done, from 0 to 1. A slice takes a few milliseconds; with a tape it solves one frame or all frames of the tape. Returns 0 to cancel the work, any other number to continue. Must not throw. NULL: the work runs to its end.</summary>
        public IntPtr report;
    }

    /// <summary>A point of the surface of a reachable volume, in model space.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct SurfacePoint
    {
        public Vec3 position;
        /// <summary>Unit normal, out of the volume.</summary>
        public Vec3 normal;
    }

    /// <summary>A line of a recording.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Line
    {
        /// <summary>A LineKind.</summary>
        public uint kind;
        /// <summary>The number of the character; 0 for a mark. The characters that are present at the start have the first numbers.</summary>
        public uint character;
        /// <summary>The game's number of a frame; 0 for other lines.</summary>
        public ulong frame;
        /// <summary>The time of a frame or mark in seconds; 0 for other lines.</summary>
        public double time;
        /// <summary>Number of bones in the poses of a frame; 0 for other lines.</summary>
        public UIntPtr bones;
        /// <summary>Whether a frame has the result of the game's solver.</summary>
        public uint hasResult;
        /// <summary>Number of stages of a frame.</summary>
        public UIntPtr steps;
        /// <summary>Number of parts of the body of a frame whose bones were recorded after the game wrote them.</summary>
        public UIntPtr writes;
    }

    /// <summary>One step of a solve.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Step
    {
        /// <summary>The iteration of the main loop, from 0; -1 outside of it.</summary>
        public int iteration;
        /// <summary>A Stage.</summary>
        public uint stage;
    }

    /// <summary>A stage and the nodes after it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct StepNodes
    {
        public Step step;
        public Vec3 bodyNode;
        public Vec3 leftUpperArmNode;
        public Vec3 leftForearmNode;
        public Vec3 leftHandNode;
        public Vec3 rightUpperArmNode;
        public Vec3 rightForearmNode;
        public Vec3 rightHandNode;
        public Vec3 leftThighNode;
        public Vec3 leftCalfNode;
        public Vec3 leftFootNode;
        public Vec3 rightThighNode;
        public Vec3 rightCalfNode;
        public Vec3 rightFootNode;
    }

    /// <summary>A part of the body, and bones after the game wrote that part.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe partial struct NativeWrite
    {
        /// <summary>A Part.</summary>
        public uint part;
        /// <summary>The bones by index.</summary>
        public int* bones;
        /// <summary>Each bone's transform, in model space.</summary>
        public RigidTransform* transforms;
        /// <summary>Number of bones.</summary>
        public UIntPtr count;
    }

    /// <summary>One frame of one character.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe partial struct NativeFrame
    {
        /// <summary>The character's number, from kinescope_game_add, kinescope_recorder_join or kinescope_sender_join.</summary>
        public uint character;
        /// <summary>The game's frame number; a negative number continues from the previous frame.</summary>
        public long frame;
        /// <summary>Seconds. Must not decrease within one character.</summary>
        public double time;
        /// <summary>The parameters of the solve; NULL for the defaults.</summary>
        public Settings* settings;
        /// <summary>The animated pose, the solver's input.</summary>
        public NativePose animated;
        /// <summary>The game's own solved pose; a count of 0 if it is not recorded.</summary>
        public NativePose result;
        /// <summary>Stages and the nodes after each; may be NULL if `stepCount` is 0.</summary>
        public StepNodes* steps;
        /// <summary>Number of stages.</summary>
        public UIntPtr stepCount;
        /// <summary>Parts of the body with the bones after each was written, each part at most once; may be NULL if `writeCount` is 0.</summary>
        public NativeWrite* writes;
        /// <summary>Number of parts.</summary>
        public UIntPtr writeCount;
    }

    /// <summary>A character's bones as arrays; parents come before their children.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe partial struct NativeSkeleton
    {
        /// <summary>Number of bones.</summary>
        public UIntPtr count;
        /// <summary>A name for each bone; NULL if bones have no names. Detection uses names and positions if no biped is given.</summary>
        public byte** names;
        /// <summary>Each bone's parent, by index; -1 for a root.</summary>
        public int* parents;
        /// <summary>The reference pose, from which the solver takes lengths and bend directions: standing, arms out (T-pose or A-pose).</summary>
        public NativePose reference;
    }

    /// <summary>The bones of an arm or a leg, by index.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct LimbBones
    {
        /// <summary>The bone between spine and upper arm; -1 for an arm without one, and for legs.</summary>
        public int clavicle;
        public int bones0;
        public int bones1;
        public int bones2;
    }

    /// <summary>The bones of each role, by index.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe partial struct NativeBiped
    {
        /// <summary>The bone that carries spine and legs, called hips in some rigs. Bones without a role may lie between.</summary>
        public int pelvis;
        /// <summary>The spine bones, from the pelvis upwards; at least one.</summary>
        public int* spine;
        /// <summary>Number of spine bones.</summary>
        public UIntPtr spineCount;
        /// <summary>The head bone; -1 if there is none.</summary>
        public int head;
        /// <summary>The pelvis or spine bone used as the solver's body node; -1 chooses a spine bone by position.</summary>
        public int rootNode;
        public LimbBones leftArmLimb;
        public LimbBones rightArmLimb;
        public LimbBones leftLegLimb;
        public LimbBones rightLegLimb;
    }

    /// <summary>A clip that plays, for the rules of grounding.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe partial struct NativePlayedClip
    {
        /// <summary>Name of the clip, zero-terminated, as the rules have it.</summary>
        public byte* name;
        /// <summary>Speed at which the clip walks, metres per second.</summary>
        public float speed;
        /// <summary>Share of the clip in the pose, 0 or more, relative to that of the other clips.</summary>
        public float share;
    }

    /// <summary>A single move of one node and its cause.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe partial struct NativeMove
    {
        /// <summary>A Node.</summary>
        public uint node;
        /// <summary>The position before the move.</summary>
        public Vec3 from;
        /// <summary>The position after the move.</summary>
        public Vec3 to;
        /// <summary>The cause, named as in traces: `reach`, `child_constraint`. The pointer stays valid.</summary>
        public byte* cause;
    }

    /// <summary>Observes a solve. Either function may be NULL. Neither may throw, nor use this workspace.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe partial struct NativeObserver
    {
        /// <summary>Passed to both functions.</summary>
        public IntPtr user;
        /// <summary>Called after every step with KINESCOPE_NODES nodes.</summary>
        public IntPtr stage;
        /// <summary>Called after every single move within a step.</summary>
        public IntPtr moved;
    }

    /// <summary>A parameter with the range of a sweep.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe partial struct NativeAxis
    {
        /// <summary>The path of the parameter in presets, such as `chains.left_arm.pull`.</summary>
        public byte* parameter;
        /// <summary>The first value. Values are clamped to the range of kinescope_parameter_range.</summary>
        public float from;
        /// <summary>The last value.</summary>
        public float to;
        /// <summary>Number of values, including both ends. From 2 to 1024.</summary>
        public UIntPtr count;
    }

    /// <summary>How a parameter affects a measure.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Sensitivity
    {
        /// <summary>The value of the parameter in the first frame.</summary>
        public float value;
        /// <summary>The change of the measure if the parameter decreases by 5 % of its range, or by 1 if the parameter is a whole number, but not below its range.</summary>
        public float down;
        /// <summary>The change of the measure if the parameter increases by as much, but not above its range.</summary>
        public float up;
    }

    /// <summary>A stance of a foot, from landing to lifting.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Slide
    {
        /// <summary>A Side.</summary>
        public uint side;
        /// <summary>Whether the foot landed within the recording. 0 if the stance began in the first three frames of the tape, in which feet settle.</summary>
        public uint hasLanded;
        /// <summary>The number of the first frame of the stance.</summary>
        public ulong first;
        /// <summary>The number of the last frame of the stance.</summary>
        public ulong last;
        /// <summary>The distance that the foot slides in the animated pose; model units along the ground.</summary>
        public float animated;
        /// <summary>The distance that the foot slides in the solved pose; model units along the ground.</summary>
        public float solved;
    }

    /// <summary>The functions of the library, and the layout for which this file was made.</summary>
    internal static unsafe class Native
    {
#if (UNITY_IOS || UNITY_WEBGL) && !UNITY_EDITOR
        const string Library = "__Internal";
#else
        const string Library = "kinescope";
#endif

        internal const uint AbiVersion = 1;

        internal static readonly string[] StructNames =
        {
            "KinescopeAllocator",
            "KinescopePose",
            "KinescopeShownClip",
            "KinescopeVec3",
            "KinescopeAttributionRow",
            "KinescopeSpace",
            "KinescopeQuat",
            "KinescopeTransform",
            "KinescopeSolverSettings",
            "KinescopeChainSettings",
            "KinescopeEffectorSettings",
            "KinescopeSettings",
            "KinescopeLeastSquaresSettings",
            "KinescopeBodyOutcome",
            "KinescopePositionBasedSettings",
            "KinescopeHit",
            "KinescopeCast",
            "KinescopeGround",
            "KinescopeCapsuleChange",
            "KinescopeChainIkSettings",
            "KinescopeLimit",
            "KinescopeGoal",
            "KinescopeOutcome",
            "KinescopeWay",
            "KinescopeDetailRule",
            "KinescopeDrawnLine",
            "KinescopeDrawing",
            "KinescopeBreaks",
            "KinescopeBreakHit",
            "KinescopePop",
            "KinescopeWhy",
            "KinescopeFootIkSettings",
            "KinescopePredictiveSettings",
            "KinescopeLockSettings",
            "KinescopeFootprintSettings",
            "KinescopeDriveWeights",
            "KinescopeSpeedSettings",
            "KinescopeFootprint",
            "KinescopeGroundFrame",
            "KinescopeLegOutput",
            "KinescopeGroundOutput",
            "KinescopeTask",
            "KinescopeMoment",
            "KinescopeModifiedTask",
            "KinescopeMaterial",
            "KinescopeTexture",
            "KinescopeMorphOffset",
            "KinescopeMesh",
            "KinescopeVertex",
            "KinescopeJoint",
            "KinescopeRecoil",
            "KinescopeTwoHandedGrip",
            "KinescopeHitReaction",
            "KinescopeInertia",
            "KinescopeBreathing",
            "KinescopeLookAt",
            "KinescopeReachFor",
            "KinescopeKeyed",
            "KinescopeHead",
            "KinescopeFourBones",
            "KinescopeArmBending",
            "KinescopeAttachment",
            "KinescopeKey",
            "KinescopeHeadBone",
            "KinescopeProgress",
            "KinescopeSurfacePoint",
            "KinescopeLine",
            "KinescopeStep",
            "KinescopeStepNodes",
            "KinescopeWrite",
            "KinescopeFrame",
            "KinescopeSkeleton",
            "KinescopeLimbBones",
            "KinescopeBiped",
            "KinescopePlayedClip",
            "KinescopeMove",
            "KinescopeObserver",
            "KinescopeAxis",
            "KinescopeSensitivity",
            "KinescopeSlide",
        };

        internal static readonly int[] StructSizes =
        {
            sizeof(NativeAllocator),
            sizeof(NativePose),
            sizeof(ShownClip),
            sizeof(Vec3),
            sizeof(AttributionRow),
            sizeof(KinescopeSpace),
            sizeof(Quat),
            sizeof(RigidTransform),
            sizeof(SolverSettings),
            sizeof(ChainSettings),
            sizeof(EffectorSettings),
            sizeof(Settings),
            sizeof(LeastSquaresSettings),
            sizeof(BodyOutcome),
            sizeof(PositionBasedSettings),
            sizeof(Hit),
            sizeof(Cast),
            sizeof(NativeGround),
            sizeof(CapsuleChange),
            sizeof(ChainIkSettings),
            sizeof(Limit),
            sizeof(Goal),
            sizeof(Outcome),
            sizeof(NativeWay),
            sizeof(DetailRule),
            sizeof(DrawnLine),
            sizeof(NativeDrawing),
            sizeof(Breaks),
            sizeof(BreakHit),
            sizeof(Pop),
            sizeof(Why),
            sizeof(FootIkSettings),
            sizeof(PredictiveSettings),
            sizeof(LockSettings),
            sizeof(FootprintSettings),
            sizeof(DriveWeights),
            sizeof(SpeedSettings),
            sizeof(Footprint),
            sizeof(GroundFrame),
            sizeof(LegOutput),
            sizeof(GroundOutput),
            sizeof(NativeTask),
            sizeof(Moment),
            sizeof(NativeModifiedTask),
            sizeof(KinescopeMaterial),
            sizeof(KinescopeTexture),
            sizeof(MorphOffset),
            sizeof(KinescopeMesh),
            sizeof(Vertex),
            sizeof(KinescopeJoint),
            sizeof(Recoil),
            sizeof(TwoHandedGrip),
            sizeof(HitReaction),
            sizeof(Inertia),
            sizeof(Breathing),
            sizeof(LookAt),
            sizeof(ReachFor),
            sizeof(Keyed),
            sizeof(Head),
            sizeof(FourBones),
            sizeof(ArmBending),
            sizeof(Attachment),
            sizeof(Key),
            sizeof(HeadBone),
            sizeof(NativeProgress),
            sizeof(SurfacePoint),
            sizeof(Line),
            sizeof(Step),
            sizeof(StepNodes),
            sizeof(NativeWrite),
            sizeof(NativeFrame),
            sizeof(NativeSkeleton),
            sizeof(LimbBones),
            sizeof(NativeBiped),
            sizeof(NativePlayedClip),
            sizeof(NativeMove),
            sizeof(NativeObserver),
            sizeof(NativeAxis),
            sizeof(Sensitivity),
            sizeof(Slide),
        };

        /// <summary>Returns the reason of this thread's last failed call: one line of UTF-8, empty if no call has failed. Most reasons begin with the argument, field, bone or line that is refused. The pointer is valid until this thread's next call.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern byte* kinescope_last_error();

        /// <summary>Returns Kinescope's version, such as `0.1.0`. The pointer stays valid.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern byte* kinescope_version();

        /// <summary>Returns the version of the binary interface of the loaded library. A program or binding that was made for another version must not call any other function. See kinescope_abi_matches.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern uint kinescope_abi_version();

        /// <summary>Returns the size of a structure in bytes by its name in this header, such as `Settings`; 0 if the library has no such structure. Bindings of other languages compare it with the size of their own structure.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_struct_size(byte* name);

        /// <summary>Returns the name of a structure, from number 0 on; NULL after the last one. The pointer stays valid.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern byte* kinescope_struct_name(UIntPtr number);

        /// <summary>Makes the library use the caller's allocator for all its memory, in all threads. Must be the first call of the library, and can succeed once: returns KINESCOPE_STATUS_NOTHING_TO_DO if the library has a caller's allocator or has allocated memory already, and KINESCOPE_STATUS_BAD_ARGUMENT if the allocator or one of its functions is NULL. A refused call changes nothing and leaves no text for kinescope_last_error, which would need memory. The allocator must work until the process ends, as some memory is kept until then.  There is one allocator for the process and none for each object, because Rust's collections allocate through one global allocator.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_set_allocator(NativeAllocator* allocator);

        /// <summary>Blends `pose` toward `to` in local space: with weight 0 `pose` is unchanged except for rounding, with 1 it becomes `to`. Weights are clamped to 0 to 1. Both are poses of the solver's skeleton in model space. `mask` has a weight for each bone, from 0 to 1, by which `weight` is multiplied; NULL stands for 1 for all bones. Allocates nothing once the buffers of the thread have grown.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_pose_blend(IntPtr solver, NativePose* to, float weight, float* mask, UIntPtr count, NativePose* pose);

        /// <summary>Adds to `pose` the difference of `added` from `base` in local space, such as a lean, a breath or a crouch. With weight -1 the difference is subtracted, with 2 it is doubled. `mask` is as for kinescope_pose_blend. Allocates the list of differences.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_pose_add(IntPtr solver, NativePose* @base, NativePose* added, float weight, float* mask, UIntPtr count, NativePose* pose);

        /// <summary>Writes the weights of a mask: 1 for `bone` and the bones below it, 0 for all others. Over the first `over` generations, which begin with `bone`, the weight rises in even steps, so that an upper body bends the whole spine. `count` is the number of bones.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_pose_mask(IntPtr solver, uint bone, uint over, float* weights, UIntPtr count);

        /// <summary>Creates a crossfade between clips with these durations in seconds, which plays nothing yet.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_crossfade_new(float* durations, UIntPtr count, IntPtr* @out);

        /// <summary>Frees a crossfade; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_crossfade_free(IntPtr crossfade);

        /// <summary>Fades to a clip over `duration` seconds. The clip plays at once if nothing plays yet, or if `duration` is 0 or less. If `keeps_phase` is not 0, the clip starts at the same part of its duration as the clip before it, so that a walk that becomes a run keeps the same foot on the ground. A fade that interrupts another starts from the pose shown. Returns KINESCOPE_STATUS_NOTHING_TO_DO if the clip is the target already, or if 64 fades run and `duration` is above 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_crossfade_to(IntPtr crossfade, uint clip, float duration, uint keepsPhase);

        /// <summary>Advances fades by `dt` seconds, and clips by `dt` times `speed`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_crossfade_step(IntPtr crossfade, float dt, float speed);

        /// <summary>Copies the first `capacity` clips that show, the lowest first. Returns the number of all clips that show; 0 for an invalid crossfade and before the first clip. The pose is that of the first clip, blended with each of the others in turn by its weight.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_crossfade_shown(IntPtr crossfade, ShownClip* shown, UIntPtr capacity);

        /// <summary>Divides the displacement of a bone in the last kinescope_stack_solve among its causes, from the animated pose through all layers. `grouping` is a Grouping. Returns KINESCOPE_STATUS_BAD_WORKSPACE before the first solve.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_attribution_new(IntPtr stack, uint bone, uint grouping, IntPtr* @out);

        /// <summary>Divides the displacement of a point of a layer among its causes, as kinescope_attribution_new does for a bone. Points are numbered as by kinescope_stack_layer_point.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_attribution_new_of_point(IntPtr stack, UIntPtr layer, UIntPtr point, uint grouping, IntPtr* @out);

        /// <summary>Frees an attribution; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_attribution_free(IntPtr attribution);

        /// <summary>Returns the number of rows, one for each group; 0 if nothing moved the bone or point.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_attribution_rows(IntPtr attribution);

        /// <summary>Stores the position of a bone before and after all layers, or of a point before and after its layer, in model space.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_attribution_total(IntPtr attribution, Vec3* from, Vec3* to);

        /// <summary>Stores a row by its index; the row with the largest absolute value of `along` is the first. Returns KINESCOPE_STATUS_NOTHING_TO_DO if there is no such row.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_attribution_row(IntPtr attribution, UIntPtr index, AttributionRow* row);

        /// <summary>Writes the name of a row's group, into a buffer as kinescope_settings_to_preset does. Returns KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if there is no such row.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_attribution_label(IntPtr attribution, UIntPtr index, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Writes the key of a point of a layer, such as `left_hand`, into a buffer as kinescope_settings_to_preset does. Returns KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if there is no such point.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_layer_point(IntPtr stack, UIntPtr layer, UIntPtr point, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Returns the number of measures of the last kinescope_stack_solve: the largest gap of a target, the gap of each target, and the measures of the layers; 0 before the first solve.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_stack_measures(IntPtr stack);

        /// <summary>Writes the key of a measure by its index, such as `left_hand_gap`, into a buffer as kinescope_settings_to_preset does. Returns KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if there is no such measure.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_measure_key(IntPtr stack, UIntPtr index, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Returns the value of a measure by its index: a length in model units, an angle in radians, or a plain number such as a fraction; NaN if there is no such measure.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern float kinescope_stack_measure(IntPtr stack, UIntPtr index);

        /// <summary>Fills in the space of an engine: `axes` is a EngineAxes, `unit` the length of the engine's unit in units of this library. Spaces of other engines are filled in by hand.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_space_of(uint axes, float unit, KinescopeSpace* space);

        /// <summary>Converts positions or offsets in place from the engine to this library, with the unit.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_space_positions_in(KinescopeSpace* space, Vec3* positions, UIntPtr count);

        /// <summary>Converts positions or offsets in place from this library to the engine, with the unit.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_space_positions_out(KinescopeSpace* space, Vec3* positions, UIntPtr count);

        /// <summary>Converts directions in place from the engine to this library; their lengths stay.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_space_directions_in(KinescopeSpace* space, Vec3* directions, UIntPtr count);

        /// <summary>Converts directions in place from this library to the engine; their lengths stay.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_space_directions_out(KinescopeSpace* space, Vec3* directions, UIntPtr count);

        /// <summary>Converts transforms in place from the engine to this library.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_space_transforms_in(KinescopeSpace* space, RigidTransform* own, UIntPtr count);

        /// <summary>Converts transforms in place from this library to the engine.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_space_transforms_out(KinescopeSpace* space, RigidTransform* own, UIntPtr count);

        /// <summary>Converts a pose in place from the engine to this library.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_space_pose_in(KinescopeSpace* space, NativePose* own);

        /// <summary>Converts a pose in place from this library to the engine.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_space_pose_out(KinescopeSpace* space, NativePose* own);

        /// <summary>Converts targets, offsets, bend goals and bend directions of settings in place from the engine to this library.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_space_settings_in(KinescopeSpace* space, Settings* own);

        /// <summary>Converts targets, offsets, bend goals and bend directions of settings in place from this library to the engine.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_space_settings_out(KinescopeSpace* space, Settings* own);

        /// <summary>Creates the least-squares body of a character. Its joints have limits by their roles.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_least_squares_new(IntPtr solver, IntPtr* @out);

        /// <summary>Frees a least-squares body; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_least_squares_free(IntPtr body);

        /// <summary>Sets all settings of the least-squares body to their defaults.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_least_squares_settings_default(LeastSquaresSettings* settings);

        /// <summary>Solves a pose in place: the animated pose in model space becomes the solved one. Of `targets`, these apply: the master weight, the targets, weights and offsets of effectors, the pull of limbs, and bend goals and bend directions with their weights. At master weight 0 or with 0 iterations the pose stays unchanged; also if no target, offset, bend goal or bend direction takes effect, unless balance or separation has a weight. `outcome` may be NULL. Allocates nothing once its buffers have grown.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_least_squares_solve(IntPtr body, LeastSquaresSettings* settings, Settings* targets, NativePose* pose, BodyOutcome* outcome);

        /// <summary>Sets the poses of the character's clips, such as 30 poses a second, from which the setting `clip_limits` takes joint limits. Poses are in model space. With 0 poses the limits are those of the joints' roles again. Poses are read at once and not kept.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_least_squares_set_clip_poses(IntPtr body, NativePose* poses, UIntPtr count);

        /// <summary>Forgets the last pose, from which a warm start begins; for example after a cut.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_least_squares_reset(IntPtr body);

        /// <summary>Creates the position-based body of a character. Its joints have limits by their roles.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_position_based_new(IntPtr solver, IntPtr* @out);

        /// <summary>Frees a position-based body; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_position_based_free(IntPtr body);

        /// <summary>Sets all settings of the position-based body to their defaults.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_position_based_settings_default(PositionBasedSettings* settings);

        /// <summary>Sets the poses of the character's clips, as kinescope_least_squares_set_clip_poses does.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_position_based_set_clip_poses(IntPtr body, NativePose* poses, UIntPtr count);

        /// <summary>Solves a pose in place. The parts of `targets` that kinescope_least_squares_solve names apply, and `pin`. The pose stays unchanged at master weight 0, and if no target, offset, bend goal or bend direction takes effect. `outcome` may be NULL. Keeps nothing from frame to frame, and allocates nothing once its buffers have grown.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_position_based_solve(IntPtr body, PositionBasedSettings* settings, Settings* targets, NativePose* pose, BodyOutcome* outcome);

        /// <summary>Creates a capsule of the last kinescope_stack_solve: its character, input and result. `name` describes the bug; `time` is the time of the frame in seconds. Returns KINESCOPE_STATUS_BAD_WORKSPACE before the first solve.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_capsule_new(IntPtr stack, byte* name, float time, IntPtr* @out);

        /// <summary>Adds the last kinescope_stack_solve of the same character as the next frame; `time` is in seconds. Returns KINESCOPE_STATUS_BAD_WORKSPACE before the first solve, and KINESCOPE_STATUS_BAD_RIG for another number of bones.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_capsule_add(IntPtr capsule, IntPtr stack, float time);

        /// <summary>Reads a capsule (zero-terminated JSON), as saved by the window or by kinescope_capsule_to_json.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_capsule_new_of_json(byte* json, IntPtr* @out);

        /// <summary>Writes a capsule as JSON, which the window opens, into a buffer as kinescope_settings_to_preset does.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_capsule_to_json(IntPtr capsule, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Frees a capsule; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_capsule_free(IntPtr capsule);

        /// <summary>Writes the name, which describes the bug, into a buffer as kinescope_settings_to_preset does.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_capsule_name(IntPtr capsule, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Returns the number of frames; 0 for an invalid capsule.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_capsule_frames(IntPtr capsule);

        /// <summary>Returns the number of bones of the character; 0 for an invalid capsule.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_capsule_bones(IntPtr capsule);

        /// <summary>Returns the time of a frame in seconds; NaN if there is no such frame.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern float kinescope_capsule_time(IntPtr capsule, UIntPtr frame);

        /// <summary>Writes the animated pose of a frame, the input of the first layer, in model space.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_capsule_animated(IntPtr capsule, UIntPtr frame, NativePose* pose);

        /// <summary>Replays a frame: creates a stack with the settings and the state of the frame, and solves it. The functions of a stack then return its result, step it and divide it among its causes. `ground` may be NULL. Capsules have no model of the ground.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_capsule_replay(IntPtr capsule, UIntPtr frame, NativeGround* ground, IntPtr* @out);

        /// <summary>Solves every frame again and compares the result with the recorded one, bit for bit. `changed` receives the number of frames that differ. `ground` may be NULL. Sine and cosine differ in the last bit between platforms: on another machine compare the distances with a tolerance.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_capsule_check(IntPtr capsule, NativeGround* ground, UIntPtr* changed);

        /// <summary>Stores a frame that differed in the last kinescope_capsule_check, by its index among the frames that differed. Returns KINESCOPE_STATUS_NOTHING_TO_DO if there is no such frame.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_capsule_change(IntPtr capsule, UIntPtr index, CapsuleChange* change);

        /// <summary>Writes layer and point of a change, such as `full body, left_hand`, into a buffer as kinescope_settings_to_preset does. Returns KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if there is no such change.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_capsule_change_point(IntPtr capsule, UIntPtr index, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Creates a free chain of `count` bones with these lengths, straight up from the origin.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_chain_new_of_lengths(float* lengths, UIntPtr count, IntPtr* @out);

        /// <summary>Creates a free chain through these points, which become its joints. For a chain with branches, `from` has the joint at which the bone to each point after the first begins: `count` - 1 numbers, each the index of an earlier point. NULL stands for a chain without branches.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_chain_new_of_positions(Vec3* positions, uint* from, UIntPtr count, IntPtr* @out);

        /// <summary>Creates a chain of a character's bones from `first` to its descendant `end`, at rest in the reference pose. The end bone is the end effector.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_chain_new_of_bones(IntPtr solver, int first, int end, IntPtr* @out);

        /// <summary>Creates a free chain with limits and weights from a chain file (zero-terminated JSON). `settings`, which may be NULL, receives the file's settings.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_chain_new_of_file(byte* json, ChainIkSettings* settings, IntPtr* @out);

        /// <summary>Frees a chain; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_chain_free(IntPtr chain);

        /// <summary>Sets the limit of a bone by its index, from 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_chain_set_limit(IntPtr chain, UIntPtr bone, Limit* limit);

        /// <summary>Sets how much CCD rotates a bone, 0 to 1.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_chain_set_weight(IntPtr chain, UIntPtr bone, float weight);

        /// <summary>Sets all settings of a chain's solve to their defaults.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_chain_settings_default(ChainIkSettings* settings);

        /// <summary>Returns the number of joints, one more than bones; 0 for an invalid chain.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_chain_joints(IntPtr chain);

        /// <summary>Solves a free chain, from the result of the last solve. Solvers other than FABRIK take one goal, for the last joint. `outcome` may be NULL. Allocates nothing once its buffers have grown. On failure, the chain is unchanged.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_chain_solve(IntPtr chain, ChainIkSettings* settings, Goal* goals, UIntPtr count, Outcome* outcome);

        /// <summary>Solves a chain of a character from its animated pose, which becomes the solved one; bones below the chain follow. `outcome` may be NULL. On failure, the pose is unchanged.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_chain_solve_pose(IntPtr chain, ChainIkSettings* settings, Goal* goals, UIntPtr count, NativePose* pose, Outcome* outcome);

        /// <summary>Starts a solve of a free chain in steps, from the result of the last solve. Call kinescope_chain_step until it returns KINESCOPE_STATUS_NOTHING_TO_DO. Any other solve and any change of the chain ends it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_chain_begin(IntPtr chain, ChainIkSettings* settings, Goal* goals, UIntPtr count);

        /// <summary>Runs the next step of a chain's solve. `stage`, which may be NULL, receives the step's name, a text that stays valid; `outcome`, which may be NULL, the result so far. Returns KINESCOPE_STATUS_NOTHING_TO_DO after the last step.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_chain_step(IntPtr chain, byte** stage, Outcome* outcome);

        /// <summary>Copies the positions of the first `capacity` joints. Returns the number of all joints; 0 for an invalid chain. `positions` may be NULL if `capacity` is 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_chain_positions(IntPtr chain, Vec3* positions, UIntPtr capacity);

        /// <summary>Copies the rotations of the first `capacity` bones in model space. Returns the number of all bones; 0 for an invalid chain. `rotations` may be NULL if `capacity` is 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_chain_rotations(IntPtr chain, Quat* rotations, UIntPtr capacity);

        /// <summary>Moves a chain as a whole: its root to `root`, and its bones by the change of `base`, the rotation to which the chain is attached; model space.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_chain_carry(IntPtr chain, Vec3 root, Quat @base);

        /// <summary>Resets a chain to its rest shape.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_chain_reset(IntPtr chain);

        /// <summary>Creates a crowd of `count` members, at most 65536, that play the clips of a model; `solver` is that of the model's character. The members are spread over the ways: one in eight stands, one in eight runs, the others walk, as far as the model has such clips. Without ways all members are at the origin. `ground`, which may be NULL for level ground, gives the heights of the ways. The rules are the library's own until kinescope_crowd_set_rules.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_crowd_new(IntPtr model, IntPtr solver, NativeWay* ways, UIntPtr wayCount, NativeGround* ground, UIntPtr count, IntPtr* @out);

        /// <summary>Frees a crowd; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_crowd_free(IntPtr crowd);

        /// <summary>Returns the number of members; 0 for an invalid crowd.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_crowd_count(IntPtr crowd);

        /// <summary>Sets the number of members, at most 65536, by adding or removing members at the end. The others are unchanged.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_crowd_set_count(IntPtr crowd, UIntPtr count);

        /// <summary>Sets the levels of detail, at most 64: a member gets the first rule that fits, or full detail if none does.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_crowd_set_rules(IntPtr crowd, DetailRule* rules, UIntPtr count);

        /// <summary>Sets how members are spread over threads, a Threads; KINESCOPE_THREADS_SERIAL at first. With the other two, several threads may call the functions of the ground at the same time.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_crowd_set_threads(IntPtr crowd, uint threads);

        /// <summary>Advances all members by `dt` seconds, from 0 to 1, and solves those that are due. `eye` is the place that distances of rules are measured from; world space. Only the calling thread calls the functions of the ground, unless kinescope_crowd_set_threads chose otherwise.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_crowd_advance(IntPtr crowd, float dt, NativeGround* ground, Vec3 eye);

        /// <summary>Writes the pose of a member in world space. Returns KINESCOPE_STATUS_NOTHING_TO_DO before its first frame.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_crowd_pose(IntPtr crowd, UIntPtr index, NativePose* pose);

        /// <summary>Stores the transform of a member from model to world.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_crowd_root(IntPtr crowd, UIntPtr index, RigidTransform* root);

        /// <summary>Returns the index of the rule that a member has; -1 if none fits, before the first frame, and if there is no such member.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int kinescope_crowd_rule(IntPtr crowd, UIntPtr index);

        /// <summary>Draws an instant of a layer's solve as lines in world space: after an event of a step, or at the end of the step for an `event` of -1. Everything is drawn: bones, nodes, constraints, targets, casts, and what the step moved; a program chooses by the subject of each line. Returns KINESCOPE_STATUS_NOTHING_TO_DO if there is no such layer, step or event.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_layer_draw(IntPtr stack, UIntPtr layer, UIntPtr step, int @event, NativeDrawing* drawing);

        /// <summary>Writes a copy of a model's file with its bones in a pose, in model space, as .glb. `bytes` are those of kinescope_model_new. The rest of the file stays, apart from its conversion to glTF and repairs; kinescope_file_notes lists most of these changes. A library that was built without the feature `import` returns KINESCOPE_STATUS_BAD_FILE, as do the following functions that write .glb.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_write_pose(IntPtr model, byte* bytes, UIntPtr size, NativePose* pose, IntPtr* @out);

        /// <summary>Writes a copy of a model's file with a clip of `count` poses in model space, as .glb. Each pose is at one of `times`, in seconds, which increase. If the model has a clip of that name, the poses replace its movement of bones, and its morph targets and other nodes stay; otherwise the clip is added. Between two poses, players interpolate. `bytes` are those of kinescope_model_new.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_write_clip(IntPtr model, byte* bytes, UIntPtr size, byte* name, float* times, NativePose* poses, UIntPtr count, IntPtr* @out);

        /// <summary>Writes the bones of a character that has no file, with a clip, as .glb. Other arguments are as in kinescope_model_write_clip.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_solver_write_clip(IntPtr solver, byte* name, float* times, NativePose* poses, UIntPtr count, IntPtr* @out);

        /// <summary>Writes `count` poses in model space as .bvh, at intervals of `frame_time` seconds. The file is in centimetres: `centimetres` is the length of a model unit. 0 means that the character's height decides between metres, centimetres and millimetres: metres if the height fits none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_write_bvh(IntPtr model, NativePose* poses, UIntPtr count, float frameTime, float centimetres, IntPtr* @out);

        /// <summary>Writes poses of a character that has no file as .bvh. Other arguments are as in kinescope_model_write_bvh.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_solver_write_bvh(IntPtr solver, NativePose* poses, UIntPtr count, float frameTime, float centimetres, IntPtr* @out);

        /// <summary>Frees a file; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_file_free(IntPtr file);

        /// <summary>Copies the bytes of a file. `needed`, which may be NULL, receives their number. Returns KINESCOPE_STATUS_NOTHING_TO_DO, and copies nothing, if `capacity` is smaller.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_file_bytes(IntPtr file, byte* bytes, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Writes notes on what a file lacks or adds, separated by semicolons, into a buffer as kinescope_settings_to_preset does.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_file_notes(IntPtr file, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Sets all thresholds to their defaults, and all conditions off.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_breaks_default(Breaks* breaks);

        /// <summary>Checks the frame that kinescope_tape_record recorded last. Stores the first condition that holds, in the order of Condition. Returns KINESCOPE_STATUS_NOTHING_TO_DO if none holds, and KINESCOPE_STATUS_BAD_WORKSPACE if no frame was recorded.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_tape_check(IntPtr tape, Breaks* breaks, BreakHit* hit);

        /// <summary>Writes the message of the last kinescope_tape_check, such as `left elbow flips: 143° in one frame`, into a buffer as kinescope_settings_to_preset does. Returns KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if no condition held.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_tape_hit_text(IntPtr tape, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Finds the largest jerk of every joint whose jerk exceeds 1e-4 radians, the largest first; `count` receives the number of these joints. The first frame is ignored because nothing moved before it, so a tape needs at least four frames.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_tape_find_pops(IntPtr tape, UIntPtr* count);

        /// <summary>Stores a pop of the last kinescope_tape_find_pops by its index. Returns KINESCOPE_STATUS_NOTHING_TO_DO if there is no such pop.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_tape_pop(IntPtr tape, UIntPtr index, Pop* pop);

        /// <summary>Writes layer and joint of a pop, such as `full body, left elbow, flexion`, into a buffer as kinescope_settings_to_preset does. Returns KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if there is no such pop.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_tape_pop_joint(IntPtr tape, UIntPtr index, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Writes the name of the step in `step` of a pop, into a buffer as kinescope_settings_to_preset does. Returns KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if there is no such pop or no such step.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_tape_pop_step(IntPtr tape, UIntPtr index, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Explains the distance of an effector's bone (a Effector) from its target in the last kinescope_stack_solve. Returns KINESCOPE_STATUS_NOTHING_TO_DO if the position weight or the master weight is 0, and if that solve did not solve the full body; KINESCOPE_STATUS_BAD_WORKSPACE before the first solve.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_why(IntPtr stack, uint effector, Why* explanation);

        /// <summary>Finds the parameter whose change brings an effector's bone (a Effector) nearest to its target: `value` receives the value to set, `gap` the distance that then remains in model units, and the buffer the parameter's path in presets, as kinescope_settings_to_preset does. Solves the frame with both ends of the range of 25 parameters. Discards values with which the largest distance of the other effectors grows by more than a tenth of this effector's. Returns KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if no other value reduces the distance by more than a tenth, and if the last kinescope_stack_solve did not solve the full body; KINESCOPE_STATUS_BAD_WORKSPACE before the first solve.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_cure(IntPtr stack, uint effector, float* value, float* gap, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Creates a grounder for a character; `grounding` is a Grounding.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_new(IntPtr solver, uint grounding, IntPtr* @out);

        /// <summary>Reads method, settings, foot lock, footprints and weights from the section `grounding` of a preset (zero-terminated JSON). Returns KINESCOPE_STATUS_NOTHING_TO_DO if the preset has no such section, and KINESCOPE_STATUS_BAD_FILE for the method `off`. The method `path` is the predictive one with footprints. The section's `cast_rate`, `blend`, `drive`, `limbs`, `environment`, `rotate_solver` and `rules` have no effect here; kinescope_stack_solve uses them. The section's `curves` have no effect in either function: a frame gives the weights of the feet, or their speed does.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_preset(IntPtr grounder, byte* json);

        /// <summary>Frees a grounder; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_grounder_free(IntPtr grounder);

        /// <summary>Forgets earlier frames. Call it after a cut. The grounder detects jumps of the root by itself.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_reset(IntPtr grounder);

        /// <summary>Copies the settings of foot IK; KINESCOPE_STATUS_NOTHING_TO_DO for a predictive grounder.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_get_foot_ik(IntPtr grounder, FootIkSettings* settings);

        /// <summary>Changes the settings of foot IK, and makes the grounder one of foot IK.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_set_foot_ik(IntPtr grounder, FootIkSettings* settings);

        /// <summary>Copies the settings of the predictive grounder; KINESCOPE_STATUS_NOTHING_TO_DO for foot IK.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_get_predictive(IntPtr grounder, PredictiveSettings* settings);

        /// <summary>Changes the settings of the predictive grounder, and makes the grounder a predictive one.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_set_predictive(IntPtr grounder, PredictiveSettings* settings);

        /// <summary>Copies the settings of the foot lock.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_get_lock(IntPtr grounder, LockSettings* settings);

        /// <summary>Changes the settings of the foot lock, which is off at first.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_set_lock(IntPtr grounder, LockSettings* settings);

        /// <summary>Copies the settings by which footprints shift steps.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_get_footprints(IntPtr grounder, FootprintSettings* settings);

        /// <summary>Changes the settings by which footprints shift steps, and turns the footprints on if a preset turned them off. They act with predictive grounding, in frames with a footprint.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_set_footprints(IntPtr grounder, FootprintSettings* settings);

        /// <summary>Copies the weights with which kinescope_ground and kinescope_grounder_drive_limbs apply the goals of feet and pelvis.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_get_weights(IntPtr grounder, DriveWeights* settings);

        /// <summary>Changes the weights with which kinescope_ground and kinescope_grounder_drive_limbs apply the goals of feet and pelvis.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_set_weights(IntPtr grounder, DriveWeights* settings);

        /// <summary>Copies the thresholds by which the speed of a foot bone becomes its weight; KINESCOPE_STATUS_NOTHING_TO_DO if the frame gives the weights.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_get_speed(IntPtr grounder, SpeedSettings* settings);

        /// <summary>Makes the weights of the feet follow from the speed of the foot bones; `planted` and `crossed` of a frame have no effect then. NULL makes the frame give the weights again.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_set_speed(IntPtr grounder, SpeedSettings* settings);

        /// <summary>Fills in a frame: at the origin, planted feet, all layers, no footprints, a time step of 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_ground_frame_default(GroundFrame* frame);

        /// <summary>Runs one frame of grounding, before the solve: finds the ground under the animated pose and fills `driven` with the caller's `settings`, changed so that the feet stand on it: targets of the feet, offsets that move the torso with the pelvis, and a `reach` of 0 for the legs. `driven` may be `settings` itself only if the caller sets `settings` anew in every frame.  `root` is the character's transform from model to world. `planted` holds how much the animation plants the left and the right foot, 0 to 1, as in GroundFrame; NULL means 1 for both. `dt` is the time since the last frame in seconds.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_ground(IntPtr grounder, NativeGround* ground, RigidTransform root, NativePose* pose, float* planted, float dt, Settings* settings, Settings* driven);

        /// <summary>Runs one frame of grounding like kinescope_ground, with everything that a frame may have: footprints, moments of landing, moving platforms, layers.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_ground_frame(IntPtr grounder, NativeGround* ground, GroundFrame* frame, NativePose* pose, Settings* settings, Settings* driven);

        /// <summary>Copies the goals of the last frame. Returns KINESCOPE_STATUS_NOTHING_TO_DO before the first frame.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_output(IntPtr grounder, GroundOutput* output);

        /// <summary>Applies the goals of the last frame without the full body: moves `pose`, the animated pose, by the pelvis's offset, scaled by the pelvis weight of kinescope_grounder_set_weights and the master weight, then solves each limb in closed form. The torso does not react. Of `settings` it uses the master weight, the hands' and feet's targets and weights, and the limbs' bends and maintained rotations. Returns KINESCOPE_STATUS_BAD_WORKSPACE before the first frame. On failure, and at master weight 0, the pose is unchanged.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_drive_limbs(IntPtr grounder, Settings* settings, NativePose* pose);

        /// <summary>Returns the number of layers that were solved in the last kinescope_stack_solve, without those that were off, had nothing to do or failed; 0 before the first solve. The following functions take a layer by its number in the order of solving.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_stack_layers(IntPtr stack);

        /// <summary>Returns the number of steps of a layer; 0 if there is no such layer.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_stack_layer_steps(IntPtr stack, UIntPtr layer);

        /// <summary>Returns the number of events of a step; 0 if there is no such step.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_stack_layer_events(IntPtr stack, UIntPtr layer, UIntPtr step);

        /// <summary>Writes the name of a layer, such as `full body`, into a buffer as kinescope_settings_to_preset does. Returns KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if there is no such layer; the following functions do the same for a missing step, event or formula.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_layer_name(IntPtr stack, UIntPtr layer, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Writes the name of a step, and a sentence on what it does.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_layer_step(IntPtr stack, UIntPtr layer, UIntPtr step, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Writes what an event of a step did, with lengths in model units.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_layer_event(IntPtr stack, UIntPtr layer, UIntPtr step, uint @event, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Writes the formula of an event with its numbers: two lines for each line of the formula, the second with numbers.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_layer_formula(IntPtr stack, UIntPtr layer, UIntPtr step, uint @event, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Writes the pose at an instant of a layer's solve, in model space: after an event of a step, or at the end of the step for an `event` of -1. Returns KINESCOPE_STATUS_NOTHING_TO_DO if there is no such layer, step or event. Layers that only set goals leave the pose as they got it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_layer_pose(IntPtr stack, UIntPtr layer, UIntPtr step, int @event, NativePose* pose);

        /// <summary>Creates working memory for kinescope_solve_many.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_many_new(IntPtr* @out);

        /// <summary>Frees working memory; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_many_free(IntPtr many);

        /// <summary>Solves many characters, on several threads if there are more than 32. Three or more whose solves take the same steps, and whose key bones have the same hierarchy, are solved side by side in one register; the others one by one. Each task receives its own status. A task that fails keeps its pose, and the others are solved. kinescope_last_error has the reason of the last failure.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_solve_many(IntPtr many, NativeTask* tasks, UIntPtr count);

        /// <summary>Solves many characters like kinescope_solve_many, each with its modifiers; `bones` is a Bones. Characters whose modifiers act only before and after the solve are still solved side by side. A character with a modifier that acts during the solve (arm bending, or a head that moves the body) is solved by itself.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_solve_many_modified(IntPtr many, NativeModifiedTask* tasks, UIntPtr count, uint bones);

        /// <summary>Returns the number of materials; 0 for an invalid model.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_model_materials(IntPtr model);

        /// <summary>Stores a material by its index. Returns KINESCOPE_STATUS_NOTHING_TO_DO if there is no such material.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_material(IntPtr model, UIntPtr index, KinescopeMaterial* material);

        /// <summary>Returns the index of a mesh's material; -1 for the default material, and if there is no such mesh.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int kinescope_model_mesh_material(IntPtr model, UIntPtr mesh);

        /// <summary>Returns the number of textures; 0 for an invalid model.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_model_textures(IntPtr model);

        /// <summary>Stores the size of a texture, and how it is drawn. Returns KINESCOPE_STATUS_NOTHING_TO_DO if there is no such texture.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_texture(IntPtr model, UIntPtr index, KinescopeTexture* texture);

        /// <summary>Copies the pixels of a texture, rows from top to bottom, four bytes for each pixel: red, green and blue in sRGB, and alpha. `needed`, which may be NULL, receives the number of bytes. Returns KINESCOPE_STATUS_NOTHING_TO_DO, and copies nothing, if `capacity` is smaller, and if there is no such texture.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_texture_pixels(IntPtr model, UIntPtr index, byte* pixels, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Copies the vertex colours of a mesh as kinescope_model_mesh_vertices copies vertices: linear RGBA, to be multiplied by the base colour. `capacity` and `needed` count numbers, four for each vertex; none if the file has no vertex colours.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_mesh_colors(IntPtr model, UIntPtr mesh, float* colors, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Copies the coordinates of a mesh in the emissive texture as kinescope_model_mesh_vertices copies vertices. `capacity` and `needed` count numbers, two for each vertex; none if the coordinates equal `uv` of the vertices.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_mesh_emissive_uvs(IntPtr model, UIntPtr mesh, float* uvs, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Returns the number of morphs; 0 for an invalid model. Meshes of one morph have the same morph targets and weights.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_model_morphs(IntPtr model);

        /// <summary>Returns the number of morph targets of a morph; 0 if there is no such morph.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_model_morph_targets(IntPtr model, UIntPtr morph);

        /// <summary>Writes the name of a morph target, into a buffer as kinescope_settings_to_preset does. Returns KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if there is no such target.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_morph_target_name(IntPtr model, UIntPtr morph, UIntPtr target, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Copies the weights of the targets of a morph as kinescope_model_mesh_vertices copies vertices: the weights at `time` seconds of a clip, or the model's own for a `clip` of -1.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_morph_weights(IntPtr model, UIntPtr morph, int clip, float time, float* weights, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Returns the index of the morph that has the weights of a mesh's targets; -1 without one, and if there is no such mesh.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int kinescope_model_mesh_morph(IntPtr model, UIntPtr mesh);

        /// <summary>Copies the offsets by which a morph target of a mesh moves vertices, as kinescope_model_mesh_vertices copies vertices.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_mesh_target(IntPtr model, UIntPtr mesh, UIntPtr target, MorphOffset* offsets, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Returns the number of meshes; 0 for an invalid model.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_model_meshes(IntPtr model);

        /// <summary>Stores the sizes and the colour of a mesh. Returns KINESCOPE_STATUS_NOTHING_TO_DO if there is no such mesh.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_mesh(IntPtr model, UIntPtr mesh, KinescopeMesh* sizes);

        /// <summary>Writes the name of a mesh, into a buffer as kinescope_settings_to_preset does; empty if there is no such mesh.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_mesh_name(IntPtr model, UIntPtr mesh, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Copies the vertices of a mesh. `needed`, which may be NULL, receives their number. Returns KINESCOPE_STATUS_NOTHING_TO_DO, and copies nothing, if `capacity` is smaller, if the mesh has no vertices, and if there is no such mesh.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_mesh_vertices(IntPtr model, UIntPtr mesh, Vertex* vertices, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Copies the indices of a mesh, three for each triangle, as kinescope_model_mesh_vertices does.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_mesh_indices(IntPtr model, UIntPtr mesh, uint* indices, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Copies the joints of a mesh, as kinescope_model_mesh_vertices does.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_mesh_joints(IntPtr model, UIntPtr mesh, KinescopeJoint* joints, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Reads a model from the bytes of a .glb, .gltf, .vrm, .bvh or .fbx file, which must not refer to other files, except for textures. `name` is the file's name, for messages. A library that was built without the feature `import` returns KINESCOPE_STATUS_BAD_FILE, and without the feature `fbx` it does so for .fbx files.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_new(byte* name, byte* bytes, UIntPtr count, IntPtr* @out);

        /// <summary>Reads a model as kinescope_model_new does. Lengths of a .bvh file are in `unit`, a LengthUnit; kinescope_model_new chooses the unit by the height of the skeleton. Other formats state their unit; `unit` has no effect on them.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_new_in_unit(byte* name, byte* bytes, UIntPtr count, uint unit, IntPtr* @out);

        /// <summary>Writes notes on the file, one in each line, into a buffer as kinescope_settings_to_preset does: irregularities and how they were handled, and parts that are not read.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_notes(IntPtr model, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Frees a model; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_model_free(IntPtr model);

        /// <summary>Returns the number of bones of a model and of its poses; 0 for an invalid model.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_model_bones(IntPtr model);

        /// <summary>Returns the name of a bone, which stays valid until the model is freed; NULL if there is no such bone.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern byte* kinescope_model_bone_name(IntPtr model, UIntPtr bone);

        /// <summary>Returns the parent of a bone; -1 for a root, and if there is no such bone.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int kinescope_model_parent(IntPtr model, UIntPtr bone);

        /// <summary>Creates the solver of a model's character. Roles and reference pose are detected.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_solver(IntPtr model, IntPtr* @out);

        /// <summary>Returns the number of clips; 0 for an invalid model.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_model_clips(IntPtr model);

        /// <summary>Returns the name of a clip, which stays valid until the model is freed; NULL if there is no such clip.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern byte* kinescope_model_clip_name(IntPtr model, UIntPtr clip);

        /// <summary>Returns the duration of a clip in seconds; 0 if there is no such clip.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern float kinescope_model_clip_duration(IntPtr model, UIntPtr clip);

        /// <summary>Writes the pose of a clip at `time` seconds, which is clamped to the clip's ends, in model space. A `clip` of -1 is the rest pose. Allocates nothing after the first call.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_model_sample(IntPtr model, int clip, float time, NativePose* pose);

        /// <summary>Copies the settings of the modifier at `index`, whose kind must be recoil.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_get_recoil(IntPtr modifiers, UIntPtr index, Recoil* settings);

        /// <summary>Changes the settings of the modifier at `index`, whose kind must be recoil. The modifier keeps its state. On failure, the settings are unchanged.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_set_recoil(IntPtr modifiers, UIntPtr index, Recoil* settings);

        /// <summary>Copies the settings of the modifier at `index`, whose kind must be two handed grip.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_get_two_handed_grip(IntPtr modifiers, UIntPtr index, TwoHandedGrip* settings);

        /// <summary>Changes the settings of the modifier at `index`, whose kind must be two handed grip. The modifier keeps its state. On failure, the settings are unchanged.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_set_two_handed_grip(IntPtr modifiers, UIntPtr index, TwoHandedGrip* settings);

        /// <summary>Copies the settings of the modifier at `index`, whose kind must be hit reaction.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_get_hit_reaction(IntPtr modifiers, UIntPtr index, HitReaction* settings);

        /// <summary>Changes the settings of the modifier at `index`, whose kind must be hit reaction. The modifier keeps its state. On failure, the settings are unchanged.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_set_hit_reaction(IntPtr modifiers, UIntPtr index, HitReaction* settings);

        /// <summary>Copies the settings of the modifier at `index`, whose kind must be inertia.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_get_inertia(IntPtr modifiers, UIntPtr index, Inertia* settings);

        /// <summary>Changes the settings of the modifier at `index`, whose kind must be inertia. The modifier keeps its state. On failure, the settings are unchanged.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_set_inertia(IntPtr modifiers, UIntPtr index, Inertia* settings);

        /// <summary>Copies the settings of the modifier at `index`, whose kind must be breathing.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_get_breathing(IntPtr modifiers, UIntPtr index, Breathing* settings);

        /// <summary>Changes the settings of the modifier at `index`, whose kind must be breathing. The modifier keeps its state. On failure, the settings are unchanged.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_set_breathing(IntPtr modifiers, UIntPtr index, Breathing* settings);

        /// <summary>Copies the settings of the modifier at `index`, whose kind must be look at.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_get_look_at(IntPtr modifiers, UIntPtr index, LookAt* settings);

        /// <summary>Changes the settings of the modifier at `index`, whose kind must be look at. The modifier keeps its state. On failure, the settings are unchanged.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_set_look_at(IntPtr modifiers, UIntPtr index, LookAt* settings);

        /// <summary>Copies the settings of the modifier at `index`, whose kind must be reach for.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_get_reach_for(IntPtr modifiers, UIntPtr index, ReachFor* settings);

        /// <summary>Changes the settings of the modifier at `index`, whose kind must be reach for. The modifier keeps its state. On failure, the settings are unchanged.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_set_reach_for(IntPtr modifiers, UIntPtr index, ReachFor* settings);

        /// <summary>Copies the settings of the modifier at `index`, whose kind must be keyed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_get_keyed(IntPtr modifiers, UIntPtr index, Keyed* settings);

        /// <summary>Changes the settings of the modifier at `index`, whose kind must be keyed. The modifier keeps its state. On failure, the settings are unchanged.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_set_keyed(IntPtr modifiers, UIntPtr index, Keyed* settings);

        /// <summary>Copies the settings of the modifier at `index`, whose kind must be head.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_get_head(IntPtr modifiers, UIntPtr index, Head* settings);

        /// <summary>Changes the settings of the modifier at `index`, whose kind must be head. The modifier keeps its state. On failure, the settings are unchanged.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_set_head(IntPtr modifiers, UIntPtr index, Head* settings);

        /// <summary>Copies the settings of the modifier at `index`, whose kind must be four bones.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_get_four_bones(IntPtr modifiers, UIntPtr index, FourBones* settings);

        /// <summary>Changes the settings of the modifier at `index`, whose kind must be four bones. The modifier keeps its state. On failure, the settings are unchanged.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_set_four_bones(IntPtr modifiers, UIntPtr index, FourBones* settings);

        /// <summary>Copies the settings of the modifier at `index`, whose kind must be arm bending.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_get_arm_bending(IntPtr modifiers, UIntPtr index, ArmBending* settings);

        /// <summary>Changes the settings of the modifier at `index`, whose kind must be arm bending. The modifier keeps its state. On failure, the settings are unchanged.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_set_arm_bending(IntPtr modifiers, UIntPtr index, ArmBending* settings);

        /// <summary>Creates an empty list of modifiers for a character.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_new(IntPtr solver, IntPtr* @out);

        /// <summary>Frees a list of modifiers; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_modifiers_free(IntPtr modifiers);

        /// <summary>Adds a modifier with default settings at the end of the list; `kind` is a ModifierKind. `index`, which may be NULL, receives the index of the modifier. A list has at most 64 modifiers.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_add(IntPtr modifiers, uint kind, UIntPtr* index);

        /// <summary>Removes a modifier; the indices of those after it decrease by 1.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_remove(IntPtr modifiers, UIntPtr index);

        /// <summary>Returns the number of modifiers; 0 for an invalid list.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_modifiers_count(IntPtr modifiers);

        /// <summary>Returns the ModifierKind of a modifier; -1 if there is none with that index.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int kinescope_modifiers_kind(IntPtr modifiers, UIntPtr index);

        /// <summary>Reads the sections `modifiers` and `attachments` of a preset (zero-terminated JSON), which replace the list and the attached targets of effectors; if one of the sections is missing, it counts as empty. A modifier goes on from its state if the list had the same kind at its place. Returns KINESCOPE_STATUS_NOTHING_TO_DO if the preset has neither section.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_from_preset(IntPtr modifiers, byte* json);

        /// <summary>Writes the modifiers and the attached targets of effectors as a preset, into a buffer as kinescope_settings_to_preset does.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_to_preset(IntPtr modifiers, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Resets the state of all modifiers, for example after a cut or a teleport.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_reset(IntPtr modifiers);

        /// <summary>Starts the action of a modifier: a recoil fires, a reach-for reaches. Returns KINESCOPE_STATUS_NOTHING_TO_DO for other kinds.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_trigger(IntPtr modifiers, UIntPtr index);

        /// <summary>Strikes the character at a point; `direction` is the blow's direction of any length but 0, and `force` how far it throws the struck place, as a fraction of the character's height. `point` and `direction` are in the space of the poses, and `root` is as in Moment. Every modifier of the kind hit reaction reacts; returns KINESCOPE_STATUS_NOTHING_TO_DO if there is none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_strike(IntPtr modifiers, RigidTransform root, Vec3 point, Vec3 direction, float force);

        /// <summary>Attaches the target of a look-at or reach-for to a bone or an effector; NULL detaches it. Every solve with these modifiers first places the target relative to its anchor: to a bone in the animated pose; to the target of an effector that has position weight, or else to the effector's bone.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_attach(IntPtr modifiers, UIntPtr index, Attachment* attachment);

        /// <summary>Attaches the target of an effector (a Effector) to a bone or another effector; NULL detaches it. A solve with these modifiers sets the target in the settings that it uses.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_attach_effector(IntPtr modifiers, uint effector, Attachment* attachment);

        /// <summary>Replaces the keys of an effector (a Effector) in a modifier of keyed effectors; `count` 0 removes its track. Keys must be in the order of their times.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_set_keys(IntPtr modifiers, UIntPtr index, uint effector, Key* keys, UIntPtr count);

        /// <summary>Replaces the bend of single bones in a modifier of the kind head: one entry for each spine bone from the pelvis up, then one for each neck bone. Bones without an entry take the settings of the modifier.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_set_head_bones(IntPtr modifiers, UIntPtr index, HeadBone* bones, UIntPtr count);

        /// <summary>Solves like kinescope_solve, with modifiers before, during and after the solve. On failure the pose is unchanged, bit for bit. At master weight 0 nothing is solved, but time passes for the modifiers.  With grounding, the order is kinescope_modifiers_before, kinescope_ground, kinescope_solve_after.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_solve_modified(IntPtr solver, IntPtr workspace, Settings* settings, IntPtr modifiers, Moment* moment, NativePose* pose);

        /// <summary>Runs the first part of kinescope_solve_modified: attached targets and modifiers change `settings` to `driven` and turn bones of `pose`, the animated pose. `driven` may be `settings` itself. kinescope_ground may then change `driven` for this pose; kinescope_solve_after solves the pose.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_modifiers_before(IntPtr solver, IntPtr workspace, Settings* settings, IntPtr modifiers, Moment* moment, NativePose* pose, Settings* driven);

        /// <summary>Runs the second part of kinescope_solve_modified: solves the pose of kinescope_modifiers_before with the modifiers during and after the solve. `driven` are the settings of kinescope_modifiers_before, possibly changed by grounding.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_solve_after(IntPtr solver, IntPtr workspace, Settings* driven, IntPtr modifiers, Moment* moment, NativePose* pose);

        /// <summary>Returns the number of numeric settings of a stack: those of the full body, of grounding and of the other layers, and of all chains and modifiers that the stack has.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_stack_parameters(IntPtr stack);

        /// <summary>Writes the path of a numeric setting by its index, such as `chains.left_arm.pull`, into a buffer as kinescope_settings_to_preset does. Returns KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if there is no such setting.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_parameter(IntPtr stack, UIntPtr index, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Stores the value of a numeric setting by its path.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_get_parameter(IntPtr stack, byte* parameter, float* value);

        /// <summary>Changes a numeric setting by its path, within the range of kinescope_parameter_range.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_set_parameter(IntPtr stack, byte* parameter, float value);

        /// <summary>Solves one animated pose with each of `count` settings, on all processors and several in one register. `gaps` receives `count` times KINESCOPE_EFFECTORS distances, in the order of the settings: from each effector's bone to its target, 0 without weight. The pose is unchanged.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_solve_variants(IntPtr solver, Settings* settings, UIntPtr count, NativePose* animated, float* gaps);

        /// <summary>Computes the volume that a limb (a Limb) can reach from an animated pose with these settings: tries targets on a grid of `count` points along each axis, from 4 to 96, within a sphere around the limb's first node, and solves each of them with full position weight, on all processors. A target counts as reached if the written bone is within 1 % of the limb's length. `progress` may be NULL. Returns KINESCOPE_STATUS_BAD_SETTINGS if the master weight is 0 or the limb has no length, and KINESCOPE_STATUS_CANCELLED if `progress` cancels the work.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_reach_new(IntPtr solver, Settings* settings, NativePose* animated, uint limb, uint count, NativeProgress* progress, IntPtr* @out);

        /// <summary>Frees a reachable volume; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_reach_free(IntPtr reach);

        /// <summary>Returns the volume in cubic model units; 0 for an invalid object.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern float kinescope_reach_volume(IntPtr reach);

        /// <summary>Returns the distance by which the limb misses a target, a place in model space, interpolated from the eight grid points around it; infinite if one of them was not tried, outside the grid, and for an invalid object. Model units.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern float kinescope_reach_gap(IntPtr reach, Vec3 target);

        /// <summary>Copies the points of the surface. `needed`, which may be NULL, receives their number. Returns KINESCOPE_STATUS_NOTHING_TO_DO, and copies nothing, if `capacity` is smaller, and if there are none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_reach_points(IntPtr reach, SurfacePoint* points, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Copies the triangles of the surface as kinescope_reach_points copies points: for each triangle three indices of points, counter-clockwise seen from outside.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_reach_indices(IntPtr reach, uint* indices, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Opens the recording in the file `path` (UTF-8), and reads its first line.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_reader_new(byte* path, IntPtr* @out);

        /// <summary>Frees a reader and closes its file; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_reader_free(IntPtr reader);

        /// <summary>Reads the next line. Returns KINESCOPE_STATUS_NOTHING_TO_DO at the end of the file, and KINESCOPE_STATUS_BAD_FILE for a malformed line, with its number and field; the next call reads the line after it. kinescope_reader_mark writes the text of a mark; kinescope_reader_settings and the functions after it return the parts of a frame.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_reader_next(IntPtr reader, Line* line);

        /// <summary>Writes the name of the program that made the recording, into a buffer as kinescope_settings_to_preset does.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_reader_producer(IntPtr reader, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Writes the name of a character, into a buffer as kinescope_settings_to_preset does. A character that has left keeps its name until another one gets its number.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_reader_name(IntPtr reader, uint character, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Writes the text of a mark, into a buffer as kinescope_settings_to_preset does. Returns KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if the last line is not a mark.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_reader_mark(IntPtr reader, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Creates the solver of a character that is present, for example to solve its frames again.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_reader_solver(IntPtr reader, uint character, IntPtr* @out);

        /// <summary>Copies the parameters of a frame. Returns KINESCOPE_STATUS_BAD_WORKSPACE if the last line is not a frame, as do the following functions.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_reader_settings(IntPtr reader, Settings* settings);

        /// <summary>Writes the animated pose of a frame, the solver's input, in model space.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_reader_animated(IntPtr reader, NativePose* pose);

        /// <summary>Writes the result of the game's solver in a frame, in model space. Returns KINESCOPE_STATUS_NOTHING_TO_DO if the game recorded none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_reader_result(IntPtr reader, NativePose* pose);

        /// <summary>Copies a stage of a frame by its index, with the nodes that the game recorded. Bit n of `recorded` is set if node n was recorded; the other nodes are 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_reader_step(IntPtr reader, UIntPtr index, StepNodes* step, uint* recorded);

        /// <summary>Copies a part of the body that a frame recorded, by its index: its Part, and the bones after the game wrote it. `capacity` is the length of `bones` and `transforms`. `needed`, which may be NULL, receives the number of bones. Returns KINESCOPE_STATUS_NOTHING_TO_DO, and copies no bones, if the arrays are too short.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_reader_write(IntPtr reader, UIntPtr index, uint* part, int* bones, RigidTransform* transforms, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Creates a game without characters; `producer` is the name that the window shows.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_game_new(byte* producer, IntPtr* @out);

        /// <summary>Adds a character under a unique name. `index`, which may be NULL, receives its number for frames.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_game_add(IntPtr game, byte* name, IntPtr solver, uint* index);

        /// <summary>Frees a game; NULL is allowed. Recorders and senders created from it stay valid.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_game_free(IntPtr game);

        /// <summary>Starts a recording in the file `path` (UTF-8), which is overwritten. Kinescope opens files that end in `.jsonl` as recordings.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_recorder_new(IntPtr game, byte* path, IntPtr* @out);

        /// <summary>Records a frame.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_recorder_frame(IntPtr recorder, NativeFrame* frame);

        /// <summary>Adds a character while the recording runs, under a name that no present character has. `index`, which may be NULL, receives its number for frames.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_recorder_join(IntPtr recorder, byte* name, IntPtr solver, uint* index);

        /// <summary>Removes a character; its number is free for the next one.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_recorder_leave(IntPtr recorder, uint character);

        /// <summary>Writes a mark: a text at a time in seconds.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_recorder_mark(IntPtr recorder, byte* mark, double time);

        /// <summary>Ends a recording and frees the recorder, also if writing fails. Returns KINESCOPE_STATUS_NOTHING_TO_DO for NULL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_recorder_free(IntPtr recorder);

        /// <summary>Creates a sender to the listening window (`kinescope --listen`) at `address`, host:port; NULL is the window's default address. The window may start before or after the sender, and may be restarted: the sender reconnects by itself. Returns KINESCOPE_STATUS_SYSTEM if no thread can be started.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sender_new(IntPtr game, byte* address, IntPtr* @out);

        /// <summary>Queues a frame. Never waits, and allocates nothing once its buffers have grown, except for a frame with writes or with more than 64 stages. If the queue is full, its oldest frame is dropped and counted. Returns KINESCOPE_STATUS_NOTHING_TO_DO if the sending thread uses the queue at that moment: then this frame is dropped and counted.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sender_send(IntPtr sender, NativeFrame* frame);

        /// <summary>Adds a character while the game runs, for example when it spawns, under a name that no present character has. `index`, which may be NULL, receives its number for frames. Allocates.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sender_join(IntPtr sender, byte* name, IntPtr solver, uint* index);

        /// <summary>Removes a character. Frames of it that are in the queue are still sent if a window is connected now, and dropped if it connects only later.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sender_leave(IntPtr sender, uint character);

        /// <summary>Writes why the window refused a line, with the line's number and field, into a buffer as kinescope_settings_to_preset does. Call it until `needed` is 0: then no further line was refused, or the sending thread uses the queue at that moment. If nobody calls it, only the newest refusals are kept.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sender_refused(IntPtr sender, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Sends a mark: a text at a time in seconds.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sender_mark(IntPtr sender, byte* mark, double time);

        /// <summary>Receives the next change that the window makes while it tunes the game: the number of a character, and all its parameters. Call it until it returns KINESCOPE_STATUS_NOTHING_TO_DO: then there is no further change, or the sending thread uses the queue at that moment.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sender_tuned(IntPtr sender, uint* character, Settings* settings);

        /// <summary>Returns 1 if a window is connected, else 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int kinescope_sender_is_connected(IntPtr sender);

        /// <summary>Returns the number of frames sent; 0 for an invalid sender.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern ulong kinescope_sender_sent(IntPtr sender);

        /// <summary>Returns the number of frames dropped, because the queue was full or in use, the connection broke, or their character left before the window connected; 0 for an invalid sender.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern ulong kinescope_sender_dropped(IntPtr sender);

        /// <summary>Frees a sender; NULL is allowed. Queued frames are sent first if a window is connected, or if a sender that has not tried to connect yet reaches one; this may take seconds.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_sender_free(IntPtr sender);

        /// <summary>Creates a retargeter, which maps poses of the character `source` to the character `target` by their roles; names, axes and proportions of their bones may differ.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_retargeter_new(IntPtr source, IntPtr target, IntPtr* @out);

        /// <summary>Frees a retargeter; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_retargeter_free(IntPtr retargeter);

        /// <summary>Returns the target's leg length divided by the source's, by which paths are scaled; 1 if either has no complete leg, 0 for an invalid retargeter.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern float kinescope_retargeter_scale(IntPtr retargeter);

        /// <summary>Retargets a pose in model space: `source` has the source's bones, `target` receives the target's. `path` is a factor of the pelvis's path along the ground, usually 1.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_retarget(IntPtr retargeter, NativePose* source, float path, NativePose* target);

        /// <summary>Sets all parameters to their defaults.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_settings_default(Settings* settings);

        /// <summary>Reads the parameters of the full body from a preset as saved by the window: zero-terminated JSON. Its other sections have no effect.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_settings_from_preset(byte* json, Settings* settings);

        /// <summary>Writes a preset as zero-terminated JSON into a buffer of `capacity` bytes. `needed`, which may be NULL, receives the number of bytes including the zero. If the buffer is smaller (NULL and 0 ask for the size), nothing is written and KINESCOPE_STATUS_NOTHING_TO_DO is returned.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_settings_to_preset(Settings* settings, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Checks that every number is in its range. A solve accepts some numbers outside their ranges; a preset does not.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_settings_validate(Settings* settings);

        /// <summary>Sets the position offsets of all effectors to 0, for example before the offsets of the next frame are added.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_settings_clear_offsets(Settings* settings);

        /// <summary>Creates the solver of a character. `biped` assigns bones to roles; if it is NULL, roles are detected from the bones' names and positions.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_solver_new(NativeSkeleton* skeleton, NativeBiped* biped, IntPtr* @out);

        /// <summary>Frees a solver; NULL is allowed. Objects that were created from the solver stay valid.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_solver_free(IntPtr solver);

        /// <summary>Returns the bone of a role, by the role's name in presets: `pelvis`, `head`, `left_upper_arm`, ...; `spine` is the first spine bone. Returns -1 if there is none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int kinescope_solver_bone_of(IntPtr solver, byte* role);

        /// <summary>Returns the number of bones that a solve writes, or 0 for an invalid argument, and writes the first `capacity` of their indices to `bones`, which may be NULL if `capacity` is 0. All other bones follow their parents as in the animated pose.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_solver_written_bones(IntPtr solver, int* bones, UIntPtr capacity);

        /// <summary>Creates a workspace. It works with every solver of the same skeleton and biped.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_workspace_new(IntPtr solver, IntPtr* @out);

        /// <summary>Frees a workspace; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_workspace_free(IntPtr workspace);

        /// <summary>Solves one frame: `pose` is the animated pose and becomes the solved one. Allocates nothing after a workspace's first solve. On failure, and with a master weight of 0, the pose is unchanged, bit for bit. A stepped solve in progress in the workspace is over, even on failure.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_solve(IntPtr solver, IntPtr workspace, Settings* settings, NativePose* pose);

        /// <summary>Copies the written bones of the last solve in this workspace as local transforms: relative to the parent bone, or to the model for roots. They are in the order of kinescope_solver_written_bones, at most `capacity` of them. Returns the number of written bones; 0 before the first solve, if the last one failed, while a stepped solve is in progress, and between kinescope_modifiers_before and kinescope_solve_after. Modifiers can turn other bones too, such as those of the neck.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_locals(IntPtr solver, IntPtr workspace, RigidTransform* locals, UIntPtr capacity);

        /// <summary>Returns the name in files of a node, effector, limb or stage, such as `left_hand`. `kind` is `node`, `effector`, `limb` or `stage`. Returns NULL if there is none with that number. The pointer stays valid.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern byte* kinescope_name_of(byte* kind, uint number);

        /// <summary>Creates the stack of a character, with default settings: the full body alone.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_new(IntPtr solver, IntPtr* @out);

        /// <summary>Frees a stack; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_stack_free(IntPtr stack);

        /// <summary>Reads all layers of a preset (zero-terminated JSON): parameters of the full body, `grounding`, `chain_ik`, `attachments`, `modifiers` and `stack`. The state of layers stays; kinescope_stack_reset clears it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_from_preset(IntPtr stack, byte* json);

        /// <summary>Writes all layers as a preset, into a buffer as kinescope_settings_to_preset does.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_to_preset(IntPtr stack, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Copies the parameters of the full body.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_get_settings(IntPtr stack, Settings* settings);

        /// <summary>Changes the parameters of the full body, whose targets are in model space.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_set_settings(IntPtr stack, Settings* settings);

        /// <summary>Clears the state of all layers, for example after a cut.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_reset(IntPtr stack);

        /// <summary>Sets the poses of the character's clips for the least-squares and the position-based body, as kinescope_least_squares_set_clip_poses does. With `"stack": {"least_squares": {"clip_limits": true}}` in the preset, or with `position_based` in place of `least_squares`, a body uses them.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_set_clip_poses(IntPtr stack, NativePose* poses, UIntPtr count);

        /// <summary>Sets a pose of another character, in model space of that character; it applies until it is changed. kinescope_stack_solve then solves the retargeted pose instead of the animated pose; with NULL for both, the animated pose again. `path` is a factor of the pelvis's path along the ground. With `"stack": {"retarget": {"on": true}}` in the preset, feet and hands keep their places as far as its settings say.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_set_source(IntPtr stack, IntPtr retargeter, NativePose* pose, float path);

        /// <summary>Sets the clips that play; they apply until they are changed. kinescope_stack_solve chooses from `grounding.rules` by them. With a count of 0, as at first, no rule applies.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_set_clips(IntPtr stack, NativePlayedClip* clips, UIntPtr count);

        /// <summary>Starts the action of a modifier by its index in the preset. Returns KINESCOPE_STATUS_NOTHING_TO_DO if the modifier has no action.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_trigger(IntPtr stack, UIntPtr index);

        /// <summary>Strikes the character at a point in world space, as kinescope_modifiers_strike does; `root` is the character's transform.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_strike(IntPtr stack, RigidTransform root, Vec3 point, Vec3 direction, float force);

        /// <summary>Solves all layers that are on, in their order: `pose` is the animated pose in model space and becomes the solved one. `ground` may be NULL. `frame` has place and time; `clip_time` is the time in the clip that plays, for keyed effectors. Targets of modifiers and chains are in world space.  A frame costs more than single functions, because every layer records its steps, and it allocates. If a layer fails, the call fails, with the layer's name in the reason, and the pose is unchanged.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_solve(IntPtr stack, NativeGround* ground, GroundFrame* frame, float clipTime, NativePose* pose);

        /// <summary>Writes the solved pose of the last frame, in model space; if a layer failed, the pose that the other layers gave. Returns KINESCOPE_STATUS_NOTHING_TO_DO before the first frame.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_pose(IntPtr stack, NativePose* pose);

        /// <summary>Copies the goals of grounding of the last frame in which no layer failed. Returns KINESCOPE_STATUS_NOTHING_TO_DO if that frame has none, and before the first such frame.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_stack_output(IntPtr stack, GroundOutput* output);

        /// <summary>Starts a stepped solve: reads the animated pose. Call kinescope_step until it returns KINESCOPE_STATUS_NOTHING_TO_DO, then kinescope_end. Between steps the caller may read and move nodes. If no node was moved, the result is that of kinescope_solve. An earlier stepped solve in progress in the workspace is over, even on failure.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_begin(IntPtr solver, IntPtr workspace, Settings* settings, NativePose* pose);

        /// <summary>Runs the next step and reports it in `done`, which may be NULL. Returns KINESCOPE_STATUS_NOTHING_TO_DO after the last step.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_step(IntPtr workspace, Step* done);

        /// <summary>Copies the positions of all KINESCOPE_NODES nodes of the stepped solve in progress.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_nodes(IntPtr workspace, Vec3* nodes);

        /// <summary>Moves a node (a Node) between two steps. On failure, the nodes are unchanged and the solve stays in progress.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_set_node(IntPtr workspace, uint node, Vec3 position);

        /// <summary>Ends a stepped solve: writes the nodes to the bones of `pose`. After KINESCOPE_STATUS_BAD_ARGUMENT, and for a `pose` with too few bones, the solve stays in progress; after any other failure it is over.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_end(IntPtr solver, IntPtr workspace, NativePose* pose);

        /// <summary>Solves like kinescope_solve and reports steps and moves to an observer.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_solve_observed(IntPtr solver, IntPtr workspace, Settings* settings, NativePose* pose, NativeObserver* observer);

        /// <summary>Stores the usual range of a parameter, by its path in presets.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_parameter_range(byte* parameter, float* from, float* to);

        /// <summary>Runs a sweep: solves all frames of a capsule for every value of a parameter `x`, or for every pair of values of `x` and `y`. `measure` is the key of a measure, as returned by kinescope_stack_measure_key; a value of the sweep is the mean of the absolute value of the measure over the frames that have it. `y`, `ground` and `progress` may be NULL. Several threads solve, and one at a time calls the functions of the ground. Returns KINESCOPE_STATUS_CANCELLED if `progress` cancels the sweep.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sweep_new(IntPtr capsule, NativeGround* ground, NativeAxis* x, NativeAxis* y, byte* measure, NativeProgress* progress, IntPtr* @out);

        /// <summary>Runs a sweep of a measure of a whole recording, a MotionMeasure: solves all frames of a tape again for every value. Other arguments are as in kinescope_sweep_new.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sweep_new_of_tape(IntPtr tape, NativeGround* ground, NativeAxis* x, NativeAxis* y, uint measure, NativeProgress* progress, IntPtr* @out);

        /// <summary>Frees a sweep; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_sweep_free(IntPtr sweep);

        /// <summary>Copies the values of the measure: those for all values of x at the first value of y, then those at the second value of y, and so on. `needed`, which may be NULL, receives their number. Returns KINESCOPE_STATUS_NOTHING_TO_DO, and copies nothing, if `capacity` is smaller.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sweep_values(IntPtr sweep, float* values, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Stores the smallest value and the values of the parameters there; `y` is 0 in a sweep of one parameter. Returns KINESCOPE_STATUS_NOTHING_TO_DO if no value is finite.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sweep_least(IntPtr sweep, float* x, float* y, float* value);

        /// <summary>Finds all parameters of the first frame of a capsule that affect a measure of the frames. Arguments are as in kinescope_sweep_new.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sensitivities_new(IntPtr capsule, NativeGround* ground, byte* measure, NativeProgress* progress, IntPtr* @out);

        /// <summary>Finds all parameters of the first frame of a tape that affect a measure of the whole recording. Arguments are as in kinescope_sweep_new_of_tape.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sensitivities_new_of_tape(IntPtr tape, NativeGround* ground, uint measure, NativeProgress* progress, IntPtr* @out);

        /// <summary>Frees sensitivities; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_sensitivities_free(IntPtr sensitivities);

        /// <summary>Returns the number of parameters that affect the measure; 0 for invalid sensitivities.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_sensitivities_count(IntPtr sensitivities);

        /// <summary>Stores the effect of a parameter by its index; the strongest is the first. Returns KINESCOPE_STATUS_NOTHING_TO_DO if there is no such parameter.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sensitivities_get(IntPtr sensitivities, UIntPtr index, Sensitivity* sensitivity);

        /// <summary>Writes the path of a parameter by its index, into a buffer as kinescope_settings_to_preset does. Returns KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if there is no such parameter.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sensitivities_parameter(IntPtr sensitivities, UIntPtr index, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Creates an empty tape for the frames of a stack. It holds 64 MiB of frames, more than a minute of Kinescope's built-in biped at 60 Hz; then new frames replace the oldest ones.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_tape_new(IntPtr stack, IntPtr* @out);

        /// <summary>Frees a tape; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_tape_free(IntPtr tape);

        /// <summary>Records the last kinescope_stack_solve of the same character, `dt` of its frame after the previous one, or 0.1 s after it if `dt` is more. With a `dt` of 0, the solve replaces the previous frame. Returns KINESCOPE_STATUS_BAD_WORKSPACE before the first solve, and KINESCOPE_STATUS_BAD_RIG for another number of bones.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_tape_record(IntPtr tape, IntPtr stack);

        /// <summary>Returns the number of frames; 0 for an invalid tape.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_tape_frames(IntPtr tape);

        /// <summary>Stores the numbers of the oldest and the newest frame. Returns KINESCOPE_STATUS_NOTHING_TO_DO if there are no frames.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_tape_range(IntPtr tape, ulong* first, ulong* last);

        /// <summary>Returns the time of a frame in seconds since the first frame that was recorded, or since the first one after kinescope_tape_clear; NaN if there is no such frame.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern double kinescope_tape_time(IntPtr tape, ulong number);

        /// <summary>Returns the memory of all frames in bytes; 0 for an invalid tape.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_tape_bytes(IntPtr tape);

        /// <summary>Sets the memory of frames in bytes, at least 4 MiB. Drops the oldest frames that do not fit.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_tape_set_budget(IntPtr tape, UIntPtr bytes);

        /// <summary>Drops all frames. Numbers continue, and the time begins again at 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_tape_clear(IntPtr tape);

        /// <summary>Copies the values of a measure, one per frame, oldest first; NaN for a frame without the measure. `measure` is its key, as returned by kinescope_stack_measure_key. `needed`, which may be NULL, receives the number of frames. Returns KINESCOPE_STATUS_NOTHING_TO_DO and copies nothing if `capacity` is below that number, or if there are no frames.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_tape_values(IntPtr tape, byte* measure, float* values, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Stores a measure of the whole recording, a MotionMeasure. Returns KINESCOPE_STATUS_NOTHING_TO_DO if the recording is too short, or lacks the joints or stances that are measured.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_tape_measure(IntPtr tape, uint measure, float* value);

        /// <summary>Copies the stances of both feet, oldest first; the last ones may still be in progress. A stance lasts while `planted` of GroundFrame is above 0.5 and the animation does not reposition the foot. The slide is relative to the ground, which moves by `carried`. `needed`, which may be NULL, receives the number of stances. Returns KINESCOPE_STATUS_NOTHING_TO_DO, and copies nothing, if `capacity` is smaller, and if there are none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_tape_slides(IntPtr tape, Slide* stances, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Replays a frame, as kinescope_capsule_replay does: creates a stack with the settings and the state of the frame, and solves it. `ground` may be NULL. kinescope_capsule_new makes a bug capsule of the stack.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_tape_replay(IntPtr tape, ulong number, NativeGround* ground, IntPtr* @out);

        /// <summary>Solves every frame again with the layers of a preset (zero-terminated JSON), and creates a tape of the results: to measure how other settings change the whole recording. Each frame starts from the state of the frame before it; the first frame, and a frame after kinescope_stack_reset, start from their recorded state. NULL keeps the recorded settings. `ground` and `progress` may be NULL. kinescope_tape_check works only on frames of kinescope_tape_record.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_tape_solve_again(IntPtr tape, NativeGround* ground, byte* preset, NativeProgress* progress, IntPtr* @out);

        /// <summary>Creates a height field of `columns` × `rows` points, 2 to 1025 each. `heights` has them row by row: the first at `x` and `z`, the next ones `spacing` metres further along +X, the next row further along +Z.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_terrain_new(float* heights, uint columns, uint rows, float spacing, float x, float z, IntPtr* @out);

        /// <summary>Frees a terrain; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_terrain_free(IntPtr terrain);

        /// <summary>Stores the height of the ground at a place. Returns KINESCOPE_STATUS_NOTHING_TO_DO outside the height field.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_terrain_height(IntPtr terrain, float x, float z, float* height);

        /// <summary>Fills in a ground that casts rays, spheres and capsules at the terrain. It is valid until the terrain is freed; after that its casts meet nothing.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_terrain_ground(IntPtr terrain, NativeGround* ground);
    }
}
