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

/// Three to ten before feminine nouns, whose numbers have the masculine form (the polarity of Arabic numbers).
const BEFORE_FEMININE: [&str; 8] = ["ثَلاث", "أَرْبَع", "خَمْس", "سِتّ", "سَبْع", "ثَماني", "تِسْع", "عَشْر"];
/// Plurals of feminine nouns. Those in -āt alone do not tell: "ثلاثة دولارات", because دولار is masculine.
const FEMININE_PLURALS: &str = "سيارات ساعات سنوات مرات طالبات كلمات صفحات شركات درجات جامعات معلمات بنات لغات طائرات عمليات خطوات لحظات \
    فتيات نساء دقائق سنين ليالي ليال مدن غرف صور ثوان ثواني جمل قصص قطع مدارس دول لغات محطات وجبات حبات تفاحات ورقات رسائل نقاط أغنيات \
    زجاجات علب مباريات بطولات قنوات مجلات جرائد صحف شقق أخوات أمهات بطاقات طاولات وحدات حلقات مجموعات خدمات حالات فئات طبقات \
    نسخ رحلات جولات زيارات سور آيات روبيات هللات";

/// The words for three to ten before a feminine plural, and for a century.
pub(super) fn counted(number: u64, previous: &str, following: &str) -> Option<(String, usize)> {
    // "القرن 21" is the twenty-first century.
    if matches!(previous, "القرن" | "قرن" | "للقرن" | "بالقرن") {
        return ordinal_of(number, false).map(|words| (words, 0));
    }
    if !(3..=10).contains(&number) {
        return None;
    }
    let noun: String = following.chars().take_while(|c| c.is_alphabetic()).take(20).collect();
    FEMININE_PLURALS
        .split_ascii_whitespace()
        .any(|plural| plural == noun)
        .then(|| (BEFORE_FEMININE[number as usize - 3].to_owned(), 0))
}

/// Number and unit: one after its noun ("دولار واحد"), two as the dual of the noun, three to ten by the noun's gender.
pub(crate) fn counted_unit(count: u64, forms: &[&str; 3]) -> Option<String> {
    let [one, few, _] = *forms;
    let feminine = one.ends_with('ة');
    let varies = one != few;
    match count {
        1 if feminine => Some(format!("{one} واحِدة")),
        1 => Some(format!("{one} 1")),
        2 if one.contains(' ') || !varies => None,
        2 => Some(match one.strip_suffix('ة') {
            Some(stem) => format!("{stem}تان"),
            None => format!("{one}ان"),
        }),
        3..=10 if one.split(' ').next().is_some_and(|noun| noun.ends_with('ة')) => {
            Some(format!("{} {few}", BEFORE_FEMININE[count as usize - 3]))
        }
        _ => None,
    }
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
    let day = match date.day {
        None => String::new(),
        Some(1) => format!("{} من", ORDINALS[1][0]),
        Some(day) => cardinal(day, Agreement::Alone),
    };
    join(&[&day, MONTHS[date.month - 1], &date.year.map(year).unwrap_or_default()])
}

/// Ordinals with the article, masculine and feminine, from one to ten; for eleven and more the ones stand before the tens.
const ORDINALS: [[&str; 2]; 11] = [
    ["", ""],
    ["الأَوَّل", "الواحِدة"],
    ["الثاني", "الثانية"],
    ["الثالِث", "الثالِثة"],
    ["الرابِع", "الرابِعة"],
    ["الخامِس", "الخامِسة"],
    ["السادِس", "السادِسة"],
    ["السابِع", "السابِعة"],
    ["الثامِن", "الثامِنة"],
    ["التاسِع", "التاسِعة"],
    ["العاشِر", "العاشِرة"],
];

/// The ordinal with its article, up to 29.
fn ordinal_of(number: u64, feminine: bool) -> Option<String> {
    let gender = usize::from(feminine);
    let ones = match (number % 10, feminine) {
        (1, true) => "الحادية",
        (1, false) => "الحادي",
        (ones, _) => ORDINALS[ones as usize][gender],
    };
    Some(match number {
        1..=10 => ORDINALS[number as usize][gender].into(),
        11..20 => format!("{ones} {}", if feminine { "عَشْرة" } else { "عَشَر" }),
        20 => "العِشْرون".into(),
        21..30 => format!("{ones} {AND} العِشْرون"),
        _ => return None,
    })
}

/// Hours are feminine ordinals; a quarter, a third and a half of an hour have their names.
fn time(hours: u64, minutes: u64, seconds: Option<u64>) -> String {
    let hour = ordinal_of(hours, true).unwrap_or_else(|| cardinal(hours, Agreement::Alone));
    let counted = |count: u64, forms: [&str; 3]| {
        let number = || format!("{} {}", cardinal(count, Agreement::Alone), forms[form(count)]);
        format!("{AND} {}", counted_unit(count, &forms).unwrap_or_else(number))
    };
    let minute = match (minutes, seconds) {
        (0, _) => String::new(),
        (15, None) => format!("{AND} الرُّبْع"),
        (20, None) => format!("{AND} الثُّلْث"),
        (30, None) => format!("{AND} النِّصْف"),
        _ => counted(minutes, ["دقيقة", "دقائق", "دقيقة"]),
    };
    let second = seconds
        .map(|seconds| counted(seconds, ["ثانية", "ثوان", "ثانية"]))
        .unwrap_or_default();
    join(&[&hour, &minute, &second])
}

fn part(numerator: u64, denominator: u64) -> Option<String> {
    // The singular, and the plural after three to ten.
    let [one, many] = match denominator {
        2 => ["نِصْف", "أنصاف"],
        3 => ["ثُلْث", "أثلاث"],
        4 => ["رُبْع", "أرباع"],
        5 => ["خُمْس", "أخماس"],
        6 => ["سُدْس", "أسداس"],
        7 => ["سُبْع", "أسباع"],
        8 => ["ثُمْن", "أثمان"],
        9 => ["تُسْع", "أتساع"],
        10 => ["عُشْر", "أعشار"],
        _ => return None,
    };
    match numerator {
        1 => Some(one.into()),
        2 => Some(format!("{one}ان")),
        3..=10 => Some(format!("{numerator} {many}")),
        _ => None,
    }
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
    ("ص", "صفحة", Place::BeforeNumber),
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
        percent: ("", "في المِئة"),
        permille: "بِالأَلْف",
        ratio: "إلى",
        always: "على مدار الساعة",
        point: "نُقْطة",
        section: "فقرة",
        less: "أصغر من",
        greater: "أكبر من",
        plus_minus: "زائد أو ناقص",
        about: "حوالي",
    },
    decimal: '.',
    both_decimals: true,
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
    magnitudes: &[],
    of: "",
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
        assert_eq!(counted(3, "", "سيارات"), Some(("ثَلاث".into(), 0)));
        assert_eq!(counted(3, "", "كتب"), None);
        assert_eq!(counted(21, "القرن", ""), Some(("الحادي وَ العِشْرون".into(), 0)));
        assert_eq!(time(14, 30, None), "الرابِعة عَشْرة وَ النِّصْف");
        assert_eq!(time(9, 5, None), "التاسِعة وَ خَمْس دقائق");
        let hour = ["ساعة", "ساعات", "ساعة"];
        assert_eq!(counted_unit(2, &hour).as_deref(), Some("ساعتان"));
        assert_eq!(counted_unit(5, &hour).as_deref(), Some("خَمْس ساعات"));
        assert_eq!(counted_unit(1, &["دولار", "دولارات", "دولار"]).as_deref(), Some("دولار 1"));
    }
}
