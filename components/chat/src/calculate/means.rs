//! Means: a question that asks for the mean of its numbers, of which a small model makes their sum.

use super::question::Question;
use super::term::{Operation, Term};

/// Numbers of a sum from which on it is the beginning of a mean: of two, "media" may be a half.
const MIN_NUMBERS: usize = 3;

/// The mean of the numbers of a sum, where `asked` asks for one, and nothing else is in `said`.
pub(super) fn as_asked(term: Term, asked: &Question, said: &Question) -> Term {
    let Some(numbers) = summands(&term).filter(|numbers| numbers.len() >= MIN_NUMBERS) else {
        return term;
    };
    let mut written: Vec<_> = numbers.iter().filter_map(|number| number.as_number()).collect();
    let mut all: Vec<_> = said.places().filter_map(|(.., value)| value).collect();
    written.sort_unstable();
    all.sort_unstable();
    if written != all || !asked.names(Operation::Mean) {
        return term;
    }
    Term::Mean(numbers)
}

/// The numbers that a term adds up; none where it does anything else.
fn summands(term: &Term) -> Option<Vec<Term>> {
    match term {
        Term::Number(_) => Some(vec![term.clone()]),
        Term::Binary('+', left, right) => {
            let mut all = summands(left)?;
            all.extend(summands(right)?);
            Some(all)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use quartet_api::Language;

    use super::*;
    use crate::calculate::expression::{self, Expression};

    /// The term for a sum that was written for a message.
    fn meant(message: &str, sum: &str, language: Language) -> String {
        let Some(Expression::Arithmetic(term)) = expression::parse(&format!("calc {sum}")) else {
            panic!("{sum}");
        };
        let question = Question::new(message, language);
        as_asked(term, &question, &question).for_engine()
    }

    #[test]
    fn a_sum_is_a_mean_where_one_is_asked_for() {
        let runs = "esta semana hice 8, 5, 12 y 6,5 km, promedio?";
        let of_both = |message: &str, language| {
            let mean = meant(message, "mean(8, 5, 12, 6.5)", language);
            (meant(message, "8 + 5 + 12 + 6.5", language) == mean, mean)
        };
        assert!(of_both(runs, Language::Spanish).0);
        assert!(of_both("8, 5, 12 und 6,5 km, im schnitt?", Language::German).0);
        let total = "esta semana hice 8, 5, 12 y 6,5 km, total?";
        assert!(!of_both(total, Language::Spanish).0);
    }

    #[test]
    fn a_sum_of_some_numbers_or_of_two_stays_one() {
        let all = "7, 5 and 9, and 30 the average";
        assert!(!meant(all, "7 + 5 + 9", Language::English).contains('/'));
        let hours = "3 + 4, media";
        assert!(!meant(hours, "3 + 4", Language::Spanish).contains('/'));
    }
}
