use std::fmt::Display;

pub(crate) const KEEPS_GAME_FRAMES: &str =
    "Frames of a game cannot be forgotten while the game is shown. Open another character to leave the game";
pub(crate) const NOT_LIVE: &str = "This is a recording without newer frames. Space plays it";
pub(crate) const NO_MARKER: &str = "There is no further marker. M sets one";
pub(crate) fn plot_title(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name}, {unit}") }
}

pub(crate) const SHOW_PLOT_HELP: &str = "Shows or hides this plot.";
pub(crate) const OVER_STEPS: &str = "Over steps";
pub(crate) const OVER_STEPS_HELP: &str = "Plots the steps of the frame shown.";
pub(crate) const OVER_FRAMES: &str = "Over frames";
pub(crate) const OVER_FRAMES_HELP: &str = "Plots up to 900 of the recorded frames. Gaps are those of the written pose. Measures of the full body are taken before its stage «final effectors».";
pub(crate) const NOTHING_SOLVED: &str = "Nothing to plot: the layer shown has no measures in this frame.";
pub(crate) const NO_PLOT_CHOSEN: &str = "No plot is selected. Check one above.";
pub(crate) const ONE_FRAME: &str = "Fewer than two frames are recorded: nothing to plot over frames yet.";
pub(crate) const ONE_STEP: &str = "Fewer than two steps: nothing to plot over steps. Choose over frames instead.";
pub(crate) fn iteration(iteration: &dyn Display) -> String {
    format!("Iteration {iteration}")
}
pub(crate) const PLOT_HELP: &str = "Seeks the step or frame under the pointer. Double-click shows the whole range.";
pub(crate) fn legend_help(names: &dyn Display) -> String {
    format!("{names}\nScroll for the rest.")
}

pub(crate) const SOLVE_HELP: &str = "Time to compute the frame, including the recording of every step. While live, the mean of up to 30 of the newest frames.";
pub(crate) const WRITE_HELP: &str =
    "Time to write the full body to the bones, with swing and twist of the spine listed separately.";
pub(crate) const NOT_MEASURED: &str = "This frame was not measured";
pub(crate) const CROWD_HELP: &str =
    "The sum of all threads' times, and how long the frame waited for them. Both are averages over the last frames.";
pub(crate) const DRAW_HELP: &str =
    "Time to draw the frame, including the wait for the display. While live, an average over the last frames.";
pub(crate) const FRAMES: &str = "Frames";
pub(crate) const TIMES_HELP: &str = "Shows the times of the recorded frames. Click a frame to inspect it.";

pub(crate) const NOT_SOLVABLE: &str = "Not solvable";
pub(crate) fn not_solvable_doctor(problem: &dyn Display) -> String {
    format!("{problem}. Press D to correct the roles in the rig doctor.")
}
pub(crate) const OFF: &str = "Off";
pub(crate) fn switched_off(layer: &dyn Display) -> String {
    format!("The layer «{layer}» is off, or a layer that it needs is off. Switch on both to see steps.")
}
pub(crate) const GROUNDING: &str = "Grounding";
pub(crate) const NOT_GROUNDED: &str =
    "Grounding did not run in this frame: no time passed, a rule switches it off, or ground or legs are missing.";
pub(crate) const NOTHING_TO_DO: &str = "Nothing to do";
pub(crate) const NOTHING_TO_DO_HELP: &str = "The layer leaves its input unchanged: its weight is 0, or in this frame it \
     lacks a target, a clip, ground, legs, or the result of another layer or solver.";

pub(crate) fn move_of(index: &dyn Display, count: &dyn Display) -> String {
    format!("Move {index} of {count}")
}
pub(crate) const NOTHING_MOVED: &str = "Nothing moved";
pub(crate) const FORMULA: &str = "Formula";
pub(crate) const NO_FORMULA: &str = "This step has no formula.";
pub(crate) const NOTHING_MOVED_IN_STEP: &str = "Nothing moved in this step.";
pub(crate) const MOVE_HELP: &str = "Goes to the previous (left arrow) or next (right arrow) move of this step.";
pub(crate) const SYMBOLS: &str = "Meaning of the symbols";
pub(crate) fn values_of(step: &dyn Display) -> String {
    format!("Values of {step}")
}

pub(crate) const ATTRIBUTION: &str = "Attribution";
pub(crate) fn moved(whole: &dyn Display) -> String {
    format!("Moved {whole} in total")
}
pub(crate) const FOLLOW_SELECTION: &str = "Follow selection";
pub(crate) const DID_NOT_MOVE: &str = "No step moved this point or bone.";
pub(crate) const ONLY_LARGEST: &str = "Show only the largest";
pub(crate) fn all_rows(count: &dyn Display) -> String {
    format!("Show all {count} rows")
}
pub(crate) const ATTRIBUTION_HELP: &str = "Each row shows the displacement by its moves, along the total displacement. All rows add up to the total. Click a row to show its largest move.";
pub(crate) fn row_help(name: &dyn Display, moves: &dyn Display, length: &dyn Display) -> String {
    format!("{name}: {moves}, displacement {length} in all. The row shows the part along the total displacement.")
}
pub(crate) const MOVE: &str = "Move";
pub(crate) const FRAME: &str = "Frame";
pub(crate) const PLAYBACK_RATE_HELP: &str = "Sets how many stages «Play stages» shows per second.";
pub(crate) const STEP_GAP_HELP: &str =
    "The layer's main measure at the cursor; without one, the largest distance from a bone to its target.";
pub(crate) const STEP: &str = "Step";
pub(crate) const STEP_HELP: &str = "Position of the cursor in the solve.";
pub(crate) const NOTHING_RECORDED: &str = "Nothing recorded yet";
pub(crate) const STEPS: &str = "Steps";
pub(crate) fn moves_in_step(count: &dyn Display) -> String {
    format!("{count} in this step. Click a bar to inspect it")
}
pub(crate) const NOTHING_CHANGED: &str = "Nothing was changed while paused";
pub(crate) const DROPPED: &str = "Discarded the changes made while paused";
pub(crate) const PAUSE_FIRST: &str =
    "Pause and change a setting first. The recording is then solved again with that change";
pub(crate) fn solved_again(frames: &dyn Display) -> String {
    format!("Solved {frames} again")
}
pub(crate) const TIMES_OF_FRAMES: &str = "Times of frames";
pub(crate) const GAP_HELP: &str = "Largest distance in the picture from a bone to its target. The solver's node may be \
     closer to the target, as bones keep their lengths.";
pub(crate) const FRAME_HELP: &str = "The recorded frame that is shown.";

pub(crate) const PLOTS_TITLE: &str = "Plots";
pub(crate) const PLOTS_WHAT: &str = "Plot measures such as errors, strain and stretch over steps or frames.";
pub(crate) const PLOT_FRAME: &str = "Frame";
pub(crate) const PLOT_STEP: &str = "Step";
pub(crate) fn plot_value(name: &dyn Display, place: &dyn Display, x: &dyn Display, y: &dyn Display) -> String {
    format!("{name}\n{place} {x:.0}: {y}")
}
pub(crate) fn other_curve(name: &dyn Display) -> String {
    format!("{name}, second result")
}
pub(crate) fn name_legend(title: &dyn Display, curve: &dyn Display) -> String {
    format!("{title}: {curve}")
}

pub(crate) const PROFILER_TITLE: &str = "Profiler";
pub(crate) const PROFILER_WHAT: &str = "Show the time of frame, crowd and drawing.";
pub(crate) const SAMPLE: &str = "Sample";
pub(crate) const WORK_MODIFIERS: &str = "Modifiers";
pub(crate) const WORK_GROUNDING: &str = "Grounding";
pub(crate) const FULL_BODY: &str = "Full body";
pub(crate) const WORK_CHAINS: &str = "Chains";
pub(crate) const BLEND: &str = "Blend";
pub(crate) const WRITE: &str = "Write";
pub(crate) const SWING: &str = "Swing";
pub(crate) const TWIST: &str = "Twist";
pub(crate) const PANES: &str = "Panes";
pub(crate) const PICTURE: &str = "Picture";
pub(crate) const CROWD: &str = "Crowd";
pub(crate) const SCREEN: &str = "Screen";
pub(crate) fn frame_number(frame: &dyn Display) -> String {
    format!("Frame {frame}")
}
pub(crate) const WRITING: &str = "Writing";
pub(crate) const THREAD: &str = "thread";
pub(crate) const THREADS: &str = "threads";
pub(crate) fn crowd_total(
    total: &dyn Display,
    threads: &dyn Display,
    noun: &dyn Display,
    frame: &dyn Display,
) -> String {
    format!("{total}, {threads} {noun} in {frame}")
}
pub(crate) const DRAWING: &str = "Drawing";
pub(crate) const MEAN_FRAME: &str = "Mean frame";
pub(crate) fn work_time(label: &dyn Display, time: &dyn Display) -> String {
    format!("{label} {time}")
}
pub(crate) fn name_work(name: &dyn Display, text: &dyn Display) -> String {
    format!("{name}: {text}")
}
pub(crate) fn work_help(text: &dyn Display, share: &dyn Display, sentence: &dyn Display) -> String {
    format!("{text}, {share:.0} % of this bar\n{sentence}")
}

pub(crate) fn curve_text(input: &dyn Display, name: &dyn Display, in_force: &dyn Display) -> String {
    format!("x = {input}  →  {name} = {in_force}")
}
pub(crate) fn curve_help(x: &dyn Display, name: &dyn Display, y: &dyn Display, others: &dyn Display) -> String {
    format!("Input {x:.4}, output {name} = {y:.4}. The smoothing chooses one of these curves: {others}.")
}
pub(crate) fn selected_target(target: &dyn Display) -> String {
    format!("{target} (auto)")
}
pub(crate) fn bone_target(bone: &dyn Display) -> String {
    format!("Bone {bone}")
}
pub(crate) fn by_grouping(grouping: &dyn Display) -> String {
    format!("By {grouping}")
}

pub(crate) fn name_attribution(name: &dyn Display) -> String {
    format!("attribution {name}")
}

pub(crate) const TITLE: &str = "Timeline";
pub(crate) const WHAT: &str = "Show frames, steps and moves.";
pub(crate) const STAGES_PER_SECOND_SUFFIX: &str = " stages/s";
pub(crate) const RATE_SUFFIX: &str = " /s";
pub(crate) const BREAKS: &str = "Breaks ";
pub(crate) fn frame_at(frame: &dyn Display, time: &dyn Display) -> String {
    format!("{frame} at {time:.2} s")
}
pub(crate) fn frames_help(flags: &dyn Display) -> String {
    format!(
        "{flags}Shows the main measure of the layer that was selected when the frame was recorded; for the full body, the largest distance from a bone to its target. Drag to seek a frame, M marks it, [ and ] step by frames."
    )
}
pub(crate) fn in_iteration(iteration: &dyn Display) -> String {
    format!("Iteration {iteration}, ")
}
pub(crate) fn gap_at_step(gap: &dyn Display) -> String {
    format!("\nLargest gap if the bones were written at this step: {gap}.")
}
pub(crate) fn none_in_step(events: &dyn Display) -> String {
    format!("No {events} in this step")
}
pub(crate) fn move_help(number: &dyn Display, count: &dyn Display, text: &dyn Display) -> String {
    format!("{number} of {count}\n{text}")
}

pub(crate) const NAME_LOOP: &str = "loop";
pub(crate) fn name_breaks(breaks: &dyn Display) -> String {
    format!("breaks {breaks}")
}
pub(crate) fn name_step(index: &dyn Display, step: &dyn Display) -> String {
    format!("step {index} {step}")
}
pub(crate) fn name_move(index: &dyn Display) -> String {
    format!("move {index}")
}
pub(crate) const EDIT_DROP_WHAT_IF: &str = "discard the what-if";
pub(crate) fn frame_marker(number: &dyn Display) -> String {
    format!("frame {number}")
}
pub(crate) const MOVE_NOUN: &str = "move";
