//! Hindi. The engine reads every number below a hundred rightly, so larger ones are cut into such atoms with the Indian scale
//! (hundred, thousand, lakh, crore, arab, kharab) between them.

use super::number_words::{decimals_by_digit, join, one_or_many};
use super::rules::{Abbreviation, Agreement, Currency, Date, Place, Rulers, Rules, Unit, Words, fixed, money};

const MONTHS: [&str; 12] = [
    "जनवरी",
    "फ़रवरी",
    "मार्च",
    "अप्रैल",
    "मई",
    "जून",
    "जुलाई",
    "अगस्त",
    "सितंबर",
    "अक्टूबर",
    "नवंबर",
    "दिसंबर",
];
const SCALES: [(u64, &str); 9] = [
    (100_000_000_000_000_000, "शंख"),
    (1_000_000_000_000_000, "पद्म"),
    (10_000_000_000_000, "नील"),
    (100_000_000_000, "खरब"),
    (1_000_000_000, "अरब"),
    (10_000_000, "करोड़"),
    (100_000, "लाख"),
    (1_000, "हज़ार"),
    (100, "सौ"),
];

pub(super) fn cardinal(number: u64, _: Agreement) -> String {
    let mut rest = number;
    let mut words = String::new();
    for (size, name) in SCALES {
        let count = rest / size;
        if count > 0 {
            let count = if count < 100 {
                count.to_string()
            } else {
                cardinal(count, Agreement::Alone)
            };
            words = join(&[&words, &count, name]);
            rest %= size;
        }
    }
    let last = if rest > 0 || number == 0 {
        rest.to_string()
    } else {
        String::new()
    };
    join(&[&words, &last])
}

fn ordinal(number: u64, suffix: &str) -> Option<String> {
    let irregular = match (number, suffix) {
        (1, "ला") => "पहला",
        (1, "ली") => "पहली",
        (1, "ले") => "पहले",
        (2, "रा") => "दूसरा",
        (2, "री") => "दूसरी",
        (2, "रे") => "दूसरे",
        (3, "रा") => "तीसरा",
        (3, "री") => "तीसरी",
        (3, "रे") => "तीसरे",
        (4, "था") => "चौथा",
        (4, "थी") => "चौथी",
        (4, "थे") => "चौथे",
        (6, "ठा") => "छठा",
        (6, "ठी") => "छठी",
        (6, "ठे") => "छठे",
        (_, "वां" | "वाँ" | "वीं" | "वें") => {
            return Some(format!("{} {suffix}", cardinal(number, Agreement::Alone)));
        }
        // English ordinals as Hindi speakers say them.
        (1..=12, "st" | "nd" | "rd" | "th") => {
            const ENGLISH: [&str; 13] = [
                "",
                "फर्स्ट",
                "सेकंड",
                "थर्ड",
                "फोर्थ",
                "फिफ्थ",
                "सिक्स्थ",
                "सेवंथ",
                "एटथ",
                "नाइंथ",
                "टेंथ",
                "इलेवंथ",
                "ट्वेल्थ",
            ];
            ENGLISH[number as usize]
        }
        _ => return None,
    };
    Some(irregular.into())
}

/// Years in hundreds up to 1999 ("उन्नीस सौ निन्यानवे"), but "दो हज़ार चौबीस".
fn year(number: u64) -> String {
    match number {
        1100..2000 => {
            let rest = number % 100;
            let rest = if rest == 0 { String::new() } else { rest.to_string() };
            join(&[&(number / 100).to_string(), "सौ", &rest])
        }
        _ => cardinal(number, Agreement::Alone),
    }
}

fn date(date: Date) -> String {
    let day = date.day.map(|day| cardinal(day, Agreement::Alone)).unwrap_or_default();
    join(&[&day, MONTHS[date.month - 1], &date.year.map(year).unwrap_or_default()])
}

fn time(hours: u64, minutes: u64, seconds: Option<u64>) -> String {
    let hour = hours.to_string();
    let minute = if minutes == 0 {
        "बजे".to_owned()
    } else {
        format!("बजकर {minutes} मिनट")
    };
    join(&[&hour, &minute, &seconds.map(|s| format!("{s} सेकंड")).unwrap_or_default()])
}

fn part(numerator: u64, denominator: u64) -> Option<String> {
    match (numerator, denominator) {
        (1, 2) => Some("आधा".into()),
        (1, 3) => Some("एक तिहाई".into()),
        (2, 3) => Some("दो तिहाई".into()),
        (1, 4) => Some("एक चौथाई".into()),
        (3, 4) => Some("तीन चौथाई".into()),
        _ => None,
    }
}

const UNITS: &[Unit] = &[
    fixed("km/h km/hr किमी/घंटा", "किलोमीटर प्रति घंटा"),
    fixed("m/s", "मीटर प्रति सेकंड"),
    fixed("km²", "वर्ग किलोमीटर"),
    fixed("m²", "वर्ग मीटर"),
    fixed("m³", "घन मीटर"),
    fixed("km किमी किमी. कि.मी.", "किलोमीटर"),
    fixed("cm सेमी से.मी.", "सेंटीमीटर"),
    fixed("mm मिमी मि.मी.", "मिलीमीटर"),
    fixed("m मी", "मीटर"),
    fixed("ha", "हेक्टेयर"),
    fixed("kg किग्रा कि.ग्रा.", "किलोग्राम"),
    fixed("mg मिग्रा", "मिलीग्राम"),
    fixed("g ग्रा", "ग्राम"),
    fixed("t", "टन"),
    fixed("mi", "मील"),
    fixed("mi/hr mph", "मील प्रति घंटा"),
    fixed("in", "इंच"),
    fixed("ft", "फीट"),
    fixed("yd", "यार्ड"),
    fixed("ac", "एकड़"),
    fixed("µm μm", "माइक्रोमीटर"),
    fixed("nm", "नैनोमीटर"),
    fixed("cg", "सेंटीग्राम"),
    fixed("dg", "डेसीग्राम"),
    fixed("oz", "आउन्स"),
    fixed("lb lbs", "पाउंड"),
    fixed("q", "क्विंटल"),
    fixed("qt", "क्वार्ट"),
    fixed("pt", "पिंट"),
    fixed("gal", "गैलन"),
    fixed("K", "केल्विन"),
    fixed("yr", "साल"),
    fixed("wk", "हफ़्ते"),
    fixed("l L ली", "लीटर"),
    fixed("ml mL मिली", "मिलीलीटर"),
    fixed("°C ℃ °से", "डिग्री सेल्सियस"),
    fixed("°F ℉", "डिग्री फ़ारेनहाइट"),
    fixed("°", "डिग्री"),
    fixed("h", "घंटे"),
    fixed("min", "मिनट"),
    fixed("s", "सेकंड"),
    fixed("ms", "मिलीसेकंड"),
    fixed("Hz", "हर्ट्ज़"),
    fixed("kHz", "किलोहर्ट्ज़"),
    fixed("MHz", "मेगाहर्ट्ज़"),
    fixed("GHz", "गीगाहर्ट्ज़"),
    fixed("W", "वाट"),
    fixed("kW", "किलोवाट"),
    fixed("MW", "मेगावाट"),
    fixed("kWh", "किलोवाट घंटे"),
    fixed("V", "वोल्ट"),
    fixed("kcal", "किलो कैलोरी"),
    fixed("KB kB", "किलोबाइट"),
    fixed("MB", "मेगाबाइट"),
    fixed("GB", "गीगाबाइट"),
    fixed("TB", "टेराबाइट"),
    fixed("dB", "डेसिबल"),
];

const CURRENCIES: &[Currency] = &[
    money("₹ INR रु. रु Rs. Rs", ["रुपया", "रुपये"], ["पैसा", "पैसे"]),
    money("US$ $ USD", ["डॉलर", "डॉलर"], ["सेंट", "सेंट"]),
    money("€ EUR", ["यूरो", "यूरो"], ["सेंट", "सेंट"]),
    money("£ GBP", ["पाउंड", "पाउंड"], ["पेंस", "पेंस"]),
    money("¥ JPY", ["येन", "येन"], ["सेन", "सेन"]),
    money("₺ TRY", ["लीरा", "लीरा"], ["कुरुस", "कुरुस"]),
    money("₽ RUB", ["रूबल", "रूबल"], ["", ""]),
    money("₩ KRW", ["वॉन", "वॉन"], ["", ""]),
    money("元 CNY", ["युआन", "युआन"], ["", ""]),
];

const ABBREVIATIONS: &[Abbreviation] = &[
    ("डॉ॰", "डॉक्टर", Place::Title),
    ("डॉ.", "डॉक्टर", Place::Title),
    ("डा.", "डॉक्टर", Place::Title),
    ("प्रो.", "प्रोफ़ेसर", Place::Title),
    ("पं.", "पंडित", Place::Title),
    ("श्रीमति.", "श्रीमती", Place::Title),
    ("सु.", "सुश्री", Place::Title),
    ("कु.", "कुमारी", Place::Title),
    ("मा.", "मास्टर", Place::Title),
    ("इं.", "इंजीनियर", Place::Title),
    ("श्री.", "श्री", Place::Title),
    ("रु.", "रुपये", Place::AfterNumber),
    ("ई. पू.", "ईसा पूर्व", Place::Anywhere),
    ("ई.", "ईस्वी", Place::AfterNumber),
    ("सं.", "संख्या", Place::BeforeNumber),
    ("क्र.", "क्रमांक", Place::BeforeNumber),
    ("पृ.", "पृष्ठ", Place::BeforeNumber),
    ("इ.", "इत्यादि", Place::Anywhere),
    ("नं.", "नंबर", Place::BeforeNumber),
];

pub(super) static RULES: Rules = Rules {
    words: Words {
        minus: "माइनस",
        plus: "प्लस",
        equals: "बराबर",
        times: "गुणा",
        divided: "भाग",
        to: "से",
        over: "बटा",
        and: "और",
        at: "ऐट",
        dot: "डॉट",
        slash: "स्लैश",
        hyphen: "हाइफ़न",
        underscore: "अंडरस्कोर",
        hashtag: "हैशटैग",
        number: "नंबर",
        percent: ("", "प्रतिशत"),
        permille: "प्रति हज़ार",
        ratio: " ",
        always: "चौबीसों घंटे सातों दिन",
        point: "पॉइंट",
        section: "धारा",
        less: "से कम",
        greater: "से अधिक",
        plus_minus: "प्लस माइनस",
        about: "लगभग",
    },
    decimal: '.',
    both_decimals: false,
    space_groups: false,
    month_first: false,
    space: " ",
    months: &[
        ("जनवरी", 1),
        ("फ़रवरी", 2),
        ("फरवरी", 2),
        ("मार्च", 3),
        ("अप्रैल", 4),
        ("मई", 5),
        ("जून", 6),
        ("जुलाई", 7),
        ("अगस्त", 8),
        ("सितंबर", 9),
        ("सितम्बर", 9),
        ("अक्टूबर", 10),
        ("अक्तूबर", 10),
        ("नवंबर", 11),
        ("नवम्बर", 11),
        ("दिसंबर", 12),
        ("दिसम्बर", 12),
    ],
    cardinal,
    fraction: |integer, decimals| decimals_by_digit(integer, decimals, "दशमलव", cardinal),
    ordinal,
    year,
    date,
    time,
    part,
    form: one_or_many,
    form_of_decimals: 2,
    units: UNITS,
    currencies: CURRENCIES,
    price_link: " ",
    magnitudes: &[],
    of: "",
    scales: &[("हज़ार", "हज़ार"), ("लाख", "लाख"), ("करोड़", "करोड़"), ("अरब", "अरब")],
    abbreviations: ABBREVIATIONS,
    rulers: &[],
    ruler_style: Rulers::Cardinals,
    centuries: &[],
    spelled: &[],
    year_cues: &["सन", "सन्", "वर्ष", "साल"],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fall_into_atoms() {
        for (number, words) in [
            (0, "0"),
            (56, "56"),
            (1_234_567, "12 लाख 34 हज़ार 5 सौ 67"),
            (10_000_000, "1 करोड़"),
        ] {
            assert_eq!(cardinal(number, Agreement::Alone), words);
        }
        assert_eq!(year(1999), "19 सौ 99");
        assert_eq!(ordinal(2, "रा").as_deref(), Some("दूसरा"));
        assert_eq!(ordinal(5, "वां").as_deref(), Some("5 वां"));
    }
}
