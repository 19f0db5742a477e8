//! Lines of a recording: none panics; a frame that can be read is written so that it reads back equal.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none game_recording fuzz/corpus/game_recording -- -dict=fuzz/json.dict`
#![no_main]

use kinescope::game_recording::{Line, Reader, Writer};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut reader = Reader::new();
    for line in text.lines() {
        let read = reader.read(line);
        let (Ok(Some(Line::Frame(frame))), Some(header)) = (read, reader.header()) else { continue };
        let (mut writer, first) = Writer::new(header);
        let written = writer.frame(&frame).unwrap();
        let mut again = Reader::new();
        let _ = again.read(&first).unwrap();
        assert_eq!(again.read(&written).unwrap(), Some(Line::Frame(frame.clone())), "{written}");
        let mut frame = frame;
        // A slow spine is no finding.
        frame.parameters.solver.spine_iterations = frame.parameters.solver.spine_iterations.min(16);
        let _ = frame.traces(&header.characters[frame.character]);
    }
});
