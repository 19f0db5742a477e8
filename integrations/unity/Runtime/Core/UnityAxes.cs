namespace Kinescope
{
    /// <summary>
    /// Converts between left-handed axes with +Y up (Unity) and the library's right-handed axes. Both have +Y up and +Z forward, so
    /// the conversion mirrors X. It is its own inverse.
    /// </summary>
    public static class UnityAxes
    {
        /// <summary>Converts a position, direction or offset.</summary>
        public static Vec3 Mirror(Vec3 position)
        {
            return new Vec3(-position.x, position.y, position.z);
        }

        /// <summary>Converts a rotation: the axis is mirrored, and the angle is reversed.</summary>
        public static Quat Mirror(Quat rotation)
        {
            return new Quat(rotation.x, -rotation.y, -rotation.z, rotation.w);
        }

        /// <summary>Converts a bone.</summary>
        public static RigidTransform Mirror(RigidTransform bone)
        {
            return new RigidTransform(Mirror(bone.position), Mirror(bone.rotation));
        }

        /// <summary>Converts the targets, offsets, bend goals and bend directions of settings.</summary>
        public static void Mirror(ref Settings settings)
        {
            Mirror(ref settings.leftArmChain);
            Mirror(ref settings.rightArmChain);
            Mirror(ref settings.leftLegChain);
            Mirror(ref settings.rightLegChain);
            Mirror(ref settings.bodyEffector);
            Mirror(ref settings.leftShoulderEffector);
            Mirror(ref settings.rightShoulderEffector);
            Mirror(ref settings.leftThighEffector);
            Mirror(ref settings.rightThighEffector);
            Mirror(ref settings.leftHandEffector);
            Mirror(ref settings.rightHandEffector);
            Mirror(ref settings.leftFootEffector);
            Mirror(ref settings.rightFootEffector);
        }

        static void Mirror(ref ChainSettings chain)
        {
            chain.bendGoal = Mirror(chain.bendGoal);
            chain.bendDirection = Mirror(chain.bendDirection);
        }

        static void Mirror(ref EffectorSettings effector)
        {
            effector.position = Mirror(effector.position);
            effector.rotation = Mirror(effector.rotation);
            effector.positionOffset = Mirror(effector.positionOffset);
        }
    }
}
