//! What tests of both kinds of formulas ask of one.

use std::collections::BTreeSet;

use kinescope::debugger::formula::{Formula, Value, names_in};

/// What is wrong with a formula, its place aside.
pub fn flaws(formula: &Formula, widest: usize) -> Vec<String> {
    let mut found = Vec::new();
    let explained: BTreeSet<&str> = formula.symbols.iter().map(|symbol| symbol.name).collect();
    if explained.len() != formula.symbols.len() {
        found.push("a symbol is explained twice".to_owned());
    }
    for line in &formula.lines {
        for name in names_in(&line.symbolic).filter(|&name| !explained.contains(name)) {
            found.push(format!("{name} is not explained"));
        }
        for text in [&line.symbolic, &line.numeric] {
            let width = text.chars().count();
            if text.trim_matches(['=', ' ']).is_empty() || width > widest {
                found.push(format!("{width} wide: {text}"));
            }
        }
    }
    let values = formula.symbols.iter().map(|symbol| &symbol.value);
    for text in formula.lines.iter().map(|line| &line.numeric).chain(values) {
        if ["NaN", "inf", "too large", "-", "· −", "− −", "+ −"].iter().any(|wrong| text.contains(wrong)) {
            found.push(format!("no number: {text}"));
        }
    }
    for symbol in &formula.symbols {
        if !symbol.meaning.ends_with('.') {
            found.push(format!("no sentence: {}: {}", symbol.name, symbol.meaning));
        }
    }
    if !(1..=9).contains(&formula.lines.len()) {
        found.push(format!("{} lines", formula.lines.len()));
    }
    if formula.lines.last().map(|line| line.value) != Some(Value::Point(formula.result)) {
        found.push("the last line is not the result".to_owned());
    }
    found
}
