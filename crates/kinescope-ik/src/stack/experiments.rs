//! Bugs of the sources, to compare with the correct results. Do not switch them on in a game.
//!
//! | switch | source | what it does |
//! |---|---|---|
//! | `keep_pose` | *Full-body notes*, without «fix transforms» | a frame begins with the last solved pose instead of the animated one, as if no clip animated any bone and nothing reset them ([`DefaultLocalState`](crate::full_body::DefaultLocalState)); the solver writes positions too, which accumulate |
//! | `lerp_per_frame` | *Foot IK by ray and curve*, *Foot IK with velocity prediction* | both grounders run the articles' own lines once per frame ([`Update::PerFrame`]), here with the default speeds: `Lerp(last, target, 0.5)` for a foot and `Lerp(last, body + lower foot, 0.28)` for the pelvis's own height in foot IK; `LerpValue` then `Lerp(…, dt · 2.5)` for a foot, `Slerp(…, dt · 7)` for its rotation and `Lerp(…, dt · 5)` for the pelvis in the predictive grounder |
//! | `replace_foot_height` | *Foot IK by ray and curve*, which tries `=` for `+=` | foot IK sets a foot's height to that of the ground instead of adding it to the animated height ([`FootHeight::Replaced`]): the ankle is on the ground, the sole below it |
//! | `drop_fades` | *Animation programming notes*, chapter 12 | a fade that has ended is removed alone, so that earlier fades become visible again |
//! | `additive_right_to_left` | *Animation programming notes*, chapter 12 | `input · (base⁻¹ · current)` of an additive layer is multiplied right to left |
//! | `subtract_scale` | *Animation programming notes*, chapter 12 | an additive layer subtracts and adds scales instead of multiplying ratios |
//! | `blind_casts` | *Foot IK with velocity prediction*, as its engine casts | a cast of the grounder that begins in the ground hits nothing |

use serde::{Deserialize, Serialize};

use glam::Vec3;

use crate::animation::Formula;
use crate::ground::{Ground, Hit, Layers, Shape};
use crate::grounding::{FootHeight, Solver, Update};

/// The switched-on bugs; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Experiments {
    /// A frame begins with the last solved pose.
    pub keep_pose: bool,
    /// Grounding smooths feet and pelvis once per frame, as the articles do.
    pub lerp_per_frame: bool,
    /// Foot IK replaces the animated height of a foot by that of the ground instead of adding the two.
    pub replace_foot_height: bool,
    /// A fade that has ended is removed without the fades below it. The stack ignores this switch; the caller that
    /// computes the animated pose applies it.
    pub drop_fades: bool,
    /// A cast of the grounder that begins in the ground hits nothing.
    pub blind_casts: bool,
    /// Additive layers multiply their rotations right to left. As with `drop_fades`, the caller applies this switch.
    pub additive_right_to_left: bool,
    /// Additive layers subtract scales. As with `drop_fades`, the caller applies this switch.
    pub subtract_scale: bool,
}

impl Experiments {
    /// Returns the formula of additive layers.
    pub fn additive(&self) -> Formula {
        Formula { right_to_left: self.additive_right_to_left, subtract_scale: self.subtract_scale }
    }

    /// Returns the grounder with the experiments applied to its settings.
    pub fn grounder(&self, solver: Solver) -> Solver {
        let mut solver = solver;
        match &mut solver {
            Solver::FootIk(settings) => {
                if self.lerp_per_frame {
                    settings.update = Update::PerFrame;
                }
                if self.replace_foot_height {
                    settings.foot_height = FootHeight::Replaced;
                }
            }
            Solver::Predictive(settings) => {
                if self.lerp_per_frame {
                    settings.update = Update::PerFrame;
                }
            }
        }
        solver
    }
}

/// A ground on which casts that begin inside it hit nothing.
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
