//! Every quality of the predictive grounder on the same input, for comparison.

use super::input::Input;
use super::output::Output;
use super::recording::{Solver, SolverState, solve};
use super::settings::{PredictiveSettings, Quality};
use crate::ground::Ground;
use crate::timing::{Clock, Laps, Work, smoothed};

/// One quality with its own state.
#[derive(Clone, Copy, Debug)]
pub struct QualityLane {
    /// The quality at which the grounder runs.
    pub quality: Quality,
    /// State after the last frame.
    pub state: SolverState,
    /// Output of the last frame.
    pub output: Output,
    /// Smoothed duration of a frame, microseconds. `None` without a clock and in the first frame, in which caches are
    /// cold.
    pub micros: Option<f32>,
}

/// Advances all qualities by one frame, in the order of [`Quality::ALL`]. `settings.quality` is ignored. If `lanes`
/// does not hold one lane per quality, as before the first frame, all start anew.
pub fn advance(
    lanes: &mut Vec<QualityLane>,
    settings: &PredictiveSettings,
    input: &Input,
    ground: &impl Ground,
    clock: Option<Clock>,
) {
    let continues = lanes.len() == Quality::ALL.len();
    let before = std::mem::take(lanes);
    lanes.extend(Quality::ALL.into_iter().enumerate().map(|(index, quality)| {
        let solver = Solver::Predictive(PredictiveSettings { quality, ..*settings });
        let before = before.get(index).filter(|_| continues);
        let mut state = before.map_or_else(|| SolverState::fresh(&solver), |lane| lane.state);
        let mut laps = Laps::new(clock);
        let output = solve(&solver, input, &mut state, ground);
        laps.end(Work::Grounding);
        let taken = clock.map(|_| laps.times[Work::Grounding]);
        let micros = before.zip(taken).map(|(lane, taken)| smoothed(taken, lane.micros.unwrap_or(taken)));
        QualityLane { quality, state, output, micros }
    }));
}
