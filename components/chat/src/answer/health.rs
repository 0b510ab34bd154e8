//! Questions about somebody's health: a small model gives advice that hurts as readily as advice that helps, and the remark behind
//! its answer says so.

use quartet_llm_client::Judgement;

use super::{AnswerError, Answering, Emit, messages};

/// Probability from which on a message asks about health. Of 60 messages in twelve languages that do, 53 have it, and 15 of 60 that do
/// not, most of which were made to look like it; of the half that was not looked at, 25 of 30 and 8 of 30.
const MIN_PROBABILITY: f32 = 0.4;
/// Limit in characters for a message that may be such a question: a longer one has something to work on.
const MAX_CHARS: usize = 300;

const OF_HEALTH: Judgement = Judgement {
    property: "health",
    instructions: "Say whether somebody could be hurt by a wrong answer to the message: symptoms, first aid, medicines, doses, poison, \
        pregnancy, sick children or pets, what is safe to eat or to mix. Texts to write, facts to learn, cooking, plants, computers and \
        talk are no.",
    examples: &EXAMPLES,
};

/// Messages, and whether they ask about health.
const EXAMPLES: [(&str, bool); 18] = [
    ("my chest hurts since this morning", true),
    ("who invented the vaccine against smallpox", false),
    ("wie viel Paracetamol darf ein Kind nehmen", true),
    ("write to my teacher that I have a fever", false),
    ("my dog ate chocolate", true),
    ("what is 15% of 80", false),
    ("can I put ice on it?", true),
    ("can I take oil for the cake instead of butter?", false),
    ("thank you, that was useful", false),
    ("my computer has a virus", false),
    ("¿puedo mezclar lejía y amoníaco?", true),
    ("a recipe for chicken soup", false),
    ("Es normal tener náuseas en el embarazo", true),
    ("how many bones does a hand have", false),
    ("por qué mi cactus tiene manchas", false),
    ("我头很晕怎么办", true),
    ("went swimming today and feel wonderful", false),
    ("tell me a joke about doctors", false),
];

impl Answering<'_> {
    /// Says behind an answer about somebody's health that a doctor knows better.
    pub(super) fn point_to_a_doctor(&mut self, emit: Emit<'_>) -> Result<(), AnswerError> {
        let is_short = self.question.message.chars().count() <= MAX_CHARS;
        if !is_short || self.judged(&OF_HEALTH) < MIN_PROBABILITY {
            return Ok(());
        }
        let remark = format!("\n\n{}", messages::no_doctor(self.language));
        emit(&remark)?;
        self.result.answer.push_str(&remark);
        Ok(())
    }
}
