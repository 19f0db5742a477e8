//! The version of the interface, and the sizes of its structures.

use std::ffi::{CStr, c_char};

use crate::allocator::KinescopeAllocator;
use crate::animation::KinescopeShownClip;
use crate::attribution::KinescopeAttributionRow;
use crate::axes::KinescopeSpace;
use crate::bodies::KinescopeBodyOutcome;
use crate::capsules::KinescopeCapsuleChange;
use crate::chains::{KinescopeGoal, KinescopeLimit, KinescopeOutcome};
use crate::crowds::{KinescopeDetailRule, KinescopeWay};
use crate::drawing::{KinescopeDrawing, KinescopeDrawnLine};
use crate::finder::{KinescopeBreakHit, KinescopeBreaks, KinescopePop, KinescopeWhy};
use crate::ground::{KinescopeCast, KinescopeGround, KinescopeHit};
use crate::grounding::{KinescopeFootprint, KinescopeGroundFrame, KinescopeGroundOutput, KinescopeLegOutput};
use crate::many::{KinescopeModifiedTask, KinescopeTask};
use crate::materials::{KinescopeMaterial, KinescopeMorphOffset, KinescopeTexture};
use crate::meshes::{KinescopeJoint, KinescopeMesh, KinescopeVertex};
use crate::modifier_tables::*;
use crate::modifiers::{KinescopeAttachment, KinescopeHeadBone, KinescopeKey, KinescopeMoment};
use crate::pose::{KinescopePose, KinescopeQuat, KinescopeTransform, KinescopeVec3};
use crate::progress::KinescopeProgress;
use crate::reach::KinescopeSurfacePoint;
use crate::reading::KinescopeLine;
use crate::recording::{KinescopeFrame, KinescopeStepNodes, KinescopeWrite};
use crate::solver::{KinescopeBiped, KinescopeLimbBones, KinescopeSkeleton};
use crate::solver_tables::*;
use crate::stack::KinescopePlayedClip;
use crate::steps::{KinescopeMove, KinescopeObserver, KinescopeStep};
use crate::sweeps::{KinescopeAxis, KinescopeSensitivity};
use crate::tables::{KinescopeChainSettings, KinescopeEffectorSettings, KinescopeSettings, KinescopeSolverSettings};
use crate::tapes::KinescopeSlide;
use crate::{look, text};

/// The version of the binary interface that this header describes. It increases if the layout of a structure, the
/// number of an enum value or the signature of a function changes. New functions, structures and enum values leave it
/// as it is.
pub const KINESCOPE_ABI_VERSION: u32 = 1;

macro_rules! structures {
    ($($name:ident)+) => {
        /// Names and sizes of all structures, in the order of the names.
        const STRUCTURES: &[(&CStr, usize)] = &[$((
            match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                Ok(name) => name,
                Err(_) => c"",
            },
            size_of::<$name>(),
        )),+];
    };
}

structures! {
    KinescopeAllocator
    KinescopeArmBending
    KinescopeAttachment
    KinescopeAttributionRow
    KinescopeAxis
    KinescopeBiped
    KinescopeBodyOutcome
    KinescopeBreakHit
    KinescopeBreaks
    KinescopeBreathing
    KinescopeCapsuleChange
    KinescopeCast
    KinescopeChainIkSettings
    KinescopeChainSettings
    KinescopeDetailRule
    KinescopeDrawing
    KinescopeDrawnLine
    KinescopeDriveWeights
    KinescopeEffectorSettings
    KinescopeFootIkSettings
    KinescopeFootprint
    KinescopeFootprintSettings
    KinescopeFourBones
    KinescopeFrame
    KinescopeGoal
    KinescopeGround
    KinescopeGroundFrame
    KinescopeGroundOutput
    KinescopeHead
    KinescopeHeadBone
    KinescopeHit
    KinescopeHitReaction
    KinescopeInertia
    KinescopeJoint
    KinescopeKey
    KinescopeKeyed
    KinescopeLeastSquaresSettings
    KinescopeLegOutput
    KinescopeLimbBones
    KinescopeLimit
    KinescopeLine
    KinescopeLockSettings
    KinescopeLookAt
    KinescopeMaterial
    KinescopeMesh
    KinescopeModifiedTask
    KinescopeMoment
    KinescopeMorphOffset
    KinescopeMove
    KinescopeObserver
    KinescopeOutcome
    KinescopePlayedClip
    KinescopePop
    KinescopePose
    KinescopePositionBasedSettings
    KinescopePredictiveSettings
    KinescopeProgress
    KinescopeQuat
    KinescopeReachFor
    KinescopeRecoil
    KinescopeSensitivity
    KinescopeSettings
    KinescopeShownClip
    KinescopeSkeleton
    KinescopeSlide
    KinescopeSolverSettings
    KinescopeSpace
    KinescopeSpeedSettings
    KinescopeStep
    KinescopeStepNodes
    KinescopeSurfacePoint
    KinescopeTask
    KinescopeTexture
    KinescopeTransform
    KinescopeTwoHandedGrip
    KinescopeVec3
    KinescopeVertex
    KinescopeWay
    KinescopeWhy
    KinescopeWrite
}

/// Returns the version of the binary interface of the loaded library. A program or binding that was made for another version
/// must not call any other function. See kinescope_abi_matches.
#[unsafe(no_mangle)]
pub extern "C" fn kinescope_abi_version() -> u32 {
    KINESCOPE_ABI_VERSION
}

/// Returns the size of a structure in bytes by its name in this header, such as `KinescopeSettings`; 0 if the library has no such
/// structure. Bindings of other languages compare it with the size of their own structure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_struct_size(name: *const c_char) -> usize {
    look(0, || {
        let name = unsafe { text(name, "name") }?;
        let found = STRUCTURES.iter().find(|(own, _)| own.to_bytes() == name.as_bytes());
        found.map(|(_, size)| *size).ok_or_else(|| {
            crate::Refused::argument(format!("name: is {name:?}; the library has no structure of that name"))
        })
    })
}

/// Returns the name of a structure, from number 0 on; NULL after the last one. The pointer stays valid.
#[unsafe(no_mangle)]
pub extern "C" fn kinescope_struct_name(number: usize) -> *const c_char {
    STRUCTURES.get(number).map_or(std::ptr::null(), |(name, _)| name.as_ptr())
}
