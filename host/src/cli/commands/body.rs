//! The body of a request, made of the flags of `quartet call` and `quartet bench-load`.

use std::io::Read;
use std::path::Path;

use bytes::Bytes;
use clap::{Arg, ArgAction, ArgMatches, Command};
use quartet_api::operations::{self as op, Capability, Method, Operation};
use quartet_api::tts::{SpeechFormat, SpeechRequest};
use quartet_api::{image, pdf};
use serde_json::{Map, Value};

use crate::config::Invalid;

/// The media type of a body that is no form.
const JSON: &str = "application/json";

/// The flag with a text to speak.
const TEXT: &str = "text";

/// The flag with a question.
const MESSAGE: &str = "message";

/// The flag with a file.
const FILE: &str = "file";

/// The flag with a limit, which is a number.
const MAX_TOKENS: &str = "max-tokens";

/// The flag that has the web searched, the only one without a value.
const USE_SEARCH: &str = "use-search";

/// Flags that make up a body: name, value and help of each.
const FLAGS: &[(&str, &str, &str)] = &[
    (TEXT, "TEXT", "The text to speak; - reads it from standard input"),
    ("voice", "NAME", "The voice, such as Kore"),
    (
        "language",
        "CODE",
        "The language of speech, a summary or a description, such as en; without it, that of the text",
    ),
    (
        "format",
        "FORMAT",
        "The format: wav, mp3, opus, flac or pcm; without it the one that the ending of --output names, or wav. Of a \
         document's text: text or markdown",
    ),
    ("engine", "NAME", "The engine that speaks: auto, natural or fast"),
    ("speed", "FACTOR", "The factor on the voice's speed, such as 1.2"),
    (MESSAGE, "TEXT", "The question; - reads it from standard input"),
    ("mode", "MODE", "The mode of the answer: general, concise or detailed"),
    ("instructions", "TEXT", "Instructions for the language model"),
    (
        MAX_TOKENS,
        "NUMBER",
        "Limit in tokens for what the language model writes",
    ),
    ("conversation-id", "ID", "The conversation to go on with, or to forget"),
    (
        FILE,
        "PATH",
        "The document or the picture; - reads it from standard input",
    ),
    (
        "document-id",
        "ID",
        "The document that the question is about, or that is forgotten",
    ),
    (
        "image-id",
        "ID",
        "The picture that the question is about, or that is forgotten",
    ),
];

/// The flags of speech.
const SPEECH: &[&str] = &[TEXT, "voice", "language", "format", "engine", "speed"];

/// The flags that the bodies of operations are made of, the one that is needed first.
const TAKES: &[(&Operation, &[&str])] = &[
    (&op::TTS_GENERATE, SPEECH),
    (&op::TTS_STREAM, SPEECH),
    (&op::IMAGE_ANALYZE, &[FILE, "language"]),
    (&op::IMAGE_EXTRACT_TEXT, &[FILE]),
    (&op::IMAGE_DETECT_OBJECTS, &[FILE]),
    (&op::IMAGE_CHAT, &[MESSAGE, "image-id"]),
    (&op::IMAGE_FORGET, &["image-id"]),
    (&op::PDF_EXTRACT_TEXT, &[FILE, "format"]),
    (&op::PDF_SUMMARIZE, &[FILE, "language"]),
    (&op::PDF_CHAT, &[MESSAGE, "document-id"]),
    (&op::PDF_FORGET, &["document-id"]),
    (
        &op::CHAT,
        &[
            MESSAGE,
            "mode",
            USE_SEARCH,
            "instructions",
            MAX_TOKENS,
            "conversation-id",
        ],
    ),
    (&op::CHAT_FORGET, &["conversation-id"]),
];

/// Adds the flags.
pub fn flags(command: Command) -> Command {
    let all = FLAGS.iter().map(|(name, ..)| *name).chain([USE_SEARCH]);
    let json = Arg::new("json")
        .long("json")
        .value_name("JSON")
        .help("The whole body; - reads it from standard input")
        .conflicts_with_all(all);
    let search = Arg::new(USE_SEARCH)
        .long(USE_SEARCH)
        .action(ArgAction::SetTrue)
        .help("Search the web for the answer: the question leaves the service");
    FLAGS
        .iter()
        .fold(command.arg(json), |command, (name, value, help)| {
            command.arg(Arg::new(*name).long(*name).value_name(*value).help(*help))
        })
        .arg(search)
}

/// The body of a request to an operation, and its media type; none where it has none.
///
/// # Errors
/// When the operation does not take what was given, or needs something else.
pub fn of(operation: Option<&Operation>, name: &str, matches: &ArgMatches) -> Result<Option<(Bytes, String)>, Invalid> {
    // Not every command has a file to write to.
    let flag = |name: &str| matches.try_get_one::<String>(name).ok().flatten().cloned();
    let searches = matches.try_get_one::<bool>(USE_SEARCH).ok().flatten().copied();
    let given: Vec<&str> = FLAGS
        .iter()
        .map(|(name, ..)| *name)
        .filter(|name| flag(name).is_some())
        .chain(searches.unwrap_or(false).then_some(USE_SEARCH))
        .collect();
    let json = flag("json");
    let Some(operation) = operation.filter(|operation| operation.method == Method::Post) else {
        let first = given.first().copied().or(json.is_some().then_some("json"));
        return match first {
            Some(first) => Err(Invalid(format!("{name} takes no body: leave --{first} out"))),
            None => Ok(None),
        };
    };
    check_ending(operation, &flag)?;
    if let Some(json) = json {
        return Ok(Some((or_input(json)?.into(), JSON.to_owned())));
    }
    let takes = TAKES.iter().find(|(known, _)| *known == operation);
    let Some((needed, takes)) = takes.and_then(|(_, takes)| Some((*takes.first()?, *takes))) else {
        return Err(Invalid(format!("{name} needs a body: --json with the whole of it")));
    };
    if let Some(other) = given.iter().find(|given| !takes.contains(given)) {
        let takes: Vec<_> = takes.iter().map(|flag| format!("--{flag}")).collect();
        return Err(Invalid(format!(
            "{name} takes no --{other}; it takes {}, or --json with the whole body",
            takes.join(", ")
        )));
    }
    let Some(first) = flag(needed) else {
        return Err(Invalid(format!(
            "{name} needs a body: --{needed}, or --json with the whole of it"
        )));
    };
    match needed {
        FILE => form(operation, &first, takes, &flag).map(Some),
        TEXT => speech(first, &flag).map(|body| Some((body, JSON.to_owned()))),
        _ => question(&given, &flag).map(|body| Some((body, JSON.to_owned()))),
    }
}

/// Checks that a file for speech has an ending that says how the sound is written into it.
fn check_ending(operation: &Operation, flag: &impl Fn(&str) -> Option<String>) -> Result<(), Invalid> {
    let speaks = *operation == op::TTS_GENERATE || *operation == op::TTS_STREAM;
    let Some(output) = flag("output").filter(|_| speaks) else {
        return Ok(());
    };
    let path = Path::new(&output);
    // A name without an ending may be a device or a pipe.
    let Some(ending) = path.extension() else { return Ok(()) };
    let is_known = match *operation == op::TTS_STREAM {
        // The bytes are those of the format that was asked for.
        true => flag("format").is_some() || flag("json").is_some(),
        false => ending.eq_ignore_ascii_case("json"),
    };
    if is_known || sound_of(path).is_some() {
        return Ok(());
    }
    let endings = SpeechFormat::ALL.map(|format| format!(".{}", format.name())).join(", ");
    Err(Invalid(format!(
        "{output} has an ending that names no format of sound: name a file that ends with {endings}"
    )))
}

/// The format of sound that a file's ending names.
pub fn sound_of(path: &Path) -> Option<SpeechFormat> {
    path.extension()?.to_str()?.parse().ok()
}

fn speech(text: String, flag: &impl Fn(&str) -> Option<String>) -> Result<Bytes, Invalid> {
    let by_ending = || {
        let named = sound_of(Path::new(&flag("output")?))?;
        (named != SpeechFormat::default()).then(|| named.name().to_owned())
    };
    let request = SpeechRequest {
        language: flag("language"),
        voice: flag("voice"),
        engine: flag("engine"),
        speed: number("speed", flag("speed"))?,
        format: flag("format").or_else(by_ending),
        text: or_input(text)?,
        timings: None,
    };
    let json = serde_json::to_vec(&request).map_err(|error| Invalid(format!("this cannot be asked: {error}")))?;
    Ok(json.into())
}

/// A JSON object of the flags that were given.
fn question(given: &[&str], flag: &impl Fn(&str) -> Option<String>) -> Result<Bytes, Invalid> {
    let mut fields = Map::new();
    for name in given {
        let value = match *name {
            USE_SEARCH => Value::Bool(true),
            MAX_TOKENS => number::<u32>(name, flag(name))?.into(),
            MESSAGE => or_input(flag(name).unwrap_or_default())?.into(),
            _ => flag(name).into(),
        };
        fields.insert(camel_case(name), value);
    }
    Ok(Value::Object(fields).to_string().into())
}

/// A form with a file (RFC 7578), and its media type.
fn form(
    operation: &Operation,
    path: &str,
    takes: &[&str],
    flag: &impl Fn(&str) -> Option<String>,
) -> Result<(Bytes, String), Invalid> {
    let unread = |error| Invalid(format!("{path} cannot be read: {error}"));
    let (file, name) = if path == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map_err(unread)?;
        (bytes, FILE.to_owned())
    } else {
        let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
        // Neither may stand in a head.
        let name = name.replace('"', "%22").replace(char::is_control, " ");
        (std::fs::read(path).map_err(unread)?, name)
    };
    let part = match operation.capability() {
        Some(Capability::Image) => image::FILE_PART,
        _ => pdf::FILE_PART,
    };
    // Nobody can have put it into the file on purpose: it is drawn now.
    let boundary = uuid::Uuid::new_v4().simple().to_string();
    let mut body = Vec::with_capacity(file.len() + 1_024);
    for field in takes.iter().filter(|field| **field != FILE) {
        if let Some(value) = flag(field) {
            let part = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{field}\"\r\n\r\n{value}\r\n");
            body.extend_from_slice(part.as_bytes());
        }
    }
    let head = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{part}\"; filename=\"{name}\"\r\n\r\n");
    body.extend_from_slice(head.as_bytes());
    body.extend_from_slice(&file);
    body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
    Ok((body.into(), format!("multipart/form-data; boundary={boundary}")))
}

/// The field of a flag: `conversationId` of `conversation-id`.
fn camel_case(flag: &str) -> String {
    let mut parts = flag.split('-');
    let mut name = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (first, rest) = part.split_at(part.len().min(1));
        name.push_str(&first.to_ascii_uppercase());
        name.push_str(rest);
    }
    name
}

fn number<N: std::str::FromStr>(flag: &str, value: Option<String>) -> Result<Option<N>, Invalid> {
    let Some(value) = value else { return Ok(None) };
    let wrong = |_| Invalid(format!("`{flag}` is {value:?}; it takes a number"));
    value.parse::<N>().map(Some).map_err(wrong)
}

fn or_input(value: String) -> Result<String, Invalid> {
    if value != "-" {
        return Ok(value);
    }
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| Invalid(format!("standard input cannot be read: {error}")))?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(name: &str, arguments: &[&str]) -> Result<Option<(Bytes, String)>, Invalid> {
        let line = ["call"].iter().chain(arguments);
        let output = Arg::new("output").short('o');
        let matches = flags(Command::new("call").arg(output)).try_get_matches_from(line);
        let operation = op::OPERATIONS.iter().find(|operation| operation.name() == name);
        of(operation, name, &matches.unwrap())
    }

    #[test]
    fn questions_are_made_of_flags() {
        for (name, arguments, expected) in [
            ("chat", &["--message", "Hi"][..], r#"{"message":"Hi"}"#),
            (
                "chat",
                &[
                    "--message",
                    "Hi",
                    "--use-search",
                    "--max-tokens",
                    "9",
                    "--conversation-id",
                    "c",
                ],
                r#"{"conversationId":"c","maxTokens":9,"message":"Hi","useSearch":true}"#,
            ),
            (
                "pdf/chat",
                &["--message", "Who?", "--document-id", "d"],
                r#"{"documentId":"d","message":"Who?"}"#,
            ),
            ("chat/forget", &["--conversation-id", "c"], r#"{"conversationId":"c"}"#),
            (
                "tts/generate",
                &["--text", "Hi", "--speed", "1.5", "--engine", "fast"],
                r#"{"text":"Hi","engine":"fast","speed":1.5}"#,
            ),
        ] {
            let (bytes, media_type) = body(name, arguments).unwrap().unwrap();
            let [told, expected]: [Value; 2] =
                [&bytes[..], expected.as_bytes()].map(|json| serde_json::from_slice(json).unwrap());
            assert_eq!((told, media_type.as_str()), (expected, JSON), "{name}");
        }
    }

    #[test]
    fn a_file_becomes_a_form() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a \"b\".pdf");
        std::fs::write(&path, b"%PDF").unwrap();
        let arguments = ["--file", path.to_str().unwrap(), "--format", "markdown"];
        let (bytes, media_type) = body("pdf/extract-text", &arguments).unwrap().unwrap();
        let boundary = media_type.strip_prefix("multipart/form-data; boundary=").unwrap();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        assert!(text.contains("name=\"format\"\r\n\r\nmarkdown\r\n"), "{text}");
        assert!(
            text.contains("name=\"pdf\"; filename=\"a %22b%22.pdf\"\r\n\r\n%PDF\r\n"),
            "{text}"
        );
        assert!(text.ends_with(&format!("--{boundary}--\r\n")), "{text}");
    }

    #[test]
    fn wrong_uses_are_named() {
        for (name, arguments, part) in [
            ("chat", &["--text", "Hi"][..], "takes no --text; it takes --message"),
            ("chat", &[], "--message"),
            (
                "chat",
                &["--message", "Hi", "--max-tokens", "x"],
                "`max-tokens` is \"x\"",
            ),
            ("pdf/embeddings", &[], "--json"),
            ("pdf/summarize", &["--message", "Hi"], "it takes --file, --language"),
            (
                "pdf/summarize",
                &["--file", "/nowhere/a.pdf"],
                "/nowhere/a.pdf cannot be read",
            ),
            ("readyz", &["--message", "Hi"], "takes no body"),
            (
                "tts/generate",
                &["--text", "Hi", "-o", "a.xyz"],
                ".wav, .mp3, .opus, .flac, .pcm",
            ),
            ("tts/generate", &["--json", "{}", "-o", "a.xyz"], "a.xyz"),
            ("tts/stream", &["--text", "Hi", "-o", "a.json"], "a.json"),
        ] {
            let Invalid(message) = body(name, arguments).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
        for (name, arguments) in [
            ("tts/generate", &["--text", "Hi", "-o", "a.json"]),
            ("tts/generate", &["--text", "Hi", "-o", "/dev/null"]),
            ("tts/stream", &["--json", "{}", "-o", "a.raw"]),
        ] {
            assert!(body(name, arguments).is_ok(), "{arguments:?}");
        }
    }
}
