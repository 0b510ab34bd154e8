//! `POST /v1/audio/speech`: speech in the format that is asked for, while it is spoken.

mod audio;
mod request;

use bytes::Bytes;
use http::{HeaderMap, Response, header};
use http_body::Body;
use quartet_api::Code;
use quartet_api::operations::TTS_STREAM;
use quartet_api::tts::{SpeechFormat, SpeechRequest};

pub use self::request::{OPENAI_VOICES, SPEECH_MODEL};

use self::audio::AudioEvents;
use self::request::{Asked, StreamFormat};
use super::reply::{self, EVENT_STREAM, Names};
use super::translate;
use super::visit::{Call, Visit};
use crate::body::ResponseBody;
use crate::failure::Failure;

/// The fields of the operation that have another name here.
const NAMES: Names = &[("format", FORMAT_FIELD), ("text", "input")];

/// The field that names the format.
const FORMAT_FIELD: &str = "response_format";

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
        format: Some(format.name().to_owned()),
        timings: None,
    };
    let response = visit.call(Call::json(&TTS_STREAM, &asked)).await?;
    if !response.status().is_success() {
        return reply::refused(response, NAMES).await;
    }
    let (parts, body) = response.into_parts();
    expect(format, &parts.headers, FORMAT_FIELD)?;
    let (mut response, headers) = match stream_format {
        StreamFormat::Audio => (reply::streamed(format.media_type(), body), FILE_HEADERS),
        StreamFormat::Events => {
            let body = translate::inline(body, AudioEvents, visit.id());
            (reply::streamed(EVENT_STREAM, body), SPEECH_HEADERS)
        }
    };
    for name in headers {
        if let Some(value) = parts.headers.get(name) {
            response.headers_mut().insert(name, value.clone());
        }
    }
    Ok(response)
}

/// Headers of the operation's answer that say something of the speech.
const SPEECH_HEADERS: &[header::HeaderName] = &[header::CONTENT_LANGUAGE];

/// The same, and those that say something of its file.
const FILE_HEADERS: &[header::HeaderName] = &[
    header::CONTENT_LANGUAGE,
    header::CONTENT_DISPOSITION,
    header::CONTENT_LENGTH,
];

/// Checks that speech comes in the format that was asked for: a component of somebody else's may know one only, and pass over
/// what it is asked for.
///
/// # Errors
/// When it comes in another one; `field` is the client's name for the format.
pub fn expect(format: SpeechFormat, headers: &HeaderMap, field: &str) -> Result<(), Failure> {
    let came = headers.get(header::CONTENT_TYPE).map(|value| value.to_str());
    if let Some(Ok(came)) = came
        && came.split(';').next() == format.media_type().split(';').next()
    {
        return Ok(());
    }
    let came = came.and_then(Result::ok).unwrap_or("no media type");
    let problem = format!(
        "field `{field}` is \"{}\", and the speech component that serves here answers with {came}, whatever is asked for",
        format.name()
    );
    Err(Failure::new(Code::Unavailable, problem).of_field(field))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn speech_in_another_format_is_none() {
        let came = |format: SpeechFormat, media_type: &'static str| {
            let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(media_type))]);
            expect(format, &headers, "response_format")
        };
        for format in SpeechFormat::ALL {
            assert_eq!(came(format, format.media_type()), Ok(()));
        }
        assert_eq!(came(SpeechFormat::Wav, "audio/wav; codecs=1"), Ok(()));
        let failure = came(SpeechFormat::Mp3, "audio/wav").unwrap_err();
        assert_eq!(failure.code, Code::Unavailable);
        assert_eq!(failure.wrong_field(), Some("response_format"));
        assert!(failure.message.contains("\"mp3\"") && failure.message.contains("audio/wav"));
        assert!(expect(SpeechFormat::Wav, &HeaderMap::new(), "format").is_err());
    }
}
