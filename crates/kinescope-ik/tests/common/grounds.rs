//! Grounds for tests: given by formulas, without any hit, or with the same hit for every cast.

use glam::{DVec2, DVec3, Vec3};
use kinescope_ik::ground::{Ground, Hit};

pub struct Void;

impl Ground for Void {
    fn ray(&self, _: Vec3, _: Vec3, _: f32) -> Option<Hit> {
        None
    }

    fn sphere(&self, _: Vec3, _: f32, _: Vec3, _: f32) -> Option<Hit> {
        None
    }

    fn capsule(&self, _: Vec3, _: Vec3, _: f32, _: Vec3, _: f32) -> Option<Hit> {
        None
    }
}

/// Answers every cast with the same hit, even if that makes no sense.
pub struct Liar(pub Option<Hit>);

impl Ground for Liar {
    fn ray(&self, _: Vec3, _: Vec3, _: f32) -> Option<Hit> {
        self.0
    }

    fn sphere(&self, _: Vec3, _: f32, _: Vec3, _: f32) -> Option<Hit> {
        self.0
    }

    fn capsule(&self, _: Vec3, _: Vec3, _: f32, _: Vec3, _: f32) -> Option<Hit> {
        self.0
    }
}

/// An endless plane. Casts may have any direction; a cast that starts below the plane hits at distance 0.
pub struct Plane {
    pub point: Vec3,
    /// Unit normal.
    pub normal: Vec3,
}

impl Plane {
    pub fn level(height: f32) -> Self {
        Self { point: Vec3::Y * height, normal: Vec3::Y }
    }

    /// Returns a plane through the origin, its normal turned from up toward `aside` by `angle` radians.
    pub fn sloped(aside: Vec3, angle: f32) -> Self {
        Self { point: Vec3::ZERO, normal: Vec3::Y * angle.cos() + aside.normalize() * angle.sin() }
    }

    pub fn height(&self, at: Vec3) -> f32 {
        let aside = (at - self.point).with_y(0.0);
        self.point.y - aside.dot(self.normal) / self.normal.y
    }
}

impl Ground for Plane {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.sphere(from, 0.0, direction, distance)
    }

    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        let (from, direction, normal) = (from.as_dvec3(), direction.as_dvec3(), self.normal.as_dvec3());
        if !from.is_finite() || !direction.is_finite() {
            return None;
        }
        let over = (from - self.point.as_dvec3()).dot(normal) - f64::from(radius);
        let way = if over <= 0.0 { 0.0 } else { over / -direction.dot(normal) };
        let center = from + direction * way;
        let point = center - normal * (center - self.point.as_dvec3()).dot(normal);
        (0.0..=f64::from(distance)).contains(&way).then(|| Hit {
            point: point.as_vec3(),
            normal: self.normal,
            distance: way as f32,
        })
    }

    fn capsule(&self, a: Vec3, b: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        let lower = if a.dot(self.normal) <= b.dot(self.normal) { a } else { b };
        self.sphere(lower, radius, direction, distance)
    }
}

/// Heights over the xz plane, for casts straight down only.
pub trait Heights {
    /// Returns, for a sphere that rests on the ground with its centre above the point `over`: the height of its centre,
    /// the touching point, and the normal there.
    fn rest(&self, over: DVec2, radius: f64) -> (f64, DVec3, DVec3);

    fn height(&self, at: Vec3) -> f32 {
        self.rest(DVec2::new(at.x.into(), at.z.into()), 0.0).0 as f32
    }
}

pub struct Terrain<H>(pub H);

impl<H: Heights> Ground for Terrain<H> {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.capsule(from, from, 0.0, direction, distance)
    }

    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        self.capsule(from, from, radius, direction, distance)
    }

    fn capsule(&self, a: Vec3, b: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        assert_eq!(direction, Vec3::NEG_Y, "only straight down");
        let (a, b, radius) = (a.as_dvec3(), b.as_dvec3(), f64::from(radius));
        if !a.is_finite() || !b.is_finite() {
            return None;
        }
        // The distance that the sphere at fraction `t` of the segment falls; the capsule falls by the least of these.
        let fall = |t: f64| {
            let center = a + (b - a) * t;
            let (rest, point, normal) = self.0.rest(DVec2::new(center.x, center.z), radius);
            (center.y - rest, point, normal)
        };
        let parts = if a == b { 0 } else { 16 };
        let mut best = 0.0;
        for part in 0..=parts {
            let t = f64::from(part) / f64::from(parts.max(1));
            best = if fall(t).0 < fall(best).0 { t } else { best };
        }
        let mut width = 1.0 / 16.0;
        while parts > 0 && width > 1e-9 {
            for t in [best - width, best + width] {
                let t = t.clamp(0.0, 1.0);
                best = if fall(t).0 < fall(best).0 { t } else { best };
            }
            width *= 0.7;
        }
        let (way, point, normal) = fall(best);
        (way <= f64::from(distance)).then(|| Hit {
            point: point.as_vec3(),
            normal: normal.as_vec3(),
            distance: way.max(0.0) as f32,
        })
    }
}

/// Rolling hills, the sum of one wave along x and one along z; must curve less than the spheres cast at them.
#[derive(Clone, Copy, Debug)]
pub struct Hills {
    /// Greatest height above and below 0, in metres: twice the amplitude of each wave.
    pub height: f64,
    /// Wavelength in metres.
    pub length: f64,
}

impl Hills {
    fn at(&self, at: DVec2) -> (f64, DVec3) {
        let k = std::f64::consts::TAU / self.length;
        let height = self.height * 0.5 * ((k * at.x).sin() + (k * at.y).sin());
        let slope = DVec2::new((k * at.x).cos(), (k * at.y).cos()) * (self.height * 0.5 * k);
        (height, DVec3::new(-slope.x, 1.0, -slope.y).normalize())
    }
}

impl Heights for Hills {
    fn rest(&self, over: DVec2, radius: f64) -> (f64, DVec3, DVec3) {
        // Fixed-point iteration: the centre lies above the touching point along the normal. Each round multiplies the
        // error by radius times curvature.
        let mut at = over;
        for _ in 0..40 {
            let normal = self.at(at).1;
            at = over - DVec2::new(normal.x, normal.z) * radius;
        }
        let (height, normal) = self.at(at);
        (height + normal.y * radius, DVec3::new(at.x, height, at.y), normal)
    }
}

/// Steps up along z: the n-th tread begins at z = n · tread, at the height n · rise, for n from 0 to `count`. The
/// lowest and the highest tread extend without end.
#[derive(Clone, Copy, Debug)]
pub struct Stairs {
    pub tread: f64,
    pub rise: f64,
    pub count: u32,
}

impl Heights for Stairs {
    fn rest(&self, over: DVec2, radius: f64) -> (f64, DVec3, DVec3) {
        let mut best = (f64::NEG_INFINITY, DVec3::ZERO, DVec3::Y);
        for step in 0..=self.count {
            let begin = if step == 0 { f64::NEG_INFINITY } else { f64::from(step) * self.tread };
            let end = if step == self.count { f64::INFINITY } else { f64::from(step + 1) * self.tread };
            let (z, height) = (over.y.clamp(begin, end), f64::from(step) * self.rise);
            let aside = over.y - z;
            if aside.abs() <= radius {
                let center = height + (radius * radius - aside * aside).sqrt();
                let normal = DVec3::new(0.0, center - height, aside);
                if center > best.0 {
                    best = (center, DVec3::new(over.x, height, z), normal.try_normalize().unwrap_or(DVec3::Y));
                }
            }
        }
        best
    }
}
