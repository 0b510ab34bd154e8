//! `POST /v1/audio/speech`: speech in the format that is asked for, while it is spoken.

mod audio;
mod request;
mod wav;

use bytes::Bytes;
use http::{HeaderValue, Response, header};
use http_body::Body;
use quartet_api::operations::TTS_STREAM;
use quartet_api::tts::SpeechRequest;

pub use self::request::{OPENAI_VOICES, SPEECH_MODEL};
pub use self::wav::WavReader;

use self::audio::Audio;
use self::request::{Asked, StreamFormat};
use super::reply::{self, EVENT_STREAM, Names};
use super::translate;
use super::visit::{Call, Visit};
use crate::body::ResponseBody;
use crate::failure::Failure;

/// The fields of the operation that have another name here.
const NAMES: Names = &[("text", "input")];

/// Answers a request.
///
/// # Errors
/// When the request is wrong, or speech cannot be made.
pub async fn answer<B>(body: B, mut visit: Visit<'_>) -> Result<Response<ResponseBody>, Failure>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
{
    let bytes = visit.read(body).await?;
    let Asked {
        text,
        voice,
        language,
        format,
        stream_format,
        engine,
        speed,
    } = visit.compute(move || request::read(&bytes)).await?;
    let asked = SpeechRequest {
        text,
        language,
        voice: Some(voice.name().to_owned()),
        engine,
        speed,
        timings: None,
    };
    let response = visit.call(Call::json(&TTS_STREAM, &asked)).await?;
    if !response.status().is_success() {
        return reply::refused(response, NAMES).await;
    }
    let (parts, body) = response.into_parts();
    let guests = visit.operator().runtime.guests.clone();
    let mut response = match (stream_format, format.container()) {
        // The component's own bytes, whose number is known.
        (StreamFormat::Audio, None) if format.is_wav() => {
            let mut response = reply::streamed(format.media_type(), body);
            if let Some(length) = parts.headers.get(header::CONTENT_LENGTH) {
                response.headers_mut().insert(header::CONTENT_LENGTH, length.clone());
            }
            response
        }
        (StreamFormat::Audio, _) => {
            let body = translate::apart(body, Audio::new(format, false), visit.id(), &guests);
            reply::streamed(format.media_type(), body)
        }
        (StreamFormat::Events, _) => {
            let body = translate::apart(body, Audio::new(format, true), visit.id(), &guests);
            reply::streamed(EVENT_STREAM, body)
        }
    };
    if stream_format == StreamFormat::Audio {
        response.headers_mut().insert(
            header::CONTENT_DISPOSITION,
            HeaderValue::from_static(format.disposition()),
        );
    }
    if let Some(language) = parts.headers.get(header::CONTENT_LANGUAGE) {
        response
            .headers_mut()
            .insert(header::CONTENT_LANGUAGE, language.clone());
    }
    Ok(response)
}
