//! Footprints: if the path is known, the landing of each foot is known, and a step is shifted to land on even ground:
//! on the tread of a stair, not over its edge.
//!
//! The caller provides where and when a swinging foot lands as animated ([`Footprint`]), from the clip, its curve and
//! the path. Rays measure the height of the ground `h(d)` at distances `d` along the foot there. For a shift `s` along
//! the foot:
//!
//! ```text
//! uneven(s) = max h − low        h over s − heel − 2 cm … s + toe + 2 cm,  low: the `overhang` quantile of these h
//! ```
//!
//! Toes or heel may thus stick out over an edge, but a higher step under any part of the sole is uneven. The shift of
//! the last frame is kept while its ground is even; else the shortest shift with even ground is chosen, or without one,
//! the shift with the least uneven ground. The foot moves there evenly over the remaining time:
//!
//! ```text
//! offset += (shift − offset) · dt / (time + dt)
//! ```
//!
//! The foot stays shifted until it swings again. Without a known landing, a swinging foot returns to its animated
//! place. The grounder works on the shifted foot.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::input::{Input, LONGEST_FRAME, Root, is_sane};
use super::lock::{PLANTED, eased};
use super::state::flat;
use crate::ground::{Ground, Shape};
use crate::names::Side;
use crate::parameter::{Parameters, settings};
use crate::rig::RigidTransform;
use crate::stepped::{Flow, GO_ON, Stepped, Watch};

settings! {
    /// Settings that control how steps are shifted to even ground.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct FootprintSettings {
        /// Largest shift of a step, forward or back.
        shift: f32 = 0.14, from 0 to 1 usually 0.4 in Metres,
            too little: "Feet land on edges.",
            too much: "Strides are distorted.";
        /// Largest height difference under the sole at which ground counts as even.
        even: f32 = 0.03, from 0 to 1 usually 0.1 in Metres,
            too little: "Slopes and pebbles shift steps.",
            too much: "The edge of a stair counts as even.";
        /// Fraction of the sole that may stick out over an edge.
        overhang: f32 = 0.35, from 0 to 1 in Share,
            too little: "Feet find no room on short treads.",
            too much: "The foot stands on its heel or its toes.";
        /// How far above the landing foot and below the root's level casts look for ground.
        step: f32 = 0.5, from 0 to 5 usually 1 in Metres,
            too little: "Casts miss high stairs.",
            too much: "Casts start above ceilings.";
    }
}

/// Landing of a foot.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Footprint {
    /// Transform of the animated foot bone at landing; world space.
    pub foot: RigidTransform,
    /// Time until landing; seconds.
    pub time: f32,
}

/// State of one foot between two frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FootprintLeg {
    /// Current shift of the foot, orthogonal to up; metres, world space.
    pub offset: Vec3,
    /// Target of `offset`; metres, world space.
    pub aim: Vec3,
    /// Shift of the coming landing along the foot, positive toward the toes; metres. 0 while the foot stands;
    /// stays while the landing is not known.
    pub shift: f32,
    /// Unevenness of the ground at the last shifted landing; metres, 100 if ground is missing there. `None` before the
    /// first landing is measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uneven: Option<f32>,
    /// Unevenness of the ground at the last landing as animated; metres, 100 if ground is missing there. `None` before
    /// the first landing is measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uneven_before: Option<f32>,
}

/// State between two frames. The default is a new character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FootprintState {
    /// Position of the root in the last frame, world space; `None` before the first.
    pub root: Option<Vec3>,
    /// The feet, in the order of [`Side::ALL`].
    pub legs: [FootprintLeg; 2],
}

/// Input of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FootprintFrame {
    /// Settings, clamped to their ranges.
    pub settings: FootprintSettings,
    /// Input of grounding, before steps are shifted.
    pub input: Input,
    /// Landing of each foot; `None` while it stands or if the path is unknown.
    pub footprints: [Option<Footprint>; 2],
    /// How much the animation plants each foot, 0 to 1.
    pub planted: [f32; 2],
}

/// Chosen landing of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen {
    /// The foot that will land.
    pub side: Side,
    /// Position of the foot bone at landing: as animated, and shifted; world space.
    pub landing: [Vec3; 2],
    /// Shift along the foot; metres.
    pub shift: f32,
    /// Unevenness of the ground at the animated and at the shifted landing; metres, 100 if ground is missing there.
    pub uneven: [f32; 2],
}

/// Distance between two casts; metres.
const SPACING: f32 = 0.02;
/// Largest number of cast intervals for the shift, the heel and the toes each, so that the cost is limited.
const MOST: i32 = 64;
/// Unevenness of missing ground; metres.
pub(super) const NO_GROUND: f32 = 100.0;

impl FootprintFrame {
    fn root(&self) -> Root {
        self.input.root.sane().unwrap_or_default()
    }

    /// Returns whether this frame continues the state of the last frame; otherwise the footprints start anew.
    pub(super) fn continues(&self, state: &FootprintState) -> bool {
        let (dt, root) = (self.input.dt, self.root());
        dt > 0.0 && dt <= LONGEST_FRAME && state.root.is_some_and(|last| !root.teleported_from(last, dt))
    }

    /// Returns the input with the shifted feet.
    pub fn moved(&self, state: &FootprintState) -> Input {
        let mut input = self.input;
        for (foot, leg) in input.feet.iter_mut().zip(&state.legs) {
            foot.position += leg.offset;
        }
        input
    }

    /// Returns the direction of a foot at landing (unit, orthogonal to up) and the distances of heel and toes from the
    /// ankle, metres.
    pub(super) fn along(&self, side: Side, landing: &RigidTransform) -> (Vec3, [f32; 2]) {
        let geometry = self.input.feet[side as usize].geometry.sane();
        (geometry.forward(landing.rotation, &self.root()), [geometry.heel_offset, geometry.toe_offset])
    }

    fn choose(&self, side: Side, leg: &mut FootprintLeg, ground: &impl Ground) -> Option<Chosen> {
        let footprint = self.footprints[side as usize].as_ref()?;
        let landing = footprint.foot;
        if !is_sane(landing.position) || !landing.rotation.is_finite() {
            return None;
        }
        let (root, settings) = (self.root(), &self.settings);
        let (forward, [heel, toe]) = self.along(side, &landing);
        let pieces = |length: f32| ((length / SPACING).round() as i32).clamp(0, MOST);
        // A foot lands pitched and slightly off, hence one extra interval on either side.
        let (most, heel, toe) = (pieces(settings.shift), pieces(heel) + 1, pieces(toe) + 1);
        let first = -most - heel;
        let mut heights = [None; 4 * MOST as usize + 3];
        for (index, height) in heights.iter_mut().enumerate().take((2 * most + heel + toe) as usize + 1) {
            let at = landing.position + forward * (SPACING * (first + index as i32) as f32);
            let from = flat(at - root.position, root.up) + root.position + root.up * (root.height(at) + settings.step);
            let distance = 2.0 * settings.step + root.height(at).abs();
            let hit = ground.cast_on(self.input.feet[side as usize].layers, Shape::Ray, from, -root.up, distance);
            *height = hit.map(|hit| root.height(hit.point)).filter(|height| height.is_finite());
        }
        let uneven = |shift: i32| {
            let mut under = [0.0f32; 2 * MOST as usize + 3];
            let under = &mut under[..(heel + toe) as usize + 1];
            for (under, height) in under.iter_mut().zip(&heights[(shift - heel - first) as usize..]) {
                let Some(height) = height else { return NO_GROUND };
                *under = *height;
            }
            under.sort_unstable_by(f32::total_cmp);
            let hanging = (under.len() as f32 * settings.overhang) as usize;
            under[under.len() - 1] - under[hanging.min(under.len() - 1)]
        };
        let last = ((leg.shift / SPACING).round() as i32).clamp(-most, most);
        let nearest = (0..=most).flat_map(|by| [by, -by]);
        let even = [last].into_iter().chain(nearest.clone()).find(|&shift| uneven(shift) <= settings.even);
        let least = || nearest.min_by(|&a, &b| uneven(a).total_cmp(&uneven(b)));
        let shift = even.or_else(least).unwrap_or(0);
        leg.shift = shift as f32 * SPACING;
        let uneven = [uneven(0), uneven(shift)];
        [leg.uneven_before, leg.uneven] = uneven.map(Some);
        let moved = landing.position + forward * leg.shift;
        Some(Chosen { side, landing: [landing.position, moved], shift: leg.shift, uneven })
    }
}

/// The footprints of a frame as a program: one step per foot, none if no time passes.
#[derive(Clone, Copy, Debug)]
pub struct FootprintSolve<'a, G> {
    frame: &'a FootprintFrame,
    ground: &'a G,
    continues: bool,
    next: usize,
}

impl<'a, G: Ground> FootprintSolve<'a, G> {
    /// Starts at the first step; `start` is the state of the last frame.
    pub fn new(frame: &'a FootprintFrame, start: &FootprintState, ground: &'a G) -> Self {
        Self { frame, ground, continues: frame.continues(start), next: 0 }
    }
}

impl<G: Ground> Stepped for FootprintSolve<'_, G> {
    type Step = Side;
    type State = FootprintState;
    type Event = Chosen;

    fn next(&mut self, _: &FootprintState) -> Option<Side> {
        let side = Side::ALL.get(self.next).copied().filter(|_| self.frame.input.dt > 0.0);
        self.next += 1;
        side
    }

    fn run(&mut self, state: &mut FootprintState, side: Side, watch: &mut impl Watch<Chosen>) -> Flow {
        let (frame, dt) = (self.frame, self.frame.input.dt);
        state.root = Some(frame.root().position);
        let leg = &mut state.legs[side as usize];
        if !self.continues {
            *leg = FootprintLeg::default();
        }
        let chosen = frame.choose(side, leg, self.ground);
        match (&chosen, frame.footprints[side as usize]) {
            (Some(chosen), Some(Footprint { time, .. })) if self.continues => {
                let time = if time.is_finite() { time.max(0.0) } else { 0.0 };
                leg.aim = chosen.landing[1] - chosen.landing[0];
                leg.offset += (leg.aim - leg.offset) * (dt / (time + dt));
            }
            // The foot stands. If it landed between two frames, this completes its shift.
            _ if frame.planted[side as usize] > PLANTED => (leg.offset, leg.shift) = (leg.aim, 0.0),
            _ => {
                leg.offset *= eased(dt, 0.25);
                leg.aim = leg.offset;
            }
        }
        match chosen {
            Some(chosen) => watch.saw(chosen),
            None => GO_ON,
        }
    }
}

impl FootprintSettings {
    /// Clamps every number to its range; NaN is replaced by the default.
    pub fn clamped(mut self) -> Self {
        self.clamp_numbers();
        self
    }
}
