//! The figures of the book's page on the arena.

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;

use super::lane::Row;

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
/// The range of distances, millimetres. Other distances are drawn at or next to the nearer end.
const DISTANCES: std::ops::Range<f64> = 1e-3..100.0;
/// The range of running times, microseconds.
const TIMES: std::ops::Range<f64> = 1.0..1e6;
/// Height of a solver's label in the figure of distances, pixels.
const LABEL: i32 = 13;
// The edges of the plot in the figure of distances, pixels. Labels are placed inside them.
const LEFT: i32 = 90;
const RIGHT: i32 = 950;
const BOTTOM: i32 = 572;

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
    let root = SVGBackend::new(path, (960, 640)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(16)
        // Half of the last label of the axis is to the right of the plot.
        .margin_right(40)
        .x_label_area_size(50)
        .y_label_area_size(70)
        .build_cartesian_2d(TIMES.log_scale(), DISTANCES.log_scale())?;
    chart
        .configure_mesh()
        .x_desc("median time of a solve")
        .y_desc("mean distance from the targets, mm")
        .label_style(("sans-serif", 17))
        .axis_desc_style(("sans-serif", 18))
        .x_label_formatter(&|&micros| time(micros))
        .y_label_formatter(&|distance| format!("{distance}"))
        .light_line_style(RGBColor(240, 240, 240))
        .draw()?;
    let points: Vec<(&Row, (i32, i32))> = rows
        .iter()
        .filter(|row| row.name != "animation")
        .filter_map(|row| {
            let distance = f64::from(row.mean * 1000.0).clamp(DISTANCES.start * 1.25, DISTANCES.end);
            Some((row, chart.backend_coord(&(row.taken?.median, distance))))
        })
        .collect();
    let mut taken: Vec<Area> = points.iter().map(|&(_, (x, y))| Area { x, y, width: 0, height: 0 }.grown(5)).collect();
    for &(row, (x, y)) in &points {
        root.draw(&Circle::new((x, y), 4, colour(&row.name).filled()))?;
        let own = Area { x, y: y - LABEL / 2, width: 7 * row.name.len() as i32, height: LABEL };
        let place = place_of(own, &taken);
        taken.push(place);
        // A label that is not beside its point has a line to it.
        if (place.y + LABEL / 2 - y).abs() > LABEL {
            let start = (place.x.clamp(x - 8, x + 8), if place.y > y { place.y } else { place.y + LABEL });
            root.draw(&PathElement::new([(x, y), start], colour(&row.name).mix(0.5)))?;
        }
        let style = ("sans-serif", 15).into_font().color(&colour(&row.name));
        root.draw(&Text::new(row.name.clone(), (place.x, place.y), style))?;
    }
    root.present()?;
    Ok(())
}

fn time(micros: f64) -> String {
    match micros {
        ..1e3 => format!("{micros} µs"),
        1e3..1e6 => format!("{} ms", micros / 1e3),
        _ => format!("{} s", micros / 1e6),
    }
}

#[derive(Clone, Copy)]
struct Area {
    x: i32,
    y: i32,
    width: i32,
    height: i32,
}

impl Area {
    fn grown(self, by: i32) -> Self {
        Self { x: self.x - by, y: self.y - by, width: self.width + 2 * by, height: self.height + 2 * by }
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }
}

/// Returns a place for a label that overlaps none of `taken`: on the right or the left of its point, or as near above
/// or below as possible. If there is none, the place on the right. `own` begins at the point.
fn place_of(own: Area, taken: &[Area]) -> Area {
    let places = (0..40).flat_map(|step| {
        let below = (step + 1) / 2 * 7 * if step % 2 == 0 { 1 } else { -1 };
        [10, -own.width - 10].map(|right| Area { x: own.x + right, y: own.y + below, ..own })
    });
    let is_free = |place: &Area| {
        let is_inside = place.x > LEFT && place.x + place.width < RIGHT && place.y > 16 && place.y + LABEL < BOTTOM;
        is_inside && !taken.iter().any(|other| other.overlaps(place))
    };
    let mut places = places.filter(is_free);
    places.next().unwrap_or(Area { x: own.x + 10, ..own })
}

/// Draws a bar for each solver in two panels.
fn quality(path: &Path, rows: &[Row]) -> Result<(), Box<dyn Error>> {
    /// Height of a row and of the heads, pixels.
    const ROW: i32 = 22;
    const TOP: i32 = 48;
    /// Left end of the bars and width of the longest, pixels.
    const PANELS: [(i32, i32); 2] = [(340, 230), (650, 230)];
    let height = TOP + ROW * rows.len() as i32 + 16;
    let root = SVGBackend::new(path, (960, height.unsigned_abs())).into_drawing_area();
    root.fill(&WHITE)?;
    let heads = ["largest limit violation, degrees", "jerk of played clips, mm per frame²"];
    let values = |row: &Row| [row.violation, row.jerk * 1000.0];
    let finite = |value: f32| if value.is_finite() { value } else { 0.0 };
    for (panel, (left, width)) in PANELS.into_iter().enumerate() {
        let head = ("sans-serif", 18).into_font();
        root.draw(&Text::new(heads[panel], (left, 14), head))?;
        let most = rows.iter().map(|row| finite(values(row)[panel])).fold(1e-6, f32::max);
        for (number, row) in rows.iter().enumerate() {
            let (top, value) = (TOP + ROW * number as i32, values(row)[panel]);
            let right = left + (finite(value) / most * width as f32) as i32;
            root.draw(&Rectangle::new([(left, top), (right.max(left + 1), top + 14)], colour(&row.name).filled()))?;
            let font = ("sans-serif", 16).into_font();
            root.draw(&Text::new(format!("{value:.1}"), (right + 6, top), font))?;
        }
    }
    for (number, row) in rows.iter().enumerate() {
        let font = ("sans-serif", 16).into_font();
        root.draw(&Text::new(row.name.clone(), (16, TOP + ROW * number as i32), font))?;
    }
    root.present()?;
    Ok(())
}
