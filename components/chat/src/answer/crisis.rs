//! Messages of somebody who thinks of ending their life. A small model refuses to talk about it, or agrees; they get a text that was
//! written by people. What is said of others, as in questions of history, is left to the model.

use super::{AnswerError, Answering, Emit, messages};

/// Beginnings of phrases in which somebody says so of themselves, in the twelve languages.
const PHRASES: [&str; 81] = [
    "i want to die",
    "i wanna die",
    "kill myself",
    "killing myself",
    "end my life",
    "ending my life",
    "take my own life",
    "i don't want to live",
    "i dont want to live",
    "i do not want to live",
    "i don't want to be alive",
    "i am suicidal",
    "i'm suicidal",
    "im suicidal",
    "want to hurt myself",
    "want to harm myself",
    "quiero morirme",
    "quiero morir",
    "quiero matarme",
    "voy a matarme",
    "suicidarme",
    "quitarme la vida",
    "no quiero vivir",
    "no quiero seguir viviendo",
    "je veux mourir",
    "envie de mourir",
    "me suicider",
    "je veux me tuer",
    "envie de me tuer",
    "je ne veux plus vivre",
    "mettre fin à mes jours",
    "mettre fin à ma vie",
    "ich will sterben",
    "ich möchte sterben",
    "will nicht mehr leben",
    "möchte nicht mehr leben",
    "mich umbringen",
    "bringe mich um",
    "mir das leben nehmen",
    "selbstmordgedanken",
    "suizidgedanken",
    "voglio morire",
    "voglio uccidermi",
    "voglio ammazzarmi",
    "suicidarmi",
    "togliermi la vita",
    "non voglio più vivere",
    "quero morrer",
    "quero me matar",
    "vou me matar",
    "suicidar-me",
    "me suicidar",
    "tirar a minha vida",
    "tirar minha própria vida",
    "acabar com a minha vida",
    "não quero mais viver",
    "хочу умереть",
    "не хочу жить",
    "не хочу больше жить",
    "покончить с собой",
    "убить себя",
    "死にたい",
    "自殺したい",
    "生きていたくない",
    "我想死",
    "想自杀",
    "想自殺",
    "不想活",
    "活不下去",
    "죽고 싶",
    "자살하고 싶",
    "살고 싶지 않",
    "أريد أن أموت",
    "اريد ان اموت",
    "أقتل نفسي",
    "أريد الانتحار",
    "أفكر في الانتحار",
    "मरना चाहता हूँ",
    "मरना चाहती हूँ",
    "आत्महत्या करना चाहत",
    "जीना नहीं चाहत",
];

/// Returns true if somebody says of themselves that they want to die.
pub(super) fn says_so(message: &str) -> bool {
    let message = message.to_lowercase().replace('’', "'");
    PHRASES.iter().any(|phrase| message.contains(phrase))
}

impl Answering<'_> {
    /// Answers somebody who thinks of ending their life. Returns false for any other message, and where a client's instructions say how
    /// to talk: whoever runs a service for such people has better ones.
    pub(super) fn comfort(&mut self, emit: Emit<'_>) -> Result<bool, AnswerError> {
        if self.question.instructions.is_some() || !says_so(&self.question.message) {
            return Ok(false);
        }
        let text = messages::crisis(self.language);
        emit(text)?;
        text.clone_into(&mut self.result.answer);
        self.note("The message seems to speak of ending one's life: the answer is a fixed text.");
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_oneself_is_noticed() {
        for message in [
            "I want to die",
            "how can I kill myself",
            "Ich will nicht mehr leben.",
            "もう死にたい",
        ] {
            assert!(says_so(message), "{message}");
        }
        for message in [
            "How many people die in traffic?",
            "How did Hitler kill himself?",
            "This deadline kills me",
            "I hurt myself while running",
            "Selbstmordrate in Japan",
        ] {
            assert!(!says_so(message), "{message}");
        }
    }
}
