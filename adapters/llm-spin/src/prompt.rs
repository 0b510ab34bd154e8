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

/// The conversation with names before the turns, and the model's name at the end. No template of one model: which model
/// there is, is up to Spin's operator, and Spin puts the text into the template of the model itself where it knows one.
pub fn text<'a>(turns: impl Iterator<Item = (Role, &'a str)>) -> String {
    let mut text = String::new();
    for (role, said) in turns {
        text.push_str(role.label());
        text.push_str(": ");
        text.push_str(said.trim());
        text.push_str("\n\n");
    }
    text + Role::Assistant.label() + ":"
}

/// The answer in what the model wrote: it ends before the first of `stop`, and before a question that the model made up.
/// The second value is true if one of them ended it.
pub fn answer(written: &str, stop: &[String]) -> (String, bool) {
    let ends = stop.iter().map(String::as_str).filter(|stop| !stop.is_empty());
    let end = ends.chain([NEXT]).filter_map(|stop| written.find(stop)).min();
    let answer = &written[..end.unwrap_or(written.len())];
    (answer.trim().to_owned(), end.is_some())
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
            text(turns.into_iter()),
            "Instructions: Be short.\n\nUser: Hi\n\nAssistant: Hello\n\nUser: Who?\n\nAssistant:"
        );
    }

    #[test]
    fn an_answer_ends_where_it_should() {
        assert_eq!(answer(" Paris.\n\nUser: And", &[]), ("Paris.".to_owned(), true));
        assert_eq!(
            answer("a END b STOP", &["STOP".to_owned(), "END".to_owned()]),
            ("a".to_owned(), true)
        );
        assert_eq!(answer("whole", &[String::new()]), ("whole".to_owned(), false));
    }
}
