using System;

namespace Kinescope
{
    /// <summary>
    /// Keeps a character's feet on the ground, frame by frame, before the solve: its results are settings for <see cref="Solver.Solve"/>.
    /// </summary>
    public sealed unsafe class Grounder : NativeObject
    {
        readonly Solver solver;
        readonly GroundCalls calls = new GroundCalls();

        public Grounder(Solver solver, Grounding method)
        {
            if (solver == null)
            {
                throw new ArgumentNullException("solver");
            }
            this.solver = solver;
            fixed (IntPtr* pointer = &own)
            {
                Library.Require(Native.kinescope_grounder_new(solver.Pointer, (uint)method, pointer));
            }
        }

        internal override void Free(IntPtr pointer)
        {
            Native.kinescope_grounder_free(pointer);
        }

        /// <summary>Reads method, settings and weights from the section grounding of a preset. Returns false if the preset has no such section.</summary>
        public bool LoadPreset(string json)
        {
            fixed (byte* text = Library.Utf8(json))
            {
                return Library.Require(Native.kinescope_grounder_preset(Pointer, text)) == Status.Done;
            }
        }

        /// <summary>The settings of foot IK. Reading them throws if the grounder has another method; setting them makes foot IK the method.</summary>
        public FootIkSettings FootIk
        {
            get
            {
                FootIkSettings settings;
                OfMethod(Native.kinescope_grounder_get_foot_ik(Pointer, &settings));
                return settings;
            }
            set { OfMethod(Native.kinescope_grounder_set_foot_ik(Pointer, &value)); }
        }

        /// <summary>
        /// The settings of predictive grounding. Reading them throws if the grounder has another method; setting them makes predictive
        /// grounding the method.
        /// </summary>
        public PredictiveSettings Predictive
        {
            get
            {
                PredictiveSettings settings;
                OfMethod(Native.kinescope_grounder_get_predictive(Pointer, &settings));
                return settings;
            }
            set { OfMethod(Native.kinescope_grounder_set_predictive(Pointer, &value)); }
        }

        /// <summary>The settings of the foot lock, which is off at first.</summary>
        public LockSettings Lock
        {
            get
            {
                LockSettings settings;
                Library.Require(Native.kinescope_grounder_get_lock(Pointer, &settings));
                return settings;
            }
            set { Library.Require(Native.kinescope_grounder_set_lock(Pointer, &value)); }
        }

        /// <summary>The settings by which footprints shift steps.</summary>
        public FootprintSettings Footprints
        {
            get
            {
                FootprintSettings settings;
                Library.Require(Native.kinescope_grounder_get_footprints(Pointer, &settings));
                return settings;
            }
            set { Library.Require(Native.kinescope_grounder_set_footprints(Pointer, &value)); }
        }

        /// <summary>The weights by which a solve follows the goals.</summary>
        public DriveWeights Weights
        {
            get
            {
                DriveWeights settings;
                Library.Require(Native.kinescope_grounder_get_weights(Pointer, &settings));
                return settings;
            }
            set { Library.Require(Native.kinescope_grounder_set_weights(Pointer, &value)); }
        }

        /// <summary>
        /// The thresholds by which the speed of a foot bone becomes its weight; null, the default, if the frame gives the weights.
        /// </summary>
        public SpeedSettings? Speed
        {
            get
            {
                SpeedSettings settings;
                if (Library.Require(Native.kinescope_grounder_get_speed(Pointer, &settings)) == Status.NothingToDo)
                {
                    return null;
                }
                return settings;
            }
            set
            {
                var settings = value.GetValueOrDefault();
                Library.Require(Native.kinescope_grounder_set_speed(Pointer, value.HasValue ? &settings : null));
            }
        }

        /// <summary>
        /// Runs one frame: <paramref name="driven"/> becomes <paramref name="settings"/> with the offsets and rotations that put the
        /// feet on the ground. The pose is the animated one, in model space; it is not changed.
        /// </summary>
        public void Ground(IGround ground, ref GroundFrame frame, RigidTransform[] pose, ref Settings settings, out Settings driven)
        {
            var pointer = Pointer;
            driven = settings;
            fixed (GroundFrame* moment = &frame)
            fixed (RigidTransform* bones = pose)
            fixed (Settings* parameters = &settings)
            fixed (Settings* result = &driven)
            {
                var view = Library.View(bones, Length(pose));
                var casts = calls.Begin(ground);
                calls.End(Native.kinescope_ground_frame(pointer, &casts, moment, &view, parameters, result));
                GC.KeepAlive(this);
            }
        }

        /// <summary>Applies the goals of the last frame without the full body, limb by limb, to a pose in model space.</summary>
        public void DriveLimbs(ref Settings settings, RigidTransform[] pose)
        {
            fixed (RigidTransform* bones = pose)
            fixed (Settings* parameters = &settings)
            {
                var view = Library.View(bones, Length(pose));
                Library.Require(Native.kinescope_grounder_drive_limbs(Pointer, parameters, &view));
                GC.KeepAlive(solver);
            }
        }

        /// <summary>Copies the goals of the last frame. Returns false before the first frame.</summary>
        public bool Output(out GroundOutput output)
        {
            output = new GroundOutput();
            fixed (GroundOutput* found = &output)
            {
                return Library.Require(Native.kinescope_grounder_output(Pointer, found)) == Status.Done;
            }
        }

        /// <summary>Forgets the last frame, for example after a cut.</summary>
        public void Reset()
        {
            Library.Require(Native.kinescope_grounder_reset(Pointer));
        }

        static void OfMethod(Status status)
        {
            if (Library.Require(status) == Status.NothingToDo)
            {
                throw new InvalidOperationException("The grounder has another method.");
            }
        }
    }
}
