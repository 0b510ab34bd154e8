//! Questions about today's weather, prices, scores and holders of offices: with the date before it, a small model makes up what is so
//! today. Asked whether a message is such a question, it knows.

use quartet_llm_client::{Finish, Role, Turn};

use super::Answering;

/// Probability from which on a message asks for something of today. Of 16 messages that do and 24 that do not, in eight languages,
/// all looked at, 14 and none have it.
const MIN_PROBABILITY: f32 = 0.65;
/// Tokens that a machine must read in a second for the person to wait for this.
const MIN_READING_SPEED: f32 = 20.0;
/// Limit in tokens for the reply.
const MAX_TOKENS: u32 = 12;
/// Limit in characters for a message that may be such a question: a longer one has something to work on.
const MAX_CHARS: usize = 160;

const INSTRUCTIONS: &str = "Say whether the message asks for something that is only known today: weather, prices, rates, scores, news, \
     or who holds an office now. What stays the same for years, texts to write, advice and talk are no.";

const SCHEMA: &str = r#"{"type":"object","properties":{"current":{"enum":["yes","no"]}},"required":["current"],"additionalProperties":false}"#;

/// Messages, and whether they ask for something of today.
const EXAMPLES: [(&str, bool); 18] = [
    ("what does a share of Siemens cost", true),
    ("Wer hat den Faust geschrieben?", false),
    ("Wie wird das Wetter morgen in Wien?", true),
    ("why does it rain", false),
    ("who is the mayor of London", true),
    ("write a short poem about the news", false),
    ("¿Quién fue el primer presidente de Chile?", false),
    ("Combien coûte l'essence ?", true),
    ("thanks, that helps", false),
    ("did Real Madrid win?", true),
    ("how do I cook rice", false),
    ("what is inflation", false),
    ("convert 50 pounds to dollars", true),
    ("When did the French Revolution begin?", false),
    ("how many people live in Spain", false),
    ("qui a gagné le match hier", true),
    ("capital of Poland", false),
    ("how deep is the Pacific", false),
];

impl Answering<'_> {
    /// Has the model judge whether the question is about something of today, where it tells how sure it is. A client's instructions
    /// may have told it what is so today.
    pub(super) fn asks_of_today(&mut self) -> bool {
        let question = self.question;
        let is_bare = question.instructions.is_none() && question.schema.is_none() && question.tools.is_none();
        let is_short = question.message.chars().count() <= MAX_CHARS;
        let model = self.context.model.info();
        let can_judge = model.is_ok_and(|model| {
            // Servers tell neither how fast they read nor how sure they are.
            model.schemas && model.reading_speed.is_some_and(|speed| speed >= MIN_READING_SPEED)
        });
        if !is_bare || !is_short || !can_judge {
            return false;
        }
        let mut turns = vec![Turn::new(Role::System, INSTRUCTIONS)];
        for (message, is_current) in EXAMPLES {
            turns.push(Turn::new(Role::User, message));
            turns.push(Turn::new(
                Role::Assistant,
                if is_current {
                    r#"{"current": "yes"}"#
                } else {
                    r#"{"current": "no"}"#
                },
            ));
        }
        turns.push(Turn::new(Role::User, question.message.as_str()));
        // A failure here is no answer to the person: the answer that follows has the same one.
        let Ok(written) = self.write(&turns, SCHEMA, MAX_TOKENS) else {
            return false;
        };
        let is_yes = written.text.contains("yes") && written.finish == Finish::Stop;
        is_yes
            && written
                .probability
                .is_some_and(|probability| probability >= MIN_PROBABILITY)
    }
}
