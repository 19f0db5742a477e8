//! Ranges, masses and sizes of the parts of a body.
//!
//! Ranges follow those of healthy adults in *Measurement of Joint Motion* by Norkin and White. Spine and neck divide the
//! range of the whole among their bones. Masses, and centres of mass of the limbs' parts, are those of men in the paper by
//! de Leva. Radii are estimates from the built-in character.

use glam::{Quat, Vec3};

use super::limits::JointLimit;
use crate::key::named;
use crate::math::{from_to_rotation, unit_or_zero};

named! {
    /// The part of the body that a joint moves.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Part {
        /// Returns the key in files, in snake_case.
        key,
        /// Returns the label on screen.
        label,
        /// Returns the part's share of the body's mass, 0 to 1: for the spine, that of all its bones together.
        mass: f32,
        /// Returns the place of the centre of mass on the line from the joint to its end, 0 to 1.
        centre: f32,
        /// Returns the radius of the part's capsule as a fraction of [`Joints::height`](super::Joints::height).
        radius: f32,
    }
    /// All parts.
    ALL {
        /// The bone that carries spine and legs.
        Pelvis: 0.1117, 0.5, 0.07;
        /// A bone between pelvis and neck.
        Spine: 0.3229, 0.5, 0.075;
        /// A bone between chest and head.
        Neck: 0.0, 0.5, 0.03;
        /// The head.
        Head: 0.0694, 0.5, 0.06;
        /// A collar bone.
        Clavicle: 0.0, 0.5, 0.03;
        /// From shoulder to elbow.
        UpperArm: 0.0271, 0.5772, 0.03;
        /// From elbow to wrist.
        Forearm: 0.0162, 0.4574, 0.022;
        /// From the wrist on.
        Hand: 0.0061, 0.3624, 0.02;
        /// From hip to knee.
        Thigh: 0.1416, 0.4095, 0.045;
        /// From knee to ankle.
        Calf: 0.0433, 0.4459, 0.03;
        /// From the ankle on.
        Foot: 0.0137, 0.4415, 0.025;
    }
}

impl Part {
    /// Returns whether the part belongs to the trunk: pelvis, spine, neck, head and collar bones.
    pub const fn is_trunk(self) -> bool {
        match self {
            Self::Pelvis | Self::Spine | Self::Neck | Self::Head | Self::Clavicle => true,
            Self::UpperArm | Self::Forearm | Self::Hand | Self::Thigh | Self::Calf | Self::Foot => false,
        }
    }
}

/// A joint in the reference pose, for its limit. Model space.
pub(super) struct Setting {
    pub part: Part,
    pub parent: Quat,
    pub rotation: Quat,
    pub along: Vec3,
    /// Direction from the parent joint to the joint; for the pelvis, `up`.
    pub before: Vec3,
    /// The character's right for a joint of its right side, otherwise its left.
    pub outward: Vec3,
    pub facing: Vec3,
    pub up: Vec3,
    /// The number of bones that share the range: those of the spine, those of neck and head, or 1.
    pub shared: f32,
}

/// Half angles of a cone and half the range of the twist, in degrees.
struct Reach {
    swing: [f32; 2],
    twist: f32,
}

impl Setting {
    pub fn limit(&self) -> Option<JointLimit> {
        let left = self.up.cross(self.facing);
        match self.part {
            Part::Pelvis => None,
            // Flexion 80°, extension 25°, to each side 35°, rotation 45°.
            Part::Spine => Some(self.turned(left, 27.5 / self.shared, self.share([52.5, 35.0], 45.0))),
            // Flexion and extension 45°, to each side 45°, rotation 60°.
            Part::Neck | Part::Head => Some(self.turned(left, 0.0, self.share([45.0, 45.0], 60.0))),
            // Elevation and depression 30°, forward and back 20°; twist 30°.
            Part::Clavicle => Some(self.turned(self.facing, 0.0, Reach { swing: [30.0, 20.0], twist: 30.0 })),
            // Flexion and abduction 180°, rotation 90°. The cone of 115° about the middle between outward and forward
            // allows 37° of the 60° of extension.
            Part::UpperArm => {
                let middle = self.outward + self.facing;
                Some(self.aimed(middle, self.up, Reach { swing: [115.0, 115.0], twist: 90.0 }))
            }
            // Flexion 150°, hyperextension 5°; pronation and supination 80°.
            Part::Forearm => Some(self.hinge(self.facing, [-5.0, 150.0], Reach { swing: [0.0, 10.0], twist: 80.0 })),
            // Flexion 80° and extension 70° in the tables, 75° each here; to each side 30°. The twist of 45° is for rigs
            // that put a part of the forearm's twist here.
            Part::Hand => Some(self.turned(self.facing, 0.0, Reach { swing: [75.0, 30.0], twist: 45.0 })),
            // Flexion 120°, extension 30°, rotation 45°; in the middle of flexion, abduction 45° and adduction 30°.
            Part::Thigh => {
                let middle = self.facing - self.up + self.outward * 0.18;
                Some(self.aimed(middle, left, Reach { swing: [75.0, 37.5], twist: 45.0 }))
            }
            // Flexion 150°, hyperextension 5°.
            Part::Calf => Some(self.hinge(-self.facing, [-5.0, 150.0], Reach { swing: [0.0, 8.0], twist: 20.0 })),
            // Plantar flexion 50°, dorsiflexion 20°; toes to each side 20°. The twist of 30° allows inversion and eversion.
            Part::Foot => Some(self.turned(left, 15.0, Reach { swing: [35.0, 20.0], twist: 30.0 })),
        }
    }

    fn share(&self, swing: [f32; 2], twist: f32) -> Reach {
        Reach { swing: swing.map(|angle| angle / self.shared), twist: twist / self.shared }
    }

    /// Returns the limit whose middle is the reference pose turned about an axis by some degrees; the first swing is about
    /// that axis.
    fn turned(&self, axis: Vec3, degrees: f32, reach: Reach) -> JointLimit {
        let turn = Quat::from_axis_angle(unit_or(axis, Vec3::X), degrees.to_radians());
        self.about(turn, axis, reach)
    }

    /// Returns the limit whose middle has the bone in the direction `middle`; the first swing is about `side`.
    fn aimed(&self, middle: Vec3, side: Vec3, reach: Reach) -> JointLimit {
        self.about(from_to_rotation(self.along, unit_or(middle, self.along)), side, reach)
    }

    /// Returns the limit of a hinge that flexes toward a direction, by a range in degrees from the straight limb. The first
    /// swing of `reach` is not used.
    fn hinge(&self, toward: Vec3, [least, most]: [f32; 2], reach: Reach) -> JointLimit {
        /// A limb that the reference pose bends the right way by more than this sine (3°) defines the axis of its hinge.
        const BENT: f32 = 0.05;
        let anatomical = unit_or(self.before.cross(toward), self.before.cross(self.up));
        let bent = self.before.cross(self.along);
        let is_bent = bent.length() > BENT && bent.dot(anatomical) > 0.0;
        let axis = if is_bent { unit_or(bent, anatomical) } else { unit_or(anatomical, Vec3::X) };
        let angle = axis.dot(bent).atan2(self.before.dot(self.along)).to_degrees();
        let turn = Quat::from_axis_angle(axis, ((least + most) * 0.5 - angle).to_radians());
        self.about(turn, axis, Reach { swing: [(most - least) * 0.5, reach.swing[1]], twist: reach.twist })
    }

    fn about(&self, turn: Quat, side: Vec3, Reach { swing, twist }: Reach) -> JointLimit {
        let (own, middle) = (self.rotation.conjugate(), turn * self.rotation);
        let centre = (self.parent.conjugate() * middle).normalize();
        let twist = twist.to_radians();
        let swing = swing.map(f32::to_radians);
        JointLimit::new(centre, own * self.along, middle.conjugate() * side, swing, [-twist, twist])
    }
}

fn unit_or(v: Vec3, other: Vec3) -> Vec3 {
    let unit = unit_or_zero(v);
    if unit == Vec3::ZERO { unit_or_zero(other) } else { unit }
}
