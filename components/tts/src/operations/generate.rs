//! `POST /tts/generate`: the file as Base64 in the success envelope, made while it is sent; or in events, for clients that want
//! to hear of it.

use std::cell::Cell;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use quartet_api::limits::{GENERATE_AUDIO_SECONDS, NATURAL_GENERATE_SECONDS};
use quartet_api::operations::TTS_GENERATE;
use quartet_api::tts::{SAMPLE_RATE, SpeechFormat, SpeechResult, StreamedAudio, WordTiming};
use quartet_api::{Code, Progress, Stage, Success};
use quartet_component_sdk::{Failure, Request, Response, write_event};
use quartet_formant_synthesis as speech;
use quartet_text_normalization::alignment::Timing;

use super::stream;
use super::synthesis_request::{Limits, SynthesisRequest};
use crate::encode;

/// The whole answer has to be there in 30 seconds, so natural speech is for about 20 seconds of sound, and is made before
/// anything is sent: where that takes too long, the time is enough for fast speech.
const LIMITS: Limits = Limits {
    samples: |format| seconds(format) * SAMPLE_RATE as u64,
    natural_samples: NATURAL_GENERATE_SECONDS * SAMPLE_RATE as u64,
    timed_samples: NATURAL_GENERATE_SECONDS * SAMPLE_RATE as u64,
    automatic_tokens: 300,
    timed_automatic_tokens: 300,
    making: Some(Duration::from_secs(14)),
    times_in_file: false,
    advice: "use /api/v1/tts/stream, which has no such limit",
};

/// Events have the time of a stream, and words with their times go into the result whatever the format is.
const EVENT_LIMITS: Limits = Limits {
    times_in_file: false,
    ..stream::LIMITS
};

/// The longest audio of an answer, in seconds: what an encoder has time for, three times over, on a machine that does other
/// things, too. MP3 and FLAC are encoded at about 150 times the speed of listening there, Opus at 60 times.
const fn seconds(format: SpeechFormat) -> u64 {
    match format {
        SpeechFormat::Wav | SpeechFormat::Pcm => GENERATE_AUDIO_SECONDS,
        SpeechFormat::Mp3 | SpeechFormat::Flac => 20 * 60,
        SpeechFormat::Opus => 10 * 60,
    }
}

pub(super) fn answer(request: &mut Request) -> Result<Response, Failure> {
    if TTS_GENERATE.answer.streams(request.header("accept")) {
        return events(request);
    }
    let planned = SynthesisRequest::read(request, &LIMITS)?;
    let size = planned.file_size(&[]);
    let envelope = Envelope::new(&planned, size).ok_or_else(unwritten)?;
    let length = size.map(|size| envelope.length() + encode::encoded_length(size));
    let Envelope { before, after } = envelope;
    let made = Rc::new(Cell::new(0));
    let counted = Rc::clone(&made);
    let file = planned
        .into_file(&[], |_| {})?
        .inspect(move |piece| counted.set(counted.get() + piece.len() as u64));
    let end = std::iter::once_with(move || match size {
        Some(_) => after,
        None => with_size(after, made.get()),
    });
    let chunks = std::iter::once(before).chain(encode::base64(file)).chain(end);
    Ok(Response::json_stream(length, chunks))
}

/// The file in events `audio` as it is made, the seconds of it that are made, and the result without its audio at the end.
fn events(request: &mut Request) -> Result<Response, Failure> {
    let planned = SynthesisRequest::read(request, &EVENT_LIMITS)?;
    let mut result = result(&planned, 0);
    let total = whole_seconds(planned.samples());
    let samples = Rc::new(Cell::new(0));
    let counted = Rc::clone(&samples);
    let size = Rc::new(Cell::new(0));
    let sized = Rc::clone(&size);
    let file = planned
        .into_file(&[], move |made| counted.set(counted.get() + made as u64))?
        .inspect(move |piece| sized.set(sized.get() + piece.len() as u64));
    let mut pieces = encode::base64(file);
    Ok(Response::events(move |out| {
        let mut told = None;
        loop {
            let piece = pieces.next();
            let done = whole_seconds(samples.get());
            if told != Some(done) {
                told = Some(done);
                let progress = Progress {
                    stage: Stage::Speaking,
                    done: Some(done),
                    total: Some(total),
                };
                write_event(out, "progress", &progress)?;
            }
            let Some(piece) = piece else { break };
            // A piece that is too short for letters of its own goes with the next one.
            if !piece.is_empty() {
                let audio_base64 = String::from_utf8(piece).map_err(io::Error::other)?;
                write_event(out, "audio", &StreamedAudio { audio_base64 })?;
            }
        }
        result.audio_size = size.get();
        write_event(out, "done", &Success::new(result))
    }))
}

fn unwritten() -> Failure {
    Failure::new(Code::Internal, "the result could not be written")
}

/// Seconds that have begun.
fn whole_seconds(samples: u64) -> usize {
    usize::try_from(samples.div_ceil(u64::from(SAMPLE_RATE))).unwrap_or(usize::MAX)
}

/// The words with their times in seconds, to the millisecond.
fn timings(planned: &SynthesisRequest) -> Option<Vec<WordTiming>> {
    let seconds = |samples| (speech::seconds(samples) * 1_000.0).round() / 1_000.0;
    let word = |timing: &Timing| WordTiming {
        word: planned.text[timing.written.clone()].to_owned(),
        start: seconds(timing.start),
        end: seconds(timing.end),
    };
    planned
        .timings
        .as_ref()
        .map(|timings| timings.iter().map(word).collect())
}

/// The result without its audio.
fn result(planned: &SynthesisRequest, audio_size: u64) -> SpeechResult {
    let (language, voice) = (planned.language.name(), planned.voice.name());
    let seconds = speech::seconds(planned.samples());
    let format = planned.format;
    SpeechResult {
        message: format!("Speech generated: {seconds:.1} seconds of {language}, spoken by {voice}."),
        text: planned.text.to_owned(),
        language: language.to_owned(),
        voice: voice.to_owned(),
        engine: Some(planned.engine().name().to_owned()),
        audio_format: format.title().to_owned(),
        mime_type: planned.names_format.then(|| format.media_type().to_owned()),
        audio_size,
        timings: timings(planned),
        warnings: planned.warnings.clone(),
        audio_base64: String::new(),
    }
}

/// The result in its envelope, without its audio.
struct Envelope {
    before: Vec<u8>,
    after: Vec<u8>,
}

/// The field of a size that is not known, as it is written. Nothing in a string is: its quotes would be escaped.
const NO_SIZE: &[u8] = b"\"audioSize\":0,";

impl Envelope {
    /// The envelope of audio of this size; where that is not known, it goes behind the audio.
    fn new(planned: &SynthesisRequest, audio_size: Option<u64>) -> Option<Self> {
        Self::around(&result(planned, audio_size.unwrap_or_default()), audio_size.is_some())
    }

    fn around(result: &SpeechResult, has_size: bool) -> Option<Self> {
        let mut before = serde_json::to_vec(&Success::new(result)).ok()?;
        // The audio is the last string in the document, empty so far: it goes between its two quotes.
        let quote = before.iter().rposition(|byte| *byte == b'"')?;
        let after = before.split_off(quote);
        if !has_size {
            let field = before.windows(NO_SIZE.len()).position(|bytes| bytes == NO_SIZE)?;
            before.drain(field..field + NO_SIZE.len());
        }
        Some(Self { before, after })
    }

    fn length(&self) -> u64 {
        (self.before.len() + self.after.len()) as u64
    }
}

/// What comes after the audio, with the audio's size as a field: it stands behind the quote that ends the audio.
fn with_size(mut after: Vec<u8>, size: u64) -> Vec<u8> {
    let field = format!(",\"audioSize\":{size}");
    after.splice(1..1, field.into_bytes());
    after
}

#[cfg(test)]
mod tests {
    use quartet_api::tts::WAV;

    use super::*;

    fn result(text: &str) -> SpeechResult {
        SpeechResult {
            message: text.to_owned(),
            text: text.to_owned(),
            language: "English".to_owned(),
            voice: "Kore".to_owned(),
            engine: None,
            audio_format: WAV.to_owned(),
            mime_type: None,
            audio_size: 0,
            timings: Some(vec![WordTiming {
                word: text.to_owned(),
                start: 0.5,
                end: 1.25,
            }]),
            warnings: vec![text.to_owned()],
            audio_base64: String::new(),
        }
    }

    #[test]
    fn a_size_that_is_known_late_stands_behind_the_audio() {
        for text in [
            "Yes.",
            r#"say "audioSize":0, or \"audioSize\":0,"#,
            "\",\"audioSize\":0,\"",
        ] {
            let mut expected = result(text);
            let Envelope { before, after } = Envelope::around(&expected, false).unwrap();
            let document = [before, b"QUJD".to_vec(), with_size(after, 3)].concat();
            let read: Success<SpeechResult> = serde_json::from_slice(&document).unwrap();
            expected.audio_size = 3;
            expected.audio_base64 = "QUJD".to_owned();
            assert_eq!(read.data, expected, "{}", String::from_utf8_lossy(&document));
            assert!(document.ends_with(b"\"audioBase64\":\"QUJD\",\"audioSize\":3}}"));
        }
    }

    #[test]
    fn a_size_that_is_known_stands_where_it_did() {
        let Envelope { before, after } = Envelope::around(&result("Yes."), true).unwrap();
        let document = [before, after].concat();
        let whole = serde_json::to_vec(&Success::new(result("Yes."))).unwrap();
        assert!(document == whole);
    }
}
