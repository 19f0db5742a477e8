/// Formats a number with at most four significant digits and seven decimals. From 1000 on it is a whole number with
/// all its digits. Formats `0.099999994` as `0.1`.
pub(crate) fn decimals(value: f32) -> String {
    let digits = (3 - value.abs().max(1e-6).log10().floor() as i32).clamp(0, 7) as usize;
    let text = format!("{value:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    unsigned_zero(text.to_owned())
}

/// Removes the sign of a number rounded to 0, so that `-0.000` becomes `0.000`.
pub(crate) fn unsigned_zero(text: String) -> String {
    match text.strip_prefix('-') {
        Some(rest) if !rest.contains(|digit| matches!(digit, '1'..='9')) => rest.to_owned(),
        Some(_) | None => text,
    }
}

/// Returns the text of a number with its sign: `+1.2 mm`, `−1.2 mm`. A number that the text rounds to 0 has no sign.
pub fn signed(value: f32, text: &str) -> String {
    let size = text.trim_start_matches(['-', '−']);
    let is_zero = value.is_finite() && !size.contains(|digit| matches!(digit, '1'..='9'));
    let sign = match value {
        _ if is_zero => "",
        0.0.. => "+",
        ..0.0 => "−",
        _ => "",
    };
    format!("{sign}{size}")
}

/// Formats a count: `1 move`, `2 moves`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
