//! Carries the weights of morph targets to another character, by the names of the targets.

use std::collections::BTreeSet;

use crate::rig::{Clip, Interpolation, Morph, MorphTrack};

/// Returns the tracks of a clip's morph targets for the morphs of another character, and one sentence for each mesh of
/// the source that the clip moves and of which a target is not carried.
///
/// A morph of the target follows one morph of the source: of those that the clip moves, the one with most targets of
/// the same names; if several have as many, the one whose mesh has the same name. Without a target of the same name it
/// gets no track. Targets that the followed morph lacks keep the constant weight of the file. Names that an importer
/// made up for unnamed targets (`target 3`) count as none. Times and interpolation are those of the source.
pub fn carry_morphs(clip: &Clip, source: &[Morph], target: &[Morph]) -> (Vec<MorphTrack>, Vec<String>) {
    let mut carried: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut tracks = Vec::new();
    for (morph, own) in target.iter().enumerate() {
        let shared = |track: &&MorphTrack| {
            let of = source.get(track.morph)?;
            let pairs: Vec<Option<usize>> = own.targets.iter().enumerate().map(|at| find(of, at)).collect();
            let count = pairs.iter().flatten().count();
            (count > 0).then_some((count, of.name == own.name, pairs))
        };
        let found = clip.morphs.iter().filter_map(|track| Some((shared(&track)?, track)));
        // Of equals, `max_by_key` returns the last. Sampling a clip with several tracks of one mesh also ends with the
        // last.
        let Some(((.., pairs), track)) = found.max_by_key(|((count, is_same_mesh, _), _)| (*count, *is_same_mesh))
        else {
            continue;
        };
        carried.extend(pairs.iter().flatten().map(|&at| (track.morph, at)));
        let count = source[track.morph].targets.len();
        let values = values(track, count, &pairs, &own.weights);
        tracks.push(MorphTrack { morph, values, times: track.times.clone(), interpolation: track.interpolation });
    }
    let moved: BTreeSet<usize> = clip.morphs.iter().map(|track| track.morph).collect();
    let dropped = moved.into_iter().filter_map(|index| {
        let morph = source.get(index)?;
        let lost: Vec<&str> = morph
            .targets
            .iter()
            .enumerate()
            .filter(|(at, _)| !carried.contains(&(index, *at)))
            .map(|(_, name)| name.as_str())
            .collect();
        let first = lost.first()?;
        let (count, mesh) = (lost.len(), &morph.name);
        Some(format!("mesh {mesh:?}: {count} of its morph targets not carried to the character, such as {first:?}"))
    });
    let dropped = dropped.collect();
    (tracks, dropped)
}

/// Returns the index of the target of the same name in a morph of the source; `None` for a made-up name.
fn find(source: &Morph, (at, name): (usize, &String)) -> Option<usize> {
    let is_named = *name != format!("target {at}");
    source.targets.iter().position(|own| own == name && is_named)
}

/// Returns the values of a track with `count` targets for other targets: those in `pairs` get the values of the target
/// with that index, the others their constant weight of `rest`.
fn values(track: &MorphTrack, count: usize, pairs: &[Option<usize>], rest: &[f32]) -> Vec<f32> {
    let mut values = Vec::new();
    for (index, row) in track.values.chunks_exact(count.max(1)).enumerate() {
        // Tangents of a constant are 0; each key has an in-tangent, the weights and an out-tangent.
        let is_tangent = track.interpolation == Interpolation::CubicSpline && index % 3 != 1;
        values.extend(pairs.iter().enumerate().map(|(target, pair)| match pair {
            Some(at) => row[*at],
            None if is_tangent => 0.0,
            None => rest.get(target).copied().unwrap_or(0.0),
        }));
    }
    values
}
