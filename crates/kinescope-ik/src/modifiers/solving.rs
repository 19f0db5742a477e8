//! Solves with modifiers, as a whole and in parts.

use super::act::Seen;
use super::ask::{Ask, Bones};
use super::modify::{Modify, author};
use crate::full_body::hooks::Hooks;
use crate::full_body::{
    Frame, FullBody, HookedSolve, InputError, Pushing, Settings, Stage, State, Status, Step, Workspace,
};
use crate::rig::RigidTransform;
use crate::stepped::{self, GO_ON};

/// Modifiers of a frame as hooks of its solve, for callers that run the steps between [`before_read`] and [`after_write`]
/// themselves, for example to draw the solve's last state.
pub struct Between<'a, M> {
    /// The modifiers in their order, after [`before_read`].
    pub modifiers: &'a [M],
    /// The character and the time as [`before_read`] got them.
    pub seen: Seen<'a>,
}

impl<M: Modify> Hooks for Between<'_, M> {
    fn acts_at(&self, stage: Stage) -> bool {
        self.modifiers.iter().any(|modifier| modifier.pushes_at(stage))
    }

    fn act(&self, at: Step, frame: &Frame, nodes: &mut Pushing) {
        for (index, modifier) in self.modifiers.iter().enumerate().filter(|(_, own)| own.pushes_at(at.stage)) {
            modifier.push(author(index, modifier.name()), at, &self.seen, frame, nodes);
        }
    }

    fn bend(&self, state: &State, frame: &mut Frame) {
        self.modifiers.iter().for_each(|modifier| modifier.bend(&self.seen, state, frame));
    }
}

/// Solves with modifiers, which run in order before read, between the stages and after write. Like [`FullBody::solve`]
/// it allocates only in its first solve. Changes of `settings` by modifiers last for this frame only. At master weight 0
/// nothing is solved, but modifiers still run, as their time passes; built-in ones then turn nothing.
///
/// For many characters see [`Task::with_modifiers`](crate::many::Task::with_modifiers).
///
/// ```
/// use kinescope_ik::modifiers::{Figure, Modifier, Modify, Recoil, Running, Seen, solve};
/// use kinescope_ik::{FullBody, RigidTransform, Settings};
/// # let text = std::fs::read_to_string("tests/golden/reach-with-twist.trace.json")?;
/// # let kinescope_ik::trace::Rig { skeleton, biped, reference, animated } = kinescope_ik::Trace::from_json(&text)?.rig;
///
/// // Once for each character.
/// let solver = FullBody::new(&skeleton, &biped, &reference)?;
/// let figure = Figure::new(&skeleton, &biped, &reference)?;
/// let mut workspace = solver.workspace();
/// let mut recoil = Running::new(Modifier::Recoil(Recoil { kick: 0.1, ..Recoil::default() }));
///
/// // A shot, and the frame after it.
/// recoil.trigger();
/// let (mut settings, mut pose) = (Settings::default(), animated.clone());
/// let seen = Seen { figure: &figure, root: RigidTransform::IDENTITY, dt: 0.02, time: 0.0 };
/// solve(&solver, &mut workspace, &settings, &mut [&mut recoil as &mut dyn Modify], &seen, &mut pose)?;
/// let hand = figure.limbs[1][2];
/// assert!(pose[hand].position.distance(animated[hand].position) > 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`FullBody::solve`]. The pose stays unchanged, bit for bit. If the solve fails after its input was accepted, as
/// with [`InputError::State`], time has passed for the modifiers.
pub fn solve(
    solver: &FullBody,
    workspace: &mut Workspace,
    settings: &Settings,
    modifiers: &mut [&mut dyn Modify],
    seen: &Seen,
    pose: &mut [RigidTransform],
) -> Result<Status, InputError> {
    let mut modified = *settings;
    // Checks first, so that no time passes for modifiers of a pose that cannot be solved.
    solver.check_input(workspace, &modified, pose)?;
    workspace.unmodified.clear();
    workspace.unmodified.extend_from_slice(pose);
    before_read(modifiers, seen, &mut modified, pose);
    let done = solve_with_hooks(solver, workspace, &modified, modifiers, seen, pose);
    match done {
        Ok(_) => after_write(modifiers, seen, &modified, pose),
        Err(_) => pose.copy_from_slice(&workspace.unmodified),
    }
    done
}

/// Runs the first part of [`solve`], the modifiers before read, for callers that change the settings before the second
/// part, for example by grounding. `modified` starts as the caller's settings. The pose must be as in
/// [`FullBody::solve`].
pub fn before_read<M: Modify>(modifiers: &mut [M], seen: &Seen, modified: &mut Settings, pose: &mut [RigidTransform]) {
    let mut report = |_| GO_ON;
    for (index, modifier) in modifiers.iter_mut().enumerate() {
        let bones = Bones::new(*seen, author(index, modifier.name()), pose, &mut report);
        modifier.before_read(&mut Ask::new(bones, modified));
    }
}

/// Runs the second part of [`solve`], the solve with the modifiers between the stages. At master weight 0 it does
/// nothing.
///
/// # Errors
/// As [`FullBody::solve`]. The pose stays as [`before_read`] changed it.
pub fn solve_with_hooks<M: Modify>(
    solver: &FullBody,
    workspace: &mut Workspace,
    modified: &Settings,
    modifiers: &[M],
    seen: &Seen,
    pose: &mut [RigidTransform],
) -> Result<Status, InputError> {
    if modified.solver.weight <= 0.0 {
        return Ok(Status::NothingToDo);
    }
    let (frame, mut state) = solver.read(workspace, modified, pose)?;
    let between = Between { modifiers, seen: *seen };
    stepped::solve(&mut HookedSolve::new(&frame, Some(&between)), &mut state);
    solver.write(workspace, &frame, &state, pose).map_err(|error| error.because_of(modified))
}

/// Runs the last part of [`solve`], the modifiers after write; `modified` are the settings of the solve.
pub fn after_write<M: Modify>(modifiers: &[M], seen: &Seen, modified: &Settings, pose: &mut [RigidTransform]) {
    let mut report = |_| GO_ON;
    for (index, modifier) in modifiers.iter().enumerate() {
        let mut bones = Bones::new(*seen, author(index, modifier.name()), pose, &mut report);
        modifier.after_write(modified, &mut bones);
    }
}
