//! A preset that can be read is written so that it reads back equal, its sections kept.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none preset fuzz/corpus/preset fuzz/seeds/preset -- -dict=fuzz/json.dict`
#![no_main]

use kinescope::preset::Preset;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(preset) = Preset::from_json(text) else { return };
    let written = preset.to_json();
    assert_eq!(Preset::from_json(&written).as_ref(), Ok(&preset), "{written}");
});
