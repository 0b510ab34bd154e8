//! Speech: a text as samples, while it is spoken.

use http::header::HeaderValue;
use http_body_util::BodyExt;
use quartet_api::operations::TTS_STREAM;
use quartet_api::tts::{ENGINE_HEADER, Engine, SpeechRequest};
use serde::Serialize;
use serde_json::Value;

use super::client::{Client, Stopped};
use super::event::{Fields, NoData};
use super::text::Text;
use super::voice::{self, Chosen};
use super::wav::WavReader;
use crate::door::wyoming::SYNTHESIZE;
use crate::failure::Failure;
use crate::http::app::App;
use crate::http::doors::{Call, reply};

/// Bytes of samples in an event.
const CHUNK_BYTES: usize = 8 * 1024;

/// Bytes of a sample.
const WIDTH: u16 = 2;

/// Silence before a further sentence of fast speech, in milliseconds: what there would be if both were one text. Each ends with
/// its last sound; natural speech makes a silence of its own.
const PAUSE_MILLISECONDS: u32 = 400;

#[derive(Serialize)]
struct Signal {
    rate: u32,
    width: u16,
    channels: u16,
}

/// A text that is spoken while it comes.
pub struct Speech {
    chosen: Chosen,
    text: Text,
    /// True once something of it was asked for: a text in pieces is one request.
    begun: bool,
    /// The engine, once it is fixed.
    engine: Option<Engine>,
}

impl Speech {
    /// Begins a text.
    ///
    /// # Errors
    /// When there is no such voice, or the text is not to be plain text.
    pub fn begin(fields: &Fields) -> Result<Self, Failure> {
        let plain = |format: &str| format.eq_ignore_ascii_case("text");
        if fields.text_format.as_deref().is_some_and(|format| !plain(format)) {
            return Err(Failure::field("text_format", "takes \"text\": markup is not read"));
        }
        let chosen = voice::choose(fields.voice.as_ref())?;
        Ok(Self {
            chosen,
            text: Text::new(chosen.language),
            begun: false,
            engine: None,
        })
    }

    /// Speaks a text as a whole.
    ///
    /// # Errors
    /// When it cannot be spoken, or the client has left.
    pub async fn whole(mut self, fields: Fields, app: &App, client: &mut Client) -> Result<(), Stopped> {
        let missing = || Failure::missing_field("text", "the text to speak");
        let text = fields.text.ok_or_else(missing)?;
        self.speak(text, app, client).await
    }

    /// Takes a piece of the text, and speaks the sentences that have ended.
    ///
    /// # Errors
    /// When they cannot be spoken, or the client has left.
    pub async fn push(&mut self, fields: Fields, app: &App, client: &mut Client) -> Result<(), Stopped> {
        for sentence in self.text.push(&fields.text.unwrap_or_default())? {
            self.speak(sentence, app, client).await?;
        }
        Ok(())
    }

    /// Speaks what is left, and says that it is the end.
    ///
    /// # Errors
    /// When it cannot be spoken, or the client has left.
    pub async fn end(mut self, app: &App, client: &mut Client) -> Result<(), Stopped> {
        for sentence in self.text.end() {
            self.speak(sentence, app, client).await?;
        }
        Ok(client.send("synthesize-stopped", &NoData {}).await?)
    }

    async fn speak(&mut self, text: String, app: &App, client: &mut Client) -> Result<(), Stopped> {
        let request = SpeechRequest {
            text,
            language: self.chosen.language.map(|language| language.code().to_owned()),
            voice: Some(self.chosen.voice.name().to_owned()),
            engine: self.engine.map(|engine| engine.name().to_owned()),
            speed: None,
            format: None,
            timings: None,
        };
        let call = Call::json(&TTS_STREAM, &request);
        let first = !std::mem::replace(&mut self.begun, true);
        let response = app.call(call, SYNTHESIZE, client.address, first).await?;
        if !response.status().is_success() {
            reply::take::<Value>(response, &[]).await?;
            return Err(Failure::internal("a failure that is none").into());
        }
        let (parts, mut body) = response.into_parts();
        // Whoever heard the fast voice once hears it to the end: by the sentence, two would change places on a busy machine.
        let fast = parts.headers.get(ENGINE_HEADER) == Some(&HeaderValue::from_static(Engine::Fast.name()));
        if fast {
            self.engine = Some(Engine::Fast);
        }
        let pause = if fast && !first { PAUSE_MILLISECONDS } else { 0 };
        let mut wav = WavReader::default();
        let mut begun = false;
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| cut(&error.to_string()))?;
            let Some(piece) = frame.data_ref() else { continue };
            let samples = wav.push(piece).map_err(|problem| cut(&problem))?;
            let Some(signal) = wav.signal() else { continue };
            let signal = Signal {
                rate: signal.rate,
                width: WIDTH,
                channels: 1,
            };
            let mut bytes = Vec::new();
            if !std::mem::replace(&mut begun, true) {
                client.add("audio-start", &signal, &[]);
                let silence = u64::from(signal.rate) * u64::from(pause) / 1_000 * u64::from(WIDTH);
                bytes.resize(usize::try_from(silence).unwrap_or_default(), 0);
            }
            bytes.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
            for chunk in bytes.chunks(CHUNK_BYTES) {
                client.add("audio-chunk", &signal, chunk);
            }
            client.flush().await?;
        }
        if !begun {
            return Err(cut("the speech ended before it began").into());
        }
        Ok(client.send("audio-stop", &NoData {}).await?)
    }
}

/// A client never takes half a speech for a whole one: the connection ends without `audio-stop`.
fn cut(problem: &str) -> Failure {
    tracing::error!(problem, "the speech was cut off");
    Failure::internal(problem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quartet_api::Code;

    #[test]
    fn only_plain_text_is_taken() {
        let of = |format: Option<&str>| {
            Speech::begin(&Fields {
                text_format: format.map(str::to_owned),
                ..Fields::default()
            })
            .map(|_| ())
        };
        assert!(of(None).is_ok() && of(Some("text")).is_ok());
        assert_eq!(of(Some("ssml")).unwrap_err().code, Code::InvalidField);
    }
}
