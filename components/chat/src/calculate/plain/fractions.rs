//! Fractions of a number: "What are two thirds of 450?" and "450の3分の2". Small language models leave the numerator out.

use super::super::amounts::Around;
use super::super::arithmetic;
use super::super::computed::Computed;
use super::super::lexer::is_small;
use super::super::lexicon;
use super::super::number;
use super::super::parts::{self, Fraction};
use super::super::question::Question;

/// Computes a fraction of the only other number of a question, if there are no other words.
pub(super) fn answer(question: &Question) -> Option<Computed> {
    let language = question.language();
    let fraction = parts::in_words(question).or_else(|| parts::in_signs(question))?;
    let Fraction {
        numerator,
        denominator,
        rest,
    } = fraction;
    let rest = Question::new(&rest, language);
    let value = rest.only_number()?;
    let (before, after) = rest.around_only_number()?;
    let has_others = lexicon::parts(language).any(|(_, word)| rest.has(word));
    if has_others || rest.has_percentage() || !is_small(&format!("{before} , {after}"), language) {
        return None;
    }
    let shown = number::write(value, language);
    let (engine, shown) = match numerator {
        1 => (format!("{value} / {denominator}"), format!("{shown} ÷ {denominator}")),
        _ => (
            format!("{value} * {numerator} / {denominator}"),
            format!("{shown} × {numerator} ÷ {denominator}"),
        ),
    };
    arithmetic::computed(&engine, &shown, &Around::default(), language)
}

#[cfg(test)]
mod tests {
    use Language::{
        Arabic, Chinese, English, French, German, Hindi, Italian, Japanese, Korean, Portuguese, Russian, Spanish,
    };
    use quartet_api::Language;

    use super::*;

    fn ask(question: &str, language: Language) -> Option<String> {
        answer(&Question::new(question, language)).map(|computed| computed.value)
    }

    #[test]
    fn fractions_are_computed_in_every_language() {
        for (question, language, expected) in [
            ("What is a third of 240?", English, "80"),
            ("two thirds of 450", English, "300"),
            ("3 quarters of 80", English, "60"),
            ("¿Cuánto son tres cuartos de 260?", Spanish, "195"),
            ("un tercio de 240", Spanish, "80"),
            ("combien font les trois quarts de 260 ?", French, "195"),
            ("Wie viel ist ein Drittel von 240?", German, "80"),
            ("Was sind drei Viertel von 260?", German, "195"),
            ("quanto fa due terzi di 450", Italian, "300"),
            ("quanto é dois terços de 450", Portuguese, "300"),
            ("Сколько будет треть от 240?", Russian, "80"),
            ("240の3分の1は?", Japanese, "80"),
            ("450的三分之二是多少?", Chinese, "300"),
            ("450의 3분의 2는 얼마예요?", Korean, "300"),
            ("كم ثلث 240؟", Arabic, "80"),
            ("240 का एक तिहाई कितना होता है?", Hindi, "80"),
        ] {
            assert_eq!(ask(question, language).as_deref(), Some(expected), "{question}");
        }
    }

    #[test]
    fn other_questions_are_left() {
        for (question, language) in [
            ("A third of the 240 guests left. How many stayed?", English),
            ("What is two thirds of three quarters of 80?", English),
            ("a third of 240 plus 5", English),
            ("Who came third in 1998?", English),
            ("What is the third power of 5?", English),
            ("a quarter past 9", English),
            ("Qual é o preço de um quarto em 2026?", Portuguese),
            ("un cuarto de kilo a 8 euros", Spanish),
        ] {
            assert_eq!(ask(question, language), None, "{question}");
        }
    }
}
