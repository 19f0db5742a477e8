use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Options;
use crate::character::Character;
use crate::character::preset_model::no_model;
use crate::scenes::{SCENES, Scene};
use crate::session::{Action, Dialog, Session, Start};
use crate::shell::words as text;
use crate::tools::learn::Lesson;
use crate::tools::learn::lessons::LESSONS;
use crate::tools::learn::session::LearnAction;
use kinescope_ik::share::is_link;

/// Time for which the window waits for the command line's file. After that time, it opens before the file is loaded. Errors
/// within that time go to the terminal.
const WAITS_FOR_FILE: Duration = Duration::from_secs(1);

/// Creates the session and opens the files of the command line, so that their errors appear before the window opens. A
/// slow file continues to open in the window, which shows the built-in character meanwhile. A screenshot waits for its
/// file.
pub(super) fn open_session(options: &Options) -> Result<Session, String> {
    let is_error = |session: &mut Session| match session.window.notice.take_if(|notice| notice.is_error) {
        Some(notice) => Err(notice.text),
        None => Ok(()),
    };
    let scene = options.scene.as_deref().map(find_scene);
    if let Some(name) = &options.lesson {
        find_lesson(name)?;
    }
    let (preset, clip, is_silent) = (options.preset.clone(), options.clip.clone(), options.screenshot.is_some());
    let start = Start { scene: scene.transpose()?, preset, clip, is_silent, ..Start::default() };
    let longest = if options.screenshot.is_some() { Duration::MAX } else { WAITS_FOR_FILE };
    let mut session = Session::new(Character::built_in()?);
    let link = |path: &PathBuf| path.to_str().filter(|text| is_link(text)).map(str::to_owned);
    let has_bones = |path: &PathBuf| {
        link(path).is_some() || crate::system::files::is_json(path) || crate::system::files::is_recording(path)
    };
    if options.body.is_some() && !options.model.as_ref().is_some_and(has_bones) {
        return Err(text::BODY_NEEDS_RECORDING.to_owned());
    }
    match &options.model {
        Some(path) if has_bones(path) => {
            session.apply(link(path).map_or_else(|| Action::OpenAny(path.clone()), Action::OpenLink));
            session.wait_for_opening(longest);
            match &session.window.notice {
                // A partly unreadable recording opens nevertheless, and the error goes to the terminal.
                Some(notice) if session.tools.games.is_shown() && notice.is_error => {
                    eprintln!("{}", crate::system::files::one_line(&notice.text))
                }
                _ => is_error(&mut session)?,
            }
            apply_body(&mut session, options.body.as_deref(), longest)?;
            session.start(Start { keeps_character: true, ..start })?;
        }
        Some(path) => {
            session.open_model_and_start(path, Start { keeps_character: true, unit: options.unit, ..start });
            session.wait_for_model(longest)?;
        }
        None => {
            session.start(start)?;
            // The preset's model may still be loading.
            session.wait_for_model(longest)?;
        }
    }
    if options.preset.is_some()
        && let Some(difference) = session.files.difference.take()
    {
        eprintln!("kinescope: warning: {}", crate::system::files::one_line(&difference));
    }
    // Nobody can answer a question in a screenshot, so the reason is printed.
    if options.screenshot.is_some()
        && let Some(Dialog::SceneNeedsClips { scene, missing }) = &session.window.dialog
    {
        let text = crate::shell::panes::dialogs::missing_clips_text(&session.world.character.model, scene, missing);
        eprintln!("kinescope: warning: {}", crate::system::files::one_line(&text));
    }
    if options.screenshot.is_some()
        && let Some(Dialog::ModelOfPreset { preset, why, .. }) = &session.window.dialog
    {
        return Err(no_model(preset, why));
    }
    if let Some(address) = &options.listen {
        session.listen(address);
        is_error(&mut session)?;
    }
    Ok(session)
}

pub(super) fn open_lesson(session: &mut Session, name: Option<&str>) -> Result<(), String> {
    let Some(name) = name else { return Ok(()) };
    let (lesson, step) = find_lesson(name)?;
    let action = step.map_or(LearnAction::Open(lesson), |step| LearnAction::OpenAt(lesson, step));
    session.apply(Action::Learn(action));
    Ok(())
}

pub(super) fn find_scene(name: &str) -> Result<&'static Scene, String> {
    Scene::find(name).ok_or_else(|| {
        let names: Vec<&str> = SCENES.iter().map(|scene| scene.name).collect();
        text::no_scene(&name, &names.join("; "))
    })
}

pub(super) fn find_lesson(name: &str) -> Result<(usize, Option<usize>), String> {
    Lesson::named(name).ok_or_else(|| {
        let keys: Vec<&str> = LESSONS.iter().map(|lesson| lesson.key).collect();
        text::no_lesson(&name, &keys.join(", "))
    })
}

/// Draws the recording, trace or capsule with the mesh of `--body`, if any. A mesh that matches only some of the bones
/// is no error.
fn apply_body(session: &mut Session, body: Option<&Path>, longest: Duration) -> Result<(), String> {
    match (&mut session.tools.games.opening, body) {
        // The mesh is applied once the recording is open.
        (Some(opening), Some(body)) => opening.body = Some(body.to_owned()),
        (None, Some(body)) => session.choose_body(body),
        (_, None) => {}
    }
    session.wait_for_model(longest)?;
    match (session.window.notice.as_ref().filter(|notice| notice.is_error), session.world.character.body()) {
        (Some(notice), Some(_)) => eprintln!("kinescope: warning: {}", crate::system::files::one_line(&notice.text)),
        (Some(notice), None) if !session.tools.games.is_shown() => return Err(notice.text.clone()),
        (Some(_), None) | (None, _) => {}
    }
    Ok(())
}
