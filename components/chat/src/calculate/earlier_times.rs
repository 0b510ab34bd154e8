//! A time of day that is a period before another one, where the question says so in one breath: "3 hours before 14:20". Small
//! language models add the period.

use jiff::civil::Time;

use super::expression::{Expression, Period, Shift};
use super::measures::{self, Item};
use super::question::Question;
use super::said::{self, Said};
use super::{times, zones};

/// Words that may stand between "before" and the time, in the languages that have something there.
const LINKS: [&str; 7] = ["", "de", "delle", "dell'", "di", "of", "の"];
/// The sign for the time where the rest of the question is read: one that no end of a question loses.
const MARK: char = ';';
/// Bytes at most between the hours and the minutes of one period.
const LONGEST_LINK: usize = 6;
/// Minutes of half a day.
const HALF_DAY: i64 = 12 * 60;

/// The time of a question that has one time of day, one period of hours and minutes, and "before" between them.
pub(super) fn only(question: &Question) -> Option<Expression> {
    let [mention] = &times::mentions(question)[..] else {
        return None;
    };
    let text = question.text();
    if text.contains(MARK) {
        return None;
    }
    let (before, after) = (&text[..mention.start], &text[mention.end..]);
    let rest = Question::new(&format!("{before} {MARK} {after}"), question.language());
    let items = measures::read(&rest)?;
    if !measures::are_plain(&rest, &items) || zones::named(question).next().is_some() {
        return None;
    }
    let shifts = shifts(&items, &rest)?;
    let last = items.iter().rfind(|item| item.value.is_some())?;
    let behind = rest.text()[last.end..].trim_start();
    let length = said::at_start(behind, Said::Before, question.language())?;
    // The time follows, or it stands before the period as in "14:20の3時間前".
    let follows = behind[length..].split_once(MARK);
    let is_linked = follows.is_some_and(|(link, _)| LINKS.contains(&link.trim()));
    let is_first = rest.text()[..last.start].contains(MARK);
    if !is_linked && !is_first {
        return None;
    }
    let minutes: i64 = shifts.iter().map(|shift| -minutes(*shift)).sum();
    let time = match mention.readings[..] {
        [time] => time,
        // In the same half of the day it is the same on a clock of twelve hours.
        [_, _] if minutes < since_midnight(mention.as_written) % HALF_DAY => mention.as_written,
        _ => return None,
    };
    Some(Expression::Clock {
        time: Some(time),
        from: None,
        shifts,
        to: None,
    })
}

/// The only quantities of a question, if they are hours, minutes, or both right behind each other: to be taken off.
pub(super) fn shifts(items: &[Item], question: &Question) -> Option<Vec<Shift>> {
    let numbers: Vec<_> = items.iter().filter(|item| item.value.is_some()).collect();
    let shift = |item: &&Item| {
        let period = match item.unit()?.name {
            "hour" => Period::Hours,
            "minute" => Period::Minutes,
            _ => return None,
        };
        let count: i64 = item.value.as_ref()?.parse().ok()?;
        (1..=1_000).contains(&count).then_some(Shift { count: -count, period })
    };
    let shifts = numbers.iter().map(shift).collect::<Option<Vec<_>>>()?;
    let is_one = match (&numbers[..], &shifts[..]) {
        ([_], [_]) => true,
        ([hours, minutes], [first, second]) => {
            let between = question.text().get(hours.end..minutes.start)?;
            first.period == Period::Hours
                && second.period == Period::Minutes
                && between.len() <= LONGEST_LINK
                && !between.contains([',', '.', '?'])
        }
        _ => false,
    };
    is_one.then_some(shifts)
}

fn minutes(shift: Shift) -> i64 {
    match shift.period {
        Period::Hours => shift.count * 60,
        _ => shift.count,
    }
}

fn since_midnight(time: Time) -> i64 {
    i64::from(time.hour()) * 60 + i64::from(time.minute())
}

#[cfg(test)]
mod tests {
    use super::super::expression::parse;
    use super::*;
    use quartet_api::Language;

    #[test]
    fn a_period_right_before_a_time_is_taken_off() {
        use Language::{
            Chinese, English, French, German, Hindi, Italian, Japanese, Korean, Portuguese, Russian, Spanish,
        };
        for (question, language, expected) in [
            ("What time is 3 hours before 14:20?", English, "time 14:20 - 3 hours"),
            (
                "what time was it 45 minutes before 09:10",
                English,
                "time 09:10 - 45 minutes",
            ),
            (
                "I have to be up 1 hour 30 minutes before 7:45 am, when is that?",
                English,
                "time 07:45 - 1 hours - 30 minutes",
            ),
            (
                "Wie spät ist es 3 Stunden vor 14:20 Uhr?",
                German,
                "time 14:20 - 3 hours",
            ),
            (
                "Quelle heure est-il 3 heures avant 14h20 ?",
                French,
                "time 14:20 - 3 hours",
            ),
            (
                "¿Qué hora es 3 horas antes de las 14:20?",
                Spanish,
                "time 14:20 - 3 hours",
            ),
            ("Che ore sono 3 ore prima delle 14:20?", Italian, "time 14:20 - 3 hours"),
            (
                "Que horas são 3 horas antes das 14:20?",
                Portuguese,
                "time 14:20 - 3 hours",
            ),
            ("Сколько времени за 3 часа до 14:20?", Russian, "time 14:20 - 3 hours"),
            ("14:20の3時間前は何時ですか？", Japanese, "time 14:20 - 3 hours"),
            ("14:20 3시간 전은 몇 시야?", Korean, "time 14:20 - 3 hours"),
            ("14:20 से 3 घंटे पहले क्या समय था?", Hindi, "time 14:20 - 3 hours"),
            ("14:20的3小时前是几点？", Chinese, "time 14:20 - 3 hours"),
        ] {
            assert_eq!(only(&Question::new(question, language)), parse(expected), "{question}");
            assert!(parse(expected).is_some(), "{expected}");
        }
    }

    #[test]
    fn whatever_else_a_question_says_leaves_it_to_others() {
        for question in [
            "What time is 3 hours after 14:20?",
            "Before 14:20 I worked 3 hours, when did I begin?",
            "What happened 3 hours ago at 14:20?",
            "I left 3 hours before 14:20 and drove 40 minutes, when was I there?",
            "What time is it in Rome 3 hours before 14:20?",
            // Whether it is noon or midnight decides.
            "What time is 3 hours before 1:20?",
        ] {
            assert_eq!(only(&Question::new(question, Language::English)), None, "{question}");
        }
    }
}
