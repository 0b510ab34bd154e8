//! Prime numbers: "Is 91 a prime number?" and "What are the prime factors of 84?"

use quartet_api::chat::Computation;

use super::super::computed::Computed;
use super::super::lexer::is_small;
use super::super::question::Question;
use super::super::said::{self, Said};
use super::super::{messages, number};

/// The largest number whose factors are looked for, up to its root.
const LARGEST: u64 = 1_000_000_000_000;

/// Tells if the only number of a question is a prime, or which factors it has.
pub(super) fn answer(question: &Question) -> Option<Computed> {
    let language = question.language();
    let (before, after) = question.around_only_number()?;
    let number: u64 = question.only_number()?.parse().ok()?;
    let mut rest = format!("{before} , {after}");
    let asks_for_factors = said::cut(&mut rest, Said::Factors, language);
    if !asks_for_factors {
        let asks = said::cut(&mut rest, Said::Prime, language);
        said::cut(&mut rest, Said::Whether, language);
        if !asks {
            return None;
        }
    }
    if !(2..=LARGEST).contains(&number) || !is_small(&rest, language) || question.has_minus() {
        return None;
    }
    let factors = factors(number);
    let product = product(&factors);
    let is_prime = factors == [(number, 1)];
    let written = number::write(&number.to_string(), language);
    let (answer, result, value) = match (asks_for_factors, is_prime) {
        (true, false) => (format!("{written} = {product}"), product.clone(), product),
        (false, false) => {
            let no = messages::yes_or_no(false, language);
            (
                format!("{written}: {no}, {product}"),
                format!("{no}, {product}"),
                "no".to_owned(),
            )
        }
        (_, true) => {
            let yes = messages::yes_or_no(true, language);
            (format!("{written}: {yes}"), yes.to_owned(), "yes".to_owned())
        }
    };
    // A prime has no factors to be told.
    if asks_for_factors && is_prime {
        return None;
    }
    Some(Computed {
        answer,
        value,
        computation: Some(Computation {
            kind: "arithmetic".to_owned(),
            expression: written,
            result,
            approximate: false,
        }),
    })
}

/// The prime factors of a number with their exponents.
fn factors(mut number: u64) -> Vec<(u64, u32)> {
    let mut found = Vec::new();
    let mut factor = 2;
    while factor * factor <= number {
        let mut exponent = 0;
        while number.is_multiple_of(factor) {
            number /= factor;
            exponent += 1;
        }
        if exponent > 0 {
            found.push((factor, exponent));
        }
        factor += if factor == 2 { 1 } else { 2 };
    }
    if number > 1 {
        found.push((number, 1));
    }
    found
}

fn product(factors: &[(u64, u32)]) -> String {
    let all = factors.iter().map(|(factor, exponent)| match exponent {
        1 => factor.to_string(),
        _ => format!("{factor}^{exponent}"),
    });
    all.collect::<Vec<_>>().join(" × ")
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
    fn primes_are_told_in_every_language() {
        for (question, language, expected) in [
            ("Is 91 a prime number?", English, "91: no, 7 × 13"),
            ("is 97 prime?", English, "97: yes"),
            ("Ist 57 eine Primzahl?", German, "57: nein, 3 × 19"),
            ("Est-ce que 91 est un nombre premier ?", French, "91: non, 7 × 13"),
            ("¿Es 97 un número primo?", Spanish, "97: sí"),
            ("Il 51 è un numero primo?", Italian, "51: no, 3 × 17"),
            ("O 97 é um número primo?", Portuguese, "97: sim"),
            ("Является ли 91 простым числом?", Russian, "91: нет, 7 × 13"),
            ("91は素数ですか？", Japanese, "91: いいえ, 7 × 13"),
            ("91是质数吗？", Chinese, "91: 不是, 7 × 13"),
            ("91은 소수인가요?", Korean, "91: 아니요, 7 × 13"),
            ("هل 97 عدد أولي؟", Arabic, "97: نعم"),
            ("क्या 97 अभाज्य संख्या है?", Hindi, "97: हाँ"),
        ] {
            assert_eq!(ask(question, language).as_deref(), Some(expected), "{question}");
        }
    }

    #[test]
    fn factors_are_told() {
        assert_eq!(
            ask("What are the prime factors of 84?", English).as_deref(),
            Some("84 = 2^2 × 3 × 7")
        );
        assert_eq!(
            ask("Primfaktorzerlegung von 1001", German).as_deref(),
            Some("1001 = 7 × 11 × 13")
        );
        assert_eq!(factors(999_999_999_989), [(999_999_999_989, 1)]);
    }

    #[test]
    fn other_questions_are_left() {
        for question in [
            "What is the first prime number after 100?",
            "How many primes are below 100?",
            "Is 1 a prime number?",
            "Is -7 prime?",
            "Is 3.5 a prime number?",
            "Are 7 and 9 prime?",
            "How much is Amazon Prime for 12 months?",
        ] {
            assert_eq!(ask(question, English), None, "{question}");
        }
    }
}
