//! Formulas whose text is generated from the computation itself, so the two always agree.
//!
//! A [`Term`] is built with operators and functions. Each operation computes the value and writes the text with symbols
//! and the text with numbers. A [`Sheet`] collects the lines of a formula and the meanings of its symbols.
//!
//! ```
//! use glam::Vec3;
//! use kinescope_ik::notation::{Point, Sheet, length, square};
//!
//! let mut sheet = Sheet::default();
//! let p1 = sheet.given("p₁", Point(Vec3::ZERO), "Shoulder, in model units.");
//! let p3 = sheet.given("p₃", Point(Vec3::new(0.0, 0.4, 0.0)), "Hand, in model units.");
//! let distance = sheet.given("distance", 0.5, "From shoulder to hand as animated, in model units.");
//! let v = sheet.define("v", p3 - p1, "From the shoulder to the hand, in model units.");
//! let f = sheet.define("f", square(1.0 - length(v) / distance), "How much the arm is compressed.");
//! let sheet = sheet.end_shifted("push", p1, -v * f);
//! assert_eq!(sheet.lines[1].symbolic, "f = (1 − |v| / distance)²");
//! assert_eq!(sheet.lines[1].numeric, "= (1 − 0.4000 / 0.5000)² = 0.0400");
//! assert_eq!(sheet.lines[2].symbolic, "p₁ += −v · f");
//! ```

mod functions;
mod sheet;
mod term;
mod value;

pub use functions::*;
pub use sheet::{Course, Curve, Line, Shaping, Sheet, Symbol, names_in};
pub use term::{Expression, Named, Term};
pub use value::{Degrees, Point, Quantity, Value};
