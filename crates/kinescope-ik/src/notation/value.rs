//! Values of lines, and how formulas show them.

use glam::{Quat, Vec3};

use crate::math::{length, swing_angle, turn_of};
use crate::rig::RigidTransform;

/// The value of a line or a symbol, not rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A number; the meaning of its symbol states the unit.
    Number(f32),
    /// An angle in degrees.
    Degrees(f32),
    /// A direction, a displacement, or an axis times radians; the meaning of its symbol states the unit.
    Vector(Vec3),
    /// A point; the meaning of its symbol states the unit.
    Point(Vec3),
    /// A rotation, shown by its angle.
    Rotation(Quat),
    /// A bone's rotation, shown by angle and axis.
    Orientation(Quat),
    /// Position and rotation of a bone.
    Bone(RigidTransform),
    /// The result of a comparison.
    Truth(bool),
}

impl Value {
    /// Returns the text in a formula: numbers with 4 decimals, coordinates with 3, angles with 1, and fewer if they are
    /// large. Numbers from 1e6 on have an exponent; those that are not finite are `too large`.
    pub fn text(self) -> String {
        match self {
            Self::Number(value) => number(value),
            // From 100 to 999 `decimal` drops one decimal, so both branches show one.
            Self::Degrees(degrees) => format!("{}°", decimal(degrees, if degrees.abs() < 100.0 { 1 } else { 2 })),
            Self::Vector(vector) => format!("{}, length {}", point(vector), number(length(vector))),
            Self::Point(place) => point(place),
            Self::Rotation(rotation) => Self::Degrees(swing_angle(rotation).to_degrees()).text(),
            Self::Orientation(rotation) => {
                let axis = turn_of(rotation).map_or(String::new(), |(axis, _)| format!(" about {}", point(axis)));
                Self::Rotation(rotation).text() + &axis
            }
            Self::Bone(RigidTransform { position, rotation }) => {
                format!("{}, {}", point(position), Self::Orientation(rotation).text())
            }
            Self::Truth(truth) => if truth { "yes" } else { "no" }.to_owned(),
        }
    }
}

/// A type that a term can have. Numbers, vectors and rotations use the types of Rust and glam.
pub trait Quantity: Copy {
    /// Returns the value as stored in lines and symbols.
    fn value(self) -> Value;
}

/// A point. The difference of two points is a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point(pub Vec3);

/// An angle in degrees.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Degrees(pub f32);

macro_rules! quantities {
    ($($type:ty: $pattern:pat => $value:expr;)+) => {
        $(impl Quantity for $type {
            fn value(self) -> Value {
                let $pattern = self;
                $value
            }
        })+
    };
}

quantities! {
    f32: value => Value::Number(value);
    Degrees: Degrees(degrees) => Value::Degrees(degrees);
    Vec3: vector => Value::Vector(vector);
    Point: Point(place) => Value::Point(place);
    Quat: rotation => Value::Rotation(rotation);
    bool: truth => Value::Truth(truth);
}

fn number(value: f32) -> String {
    decimal(value, 4)
}

fn point(place: Vec3) -> String {
    let [x, y, z] = place.to_array().map(|coordinate| decimal(coordinate, 3));
    format!("[{x}, {y}, {z}]")
}

/// Formats a number with a typographic minus, and without a sign if it rounds to zero; as `too large` if it is not
/// finite.
fn decimal(value: f32, decimals: usize) -> String {
    if !value.is_finite() {
        return "too large".to_owned();
    }
    let size = value.abs();
    let text = match size {
        ..100.0 => format!("{size:.decimals$}"),
        ..1e6 => format!("{size:.*}", decimals.saturating_sub(size.log10() as usize - 1)),
        _ => format!("{size:.2e}").replace('-', "−"),
    };
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if value < 0.0 && !is_zero { format!("−{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_wide_as_the_panel_is() {
        assert_eq!(number(-0.41237), "−0.4124");
        assert_eq!(number(-0.00001), "0.0000");
        assert_eq!(number(123.456_78), "123.457");
        assert_eq!(number(-54_321.5), "−54321.5");
        assert_eq!(number(1.5e12), "1.50e12");
        assert_eq!(point(Vec3::new(1.0, -2.0, 0.0004)), "[1.000, −2.000, 0.000]");
        assert_eq!(Value::Degrees(178.04).text(), "178.0°");
    }

    #[test]
    fn a_bones_rotation_shows_angle_and_axis() {
        let turn = Quat::from_rotation_y(-0.5);
        assert_eq!(Value::Rotation(turn).text(), "28.6°");
        assert_eq!(Value::Orientation(turn).text(), "28.6° about [0.000, −1.000, 0.000]");
        assert_eq!(Value::Orientation(Quat::IDENTITY).text(), "0.0°");
        let bone = RigidTransform { position: Vec3::X, rotation: Quat::IDENTITY };
        assert_eq!(Value::Bone(bone).text(), "[1.000, 0.000, 0.000], 0.0°");
    }
}
