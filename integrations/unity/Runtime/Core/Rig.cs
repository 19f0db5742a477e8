using System;

namespace Kinescope
{
    /// <summary>A character's bones; parents come before their children. All coordinates are in the library's axes.</summary>
    public sealed class Rig
    {
        /// <summary>A name for each bone.</summary>
        public string[] names;
        /// <summary>Each bone's parent, by index; -1 for a root.</summary>
        public int[] parents;
        /// <summary>The reference pose in model space: standing, arms out (T-pose or A-pose).</summary>
        public RigidTransform[] reference;
        /// <summary>The bones of each role; null detects them from names and positions.</summary>
        public Biped biped;

        public int BoneCount
        {
            get { return parents.Length; }
        }

        internal void Check()
        {
            if (names == null || parents == null || reference == null)
            {
                throw new ArgumentException("A rig needs names, parents and a reference pose.");
            }
            if (names.Length != parents.Length || reference.Length != parents.Length)
            {
                throw new ArgumentException("A rig has " + names.Length + " names, " + parents.Length + " parents and a reference pose of "
                    + reference.Length + " bones; the three numbers must be equal.");
            }
        }
    }

    /// <summary>The bones of each role, by index.</summary>
    public sealed class Biped
    {
        public int pelvis;
        /// <summary>From the bone next to the pelvis upwards; at least one.</summary>
        public int[] spine;
        /// <summary>-1 if there is none.</summary>
        public int head = -1;
        /// <summary>The pelvis or spine bone used as the solver's body node; -1 chooses a spine bone by position.</summary>
        public int rootNode = -1;
        public LimbBones leftArm;
        public LimbBones rightArm;
        public LimbBones leftLeg;
        public LimbBones rightLeg;
    }

    public partial struct LimbBones
    {
        /// <summary>The clavicle (-1 if there is none, and for legs), then upper arm, forearm and hand or thigh, calf and foot.</summary>
        public LimbBones(int clavicle, int first, int second, int third)
        {
            this.clavicle = clavicle;
            bones0 = first;
            bones1 = second;
            bones2 = third;
        }
    }
}
