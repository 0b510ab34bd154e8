//! Questions about today's weather, prices, scores and holders of offices: with the date before it, a small model makes up what is so
//! today. Asked whether a message is such a question, it knows.

use quartet_llm_client::Judgement;

use super::{Answering, follow_up};

/// Probability from which on a message asks for something of today. Of 16 messages that do and 24 that do not, in eight languages,
/// all looked at, 14 and none had it, before the examples of a formula and of a sum for four were there.
const MIN_PROBABILITY: f32 = 0.65;

/// Limit in characters for a message that may be such a question: a longer one has something to work on.
const MAX_CHARS: usize = 160;

/// The same for what stands behind a colon: "shorten it: the meeting of 3 December has been moved …"
const MAX_CHARS_BEHIND_COLON: usize = 60;

const OF_TODAY: Judgement = Judgement {
    property: "current",
    instructions: "Say whether the message asks for something that is only known today: weather, prices, rates, scores, news, or who holds an \
        office now. What stays the same for years, texts to write, advice and talk are no.",
    examples: &EXAMPLES,
};

/// Messages, and whether they ask for something of today.
const EXAMPLES: [(&str, bool); 20] = [
    ("what does a share of Siemens cost", true),
    ("Wer hat den Faust geschrieben?", false),
    ("Wie wird das Wetter morgen in Wien?", true),
    ("why does it rain", false),
    ("who is the mayor of London", true),
    ("write a short poem about the news", false),
    ("¿Quién fue el primer presidente de Chile?", false),
    ("Combien coûte l'essence ?", true),
    ("thanks, that helps", false),
    ("sheets function to average the rows where column D is Open", false),
    ("did Real Madrid win?", true),
    ("how do I cook rice", false),
    ("what is inflation", false),
    ("convert 50 pounds to dollars", true),
    ("When did the French Revolution begin?", false),
    ("how many people live in Spain", false),
    ("what does it come to for four people?", false),
    ("qui a gagné le match hier", true),
    ("capital of Poland", false),
    ("how deep is the Pacific", false),
];

impl Answering<'_> {
    /// Has the model judge whether the question is about something of today, where it tells how sure it is. A client's instructions
    /// may have told it what is so today.
    pub(super) fn asks_of_today(&mut self) -> bool {
        let message = &self.question.message;
        let is_short = message.chars().count() <= MAX_CHARS && !has_text(message);
        // "And how much are two?" is about the amount that was computed.
        let goes_on = follow_up::goes_on_from_computed(&self.question.history);
        // "I cut my finger and it does not stop bleeding" is no news.
        is_short && !goes_on && self.judged(&OF_TODAY) >= MIN_PROBABILITY && !self.asks_of_health()
    }
}

/// Returns true if a message has a text to work on behind a colon.
fn has_text(message: &str) -> bool {
    let behind = message.split_once([':', '：']).map(|(_, behind)| behind);
    behind.is_some_and(|behind| behind.chars().count() > MAX_CHARS_BEHIND_COLON)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_behind_a_colon_is_no_question_of_today() {
        let text = "in one sentence: the meeting of 3 December was moved to 4 pm, because the room is being painted";
        assert!(has_text(text));
        assert!(!has_text("question: what is the weather in Paris?"));
        assert!(!has_text("who won at 15:30"));
    }
}
