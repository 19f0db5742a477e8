using System;
using System.Collections.Generic;
using NUnit.Framework;

namespace Kinescope.Tests
{
    /// <summary>Runs the checks in Unity's Test Runner.</summary>
    public sealed class UnityTests
    {
        static IEnumerable<string> Names()
        {
            foreach (var check in All())
            {
                yield return check.Key;
            }
        }

        [TestCaseSource("Names")]
        public void Passes(string name)
        {
            foreach (var check in All())
            {
                if (check.Key != name)
                {
                    continue;
                }
                try
                {
                    check.Value();
                }
                catch (SkippedException error)
                {
                    Assert.Ignore(error.Message);
                }
            }
        }

        static IEnumerable<KeyValuePair<string, Action>> All()
        {
            foreach (var type in new[] { typeof(AnalysisChecks), typeof(CoreChecks), typeof(LayerChecks), typeof(LinkChecks) })
            {
                foreach (var check in Check.All(type))
                {
                    yield return check;
                }
            }
        }
    }
}
