//! The log: a JSON line for each frame in which something changed, and answers to lines on standard input.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use glam::Vec3;
use serde_json::{Map, Value, json};

use super::Shell;
use crate::session::Session;
use crate::system::jobs::Job;
use kinescope_ik::full_body::{Effector, Node};
use kinescope_ik::json::shortest;
use kinescope_ik::stack::MeasureId;
use kinescope_ik::timing::Work;

/// Answers lines on standard input while logging. The window answers a line once it has processed all earlier input, so that
/// tests on a virtual screen need no pauses on slow machines.
pub(super) struct LogRequests {
    heard: Arc<AtomicU64>,
    answered: u64,
    /// Number of the newest line seen, and the frame in which it was seen.
    seen: (u64, u64),
}

impl LogRequests {
    /// Number of frames between a line and its answer while nothing moves. Each frame first processes the events that
    /// came before it.
    const SEES: u64 = 2;
    /// Number of frames after which the window answers even if something is always moving.
    const LONGEST: u64 = 12;

    pub(super) fn start(wake: impl Fn() + Send + 'static) -> Option<Self> {
        let input = std::io::stdin();
        if input.is_terminal() {
            return None;
        }
        let heard = Arc::new(AtomicU64::new(0));
        let counts = heard.clone();
        let read = move || {
            for _ in input.lines().map_while(Result::ok) {
                counts.fetch_add(1, Ordering::Relaxed);
                wake();
            }
        };
        crate::system::threads::spawn("standard input", read).ok()?;
        Some(Self { heard, answered: 0, seen: (0, 0) })
    }

    /// Returns whether a line waits for its answer, and whether it is answered now.
    pub(super) fn look(&mut self, frame: u64, is_moving: bool) -> (bool, bool) {
        let heard = self.heard.load(Ordering::Relaxed);
        if heard != self.seen.0 {
            self.seen = (heard, frame);
        }
        let frames = frame - self.seen.1;
        let answers = heard != self.answered && frames >= if is_moving { Self::LONGEST } else { Self::SEES };
        if answers {
            self.answered = heard;
        }
        (heard != self.answered, answers)
    }
}

impl Shell {
    pub(super) fn write_log(&mut self, asked_for: bool) {
        let Some(last) = &mut self.log else { return };
        let session = &self.session;
        let vector = |v: Vec3| v.to_array().map(shortest);
        let handles = handles(session);
        let (mut nodes, mut gaps, mut values) = (Map::new(), Map::new(), Map::new());
        if let Some(state) = session.state() {
            for node in Node::ALL {
                nodes.insert(node.key().to_owned(), json!(vector(state.node(node))));
            }
        }
        let frame = session.world.body_frame();
        for effector in Effector::ALL.into_iter().filter(|effector| frame.effector(*effector).position_weight > 0.0) {
            gaps.insert(effector.key().to_owned(), json!(shortest(session.world.gap(effector))));
        }
        let measures = session.world.solved.measures();
        let ids: Vec<&MeasureId> = measures.iter().map(|measure| &measure.id).collect();
        let (rig, at) = (&session.world.character.rig, session.world.time.cursor);
        let found = session.world.solved.values(rig, &ids, session.focus(), std::iter::once(at)).pop();
        for (measure, value) in measures.iter().zip(found.unwrap_or_default()) {
            if let Some(value) = value {
                values.insert(measure.view.key.clone(), json!(shortest(value)));
            }
        }
        let step = session.shown_run().filter(|run| session.world.time.cursor.step < run.steps());
        let step = step.map(|run| run.step(session.world.time.cursor.step));
        let crowd = session.tools.crowd.crowd().map(|crowd| {
            json!({ "members": crowd.members().len(), "followed": session.tools.crowd.followed.map(|index| index + 1) })
        });
        let game = session.tools.games.shown().zip(session.lane()).map(|((game, character), lane)| {
            let compared = session.tools.debugger.port.as_ref().and_then(|port| port.diff.first);
            let differs = lane.entries().find(|(_, entry)| entry.verdict.differs()).map(|(_, entry)| entry);
            json!({
                "name": game.name,
                "character": game.characters[character].name,
                "frames": lane.len(),
                "frame": session.shown_frame().map(|(frame, _)| frame),
                "differing": lane.differing,
                "first_difference": differs.map(|entry| {
                    json!({ "frame": entry.outline.frame, "stage": game.place(entry.verdict) })
                }),
                "compared": compared.map(|first| json!({ "stage": first.step.stage.key(), "node": first.node.key() })),
                "connected": session.tools.games.is_connected(),
            })
        });
        let line = json!({
            "live": session.world.is_live(),
            "paused": session.world.time.is_paused(),
            "cursor": {
                "layer": session.focus(),
                "iteration": step.as_ref().and_then(|step| step.iteration),
                "stage": step.as_ref().map(|step| step.key),
                "move": session.world.time.cursor.within,
            },
            "tape": {
                "frame": session.world.time.frame,
                "what_if": session.tools.debugger.what_if.as_ref().map_or(0, |what_if| what_if.changes.len()),
            },
            "camera": camera(session),
            "selected": session.interaction.selection.key(),
            "unsaved": session.world.history.is_unsaved(),
            "dialog": session.window.dialog.as_ref().map(|dialog| dialog.key()),
            "message": session.window.notice.as_ref().map(|notice| &notice.text),
            "handles": handles,
            "nodes": nodes,
            "gaps": gaps,
            "measures": values,
            "crowd": crowd,
            "game": game,
            "clip_time": session.world.clip.clip().map(|_| shortest(session.world.clip.time())),
            "lesson": lesson(session),
            "job": job(session).map(shortest),
        });
        if line == *last && !asked_for {
            return;
        }
        last.clone_from(&line);
        let mut line = line;
        line["frame"] = json!(self.frame);
        line["input"] = json!(self.typing.read_in);
        if let Some(asked) = &self.asked {
            line["answer"] = json!(asked.answered);
        }
        let tenths = |micros: f32| json!(shortest((micros * 10.0).round() / 10.0));
        line["solve_us"] = tenths(session.world.solved.times().total());
        if let Some(frame_time) = session.tools.crowd.frame_time {
            line["crowd_us"] = tenths(frame_time.frame);
        }
        if let Some(drawing) = session.world.picture.drawing {
            line["drawing_us"] = tenths(drawing.sum(Work::is_drawing));
        }
        print_line(&line.to_string());
    }
}

/// Returns the places of the handles: in the window, in physical pixels, and in model space.
fn handles(session: &Session) -> Map<String, Value> {
    let scale = super::display::pixel_ratio();
    let mut places = Map::new();
    for handle in session.handles() {
        let screen = (handle.screen * scale).round();
        let position = handle.position.to_array().map(shortest);
        let place = json!({ "screen": [screen.x as i64, screen.y as i64], "position": position });
        places.insert(handle.id.key(), place);
    }
    places
}

fn camera(session: &Session) -> Value {
    let camera = &session.look.camera;
    let [yaw, pitch, distance] = [camera.yaw, camera.pitch, camera.distance].map(shortest);
    json!({ "target": camera.target.to_array().map(shortest), "yaw": yaw, "pitch": pitch, "distance": distance })
}

fn job(session: &Session) -> Option<f32> {
    let debugger = &session.tools.debugger;
    let sweep = debugger.sweep.job.as_ref().map(Job::progress);
    let reach = || debugger.reach.job.as_ref().map(Job::progress);
    let again = || debugger.again.job.as_ref().map(Job::progress);
    let trackers = || debugger.trackers.job.as_ref().map(Job::progress);
    let bake = || session.files.baking.as_ref().map(|(_, job)| job.progress());
    let opening = || session.opening().map(|(_, done)| done.unwrap_or(0.0));
    sweep.or_else(reach).or_else(again).or_else(trackers).or_else(bake).or_else(opening)
}

fn lesson(session: &Session) -> Option<Value> {
    let learn = &session.tools.learn;
    let (lesson, _) = learn.shown()?;
    Some(json!({ "key": lesson.key, "step": learn.at.map(|(_, step)| step + 1), "done": learn.is_met }))
}

#[cfg(not(target_arch = "wasm32"))]
fn print_line(line: &str) {
    use std::io::Write;
    // Errors are ignored, because the reader may be gone.
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{}", crate::system::files::for_terminal(line)).and_then(|()| out.flush());
}

#[cfg(target_arch = "wasm32")]
fn print_line(line: &str) {
    crate::system::page::log(line);
}
