//! Abbreviations that end with a full stop, by language, in lower case and without the last stop. They are what style
//! guides and dictionaries of the languages list, as far as running text has them.

use quartet_api::Language;

use crate::lexicon::lexicon;

/// The continuation after an abbreviation in running text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follows {
    /// Something always: a title or "for example". Its stop ends no sentence.
    Always,
    /// A number, else it is another word or the end: "No. 5".
    Number,
    /// Often nothing: "etc.". A capital letter after it begins a sentence.
    Maybe,
}

/// Always followed by something, in any language that uses Latin letters.
const LATIN: &str = "dr prof mr mrs ms st jr sr e.g i.e cf vs viz al ca ph.d approx dept est inc ltd co corp bros rev gen col capt lt sgt";

/// Limit for the words of one abbreviation ("u. s. w").
pub(super) const MAX_WORDS: usize = 3;

/// Looks up the abbreviation `word`, in lower case and without the stop at its end; stops inside it may be followed by
/// single spaces.
pub(super) fn find(word: &str, language: Language) -> Option<Follows> {
    if word.is_empty() {
        return None;
    }
    let lexicon = lexicon(language);
    let whole = |list: &str| {
        list.match_indices(word).any(|(at, _)| {
            let (before, after) = (&list[..at], &list[at + word.len()..]);
            // "e" is not a word of its own in "t. e".
            (before.is_empty() || before.ends_with(' ') && !before.ends_with(". "))
                && (after.is_empty() || after.starts_with(' '))
        })
    };
    if whole(lexicon.get("abbreviations_maybe")) {
        Some(Follows::Maybe)
    } else if whole(lexicon.get("abbreviations_always")) || (quartet_lang_detect::is_latin(language) && whole(LATIN)) {
        Some(Follows::Always)
    } else if whole(lexicon.get("abbreviations_number")) {
        Some(Follows::Number)
    } else {
        None
    }
}
