//! What must be so under load, and whether it is.

use quartet_eval::closed::Outcome;
use quartet_eval::times::Times;

use crate::overload::Measured;

/// Milliseconds within which a refusal must come: who is refused loses no time by it.
const REFUSAL: f64 = 100.0;

/// Part of what can be carried that must be answered in overload.
const GOODPUT: f64 = 0.9;

/// All that was not as it must be.
#[derive(Debug, Default)]
pub struct Judgement(Vec<String>);

impl Judgement {
    /// Looks at the times of refusals.
    pub fn refusals(&mut self, operation: &str, refusals: &Times) {
        if let Some(time) = refusals.quantile(0.95).filter(|time| *time > REFUSAL) {
            self.0.push(format!(
                "{operation}: a refusal took {time:.0} ms (95th percentile), more than {REFUSAL} ms"
            ));
        }
    }

    /// Looks at what was neither answered nor refused.
    pub fn failures(&mut self, operation: &str, asked: &Outcome) {
        if let Some(first) = &asked.first_failure {
            self.0.push(format!(
                "{operation}: {} requests were neither answered nor refused; the first: {first}",
                asked.failed
            ));
        }
    }

    /// Looks at a measurement of overload.
    pub fn overload(&mut self, operation: &str, measured: &Measured) {
        let goodput = measured.goodput();
        // Where nothing was answered at all, it is no number.
        if goodput.is_nan() || goodput < GOODPUT {
            self.0.push(format!(
                "{operation}: in overload {:.0} % of what can be carried was answered, less than {:.0} %",
                100.0 * goodput,
                100.0 * GOODPUT
            ));
        }
        let name = format!("{operation}, overload");
        self.refusals(&name, &measured.asked.refusals);
        self.failures(&name, &measured.asked);
    }

    /// Prints it; true where all is as it must be.
    pub fn print(&self) -> bool {
        match self.0.is_empty() {
            true => {
                println!("Every request was answered or refused, refusals came in time, and overload cost no answers.")
            }
            false => println!("Not as it must be:\n\n- {}", self.0.join("\n- ")),
        }
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn slow_refusals_and_lost_answers_are_found() {
        let mut quick = Times::default();
        quick.record(Duration::from_millis(3));
        let mut judgement = Judgement::default();
        judgement.refusals("a", &quick);
        judgement.overload(
            "a",
            &Measured {
                carried: 60.0,
                answered: 57.0,
                ..Measured::default()
            },
        );
        assert!(judgement.print());
        quick.record(Duration::from_secs(5));
        judgement.refusals("a", &quick);
        judgement.overload(
            "a",
            &Measured {
                carried: 60.0,
                answered: 30.0,
                ..Measured::default()
            },
        );
        judgement.overload("a", &Measured::default());
        assert_eq!(judgement.0.len(), 3, "{judgement:?}");
    }
}
