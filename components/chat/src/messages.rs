//! Messages of the service in its answers: a file a language in `messages/`.

use quartet_api::Language;
use quartet_messages::{Catalog, Catalogs};

static MESSAGES: Catalogs = quartet_messages::catalogs!("../messages");

/// The messages of a language.
pub(crate) fn messages(language: Language) -> &'static Catalog {
    MESSAGES.of(language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_message_with_the_same_placeholders() {
        assert_eq!(MESSAGES.differences(), [""; 0]);
    }
}
