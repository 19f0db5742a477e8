//! Tests of the program, its files and its documentation that need no window.

#[path = "../common/mod.rs"]
mod common;

mod algorithm;
mod attach;
mod bake;
mod bodies;
mod body_lab;
#[cfg(target_os = "linux")]
mod book;
mod book_pages;
mod bvh;
mod camera;
mod chains;
mod command_line;
mod crowd;
mod curve_editor;
mod debugging;
mod experiments;
mod feet;
mod framing;
mod game_characters;
mod game_solves;
mod games;
mod gltf_valid;
mod goal_solvers;
mod ground_input;
mod harness;
#[cfg(unix)]
mod hostile_files;
mod labels;
mod layers;
mod layout;
mod learn;
mod menus;
mod modifiers;
mod motion;
mod opening;
mod outside;
mod panels;
mod posing;
mod presets;
mod retarget;
mod scenes;
mod session;
#[cfg(target_os = "linux")]
mod setup;
mod share;
mod steady;
mod structure;
mod sweep;
mod tasks;
mod trackers;
mod units;
mod web_example;
mod words;
