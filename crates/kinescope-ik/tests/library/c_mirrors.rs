//! The settings of modifiers, grounders, chains, the least-squares body and the position-based body in C, generated
//! from the library's tables like the settings of the full body in `mirrors.rs`.

use std::fmt::{Debug, Write};

use kinescope_ik::chain_ik::{self, BendRule, CcdTurn, MapTurn, Solver, StoppedBy, Weighting};
use kinescope_ik::grounding::{
    DriveWeights, FootIkSettings, FootprintSettings, LockSettings, PredictiveSettings, Quality, Side, SpeedSettings,
};
use kinescope_ik::least_squares::LeastSquaresSettings;
use kinescope_ik::modifiers::{
    Aims, ArmBending, Breathing, FourBones, Head, HitReaction, Inertia, Keyed, LookAt, Modifier, ReachFor, Recoil,
    TwoHandedGrip,
};
use kinescope_ik::parameter::{Declaration, Declared, Parameter};
use kinescope_ik::position_based::PositionBasedSettings;

use crate::mirrors::{HOW, plain};

/// A settings struct of the library, with its name in C without the prefix.
struct Table {
    name: &'static str,
    about: String,
    fields: &'static [Declaration],
    numbers: &'static [Parameter],
    /// The key of a modifier's kind; empty for other settings.
    kind: &'static str,
}

/// An enum of the library: name in C without the prefix, documentation, variants with documentation.
struct Names {
    name: &'static str,
    about: &'static str,
    all: Vec<(String, String)>,
}

fn rows<T: Copy + Debug>(all: &[T], text: impl Fn(usize, T) -> String) -> Vec<(String, String)> {
    all.iter().enumerate().map(|(index, own)| (format!("{own:?}"), text(index, *own))).collect()
}

fn sentence(text: &str) -> String {
    let mut all = text.chars();
    let first = all.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let text = first + all.as_str();
    if text.ends_with('.') { text } else { text + "." }
}

fn modifier_names() -> Vec<Names> {
    let pascal = |key: &str| key.split('_').map(|word| sentence(word).trim_end_matches('.').to_owned()).collect();
    let kinds = Modifier::all().into_iter().map(|own| (pascal(own.key()), own.sentence().to_owned()));
    vec![
        Names { name: "ModifierKind", about: "The kinds of modifiers.", all: kinds.collect() },
        Names {
            name: "Side",
            about: "A side of the character.",
            all: rows(&Side::ALL, |_, own| format!("The character's {}.", own.label())),
        },
        Names {
            name: "Aims",
            about: "The eyes or the hand that points at the target of a look-at.",
            all: rows(&Aims::ALL, |_, own| format!("The {}.", own.label())),
        },
    ]
}

fn modifiers() -> Vec<Table> {
    macro_rules! tables {
        ($($name:ident)+) => {
            vec![$({
                let all = Modifier::all();
                let own = all.iter().find(|own| matches!(own, Modifier::$name(_))).unwrap();
                Table {
                    name: stringify!($name),
                    about: format!("Settings of a modifier. {}", own.sentence()),
                    fields: $name::DECLARATIONS,
                    numbers: $name::PARAMETERS,
                    kind: own.key(),
                }
            }),+]
        };
    }
    let tables = tables! {
        Recoil TwoHandedGrip HitReaction Inertia Breathing LookAt ReachFor Keyed Head FourBones ArmBending
    };
    assert_eq!(tables.len(), Modifier::all().len(), "a kind of modifier has no mirror in C");
    tables
}

fn solver_names() -> Vec<Names> {
    vec![
        Names {
            name: "Quality",
            about: "How closely the predictive grounder looks at the ground.",
            all: rows(&Quality::ALL, |index, _| {
                let all = [
                    "One ray per foot at its predicted position; a ray for the root.",
                    "Three rays per foot, and a ray for the root; the ground is the plane through the hits.",
                    "A ray, a capsule along the predicted path and three rays under each foot; a sphere for the root.",
                ];
                all[index].to_owned()
            }),
        },
        Names {
            name: "ChainSolver",
            about: "Algorithms that solve a single chain.",
            all: rows(&Solver::ALL, |_, own| own.sentence().to_owned()),
        },
        Names {
            name: "Weighting",
            about: "Where a weight below 1 acts in a solver of chains that iterates.",
            all: rows(&Weighting::ALL, |index, _| {
                let all = [
                    "On the target: the solver aims at a point between end and target.",
                    "In each pass: the end reaches the target in more iterations. The two-bone solver has no passes and weights its target.",
                ];
                all[index].to_owned()
            }),
        },
        Names {
            name: "CcdTurn",
            about: "How CCD applies its rotations. All except the first reproduce misreadings of a source, for comparison.",
            all: rows(&CcdTurn::ALL, |index, _| {
                let all = [
                    "In model space, from the left; correct.",
                    "In local space, by the model-space rotation, as in the code of *Animation programming notes*.",
                    "From the right: code for a library that multiplies left to right, read with the other order.",
                ];
                all[index].to_owned()
            }),
        },
        Names {
            name: "MapTurn",
            about: "How FABRIK rotates the bones. All except the first reproduce misreadings of a source, for comparison.",
            all: rows(&MapTurn::ALL, |index, _| {
                let all = [
                    "By the shortest swing in model space; correct.",
                    "About the parent's axes, not the bone's: code for a library that multiplies left to right, read right to left.",
                    "As *Animation programming notes* correct that code, which rotates no bone.",
                ];
                all[index].to_owned()
            }),
        },
        Names {
            name: "BendRule",
            about: "How FABRIK applies its bend rule. The second is the rule of *FABRIK with a bend rule*, for comparison.",
            all: rows(&BendRule::ALL, |index, _| {
                let all = [
                    "Reflects a bone that bends against the normal; reaches every target within reach.",
                    "Rotates a bone by two degrees about x, as in that source; the normal's direction has no effect.",
                ];
                all[index].to_owned()
            }),
        },
        Names {
            name: "StoppedBy",
            about: "Why the solve of a chain stopped.",
            all: rows(&StoppedBy::ALL, |_, own| sentence(own.sentence())),
        },
    ]
}

fn solvers() -> Vec<Table> {
    let table = |name, about: &str, fields, numbers| Table { name, about: about.to_owned(), fields, numbers, kind: "" };
    macro_rules! of {
        ($own:ty, $name:literal, $about:literal) => {
            table($name, $about, <$own>::DECLARATIONS, <$own>::PARAMETERS)
        };
    }
    vec![
        of!(FootIkSettings, "FootIkSettings", "Settings of foot IK: one ray down at each foot."),
        of!(PredictiveSettings, "PredictiveSettings", "Settings of the predictive grounder."),
        of!(FootprintSettings, "FootprintSettings", "Settings that control how steps are shifted to even ground."),
        of!(LockSettings, "LockSettings", "Settings of the foot lock."),
        of!(SpeedSettings, "SpeedSettings", "Thresholds from the speed of a foot bone to its weight."),
        of!(DriveWeights, "DriveWeights", "Weights of a grounding's effect on the bones."),
        of!(chain_ik::Settings, "ChainIkSettings", "Settings of a single chain's solve."),
        of!(
            LeastSquaresSettings,
            "LeastSquaresSettings",
            "Settings of the least-squares body. Weights multiply residuals: positions relative to the character's height, rotations in radians."
        ),
        of!(PositionBasedSettings, "PositionBasedSettings", "Settings of the position-based body."),
    ]
}

/// Fields that only concern a layer of the stack.
const IS_LAYERS: [(&str, &str); 2] = [("LeastSquaresSettings", "on"), ("PositionBasedSettings", "on")];

enum Kind {
    Number(&'static str),
    /// A boolean; 0 means no.
    Flag,
    /// The number of a variant of an enum; the enum by its name in C without the prefix.
    Choice(&'static str),
    Structure(&'static str),
    /// A value, and another field that says whether it is set.
    Optional(&'static str),
    /// Not in the structure: another function sets it, or it is for experiments of the program only.
    Elsewhere,
}

impl Kind {
    fn of(type_name: &str) -> Self {
        match type_name {
            "f32" => Self::Number("f32"),
            "u32" => Self::Number("u32"),
            "bool" => Self::Flag,
            "Side" => Self::Choice("Side"),
            "Aims" => Self::Choice("Aims"),
            "Effector" => Self::Choice("Effector"),
            "Quality" => Self::Choice("Quality"),
            "Solver" => Self::Choice("ChainSolver"),
            "Weighting" => Self::Choice("Weighting"),
            "CcdTurn" => Self::Choice("CcdTurn"),
            "MapTurn" => Self::Choice("MapTurn"),
            "BendRule" => Self::Choice("BendRule"),
            "Vec3" => Self::Structure("Vec3"),
            "Quat" => Self::Structure("Quat"),
            "Option<Vec3>" => Self::Optional("Vec3"),
            "Option<Quat>" => Self::Optional("Quat"),
            "Option<Attachment>" | "Vec<HeadBone>" | "Vec<Track>" | "Update" | "FootHeight" => Self::Elsewhere,
            other => panic!("no mirror in C for the type {other}: it needs a `Kind`"),
        }
    }
}

/// Returns documentation without links, and with "without it" in place of `null`, which settings in C do not have.
fn about_field(help: &str) -> String {
    plain(help).replace("; null is", "; without it")
}

fn structure(out: &mut String, table: &Table) {
    let Table { name, about, fields, numbers, kind: _ } = table;
    let _ = writeln!(out, "\n/// {about}\n#[derive(Clone, Copy, Debug)]\n#[repr(C)]\npub struct Kinescope{name} {{");
    let (mut to, mut from) = (String::new(), String::new());
    for Declaration { key, type_name, help, .. } in *fields {
        if IS_LAYERS.contains(&(*name, *key)) {
            continue;
        }
        let help = about_field(help).replace("Null is 3D", "Without one, the chain is solved in 3D");
        let (type_name, help, value, back) = match Kind::of(type_name) {
            Kind::Elsewhere => continue,
            Kind::Number(of) => {
                let number = numbers.iter().find(|number| number.key == *key);
                let range = number.map(|own| {
                    let unit = own.unit.noun().strip_prefix("number of").unwrap_or_default();
                    format!(" From {} to {}{unit}, by default {}.", own.min, own.max, own.default)
                });
                (of.to_owned(), help + &range.unwrap_or_default(), format!("own.{key}"), format!("self.{key}"))
            }
            Kind::Flag => {
                (String::from("u32"), help + " 0 means no.", format!("own.{key}.into()"), format!("self.{key} != 0"))
            }
            Kind::Choice(of) => (
                String::from("u32"),
                format!("{help} A number of Kinescope{of}."),
                format!("own.{key} as u32"),
                format!("choice(self.{key}, &{of}::ALL, || \"{key}\".to_owned())?"),
            ),
            Kind::Structure(of) => {
                (format!("Kinescope{of}"), help, format!("own.{key}.into()"), format!("self.{key}.into()"))
            }
            Kind::Optional(of) => {
                let _ = writeln!(out, "    /// Whether `{key}` is set. 0 means no.\n    pub has_{key}: u32,");
                let _ = writeln!(to, "            has_{key}: own.{key}.is_some().into(),");
                let value = format!("own.{key}.unwrap_or_default().into()");
                (format!("Kinescope{of}"), help, value, format!("(self.has_{key} != 0).then(|| self.{key}.into())"))
            }
        };
        let _ = writeln!(out, "    /// {help}\n    pub {key}: {type_name},");
        let _ = writeln!(to, "            {key}: {value},");
        let _ = writeln!(from, "            {key}: {back},");
    }
    let _ = writeln!(
        out,
        "}}\n\nimpl From<&{name}> for Kinescope{name} {{\n    fn from(own: &{name}) -> Self {{\n        Self {{\n{to}        }}\n    }}\n}}\n\n\
         impl Kinescope{name} {{\n    /// Returns the library's settings. Fields that the structure lacks are those of `own`.\n    \
         #[allow(clippy::needless_update, reason = \"some structures lack no field\")]\n    \
         pub(crate) fn read(&self, own: &{name}) -> Result<{name}, Refused> {{\n        Ok({name} {{\n{from}            ..own.clone()\n        }})\n    }}\n}}"
    );
}

fn functions(out: &mut String, Table { name, kind, .. }: &Table) {
    let plain_name = kind.replace('_', " ");
    let _ = writeln!(
        out,
        r#"
impl Kind for Kinescope{name} {{
    type Own = {name};

    fn of(modifier: &Modifier) -> Option<&{name}> {{
        if let Modifier::{name}(own) = modifier {{ Some(own) }} else {{ None }}
    }}

    fn read(&self, own: &{name}) -> Result<Modifier, Refused> {{
        Ok(Modifier::{name}(self.read(own)?))
    }}
}}

/// Copies the settings of the modifier at `index`, whose kind must be {plain_name}.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_get_{kind}(
    modifiers: *const KinescopeModifiers,
    index: usize,
    settings: *mut Kinescope{name},
) -> KinescopeStatus {{
    unsafe {{ get_settings(modifiers, index, settings) }}
}}

/// Changes the settings of the modifier at `index`, whose kind must be {plain_name}. The modifier keeps its state. On failure,
/// the settings are unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_modifiers_set_{kind}(
    modifiers: *mut KinescopeModifiers,
    index: usize,
    settings: *const Kinescope{name},
) -> KinescopeStatus {{
    unsafe {{ set_settings(modifiers, index, settings) }}
}}"#
    );
}

fn enums(out: &mut String, names: &[Names]) {
    for Names { name, about, all } in names {
        let allow = "#[allow(dead_code, reason = \"C code uses the numbers\")]";
        let _ = writeln!(out, "\n/// {about}\n{allow}\n#[repr(u32)]\npub enum Kinescope{name} {{");
        for (variant, help) in all {
            let _ = writeln!(out, "    /// {help}\n    {variant},");
        }
        out.push_str("}\n");
    }
}

/// Returns the generated files by their names in `integrations/c/src`.
pub(crate) fn files() -> [(&'static str, String); 2] {
    let mut own = format!(
        "// {HOW}\n\n//! Settings of modifiers in C.\n\nuse kinescope_library::Effector;\nuse kinescope_library::grounding::Side;\n\
         use kinescope_library::modifiers::{{\n    Aims, ArmBending, Breathing, FourBones, Head, HitReaction, Inertia, Keyed, LookAt, \
         Modifier, ReachFor, Recoil,\n    TwoHandedGrip,\n}};\n\nuse crate::modifiers::{{Kind, KinescopeModifiers, get_settings, \
         set_settings}};\nuse crate::pose::{{KinescopeQuat, KinescopeVec3}};\nuse crate::settings::choice;\nuse crate::{{KinescopeStatus, \
         Refused}};\n"
    );
    enums(&mut own, &modifier_names());
    for table in modifiers() {
        structure(&mut own, &table);
        functions(&mut own, &table);
    }
    let mut solver = format!(
        "// {HOW}\n\n//! Settings of grounders, chains and bodies in C.\n\nuse kinescope_library::chain_ik::{{\n    BendRule, \
         CcdTurn, MapTurn, Settings as ChainIkSettings, Solver as ChainSolver, Weighting,\n}};\nuse kinescope_library::grounding::{{\n    \
         DriveWeights, FootIkSettings, FootprintSettings, LockSettings, PredictiveSettings, Quality, SpeedSettings,\n}};\n\
         use kinescope_library::least_squares::LeastSquaresSettings;\nuse kinescope_library::position_based::PositionBasedSettings;\n\
         \nuse crate::Refused;\nuse crate::pose::KinescopeVec3;\n\
         use crate::settings::choice;\n"
    );
    enums(&mut solver, &solver_names());
    for table in solvers() {
        structure(&mut solver, &table);
    }
    [("modifier_tables.rs", own), ("solver_tables.rs", solver)]
}
