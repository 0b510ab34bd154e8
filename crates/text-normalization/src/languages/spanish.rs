//! Spanish.

use super::number_words::{decimals_in_groups, join, one_or_many};
use super::rules::{
    Abbreviation, Agreement, Currency, Date, Place, Rulers, Rules, Unit, Words, fixed, money, money_f, unit, unit_f,
};

const SMALL: [&str; 30] = [
    "cero",
    "uno",
    "dos",
    "tres",
    "cuatro",
    "cinco",
    "seis",
    "siete",
    "ocho",
    "nueve",
    "diez",
    "once",
    "doce",
    "trece",
    "catorce",
    "quince",
    "dieciséis",
    "diecisiete",
    "dieciocho",
    "diecinueve",
    "veinte",
    "veintiuno",
    "veintidós",
    "veintitrés",
    "veinticuatro",
    "veinticinco",
    "veintiséis",
    "veintisiete",
    "veintiocho",
    "veintinueve",
];
const TENS: [&str; 10] = [
    "",
    "",
    "",
    "treinta",
    "cuarenta",
    "cincuenta",
    "sesenta",
    "setenta",
    "ochenta",
    "noventa",
];
const HUNDREDS: [&str; 10] = [
    "",
    "ciento",
    "doscientos",
    "trescientos",
    "cuatrocientos",
    "quinientos",
    "seiscientos",
    "setecientos",
    "ochocientos",
    "novecientos",
];
const MONTHS: [&str; 12] = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
];

fn below_thousand(number: u64, agreement: Agreement) -> String {
    if number == 100 {
        return "cien".into();
    }
    let hundreds = HUNDREDS[number as usize / 100];
    let hundreds = match agreement {
        Agreement::Feminine => hundreds.replace("tos", "tas"),
        _ => hundreds.to_owned(),
    };
    let rest = number % 100;
    let one = match agreement {
        Agreement::Alone => "uno",
        Agreement::Feminine => "una",
        Agreement::Masculine | Agreement::Neuter => "un",
    };
    let rest = match (rest, agreement) {
        (0, _) => String::new(),
        (1, _) => one.into(),
        (21, Agreement::Feminine) => "veintiuna".into(),
        (21, Agreement::Masculine | Agreement::Neuter) => "veintiún".into(),
        (..30, _) => SMALL[rest as usize].into(),
        _ if rest.is_multiple_of(10) => TENS[rest as usize / 10].into(),
        _ if rest % 10 == 1 => format!("{} y {one}", TENS[rest as usize / 10]),
        _ => format!("{} y {}", TENS[rest as usize / 10], SMALL[rest as usize % 10]),
    };
    join(&[&hundreds, &rest])
}

fn below_million(number: u64, agreement: Agreement) -> String {
    let (high, low) = (number / 1000, number % 1000);
    let feminine = agreement == Agreement::Feminine;
    let thousands = match high {
        0 => String::new(),
        1 => "mil".into(),
        _ => format!(
            "{} mil",
            below_thousand(high, if feminine { agreement } else { Agreement::Masculine })
        ),
    };
    join(&[
        &thousands,
        &if low == 0 {
            String::new()
        } else {
            below_thousand(low, agreement)
        },
    ])
}

pub(super) fn cardinal(number: u64, agreement: Agreement) -> String {
    if number == 0 {
        return SMALL[0].into();
    }
    let mut words = String::new();
    // The long scale: "mil millones" is 10⁹.
    for (unit, size) in [
        (["trillón", "trillones"], 1_000_000_000_000_000_000),
        (["billón", "billones"], 1_000_000_000_000),
        (["millón", "millones"], 1_000_000),
    ] {
        let above = number / size % 1_000_000;
        if above > 0 {
            words = join(&[
                &words,
                &below_million(above, Agreement::Masculine),
                unit[usize::from(above > 1)],
            ]);
        }
    }
    join(&[&words, &below_million(number % 1_000_000, agreement)])
}

fn ordinal_of(number: u64) -> Option<String> {
    const ONES: [&str; 10] = [
        "", "primero", "segundo", "tercero", "cuarto", "quinto", "sexto", "séptimo", "octavo", "noveno",
    ];
    const TENTHS: [&str; 10] = [
        "",
        "décimo",
        "vigésimo",
        "trigésimo",
        "cuadragésimo",
        "quincuagésimo",
        "sexagésimo",
        "septuagésimo",
        "octogésimo",
        "nonagésimo",
    ];
    const HUNDREDTHS: [&str; 10] = [
        "",
        "centésimo",
        "ducentésimo",
        "tricentésimo",
        "cuadringentésimo",
        "quingentésimo",
        "sexcentésimo",
        "septingentésimo",
        "octingentésimo",
        "noningentésimo",
    ];
    let below_hundred = |number: u64| match number {
        11 => "undécimo".to_owned(),
        12 => "duodécimo".into(),
        // One word up to the twenties, without the first accent: "decimotercero", "vigesimoprimero" (Ortografía, 2010).
        13..20 => format!("decimo{}", ONES[number as usize % 10]).replace("oo", "o"),
        _ => join(&[TENTHS[number as usize / 10], ONES[number as usize % 10]]),
    };
    Some(match number {
        1..100 => below_hundred(number),
        100..1000 => join(&[HUNDREDTHS[number as usize / 100], &below_hundred(number % 100)]),
        1000 => "milésimo".into(),
        1001..2000 => join(&["milésimo", &ordinal_of(number % 1000)?]),
        _ if number < 1_000_000 && number.is_multiple_of(1000) => {
            format!("{} milésimo", cardinal(number / 1000, Agreement::Masculine)).replace(' ', "")
        }
        1_000_000 => "millonésimo".into(),
        _ => return None,
    })
}

fn ordinal(number: u64, suffix: &str) -> Option<String> {
    let word = ordinal_of(number);
    match suffix.trim_start_matches('.') {
        "º" | "°" | "o" => word,
        "ª" | "a" => feminine(number),
        "er" => word.map(|word| word.strip_suffix('o').map(str::to_owned).unwrap_or(word)),
        "os" => word.map(|word| format!("{word}s")),
        "as" => feminine(number).map(|word| format!("{word}s")),
        _ => None,
    }
}

fn feminine(number: u64) -> Option<String> {
    let word = ordinal_of(number)?;
    let pieces: Vec<String> = word
        .split(' ')
        .map(|piece| format!("{}a", piece.strip_suffix('o').unwrap_or(piece)))
        .collect();
    Some(pieces.join(" "))
}

fn year(number: u64) -> String {
    cardinal(number, Agreement::Alone)
}

fn date(date: Date) -> String {
    let day = date
        .day
        .map(|day| format!("{} de", cardinal(day, Agreement::Alone)))
        .unwrap_or_default();
    join(&[
        &day,
        MONTHS[date.month - 1],
        &date.year.map(|y| format!("de {}", year(y))).unwrap_or_default(),
    ])
}

fn time(hours: u64, minutes: u64, seconds: Option<u64>) -> String {
    let hour = cardinal(hours, Agreement::Feminine);
    let minute = match minutes {
        0 => String::new(),
        _ => format!("y {}", cardinal(minutes, Agreement::Alone)),
    };
    let second = seconds.map(|s| {
        format!(
            "y {} {}",
            cardinal(s, Agreement::Masculine),
            if s == 1 { "segundo" } else { "segundos" }
        )
    });
    join(&[&hour, &minute, &second.unwrap_or_default()])
}

fn part(numerator: u64, denominator: u64) -> Option<String> {
    let name = match denominator {
        2 => "medio".to_owned(),
        3 => "tercio".to_owned(),
        4..=10 | 100 | 1000 | 10_000 | 1_000_000 => ordinal_of(denominator)?,
        200..1000 if denominator.is_multiple_of(100) => ordinal_of(denominator)?,
        // "onceavo", "treintavo"
        11..100 => format!("{}avo", cardinal(denominator, Agreement::Masculine).replace(" y ", "i"))
            .replace("aavo", "avo")
            .replace('é', "e"),
        _ => return None,
    };
    Some(format!(
        "{} {name}{}",
        cardinal(numerator, Agreement::Masculine),
        if numerator > 1 { "s" } else { "" }
    ))
}

const UNITS: &[Unit] = &[
    unit_f("x", "vez", "veces"),
    unit("km/h kph", "kilómetro por hora", "kilómetros por hora"),
    unit("m/s", "metro por segundo", "metros por segundo"),
    unit("km² km2", "kilómetro cuadrado", "kilómetros cuadrados"),
    unit("m² m2", "metro cuadrado", "metros cuadrados"),
    unit("cm² cm2", "centímetro cuadrado", "centímetros cuadrados"),
    unit("m³ m3", "metro cúbico", "metros cúbicos"),
    unit("cm³ cm3", "centímetro cúbico", "centímetros cúbicos"),
    unit("km", "kilómetro", "kilómetros"),
    unit("cm", "centímetro", "centímetros"),
    unit("mm", "milímetro", "milímetros"),
    unit("µm μm", "micrómetro", "micrómetros"),
    unit("nm", "nanómetro", "nanómetros"),
    unit("m", "metro", "metros"),
    unit_f("ha", "hectárea", "hectáreas"),
    unit("kg", "kilogramo", "kilogramos"),
    unit("mg", "miligramo", "miligramos"),
    unit("µg μg", "microgramo", "microgramos"),
    unit("g", "gramo", "gramos"),
    unit_f("t", "tonelada", "toneladas"),
    unit("l L", "litro", "litros"),
    unit("ml mL", "mililitro", "mililitros"),
    unit("cl cL", "centilitro", "centilitros"),
    unit("°C ℃", "grado Celsius", "grados Celsius"),
    unit("°F ℉", "grado Fahrenheit", "grados Fahrenheit"),
    unit("°", "grado", "grados"),
    unit_f("h h.", "hora", "horas"),
    unit_f("mph", "milla por hora", "millas por hora"),
    unit("min", "minuto", "minutos"),
    unit("s seg", "segundo", "segundos"),
    unit("ms", "milisegundo", "milisegundos"),
    fixed("Hz", "hercios"),
    fixed("kHz", "kilohercios"),
    fixed("MHz", "megahercios"),
    fixed("GHz", "gigahercios"),
    unit("W", "vatio", "vatios"),
    unit("kW", "kilovatio", "kilovatios"),
    unit("MW", "megavatio", "megavatios"),
    unit("kWh", "kilovatio hora", "kilovatios hora"),
    unit("V", "voltio", "voltios"),
    unit_f("kcal", "kilocaloría", "kilocalorías"),
    unit("kJ", "kilojulio", "kilojulios"),
    unit("kB KB", "kilobyte", "kilobytes"),
    unit("MB", "megabyte", "megabytes"),
    unit("GB", "gigabyte", "gigabytes"),
    unit("TB", "terabyte", "terabytes"),
    unit("Mbit/s Mbps", "megabit por segundo", "megabits por segundo"),
    unit("dB", "decibelio", "decibelios"),
    unit("hPa", "hectopascal", "hectopascales"),
    unit("px", "píxel", "píxeles"),
];

const CURRENCIES: &[Currency] = &[
    money("US$ $ USD", ["dólar", "dólares"], ["centavo", "centavos"]),
    money("€ EUR", ["euro", "euros"], ["céntimo", "céntimos"]),
    money_f("£ GBP", ["libra", "libras"], ["penique", "peniques"]),
    money("¥ JPY", ["yen", "yenes"], ["", ""]),
    money_f("₹ INR", ["rupia", "rupias"], ["paisa", "paisas"]),
    money("₽ RUB", ["rublo", "rublos"], ["kopek", "kopeks"]),
    money("₩ KRW", ["won", "wones"], ["", ""]),
    money("元 CNY", ["yuan", "yuanes"], ["", ""]),
    money("CHF", ["franco suizo", "francos suizos"], ["céntimo", "céntimos"]),
    money("R$ BRL", ["real", "reales"], ["centavo", "centavos"]),
    money(
        "MXN MX$ ARS CLP COP UYU DOP CUP",
        ["peso", "pesos"],
        ["centavo", "centavos"],
    ),
    money("PEN S/", ["sol", "soles"], ["céntimo", "céntimos"]),
    money("CRC ₡", ["colón", "colones"], ["céntimo", "céntimos"]),
    money("BOB", ["boliviano", "bolivianos"], ["centavo", "centavos"]),
    money("PYG ₲", ["guaraní", "guaraníes"], ["", ""]),
    money("VES", ["bolívar", "bolívares"], ["céntimo", "céntimos"]),
    money("GTQ", ["quetzal", "quetzales"], ["centavo", "centavos"]),
    money("HNL", ["lempira", "lempiras"], ["centavo", "centavos"]),
    money_f("NIO", ["córdoba", "córdobas"], ["centavo", "centavos"]),
    money("PAB", ["balboa", "balboas"], ["centésimo", "centésimos"]),
    money_f("kr SEK NOK DKK", ["corona", "coronas"], ["", ""]),
    money("₿ BTC", ["bitcoin", "bitcoins"], ["", ""]),
    money("PLN zł", ["zloty", "zlotys"], ["", ""]),
    money_f("CZK Kč", ["corona checa", "coronas checas"], ["", ""]),
    money("HUF", ["forinto", "forintos"], ["", ""]),
    money_f("₺", ["lira turca", "liras turcas"], ["", ""]),
    money_f("UAH ₴", ["grivna", "grivnas"], ["", ""]),
    money("ILS ₪", ["séquel", "séqueles"], ["", ""]),
    money("THB ฿", ["baht", "bahts"], ["", ""]),
    money("VND ₫", ["dong", "dongs"], ["", ""]),
    money("ZAR", ["rand", "rands"], ["", ""]),
    money(
        "AUD A$",
        ["dólar australiano", "dólares australianos"],
        ["centavo", "centavos"],
    ),
    money(
        "CAD C$",
        ["dólar canadiense", "dólares canadienses"],
        ["centavo", "centavos"],
    ),
    money(
        "NZD",
        ["dólar neozelandés", "dólares neozelandeses"],
        ["centavo", "centavos"],
    ),
    money(
        "HKD HK$",
        ["dólar de Hong Kong", "dólares de Hong Kong"],
        ["centavo", "centavos"],
    ),
    money(
        "SGD",
        ["dólar de Singapur", "dólares de Singapur"],
        ["centavo", "centavos"],
    ),
    money("AED MAD", ["dírham", "dírhams"], ["", ""]),
];

const ABBREVIATIONS: &[Abbreviation] = &[
    ("Sres.", "señores", Place::Title),
    ("Srta.", "señorita", Place::Title),
    ("Sra.", "señora", Place::Title),
    ("sra.", "señora", Place::Title),
    ("sr.", "señor", Place::Title),
    ("dra.", "doctora", Place::Title),
    ("dr.", "doctor", Place::Title),
    ("da.", "doña", Place::Title),
    ("ee. uu.", "Estados Unidos", Place::Anywhere),
    ("a. c.", "antes de Cristo", Place::AfterNumber),
    ("d. c.", "después de Cristo", Place::AfterNumber),
    ("C/", "calle", Place::Title),
    ("Ctra.", "carretera", Place::Title),
    ("Pza.", "plaza", Place::Title),
    ("Sr.", "señor", Place::Title),
    ("Dra.", "doctora", Place::Title),
    ("Dr.", "doctor", Place::Title),
    ("Dña.", "doña", Place::Title),
    ("D.ª", "doña", Place::Title),
    ("D.", "don", Place::Title),
    ("Prof.", "profesor", Place::Title),
    ("Lic.", "licenciado", Place::Title),
    ("Ing.", "ingeniero", Place::Title),
    ("Gral.", "general", Place::Title),
    ("Ud.", "usted", Place::Anywhere),
    ("Uds.", "ustedes", Place::Anywhere),
    ("Vd.", "usted", Place::Anywhere),
    ("Vds.", "ustedes", Place::Anywhere),
    ("p. ej.", "por ejemplo", Place::Title),
    ("EE. UU.", "Estados Unidos", Place::Anywhere),
    ("EEUU", "Estados Unidos", Place::Title),
    ("a. C.", "antes de Cristo", Place::Anywhere),
    ("d. C.", "después de Cristo", Place::Anywhere),
    ("a. m.", "de la mañana", Place::AfterNumber),
    ("p. m.", "de la tarde", Place::AfterNumber),
    ("am", "de la mañana", Place::AfterNumber),
    ("AM", "de la mañana", Place::AfterNumber),
    ("pm", "de la tarde", Place::AfterNumber),
    ("PM", "de la tarde", Place::AfterNumber),
    ("S. A.", "ese a", Place::Anywhere),
    ("S. L.", "ese ele", Place::Anywhere),
    ("etc.", "etcétera", Place::Anywhere),
    ("aprox.", "aproximadamente", Place::Title),
    ("avda.", "avenida", Place::Title),
    ("Avda.", "Avenida", Place::Title),
    ("Av.", "Avenida", Place::Title),
    ("tel.", "teléfono", Place::Title),
    ("Tel.", "Teléfono", Place::Title),
    ("n.º", "número", Place::BeforeNumber),
    ("N.º", "número", Place::BeforeNumber),
    ("nº", "número", Place::BeforeNumber),
    ("Nº", "número", Place::BeforeNumber),
    ("núm.", "número", Place::BeforeNumber),
    ("No.", "número", Place::BeforeNumber),
    ("págs.", "páginas", Place::BeforeNumber),
    ("pág.", "página", Place::BeforeNumber),
    ("p.", "página", Place::BeforeNumber),
    ("cap.", "capítulo", Place::BeforeNumber),
    ("art.", "artículo", Place::BeforeNumber),
    ("Art.", "Artículo", Place::BeforeNumber),
    ("vol.", "volumen", Place::BeforeNumber),
    ("fig.", "figura", Place::BeforeNumber),
    ("máx.", "máximo", Place::BeforeNumber),
    ("mín.", "mínimo", Place::BeforeNumber),
    ("N°", "número", Place::BeforeNumber),
    ("n°", "número", Place::BeforeNumber),
    ("N.°", "número", Place::BeforeNumber),
    ("n.°", "número", Place::BeforeNumber),
    ("cf.", "confróntese", Place::Title),
    ("c/", "calle", Place::Title),
    ("pza.", "plaza", Place::Title),
    ("izq.", "izquierda", Place::Anywhere),
    ("dcha.", "derecha", Place::Anywhere),
    ("dpto.", "departamento", Place::Title),
    ("t.", "tomo", Place::BeforeNumber),
    ("s.", "siglo", Place::BeforeNumber),
];

pub(super) static RULES: Rules = Rules {
    words: Words {
        minus: "menos",
        plus: "más",
        equals: "es igual a",
        times: "por",
        divided: "entre",
        to: "a",
        over: "sobre",
        and: "y",
        at: "arroba",
        dot: "punto",
        slash: "barra",
        hyphen: "guion",
        underscore: "guion bajo",
        hashtag: "almohadilla",
        number: "número",
        percent: ("", "por ciento"),
        permille: "por mil",
        ratio: "a",
        always: "veinticuatro siete",
        point: "punto",
        section: "sección",
        less: "menor que",
        greater: "mayor que",
        plus_minus: "más o menos",
        about: "aproximadamente",
    },
    decimal: ',',
    both_decimals: false,
    space_groups: true,
    month_first: false,
    space: " ",
    months: &[
        ("enero", 1),
        ("febrero", 2),
        ("marzo", 3),
        ("abril", 4),
        ("mayo", 5),
        ("junio", 6),
        ("julio", 7),
        ("agosto", 8),
        ("septiembre", 9),
        ("setiembre", 9),
        ("octubre", 10),
        ("noviembre", 11),
        ("diciembre", 12),
        ("ene", 1),
        ("feb", 2),
        ("mar", 3),
        ("abr", 4),
        ("may", 5),
        ("jun", 6),
        ("jul", 7),
        ("ago", 8),
        ("sep", 9),
        ("sept", 9),
        ("oct", 10),
        ("nov", 11),
        ("dic", 12),
    ],
    cardinal,
    fraction: |integer, decimals| decimals_in_groups(integer, decimals, "coma", cardinal),
    ordinal,
    year,
    date,
    time,
    part,
    form: one_or_many,
    form_of_decimals: 2,
    units: UNITS,
    currencies: CURRENCIES,
    price_link: " con ",
    magnitudes: &[unit("mill. mills.", "millón", "millones")],
    of: "de ",
    scales: &[
        ("millones de", "millones de"),
        ("millón de", "millón de"),
        ("millones", "millones de"),
        ("millón", "millón de"),
        ("billones de", "billones de"),
        ("billones", "billones de"),
        ("mil", "mil"),
        ("M", "millones de"),
    ],
    abbreviations: ABBREVIATIONS,
    rulers: &[
        "felipe",
        "carlos",
        "alfonso",
        "fernando",
        "isabel",
        "enrique",
        "luis",
        "juan",
        "pablo",
        "pío",
        "benedicto",
        "gregorio",
        "león",
        "napoleón",
        "catalina",
        "pedro",
        "alejandro",
        "nicolás",
        "jorge",
        "eduardo",
        "guillermo",
        "sancho",
        "ramiro",
        "jaime",
        "clemente",
        "inocencio",
        "urbano",
        "francisco",
    ],
    ruler_style: Rulers::OrdinalsToTen,
    centuries: &[],
    spelled: &[
        "FBI", "CIA", "IBM", "URL", "USB", "API", "ADN", "IA", "UE", "TVE", "IP", "CEO", "DNI", "ETT",
    ],
    year_cues: &[],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (number, words) in [
            (16, "dieciséis"),
            (31, "treinta y uno"),
            (100, "cien"),
            (101, "ciento uno"),
            (21_000, "veintiún mil"),
            (1_000_000, "un millón"),
            (2_000_000_000, "dos mil millones"),
        ] {
            assert_eq!(cardinal(number, Agreement::Alone), words);
        }
        assert_eq!(cardinal(201, Agreement::Feminine), "doscientas una");
        assert_eq!(ordinal(1, ".er").as_deref(), Some("primer"));
        assert_eq!(ordinal(2, "ª").as_deref(), Some("segunda"));
        assert_eq!(ordinal(21, "º").as_deref(), Some("vigésimo primero"));
    }
}
