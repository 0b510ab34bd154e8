//! The Info tag: a silent frame in front of the audio that tells players its length, and how many samples of it to leave
//! out at its ends so that what is heard is what went in.
//!
//! Xing's tag has the counts and a table to seek by; LAME's extension, behind it, the samples to leave out. The encoder
//! writes one by itself, when all frames are known; here the number of samples is known before the first of them, and the
//! rate is constant, so all of it is known but for a checksum of the audio.

use rusty_mp3::encode::lametag::{
    DECODER_DELAY, ENCODER_DELAY, crc16, extra_priming, frames_for, padding_for, tag_header,
};
use rusty_mp3::header::FrameHeader;

/// Mark of a constant rate.
const MARK: &[u8; 4] = b"Info";

/// All four parts of Xing's tag: frames, bytes, table, quality. Readers exist that look for LAME's part where it is behind
/// all of them.
const ALL_PARTS: u32 = 0b1111;

/// Entries of the table: the place in the file of each hundredth of the time, in parts of 256.
const PLACES: u64 = 100;

/// Name of the encoder. Players go by its first four letters, and leave nothing out behind others.
const ENCODER: &[u8; 9] = b"LAMErusty";

/// Revision 0 of the tag, in the upper half; constant rate.
const CONSTANT_RATE: u8 = 1;

/// Counts of a file.
pub struct Counts {
    stream: FrameHeader,
    frames: u64,
    /// Samples of the frames before the first one that was pushed.
    delay: usize,
    /// Samples of the frames after the last one.
    padding: u64,
}

impl Counts {
    /// The counts for so many samples in frames with the header `stream`: as many as the encoder makes.
    pub fn new(stream: FrameHeader, samples: u64) -> Self {
        let frame_samples = stream.version.samples_per_frame();
        let priming = match samples < frame_samples as u64 {
            true => extra_priming(samples, frame_samples),
            false => 0,
        };
        let delay = ENCODER_DELAY + priming;
        debug_assert!(padding_for(samples, delay, frame_samples) >= DECODER_DELAY as u64);
        Self {
            frames: frames_for(samples, delay, frame_samples),
            padding: padding_for(samples, delay, frame_samples),
            delay,
            stream,
        }
    }

    /// Size of the frames with audio, in bytes.
    pub fn audio_bytes(&self) -> u64 {
        self.frames * self.stream.frame_size() as u64
    }

    /// Size of the frame with the tag, in bytes.
    pub fn tag_bytes(&self) -> u64 {
        tag_header(&self.stream).frame_size() as u64
    }

    /// The frame with the tag. Players that know no tag decode it as silence: nothing in its side information is anything
    /// but zero, so there is nothing in it to decode.
    pub fn tag(&self) -> Vec<u8> {
        let header = tag_header(&self.stream);
        // Sizes are 32 bits wide. What is longer than they can say (six days) is played by its frames.
        let word = |number: u64| u32::try_from(number).unwrap_or(0).to_be_bytes();
        let bytes = self.tag_bytes() + self.audio_bytes();
        let mut tag = header.to_bytes().to_vec();
        tag.resize(tag.len() + header.side_info_len(), 0);
        tag.extend_from_slice(MARK);
        tag.extend_from_slice(&ALL_PARTS.to_be_bytes());
        // Frames are counted without this one, bytes with it.
        tag.extend_from_slice(&word(self.frames));
        tag.extend_from_slice(&word(bytes));
        tag.extend((0..PLACES).map(|place| (place * 256 / PLACES) as u8));
        // No word on quality.
        tag.extend_from_slice(&[0; 4]);
        tag.extend_from_slice(ENCODER);
        tag.push(CONSTANT_RATE);
        // Nothing of a low pass (1 byte), loudness (8), manner of encoding (1) and least rate (1).
        tag.extend_from_slice(&[0; 11]);
        // Twelve bits each; neither has more than two frames.
        let ends = (self.delay as u32) << 12 | self.padding as u32;
        tag.extend_from_slice(&ends.to_be_bytes()[1..]);
        // Mono from a source of up to 32 kHz (1 byte); no gain (1), no preset (2).
        tag.extend_from_slice(&[0; 4]);
        tag.extend_from_slice(&word(bytes));
        // The checksum of the audio, which is still to be made.
        tag.extend_from_slice(&[0; 2]);
        let checksum = crc16(0, &tag);
        tag.extend_from_slice(&checksum.to_be_bytes());
        tag.resize(header.frame_size(), 0);
        tag
    }
}
