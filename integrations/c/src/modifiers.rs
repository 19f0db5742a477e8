//! Modifiers: recoil, look-at, reach-for, head effector, … that act before, during and after a solve.

use std::ffi::c_char;
use std::sync::Arc;

use kinescope_library::attach::{Anchor, Attachment, Attachments, Posed, resolve};
use kinescope_library::modifiers::{
    Figure, HeadBone, Hit, Key, MAX_MODIFIERS, Memory, Modifier, Running, Seen, after_write, before_read,
    solve_with_hooks,
};
use kinescope_library::preset::Preset;
use kinescope_library::{Effector, RigidTransform, Settings, Skeleton};

use crate::pose::{KinescopePose, KinescopeQuat, KinescopeTransform, KinescopeVec3};
use crate::settings::{KinescopeSettings, choice};
use crate::solver::{KinescopeSolver, KinescopeWorkspace, read_input};
use crate::{
    Done, KinescopeStatus, Refused, exclusive, free, guard, hand_over, list, look, object, object_mut, objects,
    optional, shared, text, write_text,
};

/// The modifiers of one character, in the order in which they act, with their state.
pub struct KinescopeModifiers {
    pub(crate) running: Vec<Running>,
    attachments: Attachments,
    figure: Arc<Figure>,
    skeleton: Arc<Skeleton>,
}

objects!(KinescopeModifiers);

/// The moment of a frame, for modifiers.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeMoment {
    /// From model space to the space of the poses: the identity for poses in model space. For poses in world space it
    /// is the character's transform; targets of modifiers are in world space then.
    pub root: KinescopeTransform,
    /// Seconds since the last frame.
    pub dt: f32,
    /// Time in the clip that plays, seconds; for keyed effectors.
    pub time: f32,
}

impl KinescopeMoment {
    pub(crate) fn seen<'a>(&self, figure: &'a Figure) -> Result<Seen<'a>, Refused> {
        let root = crate::grounding::read_root(self.root, "moment.root")?;
        for (name, seconds) in [("dt", self.dt), ("time", self.time)] {
            if !seconds.is_finite() {
                return Err(Refused::argument(format!("moment.{name}: is {seconds}; expected a number of seconds")));
            }
        }
        Ok(Seen { figure, root, dt: self.dt, time: self.time })
    }
}

/// What a target is attached to, and where.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeAttachment {
    /// The bone that the target follows; -1 to follow an effector.
    pub bone: i32,
    /// The KinescopeEffector that the target follows if `bone` is -1.
    pub effector: u32,
    /// From the anchor to the target, in the anchor's space.
    pub offset: KinescopeVec3,
    /// Whether `rotation_offset` is set. 0 keeps the target's own rotation.
    pub has_rotation_offset: u32,
    /// The target's rotation in the anchor's space. Only hands, feet and reach-for use it.
    pub rotation_offset: KinescopeQuat,
}

/// Place, rotation and weights of a keyed effector at one time.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeKey {
    /// Time in the clip, seconds.
    pub time: f32,
    /// Position of the effector in model space, or in the space of the poses if `in_world` of the modifier is set.
    pub position: KinescopeVec3,
    /// Rotation of the effector in the same space. Only hands and feet use it.
    pub rotation: KinescopeQuat,
    /// Position weight, 0 to 1.
    pub position_weight: f32,
    /// Rotation weight, 0 to 1.
    pub rotation_weight: f32,
}

/// How a spine or neck bone bends for the head effector.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeHeadBone {
    /// How much the bone bends, 0 to 1.
    pub weight: f32,
    /// How much the bone's rotation is damped in each round, 0 to 1.
    pub damper: f32,
}

impl KinescopeModifiers {
    fn modifier(&self, index: usize) -> Result<&Modifier, Refused> {
        let count = self.running.len();
        let own = self.running.get(index).map(|own| &own.modifier);
        own.ok_or_else(|| Refused::argument(format!("index: is {index}; there are {count} modifiers")))
    }

    /// Replaces a modifier by `changed`, of the same kind, if its settings are valid. The state stays.
    fn change(&mut self, index: usize, changed: Modifier) -> Done {
        changed.validate().map_err(Refused::settings)?;
        self.modifier(index)?;
        self.running[index].modifier = changed;
        Ok(KinescopeStatus::Done)
    }

    pub(crate) fn figure(&self) -> &Figure {
        &self.figure
    }

    /// Returns the modifiers, and the data of the frame that they read.
    pub(crate) fn parts(&mut self, moment: &KinescopeMoment) -> Result<(&mut [Running], Seen<'_>), Refused> {
        Ok((&mut self.running, moment.seen(&self.figure)?))
    }

    /// Moves attached targets to their anchors, in the settings and in the modifiers.
    pub(crate) fn attach(&mut self, settings: &mut Settings, pose: &[RigidTransform]) -> Result<(), Refused> {
        let is_attached = |own: &Running| own.modifier.attachment().is_some();
        if self.attachments.is_empty() && !self.running.iter().any(is_attached) {
            return Ok(());
        }
        let posed = Posed { skeleton: &self.skeleton, effectors: self.figure.effector_bones(), pose };
        let within = |fault: kinescope_library::Fault| Refused::settings(fault.within("attachments"));
        resolve(&self.attachments, &posed, settings, |_, _| {}).map_err(within)?;
        for (index, own) in self.running.iter_mut().enumerate() {
            let attached = own.modifier.attach(&posed, settings);
            attached.map_err(|fault| Refused::settings(fault.within(format!("modifiers[{index}]"))))?;
        }
        Ok(())
    }

    fn read_attachment(&self, attachment: &KinescopeAttachment) -> Result<Attachment, Refused> {
        let to = match usize::try_from(attachment.bone) {
            Ok(bone) => match self.skeleton.bones().get(bone) {
                // Anchors are named, so that presets apply to other models.
                Some(own) if self.skeleton.find(&own.name) == Some(bone) => Anchor::Bone(own.name.clone()),
                Some(own) => {
                    let why =
                        format!("bone: is {bone}, whose name {:?} is not unique; anchors need unique names", own.name);
                    return Err(Refused::argument(why));
                }
                None => {
                    let count = self.skeleton.len();
                    return Err(Refused::argument(format!("bone: is {bone}; the skeleton has {count} bones")));
                }
            },
            Err(_) => Anchor::Effector(choice(attachment.effector, &Effector::ALL, || "effector".to_owned())?),
        };
        let rotation_offset = (attachment.has_rotation_offset != 0).then(|| attachment.rotation_offset.into());
        let own = Attachment { to, offset: attachment.offset.into(), rotation_offset };
        own.check().map_err(Refused::settings)?;
        Ok(own)
    }
}

/// Creates an empty list of modifiers for a character.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_new(
    solver: *const KinescopeSolver,
    out: *mut *mut KinescopeModifiers,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let solver = object(solver, "solver")?;
            Ok(KinescopeModifiers {
                running: Vec::new(),
                attachments: Attachments::default(),
                figure: solver.figure.clone(),
                skeleton: solver.skeleton.clone(),
            })
        })
    })
}

/// Frees a list of modifiers; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_free(modifiers: *mut KinescopeModifiers) {
    unsafe { free(modifiers) };
}

/// Adds a modifier with default settings at the end of the list; `kind` is a KinescopeModifierKind. `index`, which may
/// be NULL, receives the index of the modifier. A list has at most 64 modifiers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_add(
    modifiers: *mut KinescopeModifiers,
    kind: u32,
    index: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(modifiers, "modifiers") }?;
        let index = unsafe { optional(index, "index") }?;
        let mut all = Modifier::all();
        let at = usize::try_from(kind).ok().filter(|&at| at < all.len());
        let at = at.ok_or_else(|| Refused::argument(format!("kind: is {kind}; no kind has that number")))?;
        let count = own.running.len();
        if count >= MAX_MODIFIERS {
            return Err(Refused::argument(format!("modifiers: has {count}, the most that are allowed")));
        }
        own.running.push(Running::new(all.swap_remove(at)));
        if let Some(index) = index {
            *index = count;
        }
        Ok(KinescopeStatus::Done)
    })
}

/// Removes a modifier; the indices of those after it decrease by 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_remove(
    modifiers: *mut KinescopeModifiers,
    index: usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(modifiers, "modifiers") }?;
        own.modifier(index)?;
        own.running.remove(index);
        Ok(KinescopeStatus::Done)
    })
}

/// Returns the number of modifiers; 0 for an invalid list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_count(modifiers: *const KinescopeModifiers) -> usize {
    look(0, || Ok(unsafe { object(modifiers, "modifiers") }?.running.len()))
}

/// Returns the KinescopeModifierKind of a modifier; -1 if there is none with that index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_kind(modifiers: *const KinescopeModifiers, index: usize) -> i32 {
    look(-1, || {
        let key = unsafe { object(modifiers, "modifiers") }?.modifier(index)?.key();
        Ok(Modifier::all().iter().position(|own| own.key() == key).map_or(-1, |kind| kind as i32))
    })
}

/// Reads the sections `modifiers` and `attachments` of a preset (zero-terminated JSON), which replace the list and the
/// attached targets of effectors; if one of the sections is missing, it counts as empty. A modifier goes on from its
/// state if the list had the same kind at its place. Returns KINESCOPE_STATUS_NOTHING_TO_DO if the preset has neither
/// section.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_from_preset(
    modifiers: *mut KinescopeModifiers,
    json: *const c_char,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(modifiers, "modifiers") }?;
        let preset = Preset::from_json(unsafe { text(json, "json") }?).map_err(Refused::file)?;
        if !["modifiers", "attachments"].iter().any(|name| preset.sections.contains_key(*name)) {
            return Ok(KinescopeStatus::NothingToDo);
        }
        let stack = kinescope_library::stack::Stack::of_preset(&preset).map_err(Refused::file)?;
        let memory = |index: usize, modifier: &Modifier| match own.running.get(index) {
            Some(before) if before.modifier.key() == modifier.key() => before.memory,
            _ => Memory::Nothing,
        };
        let running = stack.modifiers.iter().enumerate();
        let running =
            running.map(|(index, modifier)| Running { modifier: modifier.clone(), memory: memory(index, modifier) });
        (own.running, own.attachments) = (running.collect(), (*stack.attachments).clone());
        Ok(KinescopeStatus::Done)
    })
}

/// Writes the modifiers and the attached targets of effectors as a preset, into a buffer as kinescope_settings_to_preset does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_to_preset(
    modifiers: *const KinescopeModifiers,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(modifiers, "modifiers") }?;
        let mut preset = Preset::default();
        let all: Vec<Modifier> = own.running.iter().map(|own| own.modifier.clone()).collect();
        preset.put("modifiers", &all);
        preset.put("attachments", &own.attachments);
        unsafe { write_text(&preset.to_json(), buffer, capacity, needed) }
    })
}

/// Resets the state of all modifiers, for example after a cut or a teleport.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_reset(modifiers: *mut KinescopeModifiers) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(modifiers, "modifiers") }?;
        own.running.iter_mut().for_each(|own| own.memory = Memory::Nothing);
        Ok(KinescopeStatus::Done)
    })
}

/// Starts the action of a modifier: a recoil fires, a reach-for reaches. Returns KINESCOPE_STATUS_NOTHING_TO_DO for other kinds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_trigger(
    modifiers: *mut KinescopeModifiers,
    index: usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(modifiers, "modifiers") }?;
        if own.modifier(index)?.trigger_label().is_none() {
            return Ok(KinescopeStatus::NothingToDo);
        }
        own.running[index].trigger();
        Ok(KinescopeStatus::Done)
    })
}

/// Strikes the character at a point; `direction` is the blow's direction of any length but 0, and `force` how far it
/// throws the struck place, as a fraction of the character's height. `point` and `direction` are in the space of the
/// poses, and `root` is as in KinescopeMoment. Every modifier of the kind hit reaction reacts; returns
/// KINESCOPE_STATUS_NOTHING_TO_DO if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_strike(
    modifiers: *mut KinescopeModifiers,
    root: KinescopeTransform,
    point: KinescopeVec3,
    direction: KinescopeVec3,
    force: f32,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(modifiers, "modifiers") }?;
        let root = crate::grounding::read_root(root, "root")?;
        let hit = Hit::new(root, point.into(), direction.into(), force).ok_or_else(|| {
            Refused::argument("a blow needs a finite point and force, and a direction of a length other than 0")
        })?;
        let struck = own.running.iter_mut().fold(false, |struck, own| own.strike(hit) | struck);
        Ok(if struck { KinescopeStatus::Done } else { KinescopeStatus::NothingToDo })
    })
}

/// Attaches the target of a look-at or reach-for to a bone or an effector; NULL detaches it. Every solve with these
/// modifiers first places the target relative to its anchor: to a bone in the animated pose; to the target of an
/// effector that has position weight, or else to the effector's bone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_attach(
    modifiers: *mut KinescopeModifiers,
    index: usize,
    attachment: *const KinescopeAttachment,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(modifiers, "modifiers") }?;
        let mut changed = own.modifier(index)?.clone();
        let attached = match unsafe { optional(attachment.cast_mut(), "attachment") }? {
            Some(attachment) => Some(own.read_attachment(attachment)?),
            None => None,
        };
        match changed.attachment_mut() {
            Some(target) => *target = attached,
            None => {
                let kind = changed.name();
                return Err(Refused::argument(format!(
                    "index: is a modifier of the kind {kind}, which has no attached target"
                )));
            }
        }
        own.change(index, changed)
    })
}

/// Attaches the target of an effector (a KinescopeEffector) to a bone or another effector; NULL detaches it. A solve with these
/// modifiers sets the target in the settings that it uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_attach_effector(
    modifiers: *mut KinescopeModifiers,
    effector: u32,
    attachment: *const KinescopeAttachment,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(modifiers, "modifiers") }?;
        let effector = choice(effector, &Effector::ALL, || "effector".to_owned())?;
        let attached = match unsafe { optional(attachment.cast_mut(), "attachment") }? {
            Some(attachment) => Some(own.read_attachment(attachment)?),
            None => None,
        };
        let mut changed = own.attachments.clone();
        *changed.get_mut(effector) = attached;
        changed.validate().map_err(Refused::settings)?;
        own.attachments = changed;
        Ok(KinescopeStatus::Done)
    })
}

/// Replaces the keys of an effector (a KinescopeEffector) in a modifier of keyed effectors; `count` 0 removes its
/// track. Keys must be in the order of their times.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_set_keys(
    modifiers: *mut KinescopeModifiers,
    index: usize,
    effector: u32,
    keys: *const KinescopeKey,
    count: usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(modifiers, "modifiers") }?;
        let effector = choice(effector, &Effector::ALL, || "effector".to_owned())?;
        let keys = unsafe { list(keys, count, "keys") }?.iter().map(|own| Key {
            time: own.time,
            position: own.position.into(),
            rotation: own.rotation.into(),
            position_weight: own.position_weight,
            rotation_weight: own.rotation_weight,
        });
        let Modifier::Keyed(mut changed) = own.modifier(index)?.clone() else {
            return Err(wrong_kind(own, index, "keyed"));
        };
        match count {
            0 => changed.tracks.retain(|track| track.effector != effector),
            _ => changed.track_mut(effector).keys = keys.collect(),
        }
        own.change(index, Modifier::Keyed(changed))
    })
}

/// Replaces the bend of single bones in a modifier of the kind head: one entry for each spine bone from the pelvis up, then one
/// for each neck bone. Bones without an entry take the settings of the modifier.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_set_head_bones(
    modifiers: *mut KinescopeModifiers,
    index: usize,
    bones: *const KinescopeHeadBone,
    count: usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(modifiers, "modifiers") }?;
        let bones = unsafe { list(bones, count, "bones") }?.iter();
        let Modifier::Head(mut changed) = own.modifier(index)?.clone() else {
            return Err(wrong_kind(own, index, "head"));
        };
        changed.bones = bones.map(|own| HeadBone { weight: own.weight, damper: own.damper }).collect();
        own.change(index, Modifier::Head(changed))
    })
}

fn wrong_kind(own: &KinescopeModifiers, index: usize, expected: &str) -> Refused {
    let found = own.running.get(index).map_or("", |own| own.modifier.key());
    Refused::argument(format!("index: modifier {index} is of the kind {found}, expected {expected}"))
}

/// A structure in C with the settings of a kind of modifier.
pub(crate) trait Kind: Copy + for<'a> From<&'a Self::Own> {
    /// The settings in the library.
    type Own: 'static;

    /// Returns the settings of a modifier of this kind.
    fn of(modifier: &Modifier) -> Option<&Self::Own>;

    /// Returns a modifier with these settings. Settings that the structure lacks come from `own`.
    fn read(&self, own: &Self::Own) -> Result<Modifier, Refused>;
}

fn expected<K: Kind>() -> &'static str {
    let all = Modifier::all();
    let key = all.iter().find(|own| K::of(own).is_some()).map_or("", |own| own.key());
    Modifier::known_key(key).unwrap_or_default()
}

pub(crate) unsafe fn get_settings<K: Kind>(
    modifiers: *const KinescopeModifiers,
    index: usize,
    settings: *mut K,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(modifiers, "modifiers") }?;
        let settings = unsafe { exclusive(settings, "settings") }?;
        let found = K::of(own.modifier(index)?).ok_or_else(|| wrong_kind(own, index, expected::<K>()))?;
        *settings = K::from(found);
        Ok(KinescopeStatus::Done)
    })
}

pub(crate) unsafe fn set_settings<K: Kind>(
    modifiers: *mut KinescopeModifiers,
    index: usize,
    settings: *const K,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(modifiers, "modifiers") }?;
        let settings = unsafe { shared(settings, "settings") }?;
        let found = K::of(own.modifier(index)?).ok_or_else(|| wrong_kind(own, index, expected::<K>()))?;
        let changed = settings.read(found)?;
        own.change(index, changed)
    })
}

/// Checks pose and settings first, so that the modifiers' state does not advance in a frame that cannot be solved.
fn check(solver: &KinescopeSolver, own: &mut KinescopeWorkspace, settings: &Settings) -> Result<(), Refused> {
    let read = solver.solver.read(&mut own.workspace, settings, &own.pose);
    read.map(|_| ()).map_err(|error| Refused::pose(error, &solver.character.skeleton, &own.pose))
}

/// Solves like kinescope_solve, with modifiers before, during and after the solve. On failure the pose is unchanged, bit for bit.
/// At master weight 0 nothing is solved, but time passes for the modifiers.
///
/// With grounding, the order is kinescope_modifiers_before, kinescope_ground, kinescope_solve_after.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_solve_modified(
    solver: *const KinescopeSolver,
    workspace: *mut KinescopeWorkspace,
    settings: *const KinescopeSettings,
    modifiers: *mut KinescopeModifiers,
    moment: *const KinescopeMoment,
    pose: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| unsafe {
        let (solver, own, settings, pose) = read_input(solver, workspace, settings, pose)?;
        let (modifiers, moment) = (object_mut(modifiers, "modifiers")?, shared(moment, "moment")?);
        let refused = |error, pose: &[RigidTransform]| Refused::pose(error, &solver.character.skeleton, pose);
        check(solver, own, &settings)?;
        let mut modified = settings;
        modifiers.attach(&mut modified, &own.pose)?;
        let (running, seen) = modifiers.parts(moment)?;
        before_read(running, &seen, &mut modified, &mut own.pose);
        let solved = solve_with_hooks(&solver.solver, &mut own.workspace, &modified, running, &seen, &mut own.pose);
        let status = solved.map_err(|error| refused(error, &own.pose))?;
        after_write(running, &seen, &modified, &mut own.pose);
        own.hand_back(pose, status)
    })
}

/// Runs the first part of kinescope_solve_modified: attached targets and modifiers change `settings` to `driven` and
/// turn bones of `pose`, the animated pose. `driven` may be `settings` itself. kinescope_ground may then change
/// `driven` for this pose; kinescope_solve_after solves the pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_before(
    solver: *const KinescopeSolver,
    workspace: *mut KinescopeWorkspace,
    settings: *const KinescopeSettings,
    modifiers: *mut KinescopeModifiers,
    moment: *const KinescopeMoment,
    pose: *const KinescopePose,
    driven: *mut KinescopeSettings,
) -> KinescopeStatus {
    guard(|| unsafe {
        let (solver, own, mut modified, pose) = read_input(solver, workspace, settings, pose)?;
        let (modifiers, moment) = (object_mut(modifiers, "modifiers")?, shared(moment, "moment")?);
        let driven = exclusive(driven, "driven")?;
        check(solver, own, &modified)?;
        modifiers.attach(&mut modified, &own.pose)?;
        let (running, seen) = modifiers.parts(moment)?;
        before_read(running, &seen, &mut modified, &mut own.pose);
        pose.write("pose", &own.pose)?;
        *driven = (&modified).into();
        Ok(KinescopeStatus::Done)
    })
}

/// Runs the second part of kinescope_solve_modified: solves the pose of kinescope_modifiers_before with the modifiers during and
/// after the solve. `driven` are the settings of kinescope_modifiers_before, possibly changed by grounding.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_solve_after(
    solver: *const KinescopeSolver,
    workspace: *mut KinescopeWorkspace,
    driven: *const KinescopeSettings,
    modifiers: *const KinescopeModifiers,
    moment: *const KinescopeMoment,
    pose: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| unsafe {
        let (solver, own, driven, pose) = read_input(solver, workspace, driven, pose)?;
        let (modifiers, moment) = (object(modifiers, "modifiers")?, shared(moment, "moment")?);
        let seen = moment.seen(&modifiers.figure)?;
        let running = &modifiers.running;
        let refused = |error, pose: &[RigidTransform]| Refused::pose(error, &solver.character.skeleton, pose);
        check(solver, own, &driven)?;
        let solved = solve_with_hooks(&solver.solver, &mut own.workspace, &driven, running, &seen, &mut own.pose);
        let status = solved.map_err(|error| refused(error, &own.pose))?;
        after_write(running, &seen, &driven, &mut own.pose);
        own.hand_back(pose, status)
    })
}
