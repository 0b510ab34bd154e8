//! Times that are asked for before one that is named: "The film starts at 20:30 and I need 45 minutes. When do I leave?" Small
//! language models add the 45 minutes.

use super::expression::{Period, Shift};
use super::question::Question;
use super::said::{self, Said};

/// Signs between the parts of a question.
const SIGNS: [char; 14] = [
    '.', ',', ';', '?', '!', '。', '，', '、', '；', '？', '！', '،', '؟', '।',
];

/// Characters at most between the two numbers of one period: " hours and ".
const MAX_BETWEEN: usize = 12;

/// Characters of a question's beginning that tell what is asked for, where it has one part only.
const MAX_BEGINNING: usize = 24;

/// Returns true unless a question asks when something begins, and a shift leads past the time that it names. A beginning may lie
/// behind that time ("I work from 9:00 for 8 hours, when can I leave?"), but nothing tells so for certain.
pub(super) fn are_possible(question: &Question, shifts: &[Shift]) -> bool {
    !asks_for_beginning(question) || shifts.iter().all(|shift| shift.count < 0)
}

fn asks_for_beginning(question: &Question) -> bool {
    let text = question.text();
    let begins = |part: &str| said::is_in(part, Said::Departs, question.language());
    let mut parts = text.split(SIGNS).filter(|part| !part.trim().is_empty());
    match parts.rfind(|part| !part.contains(char::is_numeric)) {
        Some(asked) => begins(asked),
        None => {
            let last = text.rfind(char::is_numeric).map_or("", |at| &text[at..]);
            match said::is_in(last, Said::WhatTime, question.language()) {
                // "Un film qui commence à 20h50 et dure 2h25 finit à quelle heure"
                true => begins(last),
                false => begins(&text.chars().take(MAX_BEGINNING).collect::<String>()),
            }
        }
    }
}

/// Shifts in which the hours and minutes of one period lead the same way: "− 1 hour + 50 minutes" for "1 hour 50 minutes".
pub(super) fn with_one_sign(shifts: Vec<Shift>, question: &Question) -> Vec<Shift> {
    match shifts[..] {
        [hours, minutes]
            if hours.period == Period::Hours
                && minutes.period == Period::Minutes
                && stand_together(question, hours.count, minutes.count) =>
        {
            let count = minutes.count.abs() * hours.count.signum();
            vec![hours, Shift { count, ..minutes }]
        }
        _ => shifts,
    }
}

/// Returns true if one number stands right behind the unit of the other.
fn stand_together(question: &Question, first: i64, second: i64) -> bool {
    let is = |value: Option<&str>, number: i64| value.is_some_and(|value| value == number.unsigned_abs().to_string());
    let places: Vec<_> = question.places().collect();
    places.windows(2).any(|pair| {
        let [(_, end, one), (start, _, other)] = pair else {
            return false;
        };
        let between = question.text().get(*end..*start).unwrap_or_default();
        is(*one, first) && is(*other, second) && between.chars().count() <= MAX_BETWEEN && !between.contains(SIGNS)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quartet_api::Language;

    #[test]
    fn a_beginning_is_asked_for_in_the_part_without_numbers() {
        for (language, question, asks) in [
            (
                Language::English,
                "The film starts at 20:30 and I need 45 minutes to get there. When do I have to leave?",
                true,
            ),
            (
                Language::English,
                "When should I leave to be there at 9:15 if I drive 40 minutes?",
                true,
            ),
            (
                Language::English,
                "The bus arrives at 18:05 and the trip takes 1 hour 50 minutes. When did it leave?",
                true,
            ),
            (
                Language::English,
                "I leave at 17:42 and drive 2 h 35 min, when do I arrive?",
                false,
            ),
            (
                Language::French,
                "un film qui commence a 20h50 et dure 2h25 finit a quelle heure",
                false,
            ),
            (
                Language::French,
                "je dois être là à 20h50 et il faut 25 min je dois partir à quelle heure",
                true,
            ),
            (
                Language::English,
                "When am I home if I leave at 17:42 and drive 35 minutes?",
                false,
            ),
            (
                Language::German,
                "Der Zug fährt um 6:48 ab und ich brauche 25 Minuten. Wann muss ich los?",
                true,
            ),
            (
                Language::German,
                "Wenn ich um 22:15 anfange und 8 Stunden brauche, wann bin ich fertig?",
                false,
            ),
            (
                Language::French,
                "Le train part à 17h48 et met 2h35, j’arrive à quelle heure",
                false,
            ),
            (
                Language::Japanese,
                "映画は19:00に始まります。駅まで35分かかります。何時に出ればいいですか？",
                true,
            ),
            (
                Language::Japanese,
                "バスは14:10に出て、1時間25分かかります。何時に着きますか？",
                false,
            ),
            (
                Language::Russian,
                "Поезд отправляется в 23.40, идёт 8 часов 55 минут. Во сколько прибудет?",
                false,
            ),
        ] {
            assert_eq!(
                asks_for_beginning(&Question::new(question, language)),
                asks,
                "{question}"
            );
        }
    }

    #[test]
    fn hours_and_minutes_of_one_period_lead_the_same_way() {
        let shifts = |hours, minutes| {
            vec![
                Shift {
                    count: hours,
                    period: Period::Hours,
                },
                Shift {
                    count: minutes,
                    period: Period::Minutes,
                },
            ]
        };
        let signs = |question: &str, hours, minutes| {
            with_one_sign(shifts(hours, minutes), &Question::new(question, Language::English))
        };
        assert_eq!(signs("at 18:05 after 1 hour 50 minutes", -1, 50), shifts(-1, -50));
        assert_eq!(signs("it takes 2 hours, 15 minutes less", 2, -15), shifts(2, -15));
    }
}
