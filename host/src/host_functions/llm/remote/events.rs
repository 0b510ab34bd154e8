//! Reads the server's answer: server-sent events (WHATWG HTML, 9.2), each with a piece of the answer as JSON.

use serde::Deserialize;

use super::super::types::Finish;

/// Largest event, in bytes.
const MAX_EVENT_BYTES: usize = 1024 * 1024;

/// Splits a stream into the data of its events.
#[derive(Debug, Default)]
pub struct Events {
    /// A line whose end has not come.
    line: Vec<u8>,
    /// The data of an event whose end has not come.
    data: String,
    /// The last byte was a carriage return, so a line feed that follows ends no other line.
    returned: bool,
}

impl Events {
    /// Takes the next bytes and gives the data of the events that they complete.
    ///
    /// # Errors
    /// When an event is larger than any that a language model sends, or is not UTF-8.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<String>, String> {
        let mut events = Vec::new();
        for byte in bytes {
            match byte {
                b'\n' if std::mem::take(&mut self.returned) => {}
                b'\n' | b'\r' => {
                    self.returned = *byte == b'\r';
                    let line = std::mem::take(&mut self.line);
                    self.end_line(&line, &mut events)?;
                }
                _ => {
                    self.returned = false;
                    self.line.push(*byte);
                }
            }
            if self.line.len() + self.data.len() > MAX_EVENT_BYTES {
                return Err(format!("an event has more than {MAX_EVENT_BYTES} bytes"));
            }
        }
        Ok(events)
    }

    fn end_line(&mut self, line: &[u8], events: &mut Vec<String>) -> Result<(), String> {
        if line.is_empty() {
            if !self.data.is_empty() {
                events.push(std::mem::take(&mut self.data));
            }
            return Ok(());
        }
        // Comments, names, numbers of events: nothing that an answer needs.
        let Some(data) = line.strip_prefix(b"data:") else {
            return Ok(());
        };
        let data = data.strip_prefix(b" ").unwrap_or(data);
        let data = std::str::from_utf8(data).map_err(|_| "an event is not UTF-8".to_owned())?;
        if !self.data.is_empty() {
            self.data.push('\n');
        }
        self.data.push_str(data);
        Ok(())
    }
}

/// The content of an event.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct EventContent {
    /// A piece of the answer.
    pub text: String,
    /// The reason why it ended, if it did.
    pub finish: Option<Finish>,
    /// Tokens of the prompt, those of them that were cached, tokens of the answer.
    pub usage: Option<(u32, u32, u32)>,
    /// The stream is over.
    pub done: bool,
}

/// Reads an event.
///
/// # Errors
/// When it is none of a language model, or says that something failed; what, for the operator.
pub fn read(data: &str) -> Result<EventContent, String> {
    if data.trim() == "[DONE]" {
        return Ok(EventContent {
            done: true,
            ..EventContent::default()
        });
    }
    let chunk: Chunk = serde_json::from_str(data).map_err(|error| {
        let begin: String = data.chars().take(100).collect();
        format!("an event is no piece of an answer ({error}): {begin:?}")
    })?;
    if let Some(error) = chunk.error {
        return Err(format!("the server says: {error}"));
    }
    let choice = chunk.choices.into_iter().next().unwrap_or_default();
    Ok(EventContent {
        text: choice.delta.content.unwrap_or_default(),
        finish: choice.finish_reason.map(|reason| match reason.as_str() {
            "length" => Finish::Length,
            _ => Finish::Stop,
        }),
        usage: chunk.usage.map(|usage| {
            let cached = usage.prompt_tokens_details.and_then(|details| details.cached_tokens);
            (usage.prompt_tokens, cached.unwrap_or(0), usage.completion_tokens)
        }),
        done: false,
    })
}

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<Usage>,
    error: Option<serde_json::Value>,
}

#[derive(Default, Deserialize)]
struct Choice {
    #[serde(default)]
    delta: Delta,
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct Delta {
    content: Option<String>,
}

#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    prompt_tokens: u32,
    #[serde(default)]
    completion_tokens: u32,
    prompt_tokens_details: Option<Details>,
}

#[derive(Deserialize)]
struct Details {
    cached_tokens: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(bytes: &[u8], size: usize) -> Vec<String> {
        let mut events = Events::default();
        bytes
            .chunks(size)
            .flat_map(|chunk| events.push(chunk).unwrap())
            .collect()
    }

    #[test]
    fn events_are_found_however_they_are_cut() {
        let stream = ": hello\r\ndata: {\"a\":\"é\"}\r\n\r\nevent: x\ndata:1\ndata: 2\n\n\ndata: [DONE]\r\rdata: half";
        for size in 1..stream.len() {
            assert_eq!(
                events(stream.as_bytes(), size),
                ["{\"a\":\"é\"}", "1\n2", "[DONE]"],
                "{size}"
            );
        }
    }

    #[test]
    fn what_never_ends_is_given_up() {
        let mut events = Events::default();
        assert!(events.push(&vec![b'a'; MAX_EVENT_BYTES]).is_ok());
        assert!(events.push(b"aa").is_err());
        assert!(Events::default().push(b"data: \xff\n").is_err());
    }

    #[test]
    fn reads_pieces_ends_and_counts() {
        let piece = read(r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"}}]}"#).unwrap();
        assert_eq!((piece.text.as_str(), piece.finish), ("Hi", None));
        let end = read(r#"{"choices":[{"delta":{"content":null},"finish_reason":"length"}],"usage":null}"#).unwrap();
        assert_eq!((end.text.as_str(), end.finish), ("", Some(Finish::Length)));
        let usage = r#"{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":4}}}"#;
        assert_eq!(read(usage).unwrap().usage, Some((9, 4, 3)));
        assert!(read(" [DONE]").unwrap().done);
        assert!(read(r#"{"error":{"message":"no"}}"#).unwrap_err().contains("no"));
        assert!(read("<html>").is_err());
    }
}
