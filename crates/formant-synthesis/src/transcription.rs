//! Words as the International Phonetic Alphabet writes them, by the engine's rules and dictionaries: for voices that are
//! made elsewhere.

use quartet_text_normalization::Span;

use super::engine;
use super::phrase::readable;

/// A span's sounds, with a space between words, `ˈ` and `ˌ` before stressed vowels and `ː` after long ones; empty where
/// there is nothing to say. Words that the engine reads as another language's are marked by it, as in `(en)word(it)`.
pub fn transcribe(span: &Span) -> String {
    let text = readable(span.language, &span.text);
    if text.is_empty() {
        return String::new();
    }
    let translator = &engine::settings_of(span.language).translator;
    let transcribed = translator.text_to_ipa(&text).expect("the engine's own data are whole");
    transcribed.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use quartet_api::Language;

    use super::*;

    #[test]
    fn words_are_transcribed() {
        let said = |language, text: &str| {
            transcribe(&Span {
                language,
                text: text.to_owned(),
            })
        };
        assert_eq!(said(Language::Spanish, "buenos días"), "bwˈenos ðˈias");
        assert_eq!(said(Language::English, "hello"), "həlˈəʊ");
        assert_eq!(said(Language::German, "Haus"), "hˈaʊs");
        assert_eq!(said(Language::English, "\u{2028}"), "");
    }
}
