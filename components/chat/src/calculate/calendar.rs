//! Names of months and weekdays, out of the locales of the C library (crate `pure-rust-locales`), and dates in words.

use jiff::civil::Date;
use pure_rust_locales::{ar_EG, de_DE, en_US, es_ES, fr_FR, hi_IN, it_IT, ja_JP, ko_KR, pt_BR, ru_RU, zh_CN};
use quartet_api::Language;

macro_rules! names {
    ($language:expr, $field:ident) => {
        match $language {
            Language::English => en_US::LC_TIME::$field,
            Language::Hindi => hi_IN::LC_TIME::$field,
            Language::Spanish => es_ES::LC_TIME::$field,
            Language::French => fr_FR::LC_TIME::$field,
            Language::German => de_DE::LC_TIME::$field,
            Language::Italian => it_IT::LC_TIME::$field,
            Language::Portuguese => pt_BR::LC_TIME::$field,
            Language::Russian => ru_RU::LC_TIME::$field,
            Language::Japanese => ja_JP::LC_TIME::$field,
            Language::Chinese => zh_CN::LC_TIME::$field,
            Language::Korean => ko_KR::LC_TIME::$field,
            Language::Arabic => ar_EG::LC_TIME::$field,
        }
    };
}

/// The names of each month in lower case, January first. Those that are a number and a sign are read as dates.
pub(super) fn month_names(language: Language) -> Vec<Vec<&'static str>> {
    let numbered = matches!(language, Language::Japanese | Language::Chinese | Language::Korean);
    let names = names!(language, MON).iter().enumerate().map(|(index, name)| {
        let mut names: Vec<&'static str> = Vec::new();
        if numbered {
            return names;
        }
        // Tables live as long as the sandbox.
        names.push(Box::leak(name.to_lowercase().into_boxed_str()));
        let nominative = (language == Language::Russian)
            .then_some(ru_RU::LC_TIME::ALT_MON)
            .flatten();
        if let Some(name) = nominative.and_then(|names| names.get(index)) {
            names.push(Box::leak(name.to_lowercase().into_boxed_str()));
        }
        names
    });
    names.collect()
}

/// The name of a date's weekday.
pub(super) fn weekday(date: Date, language: Language) -> String {
    let index = usize::from(date.weekday().to_sunday_zero_offset().unsigned_abs());
    let name = names!(language, DAY)[index];
    match language {
        Language::Russian => name.to_lowercase(),
        Language::Portuguese if (1..=5).contains(&index) => format!("{name}-feira"),
        _ => name.to_owned(),
    }
}

/// A date in words.
pub(super) fn date(date: Date, language: Language) -> String {
    let (year, number, day) = (date.year(), date.month(), date.day());
    let month = names!(language, MON)[usize::from(number.unsigned_abs()) - 1];
    match language {
        Language::Spanish | Language::Portuguese => format!("{day} de {month} de {year}"),
        Language::German => format!("{day}. {month} {year}"),
        Language::Russian => format!("{day} {month} {year} г."),
        Language::Japanese | Language::Chinese => format!("{year}年{number}月{day}日"),
        Language::Korean => format!("{year}년 {number}월 {day}일"),
        _ => format!("{day} {month} {year}"),
    }
}
