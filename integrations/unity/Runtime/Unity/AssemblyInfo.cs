using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("Kinescope.Tests")]
