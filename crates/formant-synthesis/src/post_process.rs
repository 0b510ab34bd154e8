//! Post-processing of a clause's sound: smooth edges, the voice's treble, an even loudness.
//!
//! Everything here works on one clause and knows nothing of the others, because a long text is sent before its end is
//! made.

use std::f32::consts::{PI, SQRT_2};

use quartet_api::tts::SAMPLE_RATE;
use quartet_api::{Language, Voice};

use super::gains::gain;
use super::voice::{self, TREBLE_SHELF_HZ};

/// Filters, levels and rounds the samples of a clause. `language` is that of most of the clause.
pub fn post_process(mut samples: Vec<f32>, language: Language, voice: Voice) -> Vec<i16> {
    smooth_edges(&mut samples);
    let mut rumble = Filter::high_pass(35.0);
    let mut treble = Filter::high_shelf(TREBLE_SHELF_HZ, voice::profile(voice).treble);
    let gain = gain(voice, language);
    for sample in &mut samples {
        *sample = limited(treble.next(rumble.next(*sample)) * gain);
    }
    fade_ends(&mut samples);
    // Rounded: what is cut off is never negative.
    samples
        .into_iter()
        .map(|sample| ((sample * 32_767.0 + 32_768.5) as i32 - 32_768) as i16)
        .collect()
}

/// The fewest zeros that count as a silence, which is faded into and out of.
const SILENCE_SAMPLES: usize = 64;

/// The length of a fade where sound and silence meet: 1.4 ms.
const EDGE_FADE_SAMPLES: usize = 33;

/// Fades what stands next to a silence: a wave that is cut off clicks.
fn smooth_edges(samples: &mut [f32]) {
    let mut start = 0;
    while start < samples.len() {
        if samples[start] != 0.0 {
            // One stretch of sound: up to the next silence.
            let mut end = start;
            let mut zeros = 0;
            while end < samples.len() && zeros < SILENCE_SAMPLES {
                zeros = if samples[end] == 0.0 { zeros + 1 } else { 0 };
                end += 1;
            }
            let sound = &mut samples[start..end - zeros];
            fade(sound, EDGE_FADE_SAMPLES.min(sound.len() / 2));
            start = end;
        } else {
            start += 1;
        }
    }
}

/// The length of the fade at both ends of a clause: 2 ms. The filters ring for less.
const END_FADE_SAMPLES: usize = 48;

fn fade_ends(samples: &mut [f32]) {
    let length = END_FADE_SAMPLES.min(samples.len() / 2);
    fade(samples, length);
}

/// Fades the first and last `length` samples by half a cosine, to nothing at the ends.
fn fade(samples: &mut [f32], length: usize) {
    let last = samples.len().saturating_sub(1);
    for index in 0..length {
        let weight = 0.5 - 0.5 * (PI * index as f32 / length as f32).cos();
        samples[index] *= weight;
        samples[last - index] *= weight;
    }
}

/// The level from which the limiter works, and the one it never exceeds.
const LIMITER_KNEE: f32 = 0.5;
const LIMITER_CEILING: f32 = 0.8;

/// A limiter without memory: nothing happens below the knee; above, the level bends smoothly to the ceiling, 1.9
/// dB below full scale.
fn limited(sample: f32) -> f32 {
    let level = sample.abs();
    if level <= LIMITER_KNEE {
        return sample;
    }
    let room = LIMITER_CEILING - LIMITER_KNEE;
    (LIMITER_KNEE + room * ((level - LIMITER_KNEE) / room).tanh()).copysign(sample)
}

/// A second-order filter.
///
/// Robert Bristow-Johnson's "Cookbook formulae for audio equalizer biquad filter coefficients", in the transposed
/// direct form II.
struct Filter {
    forward: [f32; 3],
    backward: [f32; 2],
    state: [f32; 2],
}

impl Filter {
    /// Passes what is above `frequency`, in Hz.
    fn high_pass(frequency: f32) -> Self {
        let (sin, cos) = (2.0 * PI * frequency / SAMPLE_RATE as f32).sin_cos();
        let alpha = sin / SQRT_2;
        let b = (1.0 + cos) / 2.0;
        Self::new([b, -2.0 * b, b], [1.0 + alpha, -2.0 * cos, 1.0 - alpha])
    }

    /// Adds `decibels` to what is above `frequency`, in Hz.
    fn high_shelf(frequency: f32, decibels: f32) -> Self {
        let a = 10f32.powf(decibels / 40.0);
        let (sin, cos) = (2.0 * PI * frequency / SAMPLE_RATE as f32).sin_cos();
        let slope = sin * SQRT_2 * a.sqrt();
        Self::new(
            [
                a * ((a + 1.0) + (a - 1.0) * cos + slope),
                -2.0 * a * ((a - 1.0) + (a + 1.0) * cos),
                a * ((a + 1.0) + (a - 1.0) * cos - slope),
            ],
            [
                (a + 1.0) - (a - 1.0) * cos + slope,
                2.0 * ((a - 1.0) - (a + 1.0) * cos),
                (a + 1.0) - (a - 1.0) * cos - slope,
            ],
        )
    }

    fn new(forward: [f32; 3], backward: [f32; 3]) -> Self {
        let norm = backward[0];
        Self {
            forward: forward.map(|weight| weight / norm),
            backward: [backward[1] / norm, backward[2] / norm],
            state: [0.0; 2],
        }
    }

    fn next(&mut self, input: f32) -> f32 {
        let output = self.forward[0] * input + self.state[0];
        self.state[0] = self.forward[1] * input - self.backward[0] * output + self.state[1];
        self.state[1] = self.forward[2] * input - self.backward[1] * output;
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limiter_is_smooth_and_bounded() {
        let mut last = limited(-4.0);
        for step in -3_999..=4_000 {
            let output = limited(step as f32 / 1_000.0);
            assert!(output >= last && output - last <= 0.001_01 && output.abs() <= LIMITER_CEILING);
            last = output;
        }
        assert_eq!(limited(0.4), 0.4);
    }

    #[test]
    fn filters_do_what_their_names_say() {
        let level = |mut filter: Filter, frequency: f32| {
            let output = (0..48_000).map(|index| filter.next((2.0 * PI * frequency * index as f32 / 24_000.0).sin()));
            20.0 * output.skip(24_000).fold(0.0, f32::max).log10()
        };
        assert!(level(Filter::high_pass(35.0), 5.0) < -30.0);
        assert!(level(Filter::high_pass(35.0), 150.0).abs() < 0.1);
        assert!((level(Filter::high_shelf(TREBLE_SHELF_HZ, -4.0), 11_000.0) + 4.0).abs() < 0.2);
        assert!(level(Filter::high_shelf(TREBLE_SHELF_HZ, -4.0), 300.0).abs() < 0.1);
        assert!((level(Filter::high_shelf(TREBLE_SHELF_HZ, 3.5), 11_000.0) - 3.5).abs() < 0.2);
    }

    #[test]
    fn sound_next_to_silence_is_faded() {
        let mut samples = vec![0.0; 100];
        samples.extend([1.0; 200]);
        samples.extend([0.0; 100]);
        samples.extend([-1.0; 200]);
        smooth_edges(&mut samples);
        let jump = samples
            .windows(2)
            .map(|pair| (pair[1] - pair[0]).abs())
            .fold(0.0, f32::max);
        assert!(jump < 0.06, "{jump}");
        assert_eq!(samples[200], 1.0);
    }
}
