//! What a version of the speech component must answer.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quartet_api::operations::{TTS_GENERATE, TTS_LANGUAGES, TTS_STREAM};
use quartet_api::tts::{LanguageList, SAMPLE_RATE, SpeechResult, WAV};

use super::Probe;

/// A sentence of a second or so.
const TEXT: &str = "Good morning.";

/// Root mean square of a sound, as a part of full scale, below which it is silence.
const AUDIBLE: f64 = 0.003;

/// Lists the twelve languages, and speaks a sentence both ways.
pub(super) async fn run(probe: &Probe<'_>) -> Result<(), String> {
    let languages: LanguageList = probe.data(&TTS_LANGUAGES, None).await?;
    if languages != LanguageList::all() {
        return Err(format!(
            "{}: these are not the contract's languages",
            TTS_LANGUAGES.path
        ));
    }
    let request = format!(r#"{{"text":"{TEXT}","language":"en","voice":"Kore"}}"#);
    let result: SpeechResult = probe.data(&TTS_GENERATE, Some(request.as_str().into())).await?;
    let echoed = [
        ("text", result.text.as_str(), TEXT),
        ("language", result.language.as_str(), "English"),
        ("voice", result.voice.as_str(), "Kore"),
        ("audioFormat", result.audio_format.as_str(), WAV),
    ];
    for (field, is, should) in echoed {
        if is != should {
            return Err(format!("{}: `{field}` is {is:?} and not {should:?}", TTS_GENERATE.path));
        }
    }
    let file = STANDARD
        .decode(&result.audio_base64)
        .map_err(|error| format!("{}: `audioBase64` is not Base64: {error}", TTS_GENERATE.path))?;
    if result.audio_size != file.len() as u64 {
        return Err(format!(
            "{}: `audioSize` is {} and not {}",
            TTS_GENERATE.path,
            result.audio_size,
            file.len()
        ));
    }
    audible(&file).map_err(|reason| format!("{}: {reason}", TTS_GENERATE.path))?;
    let streamed = probe.ask(&TTS_STREAM, Some(request.as_str().into())).await?;
    audible(&streamed).map_err(|reason| format!("{}: {reason}", TTS_STREAM.path))
}

/// Checks that a file is a WAV file in the contract's format, as long as its header says, with sound in it.
fn audible(file: &[u8]) -> Result<(), String> {
    let broken = |error: hound::Error| format!("this is no whole WAV file: {error}");
    let mut reader = hound::WavReader::new(file).map_err(broken)?;
    let spec = reader.spec();
    if (spec.channels, spec.sample_rate, spec.bits_per_sample) != (1, SAMPLE_RATE, 16) {
        return Err(format!("the audio has the wrong format: {spec:?}"));
    }
    let length = reader.len();
    let mut energy = 0.0;
    for sample in reader.samples::<i16>() {
        energy += (f64::from(sample.map_err(broken)?) / 32768.0).powi(2);
    }
    match (energy / f64::from(length.max(1))).sqrt() {
        level if level < AUDIBLE => Err("the audio is silent".to_owned()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn hears_sound_and_nothing_else() {
        let tone = file(SAMPLE_RATE, (0..2400).map(|index| (index % 100) * 100));
        assert_eq!(audible(&tone), Ok(()));
        let refused = |file: &[u8], part: &str| assert!(audible(file).unwrap_err().contains(part), "{part}");
        refused(&tone[..tone.len() - 2], "no whole WAV");
        refused(b"RIFF", "no whole WAV");
        refused(&file(SAMPLE_RATE, std::iter::repeat_n(3, 2400)), "silent");
        refused(&file(SAMPLE_RATE, std::iter::empty()), "silent");
        refused(&file(8_000, (0..2400).map(|index| (index % 100) * 100)), "format");
    }
}
