use glam::Vec3;
use kinescope_ik::full_body::Stage;
use kinescope_ik::stack::parameters::ParameterId;
use kinescope_ik::stack::{LayerId, MeasureId};
use kinescope_ik::stepped::run::{Cursor, Run, Unit};

use crate::session::{Selection, Session};

/// Height of a character for which the lengths in conditions are given, metres.
const HEIGHT: f32 = 1.8;

/// An instant of a solve: the end of a step, or the instant just after one of its moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub layer: LayerId,
    /// Key of the step: `stage1`, `forward_reach`, `write_spine`.
    pub key: &'static str,
    /// The iteration from 0. `None` fits every iteration; [`Self::cursor`] returns the first step with the key.
    pub iteration: Option<u32>,
    /// Index of a move of the step, clamped to the last one. The place is just after the move. `None` is the end of the
    /// step; in a task, any instant of the step.
    pub within: Option<usize>,
}

impl Place {
    pub(crate) const fn stage(stage: Stage, iteration: u32) -> Self {
        Self { layer: LayerId::FullBody, key: stage.key(), iteration: Some(iteration), within: None }
    }

    pub(crate) const fn once(stage: Stage) -> Self {
        Self { layer: LayerId::FullBody, key: stage.key(), iteration: None, within: None }
    }

    pub const fn of(layer: LayerId, key: &'static str, iteration: Option<u32>) -> Self {
        Self { layer, key, iteration, within: None }
    }

    pub(crate) const fn within(self, event: usize) -> Self {
        Self { within: Some(event), ..self }
    }

    pub(crate) const fn after_last_move(self) -> Self {
        Self { within: Some(usize::MAX), ..self }
    }

    fn within_step(self, run: &dyn Run, step: usize) -> Option<usize> {
        Some(self.within?.min(run.events(step).checked_sub(1)?))
    }

    pub fn cursor(self, session: &Session) -> Option<Cursor> {
        let run = session.world.solved.run(self.layer)?;
        let is_own = |step: &usize| {
            let view = run.step(*step);
            view.key == self.key && (self.iteration.is_none() || view.iteration == self.iteration)
        };
        let step = (0..run.steps()).find(is_own)?;
        Some(Cursor { step, within: self.within_step(run, step) })
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum When {
    Cursor,
    /// The last instant at which errors count: see [`Run::settled`].
    Settled,
    After(Place),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Comparison {
    Below(f32),
    Above(f32),
}

impl Comparison {
    fn holds(self, value: f32) -> bool {
        match self {
            Self::Below(most) => value < most,
            Self::Above(least) => value > least,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    FabrikPass(bool),
    FootLock(bool),
    Clip(&'static str),
    HasLayers(bool),
}

/// What a task asks for. Lengths are metres on a character of 1.8 m, and model units in lanes of the chain lab.
#[derive(Clone, Copy, Debug)]
pub enum Condition {
    At(Place),
    All(&'static [Condition]),
    Focus(LayerId),
    Selected(Selection),
    Parameter(&'static str, Comparison),
    Chosen(Choice),
    /// A measure of a layer, named by its key, is in a range at an instant. Angles are in degrees.
    Measure(LayerId, &'static str, When, Comparison),
    /// The distance of an effector's written bone from its target in the result is in a range.
    Gap(&'static str, Comparison),
    /// The distance of a layer's point from its position before the first step is in a range.
    Moved(LayerId, &'static str, When, Comparison),
    /// The distance between two points of a layer is in a range.
    Apart(LayerId, [&'static str; 2], When, Comparison),
    /// The height of a layer's point above its position before the first step is in a range.
    Raised(LayerId, &'static str, When, Comparison),
    Steps(LayerId, Comparison),
    Has(LayerId, &'static str),
    /// The first pose layer is on, and its weight is in a range.
    LayerWeight(Comparison),
    Compares,
}

impl Condition {
    pub fn is_met(&self, session: &Session) -> bool {
        let world = &session.world;
        match *self {
            Self::At(place) => at(session, place),
            Self::All(all) => all.iter().all(|one| one.is_met(session)),
            Self::Focus(layer) => session.focus() == layer,
            Self::Selected(selection) => session.interaction.selection == selection,
            Self::Parameter(path, is) => ParameterId::from_path(path).is_some_and(|id| is.holds(id.get(world.stack()))),
            Self::Chosen(choice) => is_chosen(session, choice),
            Self::Measure(layer, key, when, is) => {
                measure(session, layer, key, when).is_some_and(|value| is.holds(value))
            }
            Self::Gap(key, is) => {
                let gap = world.solved.outcome(&MeasureId::Gap(key.to_owned()));
                gap.is_some_and(|gap| is.holds(gap / scale(session, LayerId::FullBody)))
            }
            Self::Moved(layer, point, when, is) => {
                shift(session, layer, point, when).is_some_and(|by| is.holds(by.length()))
            }
            Self::Raised(layer, point, when, is) => shift(session, layer, point, when).is_some_and(|by| is.holds(by.y)),
            Self::Apart(layer, points, when, is) => {
                let place = |key: &str| {
                    let run = world.solved.run(layer)?;
                    Some(run.place_of(point_of(run, key)?, instant(session, run, layer, when)?))
                };
                let both = place(points[0]).zip(place(points[1]));
                both.is_some_and(|(a, b)| is.holds(a.distance(b) / scale(session, layer)))
            }
            Self::Steps(layer, is) => world.solved.run(layer).is_some_and(|run| is.holds(run.steps() as f32)),
            Self::Has(layer, key) => {
                world.solved.run(layer).is_some_and(|run| (0..run.steps()).any(|step| run.step(step).key == key))
            }
            Self::LayerWeight(is) => {
                world.plan().motion.layers.first().is_some_and(|layer| !layer.off && is.holds(layer.weight))
            }
            Self::Compares => session.tools.debugger.compare.is_some(),
        }
    }
}

/// Returns whether the session is paused at a place: anywhere in its step or, if it names a move, just after the move.
fn at(session: &Session, place: Place) -> bool {
    let time = &session.world.time;
    if !time.is_paused() || session.focus() != place.layer {
        return false;
    }
    let Some(run) = session.shown_run().filter(|run| time.cursor.step < run.steps()) else { return false };
    let view = run.step(time.cursor.step);
    view.key == place.key
        && (place.iteration.is_none() || view.iteration == place.iteration)
        && (place.within.is_none() || time.cursor.within == place.within_step(run, time.cursor.step))
}

fn is_chosen(session: &Session, choice: Choice) -> bool {
    let (stack, document) = (session.world.stack(), session.world.history.document());
    match choice {
        Choice::FabrikPass(on) => stack.full_body.solver.fabrik_pass == on,
        Choice::FootLock(on) => stack.grounding.lock.on == on,
        Choice::Clip(word) => {
            let clip = session.world.clip.clip().and_then(|clip| session.world.character.model.clips.get(clip));
            clip.is_some_and(|clip| clip.name.to_lowercase().contains(word))
        }
        Choice::HasLayers(has) => document.motion.layers.iter().any(|layer| !layer.off) == has,
    }
}

/// Returns the character's height relative to [`HEIGHT`]. It is 1 for lanes of the lab, whose chains have their own size.
fn scale(session: &Session, layer: LayerId) -> f32 {
    match layer {
        LayerId::Lane(_) => 1.0,
        _ => (session.world.character.height / HEIGHT).max(f32::MIN_POSITIVE),
    }
}

fn instant(session: &Session, run: &dyn Run, layer: LayerId, when: When) -> Option<Cursor> {
    match when {
        When::Cursor => {
            (session.focus() == layer && session.world.time.is_paused()).then_some(session.world.time.cursor)
        }
        When::Settled => Some(run.settled()),
        When::After(place) => place.cursor(session),
    }
}

fn measure(session: &Session, layer: LayerId, key: &str, when: When) -> Option<f32> {
    let run = session.world.solved.run(layer)?;
    let measures = run.measures();
    let index = measures.iter().position(|view| view.key == key)?;
    let value = run.measure(index, instant(session, run, layer, when)?);
    Some(match measures[index].unit {
        Unit::Length => value / scale(session, layer),
        Unit::Fraction | Unit::Excess | Unit::Number => value,
        Unit::Angle => value.to_degrees(),
    })
}

fn point_of(run: &dyn Run, key: &str) -> Option<usize> {
    run.points().iter().position(|point| point.key == key)
}

fn shift(session: &Session, layer: LayerId, key: &str, when: When) -> Option<Vec3> {
    let run = session.world.solved.run(layer)?;
    let point = point_of(run, key)?;
    let at = instant(session, run, layer, when)?;
    Some((run.place_of(point, at) - *run.start().get(point)?) / scale(session, layer))
}
