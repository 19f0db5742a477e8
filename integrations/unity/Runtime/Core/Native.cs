// Generated from integrations/c/include/kinescope.h; do not edit. To generate again: KINESCOPE_WRITE_HEADER=1 cargo test the_header
// in integrations/c.

using System;
using System.Runtime.InteropServices;

namespace Kinescope
{
    /// <summary>The result of a call: 0 or above on success, below 0 on failure. After a failure, `kinescope_last_error` has the reason, and output arguments are unchanged, except that a `_new` function sets `out` to NULL.  Rules for every function. Pointers may be NULL only where the documentation says so; NULL elsewhere returns KINESCOPE_STATUS_BAD_ARGUMENT. Other pointers must point to as many elements of their declared type as documented, valid for the duration of the call. An object is valid from its `_new` until its `_free`. One thread at a time may use an object, except Solver, which is immutable and may be shared between threads. No function keeps a pointer of the caller. No function throws or unwinds, and callbacks must not either.  Coordinates are in model space (relative to the character), right-handed, +Y up. Rotations are unit quaternions: a length from 0.99 to 1.01 is normalized, any other is refused with the bone's name.</summary>
    public enum Status : int
    {
        /// <summary>Success. After a solve, the pose is the solved one.</summary>
        Done = 0,
        /// <summary>Nothing to do: the master weight is 0, the last step is done, or no new data has arrived.</summary>
        NothingToDo = 1,
        /// <summary>A pointer is NULL, an index is out of range, a text is not UTF-8, or an address is invalid.</summary>
        BadArgument = -1,
        /// <summary>The bones do not form a biped.</summary>
        BadRig = -2,
        /// <summary>The pose has too few bones (in recorded frames also too many), or a bone that is not finite, too far away, or without a valid rotation.</summary>
        BadPose = -3,
        /// <summary>A setting is out of its range.</summary>
        BadSettings = -4,
        /// <summary>A text could not be parsed.</summary>
        BadFile = -5,
        /// <summary>The workspace belongs to another solver, or holds no pose.</summary>
        BadWorkspace = -6,
        /// <summary>The operating system reported an error: a file cannot be written, a thread cannot be started.</summary>
        System = -7,
        /// <summary>A bug in Kinescope. The objects passed to the call must not be used again, except to free them.</summary>
        Defect = -8,
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

    /// <summary>How feet find the ground.</summary>
    public enum Grounding : uint
    {
        /// <summary>Foot IK: one ray down at each foot.</summary>
        FootIk,
        /// <summary>Predictive grounding: casts where each foot will be, by its velocity.</summary>
        Predictive,
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
        /// <summary>Reads the animated pose into the nodes.</summary>
        Read,
        /// <summary>Moves hands and feet to their targets.</summary>
        EndEffectors,
        /// <summary>Lets compressed limbs push their first node and the body away.</summary>
        Push,
        /// <summary>Lets nearly straight limbs draw their first node towards the target.</summary>
        Reach,
        /// <summary>Moves body, shoulders and thighs towards their targets.</summary>
        BodyEffectors,
        /// <summary>Places elbows and knees by the lengths of their bones.</summary>
        Trigonometric,
        /// <summary>Forward reach of FABRIK: every limb from its end, then the body.</summary>
        Stage1,
        /// <summary>Moves body, shoulders and thighs towards their targets once more.</summary>
        BodyEffectorsAgain,
        /// <summary>Backward reach of FABRIK: the torso's constraints, then every limb from its root.</summary>
        Stage2,
        /// <summary>Moves hands and feet to their targets a last time.</summary>
        FinalEffectors,
        /// <summary>Turns elbows and knees to their bend direction.</summary>
        Bend,
    }

    /// <summary>Three numbers.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Vec3
    {
        public float x;
        public float y;
        public float z;
    }

    /// <summary>Where a ray meets the ground, in world space, metres.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct Hit
    {
        public Vec3 point;
        /// <summary>Unit normal, pointing out of the ground.</summary>
        public Vec3 normal;
        /// <summary>Distance from the ray's origin.</summary>
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

    /// <summary>The caller's ground, in world space, metres. If both functions are NULL, there is no ground.  If only `ray` is set, spheres and capsules are made of rays: exact on level and evenly sloping ground, and at edges off by at most the distance between two rays. A sphere takes 13 to 16 rays, a capsule 65 to 80.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe partial struct NativeGround
    {
        /// <summary>Passed to both functions.</summary>
        public IntPtr user;
        /// <summary>Casts a ray along a unit direction up to a maximal distance. Returns 0 if it meets nothing, otherwise fills in `hit`. Must not throw. May be NULL if `cast` is set.</summary>
        public IntPtr ray;
        /// <summary>Casts any shape. Returns 0 if it meets nothing, 1 after filling in `hit`, or -1 for a shape that it does not cast: `ray` is used instead. The distance of a hit is how far the shape moved; 0 if it started inside the ground. Must not throw. May be NULL.</summary>
        public IntPtr cast;
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

    /// <summary>A position in metres and a rotation.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct RigidTransform
    {
        public Vec3 position;
        public Quat rotation;
    }

    /// <summary>A pose in the caller's memory, in model space. Bone i has its position in the three floats at `positions` + i · `position_stride` bytes, and its rotation in the four floats (x, y, z, w) at `rotations` + i · `rotation_stride` bytes. Arrays of structures and separate arrays both fit.</summary>
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
        /// <summary>Number of bones.</summary>
        public UIntPtr count;
    }

    /// <summary>Parameters of the whole solver.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct SolverSettings
    {
        /// <summary>Master weight of the solve: scales all weights and offsets of effectors, and the bend weights. From 0 to 1, by default 1.</summary>
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
        /// <summary>How far a nearly straight limb draws its shoulder or hip towards the target. From 0 to 1, by default 0.1.</summary>
        public float reach;
        /// <summary>Smoothing of the reach. A number of Smoothing.</summary>
        public uint reachSmoothing;
        /// <summary>Whether reach is the same in every unit of length: limited by the limb's stretch, not its length. 0 means no.</summary>
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
        /// <summary>Offset added to the animated position for one frame, in model space.</summary>
        public Vec3 positionOffset;
        /// <summary>How much hand or foot, at position weight 0, follows the torso. From 0 to 1, by default 0.</summary>
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
        /// <summary>The character's number from kinescope_game_add.</summary>
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
        /// <summary>Stages and the nodes after each; may be NULL.</summary>
        public StepNodes* steps;
        /// <summary>Number of stages.</summary>
        public UIntPtr stepCount;
        /// <summary>Parts of the body with the bones after each was written, each part at most once; may be NULL.</summary>
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

    /// <summary>The bones of an arm or a leg, by index; `clavicle` is -1 if there is none.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public partial struct LimbBones
    {
        /// <summary>The bone between spine and upper arm; always -1 for legs.</summary>
        public int clavicle;
        public int bones0;
        public int bones1;
        public int bones2;
    }

    /// <summary>The bones of each role, by index.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe partial struct NativeBiped
    {
        /// <summary>The parent of spine and legs.</summary>
        public int pelvis;
        /// <summary>From the bone next to the pelvis upwards; at least one.</summary>
        public int* spine;
        /// <summary>Number of spine bones.</summary>
        public UIntPtr spineCount;
        /// <summary>The head bone; -1 if there is none.</summary>
        public int head;
        /// <summary>The spine bone used as the solver's body node; -1 chooses it by position.</summary>
        public int rootNode;
        public LimbBones leftArmLimb;
        public LimbBones rightArmLimb;
        public LimbBones leftLegLimb;
        public LimbBones rightLegLimb;
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
        /// <summary>The cause, as in whole traces: `reach`, `child_constraint`. The pointer stays valid.</summary>
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
            "KinescopeVec3",
            "KinescopeHit",
            "KinescopeCast",
            "KinescopeGround",
            "KinescopeQuat",
            "KinescopeTransform",
            "KinescopePose",
            "KinescopeSolverSettings",
            "KinescopeChainSettings",
            "KinescopeEffectorSettings",
            "KinescopeSettings",
            "KinescopeTask",
            "KinescopeStep",
            "KinescopeStepNodes",
            "KinescopeWrite",
            "KinescopeFrame",
            "KinescopeSkeleton",
            "KinescopeLimbBones",
            "KinescopeBiped",
            "KinescopeMove",
            "KinescopeObserver",
        };

        internal static readonly int[] StructSizes =
        {
            sizeof(Vec3),
            sizeof(Hit),
            sizeof(Cast),
            sizeof(NativeGround),
            sizeof(Quat),
            sizeof(RigidTransform),
            sizeof(NativePose),
            sizeof(SolverSettings),
            sizeof(ChainSettings),
            sizeof(EffectorSettings),
            sizeof(Settings),
            sizeof(NativeTask),
            sizeof(Step),
            sizeof(StepNodes),
            sizeof(NativeWrite),
            sizeof(NativeFrame),
            sizeof(NativeSkeleton),
            sizeof(LimbBones),
            sizeof(NativeBiped),
            sizeof(NativeMove),
            sizeof(NativeObserver),
        };

        /// <summary>Returns the reason of this thread's last failed call: one line of UTF-8, empty if no call has failed. The line names the field, bone or line, and the cure. The pointer is valid until this thread's next call.</summary>
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

        /// <summary>Creates a grounder for a character; `grounding` is a Grounding.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_new(IntPtr solver, uint grounding, IntPtr* @out);

        /// <summary>Reads method, settings and weights from the section `grounding` of a preset (zero-terminated JSON). Returns KINESCOPE_STATUS_NOTHING_TO_DO if the preset has no such section. The method `path` becomes the predictive one without footprints.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_grounder_preset(IntPtr grounder, byte* json);

        /// <summary>Frees a grounder; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_grounder_free(IntPtr grounder);

        /// <summary>Runs one frame of grounding, before the solve: finds the ground under the animated pose and fills `driven` with the caller's `settings` plus the offsets and rotations that put the feet there. `driven` may be `settings` itself only if the caller sets `settings` anew in every frame.  `root` is the character's transform from model to world. `planted` holds the weights of the left and the right foot, 0 to 1, by which foot IK plants them; NULL means 1 for both. `dt` is the time since the last frame in seconds.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_ground(IntPtr grounder, NativeGround* ground, RigidTransform root, NativePose* pose, float* planted, float dt, Settings* settings, Settings* driven);

        /// <summary>Creates working memory for kinescope_solve_many.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_many_new(IntPtr* @out);

        /// <summary>Frees working memory; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_many_free(IntPtr many);

        /// <summary>Solves many characters: as many side by side as a register has lanes, on all processors. Each task receives its own status. A task that fails keeps its pose, and the others are solved. kinescope_last_error has the reason of the last failure.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_solve_many(IntPtr many, NativeTask* tasks, UIntPtr count);

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

        /// <summary>Marks a moment, in seconds, with a text.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_recorder_mark(IntPtr recorder, byte* mark, double time);

        /// <summary>Ends a recording and frees the recorder, also if writing fails; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_recorder_free(IntPtr recorder);

        /// <summary>Creates a sender to the listening window (`kinescope --listen`) at `address`, host:port; NULL is the window's default address. The window may start before or after the sender, and again: the sender reconnects by itself.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sender_new(IntPtr game, byte* address, IntPtr* @out);

        /// <summary>Queues a frame. Never waits, and allocates nothing once warm, except for a frame with writes. Returns KINESCOPE_STATUS_NOTHING_TO_DO if the queue is full; the frame is then dropped and counted.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sender_send(IntPtr sender, NativeFrame* frame);

        /// <summary>Marks a moment, in seconds, with a text.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sender_mark(IntPtr sender, byte* mark, double time);

        /// <summary>Receives what the window changes while it tunes the game: a character and all its parameters. Call it until it returns KINESCOPE_STATUS_NOTHING_TO_DO.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_sender_tuned(IntPtr sender, uint* character, Settings* settings);

        /// <summary>Returns 1 if a window is connected, else 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int kinescope_sender_is_connected(IntPtr sender);

        /// <summary>Returns the number of frames sent.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern ulong kinescope_sender_sent(IntPtr sender);

        /// <summary>Returns the number of frames dropped: the queue was full, or the connection broke.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern ulong kinescope_sender_dropped(IntPtr sender);

        /// <summary>Frees a sender; NULL is allowed. Queued frames are sent first if a window is connected, which may take seconds.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_sender_free(IntPtr sender);

        /// <summary>Sets all parameters to their defaults.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_settings_default(Settings* settings);

        /// <summary>Reads a preset as saved by the window: zero-terminated JSON.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_settings_from_preset(byte* json, Settings* settings);

        /// <summary>Writes a preset as zero-terminated JSON into a buffer of `capacity` bytes. `needed`, which may be NULL, receives the number of bytes including the zero. If the buffer is smaller (NULL and 0 ask for the size), nothing is written and KINESCOPE_STATUS_NOTHING_TO_DO is returned.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_settings_to_preset(Settings* settings, byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Checks that every number is in its range. A solve accepts some numbers outside of it; a preset does not.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_settings_validate(Settings* settings);

        /// <summary>Clears the offsets, which apply to one frame.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_settings_clear_offsets(Settings* settings);

        /// <summary>Creates the solver of a character. `biped` assigns bones to roles; if it is NULL, roles are detected from the bones' names and positions.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_solver_new(NativeSkeleton* skeleton, NativeBiped* biped, IntPtr* @out);

        /// <summary>Frees a solver; NULL is allowed. Workspaces and grounders created from it stay valid.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_solver_free(IntPtr solver);

        /// <summary>Returns the bone of a role, by the role's name in presets: `pelvis`, `head`, `left_upper_arm`, ...; `spine` is the first spine bone. Returns -1 if there is none.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int kinescope_solver_bone_of(IntPtr solver, byte* role);

        /// <summary>Returns the number of bones that a solve writes, and writes the first `capacity` of their indices to `bones`, which may be NULL if `capacity` is 0. All other bones follow their parents as in the animated pose.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_solver_written_bones(IntPtr solver, int* bones, UIntPtr capacity);

        /// <summary>Creates a workspace. It works with every solver of the same skeleton and biped.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_workspace_new(IntPtr solver, IntPtr* @out);

        /// <summary>Frees a workspace; NULL is allowed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void kinescope_workspace_free(IntPtr workspace);

        /// <summary>Solves one frame: `pose` is the animated pose and becomes the solved one. Allocates nothing. On failure, and with a master weight of 0, the pose is unchanged, bit for bit. A stepped solve in progress in the workspace is over, even on failure.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_solve(IntPtr solver, IntPtr workspace, Settings* settings, NativePose* pose);

        /// <summary>Returns the written bones of a solved pose as local transforms: relative to the parent bone, or to the model for roots. They are in the order of kinescope_solver_written_bones, at most `capacity` of them. Returns their number; 0 if the last solve in this workspace failed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr kinescope_locals(IntPtr solver, IntPtr workspace, RigidTransform* locals, UIntPtr capacity);

        /// <summary>Returns the name in files of a node, effector, limb or stage, such as `left_hand`. `kind` is `node`, `effector`, `limb` or `stage`. Returns NULL if there is none with that number. The pointer stays valid.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern byte* kinescope_name_of(byte* kind, uint number);

        /// <summary>Starts a stepped solve: reads the animated pose. Call kinescope_step until it returns KINESCOPE_STATUS_NOTHING_TO_DO, then kinescope_end. Between steps the caller may read and move nodes. The result is that of kinescope_solve. An earlier stepped solve in progress in the workspace is over, even on failure.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_begin(IntPtr solver, IntPtr workspace, Settings* settings, NativePose* pose);

        /// <summary>Runs the next step and reports it in `done`, which may be NULL. Returns KINESCOPE_STATUS_NOTHING_TO_DO after the last step.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_step(IntPtr workspace, Step* done);

        /// <summary>Copies the positions of all KINESCOPE_NODES nodes.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_nodes(IntPtr workspace, Vec3* nodes);

        /// <summary>Moves a node (a Node) between two steps. On failure, the nodes are unchanged and the solve stays in progress.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_set_node(IntPtr workspace, uint node, Vec3 position);

        /// <summary>Ends a stepped solve: writes the nodes to the bones of `pose`. If an argument is NULL or `pose` has too few bones, the solve stays in progress; after any other failure it is over.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_end(IntPtr solver, IntPtr workspace, NativePose* pose);

        /// <summary>Solves like kinescope_solve and reports steps and moves to an observer.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status kinescope_solve_observed(IntPtr solver, IntPtr workspace, Settings* settings, NativePose* pose, NativeObserver* observer);
    }
}
