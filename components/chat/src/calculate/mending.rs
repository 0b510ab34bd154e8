//! Repairs to an expression where the question is certain: the period that is counted in, days with a name, a year without a day,
//! times of day, change, and a quantity with its two units.

use jiff::civil::Time;
use quartet_measures::units::{self, Unit};
use quartet_measures::{begins_word, is_dense_char};

use super::directions::{self, Direction};
use super::expression::{Base, Day, Expression, Period, Shift};
use super::lexicon::{self, Row};
use super::question::Question;
use super::said::{self, Said};
use super::term::Term;
use super::times::{self, Pair};
use super::{
    departures, engine, evidence, expression::Which, feasts, means, paces, ruled_day_words, whole_dates, zones,
};

/// Puts the period, the named day or the year of a question into its expression, where it has one of them only.
pub(super) fn mend(expression: Expression, question: &Question) -> Expression {
    match expression {
        Expression::Between {
            period: Period::Years,
            from: Day {
                base: Base::Date { year, month: 1, day: 1 },
                ..
            },
            to: Day { base: Base::Today, .. },
        } if question.only_number().is_some_and(|only| only == year.to_string()) => Expression::Age { born: year },
        Expression::Between { period, from, to } => {
            let all = [Period::Days, Period::Weeks, Period::Months, Period::Years];
            let mut named = all
                .into_iter()
                .filter(|period| evidence::names_period(question, *period));
            let period = match (named.next(), named.next()) {
                (Some(named), None) => named,
                _ => period,
            };
            let is_until =
                evidence::names_end(question) || ruled_day_words::has(question.text(), "until", question.language());
            // What is left of the time until a day begins today.
            let (from, to) = match (&from.base, &to.base) {
                (Base::Yearly { month, day, .. }, Base::Today) if evidence::names_end(question) => {
                    let base = Base::Yearly {
                        which: Some(Which::Next),
                        month: *month,
                        day: *day,
                    };
                    (to, Day { base, ..from })
                }
                (
                    Base::Today,
                    Base::Yearly {
                        which: None,
                        month,
                        day,
                    },
                ) if is_until => {
                    let base = Base::Yearly {
                        which: Some(Which::Next),
                        month: *month,
                        day: *day,
                    };
                    (from, Day { base, ..to })
                }
                _ => (from, to),
            };
            let to = match (&from.base, whole_dates::one_without_year(question)) {
                (Base::Today, Some((month, day, _))) if is_until && to.shifts.is_empty() => {
                    let which = Some(Which::Next);
                    let base = Base::Yearly { which, month, day };
                    Day { base, ..to }
                }
                _ => to,
            };
            let (from, to) = match (&from.base, &to.base) {
                (_, Base::Today) => (with_whole_date(with_named_day(from, question), question), to),
                (Base::Today, _) => (from, with_whole_date(with_named_day(to, question), question)),
                _ => (from, to),
            };
            Expression::Between { period, from, to }
        }
        Expression::Day(Day {
            base: Base::Weekday(_, weekday),
            shifts,
        }) if question.has_part(Row::ThisWeek) => Expression::Day(Day {
            base: Base::Weekday(Which::This, weekday),
            shifts,
        }),
        Expression::Day(day) => Expression::Day(with_named_day(from_feast(day, question), question)),
        Expression::Clock {
            time: Some(time),
            from: Some(from),
            shifts,
            to: Some(to),
        } => {
            let to = other_zone(&from, to, question);
            // The time is that of the place beside which it stands.
            let is_turned = zones::given_in([&from, &to], question) == Some(&to);
            let (from, to) = if is_turned { (to, from) } else { (from, to) };
            Expression::Clock {
                time: Some(time),
                from: Some(from),
                shifts,
                to: Some(to),
            }
        }
        Expression::Clock { time, from, shifts, to } => Expression::Clock {
            time: time.map(|time| as_written(time, question)),
            from,
            shifts: departures::with_one_sign(shifts, question),
            to,
        },
        Expression::Arithmetic(term) => match question.only_times() {
            Some(times) => between(times),
            None => {
                let has = |number: &str| question.places().any(|(.., value)| value == Some(number));
                let term = if has("1") { term } else { term.without_ones() };
                let term = if has("100") { term } else { term.without_hundred() };
                let term = term.with_percentages(&question.percentages()).with_plain_changes();
                let term = as_share(as_change(term, question), question);
                let term = means::as_asked(as_said_share(term, question), question, question);
                match paces::of(question, &term) {
                    Some(formula) => Expression::Formula(formula),
                    None => Expression::Arithmetic(term),
                }
            }
        },
        Expression::Duration { breaks, .. } if let Some(Pair::Clear { from, to, .. }) = times::pair(question) => {
            Expression::Duration { from, to, breaks }
        }
        Expression::Duration { breaks, .. }
            if breaks.is_empty()
                && let Some(times) = question.only_times() =>
        {
            between(times)
        }
        other => other,
    }
}

/// A time that is the only one of a question, as it stands there where a model wrote that of the other half of the day.
fn as_written(time: Time, question: &Question) -> Time {
    match &times::mentions(question)[..] {
        [mention]
            if mention.readings.contains(&mention.as_written)
                && mention.as_written.minute() == time.minute()
                && mention.as_written.hour() + 12 == time.hour() =>
        {
            mention.as_written
        }
        _ => time,
    }
}

/// The date of a question that has only one, where the model wrote one of its examples.
fn with_whole_date(day: Day, question: &Question) -> Day {
    match (&day.base, whole_dates::one(question)) {
        (Base::Date { .. }, Some((date, _))) if day.shifts.is_empty() => Day {
            base: Base::Date {
                year: date.year(),
                month: date.month(),
                day: date.day(),
            },
            ..day
        },
        _ => day,
    }
}

/// Change the right way round: what is paid with is more than what is to pay.
fn as_change(term: Term, question: &Question) -> Term {
    let is_less = |term: &Term| engine::evaluate(&term.for_engine()).is_ok_and(|value| value.text.starts_with('-'));
    let is_paid_with_number = matches!(&term, Term::Binary('-', _, paid) if paid.as_number().is_some());
    if is_paid_with_number && question.says(Said::Change) && is_less(&term) {
        return term.turned_round();
    }
    term
}

/// A share as it is: it is in hundredths already, and is no hundredfold that nobody asks for. The hundredfold of a quotient is one
/// where a percentage is asked for.
fn as_share(term: Term, question: &Question) -> Term {
    let Term::Binary('*', part, times) = &term else {
        return term;
    };
    if times.as_number() != Some("100") || question.number("100").is_some() {
        return term;
    }
    match &**part {
        Term::Share(..) => (**part).clone(),
        Term::Binary('/', part, whole) if question.asks_for_percentage() => Term::Share(part.clone(), whole.clone()),
        _ => term,
    }
}

/// Hundredths of an amount where the question asks for these, and a model added them to it: "was sind 19% mehrwertsteuer auf 240 euro". What is
/// paid in all has them added.
fn as_said_share(term: Term, question: &Question) -> Term {
    let Term::Binary('+', amount, percent) = &term else {
        return term;
    };
    let share = Term::Binary('*', percent.clone(), amount.clone());
    let language = question.language();
    let mut paid = said::phrases(Said::Cost, language)
        .filter(|phrase| !said::phrases(Said::HowMany, language).any(|asks| asks.trim() == phrase.trim()));
    // "Mehrwertsteuer" has nothing "teuer" in it.
    let text = question.text();
    let is_word = |(at, phrase): (usize, &str)| begins_word(phrase, &text[..at]);
    let is_paid = paid.any(|phrase| text.match_indices(phrase.trim()).any(is_word));
    let is_said = evidence::is_share_that_is_said(question, &share) || asks_for_percentage_of(question, percent);
    match !is_paid && is_said {
        true => share,
        false => term,
    }
}

/// Limit in characters for what stands between an interrogative and what it asks for: "what's a".
const MAX_BEHIND_INTERROGATIVE: usize = 6;

/// Returns true if an interrogative stands right before a percentage: "dinner was $84.50, what's an 18% tip".
fn asks_for_percentage_of(question: &Question, percent: &Term) -> bool {
    let text = question.text();
    let percentages = percent.percentages();
    let mut places = question
        .places()
        .filter(|(.., value)| value.is_some_and(|value| percentages.contains(&value)));
    places.any(|(start, ..)| {
        let before = &text[..start];
        let mut asks = said::phrases(Said::HowMany, question.language()).chain(["was "]);
        asks.any(|ask| {
            let behind = before.rfind(ask).map(|at| &before[at + ask.len()..]);
            behind.is_some_and(|behind| {
                behind.chars().count() <= MAX_BEHIND_INTERROGATIVE && !behind.contains(|c: char| c.is_ascii_digit())
            })
        })
    })
}

fn between((from, to): (Time, Time)) -> Expression {
    let breaks = Vec::new();
    Expression::Duration { from, to, breaks }
}

/// The conversion of a question whose form leaves no other, if the model took it for such a question.
pub(super) fn certain_conversion(question: &Question, command: &str) -> Option<Expression> {
    // "What day will it be in 3 weeks?" has two units and is no conversion.
    let converts = matches!(command, "calc" | "convert");
    converts.then(|| only_conversion(question)).flatten()
}

/// The zone that is asked for: of two that are named, not the one that the time is given in.
fn other_zone(from: &str, to: String, question: &Question) -> String {
    let mut named = zones::named(question);
    match (named.next(), named.next(), named.next()) {
        (Some(one), Some(other), None) if from == to && one == from => other,
        (Some(other), Some(one), None) if from == to && one == from => other,
        _ => to,
    }
}

/// The conversion of a question that has one number, with its unit, and one other unit for the same: nothing else can be
/// done with these.
fn only_conversion(question: &Question) -> Option<Expression> {
    let number = question.only_number()?;
    if question.has_percentage() {
        return None;
    }
    let (before, after) = question.around_only_number()?;
    // "37 graus celsius", "大さじ4"
    let next = after.split_once(' ').map_or("", |(_, rest)| rest);
    let before = if before.ends_with(is_dense_char) { before } else { "" };
    let length = |unit: &Unit| {
        let names = units::names_of(unit).into_iter();
        let stands = |name: &&str| {
            // Names in capitals stand in the question with them.
            let lower = name.to_lowercase();
            (lower == **name || question.has(name))
                && (starts_with_word(after, &lower)
                    || before.ends_with(&lower)
                    || unit.dimension == "temperature" && starts_with_word(next, &lower))
        };
        names.filter(stands).map(str::len).max()
    };
    let from = units::all().max_by_key(|unit| length(unit))?;
    length(from)?;
    let mut others = units::all().filter(|unit| {
        unit.dimension == from.dimension
            && *unit != from
            && units::names_of(unit).into_iter().any(|name| question.has(name))
    });
    let to = others.next()?;
    others.next().is_none().then(|| Expression::Conversion {
        parts: vec![(number.to_owned(), from)],
        to,
    })
}

/// Returns true if a text begins with a name that no letter goes on from.
fn starts_with_word(text: &str, name: &str) -> bool {
    text.strip_prefix(name)
        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() && !is_dense_char(c)))
}

/// The day counted from the one with a name that the question counts from, on the side that it says: small models count from today.
fn from_feast(day: Day, question: &Question) -> Day {
    let ([shift], Base::Today) = (&day.shifts[..], &day.base) else {
        return day;
    };
    let feasts = feasts::named(question).unwrap_or_default();
    let ([feast], Some(direction)) = (&feasts[..], directions::direction(question)) else {
        return day;
    };
    let count = match direction {
        Direction::Earlier => -shift.count.abs(),
        Direction::Later => shift.count.abs(),
    };
    Day {
        base: Base::Rule(feast.rule),
        shifts: vec![Shift { count, ..*shift }],
    }
}

/// The day with the date that the question has a name for, if it has no date in digits.
fn with_named_day(day: Day, question: &Question) -> Day {
    if question.has_digits() {
        return day;
    }
    let which = match day.base {
        Base::Yearly { which, .. } => which,
        Base::YearEnd | Base::MonthEnd => Some(Which::Next),
        _ => return day,
    };
    // The longest name: "Christmas Eve" has "Christmas" in it.
    let named = lexicon::named_days().filter(|(_, name)| question.has(name));
    let Some((date, _)) = named.max_by_key(|(_, name)| name.len()) else {
        return day;
    };
    let numbers = date.split_once('-').map(|(month, day)| (month.parse(), day.parse()));
    let Some((Ok(month), Ok(number))) = numbers else {
        return day;
    };
    Day {
        base: Base::Yearly {
            which,
            month,
            day: number,
        },
        ..day
    }
}

#[cfg(test)]
mod tests {
    use super::super::expression::parse;
    use super::*;
    use quartet_api::Language;

    #[test]
    fn a_year_by_itself_has_no_first_of_january() {
        let read = |question| {
            mend(
                parse("years 1990-01-01 to today").unwrap(),
                &Question::new(question, Language::English),
            )
        };
        assert_eq!(
            read("How old is somebody born in 1990?"),
            Expression::Age { born: 1990 }
        );
        assert!(matches!(
            read("How old is somebody born on 1 January 1990?"),
            Expression::Between { .. }
        ));
    }

    #[test]
    fn a_share_is_in_hundredths_already() {
        for (question, written, mended) in [
            (
                "What is 3/8 as a percentage?",
                "calc share(3, 8) * 100",
                "calc share(3, 8)",
            ),
            (
                "What is 3/8 as a percentage, times 100?",
                "calc share(3, 8) * 100",
                "calc share(3, 8) * 100",
            ),
            ("20 % of 100", "calc 20% * 100", "calc 20% * 100"),
        ] {
            let question = Question::new(question, Language::English);
            assert_eq!(
                mend(parse(written).unwrap(), &question),
                parse(mended).unwrap(),
                "{written}"
            );
        }
    }

    #[test]
    fn the_period_and_the_named_day_are_those_of_the_question() {
        for (question, language, written, mended) in [
            (
                "How many days are there from 1 January 2020 to 1 January 2024?",
                Language::English,
                "years 2020-01-01 to 2024-01-01",
                "days 2020-01-01 to 2024-01-01",
            ),
            (
                "¿Cuántos días faltan para el año nuevo?",
                Language::Spanish,
                "days today to next 12-31",
                "days today to next 01-01",
            ),
            (
                "How many weeks until Christmas Eve?",
                Language::English,
                "weeks today to next 12-25",
                "weeks today to next 12-24",
            ),
            (
                "Che data è martedì di questa settimana?",
                Language::Italian,
                "date next tuesday",
                "date this tuesday",
            ),
            (
                "faltam quantos dias pro dia 1 de janeiro",
                Language::Portuguese,
                "days 01-01 to today",
                "days today to next 01-01",
            ),
            (
                "Combien de jours reste-t-il avant le 14 juillet ?",
                Language::French,
                "days today to 07-14",
                "days today to next 07-14",
            ),
            // Both periods are named, or a date is.
            (
                "How many weeks and days until May 5?",
                Language::English,
                "days today to next 05-05",
                "days today to next 05-05",
            ),
            (
                "How many days is it from Christmas to January 3?",
                Language::English,
                "days 12-25 to 01-03",
                "days 12-25 to 01-03",
            ),
        ] {
            let expression = mend(parse(written).unwrap(), &Question::new(question, language));
            assert_eq!(Some(expression), parse(mended), "{question}");
        }
    }
}
