using UnityEngine;

namespace Kinescope
{
    /// <summary>
    /// Converts between Unity's world space and the library's model space: relative to the character's root without its scale, and
    /// with X mirrored, as Unity is left-handed.
    /// </summary>
    struct ModelSpace
    {
        readonly Vector3 position;
        readonly Quaternion rotation;
        readonly Quaternion inverse;

        internal ModelSpace(Transform root)
        {
            position = root.position;
            rotation = root.rotation;
            inverse = Quaternion.Inverse(rotation);
        }

        internal Vec3 PositionIn(Vector3 world)
        {
            return DirectionIn(world - position);
        }

        internal Vec3 DirectionIn(Vector3 world)
        {
            var own = inverse * world;
            return UnityAxes.Mirror(new Vec3(own.x, own.y, own.z));
        }

        internal Quat RotationIn(Quaternion world)
        {
            var own = inverse * world;
            return UnityAxes.Mirror(new Quat(own.x, own.y, own.z, own.w));
        }

        internal Vector3 PositionOut(Vec3 model)
        {
            return position + DirectionOut(model);
        }

        internal Vector3 DirectionOut(Vec3 model)
        {
            var own = UnityAxes.Mirror(model);
            return rotation * new Vector3(own.x, own.y, own.z);
        }

        internal Quaternion RotationOut(Quat model)
        {
            var own = UnityAxes.Mirror(model);
            return rotation * new Quaternion(own.x, own.y, own.z, own.w);
        }

        internal RigidTransform BoneIn(Transform bone)
        {
            return new RigidTransform(PositionIn(bone.position), RotationIn(bone.rotation));
        }
    }
}
