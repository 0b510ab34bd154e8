//! Encoded audio is decoded by other programs' code, and compared with what went in.

use super::*;

const RATE: u32 = 24_000;

/// Something like a voice: a gliding tone with overtones that swells and fades.
fn voice(seconds: f64) -> Vec<i16> {
    let samples = (seconds * f64::from(RATE)) as usize;
    let mut phase = 0.0_f64;
    (0..samples)
        .map(|index| {
            let time = index as f64 / f64::from(RATE);
            phase += (140.0 + 40.0 * (3.0 * time).sin()) / f64::from(RATE);
            let tone: f64 = (1..8)
                .map(|overtone| (phase * f64::from(overtone) * std::f64::consts::TAU).sin() / f64::from(overtone))
                .sum();
            let swell = 0.6 + 0.4 * (5.0 * time).sin();
            (tone * swell * 9_000.0) as i16
        })
        .collect()
}

/// Encodes in pieces of this many samples.
fn encode(format: Format, samples: &[i16], piece: usize) -> Vec<u8> {
    let mut encoder = Encoder::new(format, RATE, samples.len() as u64).unwrap();
    let mut out = Vec::new();
    for piece in samples.chunks(piece) {
        encoder.push(piece, &mut out).unwrap();
    }
    encoder.finish(&mut out).unwrap();
    out
}

/// Signal to noise in dB at the best delay up to `most` samples, and that delay.
fn quality(original: &[i16], decoded: &[f32], most: usize) -> (f64, usize) {
    let measure = |delay: usize| {
        let pairs = original.iter().zip(decoded.iter().skip(delay));
        let (signal, noise) = pairs.fold((0.0, 0.0), |(signal, noise), (before, after)| {
            let (before, after) = (f64::from(*before) / 32_768.0, f64::from(*after));
            (signal + before * before, noise + (before - after).powi(2))
        });
        10.0 * (signal / f64::max(noise, 1e-12)).log10()
    };
    (0..=most)
        .map(|delay| (measure(delay), delay))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .unwrap()
}

#[test]
fn flac_is_the_same_samples() {
    let mut samples = voice(1.3);
    // Pauses, as speech has them.
    samples[9_000..13_500].fill(0);
    samples.extend([0; 9_000]);
    let file = encode(Format::Flac, &samples, 1_000);
    let mut reader = claxon::FlacReader::new(file.as_slice()).unwrap();
    let info = reader.streaminfo();
    assert_eq!((info.sample_rate, info.channels, info.bits_per_sample), (RATE, 1, 16));
    assert_eq!(info.samples, Some(samples.len() as u64));
    let decoded: Vec<i16> = reader.samples().map(|sample| sample.unwrap() as i16).collect();
    assert!(decoded == samples, "FLAC loses nothing");
    assert!(file.len() < samples.len() * 2, "and is smaller");
}

#[test]
fn mp3_is_close_and_has_the_rate_it_says() {
    let samples = voice(2.0);
    let file = encode(Format::Mp3, &samples, 777);
    // MPEG-2, Layer III, no checksum; 64 kbit/s, 24 kHz; mono.
    assert_eq!(&file[..2], [0xff, 0xf3]);
    assert_eq!(file[2] & 0xfc, 0x84);
    assert_eq!(file[3] >> 6, 3);
    assert_eq!(file.len() % 192, 0, "every frame of 24 ms has 192 bytes");
    let decoded = nanomp3::decode_all::<f32>(&file);
    assert_eq!((decoded.sample_rate, decoded.layer), (RATE, 3));
    let (decibels, delay) = quality(&samples, &decoded.samples, 2_000);
    assert!(decibels > 18.0, "{decibels} dB at a delay of {delay}");
}

#[test]
fn mp3_is_as_long_as_what_went_in_and_every_sample_has_its_place() {
    let samples = voice(0.5);
    for length in [
        1,
        2,
        94,
        95,
        96,
        575,
        576,
        577,
        1_151,
        1_152,
        1_153,
        7_777,
        samples.len(),
    ] {
        let file = encode(Format::Mp3, &samples[..length], 100);
        let decoded = nanomp3::decode_all::<f32>(&file).samples;
        assert_eq!(decoded.len(), length);
        if length > 1_000 {
            let (decibels, delay) = quality(&samples[..length], &decoded, 100);
            assert!(delay == 0 && decibels > 15.0, "{length}: {decibels} dB at {delay}");
        }
    }
    // Nobody knew how many there are: they come late, with what the encoder added behind them.
    let mut encoder = Encoder::new(Format::Mp3, RATE, 0).unwrap();
    let mut file = Vec::new();
    encoder.push(&samples, &mut file).unwrap();
    encoder.finish(&mut file).unwrap();
    let decoded = nanomp3::decode_all::<f32>(&file).samples;
    let (decibels, delay) = quality(&samples, &decoded, 2_000);
    assert!(delay == 1_057 && decibels > 15.0, "{decibels} dB at {delay}");
}

/// CRC-16/ARC, bit by bit.
fn checksum(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte), |crc, _| (crc >> 1) ^ (0xa001 * (crc & 1)))
    })
}

#[test]
fn the_tag_of_mp3_says_what_the_file_is_and_is_silence_to_those_who_do_not_know_it() {
    assert_eq!(checksum(b"123456789"), 0xbb3d);
    let samples = voice(3.0);
    for rate in [8_000, 11_025, 12_000, 16_000, 22_050, 24_000] {
        let mut encoder = Encoder::new(Format::Mp3, rate, samples.len() as u64).unwrap();
        let mut file = Vec::new();
        encoder.push(&[], &mut file).unwrap();
        let first = file.clone();
        encoder.push(&samples, &mut file).unwrap();
        encoder.finish(&mut file).unwrap();
        let frames: Vec<_> = nanomp3::frames(&file).collect();
        let tag = frames[0].data;
        assert_eq!(tag, first, "it goes out before the first sample");
        // Behind the header and the nine bytes of side information.
        let at = |from: usize, to: usize| &tag[13 + from..13 + to];
        let number = |from: usize| u32::from_be_bytes(at(from, from + 4).try_into().unwrap());
        assert_eq!((at(0, 4), number(4)), (&b"Info"[..], 15));
        assert_eq!(number(8) as usize, frames.len() - 1, "frames");
        assert_eq!(number(12) as usize, file.len(), "bytes");
        let places = at(16, 116);
        assert!(places[0] == 0 && places[99] == 253 && places.is_sorted(), "{places:?}");
        assert_eq!(at(120, 124), b"LAME");
        let (delay, padding) = (number(140) >> 12 & 0xfff, number(140) & 0xfff);
        assert_eq!(
            delay + samples.len() as u32 + padding,
            (frames.len() as u32 - 1) * 576,
            "samples"
        );
        assert_eq!(number(148) as usize, file.len(), "bytes once more");
        let behind = u16::from_be_bytes(at(154, 156).try_into().unwrap());
        assert_eq!(behind, checksum(&tag[..13 + 154]), "checksum");
        // One frame at a time, as players decode that look for no tag.
        let mut decoder = nanomp3::Decoder::new();
        let mut heard = [1.0_f32; nanomp3::MAX_SAMPLES_PER_FRAME];
        let (used, info) = decoder.decode(tag, &mut heard);
        let info = info.expect("a frame");
        assert_eq!((used, info.samples_produced), (tag.len(), 576));
        assert!(heard[..576].iter().all(|sample| *sample == 0.0));
    }
}

#[test]
fn opus_is_close_and_ends_with_the_last_sample() {
    let samples = voice(2.005);
    let file = encode(Format::Opus, &samples, 501);
    let mut reader = ogg::PacketReader::new(std::io::Cursor::new(file));
    let head = reader.read_packet().unwrap().unwrap();
    assert!(head.data.starts_with(b"OpusHead\x01\x01"), "{:?}", head.data);
    let pre_skip = u64::from(u16::from_le_bytes([head.data[10], head.data[11]]));
    assert!(reader.read_packet().unwrap().unwrap().data.starts_with(b"OpusTags"));
    let mut decoder = opus_rs::OpusDecoder::new(RATE as i32, 1).unwrap();
    let (mut decoded, mut end) = (Vec::new(), 0);
    while let Some(packet) = reader.read_packet().unwrap() {
        let mut frame = vec![0.0_f32; 480];
        let length = decoder.decode(&packet.data, 480, &mut frame).unwrap();
        decoded.extend_from_slice(&frame[..length]);
        if packet.last_in_stream() {
            end = packet.absgp_page();
        }
    }
    assert_eq!(end, pre_skip + samples.len() as u64 * 2, "the position of the end");
    let start = (pre_skip / 2) as usize;
    assert!(decoded.len() >= start + samples.len(), "the end of the signal came out");
    let (decibels, delay) = quality(&samples, &decoded[start.saturating_sub(200)..], 400);
    assert!(decibels > 8.0, "{decibels} dB");
    assert!(
        delay.abs_diff(200.min(start)) <= 3,
        "{delay}: the delay is not what the header says"
    );
}

#[test]
fn pieces_do_not_matter_and_nothing_at_all_is_a_file() {
    let samples = voice(0.7);
    for format in [Format::Mp3, Format::Opus, Format::Flac] {
        let whole = encode(format, &samples, samples.len());
        assert!(encode(format, &samples, 31) == whole, "{format:?}");
        assert!(!encode(format, &[], 1).is_empty(), "{format:?}");
        assert!(!encode(format, &[5], 1).is_empty(), "{format:?}");
    }
}

#[test]
fn the_size_of_mp3_is_known_before_its_samples() {
    let samples = voice(0.3);
    let lengths = (0..60)
        .map(|length| length * 17)
        .chain([94, 95, 575, 576, 577, 1_152, 7_200]);
    for length in lengths {
        let size = Format::Mp3.file_bytes(RATE, length as u64);
        let file = encode(Format::Mp3, &samples[..length], 100);
        assert_eq!(size, Some(file.len() as u64), "{length} samples");
    }
    assert_eq!(Format::Mp3.file_bytes(24_001, 1_000), None);
    assert_eq!(Format::Opus.file_bytes(RATE, 1_000), None);
    assert_eq!(Format::Flac.file_bytes(RATE, 1_000), None);
}

#[test]
fn bytes_leave_before_the_end() {
    let samples = voice(1.0);
    for format in [Format::Mp3, Format::Opus, Format::Flac] {
        let mut encoder = Encoder::new(format, RATE, samples.len() as u64).unwrap();
        let mut out = Vec::new();
        encoder.push(&samples[..samples.len() / 2], &mut out).unwrap();
        assert!(out.len() > 1_000, "{format:?}: {} bytes of half a second", out.len());
    }
}

#[test]
fn rates_that_a_format_does_not_have_are_refused() {
    for (format, rate) in [
        (Format::Mp3, 24_001),
        (Format::Mp3, 48_000),
        (Format::Opus, 22_050),
        (Format::Flac, 0),
    ] {
        let error = Encoder::new(format, rate, 0).err().expect("refused");
        assert!(!error.to_string().is_empty());
    }
}
