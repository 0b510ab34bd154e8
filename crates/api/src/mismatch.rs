//! The parser's words for a value of the wrong kind, put into those of this contract. The parser names the types of a
//! program, which no client knows.

/// The words that follow a field's name, such as "must be a number, not a string"; none where the parser complains of
/// something else.
pub fn mismatch(words: &str) -> Option<String> {
    let kinds = words
        .strip_prefix("invalid type: ")
        .or_else(|| words.strip_prefix("invalid value: "))?;
    // What came may be a text with the same words in it, and the parser may say the place behind what it expected.
    let (came, expected) = kinds.rsplit_once(", expected ")?;
    let expected = expected.split(" at line ").next().unwrap_or(expected);
    Some(format!("must be {}, not {}", wanted(expected)?, given(came)?))
}

/// The kind that is wanted.
fn wanted(expected: &str) -> Option<String> {
    let most = match expected {
        "u8" => u64::from(u8::MAX),
        "u16" => u64::from(u16::MAX),
        "u32" => u64::from(u32::MAX),
        _ => 0,
    };
    let kind = match expected {
        "a string" | "a borrowed string" => "a string",
        "a boolean" => "true or false",
        "f32" | "f64" => "a number",
        "u8" | "u16" | "u32" => return Some(format!("a whole number from 0 to {most}")),
        "u64" | "u128" | "usize" => "a whole number from 0",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number",
        "a sequence" => "a list",
        "a map" => "an object",
        _ if expected.starts_with("struct ") => "an object",
        _ => return None,
    };
    Some(kind.to_owned())
}

/// The kind that came, or its value where that is short.
fn given(came: &str) -> Option<&str> {
    let (kind, value) = came.split_once(' ').unwrap_or((came, ""));
    match kind {
        "string" | "character" => Some("a string"),
        "sequence" => Some("a list"),
        "map" => Some("an object"),
        "null" | "unit" => Some("null"),
        "integer" | "boolean" => Some(value.trim_matches('`')),
        "floating" => Some(value.strip_prefix("point ")?.trim_matches('`')),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fmt::Debug;

    use serde::de::DeserializeOwned;

    use super::*;

    fn told<T: DeserializeOwned + Debug>(json: &str) -> Option<String> {
        mismatch(&serde_json::from_str::<T>(json).unwrap_err().to_string())
    }

    #[test]
    fn kinds_have_the_contracts_words() {
        for (told, expected) in [
            (told::<f64>("\"1.5\""), "a number, not a string"),
            (told::<String>("[1]"), "a string, not a list"),
            (told::<String>("5"), "a string, not 5"),
            (told::<String>("null"), "a string, not null"),
            (told::<String>("{}"), "a string, not an object"),
            (told::<bool>("\"yes\""), "true or false, not a string"),
            (told::<f64>("true"), "a number, not true"),
            (told::<u32>("-1"), "a whole number from 0 to 4294967295, not -1"),
            (told::<u8>("1.5"), "a whole number from 0 to 255, not 1.5"),
            (told::<u64>("[]"), "a whole number from 0, not a list"),
            (told::<Vec<u8>>("7"), "a list, not 7"),
            (told::<BTreeMap<String, u8>>("[]"), "an object, not a list"),
            (
                told::<u8>("\"a, expected b at line 1\""),
                "a whole number from 0 to 255, not a string",
            ),
        ] {
            assert_eq!(told, Some(format!("must be {expected}")));
        }
    }

    #[test]
    fn other_words_stay() {
        for words in [
            "missing field `text`",
            "EOF while parsing a value",
            "invalid type: a, expected b",
        ] {
            assert_eq!(mismatch(words), None);
        }
        assert_eq!(told::<String>("\"a"), None);
    }
}
