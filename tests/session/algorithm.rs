//! Checks the pages in `docs/algorithm`, and `docs/sources.md`, against the program.
//!
//! In these pages, text in backticks is a name of the program, such as that of a setting, stage, node, scene or key, or
//! a symbol of a formula. Text in bold is the label of a command. Each line of a `formula` block is a line that the
//! program shows in some scene or case.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use kinescope::scenes::SCENES;
use kinescope::session::commands::COMMANDS;
use kinescope::session::navigation::Navigation;
use kinescope_ik::animation::PoseLayer;
use kinescope_ik::chain_ik::{self, BendRule, CcdTurn, MapTurn, StoppedBy};
use kinescope_ik::conformance::cases;
use kinescope_ik::full_body::{
    Chain, ChainSettings, Effector, EffectorSettings, Node, Part, Recording, Settings, Smoothing, SolverSettings,
    Stage, constants, explain, explain_writing,
};
use kinescope_ik::grounding::{FootIkSettings, LockSettings, PredictiveSettings, Quality, foot_ik, predictive};
use kinescope_ik::notation::Sheet;
use kinescope_ik::parameter::Declared;
use kinescope_ik::stack::Experiments;

use crate::common::session::in_scene;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn pages() -> Vec<(String, String)> {
    let folder = std::fs::read_dir(root().join("docs/algorithm")).unwrap();
    let mut paths: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    paths.push(root().join("docs/sources.md"));
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    paths.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect()
}

/// Returns the page's text without its fenced blocks, and the lines of the blocks with their language.
fn parts(page: &str) -> (String, Vec<(&str, &str)>) {
    let (mut prose, mut lines, mut language) = (String::new(), Vec::new(), None);
    for line in page.lines() {
        match (line.strip_prefix("```"), language) {
            (Some(opened), None) => language = Some(opened),
            (Some(_), Some(_)) => language = None,
            (None, Some(language)) => lines.push((language, line)),
            (None, None) => {
                let _ = writeln!(prose, "{line}");
            }
        }
    }
    (prose, lines)
}

/// Returns the texts between pairs of a mark such as `**`. A text may extend over several lines of a paragraph.
fn marked(prose: &str, mark: &str) -> Vec<String> {
    let paragraphs: Vec<String> = prose.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")).collect();
    let marked = |paragraph: &String| {
        let parts: Vec<String> = paragraph.split(mark).map(str::to_owned).collect();
        assert!(parts.len() % 2 == 1, "unpaired {mark}: {paragraph}");
        parts.into_iter().skip(1).step_by(2).collect::<Vec<_>>()
    };
    paragraphs.iter().flat_map(marked).collect()
}

#[derive(Default)]
struct Shown {
    lines: BTreeSet<String>,
    symbols: BTreeSet<String>,
}

impl Shown {
    fn add(&mut self, sheet: &Sheet) {
        self.lines.extend(sheet.lines.iter().map(|line| line.symbolic.clone()));
        self.symbols.extend(sheet.symbols.iter().map(|symbol| symbol.name.to_owned()));
    }

    /// Collects the formulas of the conformance cases, and of some frames of some scenes.
    fn everywhere() -> Self {
        let mut shown = Self::default();
        for case in cases().unwrap() {
            let (rig, settings) = (&case.trace.rig, &case.trace.parameters);
            let (solver, mut pose) = (rig.solver().unwrap(), rig.animated.clone());
            let mut recording = Recording::default();
            recording.record(&solver, &mut solver.workspace(), settings, &mut pose).unwrap();
            recording.recall(&solver);
            for step in 0..recording.solve.steps.len() {
                let moves = 0..recording.solve.events_of(step).len();
                moves.filter_map(|index| explain::formula(&recording, step, index)).for_each(|sheet| shown.add(&sheet));
            }
            for step in 0..recording.writing.steps.len() {
                let moves = 0..recording.writing.events_of(step).len();
                let sheets = moves.filter_map(|index| explain_writing::formula(&recording, &solver, step, index));
                sheets.for_each(|sheet| shown.add(&sheet));
            }
        }
        const AROUND: [(&str, usize); 9] = [
            ("chain lab", 30),
            ("nearly straight", 5),
            ("limits", 20),
            ("branches", 5),
            ("bend rule of the sources", 5),
            ("CCD of the sources", 5),
            ("stairs", 120),
            ("ray and curve", 30),
            ("feet that stay", 90),
        ];
        for (scene, frames) in AROUND {
            let mut session = in_scene(scene);
            for frame in 0..frames {
                session.update(1.0 / 60.0);
                if frame % 5 > 0 && frame + 1 < frames {
                    continue;
                }
                for layer in session.world.solved.layers.iter().filter_map(|layer| session.world.solved.run(layer.id)) {
                    for step in 0..layer.steps() {
                        let events = 0..layer.events(step).max(1);
                        events.filter_map(|event| layer.formula(step, event)).for_each(|sheet| shown.add(&sheet));
                    }
                }
            }
        }
        shown
    }
}

fn fields<S: Declared>() -> impl Iterator<Item = &'static str> {
    S::DECLARATIONS.iter().map(|field| field.key)
}

fn names() -> BTreeSet<String> {
    let mut names: BTreeSet<String> = SCENES.iter().map(|scene| scene.name.to_owned()).collect();
    names.extend(Stage::ALL.into_iter().chain(Stage::HOOKS).map(|stage| stage.key().to_owned()));
    names.extend(Part::ALL.into_iter().flat_map(|part| [part.key(), part.step_key()]).map(str::to_owned));
    names.extend(Node::ALL.map(|node| node.key().to_owned()));
    names.extend(Effector::ALL.map(|effector| effector.key().to_owned()));
    names.extend(Chain::ALL.map(|chain| chain.key().to_owned()));
    names.extend(Smoothing::ALL.map(|smoothing| smoothing.key().to_owned()));
    names.extend(fields::<SolverSettings>().map(|key| format!("solver.{key}")));
    names.extend(fields::<ChainSettings>().map(|key| format!("chains.*.{key}")));
    names.extend(fields::<EffectorSettings>().map(|key| format!("effectors.*.{key}")));
    names.extend(fields::<Settings>().filter(|key| *key == "pin").map(|key| format!("chains.body.{key}")));
    // A constant of a limb or of a pair of nodes is named once for all limbs or pairs.
    names.extend(constants::known().into_iter().map(|known| match known.name.split_once('.') {
        Some((_, name)) => format!("*.{name}"),
        None => known.name,
    }));
    names.extend(chain_ik::Stage::ALL.map(|stage| stage.key().to_owned()));
    names.extend(chain_ik::Solver::ALL.map(|solver| solver.key().to_owned()));
    names.extend(StoppedBy::ALL.map(|why| why.key().to_owned()));
    names.extend(["free", "hinge", "ball_and_socket", "angle"].map(str::to_owned));
    let values = [
        serde_json::to_value(CcdTurn::ALL),
        serde_json::to_value(MapTurn::ALL),
        serde_json::to_value(BendRule::ALL),
        serde_json::to_value(chain_ik::Weighting::ALL),
    ];
    for list in values {
        names.extend(list.unwrap().as_array().unwrap().iter().map(|value| value.as_str().unwrap().to_owned()));
    }
    names.extend(fields::<chain_ik::Settings>().map(str::to_owned));
    names.extend(foot_ik::Stage::ALL.map(|stage| stage.key().to_owned()));
    names.extend(predictive::Stage::ALL.map(|stage| stage.key().to_owned()));
    names.extend(Quality::ALL.map(|quality| quality.key().to_owned()));
    names.extend(fields::<FootIkSettings>().map(|key| format!("grounding.foot_ik.{key}")));
    names.extend(fields::<PredictiveSettings>().map(|key| format!("grounding.predictive.{key}")));
    names.extend(fields::<LockSettings>().map(|key| format!("grounding.lock.{key}")));
    names.extend(fields::<PoseLayer>().map(|key| format!("layers.*.{key}")));
    let experiments = serde_json::to_value(Experiments::default()).unwrap();
    names.extend(experiments.as_object().unwrap().keys().cloned());
    for navigation in Navigation::ALL {
        let keys = COMMANDS.iter().flat_map(|command| command.all_shortcuts_in(navigation));
        names.extend(keys.map(|key| key.to_string()));
    }
    names
}

#[test]
fn names_and_formulas_on_the_algorithm_pages_exist_in_the_program() {
    let (names, shown) = (names(), Shown::everywhere());
    if let Some(file) = std::env::var_os("KINESCOPE_FORMULAS") {
        let lines: Vec<&str> = shown.lines.iter().map(String::as_str).collect();
        std::fs::write(file, lines.join("\n")).unwrap();
    }
    let (mut wrong, mut checked) = (Vec::new(), [0; 3]);
    for (page, text) in pages() {
        let (prose, lines) = parts(&text);
        for name in marked(&prose, "`") {
            checked[0] += 1;
            if !names.contains(&name) && !shown.symbols.contains(&name) {
                wrong.push(format!("{page}: the program has no name `{name}`"));
            }
        }
        for label in marked(&prose, "**") {
            checked[1] += 1;
            if !COMMANDS.iter().any(|command| command.label == label) {
                wrong.push(format!("{page}: the program has no command **{label}**"));
            }
        }
        for (_, line) in lines.iter().filter(|(language, line)| *language == "formula" && !line.is_empty()) {
            checked[2] += 1;
            if !shown.lines.contains(*line) {
                wrong.push(format!("{page}: the program never shows {line}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked[0] > 300 && checked[1] > 5 && checked[2] > 60, "{checked:?}");
}

#[test]
fn pages_on_the_algorithm_are_complete() {
    let script = std::fs::read_to_string(root().join("screenshots/make")).unwrap();
    let mut seen = 0;
    for (page, text) in pages().into_iter().filter(|(page, _)| page != "sources.md") {
        let picture = text.split("../../screenshots/algorithm/").nth(1).and_then(|rest| rest.split(".png").next());
        let picture = picture.unwrap_or_else(|| panic!("{page} has no picture"));
        assert!(root().join(format!("screenshots/algorithm/{picture}.png")).exists(), "{page}: {picture}");
        assert!(
            script.contains(&format!("algorithm_picture {picture} ")),
            "{page}: screenshots/make does not make {picture}"
        );
        for part in ["](../../crates/kinescope-ik/src/", "](../sources.md)", "## What to look at"] {
            assert!(text.contains(part), "{page} lacks {part}");
        }
        seen += 1;
    }
    assert!(seen > 12, "{seen}");
}

#[test]
fn gaps_of_the_iterations_are_those_of_the_page() {
    let page = std::fs::read_to_string(root().join("docs/algorithm/iterations.md")).unwrap();
    let mut seen = 0;
    for row in page.lines().filter(|line| line.starts_with('|') && line.contains(" mm, `iterations ")) {
        let (before, scene) = row.split_once(" mm, `").unwrap();
        let gap: f32 = before.rsplit(' ').next().unwrap().parse().unwrap();
        let mut session = in_scene(scene.split('`').next().unwrap());
        session.update(1.0 / 60.0);
        let found = session.remaining_at_cursor() * 1e3;
        assert!((found - gap).abs() < 0.6, "{row}: {found}");
        seen += 1;
    }
    assert_eq!(seen, 5);
}
