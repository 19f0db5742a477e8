//! Conversion from and to the axes and the unit of engines.

use kinescope_library::glam::{Quat, Vec3};
use kinescope_library::rig::Axes;
use kinescope_library::{RigidTransform, Settings};

use crate::pose::{KinescopePose, KinescopeTransform, KinescopeVec3};
use crate::settings::{KinescopeSettings, choice};
use crate::{Done, KinescopeStatus, Refused, exclusive, guard, list_mut, shared};

/// The axes of some engines.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeEngineAxes {
    /// Right-handed, +Y up: this library, glTF, Bevy, Godot, Maya.
    RightHandedYUp,
    /// Left-handed, +Y up, facing +Z: Unity.
    LeftHandedYUp,
    /// Left-handed, +Z up, facing +X with +Y to the right: Unreal.
    LeftHandedZUp,
    /// Right-handed, +Z up, facing -Y: Blender.
    RightHandedZUp,
}

/// The axes and the unit of an engine. A character's left, up and forward are unit vectors along different axes of the engine.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeSpace {
    /// A character's left in the engine's coordinates.
    pub left: KinescopeVec3,
    /// Up in the engine's coordinates.
    pub up: KinescopeVec3,
    /// A character's forward in the engine's coordinates.
    pub forward: KinescopeVec3,
    /// Length of the engine's unit in units of this library, from 1e-6 to 1e6: 0.01 for an engine in centimetres and a
    /// library in metres.
    pub unit: f32,
}

/// A checked space, and the direction of a conversion.
#[derive(Clone, Copy)]
struct Conversion {
    axes: Axes,
    scale: f32,
    is_in: bool,
}

impl Conversion {
    unsafe fn read(space: *const KinescopeSpace, is_in: bool) -> Result<Self, Refused> {
        let own = unsafe { shared(space, "space") }?;
        let axes = Axes::new(own.left.into(), own.up.into(), own.forward.into());
        let axes = axes.ok_or_else(|| {
            Refused::argument("space: left, up and forward must be unit vectors along three different axes")
        })?;
        if !(own.unit.is_finite() && own.unit >= 1e-6 && own.unit <= 1e6) {
            return Err(Refused::argument(format!("space.unit: is {}; it must be from 1e-6 to 1e6", own.unit)));
        }
        let scale = if is_in { own.unit } else { own.unit.recip() };
        Ok(Self { axes, scale, is_in })
    }

    fn direction(&self, own: Vec3) -> Vec3 {
        if self.is_in { self.axes.position_in(own) } else { self.axes.position_out(own) }
    }

    fn position(&self, own: Vec3) -> Vec3 {
        self.direction(own) * self.scale
    }

    fn rotation(&self, own: Quat) -> Quat {
        if self.is_in { self.axes.rotation_in(own) } else { self.axes.rotation_out(own) }
    }

    fn transform(&self, own: RigidTransform) -> RigidTransform {
        RigidTransform { position: self.position(own.position), rotation: self.rotation(own.rotation) }
    }

    fn settings(&self, own: &mut Settings) {
        for chain in &mut own.chains {
            chain.bend_goal = chain.bend_goal.map(|goal| self.position(goal));
            chain.bend_direction = chain.bend_direction.map(|direction| self.direction(direction));
        }
        for effector in &mut own.effectors {
            effector.position = effector.position.map(|position| self.position(position));
            effector.rotation = effector.rotation.map(|rotation| self.rotation(rotation));
            effector.position_offset = self.position(effector.position_offset);
        }
    }
}

/// Fills in the space of an engine: `axes` is a KinescopeEngineAxes, `unit` the length of the engine's unit in units of this library.
/// Spaces of other engines are filled in by hand.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_space_of(axes: u32, unit: f32, space: *mut KinescopeSpace) -> KinescopeStatus {
    guard(|| {
        let space = unsafe { exclusive(space, "space") }?;
        let all = [Axes::RIGHT_HANDED_Y_UP, Axes::LEFT_HANDED_Y_UP, Axes::LEFT_HANDED_Z_UP, Axes::RIGHT_HANDED_Z_UP];
        let axes = choice(axes, &all, || "axes".to_owned())?;
        let [left, up, forward] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| KinescopeVec3::from(axes.position_out(axis)));
        let new = KinescopeSpace { left, up, forward, unit };
        unsafe { Conversion::read(&new, true) }?;
        *space = new;
        Ok(KinescopeStatus::Done)
    })
}

unsafe fn vectors(
    space: *const KinescopeSpace,
    is_in: bool,
    vectors: *mut KinescopeVec3,
    count: usize,
    convert: fn(&Conversion, Vec3) -> Vec3,
) -> Done {
    let conversion = unsafe { Conversion::read(space, is_in) }?;
    for own in unsafe { list_mut(vectors, count, "vectors") }? {
        *own = convert(&conversion, (*own).into()).into();
    }
    Ok(KinescopeStatus::Done)
}

/// Converts positions or offsets in place from the engine to this library, with the unit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_space_positions_in(
    space: *const KinescopeSpace,
    positions: *mut KinescopeVec3,
    count: usize,
) -> KinescopeStatus {
    guard(|| unsafe { vectors(space, true, positions, count, Conversion::position) })
}

/// Converts positions or offsets in place from this library to the engine, with the unit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_space_positions_out(
    space: *const KinescopeSpace,
    positions: *mut KinescopeVec3,
    count: usize,
) -> KinescopeStatus {
    guard(|| unsafe { vectors(space, false, positions, count, Conversion::position) })
}

/// Converts directions in place from the engine to this library; their lengths stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_space_directions_in(
    space: *const KinescopeSpace,
    directions: *mut KinescopeVec3,
    count: usize,
) -> KinescopeStatus {
    guard(|| unsafe { vectors(space, true, directions, count, Conversion::direction) })
}

/// Converts directions in place from this library to the engine; their lengths stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_space_directions_out(
    space: *const KinescopeSpace,
    directions: *mut KinescopeVec3,
    count: usize,
) -> KinescopeStatus {
    guard(|| unsafe { vectors(space, false, directions, count, Conversion::direction) })
}

unsafe fn transforms(
    space: *const KinescopeSpace,
    is_in: bool,
    transforms: *mut KinescopeTransform,
    count: usize,
) -> Done {
    let conversion = unsafe { Conversion::read(space, is_in) }?;
    for own in unsafe { list_mut(transforms, count, "transforms") }? {
        *own = conversion.transform((*own).into()).into();
    }
    Ok(KinescopeStatus::Done)
}

/// Converts transforms in place from the engine to this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_space_transforms_in(
    space: *const KinescopeSpace,
    own: *mut KinescopeTransform,
    count: usize,
) -> KinescopeStatus {
    guard(|| unsafe { transforms(space, true, own, count) })
}

/// Converts transforms in place from this library to the engine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_space_transforms_out(
    space: *const KinescopeSpace,
    own: *mut KinescopeTransform,
    count: usize,
) -> KinescopeStatus {
    guard(|| unsafe { transforms(space, false, own, count) })
}

unsafe fn pose(space: *const KinescopeSpace, is_in: bool, pose: *const KinescopePose) -> Done {
    let conversion = unsafe { Conversion::read(space, is_in) }?;
    let pose = unsafe { shared(pose, "pose") }?;
    unsafe { pose.change("pose", |bone| conversion.transform(bone)) }?;
    Ok(KinescopeStatus::Done)
}

/// Converts a pose in place from the engine to this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_space_pose_in(
    space: *const KinescopeSpace,
    own: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| unsafe { pose(space, true, own) })
}

/// Converts a pose in place from this library to the engine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_space_pose_out(
    space: *const KinescopeSpace,
    own: *const KinescopePose,
) -> KinescopeStatus {
    guard(|| unsafe { pose(space, false, own) })
}

unsafe fn settings(space: *const KinescopeSpace, is_in: bool, settings: *mut KinescopeSettings) -> Done {
    let conversion = unsafe { Conversion::read(space, is_in) }?;
    let settings = unsafe { exclusive(settings, "settings") }?;
    let mut own = settings.read()?;
    conversion.settings(&mut own);
    *settings = (&own).into();
    Ok(KinescopeStatus::Done)
}

/// Converts targets, offsets, bend goals and bend directions of settings in place from the engine to this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_space_settings_in(
    space: *const KinescopeSpace,
    own: *mut KinescopeSettings,
) -> KinescopeStatus {
    guard(|| unsafe { settings(space, true, own) })
}

/// Converts targets, offsets, bend goals and bend directions of settings in place from this library to the engine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_space_settings_out(
    space: *const KinescopeSpace,
    own: *mut KinescopeSettings,
) -> KinescopeStatus {
    guard(|| unsafe { settings(space, false, own) })
}
