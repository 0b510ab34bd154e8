//! Powers and roots whose exponent or degree is an ordinal: "3 to the fifth power", "la quinta potencia de 2", "cube root of 27".

use quartet_measures::{begins_word, ends_word};

use super::expression::{Expression, Formula};
use super::lexicon::{self, Row};
use super::measures::{self, Item};
use super::number;
use super::question::Question;
use super::said::{self, Said};

/// Limit in characters for what stands between a power and its number.
const MAX_BETWEEN: usize = 25;

/// The highest exponent whose ordinal is known.
const MAX_ORDINAL: u8 = 12;

/// The power or the root of a question whose only number is what it is of.
pub(super) fn only(question: &Question) -> Option<Expression> {
    let items = measures::read(question)?;
    let numbers: Vec<&Item> = items.iter().filter(|item| item.value.is_some()).collect();
    let halves = lexicon::rows_of(Row::Value("0.5")).any(|word| question.has(word));
    if halves || question.says(Said::Twice) || question.asks_for_percentage() || question.has_clock_time() {
        return None;
    }
    // "2の五乗" has its exponent as a number.
    let (base, counted) = match numbers[..] {
        [base] => (base, None),
        [base, exponent] => (base, Some(exponent)),
        _ => return None,
    };
    if base.measure.is_some() || question.is_negative_at((base.start, base.end)) {
        return None;
    }
    let value = base.value.as_deref()?;
    let (degree, is_root) = match counted {
        Some(exponent) => (counted_degree(question, base, exponent)?, false),
        None => ordinal_degree(question, base)?,
    };
    let shown = number::write(value, question.language());
    let (engine, shown) = match (is_root, degree) {
        (true, 2) => (format!("sqrt({value})"), format!("√{shown}")),
        (true, 3) => (format!("cbrt({value})"), format!("∛{shown}")),
        (true, degree) => (format!("{value}^(1/{degree})"), format!("{}√{shown}", raised(degree))),
        (false, degree) => (format!("{value}^{degree}"), format!("{shown}^{degree}")),
    };
    Some(Expression::Formula(Formula {
        engine,
        shown,
        unit: String::new(),
    }))
}

/// The exponent that stands as a number right before its word: "2的5次方".
fn counted_degree(question: &Question, base: &Item, exponent: &Item) -> Option<u8> {
    let after = question.text()[exponent.end..].trim_start();
    let marks = ["乗", "次方", "次幂", "次冪", "제곱", "승"];
    let rest = marks.iter().find_map(|mark| after.strip_prefix(mark))?;
    let between = question.text()[base.end..exponent.start].trim();
    let joined = matches!(between, "の" | "的" | "의" | "을" | "를");
    let degree: u8 = exponent.value.as_deref()?.parse().ok()?;
    // What follows is another thing, or would be done with the power.
    let ends = !rest.contains(['根', '근', '和', '+', '-']) && exponent.measure.is_none();
    (joined && ends && (2..=MAX_ORDINAL).contains(&degree)).then_some(degree)
}

/// The degree that an ordinal beside a word for a power or a root says, and true for a root.
fn ordinal_degree(question: &Question, base: &Item) -> Option<(u8, bool)> {
    if question.says(Said::CubeRoot) {
        return is_near(question, base, Said::CubeRoot).then_some((3, true));
    }
    let (text, language) = (question.text(), question.language());
    let mut found: Option<(u8, bool)> = None;
    for (value, phrase) in said::ordinals(language) {
        for (start, _) in text.match_indices(phrase) {
            let end = start + phrase.len();
            // "fünften" is "fünfte" with an ending, "quintas" is no "quinta".
            let ending = text[end..].find(|c: char| !"nrms".contains(c) || language != quartet_api::Language::German);
            let end = end + ending.unwrap_or(text.len() - end);
            if !begins_word(phrase, &text[..start]) || !ends_word(phrase, &text[end..]) {
                continue;
            }
            // Two ordinals ask for two things, and one of something else for neither.
            let is_root = kind(question, base, (start, end))?;
            if found.is_some_and(|known| known != (value, is_root)) {
                return None;
            }
            found = Some((value, is_root));
        }
    }
    found
}

/// Returns true for the ordinal of a root, and false for the one of a power; none for another one.
fn kind(question: &Question, base: &Item, (start, end): (usize, usize)) -> Option<bool> {
    let (text, language) = (question.text(), question.language());
    let before = text[..start].trim_end();
    let after = text[end..].trim_start();
    let is_beside = |said| said::at_start(after, said, language).is_some() || said::is_at_end(before, said, language);
    let near = |from: usize, to: usize| {
        let between = text.get(from..to).unwrap_or_default();
        between.chars().count() <= MAX_BETWEEN && !between.contains(['.', ';', '?', '!', '+', '-'])
    };
    let is_near = near(base.end, start) || near(end, base.start);
    if !is_near {
        return None;
    }
    // "корень пятой степени" is a root, which has the word for a power, too.
    if is_beside(Said::RootOf) && question.names(super::term::Operation::Root) {
        return Some(true);
    }
    if is_beside(Said::PowerOf) && !question.names(super::term::Operation::Root) {
        return Some(false);
    }
    // "3 to the fifth", "3 elevado a la quinta"
    let between = text.get(base.end..start)?.trim();
    let raised = said::is_all(between, Said::Raised, language) && !question.names(super::term::Operation::Root);
    (raised && !after.starts_with(char::is_alphabetic)).then_some(false)
}

/// Returns true if words of a kind stand near a number.
fn is_near(question: &Question, base: &Item, said: Said) -> bool {
    let text = question.text();
    let places = said::phrases(said, question.language()).filter_map(|phrase| said::place(text, phrase));
    places.into_iter().any(|(start, end)| {
        let between = text.get(end..base.start).or_else(|| text.get(base.end..start));
        between.is_some_and(|between| {
            between.chars().count() <= MAX_BETWEEN && !between.contains(['.', ';', '?', '!', '+', '-'])
        })
    })
}

/// A small number in raised digits.
fn raised(number: u8) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = number.to_string().into_bytes().into_iter();
    digits.map(|digit| DIGITS[usize::from(digit - b'0')]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::conversion;
    use super::*;
    use quartet_api::Language;

    fn answer(question: &str, language: Language) -> Option<String> {
        match only(&Question::new(question, language))? {
            Expression::Formula(formula) => Some(conversion::formula(&formula, language)?.answer),
            _ => None,
        }
    }

    #[test]
    fn ordinals_are_exponents_and_degrees() {
        use Language::{
            Arabic, Chinese, English, French, German, Hindi, Italian, Japanese, Korean, Portuguese, Russian, Spanish,
        };
        for (question, language, expected) in [
            ("What is 3 to the fifth power?", English, "3^5 = 243"),
            ("3 to the fifth", English, "3^5 = 243"),
            ("what is the third power of 5", English, "5^3 = 125"),
            ("cube root of 27", English, "∛27 = 3"),
            ("the fifth root of 32", English, "⁵√32 = 2"),
            ("Was ist die fünfte Potenz von 2?", German, "2^5 = 32"),
            ("Kubikwurzel aus 64", German, "∛64 = 4"),
            ("dritte Wurzel aus 64", German, "∛64 = 4"),
            ("quinta potência de 2", Portuguese, "2^5 = 32"),
            ("¿Cuánto es 2 elevado a la quinta?", Spanish, "2^5 = 32"),
            ("¿Cuál es la raíz cúbica de 27?", Spanish, "∛27 = 3"),
            ("2 à la puissance cinquième", French, "2^5 = 32"),
            ("Quelle est la racine cubique de 27 ?", French, "∛27 = 3"),
            ("2 elevato alla quinta", Italian, "2^5 = 32"),
            ("Сколько будет 2 в пятой степени?", Russian, "2^5 = 32"),
            ("корень пятой степени из 32", Russian, "⁵√32 = 2"),
            ("2の5乗は?", Japanese, "2^5 = 32"),
            ("27の立方根は?", Japanese, "∛27 = 3"),
            ("2的五次方是多少", Chinese, "2^5 = 32"),
            ("27的立方根是多少", Chinese, "∛27 = 3"),
            ("2의 5제곱은?", Korean, "2^5 = 32"),
            ("27의 세제곱근은?", Korean, "∛27 = 3"),
            ("ما هو الجذر التكعيبي ل 27؟", Arabic, "∛27 = 3"),
            ("27 का घनमूल क्या है?", Hindi, "∛27 = 3"),
        ] {
            assert_eq!(answer(question, language).as_deref(), Some(expected), "{question}");
        }
    }

    #[test]
    fn other_ordinals_are_left() {
        for (question, language) in [
            ("What is the fifth of 3 powers?", Language::English),
            ("add 3 to the fifth number", Language::English),
            ("What is 3 plus 2 to the fifth power?", Language::English),
            ("the third of May at 5", Language::English),
            ("a fifth of 30", Language::English),
            ("half of the cube root of 27", Language::English),
            ("the second and the third power of 5", Language::English),
            ("la quinta parte de 30", Language::Spanish),
            ("der fünfte von 30 Läufern", Language::German),
            ("-2 to the fifth power", Language::English),
            ("27の立方根の2倍は?", Language::Japanese),
        ] {
            assert_eq!(answer(question, language), None, "{question}");
        }
    }
}
