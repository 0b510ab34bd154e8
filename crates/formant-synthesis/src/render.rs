//! Renders the phrases of a clause to samples, and predicts their number.

use quartet_api::Voice;
use quartet_text_normalization::alignment::Group;

use super::articulation::Articulation;
use super::layout::articulate;
use super::phrase::Phrase;
use super::spectrum::Timbre;
use super::{engine, pitch, sequence, voice, wave};

/// The number of samples that [`samples`] makes, without making them. `speed` is in percent of the voice's own.
pub fn length(phrases: &[Phrase], voice: Voice, speed: u16) -> u64 {
    let length = |phrase: &Phrase| u64::from(articulation(phrase, voice, speed).length);
    phrases.iter().map(length).sum()
}

/// The words of a clause's phrases, the first of which begins at the sample `start`.
pub fn words(phrases: &[Phrase], voice: Voice, speed: u16, mut start: u64) -> Vec<Group> {
    let mut words = Vec::new();
    for phrase in phrases {
        let articulation = articulation(phrase, voice, speed);
        words.extend(articulation.words.iter().map(|word| Group {
            start: start + u64::from(word.start),
            end: start + u64::from(word.end),
            sounds: word.sounds,
        }));
        start += u64::from(articulation.length);
    }
    words
}

/// The samples of a clause's phrases, one after the other, from about -1 to 1.
pub fn samples(phrases: &[Phrase], voice: Voice, speed: u16) -> Vec<f32> {
    let mut samples = Vec::new();
    for phrase in phrases {
        add(&mut samples, phrase, voice, speed);
    }
    samples
}

fn articulation(phrase: &Phrase, voice: Voice, speed: u16) -> Articulation {
    let table = engine::sounds_of(phrase.language);
    let mut prosody = voice::profile(voice).prosody(phrase.language);
    prosody.slowness *= 100.0 / f32::from(speed);
    let sounds = sequence::sounds(&phrase.codes, &table, &prosody.stress);
    articulate(&sounds, &table, &prosody)
}

fn add(samples: &mut Vec<f32>, phrase: &Phrase, voice: Voice, speed: u16) {
    let articulation = articulation(phrase, voice, speed);
    let start = samples.len();
    samples.resize(start + articulation.length as usize, 0.0);
    let output = &mut samples[start..];
    let profile = voice::profile(voice);
    let settings = engine::settings_of(phrase.language);
    let tune = pitch::tune(
        &articulation.syllables,
        phrase.ending,
        settings.tunes,
        &profile.register,
    );
    let timbre = Timbre {
        width: profile.timbre.width * settings.width,
        ..profile.timbre
    };
    wave::add_voice(output, &articulation, &tune, &timbre);
    let table = engine::sounds_of(phrase.language);
    for recording in &articulation.recordings {
        let place = output.iter_mut().skip(recording.start as usize);
        for (output, sample) in place.zip(recording.samples(&table.phondata)) {
            *output += sample;
        }
    }
}
