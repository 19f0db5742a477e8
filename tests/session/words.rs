//! Phrases that hide their meaning are banned from source, tests, labels and documentation. Strings on screen stand in
//! tables.

use std::fs;
use std::path::{Path, PathBuf};

/// Phrases, and what to write instead. A phrase matches whole words in any case. Line breaks and punctuation count as
/// spaces.
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

/// The checked folders and files, and the checked file extensions.
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

/// Returns the words of a text in lower case, each with its line number.
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
        // The list itself contains the phrases.
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

/// Folders whose strings on screen must stand in a `words.rs`.
const WITH_TABLES: [&str; 4] = ["src/tools", "src/ui", "src/session", "src/shell"];
/// Other files that hold strings on screen: tables of commands and pointer bindings, lessons and links to them, fonts,
/// the error before the window opens, and reports of the command line in a fixed format.
const OTHER_TABLES: [&str; 8] = [
    "src/session/commands",
    "src/session/navigation.rs",
    "src/tools/compare/kit.rs",
    "src/tools/compare/report.rs",
    "src/tools/learn/lessons",
    "src/tools/learn/links.rs",
    "src/shell/window/display.rs",
    "src/ui/theme.rs",
];
/// Code before strings that are not on screen, such as names of widgets and threads and messages of assertions, and
/// rows of `settings!`, which is a table too.
const NOT_ON_SCREEN: [&str; 28] = [
    "Id::new(",
    "Id::new((",
    "id_salt(",
    "id_salt((",
    ".with(",
    "persistent_id(",
    "Plot::new(",
    "push_id((",
    "spawn(",
    "Builder::new().name(",
    "expect(",
    "panic!(",
    "assert!(",
    "too little: ",
    "too much: ",
    "json!(",
    "concat!(",
    "Window::new(",
    "Area::new(",
    "set_uniform(",
    "strip_prefix(",
    "var_os(",
    "request_discard(",
    "must_use = ",
    "== ",
    "_: ",
    "let producer = format!(",
    "eprintln!(",
];
/// Calls whose string is on screen even if it is a single word in lower case.
const ON_SCREEN: [&str; 11] = [
    ".button(",
    ".label(",
    ".weak(",
    ".help(",
    ".hint_text(",
    ".selected_text(",
    ".checkbox(",
    "RichText::new(",
    "Button::new(",
    "section(ui, theme, ",
    "menu_button(",
];

struct Literal {
    line: usize,
    /// The code before the string on its line, with `_` for other strings.
    before: String,
    /// The first characters after the string.
    after: String,
    text: String,
}

/// Returns the strings of a Rust file, except those in comments.
fn literals(source: &str) -> Vec<Literal> {
    let letters: Vec<char> = source.chars().collect();
    let (mut found, mut at, mut line, mut code) = (Vec::new(), 0, 1, String::new());
    while let Some(&letter) = letters.get(at) {
        let next = letters.get(at + 1);
        if letter == '/' && next == Some(&'/') {
            while letters.get(at).is_some_and(|&letter| letter != '\n') {
                at += 1;
            }
            continue;
        }
        // A character literal is skipped. A lifetime has no closing quote.
        if letter == '\'' && next == Some(&'\\') {
            at += 4;
            continue;
        }
        if letter == '\'' && letters.get(at + 2) == Some(&'\'') {
            at += 3;
            continue;
        }
        if letter == '"' {
            let (begin, begin_line) = (at + 1, line);
            at += 1;
            while letters.get(at).is_some_and(|&letter| letter != '"') {
                let step = if letters[at] == '\\' { 2 } else { 1 };
                line += letters[at..letters.len().min(at + step)].iter().filter(|&&letter| letter == '\n').count();
                at += step;
            }
            let text = letters[begin.min(letters.len())..at.min(letters.len())].iter().collect();
            let after = letters.iter().skip(at + 1).take(4).collect();
            let before = code.trim_end().to_owned() + if code.ends_with(' ') { " " } else { "" };
            found.push(Literal { line: begin_line, before, after, text });
            code.push('_');
        } else {
            line += usize::from(letter == '\n');
            match letter {
                '\n' => {}
                ' ' if code.ends_with([' ', '(']) => {}
                letter => code.push(letter),
            }
        }
        at += 1;
    }
    found
}

/// Returns whether a string looks like text: at least two words of several letters, or one capitalized word of at least
/// four letters at its start. Format placeholders and keys without spaces do not count.
fn reads_as_words(text: &str) -> bool {
    let mut depth = 0;
    let plain: String = text
        .chars()
        .map(|letter| {
            depth += i32::from(letter == '{') - i32::from(letter == '}');
            if depth > 0 || letter == '}' { '_' } else { letter }
        })
        .collect();
    let words: Vec<&str> = plain.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 1).collect();
    let is_key = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "_.-[]:/\\{}".contains(c));
    match words[..] {
        [] => false,
        [word] => word.len() > 3 && word.starts_with(char::is_uppercase) && plain.trim().starts_with(word),
        [..] => !is_key(text.trim_end()),
    }
}

/// Returns "line: string" for every string on screen that stands outside a table.
fn outside_tables(source: &str) -> Vec<String> {
    let is_outside = |Literal { before: code, after, text, .. }: &Literal| {
        // A string in a pattern of a `match` is compared, not shown.
        let is_pattern = [" =>", " | "].iter().any(|end| after.starts_with(end)) || code.ends_with("| ");
        // A string in a row of `named!`, such as `Raise: "…"`, is in a table.
        let is_row = code.trim_end().strip_suffix(':').is_some_and(|code| {
            let name = code.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            name.starts_with(char::is_uppercase)
        });
        let shows = ON_SCREEN
            .iter()
            .any(|call| code.rsplit_once(call).is_some_and(|(_, rest)| !rest.contains([';', ')', '{'])));
        let is_name = NOT_ON_SCREEN.iter().any(|call| code.ends_with(call));
        let has_word =
            text.split(['{', '}']).step_by(2).any(|part| part.chars().filter(|c| c.is_alphabetic()).count() > 2);
        !is_pattern && !is_row && !is_name && (reads_as_words(text) || shows && has_word)
    };
    let found = literals(source).into_iter().filter(is_outside);
    found.map(|Literal { line, text, .. }| format!("{line}: {text:?}")).collect()
}

#[test]
fn words_on_screen_stand_in_the_table_of_their_tool() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in WITH_TABLES {
        files(&root.join(folder), &mut paths);
    }
    let (tables, others): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.ends_with("words.rs"));
    let others: Vec<_> =
        others.iter().filter(|path| !OTHER_TABLES.iter().any(|table| path.starts_with(root.join(table)))).collect();
    let read = |path: &PathBuf| fs::read_to_string(path).unwrap();
    // The counts of strings outside the tables and in them guard against an empty search.
    let searched: usize = others.iter().map(|path| literals(&read(path)).len()).sum();
    let held: usize = tables.iter().map(|path| outside_tables(&read(path)).len()).sum();
    assert!(others.len() > 120 && searched > 600, "{searched} strings in {} files", others.len());
    assert!(tables.len() >= 18 && held > 900, "{held} words in {} tables", tables.len());
    let found: Vec<String> = others
        .iter()
        .flat_map(|path| {
            let name = path.strip_prefix(root).unwrap_or(path).display().to_string();
            outside_tables(&read(path)).into_iter().map(move |at| format!("{name}:{at}")).collect::<Vec<_>>()
        })
        .collect();
    assert!(found.is_empty(), "{} strings on screen outside words.rs:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_string_on_screen_outside_its_table_is_found() {
    let found = |source: &str| outside_tables(source).len();
    assert_eq!(
        outside_tables("\n// \"a comment here\"\nlet text = \"Could not open it\";"),
        ["3: \"Could not open it\""]
    );
    assert_eq!(found("ui.button(\"close\")"), 1, "a word of a button");
    assert_eq!(found("ui.label(RichText::new(format!(\"frame {}\", number)))"), 1);
    assert_eq!(found("let title = \"Crowd\";"), 1, "a capital letter");
    assert_eq!(found("notify(format!(\"{name} has left\"))"), 1);
    assert_eq!(found("ui.label(text::CLOSE); ui.id().with(\"two words\"); Id::new(\"two words\")"), 0);
    assert_eq!(
        found("find(Rule::PARAMETERS, \"beyond\"); \"chains.left_arm.pull\"; format!(\"{x:.1} mm\"); '\"'; \"\""),
        0
    );
}
