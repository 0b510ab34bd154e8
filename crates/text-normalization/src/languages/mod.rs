//! Number words, symbols, units and abbreviations of each language, and the choice among them.
//!
//! The tables hold knowledge only. Finding a date or a price in running text is the matter of `normalise`.

mod arabic;
mod chinese;
mod english;
mod french;
mod gender;
mod gender_tables;
mod german;
mod hindi;
mod italian;
mod japanese;
mod korean;
mod number_words;
mod portuguese;
mod rules;
mod russian;
mod spanish;

pub(super) use arabic::counted_unit as arabic_unit;
pub(super) use gender::{feminine, german_half, may_be_noun};
pub(super) use number_words::{digits, pure_number};
use quartet_api::Language;
pub(super) use rules::{Agreement, Currency, Date, Place, Rulers, Rules, Unit};
pub(super) use russian::{
    Case, declined as russian_declined, governed as russian_case, noun as russian_noun, time_in as russian_time,
};

/// The tables of a language.
pub(super) fn rules_of(language: Language) -> &'static Rules {
    match language {
        Language::English => &english::RULES,
        Language::Hindi => &hindi::RULES,
        Language::Spanish => &spanish::RULES,
        Language::French => &french::RULES,
        Language::German => &german::RULES,
        Language::Italian => &italian::RULES,
        Language::Portuguese => &portuguese::RULES,
        Language::Russian => &russian::RULES,
        Language::Japanese => &japanese::RULES,
        Language::Chinese => &chinese::RULES,
        Language::Korean => &korean::RULES,
        Language::Arabic => &arabic::RULES,
    }
}

/// The words for a number before a noun, where they differ from counting: Korean native numbers, Chinese 两, Russian cases,
/// the gender of one in the Romance languages and in German. `previous` is the word before, in lower case; `following` the
/// text after the number and its space. Returns the words and how many bytes of `following` they say too.
pub(super) fn counted(language: Language, number: u64, previous: &str, following: &str) -> Option<(String, usize)> {
    match language {
        Language::Korean => korean::counted(number, previous, following),
        Language::Chinese => chinese::counted(number, previous, following),
        Language::Russian => russian::counted(number, previous, following),
        Language::Arabic => arabic::counted(number, previous, following),
        Language::French | Language::Spanish | Language::Portuguese | Language::Italian | Language::German => {
            gender::counted(language, number, previous, following, rules_of(language).cardinal)
        }
        _ => None,
    }
}
