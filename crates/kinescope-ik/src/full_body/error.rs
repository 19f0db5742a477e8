//! What a solve came to, and which input it cannot be solved with.

use crate::error::{BadValue, Fault, Problem};
use crate::math::{FARTHEST, UNIT_LENGTH};
use crate::names::{Chain, Effector};
use crate::rig::{BoneIndex, RigidTransform, Skeleton};

/// What a solve came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The pose is the solved one.
    Solved,
    /// The master weight is 0: the pose is as it was.
    NothingToDo,
}

/// An input that cannot be solved with. The pose stays as it was, bit for bit. Made without allocating; [`Fault`] is the
/// same in words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InputError {
    /// The pose has fewer bones than the skeleton.
    PoseLength {
        /// Bones of the pose.
        found: usize,
        /// Bones of the skeleton.
        expected: usize,
    },
    /// A bone of the pose has numbers that no bone can have. A rotation's length must be within [`UNIT_LENGTH`]; within it
    /// the solver normalizes what is more than rounding off. [`InputError::fault`] names the bone.
    Bone {
        /// Its index in the pose.
        bone: BoneIndex,
    },
    /// A value of the settings cannot be solved with.
    Setting {
        /// Which value.
        field: Field,
        /// What is wrong with it.
        bad: BadValue,
    },
    /// The workspace was made for a solver of another character.
    ForeignWorkspace,
    /// Nothing was read into the workspace since it was last written.
    NotRead,
    /// The state has numbers that no bone can have.
    State,
}

impl std::error::Error for InputError {}

impl std::fmt::Display for InputError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        Fault::from(*self).fmt(f)
    }
}

impl From<InputError> for Fault {
    fn from(error: InputError) -> Self {
        match error {
            InputError::PoseLength { found, expected } => {
                Self::new("pose", Problem::Length { what: "bones", found, expected })
            }
            InputError::Bone { bone } => {
                let message = format!(
                    "is no bone: its numbers must be finite, its position within ±{FARTHEST:e}, its rotation a unit \
                     quaternion to {}",
                    1.0 - UNIT_LENGTH.start()
                );
                Self::new(format!("pose[{bone}]"), message)
            }
            InputError::Setting { field, bad } => bad.at(field.to_string()),
            InputError::ForeignWorkspace => {
                Self::new("workspace", "was made for another solver: take one from `FullBody::workspace` of this one")
            }
            InputError::NotRead => Self::new("workspace", "holds no frame to write: read one into it first"),
            InputError::State => Self::new("state", "has numbers that no bone can have"),
        }
    }
}

impl InputError {
    /// The error in words, with the bone's name from the skeleton and what is wrong with its numbers in `pose`, which a
    /// refused solve left as it was.
    pub fn fault(self, skeleton: &Skeleton, pose: &[RigidTransform]) -> Fault {
        let (Self::Bone { bone }, Some(own)) = (self, skeleton.bones().get(self.bone())) else { return self.into() };
        let place = match own.name.is_empty() {
            true => format!("pose[{bone}]"),
            false => format!("pose[{bone}], bone {:?}", own.name),
        };
        let bad = pose.get(bone).and_then(|own| {
            let place = BadValue::check_place(own.position).err();
            place.or_else(|| BadValue::check_rotation(own.rotation).err())
        });
        match bad {
            Some(bad) => bad.at(place),
            None => Fault { place, ..self.into() },
        }
    }

    /// The bone that it is about; none is the last of all numbers.
    const fn bone(self) -> BoneIndex {
        match self {
            Self::Bone { bone } => bone,
            Self::PoseLength { .. } | Self::Setting { .. } | Self::ForeignWorkspace | Self::NotRead | Self::State => {
                BoneIndex::MAX
            }
        }
    }
}

/// Where a value is: as the path in a preset, `chains.left_arm.pull`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// One of [`SolverSettings`](super::SolverSettings), by its name.
    Solver(&'static str),
    /// One of [`ChainSettings`](super::ChainSettings), or the body's `pin`, by its name.
    Chain(Chain, &'static str),
    /// One of [`EffectorSettings`](super::EffectorSettings), by its name.
    Effector(Effector, &'static str),
}

impl std::fmt::Display for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Solver(key) => write!(f, "solver.{key}"),
            Self::Chain(chain, key) => write!(f, "chains.{}.{key}", chain.key()),
            Self::Effector(effector, key) => write!(f, "effectors.{}.{key}", effector.key()),
        }
    }
}
