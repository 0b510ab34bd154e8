//! The data files that the speech engine needs for each language.
//!
//! The engine (crate `espeak-ng`) reads its data from a folder and reads it again at every call, so a folder holds no
//! more than one language needs: its dictionary, the phoneme tables, its own language file, and the same of the few
//! languages that its dictionary hands single words to. The files themselves are in the engine's data crates.
//! The module `files` gives the engine access to the folders.

use quartet_api::Language;

/// A file's path inside its folder, and its content.
pub type DataFile = (&'static str, &'static [u8]);

/// The engine's code of a language, for rules and voice settings.
///
/// Portuguese is read as in Brazil, English and Spanish as in Europe.
pub const fn engine_code(language: Language) -> &'static str {
    match language {
        Language::Chinese => "cmn",
        Language::Portuguese => "pt-br",
        other => other.code(),
    }
}

/// The languages that words inside a text of `language` may be handed to by the engine: those that its dictionary
/// names, and English, which reads Latin letters in the other scripts.
pub const fn lent_by(language: Language) -> &'static [Language] {
    match language {
        Language::English => &[],
        Language::Italian => &[
            Language::English,
            Language::French,
            Language::Spanish,
            Language::German,
            Language::Russian,
        ],
        Language::Portuguese => &[Language::English, Language::French, Language::Italian],
        _ => &[Language::English],
    }
}

/// The language whose engine code is `code`, as the engine names it when it hands a word over.
pub fn language_of(code: &str) -> Option<Language> {
    Language::ALL
        .into_iter()
        .find(|language| code == engine_code(*language) || code == language.code())
}

/// The files of a language's folder.
///
/// `phondata`, the sounds themselves, is left out: translation does not use it, and reading it would triple the cost
/// of a call.
pub fn folder(language: Language) -> Vec<DataFile> {
    let mut files = phoneme_files(&["phontab", "phonindex", "intonations"]);
    for language in std::iter::once(language).chain(lent_by(language).iter().copied()) {
        files.extend_from_slice(dictionary(language));
        files.extend(phoneme_files(&[language_file(language)]));
    }
    files
}

/// The files that synthesis needs, the same for all languages.
pub fn sounds() -> Vec<DataFile> {
    phoneme_files(&["phontab", "phonindex", "intonations", "phondata"])
}

fn phoneme_files(wanted: &[&str]) -> Vec<DataFile> {
    espeak_ng_data_phonemes::ALL_FILES
        .iter()
        .filter(|(path, _)| wanted.contains(path))
        .copied()
        .collect()
}

fn dictionary(language: Language) -> &'static [DataFile] {
    match language {
        Language::English => espeak_ng_data_dict_en::ALL_FILES,
        Language::Hindi => espeak_ng_data_dict_hi::ALL_FILES,
        Language::Spanish => espeak_ng_data_dict_es::ALL_FILES,
        Language::French => espeak_ng_data_dict_fr::ALL_FILES,
        Language::German => espeak_ng_data_dict_de::ALL_FILES,
        Language::Italian => espeak_ng_data_dict_it::ALL_FILES,
        Language::Portuguese => espeak_ng_data_dict_pt::ALL_FILES,
        Language::Russian => espeak_ng_data_dict_ru::ALL_FILES,
        Language::Japanese => espeak_ng_data_dict_ja::ALL_FILES,
        Language::Chinese => espeak_ng_data_dict_cmn::ALL_FILES,
        Language::Korean => espeak_ng_data_dict_ko::ALL_FILES,
        Language::Arabic => espeak_ng_data_dict_ar::ALL_FILES,
    }
}

/// The engine's settings of a language, by families of languages.
const fn language_file(language: Language) -> &'static str {
    match language {
        Language::English => "lang/gmw/en",
        Language::Hindi => "lang/inc/hi",
        Language::Spanish => "lang/roa/es",
        Language::French => "lang/roa/fr",
        Language::German => "lang/gmw/de",
        Language::Italian => "lang/roa/it",
        Language::Portuguese => "lang/roa/pt-BR",
        Language::Russian => "lang/zle/ru",
        Language::Japanese => "lang/jpx/ja",
        Language::Chinese => "lang/sit/cmn",
        Language::Korean => "lang/ko",
        Language::Arabic => "lang/sem/ar",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_is_complete() {
        for language in Language::ALL {
            let files = folder(language);
            let count = 3 + 2 * (1 + lent_by(language).len());
            assert_eq!(
                files.len(),
                count,
                "{language}: {:?}",
                files.iter().map(|file| file.0).collect::<Vec<_>>()
            );
        }
        assert_eq!(sounds().len(), 4);
    }

    #[test]
    fn engine_codes_are_found_again() {
        for language in Language::ALL {
            assert_eq!(language_of(engine_code(language)), Some(language));
        }
        assert_eq!(language_of("pl"), None);
    }
}
