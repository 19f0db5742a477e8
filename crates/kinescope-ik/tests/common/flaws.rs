//! Checks that the tests of formulas share.

use std::collections::BTreeSet;

use kinescope_ik::notation::{Sheet, Value, names_in};

use super::evaluate::text_errors;

/// Returns the errors of a formula. No line may have more than `widest` characters.
pub fn flaws(formula: &Sheet, widest: usize) -> Vec<String> {
    let mut found = text_errors(formula);
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
    let values: Vec<String> = formula.symbols.iter().map(|symbol| symbol.value()).collect();
    for text in formula.lines.iter().map(|line| &line.numeric).chain(&values) {
        if ["NaN", "inf", "too large", "-", "· −", "− −", "+ −"].iter().any(|wrong| text.contains(wrong)) {
            found.push(format!("not a number: {text}"));
        }
    }
    for symbol in &formula.symbols {
        if !symbol.meaning.ends_with('.') {
            found.push(format!("not a sentence: {}: {}", symbol.name, symbol.meaning));
        }
    }
    if !(1..=9).contains(&formula.lines.len()) {
        found.push(format!("{} lines", formula.lines.len()));
    }
    let last: Vec<Value> = formula.lines.iter().rev().take(2).map(|line| line.value).collect();
    let is_result = match (formula.result, last.as_slice()) {
        (Value::Bone(bone), &[rotation, place]) => {
            [place, rotation] == [Value::Point(bone.position), Value::Orientation(bone.rotation)]
        }
        (result, last) => last.first() == Some(&result),
    };
    if !is_result {
        found.push("the last line is not the result".to_owned());
    }
    found
}
