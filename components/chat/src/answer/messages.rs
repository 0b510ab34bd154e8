//! Messages around answers from the web.

use quartet_api::Language;

use crate::messages::messages;

/// The reason why a search gave nothing.
pub(super) fn no_search(status: &str, language: Language) -> &'static str {
    messages(language).get(match status {
        "off" => "search_off",
        "unreachable" => "search_unreachable",
        "refused" => "search_refused",
        _ => "search_found_nothing",
    })
}

/// The words before the nearest passage where nothing answers.
pub(super) fn not_answered(language: Language) -> &'static str {
    messages(language).get("not_answered")
}

#[cfg(test)]
mod golden {
    use super::*;

    /// Every sentence in every language, as it was when the sentences stood in the code.
    #[test]
    fn sentences_are_as_they_were() {
        let mut all = String::new();
        for language in Language::ALL {
            for status in ["off", "unreachable", "refused", "nothing_found", "answered"] {
                all.push_str(&format!("{}\t{}\n", language.code(), no_search(status, language)));
            }
            all.push_str(&format!("{}\t{}\n", language.code(), not_answered(language)));
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/answer/messages.golden");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, &all).unwrap();
        }
        assert_eq!(all, std::fs::read_to_string(path).unwrap());
    }
}
