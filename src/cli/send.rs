use std::path::Path;

use super::input::each_line;
use kinescope_ik::game_recording;

/// Sends the lines of a recording at their recorded times, played `speed` times as fast.
pub(super) fn send(path: &Path, to: &str, speed: f64) -> Result<(), String> {
    use std::io::Write;
    use std::time::{Duration, Instant};
    let hang_up = |stream| kinescope_ik::link::hang_up(stream, kinescope_ik::link::PATIENCE);
    let reached = |error: std::io::Error| match error.get_ref() {
        Some(said) => format!("{to}: {said}"),
        None => format!("{to}: {error}. Is a window listening there (kinescope --listen)?"),
    };
    let mut stream: Option<std::net::TcpStream> = None;
    let (begun, mut first) = (Instant::now(), None);
    each_line(path, |text, line, _| {
        let time = match line {
            Some(game_recording::Line::Frame(frame)) => Some(frame.time),
            Some(game_recording::Line::Mark(mark)) => Some(mark.time),
            Some(game_recording::Line::Join(_) | game_recording::Line::Leave(_)) | None => None,
        };
        if let Some(time) = time {
            let since = (time - *first.get_or_insert(time)) / speed;
            let due = Duration::try_from_secs_f64(since.max(0.0)).unwrap_or_default();
            std::thread::sleep(due.saturating_sub(begun.elapsed()));
        }
        let stream = match &mut stream {
            Some(stream) => stream,
            // The connection starts only once the header is known to be valid.
            none => none.insert(std::net::TcpStream::connect(to).map_err(reached)?),
        };
        let written = stream.write_all(text.trim_end().as_bytes()).and_then(|()| stream.write_all(b"\n"));
        // If the window closed the connection, it may have sent the reason.
        written.map_err(|error| stream.try_clone().and_then(hang_up).err().unwrap_or(error)).map_err(reached)
    })?;
    stream.map_or(Ok(()), |stream| hang_up(stream).map_err(reached))
}
