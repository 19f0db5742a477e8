//! The C interface: the header and its mirror in C# are up to date, the archive installs, and programs in C and C++
//! compile without warnings, run without a finding of AddressSanitizer and give the expected results.

mod coverage;
mod games;
mod header;
mod hostile;
mod install;
mod window;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use header::structures;
use kinescope_library::full_body::Part;
use kinescope_library::game_recording::{GameFrame, Line, Reader};
use kinescope_library::{Effector, FullBody};

mod csharp;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the folder of this build's libraries and programs, `target/debug` or `target/release`.
fn built() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    own.parent().unwrap().parent().unwrap().to_owned()
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}:\n{printed}{}", String::from_utf8_lossy(&output.stderr));
    printed
}

/// Builds the static and the shared library as a user does, once per process. Returns their folder.
fn library() -> PathBuf {
    static BUILT: std::sync::Once = std::sync::Once::new();
    BUILT.call_once(|| {
        let target = built().parent().unwrap().to_owned();
        let profile: &[&str] = if cfg!(debug_assertions) { &[] } else { &["--release"] };
        run(Command::new(env!("CARGO"))
            .args(["build", "--locked"])
            .args(profile)
            .current_dir(root())
            .arg("--target-dir")
            .arg(target));
        // The name by which programs load the shared library, as `install` makes it.
        let link = built().join("libkinescope.so.1");
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink("libkinescope.so", link).unwrap();
    });
    built()
}

/// Compiles a program in C or C++17 and links it with a library. Returns its path.
///
/// AddressSanitizer and UndefinedBehaviorSanitizer check the code in C, and all memory of both sides for leaks; they do not see
/// accesses in the Rust code.
fn compile(source: &Path, name: &str, flags: &[&str], library: &Path) -> PathBuf {
    let is_cpp = source.extension().is_some_and(|own| own == "cpp");
    let out = built().join(format!("{name}.{}", if is_cpp { "cpp" } else { "c" }));
    let mut compile = Command::new(if is_cpp { "c++" } else { "cc" });
    compile.arg(if is_cpp { "-std=c++17" } else { "-std=c11" });
    compile.args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-fsanitize=address,undefined"]).args(flags);
    compile.args(["-fno-sanitize-recover=all"]).arg("-I").arg(root().join("include"));
    compile.arg("-I").arg(root().join("tests/c")).arg(source);
    match library.is_dir() {
        true => compile.arg("-L").arg(library).arg(format!("-Wl,-rpath,{}", library.display())).arg("-lkinescope"),
        false => compile.arg(library).args(["-lpthread", "-ldl"]),
    };
    run(compile.arg("-lm").arg("-o").arg(&out));
    out
}

/// Compiles an example and links it with the static or the shared library. Returns its path.
fn program(name: &str, shared: bool) -> PathBuf {
    let library = if shared { library() } else { library().join("libkinescope.a") };
    compile(&root().join("examples").join(name), name.split('.').next().unwrap(), &[], &library)
}

/// Adds `kinescope_abi_matches`, which compares the sizes of all structures.
fn with_check(header: &str) -> String {
    const END: &str = "\n#ifdef __cplusplus\n}  // extern \"C\"";
    let (before, after) = header.rsplit_once(END).unwrap();
    let sizes = structures(header);
    let sizes = sizes.iter().map(|name| format!("\n        && kinescope_struct_size(\"{name}\") == sizeof({name})"));
    format!(
        "{before}\n// Returns 1 if the loaded library has the version of this header and all structures have the same size, else 0. Call it once, \
         before any other function.\nstatic inline int32_t kinescope_abi_matches(void) {{\n    return kinescope_abi_version() == \
         KINESCOPE_ABI_VERSION{};\n}}\n{END}{after}",
        sizes.collect::<String>()
    )
}

#[test]
fn the_library_knows_the_size_of_every_structure() {
    let source = std::fs::read_to_string(root().join("src/abi.rs")).unwrap();
    let list = source.split("structures! {").nth(1).unwrap().split('}').next().unwrap();
    let header = std::fs::read_to_string(root().join("include/kinescope.h")).unwrap();
    assert_eq!(list.split_whitespace().collect::<Vec<_>>(), structures(&header), "the list in src/abi.rs");
}

#[test]
fn the_header_is_up_to_date() {
    let config = cbindgen::Config::from_file(root().join("cbindgen.toml")).unwrap();
    let mut made = Vec::new();
    let bindings = cbindgen::Builder::new().with_src(root().join("src/lib.rs"));
    bindings.with_config(config).generate().unwrap().write(&mut made);
    let path = root().join("include/kinescope.h");
    let made = with_check(&String::from_utf8(made).unwrap());
    let csharp = (root().join("../unity/Runtime/Core/Native.cs"), csharp::source(&made));
    for (path, made) in [(path, made), csharp] {
        if std::env::var_os("KINESCOPE_WRITE_HEADER").is_some() {
            std::fs::write(&path, &made).unwrap();
            continue;
        }
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(made == there, "{} is out of date. To write it: KINESCOPE_WRITE_HEADER=1 cargo test", path.display());
    }
}

#[test]
fn invalid_arguments_return_a_status() {
    let path = std::env::temp_dir().join(format!("kinescope statuses {}.jsonl", std::process::id()));
    assert_eq!(run(Command::new(program("statuses.c", false)).arg(&path)), "all checks passed\n");
    // Refused frames were not written, so every line is valid.
    let recorded = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let mut reader = Reader::new();
    let lines: Vec<_> = recorded.lines().filter_map(|line| reader.read(line).unwrap()).collect();
    let [Line::Frame(frame), Line::Join(1), Line::Frame(guest), Line::Leave(1)] = &lines[..] else {
        panic!("{lines:?}")
    };
    assert_eq!(guest.character, 1);
    assert!(frame.writes.len() == 1 && frame.writes[0].0 == Part::LeftArm && frame.writes[0].1.contains_key(&3));
}

#[test]
fn a_program_in_c_solves_records_and_sends() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    // Plays the window: tunes the game once and reads every line.
    let window = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"{\"kinescope\":1}\n").unwrap();
        let parameters = r#"{"solver":{},"chains":{"left_arm":{"pull":0.25}},"effectors":{}}"#;
        writeln!(stream, "{{\"character\":\"player\",\"parameters\":{parameters}}}").unwrap();
        BufReader::new(stream).lines().map_while(Result::ok).collect::<Vec<_>>()
    });
    let path = std::env::temp_dir().join(format!("kinescope c {}.jsonl", std::process::id()));
    let output = run(Command::new(program("game.c", true)).arg(&path).arg(&address));
    assert!(output.contains("tuned: pull of the left arm is 0.25"), "{output}");
    let recorded = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();

    let read = |lines: &mut dyn Iterator<Item = &str>| -> (Reader, Vec<GameFrame>, Vec<String>) {
        let (mut reader, mut frames, mut marks) = (Reader::new(), Vec::new(), Vec::new());
        for line in lines {
            match reader.read(line).unwrap_or_else(|fault| panic!("{fault}")) {
                Some(Line::Frame(frame)) => frames.push(*frame),
                Some(Line::Mark(mark)) => marks.push(mark.mark),
                Some(Line::Join(_) | Line::Leave(_)) | None => {}
            }
        }
        (reader, frames, marks)
    };
    let (reader, frames, marks) = read(&mut recorded.lines());
    assert_eq!((frames.len(), marks), (60, vec!["reaches".to_owned()]));
    // C and Rust give the same results.
    let character = &reader.header().unwrap().characters[0];
    let solver = FullBody::new(&character.skeleton, &character.biped, &character.reference).unwrap();
    let mut workspace = solver.workspace();
    for frame in &frames {
        let mut pose = frame.animated.clone();
        solver.solve(&mut workspace, &frame.parameters, &mut pose).unwrap();
        assert_eq!(Some(pose), frame.result, "frame {}", frame.frame);
        assert_eq!(frame.steps.len(), 35);
    }
    let hand = frames[59].parameters.effector(Effector::LeftHand);
    assert_eq!((hand.position_weight, frames[0].steps[0].1.len()), (1.0, 13));
    // The frames sent are those recorded, except frames that the full queue dropped.
    let sent = window.join().unwrap();
    let (_, sent, _) = read(&mut sent.iter().map(String::as_str));
    assert!(sent.len() > 50, "{}", sent.len());
    assert!(sent.iter().all(|own| own.result == frames[own.frame as usize].result));
}

/// Runs a program of `tests/c` that was compiled with further flags. Returns what it prints.
fn run_test(name: &str, flags: &[&str]) -> String {
    let source = root().join("tests/c").join(name).with_extension("c");
    run(Command::new(compile(&source, name, flags, &library().join("libkinescope.a"))).current_dir(built()))
}

fn page() -> String {
    std::fs::read_to_string(root().join("../../docs/embed/c.md")).unwrap()
}

#[test]
fn every_function_gives_its_result() {
    let model = root().join("../../assets/biped.glb");
    let printed = run_test("features", &[&format!("-DMODEL=\"{}\"", model.display())]);
    let page = page();
    assert!(printed.lines().count() == 7, "{printed}");
    for line in printed.lines() {
        assert!(page.contains(line), "docs/embed/c.md has no line {line}");
    }
}

#[test]
fn recordings_are_read_back() {
    assert_eq!(run_test("reading", &[]), "");
}

#[test]
fn bodies_and_layers_are_solved_and_stepped() {
    assert_eq!(run_test("bodies", &[]), "");
}

#[test]
fn a_crowd_walks_over_a_slope() {
    let model = root().join("../../assets/biped.glb");
    assert_eq!(run_test("crowds", &[&format!("-DMODEL=\"{}\"", model.display())]), "");
}

#[test]
fn meshes_of_a_model_stand_on_the_ground() {
    let model = root().join("../../assets/biped.glb");
    assert_eq!(run_test("meshes", &[&format!("-DMODEL=\"{}\"", model.display())]), "");
}

#[test]
fn solves_are_analysed_and_capsules_are_replayed() {
    assert_eq!(run_test("analysis", &[]), "");
}

#[test]
fn recordings_are_measured_and_motion_is_written() {
    assert_eq!(run_test("motion", &[]), "");
}

#[test]
fn materials_textures_and_morph_targets_of_a_model_are_read() {
    let model = root().join("../../fuzz/seeds/model/skinned.fbx");
    assert_eq!(run_test("materials", &[&format!("-DFBX=\"{}\"", model.display())]), "");
}

/// Compiled without sanitizers, which change allocations and stacks.
#[test]
fn the_callers_allocator_gets_all_memory_and_stacks_are_small() {
    let printed = run_test("memory", &["-fno-sanitize=all"]);
    let most = if cfg!(debug_assertions) { 2048 } else { 64 };
    let mut names = Vec::new();
    for line in printed.lines().filter(|line| line.ends_with(" KB")) {
        let (name, numbers) = line.split_once(": ").unwrap();
        let (allocations, stack) = numbers.trim_end_matches(" KB").split_once(" allocations, ").unwrap();
        let (allocations, stack): (u64, u64) = (allocations.parse().unwrap(), stack.parse().unwrap());
        assert!(stack <= most, "{line}");
        let may_allocate = ["kinescope_solver_new", "kinescope_solve_many", "kinescope_stack_solve"].contains(&name);
        assert!(may_allocate == (allocations > 0), "{line}");
        names.push(name);
    }
    assert_eq!(names.len(), 8, "{printed}");
    let page = page();
    for name in names {
        assert!(
            page.contains(&format!("| `{}` |", name.replace(" to ", "` to `"))),
            "docs/embed/c.md has no stack of {name}"
        );
    }
}

fn examples(page: &str, language: &str) -> Vec<String> {
    let page = std::fs::read_to_string(root().join("../../docs").join(page)).unwrap();
    let begin = format!("```{language}\n");
    let found: Vec<String> =
        page.split(&begin).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect();
    assert!(!found.is_empty());
    found
}

#[test]
fn examples_of_the_book_in_c_compile() {
    let source = built().join("example of the book.c");
    for example in examples("embed/c.md", "c") {
        std::fs::write(&source, example).unwrap();
        let mut compile = Command::new("cc");
        compile.args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]);
        run(compile.arg("-I").arg(root().join("include")).arg(&source));
    }
}
