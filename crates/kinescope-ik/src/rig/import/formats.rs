//! The formats of files, recognized by content: a file may have any name.

use std::borrow::Cow;

use super::bvh;
use super::converted::ReadFile;
#[cfg(all(feature = "fbx", not(target_arch = "wasm32")))]
use super::fbx;
use super::notes::{Notes, Outcome};
use crate::error::Fault;
use crate::rig::length_unit::LengthUnit;

/// The number of bytes at the beginning of a file that are searched for the words of a text format.
const HEAD: usize = 4096;

enum Handling {
    Read,
    #[cfg(all(feature = "fbx", not(target_arch = "wasm32")))]
    Fbx,
    Bvh,
    Refuse(&'static str),
}

struct Format {
    /// The name, to follow the words "this is" in a message.
    name: &'static str,
    is: fn(&[u8]) -> bool,
    handling: Handling,
}

const BLENDER: &str = "import it into Blender and export it as glTF 2.0 (.glb)";
const FBX2GLTF: &str = "import it into Blender and export it as glTF 2.0 (.glb), or use a converter for this format";
const MMD: &str = "import it into Blender with the add-on mmd_tools and export it as glTF 2.0 (.glb) or VRM";
const NO_SKELETON: &str =
    "this format has no skeleton; rig the model, for example in Blender, and export it as glTF 2.0 (.glb)";
const UNPACK: &str = "unpack it and open the model inside";

#[cfg(all(feature = "fbx", not(target_arch = "wasm32")))]
const MAYA: &str = "open it in Maya and export it as .fbx";
#[cfg(not(all(feature = "fbx", not(target_arch = "wasm32"))))]
const MAYA: &str = "export it from Maya as .fbx, import that into Blender and export it as glTF 2.0 (.glb)";
#[cfg(all(feature = "fbx", not(target_arch = "wasm32")))]
const MAX: &str = "open it in 3ds Max and export it as glTF 2.0 (.glb) or .fbx";
#[cfg(not(all(feature = "fbx", not(target_arch = "wasm32"))))]
const MAX: &str = "open it in 3ds Max and export it as glTF 2.0 (.glb)";

#[cfg(all(not(feature = "fbx"), not(target_arch = "wasm32")))]
const NO_FBX: &str = FBX2GLTF;
#[cfg(target_arch = "wasm32")]
const NO_FBX: &str = "open it with the installed program, which reads .fbx, or import it into Blender and export it as \
                      glTF 2.0 (.glb)";

use Handling::{Read, Refuse};

const fn row(name: &'static str, is: fn(&[u8]) -> bool, handling: Handling) -> Format {
    Format { name, is, handling }
}

/// The formats, in the order in which they are tried.
const FORMATS: &[Format] = &[
    row("a binary glTF file", |bytes| bytes.starts_with(b"glTF"), Read),
    row("JSON", |bytes| first(bytes) == Some(b'{'), Read),
    row("a binary FBX file", |bytes| bytes.starts_with(b"Kaydara FBX Binary"), FBX),
    row("an FBX file", |bytes| has(bytes, "FBXHeaderExtension") || text(bytes).starts_with("; FBX "), FBX),
    row("BVH motion", |bytes| text(bytes).to_ascii_uppercase().starts_with("HIERARCHY"), Handling::Bvh),
    row("a binary USD file", |bytes| bytes.starts_with(b"PXR-USDC"), Refuse(BLENDER)),
    row("a USD file", |bytes| text(bytes).starts_with("#usda"), Refuse(BLENDER)),
    row("a packed USD file (.usdz)", |bytes| zip_holds(bytes, &[".usd", ".usda", ".usdc"]), Refuse(BLENDER)),
    row("a zip archive", |bytes| bytes.starts_with(b"PK\x03\x04"), Refuse(UNPACK)),
    row("a 7z archive", |bytes| bytes.starts_with(b"7z\xbc\xaf\x27\x1c"), Refuse(UNPACK)),
    row("a RAR archive", |bytes| bytes.starts_with(b"Rar!\x1a\x07"), Refuse(UNPACK)),
    row(
        "a gzip file, such as a Unity package or an old compressed .blend file",
        |bytes| bytes.starts_with(b"\x1f\x8b"),
        Refuse(UNPACK),
    ),
    row("a MikuMikuDance model (.pmx)", |bytes| bytes.starts_with(b"PMX "), Refuse(MMD)),
    row("a MikuMikuDance model (.pmd)", |bytes| bytes.starts_with(b"Pmd\0\0\x80\x3f"), Refuse(MMD)),
    row("a MikuMikuDance motion (.vmd)", |bytes| bytes.starts_with(b"Vocaloid Motion Data"), Refuse(MMD)),
    row("a COLLADA file (.dae)", |bytes| has(bytes, "<COLLADA"), Refuse(BLENDER)),
    row(
        "a Blender file (.blend)",
        // The second sequence begins files compressed with Zstandard, as newer versions of Blender write them.
        |bytes| bytes.starts_with(b"BLENDER") || bytes.starts_with(b"\x28\xb5\x2f\xfd"),
        Refuse("open it in Blender and export it as glTF 2.0 (.glb)"),
    ),
    row("a Maya file", is_maya, Refuse(MAYA)),
    row("a 3ds Max file", |bytes| bytes.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), Refuse(MAX)),
    row("a DirectX model (.x)", |bytes| bytes.starts_with(b"xof 0"), Refuse(FBX2GLTF)),
    row("a Source model (.smd)", |bytes| text(bytes).starts_with("version 1\n"), Refuse(BLENDER)),
    row("an MD5 model", |bytes| text(bytes).starts_with("MD5Version"), Refuse(BLENDER)),
    row(
        "an Alembic file",
        |bytes| bytes.starts_with(b"Ogawa"),
        Refuse(
            "it has moving points instead of bones; export the rigged character from its program as glTF 2.0 (.glb)",
        ),
    ),
    row("a PLY mesh", |bytes| text(bytes).starts_with("ply\n"), Refuse(NO_SKELETON)),
    row("an STL mesh", is_stl, Refuse(NO_SKELETON)),
    row("a 3D Studio mesh (.3ds)", is_3ds, Refuse(NO_SKELETON)),
    row("an OBJ mesh", is_obj, Refuse(NO_SKELETON)),
    row(
        "a picture",
        |bytes| bytes.starts_with(b"\x89PNG\r\n\x1a\n") || bytes.starts_with(b"\xff\xd8\xff"),
        Refuse("open the model that uses it"),
    ),
    row(
        "a Git LFS pointer",
        |bytes| text(bytes).starts_with("version https://git-lfs"),
        Refuse("run `git lfs pull` in its repository"),
    ),
    row(
        "a web page",
        |bytes| has(bytes, "<!DOCTYPE html") || has(bytes, "<html"),
        Refuse("the download did not give the model; download it again"),
    ),
];

#[cfg(all(feature = "fbx", not(target_arch = "wasm32")))]
const FBX: Handling = Handling::Fbx;
#[cfg(not(all(feature = "fbx", not(target_arch = "wasm32"))))]
const FBX: Handling = Refuse(NO_FBX);

/// Returns glTF: the bytes themselves, or the file that they are converted to. Adds the notes of the conversion. If the
/// format does not state its unit, also returns the unit: `unit`, or else a guess. Pauses while it converts, and
/// reports the part that is done; the conversion ends when `progress` returns false.
///
/// # Errors
/// The file is empty, its format is unknown, the conversion fails, or `progress` returned false. Or the format is not
/// supported; the message names it and says what to do instead.
#[cfg_attr(
    not(all(feature = "fbx", not(target_arch = "wasm32"))),
    expect(unused_variables, reason = "only FBX has other files")
)]
pub(super) async fn to_gltf<'a>(
    bytes: &'a [u8],
    unit: Option<LengthUnit>,
    read_file: ReadFile<'_>,
    notes: &mut Notes,
    progress: &mut dyn FnMut(f32) -> bool,
) -> Outcome<(Cow<'a, [u8]>, Option<LengthUnit>)> {
    if bytes.is_empty() {
        return Err(Fault::new("", "the file is empty; export or download it again"));
    }
    let Some(format) = FORMATS.iter().find(|format| (format.is)(bytes)) else {
        let problem = format!("the format of the file is not known; choose a {SUPPORTED} file");
        return Err(Fault::new("byte 0", problem));
    };
    match format.handling {
        Read => Ok((Cow::Borrowed(bytes), None)),
        #[cfg(all(feature = "fbx", not(target_arch = "wasm32")))]
        Handling::Fbx => {
            let converted = fbx::to_glb(bytes, read_file, progress).await?;
            converted.notes.into_iter().for_each(|note| notes.add(note));
            Ok((Cow::Owned(converted.glb), None))
        }
        Handling::Bvh => {
            let (converted, unit) = bvh::to_glb(bytes, unit, progress).await?;
            converted.notes.into_iter().for_each(|note| notes.add(note));
            Ok((Cow::Owned(converted.glb), Some(unit)))
        }
        Refuse(cure) => Err(Fault::new("", format!("this is {}, which {READER} does not read: {cure}", format.name))),
    }
}

#[cfg(all(feature = "fbx", not(target_arch = "wasm32")))]
const SUPPORTED: &str = ".glb, .gltf, .vrm, .fbx or .bvh";
#[cfg(not(all(feature = "fbx", not(target_arch = "wasm32"))))]
const SUPPORTED: &str = ".glb, .gltf, .vrm or .bvh";

#[cfg(not(target_arch = "wasm32"))]
const READER: &str = "Kinescope";
#[cfg(target_arch = "wasm32")]
const READER: &str = "the page in a browser";

/// Returns the text in the first [`HEAD`] bytes of a file, up to the first byte that is not UTF-8, without a byte order
/// mark and leading whitespace.
fn text(bytes: &[u8]) -> &str {
    let head = &bytes[..bytes.len().min(HEAD)];
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
    };
    text.trim_start()
}

fn has(bytes: &[u8], word: &str) -> bool {
    text(bytes).contains(word)
}

fn first(bytes: &[u8]) -> Option<u8> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

fn zip_holds(bytes: &[u8], endings: &[&str]) -> bool {
    let length = |at: usize| Some(usize::from(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?)));
    let name = bytes.starts_with(b"PK\x03\x04").then(|| bytes.get(30..30 + length(26)?)).flatten();
    let name = String::from_utf8_lossy(name.unwrap_or_default()).to_ascii_lowercase();
    endings.iter().any(|ending| name.ends_with(ending))
}

fn is_maya(bytes: &[u8]) -> bool {
    let is_binary = (bytes.starts_with(b"FOR4") || bytes.starts_with(b"FOR8"))
        && bytes.iter().take(64).copied().collect::<Vec<u8>>().windows(4).any(|word| word == b"Maya");
    text(bytes).starts_with("//Maya ASCII") || is_binary
}

/// Returns whether a file is STL text, or has the length of a binary STL file with as many triangles, at least one, as
/// the number at byte 80 states.
fn is_stl(bytes: &[u8]) -> bool {
    let count = bytes.get(80..84).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
    let is_binary = count.is_some_and(|count| count > 0 && bytes.len() as u64 == 84 + 50 * u64::from(count));
    is_binary || text(bytes).starts_with("solid ") && has(bytes, "facet")
}

/// Returns whether a file is one chunk of the kind that encloses a .3ds file.
fn is_3ds(bytes: &[u8]) -> bool {
    let length = bytes.get(2..6).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
    bytes.starts_with(b"MM") && length.is_some_and(|length| length as usize == bytes.len())
}

/// Returns whether the lines at the beginning of a text are comments and statements of an OBJ file, with a vertex or a
/// library of materials among them.
fn is_obj(bytes: &[u8]) -> bool {
    let text = text(bytes);
    // The last line may be cut off.
    let lines = text.lines().take(text.lines().count().max(2) - 1);
    let words: Vec<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
    let statements = ["v", "vn", "vt", "vp", "f", "l", "p", "o", "g", "s", "mtllib", "usemtl", "mg"];
    let mut given = words.iter().filter(|word| !word.starts_with('#')).peekable();
    given.peek().is_some()
        && given.all(|word| statements.contains(word))
        && words.iter().any(|&word| word == "v" || word == "mtllib")
}
