//! Hostile files must not hang the program, exceed memory limits, or make it read or write unintended files. The
//! program reports their errors.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::PATIENCE;
use crate::common::built_in;
use crate::common::files::Folder;
use crate::common::gltf::Glb;
use crate::common::program::PROGRAM;

/// The address space of an idle program with a margin, in MiB.
const BASE: usize = 160;

impl Folder {
    fn run_within(&self, mebibytes: usize, arguments: &[&str]) -> Output {
        let start = Instant::now();
        let output = Command::new("sh")
            .args(["-c", "ulimit -v $0; exec \"$@\"", &(mebibytes * 1024).to_string(), PROGRAM])
            .args(arguments)
            .env("XDG_CONFIG_HOME", self.0.join("config"))
            .env_remove("DISPLAY")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(start.elapsed() < PATIENCE, "{arguments:?} took {:?}", start.elapsed());
        output
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.run_within(4096, arguments)
    }

    /// Runs the program and checks for status 1 and one line of limited length on standard error with all these words.
    fn fails_within(&self, mebibytes: usize, arguments: &[&str], words: &[&str]) {
        let output = self.run_within(mebibytes, arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
        assert_eq!(error.trim_end().lines().count(), 1, "{arguments:?}: {error}");
        assert!(error.chars().count() <= 320, "{} characters: {error}", error.chars().count());
        for word in words {
            assert!(error.contains(word), "{arguments:?}: {error:?} lacks {word:?}");
        }
    }

    fn fails(&self, arguments: &[&str], words: &[&str]) {
        self.fails_within(4096, arguments, words);
    }

    fn succeeds(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
        error
    }

    fn problems(&self, model: &str) -> String {
        let output = self.run(&["inspect", model, "--json"]);
        let value: Value = serde_json::from_slice(&output.stdout).expect("inspect --json");
        value["problems"].to_string()
    }
}

fn preset(rest: Value) -> String {
    let mut value = json!({ "format": "kinescope-preset", "version": 1 });
    value.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    value.to_string()
}

fn biped(folder: &Folder) -> Value {
    let Glb { root: mut document, bytes } = Glb::read(built_in::BYTES);
    folder.write("biped.bin", bytes);
    document["buffers"][0]["uri"] = "biped.bin".into();
    document
}

fn textured(mut model: Value, uri: &str) -> Value {
    model["images"] = json!([{ "uri": uri }]);
    model["textures"] = json!([{ "source": 0 }]);
    model["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = json!({ "index": 0 });
    model
}

fn pixel() -> Vec<u8> {
    let mut bytes = Vec::new();
    let image = image::RgbaImage::from_pixel(1, 1, image::Rgba([200, 100, 50, 255]));
    image.write_to(&mut std::io::Cursor::new(&mut bytes), image::ImageFormat::Png).unwrap();
    bytes
}

#[test]
fn parsed_json_stays_within_a_size_limit() {
    let folder = Folder::new("growth");
    // 57 MB of empty nodes used to take 15 GB.
    let nodes = vec!["{}"; 19_000_000].join(",");
    let model = folder.write("nodes.gltf", format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}]}}"#));
    folder.fails_within(BASE + 3 * 57, &["inspect", &model], &["nodes.gltf", "JSON", "needs more than"]);
    let preset = folder
        .write("large.json", format!(r#"{{"format":"kinescope-preset","version":1,"camera":[{nodes},{nodes}]}}"#));
    folder.fails_within(
        BASE,
        &["solve", "--preset", &preset, "--out", &folder.path("o.json")],
        &["larger than 64 MiB"],
    );
    drop(nodes);
    // A file of moderate size may grow too large when it is parsed.
    let many = vec![r#"{"a":{}}"#; 5_000_000].join(",");
    let own = |format: &str, field: &str| format!(r#"{{"format":"{format}","version":1,"{field}":[{many}]}}"#);
    for (name, text, arguments) in [
        ("preset.json", own("kinescope-preset", "view"), vec!["solve", "--out", "o.json", "--preset"]),
        ("trace.json", own("kinescope-trace", "steps"), vec!["diff"]),
        ("capsule.json", own("kinescope-capsule", "frames"), vec!["check"]),
    ] {
        let file = folder.write(name, text);
        let arguments: Vec<&str> = arguments.into_iter().chain([file.as_str()]).collect();
        folder.fails_within(BASE + 3 * 45, &arguments, &["needs more than"]);
    }
    let chain = folder.write("chain.json", vec![r#"{"a":{}}"#; 3_000_000].join(","));
    folder.fails_within(BASE, &["chain", &chain], &["larger than 16 MiB"]);
}

#[test]
fn buffers_together_have_a_limit() {
    let folder = Folder::new("buffers");
    let sparse = std::fs::File::create(folder.path("sparse.bin")).unwrap();
    sparse.set_len(100 << 20).unwrap();
    let mut model = biped(&folder);
    for index in 1..13 {
        let buffer = json!({ "uri": "sparse.bin", "byteLength": 100 << 20 });
        model["buffers"].as_array_mut().unwrap().push(buffer);
        model["bufferViews"].as_array_mut().unwrap().push(json!({ "buffer": index, "byteLength": 48 }));
        let view = model["bufferViews"].as_array().unwrap().len() - 1;
        let accessor = json!({ "bufferView": view, "componentType": 5126, "count": 3, "type": "VEC3" });
        model["accessors"].as_array_mut().unwrap().push(accessor);
        let accessor = model["accessors"].as_array().unwrap().len() - 1;
        let primitive = json!({ "attributes": { "POSITION": accessor } });
        model["meshes"][0]["primitives"].as_array_mut().unwrap().push(primitive);
    }
    let path = folder.write("many.gltf", model.to_string());
    folder.fails_within(BASE + 700, &["inspect", &path], &["many.gltf", "buffer", "larger than"]);
}

#[test]
fn devices_and_pipes_are_not_read() {
    let folder = Folder::new("devices");
    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let out = folder.path("o.json");
    for device in ["/dev/zero", pipe.as_str()] {
        for arguments in [
            vec!["inspect", device],
            vec!["solve", device, "--out", &out],
            vec!["solve", "--preset", device, "--out", &out],
            vec!["diff", device],
            vec!["check", device],
            vec!["chain", device],
        ] {
            folder.fails_within(BASE, &arguments, &[device, "is a device or a pipe, not a file"]);
        }
        let mut model = biped(&folder);
        model["buffers"][0]["uri"] = device.into();
        let path = folder.write("by_uri.gltf", model.to_string());
        folder.fails_within(BASE, &["inspect", &path], &["by_uri.gltf", "buffer 0"]);
    }
    let mut model = biped(&folder);
    model["buffers"][0]["uri"] = "pipe".into();
    let path = folder.write("pipe_beside.gltf", model.to_string());
    folder.fails_within(BASE, &["inspect", &path], &["pipe_beside.gltf", "buffer 0", "is a device or a pipe"]);
}

#[test]
fn a_model_reads_no_further_than_its_folder() {
    let folder = Folder::new("outside");
    let secret = folder.write("secret.bin", b"private");
    folder.write("textures/skin.png", pixel());
    std::fs::create_dir_all(folder.path("model")).unwrap();
    std::os::unix::fs::symlink(&secret, folder.path("model/link.bin")).unwrap();
    let model = biped(&folder);
    std::fs::rename(folder.path("biped.bin"), folder.path("model/biped.bin")).unwrap();

    for uri in ["../secret.bin", "%2e%2e/secret.bin", "..%2Fsecret.bin", "link.bin", "./../model/../secret.bin"] {
        let mut model = model.clone();
        model["buffers"][0]["uri"] = uri.into();
        let path = folder.write("model/buffer.gltf", model.to_string());
        folder.fails(&["inspect", &path], &["buffer 0", "outside the model's folder"]);
    }
    let url = format!("file://{secret}");
    for uri in [secret.as_str(), &url, "http://127.0.0.1/x.bin", "C:\\secret.bin"] {
        let mut model = model.clone();
        model["buffers"][0]["uri"] = uri.into();
        let path = folder.write("model/absolute.gltf", model.to_string());
        folder.fails(&["inspect", &path], &["buffer 0", "the path is not relative to the model's folder"]);
    }

    let textured = |uri: &str| folder.write("model/textured.gltf", textured(model.clone(), uri).to_string());
    // A texture in a sibling folder, as in real asset packs, loads, is reported, and is copied into exports.
    let path = textured("../textures/skin.png");
    assert!(folder.problems(&path).contains("../textures/skin.png"), "{}", folder.problems(&path));
    let warnings = folder.succeeds(&["solve", &path, "--out", &folder.path("out.glb")]);
    assert!(warnings.contains("texture coordinates") && !warnings.contains("image"), "{warnings}");
    assert!(warnings.contains("outside the model's folder") && warnings.contains("contains a copy"), "{warnings}");
    assert!(!folder.problems(&folder.path("out.glb")).contains("image"));
    // An image file that no shown texture uses, such as a normal map, is reported once, even if several images name it.
    let mut unshown = model.clone();
    unshown["images"] = json!([{ "uri": "../textures/skin.png" }, { "uri": "../textures/skin.png" }]);
    let unshown = folder.write("model/unshown.gltf", unshown.to_string());
    let warnings = folder.succeeds(&["solve", &unshown, "--out", &folder.path("out.glb")]);
    assert_eq!(warnings.matches("contains a copy").count(), 1, "{warnings}");
    assert!(warnings.contains("skin.png") && warnings.contains("outside the model's folder"), "{warnings}");
    assert_eq!(folder.succeeds(&["solve", &unshown, "--out", &folder.path("out.json")]), "", "no copy, no warning");
    // Images are read from the folder above the model's folder, but from no folder further up.
    let path = textured("../../skin.png");
    std::fs::write(folder.path("../skin.png"), pixel()).unwrap();
    let problems = folder.problems(&path);
    std::fs::remove_file(folder.path("../skin.png")).unwrap();
    assert!(problems.contains("image 0 is left out") && problems.contains("outside the parent"), "{problems}");
    // A file that is not an image is never copied, whatever its name.
    folder.write("textures/key.png", b"BM private");
    let path = textured("../textures/key.png");
    let problems = folder.problems(&path);
    assert!(problems.contains("image 0 is left out") && problems.contains("outside the model's folder"), "{problems}");
    folder.succeeds(&["solve", &path, "--out", &folder.path("out.glb")]);
    let written = std::fs::read(folder.path("out.glb")).unwrap();
    assert!(!written.windows(7).any(|bytes| bytes == b"private"));
}

/// The folder above a model in `~`, or in a folder of `~`, holds files of users that do not belong to the model.
#[test]
fn a_model_in_a_home_folder_reaches_no_image_above_its_folder() {
    let folder = Folder::new("homes");
    let model = biped(&folder);
    let in_place = |place: &str, uri: &str| {
        std::fs::create_dir_all(folder.path(place)).unwrap();
        std::fs::copy(folder.path("biped.bin"), folder.path(&format!("{place}/biped.bin"))).unwrap();
        folder.write(&format!("{place}/model.gltf"), textured(model.clone(), uri).to_string())
    };
    folder.write("homes/other/private.png", pixel());
    folder.write("homes/own/private.png", pixel());
    folder.write("homes/own/pack/textures/skin.png", pixel());
    let problems = |model: &str| {
        let mut command = Command::new(PROGRAM);
        command.env("HOME", folder.path("homes/own")).env("XDG_CONFIG_HOME", folder.path("config"));
        let output = command.args(["inspect", model, "--json"]).env_remove("DISPLAY").output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).expect("inspect --json")["problems"].to_string()
    };
    let refused = "the parent of that folder is the home folder, contains the home folder, or is the root of the disk or directly below it";
    for (place, uri) in [("homes/own", "../other/private.png"), ("homes/own/downloads", "../private.png")] {
        let problems = problems(&in_place(place, uri));
        assert!(problems.contains("image 0 is left out") && problems.contains(refused), "{place}: {problems}");
    }
    // Further below the home folder, images in the folder above the model load as usual.
    let problems = problems(&in_place("homes/own/pack/model", "../textures/skin.png"));
    assert!(problems.contains("lies outside the model's folder") && !problems.contains("left out"), "{problems}");
    // The folder above may be in the disk's root and hold the homes of all users. `/tmp` stands for such a folder.
    let name = format!("kinescope-{}", std::process::id());
    let place = Path::new("/tmp").join(&name);
    std::fs::create_dir_all(&place).unwrap();
    let other = Path::new("/tmp").join(format!("{name}.png"));
    std::fs::write(&other, pixel()).unwrap();
    let model = textured(model.clone(), &format!("../{name}.png"));
    std::fs::copy(folder.path("biped.bin"), place.join("biped.bin")).unwrap();
    std::fs::write(place.join("model.gltf"), model.to_string()).unwrap();
    let problems = folder.problems(place.join("model.gltf").to_str().unwrap());
    std::fs::remove_dir_all(&place).unwrap();
    std::fs::remove_file(&other).unwrap();
    assert!(problems.contains("image 0 is left out") && problems.contains(refused), "{problems}");
}

/// With `--out /dev/stdout` or a terminal's path, a terminal shows the output, so names in the output must not control
/// the terminal.
#[test]
fn names_in_output_to_a_terminal_are_escaped() {
    let folder = Folder::new("terminal");
    // A trace contains the file's name.
    let path = folder.write("\u{1b}]0;owned\u{7}\u{9b}2J\u{61c}\u{202e}.gltf", biped(&folder).to_string());
    let is_command =
        |c: &char| *c != '\n' && (c.is_control() || *c == '\u{61c}' || ('\u{202a}'..='\u{202e}').contains(c));
    let own: Value = {
        folder.succeeds(&["trace", &path, "--out", &folder.path("trace.json")]);
        serde_json::from_slice(&std::fs::read(folder.path("trace.json")).unwrap()).unwrap()
    };
    assert!(own["model"].as_str().unwrap().contains("\u{9b}2J\u{61c}\u{202e}"), "{}", own["model"]);
    for out in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/stderr"] {
        let output = folder.run(&["trace", &path, "--out", out]);
        let printed = String::from_utf8(if out == "/dev/stderr" { output.stderr } else { output.stdout }).unwrap();
        assert_eq!(printed.chars().find(is_command), None, "{out}");
        assert!(printed.contains(r"\u009b2J\u061c\u202e"), "{out}");
        assert_eq!(serde_json::from_str::<Value>(&printed).unwrap(), own, "{out}");
    }
    // `script` runs the program in a new terminal.
    let on_terminal = |arguments: &str| {
        let command = format!("{PROGRAM} {arguments}");
        let mut script = Command::new("script");
        script.args(["-qec", &command, "/dev/null"]).env("XDG_CONFIG_HOME", folder.path("config"));
        let output = script.env_remove("DISPLAY").stdin(Stdio::null()).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n"))
    };
    let (status, printed) = on_terminal(&format!("trace '{path}' --out /dev/tty"));
    assert_eq!((status, printed.chars().find(is_command)), (Some(0), None));
    assert_eq!(serde_json::from_str::<Value>(&printed).unwrap(), own);
    for device in ["/dev/tty", "/dev/stdout"] {
        let link = folder.path("link.glb");
        std::os::unix::fs::symlink(device, &link).unwrap();
        let (status, printed) = on_terminal(&format!("solve '{path}' --out '{link}'"));
        std::fs::remove_file(&link).unwrap();
        assert_eq!(status, Some(1), "{device}");
        assert!(printed.contains("is a terminal, which cannot show binary data"), "{device}: {printed}");
    }
}

#[test]
fn a_small_model_does_not_stand_for_many_zeros() {
    let folder = Folder::new("zeros");
    let mut model = biped(&folder);
    let first = model["accessors"].as_array().unwrap().len();
    for index in 0..3 {
        let zeros = json!({ "componentType": 5126, "type": "VEC3", "count": 3_333_333 });
        model["accessors"].as_array_mut().unwrap().push(zeros);
        let primitive = json!({ "attributes": { "POSITION": first + index } });
        model["meshes"][0]["primitives"].as_array_mut().unwrap().push(primitive);
    }
    let path = folder.write("zeros.gltf", model.to_string());
    folder.fails_within(BASE + 320, &["inspect", &path], &["accessor", "without a buffer view"]);
}

#[test]
fn exports_of_any_character_read_back() {
    let folder = Folder::new("own");
    let mut model = biped(&folder);
    let parent = model["nodes"].as_array().unwrap().iter().position(|node| node["name"] == "head").unwrap();
    for index in 0..20_000 {
        let nodes = model["nodes"].as_array_mut().unwrap();
        nodes.push(json!({ "name": format!("leaf_{index}"), "translation": [0.01, 0.02, 0.03] }));
        let child = nodes.len() - 1;
        let children = &mut model["nodes"][parent]["children"];
        if children.is_null() {
            *children = json!([]);
        }
        children.as_array_mut().unwrap().push(child.into());
    }
    // The nodes are also joints of a skin.
    let count = model["nodes"].as_array().unwrap().len();
    model["skins"][0]["joints"].as_array_mut().unwrap().extend((count - 20_000..count).map(Value::from));
    model["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
    let path = folder.write("large.gltf", model.to_string());
    let trace = folder.path("trace.json");
    folder.succeeds(&["trace", &path, "--out", &trace]);
    assert!(std::fs::metadata(&trace).unwrap().len() > 5_000_000);
    let output = folder.run(&["diff", &trace]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn an_input_is_not_overwritten() {
    let folder = Folder::new("over");
    let model = folder.write("biped.gltf", biped(&folder).to_string());
    let preset = folder.write("preset.json", preset(json!({})));
    let link = folder.path("link.json");
    std::os::unix::fs::symlink(&preset, &link).unwrap();
    let (buffer, before) = (folder.path("biped.bin"), std::fs::read(folder.path("biped.bin")).unwrap());
    for out in [&model, &preset, &link, &buffer, &folder.path("./config/../preset.json")] {
        folder.fails(&["trace", &model, "--preset", &preset, "--out", out], &["the output is also an input"]);
    }
    let glb = folder.path("model.glb");
    std::fs::write(&glb, built_in::BYTES).unwrap();
    folder.fails(&["solve", &glb, "--out", &glb], &["the output is also an input"]);
    folder
        .fails(&["bake", &glb, "--preset", &preset, "--clip", "walk", "--out", &glb], &["the output is also an input"]);
    // The check needs no display.
    folder.fails(&[&glb, "--screenshot", &glb], &["the output is also an input"]);
    folder.fails(&["--preset", &preset, "--screenshot", &preset], &["the output is also an input"]);
    assert_eq!(std::fs::read(buffer).unwrap(), before);
    assert_eq!(std::fs::read(&glb).unwrap(), built_in::BYTES);
}

/// A file is written under a temporary name first, and that name used to appear in the error.
#[test]
fn a_write_error_names_the_requested_file() {
    let folder = Folder::new("part");
    folder.write("a file", "");
    for out in [&folder.path("no such folder/pose.json"), &folder.path("a file/pose.json"), "/proc/pose.json"] {
        let output = folder.run(&["solve", "--out", out]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(out) && !error.contains(".part") && !error.contains(".kinescope-"), "{error}");
    }
}

#[test]
fn a_clip_without_a_length_is_reported_with_its_file() {
    let folder = Folder::new("still");
    let mut file = Glb::read(built_in::BYTES);
    let (input, output) = (file.accessor("SCALAR", 1, &[0.0]), file.accessor("VEC4", 1, &[0.0, 0.0, 0.0, 1.0]));
    let name = file.root["animations"][0]["name"].as_str().unwrap().to_owned();
    let node = file.root["animations"][0]["channels"][0]["target"]["node"].clone();
    file.root["animations"][0] = json!({
        "name": name,
        "samplers": [{ "input": input, "output": output }],
        "channels": [{ "sampler": 0, "target": { "node": node, "path": "rotation" } }],
    });
    let model = folder.write("statue.glb", file.write());
    let (preset, out) = (folder.write("preset.json", preset(json!({}))), folder.path("baked.glb"));
    let arguments = ["bake", &model, "--preset", &preset, "--clip", &name, "--out", &out];
    folder.fails(&arguments, &["statue", &name, "has no length"]);
}

#[test]
fn links_and_modes_stay_and_long_names_work() {
    let folder = Folder::new("links");
    let mode = |path: &str| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let target = folder.write("real/pose.json", "old");
    std::fs::set_permissions(&target, std::fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path("link.json");
    std::os::unix::fs::symlink("real/pose.json", &link).unwrap();
    folder.succeeds(&["solve", "--out", &link]);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(std::fs::read_to_string(&target).unwrap().contains("kinescope-pose"));
    assert_eq!(mode(&target), 0o640);
    let dangling = folder.path("dangling.json");
    std::os::unix::fs::symlink("real/new.json", &dangling).unwrap();
    folder.succeeds(&["solve", "--out", &dangling]);
    assert!(std::fs::symlink_metadata(&dangling).unwrap().is_symlink());
    assert_eq!(mode(&folder.path("real/new.json")), mode(&folder.write("any", "")));
    let long = folder.path(&format!("{}.json", "n".repeat(250)));
    folder.succeeds(&["solve", "--out", &long]);
    assert!(std::fs::metadata(&long).unwrap().len() > 1000);
    // A read-only file is not replaced, except by root.
    let fixed = folder.write("fixed.json", "old");
    std::fs::set_permissions(&fixed, std::fs::Permissions::from_mode(0o444)).unwrap();
    if std::fs::OpenOptions::new().write(true).open(&fixed).is_err() {
        folder.fails(&["solve", "--out", &fixed], &["fixed.json", "permission denied"]);
    }
    // Replacing a file keeps its owner, where the system allows it.
    use std::os::unix::fs::MetadataExt;
    if std::os::unix::fs::chown(&target, Some(1234), Some(1234)).is_ok() {
        folder.succeeds(&["solve", "--out", &target]);
        let data = std::fs::metadata(&target).unwrap();
        assert_eq!((data.uid(), data.gid(), mode(&target)), (1234, 1234, 0o640));
    }
    let (a, b) = (folder.path("a.json"), folder.path("b.json"));
    std::os::unix::fs::symlink(&a, &b).unwrap();
    std::os::unix::fs::symlink(&b, &a).unwrap();
    folder.fails(&["solve", "--out", &a], &["a.json", "leads through 40 or more links"]);
    // The program appends to its own open descriptors and does not replace their files.
    let log = folder.path("log");
    for out in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let script = "(echo before; \"$0\" trace --out \"$1\"; echo after) >\"$2\"";
        let status = Command::new("sh").args(["-c", script, PROGRAM, out, &log]).status().unwrap();
        let text = std::fs::read_to_string(&log).unwrap();
        assert!(status.success() && text.starts_with("before\n{") && text.ends_with("after\n"), "{out}: {text}");
        let piped = Command::new(PROGRAM).args(["trace", "--out", out]).output().unwrap();
        assert!(piped.status.success() && piped.stdout.starts_with(b"{"), "{out}");
    }
    // A pipe receives the whole output. A pipe without a reader is an error.
    let pipe = folder.path("pipe.json");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read(pipe).unwrap()
    });
    folder.succeeds(&["trace", "--out", &pipe]);
    assert!(serde_json::from_slice::<Value>(&reader.join().unwrap()).is_ok());
    folder.fails(&["trace", "--out", &pipe], &["pipe.json", "a pipe without a reader"]);
    folder.succeeds(&["trace", "--out", "/dev/null"]);
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn a_kill_leaves_the_old_file_whole_and_the_next_start_removes_the_temporary_file() {
    let folder = Folder::new("kill");
    let out = folder.path("out/clip.glb");
    std::fs::create_dir_all(folder.path("out")).unwrap();
    let preset = folder.write("preset.json", preset(json!({})));
    let arguments = ["bake", "--preset", &preset, "--clip", "walk", "--fps", "240", "--out", &out];
    folder.succeeds(&arguments);
    let whole = std::fs::read(&out).unwrap();
    for kill in 0..20 {
        let mut child =
            Command::new(PROGRAM).args(arguments).env("XDG_CONFIG_HOME", folder.path("config")).spawn().unwrap();
        // Waits until the unfinished output exists, and then up to half a millisecond more, so that the kill comes
        // during the write or just after it.
        let unfinished = format!(".kinescope-{}-", child.id());
        let begins = || {
            let mut names = std::fs::read_dir(folder.path("out")).unwrap().map(|entry| entry.unwrap().file_name());
            names.any(|name| name.to_string_lossy().starts_with(&unfinished))
        };
        while !begins() && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_micros(25 * kill));
        let _ = child.kill();
        child.wait().unwrap();
        assert!(std::fs::read(&out).unwrap() == whole, "kill {kill}");
    }
    // A kill during the write leaves these files: the unfinished output and the record of its folder.
    let ended = Command::new("true").spawn().and_then(|mut child| child.wait().map(|_| child.id())).unwrap();
    folder.write(&format!("out/.kinescope-{ended}-abcdef.part"), "half");
    folder.write(&format!("config/kinescope/writing/{ended}-abc"), folder.path("out"));
    folder.succeeds(&["inspect"]);
    let left: Vec<_> = std::fs::read_dir(folder.path("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["clip.glb"]);
    assert_eq!(std::fs::read_dir(folder.path("config/kinescope/writing")).unwrap().count(), 0);
}

#[test]
fn commands_never_run_partially() {
    let folder = Folder::new("half");
    let out = folder.path("o.json");
    for (sections, words) in [
        (json!({ "mapping": { "left_hand": "Nobody" } }), ["mapping.left_hand", "\"Nobody\""]),
        (
            json!({ "chain_ik": { "chains": [{ "bones": ["head", "tail"] }] } }),
            ["chain_ik.chains[0].bones", "\"tail\""],
        ),
        (json!({ "motion": { "layers": [{ "clip": "swim" }] } }), ["motion.layers[0].clip", "\"swim\""]),
        (
            json!({ "motion": { "layers": [{ "clip": "walk", "under": "tail" }] } }),
            ["motion.layers[0].under", "\"tail\""],
        ),
        (json!({ "motion": { "gaits": ["walk", "swim"] } }), ["motion.gaits", "\"swim\""]),
        (json!({ "clip": { "name": "swim" } }), ["clip.name", "\"swim\""]),
        (json!({ "clip": { "name": "walk", "time": 50.0 } }), ["50 s is not within", "\"walk\""]),
    ] {
        let preset = folder.write("half.json", preset(sections));
        folder.fails(&["solve", "--preset", &preset, "--out", &out], &words);
        folder.fails(&["trace", "--preset", &preset], &words);
    }
    let chain = |settings: Value, bones: &[&str]| json!({ "chain_ik": { "chains": [{ "bones": bones, "settings": settings, "target": [0.3, 1.4, 0.2] }] } });
    let arm = ["left_upper_arm", "left_forearm", "left_hand"];
    for (sections, word) in [
        (chain(json!({}), &["left_hand", "right_hand", "head"]), "left_hand"),
        (chain(json!({}), &["left_hand", "left_forearm", "left_upper_arm"]), "left_"),
        (chain(json!({}), &["left_hand"]), "bones"),
        (chain(json!({}), &[]), "bones"),
        (chain(json!({ "solver": "two_bone" }), &["spine", "left_upper_arm", "left_forearm", "left_hand"]), ""),
    ] {
        let preset = folder.write("chain.json", preset(sections));
        folder.fails(&["solve", "--preset", &preset, "--out", &out], &["chain_ik.chains[0]", word]);
    }
    let good = folder.write("chain.json", preset(chain(json!({}), &arm)));
    assert_eq!(folder.succeeds(&["solve", "--preset", &good, "--out", &folder.path("chained.json")]), "");
    let warnings = folder.succeeds(&["trace", "--preset", &good]);
    assert!(warnings.contains("warning: chain_ik.chains"), "{warnings}");
    let many = vec![json!({ "bones": arm }); 300];
    let many = folder.write("many.json", preset(json!({ "chain_ik": { "chains": many } })));
    folder.fails(&["solve", "--preset", &many, "--out", &out], &["chain_ik.chains", "at most 256"]);
    let gaits = folder.write("gaits.json", preset(json!({ "motion": { "gaits": vec!["a"; 900_000] } })));
    folder.fails_within(BASE + 300, &["solve", "--preset", &gaits, "--out", &out], &["motion.gaits"]);
    let plain = folder.write("plain.json", preset(json!({})));
    for time in ["-0.1", "17"] {
        folder.fails(&["solve", "--clip", "walk", "--time", time, "--out", &out], &["is not within clip"]);
    }
    let baked = folder.path("o.glb");
    assert!(!Path::new(&out).exists());
    let model = biped(&folder);
    let walk = model["animations"].as_array().unwrap().iter().position(|clip| clip["name"] == "walk").unwrap();
    let times = model["animations"][walk]["samplers"][0]["input"].as_u64().unwrap() as usize;
    let view = model["accessors"][times]["bufferView"].as_u64().unwrap() as usize;
    let offset = model["bufferViews"][view]["byteOffset"].as_u64().unwrap_or(0) as usize;
    let offset = offset + model["accessors"][times]["byteOffset"].as_u64().unwrap_or(0) as usize;
    let last = offset + 4 * (model["accessors"][times]["count"].as_u64().unwrap() as usize - 1);
    let mut bytes = std::fs::read(folder.path("biped.bin")).unwrap();
    bytes[last..last + 4].copy_from_slice(&5000f32.to_le_bytes());
    folder.write("biped.bin", &bytes);
    let long = folder.write("long.gltf", model.to_string());
    let bake = ["bake", &long, "--preset", &plain, "--clip", "walk", "--fps", "240", "--out", &baked];
    folder.fails(&bake, &["more than 100000 frames"]);
    assert!(!Path::new(&baked).exists());

    let twice = folder.write(
        "twice.json",
        r#"{ "format": "kinescope-preset", "version": 1, "solver": { "weight": 1, "weight": 0 } }"#,
    );
    folder.fails(&["solve", "--preset", &twice, "--out", &out], &["twice.json", "weight", "occurs twice"]);
    let twice = folder.write(
        "twice.json",
        r#"{ "format": "kinescope-preset", "version": 1, "view": { "bones": true }, "view": { "bones": false } }"#,
    );
    folder.fails(&["solve", "--preset", &twice, "--out", &out], &["view", "occurs twice"]);
    let mut model = biped(&folder).to_string();
    model.insert_str(1, r#""scene": 0, "scene": 1, "#);
    let twice = folder.write("twice.gltf", model);
    assert!(folder.problems(&twice).contains("occurs twice"));
}

#[test]
fn skipped_channels_are_reported_where_the_clip_is_used() {
    let folder = Folder::new("channels");
    let mut model = biped(&folder);
    let walk = model["animations"].as_array().unwrap().iter().position(|clip| clip["name"] == "walk").unwrap();
    model["animations"][walk]["channels"][1]["target"]["path"] = "shear".into();
    let path = folder.write("channels.gltf", model.to_string());
    let out = folder.path("o.json");
    let warnings = folder.succeeds(&["solve", &path, "--clip", "walk", "--time", "0.2", "--out", &out]);
    assert!(
        warnings.contains("warning") && warnings.contains("\"walk\"") && warnings.contains("channel 1"),
        "{warnings}"
    );
    assert_eq!(warnings.trim_end().lines().count(), 1);
    assert_eq!(folder.succeeds(&["solve", &path, "--clip", "idle", "--time", "0.2", "--out", &out]), "");
}

#[test]
fn output_to_a_closed_pipe_is_an_error() {
    let folder = Folder::new("stdout");
    for arguments in [vec!["inspect", "--json"], vec!["trace"], vec!["--help"], vec!["--version"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = Command::new(PROGRAM)
            .args(&arguments)
            .env("XDG_CONFIG_HOME", folder.path("config"))
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("standard output"));
    }
    let closed = Command::new("sh").args(["-c", "\"$0\" inspect >&-", PROGRAM]).output().unwrap();
    assert_eq!(closed.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&closed.stderr).contains("standard output is closed; redirect it"));
    let null = Command::new(PROGRAM).arg("inspect").stdout(Stdio::null()).status().unwrap();
    assert_eq!(null.code(), Some(0));
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    if let Ok(full) = full {
        let status = Command::new(PROGRAM).arg("inspect").stdout(full).stderr(Stdio::null()).status().unwrap();
        assert_eq!(status.code(), Some(1));
    }
}

#[test]
fn a_character_of_zero_size_is_an_error() {
    let folder = Folder::new("point");
    let mut model = biped(&folder);
    for node in model["nodes"].as_array_mut().unwrap() {
        let node = node.as_object_mut().unwrap();
        if node.contains_key("translation") {
            node.insert("translation".to_owned(), json!([0, 0, 0]));
        }
    }
    let path = folder.write("point.gltf", model.to_string());
    let out = folder.path("o.json");
    folder.fails(&["solve", &path, "--out", &out], &["point.gltf", "in the rest pose", "no limb has a length"]);
    folder.fails(&["trace", &path], &["point.gltf", "in the rest pose", "no limb has a length"]);
    assert!(folder.problems(&path).contains("no limb has a length"));
    // A character of zero length is an error even with a clip, which may rotate and move its bones.
    folder.fails(&["solve", &path, "--clip", "idle", "--time", "0.2", "--out", &out], &["point.gltf", "no length"]);

    let mut model = biped(&folder);
    let arm = model["nodes"].as_array().unwrap().iter().position(|node| node["name"] == "left_forearm").unwrap();
    model["nodes"][arm]["rotation"] = json!([0, 0, 0, 0]);
    let path = folder.write("unturned.gltf", model.to_string());
    folder.fails(&["solve", &path, "--out", &out], &["unturned.gltf", "left_forearm", "quaternion of zeros"]);
    assert!(folder.problems(&path).contains("quaternion of zeros"));
    assert!(!Path::new(&out).exists());
}

#[test]
fn errors_are_one_line_that_can_be_read() {
    let folder = Folder::new("lines");
    let long = "x".repeat(20_000);
    let preset = folder.write("long.json", preset(json!({ "clip": { "name": long } })));
    folder.fails(&["solve", "--preset", &preset, "--out", &folder.path("o.json")], &["clip.name", "…"]);
    let field = folder.write("field.json", format!(r#"{{ "format": "kinescope-preset", "version": 1, "{long}": 1 }}"#));
    folder.fails(&["solve", "--preset", &field, "--out", &folder.path("o.json")], &["field.json", "…"]);
    let mut other = folder.write("control.json", "");
    std::fs::OpenOptions::new().write(true).open(&other).unwrap().write_all(b"{ \"\\n\\u001b[2J\": 1 }").unwrap();
    folder.fails(&["check", &other], &["control.json"]);
    for arguments in [vec!["solve", "--time", &long], vec!["--size", &long], vec!["--bogus", &long]] {
        let output = folder.run(&arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2));
        assert!(error.lines().all(|line| line.chars().count() <= 320), "{error}");
    }
    other.push_str("/nothing");
    folder.fails(&["check", &other], &["control.json/nothing"]);
}
