//! The tool that speaks: a stream as one file in Base64.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::header;
use quartet_api::Code;
use quartet_api::operations::TTS_STREAM;
use quartet_api::tools::{AUDIO_FORMATS, SpeakArguments, Spoken};
use quartet_api::tts::{ENGINE_HEADER, SAMPLE_RATE, SpeechFormat, SpeechRequest};
use serde_json::{Value, json};

use super::progress::{self, Telling};
use super::result::{Outcome, ToolResult, text_content};
use crate::failure::Failure;
use crate::http::doors::reply;
use crate::http::doors::speech::expect;
use crate::http::doors::translate::{self, Translate};
use crate::http::doors::visit::{Call, Visit};

/// Largest file in a result, in bytes. In Base64 and with what stands around it, it stays below 1 MiB, which is the largest
/// event that Python's client takes.
const MAX_AUDIO_BYTES: u64 = 736 * 1024;

/// Bytes of MP3 in a second: 64 kbit/s.
const MP3_BYTES_A_SECOND: u64 = 8_000;

/// Bytes of WAV in a second, behind its header.
const WAV_BYTES_A_SECOND: u64 = 2 * SAMPLE_RATE as u64;

/// Bytes of the header of a WAV file.
const WAV_HEADER_BYTES: u64 = 44;

/// Speech between two notifications of progress, in seconds.
const PROGRESS_SECONDS: f64 = 1.0;

/// Speaks.
///
/// # Errors
/// When speech cannot be made, or the file would be too large.
pub async fn speak(asked: SpeakArguments, telling: Telling, visit: &mut Visit<'_>) -> Result<Outcome, Failure> {
    let format = match asked.format.as_deref() {
        None => SpeechFormat::Mp3,
        Some(name) if name == SpeechFormat::Mp3.name() => SpeechFormat::Mp3,
        Some(name) if name == SpeechFormat::Wav.name() => SpeechFormat::Wav,
        Some(_) => {
            return Err(Failure::field(
                "format",
                format!("takes {}", AUDIO_FORMATS.join(" or ")),
            ));
        }
    };
    let (rate, header_bytes) = match format {
        SpeechFormat::Mp3 => (MP3_BYTES_A_SECOND, 0),
        _ => (WAV_BYTES_A_SECOND, WAV_HEADER_BYTES),
    };
    let request = SpeechRequest {
        text: asked.text,
        language: asked.language,
        voice: asked.voice,
        engine: asked.engine,
        speed: asked.speed,
        format: Some(format.name().to_owned()),
        timings: None,
    };
    let response = visit.call(Call::json(&TTS_STREAM, &request)).await?;
    if !response.status().is_success() {
        reply::take::<Value>(response, &[]).await?;
        return Err(Failure::internal("a failure that is none"));
    }
    let (parts, body) = response.into_parts();
    expect(format, &parts.headers, "format")?;
    let text = |name: &str| parts.headers.get(name)?.to_str().ok().map(str::to_owned);
    // The length is known before the first sample, so nothing is spoken in vain.
    let length = text(header::CONTENT_LENGTH.as_str()).and_then(|length| length.parse::<u64>().ok());
    if let Some(size) = length
        && size > MAX_AUDIO_BYTES
    {
        let (seconds, most) = (size / rate, MAX_AUDIO_BYTES / rate);
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
        format,
        rate,
        header_bytes,
        length,
        file: Vec::new(),
        language: text(header::CONTENT_LANGUAGE.as_str()),
        engine: text(ENGINE_HEADER),
    };
    let body = translate::inline(body, speech, visit.id());
    Ok(Outcome::Streamed(progress::response(streams, body)))
}

/// Speech on its way into a result.
struct Speech {
    telling: Telling,
    format: SpeechFormat,
    /// Bytes of a second.
    rate: u64,
    /// Bytes before the first sample.
    header_bytes: u64,
    /// Size of the file in bytes, where it was told.
    length: Option<u64>,
    file: Vec<u8>,
    language: Option<String>,
    engine: Option<String>,
}

impl Speech {
    /// The seconds in so many bytes of the file.
    fn seconds(&self, bytes: u64) -> f64 {
        bytes.saturating_sub(self.header_bytes) as f64 / self.rate as f64
    }
}

impl Translate for Speech {
    fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        self.file.extend_from_slice(piece);
        let bytes = self.file.len() as u64;
        if bytes > MAX_AUDIO_BYTES {
            return Err("the speech is longer than its header says".to_owned());
        }
        let total = self.length.map(|length| self.seconds(length));
        let seconds = self.seconds(bytes);
        let message = format!("{seconds:.0} seconds spoken");
        self.telling.progress(seconds, PROGRESS_SECONDS, total, &message, out);
        Ok(())
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Result<(), String> {
        let bytes = self.file.len() as u64;
        if bytes <= self.header_bytes {
            return Err("the speech ended before it began".to_owned());
        }
        let mime_type = self.format.media_type();
        let seconds = (self.seconds(bytes) * 100.0).round() / 100.0;
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
