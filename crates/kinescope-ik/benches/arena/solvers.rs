use std::sync::Arc;
use std::time::Instant;

use kinescope_ik::full_body::{FullBody, Workspace};
use kinescope_ik::least_squares::{self, LastPose, LeastSquaresSettings};
use kinescope_ik::position_based::{PositionBased, PositionBasedSettings, State};
use kinescope_ik::rig::RigidTransform;

use super::frames::{Frame, Set};

pub trait Solver {
    fn name(&self) -> &str;

    fn versions(&self) -> &str {
        concat!("kinescope-ik ", env!("CARGO_PKG_VERSION"))
    }

    /// Returns whether another program solves. Such solvers run fewer rounds, because every frame is sent to them.
    fn is_outside(&self) -> bool {
        false
    }

    /// Solves a frame's animated pose in place. Returns the duration in microseconds; `None` if the solve failed, and
    /// the pose is then unchanged.
    fn solve(&mut self, set: &Set, frame: &Frame, pose: &mut [RigidTransform]) -> Option<f64>;

    /// Discards the last result, from which warm solves start: another clip follows.
    fn jump(&mut self) {}
}

pub fn of_library(set: &Set) -> Vec<Box<dyn Solver>> {
    vec![
        Box::new(Animation),
        Box::new(Body { workspace: set.setup.solver.workspace() }),
        Box::new(LeastSquares::new("least squares, cold, 3 iterations", 3, false)),
        Box::new(LeastSquares::new("least squares, cold, 5 iterations", 5, false)),
        Box::new(LeastSquares::exact("least squares, cold, weak rest, 5 iterations", 5)),
        Box::new(LeastSquares::new("least squares, cold", 16, false)),
        Box::new(LeastSquares::new("least squares, warm", 16, true)),
        Box::new(Substeps::new(set, "position based, cold, 4 sub-steps", 4, false)),
        Box::new(Substeps::new(set, "position based, cold", 16, false)),
        Box::new(Substeps::new(set, "position based, warm", 16, true)),
    ]
}

/// Returns the duration of a solve in microseconds.
fn timed(solve: impl FnOnce()) -> Option<f64> {
    let start = Instant::now();
    solve();
    Some(start.elapsed().as_secs_f64() * 1e6)
}

struct Animation;

impl Solver for Animation {
    fn name(&self) -> &str {
        "animation"
    }

    fn solve(&mut self, _: &Set, _: &Frame, _: &mut [RigidTransform]) -> Option<f64> {
        timed(|| ())
    }
}

struct Body {
    workspace: Workspace,
}

impl Solver for Body {
    fn name(&self) -> &str {
        "full body"
    }

    fn solve(&mut self, set: &Set, frame: &Frame, pose: &mut [RigidTransform]) -> Option<f64> {
        let solver: &FullBody = &set.setup.solver;
        timed(|| {
            solver.solve(&mut self.workspace, &frame.targets, pose).expect("the frame solves");
        })
    }
}

struct LeastSquares {
    name: &'static str,
    settings: LeastSquaresSettings,
    is_warm: bool,
    last: LastPose,
    workspace: least_squares::Workspace,
}

impl LeastSquares {
    fn new(name: &'static str, iterations: u32, is_warm: bool) -> Self {
        let settings = LeastSquaresSettings { iterations, ..LeastSquaresSettings::default() };
        let (last, workspace) = (LastPose::default(), least_squares::Workspace::default());
        Self { name, settings, is_warm, last, workspace }
    }

    /// Creates a solver that hardly pulls joints to the animated pose, so that it reaches targets almost exactly.
    fn exact(name: &'static str, iterations: u32) -> Self {
        let mut solver = Self::new(name, iterations, false);
        (solver.settings.rest, solver.settings.root) = (1e-4, 3e-4);
        solver
    }
}

impl Solver for LeastSquares {
    fn name(&self) -> &str {
        self.name
    }

    fn solve(&mut self, set: &Set, frame: &Frame, pose: &mut [RigidTransform]) -> Option<f64> {
        if !self.is_warm {
            self.last.turns.clear();
        }
        let Self { settings, last, workspace, .. } = self;
        let (joints, targets) = (&set.joints, &frame.targets);
        timed(|| {
            least_squares::solve(joints, settings, targets, last, workspace, pose).expect("the frame solves");
        })
    }

    fn jump(&mut self) {
        self.last.turns.clear();
    }
}

/// The position-based solver. Warm solves start from the last frame's result.
struct Substeps {
    name: &'static str,
    solver: PositionBased,
    settings: PositionBasedSettings,
    last: Option<State>,
    is_warm: bool,
}

impl Substeps {
    fn new(set: &Set, name: &'static str, substeps: u32, is_warm: bool) -> Self {
        let settings = PositionBasedSettings { substeps, ..PositionBasedSettings::default() };
        Self { name, solver: PositionBased::new(Arc::new(set.joints.clone())), settings, last: None, is_warm }
    }
}

impl Solver for Substeps {
    fn name(&self) -> &str {
        self.name
    }

    fn solve(&mut self, _: &Set, frame: &Frame, pose: &mut [RigidTransform]) -> Option<f64> {
        timed(|| {
            let read = self.solver.read(&self.settings, &frame.targets, pose).expect("the frame solves");
            let mut state = State::new(&read.animated);
            if let Some(last) = self.last {
                // Multipliers belong to one solve.
                (state.root, state.rotations) = (last.root, last.rotations);
            }
            self.solver.run(&read, &mut state);
            self.solver.write(&read, &state, pose);
            self.last = self.is_warm.then_some(state);
        })
    }

    fn jump(&mut self) {
        self.last = None;
    }
}
