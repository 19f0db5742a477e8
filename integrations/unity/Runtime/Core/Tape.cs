using System;

namespace Kinescope
{
    public partial struct Breaks
    {
        /// <summary>The default thresholds, with all conditions off.</summary>
        public static unsafe Breaks Default
        {
            get
            {
                Library.Check();
                Breaks breaks;
                Library.Require(Native.kinescope_breaks_default(&breaks));
                return breaks;
            }
        }
    }

    /// <summary>The largest jerk of a joint.</summary>
    public struct JointPop
    {
        /// <summary>Layer and joint, such as <c>full body, left elbow, flexion</c>.</summary>
        public string joint;
        /// <summary>The step at which the solves of both frames differ; empty if there is no such step.</summary>
        public string step;
        /// <summary>The size in degrees, and the earlier of the two frames between which the joint jumps.</summary>
        public Pop pop;
    }

    /// <summary>
    /// A recording of the frames that a stack solved: break conditions, jerks of joints, and how far planted feet slide. It holds 64 MiB
    /// of frames, more than a minute of Kinescope's built-in biped at 60 Hz; then new frames replace the oldest ones.
    /// </summary>
    public sealed unsafe class Tape : NativeObject
    {
        /// <summary>Creates an empty tape for the frames of a stack.</summary>
        public Tape(Stack stack)
        {
            if (stack == null)
            {
                throw new ArgumentNullException("stack");
            }
            fixed (IntPtr* pointer = &own)
            {
                Library.Require(Native.kinescope_tape_new(stack.Pointer, pointer));
            }
            GC.KeepAlive(stack);
        }

        internal override void Free(IntPtr pointer)
        {
            Native.kinescope_tape_free(pointer);
        }

        /// <summary>
        /// Records the last frame of a stack of the same character, <c>dt</c> of its frame, at most 0.1 s, after the previous one. With a
        /// <c>dt</c> of 0 it replaces the previous frame.
        /// </summary>
        public void Record(Stack stack)
        {
            if (stack == null)
            {
                throw new ArgumentNullException("stack");
            }
            Library.Require(Native.kinescope_tape_record(Pointer, stack.Pointer));
            GC.KeepAlive(stack);
        }

        /// <summary>Number of frames.</summary>
        public int FrameCount
        {
            get { return (int)Native.kinescope_tape_frames(Pointer); }
        }

        /// <summary>Stores the numbers of the oldest and the newest frame. Returns false if there are no frames.</summary>
        public bool Range(out ulong first, out ulong last)
        {
            ulong from, to;
            var status = Library.Require(Native.kinescope_tape_range(Pointer, &from, &to));
            first = status == Status.Done ? from : 0;
            last = status == Status.Done ? to : 0;
            return status == Status.Done;
        }

        /// <summary>
        /// Checks the frame that was recorded last. Returns false if no condition holds; otherwise the first one, with a sentence such as
        /// <c>left elbow flips: 143° in one frame</c>.
        /// </summary>
        public bool Check(ref Breaks breaks, out BreakHit hit, out string text)
        {
            hit = new BreakHit();
            text = "";
            var pointer = Pointer;
            fixed (Breaks* own = &breaks)
            fixed (BreakHit* found = &hit)
            {
                if (Library.Require(Native.kinescope_tape_check(pointer, own, found)) != Status.Done)
                {
                    return false;
                }
            }
            text = Text((buffer, capacity, needed) => Native.kinescope_tape_hit_text(pointer, buffer, capacity, needed));
            GC.KeepAlive(this);
            return true;
        }

        /// <summary>
        /// Finds the largest jerk of every joint whose jerk exceeds 1e-4 radians, the largest first. A tape needs at least four frames.
        /// </summary>
        public JointPop[] Pops()
        {
            var pointer = Pointer;
            UIntPtr count;
            Library.Require(Native.kinescope_tape_find_pops(pointer, &count));
            var found = new JointPop[(int)count];
            for (var index = 0; index < found.Length; index++)
            {
                var own = (UIntPtr)(uint)index;
                Pop pop;
                Library.Require(Native.kinescope_tape_pop(pointer, own, &pop));
                var joint = Text((buffer, capacity, needed) => Native.kinescope_tape_pop_joint(pointer, own, buffer, capacity, needed));
                var step = pop.step < 0
                    ? "" : Text((buffer, capacity, needed) => Native.kinescope_tape_pop_step(pointer, own, buffer, capacity, needed));
                found[index] = new JointPop { joint = joint, step = step, pop = pop };
            }
            GC.KeepAlive(this);
            return found;
        }

        /// <summary>Returns the stances of both feet, oldest first, with the distances that the feet slide.</summary>
        public Slide[] Slides()
        {
            UIntPtr count;
            Library.Require(Native.kinescope_tape_slides(Pointer, null, UIntPtr.Zero, &count));
            var found = new Slide[(int)count];
            fixed (Slide* first = found)
            {
                Library.Require(Native.kinescope_tape_slides(Pointer, first, count, null));
            }
            return found;
        }

        /// <summary>
        /// Measures the whole recording: an angle in radians, or a length in model units. Returns false if the recording is too short, or
        /// lacks the joints or stances that are measured.
        /// </summary>
        public bool Measure(MotionMeasure measure, out float value)
        {
            float found = 0;
            var status = Library.Require(Native.kinescope_tape_measure(Pointer, (uint)measure, &found));
            value = found;
            return status == Status.Done;
        }

        /// <summary>Returns a measure of every frame by its key, such as <c>left_hand_gap</c>; NaN for a frame that lacks it.</summary>
        public float[] Values(string measure)
        {
            var values = new float[FrameCount];
            fixed (byte* key = Library.Utf8(measure))
            fixed (float* first = values)
            {
                Library.Require(Native.kinescope_tape_values(Pointer, key, first, (UIntPtr)values.Length, null));
            }
            return values;
        }

        /// <summary>Drops all frames. Numbers continue, and the time begins again at 0.</summary>
        public void Clear()
        {
            Library.Require(Native.kinescope_tape_clear(Pointer));
        }
    }
}
