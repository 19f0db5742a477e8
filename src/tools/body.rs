//! Choosing a body mesh for characters that consist of bones only: those of recordings, capsules and traces.

use std::path::Path;
use std::sync::Arc;

use crate::character::Character;
use crate::character::body_mesh::{self, BodyMesh};
use crate::session::Session;
use crate::session::opening::BodyOf;
use crate::system::files;
use crate::tools::words as text;

impl Session {
    pub(crate) fn choose_body(&mut self, path: &Path) {
        self.choose_body_with(path, Character::load);
    }

    pub fn choose_body_with(
        &mut self,
        path: &Path,
        read: impl FnOnce(&Path) -> Result<Character, String> + Send + 'static,
    ) {
        if !self.world.character.is_of_bones() {
            let name = &self.world.character.model.name;
            let text = text::takes_no_mesh(&name);
            return self.fail(text);
        }
        let of = BodyOf { skeleton: self.world.character.model.skeleton.clone() };
        self.open_body_with(path, of, read);
    }

    pub(crate) fn take_body(&mut self, model: Character, of: &BodyOf) -> Result<(), String> {
        if !Arc::ptr_eq(&of.skeleton, &self.world.character.model.skeleton) {
            return Ok(());
        }
        let body = Arc::new(body_mesh::fit(model, &self.world.character)?);
        let text = text::drawn_as(&self.world.character.model.name, &files::name_of(&body.path), &body.fit.describe());
        let is_whole = body.fit.is_whole();
        self.set_body(Some(body));
        match is_whole {
            true => self.notify(text),
            // An error notice does not disappear by itself, so the user sees what does not match.
            false => self.fail(text),
        }
        Ok(())
    }

    pub(crate) fn use_capsules(&mut self) {
        match self.world.character.body().map(|body| files::name_of(&body.path)) {
            Some(name) => {
                self.set_body(None);
                self.notify(text::dropped_mesh(&name, &self.world.character.model.name));
            }
            None => self.notify(text::NO_MESH),
        }
    }

    pub(crate) fn set_body(&mut self, body: Option<Arc<BodyMesh>>) {
        if let Some(shown) = self.tools.games.shown_id()
            && let Some(game) = self.tools.games.get_mut(shown.game)
            && let Some(own) = game.bodies.get_mut(shown.character)
        {
            own.clone_from(&body);
        }
        self.world.character.set_body(body);
        // The changed number makes renderers load the new meshes. A crowd stays, because it depends only on the bones.
        self.window.bodies += 1;
    }
}
