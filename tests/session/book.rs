//! Checks the README and the book: links, pictures, commands and examples.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::book_pages::{files_below, root};
use crate::common::files::temporary;
use crate::common::program::{PROGRAM, text};
use kinescope::scenes::Scene;
use kinescope::world::document::Document;
use kinescope_ik::chain_ik::file::ChainFile;
use kinescope_ik::preset::Preset;

fn pages() -> BTreeMap<String, String> {
    let own = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name));
    let paths = own.into_iter().chain(files_below(&root().join("docs"), "md"));
    paths.map(|path| (relative(&path), std::fs::read_to_string(&path).unwrap())).collect()
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned()
}

struct Block<'a> {
    language: &'a str,
    lines: Vec<&'a str>,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let (mut found, mut lines) = (Vec::new(), page.lines());
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            found.push(Block { language, lines: lines.by_ref().take_while(|line| *line != "```").collect() });
        }
    }
    found
}

fn prose(page: &str) -> String {
    let mut is_code = false;
    let lines = page.lines().filter(|line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    lines.map(|line| line.to_owned() + "\n").collect()
}

fn links(page: &str) -> Vec<String> {
    let page = prose(page);
    let of = |before: &str, end: char| -> Vec<String> {
        page.split(before).skip(1).filter_map(|rest| Some(rest.split_once(end)?.0.to_owned())).collect()
    };
    [of("](", ')'), of("src=\"", '"'), of("href=\"", '"')].concat()
}

/// Returns the anchors of a page's headings, as GitHub and the book form them.
fn anchors(page: &str) -> Vec<String> {
    let page = prose(page);
    let headings = page.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let kept = line.trim_start_matches('#').trim().chars();
            let kept = kept.filter(|letter| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter));
            kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
        })
        .collect()
}

#[test]
fn links_have_targets() {
    let pages = pages();
    let mut broken = Vec::new();
    for (name, page) in &pages {
        for link in links(page).into_iter().filter(|link| !link.contains("://") && !link.starts_with("mailto:")) {
            let (path, anchor) =
                link.split_once('#').map_or((link.as_str(), None), |(path, anchor)| (path, Some(anchor)));
            let target = match path {
                "" => root().join(name),
                path => root().join(name).parent().unwrap().join(path),
            };
            let Ok(target) = target.canonicalize() else {
                broken.push(format!("{name}: {link}"));
                continue;
            };
            let has_anchor = |anchor: &str| {
                let page = target.strip_prefix(root().canonicalize().unwrap()).ok().and_then(Path::to_str);
                page.and_then(|page| pages.get(page)).is_none_or(|page| anchors(page).iter().any(|own| own == anchor))
            };
            if !anchor.is_none_or(has_anchor) {
                broken.push(format!("{name}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(pages.len() > 20);
}

#[test]
fn pictures_are_made_by_the_script() {
    let script = std::fs::read_to_string(root().join("screenshots/make")).unwrap();
    let pages = pages();
    let shown: Vec<String> =
        pages.values().flat_map(|page| links(page)).filter(|link| link.contains("screenshots/")).collect();
    for picture in &shown {
        let (_, name) = picture.rsplit_once('/').unwrap();
        let (stem, ending) = name.split_once('.').unwrap();
        // Benchmarks draw the figures that are .svg files.
        let is_made = ending == "svg" || script.contains(&format!("picture {stem} ")) || script.contains(name);
        assert!(name == "make" || is_made, "screenshots/make does not make {name}");
    }
    assert!(shown.len() > 20);
}

/// All examples in Rust are documentation tests of a package, which compiles them.
#[test]
fn examples_in_rust_are_compiled() {
    let packages = ["crates/kinescope-ik/src/lib.rs", "integrations/bevy/src/lib.rs"];
    let included = packages.map(|file| std::fs::read_to_string(root().join(file)).unwrap()).concat();
    for (name, page) in pages() {
        let rust: Vec<Block> = blocks(&page).into_iter().filter(|block| block.language.starts_with("rust")).collect();
        if !rust.is_empty() {
            assert!(included.contains(&format!("/{name}\")]")), "no package tests the examples of {name}");
        }
        for block in rust {
            assert!(["rust", "rust,no_run"].contains(&block.language), "{name}: {}", block.language);
        }
    }
}

#[test]
fn presets_and_chains_in_json_read() {
    let mut count = 0;
    for (name, page) in pages() {
        for block in blocks(&page).into_iter().filter(|block| block.language == "json") {
            let json = block.lines.join("\n");
            let read = match () {
                () if json.contains("\"kinescope-preset\"") => {
                    Preset::from_json(&json).and_then(|preset| Document::from_preset(&preset)).map(|_| ())
                }
                () if json.contains("\"kinescope-chain\"") => ChainFile::from_json(&json).map(|_| ()),
                () => continue,
            };
            count += 1;
            assert_eq!(read, Ok(()), "{name}: {json}");
        }
    }
    assert!(count > 3);
}

fn workplace(name: &str) -> PathBuf {
    let folder = temporary(&format!("book {}", name.replace('/', " ")));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("bin")).unwrap();
    std::os::unix::fs::symlink(PROGRAM, folder.join("bin/kinescope")).unwrap();
    std::fs::copy(root().join("assets/biped.glb"), folder.join("hero.glb")).unwrap();
    std::fs::copy(root().join("assets/faun.glb"), folder.join("walk.glb")).unwrap();
    std::fs::copy(root().join("screenshots/posing.json"), folder.join("reach.json")).unwrap();
    std::fs::copy(root().join("screenshots/strain.json"), folder.join("strain.json")).unwrap();
    folder
}

/// Runs a shell command without a display. Returns its status and both outputs.
fn run(folder: &Path, line: &str) -> (Option<i32>, String, String) {
    let path = format!("{}:{}", folder.join("bin").display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder).env("PATH", path).env_remove("DISPLAY");
    let output = shell.env("XDG_CONFIG_HOME", folder.join("configuration")).output().unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Returns whether the command opens the window: its first argument is no subcommand, and does not ask for help or
/// version.
fn opens_window(line: &str) -> bool {
    const COMMANDS: [&str; 11] =
        ["inspect", "solve", "trace", "bake", "record", "send", "preset", "chain", "conformance", "diff", "check"];
    let first = line.split_whitespace().nth(1);
    !first.is_some_and(|first| COMMANDS.contains(&first) || ["--help", "--version", "help"].contains(&first))
}

/// Checks that the packages, tests, benchmarks, examples and manifests that the line names exist.
fn check_cargo(line: &str) {
    let words: Vec<&str> = line.split_whitespace().collect();
    for pair in words.windows(2) {
        let [option, value] = pair else { continue };
        let own = |folder: &str, file: String| {
            let folders = [root().to_owned(), root().join("crates/kinescope-ik")];
            folders.iter().any(|root| root.join(folder).join(&file).exists())
        };
        let exists = match *option {
            "-p" => ["kinescope", "kinescope-ik"].contains(value),
            "--bench" => own("benches", format!("{value}.rs")),
            "--test" => own("tests", format!("{value}/main.rs")),
            "--example" => own("examples", format!("{value}.rs")) || own("assets", format!("{value}.rs")),
            "--manifest-path" => root().join(value).exists(),
            _ => true,
        };
        assert!(exists, "{line}: {value}");
    }
}

/// Returns whether the lines match a template in which a line `…` stands for any lines.
fn fits(mut lines: &[&str], template: &[&str]) -> bool {
    for (index, wanted) in template.iter().enumerate() {
        if *wanted == "…" {
            return (0..=lines.len()).any(|skipped| fits(&lines[skipped..], &template[index + 1..]));
        }
        match lines.split_first() {
            Some((line, rest)) if line.trim_end() == wanted.trim_end() => lines = rest,
            _ => return false,
        }
    }
    lines.is_empty()
}

/// Each page runs in a new folder. Commands of `console` blocks must print the lines below them.
#[test]
fn commands_of_the_pages_run() {
    let mut count = 0;
    for (name, page) in pages() {
        let folder = workplace(&name);
        for block in blocks(&page) {
            let text = block.lines.join("\n").replace("\\\n", " ");
            let lines: Vec<&str> = text.lines().collect();
            match block.language {
                "sh" => lines.iter().for_each(|line| count += usize::from(check_line(&name, &folder, line))),
                "console" => {
                    let starts: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].starts_with("$ ")).collect();
                    for (nth, &at) in starts.iter().enumerate() {
                        let end = starts.get(nth + 1).copied().unwrap_or(lines.len());
                        let (status, out, error) = run(&folder, &lines[at][2..]);
                        let (printed, wanted) = (out.clone() + &error, &lines[at + 1..end]);
                        assert!(matches!(status, Some(0 | 1)), "{name}: {}: {error}", lines[at]);
                        assert!(fits(&printed.lines().collect::<Vec<_>>(), wanted), "{name}: {}\n{printed}", lines[at]);
                        count += 1;
                    }
                }
                _ => {}
            }
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
    assert!(count > 10, "{count}");
}

/// Checks a line of an `sh` block. The program's commands must succeed, or fail for lack of a display if they open the
/// window. Other commands except `echo` are not run. Returns true for commands of the program and of cargo, except
/// `cargo run --release --example`.
fn check_line(name: &str, folder: &Path, line: &str) -> bool {
    let line = line.split(" # ").next().unwrap().trim();
    let command = line
        .rsplit_once("cargo run --release")
        .map(|(_, rest)| format!("kinescope {}", rest.trim_start().trim_start_matches("--").trim_start_matches(' ')));
    let line = match &command {
        Some(_) if line.contains("--example") => return false,
        Some(command) if line.ends_with("cargo run --release") || line.contains("cargo run --release -- ") => {
            command.trim()
        }
        _ => line,
    };
    if line.split(' ').next() == Some("echo") {
        assert_eq!(run(folder, line).0, Some(0), "{name}: {line}");
    }
    if line.starts_with("kinescope") {
        let (status, _, error) = run(folder, line);
        if let Some((_, scene)) = line.split_once("--scene ") {
            let scene =
                scene.strip_prefix('"').map_or_else(|| scene.split(' ').next(), |scene| scene.split('"').next());
            assert!(scene.is_some_and(|scene| Scene::find(scene).is_some()), "{name}: {line}");
        }
        match opens_window(line) {
            true => assert!(status == Some(1) && error.contains("display"), "{name}: {line}: {status:?} {error}"),
            false => assert_eq!(status, Some(0), "{name}: {line}: {error}"),
        }
        return true;
    }
    for part in line.split("&&").map(str::trim) {
        check_cargo(part);
        let program = part.split_whitespace().find(|word| !word.contains('=')).unwrap_or_default();
        assert!(!program.contains('/') || root().join(program).exists(), "{name}: {program}");
    }
    line.starts_with("cargo")
}
