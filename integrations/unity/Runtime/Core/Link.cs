using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using System.Threading;

namespace Kinescope
{
    /// <summary>
    /// Sends frames to a listening window (<c>kinescope --listen</c>) as lines of JSON over TCP, and receives parameters that are
    /// tuned there. The window may start before or after the link, and may restart: the link reconnects by itself. Sending never waits.
    /// </summary>
    public sealed class Link : IDisposable
    {
        public const int DefaultPort = 7468;

        const int LongestQueue = 64;
        const int LongestAnswer = 1 << 20;
        const int PauseBetweenTries = 250;
        const int PauseBetweenReads = 5;
        const int LongestEnd = 2000;

        readonly object gate = new object();
        readonly Queue<byte[]> queue = new Queue<byte[]>();
        readonly Queue<KeyValuePair<int, Settings>> tuned = new Queue<KeyValuePair<int, Settings>>();
        readonly Lines lines;
        readonly byte[] header;
        readonly string host;
        readonly int port;
        readonly Thread thread;
        readonly List<byte> answer = new List<byte>();
        readonly byte[] buffer = new byte[4096];
        readonly Stopwatch closing = new Stopwatch();
        bool isClosing;
        bool isConnected;
        long sent;
        long dropped;
        string message = "";

        public Link(string producer, IEnumerable<RecordedCharacter> characters, string host = "127.0.0.1", int port = DefaultPort)
        {
            Library.Check();
            lines = new Lines(characters);
            header = lines.Header(producer);
            this.host = host;
            this.port = port;
            thread = new Thread(Run) { IsBackground = true, Name = "Kinescope link" };
            thread.Start();
        }

        /// <summary>Whether a window has accepted the game.</summary>
        public bool IsConnected
        {
            get { lock (gate) { return isConnected; } }
        }

        /// <summary>The number of frames and marks sent.</summary>
        public long Sent
        {
            get { lock (gate) { return sent; } }
        }

        /// <summary>The number of frames and marks dropped: no window was connected, the queue was full, or the connection broke.</summary>
        public long Dropped
        {
            get { lock (gate) { return dropped; } }
        }

        /// <summary>Why the window refused the game or a line, or why its answer could not be read; empty if neither happened since it accepted the game.</summary>
        public string Message
        {
            get { lock (gate) { return message; } }
        }

        /// <summary>
        /// Queues a frame. Returns false if no window is connected or the queue is full: the frame is dropped. Makes a text, so it
        /// allocates; without a connection it allocates nothing.
        /// </summary>
        public bool Send(RecordedFrame frame)
        {
            return HasRoom() && Add(lines.Frame(frame));
        }

        /// <summary>Marks a moment, in seconds, with a text. Returns false if the mark is dropped: see <see cref="Send"/>.</summary>
        public bool Mark(string mark, double time)
        {
            return HasRoom() && Add(lines.Mark(mark, time));
        }

        /// <summary>
        /// Receives what the window changes while it tunes the game: a character's number and all its parameters. Call it until it
        /// returns false.
        /// </summary>
        public bool TryTuned(out int character, out Settings settings)
        {
            lock (gate)
            {
                character = -1;
                settings = new Settings();
                if (tuned.Count == 0)
                {
                    return false;
                }
                var next = tuned.Dequeue();
                character = next.Key;
                settings = next.Value;
                return true;
            }
        }

        /// <summary>Sends the queued frames and disconnects; returns after at most two seconds.</summary>
        public void Dispose()
        {
            lock (gate)
            {
                isClosing = true;
                closing.Start();
                Monitor.PulseAll(gate);
            }
            thread.Join(LongestEnd);
        }

        bool HasRoom()
        {
            lock (gate)
            {
                if (isConnected && queue.Count < LongestQueue && !isClosing)
                {
                    return true;
                }
                dropped++;
                return false;
            }
        }

        bool Add(byte[] line)
        {
            lock (gate)
            {
                queue.Enqueue(line);
                Monitor.PulseAll(gate);
                return true;
            }
        }

        bool IsClosing
        {
            get { lock (gate) { return isClosing; } }
        }

        void Run()
        {
            while (!IsClosing)
            {
                try
                {
                    using (var client = new TcpClient())
                    {
                        client.NoDelay = true;
                        client.SendTimeout = LongestEnd;
                        client.Connect(host, port);
                        Talk(client);
                    }
                }
                catch (SocketException)
                {
                    // No window listens, or it went away. Try again.
                }
                catch (System.IO.IOException)
                {
                    // The connection broke.
                }
                catch (ObjectDisposedException)
                {
                    // The connection broke while it was closed.
                }
                lock (gate)
                {
                    isConnected = false;
                    dropped += queue.Count;
                    queue.Clear();
                    if (!isClosing)
                    {
                        Monitor.Wait(gate, PauseBetweenTries);
                    }
                }
            }
        }

        void Talk(TcpClient client)
        {
            var stream = client.GetStream();
            answer.Clear();
            stream.Write(header, 0, header.Length);
            while (Receive(client, stream))
            {
                byte[] line = null;
                lock (gate)
                {
                    if (queue.Count == 0)
                    {
                        if (isClosing)
                        {
                            break;
                        }
                        Monitor.Wait(gate, PauseBetweenReads);
                    }
                    if (queue.Count > 0)
                    {
                        line = queue.Dequeue();
                    }
                }
                if (line != null)
                {
                    stream.Write(line, 0, line.Length);
                    lock (gate)
                    {
                        sent++;
                    }
                }
            }
            End(client, stream);
        }

        /// <summary>
        /// Ends writing and reads to the end: if an answer were left unread, the system would reset the connection, and data in
        /// transit would be lost.
        /// </summary>
        void End(TcpClient client, NetworkStream stream)
        {
            client.Client.Shutdown(SocketShutdown.Send);
            // What is left of the time that Dispose waits.
            stream.ReadTimeout = Math.Max(1, LongestEnd - (int)closing.ElapsedMilliseconds);
            while (stream.Read(buffer, 0, buffer.Length) > 0)
            {
            }
        }

        /// <summary>Reads the answers that have arrived. Returns false if the window closed the connection.</summary>
        bool Receive(TcpClient client, NetworkStream stream)
        {
            while (client.Client.Poll(0, SelectMode.SelectRead))
            {
                var count = stream.Read(buffer, 0, buffer.Length);
                if (count == 0)
                {
                    return false;
                }
                for (var index = 0; index < count; index++)
                {
                    if (buffer[index] != '\n')
                    {
                        answer.Add(buffer[index]);
                        continue;
                    }
                    Heard(Encoding.UTF8.GetString(answer.ToArray()));
                    answer.Clear();
                }
                if (answer.Count > LongestAnswer)
                {
                    return false;
                }
            }
            return true;
        }

        void Heard(string line)
        {
            try
            {
                var parts = Json.Parts(line);
                string text;
                if (parts.TryGetValue("busy", out text))
                {
                    Remember(Convert.ToString(Json.Read(text)));
                }
                else if (parts.TryGetValue("error", out text))
                {
                    Remember(Refusal(text));
                }
                else if (parts.ContainsKey("kinescope"))
                {
                    lock (gate)
                    {
                        isConnected = true;
                        message = "";
                    }
                }
                else if (parts.TryGetValue("parameters", out text) && parts.ContainsKey("character"))
                {
                    var character = lines.Find(Convert.ToString(Json.Read(parts["character"])));
                    var settings = FromParameters(text);
                    lock (gate)
                    {
                        if (character >= 0)
                        {
                            tuned.Enqueue(new KeyValuePair<int, Settings>(character, settings));
                        }
                    }
                }
            }
            catch (FormatException error)
            {
                Remember(error.Message);
            }
            catch (KinescopeException error)
            {
                Remember(error.Message);
            }
        }

        /// <summary>Returns a refused line's number, field and fault in one line.</summary>
        static string Refusal(string error)
        {
            var parts = Json.Parts(error);
            Func<string, string> part = name =>
            {
                string text;
                return parts.TryGetValue(name, out text) ? Convert.ToString(Json.Read(text), CultureInfo.InvariantCulture) : "";
            };
            var field = part("field");
            return "line " + part("line") + (field == "" ? "" : ", " + field) + ": " + part("message");
        }

        void Remember(string text)
        {
            lock (gate)
            {
                message = text;
            }
        }

        static Settings FromParameters(string parameters)
        {
            var inner = parameters.Trim().Substring(1);
            var comma = inner.TrimStart().StartsWith("}", StringComparison.Ordinal) ? "" : ",";
            return Settings.FromPreset("{\"format\":\"kinescope-preset\",\"version\":1" + comma + inner);
        }
    }
}
