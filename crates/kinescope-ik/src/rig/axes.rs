//! Conversion from and to engines with other axes, such as Z up or left-handed.
//!
//! The library's axes are those of glTF: right-handed, +Y up. Characters usually face +Z, but may face anywhere. The
//! unit of length is the model's. An engine with other axes converts all input and output in one place: poses, targets,
//! bend goals, directions, offsets and casts.
//!
//! ```
//! use glam::Vec3;
//! use kinescope_ik::rig::Axes;
//!
//! // A target in front of the character and to its left, 1.2 up, in Unity's axes and in the solver's.
//! let axes = Axes::LEFT_HANDED_Y_UP;
//! let target = axes.position_in(Vec3::new(-0.3, 1.2, 0.5));
//! assert_eq!(target, Vec3::new(0.3, 1.2, 0.5));
//! assert_eq!(axes.position_out(target), Vec3::new(-0.3, 1.2, 0.5));
//! ```

use super::pose::RigidTransform;
use glam::{Mat3, Quat, Vec3};

/// The axes of an engine, as a signed permutation of the library's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    /// Maps the engine's coordinates to the library's. Each row has one ±1 and is 0 elsewhere.
    to_own: Mat3,
    mirrors: bool,
}

impl Axes {
    /// Right-handed, +Y up: the library's axes, and those of glTF, Bevy, Godot and Maya.
    pub const RIGHT_HANDED_Y_UP: Self = Self { to_own: Mat3::IDENTITY, mirrors: false };
    /// Left-handed, +Y up, facing +Z: Unity.
    pub const LEFT_HANDED_Y_UP: Self = Self { to_own: Mat3::from_cols(Vec3::NEG_X, Vec3::Y, Vec3::Z), mirrors: true };
    /// Left-handed, +Z up, facing +X with +Y to the right: Unreal.
    pub const LEFT_HANDED_Z_UP: Self = Self { to_own: Mat3::from_cols(Vec3::Z, Vec3::NEG_X, Vec3::Y), mirrors: true };
    /// Right-handed, +Z up, facing −Y: Blender.
    pub const RIGHT_HANDED_Z_UP: Self = Self { to_own: Mat3::from_cols(Vec3::X, Vec3::NEG_Z, Vec3::Y), mirrors: false };

    /// Returns the axes of an engine from the directions to the left of a character, up and forward, in the engine's
    /// coordinates. `None` unless they are unit vectors along three different axes.
    pub fn new(left: Vec3, up: Vec3, forward: Vec3) -> Option<Self> {
        let is_axis = |axis: Vec3| axis.abs().element_sum() == 1.0 && axis.abs().max_element() == 1.0;
        let all = [left, up, forward];
        let covered = all.iter().fold(Vec3::ZERO, |sum, axis| sum + axis.abs());
        if !all.into_iter().all(is_axis) || covered != Vec3::ONE {
            return None;
        }
        // In the library, a character that faces +Z has its left at +X.
        let to_own = Mat3::from_cols(left, up, forward).transpose();
        Some(Self { to_own, mirrors: to_own.determinant() < 0.0 })
    }

    /// Returns true if the engine is left-handed.
    pub const fn mirrors(&self) -> bool {
        self.mirrors
    }

    /// Converts a position, direction or offset from the engine to the library.
    pub fn position_in(&self, position: Vec3) -> Vec3 {
        self.to_own * position
    }

    /// Converts a position, direction or offset from the library to the engine.
    pub fn position_out(&self, position: Vec3) -> Vec3 {
        self.to_own.transpose() * position
    }

    /// Converts a rotation from the engine to the library.
    pub fn rotation_in(&self, rotation: Quat) -> Quat {
        self.rotation(&self.to_own, rotation)
    }

    /// Converts a rotation from the library to the engine.
    pub fn rotation_out(&self, rotation: Quat) -> Quat {
        self.rotation(&self.to_own.transpose(), rotation)
    }

    /// Converts a position with a rotation from the engine to the library.
    pub fn transform_in(&self, bone: &RigidTransform) -> RigidTransform {
        RigidTransform { position: self.position_in(bone.position), rotation: self.rotation_in(bone.rotation) }
    }

    /// Converts a position with a rotation from the library to the engine.
    pub fn transform_out(&self, bone: &RigidTransform) -> RigidTransform {
        RigidTransform { position: self.position_out(bone.position), rotation: self.rotation_out(bone.rotation) }
    }

    /// Maps a rotation. A reflection maps the axis like a position and reverses the angle.
    fn rotation(&self, by: &Mat3, rotation: Quat) -> Quat {
        let axis = *by * rotation.xyz();
        let axis = if self.mirrors { -axis } else { axis };
        Quat::from_xyzw(axis.x, axis.y, axis.z, rotation.w)
    }
}

impl Default for Axes {
    fn default() -> Self {
        Self::RIGHT_HANDED_Y_UP
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Axes; 4] =
        [Axes::RIGHT_HANDED_Y_UP, Axes::LEFT_HANDED_Y_UP, Axes::LEFT_HANDED_Z_UP, Axes::RIGHT_HANDED_Z_UP];

    #[test]
    fn conversions_are_inverse_and_keep_rotations() {
        let turn = Quat::from_xyzw(0.1, -0.5, 0.3, 0.8).normalize();
        let (at, off) = (Vec3::new(0.3, 1.2, -0.4), Vec3::new(-0.7, 0.2, 0.5));
        for axes in ALL {
            assert_eq!(axes.position_out(axes.position_in(at)), at);
            assert_eq!(axes.rotation_out(axes.rotation_in(turn)), turn);
            let bone = RigidTransform { position: at, rotation: turn };
            let within = axes.transform_in(&bone);
            let place = within.position + within.rotation * axes.position_in(off);
            assert!(axes.position_out(place).distance(at + turn * off) < 1e-6);
        }
    }

    #[test]
    fn axes_are_those_of_left_up_and_forward() {
        let named = [
            (Vec3::X, Vec3::Y, Vec3::Z),
            (Vec3::NEG_X, Vec3::Y, Vec3::Z),
            (Vec3::NEG_Y, Vec3::Z, Vec3::X),
            (Vec3::X, Vec3::Z, Vec3::NEG_Y),
        ];
        for ((left, up, forward), axes) in named.into_iter().zip(ALL) {
            assert_eq!(Axes::new(left, up, forward), Some(axes));
            assert_eq!(axes.position_in(up), Vec3::Y);
            assert_eq!(axes.position_in(forward), Vec3::Z);
            assert_eq!(axes.position_in(left), Vec3::X);
        }
        for (left, up, forward) in [
            (Vec3::X, Vec3::X, Vec3::Z),
            (Vec3::ZERO, Vec3::Y, Vec3::Z),
            (Vec3::new(0.5, 0.5, 0.0), Vec3::Y, Vec3::Z),
            (Vec3::NAN, Vec3::Y, Vec3::Z),
            (Vec3::X, Vec3::Y * 2.0, Vec3::Z),
        ] {
            assert_eq!(Axes::new(left, up, forward), None);
        }
    }
}
