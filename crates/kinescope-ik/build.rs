//! Sets `cfg(unoptimized)` if the library is compiled with opt-level 0, and `cfg(repository)` if the repository's book
//! and characters exist, which some tests read. The package on crates.io lacks both.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(unoptimized, repository)");
    if std::env::var("OPT_LEVEL").is_ok_and(|level| level == "0") {
        println!("cargo::rustc-cfg=unoptimized");
    }
    let root = std::path::Path::new("../..");
    if ["docs/embed/rust.md", "assets/biped.glb"].iter().all(|file| root.join(file).exists()) {
        println!("cargo::rustc-cfg=repository");
    }
}
