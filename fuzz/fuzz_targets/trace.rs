//! A trace that can be read is written so that it reads back equal, and solving it anew gives a finite result or an
//! error.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none trace fuzz/corpus/trace fuzz/seeds/trace -- -dict=fuzz/json.dict`
#![no_main]

use kinescope_ik::trace::Trace;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(mut trace) = Trace::from_json(text) else { return };
    let written = trace.to_json();
    assert_eq!(Trace::from_json(&written).as_ref(), Ok(&trace), "{written}");
    // Many spine iterations are slow, which is not an error.
    trace.parameters.solver.spine_iterations = trace.parameters.solver.spine_iterations.min(16);
    let Ok(solved) = Trace::solve(&trace.model, trace.rig, trace.parameters) else { return };
    assert!(solved.result.iter().all(|bone| bone.is_finite()), "{:?}", solved.result);
    let written = solved.to_json();
    assert_eq!(Trace::from_json(&written).as_ref().map(|back| &back.steps), Ok(&solved.steps), "{written}");
});
