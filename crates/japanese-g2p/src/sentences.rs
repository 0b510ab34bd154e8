//! Cuts text into sentences, so that memory and time stay in proportion to its length, whatever it is.

/// The greatest length of a sentence; what has no mark at its end is cut there.
const MAX_SENTENCE_CHARS: usize = 200;

/// The sentences of a text; together they are the whole text. None is longer than two hundred characters.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (sentence, after) = rest.split_at(end(rest));
        rest = after;
        (!sentence.is_empty()).then_some(sentence)
    })
}

/// The end of the first sentence, in bytes.
fn end(text: &str) -> usize {
    let mut comma = None;
    let mut phrase = None;
    let mut ended = None;
    let mut before = None;
    for (count, (start, character)) in text.char_indices().enumerate() {
        if let Some(end) = ended
            && !closes(character)
        {
            return end;
        }
        if count == MAX_SENTENCE_CHARS {
            return comma.or(phrase).unwrap_or(start);
        }
        let end = start + character.len_utf8();
        match character {
            '。' | '！' | '？' | '\n' => ended = Some(end),
            '、' | ' ' | '\u{3000}' | '」' | '）' => comma = Some(end),
            // Between particles and the next word is the harmless place, where hiragana end.
            _ if before.is_some_and(is_hiragana) && !is_hiragana(character) => phrase = Some(start),
            _ => {}
        }
        if ended.is_some() && closes(character) {
            ended = Some(end);
        }
        before = Some(character);
    }
    text.len()
}

/// Returns true for a mark that still belongs to the sentence before it.
fn closes(character: char) -> bool {
    matches!(character, '。' | '！' | '？' | '」' | '』' | '）' | '”' | '\n')
}

fn is_hiragana(character: char) -> bool {
    matches!(character, 'ぁ'..='ゖ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_end_sentences() {
        let text = "「そうか。」と言った！？　はい。いいえ";
        let cut: Vec<_> = sentences(text).collect();
        assert_eq!(cut, ["「そうか。」", "と言った！？", "　はい。", "いいえ"]);
    }

    #[test]
    fn nothing_is_lost_and_nothing_is_long() {
        for text in [
            "漢".repeat(1000),
            "あ、".repeat(500),
            "私は人だ".repeat(300),
            String::new(),
            "。".repeat(500),
        ] {
            assert_eq!(sentences(&text).collect::<String>(), text);
            assert!(sentences(&text).all(|sentence| sentence.chars().count() <= MAX_SENTENCE_CHARS));
        }
    }
}
