//! Measurements of a WAV file.

use quartet_api::tts::SAMPLE_RATE;

/// A decoded file.
#[derive(Debug, Clone)]
pub struct Sound {
    /// Mono, 24 kHz.
    pub samples: Vec<i16>,
}

impl Sound {
    /// Decodes a file with `hound` and checks everything that its header says.
    pub fn decode(file: &[u8]) -> Self {
        let mut reader = hound::WavReader::new(file).expect("a WAV file");
        let spec = reader.spec();
        assert_eq!(
            (spec.channels, spec.sample_rate, spec.bits_per_sample),
            (1, SAMPLE_RATE, 16)
        );
        assert_eq!(spec.sample_format, hound::SampleFormat::Int);
        let number = |at: usize| u64::from(u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes")));
        assert_eq!(number(4) + 8, file.len() as u64, "the RIFF size is not the file's");
        // Samples are the last of a file; words with their times may stand before them.
        let data = file.len() - 2 * reader.len() as usize;
        assert_eq!(&file[data - 8..data - 4], b"data", "the data size is not the file's");
        let samples: Vec<i16> = reader.samples().map(|sample| sample.expect("a whole sample")).collect();
        Self { samples }
    }

    /// Length in seconds.
    pub fn seconds(&self) -> f64 {
        self.samples.len() as f64 / f64::from(SAMPLE_RATE)
    }

    /// Root mean square as a part of full scale.
    pub fn level(&self) -> f64 {
        let sum: f64 = self
            .samples
            .iter()
            .map(|sample| (f64::from(*sample) / 32768.0).powi(2))
            .sum();
        (sum / self.samples.len().max(1) as f64).sqrt()
    }

    /// Seconds of silence before the first and after the last sound louder than -50 dB of full scale.
    pub fn silence(&self) -> (f64, f64) {
        let loud = |sample: &i16| sample.unsigned_abs() > 103;
        let before = self.samples.iter().position(loud).unwrap_or(self.samples.len());
        let after = self.samples.iter().rev().position(loud).unwrap_or(self.samples.len());
        (
            before as f64 / f64::from(SAMPLE_RATE),
            after as f64 / f64::from(SAMPLE_RATE),
        )
    }

    /// Returns true if any sample is at the end of the scale.
    pub fn clips(&self) -> bool {
        self.samples.iter().any(|sample| sample.unsigned_abs() >= 32_767)
    }
}
