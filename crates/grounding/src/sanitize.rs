//! Untrusted text in prompts.

/// Sanitizes text so that it cannot end its passage or begin another turn.
#[must_use]
pub fn sanitize(text: &str) -> String {
    text.replace("<|", "< |")
        .replace("|>", "| >")
        .replace("</passage", "< /passage")
        .replace("<passage", "< passage")
        .replace('"', "'")
}

/// Estimates the number of tokens of a text.
#[must_use]
pub fn estimate_tokens(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let other = text.chars().filter(|c| !c.is_ascii()).count();
    ascii / 4 + other * 4 / 5 + 1
}
