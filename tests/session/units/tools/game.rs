use std::sync::Arc;

use kinescope::character::Character;
use kinescope::tools::game::{Game, Games, Origin, Shown, Watched};
use kinescope_ik::full_body::Settings;
use kinescope_ik::game_recording::{GameCharacter, GameFrame, Header};
use kinescope_ik::rig::RigidTransform;

#[test]
fn a_frame_is_compared_later_if_the_judge_cannot_start() {
    let built_in = Character::built_in().unwrap();
    let (skeleton, reference) = (&built_in.model.skeleton, built_in.detection.reference.bones.clone());
    let own = GameCharacter::new("player", skeleton, None, reference.clone()).unwrap();
    let header = Header { producer: String::new(), characters: vec![own] };
    let mut game = Game::new(1, String::new(), Arc::new(header), Origin::Link);
    let frame = GameFrame {
        character: 0,
        frame: 0,
        time: 0.0,
        parameters: Settings::default(),
        animated: reference.clone(),
        steps: Vec::new(),
        writes: Vec::new(),
        result: Some(reference),
    };
    game.push(frame);
    let mut games = Games::default();
    games.games.push(game);
    games.watched = Some(Watched::new(Shown { game: 1, character: 0 }));
    for _ in 0..2 {
        games.send_to_judge(|_| Err("no thread".to_owned()));
    }
    assert_eq!(games.games[0].next_to_judge(0).map(|(number, _)| number), Some(0));
    assert!(games.games[0].next_to_judge(0).is_none());
}

#[test]
fn a_frame_with_a_wrong_number_of_bones_changes_nothing() {
    let built_in = Character::built_in().unwrap();
    let (skeleton, reference) = (&built_in.model.skeleton, built_in.detection.reference.bones.clone());
    let own = GameCharacter::new("player", skeleton, None, reference.clone()).unwrap();
    let header = Header { producer: String::new(), characters: vec![own.clone()] };
    let mut game = Game::new(1, String::new(), Arc::new(header), Origin::Link);
    let frame = |time: f64, animated: &[RigidTransform]| GameFrame {
        character: 0,
        frame: 0,
        time,
        parameters: Settings::default(),
        animated: animated.to_vec(),
        steps: Vec::new(),
        writes: Vec::new(),
        result: None,
    };
    game.push(frame(5.0, &reference));
    game.receive_leave(0);
    game.receive_join(0, &Arc::new(own));
    // The character's time begins anew, so its first frame gets an entry of its own.
    game.push(frame(0.0, &reference[1..]));
    assert_eq!((game.characters.len(), game.len()), (1, 1));
    game.push(frame(0.0, &reference));
    assert_eq!((game.characters.len(), game.len()), (2, 2));
}

mod sender {
    use kinescope::tools::game::listener::sender::{GREETING, LineSender, MOST_REFUSALS, Outbox};
    use kinescope_ik::game_recording::Refusal;
    use kinescope_ik::link::BUSY;

    pub fn sent(outbox: &mut Outbox) -> String {
        std::iter::from_fn(|| outbox.take_next()).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect()
    }

    #[test]
    fn answers_wait_for_the_greeting_and_are_bounded() {
        let sender = LineSender::default();
        let refusal = Refusal { line: 2, field: "time".to_owned(), message: "is missing".to_owned() };
        (0..1000).for_each(|_| sender.refuse(&refusal));
        assert_eq!(sent(&mut sender.lock()), "");
        sender.greet();
        let text = sent(&mut sender.lock());
        assert_eq!(text, GREETING.to_owned() + &refusal.to_line().repeat(MOST_REFUSALS));
        // Queued data is sent before the end, except lines about characters.
        sender.refuse(&refusal);
        sender.send("player", "{}\n".to_owned());
        sender.send_busy();
        sender.end(Some(1000));
        assert_eq!(sent(&mut sender.lock()), refusal.to_line() + BUSY);
    }
}

mod solver_lines {
    use kinescope::tools::game::listener::solver_lines::{Answer, MOST_ANSWER, MOST_ITERATIONS, read_header};

    #[test]
    fn headers_are_read_or_refused_with_the_field() {
        assert_eq!(read_header(r#"{"format":"kinescope-solver","version":1,"name":" mink "}"#), Ok("mink".to_owned()));
        let long = format!(r#"{{"format":"kinescope-solver","version":1,"name":"{}"}}"#, "x".repeat(41));
        for (text, place) in [
            (r#"{"format":"kinescope-recording","version":1,"name":"a"}"#, "format"),
            (r#"{"format":"kinescope-solver","version":2,"name":"a"}"#, "version"),
            (r#"{"format":"kinescope-solver","version":1,"name":" "}"#, "name"),
            (r#"{"format":"kinescope-solver","version":1,"name":"a\nb"}"#, "name"),
            (&long, "name"),
        ] {
            assert_eq!(read_header(text).unwrap_err().place, place, "{text}");
        }
        for text in ["", "{", "[]", r#"{"format":"kinescope-solver","version":1}"#, r#"{"name":1}"#] {
            assert!(read_header(text).is_err(), "{text}");
        }
    }

    #[test]
    fn hostile_answers_are_refused_with_the_field() {
        let bone = "[0,1,0,0,0,0,1]";
        let good = format!(r#"{{"frame":3,"pose":[{bone},{bone}],"iterations":[[{bone},{bone}]],"us":12.5}}"#);
        let read_answer = |line: &str, bones| Answer::read(line).and_then(|answer| answer.pose(bones));
        let pose = read_answer(&good, 2).unwrap().unwrap();
        assert_eq!((pose.bones.len(), pose.iterations.len(), pose.micros), (2, 1, Some(12.5)));
        let none = read_answer(r#"{"frame":3,"error":"no\nsolution"}"#, 2).unwrap();
        assert_eq!(none, Err("nosolution".to_owned()));
        let many = format!(r#"{{"frame":3,"pose":[{bone}],"iterations":[{}[]]}}"#, "[],".repeat(MOST_ITERATIONS));
        for (line, place) in [
            (r#"{"frame":3}"#.to_owned(), "pose"),
            (format!(r#"{{"frame":3,"pose":[{bone}]}}"#).repeat(2), ""),
            (format!(r#"{{"frame":3,"pose":[{bone},{bone}]}}"#), "pose"),
            (r#"{"frame":3,"pose":[[1e39,0,0,0,0,0,1]]}"#.to_owned(), "column 24"),
            (r#"{"frame":3,"pose":[[1e30,0,0,0,0,0,1]]}"#.to_owned(), "pose[0]"),
            (r#"{"frame":3,"pose":[[0,0,0,0,0,0,0]]}"#.to_owned(), "pose[0]"),
            (r#"{"frame":3,"pose":[[0,0,0,0,0,0,1e39]]}"#.to_owned(), "column 36"),
            (format!(r#"{{"frame":3,"pose":[{bone}],"iterations":[[]]}}"#), "iterations[0]"),
            (format!(r#"{{"frame":3,"pose":[{bone}],"us":-1}}"#), "us"),
            (many, "iterations"),
        ] {
            let fault = read_answer(&line, 1).unwrap_err();
            assert!(fault.place == place || place.is_empty(), "{line}: {fault}");
        }
        for end in 0..good.len() {
            assert!(read_answer(&good[..end], 2).is_err(), "{end}");
        }
        for line in
            ["[".repeat(100_000), "{\"frame\":-1}".to_owned(), "x".repeat(MOST_ANSWER + 1), "\"\\ud800\"".into()]
        {
            assert!(read_answer(&line, 1).is_err());
        }
        for at in 0..good.len() {
            for byte in [b'0', b'9', b'-', b'e', b'"', b'[', b']', b'{', b'}', b',', b' '] {
                let mut line = good.clone().into_bytes();
                line[at] = byte;
                let Ok(Ok(pose)) = read_answer(&String::from_utf8(line).unwrap(), 2) else { continue };
                assert!(pose.bones.len() == 2 && pose.bones.iter().all(|bone| bone.position.is_finite()));
                assert!(pose.bones.iter().all(|bone| bone.rotation.is_normalized()));
            }
        }
    }
}

mod source {
    use kinescope::character::Character;
    use kinescope::tools::game::source::{LineAt, PARSED_BUDGET, Parsed, ParsedLine, RecordingFile};
    use kinescope_ik::full_body::Settings;
    use kinescope_ik::game_recording::{GameCharacter, Outline};

    #[test]
    fn the_oldest_parsed_lines_are_dropped_beyond_the_budget() {
        let mut parsed = Parsed::default();
        let own = size_of::<ParsedLine>();
        for offset in 0..3 {
            parsed.line(offset);
            parsed.grow(offset, PARSED_BUDGET / 2 - own);
        }
        assert_eq!((parsed.count, parsed.bytes, parsed.order.len()), (3, PARSED_BUDGET, 2));
        assert!(!parsed.lines.contains_key(&0) && parsed.lines.contains_key(&1) && parsed.lines.contains_key(&2));
        // A line that is never parsed is also dropped.
        parsed.line(3);
        parsed.line(4);
        assert!(parsed.lines.contains_key(&3) && parsed.lines.len() == 3);
        parsed.grow(4, PARSED_BUDGET - own);
        assert_eq!((parsed.lines.len(), parsed.order.len(), parsed.bytes), (1, 1, PARSED_BUDGET));
    }

    #[test]
    fn a_line_whose_text_cannot_be_read_is_not_cached() {
        let path = std::env::temp_dir().join(format!("kinescope source {}.jsonl", std::process::id()));
        std::fs::write(&path, b"\xff\n").unwrap();
        let file = RecordingFile::open(&path).unwrap();
        let built_in = Character::built_in().unwrap();
        let (name, rig) = (built_in.model.name.clone(), built_in.detection.reference.bones.clone());
        let character = GameCharacter::new(&name, &built_in.model.skeleton, None, rig).unwrap();
        let outline = Outline { character: 0, frame: 0, time: 0.0, has_parameters: false, has_result: true };
        let line = LineAt { offset: 0, number: 1 };
        assert!(file.frame(&character, line, &outline, &Settings::default()).is_err());
        assert!(file.parameters(&character, line, &outline).is_err());
        let parsed = file.lock();
        assert_eq!((parsed.lines.len(), parsed.order.len(), parsed.bytes), (0, 0, 0));
        drop(parsed);
        std::fs::remove_file(&path).unwrap();
    }
}

mod watched {
    use std::sync::Arc;

    use kinescope::tools::game::watched::{SOLVES_BUDGET, Solves, bytes_of};
    use kinescope_ik::rig::RigidTransform;
    use kinescope_ik::stack::Frame;

    #[test]
    fn solves_are_bounded_and_a_second_one_of_a_frame_replaces_the_first() {
        let mut solves = Solves::default();
        let frame = Arc::new(Frame { pose: vec![RigidTransform::IDENTITY; 40_000], ..Frame::empty() });
        let count = SOLVES_BUDGET / bytes_of(&frame);
        assert!(count > 2);
        for number in 0..2 * count as u64 {
            solves.keep(number, frame.clone(), false);
            solves.keep(number, frame.clone(), number % 2 == 0);
        }
        let kept = (0..2 * count as u64).filter(|&number| solves.get(number, false).is_some());
        assert_eq!(kept.count(), count);
        let last = 2 * count as u64 - 1;
        assert!(solves.get(0, false).is_none() && solves.get(last, false).is_some());
        // The profiler needs solves that measured times.
        assert!(solves.get(last, true).is_none() && solves.get(last - 1, true).is_some());
    }
}

mod web_socket {
    use super::sender::sent;
    use kinescope::tools::game::listener::sender::LineSender;
    use kinescope::tools::game::listener::web_socket::{MOST_RAW, is_own_page, message};

    #[test]
    fn only_pages_of_this_machine_are_own() {
        for own in
            ["http://localhost", "http://localhost:5173", "https://127.0.0.1:8443", "http://[::1]:80", "http://[::1]"]
        {
            assert!(is_own_page(own), "{own}");
        }
        for other in [
            "",
            "null",
            "localhost",
            "file://",
            "https://example.com",
            "https://localhost.example.com",
            "https://example.com:localhost",
            "https://example.com/localhost",
            "http://user@localhost",
            "http://127.0.0.1.example.com",
            "http://192.168.0.7:5173",
            "http://0.0.0.0:80",
            "chrome-extension://localhost",
            "http://localhost:80:80",
            "http://localhost:x",
        ] {
            assert!(!is_own_page(other), "{other}");
        }
    }

    #[test]
    fn a_web_socket_gets_messages_after_its_handshake() {
        let sender = LineSender::default();
        sender.hold();
        sender.greet();
        assert!(sender.send_raw(b"HTTP") && !sender.send_raw(&vec![0; MOST_RAW]));
        assert_eq!(sent(&mut sender.lock()), "HTTP");
        sender.send_messages();
        let line = "x".repeat(300) + "\n";
        sender.send("player", line);
        assert_eq!(sender.lock().take_next().unwrap(), [&[0x81, 15][..], br#"{"kinescope":1}"#].concat());
        assert_eq!(sender.lock().take_next().unwrap()[..5], [0x81, 126, 1, 44, b'x']);
        sender.end(Some(1008));
        assert_eq!(sender.lock().take_next().unwrap(), [0x88, 2, 3, 240]);
        assert_eq!(sender.lock().take_next(), None);
        assert_eq!(message(0x81, &vec![0; 70_000])[..10], [0x81, 127, 0, 0, 0, 0, 0, 1, 17, 112]);
    }
}
