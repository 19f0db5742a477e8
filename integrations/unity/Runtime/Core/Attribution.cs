using System;

namespace Kinescope
{
    /// <summary>A group of moves, and how far they moved a bone.</summary>
    public struct AttributionGroup
    {
        /// <summary>The name of the group, such as a constraint or a stage.</summary>
        public string label;
        /// <summary>
        /// Number and sum of the moves, and the step of the longest one. <c>along</c> is the part of the sum along the bone's total
        /// displacement, in model units.
        /// </summary>
        public AttributionRow row;
    }

    /// <summary>The displacement of a bone in the last solve of a stack, divided among its causes.</summary>
    public sealed unsafe class Attribution
    {
        /// <summary>The position in the animated pose, in model space.</summary>
        public Vec3 Before { get; private set; }

        /// <summary>The position in the solved pose, in model space.</summary>
        public Vec3 After { get; private set; }

        /// <summary>The groups, the one with the largest absolute value of <c>along</c> first. Their <c>along</c> add up to the length of the displacement.</summary>
        public AttributionGroup[] Groups { get; private set; }

        /// <summary>Divides the displacement of a bone, after <see cref="Stack.Solve"/>, from the animated pose through all layers.</summary>
        public Attribution(Stack stack, int bone, Grouping by)
        {
            if (stack == null)
            {
                throw new ArgumentNullException("stack");
            }
            if (bone < 0)
            {
                throw new ArgumentOutOfRangeException("bone");
            }
            var table = IntPtr.Zero;
            try
            {
                Library.Require(Native.kinescope_attribution_new(stack.Pointer, (uint)bone, (uint)by, &table));
                Read(table);
            }
            finally
            {
                Native.kinescope_attribution_free(table);
                GC.KeepAlive(stack);
            }
        }

        void Read(IntPtr table)
        {
            Vec3 before, after;
            Library.Require(Native.kinescope_attribution_total(table, &before, &after));
            Before = before;
            After = after;
            Groups = new AttributionGroup[(int)Native.kinescope_attribution_rows(table)];
            for (var index = 0; index < Groups.Length; index++)
            {
                var own = (UIntPtr)(uint)index;
                AttributionRow row;
                Library.Require(Native.kinescope_attribution_row(table, own, &row));
                var label = NativeObject.Text((buffer, capacity, needed) => Native.kinescope_attribution_label(table, own, buffer, capacity, needed));
                Groups[index] = new AttributionGroup { label = label, row = row };
            }
        }
    }
}
