using System;
using System.Collections.Generic;
using System.Reflection;

namespace Kinescope.Tests
{
    /// <summary>A check could not run, because the machine lacks something.</summary>
    public sealed class SkippedException : Exception
    {
        public SkippedException(string what) : base(what)
        {
        }
    }

    /// <summary>Statements of checks, which run with and without an engine.</summary>
    public static class Check
    {
        public static void That(bool holds, string what)
        {
            if (!holds)
            {
                throw new Exception(what);
            }
        }

        public static void Equal<T>(T a, T b, string what)
        {
            That(EqualityComparer<T>.Default.Equals(a, b), what + ": " + a + " instead of " + b);
        }

        public static E Throws<E>(Action work, string says) where E : Exception
        {
            try
            {
                work();
            }
            catch (E error)
            {
                That(error.Message.Contains(says), "\"" + error.Message + "\" does not say \"" + says + "\"");
                return error;
            }
            throw new Exception("no " + typeof(E).Name + " that says \"" + says + "\"");
        }

        public static float Distance(Vec3 a, Vec3 b)
        {
            double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
            return (float)Math.Sqrt(x * x + y * y + z * z);
        }

        /// <summary>Returns the distance of two rotations as the chord of their difference; q and −q are the same rotation.</summary>
        public static float Distance(Quat a, Quat b)
        {
            var sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1 : 1;
            double x = a.x - sign * b.x, y = a.y - sign * b.y, z = a.z - sign * b.z, w = a.w - sign * b.w;
            return (float)Math.Sqrt(x * x + y * y + z * z + w * w);
        }

        public static float Distance(RigidTransform[] a, RigidTransform[] b)
        {
            Equal(a.Length, b.Length, "the number of bones");
            var most = 0f;
            for (var bone = 0; bone < a.Length; bone++)
            {
                most = Math.Max(most, Distance(a[bone].position, b[bone].position));
                most = Math.Max(most, Distance(a[bone].rotation, b[bone].rotation));
            }
            return most;
        }

        /// <summary>Runs <paramref name="work"/> often and checks that it allocates nothing on this thread.</summary>
        public static void AllocatesNothing(Action work)
        {
            // Not part of every profile of .NET.
            var method = typeof(GC).GetMethod("GetAllocatedBytesForCurrentThread", BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static);
            if (method == null)
            {
                throw new SkippedException("this runtime does not count allocated bytes");
            }
            var allocated = (Func<long>)Delegate.CreateDelegate(typeof(Func<long>), method);
            // The first runs compile methods.
            for (var index = 0; index < 3; index++)
            {
                allocated();
                work();
            }
            var before = allocated();
            for (var index = 0; index < 100; index++)
            {
                work();
            }
            Equal(allocated() - before, 0L, "bytes allocated by 100 runs");
        }

        /// <summary>Returns all checks of a class by name: its public methods without arguments.</summary>
        public static IEnumerable<KeyValuePair<string, Action>> All(Type type)
        {
            foreach (var method in type.GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly))
            {
                if (method.GetParameters().Length == 0)
                {
                    yield return new KeyValuePair<string, Action>(method.Name, (Action)Delegate.CreateDelegate(typeof(Action), method));
                }
            }
        }
    }
}
