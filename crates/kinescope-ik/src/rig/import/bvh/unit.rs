//! The guess of the unit of the lengths in a file.

use super::parse::Bvh;
use crate::rig::import::notes::Notes;
use crate::rig::length_unit::LengthUnit;

/// The height of an adult in metres, between the averages of women and men.
const ADULT: f64 = 1.7;
/// The heights of people in metres, from a small child to a tall character.
const PLAUSIBLE: std::ops::Range<f64> = 0.9..2.6;

/// Returns the chosen unit, or else the most likely one; centimetres for a skeleton without height.
///
/// The unit is one in which the skeleton has the height of a person, or any unit if there is none. Of these, it is the one
/// in which the ratio of the height to that of an adult is nearest to 1. The ratio alone would read 103 units as inches,
/// because 2.62 m are nearer to an adult than 1.03 m; but a child is 1.03 m tall, and hardly a person 2.62 m.
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
    let is_person = |unit: &LengthUnit| PLAUSIBLE.contains(&(height * unit.metres()));
    let units = || LengthUnit::ALL.into_iter();
    let unit = match height > 0.0 {
        true => units().filter(is_person).min_by(nearest).or_else(|| units().min_by(nearest)),
        false => None,
    };
    let unit = unit.unwrap_or(LengthUnit::Centimetres);
    let (name, metres) = (unit.name(), height * unit.metres());
    notes.add(match PLAUSIBLE.contains(&metres) {
        true => format!("the skeleton measures {number}: read as {name} ({metres:.2} m)"),
        false => format!(
            "the skeleton measures {number}, which is not the height of a person in any unit: read as {name} ({} m); \
             choose another unit if that is wrong",
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
