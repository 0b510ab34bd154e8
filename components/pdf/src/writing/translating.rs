//! A question in the language of its document: small models find and confirm across two languages far less than within one.

use quartet_api::Language;
use quartet_grounding::sanitize;
use quartet_llm_client::{Role, Turn};
use serde_json::{Map, Value};

use super::reply::Translation;

/// Limit in tokens for a question.
pub(super) const MAX_TOKENS: u32 = 80;
/// Limit in characters for a question; a longer one is asked as it is.
const MAX_CHARACTERS: usize = 300;

const INSTRUCTIONS: &str = "You translate questions word for word and do not answer them. Reply with JSON: \"question\" is the question \
in the language that is asked for. Names and numbers stay as they are.";

/// Questions in one language, the language that they are wanted in, and their words there.
const EXAMPLES: [(&str, Language, &str); 5] = [
    (
        "Wann schließt das Freibad im Winter?",
        Language::English,
        "When does the outdoor pool close in winter?",
    ),
    (
        "会費は年にいくらですか？",
        Language::English,
        "How much is the membership fee a year?",
    ),
    (
        "How much deposit do I pay for a boat?",
        Language::German,
        "Wie viel Kaution zahle ich für ein Boot?",
    ),
    (
        "Кто построил мост Лен в 1931 году?",
        Language::English,
        "Who built the Lenn bridge in 1931?",
    ),
    ("May I bring my dog?", Language::Spanish, "¿Puedo llevar a mi perro?"),
];

/// The conversation in which a model translates a question; none for one that is too long. What stays the same comes first.
pub(super) fn turns(question: &str, to: Language) -> Option<Vec<Turn>> {
    if question.chars().count() > MAX_CHARACTERS {
        return None;
    }
    let task = |question: &str, to: Language| format!("Into {}: {question}", to.name());
    let mut turns = vec![Turn::new(Role::System, INSTRUCTIONS)];
    for (question, to, words) in EXAMPLES {
        turns.push(Turn::new(Role::User, task(question, to)));
        turns.push(Turn::new(Role::Assistant, format!("{{\"question\": \"{words}\"}}")));
    }
    turns.push(Turn::new(Role::User, task(&sanitize(question), to)));
    Some(turns)
}

/// The schema of the reply, which has no letters of a script that only the question's language has.
pub(super) fn schema(from: Language, to: Language) -> String {
    let translation = Translation { from, to, question: "" };
    let pattern = translation
        .letters()
        .map_or_else(String::new, |letters| format!(r#","pattern":"{letters}""#));
    format!(
        r#"{{"type":"object","properties":{{"question":{{"type":"string","minLength":4{pattern}}}}},"required":["question"],"additionalProperties":false}}"#
    )
}

/// The words in a reply, where they may be the question's: they have its numbers, and are not the question itself.
pub(super) fn read(written: &str, question: &str) -> Option<String> {
    let fields: Map<String, Value> = serde_json::from_str(written).ok()?;
    let words = fields.get("question")?.as_str()?.trim();
    let is_said = words.chars().any(char::is_alphabetic) && words != question.trim();
    (is_said && numbers(words) == numbers(question)).then(|| words.to_owned())
}

/// The numbers in digits, in order of size: translations change their places.
fn numbers(text: &str) -> Vec<String> {
    let mut all: Vec<String> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|number| !number.is_empty())
        .map(str::to_owned)
        .collect();
    all.sort_unstable();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_that_have_the_numbers_of_their_question() {
        let read = |written: &str, question: &str| read(written, question);
        let words = r#"{"question": "Who built the bridge in 1931 and 1940?"}"#;
        assert_eq!(
            read(words, "Wer baute 1940 und 1931 die Brücke?").as_deref(),
            Some("Who built the bridge in 1931 and 1940?")
        );
        assert_eq!(read(words, "Wer baute 1932 die Brücke?"), None);
        assert_eq!(read(r#"{"question": "Wer?"}"#, "Wer?"), None);
        assert_eq!(read(r#"{"question": "..."}"#, "Wer?"), None);
        assert_eq!(read("Who?", "Wer?"), None);
    }

    #[test]
    fn letters_of_the_other_script_are_left_out() {
        assert!(schema(Language::Russian, Language::English).contains("Cyrillic"));
        assert!(!schema(Language::German, Language::English).contains("pattern"));
        assert!(turns(&"ä".repeat(301), Language::English).is_none());
    }
}
