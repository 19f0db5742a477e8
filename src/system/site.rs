/// Where the pages of the book are read if the program does not run beside the published book.
pub const REPOSITORY: &str = "https://github.com/kinescope/kinescope/blob/main/docs/";
/// Folder of the program in the published book.
const PROGRAM: &str = "/try/";

/// Returns the address of a page of the book, given as its file below `docs/`, optionally with an anchor. The address
/// is on the site of the program if the program runs in the folder `/try/` of the published book, and otherwise in the
/// repository.
pub(crate) fn page_of_book(file: &str) -> String {
    #[cfg(target_arch = "wasm32")]
    let program = super::page::address();
    #[cfg(not(target_arch = "wasm32"))]
    let program = String::new();
    address(file, &program)
}

pub fn address(file: &str, program: &str) -> String {
    let folder = program.strip_suffix("index.html").unwrap_or(program);
    match folder.strip_suffix(PROGRAM) {
        // The builder of the book names each page as its file, but with the ending `.html`.
        Some(site) => format!("{site}/{}", file.replacen(".md", ".html", 1)),
        None => format!("{REPOSITORY}{file}"),
    }
}
