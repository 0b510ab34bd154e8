//! Russian cardinals in the oblique cases, after N. Yu. Shvedova (ed.), Russkaya grammatika (1980), §§ 1364–1380.

use super::super::number_words::{join, thousands};
use super::super::rules::Agreement;
use super::{SCALES, SMALL, cardinal, form};

/// The case that a preposition or a noun's ending shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// Counting, and inanimate objects.
    Nominative,
    /// After "около", "до".
    Genitive,
    /// After "к", before nouns in -ам.
    Dative,
    /// "за одну минуту".
    Accusative,
    /// Before nouns in -ами, after "между".
    Instrumental,
    /// Before nouns in -ах.
    Prepositional,
}

/// Genitive, dative, instrumental, prepositional of one to four; the feminine of one apart.
const ONE: [&str; 4] = ["одного", "одному", "одним", "одном"];
const SMALLEST: [[&str; 4]; 3] = [
    ["двух", "двум", "двумя", "двух"],
    ["трёх", "трём", "тремя", "трёх"],
    ["четырёх", "четырём", "четырьмя", "четырёх"],
];
/// Tens from fifty to eighty are declined in both halves.
const TENS: [[&str; 2]; 10] = [
    ["", ""],
    ["десяти", "десятью"],
    ["двадцати", "двадцатью"],
    ["тридцати", "тридцатью"],
    ["сорока", "сорока"],
    ["пятидесяти", "пятьюдесятью"],
    ["шестидесяти", "шестьюдесятью"],
    ["семидесяти", "семьюдесятью"],
    ["восьмидесяти", "восемьюдесятью"],
    ["девяноста", "девяноста"],
];
const HUNDREDS: [[&str; 4]; 10] = [
    ["", "", "", ""],
    ["ста", "ста", "ста", "ста"],
    ["двухсот", "двумстам", "двумястами", "двухстах"],
    ["трёхсот", "трёмстам", "тремястами", "трёхстах"],
    ["четырёхсот", "четырёмстам", "четырьмястами", "четырёхстах"],
    ["пятисот", "пятистам", "пятьюстами", "пятистах"],
    ["шестисот", "шестистам", "шестьюстами", "шестистах"],
    ["семисот", "семистам", "семьюстами", "семистах"],
    ["восьмисот", "восьмистам", "восемьюстами", "восьмистах"],
    ["девятисот", "девятистам", "девятьюстами", "девятистах"],
];

fn small(number: u64, agreement: Agreement, index: usize) -> String {
    match number {
        0 => String::new(),
        1 if agreement == Agreement::Feminine => "одной".into(),
        1 => ONE[index].into(),
        2..=4 => SMALLEST[number as usize - 2][index].into(),
        8 => ["восьми", "восьми", "восемью", "восьми"][index].into(),
        _ => {
            let stem = SMALL[number as usize].trim_end_matches('ь');
            format!("{stem}{}", if index == 2 { "ью" } else { "и" })
        }
    }
}

fn below_thousand(number: u64, agreement: Agreement, index: usize) -> String {
    let rest = number % 100;
    let (tens, ones) = if rest < 20 { (0, rest) } else { (rest / 10, rest % 10) };
    join(&[
        HUNDREDS[number as usize / 100][index],
        TENS[tens as usize][usize::from(index == 2)],
        &small(ones, agreement, index),
    ])
}

/// A noun in an oblique case, made of its forms (one, few, many) in the nominative: regular nouns in a consonant, -а and -я.
pub(crate) fn noun(forms: &[&str; 3], count: u64, case: Case) -> String {
    let single = form(count) == 0;
    let [one, few, many] = *forms;
    let stem = one.strip_suffix(['а', 'я', 'ь', 'й']).unwrap_or(one);
    let soft = one.ends_with(['я', 'ь', 'й']) || many.ends_with("ей");
    let feminine = one.ends_with(['а', 'я']);
    let ending = |hard: &str, soft_ending: &str| format!("{stem}{}", if soft { soft_ending } else { hard });
    // "евро", "пенни", and "киловатт-час", of which only the first word would be declined.
    if one == few && few == many {
        return one.into();
    }
    let (head, tail) = one.split_once(' ').unwrap_or((one, ""));
    let adjective = ["ный", "ский", "ная", "ская"].iter().any(|end| head.ends_with(end));
    if !tail.is_empty() && !adjective {
        // "градус Цельсия", "метр в секунду"
        let first = |text: &str| text.split(' ').next().unwrap_or(text).to_owned();
        let forms = [first(one), first(few), first(many)];
        return format!("{} {tail}", noun_owned(&forms, count, case));
    }
    match (case, single) {
        (Case::Nominative, _) => forms[form(count)].into(),
        (Case::Accusative, true) if feminine => ending("у", "ю"),
        (Case::Accusative, _) => forms[form(count)].into(),
        (Case::Genitive, true) => few.into(),
        (Case::Genitive, false) => many.into(),
        (Case::Dative, true) if feminine => format!("{stem}е"),
        (Case::Dative, true) => ending("у", "ю"),
        (Case::Dative, false) => ending("ам", "ям"),
        (Case::Instrumental, true) if feminine => ending("ой", "ей"),
        (Case::Instrumental, true) => ending("ом", "ем"),
        (Case::Instrumental, false) => ending("ами", "ями"),
        (Case::Prepositional, true) => format!("{stem}е"),
        (Case::Prepositional, false) => ending("ах", "ях"),
    }
}

fn noun_owned(forms: &[String; 3], count: u64, case: Case) -> String {
    noun(&[&forms[0], &forms[1], &forms[2]], count, case)
}

/// A cardinal in a case; `agreement` is the gender of the noun.
pub(crate) fn declined(number: u64, agreement: Agreement, case: Case) -> String {
    let index = match case {
        Case::Nominative => return cardinal(number, agreement),
        Case::Accusative => {
            // Only "одна", "тысяча" have an accusative of their own among what is not alive.
            return cardinal(number, agreement)
                .split(' ')
                .map(|word| match word {
                    "одна" => "одну",
                    "тысяча" => "тысячу",
                    _ => word,
                })
                .collect::<Vec<_>>()
                .join(" ");
        }
        Case::Genitive => 0,
        Case::Dative => 1,
        Case::Instrumental => 2,
        Case::Prepositional => 3,
    };
    if number == 0 {
        return ["нуля", "нулю", "нулём", "нуле"][index].into();
    }
    let mut words = String::new();
    for (power, group) in thousands(number) {
        let gender = if power == 1 { Agreement::Feminine } else { agreement };
        let gender = if power > 1 { Agreement::Masculine } else { gender };
        let count = match (power, group) {
            (1.., 1) => String::new(),
            _ => below_thousand(group, gender, index),
        };
        let scale = if power == 0 {
            String::new()
        } else {
            noun(&SCALES[power], group, case)
        };
        words = join(&[&words, &count, &scale]);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use Case::{Accusative, Dative, Genitive, Instrumental, Prepositional};

    #[test]
    fn cardinals_are_declined_in_every_word() {
        for (number, gender, case, words) in [
            (100, Agreement::Masculine, Genitive, "ста"),
            (1, Agreement::Feminine, Accusative, "одну"),
            (21, Agreement::Feminine, Genitive, "двадцати одной"),
            (1950, Agreement::Masculine, Genitive, "тысячи девятисот пятидесяти"),
            (2_500, Agreement::Masculine, Genitive, "двух тысяч пятисот"),
            (8, Agreement::Masculine, Instrumental, "восемью"),
            (53, Agreement::Masculine, Instrumental, "пятьюдесятью тремя"),
            (200, Agreement::Masculine, Dative, "двумстам"),
            (40, Agreement::Masculine, Prepositional, "сорока"),
            (5_000_000, Agreement::Masculine, Prepositional, "пяти миллионах"),
            (11, Agreement::Masculine, Genitive, "одиннадцати"),
        ] {
            assert_eq!(declined(number, gender, case), words);
        }
    }

    #[test]
    fn nouns_take_their_case() {
        assert_eq!(
            noun(&["километр", "километра", "километров"], 5, Prepositional),
            "километрах"
        );
        assert_eq!(noun(&["минута", "минуты", "минут"], 1, Accusative), "минуту");
        assert_eq!(noun(&["рубль", "рубля", "рублей"], 10, Dative), "рублям");
        assert_eq!(
            noun(&["градус Цельсия", "градуса Цельсия", "градусов Цельсия"], 20, Genitive),
            "градусов Цельсия"
        );
        assert_eq!(noun(&["евро", "евро", "евро"], 20, Dative), "евро");
    }
}
