//! Generates parts of the book, such as keys from the table of commands, the command line from the program's help, and
//! fields of presets from the documentation of their types.
//!
//! A part stands between `<!-- generated: NAME -->` and `<!-- end of generated -->`.
//! `KINESCOPE_WRITE_BOOK=1 cargo test --test session book_pages` writes all parts.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Serialize;
use serde_json::Value;

use crate::common::files::temporary;
use crate::common::program::{PROGRAM, kinescope, text};
use kinescope::session::commands::{COMMANDS, CommandInfo, MENUS, OTHER_KEYS};
use kinescope::session::navigation::Navigation;
use kinescope::tools::compare::kit::{Answer, kit_report};
use kinescope::tools::learn::Lesson;
use kinescope::tools::learn::lessons::LESSONS;
use kinescope::tools::learn::lessons::glossary::TERMS;
use kinescope_ik::conformance::{self, Case, ROWS};
use kinescope_ik::full_body::{Node, Stage, Step};
use kinescope_ik::parameter::{Parameter, Parameters, Unit};
use kinescope_ik::trace::{More, Trace};

const BEGIN: &str = "<!-- generated: ";
const END: &str = "<!-- end of generated -->";

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path, ending));
        } else if path.extension().is_some_and(|own| own == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn generated_pages_are_up_to_date() {
    let sources = Sources::read();
    let mut parts: BTreeMap<&str, String> = [
        ("keys", keys()),
        ("command line", command_line()),
        ("kit report", kit_report_of_a_port()),
        ("port report", report_on_a_port()),
        ("port rows", port_rows()),
        ("lessons", lessons()),
        ("glossary", glossary()),
    ]
    .into();
    parts.extend(preset_tables(&sources));
    let mut used = Vec::new();
    let mut out_of_date = Vec::new();
    for path in files_below(&root().join("docs"), "md") {
        let page = std::fs::read_to_string(&path).unwrap();
        let (mut made, mut rest) = (String::new(), page.as_str());
        while let Some((before, after)) = rest.split_once(BEGIN) {
            let (name, after) = after.split_once(" -->\n").expect("nothing follows a mark on its line");
            let (_, after) = after.split_once(END).unwrap_or_else(|| panic!("{}: {name} has no end", path.display()));
            let (&name, part) = parts.get_key_value(name).unwrap_or_else(|| panic!("nothing generates {name:?}"));
            used.push(name);
            let _ = write!(made, "{before}{BEGIN}{name} -->\n\n{}\n\n{END}", part.trim());
            rest = after;
        }
        made.push_str(rest);
        if made != page {
            out_of_date.push(path.display().to_string());
            if std::env::var_os("KINESCOPE_WRITE_BOOK").is_some() {
                std::fs::write(&path, &made).unwrap();
            }
        }
    }
    let unused: Vec<&&str> = parts.keys().filter(|name| !used.contains(name)).collect();
    assert!(unused.is_empty(), "no page has {unused:?}");
    assert!(
        out_of_date.is_empty() || std::env::var_os("KINESCOPE_WRITE_BOOK").is_some(),
        "out of date: {}. KINESCOPE_WRITE_BOOK=1 cargo test --test session book_pages writes them",
        out_of_date.join(", ")
    );
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn keys() -> String {
    let mut out = String::new();
    for menu in MENUS {
        let _ = writeln!(out, "## {menu}\n\n| command | keys | what it does |\n|---|---|---|");
        for info in COMMANDS.iter().filter(|info| info.menu == *menu) {
            let _ = writeln!(
                out,
                "| {} | {} | {} |",
                cell(info.label),
                keys_in(Navigation::Kinescope, info),
                cell(info.help)
            );
        }
        out.push('\n');
    }
    out += "## Pointer and fields\n\n| where | keys or pointer | what it does |\n|---|---|---|\n";
    for (task, keys, what) in OTHER_KEYS {
        let _ = writeln!(out, "| {task} | {keys} | {what} |");
    }
    out += "\n## Navigation\n\n| as in | pointer |\n|---|---|\n";
    for navigation in Navigation::ALL {
        let _ = writeln!(out, "| {} | {} |", navigation.label(), navigation.hint().replace(" · ", ", "));
    }
    out += "\n| command | Kinescope | Blender | Maya | Unity |\n|---|---|---|---|---|\n";
    for info in COMMANDS {
        let keys: Vec<String> = Navigation::ALL.into_iter().map(|navigation| keys_in(navigation, info)).collect();
        if keys.iter().any(|other| *other != keys[0]) {
            let _ = writeln!(out, "| {} | {} |", cell(info.label), keys.join(" | "));
        }
    }
    out
}

fn keys_in(navigation: Navigation, info: &CommandInfo) -> String {
    let keys = info.all_shortcuts_in(navigation);
    keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" or ")
}

fn command_line() -> String {
    let help = |arguments: &[&str]| {
        let output = kinescope(arguments);
        assert!(output.status.success(), "{arguments:?}");
        text(&output.stdout).lines().map(|line| line.trim_end().to_owned() + "\n").collect::<String>()
    };
    let whole = help(&["--help"]);
    let (_, after) = whole.split_once("Commands:\n").expect("the help lists commands");
    let names = after.lines().take_while(|line| !line.is_empty()).filter_map(|line| {
        // The next line of a long description is indented further.
        let name = line.strip_prefix("  ")?.split(' ').next()?;
        (!name.is_empty() && name != "help").then_some(name)
    });
    let mut out = format!("## kinescope\n\n```text\n{whole}```\n\n");
    for name in names {
        let _ = writeln!(out, "## kinescope {name}\n\n```text\n{}```\n", help(&[name, "--help"]));
    }
    out
}

/// Returns the first lines of the report on a port that does not smooth the bend limit.
fn kit_report_of_a_port() -> String {
    let cases = conformance::cases().unwrap();
    let answer = |case: &Case| {
        let mut parameters = case.trace.parameters;
        parameters.chains.iter_mut().for_each(|chain| chain.clamp_smoothing = 0);
        let solved = Trace::whole(&case.name, case.trace.rig.clone(), parameters).unwrap();
        Answer::Read(Box::new(Trace { parameters: case.trace.parameters, ..solved }))
    };
    let (report, agrees) = kit_report(&cases, &[], answer);
    assert!(!agrees);
    let first: Vec<&str> = report.lines().take_while(|line| !line.starts_with("ok       03")).collect();
    format!("```text\n{}\n…\n```\n", first.join("\n"))
}

/// Returns the first lines of the report on a port whose stage 2 puts an upper arm 3.2 mm too low.
fn report_on_a_port() -> String {
    let at = Step { iteration: Some(1), stage: Stage::Stage2 };
    let cases = conformance::cases().unwrap();
    let mut port = cases.iter().find(|case| case.name == "07-reach").unwrap().trace.clone();
    let (_, nodes) = port.steps.iter_mut().find(|(step, _)| *step == at).unwrap();
    nodes[Node::LeftUpperArm].y -= 0.0032;
    port.more = More::default();
    let folder = temporary("port");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("port.json"), port.to_json()).unwrap();
    let out = Command::new(PROGRAM).args(["diff", "port.json"]).current_dir(&folder).output().unwrap();
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
    let report = text(&out.stdout);
    let lines: Vec<&str> = report.lines().take_while(|line| !line.contains("  push  ")).collect();
    assert!(lines.len() < 10, "{report}");
    format!("```text\n$ kinescope diff port.json\n{}\n…\n```\n", lines.join("\n"))
}

fn port_rows() -> String {
    let rows = ROWS.iter().map(|row| format!("| {} | {} |\n", row.first, row.look_at));
    "| first difference | look at |\n|---|---|\n".to_owned() + &rows.collect::<String>()
}

fn lessons() -> String {
    let rows = LESSONS.iter().enumerate().map(|(index, lesson)| {
        format!("| {} | {} | {} | [{}]({}) |\n", index + 1, lesson.title, lesson.about, lesson.page, lesson.page)
    });
    let pictures = LESSONS.iter().map(|lesson| {
        let Lesson { key, title, .. } = lesson;
        format!(
            "\n### {title}\n\n![The lesson {title}](../screenshots/lessons/{key}.png)\n\n`kinescope --lesson {key}`\n"
        )
    });
    "| | lesson | what it teaches | page |\n|---|---|---|---|\n".to_owned()
        + &rows.collect::<String>()
        + &pictures.collect::<String>()
}

fn glossary() -> String {
    let rows = TERMS.iter().map(|term| format!("| {} | {} |\n", term.name, cell(term.definition)));
    "| term | means |\n|---|---|\n".to_owned() + &rows.collect::<String>()
}

struct Sources(Vec<(PathBuf, String)>);

struct Item {
    name: String,
    /// Name of the field or variant in files.
    key: String,
    documentation: String,
    type_name: String,
    is_default: bool,
}

impl Sources {
    fn read() -> Self {
        let folders = ["crates/kinescope-ik/src", "src"].map(|folder| root().join(folder));
        let paths = folders.iter().flat_map(|folder| files_below(folder, "rs"));
        Self(paths.map(|path| (path.clone(), std::fs::read_to_string(&path).unwrap())).collect())
    }

    fn declare(&self, begin: &str) -> bool {
        self.0.iter().any(|(_, text)| text.lines().any(|line| line.trim() == begin))
    }

    /// Returns the lines of the block that begins with the line `begin`, and the block's file. If several files have
    /// this line, `file` takes precedence, then a file in the same folder.
    fn block(&self, file: &str, begin: &str) -> (&Path, Vec<&str>) {
        let has = |text: &str| text.lines().any(|line| line.trim() == begin);
        let own = root().join(file);
        let of_folder = |path: &Path| path.parent() == own.parent();
        let all: Vec<&(PathBuf, String)> = self.0.iter().filter(|(_, text)| has(text)).collect();
        let (path, text) = match all.as_slice() {
            [only] => only,
            _ => {
                let same = all.iter().find(|(path, _)| *path == own);
                let near = same.or_else(|| all.iter().find(|(path, _)| of_folder(path)));
                near.unwrap_or_else(|| panic!("{begin:?}: in {} files, but not in {file}", all.len()))
            }
        };
        let mut lines = text.lines().skip_while(|line| line.trim() != begin);
        let first = lines.next().unwrap();
        let indent = first.len() - first.trim_start().len();
        let end = format!("{}}}", " ".repeat(indent));
        (path, lines.take_while(|line| *line != end).collect())
    }

    /// Returns the fields of a struct that is declared with or without `settings!`. Fields that the layer table
    /// declares are inserted where the struct repeats the table's rows.
    fn fields(&self, file: &str, name: &str) -> Vec<Item> {
        let lines = self.block(file, &format!("pub struct {name} {{")).1;
        let (before, after) =
            lines.split_at(lines.iter().position(|line| line.trim() == "$($(").unwrap_or(lines.len()));
        let section = if name == "GroundingSection" { "at grounding" } else { "at stack" };
        let declared = if after.is_empty() { Vec::new() } else { self.fields_of_layers(section) };
        let mut found = items(before);
        found.extend(items(&declared));
        found.extend(items(after));
        for item in &mut found {
            let type_name = item.type_name.split(" = ").next().unwrap_or_default();
            let type_name = type_name.trim_end_matches([',', ';']);
            let prefixes = [
                "crate::grounding::",
                "crate::retarget::",
                "crate::trackers::",
                "crate::position_based::",
                "crate::least_squares::",
            ];
            let own = prefixes.iter().find_map(|prefix| type_name.strip_prefix(prefix));
            item.type_name = own.unwrap_or(type_name).to_owned();
        }
        found
    }

    /// Returns the lines that declare fields of a section in the table of layers.
    fn fields_of_layers(&self, section: &str) -> Vec<&str> {
        let (_, table) = self.0.iter().find(|(path, _)| path.ends_with("stack/table.rs")).unwrap();
        let (mut found, mut lines) = (Vec::new(), table.lines());
        while lines.any(|line| line.trim() == section) {
            let mut is_last = false;
            let declares = |line: &&str| !std::mem::replace(&mut is_last, !line.trim().starts_with("///"));
            found.extend(lines.by_ref().take_while(declares));
        }
        found
    }

    /// Returns the variants of an enum that is declared with or without `named!`.
    fn variants(&self, file: &str, name: &str) -> Vec<Item> {
        let begin = format!("pub enum {name} {{");
        let (path, mut lines) = self.block(file, &begin);
        let text = &self.0.iter().find(|(own, _)| own == path).unwrap().1;
        // `named!` lists the variants in a second block.
        let after = text.split_once(&begin).unwrap().1;
        let is_named = text.contains(&format!("    {begin}"));
        let own_block = after.split_once("ALL {").filter(|_| is_named);
        if let Some((_, rest)) = own_block {
            lines = rest.lines().take_while(|line| *line != "    }").collect();
        }
        let mut found = items(&lines);
        found.retain(|item| item.name.starts_with(|letter: char| letter.is_ascii_uppercase()));
        found
    }

    /// Returns how files name each variant of an enum, in backticks: `ray`, or `{"time": …}` for a variant with data.
    fn choices(&self, file: &str, name: &str) -> Vec<String> {
        let variants = self.variants(file, name);
        variants
            .into_iter()
            .map(|item| match item.type_name.starts_with(['(', '{']) {
                true => format!("`{{\"{}\": …}}`", item.key),
                false => format!("`{}`", item.key),
            })
            .collect()
    }
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

/// Returns the fields or variants of a block, without those inside the braces of another and without skipped fields.
fn items(lines: &[&str]) -> Vec<Item> {
    let Some(indent) =
        lines.iter().filter(|line| !line.trim().is_empty()).map(|line| line.len() - line.trim_start().len()).min()
    else {
        return Vec::new();
    };
    let (mut found, mut documentation, mut is_default, mut is_skipped) = (Vec::new(), String::new(), false, false);
    let mut renamed = None;
    for line in lines.iter().filter(|line| line.len() - line.trim_start().len() == indent) {
        let line = line.trim();
        if let Some(words) = line.strip_prefix("///") {
            documentation = format!("{documentation} {}", words.trim());
        } else if line.starts_with('#') {
            is_default |= line == "#[default]";
            is_skipped |= line == "#[serde(skip)]";
            let rename = line.strip_prefix("#[serde(rename = \"").and_then(|rest| rest.strip_suffix("\")]"));
            renamed = rename.map(str::to_owned).or(renamed);
        } else if !line.starts_with(['}', ')', '$']) && !line.is_empty() {
            let line = ["pub ", "pub(crate) "].iter().find_map(|own| line.strip_prefix(own)).unwrap_or(line);
            let end = line.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(line.len());
            let (name, rest) = line.split_at(end);
            let type_name = rest.trim_start_matches(':').trim().to_owned();
            let key = renamed.take().unwrap_or_else(|| snake(name));
            if !is_skipped {
                let documentation = plain(&documentation);
                found.push(Item { name: name.to_owned(), key, documentation, type_name, is_default });
            }
            documentation.clear();
            (is_default, is_skipped) = (false, false);
        }
    }
    found
}

/// Removes links to items from documentation: `[`Name`](path)` and `[`Name`]` become `Name`.
fn plain(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text.trim());
    while let Some((before, after)) = rest.split_once('[') {
        let Some((name, after)) = after.split_once(']') else { break };
        let link = after.strip_prefix('(').and_then(|link| Some(link.split_once(')')?.1));
        let is_link = link.is_some() || name.starts_with('`');
        out += before;
        out += &if is_link { name.to_owned() } else { format!("[{name}]") };
        rest = link.unwrap_or(after);
    }
    out + rest
}

/// Removes the choice that a field does not accept: its documentation says "any but `off`".
fn without_exception(values: &str, documentation: &str) -> String {
    let named = documentation.split_once("any but `").and_then(|(_, rest)| rest.split_once('`'));
    let Some((exception, _)) = named else { return values.to_owned() };
    let choice = format!("`{exception}`, ");
    assert!(values.contains(&choice), "{exception} is no choice of {values}");
    values.replacen(&choice, "", 1)
}

struct Fields<'a> {
    sources: &'a Sources,
    file: &'static str,
    name: &'a str,
    numbers: &'static [Parameter],
    default: Value,
}

impl Fields<'_> {
    fn table(&self) -> String {
        let mut out = "| field | meaning | values | unit | default |\n|---|---|---|---|---|\n".to_owned();
        for field in self.sources.fields(self.file, self.name) {
            let number = self.numbers.iter().find(|number| number.key == field.name);
            let (values, unit, default) = match number {
                Some(number) => (range(number), unit_of(number.unit), number.default.to_string()),
                None => (self.values(&field.type_name), "", self.default_of(&field)),
            };
            let values = without_exception(&values, &field.documentation);
            // The name of a field without documentation, as words, is its meaning.
            let meaning = match field.documentation.as_str() {
                "" => words(&field.name),
                documentation => cell(documentation),
            };
            let _ = writeln!(out, "| `{}` | {meaning} | {} | {unit} | {default} |", field.name, cell(&values));
        }
        out
    }

    fn values(&self, type_name: &str) -> String {
        let inner = |before: &str, after: &str| Some(type_name.strip_prefix(before)?.strip_suffix(after)?.to_owned());
        if let Some(inner) = inner("Option<", ">") {
            return format!("{}, or `null`", self.values(&inner));
        }
        if let Some(inner) = inner("Vec<", ">") {
            return format!("a list: {}", self.values(&inner));
        }
        if let Some((_, inner)) =
            type_name.strip_prefix("BTreeMap<").and_then(|own| own.strip_suffix('>')?.split_once(", "))
        {
            return format!("by name: {}", self.values(inner));
        }
        if let Some((of, count)) = type_name.strip_prefix('[').and_then(|own| own.strip_suffix(']')?.split_once("; ")) {
            return format!("{count} of them: {}", self.values(of));
        }
        match type_name {
            "bool" => "true or false".to_owned(),
            "String" => "text".to_owned(),
            "f32" | "f64" => "a number".to_owned(),
            "u8" | "u32" | "usize" => "a whole number".to_owned(),
            "Vec2" => "`[x, z]`".to_owned(),
            "Vec3" => "`[x, y, z]`".to_owned(),
            "Quat" => "`[x, y, z, w]`".to_owned(),
            // The value has a bit for each of eight layers.
            "Layers" => "0 to 255".to_owned(),
            "Effector" => "the name of an effector".to_owned(),
            "MappedBones" => "a bone's name, a list of names, or `null`".to_owned(),
            "Solver" => self.sources.choices("crates/kinescope-ik/src/chain_ik/settings.rs", "Solver").join(", "),
            other if self.is_struct(other) => format!("`{{…}}`, {}", words(other)),
            other => self.sources.choices(self.file, other).join(", "),
        }
    }

    fn is_struct(&self, name: &str) -> bool {
        self.sources.declare(&format!("pub struct {name} {{"))
    }

    fn is_enum(&self, name: &str) -> bool {
        self.sources.declare(&format!("pub enum {name} {{"))
    }

    fn default_of(&self, field: &Item) -> String {
        let written = self.default.get(&field.name);
        // The default of a field that files omit while it has its default.
        let missing = match field.type_name.as_str() {
            "bool" => "`false`".to_owned(),
            name if name.starts_with("Option<") => "`null`".to_owned(),
            name if name.starts_with("BTreeMap<") => "`{}`".to_owned(),
            name if self.is_enum(name) => {
                let default = self.sources.variants(self.file, name).into_iter().find(|item| item.is_default);
                default.map_or_else(String::new, |item| format!("`\"{}\"`", item.key))
            }
            _ => String::new(),
        };
        let text = written.map_or(missing, |value| format!("`{}`", shortest(value)));
        if text.len() > 30 { String::new() } else { text }
    }
}

/// Returns JSON with the shortest form of each number.
fn shortest(value: &Value) -> String {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() => (float as f32).to_string(),
            _ => number.to_string(),
        },
        Value::Array(values) => format!("[{}]", values.iter().map(shortest).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// Splits a type's name into words: `PlannedFade` becomes `planned fade`.
fn words(name: &str) -> String {
    snake(name).replace('_', " ")
}

fn range(number: &Parameter) -> String {
    let usual = match number.usual_max == number.max {
        true => String::new(),
        false => format!(", usually to {}", number.usual_max),
    };
    format!("{} to {}{usual}", number.min, number.max)
}

fn unit_of(unit: Unit) -> &'static str {
    match unit {
        Unit::Share => "",
        Unit::Count => "count",
        Unit::Metres => "m",
        Unit::ModelUnits => "model units",
        Unit::MetresPerSecond => "m/s",
        Unit::Degrees => "degrees",
        Unit::Radians => "radians",
        Unit::Seconds => "s",
        Unit::PerSecond => "1/s",
        Unit::PerMinute => "1/min",
    }
}

fn preset_tables(sources: &Sources) -> BTreeMap<&'static str, String> {
    use kinescope::character::motion_file::MotionReference;
    use kinescope::session::View;
    use kinescope::world::crowd::CrowdSection;
    use kinescope::world::document::ClipSection;
    use kinescope::world::motion::{MotionSection, PlannedFade};
    use kinescope_ik::animation::PoseLayer;
    use kinescope_ik::crowd::Rule;
    use kinescope_ik::full_body::{ChainSettings, EffectorSettings, Settings, SolverSettings};
    use kinescope_ik::grounding::{
        DriveWeights, FootIkSettings, FootprintSettings, LimbSettings, LockSettings, PredictiveSettings, SpeedSettings,
    };
    use kinescope_ik::least_squares::LeastSquaresSettings;
    use kinescope_ik::modifiers::Modifier;
    use kinescope_ik::position_based::PositionBasedSettings;
    use kinescope_ik::retarget::RetargetSettings;
    use kinescope_ik::stack::{
        ChainSection, ChainSolve, Experiments, GroundingRule, GroundingSection, LabSection, OrderSection,
    };
    use kinescope_ik::terrain::{Platform, Terrain};
    use kinescope_ik::trackers::TrackerSettings;

    let mut parts = BTreeMap::new();
    let settings = |file, name, numbers, default| Fields { sources, file, name, numbers, default }.table();
    macro_rules! tables {
        ($($part:literal: $type:ident $numbers:expr, $file:literal;)*) => {
            $(parts.insert($part, settings($file, stringify!($type), $numbers, json(&$type::default())));)*
        };
    }
    tables! {
        "solver": SolverSettings SolverSettings::PARAMETERS, "crates/kinescope-ik/src/full_body/settings.rs";
        "chain": ChainSettings ChainSettings::PARAMETERS, "crates/kinescope-ik/src/full_body/settings.rs";
        "effector": EffectorSettings EffectorSettings::PARAMETERS, "crates/kinescope-ik/src/full_body/settings.rs";
        "grounding": GroundingSection GroundingSection::PARAMETERS, "crates/kinescope-ik/src/stack/grounding.rs";
        "grounding rule": GroundingRule GroundingRule::PARAMETERS, "crates/kinescope-ik/src/stack/grounding.rs";
        "foot ik": FootIkSettings FootIkSettings::PARAMETERS, "crates/kinescope-ik/src/grounding/foot_ik.rs";
        "predictive": PredictiveSettings PredictiveSettings::PARAMETERS, "crates/kinescope-ik/src/grounding/settings.rs";
        "footprints": FootprintSettings FootprintSettings::PARAMETERS, "crates/kinescope-ik/src/grounding/footprint.rs";
        "lock": LockSettings LockSettings::PARAMETERS, "crates/kinescope-ik/src/grounding/lock.rs";
        "drive weights": DriveWeights DriveWeights::PARAMETERS, "crates/kinescope-ik/src/grounding/legs.rs";
        "limbs": LimbSettings LimbSettings::PARAMETERS, "crates/kinescope-ik/src/grounding/limbs.rs";
        "speed": SpeedSettings SpeedSettings::PARAMETERS, "crates/kinescope-ik/src/grounding/speed.rs";
        "platform": Platform Platform::PARAMETERS, "crates/kinescope-ik/src/terrain/field.rs";
        "terrain": Terrain &[], "crates/kinescope-ik/src/terrain/field.rs";
        "motion": MotionSection MotionSection::PARAMETERS, "src/world/motion/section.rs";
        "planned fade": PlannedFade PlannedFade::PARAMETERS, "src/world/motion/section.rs";
        "pose layer": PoseLayer PoseLayer::PARAMETERS, "crates/kinescope-ik/src/animation/layer.rs";
        "crowd": CrowdSection CrowdSection::PARAMETERS, "src/world/crowd.rs";
        "crowd rule": Rule Rule::PARAMETERS, "crates/kinescope-ik/src/crowd/detail.rs";
        "clip": ClipSection &[], "src/world/document.rs";
        "motion file": MotionReference &[], "src/character/motion_file.rs";
        "position based": PositionBasedSettings PositionBasedSettings::PARAMETERS, "crates/kinescope-ik/src/position_based/settings.rs";
        "retarget": RetargetSettings RetargetSettings::PARAMETERS, "crates/kinescope-ik/src/retarget/settings.rs";
        "trackers": TrackerSettings TrackerSettings::PARAMETERS, "crates/kinescope-ik/src/trackers/settings.rs";
        "least squares": LeastSquaresSettings LeastSquaresSettings::PARAMETERS, "crates/kinescope-ik/src/least_squares/settings.rs";
        "view": View &[], "src/world/view.rs";
        "chain section": ChainSection &[], "crates/kinescope-ik/src/stack/chains.rs";
        "chain solve": ChainSolve &[], "crates/kinescope-ik/src/stack/chains.rs";
        "lab": LabSection &[], "crates/kinescope-ik/src/stack/chains.rs";
        "order": OrderSection &[], "crates/kinescope-ik/src/stack/order.rs";
        "experiments": Experiments &[], "crates/kinescope-ik/src/stack/experiments.rs";
    }
    let chain = kinescope_ik::chain_ik::Settings::default();
    let file = "crates/kinescope-ik/src/chain_ik/settings.rs";
    parts.insert("chain settings", settings(file, "Settings", chain.parameters(), json(&chain)));
    let pin = &Settings::PARAMETERS[0];
    parts.insert("pin", format!("`{}`: {} {}, by default {}.", pin.key, plain(pin.help), range(pin), pin.default));
    let mut modifiers = String::new();
    for modifier in Modifier::all() {
        let Value::Object(fields) = json(&modifier) else { unreachable!("a modifier is an object") };
        let (key, default) = fields.into_iter().next().unwrap();
        // In `Recoil(Recoil { … })` the second word is the type of the modifier's settings.
        let debug = format!("{modifier:?}");
        let name = debug.split(['(', ' ']).nth(1).unwrap();
        let table = Fields {
            sources,
            file: "crates/kinescope-ik/src/modifiers/mod.rs",
            name,
            numbers: modifier.parameters().parameters(),
            default,
        };
        let _ = writeln!(modifiers, "### {key}\n\n{}\n\n{}", modifier.sentence(), table.table());
    }
    parts.insert("modifiers", modifiers);
    parts
}

fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}
