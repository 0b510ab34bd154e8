//! Questions about nothing but whole dates: what lies between two, and the weekday of one. Their form is certain. Of two dates, one
//! may be without a year: "from 20 December to 5 January 2027".

use jiff::civil::{Date, Weekday};
use quartet_api::Language;

use super::expression::{Base, Day, Expression, Period};
use super::lexicon::Row;
use super::question::Question;
use super::{calendar, evidence, lexer};

/// The expression of a question whose numbers are those of one or two whole dates, and whose other words ask for one thing.
pub(super) fn only(question: &Question) -> Option<Expression> {
    let (dates, rest) = all(question)?;
    // "年" and "Tag" are asked for where they are no part of a date.
    let rest = Question::new(&rest, question.language());
    let base = |date: Date| Day {
        base: Base::Date {
            year: date.year(),
            month: date.month(),
            day: date.day(),
        },
        shifts: Vec::new(),
    };
    if has_special_days(&rest) {
        return None;
    }
    match dates[..] {
        [date] if rest.has_part(Row::AskWeekday) => Some(Expression::Day(base(date))),
        [from, to] if from <= to && !rest.has_part(Row::AskWeekday) && !names_some_weekday(&rest) => {
            Some(Expression::Between {
                period: period(&rest)?,
                from: base(from),
                to: base(to),
            })
        }
        _ => None,
    }
}

/// Returns true if not all days are counted, or not as they are here.
pub(super) fn has_special_days(question: &Question) -> bool {
    let special = [Row::Workdays, Row::Included, Row::AskLeap];
    special.into_iter().any(|row| question.has_part(row))
}

/// Returns true if some days of the week are named, in any form: "without Sundays".
fn names_some_weekday(question: &Question) -> bool {
    let mut all = Weekday::Monday.cycle_forward().take(7);
    all.any(|weekday| {
        calendar::whole_names_of_weekday(weekday).any(|name| {
            let letters = name.chars().count();
            // Russian changes the end of a name.
            let kept = match name.chars().all(|c| matches!(c, 'а'..='я')) {
                true => letters - 1 - usize::from(letters > 7),
                false => letters,
            };
            let stem: String = name.chars().take(kept).collect();
            question.text().contains(&stem)
        })
    })
}

/// The whole date of a question that may have other numbers, and its place; nothing where it has two.
pub(super) fn one(question: &Question) -> Option<(Date, (usize, usize))> {
    let text = question.text();
    let numbers: Vec<_> = question.places().collect();
    let mut found: Option<(Date, (usize, usize))> = None;
    for (at, first) in numbers.iter().enumerate() {
        let after = found.map_or(0, |(_, (_, end))| end);
        // A number that is a part of the date before.
        if first.0 < after {
            continue;
        }
        let date = lexer::numeric_date(&text[first.0..], question.language())
            .map(|(length, date)| (first.0, length, date))
            .or_else(|| {
                written(
                    text,
                    &numbers[at..],
                    after.max(at.checked_sub(1).map_or(0, |before| numbers[before].1)),
                )
            });
        if let Some((start, length, date)) = date {
            if found.is_some() {
                return None;
            }
            found = Some((date, (start, start + length)));
        }
    }
    // In English 3/4/2026 is no certain date, and its numbers are none of a period.
    found.filter(|_| !question.has_ambiguous_date())
}

/// The month and the day of a question that has no other numbers, and their place.
pub(super) fn one_without_year(question: &Question) -> Option<(i8, i8, (usize, usize))> {
    let text = question.text();
    let numbers: Vec<_> = question.places().collect();
    let (start, length, found) = without_year(text, &numbers, 0)?;
    let (Found::WithoutYear(month, day), end) = (found, start + length) else {
        return None;
    };
    let is_all = numbers.iter().all(|number| start <= number.0 && number.1 <= end);
    is_all.then_some((month, day, (start, end)))
}

/// The one period that is counted in; years for an age.
fn period(rest: &Question) -> Option<Period> {
    let named = [Period::Days, Period::Weeks, Period::Months, Period::Years];
    let mut named = named.into_iter().filter(|period| evidence::names_period(rest, *period));
    let first = named.next()?;
    named.next().is_none().then_some(first)
}

/// A date in a question.
#[derive(Clone, Copy)]
enum Found {
    Whole(Date),
    /// A month and a day.
    WithoutYear(i8, i8),
}

/// The dates in their order: one without a year is the last such day up to the one after it, or the next from the one before.
fn in_order(found: &[Found]) -> Option<Vec<Date>> {
    match *found {
        [Found::Whole(date)] => Some(vec![date]),
        [Found::Whole(from), Found::Whole(to)] => Some(vec![from, to]),
        [Found::WithoutYear(month, day), Found::Whole(to)] => {
            let from = Date::new(to.year(), month, day).ok()?;
            match from <= to {
                true => Some(vec![from, to]),
                false => Some(vec![Date::new(to.year() - 1, month, day).ok()?, to]),
            }
        }
        [Found::Whole(from), Found::WithoutYear(month, day)] => {
            let to = Date::new(from.year(), month, day).ok()?;
            match from <= to {
                true => Some(vec![from, to]),
                false => Some(vec![from, Date::new(from.year() + 1, month, day).ok()?]),
            }
        }
        _ => None,
    }
}

/// The dates of a question, at least one of them whole, and its text without them; nothing where it has other numbers.
fn all(question: &Question) -> Option<(Vec<Date>, String)> {
    let text = question.text();
    let numbers: Vec<_> = question.places().collect();
    let (mut found, mut rest) = (Vec::new(), String::new());
    let (mut at, mut end) = (0, 0);
    while let Some(first) = numbers.get(at) {
        let (start, length, date) = lexer::numeric_date(&text[first.0..], question.language())
            .map(|(length, date)| (first.0, length, date))
            .or_else(|| written(text, &numbers[at..], end))
            .map(|(start, length, date)| (start, length, Found::Whole(date)))
            .or_else(|| without_year(text, &numbers[at..], end))
            .or_else(|| in_digits(text, first.0, question.language()))?;
        rest.push_str(text.get(end..start)?);
        rest.push(' ');
        end = start + length;
        if matches!(date, Found::Whole(_)) {
            end += year_word(&text[end..]);
        }
        found.push(date);
        at += numbers[at..].iter().take_while(|number| number.0 < end).count();
    }
    rest.push_str(&text[end..]);
    Some((in_order(&found)?, rest))
}

/// Length of the word for a year behind its number, as Russian has it: "1 мая 2027 года".
fn year_word(text: &str) -> usize {
    let words = [" года", " году", " г."];
    let found = words.into_iter().find(|word| text.starts_with(word));
    found.map_or(0, str::len)
}

/// A day and a month without a year: its start, its length, and itself.
fn without_year(text: &str, numbers: &[(usize, usize, Option<&str>)], after: usize) -> Option<(usize, usize, Found)> {
    let (first, others) = numbers.split_first()?;
    let value = |number: &(usize, usize, Option<&str>)| number.2?.parse::<i8>().ok().filter(|value| *value > 0);
    // "5月17日", "4월 15일"
    if let Some(second) = others.first()
        && matches!(text[first.1..second.0].trim(), "月" | "월")
        && let Some(sign) = text[second.1..].chars().next()
        && matches!(sign, '日' | '号' | '일')
    {
        let end = second.1 + sign.len_utf8();
        return Some((
            first.0,
            end - first.0,
            Found::WithoutYear(value(first)?, value(second)?),
        ));
    }
    let day = value(first)?;
    let until = others.first().map_or(text.len(), |next| next.0);
    let (before, behind) = (text.get(after..first.0)?, &text[first.1..until]);
    for month in 1..=12 {
        let names = calendar::names_of_month(month);
        for name in names.iter().filter(|name| name.chars().count() > 2) {
            // "3 mars", "the 3rd of March"
            if let Some(place) = behind.find(name.as_str())
                && is_filler(&behind[..place])
                && !behind[place + name.len()..].starts_with(char::is_alphabetic)
            {
                let end = first.1 + place + name.len();
                return Some((first.0, end - first.0, Found::WithoutYear(month, day)));
            }
            // "March 3"
            if let Some(place) = before.rfind(name.as_str())
                && is_filler(&before[place + name.len()..])
                && !before[..place].ends_with(char::is_alphabetic)
            {
                let start = after + place;
                return Some((start, first.1 - start, Found::WithoutYear(month, day)));
            }
        }
    }
    None
}

/// A day and a month in digits, as "1.2." is beside a whole date: its start, its length, and itself. Not in English, where either
/// may come first.
fn in_digits(text: &str, start: usize, language: Language) -> Option<(usize, usize, Found)> {
    let sign = match language {
        Language::German | Language::Russian => '.',
        Language::French | Language::Spanish | Language::Italian | Language::Portuguese => '/',
        _ => return None,
    };
    let (day, rest) = leading_digits(&text[start..])?;
    let rest = rest.strip_prefix(sign)?;
    let (month, rest) = leading_digits(rest.trim_start_matches(' '))?;
    // German has a point behind an ordinal, so that "1.2" is none; Russian writes the zeros: "01.02".
    let (whole, rest) = match language {
        Language::German => (true, rest.strip_prefix('.')?),
        Language::Russian => (month.len() == 2, rest.strip_prefix('.').unwrap_or(rest)),
        _ => (true, rest),
    };
    let found = Found::WithoutYear(month.parse().ok()?, day.parse().ok()?);
    (whole && !rest.starts_with(|c: char| c.is_ascii_digit() || c == sign)).then_some((
        start,
        text.len() - start - rest.len(),
        found,
    ))
}

/// The one or two digits that a text begins with, and what follows.
fn leading_digits(text: &str) -> Option<(&str, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (1..=2).contains(&digits).then(|| text.split_at(digits))
}

/// The date of a day, the name of a month and a year, in any order but with the year last: its start, its length, and itself.
fn written(text: &str, numbers: &[(usize, usize, Option<&str>)], after: usize) -> Option<(usize, usize, Date)> {
    let [day, year, ..] = numbers else { return None };
    let value = |number: &(usize, usize, Option<&str>)| number.2?.parse::<i16>().ok();
    let year_value = value(year).filter(|year| *year >= 1000)?;
    let day_value = i8::try_from(value(day)?).ok()?;
    let between = &text[day.1..year.0];
    let before = text.get(after..day.0)?;
    for month in 1..=12 {
        for name in calendar::names_of_month(month)
            .iter()
            .filter(|name| name.chars().count() > 2)
        {
            let date = || Date::new(year_value, month, day_value).ok();
            // "20 July 1969", "20. Juli 1969", "20 de julio de 1969"
            if let Some((left, right)) = between.split_once(name.as_str())
                && is_filler(left)
                && is_filler(right)
            {
                return Some((day.0, year.1 - day.0, date()?));
            }
            // "July 20, 1969"
            if let Some(place) = before.rfind(name.as_str())
                && is_filler(&before[place + name.len()..])
                && is_filler(between)
                && !before[..place].ends_with(char::is_alphabetic)
            {
                let start = after + place;
                return Some((start, year.1 - start, date()?));
            }
        }
    }
    None
}

/// Returns true for what stands between the parts of a date.
fn is_filler(text: &str) -> bool {
    let words = text
        .split([' ', '.', ',', 'º', '°', 'ª'])
        .filter(|word| !word.is_empty());
    const FILLERS: [&str; 14] = [
        "of", "the", "st", "nd", "rd", "th", "de", "del", "di", "er", "of the", "го", "de l'", "el",
    ];
    words.into_iter().all(|word| FILLERS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::super::expression::parse;
    use super::*;

    #[test]
    fn what_is_asked_about_whole_dates_is_certain() {
        for (question, language, expression) in [
            (
                "how many days betwen march 3 2019 and november 28 2023",
                Language::English,
                Some("days 2019-03-03 to 2023-11-28"),
            ),
            (
                "elle est née le 29/02/1996, elle avait quel âge le 15 janvier 2021",
                Language::French,
                Some("years 1996-02-29 to 2021-01-15"),
            ),
            (
                "2008年8月8号到2022年2月4号一共多少天",
                Language::Chinese,
                Some("days 2008-08-08 to 2022-02-04"),
            ),
            (
                "كم يوم بين ١ مارس ٢٠٢٠ و ١٥ يوليو ٢٠٢١",
                Language::Arabic,
                Some("days 2020-03-01 to 2021-07-15"),
            ),
            (
                "أي يوم من أيام الأسبوع كان 6 أكتوبر 1973؟",
                Language::Arabic,
                Some("date 1973-10-06"),
            ),
            (
                "Wie viele Wochen vom 1. Mai 2020 bis zum 03.07.2021",
                Language::German,
                Some("weeks 2020-05-01 to 2021-07-03"),
            ),
            (
                "How many working days are there from 1 May 2020 to 3 July 2020?",
                Language::English,
                None,
            ),
            ("How many days from 3/4/2020 to 5/6/2020?", Language::English, None),
            (
                "Combien de jours entre le 3 mars et le 17 mai 2026 ?",
                Language::French,
                Some("days 2026-03-03 to 2026-05-17"),
            ),
            (
                "How many days are there between December 20 and January 5, 2027?",
                Language::English,
                Some("days 2026-12-20 to 2027-01-05"),
            ),
            (
                "How many weeks from 20 December 2026 to 5 January?",
                Language::English,
                Some("weeks 2026-12-20 to 2027-01-05"),
            ),
            (
                "Wie viele Tage liegen zwischen dem 1. Februar und dem 20. April 2027?",
                Language::German,
                Some("days 2027-02-01 to 2027-04-20"),
            ),
            (
                "¿Cuántos días hay entre el 5 de junio y el 1 de septiembre de 2027?",
                Language::Spanish,
                Some("days 2027-06-05 to 2027-09-01"),
            ),
            (
                "Quanti giorni mancano dal 10 aprile al 2 giugno 2027?",
                Language::Italian,
                Some("days 2027-04-10 to 2027-06-02"),
            ),
            (
                "Quantos dias há entre 7 de julho e 15 de agosto de 2027?",
                Language::Portuguese,
                Some("days 2027-07-07 to 2027-08-15"),
            ),
            (
                "Сколько дней между 8 марта и 1 мая 2027 года?",
                Language::Russian,
                Some("days 2027-03-08 to 2027-05-01"),
            ),
            (
                "2027年3月3日から5月17日まで何日ありますか？",
                Language::Japanese,
                Some("days 2027-03-03 to 2027-05-17"),
            ),
            (
                "2027年4月1日到6月30日有多少天？",
                Language::Chinese,
                Some("days 2027-04-01 to 2027-06-30"),
            ),
            (
                "كم يوما بين 3 مارس و 17 مايو 2027؟",
                Language::Arabic,
                Some("days 2027-03-03 to 2027-05-17"),
            ),
            (
                "15 अगस्त 2027 और 2 अक्टूबर 2027 के बीच कितने दिन हैं?",
                Language::Hindi,
                Some("days 2027-08-15 to 2027-10-02"),
            ),
            (
                "2027년 3월 1일부터 4월 15일까지 며칠이야?",
                Language::Korean,
                Some("days 2027-03-01 to 2027-04-15"),
            ),
            ("How many days between 3 March and 17 May?", Language::English, None),
            (
                "How many days are there from 3 March to 17 May 2027 without Sundays?",
                Language::English,
                None,
            ),
            (
                "Сколько дней без воскресений с 3 марта по 17 мая 2027?",
                Language::Russian,
                None,
            ),
            (
                "Wie viele Tage ohne Samstage vom 3. März 2027 bis zum 17. Mai 2027?",
                Language::German,
                None,
            ),
            (
                "Wie viele Tage sind es vom 24. Jänner bis zum 3. März 2027?",
                Language::German,
                Some("days 2027-01-24 to 2027-03-03"),
            ),
            (
                "كم يوما بين 3 نيسان و 17 كانون الأول 2027؟",
                Language::Arabic,
                Some("days 2027-04-03 to 2027-12-17"),
            ),
            (
                "Wie viele Tage sind es vom 1.2. bis zum 20.4.2027?",
                Language::German,
                Some("days 2027-02-01 to 2027-04-20"),
            ),
            (
                "Wie viele Wochen vom 1. 12. bis 9. 2. 2027?",
                Language::German,
                Some("weeks 2026-12-01 to 2027-02-09"),
            ),
            (
                "Сколько дней с 01.02 по 20.04.2027?",
                Language::Russian,
                Some("days 2027-02-01 to 2027-04-20"),
            ),
            (
                "Combien de jours du 1/2 au 20/4/2027 ?",
                Language::French,
                Some("days 2027-02-01 to 2027-04-20"),
            ),
            (
                "¿Cuántos días hay del 1/2/2027 al 20/4?",
                Language::Spanish,
                Some("days 2027-02-01 to 2027-04-20"),
            ),
            ("How many days from 1/2 to 20/4/2027?", Language::English, None),
            (
                "Wie viele Tage sind 1.2 Jahre ab dem 20.4.2027?",
                Language::German,
                None,
            ),
            ("Combien de jours du 1/20 au 20/4/2027 ?", Language::French, None),
            ("Who won 3 medals in March 2026?", Language::English, None),
            (
                "I had 3 days off between 1 May 2020 and 3 July 2020",
                Language::English,
                None,
            ),
            ("Who was born on 1 May 1850?", Language::English, None),
        ] {
            let found = only(&Question::new(question, language));
            assert_eq!(found, expression.and_then(parse), "{question}");
        }
    }
}
