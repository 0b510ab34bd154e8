//! A percentage that is added to the only other number of a question: "what does £250 plus 20% VAT come to".

use quartet_measures::currencies;

use super::expression::Expression;
use super::lexicon::{self, Row};
use super::question::Question;
use super::said::Said;
use super::term::Term;

/// The sum of a number and so many hundredths of it, where nothing but a currency and a word for a plus stands between them.
pub(super) fn only(question: &Question) -> Option<Expression> {
    let places: Vec<_> = question.places().collect();
    let [(_, end, Some(number)), (start, _, Some(percentage))] = places[..] else {
        return None;
    };
    let others = [Row::Included, Row::Without, Row::Each];
    if !question.is_percentage(percentage)
        || question.is_percentage(number)
        || question.says(Said::Twice)
        || others.into_iter().any(|row| question.has_part(row))
    {
        return None;
    }
    let between = question.text().get(end..start)?.trim();
    let mut pluses = lexicon::rows_of(Row::Plus).chain(["+"]);
    let money = pluses.find_map(|plus| between.strip_suffix(plus))?.trim();
    let mut names = currencies::names(question.language());
    if !money.is_empty() && !names.any(|(name, _)| name == money) {
        return None;
    }
    let share = Term::Percent(Box::new(Term::Number(percentage.to_owned())));
    let sum = Term::Binary('+', Box::new(Term::Number(number.to_owned())), Box::new(share));
    Some(Expression::Arithmetic(sum))
}

#[cfg(test)]
mod tests {
    use quartet_api::Language;

    use super::super::expression::parse;
    use super::*;

    #[test]
    fn a_percentage_that_is_added_is_one_of_the_number_before_it() {
        for (question, language, expected) in [
            (
                "Could you tell me what £250 plus 20% VAT comes to, please?",
                Language::English,
                Some("calc 250 + 20%"),
            ),
            (
                "480 Euro plus 19 % Mehrwertsteuer",
                Language::German,
                Some("calc 480 + 19%"),
            ),
            (
                "120 más 21% de iva, ¿cuánto es?",
                Language::Spanish,
                Some("calc 120 + 21%"),
            ),
            ("20% of £250 plus VAT", Language::English, None),
            ("£250 plus 20% VAT and 5% tip", Language::English, None),
            ("£250 including 20% VAT", Language::English, None),
            ("10% plus 20%", Language::English, None),
            ("what is £250 plus 20% VAT for each of us", Language::English, None),
            ("250 plus 20", Language::English, None),
        ] {
            let found = only(&Question::new(question, language));
            assert_eq!(found, expected.and_then(parse), "{question}");
        }
    }
}
