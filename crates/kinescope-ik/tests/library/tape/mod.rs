//! The tape of recorded frames, and what is found on it.

mod breaks;
mod slide;

use std::sync::Arc;

use kinescope_ik::debugger::tape::{LEAST_BUDGET, Marker, Tape};
use kinescope_ik::stack::{Frame, Stack};

fn frame(pin: f32) -> Frame {
    let mut frame = Frame::empty();
    let mut stack = Stack::default();
    stack.full_body.pin = pin;
    frame.input.stack = Arc::new(stack);
    frame
}

#[test]
fn the_budget_drops_the_oldest_and_their_markers() {
    let mut tape = Tape::default();
    tape.set_budget(0);
    assert_eq!(tape.budget(), LEAST_BUDGET);
    for index in 0..4000 {
        tape.record(1.0 / 60.0, &frame(index as f32 / 4000.0), 0.0, None);
        if index == 0 {
            tape.mark(Marker { number: 0, text: "start".into(), is_warning: false });
        }
        assert!(tape.bytes() <= LEAST_BUDGET);
    }
    let [first, last] = tape.range().unwrap();
    assert_eq!(last, 3999);
    assert!(first > 0 && tape.len() as u64 == last - first + 1);
    assert!(tape.markers.is_empty());
    assert!(tape.get(first - 1).is_none());
    assert_eq!(tape.get(first + 3).unwrap().number, first + 3);
    // A copy of all frames adds up their sizes anew.
    assert_eq!(tape.newest(tape.len()).bytes(), tape.bytes());
}

#[test]
fn no_time_replaces_the_last_frame() {
    let mut tape = Tape::default();
    tape.record(0.0, &frame(0.0), 1.0, None);
    tape.record(0.01, &frame(0.0), 1.0, None);
    tape.record(0.0, &frame(0.0), 2.0, None);
    assert_eq!(tape.len(), 2);
    assert_eq!(tape.last().unwrap().gap, Some(2.0));
    assert_eq!(tape.last().unwrap().number, 1);
    tape.record(3600.0, &frame(0.0), 0.0, None);
    assert!(tape.last().unwrap().time < 1.0);
    assert_eq!(tape.at_time(0.005).unwrap().number, 0);
    assert_eq!(tape.at_time(-1.0).unwrap().number, 0);
    assert_eq!(tape.at_time(9.0).unwrap().number, 2);
    assert!(Arc::ptr_eq(&tape.get(0).unwrap().input.stack, &tape.get(2).unwrap().input.stack));
}
