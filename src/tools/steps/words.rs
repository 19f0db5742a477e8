//! Texts of this tool, grouped by control.

use std::fmt::Display;

pub const KEEPS_GAME_FRAMES: &str = "The frames belong to the game. Open another character to drop them";
pub const NOT_LIVE: &str = "This is a recording without newer frames. Space plays it";
pub const NO_MARKER: &str = "There is no further marker. M sets one";
pub fn plot_title(name: &dyn Display, unit: &dyn Display) -> String {
    format!("{name}, {unit}")
}

pub const SHOW_PLOT_HELP: &str = "Shows or hides this plot.";
pub const OVER_STEPS: &str = "Over steps";
pub const OVER_STEPS_HELP: &str = "Plots every step of the frame shown.";
pub const OVER_FRAMES: &str = "Over frames";
pub const OVER_FRAMES_HELP: &str =
    "Plots every recorded frame: gaps of the written pose, other measures before the stage final effectors.";
pub const NOTHING_SOLVED: &str = "Nothing to plot: this frame has no solved steps.";
pub const NO_PLOT_CHOSEN: &str = "No plot is selected. Check one above.";
pub const ONE_FRAME: &str = "One frame is recorded: nothing to plot over frames yet.";
pub const ONE_STEP: &str = "One step: nothing to plot over steps. Choose over frames instead.";
pub fn iteration(iteration: &dyn Display) -> String {
    format!("Iteration {iteration}")
}
pub const PLOT_HELP: &str = "Seeks the step or frame under the pointer. Double-click shows the whole range.";
pub fn legend_help(names: &dyn Display) -> String {
    format!("{names}\nScroll for the rest.")
}

pub const SOLVE_HELP: &str = "Time to compute the frame with every step recorded.";
pub const WRITE_HELP: &str =
    "Time to write the full body to the bones, with swing and twist of the spine listed separately.";
pub const NOT_MEASURED: &str = "This frame was not measured";
pub const CROWD_HELP: &str =
    "The sum of all threads' times, and how long the frame waited for them. Both are averages over the last frames.";
pub const DRAW_HELP: &str = "Time to draw the frame.";
pub const FRAMES: &str = "Frames";
pub const TIMES_HELP: &str = "Shows the time of each recorded frame. Click a frame to inspect it.";

pub const NOT_SOLVABLE: &str = "Not solvable";
pub fn not_solvable_doctor(problem: &dyn Display) -> String {
    format!("{problem}. Press D for the rig doctor.")
}
pub const OFF: &str = "Off";
pub fn switched_off(layer: &dyn Display) -> String {
    format!("The {layer} is off and not solved. Switch it on to see its steps.")
}
pub const GROUNDING: &str = "Grounding";
pub const NO_TIME_PASSED: &str = "No time passed in this frame, so grounding did not run.";
pub const WEIGHT_ZERO: &str = "Weight 0";
pub const WEIGHT_ZERO_HELP: &str = "The weight is 0: the layer leaves its input unchanged.";

pub fn move_of(index: &dyn Display, count: &dyn Display) -> String {
    format!("Move {index} of {count}")
}
pub const NOTHING_MOVED: &str = "nothing moved";
pub const FORMULA: &str = "Formula";
pub const NO_FORMULA: &str = "This step has no formula.";
pub const NOTHING_MOVED_IN_STEP: &str = "Nothing moved in this step.";
pub const MOVE_HELP: &str = "Goes to the next move in this direction.";
pub const SYMBOLS: &str = "Meaning of the symbols";
pub fn numbers_of(step: &dyn Display) -> String {
    format!("Numbers of {step}")
}

pub const ATTRIBUTION: &str = "Attribution";
pub fn moved(whole: &dyn Display) -> String {
    format!("Moved {whole} in total")
}
pub const FOLLOW_SELECTION: &str = "Follow selection";
pub const DID_NOT_MOVE: &str = "This point did not move.";
pub const ONLY_LARGEST: &str = "Show only the largest";
pub fn all_rows(count: &dyn Display) -> String {
    format!("Show all {count} rows")
}
pub const ATTRIBUTION_HELP: &str = "Shows each row's share of the total displacement. The rows add up to the total exactly. Click a row to go to its largest move.";
pub fn row_help(name: &dyn Display, moves: &dyn Display, length: &dyn Display) -> String {
    format!(
        "{name}: {moves}, path length {length}. The path counts movement in all directions. The row counts only movement along the total displacement."
    )
}
pub const MOVE: &str = "Move";
pub const FRAME: &str = "Frame";
pub const PLAYBACK_RATE_HELP: &str = "Playback speed in stages per second.";
pub const STEP_GAP_HELP: &str =
    "The layer's main measure at the cursor; without one, the largest distance from a bone to its target.";
pub const STEP: &str = "Step";
pub const STEP_HELP: &str = "Position of the cursor in the solve.";
pub const NOTHING_RECORDED: &str = "Nothing recorded yet";
pub const STEPS: &str = "Steps";
pub fn moves_in_step(count: &dyn Display) -> String {
    format!("{count} in this step. Click a bar to inspect it")
}
pub const NOTHING_CHANGED: &str = "Nothing was changed while paused";
pub const DROPPED: &str = "Discarded the changes made while paused";
pub const PAUSE_FIRST: &str = "Pause and change a setting first. The recording is then solved again with that change";
pub fn solved_again(frames: &dyn Display) -> String {
    format!("Solved {frames} again")
}
pub const TIMES_OF_FRAMES: &str = "Times of frames";
pub const GAP_HELP: &str = "Distance from a bone in the picture to its target, for the effector furthest off target. The solver's node \
     may be closer, as bones keep their lengths.";
pub const FRAME_HELP: &str = "The recorded frame that is shown.";

pub const PLOTS_TITLE: &str = "Plots";
pub const PLOTS_WHAT: &str = "Plot error, strain and stretch over steps or frames.";
pub const PLOT_FRAME: &str = "Frame";
pub const PLOT_STEP: &str = "Step";
pub fn plot_value(name: &dyn Display, place: &dyn Display, x: &dyn Display, y: &dyn Display) -> String {
    format!("{name}\n{place} {x:.0}: {y:.2}")
}
pub fn other_curve(name: &dyn Display) -> String {
    format!("{name}, other")
}
pub fn name_legend(title: &dyn Display, curve: &dyn Display) -> String {
    format!("{title}: {curve}")
}

pub const PROFILER_TITLE: &str = "Profiler";
pub const PROFILER_WHAT: &str = "Show the time of frame, crowd and drawing.";
pub const SAMPLE: &str = "Sample";
pub const WORK_MODIFIERS: &str = "Modifiers";
pub const WORK_GROUNDING: &str = "Grounding";
pub const FULL_BODY: &str = "Full body";
pub const WORK_CHAINS: &str = "Chains";
pub const BLEND: &str = "Blend";
pub const WRITE: &str = "Write";
pub const SWING: &str = "Swing";
pub const TWIST: &str = "Twist";
pub const PANES: &str = "Panes";
pub const PICTURE: &str = "Picture";
pub const CROWD: &str = "Crowd";
pub const SCREEN: &str = "Screen";
pub fn frame_number(frame: &dyn Display) -> String {
    format!("Frame {frame}")
}
pub const WRITING: &str = "Writing";
pub const THREAD: &str = "thread";
pub const THREADS: &str = "threads";
pub fn crowd_total(total: &dyn Display, threads: &dyn Display, noun: &dyn Display, frame: &dyn Display) -> String {
    format!("{total}, {threads} {noun} in {frame}")
}
pub const DRAWING: &str = "Drawing";
pub fn mean_of(count: &dyn Display) -> String {
    format!("Mean of {count}")
}
pub fn work_time(label: &dyn Display, time: &dyn Display) -> String {
    format!("{label} {time}")
}
pub fn name_work(name: &dyn Display, text: &dyn Display) -> String {
    format!("{name}: {text}")
}
pub fn work_help(text: &dyn Display, share: &dyn Display, sentence: &dyn Display) -> String {
    format!("{text}, {share:.0} %\n{sentence}")
}

pub fn curve_text(input: &dyn Display, name: &dyn Display, in_force: &dyn Display) -> String {
    format!("x = {input}  →  {name} = {in_force}")
}
pub fn curve_help(x: &dyn Display, name: &dyn Display, y: &dyn Display, others: &dyn Display) -> String {
    format!("Input {x:.4}, output {name} = {y:.4}. The smoothing chooses one of {others}.")
}
pub fn selected_target(target: &dyn Display) -> String {
    format!("{target} (selected)")
}
pub fn bone_target(bone: &dyn Display) -> String {
    format!("Bone {bone}")
}
pub fn by_grouping(grouping: &dyn Display) -> String {
    format!("By {grouping}")
}

pub fn name_attribution(name: &dyn Display) -> String {
    format!("attribution {name}")
}

pub const TITLE: &str = "Timeline";
pub const WHAT: &str = "Show frames, steps and moves.";
pub const STAGES_PER_SECOND_SUFFIX: &str = " stages/s";
pub const RATE_SUFFIX: &str = " /s";
pub const BREAKS: &str = "Breaks ";
pub fn frame_at(frame: &dyn Display, time: &dyn Display) -> String {
    format!("{frame} at {time:.2} s")
}
pub fn frames_help(flags: &dyn Display) -> String {
    format!(
        "{flags}Shows the largest gap of each frame, from a written bone to its target. Drag to seek a frame, M marks it, [ and ] step by frames."
    )
}
pub fn in_iteration(iteration: &dyn Display) -> String {
    format!("Iteration {iteration}, ")
}
pub fn gap_at_step(gap: &dyn Display) -> String {
    format!("\nLargest gap if the bones were written at this step: {gap}.")
}
pub fn none_in_step(events: &dyn Display) -> String {
    format!("No {events} in this step")
}
pub fn move_help(number: &dyn Display, count: &dyn Display, text: &dyn Display) -> String {
    format!("{number} of {count}\n{text}")
}

pub const NAME_LOOP: &str = "loop";
pub fn name_breaks(breaks: &dyn Display) -> String {
    format!("breaks {breaks}")
}
pub fn name_step(index: &dyn Display, step: &dyn Display) -> String {
    format!("step {index} {step}")
}
pub fn name_move(index: &dyn Display) -> String {
    format!("move {index}")
}
pub const EDIT_DROP_WHAT_IF: &str = "discard the what-if";
pub fn frame_marker(number: &dyn Display) -> String {
    format!("frame {number}")
}
pub const MOVE_NOUN: &str = "move";
