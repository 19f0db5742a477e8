//! Plain English: phrases that hide their meaning are not used in source, tests, labels and documentation.

use std::fs;
use std::path::{Path, PathBuf};

/// Phrases, and what to write instead. A phrase matches whole words, in any case; a line break counts as a space.
const BANNED: &[(&str, &str)] = &[
    ("came to nothing", "failed, or had no effect"),
    ("comes to nothing", "fails, or has no effect"),
    ("came of it", "result"),
    ("furthest in all", "total displacement"),
    ("hang on", "attached to, parented to"),
    ("hangs from", "attached to, parented to"),
    ("hangs on", "attached to, parented to"),
    ("is nobody's", "is skipped, is ignored"),
    ("is not followed half", "is rejected"),
    ("is told", "is shown, is listed, reads"),
    ("are told", "are shown, are listed, read"),
    ("left aside", "skipped, ignored"),
    ("none that one", "name the thing"),
    ("passed over", "skipped, ignored"),
    ("what it was solved from", "input"),
    ("what it came to", "result, output"),
    ("the seed's", "the source's title"),
    ("who is not", "name the actor"),
    ("whoever", "name the actor"),
    ("worst second difference", "largest jerk"),
];

/// The folders and files whose words are checked, and the endings of these.
const CHECKED: [&str; 12] = [
    "src",
    "crates",
    "tests",
    "benches",
    "integrations",
    "docs",
    "fuzz/fuzz_targets",
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "fuzz/README.md",
];
const ENDINGS: [&str; 8] = ["rs", "md", "py", "c", "h", "cs", "toml", "sh"];

fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            if !["target", "node_modules"].contains(&entry.file_name().to_string_lossy().as_ref()) {
                files(&entry.path(), found);
            }
        }
    } else if path.extension().is_some_and(|ending| ENDINGS.contains(&ending.to_string_lossy().as_ref())) {
        found.push(path.to_owned());
    }
}

/// Returns the words of a text, lower case, each with its line. Marks of comments and strings are no words.
fn words(text: &str) -> Vec<(usize, String)> {
    let in_words = |c: char| c.is_alphanumeric() || c == '\'' || c == '_';
    (1..)
        .zip(text.lines())
        .flat_map(|(line, text)| {
            text.split(|c: char| !in_words(c))
                .filter(|word| !word.is_empty())
                .map(move |word| (line, word.to_lowercase()))
        })
        .collect()
}

/// Returns "line: phrase (write: …)" for every banned phrase of a text.
fn banned(text: &str) -> Vec<String> {
    let words = words(text);
    let mut found = Vec::new();
    for (phrase, instead) in BANNED {
        let phrase_words: Vec<&str> = phrase.split(' ').collect();
        for window in words.windows(phrase_words.len()) {
            if window.iter().map(|(_, word)| word.as_str()).eq(phrase_words.iter().copied()) {
                found.push(format!("{}: \"{phrase}\" (write: {instead})", window[0].0));
            }
        }
    }
    found
}

#[test]
fn phrases_that_hide_their_meaning_are_not_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for path in CHECKED {
        files(&root.join(path), &mut paths);
    }
    assert!(paths.len() > 400, "only {} files found", paths.len());
    let found: Vec<String> = paths
        .iter()
        // This list itself.
        .filter(|path| !path.ends_with("tests/session/words.rs"))
        .flat_map(|path| {
            let text = fs::read_to_string(path).unwrap_or_default();
            let name = path.strip_prefix(root).unwrap_or(path).display().to_string();
            banned(&text).into_iter().map(move |at| format!("{name}:{at}")).collect::<Vec<_>>()
        })
        .collect();
    assert!(found.is_empty(), "{} banned phrases:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_banned_phrase_is_found_across_a_line_break_and_with_its_line() {
    assert_eq!(banned("// The hand hangs\n// on the arm."), ["1: \"hangs on\" (write: attached to, parented to)"]);
    assert!(banned("let hangs_on = 1; // A song hangs. On it goes").len() == 1);
    assert!(banned("overhangs only").is_empty());
}
