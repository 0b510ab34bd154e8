//! Words of the contract's tables as schemas: clients that are generated get a type for each table.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::chat::Mode;
use crate::pdf::TextFormat;
use crate::tts::{Engine, Language, SpeechFormat, Voice};

macro_rules! words {
    ($($type:ident: $words:expr, $description:literal;)*) => {$(
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({"type": "string", "enum": $words, "description": $description})
            }
        }
    )*};
}

words! {
    Language: Language::ALL.map(Language::code), "The code of one of the twelve languages.";
    Voice: Voice::ALL.map(Voice::name), "One of the five voices.";
    Engine: Engine::ALL.map(Engine::name), "Maker of speech: `natural` sounds better and takes longer, `auto` chooses.";
    SpeechFormat: SpeechFormat::ALL.map(SpeechFormat::name), "Format of the file that speech comes as.";
    Mode: Mode::ALL.map(Mode::name), "Style of an answer.";
    TextFormat: TextFormat::ALL.map(TextFormat::name), "Form of a document's text.";
}

/// Writes an enumeration of words as a list of them, and what each means into its description. Derived schemas have an
/// alternative for each word, of which generators of clients make a type each.
pub fn list(schema: &mut Schema) {
    let Some(words) = schema.get("oneOf").and_then(Value::as_array) else {
        return;
    };
    let read = |one: &Value| {
        Some((
            one.get("const")?.as_str()?.to_owned(),
            one["description"].as_str().map(str::to_owned),
        ))
    };
    let Some(words) = words.iter().map(read).collect::<Option<Vec<_>>>() else {
        return;
    };
    let own = schema.get("description").and_then(Value::as_str).map(str::to_owned);
    let meanings = words
        .iter()
        .filter_map(|(word, meaning)| Some(format!("`{word}`: {}", meaning.as_deref()?)));
    let text: Vec<String> = own.into_iter().chain(meanings).collect();
    let words: Vec<&String> = words.iter().map(|(word, _)| word).collect();
    *schema = json_schema!({"type": "string", "enum": words, "description": json!(text.join(" "))});
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enumerations_are_lists_of_words() {
        let mut schema = json_schema!({"description": "A state.", "oneOf": [
            {"const": "on", "type": "string", "description": "It runs."},
            {"const": "off", "type": "string"},
        ]});
        list(&mut schema);
        let listed = json!({"type": "string", "enum": ["on", "off"], "description": "A state. `on`: It runs."});
        assert_eq!(schema.to_value(), listed);
        let other = json_schema!({"oneOf": [{"const": "on", "type": "string"}, {"type": "object"}]});
        let mut same = other.clone();
        list(&mut same);
        assert_eq!(same, other);
    }
}
