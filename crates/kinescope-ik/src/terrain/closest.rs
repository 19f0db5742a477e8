//! Nearest points of segments, triangles and boxes, and a ray against a box, in single precision. Source: Ericson,
//! *Real-Time Collision Detection*. The operations and their order are those of parry3d, with which the tests compare
//! casts.

use glam::Vec3;

pub fn nearest_on_triangle([a, b, c]: [Vec3; 3], to: Vec3) -> Vec3 {
    let (ab, ac, bc) = (b - a, c - a, c - b);
    let (to_a, to_b, to_c) = (to - a, to - b, to - c);
    let (ab_a, ac_a) = (ab.dot(to_a), ac.dot(to_a));
    if ab_a <= 0.0 && ac_a <= 0.0 {
        return a;
    }
    let (ab_b, ac_b) = (ab.dot(to_b), ac.dot(to_b));
    if ab_b >= 0.0 && ac_b <= ab_b {
        return b;
    }
    let (ab_c, ac_c) = (ab.dot(to_c), ac.dot(to_c));
    if ac_c >= 0.0 && ab_c <= ac_c {
        return c;
    }
    // Barycentric coordinates from cross products: more accurate than those from products of the dot products above.
    let normal = ab.cross(ac);
    let of_c = normal.dot(ab.cross(to_a));
    if of_c < 0.0 && ab_a >= 0.0 && ab_b <= 0.0 {
        return a + ab * (ab_a / ab.length_squared());
    }
    let of_b = -normal.dot(ac.cross(to_c));
    if of_b < 0.0 && ac_a >= 0.0 && ac_c <= 0.0 {
        return a + ac * (ac_a / ac.length_squared());
    }
    let of_a = normal.dot(bc.cross(to_b));
    if of_a < 0.0 && ac_b - ab_b >= 0.0 && ab_c - ac_c >= 0.0 {
        return b + bc * (bc.dot(to_b) / bc.length_squared());
    }
    let sum = of_a + of_b + of_c;
    if sum != 0.0 {
        return a + ab * (of_b / sum) + ac * (of_c / sum);
    }
    // The corners are in line: the nearest point of the longest edge.
    let [squared_ab, squared_ac, squared_bc] = [ab, ac, bc].map(Vec3::length_squared);
    if squared_ab >= squared_ac && squared_ab >= squared_bc {
        nearest_on_segment(a, b, to)
    } else if squared_ac >= squared_bc {
        nearest_on_segment(a, c, to)
    } else {
        nearest_on_segment(b, c, to)
    }
}

fn nearest_on_segment(a: Vec3, b: Vec3, to: Vec3) -> Vec3 {
    let ab = b - a;
    let (along, squared) = (ab.dot(to - a), ab.length_squared());
    if along <= 0.0 {
        a
    } else if along >= squared {
        b
    } else {
        a + ab * (along / squared)
    }
}

/// Returns the points of two segments that are nearest to each other. For parallel segments, one pair of many.
pub fn nearest_of_segments([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> [Vec3; 2] {
    let (own, other, between) = (b - a, d - c, a - c);
    let (own_squared, other_squared) = (own.length_squared(), other.length_squared());
    let (own_along, other_along) = (own.dot(between), other.dot(between));
    let share = |value: f32| value.clamp(0.0, 1.0);
    let (s, t) = if own_squared <= f32::EPSILON && other_squared <= f32::EPSILON {
        (0.0, 0.0)
    } else if own_squared <= f32::EPSILON {
        (0.0, share(other_along / other_squared))
    } else if other_squared <= f32::EPSILON {
        (share(-own_along / own_squared), 0.0)
    } else {
        let both = own.dot(other);
        let (product, squared) = (own_squared * other_squared, both * both);
        let apart = product - squared;
        let is_parallel =
            apart.is_nan() || apart <= f32::EPSILON || product.to_bits().abs_diff(squared.to_bits()) <= PARALLEL_STEPS;
        let s = if is_parallel { 0.0 } else { share((both * other_along - own_along * other_squared) / apart) };
        let t = (both * s + other_along) / other_squared;
        if t < 0.0 {
            (share(-own_along / own_squared), 0.0)
        } else if t > 1.0 {
            (share((both - own_along) / own_squared), 1.0)
        } else {
            (s, t)
        }
    };
    let [on_own, on_other] = [point_at([a, b], s), point_at([c, d], t)];
    // If the points overflow, the starts of both segments replace them.
    if (on_own - on_other).length_squared().is_nan() { [a, c] } else { [on_own, on_other] }
}

/// Largest difference between the two sides of Cauchy's inequality at which segments count as parallel, in steps from
/// one float to the next.
const PARALLEL_STEPS: u32 = 4;

/// Returns the point at a share of a segment: at 0 the first end, at 1 the second, both without rounding.
fn point_at([a, b]: [Vec3; 2], share: f32) -> Vec3 {
    if share == 0.0 {
        a
    } else if share == 1.0 {
        b
    } else {
        a * (1.0 - share) + b * share
    }
}

/// Returns distance and normal at which a ray from outside enters a box around the origin, up to the distance `most`;
/// `None` if it does not. Where it enters at an edge or a corner, the normal is against the ray. The direction is a
/// unit vector.
pub fn enter_box(half: Vec3, from: Vec3, direction: Vec3, most: f32) -> Option<(f32, Vec3)> {
    let (mut near, mut far) = (f32::MIN, f32::MAX);
    let mut normal = Vec3::ZERO;
    for axis in 0..3 {
        if direction[axis] == 0.0 {
            if from[axis].abs() > half[axis] {
                return None;
            }
            continue;
        }
        let inverse = 1.0 / direction[axis];
        let (low, high) = ((-half[axis] - from[axis]) * inverse, (half[axis] - from[axis]) * inverse);
        let (enters, leaves) = if low > high { (high, low) } else { (low, high) };
        if enters > near {
            near = enters;
            normal = Vec3::ZERO;
            normal[axis] = if low > high { 1.0 } else { -1.0 };
        } else if enters == near {
            normal = -direction.normalize();
        }
        far = far.min(leaves);
        if far < 0.0 || near > far {
            return None;
        }
    }
    (near >= 0.0 && near <= most).then_some((near, normal))
}

/// Returns the point of the surface of a box around the origin that is nearest to a point.
pub fn nearest_on_box(half: Vec3, point: Vec3) -> Vec3 {
    let shift = (-half - point).max(Vec3::ZERO) - (point - half).max(Vec3::ZERO);
    if shift != Vec3::ZERO {
        return point + shift;
    }
    let sign = Vec3::ONE.copysign(point);
    let depth = half - sign * point;
    let axis = if depth.x <= depth.y && depth.x <= depth.z {
        Vec3::X
    } else if depth.y <= depth.x && depth.y <= depth.z {
        Vec3::Y
    } else {
        Vec3::Z
    };
    point + depth * sign * axis
}
