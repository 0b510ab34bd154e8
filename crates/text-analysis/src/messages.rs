//! Messages of an answer that are not quotations: a file a language in `messages/`.

use quartet_api::Language;
use quartet_messages::Catalogs;

static MESSAGES: Catalogs = quartet_messages::catalogs!("../messages");

/// A message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Message<'a> {
    /// The document does not answer the question.
    NotSaid,
    /// The document has no readable text.
    NoText,
    /// The number of pages.
    Pages(usize),
    /// The title.
    Title(&'a str),
    /// There is no title.
    NoTitle,
    /// The author.
    Author(&'a str),
    /// There is no author.
    NoAuthor,
    /// The date of creation.
    Created(&'a str),
    /// There is no date.
    NoDate,
    /// The language of the document.
    Language(Language),
    /// A quotation with its page, in another language than the question's.
    Quote(usize, &'a str),
}

impl Message<'_> {
    /// The text in `language`.
    pub(super) fn text(self, language: Language) -> String {
        let catalog = MESSAGES.of(language);
        let plain = |key: &str| catalog.get(key).to_owned();
        match self {
            Self::NotSaid => plain("not_said"),
            Self::NoText => plain("no_text"),
            Self::Pages(count) => catalog.plural("pages", count as u64, &[("pages", &count.to_string())]),
            Self::Title(title) => catalog.format("title", &[("title", title)]),
            Self::NoTitle => plain("no_title"),
            Self::Author(author) => catalog.format("author", &[("author", author)]),
            Self::NoAuthor => plain("no_author"),
            Self::Created(date) => catalog.format("created", &[("date", date)]),
            Self::NoDate => plain("no_date"),
            Self::Language(spoken) => {
                let name = catalog.get(&format!("language_{}", spoken.code()));
                catalog.format("language", &[("language", name)])
            }
            Self::Quote(page, quote) => catalog.format("quote", &[("page", &page.to_string()), ("quote", quote)]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_message_with_the_same_placeholders() {
        assert_eq!(MESSAGES.differences(), [""; 0]);
    }
}

#[cfg(test)]
mod golden {
    use super::*;

    /// Every sentence in every language, as it was when the sentences stood in the code.
    #[test]
    fn sentences_are_as_they_were() {
        let mut all = String::new();
        for language in Language::ALL {
            let mut line =
                |what: Message<'_>| all.push_str(&format!("{}\t{what:?}\t{}\n", language.code(), what.text(language)));
            line(Message::NotSaid);
            line(Message::NoText);
            for pages in [0, 1, 2, 3, 5, 11, 21, 22, 25, 103, 1000] {
                line(Message::Pages(pages));
            }
            line(Message::Title("A {page} title {} {title}"));
            line(Message::NoTitle);
            line(Message::Author("{}"));
            line(Message::NoAuthor);
            line(Message::Created("2024-02-29"));
            line(Message::NoDate);
            for spoken in Language::ALL {
                line(Message::Language(spoken));
            }
            line(Message::Quote(1, "It {page} {} says"));
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/messages.golden");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, &all).unwrap();
        }
        assert_eq!(all, std::fs::read_to_string(path).unwrap());
    }
}
