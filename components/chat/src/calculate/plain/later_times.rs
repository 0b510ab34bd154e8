//! The time of day after or before a period from now: "What time will it be in 90 minutes?" Small language models make a time up.

use jiff::civil::DateTime;

use super::super::computed::Computed;
use super::super::directions::{self, Direction};
use super::super::expression::Shift;
use super::super::lexer::is_small;
use super::super::question::Question;
use super::super::said::{self, Said};
use super::super::{dates, earlier_times, measures, times, zones};

/// Computes a question that asks for the time, with one period of hours and minutes from now and no other words.
pub(super) fn answer(question: &Question, now: DateTime) -> Option<Computed> {
    let language = question.language();
    if !question.says(Said::WhatTime)
        || !times::mentions(question).is_empty()
        || zones::named(question).next().is_some()
    {
        return None;
    }
    let items = measures::read(question)?;
    if !measures::are_plain(question, &items) {
        return None;
    }
    let counted: Vec<_> = items.iter().filter(|item| item.value.is_some()).collect();
    let (first, last) = (counted.first()?, counted.last()?);
    let text = question.text();
    let mut rest = format!("{} , {}", &text[..first.start], &text[last.end..]);
    let sign = match directions::direction(question)? {
        Direction::Earlier => 1,
        Direction::Later => -1,
    };
    for said in [Said::WhatTime, Said::Before, Said::After] {
        said::cut(&mut rest, said, language);
    }
    if !is_small(&rest, language) {
        return None;
    }
    // They are to be taken off.
    let shifts = earlier_times::shifts(&items, question)?;
    let time = shifts.into_iter().try_fold(now, |time, shift| {
        let count = shift.count * sign;
        dates::shifted(time, Shift { count, ..shift })
    })?;
    dates::clock(time, None, "", language)
}

#[cfg(test)]
mod tests {
    use Language::{
        Arabic, Chinese, English, French, German, Hindi, Italian, Japanese, Korean, Portuguese, Russian, Spanish,
    };
    use quartet_api::Language;

    use super::*;

    fn ask(question: &str, language: Language) -> Option<String> {
        let now = "2026-11-26T12:00".parse().unwrap();
        answer(&Question::new(question, language), now).map(|computed| computed.value)
    }

    #[test]
    fn a_period_from_now_is_added() {
        for (question, language, expected) in [
            ("What time will it be in 90 minutes?", English, "13:30"),
            ("what time was it 3 hours ago", English, "09:00"),
            ("What time will it be in 2 hours and 15 minutes?", English, "14:15"),
            ("Wie spät ist es in 90 Minuten?", German, "13:30"),
            ("Quelle heure sera-t-il dans 45 minutes ?", French, "12:45"),
            ("¿Qué hora será dentro de 90 minutos?", Spanish, "13:30"),
            ("Che ora sarà tra 45 minuti?", Italian, "12:45"),
            ("Que horas serão daqui a 90 minutos?", Portuguese, "13:30"),
            ("Сколько времени будет через 90 минут?", Russian, "13:30"),
            ("90分後は何時ですか？", Japanese, "13:30"),
            ("90分钟后是几点？", Chinese, "13:30"),
            ("90분 후는 몇 시예요?", Korean, "13:30"),
            ("كم الساعة بعد 45 دقيقة؟", Arabic, "12:45"),
            ("90 मिनट बाद कितने बजे होंगे?", Hindi, "13:30"),
        ] {
            assert_eq!(ask(question, language).as_deref(), Some(expected), "{question}");
        }
    }

    #[test]
    fn other_questions_are_left() {
        for question in [
            "What time is it?",
            "What time will it be in Tokyo in 90 minutes?",
            "What time does the film end if it lasts 90 minutes?",
            "What time was it 3 hours before 14:20?",
            "What time should I leave for a walk of 90 minutes?",
        ] {
            assert_eq!(ask(question, English), None, "{question}");
        }
    }
}
