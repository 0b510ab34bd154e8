//! Confirmation that sentences of a document answer a question, by a model that sees nothing but these.
//!
//! With whole passages before them, small models confirm whatever is near, and with the proposed answer more than without it.
//! The schema of the reply stands in the instructions, too: held to it alone, Qwen2.5-Coder-1.5B said yes to everything.

use quartet_grounding::sanitize;
use quartet_llm_client::{Role, Turn};

/// The schema of the reply.
pub(super) const SCHEMA: &str = r#"{"type":"object","properties":{"answered":{"enum":["yes","no"]}},"required":["answered"],"additionalProperties":false}"#;

/// Limit in tokens for the reply.
pub(super) const MAX_TOKENS: u32 = 12;

/// Probability from which on an answer is confirmed.
///
/// Measured with Qwen2.5-Coder-1.5B, in percent of the sentences that answer and of those that do not:
///
/// | | from 0.4 on | from 0.5 on |
/// |---|---|---|
/// | XQuAD in three languages, open half: 19 and 9 that come nearest to what the article does not say | 89, 0 | 84, 0 |
/// | the same, frozen half: 17 and 9 | 76, 0 | 65, 0 |
/// | plain questions about notices, rules and letters: 32 and 25 | 72, 8 | 62, 4 |
/// | what was cited for questions of SQuAD 2.0, half of which were written to mislead: 37 and 48 | 84, 27 (from 0.45) | 81, 21 |
const MIN_PROBABILITY: f32 = 0.4;

/// Probability from which on a sentence answers although the model saw no answer among all passages.
const SURE_PROBABILITY: f32 = 0.85;

/// Probability from which on a sentence may answer, though it does not count as an answer. Below it, the document is told not to say.
///
/// Of 54 sentences that answer a plain question about nine notices, bills and letters in eight languages, 87 % have 0.1 or more, and
/// 65 % have 0.2 or more; of 252 others of the same documents 12 and 4 %.
const POSSIBLE_PROBABILITY: f32 = 0.1;

/// Probability from which on a sentence is taken that is likelier than all others by far, and how many times as likely it is: a small
/// model is timid about some questions, of all sentences alike. Of the sentences that answer above, 52 are likelier than each of four
/// others.
const LIKELIEST_PROBABILITY: f32 = 0.2;
const TIMES_LIKELIER: f32 = 3.0;

/// Probability from which on a sentence is taken before others are looked at.
const LIKELY_PROBABILITY: f32 = 0.7;

/// Bound to the confidence in an answer that there was no time to confirm.
const UNCONFIRMED_CONFIDENCE: f32 = 0.5;

const INSTRUCTIONS: &str = "You check whether a passage answers a question. Reply with JSON. Say \"yes\" only if the passage says \
exactly what is asked: of the same person, thing, place, time and relation. If the question names somebody or something else, \
turns the matter round, or asks for something that the passage does not give, say \"no\".\n\nReply with one JSON document of this \
JSON Schema: ";

pub(super) const YES: &str = r#"{"answered": "yes"}"#;
pub(super) const NO: &str = r#"{"answered": "no"}"#;

/// Passages, questions and replies that show the ways to be near: the opposite, something else of the same kind, another
/// amount in another language, and a relation that is turned round.
const EXAMPLES: [(&str, &str, &str); 7] = [
    (
        "The bridge over the Lenn was opened by Mayor Holt in 1931.",
        "When was the bridge closed?",
        NO,
    ),
    (
        "The library of Arden has 40,000 books, most of them in English.",
        "How many books does the library of Holm have?",
        NO,
    ),
    (
        "The library of Arden has 40,000 books, most of them in English.",
        "What language are most of Arden's books written in?",
        YES,
    ),
    (
        "At the end of the year the fund held 900 crowns.",
        "Wie hoch war die Miete?",
        NO,
    ),
    (
        "El museo cierra los lunes.",
        "On which day can one not visit the museum?",
        YES,
    ),
    (
        "Frost weakens the shell of the beetle, which warmth makes strong.",
        "What does cold strengthen?",
        NO,
    ),
    (
        "The society, founded by Ada Reed's brother, met every week.",
        "How often did the society meet?",
        YES,
    ),
];

/// Outcome of asking a model to confirm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Confirmation {
    /// There was nobody to ask, or no need.
    NotAsked,
    /// There was no time to ask.
    NoTime,
    /// Its word, from a provider that tells no probabilities.
    Word(bool),
    /// Probability of a yes, from 0 to 1.
    Probability(f32),
}

impl Confirmation {
    /// Reads a reply, with its probability where the provider tells one.
    pub fn of(reply: &str, probability: Option<f32>) -> Self {
        let confirmed = !reply.contains("no");
        match probability {
            None => Self::Word(confirmed),
            Some(probability) if confirmed => Self::Probability(probability),
            Some(probability) => Self::Probability(1.0 - probability),
        }
    }

    /// Returns true if an answer stands; also where nobody could be asked.
    pub fn is_enough(self) -> bool {
        match self {
            Self::NotAsked | Self::NoTime => true,
            Self::Word(confirmed) => confirmed,
            Self::Probability(probability) => probability >= MIN_PROBABILITY,
        }
    }

    /// Returns true if the sentences may answer, though that is not confirmed; also where nobody could be asked.
    pub fn is_possible(self) -> bool {
        match self {
            Self::NotAsked | Self::NoTime => true,
            Self::Word(_) => false,
            Self::Probability(probability) => probability >= POSSIBLE_PROBABILITY,
        }
    }

    /// The probability that the sentences answer; 0 where it is not known.
    pub fn probability(self) -> f32 {
        match self {
            Self::Probability(probability) => probability,
            Self::NotAsked | Self::NoTime | Self::Word(_) => 0.0,
        }
    }

    /// Returns true if there was an answer.
    pub fn is_asked(self) -> bool {
        !matches!(self, Self::NotAsked | Self::NoTime)
    }

    /// Returns true if it is a word without a probability.
    pub fn is_word(self) -> bool {
        matches!(self, Self::Word(_))
    }

    /// Returns true if no other sentence needs to be asked about.
    pub fn is_likely(self) -> bool {
        match self {
            Self::Word(confirmed) => confirmed,
            Self::Probability(probability) => probability >= LIKELY_PROBABILITY,
            Self::NotAsked | Self::NoTime => false,
        }
    }

    /// Returns true if it says more for a sentence than another one for another.
    pub fn is_more_than(self, other: Self) -> bool {
        match (self, other) {
            (Self::Word(confirmed), Self::Word(other)) => confirmed && !other,
            _ => self.probability() > other.probability(),
        }
    }

    /// Returns true if a sentence is so much likelier to answer than another one that it does.
    pub fn is_likelier_by_far(self, other: Self) -> bool {
        let odds = |probability: f32| probability / (1.0 - probability).max(f32::EPSILON);
        match (self, other) {
            (Self::Probability(probability), Self::Probability(other)) => {
                probability >= LIKELIEST_PROBABILITY && odds(probability) >= TIMES_LIKELIER * odds(other)
            }
            _ => false,
        }
    }

    /// Returns true if it outweighs a refusal.
    pub fn is_sure(self) -> bool {
        matches!(self, Self::Probability(probability) if probability >= SURE_PROBABILITY)
    }

    /// The bound that it sets to the confidence in an answer.
    pub fn confidence(self) -> f32 {
        match self {
            Self::Probability(probability) => probability,
            Self::NoTime => UNCONFIRMED_CONFIDENCE,
            Self::NotAsked | Self::Word(_) => 1.0,
        }
    }
}

/// The conversation in which a model confirms. What stays the same comes first.
pub(super) fn turns(question: &str, quotes: &[&str]) -> Vec<Turn> {
    let mut turns = vec![Turn::new(Role::System, format!("{INSTRUCTIONS}{SCHEMA}"))];
    for (passage, question, reply) in EXAMPLES {
        turns.push(Turn::new(Role::User, task(passage, question)));
        turns.push(Turn::new(Role::Assistant, reply));
    }
    turns.push(Turn::new(
        Role::User,
        task(&sanitize(&quotes.join(" ")), &sanitize(question)),
    ));
    turns
}

fn task(passage: &str, question: &str) -> String {
    format!("Passage: {passage}\nQuestion: {question}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_counts_by_its_probability() {
        let likely = Confirmation::of(YES, Some(0.9));
        assert!(likely.is_enough() && likely.is_sure());
        let unsure = Confirmation::of(NO, Some(0.55));
        assert!(unsure.is_enough() && !unsure.is_sure());
        let doubtful = Confirmation::of(NO, Some(0.7));
        assert!(!doubtful.is_enough() && doubtful.is_possible());
        assert!(!Confirmation::of(NO, Some(0.95)).is_possible() && !Confirmation::of(NO, None).is_possible());
        assert!(doubtful.is_likelier_by_far(Confirmation::of(NO, Some(0.9))));
        assert!(
            !unsure.is_likelier_by_far(doubtful)
                && !Confirmation::of(NO, Some(0.85)).is_likelier_by_far(Confirmation::of(NO, Some(0.99)))
        );
        // The word of a server is enough, and outweighs nothing.
        let word = Confirmation::of(YES, None);
        assert!(word.is_enough() && !word.is_sure() && !Confirmation::of(NO, None).is_enough());
        let nobody = Confirmation::NotAsked;
        let late = Confirmation::NoTime;
        for unasked in [nobody, late] {
            assert!(unasked.is_enough() && unasked.is_possible() && !unasked.is_sure() && !unasked.is_asked());
            assert!(unasked.probability() == 0.0);
        }
        assert!(likely.is_likely() && !unsure.is_likely() && word.is_likely() && !late.is_likely());
        assert!(likely.is_more_than(unsure) && !doubtful.is_more_than(unsure));
        assert!(word.is_more_than(Confirmation::of(NO, None)) && !word.is_more_than(word));
        assert!(likely.is_asked() && word.is_asked() && late.confidence() < nobody.confidence());
    }
}
