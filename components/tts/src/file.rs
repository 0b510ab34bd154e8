//! The file that speech comes as, in each of the formats, made piece by piece.

use quartet_api::tts::{SAMPLE_RATE, SpeechFormat};
use quartet_audio_encoding::{EncodeError, Encoder, Format};

use crate::speech::Pieces;
use crate::wav;

/// Samples that are encoded before something is sent: a quarter of a second.
const ENCODED_SAMPLES: usize = SAMPLE_RATE as usize / 4;

/// Samples that are encoded before anything is: speech begins within the first tenth of a second, and a frame of a codec is
/// whole up to 44 ms later. What comes after it need not be encoded before it is heard.
const FIRST_SAMPLES: usize = SAMPLE_RATE as usize * 3 / 20;

/// The pieces of a file.
pub type FilePieces = Box<dyn Iterator<Item = Vec<u8>>>;

/// Size of the file of so many samples in bytes, with `cues` where it is WAV; none where it is known when all is made.
pub fn size(format: SpeechFormat, samples: u64, cues: &[u8]) -> Option<u64> {
    match encoding(format) {
        Some(encoding) => encoding.file_bytes(SAMPLE_RATE, samples),
        None if format == SpeechFormat::Wav => Some(wav::file_bytes(samples) + cues.len() as u64),
        None => Some(samples * wav::BYTES_PER_SAMPLE),
    }
}

/// The file of a speech of so many samples, with `cues` between header and samples where it is WAV; none where its header
/// could not say its size.
///
/// # Errors
/// When the format does not have the speech's rate.
pub fn pieces(
    format: SpeechFormat,
    samples: u64,
    cues: &[u8],
    speech: Pieces,
) -> Result<Option<FilePieces>, EncodeError> {
    let plain = |samples: Vec<i16>| wav::bytes(&samples);
    Ok(match encoding(format) {
        Some(encoding) => Some(Box::new(Encoded {
            encoder: Some(Encoder::new(encoding, SAMPLE_RATE, samples)?),
            speech,
            piece: Vec::new(),
            position: 0,
            next: 0,
        })),
        None if format == SpeechFormat::Wav => wav::header(samples, cues)
            .map(|header| -> FilePieces { Box::new(std::iter::once(header).chain(speech.map(plain))) }),
        None => Some(Box::new(speech.map(plain))),
    })
}

/// Bits a second of a format that loses some of the sound.
pub fn bit_rate(format: SpeechFormat) -> Option<u32> {
    encoding(format).and_then(Format::bit_rate)
}

/// The format of the encoder, for those that need one.
fn encoding(format: SpeechFormat) -> Option<Format> {
    match format {
        SpeechFormat::Wav | SpeechFormat::Pcm => None,
        SpeechFormat::Mp3 => Some(Format::Mp3),
        SpeechFormat::Opus => Some(Format::Opus),
        SpeechFormat::Flac => Some(Format::Flac),
    }
}

/// Speech on its way through an encoder. What cannot be encoded when part of it is sent ends the sandbox, so that nobody takes
/// the part for the whole.
struct Encoded {
    speech: Pieces,
    /// The piece that is being encoded.
    piece: Vec<i16>,
    /// The part of it that has been, in samples.
    position: usize,
    /// Samples to encode before the next bytes are sent: at first none, because what stands before the sound is known without
    /// them.
    next: usize,
    /// The encoder, until the end.
    encoder: Option<Encoder>,
}

impl Iterator for Encoded {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        if self.next == 0 {
            encoded(self.encoder.as_mut()?.push(&[], &mut out));
            self.next = FIRST_SAMPLES;
        }
        while out.is_empty() {
            if self.position == self.piece.len() {
                match self.speech.next() {
                    Some(piece) => (self.piece, self.position) = (piece, 0),
                    None => {
                        encoded(self.encoder.take()?.finish(&mut out));
                        continue;
                    }
                }
            }
            let end = self.piece.len().min(self.position + self.next);
            encoded(self.encoder.as_mut()?.push(&self.piece[self.position..end], &mut out));
            self.position = end;
            self.next = ENCODED_SAMPLES;
        }
        Some(out)
    }
}

fn encoded(done: Result<(), EncodeError>) {
    if let Err(error) = done {
        panic!("the speech could not be encoded: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speech(pieces: &[usize]) -> (u64, Pieces) {
        let total: usize = pieces.iter().sum();
        let mut rest: Vec<i16> = (0..total).map(|index| (index % 97 * 200) as i16).collect();
        let lengths = pieces.to_vec();
        let pieces = lengths.into_iter().map(move |length| {
            let left = rest.split_off(length);
            std::mem::replace(&mut rest, left)
        });
        (total as u64, Box::new(pieces))
    }

    fn file(format: SpeechFormat, lengths: &[usize]) -> Vec<Vec<u8>> {
        let (samples, speech) = speech(lengths);
        pieces(format, samples, &[], speech).unwrap().unwrap().collect()
    }

    #[test]
    fn the_size_is_that_of_the_file_wherever_it_is_known() {
        for format in SpeechFormat::ALL {
            for lengths in [&[1_200, 48_000, 0, 33_333][..], &[1]] {
                let made = file(format, lengths).concat();
                let known = size(format, lengths.iter().sum::<usize>() as u64, &[]);
                match format {
                    SpeechFormat::Opus | SpeechFormat::Flac => assert_eq!(known, None),
                    _ => assert_eq!(known, Some(made.len() as u64), "{format:?}"),
                }
                let begin: &[u8] = match format {
                    SpeechFormat::Wav => b"RIFF",
                    SpeechFormat::Mp3 => b"\xff\xf3",
                    SpeechFormat::Opus => b"OggS",
                    SpeechFormat::Flac => b"fLaC",
                    SpeechFormat::Pcm => b"\0\0",
                };
                assert!(made.starts_with(begin), "{format:?}");
            }
        }
    }

    #[test]
    fn what_is_encoded_leaves_before_its_piece_is_done_and_does_not_depend_on_pieces() {
        for format in [SpeechFormat::Mp3, SpeechFormat::Opus, SpeechFormat::Flac] {
            let whole = file(format, &[96_000]);
            assert!(whole.len() > 8, "{format:?}: {} pieces of four seconds", whole.len());
            assert!(
                whole.concat() == file(format, &[1_000, 94_999, 1]).concat(),
                "{format:?}"
            );
        }
    }

    #[test]
    fn what_stands_before_the_sound_leaves_before_a_sample_is_made() {
        for format in SpeechFormat::ALL {
            let speech: Pieces = Box::new(std::iter::once_with(|| panic!("a sample was asked for")));
            let mut made = pieces(format, 48_000, &[], speech).unwrap().unwrap();
            let begin: &[u8] = match format {
                // Nothing stands before its sound.
                SpeechFormat::Pcm => continue,
                SpeechFormat::Wav => b"RIFF",
                SpeechFormat::Mp3 => b"\xff\xf3",
                SpeechFormat::Opus => b"OggS",
                SpeechFormat::Flac => b"fLaC",
            };
            assert!(made.next().unwrap().starts_with(begin), "{format:?}");
        }
    }

    #[test]
    fn only_a_header_of_wav_has_a_limit() {
        for format in SpeechFormat::ALL {
            let made = pieces(format, wav::MAX_SAMPLES + 1, &[], speech(&[1]).1).unwrap();
            assert_eq!(made.is_none(), format == SpeechFormat::Wav, "{format:?}");
        }
    }
}
