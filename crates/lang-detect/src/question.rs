//! The language of something that a person asks: short, perhaps in none of the twelve languages, and in English where nothing in it
//! says otherwise.
//!
//! The crate `whatlang` knows seventy languages by their triples of letters. It takes many short texts for a rare language, so that
//! it alone decides nothing: a text is in another language only if it has letters that none of the twelve has, or if `whatlang` is
//! certain of it and few of its words are common in the twelve.

use quartet_api::Language;
use whatlang::{Detector, Lang};

use super::common_words::WORDS;
use super::detect::{self, detect};
use super::writing::{Writing, is_latin, writing};

/// Languages with more than some ten million speakers, or of a country of Europe; in rarer ones short texts are mistaken for them
/// more often than they are asked.
const KNOWN: [Lang; 49] = [
    Lang::Eng,
    Lang::Spa,
    Lang::Fra,
    Lang::Deu,
    Lang::Ita,
    Lang::Por,
    Lang::Nld,
    Lang::Pol,
    Lang::Tur,
    Lang::Swe,
    Lang::Dan,
    Lang::Nob,
    Lang::Fin,
    Lang::Ces,
    Lang::Slk,
    Lang::Ron,
    Lang::Hun,
    Lang::Vie,
    Lang::Ind,
    Lang::Cat,
    Lang::Hrv,
    Lang::Slv,
    Lang::Lit,
    Lang::Lav,
    Lang::Est,
    Lang::Tgl,
    Lang::Ell,
    Lang::Ukr,
    Lang::Bul,
    Lang::Srp,
    Lang::Mkd,
    Lang::Bel,
    Lang::Rus,
    Lang::Ara,
    Lang::Pes,
    Lang::Urd,
    Lang::Hin,
    Lang::Mar,
    Lang::Nep,
    Lang::Heb,
    Lang::Tha,
    Lang::Kat,
    Lang::Hye,
    Lang::Ben,
    Lang::Tam,
    Lang::Tel,
    Lang::Jpn,
    Lang::Cmn,
    Lang::Kor,
];

/// Letters that none of the twelve languages writes, of Latin, Cyrillic and Arabic script.
const FOREIGN_LETTERS: &str = "łąężśźćńőűğşıåøæčšžřěůđțășťďňľĺŕėųūįāēīģķļņăơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹіїєґўјљњћђџѓќپچژگٹڈڑںےہک";

/// Confidence from which on `whatlang` is believed.
const MIN_CONFIDENCE: f64 = 0.3;
/// Share of words that are common in one of the twelve from which on a text is in it.
const MAX_KNOWN_WORDS: f64 = 0.5;
/// The same where both detectors say that it is in another language, or a letter does.
const FEW_KNOWN_WORDS: f64 = 0.34;

/// Words below which triples of letters say nothing.
const MIN_WORDS: usize = 2;

/// Weight that a language must have over that of the turn before, else English, in a short text, in the unit of the detection: about a common word.
pub(super) const OVER_ENGLISH: i32 = 45;

/// The same between Spanish and Portuguese in one conversation, which share words: "mas" is Spanish without its accent, too.
const OVER_SISTER: i32 = 85;

/// The language of what somebody asks, after something in the language `before`; nothing where it is in none of the twelve.
///
/// A text that says little is in the language before, or in English: "3 miles in km", "start".
#[must_use]
pub fn asked_in(text: &str, before: Option<Language>) -> Option<Language> {
    if is_in_another(text, MIN_WORDS) {
        return None;
    }
    let guess = detect(text);
    let usual = before.unwrap_or(Language::English);
    if guess == usual || !is_latin(guess) || text.len() > detect::SHORT_TEXT_BYTES {
        return Some(guess);
    }
    if !is_latin(usual) {
        // Names and commands in Latin letters stand in a conversation in another script.
        return Some(if detect::says_little(text) { usual } else { guess });
    }
    if before.is_some() && has_little_beside_numbers(text) {
        return before;
    }
    let are_sisters = matches!(
        (guess, usual),
        (Language::Spanish, Language::Portuguese) | (Language::Portuguese, Language::Spanish)
    );
    let bound = if are_sisters { OVER_SISTER } else { OVER_ENGLISH };
    Some(match detect::margin(text, guess, usual) < bound {
        true => usual,
        false => guess,
    })
}

/// Returns true for a number with a word or two, which are words of several languages: "uns 72 km" is Portuguese, too.
fn has_little_beside_numbers(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    text.contains(char::is_numeric) && words.count() <= 2
}

/// Returns true if a text is in none of the twelve languages. In one of fewer words than `min_words` only letters tell.
pub(super) fn is_in_another(text: &str, min_words: usize) -> bool {
    let count = |wanted: Writing| text.chars().filter(|c| writing(*c) == wanted).count();
    let letters = text.chars().filter(|c| writing(*c) != Writing::Neutral).count();
    if letters == 0 {
        return false;
    }
    if count(Writing::Foreign) * 2 > letters {
        return true;
    }
    let guess = detect(text);
    let lower = text.to_lowercase();
    let has_foreign_letter = lower.chars().any(|c| FOREIGN_LETTERS.contains(c));
    if !is_latin(guess) {
        let has_own_letters = matches!(guess, Language::Russian | Language::Arabic);
        return has_own_letters && has_foreign_letter;
    }
    let known = share_of_known_words(&lower);
    if has_foreign_letter && known < FEW_KNOWN_WORDS {
        return true;
    }
    // A word may be one of any language: "menu".
    if text.split_whitespace().count() < min_words {
        return false;
    }
    let found = Detector::with_allowlist(KNOWN.to_vec()).detect(text);
    let Some(found) = found.filter(|found| !is_one_of_ours(found.lang())) else {
        return false;
    };
    let is_certain = found.confidence() > MIN_CONFIDENCE;
    let both_say_so = known <= FEW_KNOWN_WORDS && detect::is_latin_of_others(text);
    known <= MAX_KNOWN_WORDS && (is_certain || both_say_so)
}

fn is_one_of_ours(language: Lang) -> bool {
    matches!(
        language,
        Lang::Eng | Lang::Spa | Lang::Fra | Lang::Deu | Lang::Ita | Lang::Por
    )
}

/// The share of words that are common in the language that has most of them.
fn share_of_known_words(lower: &str) -> f64 {
    let lower = lower.replace('’', "'");
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphabetic() || c == '\''))
        .map(|word| word.trim_matches('\''))
        .filter(|word| !word.is_empty())
        .collect();
    let known = |list: &str| {
        let is_known = |word: &&&str| list.split_ascii_whitespace().any(|common| common == **word);
        words.iter().filter(is_known).count()
    };
    let most = WORDS.iter().map(|list| known(list)).max().unwrap_or_default();
    most as f64 / words.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_languages_are_none_of_the_twelve() {
        for text in [
            "Wat is de hoofdstad van Nederland?",
            "Jaka jest stolica Polski?",
            "Napisz krótki wiersz o kocie",
            "Türkiye'nin başkenti neresi?",
            "Vad heter Sveriges huvudstad?",
            "Яка столиця України?",
            "Ποια είναι η πρωτεύουσα της Ελλάδας;",
            "Thủ đô của Việt Nam là gì?",
            "پایتخت ایران کجاست؟",
            "מה בירת ישראל?",
        ] {
            assert_eq!(asked_in(text, None), None, "{text}");
        }
    }

    #[test]
    fn what_says_little_is_in_english_or_in_the_language_before() {
        for text in [
            "3 miles in km",
            "5 kg in lbs",
            "capital of Portugal",
            "start",
            "menu",
            "12:30 + 45",
        ] {
            assert_eq!(asked_in(text, None), Some(Language::English), "{text}");
        }
        assert_eq!(asked_in("3 km in m", Some(Language::German)), Some(Language::German));
        assert_eq!(asked_in("OK", Some(Language::Japanese)), Some(Language::Japanese));
    }

    #[test]
    fn words_of_two_sisters_stay_in_the_conversation() {
        for text in ["dame 3 mas", "mas corto"] {
            assert_eq!(
                asked_in(text, Some(Language::Spanish)),
                Some(Language::Spanish),
                "{text}"
            );
        }
        for (text, before, language) in [
            ("mais curto", Language::Spanish, Language::Portuguese),
            ("muito obrigado", Language::Spanish, Language::Portuguese),
            ("más corto", Language::Portuguese, Language::Spanish),
            ("muchas gracias", Language::Portuguese, Language::Spanish),
        ] {
            assert_eq!(asked_in(text, Some(before)), Some(language), "{text}");
        }
    }

    #[test]
    fn questions_are_in_their_own_language_whatever_was_before() {
        for (text, language) in [
            ("What is the capital of Peru?", Language::English),
            ("wie alt ist der kölner dom", Language::German),
            ("¿qué puedes hacer?", Language::Spanish),
            ("quelle heure est-il", Language::French),
            ("quanto costa un biglietto", Language::Italian),
            ("qual é a capital do Brasil", Language::Portuguese),
            ("какая столица России", Language::Russian),
            ("日本の首都は？", Language::Japanese),
        ] {
            for before in [None, Some(Language::English), Some(Language::German)] {
                assert_eq!(asked_in(text, before), Some(language), "{text}");
            }
        }
    }
}
