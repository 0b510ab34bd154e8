//! WAV files with exact sizes that are known before the first sample. The crate `hound` writes the header.

use hound::{SampleFormat, WavSpec};
use quartet_api::tts::SAMPLE_RATE;

/// Bits a sample.
pub const BITS_PER_SAMPLE: u16 = 16;

/// The number of channels: speech is mono.
pub const CHANNELS: u16 = 1;

/// Bytes before the first sample.
pub const HEADER_BYTES: u64 = 44;

/// Bytes a sample.
pub const BYTES_PER_SAMPLE: u64 = 2;

/// Offset of the data chunk in the header.
const DATA_CHUNK: usize = 36;

/// Bytes of the header that the size in its RIFF chunk counts: all after that size.
const COUNTED_HEADER_BYTES: u64 = HEADER_BYTES - 8;

/// The greatest number of samples that the 32-bit sizes of a WAV header allow.
pub const MAX_SAMPLES: u64 = (u32::MAX as u64 - COUNTED_HEADER_BYTES) / BYTES_PER_SAMPLE;

/// Size of a file with this many samples, in bytes.
pub const fn file_bytes(samples: u64) -> u64 {
    HEADER_BYTES + samples * BYTES_PER_SAMPLE
}

/// The header of a file with this many samples, and with `chunks` before them; none if all that is more than its sizes can
/// say: alone, [`MAX_SAMPLES`].
pub fn header(samples: u64, chunks: &[u8]) -> Option<Vec<u8>> {
    let data = u32::try_from(samples.checked_mul(BYTES_PER_SAMPLE)?).ok()?;
    let counted = COUNTED_HEADER_BYTES + chunks.len() as u64 + u64::from(data);
    let riff = u32::try_from(counted).ok()?;
    let spec = WavSpec {
        channels: CHANNELS,
        sample_rate: SAMPLE_RATE,
        bits_per_sample: BITS_PER_SAMPLE,
        sample_format: SampleFormat::Int,
    };
    // Made for a file without an end; its two sizes are filled in here. Offsets: RIFF chunk size 4, data chunk size 40.
    let mut header = spec.into_header_for_infinite_file();
    header[4..8].copy_from_slice(&riff.to_le_bytes());
    header[40..44].copy_from_slice(&data.to_le_bytes());
    header.splice(DATA_CHUNK..DATA_CHUNK, chunks.iter().copied());
    Some(header)
}

/// Samples as bytes of the file.
pub fn bytes(samples: &[i16]) -> Vec<u8> {
    samples.iter().flat_map(|sample| sample.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_finds_exactly_these_samples() {
        let samples = [0_i16, 1, -1, i16::MAX, i16::MIN];
        let mut file = header(5, &[]).unwrap();
        assert_eq!(file.len() as u64, HEADER_BYTES);
        file.extend(bytes(&samples));
        assert_eq!(file.len() as u64, file_bytes(5));
        let mut reader = hound::WavReader::new(file.as_slice()).unwrap();
        assert_eq!(reader.spec().sample_rate, 24_000);
        assert_eq!(reader.spec().channels, 1);
        assert_eq!(reader.len(), 5);
        assert_eq!(reader.samples::<i16>().map(Result::unwrap).collect::<Vec<_>>(), samples);
    }

    #[test]
    fn more_than_a_header_can_say_is_refused() {
        assert!(header(MAX_SAMPLES, &[]).is_some());
        assert!(header(MAX_SAMPLES + 1, &[]).is_none());
        assert!(header(MAX_SAMPLES, b"LIST\0\0\0\0").is_none());
    }
}
