//! A conversation as one text, and what of the model's text is the answer.

/// Speaker of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Says how to answer.
    System,
    /// Asks.
    User,
    /// The model.
    Assistant,
}

impl Role {
    fn label(self) -> &'static str {
        match self {
            Role::System => "Instructions",
            Role::User => "User",
            Role::Assistant => "Assistant",
        }
    }
}

/// Beginning of the next question: a model that goes on to write one has ended its answer.
const NEXT: &str = "\nUser:";

/// The conversation with names before the turns, and the model's name at the end, unless its turn has begun already. No template of
/// one model: which model there is, is up to Spin's operator, and Spin puts the text into the template of the model itself where it
/// knows one.
pub fn text(turns: &[(Role, &str)]) -> String {
    let turn = |(role, said): &(Role, &str)| format!("{}: {}", role.label(), said.trim());
    let mut parts: Vec<_> = turns.iter().map(turn).collect();
    if !is_begun(turns) {
        parts.push(format!("{}:", Role::Assistant.label()));
    }
    parts.join("\n\n")
}

/// True if the answer goes on from the last turn.
pub fn is_begun(turns: &[(Role, &str)]) -> bool {
    turns.last().is_some_and(|(role, _)| *role == Role::Assistant)
}

/// The answer in what the model wrote: it ends before the first of `stop`, and before a question that the model made up.
/// The second value is true if one of them ended it. The white space before one that goes on belongs to it.
pub fn answer(written: &str, stop: &[String], is_begun: bool) -> (String, bool) {
    let ends = stop.iter().map(String::as_str).filter(|stop| !stop.is_empty());
    let end = ends.chain([NEXT]).filter_map(|stop| written.find(stop)).min();
    let answer = &written[..end.unwrap_or(written.len())];
    let answer = if is_begun { answer.trim_end() } else { answer.trim() };
    (answer.to_owned(), end.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_is_one_text_that_the_model_goes_on_with() {
        let turns = [
            (Role::System, "Be short. "),
            (Role::User, "Hi"),
            (Role::Assistant, "Hello"),
            (Role::User, "Who?"),
        ];
        assert_eq!(
            text(&turns),
            "Instructions: Be short.\n\nUser: Hi\n\nAssistant: Hello\n\nUser: Who?\n\nAssistant:"
        );
        assert_eq!(
            text(&turns[..3]),
            "Instructions: Be short.\n\nUser: Hi\n\nAssistant: Hello"
        );
    }

    #[test]
    fn an_answer_ends_where_it_should() {
        assert_eq!(answer(" Paris.\n\nUser: And", &[], false), ("Paris.".to_owned(), true));
        assert_eq!(answer(" Paris. ", &[], true), (" Paris.".to_owned(), false));
        assert_eq!(
            answer("a END b STOP", &["STOP".to_owned(), "END".to_owned()], false),
            ("a".to_owned(), true)
        );
        assert_eq!(answer("whole", &[String::new()], false), ("whole".to_owned(), false));
    }
}
