using System;
using System.Collections.Generic;
using System.IO;

namespace Kinescope.Tests
{
    /// <summary>Checks of the part without an engine: layout, solve, batch, axes and presets.</summary>
    public static class CoreChecks
    {
        public static void TheLibraryHasTheLayoutOfThisPackage()
        {
            Library.Check();
            Check.That(Library.Version.Length > 0, "no version");
            unsafe
            {
                Library.CheckSize("KinescopeSettings", sizeof(Settings));
                Check.Throws<KinescopeException>(() => Library.CheckSize("KinescopeSettings", sizeof(Settings) - 4), "KinescopeSettings has");
            }
            Check.Throws<KinescopeException>(() => Library.CheckSize("KinescopeNothing", 4), "KinescopeNothing has 0 bytes");
        }

        public static void NamesAreThoseOfFiles()
        {
            Check.Equal(Names.Effectors[(int)Effector.LeftHand], "left_hand", "effector");
            Check.Equal(Names.Limbs[(int)Limb.RightLeg], "right_leg", "limb");
            Check.Equal(Names.Nodes.Length, 13, "nodes");
            Check.Equal(Names.Stages[(int)Stage.Trigonometric], "trigonometric", "stage");
        }

        /// <summary>All cases of the conformance kit, which <c>kinescope conformance --out FOLDER</c> writes.</summary>
        public static void EveryCaseOfTheConformanceKitAgrees()
        {
            var folder = Environment.GetEnvironmentVariable("KINESCOPE_CASES");
            if (string.IsNullOrEmpty(folder))
            {
                throw new SkippedException("KINESCOPE_CASES is not set");
            }
            int cases = 0, steps = 0;
            var paths = Directory.GetFiles(folder, "*.json");
            // Frames of a case follow each other.
            Array.Sort(paths, string.CompareOrdinal);
            Solver kept = null;
            foreach (var path in paths)
            {
                var text = File.ReadAllText(path);
                if (!text.Contains("kinescope-trace"))
                {
                    continue;
                }
                steps += Cases.Run(Path.GetFileName(path), text, ref kept);
                cases++;
            }
            kept.Dispose();
            Check.That(cases >= 60 && steps > 1000, cases + " cases with " + steps + " steps");
        }

        public static void RolesThatAreGivenOrDetectedGiveTheSameSolve()
        {
            var given = Person.Rig();
            given.biped = Person.Biped();
            using (var detected = new Solver(Person.Rig()))
            using (var solver = new Solver(given))
            {
                RigidTransform[] a = Person.Pose(), b = Person.Pose();
                var settings = Person.Reach(0.5f);
                Check.That(detected.Solve(a, ref settings) && solver.Solve(b, ref settings), "not solved");
                Check.Equal(Check.Distance(a, b), 0f, "distance");
                Check.That(Check.Distance(a[Person.LeftHand].position, settings.leftHandEffector.position) < 0.1f, "the hand is off target");
                Check.Equal(solver.BoneOf("left_hand"), Person.LeftHand, "left hand");
                Check.Equal(solver.BoneOf("tail"), -1, "a role that does not exist");
                Check.That(solver.WrittenBones.Length >= 14, "written bones");
            }
        }

        public static void StepsGiveTheResultOfTheSolve()
        {
            using (var solver = new Solver(Person.Rig()))
            {
                RigidTransform[] a = Person.Pose(), b = Person.Pose();
                var settings = Person.Reach(0.2f);
                var steps = new StepNodes[64];
                solver.Solve(a, ref settings);
                Check.Equal(solver.SolveAndStep(b, ref settings, steps), 35, "steps");
                Check.Equal(Check.Distance(a, b), 0f, "distance");
                Check.Equal(Names.Stages[steps[0].step.stage], "read", "the first stage");
                Check.Equal(solver.SolveAndStep(Person.Pose(), ref settings, null), 35, "steps without memory for them");
                Check.Equal(solver.Locals(new RigidTransform[64]), solver.WrittenBones.Length, "local transforms");
            }
        }

        public static void FailuresNameTheReasonAndChangeNothing()
        {
            using (var solver = new Solver(Person.Rig()))
            {
                var settings = Person.Reach(0);
                var pose = Person.Pose();
                pose[3].position.y = float.NaN;
                pose[4].position.y = 2;
                var error = Check.Throws<KinescopeException>(() => solver.Solve(pose, ref settings), "head");
                Check.Equal(error.Status, Status.BadPose, "status");
                Check.Equal(pose[4].position.y, 2f, "the pose");
                Check.Throws<KinescopeException>(() => solver.Solve(new RigidTransform[3], ref settings), "");
                Check.Throws<KinescopeException>(() => solver.Solve(null, ref settings), "");
                settings.solver.iterations = 99;
                Check.Throws<KinescopeException>(() => settings.Validate(), "iterations");
                Check.Throws<KinescopeException>(() => solver.Solve(Person.Pose(), ref settings), "iterations");
                settings = Person.Reach(0);
                settings.solver.weight = 0;
                Check.That(!solver.Solve(Person.Pose(), ref settings), "a solve with weight 0");
                solver.Dispose();
                Check.Throws<ObjectDisposedException>(() => solver.Solve(Person.Pose(), ref settings), "");
            }
            var rig = Person.Rig();
            rig.names[2] = "a\0b";
            Check.Throws<ArgumentException>(() => new Solver(rig), "zero");
            rig = Person.Rig();
            rig.parents[2] = 7;
            Check.Throws<KinescopeException>(() => new Solver(rig), "");
            rig.names = new string[2];
            Check.Throws<ArgumentException>(() => new Solver(rig), "2 names");
        }

        public static void ABatchGivesTheResultsOfSingleSolves()
        {
            const int Count = 19;
            using (var solver = new Solver(Person.Rig()))
            using (var batch = new Batch(Count))
            {
                for (var index = 0; index < Count; index++)
                {
                    Check.Equal(batch.Add(solver), index, "number");
                    var settings = Person.Reach(index / 19f);
                    var animated = Person.Pose();
                    animated[3].position.y = index == 7 ? float.NaN : animated[3].position.y;
                    batch.Set(index, animated, ref settings);
                }
                Check.Throws<InvalidOperationException>(() => batch.Add(solver), "room for 19");
                Check.Equal(batch.Solve(), 1, "characters that failed");
                var solved = Person.Pose();
                for (var index = 0; index < Count; index++)
                {
                    var settings = Person.Reach(index / 19f);
                    var expected = Person.Pose();
                    solver.Solve(expected, ref settings);
                    var status = batch.Get(index, solved);
                    Check.Equal(status, index == 7 ? Status.BadPose : Status.Done, "status of " + index);
                    Check.That(index == 7 || Check.Distance(solved, expected) < 1e-4f, "character " + index);
                }
                var own = Person.Reach(0);
                Check.Throws<ArgumentException>(() => batch.Set(0, new RigidTransform[2], ref own), "2 bones");
                Check.Throws<ArgumentOutOfRangeException>(() => batch.Get(Count, solved), "");
                Check.AllocatesNothing(() =>
                {
                    batch.Set(1, solved, ref own);
                    batch.Solve();
                    batch.Get(1, solved);
                });
            }
        }

        public static void ASolveAllocatesNothing()
        {
            using (var solver = new Solver(Person.Rig()))
            {
                RigidTransform[] animated = Person.Pose(), pose = Person.Pose();
                var locals = new RigidTransform[64];
                var steps = new StepNodes[64];
                var settings = Person.Reach(0.3f);
                Check.AllocatesNothing(() =>
                {
                    Array.Copy(animated, pose, pose.Length);
                    var own = settings.Chain(Limb.LeftArm);
                    settings.SetChain(Limb.LeftArm, ref own);
                    settings.ClearOffsets();
                    solver.Solve(pose, ref settings);
                    solver.Locals(locals);
                    solver.SolveAndStep(pose, ref settings, steps);
                });
            }
            // The measure finds a single small object.
            var runs = 0;
            object kept = null;
            Check.Throws<Exception>(() => Check.AllocatesNothing(() => kept = ++runs == 50 ? new byte[16] : kept), "bytes allocated");
        }

        public static void AxesAreMirrored()
        {
            // The values that the library's own conversion gives (`Axes::LEFT_HANDED_Y_UP`).
            Check.Equal(Check.Distance(UnityAxes.Mirror(new Vec3(-0.3f, 1.2f, 0.5f)), new Vec3(0.3f, 1.2f, 0.5f)), 0f, "position");
            Check.Equal(Check.Distance(UnityAxes.Mirror(new Quat(0.5f, 0.5f, 0.5f, 0.5f)), new Quat(0.5f, -0.5f, -0.5f, 0.5f)), 0f, "rotation");
            var random = new Random(1);
            for (var index = 0; index < 1000; index++)
            {
                var turn = RandomRotation(random);
                var place = new Vec3(Number(random), Number(random), Number(random));
                var there = UnityAxes.Mirror(Rotate(turn, place));
                Check.That(Check.Distance(there, Rotate(UnityAxes.Mirror(turn), UnityAxes.Mirror(place))) < 1e-5f, "a turned position");
                Check.Equal(Check.Distance(UnityAxes.Mirror(UnityAxes.Mirror(turn)), turn), 0f, "twice");
            }
            // A target, a rotation, an offset, a bend goal and a bend direction change when they are converted once, and all settings are
            // restored when they are converted twice.
            var settings = Person.Reach(0.5f);
            settings.rightLegChain.hasBendGoal = 1;
            settings.rightLegChain.bendGoal = new Vec3(1, 2, 3);
            settings.leftArmChain.bendDirection = new Vec3(1, 0, 0);
            settings.rightFootEffector.Turn(new Quat(0, 1, 0, 0), 1);
            settings.bodyEffector.positionOffset = new Vec3(1, 2, 3);
            var mirrored = settings;
            UnityAxes.Mirror(ref mirrored);
            Check.Equal(mirrored.rightLegChain.bendGoal.x, -1f, "bend goal");
            Check.Equal(mirrored.leftArmChain.bendDirection.x, -1f, "bend direction");
            Check.Equal(mirrored.rightFootEffector.rotation.y, -1f, "rotation");
            Check.Equal(mirrored.bodyEffector.positionOffset.x, -1f, "offset");
            Check.Equal(mirrored.leftHandEffector.position.x, -settings.leftHandEffector.position.x, "target");
            UnityAxes.Mirror(ref mirrored);
            Check.Equal(mirrored.ToPreset(), settings.ToPreset(), "twice mirrored settings");
        }

        public static void PresetsAreReadAndWritten()
        {
            var settings = Person.Reach(0.25f);
            settings.solver.iterations = 7;
            var chain = settings.Chain(Limb.RightLeg);
            chain.pull = 0.25f;
            settings.SetChain(Limb.RightLeg, ref chain);
            Check.Equal(settings.rightLegChain.pull, 0.25f, "pull");
            var effector = settings.Effector(Effector.RightFoot);
            Check.Equal(effector.positionWeight, 1f, "weight");
            effector.Turn(new Quat(0, 0, 1, 0), 0.5f);
            settings.SetEffector(Effector.RightFoot, ref effector);
            var back = Settings.FromPreset(settings.ToPreset());
            Check.Equal(back.solver.iterations, 7u, "iterations");
            Check.Equal(back.ToPreset(), settings.ToPreset(), "preset");
            Check.Equal(back.rightFootEffector.rotation.z, 1f, "rotation");
            Check.Throws<KinescopeException>(() => Settings.FromPreset("{\"format\":\"kinescope-preset\",\"version\":1,\"solver\":{\"weight\":7}}"),
                "solver.weight");
            Check.Throws<KinescopeException>(() => Settings.FromPreset("nothing"), "");
            Check.Throws<ArgumentOutOfRangeException>(() => settings.Chain((Limb)4), "");
            Check.Throws<ArgumentOutOfRangeException>(() => settings.Effector((Effector)9), "");
        }

        public static void JsonOfAnyTextIsReadOrRefused()
        {
            Check.Equal(Json.Parts(" {\"a\": [1, {\"b\":2}] ,\"c\":\"\\u0041\\n\"} ")["a"], "[1, {\"b\":2}]", "part");
            Check.Equal((string)((Dictionary<string, object>)Json.Read("{\"c\":\"\\u0041\\\"\"}"))["c"], "A\"", "text");
            Check.Equal((double)((List<object>)Json.Read("[-1.5e1,true,null]"))[0], -15.0, "number");
            var random = new Random(2);
            const string Letters = "{}[]\",:\\un0e1-.tfa \n";
            for (var run = 0; run < 5000; run++)
            {
                var text = "";
                for (var length = random.Next(24); length > 0; length--)
                {
                    text += Letters[random.Next(Letters.Length)];
                }
                foreach (var own in new[] { text, "{\"a\":" + text + "}" })
                {
                    try
                    {
                        Json.Read(own);
                        Json.Parts(own);
                    }
                    catch (FormatException)
                    {
                        // Every other exception fails.
                    }
                }
            }
            Check.Throws<FormatException>(() => Json.Read(new string('[', 100000)), "levels");
        }

        static float Number(Random random)
        {
            return (float)(2 * random.NextDouble() - 1);
        }

        static Quat RandomRotation(Random random)
        {
            float x = Number(random), y = Number(random), z = Number(random), w = Number(random) + 2;
            var length = (float)Math.Sqrt(x * x + y * y + z * z + w * w);
            return new Quat(x / length, y / length, z / length, w / length);
        }

        static Vec3 Rotate(Quat q, Vec3 v)
        {
            // v + 2 q × (q × v + w v)
            var c = new Vec3(q.y * v.z - q.z * v.y + q.w * v.x, q.z * v.x - q.x * v.z + q.w * v.y, q.x * v.y - q.y * v.x + q.w * v.z);
            return new Vec3(v.x + 2 * (q.y * c.z - q.z * c.y), v.y + 2 * (q.z * c.x - q.x * c.z), v.z + 2 * (q.x * c.y - q.y * c.x));
        }
    }
}
