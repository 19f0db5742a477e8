//! A game in C with a bug, attached to a real window on a virtual screen.

use std::process::Command;

use super::{built, compile, library, root, run};

#[path = "../../../tests/window.rs"]
mod real;

#[test]
fn a_window_finds_the_frame_the_stage_and_the_node_of_a_bug_in_c() {
    let Some(window) = real::Window::open(&built().join("config of the window")) else { return };
    let game = compile(&root().join("tests/c/bug.c"), "bug", &[], &library().join("libkinescope.a"));
    let printed = run(Command::new(game).arg(&window.address));
    assert!(printed.ends_with(" 0 dropped\n"), "{printed}");
    let found = window.wait(&[r#""differing":60,"#]);
    for text in [r#""stage":"iteration 0, trigonometric""#, r#""name":"a game with a bug, in C""#] {
        assert!(found.contains(text), "{found}");
    }
    // The key J goes to the first differing frame, and selects stage and node there.
    window.press("j");
    let at = r#""compared":{"node":"left_forearm","stage":"trigonometric"}"#;
    window.wait(&[at, r#""frame":60,"frames":120"#, r#""selected":"left_arm_chain""#]);
    window.picture();
}
