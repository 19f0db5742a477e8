use super::{address, shared, words as text};
use crate::session::commands::Command;
use crate::session::files::{OpenedPreset, open_with_model};
use crate::session::{Request, Session};
use crate::tools::capsule::session::show_capsule;
use crate::world::document::Document;
use kinescope_ik::error::Fault;
use kinescope_ik::share::Shared;

pub(crate) fn copy_link(session: &mut Session) {
    let Some(shared) = shared(session) else { return };
    match shared.to_fragment() {
        Ok(fragment) => {
            session.notify(match &shared {
                Shared::Preset(_) => text::copied_preset(&session.world.character.model.name, fragment.len()),
                Shared::Capsule(_) => text::copied_capsule(fragment.len()),
            });
            session.window.requests.push(Request::Copy(address() + &fragment));
        }
        Err(error) => {
            session.ask_for_file(Command::SaveCapsule);
            session.fail(text::too_long(&error));
        }
    }
}

pub(crate) fn open_link(session: &mut Session, link: &str) {
    if let Err(fault) = read(session, link) {
        session.fail(text::not_opened(&fault));
    }
}

fn read(session: &mut Session, link: &str) -> Result<(), Fault> {
    match Shared::from_link(link)? {
        Shared::Preset(preset) => {
            let opened = OpenedPreset::of(&preset)?;
            if opened.needs_file() {
                return Err(Fault::new("model.path", text::NEEDS_FILE));
            }
            open_with_model(session, opened);
        }
        Shared::Capsule(capsule) => {
            let document = Document::from_preset(&capsule.preset).map_err(|fault| fault.within("preset"))?;
            show_capsule(session, &capsule, document);
        }
    }
    Ok(())
}
