//! A preset that can be read is written so that it reads back equal, with its sections, and so is the program's
//! document made from it. A position on the document's path is finite, and so are hits of casts on its ground.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none preset fuzz/corpus/preset fuzz/seeds/preset -- -dict=fuzz/json.dict`
#![no_main]

use glam::Vec3;
use kinescope::world::document::Document;
use kinescope_ik::ground::Ground;
use kinescope_ik::locomotion::Path;
use kinescope_ik::preset::Preset;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(preset) = Preset::from_json(text) else { return };
    let written = preset.to_json();
    assert_eq!(Preset::from_json(&written).as_ref(), Ok(&preset), "{written}");

    let Ok(document) = Document::from_preset(&preset) else { return };
    let written = document.to_preset().to_json();
    let again = Preset::from_json(&written).and_then(|preset| Document::from_preset(&preset));
    assert_eq!(again.as_ref(), Ok(&document), "{written}");
    if let Some(path) = Path::new(&document.motion.path, document.motion.closed) {
        let (place, direction) = path.at(1.0);
        assert!(place.is_finite() && direction.is_finite(), "{written}");
    }
    if let Some(terrain) = &document.terrain {
        let ground = terrain.at(1.0).expect("a document's terrain is valid");
        let above = Vec3::new(document.motion.start.x, 1500.0, document.motion.start.y);
        let hits = [
            ground.ray(above, Vec3::NEG_Y, 3000.0),
            ground.sphere(above, 0.1, Vec3::NEG_Y, 3000.0),
            ground.capsule(above, above + Vec3::X, 0.1, Vec3::NEG_Y, 3000.0),
        ];
        for hit in hits.into_iter().flatten() {
            assert!(hit.point.is_finite() && hit.normal.is_normalized() && hit.distance >= 0.0, "{hit:?} in {written}");
        }
    }
});
