//! Evidence: what an expression says must stand in the question, or follow from today's date.

use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;

use quartet_measures::units::{self, Unit};

use super::calendar;
use super::dates;
use super::departures;
use super::directions;
use super::expression::{Base, Day, Expression, Period, Shift};
use super::feasts;
use super::lexicon::{self, Row};
use super::parts;
use super::question::{Question, places};
use super::ruled_days;
use super::said::Said;
use super::sums;
use super::term::{Operation, Term};
use super::times::{self, Pair};
use super::{zone_times, zones};

/// Words that move a time to the afternoon.
const AFTERNOON: [&str; 12] = [
    "pm",
    "p.m",
    "p. m",
    "afternoon",
    "evening",
    "tarde",
    "soir",
    "abends",
    "午後",
    "下午",
    "오후",
    "مساء",
];

/// Returns true if the question bears out all that an expression says, and the expression uses all numbers of the question.
/// A number stands for one thing only. Where the model is sure of it, no word must say what is divided or taken off: nobody has a
/// table of all such words.
pub(super) fn bears_out(question: &Question, expression: &Expression, today: Option<Date>, is_sure: bool) -> bool {
    let said = match expression {
        Expression::Day(day) | Expression::Between { to: day, .. } if matches!(day.base, Base::Rule(_)) => {
            return true;
        }
        Expression::Arithmetic(term) => arithmetic(question, term, is_sure),
        Expression::Conversion { parts, to } => conversion(question, parts, to),
        Expression::Day(day) => {
            directions::is_on_its_side(question, day) && is_from_its_day(question, day) && days(question, &[day], today)
        }
        // "Which year is it?" asks for no period.
        Expression::Between { from, to, .. } if from == to => false,
        Expression::Between { period, from, to } => {
            if let Some(year) = anniversary(from, to) {
                let is_said = *period == Period::Years && question.number(&year.to_string()).is_some();
                return is_said && days(question, &[from], today) && question.is_used_up();
            }
            (names_period(question, *period) || *period == Period::Days && asks_how_long(question))
                && days(question, &[from, to], today)
        }
        Expression::Age { born } => {
            question.number(&born.to_string()).is_some() && names_period(question, Period::Years)
        }
        Expression::LeapYear(year) => {
            question.number(&year.to_string()).is_some() || today.is_some_and(|today| today.year() == *year)
        }
        Expression::Clock { time, from, shifts, to } => {
            if let (Some(_), Some((_, place))) = (from, zone_times::month(question)) {
                question.mark(place);
            }
            let half = lexicon::rows_of(Row::Value("0.5")).any(|word| question.has(word));
            let minutes = |part: &Shift| part.count.abs() == 30 && part.period == Period::Minutes;
            (!half || shifts.iter().any(minutes) || time.is_some_and(|time| time.minute() == 30))
                && time.map_or_else(
                    // "If it is noon in Lima, what time is it in Paris?" does not ask for the time now.
                    || times::mentions(question).is_empty(),
                    |time| names_time(question, time),
                )
                && shifts.iter().all(|part| shift(question, *part))
                && (time.is_none() || departures::are_possible(question, shifts))
                && [from, to]
                    .into_iter()
                    .flatten()
                    .all(|name| zone(question, name).is_some())
                && names_no_other_zone(question, from.as_deref(), to.as_deref())
                && (time.is_none() || is_of(question, from.as_deref(), to.as_deref()))
        }
        Expression::Duration { from, to, breaks } => {
            are_named(question, *from, *to) && breaks.iter().all(|part| shift(question, *part))
        }
        Expression::Notation(rewriting) => return rewriting.is_borne_out(question),
        // They were made of the question.
        Expression::Formula(_) => return true,
    };
    said && question.is_used_up()
}

/// The zone that a question names.
pub(super) fn zone(question: &Question, name: &str) -> Option<TimeZone> {
    zones::zone(name, question)
}

/// Returns true unless a place in another zone is named: "the time difference between Rome and Seoul" is no time in Rome.
fn names_no_other_zone(question: &Question, from: Option<&str>, to: Option<&str>) -> bool {
    let used: Vec<_> = from.into_iter().chain(to).collect();
    // A city that the table does not have is in a zone of its own name.
    zones::are_all(&used, question) || !used.is_empty() && zones::named(question).next().is_none()
}

/// Returns true unless a time is given in the zone that it is asked for in.
fn is_of(question: &Question, from: Option<&str>, to: Option<&str>) -> bool {
    let (Some(from), Some(to)) = (from, to) else {
        return true;
    };
    // A place that the table does not have has no distance.
    let are_known = [from, to].iter().all(|zone| !zones::names(zone, question).is_empty());
    !are_known || zones::given_in([from, to], question) == Some(from)
}

fn arithmetic(question: &Question, term: &Term, is_sure: bool) -> bool {
    // Numbers of times, dates and temperatures are not multiplied; what a speed is needs more than one unit.
    let measured = names_degrees_or_speed(question) && !sums::is_mean_of_temperatures(question, term);
    let measured = measured || names_amount_and_rate_of_data(question);
    if question.has_clock_time() || names_month(question) || measured || !sums::are_possible(question, term) {
        return false;
    }
    question.mark_numerators();
    if !has_all_parts(question, term) {
        return false;
    }
    let percentages = term.percentages();
    if !percentages.is_empty() && !is_asked_change(question, term) || term.is_tangled() {
        return false;
    }
    term.numbers()
        .into_iter()
        .all(|number| question.number(number).is_some())
        && percentages.iter().all(|number| question.is_percentage(number))
        && (percentages.is_empty() != question.has_percentage())
        && (!term.has_share() || (question.asks_for_percentage() || is_sure) && !is_share_of_rest(question, term))
        && !(term.operations().contains(&Operation::Division) && question.rates().next().is_some())
        && term.operations().into_iter().all(|operation| {
            // Interest is compounded without a word for a power.
            question.names(operation)
                || is_sure && matches!(operation, Operation::Division | Operation::Subtraction)
                || operation == Operation::Power && !percentages.is_empty()
                || operation == Operation::Subtraction && question.says(Said::Change)
        })
}

/// Returns true if a share is that of what was taken, where the question asks for what is left.
fn is_share_of_rest(question: &Question, term: &Term) -> bool {
    names_end(question) && !term.operations().contains(&Operation::Subtraction)
}

/// Words between a part and the number that it is of.
const OF: [&str; 17] = [
    "of the ", "of ", "de los ", "de las ", "de ", "des ", "du ", "von ", "der ", "di ", "dei ", "do ", "dos ", "от ",
    "из ", "के ", "का ",
];

/// Returns true if a term divides by all that the words for parts of a number say: "three quarters of 260" are no third of it. A
/// "cuarto" may be a room.
fn has_all_parts(question: &Question, term: &Term) -> bool {
    let numbers = term.numbers();
    let is_of_number = |after: &str| {
        let rest = OF.iter().find_map(|of| after.trim_start().strip_prefix(of));
        rest.is_some_and(|rest| {
            rest.trim_start_matches(['$', '€', '£'])
                .starts_with(|c: char| c.is_ascii_digit())
        })
    };
    // "三分之二" is no three halves.
    let is_turned = parts::in_signs(question).is_some_and(|fraction| {
        let (above, below) = (fraction.numerator.to_string(), fraction.denominator.to_string());
        let mut quotients = term.binaries().into_iter().filter(|(sign, ..)| *sign == '/');
        above != below
            && quotients.any(|(_, left, right)| left.as_number() == Some(&below) && right.as_number() == Some(&above))
    });
    let text = question.text();
    let mut parts = lexicon::parts(question.language())
        .filter(|(_, word)| places(text, word).any(|(_, end)| is_of_number(&text[end..])));
    !is_turned
        && parts.all(|(value, _)| {
            let is_quarter = |number: &&str| value == "4" && matches!(*number, "0.25" | "0.75");
            numbers.iter().any(|number| *number == value || is_quarter(number))
        })
}

/// Returns true if a term does to a sum with its percentages what the words of the question ask for, as far as they say it.
fn is_asked_change(question: &Question, term: &Term) -> bool {
    let (included, without) = (question.has_part(Row::Included), question.has_part(Row::Without));
    // What a price was before a tax that it has in it is no percentage of it; the other way round it is added.
    let taxed = match (included, without) {
        (true, true) if is_nearer(question, term, Row::Without, Row::Included) => term.only_adds_percentages(),
        (true, true) => term.undoes_percentage(),
        (true, false) => false,
        (false, true) => {
            term.undoes_percentage() || term.only_adds_percentages() || is_share_that_is_said(question, term)
        }
        (false, false) => !term.undoes_percentage(),
    };
    // A price cut is asked for as a price.
    taxed && (!question.has_part(Row::PriceCut) || term.changes_by_percentage())
}

/// Returns true if a word of one row stands nearer to the only number of a term that is no percentage than any of another: "税抜き2480円は
/// 税込いくら" has a price without its tax.
fn is_nearer(question: &Question, term: &Term, row: Row<'_>, other: Row<'_>) -> bool {
    let Some((start, end)) = only_amount(term).and_then(|amount| place_of(question, amount)) else {
        return false;
    };
    let text = question.text();
    let distance = |row| {
        let all = lexicon::rows_of(row).flat_map(|word| text.match_indices(word));
        let gaps = all.map(|(from, word)| match from < start {
            true => start.saturating_sub(from + word.len()),
            false => from.saturating_sub(end),
        });
        gaps.min()
    };
    match (distance(row), distance(other)) {
        (Some(own), Some(other)) => own < other,
        _ => false,
    }
}

/// Returns true for hundredths of an amount where the words between the two say so: "19% mwst auf 480 euro netto".
pub(super) fn is_share_that_is_said(question: &Question, term: &Term) -> bool {
    let [(sign, left, right)] = term.binaries()[..] else {
        return false;
    };
    let is_share = sign == '*' && (left.percentages().is_empty() != right.percentages().is_empty());
    let place = only_amount(term).and_then(|amount| place_of(question, amount));
    is_share
        && place.is_some_and(|(start, _)| {
            let before = question.text()[..start].trim_end_matches(['$', '€', '£', ' ']);
            let word = before.rsplit(' ').next().unwrap_or_default();
            OF.iter().any(|of| of.trim_end() == word) || ON.contains(&word)
        })
}

/// Words before the amount that hundredths are taken on.
const ON: [&str; 7] = ["on", "auf", "sur", "sobre", "su", "em", "на"];

/// The only number of a term that is no percentage.
fn only_amount(term: &Term) -> Option<&str> {
    let percentages = term.percentages();
    let mut amounts = term
        .numbers()
        .into_iter()
        .filter(|number| !percentages.contains(number));
    amounts.next().filter(|_| amounts.next().is_none())
}

/// The place of a number in digits.
fn place_of(question: &Question, number: &str) -> Option<(usize, usize)> {
    let all = question.places().filter(|(.., value)| *value == Some(number));
    all.map(|(start, end, _)| (start, end)).next()
}

/// Returns true for days or weeks between dates in a question that names them by their months.
pub(super) fn counts_between_dates(question: &Question, expression: &Expression) -> bool {
    let Expression::Between { period, .. } = expression else {
        return false;
    };
    let has_months = || {
        let mut names = (1..=12).flat_map(calendar::names_of_month);
        question.text().contains(['月', '월']) || names.any(|name| name.chars().count() > 2 && question.has(&name))
    };
    matches!(period, Period::Days | Period::Weeks) && question.has_number() && has_months()
}

/// Returns true if the question names a month, by a name that is no other word, as "sept" and "may" are.
fn names_month(question: &Question) -> bool {
    (1..=12).any(|month| {
        let names = calendar::names_of_month(month);
        names.iter().any(|name| name.chars().count() > 4 && question.has(name))
    })
}

/// Returns true if the question names a temperature or a speed, by a name that is no other word, as "F" and "nós" are.
pub(super) fn names_degrees_or_speed(question: &Question) -> bool {
    let of_these = |unit: &&Unit| unit.dimension == "temperature" || matches!(unit.name, "km/h" | "mph" | "m/s");
    let mut units = units::all().filter(of_these);
    units.any(|unit| {
        let names = units::names_of(unit).into_iter();
        names.filter(|name| name.len() > 1).any(|name| question.has(name))
    })
}

/// Returns true if the question names an amount of data and how much of it comes in a second: these are seldom of one unit, and six
/// gigabytes by 50 megabits are no seconds.
fn names_amount_and_rate_of_data(question: &Question) -> bool {
    const RATES: [&str; 8] = ["bit/s", "bits/s", "bps", "kb/s", "mb/s", "gb/s", "byte/s", "bytes/s"];
    let mut amounts = units::all().filter(|unit| unit.dimension == "data");
    RATES.iter().any(|rate| question.text().contains(rate)) && amounts.any(|unit| names_unit(question, unit))
}

/// Returns true if the question names a unit.
pub(super) fn names_unit(question: &Question, unit: &Unit) -> bool {
    units::names_of(unit).into_iter().any(|name| question.has(name))
}

fn conversion(question: &Question, parts: &[(String, &'static Unit)], to: &Unit) -> bool {
    let named = |unit: &Unit| names_unit(question, unit);
    if !named(to)
        || parts
            .iter()
            .any(|(_, unit)| unit.dimension != to.dimension || *unit == to)
    {
        return false;
    }
    // "A litre and a half" is not one litre.
    if question.says(Said::Half) && parts.iter().all(|(number, _)| !number.contains('.')) {
        return false;
    }
    parts.iter().all(|(number, unit)| {
        if !named(unit) {
            return false;
        }
        let size = number.trim_start_matches('-');
        match question.number(size) {
            Some(place) => {
                // The unit that follows a number is the number's.
                let follows = |unit: &Unit| {
                    let after = question.after(place);
                    let names = units::names_of(unit).into_iter();
                    names.filter(|name| after.starts_with(name)).map(str::len).max()
                };
                question.is_negative_at(place) == number.starts_with('-') && follows(to) <= follows(unit)
            }
            // "How many feet are in a mile?"
            None => number == "1" && parts.len() == 1,
        }
    })
}

pub(super) fn days(question: &Question, all: &[&Day], today: Option<Date>) -> bool {
    // A word such as "tomorrow" says what the expression must say.
    let relative: Vec<i64> = (-2..=2)
        .rev()
        .filter(|days| *days != 0 && is_relative(question, *days))
        .collect();
    let plain = |day: &Day| match (&day.base, &day.shifts[..]) {
        (
            Base::Today,
            [
                Shift {
                    count,
                    period: Period::Days,
                },
            ],
        ) if relative.contains(count) => Some(*count),
        _ => None,
    };
    let said: Vec<i64> = all.iter().filter_map(|day| plain(day)).collect();
    relative.iter().all(|days| said.contains(days))
        && all.iter().all(|day| agrees(question, day, today))
        && all.iter().all(|day| {
            plain(day).is_some()
                || base(question, &day.base, today) && day.shifts.iter().all(|part| shift(question, *part))
        })
}

/// Returns true unless a day is counted from today in a question that names another one: "45 days before Christmas".
fn is_from_its_day(question: &Question, day: &Day) -> bool {
    let is_counted = day.base == Base::Today && !day.shifts.is_empty();
    !is_counted || feasts::named(question).is_none()
}

/// Returns true if a weekday that the question names is the one of a day.
fn agrees(question: &Question, day: &Day, today: Option<Date>) -> bool {
    let (Some(today), false) = (today, matches!(day.base, Base::Weekday(..))) else {
        return true;
    };
    let Some(date) = dates::resolve(day, today) else {
        return false;
    };
    let named = Weekday::Monday
        .cycle_forward()
        .take(7)
        .filter(|weekday| calendar::whole_names_of_weekday(*weekday).any(|name| question.has(&name)));
    named
        .into_iter()
        .all(|weekday| weekday == date.weekday() || day.base == Base::Today && day.shifts.is_empty())
}

/// Returns true if the question has a word for a day so many days from today, and not only as a part of another one.
fn is_relative(question: &Question, days: i64) -> bool {
    let longer = if days.abs() == 1 { days * 2 } else { 0 };
    lexicon::rows_of(Row::Relative(days)).any(|word| question.has(word))
        && (longer == 0
            || !lexicon::rows_of(Row::Relative(longer)).any(|word| {
                question.has(word) && lexicon::rows_of(Row::Relative(days)).any(|part| word.contains(part))
            }))
}

fn base(question: &Question, base: &Base, today: Option<Date>) -> bool {
    match base {
        Base::Today => true,
        // "The last Friday of each month", "the second Monday"
        Base::Weekday(_, weekday) => {
            names_weekday(question, *weekday) && !ruled_days::has_ordinal(question) && !names_month(question)
        }
        // It was made of the question.
        Base::Rule(_) => true,
        Base::MonthEnd => {
            let mut named = (1..=12).filter(|month| {
                let names = calendar::names_of_month(*month);
                names.iter().any(|name| question.has(name))
            });
            let is_this = named.next().is_some_and(|month| Some(month) == today.map(Date::month));
            names_end(question) && (is_this || names_period(question, Period::Months)) && named.next().is_none()
        }
        Base::YearEnd => names_end(question) && names_period(question, Period::Years),
        Base::Yearly { month, day, .. } => day_of_year(question, *month, *day),
        Base::Date { year, month, day } => {
            // A year by itself is no day.
            (question.number(&year.to_string()).is_some() || today.is_some_and(|today| today.year() == *year))
                && day_of_year(question, *month, *day)
        }
    }
}

fn day_of_year(question: &Question, month: i8, day: i8) -> bool {
    let name = format!("{month:02}-{day:02}");
    if lexicon::rows_of(Row::On(&name)).any(|name| question.has(name)) {
        return true;
    }
    let named = calendar::names_of_month(month).iter().any(|name| question.has(name));
    if named && question.number(&day.to_string()).is_some() {
        return true;
    }
    // "How many days are left in November?"
    let is_last = Date::new(2024, month, day).is_ok_and(|date| date == date.last_of_month());
    if is_last && names_end(question) && (named || (month, day) == (12, 31) && names_period(question, Period::Years)) {
        return true;
    }
    let in_digits = || !question.has_ambiguous_date() && question.number(&month.to_string()).is_some();
    question.number(&day.to_string()).is_some() && (named || in_digits())
}

/// Returns true if the question has a word for the end of a period, or for what is left of it.
pub(super) fn names_end(question: &Question) -> bool {
    question.has_part(Row::End)
}

fn names_weekday(question: &Question, weekday: Weekday) -> bool {
    calendar::names_of_weekday(weekday)
        .iter()
        .any(|name| question.has(name))
}

/// Returns true if the question names a period.
pub(super) fn names_period(question: &Question, period: Period) -> bool {
    let name = match period {
        Period::Minutes => "minute",
        Period::Hours => "hour",
        Period::Days => "day",
        Period::Weeks => "week",
        Period::Months => "month",
        Period::Years => "year",
    };
    let unit = units::named(name);
    // An age is asked for without its unit, too.
    unit.is_some_and(|unit| units::names_of(unit).into_iter().any(|name| question.has(name)))
        || period == Period::Years && lexicon::rows_of(Row::Ages).any(|word| question.has(word))
}

/// Returns true if a question asks how long something is without a period to count it in, so that it is counted in days.
fn asks_how_long(question: &Question) -> bool {
    let all = [
        Period::Minutes,
        Period::Hours,
        Period::Weeks,
        Period::Months,
        Period::Years,
    ];
    question.says(Said::HowLong) && !all.into_iter().any(|period| names_period(question, period))
}

pub(super) fn shift(question: &Question, shift: Shift) -> bool {
    let count = shift.count.unsigned_abs();
    // "Two weeks ago" are 14 days.
    let weeks =
        count > 0 && count.is_multiple_of(7) && shift.period == Period::Days && names_period(question, Period::Weeks);
    if weeks && (question.number(&(count / 7).to_string()).is_some() || count == 7) {
        return true;
    }
    let said = question.number(&count.to_string()).is_some()
        // "and a half" of an hour, and "in a week".
        || count == 30 && shift.period == Period::Minutes && question.number("0.5").is_some()
        || count == 1;
    // "2h35" names both.
    said && (names_period(question, shift.period)
        || count == 30 && names_period(question, Period::Hours)
        || shift.period.is_of_clock() && question.has_hour_sign())
}

/// Year of the day in which so many whole years are over: "born on 15 March 1998, how old in 2040?"
fn anniversary(from: &Day, to: &Day) -> Option<i16> {
    match (&from.base, &to.base) {
        (
            Base::Date { month, day, year },
            Base::Date {
                month: same_month,
                day: same_day,
                year: later,
            },
        ) if (month, day) == (same_month, same_day)
            && year < later
            && from.shifts.is_empty()
            && to.shifts.is_empty() =>
        {
            Some(*later)
        }
        _ => None,
    }
}

/// Returns true if the question has two times of which one follows the other, and says which half of the day each is in.
fn are_named(question: &Question, from: Time, to: Time) -> bool {
    match times::pair(question) {
        Some(Pair::Clear {
            from: first,
            to: last,
            places,
        }) => {
            places.into_iter().for_each(|place| question.mark(place));
            (from, to) == (first, last)
        }
        Some(Pair::Unclear) => false,
        // Hours up to twelve that go back may be in the other half of the day.
        None => {
            (from < to || from.hour() > 12 || to.hour() > 12) && names_time(question, from) && names_time(question, to)
        }
    }
}

pub(super) fn names_time(question: &Question, time: Time) -> bool {
    if let Some(place) = times::place(question, time) {
        question.mark(place);
        return true;
    }
    if times::contradict(question, time) {
        return false;
    }
    let (hour, minute) = (time.hour(), time.minute());
    let afternoon = AFTERNOON.iter().any(|word| question.has(word));
    if question.decimal_time(hour, minute) || afternoon && hour > 12 && question.decimal_time(hour - 12, minute) {
        return true;
    }
    let said = question.number(&hour.to_string()).is_some()
        || hour > 12 && afternoon && question.number(&(hour - 12).to_string()).is_some()
        || hour == 0 && question.number("12").is_some();
    // "17:00" says its minutes, "5 pm" does not.
    let minutes = question.number(&minute.to_string()).is_some();
    let half = minute == 30 && lexicon::rows_of(Row::Value("0.5")).any(|word| question.has(word));
    said && (minutes || half || minute == 0)
}
