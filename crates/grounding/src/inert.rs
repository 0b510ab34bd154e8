//! Text of strangers on its way into a prompt.

/// Text that cannot end its passage or begin another turn.
#[must_use]
pub fn inert(text: &str) -> String {
    text.replace("<|", "< |")
        .replace("|>", "| >")
        .replace("</passage", "< /passage")
        .replace("<passage", "< passage")
        .replace('"', "'")
}

/// About how many tokens a text has for a model.
#[must_use]
pub fn tokens(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let other = text.chars().filter(|c| !c.is_ascii()).count();
    ascii / 4 + other * 4 / 5 + 1
}
