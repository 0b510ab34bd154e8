//! Words with their times as cue points of a WAV file, in front of its samples, so that a player has them when sound comes.
//!
//! A `cue ` chunk has the place of each word, and a `LIST` chunk of type `adtl` its length (`ltxt`) and the word (`labl`), as
//! "Multimedia Programming Interface and Data Specifications 1.0" (IBM and Microsoft, 1991) has them. Words are in UTF-8.
//! The crate `hound`, which writes the rest of the header, has no cue points.

use quartet_text_normalization::alignment::Timing;

/// The chunks for these words of `text`; empty without words.
pub fn chunks(text: &str, timings: &[Timing]) -> Vec<u8> {
    if timings.is_empty() {
        return Vec::new();
    }
    let mut points = number(timings.len());
    let mut list = b"adtl".to_vec();
    for (id, timing) in (1_u32..).zip(timings) {
        let start = number(timing.start as usize);
        points.extend([&id.to_le_bytes()[..], &start, b"data", &[0; 8], &start].concat());
        let length = number((timing.end - timing.start) as usize);
        // A section of the script that is said; country, language, dialect and code page are left open.
        let section = [&id.to_le_bytes()[..], &length, b"scrp", &[0; 8]].concat();
        list.extend(chunk(b"ltxt", &section));
        let word = text[timing.written.clone()].as_bytes();
        list.extend(chunk(b"labl", &[&id.to_le_bytes()[..], word, &[0]].concat()));
    }
    [chunk(b"cue ", &points), chunk(b"LIST", &list)].concat()
}

/// A number of 32 bits. Samples of a WAV file have no greater ones.
fn number(value: usize) -> Vec<u8> {
    u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes().to_vec()
}

/// A chunk with its size, padded to an even one.
fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let padding = vec![0; content.len() % 2];
    [name, number(content.len()).as_slice(), content, &padding].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wav;

    const TEXT: &str = "Früh, am Tag";

    fn timings() -> Vec<Timing> {
        let timing = |written, start, end| Timing { written, start, end };
        vec![timing(0..5, 0, 2), timing(7..9, 2, 3), timing(10..13, 4, 5)]
    }

    #[test]
    fn a_reader_of_wav_files_finds_the_same_samples_behind_them() {
        let chunks = chunks(TEXT, &timings());
        let mut file = wav::header(5, &chunks).unwrap();
        file.extend(wav::bytes(&[7; 5]));
        assert_eq!(file.len() as u64, wav::file_bytes(5) + chunks.len() as u64);
        let riff = u32::from_le_bytes(file[4..8].try_into().unwrap());
        assert_eq!(riff as usize + 8, file.len());
        let mut reader = hound::WavReader::new(file.as_slice()).unwrap();
        assert_eq!(reader.samples::<i16>().map(Result::unwrap).collect::<Vec<_>>(), [7; 5]);
    }

    #[test]
    fn places_lengths_and_words_stand_in_them() {
        let chunks = chunks(TEXT, &timings());
        assert_eq!(&chunks[..12], b"cue \x4c\0\0\0\x03\0\0\0");
        // The second point: its number, its place, the chunk that it is in, and its place once more.
        assert_eq!(&chunks[36..60], b"\x02\0\0\0\x02\0\0\0data\0\0\0\0\0\0\0\0\x02\0\0\0");
        let list = &chunks[84..];
        assert_eq!(&list[..12], b"LIST\x8a\0\0\0adtl");
        assert_eq!(&list[12..40], b"ltxt\x14\0\0\0\x01\0\0\0\x02\0\0\0scrp\0\0\0\0\0\0\0\0");
        assert_eq!(&list[40..58], b"labl\x0a\0\0\0\x01\0\0\0Fr\xc3\xbch\0");
        assert_eq!(list.len(), 8 + 0x8a);
        assert!(super::chunks(TEXT, &[]).is_empty());
    }
}
