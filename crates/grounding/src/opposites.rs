//! Opposites. A model that writes "off" for "on" keeps every other word, and small words are not content.

use quartet_api::Language;

use crate::lexicon::lexicon;
use crate::negation::is_negated;
use crate::words::{Words, has_parts};

/// The keys of the pairs in the word lists.
const PAIRS: [&str; 9] = [
    "opposite_switched",
    "opposite_open",
    "opposite_allowed",
    "opposite_included",
    "opposite_free",
    "opposite_indoors",
    "opposite_rising",
    "opposite_more",
    "opposite_least",
];

/// The relation of two sentences by words that exclude each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opposition {
    /// Neither has the opposite of a word of the other.
    None,
    /// One has the opposite, and both or neither are negated.
    Contradicts,
    /// One has the opposite, and one of them is negated: "not allowed" and "forbidden".
    Agrees,
}

/// Compares two sentences, each in its language.
pub(crate) fn opposition(one: (&str, Language), other: (&str, Language)) -> Opposition {
    let (sides, others) = (Sides::of(one), Sides::of(other));
    let mut pairs = PAIRS.iter().map(|pair| (sides.has(pair), others.has(pair)));
    if !pairs.any(|(one, other)| {
        matches!(
            (one, other),
            ((true, false), (false, true)) | ((false, true), (true, false))
        )
    }) {
        Opposition::None
    } else if sides.is_negated() == others.is_negated() {
        Opposition::Contradicts
    } else {
        Opposition::Agrees
    }
}

/// A sentence whose opposites are looked for.
struct Sides<'a> {
    language: Language,
    sentence: &'a str,
    words: Words,
}

impl<'a> Sides<'a> {
    fn of((sentence, language): (&'a str, Language)) -> Self {
        Self {
            language,
            sentence,
            words: Words::of(sentence, language),
        }
    }

    /// The sides of a pair that have a word here.
    fn has(&self, pair: &str) -> (bool, bool) {
        let (left, right) = lexicon(self.language).get(pair).split_once('|').unwrap_or_default();
        (self.words.have_any(left), self.words.have_any(right))
    }

    /// Returns true if it is negated by another word than these: 無料 is no denial of 料.
    fn is_negated(&self) -> bool {
        if !has_parts(self.language) {
            return is_negated(self.sentence, self.language);
        }
        let pairs = PAIRS.iter().map(|pair| lexicon(self.language).get(pair));
        let words: Vec<String> = pairs.map(|pair| pair.replace('|', " ")).collect();
        is_negated(self.words.without(&words.join(" ")).text(), self.language)
    }
}

#[cfg(test)]
mod tests {
    use Language::{Arabic, Chinese, English, French, German, Hindi, Italian, Japanese, Korean, Russian, Spanish};

    use super::*;

    #[test]
    fn the_opposite_contradicts_unless_one_of_both_is_negated() {
        use Opposition::{Agrees, Contradicts, None};
        for (one, other, expected) in [
            (
                ("Water is turned off from 20 March.", English),
                ("Water is turned on from 20 March.", English),
                Contradicts,
            ),
            (
                ("The museum is open on Mondays.", English),
                ("The museum is closed on Mondays.", English),
                Contradicts,
            ),
            (
                ("It is closed on Tuesday.", English),
                ("It is open every day except Tuesday.", English),
                Agrees,
            ),
            (
                ("Dogs aren’t allowed.", English),
                ("Dogs are forbidden in the hall.", English),
                Agrees,
            ),
            (
                ("It opens at nine and closes at five.", English),
                ("Open from nine to five.", English),
                None,
            ),
            (
                ("Der Saal ist montags geschlossen.", German),
                ("The hall is open on Mondays.", English),
                Contradicts,
            ),
            (
                ("L’entrée est gratuite.", French),
                ("L’entrée est payante.", French),
                Contradicts,
            ),
            (
                ("La piscina está cerrada.", Spanish),
                ("La piscina está abierta y el bar está cerrado.", Spanish),
                None,
            ),
            (
                ("La piscina è all’aperto.", Italian),
                ("La piscina è al chiuso.", Italian),
                Contradicts,
            ),
            (
                ("Стоит не более 5 рублей.", Russian),
                ("Стоит не менее 5 рублей.", Russian),
                Contradicts,
            ),
            (
                ("È chiuso il martedì.", Italian),
                ("Siamo aperti tutti i giorni tranne il martedì.", Italian),
                Agrees,
            ),
            (
                ("Está cerrado los martes.", Spanish),
                ("Abierto todos los días menos el martes.", Spanish),
                Agrees,
            ),
            // Who knows when it opens may say when it closes.
            (
                ("17時に閉館します。", Japanese),
                ("開館時間は9時から17時です。", Japanese),
                None,
            ),
            (
                ("月曜日は営業中です。", Japanese),
                ("月曜日は休館です。", Japanese),
                Contradicts,
            ),
            (("儿童免费。", Chinese), ("儿童收费。", Chinese), Contradicts),
            (
                ("入場は無料です。", Japanese),
                ("入場は有料です。", Japanese),
                Contradicts,
            ),
            (
                ("입장은 무료입니다.", Korean),
                ("입장은 유료입니다.", Korean),
                Contradicts,
            ),
            (("المتحف مفتوح.", Arabic), ("المتحف مغلق.", Arabic), Contradicts),
            (("दुकान खुली है।", Hindi), ("दुकान बंद है।", Hindi), Contradicts),
        ] {
            assert_eq!(opposition(one, other), expected, "{one:?} {other:?}");
            assert_eq!(opposition(other, one), expected, "{other:?} {one:?}");
        }
    }

    #[test]
    fn no_word_stands_on_both_sides_of_a_pair() {
        for language in Language::ALL {
            for pair in PAIRS {
                let (left, right) = lexicon(language).get(pair).split_once('|').unwrap_or_default();
                assert_eq!(left.is_empty(), right.is_empty(), "{language:?} {pair}");
                let repeated = left
                    .split(' ')
                    .find(|word| right.split(' ').any(|other| other == *word));
                assert_eq!(repeated.filter(|word| !word.is_empty()), None, "{language:?} {pair}");
            }
        }
    }
}
