//! The example of a game in a browser, `web/examples/three`, in Chromium: it attaches to a window by WebSocket.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use glam::Vec3;
use kinescope::session::Session;
use kinescope::session::commands::Command;
use kinescope_ik::full_body::Effector;

use crate::common::PATIENCE;
use crate::common::files::temporary;
use crate::common::session::{run, session};

/// Chromium and the folder of its profile. Dropping this ends Chromium and deletes the folder.
struct Browser(Child, PathBuf);

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
        let _ = std::fs::remove_dir_all(&self.1);
    }
}

/// Delivers files of the folder `web` on a thread, and returns the port.
fn serve() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            std::thread::spawn(move || answer(stream));
        }
    });
    port
}

fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let path = request.split(' ').nth(1).unwrap_or_default().split('?').next().unwrap_or_default();
    let path = if path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() };
    let file = std::fs::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/web")).join(&path[1..]));
    let kind = if path.ends_with(".js") { "text/javascript" } else { "text/html" };
    let status = if file.is_ok() { "200 OK" } else { "404 Not Found" };
    let body = file.unwrap_or_default();
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    stream.write_all(&body)
}

#[test]
fn a_page_with_three_js_attaches_its_characters() {
    let three = concat!(env!("CARGO_MANIFEST_DIR"), "/web/node_modules/three");
    let program = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
    let folder = temporary("chromium");
    let mut session = session();
    session.listen("127.0.0.1:0");
    let port = session.tools.games.connection.listening().unwrap().listener.address.port();
    let page = format!("http://localhost:{}/examples/three/?spawn&port={port}", serve());
    let browser = std::process::Command::new(program)
        .args([
            "--headless",
            "--no-sandbox",
            "--use-gl=angle",
            "--use-angle=swiftshader",
            "--enable-unsafe-swiftshader",
        ])
        .args(["--no-first-run", "--disable-background-networking", "--disable-dev-shm-usage", "--window-size=320,240"])
        .arg(format!("--user-data-dir={}", folder.display()))
        .args(["--remote-debugging-port=0", &page])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let browser = match browser {
        Ok(browser) if Path::new(three).exists() => Browser(browser, folder),
        // In CI, everything is installed.
        missing => {
            drop(missing.map(|browser| Browser(browser, folder)));
            assert!(std::env::var_os("KINESCOPE_CI").is_none(), "Chromium or web/node_modules is missing");
            return;
        }
    };
    let mut wait = |what: &str, is: &dyn Fn(&Session) -> bool, act: &mut dyn FnMut(&mut Session)| {
        let start = Instant::now();
        while !is(&session) {
            assert!(start.elapsed() < PATIENCE, "{what}: {:?}", session.window.notice);
            std::thread::sleep(Duration::from_millis(2));
            session.update(1.0 / 60.0);
        }
        act(&mut session);
    };
    let player = |session: &Session| session.lane().is_some_and(|lane| lane.len() > 5 && lane.with_result > 5);
    wait("the player's frames arrive", &player, &mut |session| {
        let (game, character) = session.tools.games.shown().unwrap();
        assert_eq!((game.name.as_str(), game.characters[character].name.as_str()), ("three.js example", "player"));
        assert_eq!(session.world.settings().effector(Effector::LeftHand).position, Some(Vec3::new(0.4, 1.3, 0.4)));
        run(session, Command::TuneGame);
        assert!(session.tunes_now());
        let mut edited = *session.world.settings();
        edited.pin = 0.5;
        edited.effector_mut(Effector::LeftHand).position = Some(Vec3::new(0.3, 1.5, 0.3));
        session.edit_settings("pin", None, edited);
    });
    let adopted = |session: &Session| {
        let game = session.tools.games.received_game().unwrap();
        let entry = game.lanes[0].last().unwrap();
        let parameters = game.source(entry).read().unwrap().parameters;
        parameters.pin == 0.5 && parameters.effector(Effector::LeftHand).position == Some(Vec3::new(0.3, 1.5, 0.3))
    };
    wait("the page adopts the edit", &adopted, &mut |session| {
        let game = session.tools.games.received_game().unwrap();
        let frame = game.source(game.lanes[0].last().unwrap()).read().unwrap();
        let hand = frame.result.as_ref().unwrap()[game.characters[0].biped.limbs[0].bones[2]].position;
        assert!(hand.distance(Vec3::new(0.3, 1.5, 0.3)) < 1e-3, "{hand}");
    });
    let came_and_went = |session: &Session| {
        let game = session.tools.games.received_game().unwrap();
        game.lanes.get(1).is_some_and(|lane| lane.len() > 5 && lane.spans().len() > 1)
    };
    wait("a guard comes, goes and comes again", &came_and_went, &mut |session| {
        let [game] = &session.tools.games.games[..] else { panic!("{} runs", session.tools.games.games.len()) };
        assert_eq!(game.characters[1].name, "guard 1");
        assert_eq!(session.tools.games.traffic().refused, 0);
    });
    drop(browser);
    wait("the page has disconnected", &|session| session.tools.games.traffic().from.is_none(), &mut |_| {});
}
