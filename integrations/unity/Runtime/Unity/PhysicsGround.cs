using UnityEngine;

namespace Kinescope
{
    /// <summary>The colliders of the scene as ground, in the library's axes: world space with X mirrored.</summary>
    public sealed class PhysicsGround : IShapeGround
    {
        /// <summary>The layers of colliders that count.</summary>
        public LayerMask layers = ~0;

        public bool Ray(Vec3 from, Vec3 direction, float distance, out Hit hit)
        {
            RaycastHit found;
            var meets = Physics.Raycast(Out(from), Out(direction), out found, distance, layers);
            hit = In(found);
            return meets;
        }

        public int Cast(ref Cast cast, out Hit hit)
        {
            RaycastHit found;
            Vector3 from = Out(cast.from), way = Out(cast.direction);
            bool meets;
            switch ((Shape)cast.shape)
            {
                case Shape.Sphere:
                    meets = Physics.SphereCast(from, cast.radius, way, out found, cast.distance, layers);
                    break;
                case Shape.Capsule:
                    meets = Physics.CapsuleCast(from, from + Out(cast.along), cast.radius, way, out found, cast.distance, layers);
                    break;
                default:
                    meets = Physics.Raycast(from, way, out found, cast.distance, layers);
                    break;
            }
            hit = In(found);
            return meets ? 1 : 0;
        }

        static Vector3 Out(Vec3 own)
        {
            var world = UnityAxes.Mirror(own);
            return new Vector3(world.x, world.y, world.z);
        }

        static Hit In(RaycastHit found)
        {
            return new Hit
            {
                point = UnityAxes.Mirror(new Vec3(found.point.x, found.point.y, found.point.z)),
                normal = UnityAxes.Mirror(new Vec3(found.normal.x, found.normal.y, found.normal.z)),
                distance = found.distance,
            };
        }
    }
}
