use crate::character::BuiltIn;
use crate::scenes::{RestPose, Scene};
use crate::session::words as text;
use crate::session::{Action, Dialog, Now, Request, Selection, Session};
use crate::tools::body_lab::session::is_open;
use crate::tools::chains::ChainView;
use crate::world::document::{ClipSection, Document};
use kinescope_ik::stack::{LayerId, Method};

impl Session {
    pub fn start_scene(&mut self, scene: &'static Scene) {
        self.leave_game();
        // A scene that needs a built-in character replaces another built-in one, but never the user's model. A
        // character that the previous scene opened gives way to the mannequin if the new scene needs none.
        let wanted = scene.built_in().or(self.started_scene.opened_character.then_some(BuiltIn::Mannequin));
        if let (Some(wanted), Some(own)) = (wanted, self.world.character.built_in_kind())
            && wanted != own
        {
            self.replace_document(Document::default());
            (self.files.preset, self.started_scene.scene) = (None, None);
            self.bring(wanted);
            self.started_scene.opened_character = scene.built_in().is_some();
        }
        self.started_scene.rest = RestPose::of(&self.world.character);
        self.started_scene.time = 0.0;
        self.world.time.now = Now::Live;
        let mut document = scene.document(&self.started_scene.rest);
        let mapping = self.world.history.document().mapping.clone();
        let reference = self.world.history.document().reference;
        (document.mapping, document.reference) = (mapping, reference);
        let is_missing =
            |name: &String| !document.is_of_motion_file(name) && self.world.character.find_clip(name).is_err();
        if document.clip.name.as_ref().is_some_and(is_missing) {
            document.clip = ClipSection::default();
        }
        if scene.built_in().is_some() && !self.started_scene.rest.has_hocks {
            self.notify(text::SCENE_NEEDS_HOCKS);
        }
        self.started_scene.scene = Some(scene);
        self.files.preset = None;
        self.set_selection(Selection::Nothing);
        self.tools.chains = ChainView::default();
        self.world.motion.forget_lanes();
        let was_lab = self.world.lab().is_some();
        let was_walking = self.world.plan().terrain.is_some();
        self.replace_document(document);
        self.experiment(scene);
        let walks = self.world.plan().terrain.is_some();
        if self.world.lab().is_some() || was_lab || walks || was_walking {
            self.update(0.0);
            self.frame_all();
        }
        if is_open(self) {
            self.window.requests.push(Request::ShowPane(crate::session::Pane::BodyLab));
        }
        if self.world.lab().is_some() {
            self.window.requests.push(Request::ShowPane(crate::session::Pane::Lab));
        } else if !self.world.chain_section().chains.is_empty() {
            self.apply(Action::Select(Selection::Layer(LayerId::Chain(0))));
        } else if self.world.stack().order.retarget.on {
            self.apply(Action::Select(Selection::Layer(LayerId::Retarget)));
            // The skeleton of the motion file is shown once the clip is solved.
            self.update(0.0);
            self.frame_all();
        } else if !self.world.stack().modifiers.is_empty() {
            self.apply(Action::Select(Selection::of_modifier(0, &self.world.stack().modifiers[0])));
        } else if self.world.plan().grounding.method == Method::Path {
            self.apply(Action::Select(Selection::Layer(LayerId::Footprints)));
        } else if self.world.plan().grounding.method != Method::Off {
            self.apply(Action::Select(Selection::Layer(LayerId::Grounding)));
        }
        let motion = self.world.plan().motion;
        if !motion.gaits.is_empty() || !motion.layers.is_empty() {
            self.window.requests.push(Request::ShowPane(crate::session::Pane::Motion));
        }
        self.show_crowd(true);
        self.look.is_unchecked = true;
    }

    pub(crate) fn start_scene_or_ask(&mut self, scene: &'static Scene) {
        // A scene that needs a built-in character replaces the built-in one shown, and the new character has the clips.
        let brings = scene.built_in().is_some() && self.world.character.built_in_kind().is_some();
        let missing = scene.missing_clips(&RestPose::of(&self.world.character));
        match missing.is_empty() || brings {
            true => self.start_scene(scene),
            false => self.window.dialog = Some(Dialog::SceneNeedsClips { scene: scene.name, missing }),
        }
    }

    pub(crate) fn start_scene_on_mannequin(&mut self, scene: &'static Scene) {
        self.replace_document(Document::default());
        (self.files.preset, self.started_scene.scene) = (None, None);
        // The notice belongs to the previous model.
        self.window.notice = None;
        self.bring(BuiltIn::Mannequin);
        self.start_scene(scene);
        self.frame_all();
    }
}
