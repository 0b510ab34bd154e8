//! Events of the Wyoming protocol: a line of JSON that says what it is, and how many bytes of data and of payload follow it.

use std::borrow::Cow;
use std::io;

use bytes::{Buf, Bytes, BytesMut};
use quartet_api::Code;
use quartet_api::failure::excerpt;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::failure::Failure;

/// The version of the protocol that events name: that of the package `wyoming` that this was compared with.
const VERSION: &str = "1.10.2";

/// Largest line that begins an event, in bytes; its data may stand in it.
const MAX_LINE_BYTES: usize = 64 * 1024;

/// Largest data of an event, in bytes: text.
const MAX_DATA_BYTES: u64 = 256 * 1024;

/// Largest payload of an event, in bytes: samples that nobody listens to here.
const MAX_PAYLOAD_BYTES: u64 = 1024 * 1024;

/// Bytes that are read ahead of what is answered.
const MAX_AHEAD_BYTES: usize = 64 * 1024;

/// Bytes that are read at a time.
const READ_BYTES: usize = 4 * 1024;

/// An event of a client.
#[derive(Debug)]
pub struct Event {
    /// Its type.
    pub kind: String,
    /// The data in its line.
    inline: Option<Box<RawValue>>,
    /// The data behind its line.
    data: Bytes,
}

/// The fields of the events that are answered. Others are passed over, as the protocol has it.
#[derive(Debug, Default, Deserialize)]
pub struct Fields {
    /// A text to speak, to answer, or to give back.
    pub text: Option<String>,
    /// The voice to speak in.
    pub voice: Option<VoiceFields>,
    /// The format of the text.
    pub text_format: Option<String>,
    /// Names by which the client wants to be known.
    pub context: Option<Context>,
}

/// A voice, as a client names it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct VoiceFields {
    /// A name of those that are told.
    pub name: Option<String>,
    /// A language, where there is no name.
    pub language: Option<String>,
}

/// The context of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// The conversation's name, which the client chose.
    pub conversation_id: Option<String>,
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    r#type: Cow<'a, str>,
    data: Option<Box<RawValue>>,
    data_length: Option<u64>,
    payload_length: Option<u64>,
}

impl Event {
    /// Reads the fields. Data behind the line are stronger than data in it, as the protocol has it.
    ///
    /// # Errors
    /// When the data are no JSON object, or a field is of another kind.
    pub fn fields(&self) -> Result<Fields, Failure> {
        let wrong = |error: serde_json::Error| {
            Failure::new(
                Code::InvalidJson,
                format!("the data of {:?}: {}", shown(&self.kind), excerpt(&error)),
            )
        };
        let inline: Option<Fields> = match &self.inline {
            Some(data) => object(data.get().as_bytes()).map_err(wrong)?,
            None => None,
        };
        let weaker = inline.unwrap_or_default();
        let stronger: Fields = match self.data.is_empty() {
            true => Fields::default(),
            false => object(&self.data).map_err(wrong)?,
        };
        Ok(Fields {
            text: stronger.text.or(weaker.text),
            voice: stronger.voice.or(weaker.voice),
            text_format: stronger.text_format.or(weaker.text_format),
            context: stronger.context.or(weaker.context),
        })
    }
}

/// Reads a JSON object. Serde would take an array for one, field by field.
fn object<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, serde_json::Error> {
    match bytes.trim_ascii_start().starts_with(b"[") {
        true => Err(serde::de::Error::custom("an array stands where an object should")),
        false => serde_json::from_slice(bytes),
    }
}

/// A name of a client's as it may be shown.
fn shown(name: &str) -> String {
    name.chars().take(80).collect()
}

/// The reason why there is no next event.
#[derive(Debug)]
pub enum End {
    /// The client has gone.
    Left,
    /// What it sent is no event: where the next one would begin is unknown.
    Broken(Failure),
}

impl From<io::Error> for End {
    fn from(_: io::Error) -> Self {
        Self::Left
    }
}

/// Reads events.
#[derive(Debug)]
pub struct EventReader<R> {
    inner: R,
    buffer: BytesMut,
}

impl<R: AsyncRead + Unpin> EventReader<R> {
    /// A reader of what a client sends.
    pub fn new(inner: R) -> Self {
        Self {
            inner,
            buffer: BytesMut::new(),
        }
    }

    /// True if something of an event is there that was not read yet.
    pub fn has_more(&self) -> bool {
        !self.buffer.is_empty()
    }

    /// Waits for the first byte of an event.
    ///
    /// # Errors
    /// When the client has left.
    pub async fn begins(&mut self) -> Result<(), End> {
        if self.buffer.is_empty() {
            self.fill().await?;
        }
        Ok(())
    }

    /// Reads an event. Its payload is read and thrown away.
    ///
    /// # Errors
    /// When the client has left, or sent something else.
    pub async fn next(&mut self) -> Result<Event, End> {
        let mut looked = 0;
        let length = loop {
            if let Some(end) = self.buffer[looked..].iter().position(|byte| *byte == b'\n') {
                break looked + end;
            }
            looked = self.buffer.len();
            if looked > MAX_LINE_BYTES {
                return Err(too_large("the line that begins an event", MAX_LINE_BYTES as u64));
            }
            self.fill().await?;
        };
        if length > MAX_LINE_BYTES {
            return Err(too_large("the line that begins an event", MAX_LINE_BYTES as u64));
        }
        let line = self.buffer.split_to(length + 1);
        let line: Line<'_> = object(&line[..length]).map_err(|error| {
            let problem = format!(
                "an event of the Wyoming protocol begins with a line of JSON; this is none: {}",
                excerpt(&error)
            );
            End::Broken(Failure::new(Code::InvalidJson, problem))
        })?;
        let data_length = line.data_length.unwrap_or(0);
        if data_length > MAX_DATA_BYTES {
            return Err(too_large("the data of an event", MAX_DATA_BYTES));
        }
        let mut payload = line.payload_length.unwrap_or(0);
        if payload > MAX_PAYLOAD_BYTES {
            return Err(too_large("the payload of an event", MAX_PAYLOAD_BYTES));
        }
        let (kind, inline) = (line.r#type.into_owned(), line.data);
        let data_length = usize::try_from(data_length).unwrap_or(usize::MAX);
        while self.buffer.len() < data_length {
            self.fill().await?;
        }
        let data = self.buffer.split_to(data_length).freeze();
        while payload > 0 {
            if self.buffer.is_empty() {
                self.fill().await?;
            }
            let piece = usize::try_from(payload).unwrap_or(usize::MAX).min(self.buffer.len());
            self.buffer.advance(piece);
            payload -= piece as u64;
        }
        Ok(Event { kind, inline, data })
    }

    /// Resolves when the client has left; what it sends before is kept, as far as there is room.
    pub async fn left(&mut self) {
        while self.buffer.len() < MAX_AHEAD_BYTES {
            if self.fill().await.is_err() {
                return;
            }
        }
        std::future::pending().await
    }

    /// Reads to the end and throws it away: a connection that is closed with something unread takes the last words with it.
    pub async fn drain(&mut self) {
        loop {
            self.buffer.clear();
            if self.fill().await.is_err() {
                return;
            }
        }
    }

    /// Reads what is there, at least a byte.
    async fn fill(&mut self) -> Result<(), End> {
        self.buffer.reserve(READ_BYTES);
        match self.inner.read_buf(&mut self.buffer).await? {
            0 => Err(End::Left),
            _ => Ok(()),
        }
    }
}

fn too_large(what: &str, most: u64) -> End {
    End::Broken(Failure::new(
        Code::PayloadTooLarge,
        format!("{what} has more than {most} bytes"),
    ))
}

/// Appends an event for a client.
pub fn write(out: &mut Vec<u8>, kind: &str, data: &impl Serialize, payload: &[u8]) {
    #[derive(Serialize)]
    struct Line<'a> {
        r#type: &'a str,
        version: &'static str,
        #[serde(skip_serializing_if = "is_zero")]
        data_length: usize,
        #[serde(skip_serializing_if = "is_zero")]
        payload_length: usize,
    }
    let mut data = serde_json::to_vec(data).unwrap_or_default();
    if data == b"{}" {
        data.clear();
    }
    let line = Line {
        r#type: kind,
        version: VERSION,
        data_length: data.len(),
        payload_length: payload.len(),
    };
    out.extend(serde_json::to_vec(&line).unwrap_or_default());
    out.push(b'\n');
    out.extend(data);
    out.extend_from_slice(payload);
}

/// The data of an event that has none.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct NoData {}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(length: &usize) -> bool {
    *length == 0
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::*;

    /// Reads all events of what comes in pieces of `size`, and the end.
    async fn read(bytes: &[u8], size: usize) -> (Vec<Event>, End) {
        let (client, mut sender) = tokio::io::duplex(64 * 1024);
        let bytes = bytes.to_vec();
        let sending = tokio::spawn(async move {
            for piece in bytes.chunks(size) {
                // Who has heard enough closes.
                if sender.write_all(piece).await.is_err() {
                    return;
                }
                tokio::task::yield_now().await;
            }
        });
        let mut reader = EventReader::new(client);
        let mut events = Vec::new();
        let end = loop {
            match reader.next().await {
                Ok(event) => events.push(event),
                Err(end) => break end,
            }
        };
        drop(reader);
        sending.await.unwrap();
        (events, end)
    }

    #[tokio::test]
    async fn pieces_do_not_matter() {
        let mut bytes = b"{\"type\": \"describe\"}\n".to_vec();
        bytes.extend(b"{\"type\":\"synthesize\",\"data\":{\"text\":\"inline\",\"novelty\":[1]}}\r\n");
        let data = "{\"text\":\"behind — ü\",\"voice\":{\"name\":\"Kore\",\"speaker\":null}}";
        let line = format!(
            "{{\"type\":\"synthesize\",\"version\":\"1\",\"data\":{{\"text\":\"a\",\"context\":{{\"conversation_id\":\"c\"}}}},\
             \"data_length\":{},\"payload_length\":3}}\n",
            data.len()
        );
        bytes.extend(line.bytes());
        bytes.extend(data.bytes());
        bytes.extend([0, b'\n', 255]);
        write(&mut bytes, "ping", &NoData {}, &[]);
        for size in [1, 2, 3, 7, 20, 21, 1_000] {
            let (events, end) = read(&bytes, size).await;
            assert!(matches!(end, End::Left), "{size}");
            let kinds: Vec<_> = events.iter().map(|event| event.kind.as_str()).collect();
            assert_eq!(kinds, ["describe", "synthesize", "synthesize", "ping"], "{size}");
            assert_eq!(events[1].fields().unwrap().text.unwrap(), "inline");
            let fields = events[2].fields().unwrap();
            assert_eq!(fields.text.unwrap(), "behind — ü");
            assert_eq!(fields.voice.unwrap().name.unwrap(), "Kore");
            assert_eq!(fields.context.unwrap().conversation_id.unwrap(), "c");
        }
    }

    #[tokio::test]
    async fn what_is_no_event_ends_at_once() {
        for (bytes, code) in [
            (b"GET / HTTP/1.1\r\n\r\n".to_vec(), Code::InvalidJson),
            (b"{\"type\":5}\n".to_vec(), Code::InvalidJson),
            (b"{\"data\":{}}\n".to_vec(), Code::InvalidJson),
            (b"[\"describe\",null,null,null]\n".to_vec(), Code::InvalidJson),
            (b"\n".to_vec(), Code::InvalidJson),
            (b"{\"type\":\"a\",\"data_length\":-1}\n".to_vec(), Code::InvalidJson),
            (
                b"{\"type\":\"a\",\"data_length\":99999999}\n".to_vec(),
                Code::PayloadTooLarge,
            ),
            (
                b"{\"type\":\"a\",\"payload_length\":18446744073709551615}\n".to_vec(),
                Code::PayloadTooLarge,
            ),
            (vec![b'x'; 200_000], Code::PayloadTooLarge),
        ] {
            for size in [1_000, 200_000] {
                let (events, end) = read(&bytes, size).await;
                assert!(events.is_empty());
                let End::Broken(failure) = end else {
                    panic!("{:?}", String::from_utf8_lossy(&bytes[..20.min(bytes.len())]))
                };
                assert_eq!(failure.code, code);
            }
        }
    }

    #[tokio::test]
    async fn half_an_event_is_none() {
        for bytes in [
            &b"{\"type\":\"ping\"}"[..],
            b"{\"type\":\"ping\",\"data_length\":5}\n{}",
            b"{\"type\":\"ping\",\"payload_length\":5}\nab",
        ] {
            let (events, end) = read(bytes, 4).await;
            assert!(events.is_empty() && matches!(end, End::Left));
        }
    }

    #[tokio::test]
    async fn fields_of_another_kind_are_named() {
        let (events, _) = read(b"{\"type\":\"synthesize\",\"data\":{\"text\":7}}\n", 50).await;
        let failure = events[0].fields().unwrap_err();
        assert!(failure.message.contains("synthesize"), "{}", failure.message);
        let (events, _) = read(
            b"{\"type\":\"a\",\"data_length\":2}\n[]{\"type\":\"b\",\"data\":null}\n",
            50,
        )
        .await;
        assert!(events[0].fields().is_err());
        let (arrays, _) = read(b"{\"type\":\"a\",\"data\":[\"text\",null,null,null]}\n", 50).await;
        assert!(arrays[0].fields().is_err());
        assert!(events[1].fields().unwrap().text.is_none());
    }

    #[test]
    fn events_are_written_as_the_protocol_has_them() {
        let mut out = Vec::new();
        write(&mut out, "audio-chunk", &serde_json::json!({"rate": 1}), b"\x01\x02");
        assert_eq!(
            out,
            b"{\"type\":\"audio-chunk\",\"version\":\"1.10.2\",\"data_length\":10,\"payload_length\":2}\n{\"rate\":1}\x01\x02"
        );
    }
}
