//! No line of a recording makes the reader panic. A frame that can be read is written so that it reads back equal, and
//! skimming agrees with reading.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none game_recording fuzz/corpus/game_recording -- -dict=fuzz/json.dict`
#![no_main]

use kinescope_ik::game_recording::{Line, Reader, Skimmed, Writer, parameters_of};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (mut reader, mut skimmer) = (Reader::new(), Reader::new());
    for line in text.lines() {
        let before = reader.clone();
        let (read, skimmed) = (reader.read(line), before.clone().skim(line));
        // This reader only skims: a skimmed frame may be read later, or never.
        let _ = skimmer.skim(line);
        if let Ok(Some(Line::Frame(frame))) = &read {
            let Ok(Some(Skimmed::Frame(outline))) = skimmed else { panic!("{line}") };
            assert_eq!((outline.character, outline.frame), (frame.character, frame.frame));
            let header = before.header().unwrap();
            // A line without parameters has those of the previous frame.
            let alone = header.frame(line, &outline, &frame.parameters).unwrap();
            assert_eq!(alone, **frame);
            assert_eq!(parameters_of(line).unwrap(), outline.has_parameters.then_some(frame.parameters));
        }
        let (Ok(Some(Line::Frame(frame))), Some(header)) = (read, reader.header()) else { continue };
        let (mut writer, first) = Writer::new(header);
        let written = writer.frame(&frame).unwrap();
        let mut again = Reader::new();
        let _ = again.read(&first).unwrap();
        assert_eq!(again.read(&written).unwrap(), Some(Line::Frame(frame.clone())), "{written}");
        let mut frame = frame;
        // Many spine iterations are slow, which is not an error.
        frame.parameters.solver.spine_iterations = frame.parameters.solver.spine_iterations.min(16);
        let _ = frame.traces(&header.characters[frame.character]);
    }
});
