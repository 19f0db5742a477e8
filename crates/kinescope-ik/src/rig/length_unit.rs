//! The unit of lengths, for files whose format does not state it.

use crate::key::named;

named! {
    /// The unit of the lengths in a file. BVH files do not state theirs.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum LengthUnit {
        /// Returns the key, as on the command line.
        key,
        /// Returns the name as used in sentences.
        name: &'static str,
        /// Returns the length of the unit in metres.
        metres: f64,
    }
    /// All units.
    ALL {
        /// Centimetres.
        Centimetres: "centimetres", 0.01;
        /// Metres.
        Metres: "metres", 1.0;
        /// Millimetres.
        Millimetres: "millimetres", 0.001;
        /// Inches.
        Inches: "inches", 0.0254;
        /// The unit of the motion capture library of Carnegie Mellon University, 1/0.45 inches.
        Cmu: "CMU units (5.64 cm)", 0.0254 / 0.45;
    }
}

impl LengthUnit {
    /// Returns the unit with this key; `None` for an unknown key.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.key() == key)
    }
}
