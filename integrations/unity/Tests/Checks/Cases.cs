using System;
using System.Collections.Generic;

namespace Kinescope.Tests
{
    using Object = Dictionary<string, object>;

    /// <summary>Solves a case of the conformance kit and compares it with the numbers in the case.</summary>
    public static class Cases
    {
        const float Tolerance = 1e-5f;

        /// <summary>
        /// Runs a case. <paramref name="kept"/> is the solver of the previous case, which solves further frames of the same case; it
        /// becomes the solver of this one. Returns the number of steps that were compared.
        /// </summary>
        public static int Run(string name, string text, ref Solver kept)
        {
            var own = (Object)Json.Read(text);
            var parameters = Json.Parts(text)["parameters"].Trim();
            var settings = Settings.FromPreset("{\"format\":\"kinescope-preset\",\"version\":1," + parameters.Substring(1));
            var rig = (Object)own["rig"];
            var bones = (List<object>)rig["bones"];
            var made = new Rig
            {
                names = new string[bones.Count],
                parents = new int[bones.Count],
                reference = new RigidTransform[bones.Count],
                biped = OfRoles((Object)rig["biped"]),
            };
            var pose = new RigidTransform[bones.Count];
            for (var index = 0; index < bones.Count; index++)
            {
                var bone = (Object)bones[index];
                made.names[index] = (string)bone["name"];
                made.parents[index] = (int)(double)bone["parent"];
                made.reference[index] = Transform(bone["reference"]);
                pose[index] = Transform(bone["animated"]);
            }
            var result = (List<object>)((Object)own["result"])["bones"];
            Check.Equal(result.Count, pose.Length, name + ": the bones of the result");
            var expected = result.ConvertAll(Transform).ToArray();
            if (kept == null || name.IndexOf("-frame-", StringComparison.Ordinal) < 0 || name.Contains("-frame-1"))
            {
                if (kept != null)
                {
                    kept.Dispose();
                }
                kept = new Solver(made);
            }
            var stepped = (RigidTransform[])pose.Clone();
            var found = new StepNodes[1024];
            kept.Solve(pose, ref settings);
            var distance = Check.Distance(pose, expected);
            Check.That(distance < Tolerance, name + ": the result is " + distance + " off");
            var count = kept.SolveAndStep(stepped, ref settings, found);
            Check.Equal(Check.Distance(pose, stepped), 0f, name + ": steps");
            return Compare(name, (List<object>)own["steps"], found, count);
        }

        static unsafe int Compare(string name, List<object> steps, StepNodes[] found, int count)
        {
            Check.Equal(count, steps.Count, name + ": the number of steps");
            for (var index = 0; index < count; index++)
            {
                var step = (Object)steps[index];
                var stage = Names.Stages[found[index].step.stage];
                Check.Equal(stage, (string)step["stage"], name + ": stage " + index);
                fixed (Vec3* nodes = &found[index].bodyNode)
                {
                    foreach (var node in (Object)step["nodes"])
                    {
                        var at = nodes[Array.IndexOf(Names.Nodes, node.Key)];
                        var distance = Check.Distance(at, Position(node.Value));
                        Check.That(distance < Tolerance, name + ": " + stage + ", " + node.Key + " is " + distance + " off");
                    }
                }
            }
            return count;
        }

        static Biped OfRoles(Object roles)
        {
            Func<string, int> bone = role => roles.ContainsKey(role) && roles[role] is double ? (int)(double)roles[role] : -1;
            Func<string, LimbBones> arm = side => new LimbBones(bone(side + "_clavicle"), bone(side + "_upper_arm"), bone(side + "_forearm"), bone(side + "_hand"));
            Func<string, LimbBones> leg = side => new LimbBones(-1, bone(side + "_thigh"), bone(side + "_calf"), bone(side + "_foot"));
            var spine = ((List<object>)roles["spine"]).ConvertAll(own => (int)(double)own);
            return new Biped
            {
                pelvis = bone("pelvis"),
                spine = spine.ToArray(),
                head = bone("head"),
                rootNode = bone("root_node"),
                leftArm = arm("left"),
                rightArm = arm("right"),
                leftLeg = leg("left"),
                rightLeg = leg("right"),
            };
        }

        static RigidTransform Transform(object json)
        {
            var own = (Object)json;
            var rotation = (List<object>)own["rotation"];
            return new RigidTransform(Position(own["position"]), new Quat(Number(rotation[0]), Number(rotation[1]), Number(rotation[2]), Number(rotation[3])));
        }

        static Vec3 Position(object json)
        {
            var own = (List<object>)json;
            return new Vec3(Number(own[0]), Number(own[1]), Number(own[2]));
        }

        static float Number(object json)
        {
            return (float)(double)json;
        }
    }
}
