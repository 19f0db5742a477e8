//! Places of trackers on their bones.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::tracker::Tracker;
use crate::error::{BadValue, Fault};
use crate::rig::RigidTransform;

/// Largest distance of a tracker from the joint of its bone, model units.
const FARTHEST: f32 = 10.0;

macro_rules! mounts {
    ($($key:ident: $tracker:ident [$x:literal, $y:literal, $z:literal] $pitch:literal;)+) => {
        /// The place of each tracker on its bone, measured in the reference pose along the character's own axes: x to its
        /// left, y up, z forward. The position is relative to the joint, in model units; the rotation is the identity
        /// for a tracker whose axes are the character's.
        #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Mounts {
            $(
                #[doc = concat!("The place of tracker `", stringify!($key), "`.")]
                pub $key: RigidTransform,
            )+
        }

        impl Default for Mounts {
            /// Returns usual places, such as a headset in front of the face and straps on shins and forearms.
            fn default() -> Self {
                let place = |x: f32, y: f32, z: f32, pitch: f32| RigidTransform {
                    position: Vec3::new(x, y, z),
                    rotation: Quat::from_rotation_x(pitch.to_radians()),
                };
                Self { $($key: place($x, $y, $z, $pitch)),+ }
            }
        }

        impl Mounts {
            /// Every tracker at the joint of its bone, with the character's axes.
            pub const AT_JOINTS: Self = Self { $($key: RigidTransform::IDENTITY),+ };

            /// Returns the place of a tracker.
            pub const fn get(&self, tracker: Tracker) -> &RigidTransform {
                match tracker {
                    $(Tracker::$tracker => &self.$key,)+
                }
            }

            /// Returns the place of a tracker as a mutable reference.
            pub const fn get_mut(&mut self, tracker: Tracker) -> &mut RigidTransform {
                match tracker {
                    $(Tracker::$tracker => &mut self.$key,)+
                }
            }
        }
    };
}

mounts! {
    head: Head [0.0, 0.08, 0.11] 0.0;
    left_hand: LeftHand [0.06, -0.02, 0.03] 25.0;
    right_hand: RightHand [-0.06, -0.02, 0.03] 25.0;
    pelvis: Pelvis [0.0, 0.03, 0.12] -8.0;
    left_foot: LeftFoot [0.01, 0.02, 0.09] 30.0;
    right_foot: RightFoot [-0.01, 0.02, 0.09] 30.0;
    chest: Chest [0.0, 0.04, 0.13] -10.0;
    left_elbow: LeftElbow [0.05, 0.05, 0.0] -80.0;
    right_elbow: RightElbow [-0.05, 0.05, 0.0] -80.0;
    left_knee: LeftKnee [0.01, -0.06, 0.06] 5.0;
    right_knee: RightKnee [-0.01, -0.06, 0.06] 5.0;
}

impl Mounts {
    /// Checks that every position is finite and within 10 model units of the joint, and that every rotation has length
    /// 1, give or take 1 %.
    ///
    /// # Errors
    /// [`Fault`] for the first invalid place, with its path.
    pub fn check(&self) -> Result<(), Fault> {
        Tracker::ALL.into_iter().try_for_each(|tracker| {
            let own = self.get(tracker);
            let near = own.position.is_finite() && own.position.length() <= FARTHEST;
            let place = format!("{}.position", tracker.key());
            BadValue::check_place(own.position).map_err(|bad| bad.at(&place))?;
            if !near {
                return Err(Fault::new(place, "must be within 10 model units of the joint"));
            }
            BadValue::check_rotation(own.rotation).map_err(|bad| bad.at(format!("{}.rotation", tracker.key())))
        })
    }
}
