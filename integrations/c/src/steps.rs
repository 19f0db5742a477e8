//! Stepped solves, and observed solves.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::{LazyLock, Mutex, PoisonError};

use kinescope_library::error::BadValue;
use kinescope_library::full_body::{Chain, Effector, Frame, InputError, Move, Program, Stage, State, Step, run_stage};
use kinescope_library::glam::Vec3;
use kinescope_library::stepped::{Flow, GO_ON, Unwatched, Watch};
use kinescope_library::{LimbName, Node};

use crate::pose::{KinescopePose, KinescopeVec3};
use crate::settings::KinescopeSettings;
use crate::solver::{KinescopeSolver, KinescopeWorkspace, read_input};
use crate::{Done, KINESCOPE_NODES, KinescopeStatus, Refused, guard, list_mut, object, object_mut, optional, shared};

/// The names of nodes, effectors, limbs and stages in files.
static NAMES: LazyLock<[Vec<CString>; 4]> = LazyLock::new(|| {
    fn texts<'a>(keys: impl Iterator<Item = &'a str>) -> Vec<CString> {
        keys.map(|key| CString::new(key).unwrap_or_default()).collect()
    }
    [
        texts(Node::ALL.iter().map(|node| node.key())),
        texts(Effector::ALL.iter().map(|effector| effector.key())),
        texts(LimbName::ALL.iter().map(|limb| Chain::from(*limb).key())),
        texts(Stage::ALL.iter().map(|stage| stage.key())),
    ]
});

pub(crate) fn name_of(kind: &str, number: usize) -> Option<&'static CStr> {
    let kind = ["node", "effector", "limb", "stage"].iter().position(|own| *own == kind)?;
    NAMES[kind].get(number).map(CString::as_c_str)
}

/// One step of a solve.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeStep {
    /// The iteration of the main loop, from 0; -1 outside of it.
    pub iteration: i32,
    /// A KinescopeStage.
    pub stage: u32,
}

impl KinescopeStep {
    pub(crate) fn of(step: Step) -> Option<Self> {
        let stage = Stage::ALL.iter().position(|stage| *stage == step.stage)?;
        Some(Self { iteration: step.iteration.map_or(-1, |iteration| iteration as i32), stage: stage as u32 })
    }

    pub(crate) fn read(self) -> Result<Step, Refused> {
        let stage = usize::try_from(self.stage).ok().and_then(|index| Stage::ALL.get(index));
        let stage =
            stage.ok_or_else(|| Refused::argument(format!("stage: is {}; no stage has that number", self.stage)))?;
        Ok(Step { iteration: u32::try_from(self.iteration).ok(), stage: *stage })
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Stepping {
    frame: Frame,
    state: State,
    program: Program,
}

unsafe fn begin(
    solver: *const KinescopeSolver,
    workspace: *mut KinescopeWorkspace,
    settings: *const KinescopeSettings,
    pose: *const KinescopePose,
) -> Done {
    let (solver, own, settings, _) = unsafe { read_input(solver, workspace, settings, pose) }?;
    let read = solver.solver.read(&mut own.workspace, &settings, &own.pose);
    let (frame, state) = read.map_err(|error| Refused::pose(error, &solver.character.skeleton, &own.pose))?;
    own.stepping = Some(Stepping { frame, state, program: Program::new(&frame) });
    Ok(KinescopeStatus::Done)
}

/// Starts a stepped solve: reads the animated pose. Call kinescope_step until it returns KINESCOPE_STATUS_NOTHING_TO_DO, then
/// kinescope_end. Between steps the caller may read and move nodes. If no node was moved, the result is that of
/// kinescope_solve. An earlier stepped solve in progress in the workspace is over, even on failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_begin(
    solver: *const KinescopeSolver,
    workspace: *mut KinescopeWorkspace,
    settings: *const KinescopeSettings,
    pose: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| unsafe { begin(solver, workspace, settings, pose) })
}

fn stepping(own: &mut KinescopeWorkspace) -> Result<&mut Stepping, Refused> {
    let why = || {
        Refused(
            KinescopeStatus::BadWorkspace,
            "workspace: has no solve in progress; call kinescope_begin first".to_owned(),
        )
    };
    own.stepping.as_mut().ok_or_else(why)
}

/// Runs the next step and reports it in `done`, which may be NULL. Returns KINESCOPE_STATUS_NOTHING_TO_DO after the last step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_step(
    workspace: *mut KinescopeWorkspace,
    done: *mut KinescopeStep,
) -> KinescopeStatus {
    guard(|| {
        let own = stepping(unsafe { object_mut(workspace, "workspace") }?)?;
        let Some(step) = own.program.next() else { return Ok(KinescopeStatus::NothingToDo) };
        let _ = run_stage(&own.frame, &mut own.state, step.stage, &mut Unwatched);
        if let Some(done) = unsafe { optional(done, "done") }?
            && let Some(step) = KinescopeStep::of(step)
        {
            *done = step;
        }
        Ok(KinescopeStatus::Done)
    })
}

/// Copies the positions of all KINESCOPE_NODES nodes of the stepped solve in progress.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_nodes(
    workspace: *mut KinescopeWorkspace,
    nodes: *mut KinescopeVec3,
) -> KinescopeStatus {
    guard(|| {
        let own = stepping(unsafe { object_mut(workspace, "workspace") }?)?;
        let nodes = unsafe { list_mut(nodes, KINESCOPE_NODES, "nodes") }?;
        nodes.iter_mut().zip(own.state.nodes().0).for_each(|(node, at)| *node = at.into());
        Ok(KinescopeStatus::Done)
    })
}

/// Moves a node (a KinescopeNode) between two steps. On failure, the nodes are unchanged and the solve stays in progress.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_set_node(
    workspace: *mut KinescopeWorkspace,
    node: u32,
    position: KinescopeVec3,
) -> KinescopeStatus {
    guard(|| {
        let own = stepping(unsafe { object_mut(workspace, "workspace") }?)?;
        let known = usize::try_from(node).ok().and_then(|node| Node::ALL.get(node));
        let node = *known.ok_or_else(|| Refused::argument(format!("node: is {node}; no node has that number")))?;
        let at = Vec3::from(position);
        BadValue::check_place(at).map_err(|bad| Refused::argument(bad.at("position").to_string()))?;
        own.state.set_node(node, at);
        Ok(KinescopeStatus::Done)
    })
}

unsafe fn end(solver: *const KinescopeSolver, workspace: *mut KinescopeWorkspace, pose: *const KinescopePose) -> Done {
    let solver = unsafe { object(solver, "solver") }?;
    let own = unsafe { object_mut(workspace, "workspace") }?;
    let pose = unsafe { shared(pose, "pose") }?;
    let Stepping { frame, state, .. } = *stepping(own)?;
    if pose.count < own.pose.len() {
        return Err(InputError::PoseLength { found: pose.count, expected: own.pose.len() }.into());
    }
    pose.check("pose")?;
    own.stepping = None;
    let status = solver.solver.write(&mut own.workspace, &frame, &state, &mut own.pose)?;
    unsafe { own.hand_back(pose, status) }
}

/// Ends a stepped solve: writes the nodes to the bones of `pose`. After KINESCOPE_STATUS_BAD_ARGUMENT, and for a `pose`
/// with too few bones, the solve stays in progress; after any other failure it is over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_end(
    solver: *const KinescopeSolver,
    workspace: *mut KinescopeWorkspace,
    pose: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| unsafe { end(solver, workspace, pose) })
}

/// A single move of one node and its cause.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeMove {
    /// A KinescopeNode.
    pub node: u32,
    /// The position before the move.
    pub from: KinescopeVec3,
    /// The position after the move.
    pub to: KinescopeVec3,
    /// The cause, named as in traces: `reach`, `child_constraint`. The pointer stays valid.
    pub cause: *const c_char,
}

/// Observes a solve. Either function may be NULL. Neither may throw, nor use this workspace.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeObserver {
    /// Passed to both functions.
    pub user: *mut c_void,
    /// Called after every step with KINESCOPE_NODES nodes.
    pub stage: Option<unsafe extern "C" fn(user: *mut c_void, step: KinescopeStep, nodes: *const KinescopeVec3)>,
    /// Called after every single move within a step.
    pub moved: Option<unsafe extern "C" fn(user: *mut c_void, step: KinescopeStep, moved: *const KinescopeMove)>,
}

struct Observing<'a> {
    observer: &'a KinescopeObserver,
    step: KinescopeStep,
}

impl Watch<Move> for Observing<'_> {
    fn saw(&mut self, event: Move) -> Flow {
        if let Some(moved) = self.observer.moved {
            let event = KinescopeMove {
                node: event.node as u32,
                from: event.from.into(),
                to: event.to.into(),
                cause: kept(event.cause.key()),
            };
            unsafe { moved(self.observer.user, self.step, &event) };
        }
        GO_ON
    }
}

/// Returns a name as a C string that stays valid.
pub(crate) fn kept(key: &'static str) -> *const c_char {
    static KNOWN: Mutex<BTreeMap<&str, CString>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(key).or_insert_with(|| CString::new(key).unwrap_or_default()).as_ptr()
}

unsafe fn observed(
    solver: *const KinescopeSolver,
    workspace: *mut KinescopeWorkspace,
    settings: *const KinescopeSettings,
    pose: *const KinescopePose,
    observer: *const KinescopeObserver,
) -> Done {
    let observer = unsafe { shared(observer, "observer") }?;
    unsafe { begin(solver, workspace, settings, pose) }?;
    let own = stepping(unsafe { object_mut(workspace, "workspace") }?)?;
    for next in own.program {
        let Some(step) = KinescopeStep::of(next) else { continue };
        let _ = run_stage(&own.frame, &mut own.state, next.stage, &mut Observing { observer, step });
        if let Some(stage) = observer.stage {
            let nodes = own.state.nodes().0.map(KinescopeVec3::from);
            unsafe { stage(observer.user, step, nodes.as_ptr()) };
        }
    }
    unsafe { end(solver, workspace, pose) }
}

/// Solves like kinescope_solve and reports steps and moves to an observer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_solve_observed(
    solver: *const KinescopeSolver,
    workspace: *mut KinescopeWorkspace,
    settings: *const KinescopeSettings,
    pose: *const KinescopePose,
    observer: *const KinescopeObserver,
) -> KinescopeStatus {
    guard(|| unsafe { observed(solver, workspace, settings, pose, observer) })
}
