using System;

namespace Kinescope
{
    /// <summary>
    /// Modifiers of one character in their order: recoil, look-at, reach-for and others, and targets that follow bones. They change
    /// targets and bones before the solve, nodes and bend directions during the solve, and bones after it.
    /// </summary>
    public sealed unsafe class Modifiers : NativeObject
    {
        readonly Solver solver;

        public Modifiers(Solver solver)
        {
            if (solver == null)
            {
                throw new ArgumentNullException("solver");
            }
            this.solver = solver;
            fixed (IntPtr* pointer = &own)
            {
                Library.Require(Native.kinescope_modifiers_new(solver.Pointer, pointer));
            }
        }

        internal override void Free(IntPtr pointer)
        {
            Native.kinescope_modifiers_free(pointer);
        }

        public int Count
        {
            get { return (int)Native.kinescope_modifiers_count(Pointer); }
        }

        /// <summary>Adds a modifier with its default settings. Returns its index.</summary>
        public int Add(ModifierKind kind)
        {
            UIntPtr index;
            Library.Require(Native.kinescope_modifiers_add(Pointer, (uint)kind, &index));
            return (int)index;
        }

        /// <summary>Returns the kind of a modifier.</summary>
        public ModifierKind Kind(int index)
        {
            var kind = Native.kinescope_modifiers_kind(Pointer, At(index));
            if (kind < 0)
            {
                throw new ArgumentOutOfRangeException("index");
            }
            return (ModifierKind)kind;
        }

        public void Remove(int index)
        {
            Library.Require(Native.kinescope_modifiers_remove(Pointer, At(index)));
        }

        /// <summary>Starts the action of a modifier, such as a shot. Returns false if the modifier has no action.</summary>
        public bool Trigger(int index)
        {
            return Library.Require(Native.kinescope_modifiers_trigger(Pointer, At(index))) == Status.Done;
        }

        /// <summary>
        /// Strikes the character at a point, in a direction of any length but 0; <paramref name="force"/> is how far the blow throws
        /// the struck place, as a fraction of the character's height. <paramref name="root"/> is the identity if both are in model
        /// space, or the character's transform if they are in world space. Returns false if there is no hit reaction.
        /// </summary>
        public bool Strike(RigidTransform root, Vec3 point, Vec3 direction, float force)
        {
            return Library.Require(Native.kinescope_modifiers_strike(Pointer, root, point, direction, force)) == Status.Done;
        }

        /// <summary>Makes the target of a look-at or reach-for follow a bone or an effector.</summary>
        public void Attach(int index, Attachment attachment)
        {
            Library.Require(Native.kinescope_modifiers_attach(Pointer, At(index), &attachment));
        }

        /// <summary>Makes the target of an effector follow a bone or another effector.</summary>
        public void Attach(Effector effector, Attachment attachment)
        {
            Library.Require(Native.kinescope_modifiers_attach_effector(Pointer, (uint)effector, &attachment));
        }

        /// <summary>Detaches the target of an effector.</summary>
        public void Detach(Effector effector)
        {
            Library.Require(Native.kinescope_modifiers_attach_effector(Pointer, (uint)effector, null));
        }

        /// <summary>Replaces the keys of an effector of a keyed modifier; an empty array removes them.</summary>
        public void SetKeys(int index, Effector effector, Key[] keys)
        {
            fixed (Key* all = keys)
            {
                Library.Require(Native.kinescope_modifiers_set_keys(Pointer, At(index), (uint)effector, all, (UIntPtr)Length(keys)));
            }
        }

        /// <summary>Replaces modifiers and attached targets by those of a preset. Changes nothing if it has neither.</summary>
        public void LoadPreset(string json)
        {
            fixed (byte* text = Library.Utf8(json))
            {
                Library.Require(Native.kinescope_modifiers_from_preset(Pointer, text));
            }
        }

        /// <summary>Returns attached targets and modifiers as a preset.</summary>
        public string ToPreset()
        {
            var pointer = Pointer;
            return Text((buffer, capacity, needed) => Native.kinescope_modifiers_to_preset(pointer, buffer, capacity, needed));
        }

        /// <summary>Clears the state of all modifiers, for example after a cut.</summary>
        public void Reset()
        {
            Library.Require(Native.kinescope_modifiers_reset(Pointer));
        }

        /// <summary>
        /// Solves like <see cref="Solver.Solve"/>, with the modifiers before, during and after the solve. <paramref name="dt"/> has
        /// the seconds since the last frame, <paramref name="clipTime"/> the time in the clip that plays, for keyed effectors.
        /// </summary>
        public bool Solve(RigidTransform[] pose, ref Settings settings, float dt, float clipTime)
        {
            var moment = MomentOf(dt, clipTime);
            fixed (RigidTransform* bones = pose)
            fixed (Settings* parameters = &settings)
            {
                var view = Library.View(bones, Length(pose));
                var status = Library.Require(
                    Native.kinescope_solve_modified(solver.Pointer, solver.Workspace, parameters, Pointer, &moment, &view));
                GC.KeepAlive(this);
                return status == Status.Done;
            }
        }

        /// <summary>
        /// The first part of a solve with grounding in between: changes targets and turns bones of the animated pose.
        /// <see cref="Grounder.Ground"/> and <see cref="After"/> follow.
        /// </summary>
        public void Before(RigidTransform[] pose, ref Settings settings, float dt, float clipTime, out Settings driven)
        {
            var moment = MomentOf(dt, clipTime);
            driven = settings;
            fixed (RigidTransform* bones = pose)
            fixed (Settings* parameters = &settings)
            fixed (Settings* result = &driven)
            {
                var view = Library.View(bones, Length(pose));
                Library.Require(Native.kinescope_modifiers_before(
                    solver.Pointer, solver.Workspace, parameters, Pointer, &moment, &view, result));
                GC.KeepAlive(this);
            }
        }

        /// <summary>The second part: solves the pose of <see cref="Before"/> with the modifiers during and after the solve.</summary>
        public bool After(RigidTransform[] pose, ref Settings driven, float dt, float clipTime)
        {
            var moment = MomentOf(dt, clipTime);
            fixed (RigidTransform* bones = pose)
            fixed (Settings* parameters = &driven)
            {
                var view = Library.View(bones, Length(pose));
                var status = Library.Require(
                    Native.kinescope_solve_after(solver.Pointer, solver.Workspace, parameters, Pointer, &moment, &view));
                GC.KeepAlive(this);
                return status == Status.Done;
            }
        }

        static Moment MomentOf(float dt, float clipTime)
        {
            return new Moment { root = new RigidTransform(new Vec3(), Quat.Identity), dt = dt, time = clipTime };
        }

        static UIntPtr At(int index)
        {
            // A negative index becomes a large one, which the library refuses.
            return (UIntPtr)(uint)index;
        }

        // Copies or changes the settings of a modifier; another kind throws.

        public void Get(int index, out Recoil settings)
        {
            fixed (Recoil* own = &settings)
            {
                *own = new Recoil();
                Library.Require(Native.kinescope_modifiers_get_recoil(Pointer, At(index), own));
            }
        }

        public void Set(int index, Recoil settings)
        {
            Library.Require(Native.kinescope_modifiers_set_recoil(Pointer, At(index), &settings));
        }

        public void Get(int index, out TwoHandedGrip settings)
        {
            fixed (TwoHandedGrip* own = &settings)
            {
                *own = new TwoHandedGrip();
                Library.Require(Native.kinescope_modifiers_get_two_handed_grip(Pointer, At(index), own));
            }
        }

        public void Set(int index, TwoHandedGrip settings)
        {
            Library.Require(Native.kinescope_modifiers_set_two_handed_grip(Pointer, At(index), &settings));
        }

        public void Get(int index, out HitReaction settings)
        {
            fixed (HitReaction* own = &settings)
            {
                *own = new HitReaction();
                Library.Require(Native.kinescope_modifiers_get_hit_reaction(Pointer, At(index), own));
            }
        }

        public void Set(int index, HitReaction settings)
        {
            Library.Require(Native.kinescope_modifiers_set_hit_reaction(Pointer, At(index), &settings));
        }

        public void Get(int index, out Inertia settings)
        {
            fixed (Inertia* own = &settings)
            {
                *own = new Inertia();
                Library.Require(Native.kinescope_modifiers_get_inertia(Pointer, At(index), own));
            }
        }

        public void Set(int index, Inertia settings)
        {
            Library.Require(Native.kinescope_modifiers_set_inertia(Pointer, At(index), &settings));
        }

        public void Get(int index, out Breathing settings)
        {
            fixed (Breathing* own = &settings)
            {
                *own = new Breathing();
                Library.Require(Native.kinescope_modifiers_get_breathing(Pointer, At(index), own));
            }
        }

        public void Set(int index, Breathing settings)
        {
            Library.Require(Native.kinescope_modifiers_set_breathing(Pointer, At(index), &settings));
        }

        public void Get(int index, out LookAt settings)
        {
            fixed (LookAt* own = &settings)
            {
                *own = new LookAt();
                Library.Require(Native.kinescope_modifiers_get_look_at(Pointer, At(index), own));
            }
        }

        public void Set(int index, LookAt settings)
        {
            Library.Require(Native.kinescope_modifiers_set_look_at(Pointer, At(index), &settings));
        }

        public void Get(int index, out ReachFor settings)
        {
            fixed (ReachFor* own = &settings)
            {
                *own = new ReachFor();
                Library.Require(Native.kinescope_modifiers_get_reach_for(Pointer, At(index), own));
            }
        }

        public void Set(int index, ReachFor settings)
        {
            Library.Require(Native.kinescope_modifiers_set_reach_for(Pointer, At(index), &settings));
        }

        public void Get(int index, out Keyed settings)
        {
            fixed (Keyed* own = &settings)
            {
                *own = new Keyed();
                Library.Require(Native.kinescope_modifiers_get_keyed(Pointer, At(index), own));
            }
        }

        public void Set(int index, Keyed settings)
        {
            Library.Require(Native.kinescope_modifiers_set_keyed(Pointer, At(index), &settings));
        }

        public void Get(int index, out Head settings)
        {
            fixed (Head* own = &settings)
            {
                *own = new Head();
                Library.Require(Native.kinescope_modifiers_get_head(Pointer, At(index), own));
            }
        }

        public void Set(int index, Head settings)
        {
            Library.Require(Native.kinescope_modifiers_set_head(Pointer, At(index), &settings));
        }

        public void Get(int index, out FourBones settings)
        {
            fixed (FourBones* own = &settings)
            {
                *own = new FourBones();
                Library.Require(Native.kinescope_modifiers_get_four_bones(Pointer, At(index), own));
            }
        }

        public void Set(int index, FourBones settings)
        {
            Library.Require(Native.kinescope_modifiers_set_four_bones(Pointer, At(index), &settings));
        }

        public void Get(int index, out ArmBending settings)
        {
            fixed (ArmBending* own = &settings)
            {
                *own = new ArmBending();
                Library.Require(Native.kinescope_modifiers_get_arm_bending(Pointer, At(index), own));
            }
        }

        public void Set(int index, ArmBending settings)
        {
            Library.Require(Native.kinescope_modifiers_set_arm_bending(Pointer, At(index), &settings));
        }
    }
}
