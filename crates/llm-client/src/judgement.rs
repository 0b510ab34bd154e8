//! Yes or no about a message, from a model that is shown examples of both.
//!
//! A small model that is asked to choose among several kinds chooses badly; how sure it is of a yes tells messages of one kind from all
//! others well, so that what it decides is a probability above a bound that was measured.

use crate::model::{Finish, LanguageModel, Options, Outcome, Role, Turn};

/// A property that a message has or has not, as a model is asked about it.
#[derive(Debug, Clone, Copy)]
pub struct Judgement {
    /// The name of the property: a field of the reply.
    pub property: &'static str,
    /// The instructions to the model.
    pub instructions: &'static str,
    /// Messages, and whether they have the property.
    pub examples: &'static [(&'static str, bool)],
}

impl Judgement {
    /// Limit in tokens for the reply.
    pub const MAX_TOKENS: u32 = 12;

    /// The conversation in which a model judges a message. What stays the same comes first.
    #[must_use]
    pub fn turns(&self, message: &str) -> Vec<Turn> {
        let mut turns = vec![Turn::new(Role::System, self.instructions)];
        for (example, has_it) in self.examples {
            turns.push(Turn::new(Role::User, *example));
            turns.push(Turn::new(Role::Assistant, self.reply(*has_it)));
        }
        turns.push(Turn::new(Role::User, message));
        turns
    }

    /// Has a model judge a message, in at most so many milliseconds. Returns the probability of a yes, none where the model failed, was cut
    /// short or cannot tell, and the work.
    #[must_use]
    pub fn judge(&self, message: &str, model: &dyn LanguageModel, milliseconds: u32) -> (Option<f32>, Option<Outcome>) {
        let options = Options {
            max_tokens: Some(Self::MAX_TOKENS),
            max_milliseconds: Some(milliseconds),
            temperature: Some(0.0),
            seed: Some(1),
            json_schema: Some(self.schema()),
            ..Options::default()
        };
        let Ok(mut generation) = model.generate(self.turns(message), &options) else {
            return (None, None);
        };
        let mut written = String::new();
        while let Ok(Some(piece)) = generation.next() {
            written.push_str(&piece);
        }
        let outcome = generation.outcome();
        let whole = outcome.filter(|outcome| outcome.finish == Finish::Stop);
        let probability = whole.and_then(|outcome| Self::probability(&written, outcome.probability));
        (probability, outcome)
    }

    /// The JSON Schema of the reply.
    #[must_use]
    pub fn schema(&self) -> String {
        let name = self.property;
        format!(
            r#"{{"type":"object","properties":{{"{name}":{{"enum":["yes","no"]}}}},"required":["{name}"],"additionalProperties":false}}"#
        )
    }

    /// The reply that says whether a message has the property.
    #[must_use]
    pub fn reply(&self, has_it: bool) -> String {
        let word = if has_it { "yes" } else { "no" };
        format!(r#"{{"{}": "{word}"}}"#, self.property)
    }

    /// The probability of a yes, from 0 to 1, by a whole reply and how probable that is; none where the provider tells no probabilities.
    #[must_use]
    pub fn probability(written: &str, probability: Option<f32>) -> Option<f32> {
        probability.map(|probability| match Self::says_yes(written) {
            true => probability,
            false => 1.0 - probability,
        })
    }

    /// Returns true if a reply says yes.
    #[must_use]
    pub fn says_yes(written: &str) -> bool {
        written.contains(r#""yes""#)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WARM: Judgement = Judgement {
        property: "warm",
        instructions: "Say whether it is warm.",
        examples: &[("fire", true), ("yesterday's snow", false)],
    };

    #[test]
    fn a_message_comes_after_the_examples() {
        let turns = WARM.turns("soup");
        let texts: Vec<&str> = turns.iter().map(|turn| turn.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                WARM.instructions,
                "fire",
                r#"{"warm": "yes"}"#,
                "yesterday's snow",
                r#"{"warm": "no"}"#,
                "soup"
            ]
        );
    }

    #[test]
    fn a_reply_is_a_probability_of_yes() {
        let of = |has_it: bool, probability| Judgement::probability(&WARM.reply(has_it), probability);
        assert_eq!(of(true, Some(0.75)), Some(0.75));
        assert_eq!(of(false, Some(0.75)), Some(0.25));
        assert_eq!(of(true, None), None);
        assert!(Judgement::says_yes(&WARM.reply(true)) && !Judgement::says_yes(&WARM.reply(false)));
    }
}
