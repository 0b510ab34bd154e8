//! Times of written words: what an engine says, and when, is led back to the text that it was made of.
//!
//! Normalisation rewrites words ("$5.20" becomes "five dollars twenty cents"), so that spoken words have no place in the
//! text. Both are compared as sequences (E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986): words
//! that are said as they are written have the times of their sound, and what lies between two such words shares the time
//! between them by its letters.

mod spoken;
mod written;

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};
pub use spoken::Group;

use crate::Clause;

/// A written word, and when it is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timing {
    /// Its place in the text, in bytes.
    pub written: Range<usize>,
    /// Its first sample.
    pub start: u64,
    /// The sample after its last.
    pub end: u64,
}

/// The times of the words of `text`, in their order. `clauses` are those of [`crate::clauses`], each with what an engine
/// says of it, in order. Words that are not said, like marks of lists, are left out; in Chinese and Japanese, each
/// character is a word.
pub fn timings(text: &str, clauses: impl Iterator<Item = (Clause, Vec<Group>)>) -> Vec<Timing> {
    let spoken: Vec<_> = clauses
        .flat_map(|(clause, groups)| spoken::words(&clause, &groups))
        .collect();
    let written = written::words(text);
    let keys: Vec<_> = written.iter().map(|word| key(&text[word.clone()])).collect();
    let spoken_keys: Vec<_> = spoken.iter().map(|word| key(&word.text)).collect();
    let mut timings = Vec::with_capacity(written.len());
    let (mut old, mut new) = (0, 0);
    let changed = |timings: &mut Vec<Timing>, old: Range<usize>, new: Range<usize>| {
        if !new.is_empty() {
            timings.extend(shared(text, &written[old], &spoken[new]));
        }
    };
    for operation in capture_diff_slices(Algorithm::Myers, &keys, &spoken_keys) {
        let DiffOp::Equal {
            old_index,
            new_index,
            len,
        } = operation
        else {
            continue;
        };
        changed(&mut timings, old..old_index, new..new_index);
        let same = written[old_index..old_index + len].iter().zip(&spoken[new_index..]);
        timings.extend(same.map(|(written, spoken)| Timing {
            written: written.clone(),
            start: spoken.start,
            end: spoken.end,
        }));
        (old, new) = (old_index + len, new_index + len);
    }
    changed(&mut timings, old..written.len(), new..spoken.len());
    timings
}

/// The form in which words are compared: letters and digits, in small letters.
fn key(word: &str) -> String {
    let lower = word.chars().flat_map(char::to_lowercase);
    lower.filter(|character| character.is_alphanumeric()).collect()
}

/// Written words that are said as others: each gets the part of the time that its letters are of all letters.
fn shared(text: &str, written: &[Range<usize>], spoken: &[spoken::Word]) -> Vec<Timing> {
    let weights: Vec<_> = written
        .iter()
        .map(|word| written::weight(&text[word.clone()]))
        .collect();
    let lengths: Vec<_> = spoken.iter().map(spoken::Word::letters).collect();
    let (all_written, all_spoken): (u32, u32) = (weights.iter().sum(), lengths.iter().sum());
    // A place among the letters that are said, as a time. At the edge of two words there are two: the silence between them
    // belongs to neither.
    let time = |place: f64, ends: bool| {
        let mut before = 0.0;
        for (word, letters) in spoken.iter().zip(&lengths) {
            let after = before + f64::from(*letters);
            if place < after || ends && place <= after {
                let part = (place - before).max(0.0) / f64::from(*letters).max(1.0);
                return word.start + ((word.end - word.start) as f64 * part) as u64;
            }
            before = after;
        }
        spoken.last().map_or(0, |word| word.end)
    };
    let scale = f64::from(all_spoken) / f64::from(all_written.max(1));
    let mut before = 0;
    let mut timings = Vec::with_capacity(written.len());
    for (word, weight) in written.iter().zip(weights) {
        let after = before + weight;
        timings.push(Timing {
            written: word.clone(),
            start: time(f64::from(before) * scale, false),
            end: time(f64::from(after) * scale, true),
        });
        before = after;
    }
    timings
}

#[cfg(test)]
mod tests {
    use quartet_api::Language;

    use super::*;
    use crate::clauses;

    /// An engine that says each word of a clause in a hundred samples, with ten of silence after it.
    fn timed(text: &str, language: Language) -> Vec<(String, u64, u64)> {
        let mut at = 0;
        let said = clauses(text, language).map(|clause| {
            let words = clause.spans.iter().flat_map(|span| span.text.split_whitespace());
            let groups = words.map(|word| {
                at += 110;
                Group {
                    start: at - 110,
                    end: at - 10,
                    sounds: word.chars().count() as u32,
                }
            });
            let groups = groups.collect();
            (clause, groups)
        });
        let timings = timings(text, said);
        let word = |timing: Timing| (text[timing.written].to_owned(), timing.start, timing.end);
        timings.into_iter().map(word).collect()
    }

    fn words(timed: &[(String, u64, u64)]) -> Vec<&str> {
        timed.iter().map(|(word, _, _)| word.as_str()).collect()
    }

    #[test]
    fn words_that_are_said_as_written_have_their_own_times() {
        let timed = timed("“Good morning,” she said.\n\nIt rained.", Language::English);
        assert_eq!(words(&timed), ["Good", "morning", "she", "said", "It", "rained"]);
        let starts: Vec<_> = timed.iter().map(|(_, start, _)| *start).collect();
        assert_eq!(starts, [0, 110, 220, 330, 440, 550]);
    }

    #[test]
    fn a_number_lasts_as_long_as_its_words() {
        let timed = timed("It costs $5.20 today.", Language::English);
        assert_eq!(words(&timed), ["It", "costs", "$5.20", "today"]);
        // Five dollars twenty cents.
        assert_eq!((timed[2].1, timed[2].2), (220, 650));
        assert_eq!(timed[3].1, 660);
    }

    #[test]
    fn neighbours_that_are_rewritten_share_their_time_in_order() {
        let timed = timed("Dr. Smith met 12 people at 5 p.m. on 3 May 2024.", Language::English);
        for pair in timed.windows(2) {
            assert!(pair[0].1 < pair[0].2 && pair[0].2 <= pair[1].2, "{timed:?}");
            assert!(pair[0].1 <= pair[1].1, "{timed:?}");
        }
        assert_eq!(timed.first().map(|word| word.0.as_str()), Some("Dr"));
        assert_eq!(timed.last().map(|word| word.0.as_str()), Some("2024"));
    }

    #[test]
    fn tags_are_no_words_and_brackets_belong_to_theirs() {
        let speech = timed("<speak><p>Hello <break time='2s'/> you</p></speak>", Language::English);
        assert_eq!(words(&speech), ["Hello", "you"]);
        let code = timed("call f(x) now (please)", Language::English);
        assert_eq!(words(&code), ["call", "f(x)", "now", "please"]);
        let link = timed("See [the manual](https://a.org/b), please", Language::English);
        assert_eq!(words(&link), ["See", "the", "manual", "please"]);
        let alias = timed("<sub alias=\"World Wide Web\">WWW</sub> rules", Language::English);
        assert_eq!(words(&alias), ["WWW", "rules"]);
        assert_eq!((alias[0].1, alias[0].2), (0, 320));
    }

    #[test]
    fn marks_are_no_words_and_characters_are() {
        let timed = timed("- *Erster* Punkt\n- Zweiter Punkt", Language::German);
        assert_eq!(words(&timed), ["Erster", "Punkt", "Zweiter", "Punkt"]);
        let chinese = self::timed("你好，世界。", Language::Chinese);
        assert_eq!(words(&chinese), ["你", "好", "世", "界"]);
        assert!(chinese.windows(2).all(|pair| pair[0].2 <= pair[1].1), "{chinese:?}");
        assert!(self::timed("…", Language::English).is_empty());
    }
}
