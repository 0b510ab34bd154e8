//! Truncation at the end of a sentence.

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
}
