//! The check of sound: a whole WAV file in the format that is expected, and not silent.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::capabilities::probe::Audio;

/// Checks the sound in an answer: the answer itself, or Base64 in its JSON.
pub(super) fn check(expected: &Audio, answer: &[u8]) -> Result<(), String> {
    if expected.base64_at.is_none() && expected.size_at.is_none() {
        return audible(expected, answer);
    }
    let json: Value = serde_json::from_slice(answer).map_err(|error| format!("the answer is no JSON: {error}"))?;
    let file = match &expected.base64_at {
        Some(at) => {
            let text = json.pointer(at).and_then(Value::as_str).unwrap_or_default();
            STANDARD
                .decode(text)
                .map_err(|error| format!("`{at}` is not Base64: {error}"))?
        }
        None => answer.to_vec(),
    };
    if let Some(at) = &expected.size_at {
        let size = json.pointer(at).and_then(Value::as_u64);
        if size != Some(file.len() as u64) {
            let size = size.map_or("missing".to_owned(), |size| size.to_string());
            return Err(format!("`{at}` is {size} and not {}", file.len()));
        }
    }
    audible(expected, &file)
}

/// Checks that a file is a WAV file in the format that is expected, as long as its header says, with sound in it.
fn audible(expected: &Audio, file: &[u8]) -> Result<(), String> {
    let broken = |error: hound::Error| format!("this is no whole WAV file: {error}");
    let mut reader = hound::WavReader::new(file).map_err(broken)?;
    let spec = reader.spec();
    let format = (expected.channels, expected.sample_rate, expected.bits);
    if (spec.channels, spec.sample_rate, spec.bits_per_sample) != format {
        return Err(format!("the audio has the wrong format: {spec:?}"));
    }
    let length = reader.len();
    let full_scale = f64::from(1_u32 << (spec.bits_per_sample - 1));
    let mut energy = 0.0;
    for sample in reader.samples::<i16>() {
        energy += (f64::from(sample.map_err(broken)?) / full_scale).powi(2);
    }
    if (energy / f64::from(length.max(1))).sqrt() < expected.min_level {
        return Err("the audio is silent".to_owned());
    }
    let seconds = f64::from(length) / f64::from(spec.channels.max(1)) / f64::from(spec.sample_rate.max(1));
    if seconds < expected.min_seconds {
        return Err(format!(
            "the audio has {seconds:.2} seconds, and not {}",
            expected.min_seconds
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quartet_api::tts::SAMPLE_RATE;

    fn file(rate: u32, samples: impl Iterator<Item = i16>) -> Vec<u8> {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let spec = hound::WavSpec {
            channels: 1,
            sample_rate: rate,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        };
        let mut writer = hound::WavWriter::new(&mut bytes, spec).unwrap();
        samples.for_each(|sample| writer.write_sample(sample).unwrap());
        writer.finalize().unwrap();
        bytes.into_inner()
    }

    fn expected() -> Audio {
        Audio {
            base64_at: None,
            size_at: None,
            sample_rate: SAMPLE_RATE,
            channels: 1,
            bits: 16,
            min_seconds: 0.0,
            min_level: 0.003,
        }
    }

    #[test]
    fn hears_sound_and_nothing_else() {
        let tone = file(SAMPLE_RATE, (0..2400).map(|index| (index % 100) * 100));
        assert_eq!(audible(&expected(), &tone), Ok(()));
        let refused =
            |file: &[u8], part: &str| assert!(audible(&expected(), file).unwrap_err().contains(part), "{part}");
        refused(&tone[..tone.len() - 2], "no whole WAV");
        refused(b"RIFF", "no whole WAV");
        refused(&file(SAMPLE_RATE, std::iter::repeat_n(3, 2400)), "silent");
        refused(&file(SAMPLE_RATE, std::iter::empty()), "silent");
        refused(&file(8_000, (0..2400).map(|index| (index % 100) * 100)), "format");
        let longer = Audio {
            min_seconds: 1.0,
            ..expected()
        };
        assert!(audible(&longer, &tone).unwrap_err().contains("0.10 seconds"));
    }

    #[test]
    fn sound_in_json_has_its_size() {
        let tone = file(SAMPLE_RATE, (0..2400).map(|index| (index % 100) * 100));
        let expected = Audio {
            base64_at: Some("/audio".into()),
            size_at: Some("/size".into()),
            ..expected()
        };
        let answer = |audio: &str, size: usize| serde_json::json!({"audio": audio, "size": size}).to_string();
        let whole = STANDARD.encode(&tone);
        assert_eq!(check(&expected, answer(&whole, tone.len()).as_bytes()), Ok(()));
        for (answer, part) in [
            (answer(&whole, 1), "`/size` is 1 and not"),
            (answer("?", tone.len()), "`/audio` is not Base64"),
            (answer("", 0), "no whole WAV"),
            (String::new(), "no JSON"),
        ] {
            assert!(
                check(&expected, answer.as_bytes()).unwrap_err().contains(part),
                "{part}"
            );
        }
    }
}
