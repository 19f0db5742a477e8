//! The map that the sweep pane draws, and whether the result is in view.

use std::time::{Duration, Instant};

use egui_kittest::Harness;
use egui_macroquad::egui::{Color32, Event, Modifiers, MouseWheelUnit, Shape, Vec2, pos2};
use kinescope_ik::debugger::sweep::{Axis, SweepResult};
use kinescope_ik::stack::MeasureId;
use kinescope_ik::stack::parameters::ParameterId;

use crate::harness::{Drawn, Window, run, texts, window};
use kinescope::scenes::Scene;
use kinescope::session::Action;
use kinescope::session::commands::Command;
use kinescope::tools::sweep::session::SweepAction;

const COLUMNS: usize = 9;
const ROWS: usize = 7;

/// Returns a window whose sweep pane shows a sweep of two parameters, with the results of `value` for each cell, in
/// metres.
fn swept(value: impl Fn(usize) -> f32) -> Harness<'static, Window> {
    let mut harness = window(Vec2::new(1440.0, 900.0));
    run(&mut harness, Command::ShowSweep);
    let axis = |path: &str, count| Axis::whole_range(ParameterId::from_path(path).unwrap(), count);
    let result = SweepResult {
        x: axis("chains.left_arm.pull", COLUMNS),
        y: Some(axis("chains.right_arm.pull", ROWS)),
        measure: MeasureId::Gap("left_hand".to_owned()).into(),
        values: (0..COLUMNS * ROWS).map(value).collect(),
        solves: COLUMNS * ROWS,
    };
    harness.state_mut().session.tools.debugger.sweep.result = Some((result, Vec::new()));
    harness.run();
    harness
}

fn colors(harness: &Harness<Window>) -> Vec<Color32> {
    let cells = harness.output().shapes.iter().find_map(|clipped| match &clipped.shape {
        Shape::Mesh(mesh) if mesh.vertices.len() == 4 * COLUMNS * ROWS => Some(mesh.clone()),
        _ => None,
    });
    let mut colors: Vec<Color32> = cells.expect("a map").vertices.iter().map(|vertex| vertex.color).collect();
    colors.sort_by_key(Color32::to_array);
    colors.dedup();
    colors
}

#[test]
fn a_sweep_without_a_difference_has_one_color_and_a_message() {
    let has_message = |harness: &Harness<Window>| texts(harness).into_iter().any(|drawn| drawn.text == "no difference");
    // These values differ only by rounding.
    let noise = swept(|cell| 1e-7 * (cell % 5) as f32);
    assert_eq!(colors(&noise).len(), 1);
    assert!(has_message(&noise));
    assert!(!texts(&noise).iter().any(|drawn| drawn.text.starts_with("least ")), "equal values have no minimum");

    let real = swept(|cell| 1e-3 * cell as f32);
    assert!(colors(&real).len() > 30);
    assert!(!has_message(&real));
    assert!(texts(&real).iter().any(|drawn| drawn.text.starts_with("least ")));
}

/// In a low window the inputs of a sweep fill the pane, and the result used to be out of view below them.
#[test]
fn a_finished_sweep_is_in_view_at_every_size() {
    for size in [Vec2::new(1440.0, 900.0), Vec2::new(1024.0, 640.0), Vec2::new(960.0, 600.0)] {
        for y in [None, ParameterId::from_path("chains.right_arm.pull")] {
            let mut harness = window(size);
            harness.state_mut().session.start_scene(Scene::find("two hands at odds").unwrap());
            harness.state_mut().session.update(1.0 / 60.0);
            run(&mut harness, Command::ShowSweep);
            let view = &harness.state().session.tools.debugger.sweep;
            let (x, measure) = (view.x, view.measure.clone());
            harness.state_mut().session.apply(Action::Sweep(SweepAction::Choose { x, y, measure, whole_tape: false }));
            harness.run();
            harness.state_mut().session.apply(Action::Command(Command::Sweep));
            let deadline = Instant::now() + Duration::from_secs(600);
            while harness.state().session.tools.debugger.sweep.job.is_some() {
                assert!(Instant::now() < deadline, "the sweep has not ended");
                std::thread::sleep(Duration::from_millis(5));
                harness.step();
            }
            harness.run();
            let drawn = texts(&harness);
            let (title, x_axis) = (seen(&drawn, "over the range"), seen(&drawn, "x: "));
            assert!(title && x_axis, "{size}, map: {}: title {title}, axis {x_axis}", y.is_some());
            // If the user scrolls afterwards, the pane does not scroll back.
            let at = harness.state().picture.right() + 60.0;
            harness.input_mut().events.push(Event::PointerMoved(pos2(at, 200.0)));
            let (unit, delta) = (MouseWheelUnit::Point, Vec2::new(0.0, 400.0));
            harness.input_mut().events.push(Event::MouseWheel { unit, delta, modifiers: Modifiers::NONE });
            harness.run();
            assert!(seen(&texts(&harness), "Along x"), "{size}: the question is back");
        }
    }
}

/// Returns whether the pane shows a text that contains `part` over the text's whole height.
fn seen(drawn: &[Drawn], part: &str) -> bool {
    drawn.iter().any(|own| {
        own.text.contains(part)
            && own.clip.y_range().contains(own.rect.top() + 2.0)
            && own.clip.bottom() > own.rect.bottom() - 3.0
    })
}
