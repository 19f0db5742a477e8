//! What the numbers of settings are in.

use crate::key::named;

named! {
    /// The unit of a number.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Unit {
        /// Returns the symbol that follows a number and a space; empty for plain numbers.
        symbol: &'static str,
        /// Returns the noun for messages: `number of metres`.
        noun: &'static str,
    }
    /// Every unit.
    ALL {
        /// A weight, a factor, a part of something: the number itself.
        Share: "", "number";
        /// How many: a whole number.
        Count: "", "whole number";
        /// Of the world, whatever the model's scale.
        Metres: "m", "number of metres";
        /// Lengths of the model, whatever its scale. The window takes one for a metre.
        ModelUnits: "m", "number of model units";
        /// A speed in the world.
        MetresPerSecond: "m/s", "number of metres per second";
        /// An angle, as the parameter itself counts it.
        Degrees: "°", "number of degrees";
        /// An angle; shown in degrees.
        Radians: "rad", "number of radians";
        /// A time.
        Seconds: "s", "number of seconds";
        /// A rate.
        PerSecond: "/s", "number of times a second";
    }
}
