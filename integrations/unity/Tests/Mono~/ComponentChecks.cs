using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Reflection;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using Kinescope.EditorTools;
using UnityEditor;
using UnityEngine;

namespace Kinescope.Tests
{
    /// <summary>Checks of the component against the stub of the engine.</summary>
    public static class ComponentChecks
    {
        /// <summary>Returns a person in Unity's axes, below a root that is moved and turned, and its bones.</summary>
        static FullBodyIK Character(out Transform[] bones)
        {
            var root = new GameObject("person").transform;
            root.SetPositionAndRotation(new Vector3(3, 0.5f, -2), new Quaternion(0, 0.6f, 0, 0.8f));
            var rig = Person.Rig();
            bones = new Transform[rig.BoneCount];
            for (var bone = 0; bone < bones.Length; bone++)
            {
                bones[bone] = new GameObject(rig.names[bone]).transform;
                bones[bone].SetParent(rig.parents[bone] < 0 ? root : bones[rig.parents[bone]], false);
                var place = UnityAxes.Mirror(rig.reference[bone].position);
                bones[bone].position = root.position + root.rotation * new Vector3(place.x, place.y, place.z);
            }
            return root.gameObject.AddComponent<FullBodyIK>();
        }

        static void Send(object to, string message)
        {
            var method = to.GetType().GetMethod(message, BindingFlags.Instance | BindingFlags.NonPublic);
            try
            {
                method.Invoke(to, null);
            }
            catch (TargetInvocationException error)
            {
                throw error.InnerException;
            }
        }

        static void Frame(FullBodyIK own)
        {
            Send(own, "Update");
            Send(own, "LateUpdate");
            Time.frameCount++;
            Time.timeAsDouble += 1 / 60.0;
        }

        static float Distance(Vector3 a, Vector3 b)
        {
            return (float)Math.Sqrt((a - b).sqrMagnitude);
        }

        public static void TheHandReachesATargetInTheWorld()
        {
            Transform[] bones;
            var own = Character(out bones);
            Send(own, "Awake");
            var target = new GameObject("target").transform;
            // In front of the character and to its left, which is −X in Unity.
            target.position = own.transform.position + own.transform.rotation * new Vector3(-0.45f, 1.15f, 0.4f);
            own.solver.leftHandEffector.target = target;
            own.solver.leftHandEffector.positionWeight = 1;
            own.solver.leftFootEffector.positionWeight = 1;
            own.solver.rightFootEffector.positionWeight = 1;
            Check.That(Distance(bones[Person.LeftHand].position, target.position) > 0.3f, "the animated hand is away from the target");
            for (var frame = 0; frame < 3; frame++)
            {
                Frame(own);
            }
            Check.That(Distance(bones[Person.LeftHand].position, target.position) < 0.01f, "the hand is at "
                + Distance(bones[Person.LeftHand].position, target.position));
            // The same bones as the library's own solve in model space.
            using (var solver = new Solver(Person.Rig()))
            {
                var settings = Person.Reach(0);
                var expected = Person.Pose();
                solver.Solve(expected, ref settings);
                for (var bone = 0; bone < bones.Length; bone++)
                {
                    var model = Quaternion.Inverse(own.transform.rotation) * (bones[bone].position - own.transform.position);
                    var turn = Quaternion.Inverse(own.transform.rotation) * bones[bone].rotation;
                    var place = UnityAxes.Mirror(new Vec3(model.x, model.y, model.z));
                    Check.That(Check.Distance(place, expected[bone].position) < 1e-4f, "position of " + bones[bone].name);
                    var quat = UnityAxes.Mirror(new Quat(turn.x, turn.y, turn.z, turn.w));
                    Check.That(Check.Distance(quat, expected[bone].rotation) < 1e-3f, "rotation of " + bones[bone].name);
                }
            }
            Send(own, "OnDestroy");
        }

        public static void FeetFollowTheColliders()
        {
            Transform[] bones;
            var own = Character(out bones);
            var root = own.transform;
            // The root is at 0.5 m; the collider on its left is 6 cm higher.
            Physics.height = at => (Quaternion.Inverse(root.rotation) * (at - root.position)).x < 0 ? 0.56f : 0.5f;
            Send(own, "Awake");
            own.grounding = true;
            var first = bones[15].position.y;
            for (var frame = 0; frame < 120; frame++)
            {
                Frame(own);
            }
            Check.That(own.Grounder != null && Physics.casts > 120, "casts: " + Physics.casts);
            var apart = bones[12].position.y - bones[15].position.y;
            Check.That(Math.Abs(apart - 0.06f) < 0.01f, "the left foot stands " + apart + " m higher");
            Check.That(Math.Abs(bones[15].position.y - first) < 0.01f, "the right foot has moved");
            // Without grounding, the pose is the animated one.
            own.grounding = false;
            Frame(own);
            Check.That(Math.Abs(bones[12].position.y - bones[15].position.y) < 0.001f, "the feet stay apart");
            Send(own, "OnDestroy");
            Check.That(own.Grounder == null, "the grounder is not freed");
            Physics.height = at => 0;
        }

        public static void AFrameOfTheComponentAllocatesNothing()
        {
            Transform[] bones;
            var own = Character(out bones);
            Send(own, "Awake");
            own.solver.leftHandEffector.position = new Vector3(1, 1, 1);
            own.solver.leftHandEffector.positionWeight = 1;
            Check.AllocatesNothing(own.Solve);
            // With a window that does not listen.
            own.windowPort = 9;
            own.Attach();
            Check.AllocatesNothing(own.Solve);
            Send(own, "OnDestroy");
        }

        public static void InvalidInputIsReportedOnce()
        {
            Transform[] bones;
            var own = Character(out bones);
            Send(own, "Awake");
            bones[3].localPosition = new Vector3(float.NaN, 0, 0);
            own.fixTransforms = false;
            Frame(own);
            Check.That(Debug.last.StartsWith("person: ") && Debug.last.Contains("head") && !own.enabled, Debug.last);
            own = new GameObject("empty").AddComponent<FullBodyIK>();
            Send(own, "Awake");
            Check.That(Debug.last.StartsWith("empty: ") && !own.IsInitiated, Debug.last);
            Frame(own);
            own = Character(out bones);
            own.references.pelvis = new GameObject("elsewhere").transform;
            Send(own, "Awake");
            Check.That(Debug.last.Contains("elsewhere is not below the root"), Debug.last);
        }

        public static void PresetsAreImportedAndExported()
        {
            Transform[] bones;
            var own = Character(out bones);
            Send(own, "Awake");
            var every = File.ReadAllText(Package("Tests/Mono~/every.json"));
            own.ImportPreset(every);
            Check.Equal(own.solver.leftArmChain.pushSmoothing, FBIKChain.Smoothing.None, "smoothing");
            Check.Equal(own.solver.rightLegChain.bendConstraint.bendGoal.name, "bend goal, right leg", "the bend goal's object");
            AreEqual(own.ExportPreset(), every);
            Check.Throws<KinescopeException>(() => own.ImportPreset("{}"), "");
            Send(own, "OnDestroy");
        }

        public static void DefaultsAreThoseOfTheLibrary()
        {
            Transform[] bones;
            AreEqual(Character(out bones).ExportPreset(), Settings.Default.ToPreset());
        }

        /// <summary>Runs assignments that Kinescope exported; the script compiles them into the class Exported.</summary>
        public static void ExportedAssignmentsCompileAndSetEveryParameter()
        {
            var type = Type.GetType("Exported");
            if (type == null)
            {
                throw new SkippedException("without the program there are no exported assignments");
            }
            Transform[] bones;
            var own = Character(out bones);
            own.transform.SetPositionAndRotation(Vector3.zero, Quaternion.identity);
            type.GetMethod("Apply").Invoke(null, new object[] { own.solver });
            AreEqual(own.ExportPreset(), File.ReadAllText(Package("Tests/Mono~/every.json")));
        }

        /// <summary>Compares two presets up to rounding. The library adds all defaults to both.</summary>
        static void AreEqual(string preset, string expected)
        {
            AreEqual(Json.Read(Settings.FromPreset(preset).ToPreset()), Json.Read(Settings.FromPreset(expected).ToPreset()), "preset");
        }

        static void AreEqual(object own, object other, string path)
        {
            if (own is double && other is double)
            {
                Check.That(Math.Abs((double)own - (double)other) < 1e-5, path + ": " + own + " instead of " + other);
            }
            else if (own is Dictionary<string, object> && other is Dictionary<string, object>)
            {
                var all = (Dictionary<string, object>)own;
                Check.Equal(all.Count, ((Dictionary<string, object>)other).Count, path);
                foreach (var part in (Dictionary<string, object>)other)
                {
                    AreEqual(all[part.Key], part.Value, path + "." + part.Key);
                }
            }
            else if (own is List<object> && other is List<object>)
            {
                Check.Equal(((List<object>)own).Count, ((List<object>)other).Count, path);
                for (var index = 0; index < ((List<object>)own).Count; index++)
                {
                    AreEqual(((List<object>)own)[index], ((List<object>)other)[index], path + "[" + index + "]");
                }
            }
            else
            {
                Check.That(Equals(own, other), path + ": " + (own ?? "null") + " instead of " + (other ?? "null"));
            }
        }

        public static void TheInspectorAttachesToAWindow()
        {
            Transform[] bones;
            var own = Character(out bones);
            Send(own, "Awake");
            own.solver.leftHandEffector.position = new Vector3(1, 1, 1);
            own.solver.leftHandEffector.positionWeight = 1;
            var listener = new TcpListener(IPAddress.Loopback, 0);
            listener.Start();
            own.windowPort = ((IPEndPoint)listener.LocalEndpoint).Port;
            var inspector = new FullBodyIKEditor { target = own };
            inspector.OnInspectorGUI();
            Check.Equal(EditorUtility.shown, "Not attached", "state");
            Press(inspector, "Attach to Kinescope");
            using (var client = listener.AcceptTcpClient())
            using (var reader = new StreamReader(client.GetStream(), Encoding.UTF8))
            {
                Check.That(reader.ReadLine().Contains("\"name\":\"person\""), "header");
                var tune = own.ExportPreset().Replace('\n', ' ');
                var parts = Json.Parts(tune);
                var answer = "{\"kinescope\":1}\n{\"character\":\"person\",\"parameters\":{\"solver\":{\"iterations\":9},\"effectors\":"
                    + parts["effectors"] + "}}\n";
                var bytes = Encoding.UTF8.GetBytes(answer);
                client.GetStream().Write(bytes, 0, bytes.Length);
                for (var tries = 0; own.solver.iterations != 9 && tries < 1000; tries++)
                {
                    Frame(own);
                    Thread.Sleep(5);
                }
                Check.Equal(own.solver.iterations, 9, "the tuned number of iterations");
                Check.That(Distance(own.solver.leftHandEffector.position, new Vector3(1, 1, 1)) < 1e-3f, "the target is where it was");
                inspector.OnInspectorGUI();
                Check.That(EditorUtility.shown.StartsWith("Connected: "), EditorUtility.shown);
                var frame = reader.ReadLine();
                Check.That(frame.Contains("\"stage\":\"trigonometric\"") && frame.Contains("\"result\":["), "a frame with stages and result");
                var window = new Thread(() => reader.ReadToEnd());
                window.Start();
                // The window reads to the end and closes.
                var closes = new Thread(() => { window.Join(); client.Close(); });
                closes.Start();
                Press(inspector, "Detach from Kinescope");
                closes.Join();
            }
            listener.Stop();
            Check.That(!own.IsAttached, "attached");
            Send(own, "OnDestroy");
        }

        static void Press(FullBodyIKEditor inspector, string label)
        {
            GUILayout.pressed = label;
            inspector.OnInspectorGUI();
            GUILayout.pressed = null;
        }

        public static void TheInspectorImportsAndExports()
        {
            Transform[] bones;
            var own = Character(out bones);
            var inspector = new FullBodyIKEditor { target = own };
            EditorUtility.path = Package("Tests/Mono~/every.json");
            Press(inspector, "Import preset…");
            Check.Equal(own.solver.iterations, 3, "iterations");
            EditorUtility.path = Path.GetTempFileName();
            Press(inspector, "Export preset…");
            AreEqual(File.ReadAllText(EditorUtility.path), own.ExportPreset());
            File.WriteAllText(EditorUtility.path, "nothing");
            EditorUtility.shown = "";
            GUILayout.pressed = "Import preset…";
            Application.isPlaying = false;
            inspector.OnInspectorGUI();
            Application.isPlaying = true;
            GUILayout.pressed = null;
            File.Delete(EditorUtility.path);
            Check.Equal(own.solver.iterations, 3, "iterations after a file that is no preset");
            EditorUtility.path = "";
            Press(inspector, "Import preset…");
            Press(inspector, "Detect bones");
            Check.That(own.references.pelvis == null, "a character without an avatar");
            var animator = own.gameObject.AddComponent<Animator>();
            animator.isHuman = true;
            var roles = new[] { HumanBodyBones.Hips, HumanBodyBones.Spine, HumanBodyBones.Chest, HumanBodyBones.Head, HumanBodyBones.LeftUpperArm,
                HumanBodyBones.LeftLowerArm, HumanBodyBones.LeftHand, HumanBodyBones.RightUpperArm, HumanBodyBones.RightLowerArm, HumanBodyBones.RightHand,
                HumanBodyBones.LeftUpperLeg, HumanBodyBones.LeftLowerLeg, HumanBodyBones.LeftFoot, HumanBodyBones.RightUpperLeg, HumanBodyBones.RightLowerLeg,
                HumanBodyBones.RightFoot };
            for (var bone = 0; bone < roles.Length; bone++)
            {
                animator.bones[roles[bone]] = bones[bone];
            }
            Press(inspector, "Detect bones");
            Check.That(own.references.spine.Length == 2 && own.references.rightFoot == bones[15], "the avatar's bones");
            Send(own, "Awake");
            Check.That(own.IsInitiated, "a solver of the avatar's bones");
        }

        public static void GizmosShowBonesTargetsAndBendGoals()
        {
            Transform[] bones;
            var own = Character(out bones);
            Send(own, "Awake");
            Gizmos.drawn = 0;
            Send(own, "OnDrawGizmosSelected");
            Check.Equal(Gizmos.drawn, bones.Length - 1, "lines of bones");
            own.ImportPreset(File.ReadAllText(Package("Tests/Mono~/every.json")));
            Gizmos.drawn = 0;
            Send(own, "OnDrawGizmosSelected");
            // Two targets with a line each, and one bend goal.
            Check.Equal(Gizmos.drawn, bones.Length - 1 + 4 + 1, "with targets and a bend goal");
        }

        /// <summary>Builds the character of the sample scene, whose references and fields must be there, and solves it.</summary>
        public static void TheSampleSceneHasACharacterThatReaches()
        {
            var scene = Scene.Read(File.ReadAllText(Package("Samples~/Reach/Reach.unity")));
            var guid = new Regex("guid: ([0-9a-f]{32})");
            var script = guid.Match(File.ReadAllText(Package("Runtime/Unity/FullBodyIK.cs.meta"))).Groups[1].Value;
            var own = scene.Component<FullBodyIK>(script);
            Send(own, "Awake");
            Check.That(own.IsInitiated, "the solver");
            var hand = own.references.leftHand;
            var before = Distance(hand.position, own.solver.leftHandEffector.target.position);
            Frame(own);
            var after = Distance(hand.position, own.solver.leftHandEffector.target.position);
            Check.That(before > 0.3f && after < 0.02f, "the hand's distance was " + before + " and is " + after);
            scene.Component<Kinescope.Samples.MoveTarget>(guid.Match(File.ReadAllText(Package("Samples~/Reach/MoveTarget.cs.meta"))).Groups[1].Value);
        }

        /// <summary>Every file and folder that Unity imports has a GUID of its own.</summary>
        public static void EveryAssetHasAGuid()
        {
            var found = new HashSet<string>();
            var names = Directory.GetFileSystemEntries(Package(""), "*", SearchOption.AllDirectories);
            foreach (var path in names)
            {
                var isHidden = path.Contains("Mono~") || path.EndsWith("~") || path.Contains("/bin/");
                if (isHidden || path.EndsWith(".meta"))
                {
                    continue;
                }
                Check.That(File.Exists(path + ".meta"), path + " has no .meta file");
                var guid = Regex.Match(File.ReadAllText(path + ".meta"), "guid: ([0-9a-f]{32})\n").Groups[1].Value;
                Check.That(guid != "" && found.Add(guid), path + ": the GUID is missing or used twice");
            }
            Check.That(found.Count > 25, found.Count + " files");
        }

        internal static string Package(string path)
        {
            var folder = Environment.GetEnvironmentVariable("KINESCOPE_PACKAGE");
            if (string.IsNullOrEmpty(folder))
            {
                throw new SkippedException("KINESCOPE_PACKAGE is not set");
            }
            return Path.Combine(folder, path);
        }
    }
}
