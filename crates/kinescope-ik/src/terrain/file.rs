//! A terrain in a preset.

use serde_json::Value;

use super::field::Terrain;
use crate::error::Fault;
use crate::json::{read_part, to_value};

impl Terrain {
    /// Reads section `terrain` of a preset.
    ///
    /// # Errors
    /// [`Fault`] for a field that is unknown, of the wrong kind, or refused by [`Self::validate`].
    pub fn from_section(section: &Value) -> Result<Self, Fault> {
        let terrain: Self = read_part(section, "terrain")?;
        terrain.validate().map_err(|error| error.within("terrain"))?;
        Ok(terrain)
    }

    /// Returns section `terrain` of a preset; [`Self::from_section`] reads that of a valid terrain back bit for bit.
    pub fn to_section(&self) -> Value {
        to_value(self)
    }
}
