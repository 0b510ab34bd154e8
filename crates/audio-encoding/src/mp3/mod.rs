//! MP3 (ISO/IEC 11172-3 and 13818-3, Layer III) at a constant rate.

mod info_tag;

use rusty_mp3::{Mp3Encoder, Mp3EncoderConfig, encoder_header};

use crate::error::EncodeError;
use info_tag::Counts;

/// Speech of one channel at 24 kHz has nothing left to gain above.
pub const KILOBITS: u32 = 64;

/// The rates of MPEG-2 and, below them, those of MPEG-2.5, an extension that decoders know. At those of MPEG-1 the encoder
/// would keep all frames until the end, to move bits between them.
const RATES: [u32; 6] = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000];

/// The counts of the file of so many samples; none for a rate that the format does not have.
fn counts(rate: u32, samples: u64) -> Option<Counts> {
    let header = encoder_header(rate, 1, KILOBITS).ok()?;
    RATES.contains(&rate).then(|| Counts::new(header, samples))
}

/// Size of the file of so many samples in bytes, where all of its frames are as large.
pub fn file_bytes(rate: u32, samples: u64) -> Option<u64> {
    let counts = counts(rate, samples)?;
    let tag = if samples == 0 { 0 } else { counts.tag_bytes() };
    Some(tag + counts.audio_bytes())
}

pub struct Mp3 {
    inner: Mp3Encoder,
    rate: u32,
    /// The frame in front of the audio, until it is taken.
    tag: Vec<u8>,
    /// True once the frame was taken off that the encoder writes in its place.
    begun: bool,
}

impl Mp3 {
    /// An encoder of so many samples. Where their number is unknown (0) there is no tag: it would tell players that there
    /// are no frames. Without it they go by the rate, and play the sound later by the delay of encoder and decoder.
    pub fn new(rate: u32, samples: u64) -> Result<Self, EncodeError> {
        let Some(counts) = counts(rate, samples) else {
            return Err(EncodeError::new("MP3", format!("no rate of {rate} Hz")));
        };
        Ok(Self {
            inner: Mp3Encoder::new(Mp3EncoderConfig {
                bitrate_kbps: KILOBITS,
                vbr_quality: None,
            }),
            rate,
            tag: if samples == 0 { Vec::new() } else { counts.tag() },
            begun: false,
        })
    }

    pub fn push(&mut self, samples: &[i16], out: &mut Vec<u8>) -> Result<(), EncodeError> {
        out.append(&mut self.tag);
        let pushed = self.inner.push_pcm_s16(samples, 1, self.rate);
        pushed.map_err(|error| EncodeError::new("MP3", error))?;
        self.drain(out);
        Ok(())
    }

    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        // Fixes the format where there was no sample at all.
        self.push(&[], out)?;
        self.inner.finish();
        self.drain(out);
        Ok(())
    }

    fn drain(&mut self, out: &mut Vec<u8>) {
        while let Ok(packet) = self.inner.next_packet() {
            // The first frame is the encoder's own tag, whose counts are known at the end only.
            if std::mem::replace(&mut self.begun, true) {
                out.extend_from_slice(&packet);
            }
        }
    }
}
