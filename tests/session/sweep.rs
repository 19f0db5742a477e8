//! The map that the sweep pane draws.

use egui_kittest::Harness;
use egui_macroquad::egui::{Color32, Shape, Vec2};
use kinescope_ik::debugger::sweep::{Axis, SweepResult};
use kinescope_ik::stack::MeasureId;
use kinescope_ik::stack::parameters::ParameterId;

use crate::harness::{Window, run, texts, window};
use kinescope::session::commands::Command;

const COLUMNS: usize = 9;
const ROWS: usize = 7;

/// Returns the pane after a sweep of two parameters with the measured values of `value`, in metres.
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

/// Returns the distinct colours of the map's cells.
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
    // Differences of rounding.
    let noise = swept(|cell| 1e-7 * (cell % 5) as f32);
    assert_eq!(colors(&noise).len(), 1);
    assert!(has_message(&noise));
    assert!(!texts(&noise).iter().any(|drawn| drawn.text.starts_with("least ")), "equal values have no minimum");

    let real = swept(|cell| 1e-3 * cell as f32);
    assert!(colors(&real).len() > 30);
    assert!(!has_message(&real));
    assert!(texts(&real).iter().any(|drawn| drawn.text.starts_with("least ")));
}
