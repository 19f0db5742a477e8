//! A real window on a virtual screen, to which a game attaches. Shared by the tests of the packages in Rust.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The longest wait for a state, long enough for slow machines.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// A process that ends with the test.
struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> Self {
        Self(command.stdout(Stdio::piped()).spawn().unwrap())
    }

    /// Returns the lines that the process prints, as they come.
    fn lines(&mut self) -> Receiver<String> {
        let (send, lines) = channel();
        let out = BufReader::new(self.0.stdout.take().unwrap());
        std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        lines
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub struct Window {
    pub address: String,
    log: Receiver<String>,
    display: String,
    // The window ends before its screen.
    _window: Process,
    _screen: Process,
}

impl Window {
    /// Opens a window with a configuration folder of its own. `None` if KINESCOPE_PROGRAM does not name the program.
    pub fn open(configuration: &Path) -> Option<Self> {
        let Some(program) = std::env::var_os("KINESCOPE_PROGRAM") else {
            eprintln!("skipped: KINESCOPE_PROGRAM is not set to the program kinescope");
            return None;
        };
        let mut screen = Command::new("Xvfb");
        screen.args(["-displayfd", "1", "-noreset", "-r", "-screen", "0", "1440x900x24"]).stderr(Stdio::null());
        let mut screen = Process::start(&mut screen);
        let display = format!(":{}", screen.lines().recv_timeout(PATIENCE).unwrap().trim());
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let mut window = Command::new(program);
        window.args(["--log", "--size", "1440x900", "--listen", &address]).env("DISPLAY", &display);
        window.env("XDG_CONFIG_HOME", configuration).env("KINESCOPE_SAMPLES", "1");
        // The window reads commands from its standard input, which must not be that of the test.
        let mut window = Process::start(window.stdin(Stdio::piped()));
        let log = window.lines();
        Some(Self { address, log, display, _window: window, _screen: screen })
    }

    /// Waits for a line of the log that has all the texts, and returns it.
    pub fn wait(&self, texts: &[&str]) -> String {
        let (start, mut last) = (Instant::now(), String::new());
        while let Ok(line) = self.log.recv_timeout(PATIENCE.saturating_sub(start.elapsed())) {
            if texts.iter().all(|text| line.contains(text)) {
                return line;
            }
            last = line;
        }
        panic!("no line has all of {texts:?}; the last is {last}");
    }

    pub fn press(&self, key: &str) {
        let id = self.run("xdotool", &["search", "--name", "Kinescope"]);
        self.run("xdotool", &["windowfocus", id.lines().next().unwrap(), "key", "--delay", "60", key]);
    }

    /// Writes a picture of the screen to the file that KINESCOPE_PICTURE names, if it is set.
    pub fn picture(&self) {
        if let Ok(picture) = std::env::var("KINESCOPE_PICTURE") {
            // A line of the log comes before its picture is drawn.
            std::thread::sleep(Duration::from_secs(2));
            self.run("import", &["-window", "root", &picture]);
        }
    }

    fn run(&self, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program).args(arguments).env("DISPLAY", &self.display).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}
