//! Output for a terminal, which a page does not have.

use std::borrow::Cow;

use super::is_command;

/// Escapes output for a terminal, because names from files and games must not move the cursor. Characters that a
/// terminal would act on, except line feeds, become escapes such as `\u001b`, which JSON parsers read as the same
/// character.
pub(crate) fn for_terminal(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c != '\n' && is_command(c)) {
        return Cow::Borrowed(text);
    }
    let escaped = |c: char| match c {
        '\n' => c.to_string(),
        c if is_command(c) => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    Cow::Owned(text.chars().map(escaped).collect())
}

/// Escapes line feeds as well, for a text that must stay on one line, such as a name or a message with a name in it.
pub(crate) fn within_line(text: &str) -> Cow<'_, str> {
    match text.contains('\n') {
        true => Cow::Owned(for_terminal(&text.replace('\n', "\\n")).into_owned()),
        false => for_terminal(text),
    }
}
