//! The cost of a frame for the game that sends it: 53 bones with a result, with and without a listening window.

mod common;

use std::io::Read;
use std::net::TcpListener;

use divan::Bencher;
use kinescope_ik::link::{Frame, Sender};

fn main() {
    divan::main();
}

fn frames(bencher: Bencher, address: &str) {
    let header = common::game_header();
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
