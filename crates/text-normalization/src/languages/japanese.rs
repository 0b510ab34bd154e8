//! Japanese: only the words for symbols and addresses. Numbers, counters, dates, prices and units stay as they are written,
//! because their readings depend on the words around them; the Japanese front end reads them.

use super::rules::{Agreement, Currency, Rulers, Rules, Unit, Words, fixed};

pub(super) static RULES: Rules = Rules {
    words: Words {
        minus: "マイナス",
        plus: "プラス",
        equals: "イコール",
        times: "かける",
        divided: "わる",
        to: "から",
        over: "スラッシュ",
        and: "アンド",
        at: "アットマーク",
        dot: "ドット",
        slash: "スラッシュ",
        hyphen: "ハイフン",
        underscore: "アンダーバー",
        hashtag: "ハッシュタグ",
        number: "ナンバー",
        percent: ("", "パーセント"),
        permille: "パーミル",
        ratio: "対",
        always: "24時間年中無休",
        point: "てん",
        section: "セクション",
        less: "小なり",
        greater: "大なり",
        plus_minus: "プラスマイナス",
        about: "約",
    },
    decimal: '.',
    both_decimals: false,
    space_groups: false,
    month_first: false,
    space: "",
    months: &[],
    cardinal: |number: u64, _: Agreement| number.to_string(),
    fraction: |integer, decimals| format!("{integer}.{decimals}"),
    ordinal: |_, _| None,
    year: |number| number.to_string(),
    date: |date| {
        let year = date.year.map(|y| format!("{y}年")).unwrap_or_default();
        let day = date.day.map(|d| format!("{d}日")).unwrap_or_default();
        format!("{year}{}月{day}", date.month)
    },
    time: |hours, minutes, seconds| {
        let minutes = if minutes == 0 && seconds.is_none() {
            String::new()
        } else {
            format!("{minutes}分")
        };
        format!(
            "{hours}時{minutes}{}",
            seconds.map(|s| format!("{s}秒")).unwrap_or_default()
        )
    },
    part: |numerator, denominator| Some(format!("{denominator}分の{numerator}")),
    form: |_| 0,
    form_of_decimals: 0,
    units: UNITS,
    currencies: CURRENCIES,
    price_link: "",
    magnitudes: &[],
    of: "",
    scales: &[
        ("百万", "百万"),
        ("千万", "千万"),
        ("万", "万"),
        ("億", "億"),
        ("兆", "兆"),
    ],
    abbreviations: &[
        ("No.", "ナンバー", super::rules::Place::BeforeNumber),
        ("№", "ナンバー", super::rules::Place::BeforeNumber),
    ],
    rulers: &[],
    ruler_style: Rulers::Cardinals,
    centuries: &[],
    spelled: &[],
    year_cues: &[],
};

/// Latin unit symbols would otherwise become English spans.
const UNITS: &[Unit] = &[
    fixed("km/h", "キロメートル毎時"),
    fixed("m/s", "メートル毎秒"),
    fixed("km² ㎢", "平方キロメートル"),
    fixed("m² ㎡", "平方メートル"),
    fixed("m³", "立方メートル"),
    fixed("km ㎞", "キロメートル"),
    fixed("cm ㎝", "センチメートル"),
    fixed("mm ㎜", "ミリメートル"),
    fixed("m", "メートル"),
    fixed("ha", "ヘクタール"),
    fixed("kg ㎏", "キログラム"),
    fixed("mg", "ミリグラム"),
    fixed("g", "グラム"),
    fixed("t", "トン"),
    fixed("l L", "リットル"),
    fixed("ml mL", "ミリリットル"),
    fixed("°C ℃", "度"),
    fixed("°F ℉", "華氏度"),
    fixed("°", "度"),
    fixed("ms", "ミリ秒"),
    fixed("Hz", "ヘルツ"),
    fixed("kHz", "キロヘルツ"),
    fixed("MHz", "メガヘルツ"),
    fixed("GHz", "ギガヘルツ"),
    fixed("W", "ワット"),
    fixed("kW", "キロワット"),
    fixed("MW", "メガワット"),
    fixed("kWh", "キロワット時"),
    fixed("V", "ボルト"),
    fixed("mAh", "ミリアンペア時"),
    fixed("kcal", "キロカロリー"),
    fixed("KB kB", "キロバイト"),
    fixed("MB", "メガバイト"),
    fixed("GB", "ギガバイト"),
    fixed("TB", "テラバイト"),
    fixed("dB", "デシベル"),
    fixed("hPa", "ヘクトパスカル"),
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
    money("¥ JPY", "円"),
    money("US$ $ USD", "ドル"),
    money("€ EUR", "ユーロ"),
    money("£ GBP", "ポンド"),
    money("₩ KRW", "ウォン"),
    money("元 CNY", "元"),
    money("₹ INR", "ルピー"),
    money("₽ RUB", "ルーブル"),
];
