//! Result of a solve, and the errors of its input.

use crate::error::{BadValue, Fault, Problem};
use crate::math::{FARTHEST, UNIT_LENGTH};
use crate::names::{Chain, Effector};
use crate::rig::{BoneIndex, RigidTransform, Skeleton};

/// Result of a solve that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The pose was solved.
    Solved,
    /// The master weight is 0; the pose is unchanged.
    NothingToDo,
}

/// Input that cannot be solved. The pose stays unchanged, bit for bit. Creating the error does not allocate; its
/// conversion to [`Fault`] adds the message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InputError {
    /// The pose has fewer bones than the skeleton.
    PoseLength {
        /// Bones of the pose.
        found: usize,
        /// Bones of the skeleton.
        expected: usize,
    },
    /// A bone of the pose is not finite or too far away, or the length of its rotation is not within [`UNIT_LENGTH`].
    /// [`InputError::fault`] names the bone.
    Bone {
        /// Index in the pose.
        bone: BoneIndex,
    },
    /// A value of the settings is unusable.
    Setting {
        /// The value's path.
        field: Field,
        /// What is wrong with the value.
        bad: BadValue,
    },
    /// The workspace was made for a solver with another skeleton or other roles.
    ForeignWorkspace,
    /// The workspace holds no frame: nothing was read since the last write.
    NotRead,
    /// The state or the result has a position or rotation that is not finite or out of range.
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
                    "is invalid: its numbers must be finite, its position within ±{FARTHEST:e}, the length \
                     of its rotation 1 ± {:.2}",
                    1.0 - UNIT_LENGTH.start()
                );
                Self::new(format!("pose[{bone}]"), message)
            }
            InputError::Setting { field, bad } => bad.at(field.to_string()),
            InputError::ForeignWorkspace => Self::new(
                "workspace",
                "was made for another solver: make one with `FullBody::workspace` of this solver",
            ),
            InputError::NotRead => Self::new("workspace", "holds no frame to write: read one into it first"),
            InputError::State => Self::new(
                "state",
                "gives a bone that is not finite or out of range: bring pose, targets and nodes closer to the origin",
            ),
        }
    }
}

impl InputError {
    /// Returns the error in words. An unusable bone is named as in `skeleton`, with its bad value from `pose`, the pose
    /// that was refused.
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

    const fn bone(self) -> BoneIndex {
        match self {
            Self::Bone { bone } => bone,
            Self::PoseLength { .. } | Self::Setting { .. } | Self::ForeignWorkspace | Self::NotRead | Self::State => {
                BoneIndex::MAX
            }
        }
    }
}

/// Path of a setting, written as in a preset: `chains.left_arm.pull`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// A field of [`SolverSettings`](super::SolverSettings).
    Solver(&'static str),
    /// A field of [`ChainSettings`](super::ChainSettings), or the body's `pin`.
    Chain(Chain, &'static str),
    /// A field of [`EffectorSettings`](super::EffectorSettings).
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
