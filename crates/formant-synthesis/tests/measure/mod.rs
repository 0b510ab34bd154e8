//! Acoustic measurements: pitch, brightness, loudness.

use ebur128::{EbuR128, Mode};
use quartet_api::Voice;
use quartet_api::tts::SAMPLE_RATE;

/// Samples from -1 to 1.
pub fn floats(samples: &[i16]) -> Vec<f32> {
    samples.iter().map(|sample| f32::from(*sample) / 32_768.0).collect()
}

/// Integrated loudness in LUFS (ITU-R BS.1770) and true peak in dB of full scale.
pub fn loudness(samples: &[i16]) -> (f64, f64) {
    let mut meter = EbuR128::new(1, SAMPLE_RATE, Mode::I | Mode::TRUE_PEAK).unwrap();
    meter.add_frames_i16(samples).unwrap();
    (
        meter.loudness_global().unwrap(),
        20.0 * meter.true_peak(0).unwrap().log10(),
    )
}

/// The pitch in Hz of every 20 ms that is voiced, `None` where nothing is periodic: the autocorrelation of a windowed
/// frame divided by that of the window (P. Boersma, 1993), at a third of the rate, for pitches from `lowest` to
/// `highest`.
pub fn pitches(samples: &[f32], (lowest, highest): (f32, f32)) -> Vec<Option<f32>> {
    const RATE: f32 = SAMPLE_RATE as f32 / 3.0;
    const HOP: usize = 160;
    const VOICED: f32 = 0.5;
    let (shortest, longest) = ((RATE / highest) as usize, (RATE / lowest) as usize);
    let samples: Vec<f32> = samples
        .chunks_exact(3)
        .map(|three| three.iter().sum::<f32>() / 3.0)
        .collect();
    let length = 3 * longest;
    let window: Vec<f32> = (0..length)
        .map(|index| 0.5 - 0.5 * (2.0 * std::f32::consts::PI * (index as f32 + 0.5) / length as f32).cos())
        .collect();
    let correlation = |values: &[f32], shift: usize| -> f32 {
        values[..length - shift]
            .iter()
            .zip(&values[shift..])
            .map(|(a, b)| a * b)
            .sum()
    };
    let of_window: Vec<f32> = (0..longest + 2)
        .map(|shift| correlation(&window, shift) / correlation(&window, 0))
        .collect();
    let pitch = |frame: &[f32]| {
        let frame: Vec<f32> = frame
            .iter()
            .zip(&window)
            .map(|(sample, weight)| sample * weight)
            .collect();
        let power = correlation(&frame, 0);
        if power / (length as f32) < 1e-5 {
            return None;
        }
        let likeness: Vec<f32> = (0..longest + 2)
            .map(|shift| correlation(&frame, shift) / power / of_window[shift])
            .collect();
        // A shorter period is preferred to its multiples.
        let cost = |shift: usize| likeness[shift] - 0.06 * (shift as f32 / shortest as f32).log2();
        let best = (shortest..=longest)
            .filter(|&shift| likeness[shift] >= likeness[shift - 1] && likeness[shift] >= likeness[shift + 1])
            .max_by(|a, b| cost(*a).total_cmp(&cost(*b)))
            .filter(|&shift| likeness[shift] > VOICED)?;
        let (before, here, after) = (likeness[best - 1], likeness[best], likeness[best + 1]);
        let offset = (after - before) / (2.0 * (2.0 * here - before - after)).max(1e-9);
        Some(RATE / (best as f32 + offset))
    };
    samples.windows(length).step_by(HOP).map(pitch).collect()
}

/// The range in which the pitch of a voice is looked for: its own, and two thirds of an octave to either side or more.
pub fn range(voice: Voice) -> (f32, f32) {
    match voice {
        Voice::Kore => (85.0, 265.0),
        Voice::Phoebe => (120.0, 360.0),
        Voice::Charon => (50.0, 150.0),
        Voice::Fenrir => (60.0, 240.0),
        Voice::Aoede => (105.0, 290.0),
    }
}

/// The median; zero for none.
pub fn median(values: &[f32]) -> f32 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f32::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// Mean, and the 10th and 90th percentile.
pub fn spread(values: &[f32]) -> (f32, f32, f32) {
    let mut sorted = values.to_vec();
    sorted.sort_by(f32::total_cmp);
    let mean = values.iter().sum::<f32>() / values.len().max(1) as f32;
    let at = |part: usize| sorted.get(sorted.len() * part / 100).copied().unwrap_or_default();
    (mean, at(10), at(90))
}

/// The centre of gravity of the power spectrum in Hz, over all frames of 1,024 samples.
pub fn centroid(samples: &[f32]) -> f32 {
    const SIZE: usize = 1_024;
    let (mut weighted, mut total) = (0.0f64, 0.0f64);
    for frame in samples.chunks_exact(SIZE) {
        let mut real: Vec<f32> = (0..SIZE)
            .map(|index| {
                let window = 0.5 - 0.5 * (2.0 * std::f32::consts::PI * index as f32 / SIZE as f32).cos();
                frame[index] * window
            })
            .collect();
        let mut imaginary = vec![0.0; SIZE];
        transform(&mut real, &mut imaginary);
        for bin in 1..SIZE / 2 {
            let power = f64::from(real[bin] * real[bin] + imaginary[bin] * imaginary[bin]);
            weighted += power * bin as f64 * f64::from(SAMPLE_RATE) / SIZE as f64;
            total += power;
        }
    }
    (weighted / total.max(1e-12)) as f32
}

/// The discrete Fourier transform in place, radix two.
fn transform(real: &mut [f32], imaginary: &mut [f32]) {
    let size = real.len();
    let bits = size.trailing_zeros();
    for index in 0..size {
        let other = index.reverse_bits() >> (usize::BITS - bits);
        if other > index {
            real.swap(index, other);
            imaginary.swap(index, other);
        }
    }
    let mut half = 1;
    while half < size {
        for start in (0..size).step_by(2 * half) {
            for offset in 0..half {
                let (sin, cos) = (-std::f32::consts::PI * offset as f32 / half as f32).sin_cos();
                let (low, high) = (start + offset, start + offset + half);
                let product_real = real[high] * cos - imaginary[high] * sin;
                let product_imaginary = real[high] * sin + imaginary[high] * cos;
                (real[high], imaginary[high]) = (real[low] - product_real, imaginary[low] - product_imaginary);
                real[low] += product_real;
                imaginary[low] += product_imaginary;
            }
        }
        half *= 2;
    }
}
