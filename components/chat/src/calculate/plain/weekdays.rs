//! A weekday of this week or of one beside it: "Welches Datum ist Mittwoch nächste Woche?", "下周三是几号？" Small language models take
//! the coming one.

use jiff::ToSpan as _;
use jiff::civil::{DateTime, Weekday};
use quartet_api::Language;

use super::super::computed::Computed;
use super::super::dates;
use super::super::lexer::is_small;
use super::super::question::{Question, places};
use super::super::ruled_day_words::{all_weekdays, cut, names, phrases, without};

/// Words for a week, and the weeks from this one.
const WEEKS: [(&str, i64); 3] = [("week-before", -1), ("week-this", 0), ("week-after", 1)];

/// Tells the date of the weekday of a question that names a week, if there are no other words.
pub(super) fn answer(question: &Question, now: DateTime) -> Option<Computed> {
    let language = question.language();
    if question.has_digits() {
        return None;
    }
    let mut named = all_weekdays().filter_map(|weekday| {
        let found = names(weekday, language).filter_map(|name| places(question.text(), &name).next());
        Some((weekday, found.max_by_key(|(start, end)| end - start)?))
    });
    let (Some((weekday, place)), None) = (named.next(), named.next()) else {
        return None;
    };
    let mut rest = without(question.text(), place);
    if !cut(&mut rest, "asks", language) || !is_sure(weekday, language) {
        return None;
    }
    let (weeks, place) = week(&rest, language)?;
    let rest = without(&rest, place);
    if !is_small(&rest, language) {
        return None;
    }
    let today = now.date();
    let monday = today
        .checked_sub(i64::from(today.weekday().to_monday_zero_offset()).days())
        .ok()?;
    let days = weeks * 7 + i64::from(weekday.to_monday_zero_offset());
    Some(dates::weekday(monday.checked_add(days.days()).ok()?, language))
}

/// The weeks from this one that a text names, and where; the longest name is the one.
fn week(text: &str, language: Language) -> Option<(i64, (usize, usize))> {
    let all = WEEKS.into_iter().flat_map(|(kind, weeks)| {
        let phrases: Vec<_> = phrases(kind, language).collect();
        phrases.into_iter().map(move |phrase| (weeks, phrase))
    });
    let found = all.filter_map(|(weeks, phrase)| Some((weeks, places(text, phrase).next()?)));
    found.max_by_key(|(_, (start, end))| end - start)
}

/// Returns false for days that end the week for some and begin it for others.
fn is_sure(weekday: Weekday, language: Language) -> bool {
    use Language::{Arabic, Chinese, French, German, Italian, Russian, Spanish};
    match weekday {
        Weekday::Sunday => matches!(language, Chinese | French | German | Italian | Russian | Spanish),
        Weekday::Saturday => language != Arabic,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use Language::{
        Arabic, Chinese, English, French, German, Hindi, Italian, Japanese, Korean, Portuguese, Russian, Spanish,
    };

    use super::*;

    fn ask(question: &str, language: Language) -> Option<String> {
        // A Monday, so that the coming Wednesday is none of next week.
        let now = "2026-11-23T12:00".parse().unwrap();
        answer(&Question::new(question, language), now).map(|computed| computed.value)
    }

    #[test]
    fn weekdays_of_weeks_are_told_in_every_language() {
        for (question, language, expected) in [
            ("What date is Wednesday next week?", English, "2026-12-02"),
            ("what's the date of friday of last week", English, "2026-11-20"),
            (
                "¿Qué fecha es el miércoles de la semana que viene?",
                Spanish,
                "2026-12-02",
            ),
            (
                "Quelle date est mercredi de la semaine prochaine ?",
                French,
                "2026-12-02",
            ),
            ("Welches Datum ist Sonntag nächste Woche?", German, "2026-12-06"),
            ("Welches Datum war Freitag letzte Woche?", German, "2026-11-20"),
            ("Che data è mercoledì della prossima settimana?", Italian, "2026-12-02"),
            ("Que data é quarta-feira da semana que vem?", Portuguese, "2026-12-02"),
            ("Какого числа среда на следующей неделе?", Russian, "2026-12-02"),
            ("来週の水曜日は何日ですか？", Japanese, "2026-12-02"),
            ("下周三是几号", Chinese, "2026-12-02"),
            ("上星期五是几月几号？", Chinese, "2026-11-20"),
            ("这周五是几号？", Chinese, "2026-11-27"),
            ("다음 주 수요일은 며칠이야?", Korean, "2026-12-02"),
            ("أي تاريخ الأربعاء الأسبوع القادم؟", Arabic, "2026-12-02"),
            ("अगले हफ्ते बुधवार को कौन सी तारीख है?", Hindi, "2026-12-02"),
        ] {
            assert_eq!(ask(question, language).as_deref(), Some(expected), "{question}");
        }
    }

    #[test]
    fn other_questions_are_left() {
        for (question, language) in [
            ("What date is next Wednesday?", English),
            ("What date is Sunday next week?", English),
            ("What is on Wednesday next week?", English),
            ("What date is the Wednesday after next week?", English),
            ("再来週の水曜日は何日ですか？", Japanese),
            ("下下周三是几号", Chinese),
            ("下周三去哪里玩", Chinese),
        ] {
            assert_eq!(ask(question, language), None, "{question}");
        }
    }
}
