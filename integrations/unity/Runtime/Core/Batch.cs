using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Kinescope
{
    /// <summary>
    /// Solves many characters on all processors; three or more whose solves take the same steps share a register. Poses and settings
    /// are copied to memory of the batch, so that a frame allocates no managed memory.
    /// </summary>
    public sealed unsafe class Batch : IDisposable
    {
        readonly List<Solver> solvers = new List<Solver>();
        readonly int capacity;
        IntPtr many;
        NativeTask* tasks;

        public int Count
        {
            get { return solvers.Count; }
        }

        /// <summary>Creates a batch for at most <paramref name="capacity"/> characters.</summary>
        public Batch(int capacity)
        {
            if (capacity < 1)
            {
                throw new ArgumentOutOfRangeException("capacity");
            }
            Library.Check();
            this.capacity = capacity;
            fixed (IntPtr* own = &many)
            {
                Library.Require(Native.kinescope_many_new(own));
            }
            tasks = (NativeTask*)Marshal.AllocHGlobal(capacity * sizeof(NativeTask));
        }

        /// <summary>Adds a character with default settings. Returns its number. Characters may share a solver.</summary>
        public int Add(Solver solver)
        {
            if (solver == null)
            {
                throw new ArgumentNullException("solver");
            }
            if (tasks == null)
            {
                throw new ObjectDisposedException("Batch");
            }
            if (solvers.Count == capacity)
            {
                throw new InvalidOperationException("The batch has room for " + capacity + " characters.");
            }
            var pointer = solver.Pointer;
            var settings = (Settings*)Marshal.AllocHGlobal(sizeof(Settings));
            *settings = Settings.Default;
            var bones = (RigidTransform*)Marshal.AllocHGlobal(solver.BoneCount * sizeof(RigidTransform));
            for (var bone = 0; bone < solver.BoneCount; bone++)
            {
                bones[bone] = new RigidTransform(new Vec3(), Quat.Identity);
            }
            var task = new NativeTask { solver = pointer, settings = settings, pose = Library.View(bones, solver.BoneCount) };
            tasks[solvers.Count] = task;
            solvers.Add(solver);
            return solvers.Count - 1;
        }

        /// <summary>Sets the settings and the animated pose of a character for the next solve.</summary>
        public void Set(int character, RigidTransform[] animated, ref Settings settings)
        {
            var task = Task(character, animated);
            *task->settings = settings;
            var bones = (RigidTransform*)task->pose.positions;
            for (var bone = 0; bone < animated.Length; bone++)
            {
                bones[bone] = animated[bone];
            }
        }

        /// <summary>Solves all characters. Returns the number of characters that failed; they keep their poses.</summary>
        public int Solve()
        {
            if (tasks == null)
            {
                throw new ObjectDisposedException("Batch");
            }
            for (var index = 0; index < solvers.Count; index++)
            {
                // A solver that was disposed meanwhile throws here, instead of being used.
                tasks[index].solver = solvers[index].Pointer;
            }
            Library.Require(Native.kinescope_solve_many(many, tasks, (UIntPtr)solvers.Count));
            var failed = 0;
            for (var index = 0; index < solvers.Count; index++)
            {
                failed += tasks[index].status < 0 ? 1 : 0;
            }
            GC.KeepAlive(this);
            return failed;
        }

        /// <summary>Copies the solved pose of a character. Returns its status.</summary>
        public Status Get(int character, RigidTransform[] solved)
        {
            var task = Task(character, solved);
            var bones = (RigidTransform*)task->pose.positions;
            for (var bone = 0; bone < solved.Length; bone++)
            {
                solved[bone] = bones[bone];
            }
            return (Status)task->status;
        }

        NativeTask* Task(int character, RigidTransform[] pose)
        {
            if (tasks == null)
            {
                throw new ObjectDisposedException("Batch");
            }
            if (character < 0 || character >= solvers.Count)
            {
                throw new ArgumentOutOfRangeException("character");
            }
            if (pose == null || pose.Length != solvers[character].BoneCount)
            {
                throw new ArgumentException("The pose has " + (pose == null ? 0 : pose.Length) + " bones, the character has "
                    + solvers[character].BoneCount + ".");
            }
            return &tasks[character];
        }

        public void Dispose()
        {
            Free();
            GC.SuppressFinalize(this);
        }

        ~Batch()
        {
            Free();
        }

        void Free()
        {
            if (tasks != null)
            {
                for (var index = 0; index < solvers.Count; index++)
                {
                    Marshal.FreeHGlobal((IntPtr)tasks[index].settings);
                    Marshal.FreeHGlobal((IntPtr)tasks[index].pose.positions);
                }
                Marshal.FreeHGlobal((IntPtr)tasks);
                tasks = null;
            }
            if (many != IntPtr.Zero)
            {
                Native.kinescope_many_free(many);
                many = IntPtr.Zero;
            }
        }
    }
}
