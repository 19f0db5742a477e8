//! The messages of the JSON parser in plain words. The parser's own messages name types of this program, such as `f32`
//! or `struct FileLine`, which people who write files do not know.

const LONGEST_QUOTE: usize = 60;

/// Returns the parser's message in plain words, and the field that the message says is missing.
pub(super) fn in_plain_words(message: &str) -> (Option<&str>, String) {
    let two = |text: &str, before: &str| {
        let (found, expected) = text.strip_prefix(before)?.split_once(", expected ")?;
        Some((found.to_owned(), expected.to_owned()))
    };
    if let Some(field) = message.strip_prefix("missing field ") {
        return (Some(field.trim_matches('`')), "is missing".to_owned());
    }
    let kinds = ["invalid type: ", "invalid value: "];
    if let Some((found, wanted)) = kinds.iter().find_map(|kind| two(message, kind)) {
        return (None, format!("is {}; expected {}", of_found(&found), of_expected(&wanted)));
    }
    if let Some((count, wanted)) = two(message, "invalid length ") {
        return (None, format!("has {}; expected {}", entries(&count), of_expected(&wanted)));
    }
    if let Some((found, names)) = two(message, "unknown variant ") {
        return (None, format!("is {:?}; expected {}", quote(found.trim_matches('`')), names.replace('`', "")));
    }
    if let Some(field) = message.strip_prefix("unknown field ") {
        let (field, names) = field.split_once(", ").unwrap_or((field, ""));
        let names =
            names.trim_start_matches("expected ").trim_start_matches("one of ").replace('`', "").replace(" or ", ", ");
        let known = if names.starts_with("there are no") { names } else { format!("the fields here are {names}") };
        return (None, format!("unknown field {:?}; {known}", quote(field.trim_matches('`'))));
    }
    (None, of_syntax(message).unwrap_or(message).to_owned())
}

/// Returns the error in the JSON itself in plain words, with a cure; `None` for any other message.
fn of_syntax(message: &str) -> Option<&'static str> {
    Some(match message {
        "EOF while parsing a value" => "the text ends where a value is expected; add the value",
        "EOF while parsing an object" => "the text ends within an object; add the missing fields and the closing brace",
        "EOF while parsing a list" => "the text ends within a list; add the missing entries and the closing bracket",
        "EOF while parsing a string" => "the text ends within quotes; add the closing quote",
        "expected value" | "expected ident" => {
            "a JSON value is expected here; write a number, text in quotes, true, false, null, a list or an object"
        }
        "expected `:`" => "a colon is expected here; write it between the name and the value of a field",
        "expected `,` or `]`" => "a list goes on without a comma; add the comma or the closing bracket",
        "expected `,` or `}`" => "an object goes on without a comma; add the comma or the closing brace",
        "key must be a string" => "the name of a field must be in quotes; add the quotes",
        "trailing characters" => "more text follows the end; remove it",
        "trailing comma" => "no entry follows the comma; remove the comma",
        "invalid number" => "is not a number in JSON; write it as 12, -0.5 or 1e-3",
        "number out of range" => "the number is too large; write one between -3.4e38 and 3.4e38",
        "invalid escape" => "a text in quotes has an unknown code after \\; write \\\\ for the character \\ itself",
        "invalid unicode code point" | "lone leading surrogate in hex escape" | "unexpected end of hex escape" => {
            "the code after \\u is no character; write the character itself"
        }
        "recursion limit exceeded" => {
            "lists and objects are nested too deeply; use at most 127 levels, one within the other"
        }
        _ if message.starts_with("data did not match any variant") => {
            "has none of the forms that are allowed here; use one that the page of the file format shows"
        }
        _ if message.starts_with("control character") => {
            "a text in quotes has a control character; write it as \\u and its code"
        }
        _ => return None,
    })
}

fn quote(text: &str) -> String {
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn entries(count: &str) -> String {
    format!("{count} {}", if count == "1" { "entry" } else { "entries" })
}

fn of_found(found: &str) -> String {
    let value = found.split_once('`').and_then(|(_, value)| value.strip_suffix('`'));
    match found {
        "sequence" => "a list".to_owned(),
        "map" => "an object".to_owned(),
        "null" | "unit value" | "Option value" => "null".to_owned(),
        _ => match (found.strip_prefix("string "), value) {
            (Some(text), _) => format!("the text {}", quote(text)),
            (None, Some(value)) => quote(value),
            (None, None) => quote(found),
        },
    }
}

fn of_expected(expected: &str) -> String {
    let word = |index: usize| expected.split(' ').nth(index).unwrap_or_default();
    let words = match expected {
        "f32" | "f64" => "a number",
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number, 0 or more",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "a boolean" => "true or false",
        "a string" | "string" | "str" | "string or map" | "variant identifier" | "field identifier" => "text",
        "a sequence" | "sequence" => "a list",
        "a map" | "map" => "an object",
        _ => match (word(0), word(1)) {
            ("struct", _) => "an object",
            ("enum", _) => "text",
            ("an", "array") => return format!("a list of {}", entries(word(4))),
            ("a", "tuple") => return format!("a list of {}", entries(word(4))),
            ("tuple", "struct") => return format!("a list of {}", entries(word(4))),
            ("a", "sequence") => return format!("a list of {} numbers", word(3)),
            _ => expected,
        },
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use glam::{Quat, Vec3};
    use serde::Deserialize;

    use crate::error::Fault;
    use crate::json::read_json;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct File {
        number: f32,
        #[serde(default)]
        count: usize,
        #[serde(default)]
        whole: i64,
        #[serde(default)]
        text: String,
        #[serde(default)]
        is_on: bool,
        #[serde(default)]
        list: Vec<f32>,
        #[serde(default)]
        place: Option<Vec3>,
        #[serde(default)]
        turn: Option<Quat>,
        #[serde(default)]
        four: [u8; 4],
        #[serde(default)]
        inner: Option<Inner>,
        #[serde(default)]
        kind: Option<Kind>,
        #[serde(default)]
        any: Option<Any>,
        #[serde(default)]
        named: BTreeMap<usize, f32>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Inner {
        weight: f32,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        First,
        Second,
    }

    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    #[allow(dead_code)]
    enum Any {
        One(f32),
        Many(Vec<f32>),
    }

    fn fault(text: &str) -> Fault {
        read_json::<File>(text).unwrap_err()
    }

    #[test]
    fn messages_name_no_types_of_the_program() {
        let nested = format!(r#"{{"number":1,"any":{}"#, "[".repeat(300));
        let long = format!(r#"{{"number":"{}"}}"#, "x".repeat(5000));
        for (text, place, says) in [
            ("[]", "line 1", "is a list; expected an object"),
            ("3", "line 1", "is 3; expected an object"),
            ("", "line 1", "the text ends where a value is expected; add the value"),
            ("{", "line 1", "the text ends within an object; add "),
            (r#"{"number":1,"list":[1"#, "list", "the text ends within a list; add "),
            (r#"{"number":1,"text":"a"#, "text", "the text ends within quotes; add "),
            (r#"{"number":1} 2"#, "line 1", "more text follows the end; remove it"),
            (r#"{"number":NaN}"#, "number", "a JSON value is expected here; write "),
            (r#"{"number" 1}"#, "line 1", "a colon is expected here; write "),
            (r#"{"number":1 "count":1}"#, "line 1", "an object goes on without a comma; add "),
            (r#"{"number":1,"list":[1 2]}"#, "list", "a list goes on without a comma; add "),
            (r#"{"number":1,}"#, "line 1", "no entry follows the comma; remove "),
            (r#"{number:1}"#, "line 1", "the name of a field must be in quotes; add "),
            (r#"{"number":-}"#, "number", "is not a number in JSON; write "),
            (r#"{"number":1,"text":"a\d"}"#, "text", r"write \\ for"),
            (r#"{"number":1,"text":"\ud800"}"#, "text", "is no character; write "),
            (r#"{"number":1,"text":"\udc00"}"#, "text", "is no character; write "),
            (nested.as_str(), "any", "nested too deeply; use at most 127 levels"),
            (r#"{"number":1e999}"#, "number", "the number is too large; write "),
            (r#"{}"#, "number", "is missing"),
            (r#"{"number":1,"inner":{}}"#, "inner.weight", "is missing"),
            (r#"{"number":1,"inner":{"wait":1}}"#, "inner.wait", "unknown field \"wait\"; the fields here are weight"),
            (r#"{"number":1,"inner":null,"four":[1,2]}"#, "four", "has 2 entries; expected a list of 4 entries"),
            (r#"{"number":1,"four":[1,2,3,4,5]}"#, "four", "has too many entries"),
            (r#"{"number":"x"}"#, "number", "is the text \"x\"; expected a number"),
            (r#"{"number":true}"#, "number", "is true; expected a number"),
            (r#"{"number":null}"#, "number", "is null; expected a number"),
            (r#"{"number":1,"count":-1}"#, "count", "is -1; expected a whole number, 0 or more"),
            (r#"{"number":1,"count":1.5}"#, "count", "is 1.5; expected a whole number, 0 or more"),
            (r#"{"number":1,"whole":"1"}"#, "whole", "is the text \"1\"; expected a whole number"),
            (r#"{"number":1,"text":[]}"#, "text", "is a list; expected text"),
            (r#"{"number":1,"is_on":0}"#, "is_on", "is 0; expected true or false"),
            (r#"{"number":1,"list":{}}"#, "list", "is an object; expected a list"),
            (r#"{"number":1,"list":[1,{}]}"#, "list[1]", "is an object; expected a number"),
            (r#"{"number":1,"place":[1,2]}"#, "place", "has 2 entries; expected a list of 3 numbers"),
            (r#"{"number":1,"place":[1,2,3,4]}"#, "place", "has too many entries"),
            (r#"{"number":1,"turn":[1]}"#, "turn", "has 1 entry; expected a list of 4 numbers"),
            (r#"{"number":1,"inner":3}"#, "inner", "is 3; expected an object"),
            (r#"{"number":1,"inner":[1]}"#, "inner", "is a list; expected an object"),
            ("[1]", "line 1", "is a list; expected an object"),
            (r#"{"number":1,"kind":"third"}"#, "kind", "is \"third\"; expected first or second"),
            (r#"{"number":1,"kind":3}"#, "kind", "expected"),
            (r#"{"number":1,"any":"x"}"#, "any", "has none of the forms that are allowed here; use "),
            (r#"{"number":1,"named":[]}"#, "named", "is a list; expected an object"),
            (long.as_str(), "number", "…"),
        ] {
            let fault = fault(text);
            let message = fault.problem.to_string();
            assert!(fault.place.starts_with(place) && message.contains(says), "{text}: {fault}");
            let names =
                ["struct", "enum", "f32", "f64", "usize", "u64", "i64", "u8", "variant", "sequence", "EOF", "`"];
            assert!(names.iter().all(|name| !message.contains(name)), "{text}: {message}");
            assert!(message.len() < 200, "{message}");
        }
    }
}
