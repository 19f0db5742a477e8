using System;
using System.Runtime.InteropServices;

namespace Kinescope
{
    /// <summary>The ground of a game, in world space and in the library's axes.</summary>
    public interface IGround
    {
        /// <summary>Casts a ray along a unit direction up to a distance, metres. Returns false if it meets nothing.</summary>
        bool Ray(Vec3 from, Vec3 direction, float distance, out Hit hit);
    }

    /// <summary>
    /// A ground that also casts spheres and capsules. For other grounds they are made of rays: up to 184 in a frame at the best quality
    /// without footprints.
    /// </summary>
    public interface IShapeGround : IGround
    {
        /// <summary>
        /// Casts any shape. The distance of a hit is how far the shape moved. Returns 1 for a hit, 0 for none, and -1 for a shape that
        /// is not cast, which is then made of rays.
        /// </summary>
        int Cast(ref Cast cast, out Hit hit);
    }

    public partial struct GroundFrame
    {
        /// <summary>A frame of zero seconds with the root at the origin, both feet planted, and all ground layers.</summary>
        public static unsafe GroundFrame Default
        {
            get
            {
                Library.Check();
                GroundFrame frame;
                Library.Require(Native.kinescope_ground_frame_default(&frame));
                return frame;
            }
        }
    }

    /// <summary>Marks methods that native code calls. IL2CPP looks for this name in any assembly.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        public MonoPInvokeCallbackAttribute(Type type)
        {
            Type = type;
        }

        public Type Type { get; private set; }
    }

    /// <summary>Calls of a ground from native code. An exception of the ground is kept until the native call has returned.</summary>
    sealed unsafe class GroundCalls
    {
        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        delegate int RayCall(IntPtr user, Vec3 from, Vec3 direction, float distance, Hit* hit);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        delegate int CastCall(IntPtr user, Cast* cast, Hit* hit);

        static readonly RayCall OfRay = OnRay;
        static readonly CastCall OfCast = OnCast;
        static readonly IntPtr RayPointer = Marshal.GetFunctionPointerForDelegate((Delegate)OfRay);
        static readonly IntPtr CastPointer = Marshal.GetFunctionPointerForDelegate((Delegate)OfCast);

        GCHandle handle;
        IGround ground;
        Exception failed;

        /// <summary>Begins a call with a ground; null is no ground. <see cref="End"/> must follow.</summary>
        public NativeGround Begin(IGround own)
        {
            handle = GCHandle.Alloc(this);
            ground = own;
            failed = null;
            return new NativeGround
            {
                user = GCHandle.ToIntPtr(handle),
                ray = own == null ? IntPtr.Zero : RayPointer,
                cast = own is IShapeGround ? CastPointer : IntPtr.Zero,
            };
        }

        /// <summary>Ends the call. Throws the ground's exception, or that of a failed status.</summary>
        public Status End(Status status)
        {
            handle.Free();
            ground = null;
            var error = failed;
            failed = null;
            if (error != null)
            {
                throw new InvalidOperationException("The ground threw an exception: " + error.Message, error);
            }
            return Library.Require(status);
        }

        [MonoPInvokeCallback(typeof(RayCall))]
        static int OnRay(IntPtr user, Vec3 from, Vec3 direction, float distance, Hit* hit)
        {
            var own = (GroundCalls)GCHandle.FromIntPtr(user).Target;
            try
            {
                Hit found;
                if (own.failed != null || !own.ground.Ray(from, direction, distance, out found))
                {
                    return 0;
                }
                *hit = found;
                return 1;
            }
            catch (Exception error)
            {
                own.failed = error;
                return 0;
            }
        }

        [MonoPInvokeCallback(typeof(CastCall))]
        static int OnCast(IntPtr user, Cast* cast, Hit* hit)
        {
            var own = (GroundCalls)GCHandle.FromIntPtr(user).Target;
            try
            {
                if (own.failed != null)
                {
                    return 0;
                }
                Hit found;
                var asked = *cast;
                var status = ((IShapeGround)own.ground).Cast(ref asked, out found);
                if (status > 0)
                {
                    *hit = found;
                }
                return status;
            }
            catch (Exception error)
            {
                own.failed = error;
                return 0;
            }
        }
    }
}
