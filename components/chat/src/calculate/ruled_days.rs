//! Questions about a day that a rule gives for each year, such as the last Sunday of March or Easter: which day it is, and how long it
//! is until then. No model counts weekdays rightly or knows when Easter is, and what the words say is certain: the name of such a day, or
//! an ordinal before a weekday with a month, perhaps a year, and nothing else that could matter.

use jiff::civil::{DateTime, Weekday};
use quartet_api::Language;

use super::computed::Computed;
use super::day_rule::{DayRule, YearlyRule};
use super::expression::{Base, Day, Expression, Period};
use super::feasts::Feast;
use super::lexer::Token;
use super::lexicon::{self, Meaning, Row};
use super::question::{Question, find};
use super::ruled_day_words::{
    ORDINALS, all_weekdays, cut, cut_all, has, names, numbered_weekday, take_weekday_of_month,
};
use super::said::{self, Said};
use super::{dates, feasts, lexer};

/// Computes a question that asks for the date of such a day, or the time until then, with nothing but known words. A name that is for
/// several days in several countries is answered for each of them.
pub(super) fn answer(question: &str, language: Language, now: Option<DateTime>) -> Option<Computed> {
    let found = read(&Question::new(question, language))?;
    let today = now?.date();
    let asks = found.asks.filter(|_| !found.has_others)?;
    let one = |rule: DayRule| match asks {
        Asks::Date => Some(dates::weekday(rule.date(today)?, language)),
        Asks::Until(period) => dates::between(period, &day(Base::Today), &day(Base::Rule(rule)), today, language),
        Asks::IsOn(weekday) => Some(dates::is_on(rule.date(today)?, weekday, language)),
    };
    let mut feasts = found.days;
    feasts.sort_by_key(|feast| feast.rule.date(today));
    let days: Option<Vec<_>> = feasts
        .iter()
        .map(|day| Some((day.countries.join(", "), one(day.rule)?)))
        .collect();
    match &days?[..] {
        // One that a single country keeps is what is asked for.
        [(_, only)] => Some(only.clone()),
        several => Some(dates::of_several(several)),
    }
}

/// Returns true if a question asks when such a day is, or for the time until then.
pub(super) fn is_named(question: &Question) -> bool {
    read(question).is_some_and(|found| found.asks.is_some())
}

/// The expression of a question about such a day that has other words, too. What the model wrote says if its date is asked for, or the
/// time until then.
pub(super) fn only(question: &Question, written: &str) -> Option<Expression> {
    let found = read(question)?;
    // "Easter" and "Christmas" are parts of many names.
    let rule = match found.days[..] {
        [
            Feast {
                rule: DayRule::Yearly(YearlyRule::Easter { .. } | YearlyRule::Date { .. }, _),
                ..
            },
        ] => return None,
        [Feast { rule, .. }] => rule,
        _ => return None,
    };
    let base = Base::Rule(rule);
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
    /// It, or all that its name may be for.
    days: Vec<Feast>,
    /// None where the words do not say.
    asks: Option<Asks>,
    /// True if a word says that something is counted until then.
    has_until: bool,
    /// True if there are other words than small ones that are known.
    has_others: bool,
}

/// What is asked about a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    Date,
    Until(Period),
    /// If it falls on this day of the week.
    IsOn(Weekday),
}

fn read(question: &Question) -> Option<Found> {
    let language = question.language();
    let mut rest = question.text().to_owned();
    let mut days = feasts::take(&mut rest, language).or_else(|| {
        let rule = take_weekday_of_month(&mut rest, language)?;
        let countries = Vec::new();
        Some(vec![Feast { rule, countries }])
    })?;
    if has(&rest, "past", language) {
        days.iter_mut().for_each(|day| day.rule = day.rule.gone());
    }
    let mut asks_how_long = false;
    for phrase in said::phrases(Said::HowLong, language) {
        asks_how_long |= cut_all(&mut rest, phrase.trim());
    }
    asks_how_long |= cut(&mut rest, "counts", language);
    // "Easter Saturday" asks for nothing.
    let weekday = take_weekday(&mut rest, language).filter(|_| rest.contains(char::is_alphanumeric));
    // "How long before Christmas?"
    let is_before = asks_how_long && cut(&mut rest, "before", language);
    if names_other_day(&rest, language) || Question::new(&rest, language).has_digits() {
        return None;
    }
    let has_until = cut(&mut rest, "until", language) || is_before;
    let asks_for_date = cut(&mut rest, "asks", language);
    cut(&mut rest, "past", language);
    cut(&mut rest, "beside", language);
    let tokens = lexer::tokens(&rest, language);
    let is_small = |token: &Token| {
        let mut small = [Meaning::Glue, Meaning::Of, Meaning::Today].into_iter();
        period(token).is_some() || small.any(|meaning| token.is(meaning))
    };
    let has_others = !tokens.as_ref().is_some_and(|tokens| tokens.iter().all(is_small));
    let mut periods = tokens.iter().flatten().filter_map(period);
    if weekday.is_some() && (has_others || has_until || asks_for_date || periods.clone().next().is_some()) {
        return None;
    }
    let asks = match (periods.next(), periods.next()) {
        (None, _) if let Some(weekday) = weekday => Some(Asks::IsOn(weekday)),
        (Some(period), None) if has_until => Some(Asks::Until(period)),
        (None, _) if has_until && asks_how_long => Some(Asks::Until(Period::Days)),
        (None, _) if asks_for_date && !has_until => Some(Asks::Date),
        // "Which day of the month is it until ..."
        _ if asks_for_date => Some(Asks::Date).filter(|_| has_others),
        _ => None,
    };
    // Elsewhere numbers in words are words of their own.
    let has_numbers = match language {
        Language::Japanese | Language::Chinese | Language::Korean => has_others,
        _ => Question::new(&rest, language).has_number(),
    };
    (!has_numbers).then_some(Found {
        days,
        asks,
        has_until,
        has_others,
    })
}

/// Takes a day of the week out of a text, if it names one only and no other one.
fn take_weekday(rest: &mut String, language: Language) -> Option<Weekday> {
    let is_named = |weekday: &Weekday| names(*weekday, language).any(|name| find(rest, &name).is_some());
    let mut named = all_weekdays().filter(is_named);
    let (Some(weekday), None) = (named.next(), named.next()) else {
        return None;
    };
    for name in names(weekday, language) {
        cut_all(rest, &name);
    }
    Some(weekday)
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
        Some(found.days[0].rule.date(now().date())?.to_string())
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
            ("Wann ist Muttertag?", German, "2027-05-09"),
            ("Quando è la festa della mamma?", Italian, "2027-05-09"),
            ("Quando é o Dia das Mães em 2027?", Portuguese, "2027-05-09"),
            ("Quando é o Dia da Mãe em 2027?", Portuguese, "2027-05-02"),
            ("母の日はいつですか？", Japanese, "2027-05-09"),
            ("明年母亲节是几月几号？", Chinese, "2027-05-09"),
            ("When is Chinese New Year?", English, "2027-02-06"),
            ("春节是几月几号？", Chinese, "2027-02-06"),
            ("明年中秋节是哪一天？", Chinese, "2027-09-15"),
            ("설날은 언제야?", Korean, "2027-02-07"),
            ("When is Mother's Day in the UK?", English, "2027-03-07"),
            ("When is Mother's Day in the US in 2027?", English, "2027-05-09"),
            ("When do the clocks go forward in the UK?", English, "2027-03-28"),
            (
                "when does daylight savings time end in the US in 2027",
                English,
                "2027-11-07",
            ),
            ("Wann beginnt die Sommerzeit?", German, "2027-03-28"),
            ("Wann ist die Zeitumstellung?", German, "2027-03-28, 2027-10-31"),
            (
                "C'est quand le changement d'heure en France ?",
                French,
                "2027-03-28, 2027-10-31",
            ),
            ("Quando torna l'ora legale?", Italian, "2027-03-28"),
            ("when is canadian thanksgiving", English, "2027-10-11"),
            ("When was Thanksgiving in the USA in 2019?", English, "2019-11-28"),
            ("what date is black friday this year", English, "2026-11-27"),
            ("When is Labor Day?", English, "2027-09-06"),
            ("When is Victoria Day?", English, "2027-05-24"),
            ("¿Cuándo es el Día de la Madre en España?", Spanish, "2027-05-02"),
            ("¿Cuándo es el Día de la Madre en México?", Spanish, "2027-05-10"),
            ("¿Cuándo es el Black Friday?", Spanish, "2026-11-27"),
            ("C'est quand la fête des mères en France ?", French, "2027-05-30"),
            ("Wann ist der erste Advent?", German, "2026-11-29"),
            ("Wann ist der 4. Advent?", German, "2026-12-20"),
            ("Wann ist Vatertag in Österreich?", German, "2027-06-13"),
            ("Quando è la festa del papà?", Italian, "2027-03-19"),
            ("Quando é o Dia dos Namorados no Brasil?", Portuguese, "2027-06-12"),
            ("Когда День матери?", Russian, "2026-11-29"),
            ("Когда Чёрная пятница?", Russian, "2026-11-27"),
            ("来年の敬老の日はいつですか？", Japanese, "2027-09-20"),
            ("今年的感恩节是几月几号？", Chinese, "2026-11-26"),
            ("블랙프라이데이는 언제야?", Korean, "2026-11-27"),
            ("متى عيد الأم في مصر؟", Arabic, "2027-03-21"),
            ("متى عيد الأم في المغرب؟", Arabic, "2027-05-30"),
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
            ("离春节还有多少天啊", Chinese, "72"),
            ("추석까지 며칠 남았어?", Korean, "293"),
            ("こどもの日まであと何日ある?", Japanese, "160"),
            ("距离元旦还有几天？", Chinese, "36"),
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
    fn days_of_one_date_are_counted_to_without_a_word_for_days() {
        for (question, language, days) in [
            ("How long until Christmas?", English, "29"),
            ("how many days before christmas", English, "29"),
            ("How many days till new year's eve?", English, "35"),
            ("wie lange noch bis Weihnachten?", German, "29"),
            ("Wie lange dauert es bis Silvester?", German, "35"),
            ("combien de temps avant Noël ?", French, "29"),
            ("¿Cuánto falta para Navidad?", Spanish, "29"),
            ("Quanto manca a Natale?", Italian, "29"),
            ("Quanto falta para o Natal?", Portuguese, "29"),
            ("Сколько осталось до Нового года?", Russian, "36"),
            ("クリスマスまであとどのくらい？", Japanese, "29"),
            ("离圣诞节还有多久？", Chinese, "29"),
            ("크리스마스까지 얼마나 남았어?", Korean, "29"),
            ("क्रिसमस तक कितने दिन हैं?", Hindi, "29"),
        ] {
            let value = answer(question, language, Some(now())).map(|computed| computed.value);
            assert_eq!(value.as_deref(), Some(days), "{question}");
        }
        for (question, language, date) in [
            ("what day is christmas this year", English, "2026-12-25"),
            ("When is Christmas Eve?", English, "2026-12-24"),
            ("What day was Christmas 2020?", English, "2020-12-25"),
            ("An welchem Tag ist dieses Jahr Silvester?", German, "2026-12-31"),
            ("Que dia da semana é Natal este ano?", Portuguese, "2026-12-25"),
            ("Auf welchen Wochentag fällt Weihnachten 2027?", German, "2027-12-25"),
            ("¿Qué día de la semana es Navidad?", Spanish, "2026-12-25"),
            ("クリスマスは何曜日ですか？", Japanese, "2026-12-25"),
            ("今年圣诞节是星期几？", Chinese, "2026-12-25"),
            ("今年圣诞节是哪一天？", Chinese, "2026-12-25"),
        ] {
            let value = answer(question, language, Some(now())).map(|computed| computed.value);
            assert_eq!(value.as_deref(), Some(date), "{question}");
        }
        for (question, language, expected) in [
            (
                "Is Christmas on a Friday this year?",
                English,
                "Friday, 25 December 2026: yes",
            ),
            (
                "does halloween fall on a friday",
                English,
                "Sunday, 31 October 2027: no",
            ),
            (
                "Fällt Weihnachten 2027 auf einen Sonntag?",
                German,
                "Samstag, 25. Dezember 2027: nein",
            ),
            (
                "¿Navidad cae en viernes?",
                Spanish,
                "viernes, 25 de diciembre de 2026: sí",
            ),
        ] {
            let answer = answer(question, language, Some(now())).map(|computed| computed.answer);
            assert_eq!(answer.as_deref(), Some(expected), "{question}");
        }
        for other in [
            "Is the Friday before Christmas a holiday?",
            "Easter Saturday",
            "Is there a market on the first Friday of Christmas?",
            "What is the day before Christmas?",
            "When is Christmas in Russia?",
            "How many shopping days until Christmas?",
            "How many days before Christmas is Halloween?",
            "Who wrote A Christmas Carol?",
            "How much does it cost to get to Christmas Island?",
        ] {
            assert!(answer(other, English, Some(now())).is_none(), "{other}");
        }
    }

    #[test]
    fn days_that_countries_keep_apart_are_told_for_each() {
        let answer = |question, language| answer(question, language, Some(now())).map(|computed| computed.answer);
        assert_eq!(
            answer("When is Thanksgiving in 2027?", English).as_deref(),
            Some("Canada: Monday, 11 October 2027; United States: Thursday, 25 November 2027")
        );
        assert_eq!(
            answer("How many days until Mother's Day?", English).as_deref(),
            Some(
                "United Kingdom, Ireland: 26 November 2026 → 7 March 2027: 101 days; \
                 United States, Canada, Australia, New Zealand, India: 26 November 2026 → 9 May 2027: 164 days"
            )
        );
        assert_eq!(
            answer("Wann ist Vatertag 2027?", German).as_deref(),
            Some(
                "Deutschland: Donnerstag, 6. Mai 2027; Schweiz: Sonntag, 6. Juni 2027; Österreich: Sonntag, 13. Juni 2027"
            )
        );
        // Not of that country, as far as is known.
        assert_eq!(answer("When is Thanksgiving in Germany?", English), None);
        assert_eq!(answer("When was Labor Day in 1850?", English), None);
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
        let question = "We pay rent on the last Friday of each month. When is the last Friday of February?";
        assert_eq!(date_of(question, English).as_deref(), Some("2027-02-26"));
        assert!(only(&Question::new(question, English), "date last friday").is_some());
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
