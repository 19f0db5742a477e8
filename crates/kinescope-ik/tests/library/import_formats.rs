//! Recognition of file formats by content, with the cure for those that are not read.

use kinescope_ik::rig::import;

fn problem(bytes: &[u8]) -> String {
    import("hero", bytes, &mut |uri| Err(uri.to_owned())).unwrap_err().to_string()
}

#[test]
fn formats_are_recognized_by_content() {
    let usdz = b"PK\x03\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x09\0\0\0hero.usdcPXR-USDC";
    let zip = b"PK\x03\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08\0\0\0hero.glbglTF";
    let mut stl = vec![0; 134];
    stl[80] = 1;
    let cases: [(&[u8], &str, &str); 24] = [
        (b"PXR-USDC\0\x08", "binary USD", "glTF 2.0"),
        (b"#usda 1.0\n(\n)\n", "a USD file", "glTF 2.0"),
        (usdz, ".usdz", "glTF 2.0"),
        (zip, "zip archive", "unpack"),
        (b"\x1f\x8b\x08\0", "gzip", "unpack"),
        (b"PMX \0\0\0@\x08", ".pmx", "mmd_tools"),
        (b"Pmd\0\0\x80\x3fmodel", ".pmd", "mmd_tools"),
        (b"Vocaloid Motion Data 0002\0", ".vmd", "mmd_tools"),
        (b"<?xml version=\"1.0\"?>\n<COLLADA version=\"1.4.1\">", "COLLADA", "Blender"),
        (b"BLENDER-v402REND", ".blend", "open it in Blender"),
        (b"\x28\xb5\x2f\xfd\0", ".blend", "open it in Blender"),
        (b"//Maya ASCII 2024 scene\n", "Maya", "export"),
        (b"FOR8\0\0\0\0\0\0\0\0Maya", "Maya", "export"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0", "3ds Max", "export"),
        (b"xof 0303txt 0032\n", ".x", "Blender"),
        (b"MD5Version 10\n", "MD5", "Blender"),
        (b"Ogawa\xff", "Alembic", "bones"),
        (b"ply\nformat ascii 1.0\n", "PLY", "no skeleton"),
        (b"solid hero\n facet normal 0 0 1\n", "STL", "no skeleton"),
        (&stl, "STL", "no skeleton"),
        (b"# Blender\nmtllib hero.mtl\no hero\nv 0 1 2\nvn 0 0 1\nf 1 2 3\n", "OBJ", "no skeleton"),
        (b"\x89PNG\r\n\x1a\n", "picture", "open the model"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS", "git lfs pull"),
        (b"\n<!DOCTYPE html><html>", "web page", "download it again"),
    ];
    for (bytes, name, cure) in cases {
        let problem = problem(bytes);
        assert!(problem.contains(name) && problem.contains(cure), "{name}: {problem}");
    }
    assert!(problem(b"\nhierarchy\nROOT Hips\n").contains("line 4"));
    // These are read as glTF.
    assert!(problem(b"glTF\x02\0\0\0").contains("byte 8: the file is cut off"));
    assert!(problem(b"\xef\xbb\xbf \n{}").contains("asset: the version is missing"));
}

#[test]
fn other_text_is_no_mesh() {
    for text in ["verse 1\n", "# a comment\n# another\n", "volume 3\nfacts\n", "g\n", "", " ", "\0"] {
        let problem = problem(text.as_bytes());
        assert!(problem.contains("not known") || problem.contains("empty"), "{text:?}: {problem}");
    }
}
