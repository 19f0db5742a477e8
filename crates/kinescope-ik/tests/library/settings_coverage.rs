//! Coverage of the cases, counted over settings: each class of values of each setting of solver, limbs and effectors
//! must decide the result of a case, and any two effectors must have weight together in at least four cases. Generates
//! the tables of settings in `docs/port/conformance.md`.

use std::sync::OnceLock;

use glam::Vec3;
use kinescope_ik::conformance::{Case, cases};
use kinescope_ik::full_body::{
    Chain, ChainSettings, Effector, EffectorSettings, FullBody, Node, Settings, Smoothing, SolverSettings,
};
use kinescope_ik::parameter::{Parameter, Parameters};
use kinescope_ik::rig::{LimbName, RigidTransform};
use kinescope_ik::trace_diff::{ROTATION_TOLERANCE, StepDiff, default_tolerance};

/// Label of a class, whether a value is in it (given the least value of the setting), and a value in it.
type Class = (&'static str, fn(f32, f32) -> bool, f32);
type IsIn = Box<dyn Fn(&Settings) -> bool>;
type Set = Box<dyn Fn(&mut Settings)>;
/// A choice of a setting: label, whether it is made, and how to make it.
type Choice = (&'static str, IsIn, Set);

/// A class of values of a setting, such as ½ for everything between 0 and 1.
struct Value {
    label: &'static str,
    is_in: IsIn,
    set: Set,
}

/// A setting of the solver, of one limb or of one effector, with all its classes of values.
struct Axis {
    name: String,
    /// The key of the limb or effector, or `solver`.
    of: &'static str,
    values: Vec<Value>,
}

/// Returns the classes of a number: negative (if allowed), 0, ½ and 1; of a whole number the three least, and all
/// above.
fn classes(parameter: &Parameter) -> Vec<Class> {
    let least = parameter.min;
    if parameter.is_whole() {
        const WHOLE: [&str; 5] = ["0", "1", "2", "3", "more"];
        let one = |step: usize| -> Class {
            const IS: [fn(f32, f32) -> bool; 3] = [
                |value, least| value == least,
                |value, least| value == least + 1.0,
                |value, least| value == least + 2.0,
            ];
            (WHOLE[least as usize + step], IS[step], least + step as f32)
        };
        let mut all: Vec<_> = (0..3).map(one).collect();
        if parameter.max > least + 2.0 {
            all.push(("more", |value, least| value > least + 2.0, least + 4.0));
        }
        return all;
    }
    let mut all: Vec<Class> = vec![
        ("0", |value, _| value == 0.0, 0.0),
        ("½", |value, _| value > 0.0 && value < 1.0, 0.5),
        ("1", |value, _| value == 1.0, 1.0),
    ];
    if least < 0.0 {
        all.insert(0, ("−", |value, _| value < 0.0, -0.5));
    }
    all
}

fn number<T: Parameters + 'static>(
    parameter: &'static Parameter,
    of: &'static str,
    get: impl Fn(&Settings) -> &T + Copy + 'static,
    get_mut: impl Fn(&mut Settings) -> &mut T + Copy + 'static,
) -> Axis {
    let (key, least) = (parameter.key, parameter.min);
    let value = |(label, is, own): (&'static str, fn(f32, f32) -> bool, f32)| Value {
        label,
        is_in: Box::new(move |settings| get(settings).number(key).is_some_and(|value| is(value, least))),
        set: Box::new(move |settings| {
            get_mut(settings).set_number(key, own);
        }),
    };
    Axis { name: key.to_owned(), of, values: classes(parameter).into_iter().map(value).collect() }
}

fn choice<const N: usize>(name: &str, of: &'static str, values: [Choice; N]) -> Axis {
    let values = values.into_iter().map(|(label, is_in, set)| Value { label, is_in, set }).collect();
    Axis { name: name.to_owned(), of, values }
}

fn of_limb(limb: LimbName) -> Vec<Axis> {
    let of = Chain::from(limb).key();
    let get = move |settings: &Settings| *settings.chain(limb);
    let numbers = ChainSettings::PARAMETERS.iter().map(|parameter| {
        number(parameter, of, move |settings| settings.chain(limb), move |settings| settings.chain_mut(limb))
    });
    let smoothing = |name: &str, own: fn(&mut ChainSettings) -> &mut Smoothing| {
        let one = |label: &'static str, value: Smoothing| -> Choice {
            let is = move |settings: &Settings| *own(&mut get(settings)) == value;
            (label, Box::new(is), Box::new(move |settings| *own(settings.chain_mut(limb)) = value))
        };
        let values =
            [one("none", Smoothing::None), one("exponential", Smoothing::Exponential), one("cubic", Smoothing::Cubic)];
        choice(name, of, values)
    };
    let mut all: Vec<Axis> = numbers.collect();
    all.push(smoothing("push_smoothing", |own| &mut own.push_smoothing));
    all.push(smoothing("reach_smoothing", |own| &mut own.reach_smoothing));
    let scale_free = |is: bool| -> Choice {
        let set = move |settings: &mut Settings| settings.chain_mut(limb).scale_free_reach = is;
        (if is { "on" } else { "off" }, Box::new(move |settings| get(settings).scale_free_reach == is), Box::new(set))
    };
    all.push(choice("scale_free_reach", of, [scale_free(false), scale_free(true)]));
    let side = if limb.is_left() { 1.0 } else { -1.0 };
    let (goal, direction) = (Vec3::new(1.5 * side, 0.7, 0.3), Vec3::new(side, 0.5, 0.2));
    let bend = |label, goal: Option<Vec3>, direction: Option<Vec3>| -> Choice {
        let is = move |settings: &Settings| {
            let own = get(settings);
            own.bend_goal.is_some() == goal.is_some()
                && (goal.is_some() || own.bend_direction.is_some() == direction.is_some())
        };
        let set = move |settings: &mut Settings| {
            let own = settings.chain_mut(limb);
            (own.bend_goal, own.bend_direction) = (goal, direction);
        };
        (label, Box::new(is), Box::new(set))
    };
    let bends = [bend("none", None, None), bend("goal", Some(goal), None), bend("direction", None, Some(direction))];
    all.push(choice("bend goal or direction", of, bends));
    all
}

fn of_effector(effector: Effector) -> Vec<Axis> {
    let of = effector.key();
    let numbers =
        EffectorSettings::PARAMETERS.iter().filter(|own| own.key == "position_weight" || effector.limb().is_some());
    let mut all: Vec<Axis> = numbers
        .map(|parameter| {
            number(parameter, of, move |own| own.effector(effector), move |own| own.effector_mut(effector))
        })
        .collect();
    let offset = |is: bool| -> Choice {
        let by = if is { Vec3::new(0.05, 0.04, -0.06) } else { Vec3::ZERO };
        let is_set = move |settings: &Settings| (settings.effector(effector).position_offset != Vec3::ZERO) == is;
        (
            if is { "set" } else { "0" },
            Box::new(is_set),
            Box::new(move |own| own.effector_mut(effector).position_offset = by),
        )
    };
    all.push(choice("position_offset", of, [offset(false), offset(true)]));
    all
}

fn of_solver() -> Vec<Axis> {
    let solver =
        SolverSettings::PARAMETERS.iter().map(|own| number(own, "solver", |own| &own.solver, |own| &mut own.solver));
    let whole = Settings::PARAMETERS.iter().map(|own| number(own, "solver", |own| own, |own| own));
    let mut all: Vec<Axis> = solver.chain(whole).collect();
    let pass = |is: bool| -> Choice {
        let set = move |own: &mut Settings| own.solver.fabrik_pass = is;
        (if is { "on" } else { "off" }, Box::new(move |own| own.solver.fabrik_pass == is), Box::new(set))
    };
    all.push(choice("fabrik_pass", "solver", [pass(false), pass(true)]));
    all
}

struct Solved {
    case: &'static Case,
    solver: FullBody,
}

/// Returns all cases. They are solved once for all tests.
pub fn kit() -> &'static [Case] {
    static KIT: OnceLock<Vec<Case>> = OnceLock::new();
    KIT.get_or_init(|| cases().unwrap())
}

fn solved() -> &'static [Solved] {
    static ALL: OnceLock<Vec<Solved>> = OnceLock::new();
    ALL.get_or_init(|| kit().iter().map(|case| Solved { solver: case.trace.rig.solver().unwrap(), case }).collect())
}

/// Returns the number of cases that cover branches, which come before those of the design.
fn branch_cases() -> usize {
    solved().iter().position(|own| own.case.name.contains("-design-")).expect("cases of the design")
}

impl Solved {
    fn settings(&self) -> &Settings {
        &self.case.trace.parameters
    }

    /// Returns whether the result differs with other settings: a position by more than the tolerance, or a rotation by
    /// more than twice its tolerance.
    fn differs_with(&self, settings: &Settings) -> bool {
        let trace = &self.case.trace;
        let mut pose = trace.rig.animated.clone();
        self.solver.solve(&mut self.solver.workspace(), settings, &mut pose).unwrap();
        let most = default_tolerance(&trace.rig);
        let is_off = |(a, b): (&RigidTransform, &RigidTransform)| {
            a.position.distance(b.position) > most
                || a.rotation.angle_between(b.rotation).to_degrees() > 2.0 * ROTATION_TOLERANCE
        };
        pose.iter().zip(&trace.result).any(is_off)
    }

    /// Returns whether the case has a value of a setting, and each other value would change its result.
    fn decides(&self, axis: &Axis, value: &Value) -> bool {
        (value.is_in)(self.settings())
            && axis.values.iter().filter(|other| other.label != value.label).all(|other| {
                let mut settings = *self.settings();
                (other.set)(&mut settings);
                self.differs_with(&settings)
            })
    }
}

fn axes() -> Vec<Axis> {
    let limbs = LimbName::ALL.into_iter().flat_map(of_limb);
    let effectors = Effector::ALL.into_iter().flat_map(of_effector);
    of_solver().into_iter().chain(limbs).chain(effectors).collect()
}

fn with_both(a: Effector, b: Effector) -> impl Iterator<Item = usize> {
    let all = solved().iter().enumerate();
    all.filter(move |(_, own)| {
        [a, b].iter().all(|own_effector| own.settings().effector(*own_effector).position_weight > 0.0)
    })
    .map(|(index, _)| index)
}

#[test]
fn every_value_of_every_setting_decides_a_case() {
    let (all, branches) = (solved(), branch_cases());
    // Most values change the result of a case of the design, so these cases come first.
    let order = || (branches..all.len()).chain(0..branches);
    let (mut lacks, mut cells) = (Vec::new(), 0);
    for axis in axes() {
        for value in &axis.values {
            cells += 1;
            if !order().any(|index| all[index].decides(&axis, value)) {
                lacks.push(format!("{}, {}: {}", axis.of, axis.name, value.label));
            }
        }
    }
    println!("{} of {cells} values decide a case", cells - lacks.len());
    assert!(lacks.is_empty(), "{} of {cells} decide no case:\n{}", lacks.len(), lacks.join("\n"));
    assert!(cells > 240, "{cells}");
}

#[test]
fn every_two_effectors_are_in_a_case() {
    for (index, &a) in Effector::ALL.iter().enumerate() {
        for &b in &Effector::ALL[index + 1..] {
            // Four cases have room for each combination of full and half weights.
            assert!(with_both(a, b).count() >= 4, "{} and {}", a.key(), b.key());
        }
    }
}

#[test]
fn the_kit_is_small_and_the_design_is_decided() {
    let all = solved();
    assert!(all.len() <= 80, "{}", all.len());
    let size: usize = all.iter().map(|own| own.case.trace.to_json().len()).sum();
    println!("{} cases, {size} bytes", all.len());
    for Solved { case, .. } in &all[branch_cases()..] {
        // A check ignores nodes that depend on the rounding of the input. With all nodes off, all must be reported.
        let mut off = case.trace.clone();
        let by = Vec3::splat(2.0 * default_tolerance(&off.rig));
        off.steps.iter_mut().flat_map(|(_, nodes)| &mut nodes.0).for_each(|node| *node += by);
        let found = case.check(&off).unwrap();
        assert_eq!(found.steps.len(), case.trace.steps.len(), "{}", case.name);
        for step in &found.steps {
            let StepDiff::Both { above, .. } = step else { panic!("{}: {step:?}", case.name) };
            assert_eq!(above.len(), Node::ALL.len(), "{} depends on the rounding of the input", case.name);
        }
    }
}

fn tables() -> String {
    let all = solved();
    let counts = |axis: &Axis| -> String {
        let count = |value: &Value| all.iter().filter(|own| (value.is_in)(own.settings())).count().to_string();
        axis.values.iter().map(count).collect::<Vec<_>>().join(" · ")
    };
    let labels = |axis: &Axis| axis.values.iter().map(|value| value.label).collect::<Vec<_>>().join(" · ");
    let mut text = "| setting of the solver | values | cases |\n|---|---|---|\n".to_owned();
    let axes = axes();
    for axis in axes.iter().filter(|axis| axis.of == "solver") {
        text += &format!("| `{}` | {} | {} |\n", axis.name, labels(axis), counts(axis));
    }
    let mut table = |kind: &str, columns: &[&'static str]| {
        text +=
            &format!("\n| {kind} | values | {} |\n|---|---|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
        let of = |column: &'static str| axes.iter().filter(move |axis| axis.of == column);
        let rows = of(columns[columns.len() - 1]).collect::<Vec<_>>();
        for row in rows {
            let cells = columns
                .iter()
                .map(|&column| of(column).find(|axis| axis.name == row.name).map_or(String::new(), counts));
            text += &format!("| {} | {} | {} |\n", row.name, labels(row), cells.collect::<Vec<_>>().join(" | "));
        }
    };
    table("setting of a limb", &LimbName::ALL.map(|limb| Chain::from(limb).key()));
    table("setting of an effector", &Effector::ALL.map(Effector::key));
    text += &format!(
        "\n| both have weight | {} |\n|---|{}\n",
        Effector::ALL.map(Effector::key).join(" | "),
        "---|".repeat(Effector::COUNT)
    );
    for a in Effector::ALL {
        let cells = Effector::ALL.map(|b| if a == b { String::new() } else { with_both(a, b).count().to_string() });
        text += &format!("| {} | {} |\n", a.key(), cells.join(" | "));
    }
    text
}

#[test]
fn the_tables_in_the_book_are_what_was_counted() {
    const MARKS: [&str; 2] = ["<!-- settings -->\n", "<!-- end of settings -->"];
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/port/conformance.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(MARKS[0]).expect("the page has the tables");
    let (there, after) = rest.split_once(MARKS[1]).expect("the page has the tables");
    let tables = tables();
    if std::env::var_os("KINESCOPE_WRITE_COVERAGE").is_some() {
        std::fs::write(&path, format!("{before}{}{tables}{}{after}", MARKS[0], MARKS[1])).unwrap();
        return;
    }
    assert!(
        there == tables,
        "The tables in docs/port/conformance.md are out of date. To write them: KINESCOPE_WRITE_COVERAGE=1 cargo test"
    );
}
