//! Reads C# code: assignments to the component's parameters, wherever they stand in it.

use super::expression::shortened;
use super::slots::{camel, slots};
use super::statements::{Statement, statements};
use super::write::{GOAL, WHOLE};
use crate::error::Fault;
use crate::full_body::Settings;
use crate::rig::LimbName;

/// The first line of a complete text in earlier versions, which is still read.
pub const OLD_WHOLE: &str = "// Kinescope: what is not named here is at its default.";

fn is_whole(line: &str) -> bool {
    [WHOLE, OLD_WHOLE].contains(&line.trim())
}

/// Returns true if a text looks like C# assignments rather than JSON.
pub fn is_csharp(text: &str) -> bool {
    let is_one = |line: &str| is_whole(line) || (line.contains("solver.") && line.contains('='));
    !text.trim_start().starts_with('{') && text.lines().any(is_one)
}

/// Changes settings by the assignments in C# code, such as a script of a game. If the text has the first line that
/// [`to_csharp`](super::to_csharp) writes, or wrote in earlier versions, all other settings become their defaults;
/// otherwise they are kept.
///
/// Values may be constant expressions: `Vector3.up * 1.2f`, `Quaternion.Euler(0, 90, 0)`. Ignored are anything before
/// `solver.` in a name, comments, preprocessor lines, attributes, `using`, `return`, `break` and `continue`,
/// declarations without a value, a variable for the solver, the headers of namespaces, classes and methods, and the
/// objects of bend goals that exported code creates. `solver.leftArmChain` means `solver.chain[1]`,
/// `solver.leftArmMapping` means `solver.limbMappings[0]`, and likewise for the other limbs; `target.position` of an
/// effector means its position.
///
/// Returns a [`Fault`] with the line for each other part, which is skipped: other statements, conditions and loops
/// (assignments in their blocks are read), assignments to names that the solver lacks, and values that are not constant
/// or out of range.
///
/// # Errors
/// [`Fault`] if no assignment could be read and the text lacks that first line: for the first statement that was
/// skipped, or for the whole text if it has none. Nothing is changed in that case.
pub fn from_csharp(text: &str, settings: &mut Settings) -> Result<Vec<Fault>, Fault> {
    let is_complete = text.lines().any(is_whole);
    let mut changed = if is_complete { Settings::default() } else { *settings };
    let (mut has_read, mut skipped) = (is_complete, Vec::new());
    let (all, open_comment) = statements(text);
    for statement in &all {
        match read(statement, &changed) {
            Ok(Some(next)) => (changed, has_read) = (next, true),
            Ok(None) => {}
            Err(message) => skipped.push(Fault::new(format!("line {}", statement.line), message)),
        }
    }
    if let Some(line) = open_comment {
        skipped.push(Fault::new(format!("line {line}"), "begins a comment that does not end; add */"));
    }
    if !has_read {
        let first = skipped.into_iter().next();
        return Err(first.unwrap_or_else(|| {
            Fault::new(
                "",
                "the code contains no assignment to a parameter of the solver, such as solver.iterations = 4;",
            )
        }));
    }
    *settings = changed;
    Ok(skipped)
}

/// Returns the settings after a statement; `None` for code around assignments.
fn read(statement: &Statement, settings: &Settings) -> Result<Option<Settings>, String> {
    let text = without_attributes(&statement.text);
    let is_keyword = |keyword: &str| {
        let rest = text.strip_prefix(keyword);
        rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
    };
    if creates_goal(text)
        || ["using", "namespace", "return", "get", "set", "break", "continue"].into_iter().any(is_keyword)
    {
        return Ok(None);
    }
    if ["if", "else", "for", "foreach", "while", "switch", "do", "try", "catch"].into_iter().any(is_keyword) {
        return Err(match statement.opens_block {
            true => format!("{:?} is not evaluated; assignments in its block are read", shortened(text)),
            false => format!("{:?} is not evaluated; nothing in it is read", shortened(text)),
        });
    }
    let Some((name, value)) = assignment(text) else {
        // Headers of classes, methods and properties, and declarations such as `public Transform target`.
        let is_declaration = text.split_whitespace().count() > 1 && !text.contains(['(', '=', '+', '-']);
        if statement.opens_block || is_declaration {
            return Ok(None);
        }
        return Err(format!("{:?} is not an assignment, `name = value;`", shortened(text)));
    };
    // `var solver = ik.solver`
    if value.ends_with("solver") && !name.contains("solver.") {
        return Ok(None);
    }
    let name = plain(name);
    let mut changed = *settings;
    let found = slots(&mut changed).into_iter().find(|(own, ..)| *own == name);
    let (.., mut slot) = found.ok_or_else(|| format!("{:?} does not exist in Kinescope's solver", shortened(&name)))?;
    slot.take(value).map_err(|message| format!("{name}: {message}"))?;
    changed.validate().map_err(|refused| refused.to_string())?;
    Ok(Some(changed))
}

fn without_attributes(text: &str) -> &str {
    let mut rest = text.trim();
    while let Some((_, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        rest = after.trim_start();
    }
    rest
}

fn creates_goal(text: &str) -> bool {
    text.split_once(" = new GameObject(")
        .is_some_and(|(name, rest)| name.ends_with(GOAL) && rest.ends_with(").transform"))
}

/// Splits an assignment; `None` for comparisons, `+=`, lambdas, statements without `=`, and calls.
fn assignment(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once('=')?;
    let is_operator = name.ends_with(['=', '!', '<', '>', '+', '-', '*', '/', '%', '&', '|', '^', '?']);
    let is_plain = !is_operator && !value.starts_with(['=', '>']) && !name.contains(['(', '"']);
    is_plain.then(|| (name.trim(), value.trim()))
}

/// Returns the part of a C# name from `solver.` on, without `target.` after an effector, and with each limb's name
/// replaced by its number: `solver.chain[1].pull`.
fn plain(name: &str) -> String {
    let name = name.find("solver.").map_or(name, |from| &name[from..]);
    let name = name.replace("Effector.target.", "Effector.");
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
    name
}
