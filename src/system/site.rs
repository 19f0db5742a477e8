/// Where the pages of the book are read if the program does not run beside the published book.
const REPOSITORY: &str = "https://github.com/kinescope/kinescope/blob/main/docs/";
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

fn address(file: &str, program: &str) -> String {
    let folder = program.strip_suffix("index.html").unwrap_or(program);
    match folder.strip_suffix(PROGRAM) {
        // The builder of the book names each page as its file, but with the ending `.html`.
        Some(site) => format!("{site}/{}", file.replacen(".md", ".html", 1)),
        None => format!("{REPOSITORY}{file}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_belong_to_the_site_of_the_program() {
        let at = |program| address("algorithm/push.md#formula", program);
        assert_eq!(at("https://a.org/kinescope/try/"), "https://a.org/kinescope/algorithm/push.html#formula");
        assert_eq!(at("https://a.org/try/index.html"), "https://a.org/algorithm/push.html#formula");
        for other in ["", "http://127.0.0.1:8000/", "https://a.org/retry/"] {
            assert_eq!(at(other), format!("{REPOSITORY}algorithm/push.md#formula"));
        }
    }
}
