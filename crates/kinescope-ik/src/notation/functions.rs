//! Functions that formulas are built from.

use glam::{Quat, Vec3};

use super::term::{Expression, Form, Term};
use super::value::{Degrees, Point, Quantity};
use crate::math::curve;
use crate::math::filter::{self, Lag};
use crate::math::{self, swing_angle};

/// Declares functions that return terms. An entry has the form of the text, the documentation, and the computation of
/// the value.
macro_rules! written {
    ($($form:expr, $meaning:literal, $name:ident($($x:ident: $q:ty),+) -> $output:ty = $value:expr;)+) => { $(
        #[doc = $meaning]
        pub fn $name($($x: impl Expression<Quantity = $q>),+) -> Term<$output> {
            $(let $x = $x.term();)+
            let texts = [$(&$x.texts),+];
            let value = {
                $(let $x = $x.value;)+
                $value
            };
            Term::of(value, $form, &texts)
        }
    )+ };
}

/// Declares functions that are written as `name(…)`, and the table of their meanings that sheets add to their symbols.
macro_rules! called {
    ($($meaning:literal, $name:ident($($x:ident: $q:ty),+) -> $output:ty = $value:expr;)+) => {
        written! {
            $(Form::Call(stringify!($name)), $meaning, $name($($x: $q),+) -> $output = $value;)+
        }

        pub(super) const MEANINGS: &[(&str, &str)] =
            &[$((stringify!($name), $meaning)),+, ("Σ", "The sum over all terms.")];
    };
}

written! {
    Form::Size, "The length of a vector: `|v|`.", length(v: Vec3) -> f32 = math::length(v);
    Form::Size, "The absolute value: `|x|`.", size(x: f32) -> f32 = x.abs();
    Form::Size, "The angle of a rotation: `|R|`.", turned(turn: Quat) -> Degrees = Degrees(swing_angle(turn).to_degrees());
    Form::Power("²"), "`x²`", square(x: f32) -> f32 = x * x;
    Form::Power("³"), "`x³`", cube(x: f32) -> f32 = x * x * x;
    Form::Power("⁻¹"), "The inverse rotation: `R⁻¹`.", inverse(turn: Quat) -> Quat = turn.conjugate();
    Form::Root, "`√x`", sqrt(x: f32) -> f32 = x.sqrt();
    Form::Cross, "`a × b`", cross(a: Vec3, b: Vec3) -> Vec3 = a.cross(b);
    Form::Call("clamp"), "The first angle, limited to the range from the second to the third.",
        clamp_angle(x: Degrees, least: Degrees, most: Degrees) -> Degrees = Degrees(x.0.max(least.0).min(most.0));
    Form::Less, "`a < b`", less(a: f32, b: f32) -> bool = a < b;
    Form::Mix, "Interpolates between two points: `a · (1 − w) + b · w`.",
        mix(a: Point, b: Point, weight: f32) -> Point = Point(a.0.lerp(b.0, weight));
    Form::Mix, "Interpolates between two vectors: `a · (1 − w) + b · w`.",
        mix_vectors(a: Vec3, b: Vec3, weight: f32) -> Vec3 = a.lerp(b, weight);
}

called! {
    "The rotation about this axis by this angle.",
        about(axis: Vec3, by: Degrees) -> Quat = Quat::from_axis_angle(axis, by.0.to_radians());
    "The angle with this cosine, in degrees.",
        acos(x: f32) -> Degrees = Degrees(x.clamp(-1.0, 1.0).acos().to_degrees());
    "The unit vector of the part of the first vector orthogonal to the second. If the first is zero or parallel to the \
     second, an orthogonal direction that depends only on the second.",
        across(v: Vec3, normal: Vec3) -> Vec3 = math::ortho_normalize(normal, v);
    "The angle between two vectors, in degrees.",
        angle(a: Vec3, b: Vec3) -> Degrees = Degrees(math::angle(a, b).to_degrees());
    "The rotation at this fraction of the arc from the first to the second. Rotations are vectors: \
     axis times angle in radians.",
        arc(from: Vec3, to: Vec3, part: f32) -> Vec3 = filter::slerp(from, to, part);
    "The first value after it has followed a target that moves from the second value to the third. The fourth is a speed \
     in metres per second and also the rate per second at which the distance shrinks; the last is the duration in seconds.",
        chase(x: f32, from: f32, to: f32, speed: f32, dt: f32) -> f32 = filter::chase(x, from, to, speed, speed, dt);
    "The first value, limited to the range from the second to the third.",
        clamp(x: f32, least: f32, most: f32) -> f32 = x.max(least).min(most);
    "The cosine of an angle in radians.", cos(x: f32) -> f32 = x.cos();
    "The exponential function.", exp(x: f32) -> f32 = x.exp();
    "The vector rotated into the plane with this normal, at the same length; zero if it is along the normal.",
        flat(v: Vec3, normal: Vec3) -> Vec3 = math::unit_in_plane(v, normal).unwrap_or(Vec3::ZERO) * math::length(v);
    "The value of a curve at the time of the first argument, in seconds. The curve rises from 0 to 1 in the duration of the \
     second, stays at 1 for that of the third, and falls back in that of the last.",
        envelope(age: f32, attack: f32, hold: f32, release: f32) -> f32 = curve::envelope(age, [attack, hold, release]);
    "The value of a curve at the time of the first argument, in seconds. The curve rises from 0 to 1 in the duration of the \
     second, and falls back in that of the last.",
        impulse(age: f32, attack: f32, release: f32) -> f32 = curve::impulse(age, attack, release);
    "The first vector, limited to this angle in degrees from the second.",
        held(v: Vec3, about: Vec3, most: f32) -> Vec3 = math::held(v, about, most);
    "The natural logarithm.", ln(x: f32) -> f32 = x.ln();
    "The largest value.", max(a: f32, b: f32) -> f32 = a.max(b);
    "The mean of exp(−x) from 0 to this x.", mean(x: f32) -> f32 = Lag::new(x, 1.0).mean();
    "The smallest value.", min(a: f32, b: f32) -> f32 = a.min(b);
    "The rotation between the first and the second at this weight. A rotation written `1` is the identity.",
        nlerp(a: Quat, b: Quat, weight: f32) -> Quat = math::nlerp(a, b, weight);
    "This fraction of the rotation, about the same axis.", part(turn: Quat, of: f32) -> Quat = math::share(turn, of);
    "The rotation of the plane through three points.",
        triangle(a: Point, b: Point, c: Point) -> Quat = math::plane_rotation([a.0, b.0, c.0]);
    "The angle in radians.", rad(angle: Degrees) -> f32 = angle.0.to_radians();
    "The sine of an angle in degrees.", sin(x: Degrees) -> f32 = x.0.to_radians().sin();
    "The vector between the first and the second at this fraction of the angle, with the length interpolated likewise.",
        slerp(a: Vec3, b: Vec3, share: f32) -> Vec3 = math::slerp_vector(a, b, share);
    "The vector, limited to this length.", shorten(v: Vec3, most: f32) -> Vec3 = v.clamp_length_max(most);
    "The shortest rotation from the direction of the first vector to that of the second.",
        turn(from: Vec3, to: Vec3) -> Quat = math::from_to_rotation(from, to);
    "The rotation about the third vector that turns the first toward the second.",
        twist(from: Vec3, to: Vec3, axis: Vec3) -> Quat = math::from_to_about_axis(from, to, axis);
    "The vector scaled to length 1; a zero vector stays zero.", unit(v: Vec3) -> Vec3 = math::unit_or_zero(v);
}

/// Returns the [`max`] of several terms.
pub fn largest(of: &[Term<f32>]) -> Term<f32> {
    let texts: Vec<_> = of.iter().map(|term| &term.texts).collect();
    Term::of(of.iter().map(Term::get).fold(f32::NEG_INFINITY, f32::max), Form::Call("max"), &texts)
}

/// Returns the [`min`] of several terms.
pub fn smallest(of: &[Term<f32>]) -> Term<f32> {
    let texts: Vec<_> = of.iter().map(|term| &term.texts).collect();
    Term::of(of.iter().map(Term::get).fold(f32::INFINITY, f32::min), Form::Call("min"), &texts)
}

/// Returns the sum of terms with the same text, written `Σ x`.
pub fn sum<Q: Quantity + std::iter::Sum>(of: impl IntoIterator<Item = Term<Q>>) -> Term<Q> {
    let of: Vec<Term<Q>> = of.into_iter().collect();
    let texts: Vec<_> = of.iter().map(|term| &term.texts).collect();
    Term::of(of.iter().map(Term::get).sum(), Form::Sum, &texts).evaluated()
}

/// Returns twice the term, written `2x`.
pub fn twice(x: impl Expression<Quantity = f32>) -> Term<f32> {
    let x = x.term();
    Term::of(2.0 * x.value, Form::Twice, &[&x.texts]).evaluated()
}

/// Returns a half, written `½`.
pub fn half() -> Term<f32> {
    Term::constant(0.5, "½")
}

/// Returns 1 divided by the number, written as a fraction such as `1/16`.
pub fn fraction(of: f32) -> Term<f32> {
    Term::constant(1.0 / of, &format!("1/{of}"))
}

/// Returns the zero vector, written `0`.
pub fn zero() -> Term<Vec3> {
    Term::constant(Vec3::ZERO, "0")
}

/// Returns the identity rotation, written `1`.
pub fn identity() -> Term<Quat> {
    Term::constant(Quat::IDENTITY, "1")
}
