//! The whole stack of a character: every layer of the library in its order, with the settings of a preset.

use std::ffi::c_char;
use std::sync::Arc;

use kinescope_library::ground::Ground;
use kinescope_library::grounding::Side;
use kinescope_library::modifiers::{Hit, Memory as ModifierMemory};
use kinescope_library::preset::Preset;
use kinescope_library::retarget::SourcePose;
use kinescope_library::rig::ModelPose;
use kinescope_library::stack::{Frame, Input, Memory, Place, Rig, Stack, Tools, solve};
use kinescope_library::{Biped, RigidTransform, Workspace};

use crate::bodies::read_clip_ranges;
use crate::ground::KinescopeGround;
use crate::grounding::{KinescopeGroundFrame, KinescopeGroundOutput, carry, check_pose, read_root};
use crate::layers::Solved;
use crate::pose::{KinescopePose, KinescopeTransform, KinescopeVec3};
use crate::retargeting::KinescopeRetargeter;
use crate::settings::KinescopeSettings;
use crate::solver::KinescopeSolver;
use crate::{
    KinescopeStatus, Refused, exclusive, free, guard, hand_over, list, object, object_mut, objects, optional, shared,
    text, write_text,
};

/// A character with all its layers, and their state from frame to frame.
pub struct KinescopeStack {
    pub(crate) rig: Rig,
    pub(crate) biped: Biped,
    pub(crate) stack: Stack,
    memory: Memory,
    workspace: Workspace,
    pose: Vec<RigidTransform>,
    source: Option<Arc<SourcePose>>,
    /// Name, speed and share of each clip that plays.
    clips: Vec<(String, f32, f32)>,
    output: Option<KinescopeGroundOutput>,
    pub(crate) solved: Solved,
}

objects!(KinescopeStack);

impl KinescopeStack {
    pub(crate) fn new(rig: Rig, biped: Biped, stack: Stack) -> Result<Self, Refused> {
        let refused = |why: &String| Refused(KinescopeStatus::BadRig, why.clone());
        let workspace = rig.full_body.as_ref().map_err(refused)?.workspace();
        let (memory, solved) = (Memory::default(), Solved::default());
        let (pose, clips) = (Vec::new(), Vec::new());
        Ok(Self { rig, biped, stack, memory, workspace, pose, source: None, clips, output: None, solved })
    }

    /// Solves a frame, and keeps it together with its pose in model space. If a layer fails, memory and pose are
    /// unchanged, but the frame is kept.
    pub(crate) fn solve(&mut self, input: &Input, ground: Option<&dyn Ground>) -> Result<(), Refused> {
        let tools = Tools { workspace: Some(&mut self.workspace), ground, clock: None };
        let frame = solve(&self.rig, tools, input);
        let root = input.place.root;
        let problem = frame.problem().map(|(layer, why)| format!("{}: {why}", layer.label()));
        if problem.is_none() {
            self.output = frame.grounded().map(|output| KinescopeGroundOutput::of(&output, frame.planted));
            self.memory.clone_from(&frame.memory);
            self.pose.clone_from(&frame.pose);
            self.pose.iter_mut().for_each(|bone| *bone = root.to_local(bone));
        }
        (self.solved.frame, self.solved.root) = (frame, root);
        problem.map_or(Ok(()), |why| Err(Refused(KinescopeStatus::BadSettings, why)))
    }

    /// Returns the frame of the last solve.
    pub(crate) fn frame(&self) -> Result<&Frame, Refused> {
        let why = || Refused(KinescopeStatus::BadWorkspace, "stack: kinescope_stack_solve must come first".to_owned());
        if self.solved.frame.layers.is_empty() { Err(why()) } else { Ok(&self.solved.frame) }
    }
}

/// Creates the stack of a character, with default settings: the full body alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_new(
    solver: *const KinescopeSolver,
    out: *mut *mut KinescopeStack,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let own = object(solver, "solver")?;
            let character = &own.character;
            let rig = Rig::biped("character", own.skeleton.clone(), &character.biped, character.reference.clone());
            let rig = rig.map_err(Refused::rig)?.with_legs(Some(own.legs));
            KinescopeStack::new(rig, character.biped.clone(), Stack::default())
        })
    })
}

/// Frees a stack; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_free(stack: *mut KinescopeStack) {
    unsafe { free(stack) };
}

/// Reads all layers of a preset (zero-terminated JSON): parameters of the full body, `grounding`, `chain_ik`, `attachments`,
/// `modifiers` and `stack`. The state of layers stays; kinescope_stack_reset clears it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_from_preset(
    stack: *mut KinescopeStack,
    json: *const c_char,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(stack, "stack") }?;
        let preset = Preset::from_json(unsafe { text(json, "json") }?).map_err(Refused::file)?;
        own.stack = Stack::of_preset(&preset).map_err(Refused::file)?;
        Ok(KinescopeStatus::Done)
    })
}

/// Writes all layers as a preset, into a buffer as kinescope_settings_to_preset does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_to_preset(
    stack: *const KinescopeStack,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(stack, "stack") }?;
        unsafe { write_text(&own.stack.to_preset().to_json(), buffer, capacity, needed) }
    })
}

/// Copies the parameters of the full body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_get_settings(
    stack: *const KinescopeStack,
    settings: *mut KinescopeSettings,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(stack, "stack") }?;
        *unsafe { exclusive(settings, "settings") }? = (&own.stack.full_body).into();
        Ok(KinescopeStatus::Done)
    })
}

/// Changes the parameters of the full body, whose targets are in model space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_set_settings(
    stack: *mut KinescopeStack,
    settings: *const KinescopeSettings,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(stack, "stack") }?;
        let settings = unsafe { shared(settings, "settings") }?.read()?;
        settings.validate().map_err(Refused::settings)?;
        own.stack.full_body = settings;
        Ok(KinescopeStatus::Done)
    })
}

/// Clears the state of all layers, for example after a cut.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_reset(stack: *mut KinescopeStack) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(stack, "stack") }?;
        (own.memory, own.output, own.solved) = (Memory::default(), None, Solved::default());
        Ok(KinescopeStatus::Done)
    })
}

/// Sets the poses of the character's clips for the least-squares and the position-based body, as
/// kinescope_least_squares_set_clip_poses does. With `"stack": {"least_squares": {"clip_limits": true}}` in the preset,
/// or with `position_based` in place of `least_squares`, a body uses them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_set_clip_poses(
    stack: *mut KinescopeStack,
    poses: *const KinescopePose,
    count: usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(stack, "stack") }?;
        let refused = |why: &String| Refused(KinescopeStatus::BadRig, why.clone());
        let joints = own.rig.joints.as_ref().map_err(refused)?;
        let ranges = unsafe { read_clip_ranges(joints, &own.rig.skeleton, poses, count) }?;
        own.rig = std::mem::take(&mut own.rig).with_clip_ranges(ranges);
        Ok(KinescopeStatus::Done)
    })
}

/// Sets a pose of another character, in model space of that character; it applies until it is changed.
/// kinescope_stack_solve then solves the retargeted pose instead of the animated pose; with NULL for both, the animated
/// pose again. `path` is a factor of the pelvis's path along the ground. With `"stack": {"retarget": {"on": true}}` in
/// the preset, feet and hands keep their places as far as its settings say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_set_source(
    stack: *mut KinescopeStack,
    retargeter: *const KinescopeRetargeter,
    pose: *const KinescopePose,
    path: f32,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(stack, "stack") }?;
        if retargeter.is_null() && pose.is_null() {
            own.source = None;
            return Ok(KinescopeStatus::Done);
        }
        let (retargeter, pose) = unsafe { (object(retargeter, "retargeter")?, shared(pose, "pose")?) };
        if !path.is_finite() {
            return Err(Refused::argument("path: is not finite; expected a factor"));
        }
        let [source, target] = retargeter.map.sizes();
        let mut bones = Vec::new();
        unsafe { pose.read("pose", &mut bones) }?;
        if bones.len() < source || target != own.rig.skeleton.len() {
            let why = format!("pose: has {} bones; the retargeter maps {source} bones to {target}", bones.len());
            return Err(Refused(KinescopeStatus::BadPose, why));
        }
        let (map, parents) = (retargeter.map.clone(), retargeter.parents.clone());
        own.source = Some(Arc::new(SourcePose { map, pose: bones, parents, path }));
        Ok(KinescopeStatus::Done)
    })
}

/// A clip that plays, for the rules of grounding.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopePlayedClip {
    /// Name of the clip, zero-terminated, as the rules have it.
    pub name: *const c_char,
    /// Speed at which the clip walks, metres per second.
    pub speed: f32,
    /// Share of the clip in the pose, 0 or more, relative to that of the other clips.
    pub share: f32,
}

/// Sets the clips that play; they apply until they are changed. kinescope_stack_solve chooses from `grounding.rules` by
/// them. With a count of 0, as at first, no rule applies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_set_clips(
    stack: *mut KinescopeStack,
    clips: *const KinescopePlayedClip,
    count: usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(stack, "stack") }?;
        let clips = unsafe { list(clips, count, "clips") }?.iter().enumerate();
        let read = |(index, clip): (usize, &KinescopePlayedClip)| {
            let KinescopePlayedClip { name, speed, share } = *clip;
            let name = unsafe { text(name, &format!("clips[{index}].name")) }?.to_owned();
            if !(speed.is_finite() && share.is_finite() && share >= 0.0) {
                let why = format!(
                    "clips[{index}]: has the speed {speed} and the share {share}; expected numbers, a share of 0 or more"
                );
                return Err(Refused::argument(why));
            }
            Ok((name, speed, share))
        };
        own.clips = clips.map(read).collect::<Result<_, Refused>>()?;
        Ok(KinescopeStatus::Done)
    })
}

/// Starts the action of a modifier by its index in the preset. Returns KINESCOPE_STATUS_NOTHING_TO_DO if the modifier
/// has no action.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_trigger(stack: *mut KinescopeStack, index: usize) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(stack, "stack") }?;
        let count = own.stack.modifiers.len();
        let Some(modifier) = own.stack.modifiers.get(index) else {
            return Err(Refused::argument(format!("index: is {index}; there are {count} modifiers")));
        };
        if modifier.trigger_label().is_none() {
            return Ok(KinescopeStatus::NothingToDo);
        }
        own.memory.modifiers.resize(count, ModifierMemory::Nothing);
        modifier.trigger(&mut own.memory.modifiers[index]);
        Ok(KinescopeStatus::Done)
    })
}

/// Strikes the character at a point in world space, as kinescope_modifiers_strike does; `root` is the character's transform.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_strike(
    stack: *mut KinescopeStack,
    root: KinescopeTransform,
    point: KinescopeVec3,
    direction: KinescopeVec3,
    force: f32,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(stack, "stack") }?;
        let root = read_root(root, "root")?;
        let hit = Hit::new(root, point.into(), direction.into(), force).ok_or_else(|| {
            Refused::argument("a blow needs a finite point and force, and a direction of a length other than 0")
        })?;
        own.memory.modifiers.resize(own.stack.modifiers.len(), ModifierMemory::Nothing);
        let each = own.stack.modifiers.iter().zip(&mut own.memory.modifiers);
        let struck = each.fold(false, |struck, (modifier, memory)| modifier.strike(memory, hit) | struck);
        Ok(if struck { KinescopeStatus::Done } else { KinescopeStatus::NothingToDo })
    })
}

/// Solves all layers that are on, in their order: `pose` is the animated pose in model space and becomes the solved one. `ground` may
/// be NULL. `frame` has place and time; `clip_time` is the time in the clip that plays, for keyed effectors. Targets of modifiers
/// and chains are in world space.
///
/// A frame costs more than single functions, because every layer records its steps, and it allocates. If a layer fails, the call
/// fails, with the layer's name in the reason, and the pose is unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_solve(
    stack: *mut KinescopeStack,
    ground: *const KinescopeGround,
    frame: *const KinescopeGroundFrame,
    clip_time: f32,
    pose: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(stack, "stack") }?;
        let ground = unsafe { optional(ground.cast_mut(), "ground") }?;
        let (frame, pose) = unsafe { (shared(frame, "frame")?, shared(pose, "pose")?) };
        unsafe { pose.read("pose", &mut own.pose) }?;
        check_pose(&own.pose, &own.rig.skeleton)?;
        own.pose.truncate(own.rig.skeleton.len());
        let mut place = frame.place(clip_time)?;
        if let Some(source) = &own.source {
            source.map.retarget(&source.pose, source.path, &mut own.pose);
            place.source = Some(source.map.places(&source.pose));
        }
        let clips = own.clips.iter().map(|(name, speed, share)| (name.as_str(), *speed, *share));
        place.grounding = own.stack.grounding.now(clips);
        let root = place.root;
        carry(&root, &mut own.pose);
        let mut layers = own.stack.clone();
        layers.full_body = layers.full_body.carried_by(&root);
        if frame.keeps_world_up != 0 {
            layers.grounding.rotate_solver = false;
        }
        for (own, layers) in layers.grounding.environment.iter_mut().zip(frame.layers()) {
            *own = own.and(layers);
        }
        let input = Input {
            source: own.source.clone(),
            place,
            memory: own.memory.clone(),
            ..Input::new(layers, ModelPose::rigid(own.pose.clone()))
        };
        own.solve(&input, ground.as_deref().map(|ground| ground as &dyn Ground))?;
        unsafe { pose.write("pose", &own.pose) }?;
        Ok(KinescopeStatus::Done)
    })
}

/// Writes the solved pose of the last frame, in model space; if a layer failed, the pose that the other layers gave.
/// Returns KINESCOPE_STATUS_NOTHING_TO_DO before the first frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_pose(
    stack: *const KinescopeStack,
    pose: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(stack, "stack") }?;
        let to = unsafe { shared(pose, "pose") }?;
        let posed = &own.solved.frame.pose;
        if posed.is_empty() {
            return Ok(KinescopeStatus::NothingToDo);
        }
        if to.count < posed.len() {
            let why = format!("pose: has {} bones; the stack has {}", to.count, posed.len());
            return Err(Refused(KinescopeStatus::BadPose, why));
        }
        let posed: Vec<RigidTransform> = posed.iter().map(|bone| own.solved.root.to_local(bone)).collect();
        unsafe { to.write("pose", &posed) }?;
        Ok(KinescopeStatus::Done)
    })
}

/// Copies the goals of grounding of the last frame in which no layer failed. Returns KINESCOPE_STATUS_NOTHING_TO_DO if
/// that frame has none, and before the first such frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_output(
    stack: *const KinescopeStack,
    output: *mut KinescopeGroundOutput,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(stack, "stack") }?;
        let output = unsafe { exclusive(output, "output") }?;
        let Some(found) = own.output else { return Ok(KinescopeStatus::NothingToDo) };
        *output = found;
        Ok(KinescopeStatus::Done)
    })
}

impl KinescopeGroundFrame {
    /// Returns place and time for the stack, checked.
    fn place(&self, clip_time: f32) -> Result<Place, Refused> {
        let place = Place {
            root: read_root(self.root, "frame.root")?,
            dt: self.dt,
            clip_time,
            planted: self.planted,
            crossed: Side::ALL.map(|side| {
                let side = side as usize;
                (self.has_crossed[side] != 0).then_some(self.crossed[side])
            }),
            carried: self.carried.map(Into::into),
            footprints: self.footprints()?,
            ..Place::default()
        };
        place.validate().map_err(|fault| Refused::argument(fault.within("frame").to_string()))?;
        Ok(place)
    }
}
