//! The example games in C and C++, connected to a stand-in for the window that changes a setting: the games walk,
//! record, and send frames.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use kinescope_library::FullBody;
use kinescope_library::game_recording::{GameFrame, Line, Reader};

use super::{built, compile, library, root, run};

/// Runs a game beside a window that changes a parameter. Returns what the game prints, and the frames that it recorded and sent.
fn play(name: &str) -> (String, Reader, Vec<GameFrame>, Vec<GameFrame>) {
    let program = compile(&root().join("examples").join(name), name, &[], &library().join("libkinescope.a"));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let window = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"{\"kinescope\":1}\n").unwrap();
        let parameters = r#"{"solver":{},"chains":{"left_arm":{"pull":0.25}},"effectors":{}}"#;
        writeln!(stream, "{{\"character\":\"player\",\"parameters\":{parameters}}}").unwrap();
        BufReader::new(stream).lines().map_while(Result::ok).collect::<Vec<_>>()
    });
    let path = built().join(format!("{name}.jsonl"));
    let printed = run(Command::new(program).arg(&path).arg(&address));
    let recorded = std::fs::read_to_string(Path::new(&path)).unwrap();
    let sent = window.join().unwrap();
    let (reader, recorded) = frames(recorded.lines());
    let (_, sent) = frames(sent.iter().map(String::as_str));
    (printed, reader, recorded, sent)
}

fn frames<'a>(lines: impl Iterator<Item = &'a str>) -> (Reader, Vec<GameFrame>) {
    let (mut reader, mut frames) = (Reader::new(), Vec::new());
    for line in lines {
        if let Some(Line::Frame(frame)) = reader.read(line).unwrap_or_else(|fault| panic!("{fault}")) {
            frames.push(*frame);
        }
    }
    (reader, frames)
}

#[test]
fn a_whole_game_in_c_walks_and_its_solves_are_those_of_rust() {
    let (printed, reader, recorded, sent) = play("walk.c");
    println!("{printed}");
    assert!(printed.contains("240 frames"), "{printed}");
    assert_eq!(recorded.len(), 240);
    // A queue that is full drops frames; those that arrive are the recorded ones.
    assert!(sent.len() > 50, "{}", sent.len());
    assert!(sent.iter().all(|own| own.result == recorded[own.frame as usize].result));
    let character = &reader.header().unwrap().characters[0];
    let solver = FullBody::new(&character.skeleton, &character.biped, &character.reference).unwrap();
    let mut workspace = solver.workspace();
    for frame in &recorded {
        let mut pose = frame.animated.clone();
        solver.solve(&mut workspace, &frame.parameters, &mut pose).unwrap();
        // Only the legs are compared: after the solve, modifiers turn neck, head, hands and spine.
        let result = frame.result.as_ref().unwrap();
        for bone in [11, 12, 13, 14, 15, 16] {
            assert!(pose[bone].position.distance(result[bone].position) < 1e-5, "frame {}, bone {bone}", frame.frame);
        }
    }
}

#[test]
fn a_whole_game_in_cpp_walks() {
    let (printed, _, recorded, sent) = play("walk.cpp");
    println!("{printed}");
    assert!(printed.contains("180 frames"), "{printed}");
    assert!(recorded.len() == 180 && sent.len() > 50, "{}", sent.len());
}
