//! Fonts that are installed on this machine. A page in a browser sees none.

#[cfg(not(target_arch = "wasm32"))]
mod installed {
    use fontdb::{Database, ID, Source};

    /// Identifies an installed font.
    pub type Font = ID;

    /// Installed fonts.
    pub struct Installed(Database);

    impl Installed {
        /// Finds the system's fonts.
        pub fn find() -> Self {
            let mut database = Database::new();
            database.load_system_fonts();
            Self(database)
        }

        /// Creates a collection without fonts.
        pub fn none() -> Self {
            Self(Database::new())
        }

        /// Calls a function with a font's file and the font's index in it. `None` if the file cannot be read.
        pub fn with_data<T>(&self, font: Font, read: impl FnOnce(&[u8], u32) -> T) -> Option<T> {
            self.0.with_face_data(font, read)
        }

        /// Returns the best font: prefers a high `rating` of its file, then upright fonts of normal weight, then
        /// proportional fonts without serifs, then fonts stored in files. Skips fonts without a rating.
        pub fn best<T: Ord>(&self, rating: impl Fn(&[u8], u32) -> Option<T>) -> Option<Font> {
            let rated = self.0.faces().filter_map(|face| {
                let covered = self.with_data(face.id, &rating)??;
                let is_plain = face.style == fontdb::Style::Normal && face.weight == fontdb::Weight::NORMAL;
                let name = face.families.first().map_or(String::new(), |(name, _)| name.to_lowercase());
                let has_serifs = ["serif", "song", "ming", "batang"].iter().any(|word| name.contains(word));
                let is_file = matches!(face.source, Source::File(_) | Source::SharedFile(..));
                Some(((covered, is_plain, !has_serifs && !face.monospaced, is_file), face.id))
            });
            // The sort is stable: among equally good fonts, the first in the database wins.
            let mut rated: Vec<_> = rated.collect();
            rated.sort_by(|a, b| b.0.cmp(&a.0));
            rated.first().map(|(_, id)| *id)
        }
    }
}

#[cfg(target_arch = "wasm32")]
mod installed {
    /// Identifies an installed font: there is none.
    pub type Font = std::convert::Infallible;

    /// Installed fonts: none.
    pub struct Installed;

    impl Installed {
        pub fn find() -> Self {
            Self
        }

        pub fn with_data<T>(&self, font: Font, _: impl FnOnce(&[u8], u32) -> T) -> Option<T> {
            match font {}
        }

        pub fn best<T: Ord>(&self, _: impl Fn(&[u8], u32) -> Option<T>) -> Option<Font> {
            None
        }
    }
}

pub use installed::{Font, Installed};
