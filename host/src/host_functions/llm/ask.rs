//! Checks the input of a question to the model before it costs anything.

use super::types::{Error, Options, Role, Turn};

/// Bytes of a conversation's texts. More than any context here holds, and little enough to be passed on at once.
const MAX_TEXT_BYTES: usize = 4 * 1024 * 1024;
/// Turns of a conversation.
const MAX_TURNS: usize = 1_000;
/// Pictures of a conversation.
const MAX_PICTURES: usize = 16;
/// Bytes of its pictures, together.
const MAX_PICTURE_BYTES: usize = 20 * 1024 * 1024;
/// Stop sequences.
const MAX_STOPS: usize = 16;
/// Bytes of a stop sequence.
const MAX_STOP_BYTES: usize = 256;
/// Bytes of a JSON Schema.
const MAX_SCHEMA_BYTES: usize = 64 * 1024;

/// Roles of the last turn.
const LAST: &str = "the last one is the user's, or the beginning of the assistant's";

/// Checks turns and options.
///
/// # Errors
/// When something is not what may be given: what, and what may.
pub fn check(turns: &[Turn], options: &Options, sees: bool) -> Result<(), Error> {
    check_turns(turns, sees)
        .and_then(|()| check_options(options))
        .and_then(|()| check_beginning(turns, options))
        .map_err(Error::InvalidInput)
}

fn check_turns(turns: &[Turn], sees: bool) -> Result<(), String> {
    match turns.last() {
        None => return Err(format!("there are no turns; {LAST}")),
        Some(last) if last.role == Role::System => return Err(format!("the last turn is the system's; {LAST}")),
        // Templates have no conversation that begins with an answer.
        Some(_) if turns.iter().all(|turn| turn.role != Role::User) => {
            return Err("there is no turn of the user's".to_owned());
        }
        Some(_) if turns.len() > MAX_TURNS => return Err(format!("there may be {MAX_TURNS} turns")),
        Some(_) => {}
    }
    let bytes: usize = turns.iter().map(|turn| turn.text.len()).sum();
    if bytes > MAX_TEXT_BYTES {
        return Err(format!(
            "the turns have {bytes} bytes of text; they may have {MAX_TEXT_BYTES}"
        ));
    }
    let pictures = || turns.iter().flat_map(|turn| &turn.pictures);
    if pictures().next().is_some() && !sees {
        return Err("this model takes no pictures".to_owned());
    }
    let bytes: usize = pictures().map(|picture| picture.data.len()).sum();
    if pictures().count() > MAX_PICTURES || bytes > MAX_PICTURE_BYTES {
        return Err(format!(
            "there may be {MAX_PICTURES} pictures of {MAX_PICTURE_BYTES} bytes together"
        ));
    }
    match pictures().find(|picture| !is_picture(&picture.media_type)) {
        Some(_) => Err("a picture's media type must be such as image/jpeg".to_owned()),
        None => Ok(()),
    }
}

/// An answer that is begun already has no place for a document of a schema.
fn check_beginning(turns: &[Turn], options: &Options) -> Result<(), String> {
    let begun = turns.last().is_some_and(|turn| turn.role == Role::Assistant);
    match begun && options.json_schema.is_some() {
        true => Err("an answer that goes on from the assistant's turn is held to no JSON Schema".to_owned()),
        false => Ok(()),
    }
}

/// Returns true if this is the media type of a picture. It becomes part of an address, so nothing else may stand in it.
fn is_picture(media_type: &str) -> bool {
    media_type.strip_prefix("image/").is_some_and(|kind| {
        !kind.is_empty()
            && kind
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b".+-".contains(&byte))
    })
}

fn check_options(options: &Options) -> Result<(), String> {
    let within = |value: Option<f32>, most: f32| value.is_none_or(|value| (0.0..=most).contains(&value));
    if !within(options.temperature, 2.0) {
        return Err("the temperature may be 0 to 2".to_owned());
    }
    if !within(options.top_p, 1.0) {
        return Err("top-p may be 0 to 1".to_owned());
    }
    if options.max_tokens == Some(0) || options.max_milliseconds == Some(0) {
        return Err("an answer may have 1 token and 1 millisecond or more".to_owned());
    }
    let stop = &options.stop;
    if stop.len() > MAX_STOPS || stop.iter().any(|text| text.is_empty() || text.len() > MAX_STOP_BYTES) {
        return Err(format!(
            "there may be {MAX_STOPS} texts to stop at, of 1 to {MAX_STOP_BYTES} bytes"
        ));
    }
    match &options.json_schema {
        Some(schema) if schema.len() > MAX_SCHEMA_BYTES => Err(format!(
            "the JSON Schema has {} bytes; it may have {MAX_SCHEMA_BYTES}",
            schema.len()
        )),
        Some(schema) if !is_object(schema) => Err("the JSON Schema must be a JSON object".to_owned()),
        _ => Ok(()),
    }
}

/// Returns true if the text is a JSON object.
fn is_object(text: &str) -> bool {
    serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::super::types::Picture;
    use super::*;

    fn turn(role: Role, text: &str) -> Turn {
        Turn {
            role,
            text: text.to_owned(),
            pictures: Vec::new(),
        }
    }

    fn refused(turns: &[Turn], options: &Options, sees: bool, part: &str) {
        let Err(Error::InvalidInput(reason)) = check(turns, options, sees) else {
            panic!("{part} is let through")
        };
        assert!(reason.contains(part), "{reason}");
    }

    #[test]
    fn the_last_turn_is_the_users_or_the_beginning_of_the_answer() {
        let options = Options::default();
        assert!(check(&[turn(Role::System, ""), turn(Role::User, "a")], &options, false).is_ok());
        let begun = [turn(Role::User, "a"), turn(Role::Assistant, "b")];
        assert!(check(&begun, &options, false).is_ok());
        let schema = Options {
            json_schema: Some("{}".to_owned()),
            ..Options::default()
        };
        refused(&begun, &schema, false, "JSON Schema");
        refused(&[], &options, false, "no turns");
        refused(&begun[1..], &options, false, "user's");
        refused(
            &[turn(Role::User, "a"), turn(Role::System, "b")],
            &options,
            false,
            "the last turn",
        );
        refused(
            &[turn(Role::User, &"a".repeat(MAX_TEXT_BYTES + 1))],
            &options,
            false,
            "bytes",
        );
    }

    #[test]
    fn pictures_only_for_models_that_see() {
        let mut seen = turn(Role::User, "a");
        seen.pictures.push(Picture {
            media_type: "image/png".to_owned(),
            data: vec![1],
        });
        let options = Options::default();
        refused(std::slice::from_ref(&seen), &options, false, "no pictures");
        assert!(check(std::slice::from_ref(&seen), &options, true).is_ok());
        for wrong in ["text/html", "image/", "image/png;base64,x", "image/a b"] {
            seen.pictures[0].media_type = wrong.to_owned();
            refused(std::slice::from_ref(&seen), &options, true, "media type");
        }
    }

    #[test]
    fn options_have_bounds() {
        let turns = [turn(Role::User, "a")];
        for (options, part) in [
            (
                Options {
                    temperature: Some(2.1),
                    ..Options::default()
                },
                "temperature",
            ),
            (
                Options {
                    temperature: Some(f32::NAN),
                    ..Options::default()
                },
                "temperature",
            ),
            (
                Options {
                    top_p: Some(-0.1),
                    ..Options::default()
                },
                "top-p",
            ),
            (
                Options {
                    max_tokens: Some(0),
                    ..Options::default()
                },
                "1 token",
            ),
            (
                Options {
                    stop: vec![String::new()],
                    ..Options::default()
                },
                "stop",
            ),
            (
                Options {
                    stop: vec!["a".to_owned(); 17],
                    ..Options::default()
                },
                "stop",
            ),
            (
                Options {
                    json_schema: Some("[1]".to_owned()),
                    ..Options::default()
                },
                "JSON object",
            ),
            (
                Options {
                    json_schema: Some(" ".repeat(MAX_SCHEMA_BYTES + 1)),
                    ..Options::default()
                },
                "bytes",
            ),
        ] {
            refused(&turns, &options, false, part);
        }
    }
}
