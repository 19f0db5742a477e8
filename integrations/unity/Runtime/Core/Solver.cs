using System;
using System.Runtime.InteropServices;

namespace Kinescope
{
    /// <summary>
    /// The solver of one character, with working memory for one thread. Poses are in model space and in the library's axes.
    /// </summary>
    public sealed unsafe class Solver : IDisposable
    {
        IntPtr solver;
        IntPtr workspace;

        public int BoneCount { get; private set; }

        /// <summary>The bones that a solve writes, by index. All other bones follow their parents.</summary>
        public int[] WrittenBones { get; private set; }

        internal IntPtr Pointer
        {
            get
            {
                if (solver == IntPtr.Zero)
                {
                    throw new ObjectDisposedException("Solver");
                }
                return solver;
            }
        }

        internal IntPtr Workspace
        {
            get { return workspace; }
        }

        public Solver(Rig rig)
        {
            if (rig == null)
            {
                throw new ArgumentNullException("rig");
            }
            Library.Check();
            rig.Check();
            BoneCount = rig.BoneCount;
            // One zero-terminated text after the other.
            var texts = new byte[rig.names.Length][];
            var length = 0;
            for (var index = 0; index < texts.Length; index++)
            {
                texts[index] = Library.Utf8(rig.names[index]);
                length += texts[index].Length;
            }
            var all = new byte[length + 1];
            var names = new IntPtr[texts.Length + 1];
            fixed (byte* start = all)
            fixed (IntPtr* pointers = names)
            fixed (int* parents = rig.parents)
            fixed (RigidTransform* reference = rig.reference)
            fixed (int* spine = rig.biped == null ? null : rig.biped.spine)
            {
                var at = 0;
                for (var index = 0; index < texts.Length; index++)
                {
                    pointers[index] = (IntPtr)(start + at);
                    Array.Copy(texts[index], 0, all, at, texts[index].Length);
                    at += texts[index].Length;
                }
                var skeleton = new NativeSkeleton
                {
                    count = (UIntPtr)BoneCount,
                    names = (byte**)pointers,
                    parents = parents,
                    reference = Library.View(reference, BoneCount),
                };
                var biped = new NativeBiped();
                if (rig.biped != null)
                {
                    biped.pelvis = rig.biped.pelvis;
                    biped.spine = spine;
                    biped.spineCount = (UIntPtr)(rig.biped.spine == null ? 0 : rig.biped.spine.Length);
                    biped.head = rig.biped.head;
                    biped.rootNode = rig.biped.rootNode;
                    biped.leftArmLimb = rig.biped.leftArm;
                    biped.rightArmLimb = rig.biped.rightArm;
                    biped.leftLegLimb = rig.biped.leftLeg;
                    biped.rightLegLimb = rig.biped.rightLeg;
                }
                fixed (IntPtr* own = &solver)
                fixed (IntPtr* working = &workspace)
                {
                    Library.Require(Native.kinescope_solver_new(&skeleton, rig.biped == null ? null : &biped, own));
                    Library.Require(Native.kinescope_workspace_new(*own, working));
                }
            }
            var written = new int[(int)Native.kinescope_solver_written_bones(solver, null, UIntPtr.Zero)];
            fixed (int* bones = written)
            {
                Native.kinescope_solver_written_bones(solver, bones, (UIntPtr)written.Length);
            }
            WrittenBones = written;
        }

        /// <summary>
        /// Solves one frame in place: the pose is the animated one and becomes the solved one. Allocates nothing. Returns false if
        /// the master weight is 0. On a failure the pose is unchanged.
        /// </summary>
        public bool Solve(RigidTransform[] pose, ref Settings settings)
        {
            var own = Pointer;
            var length = Length(pose);
            fixed (RigidTransform* bones = pose)
            fixed (Settings* parameters = &settings)
            {
                var view = Library.View(bones, length);
                var status = Library.Require(Native.kinescope_solve(own, workspace, parameters, &view));
                GC.KeepAlive(this);
                return status == Status.Done;
            }
        }

        /// <summary>
        /// Solves like <see cref="Solve"/> and stores the nodes after each step. Allocates nothing. Returns the number of steps, of
        /// which the first <c>steps.Length</c> are stored; 0 at master weight 0.
        /// </summary>
        public int SolveAndStep(RigidTransform[] pose, ref Settings settings, StepNodes[] steps)
        {
            var own = Pointer;
            var length = Length(pose);
            var count = 0;
            fixed (RigidTransform* bones = pose)
            fixed (Settings* parameters = &settings)
            fixed (StepNodes* stored = steps)
            {
                var view = Library.View(bones, length);
                if (Library.Require(Native.kinescope_begin(own, workspace, parameters, &view)) == Status.NothingToDo)
                {
                    return 0;
                }
                Step step;
                while (Library.Require(Native.kinescope_step(workspace, &step)) == Status.Done)
                {
                    if (steps != null && count < steps.Length)
                    {
                        stored[count].step = step;
                        Library.Require(Native.kinescope_nodes(workspace, &stored[count].bodyNode));
                    }
                    count++;
                }
                Library.Require(Native.kinescope_end(own, workspace, &view));
                GC.KeepAlive(this);
            }
            return count;
        }

        /// <summary>
        /// Copies the written bones of the last solve as local transforms, relative to the parent bone, in the order of
        /// <see cref="WrittenBones"/>. Returns their number; 0 before the first solve and if the
        /// last one failed.
        /// </summary>
        public int Locals(RigidTransform[] locals)
        {
            var own = Pointer;
            fixed (RigidTransform* first = locals)
            {
                var count = (int)Native.kinescope_locals(own, workspace, first, (UIntPtr)Length(locals));
                GC.KeepAlive(this);
                return count;
            }
        }

        /// <summary>Returns the bone of a role, by its name in presets: pelvis, head, left_upper_arm; -1 if there is none.</summary>
        public int BoneOf(string role)
        {
            fixed (byte* text = Library.Utf8(role))
            {
                var bone = Native.kinescope_solver_bone_of(Pointer, text);
                GC.KeepAlive(this);
                return bone;
            }
        }

        static int Length(RigidTransform[] pose)
        {
            return pose == null ? 0 : pose.Length;
        }

        public void Dispose()
        {
            Free();
            GC.SuppressFinalize(this);
        }

        ~Solver()
        {
            Free();
        }

        void Free()
        {
            if (workspace != IntPtr.Zero)
            {
                Native.kinescope_workspace_free(workspace);
                workspace = IntPtr.Zero;
            }
            if (solver != IntPtr.Zero)
            {
                Native.kinescope_solver_free(solver);
                solver = IntPtr.Zero;
            }
        }
    }
}
