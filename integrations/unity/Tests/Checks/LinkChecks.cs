using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading;

namespace Kinescope.Tests
{
    /// <summary>Checks of recordings and of the link. The program <c>kinescope</c> that KINESCOPE_PROGRAM names compares the recordings.</summary>
    public static class LinkChecks
    {
        const int Frames = 30;
        const int FirstBad = 20;

        static RecordedCharacter[] Characters()
        {
            var rig = Person.Rig();
            rig.biped = Person.Biped();
            return new[] { new RecordedCharacter("player \"one\"", rig) };
        }

        /// <summary>
        /// Calls <paramref name="each"/> with the frames of a reach; from frame <paramref name="firstBad"/> on, the left forearm is
        /// displaced.
        /// </summary>
        static void Play(int firstBad, Action<RecordedFrame> each)
        {
            using (var solver = new Solver(Person.Rig()))
            {
                var steps = new StepNodes[64];
                for (var index = 0; index < Frames; index++)
                {
                    var frame = new RecordedFrame
                    {
                        number = index,
                        time = index / 60.0,
                        settings = Person.Reach(index / (float)Frames),
                        animated = Person.Pose(),
                        result = Person.Pose(),
                        steps = steps,
                    };
                    frame.stepCount = solver.SolveAndStep(frame.result, ref frame.settings, steps);
                    for (var step = 0; step < frame.stepCount && index >= firstBad; step++)
                    {
                        if (steps[step].step.stage == (uint)Stage.Trigonometric)
                        {
                            steps[step].leftForearmNode.z += 0.02f;
                            frame.result[5].position.z += 0.005f;
                        }
                    }
                    each(frame);
                }
            }
        }

        /// <summary>Returns what <c>kinescope diff</c> prints about a recording, and checks its exit status.</summary>
        static string Diff(string path, int status)
        {
            var program = Environment.GetEnvironmentVariable("KINESCOPE_PROGRAM");
            if (string.IsNullOrEmpty(program))
            {
                throw new SkippedException("KINESCOPE_PROGRAM is not set");
            }
            var start = new ProcessStartInfo(program, "diff \"" + path + "\"") { UseShellExecute = false, RedirectStandardOutput = true };
            using (var process = Process.Start(start))
            {
                var text = process.StandardOutput.ReadToEnd();
                process.WaitForExit();
                Check.Equal(process.ExitCode, status, "the status of kinescope diff, which prints " + text);
                return text;
            }
        }

        static void WithFile(Action<string> work)
        {
            var path = Path.Combine(Path.GetTempPath(), "kinescope " + Guid.NewGuid() + ".jsonl");
            try
            {
                work(path);
            }
            finally
            {
                File.Delete(path);
            }
        }

        public static void ARecordingWithoutABugAgrees()
        {
            WithFile(path =>
            {
                using (var recorder = new Recorder(path, "a test in C#", Characters()))
                {
                    Play(Frames, recorder.Frame);
                    recorder.Mark("end", 1);
                }
                var text = Diff(path, 0);
                Check.That(text.Contains("30 frames"), text);
            });
        }

        public static void KinescopeFindsAPlantedBug()
        {
            WithFile(path =>
            {
                using (var recorder = new Recorder(path, "a test in C#", Characters()))
                {
                    Play(FirstBad, recorder.Frame);
                }
                var text = Diff(path, 1);
                Check.That(text.Contains("frame 20 at 0.333 s: iteration 0, trigonometric, left_forearm: 20.000 mm apart"), text);
                Check.That(text.Contains("10 of 30 frames differ"), text);
            });
        }

        public static void AFrameThatIsNotFiniteIsRefused()
        {
            WithFile(path =>
            {
                using (var recorder = new Recorder(path, "", Characters()))
                {
                    var frame = new RecordedFrame { settings = Settings.Default, animated = Person.Pose() };
                    recorder.Frame(frame);
                    frame.animated[3].position.x = float.PositiveInfinity;
                    Check.Throws<ArgumentException>(() => recorder.Frame(frame), "bone 3");
                    frame.animated = new RigidTransform[3];
                    Check.Throws<ArgumentException>(() => recorder.Frame(frame), "3 bones");
                    frame.animated = Person.Pose();
                    frame.time = double.NaN;
                    Check.Throws<ArgumentException>(() => recorder.Frame(frame), "time");
                    frame.character = 1;
                    Check.Throws<ArgumentOutOfRangeException>(() => recorder.Frame(frame), "");
                }
                Check.Equal(File.ReadAllLines(path).Length, 2, "lines");
            });
        }

        /// <summary>Plays the window: accepts one game, answers, and returns all its lines once the game has disconnected.</summary>
        static string[] Window(TcpListener listener, params string[] answers)
        {
            using (var client = listener.AcceptTcpClient())
            using (var stream = client.GetStream())
            using (var reader = new StreamReader(stream, Encoding.UTF8))
            {
                var lines = new List<string> { reader.ReadLine() };
                foreach (var answer in answers)
                {
                    var bytes = Encoding.UTF8.GetBytes(answer + "\n");
                    stream.Write(bytes, 0, bytes.Length);
                }
                for (var line = reader.ReadLine(); line != null; line = reader.ReadLine())
                {
                    lines.Add(line);
                }
                return lines.ToArray();
            }
        }

        static void Await(Func<bool> holds, string what)
        {
            // Two minutes at least: a real window may start slowly.
            for (var tries = 0; !holds(); tries++)
            {
                Check.That(tries < 12000, "timed out: " + what);
                Thread.Sleep(10);
            }
        }

        static Thread InBackground(Action work)
        {
            var thread = new Thread(() => work()) { IsBackground = true };
            thread.Start();
            return thread;
        }

        public static void TheLinkSendsFramesAndReceivesTunedParameters()
        {
            var listener = new TcpListener(IPAddress.Loopback, 0);
            listener.Start();
            string[] lines = null;
            var tune = "{\"character\":\"player \\\"one\\\"\",\"parameters\":{\"solver\":{},\"chains\":{\"left_arm\":{\"pull\":0.25}},\"effectors\":{}}}";
            var window = InBackground(() => lines = Window(listener, "{\"kinescope\":1}", "what is that?", tune));
            using (var link = new Link("a test in C#", Characters(), "127.0.0.1", ((IPEndPoint)listener.LocalEndpoint).Port))
            {
                Await(() => link.IsConnected, "the window accepts the game");
                Play(FirstBad, frame => Await(() => link.Send(frame), "room in the queue"));
                link.Mark("end", 1);
                int character = -1;
                Settings settings = new Settings();
                Await(() => link.TryTuned(out character, out settings), "tuned parameters");
                Check.Equal(character, 0, "character");
                Check.Equal(settings.leftArmChain.pull, 0.25f, "pull");
                Check.Equal(settings.rightArmChain.pull, 1f, "the default of another limb");
                Check.That(link.Message.StartsWith("JSON"), "the message about an answer that is no JSON: " + link.Message);
            }
            window.Join();
            listener.Stop();
            Check.Equal(lines.Length, 1 + Frames + 1, "lines");
            WithFile(path =>
            {
                File.WriteAllLines(path, lines);
                var text = Diff(path, 1);
                Check.That(text.Contains("frame 20 at 0.333 s: iteration 0, trigonometric, left_forearm: 20.000 mm apart"), text);
            });
        }

        /// <summary>Sends to a real window, whose log has a line of JSON for each state.</summary>
        public static void ARealWindowFindsAPlantedBug()
        {
            var port = Environment.GetEnvironmentVariable("KINESCOPE_WINDOW");
            if (string.IsNullOrEmpty(port))
            {
                throw new SkippedException("KINESCOPE_WINDOW is not set to the port of a window");
            }
            using (var link = new Link("a test in C#", Characters(), "127.0.0.1", int.Parse(port)))
            {
                Await(() => link.IsConnected, "the window accepts the game");
                Play(FirstBad, frame => Await(() => link.Send(frame), "room in the queue"));
            }
            Func<string, bool> isDone = line => line.Contains("\"differing\":10,\"first_difference\":{\"frame\":20,\"stage\":\"iteration 0, trigonometric\"}")
                && line.Contains("\"frames\":30");
            var log = Environment.GetEnvironmentVariable("KINESCOPE_WINDOW_LOG");
            Await(() => Array.Exists(ReadLines(log), line => isDone(line)), "the window's log states the bug");
        }

        /// <summary>Returns the lines of a file that another process writes.</summary>
        static string[] ReadLines(string path)
        {
            using (var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite))
            using (var reader = new StreamReader(file))
            {
                return reader.ReadToEnd().Split('\n');
            }
        }

        /// <summary>
        /// A window that reads late and never closes its end delays Dispose by two seconds together, not by two seconds for each.
        /// </summary>
        public static void DisposeWaitsForTwoSecondsAtMost()
        {
            var listener = new TcpListener(IPAddress.Loopback, 0);
            listener.Start();
            using (var disposes = new ManualResetEvent(false))
            using (var end = new ManualResetEvent(false))
            {
                var window = InBackground(() =>
                {
                    using (var client = listener.AcceptTcpClient())
                    {
                        var accepts = Encoding.UTF8.GetBytes("{\"kinescope\":1}\n");
                        client.GetStream().Write(accepts, 0, accepts.Length);
                        disposes.WaitOne();
                        Thread.Sleep(1500);
                        var rest = new byte[1 << 20];
                        while (client.GetStream().Read(rest, 0, rest.Length) > 0)
                        {
                        }
                        end.WaitOne();
                    }
                });
                var link = new Link("a test in C#", Characters(), "127.0.0.1", ((IPEndPoint)listener.LocalEndpoint).Port);
                Await(() => link.IsConnected, "the window accepts the game");
                // Until the system takes no more, and the queue is full.
                var text = new string('x', 1 << 20);
                for (var refused = 0; refused < 20;)
                {
                    refused = link.Mark(text, 0) ? 0 : refused + 1;
                    Thread.Sleep(5);
                }
                var watch = Stopwatch.StartNew();
                disposes.Set();
                link.Dispose();
                Check.That(watch.ElapsedMilliseconds < 3000, "Dispose took " + watch.ElapsedMilliseconds + " ms");
                end.Set();
                window.Join();
            }
            listener.Stop();
        }

        public static void TheLinkReportsWhyALineWasRefused()
        {
            var listener = new TcpListener(IPAddress.Loopback, 0);
            listener.Start();
            var error = "{\"error\":{\"line\":812,\"field\":\"animated[3]\",\"message\":\"has 6 numbers\"}}";
            var whole = "{\"error\":{\"line\":2,\"field\":\"\",\"message\":\"is empty\"}}";
            foreach (var answer in new[] { error, whole })
            {
                var window = InBackground(() => Window(listener, "{\"kinescope\":1}", answer));
                using (var link = new Link("a test in C#", Characters(), "127.0.0.1", ((IPEndPoint)listener.LocalEndpoint).Port))
                {
                    var expected = answer == error ? "line 812, animated[3]: has 6 numbers" : "line 2: is empty";
                    Await(() => link.Message == expected, "the reason of the refusal");
                }
                window.Join();
            }
            listener.Stop();
        }

        public static void TheLinkReportsABusyWindowAndConnectsAgain()
        {
            var listener = new TcpListener(IPAddress.Loopback, 0);
            listener.Start();
            var endsAtOnce = InBackground(() =>
            {
                using (var client = listener.AcceptTcpClient())
                {
                    var busy = Encoding.UTF8.GetBytes("{\"busy\":\"another game is connected\"}\n");
                    client.GetStream().Write(busy, 0, busy.Length);
                    new StreamReader(client.GetStream()).ReadLine();
                }
            });
            using (var link = new Link("a test in C#", Characters(), "127.0.0.1", ((IPEndPoint)listener.LocalEndpoint).Port))
            {
                var frame = new RecordedFrame { settings = Settings.Default, animated = Person.Pose() };
                Check.That(!link.Send(frame), "a frame without a window");
                Check.Equal(link.Dropped, 1L, "dropped frames");
                Await(() => link.Message == "another game is connected", "the window's answer");
                Check.AllocatesNothing(() => link.Send(frame));
                endsAtOnce.Join();
                string[] lines = null;
                var window = InBackground(() => lines = Window(listener, "{\"kinescope\":1}"));
                Await(() => link.IsConnected, "the second window accepts the game");
                Check.Equal(link.Message, "", "message");
                Check.That(link.Send(frame), "a frame with a window");
                link.Dispose();
                window.Join();
                listener.Stop();
                Check.Equal(lines.Length, 2, "lines");
                Check.That(link.Sent == 1 && !link.Send(frame), "after the end");
            }
        }
    }
}
