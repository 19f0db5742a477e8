using System;

namespace Kinescope
{
    public partial struct ChainIkSettings
    {
        /// <summary>The defaults.</summary>
        public static unsafe ChainIkSettings Default
        {
            get
            {
                Library.Check();
                ChainIkSettings settings;
                Library.Require(Native.kinescope_chain_settings_default(&settings));
                return settings;
            }
        }
    }

    /// <summary>A single chain with its state from frame to frame: two bones, FABRIK or CCD, with limits.</summary>
    public sealed unsafe class Chain : NativeObject
    {
        readonly Solver solver;

        Chain(Solver solver)
        {
            this.solver = solver;
        }

        /// <summary>Returns a free chain of bones with these lengths, straight up from the origin.</summary>
        public static Chain OfLengths(params float[] lengths)
        {
            var made = new Chain(null);
            fixed (float* all = lengths)
            fixed (IntPtr* pointer = &made.own)
            {
                Library.Require(Native.kinescope_chain_new_of_lengths(all, (UIntPtr)Length(lengths), pointer));
            }
            return made;
        }

        /// <summary>
        /// Returns a chain of a character's bones, from <paramref name="first"/> to its descendant <paramref name="end"/>, the end
        /// effector. <see cref="SolvePose"/> solves it.
        /// </summary>
        public static Chain OfBones(Solver solver, int first, int end)
        {
            if (solver == null)
            {
                throw new ArgumentNullException("solver");
            }
            var made = new Chain(solver);
            fixed (IntPtr* pointer = &made.own)
            {
                Library.Require(Native.kinescope_chain_new_of_bones(solver.Pointer, first, end, pointer));
            }
            return made;
        }

        /// <summary>Returns a chain with limits and weights, and the settings, from the text of a chain file.</summary>
        public static Chain OfFile(string json, out ChainIkSettings settings)
        {
            var made = new Chain(null);
            settings = ChainIkSettings.Default;
            fixed (byte* text = Library.Utf8(json))
            fixed (ChainIkSettings* read = &settings)
            fixed (IntPtr* pointer = &made.own)
            {
                Library.Require(Native.kinescope_chain_new_of_file(text, read, pointer));
            }
            return made;
        }

        internal override void Free(IntPtr pointer)
        {
            Native.kinescope_chain_free(pointer);
        }

        public int JointCount
        {
            get { return (int)Native.kinescope_chain_joints(Pointer); }
        }

        /// <summary>Limits how far a bone may rotate from its rest rotation.</summary>
        public void SetLimit(int bone, Limit limit)
        {
            Library.Require(Native.kinescope_chain_set_limit(Pointer, (UIntPtr)(uint)bone, &limit));
        }

        /// <summary>Sets how much CCD rotates a bone, 0 to 1.</summary>
        public void SetWeight(int bone, float weight)
        {
            Library.Require(Native.kinescope_chain_set_weight(Pointer, (UIntPtr)(uint)bone, weight));
        }

        /// <summary>Solves a free chain from the state of its last solve.</summary>
        public Outcome Solve(ref ChainIkSettings settings, Vec3 target)
        {
            var goal = new Goal { position = target, pull = 1 };
            Outcome outcome;
            fixed (ChainIkSettings* own = &settings)
            {
                Library.Require(Native.kinescope_chain_solve(Pointer, own, &goal, (UIntPtr)1, &outcome));
            }
            GC.KeepAlive(this);
            return outcome;
        }

        /// <summary>Solves a character's chain in a pose in model space, in place. Bones below the chain follow it.</summary>
        public Outcome SolvePose(RigidTransform[] pose, ref ChainIkSettings settings, Vec3 target)
        {
            var goal = new Goal { position = target, pull = 1 };
            Outcome outcome;
            fixed (RigidTransform* bones = pose)
            fixed (ChainIkSettings* own = &settings)
            {
                var view = Library.View(bones, Length(pose));
                Library.Require(Native.kinescope_chain_solve_pose(Pointer, own, &goal, (UIntPtr)1, &view, &outcome));
            }
            GC.KeepAlive(this);
            GC.KeepAlive(solver);
            return outcome;
        }

        /// <summary>Copies the joints' positions, as many as there is room for. Returns the number of joints.</summary>
        public int Positions(Vec3[] positions)
        {
            fixed (Vec3* first = positions)
            {
                return (int)Native.kinescope_chain_positions(Pointer, first, (UIntPtr)Length(positions));
            }
        }

        /// <summary>Moves and rotates a free chain as a whole, to a new root position and base rotation; model space.</summary>
        public void Carry(Vec3 root, Quat rotation)
        {
            Library.Require(Native.kinescope_chain_carry(Pointer, root, rotation));
        }

        /// <summary>Resets the chain to its rest shape.</summary>
        public void Reset()
        {
            Library.Require(Native.kinescope_chain_reset(Pointer));
        }
    }
}
