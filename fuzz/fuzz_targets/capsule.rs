//! A capsule that can be read is written so that it reads back equal. After its first four frames are solved anew, its
//! check finds no difference.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none capsule fuzz/corpus/capsule fuzz/seeds/capsule -- -dict=fuzz/json.dict`
#![no_main]

use std::sync::Arc;

use kinescope_ik::capsule::{Capsule, CapsuleFrame};
use kinescope_ik::stack::Tools;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(mut capsule) = Capsule::from_json(text) else { return };
    let written = capsule.to_json();
    assert_eq!(Capsule::from_json(&written).as_ref(), Ok(&capsule), "{written}");
    capsule.frames.truncate(4);
    capsule.instant.frame = 0;
    for frame in &mut capsule.frames {
        // Many spine iterations are slow, which is not an error.
        let stack = Arc::make_mut(&mut frame.input.stack);
        stack.full_body.solver.spine_iterations = stack.full_body.solver.spine_iterations.min(16);
    }
    let Ok(rig) = capsule.rig() else { return };
    for frame in &mut capsule.frames {
        *frame = CapsuleFrame::solve(&rig, Tools::default(), frame.time, &frame.input);
    }
    let written = capsule.to_json();
    let back = Capsule::from_json(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
    assert_eq!(back.check(|_| None), Ok(vec![]), "{written}");
});
