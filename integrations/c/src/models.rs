//! Model files: skeleton, roles and clips.

use std::ffi::{CString, c_char};

use kinescope_library::game_recording::GameCharacter;
use kinescope_library::rig::{LocalPose, Mapping, Model, ModelPose, ReferenceChoice, detect};

use crate::pose::KinescopePose;
use crate::solver::KinescopeSolver;
use crate::{KinescopeStatus, Refused, free, guard, hand_over, list, look, object, object_mut, objects, shared, text};

/// A character of a file.
pub struct KinescopeModel {
    pub(crate) model: Model,
    bones: Vec<CString>,
    clips: Vec<CString>,
    local: LocalPose,
    pose: ModelPose,
}

objects!(KinescopeModel);

fn c_text(own: &str) -> CString {
    CString::new(own.replace('\0', " ")).unwrap_or_default()
}

#[cfg(feature = "import")]
fn import(name: &str, bytes: &[u8]) -> Result<Model, Refused> {
    let mut other_file = |uri: &str| Err(format!("refers to the file {uri}; pack the model into one .glb file"));
    let model = kinescope_library::rig::import(name, bytes, &mut other_file);
    model.map_err(|error| Refused(KinescopeStatus::BadFile, error.to_string()))
}

#[cfg(not(feature = "import"))]
fn import(name: &str, _: &[u8]) -> Result<Model, Refused> {
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
        hand_over(out, || {
            let model = import(text(name, "name")?, list(bytes, count, "bytes")?)?;
            let bones = model.skeleton.bones().iter().map(|bone| c_text(&bone.name)).collect();
            let clips = model.clips.iter().map(|clip| c_text(&clip.name)).collect();
            Ok(KinescopeModel { model, bones, clips, local: LocalPose::default(), pose: ModelPose::default() })
        })
    })
}

/// Frees a model; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_free(model: *mut KinescopeModel) {
    unsafe { free(model) };
}

/// Returns the number of bones; 0 for an invalid model. A pose of the model has as many.
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
