//! The end of an answer in which a small model goes round in circles: where it knows least, as in Arabic and Hindi, the likeliest word
//! leads back to the one before for ever.

use std::collections::BTreeSet;

/// Times in a row that a part has to stand at the end.
const TIMES: usize = 4;

/// Limits for the length of a part, in pieces, and the least number of different ones in it: "ha ha ha" may be meant.
struct Part {
    shortest: usize,
    longest: usize,
    different: usize,
}

/// Of words, and of characters where words have no spaces between them.
const OF_WORDS: Part = Part {
    shortest: 3,
    longest: 40,
    different: 3,
};
const OF_CHARACTERS: Part = Part {
    shortest: 6,
    longest: 80,
    different: 5,
};

/// Returns true if an answer ends with the same words several times in a row, and they are not the question's, which may ask for just
/// that. The last word is still to be ended.
pub(super) fn has_begun(answer: &str, question: &str) -> bool {
    let asked = question.to_lowercase();
    let words: Vec<&str> = answer.split_whitespace().rev().skip(1).take(OF_WORDS.most()).collect();
    let is_word_asked = |word: &&str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        asked.contains(&word.to_lowercase())
    };
    let is_asked = |words: &[&str]| words.iter().all(is_word_asked);
    if let Some(part) = OF_WORDS.at_end(&words) {
        return !is_asked(part);
    }
    let characters: Vec<char> = answer.chars().rev().take(OF_CHARACTERS.most()).collect();
    // Where there are spaces, words are looked at.
    let is_dense = !characters.iter().any(|c| c.is_whitespace());
    is_dense
        && OF_CHARACTERS
            .at_end(&characters)
            .is_some_and(|part| part.iter().any(|c| !asked.contains(*c)))
}

impl Part {
    fn most(&self) -> usize {
        self.longest * TIMES
    }

    /// The part that pieces, the last one first, have at their end several times in a row.
    fn at_end<'p, T: Ord>(&self, pieces: &'p [T]) -> Option<&'p [T]> {
        (self.shortest..=self.longest).find_map(|length| {
            let end = pieces.get(..length * TIMES)?;
            let part = &end[..length];
            let is_same = end.chunks(length).all(|other| other == part);
            let different = part.iter().collect::<BTreeSet<_>>().len();
            (is_same && different >= self.different).then_some(part)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_noticed_in_words_and_in_characters() {
        let arabic = format!("هو ابن سينا، {}وهو", "وهو ابن أبي طالب، ".repeat(4));
        assert!(has_begun(&arabic, "من هو ابن سينا؟"));
        assert!(!has_begun(
            &format!("{}وهو", "وهو ابن أبي طالب، ".repeat(3)),
            "من هو ابن سينا؟"
        ));
        let hindi = format!("चाय {}उसे", "को बनाने के लिए एक बिन्दु बना और ".repeat(4));
        assert!(has_begun(&hindi, "मुझे चाय बनाने का तरीका बताओ"));
        assert!(has_begun(&"这是一个很重要的问题，".repeat(4), "什么是爱？"));
    }

    #[test]
    fn what_is_meant_or_asked_for_is_none() {
        for (answer, question) in [
            ("Ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha", "Laugh!"),
            ("| --- | --- | --- | --- | --- | --- | --- | --- | --- |", "a table"),
            ("1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14", "count"),
            (
                "The sky is blue. The sea is blue. The sky is wide. The sea is wide.",
                "a poem",
            ),
        ] {
            assert!(!has_begun(answer, question), "{answer}");
        }
        let asked = "I will not talk in class. ".repeat(8);
        assert!(!has_begun(&asked, "Write 'I will not talk in class' eight times."));
    }
}
