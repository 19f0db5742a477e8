//! Suggested file names for save dialogs.

use std::path::Path;

use crate::session::Session;

fn stem(session: &Session) -> String {
    let model = session.world.character.path.as_deref().and_then(Path::file_stem);
    model.map_or_else(
        || without_folders(&session.world.character.model.name),
        |stem| stem.to_string_lossy().into_owned(),
    )
}

fn without_folders(name: &str) -> String {
    name.replace(['/', '\\', ':'], " ")
}

pub(crate) fn of_model(session: &Session, ending: &str) -> String {
    stem(session) + ending
}

pub(crate) fn preset(session: &Session) -> String {
    let own = session.files.preset.as_deref().and_then(Path::file_name);
    own.map_or_else(|| of_model(session, ".json"), |name| name.to_string_lossy().into_owned())
}

pub(crate) fn baked(session: &Session) -> String {
    let clip = session.world.clip.clip().and_then(|clip| session.world.character.model.clips.get(clip));
    let clip = clip.map_or("clip".into(), |clip| without_folders(&clip.name));
    format!("{} {clip}.glb", stem(session))
}

pub(crate) fn recording(session: &Session) -> String {
    let name = session.tools.games.to_save().map_or("game", |game| game.name.trim_end_matches(".jsonl"));
    format!("{}.jsonl", without_folders(name))
}
