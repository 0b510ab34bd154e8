//! Real text: the Universal Declaration of Human Rights in the twelve languages (`data/declaration`).

use quartet_api::Language;

/// The whole text in a language; paragraphs are divided by empty lines.
pub fn text(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("../data/declaration/en.txt"),
        Language::Hindi => include_str!("../data/declaration/hi.txt"),
        Language::Spanish => include_str!("../data/declaration/es.txt"),
        Language::French => include_str!("../data/declaration/fr.txt"),
        Language::German => include_str!("../data/declaration/de.txt"),
        Language::Italian => include_str!("../data/declaration/it.txt"),
        Language::Portuguese => include_str!("../data/declaration/pt.txt"),
        Language::Russian => include_str!("../data/declaration/ru.txt"),
        Language::Japanese => include_str!("../data/declaration/ja.txt"),
        Language::Chinese => include_str!("../data/declaration/zh.txt"),
        Language::Korean => include_str!("../data/declaration/ko.txt"),
        Language::Arabic => include_str!("../data/declaration/ar.txt"),
    }
}

/// One paragraph in a language, counted from the first.
pub fn paragraph(language: Language, index: usize) -> &'static str {
    text(language)
        .split("\n\n")
        .nth(index)
        .expect("the declaration has more than fifty paragraphs")
        .trim()
}
