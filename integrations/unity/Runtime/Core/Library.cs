using System;
using System.Text;

namespace Kinescope
{
    /// <summary>A call of the library failed. The message has the reason.</summary>
    public sealed class KinescopeException : Exception
    {
        public Status Status { get; private set; }

        public KinescopeException(Status status, string message) : base(message)
        {
            Status = status;
        }
    }

    /// <summary>The loaded native library.</summary>
    public static unsafe class Library
    {
        static bool isChecked;

        /// <summary>The library's version, such as 0.1.0.</summary>
        public static string Version
        {
            get
            {
                Check();
                return Text(Native.kinescope_version());
            }
        }

        /// <summary>
        /// Checks that the library is there, and that it has the version and the sizes of structures for which this package was
        /// made. Every class of this package does this before it creates an object of the library.
        /// </summary>
        public static void Check()
        {
            if (isChecked)
            {
                return;
            }
            try
            {
                var version = Native.kinescope_abi_version();
                if (version != Native.AbiVersion)
                {
                    throw new KinescopeException(Status.BadArgument, "The native library has the binary interface " + version
                        + ", this package needs " + Native.AbiVersion + ". Use library and package of one release.");
                }
                for (var index = 0; index < Native.StructNames.Length; index++)
                {
                    var name = Native.StructNames[index];
                    CheckSize(name, Native.StructSizes[index]);
                }
            }
            catch (DllNotFoundException error)
            {
                throw new KinescopeException(Status.System, "The native library was not found: build integrations/c and put "
                    + "libkinescope.so, kinescope.dll or libkinescope.dylib into the folder Plugins. " + error.Message);
            }
            catch (EntryPointNotFoundException error)
            {
                throw new KinescopeException(Status.System, "The native library is older than this package: " + error.Message);
            }
            isChecked = true;
        }

        internal static void CheckSize(string name, int own)
        {
            fixed (byte* text = Utf8(name))
            {
                var size = (ulong)Native.kinescope_struct_size(text);
                if (size != (ulong)own)
                {
                    throw new KinescopeException(Status.BadArgument, name + " has " + size + " bytes in the native library and " + own
                        + " in this package. Use library and package of one release.");
                }
            }
        }

        /// <summary>Returns a status; a failure throws the library's message.</summary>
        internal static Status Require(Status status)
        {
            if (status < 0)
            {
                throw new KinescopeException(status, Text(Native.kinescope_last_error()));
            }
            return status;
        }

        /// <summary>Returns a text in UTF-8 with a zero at its end.</summary>
        internal static byte[] Utf8(string text)
        {
            if (text == null)
            {
                throw new ArgumentNullException("text");
            }
            if (text.IndexOf('\0') >= 0)
            {
                throw new ArgumentException("The text contains a zero, which ends a text in C.", "text");
            }
            var bytes = new byte[Encoding.UTF8.GetByteCount(text) + 1];
            Encoding.UTF8.GetBytes(text, 0, text.Length, bytes, 0);
            return bytes;
        }

        internal static string Text(byte* text)
        {
            if (text == null)
            {
                return "";
            }
            var length = 0;
            while (text[length] != 0)
            {
                length++;
            }
            var bytes = new byte[length];
            for (var index = 0; index < length; index++)
            {
                bytes[index] = text[index];
            }
            return Encoding.UTF8.GetString(bytes);
        }

        internal static NativePose View(RigidTransform* bones, int count)
        {
            return new NativePose
            {
                positions = (float*)bones,
                rotations = (float*)bones + 3,
                positionStride = (UIntPtr)sizeof(RigidTransform),
                rotationStride = (UIntPtr)sizeof(RigidTransform),
                count = (UIntPtr)count,
            };
        }
    }
}
