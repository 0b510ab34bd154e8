//! Turns the WAV file that speech comes as into another format, and that into events where these are asked for.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use quartet_audio_encoding::Encoder;
use serde::Serialize;

use super::request::Format;
use super::wav::WavReader;
use crate::http::doors::reply::event;
use crate::http::doors::translate::Translate;

/// Rate of samples without a header, which is in their media type.
const PCM_RATE: u32 = quartet_api::tts::SAMPLE_RATE;

/// Speech on its way into another format.
pub struct Audio {
    format: Format,
    events: bool,
    wav: WavReader,
    encoder: Option<Encoder>,
}

impl Audio {
    /// Speech in a format, as events or as it is.
    pub fn new(format: Format, events: bool) -> Self {
        Self {
            format,
            events,
            wav: WavReader::default(),
            encoder: None,
        }
    }

    fn encode(&mut self, piece: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        if self.format.is_wav() {
            out.extend_from_slice(piece);
            return Ok(());
        }
        let samples = self.wav.push(piece)?;
        let Some(signal) = self.wav.signal() else {
            return Ok(());
        };
        let Some(container) = self.format.container() else {
            if signal.rate != PCM_RATE {
                return Err(format!("the speech has {} samples a second", signal.rate));
            }
            out.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
            return Ok(());
        };
        let encoder = match &mut self.encoder {
            Some(encoder) => encoder,
            none => {
                let encoder = Encoder::new(container, signal.rate, signal.samples);
                none.insert(encoder.map_err(|error| error.to_string())?)
            }
        };
        encoder.push(&samples, out).map_err(|error| error.to_string())
    }

    /// Puts what there is now into an event.
    fn send(&self, audio: Vec<u8>, out: &mut Vec<u8>) {
        if !self.events {
            out.extend(audio);
        } else if !audio.is_empty() {
            event(
                out,
                &Delta {
                    r#type: "speech.audio.delta",
                    audio: BASE64_STANDARD.encode(audio),
                },
            );
        }
    }
}

impl Translate for Audio {
    fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        let mut audio = Vec::new();
        self.encode(piece, &mut audio)?;
        self.send(audio, out);
        Ok(())
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Result<(), String> {
        let mut audio = Vec::new();
        if !self.format.is_wav() && self.wav.signal().is_none() {
            return Err("the speech ended before it began".to_owned());
        }
        if let Some(encoder) = self.encoder.take() {
            encoder.finish(&mut audio).map_err(|error| error.to_string())?;
        }
        self.send(audio, out);
        if self.events {
            event(
                out,
                &Done {
                    r#type: "speech.audio.done",
                    usage: Usage::default(),
                },
            );
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct Delta {
    r#type: &'static str,
    audio: String,
}

#[derive(Serialize)]
struct Done {
    r#type: &'static str,
    usage: Usage,
}

/// Speech is not made of tokens: there are none to count.
#[derive(Default, Serialize)]
struct Usage {
    input_tokens: u64,
    output_tokens: u64,
    total_tokens: u64,
}
