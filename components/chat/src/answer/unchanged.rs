//! Answers that say the one before again, although something else was asked for: "shorter, please". A small model does so where it
//! knows no better; drawn less strictly it writes another text.

use quartet_api::chat::ChatTurn;
use quartet_text_analysis::is_question;

use super::messages::without_remarks;

/// Shortest answer that is noticed when it comes again, in characters: a word or a name may be the answer to two questions.
const MIN_CHARS: usize = 40;

/// The pieces of an answer that are held back as long as they may be the answer before.
pub(super) struct Held {
    /// The answer before; none where the pieces go out.
    before: Option<String>,
    /// What is held back.
    text: String,
}

impl Held {
    /// Holds nothing back.
    pub fn nothing() -> Self {
        Self {
            before: None,
            text: String::new(),
        }
    }

    /// Holds back the last answer of a conversation, where the message is no question.
    pub fn after(history: &[ChatTurn], message: &str) -> Self {
        let last = history.last().filter(|turn| turn.role == "assistant");
        let before = last.map(|turn| without_remarks(&turn.content).trim().to_owned());
        Self {
            before: before.filter(|text| text.chars().count() >= MIN_CHARS && !is_question(message)),
            text: String::new(),
        }
    }

    /// Takes a piece, and returns what may go out now.
    pub fn push(&mut self, piece: &str) -> String {
        self.text.push_str(piece);
        match &self.before {
            Some(before) if before.starts_with(self.text.trim()) => String::new(),
            _ => self.rest(),
        }
    }

    /// True if the answer has ended, and is the one before.
    pub fn is_unchanged(&self) -> bool {
        self.before.as_deref() == Some(self.text.trim())
    }

    /// The pieces that were held back. From now on none are.
    pub fn rest(&mut self) -> String {
        self.before = None;
        std::mem::take(&mut self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(before: &str) -> Held {
        Held {
            before: Some(before.to_owned()),
            text: String::new(),
        }
    }

    #[test]
    fn pieces_go_out_from_where_the_answer_is_another() {
        let mut another = held("Dear Anna, see you on Monday.");
        assert_eq!(another.push("Dear Anna, "), "");
        assert_eq!(another.push("see you on "), "");
        assert_eq!(another.push("Tuesday"), "Dear Anna, see you on Tuesday");
        assert_eq!(another.push("."), ".");
        assert!(!another.is_unchanged());
    }

    #[test]
    fn the_same_answer_is_noticed_at_its_end_and_a_beginning_of_it_is_another() {
        let mut same = held("Dear Anna, see you on Monday.");
        assert_eq!(same.push("Dear Anna, see you on Monday"), "");
        assert!(!same.is_unchanged());
        assert_eq!(same.push(".\n"), "");
        assert!(same.is_unchanged());
        let mut shorter = held("Dear Anna, see you on Monday.");
        shorter.push("Dear Anna,");
        assert!(!shorter.is_unchanged());
        assert_eq!(shorter.rest(), "Dear Anna,");
    }
}
