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
        /// The model's own unit of length. The window shows it as a metre.
        ModelUnits: "m", "number of model units";
        /// A speed in the world, metres per second.
        MetresPerSecond: "m/s", "number of metres per second";
        /// An angle in degrees.
        Degrees: "°", "number of degrees";
        /// An angle in radians; panes show it in degrees.
        Radians: "rad", "number of radians";
        /// A time in seconds.
        Seconds: "s", "number of seconds";
        /// A rate, 1/s.
        PerSecond: "/s", "number of times a second";
    }
}
