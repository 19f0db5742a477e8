//! Single chains: CCD, FABRIK and two bones, with limits.

use std::ffi::c_char;
use std::sync::Arc;

use kinescope_library::chain_ik::character::{bones_between, read, write};
use kinescope_library::chain_ik::file::ChainFile;
use kinescope_library::chain_ik::{
    Chain, Goal, Limit, Outcome, Problem, Program, Settings, State, Step, Workspace, run_stage, solve,
};
use kinescope_library::stepped::Unwatched;
use kinescope_library::{RigidTransform, Skeleton};

use crate::pose::{KinescopePose, KinescopeQuat, KinescopeVec3};
use crate::solver::KinescopeSolver;
use crate::solver_tables::KinescopeChainIkSettings;
use crate::{
    Done, KinescopeStatus, Refused, exclusive, free, guard, hand_over, list, list_mut, look, object, object_mut,
    objects, optional, shared, text,
};

/// A single chain with its state from frame to frame.
pub struct KinescopeChain {
    chain: Chain,
    state: State,
    workspace: Workspace,
    goals: Vec<Goal>,
    /// The skeleton and the bones of a chain of a character.
    bones: Option<(Arc<Skeleton>, Vec<usize>)>,
    before: Vec<RigidTransform>,
    pose: Vec<RigidTransform>,
    /// Settings and next steps of a solve in steps.
    stepping: Option<(Settings, Program)>,
}

objects!(KinescopeChain);

/// The kinds of limits of a bone.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeLimitKind {
    /// No limit.
    Free,
    /// Rotation about `axis` from `min` to `max`, which may exceed pi: whole turns are counted.
    Hinge,
    /// Direction within `swing` of the rest direction, twist from `min` to `max`.
    BallAndSocket,
    /// The angle of the whole rotation is at most `max`.
    Angle,
}

/// How far a bone may rotate from its rest rotation; radians.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeLimit {
    /// A KinescopeLimitKind.
    pub kind: u32,
    /// The hinge's axis in the bone's space at rest; any length but 0.
    pub axis: KinescopeVec3,
    /// The smallest angle or twist.
    pub min: f32,
    /// The largest angle or twist.
    pub max: f32,
    /// Half the opening of the cone of a ball and socket, 0 to pi.
    pub swing: f32,
}

impl KinescopeLimit {
    fn read(&self) -> Result<Limit, Refused> {
        match self.kind {
            0 => Ok(Limit::Free),
            1 => Ok(Limit::Hinge { axis: self.axis.into(), min: self.min, max: self.max }),
            2 => Ok(Limit::BallAndSocket { swing: self.swing, twist_min: self.min, twist_max: self.max }),
            3 => Ok(Limit::Angle { max: self.max }),
            other => {
                Err(Refused(KinescopeStatus::BadSettings, format!("limit.kind: is {other}; it must be from 0 to 3")))
            }
        }
    }
}

/// The target of one joint.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeGoal {
    /// The joint, from 1; joint b + 1 is the end of bone b. 0 stands for the last joint.
    pub joint: u32,
    /// Target position in model space.
    pub position: KinescopeVec3,
    /// Weight relative to other goals, where branches meet; above 0, at most 1e6, usually 1.
    pub pull: f32,
}

/// The result of a chain's solve.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeOutcome {
    /// The largest distance from a joint with a goal to its target, in the unit of the chain's lengths. At a weight
    /// below 1 the target is a point between joint and goal, unless the settings apply the weight in each pass.
    pub error: f32,
    /// Number of iterations.
    pub iterations: u32,
    /// A KinescopeStoppedBy.
    pub stopped_by: u32,
    /// Whether all joints with a goal are within the tolerance of their targets. 0 means no; at weight 0 it is always
    /// 0.
    pub is_reached: u32,
}

impl From<Outcome> for KinescopeOutcome {
    fn from(own: Outcome) -> Self {
        Self {
            error: own.error,
            iterations: own.iterations,
            stopped_by: own.stopped_by as u32,
            is_reached: own.is_reached().into(),
        }
    }
}

impl KinescopeChain {
    fn new(chain: Chain, bones: Option<(Arc<Skeleton>, Vec<usize>)>) -> Self {
        let state = chain.rest().clone();
        Self {
            chain,
            state,
            workspace: Workspace::default(),
            goals: Vec::new(),
            bones,
            before: Vec::new(),
            pose: Vec::new(),
            stepping: None,
        }
    }

    unsafe fn read(
        &mut self,
        settings: *const KinescopeChainIkSettings,
        goals: *const KinescopeGoal,
        count: usize,
    ) -> Result<Settings, Refused> {
        self.stepping = None;
        let settings = unsafe { shared(settings, "settings") }?.read(&Settings::default())?;
        self.goals.clear();
        for own in unsafe { list(goals, count, "goals") }? {
            let joint = if own.joint == 0 { self.chain.joints() - 1 } else { own.joint as usize };
            self.goals.push(Goal { joint, position: own.position.into(), pull: own.pull });
        }
        let problem = Problem { chain: &self.chain, settings: &settings, goals: &self.goals };
        problem.check().map_err(Refused::settings)?;
        Ok(settings)
    }

    fn solve(&mut self, settings: &Settings) -> Result<Outcome, Refused> {
        let problem = Problem { chain: &self.chain, settings, goals: &self.goals };
        solve(&problem, &mut self.state, &mut self.workspace).map_err(Refused::settings)
    }
}

/// Creates a free chain of `count` bones with these lengths, straight up from the origin.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_chain_new_of_lengths(
    lengths: *const f32,
    count: usize,
    out: *mut *mut KinescopeChain,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let lengths = list(lengths, count, "lengths")?;
            Ok(KinescopeChain::new(Chain::from_lengths(lengths).map_err(Refused::rig)?, None))
        })
    })
}

/// Creates a free chain through these points, which become its joints. For a chain with branches, `from` has the joint
/// at which the bone to each point after the first begins: `count` - 1 numbers, each the index of an earlier point.
/// NULL stands for a chain without branches.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_chain_new_of_positions(
    positions: *const KinescopeVec3,
    from: *const u32,
    count: usize,
    out: *mut *mut KinescopeChain,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let positions: Vec<_> = list(positions, count, "positions")?
                .iter()
                .map(|&own| kinescope_library::glam::Vec3::from(own))
                .collect();
            let chain = match positions.split_first() {
                Some((root, ends)) if !from.is_null() => {
                    let from = list(from, ends.len(), "from")?.iter().map(|&joint| joint as usize);
                    Chain::branched(*root, ends, &from.collect::<Vec<_>>())
                }
                _ => Chain::from_positions(&positions),
            };
            Ok(KinescopeChain::new(chain.map_err(Refused::rig)?, None))
        })
    })
}

/// Creates a chain of a character's bones from `first` to its descendant `end`, at rest in the reference pose. The end bone is the
/// end effector.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_chain_new_of_bones(
    solver: *const KinescopeSolver,
    first: i32,
    end: i32,
    out: *mut *mut KinescopeChain,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let solver = object(solver, "solver")?;
            let count = solver.skeleton.len();
            let bone = |bone: i32, name: &str| {
                let own = usize::try_from(bone).ok().filter(|&own| own < count);
                own.ok_or_else(|| Refused::argument(format!("{name}: is {bone}; the skeleton has {count} bones")))
            };
            let (first, end) = (bone(first, "first")?, bone(end, "end")?);
            let bones = bones_between(&solver.skeleton, first, end)
                .ok_or_else(|| Refused(KinescopeStatus::BadRig, "end: is not a descendant of first".to_owned()))?;
            let chain = Chain::of_bones(&solver.skeleton, &solver.character.reference, &bones).map_err(Refused::rig)?;
            Ok(KinescopeChain::new(chain, Some((solver.skeleton.clone(), bones))))
        })
    })
}

/// Creates a free chain with limits and weights from a chain file (zero-terminated JSON). `settings`, which may be NULL, receives
/// the file's settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_chain_new_of_file(
    json: *const c_char,
    settings: *mut KinescopeChainIkSettings,
    out: *mut *mut KinescopeChain,
) -> KinescopeStatus {
    guard(|| unsafe {
        let settings = optional(settings, "settings")?;
        hand_over(out, || {
            let file = ChainFile::from_json(text(json, "json")?).map_err(Refused::file)?;
            if let Some(settings) = settings {
                *settings = (&file.settings).into();
            }
            Ok(KinescopeChain::new(file.chain, None))
        })
    })
}

/// Frees a chain; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_chain_free(chain: *mut KinescopeChain) {
    unsafe { free(chain) };
}

/// Sets the limit of a bone by its index, from 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_chain_set_limit(
    chain: *mut KinescopeChain,
    bone: usize,
    limit: *const KinescopeLimit,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(chain, "chain") }?;
        let limit = unsafe { shared(limit, "limit") }?.read()?;
        check_bone(own, bone)?;
        own.stepping = None;
        own.chain.set_limit(bone, limit).map_err(Refused::settings)?;
        Ok(KinescopeStatus::Done)
    })
}

/// Sets how much CCD rotates a bone, 0 to 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_chain_set_weight(
    chain: *mut KinescopeChain,
    bone: usize,
    weight: f32,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(chain, "chain") }?;
        check_bone(own, bone)?;
        let checked = kinescope_library::chain_ik::settings::BONE_WEIGHT.check(weight);
        checked.map_err(|bad| Refused::settings(bad.at("weight")))?;
        own.stepping = None;
        own.chain.set_weight(bone, weight);
        Ok(KinescopeStatus::Done)
    })
}

fn check_bone(own: &KinescopeChain, bone: usize) -> Result<(), Refused> {
    let count = own.chain.bones().len();
    match bone < count {
        true => Ok(()),
        false => Err(Refused::argument(format!("bone: is {bone}; the chain has {count} bones"))),
    }
}

/// Sets all settings of a chain's solve to their defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_chain_settings_default(settings: *mut KinescopeChainIkSettings) -> KinescopeStatus {
    guard(|| {
        *unsafe { exclusive(settings, "settings") }? = (&Settings::default()).into();
        Ok(KinescopeStatus::Done)
    })
}

/// Returns the number of joints, one more than bones; 0 for an invalid chain.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_chain_joints(chain: *const KinescopeChain) -> usize {
    look(0, || Ok(unsafe { object(chain, "chain") }?.chain.joints()))
}

/// Solves a free chain, from the result of the last solve. Solvers other than FABRIK take one goal, for the last joint.
/// `outcome` may be NULL. Allocates nothing once its buffers have grown. On failure, the chain is unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_chain_solve(
    chain: *mut KinescopeChain,
    settings: *const KinescopeChainIkSettings,
    goals: *const KinescopeGoal,
    count: usize,
    outcome: *mut KinescopeOutcome,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(chain, "chain") }?;
        let outcome = unsafe { optional(outcome, "outcome") }?;
        let settings = unsafe { own.read(settings, goals, count) }?;
        let solved = own.solve(&settings)?;
        if let Some(outcome) = outcome {
            *outcome = solved.into();
        }
        Ok(KinescopeStatus::Done)
    })
}

/// Solves a chain of a character from its animated pose, which becomes the solved one; bones below the chain follow. `outcome` may
/// be NULL. On failure, the pose is unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_chain_solve_pose(
    chain: *mut KinescopeChain,
    settings: *const KinescopeChainIkSettings,
    goals: *const KinescopeGoal,
    count: usize,
    pose: *const KinescopePose,
    outcome: *mut KinescopeOutcome,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(chain, "chain") }?;
        let (outcome, pose) = unsafe { (optional(outcome, "outcome")?, shared(pose, "pose")?) };
        let settings = unsafe { own.read(settings, goals, count) }?;
        let Some((skeleton, bones)) = &own.bones else {
            return Err(Refused::argument("chain: is free; kinescope_chain_solve solves it"));
        };
        unsafe { pose.read("pose", &mut own.before) }?;
        crate::grounding::check_pose(&own.before, skeleton)?;
        read(&own.chain, skeleton, bones, &own.before, &mut own.state);
        let solved = own.solve(&settings)?;
        let Some((skeleton, bones)) = &own.bones else { return Ok(KinescopeStatus::Done) };
        own.pose.clone_from(&own.before);
        write(&own.state, skeleton, bones, &own.before, &mut own.pose);
        unsafe { pose.write("pose", &own.pose) }?;
        if let Some(outcome) = outcome {
            *outcome = solved.into();
        }
        Ok(KinescopeStatus::Done)
    })
}

/// Starts a solve of a free chain in steps, from the result of the last solve. Call kinescope_chain_step until it
/// returns KINESCOPE_STATUS_NOTHING_TO_DO. Any other solve and any change of the chain ends it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_chain_begin(
    chain: *mut KinescopeChain,
    settings: *const KinescopeChainIkSettings,
    goals: *const KinescopeGoal,
    count: usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(chain, "chain") }?;
        let settings = unsafe { own.read(settings, goals, count) }?;
        let problem = Problem { chain: &own.chain, settings: &settings, goals: &own.goals };
        problem.check_state(&own.state).map_err(Refused::settings)?;
        own.stepping = Some((settings, Program::new(&problem, &own.state, &mut own.workspace)));
        Ok(KinescopeStatus::Done)
    })
}

/// Runs the next step of a chain's solve. `stage`, which may be NULL, receives the step's name, a text that stays valid; `outcome`,
/// which may be NULL, the result so far. Returns KINESCOPE_STATUS_NOTHING_TO_DO after the last step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_chain_step(
    chain: *mut KinescopeChain,
    stage: *mut *const c_char,
    outcome: *mut KinescopeOutcome,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(chain, "chain") }?;
        let (stage, outcome) = unsafe { (optional(stage, "stage")?, optional(outcome, "outcome")?) };
        let KinescopeChain { chain, state, workspace, goals, stepping, .. } = own;
        let Some((settings, program)) = stepping else {
            let why = "chain: has no solve in progress; call kinescope_chain_begin first".to_owned();
            return Err(Refused(KinescopeStatus::BadWorkspace, why));
        };
        let problem = Problem { chain, settings, goals };
        let step: Option<Step> = program.next(&problem, state, workspace);
        if let Some(step) = step {
            let _ = run_stage(&problem, state, workspace, step, &mut Unwatched);
            if let Some(stage) = stage {
                *stage = crate::steps::kept(step.stage.key());
            }
        }
        if let Some(outcome) = outcome {
            *outcome = program.outcome(&problem, state, workspace).into();
        }
        Ok(if step.is_some() { KinescopeStatus::Done } else { KinescopeStatus::NothingToDo })
    })
}

/// Copies the positions of the first `capacity` joints. Returns the number of all joints; 0 for an invalid chain.
/// `positions` may be NULL if `capacity` is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_chain_positions(
    chain: *const KinescopeChain,
    positions: *mut KinescopeVec3,
    capacity: usize,
) -> usize {
    look(0, || {
        let all = &unsafe { object(chain, "chain") }?.state.positions;
        let positions = unsafe { list_mut(positions, capacity.min(all.len()), "positions") }?;
        positions.iter_mut().zip(all).for_each(|(to, from)| *to = (*from).into());
        Ok(all.len())
    })
}

/// Copies the rotations of the first `capacity` bones in model space. Returns the number of all bones; 0 for an invalid
/// chain. `rotations` may be NULL if `capacity` is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_chain_rotations(
    chain: *const KinescopeChain,
    rotations: *mut KinescopeQuat,
    capacity: usize,
) -> usize {
    look(0, || {
        let all = &unsafe { object(chain, "chain") }?.state.rotations;
        let rotations = unsafe { list_mut(rotations, capacity.min(all.len()), "rotations") }?;
        rotations.iter_mut().zip(all).for_each(|(to, from)| *to = (*from).into());
        Ok(all.len())
    })
}

/// Moves a chain as a whole: its root to `root`, and its bones by the change of `base`, the rotation to which the chain
/// is attached; model space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_chain_carry(
    chain: *mut KinescopeChain,
    root: KinescopeVec3,
    base: KinescopeQuat,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(chain, "chain") }?;
        let transform = crate::pose::KinescopeTransform { position: root, rotation: base };
        let to = crate::grounding::read_root(transform, "root")?;
        own.stepping = None;
        own.chain.carry(&mut own.state, to.position, to.rotation);
        Ok(KinescopeStatus::Done)
    })
}

fn reset(own: &mut KinescopeChain) -> Done {
    own.stepping = None;
    own.state.copy_from(own.chain.rest());
    Ok(KinescopeStatus::Done)
}

/// Resets a chain to its rest shape.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_chain_reset(chain: *mut KinescopeChain) -> KinescopeStatus {
    guard(|| reset(unsafe { object_mut(chain, "chain") }?))
}
