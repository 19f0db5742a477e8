//! Model files: skeleton, roles and clips.

use std::ffi::{CString, c_char};

use kinescope_library::game_recording::GameCharacter;
use kinescope_library::rig::{LengthUnit, LocalPose, Mapping, Model, ModelPose, ReferenceChoice, detect};

use crate::pose::KinescopePose;
use crate::settings::choice;
use crate::solver::KinescopeSolver;
use crate::{
    KinescopeStatus, Refused, free, guard, hand_over, list, look, object, object_mut, objects, shared, text, write_text,
};

/// A character that was read from a model file.
pub struct KinescopeModel {
    pub(crate) model: Model,
    bones: Vec<CString>,
    clips: Vec<CString>,
    local: LocalPose,
    pose: ModelPose,
}

objects!(KinescopeModel);

/// The unit of the lengths in a .bvh file.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeLengthUnit {
    /// Centimetres.
    Centimetres,
    /// Metres.
    Metres,
    /// Millimetres.
    Millimetres,
    /// Inches.
    Inches,
    /// The unit of the motion capture library of Carnegie Mellon University, 1/0.45 inches.
    Cmu,
}

impl KinescopeModel {
    fn new(model: Model) -> Result<Self, Refused> {
        let bones = model.skeleton.bones().iter().map(|bone| c_text(&bone.name)).collect();
        let clips = model.clips.iter().map(|clip| c_text(&clip.name)).collect();
        Ok(Self { model, bones, clips, local: LocalPose::default(), pose: ModelPose::default() })
    }
}

fn c_text(own: &str) -> CString {
    CString::new(own.replace('\0', " ")).unwrap_or_default()
}

/// Refuses to read another file that a model refers to.
#[cfg(feature = "import")]
pub(crate) fn other_file(uri: &str) -> Result<Vec<u8>, String> {
    Err(format!("refers to the file {uri}; pack the model into one .glb file"))
}

#[cfg(feature = "import")]
fn import(name: &str, bytes: &[u8], unit: Option<LengthUnit>) -> Result<Model, Refused> {
    let model = kinescope_library::rig::import::import_in_unit(name, bytes, unit, &mut other_file);
    model.map_err(|error| Refused(KinescopeStatus::BadFile, error.to_string()))
}

#[cfg(not(feature = "import"))]
fn import(name: &str, _: &[u8], _: Option<LengthUnit>) -> Result<Model, Refused> {
    let why = format!("{name}: this library was built without the feature import, which reads models");
    Err(Refused(KinescopeStatus::BadFile, why))
}

/// Reads a model from the bytes of a .glb, .gltf, .vrm, .bvh or .fbx file, which must not refer to other files, except for textures. `name`
/// is the file's name, for messages. A library that was built without the feature `import` returns KINESCOPE_STATUS_BAD_FILE, and
/// without the feature `fbx` it does so for .fbx files.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_new(
    name: *const c_char,
    bytes: *const u8,
    count: usize,
    out: *mut *mut KinescopeModel,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || KinescopeModel::new(import(text(name, "name")?, list(bytes, count, "bytes")?, None)?))
    })
}

/// Reads a model as kinescope_model_new does. Lengths of a .bvh file are in `unit`, a KinescopeLengthUnit;
/// kinescope_model_new chooses the unit by the height of the skeleton. Other formats state their unit; `unit` has no
/// effect on them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_new_in_unit(
    name: *const c_char,
    bytes: *const u8,
    count: usize,
    unit: u32,
    out: *mut *mut KinescopeModel,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let unit = choice(unit, &LengthUnit::ALL, || "unit".to_owned())?;
            KinescopeModel::new(import(text(name, "name")?, list(bytes, count, "bytes")?, Some(unit))?)
        })
    })
}

/// Writes notes on the file, one in each line, into a buffer as kinescope_settings_to_preset does: irregularities and how
/// they were handled, and parts that are not read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_notes(
    model: *const KinescopeModel,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(model, "model") }?;
        unsafe { write_text(&own.model.notes.join("\n"), buffer, capacity, needed) }
    })
}

/// Frees a model; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_free(model: *mut KinescopeModel) {
    unsafe { free(model) };
}

/// Returns the number of bones of a model and of its poses; 0 for an invalid model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_bones(model: *const KinescopeModel) -> usize {
    look(0, || Ok(unsafe { object(model, "model") }?.bones.len()))
}

/// Returns the name of a bone, which stays valid until the model is freed; NULL if there is no such bone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_bone_name(model: *const KinescopeModel, bone: usize) -> *const c_char {
    look(std::ptr::null(), || {
        Ok(unsafe { object(model, "model") }?.bones.get(bone).map_or(std::ptr::null(), |name| name.as_ptr()))
    })
}

/// Returns the parent of a bone; -1 for a root, and if there is no such bone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_parent(model: *const KinescopeModel, bone: usize) -> i32 {
    look(-1, || {
        let bones = unsafe { object(model, "model") }?.model.skeleton.bones();
        Ok(bones.get(bone).and_then(|own| own.parent).map_or(-1, |parent| parent as i32))
    })
}

/// Creates the solver of a model's character. Roles and reference pose are detected.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_solver(
    model: *const KinescopeModel,
    out: *mut *mut KinescopeSolver,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let model = &object(model, "model")?.model;
            let found = detect(model, &Mapping::default(), ReferenceChoice::default());
            let biped = found.biped.ok_or_else(|| Refused(KinescopeStatus::BadRig, found.problems.join(" ")))?;
            let character = GameCharacter::new(&model.name, &model.skeleton, Some(biped), found.reference.bones);
            KinescopeSolver::of_character(character.map_err(Refused::rig)?)
        })
    })
}

/// Returns the number of clips; 0 for an invalid model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_clips(model: *const KinescopeModel) -> usize {
    look(0, || Ok(unsafe { object(model, "model") }?.clips.len()))
}

/// Returns the name of a clip, which stays valid until the model is freed; NULL if there is no such clip.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_clip_name(model: *const KinescopeModel, clip: usize) -> *const c_char {
    look(std::ptr::null(), || {
        Ok(unsafe { object(model, "model") }?.clips.get(clip).map_or(std::ptr::null(), |name| name.as_ptr()))
    })
}

/// Returns the duration of a clip in seconds; 0 if there is no such clip.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_clip_duration(model: *const KinescopeModel, clip: usize) -> f32 {
    look(0.0, || Ok(unsafe { object(model, "model") }?.model.clips.get(clip).map_or(0.0, |clip| clip.duration)))
}

/// Writes the pose of a clip at `time` seconds, which is clamped to the clip's ends, in model space. A `clip` of -1 is the rest pose.
/// Allocates nothing after the first call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_sample(
    model: *mut KinescopeModel,
    clip: i32,
    time: f32,
    pose: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| {
        let KinescopeModel { model, local, pose: sampled, .. } = unsafe { object_mut(model, "model") }?;
        let to = unsafe { shared(pose, "pose") }?;
        if to.count < model.skeleton.len() {
            let why = format!("pose: has {} bones; the model has {}", to.count, model.skeleton.len());
            return Err(Refused(KinescopeStatus::BadPose, why));
        }
        if !time.is_finite() {
            return Err(Refused::argument("time: is not finite; expected seconds"));
        }
        local.bones.clear();
        local.bones.extend(model.skeleton.bones().iter().map(|bone| bone.rest));
        if clip != -1 {
            let own = usize::try_from(clip).ok().and_then(|clip| model.clips.get(clip));
            let count = model.clips.len();
            let own = own.ok_or_else(|| Refused::argument(format!("clip: is {clip}; there are {count} clips")))?;
            own.sample(time, local);
        }
        sampled.set_from_local(&model.skeleton, local);
        unsafe { to.write("pose", &sampled.bones) }?;
        Ok(KinescopeStatus::Done)
    })
}
