//! Boundaries of words in scripts with spaces between words, and in those without.

/// Returns true for signs of a script without spaces between words.
#[must_use]
pub fn is_dense_char(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

/// Returns true for letters, and the signs that go with them, of scripts that put spaces between words.
#[must_use]
pub fn joins(c: char) -> bool {
    (c.is_alphabetic() || matches!(c, '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}')) && !is_dense_char(c)
}

/// Returns true if nothing before a phrase makes it a part of another word; Arabic has prefixes.
#[must_use]
pub fn begins_word(phrase: &str, before: &str) -> bool {
    let free = |first: char| matches!(first, '\u{600}'..='\u{6ff}') || !joins(first);
    phrase.chars().next().is_none_or(free) || !before.chars().next_back().is_some_and(joins)
}

/// Returns true if nothing behind a phrase makes it a part of another word.
#[must_use]
pub fn ends_word(phrase: &str, after: &str) -> bool {
    !phrase.chars().next_back().is_some_and(joins) || !after.chars().next().is_some_and(joins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_where_letters_do() {
        assert!(ends_word("km", " far") && ends_word("km", "/h") && !ends_word("km", "s"));
        assert!(begins_word("km", "5") && !begins_word("km", "dr"));
        // Between signs of dense scripts there is no boundary to see.
        assert!(ends_word("円", "です") && begins_word("円", "百"));
    }
}
