//! Chinese (Mandarin). The engine reads Arabic digits wrongly, so every number is spelled in characters.

use super::number_words::pure_number;
use super::rules::{Agreement, Currency, Date, Rulers, Rules, Unit, Words, fixed};

const DIGITS: [&str; 10] = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
const PLACES: [&str; 4] = ["", "十", "百", "千"];
const SCALES: [&str; 5] = ["", "万", "亿", "万亿", "亿亿"];

/// Measure words and units of time before which two is 两. (日, 月, 号 count days and months of the calendar: 二.)
const MEASURES: &[&str] = &[
    "个", "個", "只", "隻", "条", "條", "本", "张", "張", "位", "名", "件", "天", "年", "小时", "小時", "分钟", "分鐘",
    "秒", "次", "种", "種", "岁", "歲", "块", "塊", "元", "点", "點", "人", "家", "辆", "輛", "台", "臺", "间", "間",
    "座", "棵", "朵", "杯", "瓶", "碗", "双", "雙", "对", "對", "套", "层", "層", "倍", "周", "週", "星期", "句", "篇",
    "首", "部", "场", "場", "项", "項", "米", "公里", "公斤", "吨", "匹", "头", "頭", "架", "艘", "支", "枝", "根",
    "把", "片", "份", "批", "组", "組", "群", "美元", "欧元",
];

/// A group of four digits. `leading` says whether nothing stands before it, so that 10 is 十, not 一十.
fn group(number: u64, leading: bool) -> String {
    let mut words = String::new();
    let mut gap = false;
    for place in (0..4).rev() {
        let digit = number / 10_u64.pow(place as u32) % 10;
        if digit == 0 {
            gap = !words.is_empty();
            continue;
        }
        if gap {
            words.push('零');
            gap = false;
        }
        match (digit, place) {
            (1, 1) if words.is_empty() && leading => {}
            // Before hundreds and thousands two is 两.
            (2, 2 | 3) => words.push('两'),
            _ => words.push_str(DIGITS[digit as usize]),
        }
        words.push_str(PLACES[place]);
    }
    words
}

pub(super) fn cardinal(number: u64, agreement: Agreement) -> String {
    match (number, agreement) {
        (0, _) => return DIGITS[0].into(),
        (2, Agreement::Masculine) => return "两".into(),
        _ => {}
    }
    let mut words = String::new();
    let mut gap = false;
    for power in (0..5).rev() {
        let part = number / 10_000_u64.pow(power as u32) % 10_000;
        if part == 0 {
            gap = !words.is_empty();
            continue;
        }
        let leading = words.is_empty();
        if !leading && (part < 1000 || gap) {
            words.push('零');
        }
        match part {
            2 if power > 0 => words.push('两'),
            _ => words.push_str(&group(part, leading)),
        }
        words.push_str(SCALES[power]);
        gap = false;
    }
    words
}

/// The words for a number before a noun: 两 before a measure word; 年 after four digits makes a year, read digit by digit.
pub(super) fn counted(number: u64, previous: &str, following: &str) -> Option<(String, usize)> {
    // After 第 it is an ordinal.
    if previous.ends_with('第') {
        return None;
    }
    if (1000..3000).contains(&number) && following.starts_with('年') {
        return Some((year(number), 0));
    }
    // "2千": as it is said in whole numbers; "302房间" is the name of a room.
    if number == 2 && following.starts_with(['千', '万', '萬', '亿', '億']) {
        return Some(("两".to_owned(), 0));
    }
    if (100..10_000).contains(&number)
        && ["房间", "房間", "室", "号房", "號房"]
            .iter()
            .any(|room| following.starts_with(room))
    {
        return Some((super::digits(&number.to_string(), cardinal, ""), 0));
    }
    // "90后", "1998级": generations and classes are read digit by digit.
    let digits = super::digits(&number.to_string(), cardinal, "");
    if matches!(number, 50..100) && (following.starts_with('后') || following.starts_with('後'))
        || (1900..2100).contains(&number) && ["级", "級", "届", "屆"].iter().any(|word| following.starts_with(word))
    {
        return Some((digits, 0));
    }
    (number == 2 && MEASURES.iter().any(|measure| following.starts_with(measure))).then(|| ("两".to_owned(), 0))
}

fn year(number: u64) -> String {
    super::digits(&number.to_string(), cardinal, "")
}

fn date(date: Date) -> String {
    let mut words = date.year.map(|y| format!("{}年", year(y))).unwrap_or_default();
    words += &format!("{}月", cardinal(date.month as u64, Agreement::Alone));
    if let Some(day) = date.day {
        words += &format!("{}日", cardinal(day, Agreement::Alone));
    }
    words
}

fn time(hours: u64, minutes: u64, seconds: Option<u64>) -> String {
    let mut words = format!("{}点", cardinal(hours, Agreement::Masculine));
    if minutes > 0 || seconds.is_some() {
        let zero = if minutes < 10 && minutes > 0 { "零" } else { "" };
        words += &format!("{zero}{}分", cardinal(minutes, Agreement::Alone));
    }
    if let Some(seconds) = seconds {
        words += &format!("{}秒", cardinal(seconds, Agreement::Alone));
    }
    words
}

const UNITS: &[Unit] = &[
    fixed("km/h", "公里每小时"),
    fixed("m/s", "米每秒"),
    fixed("km² km2", "平方公里"),
    fixed("m² m2 ㎡", "平方米"),
    fixed("cm² cm2", "平方厘米"),
    fixed("m³ m3", "立方米"),
    fixed("km", "公里"),
    fixed("cm", "厘米"),
    fixed("mm", "毫米"),
    fixed("µm μm", "微米"),
    fixed("nm", "纳米"),
    fixed("m", "米"),
    fixed("ha", "公顷"),
    fixed("kg", "公斤"),
    fixed("mg", "毫克"),
    fixed("µg μg", "微克"),
    fixed("g", "克"),
    fixed("t", "吨"),
    fixed("l L", "升"),
    fixed("ml mL", "毫升"),
    fixed("°C ℃", "摄氏度"),
    fixed("°F ℉", "华氏度"),
    fixed("°", "度"),
    fixed("h", "小时"),
    fixed("min", "分钟"),
    fixed("s", "秒"),
    fixed("ms", "毫秒"),
    fixed("Hz", "赫兹"),
    fixed("kHz", "千赫"),
    fixed("MHz", "兆赫"),
    fixed("GHz", "吉赫"),
    fixed("W", "瓦"),
    fixed("kW", "千瓦"),
    fixed("MW", "兆瓦"),
    fixed("kWh", "千瓦时"),
    fixed("V", "伏"),
    fixed("mA", "毫安"),
    fixed("mAh", "毫安时"),
    fixed("kcal", "千卡"),
    fixed("kJ", "千焦"),
    fixed("dB", "分贝"),
];

/// A price is said as a decimal number of the unit, so there are no hundredths.
const fn money(symbols: &'static str, form: &'static str) -> Currency {
    Currency {
        symbols,
        forms: [form; 3],
        gender: Agreement::Masculine,
        cents: [""; 3],
    }
}

const CURRENCIES: &[Currency] = &[
    money("¥ 元 CNY RMB CN¥", "元"),
    money("HK$ HKD", "港元"),
    money("NT$ TWD", "新台币"),
    money("US$ $ USD", "美元"),
    money("€ EUR", "欧元"),
    money("£ GBP", "英镑"),
    money("JPY 円", "日元"),
    money("₩ KRW", "韩元"),
    money("₹ INR", "卢比"),
    money("₽ RUB", "卢布"),
    money("CHF", "瑞士法郎"),
    money("R$ BRL", "雷亚尔"),
    money("₿ BTC", "比特币"),
];

pub(super) static RULES: Rules = Rules {
    words: Words {
        minus: "负",
        plus: "加",
        equals: "等于",
        times: "乘",
        divided: "除以",
        to: "到",
        over: "比",
        and: "和",
        at: "艾特",
        dot: "点",
        slash: "斜杠",
        hyphen: "杠",
        underscore: "下划线",
        hashtag: "话题",
        number: "号",
        percent: ("百分之", ""),
        permille: "千分之",
        ratio: "比",
        always: "二十四小时全天候",
        point: "点",
        section: "节",
        less: "小于",
        greater: "大于",
        plus_minus: "正负",
        about: "约",
    },
    decimal: '.',
    both_decimals: false,
    space_groups: false,
    month_first: false,
    space: "",
    months: &[],
    cardinal,
    fraction: |integer, decimals| {
        let whole = pure_number(integer, Agreement::Alone, cardinal, "");
        format!("{whole}点{}", super::digits(decimals, cardinal, ""))
    },
    ordinal: |_, _| None,
    year,
    date,
    time,
    part: |numerator, denominator| {
        let name = |number| cardinal(number, Agreement::Alone);
        Some(format!("{}分之{}", name(denominator), name(numerator)))
    },
    form: |_| 0,
    form_of_decimals: 0,
    units: UNITS,
    currencies: CURRENCIES,
    price_link: "",
    magnitudes: &[],
    of: "",
    scales: &[
        ("万亿", "万亿"),
        ("百万", "百万"),
        ("千万", "千万"),
        ("万", "万"),
        ("萬", "万"),
        ("亿", "亿"),
        ("億", "亿"),
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
            (10, "十"),
            (12, "十二"),
            (110, "一百一十"),
            (105, "一百零五"),
            (200, "两百"),
            (2_005, "两千零五"),
            (10_010, "一万零一十"),
            (20_000, "两万"),
            (1_234_567, "一百二十三万四千五百六十七"),
            (100_000_001, "一亿零一"),
            (100_500, "十万零五百"),
        ] {
            assert_eq!(cardinal(number, Agreement::Alone), words);
        }
        assert_eq!(counted(2, "", "个人"), Some(("两".into(), 0)));
        assert_eq!(counted(2, "", "月"), None);
        assert_eq!(counted(2, "第", "次"), None);
        assert_eq!(counted(2024, "", "年"), Some(("二零二四".into(), 0)));
    }
}
