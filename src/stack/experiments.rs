//! Bugs of the sources, to be looked at beside what is right: nothing here is meant to be switched on in a game.
//!
//! | switch | whose | what it does |
//! |---|---|---|
//! | `keep_pose` | seed 000, without «fix transforms» | a frame begins with the pose that the last one solved, as where nothing puts bones back that no clip moves ([`DefaultLocalState`](crate::full_body::DefaultLocalState)); the solver writes positions too, and they add up |
//! | `lerp_per_frame` | seeds 003 and 004 | a speed is a factor per frame: `value += (target − value) · speed` in foot IK, `· dt · speed` in the predictive grounder, which come to another rate at every frame rate |
//! | `drop_fades` | seed 001, chapter 12 | a fade that has ended is dropped alone: those before it show through again |
//! | `additive_right_to_left` | book notes, chapter 12 | `input · (base⁻¹ · current)` of an additive layer is multiplied right to left |
//! | `subtract_scale` | book notes, chapter 12 | an additive layer subtracts and adds scales, where ratios would be multiplied |
//! | `blind_casts` | seed 004, as its engine casts | a cast that begins in the ground hits nothing |

use serde::{Deserialize, Serialize};

use glam::Vec3;

use crate::animation::Formula;
use crate::ground::{Ground, Hit, Layers, Shape};
use crate::grounding::{PredictiveSettings, Solver};
use crate::parameter::{Parameters, Unit};

/// Which bugs are on. The default is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Experiments {
    /// A frame begins with the pose that the last one solved.
    pub keep_pose: bool,
    /// Speeds of grounding are factors per frame.
    pub lerp_per_frame: bool,
    /// A fade that has ended is dropped alone. It concerns the animated pose: who makes that has to look here.
    pub drop_fades: bool,
    /// A cast that begins in the ground hits nothing.
    pub blind_casts: bool,
    /// Additive layers multiply their rotations right to left. As with `drop_fades`, the maker of the animated pose reads it.
    pub additive_right_to_left: bool,
    /// Additive layers subtract scales. The maker of the animated pose reads it.
    pub subtract_scale: bool,
}

impl Experiments {
    /// The formula of additive layers.
    pub fn additive(&self) -> Formula {
        Formula { right_to_left: self.additive_right_to_left, subtract_scale: self.subtract_scale }
    }

    /// A grounder with the rates that its speeds come to as factors per frame of `dt` seconds.
    pub fn grounder(&self, solver: Solver, dt: f32) -> Solver {
        if !self.lerp_per_frame {
            return solver;
        }
        match solver {
            Solver::FootIk(mut settings) => {
                let all = [&mut settings.pelvis_up_and_down_speed, &mut settings.feet_to_ik_position_speed];
                // Else it is the share made in 1/60 s.
                all.into_iter().filter(|_| dt > 0.0).for_each(|share| {
                    *share = 1.0 - (1.0 - share.clamp(0.0, 1.0)).powf(1.0 / (60.0 * dt));
                });
                Solver::FootIk(settings)
            }
            Solver::Predictive(mut settings) => {
                per_frame(&mut settings, dt);
                Solver::Predictive(settings)
            }
        }
    }
}

/// Every rate of some settings as the one that `value += (target − value) · dt · rate` comes to.
fn per_frame(settings: &mut PredictiveSettings, dt: f32) {
    for entry in settings.parameters().iter().filter(|entry| entry.unit == Unit::PerSecond) {
        let rate = settings.number(entry.key).unwrap_or(0.0);
        let factor = (rate * dt).clamp(0.0, 1.0);
        let comes_to = if dt > 0.0 { -(1.0 - factor).ln() / dt } else { rate };
        // A factor of 1 is there at once: as fast as a grounder's rates go.
        settings.set_number(entry.key, comes_to.min(entry.max));
    }
}

/// A ground that nothing feels from inside.
pub(super) struct Blind<G>(pub G);

impl<G: Ground> Ground for Blind<G> {
    fn ray(&self, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        self.cast_on(Layers::ALL, Shape::Ray, from, direction, distance)
    }

    fn sphere(&self, from: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        self.cast_on(Layers::ALL, Shape::Sphere { radius }, from, direction, distance)
    }

    fn capsule(&self, a: Vec3, b: Vec3, radius: f32, direction: Vec3, distance: f32) -> Option<Hit> {
        self.cast_on(Layers::ALL, Shape::Capsule { along: b - a, radius }, a, direction, distance)
    }

    fn cast_on(&self, layers: Layers, shape: Shape, from: Vec3, direction: Vec3, distance: f32) -> Option<Hit> {
        let hit = self.0.cast_on(layers, shape, from, direction, distance);
        hit.filter(|hit| hit.distance > 0.0)
    }
}
