//! The tool that speaks: the samples of a stream as one file in Base64.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::header;
use quartet_api::Code;
use quartet_api::operations::TTS_STREAM;
use quartet_api::tools::{AUDIO_FORMATS, SpeakArguments, Spoken};
use quartet_api::tts::{ENGINE_HEADER, SAMPLE_RATE, SpeechRequest};
use quartet_audio_encoding::{Encoder, Format};
use serde_json::{Value, json};

use super::progress::{self, Telling};
use super::result::{Outcome, ToolResult, text_content};
use crate::failure::Failure;
use crate::http::doors::reply;
use crate::http::doors::speech::WavReader;
use crate::http::doors::translate::{self, Translate};
use crate::http::doors::visit::{Call, Visit};

/// Largest file in a result, in bytes. In Base64 and with what stands around it, it stays below 1 MiB, which is the largest
/// event that Python's client takes.
const MAX_AUDIO_BYTES: u64 = 736 * 1024;

/// Bytes of MP3 in a second: 64 kbit/s.
const MP3_BYTES_A_SECOND: u64 = 8_000;

/// Bytes of the header of a WAV file.
const WAV_HEADER_BYTES: u64 = 44;

/// Speech between two notifications of progress, in seconds.
const PROGRESS_SECONDS: f64 = 1.0;

/// Speaks.
///
/// # Errors
/// When speech cannot be made, or the file would be too large.
pub async fn speak(asked: SpeakArguments, telling: Telling, visit: &mut Visit<'_>) -> Result<Outcome, Failure> {
    let mp3 = match asked.format.as_deref() {
        None => true,
        Some(name) if name == AUDIO_FORMATS[0] => true,
        Some(name) if name == AUDIO_FORMATS[1] => false,
        Some(_) => {
            return Err(Failure::field(
                "format",
                format!("takes {}", AUDIO_FORMATS.join(" or ")),
            ));
        }
    };
    let request = SpeechRequest {
        text: asked.text,
        language: asked.language,
        voice: asked.voice,
        engine: asked.engine,
        speed: asked.speed,
        timings: None,
    };
    let response = visit.call(Call::json(&TTS_STREAM, &request)).await?;
    if !response.status().is_success() {
        reply::take::<Value>(response, &[]).await?;
        return Err(Failure::internal("a failure that is none"));
    }
    let (parts, body) = response.into_parts();
    let text = |name: &str| parts.headers.get(name)?.to_str().ok().map(str::to_owned);
    // The length is known before the first sample, so nothing is spoken in vain.
    let length = text(header::CONTENT_LENGTH.as_str()).and_then(|length| length.parse::<u64>().ok());
    let seconds = length.map(|bytes| bytes.saturating_sub(WAV_HEADER_BYTES) / (2 * u64::from(SAMPLE_RATE)));
    let size = match mp3 {
        true => seconds.map(|seconds| seconds * MP3_BYTES_A_SECOND),
        false => length,
    };
    if let (Some(size), Some(seconds)) = (size, seconds)
        && size > MAX_AUDIO_BYTES
    {
        let most = MAX_AUDIO_BYTES
            / if mp3 {
                MP3_BYTES_A_SECOND
            } else {
                2 * u64::from(SAMPLE_RATE)
            };
        return Err(Failure::new(
            Code::TextTooLong,
            format!(
                "field `text` makes {seconds} seconds of speech; a result takes {most} of this format: send it in parts"
            ),
        ));
    }
    let streams = telling.streams();
    let speech = Speech {
        telling,
        wav: WavReader::default(),
        encoder: None,
        mp3,
        samples: 0,
        file: Vec::new(),
        language: text(header::CONTENT_LANGUAGE.as_str()),
        engine: text(ENGINE_HEADER),
    };
    let guests = visit.operator().runtime.guests.clone();
    let body = translate::apart(body, speech, visit.id(), &guests);
    Ok(Outcome::Streamed(progress::response(streams, body)))
}

/// Speech on its way into a result.
struct Speech {
    telling: Telling,
    wav: WavReader,
    encoder: Option<Encoder>,
    mp3: bool,
    samples: u64,
    file: Vec<u8>,
    language: Option<String>,
    engine: Option<String>,
}

impl Speech {
    fn mime_type(&self) -> &'static str {
        if self.mp3 { "audio/mpeg" } else { "audio/wav" }
    }

    fn seconds(&self) -> f64 {
        let rate = self.wav.signal().map_or(SAMPLE_RATE, |signal| signal.rate);
        self.samples as f64 / f64::from(rate)
    }
}

impl Translate for Speech {
    fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        let samples = self.wav.push(piece)?;
        self.samples += samples.len() as u64;
        if !self.mp3 {
            self.file.extend_from_slice(piece);
        }
        let Some(signal) = self.wav.signal() else {
            return Ok(());
        };
        if self.mp3 {
            let encoder = match &mut self.encoder {
                Some(encoder) => encoder,
                none => {
                    let encoder = Encoder::new(Format::Mp3, signal.rate, signal.samples);
                    none.insert(encoder.map_err(|error| error.to_string())?)
                }
            };
            let encoded = encoder.push(&samples, &mut self.file);
            encoded.map_err(|error| error.to_string())?;
        }
        if self.file.len() as u64 > MAX_AUDIO_BYTES + MP3_BYTES_A_SECOND {
            return Err("the speech is longer than its header says".to_owned());
        }
        let total = (signal.samples > 0).then(|| signal.samples as f64 / f64::from(signal.rate));
        let seconds = self.seconds();
        let message = format!("{seconds:.0} seconds spoken");
        self.telling.progress(seconds, PROGRESS_SECONDS, total, &message, out);
        Ok(())
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Result<(), String> {
        if self.wav.signal().is_none() {
            return Err("the speech ended before it began".to_owned());
        }
        if let Some(encoder) = self.encoder.take() {
            let encoded = encoder.finish(&mut self.file);
            encoded.map_err(|error| error.to_string())?;
        }
        let mime_type = self.mime_type();
        let seconds = (self.seconds() * 100.0).round() / 100.0;
        let spoken = Spoken {
            language: self.language.take(),
            engine: self.engine.take(),
            seconds,
            mime_type: mime_type.to_owned(),
        };
        let data = BASE64_STANDARD.encode(std::mem::take(&mut self.file));
        let result = ToolResult {
            content: vec![
                json!({ "type": "audio", "data": data, "mimeType": mime_type }),
                text_content(format!("{seconds} seconds of speech as {mime_type}.")),
            ],
            structured: serde_json::to_value(spoken).ok(),
            is_error: false,
        };
        self.telling.end(result, out);
        Ok(())
    }
}
