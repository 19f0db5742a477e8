//! Blending of poses, and crossfades between clips.

use std::cell::RefCell;

use kinescope_library::animation::{Additive, Crossfade, Mask, Phase, blend};
use kinescope_library::rig::{Clip, LocalPose};
use kinescope_library::{LocalTransform, RigidTransform, Skeleton};

use crate::grounding::check_pose;
use crate::pose::KinescopePose;
use crate::solver::KinescopeSolver;
use crate::{
    Done, KinescopeStatus, Refused, free, guard, hand_over, list, list_mut, look, object, object_mut, objects, shared,
};

/// Buffers of a thread, so that kinescope_pose_blend allocates only until they have grown.
#[derive(Default)]
struct Buffers {
    pose: Vec<RigidTransform>,
    other: Vec<RigidTransform>,
    local: [LocalPose; 3],
    mask: Mask,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// Reads a pose in model space and converts it to local space.
///
/// # Safety
/// The pose follows the rules of [`KinescopeStatus`].
unsafe fn read_local(
    pose: *const KinescopePose,
    name: &str,
    skeleton: &Skeleton,
    bones: &mut Vec<RigidTransform>,
    local: &mut LocalPose,
) -> Result<(), Refused> {
    unsafe { shared(pose, name)?.read(name, bones) }?;
    check_pose(bones, skeleton)?;
    bones.iter_mut().for_each(|own| own.rotation = own.rotation.normalize());
    local.bones.clear();
    local.bones.extend(skeleton.bones().iter().zip(&*bones).map(|(bone, own)| {
        let own = match bone.parent {
            Some(parent) => bones[parent].to_local(own),
            None => *own,
        };
        LocalTransform { translation: own.position, rotation: own.rotation, ..LocalTransform::IDENTITY }
    }));
    Ok(())
}

/// Converts a pose from local to model space and writes it to the caller's pose.
///
/// # Safety
/// The pose follows the rules of [`KinescopeStatus`].
unsafe fn write_local(
    pose: &KinescopePose,
    skeleton: &Skeleton,
    local: &LocalPose,
    bones: &mut Vec<RigidTransform>,
) -> Done {
    bones.clear();
    for (bone, local) in skeleton.bones().iter().zip(&local.bones) {
        let own = RigidTransform { position: local.translation, rotation: local.rotation };
        let own = bone.parent.map_or(own, |parent| bones[parent].transform(&own));
        bones.push(RigidTransform { rotation: own.rotation.normalize(), ..own });
    }
    unsafe { pose.write("pose", bones) }?;
    Ok(KinescopeStatus::Done)
}

/// Reads a mask; `None` for NULL.
///
/// # Safety
/// The pointer follows the rules of [`KinescopeStatus`].
unsafe fn read_mask<'a>(
    weights: *const f32,
    count: usize,
    skeleton: &Skeleton,
    mask: &'a mut Mask,
) -> Result<Option<&'a Mask>, Refused> {
    if weights.is_null() {
        return Ok(None);
    }
    if count != skeleton.len() {
        return Err(Refused::argument(format!("mask: has {count} weights; the skeleton has {} bones", skeleton.len())));
    }
    if mask.weights().len() != count {
        *mask = Mask::whole(count);
    }
    for (bone, &weight) in unsafe { list(weights, count, "mask") }?.iter().enumerate() {
        mask.set(bone, weight);
    }
    Ok(Some(mask))
}

fn check_weight(weight: f32) -> Result<(), Refused> {
    if weight.is_finite() { Ok(()) } else { Err(Refused::argument("weight: is not finite; expected a number")) }
}

/// Blends `pose` toward `to` in local space: with weight 0 `pose` is unchanged except for rounding, with 1 it becomes
/// `to`. Weights are clamped to 0 to 1. Both are poses of the solver's skeleton in model space. `mask` has a weight for
/// each bone, from 0 to 1, by which `weight` is multiplied; NULL stands for 1 for all bones. Allocates nothing once the
/// buffers of the thread have grown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_pose_blend(
    solver: *const KinescopeSolver,
    to: *const KinescopePose,
    weight: f32,
    mask: *const f32,
    count: usize,
    pose: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| {
        let skeleton = &unsafe { object(solver, "solver") }?.skeleton;
        check_weight(weight)?;
        BUFFERS.with_borrow_mut(|own| unsafe {
            let [local, other, _] = &mut own.local;
            read_local(to, "to", skeleton, &mut own.other, other)?;
            read_local(pose, "pose", skeleton, &mut own.pose, local)?;
            blend(local, other, weight, read_mask(mask, count, skeleton, &mut own.mask)?);
            write_local(&*pose, skeleton, local, &mut own.pose)
        })
    })
}

/// Adds to `pose` the difference of `added` from `base` in local space, such as a lean, a breath or a crouch. With
/// weight -1 the difference is subtracted, with 2 it is doubled. `mask` is as for kinescope_pose_blend. Allocates the
/// list of differences.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_pose_add(
    solver: *const KinescopeSolver,
    base: *const KinescopePose,
    added: *const KinescopePose,
    weight: f32,
    mask: *const f32,
    count: usize,
    pose: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| {
        let skeleton = &unsafe { object(solver, "solver") }?.skeleton;
        check_weight(weight)?;
        BUFFERS.with_borrow_mut(|own| unsafe {
            let [local, from, to] = &mut own.local;
            read_local(base, "base", skeleton, &mut own.other, from)?;
            read_local(added, "added", skeleton, &mut own.other, to)?;
            read_local(pose, "pose", skeleton, &mut own.pose, local)?;
            let mask = read_mask(mask, count, skeleton, &mut own.mask)?;
            Additive::between(from, to).apply(local, weight, mask);
            write_local(&*pose, skeleton, local, &mut own.pose)
        })
    })
}

/// Writes the weights of a mask: 1 for `bone` and the bones below it, 0 for all others. Over the first `over`
/// generations, which begin with `bone`, the weight rises in even steps, so that an upper body bends the whole spine.
/// `count` is the number of bones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_pose_mask(
    solver: *const KinescopeSolver,
    bone: u32,
    over: u32,
    weights: *mut f32,
    count: usize,
) -> KinescopeStatus {
    guard(|| {
        let skeleton = &unsafe { object(solver, "solver") }?.skeleton;
        let (bone, bones) = (bone as usize, skeleton.len());
        if bone >= bones || count != bones {
            let why = format!("bone: is {bone}, for {count} weights; the skeleton has {bones} bones");
            return Err(Refused::argument(why));
        }
        let weights = unsafe { list_mut(weights, count, "weights") }?;
        weights.copy_from_slice(Mask::feathered(skeleton, bone, over as usize).weights());
        Ok(KinescopeStatus::Done)
    })
}

/// Crossfades between clips of the caller, which loop. The caller samples the clips; the crossfade has their times and weights.
pub struct KinescopeCrossfade {
    /// The clips' durations.
    clips: Vec<Clip>,
    own: Crossfade,
}

objects!(KinescopeCrossfade);

/// A clip that a crossfade shows.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeShownClip {
    /// The clip, by its index in the durations of kinescope_crossfade_new.
    pub clip: u32,
    /// The time within the clip, in seconds.
    pub time: f32,
    /// The weight with which kinescope_pose_blend blends the clip over those before it in the list; 1 for the first.
    pub weight: f32,
}

/// Creates a crossfade between clips with these durations in seconds, which plays nothing yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_crossfade_new(
    durations: *const f32,
    count: usize,
    out: *mut *mut KinescopeCrossfade,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let durations = list(durations, count, "durations")?;
            if let Some((index, own)) = durations.iter().enumerate().find(|(_, own)| !(own.is_finite() && **own >= 0.0))
            {
                return Err(Refused::argument(format!("durations[{index}]: is {own}; expected seconds, 0 or more")));
            }
            let clips = durations.iter().map(|&duration| Clip { duration, ..Clip::default() }).collect();
            Ok(KinescopeCrossfade { clips, own: Crossfade::new() })
        })
    })
}

/// Frees a crossfade; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_crossfade_free(crossfade: *mut KinescopeCrossfade) {
    unsafe { free(crossfade) };
}

/// Fades to a clip over `duration` seconds. The clip plays at once if nothing plays yet, or if `duration` is 0 or less.
/// If `keeps_phase` is not 0, the clip starts at the same part of its duration as the clip before it, so that a walk
/// that becomes a run keeps the same foot on the ground. A fade that interrupts another starts from the pose shown.
/// Returns KINESCOPE_STATUS_NOTHING_TO_DO if the clip is the target already, or if 64 fades run and `duration` is above
/// 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_crossfade_to(
    crossfade: *mut KinescopeCrossfade,
    clip: u32,
    duration: f32,
    keeps_phase: u32,
) -> KinescopeStatus {
    guard(|| {
        let KinescopeCrossfade { clips, own } = unsafe { object_mut(crossfade, "crossfade") }?;
        let clip = clip as usize;
        if clip >= clips.len() {
            return Err(Refused::argument(format!("clip: is {clip}; there are {} clips", clips.len())));
        }
        if !duration.is_finite() {
            return Err(Refused::argument("duration: is not finite; expected seconds"));
        }
        let phase = if keeps_phase == 0 { Phase::Restart } else { Phase::Keep };
        let is_started = own.fade_to(clip, duration, phase, clips);
        Ok(if is_started { KinescopeStatus::Done } else { KinescopeStatus::NothingToDo })
    })
}

/// Advances fades by `dt` seconds, and clips by `dt` times `speed`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_crossfade_step(
    crossfade: *mut KinescopeCrossfade,
    dt: f32,
    speed: f32,
) -> KinescopeStatus {
    guard(|| {
        let KinescopeCrossfade { clips, own } = unsafe { object_mut(crossfade, "crossfade") }?;
        if !dt.is_finite() || !speed.is_finite() || dt < 0.0 {
            return Err(Refused::argument(format!("dt or speed: are {dt} and {speed}; dt must be 0 or more")));
        }
        own.step(dt, speed, clips);
        Ok(KinescopeStatus::Done)
    })
}

/// Copies the first `capacity` clips that show, the lowest first. Returns the number of all clips that show; 0 for an
/// invalid crossfade and before the first clip. The pose is that of the first clip, blended with each of the others in
/// turn by its weight.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_crossfade_shown(
    crossfade: *const KinescopeCrossfade,
    shown: *mut KinescopeShownClip,
    capacity: usize,
) -> usize {
    look(0, || {
        let own = &unsafe { object(crossfade, "crossfade") }?.own;
        let lowest = own.current().map(|clip| (clip, own.time(), 1.0));
        let all = lowest.into_iter().chain(own.fades().iter().map(|fade| (fade.clip, fade.time, fade.weight())));
        let count = all.clone().count();
        let shown = unsafe { list_mut(shown, capacity.min(count), "shown") }?;
        for (to, (clip, time, weight)) in shown.iter_mut().zip(all) {
            *to = KinescopeShownClip { clip: clip as u32, time, weight };
        }
        Ok(count)
    })
}
