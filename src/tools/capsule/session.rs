use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::character::{BuiltIn, Character, body_mesh};
use crate::picture::camera::Camera;
use crate::session::commands::Command;
use crate::session::commands::why::NO_FRAMES;
use crate::session::{Action, Now, Pane, Request, Session, opening};
use crate::system::files::{self, SizeLimit};
use crate::tools::capsule::words as text;
use crate::tools::capsule::{CapsuleSource, character_of};
use crate::tools::chains::session::ChainAction;
use crate::tools::compare::port::first_place;
use crate::tools::finder::session::selection_of;
use crate::tools::steps::Port;
use crate::ui::words::counted;
use crate::world::World;
use crate::world::document::Document;
use kinescope_ik::capsule::{Capsule, Instant};
use kinescope_ik::error::Fault;
use kinescope_ik::full_body::{Node, Part};
use kinescope_ik::rig::ModelPose;
use kinescope_ik::stack::{Input, Stack};
use kinescope_ik::trace::Trace;
use kinescope_ik::trace_diff::Place;

/// Largest number of frames in a saved capsule: 4 seconds at 60 frames per second.
const CAPSULE_FRAMES: usize = 240;

pub(crate) fn capsule_bytes(session: &Session, path: &Path) -> Result<Vec<u8>, String> {
    let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let capsule = session.capsule(&name, CAPSULE_FRAMES).ok_or_else(|| NO_FRAMES.to_owned())?;
    Ok(capsule.to_json().into_bytes())
}

/// If `model` names a built-in character whose mesh fits completely, draws the bones with that mesh. Models from files
/// are not opened.
fn draw_built_in_mesh(session: &mut Session, model: &str) {
    let built_in = BuiltIn::ALL.into_iter().find(|built_in| built_in.name() == model);
    let Some(Ok(whole)) = built_in.map(Character::from_built_in) else { return };
    if let Ok(body) = body_mesh::fit(whole, &session.world.character)
        && body.fit.is_whole()
    {
        session.set_body(Some(Arc::new(body)));
    }
}

pub(crate) fn show_capsule(session: &mut Session, capsule: &Capsule, document: Document) {
    let Some(character) = character_of(capsule, &capsule.model) else { return };
    // A character made of bones has no clip. Its animated poses are in the frames.
    let document = Document { clip: Default::default(), ..document };
    session.take_bones(character, document);
    draw_built_in_mesh(session, &capsule.model);
    let changed = session.put_frames_on_tape(capsule);
    let [first, last] = session.tools.debugger.tape.range().unwrap_or_default();
    let instant = &capsule.instant;
    let number = (first + instant.frame as u64).min(last);
    session.world.time.now = Now::Paused;
    session.world.time.frame = number;
    session.solve();
    session.go_to(instant);
    let camera: Option<Camera> = capsule.preset.section("camera").unwrap_or_default();
    match camera.filter(Camera::is_usable) {
        Some(camera) => session.look.camera = camera,
        None => {
            // The character may have walked away along its path, so the camera moves to it.
            if let Some(body) = session.state().map(|state| state.node(Node::Body))
                && body.distance(session.look.camera.target) > session.world.character.height
            {
                session.frame_from_here(&session.world.picture.pose.clone());
            }
            session.keep_shown_in_view();
        }
    }
    let name = crate::ui::words::capsule_name(capsule);
    match changed {
        0 => session.notify(text::all_same(&name, &counted(capsule.frames.len(), "frame"))),
        _ => session.fail(text::some_differ(&name, &changed, &capsule.frames.len())),
    }
}

impl Session {
    /// Opens a file of unknown kind, by its extension or, for JSON, by its field `format`. Opens other JSON as a
    /// preset.
    pub(crate) fn open_any(&mut self, path: PathBuf) {
        if files::is_recording(&path) {
            return self.apply(Action::File(Command::OpenRecording, path));
        }
        if !files::is_json(&path) {
            return opening::open_dropped(self, &path);
        }
        #[derive(serde::Deserialize)]
        struct Head {
            format: String,
        }
        let head: Option<Head> =
            files::read_text(&path, SizeLimit::CAPSULE).ok().and_then(|text| serde_json::from_str(&text).ok());
        self.apply(match head.as_ref().map(|head| head.format.as_str()) {
            Some(kinescope_ik::trace::FORMAT) => Action::File(Command::OpenTrace, path),
            Some(kinescope_ik::capsule::FORMAT) => Action::File(Command::OpenCapsule, path),
            Some(kinescope_ik::chain_ik::file::FORMAT) => Action::Chains(ChainAction::OpenFile(path)),
            _ => Action::File(Command::OpenPreset, path),
        });
    }

    pub(crate) fn open_trace(&mut self, path: &Path) {
        let say = |error: String| format!("{}: {error}", path.display());
        let read = files::read_text(path, SizeLimit::TRACE)
            .and_then(|text| Trace::from_json(&text).map_err(|error| say(error.to_string())))
            .and_then(|trace| {
                let own = Trace::whole(&trace.model, trace.rig.clone(), trace.parameters);
                Ok((own.map_err(|error| say(error.to_string()))?, trace))
            });
        let (own, trace) = match read {
            Ok(read) => read,
            Err(error) => return self.fail(error),
        };
        let rig = &trace.rig;
        let animated = ModelPose::rigid(rig.animated.clone());
        let name = if trace.model.is_empty() { "trace" } else { &trace.model };
        let character =
            Character::from_bones(name, &rig.skeleton, Some(rig.biped.clone()), &rig.reference, None, &animated);
        let stack = Stack { full_body: trace.parameters, ..Stack::default() };
        let document = Document { stack: stack.clone(), ..Document::default() };
        self.take_bones(character, document);
        self.put_on_tape(0.0, Input::new(stack, animated));
        let port = Port::new(files::name_of(path), trace, &own, &self.world.solved);
        let text = match first_place(&port, &|length| self.world.character.length(length)) {
            Some(place) => text::first_difference(&port.other.name, &place),
            None => text::no_difference(&port.other.name, port.diff.tolerance),
        };
        self.tools.debugger.port = Some(port);
        self.pause();
        self.analyse();
        self.seek_first_difference();
        self.window.requests.push(Request::ShowPane(Pane::Compare));
        self.notify(text);
    }

    pub(crate) fn seek_first_difference(&mut self) {
        let Some(diff) = self.tools.debugger.port.as_ref().map(|port| &port.diff) else { return };
        let (first, part) = (diff.first, diff.first_write().map(|(part, _)| part));
        let bone = match diff.first_place() {
            Some(Place::Write(_, Some(bone)) | Place::Result(bone)) => {
                self.world.character.model.skeleton.find(&bone.bone)
            }
            _ => None,
        };
        let node_of = |bone| {
            let solver = self.world.character.rig.full_body.as_ref().ok()?;
            Node::ALL.into_iter().find(|&node| solver.bone_of(node) == bone)
        };
        if let Some(node) = first.map(|first| first.node).or_else(|| node_of(bone?)) {
            self.set_selection(selection_of(node));
        }
        let run = self.world.solved.full_body();
        let of_write = || part.and_then(|part| run?.cursor_of_part(part));
        let at = first.and_then(|first| run?.cursor_of(first.step)).or_else(of_write);
        // If neither a step nor a write differs, seeks the end, at which every bone is written.
        let end = || Part::ALL.into_iter().rev().find_map(|part| run?.cursor_of_part(part));
        self.seek(at.or_else(end).unwrap_or(self.world.time.cursor));
    }

    pub(crate) fn open_capsule(&mut self, path: &Path) {
        let say = |error: Fault| format!("{}: {error}", path.display());
        let read = files::read_text(path, SizeLimit::CAPSULE).and_then(|text| {
            let capsule = Capsule::from_json(&text).map_err(say)?;
            let document = Document::from_preset(&capsule.preset).map_err(say)?;
            Ok((capsule, document))
        });
        match read {
            Ok((capsule, document)) => show_capsule(self, &capsule, document),
            Err(error) => self.fail(error),
        }
    }

    /// Replaces character and document without asking about unsaved changes.
    pub(crate) fn take_bones(&mut self, character: Character, document: Document) {
        let camera = self.world.character.height / character.height;
        self.replace_document(document.clone());
        self.take(character);
        self.replace_document(document);
        self.started_scene.scene = None;
        self.files.preset = None;
        self.world.time.now = Now::Live;
        self.tools.debugger.tape.clear();
        self.world.time.resample = true;
        if !(0.99..1.01).contains(&camera) {
            self.frame_all();
        }
        // The character has no mesh of its own, so bones and nodes are shown.
        for shown in [&mut self.look.view.bones, &mut self.look.view.nodes] {
            *shown = true;
        }
    }

    /// Solves the frames of a capsule on the session's character, and puts them on the tape. Returns how many results
    /// differ from the recorded ones.
    pub(crate) fn put_frames_on_tape(&mut self, capsule: &Capsule) -> usize {
        let mut changed = 0;
        let mut time = capsule.frames.first().map_or(0.0, |frame| frame.time);
        for frame in &capsule.frames {
            let plan = self.world.history.document().plan();
            self.world.motion.set_ground(&plan, &self.world.character, frame.input.place.ground_time);
            self.put_on_tape((frame.time - time).max(1e-4), frame.input.clone());
            time = frame.time;
            changed += usize::from(frame.outcome.change(&self.world.solved).is_some());
        }
        changed
    }

    pub(crate) fn put_on_tape(&mut self, dt: f32, input: Input) {
        self.world.picture.animated = ModelPose::clone(&input.animated);
        self.world.picture.stack = input.stack.clone();
        self.world.solved = Arc::new(self.world.compose(&input));
        self.world.picture.stack = self.world.solved.stack.clone();
        if let Some((_, problem)) = self.world.solved.problem() {
            self.fail(text::not_solved(&problem));
        }
        let left = self.world.solved.remaining(&self.world.character.rig, self.focus(), self.end());
        self.tools.debugger.tape.record(dt, &self.world.solved, left, None);
        self.world.time.frame = self.tools.debugger.tape.last().map_or(0, |frame| frame.number);
        self.world.time.needs_solve = false;
        self.world.time.resample = false;
        self.world.time.cursor = self.end();
        self.world.picture.remaining.take();
        self.show();
    }

    pub(crate) fn go_to(&mut self, instant: &Instant) {
        let Some(at) = self.world.solved.run(instant.layer).map(|run| instant.cursor(run)) else { return };
        if self.focus() != instant.layer {
            self.look_at(instant.layer, 0);
        }
        self.seek(at);
    }

    pub(crate) fn capsule(&self, name: &str, most: usize) -> Option<Capsule> {
        let earlier = self.world.time.frame.saturating_sub(most as u64 - 1)..self.world.time.frame;
        let on_tape = earlier.filter_map(|number| self.tools.debugger.tape.get(number));
        let mut frames: Vec<_> = on_tape.map(|frame| (frame.time, frame.input.clone())).collect();
        let time = self.tools.debugger.tape.get(self.world.time.frame).map_or(0.0, |frame| frame.time);
        // The last frame has the settings shown, including changes made while paused.
        frames.push((time, self.world.solved.input.clone()));
        let (last, layer) = (frames.len() - 1, self.focus());
        let instant = self.shown_run().map(|run| Instant::of(last, layer, run, self.world.time.cursor));
        let source = CapsuleSource {
            document: Document { stack: self.world.stack().clone(), ..self.world.history.document().clone() },
            instant,
            ..self.world.capsule_source(frames)
        };
        let mut capsule = source.capsule(name)?;
        if let Ok(camera) = serde_json::to_value(self.look.camera) {
            capsule.preset.sections.insert("camera".to_owned(), camera);
        }
        Some(capsule)
    }
}

impl World {
    pub(crate) fn capsule_source(&self, frames: Vec<(f64, Input)>) -> CapsuleSource {
        let (rig, biped) = (self.character.rig.clone(), self.character.detection.biped.clone());
        CapsuleSource { rig, biped, document: self.history.document().clone(), frames, instant: None }
    }
}
