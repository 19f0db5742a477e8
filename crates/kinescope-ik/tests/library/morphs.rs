//! Tracks of morph targets, carried from one character to another.

use kinescope_ik::animation::{Clip, Interpolation};
use kinescope_ik::retarget::carry_morphs;
use kinescope_ik::rig::{Morph, MorphTrack};

fn morph(name: &str, targets: &[&str], weights: &[f32]) -> Morph {
    let targets = targets.iter().map(|&target| target.to_owned()).collect();
    Morph { name: name.to_owned(), targets, weights: weights.to_vec() }
}

fn clip(interpolation: Interpolation, morphs: &[(usize, &[f32])]) -> Clip {
    let track = |&(morph, values): &(usize, &[f32])| MorphTrack {
        morph,
        interpolation,
        times: vec![0.0, 1.0],
        values: values.to_vec(),
    };
    Clip { morphs: morphs.iter().map(track).collect(), ..Clip::default() }
}

#[test]
fn weights_follow_the_names_of_targets() {
    let source = [morph("face", &["smile", "blink", "frown"], &[0.0; 3]), morph("teeth", &["smile"], &[0.0])];
    let target = [
        morph("cape", &["wind"], &[0.5]),
        morph("teeth", &["smile"], &[0.0]),
        morph("head", &["blink", "puff", "smile"], &[0.0, 0.25, 0.0]),
    ];
    let clip = clip(Interpolation::Linear, &[(0, &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), (1, &[0.7, 0.8])]);
    let (tracks, dropped) = carry_morphs(&clip, &source, &target);
    let found: Vec<(usize, &[f32])> = tracks.iter().map(|track| (track.morph, &track.values[..])).collect();
    assert_eq!(found, [(1, &[0.7, 0.8][..]), (2, &[0.2, 0.25, 0.1, 0.5, 0.25, 0.4][..])]);
    assert_eq!(dropped, ["mesh \"face\": 1 of its morph targets not carried to the character, such as \"frown\""]);
    let mut weights: Vec<Vec<f32>> = target.iter().map(|morph| morph.weights.clone()).collect();
    Clip { morphs: tracks, ..Clip::default() }.sample_morphs(0.5, &mut weights);
    assert!((weights[2][0] - 0.35).abs() < 1e-6 && (weights[2][2] - 0.25).abs() < 1e-6, "{weights:?}");
    assert_eq!((weights[0][0], weights[2][1]), (0.5, 0.25));
}

#[test]
fn tangents_of_cubic_splines_are_carried() {
    let (source, target) = (morph("face", &["smile"], &[0.0]), morph("face", &["puff", "smile"], &[0.5, 0.0]));
    let clip = clip(Interpolation::CubicSpline, &[(0, &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])]);
    let (tracks, dropped) = carry_morphs(&clip, &[source], &[target]);
    assert_eq!(tracks[0].values, [0.0, 0.1, 0.5, 0.2, 0.0, 0.3, 0.0, 0.4, 0.5, 0.5, 0.0, 0.6]);
    assert_eq!(dropped, [""; 0]);
}

#[test]
fn unnamed_targets_and_characters_without_morphs_get_nothing() {
    let source = [morph("face", &["target 0"], &[0.0])];
    let clip = clip(Interpolation::Step, &[(0, &[0.1, 0.2]), (7, &[0.1, 0.2])]);
    for target in [vec![morph("face", &["target 0"], &[0.0])], Vec::new()] {
        let (tracks, dropped) = carry_morphs(&clip, &source, &target);
        assert!(tracks.is_empty() && dropped.len() == 1 && dropped[0].contains("\"target 0\""), "{dropped:?}");
    }
}
