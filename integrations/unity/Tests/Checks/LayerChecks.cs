using System;

namespace Kinescope.Tests
{
    /// <summary>Checks of grounding, modifiers, chains and stacks.</summary>
    public static class LayerChecks
    {
        const int LeftFoot = 12, RightFoot = 15, RightHand = 9;

        /// <summary>Ground that is higher on the left.</summary>
        sealed class Kerb : IGround
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
                var height = from.x > 0 ? 0.06f : 0f;
                var way = (height - from.y) / direction.y;
                hit = new Hit { point = new Vec3(from.x, height, from.z), normal = new Vec3(0, 1, 0), distance = way };
                return direction.y < 0 && way >= 0 && way <= distance;
            }
        }

        /// <summary>Level ground that casts every shape straight down.</summary>
        sealed class Level : IShapeGround
        {
            public int rays, casts;

            public bool Ray(Vec3 from, Vec3 direction, float distance, out Hit hit)
            {
                rays++;
                var cast = new Cast { from = from, direction = direction, distance = distance };
                return Cast(ref cast, out hit) > 0;
            }

            public int Cast(ref Cast cast, out Hit hit)
            {
                casts++;
                var way = Math.Max((cast.from.y - cast.radius) / -cast.direction.y, 0);
                hit = new Hit { point = new Vec3(cast.from.x, 0, cast.from.z), normal = new Vec3(0, 1, 0), distance = way };
                return cast.direction.y < -0.5f && way <= cast.distance ? 1 : 0;
            }
        }

        static GroundFrame Frame()
        {
            var frame = GroundFrame.Default;
            frame.dt = 1f / 60;
            return frame;
        }

        public static void FeetStandOnTheGround()
        {
            foreach (var method in new[] { Grounding.FootIk, Grounding.Predictive })
            {
                using (var solver = new Solver(Person.Rig()))
                using (var grounder = new Grounder(solver, method))
                {
                    var ground = new Kerb();
                    var frame = Frame();
                    var settings = Settings.Default;
                    var pose = Person.Pose();
                    GroundOutput output;
                    Check.That(!grounder.Output(out output), "output before the first frame");
                    for (var index = 0; index < 120; index++)
                    {
                        pose = Person.Pose();
                        Settings driven;
                        grounder.Ground(ground, ref frame, pose, ref settings, out driven);
                        solver.Solve(pose, ref driven);
                    }
                    Check.That(ground.rays > 120, "rays: " + ground.rays);
                    var apart = pose[LeftFoot].position.y - pose[RightFoot].position.y;
                    Check.That(Math.Abs(apart - 0.06f) < 0.01f, method + ": the left foot stands " + apart + " m higher");
                    Check.That(grounder.Output(out output) && output.legs0.offset > 0.03f, "offset: " + output.legs0.offset);
                    grounder.Reset();
                }
            }
        }

        public static void SettingsOfAGrounderAreChecked()
        {
            using (var solver = new Solver(Person.Rig()))
            using (var grounder = new Grounder(solver, Grounding.Predictive))
            {
                var own = grounder.Predictive;
                own.footRadius = 0.075f;
                grounder.Predictive = own;
                Check.Equal(grounder.Predictive.footRadius, 0.075f, "foot radius");
                own.pelvisDamper = 7;
                Check.Throws<KinescopeException>(() => grounder.Predictive = own, "pelvis_damper");
                Check.Equal(grounder.Predictive.pelvisDamper, 0.5f, "pelvis damper");
                Check.Throws<InvalidOperationException>(() => grounder.FootIk.ToString(), "another method");
                var held = grounder.Lock;
                held.on = 1;
                grounder.Lock = held;
                Check.Equal(grounder.Lock.on, 1u, "lock");
                Check.That(!grounder.LoadPreset(Settings.Default.ToPreset()), "a preset without grounding");
                grounder.Dispose();
                Check.Throws<ObjectDisposedException>(() => grounder.Reset(), "Grounder");
            }
        }

        public static void ExceptionsOfTheGroundReachTheCaller()
        {
            using (var solver = new Solver(Person.Rig()))
            using (var grounder = new Grounder(solver, Grounding.Predictive))
            {
                var ground = new Kerb { isBroken = true };
                var frame = Frame();
                var settings = Settings.Default;
                Settings driven;
                Check.Throws<InvalidOperationException>(
                    () => grounder.Ground(ground, ref frame, Person.Pose(), ref settings, out driven), "no physics");
                ground.isBroken = false;
                grounder.Ground(ground, ref frame, Person.Pose(), ref settings, out driven);
            }
        }

        public static void ModifiersActAndKeepTheirSettings()
        {
            using (var solver = new Solver(Person.Rig()))
            using (var modifiers = new Modifiers(solver))
            {
                var look = modifiers.Add(ModifierKind.LookAt);
                var recoil = modifiers.Add(ModifierKind.Recoil);
                Check.That(modifiers.Count == 2 && modifiers.Kind(recoil) == ModifierKind.Recoil, "two modifiers");
                LookAt own;
                modifiers.Get(look, out own);
                own.hasTarget = 1;
                own.target = new Vec3(1, 1.6f, 2);
                modifiers.Set(look, own);
                Check.Throws<KinescopeException>(() => modifiers.Get(recoil, out own), "recoil");
                own.weight = 2;
                Check.Throws<KinescopeException>(() => modifiers.Set(look, own), "look_at.weight");

                var settings = Settings.Default;
                var pose = Person.Pose();
                modifiers.Solve(pose, ref settings, 1f / 60, 0);
                Check.That(Check.Distance(pose[3].rotation, Quat.Identity) > 0.1f, "the head does not turn");

                // In parts, with the same result.
                modifiers.Reset();
                var parts = Person.Pose();
                Settings driven;
                modifiers.Before(parts, ref settings, 1f / 60, 0, out driven);
                modifiers.After(parts, ref driven, 1f / 60, 0);
                Check.Equal(Check.Distance(pose, parts), 0f, "distance of the parts");

                Check.That(!modifiers.Trigger(look) && modifiers.Trigger(recoil), "triggers");
                var shot = Person.Pose();
                for (var frame = 0; frame < 3; frame++)
                {
                    shot = Person.Pose();
                    modifiers.Solve(shot, ref settings, 1f / 60, 0);
                }
                Check.That(shot[RightHand].position.z < pose[RightHand].position.z - 0.02f, "no recoil");
                Check.That(modifiers.ToPreset().Contains("look_at"), "preset");
                modifiers.LoadPreset(modifiers.ToPreset());
                modifiers.Remove(recoil);
                Check.Equal(modifiers.Count, 1, "modifiers");

                modifiers.Attach(Effector.LeftHand, new Attachment { bone = 3, offset = new Vec3(0.1f, -0.3f, 0.3f) });
                modifiers.Remove(look);
                settings.leftHandEffector.positionWeight = 1;
                var held = Person.Pose();
                modifiers.Solve(held, ref settings, 1f / 60, 0);
                Check.That(Check.Distance(held[Person.LeftHand].position, new Vec3(0.1f, 1.3f, 0.3f)) < 0.02f, "the hand is not attached");
                modifiers.Detach(Effector.LeftHand);
            }
        }

        public static void ASolveWithModifiersAllocatesNothing()
        {
            using (var solver = new Solver(Person.Rig()))
            using (var modifiers = new Modifiers(solver))
            {
                modifiers.Add(ModifierKind.Breathing);
                var settings = Settings.Default;
                var pose = Person.Pose();
                Check.AllocatesNothing(() => modifiers.Solve(pose, ref settings, 0, 0));
            }
        }

        public static void ChainsReachTheirTargets()
        {
            using (var chain = Chain.OfLengths(0.3f, 0.3f, 0.2f))
            {
                var settings = ChainIkSettings.Default;
                var outcome = chain.Solve(ref settings, new Vec3(0.4f, 0.3f, 0.1f));
                Check.That(outcome.isReached != 0 && outcome.error < 0.01f, "error " + outcome.error);
                var positions = new Vec3[chain.JointCount];
                Check.Equal(chain.Positions(positions), 4, "joints");
                Check.That(Check.Distance(positions[3], new Vec3(0.4f, 0.3f, 0.1f)) < 0.01f, "end");
                chain.SetLimit(1, new Limit { kind = 3, max = 0.5f });
                Check.Throws<KinescopeException>(() => chain.SetLimit(9, new Limit()), "bone");
                chain.Reset();
            }
            using (var solver = new Solver(Person.Rig()))
            using (var arm = Chain.OfBones(solver, 4, 6))
            {
                var settings = ChainIkSettings.Default;
                settings.solver = (uint)ChainSolver.TwoBone;
                var pose = Person.Pose();
                arm.SolvePose(pose, ref settings, new Vec3(0.4f, 1.2f, 0.3f));
                Check.That(Check.Distance(pose[6].position, new Vec3(0.4f, 1.2f, 0.3f)) < 0.01f, "hand");
            }
        }

        public static void AStackSolvesAllLayers()
        {
            const string preset = "{\"format\":\"kinescope-preset\",\"version\":1,\"grounding\":{\"method\":\"predictive\"},"
                + "\"modifiers\":[{\"recoil\":{}}]}";
            using (var solver = new Solver(Person.Rig()))
            using (var stack = new Stack(solver))
            {
                var settings = Person.Reach(0.5f);
                settings.leftFootEffector.positionWeight = settings.rightFootEffector.positionWeight = 0;
                stack.Settings = settings;
                RigidTransform[] a = Person.Pose(), b = Person.Pose();
                var frame = Frame();
                stack.Solve(null, ref frame, 0, a);
                solver.Solve(b, ref settings);
                Check.That(Check.Distance(a, b) < 1e-4f, "distance " + Check.Distance(a, b));

                stack.LoadPreset(preset);
                stack.Reset();
                var ground = new Level();
                for (var index = 0; index < 30; index++)
                {
                    a = Person.Pose();
                    stack.Solve(ground, ref frame, 0, a);
                }
                Check.That(ground.casts > 100 && Check.Distance(a, Person.Pose()) < 0.01f, "standing: " + Check.Distance(a, Person.Pose()));
                GroundOutput output;
                Check.That(stack.Output(out output), "no output");
                Check.That(stack.Trigger(0), "no trigger");
                for (var index = 0; index < 3; index++)
                {
                    b = Person.Pose();
                    stack.Solve(ground, ref frame, 0, b);
                }
                Check.That(Check.Distance(a, b) > 0.01f, "no recoil");
                Check.That(stack.ToPreset().Contains("recoil"), "preset");
                Check.Throws<KinescopeException>(() => stack.LoadPreset("{}"), "format");
            }
        }
    }
}
