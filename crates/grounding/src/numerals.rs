//! The numbers in a text, in digits or in words.

use quartet_api::Language;

/// The numbers in a text, without what groups their digits; those from two to twelve also where they are words. One is an
/// article in too many languages.
pub fn numerals(text: &str, language: Language) -> impl Iterator<Item = String> {
    let list = words(language);
    let lower = text.to_lowercase();
    let spelt: Vec<String> = lower
        .split(|c: char| !c.is_alphabetic() && !matches!(c, '\u{900}'..='\u{97f}'))
        .filter_map(|word| {
            let at = list
                .iter()
                .position(|forms| forms.split(' ').any(|form| form == word))?;
            Some((at + 2).to_string())
        })
        .collect();
    digits(text).chain(spelt)
}

/// The numbers in digits.
pub(crate) fn digits(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !(c.is_numeric() || matches!(c, '.' | ',' | '\u{a0}' | '\u{202f}')))
        .map(|number| number.chars().filter(|c| c.is_numeric()).collect::<String>())
        .filter(|number| !number.is_empty())
}

/// From two to twelve. Languages that are compared by pairs of characters need none.
fn words(language: Language) -> &'static [&'static str] {
    match language {
        Language::English => &[
            "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        ],
        Language::German => &[
            "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
        ],
        Language::French => &[
            "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze",
        ],
        Language::Spanish => &[
            "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce",
        ],
        Language::Italian => &[
            "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "dieci", "undici", "dodici",
        ],
        Language::Portuguese => &[
            "dois duas",
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
        ],
        Language::Russian => &[
            "два две двух двум",
            "три трёх трех",
            "четыре четырёх",
            "пять пяти",
            "шесть шести",
            "семь семи",
            "восемь восьми",
            "девять девяти",
            "десять десяти",
            "одиннадцать",
            "двенадцать",
        ],
        Language::Hindi => &[
            "दो",
            "तीन",
            "चार",
            "पांच पाँच",
            "छह छः",
            "सात",
            "आठ",
            "नौ",
            "दस",
            "ग्यारह",
            "बारह",
        ],
        Language::Arabic => &[
            "اثنان اثنين اثنتان اثنتين",
            "ثلاثة ثلاث",
            "أربعة أربع",
            "خمسة خمس",
            "ستة ست",
            "سبعة سبع",
            "ثمانية ثماني",
            "تسعة تسع",
            "عشرة عشر",
        ],
        Language::Chinese | Language::Japanese | Language::Korean => &[],
    }
}
