//! Whether a sentence denies something. A model that drops a "not" keeps every other word.

use quartet_api::Language;

/// Words that deny, in lower case.
fn words(language: Language) -> &'static [&'static str] {
    match language {
        Language::English => &[
            "not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without", "cannot", "unless",
            "except",
        ],
        Language::German => &[
            "nicht", "kein", "keine", "keinen", "keinem", "keiner", "keines", "nie", "niemals", "niemand", "nichts",
            "ohne", "weder", "außer",
        ],
        Language::French => &[
            "ne", "pas", "jamais", "sans", "aucun", "aucune", "nul", "nulle", "ni", "rien", "personne", "sauf",
        ],
        Language::Spanish => &[
            "no", "nunca", "jamás", "sin", "ningún", "ninguna", "ninguno", "nadie", "nada", "ni", "salvo", "excepto",
        ],
        Language::Italian => &[
            "non", "mai", "senza", "nessun", "nessuna", "nessuno", "né", "niente", "nulla", "salvo", "eccetto",
        ],
        Language::Portuguese => &[
            "não", "nunca", "jamais", "sem", "nenhum", "nenhuma", "ninguém", "nada", "nem", "salvo", "exceto",
        ],
        Language::Russian => &[
            "не",
            "нет",
            "ни",
            "никогда",
            "без",
            "никто",
            "ничего",
            "нельзя",
            "кроме",
        ],
        Language::Hindi => &["नहीं", "न", "ना", "मत", "बिना"],
        Language::Arabic => &["لا", "لم", "لن", "ليس", "ليست", "غير", "بدون", "دون", "إلا"],
        Language::Chinese | Language::Japanese | Language::Korean => &[],
    }
}

/// Parts of words that deny, in languages that write them so.
fn parts(language: Language) -> &'static [&'static str] {
    match language {
        Language::English => &["n't", "n’t"],
        Language::French => &["n'", "n’"],
        Language::Chinese => &["不", "没", "沒", "无", "無", "非", "未", "勿"],
        Language::Japanese => &["ない", "なく", "なかっ", "ません", "ぬ", "ずに", "無", "非", "不"],
        Language::Korean => &["않", "없", "아니", "못", "말아"],
        _ => &[],
    }
}

/// Whether a sentence denies something.
pub(crate) fn denies(sentence: &str, language: Language) -> bool {
    let lower = sentence.to_lowercase();
    let words = words(language);
    lower
        .split(|c: char| !c.is_alphabetic() && !is_mark(c))
        .any(|word| words.contains(&word))
        || parts(language).iter().any(|part| lower.contains(part))
}

/// Vowel signs of Devanagari are no letters for Rust, and stand inside of words.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{97f}')
}
