//! The gender of the noun after a number, in the languages whose number words agree with it.

use super::rules::Agreement;
use quartet_api::Language;

/// Masculine nouns in -a, and words that are no nouns.
const NOT_FEMININE: &[&str] = &[
    "día",
    "días",
    "problema",
    "problemas",
    "sistema",
    "sistemas",
    "programa",
    "programas",
    "tema",
    "temas",
    "clima",
    "mapa",
    "mapas",
    "planeta",
    "planetas",
    "idioma",
    "idiomas",
    "dia",
    "dias",
    "poeta",
    "poetas",
    "atleta",
    "atletas",
];
const NOT_NOUNS: &[&str] = &[
    "para", "contra", "hasta", "hacia", "desde", "como", "con", "que", "por", "del", "della", "alla", "nella", "sulla",
    "dalla", "per", "che", "non", "una", "cada", "sobre", "entre", "sin", "los", "las", "les", "más", "mais", "era",
    "ora", "com", "sem", "dos", "das", "nos", "nas", "pela", "pelo", "até", "quando", "cuando", "mil", "anche", "dopo",
    "prima", "di", "von", "und", "bis", "oder", "mit", "ist", "war",
];

/// The gender of a noun by its ending, if the number changes with it: Spanish, Portuguese, Italian and German.
pub(super) fn agreement(language: Language, number: u64, following: &str) -> Option<Agreement> {
    let changes = match language {
        Language::German | Language::Italian => number == 1,
        Language::Portuguese => matches!(number % 10, 1 | 2) && number % 100 / 10 != 1 || number % 1000 >= 200,
        _ => number % 10 == 1 && number % 100 != 11 || number % 1000 >= 200,
    };
    let noun: String = following.chars().take_while(|c| c.is_alphabetic()).take(30).collect();
    let capitalised = noun.starts_with(char::is_uppercase);
    let is_noun = noun.chars().count() >= 3 && capitalised == (language == Language::German);
    if !changes || !is_noun || NOT_NOUNS.contains(&noun.as_str()) {
        return None;
    }
    let feminine_endings: &[&str] = match language {
        Language::German => &["e", "ung", "heit", "keit", "ion", "schaft", "tät"],
        Language::Spanish => &["a", "as", "ción", "ciones", "dad", "dades"],
        Language::Portuguese => &["a", "as", "ção", "ções", "dade", "dades"],
        _ => &["a", "zione", "tà"],
    };
    let feminine = !NOT_FEMININE.contains(&noun.as_str()) && feminine_endings.iter().any(|end| noun.ends_with(end));
    Some(if feminine {
        Agreement::Feminine
    } else {
        Agreement::Masculine
    })
}
