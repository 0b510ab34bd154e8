//! English: British number words ("one hundred and five"), since the engine's English voice is British.

#[path = "english_tables.rs"]
mod tables;

use super::number_words::{decimals_by_digit, join, one_or_many, thousands};
use super::rules::{Agreement, Date, Rulers, Rules, Words, unit};

const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] = [
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];
const SCALES: [&str; 7] = [
    "",
    "thousand",
    "million",
    "billion",
    "trillion",
    "quadrillion",
    "quintillion",
];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn below_hundred(number: u64) -> String {
    match number {
        0..20 => SMALL[number as usize].into(),
        _ if number.is_multiple_of(10) => TENS[number as usize / 10].into(),
        _ => format!("{}-{}", TENS[number as usize / 10], SMALL[number as usize % 10]),
    }
}

fn below_thousand(number: u64) -> String {
    match (number / 100, number % 100) {
        (0, rest) => below_hundred(rest),
        (hundreds, 0) => format!("{} hundred", SMALL[hundreds as usize]),
        (hundreds, rest) => format!("{} hundred and {}", SMALL[hundreds as usize], below_hundred(rest)),
    }
}

pub(super) fn cardinal(number: u64, _: Agreement) -> String {
    if number == 0 {
        return SMALL[0].into();
    }
    let mut pieces = Vec::new();
    for (power, group) in thousands(number) {
        if power == 0 && group < 100 && !pieces.is_empty() {
            pieces.push("and".to_owned());
        }
        pieces.push(below_thousand(group));
        pieces.push(SCALES[power].to_owned());
    }
    join(&pieces.iter().map(String::as_str).collect::<Vec<_>>())
}

fn ordinal_of(number: u64) -> String {
    let words = cardinal(number, Agreement::Alone);
    let cut = words.rfind([' ', '-']).map_or(0, |at| at + 1);
    let (head, last) = words.split_at(cut);
    let last = match last {
        "one" => "first".into(),
        "two" => "second".into(),
        "three" => "third".into(),
        "five" => "fifth".into(),
        "eight" => "eighth".into(),
        "nine" => "ninth".into(),
        "twelve" => "twelfth".into(),
        other => match other.strip_suffix('y') {
            Some(stem) => format!("{stem}ieth"),
            None => format!("{other}th"),
        },
    };
    format!("{head}{last}")
}

fn ordinal(number: u64, suffix: &str) -> Option<String> {
    match suffix {
        "st" | "nd" | "rd" | "th" | "ST" | "ND" | "RD" | "TH" | "º" | "ª" => Some(ordinal_of(number)),
        // "the 1990s", "in their 80s"
        "s" | "'s" if number.is_multiple_of(10) && number >= 20 => {
            let words = year(number);
            let plural = match words.strip_suffix('y') {
                Some(stem) => format!("{stem}ies"),
                None => format!("{words}s"),
            };
            Some(plural)
        }
        _ => None,
    }
}

fn year(number: u64) -> String {
    match number {
        1010..2000 | 2010..2100 => {
            let century = below_hundred(number / 100);
            match number % 100 {
                0 => format!("{century} hundred"),
                rest @ 1..10 => format!("{century} oh {}", SMALL[rest as usize]),
                rest => format!("{century} {}", below_hundred(rest)),
            }
        }
        _ => cardinal(number, Agreement::Alone),
    }
}

fn date(date: Date) -> String {
    let month = MONTHS[date.month - 1];
    let day = date
        .day
        .map(|day| format!("the {} of", ordinal_of(day)))
        .unwrap_or_default();
    join(&[&day, month, &date.year.map(year).unwrap_or_default()])
}

fn time(hours: u64, minutes: u64, seconds: Option<u64>) -> String {
    let hour = below_hundred(hours);
    if let Some(seconds) = seconds {
        let named =
            |count: u64, noun: &str| format!("{} {noun}{}", below_hundred(count), if count == 1 { "" } else { "s" });
        let (minutes, seconds) = (named(minutes, "minute"), named(seconds, "second"));
        return format!("{} {minutes} and {seconds}", named(hours, "hour"));
    }
    let rest = match minutes {
        0 if hours == 0 => "hundred".to_owned(),
        0 => "o'clock".to_owned(),
        1..10 => format!("oh {}", below_hundred(minutes)),
        _ => below_hundred(minutes),
    };
    join(&[&hour, &rest])
}

fn part(numerator: u64, denominator: u64) -> Option<String> {
    let name = match denominator {
        2 => "half".to_owned(),
        4 => "quarter".to_owned(),
        3..=100 | 1000 if denominator < 21 || denominator.is_multiple_of(10) => ordinal_of(denominator),
        _ => return None,
    };
    let name = match (numerator, name.as_str()) {
        (1, _) => name,
        (_, "half") => "halves".into(),
        _ => format!("{name}s"),
    };
    Some(format!("{} {name}", cardinal(numerator, Agreement::Alone)))
}

pub(super) static RULES: Rules = Rules {
    words: Words {
        minus: "minus",
        plus: "plus",
        equals: "equals",
        times: "times",
        divided: "divided by",
        to: "to",
        over: "over",
        and: "and",
        at: "at",
        dot: "dot",
        slash: "slash",
        hyphen: "dash",
        underscore: "underscore",
        hashtag: "hashtag",
        number: "number",
        percent: ("", "percent"),
        permille: "per mille",
        ratio: "to",
        always: "twenty-four seven",
        point: "point",
        section: "section",
        less: "is less than",
        greater: "is greater than",
        plus_minus: "plus or minus",
        about: "about",
    },
    decimal: '.',
    both_decimals: false,
    space_groups: false,
    month_first: true,
    space: " ",
    months: &[
        ("january", 1),
        ("february", 2),
        ("march", 3),
        ("april", 4),
        ("may", 5),
        ("june", 6),
        ("july", 7),
        ("august", 8),
        ("september", 9),
        ("october", 10),
        ("november", 11),
        ("december", 12),
        ("jan", 1),
        ("feb", 2),
        ("mar", 3),
        ("apr", 4),
        ("jun", 6),
        ("jul", 7),
        ("aug", 8),
        ("sept", 9),
        ("sep", 9),
        ("oct", 10),
        ("nov", 11),
        ("dec", 12),
    ],
    cardinal,
    fraction: |integer, decimals| decimals_by_digit(integer, decimals, "point", cardinal),
    ordinal,
    year,
    date,
    time,
    part,
    form: one_or_many,
    form_of_decimals: 2,
    units: tables::UNITS,
    currencies: tables::CURRENCIES,
    price_link: " ",
    magnitudes: &[
        unit("bn", "billion", "billion"),
        unit("mn mln", "million", "million"),
        unit("tn trn", "trillion", "trillion"),
    ],
    of: "",
    scales: &[
        ("thousand", "thousand"),
        ("million", "million"),
        ("billion", "billion"),
        ("trillion", "trillion"),
        ("k", "thousand"),
        ("K", "thousand"),
        ("m", "million"),
        ("M", "million"),
        ("B", "billion"),
        ("b", "billion"),
    ],
    abbreviations: tables::ABBREVIATIONS,
    rulers: &[
        "louis",
        "henry",
        "elizabeth",
        "charles",
        "george",
        "william",
        "edward",
        "james",
        "richard",
        "philip",
        "francis",
        "frederick",
        "catherine",
        "alexander",
        "nicholas",
        "peter",
        "paul",
        "benedict",
        "pius",
        "leo",
        "gregory",
        "innocent",
        "clement",
        "napoleon",
        "ramses",
        "ptolemy",
        "mary",
        "otto",
        "wilhelm",
        "christian",
        "gustav",
        "urban",
    ],
    ruler_style: Rulers::Ordinals,
    centuries: &["century"],
    spelled: &[
        "FBI", "CIA", "USA", "USB", "URL", "API", "UFO", "EU", "UK", "UN", "US", "UAE", "AI", "IT", "ID", "OECD",
        "IEEE", "ISBN", "UCLA", "USSR", "IMF", "MIT", "GPU", "CPU", "IBM", "EPA", "IRS", "IP", "OS", "UI", "UX", "CEO",
        "CFO", "CTO", "COO", "VIP", "BBC", "ABC", "NBA", "NFL", "AM", "FM", "IQ", "UTC", "USD", "EUR", "IOC", "FDA",
        "IRA", "ATM", "ETA", "FAQ", "DIY", "SUV", "AC", "DC", "AD", "BC", "GDP", "DNA", "RNA", "WHO", "EV", "LA",
        "NYC", "MBA", "PhD", "WTO", "IPO", "IOS", "SQL", "UTF", "UV", "ER", "ICU", "OK", "AP", "AR", "VR", "ML", "LED",
        "BCE", "CE", "EEG", "ECG", "MRI", "HIV", "ISO", "IEC",
    ],
    year_cues: &[
        "in",
        "since",
        "from",
        "by",
        "of",
        "until",
        "till",
        "year",
        "after",
        "before",
        "during",
        "circa",
        "early",
        "late",
        "mid",
        "summer",
        "winter",
        "spring",
        "autumn",
        "fall",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "copyright",
        "ad",
        "class",
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cardinals() {
        for (number, words) in [
            (0, "zero"),
            (21, "twenty-one"),
            (105, "one hundred and five"),
            (1_001, "one thousand and one"),
            (
                1_234_567,
                "one million two hundred and thirty-four thousand five hundred and sixty-seven",
            ),
        ] {
            assert_eq!(cardinal(number, Agreement::Alone), words);
        }
    }

    #[test]
    fn ordinals_and_years() {
        assert_eq!(ordinal_of(21), "twenty-first");
        assert_eq!(ordinal_of(12), "twelfth");
        assert_eq!(ordinal_of(30), "thirtieth");
        assert_eq!(ordinal_of(100), "one hundredth");
        assert_eq!(year(1999), "nineteen ninety-nine");
        assert_eq!(year(1905), "nineteen oh five");
        assert_eq!(year(2005), "two thousand and five");
        assert_eq!(ordinal(1990, "s").as_deref(), Some("nineteen nineties"));
    }
}
