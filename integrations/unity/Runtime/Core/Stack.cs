using System;

namespace Kinescope
{
    /// <summary>
    /// A character with all layers of a preset in one call, among them chains, attached targets, modifiers, grounding, full body and foot lock.
    /// </summary>
    public sealed unsafe class Stack : NativeObject
    {
        readonly GroundCalls calls = new GroundCalls();

        /// <summary>Creates a stack with the full body alone.</summary>
        public Stack(Solver solver)
        {
            if (solver == null)
            {
                throw new ArgumentNullException("solver");
            }
            fixed (IntPtr* pointer = &own)
            {
                Library.Require(Native.kinescope_stack_new(solver.Pointer, pointer));
            }
        }

        internal override void Free(IntPtr pointer)
        {
            Native.kinescope_stack_free(pointer);
        }

        /// <summary>Reads all layers of a preset. The state of layers stays; <see cref="Reset"/> clears it.</summary>
        public void LoadPreset(string json)
        {
            fixed (byte* text = Library.Utf8(json))
            {
                Library.Require(Native.kinescope_stack_from_preset(Pointer, text));
            }
        }

        /// <summary>Returns all layers as a preset, which the window opens.</summary>
        public string ToPreset()
        {
            var pointer = Pointer;
            return Text((buffer, capacity, needed) => Native.kinescope_stack_to_preset(pointer, buffer, capacity, needed));
        }

        /// <summary>The parameters of the full body, with targets in model space.</summary>
        public Settings Settings
        {
            get
            {
                Settings settings;
                Library.Require(Native.kinescope_stack_get_settings(Pointer, &settings));
                return settings;
            }
            set { Library.Require(Native.kinescope_stack_set_settings(Pointer, &value)); }
        }

        /// <summary>
        /// Solves one frame in place: the pose is the animated one, in model space, and becomes the solved one. The ground may be null.
        /// <paramref name="clipTime"/> is the time in the clip that plays, for keyed effectors. On a failure, which names the layer, the
        /// pose is unchanged.
        /// </summary>
        public void Solve(IGround ground, ref GroundFrame frame, float clipTime, RigidTransform[] pose)
        {
            var pointer = Pointer;
            fixed (GroundFrame* moment = &frame)
            fixed (RigidTransform* bones = pose)
            {
                var view = Library.View(bones, Length(pose));
                var casts = calls.Begin(ground);
                calls.End(Native.kinescope_stack_solve(pointer, ground == null ? null : &casts, moment, clipTime, &view));
                GC.KeepAlive(this);
            }
        }

        /// <summary>
        /// Starts the action of a modifier, by its place in the preset from 0. Returns false if the modifier has no action.
        /// </summary>
        public bool Trigger(int index)
        {
            return Library.Require(Native.kinescope_stack_trigger(Pointer, (UIntPtr)(uint)index)) == Status.Done;
        }

        /// <summary>
        /// Strikes the character, as <see cref="Modifiers.Strike"/> does, at a point and in a direction in world space;
        /// <paramref name="root"/> is the character's transform. Returns false if no modifier reacts.
        /// </summary>
        public bool Strike(RigidTransform root, Vec3 point, Vec3 direction, float force)
        {
            return Library.Require(Native.kinescope_stack_strike(Pointer, root, point, direction, force)) == Status.Done;
        }

        /// <summary>Copies the goals of grounding of the last frame. Returns false if there were none.</summary>
        public bool Output(out GroundOutput output)
        {
            output = new GroundOutput();
            fixed (GroundOutput* found = &output)
            {
                return Library.Require(Native.kinescope_stack_output(Pointer, found)) == Status.Done;
            }
        }

        /// <summary>
        /// Explains the distance of an effector's bone from its target in the last solve. Returns false if the position weight or the
        /// master weight is 0, and if the full body was not solved.
        /// </summary>
        public bool Explain(Effector effector, out Why why)
        {
            why = new Why();
            fixed (Why* found = &why)
            {
                return Library.Require(Native.kinescope_stack_why(Pointer, (uint)effector, found)) == Status.Done;
            }
        }

        /// <summary>
        /// Finds the parameter whose change brings an effector's bone nearest to its target. Returns the parameter's path in presets, and
        /// stores the value to set and the distance that then remains in model units. Discards values with which the largest distance of
        /// the other effectors grows by more than a tenth of this effector's. Returns null if no other value reduces the distance by more
        /// than a tenth.
        /// </summary>
        public string Cure(Effector effector, out float value, out float gap)
        {
            var pointer = Pointer;
            var found = new float[2];
            string path;
            fixed (float* first = found)
            {
                // A lambda cannot use a fixed local.
                var numbers = (IntPtr)first;
                path = Text((buffer, capacity, needed) => Native.kinescope_stack_cure(
                    pointer, (uint)effector, (float*)numbers, (float*)numbers + 1, buffer, capacity, needed));
            }
            value = found[0];
            gap = found[1];
            return path.Length == 0 ? null : path;
        }

        /// <summary>Returns a numeric setting by its path in presets, such as <c>chains.left_arm.pull</c>.</summary>
        public float Parameter(string path)
        {
            float value;
            fixed (byte* text = Library.Utf8(path))
            {
                Library.Require(Native.kinescope_stack_get_parameter(Pointer, text, &value));
            }
            return value;
        }

        /// <summary>Changes a numeric setting by its path in presets, within its usual range.</summary>
        public void SetParameter(string path, float value)
        {
            fixed (byte* text = Library.Utf8(path))
            {
                Library.Require(Native.kinescope_stack_set_parameter(Pointer, text, value));
            }
        }

        /// <summary>Clears the state of all layers, for example after a cut.</summary>
        public void Reset()
        {
            Library.Require(Native.kinescope_stack_reset(Pointer));
        }
    }
}
