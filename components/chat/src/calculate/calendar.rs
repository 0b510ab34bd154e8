//! Names of months and weekdays, out of the locales of the C library (crate `pure-rust-locales`), and dates in words.

use jiff::civil::{Date, Weekday};
use pure_rust_locales::{ar_EG, de_DE, en_US, es_ES, fr_FR, hi_IN, it_IT, ja_JP, ko_KR, pt_BR, ru_RU, zh_CN};
use quartet_api::Language;

use crate::messages::messages;

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

/// Returns true if months are a number and a sign, and have no names.
fn has_numbered_months(language: Language) -> bool {
    matches!(language, Language::Japanese | Language::Chinese | Language::Korean)
}

/// The names of each month in lower case, January first. Numbered months are read as dates.
pub(super) fn month_names(language: Language) -> Vec<Vec<&'static str>> {
    let names = names!(language, MON).iter().enumerate().map(|(index, name)| {
        let mut names: Vec<&'static str> = Vec::new();
        if has_numbered_months(language) {
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

/// The names of a month and their short forms in lower case, in all languages that have any.
pub(super) fn names_of_month(month: i8) -> Vec<String> {
    let Some(index) = usize::try_from(month - 1).ok().filter(|index| *index < 12) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for language in Language::ALL
        .into_iter()
        .filter(|language| !has_numbered_months(*language))
    {
        for name in [names!(language, MON)[index], names!(language, ABMON)[index]] {
            all.push(name.trim_end_matches('.').to_lowercase());
        }
    }
    all.extend(ru_RU::LC_TIME::ALT_MON.map(|names| names[index].to_lowercase()));
    let others = OTHER_NAMES_OF_MONTHS.iter().filter(|(number, _)| *number == month);
    all.extend(others.map(|(_, name)| (*name).to_owned()));
    all
}

/// Names of months that the locales do not have: other spellings of Hindi, Austria's January, and the months of the Levant in Arabic.
const OTHER_NAMES_OF_MONTHS: [(i8, &str); 26] = [
    (1, "जनवरी"),
    (2, "फरवरी"),
    (2, "फ़रवरी"),
    (3, "मार्च"),
    (9, "सितंबर"),
    (9, "सितम्बर"),
    (10, "अक्टूबर"),
    (10, "अक्तूबर"),
    (11, "नवंबर"),
    (11, "नवम्बर"),
    (12, "दिसंबर"),
    (12, "दिसम्बर"),
    (1, "jänner"),
    (2, "feber"),
    (1, "كانون الثاني"),
    (2, "شباط"),
    (3, "آذار"),
    (4, "نيسان"),
    (5, "أيار"),
    (6, "حزيران"),
    (7, "تموز"),
    (8, "آب"),
    (9, "أيلول"),
    (10, "تشرين الأول"),
    (11, "تشرين الثاني"),
    (12, "كانون الأول"),
];

/// The names of a weekday in lower case, in all languages.
pub(super) fn whole_names_of_weekday(weekday: Weekday) -> impl Iterator<Item = String> {
    let index = usize::from(weekday.to_sunday_zero_offset().unsigned_abs());
    let all = Language::ALL.into_iter();
    all.map(move |language| names!(language, DAY)[index].to_lowercase())
}

/// The names of a weekday and their short forms in lower case, in all languages.
pub(super) fn names_of_weekday(weekday: Weekday) -> Vec<String> {
    let index = usize::from(weekday.to_sunday_zero_offset().unsigned_abs());
    let all = Language::ALL.into_iter().flat_map(|language| {
        let short = names!(language, ABDAY)[index];
        // A single sign is a word of many other meanings.
        let short = (short.chars().count() > 1).then_some(short);
        [Some(names!(language, DAY)[index]), short]
    });
    all.flatten()
        .map(|name| name.trim_end_matches('.').to_lowercase())
        .collect()
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
    let (year, number) = (date.year().to_string(), date.month());
    let day = match (language, date.day()) {
        (Language::French, 1) => "1er".to_owned(),
        (Language::Italian, 1) => "1º".to_owned(),
        (_, day) => day.to_string(),
    };
    let month = if has_numbered_months(language) {
        number.to_string()
    } else {
        names!(language, MON)[usize::from(number.unsigned_abs()) - 1].to_owned()
    };
    messages(language).format("date", &[("year", &year), ("month", &month), ("day", &day)])
}
