//! Speech, decoded by decoders that share nothing with what encodes, and measurements of it.

use quartet_api::tts::{SAMPLE_RATE, SpeechFormat};

/// Level above which a sample is sound: -50 dB of full scale.
pub const AUDIBLE: u16 = 103;

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

    /// Samples of the beginning of a file, as far as they can be decoded.
    pub fn begun(format: SpeechFormat, part: &[u8]) -> Vec<i16> {
        match format {
            SpeechFormat::Wav => Self::begun(SpeechFormat::Pcm, part.get(44..).unwrap_or_default()),
            SpeechFormat::Pcm => part
                .as_chunks::<2>()
                .0
                .iter()
                .copied()
                .map(i16::from_le_bytes)
                .collect(),
            SpeechFormat::Mp3 => Self::of_floats(&nanomp3::decode_all::<f32>(part).samples).samples,
            SpeechFormat::Opus => {
                let mut reader = ogg::PacketReader::new(std::io::Cursor::new(part));
                let mut decoder = opus_rs::OpusDecoder::new(SAMPLE_RATE as i32, 1).expect("a decoder");
                let mut samples = Vec::new();
                while let Ok(Some(packet)) = reader.read_packet() {
                    let mut frame = [0.0; 480];
                    if !packet.data.starts_with(b"Opus")
                        && let Ok(length) = decoder.decode(&packet.data, 480, &mut frame)
                    {
                        samples.extend_from_slice(&frame[..length]);
                    }
                }
                Self::of_floats(&samples).samples
            }
            SpeechFormat::Flac => match claxon::FlacReader::new(part) {
                Ok(mut reader) => reader
                    .samples()
                    .map_while(|sample| sample.ok().map(|sample| sample as i16))
                    .collect(),
                Err(_) => Vec::new(),
            },
        }
    }

    /// Decodes a file of a format, and checks that it says how it is to be decoded.
    pub fn decode_as(format: SpeechFormat, file: &[u8]) -> Self {
        match format {
            SpeechFormat::Wav => Self::decode(file),
            SpeechFormat::Mp3 => Self::decode_mp3(file),
            SpeechFormat::Opus => Self::decode_opus(file),
            SpeechFormat::Flac => Self::decode_flac(file),
            SpeechFormat::Pcm => {
                let (samples, rest) = file.as_chunks::<2>();
                assert!(rest.is_empty(), "half a sample");
                let samples = samples.iter().copied().map(i16::from_le_bytes).collect();
                Self { samples }
            }
        }
    }

    fn decode_mp3(file: &[u8]) -> Self {
        let decoded = nanomp3::decode_all::<f32>(file);
        assert_eq!((decoded.sample_rate, decoded.layer), (SAMPLE_RATE, 3));
        Self::of_floats(&decoded.samples)
    }

    fn decode_opus(file: &[u8]) -> Self {
        let mut reader = ogg::PacketReader::new(std::io::Cursor::new(file));
        let mut decoder = opus_rs::OpusDecoder::new(SAMPLE_RATE as i32, 1).expect("a decoder");
        let mut samples = Vec::new();
        let (mut skipped, mut end) = (0, 0);
        while let Some(packet) = reader.read_packet().expect("Ogg") {
            if packet.data.starts_with(b"OpusHead") {
                skipped = usize::from(u16::from_le_bytes([packet.data[10], packet.data[11]]));
            }
            if packet.data.starts_with(b"Opus") {
                continue;
            }
            let mut frame = [0.0; 480];
            let length = decoder.decode(&packet.data, 480, &mut frame).expect("Opus");
            samples.extend_from_slice(&frame[..length]);
            if packet.last_in_stream() {
                end = packet.absgp_page() as usize;
            }
        }
        // Positions are counted at 48 kHz.
        let (skipped, end) = (skipped / 2, end / 2);
        assert!(
            skipped < end && end <= samples.len(),
            "{skipped}, {end}, {}",
            samples.len()
        );
        Self::of_floats(&samples[skipped..end])
    }

    fn decode_flac(file: &[u8]) -> Self {
        let mut reader = claxon::FlacReader::new(file).expect("FLAC");
        let about = reader.streaminfo();
        assert_eq!(
            (about.channels, about.sample_rate, about.bits_per_sample),
            (1, SAMPLE_RATE, 16)
        );
        let samples: Vec<i16> = reader
            .samples()
            .map(|sample| sample.expect("a sample") as i16)
            .collect();
        assert_eq!(about.samples, Some(samples.len() as u64));
        Self { samples }
    }

    fn of_floats(samples: &[f32]) -> Self {
        Self {
            samples: samples.iter().map(|sample| (sample * 32_767.0) as i16).collect(),
        }
    }

    /// Checks that it is as long and as loud as another sound, and that every sample has its place, but for what a codec
    /// loses and for a fifth of a millisecond.
    pub fn expect_like(&self, other: &Self, about: &str) {
        assert_eq!(self.samples.len(), other.samples.len(), "{about} has another length");
        let louder = 20.0 * (self.level() / other.level()).log10();
        assert!(louder.abs() < 1.0, "{about} is {louder} dB louder");
        let later = self.later_than(other);
        assert!(later.abs() <= 5, "{about} comes {later} samples late");
    }

    /// Samples by which it comes later than another sound that it is like: the shift of up to 83 ms at which the two are
    /// most alike in their first second and a half.
    pub fn later_than(&self, other: &Self) -> i64 {
        const MOST: i64 = 2_000;
        const COMPARED: usize = 36_000;
        let likeness = |shift: i64| -> f64 {
            let part = other.samples.iter().take(COMPARED).enumerate();
            let pairs = part.filter_map(|(at, sample)| {
                let here = usize::try_from(at as i64 + shift).ok()?;
                Some(f64::from(*sample) * f64::from(*self.samples.get(here)?))
            });
            pairs.sum()
        };
        (-MOST..=MOST)
            .max_by(|one, two| likeness(*one).total_cmp(&likeness(*two)))
            .unwrap_or_default()
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
        let loud = |sample: &i16| sample.unsigned_abs() > AUDIBLE;
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
