//! Questions about a day that a rule gives for each year, such as the last Sunday of March or Easter: which day it is, and how long it
//! is until then. No model counts weekdays rightly or knows when Easter is, and what the words say is certain: the name of such a day, or
//! an ordinal before a weekday with a month, perhaps a year, and nothing else that could matter. The words are in the table
//! `ruled_days.tsv`.

use jiff::civil::{DateTime, Weekday};
use quartet_api::Language;

use super::computed::Computed;
use super::day_rule::{Church, DayRule, Month, Year};
use super::expression::{Base, Day, Expression, Period};
use super::lexer::Token;
use super::lexicon::{self, Meaning, Row};
use super::question::{Question, find, places};
use super::said::{self, Said};
use super::{calendar, dates, lexer};

/// The kinds of ordinals in the table with their numbers, as the calendar counts: the last one of a month is -1.
const ORDINALS: [(&str, i8); 6] = [("1", 1), ("2", 2), ("3", 3), ("4", 4), ("5", 5), ("last", -1)];

/// Computes a question that asks for the date of such a day, or the time until then, with nothing but known words.
pub(super) fn answer(question: &str, language: Language, now: Option<DateTime>) -> Option<Computed> {
    let found = read(&Question::new(question, language))?;
    let today = now?.date();
    match (found.asks, found.others) {
        (Some(Asks::Date), Others::Small) => Some(dates::weekday(found.rule.date(today)?, language)),
        (Some(Asks::Until(period)), Others::Small) => {
            dates::between(period, &day(Base::Today), &day(Base::Rule(found.rule)), today, language)
        }
        _ => None,
    }
}

/// Returns true if a question names such a day.
pub(super) fn is_named(question: &Question) -> bool {
    read(question).is_some()
}

/// The expression of a question about such a day that has other words, too. What the model wrote says if its date is asked for, or the
/// time until then.
pub(super) fn only(question: &Question, written: &str) -> Option<Expression> {
    let found = read(question)?;
    // "Easter" is a part of many names.
    if !matches!(found.rule, DayRule::Weekday { .. }) {
        return None;
    }
    let base = Base::Rule(found.rule);
    let until = |period| Expression::Between {
        period,
        from: day(Base::Today),
        to: day(base.clone()),
    };
    // The model may not know the day, and says at least from when it is counted.
    let (command, operands) = written.split_once(' ')?;
    let is_until = operands.starts_with("today to ") || found.has_until && !operands.ends_with(" to today");
    match command {
        "date" if found.asks == Some(Asks::Date) => Some(Expression::Day(day(base))),
        "days" if is_until => Some(until(Period::Days)),
        "weeks" if is_until => Some(until(Period::Weeks)),
        _ => None,
    }
}

fn day(base: Base) -> Day {
    Day {
        base,
        shifts: Vec::new(),
    }
}

/// Returns true if an ordinal stands beside a weekday, which is not the next or the last one from today then. In many languages "the last
/// Friday" may be both.
pub(super) fn has_ordinal(question: &Question) -> bool {
    use Language::{English, French, German, Italian, Portuguese, Spanish};
    let language = question.language();
    let is_both = matches!(language, English | French | German | Italian | Portuguese | Spanish);
    numbered_weekday(question.text(), language).is_some_and(|(nth, ..)| nth > 0 || !is_both)
}

/// Such a day in a question.
struct Found {
    rule: DayRule,
    /// None where the words do not say.
    asks: Option<Asks>,
    /// True if a word says that something is counted until then.
    has_until: bool,
    others: Others,
}

/// What is asked about a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    Date,
    Until(Period),
}

/// The words that are left of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Others {
    /// Small ones that are known.
    Small,
    /// Any.
    Any,
}

fn read(question: &Question) -> Option<Found> {
    let language = question.language();
    let mut rest = question.text().to_owned();
    let rule = feast(&mut rest, language).or_else(|| weekday_of_month(&mut rest, language))?;
    let rule = if has(&rest, "past", language) {
        rule.gone()
    } else {
        rule
    };
    if names_other_day(&rest, language) || Question::new(&rest, language).has_digits() {
        return None;
    }
    let has_until = cut(&mut rest, "until", language);
    let asks_for_date = cut(&mut rest, "asks", language);
    let asks_how_long = said::phrases(Said::HowLong, language).any(|phrase| cut_all(&mut rest, phrase.trim()));
    cut(&mut rest, "past", language);
    cut(&mut rest, "beside", language);
    let tokens = lexer::tokens(&rest, language);
    let is_small = |token: &Token| {
        let mut small = [Meaning::Glue, Meaning::Of, Meaning::Today].into_iter();
        period(token).is_some() || small.any(|meaning| token.is(meaning))
    };
    let others = match &tokens {
        Some(tokens) if tokens.iter().all(is_small) => Others::Small,
        _ => Others::Any,
    };
    let mut periods = tokens.iter().flatten().filter_map(period);
    let asks = match (periods.next(), periods.next()) {
        (Some(period), None) if has_until => Some(Asks::Until(period)),
        (None, _) if has_until && asks_how_long => Some(Asks::Until(Period::Days)),
        (None, _) if asks_for_date && !has_until => Some(Asks::Date),
        // "Which day of the month is it until ..."
        _ if asks_for_date => Some(Asks::Date).filter(|_| others == Others::Any),
        _ => None,
    };
    // Elsewhere numbers in words are words of their own.
    let has_numbers = match language {
        Language::Japanese | Language::Chinese | Language::Korean => others == Others::Any,
        _ => Question::new(&rest, language).has_number(),
    };
    (!has_numbers).then_some(Found {
        rule,
        asks,
        has_until,
        others,
    })
}

/// The period of days or weeks that a token is the name of.
fn period(token: &Token) -> Option<Period> {
    token.meaning(|meaning| match meaning {
        Meaning::Unit(unit) if unit.name == "day" => Some(Period::Days),
        Meaning::Unit(unit) if unit.name == "week" => Some(Period::Weeks),
        _ => None,
    })
}

/// Returns true if a text names a day: "the first or the second Monday", "Monday and Tuesday", "the day after the last Sunday".
fn names_other_day(text: &str, language: Language) -> bool {
    let near = [-2, -1, 1, 2].into_iter();
    let near = near.flat_map(|days| lexicon::rows_of(Row::Relative(days)));
    let mut named = lexicon::named_days().map(|(_, name)| name).chain(near);
    ORDINALS.iter().any(|(kind, _)| has(text, kind, language))
        || all_weekdays().any(|weekday| names(weekday, language).any(|name| find(text, &name).is_some()))
        || has(text, "shifted", language)
        || named.any(|name| find(text, name).is_some())
}

/// Takes a day with a name that goes by Easter, and its year, out of a text.
fn feast(rest: &mut String, language: Language) -> Option<DayRule> {
    let all = table().filter(|(.., code, _)| *code == language.code());
    let all = all.filter_map(|(kind, _, phrases)| {
        let (kind, days) = kind.split_once(' ')?;
        let church = match kind {
            "easter" => Church::Western,
            "orthodox-easter" => Church::Eastern,
            _ => return None,
        };
        Some((church, days.parse().ok()?, phrases))
    });
    let named = all.flat_map(|(church, days, phrases)| phrases.split('|').map(move |phrase| (church, days, phrase)));
    let found = named.filter_map(|(church, days, phrase)| Some((church, days, find(rest, phrase)?)));
    let (church, days, place) = found.max_by_key(|(.., (start, end))| end - start)?;
    *rest = without(rest, place);
    let year = year(rest, language)?;
    Some(DayRule::Easter { days, church, year })
}

/// Takes a weekday with its ordinal, its month and its year out of a text.
fn weekday_of_month(rest: &mut String, language: Language) -> Option<DayRule> {
    let (nth, weekday, place) = numbered_weekday(rest, language)?;
    *rest = without(rest, place);
    let month = month(rest, language)?;
    Some(DayRule::Weekday { nth, weekday, month })
}

/// The one weekday of a text that an ordinal stands beside, and its place with the ordinal's.
fn numbered_weekday(text: &str, language: Language) -> Option<(i8, Weekday, (usize, usize))> {
    let mut found: Option<(i8, Weekday, (usize, usize))> = None;
    for weekday in all_weekdays() {
        for name in names(weekday, language) {
            for (start, end) in places(text, &name) {
                let before = ordinal_before(text, start, language).map(|(nth, start)| (nth, weekday, (start, end)));
                let Some(this) = before.or_else(|| {
                    let (nth, end) = ordinal_behind(text, end, language)?;
                    Some((nth, weekday, (start, end)))
                }) else {
                    continue;
                };
                match found {
                    Some(other) if (other.0, other.1) != (this.0, this.1) => return None,
                    // "Sunday" is a part of a longer name in some languages.
                    Some((.., (start, end))) if end - start >= this.2.1 - this.2.0 => {}
                    _ => found = Some(this),
                }
            }
        }
    }
    found
}

/// The number of the ordinal that ends at a place, and where it starts; none where it is counted from the end.
fn ordinal_before(text: &str, end: usize, language: Language) -> Option<(i8, usize)> {
    let mut before = text[..end].trim_end();
    for filler in phrases("between", language) {
        before = before.strip_suffix(filler).map_or(before, str::trim_end);
    }
    let all = ORDINALS
        .into_iter()
        .flat_map(|(kind, nth)| phrases(kind, language).map(move |phrase| (nth, phrase)));
    let (nth, start) = all
        .filter_map(|(nth, phrase)| {
            let start = before.strip_suffix(phrase)?.len();
            let is_there = places(before, phrase).any(|place| place == (start, before.len()));
            // "The 21st Monday"
            let goes_on = phrase.starts_with(|c: char| c.is_ascii_digit())
                && before[..start].ends_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '/'));
            (is_there && !goes_on).then_some((nth, start))
        })
        .min_by_key(|(_, start)| *start)?;
    let counted_from = before[..start].trim_end();
    let from_end = phrases("from-end", language)
        .any(|phrase| places(counted_from, phrase).any(|(_, end)| end == counted_from.len()));
    (!from_end && !counted_from.ends_with('-')).then_some((nth, start))
}

/// The number of the ordinal that starts at a place, and where it ends: Arabic may have it behind.
fn ordinal_behind(text: &str, start: usize, language: Language) -> Option<(i8, usize)> {
    let rest = &text[start..];
    let at = start + rest.len() - rest.trim_start().len();
    let mut all = ORDINALS.into_iter().flat_map(|(kind, nth)| {
        let kind = format!("{kind} behind");
        let phrases: Vec<_> = phrases(&kind, language).collect();
        phrases.into_iter().map(move |phrase| (nth, phrase))
    });
    all.find_map(|(nth, phrase)| {
        let (_, end) = places(&text[at..], phrase).find(|place| place.0 == 0)?;
        Some((nth, at + end))
    })
}

/// Takes the one month, and the year, out of a text.
fn month(rest: &mut String, language: Language) -> Option<Month> {
    let month = named_month(rest, language);
    let near = [("last-month", -1), ("this-month", 0), ("next-month", 1)];
    match month {
        Some((month, place)) => {
            *rest = without(rest, place);
            Some(Month::Of(month, year(rest, language)?))
        }
        None => {
            let (kind, months) = near.into_iter().find(|(kind, _)| has(rest, kind, language))?;
            cut(rest, kind, language);
            Some(Month::After(months))
        }
    }
}

/// The one month that a text names, and its place.
fn named_month(text: &str, language: Language) -> Option<(i8, (usize, usize))> {
    if let Language::Japanese | Language::Chinese | Language::Korean = language {
        let (sign, _) = text
            .match_indices(['月', '월'])
            .find(|(at, _)| in_digits_before(text, *at).is_some())?;
        let (month, start) = in_digits_before(text, sign)?;
        let end = sign + text[sign..].chars().next()?.len_utf8();
        return Some((month, (start, end)));
    }
    let all = (1..=12).flat_map(|month| {
        let names = calendar::names_of_month(month);
        names.into_iter().map(move |name| (month, name))
    });
    // Short forms are other words, too.
    let long = all.filter(|(_, name)| name.chars().count() > 2 || !name.is_ascii());
    let mut found: Vec<_> = long
        .filter_map(|(month, name)| Some((month, find(text, &name)?)))
        .collect();
    found.sort_by_key(|(_, (start, end))| std::cmp::Reverse(end - start));
    let first = *found.first()?;
    found.iter().all(|(month, _)| *month == first.0).then_some(first)
}

/// The number of a month that ends at a place, in digits or in the numerals of Chinese, and where it starts.
fn in_digits_before(text: &str, end: usize) -> Option<(i8, usize)> {
    const NUMERALS: [&str; 12] = [
        "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二",
    ];
    let before = &text[..end];
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 {
        let start = end - digits;
        let month = before[start..].parse().ok().filter(|month| (1..=12).contains(month))?;
        return Some((month, start));
    }
    let all = (1..).zip(NUMERALS).filter(|(_, numeral)| before.ends_with(numeral));
    let (month, numeral) = all.max_by_key(|(_, numeral)| numeral.len())?;
    Some((month, end - numeral.len()))
}

/// Takes the year out of a text: the one that is given, this one or the one beside it, else the coming one. None where a number is
/// no year.
fn year(rest: &mut String, language: Language) -> Option<Year> {
    for (kind, years) in [("last-year", -1), ("this-year", 0), ("next-year", 1)] {
        if cut(rest, kind, language) {
            return Some(Year::After(years));
        }
    }
    let given = {
        let question = Question::new(rest, language);
        let numbers: Vec<_> = question.places().collect();
        match numbers[..] {
            [] => None,
            [(start, end, Some(value))] if end - start == 4 => Some((value.parse().ok()?, (start, end))),
            _ => return None,
        }
    };
    let Some((year, place)) = given else {
        return Some(Year::Coming);
    };
    *rest = without(rest, place);
    cut(rest, "year", language);
    Some(Year::Given(year))
}

fn all_weekdays() -> impl Iterator<Item = Weekday> {
    Weekday::Monday.cycle_forward().take(7)
}

/// The names of a weekday.
fn names(weekday: Weekday, language: Language) -> impl Iterator<Item = String> {
    let kind = match weekday {
        Weekday::Monday => "monday",
        Weekday::Tuesday => "tuesday",
        Weekday::Wednesday => "wednesday",
        Weekday::Thursday => "thursday",
        Weekday::Friday => "friday",
        Weekday::Saturday => "saturday",
        Weekday::Sunday => "sunday",
    };
    calendar::whole_names_of_weekday(weekday).chain(phrases(kind, language).map(str::to_owned))
}

/// The rows of the table: the kind, the language's code, the phrases.
fn table() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    include_str!("ruled_days.tsv").lines().filter_map(|line| {
        let mut fields = line.splitn(3, '\t');
        Some((fields.next()?, fields.next()?, fields.next()?))
    })
}

/// The phrases of a kind in a language.
fn phrases(kind: &str, language: Language) -> impl Iterator<Item = &'static str> {
    table()
        .filter(move |(of, code, _)| *of == kind && *code == language.code())
        .flat_map(|(.., phrases)| phrases.split('|'))
}

fn has(text: &str, kind: &str, language: Language) -> bool {
    phrases(kind, language).any(|phrase| find(text, phrase).is_some())
}

/// Takes all phrases of a kind out of a text, the longest first. Returns true if there was one.
fn cut(text: &mut String, kind: &str, language: Language) -> bool {
    let mut all: Vec<_> = phrases(kind, language).collect();
    all.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
    let mut is_any = false;
    for phrase in all {
        is_any |= cut_all(text, phrase);
    }
    is_any
}

/// Takes a phrase out of a text wherever it stands. Returns true if it did.
fn cut_all(text: &mut String, phrase: &str) -> bool {
    let mut is_any = false;
    while let Some(place) = find(text, phrase) {
        *text = without(text, place);
        is_any = true;
    }
    is_any
}

/// A text without what stands at a place; what stood beside it does not come together. It is as a normalised one is.
fn without(text: &str, (start, end): (usize, usize)) -> String {
    let joined = format!("{} , {}", text[..start].trim_end(), text[end..].trim_start());
    joined.trim_start().to_owned()
}

#[cfg(test)]
mod tests {
    use Language::{
        Arabic, Chinese, English, French, German, Hindi, Italian, Japanese, Korean, Portuguese, Russian, Spanish,
    };

    use super::*;

    /// A Thursday.
    fn now() -> DateTime {
        "2026-11-26T12:00".parse().unwrap()
    }

    fn date_of(question: &str, language: Language) -> Option<String> {
        let found = read(&Question::new(question, language))?;
        Some(found.rule.date(now().date())?.to_string())
    }

    #[test]
    fn every_row_of_the_table_is_read() {
        for line in include_str!("ruled_days.tsv")
            .lines()
            .filter(|line| !line.starts_with('#'))
        {
            let fields: Vec<_> = line.split('\t').collect();
            assert_eq!(fields.len(), 3, "{line}");
            assert!(fields[1].parse::<Language>().is_ok(), "{line}");
            assert!(
                fields[2]
                    .split('|')
                    .all(|phrase| phrase == phrase.trim() && !phrase.is_empty()),
                "{line}"
            );
        }
        for language in Language::ALL {
            for (kind, _) in ORDINALS {
                assert!(phrases(kind, language).next().is_some(), "{language}: {kind}");
            }
            assert!(phrases("asks", language).next().is_some(), "{language}");
        }
    }

    #[test]
    fn dates_are_computed_in_every_language_without_a_model() {
        for (question, language, date) in [
            ("When is the last Sunday in March?", English, "2027-03-28"),
            ("What date is the 2nd Monday of January?", English, "2027-01-11"),
            ("what day was the first monday of october", English, "2026-10-05"),
            ("When is the third Thursday in May 2030?", English, "2030-05-16"),
            ("When is the last Friday of this month?", English, "2026-11-27"),
            (
                "what's the date of the first Saturday of next month?",
                English,
                "2026-12-05",
            ),
            ("¿Cuándo es el último domingo de marzo?", Spanish, "2027-03-28"),
            ("¿Qué día cae el segundo lunes de enero?", Spanish, "2027-01-11"),
            ("¿Qué fecha fue el primer lunes de octubre?", Spanish, "2026-10-05"),
            ("C'est quand le dernier dimanche de mars ?", French, "2027-03-28"),
            ("Quelle date est le 2e lundi de janvier 2027 ?", French, "2027-01-11"),
            ("Quand tombait le premier lundi d'octobre ?", French, "2026-10-05"),
            ("Wann ist der letzte Sonntag im März?", German, "2027-03-28"),
            ("Der wievielte ist der zweite Montag im Jänner?", German, "2027-01-11"),
            (
                "Welches Datum hatte der erste Montag im Oktober letzten Jahres?",
                German,
                "2025-10-06",
            ),
            ("Quando è l'ultima domenica di marzo?", Italian, "2027-03-28"),
            ("Che giorno è il secondo lunedì di gennaio?", Italian, "2027-01-11"),
            ("Quando é o último domingo de março?", Portuguese, "2027-03-28"),
            (
                "Em que dia cai a segunda segunda-feira de janeiro?",
                Portuguese,
                "2027-01-11",
            ),
            (
                "Quando foi a primeira segunda-feira de outubro?",
                Portuguese,
                "2026-10-05",
            ),
            ("Когда последнее воскресенье марта?", Russian, "2027-03-28"),
            ("Какого числа второй понедельник января?", Russian, "2027-01-11"),
            ("Какого числа была первая среда октября?", Russian, "2026-10-07"),
            ("3月の最後の日曜日はいつですか？", Japanese, "2027-03-28"),
            ("来年1月の第2月曜日は何日ですか？", Japanese, "2027-01-11"),
            ("三月的最后一个星期日是几号？", Chinese, "2027-03-28"),
            ("明年一月的第二个星期一是哪一天？", Chinese, "2027-01-11"),
            ("3월 마지막 일요일이 언제야?", Korean, "2027-03-28"),
            ("1월 둘째 월요일은 며칠이야?", Korean, "2027-01-11"),
            ("متى آخر يوم أحد في مارس؟", Arabic, "2027-03-28"),
            ("متى يكون الاثنين الثاني من شهر يناير؟", Arabic, "2027-01-11"),
            ("When is Easter?", English, "2027-03-28"),
            ("when's easter next year", English, "2027-03-28"),
            ("When was Good Friday in 2019?", English, "2019-04-19"),
            ("When is Orthodox Easter 2027?", English, "2027-05-02"),
            ("What date is Easter Monday next year?", English, "2027-03-29"),
            ("¿Cuándo es Viernes Santo?", Spanish, "2027-03-26"),
            ("C'est quand la Pentecôte 2028 ?", French, "2028-06-04"),
            ("Wann ist dieses Jahr Christi Himmelfahrt?", German, "2026-05-14"),
            ("Wann war Ostern?", German, "2026-04-05"),
            ("Quando cade Pasquetta?", Italian, "2027-03-29"),
            ("Quando é o Carnaval em 2028?", Portuguese, "2028-02-29"),
            ("Когда Пасха в 2027 году?", Russian, "2027-05-02"),
            ("来年のイースターはいつですか？", Japanese, "2027-03-28"),
            ("复活节是几月几号？", Chinese, "2027-03-28"),
            ("내년 부활절은 언제야?", Korean, "2027-03-28"),
            ("2027 में ईस्टर कब है?", Hindi, "2027-03-28"),
            ("मार्च का आखिरी रविवार कब है?", Hindi, "2027-03-28"),
            ("जनवरी का दूसरा सोमवार किस तारीख को है?", Hindi, "2027-01-11"),
        ] {
            let value = answer(question, language, Some(now())).map(|computed| computed.value);
            assert_eq!(value.as_deref(), Some(date), "{question}");
        }
        assert!(answer("When is the last Sunday in March?", English, None).is_none());
    }

    #[test]
    fn the_time_until_then_is_computed() {
        for (question, language, days) in [
            ("How many days until Easter?", English, "122"),
            ("How long until Easter?", English, "122"),
            ("how many weeks are there until easter monday", English, "17"),
            ("Wie viele Tage sind es noch bis Ostern?", German, "122"),
            ("Combien de jours jusqu'à Pâques ?", French, "122"),
            ("¿Cuántos días faltan para el último domingo de marzo?", Spanish, "122"),
            ("Quanti giorni mancano a Pasqua?", Italian, "122"),
            ("Сколько дней до Пасхи?", Russian, "157"),
        ] {
            let value = answer(question, language, Some(now())).map(|computed| computed.value);
            assert_eq!(value.as_deref(), Some(days), "{question}");
        }
    }

    #[test]
    fn with_other_words_the_model_says_what_is_asked() {
        let question = Question::new("How many days are left until the last Sunday in March?", English);
        let asks = |written: &str| only(&question, written);
        let Some(Expression::Between { to, .. }) = asks("days today to next 03-28") else {
            panic!("a period");
        };
        assert_eq!(dates::resolve(&to, now().date()).unwrap().to_string(), "2027-03-28");
        assert_eq!(asks("date next sunday"), None, "no date is asked for");
        assert!(asks("days 03-01 to 03-28").is_some());
        assert_eq!(asks("days 03-28 to today"), None);
        assert_eq!(asks("none"), None);
        let since = Question::new("How many days since the last Sunday in March?", English);
        assert_eq!(only(&since, "days last 03-28 to today"), None);
        let from = Question::new("How many days from Christmas to the last Sunday in March?", English);
        assert_eq!(only(&from, "days 12-25 to 03-28"), None);
        let question = "Our club meets on the first Friday of March, which date is that?";
        assert!(answer(question, English, Some(now())).is_none());
        assert!(only(&Question::new(question, English), "date next friday").is_some());
    }

    #[test]
    fn what_is_not_certain_is_left() {
        for (question, language) in [
            ("When is the last Sunday?", English),
            ("When is the second to last Friday of May?", English),
            ("When is the second-last Friday of May?", English),
            ("When is the Monday after the last Sunday in March?", English),
            ("When is the first or second Monday of May?", English),
            ("When is the first Monday in May or June?", English),
            ("When is the 21st Monday of May?", English),
            ("What date is two days after the last Sunday in March?", English),
            ("What date is 2 days from the last Sunday in March?", English),
            ("When is the fifth Monday of February?", English),
            ("Quand est l'avant-dernier dimanche de mars ?", French),
            ("Wann ist der vorletzte Sonntag im März?", German),
            ("三月倒数第二个星期日是几号？", Chinese),
            ("三月最后一个星期日的两天后是几号？", Chinese),
            ("3月の第2週の月曜日はいつですか？", Japanese),
            ("3월 둘째 주 월요일은 며칠이야?", Korean),
        ] {
            assert_eq!(date_of(question, language), None, "{question}");
        }
        for other in [
            "What is the population of Easter Island?",
            "When is the day before Easter?",
            "When is Easter break?",
            "When are Easter and Pentecost?",
            "How many days since Easter?",
        ] {
            assert!(answer(other, English, Some(now())).is_none(), "{other}");
        }
        let named = "Which holiday is on the first Monday of September?";
        assert!(answer(named, English, Some(now())).is_none());
    }
}
