//! No line of a recording makes the reader panic. A frame that can be read, of a character from the header or one that
//! joined, is written so that it reads back equal, and skimming agrees with reading.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none game_recording fuzz/corpus/game_recording -- -dict=fuzz/json.dict`
#![no_main]

use kinescope_ik::game_recording::{
    GameFrame, Header, Line, MOST_CHARACTERS, Reader, Refusal, Skimmed, Writer, parameters_of,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (mut reader, mut skimmer) = (Reader::new(), Reader::new());
    for line in text.lines() {
        let before = reader.clone();
        let (read, skimmed) = (reader.read(line), before.clone().skim(line));
        // This reader only skims: a skimmed frame may be read later, or never.
        let _ = skimmer.skim(line);
        if let Err(fault) = &read {
            // Every refusal has an answer of one line, which reads back.
            let refusal = Refusal::new(reader.lines(), fault);
            assert_eq!(Refusal::of_line(&refusal.to_line()), Some(refusal));
            // A refused line changes nothing.
            assert!((0..MOST_CHARACTERS).all(|index| before.character(index) == reader.character(index)), "{line}");
        }
        let frame = match (read, skimmed) {
            (Ok(Some(Line::Frame(frame))), Ok(Some(Skimmed::Frame(outline)))) => {
                assert_eq!((outline.character, outline.frame), (frame.character, frame.frame));
                let character = before.character(frame.character).unwrap();
                // A line without parameters has those of the character's previous frame.
                assert_eq!(character.frame(line, &outline, &frame.parameters).unwrap(), *frame);
                assert_eq!(parameters_of(line).unwrap(), outline.has_parameters.then_some(frame.parameters));
                frame
            }
            (Ok(Some(Line::Join(a))), Ok(Some(Skimmed::Join(b)))) => {
                assert!(a == b && before.character(a).is_none() && reader.character(a).is_some());
                continue;
            }
            (Ok(Some(Line::Leave(a))), Ok(Some(Skimmed::Leave(b)))) => {
                assert!(a == b && before.character(a).is_some() && reader.character(a).is_none());
                continue;
            }
            (Ok(Some(Line::Mark(a))), Ok(Some(Skimmed::Mark(b)))) => {
                assert_eq!(a, b);
                continue;
            }
            (Ok(None), Ok(None)) | (Err(_), _) => continue,
            (read, skimmed) => panic!("{line}: {read:?}, {skimmed:?}"),
        };
        let character = reader.character(frame.character).unwrap();
        let (mut writer, first) = Writer::new(&Header { producer: String::new(), characters: Vec::new() });
        let (index, join) = writer.join(character).unwrap();
        let mut frame = Box::new(GameFrame { character: index, ..*frame });
        let written = writer.frame(&frame).unwrap();
        let mut again = Reader::new();
        assert_eq!(again.read(&first), Ok(None));
        assert_eq!(again.read(&join), Ok(Some(Line::Join(index))));
        assert_eq!(again.character(index), Some(character));
        assert_eq!(again.read(&written).unwrap(), Some(Line::Frame(frame.clone())), "{written}");
        // Many spine iterations are slow, which is not an error.
        frame.parameters.solver.spine_iterations = frame.parameters.solver.spine_iterations.min(16);
        let _ = frame.traces(character);
    }
});
