//! What the numbers of settings are in.

/// What a number is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A weight, a factor, a part of something: the number itself.
    Share,
    /// How many: a whole number.
    Count,
    /// Of the world, whatever the model's scale.
    Metres,
    /// Lengths of the model, whatever its scale. The window takes one for a metre.
    ModelUnits,
    /// A speed in the world.
    MetresPerSecond,
    /// An angle, as the parameter itself counts it.
    Degrees,
    /// An angle; shown in degrees.
    Radians,
    /// A time.
    Seconds,
    /// A rate.
    PerSecond,
}

impl Unit {
    /// As it stands behind a number, after a space; empty for plain numbers.
    pub const fn symbol(self) -> &'static str {
        ["", "", "m", "m", "m/s", "°", "rad", "s", "/s"][self as usize]
    }

    /// What a number in it is: `number of metres`.
    pub const fn noun(self) -> &'static str {
        [
            "number",
            "whole number",
            "number of metres",
            "number of model units",
            "number of metres per second",
            "number of degrees",
            "number of radians",
            "number of seconds",
            "number of times a second",
        ][self as usize]
    }
}
