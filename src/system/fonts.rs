//! Fonts that are installed on this machine. A page in a browser sees none.

#[cfg(not(target_arch = "wasm32"))]
mod installed {
    use fontdb::{Database, ID, Source};

    pub(crate) type Font = ID;

    pub struct Installed(Database);

    impl Installed {
        pub fn find() -> Self {
            let mut database = Database::new();
            database.load_system_fonts();
            Self(database)
        }

        pub fn none() -> Self {
            Self(Database::new())
        }

        pub(crate) fn with_data<T>(&self, font: Font, read: impl FnOnce(&[u8], u32) -> T) -> Option<T> {
            self.0.with_face_data(font, read)
        }

        /// Returns the font with the highest `rating` of its file. Among these, prefers upright fonts of normal weight,
        /// then proportional fonts without serifs, then fonts stored in files. Fonts without a rating are left out:
        /// `None` if no font has one.
        pub(crate) fn best<T: Ord>(&self, rating: impl Fn(&[u8], u32) -> Option<T>) -> Option<Font> {
            let rated = self.0.faces().filter_map(|face| {
                let covered = self.with_data(face.id, &rating)??;
                let is_plain = face.style == fontdb::Style::Normal && face.weight == fontdb::Weight::NORMAL;
                let name = face.families.first().map_or(String::new(), |(name, _)| name.to_lowercase());
                let has_serifs = ["serif", "song", "ming", "batang"].iter().any(|word| name.contains(word));
                let is_file = matches!(face.source, Source::File(_) | Source::SharedFile(..));
                Some(((covered, is_plain, !has_serifs && !face.monospaced, is_file), face.id))
            });
            // The sort is stable, so among equally good fonts the first in the database is returned.
            let mut rated: Vec<_> = rated.collect();
            crate::system::order::sort_by(&mut rated, |a, b| b.0.cmp(&a.0));
            rated.first().map(|(_, id)| *id)
        }
    }
}

#[cfg(target_arch = "wasm32")]
mod installed {
    pub(crate) type Font = std::convert::Infallible;

    pub struct Installed;

    impl Installed {
        pub fn find() -> Self {
            Self
        }

        pub(crate) fn with_data<T>(&self, font: Font, _: impl FnOnce(&[u8], u32) -> T) -> Option<T> {
            match font {}
        }

        pub(crate) fn best<T: Ord>(&self, _: impl Fn(&[u8], u32) -> Option<T>) -> Option<Font> {
            None
        }
    }
}

pub(crate) use installed::Font;
pub use installed::Installed;
