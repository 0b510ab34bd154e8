//! Arabic. Texts without vowel marks leave the engine guessing, but it reads bare numbers from 0 to 20, tens, hundreds and a
//! thousand from its own vocalised list. So numbers are cut into such atoms, in the order of speech (units before tens),
//! joined by a vocalised "and".

use super::number_words::{decimals_as_number, join, thousands};
use super::rules::{Abbreviation, Agreement, Currency, Date, Place, Rulers, Rules, Unit, Words};

const AND: &str = "وَ";
const MONTHS: [&str; 12] = [
    "يناير",
    "فبراير",
    "مارس",
    "أبريل",
    "مايو",
    "يونيو",
    "يوليو",
    "أغسطس",
    "سبتمبر",
    "أكتوبر",
    "نوفمبر",
    "ديسمبر",
];
/// One, dual, plural (3–10), and the singular after larger counts.
const SCALES: [[&str; 4]; 7] = [
    ["", "", "", ""],
    ["1000", "ألفان", "آلاف", "أَلْف"],
    ["مليون", "مليونان", "ملايين", "مليون"],
    ["مليار", "ملياران", "مليارات", "مليار"],
    ["تريليون", "تريليونان", "تريليونات", "تريليون"],
    ["كوادريليون", "كوادريليونان", "كوادريليونات", "كوادريليون"],
    ["كوينتيليون", "كوينتيليونان", "كوينتيليونات", "كوينتيليون"],
];

fn below_thousand(number: u64) -> String {
    let (hundreds, rest) = (number / 100 * 100, number % 100);
    let mut atoms = Vec::new();
    if hundreds > 0 {
        atoms.push(hundreds.to_string());
    }
    match (rest / 10 * 10, rest % 10) {
        (0, 0) => {}
        (0 | 10, _) | (_, 0) => atoms.push(rest.to_string()),
        (tens, ones) => atoms.extend([ones.to_string(), tens.to_string()]),
    }
    atoms.join(&format!(" {AND} "))
}

pub(super) fn cardinal(number: u64, _: Agreement) -> String {
    if number == 0 {
        return "0".into();
    }
    let groups: Vec<String> = thousands(number)
        .map(|(power, group)| {
            let scale = SCALES[power];
            match (power, group) {
                (0, _) => below_thousand(group),
                (_, 1) => scale[0].into(),
                (_, 2) => scale[1].into(),
                _ if (3..=10).contains(&(group % 100)) => format!("{} {}", below_thousand(group), scale[2]),
                _ => format!("{} {}", below_thousand(group), scale[3]),
            }
        })
        .collect();
    groups.join(&format!(" {AND} "))
}

/// Singular, plural after 3 to 10, singular again.
fn form(count: u64) -> usize {
    match count {
        1 => 0,
        _ if (3..=10).contains(&(count % 100)) => 1,
        _ => 2,
    }
}

fn year(number: u64) -> String {
    cardinal(number, Agreement::Alone)
}

fn date(date: Date) -> String {
    let day = date.day.map(|day| cardinal(day, Agreement::Alone)).unwrap_or_default();
    join(&[&day, MONTHS[date.month - 1], &date.year.map(year).unwrap_or_default()])
}

fn time(hours: u64, minutes: u64, seconds: Option<u64>) -> String {
    let hour = cardinal(hours, Agreement::Alone);
    let minute = if minutes == 0 {
        String::new()
    } else {
        format!("{AND} {} دقيقة", cardinal(minutes, Agreement::Alone))
    };
    let second = seconds
        .map(|s| format!("{AND} {} ثانية", cardinal(s, Agreement::Alone)))
        .unwrap_or_default();
    join(&[&hour, &minute, &second])
}

fn part(numerator: u64, denominator: u64) -> Option<String> {
    let name = match (numerator, denominator) {
        (1, 2) => "نِصْف",
        (1, 3) => "ثُلْث",
        (2, 3) => "ثُلْثان",
        (1, 4) => "رُبْع",
        (3, 4) => "3 أرباع",
        (1, 5) => "خُمْس",
        (1, 6) => "سُدْس",
        (1, 8) => "ثُمْن",
        (1, 10) => "عُشْر",
        _ => return None,
    };
    Some(name.into())
}

const fn unit(symbols: &'static str, one: &'static str, few: &'static str) -> Unit {
    Unit {
        symbols,
        forms: [one, few, one],
        gender: Agreement::Masculine,
    }
}

const UNITS: &[Unit] = &[
    unit("km/h كم/س", "كيلومتر في الساعة", "كيلومترات في الساعة"),
    unit("m/s م/ث", "متر في الثانية", "أمتار في الثانية"),
    unit("km² كم²", "كيلومتر مربع", "كيلومترات مربعة"),
    unit("m² م²", "متر مربع", "أمتار مربعة"),
    unit("m³ م³", "متر مكعب", "أمتار مكعبة"),
    unit("km كم", "كيلومتر", "كيلومترات"),
    unit("cm سم", "سنتيمتر", "سنتيمترات"),
    unit("mm مم", "مليمتر", "مليمترات"),
    unit("m م", "متر", "أمتار"),
    unit("ha", "هكتار", "هكتارات"),
    unit("kg كغ كغم كجم", "كيلوغرام", "كيلوغرامات"),
    unit("mg ملغ ملغم", "مليغرام", "مليغرامات"),
    unit("g غ غم", "غرام", "غرامات"),
    unit("t", "طن", "أطنان"),
    unit("l L ل", "لتر", "لترات"),
    unit("ml mL مل", "مليلتر", "مليلترات"),
    unit("°C ℃ °م", "درجة مئوية", "درجات مئوية"),
    unit("°F ℉", "درجة فهرنهايت", "درجات فهرنهايت"),
    unit("°", "درجة", "درجات"),
    unit("h", "ساعة", "ساعات"),
    unit("min", "دقيقة", "دقائق"),
    unit("s", "ثانية", "ثوان"),
    unit("Hz", "هرتز", "هرتز"),
    unit("kHz", "كيلوهرتز", "كيلوهرتز"),
    unit("MHz", "ميغاهرتز", "ميغاهرتز"),
    unit("GHz", "غيغاهرتز", "غيغاهرتز"),
    unit("W", "واط", "واط"),
    unit("kW", "كيلوواط", "كيلوواط"),
    unit("MW", "ميغاواط", "ميغاواط"),
    unit("kWh", "كيلوواط ساعة", "كيلوواط ساعة"),
    unit("V", "فولت", "فولت"),
    unit("kcal", "كيلو كالوري", "كيلو كالوري"),
    unit("KB kB", "كيلوبايت", "كيلوبايت"),
    unit("MB", "ميغابايت", "ميغابايت"),
    unit("GB", "غيغابايت", "غيغابايت"),
    unit("TB", "تيرابايت", "تيرابايت"),
    unit("dB", "ديسيبل", "ديسيبل"),
];

const fn money(symbols: &'static str, forms: [&'static str; 3], cents: [&'static str; 3]) -> Currency {
    Currency {
        symbols,
        forms,
        gender: Agreement::Masculine,
        cents,
    }
}

const CENTS: [&str; 3] = ["سنت", "سنتات", "سنت"];
const NONE: [&str; 3] = [""; 3];

const CURRENCIES: &[Currency] = &[
    money("US$ $ USD", ["دولار", "دولارات", "دولار"], CENTS),
    money("€ EUR", ["يورو"; 3], CENTS),
    money("£ GBP", ["جنيه", "جنيهات", "جنيه"], ["بنس"; 3]),
    money("¥ JPY", ["ين"; 3], NONE),
    money("元 CNY", ["يوان"; 3], NONE),
    money("₹ INR", ["روبية", "روبيات", "روبية"], NONE),
    money("₽ RUB", ["روبل"; 3], NONE),
    money("₩ KRW", ["وون"; 3], NONE),
    money("SAR ر.س", ["ريال", "ريالات", "ريال"], ["هللة", "هللات", "هللة"]),
    money("AED د.إ", ["درهم", "دراهم", "درهم"], ["فلس", "فلوس", "فلس"]),
    money("EGP ج.م", ["جنيه", "جنيهات", "جنيه"], ["قرش", "قروش", "قرش"]),
];

const ABBREVIATIONS: &[Abbreviation] = &[
    ("أ. د.", "الأستاذ الدكتور", Place::Title),
    ("د.", "الدكتور", Place::Title),
    ("م.", "المهندس", Place::Title),
    ("ق. م.", "قبل الميلاد", Place::Anywhere),
    ("ص. ب.", "صندوق بريد", Place::Title),
    ("إلخ.", "إلى آخره", Place::Anywhere),
    ("إلخ", "إلى آخره", Place::Title),
    ("ص.", "صفحة", Place::BeforeNumber),
    ("رقم.", "رقم", Place::BeforeNumber),
];

pub(super) static RULES: Rules = Rules {
    words: Words {
        minus: "ناقِص",
        plus: "زائِد",
        equals: "يُساوي",
        times: "ضَرْب",
        divided: "عَلى",
        to: "إلى",
        over: "عَلى",
        and: AND,
        at: "آت",
        dot: "دوت",
        slash: "سلاش",
        hyphen: "شَرْطة",
        underscore: "شَرْطة سفلية",
        hashtag: "هاشتاغ",
        number: "رقم",
        percent: ("", "بِالمِئة"),
        permille: "بِالأَلْف",
        point: "نُقْطة",
        section: "فقرة",
        less: "أصغر من",
        greater: "أكبر من",
        plus_minus: "زائد أو ناقص",
        about: "حوالي",
    },
    decimal: '.',
    space_groups: false,
    month_first: false,
    space: " ",
    months: &[
        ("يناير", 1),
        ("فبراير", 2),
        ("مارس", 3),
        ("أبريل", 4),
        ("ابريل", 4),
        ("إبريل", 4),
        ("مايو", 5),
        ("يونيو", 6),
        ("يوليو", 7),
        ("أغسطس", 8),
        ("سبتمبر", 9),
        ("أكتوبر", 10),
        ("نوفمبر", 11),
        ("ديسمبر", 12),
    ],
    cardinal,
    fraction: |integer, decimals| decimals_as_number(integer, decimals, "فاصِلة", cardinal),
    ordinal: |_, _| None,
    year,
    date,
    time,
    part,
    form,
    form_of_decimals: 2,
    units: UNITS,
    currencies: CURRENCIES,
    price_link: " وَ ",
    scales: &[
        ("ملايين", "ملايين"),
        ("مليون", "مليون"),
        ("مليارات", "مليارات"),
        ("مليار", "مليار"),
        ("ألف", "ألف"),
        ("آلاف", "آلاف"),
    ],
    abbreviations: ABBREVIATIONS,
    rulers: &[],
    ruler_style: Rulers::Cardinals,
    centuries: &[],
    spelled: &[],
    year_cues: &[],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fall_into_atoms() {
        for (number, words) in [
            (34, "4 وَ 30"),
            (15, "15"),
            (1_234, "1000 وَ 200 وَ 4 وَ 30"),
            (5_000, "5 آلاف"),
            (2_000_000, "مليونان"),
        ] {
            assert_eq!(cardinal(number, Agreement::Alone), words);
        }
    }
}
