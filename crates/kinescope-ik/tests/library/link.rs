//! The link over loopback: frames arrive, the game never waits, and the sender reconnects.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use kinescope_ik::Settings;
use kinescope_ik::game_recording::{GameFrame, Line, Reader};
use kinescope_ik::link::{Frame, PATIENCE, Sender};

use crate::common;
use crate::common::game::{header, solved};

fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    (listener, address)
}

/// A listener and everything it reads.
struct Heard {
    lines: BufReader<TcpStream>,
    reader: Reader,
}

impl Heard {
    fn accept(listener: &TcpListener) -> Self {
        let (stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(common::PATIENCE)).unwrap();
        let mut heard = Self { lines: BufReader::new(stream), reader: Reader::new() };
        assert_eq!(heard.next(), None, "the header comes first");
        assert_eq!(heard.reader.header().unwrap().producer, "a test");
        heard
    }

    fn next(&mut self) -> Option<Line> {
        let mut text = String::new();
        self.lines.read_line(&mut text).unwrap();
        self.reader.read(&text).unwrap()
    }

    fn frame(&mut self) -> GameFrame {
        match self.next() {
            Some(Line::Frame(frame)) => *frame,
            other => panic!("{other:?}"),
        }
    }

    fn say(&mut self, text: &str) {
        self.lines.get_mut().write_all(text.as_bytes()).unwrap();
    }
}

fn until(what: &str, mut is: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is() {
        assert!(begun.elapsed() < common::PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn frame_of(frame: &GameFrame) -> Frame<'_> {
    let new = Frame::new(frame.character, frame.time, &frame.animated);
    Frame { frame: Some(frame.frame), parameters: frame.parameters, result: frame.result.as_deref(), ..new }
}

#[test]
fn sent_frames_arrive_unchanged() {
    let (listener, address) = listener();
    let mut sender = Sender::new(&address, &header()).unwrap();
    let mut heard = Heard::accept(&listener);
    let mut asked = Settings::default();
    for number in 0..20 {
        asked.chains[0].pull = 0.5 + 0.02 * number as f32;
        let mut frame = solved((number % 2) as usize, 100 + number, asked);
        // Games usually do not send these.
        (frame.steps, frame.writes) = (Vec::new(), Vec::new());
        assert!(sender.send(&frame_of(&frame)));
        assert_eq!(heard.frame(), frame);
    }
    sender.mark("jump", 13.6);
    let Some(Line::Mark(mark)) = heard.next() else { panic!("no mark") };
    assert_eq!((mark.mark.as_str(), mark.time), ("jump", 13.6));
    assert_eq!((sender.dropped(), sender.sent()), (0, 20));
    // Frames that do not fit the header are refused.
    let pose = &header().characters[0].reference;
    assert!(!sender.send(&Frame::new(2, 20.0, pose)) && !sender.send(&Frame::new(0, 20.0, &pose[1..])));
    assert!(!sender.send(&Frame { result: Some(&pose[..3]), ..Frame::new(0, 20.0, pose) }));
}

#[test]
fn sending_never_waits_and_keeps_the_newest_frames() {
    let (listener, address) = listener();
    drop(listener);
    let mut sender = Sender::new(&address, &header()).unwrap();
    let pose = header().characters[0].reference.clone();
    let begun = Instant::now();
    for number in 0..1000u32 {
        sender.send(&Frame::new(0, f64::from(number), &pose));
    }
    // If each frame waited for a connection, the frames would take longer than this.
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    assert!(!sender.is_connected() && sender.dropped() >= 1000 - 128, "{}", sender.dropped());
    // Then a listener starts.
    let listener = TcpListener::bind(&address).unwrap();
    let mut heard = Heard::accept(&listener);
    let first = heard.frame();
    assert!(first.time >= 800.0, "{}", first.time);
    let mut last = first.time;
    while last < 999.0 {
        let next = heard.frame().time;
        assert!(next > last);
        last = next;
    }
    assert_eq!(sender.sent() + sender.dropped(), 1000);
}

#[test]
fn a_window_that_reopens_is_connected_again() {
    let (listener, address) = listener();
    let mut sender = Sender::new(&address, &header()).unwrap();
    let pose = header().characters[0].reference.clone();
    for round in 0..3 {
        let mut heard = Heard::accept(&listener);
        sender.send(&Frame::new(0, f64::from(round), &pose));
        assert!(heard.frame().time <= f64::from(round));
        drop(heard);
        until("it is not noticed that nobody listens", || {
            sender.send(&Frame::new(0, f64::from(round), &pose));
            !sender.is_connected()
        });
    }
}

#[test]
fn the_window_tunes_the_game_and_invalid_lines_are_ignored() {
    let (listener, address) = listener();
    let mut sender = Sender::new(&address, &header()).unwrap();
    let mut heard = Heard::accept(&listener);
    heard.say("{\"kinescope\":1}\n");
    heard.say("nonsense\n\u{7}\n{\"character\":\"nobody\",\"parameters\":{}}\n");
    heard.say("{\"character\":\"guard\",\"parameters\":{\"solver\":{\"weight\":7}}}\n");
    heard.say("{\"character\":\"guard\",\"parameters\":{\"solver\":{\"iterations\":2}}}\n");
    let mut tuned = None;
    until("no parameters came", || {
        tuned = sender.tuned();
        tuned.is_some()
    });
    let (character, settings) = tuned.unwrap();
    assert_eq!((character, settings.solver.iterations), (1, 2));
    assert_eq!(sender.tuned(), None);
    // The sender still works.
    let pose = header().characters[1].reference.clone();
    assert!(sender.send(&Frame::new(1, 1.0, &pose)));
    assert_eq!(heard.frame().character, 1);
    // Dropping the sender sends its queue.
    sender.send(&Frame::new(1, 2.0, &pose));
    drop(sender);
    assert_eq!(heard.frame().time, 2.0);
}

#[test]
fn a_dropped_sender_flushes_without_blocking() {
    // A game that ends before it has sent a frame still arrives.
    let (listener, address) = listener();
    let mut sender = Sender::new(&address, &header()).unwrap();
    let pose = header().characters[0].reference.clone();
    sender.send(&Frame::new(0, 1.0, &pose));
    let listens = std::thread::spawn(move || Heard::accept(&listener).frame().time);
    drop(sender);
    assert_eq!(listens.join().unwrap(), 1.0);
    // A listener that accepts and then reads nothing: what exceeds the socket's buffers is dropped.
    let (listener, address) = self::listener();
    let mut sender = Sender::new(&address, &header()).unwrap();
    let (_deaf, _) = listener.accept().unwrap();
    until("all that is sent goes somewhere", || {
        sender.send(&Frame::new(0, 1.0, &pose));
        sender.dropped() > 0
    });
    let begun = Instant::now();
    drop(sender);
    // The sender gives up after two seconds; a slow machine may notice later.
    assert!(begun.elapsed() < PATIENCE + Duration::from_secs(60), "{:?}", begun.elapsed());
}
