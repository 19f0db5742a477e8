//! The library without the program: solvers, formats, importer, debugger. Tests of disabled features are left out.

#[path = "../common/mod.rs"]
mod common;

mod allocation;
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
mod chain_plane;
#[cfg(feature = "import")]
mod clip_limits;
#[cfg(feature = "import")]
mod conformance;
#[cfg(all(feature = "import", feature = "terrain"))]
mod crowd;
mod debugger;
#[cfg(feature = "import")]
mod detection;
#[cfg(feature = "import")]
mod east_asian;
#[cfg(all(feature = "import", feature = "mint", feature = "terrain"))]
mod engines;
mod feet;
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
mod hostile;
#[cfg(feature = "import")]
mod import;
#[cfg(feature = "fbx")]
mod import_fbx;
#[cfg(feature = "import")]
mod import_kinds;
#[cfg(feature = "import")]
mod import_looks;
mod joints;
mod least_squares;
#[cfg(all(feature = "import", feature = "link"))]
mod link;
mod locomotion;
mod many;
mod mirrors;
#[cfg(feature = "import")]
mod modifier_designs;
#[cfg(feature = "import")]
mod modifier_errors;
#[cfg(feature = "import")]
mod modifiers;
#[cfg(feature = "import")]
mod port;
mod position_based;
#[cfg(feature = "import")]
mod retarget;
mod rotations;
mod settings_coverage;
#[cfg(all(feature = "import", feature = "share"))]
mod share;
mod solver;
mod stack;
mod structure;
#[cfg(feature = "terrain")]
mod terrain;
mod trace_diff;
mod trackers;
mod updates;
mod variants;
#[cfg(feature = "import")]
mod yardsticks;
