//! Units of numeric settings.

use crate::key::named;

named! {
    /// The unit of a numeric setting.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Unit {
        /// Returns the symbol to show after a number and a space; empty for plain numbers.
        symbol: &'static str,
        /// Returns the noun for messages, as in `number of metres`.
        noun: &'static str,
    }
    /// All units.
    ALL {
        /// A plain number: a weight, a factor or a fraction.
        Share: "", "number";
        /// A whole number.
        Count: "", "whole number";
        /// Metres in the world, independent of the model's scale.
        Metres: "m", "number of metres";
        /// The model's own unit of length. The window shows it as m, cm, mm or units, judged by the character's height.
        ModelUnits: "units", "number of model units";
        /// A speed in the world, metres per second.
        MetresPerSecond: "m/s", "number of metres per second";
        /// An angle in degrees.
        Degrees: "°", "number of degrees";
        /// An angle in radians.
        Radians: "rad", "number of radians";
        /// A time in seconds.
        Seconds: "s", "number of seconds";
        /// A rate, 1/s.
        PerSecond: "/s", "number of times a second";
        /// A rate, 1/min.
        PerMinute: "/min", "number of times a minute";
    }
}

/// Returns the number of model units in a metre, judged by a character's height in model units: 1 from 0.4 to below 4,
/// 100 from 40 to below 400, 1000 from 400 to below 4000, so that the height is 0.4 to 4 metres. `None` for other
/// heights.
pub fn units_per_metre(height: f32) -> Option<f32> {
    [1.0, 100.0, 1000.0].into_iter().find(|metre| (0.4 * metre..4.0 * metre).contains(&height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_height_of_a_person_tells_the_unit() {
        for metre in [1.0, 100.0, 1000.0] {
            assert_eq!([0.5, 1.7, 3.9].map(|height| units_per_metre(height * metre)), [Some(metre); 3]);
        }
        assert_eq!([0.1, 17.0, 5000.0, f32::NAN].map(units_per_metre), [None; 4]);
    }
}
