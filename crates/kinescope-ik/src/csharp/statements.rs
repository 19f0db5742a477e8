//! Splits C# code into statements and the headers of blocks, without comments.

/// A part of the code up to `;`, `{` or `}`. The header of a `for` keeps its `;`.
#[derive(Debug, PartialEq)]
pub struct Statement {
    /// The number of its first line, from 1.
    pub line: usize,
    pub text: String,
    /// True for the header of a block: `if (x)` before `{`.
    pub opens_block: bool,
}

/// Returns all statements, and the line of a comment that does not end.
pub fn statements(code: &str) -> (Vec<Statement>, Option<usize>) {
    let (mut all, mut text, mut begins, mut line) = (Vec::new(), String::new(), 1, 1);
    let mut rest = code;
    let mut is_line_start = true;
    // The open parentheses of the statement; true for that of `for (`.
    let mut open: Vec<bool> = Vec::new();
    while let Some(letter) = rest.chars().next() {
        // The length of the next unit: a comment, a text in quotes, a preprocessor line or a letter.
        let after_line = || rest.find('\n').unwrap_or(rest.len());
        let (length, is_code) = if rest.starts_with("//") || (is_line_start && letter == '#') {
            (after_line(), false)
        } else if let Some(comment) = rest.strip_prefix("/*") {
            // The `*` of `/*` does not count for `*/`.
            match comment.find("*/") {
                Some(end) => (end + 4, false),
                None => return (all, Some(line)),
            }
        } else if rest.starts_with("@\"") {
            (verbatim(rest), true)
        } else if letter == '"' || letter == '\'' {
            (literal(rest, letter), true)
        } else {
            (letter.len_utf8(), true)
        };
        let unit = &rest[..length];
        rest = &rest[length..];
        is_line_start = letter == '\n' || (is_line_start && letter.is_whitespace());
        if !is_code {
            text.push(' ');
        } else if matches!(unit, "{" | "}") || (unit == ";" && open.last() != Some(&true)) {
            open.clear();
            let own = std::mem::take(&mut text);
            if !own.trim().is_empty() {
                all.push(Statement { line: begins, text: own.trim().to_owned(), opens_block: unit == "{" });
            }
        } else {
            if text.trim().is_empty() {
                begins = line;
            }
            if unit == "(" {
                open.push(ends_with_for(&text));
            } else if unit == ")" {
                open.pop();
            }
            text += unit;
        }
        line += unit.matches('\n').count();
    }
    if !text.trim().is_empty() {
        all.push(Statement { line: begins, text: text.trim().to_owned(), opens_block: false });
    }
    (all, None)
}

fn ends_with_for(text: &str) -> bool {
    let before = text.trim_end().strip_suffix("for");
    before
        .is_some_and(|before| !before.ends_with(|last: char| last.is_alphanumeric() || matches!(last, '_' | '.' | '@')))
}

/// Returns the length of a text or character in quotes; it ends at the end of the line at the latest.
fn literal(code: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in code.char_indices().skip(1) {
        match letter {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if letter == quote => return at + 1,
            _ => {}
        }
    }
    code.len()
}

/// Returns the length of a text `@"…"`, in which two quotes stand for one.
fn verbatim(code: &str) -> usize {
    let mut at = 2;
    while let Some(end) = code[at..].find('"') {
        at += end + 1;
        if !code[at..].starts_with('"') {
            return at;
        }
        at += 1;
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_have_their_first_line() {
        let code = "using A;\n#if UNITY_EDITOR; {\nclass B // ; {\n{\n  /* } ;\n */ a =\n 1;\n  b(\";{\\\"\", ';', @\"\n\"\"};\");\n}\nlast";
        let (found, open) = statements(code);
        let found: Vec<_> = found.iter().map(|own| (own.line, own.text.as_str(), own.opens_block)).collect();
        let expected = [
            (1, "using A", false),
            (3, "class B", true),
            (6, "a =\n 1", false),
            (8, "b(\";{\\\"\", ';', @\"\n\"\"};\")", false),
            (11, "last", false),
        ];
        assert_eq!((&found[..], open), (&expected[..], None));
        assert_eq!(statements("a;\n/* b;\n").1, Some(2));
        assert_eq!(statements("/*/ a; /*/").0, []);
        assert_eq!(statements("a = \"b;\nc; d;").0.len(), 2);
        let found =
            |code: &str| statements(code).0.into_iter().map(|own| (own.text, own.opens_block)).collect::<Vec<_>>();
        let header = "for (int i = f(0); i < 3; i++)".to_owned();
        let block = format!("{header} {{ b; }} c(for_(1); d;");
        let expected = [(header, true), ("b".into(), false), ("c(for_(1)".into(), false), ("d".into(), false)];
        assert_eq!(found(&block), expected);
        assert_eq!(found("for (;;) a; b;"), [("for (;;) a".into(), false), ("b".into(), false)]);
    }
}
