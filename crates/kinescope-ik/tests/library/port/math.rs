//! Geometry of the port in double precision, written from the book.

use glam::{DMat3, DQuat as Q, DVec3 as V};

pub const ZERO: f64 = 1e-12;
const PARALLEL: f64 = 1e-6;
pub const STRAIGHT: f64 = 1e-4;

pub fn unit(v: V) -> Option<V> {
    let length = v.length();
    (length >= ZERO).then(|| v / length)
}

pub fn unit_or_zero(v: V) -> V {
    unit(v).unwrap_or(V::ZERO)
}

fn any_orthogonal(normal: V) -> V {
    let size = normal.abs();
    let axis = if size.x <= size.y && size.x <= size.z {
        V::X
    } else if size.y <= size.z {
        V::Y
    } else {
        V::Z
    };
    unit(axis - normal * normal.dot(axis)).unwrap_or(V::X)
}

/// Returns the unit vector of the part of `tangent` that is perpendicular to `normal`; any perpendicular unit vector if
/// they are parallel or `tangent` is zero. If `normal` is zero, returns the direction of `tangent`, or +X.
pub fn across(normal: V, tangent: V) -> V {
    let Some(normal) = unit(normal) else { return unit(tangent).unwrap_or(V::X) };
    let Some(tangent) = unit(tangent) else { return any_orthogonal(normal) };
    let rest = tangent - normal * normal.dot(tangent);
    if rest.length() < PARALLEL { any_orthogonal(normal) } else { rest.normalize() }
}

pub fn look(forward: V, up: V) -> Q {
    let forward = unit(forward).unwrap_or(V::Z);
    let up = across(forward, up);
    Q::from_mat3(&DMat3::from_cols(up.cross(forward), up, forward))
}

/// Returns the rotation of the plane through three points: its z axis points from the first to the second, its y axis
/// to the side of the third.
pub fn plane([p1, p2, p3]: [V; 3]) -> Q {
    look(p2 - p1, p3 - p1)
}

pub fn from_to(a: V, b: V) -> Q {
    let (Some(a), Some(b)) = (unit(a), unit(b)) else { return Q::IDENTITY };
    let cross = a.cross(b);
    if a.dot(b) < 0.0 && cross.length() < PARALLEL {
        let axis = any_orthogonal(a);
        return Q::from_xyzw(axis.x, axis.y, axis.z, 0.0);
    }
    Q::from_xyzw(cross.x, cross.y, cross.z, 1.0 + a.dot(b)).normalize()
}

/// Returns the rotation about `axis` that turns `from` to `to`, both projected perpendicular to `axis`; the identity if
/// one of them is parallel to `axis`, or any of the three is zero.
pub fn from_to_about(from: V, to: V, axis: V) -> Q {
    let Some(axis) = unit(axis) else { return Q::IDENTITY };
    let flat = |v: V| {
        let v = unit_or_zero(v);
        v - axis * axis.dot(v)
    };
    let (from, to) = (flat(from), flat(to));
    if from.length() < PARALLEL || to.length() < PARALLEL {
        return Q::IDENTITY;
    }
    Q::from_axis_angle(axis, from.cross(to).dot(axis).atan2(from.dot(to)))
}

/// Interpolates along the short arc without normalizing.
pub fn mix(a: Q, b: Q, t: f64) -> Q {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    a * (1.0 - t) + b * t
}

pub fn nlerp(a: Q, b: Q, t: f64) -> Q {
    let mixed = mix(a, b, t);
    if mixed.length() > 1e-12 { mixed.normalize() } else { a }
}

pub fn sine(a: V, b: V) -> f64 {
    unit_or_zero(a).cross(unit_or_zero(b)).length()
}

fn angle(a: V, b: V) -> f64 {
    let (a, b) = (unit_or_zero(a), unit_or_zero(b));
    a.cross(b).length().atan2(a.dot(b))
}

/// Returns `direction` turned into the cone around `normal`; `None` if it is within already, if the clamp weight is 0,
/// or if one of the vectors is zero.
pub fn clamp_direction(direction: V, normal: V, clamp_weight: f64, smoothing: u32) -> Option<V> {
    let closeness = 1.0 - angle(normal, direction) / std::f64::consts::PI;
    if clamp_weight <= 0.0 || closeness > clamp_weight {
        return None;
    }
    let to_limit = (1.0 - (clamp_weight - closeness) / (1.0 - closeness)).clamp(0.0, 1.0);
    let mut steadiness = (closeness / clamp_weight).clamp(0.0, 1.0);
    for _ in 0..smoothing {
        steadiness = (steadiness * std::f64::consts::FRAC_PI_2).sin();
    }
    let t = to_limit * steadiness;
    let (from, to) = (unit(normal)?, unit(direction)?);
    let length = normal.length() + (direction.length() - normal.length()) * t;
    let (sin, cos) = (angle(from, to) * t).sin_cos();
    Some((from * cos + across(from, to) * sin) * length)
}

/// Returns the point on the line from `fixed` to `moved` at the distance `length` from `fixed`; `fixed` if they
/// coincide.
pub fn joint(moved: V, fixed: V, length: f64) -> V {
    fixed + unit_or_zero(moved - fixed) * length
}
