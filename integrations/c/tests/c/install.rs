//! The archive, and programs that find the library through pkg-config and CMake.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{built, library, root, run};

/// Returns whether a tool is there. In CI, a missing tool is an error.
fn has(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        let text = format!("skipped: {tool} is missing");
        assert!(std::env::var_os("KINESCOPE_CI").is_none(), "{text}");
        eprintln!("{text}");
    }
    found
}

/// Makes the archive of this build and unpacks it, once per process. Returns the unpacked folder.
fn unpacked() -> PathBuf {
    static UNPACKED: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    let unpack = || {
        let folder = built().join("archives");
        let _ = std::fs::remove_dir_all(&folder);
        let made = run(Command::new(root().join("archive")).arg(&folder).env("KINESCOPE_BUILT", library()));
        let archive = PathBuf::from(made.trim());
        let name = archive.file_name().unwrap().to_str().unwrap();
        run(Command::new("sha256sum").args(["-c", &format!("{name}.sha256")]).current_dir(&folder));
        run(Command::new("tar").arg("-xzf").arg(&archive).current_dir(&folder));
        folder.join(name.strip_suffix(".tar.gz").unwrap())
    };
    UNPACKED.get_or_init(unpack).clone()
}

#[test]
fn an_archive_is_complete_and_its_checksums_are_right() {
    let folder = unpacked();
    run(Command::new("sha256sum").args(["-c", "SHA256SUMS"]).current_dir(&folder));
    let sums = std::fs::read_to_string(folder.join("SHA256SUMS")).unwrap();
    let mut files: Vec<&str> = sums.lines().map(|line| line.split_once("  ").unwrap().1).collect();
    files.sort_unstable();
    assert_eq!(
        files,
        [
            "include/kinescope.h",
            "lib/cmake/kinescope_ik/kinescope_ikConfig.cmake",
            "lib/cmake/kinescope_ik/kinescope_ikConfigVersion.cmake",
            "lib/libkinescope.a",
            "lib/libkinescope.so.1",
            "lib/pkgconfig/kinescope_ik.pc",
            "share/licenses/kinescope_ik/LICENSE-APACHE",
            "share/licenses/kinescope_ik/LICENSE-MIT",
            "share/licenses/kinescope_ik/PACKAGES",
        ]
    );
    let packages = std::fs::read_to_string(folder.join("share/licenses/kinescope_ik/PACKAGES")).unwrap();
    let lines = packages.lines().skip(2).collect::<Vec<_>>();
    assert!(lines.iter().any(|line| line.starts_with("glam v") && line.ends_with(": MIT OR Apache-2.0")), "{packages}");
    assert!(lines.len() > 10 && lines.iter().all(|line| line.split_once(": ").is_some_and(|(_, own)| !own.is_empty())));
    for file in ["lib/pkgconfig/kinescope_ik.pc", "lib/cmake/kinescope_ik/kinescope_ikConfigVersion.cmake"] {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        assert!(text.contains(env!("CARGO_PKG_VERSION")) && !text.contains('@'), "{text}");
    }
}

fn check(program: &Path) {
    let recording = built().join("installed.jsonl");
    assert_eq!(run(Command::new(program).arg(recording)), "all checks passed\n", "{program:?}");
}

#[test]
fn programs_find_the_library_through_pkg_config() {
    if !has("pkg-config") {
        return;
    }
    let folder = unpacked();
    let flags = |arguments: &[&str]| -> Vec<String> {
        let path = folder.join("lib/pkgconfig");
        let printed = run(Command::new("pkg-config").args(arguments).arg("kinescope_ik").env("PKG_CONFIG_PATH", path));
        printed.split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(flags(&["--modversion"]), [env!("CARGO_PKG_VERSION")]);
    for (name, arguments, further) in [
        ("through pkg-config", &["--cflags", "--libs"][..], format!("-Wl,-rpath,{}", folder.join("lib").display())),
        ("through pkg-config static", &["--cflags", "--static", "--libs"], "-Wl,-Bdynamic".to_owned()),
    ] {
        let program = built().join(name);
        let mut flags = flags(arguments);
        if arguments.contains(&"--static") {
            flags
                .iter_mut()
                .filter(|flag| *flag == "-lkinescope")
                .for_each(|flag| "-l:libkinescope.a".clone_into(flag));
        }
        let mut compile = Command::new("cc");
        compile.arg("-std=c11").arg(root().join("examples/statuses.c")).args(flags);
        run(compile.args(["-lm", &further]).arg("-o").arg(&program));
        check(&program);
        // The program loads the library by the name that has the version of the interface.
        let dynamic = run(Command::new("readelf").arg("-d").arg(&program));
        assert_eq!(dynamic.contains("[libkinescope.so.1]"), !arguments.contains(&"--static"), "{dynamic}");
    }
}

#[test]
fn programs_find_the_library_through_cmake() {
    if !has("cmake") {
        return;
    }
    let folder = unpacked();
    let project = built().join("cmake project");
    let _ = std::fs::remove_dir_all(&project);
    std::fs::create_dir_all(&project).unwrap();
    let text = format!(
        "cmake_minimum_required(VERSION 3.16)\nproject(example C)\nset(CMAKE_C_STANDARD 11)\n\
         find_package(kinescope_ik {} REQUIRED)\nadd_executable(shared \"{source}\")\n\
         target_link_libraries(shared PRIVATE kinescope_ik::kinescope_ik m)\nadd_executable(static \"{source}\")\n\
         target_link_libraries(static PRIVATE kinescope_ik::static m)\n",
        env!("CARGO_PKG_VERSION"),
        source = root().join("examples/statuses.c").display()
    );
    std::fs::write(project.join("CMakeLists.txt"), text).unwrap();
    let prefix = format!("-DCMAKE_PREFIX_PATH={}", folder.display());
    run(Command::new("cmake").args(["-S", ".", "-B", "build", &prefix]).current_dir(&project));
    run(Command::new("cmake").args(["--build", "build"]).current_dir(&project));
    check(&project.join("build/shared"));
    let dynamic = run(Command::new("readelf").arg("-d").arg(project.join("build/shared")));
    assert!(dynamic.contains("[libkinescope.so.1]"), "{dynamic}");
    check(&project.join("build/static"));
    std::fs::write(
        project.join("CMakeLists.txt"),
        "cmake_minimum_required(VERSION 3.16)\nproject(example C)\nfind_package(kinescope_ik 99.0 REQUIRED)\n",
    )
    .unwrap();
    let refused =
        Command::new("cmake").args(["-S", ".", "-B", "other", &prefix]).current_dir(&project).output().unwrap();
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("99.0"));
}
