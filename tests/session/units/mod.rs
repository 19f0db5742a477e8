//! Tests of single functions and types of the program, in modules as in `src`.

mod character;
mod cli;
mod picture;
mod scenes;
mod session;
mod shell;
mod system;
mod tools;
mod ui;
mod world;
