//! Writes `assets/biped.glb`, the character the program starts with.
//!
//! Run it from the crate's folder: `cargo run --release --no-default-features --example make_biped`. The file is made
//! of nothing but the numbers in `make_biped/`: the same code gives the same file.

#[path = "make_biped/mod.rs"]
mod make_biped;

fn main() -> std::io::Result<()> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/biped.glb");
    let character = make_biped::character();
    let bytes = make_biped::glb::encode(&character);
    println!(
        "{}: {} bones, {} vertices, {} triangles, {} clips, {} bytes",
        path.display(),
        character.skeleton.len(),
        character.mesh.positions.len(),
        character.mesh.triangles.len(),
        character.clips.len(),
        bytes.len()
    );
    std::fs::write(path, bytes)
}
