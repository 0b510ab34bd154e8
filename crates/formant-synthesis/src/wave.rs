//! Voiced sound: a sum of the partials of the pitch, as strong as the formants make them ([`super::spectrum`]).
//!
//! The highest formants are heard only around the opening of the glottis. The model is that of eSpeak NG (`wavegen.c`,
//! GPL-3.0-or-later).
//!
//! The spectrum is worked out every 64 samples; between, partials change evenly. A partial is made from the two
//! below it (`sin (n+1)x = 2 cos x sin nx - sin (n-1)x`), for all samples of a step at once, which vector instructions
//! do well.

use std::f32::consts::{PI, TAU};

use quartet_api::tts::SAMPLE_RATE;

use super::articulation::{Articulation, Beat, Glide};
use super::frames::Frame;
use super::gains::ENGINE_GAIN;
use super::pitch::Tune;
use super::spectrum::{MAX_FREQUENCY_HZ, MAX_PARTIALS, Shape, Spectrum, Timbre, tone};

/// Samples for which one spectrum is worked out: 2.7 ms.
const STEP_SAMPLES: usize = 64;

/// Samples for which partials are summed at once: what fits into the registers.
const LANES: usize = 8;

/// The factor from squared heights and Hz to samples that eSpeak NG's fixed-point arithmetic comes to at the pitch of its
/// own voice, and that pitch in Hz. There, with its pitch the voice gets louder than the consonants; here their shares
/// stay the same.
const PARTIAL_STRENGTH: f32 = 2.137e-7 * ENGINE_GAIN;
const REFERENCE_PITCH_HZ: f32 = 100.0;

/// The strength of a single high partial: that of one in the sum at 240 Hz, less what the tone of the voice takes there.
const HIGH_PARTIAL_STRENGTH: f32 = 240.0 * PARTIAL_STRENGTH;
const HIGH_TONE_DB: f32 = 3.8;

/// The time for which the opening of the glottis is heard, in seconds to either side.
const GLOTTIS_OPENING_SECONDS: f32 = 0.002_33;

/// Adds the voiced sound of a phrase to `output`, which has the phrase's length.
pub fn add_voice(output: &mut [f32], articulation: &Articulation, tune: &Tune, timbre: &Timbre) {
    let mut oscillator = Oscillator::new(timbre);
    let mut pitch = Pitch { tune, place: 0 };
    let mut end = None;
    for glide in &articulation.glides {
        // After a silence, strength comes up from nothing.
        if end != Some(glide.start) {
            oscillator.rest();
        }
        oscillator.glide(output, glide, &mut pitch);
        end = Some(glide.start + glide.length);
    }
}

/// The pitch over time.
struct Pitch<'a> {
    tune: &'a Tune,
    /// The point before the time that was last asked for.
    place: usize,
}

impl Pitch<'_> {
    /// The pitch at a time in samples; times must not go back.
    fn at(&mut self, time: u32) -> f32 {
        let Some(&(first, pitch)) = self.tune.first() else {
            return 100.0;
        };
        if time <= first {
            return pitch;
        }
        while self.tune.get(self.place + 1).is_some_and(|point| point.0 <= time) {
            self.place += 1;
        }
        let (from, low) = self.tune[self.place];
        match self.tune.get(self.place + 1) {
            Some(&(to, high)) => low + (high - low) * (time - from) as f32 / (to - from) as f32,
            None => low,
        }
    }
}

struct Oscillator<'a> {
    timbre: &'a Timbre,
    /// The phase of the first partial, in radians from -π to π.
    phase: f32,
    /// The spectrum at the end of the last step, and the number of its partials up to the last one above zero.
    last: Spectrum,
    count: usize,
    noise: Noise,
}

impl<'a> Oscillator<'a> {
    fn new(timbre: &'a Timbre) -> Self {
        Self {
            timbre,
            phase: 0.0,
            last: [0.0; MAX_PARTIALS],
            count: 0,
            noise: Noise::new(),
        }
    }

    fn rest(&mut self) {
        self.last = [0.0; MAX_PARTIALS];
        self.count = 0;
        self.phase = 0.0;
    }

    fn glide(&mut self, output: &mut [f32], glide: &Glide, pitch: &mut Pitch) {
        let shape = |frame: &Frame| Shape::new(&frame.spectrum, self.timbre);
        let (from, to) = (shape(&glide.from), shape(&glide.to));
        let mut done = 0;
        while done < glide.length {
            let length = (glide.length - done).min(STEP_SAMPLES as u32);
            let time = glide.start + done;
            let frequency = pitch.at(time + length / 2);
            let shape = from.towards(&to, (done + length) as f32 / glide.length as f32);
            let place = time as usize..(time + length) as usize;
            if let Some(output) = output.get_mut(place) {
                self.step(output, &shape, frequency, glide.loudness * beat(glide.beat, done));
            }
            done += length;
        }
    }

    /// Adds one step, at most [`STEP_SAMPLES`] samples, in which the spectrum becomes that of `shape`.
    fn step(&mut self, output: &mut [f32], shape: &Shape, frequency: f32, loudness: f32) {
        let mut spectrum = [0.0; MAX_PARTIALS];
        let count = shape.spectrum(&mut spectrum, frequency, self.timbre);
        let strength = PARTIAL_STRENGTH * (REFERENCE_PITCH_HZ * frequency).sqrt() * loudness;
        for partial in &mut spectrum[..count] {
            *partial *= strength;
        }

        // The phase at every sample, as twice its cosine and as its sine.
        let increment = TAU * frequency / SAMPLE_RATE as f32;
        let (turn_sin, turn_cos) = increment.sin_cos();
        let (mut sin, mut cos) = self.phase.sin_cos();
        let mut double_cosine = [0.0f32; STEP_SAMPLES];
        let mut sine = [0.0f32; STEP_SAMPLES];
        let mut phases = [0.0f32; STEP_SAMPLES];
        for at in 0..STEP_SAMPLES {
            (sin, cos) = (sin * turn_cos + cos * turn_sin, cos * turn_cos - sin * turn_sin);
            (double_cosine[at], sine[at]) = (2.0 * cos, sin);
            phases[at] = self.phase + increment * (at + 1) as f32;
        }
        let mut sum = [0.0f32; STEP_SAMPLES];
        let change: Spectrum = std::array::from_fn(|partial| spectrum[partial] - self.last[partial]);
        let partials = count.max(self.count);
        for block in 0..STEP_SAMPLES / LANES {
            let place = block * LANES..(block + 1) * LANES;
            let lanes =
                |values: &[f32; STEP_SAMPLES]| -> [f32; LANES] { values[place.clone()].try_into().expect("as long") };
            let share: [f32; LANES] = std::array::from_fn(|lane| (place.start + lane + 1) as f32 / output.len() as f32);
            let added = add_partials(
                &self.last[..partials],
                &change[..partials],
                &lanes(&double_cosine),
                &lanes(&sine),
                &share,
            );
            sum[place].copy_from_slice(&added);
        }
        self.add_high(&mut sum, &phases, shape, frequency, loudness);
        if self.timbre.breath > 0.0 {
            self.add_breath(
                &mut sum,
                &double_cosine,
                spectrum[..count].iter().map(|partial| partial * partial).sum(),
            );
        }
        for (output, sum) in output.iter_mut().zip(&sum) {
            *output += sum;
        }
        self.phase = (self.phase + increment * output.len() as f32 + PI) % TAU - PI;
        (self.last, self.count) = (spectrum, count);
    }

    /// Adds the highest formants: a partial each, around the opening of the glottis, where all partials meet.
    fn add_high(
        &self,
        sum: &mut [f32; STEP_SAMPLES],
        phases: &[f32; STEP_SAMPLES],
        shape: &Shape,
        frequency: f32,
        loudness: f32,
    ) {
        let width = GLOTTIS_OPENING_SECONDS * TAU * frequency;
        let increment = TAU * frequency / SAMPLE_RATE as f32;
        for (formant, height) in shape.high {
            if height < 1.0 || formant > MAX_FREQUENCY_HZ {
                continue;
            }
            let partial = (formant / frequency).round();
            let mut point = 0;
            let tone = tone(self.timbre.tone, formant, &mut point) * 10f32.powf(HIGH_TONE_DB / 20.0);
            let strength =
                HIGH_PARTIAL_STRENGTH * tone * height * height * loudness * (REFERENCE_PITCH_HZ / frequency).sqrt();
            let (mut sin, mut cos) = (partial * self.phase).sin_cos();
            let (turn_sin, turn_cos) = (partial * increment).sin_cos();
            for (sum, phase) in sum.iter_mut().zip(phases) {
                (sin, cos) = (sin * turn_cos + cos * turn_sin, cos * turn_cos - sin * turn_sin);
                let place = wrapped(*phase) / width;
                let window = (1.0 - place * place).max(0.0);
                *sum += strength * window * window * sin;
            }
        }
    }

    /// Adds breath: noise that is strongest where the glottis is open.
    fn add_breath(&mut self, sum: &mut [f32; STEP_SAMPLES], double_cosine: &[f32; STEP_SAMPLES], power: f32) {
        let strength = self.timbre.breath * power.sqrt();
        for (sum, double_cosine) in sum.iter_mut().zip(double_cosine) {
            *sum += strength * (0.6 + 0.2 * double_cosine) * self.noise.next();
        }
    }
}

/// The sum of partials at the samples of a block. Each partial's strength is `start + change * share`, its wave follows
/// from those of the two below it.
fn add_partials(
    start: &[f32],
    change: &[f32],
    double_cosine: &[f32; LANES],
    sine: &[f32; LANES],
    share: &[f32; LANES],
) -> [f32; LANES] {
    let (mut sum, mut before, mut now) = ([0.0; LANES], [0.0; LANES], *sine);
    for (start, change) in start.iter().zip(change) {
        for lane in 0..LANES {
            sum[lane] += (start + change * share[lane]) * now[lane];
            let next = double_cosine[lane] * now[lane] - before[lane];
            (before[lane], now[lane]) = (now[lane], next);
        }
    }
    sum
}

/// The share of the loudness that an interruption leaves, `time` samples after the beginning.
fn beat(beat: Beat, time: u32) -> f32 {
    match beat {
        Beat::Trill if time % TRILL_PERIOD_SAMPLES >= TRILL_PERIOD_SAMPLES - CLOSURE_SAMPLES => 0.31,
        Beat::Tap if time < CLOSURE_SAMPLES => 0.13,
        _ => 1.0,
    }
}

/// The period of the interruptions of a rolled sound, and the length of one, in samples: every 40 ms for 10 ms.
const TRILL_PERIOD_SAMPLES: u32 = SAMPLE_RATE / 25;
const CLOSURE_SAMPLES: u32 = SAMPLE_RATE / 100;

/// The same phase from -π to π, for one from -π to 3 π.
fn wrapped(phase: f32) -> f32 {
    if phase > PI { phase - TAU } else { phase }
}

/// Noise that is the same every time: a linear congruential generator (Numerical Recipes' constants), brightened by
/// taking differences.
struct Noise {
    state: u32,
    last: f32,
}

impl Noise {
    fn new() -> Self {
        Self { state: 1, last: 0.0 }
    }

    fn next(&mut self) -> f32 {
        self.state = self.state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let value = (self.state >> 8) as f32 / (1 << 23) as f32 - 1.0;
        let difference = value - self.last;
        self.last = value;
        difference
    }
}

#[cfg(test)]
mod tests {
    use quartet_api::{Language, Voice};

    use super::*;
    use crate::{engine, phrase, sequence, voice};
    use quartet_text_normalization::{Clause, Ending, Pause, Span};

    /// A voiced phrase at a pitch that does not change, without breath, and its articulation.
    fn drone(text: &str, pitch: f32) -> (Vec<f32>, Articulation) {
        let spans = vec![Span {
            language: Language::English,
            text: text.to_owned(),
        }];
        let phrases = phrase::translate(&[Clause {
            spans,
            ending: Ending::Statement,
            pause: Pause::Sentence,
        }])
        .remove(0);
        let table = engine::sounds_of(Language::English);
        let profile = voice::profile(Voice::Kore);
        let prosody = profile.prosody(Language::English);
        let sounds = sequence::sounds(&phrases[0].codes, &table, &prosody.stress);
        let articulation = crate::layout::articulate(&sounds, &table, &prosody);
        let mut output = vec![0.0; articulation.length as usize];
        let timbre = Timbre {
            breath: 0.0,
            ..profile.timbre
        };
        add_voice(&mut output, &articulation, &vec![(0, pitch)], &timbre);
        (output, articulation)
    }

    /// The strength of a frequency in samples.
    fn strength(samples: &[f32], frequency: f32) -> f32 {
        let (mut sine, mut cosine) = (0.0, 0.0);
        for (index, sample) in samples.iter().enumerate() {
            let (sin, cos) = (TAU * frequency * index as f32 / SAMPLE_RATE as f32).sin_cos();
            let window = 0.5 - 0.5 * (TAU * index as f32 / samples.len() as f32).cos();
            sine += sample * sin * window;
            cosine += sample * cos * window;
        }
        sine.hypot(cosine) / samples.len() as f32
    }

    #[test]
    fn voice_is_made_of_the_partials_of_its_pitch() {
        for pitch in [80.0, 150.0, 260.0] {
            let (output, articulation) = drone("are", pitch);
            let syllable = &articulation.syllables[0];
            let middle = (syllable.start + syllable.end) as usize / 2;
            let vowel = &output[middle - 1_200..middle + 1_200];
            let strongest = (1..10)
                .map(|partial| strength(vowel, pitch * partial as f32))
                .fold(0.0, f32::max);
            for partial in 0..10 {
                let beside = strength(vowel, pitch * (partial as f32 + 0.5));
                assert!(
                    beside < 0.03 * strongest,
                    "{beside} above partial {partial} of {pitch} Hz, {strongest} on one"
                );
            }
        }
    }

    #[test]
    fn voice_has_no_gaps() {
        let (output, articulation) = drone("we were always away in May", 120.0);
        for syllable in &articulation.syllables {
            let quarter = (syllable.end - syllable.start) / 4;
            let vowel = &output[(syllable.start + quarter) as usize..(syllable.end - quarter) as usize];
            let loudest = vowel.iter().fold(0.0, |loudest: f32, sample| loudest.max(sample.abs()));
            let longest = vowel
                .split(|sample| sample.abs() > 0.005 * loudest)
                .map(<[f32]>::len)
                .max()
                .unwrap();
            // The glottis is closed for less than 2 ms.
            assert!(longest < 48, "silent for {longest} samples in {syllable:?}");
        }
    }

    #[test]
    fn vowels_have_their_formants() {
        // Strength at the second formant of "ee", near 2.3 kHz, and at that of "ah", near 1.1 kHz.
        let at = |text: &str, frequency: f32| {
            let (output, articulation) = drone(text, 100.0);
            let syllable = &articulation.syllables[0];
            let middle = (syllable.start + syllable.end) as usize / 2;
            let vowel = &output[middle - 1_200..middle + 1_200];
            (-2..=2)
                .map(|partial| strength(vowel, frequency + 100.0 * partial as f32))
                .sum::<f32>()
        };
        assert!(at("eel", 2_400.0) > 4.0 * at("eel", 1_200.0));
        assert!(at("are", 1_200.0) > 4.0 * at("are", 2_100.0));
    }
}
