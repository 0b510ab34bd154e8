//! Questions whose form leaves one expression only, whatever the model wrote, if it took them for ones to compute.

use super::expression::Expression;
use super::question::Question;
use super::times::{self, Pair};
use super::{
    added, compounds, discounts, earlier_times, mending, periods, powers, rates, ruled_days, sides, temperatures,
    whole_dates, zone_times, zones,
};

/// The expression of such a question. What the model wrote may be wrong, or may have no end; its first word says what it took the
/// question for.
pub(super) fn certain(question: &Question, written: &str) -> Option<Expression> {
    let command = written.split(' ').next().unwrap_or_default();
    let certain = whole_dates::only(question).or_else(|| earlier_times::only(question));
    let certain = certain.or_else(|| ruled_days::only(question, written));
    certain.or_else(|| match command {
        "leap" => None,
        "date" => periods::only(question),
        "time" => zone_times::only(question),
        _ => mending::certain_conversion(question, command)
            .or_else(|| duration(question, written))
            .or_else(|| quantities(question)),
    })
}

/// What is done with the numbers and units of a question.
fn quantities(question: &Question) -> Option<Expression> {
    let forms = [
        sides::only,
        rates::only,
        temperatures::only,
        discounts::only,
        added::only,
        powers::only,
        compounds::only,
    ];
    forms.into_iter().find_map(|form| form(question))
}

/// The time between two times of day, if the question has no other number, and the model has read no break in it: "un'ora e un quarto".
fn duration(question: &Question, written: &str) -> Option<Expression> {
    let Some(Pair::Clear { from, to, places }) = times::pair(question) else {
        return None;
    };
    let within = |start: usize, end: usize| places.iter().any(|place| place.0 <= start && end <= place.1);
    let only = question.places().all(|(start, end, _)| within(start, end));
    let command = written.split(' ').next().unwrap_or_default();
    let has_break = command == "hours" && written.contains(" - ");
    let is_one = matches!(command, "hours" | "calc") && !has_break && only && zones::named(question).next().is_none();
    is_one.then(|| Expression::Duration {
        from,
        to,
        breaks: Vec::new(),
    })
}
