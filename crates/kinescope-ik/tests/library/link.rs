//! The link over loopback: frames arrive, the game never waits, and the sender reconnects.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use kinescope_ik::Settings;
use kinescope_ik::game_recording::{GameFrame, Line, Reader};
use kinescope_ik::link::{Frame, PATIENCE, Sender};

use crate::common;
use crate::common::game::{character, header, solved};

fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    (listener, address)
}

struct Window {
    lines: BufReader<TcpStream>,
    reader: Reader,
}

impl Window {
    fn accept(listener: &TcpListener) -> Self {
        let (stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(common::PATIENCE)).unwrap();
        let mut window = Self { lines: BufReader::new(stream), reader: Reader::new() };
        assert_eq!(window.next(), None, "the header comes first");
        assert_eq!(window.reader.header().unwrap().producer, "a test");
        window
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

    fn send(&mut self, text: &str) {
        self.lines.get_mut().write_all(text.as_bytes()).unwrap();
    }
}

fn until(what: &str, mut is: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is() {
        assert!(start.elapsed() < common::PATIENCE, "{what}");
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
    let mut window = Window::accept(&listener);
    let mut asked = Settings::default();
    for number in 0..20 {
        asked.chains[0].pull = 0.5 + 0.02 * number as f32;
        let mut frame = solved((number % 2) as usize, 100 + number, asked);
        // Games usually send neither steps nor writes.
        (frame.steps, frame.writes) = (Vec::new(), Vec::new());
        assert!(sender.send(&frame_of(&frame)));
        assert_eq!(window.frame(), frame);
    }
    sender.mark("jump", 13.6);
    let Some(Line::Mark(mark)) = window.next() else { panic!("no mark") };
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
    let start = Instant::now();
    for number in 0..1000u32 {
        sender.send(&Frame::new(0, f64::from(number), &pose));
    }
    // If each frame waited for a connection, the frames would take longer than this.
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert!(!sender.is_connected() && sender.dropped() >= 1000 - 128, "{}", sender.dropped());
    let listener = TcpListener::bind(&address).unwrap();
    let mut window = Window::accept(&listener);
    let first = window.frame();
    assert!(first.time >= 800.0, "{}", first.time);
    let mut last = first.time;
    while last < 999.0 {
        let next = window.frame().time;
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
        let mut window = Window::accept(&listener);
        sender.send(&Frame::new(0, f64::from(round), &pose));
        assert!(window.frame().time <= f64::from(round));
        drop(window);
        until("the sender notices the closed connection", || {
            sender.send(&Frame::new(0, f64::from(round), &pose));
            !sender.is_connected()
        });
    }
}

#[test]
fn the_window_tunes_the_game_and_invalid_lines_are_ignored() {
    let (listener, address) = listener();
    let mut sender = Sender::new(&address, &header()).unwrap();
    let mut window = Window::accept(&listener);
    window.send("{\"kinescope\":1}\n");
    window.send("nonsense\n\u{7}\n{\"character\":\"nobody\",\"parameters\":{}}\n");
    window.send("{\"character\":\"guard\",\"parameters\":{\"solver\":{\"weight\":7}}}\n");
    window.send("{\"character\":\"guard\",\"parameters\":{\"solver\":{\"iterations\":2}}}\n");
    let mut tuned = None;
    until("the sender receives the parameters", || {
        tuned = sender.tuned();
        tuned.is_some()
    });
    let (character, settings) = tuned.unwrap();
    assert_eq!((character, settings.solver.iterations), (1, 2));
    assert_eq!(sender.tuned(), None);
    let pose = header().characters[1].reference.clone();
    assert!(sender.send(&Frame::new(1, 1.0, &pose)));
    assert_eq!(window.frame().character, 1);
    // Dropping the sender sends its queue.
    sender.send(&Frame::new(1, 2.0, &pose));
    drop(sender);
    assert_eq!(window.frame().time, 2.0);
}

#[test]
fn a_dropped_sender_flushes_without_blocking() {
    // The frame of a game that drops its sender at once still arrives.
    let (listener, address) = listener();
    let mut sender = Sender::new(&address, &header()).unwrap();
    let pose = header().characters[0].reference.clone();
    sender.send(&Frame::new(0, 1.0, &pose));
    let reads = std::thread::spawn(move || Window::accept(&listener).frame().time);
    drop(sender);
    assert_eq!(reads.join().unwrap(), 1.0);
    // A listener that accepts and then reads nothing: what exceeds the socket's buffers is dropped.
    let (listener, address) = self::listener();
    let mut sender = Sender::new(&address, &header()).unwrap();
    let (_unread, _) = listener.accept().unwrap();
    until("the sender drops frames that nobody reads", || {
        sender.send(&Frame::new(0, 1.0, &pose));
        sender.dropped() > 0
    });
    let start = Instant::now();
    drop(sender);
    // The sender gives up after two seconds; a slow machine may notice later.
    assert!(start.elapsed() < PATIENCE + Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn characters_join_and_leave_on_one_connection() {
    let (listener, address) = listener();
    let mut sender = Sender::new(&address, &header()).unwrap();
    let mut window = Window::accept(&listener);
    let pose = header().characters[0].reference.clone();
    let refused = sender.join(&character("guard")).unwrap_err().to_string();
    assert!(refused.starts_with("name: is \"guard\", the name of a character that is present"), "{refused}");
    let enemy = sender.join(&character("enemy")).unwrap();
    assert!(sender.send(&Frame::new(enemy, 1.0, &pose)));
    assert_eq!(window.next(), Some(Line::Join(2)));
    assert_eq!(window.reader.character(2).unwrap().name, "enemy");
    assert_eq!(window.frame().character, 2);
    assert!(sender.leave(enemy) && !sender.leave(enemy));
    assert_eq!(window.next(), Some(Line::Leave(2)));
    // The sender does not reuse the number of a character that has left.
    let other = sender.join(&character("other")).unwrap();
    assert!(other != enemy && !sender.send(&Frame::new(enemy, 2.0, &pose)));
    assert_eq!(window.next(), Some(Line::Join(2)));
    // The window tunes a character that joined, and refuses a line.
    window.send("{\"character\":\"other\",\"parameters\":{\"solver\":{\"iterations\":2}}}\n");
    window.send("{\"error\":{\"line\":3,\"field\":\"animated[3]\",\"message\":\"is wrong\"}}\n");
    let (mut tuned, mut refused) = (None, None);
    until("the sender receives both", || {
        tuned = tuned.take().or_else(|| sender.tuned());
        refused = refused.take().or_else(|| sender.refused());
        tuned.is_some() && refused.is_some()
    });
    assert_eq!(tuned.map(|(character, settings)| (character, settings.solver.iterations)), Some((other, 2)));
    assert_eq!(refused.map(|refusal| refusal.to_string()).as_deref(), Some("line 3, animated[3]: is wrong"));
    // A window that connects later gets a header with the characters that are present then.
    assert!(sender.leave(0));
    assert_eq!(window.next(), Some(Line::Leave(0)));
    drop((window, listener));
    until("the sender notices the closed connection", || {
        sender.send(&Frame::new(1, 3.0, &pose));
        !sender.is_connected()
    });
    let late = sender.join(&character("late")).unwrap();
    let listener = TcpListener::bind(&address).unwrap();
    let mut window = Window::accept(&listener);
    let names: Vec<&str> = (0..4).filter_map(|index| Some(window.reader.character(index)?.name.as_str())).collect();
    assert_eq!(names, ["late", "guard", "other"], "the new character has the free place");
    assert!(sender.send(&Frame::new(late, 4.0, &pose)));
    let frame = std::iter::from_fn(|| Some(window.frame())).find(|frame| frame.time == 4.0).unwrap();
    assert_eq!(frame.character, 0);
}

/// A game may spawn and remove characters for hours while no window listens.
#[test]
fn changes_without_a_window_are_bounded() {
    let (listener, address) = listener();
    drop(listener);
    let mut sender = Sender::new(&address, &header()).unwrap();
    let mut enemy = character("enemy");
    for index in 0..2500 {
        enemy.name = format!("enemy {index}");
        let number = sender.join(&enemy).unwrap();
        assert!(sender.leave(number));
    }
    enemy.name = "last".to_owned();
    sender.join(&enemy).unwrap();
    let listener = TcpListener::bind(&address).unwrap();
    let window = Window::accept(&listener);
    let names: Vec<&str> = window.reader.header().unwrap().characters.iter().map(|own| own.name.as_str()).collect();
    assert_eq!(names, ["player", "guard", "last"]);
}
