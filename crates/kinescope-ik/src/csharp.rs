//! Settings as C# assignments, for users of the component that the solver follows: one line for each value that is not
//! at its default, with the component's public names. The declarations of the settings contain the names
//! ([`Declaration::csharp`]).
//!
//! ```csharp
//! // Kinescope: values not listed here have their defaults.
//! solver.iterations = 3;
//! solver.chain[1].pull = 0.5f; // left arm
//! solver.leftHandEffector.positionWeight = 1f;
//! solver.leftHandEffector.position = new Vector3(-0.4f, 1.2f, 0.5f);
//! ```
//!
//! The component's engine is left-handed, so positions and rotations are [mirrored](Axes::LEFT_HANDED_Y_UP) in both
//! directions. The component uses world space, this crate model space. The two spaces coincide for a character at the
//! world's origin without rotation; a comment in the text states this if there are positions. `solver.chain` lists the
//! body's chain, then the limbs in the order of [`LimbName::ALL`].

use std::any::Any;
use std::fmt::Write;

use glam::{Quat, Vec3};

use crate::error::Fault;
use crate::full_body::{Effector, Settings, Smoothing};
use crate::key::label;
use crate::parameter::{Declaration, Declared};
use crate::rig::{Axes, LimbName};

/// The first line of a complete text: every setting that the text does not name has its default.
const WHOLE: &str = "// Kinescope: values not listed here have their defaults.";
/// The first line of a complete text in earlier versions, which is still read.
const OLD_WHOLE: &str = "// Kinescope: what is not named here is at its default.";
/// The line before assignments that include a position, direction or rotation.
const SPACE: &str = "// Positions and rotations assume a character at the world's origin, without rotation.";
const AXES: Axes = Axes::LEFT_HANDED_Y_UP;

/// A value that both the settings and the component have.
enum Slot<'a> {
    Number(&'a mut f32),
    Count(&'a mut u32),
    Flag(&'a mut bool),
    /// A position or a direction.
    Place(&'a mut Option<Vec3>),
    Offset(&'a mut Vec3),
    Turn(&'a mut Option<Quat>),
    Smoothing(&'a mut Smoothing),
}

/// A slot with its name in the component, and a comment that names limb or effector.
type Named<'a> = (String, String, Slot<'a>);

/// Adds a field if its [declaration](Declaration::csharp) names an equivalent in the component. `with` replaces
/// placeholders in the name, such as `{effector}`.
fn add<'a>(all: &mut Vec<Named<'a>>, declared: &Declaration, field: &'a mut dyn Any, with: &[(&str, &str)]) {
    if let (Some(name), Some(slot)) = (declared.csharp.first(), Slot::of(field)) {
        let line = with.iter().fold((*name).to_owned(), |line, (mark, text)| line.replace(mark, text));
        let (name, comment) = line.split_once(" // ").unwrap_or((&line, ""));
        all.push((name.to_owned(), comment.to_owned(), slot));
    }
}

fn add_all<'a, S: Declared>(all: &mut Vec<Named<'a>>, settings: &'a mut S, with: &[(&str, &str)]) {
    for (declared, field) in S::DECLARATIONS.iter().zip(settings.fields_mut()) {
        add(all, declared, field, with);
    }
}

/// Returns all values that both the settings and the component have, in the order of the declarations.
fn slots(settings: &mut Settings) -> Vec<Named<'_>> {
    let mut all = Vec::new();
    let Settings { solver, pin, chains, effectors } = settings;
    add_all(&mut all, solver, &[]);
    if let Some(declared) = Settings::DECLARATIONS.iter().find(|declared| declared.key == "pin") {
        add(&mut all, declared, pin, &[]);
    }
    for (limb, own) in LimbName::ALL.into_iter().zip(chains) {
        let (mapping, chain) = (limb.index().to_string(), (limb.index() + 1).to_string());
        add_all(&mut all, own, &[("{chain}", &chain), ("{mapping}", &mapping), ("{limb}", limb.label())]);
    }
    for (effector, own) in Effector::ALL.into_iter().zip(effectors) {
        add_all(&mut all, own, &[("{effector}", &camel(effector.key()))]);
    }
    all
}

/// Converts `left_hand` to `leftHand`.
fn camel(key: &str) -> String {
    let mut parts = key.split('_');
    let mut name = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut letters = part.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

impl<'a> Slot<'a> {
    /// Returns a field as a slot; `None` for a type that the component does not have.
    fn of(field: &'a mut dyn Any) -> Option<Self> {
        if field.is::<f32>() {
            field.downcast_mut().map(Self::Number)
        } else if field.is::<u32>() {
            field.downcast_mut().map(Self::Count)
        } else if field.is::<bool>() {
            field.downcast_mut().map(Self::Flag)
        } else if field.is::<Option<Vec3>>() {
            field.downcast_mut().map(Self::Place)
        } else if field.is::<Vec3>() {
            field.downcast_mut().map(Self::Offset)
        } else if field.is::<Option<Quat>>() {
            field.downcast_mut().map(Self::Turn)
        } else {
            field.downcast_mut().map(Self::Smoothing)
        }
    }

    /// Returns the value in C#; `None` for a target or bend goal that is not set, as the component always has one.
    fn value(&self) -> Option<String> {
        let vector = |place: Vec3| {
            let Vec3 { x, y, z } = AXES.position_out(place) + Vec3::ZERO;
            format!("new Vector3({x}f, {y}f, {z}f)")
        };
        Some(match self {
            Self::Number(number) => format!("{number}f"),
            Self::Count(count) => count.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::Place(place) => vector((**place)?),
            Self::Offset(offset) => vector(**offset),
            Self::Turn(turn) => {
                // Adding 0 turns −0 into 0 and changes no other number.
                let [x, y, z, w] = AXES.rotation_out((**turn)?).to_array().map(|number| number + 0.0);
                format!("new Quaternion({x}f, {y}f, {z}f, {w}f)")
            }
            Self::Smoothing(smoothing) => format!("FBIKChain.Smoothing.{smoothing:?}"),
        })
    }

    fn take(&mut self, text: &str) -> Result<(), String> {
        match self {
            Self::Number(number) => **number = float(text)?,
            Self::Count(count) => **count = text.parse().map_err(|_| format!("{text:?} is not a whole number"))?,
            Self::Flag(flag) => **flag = text.parse().map_err(|_| format!("{text:?} is neither true nor false"))?,
            Self::Place(place) => **place = Some(AXES.position_in(vector(text)?)),
            Self::Offset(offset) => **offset = AXES.position_in(vector(text)?),
            Self::Turn(turn) => **turn = Some(AXES.rotation_in(rotation(text)?)),
            Self::Smoothing(smoothing) => {
                let last = text.rsplit('.').next().unwrap_or_default();
                let found = Smoothing::ALL.into_iter().find(|own| format!("{own:?}") == last);
                **smoothing = found.ok_or_else(|| format!("{text:?} is neither None, Exponential nor Cubic"))?;
            }
        }
        Ok(())
    }
}

fn float(text: &str) -> Result<f32, String> {
    let digits = text.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || "+-.eE".contains(c));
    let number = digits.parse::<f32>().ok().filter(|number| is_number && number.is_finite());
    number.ok_or_else(|| format!("{text:?} is not a number, as in 0.5f"))
}

/// Returns the `N` numbers in the parentheses of `new what(…)`; `what` is a type, such as `Vector3`.
fn numbers<const N: usize>(text: &str, what: &str) -> Result<[f32; N], String> {
    let say = || format!("{text:?} is not a new {what}(…) of {N} numbers");
    let inner =
        text.strip_prefix("new").map(str::trim_start).and_then(|text| text.strip_prefix(what)).ok_or_else(say)?;
    let inner = inner.trim().strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).ok_or_else(say)?;
    let mut found = [0.0; N];
    let mut parts = inner.split(',');
    for number in &mut found {
        *number = float(parts.next().ok_or_else(say)?.trim())?;
    }
    if parts.next().is_some() { Err(say()) } else { Ok(found) }
}

fn vector(text: &str) -> Result<Vec3, String> {
    match text {
        "Vector3.zero" => Ok(Vec3::ZERO),
        "Vector3.up" => Ok(Vec3::Y),
        text => numbers::<3>(text, "Vector3").map(Vec3::from_array),
    }
}

fn rotation(text: &str) -> Result<Quat, String> {
    match text {
        "Quaternion.identity" => Ok(Quat::IDENTITY),
        text => numbers::<4>(text, "Quaternion").map(Quat::from_array),
    }
}

/// Returns the settings as C# assignments, without values at their defaults.
pub fn to_csharp(settings: &Settings) -> String {
    let (mut own, mut others) = (*settings, Settings::default());
    let (mut text, mut has_places) = (String::new(), false);
    for ((name, comment, slot), (.., default)) in slots(&mut own).into_iter().zip(slots(&mut others)) {
        let value = slot.value();
        if let Some(value) = value.filter(|value| Some(value) != default.value().as_ref()) {
            let comment = if comment.is_empty() { String::new() } else { format!(" // {comment}") };
            let _ = writeln!(text, "{name} = {value};{comment}");
            has_places |= matches!(slot, Slot::Place(_) | Slot::Offset(_) | Slot::Turn(_));
        }
    }
    for limb in LimbName::ALL.into_iter().filter(|&limb| settings.chain(limb).scale_free_reach) {
        let _ = writeln!(text, "// {}: the component has no reach that is independent of the unit", limb.label());
    }
    for limb in LimbName::ALL.into_iter().filter(|&limb| settings.chain(limb).clamp_smoothing > 0) {
        let _ = writeln!(text, "// {}: the component's bend limit has a clampSmoothing of 0", limb.label());
    }
    let is_pinned = |effector: &Effector| {
        let own = settings.effector(*effector);
        (own.position.is_none() && own.position_weight > 0.0) || (own.rotation.is_none() && own.rotation_weight > 0.0)
    };
    for effector in Effector::ALL.into_iter().filter(is_pinned) {
        let _ = writeln!(
            text,
            "// {}: its target is its own bone in the animated pose; set this target in every frame",
            label(effector.key())
        );
    }
    let space = if has_places { format!("{SPACE}\n") } else { String::new() };
    format!("{WHOLE}\n{space}{text}")
}

fn is_whole(line: &str) -> bool {
    [WHOLE, OLD_WHOLE].contains(&line.trim())
}

/// Returns true if a text looks like C# assignments rather than JSON.
pub fn is_csharp(text: &str) -> bool {
    let is_one = |line: &str| is_whole(line) || (line.contains("solver.") && line.contains('='));
    !text.trim_start().starts_with('{') && text.lines().any(is_one)
}

/// Returns the text without comments; line breaks are kept.
fn without_comments(text: &str) -> Result<String, Fault> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('/') {
        let is_line = match rest.as_bytes().get(at + 1) {
            Some(b'/') => true,
            Some(b'*') => false,
            _ => {
                out += &rest[..=at];
                rest = &rest[at + 1..];
                continue;
            }
        };
        out += &rest[..at];
        let end = match is_line {
            true => Some(rest[at..].find('\n').unwrap_or(rest.len() - at)),
            // The `*` of `/*` does not count for `*/`.
            false => rest[at + 2..].find("*/").map(|end| end + 4),
        };
        let end = end.ok_or_else(|| {
            let line = text[..text.len() - rest.len() + at].matches('\n').count() + 1;
            Fault::new(format!("line {line}"), "begins a comment that does not end")
        })?;
        let comment = &rest[at..at + end];
        out.extend(comment.chars().filter(|letter| *letter == '\n'));
        out.push(' ');
        rest = &rest[at + end..];
    }
    out += rest;
    Ok(out)
}

/// Changes settings by C# assignments. If the text is [complete](to_csharp), all other settings become their defaults;
/// otherwise they are kept.
///
/// Anything before `solver.` in a name, comments and empty lines are ignored. `solver.leftArmChain` means
/// `solver.chain[1]`, `solver.leftArmMapping` means `solver.limbMappings[0]`, and likewise for the other limbs.
///
/// # Errors
/// [`Fault`] with the line, for a statement that is not an assignment, a name that the component does not have, a value
/// that is invalid or out of range, or a comment that does not end. Nothing is changed in that case.
pub fn from_csharp(text: &str, settings: &mut Settings) -> Result<(), Fault> {
    let mut changed = if text.lines().any(is_whole) { Settings::default() } else { *settings };
    for (index, line) in without_comments(text)?.lines().enumerate() {
        for statement in line.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
            let fault = |message: String| Fault::new(format!("line {}", index + 1), message);
            let (name, value) = statement
                .split_once('=')
                .ok_or_else(|| fault(format!("{statement:?} is not an assignment, `name = value;`")))?;
            let name = plain(name.trim());
            let found = slots(&mut changed).into_iter().find(|(own, ..)| *own == name);
            let (.., mut slot) =
                found.ok_or_else(|| fault(format!("{name:?} does not exist in Kinescope's solver")))?;
            slot.take(value.trim()).map_err(|message| fault(format!("{name}: {message}")))?;
            changed.validate().map_err(|refused| fault(refused.to_string()))?;
        }
    }
    *settings = changed;
    Ok(())
}

/// Returns the part of a C# name from `solver.` on, with each limb's name replaced by its number: `solver.chain[1].pull`.
fn plain(name: &str) -> String {
    let name = name.find("solver.").map_or(name, |from| &name[from..]);
    for limb in LimbName::ALL {
        let own = camel(&limb.label().replace(' ', "_"));
        for (named, numbered) in [
            (format!("solver.{own}Chain."), format!("solver.chain[{}].", limb.index() + 1)),
            (format!("solver.{own}Mapping."), format!("solver.limbMappings[{}].", limb.index())),
        ] {
            if let Some(rest) = name.strip_prefix(&named) {
                return numbered + rest;
            }
        }
    }
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::full_body::{ChainSettings, EffectorSettings, SolverSettings};
    use crate::parameter::settings;

    #[test]
    fn a_value_off_its_default_is_one_line_by_the_components_name() {
        let mut settings = Settings::default();
        assert_eq!(to_csharp(&settings).lines().count(), 1);
        settings.solver.fabrik_pass = false;
        settings.pin = 0.25;
        settings.chain_mut(LimbName::LeftArm).pull = 0.5;
        settings.chain_mut(LimbName::RightLeg).reach_smoothing = Smoothing::Cubic;
        settings.chain_mut(LimbName::RightLeg).bend_goal = Some(Vec3::new(0.5, 0.25, -1.0));
        settings.chain_mut(LimbName::LeftLeg).maintain_rotation = 1.0;
        let hand = settings.effector_mut(Effector::LeftHand);
        (hand.position, hand.position_weight) = (Some(Vec3::new(0.4, 1.2, 0.5)), 1.0);
        hand.rotation = Some(Quat::from_xyzw(0.5, 0.5, 0.5, 0.5));
        let expected = "\
solver.FABRIKPass = false;
solver.chain[0].pin = 0.25f; // body
solver.chain[1].pull = 0.5f; // left arm
solver.limbMappings[2].maintainRotationWeight = 1f; // left leg
solver.chain[4].reachSmoothing = FBIKChain.Smoothing.Cubic; // right leg
solver.chain[4].bendConstraint.bendGoal.position = new Vector3(-0.5f, 0.25f, -1f); // right leg
solver.leftHandEffector.position = new Vector3(-0.4f, 1.2f, 0.5f);
solver.leftHandEffector.rotation = new Quaternion(0.5f, -0.5f, -0.5f, 0.5f);
solver.leftHandEffector.positionWeight = 1f;
";
        let text = to_csharp(&settings);
        assert_eq!(text, format!("{WHOLE}\n{SPACE}\n{expected}"));
        let mut back = Settings { pin: 0.9, ..Settings::default() };
        from_csharp(&text, &mut back).unwrap();
        assert_eq!(back, settings);
    }

    #[test]
    fn every_declared_name_has_a_slot() {
        let named = |table: &[Declaration]| table.iter().filter(|own| !own.csharp.is_empty()).count();
        let (solver, chain) = (named(SolverSettings::DECLARATIONS), named(ChainSettings::DECLARATIONS));
        let (effector, own) = (named(EffectorSettings::DECLARATIONS), named(Settings::DECLARATIONS));
        assert_eq!((solver, chain, effector, own), (9, 11, 6, 1));
        assert_eq!(slots(&mut Settings::default()).len(), solver + own + 4 * chain + Effector::COUNT * effector);
        settings! {
            /// A table with a setting that the solver does not have.
            pub struct Table {
                /// How springy it is.
                spring: f32 = 0.5, from 0 to 1 in Share,
                    too little: "Stiff.",
                    too much: "Soft.",
                    csharp: "solver.{effector}Effector.spring // new";
                /// A setting that the component does not have.
                hidden: bool = false;
            }
        }
        let (mut table, mut all) = (Table::default(), Vec::new());
        add_all(&mut all, &mut table, &[("{effector}", "leftHand")]);
        let lines: Vec<_> = all.iter().map(|(name, whose, slot)| (&**name, &**whose, slot.value().unwrap())).collect();
        assert_eq!(lines, [("solver.leftHandEffector.spring", "new", "0.5f".to_owned())]);
    }

    #[test]
    fn a_partial_text_changes_only_the_values_it_names() {
        let mut settings = Settings { pin: 0.9, ..Settings::default() };
        let text = "    ik.solver.leftArmChain.pull = .5f; ik.solver.iterations = 2; // both\n\nsolver.leftHandEffector.positionOffset = Vector3.zero;";
        from_csharp(text, &mut settings).unwrap();
        assert_eq!((settings.pin, settings.chains[0].pull, settings.solver.iterations), (0.9, 0.5, 2));
    }

    #[test]
    fn comments_are_ignored() {
        let text = "/* solver.iterations = 7; // was\n*/ solver.chain[1].pull = 0.5f; /**/ // solver.pin = 1f;\n/*/ solver.pin = 1f; /*/";
        let mut settings = Settings::default();
        from_csharp(text, &mut settings).unwrap();
        let mut expected = Settings::default();
        expected.chains[0].pull = 0.5;
        assert_eq!(settings, expected);
    }

    #[test]
    fn defaults_are_restored_and_a_pin_is_reported() {
        let mut settings = Settings::default();
        let text = to_csharp(&Settings::default());
        // Earlier versions wrote another first line.
        for text in [text.as_str(), OLD_WHOLE] {
            settings.pin = 0.5;
            assert!(is_csharp(text));
            from_csharp(text, &mut settings).unwrap();
            assert_eq!(settings, Settings::default());
        }
        settings.effector_mut(Effector::LeftFoot).position_weight = 1.0;
        assert!(to_csharp(&settings).contains("\n// left foot: its target is its own bone"));
        settings.chain_mut(LimbName::RightArm).clamp_smoothing = 2;
        assert!(to_csharp(&settings).contains("\n// right arm: the component's bend limit"));
    }

    #[test]
    fn errors_name_the_line_and_change_nothing() {
        for (text, says) in [
            ("solver.iterations = 3;\nsolver.chain[9].pull = 1f;", "line 2: \"solver.chain[9].pull\" does not exist"),
            ("solver.iterations = many;", "line 1: solver.iterations: \"many\" is not a whole number"),
            ("solver.chain[1].pull = 2f;", "line 1: chains.left_arm.pull"),
            ("solver.chain[1].pull = NaN;", "is not a number"),
            ("solver.chain[1].pull = infinityf;", "is not a number"),
            ("solver.FABRIKPass = 1;", "neither true nor false"),
            ("solver.leftHandEffector.position = new Vector3(1f, 2f);", "is not a new Vector3(…) of 3 numbers"),
            ("solver.Update();", "is not an assignment"),
            ("solver.pin = 1f;\n/* solver.iterations = 2;", "line 2: begins a comment that does not end"),
            ("/* one\ntwo */ solver.iterations = many;", "line 2: solver.iterations"),
            ("solver.chain[1].pushSmoothing = Smoothing.Often;", "neither None, Exponential nor Cubic"),
        ] {
            let mut settings = Settings::default();
            let error = from_csharp(text, &mut settings).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
            assert_eq!(settings, Settings::default());
        }
    }
}
