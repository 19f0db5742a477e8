//! A chain file that can be read is written so that it reads back equal. Its solve is finite, and if the chain has at
//! most nine joints, every move of the solve has a formula.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none chain fuzz/corpus/chain fuzz/seeds/chain -- -dict=fuzz/json.dict`
#![no_main]

use kinescope_ik::chain_ik::Recording;
use kinescope_ik::chain_ik::explain::formula;
use kinescope_ik::chain_ik::file::ChainFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(mut file) = ChainFile::from_json(text) else { return };
    let written = file.to_json();
    assert_eq!(ChainFile::from_json(&written).as_ref(), Ok(&file), "{written}");
    // Many iterations are slow, which is not an error.
    file.settings.max_iterations = file.settings.max_iterations.min(8);
    let result = file.solve().unwrap_or_else(|error| panic!("{error}: {written}"));
    assert!(result.positions.iter().flatten().all(|place| place.is_finite()), "{written}");
    assert!(result.rotations.iter().all(|rotation| rotation.is_finite()), "{written}");
    assert!(result.error.is_finite() && result.errors.iter().all(|error| error.is_finite()), "{written}");
    assert_eq!(result.positions.len(), result.iterations as usize + 1, "{written}");
    // NaN would be written as null.
    assert!(!result.to_json().contains("null"), "{written}");
    if file.chain.joints() > 9 {
        return;
    }
    let recording = Recording::record(&file.chain, &file.settings, &file.goals, file.chain.rest());
    let recording = recording.unwrap_or_else(|error| panic!("{error}: {written}"));
    for step in 0..recording.solve.steps.len() {
        for index in 0..recording.solve.events_of(step).len() {
            assert!(formula(&recording, step, index).is_some(), "{step} {index}: {written}");
        }
    }
});
