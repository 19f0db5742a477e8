//! Footprints: where each foot will land is known where the way is, and a step is moved so that it lands on even ground:
//! on the tread of a stair, not over its edge.
//!
//! The caller tells where a swinging foot will land as animated, and in how many seconds: from the clip, its curve, and the
//! way that is walked ([`Footprint`]). Heights `h(d)` are cast along the foot there. For every shift `s` along it
//!
//! ```text
//! uneven(s) = max h − low        h over s − heel … s + toe,  low: below it is the part `overhang` of them
//! ```
//!
//! that is, toes or heel may stick out over an edge, but nothing may stand on a higher step. The shortest shift whose ground
//! is even is taken; where none is, the one whose ground is least uneven. The foot goes there evenly over the time that is
//! left, and stays moved until it swings again; the grounder looks at it where it is then:
//!
//! ```text
//! offset += (shift − offset) · dt / (time + dt)
//! ```

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
    /// How far steps are moved to land on even ground.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct FootprintSettings {
        /// How far a step is moved at most, forward or back.
        shift: f32 = 0.14, from 0 to 1 usually 0.4 in Metres,
            too little: "Feet land on edges.",
            too much: "Strides are torn.";
        /// Ground is even whose height differs by no more under the sole.
        even: f32 = 0.03, from 0 to 1 usually 0.1 in Metres,
            too little: "Slopes and pebbles move steps.",
            too much: "The edge of a stair counts as even.";
        /// How much of the sole may stick out over an edge.
        overhang: f32 = 0.35, from 0 to 1 in Share,
            too little: "No foot finds room on a stair.",
            too much: "It stands on its heel.";
        /// How far up and down the ground is looked for.
        step: f32 = 0.5, from 0 to 5 usually 1 in Metres,
            too little: "High stairs are not seen.",
            too much: "It looks through ceilings.";
    }
}

/// Where a foot will land.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Footprint {
    /// The foot bone then, as animated; world space.
    pub foot: RigidTransform,
    /// In so many seconds.
    pub time: f32,
}

/// One foot between two frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FootprintLeg {
    /// How far the foot is moved; along the ground, metres.
    pub offset: Vec3,
    /// How far it is to be moved when it lands.
    pub aim: Vec3,
    /// How far along the foot that is; metres.
    pub shift: f32,
    /// How uneven the ground is there; metres.
    pub uneven: f32,
    /// The same where the animation would land.
    pub uneven_before: f32,
}

/// What a frame leaves to the next. The default is that of feet never seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FootprintState {
    /// The root's place in the last frame; `None` before the first.
    pub root: Option<Vec3>,
    /// In the order of [`Side::ALL`].
    pub legs: [FootprintLeg; 2],
}

/// What the steps of a frame go by.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FootprintFrame {
    /// Every number within its range.
    pub settings: FootprintSettings,
    /// What grounding is handed, before steps are moved.
    pub input: Input,
    /// Where each foot will land; `None` while it stands, and where the way is not known.
    pub footprints: [Option<Footprint>; 2],
    /// How much the animation plants each foot, 0 to 1.
    pub planted: [f32; 2],
}

/// A step that was chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen {
    /// Whose.
    pub side: Side,
    /// Where the foot bone would land, and where it will.
    pub landing: [Vec3; 2],
    /// How far along the foot that is moved; metres.
    pub shift: f32,
    /// How uneven the ground is at both; metres.
    pub uneven: [f32; 2],
}

/// Between two heights that are cast; metres.
const SPACING: f32 = 0.02;
/// Most casts to each side: whatever the settings say, a frame ends.
const MOST: i32 = 64;
/// What is not ground is as uneven as this; metres.
const NO_GROUND: f32 = 100.0;

impl FootprintFrame {
    fn root(&self) -> Root {
        self.input.root.sane().unwrap_or_default()
    }

    fn goes_on(&self, state: &FootprintState) -> bool {
        let (dt, root) = (self.input.dt, self.root());
        dt > 0.0 && dt <= LONGEST_FRAME && state.root.is_some_and(|last| !root.teleported_from(last, dt))
    }

    /// The input with the feet where steps are moved to.
    pub fn moved(&self, state: &FootprintState) -> Input {
        let mut input = self.input;
        for (foot, leg) in input.feet.iter_mut().zip(&state.legs) {
            foot.position += leg.offset;
        }
        input
    }

    /// The way along a foot that lands there: forward over the ground, unit; how far its heel and its toes are.
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
        // A foot lands pitched, a little beside where it stands then: one piece of room on either side.
        let (most, heel, toe) = (pieces(settings.shift), pieces(heel) + 1, pieces(toe) + 1);
        // Heights along the foot, from the farthest back to the farthest ahead.
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
        // What was chosen stays, as long as it does.
        let even = [last].into_iter().chain(nearest.clone()).find(|&shift| uneven(shift) <= settings.even);
        let least = || nearest.min_by(|&a, &b| uneven(a).total_cmp(&uneven(b)));
        let shift = even.or_else(least).unwrap_or(0);
        leg.shift = shift as f32 * SPACING;
        (leg.uneven, leg.uneven_before) = (uneven(shift), uneven(0));
        let moved = landing.position + forward * leg.shift;
        let uneven = [leg.uneven_before, leg.uneven];
        Some(Chosen { side, landing: [landing.position, moved], shift: leg.shift, uneven })
    }
}

/// The steps of a frame: one for each foot.
#[derive(Clone, Copy, Debug)]
pub struct FootprintSolve<'a, G> {
    frame: &'a FootprintFrame,
    ground: &'a G,
    goes_on: bool,
    next: usize,
}

impl<'a, G: Ground> FootprintSolve<'a, G> {
    /// From the first step on; `start` is what the last frame left.
    pub fn new(frame: &'a FootprintFrame, start: &FootprintState, ground: &'a G) -> Self {
        Self { frame, ground, goes_on: frame.goes_on(start), next: 0 }
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
        if !self.goes_on {
            *leg = FootprintLeg::default();
        }
        let chosen = frame.choose(side, leg, self.ground);
        match (&chosen, frame.footprints[side as usize]) {
            (Some(chosen), Some(Footprint { time, .. })) if self.goes_on => {
                let time = if time.is_finite() { time.max(0.0) } else { 0.0 };
                leg.aim = chosen.landing[1] - chosen.landing[0];
                leg.offset += (leg.aim - leg.offset) * (dt / (time + dt));
            }
            // It landed between two frames: the rest of the way is made now.
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
    /// Every number in its range, what is not a number at its default.
    pub fn clamped(mut self) -> Self {
        self.clamp_numbers();
        self
    }
}
