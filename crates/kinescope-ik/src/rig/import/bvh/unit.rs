//! The guess of the unit of the lengths in a file.

use super::parse::Bvh;
use crate::rig::import::notes::Notes;
use crate::rig::length_unit::LengthUnit;

/// The height of an adult in metres, between the averages of women and men.
const ADULT: f64 = 1.7;
/// The heights of people in metres, from a small child to a tall character.
const PLAUSIBLE: std::ops::Range<f64> = 0.9..2.6;

/// Returns the chosen unit, or else the unit in which the ratio of the skeleton's height to that of an adult is nearest
/// to 1; centimetres for a skeleton without height.
pub(super) fn of_file(file: &Bvh, chosen: Option<LengthUnit>, notes: &mut Notes) -> LengthUnit {
    let height = height(file);
    let number = shortened(height);
    if let Some(unit) = chosen {
        let name = unit.name();
        notes.add(format!(
            "the skeleton measures {number}: read as {name}, as chosen ({:.2} m)",
            height * unit.metres()
        ));
        return unit;
    }
    let off = |unit: &LengthUnit| (height * unit.metres() / ADULT).ln().abs();
    let nearest = |a: &LengthUnit, b: &LengthUnit| off(a).total_cmp(&off(b));
    let unit = match height > 0.0 {
        true => LengthUnit::ALL.into_iter().min_by(nearest).unwrap_or(LengthUnit::Centimetres),
        false => LengthUnit::Centimetres,
    };
    let (name, metres) = (unit.name(), height * unit.metres());
    notes.add(match PLAUSIBLE.contains(&metres) {
        true => format!("the skeleton measures {number}: read as {name} ({metres:.2} m)"),
        false => format!(
            "the skeleton measures {number}, which is not the height of a person even in the nearest unit: read as \
             {name} ({} m); choose another unit if that is wrong",
            shortened(metres)
        ),
    });
    unit
}

/// Returns the number with one decimal, or with four below 10.
fn shortened(number: f64) -> String {
    if number.abs() < 10.0 { format!("{number:.4}") } else { format!("{number:.1}") }
}

/// Returns the height of the rest pose in the unit of the file, or its largest extent if the height is at most 0.4 of
/// that: in some files the rest pose lies down, or all bones lie along one horizontal axis.
fn height(file: &Bvh) -> f64 {
    let places = file.rest_positions();
    let extent = |axis: usize| {
        let values = || places.iter().map(|place| place[axis]);
        values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
    };
    if places.is_empty() {
        return 0.0;
    }
    let largest = (0..3).map(extent).fold(0.0, f64::max);
    if extent(1) > largest * 0.4 { extent(1) } else { largest }
}
