//! Russian: numbers agree in gender, ordinals in case. The tables of units and abbreviations are in `russian_tables`.

#[path = "russian_cases.rs"]
mod cases;
#[path = "russian_nouns.rs"]
mod nouns;
#[path = "russian_tables.rs"]
mod tables;

pub(crate) use cases::{Case, declined, noun};
pub(crate) use nouns::{counted, governed};

use super::number_words::{join, pure_number, thousands};
use super::rules::{Agreement, Date, Rulers, Rules, Words};

const SMALL: [&str; 20] = [
    "ноль",
    "один",
    "два",
    "три",
    "четыре",
    "пять",
    "шесть",
    "семь",
    "восемь",
    "девять",
    "десять",
    "одиннадцать",
    "двенадцать",
    "тринадцать",
    "четырнадцать",
    "пятнадцать",
    "шестнадцать",
    "семнадцать",
    "восемнадцать",
    "девятнадцать",
];
const TENS: [&str; 10] = [
    "",
    "",
    "двадцать",
    "тридцать",
    "сорок",
    "пятьдесят",
    "шестьдесят",
    "семьдесят",
    "восемьдесят",
    "девяносто",
];
const HUNDREDS: [&str; 10] = [
    "",
    "сто",
    "двести",
    "триста",
    "четыреста",
    "пятьсот",
    "шестьсот",
    "семьсот",
    "восемьсот",
    "девятьсот",
];
const SCALES: [[&str; 3]; 7] = [
    ["", "", ""],
    ["тысяча", "тысячи", "тысяч"],
    ["миллион", "миллиона", "миллионов"],
    ["миллиард", "миллиарда", "миллиардов"],
    ["триллион", "триллиона", "триллионов"],
    ["квадриллион", "квадриллиона", "квадриллионов"],
    ["квинтиллион", "квинтиллиона", "квинтиллионов"],
];
const MONTHS: [&str; 12] = [
    "января",
    "февраля",
    "марта",
    "апреля",
    "мая",
    "июня",
    "июля",
    "августа",
    "сентября",
    "октября",
    "ноября",
    "декабря",
];

/// The stems of ordinals; those of the last list take stressed endings ("второй").
const ORDINAL_STEMS: [&str; 20] = [
    "нулев",
    "перв",
    "втор",
    "трет",
    "четвёрт",
    "пят",
    "шест",
    "седьм",
    "восьм",
    "девят",
    "десят",
    "одиннадцат",
    "двенадцат",
    "тринадцат",
    "четырнадцат",
    "пятнадцат",
    "шестнадцат",
    "семнадцат",
    "восемнадцат",
    "девятнадцат",
];
const ORDINAL_TENS: [&str; 10] = [
    "",
    "",
    "двадцат",
    "тридцат",
    "сороков",
    "пятидесят",
    "шестидесят",
    "семидесят",
    "восьмидесят",
    "девяност",
];
const ORDINAL_HUNDREDS: [&str; 10] = [
    "",
    "сот",
    "двухсот",
    "трёхсот",
    "четырёхсот",
    "пятисот",
    "шестисот",
    "семисот",
    "восьмисот",
    "девятисот",
];
const STRESSED: [&str; 6] = ["нулев", "втор", "шест", "седьм", "восьм", "сороков"];

/// One, few (2–4) or many.
fn form(count: u64) -> usize {
    match (count % 10, count % 100 / 10) {
        (_, 1) => 2,
        (1, _) => 0,
        (2..=4, _) => 1,
        _ => 2,
    }
}

fn below_thousand(number: u64, agreement: Agreement) -> String {
    let rest = number % 100;
    let (tens, ones) = if rest < 20 { (0, rest) } else { (rest / 10, rest % 10) };
    let ones = match (ones, agreement) {
        (0, _) => "",
        (1, Agreement::Feminine) => "одна",
        (1, Agreement::Neuter) => "одно",
        (2, Agreement::Feminine) => "две",
        _ => SMALL[ones as usize],
    };
    join(&[HUNDREDS[number as usize / 100], TENS[tens as usize], ones])
}

pub(super) fn cardinal(number: u64, agreement: Agreement) -> String {
    if number == 0 {
        return SMALL[0].into();
    }
    let mut words = String::new();
    for (power, group) in thousands(number) {
        let count = match (power, group) {
            (1.., 1) => String::new(),
            (0, _) => below_thousand(group, agreement),
            (1, _) => below_thousand(group, Agreement::Feminine),
            _ => below_thousand(group, Agreement::Masculine),
        };
        words = join(&[&words, &count, SCALES[power][form(group)]]);
    }
    words
}

/// The endings of an ordinal by the last letters that texts write after the digits.
fn ending(suffix: &str, stem: &str) -> Option<&'static str> {
    let third = stem == "трет";
    let stressed = STRESSED.contains(&stem);
    Some(match suffix {
        "й" | "ый" | "ий" => match (third, stressed) {
            (true, _) => "ий",
            (_, true) => "ой",
            _ => "ый",
        },
        "ой" if third => "ьей",
        "ой" => "ой",
        "я" | "ая" if third => "ья",
        "я" | "ая" => "ая",
        "е" | "ое" if third => "ье",
        "е" | "ое" => "ое",
        "ые" if third => "ьи",
        "ые" => "ые",
        "го" | "ого" if third => "ьего",
        "го" | "ого" => "ого",
        "му" | "ому" if third => "ьему",
        "му" | "ому" => "ому",
        "м" | "ом" if third => "ьем",
        "м" | "ом" => "ом",
        "ым" if third => "ьим",
        "ым" => "ым",
        "ю" | "ую" if third => "ью",
        "ю" | "ую" => "ую",
        "х" | "ых" if third => "ьих",
        "х" | "ых" => "ых",
        "ми" | "ыми" if third => "ьими",
        "ми" | "ыми" => "ыми",
        _ => return None,
    })
}

fn ordinal(number: u64, suffix: &str) -> Option<String> {
    let suffix = suffix.trim_start_matches('-');
    // "1990-е" are years in the plural.
    let suffix = if suffix == "е" && number >= 10 && number.is_multiple_of(10) {
        "ые"
    } else {
        suffix
    };
    let rest = number % 100;
    let (head, stem) = match number {
        0 => (0, ORDINAL_STEMS[0].to_owned()),
        _ if number.is_multiple_of(1000) && number < 1_000_000 => {
            let count = number / 1000;
            let count = match count {
                1 => "",
                2 => "двух",
                3 => "трёх",
                4 => "четырёх",
                5 => "пяти",
                10 => "десяти",
                _ => return None,
            };
            (0, format!("{count}тысячн"))
        }
        _ if number.is_multiple_of(1000) => return None,
        _ if rest == 0 => (
            number - number % 1000,
            ORDINAL_HUNDREDS[(number % 1000 / 100) as usize].to_owned(),
        ),
        _ if rest < 20 => (number - rest, ORDINAL_STEMS[rest as usize].to_owned()),
        _ if rest.is_multiple_of(10) => (number - rest, ORDINAL_TENS[rest as usize / 10].to_owned()),
        _ => (number - rest % 10, ORDINAL_STEMS[rest as usize % 10].to_owned()),
    };
    let ending = ending(suffix, &stem)?;
    let head = if head == 0 {
        String::new()
    } else {
        cardinal(head, Agreement::Masculine)
    };
    Some(join(&[&head, &format!("{stem}{ending}")]))
}

fn year(number: u64) -> String {
    cardinal(number, Agreement::Masculine)
}

fn date(date: Date) -> String {
    let day = date
        .day
        .and_then(|day| ordinal(day, if date.oblique { "го" } else { "ое" }))
        .unwrap_or_default();
    let year = date
        .year
        .and_then(|year| ordinal(year, "го"))
        .map(|year| format!("{year} года"))
        .unwrap_or_default();
    join(&[&day, MONTHS[date.month - 1], &year])
}

/// A time of day after a preposition: "до восемнадцати часов".
pub(crate) fn time_in(hours: u64, minutes: u64, seconds: Option<u64>, case: Case) -> String {
    let named = |count, forms: [&str; 3], agreement| {
        format!("{} {}", declined(count, agreement, case), noun(&forms, count, case))
    };
    let hour = named(hours, ["час", "часа", "часов"], Agreement::Masculine);
    let minute = match minutes {
        0 => String::new(),
        _ => named(minutes, ["минута", "минуты", "минут"], Agreement::Feminine),
    };
    let second = seconds
        .map(|s| named(s, ["секунда", "секунды", "секунд"], Agreement::Feminine))
        .unwrap_or_default();
    join(&[&hour, &minute, &second])
}

fn time(hours: u64, minutes: u64, seconds: Option<u64>) -> String {
    time_in(hours, minutes, seconds, Case::Nominative)
}

fn fraction(integer: &str, decimals: &str) -> String {
    let whole = pure_number(integer, Agreement::Feminine, cardinal, " ");
    let (one, many) = match decimals.len() {
        1 => ("десятая", "десятых"),
        2 => ("сотая", "сотых"),
        3 => ("тысячная", "тысячных"),
        _ => return join(&[&whole, "запятая", &super::digits(decimals, cardinal, " ")]),
    };
    let is_one = |digits: &str| digits.parse().map(form) == Ok(0);
    let wholes = if is_one(integer) { "целая" } else { "целых" };
    let part = pure_number(decimals.trim_start_matches('0'), Agreement::Feminine, cardinal, " ");
    let part = if part.is_empty() { SMALL[0].to_owned() } else { part };
    join(&[&whole, wholes, &part, if is_one(decimals) { one } else { many }])
}

fn part(numerator: u64, denominator: u64) -> Option<String> {
    let few = numerator > 1;
    let name = match denominator {
        2 if numerator == 1 => return Some("одна вторая".into()),
        3 if few => "трети".into(),
        3 => "треть".into(),
        4 if few => "четверти".into(),
        4 => "четверть".into(),
        2 | 5..=20 | 100 => ordinal(denominator, if few { "ых" } else { "ая" })?,
        _ => return None,
    };
    Some(format!("{} {name}", cardinal(numerator, Agreement::Feminine)))
}

pub(super) static RULES: Rules = Rules {
    words: Words {
        minus: "минус",
        plus: "плюс",
        equals: "равно",
        times: "умножить на",
        divided: "разделить на",
        to: "–",
        over: "дробь",
        and: "и",
        at: "собака",
        dot: "точка",
        slash: "слэш",
        hyphen: "дефис",
        underscore: "нижнее подчёркивание",
        hashtag: "хештег",
        number: "номер",
        percent: ("", ""),
        permille: "промилле",
        ratio: " ",
        always: "двадцать четыре на семь",
        point: "точка",
        section: "параграф",
        less: "меньше",
        greater: "больше",
        plus_minus: "плюс-минус",
        about: "примерно",
    },
    decimal: ',',
    both_decimals: false,
    space_groups: true,
    month_first: false,
    space: " ",
    months: &[
        ("января", 1),
        ("февраля", 2),
        ("марта", 3),
        ("апреля", 4),
        ("мая", 5),
        ("июня", 6),
        ("июля", 7),
        ("августа", 8),
        ("сентября", 9),
        ("октября", 10),
        ("ноября", 11),
        ("декабря", 12),
        ("янв", 1),
        ("фев", 2),
        ("мар", 3),
        ("апр", 4),
        ("авг", 8),
        ("сен", 9),
        ("сент", 9),
        ("окт", 10),
        ("ноя", 11),
        ("дек", 12),
    ],
    cardinal,
    fraction,
    ordinal,
    year,
    date,
    time,
    part,
    form,
    form_of_decimals: 1,
    units: tables::UNITS,
    currencies: tables::CURRENCIES,
    price_link: " ",
    magnitudes: tables::MAGNITUDES,
    of: "",
    scales: &[
        ("тысяч", "тысяч"),
        ("миллионов", "миллионов"),
        ("миллиона", "миллиона"),
        ("миллион", "миллион"),
        ("миллиардов", "миллиардов"),
        ("миллиарда", "миллиарда"),
        ("миллиард", "миллиард"),
    ],
    abbreviations: tables::ABBREVIATIONS,
    rulers: &[
        "пётр",
        "петр",
        "петра",
        "петру",
        "петре",
        "николай",
        "николая",
        "николае",
        "александр",
        "александра",
        "александре",
        "екатерина",
        "екатерины",
        "екатерине",
        "елизавета",
        "елизаветы",
        "иван",
        "ивана",
        "людовик",
        "людовика",
        "генрих",
        "карл",
        "карла",
        "филипп",
        "павел",
        "павла",
        "вильгельм",
        "фридрих",
        "наполеон",
        "наполеона",
        "рамсес",
        "пий",
        "бенедикт",
        "григорий",
        "лев",
        "георг",
        "эдуард",
        "иоанн",
        "климент",
        "василий",
        "рюрик",
        "алексей",
    ],
    ruler_style: Rulers::Ordinals,
    centuries: &[
        "век",
        "века",
        "веке",
        "веком",
        "веку",
        "веков",
        "в.",
        "вв.",
        "столетие",
        "столетия",
        "съезд",
        "съезда",
    ],
    spelled: &[
        "США", "ООО", "ООН", "ОАО", "ЗАО", "ПАО", "АО", "ЕС", "АЭС", "ЦРУ", "ИИ", "ОС", "ГУП", "РАО",
    ],
    year_cues: &[],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (number, words) in [
            (21, "двадцать один"),
            (1_000, "тысяча"),
            (2_000, "две тысячи"),
            (5_021, "пять тысяч двадцать один"),
            (2_000_000, "два миллиона"),
        ] {
            assert_eq!(cardinal(number, Agreement::Masculine), words);
        }
        assert_eq!(fraction("1", "5"), "одна целая пять десятых");
        assert_eq!(fraction("2", "75"), "две целых семьдесят пять сотых");
    }

    #[test]
    fn ordinals() {
        assert_eq!(ordinal(1, "-й").as_deref(), Some("первый"));
        assert_eq!(ordinal(3, "-я").as_deref(), Some("третья"));
        assert_eq!(
            ordinal(1999, "м").as_deref(),
            Some("тысяча девятьсот девяносто девятом")
        );
        assert_eq!(ordinal(2000, "м").as_deref(), Some("двухтысячном"));
        assert_eq!(ordinal(1990, "-е").as_deref(), Some("тысяча девятьсот девяностые"));
    }
}
