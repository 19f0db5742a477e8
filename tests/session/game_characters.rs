//! Games whose characters join and leave, answers to refused lines, and games in a browser.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use kinescope::session::commands::Command;
use kinescope::session::{Action, Session};
use kinescope::tools::game::session::GameAction;
use kinescope::tools::game::{Game, Shown};
use kinescope_ik::game_recording::{GameFrame, Header, Line, Reader, Refusal, Writer};
use kinescope_ik::link::{self, hang_up};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

use crate::common::PATIENCE;
use crate::common::files::temporary;
use crate::common::game::{character, header, played, recording, send, solved};
use crate::common::program::{kinescope, text};
use crate::common::session::{run, session, until};

fn listening() -> (Session, String) {
    let mut session = session();
    session.listen("127.0.0.1:0");
    let address = session.tools.games.connection.listening().unwrap().listener.address.to_string();
    (session, address)
}

fn message(session: &Session) -> String {
    session.window.notice.as_ref().map_or_else(String::new, |notice| notice.text.clone())
}

/// Returns the names of a game's characters, each with a star if it is present, and its number of frames.
fn characters(game: &Game) -> Vec<String> {
    let star = |is_present: bool| if is_present { "*" } else { "" };
    let own = game.characters.iter().zip(&game.lanes);
    own.map(|(own, lane)| format!("{}{} {}", own.name, star(lane.is_present()), lane.len())).collect()
}

/// Returns frame `frame` of the first character of [`header`], as a frame of the character with the number `character`.
fn at(character: usize, frame: u64) -> GameFrame {
    GameFrame { character, ..solved(0, frame, Default::default()) }
}

/// Sends a frame and waits until it is sent. A full queue would drop the oldest frame.
fn deliver(sender: &mut link::Sender, frame: &GameFrame) {
    let (start, sent) = (Instant::now(), sender.sent());
    send(sender, frame);
    while sender.sent() == sent {
        assert!(start.elapsed() < PATIENCE, "{} dropped", sender.dropped());
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_spawn_needs_no_new_connection_and_no_new_run() {
    let (mut session, address) = listening();
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    (0..5).for_each(|frame| deliver(&mut sender, &at(0, frame)));
    let enemy = sender.join(&character("enemy")).unwrap();
    (5..10).for_each(|frame| {
        deliver(&mut sender, &at(0, frame));
        deliver(&mut sender, &at(enemy, frame));
    });
    assert!(sender.leave(enemy) && sender.leave(1));
    (10..15).for_each(|frame| deliver(&mut sender, &at(0, frame)));
    // The same enemy comes back, and the guard with another rig.
    let enemy = sender.join(&character("enemy")).unwrap();
    let mut other = character("guard");
    other.reference[0].position.y += 0.5;
    let guard = sender.join(&other).unwrap();
    (15..20).for_each(|frame| {
        deliver(&mut sender, &at(enemy, frame));
        deliver(&mut sender, &GameFrame { result: None, ..at(guard, frame) });
        deliver(&mut sender, &at(0, frame));
    });
    until(&mut session, "all frames arrive", |session| {
        session.tools.games.games.first().is_some_and(|game| game.len() == 35)
    });
    let [game] = &session.tools.games.games[..] else { panic!("{} runs", session.tools.games.games.len()) };
    assert_eq!(characters(game), ["player* 20", "guard 0", "enemy* 10", "guard* 5"]);
    let lane = &game.lanes[2];
    let stays: Vec<_> = lane
        .spans()
        .map(|span| (span.left.is_some(), lane.ends(span).map(|[a, b]| [a.outline.frame, b.outline.frame])))
        .collect();
    assert_eq!(stays, [(true, Some([5, 9])), (false, Some([15, 19]))]);
    assert_eq!(lane.skipped, 0, "frames of an absence are not missing");
    let id = game.id;
    session.apply(Action::Game(GameAction::Show(Shown { game: id, character: 2 })));
    run(&mut session, Command::TuneGame);
    assert!(session.tunes_now());
    assert!(sender.leave(enemy));
    until(&mut session, "the enemy has left", |session| message(session).contains("enemy has left the game"));
    assert!(!session.tunes_now());
    drop(sender);
    // The run is saved, without the guard that sent no frame, and opened again.
    let path = temporary("joins.jsonl");
    session.apply(Action::File(Command::SaveRecording, path.clone()));
    until(&mut session, "saved", |session| session.tools.games.saving.is_none());
    let text = std::fs::read_to_string(&path).unwrap();
    let mut reader = Reader::new();
    let lines: Vec<Line> = text.lines().filter_map(|line| reader.read(line).unwrap()).collect();
    let count = |is: &dyn Fn(&Line) -> bool| lines.iter().filter(|line| is(line)).count();
    assert_eq!(count(&|line| matches!(line, Line::Frame(_))), 35);
    assert_eq!(count(&|line| matches!(line, Line::Join(_))), 3);
    assert_eq!(count(&|line| matches!(line, Line::Leave(_))), 2);
    let mut opened = self::session();
    opened.apply(Action::OpenAny(path));
    opened.wait_for_opening(PATIENCE);
    let game = &opened.tools.games.games[0];
    assert_eq!(characters(game), ["player* 20", "enemy 10", "guard* 5"]);
    until(&mut opened, "compared", |session| session.tools.games.games[0].lanes[1].judged == 10);
    let game = &opened.tools.games.games[0];
    assert_eq!(game.lanes.iter().map(|lane| lane.differing).sum::<usize>(), 0);
    for (own, lane) in game.characters.iter().zip(&game.lanes) {
        for (_, entry) in lane.entries() {
            let frame = game.source(entry).read().unwrap();
            assert_eq!(frame.animated.len(), own.skeleton.len());
        }
    }
}

/// Parameters that a line omits are those of the character's previous frame since it joined, not those of an earlier
/// stay.
#[test]
fn a_recording_with_joins_reads_each_frame_as_the_reader_does() {
    let mut asked = kinescope_ik::Settings::default();
    asked.chains[0].pull = 0.25;
    let (mut writer, mut text) = Writer::new(&Header { producer: "a test".to_owned(), characters: Vec::new() });
    let mut frame = 0;
    for round in 0..3 {
        let (index, line) = writer.join(&character("enemy")).unwrap();
        text += &line;
        let mut lines = |settings| {
            text += &writer.frame(&GameFrame { character: index, ..solved(0, frame, settings) }).unwrap();
            frame += 1;
        };
        (0..2).for_each(|_| lines(Default::default()));
        (0..2).for_each(|_| lines(asked));
        // In the last round, frame numbers and times begin again at 0.
        frame *= u64::from(round == 0);
        text += &writer.leave(index).unwrap();
    }
    let path = temporary("rejoins.jsonl");
    std::fs::write(&path, &text).unwrap();
    let mut session = session();
    session.apply(Action::OpenAny(path));
    session.wait_for_opening(PATIENCE);
    let game = &session.tools.games.games[0];
    assert_eq!(characters(game), ["enemy 8", "enemy 4"]);
    let mut reader = Reader::new();
    let read = text.lines().filter_map(|line| match reader.read(line).unwrap() {
        Some(Line::Frame(frame)) => Some(frame),
        _ => None,
    });
    let entries = game.lanes.iter().flat_map(|lane| lane.entries());
    for ((_, entry), frame) in entries.zip(read) {
        let own = game.source(entry).read().unwrap();
        assert_eq!((own.frame, own.parameters, &own.animated), (frame.frame, frame.parameters, &frame.animated));
    }
}

#[test]
fn a_game_that_reconnects_with_its_present_characters_continues_its_run() {
    let (mut session, address) = listening();
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    let enemy = sender.join(&character("enemy")).unwrap();
    (0..5).for_each(|frame| send(&mut sender, &at(enemy, frame)));
    let len = |session: &Session| session.tools.games.games.iter().map(Game::len).sum::<usize>();
    until(&mut session, "the frames arrive", |session| len(session) == 5);
    sender.leave(1);
    run(&mut session, Command::DisconnectGame);
    let start = Instant::now();
    for frame in 5.. {
        // The sender drops frames until it is connected again.
        send(&mut sender, &at(enemy, frame));
        session.update(1.0 / 60.0);
        if len(&session) >= 12 {
            break;
        }
        assert!(start.elapsed() < PATIENCE, "{:?}", session.window.notice);
    }
    let names: Vec<String> = session.tools.games.games.iter().flat_map(characters).collect();
    let names: Vec<&str> = names.iter().filter_map(|name| name.split(' ').next()).collect();
    assert_eq!(names, ["player*", "guard", "enemy*"]);
}

fn read_answers(stream: TcpStream) -> Vec<String> {
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let lines = BufReader::new(stream).lines();
    // The end of the connection may come as an error.
    lines.map_while(Result::ok).collect()
}

#[test]
fn refused_lines_and_headers_are_answered() {
    let (mut session, address) = listening();
    let (_, first) = Writer::new(&header());
    let frame = Writer::new(&header()).0.frame(&solved(0, 0, Default::default())).unwrap();
    let mut stream = TcpStream::connect(&address).unwrap();
    let text = format!("{first}[]\n{{\"leave\":\"nobody\"}}\n\u{7f}\n{frame}{{\"mark\":7,\"time\":1}}\n");
    stream.write_all(text.as_bytes()).unwrap();
    stream.write_all(b"\xff\n").unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let answers = read_answers(stream);
    assert_eq!(answers[0], "{\"kinescope\":1}");
    let refused: Vec<Refusal> = answers[1..].iter().map(|line| Refusal::of_line(line).unwrap()).collect();
    let fields: Vec<(u64, &str)> = refused.iter().map(|refusal| (refusal.line, refusal.field.as_str())).collect();
    assert_eq!(fields, [(2, ""), (3, "leave"), (4, ""), (6, "mark"), (7, "")]);
    assert_eq!(refused[0].message, "is a list; expected an object");
    assert_eq!(refused[4].message, "is not text (UTF-8)");
    until(&mut session, "the frame arrives", |session| session.tools.games.traffic().frames == 1);
    assert_eq!(session.tools.games.traffic().refused, 5);
    // After a refused header, the connection is closed, even if the game has sent much more.
    for (header, field, says) in [
        (first.replace("\"version\":2", "\"version\":9"), "version", "this program reads versions 1 to 2"),
        (first.replace("\"guard\"", "\"player\""), "characters[1].name", "names must be unique"),
        ("{\"format\":\"kinescope-recording\",\"version\":2,\"persons\":[]}\n".to_owned(), "persons", "unknown field"),
        ("nonsense\n".to_owned(), "", "a JSON value is expected here"),
    ] {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream.write_all((header + &frame.repeat(50)).as_bytes()).unwrap();
        let answers = read_answers(stream);
        assert_eq!((answers.len(), answers[0].as_str()), (2, "{\"kinescope\":1}"), "{answers:?}");
        let refusal = Refusal::of_line(&answers[1]).unwrap();
        assert_eq!((refusal.line, refusal.field.as_str()), (1, field));
        assert!(refusal.message.contains(says), "{}", refusal.message);
    }
    // The library's sender passes the answers on.
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    let pose = &header().characters[0].reference;
    while !sender.send(&link::Frame::new(0, f64::NAN, pose)) {}
    until(&mut session, "the line is refused", |_| sender.refused().is_some_and(|refusal| refusal.field == "time"));
    // `hang_up`, which `kinescope send` uses, returns the answer as an error.
    drop(sender);
    let mut stream = TcpStream::connect(&address).unwrap();
    stream.write_all((first + "{}\n").as_bytes()).unwrap();
    let error = hang_up(stream, PATIENCE).unwrap_err().to_string();
    assert!(error.starts_with("the window refused line 2, time: is missing"), "{error}");
}

/// Peers that sent nothing or an incomplete header used to hold the listener for five seconds each.
#[test]
fn slow_peers_do_not_hold_the_window() {
    let (mut session, address) = listening();
    let connect = || TcpStream::connect(&address).unwrap();
    let silent = connect();
    let (mut slow, mut web) = (connect(), connect());
    slow.write_all(b"{\"for").unwrap();
    web.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").unwrap();
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    send(&mut sender, &solved(0, 0, Default::default()));
    until(&mut session, "a frame arrives", |session| session.tools.games.traffic().frames == 1);
    // After five seconds, the peer that began a header gets an answer and is disconnected.
    let mut text = String::new();
    let _ = (&slow).read_to_string(&mut text);
    assert!(text.contains("\"no header within 5 s\""), "{text}");
    drop((silent, web));
}

type Socket = WebSocket<TcpStream>;

fn open(address: &str, origin: Option<&str>) -> Result<Socket, String> {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut request = format!("ws://{address}/").into_client_request().unwrap();
    if let Some(origin) = origin {
        request.headers_mut().insert("origin", origin.parse().unwrap());
    }
    tungstenite::client(request, stream).map(|(socket, _)| socket).map_err(|error| error.to_string())
}

fn next(socket: &mut Socket) -> String {
    loop {
        match socket.read().unwrap() {
            Message::Text(text) => return text.as_str().to_owned(),
            Message::Close(why) => return format!("closed: {why:?}"),
            _ => {}
        }
    }
}

#[test]
fn a_game_in_a_browser_sends_the_same_lines_by_web_socket() {
    let (mut session, address) = listening();
    let mut socket = open(&address, Some("http://localhost:5173")).unwrap();
    assert_eq!(next(&mut socket), "{\"kinescope\":1}");
    let text = recording(&played(20, 10));
    let (first, rest) = text.split_once('\n').unwrap();
    socket.send(Message::text(first)).unwrap();
    // One line per message, and many lines in one message.
    let lines: Vec<&str> = rest.lines().collect();
    for line in &lines[..5] {
        socket.send(Message::text(*line)).unwrap();
    }
    socket.send(Message::Ping(vec![1, 2, 3].into())).unwrap();
    socket.send(Message::text(lines[5..].join("\n"))).unwrap();
    until(&mut session, "all frames arrive", |session| session.lane().is_some_and(|lane| lane.judged == 20));
    assert_eq!(session.lane().unwrap().differing, 10);
    let joins = Writer::new(&header()).0.join(&character("enemy")).unwrap().1;
    socket.send(Message::text(joins)).unwrap();
    let arrived = |session: &Session| session.tools.games.games[0].characters.len() == 3;
    until(&mut session, "the enemy joins", arrived);
    socket.send(Message::text("{}")).unwrap();
    assert!(matches!(socket.read(), Ok(Message::Pong(_))));
    let refusal = Refusal::of_line(&next(&mut socket)).unwrap();
    assert_eq!(refusal.field, "time");
    socket.send(Message::binary(vec![1])).unwrap();
    assert_eq!(Refusal::of_line(&next(&mut socket)).unwrap().message, "is not text (UTF-8)");
    run(&mut session, Command::TuneGame);
    let mut edited = *session.world.settings();
    edited.pin = 0.5;
    session.edit_settings("pin", None, edited);
    session.update(0.0);
    assert!(next(&mut socket).starts_with("{\"character\":\"player\",\"parameters\":{"));
    session.window.notice = None;
    socket.close(None).unwrap();
    while socket.read().is_ok() {}
    until(&mut session, "the game has disconnected", |session| session.tools.games.traffic().from.is_none());
    assert!(message(&session).contains("disconnected; its 20 frames stay"), "{}", message(&session));
    let mut socket = open(&address, None).unwrap();
    assert_eq!(next(&mut socket), "{\"kinescope\":1}");
    socket.send(Message::text("[]")).unwrap();
    assert_eq!(Refusal::of_line(&next(&mut socket)).unwrap().line, 1);
    let closed = next(&mut socket);
    assert!(closed.contains("Policy"), "{closed}");
}

#[test]
fn pages_of_strangers_cannot_connect() {
    let (mut session, address) = listening();
    for origin in ["https://example.com", "null", "http://localhost.example.com", "http://192.168.0.7"] {
        let error = open(&address, Some(origin)).unwrap_err();
        assert!(error.contains("403"), "{origin}: {error}");
    }
    until(&mut session, "the refusals are counted", |session| session.tools.games.traffic().turned_away == 4);
    assert!(message(&session).contains("pages of https://example.com may not connect"), "{}", message(&session));
    session.window.notice = None;
    // A page can make a browser send other requests of HTTP. They are answered and counted, without a further notice.
    for request in ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}"] {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        assert!(answer.starts_with("HTTP/1.1 426 Upgrade Required"), "{request}: {answer}");
        assert!(!answer.contains("kinescope\":1"), "{answer}");
    }
    until(&mut session, "all are counted", |session| session.tools.games.traffic().turned_away == 6);
    session.update(1.0 / 60.0);
    assert_eq!((message(&session).as_str(), session.tools.games.games.len()), ("", 0));
}

#[test]
fn limits_hold_for_web_sockets() {
    let (mut session, address) = listening();
    let mut socket = open(&address, None).unwrap();
    assert_eq!(next(&mut socket), "{\"kinescope\":1}");
    socket.send(Message::text(Writer::new(&header()).1)).unwrap();
    // The window may refuse the message before all of it is sent.
    let _ = socket.send(Message::text("x".repeat((16 << 20) + 1)));
    let answer = std::iter::from_fn(|| match socket.read() {
        Ok(Message::Text(text)) => Some(text.as_str().to_owned()),
        _ => None,
    });
    let refusal = Refusal::of_line(&answer.last().unwrap()).unwrap();
    let message_of_line = "is longer than 16 MiB, or its WebSocket message is; send shorter lines and messages";
    assert_eq!((refusal.line, refusal.message.as_str()), (2, message_of_line));
    until(&mut session, "the end is reported", |session| message(session).contains("line 2 is longer than 16 MiB"));
    // A handshake with too many headers, and one with a header that is too long.
    for request in ["X: y\r\n".repeat(20_000), "X: ".to_owned() + &"y".repeat(10 << 20)] {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        let _ = stream.write_all(format!("GET / HTTP/1.1\r\n{request}").as_bytes());
        let ended = stream.read_to_end(&mut Vec::new());
        assert!(ended.is_ok() || ended.is_err_and(|error| error.kind() != std::io::ErrorKind::WouldBlock));
    }
    let mut sender = link::Sender::new(&address, &header()).unwrap();
    send(&mut sender, &solved(0, 0, Default::default()));
    until(&mut session, "a frame arrives", |session| session.tools.games.traffic().frames == 1);
}

/// Returns a recording in which two characters with different rigs have the same name one after the other. With `bug`,
/// the last result of each is wrong by 0.1 m.
fn two_rigs(bug: bool) -> String {
    let (mut writer, mut text) = Writer::new(&Header { producer: "a test".to_owned(), characters: Vec::new() });
    let mut larger = character("enemy");
    let mut bones = larger.skeleton.bones().to_vec();
    bones.push(kinescope_ik::rig::Bone { name: "sword".to_owned(), parent: Some(0), ..bones[0].clone() });
    larger.reference.push(larger.reference[0]);
    larger.skeleton = kinescope_ik::Skeleton::new(bones).unwrap();
    for own in [character("enemy"), larger] {
        let (index, line) = writer.join(&own).unwrap();
        text += &line;
        for frame in 0..3 {
            let mut animated = solved(0, frame, Default::default()).animated;
            animated.resize(own.skeleton.len(), animated[0]);
            let trace = kinescope_ik::Trace::solve("", own.rig(animated), Default::default()).unwrap();
            let mut solved = GameFrame::of_trace(&trace, (index, frame, frame as f64));
            if let Some(result) = solved.result.as_mut().filter(|result| bug && result.len() == own.skeleton.len()) {
                result[own.biped.pelvis].position.y += if frame == 2 { 0.1 } else { 0.0 };
            }
            text += &writer.frame(&solved).unwrap();
        }
        text += &writer.leave(index).unwrap();
    }
    text
}

#[test]
fn the_commands_follow_joins() {
    let file = temporary("two rigs.jsonl");
    let path = file.to_str().unwrap();
    std::fs::write(&file, two_rigs(false)).unwrap();
    let same = kinescope(&["diff", path]);
    assert_eq!(text(&same.stdout), "6 frames compared, none differs\n", "{}", text(&same.stderr));
    let (mut session, address) = listening();
    let (to, sent) = (address.clone(), path.to_owned());
    let sends = std::thread::spawn(move || kinescope(&["send", &sent, "--to", &to, "--speed", "1000"]));
    until(&mut session, "all frames arrive", |session| session.tools.games.traffic().frames == 6);
    let output = sends.join().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    session.update(1.0 / 60.0);
    let games: Vec<_> = session.tools.games.games.iter().map(characters).collect();
    assert_eq!(games, [["enemy 3", "enemy 3"]]);
    std::fs::write(&file, two_rigs(true)).unwrap();
    let differs = kinescope(&["diff", path]);
    assert_eq!(differs.status.code(), Some(1));
    let printed = text(&differs.stdout);
    assert!(printed.contains("enemy frame 2 at 2.000 s") && printed.contains("2 of 6 frames differ"), "{printed}");
}
