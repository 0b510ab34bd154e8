//! Speech as MP3, Opus in Ogg and FLAC: mono samples of 16 bits go in as they are spoken, bytes of a file come out.
//!
//! An [`Encoder`] keeps less than a frame of samples (at most 43 ms at 24 kHz), so the first sound leaves long before the
//! last sample is known, and memory does not grow with the speech. What stands before the sound is known before the first
//! sample. The same samples give the same bytes, and decoded they have the same places: every format says how much of its
//! first and last frames is not sound.
//!
//! All encoders are Rust under permissive licences: `rusty_mp3` (Apache-2.0), `ropus` with `ogg` (BSD-3-Clause) and
//! `flac-codec` (MIT or Apache-2.0). Not taken: `shine-rs` and `mp3lame-encoder` (LGPL), `opus` and `audiopus` (a C
//! library and CMake), `flacenc` (needs the whole signal or a source that it polls); for AAC `syom` (needs the whole signal,
//! and is young) and `fdk-aac` (a C library with a licence of its own).

mod error;
mod flac;
mod mp3;
mod opus;

pub use error::EncodeError;

use flac::Flac;
use mp3::Mp3;
use opus::Opus;

/// A format of files that an [`Encoder`] writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// MPEG Audio Layer III, 64 kbit/s.
    Mp3,
    /// Opus in Ogg, about 32 kbit/s.
    Opus,
    /// FLAC: every sample as it was.
    Flac,
}

impl Format {
    /// Bits a second, about, of a format that loses some of the sound.
    pub const fn bit_rate(self) -> Option<u32> {
        match self {
            Format::Mp3 => Some(mp3::KILOBITS * 1_000),
            Format::Opus => Some(opus::BITS),
            Format::Flac => None,
        }
    }

    /// Size of the file of so many samples in bytes, where it does not depend on what they are: that of MP3, whose rate is
    /// constant. None also for a rate that the format does not have.
    pub fn file_bytes(self, rate: u32, samples: u64) -> Option<u64> {
        match self {
            Format::Mp3 => mp3::file_bytes(rate, samples),
            Format::Opus | Format::Flac => None,
        }
    }
}

/// Makes the tables that encoders make when something is first encoded, so that a snapshot has them: those of MP3. Making
/// them takes about as long as encoding the first sound that is heard.
///
/// # Errors
/// When an encoder fails.
pub fn init(rate: u32) -> Result<(), EncodeError> {
    // Half a second that begins with silence: an attack is encoded in another way than what goes on, by other tables.
    let samples: Vec<i16> = (0..i32::try_from(rate / 2).unwrap_or_default())
        .map(|index| match index < 4_000 {
            true => 0,
            false => (index % 97 * 300 - 14_000) as i16,
        })
        .collect();
    let mut encoder = Encoder::new(Format::Mp3, rate, samples.len() as u64)?;
    let mut out = Vec::new();
    encoder.push(&samples, &mut out)?;
    encoder.finish(&mut out)
}

/// An encoder of one mono signal.
pub struct Encoder(Kind);

enum Kind {
    Mp3(Box<Mp3>),
    Opus(Box<Opus>),
    Flac(Box<Flac>),
}

impl Encoder {
    /// An encoder for a signal of `rate` samples a second, which will have `samples` in all; 0 where that is unknown.
    ///
    /// # Errors
    /// When the format has no such rate. 8, 12, 16 and 24 kHz go with all formats.
    pub fn new(format: Format, rate: u32, samples: u64) -> Result<Self, EncodeError> {
        Ok(Self(match format {
            Format::Mp3 => Kind::Mp3(Box::new(Mp3::new(rate, samples)?)),
            Format::Opus => Kind::Opus(Box::new(Opus::new(rate)?)),
            Format::Flac => Kind::Flac(Box::new(Flac::new(rate, samples)?)),
        }))
    }

    /// Encodes more samples, and appends what is complete to `out`: what stands before the sound even with no samples.
    ///
    /// # Errors
    /// When the encoder fails, which for samples of 16 bits none is known to do.
    pub fn push(&mut self, samples: &[i16], out: &mut Vec<u8>) -> Result<(), EncodeError> {
        match &mut self.0 {
            Kind::Mp3(encoder) => encoder.push(samples, out),
            Kind::Opus(encoder) => encoder.push(samples, out),
            Kind::Flac(encoder) => encoder.push(samples, out),
        }
    }

    /// Ends the signal, and appends the rest of the file to `out`.
    ///
    /// # Errors
    /// As [`Encoder::push`].
    pub fn finish(self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        match self.0 {
            Kind::Mp3(encoder) => encoder.finish(out),
            Kind::Opus(encoder) => encoder.finish(out),
            Kind::Flac(encoder) => encoder.finish(out),
        }
    }
}

#[cfg(test)]
mod tests;
