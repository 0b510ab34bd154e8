//! Truncation at the end of a sentence, and shortening in the middle.

use std::borrow::Cow;

use quartet_api::Language;
use quartet_text_analysis::sentence::sentences;

/// Truncates a text to at most `most` characters: whole sentences, unless the first alone is longer.
#[must_use]
pub fn truncate(text: &str, most: usize, language: Language) -> &str {
    let Some((limit, _)) = text.char_indices().nth(most) else {
        return text;
    };
    let head = &text[..limit];
    let parts = sentences(head, language);
    // The last one may go on behind the limit.
    match parts.split_last() {
        Some((last, rest)) if !rest.is_empty() => {
            let end = last.as_ptr() as usize - head.as_ptr() as usize;
            head[..end].trim_end()
        }
        _ => match head.rfind(char::is_whitespace) {
            Some(end) if end > limit / 2 => head[..end].trim_end(),
            _ => head,
        },
    }
}

/// Mark of what was left out of a text.
const GAP: &str = "\n[…]\n";

/// Shortens a text to at most `most` characters: its beginning and its end stay, since whoever sends a long text asks about it before or
/// behind it. Sentences stay whole, unless one is too long by itself.
#[must_use]
pub fn shorten(text: &str, most: usize, language: Language) -> Cow<'_, str> {
    let all = text.chars().count();
    if all <= most {
        return Cow::Borrowed(text);
    }
    let room = most.saturating_sub(GAP.chars().count());
    let after = room / 3;
    let tail = tail(text, after, language);
    let head = truncate(text, room - after.min(tail.chars().count()), language);
    match tail {
        "" => Cow::Borrowed(head),
        tail => Cow::Owned(format!("{head}{GAP}{tail}")),
    }
}

/// The sentences at the end that have at most so many characters together; the words of the last one where that has more.
fn tail(text: &str, most: usize, language: Language) -> &str {
    let text = text.trim_end();
    let Some((limit, _)) = text
        .char_indices()
        .rev()
        .nth(most.saturating_sub(1))
        .filter(|_| most > 0)
    else {
        return "";
    };
    let rest = &text[limit..];
    // The first one may have begun before the limit.
    match sentences(rest, language).get(1) {
        Some(second) => &rest[second.as_ptr() as usize - rest.as_ptr() as usize..],
        None => rest
            .find(char::is_whitespace)
            .map_or(rest, |at| rest[at..].trim_start()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_at_a_sentence_else_at_a_word() {
        let text = "One sentence. Another one. A third.";
        assert_eq!(truncate(text, 30, Language::English), "One sentence. Another one.");
        assert_eq!(truncate(text, 100, Language::English), text);
        assert_eq!(truncate("word word word word", 12, Language::English), "word word");
        assert_eq!(
            truncate("これは文です。これも文です。", 10, Language::Japanese),
            "これは文です。"
        );
        assert_eq!(truncate(&"x".repeat(50), 10, Language::English).len(), 10);
    }

    #[test]
    fn the_beginning_and_the_end_of_a_long_text_stay() {
        let letter = "We regret the delay. ".repeat(40);
        let text = format!("A letter came.\n{letter}\nWhat do they regret?");
        let short = shorten(&text, 200, Language::English);
        assert!(
            short.starts_with("A letter came.\nWe regret") && short.ends_with("What do they regret?"),
            "{short}"
        );
        assert!(short.contains(". \n[…]\n") || short.contains(".\n[…]\n"), "{short}");
        assert!(
            (120..=200).contains(&short.chars().count()),
            "{}",
            short.chars().count()
        );
        assert_eq!(shorten("Short.", 200, Language::English), "Short.");
        let words = "word ".repeat(100);
        let short = shorten(&words, 60, Language::English);
        assert!(short.chars().count() <= 60 && short.ends_with("word"), "{short}");
        let japanese = "これは文です。".repeat(30);
        let short = shorten(&japanese, 50, Language::Japanese);
        assert!(
            short.chars().count() <= 50 && short.contains("。\n[…]\nこれは"),
            "{short}"
        );
    }
}
