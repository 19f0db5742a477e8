using System;
using System.Collections.Generic;

namespace Kinescope.Tests
{
    /// <summary>Runs all checks without an engine. The status is 1 if a check fails.</summary>
    static class Program
    {
        static int Main(string[] arguments)
        {
            // In CI, a skipped check is a failure.
            var isStrict = !string.IsNullOrEmpty(Environment.GetEnvironmentVariable("KINESCOPE_CI"));
            int passed = 0, failed = 0;
            foreach (var type in typeof(Program).Assembly.GetTypes())
            {
                if (!type.Name.EndsWith("Checks", StringComparison.Ordinal))
                {
                    continue;
                }
                foreach (var check in Check.All(type))
                {
                    if (arguments.Length > 0 && !check.Key.Contains(arguments[0]))
                    {
                        continue;
                    }
                    try
                    {
                        check.Value();
                        passed++;
                        Console.WriteLine("ok       " + check.Key);
                    }
                    catch (SkippedException error)
                    {
                        failed += isStrict ? 1 : 0;
                        Console.WriteLine("skipped  " + check.Key + ": " + error.Message);
                    }
                    catch (Exception error)
                    {
                        failed++;
                        Console.WriteLine("FAILED   " + check.Key + ": " + error);
                    }
                }
            }
            Console.WriteLine(passed + " checks passed, " + failed + " failed");
            return failed == 0 && passed > 0 ? 0 : 1;
        }
    }
}
