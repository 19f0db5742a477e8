//! A pane that shows that a pane is one folder and one row.

pub mod pane;
