//! German. Compound number words are written apart ("vier und zwanzig"), because the engine then stresses each part rightly.

use super::number_words::{decimals_by_digit, join, one_or_many, thousands};
use super::rules::{
    Abbreviation, Agreement, Currency, Date, Place, Rulers, Rules, Unit, Words, fixed, money, money_f, unit, unit_f,
};

const SMALL: [&str; 20] = [
    "null",
    "eins",
    "zwei",
    "drei",
    "vier",
    "fünf",
    "sechs",
    "sieben",
    "acht",
    "neun",
    "zehn",
    "elf",
    "zwölf",
    "dreizehn",
    "vierzehn",
    "fünfzehn",
    "sechzehn",
    "siebzehn",
    "achtzehn",
    "neunzehn",
];
const TENS: [&str; 10] = [
    "", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig",
];
const SCALES: [[&str; 2]; 7] = [
    ["", ""],
    ["tausend", "tausend"],
    ["Million", "Millionen"],
    ["Milliarde", "Milliarden"],
    ["Billion", "Billionen"],
    ["Billiarde", "Billiarden"],
    ["Trillion", "Trillionen"],
];
const MONTHS: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];

fn below_thousand(number: u64, one: &str) -> String {
    let hundreds = match number / 100 {
        0 => String::new(),
        1 => "ein hundert".into(),
        count => format!("{} hundert", SMALL[count as usize]),
    };
    let rest = match number % 100 {
        0 => String::new(),
        1 => one.into(),
        rest @ 2..20 => SMALL[rest as usize].into(),
        rest if rest % 10 == 0 => TENS[rest as usize / 10].into(),
        rest => {
            let ones = if rest % 10 == 1 {
                "ein"
            } else {
                SMALL[rest as usize % 10]
            };
            format!("{ones} und {}", TENS[rest as usize / 10])
        }
    };
    join(&[&hundreds, &rest])
}

pub(super) fn cardinal(number: u64, agreement: Agreement) -> String {
    if number == 0 {
        return SMALL[0].into();
    }
    let one = match agreement {
        Agreement::Alone => "eins",
        Agreement::Feminine => "eine",
        Agreement::Masculine | Agreement::Neuter => "ein",
    };
    let mut words = String::new();
    for (power, group) in thousands(number) {
        let ones = match power {
            0 => one,
            1 => "ein",
            _ => "eine",
        };
        words = join(&[
            &words,
            &below_thousand(group, ones),
            SCALES[power][usize::from(group > 1)],
        ]);
    }
    words
}

fn stem(number: u64) -> String {
    let words = cardinal(number, Agreement::Alone);
    let cut = words.rfind(' ').map_or(0, |at| at + 1);
    let (head, last) = words.split_at(cut);
    let last = match last {
        "eins" => "erst".into(),
        "drei" => "dritt".into(),
        "sieben" => "siebt".into(),
        "acht" => "acht".into(),
        other if SMALL.contains(&other) => format!("{other}t"),
        other => format!("{other}st"),
    };
    format!("{head}{last}")
}

fn ordinal(number: u64, suffix: &str) -> Option<String> {
    match suffix {
        "." | "te" | "ste" => Some(format!("{}e", stem(number))),
        ".n" | "ten" | "sten" => Some(format!("{}en", stem(number))),
        "ter" | "ster" => Some(format!("{}er", stem(number))),
        "tes" | "stes" => Some(format!("{}es", stem(number))),
        "er" | "ern" if number > 1 => Some(format!("{}{suffix}", year(number))),
        _ => None,
    }
}

fn year(number: u64) -> String {
    match number {
        1100..2000 => {
            let century = SMALL[number as usize / 100];
            join(&[century, "hundert", &below_thousand(number % 100, "eins")])
        }
        _ => cardinal(number, Agreement::Alone),
    }
}

fn date(date: Date) -> String {
    let ending = match (date.oblique, date.article) {
        (true, _) => "en",
        (_, true) => "e",
        _ => "er",
    };
    let day = date.day.map(|day| format!("{}{ending}", stem(day))).unwrap_or_default();
    join(&[&day, MONTHS[date.month - 1], &date.year.map(year).unwrap_or_default()])
}

fn time(hours: u64, minutes: u64, seconds: Option<u64>) -> String {
    let hour = cardinal(hours, Agreement::Masculine);
    let minute = if minutes == 0 {
        String::new()
    } else {
        cardinal(minutes, Agreement::Alone)
    };
    let second = seconds.map(|s| {
        format!(
            "und {} {}",
            cardinal(s, Agreement::Feminine),
            if s == 1 { "Sekunde" } else { "Sekunden" }
        )
    });
    join(&[&hour, "Uhr", &minute, &second.unwrap_or_default()])
}

fn part(numerator: u64, denominator: u64) -> Option<String> {
    if (numerator, denominator) == (1, 2) {
        return Some("ein halb".into());
    }
    let name = match denominator {
        2 => "Halbe".to_owned(),
        3..=100 | 1000 => format!("{}el", stem(denominator)),
        _ => return None,
    };
    Some(format!("{} {name}", cardinal(numerator, Agreement::Neuter)))
}

const UNITS: &[Unit] = &[
    unit("x", "Mal", "Mal"),
    fixed("km/h", "Kilometer pro Stunde"),
    fixed("m/s", "Meter pro Sekunde"),
    fixed("km² km2 qkm", "Quadratkilometer"),
    fixed("m² m2 qm", "Quadratmeter"),
    fixed("cm² cm2", "Quadratzentimeter"),
    fixed("m³ m3", "Kubikmeter"),
    fixed("cm³ cm3", "Kubikzentimeter"),
    fixed("km", "Kilometer"),
    fixed("cm", "Zentimeter"),
    fixed("mm", "Millimeter"),
    fixed("µm μm", "Mikrometer"),
    fixed("nm", "Nanometer"),
    fixed("m", "Meter"),
    fixed("ha", "Hektar"),
    fixed("kg", "Kilogramm"),
    fixed("mg", "Milligramm"),
    fixed("µg μg", "Mikrogramm"),
    fixed("g", "Gramm"),
    unit_f("t", "Tonne", "Tonnen"),
    fixed("l L", "Liter"),
    fixed("ml", "Milliliter"),
    fixed("cl", "Zentiliter"),
    fixed("°C ℃", "Grad Celsius"),
    fixed("°F ℉", "Grad Fahrenheit"),
    fixed("°", "Grad"),
    unit_f("h Std.", "Stunde", "Stunden"),
    unit_f("min Min.", "Minute", "Minuten"),
    unit_f("s Sek.", "Sekunde", "Sekunden"),
    unit_f("ms", "Millisekunde", "Millisekunden"),
    fixed("Hz", "Hertz"),
    fixed("kHz", "Kilohertz"),
    fixed("MHz", "Megahertz"),
    fixed("GHz", "Gigahertz"),
    fixed("W", "Watt"),
    fixed("kW", "Kilowatt"),
    fixed("MW", "Megawatt"),
    unit_f("kWh", "Kilowattstunde", "Kilowattstunden"),
    fixed("V", "Volt"),
    fixed("mV", "Millivolt"),
    fixed("kV", "Kilovolt"),
    fixed("N", "Newton"),
    fixed("mA", "Milliampere"),
    unit_f("kcal", "Kilokalorie", "Kilokalorien"),
    fixed("kJ", "Kilojoule"),
    fixed("kB KB", "Kilobyte"),
    fixed("MB", "Megabyte"),
    fixed("GB", "Gigabyte"),
    fixed("TB", "Terabyte"),
    fixed("Mbit/s Mbps", "Megabit pro Sekunde"),
    fixed("dB", "Dezibel"),
    fixed("hPa", "Hektopascal"),
    unit("px", "Pixel", "Pixel"),
];

const CURRENCIES: &[Currency] = &[
    money("US$ $ USD", ["Dollar", "Dollar"], ["Cent", "Cent"]),
    money("€ EUR", ["Euro", "Euro"], ["Cent", "Cent"]),
    money("£ GBP", ["Pfund", "Pfund"], ["Penny", "Pence"]),
    money("¥ JPY", ["Yen", "Yen"], ["", ""]),
    money_f("₹ INR", ["Rupie", "Rupien"], ["Paisa", "Paise"]),
    money("₽ RUB", ["Rubel", "Rubel"], ["Kopeke", "Kopeken"]),
    money("₩ KRW", ["Won", "Won"], ["", ""]),
    money("元 CNY", ["Yuan", "Yuan"], ["", ""]),
    money("CHF Fr.", ["Franken", "Franken"], ["Rappen", "Rappen"]),
    money("R$ BRL", ["Real", "Reais"], ["Centavo", "Centavos"]),
    money("₿ BTC", ["Bitcoin", "Bitcoin"], ["", ""]),
    money_f("SEK", ["schwedische Krone", "schwedische Kronen"], ["", ""]),
    money_f("NOK", ["norwegische Krone", "norwegische Kronen"], ["", ""]),
    money_f("DKK", ["dänische Krone", "dänische Kronen"], ["", ""]),
    money("PLN zł", ["Zloty", "Zloty"], ["", ""]),
    money_f("CZK Kč", ["tschechische Krone", "tschechische Kronen"], ["", ""]),
    money("HUF", ["Forint", "Forint"], ["", ""]),
    money_f("₺", ["türkische Lira", "türkische Lira"], ["", ""]),
    money_f("UAH ₴", ["Hrywnja", "Hrywnja"], ["", ""]),
    money("ILS ₪", ["Schekel", "Schekel"], ["", ""]),
    money("THB ฿", ["Baht", "Baht"], ["", ""]),
    money("VND ₫", ["Dong", "Dong"], ["", ""]),
    money("ZAR", ["Rand", "Rand"], ["", ""]),
    money(
        "AUD A$",
        ["australischer Dollar", "australische Dollar"],
        ["Cent", "Cent"],
    ),
    money("CAD C$", ["kanadischer Dollar", "kanadische Dollar"], ["Cent", "Cent"]),
    money(
        "NZD",
        ["neuseeländischer Dollar", "neuseeländische Dollar"],
        ["Cent", "Cent"],
    ),
    money("HKD HK$", ["Hongkong-Dollar", "Hongkong-Dollar"], ["Cent", "Cent"]),
    money("SGD", ["Singapur-Dollar", "Singapur-Dollar"], ["Cent", "Cent"]),
    money("MXN", ["mexikanischer Peso", "mexikanische Pesos"], ["", ""]),
    money("AED", ["Dirham", "Dirham"], ["", ""]),
];

const ABBREVIATIONS: &[Abbreviation] = &[
    ("z. B.", "zum Beispiel", Place::Title),
    ("d. h.", "das heißt", Place::Title),
    ("u. a.", "unter anderem", Place::Anywhere),
    ("u. U.", "unter Umständen", Place::Title),
    ("u. Ä.", "und Ähnliches", Place::Anywhere),
    ("o. Ä.", "oder Ähnliches", Place::Anywhere),
    ("i. d. R.", "in der Regel", Place::Title),
    ("i. A.", "im Auftrag", Place::Title),
    ("v. a.", "vor allem", Place::Title),
    ("v. Chr.", "vor Christus", Place::Anywhere),
    ("n. Chr.", "nach Christus", Place::Anywhere),
    ("z. T.", "zum Teil", Place::Title),
    ("z. Z.", "zurzeit", Place::Title),
    ("s. o.", "siehe oben", Place::Anywhere),
    ("s. u.", "siehe unten", Place::Anywhere),
    ("usw.", "und so weiter", Place::Anywhere),
    ("usf.", "und so fort", Place::Anywhere),
    ("etc.", "et cetera", Place::Anywhere),
    ("bzw.", "beziehungsweise", Place::Anywhere),
    ("ca.", "zirka", Place::Title),
    ("evtl.", "eventuell", Place::Title),
    ("ggf.", "gegebenenfalls", Place::Title),
    ("inkl.", "inklusive", Place::Title),
    ("exkl.", "exklusive", Place::Title),
    ("vgl.", "vergleiche", Place::Title),
    ("sog.", "sogenannte", Place::Title),
    ("max.", "maximal", Place::Title),
    ("min.", "minimal", Place::Title),
    ("Dr.", "Doktor", Place::Title),
    ("Prof.", "Professor", Place::Title),
    ("Hr.", "Herr", Place::Title),
    ("Hrn.", "Herrn", Place::Title),
    ("Fr.", "Frau", Place::Title),
    ("St.", "Sankt", Place::Title),
    ("Dipl.", "Diplom", Place::Title),
    ("Ing.", "Ingenieur", Place::Title),
    ("Nr.", "Nummer", Place::BeforeNumber),
    ("Art.", "Artikel", Place::BeforeNumber),
    ("Abs.", "Absatz", Place::BeforeNumber),
    ("Abb.", "Abbildung", Place::BeforeNumber),
    ("Kap.", "Kapitel", Place::Title),
    ("Bd.", "Band", Place::BeforeNumber),
    ("S.", "Seite", Place::BeforeNumber),
    ("Tel.", "Telefon", Place::Title),
    ("Str.", "Straße", Place::Anywhere),
    ("Jh.", "Jahrhundert", Place::Anywhere),
    ("Jan.", "Januar", Place::Title),
    ("Feb.", "Februar", Place::Title),
    ("Aug.", "August", Place::Title),
    ("Sept.", "September", Place::Title),
    ("Okt.", "Oktober", Place::Title),
    ("Nov.", "November", Place::Title),
    ("Dez.", "Dezember", Place::Title),
    ("Dr. med.", "Doktor med", Place::Title),
    ("Dr. phil.", "Doktor phil", Place::Title),
    ("Dr. jur.", "Doktor jur", Place::Title),
    ("Dr. rer. nat.", "Doktor rer nat", Place::Title),
    ("zzgl.", "zuzüglich", Place::Title),
    ("mind.", "mindestens", Place::Title),
    ("lt.", "laut", Place::Title),
    ("o. ä.", "oder ähnliches", Place::Anywhere),
    ("u. v. m.", "und vieles mehr", Place::Anywhere),
    ("m. E.", "meines Erachtens", Place::Title),
    ("geb.", "geboren", Place::Title),
    ("gest.", "gestorben", Place::Title),
    ("Fa.", "Firma", Place::Title),
    ("e. V.", "eingetragener Verein", Place::Anywhere),
    ("MwSt.", "Mehrwertsteuer", Place::Anywhere),
    ("MwSt", "Mehrwertsteuer", Place::Anywhere),
    ("Tab.", "Tabelle", Place::BeforeNumber),
    ("bspw.", "beispielsweise", Place::Title),
    ("ggü.", "gegenüber", Place::Title),
    ("allg.", "allgemein", Place::Title),
    ("bes.", "besonders", Place::Title),
    ("u. dgl.", "und dergleichen", Place::Anywhere),
    ("entspr.", "entsprechend", Place::Title),
    ("Hrsg.", "Herausgeber", Place::Title),
    ("Jhd.", "Jahrhundert", Place::Anywhere),
    ("Jhdt.", "Jahrhundert", Place::Anywhere),
    ("lfd.", "laufend", Place::Title),
    ("p. a.", "pro anno", Place::Anywhere),
    ("s. S.", "siehe Seite", Place::BeforeNumber),
    ("tägl.", "täglich", Place::Anywhere),
    ("urspr.", "ursprünglich", Place::Title),
    ("wg.", "wegen", Place::Title),
    ("zw.", "zwischen", Place::Title),
    ("Abt.", "Abteilung", Place::Title),
    ("Bhf.", "Bahnhof", Place::Anywhere),
    ("Hbf.", "Hauptbahnhof", Place::Anywhere),
    ("Hbf", "Hauptbahnhof", Place::Anywhere),
    ("Whg.", "Wohnung", Place::Anywhere),
    ("Stck.", "Stück", Place::AfterNumber),
];

pub(super) static RULES: Rules = Rules {
    words: Words {
        minus: "minus",
        plus: "plus",
        equals: "gleich",
        times: "mal",
        divided: "geteilt durch",
        to: "bis",
        over: "durch",
        and: "und",
        at: "ät",
        dot: "Punkt",
        slash: "Schrägstrich",
        hyphen: "Bindestrich",
        underscore: "Unterstrich",
        hashtag: "Häschtäg",
        number: "Nummer",
        percent: ("", "Prozent"),
        permille: "Promille",
        ratio: "zu",
        always: "vierundzwanzig sieben",
        point: "Punkt",
        section: "Paragraf",
        less: "kleiner als",
        greater: "größer als",
        plus_minus: "plus minus",
        about: "etwa",
    },
    decimal: ',',
    both_decimals: false,
    space_groups: true,
    month_first: false,
    space: " ",
    months: &[
        ("januar", 1),
        ("jänner", 1),
        ("februar", 2),
        ("märz", 3),
        ("april", 4),
        ("mai", 5),
        ("juni", 6),
        ("juli", 7),
        ("august", 8),
        ("september", 9),
        ("oktober", 10),
        ("november", 11),
        ("dezember", 12),
        ("jan", 1),
        ("feb", 2),
        ("apr", 4),
        ("aug", 8),
        ("sept", 9),
        ("okt", 10),
        ("nov", 11),
        ("dez", 12),
    ],
    cardinal,
    fraction: |integer, decimals| decimals_by_digit(integer, decimals, "Komma", cardinal),
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
    magnitudes: &[
        unit_f("Mio. Mio", "Million", "Millionen"),
        unit_f("Mrd. Mrd", "Milliarde", "Milliarden"),
        unit_f("Bio.", "Billion", "Billionen"),
        fixed("Tsd. Tsd", "tausend"),
    ],
    of: "",
    scales: &[
        ("Millionen", "Millionen"),
        ("Million", "Million"),
        ("Milliarden", "Milliarden"),
        ("Milliarde", "Milliarde"),
    ],
    abbreviations: ABBREVIATIONS,
    rulers: &[
        "ludwig",
        "heinrich",
        "friedrich",
        "wilhelm",
        "karl",
        "otto",
        "elisabeth",
        "katharina",
        "georg",
        "eduard",
        "philipp",
        "franz",
        "paul",
        "benedikt",
        "pius",
        "leo",
        "gregor",
        "napoleon",
        "peter",
        "alexander",
        "nikolaus",
        "rudolf",
        "maximilian",
        "leopold",
        "ferdinand",
        "joseph",
        "konrad",
        "johannes",
        "klemens",
        "innozenz",
        "urban",
    ],
    ruler_style: Rulers::Ordinals,
    centuries: &["jahrhundert", "jahrhunderts"],
    spelled: &[
        "EU", "USA", "UNO", "AEG", "ADAC", "ARD", "IBM", "FBI", "CIA", "EDV", "IT", "KI", "AG", "UKW", "EKG", "IQ",
        "CDU", "CSU", "FDP", "SPD", "AFD", "BMW", "VW", "OECD", "URL", "USB", "GPU", "CPU", "UFA", "ICE", "IG", "EZB",
        "OP", "UV", "USD", "EUR", "AOK", "API", "DNA", "DNS", "HIV", "ISBN", "WHO", "IP", "UN",
    ],
    year_cues: &[
        "im",
        "jahr",
        "jahre",
        "jahres",
        "seit",
        "ab",
        "anno",
        "von",
        "bis",
        "vor",
        "nach",
        "in",
        "um",
        "sommer",
        "winter",
        "frühjahr",
        "herbst",
        "januar",
        "februar",
        "märz",
        "april",
        "mai",
        "juni",
        "juli",
        "august",
        "september",
        "oktober",
        "november",
        "dezember",
        "ende",
        "anfang",
        "mitte",
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (number, words) in [
            (21, "ein und zwanzig"),
            (101, "ein hundert eins"),
            (1_000_000, "eine Million"),
            (2_001_017, "zwei Millionen ein tausend siebzehn"),
        ] {
            assert_eq!(cardinal(number, Agreement::Alone), words);
        }
        assert_eq!(year(1999), "neunzehn hundert neun und neunzig");
        assert_eq!(ordinal(3, ".").as_deref(), Some("dritte"));
        assert_eq!(ordinal(20, ".n").as_deref(), Some("zwanzigsten"));
        assert_eq!(ordinal(7, ".").as_deref(), Some("siebte"));
    }
}
