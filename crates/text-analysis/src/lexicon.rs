//! Word lists of the twelve languages: a file a language in `lexicon/`.

use quartet_api::Language;
use quartet_messages::{Catalog, Catalogs};

static LEXICON: Catalogs = quartet_messages::catalogs!("../lexicon");

/// The word lists of a language.
pub(super) fn lexicon(language: Language) -> &'static Catalog {
    LEXICON.of(language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_list() {
        assert_eq!(LEXICON.differences(), [""; 0]);
    }
}
