//! The figures of the book's page on the arena.

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;

use super::Row;

/// The solvers, by the beginning of their names. All variants of a solver have its colour.
const SOLVERS: [(&str, RGBColor); 9] = [
    ("full body", RGBColor(38, 110, 214)),
    ("least squares", RGBColor(16, 140, 90)),
    ("position based", RGBColor(120, 80, 200)),
    ("momentum", RGBColor(214, 110, 38)),
    ("mink", RGBColor(190, 40, 60)),
    ("pink", RGBColor(220, 100, 160)),
    ("placo", RGBColor(150, 130, 20)),
    ("closed-chain-ik", RGBColor(22, 160, 190)),
    ("ikpy", RGBColor(120, 120, 128)),
];
const OTHER: RGBColor = RGBColor(80, 80, 86);
/// The range of distances, millimetres. Other distances are drawn at the nearer end.
const DISTANCES: std::ops::Range<f64> = 1e-3..300.0;

fn colour(name: &str) -> RGBColor {
    SOLVERS.iter().find(|(solver, _)| name.starts_with(solver)).map_or(OTHER, |(_, colour)| *colour)
}

/// Draws `arena.svg`, distance over running time, and `arena-quality.svg`, limit violations and jerk.
pub fn draw(folder: &Path, rows: &[Row]) -> Result<(), Box<dyn Error>> {
    distances(&folder.join("arena.svg"), rows)?;
    quality(&folder.join("arena-quality.svg"), rows)?;
    println!("\ndrawn: arena.svg and arena-quality.svg in {}", folder.display());
    Ok(())
}

fn distances(path: &Path, rows: &[Row]) -> Result<(), Box<dyn Error>> {
    let root = SVGBackend::new(path, (960, 600)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d((1f64..1e6).log_scale(), DISTANCES.log_scale())?;
    chart
        .configure_mesh()
        .x_desc("microseconds a solve, median")
        .y_desc("mean distance from the targets, mm")
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .x_label_formatter(&|micros| format!("{micros}"))
        .y_label_formatter(&|distance| format!("{distance}"))
        .light_line_style(RGBColor(240, 240, 240))
        .draw()?;
    // A label that would cover an earlier one is moved down.
    let mut labels: Vec<(i32, i32)> = Vec::new();
    for row in rows.iter().filter(|row| row.name != "animation" && row.taken.median.is_finite()) {
        let distance = f64::from(row.mean * 1000.0).clamp(DISTANCES.start, DISTANCES.end);
        let at = (row.taken.median, distance);
        chart.draw_series([Circle::new(at, 4, colour(&row.name).filled())])?;
        let (x, mut y) = chart.backend_coord(&at);
        let is_covered = |y: i32| labels.iter().any(|label| (label.1 - y).abs() < 13 && (label.0 - x).abs() < 190);
        while is_covered(y) {
            y += 13;
        }
        labels.push((x, y));
        let style = ("sans-serif", 12).into_font().color(&colour(&row.name));
        root.draw(&Text::new(row.name.clone(), (x + 8, y - 6), style))?;
    }
    root.present()?;
    Ok(())
}

fn quality(path: &Path, rows: &[Row]) -> Result<(), Box<dyn Error>> {
    /// Height of a row and of the heads, pixels.
    const ROW: i32 = 20;
    const TOP: i32 = 44;
    /// Left end of the bars and width of the longest, pixels.
    const PANELS: [(i32, i32); 2] = [(270, 250), (620, 250)];
    let height = TOP + ROW * rows.len() as i32 + 16;
    let root = SVGBackend::new(path, (960, height.unsigned_abs())).into_drawing_area();
    root.fill(&WHITE)?;
    let heads = ["largest limit violation, degrees", "jerk of played clips, mm a frame²"];
    let values = |row: &Row| [row.violation, row.jerk * 1000.0];
    let finite = |value: f32| if value.is_finite() { value } else { 0.0 };
    for (panel, (left, width)) in PANELS.into_iter().enumerate() {
        let head = ("sans-serif", 14).into_font();
        root.draw(&Text::new(heads[panel], (left, 14), head))?;
        let most = rows.iter().map(|row| finite(values(row)[panel])).fold(1e-6, f32::max);
        for (number, row) in rows.iter().enumerate() {
            let (top, value) = (TOP + ROW * number as i32, values(row)[panel]);
            let right = left + (finite(value) / most * (width - 60) as f32) as i32;
            root.draw(&Rectangle::new([(left, top), (right.max(left + 1), top + 13)], colour(&row.name).filled()))?;
            let font = ("sans-serif", 12).into_font();
            root.draw(&Text::new(format!("{value:.2}"), (right + 6, top), font))?;
        }
    }
    for (number, row) in rows.iter().enumerate() {
        let font = ("sans-serif", 13).into_font();
        root.draw(&Text::new(row.name.clone(), (16, TOP + ROW * number as i32 - 1), font))?;
    }
    root.present()?;
    Ok(())
}
