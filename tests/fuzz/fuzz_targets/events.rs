//! Fuzz target: any bytes are events of the Wyoming protocol or are refused, and the same ones in whatever pieces they arrive.
//! What is written for a client is read as it was meant, and a text that comes in pieces is spoken without a word that was not
//! sent.

#![no_main]

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use libfuzzer_sys::fuzz_target;
use quartet_api::Language;
use quartet_fuzz::input::MAX_SENTENCE_BYTES;
use quartet_fuzz::wyoming::event::{End, Event, EventReader, Fields, write};
use quartet_fuzz::wyoming::text::Text;
use quartet_fuzz::wyoming::voice::{choose, name};
use serde_json::json;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::runtime::Runtime;

/// Bytes that arrive in pieces of a size.
struct Pieces<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl AsyncRead for Pieces<'_> {
    fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let length = self.size.min(self.bytes.len()).min(into.remaining());
        let (now, later) = self.bytes.split_at(length);
        into.put_slice(now);
        self.bytes = later;
        Poll::Ready(Ok(()))
    }
}

/// The events that are read, and the code of what ended them, if it was not the end of the bytes.
fn read(runtime: &Runtime, bytes: &[u8], size: usize) -> (Vec<Event>, Option<String>) {
    let mut reader = EventReader::new(Pieces { bytes, size });
    let mut events = Vec::new();
    loop {
        match runtime.block_on(reader.next()) {
            Ok(event) => events.push(event),
            Err(End::Left) => return (events, None),
            Err(End::Broken(failure)) => {
                assert!(
                    failure.message.len() <= MAX_SENTENCE_BYTES,
                    "a client is told at length"
                );
                return (events, Some(format!("{:?}", failure.code)));
            }
        }
    }
}

fn shown((events, end): &(Vec<Event>, Option<String>)) -> (Vec<String>, &Option<String>) {
    let shown = |event: &Event| format!("{} {:?}", event.kind, event.fields());
    (events.iter().map(shown).collect(), end)
}

/// The event with these fields, written and read again.
fn again(runtime: &Runtime, kind: &str, fields: &Fields) -> Event {
    let voice = fields
        .voice
        .as_ref()
        .map(|voice| json!({"name": voice.name, "language": voice.language}));
    let data = json!({
        "text": fields.text,
        "voice": voice,
        "text_format": fields.text_format,
        "context": fields.context,
    });
    let mut written = Vec::new();
    write(&mut written, kind, &data, b"\n{}");
    write(&mut written, "ping", &json!({}), &[]);
    let (mut events, end) = read(runtime, &written, 5);
    assert!(events.len() == 2 && end.is_none(), "what was written is no event");
    events.swap_remove(0)
}

/// Checks a text that comes in pieces: its sentences, in order, are parts of it.
fn speak(pieces: &[String], language: Option<Language>) {
    let whole = pieces.concat();
    let mut text = Text::new(language);
    let mut said = Vec::new();
    for piece in pieces {
        said.extend(text.push(piece).expect("it is short"));
    }
    said.extend(text.end());
    let mut rest = whole.as_str();
    for sentence in said {
        let at = rest.find(&sentence).expect("a sentence was not sent, or earlier");
        rest = &rest[at + sentence.len()..];
    }
    assert!(!rest.chars().any(char::is_alphanumeric), "the end is not said");
}

fuzz_target!(|bytes: &[u8]| {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let whole = read(&runtime, bytes, usize::MAX);
    let pieces = read(&runtime, bytes, 1 + bytes.len() % 7);
    assert_eq!(shown(&whole), shown(&pieces), "the pieces decide what is read");
    assert!(
        whole.0.is_empty() || bytes.trim_ascii_start().starts_with(b"{"),
        "what is no object was taken for an event"
    );
    let mut texts = Vec::new();
    let mut language = None;
    for event in &whole.0 {
        let fields = match event.fields() {
            Ok(fields) => fields,
            Err(failure) => {
                assert!(
                    failure.message.len() <= MAX_SENTENCE_BYTES,
                    "a client is told at length"
                );
                continue;
            }
        };
        let written = again(&runtime, &event.kind, &fields);
        assert_eq!(
            written.kind, event.kind,
            "a kind is read in another way than it was written"
        );
        let read = written.fields().expect("they are fields");
        assert_eq!(
            format!("{read:?}"),
            format!("{fields:?}"),
            "fields are read in another way"
        );
        match choose(fields.voice.as_ref()) {
            Ok(chosen) => {
                language = chosen.language;
                if let Some(language) = language {
                    let name = name(chosen.voice, language);
                    let named = quartet_fuzz::wyoming::event::VoiceFields {
                        name: Some(name),
                        language: None,
                    };
                    assert_eq!(choose(Some(&named)), Ok(chosen), "a voice is not found by its name");
                }
            }
            Err(failure) => assert!(
                failure.message.len() <= MAX_SENTENCE_BYTES,
                "a client is told at length"
            ),
        }
        texts.extend(fields.text);
    }
    speak(&texts, language);
});
