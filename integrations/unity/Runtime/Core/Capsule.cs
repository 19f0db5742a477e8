using System;

namespace Kinescope
{
    /// <summary>A frame of a capsule whose result differs from the recorded one.</summary>
    public struct CapsuleDifference
    {
        /// <summary>The frame, from 0.</summary>
        public int frame;
        /// <summary>The layer and the point that differ most, such as <c>full body, left_hand</c>.</summary>
        public string point;
        /// <summary>
        /// The distance between the recorded and the new position of that point, in model units. 0 if only earlier steps or rotations
        /// differ; infinite if the layer is no longer solved, has other points, or has a point that is not finite.
        /// </summary>
        public float distance;
    }

    /// <summary>
    /// A bug capsule: a character, the inputs of some frames and their results, as one text that the window opens and any machine solves
    /// again.
    /// </summary>
    public sealed unsafe class Capsule : NativeObject
    {
        readonly GroundCalls calls = new GroundCalls();

        Capsule()
        {
        }

        /// <summary>Makes a capsule of the last frame that a stack solved. The time is in seconds.</summary>
        public static Capsule Of(Stack stack, string name, float time)
        {
            if (stack == null)
            {
                throw new ArgumentNullException("stack");
            }
            var made = new Capsule();
            fixed (byte* text = Library.Utf8(name))
            fixed (IntPtr* pointer = &made.own)
            {
                Library.Require(Native.kinescope_capsule_new(stack.Pointer, text, time, pointer));
            }
            GC.KeepAlive(stack);
            return made;
        }

        /// <summary>Reads a capsule as saved by the window or by <see cref="ToJson"/>.</summary>
        public static Capsule OfJson(string json)
        {
            var made = new Capsule();
            fixed (byte* text = Library.Utf8(json))
            fixed (IntPtr* pointer = &made.own)
            {
                Library.Require(Native.kinescope_capsule_new_of_json(text, pointer));
            }
            return made;
        }

        internal override void Free(IntPtr pointer)
        {
            Native.kinescope_capsule_free(pointer);
        }

        /// <summary>Adds the last frame that a stack of the same character solved.</summary>
        public void Add(Stack stack, float time)
        {
            if (stack == null)
            {
                throw new ArgumentNullException("stack");
            }
            Library.Require(Native.kinescope_capsule_add(Pointer, stack.Pointer, time));
            GC.KeepAlive(stack);
        }

        /// <summary>Returns the capsule as text, which the window opens.</summary>
        public string ToJson()
        {
            var pointer = Pointer;
            return Text((buffer, capacity, needed) => Native.kinescope_capsule_to_json(pointer, buffer, capacity, needed));
        }

        /// <summary>What the capsule shows, for people.</summary>
        public string Name
        {
            get
            {
                var pointer = Pointer;
                return Text((buffer, capacity, needed) => Native.kinescope_capsule_name(pointer, buffer, capacity, needed));
            }
        }

        /// <summary>Number of frames.</summary>
        public int FrameCount
        {
            get { return (int)Native.kinescope_capsule_frames(Pointer); }
        }

        /// <summary>Returns the animated pose of a frame, the input of the first layer, in model space.</summary>
        public RigidTransform[] Animated(int frame)
        {
            var pose = new RigidTransform[(int)Native.kinescope_capsule_bones(Pointer)];
            fixed (RigidTransform* bones = pose)
            {
                var view = Library.View(bones, pose.Length);
                Library.Require(Native.kinescope_capsule_animated(Pointer, Index(frame), &view));
            }
            return pose;
        }

        /// <summary>Solves a frame again, with its settings and state. Returns the solved pose in model space. The ground may be null.</summary>
        public RigidTransform[] Replay(int frame, IGround ground)
        {
            var pose = new RigidTransform[(int)Native.kinescope_capsule_bones(Pointer)];
            var stack = IntPtr.Zero;
            try
            {
                var casts = calls.Begin(ground);
                calls.End(Native.kinescope_capsule_replay(Pointer, Index(frame), ground == null ? null : &casts, &stack));
                fixed (RigidTransform* bones = pose)
                {
                    var view = Library.View(bones, pose.Length);
                    Library.Require(Native.kinescope_stack_pose(stack, &view));
                }
            }
            finally
            {
                Native.kinescope_stack_free(stack);
            }
            return pose;
        }

        /// <summary>
        /// Solves every frame again and returns the frames whose result differs from the recorded one. Results are compared exactly, but
        /// sine and cosine differ in the last bit between platforms: on another machine compare the distances with a tolerance.
        /// </summary>
        public CapsuleDifference[] Compare(IGround ground)
        {
            var pointer = Pointer;
            UIntPtr count;
            var casts = calls.Begin(ground);
            calls.End(Native.kinescope_capsule_check(pointer, ground == null ? null : &casts, &count));
            var found = new CapsuleDifference[(int)count];
            for (var index = 0; index < found.Length; index++)
            {
                var own = (UIntPtr)(uint)index;
                CapsuleChange change;
                Library.Require(Native.kinescope_capsule_change(pointer, own, &change));
                var point = Text((buffer, capacity, needed) => Native.kinescope_capsule_change_point(pointer, own, buffer, capacity, needed));
                found[index] = new CapsuleDifference { frame = (int)change.frame, point = point, distance = change.distance };
            }
            GC.KeepAlive(this);
            return found;
        }

        static UIntPtr Index(int frame)
        {
            if (frame < 0)
            {
                throw new ArgumentOutOfRangeException("frame");
            }
            return (UIntPtr)(uint)frame;
        }
    }
}
