//! What a debugger of the solver knows beyond the solve: no window, no files.

pub mod formula;
