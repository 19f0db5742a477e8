//! Writing model files: a pose or a clip as .glb, and motion as .bvh.

use std::ffi::c_char;

use kinescope_library::parameter::units_per_metre;
use kinescope_library::rig::{BvhMotion, LocalPose, Mapping, ModelPose, ReferenceChoice, detect};
use kinescope_library::{RigidTransform, Skeleton};

use crate::grounding::check_pose;
use crate::meshes::copy;
use crate::models::KinescopeModel;
use crate::pose::KinescopePose;
use crate::solver::KinescopeSolver;
use crate::tapes::height;
use crate::{KinescopeStatus, Refused, free, guard, hand_over, list, object, objects, shared, text, write_text};

/// The bytes of a file that was written, and notes on what it lacks or adds.
pub struct KinescopeFile {
    bytes: Vec<u8>,
    notes: String,
}

objects!(KinescopeFile);

#[cfg_attr(not(feature = "import"), expect(dead_code, reason = "only .glb files have clips"))]
struct Clip<'a> {
    name: &'a str,
    times: &'a [f32],
    poses: &'a [LocalPose],
}

impl KinescopeFile {
    fn new(bytes: Vec<u8>, notes: &[String]) -> Self {
        Self { bytes, notes: notes.join("; ") }
    }
}

/// Reads poses in model space and converts them to local poses.
///
/// # Safety
/// The pointer follows the rules of [`KinescopeStatus`].
unsafe fn local_poses(
    poses: *const KinescopePose,
    count: usize,
    skeleton: &Skeleton,
) -> Result<Vec<LocalPose>, Refused> {
    if count == 0 {
        return Err(Refused::argument("count: is 0; a clip has at least one pose"));
    }
    let rest = skeleton.rest_pose();
    let mut bones: Vec<RigidTransform> = Vec::new();
    let each = unsafe { list(poses, count, "poses") }?.iter().enumerate();
    let read = |(index, pose): (usize, &KinescopePose)| {
        let within = |Refused(status, why): Refused| Refused(status, format!("poses[{index}]: {why}"));
        unsafe { pose.read("pose", &mut bones) }.map_err(within)?;
        check_pose(&bones, skeleton).map_err(within)?;
        bones.truncate(skeleton.len());
        Ok(ModelPose::rigid(bones.clone()).to_local(skeleton, &rest))
    };
    each.map(read).collect()
}

unsafe fn read_times<'a>(times: *const f32, count: usize) -> Result<&'a [f32], Refused> {
    let times = unsafe { list(times, count, "times") }?;
    let is_time = |index: usize| times[index].is_finite() && (index == 0 || times[index] > times[index - 1]);
    match (0..times.len()).find(|&index| !is_time(index)) {
        Some(index) => {
            let time = times[index];
            Err(Refused::argument(format!("times[{index}]: is {time}; times must be finite and increase")))
        }
        None => Ok(times),
    }
}

#[cfg(feature = "import")]
mod glb {
    use kinescope_library::Skeleton;
    use kinescope_library::rig::LocalPose;
    use kinescope_library::rig::import::Source;

    use super::{Clip, KinescopeFile};
    use crate::models::{KinescopeModel, other_file};
    use crate::{KinescopeStatus, Refused};

    fn file(source: Source) -> Result<KinescopeFile, Refused> {
        let (bytes, notes) = source.to_glb().map_err(|why| Refused(KinescopeStatus::BadFile, why))?;
        Ok(KinescopeFile::new(bytes, &notes))
    }

    fn source(model: &KinescopeModel, bytes: &[u8]) -> Result<Source, Refused> {
        let source = Source::read_in_unit(&model.model.name, bytes, model.model.unit, &mut other_file);
        source.map_err(|error| Refused(KinescopeStatus::BadFile, error.to_string()))
    }

    pub fn pose(model: &KinescopeModel, bytes: &[u8], pose: &LocalPose) -> Result<KinescopeFile, Refused> {
        let mut source = source(model, bytes)?;
        source.pose(&model.model.skeleton.rest_pose(), pose);
        file(source)
    }

    pub fn clip(model: &KinescopeModel, bytes: &[u8], clip: &Clip) -> Result<KinescopeFile, Refused> {
        let mut source = source(model, bytes)?;
        let there = model.model.clips.iter().position(|own| own.name == clip.name);
        let rest = model.model.skeleton.rest_pose();
        source.bake(there.unwrap_or(usize::MAX), clip.name, &rest, clip.times, clip.poses);
        file(source)
    }

    pub fn bones(skeleton: &Skeleton, clip: &Clip) -> Result<KinescopeFile, Refused> {
        let mut source = Source::of_bones(skeleton);
        source.bake(0, clip.name, &skeleton.rest_pose(), clip.times, clip.poses);
        file(source)
    }
}

#[cfg(not(feature = "import"))]
mod glb {
    use kinescope_library::Skeleton;
    use kinescope_library::rig::LocalPose;

    use super::{Clip, KinescopeFile};
    use crate::models::KinescopeModel;
    use crate::{KinescopeStatus, Refused};

    fn refused() -> Refused {
        let why = "this library was built without the feature import, which writes .glb files";
        Refused(KinescopeStatus::BadFile, why.to_owned())
    }

    pub fn pose(_: &KinescopeModel, _: &[u8], _: &LocalPose) -> Result<KinescopeFile, Refused> {
        Err(refused())
    }

    pub fn clip(_: &KinescopeModel, _: &[u8], _: &Clip) -> Result<KinescopeFile, Refused> {
        Err(refused())
    }

    pub fn bones(_: &Skeleton, _: &Clip) -> Result<KinescopeFile, Refused> {
        Err(refused())
    }
}

/// Writes a copy of a model's file with its bones in a pose, in model space, as .glb. `bytes` are those of
/// kinescope_model_new. The rest of the file stays, apart from its conversion to glTF and repairs; kinescope_file_notes
/// lists most of these changes. A library that was built without the feature `import` returns
/// KINESCOPE_STATUS_BAD_FILE, as do the following functions that write .glb.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_write_pose(
    model: *const KinescopeModel,
    bytes: *const u8,
    size: usize,
    pose: *const KinescopePose,
    out: *mut *mut KinescopeFile,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let own = object(model, "model")?;
            shared(pose, "pose")?;
            let poses = local_poses(pose, 1, &own.model.skeleton)?;
            glb::pose(own, list(bytes, size, "bytes")?, &poses[0])
        })
    })
}

/// Writes a copy of a model's file with a clip of `count` poses in model space, as .glb. Each pose is at one of
/// `times`, in seconds, which increase. If the model has a clip of that name, the poses replace its movement of bones, and its
/// morph targets and other nodes stay; otherwise the clip is added. Between two poses, players interpolate. `bytes` are
/// those of kinescope_model_new.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_write_clip(
    model: *const KinescopeModel,
    bytes: *const u8,
    size: usize,
    name: *const c_char,
    times: *const f32,
    poses: *const KinescopePose,
    count: usize,
    out: *mut *mut KinescopeFile,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let (own, name) = (object(model, "model")?, text(name, "name")?);
            let (times, poses) = (read_times(times, count)?, local_poses(poses, count, &own.model.skeleton)?);
            glb::clip(own, list(bytes, size, "bytes")?, &Clip { name, times, poses: &poses })
        })
    })
}

/// Writes the bones of a character that has no file, with a clip, as .glb. Other arguments are as in kinescope_model_write_clip.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_solver_write_clip(
    solver: *const KinescopeSolver,
    name: *const c_char,
    times: *const f32,
    poses: *const KinescopePose,
    count: usize,
    out: *mut *mut KinescopeFile,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let (own, name) = (object(solver, "solver")?, text(name, "name")?);
            let (times, poses) = (read_times(times, count)?, local_poses(poses, count, &own.skeleton)?);
            glb::bones(&own.skeleton, &Clip { name, times, poses: &poses })
        })
    })
}

unsafe fn write_bvh(
    skeleton: &Skeleton,
    reference: &ModelPose,
    (poses, count): (*const KinescopePose, usize),
    frame_time: f32,
    centimetres: f32,
) -> Result<KinescopeFile, Refused> {
    let frames = unsafe { local_poses(poses, count, skeleton) }?;
    if !(frame_time > 0.0 && frame_time.is_finite()) {
        return Err(Refused::argument(format!("frame_time: is {frame_time}; it must be above 0, in seconds")));
    }
    if !(0.0..=f32::MAX).contains(&centimetres) {
        return Err(Refused::argument(format!("centimetres: is {centimetres}; it must be 0 or more")));
    }
    let centimetres = match centimetres {
        0.0 => 100.0 / f64::from(units_per_metre(height(&reference.bones)).unwrap_or(1.0)),
        own => f64::from(own),
    };
    let motion = BvhMotion { skeleton, reference, frames: &frames, frame_time: frame_time.into(), centimetres };
    let (text, notes) = motion.write();
    Ok(KinescopeFile::new(text.into_bytes(), &notes))
}

/// Writes `count` poses in model space as .bvh, at intervals of `frame_time` seconds. The file is in centimetres:
/// `centimetres` is the length of a model unit. 0 means that the character's height decides between metres, centimetres
/// and millimetres: metres if the height fits none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_model_write_bvh(
    model: *const KinescopeModel,
    poses: *const KinescopePose,
    count: usize,
    frame_time: f32,
    centimetres: f32,
    out: *mut *mut KinescopeFile,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let own = &object(model, "model")?.model;
            let reference = detect(own, &Mapping::default(), ReferenceChoice::default()).reference;
            write_bvh(&own.skeleton, &reference, (poses, count), frame_time, centimetres)
        })
    })
}

/// Writes poses of a character that has no file as .bvh. Other arguments are as in kinescope_model_write_bvh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_solver_write_bvh(
    solver: *const KinescopeSolver,
    poses: *const KinescopePose,
    count: usize,
    frame_time: f32,
    centimetres: f32,
    out: *mut *mut KinescopeFile,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let own = object(solver, "solver")?;
            let reference = ModelPose::rigid(own.character.reference.clone());
            write_bvh(&own.skeleton, &reference, (poses, count), frame_time, centimetres)
        })
    })
}

/// Frees a file; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_file_free(file: *mut KinescopeFile) {
    unsafe { free(file) };
}

/// Copies the bytes of a file. `needed`, which may be NULL, receives their number. Returns
/// KINESCOPE_STATUS_NOTHING_TO_DO, and copies nothing, if `capacity` is smaller.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_file_bytes(
    file: *const KinescopeFile,
    bytes: *mut u8,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let all = &unsafe { object(file, "file") }?.bytes;
        unsafe { copy(all.iter().copied(), (bytes, capacity, "bytes"), needed) }
    })
}

/// Writes notes on what a file lacks or adds, separated by semicolons, into a buffer as kinescope_settings_to_preset does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_file_notes(
    file: *const KinescopeFile,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(file, "file") }?;
        unsafe { write_text(&own.notes, buffer, capacity, needed) }
    })
}
