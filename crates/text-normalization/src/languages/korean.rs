//! Korean: Sino-Korean numbers, and native ones before the counters that want them.

use super::number_words::pure_number;
use super::rules::{Agreement, Currency, Date, Rulers, Rules, Unit, Words, fixed};

const DIGITS: [&str; 10] = ["영", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구"];
const PLACES: [&str; 4] = ["", "십", "백", "천"];
const SCALES: [&str; 5] = ["", "만", "억", "조", "경"];
const NATIVE_ONES: [&str; 10] = ["", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉"];
const NATIVE_TENS: [&str; 10] = ["", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔"];

/// Counters after native numbers. Longer ones that begin alike but take Sino-Korean numbers are in `NOT_COUNTERS`.
const COUNTERS: &[&str] = &[
    "개", "명", "살", "시간", "시", "마리", "권", "잔", "병", "장", "대", "송이", "그루", "켤레", "벌", "채", "사람",
    "가지", "달", "군데", "곳", "번째", "번", "배", "차례", "자루", "조각", "그릇", "쌍", "줄", "통", "분의", "끼",
    "척", "건",
];
const NOT_COUNTERS: &[&str] = &[
    "개월",
    "개국",
    "시즌",
    "번지",
    "장관",
    "대통령",
    "번길",
    "대학",
    "번호",
    "배럴",
    "건물",
    "병동",
];

pub(super) fn cardinal(number: u64, _: Agreement) -> String {
    if number == 0 {
        return DIGITS[0].into();
    }
    let mut words = String::new();
    for power in (0..5).rev() {
        let part = number / 10_000_u64.pow(power as u32) % 10_000;
        if part == 0 {
            continue;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        for place in (0..4).rev() {
            let digit = part / 10_u64.pow(place as u32) % 10;
            // 십, not 일십; and 만, not 일만, at the beginning.
            let silent_one = digit == 1 && (place > 0 || part == 1 && power == 1);
            if digit > 0 {
                words.push_str(if silent_one { "" } else { DIGITS[digit as usize] });
                words.push_str(PLACES[place]);
            }
        }
        words.push_str(SCALES[power]);
    }
    words
}

/// The native number before a noun: 스무 살, 세 개.
fn native(number: u64) -> Option<String> {
    match number {
        20 => Some("스무".into()),
        1..100 => Some(format!(
            "{}{}",
            NATIVE_TENS[number as usize / 10],
            NATIVE_ONES[number as usize % 10]
        )),
        _ => None,
    }
}

/// Native numbers before counters (up to 99; hours up to 12); months with the names they have.
pub(super) fn counted(number: u64, previous: &str, following: &str) -> Option<(String, usize)> {
    if following.starts_with('월') {
        return match number {
            6 => Some(("유".into(), 0)),
            10 => Some(("시".into(), 0)),
            _ => None,
        };
    }
    // After 제 it is an ordinal.
    if previous.ends_with('제') {
        return None;
    }
    // "삼십 분": minutes, seconds and money stand apart, as dictionaries write them.
    if ["분", "초"].iter().any(|unit| following.starts_with(unit)) && !following.starts_with("분의") {
        return Some((format!("{} ", cardinal(number, Agreement::Alone)), 0));
    }
    // "3대 1": a score
    if following
        .strip_prefix("대 ")
        .is_some_and(|score| score.starts_with(|c: char| c.is_ascii_digit()))
    {
        return None;
    }
    let counter = COUNTERS.iter().find(|counter| following.starts_with(*counter))?;
    if NOT_COUNTERS.iter().any(|word| following.starts_with(word)) || *counter == "시" && number > 12 {
        return None;
    }
    if *counter == "번째" && number == 1 {
        return Some(("첫".into(), 0));
    }
    // "3번" may be a number's name (bus 3) as well as a count; from ten on it nearly always is.
    if matches!(*counter, "번" | "대") && number >= 10 {
        return None;
    }
    Some((format!("{} ", native(number)?), 0))
}

fn year(number: u64) -> String {
    cardinal(number, Agreement::Alone)
}

fn date(date: Date) -> String {
    let mut words = date.year.map(|y| format!("{}년 ", year(y))).unwrap_or_default();
    words += &match date.month {
        6 => "유월".to_owned(),
        10 => "시월".to_owned(),
        month => format!("{}월", cardinal(month as u64, Agreement::Alone)),
    };
    if let Some(day) = date.day {
        words += &format!(" {}일", cardinal(day, Agreement::Alone));
    }
    words
}

fn time(hours: u64, minutes: u64, seconds: Option<u64>) -> String {
    let hour = native(hours)
        .filter(|_| hours <= 12)
        .unwrap_or_else(|| cardinal(hours, Agreement::Alone));
    let mut words = format!("{hour} 시");
    if minutes > 0 || seconds.is_some() {
        words += &format!(" {} 분", cardinal(minutes, Agreement::Alone));
    }
    if let Some(seconds) = seconds {
        words += &format!(" {} 초", cardinal(seconds, Agreement::Alone));
    }
    words
}

const UNITS: &[Unit] = &[
    fixed("km/h", "킬로미터 매 시"),
    fixed("m/s", "미터 매 초"),
    fixed("km² km2 ㎢", "제곱킬로미터"),
    fixed("m² m2 ㎡", "제곱미터"),
    fixed("cm² cm2", "제곱센티미터"),
    fixed("m³ m3", "세제곱미터"),
    fixed("N", "뉴턴"),
    fixed("km ㎞", "킬로미터"),
    fixed("cm ㎝", "센티미터"),
    fixed("mm ㎜", "밀리미터"),
    fixed("µm μm", "마이크로미터"),
    fixed("nm", "나노미터"),
    fixed("m", "미터"),
    fixed("ha", "헥타르"),
    fixed("kg ㎏", "킬로그램"),
    fixed("mg", "밀리그램"),
    fixed("g", "그램"),
    fixed("t", "톤"),
    fixed("l L ℓ", "리터"),
    fixed("ml mL", "밀리리터"),
    fixed("°C ℃", "도"),
    fixed("°F ℉", "화씨 도"),
    fixed("°", "도"),
    fixed("h", "시간"),
    fixed("min", "분"),
    fixed("s", "초"),
    fixed("ms", "밀리초"),
    fixed("Hz", "헤르츠"),
    fixed("kHz", "킬로헤르츠"),
    fixed("MHz", "메가헤르츠"),
    fixed("GHz", "기가헤르츠"),
    fixed("W", "와트"),
    fixed("kW", "킬로와트"),
    fixed("MW", "메가와트"),
    fixed("kWh", "킬로와트시"),
    fixed("V", "볼트"),
    fixed("mAh", "밀리암페어시"),
    fixed("kcal", "킬로칼로리"),
    fixed("kB KB", "킬로바이트"),
    fixed("MB", "메가바이트"),
    fixed("GB", "기가바이트"),
    fixed("TB", "테라바이트"),
    fixed("dB", "데시벨"),
    fixed("%p %P", "퍼센트 포인트"),
];

const fn money(symbols: &'static str, form: &'static str) -> Currency {
    Currency {
        symbols,
        forms: [form; 3],
        gender: Agreement::Masculine,
        cents: [""; 3],
    }
}

const CURRENCIES: &[Currency] = &[
    money("₩ KRW", "원"),
    money("US$ $ USD", "달러"),
    money("€ EUR", "유로"),
    money("£ GBP", "파운드"),
    money("¥ JPY", "엔"),
    money("元 CNY", "위안"),
    money("₹ INR", "루피"),
    money("₽ RUB", "루블"),
    money("CHF", "스위스 프랑"),
    money("HK$ HKD", "홍콩 달러"),
    money("₿ BTC", "비트코인"),
];

pub(super) static RULES: Rules = Rules {
    words: Words {
        minus: "마이너스",
        plus: "더하기",
        equals: "는",
        times: "곱하기",
        divided: "나누기",
        to: "에서",
        over: "대",
        and: "앤드",
        at: "골뱅이",
        dot: "점",
        slash: "슬래시",
        hyphen: "하이픈",
        underscore: "언더바",
        hashtag: "해시태그",
        number: "번호",
        percent: ("", "퍼센트"),
        permille: "퍼밀",
        ratio: "대",
        always: "이십사 시간 연중무휴",
        point: "점",
        section: "절",
        less: "보다 작다",
        greater: "보다 크다",
        plus_minus: "플러스마이너스",
        about: "약",
    },
    decimal: '.',
    both_decimals: false,
    space_groups: false,
    month_first: false,
    space: " ",
    months: &[],
    cardinal,
    fraction: |integer, decimals| {
        let whole = pure_number(integer, Agreement::Alone, cardinal, "");
        format!("{whole} 점 {}", super::digits(decimals, cardinal, " "))
    },
    ordinal: |_, _| None,
    year,
    date,
    time,
    part: |numerator, denominator| {
        let name = |number| cardinal(number, Agreement::Alone);
        Some(format!("{}분의 {}", name(denominator), name(numerator)))
    },
    form: |_| 0,
    form_of_decimals: 0,
    units: UNITS,
    currencies: CURRENCIES,
    price_link: " ",
    magnitudes: &[],
    of: "",
    scales: &[
        ("조", "조"),
        ("억", "억"),
        ("천만", "천만"),
        ("백만", "백만"),
        ("만", "만"),
        ("천", "천"),
    ],
    abbreviations: &[],
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
    fn numbers() {
        for (number, words) in [
            (10, "십"),
            (1_999, "천구백구십구"),
            (10_000, "만"),
            (21_000, "이만 천"),
            (1_234_567, "백이십삼만 사천오백육십칠"),
            (100_000_000, "일억"),
        ] {
            assert_eq!(cardinal(number, Agreement::Alone), words);
        }
        assert_eq!(counted(3, "", "개"), Some(("세 ".into(), 0)));
        assert_eq!(counted(20, "", "살"), Some(("스무 ".into(), 0)));
        assert_eq!(counted(3, "", "개월"), None);
        assert_eq!(counted(14, "", "시"), None);
    }
}
