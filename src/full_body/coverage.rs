//! Which branches of the solver the conformance kit takes: counted as it runs.

use std::collections::{BTreeMap, BTreeSet};

use super::asked::Character;
use super::program::Solve;
use super::read::{Read, read};
use super::writing::Writing;
use crate::conformance::{Case, cases};
use crate::lanes::counted::{Counting, Site, counting};
use crate::stepped;

/// What every branch comes to in a case.
fn branches(case: &Case) -> BTreeMap<Site, [bool; 2]> {
    let (rig, settings) = (&case.trace.rig, &case.trace.parameters);
    counting(|| {
        let solver = rig.solver().unwrap();
        let mut buffers = Read::<Counting>::new(());
        let character = Character { solver: &solver, settings, pose: &rig.animated };
        let mut state = read((), &[character], &mut buffers);
        let Read { frame, mappings, written, .. } = &mut buffers;
        stepped::solve(&mut Solve::new(frame), &mut state);
        if settings.solver.weight > 0.0 {
            Writing::new(&solver, mappings, frame, &state.points).all(written);
        }
    })
}

#[test]
fn every_branch_is_taken_and_not_taken() {
    let cases = cases().unwrap();
    let seen: Vec<BTreeMap<Site, [bool; 2]>> = cases.iter().map(branches).collect();
    let sites: BTreeSet<Site> = seen.iter().flat_map(|seen| seen.keys().copied()).collect();
    let mut lacks = Vec::new();
    for site in &sites {
        for way in [false, true] {
            if !seen.iter().any(|seen| seen.get(site).is_some_and(|ways| ways[usize::from(way)])) {
                lacks.push(format!("{}:{}:{} is never {way}", site.0, site.1, site.2));
            }
        }
    }
    assert!(lacks.is_empty(), "{} of {} branches:\n{}", lacks.len(), 2 * sites.len(), lacks.join("\n"));
}
