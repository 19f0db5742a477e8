//! What lines are made from beside operators.

use glam::{Quat, Vec3};

use super::term::{Expression, Form, Term};
use super::value::{Degrees, Point, Quantity};
use crate::math::curve;
use crate::math::filter::{self, Lag};
use crate::math::{self, swing_angle};

/// Functions that are written in their own way.
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

/// Functions that are written by name, and what they do, for who reads a line.
macro_rules! called {
    ($($meaning:literal, $name:ident($($x:ident: $q:ty),+) -> $output:ty = $value:expr;)+) => {
        written! {
            $(Form::Call(stringify!($name)), $meaning, $name($($x: $q),+) -> $output = $value;)+
        }

        pub(super) const MEANINGS: &[(&str, &str)] =
            &[$((stringify!($name), $meaning)),+, ("Σ", "The sum over all of them.")];
    };
}

written! {
    Form::Size, "Length of a vector: `|v|`.", length(v: Vec3) -> f32 = math::length(v);
    Form::Size, "A number without its sign: `|x|`.", size(x: f32) -> f32 = x.abs();
    Form::Size, "Angle of a rotation: `|R|`.", turned(turn: Quat) -> Degrees = Degrees(swing_angle(turn).to_degrees());
    Form::Power("²"), "`x²`", square(x: f32) -> f32 = x * x;
    Form::Power("³"), "`x³`", cube(x: f32) -> f32 = x * x * x;
    Form::Power("⁻¹"), "The rotation back: `R⁻¹`.", inverse(turn: Quat) -> Quat = turn.conjugate();
    Form::Root, "`√x`", sqrt(x: f32) -> f32 = x.sqrt();
    Form::Cross, "`a × b`", cross(a: Vec3, b: Vec3) -> Vec3 = a.cross(b);
    Form::Less, "`a < b`", less(a: f32, b: f32) -> bool = a < b;
    Form::Mix, "From one place to the other: `a · (1 − w) + b · w`.",
        mix(a: Point, b: Point, weight: f32) -> Point = Point(a.0.lerp(b.0, weight));
    Form::Mix, "From one vector to the other: `a · (1 − w) + b · w`.",
        mix_vectors(a: Vec3, b: Vec3, weight: f32) -> Vec3 = a.lerp(b, weight);
}

called! {
    "The turn about that axis by that angle.",
        about(axis: Vec3, by: Degrees) -> Quat = Quat::from_axis_angle(axis, by.0.to_radians());
    "The angle with that cosine, in degrees.",
        acos(x: f32) -> Degrees = Degrees(x.clamp(-1.0, 1.0).acos().to_degrees());
    "The unit part of the first vector at right angles to the second; for parallel ones a fixed direction.",
        across(v: Vec3, normal: Vec3) -> Vec3 = math::ortho_normalize(normal, v);
    "Angle between the two vectors, in degrees.",
        angle(a: Vec3, b: Vec3) -> Degrees = Degrees(math::angle(a, b).to_degrees());
    "The rotation at that part of the arc from the first to the second; rotations are axis times radians.",
        arc(from: Vec3, to: Vec3, part: f32) -> Vec3 = filter::slerp(from, to, part);
    "The first, on its way after a target that goes from the second to the third within as many seconds as come last: \
     at so many metres per second as come fourth, and by as many per second of what is left on top.",
        chase(x: f32, from: f32, to: f32, speed: f32, dt: f32) -> f32 = filter::chase(x, from, to, speed, speed, dt);
    "The first value, no smaller than the second and no larger than the third.",
        clamp(x: f32, least: f32, most: f32) -> f32 = x.max(least).min(most);
    "Cosine, of radians.", cos(x: f32) -> f32 = x.cos();
    "The exponential function.", exp(x: f32) -> f32 = x.exp();
    "The vector as long as it is, laid into the plane with that normal.",
        flat(v: Vec3, normal: Vec3) -> Vec3 = math::unit_in_plane(v, normal).unwrap_or(Vec3::ZERO) * math::length(v);
    "From 0 to 1 within as many seconds as come second, 1 for as many as come third, and back within as many as come \
     last, after as many as come first.",
        envelope(age: f32, attack: f32, hold: f32, release: f32) -> f32 = curve::envelope(age, [attack, hold, release]);
    "From 0 to 1 within as many seconds as come second, and back within as many as come last, after as many as come first.",
        impulse(age: f32, attack: f32, release: f32) -> f32 = curve::impulse(age, attack, release);
    "The first vector, held within so many degrees of the second.",
        held(v: Vec3, about: Vec3, most: f32) -> Vec3 = math::held(v, about, most);
    "The natural logarithm.", ln(x: f32) -> f32 = x.ln();
    "The largest of them.", max(a: f32, b: f32) -> f32 = a.max(b);
    "The mean of exp(−x), for x from 0 to that.", mean(x: f32) -> f32 = Lag::new(x, 1.0).mean();
    "The smallest of them.", min(a: f32, b: f32) -> f32 = a.min(b);
    "The rotation between the first and the second, by the third; 1 is no rotation.",
        nlerp(a: Quat, b: Quat, weight: f32) -> Quat = math::nlerp(a, b, weight);
    "That part of the turn, about the same axis.", part(turn: Quat, of: f32) -> Quat = math::share(turn, of);
    "The rotation of the plane through the three points.",
        triangle(a: Point, b: Point, c: Point) -> Quat = math::plane_rotation([a.0, b.0, c.0]);
    "The angle in radians.", rad(angle: Degrees) -> f32 = angle.0.to_radians();
    "Sine, of degrees.", sin(x: Degrees) -> f32 = x.0.to_radians().sin();
    "From the first vector to the second by that share of the angle between them, the length likewise.",
        slerp(a: Vec3, b: Vec3, share: f32) -> Vec3 = math::slerp_vector(a, b, share);
    "The vector, no longer than that.", shorten(v: Vec3, most: f32) -> Vec3 = v.clamp_length_max(most);
    "The shortest turn that takes the first vector to the direction of the second.",
        turn(from: Vec3, to: Vec3) -> Quat = math::from_to_rotation(from, to);
    "The turn about the third vector that takes the first to the side of the second.",
        twist(from: Vec3, to: Vec3, axis: Vec3) -> Quat = math::from_to_about_axis(from, to, axis);
    "The vector at length 1; a zero vector stays zero.", unit(v: Vec3) -> Vec3 = math::unit_or_zero(v);
}

/// [`max`] of several.
pub fn largest(of: &[Term<f32>]) -> Term<f32> {
    let texts: Vec<_> = of.iter().map(|term| &term.texts).collect();
    Term::of(of.iter().map(Term::get).fold(f32::NEG_INFINITY, f32::max), Form::Call("max"), &texts)
}

/// [`min`] of several.
pub fn smallest(of: &[Term<f32>]) -> Term<f32> {
    let texts: Vec<_> = of.iter().map(|term| &term.texts).collect();
    Term::of(of.iter().map(Term::get).fold(f32::INFINITY, f32::min), Form::Call("min"), &texts)
}

/// `Σ x`: of terms that all are written alike.
pub fn sum<Q: Quantity + std::iter::Sum>(of: impl IntoIterator<Item = Term<Q>>) -> Term<Q> {
    let of: Vec<Term<Q>> = of.into_iter().collect();
    let texts: Vec<_> = of.iter().map(|term| &term.texts).collect();
    Term::of(of.iter().map(Term::get).sum(), Form::Sum, &texts).evaluated()
}

/// `2x`
pub fn twice(x: impl Expression<Quantity = f32>) -> Term<f32> {
    let x = x.term();
    Term::of(2.0 * x.value, Form::Twice, &[&x.texts]).evaluated()
}

/// `½`
pub fn half() -> Term<f32> {
    Term::constant(0.5, "½")
}

/// `1/16`
pub fn fraction(of: f32) -> Term<f32> {
    Term::constant(1.0 / of, &format!("1/{of}"))
}

/// No vector: `0`.
pub fn zero() -> Term<Vec3> {
    Term::constant(Vec3::ZERO, "0")
}

/// No rotation: `1`.
pub fn identity() -> Term<Quat> {
    Term::constant(Quat::IDENTITY, "1")
}
