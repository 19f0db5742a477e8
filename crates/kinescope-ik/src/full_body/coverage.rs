//! Branch coverage of the full-body solver by its conformance cases. Checks the table of branches in
//! `docs/port/conformance.md`, and writes it instead if `KINESCOPE_WRITE_COVERAGE` is set.

use std::collections::{BTreeMap, BTreeSet};

use super::input_rows::Character;
use super::program::{Program, Solve};
use super::read::{Read, read};
use super::state::Frame;
use super::writing::Writing;
use crate::conformance::{Input, branch_inputs};
use crate::lanes::counted::{Counting, Site, counting};
use crate::stepped;

/// Solves a case and returns, for each branch that the solve reached, whether it was ever false and ever true.
fn branches(case: &Input) -> BTreeMap<Site, [bool; 2]> {
    let (rig, settings) = (&case.rig, &case.settings);
    counting(|| {
        if settings.solver.weight <= 0.0 {
            // A solve of weight 0 reads nothing. The only branch is that of its program, which has no steps.
            assert_eq!(Program::new(&Frame::default()).count(), 0);
            return;
        }
        let solver = rig.solver().unwrap();
        let mut buffers = Read::<Counting>::new(());
        let rotations = super::input::Rotations::Exact;
        let character = Character { solver: &solver, settings, pose: &rig.animated, rotations };
        let mut state = read((), &[character], buffers.parts());
        let Read { frame, mappings, written, .. } = &mut buffers;
        stepped::solve(&mut Solve::new(frame), &mut state);
        Writing::new(&solver, mappings, frame, &state.points).all_watched(written, &mut crate::stepped::Unwatched);
    })
}

/// Outcomes that no solve of one character has: file, part of the line from the branch on, the missing outcome, reason.
const NEVER: &[(&str, &str, bool, &str)] = &[
    ("hierarchy.rs", "select(is_limited", false, "other characters in the same register are limited"),
    ("hierarchy.rs", "select(is_turned", false, "other characters in the same register are limited"),
    ("reach.rs", "greater(-one)", false, "a guard in the source, which no valid input meets"),
    ("spine.rs", "select(has_length", true, "other characters in the same register have no length there"),
    ("space.rs", "1e-24", false, "a guard: unit quaternions with the same sign do not cancel out"),
];

fn from_site(site: Site) -> String {
    let whole = whole_line(site);
    whole[(site.2 as usize - 1).min(whole.len())..].to_owned()
}

fn whole_line(site: Site) -> String {
    // `site.0` is relative to the folder of the workspace, as the compiler reports it.
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join(site.0)).unwrap();
    text.lines().nth(site.1 as usize - 1).unwrap_or_default().to_owned()
}

struct Coverage {
    cases: Vec<Input>,
    seen: Vec<BTreeMap<Site, [bool; 2]>>,
    sites: BTreeSet<Site>,
}

impl Coverage {
    fn count() -> Self {
        let cases = branch_inputs().unwrap();
        let seen: Vec<BTreeMap<Site, [bool; 2]>> = cases.iter().map(branches).collect();
        let sites = seen.iter().flat_map(|seen| seen.keys().copied()).collect();
        Self { cases, seen, sites }
    }

    fn is_taken(&self, case: usize, site: Site, way: bool) -> bool {
        self.seen[case].get(&site).is_some_and(|ways| ways[usize::from(way)])
    }

    fn table(&self) -> String {
        let numbers = |digit: fn(usize) -> usize| -> String {
            (1..=self.cases.len()).map(|number| char::from(b'0' + digit(number) as u8)).collect()
        };
        let mut table = format!("{}\n{}\n", numbers(|number| number / 10), numbers(|number| number % 10));
        let mut file = "";
        for &site in &self.sites {
            if site.0 != file {
                file = site.0;
                let name = file.strip_prefix("crates/kinescope-ik/").unwrap_or(file);
                table += &format!("{:1$}{name}\n", "", self.cases.len() + 2);
            }
            for case in 0..self.cases.len() {
                table.push(match [true, false].map(|way| self.is_taken(case, site, way)) {
                    [true, true] => '*',
                    [true, false] => '+',
                    [false, true] => '-',
                    [false, false] => ' ',
                });
            }
            table += &format!("  {}\n", self.shown(site));
        }
        table
    }

    /// Returns the source line of a branch, shortened to the width of the table. A line with several branches is shown
    /// from each branch on, so that the branches can be told apart.
    fn shown(&self, site: Site) -> String {
        const WIDTH: usize = 88;
        let is_alone = self.sites.iter().filter(|other| other.0 == site.0 && other.1 == site.1).count() == 1;
        let line = if is_alone { whole_line(site) } else { format!("… {}", from_site(site)) };
        let line = line.trim();
        match line.char_indices().nth(WIDTH) {
            Some((end, _)) => format!("{} …", line[..end].trim_end()),
            None => line.to_owned(),
        }
    }
}

#[test]
fn every_branch_is_taken_and_not_taken() {
    let coverage = Coverage::count();
    let mut lacks = Vec::new();
    for &site in &coverage.sites {
        for way in [false, true] {
            let is_taken = (0..coverage.cases.len()).any(|case| coverage.is_taken(case, site, way));
            let text = from_site(site);
            let own = |never: &&(&str, &str, bool, &str)| {
                site.0.ends_with(never.0) && text.contains(never.1) && way == never.2
            };
            match NEVER.iter().find(own) {
                Some((.., why)) => assert!(!is_taken, "{site:?} is {way} after all: {why}"),
                None if !is_taken => lacks.push(format!("{}:{}:{} is never {way}: {text}", site.0, site.1, site.2)),
                None => {}
            }
        }
    }
    assert!(lacks.is_empty(), "{} of {} branches:\n{}", lacks.len(), 2 * coverage.sites.len(), lacks.join("\n"));
    assert!(coverage.sites.len() > 90);
}

#[test]
fn every_case_takes_a_new_branch() {
    let coverage = Coverage::count();
    let idle: Vec<&str> = (0..coverage.cases.len())
        .filter(|&case| {
            let is_new = |site: &Site| {
                [false, true].into_iter().any(|way| {
                    coverage.is_taken(case, *site, way)
                        && !(0..case).any(|before| coverage.is_taken(before, *site, way))
                })
            };
            !coverage.sites.iter().any(is_new)
        })
        .map(|case| coverage.cases[case].name.as_str())
        .collect();
    assert!(idle.is_empty(), "{idle:?}");
}

#[test]
fn the_table_in_the_book_is_what_was_counted() {
    const MARKS: [&str; 2] = ["<!-- branches -->\n```text\n", "```\n<!-- end of branches -->"];
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/port/conformance.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(MARKS[0]).expect("the page has the table");
    let (there, after) = rest.split_once(MARKS[1]).expect("the page has the table");
    let table = Coverage::count().table();
    if std::env::var_os("KINESCOPE_WRITE_COVERAGE").is_some() {
        std::fs::write(&path, format!("{before}{}{table}{}{after}", MARKS[0], MARKS[1])).unwrap();
        return;
    }
    assert!(
        there == table,
        "The table in docs/port/conformance.md is out of date. To write it: KINESCOPE_WRITE_COVERAGE=1 cargo test"
    );
}
