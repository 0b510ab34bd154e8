//! A day that is a period before or after a whole date, and the direction that the words of a question say.

use jiff::civil::Date;

use super::directions::{self, Direction};
use super::expression::{Base, Day, Expression, Period, Shift};
use super::measures;
use super::question::Question;
use super::whole_dates;

/// The day of a question that has one whole date, one period, and words that say on which side of the date it lies.
pub(super) fn only(question: &Question) -> Option<Expression> {
    let (date, (start, end)) = whole_dates::one(question)?;
    let text = question.text();
    let rest = format!("{} , {}", &text[..start], &text[end..]);
    let rest = Question::new(&rest, question.language());
    let items = measures::read(&rest)?;
    if !measures::are_plain(&rest, &items) || whole_dates::has_special_days(&rest) {
        return None;
    }
    let mut numbers = items.iter().filter(|item| item.value.is_some());
    let (item, None) = (numbers.next()?, numbers.next()) else {
        return None;
    };
    let period = period(item.unit()?.name)?;
    let count: i64 = item
        .value
        .as_ref()?
        .parse()
        .ok()
        .filter(|count| (1..=100_000).contains(count))?;
    let count = match directions::direction(&rest)? {
        Direction::Earlier => -count,
        Direction::Later => count,
    };
    Some(Expression::Day(Day {
        base: date_of(date),
        shifts: vec![Shift { count, period }],
    }))
}

fn date_of(date: Date) -> Base {
    Base::Date {
        year: date.year(),
        month: date.month(),
        day: date.day(),
    }
}

fn period(name: &str) -> Option<Period> {
    Some(match name {
        "day" => Period::Days,
        "week" => Period::Weeks,
        "month" => Period::Months,
        "year" => Period::Years,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::expression::parse;
    use super::*;
    use quartet_api::Language;

    #[test]
    fn a_date_and_a_period_make_a_day() {
        use Language::{
            Arabic, Chinese, English, French, German, Hindi, Italian, Japanese, Korean, Portuguese, Russian, Spanish,
        };
        for (question, language, expected) in [
            (
                "What date is 6 weeks before 1 May 2026?",
                English,
                "date 2026-05-01 - 6 weeks",
            ),
            (
                "a two-year contract that starts on 15 March 2025, when does it end?",
                English,
                "date 2025-03-15 + 2 years",
            ),
            ("90 days after 2025-03-15", English, "date 2025-03-15 + 90 days"),
            (
                "Ein Vertrag läuft ab dem 15. März 2025 2 Jahre. Wann endet er?",
                German,
                "date 2025-03-15 + 2 years",
            ),
            ("6 Wochen vor dem 01.05.2026", German, "date 2026-05-01 - 6 weeks"),
            (
                "Un contrat de 2 ans à partir du 15 mars 2025 finit quand ?",
                French,
                "date 2025-03-15 + 2 years",
            ),
            (
                "Un contrato de 2 años empieza el 15 de marzo de 2025, ¿cuándo termina?",
                Spanish,
                "date 2025-03-15 + 2 years",
            ),
            (
                "Un contratto di 2 anni decorre dal 15 marzo 2025: quando scade?",
                Italian,
                "date 2025-03-15 + 2 years",
            ),
            (
                "Um contrato de 2 anos começa em 15 de março de 2025, quando termina?",
                Portuguese,
                "date 2025-03-15 + 2 years",
            ),
            (
                "Договор на 2 года начинается 15 марта 2025, когда он закончится?",
                Russian,
                "date 2025-03-15 + 2 years",
            ),
            (
                "2025年3月15日から2年間の契約はいつまで",
                Japanese,
                "date 2025-03-15 + 2 years",
            ),
            (
                "2026年5月1日の6週間前は何日ですか",
                Japanese,
                "date 2026-05-01 - 6 weeks",
            ),
            (
                "2025年3月15日起两年的合同什么时候到期",
                Chinese,
                "date 2025-03-15 + 2 years",
            ),
            (
                "2025년 3월 15일부터 2년 계약은 언제 끝나나요",
                Korean,
                "date 2025-03-15 + 2 years",
            ),
            (
                "عقد مدته 2 سنوات يبدأ في 15 مارس 2025، متى ينتهي؟",
                Arabic,
                "date 2025-03-15 + 2 years",
            ),
            (
                "15 मार्च 2025 से शुरू 2 साल का अनुबंध कब समाप्त होगा?",
                Hindi,
                "date 2025-03-15 + 2 years",
            ),
        ] {
            assert_eq!(only(&Question::new(question, language)), parse(expected), "{question}");
        }
    }

    #[test]
    fn what_has_no_side_or_more_numbers_is_left() {
        for (question, language) in [
            ("a 2 year contract, 15 March 2025", Language::English),
            (
                "a 2 year contract from 15 March 2025 with 3 months notice, when does it end?",
                Language::English,
            ),
            ("10 working days after 15 March 2025", Language::English),
            ("6 weeks after 3/4/2026", Language::English),
            ("a year and a half after 15 March 2025", Language::English),
            ("5 apples after 15 March 2025", Language::English),
        ] {
            assert_eq!(only(&Question::new(question, language)), None, "{question}");
        }
    }
}
