//! `tests/setup` on machines with missing parts: as root, with sudo, with neither, without apt-get.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The only folder in the script's PATH. It holds the programs that the script may find.
struct Machine(PathBuf);

const LIBRARIES: [&str; 5] = ["libGL.so.1", "libGLX_mesa.so.0", "libX11.so.6", "libXi.so.6", "libxkbcommon.so.0"];
const PROGRAMS: [&str; 5] = ["cc", "Xvfb", "xvfb-run", "xauth", "xdotool"];

impl Machine {
    fn new(name: &str, user: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("machine {name} {}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let machine = Self(folder);
        for program in ["sh", "cat", "env", "mktemp", "rm", "sed", "sort", "tr"] {
            let real = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(program));
            let real = real.into_iter().find(|path| path.exists()).unwrap_or_else(|| panic!("no {program}"));
            std::os::unix::fs::symlink(real, machine.0.join(program)).unwrap();
        }
        machine.program("id", &format!("[ $1 = -u ] && echo {user} || echo someone"));
        machine.libraries(&[]);
        machine
    }

    fn program(&self, name: &str, script: &str) {
        let path = self.0.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn libraries(&self, names: &[&str]) {
        let lines = names.iter().map(|name| format!("\t{name} (libc6,x86-64) => /usr/lib/{name}\n"));
        self.program("ldconfig", &format!("cat <<END\n{}END", lines.collect::<String>()));
    }

    fn font(&self) {
        let folder = self.0.join("fonts/truetype/wqy");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("wqy-microhei.ttc"), "").unwrap();
    }

    /// Adds an `apt-get` that logs its arguments, after `sudo` or `own`.
    fn with_apt(&self) {
        let log = self.0.join("log");
        self.program("apt-get", &format!("echo \"${{RIGHTS:-own}} $*\" >>'{}'", log.display()));
    }

    fn log(&self) -> Vec<String> {
        let log = std::fs::read_to_string(self.0.join("log")).unwrap_or_default();
        log.lines().map(str::to_owned).collect()
    }

    fn setup(&self) -> Output {
        let mut setup = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/setup"));
        setup.env("PATH", &self.0).env("KINESCOPE_FONTS", self.0.join("fonts")).output().unwrap()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn nothing_is_printed_or_done_if_nothing_is_missing() {
    let machine = Machine::new("whole", "1000");
    machine.libraries(&LIBRARIES);
    machine.font();
    PROGRAMS.iter().for_each(|program| machine.program(program, ""));
    machine.with_apt();
    let output = machine.setup();
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    assert_eq!((printed(&output).as_str(), machine.log().len()), ("", 0));
}

#[test]
fn root_and_sudo_fetch_the_lists_and_install_what_is_missing() {
    for (user, rights) in [("0", "own"), ("1000", "sudo")] {
        let machine = Machine::new(rights, user);
        machine.libraries(&LIBRARIES[1..]);
        PROGRAMS[..4].iter().for_each(|program| machine.program(program, ""));
        machine.with_apt();
        if rights == "sudo" {
            machine.program("sudo", "RIGHTS=sudo \"$@\"");
        }
        let output = machine.setup();
        assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
        let install = format!("{rights} install -y --no-install-recommends fonts-wqy-microhei libgl1 xdotool -qq");
        assert_eq!(machine.log(), [format!("{rights} update -qq"), install]);
    }
}

#[test]
fn a_linker_that_does_not_link_is_missing() {
    let machine = Machine::new("linker", "0");
    machine.font();
    machine.libraries(&LIBRARIES);
    PROGRAMS.iter().for_each(|program| machine.program(program, ""));
    machine.program("cc", "exit 1");
    machine.with_apt();
    assert!(machine.setup().status.success());
    assert_eq!(machine.log()[1], "own install -y --no-install-recommends gcc libc6-dev -qq");
}

#[test]
fn unfetched_lists_do_not_stop_the_script_but_missing_packages_do() {
    let machine = Machine::new("offline", "0");
    machine.with_apt();
    machine.program("apt-get", "[ $1 = install ]");
    assert!(machine.setup().status.success());
    machine.program("apt-get", "exit 100");
    assert!(!machine.setup().status.success());
}

#[test]
fn without_rights_the_command_for_an_administrator_is_printed() {
    for sudo in [None, Some("exit 1")] {
        let machine = Machine::new(&format!("user {sudo:?}"), "1000");
        machine.with_apt();
        sudo.into_iter().for_each(|script| machine.program("sudo", script));
        let output = machine.setup();
        assert_eq!((output.status.code(), machine.log().len()), (Some(1), 0));
        let printed = printed(&output);
        let command = printed.lines().last().unwrap();
        assert!(command.contains("apt-get update && apt-get install -y --no-install-recommends "), "{printed}");
        for package in ["gcc", "libc6-dev", "xvfb", "xauth", "xdotool", "libgl1", "libx11-6", "libxkbcommon0"] {
            assert!(command.split(' ').any(|word| word == package), "no {package} in {printed}");
        }
        assert!(printed.contains("The user someone cannot") && !command.contains("sudo"), "{printed}");
    }
}

#[test]
fn without_apt_packages_of_other_systems_are_named() {
    let machine = Machine::new("fedora", "0");
    let output = machine.setup();
    assert_eq!(output.status.code(), Some(1));
    let printed = printed(&output);
    for words in
        ["missing: linker", "libxkbcommon.so.0", "dnf install gcc", "pacman -S --needed ", "wqy-microhei-fonts"]
    {
        assert!(printed.contains(words), "no {words} in {printed}");
    }
}
