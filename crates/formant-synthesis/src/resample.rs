//! Resampling from the engine's 22,050 samples a second to 24,000.
//!
//! A polyphase filter by the ratio 160 to 147: every output sample is the sum of [`TAPS`] input samples, weighted by
//! one of 160 phases of a windowed sinc (Kaiser's window). Whole clauses are converted at once; they begin and end in
//! silence, so no state is carried from one to the next and the length of the result is exact.
//!
//! Written out here because the resamplers on crates.io work on blocks of fixed length with a delay, which is the
//! opposite of what clauses need.

use std::f64::consts::PI;
use std::sync::LazyLock;

/// The ratio in lowest terms: 24,000 / 22,050.
const UP: usize = 160;
const DOWN: usize = 147;

/// Input samples for each output sample; a multiple of 8, so that the sum is made with full vectors.
const TAPS: usize = 48;

/// The middle of the filter's edge in Hz: passes what is below 8.7 kHz, stops what is above the old rate's half.
const CUTOFF_HZ: f64 = 9_850.0;

/// Kaiser's parameter for 75 dB.
const KAISER_BETA: f64 = 7.3;

/// The weights by phase: `PHASES[phase][tap]`.
static PHASES: LazyLock<Vec<[f32; TAPS]>> = LazyLock::new(|| (0..UP).map(phase).collect());

/// Makes the table of weights now.
pub fn init() {
    LazyLock::force(&PHASES);
}

/// The number of samples that [`resampled`] makes of `length`.
pub const fn resampled_length(length: u64) -> u64 {
    (length * UP as u64).div_ceil(DOWN as u64)
}

/// The same sound at 24,000 samples a second. Silence is assumed before and after.
pub fn resampled(samples: &[f32]) -> Vec<f32> {
    // Padding makes every sum a full one.
    let mut padded = vec![0.0; TAPS / 2 - 1];
    padded.extend_from_slice(samples);
    padded.resize(padded.len() + TAPS, 0.0);
    let length = resampled_length(samples.len() as u64) as usize;
    let output = |index: usize| {
        let (position, phase) = (index * DOWN / UP, index * DOWN % UP);
        sum(&PHASES[phase], &padded[position..position + TAPS])
    };
    (0..length).map(output).collect()
}

/// The sum of the products, in eight partial sums that vector instructions can carry.
fn sum(weights: &[f32; TAPS], samples: &[f32]) -> f32 {
    let mut partial = [0.0f32; 8];
    for (weights, samples) in weights.chunks_exact(8).zip(samples.chunks_exact(8)) {
        for lane in 0..8 {
            partial[lane] += weights[lane] * samples[lane];
        }
    }
    partial.iter().sum()
}

/// The weights of one phase: for the output sample that lies `phase / UP` of an input sample after the tap in the
/// middle. Every phase sums to one, so that silence's level is the same in all.
fn phase(phase: usize) -> [f32; TAPS] {
    let cutoff = 2.0 * CUTOFF_HZ / 22_050.0;
    let weights: [f64; TAPS] = std::array::from_fn(|tap| {
        let distance = tap as f64 - (TAPS / 2 - 1) as f64 - phase as f64 / UP as f64;
        let x = PI * cutoff * distance;
        let sinc = if x == 0.0 { 1.0 } else { x.sin() / x };
        let edge = 2.0 * distance / TAPS as f64;
        sinc * bessel(KAISER_BETA * (1.0 - edge * edge).max(0.0).sqrt())
    });
    let total: f64 = weights.iter().sum();
    weights.map(|weight| (weight / total) as f32)
}

/// The modified Bessel function of the first kind and order zero, by its power series.
fn bessel(x: f64) -> f64 {
    let mut term = 1.0;
    let mut sum = 1.0;
    for k in 1..40 {
        term *= (x / 2.0 / f64::from(k)).powi(2);
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tone of amplitude 1.
    fn tone(frequency: f64, rate: f64, length: usize) -> Vec<f32> {
        (0..length)
            .map(|index| (2.0 * PI * frequency * index as f64 / rate).sin() as f32)
            .collect()
    }

    /// The amplitude of what is left of a tone, and of everything else, both away from the ends.
    fn split(samples: &[f32], frequency: f64) -> (f64, f64) {
        let middle = &samples[2_400..samples.len() - 2_400];
        let (mut sine, mut cosine) = (0.0, 0.0);
        for (index, sample) in middle.iter().enumerate() {
            let angle = 2.0 * PI * frequency * index as f64 / 24_000.0;
            sine += f64::from(*sample) * angle.sin() * 2.0 / middle.len() as f64;
            cosine += f64::from(*sample) * angle.cos() * 2.0 / middle.len() as f64;
        }
        let rest = middle.iter().enumerate().map(|(index, sample)| {
            let angle = 2.0 * PI * frequency * index as f64 / 24_000.0;
            (f64::from(*sample) - sine * angle.sin() - cosine * angle.cos()).powi(2)
        });
        (
            (sine * sine + cosine * cosine).sqrt(),
            (rest.sum::<f64>() * 2.0 / middle.len() as f64).sqrt(),
        )
    }

    fn decibels(amplitude: f64) -> f64 {
        20.0 * amplitude.log10()
    }

    #[test]
    fn tones_pass_and_their_images_do_not() {
        // Whole periods in what is measured, so that leakage is not mistaken for an image.
        for frequency in [50.0, 100.0, 440.0, 1_000.0, 3_000.0, 6_000.0, 8_000.0, 8_600.0] {
            let output = resampled(&tone(frequency, 22_050.0, 44_100));
            let (level, rest) = split(&output, frequency);
            assert!(
                decibels(level).abs() < 0.1,
                "{frequency} Hz passes at {:.2} dB",
                decibels(level)
            );
            assert!(
                decibels(rest) < -70.0,
                "{frequency} Hz leaves {:.1} dB of images",
                decibels(rest)
            );
        }
    }

    #[test]
    fn what_would_have_an_image_is_stopped_with_it() {
        // A tone near the old half rate is weakened, and its image above it is gone.
        for frequency in [10_500.0, 10_800.0, 11_000.0] {
            let output = resampled(&tone(frequency, 22_050.0, 44_100));
            let (_, rest) = split(&output, frequency);
            assert!(
                decibels(rest) < -70.0,
                "{frequency} Hz leaves {:.1} dB of images",
                decibels(rest)
            );
        }
    }

    #[test]
    fn lengths_and_positions_are_exact() {
        for length in [0usize, 1, 146, 147, 148, 22_050, 100_001] {
            assert_eq!(
                resampled(&vec![0.5; length]).len() as u64,
                resampled_length(length as u64)
            );
        }
        // A click stays where it was in time.
        let mut click = vec![0.0; 22_050];
        click[14_700] = 1.0;
        let output = resampled(&click);
        let loudest = output.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap().0;
        assert_eq!(loudest, 16_000);
    }
}
