//! Portuguese; where Brazil and Portugal differ ("dezesseis", "bilhão") the words are Brazil's, the variety of the contract.

use super::number_words::{decimals_as_number, join, one_or_many, thousands};
use super::rules::{
    Abbreviation, Agreement, Currency, Date, Place, Rulers, Rules, Unit, Words, fixed, money, money_f, unit, unit_f,
};

const SMALL: [&str; 20] = [
    "zero",
    "um",
    "dois",
    "três",
    "quatro",
    "cinco",
    "seis",
    "sete",
    "oito",
    "nove",
    "dez",
    "onze",
    "doze",
    "treze",
    "catorze",
    "quinze",
    "dezesseis",
    "dezessete",
    "dezoito",
    "dezenove",
];
const TENS: [&str; 10] = [
    "",
    "",
    "vinte",
    "trinta",
    "quarenta",
    "cinquenta",
    "sessenta",
    "setenta",
    "oitenta",
    "noventa",
];
const HUNDREDS: [&str; 10] = [
    "",
    "cento",
    "duzentos",
    "trezentos",
    "quatrocentos",
    "quinhentos",
    "seiscentos",
    "setecentos",
    "oitocentos",
    "novecentos",
];
const SCALES: [[&str; 2]; 7] = [
    ["", ""],
    ["mil", "mil"],
    ["milhão", "milhões"],
    ["bilhão", "bilhões"],
    ["trilhão", "trilhões"],
    ["quatrilhão", "quatrilhões"],
    ["quintilhão", "quintilhões"],
];
const MONTHS: [&str; 12] = [
    "janeiro",
    "fevereiro",
    "março",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
];

fn small(number: u64, feminine: bool) -> &'static str {
    match (number, feminine) {
        (1, true) => "uma",
        (2, true) => "duas",
        _ => SMALL[number as usize],
    }
}

fn below_thousand(number: u64, feminine: bool) -> String {
    if number == 100 {
        return "cem".into();
    }
    let hundreds = HUNDREDS[number as usize / 100];
    let hundreds = if feminine {
        hundreds.replace("tos", "tas")
    } else {
        hundreds.into()
    };
    let rest = number % 100;
    let (tens, ones) = if rest < 20 { (0, rest) } else { (rest / 10, rest % 10) };
    let mut pieces = vec![hundreds, TENS[tens as usize].to_owned()];
    if ones > 0 {
        pieces.push(small(ones, feminine).to_owned());
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces.join(" e ")
}

pub(super) fn cardinal(number: u64, agreement: Agreement) -> String {
    if number == 0 {
        return SMALL[0].into();
    }
    let feminine = agreement == Agreement::Feminine;
    let mut words = String::new();
    for (power, group) in thousands(number) {
        let count = match (power, group) {
            (1, 1) => String::new(),
            _ => below_thousand(group, feminine && power < 2),
        };
        // "mil e cem", "mil e um", "um milhão e mil", but "mil duzentos e um".
        let last = number.is_multiple_of(1000_u64.pow(power as u32));
        let link = if last && !words.is_empty() && (group < 100 || group.is_multiple_of(100)) {
            "e"
        } else {
            ""
        };
        words = join(&[&words, link, &count, SCALES[power][usize::from(group > 1)]]);
    }
    words
}

fn ordinal_of(number: u64, ending: char) -> Option<String> {
    const ONES: [&str; 10] = [
        "", "primeir", "segund", "terceir", "quart", "quint", "sext", "sétim", "oitav", "non",
    ];
    const TENTHS: [&str; 10] = [
        "",
        "décim",
        "vigésim",
        "trigésim",
        "quadragésim",
        "quinquagésim",
        "sexagésim",
        "septuagésim",
        "octogésim",
        "nonagésim",
    ];
    let stems = match number {
        1..100 => [TENTHS[number as usize / 10], ONES[number as usize % 10]],
        100 => ["centésim", ""],
        1000 => ["milésim", ""],
        _ => return None,
    };
    let words: Vec<String> = stems
        .iter()
        .filter(|stem| !stem.is_empty())
        .map(|stem| format!("{stem}{ending}"))
        .collect();
    Some(words.join(" "))
}

fn ordinal(number: u64, suffix: &str) -> Option<String> {
    match suffix.trim_start_matches('.') {
        "º" | "°" | "o" => ordinal_of(number, 'o'),
        "ª" | "a" => ordinal_of(number, 'a'),
        _ => None,
    }
}

fn year(number: u64) -> String {
    cardinal(number, Agreement::Alone)
}

fn date(date: Date) -> String {
    let day = match date.day {
        None => String::new(),
        Some(1) => "primeiro de".into(),
        Some(day) => format!("{} de", cardinal(day, Agreement::Alone)),
    };
    join(&[
        &day,
        MONTHS[date.month - 1],
        &date.year.map(|y| format!("de {}", year(y))).unwrap_or_default(),
    ])
}

fn time(hours: u64, minutes: u64, seconds: Option<u64>) -> String {
    let named =
        |count, agreement, one, many| format!("{} {}", cardinal(count, agreement), if count == 1 { one } else { many });
    let hour = match hours {
        0 => "zero horas".to_owned(),
        _ => named(hours, Agreement::Feminine, "hora", "horas"),
    };
    let minute = match (minutes, seconds) {
        (0, None) => String::new(),
        (_, None) => format!("e {}", cardinal(minutes, Agreement::Alone)),
        _ => format!("e {}", named(minutes, Agreement::Masculine, "minuto", "minutos")),
    };
    let second = seconds.map(|seconds| format!("e {}", named(seconds, Agreement::Masculine, "segundo", "segundos")));
    join(&[&hour, &minute, &second.unwrap_or_default()])
}

fn part(numerator: u64, denominator: u64) -> Option<String> {
    let name = match denominator {
        2 => "meio".to_owned(),
        3 => "terço".to_owned(),
        4..=10 | 100 | 1000 => ordinal_of(denominator, 'o')?,
        11..1000 => {
            let names = [numerator, denominator].map(|number| cardinal(number, Agreement::Masculine));
            return Some(format!("{} avos", names.join(" ")));
        }
        _ => return None,
    };
    Some(format!(
        "{} {name}{}",
        cardinal(numerator, Agreement::Masculine),
        if numerator > 1 { "s" } else { "" }
    ))
}

const UNITS: &[Unit] = &[
    unit_f("x", "vez", "vezes"),
    unit("km/h", "quilômetro por hora", "quilômetros por hora"),
    unit("m/s", "metro por segundo", "metros por segundo"),
    unit("km² km2", "quilômetro quadrado", "quilômetros quadrados"),
    unit("m² m2", "metro quadrado", "metros quadrados"),
    unit("cm² cm2", "centímetro quadrado", "centímetros quadrados"),
    unit("m³ m3", "metro cúbico", "metros cúbicos"),
    unit("cm³ cm3", "centímetro cúbico", "centímetros cúbicos"),
    unit("km", "quilômetro", "quilômetros"),
    unit("cm", "centímetro", "centímetros"),
    unit("mm", "milímetro", "milímetros"),
    unit("µm μm", "micrômetro", "micrômetros"),
    unit("nm", "nanômetro", "nanômetros"),
    unit("m", "metro", "metros"),
    unit("ha", "hectare", "hectares"),
    unit("kg", "quilograma", "quilogramas"),
    unit("mg", "miligrama", "miligramas"),
    unit("µg μg", "micrograma", "microgramas"),
    unit("g", "grama", "gramas"),
    unit_f("t", "tonelada", "toneladas"),
    unit("l L", "litro", "litros"),
    unit("ml mL", "mililitro", "mililitros"),
    unit("cl cL", "centilitro", "centilitros"),
    unit("°C ℃", "grau Celsius", "graus Celsius"),
    unit("°F ℉", "grau Fahrenheit", "graus Fahrenheit"),
    unit_f("h", "hora", "horas"),
    unit("min", "minuto", "minutos"),
    unit("s seg", "segundo", "segundos"),
    unit("ms", "milissegundo", "milissegundos"),
    fixed("Hz", "hertz"),
    fixed("kHz", "quilohertz"),
    fixed("MHz", "megahertz"),
    fixed("GHz", "gigahertz"),
    unit("W", "watt", "watts"),
    unit("kW", "quilowatt", "quilowatts"),
    unit("MW", "megawatt", "megawatts"),
    unit("kWh", "quilowatt-hora", "quilowatts-hora"),
    unit("V", "volt", "volts"),
    unit_f("kcal", "quilocaloria", "quilocalorias"),
    unit("kJ", "quilojoule", "quilojoules"),
    unit("kB KB", "quilobyte", "quilobytes"),
    unit("MB", "megabyte", "megabytes"),
    unit("GB", "gigabyte", "gigabytes"),
    unit("TB", "terabyte", "terabytes"),
    unit("Mbit/s Mbps", "megabit por segundo", "megabits por segundo"),
    unit("dB", "decibel", "decibéis"),
    unit("hPa", "hectopascal", "hectopascais"),
    unit("px", "píxel", "píxeis"),
];

const CURRENCIES: &[Currency] = &[
    money("R$ BRL", ["real", "reais"], ["centavo", "centavos"]),
    money("US$ $ USD", ["dólar", "dólares"], ["centavo", "centavos"]),
    money("€ EUR", ["euro", "euros"], ["centavo", "centavos"]),
    money_f("£ GBP", ["libra", "libras"], ["péni", "pence"]),
    money("¥ JPY", ["iene", "ienes"], ["", ""]),
    money_f("₹ INR", ["rupia", "rupias"], ["paisa", "paisas"]),
    money("₽ RUB", ["rublo", "rublos"], ["copeque", "copeques"]),
    money("₩ KRW", ["won", "wons"], ["", ""]),
    money("元 CNY", ["yuan", "yuans"], ["", ""]),
    money("CHF", ["franco suíço", "francos suíços"], ["centavo", "centavos"]),
    money("₿ BTC", ["bitcoin", "bitcoins"], ["", ""]),
    money_f("SEK", ["coroa sueca", "coroas suecas"], ["", ""]),
    money_f("NOK", ["coroa norueguesa", "coroas norueguesas"], ["", ""]),
    money_f("DKK", ["coroa dinamarquesa", "coroas dinamarquesas"], ["", ""]),
    money("PLN zł", ["zloty", "zlotys"], ["", ""]),
    money_f("CZK Kč", ["coroa tcheca", "coroas tchecas"], ["", ""]),
    money("HUF", ["florim húngaro", "florins húngaros"], ["", ""]),
    money_f("₺", ["lira turca", "liras turcas"], ["", ""]),
    money_f("UAH ₴", ["grívnia", "grívnias"], ["", ""]),
    money("ILS ₪", ["shekel", "shekels"], ["", ""]),
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
        ["dólar canadense", "dólares canadenses"],
        ["centavo", "centavos"],
    ),
    money(
        "NZD",
        ["dólar neozelandês", "dólares neozelandeses"],
        ["centavo", "centavos"],
    ),
    money(
        "HKD HK$",
        ["dólar de Hong Kong", "dólares de Hong Kong"],
        ["centavo", "centavos"],
    ),
    money(
        "SGD",
        ["dólar de Singapura", "dólares de Singapura"],
        ["centavo", "centavos"],
    ),
    money("MXN", ["peso mexicano", "pesos mexicanos"], ["", ""]),
    money("ARS", ["peso argentino", "pesos argentinos"], ["", ""]),
    money("AOA Kz", ["kwanza", "kwanzas"], ["", ""]),
    money("MZN MT", ["metical", "meticais"], ["", ""]),
];

const ABBREVIATIONS: &[Abbreviation] = &[
    ("Sr.ª", "senhora", Place::Title),
    ("Srta.", "senhorita", Place::Title),
    ("Sras.", "senhoras", Place::Title),
    ("Sra.", "senhora", Place::Title),
    ("Srs.", "senhores", Place::Title),
    ("Sr.", "senhor", Place::Title),
    ("R.", "rua", Place::Title),
    ("ext.", "extensão", Place::BeforeNumber),
    ("Al.", "alameda", Place::Title),
    ("Pça.", "praça", Place::Title),
    ("Dr.ª", "doutora", Place::Title),
    ("Dra.", "doutora", Place::Title),
    ("Dr.", "doutor", Place::Title),
    ("Prof.ª", "professora", Place::Title),
    ("Profa.", "professora", Place::Title),
    ("Prof.", "professor", Place::Title),
    ("Eng.º", "engenheiro", Place::Title),
    ("Eng.", "engenheiro", Place::Title),
    ("D.", "dom", Place::Title),
    ("V. Ex.ª", "vossa excelência", Place::Anywhere),
    ("S. A.", "esse a", Place::Anywhere),
    ("Ltda.", "limitada", Place::Anywhere),
    ("Lda.", "limitada", Place::Anywhere),
    ("p. ex.", "por exemplo", Place::Title),
    ("a. C.", "antes de Cristo", Place::Anywhere),
    ("d. C.", "depois de Cristo", Place::Anywhere),
    ("EUA", "Estados Unidos da América", Place::Title),
    ("etc.", "etcétera", Place::Anywhere),
    ("aprox.", "aproximadamente", Place::Title),
    ("av.", "avenida", Place::Title),
    ("Av.", "Avenida", Place::Title),
    ("tel.", "telefone", Place::Title),
    ("Tel.", "Telefone", Place::Title),
    ("n.º", "número", Place::BeforeNumber),
    ("N.º", "número", Place::BeforeNumber),
    ("nº", "número", Place::BeforeNumber),
    ("Nº", "número", Place::BeforeNumber),
    ("n°", "número", Place::BeforeNumber),
    ("págs.", "páginas", Place::BeforeNumber),
    ("pág.", "página", Place::BeforeNumber),
    ("p.", "página", Place::BeforeNumber),
    ("cap.", "capítulo", Place::BeforeNumber),
    ("art.", "artigo", Place::BeforeNumber),
    ("Art.", "Artigo", Place::BeforeNumber),
    ("vol.", "volume", Place::BeforeNumber),
    ("fig.", "figura", Place::BeforeNumber),
    ("séc.", "século", Place::Title),
    ("máx.", "máximo", Place::BeforeNumber),
    ("mín.", "mínimo", Place::BeforeNumber),
    ("N°", "número", Place::BeforeNumber),
    ("apto.", "apartamento", Place::BeforeNumber),
    ("obs.", "observação", Place::Title),
    ("ref.", "referência", Place::Title),
    ("qtd.", "quantidade", Place::Title),
    ("cel.", "celular", Place::Title),
    ("c/", "com", Place::Title),
    ("cf.", "confira", Place::Title),
];

pub(super) static RULES: Rules = Rules {
    words: Words {
        minus: "menos",
        plus: "mais",
        equals: "igual a",
        times: "vezes",
        divided: "dividido por",
        to: "a",
        over: "sobre",
        and: "e",
        at: "arroba",
        dot: "ponto",
        slash: "barra",
        hyphen: "hífen",
        underscore: "traço inferior",
        hashtag: "hashtag",
        number: "número",
        percent: ("", "por cento"),
        permille: "por mil",
        ratio: "a",
        always: "vinte e quatro por sete",
        point: "ponto",
        section: "parágrafo",
        less: "menor que",
        greater: "maior que",
        plus_minus: "mais ou menos",
        about: "cerca de",
    },
    decimal: ',',
    both_decimals: false,
    space_groups: true,
    month_first: false,
    space: " ",
    months: &[
        ("janeiro", 1),
        ("fevereiro", 2),
        ("março", 3),
        ("abril", 4),
        ("maio", 5),
        ("junho", 6),
        ("julho", 7),
        ("agosto", 8),
        ("setembro", 9),
        ("outubro", 10),
        ("novembro", 11),
        ("dezembro", 12),
        ("jan", 1),
        ("fev", 2),
        ("mar", 3),
        ("abr", 4),
        ("mai", 5),
        ("jun", 6),
        ("jul", 7),
        ("ago", 8),
        ("set", 9),
        ("out", 10),
        ("nov", 11),
        ("dez", 12),
    ],
    cardinal,
    fraction: |integer, decimals| decimals_as_number(integer, decimals, "vírgula", cardinal),
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
        unit("mi", "milhão", "milhões"),
        unit("bi", "bilhão", "bilhões"),
        unit("tri", "trilhão", "trilhões"),
    ],
    of: "de ",
    scales: &[
        ("milhões de", "milhões de"),
        ("milhões", "milhões de"),
        ("milhão", "milhão de"),
        ("bilhões", "bilhões de"),
        ("bilhão", "bilhão de"),
        ("trilhões", "trilhões de"),
        ("trilhão", "trilhão de"),
        ("mil", "mil"),
    ],
    abbreviations: ABBREVIATIONS,
    rulers: &[
        "joão",
        "pedro",
        "luís",
        "carlos",
        "filipe",
        "afonso",
        "manuel",
        "sebastião",
        "maria",
        "isabel",
        "henrique",
        "josé",
        "miguel",
        "paulo",
        "pio",
        "bento",
        "gregório",
        "leão",
        "napoleão",
        "catarina",
        "alexandre",
        "nicolau",
        "jorge",
        "eduardo",
        "guilherme",
        "fernando",
        "sancho",
        "dinis",
        "clemente",
        "inocêncio",
        "urbano",
        "francisco",
    ],
    ruler_style: Rulers::OrdinalsToTen,
    centuries: &[],
    spelled: &[
        "FBI", "CIA", "IBM", "URL", "USB", "API", "UE", "IP", "IA", "CEO", "ADN", "IRS", "PSD", "PT", "TV",
    ],
    year_cues: &[],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (number, words) in [
            (21, "vinte e um"),
            (100, "cem"),
            (199, "cento e noventa e nove"),
            (1_100, "mil e cem"),
            (1_234, "mil duzentos e trinta e quatro"),
            (2_000_000, "dois milhões"),
        ] {
            assert_eq!(cardinal(number, Agreement::Alone), words);
        }
        assert_eq!(cardinal(2, Agreement::Feminine), "duas");
        assert_eq!(ordinal(3, "ª").as_deref(), Some("terceira"));
        assert_eq!(ordinal(21, "º").as_deref(), Some("vigésimo primeiro"));
    }
}
