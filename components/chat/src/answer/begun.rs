//! The beginning of an answer that a model goes on with.

use quartet_api::chat::ChatTurn;

use super::messages;
use super::output_filter::Start;

/// Mark behind an answer whose end is missing. A model would take it for the end.
pub(super) const CUT: &str = " …";

/// Returns true for an answer in words, which a model can go on with: not for calls of functions.
#[must_use]
pub fn is_in_words(turn: &ChatTurn) -> bool {
    turn.role == "assistant" && turn.tool_calls.is_empty()
}

/// The beginning of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Begun<'a> {
    /// Text of the model, without remarks of the service and the mark of a cut. It does not end with a space, which models have at the
    /// beginning of what follows.
    pub text: &'a str,
    /// Start of what follows, behind what the client has.
    pub start: Start,
}

impl<'a> Begun<'a> {
    /// Reads the turn that a client sent.
    pub fn of(sent: &'a str) -> Self {
        let written = messages::without_remarks(sent);
        if written.len() < sent.trim_end().len() {
            let text = written.strip_suffix(CUT).unwrap_or(written).trim_end();
            let start = Start::Trimmed("\n\n");
            return Self { text, start };
        }
        // The end of a line stays: the space at the beginning of the next is that line's.
        let text = sent.strip_suffix(CUT).unwrap_or(sent).trim_end_matches([' ', '\t']);
        let start = match sent.ends_with([' ', '\t']) {
            true => Start::Trimmed(""),
            false => Start::AsWritten,
        };
        Self { text, start }
    }
}

#[cfg(test)]
mod tests {
    use quartet_api::Language;

    use super::*;

    #[test]
    fn a_beginning_is_what_the_model_wrote() {
        fn of(sent: &str) -> (&str, Start) {
            let Begun { text, start } = Begun::of(sent);
            (text, start)
        }
        assert_eq!(of("Once upon a"), ("Once upon a", Start::AsWritten));
        assert_eq!(of("1. Apples\n2. "), ("1. Apples\n2.", Start::Trimmed("")));
        assert_eq!(of("def add(a, b):\n"), ("def add(a, b):\n", Start::AsWritten));
        assert_eq!(of("and then the …"), ("and then the", Start::AsWritten));
        // An ellipsis of the text's own.
        assert_eq!(of("Well… "), ("Well…", Start::Trimmed("")));
        for language in Language::ALL {
            let remark = messages::unsure(&["Redford".to_owned()], language);
            let sent = format!("It was Robert Redford …\n\n{remark}");
            assert_eq!(
                of(&sent),
                ("It was Robert Redford", Start::Trimmed("\n\n")),
                "{language}"
            );
        }
    }
}
