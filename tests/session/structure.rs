//! The structure of the program's source: sizes of files and functions, exhaustive matches, imports between folders, no
//! tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The largest accepted number of lines of a file.
const LONGEST_FILE: usize = 700;
/// The largest accepted number of lines of a function, including its signature.
const LONGEST_FUNCTION: usize = 100;

/// The largest accepted numbers of fields and methods of the program's two large types. Lower those of `Session` when
/// you can: a function that only reads the world takes a [`World`](kinescope::world::World) and lies in its tool's
/// folder.
const LARGEST_TYPES: [(&str, usize, usize); 2] = [("World", 8, 60), ("Session", 8, 330)];

/// Folders that import each other, because [`Session`](kinescope::session::Session) holds the state of every tool, and
/// tools use it.
const ROUND_THE_SESSION: [&str; 2] = ["session", "tools"];

/// Returns the files of the program: their path below `src`, and their lines.
fn files() -> Vec<(String, Vec<String>)> {
    fn find(folder: &Path, root: &Path, found: &mut Vec<(String, Vec<String>)>) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                find(&path, root, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root).unwrap().display().to_string();
                found.push((name, fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect()));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    find(&root, &root, &mut found);
    assert!(found.len() > 150, "{}", found.len());
    found.sort();
    found
}

/// Returns the functions of a file, each with its name, line number and lines. The formatter indents a function's last
/// brace like its first line.
fn functions(lines: &[String]) -> Vec<(&str, usize, &[String])> {
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let before = words.iter().take_while(|word| **word != "fn").all(|word| {
            word.is_empty() || ["pub", "super", "crate", "in", "const", "async", "unsafe", "extern", "C"].contains(word)
        });
        let Some(name) = words.iter().position(|word| *word == "fn").filter(|_| before).map(|fn_at| words[fn_at + 1])
        else {
            continue;
        };
        let is_whole = line.ends_with('}') || line.ends_with(';');
        let end = format!("{}}}", " ".repeat(indent));
        let declared =
            |line: &str| line.get(..=indent).is_some_and(|start| start.ends_with(')')) && line.ends_with(';');
        let last = match is_whole {
            true => at,
            false => {
                (at + 1..lines.len()).find(|&at| lines[at].starts_with(&end) || declared(&lines[at])).unwrap_or(at)
            }
        };
        found.push((name, at + 1, &lines[at..=last]));
    }
    found
}

#[test]
fn files_and_functions_are_short() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (file, lines) in files() {
        if lines.len() > LONGEST_FILE {
            wrong.push(format!("{file} has {} lines", lines.len()));
        }
        for (name, at, body) in functions(&lines) {
            count += 1;
            if body.len() > LONGEST_FUNCTION {
                wrong.push(format!("{file}:{at}: {name} has {} lines", body.len()));
            }
        }
    }
    assert!(count > 1500, "only {count} functions were found");
    assert!(wrong.is_empty(), "more than {LONGEST_FILE} or {LONGEST_FUNCTION}:\n{}", wrong.join("\n"));
}

/// Returns the numbers of the lines that a program of unit tests or documentation tests would compile: test attributes,
/// and code blocks in comments without a language other than Rust.
fn tests_in(lines: &[String]) -> Vec<usize> {
    const LANGUAGES: [&str; 4] = ["console", "json", "sh", "text"];
    let mut is_in_block = false;
    let is_test = |line: &str| {
        let line = line.trim_start();
        if let Some(language) = ["//! ```", "/// ```"].iter().find_map(|fence| line.strip_prefix(fence)) {
            is_in_block = !is_in_block;
            return is_in_block && !LANGUAGES.contains(&language);
        }
        let is_attribute = line.starts_with("#[") || line.starts_with("#![") || line.contains("cfg!(");
        is_attribute && line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "test")
    };
    let found: Vec<bool> = lines.iter().map(String::as_str).map(is_test).collect();
    (0..lines.len()).filter(|&at| found[at]).map(|at| at + 1).collect()
}

/// `Cargo.toml` builds no unit tests and no documentation tests of the program, so tests in `src` would never run.
#[test]
fn no_test_is_in_the_sources() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(
        tests_in(&lines("/// ```json\n/// {}\n/// ```\n#[must_use]\nfn test() {}\n#[cfg(unix)]\nmod a;")).is_empty()
    );
    assert_eq!(tests_in(&lines("    #[test]\n#[cfg(all(test, unix))]\nif cfg!(test) {}")), [1, 2, 3]);
    assert_eq!(tests_in(&lines("/// ```\n/// solve();\n/// ```\n//! ```no_run\n//! ```")), [1, 4]);
    let found = files().into_iter().flat_map(|(file, lines)| {
        tests_in(&lines).into_iter().map(move |at| format!("src/{file}:{at}")).collect::<Vec<_>>()
    });
    let found: Vec<String> = found.collect();
    assert!(found.is_empty(), "move these tests to tests/session/units:\n{}", found.join("\n"));
}

/// A new action must not compile until every `apply` handles it.
#[test]
fn no_action_is_ignored() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (file, lines) in files() {
        for (name, at, body) in functions(&lines) {
            if name != "apply" && !name.starts_with("apply_") {
                continue;
            }
            count += 1;
            let ignores = body.iter().position(|line| line.contains("_ => {}") || line.contains("_ => ()"));
            wrong.extend(ignores.map(|line| format!("{file}:{}: {name} ignores cases by `_`", at + line)));
        }
    }
    assert!(count >= 10, "only {count} were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Only the folders of [`ROUND_THE_SESSION`] import each other in a cycle.
#[test]
fn folders_have_floors() {
    let files = files();
    let folder = |file: &str| file.split_once('/').map(|(folder, _)| folder.to_owned());
    let all: BTreeSet<String> = files.iter().filter_map(|(file, _)| folder(file)).collect();
    let mut reached: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (file, lines) in &files {
        let Some(from) = folder(file) else { continue };
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            for after in line.split("crate::").skip(1) {
                let to = after.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                if to != from && all.contains(to) {
                    let at = format!("{file}:{}", at + 1);
                    reached.entry(from.clone()).or_default().entry(to.to_owned()).or_insert(at);
                }
            }
        }
    }
    assert!(reached["shell"].contains_key("session") && reached["tools"].contains_key("ui"));
    let reach = |from: &str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from.to_owned()]);
        while let Some(folder) = open.pop() {
            let next = reached.get(&folder).into_iter().flat_map(BTreeMap::keys);
            open.extend(next.filter(|next| seen.insert((*next).clone())).cloned().collect::<Vec<_>>());
        }
        seen
    };
    for from in &all {
        let round: BTreeSet<String> =
            reach(from).into_iter().filter(|to| to == from || reach(to).contains(from)).collect();
        let expected: BTreeSet<String> = match ROUND_THE_SESSION.contains(&from.as_str()) {
            true => ROUND_THE_SESSION.map(str::to_owned).into(),
            false => BTreeSet::new(),
        };
        let imports = reached.get(from).into_iter().flatten();
        let imports: Vec<String> = imports.map(|(to, at)| format!("{from} → {to} ({at})")).collect();
        assert_eq!(round, expected, "{from} is in a cycle:\n{}", imports.join("\n"));
    }
}

/// Returns the lines of every block that follows a line equal to `begin`, from all files.
fn bodies(files: &[(String, Vec<String>)], begin: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (_, lines) in files {
        for at in (0..lines.len()).filter(|&at| lines[at] == begin) {
            found.extend(lines[at + 1..].iter().take_while(|line| *line != "}").cloned());
        }
    }
    found
}

#[test]
fn world_and_session_stay_small() {
    let files = files();
    for (name, most_fields, most_methods) in LARGEST_TYPES {
        let body = bodies(&files, &format!("pub struct {name} {{"));
        let fields = body.iter().filter(|line| line.trim_start().starts_with("pub")).count();
        let methods = functions(&bodies(&files, &format!("impl {name} {{"))).len();
        assert!(fields >= 5 && methods >= 20, "{name}: only {fields} fields and {methods} methods were found");
        assert!(fields <= most_fields, "{name} has {fields} fields, at most {most_fields}");
        assert!(methods <= most_methods, "{name} has {methods} methods, at most {most_methods}");
    }
}
