using System;
using System.Collections.Generic;
using System.IO;

namespace Kinescope
{
    /// <summary>A character of a recording or a link.</summary>
    public sealed class RecordedCharacter
    {
        public readonly string Name;
        public readonly Rig Rig;

        public RecordedCharacter(string name, Rig rig)
        {
            if (string.IsNullOrEmpty(name) || rig == null)
            {
                throw new ArgumentException("A character needs a name and a rig.");
            }
            rig.Check();
            Name = name;
            Rig = rig;
        }
    }

    /// <summary>One frame of one character.</summary>
    public sealed class RecordedFrame
    {
        /// <summary>The character's number in the list of characters.</summary>
        public int character;
        /// <summary>The game's frame number; a negative number continues from the previous frame.</summary>
        public long number = -1;
        /// <summary>Seconds. Must not decrease within one character.</summary>
        public double time;
        /// <summary>The parameters of the solve.</summary>
        public Settings settings;
        /// <summary>The animated pose, the solver's input.</summary>
        public RigidTransform[] animated;
        /// <summary>The game's own solved pose; may be null.</summary>
        public RigidTransform[] result;
        /// <summary>Stages and the nodes after each; may be null.</summary>
        public StepNodes[] steps;
        /// <summary>The number of stages in <see cref="steps"/>.</summary>
        public int stepCount;
    }

    /// <summary>Writes the lines that a recording has, and that a listening window reads.</summary>
    sealed unsafe class Lines
    {
        readonly JsonWriter json = new JsonWriter();
        readonly List<RecordedCharacter> characters;
        // The parameters as JSON, written again only if they change.
        readonly string[] parameters;
        readonly Settings[] settings;

        internal Lines(IEnumerable<RecordedCharacter> characters)
        {
            this.characters = new List<RecordedCharacter>(characters);
            parameters = new string[this.characters.Count];
            settings = new Settings[this.characters.Count];
            if (this.characters.Count == 0)
            {
                throw new ArgumentException("There is no character.");
            }
        }

        internal int Find(string name)
        {
            return characters.FindIndex(character => character.Name == name);
        }

        internal byte[] Header(string producer)
        {
            json.Open('{');
            json.Name("format");
            json.Text("kinescope-recording");
            json.Name("version");
            json.Number(1);
            json.Name("producer");
            json.Text(producer);
            json.Name("characters");
            json.Open('[');
            foreach (var character in characters)
            {
                json.Open('{');
                json.Name("name");
                json.Text(character.Name);
                json.Name("rig");
                WriteRig(character.Rig);
                json.Close('}');
            }
            json.Close(']');
            json.Close('}');
            return json.Line();
        }

        void WriteRig(Rig rig)
        {
            json.Open('{');
            json.Name("bones");
            json.Open('[');
            for (var bone = 0; bone < rig.BoneCount; bone++)
            {
                json.Open('{');
                json.Name("name");
                json.Text(rig.names[bone]);
                json.Name("parent");
                json.Number(rig.parents[bone]);
                json.Name("reference");
                var own = rig.reference[bone];
                json.Open('[');
                foreach (var number in new[] { own.position.x, own.position.y, own.position.z, own.rotation.x, own.rotation.y, own.rotation.z, own.rotation.w })
                {
                    json.Number(number);
                }
                json.Close(']');
                json.Close('}');
            }
            json.Close(']');
            if (rig.biped != null)
            {
                json.Name("biped");
                WriteBiped(rig.biped);
            }
            json.Close('}');
        }

        void WriteBiped(Biped biped)
        {
            json.Open('{');
            Role("pelvis", biped.pelvis);
            json.Name("spine");
            json.Open('[');
            foreach (var bone in biped.spine)
            {
                json.Number(bone);
            }
            json.Close(']');
            Role("head", biped.head);
            Role("root_node", biped.rootNode);
            Arm("left", biped.leftArm);
            Arm("right", biped.rightArm);
            Leg("left", biped.leftLeg);
            Leg("right", biped.rightLeg);
            json.Close('}');
        }

        void Arm(string side, LimbBones limb)
        {
            Role(side + "_clavicle", limb.clavicle);
            Role(side + "_upper_arm", limb.bones0);
            Role(side + "_forearm", limb.bones1);
            Role(side + "_hand", limb.bones2);
        }

        void Leg(string side, LimbBones limb)
        {
            Role(side + "_thigh", limb.bones0);
            Role(side + "_calf", limb.bones1);
            Role(side + "_foot", limb.bones2);
        }

        void Role(string role, int bone)
        {
            if (bone >= 0)
            {
                json.Name(role);
                json.Number(bone);
            }
        }

        /// <summary>Returns the line of a frame. A frame with a number that is not finite throws an exception.</summary>
        internal byte[] Frame(RecordedFrame frame)
        {
            if (frame.character < 0 || frame.character >= characters.Count)
            {
                throw new ArgumentOutOfRangeException("character");
            }
            var own = characters[frame.character];
            Check(own, frame.animated, "animated");
            if (frame.result != null)
            {
                Check(own, frame.result, "result");
            }
            if (double.IsNaN(frame.time) || double.IsInfinity(frame.time))
            {
                throw new ArgumentException("The time of the frame is not a finite number.");
            }
            var parameters = Parameters(frame.character, ref frame.settings);
            json.Open('{');
            json.Name("character");
            json.Text(own.Name);
            if (frame.number >= 0)
            {
                json.Name("frame");
                json.Number(frame.number);
            }
            json.Name("time");
            json.Number(frame.time);
            json.Name("parameters");
            json.Raw(parameters);
            json.Name("animated");
            json.Pose(frame.animated);
            if (frame.steps != null && frame.stepCount > 0)
            {
                json.Name("steps");
                WriteSteps(frame.steps, Math.Min(frame.stepCount, frame.steps.Length));
            }
            if (frame.result != null)
            {
                json.Name("result");
                json.Pose(frame.result);
            }
            json.Close('}');
            return json.Line();
        }

        void WriteSteps(StepNodes[] steps, int count)
        {
            json.Open('[');
            for (var index = 0; index < count; index++)
            {
                json.Open('{');
                if (steps[index].step.iteration >= 0)
                {
                    json.Name("iteration");
                    json.Number(steps[index].step.iteration);
                }
                json.Name("stage");
                json.Text(Names.Stages[steps[index].step.stage]);
                json.Name("nodes");
                json.Open('{');
                fixed (Vec3* nodes = &steps[index].bodyNode)
                {
                    for (var node = 0; node < Names.Nodes.Length; node++)
                    {
                        json.Name(Names.Nodes[node]);
                        json.Position(nodes[node]);
                    }
                }
                json.Close('}');
                json.Close('}');
            }
            json.Close(']');
        }

        internal byte[] Mark(string mark, double time)
        {
            json.Open('{');
            json.Name("mark");
            json.Text(mark);
            json.Name("time");
            json.Number(time);
            json.Close('}');
            return json.Line();
        }

        string Parameters(int character, ref Settings own)
        {
            if (parameters[character] == null || !AreEqual(ref own, ref settings[character]))
            {
                parameters[character] = Parameters(own.ToPreset());
                settings[character] = own;
            }
            return parameters[character];
        }

        /// <summary>Returns the part of a preset that frames have, on one line.</summary>
        static string Parameters(string preset)
        {
            var parts = Json.Parts(preset);
            var text = "";
            foreach (var name in new[] { "solver", "chains", "effectors" })
            {
                string part;
                if (parts.TryGetValue(name, out part))
                {
                    text += (text == "" ? "" : ",") + "\"" + name + "\":" + part.Replace('\n', ' ');
                }
            }
            return "{" + text + "}";
        }

        static bool AreEqual(ref Settings a, ref Settings b)
        {
            fixed (Settings* first = &a)
            fixed (Settings* second = &b)
            {
                for (var at = 0; at < sizeof(Settings) / 4; at++)
                {
                    if (((int*)first)[at] != ((int*)second)[at])
                    {
                        return false;
                    }
                }
            }
            return true;
        }

        static void Check(RecordedCharacter character, RigidTransform[] pose, string name)
        {
            if (pose == null || pose.Length != character.Rig.BoneCount)
            {
                throw new ArgumentException("The pose " + name + " has " + (pose == null ? 0 : pose.Length) + " bones, " + character.Name
                    + " has " + character.Rig.BoneCount + ".");
            }
            fixed (RigidTransform* bones = pose)
            {
                var numbers = (float*)bones;
                for (var at = 0; at < pose.Length * 7; at++)
                {
                    if (float.IsNaN(numbers[at]) || float.IsInfinity(numbers[at]))
                    {
                        throw new ArgumentException("The pose " + name + ": bone " + at / 7 + " has a number that is not finite.");
                    }
                }
            }
        }
    }

    /// <summary>Writes a recording to a file, which the window opens and <c>kinescope diff</c> checks.</summary>
    public sealed class Recorder : IDisposable
    {
        readonly Lines lines;
        readonly Stream file;

        public Recorder(string path, string producer, IEnumerable<RecordedCharacter> characters)
        {
            lines = new Lines(characters);
            var header = lines.Header(producer);
            file = new FileStream(path, FileMode.Create, FileAccess.Write);
            file.Write(header, 0, header.Length);
        }

        public void Frame(RecordedFrame frame)
        {
            var line = lines.Frame(frame);
            file.Write(line, 0, line.Length);
        }

        /// <summary>Marks a moment, in seconds, with a text.</summary>
        public void Mark(string mark, double time)
        {
            var line = lines.Mark(mark, time);
            file.Write(line, 0, line.Length);
        }

        public void Dispose()
        {
            file.Dispose();
        }
    }
}
