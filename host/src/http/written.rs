//! Answers in events, put together again: whoever does not wait for an answer asks for events, because they have more time.

use bytes::Bytes;
use http::StatusCode;
use quartet_api::chat::ChatToken;
use quartet_api::progress::{Progress, Stage};
use quartet_api::tts::{SpeechResult, StreamedAudio};
use quartet_api::{Code, FailureBody, Success};

use crate::http::doors::events::{Event, Events};

/// An answer in events, put together again.
#[derive(Default)]
pub struct Written {
    events: Events,
    /// Characters of the answer so far, where a language model writes it.
    characters: u64,
    /// The audio so far, as Base64, where the answer is speech.
    audio: String,
    end: Option<(StatusCode, Bytes)>,
}

/// News of an answer that is on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// Characters that are written.
    Characters(u64),
    /// The part of a step that is done, counted in [`Stage::unit`].
    Step {
        /// The step.
        stage: Stage,
        /// Units that are done.
        done: u64,
        /// Units that it is about.
        total: u64,
    },
    /// The text of a page, in JSON.
    Page(Bytes),
}

impl Written {
    /// Takes a piece of the stream, and returns what it tells.
    ///
    /// # Errors
    /// When it is none of the contract's.
    pub fn push(&mut self, piece: &[u8]) -> Result<Vec<Told>, String> {
        let mut told = Vec::new();
        for Event { name, data } in self.events.push(piece)? {
            let wrong = |error: serde_json::Error| format!("an event is not the contract's: {error}");
            match name.as_str() {
                "token" => {
                    let token: ChatToken = serde_json::from_str(&data).map_err(wrong)?;
                    self.characters += token.text.chars().count() as u64;
                    told.push(Told::Characters(self.characters));
                }
                "audio" => {
                    let piece: StreamedAudio = serde_json::from_str(&data).map_err(wrong)?;
                    self.audio.push_str(&piece.audio_base64);
                }
                "page" => told.push(Told::Page(data.into())),
                "progress" => {
                    let Progress { stage, done, total } = serde_json::from_str(&data).map_err(wrong)?;
                    if let Some((done, total)) = done.zip(total) {
                        let (done, total) = (done as u64, total as u64);
                        told.push(Told::Step { stage, done, total });
                    }
                }
                "done" => self.end = Some((StatusCode::OK, data.into())),
                "error" => {
                    let failure: FailureBody = serde_json::from_str(&data).map_err(wrong)?;
                    let status = Code::from_word(&failure.code).map_or(500, Code::status);
                    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                    self.end = Some((status, data.into()));
                }
                _ => {}
            }
        }
        Ok(told)
    }

    /// The status and the body that the operation would have answered with.
    ///
    /// # Errors
    /// When the stream had no end.
    pub fn end(self) -> Result<(StatusCode, Bytes), String> {
        let (status, body) = self.end.ok_or_else(|| "the answer's events have no end".to_owned())?;
        if self.audio.is_empty() || status != StatusCode::OK {
            return Ok((status, body));
        }
        let wrong = |error: serde_json::Error| format!("the end of spoken events is not the contract's: {error}");
        let mut answer: Success<SpeechResult> = serde_json::from_slice(&body).map_err(wrong)?;
        answer.data.audio_base64 = self.audio;
        Ok((status, serde_json::to_vec(&answer).map_err(wrong)?.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Result<(StatusCode, Bytes, u64), String> {
        let mut written = Written::default();
        for piece in text.as_bytes().chunks(7) {
            written.push(piece)?;
        }
        let characters = written.characters;
        written.end().map(|(status, body)| (status, body, characters))
    }

    #[test]
    fn events_become_the_answer_that_they_end_with() {
        let (status, body, characters) =
            written("event: token\ndata: {\"text\":\"Gr\u{fc}n\"}\n\nevent: done\ndata: {\"success\":true}\n\n")
                .unwrap();
        assert_eq!(
            (status, &body[..], characters),
            (StatusCode::OK, &b"{\"success\":true}"[..], 4)
        );
        let failure = r#"{"success":false,"error":"no model","code":"unavailable"}"#;
        let (status, body, _) = written(&format!("event: error\ndata: {failure}\n\n")).unwrap();
        assert_eq!(
            (status, &body[..]),
            (StatusCode::SERVICE_UNAVAILABLE, failure.as_bytes())
        );
        assert!(written("event: token\ndata: {\"text\":\"a\"}\n\n").is_err());
    }

    #[test]
    fn pieces_of_audio_stand_in_the_answer_that_they_come_before() {
        let result = |audio: &str| {
            format!(
                r#"{{"success":true,"data":{{"message":"m","text":"Yes.","language":"English","voice":"Kore","audioFormat":"WAV","audioSize":4,"audioBase64":"{audio}"}}}}"#
            )
        };
        let progress = r#"{"stage":"speaking","done":1,"total":2}"#;
        let events = format!(
            "event: audio\ndata: {{\"audioBase64\":\"QUJD\"}}\n\nevent: progress\ndata: {progress}\n\n\
             event: audio\ndata: {{\"audioBase64\":\"RA==\"}}\n\nevent: done\ndata: {}\n\n",
            result("")
        );
        let mut written = Written::default();
        let seconds = Told::Step {
            stage: Stage::Speaking,
            done: 1,
            total: 2,
        };
        assert_eq!(written.push(events.as_bytes()), Ok(vec![seconds]));
        assert_eq!((Stage::Speaking.unit(), Stage::Reading.unit()), ("seconds", "pages"));
        let (status, body) = written.end().unwrap();
        assert_eq!(
            (status, String::from_utf8_lossy(&body).into_owned()),
            (StatusCode::OK, result("QUJDRA=="))
        );
    }

    #[test]
    fn events_of_a_document_tell_of_its_pages() {
        let page = r#"{"page":2,"text":"Gr\u00fcn","source":"ocr"}"#;
        let events = format!(
            "event: progress\ndata: {{\"stage\":\"recognising\",\"done\":1,\"total\":3}}\n\nevent: page\ndata: {page}\n\n\
             event: progress\ndata: {{\"stage\":\"searching\"}}\n\n"
        );
        let pages = Told::Step {
            stage: Stage::Recognising,
            done: 1,
            total: 3,
        };
        let told = Written::default().push(events.as_bytes());
        assert_eq!(told, Ok(vec![pages, Told::Page(page.into())]));
    }
}
