using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text.RegularExpressions;
using UnityEngine;

namespace Kinescope.Tests
{
    /// <summary>The game objects of a scene file. Every reference and every field of a script must exist.</summary>
    sealed class Scene
    {
        readonly Dictionary<string, string> blocks = new Dictionary<string, string>();
        readonly Dictionary<string, GameObject> objects = new Dictionary<string, GameObject>();
        readonly Dictionary<string, Transform> transforms = new Dictionary<string, Transform>();

        internal static Scene Read(string text)
        {
            var own = new Scene();
            foreach (Match block in Regex.Matches(text, @"--- !u!(\d+) &(\d+)\n((?:(?!--- ).*\n)*)"))
            {
                own.blocks.Add(block.Groups[2].Value, block.Groups[3].Value);
            }
            foreach (var block in own.blocks)
            {
                foreach (Match reference in Regex.Matches(block.Value, @"\{fileID: (\d+)\}"))
                {
                    var id = reference.Groups[1].Value;
                    Check.That(id == "0" || own.blocks.ContainsKey(id), "&" + block.Key + " refers to " + id + ", which does not exist");
                }
                if (block.Value.StartsWith("GameObject:"))
                {
                    own.objects.Add(block.Key, new GameObject(Value(block.Value, "m_Name")));
                }
            }
            foreach (var block in own.blocks)
            {
                if (block.Value.StartsWith("Transform:"))
                {
                    own.transforms.Add(block.Key, own.objects[Id(block.Value, "m_GameObject")].transform);
                }
            }
            foreach (var transform in own.transforms)
            {
                var block = own.blocks[transform.Key];
                var father = Id(block, "m_Father");
                if (father != "0")
                {
                    Check.That(Regex.IsMatch(own.blocks[father], "- \\{fileID: " + transform.Key + "\\}"), "the parent of &" + transform.Key + " lacks it");
                    transform.Value.SetParent(own.transforms[father], false);
                }
                var place = Numbers(block, "m_LocalPosition");
                var turn = Numbers(block, "m_LocalRotation");
                transform.Value.localPosition = new Vector3(place[0], place[1], place[2]);
                transform.Value.localRotation = new Quaternion(turn[0], turn[1], turn[2], turn[3]);
                var length = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3];
                Check.That(Math.Abs(length - 1) < 1e-3f, "the rotation of &" + transform.Key);
            }
            return own;
        }

        /// <summary>Returns the component of a script, with the fields of the scene.</summary>
        internal T Component<T>(string guid) where T : Component, new()
        {
            foreach (var block in blocks)
            {
                if (block.Value.StartsWith("MonoBehaviour:") && block.Value.Contains("guid: " + guid))
                {
                    var made = objects[Id(block.Value, "m_GameObject")].AddComponent<T>();
                    var lines = block.Value.Split('\n');
                    var at = Array.FindIndex(lines, line => line.Contains("m_EditorClassIdentifier")) + 1;
                    Fill(made, lines, ref at, 2);
                    return made;
                }
            }
            throw new Exception("no component of the script " + guid);
        }

        void Fill(object own, string[] lines, ref int at, int indent)
        {
            while (at < lines.Length)
            {
                var line = lines[at];
                var match = Regex.Match(line, @"^( *)(\w+):(?: (.*))?$");
                if (!match.Success || match.Groups[1].Length < indent)
                {
                    return;
                }
                var field = own.GetType().GetField(match.Groups[2].Value);
                Check.That(field != null, own.GetType().Name + " has no field " + match.Groups[2].Value);
                var text = match.Groups[3].Value;
                at++;
                if (field.FieldType == typeof(Transform[]))
                {
                    var all = new List<Transform>();
                    for (; lines[at].TrimStart().StartsWith("- "); at++)
                    {
                        all.Add(Reference(lines[at]));
                    }
                    field.SetValue(own, all.ToArray());
                }
                else if (text == "")
                {
                    Fill(field.GetValue(own), lines, ref at, indent + 2);
                }
                else
                {
                    field.SetValue(own, Value(field.FieldType, text));
                }
            }
        }

        object Value(Type type, string text)
        {
            if (type == typeof(Transform))
            {
                return Reference(text);
            }
            if (type == typeof(bool))
            {
                return text == "1";
            }
            return Convert.ChangeType(text, type, CultureInfo.InvariantCulture);
        }

        Transform Reference(string text)
        {
            var id = Regex.Match(text, @"fileID: (\d+)").Groups[1].Value;
            return id == "0" ? null : transforms[id];
        }

        static string Value(string block, string name)
        {
            return Regex.Match(block, name + ": (.*)\n").Groups[1].Value;
        }

        static string Id(string block, string name)
        {
            return Regex.Match(block, name + @": \{fileID: (\d+)\}").Groups[1].Value;
        }

        static float[] Numbers(string block, string name)
        {
            var all = new List<float>();
            foreach (Match number in Regex.Matches(Value(block, name), @"\w: (-?[0-9.e-]+)"))
            {
                all.Add(float.Parse(number.Groups[1].Value, CultureInfo.InvariantCulture));
            }
            return all.ToArray();
        }
    }
}
