//! Reads the WAV file that speech comes as, in whatever pieces it comes.
//!
//! Not by `hound`: that reads from what can wait, and a piece of a body cannot.

/// Largest header that is looked through for the samples, in bytes. Ours has 44.
const MAX_HEADER_BYTES: usize = 4096;

/// PCM, in the field of the format.
const PCM: u16 = 1;

/// The signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signal {
    /// Samples a second.
    pub rate: u32,
    /// Samples in all, as the header has it; 0 where it does not say.
    pub samples: u64,
}

/// A file that is being read.
#[derive(Debug, Default)]
pub struct WavReader {
    signal: Option<Signal>,
    /// The header so far; behind it the first half of a sample.
    rest: Vec<u8>,
}

impl WavReader {
    /// The signal, once the header is read.
    pub fn signal(&self) -> Option<Signal> {
        self.signal
    }

    /// Takes a piece of the file, and returns the samples in it.
    ///
    /// # Errors
    /// When it is no WAV file of one channel with 16 bits a sample.
    pub fn push(&mut self, piece: &[u8]) -> Result<Vec<i16>, String> {
        self.rest.extend_from_slice(piece);
        if self.signal.is_none() {
            let Some((signal, length)) = header(&self.rest)? else {
                return Ok(Vec::new());
            };
            self.signal = Some(signal);
            self.rest.drain(..length);
        }
        let (whole, half) = self.rest.as_chunks::<2>();
        let samples = whole.iter().copied().map(i16::from_le_bytes).collect();
        let half = half.to_vec();
        self.rest = half;
        Ok(samples)
    }
}

/// The signal, and where its samples begin; `None` where the header goes on.
fn header(bytes: &[u8]) -> Result<Option<(Signal, usize)>, String> {
    let mut rate = None;
    let mut at = 12;
    if bytes.len() >= at && (&bytes[..4] != b"RIFF" || &bytes[8..12] != b"WAVE") {
        return Err("the speech is no WAV file".to_owned());
    }
    while let Some(chunk) = bytes.get(at..at + 8) {
        let length = u32::from_le_bytes([chunk[4], chunk[5], chunk[6], chunk[7]]) as usize;
        let begin = at + 8;
        match &chunk[..4] {
            b"data" => {
                let rate = rate.ok_or("the WAV file has no format before its samples")?;
                // A length that nobody knew when the header was written is written as the largest one.
                let samples = if length >= u32::MAX as usize - 44 {
                    0
                } else {
                    length as u64 / 2
                };
                return Ok(Some((Signal { rate, samples }, begin)));
            }
            b"fmt " => {
                let Some(format) = bytes.get(begin..begin + 16) else {
                    break;
                };
                let number = |at: usize| u16::from_le_bytes([format[at], format[at + 1]]);
                let (kind, channels, bits) = (number(0), number(2), number(14));
                if (kind, channels, bits) != (PCM, 1, 16) {
                    return Err(format!(
                        "the speech has {channels} channels of {bits} bits in format {kind}"
                    ));
                }
                rate = Some(u32::from_le_bytes([format[4], format[5], format[6], format[7]]));
            }
            _ => {}
        }
        // Chunks begin at even places.
        at = begin.saturating_add(length).saturating_add(length & 1);
        if at > MAX_HEADER_BYTES {
            break;
        }
    }
    if bytes.len() > MAX_HEADER_BYTES {
        return Err("the WAV file's header has no end".to_owned());
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(channels: u16) -> Vec<u8> {
        let spec = hound::WavSpec {
            channels,
            sample_rate: 24_000,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        };
        let mut file = std::io::Cursor::new(Vec::new());
        let mut writer = hound::WavWriter::new(&mut file, spec).unwrap();
        for sample in [1_i16, -2, 300, -400] {
            writer.write_sample(sample).unwrap();
        }
        writer.finalize().unwrap();
        file.into_inner()
    }

    #[test]
    fn pieces_do_not_matter() {
        let file = file(1);
        for size in [1, 2, 3, 43, 44, 45, 1_000] {
            let mut reader = WavReader::default();
            let samples: Vec<i16> = file
                .chunks(size)
                .flat_map(|piece| reader.push(piece).unwrap())
                .collect();
            assert_eq!(samples, [1, -2, 300, -400], "{size}");
            assert_eq!(
                reader.signal(),
                Some(Signal {
                    rate: 24_000,
                    samples: 4
                })
            );
        }
    }

    #[test]
    fn other_files_are_refused() {
        assert!(WavReader::default().push(&file(2)).is_err());
        assert!(WavReader::default().push(&[0; 100]).is_err());
        let mut endless = file(1)[..36].to_vec();
        endless.extend_from_slice(b"LIST\xff\xff\xff\x7f");
        endless.resize(5_000, 0);
        assert!(WavReader::default().push(&endless).is_err());
        // A chunk between the format and the samples.
        let mut longer = file(1)[..36].to_vec();
        longer.extend_from_slice(b"LIST\x03\x00\x00\x00abc\x00");
        longer.extend_from_slice(&file(1)[36..]);
        assert_eq!(WavReader::default().push(&longer).unwrap(), [1, -2, 300, -400]);
    }
}
