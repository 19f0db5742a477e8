use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    std::env::temp_dir().join(format!("kinescope-tests-{}", std::process::id()))
}

/// Returns a path for a file that a test writes, in a folder named after the source file of the caller.
#[track_caller]
pub fn temporary(name: &str) -> PathBuf {
    let folder = root().join(Path::new(std::panic::Location::caller().file()).file_stem().unwrap());
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// A folder of one test, deleted on drop, with an empty folder `config` for the program's configuration.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = root().join(format!("folder {name}"));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("config")).unwrap();
        Self(path)
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
