using System;

namespace Kinescope.Tests
{
    /// <summary>Checks of attributions, bug capsules, tapes and explanations.</summary>
    public static class AnalysisChecks
    {
        /// <summary>Level ground, which may throw.</summary>
        sealed class Level : IGround
        {
            public int rays;
            public bool isBroken;

            public bool Ray(Vec3 from, Vec3 direction, float distance, out Hit hit)
            {
                if (isBroken)
                {
                    throw new ApplicationException("no physics");
                }
                rays++;
                var way = -from.y / direction.y;
                hit = new Hit { point = new Vec3(from.x, 0, from.z), normal = new Vec3(0, 1, 0), distance = way };
                return direction.y < 0 && way >= 0 && way <= distance;
            }
        }

        /// <summary>Solves a frame of a character that stands elsewhere. Returns the solved pose in model space.</summary>
        static RigidTransform[] Solve(Stack stack, IGround ground)
        {
            var pose = Person.Pose();
            var frame = GroundFrame.Default;
            frame.dt = 1f / 60;
            frame.root.position = new Vec3(3, 0, 1);
            stack.Solve(ground, ref frame, 0, pose);
            return pose;
        }

        public static void ADisplacementIsDividedAmongItsCauses()
        {
            using (var solver = new Solver(Person.Rig()))
            using (var stack = new Stack(solver))
            {
                Check.Throws<KinescopeException>(() => new Attribution(stack, 0, Grouping.Cause), "must come first");
                stack.Settings = Person.Reach(0.5f);
                var pose = Solve(stack, null);
                foreach (var by in new[] { Grouping.Cause, Grouping.Stage, Grouping.Chain, Grouping.Iteration })
                {
                    var found = new Attribution(stack, Person.LeftHand, by);
                    var from = Person.Pose()[Person.LeftHand].position;
                    Check.That(Check.Distance(found.Before, from) < 1e-4f, "before");
                    Check.That(Check.Distance(found.After, pose[Person.LeftHand].position) < 1e-4f, "after");
                    Vec3 sum = found.Before;
                    double along = 0;
                    foreach (var group in found.Groups)
                    {
                        Check.That(group.label.Length > 0 && group.row.count > 0, by + ": " + group.label);
                        sum = new Vec3(sum.x + group.row.sum.x, sum.y + group.row.sum.y, sum.z + group.row.sum.z);
                        along += group.row.along;
                    }
                    Check.That(Check.Distance(sum, found.After) < 1e-4f, by + ": the groups do not add up");
                    Check.That(Math.Abs(along - Check.Distance(found.Before, found.After)) < 1e-4, by + ": along " + along);
                }
                Check.Throws<KinescopeException>(() => new Attribution(stack, 99, Grouping.Cause), "bone: is 99");
                Check.Throws<ArgumentOutOfRangeException>(() => new Attribution(stack, -1, Grouping.Cause), "bone");
                Check.Throws<KinescopeException>(() => new Attribution(stack, 0, (Grouping)9), "grouping: is 9");
                Check.Throws<ArgumentNullException>(() => new Attribution(null, 0, Grouping.Cause), "stack");
            }
        }

        public static void CapsulesAreReplayedAndCompared()
        {
            using (var solver = new Solver(Person.Rig()))
            using (var stack = new Stack(solver))
            {
                Check.Throws<KinescopeException>(() => Capsule.Of(stack, "early", 0), "must come first");
                stack.Settings = Person.Reach(0.5f);
                var solved = Solve(stack, null);
                string json;
                using (var made = Capsule.Of(stack, "the hand falls short", 0.5f))
                {
                    made.Add(stack, 0.75f);
                    json = made.ToJson();
                    Check.Throws<KinescopeException>(() => made.Add(stack, float.NaN), "time");
                }
                using (var capsule = Capsule.OfJson(json))
                {
                    Check.Equal(capsule.Name, "the hand falls short", "name");
                    Check.Equal(capsule.FrameCount, 2, "frames");
                    Check.That(Check.Distance(capsule.Animated(1), Person.Pose()) < 1e-4f, "animated");
                    Check.That(Check.Distance(capsule.Replay(1, null), solved) < 1e-4f, "replay");
                    Check.Equal(capsule.Compare(null).Length, 0, "changes");
                    Check.Throws<KinescopeException>(() => capsule.Replay(2, null), "the capsule has 2 frames");
                    Check.Throws<ArgumentOutOfRangeException>(() => capsule.Animated(-1), "frame");
                    capsule.Dispose();
                    Check.Throws<ObjectDisposedException>(() => capsule.ToJson(), "Capsule");
                }
                using (var changed = Capsule.OfJson(json.Replace("\"iterations\": 4", "\"iterations\": 1")))
                {
                    var found = changed.Compare(null);
                    Check.Equal(found.Length, 2, "changes");
                    Check.That(found[1].frame == 1 && found[1].distance > 1e-4f, "distance " + found[1].distance);
                    Check.That(found[1].point.StartsWith("full body, ", StringComparison.Ordinal), found[1].point);
                }
                Check.Throws<KinescopeException>(() => Capsule.OfJson("{}"), "format");
            }
        }

        public static void CapsulesWithGroundingNeedTheirGround()
        {
            const string preset = "{\"format\":\"kinescope-preset\",\"version\":1,\"grounding\":{\"method\":\"predictive\"}}";
            using (var solver = new Solver(Person.Rig()))
            using (var stack = new Stack(solver))
            {
                stack.LoadPreset(preset);
                var ground = new Level();
                var solved = Person.Pose();
                for (var index = 0; index < 20; index++)
                {
                    solved = Solve(stack, ground);
                }
                using (var capsule = Capsule.Of(stack, "on the ground", 0))
                {
                    ground.rays = 0;
                    Check.Equal(capsule.Compare(ground).Length, 0, "changes");
                    Check.That(ground.rays > 0, "no ray");
                    Check.That(Check.Distance(capsule.Replay(0, ground), solved) < 1e-5f, "replay");
                    ground.isBroken = true;
                    Check.Throws<InvalidOperationException>(() => capsule.Replay(0, ground), "no physics");
                }
            }
        }

        /// <summary>A hand follows a line; in frame 20 its target jumps. The feet are planted in frames 5 to 14, and slide with the body.</summary>
        static Tape Record(Solver solver, Stack stack, out int hits)
        {
            var tape = new Tape(stack);
            var breaks = Breaks.Default;
            breaks.jerkIsOn = 1;
            hits = 0;
            for (var index = 0; index < 30; index++)
            {
                var settings = Settings.Default;
                settings.leftHandEffector.Aim(new Vec3(index == 20 ? 0.95f : 0.35f, 1.2f + 0.005f * index, 0.4f), 1);
                stack.Settings = settings;
                var pose = Person.Pose();
                var frame = GroundFrame.Default;
                frame.dt = 1f / 60;
                frame.root.position = new Vec3(0, 0, 0.01f * index);
                frame.planted0 = frame.planted1 = index >= 5 && index < 15 ? 1 : 0;
                stack.Solve(null, ref frame, 0, pose);
                tape.Record(stack);
                BreakHit hit;
                string text;
                if (tape.Check(ref breaks, out hit, out text))
                {
                    Check.That(index >= 20 && index <= 22 && text.Contains("jerks"), "frame " + index + ": " + text);
                    Check.Equal(hit.condition, (uint)Condition.Jerk, "condition");
                    hits++;
                }
            }
            return tape;
        }

        public static void ATapeFindsErrorsOfAMotion()
        {
            using (var solver = new Solver(Person.Rig()))
            using (var stack = new Stack(solver))
            {
                int hits;
                using (var tape = Record(solver, stack, out hits))
                {
                    ulong first, last;
                    Check.That(hits > 0, "no hit");
                    Check.That(tape.Range(out first, out last) && first == 0 && last == 29 && tape.FrameCount == 30, "range");
                    var pops = tape.Pops();
                    Check.That(pops.Length > 2 && pops[0].joint.Contains("left"), "pops");
                    Check.That(pops[0].pop.frame == 19 || pops[0].pop.frame == 20, "frame " + pops[0].pop.frame);
                    float value;
                    Check.That(tape.Measure(MotionMeasure.Jerk, out value), "jerk");
                    Check.That(Math.Abs(value * 180 / Math.PI - pops[0].pop.degrees) < 1e-2, "jerk " + value);
                    var slides = tape.Slides();
                    Check.Equal(slides.Length, 2, "stances");
                    Check.That(slides[0].hasLanded != 0 && slides[0].first == 5 && slides[0].last == 14, "stance");
                    Check.That(Math.Abs(slides[0].animated - 0.09f) < 1e-4f, "slide " + slides[0].animated);
                    var gaps = tape.Values("left_hand_gap");
                    Check.That(gaps.Length == 30 && gaps[20] > gaps[19] + 0.05f, "gaps");
                    Check.Throws<KinescopeException>(() => tape.Measure((MotionMeasure)9, out value), "measure: is 9");
                    tape.Clear();
                    Check.That(!tape.Range(out first, out last) && tape.Slides().Length == 0, "cleared");
                    Check.That(!tape.Measure(MotionMeasure.Jerk, out value), "a measure of nothing");
                }
                Check.Throws<ArgumentNullException>(() => new Tape(null), "stack");
            }
        }

        public static void AMissIsExplained()
        {
            using (var solver = new Solver(Person.Rig()))
            using (var stack = new Stack(solver))
            {
                var settings = Settings.Default;
                settings.leftHandEffector.Aim(new Vec3(0.3f, 1.3f, 1.0f), 1);
                stack.Settings = settings;
                stack.SetParameter("chains.left_arm.pull", 0);
                Check.Equal(stack.Parameter("chains.left_arm.pull"), 0f, "pull");
                Solve(stack, null);
                Why why;
                Check.That(stack.Explain(Effector.LeftHand, out why), "no explanation");
                Check.That(why.reason == (uint)Reason.TooFar && why.distance > why.limit, "reason " + why.reason);
                float value, gap;
                var cure = stack.Cure(Effector.LeftHand, out value, out gap);
                Check.That(cure != null && cure.Contains(".") && gap < 0.9f * why.gap, "cure " + cure);
                Check.That(!stack.Explain(Effector.RightHand, out why), "an effector without weight");
                Check.That(stack.Cure(Effector.RightHand, out value, out gap) == null, "a cure without weight");
                Check.Throws<KinescopeException>(() => stack.SetParameter("chains.left_arm.pull", 2), "it must be from 0 to 1");
                Check.Throws<KinescopeException>(() => stack.Parameter("chains.tail.pull"), "chains.tail.pull");
            }
        }
    }
}
