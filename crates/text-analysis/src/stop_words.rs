//! Stop words: the lists of the crate `stop-words` and some more.

use quartet_api::Language;
use stop_words::lookup;

use crate::lexicon::lexicon;

/// The NLTK list of the crate where it has one, else its longer one of Stopwords ISO.
pub(super) fn stop_words(language: Language) -> &'static [&'static str] {
    lookup(language.code()).unwrap_or_default()
}

/// Additional stop words: words of questions and requests, which tell the type of answer, or that one is wanted, and
/// not its subject.
pub(super) fn additional_stop_words(language: Language) -> &'static str {
    lexicon(language).get("stop_words")
}
