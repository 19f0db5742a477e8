//! The types of the library for reflection. The settings are mirrored field by field, so that inspectors show them. A
//! field that the library lacks, and a field of another type, do not compile. A setting that is missing here compiles:
//! inspectors do not show it, and copies by reflection get its default.

use bevy_reflect::std_traits::ReflectDefault;
use bevy_reflect::{Reflect, ReflectRemote, reflect_remote};
use kinescope_ik::full_body::Smoothing;
use kinescope_ik::glam::{Quat, Vec3};
use kinescope_ik::{ChainSettings, Effector, EffectorSettings, LimbName, Settings, SolverSettings};

/// [`Effector`] for reflection.
#[reflect_remote(Effector)]
#[derive(Clone, Copy, Debug)]
#[reflect(Debug, Clone)]
#[allow(missing_docs, reason = "the variants are those of `Effector`")]
pub enum ReflectedEffector {
    Body,
    LeftShoulder,
    RightShoulder,
    LeftThigh,
    RightThigh,
    LeftHand,
    RightHand,
    LeftFoot,
    RightFoot,
}

/// [`LimbName`] for reflection.
#[reflect_remote(LimbName)]
#[derive(Clone, Copy, Debug)]
#[reflect(Debug, Clone)]
#[allow(missing_docs, reason = "the variants are those of `LimbName`")]
pub enum ReflectedLimb {
    LeftArm,
    RightArm,
    LeftLeg,
    RightLeg,
}

/// [`Smoothing`] for reflection.
#[reflect_remote(Smoothing)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the variants are those of `Smoothing`")]
pub enum ReflectedSmoothing {
    None,
    Exponential,
    Cubic,
}

/// [`SolverSettings`] for reflection.
#[reflect_remote(SolverSettings)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Debug, Clone, Default, PartialEq)]
#[allow(missing_docs, reason = "the fields are those of `SolverSettings`")]
pub struct ReflectedSolver {
    pub weight: f32,
    pub iterations: u32,
    pub fabrik_pass: bool,
    pub spine_stiffness: f32,
    pub pull_body_vertical: f32,
    pub pull_body_horizontal: f32,
    pub spine_iterations: u32,
    pub spine_twist_weight: f32,
    pub head_maintain_rotation: f32,
}

/// [`ChainSettings`] for reflection.
#[reflect_remote(ChainSettings)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Debug, Clone, Default, PartialEq)]
#[allow(missing_docs, reason = "the fields are those of `ChainSettings`")]
pub struct ReflectedChain {
    pub pull: f32,
    pub push: f32,
    pub push_parent: f32,
    #[reflect(remote = ReflectedSmoothing)]
    pub push_smoothing: Smoothing,
    pub reach: f32,
    #[reflect(remote = ReflectedSmoothing)]
    pub reach_smoothing: Smoothing,
    pub scale_free_reach: bool,
    pub bend_weight: f32,
    pub bend_goal: Option<Vec3>,
    pub bend_direction: Option<Vec3>,
    pub clamp_smoothing: u32,
    pub mapping_weight: f32,
    pub maintain_rotation: f32,
}

/// [`EffectorSettings`] for reflection.
#[reflect_remote(EffectorSettings)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Debug, Clone, Default, PartialEq)]
#[allow(missing_docs, reason = "the fields are those of `EffectorSettings`")]
pub struct ReflectedEffectorSettings {
    pub position: Option<Vec3>,
    pub rotation: Option<Quat>,
    pub position_weight: f32,
    pub rotation_weight: f32,
    pub position_offset: Vec3,
    pub maintain_relative_position: f32,
}

/// Makes a type that reflects an array of `$count` items as a structure with a named field for each item.
macro_rules! named_items {
    ($(#[$attribute:meta])* $name:ident of $count:literal $item:ident for $remote:ident: $($field:ident)+) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
        #[reflect(Debug, Clone, Default, PartialEq)]
        #[repr(C)]
        #[allow(missing_docs, reason = "the fields are the items in their order")]
        pub struct $name {
            $(pub $field: $item),+
        }

        const _: () = assert!(size_of::<$name>() == size_of::<[$remote; $count]>());

        impl ReflectRemote for $name {
            type Remote = [$remote; $count];

            fn as_remote(&self) -> &Self::Remote {
                // SAFETY: the fields are `$count` wrappers with the layout of `$remote`. The structure has C's layout, that of
                // an array of them.
                unsafe { &*std::ptr::from_ref(self).cast() }
            }

            fn as_remote_mut(&mut self) -> &mut Self::Remote {
                // SAFETY: as in `as_remote`.
                unsafe { &mut *std::ptr::from_mut(self).cast() }
            }

            fn into_remote(self) -> Self::Remote {
                *self.as_remote()
            }

            fn as_wrapper(remote: &Self::Remote) -> &Self {
                // SAFETY: as in `as_remote`.
                unsafe { &*std::ptr::from_ref(remote).cast() }
            }

            fn as_wrapper_mut(remote: &mut Self::Remote) -> &mut Self {
                // SAFETY: as in `as_remote`.
                unsafe { &mut *std::ptr::from_mut(remote).cast() }
            }

            fn into_wrapper(remote: Self::Remote) -> Self {
                *Self::as_wrapper(&remote)
            }
        }
    };
}

named_items! {
    /// The settings of the limbs for reflection, in the order of [`LimbName::ALL`].
    ReflectedChains of 4 ReflectedChain for ChainSettings: left_arm right_arm left_leg right_leg
}

named_items! {
    /// The settings of the effectors for reflection, in the order of [`Effector::ALL`].
    ReflectedEffectors of 9 ReflectedEffectorSettings for EffectorSettings: body left_shoulder right_shoulder left_thigh
        right_thigh left_hand right_hand left_foot right_foot
}

/// [`Settings`] for reflection.
#[reflect_remote(Settings)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Debug, Clone, Default, PartialEq)]
#[allow(missing_docs, reason = "the fields are those of `Settings`")]
pub struct ReflectedSettings {
    #[reflect(remote = ReflectedSolver)]
    pub solver: SolverSettings,
    pub pin: f32,
    #[reflect(remote = ReflectedChains)]
    pub chains: [ChainSettings; 4],
    #[reflect(remote = ReflectedEffectors)]
    pub effectors: [EffectorSettings; Effector::COUNT],
}
