//! No cycle between modules, neither between the top-level modules of the library nor between the files of a folder;
//! and no long file or function.
//!
//! The files and sub-folders of a folder, including its `mod.rs`, may import each other in one direction only. An
//! import through the `mod.rs` of the importer's own folder counts as an import of `mod.rs`, so files import from the
//! sibling that defines an item. Imports of test code are ignored; its lines count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// An import: a path in a source file that leads to another file.
struct Import {
    /// The folder that contains both files, relative to `src`.
    room: String,
    /// The part of the folder that imports, and the part that it imports.
    between: (String, String),
    /// File and line.
    at: String,
}

/// Returns the words and signs of a source text with their lines, without comments, strings and
/// characters.
fn tokens(text: &str) -> Vec<(usize, String)> {
    let (mut found, mut at, mut line) = (Vec::new(), 0, 1);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let rest = &text[at..];
        let raw = rest.trim_start_matches('b').trim_start_matches('r').trim_start_matches('#');
        let hashes = rest.len() - raw.len();
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if raw.starts_with('"') && rest[..hashes].contains('r') {
            let end = format!("\"{}", "#".repeat(rest[..hashes].matches('#').count()));
            hashes + 1 + raw[1..].find(&end).map_or(raw.len() - 1, |at| at + end.len())
        } else if rest.starts_with('"') || rest.starts_with("b\"") {
            let (mut end, start) = (rest.find('"').unwrap_or(0) + 1, at);
            while bytes.get(start + end).is_some_and(|&byte| byte != b'"') {
                end += if bytes[start + end] == b'\\' { 2 } else { 1 };
            }
            end + 1
        } else if let Some(char) = rest.strip_prefix('\'') {
            let end = if char.starts_with('\\') {
                char[2..].find('\'').map(|end| end + 2)
            } else {
                char.chars().next().map(char::len_utf8)
            };
            // Without a closing quote it is a lifetime.
            end.filter(|&end| char[end..].starts_with('\'')).map_or(1, |end| end + 2)
        } else if word > 0 {
            found.push((line, rest[..word].to_owned()));
            word
        } else {
            let sign =
                if rest.starts_with("::") { "::" } else { &rest[..rest.chars().next().map_or(1, char::len_utf8)] };
            if !sign.trim().is_empty() {
                found.push((line, sign.to_owned()));
            }
            sign.len()
        };
        line += text[at..(at + length).min(text.len())].matches('\n').count();
        at += length;
    }
    found
}

/// Removes items marked `#[cfg(test)]` or `#[cfg(all(test, …))]`. Also returns the names of the removed modules that
/// lie in files of their own.
fn without_tests(tokens: Vec<(usize, String)>) -> (Vec<(usize, String)>, Vec<String>) {
    let (mut kept, mut files, mut at) = (Vec::new(), Vec::new(), 0);
    let is = |at: usize, signs: &[&str]| {
        signs.iter().enumerate().all(|(i, sign)| tokens.get(at + i).is_some_and(|token| token.1 == *sign))
    };
    while at < tokens.len() {
        if !is(at, &["#", "[", "cfg", "(", "test"]) && !is(at, &["#", "[", "cfg", "(", "all", "(", "test"]) {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let (mut depth, start) = (0, at);
        // Skips to the end of the item: a semicolon, or the brace that closes its body.
        while at < tokens.len() {
            depth += match tokens[at].1.as_str() {
                "{" | "[" | "(" => 1,
                "}" | "]" | ")" => -1,
                _ => 0,
            };
            at += 1;
            if depth == 0 && (is(at - 1, &[";"]) || is(at - 1, &["}"])) {
                break;
            }
        }
        if let [.., (_, key), (_, name), (_, end)] = &tokens[start..at]
            && key == "mod"
            && end == ";"
        {
            files.push(name.clone());
        }
    }
    (kept, files)
}

/// Reads a path with its branches in braces, from the segment at `at`, into `found`. Returns the index after the path.
fn read_path(
    tokens: &[(usize, String)],
    mut at: usize,
    mut path: Vec<String>,
    found: &mut Vec<(usize, Vec<String>)>,
) -> usize {
    let sign = |at: usize| tokens.get(at).map_or("", |token| token.1.as_str());
    loop {
        if sign(at) == "{" {
            at += 1;
            while sign(at) != "}" && at < tokens.len() {
                at = if sign(at) == "," { at + 1 } else { read_path(tokens, at, path.clone(), found) };
                at += if sign(at) == "as" { 2 } else { 0 };
            }
            return at + 1;
        }
        path.push(sign(at).to_owned());
        if sign(at + 1) != "::" {
            found.push((tokens.get(at).map_or(0, |token| token.0), path));
            return at + 1;
        }
        at += 2;
    }
}

struct File {
    /// The path from the package's folder.
    name: String,
    tokens: Vec<(usize, String)>,
    /// The modules that the file declares for tests only.
    tests: Vec<String>,
}

fn child(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}::{name}") }
}

/// Finds the files of the library, by module path: `full_body`, `full_body::state`.
fn find_files(folder: &Path, path: &str, found: &mut BTreeMap<String, File>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (name, at) = (entry.file_name().into_string().unwrap(), entry.path());
        match name.strip_suffix(".rs") {
            Some(stem) => {
                let path = if matches!(stem, "mod" | "lib") { path.to_owned() } else { child(path, stem) };
                let (tokens, tests) = without_tests(tokens(&fs::read_to_string(&at).unwrap()));
                let name = at.strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap().display().to_string();
                found.insert(path, File { name, tokens, tests });
            }
            None if at.is_dir() => find_files(&at, &child(path, &name), found),
            None => {}
        }
    }
}

fn imports() -> Vec<Import> {
    let mut files = BTreeMap::new();
    find_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut files);
    let tests = files.iter().flat_map(|(path, file)| file.tests.iter().map(|name| child(path, name)));
    for path in tests.collect::<Vec<_>>() {
        files.remove(&path);
    }
    let mut found = Vec::new();
    for (path, File { name, tokens, .. }) in &files {
        let mut all = Vec::new();
        let here: Vec<_> = path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
        // Modules inside the file at this point, each with the brace depth at which it starts.
        let (mut at, mut depth, mut within) = (0, 0, Vec::new());
        while at < tokens.len() {
            let sign = |at: usize| tokens.get(at).map_or("", |token| token.1.as_str());
            let word = sign(at);
            match word {
                "{" if at > 1 && sign(at - 2) == "mod" => within.push((depth, sign(at - 1).to_owned())),
                "}" if within.last().is_some_and(|own| own.0 + 1 == depth) => drop(within.pop()),
                _ => {}
            }
            depth += usize::from(word == "{");
            depth -= usize::from(word == "}");
            let starts = sign(at + 1) == "::" && (at == 0 || sign(at - 1) != "::");
            let is_path = matches!(word, "crate" | "super" | "self") || files.contains_key(&child(path, word));
            if !starts || !is_path {
                at += 1;
                continue;
            }
            let mut paths = Vec::new();
            at = read_path(tokens, at, Vec::new(), &mut paths);
            let place: Vec<_> = here.iter().chain(within.iter().map(|own| &own.1)).cloned().collect();
            all.extend(paths.into_iter().map(|(line, segments)| (line, segments, place.clone())));
        }
        for (line, segments, mut target) in all {
            for segment in segments {
                match segment.as_str() {
                    "crate" => target.clear(),
                    "super" => drop(target.pop()),
                    "self" => {}
                    _ => target.push(segment),
                }
            }
            while !files.contains_key(&target.join("::")) {
                target.pop();
            }
            let common = here.iter().zip(&target).take_while(|(a, b)| a == b).count();
            let part = |path: &[String]| path.get(common).map_or("mod".to_owned(), Clone::clone);
            if here != target {
                let (room, between) = (here[..common].join("/"), (part(&here), part(&target)));
                found.push(Import { room, between, at: format!("{name}:{line}") });
            }
        }
    }
    found
}

type Graph<'a> = BTreeMap<&'a str, BTreeMap<&'a str, &'a str>>;

/// Returns a shortest path of imports from one part to another or back to itself; `None` if there is none.
fn way<'a>(graph: &Graph<'a>, from: &'a str, to: &str) -> Option<Vec<&'a str>> {
    let (mut seen, mut ways) = (BTreeSet::from([from]), vec![vec![from]]);
    while !ways.is_empty() {
        let mut further = Vec::new();
        for way in ways {
            for &next in graph.get(way[way.len() - 1]).into_iter().flat_map(BTreeMap::keys) {
                let longer = [way.as_slice(), &[next]].concat();
                if next == to {
                    return Some(longer);
                }
                if seen.insert(next) {
                    further.push(longer);
                }
            }
        }
        ways = further;
    }
    None
}

/// Returns a shortest cycle through each part of a folder that lies in one, as `a → b → a` with file and line of its
/// imports; of cycles through the same parts only one.
fn cycles(graph: &Graph) -> Vec<String> {
    let mut found = BTreeMap::new();
    for part in graph.keys() {
        let Some(way) = way(graph, part, part) else { continue };
        let at: Vec<_> = way.windows(2).map(|pair| graph[pair[0]][pair[1]]).collect();
        found.entry(BTreeSet::from_iter(way.clone())).or_insert(format!("{} ({})", way.join(" → "), at.join(", ")));
    }
    found.into_values().collect()
}

fn graph<'a>(imports: &'a [Import], room: &str) -> Graph<'a> {
    let mut graph = Graph::new();
    for Import { between: (from, to), at, .. } in imports.iter().filter(|import| import.room == room) {
        graph.entry(from).or_default().entry(to).or_insert(at);
    }
    graph
}

#[test]
fn top_level_modules_form_no_cycle() {
    let imports = imports();
    let cycles = cycles(&graph(&imports, ""));
    assert!(cycles.is_empty(), "modules form an import cycle:\n{}", cycles.join("\n"));
}

#[test]
fn files_of_a_folder_form_no_cycle() {
    let imports = imports();
    let rooms: BTreeSet<&str> =
        imports.iter().map(|import| import.room.as_str()).filter(|room| !room.is_empty()).collect();
    let mut wrong = Vec::new();
    for room in rooms {
        wrong.extend(cycles(&graph(&imports, room)).into_iter().map(|circle| format!("{room}: {circle}")));
    }
    assert!(wrong.is_empty(), "files form an import cycle:\n{}", wrong.join("\n"));
}

const LONGEST_FILE: usize = 700;
const LONGEST_FUNCTION: usize = 100;

fn find_sources(folder: &Path, path: &str, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (name, at) = (entry.file_name().into_string().unwrap(), entry.path());
        match at.is_dir() {
            true => find_sources(&at, &format!("{path}{name}/"), found),
            false if name.ends_with(".rs") => found.push((format!("{path}{name}"), fs::read_to_string(&at).unwrap())),
            false => {}
        }
    }
}

/// Returns name and number of lines of each function with a body of several lines. The formatter indents the closing
/// brace of a function like the line of its `fn`.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let own = line.trim_start();
        let Some((before, after)) = own.strip_prefix("fn ").map(|after| ("", after)).or(own.split_once(" fn ")) else {
            continue;
        };
        let is_function = ["pub", "const", "unsafe", "extern"].iter().any(|word| before.starts_with(word));
        if !(before.is_empty() || is_function) || line.ends_with(['}', ';']) {
            continue;
        }
        let name = after.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let indent = &line[..line.len() - own.len()];
        let ends = |line: &&str| line.strip_prefix(indent).is_some_and(|rest| rest.starts_with('}') || rest == ");");
        let length = lines[at..].iter().position(ends).map_or(1, |last| last + 1);
        found.push((name, length));
    }
    found
}

#[test]
fn files_and_functions_are_short() {
    let mut files = Vec::new();
    find_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut files);
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (file, text) in &files {
        let lines = text.lines().count();
        if lines > LONGEST_FILE {
            wrong.push(format!("{file} has {lines} lines"));
        }
        for (name, lines) in functions(text) {
            count += 1;
            if lines > LONGEST_FUNCTION {
                wrong.push(format!("{file}: {name} has {lines} lines"));
            }
        }
    }
    assert!(files.len() > 100 && count > 1000, "{} files, {count} functions", files.len());
    assert!(wrong.is_empty(), "more than {LONGEST_FILE} or {LONGEST_FUNCTION}:\n{}", wrong.join("\n"));
}

/// The compiler generates code for the body of every `pub async fn` outside `impl`, with all that it calls, also in the
/// program of unit tests, which then takes several times longer to compile.
#[test]
fn public_functions_return_futures_of_private_ones() {
    let mut files = Vec::new();
    find_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut files);
    let is_async = |text: &str| text.lines().any(|line| line.starts_with("pub async fn "));
    let found: Vec<&str> = files.iter().filter(|(_, text)| is_async(text)).map(|(file, _)| file.as_str()).collect();
    assert_eq!(found, ["slices.rs"], "make the function private, and return its future from a `pub fn`");
}
