using System;
using System.Text;

namespace Kinescope
{
    public partial struct Vec3
    {
        public Vec3(float x, float y, float z)
        {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        public override string ToString()
        {
            return "(" + x + ", " + y + ", " + z + ")";
        }
    }

    public partial struct Quat
    {
        public Quat(float x, float y, float z, float w)
        {
            this.x = x;
            this.y = y;
            this.z = z;
            this.w = w;
        }

        public static Quat Identity
        {
            get { return new Quat(0, 0, 0, 1); }
        }

        public override string ToString()
        {
            return "(" + x + ", " + y + ", " + z + ", " + w + ")";
        }
    }

    public partial struct RigidTransform
    {
        public RigidTransform(Vec3 position, Quat rotation)
        {
            this.position = position;
            this.rotation = rotation;
        }
    }

    public partial struct EffectorSettings
    {
        /// <summary>Sets the target's position, in model space, and its weight.</summary>
        public void Aim(Vec3 target, float weight)
        {
            hasPosition = 1;
            position = target;
            positionWeight = weight;
        }

        /// <summary>Sets the target's rotation, in model space, and its weight.</summary>
        public void Turn(Quat target, float weight)
        {
            hasRotation = 1;
            rotation = target;
            rotationWeight = weight;
        }
    }

    public unsafe partial struct Settings
    {
        /// <summary>All parameters at their defaults.</summary>
        public static Settings Default
        {
            get
            {
                Library.Check();
                Settings settings;
                Library.Require(Native.kinescope_settings_default(&settings));
                return settings;
            }
        }

        /// <summary>Reads a preset, as saved by the window.</summary>
        public static Settings FromPreset(string json)
        {
            Library.Check();
            Settings settings;
            fixed (byte* text = Library.Utf8(json))
            {
                Library.Require(Native.kinescope_settings_from_preset(text, &settings));
            }
            return settings;
        }

        /// <summary>Returns the parameters as a preset, which the window opens.</summary>
        public string ToPreset()
        {
            Library.Check();
            fixed (Settings* own = &this)
            {
                UIntPtr needed;
                Library.Require(Native.kinescope_settings_to_preset(own, null, UIntPtr.Zero, &needed));
                var bytes = new byte[(int)needed];
                fixed (byte* buffer = bytes)
                {
                    Library.Require(Native.kinescope_settings_to_preset(own, buffer, needed, &needed));
                }
                return Encoding.UTF8.GetString(bytes, 0, bytes.Length - 1);
            }
        }

        /// <summary>Throws an exception with name and range of the first number that is out of its range.</summary>
        public void Validate()
        {
            Library.Check();
            fixed (Settings* own = &this)
            {
                Library.Require(Native.kinescope_settings_validate(own));
            }
        }

        /// <summary>Clears the offsets, which apply to one frame.</summary>
        public void ClearOffsets()
        {
            fixed (Settings* own = &this)
            {
                Library.Require(Native.kinescope_settings_clear_offsets(own));
            }
        }

        /// <summary>Sets the parameters of a limb.</summary>
        public void SetChain(Limb limb, ref ChainSettings chain)
        {
            Range((uint)limb, Names.Limbs.Length, "limb");
            fixed (ChainSettings* first = &leftArmChain)
            {
                first[(uint)limb] = chain;
            }
        }

        /// <summary>Returns the parameters of a limb.</summary>
        public ChainSettings Chain(Limb limb)
        {
            Range((uint)limb, Names.Limbs.Length, "limb");
            fixed (ChainSettings* first = &leftArmChain)
            {
                return first[(uint)limb];
            }
        }

        /// <summary>Sets the parameters of an effector.</summary>
        public void SetEffector(Effector effector, ref EffectorSettings settings)
        {
            Range((uint)effector, Names.Effectors.Length, "effector");
            fixed (EffectorSettings* first = &bodyEffector)
            {
                first[(uint)effector] = settings;
            }
        }

        /// <summary>Returns the parameters of an effector.</summary>
        public EffectorSettings Effector(Effector effector)
        {
            Range((uint)effector, Names.Effectors.Length, "effector");
            fixed (EffectorSettings* first = &bodyEffector)
            {
                return first[(uint)effector];
            }
        }

        static void Range(uint number, int count, string name)
        {
            if (number >= count)
            {
                throw new ArgumentOutOfRangeException(name);
            }
        }
    }

    /// <summary>The names of nodes, effectors, limbs and stages in files, in the order of their numbers.</summary>
    public static unsafe class Names
    {
        public static readonly string[] Nodes = All("node");
        public static readonly string[] Effectors = All("effector");
        public static readonly string[] Limbs = All("limb");
        public static readonly string[] Stages = All("stage");

        static string[] All(string kind)
        {
            Library.Check();
            var names = new System.Collections.Generic.List<string>();
            fixed (byte* text = Library.Utf8(kind))
            {
                for (uint number = 0; ; number++)
                {
                    var name = Native.kinescope_name_of(text, number);
                    if (name == null)
                    {
                        return names.ToArray();
                    }
                    names.Add(Library.Text(name));
                }
            }
        }
    }
}
