//! The caller's ground.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kinescope_library::glam::Vec3;
use kinescope_library::ground::{Ground, Hit, Layers, Shape};

use crate::pose::KinescopeVec3;

/// Where a ray or another cast shape meets the ground, in world space, metres. A hit with a number that is not finite
/// or with a distance below 0 or beyond that of the cast counts as none.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeHit {
    pub point: KinescopeVec3,
    /// Unit normal, pointing out of the ground.
    pub normal: KinescopeVec3,
    /// How far the ray or shape moved until it met the ground.
    pub distance: f32,
}

/// The shape that a cast moves.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeShape {
    /// A point.
    Ray,
    /// A sphere around `from`.
    Sphere,
    /// A capsule around the segment from `from` to `from` + `along`.
    Capsule,
}

/// A cast against the caller's ground, in world space, metres.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeCast {
    /// A KinescopeShape.
    pub shape: u32,
    /// The ground layers that count: bit i is layer i, of eight layers.
    pub layers: u32,
    /// Where the shape starts: the point, the centre of the sphere, or the first end of the capsule's segment.
    pub from: KinescopeVec3,
    /// The unit direction in which the shape moves.
    pub direction: KinescopeVec3,
    /// The largest distance that the shape moves.
    pub distance: f32,
    /// The radius of a sphere or capsule; 0 for a ray.
    pub radius: f32,
    /// The vector of a capsule's segment; 0 for other shapes.
    pub along: KinescopeVec3,
}

/// The caller's ground, in world space, metres. If both functions are NULL, there is no ground.
///
/// If only `ray` is set, spheres and capsules are made of rays: a sphere of 13 to 16, a capsule of 65 to 80. They are
/// exact on even ground that rises by less than 88 degrees against the plane at right angles to the cast, and miss
/// edges and obstacles between two rays.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeGround {
    /// Passed to both functions.
    pub user: *mut c_void,
    /// Casts a ray along a unit direction up to a maximal distance, on all ground layers. Returns 0 if it meets
    /// nothing, otherwise fills in `hit`. Must not throw. May be NULL if `cast` is set.
    pub ray: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            from: KinescopeVec3,
            direction: KinescopeVec3,
            distance: f32,
            hit: *mut KinescopeHit,
        ) -> i32,
    >,
    /// Casts any shape. Returns 0 if it meets nothing, 1 after filling in `hit`, or -1 for a shape that it does not
    /// cast: capsules are then made of spheres, spheres of rays, and `ray` casts a ray. The distance of a hit is how
    /// far the shape moved; 0 if it started inside the ground. Must not throw. May be NULL.
    pub cast:
        Option<unsafe extern "C" fn(user: *mut c_void, cast: *const KinescopeCast, hit: *mut KinescopeHit) -> i32>,
}

const NO_HIT: KinescopeHit = KinescopeHit {
    point: KinescopeVec3 { x: 0.0, y: 0.0, z: 0.0 },
    normal: KinescopeVec3 { x: 0.0, y: 0.0, z: 0.0 },
    distance: 0.0,
};

impl KinescopeHit {
    fn read(&self, distance: f32) -> Option<Hit> {
        let hit = Hit { point: self.point.into(), normal: self.normal.into(), distance: self.distance };
        let is_one = hit.point.is_finite() && hit.normal.is_finite() && (0.0..=distance).contains(&hit.distance);
        is_one.then_some(hit)
    }
}

/// The caller's ground with the layers of one cast.
#[derive(Clone, Copy)]
struct Layered<'a> {
    ground: &'a KinescopeGround,
    layers: Layers,
}

impl Layered<'_> {
    /// Calls the caller's `cast`. `None` if there is none, or if it does not cast this shape.
    fn cast(&self, shape: Shape, from: Vec3, direction: Vec3, distance: f32) -> Option<Option<Hit>> {
        let (kind, radius, along) = match shape {
            Shape::Ray => (KinescopeShape::Ray, 0.0, Vec3::ZERO),
            Shape::Sphere { radius } => (KinescopeShape::Sphere, radius, Vec3::ZERO),
            Shape::Capsule { along, radius } => (KinescopeShape::Capsule, radius, along),
        };
        let cast = KinescopeCast {
            shape: kind as u32,
            layers: self.layers.0.into(),
            from: from.into(),
            direction: direction.into(),
            distance,
            radius,
            along: along.into(),
        };
        let mut hit = NO_HIT;
        match unsafe { self.ground.cast?(self.ground.user, &cast, &mut hit) } {
            ..0 => None,
            0 => Some(None),
            1.. => Some(hit.read(distance)),
        }
    }
}

/// Spheres made of rays.
struct Rays<'a>(Layered<'a>);

impl Ground for Rays<'_> {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.0.ray(from, direction, distance)
    }
}

/// Capsules made of spheres.
struct Spheres<'a>(Layered<'a>);

impl Ground for Spheres<'_> {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.0.ray(from, direction, distance)
    }

    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        self.0.sphere(from, radius, direction, distance)
    }
}

impl Ground for Layered<'_> {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.cast(Shape::Ray, from, direction, distance).unwrap_or_else(|| {
            let mut hit = NO_HIT;
            let ground = self.ground;
            let meets = unsafe { ground.ray?(ground.user, from.into(), direction.into(), distance, &mut hit) };
            if meets == 0 { None } else { hit.read(distance) }
        })
    }

    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        let own = self.cast(Shape::Sphere { radius }, from, direction, distance);
        own.unwrap_or_else(|| Rays(*self).sphere(from, radius, direction, distance))
    }

    fn capsule(&self, a: Vec3, b: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        let own = self.cast(Shape::Capsule { along: b - a, radius }, a, direction, distance);
        own.unwrap_or_else(|| Spheres(*self).capsule(a, b, radius, direction, distance))
    }
}

impl Ground for KinescopeGround {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        Layered { ground: self, layers: Layers::ALL }.ray(from, direction, distance)
    }

    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        Layered { ground: self, layers: Layers::ALL }.sphere(from, radius, direction, distance)
    }

    fn capsule(&self, a: Vec3, b: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        Layered { ground: self, layers: Layers::ALL }.capsule(a, b, radius, direction, distance)
    }

    fn cast_on(&self, layers: Layers, shape: Shape, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        Layered { ground: self, layers }.cast_on(layers, shape, from, direction, distance)
    }
}

/// The caller's ground for work on several threads: one thread at a time calls its functions, while the caller waits.
#[derive(Clone)]
pub(crate) struct SharedGround {
    ground: KinescopeGround,
    turn: Arc<Mutex<()>>,
}

// SAFETY: `turn` lets one thread at a time call the functions, and no function of this library that uses the ground returns
// while another thread uses it.
unsafe impl Send for SharedGround {}
unsafe impl Sync for SharedGround {}

impl SharedGround {
    pub fn new(ground: KinescopeGround) -> Self {
        Self { ground, turn: Arc::default() }
    }

    fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ground for SharedGround {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        let _turn = self.turn();
        self.ground.ray(from, direction, distance)
    }

    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        let _turn = self.turn();
        self.ground.sphere(from, radius, direction, distance)
    }

    fn capsule(&self, a: Vec3, b: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        let _turn = self.turn();
        self.ground.capsule(a, b, radius, direction, distance)
    }

    fn cast_on(&self, layers: Layers, shape: Shape, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        let _turn = self.turn();
        self.ground.cast_on(layers, shape, from, direction, distance)
    }
}
