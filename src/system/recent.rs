use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::files::{SizeLimit, absolute, configuration, read_text, store_quietly};

pub const MOST_RECENT: usize = 10;

/// Recently opened files, newest first. They are stored in the user's configuration folder if there is one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecentFiles {
    pub models: Vec<PathBuf>,
    pub presets: Vec<PathBuf>,
    /// Whether changes are stored: true only for a list from [`Self::load`].
    #[serde(skip)]
    is_kept: bool,
}

impl RecentFiles {
    pub fn load() -> Self {
        Self { is_kept: true, ..Self::stored() }
    }

    fn stored() -> Self {
        let text = configuration("recent.json").and_then(|place| read_text(&place, SizeLimit::CONFIGURATION).ok());
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    pub(crate) fn add_model(&mut self, path: &Path) {
        self.add(path, |list| &mut list.models);
    }

    pub(crate) fn add_preset(&mut self, path: &Path) {
        self.add(path, |list| &mut list.presets);
    }

    /// Adds a path to the list. A stored list is loaded again first, because another window may have changed it. A failure
    /// to store the list is silently ignored.
    fn add(&mut self, path: &Path, list: impl Fn(&mut Self) -> &mut Vec<PathBuf>) {
        if !self.is_kept {
            return put_first(list(self), path);
        }
        *self = Self::load();
        put_first(list(self), path);
        if let (Some(place), Ok(text)) = (configuration("recent.json"), serde_json::to_vec_pretty(self)) {
            store_quietly(&place, &text);
        }
    }
}

pub fn put_first(list: &mut Vec<PathBuf>, path: &Path) {
    let path = absolute(path).unwrap_or_else(|| path.to_owned());
    list.retain(|other| *other != path);
    list.insert(0, path);
    list.truncate(MOST_RECENT);
}
