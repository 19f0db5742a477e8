//! Links: presets and capsules come back bit for bit, and damaged or hostile links are refused with a remedy.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use glam::Vec3;
use kinescope_ik::full_body::{Effector, Settings};
use kinescope_ik::preset::Preset;
use kinescope_ik::rig::LimbName;
use kinescope_ik::share::{MARK, MOST_DATA, MOST_JSON, Shared, TooLong, is_link};
use kinescope_ik::stack::Stack;
use miniz_oxide::deflate::compress_to_vec;
use proptest::prelude::*;

use crate::capsule::{bits, capsule, pulled};
use crate::common::property::property;

fn json(fragment: &str) -> serde_json::Value {
    let packed = URL_SAFE_NO_PAD.decode(fragment.strip_prefix(MARK).unwrap()).unwrap();
    serde_json::from_slice(&miniz_oxide::inflate::decompress_to_vec(&packed).unwrap()).unwrap()
}

fn link(bytes: &[u8]) -> String {
    format!("https://example.org/try/{MARK}{}", URL_SAFE_NO_PAD.encode(compress_to_vec(bytes, 10)))
}

fn error(link: &str) -> String {
    Shared::from_link(link).unwrap_err().to_string()
}

#[test]
fn a_preset_is_written_without_defaults() {
    let fragment = Shared::Preset(Preset::default().into()).to_fragment().unwrap();
    assert_eq!(json(&fragment), serde_json::json!({ "format": "kinescope-preset", "version": 1 }));
    let preset = Preset { settings: pulled(), ..Preset::default() };
    let fragment = Shared::Preset(preset.clone().into()).to_fragment().unwrap();
    let hand = serde_json::json!({ "left_hand": { "position": [0.3, 1.3, 0.5], "position_weight": 1.0 } });
    let expected = serde_json::json!({ "format": "kinescope-preset", "version": 1, "effectors": hand });
    assert_eq!(json(&fragment), expected);
    assert!(fragment.len() < 150, "{}", fragment.len());
    assert_eq!(Shared::from_link(&fragment), Ok(Shared::Preset(preset.into())));
}

#[test]
fn sections_come_back_without_their_defaults() {
    let mut stack = Stack { full_body: pulled(), ..Stack::default() };
    stack.grounding.blend = 0.25;
    stack.order.experiments.keep_pose = true;
    let fragment = Shared::Preset(stack.to_preset().into()).to_fragment().unwrap();
    assert_eq!(json(&fragment)["grounding"], serde_json::json!({ "blend": 0.25 }));
    let Ok(Shared::Preset(read)) = Shared::from_link(&fragment) else { panic!("{fragment}") };
    assert_eq!(Stack::of_preset(&read).unwrap(), stack);
}

#[test]
fn a_capsule_comes_back_bit_for_bit_and_solves_the_same() {
    let mut other = pulled();
    other.solver.weight = 0.5;
    let original = capsule(pulled(), &[pulled(), other]);
    let fragment = Shared::Capsule(original.clone().into()).to_fragment().unwrap();
    let frames = &json(&fragment)["frames"];
    assert_eq!(frames[1]["parameters"]["solver"], serde_json::json!({ "weight": 0.5 }));
    assert!(frames[0].get("memory").is_none() && frames[0].get("parameters").is_none(), "{}", frames[0]);
    let Ok(Shared::Capsule(read)) = Shared::from_link(&fragment) else { panic!("{fragment}") };
    assert_eq!(bits(&read), bits(&original));
    assert_eq!((&read.instant, &read.name), (&original.instant, &original.name));
    assert_eq!(read.check(|_| None), Ok(vec![]));
}

#[test]
fn a_link_that_would_be_too_long_is_refused() {
    let long = capsule(pulled(), &[pulled(); 60]);
    let Err(TooLong(bytes)) = Shared::Capsule(long.into()).to_fragment() else { panic!("60 frames fit") };
    assert!(bytes > MOST_DATA);
    assert_eq!(TooLong(40_000).to_string(), "the link would have 40000 bytes of data; the limit is 32768");
    assert!(error(&format!("{MARK}{}", "A".repeat(MOST_DATA + 1))).contains("32769 bytes of data; the limit is 32768"));
}

#[test]
fn invalid_links_are_refused_with_a_remedy() {
    assert!(error("https://example.org/try/").contains("has no \"#c=\"; copy it again"));
    assert!(error("#c=a+b").contains("is damaged: Invalid symbol 43"), "{}", error("#c=a+b"));
    assert!(error("#c=").contains("is damaged or cut off"));
    assert!(error(&link(b"\xff\xfe")).contains("holds no JSON"));
    assert!(error(&link(b"{")).starts_with("line 1, column 1: the text ends"));
    assert!(
        error(&link(br#"{"format":"kinescope-preset","version":1,"solver":{"weight":2}}"#))
            .starts_with("solver.weight: is 2")
    );
    assert!(error(&link(br#"{"format":"kinescope-capsule","version":1}"#)).contains("is missing"));
    // A small stream that inflates to more than the limit.
    let bomb = link(&vec![b' '; MOST_JSON + 1]);
    assert!(bomb.len() < 6000, "{}", bomb.len());
    assert!(error(&bomb).contains("holds more than 4 MiB of JSON"));
    assert!(error(&link(&vec![b' '; MOST_JSON])).starts_with("line 1"));
}

/// In the fuzzing corpus, the lower six bits of each byte are one character of a link.
#[test]
fn the_fuzzing_corpus_has_links() {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/share");
    let [mut presets, mut capsules] = [0, 0];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let data: String = bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte & 63)])).collect();
        match Shared::from_link(&format!("{MARK}{data}")) {
            Ok(Shared::Preset(_)) => presets += 1,
            Ok(Shared::Capsule(_)) => capsules += 1,
            Err(fault) => panic!("{}: {fault}", path.display()),
        }
    }
    assert!(presets >= 3 && capsules >= 1, "{presets} presets, {capsules} capsules");
}

#[test]
fn texts_that_are_links_are_recognized() {
    for text in ["kinescope:#c=q1Y", "  https://example.org/try/#c=q1Y\n", "#c="] {
        assert!(is_link(text), "{text:?}");
    }
    for text in ["", "{ \"format\": \"#c=\" }", "https://example.org/#d=q1Y", "walk.json"] {
        assert!(!is_link(text), "{text:?}");
    }
}

property! {
    #[test]
    fn every_preset_comes_back(position in prop::array::uniform3(-1e6f32..1e6), weights in prop::array::uniform4(0.0f32..=1.0), at in 0usize..9) {
        let mut settings = Settings::default();
        let own = settings.effector_mut(Effector::ALL[at]);
        (own.position, own.position_weight) = (Some(Vec3::from(position)), weights[0]);
        let chain = settings.chain_mut(LimbName::ALL[at % 4]);
        (chain.pull, chain.reach, chain.bend_weight) = (weights[1], weights[2], weights[3]);
        chain.bend_goal = Some(Vec3::new(-0.0, position[0], 0.0));
        let shared = Shared::Preset(Preset { settings, ..Preset::default() }.into());
        let read = Shared::from_link(&shared.to_fragment().unwrap()).unwrap();
        // As text, because −0 and 0 have to be told apart.
        prop_assert_eq!(format!("{read:?}"), format!("{shared:?}"));
    }

    #[test]
    fn a_changed_link_never_panics(at in 0usize..4000, byte in any::<u8>(), cut in any::<bool>()) {
        let fragment = Shared::Capsule(capsule(pulled(), &[pulled()]).into()).to_fragment().unwrap();
        let mut bytes = fragment.into_bytes();
        let at = at % bytes.len();
        match cut {
            true => bytes.truncate(at),
            false => bytes[at] = byte,
        }
        let _ = Shared::from_link(&String::from_utf8_lossy(&bytes));
    }
}
