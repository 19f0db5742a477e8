//! Compares the library's public API with the listing in `crates/kinescope-ik/public-api.txt`.
//!
//! `tests/api/run` makes rustdoc's JSON and calls this program with its path. An API change then shows in the diff of a
//! commit. In that diff, removed lines are breaking changes in the sense of semantic versioning.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

const LISTING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/kinescope-ik/public-api.txt");

fn main() -> ExitCode {
    let Some(rustdoc) = env::args_os().nth(1) else {
        eprintln!("usage: api RUSTDOC.json (tests/api/run makes it)");
        return ExitCode::FAILURE;
    };
    match compare(Path::new(&rustdoc)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn compare(rustdoc: &Path) -> Result<(), String> {
    let api = list(rustdoc)?;
    if env::var_os("KINESCOPE_WRITE_API").is_some() {
        let text = api.iter().map(|line| format!("{line}\n")).collect::<String>();
        return fs::write(LISTING, text).map_err(|error| format!("Could not write {LISTING}: {error}"));
    }
    let listed = fs::read_to_string(LISTING).map_err(|error| format!("Could not read {LISTING}: {error}"))?;
    let listed: BTreeSet<&str> = listed.lines().collect();
    let found: BTreeSet<&str> = api.iter().map(String::as_str).collect();
    let removed: Vec<_> = listed.difference(&found).map(|line| format!("- {line}")).collect();
    let added: Vec<_> = found.difference(&listed).map(|line| format!("+ {line}")).collect();
    if removed.is_empty() && added.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{}\n{} items removed, {} added. If this is intended, name the change in CHANGELOG.md (a removal or a changed \
         signature asks for a new minor version before 1.0, a major one after) and run KINESCOPE_WRITE_API=1 tests/api/run.",
        [removed.clone(), added.clone()].concat().join("\n"),
        removed.len(),
        added.len(),
    ))
}

/// Returns one line per public item, in the order of paths, without the crate's name. Implementations that are derived,
/// blanket or of auto traits are left out, because they follow from the items.
fn list(rustdoc: &Path) -> Result<Vec<String>, String> {
    let api = public_api::Builder::from_rustdoc_json(rustdoc)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .map_err(|error| format!("Could not read {}: {error}", rustdoc.display()))?;
    Ok(api.items().map(|item| item.to_string().replace("kinescope_ik::", "")).collect())
}
