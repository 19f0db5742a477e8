//! The command line: what each command prints.

pub mod diff;
pub mod headless;
pub mod inspect;
pub mod table;
