//! Ground to walk on: a height field with moving platforms, as plain data (feature `terrain`).
//!
//! ```json
//! { "center": [0, 4], "size": [6, 12], "columns": 3, "rows": 2,
//!   "heights": [0, 0, 0, 0.5, 0.5, 0.5],
//!   "platforms": [ { "half_extents": [0.5, 0.1, 0.5], "from": [0, 0.3, 2], "to": [0, 0.3, 6],
//!                    "period": 8, "pause": 1 } ] }
//! ```
//!
//! World space, metres, +Y up. Solvers cast against a [`Surface`]: the terrain at one time.

mod closest;
mod field;
#[cfg(feature = "json")]
mod file;
mod presets;
mod sculpt;
mod surface;
mod sweep;

pub use field::{FARTHEST, HIGHEST, MOST_PLATFORMS, MOST_POINTS, Mesh, Platform, SIDE, Terrain};
pub use presets::NamedTerrain;
pub use sculpt::HeightChange;
pub use surface::Surface;
