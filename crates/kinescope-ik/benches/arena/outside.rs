//! Outside solvers: those of the adapters in `integrations/python/lanes` and `integrations/npm/lanes` whose packages
//! are installed. A script of each folder answers for all its adapters.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::rc::Rc;

use glam::{Quat, Vec3};
use kinescope_ik::rig::RigidTransform;
use serde::Deserialize;

use super::frames::{Frame, Set};
use super::solvers::Solver;

struct Script {
    child: Child,
    answers: BufReader<ChildStdout>,
    /// The set whose character the script has received.
    set: &'static str,
}

/// The first line that a script prints.
#[derive(Deserialize)]
struct Hello {
    solvers: Vec<Named>,
    skipped: Vec<String>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
    versions: String,
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    pose: Vec<[f32; 7]>,
    #[serde(default)]
    us: f64,
    error: Option<String>,
}

struct Outside {
    name: String,
    versions: String,
    index: usize,
    script: Rc<RefCell<Script>>,
    /// Whether a solve failed. The first failure is printed.
    has_failed: bool,
}

/// Starts the scripts. Returns the solvers whose packages are installed, and reports the others.
pub fn solvers() -> Vec<Box<dyn Solver>> {
    let python = std::env::var("KINESCOPE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut all: Vec<Box<dyn Solver>> = Vec::new();
    for (program, script) in [(python.as_str(), "python/lanes/arena.py"), ("node", "npm/lanes/arena.mjs")] {
        match start(program, script) {
            Ok((hello, script)) => {
                hello.skipped.iter().for_each(|reason| println!("skipped: {reason}"));
                let script = Rc::new(RefCell::new(script));
                for (index, Named { name, versions }) in hello.solvers.into_iter().enumerate() {
                    all.push(Box::new(Outside { name, versions, index, script: script.clone(), has_failed: false }));
                }
            }
            Err(reason) => println!("skipped: {program} {script}: {reason}"),
        }
    }
    all
}

fn start(program: &str, script: &str) -> Result<(Hello, Script), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations").join(script);
    let mut command = Command::new(program);
    command.arg(path).stdin(Stdio::piped()).stdout(Stdio::piped());
    // One thread, as for the solvers of the library.
    for variable in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"] {
        command.env(variable, "1");
    }
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let answers = BufReader::new(child.stdout.take().ok_or("no output")?);
    let mut script = Script { child, answers, set: "" };
    let hello = script.line()?;
    Ok((serde_json::from_str(&hello).map_err(|error| error.to_string())?, script))
}

impl Script {
    fn line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        match self.answers.read_line(&mut line) {
            Ok(0) => Err("the script ended".to_owned()),
            Ok(_) => Ok(line),
            Err(error) => Err(error.to_string()),
        }
    }

    fn send(&mut self, line: &str) -> Result<(), String> {
        let input = self.child.stdin.as_mut().ok_or("no input")?;
        writeln!(input, "{line}").and_then(|()| input.flush()).map_err(|error| error.to_string())
    }

    fn ask(&mut self, set: &Set, line: &str) -> Result<Answer, String> {
        if self.set != set.name {
            self.send(&set.character())?;
            self.set = set.name;
        }
        self.send(line)?;
        let answer: Answer = serde_json::from_str(&self.line()?).map_err(|error| error.to_string())?;
        match answer.error {
            Some(error) => Err(error),
            None => Ok(answer),
        }
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        // The script ends at the end of its input.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

impl Solver for Outside {
    fn name(&self) -> &str {
        &self.name
    }

    fn versions(&self) -> &str {
        &self.versions
    }

    fn is_outside(&self) -> bool {
        true
    }

    fn solve(&mut self, set: &Set, frame: &Frame, pose: &mut [RigidTransform]) -> Option<f64> {
        let line = frame.line(set, self.index, 0);
        match self.script.borrow_mut().ask(set, &line) {
            Ok(answer) => {
                for (bone, [x, y, z, a, b, c, d]) in pose.iter_mut().zip(answer.pose) {
                    bone.position = Vec3::new(x, y, z);
                    bone.rotation = Quat::from_xyzw(a, b, c, d).normalize();
                }
                Some(answer.us)
            }
            Err(error) => {
                if !std::mem::replace(&mut self.has_failed, true) {
                    println!("{}: a solve failed: {error}", self.name);
                }
                None
            }
        }
    }
}
