using System;
using System.Collections.Generic;
using UnityEngine;

namespace Kinescope
{
    /// <summary>
    /// Full-body inverse kinematics of a biped. Solves in LateUpdate, after the animation. <see cref="solver"/> has all parameters,
    /// in world space.
    /// </summary>
    [AddComponentMenu("Kinescope/Full Body IK"), DisallowMultipleComponent, DefaultExecutionOrder(100)]
    public sealed class FullBodyIK : MonoBehaviour
    {
        public BipedReferences references = new BipedReferences();
        public FullBodySolver solver = new FullBodySolver();
        [Tooltip("Resets the bones before the animation. Needed if the animation does not write all bones in every frame.")]
        public bool fixTransforms = true;
        [Tooltip("Whether the feet follow the colliders of the ground layers. The root must stand at ground level.")]
        public bool grounding;
        [Tooltip("The layers of colliders that feet stand on.")]
        public LayerMask groundLayers = ~0;
        [Tooltip("The address of the listening window: kinescope --listen")]
        public string windowHost = "127.0.0.1";
        public int windowPort = Link.DefaultPort;
        [Tooltip("Whether frames for the window include every stage of the solve.")]
        public bool sendsStages = true;

        /// <summary>Called before each solve: the place to set effectors.</summary>
        public event Action OnPreUpdate;

        /// <summary>Called after the bones are written.</summary>
        public event Action OnPostUpdate;

        readonly List<Transform> bones = new List<Transform>();
        readonly RecordedFrame frame = new RecordedFrame();
        readonly StepNodes[] steps = new StepNodes[128];
        readonly PhysicsGround ground = new PhysicsGround();
        Solver native;
        Grounder grounder;
        GroundFrame groundFrame;
        Rig rig;
        RigidTransform[] animated;
        RigidTransform[] pose;
        // The bones that a solve writes, parents first.
        int[] written = { };
        Vector3[] firstPositions;
        Quaternion[] firstRotations;
        Settings settings;
        Link link;
        double lastTime;

        Transform Root
        {
            get { return references.root != null ? references.root : transform; }
        }

        /// <summary>Whether the solver has been created.</summary>
        public bool IsInitiated
        {
            get { return native != null; }
        }

        /// <summary>Whether the component sends frames; the window may not listen yet.</summary>
        public bool IsAttached
        {
            get { return link != null; }
        }

        /// <summary>One line about the connection to the window.</summary>
        public string LinkState
        {
            get
            {
                if (link == null)
                {
                    return "Not attached";
                }
                if (link.IsConnected)
                {
                    return "Connected: " + link.Sent + " frames sent, " + link.Dropped + " dropped";
                }
                return link.Message != "" ? "Refused: " + link.Message : "No window listens at " + windowHost + ":" + windowPort;
            }
        }

        void Awake()
        {
            TryInitiate();
        }

        void Update()
        {
            if (!fixTransforms || native == null)
            {
                return;
            }
            for (var index = 0; index < written.Length; index++)
            {
                bones[written[index]].localPosition = firstPositions[index];
                bones[written[index]].localRotation = firstRotations[index];
            }
        }

        void LateUpdate()
        {
            if (native == null)
            {
                return;
            }
            try
            {
                Solve();
            }
            catch (KinescopeException error)
            {
                Debug.LogError(name + ": " + error.Message, this);
                enabled = false;
            }
        }

        void OnDestroy()
        {
            Detach();
            Free();
        }

        void Free()
        {
            if (grounder != null)
            {
                grounder.Dispose();
                grounder = null;
            }
            if (native != null)
            {
                native.Dispose();
                native = null;
            }
        }

        /// <summary>
        /// Creates the solver. The current pose is the reference: standing, arms out. Call it again after a change of
        /// <see cref="references"/>.
        /// </summary>
        public void Initiate()
        {
            Detach();
            Free();
            bones.Clear();
            AddBelow(Root);
            var space = new ModelSpace(Root);
            rig = new Rig
            {
                names = new string[bones.Count],
                parents = new int[bones.Count],
                reference = new RigidTransform[bones.Count],
                biped = references.ToBiped(bones),
            };
            for (var bone = 0; bone < bones.Count; bone++)
            {
                rig.names[bone] = bones[bone].name;
                rig.parents[bone] = bones.IndexOf(bones[bone].parent);
                rig.reference[bone] = space.BoneIn(bones[bone]);
            }
            var made = new Solver(rig);
            settings = Settings.Default;
            animated = new RigidTransform[bones.Count];
            pose = new RigidTransform[bones.Count];
            written = (int[])made.WrittenBones.Clone();
            Array.Sort(written);
            firstPositions = Array.ConvertAll(written, bone => bones[bone].localPosition);
            firstRotations = Array.ConvertAll(written, bone => bones[bone].localRotation);
            native = made;
        }

        /// <summary>Creates the solver. Returns false and reports the reason if the bones do not form a biped.</summary>
        public bool TryInitiate()
        {
            try
            {
                Initiate();
                return true;
            }
            catch (KinescopeException error)
            {
                Debug.LogError(name + ": " + error.Message, this);
            }
            catch (ArgumentException error)
            {
                Debug.LogError(name + ": " + error.Message, this);
            }
            return false;
        }

        void AddBelow(Transform parent)
        {
            for (var index = 0; index < parent.childCount; index++)
            {
                bones.Add(parent.GetChild(index));
                AddBelow(parent.GetChild(index));
            }
        }

        /// <summary>
        /// Solves the current pose and writes the bones. LateUpdate calls it; a disabled component may be solved by hand. Allocates
        /// nothing while no window is connected.
        /// </summary>
        public void Solve()
        {
            if (native == null)
            {
                Initiate();
            }
            if (OnPreUpdate != null)
            {
                OnPreUpdate();
            }
            ReceiveTuned();
            var space = new ModelSpace(Root);
            solver.Read(space, ref settings);
            for (var bone = 0; bone < pose.Length; bone++)
            {
                animated[bone] = space.BoneIn(bones[bone]);
                pose[bone] = animated[bone];
            }
            Ground();
            if (link != null && sendsStages)
            {
                frame.stepCount = native.SolveAndStep(pose, ref settings, steps);
                frame.steps = steps;
            }
            else
            {
                native.Solve(pose, ref settings);
                frame.steps = null;
            }
            Send();
            // Parents come first, so that a bone's place is not moved again.
            for (var index = 0; index < written.Length; index++)
            {
                var bone = written[index];
                bones[bone].SetPositionAndRotation(space.PositionOut(pose[bone].position), space.RotationOut(pose[bone].rotation));
            }
            solver.ClearOffsets();
            if (OnPostUpdate != null)
            {
                OnPostUpdate();
            }
        }

        /// <summary>Sets the feet's offsets and rotations, and the offset of the pelvis, so that the feet stand on the ground.</summary>
        void Ground()
        {
            if (!grounding)
            {
                // A later start does not continue from this state.
                if (grounder != null)
                {
                    grounder.Reset();
                }
                return;
            }
            if (grounder == null)
            {
                // A foot stands while its bone is slow.
                grounder = new Grounder(native, Grounding.Predictive)
                {
                    Speed = new SpeedSettings { plantedSpeed = 0.3f, swingSpeed = 1, smoothing = 0.05f },
                };
                groundFrame = GroundFrame.Default;
            }
            Vector3 position = Root.position;
            var rotation = Root.rotation;
            groundFrame.root = UnityAxes.Mirror(new RigidTransform(
                new Vec3(position.x, position.y, position.z), new Quat(rotation.x, rotation.y, rotation.z, rotation.w)));
            groundFrame.dt = Time.deltaTime;
            ground.layers = groundLayers;
            Settings driven;
            grounder.Ground(ground, ref groundFrame, pose, ref settings, out driven);
            settings = driven;
        }

        /// <summary>The grounder, for its settings; null until the first solve with <see cref="grounding"/> on.</summary>
        public Grounder Grounder
        {
            get { return grounder; }
        }

        /// <summary>Sends every frame to a listening window, from now on. The window may be opened later.</summary>
        public void Attach()
        {
            Detach();
            if (native == null)
            {
                Initiate();
            }
            link = new Link("Unity", new[] { new RecordedCharacter(name == "" ? "character" : name, rig) }, windowHost, windowPort);
        }

        /// <summary>Ends sending.</summary>
        public void Detach()
        {
            if (link != null)
            {
                link.Dispose();
                link = null;
            }
        }

        void Send()
        {
            if (link == null)
            {
                return;
            }
            // Time does not decrease within one connection.
            lastTime = Math.Max(lastTime, Time.timeAsDouble);
            frame.time = lastTime;
            frame.number = Time.frameCount;
            frame.settings = settings;
            frame.animated = animated;
            frame.result = pose;
            try
            {
                link.Send(frame);
            }
            catch (ArgumentException error)
            {
                Debug.LogWarning(name + ": a frame was not sent. " + error.Message, this);
            }
        }

        void ReceiveTuned()
        {
            int character;
            Settings tuned;
            while (link != null && link.TryTuned(out character, out tuned))
            {
                solver.Write(new ModelSpace(Root), ref tuned, Root);
            }
        }

        /// <summary>Sets all parameters to those of a preset that the window saved.</summary>
        public void ImportPreset(string json)
        {
            var read = Settings.FromPreset(json);
            solver.Write(new ModelSpace(Root), ref read, Root);
        }

        /// <summary>Returns all parameters as a preset, which the window opens.</summary>
        public string ExportPreset()
        {
            var written = Settings.Default;
            solver.Read(new ModelSpace(Root), ref written);
            return written.ToPreset();
        }

        void OnDrawGizmosSelected()
        {
            Gizmos.color = Color.cyan;
            for (var bone = 0; native != null && bone < bones.Count; bone++)
            {
                if (rig.parents[bone] >= 0 && bones[bone] != null)
                {
                    Gizmos.DrawLine(bones[bone].parent.position, bones[bone].position);
                }
            }
            for (var index = 0; index < FullBodySolver.Effectors; index++)
            {
                var effector = solver.GetEffector((Effector)index);
                Vector3 place;
                if (effector.positionWeight <= 0 || !effector.TryTarget(out place))
                {
                    continue;
                }
                Gizmos.color = Color.yellow;
                Gizmos.DrawWireSphere(place, 0.05f);
                var bone = native == null ? -1 : native.BoneOf(RoleOf((Effector)index));
                if (bone >= 0)
                {
                    Gizmos.DrawLine(bones[bone].position, place);
                }
            }
            Gizmos.color = Color.white;
            for (var limb = 1; limb < solver.chain.Length; limb++)
            {
                var bend = solver.chain[limb].bendConstraint;
                if (bend.weight > 0 && bend.bendGoal != null)
                {
                    Gizmos.DrawWireSphere(bend.bendGoal.position, 0.03f);
                }
            }
        }

        /// <summary>Returns the role of the bone that an effector moves.</summary>
        static string RoleOf(Effector effector)
        {
            switch (effector)
            {
                case Effector.Body: return "pelvis";
                case Effector.LeftShoulder: return "left_upper_arm";
                case Effector.RightShoulder: return "right_upper_arm";
                default: return Names.Effectors[(int)effector];
            }
        }
    }
}
