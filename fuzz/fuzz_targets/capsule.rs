//! A capsule that can be read is written so that it reads back equal, and checking it does not panic; solved anew it
//! checks clean.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none capsule fuzz/corpus/capsule fuzz/seeds/capsule -- -dict=fuzz/json.dict`
#![no_main]

use kinescope::capsule::{Capsule, CapsuleFrame};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(mut capsule) = Capsule::from_json(text) else { return };
    let written = capsule.to_json();
    assert_eq!(Capsule::from_json(&written).as_ref(), Ok(&capsule), "{written}");
    capsule.frames.truncate(4);
    capsule.instant.frame = 0;
    for frame in &mut capsule.frames {
        // A slow spine is no finding.
        frame.settings.solver.spine_iterations = frame.settings.solver.spine_iterations.min(16);
    }
    let Ok(solver) = capsule.solver() else { return };
    let mut workspace = solver.workspace();
    for frame in &mut capsule.frames {
        *frame = CapsuleFrame::solve(&solver, &mut workspace, frame.time, &frame.settings, &frame.animated)
            .expect("settings and poses were read from a file");
    }
    let written = capsule.to_json();
    let back = Capsule::from_json(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
    assert_eq!(back.check(), Ok(vec![]), "{written}");
});
