using System;
using System.Text;

namespace Kinescope
{
    /// <summary>An object of the native library, which <see cref="Dispose"/> frees.</summary>
    public abstract unsafe class NativeObject : IDisposable
    {
        internal IntPtr own;

        internal NativeObject()
        {
            Library.Check();
        }

        internal IntPtr Pointer
        {
            get
            {
                if (own == IntPtr.Zero)
                {
                    throw new ObjectDisposedException(GetType().Name);
                }
                return own;
            }
        }

        internal abstract void Free(IntPtr pointer);

        public void Dispose()
        {
            FreeOnce();
            GC.SuppressFinalize(this);
        }

        ~NativeObject()
        {
            FreeOnce();
        }

        void FreeOnce()
        {
            if (own != IntPtr.Zero)
            {
                Free(own);
                own = IntPtr.Zero;
            }
        }

        internal delegate Status Write(byte* buffer, UIntPtr capacity, UIntPtr* needed);

        /// <summary>Returns a text that a function of the library writes into a buffer.</summary>
        internal static string Text(Write write)
        {
            UIntPtr needed;
            Library.Require(write(null, UIntPtr.Zero, &needed));
            var bytes = new byte[(int)needed];
            fixed (byte* buffer = bytes)
            {
                Library.Require(write(buffer, needed, &needed));
            }
            return Encoding.UTF8.GetString(bytes, 0, Math.Max(bytes.Length - 1, 0));
        }

        internal static int Length<T>(T[] list)
        {
            return list == null ? 0 : list.Length;
        }
    }
}
