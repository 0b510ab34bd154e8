//! Italian.

use super::number_words::{decimals_as_number, join, one_or_many, thousands};
use super::rules::{
    Abbreviation, Agreement, Currency, Date, Place, Rulers, Rules, Unit, Words, fixed, money, money_f, unit, unit_f,
};

const SMALL: [&str; 20] = [
    "zero",
    "uno",
    "due",
    "tre",
    "quattro",
    "cinque",
    "sei",
    "sette",
    "otto",
    "nove",
    "dieci",
    "undici",
    "dodici",
    "tredici",
    "quattordici",
    "quindici",
    "sedici",
    "diciassette",
    "diciotto",
    "diciannove",
];
const TENS: [&str; 10] = [
    "",
    "",
    "venti",
    "trenta",
    "quaranta",
    "cinquanta",
    "sessanta",
    "settanta",
    "ottanta",
    "novanta",
];
const SCALES: [[&str; 2]; 7] = [
    ["", ""],
    ["mille", "mila"],
    ["milione", "milioni"],
    ["miliardo", "miliardi"],
    ["bilione", "bilioni"],
    ["biliardo", "biliardi"],
    ["trilione", "trilioni"],
];
const MONTHS: [&str; 12] = [
    "gennaio",
    "febbraio",
    "marzo",
    "aprile",
    "maggio",
    "giugno",
    "luglio",
    "agosto",
    "settembre",
    "ottobre",
    "novembre",
    "dicembre",
];

fn below_hundred(number: u64) -> String {
    if number < 20 {
        return SMALL[number as usize].into();
    }
    let tens = TENS[number as usize / 10];
    match number % 10 {
        0 => tens.into(),
        // The tens lose their vowel before uno and otto; a final tre is stressed.
        ones @ (1 | 8) => format!("{}{}", &tens[..tens.len() - 1], SMALL[ones as usize]),
        3 => format!("{tens}tré"),
        ones => format!("{tens}{}", SMALL[ones as usize]),
    }
}

fn below_thousand(number: u64) -> String {
    let hundreds = match number / 100 {
        0 => String::new(),
        1 => "cento".into(),
        count => format!("{}cento", SMALL[count as usize]),
    };
    let rest = number % 100;
    join(&[&hundreds, &if rest == 0 { String::new() } else { below_hundred(rest) }])
}

pub(super) fn cardinal(number: u64, agreement: Agreement) -> String {
    if number == 0 {
        return SMALL[0].into();
    }
    if number == 1 {
        return match agreement {
            Agreement::Alone => "uno",
            Agreement::Feminine => "una",
            Agreement::Masculine | Agreement::Neuter => "un",
        }
        .into();
    }
    let mut words = String::new();
    for (power, group) in thousands(number) {
        let count = match (power, group) {
            (1, 1) => String::new(),
            (2.., 1) => "un".into(),
            _ => below_thousand(group),
        };
        words = join(&[&words, &count, SCALES[power][usize::from(group > 1)]]);
    }
    words
}

fn ordinal_of(number: u64, ending: char) -> Option<String> {
    let stem = match number {
        0 => return None,
        1..=10 => [
            "", "prim", "second", "terz", "quart", "quint", "sest", "settim", "ottav", "non", "decim",
        ][number as usize]
            .to_owned(),
        1000 => "millesim".into(),
        11..1000 => {
            let words = cardinal(number, Agreement::Alone).replace('é', "e");
            match number % 10 {
                // Tre and sei keep their vowel, unless they belong to tredici and sedici.
                3 | 6 if number % 100 / 10 != 1 => format!("{words}esim"),
                _ => format!("{}esim", &words[..words.len() - 1]),
            }
        }
        _ => return None,
    };
    Some(format!("{stem}{ending}"))
}

fn ordinal(number: u64, suffix: &str) -> Option<String> {
    match suffix {
        "º" | "°" | "o" => ordinal_of(number, 'o'),
        "ª" | "a" => ordinal_of(number, 'a'),
        "i" => ordinal_of(number, 'i'),
        "e" => ordinal_of(number, 'e'),
        _ => None,
    }
}

fn year(number: u64) -> String {
    cardinal(number, Agreement::Alone)
}

fn date(date: Date) -> String {
    let day = match date.day {
        None => String::new(),
        Some(1) => "primo".into(),
        Some(day) => cardinal(day, Agreement::Alone),
    };
    join(&[&day, MONTHS[date.month - 1], &date.year.map(year).unwrap_or_default()])
}

fn time(hours: u64, minutes: u64, seconds: Option<u64>) -> String {
    let hour = match hours {
        0 => "zero".to_owned(),
        _ => cardinal(hours, Agreement::Feminine),
    };
    let minute = match minutes {
        0 => String::new(),
        _ => format!("e {}", cardinal(minutes, Agreement::Alone)),
    };
    let second = seconds.map(|s| {
        format!(
            "e {} {}",
            cardinal(s, Agreement::Masculine),
            if s == 1 { "secondo" } else { "secondi" }
        )
    });
    join(&[&hour, &minute, &second.unwrap_or_default()])
}

fn part(numerator: u64, denominator: u64) -> Option<String> {
    let (one, many) = match denominator {
        2 => ("mezzo".to_owned(), "mezzi".to_owned()),
        3..=10 | 12 | 16 | 20 | 100 => (ordinal_of(denominator, 'o')?, ordinal_of(denominator, 'i')?),
        _ => return None,
    };
    Some(format!(
        "{} {}",
        cardinal(numerator, Agreement::Masculine),
        if numerator == 1 { one } else { many }
    ))
}

const UNITS: &[Unit] = &[
    unit_f("x", "volta", "volte"),
    unit("km/h", "chilometro orario", "chilometri orari"),
    unit("m/s", "metro al secondo", "metri al secondo"),
    unit("km² km2", "chilometro quadrato", "chilometri quadrati"),
    unit("m² m2 mq", "metro quadrato", "metri quadrati"),
    unit("cm² cm2", "centimetro quadrato", "centimetri quadrati"),
    unit("m³ m3", "metro cubo", "metri cubi"),
    unit("cm³ cm3", "centimetro cubo", "centimetri cubi"),
    unit("km", "chilometro", "chilometri"),
    unit("cm", "centimetro", "centimetri"),
    unit("mm", "millimetro", "millimetri"),
    unit("µm μm", "micrometro", "micrometri"),
    unit("nm", "nanometro", "nanometri"),
    unit("m", "metro", "metri"),
    unit("ha", "ettaro", "ettari"),
    unit("kg", "chilogrammo", "chilogrammi"),
    unit("mg", "milligrammo", "milligrammi"),
    unit("µg μg", "microgrammo", "microgrammi"),
    unit("g", "grammo", "grammi"),
    unit_f("t", "tonnellata", "tonnellate"),
    unit("l L", "litro", "litri"),
    unit("ml mL", "millilitro", "millilitri"),
    unit("cl cL", "centilitro", "centilitri"),
    unit("°C ℃", "grado Celsius", "gradi Celsius"),
    unit("°F ℉", "grado Fahrenheit", "gradi Fahrenheit"),
    unit_f("h", "ora", "ore"),
    unit("min", "minuto", "minuti"),
    unit("s sec", "secondo", "secondi"),
    unit("ms", "millisecondo", "millisecondi"),
    fixed("Hz", "hertz"),
    fixed("kHz", "chilohertz"),
    fixed("MHz", "megahertz"),
    fixed("GHz", "gigahertz"),
    fixed("W", "watt"),
    fixed("kW", "chilowatt"),
    fixed("MW", "megawatt"),
    fixed("kWh", "chilowattora"),
    fixed("V", "volt"),
    unit_f("kcal", "chilocaloria", "chilocalorie"),
    fixed("kJ", "chilojoule"),
    fixed("kB KB", "kilobyte"),
    fixed("MB", "megabyte"),
    fixed("GB", "gigabyte"),
    fixed("TB", "terabyte"),
    fixed("Mbit/s Mbps", "megabit al secondo"),
    fixed("dB", "decibel"),
    fixed("hPa", "ettopascal"),
    fixed("px", "pixel"),
];

const CURRENCIES: &[Currency] = &[
    money("US$ $ USD", ["dollaro", "dollari"], ["centesimo", "centesimi"]),
    money("€ EUR", ["euro", "euro"], ["centesimo", "centesimi"]),
    money_f("£ GBP", ["sterlina", "sterline"], ["penny", "pence"]),
    money("¥ JPY", ["yen", "yen"], ["", ""]),
    money_f("₹ INR", ["rupia", "rupie"], ["paisa", "paise"]),
    money("₽ RUB", ["rublo", "rubli"], ["copeco", "copechi"]),
    money("₩ KRW", ["won", "won"], ["", ""]),
    money("元 CNY", ["yuan", "yuan"], ["", ""]),
    money(
        "CHF",
        ["franco svizzero", "franchi svizzeri"],
        ["centesimo", "centesimi"],
    ),
    money("R$ BRL", ["real", "real"], ["centavo", "centavos"]),
    money("₿ BTC", ["bitcoin", "bitcoin"], ["", ""]),
    money_f("SEK", ["corona svedese", "corone svedesi"], ["", ""]),
    money_f("NOK", ["corona norvegese", "corone norvegesi"], ["", ""]),
    money_f("DKK", ["corona danese", "corone danesi"], ["", ""]),
    money("PLN zł", ["zloty", "zloty"], ["", ""]),
    money_f("CZK Kč", ["corona ceca", "corone ceche"], ["", ""]),
    money("HUF", ["fiorino ungherese", "fiorini ungheresi"], ["", ""]),
    money_f("₺", ["lira turca", "lire turche"], ["", ""]),
    money_f("UAH ₴", ["grivnia", "grivnie"], ["", ""]),
    money("ILS ₪", ["shekel", "shekel"], ["", ""]),
    money("THB ฿", ["baht", "baht"], ["", ""]),
    money("VND ₫", ["dong", "dong"], ["", ""]),
    money("ZAR", ["rand", "rand"], ["", ""]),
    money(
        "AUD A$",
        ["dollaro australiano", "dollari australiani"],
        ["centesimo", "centesimi"],
    ),
    money(
        "CAD C$",
        ["dollaro canadese", "dollari canadesi"],
        ["centesimo", "centesimi"],
    ),
    money(
        "NZD",
        ["dollaro neozelandese", "dollari neozelandesi"],
        ["centesimo", "centesimi"],
    ),
    money(
        "HKD HK$",
        ["dollaro di Hong Kong", "dollari di Hong Kong"],
        ["centesimo", "centesimi"],
    ),
    money(
        "SGD",
        ["dollaro di Singapore", "dollari di Singapore"],
        ["centesimo", "centesimi"],
    ),
    money("MXN", ["peso messicano", "pesos messicani"], ["", ""]),
    money("AED MAD", ["dirham", "dirham"], ["", ""]),
];

const ABBREVIATIONS: &[Abbreviation] = &[
    ("Sigg.", "signori", Place::Title),
    ("Sig.ra", "signora", Place::Title),
    ("Sig.na", "signorina", Place::Title),
    ("sig.ra", "signora", Place::Title),
    ("Sig.", "signor", Place::Title),
    ("sig.", "signor", Place::Title),
    ("Dott.ssa", "dottoressa", Place::Title),
    ("dott.ssa", "dottoressa", Place::Title),
    ("Dott.", "dottor", Place::Title),
    ("dott.", "dottor", Place::Title),
    ("Dr.", "dottor", Place::Title),
    ("Prof.ssa", "professoressa", Place::Title),
    ("prof.ssa", "professoressa", Place::Title),
    ("Prof.", "professor", Place::Title),
    ("prof.", "professor", Place::Title),
    ("Avv.", "avvocato", Place::Title),
    ("avv.", "avvocato", Place::Title),
    ("P.za", "piazza", Place::Title),
    ("P.zza", "piazza", Place::Title),
    ("V.le", "viale", Place::Title),
    ("C.so", "corso", Place::Title),
    ("sig.na", "signorina", Place::Title),
    ("Ing.", "ingegner", Place::Title),
    ("ing.", "ingegner", Place::Title),
    ("On.", "onorevole", Place::Title),
    ("S. p. A.", "esse pi a", Place::Anywhere),
    ("S. r. l.", "esse erre elle", Place::Anywhere),
    ("a. C.", "avanti Cristo", Place::Anywhere),
    ("d. C.", "dopo Cristo", Place::Anywhere),
    ("p. es.", "per esempio", Place::Title),
    ("ad es.", "ad esempio", Place::Title),
    ("ecc.", "eccetera", Place::Anywhere),
    ("etc.", "eccetera", Place::Anywhere),
    ("cfr.", "confronta", Place::Title),
    ("ca.", "circa", Place::Title),
    ("tel.", "telefono", Place::Title),
    ("Tel.", "Telefono", Place::Title),
    ("n°", "numero", Place::BeforeNumber),
    ("nº", "numero", Place::BeforeNumber),
    ("n.", "numero", Place::BeforeNumber),
    ("N.", "numero", Place::BeforeNumber),
    ("pagg.", "pagine", Place::BeforeNumber),
    ("pag.", "pagina", Place::BeforeNumber),
    ("p.", "pagina", Place::BeforeNumber),
    ("pp.", "pagine", Place::BeforeNumber),
    ("cap.", "capitolo", Place::BeforeNumber),
    ("art.", "articolo", Place::BeforeNumber),
    ("vol.", "volume", Place::BeforeNumber),
    ("fig.", "figura", Place::BeforeNumber),
    ("max.", "massimo", Place::BeforeNumber),
    ("min.", "minimo", Place::BeforeNumber),
    ("sigg.", "signori", Place::Title),
    ("rag.", "ragionier", Place::Title),
    ("geom.", "geometra", Place::Title),
    ("arch.", "architetto", Place::Title),
    ("on.", "onorevole", Place::Title),
    ("p.za", "piazza", Place::Title),
    ("v.le", "viale", Place::Title),
    ("c.so", "corso", Place::Title),
    ("N°", "numero", Place::BeforeNumber),
    ("nr.", "numero", Place::BeforeNumber),
    ("fam.", "famiglia", Place::Title),
    ("cf.", "confronta", Place::Title),
];

pub(super) static RULES: Rules = Rules {
    words: Words {
        minus: "meno",
        plus: "più",
        equals: "uguale",
        times: "per",
        divided: "diviso",
        to: "a",
        over: "su",
        and: "e",
        at: "chiocciola",
        dot: "punto",
        slash: "barra",
        hyphen: "trattino",
        underscore: "trattino basso",
        hashtag: "hashtag",
        number: "numero",
        percent: ("", "per cento"),
        permille: "per mille",
        ratio: "a",
        always: "ventiquattro su ventiquattro, sette su sette",
        point: "punto",
        section: "paragrafo",
        less: "minore di",
        greater: "maggiore di",
        plus_minus: "più o meno",
        about: "circa",
    },
    decimal: ',',
    both_decimals: false,
    space_groups: true,
    month_first: false,
    space: " ",
    months: &[
        ("gennaio", 1),
        ("febbraio", 2),
        ("marzo", 3),
        ("aprile", 4),
        ("maggio", 5),
        ("giugno", 6),
        ("luglio", 7),
        ("agosto", 8),
        ("settembre", 9),
        ("ottobre", 10),
        ("novembre", 11),
        ("dicembre", 12),
        ("gen", 1),
        ("feb", 2),
        ("mar", 3),
        ("apr", 4),
        ("mag", 5),
        ("giu", 6),
        ("lug", 7),
        ("ago", 8),
        ("set", 9),
        ("sett", 9),
        ("ott", 10),
        ("nov", 11),
        ("dic", 12),
    ],
    cardinal,
    fraction: |integer, decimals| decimals_as_number(integer, decimals, "virgola", cardinal),
    ordinal,
    year,
    date,
    time,
    part,
    form: one_or_many,
    form_of_decimals: 2,
    units: UNITS,
    currencies: CURRENCIES,
    price_link: " e ",
    magnitudes: &[
        unit("mln mln.", "milione", "milioni"),
        unit("mld mld. mrd", "miliardo", "miliardi"),
    ],
    of: "di ",
    scales: &[
        ("milioni di", "milioni di"),
        ("milioni", "milioni di"),
        ("milione", "milione di"),
        ("miliardi di", "miliardi di"),
        ("miliardi", "miliardi di"),
        ("miliardo", "miliardo di"),
        ("mila", "mila"),
    ],
    abbreviations: ABBREVIATIONS,
    rulers: &[
        "luigi",
        "enrico",
        "carlo",
        "filippo",
        "vittorio emanuele",
        "emanuele",
        "umberto",
        "paolo",
        "pio",
        "benedetto",
        "gregorio",
        "leone",
        "napoleone",
        "caterina",
        "pietro",
        "alessandro",
        "nicola",
        "giorgio",
        "edoardo",
        "guglielmo",
        "federico",
        "clemente",
        "innocenzo",
        "urbano",
        "francesco",
        "elisabetta",
        "giovanni",
        "ferdinando",
        "ottone",
    ],
    ruler_style: Rulers::Ordinals,
    centuries: &["secolo", "secoli"],
    spelled: &[
        "FBI", "CIA", "IBM", "URL", "USB", "API", "UE", "IP", "IA", "CEO", "QI", "UV", "BMW", "DVD",
    ],
    year_cues: &[],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (number, words) in [
            (21, "ventuno"),
            (28, "ventotto"),
            (33, "trentatré"),
            (100, "cento"),
            (1_000, "mille"),
            (2_000, "due mila"),
            (1_000_001, "un milione uno"),
        ] {
            assert_eq!(cardinal(number, Agreement::Alone), words);
        }
        assert_eq!(ordinal(14, "º").as_deref(), Some("quattordicesimo"));
        assert_eq!(ordinal(13, "º").as_deref(), Some("tredicesimo"));
        assert_eq!(ordinal(23, "º").as_deref(), Some("ventitreesimo"));
        assert_eq!(ordinal(20, "ª").as_deref(), Some("ventesima"));
    }
}
