//! The library without the program: solvers, formats, importer, debugger. Tests of disabled features are left out.

#[path = "../common/mod.rs"]
mod common;

mod allocation;
mod animation;
#[cfg(feature = "import")]
mod attach;
#[cfg(feature = "import")]
mod bend_limit;
mod biped_asset;
mod body_lab;
#[cfg(feature = "import")]
mod bvh;
mod c_mirrors;
#[cfg(feature = "import")]
mod capsule;
mod chain_file;
mod chain_formula;
mod chain_ik;
mod chain_limits;
mod chain_plane;
mod chain_recording;
#[cfg(feature = "import")]
mod clip_limits;
#[cfg(feature = "import")]
mod conformance;
#[cfg(all(feature = "import", feature = "terrain"))]
mod crowd;
mod csharp;
mod debugger;
#[cfg(feature = "import")]
mod detection;
#[cfg(feature = "import")]
mod east_asian;
#[cfg(all(feature = "import", feature = "mint", feature = "terrain"))]
mod engines;
mod feet;
mod fields;
#[cfg(feature = "import")]
mod formula;
#[cfg(feature = "import")]
mod four_bones;
#[cfg(all(feature = "import", feature = "link"))]
mod game_recording;
#[cfg(all(feature = "import", feature = "link"))]
mod game_recording_2;
mod golden;
#[cfg(feature = "terrain")]
mod ground_draw;
mod ground_formula;
mod grounding;
mod grounding_qualities;
mod held_casts;
mod hostile;
#[cfg(feature = "import")]
mod import;
#[cfg(feature = "fbx")]
mod import_fbx;
#[cfg(feature = "import")]
mod import_formats;
#[cfg(feature = "import")]
mod import_kinds;
#[cfg(feature = "import")]
mod import_looks;
#[cfg(feature = "import")]
mod import_source;
mod joints;
mod least_squares;
#[cfg(all(feature = "import", feature = "link"))]
mod link;
#[cfg(feature = "import")]
mod locomotion;
mod many;
mod math;
mod mirrors;
#[cfg(feature = "import")]
mod modifier_designs;
#[cfg(feature = "import")]
mod modifier_errors;
#[cfg(feature = "import")]
mod modifiers;
mod morphs;
mod parameters;
mod path;
#[cfg(feature = "import")]
mod port;
mod position_based;
mod preset;
mod property;
#[cfg(feature = "import")]
mod retarget;
mod rotations;
mod sections;
mod settings_coverage;
#[cfg(all(feature = "import", feature = "share"))]
mod share;
mod solver;
mod stack;
mod structure;
mod tape;
#[cfg(feature = "terrain")]
mod terrain;
mod trace_diff;
#[cfg(feature = "import")]
mod trackers;
mod updates;
mod variants;
mod weight_curves;
#[cfg(feature = "import")]
mod yardsticks;
