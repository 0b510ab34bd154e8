//! Paces: a distance and its time, one divided by the other, whatever word that is asked with: "8 km en 46 min, ritmo?". The quotient is a
//! speed, and on foot people say how long a kilometre or a mile takes.

use super::expression::Formula;
use super::measures::{self, Item};
use super::number;
use super::question::Question;
use super::term::Term;

/// Seconds that somebody on foot or on a bicycle takes for a kilometre or a mile.
const PACES: std::ops::RangeInclusive<f64> = 60.0..=3600.0;

/// The speed and the pace where a term divides the only distance and the only time of a question, which it says nothing else of.
pub(super) fn of(question: &Question, term: &Term) -> Option<Formula> {
    let Term::Binary('/', left, right) = term else {
        return None;
    };
    let items = measures::read(question)?;
    let (distance, time) = match &items[..] {
        [one, other] if one.dimension() == Some("length") => (one, other),
        [one, other] => (other, one),
        _ => return None,
    };
    if distance.dimension() != Some("length") || time.dimension() != Some("time") {
        return None;
    }
    let of_term = [left.as_number()?, right.as_number()?].map(number::canonical);
    let said = [distance.value.clone()?, time.value.clone()?];
    if said != of_term && [&said[1], &said[0]] != [&of_term[0], &of_term[1]] {
        return None;
    }
    let (speed, per) = match distance.unit()?.name {
        "mile" => ("mph", "mile"),
        "km" => ("km/h", "km"),
        "m" if time.unit()?.name == "second" => ("m/s", ""),
        _ => return None,
    };
    let unit = match pace(distance, time).filter(|_| !per.is_empty()) {
        Some(pace) => format!("{speed} ({pace} min/{per})"),
        None => speed.to_owned(),
    };
    Some(Formula {
        engine: format!(
            "({} {}) / ({} {}) to {speed}",
            said[0],
            distance.unit()?.name,
            said[1],
            time.unit()?.name
        ),
        shown: format!("{} ÷ {}", shown(question, distance)?, shown(question, time)?),
        unit,
    })
}

/// Minutes and seconds for one of the units of a distance; none where nobody counts so.
fn pace(distance: &Item, time: &Item) -> Option<String> {
    let seconds = match time.unit()?.name {
        "hour" => 3600.0,
        "minute" => 60.0,
        "second" => 1.0,
        _ => return None,
    };
    let number = |item: &Item| item.value.as_ref()?.parse::<f64>().ok();
    let pace = (number(time)? * seconds / number(distance)?).round();
    let is_pace = PACES.contains(&pace);
    is_pace.then(|| format!("{}:{:02}", (pace / 60.0).floor(), pace % 60.0))
}

/// A quantity as the question has it.
fn shown(question: &Question, item: &Item) -> Option<String> {
    let name = question.as_written(&question.text()[item.name.0..item.name.1]);
    let value = number::write(item.value.as_ref()?, question.language());
    Some(format!("{value} {name}"))
}

#[cfg(test)]
mod tests {
    use quartet_api::Language;

    use super::*;
    use crate::calculate::conversion;
    use crate::calculate::expression::{self, Expression};

    /// The answer to a message for which a quotient was written.
    fn answer(message: &str, quotient: &str, language: Language) -> Option<String> {
        let Some(Expression::Arithmetic(term)) = expression::parse(&format!("calc {quotient}")) else {
            panic!("{quotient}");
        };
        let formula = of(&Question::new(message, language), &term)?;
        Some(conversion::formula(&formula, language)?.answer)
    }

    #[test]
    fn a_distance_in_a_time_is_a_speed_whichever_is_divided() {
        let run = "corri 8 km en 46 min, ritmo?";
        for quotient in ["8 / 46", "46 / 8"] {
            let speed = answer(run, quotient, Language::Spanish);
            assert_eq!(speed.as_deref(), Some("8 km ÷ 46 min ≈ 10,43478 km/h (5:45 min/km)"));
        }
        let miles = answer("ran 3.1 miles in 28 minutes, pace?", "28 / 3.1", Language::English);
        assert_eq!(
            miles.as_deref(),
            Some("3.1 miles ÷ 28 minutes ≈ 6.642857 mph (9:02 min/mile)")
        );
        let sprint = answer("100 m in 12.5 seconds", "100 / 12.5", Language::English);
        assert_eq!(sprint.as_deref(), Some("100 m ÷ 12.5 seconds = 8 m/s"));
        let flight = answer("840 km in 1 hour", "840 / 1", Language::English);
        assert_eq!(flight.as_deref(), Some("840 km ÷ 1 hour = 840 km/h"));
    }

    #[test]
    fn what_is_said_beside_a_distance_and_a_time_is_not_theirs() {
        for (message, quotient) in [
            ("8 km in 46 min, how long for 10 km?", "46 / 8"),
            ("8 km in 46 min with 2 dogs", "8 / 2"),
            ("8 kg in 46 min", "8 / 46"),
            ("8 km in 46 min", "8 * 46"),
        ] {
            assert_eq!(answer(message, quotient, Language::English), None, "{message}");
        }
    }
}
