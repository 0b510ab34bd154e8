//! MP3 (ISO/IEC 11172-3 and 13818-3, Layer III) at a constant rate.

use rusty_mp3::encode::lametag::{ENCODER_DELAY, extra_priming, frames_for};
use rusty_mp3::{Mp3Encoder, Mp3EncoderConfig, encoder_header};

use crate::error::EncodeError;

/// Speech of one channel at 24 kHz has nothing left to gain above.
pub const KILOBITS: u32 = 64;

/// The rates of MPEG-2 and, below them, those of MPEG-2.5, an extension that decoders know. At those of MPEG-1 the encoder
/// would keep all frames until the end, to move bits between them.
const RATES: [u32; 6] = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000];

fn has(rate: u32) -> bool {
    RATES.contains(&rate)
}

/// Size of the file of so many samples in bytes, where all of its frames are as large.
pub fn file_bytes(rate: u32, samples: u64) -> Option<u64> {
    let header = encoder_header(rate, 1, KILOBITS).ok().filter(|_| has(rate))?;
    let frame_samples = header.version.samples_per_frame();
    let priming = match samples < frame_samples as u64 {
        true => extra_priming(samples, frame_samples),
        false => 0,
    };
    let frames = frames_for(samples, ENCODER_DELAY + priming, frame_samples);
    Some(frames * header.frame_size() as u64)
}

pub struct Mp3 {
    inner: Mp3Encoder,
    rate: u32,
    /// True once the frame that stands before the audio was taken off.
    begun: bool,
}

impl Mp3 {
    pub fn new(rate: u32) -> Result<Self, EncodeError> {
        if !has(rate) {
            return Err(EncodeError::new("MP3", format!("no rate of {rate} Hz")));
        }
        Ok(Self {
            inner: Mp3Encoder::new(Mp3EncoderConfig {
                bitrate_kbps: KILOBITS,
                vbr_quality: None,
            }),
            rate,
            begun: false,
        })
    }

    pub fn push(&mut self, samples: &[i16], out: &mut Vec<u8>) -> Result<(), EncodeError> {
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
            // The first frame is the Info tag, whose counts are known at the end only. In a stream it would tell players
            // that there are no frames; without it they go by the rate, which is constant.
            if std::mem::replace(&mut self.begun, true) {
                out.extend_from_slice(&packet);
            }
        }
    }
}
