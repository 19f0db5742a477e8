//! The book's page on C names every function of the header and no other, and its table has every public module of the
//! library.

use super::header::Header;
use super::{page, root};

#[test]
fn the_table_of_the_book_covers_the_whole_library() {
    let page = page();
    let (_, table) = page.split_once("## Modules of the library in C").unwrap();
    let (table, _) = table.split_once("\n## ").unwrap();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let library = std::fs::read_to_string(root().join("../../crates/kinescope-ik/src/lib.rs")).unwrap();
    let modules = library.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let mut named: Vec<String> = rows.iter().map(|row| row[0].trim_matches('`').to_owned()).collect();
    named.sort();
    let mut modules: Vec<&str> = modules.collect();
    modules.sort_unstable();
    assert_eq!(named, modules, "the modules in docs/embed/c.md and in lib.rs");

    let header = Header::read();
    let mut unnamed: Vec<&str> = header.functions.iter().map(|own| own.name.as_str()).collect();
    for word in page.split(|own: char| !(own.is_alphanumeric() || own == '_')) {
        if word.starts_with("kinescope_") && word != "kinescope_ik" && word != "kinescope_ikConfig" {
            let is_there = |own: &str| match word.strip_suffix('_') {
                // A prefix of several functions.
                Some(_) => own.starts_with(word),
                None => own == word,
            };
            let known = header.functions.iter().any(|own| is_there(&own.name)) || word == "kinescope_abi_matches";
            assert!(known, "docs/embed/c.md names {word}, which the header does not declare");
            unnamed.retain(|own| !is_there(own));
        }
    }
    assert!(unnamed.is_empty(), "functions that docs/embed/c.md does not name: {unnamed:?}");
}
