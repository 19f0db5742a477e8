//! The mesh that the user chooses for a character of bones alone, as recordings, capsules and traces have it.

use std::path::Path;
use std::sync::Arc;

use crate::character::Character;
use crate::character::body_mesh::{self, BodyMesh};
use crate::session::Session;
use crate::session::opening::BodyOf;
use crate::system::files;

impl Session {
    /// Opens the model whose mesh the character is to be drawn with, off the drawing thread.
    pub fn choose_body(&mut self, path: &Path) {
        self.choose_body_with(path, Character::load);
    }

    /// The same with a reader of the caller's, as [`Session::open_model_with`].
    pub fn choose_body_with(
        &mut self,
        path: &Path,
        read: impl FnOnce(&Path) -> Result<Character, String> + Send + 'static,
    ) {
        if !self.character.is_of_bones() {
            let name = &self.character.model.name;
            let text =
                format!("{name} has a mesh of its own; open a game's recording or a bug capsule to choose one for it");
            return self.fail(text);
        }
        let of = BodyOf { skeleton: self.character.model.skeleton.clone() };
        self.open_body_with(path, of, read);
    }

    /// The model is there: its mesh is bound to the bones that it was opened for.
    ///
    /// # Errors
    /// One line: the mesh does not fit these bones.
    pub(crate) fn take_body(&mut self, model: Character, of: &BodyOf) -> Result<(), String> {
        if !Arc::ptr_eq(&of.skeleton, &self.character.model.skeleton) {
            return Ok(());
        }
        let body = Arc::new(body_mesh::fit(model, &self.character)?);
        let text = format!(
            "{} is drawn as {}: {}",
            self.character.model.name,
            files::name_of(&body.path),
            body.fit.describe()
        );
        let is_whole = body.fit.is_whole();
        self.set_body(Some(body));
        match is_whole {
            true => self.notify(text),
            // What does not match is to be read.
            false => self.fail(text),
        }
        Ok(())
    }

    /// Draws capsules again.
    pub(crate) fn use_capsules(&mut self) {
        match self.character.body().map(|body| files::name_of(&body.path)) {
            Some(name) => {
                self.set_body(None);
                self.notify(format!("{} is drawn as capsules; {name} is dropped", self.character.model.name));
            }
            None => self.notify("no body mesh was chosen"),
        }
    }

    /// Draws a mesh, or capsules, and remembers it for the recording.
    fn set_body(&mut self, body: Option<Arc<BodyMesh>>) {
        if let Some(shown) = self.games.shown_id()
            && let Some(game) = self.games.get_mut(shown.game)
            && let Some(own) = game.bodies.get_mut(shown.character)
        {
            own.clone_from(&body);
        }
        self.character.set_body(body);
        // Whoever has the meshes of the one before takes them anew.
        self.desk.characters += 1;
    }
}
