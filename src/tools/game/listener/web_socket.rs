//! Connections of games in a browser: a WebSocket whose text messages have one or more lines each.
//!
//! A browser lets any page open a WebSocket to this machine, so the `Origin` of the page decides. Browsers set it, and pages
//! cannot change it. Only pages that come from this machine may connect.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::Ordering;

use kinescope_ik::game_recording::MOST_LINE;
use tungstenite::error::CapacityError;
use tungstenite::handshake::HandshakeError;
use tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tungstenite::http::{StatusCode, header};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, Message, WebSocket};

use super::inbox::End;
use super::is_late;
use super::reading::{Connection, Progress};
use super::sender::LineSender;
use crate::system::clock::Instant;
use crate::tools::game::words as text;

/// Largest size of waiting data of the protocol, such as answers to pings, bytes.
pub const MOST_RAW: usize = 64 << 10;

/// Returns a message as one frame. A server's frames have no mask.
pub fn message(kind: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![kind];
    match content.len() {
        length @ 0..126 => bytes.push(length as u8),
        length @ 126..=0xffff => {
            bytes.push(126);
            bytes.extend((length as u16).to_be_bytes());
        }
        length => {
            bytes.push(127);
            bytes.extend((length as u64).to_be_bytes());
        }
    }
    bytes.extend(content);
    bytes
}

impl LineSender {
    /// Holds lines back until the WebSocket is open.
    pub fn hold(&self) {
        self.lock().is_held = true;
    }

    pub fn send_messages(&self) {
        let mut outbox = self.lock();
        outbox.is_held = false;
        outbox.frame = Some(message);
    }

    /// Queues data of the protocol. Returns false while too much earlier data waits for the peer.
    pub fn send_raw(&self, bytes: &[u8]) -> bool {
        let mut outbox = self.lock();
        if outbox.raw.len() + bytes.len() > MOST_RAW {
            return false;
        }
        outbox.raw.extend_from_slice(bytes);
        self.changed.notify_one();
        true
    }
}

/// The stream of a WebSocket. The sending thread writes, because it also sends lines.
struct Pipe<'a> {
    stream: &'a TcpStream,
    sender: &'a LineSender,
}

impl Read for Pipe<'_> {
    fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(piece);
        // Systems report the timeout in two ways.
        read.map_err(|error| if is_late(&error) { ErrorKind::WouldBlock.into() } else { error })
    }
}

impl Write for Pipe<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.sender.send_raw(bytes) {
            true => Ok(bytes.len()),
            false => Err(ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Connection {
    pub(super) fn read_web_socket(&self, progress: &mut Progress, called: Instant) -> End {
        let mut socket = match self.shake_hands(called) {
            Ok(socket) => socket,
            Err(end) => return end,
        };
        self.peer.sender.send_messages();
        self.peer.sender.greet();
        loop {
            if let Some(end) = self.end_if_overdue(called, progress.has_any_header()) {
                return end;
            }
            match socket.read() {
                Ok(Message::Text(lines)) => {
                    self.shared.inbox().traffic.bytes += lines.len() as u64;
                    for line in lines.as_str().lines() {
                        if let Err(end) = self.take_line(progress, Some(line), false) {
                            return end;
                        }
                    }
                }
                Ok(Message::Binary(bytes)) => {
                    self.shared.inbox().traffic.bytes += bytes.len() as u64;
                    if let Err(end) = self.take_line(progress, None, false) {
                        return end;
                    }
                }
                Ok(Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_)) => {}
                Err(Error::Io(error)) if is_late(&error) => {}
                Err(Error::ConnectionClosed | Error::AlreadyClosed) => return End::Closed,
                Err(Error::Capacity(CapacityError::MessageTooLong { .. })) => {
                    return self.refuse_long_line(progress.lines() + 1);
                }
                // Usually the game crashed or the browser left the page. Violations of the WebSocket protocol and other
                // I/O errors also end here.
                Err(Error::Io(_) | Error::Protocol(_)) => return End::CutOff,
                Err(error) => return End::Refused(text::peer_error(&self.peer.from, &error)),
            }
        }
    }

    /// Answers the request that opens the WebSocket. The header's time limit includes the handshake.
    fn shake_hands(&self, called: Instant) -> Result<WebSocket<Pipe<'_>>, End> {
        self.peer.sender.hold();
        let pipe = Pipe { stream: &self.peer.stream, sender: &self.peer.sender };
        // A message may have many lines, but no more bytes than one line.
        let config = WebSocketConfig::default().max_message_size(Some(MOST_LINE)).max_frame_size(Some(MOST_LINE));
        let mut foreign = None;
        // The library's callback has this type.
        #[expect(clippy::result_large_err)]
        let check = |request: &Request, response: Response| check_origin(request, response, &mut foreign);
        let mut step = tungstenite::accept_hdr_with_config(pipe, check, Some(config));
        let why = loop {
            match step {
                Ok(socket) => return Ok(socket),
                Err(HandshakeError::Interrupted(next)) => {
                    if let Some(end) = self.end_if_overdue(called, false) {
                        return Err(end);
                    }
                    step = next.handshake();
                }
                Err(HandshakeError::Failure(error)) => break error,
            }
        };
        self.shared.inbox().traffic.turned_away += 1;
        let from = self.peer.from;
        let told = match foreign {
            Some(origin) => text::origin_refused(&from, &origin),
            None => {
                self.peer.sender.send_raw(text::not_a_page().as_bytes());
                text::no_web_socket(&from, &why)
            }
        };
        match self.shared.has_told_of_web.swap(true, Ordering::Relaxed) {
            true => Err(End::Closed),
            false => Err(End::Refused(told)),
        }
    }
}

/// Accepts a request without an `Origin`, which only programs other than browsers send, or from pages of this machine.
/// Otherwise sets `foreign` to the origin.
// The library's callback has this type.
#[expect(clippy::result_large_err)]
fn check_origin(
    request: &Request,
    response: Response,
    foreign: &mut Option<String>,
) -> Result<Response, ErrorResponse> {
    let origins = request.headers().get_all(header::ORIGIN).iter();
    let mut origins = origins.map(|origin| origin.to_str().unwrap_or_default());
    match origins.find(|origin| !is_own_page(origin)) {
        None => Ok(response),
        Some(origin) => {
            *foreign = Some(origin.chars().filter(|letter| !letter.is_control()).take(LONGEST_ORIGIN).collect());
            let mut refused = ErrorResponse::new(Some(text::SERVE_LOCALLY.to_owned()));
            *refused.status_mut() = StatusCode::FORBIDDEN;
            Err(refused)
        }
    }
}

/// Largest number of characters of an origin in a message.
const LONGEST_ORIGIN: usize = 100;

/// Returns whether an origin, `scheme://host:port`, is a page that a server on this machine delivers. The names of other
/// machines do not count even if they have this machine's address, because their owners choose that address. A page opened
/// from a file has the origin `null`, and so have frames in pages of strangers.
pub fn is_own_page(origin: &str) -> bool {
    let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    let host = host.map(|host| match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    });
    matches!(host, Some("localhost" | "127.0.0.1" | "[::1]"))
}
