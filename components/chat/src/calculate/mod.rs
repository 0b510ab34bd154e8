//! Arithmetic, units, dates and times: computed, never guessed.
//!
//! [`answer`] computes what is certain: questions of nothing but numbers, units and words that are known (`lexicon`, `lexer`), and some
//! forms of them (`plain`).
//! All others [`understand`] shows to the language model, which writes them in a small typed language (`expression`, `term`)
//! and computes nothing. Where the form of a question leaves one expression only (`forms`), it is that one. What it writes must be borne out by the question (`question`, `evidence`): every number, unit, date
//! and zone, and no number may be left over. Then engines compute it. What is computed says how it was understood: the
//! expression stands beside the result.

mod added;
mod amounts;
mod arithmetic;
mod auxiliaries;
mod calendar;
mod cities;
mod claims;
mod compounds;
mod computed;
mod conversation_sums;
mod conversion;
mod dates;
mod day_rule;
mod departures;
mod digits;
mod directions;
mod discounts;
mod earlier_times;
mod engine;
mod evidence;
mod expression;
mod feasts;
mod forms;
mod grammar;
mod lexer;
mod lexicon;
mod means;
mod measures;
mod mending;
mod messages;
mod notations;
mod number;
mod paces;
mod parts;
mod periods;
mod plain;
mod powers;
mod question;
mod rate_changes;
mod rates;
mod ruled_day_words;
mod ruled_days;
mod said;
mod shown;
mod sides;
mod sums;
mod temperatures;
mod term;
mod times;
mod today;
mod understanding;
mod variation;
mod whole_dates;
mod written;
mod zone_times;
mod zones;

#[cfg(test)]
mod form_tests;
#[cfg(test)]
mod mending_tests;
#[cfg(test)]
mod tests;

use jiff::civil::DateTime;
use quartet_api::Language;
use quartet_llm_client::{LanguageModel, Outcome};
use quartet_measures::units;
use quartet_text_analysis::sentence::sentences;

pub use claims::wrong_claims;
pub use computed::Computed;
pub use conversation_sums::{Asked, ConversationSum, conversation_sum};
pub use variation::{SIGNS, Varied, vary, vary_rate};

use amounts::Around;
use expression::Expression;
use question::Question;
use said::Said;
use term::Term;

/// Limit in characters for a question: a long text is not one question about numbers.
const MAX_QUESTION_CHARACTERS: usize = 240;

/// Limit in characters for a question whose language may be another one than it seems to be: "quanto manca a ferragosto?"
const MAX_UNCERTAIN_CHARACTERS: usize = 40;

/// Probability that the model gives an expression of which it is sure. Of six sums of everyday questions that had each number once and
/// lacked only a word for what is done with them, the four above it were right, and one of the two below.
const SURE: f32 = 0.3;

/// Probability of `none` below which a question that has a quantity and one other unit for it is converted all the same.
const SURE_OF_NONE: f32 = 0.9;

/// Reads the tables of words and messages. Otherwise that is done when they are first needed.
pub fn init() {
    for language in Language::ALL {
        lexicon::of(language);
        crate::messages::messages(language);
    }
}

/// Computes the answer to a question in `language`, if it is certain what it asks for. `now` is in UTC; without it questions
/// about today are not recognised.
#[must_use]
pub fn answer(question: &str, language: Language, now: Option<DateTime>) -> Option<Computed> {
    if question.chars().count() > MAX_QUESTION_CHARACTERS {
        return None;
    }
    let question = &*temperatures::with_degrees(question);
    let question = &*auxiliaries::without_numbers(question, language);
    let text = lexer::normalised(question);
    let ends_with_equals = question.trim_end_matches([' ', '?', '？']).ends_with('=');
    let sum_in = |spoken| {
        let tokens = lexer::tokens(&text, spoken)?;
        arithmetic::answer(&tokens, &text, ends_with_equals, language)
            .or_else(|| conversion::answer(&tokens, question, &text, language))
    };
    let date = || dates::answer(&lexer::tokens(&text, language)?, language, now);
    let ruled_day = || ruled_days::answer(question, language, now);
    let plain = || plain::answer(&Question::new(question, language), now);
    if let Some(computed) = sum_in(language).or_else(date).or_else(ruled_day).or_else(plain) {
        return Some(computed);
    }
    // The language of a short question is not certain: all that can read it must agree.
    let all = || Language::ALL.into_iter();
    agreed(all().filter_map(sum_in)).or_else(|| {
        let is_short = question.chars().count() <= MAX_UNCERTAIN_CHARACTERS;
        let ruled_day_in = |spoken| ruled_days::answer(question, spoken, now);
        agreed(all().filter(|_| is_short).filter_map(ruled_day_in))
    })
}

/// The result on which all readings agree.
fn agreed(mut readings: impl Iterator<Item = Computed>) -> Option<Computed> {
    let first = readings.next()?;
    readings.all(|other| other.value == first.value).then_some(first)
}

/// Outcome of showing a question to the model.
#[derive(Debug, Default, Clone)]
pub struct Understood {
    /// The result; none where there is nothing to compute, or the question does not bear out what the model wrote.
    pub computed: Option<Computed>,
    /// True if the model took it for a question whose answer depends on the day or the time at which it is asked, or for the days or
    /// weeks between dates: what is not computed there would be made up.
    pub asks_of_now: bool,
    /// True if the result is a sum of several operations that the model made of several sentences: its numbers are the
    /// question's, but something else may be to be done with them.
    pub is_loose: bool,
    /// True if the form of the question leaves this result only, whatever the model made of it.
    pub is_certain: bool,
    /// True if the model took it for one to compute, whether or not it could be; or had no time to say, and there is a number in it.
    pub asks_to_compute: bool,
    /// True if the model had no time to say what it takes it for.
    pub is_cut: bool,
    /// The name, in English, of a number that a sum lacks; none where none is known to.
    pub missing: Option<String>,
    /// Text that the model wrote; empty where it was not asked.
    pub written: String,
    /// Tokens of the model's work; none where it was not asked, or did not come to an end.
    pub outcome: Option<Outcome>,
}

/// Lets the model write a question as an expression and computes it, in at most so many milliseconds of the model. Questions
/// without a number, a unit or a word for a day or time are not shown to it: nothing in them could bear out an expression.
#[must_use]
pub fn understand(
    question: &str,
    language: Language,
    now: Option<DateTime>,
    model: &dyn LanguageModel,
    milliseconds: u32,
) -> Understood {
    if question.chars().count() > MAX_QUESTION_CHARACTERS {
        return Understood::default();
    }
    let question = &*auxiliaries::without_numbers(question, language);
    let read = Question::new(question, language);
    if !says_something(&read) {
        return Understood::default();
    }
    let in_digits = digits::with_digits(question, language);
    let schema = || grammar::schema(&Question::new(&in_digits, language));
    let understood = understanding::understand(&in_digits, schema, model, milliseconds);
    let is_cut = understood.is_cut();
    let probability = understood.outcome.and_then(|outcome| outcome.probability);
    let certain = match expression::is_begun(&understood.written) {
        true => forms::certain(&read, &understood.written),
        // "350 fahrenheit to celsius, for a recipe of my aunt"
        false if probability.is_some_and(|probability| probability < SURE_OF_NONE) => {
            let time = || read.says(Said::WhatTime).then(|| zone_times::only(&read))?;
            mending::certain_conversion(&read, "convert").or_else(time)
        }
        false => None,
    };
    let is_sure = probability.is_some_and(|probability| probability >= SURE);
    let is_certain = certain.is_some();
    let is_loose = !is_certain && is_loose(question, language, &understood);
    let expression = certain.or_else(|| Some(mending::mend(understood.expression?, &read)));
    let mut outcome = understood.outcome;
    let is_doubtful = expression
        .as_ref()
        .is_some_and(|expression| today::is_doubtful(expression, &read));
    let (is_asked, judged) = match is_doubtful {
        true => today::is_asked_for(question, model, milliseconds),
        false => (true, None),
    };
    outcome = outcome.map(|outcome| outcome.with_work_of(judged));
    // "In what year was Mozart born?" asks for a fact, whatever a small model makes of it.
    let asks_of_now = !read.has_only_years()
        && expression
            .as_ref()
            .is_some_and(|expression| expression.depends_on_now() || evidence::counts_between_dates(&read, expression));
    let computed = expression
        // A year may be that of two dates, where no number else stands for two things.
        .filter(|_| is_asked)
        .filter(|expression| {
            whole_dates::only(&read).as_ref() == Some(expression)
                || evidence::bears_out(&read, expression, now.map(DateTime::date), is_sure)
        })
        .and_then(|expression| compute(&expression, &read, now));
    let is_date = understood.written.starts_with("date ");
    Understood {
        asks_of_now,
        is_loose,
        is_certain,
        // "How tall is Mount Everest in meters?" asks for a fact, and so does "In what year did Apollo 11 land?"
        asks_to_compute: (expression::is_begun(&understood.written) || is_cut)
            && read.has_number()
            && !(is_date && read.has_only_named_numbers()),
        is_cut,
        missing: None,
        computed,
        written: understood.written,
        outcome,
    }
}

/// Returns true if a message has a number, a unit, a place, or a word for a day or a time, without which it asks for nothing but a sum.
#[must_use]
pub fn may_ask(message: &str, language: Language) -> bool {
    let read = Question::new(&auxiliaries::without_numbers(message, language), language);
    says_something(&read)
        || zones::named(&read).next().is_some()
        || units::all().any(|unit| evidence::names_unit(&read, unit))
}

/// Returns true if an answer shows a sum and what it comes to.
#[must_use]
pub fn shows_sum(answer: &str, language: Language) -> bool {
    shown::term_of(answer, language).is_some()
}

fn says_something(read: &Question) -> bool {
    read.has_anything() || ruled_days::is_named(read) || notations::has_roman(read)
}

/// Returns true if a model made one sum of several sentences: with several operations, or of numbers that stand in more than one
/// of them, unless a percentage says what is done with them ("The bill is $80. How much is a tip of 20 %?").
fn is_loose(question: &str, language: Language, understood: &understanding::Understood) -> bool {
    let is_sum = matches!(understood.expression, Some(Expression::Arithmetic(_)));
    let operations = understood.written.matches(['+', '-', '*', '/']).count();
    let sentences = sentences(question, language);
    let with_numbers = sentences
        .iter()
        .filter(|sentence| Question::new(sentence, language).has_number());
    let is_of_several = with_numbers.count() > 1 && !understood.written.contains('%');
    is_sum && sentences.len() > 1 && (operations > 1 || is_of_several)
}

fn compute(expression: &Expression, question: &Question, now: Option<DateTime>) -> Option<Computed> {
    let language = question.language();
    let today = now.map(DateTime::date);
    let name = |unit| {
        let names = units::names_of(unit).into_iter();
        let longest = names.filter(|name| question.has(name)).max_by_key(|name| name.len())?;
        Some(question.as_written(longest))
    };
    match expression {
        Expression::Arithmetic(term) => {
            let shown = number::write(&term.shown(), language);
            let around = match term {
                Term::Share(..) | Term::Change(..) => Around::percentage(),
                term => amounts::around(question, term),
            };
            // Change, or what is left, is none of it below nothing: the model took it off the wrong way round.
            arithmetic::computed(&term.for_engine(), &shown, &around, language)
                .filter(|computed| !computed.value.starts_with('-') || question.has_minus())
        }
        Expression::Conversion { parts, to } => {
            let parts: Option<Vec<_>> = parts
                .iter()
                .map(|(number, unit)| Some((number.clone(), *unit, name(unit)?)))
                .collect();
            conversion::convert(&parts?, (to, name(to)?), language)
        }
        Expression::Day(day) => {
            let computed = dates::day(day, today?, language)?;
            Some(match directions::asks_for_end(question, day) {
                true => dates::with_last_day(computed, day, today?, language)?,
                false => computed,
            })
        }
        Expression::Formula(formula) => conversion::formula(formula, language),
        Expression::Notation(rewriting) => conversion::notation(rewriting),
        Expression::Between { period, from, to } => dates::between(*period, from, to, today?, language),
        Expression::Age { born } => dates::age(*born, today?, language),
        Expression::LeapYear(year) => dates::leap_year(*year, language),
        Expression::Clock {
            time: None,
            from: None,
            shifts,
            to,
        } => {
            let shifted = shifts
                .iter()
                .try_fold(now?, |time, shift| dates::shifted(time, *shift))?;
            let zone = to.as_deref().and_then(|name| evidence::zone(question, name));
            let place = to.as_deref().map(|name| zones::shown(name, question));
            dates::clock(shifted, zone.as_ref(), &place.unwrap_or_default(), language)
        }
        Expression::Clock {
            time: Some(time),
            from: Some(from),
            shifts,
            to: Some(to),
        } if shifts.is_empty() => {
            let (begin, end) = (evidence::zone(question, from)?, evidence::zone(question, to)?);
            let places = [from, to].map(|name| zones::shown(name, question));
            let day = zone_times::day_in_month(question, today?);
            let (from, to) = ((&begin, places[0].as_str()), (&end, places[1].as_str()));
            dates::clock_elsewhere(*time, from, to, (now?, day), language)
        }
        Expression::Clock {
            time: Some(time),
            from: None,
            shifts,
            to: None,
        } => dates::clock_after(*time, shifts, language),
        Expression::Clock { .. } => None,
        Expression::Duration { from, to, breaks } => dates::duration(*from, *to, breaks, language),
    }
}
