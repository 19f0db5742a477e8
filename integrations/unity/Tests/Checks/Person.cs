namespace Kinescope.Tests
{
    /// <summary>A person in sixteen bones, standing with its arms out, in the library's axes.</summary>
    public static class Person
    {
        static readonly string[] Bones =
        {
            "pelvis", "spine", "chest", "head", "left upper arm", "left forearm", "left hand", "right upper arm", "right forearm",
            "right hand", "left thigh", "left calf", "left foot", "right thigh", "right calf", "right foot",
        };

        static readonly int[] Parents = { -1, 0, 1, 2, 2, 4, 5, 2, 7, 8, 0, 10, 11, 0, 13, 14 };

        static readonly float[] Positions =
        {
            0, 1, 0, 0, 1.15f, 0, 0, 1.35f, -0.01f, 0, 1.6f, 0, 0.18f, 1.46f, 0, 0.44f, 1.42f, -0.03f, 0.68f, 1.41f, 0.04f, -0.18f, 1.46f, 0,
            -0.44f, 1.42f, -0.03f, -0.68f, 1.41f, 0.04f, 0.1f, 0.95f, 0, 0.11f, 0.52f, 0.05f, 0.11f, 0.09f, -0.02f, -0.1f, 0.95f, 0,
            -0.11f, 0.52f, 0.05f, -0.11f, 0.09f, -0.02f,
        };

        public const int LeftHand = 6;

        public static Rig Rig()
        {
            return new Rig { names = (string[])Bones.Clone(), parents = (int[])Parents.Clone(), reference = Pose() };
        }

        public static RigidTransform[] Pose()
        {
            var pose = new RigidTransform[Bones.Length];
            for (var bone = 0; bone < pose.Length; bone++)
            {
                var position = new Vec3(Positions[3 * bone], Positions[3 * bone + 1], Positions[3 * bone + 2]);
                pose[bone] = new RigidTransform(position, Quat.Identity);
            }
            return pose;
        }

        public static Biped Biped()
        {
            return new Biped
            {
                pelvis = 0,
                spine = new[] { 1, 2 },
                head = 3,
                rootNode = 1,
                leftArm = new LimbBones(-1, 4, 5, 6),
                rightArm = new LimbBones(-1, 7, 8, 9),
                leftLeg = new LimbBones(-1, 10, 11, 12),
                rightLeg = new LimbBones(-1, 13, 14, 15),
            };
        }

        /// <summary>Returns settings with which the left hand reaches forward, farther with time.</summary>
        public static Settings Reach(float time)
        {
            var settings = Settings.Default;
            settings.leftHandEffector.Aim(new Vec3(0.45f, 1.15f, 0.4f + 0.5f * time), 1);
            settings.leftFootEffector.positionWeight = 1;
            settings.rightFootEffector.positionWeight = 1;
            return settings;
        }
    }
}
