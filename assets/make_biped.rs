//! Writes `assets/biped.glb`, the built-in mannequin, and `assets/faun.glb`, the same body on digitigrade legs.
//!
//! Run it from the crate's folder: `cargo run --release --example make_biped`. The code reads no file, so every
//! run on one machine writes the same files. Other machines may round the sines of the clips differently.

#[path = "make_biped/mod.rs"]
mod make_biped;

fn main() -> std::io::Result<()> {
    let human = make_biped::character();
    let faun = make_biped::faun::character(&human);
    for (name, character) in [("biped", human), ("faun", faun)] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("assets/{name}.glb"));
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
        std::fs::write(path, bytes)?;
    }
    Ok(())
}
