//! A character's solver, its workspace, and the solve.

use std::ffi::{CStr, c_char};
use std::sync::Arc;

use kinescope_library::game_recording::GameCharacter;
use kinescope_library::grounding::Legs;
use kinescope_library::modifiers::Figure;
use kinescope_library::{
    Biped, Bone, FullBody, Limb, LocalTransform, RigidTransform, Settings, Skeleton, Status, Workspace,
};

use crate::pose::{KinescopePose, KinescopeTransform, MOST_BONES};
use crate::settings::KinescopeSettings;
use crate::steps::Stepping;
use crate::{
    Done, KINESCOPE_LIMBS, KinescopeStatus, Refused, free, guard, hand_over, list, list_mut, look, object, object_mut,
    objects, optional, shared, text,
};

/// The bones of an arm or a leg, by index.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeLimbBones {
    /// The bone between spine and upper arm; -1 for an arm without one, and for legs.
    pub clavicle: i32,
    /// Upper arm, forearm, hand; or thigh, calf, foot.
    pub bones: [i32; 3],
}

/// The bones of each role, by index.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeBiped {
    /// The bone that carries spine and legs, called hips in some rigs. Bones without a role may lie between.
    pub pelvis: i32,
    /// The spine bones, from the pelvis upwards; at least one.
    pub spine: *const i32,
    /// Number of spine bones.
    pub spine_count: usize,
    /// The head bone; -1 if there is none.
    pub head: i32,
    /// The pelvis or spine bone used as the solver's body node; -1 chooses a spine bone by position.
    pub root_node: i32,
    /// Indexed by KinescopeLimb.
    pub limbs: [KinescopeLimbBones; KINESCOPE_LIMBS],
}

/// A character's bones as arrays; parents come before their children.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeSkeleton {
    /// Number of bones.
    pub count: usize,
    /// A name for each bone; NULL if bones have no names. Detection uses names and positions if no biped is given.
    pub names: *const *const c_char,
    /// Each bone's parent, by index; -1 for a root.
    pub parents: *const i32,
    /// The reference pose, from which the solver takes lengths and bend directions: standing, arms out (T-pose or A-pose).
    pub reference: KinescopePose,
}

/// The solver of one character. Threads may share it.
pub struct KinescopeSolver {
    pub(crate) character: GameCharacter,
    pub(crate) solver: FullBody,
    pub(crate) legs: Legs,
    pub(crate) figure: Arc<Figure>,
    pub(crate) skeleton: Arc<Skeleton>,
}

objects!(KinescopeSolver KinescopeWorkspace);

impl KinescopeSolver {
    pub(crate) fn of_character(character: GameCharacter) -> Result<Self, Refused> {
        let (skeleton, biped, reference) = (&character.skeleton, &character.biped, &character.reference);
        let solver = FullBody::new(skeleton, biped, reference).map_err(Refused::rig)?;
        let legs = Legs::of_bones(skeleton, biped, reference, solver.facing()).map_err(Refused::rig)?;
        let figure = Arc::new(Figure::new(skeleton, biped, reference).map_err(Refused::rig)?);
        let skeleton = Arc::new(skeleton.clone());
        Ok(Self { character, solver, legs, figure, skeleton })
    }
}

/// Working memory of a solve; one for each thread that solves.
pub struct KinescopeWorkspace {
    pub(crate) workspace: Workspace,
    pub(crate) pose: Vec<RigidTransform>,
    pub(crate) stepping: Option<Stepping>,
    /// Whether `pose` is the result of a solve.
    pub(crate) is_solved: bool,
}

fn index(bone: i32, name: &str) -> Result<usize, Refused> {
    usize::try_from(bone)
        .map_err(|_| Refused(KinescopeStatus::BadRig, format!("{name}: is {bone}, expected the index of a bone")))
}

fn optional_bone(bone: i32, name: &str) -> Result<Option<usize>, Refused> {
    if bone == -1 { Ok(None) } else { index(bone, name).map(Some) }
}

/// Reads the bones of each role. The body node is chosen by position if none is given.
///
/// # Safety
/// The pointers follow the rules of [`KinescopeStatus`].
unsafe fn read_biped(biped: &KinescopeBiped, reference: &[RigidTransform]) -> Result<Biped, Refused> {
    let spine = unsafe { list(biped.spine, biped.spine_count, "biped.spine") }?;
    let spine = spine.iter().enumerate().map(|(at, &bone)| index(bone, &format!("biped.spine[{at}]")));
    let spine = spine.collect::<Result<Vec<_>, _>>()?;
    let limb = |at: usize| -> Result<Limb, Refused> {
        let KinescopeLimbBones { clavicle, bones } = biped.limbs[at];
        let bone = |place: usize| index(bones[place], &format!("biped.limbs[{at}].bones[{place}]"));
        let clavicle = optional_bone(clavicle, &format!("biped.limbs[{at}].clavicle"))?;
        Ok(Limb { clavicle, bones: [bone(0)?, bone(1)?, bone(2)?] })
    };
    let limbs = [limb(0)?, limb(1)?, limb(2)?, limb(3)?];
    let (pelvis, head) = (index(biped.pelvis, "biped.pelvis")?, optional_bone(biped.head, "biped.head")?);
    match optional_bone(biped.root_node, "biped.root_node")? {
        Some(root_node) => Ok(Biped { pelvis, spine, head, root_node, limbs }),
        None => Biped::new(pelvis, spine, head, limbs, reference).ok_or_else(|| {
            let why = "biped: has no spine, or names a bone that the skeleton does not have";
            Refused(KinescopeStatus::BadRig, why.to_owned())
        }),
    }
}

/// Reads a skeleton and its roles, which are detected if `biped` is NULL.
///
/// # Safety
/// The pointers follow the rules of [`KinescopeStatus`].
unsafe fn read_character(skeleton: &KinescopeSkeleton, biped: *const KinescopeBiped) -> Result<GameCharacter, Refused> {
    if skeleton.count > MOST_BONES {
        let why = format!("skeleton: has {} bones; the most are {MOST_BONES}", skeleton.count);
        return Err(Refused(KinescopeStatus::BadRig, why));
    }
    let parents = unsafe { list(skeleton.parents, skeleton.count, "skeleton.parents") }?;
    let mut bones = Vec::with_capacity(parents.len());
    let mut name: Vec<String> = vec![String::new(); parents.len()];
    if !skeleton.names.is_null() {
        for (index, name) in name.iter_mut().enumerate() {
            let own = unsafe { *skeleton.names.add(index) };
            *name = unsafe { text(own, "skeleton.names") }?.to_owned();
        }
    }
    for (at, (name, &parent)) in name.into_iter().zip(parents).enumerate() {
        let parent = optional_bone(parent, &format!("skeleton.parents[{at}]"))?;
        bones.push(Bone { name, parent, rest: LocalTransform::IDENTITY });
    }
    let skeleton_of = Skeleton::new(bones).map_err(Refused::rig)?;
    let mut reference = Vec::new();
    unsafe { skeleton.reference.read("skeleton.reference", &mut reference) }?;
    if reference.len() != skeleton_of.len() {
        let (has, count) = (reference.len(), skeleton_of.len());
        let why = format!("skeleton.reference: has {has} bones; the skeleton has {count}");
        return Err(Refused(KinescopeStatus::BadRig, why));
    }
    let biped = match unsafe { optional(biped.cast_mut(), "biped") }? {
        Some(biped) => Some(unsafe { read_biped(biped, &reference) }?),
        None => None,
    };
    GameCharacter::new("character", &skeleton_of, biped, reference).map_err(Refused::rig)
}

/// Creates the solver of a character. `biped` assigns bones to roles; if it is NULL, roles are detected from the bones' names
/// and positions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_solver_new(
    skeleton: *const KinescopeSkeleton,
    biped: *const KinescopeBiped,
    out: *mut *mut KinescopeSolver,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || KinescopeSolver::of_character(read_character(shared(skeleton, "skeleton")?, biped)?))
    })
}

/// Frees a solver; NULL is allowed. Objects that were created from the solver stay valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_solver_free(solver: *mut KinescopeSolver) {
    unsafe { free(solver) };
}

/// Returns the bone of a role, by the role's name in presets: `pelvis`, `head`, `left_upper_arm`, ...; `spine` is the first spine
/// bone. Returns -1 if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_solver_bone_of(solver: *const KinescopeSolver, role: *const c_char) -> i32 {
    look(-1, || {
        let solver = unsafe { object(solver, "solver") }?;
        let role = unsafe { text(role, "role") }?;
        let role = kinescope_library::Role::from_key(role)
            .ok_or_else(|| Refused::argument(format!("role: is {role:?}; an example of a role is left_hand")))?;
        Ok(solver.character.biped.bones_of(role).first().map_or(-1, |&bone| bone as i32))
    })
}

/// Returns the number of bones that a solve writes, or 0 for an invalid argument, and writes the first `capacity` of their
/// indices to `bones`, which may be NULL if `capacity` is 0. All other bones follow their parents as in the animated pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_solver_written_bones(
    solver: *const KinescopeSolver,
    bones: *mut i32,
    capacity: usize,
) -> usize {
    look(0, || {
        let written = unsafe { object(solver, "solver") }?.solver.written_bones();
        let count = written.len();
        let bones = unsafe { list_mut(bones, capacity.min(count), "bones") }?;
        for (own, bone) in bones.iter_mut().zip(written) {
            *own = bone as i32;
        }
        Ok(count)
    })
}

/// Creates a workspace. It works with every solver of the same skeleton and biped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_workspace_new(
    solver: *const KinescopeSolver,
    out: *mut *mut KinescopeWorkspace,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let solver = object(solver, "solver")?;
            let pose = Vec::with_capacity(solver.character.skeleton.len());
            Ok(KinescopeWorkspace { workspace: solver.solver.workspace(), pose, stepping: None, is_solved: false })
        })
    })
}

/// Frees a workspace; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_workspace_free(workspace: *mut KinescopeWorkspace) {
    unsafe { free(workspace) };
}

/// Solves one frame: `pose` is the animated pose and becomes the solved one. Allocates nothing after a workspace's first solve.
/// On failure, and with a master weight of 0, the pose is unchanged, bit for bit. A stepped solve in progress in the workspace is
/// over, even on failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_solve(
    solver: *const KinescopeSolver,
    workspace: *mut KinescopeWorkspace,
    settings: *const KinescopeSettings,
    pose: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| unsafe { solve(solver, workspace, settings, pose) })
}

unsafe fn solve(
    solver: *const KinescopeSolver,
    workspace: *mut KinescopeWorkspace,
    settings: *const KinescopeSettings,
    pose: *const KinescopePose,
) -> Done {
    let (solver, own, settings, pose) = unsafe { read_input(solver, workspace, settings, pose) }?;
    let solved = solver.solver.solve(&mut own.workspace, &settings, &mut own.pose);
    let status = solved.map_err(|error| Refused::pose(error, &solver.character.skeleton, &own.pose))?;
    unsafe { own.hand_back(pose, status) }
}

/// Copies the pose into the workspace and returns all arguments, checked. Ends a stepped solve in progress in the workspace,
/// even if a later argument is refused.
///
/// # Safety
/// The pointers follow the rules of [`KinescopeStatus`].
pub(crate) unsafe fn read_input<'a>(
    solver: *const KinescopeSolver,
    workspace: *mut KinescopeWorkspace,
    settings: *const KinescopeSettings,
    pose: *const KinescopePose,
) -> Result<(&'a KinescopeSolver, &'a mut KinescopeWorkspace, Settings, &'a KinescopePose), Refused> {
    let own = unsafe { object_mut(workspace, "workspace") }?;
    (own.stepping, own.is_solved) = (None, false);
    let solver = unsafe { object(solver, "solver") }?;
    let settings = unsafe { shared(settings, "settings") }?.read()?;
    let pose = unsafe { shared(pose, "pose") }?;
    unsafe { pose.read("pose", &mut own.pose) }?;
    Ok((solver, own, settings, pose))
}

impl KinescopeWorkspace {
    /// Ends a successful solve: writes its pose to the caller's memory.
    ///
    /// # Safety
    /// The pointers and strides describe writable memory.
    pub(crate) unsafe fn hand_back(&mut self, pose: &KinescopePose, status: Status) -> Done {
        self.is_solved = true;
        unsafe { pose.write("pose", &self.pose) }?;
        Ok(status.into())
    }
}

/// Copies the written bones of the last solve in this workspace as local transforms: relative to the parent bone, or to
/// the model for roots. They are in the order of kinescope_solver_written_bones, at most `capacity` of them. Returns
/// the number of written bones; 0 before the first solve, if the last one failed, while a stepped solve is in progress,
/// and between kinescope_modifiers_before and kinescope_solve_after. Modifiers can turn other bones too, such as those
/// of the neck.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_locals(
    solver: *const KinescopeSolver,
    workspace: *const KinescopeWorkspace,
    locals: *mut KinescopeTransform,
    capacity: usize,
) -> usize {
    look(0, || {
        let solver = unsafe { object(solver, "solver") }?;
        let own = unsafe { object(workspace, "workspace") }?;
        if !own.is_solved {
            let why = "workspace: holds no solved pose".to_owned();
            return Err(Refused(KinescopeStatus::BadWorkspace, why));
        }
        let pose = &own.pose;
        let count = solver.solver.written_bones().len();
        let locals = unsafe { list_mut(locals, capacity.min(count), "locals") }?;
        for (own, (_, local)) in locals.iter_mut().zip(solver.solver.locals(pose)) {
            *own = local.into();
        }
        Ok(count)
    })
}

/// Returns the name in files of a node, effector, limb or stage, such as `left_hand`. `kind` is `node`, `effector`, `limb` or
/// `stage`. Returns NULL if there is none with that number. The pointer stays valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_name_of(kind: *const c_char, number: u32) -> *const c_char {
    look(std::ptr::null(), || {
        let kind = unsafe { text(kind, "kind") }?;
        let name: Option<&'static CStr> = crate::steps::name_of(kind, number as usize);
        name.map(CStr::as_ptr).ok_or_else(|| Refused::argument(format!("{number}: no {kind} has this number")))
    })
}
