//! Messages of an answer that are not quotations: a file a language in `messages/`.

use quartet_api::Language;
use quartet_messages::Catalogs;

static MESSAGES: Catalogs = quartet_messages::catalogs!("../messages");

/// The statement, in `language`, that the document does not answer a question.
#[must_use]
pub fn not_said(language: Language) -> String {
    Message::NotSaid.text(language)
}

/// The statement, in `language`, that no sentence was found that answers a question.
#[must_use]
pub fn not_found(language: Language) -> String {
    Message::NotFound.text(language)
}

/// The statement, in `language`, that no clear answer to a question was found, with the sentence that comes nearest.
#[must_use]
pub fn nearest(page: usize, quote: &str, language: Language) -> String {
    Message::Nearest(page, quote).text(language)
}

/// The statement, in `language`, that a sentence of the document may answer a question, and may not.
#[must_use]
pub fn perhaps(page: usize, quote: &str, language: Language) -> String {
    Message::Perhaps(page, quote).text(language)
}

/// The reply, in `language`, to what is only talk: what can be done with a document.
#[must_use]
pub fn only_talk(language: Language) -> String {
    Message::OnlyTalk.text(language)
}

/// The remark, in `language`, that a text which was made from a document has figures that the document has not.
#[must_use]
pub fn not_in_it(figures: &[String], language: Language) -> String {
    Message::NotInIt(&figures.join(", ")).text(language)
}

/// A sentence of a document that is `written_in` a language, as the answer in `language`.
#[must_use]
pub fn quoted(page: usize, quote: &str, written_in: Language, language: Language) -> String {
    if written_in == language {
        quote.to_owned()
    } else {
        Message::Quote(page, quote).text(language)
    }
}

/// The translation, into `language`, of a sentence that is quoted, to be said after it.
#[must_use]
pub fn translated(text: &str, language: Language) -> String {
    Message::Translated(text).text(language)
}

/// The request, in `language`, to a language model to answer in it. Small models heed it better than one in English.
#[must_use]
pub fn answer_in(language: Language) -> String {
    Message::AnswerIn.text(language)
}

/// The name of a language in another one.
pub(super) fn name_of(spoken: Language, language: Language) -> &'static str {
    MESSAGES.of(language).get(&format!("language_{}", spoken.code()))
}

/// A message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Message<'a> {
    /// The document does not answer the question.
    NotSaid,
    /// No sentence was found that answers, which does not mean that there is none.
    NotFound,
    /// The document does not answer the question; the page and the sentence that come nearest.
    Nearest(usize, &'a str),
    /// It is not certain that the document answers; the page and the sentence that may.
    Perhaps(usize, &'a str),
    /// The two things that can be done with a document.
    OnlyTalk,
    /// Figures that the document has not.
    NotInIt(&'a str),
    /// The request to answer in the language.
    AnswerIn,
    /// The document has no readable text.
    NoText,
    /// The number of pages.
    Pages(usize),
    /// The title.
    Title(&'a str),
    /// The author.
    Author(&'a str),
    /// The date of creation.
    Created(&'a str),
    /// The language of the document.
    Language(Language),
    /// A quotation with its page, in another language than the question's.
    Quote(usize, &'a str),
    /// The translation of a quotation.
    Translated(&'a str),
}

impl Message<'_> {
    /// The text in `language`.
    pub(super) fn text(self, language: Language) -> String {
        let catalog = MESSAGES.of(language);
        let plain = |key: &str| catalog.get(key).to_owned();
        let quoting =
            |key: &str, page: usize, quote| catalog.format(key, &[("page", &page.to_string()), ("quote", quote)]);
        match self {
            Self::NotSaid => plain("not_said"),
            Self::NotFound => plain("not_found"),
            Self::Nearest(page, quote) => quoting("nearest", page, quote),
            Self::Perhaps(page, quote) => quoting("perhaps", page, quote),
            Self::OnlyTalk => plain("only_talk"),
            Self::NotInIt(figures) => catalog.format("not_in_it", &[("figures", figures)]),
            Self::AnswerIn => plain("answer_in"),
            Self::NoText => plain("no_text"),
            Self::Pages(count) => catalog.plural("pages", count as u64, &[("pages", &count.to_string())]),
            Self::Title(title) => catalog.format("title", &[("title", title)]),
            Self::Author(author) => catalog.format("author", &[("author", author)]),
            Self::Created(date) => catalog.format("created", &[("date", date)]),
            Self::Language(spoken) => catalog.format("language", &[("language", name_of(spoken, language))]),
            Self::Quote(page, quote) => quoting("quote", page, quote),
            Self::Translated(text) => catalog.format("translated", &[("text", text)]),
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

    #[test]
    fn every_message_has_its_values_in_every_language() {
        for language in Language::ALL {
            for spoken in Language::ALL {
                let name = MESSAGES.of(language).get(&format!("language_{}", spoken.code()));
                assert!(!name.is_empty(), "{spoken} in {language}");
                assert!(
                    Message::Language(spoken).text(language).contains(name),
                    "{spoken} in {language}"
                );
            }
            for (message, values) in [
                (Message::NotSaid, &[][..]),
                (Message::NotFound, &[]),
                (Message::NoText, &[]),
                (Message::AnswerIn, &[]),
                (Message::OnlyTalk, &[]),
                (Message::NotInIt("14, 30"), &["14, 30"]),
                (Message::Pages(12), &["12"]),
                (Message::Title("{title}"), &["{title}"]),
                (Message::Author("x"), &["x"]),
                (Message::Created("2024-02-29"), &["2024-02-29"]),
                (Message::Quote(7, "{page}"), &["7", "{page}"]),
                (Message::Translated("{text}"), &["{text}"]),
                (Message::Nearest(7, "{page}"), &["7", "{page}"]),
                (Message::Perhaps(7, "{page}"), &["7", "{page}"]),
            ] {
                let text = message.text(language);
                assert!(!text.is_empty(), "{language}: {message:?}");
                assert!(values.iter().all(|value| text.contains(value)), "{language}: {text}");
            }
        }
    }

    #[test]
    fn one_page_is_no_plural() {
        assert_eq!(Message::Pages(1).text(Language::English), "The document has one page.");
        assert_eq!(Message::Pages(1).text(Language::German), "Das Dokument hat eine Seite.");
        assert_eq!(Message::Pages(2).text(Language::German), "Das Dokument hat 2 Seiten.");
    }
}
