using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Kinescope
{
    /// <summary>
    /// Reads JSON as objects: Dictionary, List, string, double, bool and null. <see cref="Parts"/> keeps the text of each value of
    /// an object, for parts that are handed to the library.
    /// </summary>
    sealed class Json
    {
        const int DeepestNesting = 64;

        readonly string text;
        int at;
        int depth;

        Json(string text)
        {
            this.text = text;
        }

        internal static object Read(string text)
        {
            var reader = new Json(text);
            var value = reader.Value();
            reader.Space();
            if (reader.at != text.Length)
            {
                throw reader.Fault("more text after the value");
            }
            return value;
        }

        /// <summary>Returns the text of each value of an object, by its name.</summary>
        internal static Dictionary<string, string> Parts(string text)
        {
            var reader = new Json(text);
            var parts = new Dictionary<string, string>();
            reader.Object((name, from) => parts[name] = text.Substring(from, reader.at - from));
            reader.Space();
            if (reader.at != text.Length)
            {
                throw reader.Fault("more text after the value");
            }
            return parts;
        }

        FormatException Fault(string what)
        {
            return new FormatException("JSON, character " + (at + 1) + ": " + what);
        }

        void Space()
        {
            while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0)
            {
                at++;
            }
        }

        bool Skip(char letter)
        {
            Space();
            if (at < text.Length && text[at] == letter)
            {
                at++;
                return true;
            }
            return false;
        }

        void Expect(char letter)
        {
            if (!Skip(letter))
            {
                throw Fault("expected is " + letter);
            }
        }

        object Value()
        {
            Space();
            if (at == text.Length)
            {
                throw Fault("the text ends");
            }
            if (++depth > DeepestNesting)
            {
                throw Fault("more than " + DeepestNesting + " levels");
            }
            var value = OfLetter(text[at]);
            depth--;
            return value;
        }

        object OfLetter(char letter)
        {
            switch (letter)
            {
                case '{':
                    var all = new Dictionary<string, object>();
                    Object((name, from) => { }, all);
                    return all;
                case '[':
                    return List();
                case '"':
                    return Text();
                case 't':
                    return Word("true", true);
                case 'f':
                    return Word("false", false);
                case 'n':
                    return Word("null", null);
                default:
                    return Number();
            }
        }

        object Word(string word, object value)
        {
            if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0)
            {
                throw Fault("expected is a value");
            }
            at += word.Length;
            return value;
        }

        object Number()
        {
            var from = at;
            while (at < text.Length && "+-.eE0123456789".IndexOf(text[at]) >= 0)
            {
                at++;
            }
            double number;
            if (!double.TryParse(text.Substring(from, at - from), NumberStyles.Float, CultureInfo.InvariantCulture, out number))
            {
                throw Fault("expected is a value");
            }
            return number;
        }

        void Object(Action<string, int> each, Dictionary<string, object> all = null)
        {
            Expect('{');
            if (Skip('}'))
            {
                return;
            }
            do
            {
                Space();
                var name = Text();
                Expect(':');
                Space();
                var from = at;
                var value = Value();
                each(name, from);
                if (all != null)
                {
                    all[name] = value;
                }
            }
            while (Skip(','));
            Expect('}');
        }

        List<object> List()
        {
            var all = new List<object>();
            Expect('[');
            if (Skip(']'))
            {
                return all;
            }
            do
            {
                all.Add(Value());
            }
            while (Skip(','));
            Expect(']');
            return all;
        }

        string Text()
        {
            Expect('"');
            var own = new StringBuilder();
            while (true)
            {
                if (at == text.Length)
                {
                    throw Fault("a text does not end");
                }
                var letter = text[at++];
                if (letter == '"')
                {
                    return own.ToString();
                }
                own.Append(letter == '\\' ? Escaped() : letter);
            }
        }

        char Escaped()
        {
            var letter = at < text.Length ? text[at++] : '\0';
            switch (letter)
            {
                case 'n': return '\n';
                case 't': return '\t';
                case 'r': return '\r';
                case 'b': return '\b';
                case 'f': return '\f';
                case '"':
                case '\\':
                case '/': return letter;
                case 'u':
                    ushort code;
                    if (at + 4 <= text.Length
                        && ushort.TryParse(text.Substring(at, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out code))
                    {
                        at += 4;
                        return (char)code;
                    }
                    break;
            }
            throw Fault("an unknown escape");
        }
    }

    /// <summary>Writes lines of JSON.</summary>
    sealed class JsonWriter
    {
        readonly StringBuilder text = new StringBuilder();
        bool needsComma;

        internal byte[] Line()
        {
            text.Append('\n');
            var line = Encoding.UTF8.GetBytes(text.ToString());
            text.Length = 0;
            needsComma = false;
            return line;
        }

        internal void Open(char bracket)
        {
            Comma();
            text.Append(bracket);
            needsComma = false;
        }

        internal void Close(char bracket)
        {
            text.Append(bracket);
            needsComma = true;
        }

        internal void Name(string name)
        {
            Text(name);
            text.Append(':');
            needsComma = false;
        }

        internal void Raw(string json)
        {
            Comma();
            text.Append(json);
        }

        internal void Text(string own)
        {
            Comma();
            text.Append('"');
            foreach (var letter in own)
            {
                if (letter == '"' || letter == '\\')
                {
                    text.Append('\\').Append(letter);
                }
                else if (letter < ' ')
                {
                    text.Append("\\u").Append(((int)letter).ToString("x4", CultureInfo.InvariantCulture));
                }
                else
                {
                    text.Append(letter);
                }
            }
            text.Append('"');
        }

        internal void Number(long number)
        {
            Raw(number.ToString(CultureInfo.InvariantCulture));
        }

        internal void Number(double number)
        {
            Raw(number.ToString("R", CultureInfo.InvariantCulture));
        }

        internal void Number(float number)
        {
            // Nine digits represent every float exactly.
            Raw(number.ToString("G9", CultureInfo.InvariantCulture));
        }

        internal void Position(Vec3 position)
        {
            Open('[');
            Number(position.x);
            Number(position.y);
            Number(position.z);
            Close(']');
        }

        internal void Pose(RigidTransform[] bones)
        {
            Open('[');
            foreach (var bone in bones)
            {
                Open('[');
                Number(bone.position.x);
                Number(bone.position.y);
                Number(bone.position.z);
                Number(bone.rotation.x);
                Number(bone.rotation.y);
                Number(bone.rotation.z);
                Number(bone.rotation.w);
                Close(']');
            }
            Close(']');
        }

        void Comma()
        {
            if (needsComma)
            {
                text.Append(',');
            }
            needsComma = true;
        }
    }
}
