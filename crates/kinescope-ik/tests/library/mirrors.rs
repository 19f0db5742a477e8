//! Names and settings in other languages, generated from the library's tables (`named!`, `settings!`): for C the types
//! in `integrations/c/src/tables.rs`, and by `c_mirrors.rs` those in `solver_tables.rs` and `modifier_tables.rs` beside it.
//! cbindgen makes the header from these types; classes for Python and C# are generated from the header.

use std::fmt::{Debug, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use glam::Vec3;
use kinescope_ik::full_body::{ChainSettings, EffectorSettings, Part, Settings, Smoothing, SolverSettings, Stage};
use kinescope_ik::parameter::{Declaration, Declared, Parameter, settings};
use kinescope_ik::{Effector, LimbName, Node};

pub(crate) const HOW: &str = "Generated from the tables of kinescope-ik; do not edit. To generate again: \
    KINESCOPE_WRITE_MIRRORS=1 cargo test -p kinescope-ik --all-features --test library mirrors";

/// An enum of the library: in C an enum with the prefix `Kinescope`.
struct Names {
    name: &'static str,
    about: &'static str,
    /// Whether C gets the count as a constant.
    is_counted: bool,
    /// Each variant's name in Rust and documentation.
    all: Vec<[String; 2]>,
}

fn names() -> Vec<Names> {
    fn rows<T: Copy + Debug>(all: &[T], help: fn(T) -> &'static str) -> Vec<[String; 2]> {
        all.iter().map(|own| [format!("{own:?}"), plain(help(*own))]).collect()
    }
    vec![
        Names {
            name: "Node",
            about: "The 13 points that a solve moves: one of the body, and three of each limb.",
            is_counted: true,
            all: rows(&Node::ALL, |own| own.help()),
        },
        Names {
            name: "Effector",
            about: "The effectors (IK goals), in the order of the settings.",
            is_counted: true,
            all: rows(&Effector::ALL, |own| own.help()),
        },
        Names {
            name: "Limb",
            about: "The limbs, in the order of the settings.",
            is_counted: true,
            all: rows(&LimbName::ALL, |own| own.help()),
        },
        Names {
            name: "Stage",
            about: "The stages of a solve, named as in traces.",
            is_counted: false,
            all: rows(&Stage::ALL, |own| own.help()),
        },
        Names {
            name: "Part",
            about: "The parts of the body, in the order in which a solve writes them to the bones; named as in traces.",
            is_counted: false,
            all: rows(&Part::ALL, |own| own.help()),
        },
        Names {
            name: "Smoothing",
            about: "The functions by which push and reach weaken a small force.",
            is_counted: false,
            all: rows(&Smoothing::ALL, |own| own.help()),
        },
    ]
}

struct Table {
    name: &'static str,
    about: &'static str,
    fields: &'static [Declaration],
    numbers: &'static [Parameter],
}

fn tables() -> [Table; 4] {
    [
        Table {
            name: "SolverSettings",
            about: "Parameters of the whole solver.",
            fields: SolverSettings::DECLARATIONS,
            numbers: SolverSettings::PARAMETERS,
        },
        Table {
            name: "ChainSettings",
            about: "Parameters of one limb.",
            fields: ChainSettings::DECLARATIONS,
            numbers: ChainSettings::PARAMETERS,
        },
        Table {
            name: "EffectorSettings",
            about: "Parameters of one effector. A position weight without a position pins hand or foot to its animated position.",
            fields: EffectorSettings::DECLARATIONS,
            numbers: EffectorSettings::PARAMETERS,
        },
        Table {
            name: "Settings",
            about: "All parameters of one solve.",
            fields: Settings::DECLARATIONS,
            numbers: Settings::PARAMETERS,
        },
    ]
}

enum Kind {
    /// The same type, by its name in C's sources.
    Plain(&'static str),
    /// A boolean; 0 means no.
    Flag,
    /// The number of a variant of this enum.
    Choice(&'static str),
    /// A structure such as `Vec3`.
    Structure(String),
    /// A value, and another field that says whether it is set.
    Optional(String),
    /// An array indexed by an enum: the element type and the enum.
    List(String, &'static str),
}

impl Kind {
    fn of(type_name: &str) -> Self {
        let inner = |before: &str, after: &str| Some(type_name.strip_prefix(before)?.strip_suffix(after)?.to_owned());
        match type_name {
            "f32" => Self::Plain("f32"),
            "u32" => Self::Plain("u32"),
            "bool" => Self::Flag,
            "Smoothing" => Self::Choice("Smoothing"),
            "Vec3" | "Quat" | "SolverSettings" => Self::Structure(type_name.to_owned()),
            other => inner("Option<", ">").map(Self::Optional).unwrap_or_else(|| {
                let limbs = inner("[", "; 4]").map(|of| Self::List(of, "Limb"));
                let list = limbs.or_else(|| Some(Self::List(inner("[", "; Effector::COUNT]")?, "Effector")));
                list.unwrap_or_else(|| panic!("no mirror for the type {other}: it needs a `Kind`"))
            }),
        }
    }

    fn is_settings(of: &str) -> bool {
        of.ends_with("Settings")
    }
}

/// Returns documentation without links: `Biped.root_node` for a link to that field.
pub(crate) fn plain(help: &str) -> String {
    let mut out = String::new();
    let mut rest = help;
    while let Some((before, after)) = rest.split_once("[`") {
        let (name, after) = after.split_once("`]").unwrap_or((after, ""));
        let end = after.strip_prefix('(').and_then(|path| path.find(')')).map_or(0, |end| end + 2);
        (out, rest) = (format!("{out}{before}{name}"), &after[end..]);
    }
    (out + rest).trim().replace("::", ".")
}

/// Returns the fields that mirror one field: name, kind (`None` for the flag of an optional field) and documentation.
fn parts(table: &Table, field: &Declaration) -> Vec<(String, Option<Kind>, String)> {
    let (key, kind, help) = (field.key, Kind::of(field.type_name), plain(field.help));
    match &kind {
        Kind::Plain(..) => {
            let number = table.numbers.iter().find(|number| number.key == key);
            let range = number.map(|own| format!(" From {} to {}, by default {}.", own.min, own.max, own.default));
            vec![(key.to_owned(), Some(kind), help + &range.unwrap_or_default())]
        }
        Kind::Flag => vec![(key.to_owned(), Some(kind), help + " 0 means no.")],
        Kind::Choice(of) => {
            let help = format!("{help} A number of {}.", c_enum(of));
            vec![(key.to_owned(), Some(kind), help)]
        }
        Kind::Structure(_) => vec![(key.to_owned(), Some(kind), help)],
        Kind::Optional(_) => {
            // Other languages have no null, so the flag's documentation says what applies without a value.
            let (help, without) = match help.split_once("; null is ") {
                Some((help, without)) => (format!("{help}."), without.to_owned()),
                None => (help, "no.".to_owned()),
            };
            let has = format!("Whether `{key}` is set. 0 means {without}");
            vec![(format!("has_{key}"), None, has), (key.to_owned(), Some(kind), help)]
        }
        Kind::List(_, by) => {
            let help = format!("Indexed by {}.", c_enum(by));
            vec![(key.to_owned(), Some(kind), help)]
        }
    }
}

fn c_enum(name: &str) -> String {
    format!("Kinescope{name}")
}

fn c_structure(out: &mut String, table: &Table) {
    let Table { name, about, fields, .. } = table;
    let count = |by: &str| format!("KINESCOPE_{}S", by.to_uppercase());
    let _ = writeln!(out, "\n/// {about}\n#[derive(Clone, Copy)]\n#[repr(C)]\npub struct Kinescope{name} {{");
    for (name, kind, help) in fields.iter().flat_map(|field| parts(table, field)) {
        let type_name = match kind {
            Some(Kind::Plain(own)) => own.to_owned(),
            None | Some(Kind::Flag | Kind::Choice(_)) => "u32".to_owned(),
            Some(Kind::Structure(of) | Kind::Optional(of)) => format!("Kinescope{of}"),
            Some(Kind::List(of, by)) => format!("[Kinescope{of}; {}]", count(by)),
        };
        let _ = writeln!(out, "    /// {help}\n    pub {name}: {type_name},");
    }
    let _ = writeln!(
        out,
        "}}\n\nimpl From<&{name}> for Kinescope{name} {{\n    fn from(own: &{name}) -> Self {{\n        Self {{"
    );
    for Declaration { key, type_name, .. } in *fields {
        let value = match Kind::of(type_name) {
            Kind::Plain(..) => format!("own.{key}"),
            Kind::Flag => format!("own.{key}.into()"),
            Kind::Choice(_) => format!("own.{key} as u32"),
            Kind::Structure(of) if Kind::is_settings(&of) => format!("(&own.{key}).into()"),
            Kind::Structure(_) => format!("own.{key}.into()"),
            Kind::Optional(_) => {
                let _ = writeln!(out, "            has_{key}: own.{key}.is_some().into(),");
                format!("own.{key}.unwrap_or_default().into()")
            }
            Kind::List(..) => format!("own.{key}.each_ref().map(Into::into)"),
        };
        let _ = writeln!(out, "            {key}: {value},");
    }
    let place =
        if fields.iter().any(|field| matches!(Kind::of(field.type_name), Kind::Choice(_))) { "at" } else { "_at" };
    let _ = writeln!(
        out,
        "        }}\n    }}\n}}\n\nimpl Kinescope{name} {{\n    /// Returns the library's settings; `{place}` makes the path of a \
         field, for messages.\n    pub(crate) fn read_at(&self, {place}: impl Fn(&str) -> String) -> Result<{name}, Refused> {{\n        \
         let mut found = {name} {{"
    );
    let mut lists = String::new();
    for Declaration { key, type_name, .. } in *fields {
        let value = match Kind::of(type_name) {
            Kind::Plain(..) => format!("self.{key}"),
            Kind::Flag => format!("self.{key} != 0"),
            Kind::Choice(of) => format!("choice(self.{key}, &{of}::ALL, || at(\"{key}\"))?"),
            Kind::Structure(of) if Kind::is_settings(&of) => {
                format!("self.{key}.read_at(|field| format!(\"{key}.{{field}}\"))?")
            }
            Kind::Structure(_) => format!("self.{key}.into()"),
            Kind::Optional(_) => format!("(self.has_{key} != 0).then(|| self.{key}.into())"),
            Kind::List(..) => {
                let _ = writeln!(
                    lists,
                    "        for (index, (found, own)) in found.{key}.iter_mut().zip(&self.{key}).enumerate() {{\n            \
                     *found = own.read_at(|field| format!(\"{key}[{{index}}].{{field}}\"))?;\n        }}"
                );
                continue;
            }
        };
        let _ = writeln!(out, "            {key}: {value},");
    }
    if lists.is_empty() {
        *out = out.replace(&format!("let mut found = {name} {{"), &format!("Ok({name} {{"));
        out.push_str("        })\n    }\n}\n");
    } else {
        let _ = writeln!(out, "            ..{name}::default()\n        }};\n{lists}        Ok(found)\n    }}\n}}");
    }
}

fn c_source(names: &[Names], tables: &[Table]) -> String {
    let mut out = format!(
        "// {HOW}\n\n//! Names and settings of the library in C.\n\nuse kinescope_library::full_body::Smoothing;\n\
         use kinescope_library::{{ChainSettings, EffectorSettings, Settings, SolverSettings}};\n\n\
         use crate::Refused;\nuse crate::pose::{{KinescopeQuat, KinescopeVec3}};\nuse crate::settings::choice;\n"
    );
    for Names { name, all, .. } in names.iter().filter(|names| names.is_counted) {
        let (constant, what) = (name.to_uppercase(), name.to_lowercase());
        let _ = writeln!(out, "\n/// The number of {what}s: `Kinescope{name}`.");
        let _ = writeln!(out, "pub const KINESCOPE_{constant}S: usize = {};", all.len());
    }
    for Names { name, about, all, .. } in names {
        let allow = "#[allow(dead_code, reason = \"C code uses the numbers\")]";
        let _ = writeln!(out, "\n/// {about}\n{allow}\n#[repr(u32)]\npub enum Kinescope{name} {{");
        for [variant, help] in all {
            let _ = writeln!(out, "    /// {help}\n    {variant},");
        }
        out += "}\n";
    }
    tables.iter().for_each(|table| c_structure(&mut out, table));
    out
}

fn integrations() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations")
}

/// Runs the script that makes names and settings for Python from the header; with `--check` it only compares them.
fn python(arguments: &[&str]) {
    let mut python = Command::new("python3");
    let Ok(done) = python.arg(integrations().join("python/generate.py")).args(arguments).output() else {
        assert!(std::env::var_os("KINESCOPE_CI").is_none(), "python3 is missing");
        eprintln!("skipped: python3 is not installed");
        return;
    };
    assert!(done.status.success(), "{HOW}\n{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn every_mirror_matches_the_tables() {
    let c_text = c_source(&names(), &tables());
    assert!(!c_text.contains("null"), "C has no null: {c_text}");
    let mut files = vec![(integrations().join("c/src/tables.rs"), c_text)];
    files.extend(crate::c_mirrors::files().map(|(name, text)| (integrations().join("c/src").join(name), text)));
    if std::env::var_os("KINESCOPE_WRITE_MIRRORS").is_some() {
        for (path, made) in &files {
            std::fs::write(path, made).unwrap();
        }
        // The header is generated from the sources for C.
        let manifest = integrations().join("c/Cargo.toml");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["test", "--locked", "--test", "c", "the_header"]).arg("--manifest-path").arg(manifest);
        cargo.arg("--target-dir").arg(integrations().join("../target/integrations"));
        assert!(cargo.env("KINESCOPE_WRITE_HEADER", "1").status().unwrap().success());
        python(&[]);
        return;
    }
    for (path, made) in &files {
        let there = std::fs::read_to_string(path).unwrap_or_default();
        assert!(made == &there, "{} is out of date. {HOW}", path.display());
    }
    python(&["--check"]);
}

#[test]
fn a_new_setting_is_in_every_mirror() {
    settings! {
        /// A table with settings unknown to the library.
        pub struct New {
            /// The stiffness.
            spring: f32 = 0.5, from 0 to 2 in Share,
                too little: "Stiff.",
                too much: "Soft.";
            /// Whether it swings.
            swings: bool = false;
            /// The anchor: see [`Node`](crate::Node).
            anchor: Option<Vec3> = None;
            /// The goal; null is the hand's place.
            goal: Option<Vec3> = None;
            /// Its smoothing.
            smoothing: Smoothing = Smoothing::None;
        }
    }
    let (fields, numbers) = (New::DECLARATIONS, New::PARAMETERS);
    let table = Table { name: "New", about: "All new.", fields, numbers };
    let mut c = String::new();
    c_structure(&mut c, &table);
    for line in [
        "    /// The stiffness. From 0 to 2, by default 0.5.\n    pub spring: f32,\n",
        "    /// Whether it swings. 0 means no.\n    pub swings: u32,\n",
        "    /// Whether `anchor` is set. 0 means no.\n    pub has_anchor: u32,\n",
        "    /// The anchor: see Node.\n    pub anchor: KinescopeVec3,\n",
        "    /// Whether `goal` is set. 0 means the hand's place.\n    pub has_goal: u32,\n    /// The goal.\n",
        "    /// Its smoothing. A number of KinescopeSmoothing.\n",
        "            spring: own.spring,\n            swings: own.swings.into(),\n            has_anchor: own.anchor.is_some().into(),\n",
        "            spring: self.spring,\n            swings: self.swings != 0,\n            anchor: (self.has_anchor != 0).then(",
    ] {
        assert!(c.contains(line), "{line}\n{c}");
    }
}
