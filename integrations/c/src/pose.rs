//! Vectors and poses in the engine's own memory.

use kinescope_library::RigidTransform;
use kinescope_library::glam::{Quat, Vec3};

use crate::{KinescopeStatus, Refused};

/// A position, an offset, a direction or another vector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct KinescopeVec3 {
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

/// A rotation: a unit quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct KinescopeQuat {
    pub x: f32,
    pub y: f32,
    pub z: f32,
    pub w: f32,
}

/// A position in the unit of the skeleton, which must be the metre for grounding, and a rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct KinescopeTransform {
    pub position: KinescopeVec3,
    pub rotation: KinescopeQuat,
}

/// A pose in the caller's memory. Bone i has its position in the three floats at `positions` + i ·
/// `position_stride` bytes, and its rotation in the four floats (x, y, z, w) at `rotations` + i · `rotation_stride` bytes. Arrays
/// of structures and separate arrays both fit.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopePose {
    /// The first bone's position.
    pub positions: *mut f32,
    /// The first bone's rotation.
    pub rotations: *mut f32,
    /// Bytes from one position to the next; 0 if positions are contiguous.
    pub position_stride: usize,
    /// Bytes from one rotation to the next; 0 if rotations are contiguous.
    pub rotation_stride: usize,
    /// Number of bones, at most 65536. If it is 0, the pointers may be NULL.
    pub count: usize,
}

impl From<Vec3> for KinescopeVec3 {
    fn from(v: Vec3) -> Self {
        Self { x: v.x, y: v.y, z: v.z }
    }
}

impl From<KinescopeVec3> for Vec3 {
    fn from(v: KinescopeVec3) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}

impl From<Quat> for KinescopeQuat {
    fn from(q: Quat) -> Self {
        Self { x: q.x, y: q.y, z: q.z, w: q.w }
    }
}

impl From<KinescopeQuat> for Quat {
    fn from(q: KinescopeQuat) -> Self {
        Self::from_xyzw(q.x, q.y, q.z, q.w)
    }
}

impl From<RigidTransform> for KinescopeTransform {
    fn from(transform: RigidTransform) -> Self {
        Self { position: transform.position.into(), rotation: transform.rotation.into() }
    }
}

impl From<KinescopeTransform> for RigidTransform {
    fn from(transform: KinescopeTransform) -> Self {
        Self { position: transform.position.into(), rotation: transform.rotation.into() }
    }
}

pub(crate) const MOST_BONES: usize = 1 << 16;

impl KinescopePose {
    fn places(&self, name: &str) -> Result<[(*mut u8, usize); 2], Refused> {
        if self.count > MOST_BONES {
            return Err(Refused::argument(format!("{name}: has {} bones; the most are {MOST_BONES}", self.count)));
        }
        if self.positions.is_null() || self.rotations.is_null() {
            return Err(Refused(KinescopeStatus::BadArgument, format!("{name}: positions or rotations are NULL")));
        }
        let stride = |stride: usize, floats: usize| if stride == 0 { floats * size_of::<f32>() } else { stride };
        Ok([
            (self.positions.cast(), stride(self.position_stride, 3)),
            (self.rotations.cast(), stride(self.rotation_stride, 4)),
        ])
    }

    pub(crate) fn check(&self, name: &str) -> Result<(), Refused> {
        if self.count == 0 { Ok(()) } else { self.places(name).map(|_| ()) }
    }

    /// Copies the pose into a reused buffer.
    ///
    /// # Safety
    /// The pointers and strides describe readable memory.
    pub(crate) unsafe fn read(&self, name: &str, into: &mut Vec<RigidTransform>) -> Result<(), Refused> {
        into.clear();
        if self.count == 0 {
            return Ok(());
        }
        let [(positions, position_stride), (rotations, rotation_stride)] = self.places(name)?;
        into.extend((0..self.count).map(|bone| {
            // An engine's structures may leave floats unaligned.
            let position = unsafe { positions.add(bone * position_stride).cast::<[f32; 3]>().read_unaligned() };
            let rotation = unsafe { rotations.add(bone * rotation_stride).cast::<[f32; 4]>().read_unaligned() };
            RigidTransform { position: position.into(), rotation: Quat::from_array(rotation) }
        }));
        Ok(())
    }

    /// Writes the bones of `from`, at most as many as the pose has.
    ///
    /// # Safety
    /// The pointers and strides describe writable memory.
    pub(crate) unsafe fn write(&self, name: &str, from: &[RigidTransform]) -> Result<(), Refused> {
        if self.count == 0 {
            return Ok(());
        }
        let [(positions, position_stride), (rotations, rotation_stride)] = self.places(name)?;
        for (bone, own) in from.iter().enumerate().take(self.count) {
            let (position, rotation) = (own.position.to_array(), own.rotation.to_array());
            unsafe { positions.add(bone * position_stride).cast::<[f32; 3]>().write_unaligned(position) };
            unsafe { rotations.add(bone * rotation_stride).cast::<[f32; 4]>().write_unaligned(rotation) };
        }
        Ok(())
    }

    /// Changes every bone in place.
    ///
    /// # Safety
    /// The pointers and strides describe writable memory.
    pub(crate) unsafe fn change(
        &self,
        name: &str,
        mut change: impl FnMut(RigidTransform) -> RigidTransform,
    ) -> Result<(), Refused> {
        if self.count == 0 {
            return Ok(());
        }
        let [(positions, position_stride), (rotations, rotation_stride)] = self.places(name)?;
        for bone in 0..self.count {
            let position = unsafe { positions.add(bone * position_stride) }.cast::<[f32; 3]>();
            let rotation = unsafe { rotations.add(bone * rotation_stride) }.cast::<[f32; 4]>();
            let own = unsafe {
                let (position, rotation) = (position.read_unaligned(), rotation.read_unaligned());
                RigidTransform { position: position.into(), rotation: Quat::from_array(rotation) }
            };
            let own = change(own);
            unsafe {
                position.write_unaligned(own.position.to_array());
                rotation.write_unaligned(own.rotation.to_array());
            }
        }
        Ok(())
    }
}
