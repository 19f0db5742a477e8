//! What a frame costs the game that sends it: 53 bones, with a result, while somebody listens and while nobody does.

mod common;

use std::io::Read;
use std::net::TcpListener;

use divan::Bencher;
use kinescope::game_recording::{GameCharacter, Header};
use kinescope::link::{Frame, Sender};
use kinescope::{Bone, LocalTransform, RigidTransform, Skeleton};

fn main() {
    divan::main();
}

/// The built-in biped with helpers, so that it has 53 bones.
fn header() -> Header {
    let common::Setup { model, biped, animated: mut reference, .. } = common::Setup::new();
    let mut bones = model.skeleton.bones().to_vec();
    while bones.len() < 53 {
        let name = format!("helper {}", bones.len());
        bones.push(Bone { name, parent: Some(0), rest: LocalTransform::IDENTITY });
        reference.push(RigidTransform::IDENTITY);
    }
    let skeleton = Skeleton::new(bones).expect("parents come first");
    let character = GameCharacter { name: "player".to_owned(), skeleton, biped, reference };
    Header { producer: "benchmark".to_owned(), characters: vec![character] }
}

fn frames(bencher: Bencher, address: &str) {
    let header = header();
    let mut sender = Sender::new(address, &header).expect("an address");
    let pose = header.characters[0].reference.clone();
    let mut time = 0.0;
    bencher.bench_local(|| {
        time += 1.0 / 60.0;
        sender.send(&Frame { result: Some(&pose), ..Frame::new(0, time, &pose) })
    });
}

#[divan::bench]
fn to_a_listener(bencher: Bencher) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its address").to_string();
    std::thread::spawn(move || {
        let mut piece = [0; 1 << 16];
        while let Ok((mut stream, _)) = listener.accept() {
            while stream.read(&mut piece).is_ok_and(|count| count > 0) {}
        }
    });
    frames(bencher, &address);
}

#[divan::bench]
fn to_nobody(bencher: Bencher) {
    frames(bencher, "127.0.0.1:9");
}
