//! Questions that change one thing of the question before: "and 425?", "y con el 35%?", "in stone?", "und in Tokio?".
//!
//! The model is shown the question before with its expression, and writes the expression of the message beside it. It is taken where it
//! is the one before with something else in the same place, all that is new is said in the message, and all that the message says
//! is in it. What goes on with the result ("split between 4", "plus tax") is not of this kind.

use jiff::civil::{Date, DateTime};
use quartet_api::Language;
use quartet_llm_client::{LanguageModel, Outcome};
use quartet_measures::units;

use super::computed::Computed;
use super::expression::{Base, Day, Expression, Shift};
use super::lexicon::{self, Row};
use super::question::Question;
use super::term::Term;
use super::{compute, evidence, forms, grammar, mending, number, rate_changes, shown, understanding, zones};

/// A message that was computed as a change to the question before.
#[derive(Debug, Default)]
pub struct Varied {
    /// The result; none where the message is none of this kind, or the model had no time.
    pub computed: Option<Computed>,
    /// The model's work.
    pub work: Vec<Outcome>,
}

/// Computes another quantity for a rate that the last question says, which needs no model.
#[must_use]
pub fn vary_rate(message: &str, before: &[(&str, &str)], language: Language) -> Option<Computed> {
    let read = Question::new(message, language);
    let (question, answer) = before.last().filter(|_| may_vary(&read) && !goes_on(&read))?;
    rate_changes::vary(&read, question, answer, language)
}

/// Returns true if a sum is the one before with other numbers, all of which a message says, and the message says nothing else.
pub(super) fn changes(last: &Term, next: &Term, message: &Question, percentages: &[String]) -> bool {
    let plain = |term: &Term| term.clone().with_percentages(percentages).with_plain_changes();
    let [last, next] = [last, next].map(plain);
    last != next && !goes_on(message) && is_term_with_other_numbers(&last, &next, message) && message.is_used_up()
}

/// Computes what a message makes of the questions before it, each with its computed answer, oldest first. Every question takes at most so
/// many milliseconds of the model.
#[must_use]
pub fn vary(
    message: &str,
    before: &[(&str, &str)],
    language: Language,
    now: Option<DateTime>,
    model: &dyn LanguageModel,
    milliseconds: u32,
) -> Varied {
    let read = Question::new(message, language);
    let mut varied = Varied::default();
    if !may_vary(&read) || goes_on(&read) {
        return varied;
    }
    let mut shown: Vec<(String, String)> = Vec::new();
    let mut known = Vec::new();
    // What a question leaves out stands in those before it.
    let mut text = String::new();
    let mut understand = |question: &str, text: &str, shown: &[(String, String)]| {
        let schema = || grammar::schema(&Question::new(text, language));
        let understood = understanding::understand_after(question, shown, schema, model, milliseconds);
        varied.work.extend(understood.outcome);
        let expression = understood
            .expression
            .map(|expression| plain(expression, text, language))?;
        Some((understood.written, expression))
    };
    for (question, answer) in before {
        text = format!("{question} {text}");
        // A sum is shown as it was understood. One with a remark behind it is a reading, and may be none of the question's.
        let is_said = |term: &Term| {
            let whole = Question::new(&text, language);
            let is_said = |number: &str| whole.number(number).is_some() || number::UNSAID.contains(&number);
            term.numbers().into_iter().all(is_said)
        };
        let sum = shown::sum_of(answer, language).filter(|(_, term)| !answer.contains('\n') && is_said(term));
        if let Some((sum, term)) = sum {
            shown.push((String::from(*question), format!("calc {sum}")));
            known.push(plain(Expression::Arithmetic(term), &text, language));
            continue;
        }
        let understood = understand(question, &text, &shown).and_then(|(written, expression)| {
            let whole = Question::new(&text, language);
            // As where it was asked: by its form, or as the model wrote it, put right.
            let certain = forms::certain(&Question::new(question, language), &written);
            let (written, expression) = match certain.unwrap_or_else(|| mending::mend(expression.clone(), &whole)) {
                same if same == expression => (written, expression),
                other => (clock(&other).unwrap_or(written), other),
            };
            let computation = compute(&expression, &whole, now)?.computation?;
            answer.contains(&computation.result).then_some((written, expression))
        });
        if let Some((written, expression)) = understood {
            shown.push((String::from(*question), written));
            known.push(expression);
        } else if is_a_sum(answer) {
            // Nobody knows what the model made of it, and the message may go on from that.
            return varied;
        }
    }
    if known.is_empty() {
        return varied;
    }
    text = format!("{message} {text}");
    let next = understand(message, &text, &shown).map(|(_, expression)| expression);
    let today = now.map(DateTime::date);
    let next = next.filter(|next| {
        let is_one = |last| is_variation(last, next, &Question::new(message, language), today);
        known.iter().rev().any(is_one)
    });
    varied.computed = next.and_then(|next| compute(&next, &Question::new(&text, language), now));
    varied
}

/// Returns true if a message says something that can stand in an expression.
fn may_vary(message: &Question) -> bool {
    message.has_anything()
        || zones::named(message).next().is_some()
        || units::all().any(|unit| evidence::names_unit(message, unit))
}

/// Signs of computed answers.
pub const SIGNS: [&str; 3] = [" = ", " ≈ ", " → "];

/// Returns true if an answer has the sign of a sum.
fn is_a_sum(answer: &str) -> bool {
    SIGNS.iter().any(|sign| answer.contains(sign))
}

/// A time in another zone, as the model writes it.
fn clock(expression: &Expression) -> Option<String> {
    match expression {
        Expression::Clock {
            time: Some(time),
            from: Some(from),
            shifts,
            to: Some(to),
        } if shifts.is_empty() => Some(format!("time {:02}:{:02} {from} in {to}", time.hour(), time.minute())),
        _ => None,
    }
}

/// Returns true if a message says that something is done with the result, or that it is more of it: "plus 8 %", "거기서 5% 더".
fn goes_on(message: &Question) -> bool {
    lexicon::rows_of(Row::Further).any(|word| message.has(word))
}

/// An expression in the form in which two of the same kind are alike.
fn plain(expression: Expression, text: &str, language: Language) -> Expression {
    match expression {
        Expression::Arithmetic(term) => {
            let percentages = Question::new(text, language).percentages();
            Expression::Arithmetic(term.with_percentages(&percentages).with_plain_changes())
        }
        other => other,
    }
}

/// Returns true if an expression is another one with something else in it that a message says, which says nothing else.
fn is_variation(last: &Expression, next: &Expression, message: &Question, today: Option<Date>) -> bool {
    last != next && is_like(last, next, message, today) && message.is_used_up()
}

/// Returns true if an expression is another one but for what a message says.
fn is_like(last: &Expression, next: &Expression, message: &Question, today: Option<Date>) -> bool {
    match (last, next) {
        (Expression::Arithmetic(last), Expression::Arithmetic(next)) => is_term_with_other_numbers(last, next, message),
        (
            Expression::Conversion { parts, to },
            Expression::Conversion {
                parts: others,
                to: other,
            },
        ) => {
            let is_same = |(number, unit), (other, of): (&String, &_)| number == other && unit == of;
            let parts_said = parts.len() == others.len()
                && parts.iter().zip(others).all(|((number, unit), (other, of))| {
                    is_same((number, unit), (other, of))
                        || (number == other || message.number(other.trim_start_matches('-')).is_some())
                            && (unit == of || evidence::names_unit(message, of))
                });
            parts_said && (to == other || evidence::names_unit(message, other))
        }
        (Expression::Day(last), Expression::Day(next)) => is_other_day(last, next, message, today),
        (
            Expression::Between { period, from, to },
            Expression::Between {
                period: other,
                from: begin,
                to: end,
            },
        ) => {
            (period == other || evidence::names_period(message, *other))
                && (from == begin || is_other_day(from, begin, message, today))
                && (to == end || is_other_day(to, end, message, today))
        }
        (
            Expression::Clock { time, from, shifts, to },
            Expression::Clock {
                time: other,
                from: begin,
                shifts: others,
                to: end,
            },
        ) => {
            let is_zone = |last: &Option<String>, next: &Option<String>| {
                last == next
                    || next
                        .as_deref()
                        .is_some_and(|name| evidence::zone(message, name).is_some())
            };
            // A place without a time is where the time is asked for.
            let may_be_from = from == begin || time != other;
            time.is_some() == other.is_some()
                && (time == other || other.is_some_and(|time| evidence::names_time(message, time)))
                && are_other_shifts(shifts, others, message)
                && may_be_from
                && is_zone(from, begin)
                && is_zone(to, end)
        }
        (
            Expression::Duration { from, to, breaks },
            Expression::Duration {
                from: begin,
                to: end,
                breaks: others,
            },
        ) => {
            (from == begin || evidence::names_time(message, *begin))
                && (to == end || evidence::names_time(message, *end))
                && are_other_shifts(breaks, others, message)
        }
        (Expression::Notation(last), Expression::Notation(next)) => {
            let known = [last.from, last.to];
            (last.written == next.written || message.has(&next.written.to_lowercase()))
                && [next.from, next.to]
                    .into_iter()
                    .all(|notation| known.contains(&notation))
                && message.number(&next.written).is_some()
        }
        (Expression::LeapYear(_), Expression::LeapYear(year)) => message.number(&year.to_string()).is_some(),
        (Expression::Age { .. }, Expression::Age { born }) => message.number(&born.to_string()).is_some(),
        _ => false,
    }
}

/// Returns true if a term is another one with other numbers in the same places, hundredths where there were hundredths, each said in a
/// message.
fn is_term_with_other_numbers(last: &Term, next: &Term, message: &Question) -> bool {
    // "120 km/h" is a quantity to convert.
    if last.shape() != next.shape() || evidence::names_degrees_or_speed(message) {
        return false;
    }
    let percentages = next.percentages();
    let numbers = last.numbers().into_iter().zip(next.numbers());
    let is_other = |(last, next): &(&str, &str)| number::canonical(last) != number::canonical(next);
    let mut others = numbers.filter(is_other).map(|(_, next)| next);
    let is_said = |number: &str| {
        let is_percentage = message.is_percentage(number);
        message.number(number).is_some() && (!is_percentage || percentages.contains(&number))
    };
    others.all(is_said)
}

/// Returns true if a day is said in a message, or is the day of a date with the year that it says.
fn is_other_day(last: &Day, next: &Day, message: &Question, today: Option<Date>) -> bool {
    let of_year = |base: &Base| match base {
        Base::Date { month, day, .. } | Base::Yearly { month, day, .. } => Some((*month, *day)),
        _ => None,
    };
    let has_year = match next.base {
        Base::Date { year, .. } => {
            of_year(&last.base) == of_year(&next.base) && message.number(&year.to_string()).is_some()
        }
        _ => false,
    };
    // No word says that it is counted from today.
    let is_today = next.base == Base::Today && next.shifts.is_empty();
    let is_shifted = last.base == next.base && are_other_shifts(&last.shifts, &next.shifts, message);
    has_year && last.shifts == next.shifts
        || is_shifted && last.shifts != next.shifts
        || last.shifts == next.shifts && !is_today && evidence::days(message, &[next], today)
}

/// Returns true if shifts are the same, or as many in the same directions that a message says.
fn are_other_shifts(last: &[Shift], next: &[Shift], message: &Question) -> bool {
    last.len() == next.len()
        && last.iter().zip(next).all(|(last, next)| {
            last == next || last.count.signum() == next.count.signum() && is_said(last, next, message)
        })
}

/// Returns true if a message says the count of a shift, and its period where that is another one.
fn is_said(last: &Shift, next: &Shift, message: &Question) -> bool {
    if last.period == next.period {
        message.number(&next.count.unsigned_abs().to_string()).is_some()
    } else {
        evidence::shift(message, *next)
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use quartet_llm_client::scripted::Scripted;

    use super::*;

    /// Computes a message after one question and its answer, whose expressions a model writes.
    fn varied(code: &str, before: (&str, &str), expression: &str, message: &str, next: &str) -> Option<String> {
        let quoted = |text: &str| format!("\"{text}\"");
        // What an answer shows is not asked for.
        let written = [expression, next].into_iter().filter(|text| !text.is_empty());
        let written: Vec<_> = written.map(quoted).collect();
        let model = Scripted::new(written.iter().map(String::as_str));
        let now = Some(date(2026, 11, 28).at(12, 0, 0, 0));
        let varied = vary(message, &[before], code.parse().unwrap(), now, &model, 1_000);
        varied.computed.map(|computed| computed.answer)
    }

    #[test]
    fn one_thing_is_another_one() {
        for (code, before, expression, message, next, answer) in [
            (
                "en",
                ("whats 18% of 350", "18 % × 350 = 63"),
                "",
                "and of 475?",
                "calc 18% * 475",
                "85.5",
            ),
            (
                "es",
                (
                    "unos zapatos de 75 euros con un 20% de descuento",
                    "75 - 20 % = 60 euros",
                ),
                "",
                "y con el 35% en cuanto quedan",
                "calc 75 - 35%",
                "48,75 euros",
            ),
            (
                "es",
                (
                    "2000 euros al 3% anual compuesto durante 2 años",
                    "2000 × (1 + 3 %)^2 = 2121,80 euros",
                ),
                "",
                "y en 5 años?",
                "calc 2000 * (1 + 3%)^5",
                "2318,5",
            ),
            (
                "en",
                ("82 kg in pounds", "82 kg ≈ 180.7791 pounds"),
                "convert 82 kg to pound",
                "in stone?",
                "convert 82 kg to stone",
                "12.91",
            ),
            (
                "de",
                (
                    "wieviel quadratmeter sind 2,5 hektar",
                    "2,5 hektar = 25000 quadratmeter",
                ),
                "convert 2.5 hectare to m^2",
                "und wieviel hektar sind 8000 quadratmeter",
                "convert 8000 m^2 to hectare",
                "0,8 hektar",
            ),
            (
                "es",
                (
                    "si en madrid son las 18:00 que hora es en lima",
                    "18:00 Madrid = 12:00 Lima",
                ),
                "time 18:00 Europe/Madrid in America/Lima",
                "y en buenos aires?",
                "time 18:00 Europe/Madrid in America/Buenos_Aires",
                "14:00",
            ),
            (
                "de",
                (
                    "mein zug fährt um 22:47 ab und kommt um 6:12 an",
                    "22:47 → 06:12: 7 Stunden 25 Minuten",
                ),
                "hours 22:47 to 06:12",
                "sorry abfahrt ist schon 21:47",
                "hours 21:47 to 06:12",
                "8 Stunden 25 Minuten",
            ),
            (
                "pt",
                (
                    "em que dia da semana cai o natal de 2027",
                    "sábado, 25 de dezembro de 2027",
                ),
                "date 2027-12-25",
                "e o de 2030?",
                "date 2030-12-25",
                "quarta-feira",
            ),
            (
                "fr",
                (
                    "combien de kilomètres font 10 miles ?",
                    "10 miles = 16,09344 kilomètres",
                ),
                "convert 10 mile to km",
                "et en metres",
                "convert 10 mile to meter",
                "16093,44",
            ),
            (
                "de",
                (
                    "wieviel quadratmeter sind 2,5 hektar",
                    "2,5 hektar = 25000 quadratmeter",
                ),
                "convert 2.5 hectare to m^2",
                "in km²?",
                "convert 2.5 hectare to km^2",
                "0,025",
            ),
            (
                "pt",
                ("quanto é 45 em binário?", "45 = 101101₂"),
                "write 45 from decimal in binary",
                "e 11011 em decimal?",
                "write 11011 from binary in decimal",
                "27",
            ),
        ] {
            let told = varied(code, before, expression, message, next).unwrap_or_default();
            assert!(told.contains(answer), "{message}: {told}");
        }
    }

    #[test]
    fn what_is_not_said_or_goes_on_is_not_computed() {
        let share = ("whats 18% of 350", "18 % × 350 = 63");
        for (message, next) in [
            // Nobody said so.
            ("and of 475?", "calc 18% * 480"),
            // What was said is left out, or hundredths are something else.
            ("and of 475 and 480?", "calc 18% * 475"),
            ("and with 20%?", "calc 18% * 20"),
            // Something else is done.
            ("and of 475?", "calc 350 + 475"),
            ("and 5% more of it?", "calc 5% * 350"),
            ("plus 475", "calc 18% * 475"),
            ("are you sure about 18%?", "calc 18% * 350"),
            ("and 120 km/h", "calc 18% * 120"),
        ] {
            assert_eq!(varied("en", share, "calc 18% * 350", message, next), None, "{message}");
        }
        // What the model makes of the question before is not what was answered.
        assert_eq!(
            varied("en", share, "calc 18 * 350", "and of 475?", "calc 18 * 475"),
            None
        );
        let now = ("a roma sono le 21, che ore sono a lima?", "21:00 Roma = 15:00 Lima");
        let clock = "time 21:00 Europe/Rome in America/Lima";
        for turned in [
            "time 21:00 America/New_York in America/Lima",
            "time 21:00 Europe/Rome in Asia/Tokyo",
        ] {
            assert_eq!(varied("it", now, clock, "e a new york", turned), None, "{turned}");
        }
        let days = (
            "cuántos días faltan para el 6 de enero",
            "28 de noviembre de 2026 → 6 de enero de 2027: 39 días",
        );
        let weeks = varied(
            "es",
            days,
            "days today to next 01-06",
            "cuantas semanas son",
            "weeks today to today",
        );
        assert_eq!(weeks, None);
        let price = ("45000원짜리 신발 30% 할인하면 얼마야", "45000 - 30 % = 31500원");
        assert_eq!(
            varied(
                "ko",
                price,
                "calc 45000 - 30%",
                "거기서 5% 더 할인되면?",
                "calc 45000 - 5%"
            ),
            None
        );
    }

    #[test]
    fn what_the_model_turned_round_is_put_right_before_it_goes_on() {
        let before = (
            "si en madrid son las 18:00 que hora es en lima",
            "18:00 Madrid = 12:00 Lima",
        );
        let model = Scripted::new([
            r#""time 18:00 America/Lima in Europe/Madrid""#,
            r#""time 18:00 Europe/Madrid in America/New_York""#,
        ]);
        let now = Some(date(2026, 11, 28).at(12, 0, 0, 0));
        let varied = vary("y en nueva york", &[before], Language::Spanish, now, &model, 1_000);
        let answer = varied.computed.map(|computed| computed.answer).unwrap_or_default();
        assert!(answer.contains("12:00"), "{answer}");
        let asked = model.asked.borrow();
        let shown = asked[1].iter().rev().nth(1).unwrap();
        assert_eq!(shown.text, r#""time 18:00 Europe/Madrid in America/Lima""#);
    }

    #[test]
    fn any_question_before_may_be_changed_but_not_beyond_a_sum_of_the_model_s() {
        let day = (
            "em que dia da semana cai o natal de 2027",
            "sábado, 25 de dezembro de 2027",
        );
        let message = "e o de 2030, em que dia da semana cai?";
        let written = [r#""date 2027-12-25""#, r#""none""#, r#""date 2030-12-25""#];
        let now = Some(date(2026, 11, 28).at(12, 0, 0, 0));
        for (between, is_computed) in [
            (("que dia bom!", "Sim, 1 sábado"), true),
            (("e mais?", "25 + 1 = 26"), false),
        ] {
            let model = Scripted::new(written);
            let varied = vary(message, &[day, between], Language::Portuguese, now, &model, 1_000);
            assert_eq!(varied.computed.is_some(), is_computed, "{between:?}");
        }
    }

    #[test]
    fn a_chain_is_read_from_its_beginning() {
        let before = [
            ("whats 18% of 350", "18 % × 350 = 63"),
            ("sorry i meant 8%", "8 % × 350 = 28"),
        ];
        let written = [r#""calc 18% * 350""#, r#""calc 8% * 350""#];
        let model = Scripted::new([r#""calc 8% * 475""#]);
        let varied = vary("and of 475?", &before, Language::English, None, &model, 1_000);
        assert_eq!(varied.computed.map(|computed| computed.value).as_deref(), Some("38"));
        let asked = model.asked.borrow();
        let shown: Vec<&str> = asked[0].iter().rev().take(5).map(|turn| turn.text.as_str()).collect();
        assert_eq!(shown, ["and of 475?", written[1], before[1].0, written[0], before[0].0]);
    }
}
