//! French, with the numbers of France ("soixante-dix", "quatre-vingt-dix").

use super::number_words::{decimals_in_groups, join, thousands};
use super::rules::{
    Abbreviation, Agreement, Currency, Date, Place, Rulers, Rules, Unit, Words, fixed, money, money_f, unit, unit_f,
};

const SMALL: [&str; 20] = [
    "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize",
    "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf",
];
const TENS: [&str; 10] = [
    "",
    "",
    "vingt",
    "trente",
    "quarante",
    "cinquante",
    "soixante",
    "soixante",
    "quatre-vingt",
    "quatre-vingt",
];
const SCALES: [[&str; 2]; 7] = [
    ["", ""],
    ["mille", "mille"],
    ["million", "millions"],
    ["milliard", "milliards"],
    ["billion", "billions"],
    ["billiard", "billiards"],
    ["trillion", "trillions"],
];
const MONTHS: [&str; 12] = [
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
];

fn below_hundred(number: u64, one: &str) -> String {
    let tens = number / 10;
    let base = TENS[tens as usize];
    match number {
        1 => one.into(),
        0..20 => SMALL[number as usize].into(),
        80 => "quatre-vingts".into(),
        81 => format!("quatre-vingt-{one}"),
        71 => "soixante et onze".into(),
        70..80 | 90..100 => format!("{base}-{}", SMALL[(number % 10 + 10) as usize]),
        _ if number.is_multiple_of(10) => base.into(),
        _ if number % 10 == 1 => format!("{base} et {one}"),
        _ => format!("{base}-{}", SMALL[number as usize % 10]),
    }
}

fn below_thousand(number: u64, one: &str) -> String {
    let rest = number % 100;
    let hundreds = match (number / 100, rest) {
        (0, _) => String::new(),
        (1, _) => "cent".into(),
        (count, 0) => format!("{} cents", SMALL[count as usize]),
        (count, _) => format!("{} cent", SMALL[count as usize]),
    };
    join(&[
        &hundreds,
        &if rest == 0 {
            String::new()
        } else {
            below_hundred(rest, one)
        },
    ])
}

pub(super) fn cardinal(number: u64, agreement: Agreement) -> String {
    if number == 0 {
        return SMALL[0].into();
    }
    let one = if agreement == Agreement::Feminine { "une" } else { "un" };
    let mut words = String::new();
    for (power, group) in thousands(number) {
        let count = match (power, group) {
            (0, _) => below_thousand(group, one),
            (1, 1) => String::new(),
            // "trois cent mille", but "trois cents millions".
            (1, _) => {
                let count = below_thousand(group, "un");
                let plural = count.ends_with("cents") || count.ends_with("vingts");
                count[..count.len() - usize::from(plural)].to_owned()
            }
            _ => below_thousand(group, "un"),
        };
        words = join(&[&words, &count, SCALES[power][usize::from(group > 1)]]);
    }
    words
}

fn ordinal_of(number: u64, feminine: bool) -> String {
    if number == 1 {
        return if feminine { "première" } else { "premier" }.into();
    }
    let words = cardinal(number, Agreement::Alone);
    let stem = words
        .strip_suffix('s')
        .filter(|_| words.ends_with("vingts") || words.ends_with("cents"))
        .unwrap_or(&words);
    match stem {
        _ if stem.ends_with("cinq") => format!("{stem}uième"),
        _ if stem.ends_with("neuf") => format!("{}vième", &stem[..stem.len() - 1]),
        _ if stem.ends_with('e') => format!("{}ième", &stem[..stem.len() - 1]),
        _ => format!("{stem}ième"),
    }
}

fn ordinal(number: u64, suffix: &str) -> Option<String> {
    match suffix {
        "er" | "ers" | "º" | "°" if number == 1 => Some(ordinal_of(1, false)),
        "re" | "ère" | "ère." | "res" | "ères" if number == 1 => Some(ordinal_of(1, true)),
        "e" | "es" | "ème" | "èmes" | "eme" | "ième" | "nd" | "nde" | "d" | "de" if number > 1 => {
            Some(ordinal_of(number, false))
        }
        _ => None,
    }
}

fn year(number: u64) -> String {
    cardinal(number, Agreement::Alone)
}

fn date(date: Date) -> String {
    let day = match date.day {
        None => String::new(),
        Some(1) => "premier".into(),
        Some(day) => cardinal(day, Agreement::Alone),
    };
    join(&[&day, MONTHS[date.month - 1], &date.year.map(year).unwrap_or_default()])
}

fn time(hours: u64, minutes: u64, seconds: Option<u64>) -> String {
    let hour = format!(
        "{} {}",
        cardinal(hours, Agreement::Feminine),
        if hours < 2 { "heure" } else { "heures" }
    );
    let minute = if minutes == 0 {
        String::new()
    } else {
        cardinal(minutes, Agreement::Feminine)
    };
    let second = seconds.map(|s| {
        format!(
            "et {} {}",
            cardinal(s, Agreement::Feminine),
            if s < 2 { "seconde" } else { "secondes" }
        )
    });
    join(&[&hour, &minute, &second.unwrap_or_default()])
}

fn part(numerator: u64, denominator: u64) -> Option<String> {
    let name = match denominator {
        2 => "demi".to_owned(),
        3 => "tiers".to_owned(),
        4 => "quart".to_owned(),
        5..=10 | 12 | 16 | 20 | 100 => ordinal_of(denominator, false),
        _ => return None,
    };
    let plural = if numerator > 1 && !name.ends_with('s') { "s" } else { "" };
    Some(format!("{} {name}{plural}", cardinal(numerator, Agreement::Masculine)))
}

const UNITS: &[Unit] = &[
    unit_f("x", "fois", "fois"),
    unit("km/h", "kilomètre à l'heure", "kilomètres à l'heure"),
    unit("m/s", "mètre par seconde", "mètres par seconde"),
    unit("km² km2", "kilomètre carré", "kilomètres carrés"),
    unit("m² m2", "mètre carré", "mètres carrés"),
    unit("cm² cm2", "centimètre carré", "centimètres carrés"),
    unit("m³ m3", "mètre cube", "mètres cubes"),
    unit("cm³ cm3", "centimètre cube", "centimètres cubes"),
    unit("km", "kilomètre", "kilomètres"),
    unit("cm", "centimètre", "centimètres"),
    unit("mm", "millimètre", "millimètres"),
    unit("µm μm", "micromètre", "micromètres"),
    unit("nm", "nanomètre", "nanomètres"),
    unit("m", "mètre", "mètres"),
    unit("ha", "hectare", "hectares"),
    unit("kg", "kilogramme", "kilogrammes"),
    unit("mg", "milligramme", "milligrammes"),
    unit("µg μg", "microgramme", "microgrammes"),
    unit("g", "gramme", "grammes"),
    unit_f("t", "tonne", "tonnes"),
    unit("l L", "litre", "litres"),
    unit("ml mL", "millilitre", "millilitres"),
    unit("cl cL", "centilitre", "centilitres"),
    unit("°C ℃", "degré Celsius", "degrés Celsius"),
    unit("°F ℉", "degré Fahrenheit", "degrés Fahrenheit"),
    unit("°", "degré", "degrés"),
    unit_f("h", "heure", "heures"),
    unit_f("min mn", "minute", "minutes"),
    unit_f("s", "seconde", "secondes"),
    unit_f("ms", "milliseconde", "millisecondes"),
    fixed("Hz", "hertz"),
    fixed("kHz", "kilohertz"),
    fixed("MHz", "mégahertz"),
    fixed("GHz", "gigahertz"),
    unit("W", "watt", "watts"),
    unit("kW", "kilowatt", "kilowatts"),
    unit("MW", "mégawatt", "mégawatts"),
    unit("kWh", "kilowatt-heure", "kilowatt-heures"),
    unit("V", "volt", "volts"),
    unit_f("kcal", "kilocalorie", "kilocalories"),
    unit("kJ", "kilojoule", "kilojoules"),
    unit("ko kB", "kilooctet", "kilooctets"),
    unit("Mo MB", "mégaoctet", "mégaoctets"),
    unit("Go GB", "gigaoctet", "gigaoctets"),
    unit("To TB", "téraoctet", "téraoctets"),
    unit("Mbit/s Mbps", "mégabit par seconde", "mégabits par seconde"),
    unit("dB", "décibel", "décibels"),
    unit("hPa", "hectopascal", "hectopascals"),
    unit("px", "pixel", "pixels"),
];

const CURRENCIES: &[Currency] = &[
    money("US$ $ USD", ["dollar", "dollars"], ["cent", "cents"]),
    money("€ EUR", ["euro", "euros"], ["centime", "centimes"]),
    money_f("£ GBP", ["livre", "livres"], ["penny", "pence"]),
    money("¥ JPY", ["yen", "yens"], ["", ""]),
    money_f("₹ INR", ["roupie", "roupies"], ["paisa", "paise"]),
    money("₽ RUB", ["rouble", "roubles"], ["kopeck", "kopecks"]),
    money("₩ KRW", ["won", "wons"], ["", ""]),
    money("元 CNY", ["yuan", "yuans"], ["", ""]),
    money("CHF", ["franc suisse", "francs suisses"], ["centime", "centimes"]),
    money("R$ BRL", ["réal", "réaux"], ["centavo", "centavos"]),
    money("₿ BTC", ["bitcoin", "bitcoins"], ["", ""]),
    money_f("SEK", ["couronne suédoise", "couronnes suédoises"], ["", ""]),
    money_f("NOK", ["couronne norvégienne", "couronnes norvégiennes"], ["", ""]),
    money_f("DKK", ["couronne danoise", "couronnes danoises"], ["", ""]),
    money("PLN zł", ["zloty", "zlotys"], ["", ""]),
    money_f("CZK Kč", ["couronne tchèque", "couronnes tchèques"], ["", ""]),
    money("HUF", ["forint", "forints"], ["", ""]),
    money_f("₺", ["livre turque", "livres turques"], ["", ""]),
    money_f("UAH ₴", ["hryvnia", "hryvnias"], ["", ""]),
    money("ILS ₪", ["shekel", "shekels"], ["", ""]),
    money("THB ฿", ["baht", "bahts"], ["", ""]),
    money("VND ₫", ["dong", "dongs"], ["", ""]),
    money("ZAR", ["rand", "rands"], ["", ""]),
    money(
        "AUD A$",
        ["dollar australien", "dollars australiens"],
        ["cent", "cents"],
    ),
    money(
        "CAD C$ $CA",
        ["dollar canadien", "dollars canadiens"],
        ["cent", "cents"],
    ),
    money(
        "NZD",
        ["dollar néo-zélandais", "dollars néo-zélandais"],
        ["cent", "cents"],
    ),
    money(
        "HKD HK$",
        ["dollar de Hong Kong", "dollars de Hong Kong"],
        ["cent", "cents"],
    ),
    money(
        "SGD",
        ["dollar de Singapour", "dollars de Singapour"],
        ["cent", "cents"],
    ),
    money("MXN", ["peso mexicain", "pesos mexicains"], ["", ""]),
    money("AED MAD", ["dirham", "dirhams"], ["", ""]),
    money("XOF XAF FCFA", ["franc CFA", "francs CFA"], ["", ""]),
];

const ABBREVIATIONS: &[Abbreviation] = &[
    ("M.", "Monsieur", Place::Title),
    ("MM.", "Messieurs", Place::Title),
    ("Mme", "Madame", Place::Anywhere),
    ("Mmes", "Mesdames", Place::Anywhere),
    ("Mlle", "Mademoiselle", Place::Anywhere),
    ("Mlles", "Mesdemoiselles", Place::Anywhere),
    ("Mgr", "Monseigneur", Place::Title),
    ("Dr.", "Docteur", Place::Title),
    ("Dr", "Docteur", Place::Title),
    ("Pr", "Professeur", Place::Title),
    ("Me", "Maître", Place::Title),
    ("St", "Saint", Place::Title),
    ("Ste", "Sainte", Place::Title),
    ("p. ex.", "par exemple", Place::Title),
    ("c.-à-d.", "c'est-à-dire", Place::Title),
    ("av. J.-C.", "avant Jésus-Christ", Place::Anywhere),
    ("apr. J.-C.", "après Jésus-Christ", Place::Anywhere),
    ("J.-C.", "Jésus-Christ", Place::Anywhere),
    ("etc.", "et cétéra", Place::Anywhere),
    ("env.", "environ", Place::Title),
    ("cf.", "confère", Place::Title),
    ("éd.", "édition", Place::Anywhere),
    ("chap.", "chapitre", Place::BeforeNumber),
    ("fig.", "figure", Place::BeforeNumber),
    ("vol.", "volume", Place::BeforeNumber),
    ("art.", "article", Place::BeforeNumber),
    ("pp.", "pages", Place::BeforeNumber),
    ("p.", "page", Place::BeforeNumber),
    ("nos", "numéros", Place::BeforeNumber),
    ("n°", "numéro", Place::BeforeNumber),
    ("nº", "numéro", Place::BeforeNumber),
    ("N°", "numéro", Place::BeforeNumber),
    ("Nº", "numéro", Place::BeforeNumber),
    ("no", "numéro", Place::BeforeNumber),
    ("bd.", "boulevard", Place::Title),
    ("bd", "boulevard", Place::Title),
    ("av.", "avenue", Place::Title),
    ("pl.", "place", Place::Title),
    ("tél.", "téléphone", Place::Title),
    ("Tél.", "Téléphone", Place::Title),
    ("janv.", "janvier", Place::Title),
    ("févr.", "février", Place::Title),
    ("juil.", "juillet", Place::Title),
    ("sept.", "septembre", Place::Title),
    ("oct.", "octobre", Place::Title),
    ("nov.", "novembre", Place::Title),
    ("déc.", "décembre", Place::Title),
    ("max.", "maximum", Place::BeforeNumber),
    ("min.", "minimum", Place::BeforeNumber),
    ("t.", "tome", Place::BeforeNumber),
];

pub(super) static RULES: Rules = Rules {
    words: Words {
        minus: "moins",
        plus: "plusse",
        equals: "égale",
        times: "fois",
        divided: "divisé par",
        to: "à",
        over: "sur",
        and: "et",
        at: "arobase",
        dot: "point",
        slash: "slash",
        hyphen: "tiret",
        underscore: "tiret bas",
        hashtag: "hashtag",
        number: "numéro",
        percent: ("", "pour cent"),
        permille: "pour mille",
        ratio: "à",
        always: "vingt-quatre heures sur vingt-quatre, sept jours sur sept",
        point: "point",
        section: "paragraphe",
        less: "inférieur à",
        greater: "supérieur à",
        plus_minus: "plus ou moins",
        about: "environ",
    },
    decimal: ',',
    both_decimals: false,
    space_groups: true,
    month_first: false,
    space: " ",
    months: &[
        ("janvier", 1),
        ("février", 2),
        ("mars", 3),
        ("avril", 4),
        ("mai", 5),
        ("juin", 6),
        ("juillet", 7),
        ("août", 8),
        ("septembre", 9),
        ("octobre", 10),
        ("novembre", 11),
        ("décembre", 12),
        ("janv", 1),
        ("févr", 2),
        ("avr", 4),
        ("juil", 7),
        ("sept", 9),
        ("oct", 10),
        ("nov", 11),
        ("déc", 12),
    ],
    cardinal,
    fraction: |integer, decimals| decimals_in_groups(integer, decimals, "virgule", cardinal),
    ordinal,
    year,
    date,
    time,
    part,
    form: |count| if count < 2 { 0 } else { 2 },
    form_of_decimals: 2,
    units: UNITS,
    currencies: CURRENCIES,
    price_link: " ",
    magnitudes: &[
        unit("Md Mds Mrd", "milliard", "milliards"),
        unit("Mio", "million", "millions"),
    ],
    of: "de ",
    scales: &[
        ("millions", "millions de"),
        ("million", "million de"),
        ("milliards", "milliards de"),
        ("milliard", "milliard de"),
        ("M", "millions de"),
        ("k", "mille"),
    ],
    abbreviations: ABBREVIATIONS,
    rulers: &[
        "louis",
        "henri",
        "françois",
        "charles",
        "philippe",
        "napoléon",
        "jean-paul",
        "paul",
        "pie",
        "benoît",
        "grégoire",
        "clément",
        "innocent",
        "élisabeth",
        "catherine",
        "alexandre",
        "nicolas",
        "pierre",
        "guillaume",
        "édouard",
        "georges",
        "frédéric",
        "léon",
        "albert",
        "baudouin",
        "léopold",
        "urbain",
        "jacques",
    ],
    ruler_style: Rulers::FirstOnly,
    centuries: &["siècle", "siècles"],
    spelled: &[
        "EU", "USA", "UE", "IBM", "FBI", "CIA", "IA", "URL", "USB", "API", "ADN", "EDF", "PSG", "TGV", "OGM", "UMP",
        "RATP", "SNCF", "HLM", "QI", "IRM", "USD", "EUR", "OCDE", "OMS", "OMC", "IP", "UV", "AFP", "TVA", "PME", "PDG",
        "BD", "CD", "HEC", "IUT", "IVG", "OM", "UK",
    ],
    year_cues: &[],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (number, words) in [
            (21, "vingt et un"),
            (71, "soixante et onze"),
            (80, "quatre-vingts"),
            (81, "quatre-vingt-un"),
            (99, "quatre-vingt-dix-neuf"),
            (200, "deux cents"),
            (1_001, "mille un"),
            (2_000_000, "deux millions"),
        ] {
            assert_eq!(cardinal(number, Agreement::Alone), words);
        }
        assert_eq!(ordinal(2, "e").as_deref(), Some("deuxième"));
        assert_eq!(ordinal(9, "e").as_deref(), Some("neuvième"));
        assert_eq!(ordinal(21, "e").as_deref(), Some("vingt et unième"));
        assert_eq!(ordinal(4, "ème").as_deref(), Some("quatrième"));
    }
}
