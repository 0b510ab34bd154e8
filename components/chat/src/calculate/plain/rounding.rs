//! Rounding: "Round 3.14159 to 2 decimal places". Small language models multiply the two numbers.

use quartet_api::chat::Computation;

use super::super::computed::Computed;
use super::super::lexer::is_small;
use super::super::measures::{self, Item};
use super::super::number;
use super::super::question::Question;
use super::super::said::{self, Said};

/// The most decimals that are asked for.
const MOST_DECIMALS: usize = 15;

/// Rounds the number of a question to the decimals that it says, half of the last one up, if it has no other words.
pub(super) fn answer(question: &Question) -> Option<Computed> {
    let language = question.language();
    // "四捨五入" has numerals in it.
    let mut text = question.text().to_owned();
    if !said::cut(&mut text, Said::Round, language) {
        return None;
    }
    let question = &Question::new(&text, language);
    let text = question.text();
    let items = measures::read(question)?;
    let numbers: Vec<&Item> = items.iter().filter(|item| item.value.is_some()).collect();
    let (item, decimals, others) = match numbers[..] {
        [number] if question.says(Said::WholeNumber) => (number, 0, None),
        [number, count] if is_count(question, count) => (number, decimals(count)?, Some(count)),
        [count, number] if is_count(question, count) => (number, decimals(count)?, Some(count)),
        _ => return None,
    };
    if item.measure.is_some() || question.has_percentage() || question.is_negative_at((item.start, item.end)) {
        return None;
    }
    let mut rest = text.to_owned();
    let mut taken = [Some(item), others].into_iter().flatten().collect::<Vec<_>>();
    taken.sort_by_key(|item| std::cmp::Reverse(item.start));
    for item in taken {
        rest.replace_range(item.start..item.end, " , ");
    }
    for said in [Said::Decimals, Said::WholeNumber] {
        said::cut(&mut rest, said, language);
    }
    if !is_small(&rest, language) {
        return None;
    }
    let value = item.value.as_deref()?;
    let rounded = rounded(value, decimals)?;
    let (shown, result) = (number::write(value, language), number::write(&rounded, language));
    let equals = if is_equal(value, &rounded) { '=' } else { '≈' };
    Some(Computed {
        answer: format!("{shown} {equals} {result}"),
        value: rounded,
        computation: Some(Computation {
            kind: "arithmetic".to_owned(),
            expression: shown,
            result,
            approximate: equals == '≈',
        }),
    })
}

/// Returns true if a number stands beside a word for decimals.
fn is_count(question: &Question, item: &Item) -> bool {
    let (text, language) = (question.text(), question.language());
    said::at_start(text[item.end..].trim_start(), Said::Decimals, language).is_some()
        || said::is_at_end(text[..item.start].trim_end(), Said::Decimals, language)
}

fn decimals(item: &Item) -> Option<usize> {
    let count = item.value.as_ref()?.parse().ok()?;
    (item.measure.is_none() && count <= MOST_DECIMALS).then_some(count)
}

/// A number with so many decimals, half of the last one up.
fn rounded(value: &str, decimals: usize) -> Option<String> {
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    let kept: String = fraction.chars().chain(std::iter::repeat('0')).take(decimals).collect();
    let is_up = fraction.as_bytes().get(decimals).is_some_and(|digit| *digit >= b'5');
    let digits: u128 = format!("{whole}{kept}").parse().ok()?;
    let digits = format!("{:0>1$}", digits.checked_add(u128::from(is_up))?, decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    Some(match fraction {
        "" => whole.to_owned(),
        fraction => format!("{whole}.{fraction}"),
    })
}

fn is_equal(one: &str, other: &str) -> bool {
    let plain = |number: &str| match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => number.to_owned(),
    };
    plain(one) == plain(other)
}

#[cfg(test)]
mod tests {
    use Language::{
        Arabic, Chinese, English, French, German, Hindi, Italian, Japanese, Korean, Portuguese, Russian, Spanish,
    };
    use quartet_api::Language;

    use super::*;

    fn ask(question: &str, language: Language) -> Option<String> {
        answer(&Question::new(question, language)).map(|computed| computed.answer)
    }

    #[test]
    fn numbers_are_rounded_in_every_language() {
        for (question, language, expected) in [
            ("round 3.14159 to 2 decimal places", English, "3.14159 ≈ 3.14"),
            ("Round 17.8 to the nearest whole number", English, "17.8 ≈ 18"),
            ("what is 2.005 rounded to two decimals?", English, "2.005 ≈ 2.01"),
            ("Runde 3,14159 auf zwei Nachkommastellen", German, "3,14159 ≈ 3,14"),
            ("Runde 12,3456 auf zwei Stellen", German, "12,3456 ≈ 12,35"),
            ("arrondis 3,14159 à 2 décimales", French, "3,14159 ≈ 3,14"),
            ("redondea 3,14159 a 2 decimales", Spanish, "3,14159 ≈ 3,14"),
            ("arrotonda 3,14159 a 2 decimali", Italian, "3,14159 ≈ 3,14"),
            ("arredonde 3,14159 para 2 casas decimais", Portuguese, "3,14159 ≈ 3,14"),
            ("округли 17,8 до целого", Russian, "17,8 ≈ 18"),
            ("17.8を整数に四捨五入してください", Japanese, "17.8 ≈ 18"),
            ("把17.8四舍五入为整数", Chinese, "17.8 ≈ 18"),
            ("3.14159保留两位小数", Chinese, "3.14159 ≈ 3.14"),
            ("3.14159を小数点以下2桁に四捨五入して", Japanese, "3.14159 ≈ 3.14"),
            ("Округлите 3,14159 до 2 знаков после запятой", Russian, "3,14159 ≈ 3,14"),
            ("17.8을 정수로 반올림하면 얼마예요?", Korean, "17.8 ≈ 18"),
            ("قرب 17.8 إلى عدد صحيح", Arabic, "17.8 ≈ 18"),
            ("17.8 को पूर्णांक में पूर्णांकित करें", Hindi, "17.8 ≈ 18"),
        ] {
            assert_eq!(ask(question, language).as_deref(), Some(expected), "{question}");
        }
    }

    #[test]
    fn digits_are_carried_and_kept() {
        let all = [
            ("9.995", 2),
            ("0.04", 1),
            ("5", 2),
            ("1234.5", 0),
            ("0.5", 0),
            ("99999999999999999999.95", 1),
        ];
        let found = all.map(|(value, decimals)| rounded(value, decimals).unwrap());
        assert_eq!(found, ["10.00", "0.0", "5.00", "1235", "1", "100000000000000000000.0"]);
        assert!(
            is_equal("5", "5.00") && is_equal("2.50", "2.5") && !is_equal("50", "5") && !is_equal("9.995", "10.00")
        );
    }

    #[test]
    fn other_questions_are_left() {
        for question in [
            "How many minutes does a round of 18 holes take?",
            "round 4567 to the nearest hundred",
            "A round trip is 120 km, how far is it to the whole number 2?",
            "Round 5 kg to 2 decimal places",
            "What is 10 / 3 rounded to 2 decimals?",
        ] {
            assert_eq!(ask(question, English), None, "{question}");
        }
    }
}
